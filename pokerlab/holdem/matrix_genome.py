"""The matrix genome: action weights over hand strength and the cost of a call, as Beattie et al. (2007) evolve them.

A player computes two numbers: the strength of its hand, and the share of its chips that a call costs. The cell of a
matrix for these two numbers has three weights, for fold, call and raise, and the player draws one of the three with
probabilities in proportion to the weights. There is a matrix for each street, and for small and for large tables. In
the paper the first generation has a *head start*: its weights are those of an expert, with noise.

We have only the abstract of the paper. The sizes, scales and amounts below, and the head start, are ours.

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

from pokerlab.core import Floats, Ints, ShapeError, inlined, kernel
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import CheckedSettings, setting, unprinted_setting, validate_integer
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import BOARD_SIZES, STREETS
from pokerlab.holdem.equity import (
    TIE_VALUES,
    WinProbabilityTables,
    load_win_probability_tables,
    look_up_win_probability,
)
from pokerlab.holdem.hand import CALL, FOLD, NUM_ACTIONS
from pokerlab.holdem.players import CompiledPlayer, Rows, make_compiled_players
from pokerlab.strategies.encoding import validate_genomes

Weights: TypeAlias = NDArray[np.float32]

LEVELS = 21  # of strength and of cost: 0, 0.05, ..., 1
TABLE_SIZES = ("up to four players", "five or more")
MOST_AT_A_SMALL_TABLE = 4
GENOME_SHAPE = (len(STREETS), len(TABLE_SIZES), LEVELS, LEVELS, NUM_ACTIONS)
"""Axes of a genome: street, table, strength, cost, action (fold, call, raise)."""
NUM_WEIGHTS = len(STREETS) * len(TABLE_SIZES) * LEVELS * LEVELS * NUM_ACTIONS
STARTS = ("head start", "scratch")
RAISE = CALL + 1
"""A drawn raise, before its size is chosen. The actions follow each other from FOLD on."""


def make_head_start_setting(
    default: float, label: str, help: str, *, low: float = 0.0, **options: Any
) -> Any:
    """Return a setting of the head start, the expert's weights with which evolution begins.

    It is a number of at most 1. The paper does not print it, so its source is pokerlab.

    Parameters
    ----------
    default : float
        The value that is used if no other is given.
    label : str
        The name of the setting in forms.
    help : str
        What the setting decides.
    low : float
        The smallest allowed value.
    **options
        Further options of `pokerlab.core.settings.setting`, such as `needs`.

    Returns
    -------
    dataclasses.Field
        A field for the class body of a dataclass of settings.
    """
    options |= {"source": "ours", "low": low, "high": 1.0, "silent": True}
    return setting(default, label=label, help=help, **options)


class MatrixDecisionFunction(NamedTuple):
    """The function that decides for all matrix strategies with the same settings: their `decision_function`.

    Attributes
    ----------
    tie : float
        How much of a win a tie counts: 0, 0.5 or 1.
    free_folds : bool
        Whether a strategy may fold where nothing is owed, if the betting structure allows it.
    """

    tie: float
    free_folds: bool

    def __call__(
        self,
        views: Ints,
        rows_to_act: Rows,
        parameters: Weights,
        uniforms: Floats,
        out_actions: Floats,
    ) -> None:
        """Write the actions of matrix strategies at the tables where they are to act.

        Parameters
        ----------
        views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
            What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
        rows_to_act : ndarray of int, shape (n,)
            The indices of the n tables at which matrix strategies are to act.
        parameters : ndarray of float32, shape (strategies, 10584)
            The genomes of all strategies. Each view has the row of the strategy that acts.
        uniforms : ndarray of shape (tables,)
            A random number in [0, 1) for the decision at each table.
        out_actions : ndarray of shape (tables,)
            Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
        """
        write_matrix_actions(
            load_win_probability_tables(),
            self,
            views,
            rows_to_act,
            parameters,
            uniforms,
            out_actions,
        )


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class MatrixEncoding(CheckedSettings):
    """The encoding of matrix strategies: the meanings of their 10,584 weights, and random first genomes.

    The *strength* s of a hand is its exact win probability against one random hand. The *cost* is the share of the
    seat's chips that a call takes: 0 for a check, 1 for all-in. Both are rounded to the nearest of 21 levels. A table
    is small or large by its number of players with chips or a part in the pot.

    The size of a raise depends on the margin 2 s - 1, which is the probability to win minus the probability to lose. If
    the margin is 0 or less, the raise is the least legal one. From there it grows linearly, up to the size of the pot
    after a call if the margin is 1. Then it is clipped to what is legal. If no raise is legal, the action is a call. If
    all three weights are zero, the three actions are equally likely.

    Examples
    --------
    >>> encoding = MatrixEncoding()
    >>> encoding.draw_genomes(np.random.default_rng(1), 5).shape
    (5, 10584)
    >>> preflop_at_a_full_table = encoding.make_matrices(encoding.make_head_start())[0, 1]
    >>> preflop_at_a_full_table[17, 0].astype(float).round(2).tolist()
    [0.0, 0.02, 1.0]
    """

    start: str = setting(
        "head start",
        "An expert's weights with noise, or uniform weights.",
        source="Beattie et al. 2007",
        choices=STARTS,
    )
    ties: str = unprinted_setting(
        "half", "What a tie counts in the strength of a hand.", choices=tuple(TIE_VALUES)
    )
    free_folds: bool = unprinted_setting(
        False,
        "Whether it folds where it could check, if the structure allows it.",
        label="Folds for free",
    )
    fold_below: float = make_head_start_setting(
        0.3, "Folds below", "The strength below which the head start folds where a call is free."
    )
    fold_slope: float = make_head_start_setting(
        0.4,
        "Folds below, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    raise_above: float = make_head_start_setting(
        0.55, "Raises above", "The strength above which the head start raises where a call is free."
    )
    raise_slope: float = make_head_start_setting(
        0.45,
        "Raises above, per cost",
        "How much that strength rises from a free call to all-in.",
        low=-1.0,
    )
    spread: float = make_head_start_setting(
        0.1,
        "Spread of the lines",
        "The deviation of both lines; their weights are normal distribution functions.",
        low=0.001,
    )
    call_width: float = make_head_start_setting(
        0.2,
        "Width of calling",
        "The deviation of the normal curve, of height 1 on the line of folding, that a call weighs.",
        low=0.001,
    )
    noise: float = make_head_start_setting(
        0.1,
        "Noise on the head start",
        "The deviation on each weight of a first generation; weights stay between 0 and 1.",
        needs=lambda encoding: encoding.start == "head start",
    )

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, 10,584."""
        return NUM_WEIGHTS

    @property
    def decision_function(self) -> MatrixDecisionFunction:
        """The function that decides for these strategies at tables.

        Encodings with equal settings have equal functions, so their players are asked in one call.
        """
        return MatrixDecisionFunction(TIE_VALUES[self.ties], self.free_folds)

    def make_head_start(self) -> Weights:
        """Return the genome of an expert, which has the same weights on all streets and for all tables.

        Two strengths, which are linear functions of the cost of a call, divide the matrix: the player folds below the
        first, raises above the second, and calls between them. The weights change smoothly at these lines.

        Returns
        -------
        ndarray of float32, shape (10584,)
            The weights by street, size of the table, strength, cost and action, flattened.
        """
        levels = np.linspace(0.0, 1.0, LEVELS)
        strength, cost = np.meshgrid(levels, levels, indexing="ij")
        fold_line = self.fold_below + self.fold_slope * cost
        raise_line = self.raise_above + self.raise_slope * cost
        fold = ndtr((fold_line - strength) / self.spread)
        call = np.exp(-0.5 * ((strength - fold_line) / self.call_width) ** 2)
        raising = ndtr((strength - raise_line) / self.spread)
        weights = np.stack([fold, call, raising], axis=-1)
        genome: Weights = np.broadcast_to(weights, GENOME_SHAPE).astype(np.float32).ravel()
        return genome

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Weights:
        """Return random genomes for a first generation, one in each row.

        The setting `start` decides whether they are the head start with noise, or uniformly distributed weights.

        Parameters
        ----------
        generator : Generator
            The source of random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        ndarray of float32, shape (count, 10584)
            Weights from 0 to 1.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        """
        validate_integer("count", count, 0)
        genomes: Weights
        if self.start == "scratch":
            genomes = generator.random((count, NUM_WEIGHTS), np.float32)
        else:
            noise = self.noise * generator.standard_normal((count, NUM_WEIGHTS), np.float32)
            genomes = np.clip(self.make_head_start() + noise, 0.0, 1.0, dtype=np.float32)
        return genomes

    def validate_genomes(self, genomes: ArrayLike) -> Weights:
        """Return one genome or several as the rows of an array, after checking them.

        Parameters
        ----------
        genomes : array_like of float32, shape (10584,) or (n, 10584)
            One genome, or n genomes.

        Returns
        -------
        ndarray of float32, shape (n, 10584)
            The genomes.

        Raises
        ------
        ShapeError
            If a genome does not have 10,584 weights, or the weights are not float32.
        SettingError
            If a weight is not from 0 to 1.
        """
        rows: Weights = validate_genomes(
            genomes,
            NUM_WEIGHTS,
            "a matrix strategy",
            dtype=np.float32,
            low=self.low,
            high=self.high,
        )
        return rows

    def make_matrices(self, genome: ArrayLike) -> Weights:
        """Return the weights of one genome by street, size of the table, strength, cost and action.

        Parameters
        ----------
        genome : array_like of float32, shape (10584,)
            One genome.

        Returns
        -------
        ndarray of float32, shape (4, 2, 21, 21, 3)
            The axes are the street, the size of the table (up to four players, or more), the level of the strength, the
            level of the cost, and the action (fold, call, raise).

        Raises
        ------
        ShapeError
            If it is not one genome of this length.
        SettingError
            If a weight is not from 0 to 1.
        """
        rows = self.validate_genomes(genome)
        if len(rows) != 1:
            raise ShapeError(f"{len(rows)} genomes are given; show the matrices of one at a time.")
        matrices: Weights = rows[0].reshape(GENOME_SHAPE)
        return matrices

    def make_players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return a player for each genome.

        Parameters
        ----------
        genomes : array_like of float32, shape (10584,) or (n, 10584)
            One genome, or n genomes.
        names : sequence of str, optional
            The names of the players. By default they are 'matrices 0', 'matrices 1', ...

        Returns
        -------
        list of CompiledPlayer
            The players, in the order of the genomes.

        Raises
        ------
        ShapeError
            If genomes are of another shape or type, or there is not one name for each.
        SettingError
            If a weight is not from 0 to 1.
        """
        rows = self.validate_genomes(genomes)
        return make_compiled_players(
            self.decision_function, rows, names, name_prefix="matrices", parameters_noun="genomes"
        )


@kernel
def write_matrix_actions(
    equity_tables: WinProbabilityTables,
    settings: MatrixDecisionFunction,
    views: Ints,
    rows_to_act: Rows,
    parameters: Weights,
    uniforms: Floats,
    out_actions: Floats,
) -> None:
    """Write the actions of players whose parameters are matrix strategies.

    A player looks up the weights of fold, call and raise by its win probability and the cost of a call, and draws an
    action in proportion to them. A raise becomes a call if no raise is legal. A fold becomes a check if nothing is
    owed, unless the settings and the betting structure allow free folds.

    Parameters
    ----------
    equity_tables : WinProbabilityTables
        The tables of numbers from which win probabilities are looked up, from `load_win_probability_tables`.
    settings : MatrixDecisionFunction
        The settings of the encoding.
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n tables at which matrix strategies are to act.
    parameters : ndarray of float32, shape (strategies, 10584)
        The genomes of all strategies. Each view has the row of the strategy that acts.
    uniforms : ndarray of shape (tables,)
        A random number in [0, 1) for the decision at each table.
    out_actions : ndarray of shape (tables,)
        Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for row in rows_to_act:
        view = views[row]
        hole[0] = view[at.HOLE]
        hole[1] = view[at.HOLE + 1]
        num_board = BOARD_SIZES[view[at.STREET]]
        for i in range(num_board):
            board[i] = view[at.BOARD + i]
        strength = look_up_win_probability(equity_tables, hole, board[:num_board], settings.tie)

        first_weight = find_first_weight_index(view, strength)
        genome = parameters[view[at.PARAMETERS]]
        # As 64-bit numbers their sum is exact, or nearly.
        fold_weight = float(genome[first_weight])
        call_weight = float(genome[first_weight + 1])
        raise_weight = float(genome[first_weight + 2])
        action = draw_weighted_action(fold_weight, call_weight, raise_weight, uniforms[row])
        if action == RAISE:
            action = choose_raise_total(view, strength)
        elif action == FOLD and view[at.TO_CALL] == 0:
            can_fold_for_free = settings.free_folds and view[at.CAN_FOLD] != 0
            action = FOLD if can_fold_for_free else CALL
        out_actions[row] = action


