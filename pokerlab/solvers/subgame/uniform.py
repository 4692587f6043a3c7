"""The subgame that is not solved: all strategies encountered, equally often."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.mixture import Mixture


@dataclass(frozen=True, kw_only=True)
class UniformMixture:
    """Everybody plays each strategy encountered with the same probability, in any game.

    With best responses that may repeat it is fictitious play (Lanctot et al. 2017, section 3).

    Attributes
    ----------
    tolerance : float
        A strategy must gain more, in units of the largest utility (at least 1).
    """

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse no game."""

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the mixes for `payoffs`, (n, K_1, ..., K_n): 1 / K_i each."""
        return Mixture(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))
