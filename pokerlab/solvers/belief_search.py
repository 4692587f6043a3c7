"""Search for a best response on the belief MDP of a player, Algorithm 1 of Samothrakis & Lucas (2011).

`search_best_response` is expectimax down to a depth, and Monte Carlo tree search (UCT) below it. Levels count as in
Algorithm 1: the root has `depth` levels left, and each step to a child takes one. At a decision of the responder with
fewer than zero levels left, expectimax is replaced by `iterations` playouts of UCT. The nodes of nature are searched at
any level. Expectimax visits states depth first and stores no tree, so it can search tens of millions of states; only
the playouts from a single state store a tree. A search of the whole depth finds the same value as `game.best_response`,
which takes a thousandth of the time.

The value of a node with playouts is the average return of all its playouts. Every playout follows some policy of the
responder, so the average is at most the node's value: it is biased downward, by a difference that shrinks as the
playouts learn. But where the responder chooses among several such averages, it takes the largest, and the largest of
several noisy numbers is biased upward. So the two errors partly cancel. Only a search whose depth ends before the first
choice certainly has an expected value that is too small.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import (
    compute_random_bits,
    convert_bits_to_fraction,
    draw_stream_key,
)
from pokerlab.core.settings import LARGEST_COUNT, validate_integer, validate_number
from pokerlab.solvers.beliefs import DEAL, END, OWN, BeliefMdp, Beliefs


@inlined
def find_next_bucket(mdp: BeliefMdp, node: int, bucket: int, move: int) -> int:
    """Return the bucket of the responder after a move. A bucket is a class of similar hands.

    Where a bucket is dealt, the moves are the buckets, so the index of the move is the new bucket. Any other move
    leaves the bucket as it is.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The node, and the responder's bucket before the move.
    move : int
        The index of the move at the node.

    Returns
    -------
    int
        The bucket, which is always 0 in a compiled game.
    """
    # Both branches convert to the same type, because numba compiles a function for one type of result.
    return np.int64(move) if mdp.kind[node] == DEAL else np.int64(bucket)  # type: ignore[return-value]


@inlined
def get_move_probability(mdp: BeliefMdp, node: int, bucket: int, move: int) -> np.float64:
    """Return the probability of a move of nature (chance or another player) at a node.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The node, and the responder's bucket there (its class of similar hands). Only the probability that a new bucket
        is dealt depends on the present one.
    move : int
        The index of the move at the node.

    Returns
    -------
    float
        The probability.
    """
    if mdp.kind[node] == DEAL:
        return mdp.transition[mdp.street[node], bucket, move]  # type: ignore[no-any-return]
    return mdp.probability[node, move]  # type: ignore[no-any-return]


class PlayoutTree(NamedTuple):
    """The tree of the playouts from one state of a belief MDP, with memory for M states.

    A state is a node and a bucket of the responder (a class of similar hands). A playout is a simulation from state 0,
    where all playouts begin, to the end of the game.

    Attributes
    ----------
    size : array of shape (1,)
        The number of states in the tree.
    node, bucket : array of shape (M,)
        The node and the bucket of each state.
    after : array of shape (M, K)
        The index of the state after each of at most K moves; 0 if no playout has reached it.
    visits : array of shape (M,)
        The number of playouts through each state.
    total : array of shape (M,)
        The sum of the returns of these playouts.
    path : array of shape (levels,)
        The states of the present playout that are in the tree.
    log : array of shape (iterations + 1,)
        The logarithms of the numbers of visits 0, 1, 2, 3, ... for eq. 4, where 0 is replaced by 1.
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
def allocate_playout_tree(
    iterations: int, most_states: int, most_moves: int, most_levels: int
) -> PlayoutTree:
    """Return an empty tree with enough memory for the states of a number of playouts.

    Parameters
    ----------
    iterations : int
        The number of playouts, each of which adds at most one state.
    most_states : int
        An upper bound on the number of different states, which can be smaller than the number of playouts.
    most_moves : int
        The largest number of moves of a node.
    most_levels : int
        The largest number of states of a playout.

    Returns
    -------
    PlayoutTree
        The tree. Its arrays are overwritten, so that it can be used for one search after the other.
    """
    capacity = min(iterations + 1, most_states)
    size = np.zeros(1, np.int64)
    node = np.empty(capacity, np.int64)
    bucket = np.empty(capacity, np.int64)
    after = np.empty((capacity, most_moves), np.int64)
    visits = np.empty(capacity, np.int64)
    total = np.empty(capacity)
    path = np.empty(most_levels, np.int64)
    log = np.array([math.log(max(count, 1)) for count in range(iterations + 1)])
    return PlayoutTree(size, node, bucket, after, visits, total, path, log)


