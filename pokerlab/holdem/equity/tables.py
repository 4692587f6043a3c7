"""The counts of all holdings on all canonical boards before the river, made once and kept in the user's cache.

Rows follow `pokerlab.holdem.cards.suits.canonical_boards`, columns the holdings; entries are zero where a holding
shares a card with the board. On a board of four cards there are 46 rivers for two hole cards, and 990 opponents'
hands on each: wins and ties are sums over the rivers. A flop's are half the sums over 47 turns, since every turn and
river come in two orders. A starting hand's are sums over all boards of five: over those of the canonical boards, as
often as each stands for others, and then over all holdings that are the same starting hand.
"""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.cache import kept_arrays
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_CARDS, NUM_HOLDINGS, NUM_SUITS, Cards, holding
from pokerlab.holdem.cards.suits import canonical_boards, hand_classes
from pokerlab.holdem.equity.river import (
    NO_SUIT,
    NUM_CLASSES,
    NUM_TYPES,
    SQUARE,
    TIES,
    WINS,
    Counts,
    class_of,
    flush_suit,
    num_types,
    river_row,
    river_table,
    type_of,
)

Table = NDArray[Any]
WideCounts: TypeAlias = NDArray[np.uint64]  # pairs of larger counts: wins + 2**32 ties
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


def starting_hands() -> Table:
    """Return the counts of all holdings before the flop."""
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    add_boards(river_table(), *canonical_boards(5), sums)
    starting_hand = hand_classes(2).index(HOLDINGS.copy())
    sizes = np.bincount(starting_hand)
    bits = np.uint64(WIDE_TIES)
    # A canonical board stands for others, on which a holding is another of the same class.
    wins, ties = (
        np.bincount(starting_hand, count).astype(np.uint64) // sizes.astype(np.uint64)
        for count in (sums & WIDE_WINS, sums >> bits)
    )
    return np.asarray((wins | ties << bits)[None, starting_hand])


def flops() -> Table:
    """Return the counts of all canonical flops."""
    boards = canonical_boards(3)[0]
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(boards), 1))
    coming = cards[(cards[:, :, None] != boards[:, None]).all(axis=2)].reshape(len(boards), -1, 1)
    longer = np.concatenate([np.repeat(boards[:, None], coming.shape[1], axis=1), coming], axis=2)
    classes, counts = hand_classes(4), np.empty((len(boards), NUM_HOLDINGS), np.uint64)
    fill_flops(equity_table(4), classes.index(longer), classes.renaming(longer), counts)
    return counts


def turns() -> Table:
    """Return the counts of all canonical boards of four."""
    boards = canonical_boards(4)[0]
    counts = np.empty((len(boards), NUM_HOLDINGS), np.uint32)
    fill_turns(river_table(), boards, counts)
    return counts


@kernel
def fill_turns(table: Counts, boards: Cards, out_counts: Counts) -> None:
    """Write the pair of counts of each holding on boards (n, 4); zero where it is impossible.

    Rows of the table are first summed over all 48 rivers, by the suit that can make a flush; then what the two
    hole cards themselves had as rivers is taken off. No class wins more than 48 times 990 times: pairs add up.
    """
    sums = np.empty((NUM_SUITS + 1, NUM_CLASSES), np.uint32)  # of NO_SUIT in the last row
    seen = np.empty(NUM_SUITS + 1, np.bool_)
    of_type, types = np.empty(NUM_TYPES, np.uint32), np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for number in range(boards.shape[0]):
        counts, on_board = out_counts[number], np.int64(0)
        for place in range(4):
            board[place] = boards[number, place]
            on_board |= 1 << np.int64(board[place])
        counts[:] = 0
        sums[:] = 0
        seen[:] = False
        for river in range(NUM_CARDS):
            if on_board >> river & 1:
                continue
            board[4] = river
            suit = flush_suit(board)
            row, kind = river_row(board, suit), type_of(river, suit)
            seen[suit] = True
            for pair in range(NUM_CLASSES):
                sums[suit, pair] += table[row, pair]
            for other in range(num_types(suit)):
                of_type[other] = table[row, class_of(kind, other)]
            for card in range(NUM_CARDS):
                if card != river:
                    counts[holding(card, river)] -= of_type[type_of(card, suit)]
        for suit in range(NO_SUIT, NUM_SUITS):
            if not seen[suit]:
                continue
            for card in range(NUM_CARDS):
                types[card] = type_of(card, suit)
            first = 0
            for high in range(NUM_CARDS):
                for other in range(num_types(suit)):
                    of_type[other] = sums[suit, class_of(types[high], other)]
                for low in range(high):
                    counts[first + low] += of_type[types[low]]
                first += high
        for high in range(NUM_CARDS):
            for low in range(high):
                if (on_board >> high | on_board >> low) & 1:
                    counts[holding(high, low)] = 0


@inlined
def wide(pair: np.uint32) -> np.uint64:
    """Return a pair of counts with more room for each."""
    return np.uint64(pair & WINS) | np.uint64(pair >> TIES) << np.uint64(WIDE_TIES)


@kernel
def fill_flops(
    turns: Counts, classes: NDArray[np.int64], renamings: NDArray[np.uint8], out_counts: WideCounts
) -> None:
    """Write the pair of counts of each holding on each flop; zero where it is impossible.

    The `turns` are those of the canonical boards of four; `classes`, (n, 49), and `renamings`, (n,
    49, 4), say which of them each flop with each turn is like, and the suit there of each suit here.
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
    """Add to each holding's pair of counts those on boards (n, 5), each times its multiplicity."""
    types, square = np.empty(NUM_CARDS, np.int64), np.zeros(SQUARE, np.uint64)
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
