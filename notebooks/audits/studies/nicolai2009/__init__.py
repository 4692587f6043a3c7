"""The study of Nicolai & Hilderman (2009): what its audit runs and no lesson does.

`long_run` runs evolutions of the paper's size, and `champions` has the files of evolutions and champions. `evaluation`
plays champions at duplicate tables, against eight opponents, three of which `old_agents` evolves. `interpretations` has
every recorded evaluation of a champion of the paper's size; `comparison` sets its ranks beside the printed ones, and
`verdicts` judges each printed number by all of them. `lineages` measures champions of all generations, `methods` has
smaller evolutions over seeds, and `exploiters` breeds agents against champions. `tables` and `drawings` show all of
this.
"""
