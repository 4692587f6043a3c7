"""A belief MDP as arrays for kernels, and playouts from one of its states (UCT), on a tree that grows with them.

A state is a node and the replier's private class there, its bucket; a step is a pick: of a bucket where cards are
dealt, of an action where somebody decides. Nodes of compiled games have one bucket, and their deals are actions of
nature's.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import fraction, number_at

END, OWN, NATURE, DEAL = range(4)


class BeliefMdp(NamedTuple):
    """N nodes with at most K picks, where the replier has at most B buckets."""

    kind: Ints  # (N,): END, OWN (the replier decides), NATURE (another player or chance) or DEAL (of a bucket)
    num_picks: Ints  # (N,)
    child: Ints  # (N, K): the node after a pick; -1 where it is not possible
    chance: Floats  # (N, K): of nature's picks
    street: Ints  # (N,): which transition a deal is
    transition: Floats  # (streets, B, B): probability of the next bucket, in columns
    worth: Floats  # (N, B): what the replier wins with each bucket at an end


@inlined
def bucket_after(game: BeliefMdp, node: int, bucket: int, pick: int) -> Any:
    """Return the replier's bucket after a pick."""
    return np.int64(pick) if game.kind[node] == DEAL else np.int64(bucket)


@inlined
def chance_of(game: BeliefMdp, node: int, bucket: int, pick: int) -> Any:
    """Return how likely a pick of nature's is, which the other player's action is too."""
    if game.kind[node] == DEAL:
        return game.transition[game.street[node], bucket, pick]
    return game.chance[node, pick]


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state: room for M states, state 0 the first."""

    size: Ints  # (1,): how many states are in it
    node: Ints  # (M,)
    bucket: Ints  # (M,)
    after: Ints  # (M, K): for each pick the state that it leads to; 0 for those not met yet
    visits: Ints  # (M,): playouts through a state
    total: Floats  # (M,): what they won
    path: Ints  # (levels,): states of the present playout
    log: Floats  # (iterations + 1,): logarithms of 1, 1, 2, 3, ... visits, for eq. 4


@kernel
def empty_tree(iterations: int, most: int, picks: int, levels: int) -> PlayoutTree:
    """Return an empty tree with room for the states of so many playouts, at most `most`."""
    states = min(iterations + 1, most)
    return PlayoutTree(
        np.zeros(1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((states, picks), np.int64),
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(levels, np.int64),
        np.array([math.log(max(visits, 1)) for visits in range(iterations + 1)]),
    )


@kernel
def average_return(
    game: BeliefMdp,
    node: int,
    bucket: int,
    iterations: int,
    exploration: float,
    luck: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean of `iterations` playouts from a state where the replier decides, and its variance."""
    tree.size[0] = 0
    add(node, bucket, tree)
    place, squares = 0, 0.0
    for _ in range(iterations):
        so_far = tree.total[0]
        place = playout(game, exploration, luck, place, tree)
        squares += (tree.total[0] - so_far) ** 2
    mean = tree.total[0] / iterations
    spread = max(squares / iterations - mean**2, 0.0)
    return mean, spread / max(iterations - 1, 1)


@inlined
def add(node: int, bucket: int, tree: PlayoutTree) -> Any:
    """Add a state and return its place in the tree."""
    new = tree.size[0]
    tree.size[0] = new + 1
    tree.node[new], tree.bucket[new] = node, bucket
    tree.visits[new], tree.total[new] = 0, 0.0
    for pick in range(tree.after.shape[1]):
        tree.after[new, pick] = 0
    return new


@inlined
def playout(
    game: BeliefMdp, exploration: float, luck: np.uint64, place: int, tree: PlayoutTree
) -> Any:
    """Play to an end once; return how many random numbers have been used so far.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new state joins the tree.
    """
    state, node, bucket = 0, tree.node[0], tree.bucket[0]
    length, inside = 1, True
    tree.path[0] = 0
    while game.kind[node] != END:
        own = game.kind[node] == OWN
        if own and inside:
            pick = most_promising(game, node, exploration, state, tree)
        else:
            draw = fraction(number_at(luck, place))
            place += 1
            pick = any_action(game, node, draw) if own else natures_pick(game, node, bucket, draw)
        bucket = bucket_after(game, node, bucket, pick)
        node = game.child[node, pick]
        if inside:
            inside = tree.after[state, pick] > 0
            if not inside:
                tree.after[state, pick] = add(node, bucket, tree)
            state = tree.after[state, pick]
            tree.path[length] = state
            length += 1
    won = game.worth[node, bucket]
    for step in range(length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += won
    return place


@inlined
def most_promising(
    game: BeliefMdp, node: int, exploration: float, state: int, tree: PlayoutTree
) -> Any:
    """Return the action to try next: the first that is new, or the one with the largest eq. 4."""
    best, choice, log = -np.inf, -1, tree.log[tree.visits[state]]
    for pick in range(game.num_picks[node]):
        if game.child[node, pick] < 0:
            continue
        after = tree.after[state, pick]
        if after == 0:
            return pick
        n = tree.visits[after]
        bound = tree.total[after] / n + exploration * math.sqrt(log / n)  # eq. 4
        if bound > best:
            best, choice = bound, pick
    return choice


@inlined
def any_action(game: BeliefMdp, node: int, draw: float) -> Any:
    """Return an action, all that are allowed equally likely."""
    allowed = 0
    for pick in range(game.num_picks[node]):
        allowed += game.child[node, pick] >= 0
    which = int(draw * allowed)
    for pick in range(game.num_picks[node]):
        if game.child[node, pick] >= 0:
            if which == 0:
                return pick
            which -= 1
    return -1


@inlined
def natures_pick(game: BeliefMdp, node: int, bucket: int, draw: float) -> Any:
    """Return a pick of nature's by its probabilities."""
    choice = -1
    for pick in range(game.num_picks[node]):
        chance = chance_of(game, node, bucket, pick)
        if chance > 0.0:
            choice = pick  # the last possible one, where rounding leaves nothing
            draw -= chance
            if draw < 0.0:
                break
    return choice
