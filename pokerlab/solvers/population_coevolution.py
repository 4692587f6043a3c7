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
    reject_old_parameter_names,
    reject_renamed_methods,
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

# The largest difference between 1 and the sum of a population's parent probabilities.
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class PopulationState:
    """The state of a coevolution of populations after `iteration` generations.

    It describes the generation that has just played and whose survivors have just been selected. The next step begins
    with the birth of children. There are P populations of N strategies with G genes each. Each population has a hall of
    fame with H places. M = P (N + H) is the number of all strategies and places, where the halls come last.

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
        if self.population.ndim != 3 or self.population.shape[:2] != self.ages.shape:
            raise ShapeError(
                f"populations have shape {self.population.shape} and ages {self.ages.shape}; they must be"
                " (P, N, G) and (P, N)."
            )

        places = self.hall.entered.shape
        if self.hall.genomes.shape != (*places, self.population.shape[2]) or not (
            self.hall.is_playing.shape == self.hall_fitness.shape == places
        ):
            raise ShapeError(
                f"halls have genomes of shape {self.hall.genomes.shape}, generations {places}, players"
                f" {self.hall.is_playing.shape} and fitness {self.hall_fitness.shape}; they must be (P, H, G),"
                " and (P, H) each."
            )

        num_players = self.ages.size + self.hall.entered.size
        square = (num_players, num_players)
        if self.matrix.shape not in ((0, 0), square):
            raise ShapeError(
                f"the matrix has shape {self.matrix.shape}; populations and halls make {square}."
            )

        last_parent = self.ages.shape[1] + places[1] - 1
        sums = self.parent_probabilities.sum(axis=1)
        check_range("ages", self.ages, 0, self.iteration)
        check_range("parents", self.parents, NO_PARENT, last_parent)
        check_range("hall.entered", self.hall.entered, EMPTY, self.iteration)
        check_range("parent_probabilities", self.parent_probabilities, 0.0, 1.0)
        check_range("sums of parent_probabilities", sums, 1.0 - ROUNDING, 1.0 + ROUNDING)
        freeze(*vars(self).values(), *self.hall)


def check_range(name: str, numbers: Ints | Floats, low: float, high: float) -> None:
    """Raise a SettingError if one of the numbers is not from `low` to `high`; `name` is that of the numbers."""
    if numbers.size and not low <= numbers.min() <= numbers.max() <= high:
        raise SettingError(
            f"'{name}' are {numbers.min():g} to {numbers.max():g}; they must be {low:g} to {high:g}."
        )


COUNTED_FIELDS = ("ages", "profit", "hands", "hands_won")
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
        check_parts_are_callable(self)
        if self.hall_of_fame.size > self.size:
            raise SettingError(
                f"a hall of {self.hall_of_fame.size} is larger than the population of {self.size} that fills it. Pass"
                f" at most {self.size}."
            )

        fewest = self.populations * self.size
        reject_renamed_methods("pairings", self.pairings, ("check_game",))
        if hasattr(self.pairings, "check_game"):
            most = fewest + self.populations * self.hall_of_fame.size
            self.pairings.check_game(game, fewest, most)

        check_parts_fit(self)

    @property
    def num_parents(self) -> int:
        """The number of parents that are recorded for each child."""
        return int(getattr(self.variation, "num_parents", 1))

    def init(self) -> PopulationState:
        """Return the state before the first generation, with random populations that have not played yet."""
        shape = self.populations, self.size
        populations = []
        for index in range(self.populations):
            generator = random_stream(self.seed, "population", index)
            populations.append(self.encoding.draw_genomes(generator, self.size))
        population = np.stack(populations)
        hall = self.hall_of_fame.open_halls(self.encoding, population, self.seed)

        # The matrix is empty if the fitness function does not compare pairs.
        has_matrix = getattr(self.fitness, "has_matrix", False)
        num_players = self.populations * self.size + hall.entered.size if has_matrix else 0

        # No one has played yet, so all results are zero. Only the profit may be a number of another type.
        zeros: dict[str, Any] = {name: np.zeros(shape, np.int64) for name in COUNTED_FIELDS}
        zeros["profit"] = np.zeros(shape, getattr(self.pairings, "winnings", np.int64))
        zeros |= {name: np.zeros(shape) for name in ("mean_rank", "first_places", "fitness")}
        return PopulationState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            hands_played=0,
            num_hands=0,
            population=population,
            **zeros,
            parents=np.full((*shape, self.num_parents), NO_PARENT),
            actions=np.zeros((*shape, len(KINDS_OF_ACTION)), np.int64),
            matrix=np.zeros((num_players, num_players)),
            front=np.zeros(shape, np.bool_),
            parent_probabilities=np.full(shape, 1.0 / self.size),
            champions=population[:, 0].copy(),
            hall=hall,
            hall_fitness=np.zeros(hall.entered.shape),
        )

    def step(self, state: PopulationState, count: int = 1) -> PopulationState:
        """Return the state `count` generations after `state`, which is not changed."""
        steps = validate_count(self.game, state, count, PopulationState)
        check_state_fits(self, state)
        for _ in range(steps):
            state = self.play_generation(state)
        return state

    def play_generation(self, state: PopulationState) -> PopulationState:
        """Return the state after the next generation: children are born, all play, and survivors are selected."""
        shape = self.populations, self.size
        num_members = self.populations * self.size
        generation = self.breed_generation(state)
        hall, population = generation.hall, generation.population

        results, fitness = self.evaluate_generation(generation, state.iteration)
        survivors = self.select_survivors(generation, fitness, state.iteration + 1)

        # Divide the results between the populations and the halls.
        member_fitness = fitness.values[:num_members].reshape(shape)
        hall_fitness = np.zeros(hall.entered.shape)
        hall_fitness[hall.is_playing] = fitness.values[num_members:]
        no_ranks = np.zeros((1, num_members))
        ranks = results.ranks[:, :num_members] if results.ranks.size else no_ranks
        champions = population[np.arange(self.populations), np.argmax(member_fitness, axis=1)]
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
            matrix=expand_matrix(fitness, num_members, hall.is_playing),
            front=np.stack([selection.survives for selection in survivors]),
            parent_probabilities=np.stack(
                [selection.parent_probabilities for selection in survivors]
            ),
            champions=champions,
            hall=hall,
            hall_fitness=hall_fitness,
        )

    def evaluate_generation(
        self, generation: "Generation", iteration: int
    ) -> tuple[Results, Fitness]:
        """Return the results of all pairings of a generation, and the fitness of all players.

        The players are the members of all populations, and then those of the halls that play.

        Parameters
        ----------
        generation : Generation
            The strategies of the generation.
        iteration : int
            The number of generations before this one, which determines the random numbers.
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
        population_of_hall_players = np.nonzero(hall.is_playing)[0]
        population_of = np.concatenate([population_of_members, population_of_hall_players])
        return results, self.fitness(results, population_of)

    def select_survivors(
        self, generation: "Generation", fitness: Fitness, generation_number: int
    ) -> list[Survivors]:
        """Return the survivors and parents of each population of a generation that has played.

        Parameters
        ----------
        generation : Generation
            The strategies of the generation.
        fitness : Fitness
            The fitness of all players, first those of the populations and then those of the halls.
        generation_number : int
            The number of the generation, counted from 1, which determines the random numbers.
        """
        survivors = []
        for index in range(self.populations):
            members = slice(index * self.size, (index + 1) * self.size)
            generator = random_stream(self.seed, "selection", generation_number, index)
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
        """
        if state.iteration == 0:
            return Generation(state.hall, state.population, state.ages, state.parents)

        hall = self.hall_of_fame.update_halls(state, self.seed)
        population = state.population.copy()
        ages = state.ages + 1
        parents = np.full_like(state.parents, NO_PARENT)
        for index in range(self.populations):
            # Parents are members of the population, and those of its hall if the hall breeds.
            candidates = np.concatenate([state.population[index], hall.genomes[index]])
            is_breeding = hall.is_playing[index] & self.hall_of_fame.breeds
            probabilities = join_parent_probabilities(
                state.parent_probabilities[index], is_breeding
            )

            # Each strategy that does not survive is replaced by a child.
            replaced_strategies = np.flatnonzero(~state.front[index])
            generator = random_stream(self.seed, "variation", state.iteration, index)
            children = self.variation(
                self.encoding, candidates, probabilities, len(replaced_strategies), generator
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


def expand_matrix(fitness: Fitness, num_members: int, is_playing: Bools) -> Floats:
    """Return a fitness matrix extended by rows and columns of zeros for hall members that did not play.

    Parameters
    ----------
    fitness : Fitness
        The fitness of all players, first those of the populations and then those of the halls.
    num_members : int
        The number of strategies in all populations.
    is_playing : array of shape (P, H)
        Whether each of H members of each of P halls played.

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
    matrix = np.zeros((has_played.size, has_played.size))
    matrix[np.ix_(players, players)] = pair_fitness
    return matrix


