"""Made hands and draws: what hole cards make with a board, what they draw to, and what the board makes alone.

A set of cards is an integer of 64 bits: the sum of the `CARD_BITS` of its cards. It has 16 bits for each suit, of which
the lowest 13 stand for the ranks from two to ace. A set of ranks is an integer of 13 bits. So the ranks that occur
twice, for example, are found by bit operations.

A *made hand* is a category, such as a pair, and one rank: that of the high card, of the (higher) pair, of the three or
four cards, or the highest of a straight or flush. Kickers do not count. Any number of cards makes a hand, but straights
and flushes need five. Kernels store a made hand as one number, its category times 13, plus its rank.
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
NUM_STRAIGHTS = NUM_RANKS - 3
STRAIGHTS = np.array([1 << ACE | 0b1111, *(0b11111 << low for low in range(NUM_STRAIGHTS - 1))])
"""The set of ranks of each straight, from the lowest straight, 5 4 3 2 A, to the highest."""
TOP_RANK_OF_FIRST_STRAIGHT = 3  # a five


class HandFeatures(NamedTuple):
    """The made hand and the draws of hole cards on a board; each field is a number or an array.

    A draw is one card short of a straight (gutshots count) or of a flush, and needs a hole card. It is False if there
    is a straight, or a flush, already.

    Attributes
    ----------
    category : int or ndarray of int64
        The category of the made hand of hole cards and board, as an index of `CATEGORIES`.
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

    A made hand is a category, such as a pair, and one rank. A draw lacks one card for a straight or a flush.

    Parameters
    ----------
    hole : array_like of integers, shape (..., 2), or str
        The two hole cards of one hand or of many, as numbers or as text such as 'Ah 5h'.
    board : array_like of integers, shape (..., k), k in 0, 3, 4, 5, or str
        The k cards of one board or of many. The axes before the last are broadcast against those of `hole`.

    Returns
    -------
    HandFeatures
        Its fields are numbers for one hand on one board, or arrays of shape (...,).

    Raises
    ------
    CardError
        If a card is not valid or appears twice, or a shape does not fit.

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

    category, rank, overcards, beats_board, straight_draw, flush_draw = features.T
    return HandFeatures(
        category=category.reshape(shape),
        rank=rank.reshape(shape),
        overcards=overcards.reshape(shape),
        beats_board=beats_board.reshape(shape).astype(bool),
        straight_draw=straight_draw.reshape(shape).astype(bool),
        flush_draw=flush_draw.reshape(shape).astype(bool),
    )


@kernel
def fill_hand_features(holes: Cards, boards: Cards, out_features: NDArray[np.int64]) -> None:
    """Write the made hand and the draws of each hand: the fields of `HandFeatures`.

    Parameters
    ----------
    holes : ndarray of uint8, shape (n, 2)
        The two hole cards of each of n hands. Cards are not checked.
    boards : ndarray of uint8, shape (n, k)
        The board of each hand, of k cards.
    out_features : ndarray of int64, shape (n, 6)
        Overwritten, with a column for each field of `HandFeatures`, in their order. A flag is 0 or 1.
    """
    for row in range(holes.shape[0]):
        hole = CARD_BITS[holes[row, 0]] + CARD_BITS[holes[row, 1]]
        board = np.int64(0)
        for position in range(boards.shape[1]):
            board += CARD_BITS[boards[row, position]]

        made_hand = find_made_hand(hole | board)
        # The columns are the fields of `HandFeatures`, in their order.
        out_features[row, 0] = made_hand // NUM_RANKS
        out_features[row, 1] = made_hand % NUM_RANKS
        out_features[row, 2] = count_overcards(hole, board)
        out_features[row, 3] = board == 0 or made_hand > find_made_hand(board)
        out_features[row, 4] = has_straight_draw(hole, board)
        out_features[row, 5] = has_flush_draw(hole, board)


@inlined
def select_ranks_of_suit(cards: np.int64, suit: int) -> np.int64:
    """Return the set of ranks that the cards of one suit have, in a set of cards.

    Parameters
    ----------
    cards : int64
        A set of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.
    suit : int
        The suit, 0 (clubs) to 3 (spades).

    Returns
    -------
    int64
        13 bits, from the two in the lowest bit to the ace.
    """
    return cards >> (MASK_BITS * suit) & RANK_MASK


@inlined
def select_ranks_of_all_suits(cards: np.int64) -> np.int64:
    """Return the set of ranks that the cards of all suits together have, in a set of cards.

    Parameters
    ----------
    cards : int64
        A set of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.

    Returns
    -------
    int64
        13 bits, from the two in the lowest bit to the ace.
    """
    suits_0_and_1 = cards | cards >> MASK_BITS
    all_suits = suits_0_and_1 | suits_0_and_1 >> 2 * MASK_BITS
    return all_suits & RANK_MASK


@inlined
def find_top_rank_of_straight(ranks: np.int64) -> int:
    """Return the highest rank of the highest straight in a set of ranks, or -1 if there is no straight.

    The lowest straight is 5 4 3 2 A, in which the ace counts as one and the highest rank is 3 (a five).

    Parameters
    ----------
    ranks : int64
        A set of ranks, 13 bits from two to ace.
    """
    for index in range(NUM_STRAIGHTS - 1, -1, -1):
        is_complete = ranks & STRAIGHTS[index] == STRAIGHTS[index]
        if is_complete:
            return index + TOP_RANK_OF_FIRST_STRAIGHT
    return -1


