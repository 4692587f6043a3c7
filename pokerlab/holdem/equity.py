"""The probability to win against one random hand, exact on every street: equity, looked up in tables of counts.

Two hole cards are compared with every opponent's hand on every board that can still come, all equally
likely. Each of these *comparisons* is won, tied or lost; `count_comparisons` counts them, and `win_probability` is the
share that is won. On the river the counts are looked up by kinds of boards, before it by canonical boards. Wins and
ties are held together in one integer, a *pair of counts*.

Kinds of rivers. If no suit has three cards on the board, suits do not matter, and the counts depend only on
its ranks: 6,175 kinds of *plain* boards. Their row is the place of these ranks in `STRENGTHS_5`. Otherwise they depend
on the ranks in that suit, `size` of them, and on the multiset of the other ranks: 26,026 + 9,295 + 1,287 kinds of
*suited* boards for sizes 3, 4 and 5. Their rows follow each other by size, then by the combination of the suit's
ranks, then by the multiset, both in colexicographic order.

Classes of hole cards on a river. The *type* of a card is its rank, 0 to 12, or, in the suit that can make a flush, 13
plus its rank. Hole cards of the same two types are one *class*: types h >= l make class h (h + 1) / 2 + l, of 351. On
plain boards the first 91 suffice.

All counts are made once, in seconds, and kept in files of 171 MB, which all processes map into memory
(`pokerlab.core.fixed_arrays`). Before the river they are those of all holdings on all canonical boards. Rows follow
`pokerlab.holdem.cards.list_canonical_boards`, columns the holdings; entries are zero where a holding shares a card
with the board. On a board of four cards there are 46 rivers for two hole cards, and 990 opponents' hands on each: wins
and ties are sums over the rivers. A flop's are half the sums over 47 turns, since every turn and river come in two
orders. A starting hand's are sums over all boards of five: over those of the canonical boards, as often as each stands
for others, and then over all holdings that are the same starting hand.

Inside kernels, for players at a table, `look_up_win_probability` reads one hand and one board at a time, and cards are
not checked. The tables of the flop and the turn have a row for each class of boards, so a board has to be *encoded*:
its class, and in the eight bits below it the new name of each suit. Codes are kept for all 22,100 flops, and for each
class of flops with each turn card. So a look-up takes one step on the flop and two on the turn.
"""

from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Floats, Ints, UnknownNameError, inlined, kernel
from pokerlab.core.fixed_arrays import FixedArray, load_fixed_array
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    HOLDS_CARD,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    RENAMED_HOLDINGS,
    Cards,
    HandClasses,
    KernelInt,
    build_hand_classes,
    checked_cards,
    find_canonical_boards,
    index_holding,
    index_holdings,
    list_canonical_boards,
)
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    COUNT_OF_OWN_SUIT,
    KEY_OF_RANK,
    MASK_BITS,
    NUM_BINS,
    STRENGTHS_5,
    SUIT_COUNTERS,
    Int32s,
    evaluate_seven,
    index_five_cards,
    list_rank_multisets,
    sort_by_strength,
)

NUM_CARD_TYPES = 2 * NUM_RANKS
NUM_CLASSES = NUM_CARD_TYPES * (NUM_CARD_TYPES + 1) // 2
TYPE_SQUARE = (NUM_CARD_TYPES + 1, NUM_CARD_TYPES + 1)
"""The shape of a table by the types of two cards; the last type stands for cards on the board."""
TIE_SHIFT = 16
"""The bit at which the ties begin in a pair of counts."""
WIN_MASK = (1 << TIE_SHIFT) - 1
"""The bits of the wins in a pair of counts."""

FLUSH_TEST_KEY = np.int64(2 * COUNT_OF_OWN_SUIT * SUIT_COUNTERS.sum())
"""Added to the key of a board, it makes three cards of a suit show as a flush."""
STRENGTH_SHIFT, FIRST_TYPE_SHIFT, TYPE_MASK = 10, 5, 31
"""A class with its strength is one integer: the strength above 10 bits, the two types in five bits each."""
NO_SUIT = -1  # in place of the suit that can make a flush

CountPairs = NDArray[np.uint32]


class RiverWorkspace(NamedTuple):
    """Memory for sorting and counting the classes of hole cards on a board.

    Attributes
    ----------
    cards_left : ndarray of int32, shape (26,)
        How many cards of each type are not on the board.
    with_type : ndarray of int32, shape (26,)
        How many hands visited so far hold a given card of the type.
    classes : ndarray of int32, shape (351,)
        The possible classes, each with its strength.
    scratch : ndarray of int32, shape (351,)
        The classes half sorted; then the wins of each.
    bins : ndarray of int32, shape (192,)
        For sorting.
    """

    cards_left: Int32s
    with_type: Int32s
    classes: Int32s
    scratch: Int32s
    bins: Int32s


def allocate_river_workspace() -> RiverWorkspace:
    """Return memory for sorting and counting classes, not initialized."""
    return RiverWorkspace(
        np.empty(NUM_CARD_TYPES, np.int32),
        np.empty(NUM_CARD_TYPES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_BINS, np.int32),
    )


