"""Coevolution of a population, whose strategies play each other, get a fitness, and survive or become parents by it.

This module has the loop of generations. It calls four functions that can be chosen freely: pairings, fitness, selection
and variation (`pokerlab.evolution.population.protocol`). A hall of fame adds opponents from earlier generations.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pokerlab.core import (
    Bools,
    Floats,
    GameError,
    Ints,
    SettingError,
    ShapeError,
    freeze,
    random_stream,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import (
    reject_function_with_old_parameters,
    reject_object_with_old_methods,
    reject_renamed_parameters,
)
from pokerlab.core.settings import check_attributes, check_signature, has_method, validate_integer
from pokerlab.core.workers import choose_work_divider
from pokerlab.evolution.population import (
    AllPairs,
    Crossover,
    ParetoFront,
    WeightedSum,
    WinsAndLosses,
)
from pokerlab.evolution.population.hall import EMPTY, NO_HALL, join_parent_probabilities
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
    Fitness,
    FitnessFunction,
    Genomes,
    Hall,
    HallRule,
    Pairings,
    PlayerEncoding,
    Results,
    Selection,
    Survivors,
    Variation,
)
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.solvers.protocol import validate_count

SUM_TOLERANCE = 1e-6
"""The largest difference between 1 and the sum of a population's parent probabilities."""


