"""Tables with the numbers of comparisons that hole cards win and tie on each street, made by comparing all hands.

The wins and the ties of a hand are stored in one integer, a *pair of counts*. On the river the tables have a row for
each kind of board, and before the river a row for each canonical board.

Kinds of rivers. If no suit has three cards on the board, suits do not matter, and the counts depend only on the ranks
of the board. There are 6,175 kinds of such *plain* boards, and the row of a kind is the index of its ranks in
`STRENGTHS_5`. Otherwise the counts depend on the ranks of the board in the suit with three or more cards, and on the
multiset of its other ranks. There are 26,026 + 9,295 + 1,287 kinds of such *suited* boards, with 3, 4 and 5 cards in
the suit. Their rows are sorted by this number, then by the combination of the ranks in the suit, then by the multiset,
both in colexicographic order.

Classes of hole cards on a river. The *type* of a card is its rank, 0 to 12, or 13 plus its rank if the card is in the
suit that can make a flush. Hole cards with the same two types are one *class*: the types h >= l are class
h (h + 1) / 2 + l. There are 351 classes, of which plain boards use the first 91.

All counts are made once, which takes some seconds, and are saved in files of 171 MB, which all processes map into
memory (`pokerlab.core.fixed_arrays`). Before the river the tables have a row for each of the boards of
`pokerlab.holdem.hand_classes.list_canonical_boards` and a column for each holding. An entry is zero if the holding
shares a card with the board. With a board of four cards and two hole cards there are 46 rivers, and 990 hands of an
opponent on each, so wins and ties on the turn are sums over the rivers. Those on the flop are half of the sums over 47
turns, because each pair of a turn and a river comes in two orders. Those of a starting hand are sums over all boards of
five cards: the counts of each canonical board are multiplied by the number of equivalent boards, and then averaged over
all holdings that are the same starting hand.
"""

from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.fixed_arrays import FixedArray, load_fixed_array
from pokerlab.holdem.cards import (
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    Cards,
    KernelInt,
    find_holding_index,
)
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards
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
"""If this number is added to the key of a board, three cards of a suit are recognized like a flush of five."""
STRENGTH_SHIFT, FIRST_TYPE_SHIFT, TYPE_MASK = 10, 5, 31
"""A class and its strength are coded in one integer: the two types in five bits each, and the strength above them."""
NO_SUIT = -1  # the value of the suit that can make a flush if there is none

CountPairs = NDArray[np.uint32]


class RiverWorkspace(NamedTuple):
    """The arrays that are overwritten when the classes of hole cards on a board are sorted and counted.

    Attributes
    ----------
    cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    with_type : ndarray of int32, shape (26,)
        The number of hands visited so far that contain a given card of each type.
    classes : ndarray of int32, shape (351,)
        The possible classes, each coded with its strength.
    scratch : ndarray of int32, shape (351,)
        The classes while they are sorted; later the wins of each class.
    bins : ndarray of int32, shape (192,)
        The bins of `sort_by_strength`.
    """

    cards_left: Int32s
    with_type: Int32s
    classes: Int32s
    scratch: Int32s
    bins: Int32s


def allocate_river_workspace() -> RiverWorkspace:
    """Return a workspace of arrays that are not initialized, with the shapes that `RiverWorkspace` describes."""
    cards_left = np.empty(NUM_CARD_TYPES, np.int32)
    with_type = np.empty(NUM_CARD_TYPES, np.int32)
    classes = np.empty(NUM_CLASSES, np.int32)
    scratch = np.empty(NUM_CLASSES, np.int32)
    bins = np.empty(NUM_BINS, np.int32)
    return RiverWorkspace(cards_left, with_type, classes, scratch, bins)


@inlined
def index_class(first: KernelInt, second: KernelInt) -> KernelInt:
    """Return the index of the class of hole cards of two types, in either order, 0 to 350.

    The pairs of types h >= l are numbered like the entries of a triangle: before the row of h there are h (h + 1) / 2
    pairs.
    """
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@inlined
def decode_types(coded_class: KernelInt) -> tuple[KernelInt, KernelInt]:
    """Return the two types of a class that is coded with its strength in one integer.

    The types have five bits each, and the strength is above them.
    """
    return coded_class >> FIRST_TYPE_SHIFT & TYPE_MASK, coded_class & TYPE_MASK


