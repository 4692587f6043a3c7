"""What buckets do not see: what real cards win from a player who always calls, and hands in a wrong bucket.

A caller never raises and never folds, so that a bet on one street changes nothing on the next, and
each street stands alone. Whoever has the equity e against a random hand wins 2 e - 1 of a bet that is
called, and bets where that is more than nothing. So each street is worth its bet times the mean of
max(0, 2 e - 1) over all hands and boards. Blinds are called by both and are worth nothing on average.

When win probabilities are estimated from few random deals, a hand that was unlucky in its deals lies in too
low a bucket, next to hands that are worse. So buckets overlap, hands seem to move between them more than
they do, and at the showdown a higher bucket wins less surely.
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
from pokerlab.holdem.cards.deck import BOARD_SIZES, NUM_CARDS
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.exact import everybody

BETS = (1.0, 1.0, 2.0, 2.0)
"""Small bets that a bet costs on each street; before the flop it is a raise of the big blind."""
AT_A_TIME = 4096
"""Boards, for which all holdings' equities fit into a few megabytes."""


def mean_edge(street: int) -> float:
    """Return the mean of max(0, 2 e - 1) over all hands and boards of a street, 0 to 3.

    Examples
    --------
    >>> round(mean_edge(0), 6)
    0.080197
    """
    num_board = BOARD_SIZES[street]
    if num_board == 0:
        equities: Floats = everybody(np.empty(0, np.uint8))
        return float(np.maximum(2.0 * equities - 1.0, 0.0).mean())
    boards, times = canonical_boards(num_board)
    total = 0.0
    for begin in range(0, len(boards), AT_A_TIME):
        some = slice(begin, begin + AT_A_TIME)
        edges = np.maximum(2.0 * everybody(boards[some]) - 1.0, 0.0)
        total += float(np.nansum(edges, axis=1) @ times[some])
    left = NUM_CARDS - num_board
    return total / (int(times.sum()) * left * (left - 1) // 2)


def best_response_to_caller() -> float:
    """Return what a best response wins a hand from a player who always calls, in small bets.

    In limit hold'em for two, in which the big blind is one small bet; the mean of both seats. Johanson
    et al. (2011) print 1163.48 thousandths of a big blind.

    References
    ----------
    .. [1] M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating best response calculation in
       large extensive games", IJCAI 2011
    """
    return sum(bet * mean_edge(street) for street, bet in enumerate(BETS))


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


def sampling_noise(counts: int | Sequence[int] = 6, *, seed: int = 1) -> SamplingNoise:
    """Make buckets both ways, and count which hands the deals put into another bucket.

    Parameters and errors are those of `make_buckets`; what was counted is kept as the buckets are.
    """
    exact = make_buckets(counts, seed=seed)
    sampled = make_buckets(counts, expectations="sampled", seed=seed)
    way = SampledExpectations(PAPER_SAMPLES, seed)
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
