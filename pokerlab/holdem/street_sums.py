"""What hole cards are worth before the river: counts summed over the cards to come.

How to read it. On a board of four cards there are 46 rivers for two hole cards, and 990 opponents'
hands on each: wins and ties are sums over the rivers. A flop's are half the sums over 47 turns,
since every turn and river come in two orders. A starting hand's are sums over all boards of five:
over those of the canonical boards, as often as each stands for others, and then over all holdings
that are the same starting hand.

The sum over rivers is first taken over all 48 cards that are not on the board, class by class,
with those rivers taken together that have the same effect. Then the two hole cards are taken off
as rivers. No class wins more than 48 times 990 times, so pairs of counts are added as they are.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards import NUM_CARDS, NUM_SUITS, Cards
from pokerlab.holdem.holdings import holding
from pokerlab.holdem.river_classes import (
    NO_SUIT,
    NUM_TYPES,
    TIES,
    WINS,
    Counts,
    class_of,
    flush_suit,
    num_types,
    type_of,
)
from pokerlab.holdem.river_table import river_row

WideCounts: TypeAlias = NDArray[np.uint64]
"""Pairs of larger counts: wins + 2**32 ties."""
WIDE_TIES = 32


@kernel
def fill_turns(table: Counts, boards: Cards, out_counts: Counts) -> None:
    """Write the pair of counts of each holding on each board of four; zero where it cannot be.

    Parameters
    ----------
    table : ndarray of uint32
        The river table.
    boards : ndarray of uint8, shape (n, 4)
    out_counts : ndarray of uint32, shape (n, 1326)
    """
    # By the suit that can make a flush, of which NO_SUIT is the last, and the type of the river.
    num_rivers = np.empty((NUM_SUITS + 1, NUM_TYPES), np.uint32)
    rows = np.empty((NUM_SUITS + 1, NUM_TYPES), np.int64)
    sums = np.empty((NUM_TYPES, NUM_TYPES), np.uint32)
    of_type = np.empty(NUM_TYPES, np.uint32)
    types = np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for number in range(boards.shape[0]):
        counts = out_counts[number]
        counts[:] = 0
        num_rivers[:] = 0
        board[:4] = boards[number]
        for river in range(NUM_CARDS):
            if is_on(boards[number], river):
                continue
            board[4] = river
            suit = flush_suit(board)
            kind, row = type_of(river, suit), river_row(board, suit)
            num_rivers[suit, kind] += 1
            rows[suit, kind] = row
            for other in range(num_types(suit)):
                of_type[other] = table[row, class_of(kind, other)]
            first = river * (river - 1) // 2
            for low in range(river):
                counts[first + low] -= of_type[type_of(low, suit)]
            for high in range(river + 1, NUM_CARDS):
                counts[holding(high, river)] -= of_type[type_of(high, suit)]
        for suit in range(NO_SUIT, NUM_SUITS):
            if num_rivers[suit].any():
                add_rivers(table, rows[suit], num_rivers[suit], num_types(suit), sums)
                for card in range(NUM_CARDS):
                    types[card] = type_of(card, suit)
                first = 0
                for high in range(NUM_CARDS):
                    of_high = sums[types[high]]
                    for low in range(high):
                        counts[first + low] += of_high[types[low]]
                    first += high
        for card in boards[number]:
            for other in range(NUM_CARDS):
                if other != card:
                    counts[holding(card, other)] = 0


@inlined
def is_on(board: Cards, card: int) -> bool:
    """Return whether a card lies on the board."""
    found = False
    for place in range(board.size):
        found |= board[place] == card
    return found


@inlined
def add_rivers(
    table: Counts, rows: NDArray[np.int64], times: Counts, types: int, out_sums: Counts
) -> None:
    """Write, by the types of the two hole cards, the sum of rows of the table, each so many times."""
    out_sums[:] = 0
    for kind in range(types):
        if times[kind]:
            number = 0
            for one in range(types):
                for two in range(one + 1):
                    out_sums[one, two] += times[kind] * table[rows[kind], number]
                    number += 1
    for one in range(types):
        for two in range(one):
            out_sums[two, one] = out_sums[one, two]


@inlined
def wide(pair: np.uint32) -> np.uint64:
    """Return a pair of counts with more room for each."""
    return np.uint64(pair & WINS) | np.uint64(pair >> TIES) << np.uint64(WIDE_TIES)


@kernel
def fill_flops(
    turns: Counts,
    classes: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    out_counts: WideCounts,
) -> None:
    """Write the pair of counts of each holding on each flop; zero where it cannot be.

    Parameters
    ----------
    turns : ndarray of uint32, shape (16432, 1326)
        What `fill_turns` wrote for the canonical boards of four.
    classes : ndarray of int64, shape (n, 49)
        The canonical board that each flop with each turn is like.
    renamings : ndarray of uint8, shape (n, 49, 4)
        The suit there of each suit here.
    out_counts : ndarray of uint64, shape (n, 1326)
    """
    renamed = np.empty(NUM_CARDS, np.int64)
    for flop in range(classes.shape[0]):
        counts = out_counts[flop]
        counts[:] = 0
        for turn in range(classes.shape[1]):
            of_turn = turns[classes[flop, turn]]
            for card in range(NUM_CARDS):
                suit = renamings[flop, turn, card % NUM_SUITS]
                renamed[card] = card // NUM_SUITS * NUM_SUITS + suit
            number = 0
            for high in range(NUM_CARDS):
                for low in range(high):
                    pair = of_turn[holding(renamed[high], renamed[low])]
                    counts[number] += wide(pair)
                    number += 1
        # Both counts are even, so halving the pair carries nothing from one into the other.
        for number in range(counts.size):
            counts[number] //= 2


@kernel
def add_boards(
    table: Counts, boards: Cards, multiplicities: NDArray[np.int64], out_counts: WideCounts
) -> None:
    """Add to each holding's pair of counts those on each board, so many times.

    Parameters
    ----------
    table : ndarray of uint32
        The river table.
    boards : ndarray of uint8, shape (n, 5)
    multiplicities : ndarray of int64, shape (n,)
    out_counts : ndarray of uint64, shape (1326,)
    """
    types = np.empty(NUM_CARDS, np.int64)
    square = np.zeros((NUM_TYPES + 1, NUM_TYPES + 1), np.uint64)
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        row, kind = river_row(boards[number], suit), 0
        for one in range(num_types(suit)):
            for two in range(one + 1):
                pair = wide(table[row, kind]) * np.uint64(multiplicities[number])
                square[one, two] = square[two, one] = pair
                kind += 1
        for card in range(NUM_CARDS):
            types[card] = type_of(card, suit)
        for place in range(5):
            types[boards[number, place]] = NUM_TYPES
        first = 0
        for high in range(NUM_CARDS):
            of_type = square[types[high]]
            for low in range(high):
                out_counts[first + low] += of_type[types[low]]
            first += high
