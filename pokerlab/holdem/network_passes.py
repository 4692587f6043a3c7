"""Forward passes of neural networks with one hidden layer, for many networks and rows of inputs at once.

Networks have a sigmoid at both layers and are computed in float32. The genome of a network with I inputs, H hidden
units and O outputs is a row of weights. It begins with the weights from each input to the H hidden units, followed by
the biases of the hidden units. Then come the weights from each hidden unit to the O outputs, followed by the biases of
the outputs.

Kernels read the weights in another layout, as two matrices. Each has a row for each unit of the layer below, and one
row for the biases, which are the weights of a unit that is always 1. The number of rows is padded with zeros to a
multiple of `ROWS_PER_STEP`, the number of rows that one step of a loop adds. The number of columns is padded to a
multiple of `SIMD_WIDTH`, the number of sums that a processor computes at the same time. The zeros do not change any
sum.
"""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined, kernel

Floats32 = NDArray[np.float32]
ROWS_PER_STEP, SIMD_WIDTH = 3, 8
USUAL_WIDTH = 24
"""The padded number of columns of the first matrix of a network with 20 hidden units; kernels are compiled for it."""
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


def count_network_weights(num_inputs: int, num_hidden: int, num_outputs: int) -> int:
    """Return the number of weights of a network with one hidden layer, including biases.

    Parameters
    ----------
    num_inputs, num_hidden, num_outputs : int
        The number of inputs, of hidden units and of outputs.

    Examples
    --------
    >>> count_network_weights(35, 20, 5)
    825
    """
    return (num_inputs + 1) * num_hidden + (num_hidden + 1) * num_outputs


def compute_network_outputs(
    weights: Floats32,
    networks: Ints,
    inputs: Floats32,
    *,
    num_hidden: int,
    num_outputs: int,
) -> Floats32:
    """Return the outputs of networks with one hidden layer for rows of inputs.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, W)
        The genomes of N networks, with W weights each. The weights from each input to the hidden units come first, then
        the biases of the hidden units, the weights from each hidden unit to the outputs, and the biases of the outputs.
    networks : ndarray of int64, shape (R,)
        The index of the network that computes each of R rows.
    inputs : ndarray of float32, shape (R, I)
        The I inputs of each row.
    num_hidden : int
        The number of hidden units.
    num_outputs : int
        The number of outputs O.

    Returns
    -------
    ndarray of float32, shape (R, O)
        Numbers from 1.6e-38 to 1, because the sums of output units are clipped at -87 and 87. The sums of hidden units
        are clipped at -60 and 60.
    """
    num_rows, num_inputs = inputs.shape
    padded_inputs = np.ones((num_rows, count_padded_rows(num_inputs)), np.float32)
    padded_inputs[:, :num_inputs] = inputs
    packed_weights = pack_network_weights(weights, num_inputs, num_hidden, num_outputs)
    hidden_units, outputs = allocate_layers(num_rows, num_hidden, num_outputs)
    fill_network_outputs(packed_weights, networks, padded_inputs, num_hidden, hidden_units, outputs)
    return outputs.reshape(num_rows, count_padded_columns(num_outputs))[:, :num_outputs]


def pack_network_weights(
    weights: Floats32, num_inputs: int, num_hidden: int, num_outputs: int
) -> Floats32:
    """Return the weights of networks in the layout that kernels read.

    Each row has the two matrices of a network, one after the other, padded with zeros. The first matrix also has a
    column for the hidden unit that is always 1.

    Parameters
    ----------
    weights : array of shape (N, W)
        The genomes of N networks, with W weights each. The weights from each input to the hidden units come first, then
        the biases of the hidden units, the weights from each hidden unit to the outputs, and the biases of the outputs.
    num_inputs, num_hidden, num_outputs : int
        The number of inputs, of hidden units and of outputs.

    Returns
    -------
    ndarray of float32, shape (N, padded weights)
        The padded matrices of each network.
    """
    num_networks, num_units = len(weights), count_padded_rows(num_hidden)
    hidden_shape = (count_padded_rows(num_inputs), count_padded_columns(num_units))
    output_shape = (num_units, count_padded_columns(num_outputs))
    hidden_matrices = np.zeros((num_networks, *hidden_shape), np.float32)
    output_matrices = np.zeros((num_networks, *output_shape), np.float32)

    # Copy the weights. The last row of each matrix are the biases.
    num_hidden_weights = (num_inputs + 1) * num_hidden
    hidden_weights = weights[:, :num_hidden_weights]
    output_weights = weights[:, num_hidden_weights:]
    hidden_matrices[:, : num_inputs + 1, :num_hidden] = hidden_weights.reshape(
        num_networks, num_inputs + 1, num_hidden
    )
    output_matrices[:, : num_hidden + 1, :num_outputs] = output_weights.reshape(
        num_networks, num_hidden + 1, num_outputs
    )

    # No -1 in these shapes: for zero networks numpy could not infer the length of a row.
    hidden_rows = hidden_matrices.reshape(num_networks, hidden_shape[0] * hidden_shape[1])
    output_rows = output_matrices.reshape(num_networks, output_shape[0] * output_shape[1])
    return np.hstack([hidden_rows, output_rows])


