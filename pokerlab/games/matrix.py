"""Games of one simultaneous choice, given by a payoff matrix for each player."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import POINTS, GameError, ShapeError, Unit
from pokerlab.games.rules import Decision, Number, Terminal, Turn


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
        first, second = numbers(row_payoff, name), numbers(column_payoff, name)
        shape = (len(row_actions), len(column_actions))
        if first.shape != shape or second.shape != shape or 0 in shape:
            raise ShapeError(
                f"payoffs of {name} have shapes {first.shape} and {second.shape}; with"
                f" {shape[0]} row actions and {shape[1]} column actions both must be {shape}."
            )
        self.name = name
        self.row_actions, self.column_actions = tuple(row_actions), tuple(column_actions)
        self.payoffs = tuple(
            tuple(tuple(exact(u) for u in row) for row in payoff.tolist())
            for payoff in (first, second)
        )
        self.zero_sum = all(
            a + b == 0
            for row_a, row_b in zip(*self.payoffs, strict=True)
            for a, b in zip(row_a, row_b, strict=True)
        )

    def start(self) -> tuple[str, ...]:
        """Return the empty history."""
        return ()

    def turn(self, history: tuple[str, ...]) -> Turn:
        """Return the row player's turn, then the column player's, who has not seen the row."""
        if len(history) == 0:
            return Decision(0, "row", self.row_actions)
        if len(history) == 1:
            return Decision(1, "column", self.column_actions)
        row, column = self.row_actions.index(history[0]), self.column_actions.index(history[1])
        return Terminal((self.payoffs[0][row][column], self.payoffs[1][row][column]))

    def after(self, history: tuple[str, ...], action: str) -> tuple[str, ...]:
        """Return the history with one more choice."""
        return (*history, action)


def numbers(payoff: ArrayLike, name: str) -> np.ndarray[tuple[int, ...], np.dtype[Any]]:
    """Return `payoff` as an array of Python's numbers, unchanged; refuse anything else."""
    try:
        array = np.asarray(payoff, dtype=object)
        for utility in array.flat:
            if not isinstance(utility, Real | Decimal):
                raise TypeError(f"{utility!r} is not a real number")
        finite = np.isfinite(array.astype(np.float64)).all()
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(
            f"payoffs of {name} are not a matrix of numbers ({error}). Give rows of equal length."
        ) from None
    if not finite:
        raise GameError(f"payoffs of {name} must be finite numbers; they are {array.tolist()}.")
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