@dataclass(frozen=True, eq=False)
class PopulationState:
    """The state of a coevolution of populations after `iteration` generations.

    It describes the generation that has just played and whose survivors have just been selected. The next step begins
    with the birth of children. There are P populations of N strategies with G genes each. Each population has a hall of
    fame with H places for strategies of earlier generations. M = P (N + H) is the number of all strategies and places,
    where the halls come last.

    Attributes
    ----------
    game, encoding
        The game that is played, and the encoding, which maps genomes to strategies.
    iteration : int
        The number of generations that have played. At iteration 0 all results are zero.
    hands_played, num_hands : int
        The number of hands played in all generations, and in the last one. A hand counts once, however many strategies
        play in it.
    population : array of shape (P, N, G)
        The genome of each strategy.
    ages : array of shape (P, N)
        The number of generations that each strategy has survived.
    parents : array of shape (P, N, K)
        The indices of at most K parents of each strategy in the generation before. An index of N or more is a place in
        the hall of fame plus N, and -1 means that there is no such parent.
    profit : array of shape (P, N)
        The total payoff of each strategy in the last generation, which is a whole number of chips at a poker table.
    hands, hands_won : array of shape (P, N)
        The number of hands or pairings that each strategy played, and the number of those that it won.
    actions : array of shape (P, N, 4)
        The number of times that each strategy took each of the four `KINDS_OF_ACTION`.
    mean_rank, first_places : array of shape (P, N)
        In tournaments, the mean rank of each strategy among all entrants, and the share of tournaments that it won.
    fitness : array of shape (P, N)
        The fitness of each strategy; larger is better.
    matrix : array of shape (M, M) or (0, 0)
        The fitness of the row's strategy against the column's, which is 0 for pairs that do not count. It is empty if
        the fitness function does not compare pairs.
    front : array of shape (P, N)
        Whether each strategy survives.
    parent_probabilities : array of shape (P, N)
        The probability that each strategy is drawn as a parent. Each row sums to 1.
    champions : array of shape (P, G)
        The genome of the fittest strategy of each population; if several are equally fit, the first of them.
    hall : Hall
        The halls of fame that played in this generation. New members enter when the next step begins.
    hall_fitness : array of shape (P, H)
        The fitness of each member of the halls, which is 0 for members that did not play.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("hall", "matrix")
    """Fields whose arrays become larger with time, because an unlimited hall gets more places."""

    game: Any
    encoding: PlayerEncoding
    iteration: int
    hands_played: int
    num_hands: int
    population: Genomes
    ages: Ints
    parents: Ints
    profit: Ints | Floats
    hands: Ints
    hands_won: Ints
    actions: Ints
    mean_rank: Floats
    first_places: Floats
    fitness: Floats
    matrix: Floats
    front: Bools
    parent_probabilities: Floats
    champions: Genomes
    hall: Hall
    hall_fitness: Floats

    def __post_init__(self) -> None:
        check_state_shapes(self)
        check_state_ranges(self)
        freeze(*vars(self).values(), *self.hall)


def check_state_shapes(state: PopulationState) -> None:
    """Raise a ShapeError if the arrays of a state do not fit together.

    Populations, halls of fame and the fitness matrix are compared, because a state that was read from a file could be
    inconsistent.

    Parameters
    ----------
    state : PopulationState
        The state, such as one that was read from a file.

    Raises
    ------
    ShapeError
        If two arrays do not fit together.
    """
    if state.population.ndim != 3 or state.population.shape[:2] != state.ages.shape:
        raise ShapeError(
            f"populations have shape {state.population.shape} and ages {state.ages.shape}; they must be"
            " (P, N, G) and (P, N)."
        )

    hall = state.hall
    num_genes = state.population.shape[2]
    hall_shape = hall.entered.shape
    do_genomes_fit = hall.genomes.shape == (*hall_shape, num_genes)
    do_flags_fit = hall.is_playing.shape == hall_shape
    does_fitness_fit = state.hall_fitness.shape == hall_shape
    if not (do_genomes_fit and do_flags_fit and does_fitness_fit):
        raise ShapeError(
            f"halls have genomes of shape {hall.genomes.shape}, generations {hall_shape}, players"
            f" {hall.is_playing.shape} and fitness {state.hall_fitness.shape}; they must be (P, H, G),"
            " and (P, H) each."
        )

    num_players = state.ages.size + hall.entered.size
    full_shape = (num_players, num_players)
    if state.matrix.shape not in ((0, 0), full_shape):
        raise ShapeError(
            f"the matrix has shape {state.matrix.shape}; populations and halls make {full_shape}."
        )


def check_state_ranges(state: PopulationState) -> None:
    """Raise a SettingError if a number of a state is too small or too large, such as an age or a probability.

    Parameters
    ----------
    state : PopulationState
        The state, whose arrays fit together.

    Raises
    ------
    SettingError
        If a number is out of its range.
    """
    num_strategies = state.ages.shape[1]
    num_places = state.hall.entered.shape[1]
    last_parent = num_strategies + num_places - 1
    sums = state.parent_probabilities.sum(axis=1)
    check_range("ages", state.ages, 0, state.iteration)
    check_range("parents", state.parents, NO_PARENT, last_parent)
    check_range("hall.entered", state.hall.entered, EMPTY, state.iteration)
    check_range("parent_probabilities", state.parent_probabilities, 0.0, 1.0)
    check_range("sums of parent_probabilities", sums, 1.0 - SUM_TOLERANCE, 1.0 + SUM_TOLERANCE)


def check_range(name: str, numbers: Ints | Floats, low: float, high: float) -> None:
    """Raise a SettingError if a number in an array is smaller than a lower bound or larger than an upper bound.

    Parameters
    ----------
    name : str
        The name of the array, for the error message.
    numbers : array
        The numbers, in an array of any shape, which may be empty.
    low, high : float
        The smallest and the largest number that are allowed.

    Raises
    ------
    SettingError
        If a number is out of the range.
    """
    if numbers.size and not low <= numbers.min() <= numbers.max() <= high:
        raise SettingError(
            f"'{name}' are {numbers.min():g} to {numbers.max():g}; they must be {low:g} to {high:g}."
        )


MOST_STRATEGIES, MOST_POPULATIONS = 100_000, 100


@reject_renamed_parameters
class PopulationCoevolution:
    """Coevolution of populations of strategies, which play each other in every generation.

    Its four parts are the parameters `pairings`, `fitness`, `selection` and `variation`. The methods of Noble & Watson
    (2001) and of Nicolai & Hilderman (2009) are two choices of these parts.

    Parameters
    ----------
    game
        A `RingGame`, a `Tournament`, a `Contest`, a two-player game, or any other game that the pairings can play.
    encoding : PlayerEncoding
        The encoding, which maps genomes to strategies, such as `RuleEncoding()`.
    seed : int
        The seed of all random numbers. Two coevolutions with the same seed begin with the same population.
    size : int
        The number of strategies in each population, 2 to 100,000. With `AllPairs()` the time and the memory of a
        generation grow with its square, and with `ParetoFront()` the time of selection grows with its cube.
    pairings : Pairings, optional
        The rule that determines who plays whom. The default is `AllPairs()` in contests and compiled games, and
        `RingGames()` in ring games.
    fitness : FitnessFunction, optional
        The function that computes fitness from the results of play; `WinsAndLosses()` by default.
    selection : Selection, optional
        The function that selects survivors and parents; `ParetoFront()` by default.
    variation : Variation, optional
        The function that makes children. The default is `Crossover()` if genes have ranges, with the mutation widths of
        the encoding if it has any. For other genes, such as the weights of networks, it is `WeightedSum()`.
    populations : int
        The number of populations, 1 to 100. All of them play in the same pairings, but each has its own selection and
        variation.
    hall_of_fame : HallRule, optional
        The rule that adds strategies of earlier generations, such as `HallOfFame()`. By default none are added.
    workers : int, distributed.Client or str
        The number of threads, 1 to 256; or the client of a cluster, or the address of its scheduler, whose workers must
        have pokerlab installed. Results do not depend on the number of workers, nor on which of them are lost. If all
        are lost, `step` raises a ClusterError.

    Examples
    --------
    >>> from pokerlab.holdem import RingGames, RuleEncoding, limit, ring_game
    >>> game = ring_game(limit(2), seats=10, stacks=200)
    >>> pairings = RingGames(games=20, hands=20)
    >>> pareto = PopulationCoevolution(game, RuleEncoding(), seed=1, size=20, pairings=pairings)
    >>> state = pareto.step(pareto.init(), 3)
    >>> state.population.shape, int(state.front.sum()) <= 10, state.hands_played
    ((1, 20, 42), True, 1200)
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers", "work_divider")
    """Attributes on which no result depends, so that provenance leaves them out."""

    def __init__(
        self,
        game: Any,
        encoding: PlayerEncoding,
        *,
        seed: int,
        size: int = 100,
        pairings: Pairings | None = None,
        fitness: FitnessFunction | None = None,
        selection: Selection | None = None,
        variation: Variation | None = None,
        populations: int = 1,
        hall_of_fame: HallRule | None = None,
        workers: Any = 1,
    ) -> None:
        self.game = game
        self.encoding = encoding
        self.seed = validate_integer("seed", seed, 0)
        self.size = validate_integer("size", size, 2, MOST_STRATEGIES)
        self.pairings: Pairings = choose_pairings(game) if pairings is None else pairings
        self.fitness: FitnessFunction = WinsAndLosses() if fitness is None else fitness
        self.selection: Selection = ParetoFront() if selection is None else selection
        self.variation: Variation = choose_variation(encoding) if variation is None else variation
        self.populations = validate_integer("populations", populations, 1, MOST_POPULATIONS)
        self.hall_of_fame: HallRule = NO_HALL if hall_of_fame is None else hall_of_fame
        self.workers = workers
        self.work_divider = choose_work_divider(workers)
        check_arguments_are_callable(self)
        if self.hall_of_fame.size > self.size:
            raise SettingError(
                f"a hall of {self.hall_of_fame.size} is larger than the population of {self.size} that fills it. Pass"
                f" at most {self.size}."
            )

        reject_object_with_old_methods("pairings", self.pairings, ("check_game",))
        if hasattr(self.pairings, "check_game"):
            num_members = self.populations * self.size
            num_hall_places = self.populations * self.hall_of_fame.size
            # In the first generation the halls are empty, and later all their members may play, too.
            self.pairings.check_game(game, num_members, num_members + num_hall_places)

        check_arguments_fit(self)

    @property
    def num_parents(self) -> int:
        """The number of parents that are recorded for each child."""
        return int(getattr(self.variation, "num_parents", 1))

    def init(self) -> PopulationState:
        """Return the state before the first generation, with random populations that have not played yet.

        Returns
        -------
        PopulationState
            The state of generation 0. The first strategies depend only on the seed, and results are zero.
        """
        shape = (self.populations, self.size)
        populations = []
        for index in range(self.populations):
            generator = random_stream(self.seed, "population", index)
            populations.append(self.encoding.draw_genomes(generator, self.size))
        population = np.stack(populations)
        hall = self.hall_of_fame.open_halls(self.encoding, population, self.seed)

        # The matrix is empty if the fitness function does not compare pairs.
        has_matrix = getattr(self.fitness, "has_matrix", False)
        num_players = self.populations * self.size + hall.entered.size if has_matrix else 0

        # Chips are whole numbers, but other pairings may have payoffs of another type.
        profit_type = getattr(self.pairings, "winnings", np.int64)

        # No one has played yet, so all results are zero.
        return PopulationState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            hands_played=0,
            num_hands=0,
            population=population,
            ages=np.zeros(shape, np.int64),
            parents=np.full((*shape, self.num_parents), NO_PARENT),
            profit=np.zeros(shape, profit_type),
            hands=np.zeros(shape, np.int64),
            hands_won=np.zeros(shape, np.int64),
            actions=np.zeros((*shape, len(KINDS_OF_ACTION)), np.int64),
            mean_rank=np.zeros(shape),
            first_places=np.zeros(shape),
            fitness=np.zeros(shape),
            matrix=np.zeros((num_players, num_players)),
            front=np.zeros(shape, np.bool_),
            parent_probabilities=np.full(shape, 1.0 / self.size),
            champions=population[:, 0].copy(),
            hall=hall,
            hall_fitness=np.zeros(hall.entered.shape),
        )

    def step(self, state: PopulationState, count: int = 1) -> PopulationState:
        """Return the state some generations after a given one.

        Parameters
        ----------
        state : PopulationState
            The state with which the first of these generations begins. It is not changed.
        count : int
            The number of generations.

        Returns
        -------
        PopulationState
            The state after the last generation.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver, or if its arrays do not have the sizes of this
            solver.
        """
        num_generations = validate_count(self.game, state, count, PopulationState)
        check_state_fits(self, state)
        for _ in range(num_generations):
            state = self.play_generation(state)
        return state

    def play_generation(self, state: PopulationState) -> PopulationState:
        """Return the state after the next generation: children are born, all play, and survivors are selected.

        Parameters
        ----------
        state : PopulationState
            The state after the generation before, which is not changed.

        Returns
        -------
        PopulationState
            The state, whose `iteration` is larger by one.
        """
        generation = self.breed_generation(state)
        results, fitness = self.evaluate_generation(generation, state.iteration)
        survivors = self.select_survivors(generation, fitness, state.iteration)
        return self.record_generation(state, generation, results, fitness, survivors)

    def record_generation(
        self,
        state: PopulationState,
        generation: "Generation",
        results: Results,
        fitness: Fitness,
        survivors: list[Survivors],
    ) -> PopulationState:
        """Return the state that describes a generation which has played.

        Parameters
        ----------
        state : PopulationState
            The state after the generation before.
        generation : Generation
            The strategies of the generation.
        results, fitness : Results and Fitness
            The results and the fitness of all players, the strategies of the populations first and then the members of
            the halls.
        survivors : list of Survivors
            The survivors and parents of each population.

        Returns
        -------
        PopulationState
            The state, whose `iteration` is larger by one.
        """
        hall, population = generation.hall, generation.population
        shape = (self.populations, self.size)
        num_members = self.populations * self.size

        # Divide the results between the populations and the halls.
        member_fitness = fitness.values[:num_members].reshape(shape)
        hall_fitness = np.zeros(hall.entered.shape)
        hall_fitness[hall.is_playing] = fitness.values[num_members:]

        # Only tournaments have ranks, one row for each tournament.
        no_ranks = np.zeros((1, num_members))
        ranks = results.ranks[:, :num_members] if results.ranks.size else no_ranks

        fittest_strategies = np.argmax(member_fitness, axis=1)
        return PopulationState(
            game=state.game,
            encoding=self.encoding,
            iteration=state.iteration + 1,
            hands_played=state.hands_played + results.num_hands,
            num_hands=results.num_hands,
            population=population,
            ages=generation.ages,
            parents=generation.parents,
            profit=results.profit[:num_members].reshape(shape),
            hands=results.hands[:num_members].reshape(shape),
            hands_won=results.hands_won[:num_members].reshape(shape),
            actions=results.actions[:num_members].reshape(*shape, -1),
            mean_rank=ranks.mean(axis=0).reshape(shape),
            first_places=(ranks == 1.0).mean(axis=0).reshape(shape),
            fitness=member_fitness.copy(),
            matrix=expand_fitness_matrix(fitness, num_members, hall.is_playing),
            front=np.stack([selected.survives for selected in survivors]),
            parent_probabilities=np.stack(
                [selected.parent_probabilities for selected in survivors]
            ),
            champions=population[np.arange(self.populations), fittest_strategies],
            hall=hall,
            hall_fitness=hall_fitness,
        )

    def evaluate_generation(
        self, generation: "Generation", iteration: int
    ) -> tuple[Results, Fitness]:
        """Return the results of all pairings of a generation, and the fitness of all players.

        The players are the members of all populations, and then the members of the halls of fame that play.

        Parameters
        ----------
        generation : Generation
            The strategies of the generation.
        iteration : int
            The number of generations before this one, which determines the random numbers.

        Returns
        -------
        results : Results
            What each player won, and the number of its hands.
        fitness : Fitness
            The fitness of each player.
        """
        hall = generation.hall
        num_members = self.populations * self.size
        member_genomes = generation.population.reshape(num_members, -1)
        hall_genomes = hall.genomes[hall.is_playing]
        results = self.pairings(
            self.game,
            self.encoding,
            np.concatenate([member_genomes, hall_genomes]),
            seed=self.seed,
            generation=iteration,
            work_divider=self.work_divider,
        )

        population_of_members = np.repeat(np.arange(self.populations), self.size)
        population_of_hall_members = np.nonzero(hall.is_playing)[0]
        population_of = np.concatenate([population_of_members, population_of_hall_members])
        return results, self.fitness(results, population_of)

    def select_survivors(
        self, generation: "Generation", fitness: Fitness, iteration: int
    ) -> list[Survivors]:
        """Return the survivors and parents of each population of a generation that has played.

        Parameters
        ----------
        generation : Generation
            The strategies of the generation.
        fitness : Fitness
            The fitness of all players, the strategies of the populations first and then the members of the halls.
        iteration : int
            The number of generations before this one, which determines the random numbers.

        Returns
        -------
        list of Survivors
            For each population, which strategies survive and with which probability each one becomes a parent.
        """
        survivors = []
        for index in range(self.populations):
            members = slice(index * self.size, (index + 1) * self.size)
            generator = random_stream(self.seed, "selection", iteration + 1, index)
            survivors.append(
                self.selection(
                    fitness,
                    members,
                    generation.population[index],
                    generation.ages[index],
                    generator,
                )
            )

        return survivors

    def breed_generation(self, state: PopulationState) -> "Generation":
        """Return the strategies of the next generation, before they have played.

        Children replace the strategies that do not survive. At iteration 0 no one has played yet, so the population of
        the state itself is the first generation.

        Parameters
        ----------
        state : PopulationState
            The state after the generation before, which is not changed.

        Returns
        -------
        Generation
            The survivors and the children, with their ages and parents, and the halls of fame.
        """
        if state.iteration == 0:
            return Generation(state.hall, state.population, state.ages, state.parents)

        hall = self.hall_of_fame.update_halls(state, self.seed)
        population = state.population.copy()
        ages = state.ages + 1
        parents = np.full_like(state.parents, NO_PARENT)
        for index in range(self.populations):
            # A parent can be a member of the population, or of its hall of fame if the hall breeds.
            parent_candidates = np.concatenate([state.population[index], hall.genomes[index]])
            is_breeding = hall.is_playing[index] & self.hall_of_fame.breeds
            probabilities = join_parent_probabilities(
                state.parent_probabilities[index], is_breeding
            )

            # Each strategy that does not survive is replaced by a child.
            replaced_strategies = np.flatnonzero(~state.front[index])
            generator = random_stream(self.seed, "variation", state.iteration, index)
            children = self.variation(
                self.encoding, parent_candidates, probabilities, len(replaced_strategies), generator
            )
            population[index, replaced_strategies] = children.genomes
            parents[index, replaced_strategies] = children.parents
            ages[index, replaced_strategies] = 0

        return Generation(hall, population, ages, parents)


