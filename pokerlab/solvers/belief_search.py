"""Search for a best response on the belief MDP of a player, Algorithm 1 of Samothrakis & Lucas (2011).

`search_best_response` is expectimax to a depth, below it Monte Carlo tree search (UCT). Levels count as in Algorithm 1:
the root has `depth` left, and each step to a child takes one. Where the responder decides with less than zero left,
`iterations` playouts by UCT take the place of the search. Nature's nodes are searched at any level. Expectimax stores
no tree, only the playouts from one state do: states are visited depth first, so that a search of tens of millions of
states is possible. A search of the whole depth gives what `game.best_response` gives in a thousandth of the time.

The value of a node with playouts is their average return, the first ones included. Every playout
follows some policy of the responder, so the average falls short of the node's value by a deficit that shrinks as the
playouts learn: it is biased low. Where the responder chooses among such averages, the largest is taken, and the largest
of several noisy numbers is biased high. So above the depth the second error works against the first, and only a search
whose depth ends before the first choice is sure to fall short on average.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, convert_bits_to_fraction, draw_key
from pokerlab.core.settings import LARGEST_COUNT, checked_integer, checked_number
from pokerlab.solvers.beliefs import DEAL, END, OWN, BeliefMdp, Beliefs


@inlined
def find_next_bucket(mdp: BeliefMdp, node: int, bucket: int, move: int) -> int:
    """Return the responder's bucket after a move."""
    return np.int64(move) if mdp.kind[node] == DEAL else np.int64(bucket)  # type: ignore[return-value]


@inlined
def get_probability(mdp: BeliefMdp, node: int, bucket: int, move: int) -> np.float64:
    """Return the probability of one of nature's moves in a state."""
    if mdp.kind[node] == DEAL:
        return mdp.transition[mdp.street[node], bucket, move]  # type: ignore[no-any-return]
    return mdp.probability[node, move]  # type: ignore[no-any-return]


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state, with room for M states, the first of which is that state.

    Attributes
    ----------
    size : array of shape (1,)
        The number of states in the tree.
    node, bucket : array of shape (M,)
        The node and the bucket of each state.
    after : array of shape (M, K)
        The state after each move; 0 where none has been reached.
    visits : array of shape (M,)
        The number of playouts through each state.
    total : array of shape (M,)
        The sum of their returns.
    path : array of shape (levels,)
        The states of the present playout.
    log : array of shape (iterations + 1,)
        The logarithms of 1, 1, 2, 3, ... visits, for eq. 4.
    """

    size: Ints
    node: Ints
    bucket: Ints
    after: Ints
    visits: Ints
    total: Floats
    path: Ints
    log: Floats


@kernel
def allocate_playouts(iterations: int, most: int, moves: int, levels: int) -> PlayoutTree:
    """Return an empty tree with room for the states of some playouts.

    Parameters
    ----------
    iterations, most : int
        The number of playouts, and the largest number of states.
    moves, levels : int
        The largest number of moves of a node, and of states of a playout.
    """
    states = min(iterations + 1, most)
    return PlayoutTree(
        np.zeros(1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((states, moves), np.int64),
        np.empty(states, np.int64),
        np.empty(states),
        np.empty(levels, np.int64),
        np.array([math.log(max(visits, 1)) for visits in range(iterations + 1)]),
    )


@kernel
def average_return(
    mdp: BeliefMdp,
    node: int,
    bucket: int,
    iterations: int,
    exploration: float,
    key: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean return of playouts from a state in which the responder decides, and the variance of the mean.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The state.
    iterations : int
        The number of playouts.
    exploration : float
        C of eq. 4, in the game's unit.
    key : uint64
        Names the stream of random numbers.
    tree : PlayoutTree
        Overwritten by the tree of these playouts.
    """
    tree.size[0] = 0
    add_state(node, bucket, tree)
    # A literal 0 would have `play_out` compiled once more, and `choose_by_bound` below.
    drawn, squares = int(np.int64(0)), 0.0
    for _ in range(iterations):
        total_before = tree.total[0]
        drawn = play_out(mdp, exploration, key, drawn, tree)
        squares += (tree.total[0] - total_before) ** 2
    mean = tree.total[0] / iterations
    spread = max(squares / iterations - mean**2, 0.0)
    return mean, spread / max(iterations - 1, 1)