@inlined
def index_class(first: KernelInt, second: KernelInt) -> KernelInt:
    """Return the number of the class of two types, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@inlined
def find_card_type(card: KernelInt, suit: int) -> KernelInt:
    """Return the type of a card, 0 to 25, where `suit` is the one that can make a flush, or NO_SUIT."""
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == suit else 0)


@inlined
def count_card_types(suit: int) -> int:
    """Return how many types of cards there are if this suit, or none, can make a flush."""
    return NUM_RANKS if suit == NO_SUIT else NUM_CARD_TYPES


@inlined
def find_flush_suit(board: Cards) -> int:
    """Return the suit with three or more of the first five cards, or NO_SUIT."""
    key = FLUSH_TEST_KEY
    for place in range(5):
        key += CARD_KEYS[board[place]]
    for suit in range(NUM_SUITS):
        if key & 64 * SUIT_COUNTERS[suit]:
            return suit
    return NO_SUIT


@inlined
def add_class_values(
    board: Cards, suit: int, of_class: Any, types: Ints, square: Any, out_sums: Any
) -> None:
    """Add to each holding, (1326,), the value of its class on a board, or another where they share a card.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
    suit : int
        The suit that can make a flush, or NO_SUIT.
    of_class : ndarray of shape (351,)
        The values of classes.
    types : ndarray of int64, shape (52,)
        Overwritten with the type of each card.
    square : ndarray of shape (27, 27)
        Overwritten with the values by two types, but for its last row and column: the value where a card is shared.
    out_sums : ndarray of shape (1326,)
    """
    number = 0
    for one in range(count_card_types(suit)):
        for two in range(one + 1):
            square[one, two] = square[two, one] = of_class[number]
            number += 1

    for card in range(NUM_CARDS):
        types[card] = find_card_type(card, suit)
    for place in range(5):
        types[board[place]] = NUM_CARD_TYPES

    first = 0  # of the holdings with this high card
    for high in range(NUM_CARDS):
        of_type = square[types[high]]
        for low in range(high):
            out_sums[first + low] += of_type[types[low]]
        first += high


@inlined
def find_classes(board: Cards, suit: int, work: RiverWorkspace) -> int:
    """Write the classes that a board leaves possible, with their strengths, into `work.classes`; return how many.

    `suit` is the one that can make a flush on the board, or NO_SUIT.
    """
    for rank in range(NUM_RANKS):
        work.cards_left[rank] = NUM_SUITS if suit == NO_SUIT else NUM_SUITS - 1
        work.cards_left[NUM_RANKS + rank] = 1

    # The sums of the board's keys and bits.
    key = bits = np.int64(0)
    for place in range(5):
        card = np.int64(board[place])
        work.cards_left[find_card_type(card, suit)] -= 1
        key += CARD_KEYS[card]
        bits += CARD_BITS[card]

    # Outside the suit that can make a flush, suits need not be counted.
    suited_key = COUNT_OF_OWN_SUIT * SUIT_COUNTERS[max(suit, 0)]
    found = 0
    for one in range(count_card_types(suit)):
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
            strength = evaluate_seven(both_key, both_bits)
            work.classes[found] = strength << STRENGTH_SHIFT | one << FIRST_TYPE_SHIFT | two
            found += 1
    return found


@inlined
def count_holdings(left: Int32s, one: KernelInt, two: KernelInt) -> np.int64:
    """Return how many holdings have cards of these two types, of which so many, (26,), are left."""
    if one == two:
        return np.int64(left[one] * (left[one] - 1) // 2)
    return np.int64(left[one] * left[two])


@inlined
def compare_classes(num_classes: int, work: RiverWorkspace, out_counts: CountPairs) -> None:
    """Write the pair of counts, (351,), of each of the sorted classes in `work`, from the weakest to the strongest.

    A hand of a class beats all weaker hands, less those that hold one of its own two cards.
    """
    left, with_type, classes, wins = work.cards_left, work.with_type, work.classes, work.scratch
    for card_type in range(NUM_CARD_TYPES):
        with_type[card_type] = 0
    visited = np.int64(0)  # hands of the classes so far
    begin = 0
    while begin < num_classes:
        # The classes from `begin` up to `end` are equally strong. First they count the weaker hands,
        strength = classes[begin] >> STRENGTH_SHIFT
        end = begin
        weaker = visited
        while end < num_classes and classes[end] >> STRENGTH_SHIFT == strength:
            one, two = classes[end] >> FIRST_TYPE_SHIFT & TYPE_MASK, classes[end] & TYPE_MASK
            wins[end] = weaker - with_type[one] - with_type[two]
            end += 1

        # then their own hands are visited,
        for place in range(begin, end):
            one, two = classes[place] >> FIRST_TYPE_SHIFT & TYPE_MASK, classes[place] & TYPE_MASK
            visited += count_holdings(left, one, two)
            with_type[one] += left[two] - (one == two)
            if one != two:
                with_type[two] += left[one]

        # and what is visited beyond the weaker hands are ties. The hand itself was taken off with either card.
        for place in range(begin, end):
            one, two = classes[place] >> FIRST_TYPE_SHIFT & TYPE_MASK, classes[place] & TYPE_MASK
            ties = visited - with_type[one] - with_type[two] + 1 - wins[place]
            out_counts[index_class(one, two)] = np.uint32(wins[place] + (ties << TIE_SHIFT))
        begin = end


NUM_OFFSUIT_SETS = (0, 0, 0, NUM_RANKS * (NUM_RANKS + 1) // 2, NUM_RANKS, 1)
"""How many multisets of other ranks there are, by the number of ranks in the suit."""
FIRST_SUITED_ROW = (0, 0, 0, 0, 26_026, 35_321)
"""The first row of suited boards, by the number of ranks in the suit."""
NUM_SUITED_ROWS = 36_608
NUM_PLAIN_ROWS = STRENGTHS_5.size

RANK_MASKS = {
    size: np.array([mask for mask in range(1 << NUM_RANKS) if mask.bit_count() == size])
    for size in range(NUM_RANKS + 1)
}
"""All sets of each number of ranks, as bits, in colexicographic order."""
COMBINATION_OF_MASK = np.empty(1 << NUM_RANKS, np.uint16)
"""The place of each set of ranks among the `RANK_MASKS` of its size."""
for of_size in RANK_MASKS.values():
    COMBINATION_OF_MASK[of_size] = np.arange(len(of_size))


FIXED_TABLES = {
    0: FixedArray(
        "equity-starting-hands",
        (1, NUM_HOLDINGS),
        np.uint64,
        "0384fc681b2077a18c7fbf8996c936b0d87f94dd514a05832bd1f5c491dd89fa",
    ),
    3: FixedArray(
        "equity-flops",
        (1_755, NUM_HOLDINGS),
        np.uint64,
        "22b67d1d3baf3b0276f68245bbac65bf880f6d55788b415755ff38d1dda4c454",
    ),
    4: FixedArray(
        "equity-turns",
        (16_432, NUM_HOLDINGS),
        np.uint32,
        "3851bf22733cd8365f196a42fb00f80ec56538934d0f14241b54aff7e2f5f3cf",
    ),
    5: FixedArray(
        "equity-rivers",
        (NUM_PLAIN_ROWS + NUM_SUITED_ROWS, NUM_CLASSES),
        np.uint32,
        "b45c74891aba47d684bc734636b167cc69bef9a334b60c754e1e401f472e9bbf",
    ),
}
"""The tables of counts, by the number of cards on the board. Another layout of a table has another checksum."""


@cache
def load_river_table() -> CountPairs:
    """Return the pairs of counts of all hole cards on all rivers, (rows, 351), from disk if they are there.

    A pair is wins + 65536 ties, in the row `find_river_row` of the board and the column `index_class` of the types of
    the hole cards. Plain boards have only the first 91 classes, and unused rows between them.
    """
    return load_fixed_array(FIXED_TABLES[5], count_rivers)


def count_rivers() -> CountPairs:
    """Return the pairs of counts of all hole cards on all rivers, (rows, 351), by comparing all hands."""
    table = np.zeros((NUM_PLAIN_ROWS + NUM_SUITED_ROWS, NUM_CLASSES), np.uint32)
    work = allocate_river_workspace()
    fill_river_rows(list_plain_boards(), work, table)
    fill_river_rows(list_suited_boards(), work, table)
    return table


def list_plain_boards() -> Cards:
    """Return one board of each kind without three cards of a suit, (6175, 5)."""
    return (NUM_SUITS * list_rank_multisets(5) + np.arange(5) % NUM_SUITS).astype(np.uint8)


def list_suited_boards() -> Cards:
    """Return one board of each kind with three clubs or more, (36608, 5), in the order of their rows."""
    boards = []
    ranks = np.arange(NUM_RANKS)
    high, low = np.tril_indices(NUM_RANKS)
    # The multisets of ranks outside the suit, by the number of ranks in it.
    outside_of = {
        3: np.stack([high, low], axis=1),
        4: ranks[:, None],
        5: np.empty((1, 0), np.int64),
    }
    for size, outside in outside_of.items():
        in_suit = np.array([ranks[mask >> ranks & 1 == 1] for mask in RANK_MASKS[size]])
        clubs = np.repeat(NUM_SUITS * in_suit, len(outside), axis=0)
        other_suits = 1 + np.arange(5 - size)
        others = np.tile(NUM_SUITS * outside + other_suits, (len(in_suit), 1))
        boards.append(np.concatenate([clubs, others], axis=1))
    return np.concatenate(boards).astype(np.uint8)


@inlined
def find_river_row(board: Cards, suit: int) -> KernelInt:
    """Return the row of `load_river_table` for a board's first five cards, where `suit` is their `find_flush_suit`."""
    if suit == NO_SUIT:
        key = np.int64(0)
        for place in range(5):
            key += CARD_KEYS[board[place]]
        return np.int64(index_five_cards(key))

    mask, size = np.int64(0), 0  # the ranks in the suit
    high, low = np.int64(-1), np.int64(-1)  # the ranks outside it
    for place in range(5):
        rank = np.int64(board[place]) // NUM_SUITS
        if board[place] % NUM_SUITS == suit:
            mask |= 1 << rank
            size += 1
        else:
            high, low = max(high, rank), rank if high < 0 else min(high, rank)
    multiset = np.int64(0)
    if size == 4:
        multiset = high
    elif size == 3:
        multiset = high * (high + 1) // 2 + low
    first = NUM_PLAIN_ROWS + FIRST_SUITED_ROW[size]
    return first + np.int64(COMBINATION_OF_MASK[mask]) * NUM_OFFSUIT_SETS[size] + multiset


