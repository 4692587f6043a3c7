"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc.

Begin with `experiment`: the settings and what is run. `normal_form` has the dynamics over mixed strategies that the
paper's theorems set beside it.
"""

from pokerlab.core.public_names import shown
from pokerlab.papers.lanctot2014.experiment import FIGURES as FIGURES
from pokerlab.papers.lanctot2014.experiment import SCALES as SCALES
from pokerlab.papers.lanctot2014.experiment import Config as Config
from pokerlab.papers.lanctot2014.experiment import columns as columns
from pokerlab.papers.lanctot2014.experiment import performance_difference as performance_difference
from pokerlab.papers.lanctot2014.experiment import published as published
from pokerlab.papers.lanctot2014.experiment import random_profile as random_profile
from pokerlab.papers.lanctot2014.experiment import replicator as replicator
from pokerlab.papers.lanctot2014.experiment import solver as solver

__all__, __dir__ = shown(globals())
