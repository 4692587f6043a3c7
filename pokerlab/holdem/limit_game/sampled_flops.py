"""The best reply before the flop, to what it wins on flops that are all there are, or a sample.

How to read it. Flops are of six kinds, by how many suits and ranks they have, and of each kind its share is drawn. Most
of the luck is known: whoever sees no more than buckets wins more on some flops than on others too, and to compute this
for all flops takes a second. So what is won on a flop is corrected by how lucky the flop is in buckets.

Who takes the best of inexact numbers believes too much: a bias upward. What is best on one half of the flops, paid by
the other, is too little on average; so the bias is at most what lies between.
"""

from functools import cache
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.random_numbers import stream
from pokerlab.core.settings import whole
from pokerlab.holdem.cards.deck import (
    FLOP,
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    NUM_SUITS,
)
from pokerlab.holdem.cards.suits import canonical_boards, hand_classes
from pokerlab.holdem.limit_game.betting_tree import DECISION, NUM_SEATS
from pokerlab.holdem.limit_game.bucketed_holdem import NO_ROWS
from pokerlab.holdem.limit_game.flop_replies import Exposed
from pokerlab.holdem.limit_game.layouts import START
from pokerlab.holdem.limit_game.replies import reply
from pokerlab.holdem.limit_game.worth import BEST, swept

LEAST_FLOPS = 12
"""One of each kind for each half."""
FIT = comb(NUM_CARDS, 3) / comb(NUM_CARDS - 4, 3)
"""All flops, by those on which two given holdings can meet."""
OTHERS, OTHERS_ON_FLOP = comb(NUM_CARDS - 2, 2), comb(NUM_CARDS - 5, 2)
"""Holdings of the opponent, when the reply's is known."""


class StartingHands(NamedTuple):
    """The 169 starting hands, of which suits do not matter."""

    of_holding: Ints  # (1326,): which of them each holding is
    sizes: Ints  # (169,): how many holdings each is


@cache
def starting_hands() -> StartingHands:
    """Return the starting hands."""
    of_holding = np.asarray(hand_classes(2).index(HOLDINGS.copy()))
    return StartingHands(of_holding, np.bincount(of_holding))


class Flops(NamedTuple):
    """Chosen flops: n of them, of K kinds."""

    number: Ints  # (n,): among the canonical flops
    kind: Ints  # (n,)
    shares: Floats  # (K,): of all flops
    sizes: Ints  # (K,): how many canonical flops there are of each kind

    def weights(self, some: Any = slice(None)) -> Floats:
        """Return what each of some flops counts: a kind's share is divided among its flops."""
        kind = self.kind[some]
        return np.asarray(self.shares[kind] / np.bincount(kind)[kind])


