"""The network genome: a neural network that plays no-limit hold'em, as Nicolai & Hilderman (2009) evolve it.

A network has the 35 inputs of Table I, 20 hidden units and five outputs (section III-A of [1]_). By Nicolai's thesis
[2]_ the outputs are a fold, a call, and a small, a medium and a large raise. The paper does not specify nearly anything
else, so these choices are settings of `TableNetwork`.

Networks have one hidden layer and a sigmoid at both layers, computed in float32, and many networks are computed at
once. The genome of a network with I inputs, H hidden units and O outputs is a row of weights. It begins with the
weights from each input to the H hidden units, followed by the biases of the hidden units. Then come the weights from
each hidden unit to the O outputs, followed by the biases of the outputs.

Kernels read the weights in another layout, as two matrices. Each has a row for each unit of the layer below, and one
row for the biases, which are the weights of a unit that is always 1. The number of rows is padded with zeros to a
multiple of `ROWS_PER_STEP`, the number of rows that one step of a loop adds. The number of columns is padded to a
multiple of `SIMD_WIDTH`, the number of sums that a processor computes at the same time. The zeros do not change any
sum.

At a table, `write_network_actions` first looks up the win probabilities of all seats that are to act. Then, for one
block of seats after the other, `write_network_inputs` writes the inputs of each seat, `run_forward_pass` computes the
outputs, `choose_network_output` draws an output, and `convert_output_to_action` converts it to a legal action.

References
----------
.. [1] G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural
   Networks", IEEE Symposium on Computational Intelligence and Games 2009.
.. [2] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis, University of
   Regina, 2008, section 4.1.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, Ints, ShapeError, inlined, kernel
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import (
    CheckedSettings,
    setting,
    unprinted_setting,
    validate_integer,
)
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.cards import BOARD_SIZES, Cards
from pokerlab.holdem.equity import (
    TIE_VALUES,
    WinProbabilityTables,
    load_win_probability_tables,
    look_up_win_probability,
)
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.players import CompiledPlayer, Rows, draw_bet_action, make_compiled_players
from pokerlab.strategies.encoding import validate_genomes

Floats32 = NDArray[np.float32]
ROWS_PER_STEP, SIMD_WIDTH = 3, 8
USUAL_WIDTH = 24
"""The width of the first matrix of the paper's network, with 20 hidden units; kernels are compiled for it."""
ONE_32 = np.float32(1.0)

LARGEST_SUM = np.float32(87.0)
"""Sums of output units are clipped to plus or minus this number, so that a sigmoid is never zero and its logarithm is
finite."""
LARGEST_HIDDEN_SUM = np.float32(60.0)
"""Sums of hidden units are clipped to plus or minus this number. Otherwise a hidden unit times a weight could be a
subnormal number, with which processors compute a hundred times as slowly. Clipping changes an output's sum by at most
1e-26 times a weight, which does not change its sigmoid in float32."""
LOG2_E = np.float32(1.442695)
LN_2 = np.float32(0.693359375)
LN_2_REST = np.float32(-2.1219444e-4)
"""1 / ln 2, and ln 2 as the sum of two parts, the first of which has few binary digits, so that its products are
exact."""
ROUNDING_TERM = np.float32(1.5 * 2**23)
"""A float32 of this size has no binary digits after the point, so adding it rounds to a whole number."""
EXPONENT_BITS, EXPONENT_OF_ONE = 23, 127
E_2, E_3, E_4 = map(np.float32, (0.5, 0.16666665459, 0.041665795894))
E_5, E_6, E_7 = map(np.float32, (0.0083334519073, 1.3981999507e-3, 1.98756915e-4))
"""exp(x) = 1 + x + E_2 x^2 + ... + E_7 x^7 for |x| <= ln 2 / 2, from S. L. Moshier's library Cephes."""


def count_weights(inputs: int, hidden: int, outputs: int) -> int:
    """Return the number of weights of a network with one hidden layer, including biases.

    Examples
    --------
    >>> count_weights(35, 20, 5)
    825
    """
    return (inputs + 1) * hidden + (hidden + 1) * outputs