@kernel
def run_playouts(
    mdp: BeliefMdp,
    node: int,
    bucket: int,
    iterations: int,
    exploration: float,
    key: np.uint64,
    tree: PlayoutTree,
) -> tuple[float, float]:
    """Return the mean return of playouts from a state in which the responder decides, and the variance of the mean.

    A playout is a simulation from this state to the end of the game, and its return is the responder's payoff.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The state: a node and the responder's bucket, which is its class of similar hands.
    iterations : int
        The number of playouts.
    exploration : float
        The constant C of eq. 4, in the game's unit.
    key : uint64
        The key of the stream of random numbers.
    tree : PlayoutTree
        Overwritten by the tree of these playouts.

    Returns
    -------
    mean, variance : float
        The mean return, and the variance of the mean (0 after one playout).
    """
    tree.size[0] = 0
    add_tree_state(node, bucket, tree)
    # With a literal 0, numba would compile `run_playout` a second time for that constant. The same holds for the
    # literal 0 that `run_playout` would pass to `choose_action_by_ucb`.
    num_drawn = int(np.int64(0))

    sum_of_squares = 0.0
    for _ in range(iterations):
        # Every playout goes through the first state, so the change of its total is the playout's return.
        total_before = tree.total[0]
        num_drawn = run_playout(mdp, exploration, key, num_drawn, tree)
        sum_of_squares += (tree.total[0] - total_before) ** 2

    mean = tree.total[0] / iterations
    # Rounding could make the difference negative.
    population_variance = max(sum_of_squares / iterations - mean**2, 0.0)
    return mean, population_variance / max(iterations - 1, 1)


@inlined
def add_tree_state(node: int, bucket: int, tree: PlayoutTree) -> np.int64:
    """Add a state that no playout has reached before to a tree, whose arrays are changed in place.

    Parameters
    ----------
    node, bucket : int
        The state: a node and the responder's bucket, which is its class of similar hands.
    tree : PlayoutTree
        The tree, which has memory for one more state.

    Returns
    -------
    int
        The index of the state in the tree.
    """
    state: np.int64 = tree.size[0]
    tree.size[0] = state + 1
    tree.node[state] = node
    tree.bucket[state] = bucket
    tree.visits[state] = 0
    tree.total[state] = 0.0
    for move in range(tree.after.shape[1]):
        tree.after[state, move] = 0
    return state


