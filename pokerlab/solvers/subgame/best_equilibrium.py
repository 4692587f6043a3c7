"""The equilibrium of a two-player subgame in which the players together win most."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import ConvergenceError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.deviation import allowed_gain, check_two_players, largest_gain
from pokerlab.solvers.subgame.enumeration import all_equilibria
from pokerlab.solvers.subgame.mixture import Mixture


@dataclass(frozen=True, kw_only=True)
class BestEquilibrium:
    """Enumerate all equilibria and play the one with the largest sum of payoffs.

    What Oliehoek et al. (2006, section 7) propose for the optimal solution within a subgame, which need
    not be optimal in the whole game. It is one of the extreme equilibria; of several that win the same
    sum it is the first in `Equilibria`'s order, which plays earlier strategies more.

    Attributes
    ----------
    tolerance : float
        Most that a player may gain in the subgame by leaving the mixes, in units of the largest
        utility (at least 1); sums of payoffs that differ by less count as the same.

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> BestEquilibrium()("stag hunt", np.array([row, column], dtype=float), ()).mixes[0]
    array([1., 0.])
    """

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not for two."""
        check_two_players(game, "the enumeration of equilibria")

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the equilibrium of `payoffs`, (2, K_1, K_2), with the largest sum of payoffs.

        Raises
        ------
        SettingError
            If the subgame is too large to enumerate.
        ConvergenceError
            If rounding leaves a player more to gain than the tolerance.
        """
        equilibria = all_equilibria(payoffs[0], payoffs[1], name=f"the subgame of {name}")
        allowed = allowed_gain(payoffs, self.tolerance)
        sums = equilibria.payoffs.sum(axis=1)
        best = int(np.argmax(sums >= sums.max() - allowed))
        mixes = equilibria.row_mixes[best].copy(), equilibria.column_mixes[best].copy()
        gain = largest_gain(payoffs, mixes)
        if not gain <= allowed:
            raise ConvergenceError(
                f"the best equilibrium of the subgame of {name} leaves {gain:.3g} to gain, with payoffs"
                f" up to {np.abs(payoffs).max():g}; allowed is {allowed:.3g}. Allow a larger"
                " tolerance, scale the payoffs, or use subgame=solvers.LemkeHowson()."
            )
        return Mixture(mixes)
