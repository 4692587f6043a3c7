"""All hole cards on all rivers: 42,783 kinds of boards, counted once and looked up.

How to read it. What hole cards are worth on a board hangs on its ranks alone if no suit has three
cards there: 6,175 kinds of *plain* boards. They stand where the table of five-card strengths
keeps the strength of these ranks. Otherwise it hangs on the ranks in that suit, `size` of them,
and on the multiset of the other ranks: 26,026 + 9,295 + 1,287 kinds of *suited* boards for sizes
3, 4 and 5. Their rows follow each other by size, then by the combination of the suit's ranks,
then by the multiset, both in colexicographic order.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards import NUM_RANKS, NUM_SUITS, Cards
from pokerlab.holdem.holdings import Whole
from pokerlab.holdem.river_classes import (
    NO_SUIT,
    NUM_CLASSES,
    Counts,
    Sweep,
    class_of,
    compare_classes,
    flush_suit,
    new_sweep,
    type_of,
)
from pokerlab.holdem.strength import CARD_KEYS, COLUMN, OFFSETS_5, ROW, STRENGTHS_5
from pokerlab.holdem.strength_tables import ROW_BITS, rank_sets

OTHERS = (0, 0, 0, NUM_RANKS * (NUM_RANKS + 1) // 2, NUM_RANKS, 1)
"""By the size of the suit, how many multisets of other ranks there are."""
FIRST_ROW = (0, 0, 0, 0, 26_026, 35_321)
"""By the size of the suit, the first row of such boards."""
NUM_SUITED = 36_608
NUM_PLAIN = STRENGTHS_5.size

RANK_MASKS = {
    size: np.array([mask for mask in range(1 << NUM_RANKS) if mask.bit_count() == size])
    for size in range(NUM_RANKS + 1)
}
"""All ways to take so many ranks, as bits, in colexicographic order."""


def _places() -> NDArray[np.uint16]:
    """Return the place of each mask of ranks among `RANK_MASKS`."""
    places = np.empty(1 << NUM_RANKS, np.uint16)
    for masks in RANK_MASKS.values():
        places[masks] = np.arange(len(masks))
    return places


COMBINATION = _places()


@cache
def river_table() -> Counts:
    """Return the counts of all hole cards on all rivers; the first time they are computed.

    Returns
    -------
    ndarray of uint32, shape (rows, 351)
        Pairs of counts, wins + 65536 ties, by `river_row` of the board and `class_of` the types of
        the hole cards. Plain boards have only the first 91 classes, and unused rows between them.
    """
    table = np.zeros((NUM_PLAIN + NUM_SUITED, NUM_CLASSES), np.uint32)
    sweep = new_sweep()
    fill_rows(plain_boards(), sweep, table)
    fill_rows(suited_boards(), sweep, table)
    table.flags.writeable = False
    return table


def plain_boards() -> Cards:
    """Return one board of each kind without three cards of a suit: shape (6175, 5)."""
    return (NUM_SUITS * rank_sets(5) + np.arange(5) % NUM_SUITS).astype(np.uint8)


def suited_boards() -> Cards:
    """Return one board of each kind with three clubs or more, row after row: shape (36608, 5)."""
    boards = []
    ranks = np.arange(NUM_RANKS)
    high, low = np.tril_indices(NUM_RANKS)
    others = {3: np.stack([high, low], axis=1), 4: ranks[:, None], 5: np.empty((1, 0), np.int64)}
    for size, outside in others.items():
        in_suit = np.array([ranks[mask >> ranks & 1 == 1] for mask in RANK_MASKS[size]])
        together = [
            np.repeat(NUM_SUITS * in_suit, len(outside), axis=0),
            np.tile(NUM_SUITS * outside + 1 + np.arange(5 - size), (len(in_suit), 1)),
        ]
        boards.append(np.concatenate(together, axis=1))
    return np.concatenate(boards).astype(np.uint8)


@inlined
def river_row(board: Cards, suit: int) -> Whole:
    """Return the row of the first five cards, where `suit` is their `flush_suit`."""
    if suit == NO_SUIT:
        key = np.int64(0)
        for place in range(5):
            key += CARD_KEYS[board[place]]
        return np.int64(OFFSETS_5[key & ROW]) + (key >> ROW_BITS & COLUMN)
    mask, size, high, low = np.int64(0), 0, np.int64(-1), np.int64(-1)
    for place in range(5):
        rank = np.int64(board[place]) // NUM_SUITS
        if board[place] % NUM_SUITS == suit:
            mask |= 1 << rank
            size += 1
        else:
            high, low = max(high, rank), rank if high < 0 else min(high, rank)
    others = np.int64(0)
    if size == 4:
        others = high
    elif size == 3:
        others = high * (high + 1) // 2 + low
    return NUM_PLAIN + FIRST_ROW[size] + np.int64(COMBINATION[mask]) * OTHERS[size] + others


@inlined
def river_counts(table: Counts, board: Cards, first: Whole, second: Whole) -> np.uint32:
    """Return the pair of counts of two hole cards on a board of five; all seven are different."""
    suit = flush_suit(board)
    kind = class_of(type_of(first, suit), type_of(second, suit))
    return np.uint32(table[river_row(board, suit), kind])


@kernel
def fill_rows(boards: Cards, sweep: Sweep, out_table: Counts) -> None:
    """Write what hole cards are worth on each board where it stands in the table."""
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        compare_classes(boards[number], suit, sweep, out_table[river_row(boards[number], suit)])
