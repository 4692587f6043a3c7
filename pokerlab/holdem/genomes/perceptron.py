"""Networks with one hidden layer and a sigmoid at both layers, in float32, for players in kernels.

The weights of a network of I inputs, H hidden units and O outputs are a row of numbers: for each input its weights to
the H hidden units, then their biases; for each hidden unit its weights to the O outputs, then theirs.

Kernels read them *laid out*: as two matrices, one row for each unit below and then one for the biases, which belong
to a unit that is always 1. Zeros make the number of rows a multiple of `AT_ONCE`, which are added in one sweep, and
that of columns a multiple of `LANES`, which a processor adds up side by side; they change no sum.
"""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.compiler import inlined, kernel

Floats32 = NDArray[np.float32]
AT_ONCE, LANES = 3, 8
USUAL_WIDTH = 24
"""Of the first matrix of the paper's network of 20 hidden units, which kernels are compiled for."""
ONE = np.float32(1.0)

LARGEST_SUM = np.float32(87.0)
"""Sums of outputs are cut here, so that a sigmoid is never zero and its logarithm is a number."""
LARGEST_HIDDEN_SUM = np.float32(60.0)
"""Those of hidden units, so that such a unit times a weight is no subnormal number, for which processors take a
hundred times as long. The sigmoid of a sum that differs by 1e-26 times a weight is the same in float32."""
LOG2_E, LN_2, LN_2_REST = np.float32(1.442695), np.float32(0.693359375), np.float32(-2.1219444e-4)
"""1 / ln 2, and ln 2 in two parts, the first of which has few digits."""
WHOLE = np.float32(1.5 * 2**23)
"""A float32 of this size has no digits behind the point: adding it rounds to a whole number."""
EXPONENT_BITS, EXPONENT_OF_ONE = 23, 127
E_2, E_3, E_4 = map(np.float32, (0.5, 0.16666665459, 0.041665795894))
E_5, E_6, E_7 = map(np.float32, (0.0083334519073, 1.3981999507e-3, 1.98756915e-4))
"""exp(x) = 1 + x + E_2 x^2 + ... + E_7 x^7 for |x| <= ln 2 / 2, as S. L. Moshier's Cephes has it."""


def num_weights(inputs: int, hidden: int, outputs: int, *, biases: bool = True) -> int:
    """Return how many weights a network has.

    Examples
    --------
    >>> num_weights(35, 20, 5), num_weights(35, 20, 5, biases=False)
    (825, 800)
    """
    return (inputs + biases) * hidden + (hidden + biases) * outputs


def outputs_of(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    *,
    hidden: int,
    outputs: int,
    biases: bool = True,
) -> Floats32:
    """Return the outputs, (R, O), of networks, (N, W): each row of inputs, (R, I), through the one that it names, (R,).

    They go from 1.6e-38 to 1: sums are cut at -87 and 87, those of hidden units at -60 and 60.
    """
    size = inputs.shape[1]
    below = np.ones((len(inputs), rows_for(size)), np.float32)
    below[:, :size] = inputs
    matrices = laid_out(weights, size, hidden, outputs, biases=biases)
    units, out = room_for(len(inputs), hidden, outputs)
    fill_outputs(matrices, networks, below, hidden, units, out)
    return out.reshape(len(inputs), columns_for(outputs))[:, :outputs]


def laid_out(
    weights: Floats32, inputs: int, hidden: int, outputs: int, *, biases: bool
) -> Floats32:
    """Return networks, (N, W), as kernels read them: one matrix behind the other in each row.

    The first matrix has columns for the unit that is always 1 among the hidden ones, too.
    """
    count, below = len(weights), rows_for(hidden)
    first = np.zeros((count, rows_for(inputs), columns_for(below)), np.float32)
    second = np.zeros((count, below, columns_for(outputs)), np.float32)
    middle = (inputs + biases) * hidden
    into, out = weights[:, :middle], weights[:, middle:]
    first[:, : inputs + biases, :hidden] = into.reshape(count, inputs + biases, hidden)
    second[:, : hidden + biases, :outputs] = out.reshape(count, hidden + biases, outputs)
    # No -1 in these shapes: of no networks, numpy could not tell how long a row is.
    return np.hstack(
        [each.reshape(count, each.shape[1] * each.shape[2]) for each in (first, second)]
    )


