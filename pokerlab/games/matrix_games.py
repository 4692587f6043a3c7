"""Games of one simultaneous choice, given by a payoff matrix for each player."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import POINTS, Floats, GameError, ShapeError, Unit, freeze
from pokerlab.games.rules import EQUAL_SUMS, Decision, Number, Terminal, Turn

FIRST_GAP = 2.0**53  # whole numbers below it are floats


class MatrixGame:
    """Two players choose a row and a column at the same time; payoffs are (rows, columns)."""

    unit: Unit = POINTS
    num_players = 2

    def __init__(
        self,
        name: str,
        row_payoff: ArrayLike,
        column_payoff: ArrayLike,
        row_actions: Sequence[str],
        column_actions: Sequence[str],
    ) -> None:
        first, second = Payoffs(row_payoff, name), Payoffs(column_payoff, name)
        shape = (len(row_actions), len(column_actions))
        if first.cells.shape != shape or second.cells.shape != shape or 0 in shape:
            raise ShapeError(
                f"payoffs of {name} have shapes {first.cells.shape} and {second.cells.shape}; with"
                f" {shape[0]} row actions and {shape[1]} column actions both must be {shape}."
            )
        self.name = name
        self.row_actions, self.column_actions = tuple(row_actions), tuple(column_actions)
        self.given = first, second
        largest = max(np.abs(each.cells).max() for each in self.given)
        with np.errstate(over="ignore"):
            sums = np.abs(first.cells + second.cells)
        self.zero_sum = bool((sums <= EQUAL_SUMS * largest).all())

    @cached_property
    def payoffs(self) -> tuple[tuple[tuple[Number, ...], ...], ...]:
        """What the players get, (2, rows, columns), as exact numbers."""
        rows, columns = len(self.row_actions), len(self.column_actions)
        return tuple(
            tuple(tuple(payoff.exact(i, j) for j in range(columns)) for i in range(rows))
            for payoff in self.given
        )

    @cached_property
    def places(self) -> tuple[dict[str, int], dict[str, int]]:
        """The number of each row and each column, by its action."""
        rows, columns = (
            {action: number for number, action in enumerate(actions)}
            for actions in (self.row_actions, self.column_actions)
        )
        return rows, columns

    def start(self) -> tuple[str, ...]:
        """Return the empty history."""
        return ()

    def turn(self, history: tuple[str, ...]) -> Turn:
        """Return the row player's turn, then the column player's, who has not seen the row."""
        if len(history) == 0:
            return Decision(0, "row", self.row_actions)
        if len(history) == 1:
            return Decision(1, "column", self.column_actions)
        row, column = self.places[0][history[0]], self.places[1][history[1]]
        first, second = self.given
        return Terminal((first.exact(row, column), second.exact(row, column)))

    def after(self, history: tuple[str, ...], action: str) -> tuple[str, ...]:
        """Return the history with one more choice."""
        return (*history, action)


class Payoffs:
    """A matrix of payoffs as floats, `cells`, (rows, columns), and as the exact numbers that were given."""

    def __init__(self, payoff: ArrayLike, name: str) -> None:
        given = numbers(payoff, name)
        kinds = set(map(type, given.flat))
        plain = all(issubclass(kind, float | Integral) for kind in kinds)
        floats = given if plain else np.vectorize(exact, otypes=[object])(given)
        # A zero with a sign is zero.
        self.cells: Floats = floats.astype(np.float64) + 0.0
        is_exact = plain and np.abs(self.cells).max(initial=0.0) < FIRST_GAP
        self.numbers = self.cells if is_exact else given
        freeze(self.cells, self.numbers)

    def exact(self, row: int, column: int) -> Number:
        """Return one payoff, an integer or a fraction."""
        return exact(self.numbers.item(row, column))


def numbers(payoff: ArrayLike, name: str) -> np.ndarray[tuple[int, ...], np.dtype[Any]]:
    """Return `payoff` as an array of Python's numbers, unchanged; refuse anything else."""
    if isinstance(payoff, np.ma.MaskedArray) and payoff.mask.any():
        where = ", ".join(str(place + 1) for place in np.argwhere(np.ma.getmaskarray(payoff))[0])
        raise GameError(
            f"payoffs of {name} are masked at ({where}), counted from 1. Give a number for every cell."
        )
    try:
        array = np.array(payoff, dtype=object)
        kinds = set(map(type, array.flat))
        if not all(issubclass(kind, Real | Decimal) for kind in kinds):
            wrong = next(u for u in array.flat if not isinstance(u, Real | Decimal))
            raise TypeError(f"{wrong!r} is not a real number")
        finite = np.isfinite(array.astype(np.float64))
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(
            f"payoffs of {name} are not a matrix of numbers ({error}). Give rows of equal length."
        ) from None
    if not finite.all():
        place = tuple(np.argwhere(~finite)[0].tolist())
        where = ", ".join(str(number + 1) for number in place)
        raise GameError(
            f"payoffs of {name} must be finite numbers; at ({where}), counted from 1, is {array[place]}."
        )
    return array


def exact(utility: Any) -> Number:
    """Return `utility` as an integer or a fraction: 0.1 is one tenth, as it was written."""
    if isinstance(utility, Integral) or (isinstance(utility, float) and utility.is_integer()):
        return int(utility)
    fraction = Fraction(utility if isinstance(utility, Rational) else str(utility))
    return int(fraction) if fraction.denominator == 1 else fraction


HANDS = ("rock", "paper", "scissors")


def rock_paper_scissors_rules() -> MatrixGame:
    """Return rock-paper-scissors, where a win counts one point."""
    win = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    return MatrixGame("rock-paper-scissors", win, -win, HANDS, HANDS)


def biased_rps_rules() -> MatrixGame:
    """Return biased rock-paper-scissors, payoffs 50 : 25 : 5.

    Rock beats scissors by 50, paper beats rock by 25, scissors beat paper by 5, as in the game of Shafiei, Sturtevant
    & Schaeffer (2009) that Samothrakis & Lucas (2011, section 4.1) cite, as Bosansky and others (2016) print it. The
    equilibrium that is printed, 1/16, 10/16, 5/16 for rock, paper and scissors, is that of every game in this ratio.
    """
    win = np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0]])
    return MatrixGame("biased rock-paper-scissors", win, -win, HANDS, HANDS)


def bimatrix_rules(
    row_payoff: ArrayLike, column_payoff: ArrayLike, name: str = "bimatrix game"
) -> MatrixGame:
    """Return the game with payoffs `row_payoff` and `column_payoff`, both (rows, columns)."""
    shape = numbers(row_payoff, name).shape
    if len(shape) != 2:
        raise ShapeError(f"payoffs of {name} have shape {shape}; give a matrix (rows, columns).")
    actions = [
        tuple(f"{word} {i + 1}" for i in range(k))
        for word, k in zip(("row", "column"), shape, strict=True)
    ]
    return MatrixGame(name, row_payoff, column_payoff, *actions)


def identical_payoff_rules(payoff: ArrayLike) -> MatrixGame:
    """Return the game in which both players get `payoff`, (rows, columns)."""
    return bimatrix_rules(payoff, payoff, "identical payoffs")