@inlined
def look_up_river(
    table: CountPairs, board: Cards, first: KernelInt, second: KernelInt
) -> np.uint32:
    """Return the pair of counts of two hole cards on a board of five; all seven cards are different."""
    suit = find_flush_suit(board)
    column = index_class(find_card_type(first, suit), find_card_type(second, suit))
    return np.uint32(table[find_river_row(board, suit), column])


@kernel
def fill_river_rows(boards: Cards, work: RiverWorkspace, out_table: CountPairs) -> None:
    """Write the pairs of counts of all classes on boards, (n, 5), into their rows of the river table, (rows, 351)."""
    for number in range(boards.shape[0]):
        suit = find_flush_suit(boards[number])
        num_classes = find_classes(boards[number], suit, work)
        sort_by_strength(work.classes, num_classes, STRENGTH_SHIFT, work.scratch, work.bins)
        compare_classes(num_classes, work, out_table[find_river_row(boards[number], suit)])


CountTable = NDArray[Any]  # of pairs of counts or of wide ones
WideCounts: TypeAlias = NDArray[np.uint64]  # wide pairs, of larger counts: wins + 2**32 ties
WIDE_TIE_SHIFT = 32
WIDE_WIN_MASK = np.uint64(2**WIDE_TIE_SHIFT - 1)
TIE_SHIFTS = {0: WIDE_TIE_SHIFT, 3: WIDE_TIE_SHIFT, 4: TIE_SHIFT}
"""The bit at which the ties begin in a pair of counts, by the number of cards on the board."""


