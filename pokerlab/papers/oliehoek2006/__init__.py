"""Oliehoek, de Jong & Vlassis (2006): the Parallel Nash Memory in one-card and two-round poker.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006.

Begin with `experiment`: the settings, what is run, how the paper's iterations are counted, and the naive memory.
"""

from pokerlab.core.public_names import shown
from pokerlab.papers.oliehoek2006.experiment import FIGURE_3 as FIGURE_3
from pokerlab.papers.oliehoek2006.experiment import GAMES as GAMES
from pokerlab.papers.oliehoek2006.experiment import HEURISTICS as HEURISTICS
from pokerlab.papers.oliehoek2006.experiment import PROGRAMS as PROGRAMS
from pokerlab.papers.oliehoek2006.experiment import STARTS as STARTS
from pokerlab.papers.oliehoek2006.experiment import TIES as TIES
from pokerlab.papers.oliehoek2006.experiment import UNREACHED as UNREACHED
from pokerlab.papers.oliehoek2006.experiment import Config as Config
from pokerlab.papers.oliehoek2006.experiment import nash_memory as nash_memory
from pokerlab.papers.oliehoek2006.experiment import parallel_and_naive as parallel_and_naive
from pokerlab.papers.oliehoek2006.experiment import published as published
from pokerlab.papers.oliehoek2006.experiment import solver as solver

__all__, __dir__ = shown(globals())