@inlined
def run_playout(
    mdp: BeliefMdp, exploration: float, key: np.uint64, num_drawn: int, tree: PlayoutTree
) -> int:
    """Run one playout from the first state of the tree to the end of the game, and update the tree.

    As long as the playout is in the tree, the actions of the responder are chosen by the UCB rule (eq. 4 of Samothrakis
    & Lucas 2011). After that they are uniformly random. The first state outside the tree is added to it.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    exploration : float
        The constant C of eq. 4, in the game's unit.
    key : uint64
        The key of the stream of random numbers.
    num_drawn : int
        The number of random numbers that were drawn from the stream before this playout.
    tree : PlayoutTree
        The tree, which is updated.

    Returns
    -------
    int
        The number of random numbers that have been drawn from the stream after this playout.
    """
    state = int(np.int64(0))  # the index in the tree of the last state that is in the tree
    node = tree.node[0]
    bucket = tree.bucket[0]
    is_in_tree = True
    tree.path[0] = 0
    path_length = 1
    while mdp.kind[node] != END:
        # Choose or draw a move.
        is_own = mdp.kind[node] == OWN
        if is_own and is_in_tree:
            move = choose_action_by_ucb(mdp, node, exploration, state, tree)
        else:
            uniform = convert_bits_to_fraction(compute_random_bits(key, num_drawn))
            num_drawn += 1
            if is_own:
                move = draw_possible_action(mdp, node, uniform)
            else:
                move = draw_nature_move(mdp, node, bucket, uniform)

        # Go on to the next state. The first one outside the tree is added to it, and to the path.
        bucket = find_next_bucket(mdp, node, bucket, move)
        node = mdp.child[node, move]
        if is_in_tree:
            is_in_tree = tree.after[state, move] > 0
            if not is_in_tree:
                tree.after[state, move] = add_tree_state(node, bucket, tree)
            state = tree.after[state, move]
            tree.path[path_length] = state
            path_length += 1

    # Add the return of the playout to all states of its path.
    payoff = mdp.payoff[node, bucket]
    for step in range(path_length):
        tree.visits[tree.path[step]] += 1
        tree.total[tree.path[step]] += payoff
    return num_drawn


@inlined
def choose_action_by_ucb(
    mdp: BeliefMdp, node: int, exploration: float, state: int, tree: PlayoutTree
) -> int:
    """Return the responder's next action in a playout by the UCB rule, eq. 4 of Samothrakis & Lucas (2011).

    The first action that has not been tried is chosen. If all have been tried, the action with the largest upper
    confidence bound is chosen: its mean return plus C sqrt(log(N) / n), where N counts the playouts through the state,
    and n those that took the action.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node : int
        The node, at which the responder decides.
    exploration : float
        The constant C, in the game's unit.
    state : int
        The index of the present state in the tree.
    tree : PlayoutTree
        The tree of the playouts so far.

    Returns
    -------
    int
        The index of the action; -1 if no action is possible.
    """
    largest_bound = -np.inf
    choice = -1
    log = tree.log[tree.visits[state]]
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] < 0:  # the move is impossible
            continue
        next_state = tree.after[state, move]
        if next_state == 0:  # no playout has tried it
            return move
        n = tree.visits[next_state]
        upper_bound = tree.total[next_state] / n + exploration * math.sqrt(log / n)  # eq. 4
        if upper_bound > largest_bound:
            largest_bound, choice = upper_bound, move

    return choice


@inlined
def draw_possible_action(mdp: BeliefMdp, node: int, uniform: float) -> int:
    """Return an action that is drawn uniformly from the possible actions of a node.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node : int
        The node, at which the responder decides.
    uniform : float
        A random number that is at least 0 and below 1.

    Returns
    -------
    int
        The index of the action among all moves of the node; -1 if no action is possible.
    """
    num_possible = 0
    for move in range(mdp.num_moves[node]):
        num_possible += mdp.child[node, move] >= 0

    # Impossible moves lie between the possible ones, so count down the possible moves before the drawn one.
    num_before = int(uniform * num_possible)
    for move in range(mdp.num_moves[node]):
        if mdp.child[node, move] >= 0:
            if num_before == 0:
                return move
            num_before -= 1
    return -1


@inlined
def draw_nature_move(mdp: BeliefMdp, node: int, bucket: int, uniform: float) -> int:
    """Return a move of nature (chance or another player) that is drawn by its probability.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The node, and the responder's bucket there (its class of similar hands).
    uniform : float
        A random number that is at least 0 and below 1.

    Returns
    -------
    int
        The index of the move; -1 if no move has a positive probability.
    """
    choice = -1
    remaining = uniform
    for move in range(mdp.num_moves[node]):
        probability = get_move_probability(mdp, node, bucket, move)
        if probability > 0.0:
            # If rounding makes the probabilities sum to less than 1, the last possible move is drawn.
            choice = move
            remaining -= probability
            if remaining < 0.0:
                break
    return choice