@cache
def load_equity_table(num_cards: int) -> CountTable:
    """Return the pairs of counts for boards of 0, 3 or 4 cards, (boards, 1326), from disk if they are there."""
    make_table = {0: count_starting_hands, 3: count_flops, 4: count_turns}[num_cards]
    return load_fixed_array(FIXED_TABLES[num_cards], make_table)


def split_counts(pairs: NDArray[Any], tie_shift: int) -> tuple[Ints, Ints]:
    """Return the wins and the ties of pairs of counts, of which ties begin at this bit."""
    counts = pairs.astype(np.int64)
    return counts & (1 << tie_shift) - 1, counts >> tie_shift


def count_starting_hands() -> CountTable:
    """Return the wide pairs of counts of all holdings before the flop, (1, 1326)."""
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    add_board_counts(load_river_table(), *list_canonical_boards(5), sums)
    starting_hand = build_hand_classes(2).index_hands(HOLDINGS.copy())
    sizes = np.bincount(starting_hand)
    shift = np.uint64(WIDE_TIE_SHIFT)
    # A canonical board stands for others, on which a holding is another of the same starting hand.
    wins, ties = (
        np.bincount(starting_hand, counts).astype(np.uint64) // sizes.astype(np.uint64)
        for counts in (sums & WIDE_WIN_MASK, sums >> shift)
    )
    return np.asarray((wins | ties << shift)[None, starting_hand])


def count_flops() -> CountTable:
    """Return the wide pairs of counts of all holdings on all canonical flops, (1755, 1326)."""
    flops = list_canonical_boards(3)[0]
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(flops), 1))
    is_left = (cards[:, :, None] != flops[:, None]).all(axis=2)
    turns = cards[is_left].reshape(len(flops), -1, 1)
    boards = np.concatenate([np.repeat(flops[:, None], turns.shape[1], axis=1), turns], axis=2)

    classes = build_hand_classes(4)
    counts = np.empty((len(flops), NUM_HOLDINGS), np.uint64)
    turn_table = load_equity_table(4)
    fill_flops(turn_table, classes.index_hands(boards), classes.find_renamings(boards), counts)
    return counts


def count_turns() -> CountTable:
    """Return the pairs of counts of all holdings on all canonical boards of four, (16432, 1326)."""
    boards = list_canonical_boards(4)[0]
    counts = np.empty((len(boards), NUM_HOLDINGS), np.uint32)
    fill_turns(load_river_table(), boards, counts)
    return counts