def compute_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    *,
    hidden: int,
    outputs: int,
) -> Floats32:
    """Return the outputs of networks for rows of inputs.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, W)
        The genomes of N networks, with W weights each.
    networks : ndarray of int64, shape (R,)
        The index of the network that computes each of R rows.
    inputs : ndarray of float32, shape (R, I)
        The I inputs of each row.
    hidden : int
        The number of hidden units.
    outputs : int
        The number of outputs O.

    Returns
    -------
    ndarray of float32, shape (R, O)
        Numbers from 1.6e-38 to 1, because the sums of output units are clipped at -87 and 87. Those of hidden units are
        clipped at -60 and 60.
    """
    num_inputs = inputs.shape[1]
    below = np.ones((len(inputs), count_padded_rows(num_inputs)), np.float32)
    below[:, :num_inputs] = inputs
    matrices = lay_out_weights(weights, num_inputs, hidden, outputs)
    units, out = allocate_units(len(inputs), hidden, outputs)
    fill_outputs(matrices, networks, below, hidden, units, out)
    return out.reshape(len(inputs), count_padded_columns(outputs))[:, :outputs]


def lay_out_weights(weights: Floats32, inputs: int, hidden: int, outputs: int) -> Floats32:
    """Return the weights of networks in the layout that kernels read.

    Each row has the two matrices of a network, one after the other, padded with zeros. The first matrix also has a
    column for the hidden unit that is always 1.

    Parameters
    ----------
    weights : array of shape (N, W)
        The genomes of N networks, with W weights each, in the order that is described at the beginning of this module.
    inputs, hidden, outputs : int
        The number of units of each kind.

    Returns
    -------
    ndarray of float32, shape (N, padded weights)
    """
    num_networks, num_units = len(weights), count_padded_rows(hidden)
    first_shape = (count_padded_rows(inputs), count_padded_columns(num_units))
    second_shape = (num_units, count_padded_columns(outputs))
    first = np.zeros((num_networks, *first_shape), np.float32)
    second = np.zeros((num_networks, *second_shape), np.float32)

    # Copy the weights, whose last row in each matrix are the biases.
    num_first_weights = (inputs + 1) * hidden
    first_weights = weights[:, :num_first_weights]
    second_weights = weights[:, num_first_weights:]
    first[:, : inputs + 1, :hidden] = first_weights.reshape(num_networks, inputs + 1, hidden)
    second[:, : hidden + 1, :outputs] = second_weights.reshape(num_networks, hidden + 1, outputs)

    # No -1 in these shapes: for zero networks numpy could not infer the length of a row.
    first_rows = first.reshape(num_networks, first_shape[0] * first_shape[1])
    second_rows = second.reshape(num_networks, second_shape[0] * second_shape[1])
    return np.hstack([first_rows, second_rows])


@inlined
def count_padded_rows(units: int) -> int:
    """Return the number of rows of the weights from a layer with `units` units, including the bias and padding."""
    return (units + ROWS_PER_STEP) // ROWS_PER_STEP * ROWS_PER_STEP


@inlined
def count_padded_columns(units: int) -> int:
    """Return the number of columns of the weights to a layer with `units` units, including padding."""
    return (units + SIMD_WIDTH - 1) // SIMD_WIDTH * SIMD_WIDTH


@kernel
def allocate_units(count: int, hidden: int, outputs: int) -> tuple[Floats32, Floats32]:
    """Return uninitialized arrays for the hidden units and for the outputs of `count` rows, both flattened."""
    return (
        np.empty(count * count_padded_columns(count_padded_rows(hidden)), np.float32),
        np.empty(count * count_padded_columns(outputs), np.float32),
    )


@kernel
def fill_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    hidden: int,
    out_hidden_units: Floats32,
    out_outputs: Floats32,
) -> None:
    """Write the outputs of networks for rows of inputs.

    This is `run_forward_pass`, which has the same parameters, as a kernel that Python can call.
    """
    run_forward_pass(weights, networks, inputs, hidden, out_hidden_units, out_outputs)