@inlined
def find_card_type(card: KernelInt, suit: int) -> KernelInt:
    """Return the type of a card: its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    `suit` is that suit, or NO_SUIT.
    """
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == suit else 0)


@inlined
def count_card_types(suit: int) -> int:
    """Return the number of types of cards: 13 if `suit` is NO_SUIT, and 26 if a suit can make a flush."""
    return NUM_RANKS if suit == NO_SUIT else NUM_CARD_TYPES


@inlined
def find_flush_suit(board: Cards) -> int:
    """Return the suit in which a flush is possible on a board of five cards, or NO_SUIT if there is none.

    A flush is possible in a suit if three or more cards of the board have it.

    The sum of the keys of cards has a counter of 7 bits for each suit. As `hand_rankings` explains, five cards of one
    suit, among five to seven cards, make its counter at least 64, which sets its highest bit. `FLUSH_TEST_KEY` counts
    two cards of every suit in advance. So here three cards of a suit set the bit.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The cards of the board.
    """
    key = FLUSH_TEST_KEY
    for place in range(5):
        key += CARD_KEYS[board[place]]
    highest_bit = 64  # of a counter
    for suit in range(NUM_SUITS):
        if key & (highest_bit * SUIT_COUNTERS[suit]):
            return suit
    return NO_SUIT


@inlined
def add_class_values_to_holdings(
    board: Cards, suit: int, class_values: Any, types: Ints, by_types: Any, out_sums: Any
) -> None:
    """Add to each holding the value of its class of hole cards on a board.

    A holding that shares a card with the board gets another value, which the last row and column of `by_types` contain.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The board.
    suit : int
        The suit that can make a flush, or NO_SUIT.
    class_values : ndarray of shape (351,)
        The value of each class.
    types : ndarray of int64, shape (52,)
        Overwritten with the type of each card, where cards on the board have the type 26.
    by_types : ndarray of shape (27, 27)
        Overwritten with the value for each pair of types, except for the last row and column.
    out_sums : ndarray of shape (1326,)
        The values are added to it.
    """
    # Classes are numbered like the entries of a triangle of types, row by row.
    class_index = 0
    for high_type in range(count_card_types(suit)):
        for low_type in range(high_type + 1):
            by_types[high_type, low_type] = by_types[low_type, high_type] = class_values[
                class_index
            ]
            class_index += 1

    for card in range(NUM_CARDS):
        types[card] = find_card_type(card, suit)
    for place in range(5):
        types[board[place]] = NUM_CARD_TYPES

    first_holding = 0  # of the holdings with this high card
    for high in range(NUM_CARDS):
        values_with_high = by_types[types[high]]
        for low in range(high):
            out_sums[first_holding + low] += values_with_high[types[low]]
        first_holding += high


@inlined
def fill_possible_classes(board: Cards, suit: int, work: RiverWorkspace) -> int:
    """Write the classes of hole cards that are possible on a board, with their strengths, and return their number.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The board.
    suit : int
        The suit that can make a flush on the board, or NO_SUIT.
    work : RiverWorkspace
        Its `cards_left` is overwritten, and so are the first entries of its `classes`: the two types of each class, and
        above them its strength.
    """
    for rank in range(NUM_RANKS):
        work.cards_left[rank] = NUM_SUITS if suit == NO_SUIT else NUM_SUITS - 1
        work.cards_left[NUM_RANKS + rank] = 1

    # Sum the keys and the bits of the board's cards.
    board_key = board_bits = np.int64(0)
    for place in range(5):
        card = np.int64(board[place])
        work.cards_left[find_card_type(card, suit)] -= 1
        board_key += CARD_KEYS[card]
        board_bits += CARD_BITS[card]

    # Only cards in the suit that can make a flush need to be counted by suit.
    suited_key = COUNT_OF_OWN_SUIT * SUIT_COUNTERS[max(suit, 0)]
    num_classes = 0
    for first_type in range(count_card_types(suit)):
        if not work.cards_left[first_type]:
            continue
        first_key = board_key + KEY_OF_RANK[first_type % NUM_RANKS]
        first_bits = board_bits
        if first_type >= NUM_RANKS:
            first_key += suited_key
            first_bits += 1 << first_type - NUM_RANKS + MASK_BITS * suit

        for second_type in range(first_type + 1):
            # Two cards of the same type are needed if both types are equal.
            is_same_type = first_type == second_type
            if work.cards_left[second_type] <= is_same_type:
                continue
            both_key = first_key + KEY_OF_RANK[second_type % NUM_RANKS]
            both_bits = first_bits
            if second_type >= NUM_RANKS:
                both_key += suited_key
                both_bits += 1 << second_type - NUM_RANKS + MASK_BITS * suit
            strength = evaluate_seven(both_key, both_bits)
            work.classes[num_classes] = (
                strength << STRENGTH_SHIFT | first_type << FIRST_TYPE_SHIFT | second_type
            )
            num_classes += 1
    return num_classes


