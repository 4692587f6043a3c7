"""Tree search for a best response on the belief MDP of a player, Algorithm 1 of Samothrakis & Lucas (2011).

`search_best_response` is expectimax down to a depth, and Monte Carlo tree search (UCT) below it. Levels count as in
Algorithm 1: the root has `depth` levels left, and each step to a child takes one. At a decision of the responder with
fewer than zero levels left, expectimax is replaced by `iterations` playouts of UCT. The nodes of nature are searched at
any level. Expectimax visits states depth first and stores no tree, so it can search tens of millions of states; only
the `playouts` from a single state store one. A search of the whole depth finds the same value as `game.best_response`,
which takes a thousandth of the time.

The value of a node with playouts is the average return of all its playouts. Every playout follows some policy of the
responder, so the average is at most the node's value: it is biased downward, by a difference that shrinks as the
playouts learn. But where the responder chooses among several such averages, it takes the largest, and the largest of
several noisy numbers is biased upward. So the two errors partly cancel. Only a search whose depth ends before the first
choice certainly has an expected value that is too small.

`TreeSearch` makes the search a worst case, which measures genomes by a search in each seat.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, GameError, Ints, inlined, kernel
from pokerlab.core.errors import quote_value
from pokerlab.core.random_numbers import compute_random_bits, draw_stream_key
from pokerlab.core.settings import (
    LARGEST_COUNT,
    has_method,
    validate_bool,
    validate_integer,
    validate_number,
)
from pokerlab.core.workers import iterate_until_cancelled
from pokerlab.games import SequenceForm
from pokerlab.solvers.beliefs import END, OWN, BeliefMdp, Beliefs, make_belief_tree
from pokerlab.solvers.playouts import (
    allocate_playout_tree,
    find_next_bucket,
    get_nature_probability,
    run_playouts,
)
from pokerlab.solvers.worst_case import Measurement, WorstCaseWithoutResponses
from pokerlab.strategies.encoding import Encoding

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
    value, variance, num_searched, num_played_out = search_belief_mdp(
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


@dataclass(frozen=True, kw_only=True)
class TreeSearch(SearchSettings, WorstCaseWithoutResponses):
    """The worst-case loss found by a tree search for the best response in each seat.

    The search is expectimax down to a depth, and Monte Carlo playouts below it. With too few playouts its value is
    usually smaller than the exact worst-case loss; the beginning of this module explains the sign of the error.

    Parameters
    ----------
    depth : int or None
        The number of levels that expectimax searches, at least 1. The paper uses 9. With None it searches all levels,
        so that the value is exact.
    iterations : int
        The number of playouts from each node at that depth, at least 1. The paper uses 1000.
    exploration : float
        The constant C of eq. 4, in units of the responder's payoff range, 1e-12 to 1e12.
    merged : bool
        Whether, in bucketed hold'em, states that differ only in the responder's past buckets are searched once; the
        game's `search_best_response` explains this. Other games have no such states.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> game = kuhn()
    >>> round(TreeSearch(depth=None).exploitability(game, game.uniform(), seed=1).value, 6)  # 11/12
    0.916667
    """

    merged: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        validate_bool("merged", self.merged)

    @property
    def exact(self) -> bool:
        """Whether expectimax searches all levels, so that the value is exact."""
        return self.depth is None

    def exploitability(
        self, game: Any, profile: Any, *, seed: int, index: tuple[int, int] = (0, 0)
    ) -> SearchResult:
        """Return an estimate of a profile's exploitability (NashConv) by a search in each seat.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        profile : Profile or BucketedProfile
            The strategies of all players.
        seed : int
            The seed of all random numbers.
        index : tuple of two integers
            An index of this search. Searches with the same seed and different indices draw different random numbers.

        Returns
        -------
        SearchResult
            The estimate and its variance, and the numbers of searched and sampled nodes, summed over the seats.

        Raises
        ------
        GameError
            If the game is neither a compiled game nor bucketed hold'em.
        """
        if not isinstance(game, SequenceForm) and not has_method(game, "search_best_response"):
            raise GameError(
                f"{quote_value(game)} is neither a compiled game nor bucketed hold'em, which a tree search needs."
                " Use solvers.ExactWorstCase()."
            )
        results = [
            self.search_seat(game, profile, player, seed, index)
            for player in range(game.num_players)
        ]

        # The gain of a best response is its payoff minus the profile's own payoff, so the latter are subtracted.
        payoff_sum = game.payoff_sum
        if payoff_sum is None:
            payoff_sum = float(game.values(profile).sum())
        return SearchResult(
            value=sum(result.value for result in results) - payoff_sum,
            variance=sum(result.variance for result in results),
            searched=sum(result.searched for result in results),
            played=sum(result.played for result in results),
        )

    def search_seat(
        self, game: Any, profile: Any, player: int, seed: int, index: tuple[int, int]
    ) -> SearchResult:
        """Return the result of a tree search for the best response of one player to a profile.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        profile : Profile or BucketedProfile
            The strategies of all players. The responding player's own strategy is not used.
        player : int
            The index of the player who responds.
        seed : int
            The seed of all random numbers.
        index : tuple of two integers
            An index of this search. Searches with the same seed and different indices draw different random numbers.

        Returns
        -------
        SearchResult
            The estimated payoff of the best response and its variance, and the numbers of searched and sampled nodes.
        """
        if isinstance(game, SequenceForm):
            beliefs = make_belief_tree(game, player).compute_beliefs(profile)
            return search_best_response(beliefs, self, seed=seed, index=index)

        result: SearchResult = game.search_best_response(
            profile, player, self, merged=self.merged, seed=seed, index=index
        )
        return result

    def measure_losses(
        self,
        encoding: Encoding,
        genomes: Floats,
        responses: Floats | None = None,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measurement:
        """Return an estimate of each genome's exploitability by tree searches, and the total number of playouts.

        Parameters
        ----------
        encoding : Encoding
            The encoding, which maps genomes to strategies of its game.
        genomes : array of shape (k, G)
            The k genomes, of G genes each, that are measured.
        responses : array, optional
            Ignored, because responses are not genomes.
        seed, generation : int
            The seed and the index of the generation. Together with the index of an individual, they determine the
            random numbers of the search against this individual.
        individuals : sequence of k integers
            The index of each genome in its generation.

        Returns
        -------
        Measurement
            The estimates and their standard errors, with empty responses.
        """
        results = []
        for genome, individual in iterate_until_cancelled(zip(genomes, individuals, strict=True)):
            profile = encoding.make_profile(genome)
            index = (generation, individual)
            results.append(self.exploitability(encoding.game, profile, seed=seed, index=index))
        return Measurement(
            values=np.array([result.value for result in results]),
            errors=np.array([result.standard_error for result in results]),
            responses=np.empty((len(results), 0)),
            evaluations=sum(result.played for result in results) * self.iterations,
        )


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
def search_belief_mdp(
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
        The number of playouts from each state that is evaluated by playouts.
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

    # If all levels are searched, there are no playouts. A tree of playouts has its first state and at most one more for
    # each playout.
    most_playouts = iterations if depth < levels - 1 else 0
    most_states = len(mdp.kind) if nodes_are_states else 1 + iterations
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
    probability = 1.0 if is_own else get_nature_probability(mdp, node, bucket, move)
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
                probability = 1.0 if is_own else get_nature_probability(mdp, node, bucket, move)
                next_bucket = find_next_bucket(mdp, node, bucket, move)
                reach[next_node, next_bucket] += weight * probability

    return variance
