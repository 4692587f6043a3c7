"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

Begin with `config`, every number with its source, and `experiment`, with what is said of a generation. At
`duplicate_tables` champions meet eight others and each other, and one tells what they saw.
"""

from pokerlab.core.public_names import shown
from pokerlab.papers.nicolai2009.config import EARLIER as EARLIER
from pokerlab.papers.nicolai2009.config import Config as Config
from pokerlab.papers.nicolai2009.duplicate_tables import EARLIER_TABLES as EARLIER_TABLES
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables as DuplicateTables
from pokerlab.papers.nicolai2009.duplicate_tables import encounters as encounters
from pokerlab.papers.nicolai2009.duplicate_tables import panel as panel
from pokerlab.papers.nicolai2009.duplicate_tables import static_agents as static_agents
from pokerlab.papers.nicolai2009.experiment import PAPER as PAPER
from pokerlab.papers.nicolai2009.experiment import PAPER_EXPERIMENTS as PAPER_EXPERIMENTS
from pokerlab.papers.nicolai2009.experiment import SCALES as SCALES
from pokerlab.papers.nicolai2009.experiment import encoding as encoding
from pokerlab.papers.nicolai2009.experiment import evolved_networks as evolved_networks
from pokerlab.papers.nicolai2009.experiment import game as game
from pokerlab.papers.nicolai2009.experiment import solver as solver

__all__, __dir__ = shown(globals())
