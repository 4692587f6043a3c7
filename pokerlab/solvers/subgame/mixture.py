"""What a subgame solver is, from payoffs to a mix for each player; the two that need no method; and payoffs.

`UniformMixture` plays everything equally often, `BestPurePair` plays what together wins most where all players win
the same. The other solvers have files of their own. The payoffs of a growing pool cost only its new strategies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, GameError, kernel
from pokerlab.core.settings import check_able, number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses

INEXACT = 1e-12
"""Relative difference up to which payoffs count as identical: what was read may be rounded."""


Plans: TypeAlias = Sequence[NDArray[Any]]
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


def check_subgame_solver(solver: Any, game: Any) -> None:
    """Check that `solver` is a subgame solver and accepts `game`."""
    instead = "a subgame solver such as solvers.ZeroSumProgram() or solvers.LemkeHowson()"
    check_able("subgame", solver, ("solve", "tolerance"), instead)
    if isinstance(game, SequenceForm):
        solver.check(game)
    elif isinstance(solver, BestPurePair):
        raise GameError(
            f"the best pure strategies are for games with identical payoffs; in {game.name} one wins what"
            " the other loses. Use subgame=solvers.ZeroSumProgram()."
        )


@dataclass(frozen=True, kw_only=True)
class Tolerant:
    """What subgame solvers share: a tolerance, in units of the largest utility (at least 1)."""

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Accept every game."""


@dataclass(frozen=True, kw_only=True)
class UniformMixture(Tolerant):
    """Everybody plays each strategy encountered with the same probability, in any game.

    With best responses that may repeat it is fictitious play (Lanctot et al. 2017, section 3). In a memory a
    strategy must gain more than `tolerance`, in units of the largest utility (at least 1).
    """

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return the mixes for `payoffs`, (n, K_1, ..., K_n): 1 / K_i each."""
        return Mixture(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))


@dataclass(frozen=True, kw_only=True)
class BestPurePair(Tolerant):
    """The pure strategies, one a player, that together win most.

    The strategies played so far stay unless others win more by `tolerance`, in units of the largest utility (at
    least 1); of others that win the same, those win that player 1, then player 2 and so on met first. So a memory
    with best responses climbs one coordinate at a time and may end at an equilibrium that is not the best.
    """

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


def grown_payoffs(game: Any, plans: Plans, known: Floats | None = None) -> Floats:
    """Return the payoffs of all `plans`, one (K_i, S_i) a player, as (n, K_1, ..., K_n).

    Those of the first k_i plans of each player are `known`, (n, k_1, ..., k_n).
    """
    n = len(plans)
    sizes = tuple(len(pool) for pool in plans)
    old = (0,) * n if known is None else tuple(known.shape[1:])
    payoffs = np.empty((n, *sizes))
    if known is not None:
        before: list[slice] = [slice(0, k) for k in old]
        payoffs[(slice(None), *before)] = known
    for player in range(n):  # entries whose first new strategy is this player's
        which: list[slice] = [slice(0, k) for k in old[:player]]
        which += [slice(old[player], sizes[player])]
        which += [slice(0, k) for k in sizes[player + 1 :]]
        if all(part.stop > part.start for part in which):
            chosen = [pool[part] for pool, part in zip(plans, which, strict=True)]
            payoffs[(slice(None), *which)] = payoffs_of(game, chosen)
    return payoffs


def payoffs_of(game: Any, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of `plans`, (n, K_1, ..., K_n); in symmetric games, of vectors."""
    if not isinstance(game, SequenceForm):
        won = game.payoffs(*plans)
        return np.stack([won, -won])
    if game.num_players == 2:
        return pair_payoffs(game, plans[0], plans[1])
    reach = game.chance
    for player, pool in enumerate(plans[:-1]):
        reach = reach[..., None, :] * reach_of(game, player, pool)
    last = reach_of(game, game.num_players - 1, plans[-1])
    return np.stack([(reach * utility) @ last.T for utility in game.payoff.T])


def pair_payoffs(game: SequenceForm, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """Return the payoffs of two players' plans, (2, K_1, K_2): X U Y^T, the shorter product first.

    Sums are taken in the order of sequences, whatever the machine: which of several optimal mixes a
    linear program returns can depend on the last bit of a payoff.
    """
    payoffs = np.empty((2, len(first), len(second)))
    total = game.payoff_sum
    for player in range(2 if total is None else 1):
        utility = game.payoff_matrix(player)
        if len(first) <= len(second):
            payoffs[player] = products(second, np.ascontiguousarray((utility.T @ first.T).T)).T
        else:
            payoffs[player] = products(first, np.ascontiguousarray((utility @ second.T).T))
    if total is not None:
        payoffs[1] = total - payoffs[0]
    return payoffs


@kernel
def products(plans: NDArray[Any], gradients: Floats) -> Floats:
    """Return what each of `plans`, (K, S_i), wins by each of `gradients`, (M, S_i), as (K, M)."""
    won = np.empty((plans.shape[0], gradients.shape[0]))
    for k in range(plans.shape[0]):
        for m in range(gradients.shape[0]):
            total = 0.0
            for q in range(plans.shape[1]):
                if plans[k, q] != 0:  # a pure plan has few sequences
                    total += plans[k, q] * gradients[m, q]
            won[k, m] = total
    return won


def reach_of(game: SequenceForm, player: int, pool: NDArray[Any]) -> Floats:
    """Return by how much each plan of a player lets each terminal be reached, (K_i, Z)."""
    return np.asarray(pool[:, game.own_sequences(player)], dtype=np.float64)


def largest_gain(payoffs: Floats, mixes: Sequence[Floats]) -> float:
    """Return the most that a player gains by leaving `mixes`, (K_i,) each, alone: 0 at an equilibrium."""
    gains = []
    for player, mix in enumerate(mixes):
        won = np.moveaxis(payoffs[player], player, 0)
        for other in reversed((*mixes[:player], *mixes[player + 1 :])):
            won = won @ other
        gains.append(float(won.max() - mix @ won))
    return max(gains)


def allowed_gain(payoffs: Floats, tolerance: float) -> float:
    """Return a tolerance, given in units of the largest utility (at least 1), in the game's unit."""
    return tolerance * max(1.0, float(np.abs(payoffs).max()))
