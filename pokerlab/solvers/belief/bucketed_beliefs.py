"""The belief MDP of bucketed hold'em: a public node, a bucket, a belief over the other's bucket.

How to read it. A state is a public node, the replier's bucket, and how likely each bucket of the other
player is. The players' buckets move independently, so the replier's bucket says nothing about the other's,
and of the past only the belief matters. A step is a pick: of a bucket where cards are dealt, of an action
where somebody decides. States are made as they are met, since there are tens of millions of them.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.bucketed.layouts import PublicNodes, public_nodes
from pokerlab.holdem.bucketed.public_tree import DEAL, DECISION, FOLDED, PublicTree
from pokerlab.holdem.buckets.buckets import Buckets

BEFORE_DEAL = -1
"""The node before the first cards: nobody has a bucket yet."""


class BucketedArrays(NamedTuple):
    """The game and the other player's strategy, as arrays for the kernels.

    Attributes
    ----------
    tree : PublicNodes
        The betting, and where `behaviour` has the probabilities of a decision.
    counts : ndarray of shape (4,)
        Buckets on each street.
    start : ndarray of shape (B,)
        Probability of each first bucket; B is the largest count; 0 beyond the street's own.
    transition : ndarray of shape (3, B, B)
        Of the next bucket, in columns.
    showdown : ndarray of shape (B, B)
        The replier's share of the pot, by the replier's bucket and the other's.
    behaviour : ndarray of shape (rows, B, 3)
        Probabilities of actions.
    """

    tree: PublicNodes
    counts: Ints
    start: Floats
    transition: Floats
    showdown: Floats
    behaviour: Floats


def arrays_of(tree: PublicTree, buckets: Buckets, behaviour: Floats, row: Ints) -> BucketedArrays:
    """Return the arrays of a bucketed game and of `behaviour`, (rows, B, 3).

    `row`, (D,), says where each decision's probabilities stand in it.
    """
    most = max(buckets.counts)
    start, showdown = np.zeros(most), np.zeros((most, most))
    transition = np.zeros((len(buckets.transitions), most, most))
    start[: len(buckets.start)] = buckets.start
    showdown[: len(buckets.showdown), : len(buckets.showdown)] = buckets.showdown
    for street, table in enumerate(buckets.transitions):
        transition[street, : table.shape[0], : table.shape[1]] = table
    return BucketedArrays(
        public_nodes(tree, row),
        np.array(buckets.counts),
        start,
        transition,
        showdown,
        # A table may hold anything for buckets that a street does not have; beliefs in them are 0.
        np.nan_to_num(behaviour),
    )


@inlined
def is_own_decision(game: BucketedArrays, player: int, node: int) -> Any:
    """Return whether the replier decides at a node."""
    return node >= 0 and game.tree.kind[node] == DECISION and game.tree.actor[node] == player


@inlined
def is_end(game: BucketedArrays, node: int) -> Any:
    """Return whether the hand is over."""
    return node >= 0 and game.tree.kind[node] >= FOLDED


@inlined
def num_picks(game: BucketedArrays, node: int) -> Any:
    """Return how many picks there are at a node that is not an end: buckets, or actions allowed or not."""
    if node == BEFORE_DEAL:
        return game.counts[0]
    if game.tree.kind[node] == DEAL:
        return game.counts[game.tree.street[node] + 1]
    return np.int64(NUM_ACTIONS)


@inlined
def node_after(game: BucketedArrays, node: int, pick: int) -> Any:
    """Return the next public node; -1 if the action is not allowed."""
    if node == BEFORE_DEAL:
        return np.int64(0)
    if game.tree.kind[node] == DEAL:
        return np.int64(node + 1)
    return game.tree.child[node, pick]


@inlined
def bucket_after(game: BucketedArrays, node: int, bucket: int, pick: int) -> Any:
    """Return the replier's bucket after a pick."""
    if node == BEFORE_DEAL or game.tree.kind[node] == DEAL:
        return np.int64(pick)
    return np.int64(bucket)


@inlined
def believe(
    game: BucketedArrays,
    player: int,
    node: int,
    bucket: int,
    belief: Floats,
    pick: int,
    out_belief: Floats,
) -> Any:
    """Fill in the belief after a pick; return the pick's probability, 1 for the replier's action.

    Unlike Algorithm 1 as printed, which sets initial beliefs to 1.0, the first belief is the prior.
    """
    if node == BEFORE_DEAL:
        copy_into(game.start, out_belief)
        return game.start[pick]
    street = game.tree.street[node]
    if game.tree.kind[node] == DEAL:
        for new in range(out_belief.size):
            out_belief[new] = 0.0
        for old in range(game.counts[street]):
            if belief[old] > 0.0:
                for new in range(game.counts[street + 1]):
                    out_belief[new] += belief[old] * game.transition[street, old, new]  # eq. 8
        return game.transition[street, bucket, pick]
    if game.tree.actor[node] == player:
        copy_into(belief, out_belief)
        return 1.0
    marginal = 0.0
    for hidden in range(belief.size):
        out_belief[hidden] = belief[hidden] * game.behaviour[game.tree.row[node], hidden, pick]
        marginal += out_belief[hidden]
    if marginal > 0.0:
        for hidden in range(belief.size):
            out_belief[hidden] /= marginal  # eq. 7
    return marginal


@inlined
def utility(game: BucketedArrays, player: int, node: int, bucket: int, belief: Floats) -> Any:
    """Return what the replier wins at an end, in small bets."""
    if game.tree.kind[node] == FOLDED:
        loser = game.tree.actor[node]
        return -game.tree.paid[node, loser] if loser == player else game.tree.paid[node, loser]
    share = 0.0
    for hidden in range(belief.size):
        share += belief[hidden] * game.showdown[bucket, hidden]  # eq. 9
    return game.tree.paid[node, player] * (2.0 * share - 1.0)


@inlined
def copy_into(values: Floats, out_values: Floats) -> None:
    """Copy `values` into `out_values`."""
    for i in range(values.size):
        out_values[i] = values[i]
