"""Coevolution of a population: all players play, get a fitness, and the selected survive and become parents.

Four parts are chosen, and this is the loop that calls them: pairings, fitness, selection and variation, each a
function (`pokerlab.evolution.population.protocol`). Halls of fame add players of the past.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import Bools, Floats, GameError, Ints, SettingError, ShapeError, freeze, stream
from pokerlab.core.errors import in_short
from pokerlab.core.old_names import reject_renamed_methods, reject_renamed_parameters
from pokerlab.core.settings import check_attributes, check_callable, has_method, whole
from pokerlab.core.workers import choose_work_divider
from pokerlab.evolution.population import (
    NO_HALL,
    AllPairs,
    Crossover,
    ParetoFront,
    WeightedSum,
    WinsAndLosses,
)
from pokerlab.evolution.population.hall import EMPTY, join_chances
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
    Fitness,
    FitnessFunction,
    Genomes,
    Hall,
    HallRule,
    Pairings,
    PlayerEncoding,
    Selection,
    Variation,
)
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.solvers.protocol import checked_count

ROUNDING = 1e-6  # by how much the sum of a population's chances may differ from 1


@dataclass(frozen=True, eq=False)
class PopulationState:
    """The state of a population's coevolution after `iteration` generations.

    All numbers are about the population whose fitness has just been computed; the next step begins with its
    children. P populations have N strategies each, and halls of H places; M counts all of them, the halls
    last. `population` is (P, N, G), `parents` (P, N, K), `actions` (P, N, 4), `matrix` (M, M), `champions` (P, G),
    `hall_fitness` (P, H), and what else each strategy has (P, N).
    """

    GROWS: ClassVar[tuple[str, ...]] = ("hall", "matrix")
    """Fields whose arrays become larger with time: an infinite hall gets more places."""

    game: Any
    encoding: PlayerEncoding
    iteration: int  # generations played; at 0 all numbers are zero
    hands_played: int  # in all generations, each counted once for a table
    num_hands: int  # in this generation
    population: Genomes  # (P, N, G): the genomes
    ages: Ints  # (P, N): for how many generations each has been kept
    parents: (
        Ints  # (P, N, K): their rows in the generation before, in `hall` from N on; -1 for none
    )
    profit: Ints | Floats  # (P, N): what each won in this generation; whole chips at a table
    hands: Ints  # (P, N): hands or meetings that it played
    hands_won: Ints  # (P, N): those in which it won
    actions: Ints  # (P, N, 4): how often each did each of fold, check, call and raise
    mean_rank: Floats  # (P, N): in tournaments, among all entrants; elsewhere 0
    first_places: Floats  # (P, N): the share of them
    fitness: Floats  # (P, N): the larger, the better
    matrix: Floats  # (M, M): each against each; 0 where a pair does not count. (0, 0) if fitness has no matrix
    front: Bools  # (P, N): who survives
    chances: Floats  # (P, N): of being drawn as a parent; the rows sum to 1
    champions: Genomes  # (P, G): the fittest, the first of equals
    hall: Hall  # the halls of fame as they played; others enter as the next step begins
    hall_fitness: Floats  # (P, H): 0 for members who did not play

    def __post_init__(self) -> None:
        if self.population.ndim != 3 or self.population.shape[:2] != self.ages.shape:
            raise ShapeError(
                f"populations have shape {self.population.shape} and ages {self.ages.shape}; they must be"
                " (P, N, G) and (P, N)."
            )
        places = self.hall.since.shape
        if self.hall.genomes.shape != (*places, self.population.shape[2]) or not (
            self.hall.plays.shape == self.hall_fitness.shape == places
        ):
            raise ShapeError(
                f"halls have genomes of shape {self.hall.genomes.shape}, generations {places}, players"
                f" {self.hall.plays.shape} and fitness {self.hall_fitness.shape}; they must be (P, H, G),"
                " and (P, H) each."
            )
        everybody = (self.ages.size + self.hall.since.size,) * 2
        if self.matrix.shape not in ((0, 0), everybody):
            raise ShapeError(
                f"the matrix has shape {self.matrix.shape}; populations and halls make {everybody}."
            )
        last = self.ages.shape[1] + places[1] - 1
        for name, numbers, low, high in (
            ("ages", self.ages, 0, self.iteration),
            ("parents", self.parents, NO_PARENT, last),
            ("hall.since", self.hall.since, EMPTY, self.iteration),
            ("chances", self.chances, 0.0, 1.0),
            ("sums of chances", self.chances.sum(axis=1), 1.0 - ROUNDING, 1.0 + ROUNDING),
        ):
            if numbers.size and not low <= numbers.min() <= numbers.max() <= high:
                raise SettingError(
                    f"'{name}' are {numbers.min():g} to {numbers.max():g}; they must be {low:g} to {high:g}."
                )
        freeze(*vars(self).values(), *self.hall)


COUNTS = ("ages", "profit", "hands", "hands_won")
MOST_STRATEGIES, MOST_POPULATIONS = 100_000, 100


@reject_renamed_parameters
class PopulationCoevolution:
    """Strategies that play each other, generation after generation.

    Noble & Watson (2001) and Nicolai & Hilderman (2009) are two choices of parts.

    Parameters
    ----------
    game
        A `RingGame`, a `Tournament`, a `Contest`, a game for two, or what else the pairings can play.
    encoding : PlayerEncoding
        What genomes mean, such as `RuleEncoding()`.
    seed : int
        Names all random numbers. Two coevolutions with one seed begin with the same population.
    size : int
        Strategies in each population, 2 to 100,000.
    pairings : Pairings, optional
        Who plays whom; if left out `AllPairs()` in contests and compiled games, `RingGames()` at tables.
    fitness : FitnessFunction, optional
        From results to fitness; `WinsAndLosses()` if left out.
    selection : Selection, optional
        Who survives and becomes a parent; `ParetoFront()` if left out.
    variation : Variation, optional
        How children are made; if left out `Crossover()` where genes have ranges, with the encoding's own
        widths if it has any, and `WeightedSum()` of others, such as the weights of networks.
    populations : int
        How many populations there are, 1 to 100. They play in the same pairings; each has its own selection and
        variation.
    hall_of_fame : HallRule, optional
        Players of the past, such as `HallOfFame()`; none if left out.
    workers : int, distributed.Client or str
        Threads, 1 to 256. Or those of a cluster, or of the scheduler at an address; they need pokerlab. Results do
        not depend on their number, nor on which of them die; where all are lost a step raises a ClusterError.

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

    ASIDE: ClassVar[tuple[str, ...]] = ("workers", "share")  # parameters on which no number depends

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
        self.game, self.encoding, self.seed = game, encoding, whole("seed", seed, 0)
        self.size = whole("size", size, 2, MOST_STRATEGIES)
        self.pairings: Pairings = default_pairings(game) if pairings is None else pairings
        self.fitness: FitnessFunction = WinsAndLosses() if fitness is None else fitness
        self.selection: Selection = ParetoFront() if selection is None else selection
        self.variation: Variation = default_variation(encoding) if variation is None else variation
        self.populations = whole("populations", populations, 1, MOST_POPULATIONS)
        self.hall_of_fame: HallRule = NO_HALL if hall_of_fame is None else hall_of_fame
        self.workers, self.share = workers, choose_work_divider(workers)
        check_parts(self)
        if self.hall_of_fame.size > self.size:
            raise SettingError(
                f"a hall of {self.hall_of_fame.size} is larger than the population of {self.size} that fills it. Pass"
                f" at most {self.size}."
            )
        fewest = self.populations * self.size
        if hasattr(self.pairings, "check"):
            self.pairings.check(game, fewest, fewest + self.populations * self.hall_of_fame.size)
        check_parts_fit(self)

    @property
    def num_parents(self) -> int:
        """K, how many parents of a child are recorded."""
        return int(getattr(self.variation, "num_parents", 1))

    def init(self) -> PopulationState:
        """Return random populations that have not played."""
        number, size = self.populations, self.size
        population = np.stack(
            [
                self.encoding.draw_genomes(stream(self.seed, "population", p), size)
                for p in range(number)
            ]
        )
        hall = self.hall_of_fame.open_halls(self.encoding, population, self.seed)
        has_matrix = getattr(self.fitness, "has_matrix", False)
        num_players = number * size + hall.since.size if has_matrix else 0
        zeros: dict[str, Any] = {name: np.zeros((number, size), np.int64) for name in COUNTS}
        zeros["profit"] = np.zeros((number, size), getattr(self.pairings, "winnings", np.int64))
        zeros |= {
            name: np.zeros((number, size)) for name in ("mean_rank", "first_places", "fitness")
        }
        return PopulationState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            hands_played=0,
            num_hands=0,
            population=population,
            **zeros,
            parents=np.full((number, size, self.num_parents), NO_PARENT),
            actions=np.zeros((number, size, len(KINDS_OF_ACTION)), np.int64),
            matrix=np.zeros((num_players, num_players)),
            front=np.zeros((number, size), np.bool_),
            chances=np.full((number, size), 1.0 / size),
            champions=population[:, 0].copy(),
            hall=hall,
            hall_fitness=np.zeros(hall.since.shape),
        )

    def step(self, state: PopulationState, count: int = 1) -> PopulationState:
        """Return the state `count` generations later; `state` stays as it is."""
        steps = checked_count(self.game, state, count, PopulationState)
        check_sizes(self, state)
        for _ in range(steps):
            state = self.next_generation(state)
        return state

    def next_generation(self, state: PopulationState) -> PopulationState:
        """Return the next generation, once it has played, with its fitness and who of it survives."""
        number, size = self.populations, self.size
        generation = state.iteration + 1
        hall, population, ages, parents = self.breed(state)
        members = number * size
        results = self.pairings(
            self.game,
            self.encoding,
            np.concatenate([population.reshape(members, -1), hall.genomes[hall.plays]]),
            seed=self.seed,
            generation=state.iteration,
            share=self.share,
        )
        population_of = np.repeat(np.arange(number), size)
        hall_population_of = np.nonzero(hall.plays)[0]
        fitness = self.fitness(results, np.concatenate([population_of, hall_population_of]))
        survivors = [
            self.selection(
                fitness,
                slice(p * size, (p + 1) * size),
                population[p],
                ages[p],
                stream(self.seed, "selection", generation, p),
            )
            for p in range(number)
        ]

        values = fitness.values[:members].reshape(number, size)
        hall_fitness = np.zeros(hall.since.shape)
        hall_fitness[hall.plays] = fitness.values[members:]
        ranks = results.ranks[:, :members] if results.ranks.size else np.zeros((1, members))
        champions = population[np.arange(number), np.argmax(values, axis=1)]
        return PopulationState(
            game=state.game,
            encoding=self.encoding,
            iteration=generation,
            hands_played=state.hands_played + results.num_hands,
            num_hands=results.num_hands,
            population=population,
            ages=ages,
            parents=parents,
            profit=results.profit[:members].reshape(number, size),
            hands=results.hands[:members].reshape(number, size),
            hands_won=results.hands_won[:members].reshape(number, size),
            actions=results.actions[:members].reshape(number, size, -1),
            mean_rank=ranks.mean(axis=0).reshape(number, size),
            first_places=(ranks == 1.0).mean(axis=0).reshape(number, size),
            fitness=values.copy(),
            matrix=expand_matrix(fitness, members, hall.plays),
            front=np.stack([each.kept for each in survivors]),
            chances=np.stack([each.chances for each in survivors]),
            champions=champions,
            hall=hall,
            hall_fitness=hall_fitness,
        )

    def breed(self, state: PopulationState) -> tuple[Hall, Genomes, Ints, Ints]:
        """Return halls, genomes, ages and parents of the next generation; those of the first are as they are."""
        if state.iteration == 0:
            return state.hall, state.population, state.ages, state.parents
        hall = self.hall_of_fame.update_halls(state, self.seed)
        population = state.population.copy()
        ages, parents = state.ages + 1, np.full_like(state.parents, NO_PARENT)
        for p in range(self.populations):
            pool = np.concatenate([state.population[p], hall.genomes[p]])
            breeding = hall.plays[p] & self.hall_of_fame.breeds
            chances = join_chances(state.chances[p], breeding)
            free = np.flatnonzero(~state.front[p])
            generator = stream(self.seed, "variation", state.iteration, p)
            children = self.variation(self.encoding, pool, chances, len(free), generator)
            population[p, free] = children.genomes
            parents[p, free] = children.parents
            ages[p, free] = 0
        return hall, population, ages, parents


