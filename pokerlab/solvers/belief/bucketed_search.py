"""Algorithm 1's tree search on bucketed hold'em: the paper's Monte Carlo evaluation of an agent.

What the number is and in which directions it errs is explained in `pokerlab.solvers.belief.search`. Here
no tree is kept: states are visited depth first, and even a search of all tens of millions of states is
possible. `game.best_response` gives the same number in a thousandth of the time, because it carries the
values of all the replier's buckets at once.
"""

import math
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import whole
from pokerlab.holdem.cards.dealing import number_at
from pokerlab.holdem.limit_game.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    check_profile,
)
from pokerlab.solvers.belief.bucketed_beliefs import (
    BEFORE_DEAL,
    BucketedArrays,
    arrays_of,
    bucket_after,
    chance_of,
    is_end,
    is_own_decision,
    node_after,
    num_picks,
)
from pokerlab.solvers.belief.bucketed_playouts import (
    LONGEST_HAND,
    average_return,
    empty_tree,
)
from pokerlab.solvers.belief.search import SearchResult, SearchSettings, search_key


class Frames(NamedTuple):
    """The states between the first deal and the one that is searched, arrays of shape (LONGEST_HAND,)."""

    node: Ints  # public
    bucket: Ints  # the replier's
    pick: Ints  # that is tried next
    probability: Floats  # of the state from the one before
    value: Floats  # what its picks so far are worth
    variance: Floats  # of that


class Known(NamedTuple):
    """What is known of states that a merged search has met, arrays of shape (N, B)."""

    value: Floats  # what a state is worth; NaN if it has not been met
    variance: Floats  # of the playouts that began there; 0 if none did
    choice: Ints  # the replier's best action


def bucketed_search(
    game: BucketedHoldem,
    profile: BucketedProfile,
    player: int,
    settings: SearchSettings,
    *,
    merged: bool = False,
    seed: int,
    index: tuple[int, int] = (0, 0),
) -> SearchResult:
    """Return what one search says `player`, 0-based, wins at most against the other's `profile`.

    Levels: a deal of both players' buckets takes one, an action one. The first deal is level 0. Payoffs range over
    twice what a player can lose.

    If `merged`, states that differ only in the replier's past buckets are searched once. They have the
    same belief and the same future, so playouts from them have the same mean. Sharing the playouts makes
    the sum vary more, and choices among such sums read a little higher.

    Nearly all time goes into playouts, 0.03 to 0.1 microseconds each. With six buckets, depth 9 and 1000
    playouts, the paper's setting, there are some 10**8 of them, and 10**6 if states are merged.
    """
    check_profile(game, profile)
    whole(f"player index in {game.name}", player, 0, 1)
    key = search_key(seed, player, index)
    arrays = arrays_of(game.tree, game.buckets, profile.table, profile.pointer, player)
    depth = LONGEST_HAND if settings.depth is None else min(settings.depth, LONGEST_HAND)
    c = settings.exploration * payoff_range(game)
    return SearchResult(*search_hand(arrays, player, depth, settings.iterations, c, merged, key))


def payoff_range(game: BucketedHoldem) -> float:
    """Return how far apart a player's best and worst results are, in small bets."""
    return 2.0 * float(game.tree.paid.max())


@kernel
def search_hand(
    arrays: BucketedArrays,
    player: int,
    depth: int,
    iterations: int,
    exploration: float,
    merged: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return what `SearchResult` has: expectimax above the depth, average returns of UCT below."""
    frames = Frames(
        np.empty(LONGEST_HAND, np.int64),
        np.empty(LONGEST_HAND, np.int64),
        np.empty(LONGEST_HAND, np.int64),
        np.empty(LONGEST_HAND),
        np.empty(LONGEST_HAND),
        np.empty(LONGEST_HAND),
    )
    shape = arrays.worth.shape
    known = Known(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))
    tree = empty_tree(iterations + 1 if depth < LONGEST_HAND else 1, arrays.start.size)
    frames.node[0], frames.bucket[0], frames.pick[0] = BEFORE_DEAL, 0, 0
    frames.probability[0], frames.value[0], frames.variance[0] = 1.0, 0.0, 0.0
    searched, played, level = 1, 0, 0
    while True:
        node, bucket, pick = frames.node[level], frames.bucket[level], frames.pick[level]
        finished = is_end(arrays, node)
        if finished:
            frames.value[level] = arrays.worth[node, bucket]
        elif merged and node >= 0 and not math.isnan(known.value[node, bucket]):
            finished = True
            frames.value[level] = known.value[node, bucket]
        elif is_own_decision(arrays, player, node) and level > depth:
            finished = True
            luck = number_at(key, played)
            mean, variance = average_return(
                arrays, player, node, bucket, iterations, exploration, luck, tree
            )
            frames.value[level], frames.variance[level] = mean, variance
            known.variance[node, bucket] = variance
            played += 1
        elif pick == num_picks(arrays, node):
            finished = True
        if finished:
            if level == 0:
                variance = frames.variance[0]
                if merged:
                    variance = shared_variance(arrays, player, known)
                return frames.value[0], variance, searched, played
            known.value[node, bucket] = frames.value[level]
            level -= 1
            take_back(arrays, player, level, frames, known)
            continue
        frames.pick[level] += 1
        following = node_after(arrays, node, pick)
        if following < 0:
            continue
        own = is_own_decision(arrays, player, node)
        probability = 1.0 if own else chance_of(arrays, node, bucket, pick)
        if probability <= 0.0:
            continue
        level, searched = level + 1, searched + 1
        frames.node[level], frames.pick[level] = following, 0
        frames.bucket[level] = bucket_after(arrays, node, bucket, pick)
        frames.probability[level] = probability
        own = is_own_decision(arrays, player, following)
        frames.value[level], frames.variance[level] = -np.inf if own else 0.0, 0.0


@inlined
def take_back(
    arrays: BucketedArrays, player: int, above: int, frames: Frames, known: Known
) -> None:
    """Back up the value of the state below `above`: a sum at nature's nodes, the best at the replier's."""
    below = above + 1
    if not is_own_decision(arrays, player, frames.node[above]):
        chance = frames.probability[below]
        frames.value[above] += chance * frames.value[below]
        frames.variance[above] += chance**2 * frames.variance[below]
    elif frames.value[below] > frames.value[above]:
        frames.value[above], frames.variance[above] = frames.value[below], frames.variance[below]
        known.choice[frames.node[above], frames.bucket[above]] = frames.pick[above] - 1


@kernel
def shared_variance(arrays: BucketedArrays, player: int, known: Known) -> float:
    """Return the variance of a merged search: of a sum of playouts, each weighted by all ways to it."""
    reach = np.zeros(known.value.shape)
    reach[0] = arrays.start
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(arrays.start.size):
            weight, played = reach[node, bucket], known.variance[node, bucket]
            variance += weight**2 * played
            if weight == 0.0 or played > 0.0 or is_end(arrays, node):
                continue
            own = is_own_decision(arrays, player, node)
            for pick in range(num_picks(arrays, node)):
                then = node_after(arrays, node, pick)
                if then < 0 or (own and pick != known.choice[node, bucket]):
                    continue
                chance = 1.0 if own else chance_of(arrays, node, bucket, pick)
                reach[then, bucket_after(arrays, node, bucket, pick)] += weight * chance
    return variance