@inlined
def find_first_weight_index(view: Ints, strength: float) -> int:
    """Return the index in a genome of the first of the three weights for a decision.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`. It has the street, the size of the table,
        and the cost of a call.
    strength : float
        The win probability of the player's cards, 0 to 1.
    """
    num_players = 0  # with chips, or with a part in the pot
    for seat in range(view[at.SEATS]):
        has_chips = view[at.STACKS + seat] + view[at.PAID + seat] > 0
        num_players += has_chips
    table_size = 0 if num_players <= MOST_AT_A_SMALL_TABLE else 1
    cost = view[at.TO_CALL] / view[at.STACKS + view[at.SEAT]]

    # Flatten the indices along the axes of GENOME_SHAPE: street, table, strength, cost, action.
    matrix = view[at.STREET] * len(TABLE_SIZES) + table_size
    row = matrix * LEVELS + round_to_level(strength)
    cell = row * LEVELS + round_to_level(cost)
    return int(cell * NUM_ACTIONS)


@inlined
def round_to_level(fraction: float) -> int:
    """Return the index of the level nearest to a number.

    Parameters
    ----------
    fraction : float
        The number, from 0 to 1. The 21 levels are 0, 0.05, ..., 1.
    """
    return int(fraction * (LEVELS - 1) + 0.5)


