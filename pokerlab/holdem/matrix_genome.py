"""Strategies as matrices over hand strength and cost, as Beattie et al. (2007) evolve them.

Whoever is to act looks up two numbers: how strong its hand is, and what share of its chips a call
costs. The cell where they meet has three weights, for fold, call and raise, and one of the three is
drawn in proportion. There is a matrix of such cells for each street and for small and large tables.

We have the paper's abstract only. Sizes, scales and amounts below are ours, and so is the head start.

References
----------
.. [1] B. Beattie, G. Nicolai, D. Gerhard, R. Hilderman, "Pattern classification in no-limit poker: A
   head-start evolutionary approach", Canadian Conference on AI 2007, pages 204-215.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from pokerlab.core import Ints, ShapeError, inlined, kernel
from pokerlab.core.settings import Checked, setting, unprinted, whole
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import BOARD_SIZES, STREETS
from pokerlab.holdem.equity import TIES_WON, EquityTables, lookup_tables, win_probability_on
from pokerlab.holdem.hand import CALL, FOLD, NUM_ACTIONS
from pokerlab.holdem.players import CompiledPlayer, Rows, compiled_players
from pokerlab.holdem.table_view import Luck
from pokerlab.strategies.encoding import read_genomes

Weights: TypeAlias = NDArray[np.float32]

LEVELS = 21  # of strength and of cost: 0, 0.05, ..., 1
TABLES = ("up to four players", "five or more")
MOST_AT_A_SMALL_TABLE = 4
SHAPE = (len(STREETS), len(TABLES), LEVELS, LEVELS, NUM_ACTIONS)
"""Axes of a genome: street, table, strength, cost, action (fold, call, raise)."""
NUM_WEIGHTS = len(STREETS) * len(TABLES) * LEVELS * LEVELS * NUM_ACTIONS
STARTS = ("head start", "scratch")


def of_start(default: float, label: str, help: str, *, low: float = 0.0, **about: Any) -> Any:
    """Return a setting of the head start, up to 1."""
    about |= {"source": "ours", "low": low, "high": 1.0, "silent": True}
    return setting(default, label=label, help=help, **about)


class MatrixAnswer(NamedTuple):
    """What answers for matrix strategies that read the table alike: call it as a compiled player's kernel."""

    tie: float  # what a tie counts
    free_folds: bool  # whether a fold stands where nothing is owed

    def __call__(
        self, views: Ints, asked: Rows, parameters: Weights, luck: Luck, out_actions: Luck
    ) -> None:
        """Answer as `pokerlab.holdem.players` has it; parameters are genomes."""
        follow_matrices(lookup_tables(), self, views, asked, parameters, luck, out_actions)


@dataclass(frozen=True, kw_only=True)
class MatrixEncoding(Checked):
    """What the 10,584 weights of a matrix strategy mean, and where they begin.

    Strength is the exact probability to win against one random hand. Cost is the share of the seat's
    chips that a call takes: 0 for a check, 1 for all-in. Both are rounded to the nearest of 21
    levels. Of how many players a table has, those count who have chips or a part in the pot.

    A raise is between the least and the size of the pot after a call, linear in the margin of strength 2 s - 1 (the
    chance to win less the chance to lose; below 0 the least), then cut to what is legal. Where no raise is legal, it
    is a call. If all three weights are zero, each of the three is as likely.

    Examples
    --------
    >>> encoding = MatrixEncoding()
    >>> encoding.random(np.random.default_rng(1), 5).shape
    (5, 10584)
    >>> preflop_at_a_full_table = encoding.matrices(encoding.head_start())[0, 1]
    >>> preflop_at_a_full_table[17, 0].astype(float).round(2).tolist()
    [0.0, 0.02, 1.0]
    """

    start: str = setting(
        "head start",
        "An expert's weights with noise, or uniform weights.",
        source="Beattie et al. 2007",
        choices=STARTS,
    )
    ties: str = unprinted(
        "half", "What a tie counts in the strength of a hand.", choices=tuple(TIES_WON)
    )
    free_folds: bool = unprinted(
        False,
        "Whether it folds where it could check, if the structure allows it.",
        label="Folds for free",
    )
    fold_below: float = of_start(
        0.3, "Folds below", "The strength below which the head start folds where a call is free."
    )
    fold_slope: float = of_start(
        0.4,
        "Folds below, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    raise_above: float = of_start(
        0.55, "Raises above", "The strength above which the head start raises where a call is free."
    )
    raise_slope: float = of_start(
        0.45,
        "Raises above, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    spread: float = of_start(
        0.1,
        "Spread of the lines",
        "The deviation of both lines; their weights are normal distribution functions.",
        low=0.001,
    )
    call_width: float = of_start(
        0.2,
        "Width of calling",
        "The deviation of the normal curve, of height 1 on the line of folding, that a call weighs.",
        low=0.001,
    )
    noise: float = of_start(
        0.1,
        "Noise on the head start",
        "The deviation on each weight of a first generation; weights stay between 0 and 1.",
        needs=lambda encoding: encoding.start == "head start",
    )

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    @property
    def num_genes(self) -> int:
        """G: 10,584."""
        return NUM_WEIGHTS

    @property
    def answer(self) -> MatrixAnswer:
        """What answers for these strategies at a table; equal for equal readings."""
        return MatrixAnswer(TIES_WON[self.ties], self.free_folds)

    def head_start(self) -> Weights:
        """Return the genome, (G,), that an expert would begin with: alike on all streets and tables."""
        strength, cost = np.meshgrid(*[np.linspace(0.0, 1.0, LEVELS)] * 2, indexing="ij")
        folds = self.fold_below + self.fold_slope * cost
        raises = self.raise_above + self.raise_slope * cost
        weights = np.stack(
            [
                ndtr((folds - strength) / self.spread),
                np.exp(-0.5 * ((strength - folds) / self.call_width) ** 2),
                ndtr((strength - raises) / self.spread),
            ],
            axis=-1,
        )
        genome: Weights = np.broadcast_to(weights, SHAPE).astype(np.float32).ravel()
        return genome

    def random(self, generator: np.random.Generator, count: int) -> Weights:
        """Return `count` genomes, (count, G), as an evolution begins with."""
        whole("count", count, 0)
        genomes: Weights
        if self.start == "scratch":
            genomes = generator.random((count, NUM_WEIGHTS), np.float32)
        else:
            noise = self.noise * generator.standard_normal((count, NUM_WEIGHTS), np.float32)
            genomes = np.clip(self.head_start() + noise, 0.0, 1.0, dtype=np.float32)
        return genomes

    def checked(self, genomes: ArrayLike) -> Weights:
        """Return genomes, (G,) or (k, G), of weights from 0 to 1 as rows, (k, G)."""
        of, low, high = "a matrix strategy", self.low, self.high
        rows: Weights = read_genomes(genomes, NUM_WEIGHTS, of, kind=np.float32, low=low, high=high)
        return rows

    def matrices(self, genome: ArrayLike) -> Weights:
        """Return a genome, (G,), by street, table, strength, cost and action, (4, 2, 21, 21, 3)."""
        rows = self.checked(genome)
        if len(rows) != 1:
            raise ShapeError(f"{len(rows)} genomes are given; show the matrices of one at a time.")
        matrices: Weights = rows[0].reshape(SHAPE)
        return matrices

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of genomes, (G,) or (k, G); called 'matrices 0' and so on."""
        rows = self.checked(genomes)
        return compiled_players(self.answer, rows, names, word="matrices", made_of="genomes")


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