@inlined
def rows_for(units: int) -> int:
    """Return the height of the matrix above so many units."""
    return (units + AT_ONCE) // AT_ONCE * AT_ONCE


@inlined
def columns_for(units: int) -> int:
    """Return the width of the matrix below so many units."""
    return (units + LANES - 1) // LANES * LANES


@kernel
def room_for(count: int, hidden: int, outputs: int) -> tuple[Floats32, Floats32]:
    """Return memory for the hidden units and the outputs of so many networks."""
    return (
        np.empty(count * columns_for(rows_for(hidden)), np.float32),
        np.empty(count * columns_for(outputs), np.float32),
    )


@kernel
def fill_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    below: Floats32,
    hidden: int,
    out_units: Floats32,
    out: Floats32,
) -> None:
    """Write the outputs of each row."""
    forward(weights, networks, below, hidden, out_units, out)


@inlined
def forward(
    weights: Floats32,
    networks: NDArray[np.int64],
    below: Floats32,
    hidden: int,
    out_units: Floats32,
    out: Floats32,
) -> None:
    """Write the outputs of each row of inputs, ones behind them, through the network that it names, as it is laid out.

    Layer by layer for all rows: sums do not wait for the sigmoids of the row before. `out_units` and `out` are from
    `room_for`.
    """
    count, num_inputs = below.shape
    num_units = rows_for(hidden)
    width = columns_for(num_units)
    last = out.size // max(count, 1)
    for row in range(count):
        units = out_units[row * width : (row + 1) * width]
        # Widths that the compiler knows make the sums a fifth faster.
        if width == USUAL_WIDTH:
            add_up(weights[networks[row]], 0, below[row], num_inputs, units, USUAL_WIDTH)
        else:
            add_up(weights[networks[row]], 0, below[row], num_inputs, units, width)
    bend(out_units, LARGEST_HIDDEN_SUM)
    for row in range(count):
        units = out_units[row * width : (row + 1) * width]
        units[hidden] = ONE
        outputs, begin = out[row * last : (row + 1) * last], num_inputs * width
        if last == LANES:
            add_up(weights[networks[row]], begin, units, num_units, outputs, LANES)
        else:
            add_up(weights[networks[row]], begin, units, num_units, outputs, last)
    bend(out, LARGEST_SUM)


@inlined
def add_up(
    weights: Floats32, begin: int, below: Floats32, rows: int, out: Floats32, units: int
) -> None:
    """Write the sums of a layer's `units`, whose weights begin there."""
    for unit in range(units):
        out[unit] = 0.0
    # Unsigned: where an index may be negative, the compiler takes one unit at a time.
    place, step = np.uint64(begin), np.uint64(units)
    for row in range(0, rows, AT_ONCE):
        one, two, three = below[row], below[row + 1], below[row + 2]
        for unit in range(units):
            at = place + np.uint64(unit)
            out[unit] += (
                weights[at] * one + weights[at + step] * two + weights[at + step + step] * three
            )
        place += step + step + step


@inlined
def bend(units: Floats32, largest: np.float32) -> None:
    """Replace sums, cut at plus or minus the largest, by their sigmoids."""
    for unit in range(units.size):
        units[unit] = sigmoid(min(max(units[unit], -largest), largest))


@inlined
def sigmoid(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)) with x cut at -87 and 87, in steps that a processor does for many x at once.

    With -x = n ln 2 + r, where n is a whole number, exp(-x) is 2^n exp(r): a polynomial of r, and n
    written into the bits of the exponent.
    """
    minus = min(max(-x, -LARGEST_SUM), LARGEST_SUM)
    shifted = np.float32(minus * LOG2_E + WHOLE)
    n = shifted - WHOLE
    r = minus - n * LN_2 - n * LN_2_REST
    power = np.int32(shifted.view(np.int32) + EXPONENT_OF_ONE << EXPONENT_BITS).view(np.float32)
    exp = (
        (((((E_7 * r + E_6) * r + E_5) * r + E_4) * r + E_3) * r + E_2) * (r * r) + r + ONE
    ) * power
    return ONE / (ONE + exp)
