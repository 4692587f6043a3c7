"""Whether standard errors are what they say: how far estimates of different seeds lie apart."""

from collections.abc import Iterable

import numpy as np

NEAR = (0.75, 1.35)
"""Where the ratio lies for some hundred seeds: the spread itself is known to 7 percent or so."""


def claimed_to_seen(estimates: Iterable[tuple[float, float]]) -> float:
    """Return the standard errors that are claimed over the standard deviation that is seen.

    Parameters
    ----------
    estimates : iterable of (float, float)
        Values and their standard errors, one pair a seed.
    """
    values, errors = np.array(list(estimates)).T
    return float(np.sqrt(np.mean(errors**2)) / np.std(values, ddof=1))
