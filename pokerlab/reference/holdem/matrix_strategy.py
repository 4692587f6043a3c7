"""How a matrix strategy plays, once more, in words: `pokerlab.strategies.MatrixEncoding` explains it."""

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.equity.equity import win_probability
from pokerlab.holdem.table.view import BET, SeatView

WEIGHTS_A_CELL = 3


def matrix_cell(view: SeatView, ties: str = "half") -> tuple[int, int, int, int]:
    """Return the cell that counts: street, table (0 up to four players, 1 above), strength, cost.

    Parameters
    ----------
    view : SeatView
        What the seat sees.
    ties : {'half', 'win', 'lose'}
        What a tie counts in the strength.
    """
    players = [chips for chips in np.add(view.stacks, view.paid) if chips > 0]
    strength = win_probability(view.hole, view.board, ties)
    cost = view.legal.to_call / view.stacks[view.seat]
    return view.street, int(len(players) > 4), nearest(strength), nearest(cost)


def nearest(share: float) -> int:
    """Return the place of a number from 0 to 1 among 0, 0.05, ..., 1; halfway, that of the larger."""
    return int(20 * share + 0.5)


def matrix_decision(
    genome: ArrayLike, view: SeatView, *, ties: str = "half", free_folds: bool = False
) -> int:
    """Return what a matrix strategy does: FOLD, CALL, or the chips to raise to.

    Parameters
    ----------
    genome : array_like of float, shape (10584,)
        Weights by street, table, strength, cost, and fold, call or raise.
    view : SeatView
        What the seat sees.
    ties, free_folds
        As in `pokerlab.strategies.MatrixEncoding`.
    """
    street, table, strength, cost = matrix_cell(view, ties)
    matrices = np.reshape(genome, (4, 2, 21, 21, WEIGHTS_A_CELL))
    folds, calls, raises = matrices[street, table, strength, cost].astype(float).tolist()
    if folds + calls + raises == 0:
        folds = calls = raises = 1.0
    place = view.luck * (folds + calls + raises)
    if place < folds:
        return FOLD if view.legal.to_call or free_folds else CALL
    legal = view.legal
    if place < folds + calls or legal.min_raise_to is None:
        return CALL
    return raised_by_margin(view, win_probability(view.hole, view.board, ties))


def raised_by_margin(view: SeatView, strength: float) -> int:
    """Return the raise: from the least, where a hand wins no more than it loses, to the pot."""
    legal = view.legal
    assert legal.min_raise_to is not None
    assert legal.max_raise_to is not None
    # Not the largest bet on the table: a big blind posted short is to be matched in full.
    to_match = int(view.words[BET])
    pot_sized = to_match + view.pot + legal.to_call
    margin = max(0.0, 2.0 * strength - 1.0)
    to = legal.min_raise_to + int(margin * max(0, pot_sized - legal.min_raise_to))
    return min(to, legal.max_raise_to)