class Generation(NamedTuple):
    """The strategies of a generation: P populations of N genomes, and their halls of fame.

    Attributes
    ----------
    hall : Hall
        The halls of fame.
    population : array of shape (P, N, G)
        The genomes, with G genes each.
    ages, parents : array of int, shape (P, N) and (P, N, parents)
        The age and the parents of each strategy, as in `PopulationState`.
    """

    hall: Hall
    population: Genomes
    ages: Ints
    parents: Ints


def expand_fitness_matrix(fitness: Fitness, num_members: int, is_playing: Bools) -> Floats:
    """Return the matrix of pairwise fitness, with rows and columns of zeros for hall strategies that did not play.

    Parameters
    ----------
    fitness : Fitness
        The fitness of all players, the strategies of the populations first and then the members of the halls.
    num_members : int
        The number of members of all populations, without the halls.
    is_playing : array of shape (P, H)
        Whether each of H strategies in each of P halls of fame played.

    Returns
    -------
    array of shape (M, M) or (0, 0)
        The fitness of each pair, where M is `num_members` + P H. It is empty if the fitness function does not compare
        pairs.
    """
    pair_fitness = np.nan_to_num(fitness.matrix)  # pairs that do not count are NaN
    if not pair_fitness.size or is_playing.all():
        return pair_fitness

    # All members of the populations played.
    has_played = np.concatenate([np.ones(num_members, np.bool_), is_playing.ravel()])
    players = np.flatnonzero(has_played)

    num_strategies = has_played.size
    matrix = np.zeros((num_strategies, num_strategies))
    matrix[np.ix_(players, players)] = pair_fitness
    return matrix


