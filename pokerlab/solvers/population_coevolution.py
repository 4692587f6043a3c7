"""Coevolution of a population: everybody plays, is judged by it, and the worthy stay and breed.

Four parts are chosen, and this is the one loop that they fill: who meets whom, what players are
worth, who stays and breeds, and how children are made. Halls of fame add players of the past.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import Bools, Floats, GameError, Ints, SettingError, ShapeError, freeze, stream
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_able, check_part, has_method, whole
from pokerlab.core.workers import share_of
from pokerlab.evolution.population import (
    NO_HALL,
    AllPairs,
    Crossover,
    ParetoFront,
    WeightedSum,
    WinsAndLosses,
)
from pokerlab.evolution.population.hall import EMPTY, joint_chances
from pokerlab.evolution.population.parts import (
    KINDS_OF_ACTION,
    Genomes,
    Hall,
    HallRule,
    Judged,
    Matches,
    PlayerEncoding,
    Selection,
    Variation,
    Worth,
)
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.solvers.protocol import check_step

ROUNDING = 1e-6  # by how much the sum of a population's chances may differ from 1


@dataclass(frozen=True, eq=False)
class PopulationState:
    """Where a population's coevolution stands after `iteration` generations.

    All numbers are about the population as it has just been judged; the next step begins by letting
    it breed. P populations have N strategies each, and halls of H places; M counts all of them, the halls
    last. `population` is (P, N, G), `parents` (P, N, K), `actions` (P, N, 4), `matrix` (M, M), `champions` (P, G),
    `hall_score` (P, H), and what else each strategy has (P, N).
    """

    GROWS: ClassVar[tuple[str, ...]] = ("hall", "matrix")
    """What becomes larger as time goes by: an infinite hall gets more places."""

    game: Any
    encoding: PlayerEncoding
    iteration: int  # generations played and judged; at 0 all numbers are zero
    hands_played: int  # in all generations, each counted once for a table
    num_hands: int  # in this generation
    population: Genomes  # (P, N, G): the genomes
    ages: Ints  # (P, N): for how many generations each has been kept
    parents: Ints  # (P, N, K): where they stood in the generation before, in `hall` from N on; -1 for none
    profit: Ints | Floats  # (P, N): what each won in this generation; whole chips at a table
    hands: Ints  # (P, N): hands or meetings that it played
    hands_won: Ints  # (P, N): those in which it won
    actions: Ints  # (P, N, 4): how often each did each of fold, check, call and raise
    mean_rank: Floats  # (P, N): in tournaments, among all entrants; elsewhere 0
    first_places: Floats  # (P, N): the share of them
    score: Floats  # (P, N): what each is worth; the larger, the better
    matrix: Floats  # (M, M): of each against each; 0 where a pair does not count. (0, 0) if worth is the score alone
    front: Bools  # (P, N): who stays
    chances: Floats  # (P, N): of being drawn as a parent; the rows sum to 1
    champions: Genomes  # (P, G): the largest score, the first of equals
    hall: Hall  # the halls of fame as they played; others enter as the next step begins
    hall_score: Floats  # (P, H): 0 for who did not play

    def __post_init__(self) -> None:
        if self.population.ndim != 3 or self.population.shape[:2] != self.ages.shape:
            raise ShapeError(
                f"populations have shape {self.population.shape} and ages {self.ages.shape}; they must be"
                " (P, N, G) and (P, N)."
            )
        places = self.hall.since.shape
        if self.hall.genomes.shape != (*places, self.population.shape[2]) or not (
            self.hall.plays.shape == self.hall_score.shape == places
        ):
            raise ShapeError(
                f"halls have genomes of shape {self.hall.genomes.shape}, generations {places}, players"
                f" {self.hall.plays.shape} and scores {self.hall_score.shape}; they must be (P, H, G),"
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
PARTS = (
    ("encoding", "random", "RuleEncoding()"),
    ("matches", "play", "RingGames()"),
    ("worth", "judge", "WinsAndLosses()"),
    ("selection", "choose", "ParetoFront()"),
    ("variation", "children", "Crossover()"),
    ("hall_of_fame", "updated", "HallOfFame(size=10)"),
)
"""What can be chosen, what it must be able to do, and an example."""


class PopulationCoevolution:
    """Strategies that play each other, generation after generation.

    Noble & Watson (2001) and Nicolai & Hilderman (2009) are two choices of parts.

    Parameters
    ----------
    game
        What is played: a `RingGame`, a `Tournament`, a `Contest`, a game for two, or what else `matches` can play.
    encoding : PlayerEncoding
        What genomes mean, such as `RuleEncoding()`.
    seed : int
        Names all random numbers. Two coevolutions with one seed begin with the same population.
    size : int
        Strategies in each population, 2 to 100,000.
    matches : Matches, optional
        Who meets whom; if left out `AllPairs()` in contests and compiled games, `RingGames()` at tables.
    worth : Worth, optional
        What players are worth; `WinsAndLosses()` if left out.
    selection : Selection, optional
        Who stays and breeds; `ParetoFront()` if left out.
    variation : Variation, optional
        How children are made; if left out `Crossover()` where genes have ranges, with the encoding's own
        widths if it has any, and `WeightedSum()` of others, such as the weights of networks.
    populations : int
        How many populations there are, 1 to 100. They meet in the same matches, are chosen apart and breed apart.
    hall_of_fame : HallRule, optional
        Players of the past, such as `HallOfFame()`; none if left out.
    workers : int, distributed.Client or str
        Threads, 1 to 256. Or those of a cluster, or of the scheduler at an address; they need pokerlab. Results do
        not depend on their number, nor on which of them die; where all are lost a step raises a ClusterError.

    Examples
    --------
    >>> from pokerlab.holdem import RingGames, RuleEncoding, limit, ring_game
    >>> game = ring_game(limit(2), seats=10, stacks=200)
    >>> games = RingGames(games=20, hands=20)
    >>> pareto = PopulationCoevolution(game, RuleEncoding(), seed=1, size=20, matches=games)
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
        matches: Matches | None = None,
        worth: Worth | None = None,
        selection: Selection | None = None,
        variation: Variation | None = None,
        populations: int = 1,
        hall_of_fame: HallRule | None = None,
        workers: Any = 1,
    ) -> None:
        self.game, self.encoding, self.seed = game, encoding, whole("seed", seed, 0)
        self.size = whole("size", size, 2, MOST_STRATEGIES)
        self.matches: Matches = default_matches(game) if matches is None else matches
        self.worth: Worth = WinsAndLosses() if worth is None else worth
        self.selection: Selection = ParetoFront() if selection is None else selection
        self.variation: Variation = own_variation(encoding) if variation is None else variation
        self.populations = whole("populations", populations, 1, MOST_POPULATIONS)
        self.hall_of_fame: HallRule = NO_HALL if hall_of_fame is None else hall_of_fame
        self.workers, self.share = workers, share_of(workers)
        check_parts(self)
        if self.hall_of_fame.size > self.size:
            raise SettingError(
                f"a hall of {self.hall_of_fame.size} is larger than the population of {self.size} that fills it;"
                f" give at most {self.size}."
            )
        fewest = self.populations * self.size
        self.matches.check(game, fewest, fewest + self.populations * self.hall_of_fame.size)
        check_fit(self)

    def init(self) -> PopulationState:
        """Return random populations that have not played."""
        number, size = self.populations, self.size
        population = np.stack(
            [self.encoding.random(stream(self.seed, "population", p), size) for p in range(number)]
        )
        hall = self.hall_of_fame.opened(self.encoding, population, self.seed)
        entries = number * size + hall.since.size if self.worth.has_matrix else 0
        nothing: dict[str, Any] = {name: np.zeros((number, size), np.int64) for name in COUNTS}
        nothing["profit"] = np.zeros((number, size), getattr(self.matches, "winnings", np.int64))
        nothing |= {
            name: np.zeros((number, size)) for name in ("mean_rank", "first_places", "score")
        }
        return PopulationState(
            game=self.game,
            encoding=self.encoding,
            iteration=0,
            hands_played=0,
            num_hands=0,
            population=population,
            **nothing,
            parents=np.full((number, size, self.variation.num_parents), NO_PARENT),
            actions=np.zeros((number, size, len(KINDS_OF_ACTION)), np.int64),
            matrix=np.zeros((entries, entries)),
            front=np.zeros((number, size), np.bool_),
            chances=np.full((number, size), 1.0 / size),
            champions=population[:, 0].copy(),
            hall=hall,
            hall_score=np.zeros(hall.since.shape),
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
        hall, population, ages, parents = self.bred(state)
        members = number * size
        met = self.matches.play(
            self.game,
            self.encoding,
            np.concatenate([population.reshape(members, -1), hall.genomes[hall.plays]]),
            seed=self.seed,
            generation=state.iteration,
            share=self.share,
        )
        judged = self.worth.judge(
            met, np.concatenate([np.repeat(np.arange(number), size), np.nonzero(hall.plays)[0]])
        )
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
        score = judged.score[:members].reshape(number, size)
        hall_score = np.zeros(hall.since.shape)
        hall_score[hall.plays] = judged.score[members:]
        ranks = met.ranks[:, :members] if met.ranks.size else np.zeros((1, members))
        champions = population[np.arange(number), np.argmax(score, axis=1)]
        return PopulationState(
            game=state.game,
            encoding=self.encoding,
            iteration=generation,
            hands_played=state.hands_played + met.num_hands,
            num_hands=met.num_hands,
            population=population,
            ages=ages,
            parents=parents,
            profit=met.profit[:members].reshape(number, size),
            hands=met.hands[:members].reshape(number, size),
            hands_won=met.hands_won[:members].reshape(number, size),
            actions=met.actions[:members].reshape(number, size, -1),
            mean_rank=ranks.mean(axis=0).reshape(number, size),
            first_places=(ranks == 1.0).mean(axis=0).reshape(number, size),
            score=score.copy(),
            matrix=placed(judged, members, hall.plays),
            front=np.stack([of_one.kept for of_one in chosen]),
            chances=np.stack([of_one.chances for of_one in chosen]),
            champions=champions,
            hall=hall,
            hall_score=hall_score,
        )

    def bred(self, state: PopulationState) -> tuple[Hall, Genomes, Ints, Ints]:
        """Return halls, genomes, ages and parents of the next generation; the first one's as they are."""
        if not state.iteration:
            return state.hall, state.population, state.ages, state.parents
        hall = self.hall_of_fame.updated(state, self.seed)
        population = state.population.copy()
        ages, parents = state.ages + 1, np.full_like(state.parents, NO_PARENT)
        for p in range(self.populations):
            pool = np.concatenate([state.population[p], hall.genomes[p]])
            chances = joint_chances(state.chances[p], hall.plays[p] & self.hall_of_fame.breeds)
            free = np.flatnonzero(~state.front[p])
            generator = stream(self.seed, "variation", state.iteration, p)
            born = self.variation.children(self.encoding, pool, chances, len(free), generator)
            population[p, free], parents[p, free], ages[p, free] = born.genomes, born.parents, 0
        return hall, population, ages, parents


def placed(judged: Judged, members: int, in_hall: Bools) -> Floats:
    """Return the matrix with rows and columns of zeros for those places in halls that did not play."""
    if not judged.matrix.size or in_hall.all():
        return np.nan_to_num(judged.matrix)
    rows = np.flatnonzero(np.concatenate([np.ones(members, np.bool_), in_hall.ravel()]))
    matrix = np.zeros((members + in_hall.size,) * 2)
    matrix[np.ix_(rows, rows)] = np.nan_to_num(judged.matrix)
    return matrix


def default_matches(game: Any) -> Matches:
    """Return the game's own matches if it has some, as ring games do; else all pairs."""
    own: Matches = game.default_matches() if has_method(game, "default_matches") else AllPairs()
    return own


def own_variation(encoding: Any) -> Variation:
    """Return how children are made where nothing else is said."""
    if not hasattr(encoding, "kinds"):
        return WeightedSum()
    return Crossover(widths=encoding.widths) if hasattr(encoding, "widths") else Crossover()


def check_sizes(solver: PopulationCoevolution, state: PopulationState) -> None:
    """Refuse a state with other populations, parents or halls than the solver's."""
    places, rule = state.hall.since.shape[1], solver.hall_of_fame
    own = (
        solver.populations,
        solver.size,
        solver.encoding.num_genes,
        solver.variation.num_parents,
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
    """Refuse parts that cannot do what the loop asks of them."""
    for name, method, example in PARTS:
        check_able(name, getattr(solver, name), (method,), f"a part such as {example}")
    looks, seen = getattr(solver.matches, "check", None), ("game", "fewest", "most")
    check_part(looks, "check of matches", seen, "Give matches such as RingGames().")


def check_fit(solver: PopulationCoevolution) -> None:
    """Refuse parts that need what the others do not give, before anything is played."""
    if getattr(solver.selection, "needs_matrix", False) and not solver.worth.has_matrix:
        raise SettingError(
            f"selection is {in_short(solver.selection)}, which compares wins against each opponent; worth is"
            f" {in_short(solver.worth)}, which does not tell them apart. Judge by WinsAndLosses()."
        )
    read = getattr(solver.worth, "reads", None)
    counts: tuple[Any, ...] = getattr(solver.matches, "counts", (read,))
    if read not in (None, *counts):
        raise SettingError(
            f"worth is {in_short(solver.worth)}, which reads '{read}' of the matches; these are"
            f" {in_short(solver.matches)}, which count {' and '.join(counts)}. Judge tournaments by MeanRank(), ring"
            " games by WinsAndLosses(), those without pots by WinsAndLosses(counted='in games together'), and any"
            " matches by Profit()."
        )
    if hasattr(solver.matches, "check_encoding"):
        solver.matches.check_encoding(solver.game, solver.encoding)
    elif not callable(getattr(solver.encoding, "players", None)):
        raise SettingError(
            f"matches are {in_short(solver.matches)}, to which players come; encoding is"
            f" {in_short(solver.encoding)}, whose genomes do not sit at tables. Give one such as RuleEncoding(), or"
            " matches such as AllPairs()."
        )
    if hasattr(solver.variation, "check"):
        solver.variation.check(solver.encoding)
