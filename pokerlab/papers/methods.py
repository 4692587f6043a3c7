"""Every method of the series on the same games, with its lesson's settings: what lesson 10 and the scoreboard run.

`METHODS` play compiled games, such as Kuhn poker, and `IN_BUCKETS` bucketed hold'em. Two are translated, since Noble
& Watson and Nicolai & Hilderman bred players for tables of ten. Here everybody meets everybody in both seats, on all
deals at once, with the genes of lessons 05 and 07, and children by crossover and mutation. The first keep their
Pareto front, which is the answer: one of its strategies is drawn for each hand. The second keep the tenth that has
won most, since a mean rank says nothing where two play, and the answer is the champion, the first of these.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab import evolution, games, solvers
from pokerlab.core.arrays import Floats, Ints
from pokerlab.evolution.population import AllPairs, Elites, Profit
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import AFTER_CARD
from pokerlab.holdem import BucketedCFR, BucketedHoldem, BucketedProfile, TupleTable
from pokerlab.holdem.bucket_passes import occupy
from pokerlab.holdem.bucketed_cfr import BucketedRegretState
from pokerlab.papers import samothrakis2011_holdem
from pokerlab.papers.experiment import kept_history
from pokerlab.runs import History, sweep
from pokerlab.solvers import PopulationCoevolution, PopulationState
from pokerlab.solvers.cfr import RegretSchedule
from pokerlab.strategies import DirectEncoding, RealVector

SIZE, SIZE_IN_BUCKETS = 100, 40  # of a population
SHARE = 0.1  # the elites of Nicolai & Hilderman (2009)
WIDE = 3.0  # genes of bucketed hold'em begin between plus and minus this, and stay there
PLAIN = RegretSchedule(math.inf, math.inf, 0.0, 0.0)
MOST_TIMES = 40  # of a curve
GENERATIONS = (1, 2, 5, 10, 20, 50, 100, 150, 200)  # when populations in buckets are recorded
RECORDED, SEEDS = "populations-in-buckets", (1, 2, 3)
POPULATIONS = ("Pareto coevolution", "elites by profit")
CARD_CHARACTERS = ("never bet", "always bet", "toss a coin", "bet the best card only")
RECORDED_RIVALS = ("CFR+", "minimax coevolution")
BUCKET_CHARACTERS = ("always fold", "always call", "always raise", "uniform")
"""Fallible players, by name; the last of the first group bets and calls with it, and with nothing else."""


class Point(NamedTuple):
    """A method's answer at some time, a profile of its game, and the payoff evaluations that it took."""

    evaluations: int
    profile: Any


@dataclass(frozen=True)
class Method:
    """A solver with a lesson's settings, and how its states are read."""

    solver: Callable[[Any, int], Any]  # from a game and a seed
    answer: Callable[[Any], Any]  # from a state to a profile
    evaluations: Callable[[Any], int]  # from a state to what it took
    iterations: int  # its budget
    is_drawn: bool = False  # whether its numbers depend on the seed

    def seeds(self, count: int) -> range:
        """Return the seeds 1, 2, and so on that say something: only the first if nothing is drawn."""
        return range(1, (count if self.is_drawn else 1) + 1)

    def points(self, game: Any, iterations: Iterable[int], *, seed: int = 1) -> Iterator[Point]:
        """Yield the answers after so many iterations each, which rise."""
        solver = self.solver(game, seed)
        state, done = solver.init(), 0
        for until in iterations:
            state, done = solver.step(state, until - done), until
            yield Point(self.evaluations(state), self.answer(state))

    def end(self, game: Any, *, seed: int = 1) -> Point:
        """Return the answer at the end of the budget."""
        return next(self.points(game, [self.iterations], seed=seed))

    def race(self, game: Any, count: int = 1) -> tuple[Ints, Floats]:
        """Return evaluations (T,), and NashConv at each for so many seeds, (seeds, T)."""
        times = np.unique(np.geomspace(1, self.iterations, MOST_TIMES).astype(np.int64))
        runs = [[*self.points(game, times, seed=seed)] for seed in self.seeds(count)]
        costs = np.array([point.evaluations for point in runs[0]])
        return costs, np.array([[game.nash_conv(point.profile) for point in run] for run in runs])


def updates(state: Any) -> int:
    """Return the evaluations of a method that updates each player once an iteration."""
    return 2 * int(state.iteration)


def of_memory(state: Any) -> int:
    """Return those of a memory: two best responses a round, and what each strategy wins from those that it meets."""
    return updates(state) + int(sum(state.pool_sizes))


def of_replies(state: Any) -> int:
    """Return those of genomes that are judged by a best response in each seat."""
    return 2 * int(state.evaluations)


def of_meetings(state: PopulationState) -> int:
    """Return those of a population in which everybody meets everybody else in either seat."""
    size = state.population.shape[1]
    return int(state.iteration * size * (size - 1))


def judged(way: str, seed: int, size: int) -> dict[str, Any]:
    """Return the parts of a population that is judged 'by dominance' or 'by profit'."""
    parts: dict[str, Any] = {"seed": seed, "size": size, "pairings": AllPairs()}
    if way == "by profit":
        parts |= {"fitness": Profit(), "selection": Elites(share=SHARE)}
    return parts