@kernel
def fill_turns(table: CountPairs, boards: Cards, out_counts: CountPairs) -> None:
    """Write the pairs of counts of all holdings, (n, 1326), on boards, (n, 4); zero where a card is shared.

    Rows of the river table are first summed over all 48 rivers, by the suit that can make a flush; then what the two
    hole cards themselves had as rivers is taken off. No class wins more than 48 times 990 times, so that pairs add up
    without carrying.
    """
    sums = np.empty((NUM_SUITS + 1, NUM_CLASSES), np.uint32)  # of NO_SUIT in the last row
    seen = np.empty(NUM_SUITS + 1, np.bool_)  # whether any river has this flush suit
    of_type, types = np.empty(NUM_CARD_TYPES, np.uint32), np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for number in range(boards.shape[0]):
        counts, on_board = out_counts[number], np.int64(0)
        for place in range(4):
            board[place] = boards[number, place]
            on_board |= 1 << np.int64(board[place])
        counts[:] = 0
        sums[:] = 0
        seen[:] = False

        # Sum the rows of all rivers; take off what a hand would have with the river among its cards.
        for river in range(NUM_CARDS):
            if on_board >> river & 1:
                continue
            board[4] = river
            suit = find_flush_suit(board)
            row, river_type = find_river_row(board, suit), find_card_type(river, suit)
            seen[suit] = True
            for column in range(NUM_CLASSES):
                sums[suit, column] += table[row, column]
            for other in range(count_card_types(suit)):
                of_type[other] = table[row, index_class(river_type, other)]
            for card in range(NUM_CARDS):
                if card != river:
                    counts[index_holding(card, river)] -= of_type[find_card_type(card, suit)]

        # Add the sums to the holdings.
        for suit in range(NO_SUIT, NUM_SUITS):
            if not seen[suit]:
                continue
            for card in range(NUM_CARDS):
                types[card] = find_card_type(card, suit)
            first = 0
            for high in range(NUM_CARDS):
                for other in range(count_card_types(suit)):
                    of_type[other] = sums[suit, index_class(types[high], other)]
                for low in range(high):
                    counts[first + low] += of_type[types[low]]
                first += high

        # Clear the holdings that share a card with the board.
        for high in range(NUM_CARDS):
            for low in range(high):
                if (on_board >> high | on_board >> low) & 1:
                    counts[index_holding(high, low)] = 0


@inlined
def widen_pair(pair: np.uint32) -> np.uint64:
    """Return a pair of counts as a wide pair."""
    return np.uint64(pair & WIN_MASK) | np.uint64(pair >> TIE_SHIFT) << np.uint64(WIDE_TIE_SHIFT)


@kernel
def fill_flops(
    turn_table: CountPairs,
    classes: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    out_counts: WideCounts,
) -> None:
    """Write the wide pairs of counts of all holdings on flops, (n, 1326); zero where a card is shared.

    Parameters
    ----------
    turn_table : ndarray of uint32, shape (16432, 1326)
        The pairs of counts on the canonical boards of four.
    classes : ndarray of int64, shape (n, 49)
        The canonical board of each flop with each turn.
    renamings : ndarray of uint8, shape (n, 49, 4)
        The suit there of each suit on the flop.
    out_counts : ndarray of uint64, shape (n, 1326)
    """
    renamed = np.empty(
        NUM_CARDS, np.int64
    )  # the card of the canonical board that each card becomes
    for flop in range(classes.shape[0]):
        counts = out_counts[flop]
        for number in range(counts.size):
            counts[number] = 0
        for turn in range(classes.shape[1]):
            of_turn = turn_table[classes[flop, turn]]
            for card in range(NUM_CARDS):
                suit = renamings[flop, turn, card % NUM_SUITS]
                renamed[card] = card // NUM_SUITS * NUM_SUITS + suit
            number = 0
            for high in range(NUM_CARDS):
                for low in range(high):
                    pair = of_turn[index_holding(renamed[high], renamed[low])]
                    counts[number] += widen_pair(pair)
                    number += 1
        # Both counts are even, so halving the pair carries nothing from one into the other.
        for number in range(counts.size):
            counts[number] //= 2


@kernel
def add_board_counts(
    table: CountPairs, boards: Cards, multiplicities: NDArray[np.int64], out_counts: WideCounts
) -> None:
    """Add to each holding its counts on `boards`, (n, 5), each times the board's multiplicity, (n,).

    `table`, (rows, 351), has the pairs of counts of each river; `out_counts`, (1326,), are wide pairs of counts.
    The last row and column of `square` are those of cards on the board, and stay zero.
    """
    types, square = np.empty(NUM_CARDS, np.int64), np.zeros(TYPE_SQUARE, np.uint64)
    for number in range(boards.shape[0]):
        suit = find_flush_suit(boards[number])
        row, column = find_river_row(boards[number], suit), 0
        for one in range(count_card_types(suit)):
            for two in range(one + 1):
                pair = widen_pair(table[row, column]) * np.uint64(multiplicities[number])
                square[one, two] = square[two, one] = pair
                column += 1
        for card in range(NUM_CARDS):
            types[card] = find_card_type(card, suit)
        for place in range(5):
            types[boards[number, place]] = NUM_CARD_TYPES
        first = 0
        for high in range(NUM_CARDS):
            of_type = square[types[high]]
            for low in range(high):
                out_counts[first + low] += of_type[types[low]]
            first += high