@inlined
def add_state(node: int, bucket: int, tree: PlayoutTree) -> np.int64:
    """Add a state that no playout has reached, and return its index in the tree."""
    new: np.int64 = tree.size[0]
    tree.size[0] = new + 1
    tree.node[new], tree.bucket[new] = node, bucket
    tree.visits[new], tree.total[new] = 0, 0.0
    for move in range(tree.after.shape[1]):
        tree.after[new, move] = 0
    return new


@inlined
def play_out(
    mdp: BeliefMdp, exploration: float, key: np.uint64, drawn: int, tree: PlayoutTree
) -> int:
    """Play to a terminal once, and return how many random numbers have been drawn from the stream since its start.

    Actions are chosen by eq. 4 in the tree and at random beyond it; the first new state joins the tree.

    Parameters
    ----------
    mdp, exploration, key, tree
        As in `average_return`; the tree is updated.
    drawn : int
        How many random numbers have been drawn before this playout.
    """
    state, node, bucket = int(np.int64(0)), tree.node[0], tree.bucket[0]
    length, inside = 1, True
    tree.path[0] = 0
    while mdp.kind[node] != END:
        own = mdp.kind[node] == OWN
        if own and inside:
            move = choose_by_bound(mdp, node, exploration, state, tree)
        else:
            uniform = convert_bits_to_fraction(compute_random_bits(key, drawn))
            drawn += 1
            if own:
                move = draw_action(mdp, node, uniform)
            else:
                move = draw_move(mdp, node, bucket, uniform)
        bucket = find_next_bucket(mdp, node, bucket, move)
        node = mdp.child[node, move]
        if inside:
            inside = tree.after[state, move] > 0
            if not inside:
                tree.after[state, move] = add_state(node, bucket, tree)
            state = tree.after[state, move]
            tree.path[length] = state
            length += 1
    payoff = mdp.payoff[node, bucket]
    for step in range(length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += payoff
    return drawn


@inlined
def choose_by_bound(
    mdp: BeliefMdp, node: int, exploration: float, state: int, tree: PlayoutTree
) -> int:
    """Return the action to try next: the first that is new, or the one with the largest bound of eq. 4."""
    best, choice = -np.inf, -1
    log = tree.log[tree.visits[state]]
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] < 0:
            continue
        after = tree.after[state, move]
        if after == 0:
            return move
        n = tree.visits[after]
        bound = tree.total[after] / n + exploration * math.sqrt(log / n)  # eq. 4
        if bound > best:
            best, choice = bound, move
    return choice


@inlined
def draw_action(mdp: BeliefMdp, node: int, uniform: float) -> int:
    """Return a possible action, all equally likely, drawn by a uniform random number from 0 to 1."""
    num_possible = 0
    for move in range(mdp.num_moves[node]):
        num_possible += mdp.child[node, move] >= 0
    num_skipped = int(uniform * num_possible)
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] >= 0:
            if num_skipped == 0:
                return move
            num_skipped -= 1
    return -1


@inlined
def draw_move(mdp: BeliefMdp, node: int, bucket: int, uniform: float) -> int:
    """Return one of nature's moves, drawn from their probabilities by a uniform random number from 0 to 1."""
    choice = -1
    for move in range(mdp.num_moves[node]):
        probability = get_probability(mdp, node, bucket, move)
        if probability > 0.0:
            choice = move  # the last possible one, where rounding leaves nothing
            uniform -= probability
            if uniform < 0.0:
                break
    return choice


EXPLORATION = math.sqrt(2.0)
"""C of eq. 4 in units of the range of payoffs; the paper does not print its C."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The depth of a search, and the number of playouts below it.

    Parameters
    ----------
    depth : int or None
        Levels of expectimax, at least 1; None for all, which is exact.
    iterations : int
        Playouts from each node below them, at least 1.
    exploration : float
        C of eq. 4 in units of the range of payoffs.
    """

    depth: int | None = 9
    iterations: int = 1000
    exploration: float = EXPLORATION

    def __post_init__(self) -> None:
        if self.depth is not None:
            checked_integer("depth", self.depth, 1, LARGEST_COUNT)
        checked_integer("iterations", self.iterations, 1, LARGEST_COUNT)
        checked_number("exploration", self.exploration, 1e-12, 1e12)


