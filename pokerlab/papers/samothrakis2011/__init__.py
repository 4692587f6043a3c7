"""Samothrakis & Lucas (2011): minimax coevolution, in small games and in bucketed limit hold'em.

S. Samothrakis, S. Lucas, "Approximating n-player Behavioural Strategy Nash Equilibria Using Coevolution", GECCO 2011.

Begin with `experiment` (small games) and `holdem` (section 4.2, with what is recorded of it and the agents that are
compared). `small_games` looks closer at the former.
"""

from pokerlab.core.public_names import shown
from pokerlab.papers.samothrakis2011.experiment import EVOLUTIONS as EVOLUTIONS
from pokerlab.papers.samothrakis2011.experiment import GAMES as GAMES
from pokerlab.papers.samothrakis2011.experiment import PAPER as PAPER
from pokerlab.papers.samothrakis2011.experiment import RPS as RPS
from pokerlab.papers.samothrakis2011.experiment import Config as Config
from pokerlab.papers.samothrakis2011.experiment import columns as columns
from pokerlab.papers.samothrakis2011.experiment import encoding as encoding
from pokerlab.papers.samothrakis2011.experiment import minimax_coevolution as minimax_coevolution
from pokerlab.papers.samothrakis2011.experiment import solver as solver
from pokerlab.papers.samothrakis2011.small_games import KuhnCode as KuhnCode

__all__, __dir__ = shown(globals())
