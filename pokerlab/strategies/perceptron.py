"""Networks with one hidden layer and a sigmoid at both layers, in float32, for players in kernels.

The weights of a network of I inputs, H hidden units and O outputs are a row of numbers: for each
input its weights to the H hidden units, then their biases; for each hidden unit its weights to the O
outputs, then theirs.

Kernels read them *laid out*: as two matrices, one row for each unit below and one for the biases, which
belong to a unit that is always 1. Columns and rows of zeros make their sizes multiples of `LANES`, so that
a processor adds up whole vectors of units at a time; the zeros change no sum.
"""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.errors import SettingError, ShapeError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import switch, whole

Floats32 = NDArray[np.float32]
MOST_UNITS = 10_000
"""Most units of a layer."""
LANES = 8
ONE = np.float32(1.0)

LARGEST_SUM = np.float32(87.0)
"""Sums are cut here, so that a sigmoid is never zero and its logarithm is a number."""
LOG2_E, LN_2, LN_2_REST = np.float32(1.442695), np.float32(0.693359375), np.float32(-2.1219444e-4)
"""1 / ln 2, and ln 2 in two parts, the first of which has few digits."""
WHOLE = np.float32(1.5 * 2**23)
"""A float32 of this size has no digits behind the point: adding it rounds to a whole number."""
EXPONENT_BITS, EXPONENT_OF_ONE = 23, 127
E_2, E_3, E_4, E_5, E_6, E_7 = (
    np.float32(part)
    for part in (
        0.5,
        0.16666665459,
        0.041665795894,
        0.0083334519073,
        1.3981999507e-3,
        1.98756915e-4,
    )
)
"""exp(x) = 1 + x + E_2 x^2 + ... + E_7 x^7 for |x| <= ln 2 / 2, as S. L. Moshier's Cephes has it."""


def num_weights(inputs: int, hidden: int, outputs: int, *, biases: bool = True) -> int:
    """Return how many weights a network has.

    Examples
    --------
    >>> num_weights(35, 20, 5), num_weights(35, 20, 5, biases=False)
    (825, 800)
    """
    sizes = {"inputs": inputs, "hidden": hidden, "outputs": outputs}
    i, h, o = (whole(name, size, 1, MOST_UNITS) for name, size in sizes.items())
    return i * h + h * o + (h + o if switch("biases", biases) else 0)


def perceptron(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    *,
    hidden: int,
    outputs: int,
    biases: bool = True,
) -> Floats32:
    """Return the outputs of networks, each row of inputs through the network that it names.

    Parameters
    ----------
    weights : ndarray of float32, shape (N, W)
        The networks, one a row; W is `num_weights`.
    networks : ndarray of integers, shape (R,)
        For each row of inputs its network, 0 to N - 1.
    inputs : ndarray of float32, shape (R, I)
        Inputs.
    hidden, outputs : int
        Units of the hidden layer and of the output layer, 1 to 10,000.
    biases : bool
        Whether each unit has a bias.

    Returns
    -------
    ndarray of float32, shape (R, O)
        From 1.6e-38 to 1: sums are cut at -87 and 87.

    Raises
    ------
    ShapeError
        If arrays do not fit each other, or weights or inputs are not float32.
    SettingError
        If a number is out of range, or there is no such network.
    """
    for name, array in {"weights": weights, "inputs": inputs}.items():
        given = np.asarray(array)
        if given.dtype != np.float32 or given.ndim != 2:
            raise ShapeError(
                f"{name} are {given.dtype} of shape {given.shape}; give a float32 array of two"
                " dimensions."
            )
    wanted = num_weights(inputs.shape[1], hidden, outputs, biases=biases)
    if weights.shape[1] != wanted:
        raise ShapeError(
            f"weights have shape {weights.shape}; networks of {inputs.shape[1]} inputs, {hidden} hidden"
            f" units and {outputs} outputs{'' if biases else ' without biases'} have {wanted} weights"
            " a row."
        )
    which = np.asarray(networks)
    if which.shape != inputs.shape[:1] or which.dtype.kind not in "iu":
        raise ShapeError(
            f"networks are {which.dtype} of shape {which.shape}; give a whole number for each of the"
            f" {len(inputs)} rows of inputs."
        )
    if which.size and not 0 <= which.min() <= which.max() < len(weights):
        raise SettingError(
            f"networks go from {which.min()} to {which.max()}; weights have rows 0 to"
            f" {len(weights) - 1}."
        )
    size = inputs.shape[1]
    below = np.zeros((len(inputs), vectors(size + 1)), np.float32)
    below[:, :size], below[:, size] = inputs, ONE
    units = np.zeros((len(inputs), vectors(hidden + 1)), np.float32)
    out = np.empty((len(inputs), vectors(outputs)), np.float32)
    matrices = laid_out(weights, size, hidden, outputs, biases=biases)
    fill_outputs(matrices, which.astype(np.int64), below, hidden, units, out)
    return out[:, :outputs]


def laid_out(
    weights: Floats32, inputs: int, hidden: int, outputs: int, *, biases: bool
) -> Floats32:
    """Return networks, (N, W), as kernels read them, (N, vectors(I + 1) V + V vectors(O)).

    V is vectors(H + 1): the width of the first matrix and the height of the second.
    """
    width, last = vectors(hidden + 1), vectors(outputs)
    first = np.zeros((len(weights), vectors(inputs + 1), width), np.float32)
    second = np.zeros((len(weights), width, last), np.float32)
    middle = (inputs + biases) * hidden
    first[:, : inputs + biases, :hidden] = weights[:, :middle].reshape(len(weights), -1, hidden)
    second[:, : hidden + biases, :outputs] = weights[:, middle:].reshape(len(weights), -1, outputs)
    return np.hstack([first.reshape(len(weights), -1), second.reshape(len(weights), -1)])


@inlined
def vectors(units: int) -> int:
    """Return the multiple of LANES in which so many units have room."""
    return -(-units // LANES) * LANES


@kernel
def fill_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    below: Floats32,
    num_hidden: int,
    hidden: Floats32,
    out: Floats32,
) -> None:
    """Write the hidden units and the outputs of each row."""
    for row in range(below.shape[0]):
        forward(weights[networks[row]], below[row], num_hidden, hidden[row], out[row])


@inlined
def forward(
    weights: Floats32, below: Floats32, num_hidden: int, hidden: Floats32, out: Floats32
) -> None:
    """Write the outputs of one network that is laid out, and those of its hidden units.

    Behind its inputs `below` has the unit that is always 1, and so has `hidden` behind its units.
    """
    begin_second = layer(weights, 0, below, hidden)
    hidden[num_hidden] = ONE
    layer(weights, begin_second, hidden, out)


@inlined
def layer(weights: Floats32, begin: int, below: Floats32, out: Floats32) -> int:
    """Write the outputs of a layer's units; return where its weights end."""
    units = out.size
    for unit in range(units):
        out[unit] = 0.0
    for row in range(0, below.size, 4):  # four in one sweep, so that `out` is written less often
        first, second, third, fourth = below[row], below[row + 1], below[row + 2], below[row + 3]
        for unit in range(units):
            place = begin + row * units + unit
            out[unit] = (
                out[unit]
                + weights[place] * first
                + weights[place + units] * second
                + weights[place + 2 * units] * third
                + weights[place + 3 * units] * fourth
            )
    for unit in range(units):
        out[unit] = sigmoid(out[unit])
    return begin + below.size * units


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