class SearchResult(NamedTuple):
    """The result of one search.

    Attributes
    ----------
    value : float
        The payoff of the best response as far as the search finds it, in the game's unit.
    variance : float
        The variance of the value by the spread of the playouts: sampling error alone, without the deficit.
    searched : int
        The number of nodes that expectimax visited.
    played : int
        The number of those from which playouts began.
    """

    value: float
    variance: float
    searched: int
    played: int

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, kw_only=True)
class SearchEstimate:
    """The payoff of a best response, estimated by repeated searches.

    Attributes
    ----------
    value : float
        The mean over the runs, in the game's unit.
    standard_error : float
        That of the mean by the spread of the runs: sampling error alone; NaN after a single run.
    runs : tuple of float
        The value of each run.
    seed : int
        The seed of the runs.
    """

    value: float
    standard_error: float
    runs: tuple[float, ...]
    seed: int

    @classmethod
    def from_runs(cls, runs: Floats, seed: int) -> "SearchEstimate":
        """Return the estimate by the values of some runs."""
        spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else math.nan
        return cls(
            value=float(np.mean(runs)),
            standard_error=spread / math.sqrt(len(runs)),
            runs=tuple(runs.tolist()),
            seed=seed,
        )


def search_best_response(
    beliefs: Beliefs, settings: SearchSettings, *, seed: int, index: tuple[int, int] = (0, 0)
) -> SearchResult:
    """Return the payoff of a best response as far as one search of a belief MDP finds it.

    Parameters
    ----------
    beliefs : Beliefs
        Those of the responder, as `make_belief_tree(game, player).compute_beliefs(profile)` returns them.
    settings : SearchSettings
        With the whole depth the result is `beliefs.value`, to the last bit.
    seed : int
        Decides all random numbers, together with `index`.
    index : tuple of two integers
        Distinguishes several searches with this seed, such as by generation and individual.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.solvers.beliefs import make_belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = make_belief_tree(kuhn, 1).compute_beliefs(kuhn.uniform())
    >>> search_best_response(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
    True
    """
    tree = beliefs.tree
    depth = tree.depth if settings.depth is None else min(settings.depth, tree.depth)
    found = search_mdp(
        beliefs.mdp,
        0,
        tree.depth + 1,
        depth,
        settings.iterations,
        settings.exploration * tree.payoff_range,
        False,
        True,
        make_search_key(seed, tree.player, index),
    )
    return SearchResult(*found)


def make_search_key(seed: int, player: int, index: tuple[int, int]) -> np.uint64:
    """Return the key that names the random numbers of one search."""
    return draw_key(seed, "tree search", player, *index)


def repeat_search(
    beliefs: Beliefs, settings: SearchSettings, repeats: int, *, seed: int
) -> SearchEstimate:
    """Return the estimate by a number of searches, at least 1, that differ in their random numbers alone."""
    checked_integer("repeats", repeats, 1, LARGEST_COUNT)
    runs = [
        search_best_response(beliefs, settings, seed=seed, index=(repeat, 0)).value
        for repeat in range(repeats)
    ]
    return SearchEstimate.from_runs(np.array(runs), seed)


class Frames(NamedTuple):
    """The states from the root to the one that is searched, one for each level.

    Attributes
    ----------
    node, bucket : array of shape (levels,)
        The node and the bucket of each state.
    move : array of shape (levels,)
        The move that is searched next.
    probability : array of shape (levels,)
        The probability of each state from the one before.
    value, variance : array of shape (levels,)
        The value by the moves that have been searched, their sum or the largest, and its variance.
    """

    node: Ints
    bucket: Ints
    move: Ints
    probability: Floats
    value: Floats
    variance: Floats


class Known(NamedTuple):
    """The values of the states that a search has visited.

    Attributes
    ----------
    value : array of shape (N, B)
        The value of each state; NaN if it has not been visited.
    variance : array of shape (N, B)
        The variance of the playouts that began there; 0 if none did.
    choice : array of shape (N, B)
        The responder's best action.
    """

    value: Floats
    variance: Floats
    choice: Ints