def population(way: str) -> Callable[[SequenceForm, int], PopulationCoevolution]:
    """Return what makes the coevolution of a population that is judged in this way."""

    def made(game: SequenceForm, seed: int) -> PopulationCoevolution:
        genes: Any = DirectEncoding(game)
        return PopulationCoevolution(game, genes, **judged(way, seed, SIZE))

    return made


def front(state: PopulationState) -> Profile:
    """Return the front as one strategy: one of its members is drawn for each hand."""
    encoding: Any = state.encoding
    kept = [encoding.profile(genome) for genome in state.population[0, state.front[0]]]
    plans = [np.mean([each.plan(seat) for each in kept], axis=0) for seat in (0, 1)]
    return Profile.from_plans(encoding.game, plans)


def champion(state: PopulationState) -> Profile:
    """Return the genome with the largest score as a profile."""
    encoding: Any = state.encoding
    profile: Profile = encoding.profile(state.champions[0])
    return profile


def averaged(make: Callable[..., Any], iterations: int, **settings: Any) -> Method:
    """Return the method whose answer is the average of all rounds of a dynamic."""
    return Method(
        lambda game, seed: make(game, **settings), lambda state: state.average, updates, iterations
    )


METHODS: Mapping[str, Method] = {
    "replicator dynamics": averaged(
        solvers.ReplicatorDynamics, 10_000, payoff_shift=3.0, order="alternating"
    ),
    "fictitious play": averaged(solvers.FictitiousPlay, 10_000),
    "CFR": averaged(solvers.CFR, 10_000),
    "CFR+": averaged(solvers.CFRPlus, 10_000),
    "parallel Nash memory": Method(
        lambda game, seed: solvers.ParallelNashMemory(game),
        lambda state: state.profile,
        of_memory,
        30,
    ),
    "minimax coevolution": Method(
        lambda game, seed: solvers.MinimaxCoevolution(
            game, seed=seed, evolution=evolution.CMAES(population=10)
        ),
        lambda state: state.profile,
        of_replies,
        100,
        is_drawn=True,
    ),
    "Pareto coevolution": Method(population("by dominance"), front, of_meetings, 100, True),
    "elites by profit": Method(population("by profit"), champion, of_meetings, 100, True),
}
"""Every method but the linear program, which has no steps, in compiled games."""


@dataclass(frozen=True)
class Meeting:
    """What a genome of bucketed hold'em wins from another, on average over the seats: a contest's `play`."""

    encoding: TupleTable

    def __call__(self, mine: Floats, other: Floats, seed: int) -> float:
        """Return small bets a hand, exactly."""
        game, second = self.encoding.game, self.encoding.seat_genes[1]
        won = 0.0
        for sign, (first, then) in zip((1.0, -1.0), ((mine, other), (other, mine)), strict=True):
            both = first.copy()
            both[second] = then[second]
            won += sign * float(game.values(self.encoding.profile(both))[0])
        return won / 2.0

    def __repr__(self) -> str:
        return f"meetings in {self.encoding.game.name}, genes by {self.encoding.positive}"


def population_in_buckets(way: str) -> Callable[[BucketedHoldem, int], PopulationCoevolution]:
    """Return what makes the coevolution of tables of numbers that are judged in this way."""

    def made(game: BucketedHoldem, seed: int) -> PopulationCoevolution:
        encoding = TupleTable(game, positive="softmax")
        contest = games.contest(Meeting(encoding), name=game.name, unit=game.unit)
        genes: Any = RealVector(encoding.num_genes, low=-WIDE, high=WIDE)
        return PopulationCoevolution(contest, genes, **judged(way, seed, SIZE_IN_BUCKETS))

    return made


def tables_of(state: PopulationState, genomes: Floats) -> list[BucketedProfile]:
    """Return genomes of bucketed hold'em as profiles."""
    game: Any = state.game
    return [game.play.encoding.profile(genome) for genome in genomes]


def front_in_buckets(state: PopulationState) -> BucketedProfile:
    """Return the front as one strategy, as `front` does: how often its members do what, on average."""
    kept = tables_of(state, state.population[0, state.front[0]])
    game = kept[0].game
    often, reach = game.rows(), game.rows()
    for each in kept:
        for seat in (0, 1):
            occupy(game.lanes, game.odds, each.play, seat, reach)
        often += reach * game.rows_of(each.by_decision)
    return BucketedRegretState(game, 0, often, often, often).profile(often)


IN_BUCKETS: Mapping[str, Method] = {
    "CFR": averaged(BucketedCFR, samothrakis2011_holdem.REGRET, schedule=PLAIN),
    "CFR+": averaged(BucketedCFR, samothrakis2011_holdem.REGRET),
    "minimax coevolution": Method(
        lambda game, seed: samothrakis2011_holdem.solver(
            replace(samothrakis2011_holdem.MEDIAN, seed=seed)
        ),
        lambda state: state.profile,
        of_replies,
        samothrakis2011_holdem.MEDIAN.iterations,
        is_drawn=True,
    ),
    "Pareto coevolution": Method(
        population_in_buckets("by dominance"), front_in_buckets, of_meetings, GENERATIONS[-1], True
    ),
    "elites by profit": Method(
        population_in_buckets("by profit"),
        lambda state: tables_of(state, state.champions)[0],
        of_meetings,
        GENERATIONS[-1],
        is_drawn=True,
    ),
}
"""Methods in six buckets, or fewer; populations take minutes, and are recorded."""


