"""Checks of the table and the pointer of a profile of bucketed limit hold'em.

The table has the probabilities of fold, call and raise, and the pointer has the row of the table for each decision.
"""

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints
from pokerlab.core.errors import ProbabilityError, ShapeError
from pokerlab.holdem.betting_tree import PublicTree
from pokerlab.holdem.buckets import SUM_TOLERANCE
from pokerlab.holdem.hand import ACTIONS

PROFILE_WANTED = "a profile of bucketed hold'em, such as bucketed_limit_holdem(6).uniform()"


def validate_pointer(pointer: ArrayLike, num_decisions: int, num_rows: int, game_name: str) -> Ints:
    """Return a checked copy of a profile's pointer, which has the row of the table for each decision.

    Parameters
    ----------
    pointer : array_like of int, shape (D,)
        The row of the table for each of the game's D decisions.
    num_decisions : int
        The number D of decisions of the game.
    num_rows : int
        The number of rows of the table.
    game_name : str
        The name of the game in error messages.

    Returns
    -------
    ndarray of int64, shape (D,)
        The row of each decision.

    Raises
    ------
    ShapeError
        If the pointer has another shape or type, or names a row that the table does not have.
    """
    rows = np.array(pointer)
    expected_shape = (num_decisions,)
    if rows.shape != expected_shape or not np.issubdtype(rows.dtype, np.integer):
        raise ShapeError(
            f"pointer has shape {rows.shape} and type {rows.dtype}; {game_name} needs integers of"
            f" shape {expected_shape}, such as game.tree.situation."
        )
    if rows.min() < 0 or rows.max() >= num_rows:
        raise ShapeError(
            f"pointer names rows {rows.min()} to {rows.max()}; the table has rows 0 to {num_rows - 1}."
        )
    return rows.astype(np.int64)


def check_profile_table(
    table: Floats, pointer: Ints, tree: PublicTree, bucket_counts: tuple[int, ...], game_name: str
) -> None:
    """Raise an error unless a table has valid probabilities for all decisions of a game.

    Parameters
    ----------
    table : ndarray of shape (rows, B, 3)
        The probabilities of fold, call and raise with each of B buckets.
    pointer : ndarray of int64, shape (D,)
        The row of the table for each of D decisions.
    tree : PublicTree
        The public tree of the game.
    bucket_counts : tuple of 4 int
        The number of buckets on each street. B is the largest of them.
    game_name : str
        The name of the game in error messages.

    Raises
    ------
    ShapeError
        If the table has another shape, or fewer rows than the pointer names.
    ProbabilityError
        If a number is not between 0 and 1, an impossible action has a positive probability, or the probabilities of a
        decision do not sum to one.
    """
    most_buckets = max(bucket_counts)
    num_rows = len(table) if table.ndim else 0
    expected_shape = (num_rows, most_buckets, len(ACTIONS))
    if table.shape != expected_shape or pointer.max() >= num_rows:
        raise ShapeError(
            f"table has shape {table.shape}; {game_name} needs (rows, {most_buckets}, 3), with {len(tree.situations)}"
            f" rows for a tuple table or {tree.num_decisions} for all decisions. Start from game.uniform()."
        )
    # Decisions in different situations may share a row, so each pair of a row and a situation is checked once.
    row_and_situation = pointer * len(tree.situations) + tree.situation
    decisions = np.unique(row_and_situation, return_index=True)[1]
    situations = tree.situation[decisions]
    probabilities = table[pointer[decisions]]
    street = np.array([tree.situations[situation].street for situation in situations])
    num_buckets = np.array(bucket_counts)[street]
    bucket_exists = np.arange(most_buckets) < num_buckets[:, None]

    # For each remedy of an error, the decisions and buckets with this error. The first error is reported.
    is_in_range = (probabilities >= 0.0) & (probabilities <= 1.0 + SUM_TOLERANCE)
    is_illegal = (probabilities * ~tree.is_legal[decisions, None, :]).any(axis=-1)
    is_sum_one = abs(probabilities.sum(axis=-1) - 1) <= SUM_TOLERANCE
    faults = {
        "give numbers from 0 to 1": ~is_in_range.all(axis=-1),
        "a fold needs something to call, a raise room below the cap": is_illegal,
        "they must sum to 1; normalize them first": ~is_sum_one,
    }
    for remedy, is_wrong in faults.items():
        wrong_entries = np.argwhere(is_wrong & bucket_exists)
        if len(wrong_entries):
            index, bucket = wrong_entries[0]
            wrong_probabilities = probabilities[index, bucket]
            probabilities_text = ", ".join(map("{} {:.12g}".format, ACTIONS, wrong_probabilities))
            situation = tree.situations[situations[index]]
            raise ProbabilityError(
                f"probabilities {situation}, bucket {bucket}, are {probabilities_text}; {remedy}."
            )
