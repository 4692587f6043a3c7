"""Samothrakis & Lucas (2011), minimax coevolution: section 4.2's agent for limit hold'em.

`JUDGED` lists the recorded evolutions with the paper's budget, by how fitness was computed: by the exact best response,
or by the paper's own tree search. `PAPER_CONFIG` is the experiment as the paper describes it, with buckets from sampled
deals and without merging equal states. `AGENTS` has the strategies that lesson 07 compares, by name.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from pokerlab import evolution, holdem
from pokerlab.core import Checked, UnknownNameError, seed_setting, setting
from pokerlab.core.settings import same_as, sized, unprinted
from pokerlab.evolution import EvolutionStrategy
from pokerlab.holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.betting_tree import AS_DRAWN as DRAWN
from pokerlab.holdem.betting_tree import AT_THE_TABLE, BETTINGS
from pokerlab.holdem.buckets import EXPECTATIONS
from pokerlab.papers.experiment import Experiment, part, published_numbers
from pokerlab.papers.samothrakis2011 import EVOLUTIONS as PRINTED_EVOLUTIONS
from pokerlab.papers.samothrakis2011 import PAPER
from pokerlab.papers.samothrakis2011 import Config as SmallGames
from pokerlab.papers.samothrakis2011 import columns as of_small_games
from pokerlab.runs import Column, History
from pokerlab.solvers import ExactWorstCase, MinimaxCoevolution, SeatWorstCases, TreeSearch
from pokerlab.solvers.worst_case import WorstCase
from pokerlab.strategies.direct_encoding import POSITIVE

FITNESSES = ("sum of both seats", "seat by seat")
EXACT, SEARCH = "exact reply", "tree search"
GRADIENT = "gradient strategy"
EVOLUTIONS: dict[str, Callable[..., EvolutionStrategy[Any]]] = {
    **PRINTED_EVOLUTIONS,
    GRADIENT: evolution.GradientES,
}


def is_searched(config: Any) -> bool:
    """Return whether agents are judged by tree search."""
    return bool(config.worst_case == SEARCH)


of_search = partial(setting, needs=is_searched)
of_gradient = partial(setting, needs=lambda config: config.evolution == GRADIENT)


@dataclass(frozen=True, kw_only=True)
class Config(Checked):
    """Settings of one evolution; the defaults are the paper's as far as it says them, evaluated exactly."""

    buckets: int = setting(
        6,
        "Classes of hands on each street, by k-means++ on the win probability.",
        source="section 4.2",
        within=(2, 12),
    )
    deals: str = setting(
        "exact",
        "Counted over all cards to come, or from the paper's 4,000,000, 100, 100 and 10 random deals.",
        label="Win probabilities",
        source="section 4.2 samples; exact: ours",
        rare=True,
        choices=EXPECTATIONS,
    )
    raise_cap: int = unprinted(
        4,
        "The most bets on a street, counting the big blind before the flop; the paper does not say.",
        label="Bets a street",
        rare=True,
        within=(1, 6),
    )
    betting: str = setting(
        AT_THE_TABLE,
        "As at tables, or as the paper's figures show it: the small blind first on all streets, blinds are no"
        " bets, and folds may be free.",
        source="at the table: ours; as drawn: Figures 1 and 4",
        rare=True,
        choices=BETTINGS,
    )
    positive: str = unprinted(
        "sigmoid",
        "How a gene is made positive for eq. 5; the paper does not say.",
        label="Genes become",
        source="eq. 5; which way: ours",
        choices=tuple(POSITIVE),
    )
    fitness: str = setting(
        FITNESSES[0],
        "What is lost in both positions, or, for each seat's genes by themselves, what that seat loses;"
        " a search always sums.",
        source="section 4.2 sums; seat by seat: ours",
        needs=lambda config: not is_searched(config),
        choices=FITNESSES,
    )
    worst_case: str = setting(
        EXACT,
        "The exact best response, or the paper's tree search.",
        source="section 4.2 searches; exact: ours",
        choices=(EXACT, SEARCH),
    )
    depth: int = same_as(SmallGames, "depth", high=40)
    playouts: int = same_as(SmallGames, "playouts", costs=True)
    exploration: float = of_search(
        1.5,
        "C of eq. 4: how much a rarely tried action is favored. The paper does not say.",
        source="ours: between 1 and 2 searches find most",
        silent=True,
        unit="small bets",
        log=(0.01, 1000.0),
    )
    merged: bool = of_search(
        True,
        "Search states that differ only in past buckets once: 100 times faster, with more luck.",
        label="Equal states once",
        rare=True,
    )
    rechecked: bool = same_as(SmallGames, "rechecked", needs=is_searched)
    evolution: str = setting(
        "diagonal CMA-ES",
        "The text names CSA-ES, Figure 6's caption CMA-ES; the gradient strategy is from 2017.",
        source="Figure 6; section 3.1 says CSA-ES",
        choices=tuple(EVOLUTIONS),
    )
    population: int = sized(
        16, "Offspring in a generation.", source="section 4.2", unit="offspring", log=(4, 2000)
    )
    step_size: float = same_as(SmallGames, "step_size", default=0.3, high=10.0)
    learning_rate: float = of_gradient(
        0.2,
        "How far the gradient strategy moves a gene in one of the first generations.",
        log=(1e-3, 10.0),
    )
    patience: float = of_gradient(
        300.0,
        "Generations after which the gradient strategy's steps are half their first size.",
        rare=True,
        unit="generations",
        log=(1.0, 1e6),
    )
    iterations: int = setting(
        200,
        "Generations after which the run ends.",
        label="Generations",
        source="section 4.2",
        log=(1, 100_000),
    )
    seed: int = seed_setting()