def characters(game: Any) -> dict[str, Any]:
    """Return the fallible players of a game, by name."""
    if isinstance(game, BucketedHoldem):
        ways = (game.always_fold(), game.always_call(), game.always_raise(), game.uniform())
        return dict(zip(BUCKET_CHARACTERS, ways, strict=True))
    cards = [label.split(AFTER_CARD)[0] for _, label in game.infoset_index]
    chances = (
        [0.0] * len(cards),
        [1.0] * len(cards),
        [0.5] * len(cards),
        [float(card == cards[game.num_infosets[0] // 2 - 1]) for card in cards],
    )
    return {
        name: Profile(game, np.column_stack([1.0 - np.array(bets), bets]).ravel())
        for name, bets in zip(CARD_CHARACTERS, chances, strict=True)
    }


def won_from(game: Any, profile: Any, other: Any) -> float:
    """Return what one profile wins from another in two hands, one in each seat, in the game's unit."""
    first = game.values(profile.replace(1, other))[0]
    second = game.values(other.replace(1, profile))[1]
    return float(first + second)


def answers(game: SequenceForm, count: int = 1) -> dict[str, list[Profile]]:
    """Return the answers of all methods in a compiled game, for so many seeds where it draws."""
    program = {"linear program": [solvers.SequenceFormLP(game).solve().profile]}
    return program | {
        name: [method.end(game, seed=seed).profile for seed in method.seeds(count)]
        for name, method in METHODS.items()
    }


class Merits(NamedTuple):
    """What an answer is worth in two hands, one in each seat, in the game's unit."""

    price: float  # its exploitability
    won: float  # from the characters, on average
    worst: float  # from the worst of the characters and of the other methods' answers


def worth_of(game: Any, found: Mapping[str, Sequence[Any]]) -> dict[str, list[Merits]]:
    """Return what each answer is worth; of other methods it meets the first answer."""
    weak = characters(game)
    rivals = weak | {name: profiles[0] for name, profiles in found.items()}

    def worth(name: str, profile: Any) -> Merits:
        won = {who: won_from(game, profile, one) for who, one in rivals.items() if who != name}
        mean = float(np.mean([won[who] for who in weak]))
        return Merits(game.nash_conv(profile), mean, min(won.values()))

    return {name: [worth(name, profile) for profile in own] for name, own in found.items()}


def worth_in_six_buckets() -> dict[str, list[Merits]]:
    """Return the same in six buckets: CFR, CFR+, the median agent of lesson 07, and recorded populations."""
    game, kept = samothrakis2011_holdem.six(), recorded_populations()
    found = {name: [IN_BUCKETS[name].end(game).profile] for name in ("CFR", "CFR+")}
    found["minimax coevolution"] = [samothrakis2011_holdem.agent(samothrakis2011_holdem.OURS)]
    all_worth = worth_of(game, found)
    for name in POPULATIONS:
        ends = (kept["method"] == name) & (kept["generation"] == GENERATIONS[-1])
        met = np.array([kept[who][ends] for who in (*BUCKET_CHARACTERS, *RECORDED_RIVALS)])
        weak = met[: len(BUCKET_CHARACTERS)].mean(axis=0)
        numbers = zip(kept["nash_conv"][ends], weak, met.min(axis=0), strict=True)
        all_worth[name] = [Merits(*map(float, each)) for each in numbers]
    return all_worth


def populations(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a population in six buckets reaches, by generation: a method and a seed decide.

    NashConv of its answer, and what that wins from the characters, from CFR+ and from minimax coevolution's agent.
    """
    game = samothrakis2011_holdem.six()
    agents = (
        samothrakis2011_holdem.agent("regret minimization"),
        samothrakis2011_holdem.agent(samothrakis2011_holdem.OURS),
    )
    rivals = characters(game) | dict(zip(RECORDED_RIVALS, agents, strict=True))
    method = IN_BUCKETS[settings["method"]]
    points = method.points(game, GENERATIONS[: settings["records"]], seed=settings["seed"])
    return [
        {
            "generation": generation,
            "evaluations": point.evaluations,
            "nash_conv": game.nash_conv(point.profile),
            **{name: won_from(game, point.profile, rival) for name, rival in rivals.items()},
        }
        for generation, point in zip(GENERATIONS, points, strict=False)
    ]


def recorded_populations() -> History:
    """Return what populations in six buckets reach, recorded with three seeds; half an hour of one core."""
    settings: dict[str, Any] = {"method": POPULATIONS, "records": [len(GENERATIONS)]}
    return kept_history(RECORDED, lambda: sweep(populations, settings, seeds=SEEDS), {})