def choose_pairings(game: Any) -> Pairings:
    """Return the default pairings of a game: its own if it has some, as ring games do, and otherwise all pairs.

    Parameters
    ----------
    game : object
        The game that is played.

    Returns
    -------
    Pairings
        The game's own `default_pairings()`, or `AllPairs()`.
    """
    if has_method(game, "default_pairings"):
        default_pairings: Pairings = game.default_pairings()
        return default_pairings
    return AllPairs()


def choose_variation(encoding: Any) -> Variation:
    """Return the default variation for an encoding, which is the function that makes children.

    If the encoding has the attribute `kinds`, the kinds of its genes, it is crossover. If the encoding has the
    attribute `widths`, crossover uses these mutation widths. For other encodings it is a weighted sum of the parents.

    Parameters
    ----------
    encoding : object
        The encoding of the genomes.

    Returns
    -------
    Variation
        A `Crossover` or `WeightedSum`.
    """
    if not hasattr(encoding, "kinds"):
        return WeightedSum()
    if hasattr(encoding, "widths"):
        return Crossover(widths=encoding.widths)
    return Crossover()


def check_state_fits(solver: PopulationCoevolution, state: PopulationState) -> None:
    """Raise a GameError if a state does not have the sizes of a solver, because another solver made it.

    The sizes are the numbers of populations, of genomes in a population, of genes, of recorded parents of a child, and
    of places in a hall of fame. A hall that grows may have any number of places.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver that is to continue from the state.
    state : PopulationState
        The state.

    Raises
    ------
    GameError
        If one of these sizes differs.
    """
    num_places = state.hall.entered.shape[1]
    hall_rule = solver.hall_of_fame
    sizes_of_state = (*state.population.shape, state.parents.shape[2], num_places)
    sizes_of_solver = (
        solver.populations,
        solver.size,
        solver.encoding.num_genes,
        solver.num_parents,
        num_places if hall_rule.grows else hall_rule.size,
    )
    if sizes_of_state != sizes_of_solver:
        template = "{} populations of {} genomes of {} genes, {} parents a child, halls of {}"
        raise GameError(
            f"the state has {template.format(*sizes_of_state)}; the solver has {template.format(*sizes_of_solver)}."
            " Begin with the solver's own init()."
        )


