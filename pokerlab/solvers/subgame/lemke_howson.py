"""An equilibrium of any two-player subgame, by the pivoting of Lemke & Howson (1964).

Oliehoek et al. (2006, section 7) use it in place of the linear program where payoffs do not sum to zero.
"""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import ConvergenceError, GameError, SettingError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.games import SequenceForm
from pokerlab.solvers.subgame.mixture import Basis, Mixture, Tolerant, allowed_gain, largest_gain
from pokerlab.solvers.subgame.zero_sum import normalized_weights

DUST = 1e-12
"""Weights below this part of the largest are rounding and not part of a support."""


@dataclass(frozen=True, kw_only=True)
class LemkeHowson(Tolerant):
    """Complementary pivoting with the lexicographic rule, as quantecon implements it.

    Subgames are nearly always degenerate, since strategies can be worth the same; the lexicographic
    rule cannot cycle there, but rounding can break its ties the wrong way. Where the pivoting from one
    label does not end in an equilibrium, it starts anew from the next.

    Attributes
    ----------
    first_pivot : int
        Whose label is dropped first: player 1's strategies count from 0, then player 2's, then from the
        beginning again. Another label can lead to another equilibrium.
    most_pivots : int
        Pivots from one label after which the next is tried.
    tolerance : float
        Most that a player may gain in the subgame by leaving the mixes, in units of the largest
        utility (at least 1).

    References
    ----------
    .. [1] B. von Stengel, "Equilibrium computation for two-player games in strategic and extensive
       form", chapter 3 of N. Nisan et al. (eds.), Algorithmic Game Theory, 2007

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> LemkeHowson().solve(np.array([row, column], dtype=float)).mixes[0]
    array([1., 0.])
    """

    first_pivot: int = 0
    most_pivots: int = 10_000

    def __post_init__(self) -> None:
        whole("first_pivot", self.first_pivot, 0, LARGEST_COUNT)
        whole("most_pivots", self.most_pivots, 1, LARGEST_COUNT)
        super().__post_init__()

    def check(self, game: SequenceForm) -> None:
        """Check that `game` has two players."""
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return an equilibrium of `payoffs`, (2, K_1, K_2); raise a ConvergenceError if no label leads to one."""
        try:
            from quantecon.game_theory import NormalFormGame, Player, lemke_howson
        except ImportError as error:
            raise SettingError(
                f"LemkeHowson needs quantecon and its numba ({error}); else use ProjectedReplicator()."
            ) from error
        labels, allowed = sum(payoffs.shape[1:]), allowed_gain(payoffs, self.tolerance)
        pair = NormalFormGame(
            (Player(scaled_payoffs(payoffs[0])), Player(scaled_payoffs(payoffs[1]).T.copy()))
        )
        for label in range(labels):
            try:
                mixes = lemke_howson(
                    pair, init_pivot=(self.first_pivot + label) % labels, max_iter=self.most_pivots
                )
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue
            if all(np.isfinite(mix).all() and mix.max() > 0.0 for mix in mixes):
                tidy = tuple(normalized_weights(mix, DUST * mix.max()) for mix in mixes)
                if largest_gain(payoffs, tidy) <= allowed:
                    return Mixture(tidy)
        rows, columns = payoffs.shape[1:]
        raise ConvergenceError(
            f"the Lemke-Howson algorithm found no equilibrium to {allowed:.3g} of the"
            f" {rows} x {columns} subgame of {name}, with payoffs up to {np.abs(payoffs).max():g}, from"
            f" any of its {labels} labels in {self.most_pivots} pivots each. Allow more pivots or a"
            " larger tolerance."
        )


def scaled_payoffs(payoff: Floats) -> Floats:
    """Return the payoffs between 1 and 2, in the same proportions: equilibria stay what they are."""
    low, spread = payoff.min(), np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)