@inlined
def run_forward_pass(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    hidden: int,
    out_hidden_units: Floats32,
    out_outputs: Floats32,
) -> None:
    """Write the outputs of networks for rows of inputs: a forward pass.

    The hidden layer is computed for all rows before the output layer, so that a processor can compute the sums of one
    row while it waits for the sigmoids of another.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, ...)
        The weights of N networks, from `lay_out_weights`.
    networks : ndarray of int64, shape (R,)
        The index of the network that computes each of R rows.
    inputs : ndarray of float32, shape (R, count_padded_rows(I))
        The I inputs of each row, followed by ones.
    hidden : int
        The number of hidden units.
    out_hidden_units, out_outputs : ndarray of float32
        Arrays from `allocate_units`, which are overwritten with the hidden units and with the outputs.
    """
    count, num_inputs = inputs.shape
    num_units = count_padded_rows(hidden)
    width = count_padded_columns(num_units)
    output_width = out_outputs.size // max(count, 1)

    # The hidden layer. The sums are a fifth faster if the compiler knows the width.
    for row in range(count):
        hidden_units = out_hidden_units[row * width : (row + 1) * width]
        if width == USUAL_WIDTH:
            fill_layer_sums(
                weights[networks[row]], 0, inputs[row], num_inputs, hidden_units, USUAL_WIDTH
            )
        else:
            fill_layer_sums(weights[networks[row]], 0, inputs[row], num_inputs, hidden_units, width)
    apply_sigmoid(out_hidden_units, LARGEST_HIDDEN_SUM)

    # The output layer, whose weights follow those of the hidden layer. One hidden unit is always 1, for the biases.
    begin = num_inputs * width
    for row in range(count):
        hidden_units = out_hidden_units[row * width : (row + 1) * width]
        hidden_units[hidden] = ONE_32
        outputs = out_outputs[row * output_width : (row + 1) * output_width]
        if output_width == SIMD_WIDTH:
            fill_layer_sums(
                weights[networks[row]], begin, hidden_units, num_units, outputs, SIMD_WIDTH
            )
        else:
            fill_layer_sums(
                weights[networks[row]], begin, hidden_units, num_units, outputs, output_width
            )
    apply_sigmoid(out_outputs, LARGEST_SUM)


@inlined
def fill_layer_sums(
    weights: Floats32,
    begin: int,
    inputs: Floats32,
    num_inputs: int,
    out_sums: Floats32,
    num_units: int,
) -> None:
    """Write the weighted sums of the units of a layer.

    A loop adds ROWS_PER_STEP = 3 rows of the weights at a time.

    Parameters
    ----------
    weights : ndarray of float32
        From the index `begin` on, a matrix with a row for each unit of the layer below and a column for each of the
        layer's `num_units`, flattened.
    begin : int
        The index of the first weight of the layer.
    inputs : ndarray of float32
        The units of the layer below, of which the first `num_inputs` are used.
    num_inputs : int
        The number of rows of the matrix, a multiple of 3.
    out_sums : ndarray of float32, shape (units,)
        Overwritten with the sums.
    num_units : int
        The number of units of the layer, with padding.
    """
    for unit in range(num_units):
        out_sums[unit] = 0.0
    # Indices are unsigned because the compiler does not vectorize the loop if an index may be negative.
    first_of_row, step = np.uint64(begin), np.uint64(num_units)
    for row in range(0, num_inputs, ROWS_PER_STEP):
        input_1 = inputs[row]
        input_2 = inputs[row + 1]
        input_3 = inputs[row + 2]
        for unit in range(num_units):
            index = first_of_row + np.uint64(unit)
            out_sums[unit] += (
                weights[index] * input_1
                + weights[index + step] * input_2
                + weights[index + step + step] * input_3
            )
        first_of_row += step + step + step


@inlined
def apply_sigmoid(units: Floats32, largest: np.float32) -> None:
    """Replace the sums of units by their sigmoids, after clipping them to the range from -largest to largest."""
    for unit in range(units.size):
        units[unit] = sigmoid(min(max(units[unit], -largest), largest))


@inlined
def sigmoid(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)) with x clipped at -87 and 87, by steps that a processor can do for many x at once.

    Let -x = n ln 2 + r, where n is a whole number. Then exp(-x) = 2^n exp(r). A polynomial approximates exp(r), and 2^n
    is made by writing n into the exponent bits of a float32.
    """
    minus_x = min(max(-x, -LARGEST_SUM), LARGEST_SUM)
    # Adding a large number rounds to a whole number n, which is then in the lowest bits of the sum.
    shifted_n = np.float32(minus_x * LOG2_E + ROUNDING_TERM)
    n = shifted_n - ROUNDING_TERM
    r = minus_x - n * LN_2 - n * LN_2_REST
    exponent_bits = shifted_n.view(np.int32) + EXPONENT_OF_ONE << EXPONENT_BITS
    power_of_two = np.int32(exponent_bits).view(np.float32)
    exp_r = (((((E_7 * r + E_6) * r + E_5) * r + E_4) * r + E_3) * r + E_2) * (r * r) + r + ONE_32
    return ONE_32 / (ONE_32 + exp_r * power_of_two)


POT_SIZE, CALL_COST, OPPONENTS, WIN_CHANCE, TO_BUTTON = range(5)
CHIPS, ALL_TIME, LATELY, NUM_INPUTS = range(5, 6 + 3 * MOST_SEATS, MOST_SEATS)
"""The inputs in the order of Table I. The table lacks one input, the position, which the thesis has after the first
four. Then follow three inputs for each seat, beginning with the player's own seat and going on to its left."""
OUTPUT_FOLD, OUTPUT_CALL, OUTPUT_SMALL, OUTPUT_MEDIUM, OUTPUT_LARGE, NUM_OUTPUTS = range(6)
TIE_VALUE = TIE_VALUES["win"]  # a tie counts as a win in the probability of winning (section III-A)
MOST_OPPONENTS = MOST_SEATS - 1
MOST_AGGRESSIVE = 10
MOST_MILLIONTHS = MOST_AGGRESSIVE * at.MILLIONTHS
UNBOUNDED = 1 << 62
BLOCK_SIZE = 64

