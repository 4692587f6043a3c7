"""8-card poker and its memory card by card, without trees, sequences or trembles (Oliehoek et al. 2006, Figure 3).

A gambler is two rows of eight probabilities, to bet and to call after checking; a dealer is two, to bet
after a check and to call. All replies are to weights of whole strategies, and take all best actions
equally often.
"""

import numpy as np
from scipy.optimize import linprog

from pokerlab.core.arrays import Floats

SIGN = np.sign(np.arange(8)[:, None] - np.arange(8))
DEAL = (1 - np.eye(8)) / 56
TIED = 1e-13


def payoff(gambler: Floats, dealer: Floats) -> float:
    """Return what the gambler wins."""
    (bet, call), (steal, look) = gambler[:, :, None], dealer[:, None, :]
    checked = steal * (call * 2 * SIGN - (1 - call)) + (1 - steal) * SIGN
    return float((DEAL * (bet * (look * 2 * SIGN + 1 - look) + (1 - bet) * checked)).sum())


def better(this: Floats, that: Floats) -> Floats:
    """Return 1 where this is worth more, 0 where that is, and a half where both are worth the same."""
    return np.where(np.abs(this - that) < TIED, 0.5, this > that)


def gambler_reply(dealers: Floats, weights: Floats) -> Floats:
    """Return the best reply, (2, 8), to `dealers`, (k, 2, 8)."""
    steal, look = np.einsum("k,kac->ac", weights, dealers)
    shown = DEAL * SIGN
    called, folded = 2 * shown @ steal, -DEAL @ steal
    checked = np.maximum(called, folded) + shown @ (1 - steal)
    bet = 2 * shown @ look + DEAL @ (1 - look)
    return np.stack([better(bet, checked), better(called, folded)])


def dealer_reply(gamblers: Floats, weights: Floats) -> Floats:
    """Return the best reply, (2, 8), to `gamblers`, (k, 2, 8)."""
    bet, call = gamblers[:, 0], gamblers[:, 1]
    bets, calls = weights @ bet, weights @ ((1 - bet) * call)
    shown = DEAL * -SIGN
    steal, quiet = calls @ shown * 2 + (1 - bets - calls) @ DEAL, (1 - bets) @ shown
    return np.stack([better(steal, quiet), better(bets @ shown * 2, -bets @ DEAL)])


def mixes(payoffs: Floats) -> tuple[Floats, Floats]:
    """Return optimal mixes of rows and columns."""

    def best(matrix: Floats) -> Floats:
        rows, columns = matrix.shape
        below = np.hstack([-matrix.T, np.ones((columns, 1))])
        one = np.append(np.ones(rows), 0.0)[None]
        bounds = [(0.0, None)] * rows + [(None, None)]
        program = linprog(
            -np.eye(rows + 1)[-1], below, np.zeros(columns), one, [1.0], bounds=bounds
        )
        return np.asarray(program.x[:-1])

    return best(payoffs), best(-payoffs.T)


def levels(iterations: int, tremble: float = 1e-8) -> Floats:
    """Return the least that each player's mix wins, (iterations, 2), from players who choose at random."""
    gamblers, dealers = np.full((2, 1, 2, 8), 0.5)
    found = []
    for _ in range(iterations):
        payoffs = np.array([[payoff(g, d) for d in dealers] for g in gamblers])
        first, second = mixes(payoffs)
        best = dealer_reply(gamblers, first), gambler_reply(dealers, second)
        found.append(
            [
                sum(w * payoff(g, best[0]) for w, g in zip(first, gamblers, strict=True)),
                -sum(w * payoff(best[1], d) for w, d in zip(second, dealers, strict=True)),
            ]
        )
        first, second = ((1 - tremble) * mix + tremble / len(mix) for mix in (first, second))
        new = gambler_reply(dealers, second), dealer_reply(gamblers, first)
        gamblers, dealers = np.append(gamblers, new[:1], 0), np.append(dealers, new[1:], 0)
    return np.array(found)
