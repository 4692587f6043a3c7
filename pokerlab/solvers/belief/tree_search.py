"""Algorithm 1's tree search on a belief MDP: expectimax to a depth, below it Monte Carlo (UCT).

Levels count as in Algorithm 1: the root has `depth` left, and each step to a child takes one. From a node
of the replier's with less than zero left `iterations` playouts begin, by UCT, in place of a search.
Nature's nodes are searched at any level.

What the number is. A node with playouts is worth their average return, the first ones included. Every playout follows
some policy of the replier, so the average falls short of the node's value by a deficit that shrinks as the playouts
learn: it is biased low. Where the replier chooses among such averages, the best is taken, and the largest of several
noisy numbers is biased high. So above the depth the second error works against the first, and only a search whose
depth ends before the first choice is sure to fall short on average.

No tree of states is kept: they are visited depth first, so that a search of tens of millions is possible.
`game.best_response` gives the same number in a thousandth of the time.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.solvers.belief.grouping import DECISION, TERMINAL
from pokerlab.solvers.belief.playouts import (
    END,
    NATURE,
    OWN,
    BeliefMdp,
    average_return,
    bucket_after,
    chance_of,
    empty_tree,
)
from pokerlab.solvers.belief.tree import Beliefs

EXPLORATION = math.sqrt(2.0)
"""Times the range of payoffs this is C of eq. 4; the paper does not print its C."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How deep to search and how long to play."""

    depth: int | None = 9  # levels of expectimax, at least 1; None for all, which is exact
    iterations: int = 1000  # playouts from each node below them, at least 1
    exploration: float = EXPLORATION  # C of eq. 4 over the range of payoffs

    def __post_init__(self) -> None:
        if self.depth is not None:
            whole("depth", self.depth, 1, LARGEST_COUNT)
        whole("iterations", self.iterations, 1, LARGEST_COUNT)
        number("exploration", self.exploration, 1e-12, 1e12)


class SearchResult(NamedTuple):
    """What a search finds."""

    value: float  # what the best response wins, in the game's unit, as far as the search sees
    variance: float  # of the value, from the spread of the playouts: luck alone, not the deficit
    searched: int  # nodes met by expectimax
    played: int  # nodes among them from which playouts began

    @property
    def standard_error(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, kw_only=True)
class SearchEstimate:
    """What repeated searches say a best response wins."""

    value: float  # mean over the runs, in the game's unit
    standard_error: float  # of the mean, from the runs' spread: luck alone; NaN after a single run
    runs: tuple[float, ...]
    seed: int

    @classmethod
    def from_runs(cls, runs: Floats, seed: int) -> "SearchEstimate":
        """Summarize the runs."""
        spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else math.nan
        return cls(
            value=float(np.mean(runs)),
            standard_error=spread / math.sqrt(len(runs)),
            runs=tuple(runs.tolist()),
            seed=seed,
        )


def search(
    beliefs: Beliefs, settings: SearchSettings, *, seed: int, index: tuple[int, int] = (0, 0)
) -> SearchResult:
    """Return what one search of a belief MDP says the best response wins.

    `index` says which of many searches, such as generation and individual; each draws numbers of its own. With
    the whole depth it is `beliefs.value`, to the last bit.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.solvers.belief.tree import belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = belief_tree(kuhn, 1).against(kuhn.uniform())
    >>> search(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
    True
    """
    tree = beliefs.tree
    key = search_key(seed, tree.player, index)
    depth = tree.depth if settings.depth is None else min(settings.depth, tree.depth)
    c = settings.exploration * tree.payoff_range
    found = search_mdp(
        mdp_of(beliefs), 0, tree.depth + 1, depth, settings.iterations, c, False, True, key
    )
    return SearchResult(*found)


def mdp_of(beliefs: Beliefs) -> BeliefMdp:
    """Return the arrays of a belief tree: one bucket, and nature's picks are its children."""
    nodes = beliefs.tree.nodes
    num_picks = np.diff(nodes.first_child)
    pick = np.arange(num_picks.max(initial=1))
    possible = pick < num_picks[:, None]
    child = np.where(possible, nodes.first_child[:-1, None] + pick, -1)
    kind = np.where(nodes.kind == DECISION, OWN, NATURE)
    return BeliefMdp(
        np.where(nodes.kind == TERMINAL, END, kind),
        num_picks,
        child,
        np.where(possible, beliefs.probability[child], 0.0),
        np.zeros(len(kind), np.int64),
        np.ones((1, 1, 1)),
        beliefs.utility[:, None].copy(),
    )


def search_key(seed: int, player: int, index: tuple[int, int]) -> np.uint64:
    """Return what names the random numbers of a search."""
    which, one = index
    return key_of(seed, "tree search", player, which, one)