MEAN_STACK, AS_THEY_ARE = range(2)
ONE_HAND, ALL_HANDS = range(2)
SAMPLED, LARGEST = range(2)
OF_POT, BET_SHARE = range(2)
"""The values of the settings of `TableNetwork` in kernels, in the order of the settings' names."""


class NetworkDecisionFunction(NamedTuple):
    """The function that decides for all networks with the same settings: their players' `decision_function`.

    The fields are the settings of `TableNetwork`, where a named choice is replaced by its number in this module.
    """

    hidden: int
    free_folds: bool
    scale: int
    against: int
    read_out: int
    raise_unit: int
    small_raise: float
    medium_raise: float
    large_raise: float

    def __call__(
        self,
        views: Ints,
        rows_to_act: Rows,
        parameters: Floats32,
        uniforms: Floats,
        out_actions: Floats,
    ) -> None:
        """Write the actions of networks at the tables where they are to act.

        The parameters are those of a compiled player's kernel, see `pokerlab.holdem.players`. The players' parameters
        are weights from `lay_out_weights`.
        """
        # The settings are passed as a plain tuple, because recognizing a named tuple takes a kernel 3 us.
        write_network_actions(
            load_win_probability_tables(),
            tuple(self),
            views,
            rows_to_act,
            parameters,
            uniforms,
            out_actions,
        )


@kernel
def write_network_actions(
    tables: WinProbabilityTables,
    setting_values: tuple[Any, ...],
    views: Ints,
    rows_to_act: Rows,
    parameters: Floats32,
    uniforms: Floats,
    out_actions: Floats,
) -> None:
    """Write the actions of networks at the tables where they are to act.

    Parameters
    ----------
    tables : WinProbabilityTables
        From `load_win_probability_tables`.
    setting_values : tuple
        A `NetworkDecisionFunction` as a plain tuple.
    views, rows_to_act, parameters, uniforms, out_actions
        The parameters of the kernel of a compiled player, as in `pokerlab.holdem.players`. The players' parameters are
        weights from `lay_out_weights`.
    """
    settings = NetworkDecisionFunction(*setting_values)
    wins = np.empty(rows_to_act.size)
    fill_win_probabilities(tables, settings, views, rows_to_act, wins)
    inputs = np.ones((BLOCK_SIZE, count_padded_rows(NUM_INPUTS)), np.float32)
    units, outputs = allocate_units(BLOCK_SIZE, settings.hidden, NUM_OUTPUTS)
    work = BlockWorkspace(np.empty(BLOCK_SIZE, np.int64), inputs, units, outputs)
    for begin in range(0, rows_to_act.size, BLOCK_SIZE):
        block = slice(begin, begin + BLOCK_SIZE)
        write_block_actions(
            settings,
            views,
            rows_to_act[block],
            parameters,
            wins[block],
            uniforms,
            work,
            out_actions,
        )


@kernel
def fill_win_probabilities(
    tables: WinProbabilityTables,
    settings: NetworkDecisionFunction,
    views: Ints,
    rows_to_act: Rows,
    out_wins: Floats,
) -> None:
    """Write the win probability of each seat that is to act, in the order of `rows_to_act`.

    The tables are far larger than the caches of a processor. If the look-ups have a loop of their own, the processor
    can do several of them at the same time.

    Parameters
    ----------
    tables : WinProbabilityTables
        From `load_win_probability_tables`.
    settings : NetworkDecisionFunction
        Its `against` decides between one random hand and all opponents.
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        The views of all tables.
    rows_to_act : ndarray of int, shape (n,)
        The rows of the n tables at which networks are to act.
    out_wins : ndarray of shape (n,)
        Overwritten.
    """
    hole, board = np.empty(2, np.uint8), np.empty(5, np.uint8)
    for place in range(rows_to_act.size):
        out_wins[place] = compute_win_probability_input(
            tables, settings, views[rows_to_act[place]], hole, board
        )


