"""How buckets change when win probabilities are estimated from few random deals.

A hand that was unlucky in its deals lies in too low a bucket, next to hands that are worse. So
buckets overlap, hands seem to move between them more than they do, and at the showdown a higher
bucket wins less surely.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.cache import kept_arrays
from pokerlab.holdem.buckets.abstraction import labels_of
from pokerlab.holdem.buckets.buckets import Buckets, four_counts
from pokerlab.holdem.buckets.expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    SampledExpectations,
    hands_of,
    pieces,
)
from pokerlab.holdem.buckets.made_buckets import make_buckets, name_in_cache


@dataclass(frozen=True, eq=False)
class SamplingNoise:
    """Buckets by exact and by sampled win probabilities, side by side.

    Attributes
    ----------
    exact, sampled : Buckets
        The buckets.
    mixed : tuple of 4 ndarray, shapes (B_r, B_r)
        For the hands in each exact bucket, in rows, the share that lies in each sampled one.
    """

    exact: Buckets
    sampled: Buckets
    mixed: tuple[Floats, ...]

    @property
    def misplaced(self) -> Floats:
        """The share of all hands that lie in another bucket, by street, shape (4,)."""
        return np.array(
            [
                1 - chances @ np.diagonal(mixed)
                for chances, mixed in zip(self.exact.frequencies, self.mixed, strict=True)
            ]
        )


def sampling_noise(
    counts: int | Sequence[int] = 6, *, seed: int = 1, samples: Sequence[int] = PAPER_SAMPLES
) -> SamplingNoise:
    """Make buckets both ways, and count which hands the deals put into another bucket.

    Parameters and errors are those of `make_buckets`; what was counted is kept as the buckets are.
    """
    exact = make_buckets(counts, seed=seed)
    sampled = make_buckets(counts, expectations="sampled", seed=seed, samples=samples)
    way = SampledExpectations(samples, seed)
    arrays = kept_arrays(
        name_in_cache("bucket-noise", four_counts(counts), way, seed),
        lambda: {f"mixed{r}": mixed(exact, sampled, way, r) for r in range(len(exact.counts))},
    )
    return SamplingNoise(exact, sampled, tuple(arrays[f"mixed{r}"] for r in range(len(arrays))))


def mixed(exact: Buckets, sampled: Buckets, way: SampledExpectations, street: int) -> Floats:
    """Return the share of each exact bucket's hands that lies in each sampled one, (B_r, B_r)."""
    one = labels_of(exact.bounds[street], ExactExpectations(), street)
    two = labels_of(sampled.bounds[street], way, street)
    # Where holding and board share a card, both labels are one more than the last bucket.
    size = exact.counts[street] + 1
    hands = np.zeros(size**2)
    for which in pieces(street):
        both = one[which].astype(np.int64) * size + two[which]
        hands += np.bincount(both.ravel(), hands_of(street, which).ravel(), size**2)
    together = hands.reshape(size, size)[:-1, :-1]
    return np.asarray(together / together.sum(axis=1, keepdims=True))
