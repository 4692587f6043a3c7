"""Bucketed hold'em in which the players share a board: what the independence of chains costs.

How to read it. In `BucketedHoldem` a player's buckets tell nothing of the opponent's, and nothing of
the own ones before the last. Here both players' histories of buckets come together as they do with
real cards (`JointBuckets`), and the player who replies knows its own history and how it goes with
the opponent's. Strategies are those of the bucketed game: they see the present bucket. So what a
best response wins here beyond what it wins there is the price of the independence.

A street is worked through for all its starts at once. At every public node stand, for each of the
replier's histories, chances times winnings: a product of the matrix of chances that two histories
meet with what the opponent's histories have done so far. A history's last bucket alone decides what
it does on its last street, so that one product a start serves all the street's leaves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import NamedTuple

import numpy as np

from pokerlab.core import SMALL_BETS, Unit
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import GameError
from pokerlab.holdem.betting.actions import ACTIONS
from pokerlab.holdem.bucketed.bucketed_holdem import BucketedHoldem
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile, check_profile
from pokerlab.holdem.bucketed.layouts import StreetBetting, street_bettings
from pokerlab.holdem.bucketed.public_tree import DEAL, DECISION, FOLDED, NUM_SEATS
from pokerlab.holdem.buckets.buckets import Buckets
from pokerlab.holdem.buckets.joint_buckets import JointBuckets
from pokerlab.holdem.cards.deck import RIVER

STARTS_AT_ONCE = 64
"""So few that what is added up for them stays small."""


@dataclass(frozen=True, eq=False, repr=False)
class JointHoldem:
    """Bucketed hold'em with the chances of both players' histories of buckets together.

    Profiles are those of `game`, and all that is asked of them is what they are worth: a best response
    here knows its own history of buckets, which no profile of `game` can tell.

    Parameters
    ----------
    game : BucketedHoldem
        The betting and the buckets.
    joint : JointBuckets
        Of the same buckets.

    Raises
    ------
    GameError
        If the buckets are others.
    """

    game: BucketedHoldem
    joint: JointBuckets
    num_players: int = field(default=NUM_SEATS, init=False)
    unit: Unit = field(default=SMALL_BETS, init=False)
    zero_sum: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        check_buckets(self.game, self.joint)

    @property
    def name(self) -> str:
        """What people call the game."""
        return f"{self.game.name}, histories together"

    @cached_property
    def chances(self) -> "Chances":
        """The chances of histories as the sweep reads them."""
        return chances_of(self.joint)

    def values(self, profile: BucketedProfile) -> Floats:
        """Return what each seat wins, (2,), when both follow `profile`, in small bets."""
        check_profile(self.game, profile)
        value = JointSweep(profile, 0, [self.chances], replies=False).values()[0]
        return np.array([value, -value])

    def best_values(self, profile: BucketedProfile) -> Floats:
        """Return what a best response to `profile` wins in each seat, (2,), in small bets.

        The replier knows all of the betting, its own history of buckets and the joint chances.
        """
        check_profile(self.game, profile)
        both = [
            JointSweep(profile, seat, [self.chances], replies=True) for seat in range(NUM_SEATS)
        ]
        return np.array([sweep.values()[0] for sweep in both])

    def gains(self, profile: BucketedProfile) -> Floats:
        """Return what each seat would gain by a best response, (2,)."""
        return self.best_values(profile) - self.values(profile)

    def nash_conv(self, profile: BucketedProfile) -> float:
        """Return the sum of what best responses win in the two seats."""
        return float(self.best_values(profile).sum())

    def held_out_values(self, profile: BucketedProfile, fresh: JointBuckets) -> Floats:
        """Return what best responses to `profile` by these chances win by others, (2,).

        Chances counted on sampled boards flatter a best response, which fits their noise. What it
        wins by chances that were counted on other boards is on average no more than a best response
        to the true ones does, so that the two numbers enclose it but for the noise of `fresh`.

        Parameters
        ----------
        profile : BucketedProfile
        fresh : JointBuckets
            Of the same buckets, on other boards.
        """
        check_profile(self.game, profile)
        check_buckets(self.game, fresh)
        chances = [self.chances, chances_of(fresh)]
        both = [JointSweep(profile, seat, chances, replies=True) for seat in range(NUM_SEATS)]
        return np.array([sweep.values()[1] for sweep in both])

    def __repr__(self) -> str:
        return f"<{self.name}: {self.joint.source}>"


def independent(buckets: Buckets) -> JointBuckets:
    """Return histories that come as the independent chains of `buckets` have them.

    `JointHoldem` with these is `BucketedHoldem` again.
    """
    alone = buckets.start
    for transition in buckets.transitions:
        alone = (alone.reshape(-1, len(transition))[:, :, None] * transition).reshape(-1)
    last = np.arange(len(alone)) % buckets.counts[-1]
    return JointBuckets(
        buckets,
        np.outer(alone, alone),
        buckets.showdown[last[:, None], last],
        "independent chains",
    )


def check_buckets(game: BucketedHoldem, joint: JointBuckets) -> None:
    """Refuse chances of other buckets than a game's."""
    ours, theirs = game.buckets, joint.buckets
    same = ours.counts == theirs.counts and all(map(np.array_equal, ours.bounds, theirs.bounds))
    if not same:
        raise GameError(
            f"the game has buckets {ours!r}, the chances are of {theirs!r} with other bounds."
            " Count with joint_buckets(game.buckets)."
        )


