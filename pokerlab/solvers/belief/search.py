"""Algorithm 1's tree search on a belief MDP: expectimax to a depth, below it Monte Carlo (UCT).

Levels count as in Algorithm 1: the root has `depth` left, and each step to a child takes one. From a node
of the replier's with less than zero left `iterations` playouts begin, by UCT, in place of a search.
Nature's nodes are searched at any level.

What the number is. A node with playouts is worth their average return, the first ones included. Every
playout follows some policy of the replier, so the average falls short of the node's value by a deficit
that shrinks as the playouts learn: it is biased low. Where the replier chooses among such averages, the
best is taken, and the largest of several noisy numbers is biased high. So above the depth the second
error works against the first, and only a search whose depth ends before the first choice is sure to
fall short on average.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.holdem.cards.dealing import fraction, key_of, number_at
from pokerlab.solvers.belief.belief_tree import Beliefs, Nodes, value_of
from pokerlab.solvers.belief.grouping import DECISION, TERMINAL

EXPLORATION = math.sqrt(2.0)
"""Times the range of payoffs this is C of eq. 4; the paper does not print its C."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How deep to search and how long to play.

    Raises
    ------
    SettingError
        If one is out of range.
    """

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
    >>> from pokerlab.solvers.belief.belief_tree import belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = belief_tree(kuhn, 1).against(kuhn.uniform())
    >>> search(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
    True
    """
    tree = beliefs.tree
    key = search_key(seed, tree.player, index)
    depth = tree.depth if settings.depth is None else settings.depth
    c = settings.exploration * tree.payoff_range
    arrays = tree.nodes, beliefs.probability, beliefs.utility
    return SearchResult(*search_tree(*arrays, depth, settings.iterations, c, key))


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


@kernel
def search_tree(
    nodes: Nodes,
    probability: Floats,
    utility: Floats,
    depth: int,
    iterations: int,
    exploration: float,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return what `SearchResult` has: expectimax above the depth, average returns of UCT below."""
    num_nodes = nodes.kind.size
    passed = np.zeros(num_nodes, np.bool_)  # below a node that is played from, or never reached
    played = np.zeros(num_nodes, np.bool_)
    value, variance = np.zeros(num_nodes), np.zeros(num_nodes)
    visits, total = np.zeros(num_nodes, np.int64), np.zeros(num_nodes)
    path = np.empty(nodes.level[num_nodes - 1] + 1, np.int64)
    met = num_nodes
    for node in range(1, num_nodes):
        before = nodes.parent[node]
        passed[node] = passed[before] or played[before] or probability[node] == 0.0
        played[node] = nodes.kind[node] == DECISION and nodes.level[node] > depth
        met -= passed[node]
    for node in range(num_nodes - 1, -1, -1):
        if passed[node]:
            continue
        if not played[node]:
            value[node] = value_of(nodes, probability, utility, value, node)
            variance[node] = variance_of(nodes, probability, value, variance, node)
            continue
        luck, place, squares = number_at(key, node), 0, 0.0
        for _ in range(iterations):
            so_far = total[node]
            place = playout(
                nodes, probability, utility, node, exploration, luck, place, visits, total, path
            )
            squares += (total[node] - so_far) ** 2
        value[node] = total[node] / iterations
        spread = max(squares / iterations - value[node] ** 2, 0.0)
        variance[node] = spread / max(iterations - 1, 1)
    return value[0], variance[0], met, int(np.sum(played & ~passed))


@inlined
def variance_of(
    nodes: Nodes, probability: Floats, value: Floats, variance: Floats, node: int
) -> Any:
    """Return the variance of a node's value, where the children's are independent of each other."""
    total = 0.0
    for child in range(nodes.first_child[node], nodes.first_child[node + 1]):
        if nodes.kind[node] != DECISION:
            total += probability[child] ** 2 * variance[child]
        elif value[child] == value[node]:
            return variance[child]
    return total


@inlined
def playout(
    nodes: Nodes,
    probability: Floats,
    utility: Floats,
    root: int,
    exploration: float,
    luck: np.uint64,
    place: int,
    out_visits: Ints,
    out_total: Floats,
    path: Ints,
) -> int:
    """Play from `root` to an end once; return how many of its random numbers have been used.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new node joins the tree.
    """
    node, length, known = root, 1, 1
    path[0] = root
    while nodes.kind[node] != TERMINAL:
        first, end = nodes.first_child[node], nodes.first_child[node + 1]
        in_tree = length == known
        if nodes.kind[node] == DECISION and in_tree:
            node = most_promising(first, end, out_visits[node], exploration, out_visits, out_total)
        else:
            draw = fraction(number_at(luck, place))
            place += 1
            if nodes.kind[node] == DECISION:
                node = first + int(draw * (end - first))
            else:
                node = draw_child(first, end, probability, draw)
        path[length] = node
        length += 1
        if in_tree and out_visits[node] > 0:
            known = length
    for step in range(min(known + 1, length)):  # one new node joins the tree
        out_visits[path[step]] += 1
        out_total[path[step]] += utility[node]
    return place


@inlined
def most_promising(
    first: int, end: int, visits_before: int, exploration: float, visits: Ints, total: Floats
) -> int:
    """Return the action to try next: the first that is new, or the one with the largest eq. 4."""
    best, choice = -np.inf, first
    for child in range(first, end):
        if visits[child] == 0:
            return child
        mean = total[child] / visits[child]
        bound = mean + exploration * math.sqrt(math.log(visits_before) / visits[child])  # eq. 4
        if bound > best:
            best, choice = bound, child
    return choice


@inlined
def draw_child(first: int, end: int, probability: Floats, draw: float) -> int:
    """Return a child of nature's, by probability."""
    for child in range(first, end):
        draw -= probability[child]
        if draw < 0.0:
            return child
    last = end - 1
    while last > first and probability[last] <= 0.0:
        last -= 1
    return last  # rounding left nothing