@inlined
def compute_win_probability_input(
    tables: WinProbabilityTables,
    settings: NetworkDecisionFunction,
    view: Ints,
    hole: Cards,
    board: Cards,
) -> float:
    """Return the win probability of the seat to act, the input WIN_CHANCE, against one random hand or all opponents.

    Against several opponents it is that against one hand, multiplied once for each live opponent, as if their hands
    were independent.

    Parameters
    ----------
    tables : WinProbabilityTables
        From `load_win_probability_tables`.
    settings : NetworkDecisionFunction
        Its `against` decides between ONE_HAND and ALL_HANDS.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat sees.
    hole : ndarray of uint8, shape (2,)
        Overwritten with the hole cards of the view.
    board : ndarray of uint8, shape (5,)
        Overwritten with the board of the view.
    """
    hole[0] = view[at.HOLE]
    hole[1] = view[at.HOLE + 1]
    num_board = BOARD_SIZES[view[at.STREET]]
    for place in range(num_board):
        board[place] = view[at.BOARD + place]
    against_one = look_up_win_probability(tables, hole, board[:num_board], TIE_VALUE)
    if settings.against == ONE_HAND:
        return against_one

    against_all = 1.0
    for other in range(view[at.SEATS]):
        is_live_opponent = other != view[at.SEAT] and view[at.LIVE + other] != 0
        if is_live_opponent:
            against_all *= against_one
    return against_all


class BlockWorkspace(NamedTuple):
    """The arrays that are overwritten for a block of decisions. They fit in the first-level cache of a processor.

    Attributes
    ----------
    networks : ndarray of int64, shape (BLOCK_SIZE,)
        The index of the network that decides at each table.
    inputs : ndarray of float32, shape (BLOCK_SIZE, rows)
        The inputs of these networks, with the bias and padding.
    units, outputs : ndarray of float32
        The hidden units and the outputs, both flattened.
    """

    networks: Ints
    inputs: Floats32
    units: Floats32
    outputs: Floats32


@inlined
def write_block_actions(
    settings: NetworkDecisionFunction,
    views: Ints,
    rows_to_act: Rows,
    parameters: Floats32,
    wins: Floats,
    uniforms: Floats,
    work: BlockWorkspace,
    out_actions: Floats,
) -> None:
    """Write the actions of networks at up to BLOCK_SIZE tables.

    Parameters
    ----------
    settings : NetworkDecisionFunction
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        The views of all tables.
    rows_to_act : ndarray of int, shape (n,)
        The rows of the n tables at which networks are to act.
    parameters : ndarray of float32, shape (networks, ...)
        The weights from `lay_out_weights`.
    wins : ndarray of shape (n,)
        The win probability at each of these tables.
    uniforms : ndarray of shape (tables,)
        The random number of each table.
    work : BlockWorkspace
        Overwritten.
    out_actions : ndarray of shape (tables,)
        Overwritten at the rows `rows_to_act`.
    """
    count = rows_to_act.size
    for place in range(count):
        view = views[rows_to_act[place]]
        work.networks[place] = view[at.PARAMETERS]
        write_network_inputs(settings, view, wins[place], work.inputs[place])

    # Only the part of the workspace that belongs to these tables is computed.
    num_units = work.units.size // BLOCK_SIZE
    num_outputs = work.outputs.size // BLOCK_SIZE
    run_forward_pass(
        parameters,
        work.networks[:count],
        work.inputs[:count],
        settings.hidden,
        work.units[: num_units * count],
        work.outputs[: num_outputs * count],
    )

    for place in range(count):
        row = rows_to_act[place]
        outputs = work.outputs[place * num_outputs : (place + 1) * num_outputs]
        output, size_uniform = choose_network_output(settings, outputs, uniforms[row])
        out_actions[row] = convert_output_to_action(settings, views[row], output, size_uniform)