class Chances(NamedTuple):
    """How often histories meet, and what then is won.

    Attributes
    ----------
    met : tuple of 4 ndarray, shapes (H_{r-1}, H_r B_r)
        Probability that the opponent's history up to the street before, in rows, meets the own
        one and is followed by a bucket.
    edge : ndarray of shape (H_2, H_3 B_3)
        The same on the river, times what is won for each chip paid: 2 share - 1.
    """

    met: tuple[Floats, ...]
    edge: Floats


def chances_of(joint: JointBuckets) -> Chances:
    """Return the chances as the sweep reads them."""
    counts = joint.buckets.counts
    met = (before_own(*each) for each in zip(joint.chances, counts, strict=True))
    return Chances(tuple(met), before_own(joint.met * (2.0 * joint.showdown - 1.0), counts[-1]))


def before_own(table: Floats, count: int) -> Floats:
    """Return a table by own and opponent's history as one by the latter's past, own, last bucket."""
    moved = table.reshape(len(table), -1, count).transpose(1, 0, 2)
    return np.ascontiguousarray(moved).reshape(len(moved), -1)


class JointSweep:
    """What one seat wins against a profile, by one or several chances of histories.

    Parameters
    ----------
    profile : BucketedProfile
        What the opponent does; and what the seat does, if it does not reply.
    player : int
        The seat.
    chances : sequence of Chances
        By the first the seat chooses; by all of them its winnings are counted.
    replies : bool
        Whether the seat does what is best for it, or follows the profile.
    """

    def __init__(
        self, profile: BucketedProfile, player: int, chances: Sequence[Chances], *, replies: bool
    ) -> None:
        self.profile, self.player, self.chances, self.replies = profile, player, chances, replies
        self.tree = profile.game.tree
        self.counts = profile.game.buckets.counts
        self.histories = (1, *accumulate(self.counts, mul))
        self.bettings = street_bettings(self.tree)

    def values(self) -> list[float]:
        """Return what is won by each of the chances."""
        return [float(worth[0, 0]) for worth in self.worth_from(0, np.ones((1, 1)))]

    def worth_from(self, street: int, reach: Floats) -> list[Floats]:
        """Return what a street and what follows is worth at its starts.

        Parameters
        ----------
        street : int
        reach : ndarray of shape (S, H_{r-1})
            Probability that the opponent does what leads to each start, with each history.

        Returns
        -------
        list of ndarray of shape (S, H_{r-1})
            For each of the chances: chance times winnings with each of the own histories.
        """
        some = [
            slice(first, first + STARTS_AT_ONCE) for first in range(0, len(reach), STARTS_AT_ONCE)
        ]
        if street < RIVER:
            some = [slice(None)]
        parts = [self.worth_of(street, reach[part], part) for part in some]
        return [np.concatenate(of_chances) for of_chances in zip(*parts, strict=True)]

    def worth_of(self, street: int, reach: Floats, starts: slice) -> list[Floats]:
        """Return what `worth_from` does for some of the starts."""
        betting = self.bettings[street]
        nodes = betting.nodes[starts]
        follows = self.followed(betting, nodes, self.counts[street])
        dealt = self.worth_dealt(street, betting, nodes, reach, follows)
        # What the opponent's histories up to the street before weigh, by own history and bucket.
        shape = len(nodes), self.histories[street + 1], self.counts[street]
        masses = [(reach @ by.met[street]).reshape(shape) for by in self.chances]
        edges = masses
        if street == RIVER:
            edges = [(reach @ by.edge).reshape(shape) for by in self.chances]

        def worth(k: int) -> list[Floats]:
            """Return chance times winnings at a node, (S, H_r), for each of the chances."""
            kind = betting.kind[k]
            if kind == DEAL:
                return dealt[k]
            if kind != DECISION:
                paid = self.tree.paid[nodes[:, k], self.player]
                sums = masses if kind == FOLDED else edges
                if kind == FOLDED and betting.actor[k] != self.player:
                    paid = self.tree.paid[nodes[:, k], 1 - self.player]
                elif kind == FOLDED:
                    paid = -paid
                weight = (follows[k] * paid[:, None])[:, :, None]
                return [np.matmul(each, weight)[:, :, 0] for each in sums]
            children = [
                (action, worth(int(c))) for action, c in enumerate(betting.child[k]) if c >= 0
            ]
            each = [worths for _, worths in children]
            if betting.actor[k] != self.player:
                return [sum_of(by) for by in zip(*each, strict=True)]
            if self.replies:
                return best_of(each)
            weights = [self.weights(nodes[:, k], action, street) for action, _ in children]
            return [
                sum_of([w * v for w, v in zip(weights, by, strict=True)])
                for by in zip(*each, strict=True)
            ]

        shape = len(nodes), self.histories[street], self.counts[street]
        return [each.reshape(shape).sum(axis=2) for each in worth(0)]

    def followed(self, betting: StreetBetting, nodes: Ints, count: int) -> list[Floats]:
        """Return how likely the opponent does what leads to each node from its start, (S, B) each."""
        follows = [np.ones((len(nodes), count)) for _ in betting.kind]
        for k in np.flatnonzero(betting.kind == DECISION):
            chances = self.profile.table[self.profile.pointer[self.tree.decision[nodes[:, k]]]]
            for action in range(len(ACTIONS)):
                c = betting.child[k, action]
                if c >= 0 and betting.actor[k] == self.player:
                    follows[c] = follows[k]
                elif c >= 0:
                    follows[c] = follows[k] * chances[:, :count, action]
        return follows

    def worth_dealt(
        self,
        street: int,
        betting: StreetBetting,
        nodes: Ints,
        reach: Floats,
        follows: list[Floats],
    ) -> dict[int, list[Floats]]:
        """Return what each deal of a street is worth, (S, H_r) for each of the chances."""
        deals = np.flatnonzero(betting.kind == DEAL)
        if street == RIVER:
            return {}
        starts = [self.tree.start[nodes[:, k] + 1] for k in deals]
        then = np.empty((self.tree.num_starts[street + 1], self.histories[street + 1]))
        for k, start in zip(deals, starts, strict=True):
            then[start] = (reach[:, :, None] * follows[k][:, None, :]).reshape(len(nodes), -1)
        after = self.worth_from(street + 1, then)
        return {
            int(k): [each[start] for each in after] for k, start in zip(deals, starts, strict=True)
        }

    def weights(self, nodes: Ints, action: int, street: int) -> Floats:
        """Return how likely the seat itself takes an action by the profile, (S, H_r)."""
        rows = self.profile.pointer[self.tree.decision[nodes]]
        chances = self.profile.table[rows, : self.counts[street], action]
        return np.tile(chances, self.histories[street])


def sum_of(worths: Sequence[Floats]) -> Floats:
    """Return the sum of arrays."""
    return np.asarray(sum(worths[1:], worths[0]))


def best_of(each: list[list[Floats]]) -> list[Floats]:
    """Return the worths of the actions that are best by the first of the chances."""
    best = each[0]
    for other in each[1:]:
        better = other[0] > best[0]
        best = [np.where(better, new, old) for new, old in zip(other, best, strict=True)]
    return best