def expand_matrix(fitness: Fitness, members: int, in_hall: Bools) -> Floats:
    """Return the matrix of fitness with rows and columns of zeros for places in halls, (P, H), that did not play."""
    if not fitness.matrix.size or in_hall.all():
        return np.nan_to_num(fitness.matrix)
    rows = np.flatnonzero(np.concatenate([np.ones(members, np.bool_), in_hall.ravel()]))
    matrix = np.zeros((members + in_hall.size,) * 2)
    matrix[np.ix_(rows, rows)] = np.nan_to_num(fitness.matrix)
    return matrix


def default_pairings(game: Any) -> Pairings:
    """Return the game's own pairings if it has some, as ring games do; else all pairs."""
    own: Pairings = game.default_pairings() if has_method(game, "default_pairings") else AllPairs()
    return own


def default_variation(encoding: Any) -> Variation:
    """Return crossover for genes of known kinds, with the encoding's own widths if it has any; else weighted sums."""
    if not hasattr(encoding, "kinds"):
        return WeightedSum()
    return Crossover(widths=encoding.widths) if hasattr(encoding, "widths") else Crossover()


def check_sizes(solver: PopulationCoevolution, state: PopulationState) -> None:
    """Raise if a state has other populations, parents or halls than the solver."""
    places, rule = state.hall.since.shape[1], solver.hall_of_fame
    own = (
        solver.populations,
        solver.size,
        solver.encoding.num_genes,
        solver.num_parents,
        places if rule.grows else rule.size,
    )
    given = (*state.population.shape, state.parents.shape[2], places)
    if given != own:
        words = "{} populations of {} genomes of {} genes, {} parents a child, halls of {}"
        raise GameError(
            f"the state has {words.format(*given)}; the solver has {words.format(*own)}. Begin with the"
            " solver's own init()."
        )


