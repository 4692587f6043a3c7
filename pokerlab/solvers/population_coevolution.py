"""Coevolution of a population: everybody plays, is judged by it, and the worthy stay and breed.

Four parts are chosen, and this is the one loop that they fill: who meets whom, what players are
worth, who stays and breeds, and how children are made. Halls of fame add players of the past.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import GameError, SettingError, ShapeError
from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.core.settings import whole
from pokerlab.core.streams import stream
from pokerlab.core.threads import MOST_WORKERS
from pokerlab.evolution.population import (
    NO_HALL,
    Crossover,
    Hall,
    HallOfFame,
    Judged,
    Matches,
    ParetoFront,
    PlayerEncoding,
    RingGames,
    Selection,
    Variation,
    WinsAndLosses,
    Worth,
)
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.parts import Genomes
from pokerlab.solvers.protocol import check_step

MOST_STRATEGIES, MOST_POPULATIONS = 100_000, 100
PARTS = (
    ("encoding", "players", "RuleEncoding()"),
    ("matches", "play", "RingGames()"),
    ("worth", "judge", "WinsAndLosses()"),
    ("selection", "choose", "ParetoFront()"),
    ("variation", "children", "Crossover()"),
    ("hall_of_fame", "updated", "HallOfFame(size=10)"),
)
"""What can be chosen, what it must be able to do, and an example."""
NOBODY = -1
"""In place of the parents of who was kept, or of the first generation."""


@dataclass(frozen=True, eq=False)
class PopulationState:
    """Where a population's coevolution stands after `iteration` generations.

    All numbers are about the population as it has just been judged; the next step begins by letting
    it breed. P populations have N strategies each; M counts all of them and all places in halls.

    Attributes
    ----------
    game
        What is played.
    encoding : PlayerEncoding
        What genomes mean.
    iteration : int
        Generations played and judged. At 0 nothing has been played, and the numbers are zero.
    hands_played : int
        Hands in all generations, each counted once for a table.
    population : ndarray, shape (P, N, G)
        The genomes.
    ages : ndarray of int64, shape (P, N)
        For how many generations each has been kept.
    parents : ndarray of int64, shape (P, N, K)
        Where the parents of each stood in the generation before; those in `hall` from N on. -1 for
        who was kept, and in the first generation.
    profit, hands : ndarray of int64, shape (P, N)
        Chips that each won in this generation, and the hands that it played.
    score : ndarray of float64, shape (P, N)
        What each is worth; the larger, the better.
    matrix : ndarray of float64, shape (M, M)
        What each is worth against each, populations first and halls behind them; 0 where a pair does
        not count or a place is empty. Of shape (0, 0) if worth is the score alone.
    front : ndarray of bool, shape (P, N)
        Who stays.
    chances : ndarray of float64, shape (P, N)
        The chance of each to be drawn as a parent; the rows sum to 1.
    champions : ndarray, shape (P, G)
        The genome with the largest score, the first of equals.
    hall : Hall
        The halls of fame as they played. Champions enter as the next step begins.
    """

    game: Any
    encoding: PlayerEncoding
    iteration: int
    hands_played: int
    population: Genomes
    ages: Ints
    parents: Ints
    profit: Ints
    hands: Ints
    score: Floats
    matrix: Floats
    front: Bools
    chances: Floats
    champions: Genomes
    hall: Hall

    def __post_init__(self) -> None:
        if self.population.ndim != 3 or self.population.shape[:2] != self.ages.shape:
            raise ShapeError(
                f"populations have shape {self.population.shape} and ages {self.ages.shape}; they must be"
                " (P, N, G) and (P, N)."
            )
        for array in (*vars(self).values(), *self.hall):
            if isinstance(array, np.ndarray):
                array.setflags(write=False)


class PopulationCoevolution:
    """Strategies that play each other, generation after generation.

    Parameters
    ----------
    game
        What is played: a `RingGame`, or what `matches` can play.
    encoding : PlayerEncoding
        What genomes mean, such as `RuleEncoding()`.
    seed : int
        Names all random numbers. Two coevolutions with one seed begin with the same population.
    size : int
        Strategies in each population, 2 to 100,000.
    matches : Matches, optional
        Who meets whom; `RingGames()` if left out.
    worth : Worth, optional
        What players are worth; `WinsAndLosses()` if left out.
    selection : Selection, optional
        Who stays and breeds; `ParetoFront()` if left out.
    variation : Variation, optional
        How children are made; `Crossover()` if left out.
    populations : int
        How many populations there are, 1 to 100. They meet in the same matches, are chosen apart and
        breed apart.
    hall_of_fame : HallOfFame, optional
        Players of the past; none if left out.
    workers : int
        Threads, 1 to 256; results do not depend on it.

    Raises
    ------
    SettingError
        If a number is out of range, a part is not what it should be, or the population does not fill a
        table.
    GameError
        If the matches cannot be played in the game.

    References
    ----------
    .. [1] J. Noble, R. Watson, "Pareto coevolution: Using performance against coevolved opponents in a
       game as dimensions for Pareto selection", GECCO 2001
    .. [2] G. Nicolai, R. Hilderman, "No-limit Texas Hold'em poker agents created with evolutionary neural
       networks", CIG 2009

    Examples
    --------
    >>> from pokerlab.evolution.population import RingGames
    >>> from pokerlab.holdem import limit, ring_game
    >>> from pokerlab.strategies import RuleEncoding
    >>> game = ring_game(limit(2), seats=10, stacks=200)
    >>> games = RingGames(games=20, hands=20)
    >>> pareto = PopulationCoevolution(game, RuleEncoding(), seed=1, size=20, matches=games)
    >>> state = pareto.step(pareto.init(), 3)
    >>> state.population.shape, int(state.front.sum()) <= 10, state.hands_played
    ((1, 20, 42), True, 1200)
    """

    ASIDE: ClassVar[tuple[str, ...]] = ("workers",)
    """Parameters on which no number depends."""

    def __init__(
        self,
        game: Any,
        encoding: PlayerEncoding,
        *,
        seed: int,
        size: int = 100,
        matches: Matches | None = None,
        worth: Worth | None = None,
        selection: Selection | None = None,
        variation: Variation | None = None,
        populations: int = 1,
        hall_of_fame: HallOfFame | None = None,
        workers: int = 1,
    ) -> None:
        self.game, self.encoding, self.seed = game, encoding, whole("seed", seed, 0)
        self.size = whole("size", size, 2, MOST_STRATEGIES)
        self.matches: Matches = RingGames() if matches is None else matches
        self.worth: Worth = WinsAndLosses() if worth is None else worth
        self.selection: Selection = ParetoFront() if selection is None else selection
        self.variation: Variation = Crossover() if variation is None else variation
        self.populations = whole("populations", populations, 1, MOST_POPULATIONS)
        self.hall_of_fame = NO_HALL if hall_of_fame is None else hall_of_fame
        self.workers = whole("workers", workers, 1, MOST_WORKERS)
        check_parts(self)
        if self.hall_of_fame.size > self.size:
            raise SettingError(
                f"a hall of {self.hall_of_fame.size} is larger than the population of {self.size} that fills it;"
                f" give at most {self.size}."
            )
        self.matches.check(game, self.populations * self.size)

    def init(self) -> PopulationState:
        """Return random populations that have not played."""
        number, size = self.populations, self.size
        population = np.stack(
            [self.encoding.random(stream(self.seed, "population", p), size) for p in range(number)]
        )
        hall = self.hall_of_fame.empty(number, population.shape[2], population.dtype)
        entries = number * (size + self.hall_of_fame.size) if self.worth.has_matrix else 0
        return PopulationState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            hands_played=0,
            population=population,
            ages=np.zeros((number, size), np.int64),
            parents=np.full((number, size, self.variation.num_parents), NOBODY),
            profit=np.zeros((number, size), np.int64),
            hands=np.zeros((number, size), np.int64),
            score=np.zeros((number, size)),
            matrix=np.zeros((entries, entries)),
            front=np.zeros((number, size), np.bool_),
            chances=np.full((number, size), 1.0 / size),
            champions=population[:, 0].copy(),
            hall=hall,
        )

    def step(self, state: PopulationState, count: int = 1) -> PopulationState:
        """Return the state `count` generations later; `state` stays as it is."""
        steps = check_step(self.game, state, count, PopulationState)
        check_sizes(self, state)
        for _ in range(steps):
            state = self.generation(state)
        return state

    def generation(self, state: PopulationState) -> PopulationState:
        """Let the population breed, if it has been judged; let everybody play, and judge them."""
        number, size = self.populations, self.size
        generation = state.iteration + 1
        hall, population, ages, parents = self.bred(state) if state.iteration else first(state)
        in_hall = hall.since != EMPTY
        met = self.matches.play(
            self.game,
            self.encoding.players(
                np.concatenate([population.reshape(number * size, -1), hall.genomes[in_hall]])
            ),
            seed=self.seed,
            generation=state.iteration,
            workers=self.workers,
        )
        judged = self.worth.judge(met)
        chosen = [
            self.selection.choose(
                judged,
                slice(p * size, (p + 1) * size),
                population[p],
                ages[p],
                stream(self.seed, "selection", generation, p),
            )
            for p in range(number)
        ]
        score = judged.score[: number * size].reshape(number, size)
        champions = population[np.arange(number), np.argmax(score, axis=1)]
        return PopulationState(
            game=state.game,
            encoding=self.encoding,
            iteration=generation,
            hands_played=state.hands_played + met.num_hands,
            population=population,
            ages=ages,
            parents=parents,
            profit=met.profit[: number * size].reshape(number, size),
            hands=met.hands[: number * size].reshape(number, size),
            score=score.copy(),
            matrix=placed(judged, number * size, in_hall),
            front=np.stack([of_one.kept for of_one in chosen]),
            chances=np.stack([of_one.chances for of_one in chosen]),
            champions=champions,
            hall=hall,
        )

    def bred(self, state: PopulationState) -> tuple[Hall, Genomes, Ints, Ints]:
        """Return halls, genomes, ages and parents of the generation that follows a judged one."""
        hall = self.hall_of_fame.updated(state.hall, state.champions, state.iteration)
        population = state.population.copy()
        ages, parents = state.ages + 1, np.full_like(state.parents, NOBODY)
        for p in range(self.populations):
            pool = np.concatenate([state.population[p], hall.genomes[p]])
            chances = self.hall_of_fame.chances(state.chances[p], hall.since[p])
            free = np.flatnonzero(~state.front[p])
            generator = stream(self.seed, "variation", state.iteration, p)
            born = self.variation.children(self.encoding, pool, chances, len(free), generator)
            population[p, free], parents[p, free], ages[p, free] = born.genomes, born.parents, 0
        return hall, population, ages, parents


def first(state: PopulationState) -> tuple[Hall, Genomes, Ints, Ints]:
    """Return halls, genomes, ages and parents of the first generation."""
    return state.hall, state.population, state.ages, state.parents


def placed(judged: Judged, members: int, in_hall: Bools) -> Floats:
    """Return the matrix with rows and columns of zeros for the empty places in halls."""
    if not judged.matrix.size or in_hall.all():
        return np.nan_to_num(judged.matrix)
    rows = np.flatnonzero(np.concatenate([np.ones(members, np.bool_), in_hall.ravel()]))
    matrix = np.zeros((members + in_hall.size,) * 2)
    matrix[np.ix_(rows, rows)] = np.nan_to_num(judged.matrix)
    return matrix


def check_sizes(solver: PopulationCoevolution, state: PopulationState) -> None:
    """Refuse a state with other populations, parents or halls than the solver's."""
    own = (
        solver.populations,
        solver.size,
        solver.encoding.num_genes,
        solver.variation.num_parents,
        solver.hall_of_fame.size,
    )
    given = (*state.population.shape, state.parents.shape[2], state.hall.since.shape[1])
    if given != own:
        words = "{} populations of {} genomes of {} genes, {} parents a child, halls of {}"
        raise GameError(
            f"the state has {words.format(*given)}; the solver has {words.format(*own)}. Begin with the"
            " solver's own init()."
        )


def check_parts(solver: PopulationCoevolution) -> None:
    """Refuse parts that cannot do what the loop asks of them."""
    for name, method, example in PARTS:
        part = getattr(solver, name)
        if isinstance(part, type) or not callable(getattr(part, method, None)):
            raise SettingError(f"{name} is {part!r}; give a part such as {example}.")
    if getattr(solver.selection, "needs_matrix", False) and not solver.worth.has_matrix:
        raise SettingError(
            f"selection is {solver.selection!r}, which compares wins against each opponent; worth is"
            f" {solver.worth!r}, which does not tell them apart. Judge by WinsAndLosses()."
        )
