"""Drive solvers, record what they do, save it and resume it.

Begin with `run`, which turns a solver's states into columns, and `history`, which stores them with their provenance.
`checkpoint` saves states, and `sweeps` runs one measure over settings and seeds, and keeps its rows.
"""

from pokerlab.core.public_names import declare_public_names
from pokerlab.runs.history import History as History
from pokerlab.runs.run import Column as Column
from pokerlab.runs.run import Run as Run
from pokerlab.runs.sweeps import SweepError as SweepError
from pokerlab.runs.sweeps import sweep as sweep

declare_public_names(globals())
