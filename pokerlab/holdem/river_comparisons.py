"""The types of hole cards on a board of five cards, and the numbers of hands of an opponent that each type beats.

On a river the *type* of a card is its rank, 0 to 12, or 13 plus its rank if the card is in the suit that can make a
flush. Hole cards with the same two types, a *type pair*, beat and tie the same hands. The types h >= l are type pair
h (h + 1) / 2 + l. There are 351 type pairs. If no suit has three cards on the board, there are 13 types, and only the
first 91 type pairs occur.

To compare all hands on a board, its type pairs are sorted by strength and visited from the weakest to the strongest. A
hand beats all hands visited before it, except those that contain one of its own two cards. So two numbers are updated:
the number of hands visited so far, and the number of those that contain a given card of each type.

The hands that are beaten and tied are stored as *packed counts*: two numbers in one integer, with the wins in the lower
bits and the ties in the higher bits.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined
from pokerlab.holdem.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, KernelInt
from pokerlab.holdem.hand_rankings import (
    CARD_KEYS,
    COUNT_OF_OWN_SUIT,
    KEY_OF_RANK,
    MASK_BITS,
    NUM_BINS,
    SUIT_COUNTERS,
    Int32s,
    evaluate_seven,
    sum_keys_and_bits,
)

NUM_CARD_TYPES = 2 * NUM_RANKS
NUM_TYPE_PAIRS = NUM_CARD_TYPES * (NUM_CARD_TYPES + 1) // 2
TYPE_SQUARE = (NUM_CARD_TYPES + 1, NUM_CARD_TYPES + 1)
"""The shape of a table by the types of two cards; the last type stands for cards on the board."""
TIE_SHIFT = 16
"""The bit of packed counts at which the ties begin."""
WIN_MASK = (1 << TIE_SHIFT) - 1
"""The bits of packed counts that are the wins."""

FLUSH_TEST_KEY = np.int64(2 * COUNT_OF_OWN_SUIT * SUIT_COUNTERS.sum())
"""If this number is added to the key of a board, three cards of a suit are recognized like a flush of five."""
STRENGTH_SHIFT, FIRST_TYPE_SHIFT, TYPE_MASK = 10, 5, 31
"""A type pair and its strength are coded in one integer: two types of five bits each, and the strength above them."""
NO_SUIT = -1  # the value of the suit that can make a flush if there is none

PackedCounts = NDArray[np.uint32]


class RiverWorkspace(NamedTuple):
    """The arrays that are overwritten when all hole cards on a board of five cards are sorted and compared.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush. Hole cards
    with the same two types, a type pair, are equally strong.

    Attributes
    ----------
    num_cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    hands_with_type : ndarray of int32, shape (26,)
        The number of hands visited so far that contain a given card of each type.
    type_pairs : ndarray of int32, shape (351,)
        The type pairs that are possible on the board, each coded with its strength.
    scratch : ndarray of int32, shape (351,)
        The type pairs while they are sorted; later the wins of each type pair.
    bins : ndarray of int32, shape (NUM_BINS,)
        The bins of `sort_by_strength`.
    """

    num_cards_left: Int32s
    hands_with_type: Int32s
    type_pairs: Int32s
    scratch: Int32s
    bins: Int32s


def allocate_river_workspace() -> RiverWorkspace:
    """Return uninitialized arrays for sorting and comparing all hole cards on a board of five cards.

    Returns
    -------
    RiverWorkspace
        The functions that use the arrays overwrite them. So one workspace serves for many boards.
    """
    return RiverWorkspace(
        num_cards_left=np.empty(NUM_CARD_TYPES, np.int32),
        hands_with_type=np.empty(NUM_CARD_TYPES, np.int32),
        type_pairs=np.empty(NUM_TYPE_PAIRS, np.int32),
        scratch=np.empty(NUM_TYPE_PAIRS, np.int32),
        bins=np.empty(NUM_BINS, np.int32),
    )


@inlined
def index_type_pair(first_type: KernelInt, second_type: KernelInt) -> KernelInt:
    """Return the index of the pair of types that two hole cards have, 0 to 350.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush. The pairs
    of types h >= l are numbered like the entries of a triangle: before the row of h there are h (h + 1) / 2 pairs.

    Parameters
    ----------
    first_type, second_type : int
        The types of the two cards, 0 to 25, in either order.
    """
    higher_type, lower_type = max(first_type, second_type), min(first_type, second_type)
    return higher_type * (higher_type + 1) // 2 + lower_type


@inlined
def decode_type_pair(coded_type_pair: KernelInt) -> tuple[KernelInt, KernelInt]:
    """Return the types of two hole cards, which are coded with the strength of the hand in one integer.

    Parameters
    ----------
    coded_type_pair : int
        The types in five bits each, and the strength above them.

    Returns
    -------
    first_type, second_type : int
        The types of the two cards, 0 to 25, with the higher type first.
    """
    return coded_type_pair >> FIRST_TYPE_SHIFT & TYPE_MASK, coded_type_pair & TYPE_MASK


@inlined
def find_card_type(card: KernelInt, flush_suit: int) -> KernelInt:
    """Return the type of a card: its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    card : int
        The card, 0 to 51.
    flush_suit : int
        The suit that can make a flush on the board, or NO_SUIT if there is none.
    """
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == flush_suit else 0)


@inlined
def count_card_types(flush_suit: int) -> int:
    """Return the number of types of cards on a board: 26 if a suit can make a flush, and 13 otherwise.

    The type of a card is its rank, and whether it is in that suit.

    Parameters
    ----------
    flush_suit : int
        The suit that can make a flush on the board, or NO_SUIT if there is none.
    """
    return NUM_RANKS if flush_suit == NO_SUIT else NUM_CARD_TYPES


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
    for position in range(5):
        key += CARD_KEYS[board[position]]
    highest_bit = 64  # of a counter
    for suit in range(NUM_SUITS):
        if key & (highest_bit * SUIT_COUNTERS[suit]):
            return suit
    return NO_SUIT


@inlined
def add_type_pair_values_to_holdings(
    board: Cards,
    flush_suit: int,
    type_pair_values: Any,
    types: Ints,
    values_by_types: Any,
    out_sums: Any,
) -> None:
    """Add to each pair of hole cards, in `out_sums`, a value that depends only on the types of its two cards.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush. Hole cards
    that share a card with the board get another value. The caller writes it into the last row and the last column of
    `values_by_types`.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The cards of the board.
    flush_suit : int
        The suit that can make a flush on the board, or NO_SUIT.
    type_pair_values : ndarray of shape (351,)
        The value of each pair of types, in the order of `index_type_pair`.
    types : ndarray of int64, shape (52,)
        Overwritten with the type of each card, where cards on the board have the type 26.
    values_by_types : ndarray of shape (27, 27)
        Overwritten with the value for each pair of types, except for the last row and column.
    out_sums : ndarray of shape (1326,)
        The values are added to it, in the order of `HOLDINGS`.
    """
    # Pairs of types are numbered like the entries of a triangle, row by row.
    type_pair = 0
    for high_type in range(count_card_types(flush_suit)):
        for low_type in range(high_type + 1):
            value = type_pair_values[type_pair]
            values_by_types[high_type, low_type] = values_by_types[low_type, high_type] = value
            type_pair += 1

    for card in range(NUM_CARDS):
        types[card] = find_card_type(card, flush_suit)
    for position in range(5):
        types[board[position]] = NUM_CARD_TYPES

    first_holding = 0  # of the holdings with this high card
    for high_card in range(NUM_CARDS):
        values_with_high = values_by_types[types[high_card]]
        for low_card in range(high_card):
            out_sums[first_holding + low_card] += values_with_high[types[low_card]]
        first_holding += high_card


@inlined
def fill_possible_type_pairs(board: Cards, flush_suit: int, workspace: RiverWorkspace) -> int:
    """Write the pairs of types that hole cards can have on a board, with their strengths, and return their number.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush. Hole cards
    with the same two types are equally strong.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The cards of the board.
    flush_suit : int
        The suit that can make a flush on the board, or NO_SUIT.
    workspace : RiverWorkspace
        Its `num_cards_left` is overwritten with the number of cards of each type. The first entries of its
        `type_pairs` are overwritten with the two types of each pair, and above them its strength.

    Returns
    -------
    int
        The number of type pairs that were written.
    """
    count_cards_left_by_type(board, flush_suit, workspace.num_cards_left)
    board_key, board_bits = sum_keys_and_bits(board, 0, 5)

    # Only cards in the suit that can make a flush need to be counted by suit. Without such a suit the key is not used.
    suited_key = COUNT_OF_OWN_SUIT * SUIT_COUNTERS[max(flush_suit, 0)]
    num_type_pairs = 0
    for first_type in range(count_card_types(flush_suit)):
        if not workspace.num_cards_left[first_type]:
            continue
        first_key = board_key + KEY_OF_RANK[first_type % NUM_RANKS]
        first_bits = board_bits
        if first_type >= NUM_RANKS:
            first_key += suited_key
            first_bits += 1 << first_type - NUM_RANKS + MASK_BITS * flush_suit

        for second_type in range(first_type + 1):
            # Two cards of the same type are needed if both types are equal.
            is_same_type = first_type == second_type
            if workspace.num_cards_left[second_type] <= is_same_type:
                continue
            both_key = first_key + KEY_OF_RANK[second_type % NUM_RANKS]
            both_bits = first_bits
            if second_type >= NUM_RANKS:
                both_key += suited_key
                both_bits += 1 << second_type - NUM_RANKS + MASK_BITS * flush_suit

            strength = evaluate_seven(both_key, both_bits)
            coded_types = first_type << FIRST_TYPE_SHIFT | second_type
            workspace.type_pairs[num_type_pairs] = strength << STRENGTH_SHIFT | coded_types
            num_type_pairs += 1
    return num_type_pairs


@inlined
def count_cards_left_by_type(board: Cards, flush_suit: int, out_num_cards_left: Int32s) -> None:
    """Write the number of cards of each type that are left in the deck, without the five cards of a board.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,)
        The cards of the board.
    flush_suit : int
        The suit that can make a flush on the board, or NO_SUIT.
    out_num_cards_left : ndarray of int32, shape (26,)
        Overwritten with the number of cards of each type. Without such a suit, the last 13 entries are not used.
    """
    for rank in range(NUM_RANKS):
        out_num_cards_left[rank] = NUM_SUITS if flush_suit == NO_SUIT else NUM_SUITS - 1
        out_num_cards_left[NUM_RANKS + rank] = 1
    for position in range(5):
        out_num_cards_left[find_card_type(np.int64(board[position]), flush_suit)] -= 1


@inlined
def count_holdings_of_types(
    num_cards_left: Int32s, first_type: KernelInt, second_type: KernelInt
) -> np.int64:
    """Return the number of pairs of hole cards whose cards have two given types.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    num_cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    first_type, second_type : int
        The types of the two cards, 0 to 25.
    """
    if first_type == second_type:
        return np.int64(num_cards_left[first_type] * (num_cards_left[first_type] - 1) // 2)
    return np.int64(num_cards_left[first_type] * num_cards_left[second_type])


@inlined
def fill_counts_of_type_pairs(
    num_type_pairs: int, workspace: RiverWorkspace, out_counts: PackedCounts
) -> None:
    """Write how many hands of an opponent are beaten and tied by hole cards with each pair of types, on one board.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush. Type pairs
    are visited from the weakest to the strongest. A hand beats all weaker hands, except those that contain one of its
    own two cards.

    Parameters
    ----------
    num_type_pairs : int
        The number of pairs of types that are possible on the board.
    workspace : RiverWorkspace
        Its `type_pairs` must be sorted by strength. The other arrays except `num_cards_left` are overwritten.
    out_counts : ndarray of uint32, shape (351,)
        The entries of the possible type pairs are overwritten with packed counts: the hands that they beat in the lower
        16 bits, and the hands that they tie in the upper 16 bits.
    """
    num_cards_left, hands_with_type = workspace.num_cards_left, workspace.hands_with_type
    type_pairs, wins = workspace.type_pairs, workspace.scratch
    for card_type in range(NUM_CARD_TYPES):
        hands_with_type[card_type] = 0
    num_visited = np.int64(0)  # the number of hands with the type pairs visited so far
    begin = 0
    while begin < num_type_pairs:
        # The type pairs from `begin` to `end` - 1 are equally strong. First count the weaker hands that they beat.
        strength = type_pairs[begin] >> STRENGTH_SHIFT
        end = begin
        while end < num_type_pairs and type_pairs[end] >> STRENGTH_SHIFT == strength:
            first_type, second_type = decode_type_pair(type_pairs[end])
            wins[end] = num_visited - hands_with_type[first_type] - hands_with_type[second_type]
            end += 1

        # Then visit these hands. A given card of one type is combined with each other card of the second type.
        for index in range(begin, end):
            first_type, second_type = decode_type_pair(type_pairs[index])
            num_visited += count_holdings_of_types(num_cards_left, first_type, second_type)
            is_same_type = first_type == second_type
            hands_with_type[first_type] += num_cards_left[second_type] - is_same_type
            if not is_same_type:
                hands_with_type[second_type] += num_cards_left[first_type]

        # All hands visited since then are ties. The hand itself was subtracted for both of its cards, so one is added.
        for index in range(begin, end):
            first_type, second_type = decode_type_pair(type_pairs[index])
            num_with_own_card = hands_with_type[first_type] + hands_with_type[second_type] - 1
            ties = num_visited - num_with_own_card - wins[index]
            type_pair = index_type_pair(first_type, second_type)
            out_counts[type_pair] = np.uint32(wins[index] + (ties << TIE_SHIFT))
        begin = end