EXPLORATION = math.sqrt(2.0)
"""The constant C of eq. 4, in units of the responder's payoff range; the paper does not state its value."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The depth of a search, and the number of playouts below it.

    Parameters
    ----------
    depth : int or None
        The number of levels that expectimax searches, at least 1. With None it searches all levels, so that the value
        is exact.
    iterations : int
        The number of playouts from each node at that depth, at least 1.
    exploration : float
        The constant C of eq. 4, in units of the responder's payoff range.
    """

    depth: int | None = 9
    iterations: int = 1000
    exploration: float = EXPLORATION

    def __post_init__(self) -> None:
        if self.depth is not None:
            validate_integer("depth", self.depth, 1, LARGEST_COUNT)
        validate_integer("iterations", self.iterations, 1, LARGEST_COUNT)
        validate_number("exploration", self.exploration, 1e-12, 1e12)


class SearchResult(NamedTuple):
    """The result of one search.

    Attributes
    ----------
    value : float
        The estimated payoff of a best response, in the game's unit.
    variance : float
        The variance of the value, estimated from the spread of the playouts. It covers the sampling error only, not the
        bias of playouts that are still learning.
    searched : int
        The number of nodes that expectimax visited.
    played : int
        The number of nodes from which playouts began.
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
        The mean over all runs, in the game's unit.
    standard_error : float
        The standard error of the mean, estimated from the spread of the runs; NaN if there is only one run. It covers
        the sampling error only, not the bias of playouts that are still learning.
    runs : tuple of float
        The value of each run.
    seed : int
        The seed of all runs.
    """

    value: float
    standard_error: float
    runs: tuple[float, ...]
    seed: int

    @classmethod
    def from_runs(cls, runs: Floats, seed: int) -> "SearchEstimate":
        """Return the estimate whose value is the mean of several runs of a search.

        Parameters
        ----------
        runs : array of shape (K,)
            The value of each of K runs.
        seed : int
            The seed of all runs.

        Returns
        -------
        SearchEstimate
            The mean and its standard error, which is NaN if there is only one run.
        """
        deviation = float(np.std(runs, ddof=1)) if len(runs) > 1 else math.nan
        return cls(
            value=float(np.mean(runs)),
            standard_error=deviation / math.sqrt(len(runs)),
            runs=tuple(runs.tolist()),
            seed=seed,
        )


