"""The belief MDP of bucketed hold'em: a public node and a bucket, with a belief over the other's bucket.

How to read it. The players' buckets move independently, so the replier's bucket says nothing about the
other's. What the replier believes therefore depends on the public node alone, and one pass over the public
tree finds all beliefs (eqs. 7 and 8) and all that follows from them: how likely each of the other's actions
is, and what an end is worth (eq. 9). A state is then a node and the replier's bucket. A step is a pick: of a
bucket where cards are dealt, of an action where somebody decides.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, FOLDED, PublicTree
from pokerlab.holdem.limit_game.layouts import PublicNodes, public_nodes

BEFORE_DEAL = -1
"""The node before the first cards: nobody has a bucket yet."""


class BucketedArrays(NamedTuple):
    """The game as one replier sees it against the other's strategy, as arrays for the kernels."""

    tree: PublicNodes
    counts: Ints  # (4,): buckets on each street
    start: Floats  # (B,): of each first bucket; B is the largest count; 0 beyond the street's own
    transition: Floats  # (3, B, B): probability of the next bucket, in columns
    chance: Floats  # (N, 3): P(a) of eq. 7 at the other's decisions; 0 elsewhere
    worth: Floats  # (N, B): what the replier wins with each bucket at an end, in small bets


def arrays_of(
    tree: PublicTree, buckets: Buckets, behavior: Floats, row: Ints, player: int
) -> BucketedArrays:
    """Return what `player` faces where the other acts by `behavior`, (rows, B, 3).

    `row`, (D,), says where each decision's probabilities stand in it.
    """
    most = max(buckets.counts)
    start, showdown = np.zeros(most), np.zeros((most, most))
    transition = np.zeros((len(buckets.transitions), most, most))
    start[: len(buckets.start)] = buckets.start
    showdown[: len(buckets.showdown), : len(buckets.showdown)] = buckets.showdown
    for street, table in enumerate(buckets.transitions):
        transition[street, : table.shape[0], : table.shape[1]] = table
    arrays = BucketedArrays(
        public_nodes(tree, row),
        np.array(buckets.counts),
        start,
        transition,
        np.zeros((tree.num_nodes, NUM_ACTIONS)),
        np.zeros((tree.num_nodes, most)),
    )
    # A table may hold anything for buckets that a street does not have; beliefs in them are 0.
    fill_in(arrays, player, np.nan_to_num(behavior), showdown)
    return arrays


@kernel
def fill_in(game: BucketedArrays, player: int, behavior: Floats, showdown: Floats) -> None:
    """Fill in chances and worths, by the other's `behavior` and the replier's share at showdowns, (B, B)."""
    belief = np.zeros(game.worth.shape)
    belief[0] = game.start
    for node in range(len(belief)):  # in preorder, parents come first
        if is_own_decision(game, player, node):
            for pick in range(NUM_ACTIONS):
                if game.tree.child[node, pick] >= 0:
                    belief[game.tree.child[node, pick]] = belief[node]
        elif game.tree.kind[node] == DECISION:
            fill_in_decision(game, node, behavior[game.tree.row[node]], belief)
        elif game.tree.kind[node] == DEAL:
            street = game.tree.street[node]
            for old in range(game.counts[street]):
                for new in range(game.counts[street + 1]):
                    chance = game.transition[street, old, new]
                    belief[node + 1, new] += belief[node, old] * chance  # eq. 8
        elif game.tree.kind[node] == FOLDED:
            loser = game.tree.actor[node]
            lost = game.tree.paid[node, loser]
            game.worth[node] = -lost if loser == player else lost
        else:
            for bucket in range(game.start.size):
                share = 0.0
                for hidden in range(game.start.size):
                    share += belief[node, hidden] * showdown[bucket, hidden]  # eq. 9
                game.worth[node, bucket] = game.tree.paid[node, player] * (2.0 * share - 1.0)


@inlined
def fill_in_decision(game: BucketedArrays, node: int, likelihood: Floats, belief: Floats) -> None:
    """Fill in how likely the other's actions are, and the beliefs after them."""
    for pick in range(NUM_ACTIONS):
        then = game.tree.child[node, pick]
        if then < 0:
            continue
        for hidden in range(game.start.size):
            belief[then, hidden] = belief[node, hidden] * likelihood[hidden, pick]
            game.chance[node, pick] += belief[then, hidden]
        if game.chance[node, pick] > 0.0:
            for hidden in range(game.start.size):
                belief[then, hidden] /= game.chance[node, pick]  # eq. 7


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
def chance_of(game: BucketedArrays, node: int, bucket: int, pick: int) -> Any:
    """Return how likely a pick of nature's is, which the other player's action is too."""
    if node == BEFORE_DEAL:
        return game.start[pick]
    if game.tree.kind[node] == DEAL:
        return game.transition[game.tree.street[node], bucket, pick]
    return game.chance[node, pick]