@inlined
def write_network_inputs(
    settings: NetworkDecisionFunction, view: Ints, win: float, out_inputs: Floats32
) -> None:
    """Write the 35 inputs of a network for the seat that is to act, by Table I of Nicolai & Hilderman (2009).

    Parameters
    ----------
    settings : NetworkDecisionFunction
        Its `scale` decides by what amounts are divided.
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat sees.
    win : float
        The win probability of the seat, the input WIN_CHANCE.
    out_inputs : ndarray of float32
        The first 35 entries are overwritten, in the order of the constants POT_SIZE and so on.
    """
    # Count the seats that are dealt in, the live seats, and the chips of all seats.
    seats, seat = view[at.SEATS], view[at.SEAT]
    num_dealt_in, num_live, chips = 0, 0, 0
    for other in range(seats):
        chips_before_hand = view[at.STACKS + other] + view[at.PAID + other]
        num_dealt_in += chips_before_hand > 0
        num_live += view[at.LIVE + other]
        chips += chips_before_hand

    # The factors and divisors of the inputs depend on the setting `scale`.
    per_chip = 1.0
    most_opponents = 1
    millionths = at.MILLIONTHS
    largest_mean = UNBOUNDED
    if settings.scale == MEAN_STACK:
        per_chip = num_dealt_in / chips
        most_opponents = MOST_OPPONENTS
        millionths = largest_mean = MOST_MILLIONTHS

    out_inputs[POT_SIZE] = view[at.POT] * per_chip
    out_inputs[CALL_COST] = view[at.TO_CALL] * per_chip
    out_inputs[OPPONENTS] = (num_live - 1) / most_opponents
    out_inputs[WIN_CHANCE] = win
    out_inputs[TO_BUTTON] = count_hands_until_button(view) / most_opponents

    # Write three inputs for each seat, beginning with the player's own seat and going on to its left.
    for place in range(seats):
        other = seat + place - (seats if seat + place >= seats else 0)
        stack = view[at.STACKS + other]
        has_chips = stack + view[at.PAID + other] > 0
        per_millionth = 1.0 / millionths if has_chips else 0.0
        out_inputs[CHIPS + place] = stack * per_chip
        out_inputs[ALL_TIME + place] = min(view[at.OVERALL + other], largest_mean) * per_millionth
        out_inputs[LATELY + place] = min(view[at.RECENT + other], largest_mean) * per_millionth
    for place in range(seats, MOST_SEATS):
        out_inputs[CHIPS + place] = 0.0
        out_inputs[ALL_TIME + place] = out_inputs[LATELY + place] = 0.0


@inlined
def count_hands_until_button(view: Ints) -> int:
    """Return the number of hands until the seat to act has the button, if until then no player joins or leaves.

    After each hand the button moves to the left, to the next seat with chips. `view` is what the seat sees, an array of
    int64 of shape (NUM_VIEW_WORDS,).
    """
    hands = 0
    other = view[at.BUTTON]
    while other != view[at.SEAT]:
        other = other + 1 if other + 1 < view[at.SEATS] else 0
        if view[at.STACKS + other] + view[at.PAID + other] > 0:  # a seat in play
            hands += 1
    return hands


@inlined
def choose_network_output(
    settings: NetworkDecisionFunction, outputs: Floats32, uniform: float
) -> tuple[int, float]:
    """Return the index of the chosen output, and a random number in [0, 1) for a further draw.

    By the setting `read_out` the output is the largest one, or it is drawn with probabilities in proportion to the
    outputs. In the second case the position of `uniform` within the chosen output's interval is again uniform in [0,
    1), and it is returned as the second number.

    Parameters
    ----------
    settings : NetworkDecisionFunction
    outputs : ndarray of float32
        The five outputs, and padding.
    uniform : float
        The random number of the decision, in [0, 1).
    """
    if settings.read_out == LARGEST:
        largest = 0
        for output in range(1, NUM_OUTPUTS):
            if outputs[output] > outputs[largest]:
                largest = output
        return largest, uniform

    total = 0.0
    for output in range(NUM_OUTPUTS):
        total += outputs[output]
    # Subtract the outputs one after the other, until the rest falls into the interval of an output.
    rest = uniform * total
    output = 0
    while output < NUM_OUTPUTS - 1 and rest >= outputs[output]:
        rest -= outputs[output]
        output += 1
    return output, rest / outputs[output]


@inlined
def convert_output_to_action(
    settings: NetworkDecisionFunction, view: Ints, output: int, uniform: float
) -> int:
    """Return the legal action that an output stands for in this view: FOLD, CALL, or the chips to raise to.

    A fold becomes a check if nothing is owed (unless free folds are allowed), and a raise becomes a call if no raise is
    legal.

    Parameters
    ----------
    settings : NetworkDecisionFunction
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees.
    output : int
        OUTPUT_FOLD, OUTPUT_CALL, OUTPUT_SMALL, OUTPUT_MEDIUM or OUTPUT_LARGE.
    uniform : float
        A random number in [0, 1), which is used if the size of the raise is drawn.
    """
    if output == OUTPUT_FOLD:
        may_fold_for_free = settings.free_folds and view[at.CAN_FOLD] != 0
        return FOLD if view[at.TO_CALL] > 0 or may_fold_for_free else CALL
    if output == OUTPUT_CALL or view[at.MIN_RAISE_TO] == 0:
        return CALL
    if settings.raise_unit == BET_SHARE:
        return int(draw_bet_action(view, output - OUTPUT_SMALL, uniform, False))

    size = settings.small_raise
    if output == OUTPUT_MEDIUM:
        size = settings.medium_raise
    elif output == OUTPUT_LARGE:
        size = settings.large_raise
    pot_after_call = view[at.POT] + view[at.TO_CALL]
    wanted = view[at.BET] + size * pot_after_call
    if wanted >= view[at.MAX_RAISE_TO]:
        return int(view[at.MAX_RAISE_TO])
    return max(int(wanted), int(view[at.MIN_RAISE_TO]))


