"""What hands are worth against one random hand: counted, street by street.

How to read it. Before the flop, on the flop and on the turn hands stand in tables, a row for each
canonical board, its streets forgotten, and a column for each holding; a board that is like others
is met once. On the river there is a row for each kind of board that is worth the same to all
hands, and a column for each class of hole cards (`pokerlab.holdem.equity.river`).

A win counts two halves and a tie one, so that all is whole numbers.
"""

from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import kernel
from pokerlab.holdem.cards.cards import HOLDS, Cards
from pokerlab.holdem.cards.streets import BOARD_SIZES, RIVER
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.equity import NUM_COMPARISONS, split_counts
from pokerlab.holdem.equity.river import (
    FIRST,
    NUM_CLASSES,
    NUM_PLAIN,
    NUM_SUITED,
    TIES,
    TYPE,
    Sweep,
    class_of,
    find_classes,
    flush_suit,
    new_sweep,
    river_row,
    river_table,
)
from pokerlab.holdem.equity.tables import KINDS, equity_table


class Expectations(Protocol):
    """Win probabilities of all hands, whichever way they are found.

    Attributes
    ----------
    source : str
        What to call it.
    """

    source: str

    def most(self, street: int) -> int:
        """Return the halves of a hand that wins every time."""

    def halves(self, street: int, which: Ints) -> Ints:
        """Return the halves won by each hand before the river on these boards, shape (n, 1326).

        Without meaning where a holding shares a card with the board.
        """

    def river_halves(self) -> Ints:
        """Return the halves won on the river, shape (42783, 351), by kind of board and class."""


class Exact:
    """Win probabilities counted over all opponents' hands and all boards to come."""

    source = "exact"

    def most(self, street: int) -> int:
        """Return the halves of a hand that wins every time."""
        return 2 * NUM_COMPARISONS[BOARD_SIZES[street]]

    def halves(self, street: int, which: Ints) -> Ints:
        """Return the halves won by each hand before the river on these boards, shape (n, 1326)."""
        wins, ties = comparisons_on(street, which)
        return 2 * wins + ties

    def river_halves(self) -> Ints:
        """Return the halves won on the river, shape (42783, 351), by kind of board and class."""
        wins, ties = river_comparisons()
        return 2 * wins + ties


def comparisons_on(street: int, which: Ints) -> tuple[Ints, Ints]:
    """Return the wins and the ties of all holdings on some boards before the river."""
    cards = BOARD_SIZES[street]
    return split_counts(equity_table(cards)[which], KINDS[cards].ties)


def river_comparisons() -> tuple[Ints, Ints]:
    """Return the wins and the ties on the river by kind of board and class, shape (42783, 351)."""
    return split_counts(river_table()[rivers().row], TIES)


@cache
def boards_of(street: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of a street, and how many each stands for."""
    if street == 0:
        return np.empty((1, 0), np.uint8), np.ones(1, np.int64)
    return canonical_boards(BOARD_SIZES[street])


def blocked(boards: Cards) -> NDArray[np.bool_]:
    """Return whether a holding shares a card with a board: (n, k) to (n, 1326)."""
    return np.asarray(HOLDS[boards].any(axis=1))


class Rivers(NamedTuple):
    """The kinds of rivers: boards of one kind are worth the same to all hands.

    Attributes
    ----------
    board : ndarray of uint8, shape (42783, 5)
        One board of each kind.
    times : ndarray of int64, shape (42783,)
        How many boards are of the kind; they sum to all boards.
    row : ndarray of int64, shape (42783,)
        Its row in the river table.
    kind : ndarray of int64
        The kind that has a row of the river table; 0 for rows that are not used.
    hands : ndarray of int64, shape (42783, 351)
        How many hands are in each class.
    """

    board: Cards
    times: Ints
    row: Ints
    kind: Ints
    hands: Ints


@cache
def rivers() -> Rivers:
    """Return the kinds of rivers."""
    boards, multiplicities = boards_of(RIVER)
    rows = np.empty(len(boards), np.int64)
    fill_river_rows(boards, rows)
    row, which, kind = np.unique(rows, return_index=True, return_inverse=True)
    times = np.zeros(len(row), np.int64)
    np.add.at(times, kind, multiplicities)
    kind_of_row = np.zeros(NUM_PLAIN + NUM_SUITED, np.int64)
    kind_of_row[row] = np.arange(len(row))
    hands = np.zeros((len(row), NUM_CLASSES), np.int64)
    fill_class_sizes(boards[which], new_sweep(), hands)
    return Rivers(boards[which], times, row, kind_of_row, hands)


@kernel
def fill_river_rows(boards: Cards, out_rows: Ints) -> None:
    """Write the row of the river table that each board has."""
    for number in range(boards.shape[0]):
        out_rows[number] = river_row(boards[number], flush_suit(boards[number]))


@kernel
def fill_class_sizes(boards: Cards, sweep: Sweep, out_hands: Ints) -> None:
    """Write how many hands are in each class that a board leaves possible."""
    left = sweep.cards_left
    for number in range(boards.shape[0]):
        num_classes = find_classes(boards[number], flush_suit(boards[number]), sweep)
        for place in range(num_classes):
            one, two = sweep.classes[place] >> FIRST & TYPE, sweep.classes[place] & TYPE
            pairs = left[one] * (left[one] - 1) // 2 if one == two else left[one] * left[two]
            out_hands[number, class_of(one, two)] = pairs