def check_arguments_are_callable(solver: PopulationCoevolution) -> None:
    """Raise a SettingError if an argument of a coevolution lacks a method, or cannot be called as it must be.

    The encoding, the pairings, the hall of fame, the fitness function, the selection and the variation of the solver
    are checked.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver, while it is made.

    Raises
    ------
    SettingError
        If an argument does not have what it needs.
    """
    check_attributes(
        "encoding", solver.encoding, ("draw_genomes",), "an encoding such as RuleEncoding()"
    )
    check_attributes("pairings", solver.pairings, ("__call__",), "pairings such as RingGames()")
    reject_function_with_old_parameters("pairings", solver.pairings, ("work_divider",))
    hall_methods = ("open_halls", "update_halls")
    check_attributes(
        "hall_of_fame", solver.hall_of_fame, hall_methods, "a rule such as HallOfFame(size=10)"
    )
    check_signature(
        solver.fitness,
        "fitness function",
        ("results", "population_of"),
        "Pass one such as WinsAndLosses(), or a function of these.",
    )
    check_signature(
        solver.selection,
        "selection",
        ("fitness", "members", "genomes", "ages", "generator"),
        "Pass one such as ParetoFront(), or a function of these.",
    )
    check_signature(
        solver.variation,
        "variation",
        ("encoding", "genomes", "parent_probabilities", "count", "generator"),
        "Pass one such as Crossover(), or a function of these.",
    )