def check_parts(solver: PopulationCoevolution) -> None:
    """Raise if a part cannot be called as the loop calls it."""
    check_attributes(
        "encoding", solver.encoding, ("draw_genomes",), "an encoding such as RuleEncoding()"
    )
    check_attributes("pairings", solver.pairings, ("__call__",), "pairings such as RingGames()")
    hall_methods = ("open_halls", "update_halls")
    check_attributes(
        "hall_of_fame", solver.hall_of_fame, hall_methods, "a rule such as HallOfFame(size=10)"
    )
    for part, role, seen, example in (
        (solver.fitness, "fitness function", ("results", "population_of"), "WinsAndLosses()"),
        (
            solver.selection,
            "selection",
            ("fitness", "members", "genomes", "ages", "generator"),
            "ParetoFront()",
        ),
        (
            solver.variation,
            "variation",
            ("encoding", "genomes", "chances", "count", "generator"),
            "Crossover()",
        ),
    ):
        check_callable(part, role, seen, f"Pass one such as {example}, or a function of these.")


def check_parts_fit(solver: PopulationCoevolution) -> None:
    """Raise if a part needs what the others do not give, before anything is played."""
    has_matrix = getattr(solver.fitness, "has_matrix", False)
    if getattr(solver.selection, "needs_matrix", False) and not has_matrix:
        raise SettingError(
            f"selection is {in_short(solver.selection)}, which compares wins against each opponent, but fitness is"
            f" {in_short(solver.fitness)}, which has one number for all of them. Pass fitness=WinsAndLosses()."
        )
    needed = getattr(solver.fitness, "reads", None)
    counted: tuple[Any, ...] = getattr(solver.pairings, "counts", (needed,))
    if needed not in (None, *counted):
        raise SettingError(
            f"fitness is {in_short(solver.fitness)}, which needs '{needed}', but pairings are"
            f" {in_short(solver.pairings)}, which count {' and '.join(counted)}. Pass fitness=MeanRank() for"
            " tournaments, WinsAndLosses() for ring games, WinsAndLosses(counted='in games together') for those"
            " without pots, or Profit() for any pairings."
        )
    if hasattr(solver.pairings, "check_encoding"):
        solver.pairings.check_encoding(solver.game, solver.encoding)
    elif not has_method(solver.encoding, "make_players"):
        reject_renamed_methods("encoding", solver.encoding, ("make_players",))
        raise SettingError(
            f"pairings are {in_short(solver.pairings)}, which seat players at tables, but encoding is"
            f" {in_short(solver.encoding)}, whose genomes are no such players. Pass an encoding such as RuleEncoding(),"
            " or pairings such as AllPairs()."
        )
    if hasattr(solver.variation, "check"):
        solver.variation.check(solver.encoding)
