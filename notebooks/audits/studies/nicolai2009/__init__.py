"""Nicolai & Hilderman (2009): what its audit alone runs.

`long_run` makes whole evolutions and their `champions`, `old_agents` the three agents of an earlier paper. `comparison`
sets the ranks of champions beside the printed ones, and `verdicts` judges each printed number. `methods` evolves small,
over seeds; `readings` evaluates the eleven otherwise; `exploiters` breeds agents against them.
"""
