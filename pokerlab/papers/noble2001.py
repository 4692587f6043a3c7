"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

**The experiment.** The text that we have lost its digits and many small words, so most values are ours. Each setting
says whose it is, and the audit's studies vary them.

**Assessment.** Noble & Watson wrote two groups of strategies in their own representation, "typical reasonable" and by
no means optimal: conservative ones bet quite strong cards only, deceptive ones hide the strength of their cards until
late in the hand, callers call for long with a reasonable hand. Their program is lost; our eighteen stand in words in
`data/noble-2001-opponents.csv`. Bet amounts in that file are for blinds of 1 and 2 and bets of 2 and 4, up to 8 and 16
a round, under the default readings of `RuleEncoding`.

Each strategy that is judged sits at a table with one group, alone among them, for a fixed sequence of hands. All
strategies play the same hands. The luck of these hands shifts all results together, which no standard error over
strategies or runs shows, so several sequences are drawn.
"""

import csv
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy

from pokerlab.core import Bools, Checked, Floats, SettingError, seed_setting, setting, stream
from pokerlab.core.files import DATA
from pokerlab.core.settings import check_kind, same_as, sized, unprinted, whole
from pokerlab.evolution.population import (
    Crossover,
    DeterministicCrowding,
    Elites,
    EquilibriumMixture,
    HallOfFame,
    NonDominatedRanks,
    ParetoFront,
    Profit,
    Roulette,
    WinsAndLosses,
)
from pokerlab.evolution.population.fitness import COUNTED, PER, UNMET
from pokerlab.evolution.population.protocol import FitnessFunction, PlayerEncoding, Selection
from pokerlab.evolution.population.selection import count_better, find_front
from pokerlab.holdem import Played, RingGame, RingGames, RuleEncoding, limit, ring_game
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.cash_game import DRAWS
from pokerlab.holdem.rule_genome import BLUFF, CHECK_RAISE, rules, street
from pokerlab.papers.experiment import Experiment, part
from pokerlab.runs import Column, History
from pokerlab.solvers import PopulationCoevolution, PopulationState

__all__ = [
    "BAD",
    "GROUPS",
    "PAPER",
    "PRINTED",
    "REASONABLE",
    "SCALES",
    "Config",
    "Opponent",
    "assess",
    "by_run",
    "by_split",
    "columns",
    "crossed",
    "encoding",
    "game",
    "in_big_blinds",
    "paired",
    "pareto_coevolution",
    "solver",
]

PAPER = "noble-2001"
BETS = (2, 4)
"""The size of a bet before the turn and from it on; the small blind is the paper's one chip."""
PARETO, ROULETTE, BEST_HALF, DRAWN_HALF = "Pareto", "roulette", "best half", "half by roulette"
CROWDING, MIX, NSGA = "crowding", "equilibrium mix", "NSGA-II"
REGIMES = PARETO, ROULETTE, BEST_HALF, DRAWN_HALF, CROWDING, MIX, NSGA
BY_OPPONENT = (PARETO, MIX, NSGA)  # those that ask who won from whom, rather than who won how much
MOST_HANDS_A_GENERATION = 10**6
ASSESSED, ASSESSED_HANDS = 25, 400
"""Strategies drawn from the population, and hands of each against each group, whenever a run is recorded.

The luck of the hands is common to all strategies: few strategies with many hands tell more than all
of them with few. The studies play more.
"""
CAP_LIFTED = ("two are left", "two were left before", "never")
unprinted_size = partial(unprinted, costs=True)
reading = partial(setting, source="our reading", silent=True, rare=True)
"""A setting for what the text says in words that can be read in several ways."""
of_matrix = partial(reading, needs=lambda config: config.regime in BY_OPPONENT)
of_front = partial(reading, needs=lambda config: config.regime == PARETO)


