"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

Begin with `experiment`; `assessment` has the strategies written by hand that evolved ones are judged by.
"""

from pokerlab.core.public_names import shown
from pokerlab.papers.noble2001.assessment import BAD as BAD
from pokerlab.papers.noble2001.assessment import GROUPS as GROUPS
from pokerlab.papers.noble2001.assessment import PRINTED as PRINTED
from pokerlab.papers.noble2001.assessment import REASONABLE as REASONABLE
from pokerlab.papers.noble2001.assessment import Opponent as Opponent
from pokerlab.papers.noble2001.assessment import assess as assess
from pokerlab.papers.noble2001.assessment import by_run as by_run
from pokerlab.papers.noble2001.assessment import by_split as by_split
from pokerlab.papers.noble2001.assessment import crossed as crossed
from pokerlab.papers.noble2001.assessment import in_big_blinds as in_big_blinds
from pokerlab.papers.noble2001.assessment import paired as paired
from pokerlab.papers.noble2001.experiment import PAPER as PAPER
from pokerlab.papers.noble2001.experiment import SCALES as SCALES
from pokerlab.papers.noble2001.experiment import Config as Config
from pokerlab.papers.noble2001.experiment import columns as columns
from pokerlab.papers.noble2001.experiment import encoding as encoding
from pokerlab.papers.noble2001.experiment import game as game
from pokerlab.papers.noble2001.experiment import pareto_coevolution as pareto_coevolution
from pokerlab.papers.noble2001.experiment import solver as solver

__all__, __dir__ = shown(globals())