@kernel
def search_mdp(
    mdp: BeliefMdp,
    root: int,
    levels: int,
    depth: int,
    iterations: int,
    exploration: float,
    merged: bool,
    numbered: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return the fields of a `SearchResult`: by expectimax above the depth, by average returns of UCT below.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP, which is searched depth first.
    root : int
        The node at which the search begins, with bucket 0.
    levels : int
        The largest number of states from the root to a terminal, both included.
    depth : int
        Below it playouts begin at the responder's decisions.
    iterations : int
        The number of playouts from each such state.
    exploration : float
        C of eq. 4, in the game's unit.
    merged : bool
        Whether a state that was visited before is not searched again.
    numbered : bool
        Whether each node is one state: then the node names the random numbers of its playouts, and otherwise the
        number of states that were played out before.
    key : uint64
        Names the random numbers.
    """
    frames = Frames(
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty(levels),
        np.empty(levels),
        np.empty(levels),
    )
    shape = mdp.payoff.shape
    known = Known(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))
    tree = allocate_playouts(
        iterations if depth < levels - 1 else 0,
        len(mdp.kind) if numbered else iterations + 1,
        mdp.child.shape[1],
        levels,
    )
    frames.node[0], frames.bucket[0], frames.move[0] = root, 0, 0
    frames.probability[0], frames.value[0], frames.variance[0] = 1.0, 0.0, 0.0
    if mdp.kind[root] == OWN:
        frames.value[0] = -np.inf
    searched, played, level = 1, 0, 0
    while True:
        node, bucket, move = frames.node[level], frames.bucket[level], frames.move[level]
        finished = True
        if mdp.kind[node] == END:
            frames.value[level] = mdp.payoff[node, bucket]
        elif merged and not math.isnan(known.value[node, bucket]):
            frames.value[level] = known.value[node, bucket]
        elif mdp.kind[node] == OWN and level > depth:
            own_key = compute_random_bits(key, node if numbered else played)
            mean, variance = average_return(
                mdp, node, bucket, iterations, exploration, own_key, tree
            )
            frames.value[level], frames.variance[level] = mean, variance
            known.variance[node, bucket] = variance
            played += 1
        else:
            finished = move == mdp.num_moves[node]

        if finished:
            if level == 0:
                variance = sum_merged_variance(mdp, known) if merged else frames.variance[0]
                return frames.value[0], variance, searched, played
            known.value[node, bucket] = frames.value[level]
            level -= 1
            back_up(mdp, level, frames, known)
            continue

        frames.move[level] += 1
        following = mdp.child[node, move]
        if following < 0:
            continue
        own = mdp.kind[node] == OWN
        probability = 1.0 if own else get_probability(mdp, node, bucket, move)
        if probability <= 0.0:
            continue
        level, searched = level + 1, searched + 1
        frames.node[level], frames.move[level] = following, 0
        frames.bucket[level] = find_next_bucket(mdp, node, bucket, move)
        frames.probability[level] = probability
        frames.value[level] = -np.inf if mdp.kind[following] == OWN else 0.0
        frames.variance[level] = 0.0


@inlined
def back_up(mdp: BeliefMdp, level: int, frames: Frames, known: Known) -> None:
    """Add the value of the state below a level to that level: a sum at nature's nodes, the best at the responder's."""
    below = level + 1
    if mdp.kind[frames.node[level]] != OWN:
        probability = frames.probability[below]
        frames.value[level] += probability * frames.value[below]
        frames.variance[level] += probability**2 * frames.variance[below]
    elif frames.value[below] > frames.value[level]:
        frames.value[level] = frames.value[below]
        frames.variance[level] = frames.variance[below]
        known.choice[frames.node[level], frames.bucket[level]] = frames.move[level] - 1


@kernel
def sum_merged_variance(mdp: BeliefMdp, known: Known) -> float:
    """Return the variance of a merged search: of a sum of playouts, each weighted by all paths to its state."""
    reach = np.zeros(known.value.shape)
    reach[0] = mdp.transition[-1, 0]  # the first deal leads to node 0
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(mdp.payoff.shape[1]):
            weight, played = reach[node, bucket], known.variance[node, bucket]
            variance += weight**2 * played
            if weight == 0.0 or played > 0.0 or mdp.kind[node] == END:
                continue
            own = mdp.kind[node] == OWN
            for move in range(mdp.num_moves[node]):
                following = mdp.child[node, move]
                if following < 0 or (own and move != known.choice[node, bucket]):
                    continue
                probability = 1.0 if own else get_probability(mdp, node, bucket, move)
                reach[following, find_next_bucket(mdp, node, bucket, move)] += weight * probability
    return variance
