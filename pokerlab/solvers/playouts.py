"""Playouts of Monte Carlo tree search (UCT) from one state of a belief MDP, as in Samothrakis & Lucas (2011).

A playout is a simulation from the state to the end of the game. The states that earlier playouts reached are stored in
a tree. There the responder chooses by the UCB rule (eq. 4), and outside it at random. `run_playouts` returns the mean
return of all playouts, with which `tree_search` replaces the value of a state that is too deep for expectimax.
"""

import math
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, convert_bits_to_fraction
from pokerlab.solvers.beliefs import DEAL, END, OWN, BeliefMdp


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
def get_nature_probability(mdp: BeliefMdp, node: int, bucket: int, move: int) -> np.float64:
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
        probability = get_nature_probability(mdp, node, bucket, move)
        if probability > 0.0:
            # If rounding makes the probabilities sum to less than 1, the last possible move is drawn.
            choice = move
            remaining -= probability
            if remaining < 0.0:
                break
    return choice
