"""From mixes that are nearly an equilibrium to the equilibrium on the same strategies."""

from collections.abc import Sequence

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.solvers.subgame.deviation import own_payoffs, tidied

MOST_STEPS = 20
"""Newton's method doubles its digits each time; where it has not ended by then it will not."""
RANK = 1e-10
"""Singular values below this part of the largest are zero: equilibria can form a continuum."""


def sharpened(payoffs: Floats, mixes: Sequence[Floats], least: float) -> tuple[Floats, ...]:
    """Return mixes that make everybody's likelier strategies equally good, if Newton's method finds them.

    The caller checks that they are an equilibrium; another support, or none, may be the right one.

    Parameters
    ----------
    payoffs : ndarray of shape (n, K_1, ..., K_n)
        What each player wins.
    mixes : sequence of ndarray of shape (K_i,)
        Where to begin.
    least : float
        Strategies with less than this part of the likeliest one's probability are dropped.
    """
    supports = [np.flatnonzero(mix > least * mix.max()) for mix in mixes]
    played = payoffs[np.ix_(np.arange(len(mixes)), *supports)]
    weights = [tidied(mix[support]) for mix, support in zip(mixes, supports, strict=True)]
    ends = np.cumsum([len(mix) for mix in weights])
    values = np.array([own_payoffs(u, weights, p).mean() for p, u in enumerate(played)])
    for _ in range(MOST_STEPS):
        excess, slope = indifference(played, weights, values)
        step = np.linalg.lstsq(slope, excess, rcond=RANK)[0]
        moves = np.split(step, ends)
        weights = [mix - move for mix, move in zip(weights, moves[:-1], strict=True)]
        values = values - moves[-1]
        if np.abs(step).max() <= np.finfo(float).eps:
            break
    sharp = []
    for mix, support, weight in zip(mixes, supports, weights, strict=True):
        full = np.zeros_like(mix)
        full[support] = np.maximum(weight, 0.0)
        sharp.append(tidied(full) if full.any() else mix)
    return tuple(sharp)


def indifference(payoffs: Floats, mixes: Sequence[Floats], values: Floats) -> tuple[Floats, Floats]:
    """Return by how much each strategy wins more than its player's value, and each sum exceeds one.

    Also the derivatives of these, (K + n,) with K = K_1 + ... + K_n, in all weights and values.
    """
    ends = np.cumsum([0, *(len(mix) for mix in mixes)])
    n, total = len(mixes), int(ends[-1])
    won = [own_payoffs(u, mixes, p) for p, u in enumerate(payoffs)]
    sums = np.array([mix.sum() for mix in mixes])
    excess = np.concatenate([*(w - v for w, v in zip(won, values, strict=True)), sums - 1.0])
    slope = np.zeros((total + n, total + n))
    slope[:total, :total] = pairwise_payoffs(payoffs, mixes)
    for player in range(n):
        mine = slice(ends[player], ends[player + 1])
        slope[mine, total + player] = -1.0
        slope[total + player, mine] = 1.0
    return excess, slope


def pairwise_payoffs(payoffs: Floats, mixes: Sequence[Floats]) -> Floats:
    """Return what each strategy wins against each strategy of another player, (K, K).

    The remaining players mix. Blocks of a player against itself are zero.
    """
    ends = np.cumsum([0, *(len(mix) for mix in mixes)])
    table = np.zeros((ends[-1], ends[-1]))
    for player, payoff in enumerate(payoffs):
        for other in range(len(mixes)):
            if other != player:
                won = np.moveaxis(payoff, (player, other), (0, 1))
                rest = [mix for p, mix in enumerate(mixes) if p not in (player, other)]
                for mix in reversed(rest):
                    won = won @ mix
                mine, theirs = (slice(ends[p], ends[p + 1]) for p in (player, other))
                table[mine, theirs] = won
    return table