@cache
def game(
    buckets: int, *, deals: str = "exact", raise_cap: int = 4, betting: str = AT_THE_TABLE
) -> BucketedHoldem:
    """Return the game with this number of buckets on each street, made in the paper's way or exactly."""
    made = holdem.make_buckets(buckets, seed=1, expectations=deals)
    return holdem.bucketed_limit_holdem(made, raise_cap=raise_cap, betting=betting)


def tree_search(config: Config, game: BucketedHoldem) -> TreeSearch:
    """Return the search that judges genomes."""
    exploration = config.exploration / game.payoff_range
    return part(TreeSearch, config, iterations=config.playouts, exploration=exploration)


def strategy(config: Config) -> EvolutionStrategy[Any]:
    """Return the evolution strategy that `config` names."""
    given = {"population": config.population, "step_size": config.step_size}
    if config.evolution == GRADIENT:
        given |= {"learning_rate": config.learning_rate, "patience": config.patience}
    return EVOLUTIONS[config.evolution](**given)


def solver(config: Config, workers: int = 1) -> MinimaxCoevolution:
    """Return the coevolution that `config` describes; `workers` threads decide no number."""
    about = {"deals": config.deals, "raise_cap": config.raise_cap, "betting": config.betting}
    played = game(config.buckets, **about)
    judge: WorstCase = SeatWorstCases() if config.fitness == FITNESSES[1] else ExactWorstCase()
    if is_searched(config):
        judge = tree_search(config, played)
    return MinimaxCoevolution(
        played,
        seed=config.seed,
        encoding=holdem.TupleTable(played, positive=config.positive),
        evolution=strategy(config),
        worst_case=judge,
        rechecked=config.rechecked,
        workers=workers,
    )


def columns(solver: MinimaxCoevolution) -> tuple[Column, ...]:
    """Return Figure 6's external fitness, the same for the mean of the evolution, and what it cost.

    Where a search judges, also what it believes of the best genome, and of the generation's best. In the betting of
    the figures also what they show of the best: its genes, and the probabilities that are 0 or 1.
    """
    known = {column.name: column for column in of_small_games(solver)}
    known["nash_conv"] = replace(known["nash_conv"], label="exploitability of the best")
    names = ["nash_conv", "mean_value", "evaluations"]
    if not solver.worst_case.exact:
        names += ["worst_case", "worst_case_error", "generation_value"]
    columns = tuple(known[name] for name in names)
    return (*columns, *of_figures(solver)) if solver.game.tree.betting == DRAWN else columns


def of_figures(solver: MinimaxCoevolution) -> tuple[Column, ...]:
    """Return what Figures 4 and 6 show of genes that are read, and of probabilities."""
    encoding: Any = solver.encoding

    def share(of: float) -> Callable[[Any], float]:
        return lambda s: float((s.profile.table[encoding.possible] == of).mean())

    quantiles = {"least": 0.0, "median": 0.5, "largest": 1.0}
    return (
        *(
            Column(f"{name}_gene", f"{name} gene", "", partial(gene_of, encoding, quantile=at))
            for name, at in quantiles.items()
        ),
        *(
            Column(name, f"probabilities of {of}", "", share(of))
            for name, of in (("never", 0), ("always", 1))
        ),
    )


def gene_of(encoding: Any, state: Any, *, quantile: float) -> float:
    """Return a quantile of the best genome's genes."""
    return float(np.quantile(state.best[encoding.possible.ravel()], quantile))


