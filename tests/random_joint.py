"""Random chances of two histories of buckets, to hold laws of the joint game against."""

import numpy as np

from pokerlab.core import stream
from pokerlab.holdem.buckets.buckets import Buckets
from pokerlab.holdem.buckets.joint_buckets import JointBuckets


def random_joint(buckets: Buckets, *, seed: int = 1) -> JointBuckets:
    """Return random chances that two histories of `buckets` meet, some never, and random shares."""
    luck = stream(seed, "random joint buckets")
    size = int(np.prod(buckets.counts))
    met = luck.exponential(size=(size, size)) * (luck.random((size, size)) < 0.8)
    share = luck.random((size, size))
    met = met + met.T
    return JointBuckets(buckets, met / met.sum(), (1.0 + share - share.T) / 2, f"random {seed}")