SCALES = ("mean stack", "as they are")
AGAINST = ("one hand", "all hands")
READ_OUTS = ("sampled", "largest")
RAISE_UNITS = ("pot", "drawn share")
"""The names of the choices of settings, in the order of their numbers in `NetworkDecisionFunction`."""
START_DEVIATIONS = {"normal": 1.0, "narrow normal": 0.5}
"""The standard deviations of the weights of the first generation."""
MOST_HIDDEN = 1_000
LARGEST_RAISE = 1_000.0
LARGEST_WEIGHT = 1e9
"""The largest weight. It keeps sums of weighted inputs in the range of float32, even if inputs are numbers of chips."""

SEATS = ("own", *(f"{seat} to the left" for seat in range(1, MOST_SEATS)))
INPUTS = (
    *("pot", "call", "opponents", "win percent", "hands until the button"),
    *(f"{what}, {seat}" for what in ("chips", "overall", "recent") for seat in SEATS),
)
"""The name of each input."""
OUTPUTS = ("fold", "call", "small raise", "medium raise", "large raise")
"""The name of each output."""


def make_unspecified_setting(default: Any, label: str, help: str, **options: Any) -> Any:
    """Return a setting whose value the paper does not specify."""
    source = "Nicolai & Hilderman 2009, section III-A, does not say"
    return unprinted_setting(default, help, label=label, source=source, **options)


