"""Random streams that are named by their purpose, so that no result depends on the order of draws.

`stream` returns a generator for a purpose. Inside kernels numbers are looked up by their place. A key, made from an
experiment's seed and a purpose, names a stream of 64-bit numbers. Number i is `scramble(key + (i + 1) * STRIDE)`, which
is SplitMix64 [1]_ read at any place. A number of one stream can be the key of another, so that the numbers of hand
1,000 of a match do not depend on the hands that were played before it.

References
----------
.. [1] Guy Steele, Doug Lea, Christine Flood, "Fast splittable pseudorandom number generators",
   OOPSLA 2014, figure 17; with the constants of David Stafford's mixer 13.
"""

import hashlib

import numpy as np

from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.settings import whole

STRIDE = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)
ONE = np.uint64(1)
TO_FRACTION = np.uint64(11)
FRACTION = 2.0**-53


def stream(seed: int, purpose: str, *index: int) -> np.random.Generator:
    """Return the random generator of `seed`, `purpose` and `index`.

    The same arguments give the same numbers, whatever was drawn before, by how many workers, or where a run was paused.

    Parameters
    ----------
    seed : int
        The experiment's seed, at least 0.
    purpose : str
        The purpose of the numbers, such as 'mutation'.
    *index : int
        The number of the stream among those of one purpose, such as a generation; each index at least 0. Always give
        a purpose the same number of indexes: NumPy's `SeedSequence` fills up with zeros, so that no index and the
        index 0 name one stream.

    Examples
    --------
    >>> bool(stream(1, "deal", 3).random() == stream(1, "deal", 3).random())
    True
    >>> bool(stream(1, "deal", 3).random() == stream(1, "deal", 4).random())
    False
    """
    whole("seed", seed, 0)
    for number in index:
        whole("index", number, 0)
    word = int.from_bytes(hashlib.sha256(purpose.encode()).digest()[:8], "little")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence((seed, word, *index))))


def key_of(seed: int, purpose: str, *index: int) -> np.uint64:
    """Return a key for kernels, drawn from the stream of `seed`, `purpose` and `index`."""
    return np.uint64(stream(seed, purpose, *index).integers(2**64, dtype=np.uint64))


@inlined
def scramble(number: np.uint64) -> np.uint64:
    """Return 64 bits, each of which depends on all bits of `number`."""
    number = (number ^ number >> FIRST_SHIFT) * FIRST_FACTOR
    number = (number ^ number >> SECOND_SHIFT) * SECOND_FACTOR
    return number ^ number >> THIRD_SHIFT


@inlined
def number_at(key: np.uint64, place: int) -> np.uint64:
    """Return the 64-bit number at `place`, 0 or more, of the stream that `key` names."""
    return scramble(key + (np.uint64(place) + ONE) * STRIDE)


@inlined
def fraction(bits: np.uint64) -> float:
    """Return 64 random bits as a number in [0, 1), a multiple of 2**-53."""
    return np.float64(bits >> TO_FRACTION) * FRACTION


@kernel
def key_at(key: np.uint64, place: int) -> np.uint64:
    """Return `number_at(key, place)`; it is called from Python, and returns an int."""
    return number_at(key, place)
