"""Networks with one hidden layer and a sigmoid at both layers, in float32, for players in kernels.

The weights of a network of I inputs, H hidden units and O outputs are a row of numbers: for each
input its weights to the H hidden units, then their biases; for each hidden unit its weights to the O
outputs, then theirs. So sums over inputs are added for all units of a layer at once.
"""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.errors import SettingError, ShapeError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import switch, whole

Floats32 = NDArray[np.float32]
ONE = np.float32(1.0)
MOST_UNITS = 10_000
"""Most units of a layer."""


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
        In (0, 1), as far as float32 can tell.

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
    out = np.empty((len(inputs), outputs), np.float32)
    fill_outputs(
        np.ascontiguousarray(weights),
        which.astype(np.int64),
        np.ascontiguousarray(inputs),
        biases,
        np.empty(hidden, np.float32),
        out,
    )
    return out


@kernel
def fill_outputs(
    weights: Floats32,
    networks: NDArray[np.int64],
    inputs: Floats32,
    biases: bool,
    hidden: Floats32,
    out: Floats32,
) -> None:
    """Write the outputs of each row; `hidden` is scratch memory for the hidden units."""
    for row in range(inputs.shape[0]):
        forward(weights[networks[row]], inputs[row], biases, hidden, out[row])


@inlined
def forward(
    weights: Floats32, inputs: Floats32, biases: bool, hidden: Floats32, out: Floats32
) -> None:
    """Write the outputs of one network, and those of its hidden units."""
    after = layer(weights, 0, inputs, biases, hidden)
    layer(weights, after, hidden, biases, out)


@inlined
def layer(weights: Floats32, begin: int, below: Floats32, biases: bool, out: Floats32) -> int:
    """Write the outputs of a layer's units; return where its weights end."""
    units = out.size
    end = begin + below.size * units
    for unit in range(units):
        out[unit] = weights[end + unit] if biases else np.float32(0.0)
    for i in range(below.size):
        value, first = below[i], begin + i * units
        for unit in range(units):
            out[unit] += weights[first + unit] * value
    for unit in range(units):
        out[unit] = ONE / (ONE + np.exp(-out[unit]))
    return end + units if biases else end
