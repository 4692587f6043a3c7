"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

**The experiment.** The text of the paper that we have lacks its digits and many small words, so most values of settings
are ours. Each setting names its source, and the studies of the audit vary the settings.

**Assessment.** Noble & Watson wrote two groups of strategies in their own representation, which are "typical
reasonable" and by no means optimal. Conservative strategies bet only with quite strong cards, deceptive strategies hide
the strength of their cards until late in the hand, and callers call for a long time with a reasonable hand. The
program of Noble & Watson is lost. Our eighteen strategies are described in words in `data/noble-2001-opponents.csv`.
Their amounts are for blinds of 1 and 2, and for bets of 2 and 4, up to 8 and 16 a round, with the default settings of
`RuleEncoding`.

To assess a strategy, it sits at a table with the members of one group, for a fixed sequence of hands
(`assess_strategies`). All strategies play the same hands. So the cards of these hands change all results in the same
direction, and a standard error over strategies or runs does not show this effect. Therefore several sequences are
drawn.
"""

import csv
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.core import (
    Bools,
    CheckedSettings,
    Floats,
    SettingError,
    random_stream,
    seed_setting,
    setting,
)
from pokerlab.core.files import DATA
from pokerlab.core.old_names import (
    reject_missing_name,
    reject_renamed_parameters,
)
from pokerlab.core.settings import (
    check_kind,
    copy_setting,
    sized_setting,
    unprinted_setting,
    validate_integer,
)
from pokerlab.evolution.population import (
    Crossover,
    DeterministicCrowding,
    Elites,
    EquilibriumMixture,
    HallOfFame,
    NonDominatedRanks,
    ParetoFront,
    ParetoParents,
    Profit,
    Roulette,
    Truncation,
    WinsAndLosses,
)
from pokerlab.evolution.population.fitness import COUNTING_RULES, UNITS, UNMET_PAIR_RULES
from pokerlab.evolution.population.protocol import FitnessFunction, PlayerEncoding, Selection
from pokerlab.evolution.population.selection import count_better_results, find_pareto_front
from pokerlab.holdem import RingGames, RuleEncoding, limit, ring_game
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.cash_game import CashGameResult, RingGame
from pokerlab.holdem.pairings import DRAW_KINDS
from pokerlab.holdem.rule_genome import (
    BLUFF,
    CHECK_RAISE,
    make_rule_genome,
    make_street_genes,
)
from pokerlab.papers.experiment import Experiment, make_from_settings
from pokerlab.papers.noble2001_effects import (
    average_by_run,
    collect_profits,
    measure_crossed_effect,
    measure_effect,
)
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState

__all__ = [
    "BAD",
    "GROUPS",
    "PAPER",
    "PRINTED",
    "REASONABLE",
    "SCALES",
    "Config",
    "assess_strategies",
    "average_by_run",
    "collect_profits",
    "convert_to_mbb",
    "make_columns",
    "make_encoding",
    "make_game",
    "make_solver",
    "measure_crossed_effect",
    "measure_effect",
    "pareto_coevolution",
]

PAPER = "noble-2001"
BETS = (2, 4)
"""The size of a bet before the turn and from the turn on. The small blind is one chip, as in the paper."""
PARETO, ROULETTE, BEST_HALF, DRAWN_HALF = "Pareto", "roulette", "best half", "half by roulette"
BEST_PARENTS, FRONT_PARENTS = "best half, none kept", "Pareto, none kept"
CROWDING, MIXTURE, NSGA = "crowding", "equilibrium mix", "NSGA-II"
REGIMES = (
    PARETO,
    ROULETTE,
    BEST_HALF,
    DRAWN_HALF,
    BEST_PARENTS,
    FRONT_PARENTS,
    CROWDING,
    MIXTURE,
    NSGA,
)
"""The ways to select parents and survivors. The paper has the first two."""
MATRIX_REGIMES = (
    PARETO,
    FRONT_PARENTS,
    MIXTURE,
    NSGA,
)
"""The regimes that need to know how much each strategy won from each other one."""
MOST_HANDS_A_GENERATION = 10**6
"""The largest number of hands in a generation."""
ASSESSED, ASSESSED_HANDS = 25, 400
"""The number of strategies that are assessed whenever a run is recorded, and the hands that each plays against a group.

