"""What the best response wins from a player who always calls, with real cards and exactly.

A caller never raises and never folds, so that a bet on one street changes nothing on the next, and
each street stands alone. Whoever has the equity e against a random hand wins 2 e - 1 of a bet that is
called, and bets where that is more than nothing. So each street is worth its bet times the mean of
max(0, 2 e - 1) over all hands and boards. Blinds are called by both and are worth nothing on average.
"""

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.holdem.cards.cards import BOARD_SIZES, NUM_CARDS
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.equity import everybody

BETS = (1.0, 1.0, 2.0, 2.0)
"""Small bets that a bet costs on each street; before the flop it is a raise of the big blind."""
AT_A_TIME = 4096
"""Boards, for which all holdings' equities fit into a few megabytes."""


def mean_edge(street: int) -> float:
    """Return the mean of max(0, 2 e - 1) over all hands and boards of a street, 0 to 3.

    Examples
    --------
    >>> round(mean_edge(0), 6)
    0.080197
    """
    num_board = BOARD_SIZES[street]
    if num_board == 0:
        equities: Floats = everybody(np.empty(0, np.uint8))
        return float(np.maximum(2.0 * equities - 1.0, 0.0).mean())
    boards, times = canonical_boards(num_board)
    total = 0.0
    for begin in range(0, len(boards), AT_A_TIME):
        some = slice(begin, begin + AT_A_TIME)
        edges = np.maximum(2.0 * everybody(boards[some]) - 1.0, 0.0)
        total += float(np.nansum(edges, axis=1) @ times[some])
    left = NUM_CARDS - num_board
    return total / (int(times.sum()) * left * (left - 1) // 2)


def best_response_to_caller() -> float:
    """Return what a best response wins a hand from a player who always calls, in small bets.

    In limit hold'em for two, in which the big blind is one small bet; the mean of both seats. Johanson
    et al. (2011) print 1163.48 thousandths of a big blind.

    References
    ----------
    .. [1] M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating best response calculation in
       large extensive games", IJCAI 2011
    """
    return sum(bet * mean_edge(street) for street, bet in enumerate(BETS))