PAPER_CONFIG = Config(
    worst_case=SEARCH, merged=False, rechecked=False, deals="sampled", step_size=1.0, seed=1
)
"""Section 4.2 as far as it is described; seven hours of one core, a quarter of one merged."""
AS_DRAWN = replace(
    PAPER_CONFIG,
    merged=True,
    betting=DRAWN,
    positive="clipped",
    evolution="CMA-ES",
    step_size=0.26,
    iterations=810,
)
"""Section 4.2 as Figures 1, 4 and 6 show it: clipped genes, CMA-ES, 12,960 evaluations; equal states once.

Eq. 5 reads the ratios of genes, so that genes from 1 with steps of 0.26 are genes from 0.5 with steps of 0.13, which
the authors print elsewhere (2010); it agrees with the spread of Figure 6's first cloud.
"""
BY_SEARCH = replace(PAPER_CONFIG, merged=True, deals="exact")
"""The paper's evaluation of agents at a hundredth of its price, in exact buckets."""
BY_GRADIENT = Config(
    positive="softmax",
    fitness="seat by seat",
    evolution=GRADIENT,
    step_size=0.1,
    learning_rate=0.2,
    seed=1,
)
TO_THE_FLOOR = replace(BY_GRADIENT, population=40, iterations=5000)
"""What comes within 0.05 small bets of the least exploitable tuple table, but only from some seeds.

Large first steps drive some actions' chances to nearly zero, from which they hardly return.
"""
SMALL_STEPS = replace(TO_THE_FLOOR, learning_rate=0.05, patience=600.0, iterations=1000)
"""The same with first steps a quarter as large: seeds 1 to 3 all get there, with a fifth of the evaluations."""
SCALES = {"quick": BY_GRADIENT, "lab": BY_GRADIENT, "paper": PAPER_CONFIG}
evolving_holdem = Experiment(
    "Evolving limit hold'em",
    Config,
    SCALES,
    solver,
    columns,
    lambda config: published_numbers(PAPER, "limit hold'em"),
    per_decade=100,
    paper={"Section 4.2: Figure 6": PAPER_CONFIG},
)

WIDE = 48.0 * math.sqrt(2.0)
"""The C of eq. 4 that is right for results between 0 and 1, times the range of a hand's results."""
STEP_SIZES = {"absolute": 0.3, "clipped": 0.3, "square": 0.3, "sigmoid": 1.0, "softmax": 1.0}
"""For each way to make genes positive the first step size, of the order of the range that matters."""
JUDGED: dict[str, Config] = {
    **{
        f"exact-{kind}": Config(positive=kind, step_size=s, seed=1)
        for kind, s in STEP_SIZES.items()
    },
    **{
        f"playouts-{count}-{seed}": replace(BY_SEARCH, playouts=count, seed=seed)
        for count, seed in ((100, 1), (100, 2), (100, 3), (1000, 1), (1000, 2))
    },
    **{
        f"sampled-1000-{seed}": replace(PAPER_CONFIG, merged=True, seed=seed)
        for seed in range(1, 11)
    },
    **{
        f"csa-1000-{seed}": replace(
            PAPER_CONFIG, merged=True, evolution="CSA-ES, equal weights", seed=seed
        )
        for seed in (1, 2, 3)
    },
    "unmerged-1000-1": PAPER_CONFIG,
    **{f"drawn-{seed}": replace(AS_DRAWN, seed=seed) for seed in (1, 2, 3)},
}
"""What has been recorded, searches with equal states merged but for one: the end of a file's name, and its settings."""


def judged(name: str) -> History:
    """Return the recorded evolution of a name in `JUDGED`."""
    UnknownNameError.check("recorded evolution", name, tuple(JUDGED))
    return evolving_holdem.recorded(f"samothrakis-2011-judged-{name}", JUDGED[name], per_decade=40)


BUCKETS = 6
MEDIAN = replace(BY_GRADIENT, seed=2)  # of twenty seeds the tenth: half of them lose more
OURS = "our evolution, the paper's budget"
LONGER = replace(TO_THE_FLOOR, iterations=500, seed=7)
"""An evolution that takes some ten seconds, and the median of eleven seeds."""
DESCENT, REGRET = 4000, 1000
"""Steps of exploitability descent and iterations of CFR+ for the agents that are compared."""
AGENTS: dict[str, Callable[[], BucketedProfile]] = {
    "always fold": lambda: six().always_fold(),
    "always call": lambda: six().always_call(),
    "always raise": lambda: six().always_raise(),
    "uniform": lambda: six().uniform(),
    OURS: lambda: evolve(MEDIAN),
    "evolved longer": lambda: evolve(LONGER),
    "descent": lambda: descend(six()),
    "regret minimization": lambda: cfr_plus_average(six()),
}
"""Strategies to be compared, by name."""


def six() -> BucketedHoldem:
    """Return the paper's game."""
    return game(BUCKETS)


@cache
def agent(name: str) -> BucketedProfile:
    """Return one of the strategies that are compared."""
    UnknownNameError.check("agent", name, AGENTS)
    return AGENTS[name]()


def evolve(config: Config) -> BucketedProfile:
    """Return the best profile of an evolution."""
    coevolution: Any = solver(config)
    profile: BucketedProfile = coevolution.step(coevolution.init(), config.iterations).profile
    return profile


def descend(game: BucketedHoldem) -> BucketedProfile:
    """Return the least exploitable tuple table that descent of the exact gradient has met."""
    descent = holdem.ExploitabilityDescent(game)
    return descent.step(descent.init(), DESCENT).profile


def cfr_plus_average(game: BucketedHoldem) -> BucketedProfile:
    """Return CFR+'s average strategy, which distinguishes all of the betting."""
    cfr = holdem.BucketedCFR(game)
    return cfr.step(cfr.init(), REGRET).average