All strategies play hands with the same cards. So a few strategies with many hands give a smaller error than all
strategies with few hands. The studies play more.
"""
CAP_LIFTED = ("two are left", "two were left before", "never")
"""When the cap on raises is lifted: as soon as folds leave two players, if two were left before the raise that reached
the cap, or never."""
unprinted_cost = partial(unprinted_setting, costs=True)
ambiguous_setting = partial(setting, source="our reading", silent=True, rare=True)
"""A setting for a part of the text that can be understood in several ways. The next two are used by some regimes."""
matrix_setting = partial(ambiguous_setting, needs=lambda config: config.regime in MATRIX_REGIMES)
front_setting = partial(
    ambiguous_setting, needs=lambda config: config.regime in (PARETO, FRONT_PARENTS)
)


@reject_renamed_parameters
@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
    """Settings of one coevolution; the defaults are the paper's Pareto regime as far as it is described."""

    regime: str = setting(
        PARETO,
        "The paper's two are Pareto and roulette; the halves are controls, which keep as many or none.",
        label="Selection",
        source="Pareto and roulette: the paper's regimes; the others: ours",
        choices=REGIMES,
        adapts=lambda config: {} if has_pymoo() else {"choices": REGIMES[: REGIMES.index(NSGA)]},
    )
    size: int = unprinted_setting(
        100,
        "In the population.",
        label="Strategies",
        log=(4, 2000),
        adapts=lambda config: {"low": max(4, config.seats)},
    )
    seats: int = sized_setting(
        10, "At a table.", source="A. Davidson's thesis (2002) on the paper", within=(2, 10)
    )
    games: int = unprinted_cost(
        200,
        "In a generation.",
        log=(1, 100_000),
        adapts=lambda config: {"high": min(100_000, MOST_HANDS_A_GENERATION // config.hands)},
    )
    hands: int = unprinted_cost(
        50, "With the same players at the table.", label="Hands a game", log=(1, 10_000)
    )
    largest_share: float = setting(
        0.5,
        "The share of the population that the front, or the half that is kept or breeds, may take.",
        label="Largest front",
        source="the paper: at most half",
        needs=lambda config: config.regime not in (ROULETTE, CROWDING),
        within=(0.01, 0.99),
    )
    switch: float = unprinted_setting(
        0.1,
        "The chance at each locus to go on with the other parent.",
        label="Crossover",
        needs=lambda config: config.sexual,
        within=(0.0, 1.0),
    )
    mutation: float = unprinted_setting(
        0.05, "The chance of each locus to mutate.", within=(0.0, 1.0)
    )
    step: float = unprinted_setting(
        1.0,
        "A factor on how far a mutation goes: standard deviations of 0.05 of a probability, one category or rank"
        " of a hand, two chips.",
        label="Mutation step",
        rare=True,
        log=(0.01, 100.0),
    )
    catastrophic: float = unprinted_setting(
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
    stacks: int = unprinted_setting(
        200,
        "Chips of each seat at the start of every hand, or of a game if they are carried.",
        unit="chips",
        rare=True,
        log=(4, 100_000),
    )
    stacks_carried: bool = ambiguous_setting(
        False, "Whether chips stay from hand to hand of a game; who has none left buys in again."
    )
    cap: int = unprinted_setting(
        4,
        "At most, raises and the big blind counted, while there is a cap.",
        label="Bets a round",
        rare=True,
        within=(2, 12),
    )
    cap_lifted: str = ambiguous_setting(
        CAP_LIFTED[0],
        "When raising goes on without a cap.",
        label="No cap when",
        choices=CAP_LIFTED,
    )
    draw: str = ambiguous_setting(
        DRAW_KINDS[0],
        "Whether games draw from everybody, or from those who have played fewest.",
        label="Line-ups",
        choices=DRAW_KINDS,
    )
    counted: str = matrix_setting(
        COUNTING_RULES[0],
        "Chips that went from one to the other, or all won in games played together.",
        label="Matrix counts",
        choices=COUNTING_RULES,
    )
    per: str = matrix_setting(
        UNITS[0], "Chips in all, or a hand played together.", label="Matrix entries", choices=UNITS
    )
    unmet: str = matrix_setting(
        UNMET_PAIR_RULES[0],
        "Whether they count as zero.",
        label="Pairs that never met",
        choices=UNMET_PAIR_RULES,
    )
    third_parties: bool = front_setting(
        False,
        "Whether A and B are compared only by what they won from others.",
        label="Third parties only",
    )
    recount: bool = front_setting(
        False,
        "Whether nearness is counted again after each that is discarded.",
        label="Count again",
    )
    board_bit: str = copy_setting(RuleEncoding, "board_bit", rare=True)
    check_raise_draw: str = copy_setting(RuleEncoding, "check_raise_draw", rare=True)
    check_raise_cards: str = copy_setting(RuleEncoding, "check_raise_cards", rare=True)
    amount: str = copy_setting(RuleEncoding, "amount", rare=True)
    start: str = copy_setting(RuleEncoding, "start")
    largest_early: int = copy_setting(RuleEncoding, "largest_early", rare=True)
    largest_late: int = copy_setting(RuleEncoding, "largest_late", rare=True)
    iterations: int = unprinted_setting(
        100, "After which the run ends.", label="Generations", log=(1, 100_000)
    )
    seed: int = seed_setting(
        "Decides whatever is drawn; regimes with one seed begin alike. The paper numbers its runs from zero."
    )

    def __post_init__(self) -> None:
        if self.regime == NSGA:
            NonDominatedRanks()  # raises an error that says how to install pymoo, if it is missing
        super().__post_init__()


def has_pymoo() -> bool:
    """Return whether the library pymoo, which the regime NSGA-II needs, is installed."""
    return importlib.util.find_spec("pymoo") is not None


def make_game(config: Config) -> RingGame:
    """Return the cash game that a coevolution plays: limit hold'em at a table with the Config's number of seats.

    Parameters
    ----------
    config : Config
        The settings of the coevolution.

    Returns
    -------
    RingGame
        The game with the bets `BETS`, the Config's cap on raises and its stacks.
    """
    structure = limit(
        *BETS,
        cap=config.cap,
        unlimited_heads_up=config.cap_lifted != "never",
        unlimited_after_folds=config.cap_lifted == "two are left",
    )
    return ring_game(structure, config.seats, config.stacks, stacks_carried=config.stacks_carried)


def make_encoding(config: Config) -> RuleEncoding:
    """Return the encoding of a Config, which turns a genome into rules of play.

    Parameters
    ----------
    config : Config
        The settings of the coevolution.

    Returns
    -------
    RuleEncoding
        The encoding of genomes of 42 genes.
    """
    return make_from_settings(RuleEncoding, config)


def make_selection(config: Config) -> Selection:
    """Return the selection of a Config, which decides the strategies that survive and those that have offspring.

    Parameters
    ----------
    config : Config
        The settings of the coevolution. `regime` names the selection, and `largest_share` is the largest share of the
        population that survives or breeds.

    Returns
    -------
    Selection
        The selection of the regime.

    Raises
    ------
    SettingError
        If the regime is NSGA-II and the library pymoo is not installed.
    """
    regimes: dict[str, Callable[[], Selection]] = {
        PARETO: lambda: make_from_settings(ParetoFront, config),
        ROULETTE: Roulette,
        BEST_HALF: lambda: Elites(share=config.largest_share),
        DRAWN_HALF: lambda: Elites(share=config.largest_share, drawn="roulette"),
        BEST_PARENTS: lambda: Truncation(share=config.largest_share),
        FRONT_PARENTS: lambda: make_from_settings(ParetoParents, config),
        CROWDING: DeterministicCrowding,
        MIXTURE: lambda: EquilibriumMixture(largest_share=config.largest_share),
        NSGA: lambda: NonDominatedRanks(share=config.largest_share),
    }

    # Only the selection that is needed is made, because NSGA-II needs a library that may not be installed.
    make_regime_selection = regimes[config.regime]
    return make_regime_selection()


def make_fitness(config: Config) -> FitnessFunction:
    """Return the fitness function that the selection of a Config needs.

    It is the mean profit for the regimes 'best half', 'best half, none kept', 'half by roulette' and 'crowding'. For
    all other regimes it is the matrix of wins and losses, with what each strategy won from each other one.

    Parameters
    ----------
    config : Config
        The settings of the coevolution.

    Returns
    -------
    FitnessFunction
        The function that computes fitness from the results of a generation.
    """
    if config.regime in (BEST_HALF, DRAWN_HALF, BEST_PARENTS, CROWDING):
        return Profit(per="a hand")
    return make_from_settings(WinsAndLosses, config)


def compute_mutation_widths(config: Config) -> tuple[float, float, float]:
    """Return the standard deviations of mutations of three kinds of genes.

    Parameters
    ----------
    config : Config
        The settings of the coevolution, whose factor `step` multiplies the widths of `Crossover`.

    Returns
    -------
    tuple of three floats
        The standard deviation for a probability, for a hand (in ranks or categories), and for an amount (in chips).
    """
    probability_width, hand_width, amount_width = Crossover.widths
    return config.step * probability_width, config.step * hand_width, config.step * amount_width


def make_solver(config: Config) -> PopulationCoevolution:
    """Return the population coevolution that a Config describes.

    Parameters
    ----------
    config : Config
        The settings of the coevolution: its game, encoding, pairings, fitness, selection, variation and hall of fame.

    Returns
    -------
    PopulationCoevolution
        The solver, with one population.
    """
    return PopulationCoevolution(
        make_game(config),
        make_encoding(config),
        seed=config.seed,
        size=config.size,
        pairings=make_from_settings(RingGames, config),
        fitness=make_fitness(config),
        selection=make_selection(config),
        variation=make_from_settings(Crossover, config, widths=compute_mutation_widths(config)),
        hall_of_fame=make_from_settings(HallOfFame, config, "hall_"),
    )


def make_columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return the columns that a run of Noble & Watson's coevolution records.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver of the run, whose game, encoding and seed are used to measure profits.

    Returns
    -------
    tuple of Column
        The columns are:

        - `alpha` and `beta`, the profit against each group of opponents in chips per 1,000 hands.
        - `front`, the number of strategies on the Pareto front, and `age`, their mean age in generations.
        - `undominated`, the number of non-dominated strategies.
        - `diversity`, the mean difference between strategies.
        - `bluff` and `check_raise`, the mean probabilities of a bluff and of a check-raise.
    """
    profit_columns = []
    for name, group in GROUPS.items():
        measure = partial(measure_sample_profit, solver, group)
        column = Column(name, f"profit against {name}", "chips/1,000 hands", measure)
        profit_columns.append(column)

    return (
        *profit_columns,
        Column("front", "kept", "strategies", lambda state: int(state.front.sum())),
        Column("undominated", "non-dominated", "strategies", count_nondominated),
        Column("age", "mean age of those kept", "generations", compute_mean_age),
        Column("diversity", "diversity", "", lambda state: compute_diversity(state.population[0])),
        Column(
            "bluff",
            "chance to bluff",
            "",
            lambda state: compute_mean_gene(state.population[0], BLUFF),
        ),
        Column(
            "check_raise",
            "chance to check-raise",
            "",
            lambda state: compute_mean_gene(state.population[0], CHECK_RAISE),
        ),
    )


def measure_sample_profit(
    solver: PopulationCoevolution, group: "Sequence[Opponent]", state: PopulationState
) -> float:
    """Return the mean profit of a sample of a population at a table with a group of opponents.

    `ASSESSED` strategies of the population are drawn, and each of them plays `ASSESSED_HANDS` hands with the group. All
    generations play the same hands.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver of the run. Its seed and the iteration decide which strategies are drawn.
    group : sequence of Opponent
        The opponents.
    state : PopulationState
        The state of the run, with the population.

    Returns
    -------
    float
        The profit in chips per 1,000 hands.
    """
    generator = random_stream(solver.seed, "assessed", state.iteration)
    sample = generator.permutation(solver.size)[:ASSESSED]
    genomes = state.population[0, sample]
    profits = assess_strategies(
        solver.game, solver.encoding, genomes, group, hands=ASSESSED_HANDS, seed=0
    )
    return float(profits.mean())


def count_nondominated(state: PopulationState) -> int:
    """Return the number of strategies of a population that no other strategy Pareto-dominates.

    A strategy dominates another one if it won no less from each strategy, and more from some. Before the first
    generation, and in regimes without a matrix of wins and losses, the number is the size of the population.

    Parameters
    ----------
    state : PopulationState
        The state of a run with one population.
    """
    size: int = state.population.shape[1]
    if not state.matrix.size or not state.iteration:
        return size

    num_better = count_better_results(state.matrix, slice(0, size))
    return int(find_pareto_front(num_better).sum())


def compute_mean_age(state: PopulationState) -> float:
    """Return the mean age of the strategies on the Pareto front, in generations, or 0 if the front is empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run.
    """
    return float(state.ages[state.front].mean()) if state.front.any() else 0.0


def compute_diversity(genomes: Floats, loci: Bools | None = None) -> float:
    """Return the mean absolute difference between the genes of two strategies, divided by the range of the gene.

    It is averaged over all pairs of strategies and over loci. It is zero if all strategies are equal, and 1/3 if genes
    are uniform and independent (1/2 for flags).

    Parameters
    ----------
    genomes : ndarray, shape (N, 42)
        The genomes of N strategies, at least two.
    loci : ndarray of bool, shape (42,), optional
        Whether each locus counts. By default all loci do.
    """
    is_counted = np.ones(genomes.shape[1], np.bool_) if loci is None else loci
    ranges = RuleEncoding().high - RuleEncoding().low
    sorted_genes = np.sort(genomes / ranges, axis=0)[:, is_counted]

    # In the sum of the differences of sorted numbers, the k-th number is added k times and subtracted N - 1 - k times.
    num_strategies = len(genomes)
    weights = 2.0 * np.arange(num_strategies) - num_strategies + 1.0
    mean_sum = (weights @ sorted_genes).mean()
    return float(mean_sum * 2.0 / (num_strategies * (num_strategies - 1)))


def compute_mean_gene(genomes: Floats, locus: int) -> float:
    """Return the mean of the gene at one locus over the genomes of all strategies.

    Parameters
    ----------
    genomes : ndarray, shape (N, 42)
        The genomes of N strategies.
    locus : int
        The index of the gene, 0 to 41.
    """
    return float(genomes[:, locus].mean())


SCALES = {
    "quick": Config(size=20, games=20, hands=20, iterations=10, seed=0),
    "lab": Config(size=60, games=120, hands=25, iterations=60, seed=0),
    "paper": Config(seed=0),
}
pareto_coevolution = Experiment(
    "Pareto coevolution",
    Config,
    SCALES,
    make_solver,
    make_columns,
    paper={
        "Figures 2 and 3: Pareto selection": Config(seed=0),
        "Figures 2 and 3: regular GA": Config(regime=ROULETTE, seed=0),
    },
)


HANDS_OF_PROFITS = 1000.0
"""The number of hands to which profits refer: they are in chips per 1,000 hands."""
MOST_HANDS, MOST_SEQUENCES = 10**6, 10**4
"""The largest numbers of hands in a sequence, and of sequences, by which strategies are assessed."""


class Opponent(NamedTuple):
    """A poker strategy that is written by hand, against which evolved strategies are assessed.

    Attributes
    ----------
    name : str
        The name of the strategy.
    style : {'conservative', 'deceptive', 'caller', 'bad', 'evolved'}
        The group of strategies that play alike. The evolved strategy is the one that the paper prints.
    reason : str
        How the strategy plays, and why.
    genome : ndarray, shape (42,)
        The genes of the strategy for `RuleEncoding`.
    """

    name: str
    style: str
    reason: str
    genome: Floats


def parse_opponent(row: dict[str, str]) -> Opponent:
    """Return the opponent that a row of `data/noble-2001-opponents.csv` describes.

    Parameters
    ----------
    row : dict of str to str
        The row, with 'name', 'style', 'reason', 'bluff', 'check_raise' and a description of the play on each street.

    Returns
    -------
    Opponent
        The opponent with its name, style, reason and genome.
    """
    streets: dict[str, Any] = {name: parse_street(row[name]) for name in STREETS}
    bluff, check_raise = float(row["bluff"]), float(row["check_raise"])
    genome = make_rule_genome(**streets, bluff=bluff, check_raise=check_raise)
    return Opponent(row["name"], row["style"], row["reason"], genome)


def parse_street(text: str) -> tuple[float, ...]:
    """Return the ten genes of one street of a strategy from its description in words.

    Parameters
    ----------
    text : str
        A cell of `data/noble-2001-opponents.csv`. It has, separated by semicolons, the weakest hand with which the
        strategy does not fold, the weakest hand that counts as strong, the amounts to bet and to call, and flags.

    Returns
    -------
    tuple of float
        The ten genes, in the order in which `make_street_genes` returns them.

    Examples
    --------
    >>> len(parse_street("a pair of eights; a pair of queens; bet 4; call 6; bets all"))
    10
    """
    weakest_hand, strong_hand, bet, call, *flags = text.split("; ")
    prefix = "waits for "
    awaited_hands = [flag.removeprefix(prefix) for flag in flags if flag.startswith(prefix)]
    return make_street_genes(
        weakest_hand,
        strong_hand,
        bet=int(bet.removeprefix("bet ")),
        call=int(call.removeprefix("call ")),
        bets_all="bets all" in flags,
        board_bit="board bit" in flags,
        waits_for=awaited_hands,
    )


with (DATA / "noble-2001-opponents.csv").open(encoding="utf-8") as rows:
    WRITTEN = tuple(map(parse_opponent, csv.DictReader(rows)))
"""All strategies that are written by hand. The last one is the evolved strategy of the paper."""
REASONABLE = tuple(opponent for opponent in WRITTEN if opponent.style not in ("bad", "evolved"))
"""Eighteen typical styles, none of them optimal."""
BAD = tuple(opponent for opponent in WRITTEN if opponent.style == "bad")
"""Styles that lose to the reasonable ones."""
PRINTED = WRITTEN[-1]
"""The evolved strategy that the paper prints in words. In the paper it beats both groups."""


def split_opponents(seed: int) -> tuple[tuple[Opponent, ...], tuple[Opponent, ...]]:
    """Return the eighteen reasonable opponents in two groups of nine, alpha and beta, divided at random.

    Parameters
    ----------
    seed : int
        The seed of the division.

    Returns
    -------
    tuple of two tuples of Opponent
        Alpha and beta, each in the order of `REASONABLE`.
    """
    order = random_stream(seed, "alpha and beta").permutation(len(REASONABLE))
    alpha_numbers, beta_numbers = order.reshape(2, -1)
    alpha = tuple(REASONABLE[number] for number in sorted(alpha_numbers))
    beta = tuple(REASONABLE[number] for number in sorted(beta_numbers))
    return alpha, beta


GROUPS = dict(zip(("alpha", "beta"), split_opponents(0), strict=True))
"""The groups of the default split, by name."""


def assess_strategies(
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
    """Return the profit of each strategy at a table with a group of opponents, in chips per 1,000 hands.

    The method is that of Noble & Watson's section "Measuring effectiveness": each strategy sits alone among the group,
    and all strategies play the same hands.

    Parameters
    ----------
    game : RingGame
        The game. If its table has too few seats for the whole group, opponents are drawn from the group for each
        sequence of hands. All strategies have the same opponents.
    encoding : PlayerEncoding
        The encoding that makes players from genomes of the strategies and of the group.
    genomes : ndarray of float64, shape (N, 42)
        The genomes of the N strategies to be assessed. In this paper a genome has 42 genes.
    group : sequence of Opponent
        The opponents.
    hands : int
        The number of hands in a sequence, 1 to 10**6. The button moves after each hand.
    sequences : int
        The number of sequences of hands, 1 to 10**4. The paper has one.
    seed : int
        The seed of the cards, of the players' random numbers, and of the draw of opponents.
    workers : int
        The number of threads that share the hands. Results do not depend on it.

    Returns
    -------
    ndarray of float64, shape (sequences, N)
        The profit of each strategy in each sequence of hands.

    Raises
    ------
    SettingError
        If the group has too few opponents for the seats of the table.
    """
    validate_integer("sequences", sequences, 1, MOST_SEQUENCES)
    profits = []
    for sequence in range(sequences):
        result = play_against_group(
            game,
            encoding,
            genomes,
            group,
            hands=hands,
            seed=seed,
            sequence=sequence,
            workers=workers,
        )
        profits.append(result.won[: len(genomes)] * (HANDS_OF_PROFITS / hands))

    return np.array(profits)


def play_against_group(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int,
    seed: int,
    sequence: int = 0,
    workers: int = 1,
) -> CashGameResult:
    """Let each strategy play one sequence of hands with a group of opponents, and return the results of all players.

    Each strategy has a table of its own, where it has the first seat of the line-up. All tables have the same cards.

    Parameters
    ----------
    game : RingGame
        The game. If its table has too few seats for the whole group, opponents are drawn from the group. All strategies
        have the same opponents.
    encoding : PlayerEncoding
        The encoding that makes players from genomes of the strategies and of the group.
    genomes : ndarray of float64, shape (N, 42)
        The genomes of the N strategies. In this paper a genome has 42 genes.
    group : sequence of Opponent
        The opponents.
    hands : int
        The number of hands of the sequence, 1 to 10**6.
    seed : int
        The seed of the cards, of the players' random numbers, and of the draw of opponents.
    sequence : int
        The index of the sequence, which together with the seed determines its cards.
    workers : int
        The number of threads that share the hands. Results do not depend on it.

    Returns
    -------
    CashGameResult
        The results of all players: first the N strategies, then the members of the group.

    Raises
    ------
    SettingError
        If the group has too few opponents for the seats of the table, or if `hands` is out of range.
    """
    validate_integer("hands", hands, 1, MOST_HANDS)
    expected = "a ring game; an experiment with another solver needs make_columns= of its own"
    check_kind("game", game, RingGame, expected)
    num_opponents = game.num_seats - 1
    if len(group) < num_opponents:
        raise SettingError(
            f"a group of {len(group)} does not fill a table of {game.num_seats} seats beside the strategy"
            f" that is assessed; give at least {num_opponents}."
        )

    # The strategies are the first players, and the group the last.
    num_strategies = len(genomes)
    group_genomes = [opponent.genome for opponent in group]
    players = encoding.make_players(np.concatenate([genomes, group_genomes]))

    # At every table the same members of the group are drawn, in the order of the group.
    generator = random_stream(seed, "assessed against", sequence)
    drawn_opponents = np.sort(generator.permutation(len(group))[:num_opponents])
    opponents = np.tile(num_strategies + drawn_opponents, (num_strategies, 1))
    lineups = np.column_stack([np.arange(num_strategies), opponents])

    same_hands = replace(game, same_deals=True, won_from=True)
    return same_hands.play(
        players,
        hands,
        seed=seed,
        first=sequence * hands,
        lineups=lineups,
        workers=workers,
    )


def convert_to_mbb(chips: Floats, game: RingGame) -> Floats:
    """Return profits in thousandths of a big blind per hand (mbb/hand), from profits in chips per 1,000 hands.

    Parameters
    ----------
    chips : ndarray
        The profits, in chips per 1,000 hands.
    game : RingGame
        The cash game, which has the size of the big blind.

    Returns
    -------
    ndarray
        The profits in mbb/hand, in an array of the same shape.
    """
    # The factor 1,000 of thousandths cancels that of 1,000 hands.
    return chips / game.structure.big_blind


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