@inlined
def count_holdings(cards_left: Int32s, first_type: KernelInt, second_type: KernelInt) -> np.int64:
    """Return the number of holdings that have cards of two given types.

    Parameters
    ----------
    cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    first_type, second_type : int
        The types of the two cards, from `find_card_type`.
    """
    if first_type == second_type:
        return np.int64(cards_left[first_type] * (cards_left[first_type] - 1) // 2)
    return np.int64(cards_left[first_type] * cards_left[second_type])


@inlined
def count_wins_and_ties_of_classes(
    num_classes: int, work: RiverWorkspace, out_counts: CountPairs
) -> None:
    """Write the numbers of comparisons that each class wins and ties.

    Classes are visited from the weakest to the strongest. A hand beats all weaker hands, except those that contain one
    of its own two cards.

    Parameters
    ----------
    num_classes : int
        The number of classes.
    work : RiverWorkspace
        Its `classes` must be sorted by strength. The other arrays except `cards_left` are overwritten.
    out_counts : ndarray of uint32, shape (351,)
        Overwritten with the pairs of counts of these classes.
    """
    cards_left, with_type = work.cards_left, work.with_type
    classes, wins = work.classes, work.scratch
    for card_type in range(NUM_CARD_TYPES):
        with_type[card_type] = 0
    visited = np.int64(0)  # the number of hands in the classes visited so far
    begin = 0
    while begin < num_classes:
        # The classes from `begin` to `end` - 1 are equally strong. First count the weaker hands that they beat.
        strength = classes[begin] >> STRENGTH_SHIFT
        end = begin
        while end < num_classes and classes[end] >> STRENGTH_SHIFT == strength:
            first_type, second_type = decode_types(classes[end])
            wins[end] = visited - with_type[first_type] - with_type[second_type]
            end += 1

        # Then visit these hands. A given card of one type is combined with each other card of the second type.
        for place in range(begin, end):
            first_type, second_type = decode_types(classes[place])
            visited += count_holdings(cards_left, first_type, second_type)
            is_same_type = first_type == second_type
            with_type[first_type] += cards_left[second_type] - is_same_type
            if not is_same_type:
                with_type[second_type] += cards_left[first_type]

        # All hands visited since then are ties. The hand itself was subtracted for both of its cards, so one is added.
        for place in range(begin, end):
            first_type, second_type = decode_types(classes[place])
            ties = visited - with_type[first_type] - with_type[second_type] + 1 - wins[place]
            out_counts[index_class(first_type, second_type)] = np.uint32(
                wins[place] + (ties << TIE_SHIFT)
            )
        begin = end


NUM_OFFSUIT_SETS = (0, 0, 0, NUM_RANKS * (NUM_RANKS + 1) // 2, NUM_RANKS, 1)
"""The number of multisets of the other ranks, by the number of the board's cards in the suit."""
FIRST_SUITED_ROW = (0, 0, 0, 0, 26_026, 35_321)
"""The first row among suited boards, by the number of the board's cards in the suit."""
NUM_SUITED_ROWS = 36_608
NUM_PLAIN_ROWS = STRENGTHS_5.size

RANK_MASKS = {
    size: np.array([mask for mask in range(1 << NUM_RANKS) if mask.bit_count() == size])
    for size in range(NUM_RANKS + 1)
}
"""All sets of each number of ranks, as bits, in colexicographic order."""
COMBINATION_OF_MASK = np.empty(1 << NUM_RANKS, np.uint16)
"""The index of each set of ranks among the `RANK_MASKS` of its size."""
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
"""The tables of counts, by the number of cards on the board. If the layout of a table changes, so must its checksum."""


@cache
def load_river_table() -> CountPairs:
    """Return the table of counts of all hole cards on all rivers, which is made if it is not on disk yet.

    Returns
    -------
    ndarray of uint32, shape (rows, 351)
        Pairs of counts, wins + 65536 ties, in the row `find_river_row` of the board and the column `index_class` of the
        types of the hole cards. Plain boards have only the first 91 classes, and unused rows between them.
    """
    return load_fixed_array(FIXED_TABLES[5], count_rivers)


def count_rivers() -> CountPairs:
    """Return the table of counts on the river, which `load_river_table` describes, by comparing all hands."""
    table = np.zeros((NUM_PLAIN_ROWS + NUM_SUITED_ROWS, NUM_CLASSES), np.uint32)
    work = allocate_river_workspace()
    fill_river_table_rows(list_plain_boards(), work, table)
    fill_river_table_rows(list_suited_boards(), work, table)
    return table


def list_plain_boards() -> Cards:
    """Return one board of each kind of river without three cards of a suit.

    Returns
    -------
    ndarray of uint8, shape (6175, 5)
        The boards, in the order of `list_rank_multisets`.
    """
    return (NUM_SUITS * list_rank_multisets(5) + np.arange(5) % NUM_SUITS).astype(np.uint8)


def list_suited_boards() -> Cards:
    """Return one board of each kind of river with three clubs or more, in the order of their rows.

    Returns
    -------
    ndarray of uint8, shape (36608, 5)
        The boards, first those with three clubs, then those with four, then those with five.
    """
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
    """Return the row of the river table for a board, which is the first five cards of an array.

    `suit` must be the result of `find_flush_suit(board)`. The order of the rows is described at the beginning of this
    module.
    """
    # Of a plain board only the ranks matter.
    if suit == NO_SUIT:
        key = np.int64(0)
        for place in range(5):
            key += CARD_KEYS[board[place]]
        return np.int64(index_five_cards(key))

    # Collect the ranks in the suit as bits, and the other ranks, of which there are at most two.
    ranks_in_suit = np.int64(0)
    size = 0  # the number of cards in the suit
    high, low = np.int64(-1), np.int64(-1)  # the other ranks
    for place in range(5):
        rank = np.int64(board[place]) // NUM_SUITS
        if board[place] % NUM_SUITS == suit:
            ranks_in_suit |= 1 << rank
            size += 1
        else:
            high, low = max(high, rank), rank if high < 0 else min(high, rank)

    # Index the multiset of the other ranks.
    multiset = np.int64(0)
    if size == 4:
        multiset = high
    elif size == 3:
        multiset = high * (high + 1) // 2 + low

    first_row = NUM_PLAIN_ROWS + FIRST_SUITED_ROW[size]
    combination = np.int64(COMBINATION_OF_MASK[ranks_in_suit])
    return first_row + combination * NUM_OFFSUIT_SETS[size] + multiset


@inlined
def look_up_river_pair(
    table: CountPairs, board: Cards, first: KernelInt, second: KernelInt
) -> np.uint32:
    """Return the pair of counts of two hole cards on a board of five cards.

    `table` is that of `load_river_table`. All seven cards must be different.
    """
    suit = find_flush_suit(board)
    column = index_class(find_card_type(first, suit), find_card_type(second, suit))
    return np.uint32(table[find_river_row(board, suit), column])


@kernel
def fill_river_table_rows(boards: Cards, work: RiverWorkspace, out_table: CountPairs) -> None:
    """Write the counts of all classes on boards into their rows of the river table.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    work : RiverWorkspace
        Overwritten.
    out_table : ndarray of uint32, shape (rows, 351)
        The rows of these boards are overwritten with pairs of counts.
    """
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        suit = find_flush_suit(board)
        num_classes = fill_possible_classes(board, suit, work)
        sort_by_strength(work.classes, num_classes, STRENGTH_SHIFT, work.scratch, work.bins)
        count_wins_and_ties_of_classes(num_classes, work, out_table[find_river_row(board, suit)])


CountTable = NDArray[Any]  # pairs of counts or wide pairs
WideCounts: TypeAlias = NDArray[np.uint64]  # wide pairs, of larger counts: wins + 2**32 ties
WIDE_TIE_SHIFT = 32
WIDE_WIN_MASK = np.uint64(2**WIDE_TIE_SHIFT - 1)
TIE_SHIFTS = {0: WIDE_TIE_SHIFT, 3: WIDE_TIE_SHIFT, 4: TIE_SHIFT}
"""The bit at which the ties begin in a pair of counts, by the number of cards on the board."""


@cache
def load_equity_table(num_cards: int) -> CountTable:
    """Return the table of counts of all holdings before the flop, on the flop or on the turn.

    The table is made if it is not on disk yet.

    Parameters
    ----------
    num_cards : int
        The number of cards on the board: 0, 3 or 4.

    Returns
    -------
    ndarray of uint64 or uint32, shape (boards, 1326)
        Pairs of counts by canonical board, in which ties begin at the bit `TIE_SHIFTS[num_cards]`.
    """
    make_table = {0: count_starting_hands, 3: count_flops, 4: count_turns}[num_cards]
    return load_fixed_array(FIXED_TABLES[num_cards], make_table)


def split_count_pairs(pairs: NDArray[Any], tie_shift: int) -> tuple[Ints, Ints]:
    """Return the wins and the ties of pairs of counts, in which ties begin at the bit `tie_shift`.

    Both arrays have the shape of the pairs.
    """
    counts = pairs.astype(np.int64)
    return counts & (1 << tie_shift) - 1, counts >> tie_shift


def count_starting_hands() -> CountTable:
    """Return the numbers of comparisons that all holdings win and tie before the flop, as wide pairs of counts.

    Returns
    -------
    ndarray of uint64, shape (1, 1326)
        One row, because there is one empty board, with a pair of counts for each holding.
    """
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    add_river_counts_of_boards(load_river_table(), *list_canonical_boards(5), sums)

    # The counts of a canonical board stand for those of equivalent boards, on which a renaming of suits makes a holding
    # another one of the same starting hand. So counts are averaged over the holdings of a starting hand.
    starting_hand = build_hand_classes(2).find_classes(HOLDINGS.copy())
    num_holdings = np.bincount(starting_hand).astype(np.uint64)
    shift = np.uint64(WIDE_TIE_SHIFT)
    wins, ties = (
        np.bincount(starting_hand, counts).astype(np.uint64) // num_holdings
        for counts in (sums & WIDE_WIN_MASK, sums >> shift)
    )
    return np.asarray((wins | ties << shift)[None, starting_hand])


def count_flops() -> CountTable:
    """Return the numbers of comparisons that all holdings win and tie on all canonical flops, as wide pairs of counts.

    Returns
    -------
    ndarray of uint64, shape (1755, 1326)
        A row for each canonical flop, with a pair of counts for each holding.
    """
    # The boards of each flop with each of the 49 turn cards.
    flops = list_canonical_boards(3)[0]
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (len(flops), 1))
    is_left = (cards[:, :, None] != flops[:, None]).all(axis=2)
    turns = cards[is_left].reshape(len(flops), -1, 1)
    boards = np.concatenate([np.repeat(flops[:, None], turns.shape[1], axis=1), turns], axis=2)

    classes = build_hand_classes(4)
    counts = np.empty((len(flops), NUM_HOLDINGS), np.uint64)
    turn_table = load_equity_table(4)
    fill_flop_counts(
        turn_table, classes.find_classes(boards), classes.find_renamings(boards), counts
    )
    return counts


def count_turns() -> CountTable:
    """Return the numbers of comparisons that all holdings win and tie on all canonical boards of four cards.

    Returns
    -------
    ndarray of uint32, shape (16432, 1326)
        Pairs of counts.
    """
    boards = list_canonical_boards(4)[0]
    counts = np.empty((len(boards), NUM_HOLDINGS), np.uint32)
    fill_turn_counts(load_river_table(), boards, counts)
    return counts


@kernel
def fill_turn_counts(table: CountPairs, boards: Cards, out_counts: CountPairs) -> None:
    """Write the pairs of counts of all holdings on boards of four cards, or zero if they share a card.

    First the rows of the river table are summed over all 48 rivers, separately for each suit that can make a flush.
    Then the counts of the two rivers that are the hole cards themselves are subtracted. No class wins more than 48
    times 990 comparisons, so adding pairs never carries from the wins into the ties.

    Parameters
    ----------
    table : ndarray of uint32, shape (rows, 351)
        The river table.
    boards : ndarray of uint8, shape (n, 4)
        n boards of four cards.
    out_counts : ndarray of uint32, shape (n, 1326)
        Overwritten.
    """
    # NO_SUIT is -1, so the last row has the sums of rivers on which no suit can make a flush.
    sums = np.empty((NUM_SUITS + 1, NUM_CLASSES), np.uint32)
    was_summed = np.empty(NUM_SUITS + 1, np.bool_)  # whether any river has this flush suit
    counts_by_type, types = np.empty(NUM_CARD_TYPES, np.uint32), np.empty(NUM_CARDS, np.int64)
    board = np.empty(5, np.uint8)
    for board_index in range(boards.shape[0]):
        counts = out_counts[board_index]
        on_board = np.int64(0)  # one bit for each card
        for place in range(4):
            board[place] = boards[board_index, place]
            on_board |= 1 << np.int64(board[place])
        counts[:] = 0
        sums[:] = 0
        was_summed[:] = False

        for river in range(NUM_CARDS):
            is_on_board = on_board >> river & 1
            if is_on_board:
                continue
            board[4] = river
            suit = find_flush_suit(board)
            was_summed[suit] = True
            river_counts = table[find_river_row(board, suit)]
            for class_index in range(NUM_CLASSES):
                sums[suit, class_index] += river_counts[class_index]
            subtract_class_counts_with_card(river, suit, river_counts, counts_by_type, counts)

        for suit in range(NO_SUIT, NUM_SUITS):
            if was_summed[suit]:
                add_class_counts_to_holdings(suit, sums[suit], counts_by_type, types, counts)
        clear_blocked_holdings(on_board, counts)


@inlined
def subtract_class_counts_with_card(
    card: int,
    suit: int,
    class_counts: CountPairs,
    counts_by_type: CountPairs,
    out_counts: CountPairs,
) -> None:
    """Subtract the count of its class from each holding that contains a given card.

    Parameters
    ----------
    card : int
        The card that the holdings contain.
    suit : int
        The suit that can make a flush, or NO_SUIT.
    class_counts : ndarray of uint32, shape (351,)
        The pair of counts of each class.
    counts_by_type : ndarray of uint32, shape (26,)
        Overwritten with the pair of counts of the card with each type of card.
    out_counts : ndarray of uint32, shape (1326,)
        The pairs of counts of all holdings, which are changed.
    """
    card_type = find_card_type(card, suit)
    for other_type in range(count_card_types(suit)):
        counts_by_type[other_type] = class_counts[index_class(card_type, other_type)]
    for other in range(NUM_CARDS):
        if other != card:
            out_counts[find_holding_index(other, card)] -= counts_by_type[
                find_card_type(other, suit)
            ]


@inlined
def add_class_counts_to_holdings(
    suit: int,
    class_counts: CountPairs,
    counts_by_type: CountPairs,
    types: Ints,
    out_counts: CountPairs,
) -> None:
    """Add to each holding the count of its class, also to holdings that share a card with the board.

    Parameters
    ----------
    suit : int
        The suit that can make a flush, or NO_SUIT.
    class_counts : ndarray of uint32, shape (351,)
        The pair of counts of each class.
    counts_by_type : ndarray of uint32, shape (26,)
        Overwritten with the pair of counts of the last card with each type of card.
    types : ndarray of int64, shape (52,)
        Overwritten with the type of each card.
    out_counts : ndarray of uint32, shape (1326,)
        The pairs of counts of all holdings, which are changed.
    """
    for card in range(NUM_CARDS):
        types[card] = find_card_type(card, suit)
    first_holding = 0  # of the holdings with this high card
    for high in range(NUM_CARDS):
        for other_type in range(count_card_types(suit)):
            counts_by_type[other_type] = class_counts[index_class(types[high], other_type)]
        for low in range(high):
            out_counts[first_holding + low] += counts_by_type[types[low]]
        first_holding += high


@inlined
def clear_blocked_holdings(on_board: np.int64, out_counts: CountPairs) -> None:
    """Set the counts of holdings that share a card with the board to zero.

    `on_board` has one bit for each card, and `out_counts` has shape (1326,).
    """
    for high in range(NUM_CARDS):
        for low in range(high):
            if (on_board >> high | on_board >> low) & 1:
                out_counts[find_holding_index(high, low)] = 0


@inlined
def widen_pair(pair: np.uint32) -> np.uint64:
    """Convert a pair of counts to a wide pair: wins and ties in one integer, with 32 bits each instead of 16."""
    return np.uint64(pair & WIN_MASK) | np.uint64(pair >> TIE_SHIFT) << np.uint64(WIDE_TIE_SHIFT)


@kernel
def fill_flop_counts(
    turn_table: CountPairs,
    classes: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    out_counts: WideCounts,
) -> None:
    """Write the wide pairs of counts of all holdings on flops, or zero if they share a card.

    The counts on the turn are summed over all turn cards. Each pair of a turn and a river comes in two orders, so the
    sums are halved.

    Parameters
    ----------
    turn_table : ndarray of uint32, shape (16432, 1326)
        The pairs of counts on the canonical boards of four.
    classes : ndarray of int64, shape (n, 49)
        The canonical board of each flop with each turn.
    renamings : ndarray of uint8, shape (n, 49, 4)
        The suit that each suit becomes on this canonical board.
    out_counts : ndarray of uint64, shape (n, 1326)
        Overwritten.
    """
    renamed = np.empty(
        NUM_CARDS, np.int64
    )  # the card that each card becomes on the canonical board
    for flop in range(classes.shape[0]):
        counts = out_counts[flop]
        for holding in range(counts.size):
            counts[holding] = 0
        for turn in range(classes.shape[1]):
            turn_counts = turn_table[classes[flop, turn]]
            for card in range(NUM_CARDS):
                suit = renamings[flop, turn, card % NUM_SUITS]
                renamed[card] = card // NUM_SUITS * NUM_SUITS + suit
            holding = 0
            for high in range(NUM_CARDS):
                for low in range(high):
                    pair = turn_counts[find_holding_index(renamed[high], renamed[low])]
                    counts[holding] += widen_pair(pair)
                    holding += 1
        # Both counts are even, so halving the pair carries nothing from one into the other.
        for holding in range(counts.size):
            counts[holding] //= 2


@kernel
def add_river_counts_of_boards(
    table: CountPairs, boards: Cards, multiplicities: NDArray[np.int64], out_counts: WideCounts
) -> None:
    """Add the counts of each holding on boards of five cards, multiplied by the multiplicity of each board.

    Parameters
    ----------
    table : ndarray of uint32, shape (rows, 351)
        The river table.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that each board stands for.
    out_counts : ndarray of uint64, shape (1326,)
        Wide pairs of counts, to which those on the boards are added.
    """
    types, by_types = np.empty(NUM_CARDS, np.int64), np.zeros(TYPE_SQUARE, np.uint64)
    class_counts = np.zeros(NUM_CLASSES, np.uint64)  # on one board
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        suit = find_flush_suit(board)
        row = find_river_row(board, suit)
        for class_index in range(NUM_CLASSES):
            pair = widen_pair(table[row, class_index])
            class_counts[class_index] = pair * np.uint64(multiplicities[board_index])
        # Holdings that share a card with the board get the last row of `by_types`, which stays zero.
        add_class_values_to_holdings(board, suit, class_counts, types, by_types, out_counts)
