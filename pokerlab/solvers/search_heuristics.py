"""Search heuristics, which propose new strategies to a memory: best responses, random search, and evolution.

A search heuristic is a function of one argument, the state of a memory or of a double oracle. From the strategies that
all players play in this state, it finds *test strategies*: strategies that might beat them, and so are candidates for
the memory. You can write your own heuristic:

    def always_bet(state):
        return make_pure_behavior(state.game, np.ones(len(state.game.num_actions), dtype=int))

The function can use `state.game` and `state.iteration`. What else it uses and what it returns depends on the game:

- In a compiled game of n players and S sequences, `state.plan` has the realization plans of all players, an array of
  shape (S,). The function returns the action probabilities of one strategy of each player, an array of shape (S - n,).
- In a symmetric game or a contest, `state.opponents` has an element for each pool of the memory. Its `strategies` are
  the K vectors of d numbers against which a test strategy is played, an array of shape (K, d), and its `mixture` has
  their probabilities. The function returns T test strategies, an array of shape (T, d). If each player has a pool, it
  returns a list of such arrays, one for each player.

For the same state it must always return the same test strategies. A memory converges with every heuristic that proposes
a best response again and again (Oliehoek et al. 2006, section 7), and any coevolutionary algorithm can propose
strategies to a memory (section 5).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import (
    Floats,
    GameError,
    SettingError,
    ShapeError,
    UnknownNameError,
    kernel,
    random_stream,
)
from pokerlab.core.old_names import reject_object_with_old_methods
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_kind,
    check_signature,
    has_method,
    validate_integer,
    validate_number,
)
from pokerlab.evolution.evolution_strategies import MOST_OFFSPRING
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, unpack_workspace
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame
from pokerlab.games.tree_passes import (
    compute_behavior,
    compute_gradients,
    compute_plans,
    compute_plans_of_profiles,
    compute_utilities_and_best_responses,
)
from pokerlab.solvers.protocol import find_utility_scale

UNREACHED_RULES = ("uniform", "first", "random")
TIE_RULES = ("first", "evenly")
PARENT_CHOICES = ("mix", "latest")
SUM_TOLERANCE = 1e-12
"""The largest rounding error in the sum of the probabilities at an information set."""
UTILITY_TOLERANCE = 1e-12  # the largest rounding error in the payoff of a best response
TIE_TOLERANCE = 1e-14
"""The largest difference between the values of equally good actions, in units of the largest utility."""
SMALLEST_TREMBLE = 1e-15  # a smaller probability would be lost in rounding
TREMBLE_DIVISOR = 1000.0  # by which a tremble is divided if the response to it loses too much
LARGEST_TREMBLE = 0.1


class SearchHeuristic(Protocol):
    """A function that proposes strategies which might beat the present mixtures of a memory."""

    def __call__(self, state: Any) -> Any:
        """Return test strategies (candidates for the pools), which might beat the mixtures of a state.

        Parameters
        ----------
        state : MemoryState or OracleState
            The state of a memory or of a double oracle.

        Returns
        -------
        array of shape (S - n,) or (T, d), or list of arrays of shape (T, d)
            In a compiled game of n players and S sequences: the action probabilities of one strategy of each player. In
            a symmetric game or a contest: T strategies, which are vectors of d numbers. If each player has a pool, a
            list with an array for each player.
        """


def check_heuristic(heuristic: Any, game: Any) -> None:
    """Raise an error unless an object is a search heuristic that accepts the game.

    Parameters
    ----------
    heuristic : object
        The object that was given as a search heuristic.
    game : SequenceForm or SymmetricGame
        The game for which the heuristic is to propose strategies.

    Raises
    ------
    SettingError
        If the object is not a function of a state.
    GameError
        If the heuristic cannot search in this game; its own method `check_game` decides this.
    """
    check_signature(
        heuristic,
        "search heuristic",
        ("state",),
        "Give one such as solvers.BestResponse() or solvers.Mutants(seed=1).",
    )
    reject_object_with_old_methods("heuristic", heuristic, ("check_game",))
    if has_method(heuristic, "check_game"):
        heuristic.check_game(game)


def validate_proposed_behavior(
    heuristic: Any, game: SequenceForm, proposal: Any, *, pure: bool = True
) -> Floats:
    """Return the behavior that a heuristic proposed in a compiled game, after checking it.

    A behavior is a strategy of each player, given by the probabilities of the actions at all information sets.

    Parameters
    ----------
    heuristic : SearchHeuristic
        The heuristic, whose name appears in error messages.
    game : SequenceForm
        The game that is played.
    proposal : object
        The object that the heuristic returned.
    pure : bool
        Whether the strategies must be pure. Only a memory whose strategies are realization plans can store mixed ones.

    Returns
    -------
    array of shape (S - n,)
        The action probabilities of all n players: one number for each nonempty sequence, which ends with the action. S
        is the number of the game's sequences, and n of them are empty.

    Raises
    ------
    ShapeError
        If the proposal does not have the shape (S - n,).
    SettingError
        If the probabilities at an information set are negative or do not sum to 1, or if they are mixed but must be
        pure.
    """
    behavior = np.asarray(proposal)
    heuristic_name = type(heuristic).__name__
    num_probabilities = game.num_probabilities
    if behavior.dtype.kind not in "biuf" or behavior.shape != (num_probabilities,):
        raise ShapeError(
            f"{heuristic_name} proposed {behavior.dtype} of shape {behavior.shape} in {game.name}; a search"
            f" heuristic returns ({num_probabilities},) probabilities: a strategy of every player."
        )

    behavior = behavior.astype(np.float64)
    first_actions = game.first_probability_indices
    is_proper = bool((behavior >= 0.0).all())
    if is_proper and first_actions.size:
        sums = np.add.reduceat(behavior, first_actions)
        is_proper = bool((np.abs(sums - 1.0) <= SUM_TOLERANCE).all())

    if not is_proper:
        raise SettingError(
            f"{heuristic_name} proposed something other than strategies in {game.name}: a search heuristic gives the"
            " actions of every information set probabilities that sum to 1."
        )
    if pure and not np.isin(behavior, (0.0, 1.0)).all():
        raise SettingError(
            f"{heuristic_name} proposed mixed strategies in {game.name}, where only pure ones can be kept. Use"
            " solvers.ParallelNashMemory or solvers.PSRO, or BestResponse(ties='first')."
        )

    return behavior


def validate_compiled_symmetric_game(game: Any) -> CompiledSymmetric:
    """Return the game if it is a symmetric game that was made from a compiled one; otherwise raise a GameError.

    Parameters
    ----------
    game : object
        The symmetric game or contest of a solver.

    Returns
    -------
    CompiledSymmetric
        The same object.

    Raises
    ------
    GameError
        If it was not made from a compiled game.
    """
    if not isinstance(game, CompiledSymmetric):
        raise GameError(
            f"{game.name} is not made from a compiled game, and has neither information sets nor"
            " profiles. Use games.compound(game), or a compiled game that is symmetric; to search elsewhere,"
            " solvers.BestResponse() or solvers.Mutants(seed=1)."
        )
    return game


def search_each_pool(
    state: Any, search: Callable[[Strategies, Floats, int], Strategies]
) -> Strategies | list[Strategies]:
    """Return the test strategies (candidates for the pools) that a search finds for each pool of a memory.

    Parameters
    ----------
    state : MemoryState
        The state of a memory of a symmetric game.
    search : callable
        A function `search(strategies, mixture, search_index)`, which returns test strategies against a mixture of
        strategies. The index determines its random numbers.

    Returns
    -------
    array of shape (T, d) or list of such arrays
        T strategies, which are vectors of d numbers. If the memory has several pools, a list with an array for each.
    """
    by_pool = [
        search(opponent.strategies, opponent.mixture, opponent.search_index)
        for opponent in state.opponents
    ]
    return by_pool[0] if len(by_pool) == 1 else by_pool


def make_pure_behavior(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the action probabilities of a pure strategy of each player.

    Parameters
    ----------
    game : SequenceForm
        The game that is played, with n players, S sequences and I information sets.
    choices : array of shape (I,)
        The index of the action that is taken at each information set.

    Returns
    -------
    array of shape (S - n,)
        The probability of each action, one for each of the S sequences except the n empty ones: 1 if it is taken, and 0
        otherwise.
    """
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_probability_indices + choices] = 1.0
    return behavior