TIE_VALUES = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""How much of a win a tie counts, by the rule for ties."""
NUM_COMPARISONS = {
    cards: comb(NUM_CARDS - 2 - cards, 5 - cards) * comb(45, 2) for cards in BOARD_SIZES
}
"""Boards to come times opponents' hands on each, by the number of cards on the board."""


class Comparisons(NamedTuple):
    """How often hole cards win, tie and lose; numbers or arrays of int64.

    The three sum to all comparisons: 990 on the river; on the turn 46 times as many, on the flop 1,081 times and
    before the flop 2,118,760 times.
    """

    wins: Any
    ties: Any
    losses: Any

    def find_win_share(self, ties: str = "half") -> Any:
        """Return the share won, with ties counted by the rule 'half', 'win' or 'lose'."""
        won = self.wins + checked_tie_value(ties) * self.ties
        return won / (self.wins + self.ties + self.losses)


def win_probability(hole: ArrayLike | str, board: ArrayLike | str, ties: str = "half") -> Any:
    """Return the probability that hole cards win against one random hand if no one folds.

    It is exact. Tables of 171 MB are made on first use, in seconds, and kept in the user's cache folder, where all
    processes share them; or beside the installation, where `python -m pokerlab.warm` puts them for all its users.

    Parameters
    ----------
    hole : array_like of integers, shape (2,) or (..., 2), or text
        Hole cards.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5, or text
        The board; other axes are broadcast against those of `hole`.
    ties : {'half', 'win', 'lose'}
        What a tie counts: half a win, a win or nothing.

    Returns
    -------
    float or ndarray of float64, shape (...,)

    Raises
    ------
    CardError
        If a card is none or appears twice, or a shape does not fit.
    UnknownNameError
        If `ties` is another rule.

    Examples
    --------
    >>> win_probability("Ac Ad", "")
    0.852037133...
    >>> win_probability("Kc 9c", "2c 3c 4c Jd Ad")
    0.991919...
    >>> win_probability(["Ac Ad", "2c 7d"], "2h 7h 7s", ties="lose").round(4).tolist()
    [0.8634, 0.9804]
    """
    checked_tie_value(ties)
    return count_comparisons(hole, board).find_win_share(ties)


def count_comparisons(hole: ArrayLike | str, board: ArrayLike | str) -> Comparisons:
    """Return how often hole cards win, tie and lose against all hands on all boards to come.

    Parameters and errors are those of `win_probability`.

    Returns
    -------
    Comparisons
        Numbers, or arrays of shape (...,).

    Examples
    --------
    >>> count_comparisons("Ac Ad", "")
    Comparisons(wins=1781508418, ties=11402312, losses=304661670)
    """
    holes, boards = checked_hole_and_board(hole, board)
    shape, num_board = holes.shape[:-1], boards.shape[-1]
    hole_rows = holes.reshape(prod(shape), 2)
    board_rows = boards.reshape(prod(shape), num_board)
    wins, ties = (
        counts.reshape(shape) if shape else int(counts[0])
        for counts in count_wins_and_ties(hole_rows, board_rows)
    )
    return Comparisons(wins, ties, NUM_COMPARISONS[num_board] - wins - ties)


def checked_tie_value(ties: str) -> float:
    """Return how much of a win a tie counts, by the name of a rule: 'half', 'win' or 'lose'."""
    UnknownNameError.check("rule for ties", ties, TIE_VALUES)
    return TIE_VALUES[ties]


def check_board_size(board: Cards) -> None:
    """Raise CardError if no street has as many cards as the last axis of `board`."""
    num_board = board.shape[-1] if board.ndim else 1
    if num_board not in NUM_COMPARISONS:
        raise CardError(
            f"no street has a board of {num_board} cards; give 0, 3, 4 or 5 along the last axis."
        )


def checked_hole_and_board(hole: ArrayLike | str, board: ArrayLike | str) -> tuple[Cards, Cards]:
    """Return hole cards, (..., 2), and boards, (..., k), broadcast against each other, once they fit together.

    Raises
    ------
    CardError
        If a card is none or appears twice, there are not two hole cards, or a shape does not fit.
    """
    holes, boards = checked_cards(hole), checked_cards(board)
    check_board_size(boards)
    if holes.ndim == 0 or holes.shape[-1] != 2:
        raise CardError(
            f"hole cards of shape {holes.shape} are not two for each hand; give two along the last axis."
        )
    try:
        shape = np.broadcast_shapes(holes.shape[:-1], boards.shape[:-1])
    except ValueError:
        raise CardError(
            f"hole cards of shape {holes.shape} and boards of shape {boards.shape} do not go "
            "together; give as many of both, or one of either."
        ) from None
    all_holes = np.broadcast_to(holes, (*shape, 2))
    all_boards = np.broadcast_to(boards, (*shape, boards.shape[-1]))
    cards = checked_cards(np.concatenate([all_holes, all_boards], axis=-1))
    return np.ascontiguousarray(cards[..., :2]), np.ascontiguousarray(cards[..., 2:])


