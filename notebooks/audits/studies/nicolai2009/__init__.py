"""Nicolai & Hilderman (2009): ranks beside the printed ones, verdicts, and sweeps over methods, readings and champions.

`recording` makes the files of whole evolutions and of the old agents. `comparison` sets the ranks of champions beside
the printed ones, and `verdicts` judges each printed number. `methods` evolves small, over seeds; `readings` evaluates
the eleven otherwise; `exploiters` breeds agents against them.
"""
