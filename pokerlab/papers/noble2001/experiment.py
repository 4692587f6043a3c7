"""Noble & Watson (2001), Pareto coevolution: the regimes, their settings, and what is recorded.

The text that we have lost its digits and many small words, so most values are ours. Each setting says
whose it is, and the audit's studies vary them.
"""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pokerlab.core import Bools, Checked, Floats, seed_setting, setting, stream
from pokerlab.core.settings import same_as, sized, unprinted
from pokerlab.evolution.population import (
    Crossover,
    DeterministicCrowding,
    Elites,
    EquilibriumMix,
    HallOfFame,
    NonDominatedRanks,
    ParetoFront,
    Profit,
    Roulette,
    WinsAndLosses,
)
from pokerlab.evolution.population.parts import Selection, Worth
from pokerlab.evolution.population.selection import non_dominated, times_better
from pokerlab.evolution.population.worth import COUNTED, PER, UNMET
from pokerlab.holdem import RingGame, RingGames, RuleEncoding, limit, ring_game
from pokerlab.holdem.cash_game import DRAWS
from pokerlab.holdem.rule_genome import BLUFF, CHECK_RAISE
from pokerlab.papers.experiment import Experiment, part
from pokerlab.papers.noble2001.assessment import GROUPS, Opponent, assess
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution, PopulationState

PAPER = "noble-2001"
BETS = (2, 4)
"""The size of a bet before the turn and from it on; the small blind is the paper's one chip."""
PARETO, ROULETTE, BEST_HALF, DRAWN_HALF = "Pareto", "roulette", "best half", "half by roulette"
CROWDING, MIX, NSGA = "crowding", "equilibrium mix", "NSGA-II"
REGIMES = PARETO, ROULETTE, BEST_HALF, DRAWN_HALF, CROWDING, MIX, NSGA
BY_OPPONENT = (PARETO, MIX, NSGA)  # those that ask who won from whom, rather than who won how much
MOST_HANDS = 10**6  # in a generation
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
        adapts=lambda config: {"high": min(100_000, MOST_HANDS // config.hands)},
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
        MIX: lambda: EquilibriumMix(most=config.most),
        NSGA: lambda: NonDominatedRanks(share=config.most),
    }
    return regimes[config.regime]()


def worth(config: Config) -> Worth:
    """Return what strategies are judged by: the halves and crowding by mean profit, the others by wins and losses."""
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
        matches=part(RingGames, config),
        worth=worth(config),
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
    return int(non_dominated(times_better(state.matrix, slice(0, many))).sum())


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