def choose_flops(count: int | None, seed: int | None) -> Flops:
    """Return all flops, or so many drawn by a seed, of each kind its share."""
    boards, times = canonical_boards(3)
    suits, ranks = (
        [len(set(row)) for row in part] for part in (boards % NUM_SUITS, boards // NUM_SUITS)
    )
    kind = np.unique(np.array([suits, ranks]), axis=1, return_inverse=True)[1].ravel()
    sizes, shares = np.bincount(kind), np.bincount(kind, times) / times.sum()
    if count is None:
        return Flops(np.arange(len(boards)), kind, shares, sizes)
    whole("flops", count, LEAST_FLOPS, len(boards))
    if seed is None:
        raise SettingError(f"{count} flops are to be drawn; give a seed, or flops=None for all.")
    taken = np.full(len(sizes), LEAST_FLOPS // len(sizes))
    while taken.sum() < count:
        taken[np.argmax(np.where(taken < sizes, count * shares - taken, -np.inf))] += 1
    drawn = [
        stream(seed, "flops", k).permutation(np.flatnonzero(kind == k))[:size]
        for k, size in enumerate(taken)
    ]
    number = np.concatenate(drawn)
    return Flops(number, kind[number], shares, sizes)


class Plan(NamedTuple):
    """The best reply before the flop, for one seat."""

    parts: Floats  # (4,): what it wins, in small bets, by the street on which the hand ends
    counts: Floats  # (169, beginnings): how much of what is won from the flop on it wins
    fixed: float  # what it wins where no flop comes


def plan(exposed: Exposed, player: int, mean: Floats) -> Plan:
    """Return the best reply to what is won from the flop on, on average over flops, (3, 169, beginnings)."""
    here = exposed.against[player][0]
    label, weights = exposed.before_flop()
    parts = np.zeros((NUM_STREETS, NUM_HOLDINGS, 1))
    choice = np.zeros((len(here.nodes), NUM_HOLDINGS, 1), np.int64)
    reply(here, label, weights, mean[:, starting_hands().of_holding], parts, choice)
    goes = np.full((len(here.nodes), NUM_HOLDINGS), 1.0 / (NUM_HOLDINGS * OTHERS))
    for k in np.flatnonzero(here.nodes["kind"] == DECISION):
        own = here.nodes["actor"][k] == player
        for child in here.nodes["child"][k]:
            if child >= 0:
                goes[child] = goes[k] * (choice[k, :, 0] == child) if own else goes[k]
    counts = by_starting_hand(goes[here.deals].T) * starting_hands().sizes[:, None]
    won = parts.sum(axis=(1, 2)) * goes[0, 0]
    return Plan(won, counts, float(won.sum() - (counts * mean.sum(axis=0)).sum()))


def by_starting_hand(by_holding: Floats) -> Floats:
    """Return means over the holdings that are one starting hand, (..., 1326, n) to (..., 169, n)."""
    hands, sizes = starting_hands()
    together = by_holding[..., np.argsort(hands, kind="stable"), :]
    sums = np.add.reduceat(together, np.cumsum(sizes) - sizes, axis=-2)
    return np.asarray(sums / sizes[:, None])


def won_in_buckets(exposed: Exposed) -> Floats:
    """Return what is won from each flop on if both see no more than buckets, (1755, 2, 169, beginnings)."""
    game, play = exposed.profile.game, exposed.profile.play
    lanes, odds, (first, then) = game.lanes, game.odds.copy(), game.buckets.counts[:2]
    block, starts = lanes.streets["block"][FLOP], lanes.streets["starts"][FLOP]
    before = exposed.before_flop()[0]
    labels = exposed.labels(canonical_boards(3)[0])
    hands, sizes = starting_hands()
    found = np.zeros((len(labels), NUM_SEATS, len(sizes), starts))
    for flop, player in product(range(len(labels)), range(NUM_SEATS)):
        live = labels[flop] >= 0
        label = labels[flop][live]
        moves = np.bincount(before[live] * then + label, minlength=first * then).reshape(first, -1)
        odds[START, 0, :first] = moves.sum(axis=1) / len(label)
        odds[0, :first, :then] = moves / np.maximum(moves.sum(axis=1, keepdims=True), 1)
        worth = swept(lanes, odds, play, play, player, BEST, NO_ROWS).start_worth[block]
        met = np.bincount(hands[live] * then + label, minlength=len(sizes) * then)
        shares = met.reshape(-1, then) / sizes[:, None]
        found[flop, player] = FIT * OTHERS_ON_FLOP * shares @ worth[:then, :starts]
    return found


def estimated(exposed: Exposed, flops: Flops, won: Floats) -> tuple[Floats, float, float]:
    """Return what the best reply wins by seat and by the street on which hands end, (2, 4), in small bets.

    With the standard error of the sum, and by how much it is too large at most on average. `won` is what it wins from
    flops on, (n, 2, 3, 169, beginnings).
    """
    luck, won = won_in_buckets(exposed), won.copy()
    mean = np.tensordot(choose_flops(None, None).weights(), luck, 1)
    won[:, :, -1] += mean - luck[flops.number]  # on average over all flops this is nothing

    def planned(some: Any) -> list[Plan]:
        """Return the best reply in both seats by some of the flops."""
        means = np.tensordot(flops.weights(some), won[some], 1)
        return [plan(exposed, player, each) for player, each in enumerate(means)]

    def paid(plans: list[Plan]) -> Floats:
        """Return what a reply wins by each flop."""
        counts = np.array([each.counts for each in plans])
        return np.asarray(
            sum(each.fixed for each in plans) + np.tensordot(won.sum(axis=2), counts, 3)
        )

    plans, taken = planned(slice(None)), np.bincount(flops.kind)
    parts = np.array([each.parts for each in plans])
    if (taken == flops.sizes).all():
        return parts, 0.0, 0.0
    each = paid(plans)
    spread = each - (np.bincount(flops.kind, each) / taken)[flops.kind]
    variance = np.bincount(flops.kind, spread**2) / (taken - 1)
    error = np.sqrt((flops.shares**2 * (1 - taken / flops.sizes) * variance / taken).sum())
    one, two = np.arange(0, len(each), 2), np.arange(1, len(each), 2)
    crossed = [flops.weights(b) @ paid(planned(a))[b] for a, b in ((one, two), (two, one))]
    return parts, float(error), max(float(parts.sum() - np.mean(crossed)), 0.0)