def repeated_search(
    beliefs: Beliefs, settings: SearchSettings, repeats: int, *, seed: int
) -> SearchEstimate:
    """Return the mean of `repeats` searches, at least 1, that differ in their luck alone."""
    whole("repeats", repeats, 1, LARGEST_COUNT)
    runs = [search(beliefs, settings, seed=seed, index=(r, 0)).value for r in range(repeats)]
    return SearchEstimate.from_runs(np.array(runs), seed)


class Frames(NamedTuple):
    """The states between the first deal and the one that is searched, arrays of shape (levels,)."""

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


@kernel
def search_mdp(
    game: BeliefMdp,
    root: int,
    levels: int,
    depth: int,
    iterations: int,
    exploration: float,
    merged: bool,
    numbered: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return what `SearchResult` has: expectimax above the depth, average returns of UCT below.

    The luck of playouts is named by the node if each is one state, `numbered`, else by how many came before.
    """
    frames = Frames(
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels),
        np.empty(levels),
        np.empty(levels),
    )
    shape = game.worth.shape
    known = Known(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))
    tree = empty_tree(
        iterations if depth < levels - 1 else 0,
        len(game.kind) if numbered else iterations + 1,
        game.child.shape[1],
        levels,
    )
    frames.node[0], frames.bucket[0], frames.pick[0] = root, 0, 0
    frames.probability[0], frames.value[0], frames.variance[0] = 1.0, 0.0, 0.0
    if game.kind[root] == OWN:
        frames.value[0] = -np.inf
    searched, played, level = 1, 0, 0
    while True:
        node, bucket, pick = frames.node[level], frames.bucket[level], frames.pick[level]
        finished = True
        if game.kind[node] == END:
            frames.value[level] = game.worth[node, bucket]
        elif merged and not math.isnan(known.value[node, bucket]):
            frames.value[level] = known.value[node, bucket]
        elif game.kind[node] == OWN and level > depth:
            luck = number_at(key, node if numbered else played)
            mean, variance = average_return(game, node, bucket, iterations, exploration, luck, tree)
            frames.value[level], frames.variance[level] = mean, variance
            known.variance[node, bucket] = variance
            played += 1
        else:
            finished = pick == game.num_picks[node]
        if finished:
            if level == 0:
                variance = shared_variance(game, known) if merged else frames.variance[0]
                return frames.value[0], variance, searched, played
            known.value[node, bucket] = frames.value[level]
            level -= 1
            take_back(game, level, frames, known)
            continue
        frames.pick[level] += 1
        following = game.child[node, pick]
        if following < 0:
            continue
        probability = 1.0 if game.kind[node] == OWN else chance_of(game, node, bucket, pick)
        if probability <= 0.0:
            continue
        level, searched = level + 1, searched + 1
        frames.node[level], frames.pick[level] = following, 0
        frames.bucket[level] = bucket_after(game, node, bucket, pick)
        frames.probability[level] = probability
        own = game.kind[following] == OWN
        frames.value[level], frames.variance[level] = -np.inf if own else 0.0, 0.0


@inlined
def take_back(game: BeliefMdp, above: int, frames: Frames, known: Known) -> None:
    """Back up the value of the state below `above`: a sum at nature's nodes, the best at the replier's."""
    below = above + 1
    if game.kind[frames.node[above]] != OWN:
        chance = frames.probability[below]
        frames.value[above] += chance * frames.value[below]
        frames.variance[above] += chance**2 * frames.variance[below]
    elif frames.value[below] > frames.value[above]:
        frames.value[above], frames.variance[above] = frames.value[below], frames.variance[below]
        known.choice[frames.node[above], frames.bucket[above]] = frames.pick[above] - 1


@kernel
def shared_variance(game: BeliefMdp, known: Known) -> float:
    """Return the variance of a merged search: of a sum of playouts, each weighted by all ways to it."""
    reach = np.zeros(known.value.shape)
    reach[0] = game.transition[-1, 0]  # the first deal leads to node 0
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(game.worth.shape[1]):
            weight, played = reach[node, bucket], known.variance[node, bucket]
            variance += weight**2 * played
            if weight == 0.0 or played > 0.0 or game.kind[node] == END:
                continue
            own = game.kind[node] == OWN
            for pick in range(game.num_picks[node]):
                then = game.child[node, pick]
                if then < 0 or (own and pick != known.choice[node, bucket]):
                    continue
                chance = 1.0 if own else chance_of(game, node, bucket, pick)
                reach[then, bucket_after(game, node, bucket, pick)] += weight * chance
    return variance
