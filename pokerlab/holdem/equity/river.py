"""All hole cards on all rivers: 42,783 kinds of boards, counted once and looked up.

How to read it. What hole cards are worth on a board depends only on its ranks if no suit has three
cards there: 6,175 kinds of *plain* boards. They stand where the table of five-card strengths
keeps the strength of these ranks. Otherwise it depends on the ranks in that suit, `size` of them,
and on the multiset of the other ranks: 26,026 + 9,295 + 1,287 kinds of *suited* boards for sizes
3, 4 and 5. Their rows follow each other by size, then by the combination of the suit's ranks,
then by the multiset, both in colexicographic order.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.cards.deck import NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, Whole
from pokerlab.holdem.strength.evaluation import (
    CARD_BITS,
    CARD_KEYS,
    COUNTER,
    KEY_OF_RANK,
    MASK_BITS,
    NUM_ENDS,
    OWN_SUIT,
    STRENGTHS_5,
    Small,
    place_of_five,
    sort_by_strength,
    strength_of_seven,
)
from pokerlab.holdem.strength.tables import rank_sets

NUM_TYPES = 2 * NUM_RANKS
NUM_CLASSES = NUM_TYPES * (NUM_TYPES + 1) // 2
SQUARE = (NUM_TYPES + 1, NUM_TYPES + 1)
"""Types of two cards; the last is that of cards on the board."""
TIES = 16
"""Where the ties begin in a pair of counts."""
WINS = (1 << TIES) - 1
"""The bits of the wins in a pair of counts."""

TO_FLUSH = np.int64(2 * OWN_SUIT * COUNTER.sum())
"""Added to the key of a board, it tells three cards of a suit as a flush."""
STRENGTH, FIRST, TYPE = 10, 5, 31
NO_SUIT = -1

Counts = NDArray[np.uint32]


class RiverWorkspace(NamedTuple):
    """The memory for sorting and counting the classes of a board."""

    cards_left: Small  # (26,): cards of each type that are not on the board
    with_type: Small  # (26,): hands swept so far that hold a given card of the type
    classes: Small  # (351,): each met; its strength, and its two types in the low five bits each
    room: Small  # (351,): the classes when half sorted; then the wins of each
    ends: Small  # (192,): for sorting


def river_workspace() -> RiverWorkspace:
    """Return room to work in."""
    return RiverWorkspace(
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_ENDS, np.int32),
    )


@inlined
def class_of(first: Whole, second: Whole) -> Whole:
    """Return the number of the class of two types, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@inlined
def type_of(card: Whole, suit: int) -> Whole:
    """Return the type of a card, where `suit` is the one that can make a flush, or NO_SUIT."""
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == suit else 0)


@inlined
def num_types(suit: int) -> int:
    """Return how many types of cards there are if this suit, or none, can make a flush."""
    return NUM_RANKS if suit == NO_SUIT else NUM_TYPES


@inlined
def flush_suit(board: Cards) -> int:
    """Return the suit with three or more of the first five cards, or NO_SUIT."""
    key = TO_FLUSH
    for place in range(5):
        key += CARD_KEYS[board[place]]
    for suit in range(NUM_SUITS):
        if key & 64 * COUNTER[suit]:
            return suit
    return NO_SUIT


@inlined
def add_to_holdings(
    board: Cards, suit: int, of_class: Any, types: Ints, square: Any, out_sums: Any
) -> None:
    """Add to each holding, (1326,), what its class has, (351,), or the last of `square` where it shares a card.

    `types`, (52,), and all but the last row and column of `square`, (27, 27), are overwritten.
    """
    kind = 0
    for one in range(num_types(suit)):
        for two in range(one + 1):
            square[one, two] = square[two, one] = of_class[kind]
            kind += 1
    for card in range(NUM_CARDS):
        types[card] = type_of(card, suit)
    for place in range(5):
        types[board[place]] = NUM_TYPES
    first = 0
    for high in range(NUM_CARDS):
        of_type = square[types[high]]
        for low in range(high):
            out_sums[first + low] += of_type[types[low]]
        first += high