def choose_pairings(game: Any) -> Pairings:
    """Return the default pairings of a game: its own if it has some, as ring games do, and otherwise all pairs."""
    pairings: Pairings = (
        game.default_pairings() if has_method(game, "default_pairings") else AllPairs()
    )
    return pairings


def choose_variation(encoding: Any) -> Variation:
    """Return the default variation for an encoding.

    If the encoding states the kinds of its genes, it is crossover, with the encoding's own mutation widths if it has
    any. Otherwise it is a weighted sum of the parents.
    """
    if not hasattr(encoding, "kinds"):
        return WeightedSum()
    return Crossover(widths=encoding.widths) if hasattr(encoding, "widths") else Crossover()


def check_state_fits(solver: PopulationCoevolution, state: PopulationState) -> None:
    """Raise a GameError if a state of a coevolution does not fit the solver.

    It must have the same numbers of populations, of genomes, of genes, of parents of a child, and of places in a hall.
    A hall that grows may have any number of places.
    """
    num_places = state.hall.entered.shape[1]
    rule = solver.hall_of_fame
    sizes_of_solver = (
        solver.populations,
        solver.size,
        solver.encoding.num_genes,
        solver.num_parents,
        num_places if rule.grows else rule.size,
    )
    sizes_of_state = (*state.population.shape, state.parents.shape[2], num_places)
    if sizes_of_state != sizes_of_solver:
        sentence = "{} populations of {} genomes of {} genes, {} parents a child, halls of {}"
        raise GameError(
            f"the state has {sentence.format(*sizes_of_state)}; the solver has {sentence.format(*sizes_of_solver)}."
            " Begin with the solver's own init()."
        )


