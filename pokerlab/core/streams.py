"""Random numbers named by their purpose, so that no result depends on who drew first."""

import hashlib

import numpy as np

from pokerlab.core.settings import whole


def stream(seed: int, purpose: str, *index: int) -> np.random.Generator:
    """Return the generator that belongs to `seed`, `purpose` and `index`.

    The same arguments give the same numbers, whatever was drawn before, by how many workers, or
    where a run was paused: a stream is looked up, not passed on.

    Parameters
    ----------
    seed : int
        The experiment's seed, at least 0.
    purpose : str
        What the numbers are for, such as 'mutation'.
    *index : int
        Which of many: a generation, a worker's item; each at least 0. Always give a purpose the same number of
        indexes: NumPy's `SeedSequence` fills up with zeros, so that no index and the index 0 name one stream.

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
