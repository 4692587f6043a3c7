"""Win probabilities estimated as the paper did: from so many random deals for each hand.

How to read it. A random deal that follows a hand is won, tied or lost with chances that are known
exactly (`pokerlab.holdem.equity.equity`). So instead of dealing cards and comparing hands, each deal's
outcome is drawn by these chances: the estimates are distributed as if the cards had been dealt, in
a small part of the time. Hands that differ by the names of suits alone share their deals; on the
river, hands of the same class on the same kind of board do, which are worth the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.kernel import kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.bucketed.expectations import (
    blocked,
    boards_of,
    comparisons_on,
    river_comparisons,
    rivers,
)
from pokerlab.holdem.cards.cards import HOLDINGS
from pokerlab.holdem.cards.dealing import key_of, number_at
from pokerlab.holdem.cards.streets import BOARD_SIZES, RIVER, WHEN
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.equity import NUM_COMPARISONS

PAPER_SAMPLES = (4_000_000, 100, 100, 10)
"""Deals for each hand before the flop, on flop, turn and river, as the paper says."""


class Sampled:
    """Win probabilities estimated from random deals.

    Parameters
    ----------
    samples : sequence of 4 int
        Deals for each hand before the flop, on the flop, on the turn and on the river.
    seed : int
        The same seed gives the same estimates.

    Raises
    ------
    SettingError
        If there are not four positive numbers of deals.
    """

    def __init__(self, samples: Sequence[int], seed: int) -> None:
        given = tuple(samples) if np.ndim(samples) else (samples,)
        self.samples = tuple(whole("samples", number, 1, LARGEST_COUNT) for number in given)
        if len(self.samples) != len(WHEN):
            raise SettingError(
                f"samples are {samples}; give four positive numbers of deals: {', '.join(WHEN)}."
            )
        self.seed = seed
        numbers = ", ".join(f"{number:,}" for number in self.samples)
        self.source = f"sampled from {numbers} deals a hand, seed {seed}"

    def most(self, street: int) -> int:
        """Return the halves of a hand that wins every time."""
        return 2 * self.samples[street]

    def halves(self, street: int, which: Ints) -> Ints:
        """Return the halves won by each hand before the river on these boards, shape (n, 1326)."""
        wins, ties = comparisons_on(street, which)
        boards = boards_of(street)[0][which]
        halves = np.zeros_like(wins)
        if street == 0:
            hands, first, again = np.unique(
                hand_classes(2).index(HOLDINGS), return_index=True, return_inverse=True
            )
            return self.drawn(0, hands, wins[0, first], ties[0, first])[None, again]
        possible = np.nonzero(~blocked(boards))
        cards = np.concatenate([HOLDINGS[possible[1]], boards[possible[0]]], axis=1)
        hands = hand_classes(2, BOARD_SIZES[street]).index(cards)
        halves[possible] = self.drawn(street, hands, wins[possible], ties[possible])
        return halves

    def river_halves(self) -> Ints:
        """Return the halves won on the river, shape (42783, 351), by kind of board and class."""
        wins, ties = river_comparisons()
        possible = np.nonzero(rivers().hands)
        halves = np.zeros_like(wins)
        hands = possible[0] * wins.shape[1] + possible[1]
        halves[possible] = self.drawn(RIVER, hands, wins[possible], ties[possible])
        return halves

    def drawn(self, street: int, hands: Ints, wins: Ints, ties: Ints) -> Ints:
        """Return the halves won in random deals by hands that win and tie so often of all."""
        num_comparisons = NUM_COMPARISONS[BOARD_SIZES[street]]
        to_win, to_tie = (
            np.round(count / num_comparisons * 2.0**32).astype(np.uint64)
            for count in (wins, wins + ties)
        )
        halves = np.empty(len(hands), np.int64)
        key = key_of(self.seed, "rollouts", street)
        fill_halves(key, hands, to_win, to_tie, self.samples[street], halves)
        return halves


@kernel
def fill_halves(
    key: np.uint64,
    hands: Ints,
    to_win: NDArray[np.uint64],
    to_tie: NDArray[np.uint64],
    num_deals: int,
    out_halves: Ints,
) -> None:
    """Draw deals and write how many halves each hand wins.

    A number of the stream decides two deals, by 32 bits each.

    Parameters
    ----------
    key : uint64
        Names the stream; hand number h has the stream of its number at h.
    hands : ndarray of int64, shape (n,)
        Numbers of hands.
    to_win, to_tie : ndarray of uint64, shape (n,)
        A deal is won if its 32 bits are below the one, and not lost if below the other.
    num_deals : int
        Deals for each hand.
    out_halves : ndarray of int64, shape (n,)
    """
    low, shift = np.uint64(2**32 - 1), np.uint64(32)
    for place in range(hands.size):
        of_hand = number_at(key, hands[place])
        win, tie = to_win[place], to_tie[place]
        halves = 0
        for pair in range(num_deals // 2):
            bits = number_at(of_hand, pair)
            one, two = bits & low, bits >> shift
            halves += (one < win) + (one < tie) + (two < win) + (two < tie)
        if num_deals % 2:
            bits = number_at(of_hand, num_deals // 2) & low
            halves += (bits < win) + (bits < tie)
        out_halves[place] = halves