@inlined
def draw_weighted_action(
    fold_weight: float, call_weight: float, raise_weight: float, uniform: float
) -> int:
    """Return FOLD, CALL or RAISE, drawn with probabilities in proportion to three weights.

    If all weights are zero, the three are equally likely.

    Parameters
    ----------
    fold_weight, call_weight, raise_weight : float
        The weights of the three actions.
    uniform : float
        A random number in [0, 1), which determines the action.
    """
    total = fold_weight + call_weight + raise_weight
    if total == 0.0:
        return int(uniform * NUM_ACTIONS) + FOLD
    if uniform * total < fold_weight:
        return FOLD
    if uniform * total < fold_weight + call_weight:
        return CALL
    return RAISE


@inlined
def choose_raise_total(view: Ints, strength: float) -> int:
    """Return the chips to raise to with a hand of a given win probability, or CALL if no raise is legal.

    With a win probability of one half or less it is the least legal raise, and with a sure win a raise by the pot after
    the call. In between it grows linearly.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    strength : float
        The win probability of the player's cards, 0 to 1.
    """
    min_raise_to = view[at.MIN_RAISE_TO]
    if min_raise_to == 0:
        return CALL
    pot_sized = view[at.BET] + view[at.TO_CALL] + view[at.POT]
    margin = max(0.0, 2.0 * strength - 1.0)
    raise_to = min_raise_to + int(margin * max(0, pot_sized - min_raise_to))
    return int(min(raise_to, view[at.MAX_RAISE_TO]))