def check_arguments_fit(solver: PopulationCoevolution) -> None:
    """Raise a SettingError if the arguments of a coevolution do not fit together.

    A selection may need a matrix of wins and losses, which not every fitness function computes. A fitness function may
    need results that not all pairings count. And pairings at tables need an encoding whose genomes can play there. All
    this is checked before the first generation of the solver is played.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver, while it is made.

    Raises
    ------
    SettingError
        If two arguments do not fit together.
    """
    has_matrix = getattr(solver.fitness, "has_matrix", False)
    if getattr(solver.selection, "needs_matrix", False) and not has_matrix:
        raise SettingError(
            f"selection is {quote_value(solver.selection)}, which compares wins against each opponent, but fitness is"
            f" {quote_value(solver.fitness)}, which has one number for all of them. Pass fitness=WinsAndLosses()."
        )

    # Functions of users need not say what they read and count, so nothing is checked then.
    needed_results = getattr(solver.fitness, "reads", None)
    counted_results: tuple[Any, ...] = getattr(solver.pairings, "counts", (needed_results,))
    if needed_results is not None and needed_results not in counted_results:
        raise SettingError(
            f"fitness is {quote_value(solver.fitness)}, which needs '{needed_results}', but pairings are"
            f" {quote_value(solver.pairings)}, which count {' and '.join(counted_results)}. Pass fitness=MeanRank() for"
            " tournaments, WinsAndLosses() for ring games, WinsAndLosses(counted='in games together') for those"
            " without pots, or Profit() for any pairings."
        )

    if hasattr(solver.pairings, "check_encoding"):
        solver.pairings.check_encoding(solver.game, solver.encoding)
    elif not has_method(solver.encoding, "make_players"):
        reject_object_with_old_methods("encoding", solver.encoding, ("make_players",))
        raise SettingError(
            f"pairings are {quote_value(solver.pairings)}, which seat players at tables, but encoding is"
            f" {quote_value(solver.encoding)}, whose genomes are no such players. Pass an encoding such as"
            " RuleEncoding(), or pairings such as AllPairs()."
        )

    if hasattr(solver.variation, "check_encoding"):
        solver.variation.check_encoding(solver.encoding)
