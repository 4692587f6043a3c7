"""Made hands and draws: what hole cards make with a board, what they draw to, and what the board makes alone.

A set of cards is an integer of 64 bits, 16 for each suit, of which 13 stand for its ranks: the sum of
the `CARD_BITS` of its cards. A set of ranks is an integer of 13 bits. Sets of ranks, such as those that occur twice,
follow by bit operations. A *made hand* is a category and one rank, that of the high card, the (higher) pair, the
three, the four, or the top of a straight or flush; kickers do not count. Any number of cards makes a hand; straights
and flushes need five. Kernels hold it as one number, category times 13 plus rank.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.cards import NUM_RANKS, Cards
from pokerlab.holdem.equity import validate_hole_and_board
from pokerlab.holdem.hand_rankings import CARD_BITS, CATEGORIES, MASK_BITS, RANK_MASK

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(5, len(CATEGORIES))
HIGHEST_OF_RANKS = np.array([ranks.bit_length() - 1 for ranks in range(1 << NUM_RANKS)], np.int8)
"""The highest rank in each set of ranks, or -1 for the empty set; the array has shape (8192,)."""
NUM_OF_RANKS = np.array([ranks.bit_count() for ranks in range(1 << NUM_RANKS)], np.int8)
"""The number of ranks in each set of ranks; the array has shape (8192,)."""
ACE = NUM_RANKS - 1
NUM_STRAIGHTS = NUM_RANKS - 3  # from five high to ace high; number k ends with rank k + 3
STRAIGHTS = np.array([1 << ACE | 0b1111, *(0b11111 << low for low in range(NUM_STRAIGHTS - 1))])
"""The set of ranks of each straight."""


class HandFeatures(NamedTuple):
    """The made hand and the draws of hole cards on a board; each field is a number or an array.

    A draw is one card short of a straight (gutshots count), or of a flush, that uses a hole card; it is False if
    there is a straight, or a flush, already.

    Attributes
    ----------
    category : int or ndarray of int64
        The category of the made hand of hole cards and board, a place in `CATEGORIES`.
    rank : int or ndarray of int64
        The rank of the made hand, 0 (two) to 12 (ace).
    overcards : int or ndarray of int64
        The number of hole cards whose rank is higher than that of every card on the board.
    beats_board : bool or ndarray of bool
        Whether category and rank together are higher than those of the board alone.
    straight_draw, flush_draw : bool or ndarray of bool
        Whether the hand lacks one card for a straight, or for a flush.
    """

    category: Any
    rank: Any
    overcards: Any
    beats_board: Any
    straight_draw: Any
    flush_draw: Any


def find_hand_features(hole: ArrayLike | str, board: ArrayLike | str) -> HandFeatures:
    """Return the made hands and the draws of hole cards on boards.

    Parameters
    ----------
    hole : array_like of integers, shape (..., 2), or str
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or str
        Other axes are broadcast against those of `hole`.

    Returns
    -------
    HandFeatures
        Numbers, or arrays of shape (...,).

    Raises
    ------
    CardError
        If a card is none or appears twice, or a shape does not fit.

    Examples
    --------
    >>> features = find_hand_features("Ah 5h", "Kh 8h 4s 3s")
    >>> CATEGORIES[features.category], int(features.rank), int(features.overcards)
    ('high card', 12, 1)
    >>> bool(features.straight_draw), bool(features.flush_draw)
    (True, True)
    """
    holes, boards = validate_hole_and_board(hole, board)
    shape = holes.shape[:-1]
    num_hands = int(np.prod(shape))
    features = np.empty((num_hands, len(HandFeatures._fields)), np.int64)
    fill_hand_features(
        holes.reshape(num_hands, 2), boards.reshape(num_hands, boards.shape[-1]), features
    )

    category, rank, overcards, *flags = (column.reshape(shape) for column in features.T)
    return HandFeatures(category, rank, overcards, *(flag.astype(bool) for flag in flags))


@kernel
def fill_hand_features(holes: Cards, boards: Cards, out_features: NDArray[np.int64]) -> None:
    """Write the fields of `HandFeatures` of hole cards on boards.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
    boards : ndarray of uint8, shape (n, k)
    out_features : ndarray of int64, shape (n, 6)
        Overwritten, with a column for each field.
    """
    for row in range(holes.shape[0]):
        hole = CARD_BITS[holes[row, 0]] + CARD_BITS[holes[row, 1]]
        board = np.int64(0)
        for place in range(boards.shape[1]):
            board += CARD_BITS[boards[row, place]]
        made = find_made_hand(hole | board)
        out_features[row, 0] = made // NUM_RANKS
        out_features[row, 1] = made % NUM_RANKS
        out_features[row, 2] = count_overcards(hole, board)
        out_features[row, 3] = board == 0 or made > find_made_hand(board)
        out_features[row, 4] = has_straight_draw(hole, board)
        out_features[row, 5] = has_flush_draw(hole, board)


@inlined
def select_suit_ranks(cards: np.int64, suit: int) -> np.int64:
    """Return the set of ranks that a set of cards has in a suit, 13 bits from two to ace.

    A set of cards has 16 bits for each suit.
    """
    return cards >> (MASK_BITS * suit) & RANK_MASK


@inlined
def unite_suit_ranks(cards: np.int64) -> np.int64:
    """Return the set of ranks of a set of cards, whatever their suits, 13 bits from two to ace.

    A set of cards has 16 bits for each suit.
    """
    return (cards | cards >> MASK_BITS | cards >> 2 * MASK_BITS | cards >> 3 * MASK_BITS) & (
        RANK_MASK
    )


@inlined
def find_top_straight(ranks: np.int64) -> int:
    """Return the highest rank of the highest straight in a set of ranks, or -1 if there is none.

    The straights of `STRAIGHTS` are in ascending order, beginning with 5 4 3 2 A, whose highest rank is 3 (a five).
    """
    for straight in range(NUM_STRAIGHTS - 1, -1, -1):
        if ranks & STRAIGHTS[straight] == STRAIGHTS[straight]:
            return straight + 3
    return -1


@inlined
def find_made_hand(cards: np.int64) -> int:
    """Return the made hand of a set of one to seven cards, encoded as its category times 13, plus its rank.

    The set has 16 bits for each suit, of which the lowest 13 stand for the ranks from two to ace. The categories are
    tried from the strongest to the weakest. Of two pair the rank is that of the higher pair, of a full house that of
    the three cards, and otherwise the highest rank that belongs to the made hand.
    """
    # The sets of ranks that at least one, two, three and four of the suits hold.
    a, b = select_suit_ranks(cards, 0), select_suit_ranks(cards, 1)
    c, d = select_suit_ranks(cards, 2), select_suit_ranks(cards, 3)
    once = a | b | c | d
    twice = a & b | c & d | (a | b) & (c | d)
    thrice = a & b & (c | d) | c & d & (a | b)
    four = a & b & c & d

    flush = np.int64(0)  # the ranks of a suit with five cards or more
    for suit in range(4):
        if NUM_OF_RANKS[select_suit_ranks(cards, suit)] >= 5:
            flush = select_suit_ranks(cards, suit)

    if flush and find_top_straight(flush) >= 0:
        return STRAIGHT_FLUSH * NUM_RANKS + find_top_straight(flush)
    if four:
        return FOUR * NUM_RANKS + int(HIGHEST_OF_RANKS[four])
    # Ranks that appear three times are in `twice`, too, so with three of a kind one more rank in `twice` is needed.
    if thrice and NUM_OF_RANKS[twice] >= 2:
        return FULL_HOUSE * NUM_RANKS + int(HIGHEST_OF_RANKS[thrice])
    if flush:
        return FLUSH * NUM_RANKS + int(HIGHEST_OF_RANKS[flush])
    top = find_top_straight(once)
    if top >= 0:
        return STRAIGHT * NUM_RANKS + top
    if thrice:
        return THREE * NUM_RANKS + int(HIGHEST_OF_RANKS[thrice])
    if twice:
        category = TWO_PAIR if NUM_OF_RANKS[twice] >= 2 else PAIR
        return category * NUM_RANKS + int(HIGHEST_OF_RANKS[twice])
    return HIGH_CARD * NUM_RANKS + int(HIGHEST_OF_RANKS[once])


@inlined
def count_overcards(hole: np.int64, board: np.int64) -> int:
    """Return how many of the two hole cards have a higher rank than all cards on the board.

    Parameters
    ----------
    hole, board : int64
        Sets of cards, with 16 bits for each suit. All cards are above an empty board.
    """
    lowest_above = HIGHEST_OF_RANKS[unite_suit_ranks(board)] + 1
    num_above = 0
    for suit in range(4):
        num_above += NUM_OF_RANKS[select_suit_ranks(hole, suit) >> lowest_above]
    return num_above


@inlined
def has_straight_draw(hole: np.int64, board: np.int64) -> bool:
    """Return whether one card more makes a straight that the board and that card alone do not have.

    The result is False if there is a straight already. `hole` and `board` are sets of cards, with 16 bits for a suit.
    """
    board_ranks = unite_suit_ranks(board)
    all_ranks = unite_suit_ranks(hole) | board_ranks
    if find_top_straight(all_ranks) >= 0:
        return False
    found = False
    for straight in STRAIGHTS:
        lacks_one = NUM_OF_RANKS[all_ranks & straight] == 4
        needs_hole_card = NUM_OF_RANKS[board_ranks & straight] < 4
        found |= lacks_one and needs_hole_card
    return found


@inlined
def has_flush_draw(hole: np.int64, board: np.int64) -> bool:
    """Return whether hole cards and board have exactly four cards of one suit, at least one of them a hole card.

    Parameters
    ----------
    hole, board : int64
        Sets of cards, with 16 bits for each suit.
    """
    found = False
    for suit in range(4):
        has_four = NUM_OF_RANKS[select_suit_ranks(hole | board, suit)] == 4
        has_hole_card = select_suit_ranks(hole, suit) != 0
        found |= has_four and has_hole_card
    return found
