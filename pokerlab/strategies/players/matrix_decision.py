"""How a matrix strategy plays: find the cell of strength and cost, draw one of its three weights.

`pokerlab.strategies.players.matrix_encoding` explains strength, cost, and the sizes of raises.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.betting.actions import CALL, FOLD, NUM_ACTIONS
from pokerlab.holdem.cards.deck import BOARD_SIZES, STREETS
from pokerlab.holdem.equity.lookup import EquityTables, lookup_tables, win_probability_on
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Luck

Weights: TypeAlias = NDArray[np.float32]

LEVELS = 21
"""Of strength and of cost: 0, 0.05, ..., 1."""
TABLES = ("up to four players", "five or more")
MOST_AT_A_SMALL_TABLE = 4
SHAPE = (len(STREETS), len(TABLES), LEVELS, LEVELS, NUM_ACTIONS)
"""Axes of a genome: street, table, strength, cost, action (fold, call, raise)."""
NUM_WEIGHTS = len(STREETS) * len(TABLES) * LEVELS * LEVELS * NUM_ACTIONS


class MatrixAnswer(NamedTuple):
    """What answers for matrix strategies that read the table alike: call it as a compiled player's kernel."""

    tie: float  # what a tie counts
    free_folds: bool  # whether a fold stands where nothing is owed

    def __call__(
        self, views: Ints, asked: Rows, parameters: Weights, luck: Luck, out_actions: Luck
    ) -> None:
        """Answer as `pokerlab.holdem.table.players` has it; parameters are genomes."""
        follow_matrices(lookup_tables(), self, views, asked, parameters, luck, out_actions)


@kernel
def follow_matrices(
    equity: EquityTables,
    reading: MatrixAnswer,
    views: Ints,
    asked: Rows,
    parameters: Weights,
    luck: Luck,
    out_actions: Luck,
) -> None:
    """Write what players whose numbers are matrix strategies do."""
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for row in asked:
        view = views[row]
        hole[0], hole[1] = view[at.HOLE], view[at.HOLE + 1]
        size = BOARD_SIZES[view[at.STREET]]
        for place in range(size):
            board[place] = view[at.BOARD + place]
        strength = win_probability_on(equity, hole, board[:size], reading.tie)
        cell, genome = cell_of(view, strength), parameters[view[at.PARAMETERS]]
        # As 64-bit numbers their sum is exact, or nearly.
        fold, call, raising = float(genome[cell]), float(genome[cell + 1]), float(genome[cell + 2])
        action = drawn(fold, call, raising, luck[row])
        if action > CALL:
            action = raise_to(view, strength)
        elif action == FOLD and view[at.TO_CALL] == 0 and not reading.free_folds:
            action = CALL
        out_actions[row] = action


@inlined
def cell_of(view: Ints, strength: float) -> int:
    """Return where in a genome the three weights for a situation begin."""
    players = 0
    for seat in range(view[at.SEATS]):
        players += view[at.STACKS + seat] + view[at.PAID + seat] > 0
    table = 0 if players <= MOST_AT_A_SMALL_TABLE else 1
    cost = view[at.TO_CALL] / view[at.STACKS + view[at.SEAT]]
    matrix = view[at.STREET] * len(TABLES) + table
    return int(((matrix * LEVELS + level(strength)) * LEVELS + level(cost)) * NUM_ACTIONS)


@inlined
def level(share: float) -> int:
    """Return the nearest of the levels."""
    return int(share * (LEVELS - 1) + 0.5)


@inlined
def drawn(fold: float, call: float, raising: float, luck: float) -> int:
    """Return FOLD, CALL, or 1 for a raise, in proportion to the weights."""
    total = fold + call + raising
    if total == 0.0:
        return int(luck * NUM_ACTIONS) + FOLD
    if luck * total < fold:
        return FOLD
    return CALL if luck * total < fold + call else 1


@inlined
def raise_to(view: Ints, strength: float) -> int:
    """Return the chips to raise to, or a call where no raise is legal."""
    least = view[at.MIN_RAISE_TO]
    if least == 0:
        return CALL
    pot_sized = view[at.BET] + view[at.TO_CALL] + view[at.POT]
    margin = max(0.0, 2.0 * strength - 1.0)
    to = least + int(margin * max(0, pot_sized - least))
    return int(min(to, view[at.MAX_RAISE_TO]))