@inlined
def find_classes(board: Cards, suit: int, work: RiverWorkspace) -> int:
    """Find the classes that a board leaves possible, and their strengths; return how many."""
    for rank in range(NUM_RANKS):
        work.cards_left[rank] = NUM_SUITS if suit == NO_SUIT else NUM_SUITS - 1
        work.cards_left[NUM_RANKS + rank] = 1
    key = bits = np.int64(0)
    for place in range(5):
        card = np.int64(board[place])
        work.cards_left[type_of(card, suit)] -= 1
        key += CARD_KEYS[card]
        bits += CARD_BITS[card]
    suited_key = OWN_SUIT * COUNTER[max(suit, 0)]
    found = 0
    for one in range(num_types(suit)):
        if not work.cards_left[one]:
            continue
        one_key, one_bits = key + KEY_OF_RANK[one % NUM_RANKS], bits
        if one >= NUM_RANKS:
            one_key += suited_key
            one_bits += 1 << one - NUM_RANKS + MASK_BITS * suit
        for two in range(one + 1):
            if work.cards_left[two] <= (one == two):
                continue
            both_key, both_bits = one_key + KEY_OF_RANK[two % NUM_RANKS], one_bits
            if two >= NUM_RANKS:
                both_key += suited_key
                both_bits += 1 << two - NUM_RANKS + MASK_BITS * suit
            strength = strength_of_seven(both_key, both_bits)
            work.classes[found] = strength << STRENGTH | one << FIRST | two
            found += 1
    return found


@inlined
def pairs_of(left: Small, one: Whole, two: Whole) -> np.int64:
    """Return how many hands have these two types of cards."""
    if one == two:
        return np.int64(left[one] * (left[one] - 1) // 2)
    return np.int64(left[one] * left[two])


@inlined
def count_classes(num_classes: int, work: RiverWorkspace, out_counts: Counts) -> None:
    """Write the pair of counts of each class, sweeping from the weakest to the strongest."""
    left, with_type, classes, wins = work.cards_left, work.with_type, work.classes, work.room
    for kind in range(NUM_TYPES):
        with_type[kind] = 0
    swept = np.int64(0)
    begin = 0
    while begin < num_classes:
        strength = classes[begin] >> STRENGTH
        end = begin
        below = swept
        while end < num_classes and classes[end] >> STRENGTH == strength:
            one, two = classes[end] >> FIRST & TYPE, classes[end] & TYPE
            wins[end] = below - with_type[one] - with_type[two]
            end += 1
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            swept += pairs_of(left, one, two)
            with_type[one] += left[two] - (one == two)
            if one != two:
                with_type[two] += left[one]
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            ties = swept - with_type[one] - with_type[two] + 1 - wins[place]
            out_counts[class_of(one, two)] = np.uint32(wins[place] + (ties << TIES))
        begin = end


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
"""All ways to take each number of ranks, as bits, in colexicographic order."""
COMBINATION = np.empty(1 << NUM_RANKS, np.uint16)
"""The place of each mask of ranks among `RANK_MASKS`."""
for of_size in RANK_MASKS.values():
    COMBINATION[of_size] = np.arange(len(of_size))


@cache
def river_table() -> Counts:
    """Return the counts of all hole cards on all rivers, (rows, 351); the first time they are computed.

    Pairs of counts, wins + 65536 ties, by `river_row` of the board and `class_of` the types of the
    hole cards. Plain boards have only the first 91 classes, and unused rows between them.
    """
    table = np.zeros((NUM_PLAIN + NUM_SUITED, NUM_CLASSES), np.uint32)
    work = river_workspace()
    fill_rows(plain_boards(), work, table)
    fill_rows(suited_boards(), work, table)
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
        return np.int64(place_of_five(key))
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
def fill_rows(boards: Cards, work: RiverWorkspace, out_table: Counts) -> None:
    """Write what hole cards are worth on each board where it stands in the table."""
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        num_classes = find_classes(boards[number], suit, work)
        sort_by_strength(work.classes, num_classes, STRENGTH, work.room, work.ends)
        count_classes(num_classes, work, out_table[river_row(boards[number], suit)])
