"""How much a small, a medium and a large bet is, as Nicolai's thesis draws it (GET BET AMOUNT, [1]_ fig. 4.7).

A share of the chips that can be lost is drawn, and cut to what is allowed. A small bet is 0 to 6 % of them, and three
times in ten more; a medium one 10 to 20 %, and now and then less or more; a large one about 30 % or more, up to all.

How to read it. `drawn_share` has the law and its eleven constants (table 4.9); one random number says which
part of the law and where in it, with `deviations`, a table of the normal distribution's quantiles: logarithms
differ in their last digit between processors. `drawn_bet` makes the share an action.

References
----------
.. [1] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis, University of
   Regina, 2008, section 4.1.5. Its sequel (ICEC 2010, table 3) prints the same constants.
"""

from statistics import NormalDist

import numpy as np

from pokerlab.core import Ints, inlined
from pokerlab.holdem.betting.actions import CALL
from pokerlab.holdem.table import view as at

SMALL, MEDIUM, LARGE, NUM_SIZES = range(4)  # sizes of bets

SMALL_WITHIN, SMALL_TO = 0.70, 0.06
MEDIUM_WITHIN, MEDIUM_BELOW, MEDIUM_FROM, MEDIUM_TO = 0.60, 0.10, 0.10, 0.20
LARGE_ABOVE, LARGE_FROM = 0.95, 0.30
"""Probabilities of the parts of the law, and where they begin and end."""
SPREAD_SMALL = 0.342
"""Standard deviation above a small bet, by eq. 4.9 as it is printed: 2 (0.3) / (0.7 sqrt(2 pi))."""
SPREAD_SMALL_CONTINUOUS = 0.0205
"""With the width 0.06 that eq. 4.9 lacks: then the density has no step there."""
SPREAD_BELOW, SPREAD_ABOVE = 0.0133, 0.0399  # below and above a medium bet, by eqs. 4.10 and 4.11
SPREAD_LARGE, SPREAD_LARGE_BELOW = 0.432, 0.0227
"""Of a large bet; not printed: one in ten goes all in, and the density has no step (ours)."""

INTERVALS = 1024
FARTHEST = 5.0  # no deviate of the table is larger
DEVIATIONS = np.array(
    [*(NormalDist().inv_cdf((1 + k / INTERVALS) / 2) for k in range(INTERVALS)), FARTHEST]
).round(9)
"""Absolute values of normal deviates, by their rank from 0 to 1."""


@inlined
def deviation(luck: float) -> float:
    """Return the absolute value of a normal deviate: the quantile at `luck`, 0 to 1, read off the table."""
    place = min(max(luck, 0.0), 1.0) * INTERVALS
    below = min(int(place), INTERVALS - 1)
    part = place - below
    return float(DEVIATIONS[below] * (1.0 - part) + DEVIATIONS[below + 1] * part)


@inlined
def drawn_share(size: int, luck: float, spread_small: float) -> float:
    """Return the share that is bet; it may lie below 0 or above 1, and is cut elsewhere."""
    if size == SMALL:
        if luck < SMALL_WITHIN:
            return SMALL_TO * luck / SMALL_WITHIN
        return SMALL_TO + spread_small * deviation((luck - SMALL_WITHIN) / (1.0 - SMALL_WITHIN))
    if size == MEDIUM:
        if luck < MEDIUM_WITHIN:
            return MEDIUM_FROM + (MEDIUM_TO - MEDIUM_FROM) * luck / MEDIUM_WITHIN
        rest = luck - MEDIUM_WITHIN
        if rest < MEDIUM_BELOW:
            return MEDIUM_FROM - SPREAD_BELOW * deviation(rest / MEDIUM_BELOW)
        above = 1.0 - MEDIUM_WITHIN - MEDIUM_BELOW
        return MEDIUM_TO + SPREAD_ABOVE * deviation((rest - MEDIUM_BELOW) / above)
    if luck < LARGE_ABOVE:
        return LARGE_FROM + SPREAD_LARGE * deviation(luck / LARGE_ABOVE)
    return LARGE_FROM - SPREAD_LARGE_BELOW * deviation((luck - LARGE_ABOVE) / (1.0 - LARGE_ABOVE))


@inlined
def drawn_bet(view: Ints, size: int, luck: float, continuous: bool) -> int:
    """Return the action of a bet: CALL, or the chips to raise to.

    The share is of the own chips, or of the largest stack against them if that is smaller. What comes out is at least
    the price of a call, or a big blind where nothing is owed, and chips that the player has: who bets no more than
    the price calls. Where it is more, but less than the least raise, it is that raise: the thesis has no least raise.
    """
    if view[at.MIN_RAISE_TO] == 0:
        return CALL
    seat, most = view[at.SEAT], 0
    for other in range(view[at.SEATS]):
        if other != seat and view[at.LIVE + other] != 0:
            most = max(most, view[at.STACKS + other] + view[at.BETS + other])
    owed = view[at.TO_CALL]
    most = min(view[at.STACKS + seat], most - view[at.BETS + seat])
    least = owed if owed > 0 else view[at.BIG_BLIND]
    share = drawn_share(size, luck, SPREAD_SMALL_CONTINUOUS if continuous else SPREAD_SMALL)
    put_in = min(max(int(share * most), least), most)
    if put_in <= owed:
        return CALL
    to = view[at.BETS + seat] + put_in
    return int(min(max(to, view[at.MIN_RAISE_TO]), view[at.MAX_RAISE_TO]))
