"""What hole cards are worth before the river: counts summed over the cards to come.

How to read it. On a board of four cards there are 46 rivers for two hole cards, and 990 opponents'
hands on each: wins and ties are sums over the rivers. A flop's are half the sums over 47 turns,
since every turn and river come in two orders. A starting hand's are sums over all boards of five:
over those of the canonical boards, as often as each stands for others, and then over all holdings
that are the same starting hand.

The sum over rivers is first taken over all 48 cards that are not on the board, class by class.
Then the two hole cards are taken off as rivers. No class wins more than 48 times 990 times, so
pairs of counts are added as they are.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards.deck import NUM_CARDS, NUM_HOLDINGS, NUM_SUITS, Cards, holding
from pokerlab.holdem.equity.river import (
    NO_SUIT,
    NUM_CLASSES,
    NUM_TYPES,
    TIES,
    WINS,
    Counts,
    class_of,
    flush_suit,
    num_types,
    river_row,
    type_of,
)

WideCounts: TypeAlias = NDArray[np.uint64]
"""Pairs of larger counts: wins + 2**32 ties."""
WIDE_TIES = 32


@kernel
def fill_turns(table: Counts, boards: Cards, out_counts: Counts) -> None:
    """Write the pair of counts of each holding on each board of four; zero where it is impossible.

    Parameters
    ----------
    table : ndarray of uint32
        The river table.
    boards : ndarray of uint8, shape (n, 4)
    out_counts : ndarray of uint32, shape (n, 1326)
    """
    # By the suit that can make a flush; NO_SUIT is the last.
    num_rivers = np.empty(NUM_SUITS + 1, np.int64)
    sums = np.empty((NUM_SUITS + 1, NUM_CLASSES), np.uint32)
    of_type = np.empty(NUM_TYPES, np.uint32)
    types = np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for number in range(boards.shape[0]):
        counts = out_counts[number]
        on_board = np.int64(0)
        for place in range(4):
            board[place] = boards[number, place]
            on_board |= 1 << np.int64(board[place])
        for suit in range(NO_SUIT, NUM_SUITS):
            num_rivers[suit] = 0
        for place in range(NUM_HOLDINGS):
            counts[place] = 0
        for river in range(NUM_CARDS):
            if on_board >> river & 1:
                continue
            board[4] = river
            suit = flush_suit(board)
            row = river_row(board, suit)
            add_row(table[row], num_rivers[suit] == 0, sums[suit])
            num_rivers[suit] += 1
            kind = type_of(river, suit)
            for other in range(num_types(suit)):
                of_type[other] = table[row, class_of(kind, other)]
            for card in range(NUM_CARDS):
                types[card] = type_of(card, suit)
            take_off(river, of_type, types, counts)
        for suit in range(NO_SUIT, NUM_SUITS):
            if num_rivers[suit]:
                for card in range(NUM_CARDS):
                    types[card] = type_of(card, suit)
                for high in range(NUM_CARDS):
                    for other in range(num_types(suit)):
                        of_type[other] = sums[suit, class_of(types[high], other)]
                    first = high * (high - 1) // 2
                    for low in range(high):
                        counts[first + low] += of_type[types[low]]
        for high in range(NUM_CARDS):
            first = high * (high - 1) // 2
            for low in range(high):
                if (on_board >> high | on_board >> low) & 1:
                    counts[first + low] = 0


@inlined
def add_row(row: Counts, is_first: bool, out_sums: Counts) -> None:
    """Add a row of the table to sums by class, or begin them with it."""
    if is_first:
        for kind in range(NUM_CLASSES):
            out_sums[kind] = row[kind]
    else:
        for kind in range(NUM_CLASSES):
            out_sums[kind] += row[kind]


@inlined
def take_off(card: int, of_type: Counts, types: NDArray[np.int64], out_counts: Counts) -> None:
    """Take off what holdings with a card have, by the type of their other card."""
    first = card * (card - 1) // 2
    for low in range(card):
        out_counts[first + low] -= of_type[types[low]]
    for high in range(card + 1, NUM_CARDS):
        out_counts[high * (high - 1) // 2 + card] -= of_type[types[high]]


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
    """Write the pair of counts of each holding on each flop; zero where it is impossible.

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
        for number in range(counts.size):
            counts[number] = 0
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
    """Add to each holding's pair of counts those on each board, times its multiplicity.

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
