"""A bucketed strategy at a table with real cards: which bucket it puts them in, and what it then does."""

from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.betting.actions import CALL, FOLD, FOLDING, RAISING, column_of
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import Structure, limit
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.bucketed.public_tree import DEAL
from pokerlab.holdem.buckets.made_buckets import bucket_of
from pokerlab.holdem.histories.history import seat_of
from pokerlab.workbench.holdem.narration import Thought


@dataclass(frozen=True, eq=False)
class BucketedAgent:
    """A profile of bucketed hold'em as an opponent.

    Attributes
    ----------
    profile : BucketedProfile
        Its strategy; it sees the betting so far, and its cards as a bucket.
    name : str
        What it is called.
    """

    profile: BucketedProfile
    name: str = "the agent"

    @property
    def structure(self) -> Structure:
        """The betting of the profile's game, two chips a small bet."""
        return limit(2, cap=self.profile.game.tree.raise_cap)

    def explain(self, hand: Hand) -> Thought:
        """Return the bucket of the agent, whose turn it is, and the probabilities of its actions."""
        tree, buckets = self.profile.game.tree, self.profile.game.buckets
        bucket = int(bucket_of(buckets, hand.hole(seat_of(hand)), hand.board))
        decision = tree.decision[self.node_of(hand)]
        fold, call, raise_ = self.profile.table[self.profile.pointer[decision], bucket].tolist()
        return Thought(f"{bucket + 1} of {buckets.counts[hand.street]}", fold, call, raise_)

    def act(self, hand: Hand, luck: float) -> int:
        """Return the action that a number from 0 to 1 picks."""
        chances = np.cumsum(self.explain(hand)[1:])
        picked = np.searchsorted(chances, luck * chances[-1], side="right")
        raised = hand.legal.min_raise_to
        return raised if picked == RAISING and raised else FOLD if picked == FOLDING else CALL

    def node_of(self, hand: Hand) -> int:
        """Return where in the public tree a hand stands."""
        tree, node = self.profile.game.tree, 0
        for action in hand.actions:
            node = int(tree.child[node, column_of(action)])
            node += tree.kind[node] == DEAL
        return node
