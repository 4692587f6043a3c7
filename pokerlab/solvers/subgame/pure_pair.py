"""Pure strategies in games where everybody wins the same (Oliehoek et al. 2006, section 7)."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.deviation import allowed_gain
from pokerlab.solvers.subgame.mixture import Mixture

INEXACT = 1e-12
"""Identical payoffs may differ by so much of the largest one: the rounding of what was read."""


@dataclass(frozen=True, kw_only=True)
class BestPurePair:
    """The pure strategies, one a player, that together win most.

    The strategies played so far stay unless others win more than the tolerance; of others that win the
    same, those win that player 1, then player 2 and so on met first. So a memory with best responses
    climbs one coordinate at a time, and may end at an equilibrium that is not the best.

    Attributes
    ----------
    tolerance : float
        By how much others must win more, in units of the largest utility (at least 1).
    """

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Refuse games in which somebody wins something else than the others."""
        largest = np.abs(game.payoff).max(initial=0.0)
        if np.ptp(game.payoff, axis=1).max(initial=0.0) > INEXACT * largest:
            two = "LemkeHowson" if game.num_players == 2 else "LogitPath"
            raise GameError(
                f"the best pure strategies are for games with identical payoffs; in {game.name} players"
                f" win different amounts. Use subgame=solvers.{two}()."
            )

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the pure strategies for `payoffs`, (n, K_1, ..., K_n), and as basis who plays what.

        The basis holds, for each player, a 1 at the strategy played and 0 elsewhere.
        """
        won = payoffs[0]
        known = any(len(played) for played in basis)
        present = tuple(int(np.argmax(p)) for p in basis) if known else (0,) * won.ndim
        best = tuple(int(k) for k in np.unravel_index(int(np.argmax(won)), won.shape))
        if not won[best] > won[present] + allowed_gain(payoffs, self.tolerance):
            best = present
        mixes = tuple(np.eye(1, size, k)[0] for size, k in zip(won.shape, best, strict=True))
        return Mixture(mixes, tuple(mix.astype(np.int8) for mix in mixes))