def search_best_response(
    beliefs: Beliefs, settings: SearchSettings, *, seed: int, index: tuple[int, int] = (0, 0)
) -> SearchResult:
    """Return an estimate of the payoff of a best response, by one search of a belief MDP.

    Parameters
    ----------
    beliefs : Beliefs
        The responder's beliefs, as `make_belief_tree(game, player).compute_beliefs(profile)` returns them.
    settings : SearchSettings
        The depth of the search and the number of playouts. If all levels are searched, the value equals
        `beliefs.value` exactly.
    seed : int
        The seed of all random numbers.
    index : tuple of two integers
        An index of this search, such as the generation and the individual. Searches with the same seed and different
        indices draw different random numbers.

    Returns
    -------
    SearchResult
        The estimated payoff, its variance, and the numbers of searched and sampled nodes.

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
    value, variance, num_searched, num_played_out = search_mdp(
        beliefs.mdp,
        root=0,
        levels=tree.depth + 1,
        depth=depth,
        iterations=settings.iterations,
        exploration=settings.exploration * tree.payoff_range,
        merged=False,
        nodes_are_states=True,
        key=make_search_key(seed, tree.player, index),
    )
    return SearchResult(value, variance, num_searched, num_played_out)


def make_search_key(seed: int, player: int, index: tuple[int, int]) -> np.uint64:
    """Return the key of the random numbers of one tree search.

    Parameters
    ----------
    seed : int
        The seed.
    player : int
        The player whose best response is searched.
    index : tuple of two integers
        The index of the search, such as the generation and the individual. Each triple of a seed, a player and an index
        has its own random numbers.

    Returns
    -------
    uint64
        The key.
    """
    return draw_stream_key(seed, "tree search", player, *index)


def repeat_search(
    beliefs: Beliefs, settings: SearchSettings, repeats: int, *, seed: int
) -> SearchEstimate:
    """Return the mean estimate of the payoff of a best response over several searches with different random numbers.

    Parameters
    ----------
    beliefs : Beliefs
        The responder's beliefs, as `make_belief_tree(game, player).compute_beliefs(profile)` returns them.
    settings : SearchSettings
        The depth of each search and the number of playouts.
    repeats : int
        The number of searches, at least 1.
    seed : int
        The seed of all random numbers.

    Returns
    -------
    SearchEstimate
        The mean of the searches, its standard error, and the value of each search.

    Raises
    ------
    SettingError
        If `repeats` is not an integer of at least 1.
    """
    validate_integer("repeats", repeats, 1, LARGEST_COUNT)
    runs = [
        search_best_response(beliefs, settings, seed=seed, index=(repeat, 0)).value
        for repeat in range(repeats)
    ]
    return SearchEstimate.from_runs(np.array(runs), seed)


class SearchStack(NamedTuple):
    """The stack of a depth-first search: the states on the path from the root to the present state.

    Attributes
    ----------
    node, bucket : array of shape (levels,)
        The node of each state, and the responder's bucket there (its class of similar hands).
    move : array of shape (levels,)
        The move of each state that is searched next.
    probability : array of shape (levels,)
        The probability of each state given the state before it.
    value, variance : array of shape (levels,)
        The value of each state, computed from the moves that have been searched, and the variance of this value. The
        value is the largest one at a decision of the responder, and a weighted sum at a node of nature.
    """

    node: Ints
    bucket: Ints
    move: Ints
    probability: Floats
    value: Floats
    variance: Floats


@kernel
def allocate_search_stack(levels: int) -> SearchStack:
    """Return the stack of a depth-first search with memory for one state at each level, which is not initialized.

    Parameters
    ----------
    levels : int
        The number of levels: the largest number of states on a path from the root to a terminal.

    Returns
    -------
    SearchStack
        The stack. `push_state` writes a level before it is read.
    """
    node = np.empty(levels, np.int64)
    bucket = np.empty(levels, np.int64)
    move = np.empty(levels, np.int64)
    probability = np.empty(levels)
    value = np.empty(levels)
    variance = np.empty(levels)
    return SearchStack(node, bucket, move, probability, value, variance)


class VisitedStates(NamedTuple):
    """The values of the states that a search has visited.

    Attributes
    ----------
    value : array of shape (N, B)
        The value of each state, which is one of N nodes with one of B buckets (the responder's classes of similar
        hands); NaN if it has not been visited.
    variance : array of shape (N, B)
        The variance of the mean return of the playouts from each state; 0 if no playouts began there.
    choice : array of shape (N, B)
        The responder's best action in each state.
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
    nodes_are_states: bool,
    key: np.uint64,
) -> tuple[float, float, int, int]:
    """Return the value of a best response, found by a search of a belief MDP.

    It is Algorithm 1 of Samothrakis & Lucas (2011) without recursion: expectimax down to a depth, and playouts of UCT
    below it. The states on the path from the root to the present state are on a stack, one for each level. In each pass
    of the loop, the present state is either finished or not. If its value is known, the search goes back one level, and
    the value is passed on to the state there. Otherwise its next move is made, and the search goes on one level below.
    The search ends when the root is finished.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    root : int
        The node at which the search begins. There the responder's bucket (its class of similar hands) is 0.
    levels : int
        The largest number of states on a path from the root to a terminal, including both.
    depth : int
        The level below which each decision of the responder is evaluated by playouts.
    iterations : int
        The number of playouts from each such state.
    exploration : float
        The constant C of eq. 4, in the game's unit.
    merged : bool
        Whether the value of a state that was visited before is used again, instead of searching the state once more.
    nodes_are_states : bool
        Whether each node is a single state. If so, the index of the node determines the random numbers of its playouts.
        Otherwise the number of states that were evaluated by playouts before determines them.
    key : uint64
        The key of all random numbers.

    Returns
    -------
    value : float
        The estimated payoff of a best response, in the game's unit.
    variance : float
        The variance of the value, estimated from the spread of the playouts.
    num_searched : int
        The number of nodes that expectimax visited.
    num_played_out : int
        The number of nodes from which playouts began.
    """
    stack = allocate_search_stack(levels)
    shape = mdp.payoff.shape
    visited = VisitedStates(np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, np.int64))

    # If all levels are searched, there are no playouts.
    most_playouts = iterations if depth < levels - 1 else 0
    most_states = len(mdp.kind) if nodes_are_states else iterations + 1
    tree = allocate_playout_tree(most_playouts, most_states, mdp.child.shape[1], levels)

    # With a literal 0, numba would compile `push_state` a second time for that constant.
    level = bucket = int(np.int64(0))
    push_state(mdp, root, bucket, 1.0, level, stack)
    num_searched, num_played_out = 1, 0
    while True:
        # Evaluate the state at the present level, unless it still has moves to be searched.
        node, bucket = stack.node[level], stack.bucket[level]
        is_finished = True
        if mdp.kind[node] == END:
            stack.value[level] = mdp.payoff[node, bucket]
        elif merged and not math.isnan(visited.value[node, bucket]):
            stack.value[level] = visited.value[node, bucket]
        elif mdp.kind[node] == OWN and level > depth:
            playout_key = compute_random_bits(key, node if nodes_are_states else num_played_out)
            mean, variance = run_playouts(
                mdp, node, bucket, iterations, exploration, playout_key, tree
            )
            stack.value[level], stack.variance[level] = mean, variance
            visited.variance[node, bucket] = variance
            num_played_out += 1
        else:
            is_finished = stack.move[level] == mdp.num_moves[node]

        # Go back to the level above with the value of the state, or end the search.
        if is_finished:
            if level == 0:
                variance = compute_merged_variance(mdp, visited) if merged else stack.variance[0]
                return stack.value[0], variance, num_searched, num_played_out
            visited.value[node, bucket] = stack.value[level]
            level -= 1
            back_up_value(mdp, level, stack, visited)
            continue

        # Go on to the state after the next move, if this move is possible.
        has_next_state = push_next_state(mdp, level, stack)
        if has_next_state:
            level += 1
            num_searched += 1


