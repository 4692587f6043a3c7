"""Random streams that are named by their purpose, so that no result depends on the order of draws.

`random_stream` returns NumPy's generator for a purpose. Kernels compute random numbers by their index instead. A key,
which is drawn for an experiment's seed and a purpose, identifies a stream of 64-bit numbers. Number i of the stream is
`scramble_bits(key + (i + 1) * STRIDE)`. These are the numbers of SplitMix64 [1]_, which are computed here in any order.
A number of one stream can be the key of another stream. So the random numbers of hand 1,000 of a match do not depend on
the hands that were played before it.

References
----------
.. [1] Guy Steele, Doug Lea, Christine Flood, "Fast splittable pseudorandom number generators",
   OOPSLA 2014, figure 17; with the constants of David Stafford's mixer 13.
"""

import hashlib

import numpy as np

from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.settings import check_kind, validate_integer

STRIDE = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)
UNUSED_BITS = np.uint64(11)  # of 64 bits, because the fraction of a float has 53 bits
FRACTION_SPACING = 2.0**-53  # the distance between two neighboring random fractions


def random_stream(seed: int, purpose: str, *index: int) -> np.random.Generator:
    """Return the random generator of an experiment for one purpose.

    The same arguments always give the same numbers. They do not depend on the numbers that were drawn before, on the
    number of workers, or on where a run was paused.

    Parameters
    ----------
    seed : int
        The experiment's seed, at least 0.
    purpose : str
        The purpose of the numbers, such as 'mutation'.
    *index : int
        The index of the stream among the streams of one purpose, such as the number of a generation. Several integers
        may be given, each at least 0. Always give a purpose the same number of integers, because NumPy's `SeedSequence`
        pads them with zeros. So no index and the index 0 give the same stream.

    Returns
    -------
    numpy.random.Generator
        A new generator, at the beginning of the stream.

    Raises
    ------
    SettingError
        If the seed or an index is not an integer of at least 0.

    Examples
    --------
    >>> bool(random_stream(1, "deal", 3).random() == random_stream(1, "deal", 3).random())
    True
    >>> bool(random_stream(1, "deal", 3).random() == random_stream(1, "deal", 4).random())
    False
    """
    validate_integer("seed", seed, 0)
    check_kind("purpose", purpose, str, "a text that says what the numbers are for")
    for integer in index:
        validate_integer("index", integer, 0)
    # The purpose is a text, of which a digest gives 64 bits.
    purpose_bits = int.from_bytes(hashlib.sha256(purpose.encode()).digest()[:8], "little")
    sequence = np.random.SeedSequence((seed, purpose_bits, *index))
    return np.random.Generator(np.random.PCG64(sequence))


def draw_stream_key(seed: int, purpose: str, *index: int) -> np.uint64:
    """Draw a key, which identifies a stream of random numbers in compiled functions.

    Compiled functions compute the numbers of the stream by `compute_random_bits(key, index)`, in any order.

    Parameters
    ----------
    seed : int
        The experiment's seed, at least 0.
    purpose : str
        The purpose of the numbers, such as 'mutation'.
    *index : int
        The index of the stream among the streams of one purpose, as in `random_stream`.

    Returns
    -------
    uint64
        The key: the first 64-bit number of the generator `random_stream(seed, purpose, *index)`.
    """
    return np.uint64(random_stream(seed, purpose, *index).integers(2**64, dtype=np.uint64))


@inlined
def scramble_bits(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits, so that each bit of the result depends on all of the given bits.

    It is the last step of SplitMix64 (Steele, Lea & Flood 2014, figure 17), with the constants of Stafford's mixer 13.
    Products are computed modulo 2**64.

    Parameters
    ----------
    bits : uint64
        The 64 bits to scramble.

    Returns
    -------
    uint64
        The scrambled bits. Different bits never give the same result.
    """
    bits = (bits ^ bits >> FIRST_SHIFT) * FIRST_FACTOR
    bits = (bits ^ bits >> SECOND_SHIFT) * SECOND_FACTOR
    return bits ^ bits >> THIRD_SHIFT


@inlined
def compute_random_bits(stream_key: np.uint64, index: int) -> np.uint64:
    """Return one 64-bit number of a stream of random numbers, which can be computed without the numbers before it.

    The numbers are those of SplitMix64 (Steele, Lea & Flood 2014) with `stream_key` as the seed.

    Parameters
    ----------
    stream_key : uint64
        The key, which identifies the stream.
    index : int
        The index of the number in the stream, at least 0.

    Returns
    -------
    uint64
        The number, from 0 to 2**64 - 1.
    """
    step = np.uint64(index) + np.uint64(1)
    return scramble_bits(stream_key + step * STRIDE)


@inlined
def convert_bits_to_fraction(bits: np.uint64) -> float:
    """Convert 64 random bits to a number in [0, 1), which is a multiple of 2**-53.

    The 53 highest bits are used, as many as the fraction of a float has.

    Parameters
    ----------
    bits : uint64
        The random bits, such as `compute_random_bits` returns.
    """
    return np.float64(bits >> UNUSED_BITS) * FRACTION_SPACING


@kernel
def derive_stream_key(parent_key: np.uint64, index: int) -> np.uint64:
    """Return the key of a further stream of random numbers: the number at an index of the stream of `parent_key`.

    This is `compute_random_bits` as a function that Python can call, because `compute_random_bits` itself can be called
    only by compiled functions.

    Parameters
    ----------
    parent_key : uint64
        The key that identifies the first stream.
    index : int
        The index of the number in the first stream, at least 0.

    Returns
    -------
    uint64
        The key of the further stream, from 0 to 2**64 - 1.
    """
    return compute_random_bits(parent_key, index)