def check_parts_are_callable(solver: PopulationCoevolution) -> None:
    """Raise a SettingError if a part of a coevolution lacks a method, or cannot be called with the needed arguments.

    The parts are the encoding, the pairings, the hall of fame, the fitness function, the selection and the variation.
    """
    check_attributes(
        "encoding", solver.encoding, ("draw_genomes",), "an encoding such as RuleEncoding()"
    )
    check_attributes("pairings", solver.pairings, ("__call__",), "pairings such as RingGames()")
    reject_old_parameter_names("pairings", solver.pairings, ("work_divider",))
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


def check_parts_fit(solver: PopulationCoevolution) -> None:
    """Raise a SettingError if a part of a coevolution needs something that the other parts do not have.

    A selection may need a matrix of wins and losses, a fitness function may need results that not all pairings count,
    and pairings at tables need an encoding whose genomes can play there. This is checked before anything is played.
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
        reject_renamed_methods("encoding", solver.encoding, ("make_players",))
        raise SettingError(
            f"pairings are {quote_value(solver.pairings)}, which seat players at tables, but encoding is"
            f" {quote_value(solver.encoding)}, whose genomes are no such players. Pass an encoding such as"
            " RuleEncoding(), or pairings such as AllPairs()."
        )

    if hasattr(solver.variation, "check_encoding"):
        solver.variation.check_encoding(solver.encoding)