def count_wins_and_ties(holes: Cards, boards: Cards) -> tuple[Ints, Ints]:
    """Return the wins and the ties, (n,), of hole cards, (n, 2), on boards, (n, k)."""
    if boards.shape[1] == 5:
        pairs = np.empty(len(boards), np.uint32)
        fill_river_pairs(load_river_table(), holes, boards, pairs)
        return split_counts(pairs, TIE_SHIFT)
    numbers, renamings = find_canonical_boards(boards)
    renamed = RENAMED_HOLDINGS[renamings, index_holdings(holes)]
    pairs = load_equity_table(boards.shape[1])[numbers, renamed]
    return split_counts(pairs, TIE_SHIFTS[boards.shape[1]])


@kernel
def fill_river_pairs(
    table: NDArray[np.uint32], holes: Cards, boards: Cards, out_pairs: NDArray[np.uint32]
) -> None:
    """Write the pairs of counts, (n,), of hole cards, (n, 2), on boards, (n, 5), as the river table has them."""
    for row in range(boards.shape[0]):
        first, second = np.int64(holes[row, 0]), np.int64(holes[row, 1])
        out_pairs[row] = look_up_river(table, boards[row], first, second)


def find_all_win_probabilities(board: ArrayLike | str, ties: str = "half") -> Floats:
    """Return the win probability of every holding on boards against one random hand.

    Parameters
    ----------
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or text
    ties : {'half', 'win', 'lose'}
        As in `win_probability`.

    Returns
    -------
    ndarray of float64, shape (..., 1326)
        In the order of `HOLDINGS`; NaN where a holding shares a card with the board.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem.cards import HOLDINGS, format_cards
    >>> values = find_all_win_probabilities("Ts Js Qs 2h 2d")
    >>> format_cards(HOLDINGS[np.nanargmax(values)]), round(float(np.nanmean(values)), 12)
    ('Ks 9s', 0.5)
    """
    tie_value = checked_tie_value(ties)
    cards = checked_cards(board)
    check_board_size(cards)
    boards = cards.reshape(prod(cards.shape[:-1]), cards.shape[-1])
    if boards.shape[1] == 5:
        values = np.empty((len(boards), NUM_HOLDINGS))
        fill_river_probabilities(load_river_table(), boards, tie_value, values)
    else:
        numbers, renamings = find_canonical_boards(boards)
        pairs = load_equity_table(boards.shape[1])[numbers[:, None], RENAMED_HOLDINGS[renamings]]
        wins, tied = split_counts(pairs, TIE_SHIFTS[boards.shape[1]])
        values = (wins + tie_value * tied) / NUM_COMPARISONS[boards.shape[1]]
        values[HOLDS_CARD[boards].any(axis=1)] = np.nan
    return values.reshape(*cards.shape[:-1], NUM_HOLDINGS)