@inlined
def push_next_state(mdp: BeliefMdp, level: int, stack: SearchStack) -> bool:
    """Write the state after the next move of the state at a level of a search stack to the level below.

    The move of the state at the level is increased by one, so that the move after it is the next one.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    level : int
        The level of the state whose next move is searched.
    stack : SearchStack
        The stack, which is changed in place.

    Returns
    -------
    bool
        Whether the move is possible. If it is not, nothing is written to the level below.
    """
    node, bucket, move = stack.node[level], stack.bucket[level], stack.move[level]
    stack.move[level] += 1
    next_node = mdp.child[node, move]
    if next_node < 0:
        return False

    is_own = mdp.kind[node] == OWN
    probability = 1.0 if is_own else get_move_probability(mdp, node, bucket, move)
    if probability <= 0.0:
        return False

    next_bucket = find_next_bucket(mdp, node, bucket, move)
    push_state(mdp, next_node, next_bucket, probability, level + 1, stack)
    return True


@inlined
def push_state(
    mdp: BeliefMdp,
    node: int,
    bucket: int,
    transition_probability: float,
    level: int,
    stack: SearchStack,
) -> None:
    """Write a state to a level of a search stack. No move of the state has been searched yet.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    node, bucket : int
        The state: a node and the responder's bucket, which is its class of similar hands.
    transition_probability : float
        The probability of the state, given the state one level above.
    level : int
        The level, from 0 at the root.
    stack : SearchStack
        The stack, whose entries at this level are overwritten.
    """
    stack.node[level] = node
    stack.bucket[level] = bucket
    stack.move[level] = 0
    stack.probability[level] = transition_probability
    # The responder takes the maximum over its moves, and nature the sum.
    stack.value[level] = -np.inf if mdp.kind[node] == OWN else 0.0
    stack.variance[level] = 0.0


