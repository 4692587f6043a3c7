"""Samothrakis & Lucas (2011), minimax coevolution: section 4.2's agent for limit hold'em."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pokerlab import evolution, holdem, solvers, strategies
from pokerlab.core import check_settings, seed_setting, setting
from pokerlab.evolution import EvolutionStrategy
from pokerlab.holdem import BucketedHoldem
from pokerlab.papers.experiment import Experiment, Published, published_numbers
from pokerlab.papers.samothrakis2011.experiment import EVOLUTIONS as PRINTED_EVOLUTIONS
from pokerlab.papers.samothrakis2011.experiment import PAPER
from pokerlab.runs import Column
from pokerlab.solvers import MinimaxCoevolution, SeatwiseCoevolution
from pokerlab.strategies.direct_encoding import POSITIVE

FITNESSES = ("sum of both seats", "seat by seat")
GRADIENT = "gradient strategy"
EVOLUTIONS: dict[str, Callable[..., EvolutionStrategy[Any]]] = {
    **PRINTED_EVOLUTIONS,
    GRADIENT: evolution.GradientES,
}


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings of one evolution; the defaults are the paper's as far as it says them, evaluated exactly."""

    buckets: int = setting(
        6,
        label="Buckets",
        help="Classes of hands on each street, by k-means++ on the win probability.",
        source="section 4.2",
        low=2,
        high=12,
    )
    positive: str = setting(
        "absolute",
        label="Genes become",
        help="How a gene is made positive for eq. 5; the paper does not say.",
        source="eq. 5; which way: ours",
        silent=True,
        choices=tuple(POSITIVE),
    )
    fitness: str = setting(
        FITNESSES[0],
        label="Fitness",
        help="What is lost in both positions, or, for each seat's genes by themselves, what that seat loses.",
        source="section 4.2 sums; seat by seat: ours",
        choices=FITNESSES,
    )
    evolution: str = setting(
        "diagonal CMA-ES",
        label="Evolution",
        help="The text names CSA-ES, Figure 6's caption CMA-ES; the gradient strategy is from 2017.",
        source="section 3.1 and Figure 6",
        choices=tuple(EVOLUTIONS),
    )
    population: int = setting(
        16,
        label="Population",
        help="Offspring in a generation.",
        source="section 4.2",
        unit="offspring",
        log=(4, 2000),
    )
    step_size: float = setting(
        0.3,
        label="Step size",
        help="The first standard deviation of every gene; the paper does not say.",
        source="ours",
        silent=True,
        log=(1e-3, 10.0),
    )
    learning_rate: float = setting(
        0.2,
        label="Learning rate",
        help="How far the gradient strategy moves a gene in one of the first generations.",
        source="ours",
        needs=lambda config: config.evolution == GRADIENT,
        log=(1e-3, 10.0),
    )
    patience: float = setting(
        300.0,
        label="Patience",
        help="Generations after which the gradient strategy's steps are half their first size.",
        source="ours",
        rare=True,
        needs=lambda config: config.evolution == GRADIENT,
        unit="generations",
        log=(1.0, 1e6),
    )
    iterations: int = setting(
        200,
        label="Generations",
        help="Generations after which the run ends.",
        source="section 4.2",
        log=(1, 100_000),
    )
    seed: int = seed_setting()

    def __post_init__(self) -> None:
        check_settings(self)


@cache
def game(buckets: int) -> BucketedHoldem:
    """Return the game with this number of exact buckets on each street."""
    return holdem.bucketed_limit_holdem(buckets)


def strategy(config: Config) -> EvolutionStrategy[Any]:
    """Return the evolution strategy that `config` names."""
    given = {"population": config.population, "step_size": config.step_size}
    if config.evolution == GRADIENT:
        given |= {"learning_rate": config.learning_rate, "patience": config.patience}
    return EVOLUTIONS[config.evolution](**given)


def solver(config: Config, workers: int = 1) -> MinimaxCoevolution | SeatwiseCoevolution:
    """Return the coevolution that `config` describes; `workers` threads decide no number."""
    encoding = strategies.TupleTable(game(config.buckets), positive=config.positive)
    kind = MinimaxCoevolution if config.fitness == FITNESSES[0] else solvers.SeatwiseCoevolution
    return kind(
        encoding.game,
        seed=config.seed,
        encoding=encoding,
        evolution=strategy(config),
        workers=workers,
    )


def columns(solver: MinimaxCoevolution | SeatwiseCoevolution) -> tuple[Column, ...]:
    """Return Figure 6's external fitness, the same for the mean of the evolution, and what it cost."""
    unit = solver.game.unit.plural

    return (
        Column("nash_conv", "exploitability of the best", unit, lambda s: s.exact_value),
        Column("mean_value", "exploitability of the mean", unit, lambda s: s.mean_value),
        Column("evaluations", "genomes measured", "evaluations", lambda s: s.evaluations),
    )


def published(config: Config) -> Sequence[Published]:
    """Return the numbers that the paper prints of its agent, all with six buckets."""
    return [row for row in published_numbers(PAPER) if row.game == "limit hold'em"]


PAPER_CONFIG = Config(seed=1)
BY_SOFTMAX = Config(positive="softmax", step_size=1.0, seed=1)
BY_GRADIENT = Config(
    positive="softmax",
    fitness="seat by seat",
    evolution=GRADIENT,
    step_size=0.1,
    learning_rate=0.2,
    seed=1,
)
TO_THE_FLOOR = Config(
    positive="softmax",
    fitness="seat by seat",
    evolution=GRADIENT,
    population=40,
    step_size=0.1,
    learning_rate=0.2,
    iterations=5000,
    seed=1,
)
"""What comes within 0.05 small bets of the least exploitable tuple table, but only from some seeds.

Large first steps drive some actions' chances to nearly zero, from which they hardly return.
"""
SMALL_STEPS = replace(TO_THE_FLOOR, learning_rate=0.05, patience=600.0, iterations=1000)
"""The same with first steps a quarter as large: seeds 1 to 3 all get there, with a fifth of the evaluations."""
SCALES = {
    "quick": BY_GRADIENT,
    "lab": BY_GRADIENT,
    "paper": PAPER_CONFIG,
}
evolving_holdem = Experiment(
    "Evolving limit hold'em",
    Config,
    SCALES,
    solver,
    columns,
    published,
    per_decade=100,
    paper={"Section 4.2: Figure 6": PAPER_CONFIG},
)
