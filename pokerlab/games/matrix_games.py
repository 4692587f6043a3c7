"""Matrix games: two-player games of one simultaneous choice, which are given by two payoff matrices.

`MatrixGame` has their rules. Payoffs are stored twice: as the exact numbers that were given, such as fractions, and as
floats for computation.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import POINTS, Bools, Floats, GameError, ShapeError, Unit, freeze
from pokerlab.games.rules import EQUAL_SUMS, Decision, Number, Terminal, Turn

EXACT_INTEGERS = 2.0**53
"""Every integer whose absolute value is smaller than this can be represented exactly as a float."""


class MatrixGame:
    """The rules of a game in which two players choose a row and a column at the same time.

    Parameters
    ----------
    name : str
        The game's name.
    row_payoff, column_payoff : array_like of shape (rows, columns)
        The payoffs of the row player and of the column player.
    row_actions, column_actions : sequence of str
        The names of the rows and of the columns.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    ShapeError
        If the payoffs are not matrices with a row and a column for each action, or if there are no actions.
    """

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
        row_matrix = PayoffMatrix(row_payoff, name)
        column_matrix = PayoffMatrix(column_payoff, name)
        row_shape, column_shape = row_matrix.floats.shape, column_matrix.floats.shape
        shape = (len(row_actions), len(column_actions))
        if row_shape != shape or column_shape != shape or 0 in shape:
            raise ShapeError(
                f"payoffs of {name} have shapes {row_shape} and {column_shape}; with"
                f" {shape[0]} row actions and {shape[1]} column actions both must be {shape}."
            )

        self.name = name
        self.row_actions = tuple(row_actions)
        self.column_actions = tuple(column_actions)
        self.matrices = row_matrix, column_matrix

        largest = max(np.abs(matrix.floats).max() for matrix in self.matrices)
        with np.errstate(over="ignore"):
            sums = np.abs(row_matrix.floats + column_matrix.floats)
        self.zero_sum = bool((sums <= EQUAL_SUMS * largest).all())

    @cached_property
    def payoffs(self) -> tuple[tuple[tuple[Number, ...], ...], ...]:
        """The exact payoffs of both players, as nested tuples by player, row and column."""
        columns = range(len(self.column_actions))
        payoffs_of_players = []
        for matrix in self.matrices:
            exact_rows = []
            for row in range(len(self.row_actions)):
                exact_row = tuple(matrix.get_exact_payoff(row, column) for column in columns)
                exact_rows.append(exact_row)
            payoffs_of_players.append(tuple(exact_rows))
        return tuple(payoffs_of_players)

    @cached_property
    def row_index(self) -> dict[str, int]:
        """The index of each row by the name of its action."""
        return {action: row for row, action in enumerate(self.row_actions)}

    @cached_property
    def column_index(self) -> dict[str, int]:
        """The index of each column by the name of its action."""
        return {action: column for column, action in enumerate(self.column_actions)}

    def start(self) -> tuple[str, ...]:
        """Return the empty history, before either player has chosen."""
        return ()

    def turn(self, history: tuple[str, ...]) -> Turn:
        """Return the decision of the row player, then that of the column player, and then the terminal.

        The column player does not observe the row.

        Parameters
        ----------
        history : tuple of str
            The choices so far: at most a row and a column.

        Returns
        -------
        Decision or Terminal
            The decision, or the payoffs of both players after two choices.
        """
        if len(history) == 0:
            return Decision(0, "row", self.row_actions)
        if len(history) == 1:
            return Decision(1, "column", self.column_actions)
        row = self.row_index[history[0]]
        column = self.column_index[history[1]]
        utilities = tuple(matrix.get_exact_payoff(row, column) for matrix in self.matrices)
        return Terminal(utilities)

    def after(self, history: tuple[str, ...], action: str) -> tuple[str, ...]:
        """Return the history with one more choice.

        Parameters
        ----------
        history : tuple of str
            The choices so far.
        action : str
            The name of a row, or of a column if the row has been chosen.

        Returns
        -------
        tuple of str
            The choices including `action`.
        """
        return (*history, action)


class PayoffMatrix:
    """One player's payoff matrix, as `floats` for computation and as the exact `numbers` that were given.

    Parameters
    ----------
    payoff : array_like of shape (rows, columns)
        The payoffs.
    name : str
        The name of the game in error messages.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    """

    def __init__(self, payoff: ArrayLike, name: str) -> None:
        exact_payoffs = validate_payoffs(payoff, name)
        types = set(map(type, exact_payoffs.flat))
        are_plain = all(issubclass(kind, float | Integral) for kind in types)
        if are_plain:
            floats = exact_payoffs.astype(np.float64)
        else:
            # Other numbers first become exact: np.float32(0.1) counts as one tenth, as it is printed.
            convert_each = np.vectorize(convert_to_exact_number, otypes=[object])
            floats = convert_each(exact_payoffs).astype(np.float64)
        self.floats: Floats = floats + 0.0  # turns -0.0 into 0.0

        # If no number has lost digits, the floats are the exact numbers, which then need no memory of their own.
        are_exact_floats = are_plain and np.abs(self.floats).max(initial=0.0) < EXACT_INTEGERS
        self.numbers = self.floats if are_exact_floats else exact_payoffs
        freeze(self.floats, self.numbers)

    def get_exact_payoff(self, row: int, column: int) -> Number:
        """Return one payoff as an exact number.

        Parameters
        ----------
        row, column : int
            The indices of the row and the column, counted from 0.

        Returns
        -------
        int or Fraction
            The payoff, which is an int if it is integral.
        """
        return convert_to_exact_number(self.numbers.item(row, column))


def validate_payoffs(payoff: ArrayLike, name: str) -> np.ndarray[tuple[int, ...], np.dtype[Any]]:
    """Return a matrix of payoffs as an array of the given Python numbers, after checking that they are finite.

    Fractions and decimals remain exact, because the array has the type object.

    Parameters
    ----------
    payoff : array_like
        The payoffs: integers, floats, fractions or decimals.
    name : str
        The name of the game in error messages.

    Returns
    -------
    array of object
        The payoffs, in the shape that was given.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number, or if rows have different lengths.
    """
    if isinstance(payoff, np.ma.MaskedArray) and payoff.mask.any():
        position = describe_first_wrong_cell(np.ma.getmaskarray(payoff))
        raise GameError(
            f"payoffs of {name} are masked at {position}, counted from 1. Give a number for every cell."
        )

    try:
        array = np.array(payoff, dtype=object)
        # Large matrices have few types, so types are checked instead of numbers.
        types = set(map(type, array.flat))
        if not all(issubclass(kind, Real | Decimal) for kind in types):
            wrong_value = next(
                value for value in array.flat if not isinstance(value, Real | Decimal)
            )
            raise TypeError(f"{wrong_value!r} is not a real number")
        is_finite = np.isfinite(array.astype(np.float64))
    except (
        TypeError,
        ValueError,
        OverflowError,
    ) as error:  # NumPy raises a ValueError for ragged rows
        raise GameError(
            f"payoffs of {name} are not a matrix of numbers ({error}). Give rows of equal length."
        ) from None

    if not is_finite.all():
        raise GameError(
            f"payoffs of {name} must be finite numbers; at {describe_first_wrong_cell(~is_finite)}, counted from 1, is"
            f" {array[~is_finite][0]}."
        )

    return array


def describe_first_wrong_cell(is_wrong: Bools) -> str:
    """Return the position of the first cell that is wrong, such as '(2, 3)', for an error message.

    Parameters
    ----------
    is_wrong : array of bool
        Whether each cell is wrong. At least one is.

    Returns
    -------
    str
        The position, where rows and columns are counted from 1.
    """
    position = np.argwhere(is_wrong)[0] + 1
    return f"({', '.join(map(str, position))})"


def convert_to_exact_number(value: Any) -> Number:
    """Return a number as an int if it is integral, and otherwise as a Fraction.

    Parameters
    ----------
    value : int, float, Fraction or Decimal
        The number. A float counts as the decimal that Python prints for it, so 0.1 is one tenth.

    Returns
    -------
    int or Fraction
        The exact number.
    """
    if isinstance(value, Integral) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    fraction = Fraction(value if isinstance(value, Rational) else str(value))
    return int(fraction) if fraction.denominator == 1 else fraction


RPS_ACTIONS = ("rock", "paper", "scissors")


def make_rock_paper_scissors_rules() -> MatrixGame:
    """Make the rules of rock-paper-scissors, in which the winner gets one point from the loser.

    Returns
    -------
    MatrixGame
        The rules, with the actions `RPS_ACTIONS` of both players.
    """
    row_payoff = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    return MatrixGame("rock-paper-scissors", row_payoff, -row_payoff, RPS_ACTIONS, RPS_ACTIONS)


def make_biased_rps_rules() -> MatrixGame:
    """Make the rules of biased rock-paper-scissors, with payoffs in the ratio 50 : 25 : 5.

    Rock beats scissors by 50, paper beats rock by 25, and scissors beat paper by 5. It is the game of Shafiei,
    Sturtevant & Schaeffer (2009), which Samothrakis & Lucas (2011, section 4.1) cite, with the payoffs that Bosansky
    and others (2016) print. Every game in this ratio has the published equilibrium: 1/16, 10/16, 5/16 for rock, paper
    and scissors.

    Returns
    -------
    MatrixGame
        The rules, with the actions `RPS_ACTIONS` of both players.
    """
    row_payoff = np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0]])
    name = "biased rock-paper-scissors"
    return MatrixGame(name, row_payoff, -row_payoff, RPS_ACTIONS, RPS_ACTIONS)


def make_bimatrix_rules(
    row_payoff: ArrayLike, column_payoff: ArrayLike, name: str = "bimatrix game"
) -> MatrixGame:
    """Make the rules of the game in which two players choose at the same time, from two payoff matrices.

    The actions are called 'row 1', 'column 1' and so on.

    Parameters
    ----------
    row_payoff, column_payoff : array_like of shape (rows, columns)
        The payoffs of the row player and of the column player.
    name : str
        The game's name.

    Returns
    -------
    MatrixGame
        The rules.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    ShapeError
        If the payoffs are not matrices of the same shape.
    """
    shape = validate_payoffs(row_payoff, name).shape
    if len(shape) != 2:
        raise ShapeError(f"payoffs of {name} have shape {shape}; give a matrix (rows, columns).")
    row_actions = [f"row {row + 1}" for row in range(shape[0])]
    column_actions = [f"column {column + 1}" for column in range(shape[1])]
    return MatrixGame(name, row_payoff, column_payoff, row_actions, column_actions)


def make_identical_payoff_rules(payoff: ArrayLike) -> MatrixGame:
    """Make the rules of the game in which two players choose at the same time and get the same payoff.

    Parameters
    ----------
    payoff : array_like of shape (rows, columns)
        The payoff of both players.

    Returns
    -------
    MatrixGame
        The rules.

    Raises
    ------
    GameError
        If a payoff is missing or not a finite number.
    ShapeError
        If the payoffs are not a matrix.
    """
    return make_bimatrix_rules(payoff, payoff, "identical payoffs")