@inlined
def count_padded_rows(num_units: int) -> int:
    """Return the number of rows of a matrix of weights, with padding.

    There is a row for each unit of the layer below and one for the biases, rounded up to a multiple of ROWS_PER_STEP.

    Parameters
    ----------
    num_units : int
        The number of units of the layer below.
    """
    return (num_units + ROWS_PER_STEP) // ROWS_PER_STEP * ROWS_PER_STEP


@inlined
def count_padded_columns(num_units: int) -> int:
    """Return the number of columns of a matrix of weights, with padding.

    There is a column for each unit of the layer above, rounded up to a multiple of SIMD_WIDTH.

    Parameters
    ----------
    num_units : int
        The number of units of the layer above.
    """
    return (num_units + SIMD_WIDTH - 1) // SIMD_WIDTH * SIMD_WIDTH


@kernel
def allocate_layers(num_rows: int, num_hidden: int, num_outputs: int) -> tuple[Floats32, Floats32]:
    """Return uninitialized arrays for the units of both layers of networks, flattened and with padding.

    Parameters
    ----------
    num_rows : int
        The number of rows of inputs for which networks are computed.
    num_hidden, num_outputs : int
        The number of hidden units and of outputs.

    Returns
    -------
    hidden_units, outputs : ndarray of float32
        The units of each row come after those of the row before, and a row is padded to a multiple of SIMD_WIDTH units.
        Besides the hidden units, a row of the first array has a unit that is always 1.
    """
    hidden_width = count_padded_columns(count_padded_rows(num_hidden))
    output_width = count_padded_columns(num_outputs)
    return (
        np.empty(num_rows * hidden_width, np.float32),
        np.empty(num_rows * output_width, np.float32),
    )


@kernel
def fill_network_outputs(
    weights: Floats32,
    networks: Ints,
    inputs: Floats32,
    num_hidden: int,
    out_hidden_units: Floats32,
    out_outputs: Floats32,
) -> None:
    """Write the outputs of networks for rows of inputs: `run_forward_pass` as a kernel that Python can call.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, ...)
        The weights of N networks, from `pack_network_weights`.
    networks : ndarray of int64, shape (R,)
        The index of the network that computes each of R rows.
    inputs : ndarray of float32, shape (R, count_padded_rows(I))
        The I inputs of each row, followed by ones.
    num_hidden : int
        The number of hidden units.
    out_hidden_units, out_outputs : ndarray of float32
        Arrays from `allocate_layers`, which are overwritten with the hidden units and with the outputs.
    """
    run_forward_pass(weights, networks, inputs, num_hidden, out_hidden_units, out_outputs)