@inlined
def back_up_value(mdp: BeliefMdp, level: int, stack: SearchStack, visited: VisitedStates) -> None:
    """Update the value of the state at one level of a search stack by the value of the state one level below.

    The state below is the one after the move that has just been searched. At a node of nature (chance or another
    player), the value below is multiplied by its probability and added. At a decision of the responder, it replaces the
    value if it is larger, and the move is recorded as the best one so far.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP.
    level : int
        The level of the state that is updated.
    stack : SearchStack
        The stack, whose value and variance at this level are updated.
    visited : VisitedStates
        The states visited so far. At a decision of the responder, the best action in the updated state is overwritten
        if the value below is larger.
    """
    below = level + 1
    if mdp.kind[stack.node[level]] != OWN:
        probability = stack.probability[below]
        stack.value[level] += probability * stack.value[below]
        stack.variance[level] += probability**2 * stack.variance[below]
    elif stack.value[below] > stack.value[level]:
        stack.value[level] = stack.value[below]
        stack.variance[level] = stack.variance[below]
        # `move` is already the next move to search, so the child belongs to the move before it.
        visited.choice[stack.node[level], stack.bucket[level]] = stack.move[level] - 1


@kernel
def compute_merged_variance(mdp: BeliefMdp, visited: VisitedStates) -> float:
    """Return the variance of the value of a merged search, in which each state is evaluated by playouts only once.

    The value of the search is a weighted sum of the mean returns of playouts. The weight of a mean is the probability
    of reaching its state on any path, if the responder takes the best actions that were found. So the variance is the
    sum of the variances of the means, each multiplied by the square of its weight. The root is the last node. All other
    nodes come before the nodes below them, so one pass in their order computes the weights.

    Parameters
    ----------
    mdp : BeliefMdp
        The belief MDP, whose last node is the root. There the responder's first bucket (class of similar hands) is
        dealt.
    visited : VisitedStates
        The states that the search has visited.

    Returns
    -------
    float
        The variance.
    """
    reach = np.zeros(visited.value.shape)
    reach[0] = mdp.transition[-1, 0]  # the first deal leads to node 0
    variance = 0.0
    for node in range(len(reach)):
        for bucket in range(mdp.payoff.shape[1]):
            weight = reach[node, bucket]
            playout_variance = visited.variance[node, bucket]
            variance += weight**2 * playout_variance
            # Below a state with playouts nothing was searched.
            if weight == 0.0 or playout_variance > 0.0 or mdp.kind[node] == END:
                continue

            # Pass the probability on: to all moves of nature, but only to the best action of the responder.
            is_own = mdp.kind[node] == OWN
            for move in range(mdp.num_moves[node]):
                next_node = mdp.child[node, move]
                is_possible = next_node >= 0
                if not is_possible or (is_own and move != visited.choice[node, bucket]):
                    continue
                probability = 1.0 if is_own else get_move_probability(mdp, node, bucket, move)
                next_bucket = find_next_bucket(mdp, node, bucket, move)
                reach[next_node, next_bucket] += weight * probability

    return variance