def make_raise_setting(
    default: float, label: str, help: str = "How much it raises above the call."
) -> Any:
    """Return a setting for the size of a raise, as a multiple of the pot; it applies only if raises are in pots."""
    return make_unspecified_setting(
        default,
        label,
        help,
        low=0.0,
        high=LARGEST_RAISE,
        needs=lambda network: network.raise_unit == "pot",
    )


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class TableNetwork(CheckedSettings):
    """The encoding of networks: the inputs of a network at a table, its size, and the meaning of its outputs.

    A network has 35 inputs, in this order:

    - the pot;
    - the cost of a call;
    - the number of opponents in the hand, divided by 9;
    - the probability of winning, where a tie counts as a win;
    - the number of hands until the player has the button, divided by 9;
    - for each of ten seats, the chips that have not been put in. The player's own seat comes first, and the other seats
      follow in the order in which they sit to its left;
    - for each seat in the same order, its overall aggressiveness, clipped at 10 and divided by 10;
    - for each seat in the same order, its recent aggressiveness, clipped at 10 and divided by 10.

    The inputs of seats that are empty or without chips are 0. So are the last twenty inputs in a cash game, such as
    `ring_game`, since only tournaments record how their players bet. The setting `scale` decides by what amounts are
    divided.

    Each hidden unit adds its bias and the inputs times its weights, and turns the sum s into 1 / (1 + exp(-s)), which
    is computed in float32 with a relative error of at most 2e-7. Each output does the same with the hidden units.

    For example, suppose that the outputs are 0.1, 0.5, 0.2, 0.1 and 0.1, and that the random number for this decision
    is 0.75. The outputs divide the interval from 0 to their sum, 1, into five parts. Numbers up to 0.1 mean a fold,
    those from 0.1 to 0.6 a call, and those from 0.6 to 0.8 a small raise, so the network makes a small raise. If there
    are 60 chips in the pot after a call, and the bet to match is 20, then a raise by half the pot is a raise to 50. If
    that is below the least or above the most that is allowed, the raise is to the least or the most.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> genomes = encoding.draw_genomes(np.random.default_rng(1), count=10)
    >>> genomes.shape, str(genomes.dtype)
    ((10, 825), 'float32')
    >>> from pokerlab.holdem import no_limit, ring_game
    >>> game = ring_game(no_limit(5, 10), seats=len(genomes))
    >>> played = game.play(encoding.make_players(genomes), 20, seed=1)
    >>> int(played.won.sum())
    0
    """

    hidden: int = setting(
        20,
        "Units of the hidden layer.",
        label="Hidden units",
        source="Nicolai & Hilderman 2009, section III-A",
        within=(1, MOST_HIDDEN),
    )
    scale: str = make_unspecified_setting(
        "mean stack",
        "Unit of chips",
        "What chips, pot and call are divided by: the mean of who is dealt in at the table, what they have put in"
        " included. 'as they are': by nothing, nor is anything else divided or cut.",
        choices=SCALES,
    )
    against: str = make_unspecified_setting(
        "one hand",
        "Win percentage against",
        "One random hand, or that number to the power of the opponents in the hand, as if their hands were"
        " independent: of aces against nine hands it says 24 %, and they win 31 %.",
        choices=AGAINST,
    )
    read_out: str = make_unspecified_setting(
        "sampled",
        "Outputs are",
        "Drawn in proportion to their values, or the largest decides.",
        choices=READ_OUTS,
    )
    small_raise: float = make_raise_setting(
        0.5,
        "Small raise",
        "How much it raises above the call, in whole chips between the least and the most allowed.",
    )
    medium_raise: float = make_raise_setting(1.0, "Medium raise")
    large_raise: float = make_raise_setting(3.0, "Large raise")
    raise_unit: str = make_unspecified_setting(
        "pot",
        "Raises are times the",
        "The pot after the call; or a share of the chips behind is drawn.",
        choices=RAISE_UNITS,
    )
    free_folds: bool = make_unspecified_setting(
        False,
        "Networks fold for free",
        "Whether they fold where they owe nothing, if the structure allows it; or check.",
    )
    start: str = make_unspecified_setting(
        "normal",
        "First weights",
        "Normal with deviation 1, or 0.5 if narrow.",
        choices=tuple(START_DEVIATIONS),
    )

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, which are the weights of a network: 825 by default."""
        return count_weights(NUM_INPUTS, self.hidden, NUM_OUTPUTS)

    @property
    def decision_function(self) -> NetworkDecisionFunction:
        """The function that decides for these networks at tables; networks with equal settings have equal functions."""
        return NetworkDecisionFunction(
            hidden=self.hidden,
            free_folds=self.free_folds,
            scale=SCALES.index(self.scale),
            against=AGAINST.index(self.against),
            read_out=READ_OUTS.index(self.read_out),
            raise_unit=RAISE_UNITS.index(self.raise_unit),
            small_raise=float(self.small_raise),
            medium_raise=float(self.medium_raise),
            large_raise=float(self.large_raise),
        )

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats32:
        """Return `count` genomes of normally distributed weights for a first generation, one in each row.

        The setting `start` decides the standard deviation of the weights.

        Parameters
        ----------
        generator : Generator
            The source of random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        ndarray of float32, shape (count, num_genes)

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        """
        shape = (validate_integer("count", count, low=0), self.num_genes)
        deviation = np.float32(START_DEVIATIONS[self.start])
        return deviation * generator.standard_normal(shape, np.float32)

    def validate_genomes(self, genomes: ArrayLike) -> Floats32:
        """Return one genome or several as the rows of an array, after checking them.

        Parameters
        ----------
        genomes : array_like of float32, shape (num_genes,) or (n, num_genes)
            One genome, or n genomes.

        Returns
        -------
        ndarray of float32, shape (n, num_genes)

        Raises
        ------
        ShapeError
            If the weights are not float32, or a genome does not have the right number of them.
        SettingError
            If a weight is not from -1e9 to 1e9.
        """
        owner = f"a network of {NUM_INPUTS} inputs, {self.hidden} hidden units and {NUM_OUTPUTS} outputs"
        rows: Floats32 = validate_genomes(
            genomes, self.num_genes, owner, kind=None, low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT
        )
        if rows.dtype != np.float32:
            raise ShapeError(
                f"the weights are {rows.dtype}; networks compute in float32, so give weights.astype(numpy.float32)."
            )
        return rows

    def make_players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return a player for each genome.

        Parameters
        ----------
        genomes : array_like of float32, shape (num_genes,) or (n, num_genes)
            One genome, or n genomes.
        names : sequence of str, optional
            The names of the players. By default they are 'network 0', 'network 1', ...

        Raises
        ------
        ShapeError
            If genomes are of another shape or type, or there is not one name for each.
        SettingError
            If a weight is out of range.
        """
        rows = self.validate_genomes(genomes)
        weights = lay_out_weights(rows, NUM_INPUTS, self.hidden, NUM_OUTPUTS)
        return make_compiled_players(
            self.decision_function,
            weights,
            names,
            name_prefix="network",
            parameters_noun="networks",
        )
