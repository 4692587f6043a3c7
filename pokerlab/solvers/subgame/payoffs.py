"""What strategies win against each other, what mixes of them win, and what leaving a mix would gain.

The payoffs of a growing pool cost only its new strategies.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import SequenceForm

Plans = Sequence[NDArray[Any]]


def grown_payoffs(game: SequenceForm, plans: Plans, known: Floats | None = None) -> Floats:
    """Return the payoffs of all `plans`, one (K_i, S_i) a player, as (n, K_1, ..., K_n).

    Those of the first k_i plans of each player are `known`, (n, k_1, ..., k_n).
    """
    n = game.num_players
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


def payoffs_of(game: SequenceForm, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of `plans`, (n, K_1, ..., K_n)."""
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
    for player in range(1 if game.zero_sum else 2):
        utility = game.payoff_matrix(player)
        if len(first) <= len(second):
            payoffs[player] = products(second, np.ascontiguousarray((utility.T @ first.T).T)).T
        else:
            payoffs[player] = products(first, np.ascontiguousarray((utility @ second.T).T))
    if game.zero_sum:
        payoffs[1] = -payoffs[0]
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
    mine = game.player_sequences[player]
    local = game.sequence[:, player] - game.num_players - mine.start + 1
    return np.asarray(pool[:, np.maximum(local, 0)], dtype=np.float64)


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