@inlined
def find_made_hand(cards: np.int64) -> int:
    """Return the made hand of a set of one to seven cards, encoded as its category times 13, plus its rank.

    The categories are those of `CATEGORIES`, tried from the strongest to the weakest. The rank of two pair is that of
    the higher pair, and the rank of a full house is that of the three cards. Otherwise it is the highest rank that
    belongs to the made hand.

    Parameters
    ----------
    cards : int64
        The set of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.
    """
    # The sets of ranks that at least one, two, three and four of the suits have.
    clubs, diamonds = select_ranks_of_suit(cards, 0), select_ranks_of_suit(cards, 1)
    hearts, spades = select_ranks_of_suit(cards, 2), select_ranks_of_suit(cards, 3)
    ranks_of_any_minor, ranks_of_both_minors = clubs | diamonds, clubs & diamonds
    ranks_of_any_major, ranks_of_both_majors = hearts | spades, hearts & spades
    singles = ranks_of_any_minor | ranks_of_any_major
    pairs = ranks_of_both_minors | ranks_of_both_majors | ranks_of_any_minor & ranks_of_any_major
    triples = ranks_of_both_minors & ranks_of_any_major | ranks_of_both_majors & ranks_of_any_minor
    quadruples = ranks_of_both_minors & ranks_of_both_majors

    flush_ranks = np.int64(0)  # of the suit with five cards or more
    for suit in range(4):
        suit_ranks = select_ranks_of_suit(cards, suit)
        if NUM_OF_RANKS[suit_ranks] >= 5:
            flush_ranks = suit_ranks

    if flush_ranks:
        top_rank = find_top_rank_of_straight(flush_ranks)
        if top_rank >= 0:
            return STRAIGHT_FLUSH * NUM_RANKS + top_rank
    if quadruples:
        return FOUR * NUM_RANKS + int(HIGHEST_OF_RANKS[quadruples])
    # A rank that appears three times is in `pairs`, too, so a full house needs one more rank there.
    if triples and NUM_OF_RANKS[pairs] >= 2:
        return FULL_HOUSE * NUM_RANKS + int(HIGHEST_OF_RANKS[triples])
    if flush_ranks:
        return FLUSH * NUM_RANKS + int(HIGHEST_OF_RANKS[flush_ranks])
    top_rank = find_top_rank_of_straight(singles)
    if top_rank >= 0:
        return STRAIGHT * NUM_RANKS + top_rank
    if triples:
        return THREE * NUM_RANKS + int(HIGHEST_OF_RANKS[triples])
    if pairs:
        category = TWO_PAIR if NUM_OF_RANKS[pairs] >= 2 else PAIR
        return category * NUM_RANKS + int(HIGHEST_OF_RANKS[pairs])
    return HIGH_CARD * NUM_RANKS + int(HIGHEST_OF_RANKS[singles])


@inlined
def count_overcards(hole: np.int64, board: np.int64) -> int:
    """Return how many of the two hole cards have a higher rank than all cards on the board.

    Both hole cards are overcards of an empty board.

    Parameters
    ----------
    hole, board : int64
        Sets of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.
    """
    lowest_rank_above = HIGHEST_OF_RANKS[select_ranks_of_all_suits(board)] + 1
    num_overcards = 0
    for suit in range(4):
        ranks_above = select_ranks_of_suit(hole, suit) >> lowest_rank_above
        num_overcards += NUM_OF_RANKS[ranks_above]
    return num_overcards


@inlined
def has_straight_draw(hole: np.int64, board: np.int64) -> bool:
    """Return whether one more card makes a straight with hole cards and board, but not with the board alone.

    A hand that has a straight already has no draw.

    Parameters
    ----------
    hole, board : int64
        Sets of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.
    """
    board_ranks = select_ranks_of_all_suits(board)
    all_ranks = select_ranks_of_all_suits(hole) | board_ranks
    if find_top_rank_of_straight(all_ranks) >= 0:
        return False
    has_draw = False
    for straight in STRAIGHTS:
        lacks_one = NUM_OF_RANKS[all_ranks & straight] == 4
        needs_hole_card = NUM_OF_RANKS[board_ranks & straight] < 4
        has_draw |= lacks_one and needs_hole_card
    return has_draw


@inlined
def has_flush_draw(hole: np.int64, board: np.int64) -> bool:
    """Return whether hole cards and board have exactly four cards of one suit, at least one of them a hole card.

    Parameters
    ----------
    hole, board : int64
        Sets of cards, with 16 bits for each suit. The lowest 13 of them stand for the ranks.
    """
    has_draw = False
    for suit in range(4):
        has_four = NUM_OF_RANKS[select_ranks_of_suit(hole | board, suit)] == 4
        has_hole_card = select_ranks_of_suit(hole, suit) != 0
        has_draw |= has_four and has_hole_card
    return has_draw
