"""Make buckets of all hands: cut win probabilities into clusters, then count what follows what.

How to read it. On each street all hands are put into a histogram of win probabilities, which is
cut by k-means. Then every hand has a bucket, and everything else is counted over all deals: how
often a hand in one bucket is in another a street later, and how often a bucket wins against
another at the showdown. If the win probabilities are exact, so is everything, but for k-means'
random starts.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from tqdm.auto import tqdm

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import SettingError
from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.bucketed.card_counts import (
    RENAMED,
    Labels,
    add_showdowns,
    add_steps,
    boards_before,
    fill_river_labels,
)
from pokerlab.holdem.bucketed.clusters import clusters
from pokerlab.holdem.bucketed.expectations import Expectations, blocked, boards_of, rivers
from pokerlab.holdem.cards.cards import NUM_HOLDINGS, Cards
from pokerlab.holdem.cards.streets import RIVER, WHEN
from pokerlab.holdem.equity.river import new_sweep
from pokerlab.holdem.equity.tables import SHOWN_AFTER

Halves: TypeAlias = NDArray[np.uint32]

ROWS_AT_ONCE = 2048
MOST_BINS = 10_000_000


class Histogram(NamedTuple):
    """The different win probabilities on a street, and how many hands have each.

    Attributes
    ----------
    halves : ndarray of int64, shape (n,)
        In ascending order.
    hands : ndarray of float64, shape (n,)
        Hands with boards: whole numbers below 2**53, whose sums are exact.
    """

    halves: Ints
    hands: Floats


class Cut(NamedTuple):
    """Where the win probabilities of a street are cut.

    Attributes
    ----------
    bounds : ndarray of float64, shape (B - 1,)
        Halfway between the neighbouring win probabilities.
    lowest, highest : ndarray of float64, shape (B,)
        Least and largest win probability in each bucket.
    """

    bounds: Floats
    lowest: Floats
    highest: Floats


def abstraction(
    counts: tuple[int, int, int, int], expectations: Expectations, seed: int
) -> Buckets:
    """Return buckets of hands by these win probabilities.

    Parameters
    ----------
    counts : tuple of 4 int
        Number of buckets on each street.
    expectations : Expectations
        Win probabilities.
    seed : int
        Of the starts of k-means.

    Raises
    ------
    SettingError
        If there are too many buckets, or more than win probabilities.
    """
    cuts, labels, steps = [], [], []
    with tqdm(total=7, desc="buckets", unit=" steps", delay=SHOWN_AFTER, leave=False) as bar:
        for street, count in enumerate(counts):
            halves = all_halves(expectations, street)
            cuts.append(cut(halves, street, expectations.most(street), count, seed))
            labels.append(labelled(halves, street, expectations.most(street), cuts[-1].bounds))
            bar.update()
        for street in range(1, 4):
            steps.append(count_steps(labels, street, counts))
            bar.update()
    return Buckets(
        counts,
        steps[0].sum(axis=1) / steps[0].sum(),
        tuple(step / step.sum(axis=1, keepdims=True) for step in steps),
        showdown_shares(labels[RIVER], counts[RIVER]),
        tuple(of_street.bounds for of_street in cuts),
        tuple(of_street.lowest for of_street in cuts),
        tuple(of_street.highest for of_street in cuts),
        expectations.source,
    )


def pieces(street: int) -> Iterator[Ints]:
    """Yield the rows of a street's table, some at a time."""
    rows = rivers().row if street == RIVER else boards_of(street)[1]
    for first in range(0, len(rows), ROWS_AT_ONCE):
        yield np.arange(first, min(first + ROWS_AT_ONCE, len(rows)))


def all_halves(expectations: Expectations, street: int) -> Halves:
    """Return the halves won by all hands of a street, a row for each board or kind of river."""
    if street == RIVER:
        return expectations.river_halves().astype(np.uint32)
    halves = np.empty((len(boards_of(street)[0]), NUM_HOLDINGS), np.uint32)
    for which in pieces(street):
        halves[which] = expectations.halves(street, which)
    return halves


