"""How hole cards stand on a board: what they make, what they lack, and what the board makes alone.

How to read it. A set of cards is an integer of 64 bits, 16 for each suit, of which 13 stand for its ranks: the sum of
the `CARD_BITS` of its cards. Sets of ranks, such as those that come twice, follow by bit operations. What cards make
is a category and one rank, that of the high card, the (higher) pair, the three, the four, or the top of a straight or
flush; kickers do not count. Any number of cards makes something; straights and flushes need five.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.cards import NUM_RANKS, Cards
from pokerlab.holdem.equity import dealt
from pokerlab.holdem.hand_rankings import CARD_BITS, CATEGORIES, MASK_BITS, RANKS_OF_SUIT

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(5, len(CATEGORIES))
HIGHEST = np.array([ranks.bit_length() - 1 for ranks in range(1 << NUM_RANKS)], np.int8)
"""For each set of ranks its highest; -1 for none."""
SIZE = np.array([ranks.bit_count() for ranks in range(1 << NUM_RANKS)], np.int8)
ACE = NUM_RANKS - 1
NUM_RUNS = NUM_RANKS - 3  # straights, from five high to ace high; number k ends with rank k + 3
RUNS = np.array([1 << ACE | 0b1111, *(0b11111 << low for low in range(NUM_RUNS - 1))])


class Standing(NamedTuple):
    """How hole cards stand on a board; numbers or arrays.

    A draw needs one card for a straight (gutshots count), or a flush, that needs a hole card; it is False where
    there is a straight, or a flush, already.
    """

    category: Any  # what hole cards and board make, a place in `CATEGORIES`
    rank: Any  # its rank, 0 (two) to 12 (ace)
    overcards: Any  # how many of the hole cards are above all cards of the board
    beats_board: Any  # whether category and rank together are higher than those of the board alone
    needs_straight: Any
    needs_flush: Any


def standing(hole: ArrayLike | str, board: ArrayLike | str) -> Standing:
    """Return how hole cards, (..., 2), stand on boards, (..., k), k in 0, 3, 4, 5.

    Examples
    --------
    >>> stands = standing("Ah 5h", "Kh 8h 4s 3s")
    >>> CATEGORIES[stands.category], int(stands.rank), int(stands.overcards)
    ('high card', 12, 1)
    >>> bool(stands.needs_straight), bool(stands.needs_flush)
    (True, True)
    """
    holes, boards = dealt(hole, board)
    shape = holes.shape[:-1]
    numbers = np.empty((int(np.prod(shape)), len(Standing._fields)), np.int64)
    fill_standings(
        holes.reshape(len(numbers), 2), boards.reshape(len(numbers), boards.shape[-1]), numbers
    )
    columns = [column.reshape(shape) for column in numbers.T]
    return Standing(*columns[:3], *(column.astype(bool) for column in columns[3:]))


@kernel
def fill_standings(holes: Cards, boards: Cards, out_numbers: NDArray[np.int64]) -> None:
    """Write the fields of `Standing` for each row of cards."""
    for row in range(holes.shape[0]):
        hole = CARD_BITS[holes[row, 0]] + CARD_BITS[holes[row, 1]]
        board = np.int64(0)
        for place in range(boards.shape[1]):
            board += CARD_BITS[boards[row, place]]
        made = made_of(hole | board)
        out_numbers[row, 0] = made // NUM_RANKS
        out_numbers[row, 1] = made % NUM_RANKS
        out_numbers[row, 2] = overcards(hole, board)
        out_numbers[row, 3] = board == 0 or made > made_of(board)
        out_numbers[row, 4] = needs_straight(hole, board)
        out_numbers[row, 5] = needs_flush(hole, board)


@inlined
def ranks_in(cards: np.int64, suit: int) -> np.int64:
    """Return the ranks that a set of cards has in a suit."""
    return cards >> (MASK_BITS * suit) & RANKS_OF_SUIT


@inlined
def ranks_of(cards: np.int64) -> np.int64:
    """Return the ranks of a set of cards, whatever their suits."""
    return (cards | cards >> MASK_BITS | cards >> 2 * MASK_BITS | cards >> 3 * MASK_BITS) & (
        RANKS_OF_SUIT
    )


@inlined
def top_run(ranks: np.int64) -> int:
    """Return the highest rank of the highest straight among the ranks, or -1."""
    for number in range(NUM_RUNS - 1, -1, -1):
        if ranks & RUNS[number] == RUNS[number]:
            return number + 3
    return -1


@inlined
def made_of(cards: np.int64) -> int:
    """Return what a set of one to seven cards makes: category times 13, plus rank."""
    a, b = ranks_in(cards, 0), ranks_in(cards, 1)
    c, d = ranks_in(cards, 2), ranks_in(cards, 3)
    once, twice = a | b | c | d, a & b | c & d | (a | b) & (c | d)
    thrice, four = a & b & (c | d) | c & d & (a | b), a & b & c & d
    flush = np.int64(0)
    for suit in range(4):
        if SIZE[ranks_in(cards, suit)] >= 5:
            flush = ranks_in(cards, suit)
    if flush and top_run(flush) >= 0:
        return STRAIGHT_FLUSH * NUM_RANKS + top_run(flush)
    if four:
        return FOUR * NUM_RANKS + int(HIGHEST[four])
    if thrice and SIZE[twice] >= 2:
        return FULL_HOUSE * NUM_RANKS + int(HIGHEST[thrice])
    if flush:
        return FLUSH * NUM_RANKS + int(HIGHEST[flush])
    run = top_run(once)
    if run >= 0:
        return STRAIGHT * NUM_RANKS + run
    if thrice:
        return THREE * NUM_RANKS + int(HIGHEST[thrice])
    if twice:
        return (TWO_PAIR if SIZE[twice] >= 2 else PAIR) * NUM_RANKS + int(HIGHEST[twice])
    return HIGH_CARD * NUM_RANKS + int(HIGHEST[once])


@inlined
def overcards(hole: np.int64, board: np.int64) -> int:
    """Return how many of the hole cards are above all cards of the board."""
    above = 0
    for suit in range(4):
        above += SIZE[ranks_in(hole, suit) >> (HIGHEST[ranks_of(board)] + 1)]
    return above


@inlined
def needs_straight(hole: np.int64, board: np.int64) -> bool:
    """Return whether one card makes a straight that the board and that card alone do not have."""
    of_board = ranks_of(board)
    both = ranks_of(hole) | of_board
    if top_run(both) >= 0:
        return False
    found = False
    for number in range(NUM_RUNS):
        found |= SIZE[both & RUNS[number]] == 4 and SIZE[of_board & RUNS[number]] < 4
    return found


@inlined
def needs_flush(hole: np.int64, board: np.int64) -> bool:
    """Return whether a suit has four cards, a hole card among them."""
    found = False
    for suit in range(4):
        found |= ranks_in(hole, suit) != 0 and SIZE[ranks_in(hole | board, suit)] == 4
    return found