@kernel
def fill_river_probabilities(
    table: CountPairs, boards: Cards, tie_value: float, out_values: Floats
) -> None:
    """Write the win probability of every holding, (n, 1326), on boards, (n, 5); NaN where they share a card.

    `table` is the river table; a tie counts `tie_value` of a win.
    """
    square = np.empty(
        (NUM_CARD_TYPES, NUM_CARD_TYPES)
    )  # win probabilities by the types of two cards
    for row in range(boards.shape[0]):
        board = boards[row]
        suit = find_flush_suit(board)
        counts, column = table[find_river_row(board, suit)], 0
        for one in range(count_card_types(suit)):
            for two in range(one + 1):
                wins, ties = counts[column] & WIN_MASK, counts[column] >> TIE_SHIFT
                square[one, two] = square[two, one] = (wins + tie_value * ties) / 990
                column += 1

        # Cards outside the flush suit have the types 0 to 12, those in it are written over.
        first = 0
        for high in range(NUM_CARDS):
            of_high = square[find_card_type(high, suit)]
            for low in range(high):
                out_values[row, first + low] = of_high[low // NUM_SUITS]
            if suit >= 0:
                for low in range(suit, high, NUM_SUITS):
                    out_values[row, first + low] = of_high[NUM_RANKS + low // NUM_SUITS]
            first += high

        for place in range(5):
            card = np.int64(board[place])
            for other in range(NUM_CARDS):
                if other != card:
                    out_values[row, index_holding(card, other)] = np.nan


ON_FLOP, ON_TURN, ON_RIVER = 3, 4, 5
NUM_COMPARISONS_ON = np.array([NUM_COMPARISONS.get(cards, 0) for cards in range(ON_RIVER + 1)])
"""How many comparisons there are, by the number of cards on the board; 0 for numbers that no street has."""
SUIT_BITS, SUIT_MASK = 2, 3
CLASS_SHIFT = SUIT_BITS * NUM_SUITS
"""The bit of a board's code at which its class begins; the bits below are the new name of each suit."""

BoardCodes = NDArray[np.uint32]


class EquityTables(NamedTuple):
    """The tables that `look_up_win_probability` reads; made by `load_lookup_tables`.

    Attributes
    ----------
    before_flop : ndarray of uint64, shape (1, 1326)
        Pairs of counts, by holding.
    flop : ndarray of uint64, shape (1755, 1326)
        By canonical board.
    turn : ndarray of uint32, shape (16432, 1326)
    river : ndarray of uint32, shape (rows, 351)
        As `load_river_table` has them.
    flop_codes : ndarray of uint32, shape (22100,)
        Of all flops, by `index_flop`.
    turn_codes : ndarray of uint32, shape (1755, 52)
        Of canonical flops with each card; zero if it is on the flop.
    """

    before_flop: WideCounts
    flop: WideCounts
    turn: CountPairs
    river: CountPairs
    flop_codes: BoardCodes
    turn_codes: BoardCodes


@cache
def load_lookup_tables() -> EquityTables:
    """Return the tables of all streets; on first use they are made, in seconds, and kept on disk."""
    return EquityTables(
        load_equity_table(0),
        load_equity_table(ON_FLOP),
        load_equity_table(ON_TURN),
        load_river_table(),
        encode_flops(),
        encode_turns(),
    )


def encode_flops() -> BoardCodes:
    """Return the codes of all flops, (22100,), in the order of `index_flop`."""
    ascending = np.array(list(combinations(range(NUM_CARDS), ON_FLOP)))
    flops = ascending[np.lexsort(ascending.T)]
    return encode_boards(build_hand_classes(ON_FLOP), flops)


def encode_turns() -> BoardCodes:
    """Return the codes of all canonical flops with each card, (1755, 52); zero where it is on the flop."""
    flops = list_canonical_boards(ON_FLOP)[0]
    repeated_flops = np.repeat(flops[:, None], NUM_CARDS, axis=1)
    cards = np.broadcast_to(np.arange(NUM_CARDS)[:, None], (len(flops), NUM_CARDS, 1))
    boards = np.concatenate([repeated_flops, cards], axis=2)
    is_possible = (repeated_flops != cards).all(axis=2)
    codes = np.zeros(is_possible.shape, np.uint32)
    codes[is_possible] = encode_boards(build_hand_classes(ON_TURN), boards[is_possible])
    codes.flags.writeable = False
    return codes


def encode_boards(classes: HandClasses, boards: NDArray[np.int64]) -> BoardCodes:
    """Return the codes of boards, (n, k) to (n,): the class, and in the bits below it the new name of each suit."""
    names = classes.find_renamings(boards).astype(np.int64) << SUIT_BITS * np.arange(NUM_SUITS)
    codes = np.asarray(classes.index_hands(boards) << CLASS_SHIFT | names.sum(axis=-1), np.uint32)
    codes.flags.writeable = False
    return codes


@inlined
def look_up_win_probability(
    tables: EquityTables, hole: Cards, board: Cards, tie_value: float
) -> float:
    """Return the probability that hole cards, (2,), win against one random hand on a board, (k,), unchecked.

    A tie counts `tie_value` of a win, 0 to 1.
    """
    first, second = np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        pair = widen_pair(look_up_river(tables.river, board, first, second))
    elif board.size == 0:
        pair = tables.before_flop[0, index_holding(first, second)]
    else:
        flop = np.int64(tables.flop_codes[index_flop(board)])
        first, second = np.int64(rename_card(flop, first)), np.int64(rename_card(flop, second))
        if board.size == ON_FLOP:
            pair = tables.flop[flop >> CLASS_SHIFT, index_holding(first, second)]
        else:
            turn_card = rename_card(flop, np.int64(board[ON_FLOP]))
            turn = np.int64(tables.turn_codes[flop >> CLASS_SHIFT, turn_card])
            number = index_holding(rename_card(turn, first), rename_card(turn, second))
            pair = widen_pair(tables.turn[turn >> CLASS_SHIFT, number])
    wins, ties = np.int64(pair & WIDE_WIN_MASK), np.int64(pair >> np.uint64(WIDE_TIE_SHIFT))
    return float((wins + tie_value * ties) / NUM_COMPARISONS_ON[board.size])


@inlined
def index_flop(board: Cards) -> KernelInt:
    """Return the number of the first three cards among all flops, in any order of these."""
    a, b, c = np.int64(board[0]), np.int64(board[1]), np.int64(board[2])
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


@inlined
def rename_card(code: KernelInt, card: KernelInt) -> KernelInt:
    """Return a card with the new name of its suit, by the code of a board."""
    suit = card % NUM_SUITS
    return card - suit + (code >> SUIT_BITS * suit & SUIT_MASK)
