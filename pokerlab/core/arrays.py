"""The types of arrays that the whole package shares, and how arrays become read-only."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def freeze(*values: object) -> None:
    """Make arrays read-only, in place; what is no array is left as it is."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
