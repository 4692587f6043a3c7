"""What a subgame solver is, from payoffs to a mix for each player; and the two that need no method.

`UniformMixture` plays everything equally often, `BestPurePair` plays what together wins most where all
players win the same. The other solvers have files of their own.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from pokerlab.core import GameError, SettingError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.payoffs import allowed_gain

INEXACT = 1e-12
"""Relative difference up to which payoffs count as identical: what was read may be rounded."""


Basis: TypeAlias = tuple[Statuses, ...]
"""What a solver begins with when the subgame has grown, an array for each player or constraint; may be empty."""


class Mixture(NamedTuple):
    """What everybody plays in a subgame."""

    mixes: tuple[Floats, ...]  # (K_i,): each player's probabilities of its strategies
    basis: Basis = ()  # what the solver begins with when the subgame has grown


class SubgameSolver(Protocol):
    """A rule for mixing strategies. The same payoffs and the same basis give the same mixes."""

    @property
    def tolerance(self) -> float:
        """How far mixes may be from an equilibrium, in units of the largest utility (at least 1)."""

    def check(self, game: SequenceForm) -> None:
        """Raise an error if the rule is not meant for `game`."""

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return the mixes for `payoffs`, (n, K_1, ..., K_n), from the last `basis`; errors call the game `name`."""


def check_subgame_solver(solver: Any, game: SequenceForm) -> None:
    """Check that `solver` is a subgame solver and accepts `game`."""
    if isinstance(solver, type) or not hasattr(solver, "solve") or not hasattr(solver, "tolerance"):
        raise SettingError(
            f"{solver!r} is not a subgame solver. Give one such as solvers.ZeroSumProgram() or"
            " solvers.LemkeHowson()."
        )
    solver.check(game)


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
        """Accept every game."""

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return the mixes for `payoffs`, (n, K_1, ..., K_n): 1 / K_i each."""
        return Mixture(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))


@dataclass(frozen=True, kw_only=True)
class BestPurePair:
    """The pure strategies, one a player, that together win most.

    The strategies played so far stay unless others win more than the tolerance; of others that win the
    same, those win that player 1, then player 2 and so on met first. So a memory with best responses
    climbs one coordinate at a time and may end at an equilibrium that is not the best.

    Attributes
    ----------
    tolerance : float
        By how much others must win more, in units of the largest utility (at least 1).
    """

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Check that all players win the same."""
        largest = np.abs(game.payoff).max(initial=0.0)
        if np.ptp(game.payoff, axis=1).max(initial=0.0) > INEXACT * largest:
            other = "LemkeHowson" if game.num_players == 2 else "ProjectedReplicator"
            raise GameError(
                f"the best pure strategies are for games with identical payoffs; in {game.name} players"
                f" win different amounts. Use subgame=solvers.{other}()."
            )

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
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