@inlined
def run_forward_pass(
    weights: Floats32,
    networks: Ints,
    inputs: Floats32,
    num_hidden: int,
    out_hidden_units: Floats32,
    out_outputs: Floats32,
) -> None:
    """Write the outputs of networks for rows of inputs: a forward pass.

    The hidden layer is computed for all rows before the output layer, so that a processor can compute the sums of one
    row while it waits for the sigmoids of another.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, ...)
        The weights of N networks, from `pack_network_weights`.
    networks : ndarray of int64, shape (R,)
        The index of the network that computes each of R rows.
    inputs : ndarray of float32, shape (R, count_padded_rows(I))
        The I inputs of each row, followed by ones.
    num_hidden : int
        The number of hidden units.
    out_hidden_units, out_outputs : ndarray of float32
        Arrays from `allocate_layers`, which are overwritten with the hidden units and with the outputs.
    """
    num_rows, num_inputs = inputs.shape
    num_units = count_padded_rows(num_hidden)
    hidden_width = count_padded_columns(num_units)
    output_width = out_outputs.size // max(num_rows, 1)

    # The hidden layer. The sums are a fifth faster if the compiler knows the width.
    for row in range(num_rows):
        network_weights = weights[networks[row]]
        hidden_units = out_hidden_units[row * hidden_width : (row + 1) * hidden_width]
        if hidden_width == USUAL_WIDTH:
            fill_layer_sums(network_weights, 0, inputs[row], num_inputs, hidden_units, USUAL_WIDTH)
        else:
            fill_layer_sums(network_weights, 0, inputs[row], num_inputs, hidden_units, hidden_width)
    apply_sigmoid(out_hidden_units, LARGEST_HIDDEN_SUM)

    # The output layer, whose weights follow those of the hidden layer. One hidden unit is always 1, for the biases.
    first_weight = num_inputs * hidden_width
    for row in range(num_rows):
        network_weights = weights[networks[row]]
        hidden_units = out_hidden_units[row * hidden_width : (row + 1) * hidden_width]
        hidden_units[num_hidden] = ONE_32
        outputs = out_outputs[row * output_width : (row + 1) * output_width]
        if output_width == SIMD_WIDTH:
            fill_layer_sums(
                network_weights, first_weight, hidden_units, num_units, outputs, SIMD_WIDTH
            )
        else:
            fill_layer_sums(
                network_weights, first_weight, hidden_units, num_units, outputs, output_width
            )
    apply_sigmoid(out_outputs, LARGEST_SUM)


@inlined
def fill_layer_sums(
    weights: Floats32,
    first_weight: int,
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
        From the index `first_weight` on, a matrix with a row for each unit of the layer below and a column for each of
        the layer's `num_units`, flattened.
    first_weight : int
        The index of the first weight of the layer.
    inputs : ndarray of float32
        The units of the layer below. The first `num_inputs` of them are used.
    num_inputs : int
        The number of rows of the matrix, a multiple of 3.
    out_sums : ndarray of float32, shape (num_units,)
        Overwritten with the sums.
    num_units : int
        The number of units of the layer, with padding.
    """
    for unit in range(num_units):
        out_sums[unit] = 0.0
    # Indices are unsigned because the compiler does not vectorize the loop if an index may be negative.
    first_of_row, row_length = np.uint64(first_weight), np.uint64(num_units)
    for row in range(0, num_inputs, ROWS_PER_STEP):
        input_1 = inputs[row]
        input_2 = inputs[row + 1]
        input_3 = inputs[row + 2]
        for unit in range(num_units):
            index = first_of_row + np.uint64(unit)
            out_sums[unit] += (
                weights[index] * input_1
                + weights[index + row_length] * input_2
                + weights[index + row_length + row_length] * input_3
            )
        first_of_row += row_length + row_length + row_length


@inlined
def apply_sigmoid(units: Floats32, largest_sum: np.float32) -> None:
    """Replace the weighted sums of units by their sigmoids, in place.

    Parameters
    ----------
    units : ndarray of float32
        The sums before, and the sigmoids afterward.
    largest_sum : float32
        The sums are first clipped to the range from minus this number to this number.
    """
    for unit in range(units.size):
        units[unit] = sigmoid(min(max(units[unit], -largest_sum), largest_sum))


@inlined
def sigmoid(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)) with x clipped at -87 and 87.

    Its steps are such that a processor can do them for many x at once. Beyond the limits exp(-x) would leave the range
    of float32.

    Let -x = n ln 2 + r, where n is a whole number. Then exp(-x) = 2^n exp(r). A polynomial approximates exp(r), and 2^n
    is made by writing n into the exponent bits of a float32.

    Parameters
    ----------
    x : float32
        The weighted sum of a unit.

    Returns
    -------
    float32
        A number above 0 and at most 1.
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