def hands_of(street: int, which: Ints) -> Ints:
    """Return how many hands each place in these rows of a street's table stands for."""
    if street == RIVER:
        return rivers().hands[which] * rivers().times[which, None]
    boards, multiplicities = boards_of(street)
    return np.where(blocked(boards[which]), 0, multiplicities[which, None])


def histogram(halves: Halves, street: int, most: int) -> Histogram:
    """Return how many hands win how many halves, of so many at most."""
    if most > MOST_BINS:
        hands = hands_of(street, np.arange(len(halves)))
        different, places = np.unique(halves[hands > 0], return_inverse=True)
        counts = np.bincount(places, hands[hands > 0]).astype(np.float64)
        return Histogram(different.astype(np.int64), counts)
    counts = np.zeros(most + 1)
    for which in pieces(street):
        counts += np.bincount(halves[which].ravel(), hands_of(street, which).ravel(), most + 1)
    found = np.flatnonzero(counts)
    return Histogram(found, counts[found])


def cut(halves: Halves, street: int, most: int, count: int, seed: int) -> Cut:
    """Cut the win probabilities of a street into so many clusters."""
    found = histogram(halves, street, most)
    if len(found.halves) < count:
        raise SettingError(
            f"{len(found.halves)} different win probabilities {WHEN[street]} cannot fill {count}"
            " buckets: some would be empty. Use at most that many."
        )
    edges = clusters(found.halves / most, found.hands, count, seed=seed, index=street)
    first, last = found.halves[edges[:-1]], found.halves[edges[1:] - 1]
    return Cut((last[:-1] + first[1:]) / (2 * most), first / most, last / most)


def labelled(halves: Halves, street: int, most: int, bounds: Floats) -> Labels:
    """Return the bucket of each hand of a street.

    Returns
    -------
    ndarray of uint8, shape (boards, 1326), or (42783, 351) on the river
        B_r where holding and board share a card.
    """
    labels = np.empty(halves.shape, np.uint8)
    for which in pieces(street):
        found = np.searchsorted(bounds, halves[which] / most, side="right")
        labels[which] = np.where(hands_of(street, which) > 0, found, len(bounds) + 1)
    return labels


def labels_of(bounds: Floats, expectations: Expectations, street: int) -> Labels:
    """Return the bucket of each hand of a street between bounds, as `labelled` does."""
    return labelled(all_halves(expectations, street), street, expectations.most(street), bounds)


def count_steps(labels: list[Labels], street: int, counts: tuple[int, ...]) -> Ints:
    """Count how often hands move from bucket to bucket when the cards of a street come.

    Returns
    -------
    ndarray of int64, shape (B_{r-1}, B_r)
        Hands with boards and the card that came last; all deals together.
    """
    boards, multiplicities = boards_of(street)
    steps = np.zeros((counts[street - 1] + 1, counts[street] + 1), np.int64)
    for first in range(0, len(boards), ROWS_AT_ONCE):
        some = slice(first, first + ROWS_AT_ONCE)
        before = boards_before(boards[some])
        after = labels[street][some]
        if street == RIVER:
            after = river_labels(labels[RIVER], boards[some], counts[RIVER])
        previous, times = labels[street - 1], multiplicities[some]
        add_steps(previous, before.boards, before.renamings, RENAMED, after, times, steps)
    return steps[:-1, :-1]


def river_labels(of_class: Labels, boards: Cards, nowhere: int) -> Labels:
    """Return the bucket of each holding on each board of five, shape (n, 1326)."""
    labels = np.empty((len(boards), NUM_HOLDINGS), np.uint8)
    fill_river_labels(of_class, rivers().kind, boards, nowhere, labels)
    return labels


def showdown_shares(river: Labels, count: int) -> Floats:
    """Return the share of the pot that each bucket on the river has against each, (B_3, B_3).

    Two buckets that never meet share as if the higher won.
    """
    kinds = rivers()
    won, met = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    add_showdowns(kinds.board, river, kinds.times, new_sweep(), won, met)
    rank = np.arange(count)
    never = (1 + np.sign(rank[:, None] - rank)) / 2
    # Halves of pots: won, and half of what neither won.
    return np.where(met > 0, (met + won - won.T) / np.maximum(2 * met, 1), never)