@dataclass(frozen=True, kw_only=True)
class Config(Checked):
    """Settings of one coevolution; the defaults are the paper's Pareto regime as far as it is told."""

    regime: str = setting(
        PARETO,
        "The paper's two are Pareto and roulette; the halves are controls, which keep as many.",
        label="Selection",
        source="Pareto and roulette: the paper's regimes; the others: ours",
        choices=REGIMES,
        adapts=lambda config: {} if has_pymoo() else {"choices": REGIMES[: REGIMES.index(NSGA)]},
    )
    size: int = unprinted(
        100,
        "In the population.",
        label="Strategies",
        log=(4, 2000),
        adapts=lambda config: {"low": max(4, config.seats)},
    )
    seats: int = sized(
        10, "At a table.", source="A. Davidson's thesis (2002) on the paper", within=(2, 10)
    )
    games: int = unprinted_size(
        200,
        "In a generation.",
        log=(1, 100_000),
        adapts=lambda config: {"high": min(100_000, MOST_HANDS_A_GENERATION // config.hands)},
    )
    hands: int = unprinted_size(
        50, "With the same players at the table.", label="Hands a game", log=(1, 10_000)
    )
    most: float = setting(
        0.5,
        "The share of the population that the front, or the half that is kept, may take.",
        label="Largest front",
        source="the paper: at most half",
        needs=lambda config: config.regime not in (ROULETTE, CROWDING),
        within=(0.01, 0.99),
    )
    switch: float = unprinted(
        0.1,
        "The chance at each locus to go on with the other parent.",
        label="Crossover",
        needs=lambda config: config.sexual,
        within=(0.0, 1.0),
    )
    mutation: float = unprinted(0.05, "The chance of each locus to mutate.", within=(0.0, 1.0))
    step: float = unprinted(
        1.0,
        "A factor on how far a mutation goes: standard deviations of 0.05 of a probability, one category or rank"
        " of a hand, two chips.",
        label="Mutation step",
        rare=True,
        log=(0.01, 100.0),
    )
    catastrophic: float = unprinted(
        0.02,
        "The share of mutations that put a fresh random value in place of the old.",
        within=(0.0, 1.0),
    )
    sexual: bool = setting(
        True,
        "Children of one parent are the paper's future work.",
        label="Two parents",
        source="the paper",
        rare=True,
    )
    hall_size: int = setting(
        0,
        "Past champions that play, and breed; the paper's future work.",
        label="Hall of fame",
        rare=True,
        within=(0, 1000),
        adapts=lambda config: {"high": min(1000, config.size)},
    )
    hall_every: int = setting(
        10,
        "Generations between two entries.",
        unit="generations",
        rare=True,
        needs=lambda config: config.hall_size > 0,
        log=(1, 10_000),
    )
    stacks: int = unprinted(
        200,
        "Chips of each seat at the start of every hand, or of a game if they are carried.",
        unit="chips",
        rare=True,
        log=(4, 100_000),
    )
    stacks_carried: bool = reading(
        False, "Whether chips stay from hand to hand of a game; who has none left buys in again."
    )
    cap: int = unprinted(
        4,
        "At most, raises and the big blind counted, while there is a cap.",
        label="Bets a round",
        rare=True,
        within=(2, 12),
    )
    cap_lifted: str = reading(
        CAP_LIFTED[0],
        "When raising goes on without a cap.",
        label="No cap when",
        choices=CAP_LIFTED,
    )
    draw: str = reading(
        DRAWS[0],
        "Whether games draw from everybody, or from those who have played fewest.",
        label="Line-ups",
        choices=DRAWS,
    )
    counted: str = of_matrix(
        COUNTED[0],
        "Chips that went from one to the other, or all won in games played together.",
        label="Matrix counts",
        choices=COUNTED,
    )
    per: str = of_matrix(
        PER[0], "Chips in all, or a hand played together.", label="Matrix entries", choices=PER
    )
    unmet: str = of_matrix(
        UNMET[0], "Whether they count as zero.", label="Pairs that never met", choices=UNMET
    )
    third_parties: bool = of_front(
        False,
        "Whether A and B are compared only by what they won from others.",
        label="Third parties only",
    )
    recount: bool = of_front(
        False,
        "Whether nearness is counted again after each that is discarded.",
        label="Count again",
    )
    board_bit: str = same_as(RuleEncoding, "board_bit", rare=True)
    check_raise_draw: str = same_as(RuleEncoding, "check_raise_draw", rare=True)
    check_raise_cards: str = same_as(RuleEncoding, "check_raise_cards", rare=True)
    amount: str = same_as(RuleEncoding, "amount", rare=True)
    start: str = same_as(RuleEncoding, "start")
    largest_early: int = same_as(RuleEncoding, "largest_early", rare=True)
    largest_late: int = same_as(RuleEncoding, "largest_late", rare=True)
    iterations: int = unprinted(
        100, "After which the run ends.", label="Generations", log=(1, 100_000)
    )
    seed: int = seed_setting(
        "Decides whatever is drawn; regimes with one seed begin alike. The paper numbers its runs from zero."
    )

    def __post_init__(self) -> None:
        if self.regime == NSGA:
            NonDominatedRanks()  # which says what is missing
        super().__post_init__()


def has_pymoo() -> bool:
    """Return whether the library behind NSGA-II is installed."""
    return importlib.util.find_spec("pymoo") is not None


def game(config: Config) -> RingGame:
    """Return the cash game that is played."""
    structure = limit(
        *BETS,
        cap=config.cap,
        unlimited_heads_up=config.cap_lifted != "never",
        folds_lift_cap=config.cap_lifted == "two are left",
    )
    return ring_game(structure, config.seats, config.stacks, stacks_carried=config.stacks_carried)


def encoding(config: Config) -> RuleEncoding:
    """Return what genomes mean."""
    return part(RuleEncoding, config)


def selection(config: Config) -> Selection:
    """Return who stays and breeds."""
    regimes: dict[str, Callable[[], Selection]] = {
        PARETO: lambda: part(ParetoFront, config),
        ROULETTE: Roulette,
        BEST_HALF: lambda: Elites(share=config.most),
        DRAWN_HALF: lambda: Elites(share=config.most, drawn="roulette"),
        CROWDING: DeterministicCrowding,
        MIX: lambda: EquilibriumMixture(most=config.most),
        NSGA: lambda: NonDominatedRanks(share=config.most),
    }
    return regimes[config.regime]()


def fitness(config: Config) -> FitnessFunction:
    """Return the fitness function: mean profit for halves and crowding, wins and losses for the others."""
    if config.regime in (BEST_HALF, DRAWN_HALF, CROWDING):
        return Profit(per="a hand")
    return part(WinsAndLosses, config)


def widths(config: Config) -> tuple[float, float, float]:
    """Return the standard deviations of mutations of a probability, a hand, and an amount."""
    probability, hand, amount = Crossover.widths
    return config.step * probability, config.step * hand, config.step * amount


def solver(config: Config) -> PopulationCoevolution:
    """Return the coevolution that `config` describes."""
    return PopulationCoevolution(
        game(config),
        encoding(config),
        seed=config.seed,
        size=config.size,
        pairings=part(RingGames, config),
        fitness=fitness(config),
        selection=selection(config),
        variation=part(Crossover, config, widths=widths(config)),
        hall_of_fame=part(HallOfFame, config, "hall_"),
    )


def columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return what a run is about: profit against groups never met, the front, diversity, bluffing."""

    def profit(state: PopulationState, against: Sequence[Opponent]) -> float:
        order = stream(solver.seed, "assessed", state.iteration).permutation(solver.size)
        genomes = state.population[0, order[:ASSESSED]]
        won = assess(solver.game, solver.encoding, genomes, against, hands=ASSESSED_HANDS, seed=0)
        return float(won.mean())

    def of_group(name: str) -> Column:
        measure = partial(profit, against=GROUPS[name])
        return Column(name, f"profit against {name}", "chips/1,000 hands", measure)

    return (
        *map(of_group, GROUPS),
        Column("front", "kept", "strategies", lambda state: int(state.front.sum())),
        Column("undominated", "non-dominated", "strategies", num_undominated),
        Column("age", "mean age of those kept", "generations", mean_age),
        Column("diversity", "diversity", "", lambda state: diversity(state.population[0])),
        Column("bluff", "chance to bluff", "", lambda state: mean_gene(state, BLUFF)),
        Column(
            "check_raise", "chance to check-raise", "", lambda state: mean_gene(state, CHECK_RAISE)
        ),
    )


def num_undominated(state: PopulationState) -> int:
    """Return how many are dominated by nobody; all where wins were not counted one by one."""
    many: int = state.population.shape[1]
    if not state.matrix.size or not state.iteration:
        return many
    return int(find_front(count_better(state.matrix, slice(0, many))).sum())


def mean_age(state: PopulationState) -> float:
    """Return for how many generations those who stay have been kept so far; 0 where nobody stays."""
    return float(state.ages[state.front].mean()) if state.front.any() else 0.0


def diversity(genomes: Floats, loci: Bools | None = None) -> float:
    """Return by how much two strategies differ at a locus, on average, as a share of its range.

    Zero where all are alike; a third where genes are uniform and independent, a half for flags.
    `loci`, shape (G,), says which are counted; all if not given.
    """
    chosen = np.ones(genomes.shape[1], np.bool_) if loci is None else loci
    reach = RuleEncoding().high - RuleEncoding().low
    scaled = np.sort(genomes / reach, axis=0)[:, chosen]
    many = len(genomes)
    weights = 2.0 * np.arange(many) - many + 1.0
    return float((weights @ scaled).mean() * 2.0 / (many * (many - 1)))


def mean_gene(state: PopulationState, locus: int) -> float:
    """Return the mean of a gene over the first population."""
    return float(state.population[0, :, locus].mean())


SCALES = {
    "quick": Config(size=20, games=20, hands=20, iterations=10, seed=0),
    "lab": Config(size=60, games=120, hands=25, iterations=60, seed=0),
    "paper": Config(seed=0),
}
pareto_coevolution = Experiment(
    "Pareto coevolution",
    Config,
    SCALES,
    solver,
    columns,
    paper={
        "Figures 2 and 3: Pareto selection": Config(seed=0),
        "Figures 2 and 3: regular GA": Config(regime=ROULETTE, seed=0),
    },
)


HANDS_OF_PROFITS = 1000.0  # profits are in chips per so many hands
MOST_HANDS, MOST_SEQUENCES = 10**6, 10**4


class Opponent(NamedTuple):
    """A strategy written by hand: what it is called, how and why it plays so, its genes for `RuleEncoding`, (42,).

    The style is 'conservative', 'deceptive', 'caller', 'bad' or 'evolved'.
    """

    name: str
    style: str
    reason: str
    genome: Floats


def read_opponent(row: dict[str, str]) -> Opponent:
    """Return the opponent of a row of the file."""
    parts: dict[str, Any] = {name: read_street(row[name]) for name in STREETS}
    parts |= {name: float(row[name]) for name in ("bluff", "check_raise")}
    return Opponent(row["name"], row["style"], row["reason"], rules(**parts))


def read_street(text: str) -> tuple[float, ...]:
    """Return the genes of a street: the least hands to play on with and to call strong, amounts, flags."""
    stay, strong, bet, call, *flags = text.split("; ")
    return street(
        stay,
        strong,
        bet=int(bet.removeprefix("bet ")),
        call=int(call.removeprefix("call ")),
        bets_all="bets all" in flags,
        board_bit="board bit" in flags,
        waits_for=[flag[len("waits for ") :] for flag in flags if flag.startswith("waits for ")],
    )


with (DATA / "noble-2001-opponents.csv").open(encoding="utf-8") as rows:
    WRITTEN = tuple(map(read_opponent, csv.DictReader(rows)))
REASONABLE = tuple(one for one in WRITTEN if one.style not in ("bad", "evolved"))
"""Eighteen typical styles, none of them optimal."""
BAD = tuple(one for one in WRITTEN if one.style == "bad")
"""Styles that lose to the reasonable ones, as a group apart."""
PRINTED = WRITTEN[-1]
"""The evolved strategy that the paper prints in words; it beats both groups there."""


def split(seed: int) -> tuple[tuple[Opponent, ...], tuple[Opponent, ...]]:
    """Return the reasonable opponents sorted at random into alpha and beta, nine each; `seed` says which way."""
    halves = stream(seed, "alpha and beta").permutation(len(REASONABLE)).reshape(2, -1)
    alpha, beta = (tuple(REASONABLE[i] for i in sorted(half)) for half in halves)
    return alpha, beta


GROUPS = dict(zip(("alpha", "beta"), split(0), strict=True))
"""The groups of the default split, by name."""


def assess(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int = 1000,
    sequences: int = 1,
    seed: int,
    workers: int = 1,
) -> Floats:
    """Return what each strategy wins at a table with a group, in chips per 1,000 hands.

    Parameters
    ----------
    game : RingGame
        What is played. If the table has fewer seats than the group fills, each sequence of hands
        has opponents drawn from the group, the same for all strategies.
    encoding : PlayerEncoding
        What genomes mean, those of the group included.
    genomes : ndarray of float64, shape (N, 42)
        The strategies to be judged.
    group : sequence of Opponent
        Whom they meet.
    hands, sequences : int
        Hands in a sequence, 1 to 10**6, and sequences, 1 to 10**4; the paper has one. The button goes round.
    seed : int
        Of the deals, the luck, and the opponents drawn.
    workers : int
        Threads that share the hands; results do not depend on it.

    Returns
    -------
    ndarray of float64, shape (sequences, N)
        As in the paper's section "Measuring effectiveness".
    """
    whole("sequences", sequences, 1, MOST_SEQUENCES)
    played = [
        at_tables(game, encoding, genomes, group, hands=hands, seed=seed, number=k, workers=workers)
        for k in range(sequences)
    ]
    return np.array([of_one.won[: len(genomes)] * (HANDS_OF_PROFITS / hands) for of_one in played])


def at_tables(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int,
    seed: int,
    number: int = 0,
    workers: int = 1,
) -> Played:
    """Let each strategy play sequence `number` of hands with a group, as in `assess`.

    The strategies are the first players of the result, the group the last; the one that is judged has the first place
    of its table's line-up.
    """
    whole("hands", hands, 1, MOST_HANDS)
    instead = "a ring game; an experiment with another solver needs columns= of its own"
    check_kind("game", game, RingGame, instead)
    others = game.num_seats - 1
    if len(group) < others:
        raise SettingError(
            f"a group of {len(group)} does not fill a table of {game.num_seats} seats beside the strategy"
            f" that is judged; give at least {others}."
        )
    many = len(genomes)
    met = stream(seed, "assessed against", number).permutation(len(group))[:others]
    opponents = np.tile(many + np.sort(met), (many, 1))
    return replace(game, same_deals=True, won_from=True).play(
        encoding.players(np.concatenate([genomes, [member.genome for member in group]])),
        hands,
        seed=seed,
        first=number * hands,
        lineups=np.column_stack([np.arange(many), opponents]),
        workers=workers,
    )


def in_big_blinds(chips: Floats, game: RingGame) -> Floats:
    """Return chips per 1,000 hands as thousandths of a big blind a hand (mbb/hand)."""
    return chips / game.structure.big_blind


class Effect(NamedTuple):
    """The mean difference of paired runs (regimes of one seed begin alike), its standard error, Student's t and p.

    `wilcoxon` is the two-sided p of the signed-rank test, which assumes no normal distribution; `normal` that of
    Shapiro and Wilk's test that the differences are normal.
    """

    mean: float
    error: float
    t: float
    p: float
    wilcoxon: float
    normal: float


def by_run(history: History, column: str, regime: str, among: Bools | None = None) -> Floats:
    """Return the mean of a column over the strategies of each run of a regime, in the order of the seeds.

    `history` is what a study of the audit recorded of last populations, a row for each strategy; `among`, (rows,),
    says which strategies count, such as those kept.
    """
    mine = history["regime"] == regime
    rows = mine if among is None else mine & among
    seeds = np.unique(history["seed"][mine])
    means = [history[column][rows & (history["seed"] == seed)] for seed in seeds]
    if not len(seeds) or min(map(len, means)) == 0:
        raise SettingError(
            f"there is a run of '{regime}' without such strategies, or there is no run; recorded are:"
            f" {', '.join(sorted(set(history['regime'])))}."
        )
    return np.array([of_run.mean() for of_run in means])


def by_split(splits: History, regime: str) -> Floats:
    """Return what the runs of a regime win from both groups of each recorded split, (splits, 2, runs)."""
    mine = splits["regime"] == regime
    many = len(np.unique(splits["split"][mine]))
    won = [splits[group][mine].reshape(many, -1) for group in ("first", "second")]
    return np.stack(won, axis=1)


def paired(differences: Floats) -> Effect:
    """Return the effect whose value in each pair of runs is known, (pairs,)."""
    test = scipy.stats.ttest_1samp(differences, 0.0)
    error = scipy.stats.sem(differences)
    others = (scipy.stats.wilcoxon(differences).pvalue, scipy.stats.shapiro(differences).pvalue)
    return Effect(*map(float, (differences.mean(), error, test.statistic, test.pvalue, *others)))


class Crossed(NamedTuple):
    """A mean over a table whose rows and columns are both drawn at random: its standard error and two-sided p."""

    mean: float
    error: float
    p: float


def crossed(table: Floats) -> Crossed:
    """Return the mean of a table, (rows, columns), with the error of two crossed random factors.

    The variance is (MS of rows + MS of columns - MS of the rest) / cells, its degrees of freedom Satterthwaite's.
    """
    rows, columns = table.shape
    by_row, by_column, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    rest = table - by_row[:, None] - by_column + mean
    squares = np.array([columns * by_row.var(ddof=1), rows * by_column.var(ddof=1)])
    degrees = np.array([rows - 1, columns - 1])
    of_rest = np.square(rest).sum() / degrees.prod()
    total = max(squares.sum() - of_rest, squares.max())
    freedom = total**2 / (np.square(squares) / degrees).sum()
    error = np.sqrt(total / table.size)
    return Crossed(mean, error, 2 * scipy.stats.t.sf(abs(mean) / error, freedom))
