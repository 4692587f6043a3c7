"""Nicolai & Hilderman (2009): what its audit alone runs.

`long_run` makes whole evolutions and their `champions`, `old_agents` the three agents of an earlier paper.
`interpretations` has every recorded evaluation of a whole champion; `comparison` sets its ranks beside the printed
ones, and `verdicts` judges each printed number by all of them. `lines` has champions of all generations, `methods`
evolves small, over seeds, `exploiters` breeds agents against champions, and `tables` has the texts of
tables.
"""
