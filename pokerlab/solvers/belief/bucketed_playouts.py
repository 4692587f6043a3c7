"""Monte Carlo tree search (UCT) from one state of bucketed hold'em, on a tree that grows with the playouts."""

import math
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.bucketed.public_tree import DEAL
from pokerlab.holdem.cards.dealing import fraction, number_at
from pokerlab.solvers.belief.bucketed_beliefs import (
    BEFORE_DEAL,
    BucketedArrays,
    believe,
    bucket_after,
    is_end,
    is_own_decision,
    node_after,
    num_picks,
    utility,
)

LONGEST_HAND = 64
"""States from the first deal to an end; with six bets a street there are at most 37."""


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state: room for M states, state 0 the first.

    Attributes
    ----------
    size : ndarray of shape (1,)
        How many states are in it.
    node, bucket : ndarray of shape (M,)
        Public node and the replier's bucket.
    belief : ndarray of shape (M + 2, B)
        Over the other's buckets; the last two rows are for states outside the tree.
    after : ndarray of shape (M, K)
        For each pick the state that it leads to; 0 for those not met yet.
    probability : ndarray of shape (M + 1, K)
        Of each pick of nature's; the last row is for states outside the tree.
    visits, total : ndarray of shape (M,)
        Playouts through a state, and what they won.
    path : ndarray of shape (LONGEST_HAND,)
        States of the present playout.
    """

    size: Ints
    node: Ints
    bucket: Ints
    belief: Floats
    after: Ints
    probability: Floats
    visits: Ints
    total: Floats
    path: Ints


@kernel
def empty_tree(states: int, buckets: int) -> PlayoutTree:
    """Return an empty tree with room for this many states."""
    picks = max(buckets, NUM_ACTIONS)
    return PlayoutTree(
        np.zeros(1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((states + 2, buckets)),
        np.empty((states, picks), np.int64),
        np.empty((states + 1, picks)),
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(LONGEST_HAND, np.int64),
    )


@inlined
def begin(
    game: BucketedArrays, player: int, node: int, bucket: int, belief: Floats, tree: PlayoutTree
) -> None:
    """Empty the tree, and make a state at which the replier decides its root."""
    tree.size[0] = 0
    for hidden in range(belief.size):
        tree.belief[0, hidden] = belief[hidden]
    add(game, player, node, bucket, tree)


@kernel
def average_return(
    game: BucketedArrays,
    player: int,
    iterations: int,
    exploration: float,
    luck: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean of `iterations` playouts from the tree's first state, and its variance."""
    place, squares = 0, 0.0
    for _ in range(iterations):
        so_far = tree.total[0]
        place = playout(game, player, exploration, luck, place, tree)
        squares += (tree.total[0] - so_far) ** 2
    mean = tree.total[0] / iterations
    spread = max(squares / iterations - mean**2, 0.0)
    return mean, spread / max(iterations - 1, 1)


@inlined
def add(game: BucketedArrays, player: int, node: int, bucket: int, tree: PlayoutTree) -> None:
    """Add a state whose belief stands in its row already."""
    new = tree.size[0]
    tree.size[0] = new + 1
    tree.node[new], tree.bucket[new] = node, bucket
    tree.visits[new], tree.total[new] = 0, 0.0
    for pick in range(tree.after.shape[1]):
        tree.after[new, pick] = 0
    if not is_end(game, node) and not is_own_decision(game, player, node):
        fill_chances(game, node, bucket, tree.belief[new], tree.probability[new])


@inlined
def fill_chances(
    game: BucketedArrays, node: int, bucket: int, belief: Floats, out_probability: Floats
) -> None:
    """Fill in the probability of each pick of nature's: of a bucket, or P(a), eq. 7's denominator."""
    for pick in range(num_picks(game, node)):
        if node == BEFORE_DEAL:
            out_probability[pick] = game.start[pick]
        elif game.tree.kind[node] == DEAL:
            out_probability[pick] = game.transition[game.tree.street[node], bucket, pick]
        else:
            out_probability[pick] = 0.0
            for hidden in range(belief.size):
                likelihood = game.behaviour[game.tree.row[node], hidden, pick]
                out_probability[pick] += belief[hidden] * likelihood


@inlined
def playout(
    game: BucketedArrays,
    player: int,
    exploration: float,
    luck: np.uint64,
    place: int,
    tree: PlayoutTree,
) -> Any:
    """Play to an end once; return how many random numbers have been used so far.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new state joins the tree.
    """
    outside = tree.node.size  # the two rows of beliefs from here on are for states outside the tree
    state, node, bucket = 0, tree.node[0], tree.bucket[0]
    length, row, inside = 1, 0, True
    tree.path[0] = 0
    while not is_end(game, node):
        own = is_own_decision(game, player, node)
        if own and inside:
            pick = most_promising(game, node, exploration, state, tree)
        else:
            draw = fraction(number_at(luck, place))
            place += 1
            if own:
                pick = any_action(game, node, draw)
            else:
                if not inside:
                    fill_chances(game, node, bucket, tree.belief[row], tree.probability[outside])
                pick = natures_pick(
                    game, node, draw, tree.probability[state if inside else outside]
                )
        new = inside and tree.after[state, pick] == 0
        if new or not (inside or own):
            then = tree.size[0] if new else (outside + 1 if row == outside else outside)
            believe(game, player, node, bucket, tree.belief[row], pick, tree.belief[then])
            row = then
        node, bucket = node_after(game, node, pick), bucket_after(game, node, bucket, pick)
        if new:
            tree.after[state, pick] = row
            add(game, player, node, bucket, tree)
        if inside:
            state = row = tree.after[state, pick]
            tree.path[length] = state
            length += 1
            inside = not new
    won = utility(game, player, node, bucket, tree.belief[row])
    for step in range(length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += won
    return place


@inlined
def most_promising(
    game: BucketedArrays, node: int, exploration: float, state: int, tree: PlayoutTree
) -> Any:
    """Return the action to try next: the first that is new, or the one with the largest eq. 4."""
    best, choice = -np.inf, -1
    for pick in range(NUM_ACTIONS):
        if game.tree.child[node, pick] < 0:
            continue
        after = tree.after[state, pick]
        if after == 0:
            return pick
        n = tree.visits[after]
        bound = tree.total[after] / n + exploration * math.sqrt(
            math.log(tree.visits[state]) / n
        )  # eq. 4
        if bound > best:
            best, choice = bound, pick
    return choice


@inlined
def any_action(game: BucketedArrays, node: int, draw: float) -> Any:
    """Return an action, all that are allowed equally likely."""
    allowed = 0
    for pick in range(NUM_ACTIONS):
        allowed += game.tree.child[node, pick] >= 0
    which = int(draw * allowed)
    for pick in range(NUM_ACTIONS):
        if game.tree.child[node, pick] >= 0:
            if which == 0:
                return pick
            which -= 1
    return -1


@inlined
def natures_pick(game: BucketedArrays, node: int, draw: float, probability: Floats) -> Any:
    """Return a pick of nature's by its probabilities."""
    choice = -1
    for pick in range(num_picks(game, node)):
        if probability[pick] > 0.0:
            choice = pick  # the last possible one, where rounding leaves nothing
            draw -= probability[pick]
            if draw < 0.0:
                break
    return choice