def make_start_behavior(game: SequenceForm, start: Profile | None) -> Floats:
    """Return the action probabilities of the strategies with which all players begin.

    Parameters
    ----------
    game : SequenceForm
        The game that is played, with n players and S sequences.
    start : Profile or None
        The strategies. If it is None, every player takes the first action at each information set.

    Returns
    -------
    array of shape (S - n,)
        The probability of each action.
    """
    if start is not None:
        return start.probabilities
    first_actions = np.zeros(len(game.num_actions), dtype=np.int64)
    return make_pure_behavior(game, first_actions)


def compute_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return the expected payoff of each player's realization plan against fixed plans of the other players.

    A player's payoff is linear in its own plan, so it is the scalar product of the plan and the gradient.

    Parameters
    ----------
    game : SequenceForm
        The game that is played, with n players and S sequences.
    plan : array of shape (S,)
        The realization plan of each player.
    gradient : array of shape (S,)
        The derivative of each player's payoff by the realization weight of each of its sequences, which depends on the
        fixed plans of the other players.

    Returns
    -------
    array of shape (n,)
        The payoff of each player.
    """
    # The first n entries belong to the empty sequences, whose realization weight is 1.
    n = game.num_players
    products = plan[n:] * gradient[n:]
    utilities = [
        gradient[player] + products[own_sequences].sum()
        for player, own_sequences in enumerate(game.player_sequences)
    ]
    return np.array(utilities)


class PlanSearch(ABC):
    """The base class of search heuristics that respond to the realization plans of all players.

    They work in compiled games, and in symmetric games that are made from compiled games. A subclass defines
    `propose_behavior`.
    """

    def __call__(self, state: Any) -> Any:
        """Return the test strategies (candidates for the pools) that the heuristic proposes in a state.

        Parameters
        ----------
        state : MemoryState or OracleState
            The state of a memory or of a double oracle.

        Returns
        -------
        array of shape (S - n,) or (1, d), or list of arrays of shape (1, d)
            In a compiled game of n players and S sequences: the action probabilities of one strategy of each player. In
            a symmetric game: one vector of d numbers. If each player has a pool, a list with an array for each player.
        """
        game = state.game
        if isinstance(game, SequenceForm):
            return self.propose_behavior(game, state.plan, state.iteration)

        compiled_game = game.game

        def search_pool(strategies: Strategies, mixture: Floats, search_index: int) -> Strategies:
            """Return the strategy that is proposed against a mixture of strategies, as an array of one row."""
            plan = game.compute_mixture_plans(strategies, mixture)
            proposal = self.propose_behavior(compiled_game, plan, search_index)
            behavior = validate_proposed_behavior(self, compiled_game, proposal)
            strategy: Strategies = game.make_strategy(behavior)
            return strategy[None, :]

        return search_each_pool(state, search_pool)

    @abstractmethod
    def propose_behavior(self, game: SequenceForm, plan: Floats, search_index: int) -> Floats:
        """Return a strategy of each player, which is proposed against the strategies of all other players.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        plan : array of shape (S,)
            The present realization plans of all players.
        search_index : int
            The index of this search, which determines its random numbers.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """

    def check_game(self, game: Any) -> None:
        """Raise a GameError unless the game is compiled, or symmetric and made from a compiled game.

        Parameters
        ----------
        game : SequenceForm or symmetric game
            The game whose strategies are searched.

        Raises
        ------
        GameError
            If it is another game, which has no information sets.
        """
        if not isinstance(game, SequenceForm):
            validate_compiled_symmetric_game(game)


@dataclass(frozen=True, kw_only=True)
class BestResponse(PlanSearch):
    """The best response of each player to the other players, computed by one backward pass over the information sets.

    At an information set that the other players' mixtures never reach, all actions are equally good. The paper does not
    say which one it takes there, but the choice affects how fast a memory converges. In a symmetric game that is not
    made from a compiled one, the heuristic returns the game's own best response and ignores its settings.

    Attributes
    ----------
    unreached : {'uniform', 'first', 'random'}
        The action at an unreached information set. With 'uniform' and 'random' it is the best one if the other players
        tremble: with a small probability they deviate from their mixtures. In 'uniform' they deviate to all actions
        with equal probability, in 'random' to a profile that is drawn again in each round. With 'first' it is the first
        action.
    tremble : float
        The probability of a deviation at each information set, 1e-15 to 0.1. It only decides between strategies that
        are otherwise equally good. With unreached='first' it is not used.
    ties : {'first', 'evenly'}
        The choice between actions that are still equally good: the first of them, or all with equal probability. With
        ties='evenly' and unreached='first', the actions at unreached information sets are mixed as well.
    seed : int, optional
        The seed of the random profiles, which unreached='random' needs. The other rules draw no random numbers.
    """

    unreached: str = "uniform"
    tremble: float = 1e-6
    ties: str = "first"
    seed: int | None = None

    def __post_init__(self) -> None:
        UnknownNameError.check("rule for ties", self.ties, TIE_RULES)
        UnknownNameError.check(
            "rule for unreached information sets", self.unreached, UNREACHED_RULES
        )
        if self.unreached == "random" or self.seed is not None:
            validate_integer("seed", self.seed, 0)
        validate_number("tremble", self.tremble, SMALLEST_TREMBLE, LARGEST_TREMBLE)

    def __call__(self, state: Any) -> Any:
        """Return the best response of each player to the mixtures of the other players.

        Parameters
        ----------
        state : MemoryState or OracleState
            The state of a memory or of a double oracle, with the mixtures of all players.

        Returns
        -------
        array of shape (S - n,) or (1, d), or list of arrays of shape (1, d)
            In a compiled game of n players and S sequences: the action probabilities of all players. In a symmetric
            game: one vector of d numbers. If each player has a pool, a list with an array for each player.
        """
        game = state.game
        if isinstance(game, SequenceForm | CompiledSymmetric):
            return super().__call__(state)

        def respond_to_pool(
            strategies: Strategies, mixture: Floats, search_index: int
        ) -> Strategies:
            """Return a best response to a mixture of strategies, as an array of one row; `search_index` is not used."""
            response: Strategies = game.best_response(strategies, mixture)
            return response[None, :]

        return search_each_pool(state, respond_to_pool)

    def check_game(self, game: Any) -> None:
        """Raise a SettingError if best responses cannot be computed in the game.

        Parameters
        ----------
        game : SequenceForm or symmetric game
            The game whose strategies are searched.

        Raises
        ------
        SettingError
            If the game is symmetric and its attribute `has_best_responses` is False.
        """
        if not isinstance(game, SequenceForm) and not game.has_best_responses:
            raise SettingError(
                f"{game.name} has no best response that can be computed. Use another heuristic, such as"
                " solvers.Mutants(seed=1)."
            )

    def propose_behavior(self, game: SequenceForm, plan: Floats, search_index: int) -> Floats:
        """Return a best response of each player to the other players.

        At an information set that the strategies of the other players never reach, any action is a best response. With
        `unreached` 'first' the first action is taken there. Otherwise a best response to trembling players is computed,
        who deviate from their strategies with a small probability. It is returned if it is also a best response to the
        players as they are. If it is not, the probability of a deviation is divided by `TREMBLE_DIVISOR`, and the
        response is computed again. If no probability works, the best response without trembles is returned.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        plan : array of shape (S,)
            The present realization plans of all players.
        search_index : int
            The index of this search, which determines the random deviations.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """
        behavior = compute_behavior(game.block, plan)
        best_utilities, response = self.compute_payoffs_and_responses(game, behavior)
        if self.unreached == "first":
            return response

        deviation = self.choose_deviation(game, search_index)
        gradient = compute_gradients(game.block, plan)
        tolerance = UTILITY_TOLERANCE * find_utility_scale(game)
        tremble = self.tremble
        while tremble >= SMALLEST_TREMBLE:
            trembling_behavior = (1.0 - tremble) * behavior + tremble * deviation
            _, robust_response = self.compute_payoffs_and_responses(game, trembling_behavior)

            # It is also a best response to players who do not tremble if it loses nothing against them.
            robust_plan = compute_plans(game.block, robust_response)
            utilities = compute_utilities(game, robust_plan, gradient)
            if (best_utilities - utilities).max() <= tolerance:
                return robust_response
            tremble /= TREMBLE_DIVISOR
        return response

    def compute_payoffs_and_responses(
        self, game: SequenceForm, behavior: Floats
    ) -> tuple[Floats, Floats]:
        """Return each player's payoff from a best response to a behavior, and the best responses themselves.

        Where several actions are best, a response takes the first of them. With `ties` 'evenly' it takes each of them
        with the same probability.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        behavior : array of shape (S - n,)
            The action probabilities of all players.

        Returns
        -------
        best_utilities : array of shape (n,)
            The payoff of each of n players.
        response : array of shape (S - n,)
            The action probabilities of the best responses, where S is the number of sequences.
        """
        _, best_utilities, first_best_response = compute_utilities_and_best_responses(
            game.block, behavior, 0, game.num_players
        )
        if self.ties != "evenly":
            return best_utilities, first_best_response

        gradient = compute_gradients(game.block, compute_plans(game.block, behavior))
        tie_tolerance = TIE_TOLERANCE * find_utility_scale(game)
        evenly_mixed_response = mix_best_actions(game.block, gradient, tie_tolerance)
        return best_utilities, evenly_mixed_response

    def choose_deviation(self, game: SequenceForm, search_index: int) -> Floats:
        """Return the profile to which the players deviate when they tremble.

        With `unreached` 'uniform' they take all actions with equal probability. With 'random' the probabilities at each
        information set are drawn uniformly from the simplex.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        search_index : int
            The index of this search, which together with the seed determines the random numbers.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """
        if self.unreached == "uniform" or self.seed is None:
            return game.uniform().probabilities

        # Exponential numbers divided by their sum are uniform on the simplex.
        weights = random_stream(self.seed, "slip", search_index).exponential(
            size=game.num_probabilities
        )
        sums = np.add.reduceat(weights, game.first_probability_indices)
        return np.asarray(weights / np.repeat(sums, game.num_actions))


@kernel
def mix_best_actions(game_block: Floats, gradient: Floats, tie_tolerance: float) -> Floats:
    """Return the best response of each player that takes all best actions with equal probability.

    The value of a sequence is its derivative plus the values of the best actions after it. Information sets are
    processed from the last one, so the values of all actions after a sequence are computed before its own value is
    used.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    gradient : array of shape (S,)
        The derivative of each player's payoff by the realization weight of each of its sequences.
    tie_tolerance : float
        The largest difference between values that count as equal, in the game's unit.

    Returns
    -------
    array of shape (S - n,)
        The action probabilities of all n players, where S is the number of sequences.
    """
    game = unpack_workspace(game_block)
    value = gradient.copy()
    response = np.zeros(value.size)
    for infoset in range(game.first.size - 1, -1, -1):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        best_value = value[begin:end].max()
        least_value = best_value - tie_tolerance
        num_best = np.count_nonzero(value[begin:end] >= least_value)
        for sequence in range(begin, end):
            is_best = value[sequence] >= least_value
            response[sequence] = 1.0 / num_best if is_best else 0.0
        value[game.parent[infoset]] += best_value

    num_empty_sequences = game.ids[NUM_PLAYERS]
    return response[num_empty_sequences:]


@dataclass(frozen=True, kw_only=True)
class RandomSearch(PlanSearch):
    """A search heuristic that proposes random pure strategies, and in some rounds best responses.

    Attributes
    ----------
    seed : int
        The seed of all random numbers.
    best_response_share : float
        The probability that a round's proposals are best responses, 0 to 1. If it is positive, a memory still
        converges.
    best_response : BestResponse
        The heuristic that computes the best responses.
    """

    seed: int
    best_response_share: float = 0.1
    best_response: BestResponse = field(default_factory=BestResponse)

    def __post_init__(self) -> None:
        validate_integer("seed", self.seed, 0)
        validate_number("best_response_share", self.best_response_share, 0.0, 1.0)
        check_kind("best_response", self.best_response, BestResponse, "one such as BestResponse()")

    def propose_behavior(self, game: SequenceForm, plan: Floats, search_index: int) -> Floats:
        """Return a random pure strategy of each player, or with some probability a best response of each player.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        plan : array of shape (S,)
            The present realization plans of all players, to which the best responses respond.
        search_index : int
            The index of this search, which determines its random numbers.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """
        rng = random_stream(self.seed, "search", search_index)
        if rng.random() < self.best_response_share:
            return self.best_response.propose_behavior(game, plan, search_index)
        return make_pure_behavior(game, rng.integers(game.num_actions))


@dataclass(frozen=True, kw_only=True)
class EvolutionarySearch(PlanSearch):
    """A hill climber for each player, in which the best mutant replaces its parent if its payoff is at least as large.

    Mutation draws each of a player's I choices again with probability 1 / I, and always draws at least one of them.
    Because every strategy can become every other one, a best response has a positive probability in each round.

    Attributes
    ----------
    seed : int
        The seed of the first parents and of mutations.
    generations : int
        The number of generations in each round of the memory, at least 1.
    offspring : int
        The number of mutants in each generation, 1 to 100,000.
    """

    seed: int
    generations: int = 50
    offspring: int = 10

    def __post_init__(self) -> None:
        validate_integer("seed", self.seed, 0)
        validate_integer("generations", self.generations, 1, LARGEST_COUNT)
        validate_integer("offspring", self.offspring, 1, MOST_OFFSPRING)

    def propose_behavior(self, game: SequenceForm, plan: Floats, search_index: int) -> Floats:
        """Return the fittest pure strategy of each player that evolves from a random one.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with n players and S sequences.
        plan : array of shape (S,)
            The present realization plans of all players, against which a player's fitness is its payoff.
        search_index : int
            The index of this search, which determines its random numbers.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """
        gradient = compute_gradients(game.block, plan)
        choices = random_stream(self.seed, "first genome", search_index).integers(game.num_actions)
        for player in range(game.num_players):
            self.evolve_choices(game, player, gradient, choices, search_index)
        return make_pure_behavior(game, choices)

    def evolve_choices(
        self,
        game: SequenceForm,
        player: int,
        gradient: Floats,
        choices: NDArray[Any],
        search_index: int,
    ) -> None:
        """Overwrite the choices of one player with the fittest choices that evolve from them.

        Parameters
        ----------
        game : SequenceForm
            The game that is played, with S sequences and I information sets.
        player : int
            The player's index.
        gradient : array of shape (S,)
            The derivative of each player's payoff by the realization weight of each of its sequences.
        choices : array of shape (I,)
            The index of the action at each information set. The player's part is overwritten.
        search_index : int
            The index of this search, which determines its random numbers.
        """
        own_infosets = slice(*game.infoset_start[player : player + 2])
        best_fitness = compute_pure_utilities(game, player, gradient, choices[None])[0]
        for generation in range(self.generations):
            rng = random_stream(self.seed, "mutation", search_index, player, generation)
            mutants = np.tile(choices, (self.offspring, 1))
            mutants[:, own_infosets] = mutate_choices(
                rng, mutants[:, own_infosets], game.num_actions[own_infosets]
            )
            fitness = compute_pure_utilities(game, player, gradient, mutants)
            fittest = int(np.argmax(fitness))
            if fitness[fittest] >= best_fitness:
                best_fitness = fitness[fittest]
                choices[own_infosets] = mutants[fittest, own_infosets]


def compute_pure_utilities(
    game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any]
) -> Floats:
    """Return the expected payoffs of pure strategies of one player against fixed strategies of the other players.

    Parameters
    ----------
    game : SequenceForm
        The game that is played, with n players, S sequences and I information sets.
    player : int
        The player's index.
    gradient : array of shape (S,)
        The derivative of each player's payoff by the realization weight of each of its sequences, which depends on the
        fixed strategies.
    choices : array of shape (k, I)
        Of each of k strategies, the index of the action at each information set. Only the actions of the player itself
        are used.

    Returns
    -------
    array of shape (k,)
        The payoffs, in the game's unit.
    """
    n, own_sequences = game.num_players, game.player_sequences[player]
    behaviors = np.stack([make_pure_behavior(game, strategy) for strategy in choices])
    plans = compute_plans_of_profiles(game.block, behaviors)[:, n:][:, own_sequences]
    return np.asarray(gradient[player] + (plans * gradient[n:][own_sequences]).sum(axis=1))


def mutate_choices(
    rng: np.random.Generator, parents: NDArray[Any], num_actions: NDArray[Any]
) -> NDArray[Any]:
    """Return mutated copies of pure strategies, in which some choices are drawn again uniformly.

    Each of a strategy's I choices is drawn again with probability 1 / I. In addition, one choice that is selected at
    random is always drawn again.

    Parameters
    ----------
    rng : Generator
        The source of all random numbers.
    parents : array of shape (k, I)
        k strategies, each the index of the action at each of I information sets.
    num_actions : array of shape (I,)
        The number of actions at each information set.

    Returns
    -------
    array of shape (k, I)
        One mutant of each parent.
    """
    num_parents, num_choices = parents.shape
    if num_choices == 0:  # a player that never decides has nothing to mutate
        return parents.copy()

    is_redrawn = rng.random(parents.shape) < 1.0 / num_choices
    redrawn_choice = rng.integers(num_choices, size=num_parents)
    is_redrawn[np.arange(num_parents), redrawn_choice] = True
    return np.where(is_redrawn, rng.integers(num_actions, size=parents.shape), parents)


@dataclass(frozen=True, kw_only=True)
class Mutants:
    """A search heuristic that proposes mutants of the strategies in a memory, for symmetric games and contests.

    Attributes
    ----------
    seed : int
        The seed of the choice of parents and of mutations.
    offspring : int
        The number of mutants in a round, 1 to 100,000.
    parents : {'mix', 'latest'}
        With 'mix' each parent is drawn by its probability in the mixture. With 'latest' the parent is always the
        strategy that was added last.
    """

    seed: int
    offspring: int = 1
    parents: str = "mix"

    def __post_init__(self) -> None:
        validate_integer("seed", self.seed, 0)
        validate_integer("offspring", self.offspring, 1, MOST_OFFSPRING)
        UnknownNameError.check("choice of parents", self.parents, PARENT_CHOICES)

    def __call__(self, state: Any) -> Any:
        """Return mutants of the strategies in the opponent's mixture, for each pool of a memory.

        Parameters
        ----------
        state : MemoryState
            The state of a memory of a symmetric game or a contest.

        Returns
        -------
        array of shape (offspring, d) or list of such arrays
            Mutants, which are vectors of d numbers. If each player has a pool, a list with an array for each player.
        """
        game = state.game

        def mutate_pool(strategies: Strategies, mixture: Floats, search_index: int) -> Strategies:
            """Return mutants of the strategies in a mixture, one in each row."""
            return self.draw_mutants(game, strategies, mixture, search_index)

        return search_each_pool(state, mutate_pool)

    def draw_mutants(
        self, game: SymmetricGame, strategies: Strategies, mixture: Floats, search_index: int
    ) -> Strategies:
        """Return mutants of strategies in a mixture.

        Parameters
        ----------
        game : SymmetricGame
            The game, which defines how a strategy is mutated.
        strategies : array of shape (K, d)
            The K strategies of the mixture, which are vectors of d numbers.
        mixture : array of shape (K,)
            The probability of each strategy.
        search_index : int
            The index of this search, which determines its random numbers.

        Returns
        -------
        array of shape (offspring, d)
            One mutant in each row.
        """
        rng = random_stream(self.seed, "mutants", search_index)
        if self.parents == "mix":
            parents = rng.choice(len(mixture), size=self.offspring, p=mixture)
        else:
            last_strategy = len(mixture) - 1
            parents = np.full(self.offspring, last_strategy)
        return np.array([game.draw_mutant(strategies[parent], rng) for parent in parents])

    def check_game(self, game: Any) -> None:
        """Raise a GameError unless the game is symmetric or a contest, whose strategies can be mutated.

        Parameters
        ----------
        game : object
            The game whose strategies are searched.

        Raises
        ------
        GameError
            If the game has no method `draw_mutant`.
        """
        if not has_method(game, "draw_mutant"):
            raise GameError(
                f"Mutants are of strategies of a symmetric game or a contest; {game.name} is neither. Use"
                " solvers.EvolutionarySearch(seed=1)."
            )
