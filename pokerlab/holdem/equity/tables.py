"""The counts of all holdings on all canonical boards before the river, made once and kept in the user's cache.

Rows follow `pokerlab.holdem.cards.suits.canonical_boards`, columns the holdings; entries are zero where
a holding shares a card with the board. On a board of four cards there are 46 rivers for two hole
cards, and 990 opponents' hands on each: wins and ties are sums over the rivers. A flop's are half the
sums over 47 turns, since every turn and river come in two orders. A starting hand's are sums over all
boards of five: over those of the canonical boards, as often as each stands for others, and then over
all holdings that are the same starting hand.
"""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.cache import kept_arrays
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_HOLDINGS, Cards
from pokerlab.holdem.cards.suits import RENAMED, canonical_boards, canonical_boards_of, hand_classes
from pokerlab.holdem.equity.river import (
    NUM_CLASSES,
    SQUARE,
    TIES,
    WINS,
    Counts,
    add_to_holdings,
    flush_suit,
    river_row,
    river_table,
)

Table = NDArray[Any]
WideCounts: TypeAlias = NDArray[np.uint64]
"""Pairs of larger counts: wins + 2**32 ties."""
WIDE_TIES = 32
WIDE_WINS = np.uint64(2**WIDE_TIES - 1)
TIES_OF = {0: WIDE_TIES, 3: WIDE_TIES, 4: TIES}
"""Where the ties begin in a pair of counts, by the number of cards on the board."""


@cache
def equity_table(num_cards: int) -> Table:
    """Return the pairs of counts for boards of 0, 3 or 4 cards, (boards, 1326), from disk if they are there."""
    make = {0: starting_hands, 3: flops, 4: turns}[num_cards]
    table = kept_arrays(f"equity-{make.__name__}", lambda: {"counts": make()})["counts"]
    table.flags.writeable = False
    return table


def split_counts(pairs: NDArray[Any], ties: int) -> tuple[Ints, Ints]:
    """Return the wins and the ties of pairs of counts, the latter from this bit on."""
    counts = pairs.astype(np.int64)
    return counts & (1 << ties) - 1, counts >> ties


def joined(wins: Ints, ties: Ints) -> WideCounts:
    """Return pairs of larger counts."""
    return (wins | ties << WIDE_TIES).astype(np.uint64)


def longer(boards: Cards) -> Cards:
    """Return boards with each card that may come next: (n, k) to (n, 52 - k, k + 1)."""
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(boards), 1))
    coming = cards[(cards[:, :, None] != boards[:, None]).all(axis=2)].reshape(len(boards), -1, 1)
    return np.concatenate([np.repeat(boards[:, None], coming.shape[1], axis=1), coming], axis=2)


def starting_hands() -> Table:
    """Return the counts of all holdings before the flop."""
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    add_boards(river_table(), *canonical_boards(5), sums)
    starting_hand = hand_classes(2).index(HOLDINGS)
    # A canonical board stands for others, on which a holding is another of the same class.
    wins, ties = (
        np.bincount(starting_hand, count).astype(np.int64) // np.bincount(starting_hand)
        for count in split_counts(sums, WIDE_TIES)
    )
    return joined(wins, ties)[None, starting_hand]


def flops() -> Table:
    """Return the counts of all canonical flops."""
    turns, boards = equity_table(4), longer(canonical_boards(3)[0])
    counts = np.empty((len(boards), NUM_HOLDINGS), np.uint64)
    for with_turn, out in zip(boards, counts, strict=True):
        classes, renamings = canonical_boards_of(with_turn)
        wins, ties = split_counts(turns[classes[:, None], RENAMED[renamings]], TIES)
        out[:] = joined(wins.sum(axis=0) // 2, ties.sum(axis=0) // 2)
    return counts


def turns() -> Table:
    """Return the counts of all canonical boards of four."""
    boards = longer(canonical_boards(4)[0])
    counts, once = np.empty((len(boards), NUM_HOLDINGS), np.uint32), np.ones(48, np.int64)
    for with_river, out in zip(boards, counts, strict=True):
        sums = np.zeros(NUM_HOLDINGS, np.uint64)
        add_boards(river_table(), with_river, once, sums)
        wins, ties = split_counts(sums, WIDE_TIES)
        out[:] = (
            wins | ties << TIES
        )  # of at most 46 times 990 comparisons: as much room as on one river
    return counts


@inlined
def wide(pair: np.uint32) -> np.uint64:
    """Return a pair of counts with more room for each."""
    return np.uint64(pair & WINS) | np.uint64(pair >> TIES) << np.uint64(WIDE_TIES)


@kernel
def add_boards(table: Counts, boards: Cards, multiplicities: Ints, out_counts: WideCounts) -> None:
    """Add to each holding's pair of counts those on boards (n, 5), each times its multiplicity."""
    of_class, types = np.empty(NUM_CLASSES, np.uint64), np.empty(NUM_CARDS, np.int64)
    square = np.zeros(SQUARE, np.uint64)
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        row, times = river_row(boards[number], suit), np.uint64(multiplicities[number])
        for kind in range(NUM_CLASSES):
            of_class[kind] = wide(table[row, kind]) * times
        add_to_holdings(boards[number], suit, of_class, types, square, out_counts)
