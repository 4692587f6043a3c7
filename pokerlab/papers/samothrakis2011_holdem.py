"""Samothrakis & Lucas (2011): minimax coevolution of an agent for limit hold'em, section 4.2.

S. Samothrakis, S. Lucas, "Approximating n-player Behavioural Strategy Nash Equilibria Using Coevolution", GECCO 2011.

`RECORDED` lists the recorded evolutions with the paper's budget. In some, fitness was computed by the exact
best response, in others by the paper's own tree search. `PAPER_CONFIG` is the experiment as the paper describes it:
buckets are from sampled deals, and equal states are not merged. `AGENTS` has the strategies that lessons 12 and
12b compare.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_info

from pokerlab import evolution, holdem
from pokerlab.core import CheckedSettings, UnknownNameError, seed_setting, setting
from pokerlab.core.cache import Arrays, load_or_make_arrays
from pokerlab.core.compiler import are_sources_unchanged, compute_kernel_digest
from pokerlab.core.old_names import reject_missing_name
from pokerlab.core.settings import copy_setting, sized_setting, unprinted_setting
from pokerlab.evolution.evolution_strategies import EvolutionStrategy
from pokerlab.holdem import BucketedProfile
from pokerlab.holdem.betting_tree import AS_DRAWN as SIZED_BET
from pokerlab.holdem.betting_tree import AT_THE_TABLE, BETTINGS
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from pokerlab.holdem.buckets import EXPECTATION_KINDS
from pokerlab.papers.experiment import Experiment, make_from_settings, read_published_numbers
from pokerlab.papers.samothrakis2011 import EVOLUTIONS as PRINTED_EVOLUTIONS
from pokerlab.papers.samothrakis2011 import PAPER
from pokerlab.papers.samothrakis2011 import Config as SmallGames
from pokerlab.papers.samothrakis2011 import make_columns as make_small_game_columns
from pokerlab.runs import Column, History
from pokerlab.solvers import ExactWorstCase, MinimaxCoevolution, SeatWorstCases, TreeSearch
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.solvers.worst_case import WorstCase
from pokerlab.strategies.direct_encoding import POSITIVITY_RULES

FITNESSES = ("sum of both seats", "seat by seat")
EXACT, SEARCH = "exact reply", "tree search"
GRADIENT = "gradient strategy"
EVOLUTIONS: dict[str, Callable[..., EvolutionStrategy[Any]]] = {
    **PRINTED_EVOLUTIONS,
    GRADIENT: evolution.GradientES,
}


def has_tree_search(config: Any) -> bool:
    """Return whether the fitness of agents is measured by a tree search instead of the exact best response.

    Parameters
    ----------
    config : Config
        The settings of the evolution.
    """
    return bool(config.worst_case == SEARCH)


search_setting = partial(setting, needs=has_tree_search)
gradient_setting = partial(setting, needs=lambda config: config.evolution == GRADIENT)


@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
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
        choices=EXPECTATION_KINDS,
    )
    raise_cap: int = unprinted_setting(
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
    positive: str = unprinted_setting(
        "sigmoid",
        "How a gene is made positive for eq. 5; the paper does not say.",
        label="Genes become",
        source="eq. 5; which way: ours",
        choices=tuple(POSITIVITY_RULES),
    )
    fitness: str = setting(
        FITNESSES[0],
        "What is lost in both positions, or, for each seat's genes by themselves, what that seat loses;"
        " a search always sums.",
        source="section 4.2 sums; seat by seat: ours",
        needs=lambda config: not has_tree_search(config),
        choices=FITNESSES,
    )
    worst_case: str = setting(
        EXACT,
        "The exact best response, or the paper's tree search.",
        source="section 4.2 searches; exact: ours",
        choices=(EXACT, SEARCH),
    )
    depth: int = copy_setting(SmallGames, "depth", high=40)
    playouts: int = copy_setting(SmallGames, "playouts", costs=True)
    exploration: float = search_setting(
        1.5,
        "C of eq. 4: how much a rarely tried action is favored. The paper does not say.",
        source="ours: between 1 and 2 searches find most",
        silent=True,
        unit="small bets",
        log=(0.01, 1000.0),
    )
    merged: bool = search_setting(
        True,
        "Search states that differ only in past buckets once: 100 times faster, with more luck.",
        label="Equal states once",
        rare=True,
    )
    rechecked: bool = copy_setting(SmallGames, "rechecked", needs=has_tree_search)
    evolution: str = setting(
        "diagonal CMA-ES",
        "The text names CSA-ES, Figure 6's caption CMA-ES; the gradient strategy is from 2017.",
        source="Figure 6; section 3.1 says CSA-ES",
        choices=tuple(EVOLUTIONS),
    )
    population: int = sized_setting(
        16, "Offspring in a generation.", source="section 4.2", unit="offspring", log=(4, 2000)
    )
    step_size: float = copy_setting(SmallGames, "step_size", default=0.3, high=10.0)
    learning_rate: float = gradient_setting(
        0.2,
        "How far the gradient strategy moves a gene in one of the first generations.",
        log=(1e-3, 10.0),
    )
    patience: float = gradient_setting(
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
def make_game(
    buckets: int, *, deals: str = "exact", raise_cap: int = 4, betting: str = AT_THE_TABLE
) -> BucketedHoldem:
    """Return limit hold'em with hands put into buckets of similar strength. The same arguments give the same object.

    Parameters
    ----------
    buckets : int
        The number of buckets on each street, 2 to 12.
    deals : {'exact', 'sampled'}
        Whether the win probabilities by which hands are put into buckets are exact, or from random deals as in the
        paper.
    raise_cap : int
        The largest number of bets on a street, 1 to 6.
    betting : str
        The rules of betting, one of `BETTINGS`: those of a poker table, or those that the paper's figures show.

    Returns
    -------
    BucketedHoldem
        The game, which is kept in memory for further calls.
    """
    classes = holdem.make_buckets(buckets, seed=1, expectations=deals)
    return holdem.bucketed_limit_holdem(classes, raise_cap=raise_cap, betting=betting)


def make_tree_search(config: Config, game: BucketedHoldem) -> TreeSearch:
    """Return the tree search that estimates the worst-case loss of a genome in bucketed hold'em.

    Parameters
    ----------
    config : Config
        The settings of the evolution. The constant C of eq. 4 of Samothrakis & Lucas (2011) is in small bets there, and
        a share of the range of payoffs in the search.
    game : BucketedHoldem
        The game, which has the range of payoffs.

    Returns
    -------
    TreeSearch
        The search, with the Config's number of playouts.
    """
    share_of_payoff_range = config.exploration / game.payoff_range
    return make_from_settings(
        TreeSearch, config, iterations=config.playouts, exploration=share_of_payoff_range
    )


def make_evolution_strategy(config: Config) -> EvolutionStrategy[Any]:
    """Return the evolution strategy with given settings: CMA-ES, CSA-ES or the gradient strategy.

    Parameters
    ----------
    config : Config
        The settings of the evolution.

    Returns
    -------
    EvolutionStrategy
        The strategy that draws genomes and learns from their fitness.
    """
    settings = {"population": config.population, "step_size": config.step_size}
    if config.evolution == GRADIENT:
        settings |= {"learning_rate": config.learning_rate, "patience": config.patience}
    strategy_class = EVOLUTIONS[config.evolution]
    return strategy_class(**settings)


def make_solver(config: Config, workers: int = 1) -> MinimaxCoevolution:
    """Return the minimax coevolution of hold'em agents with given settings.

    Parameters
    ----------
    config : Config
        The settings of the evolution.
    workers : int
        The number of threads. Results do not depend on it.

    Returns
    -------
    MinimaxCoevolution
        The solver. Its worst case is a tree search or a best response, as the Config says.
    """
    game = make_game(
        config.buckets,
        deals=config.deals,
        raise_cap=config.raise_cap,
        betting=config.betting,
    )
    worst_case: WorstCase
    if has_tree_search(config):
        worst_case = make_tree_search(config, game)
    elif config.fitness == FITNESSES[1]:  # seat by seat
        worst_case = SeatWorstCases()
    else:
        worst_case = ExactWorstCase()

    return MinimaxCoevolution(
        game,
        seed=config.seed,
        encoding=holdem.TupleTable(game, positive=config.positive),
        evolution=make_evolution_strategy(config),
        worst_case=worst_case,
        rechecked=config.rechecked,
        workers=workers,
    )


def make_columns(solver: MinimaxCoevolution) -> tuple[Column, ...]:
    """Return the columns that an evolution of hold'em agents records.

    - The exploitability of the best genome so far, which the paper's Figure 6 calls external fitness.
    - The exploitability of the mean of the evolution strategy.
    - The number of genomes that were evaluated.
    - If a tree search measures the agents, its estimates for the best genome so far and for the best of the generation.
    - If the rules of betting are those that the paper's figures show, the columns of `make_figure_columns`.

    Parameters
    ----------
    solver : MinimaxCoevolution
        The solver of the run.

    Returns
    -------
    tuple of Column
        The columns.
    """
    # The columns of the small games have names and measures that also fit here.
    columns_by_name = {column.name: column for column in make_small_game_columns(solver)}
    columns_by_name["nash_conv"] = replace(
        columns_by_name["nash_conv"], label="exploitability of the best"
    )
    names = ["nash_conv", "mean_value", "evaluations"]
    if not solver.worst_case.exact:
        names += ["worst_case", "worst_case_error", "generation_value"]

    columns = tuple(columns_by_name[name] for name in names)
    if solver.game.tree.betting == SIZED_BET:
        columns += make_figure_columns(solver)
    return columns


def make_figure_columns(solver: MinimaxCoevolution) -> tuple[Column, ...]:
    """Return columns of the numbers that Figures 4 and 6 of Samothrakis & Lucas (2011) show about the best genome.

    They are the smallest, the median and the largest of its genes, and the shares of its action probabilities that are
    0 and 1. Genes and probabilities of actions that are not legal do not count.

    Parameters
    ----------
    solver : MinimaxCoevolution
        The solver of the run, whose encoding is a `TupleTable`.

    Returns
    -------
    tuple of Column
        The five columns.
    """
    encoding: Any = solver.encoding
    # The table has an entry for each action, whether or not the rules allow it.
    is_legal = encoding.has_effect

    def compute_quantile(state: MinimaxState, quantile: float) -> float:
        """Return a quantile, from 0 to 1, of the genes of actions that the rules allow."""
        return float(np.quantile(state.best[is_legal.ravel()], quantile))

    def compute_probability_share(state: MinimaxState, probability: int) -> float:
        """Return the share of the probabilities of legal actions that are exactly equal to `probability`."""
        return float((state.profile.table[is_legal] == probability).mean())

    columns = []
    for name, quantile in (("least", 0.0), ("median", 0.5), ("largest", 1.0)):
        measure_quantile = partial(compute_quantile, quantile=quantile)
        columns.append(Column(f"{name}_gene", f"{name} gene", "", measure_quantile))

    for name, probability in (("never", 0), ("always", 1)):
        measure_share = partial(compute_probability_share, probability=probability)
        columns.append(Column(name, f"probabilities of {probability}", "", measure_share))
    return tuple(columns)


PAPER_CONFIG = Config(
    worst_case=SEARCH, merged=False, rechecked=False, deals="sampled", step_size=1.0, seed=1
)
"""Section 4.2 as far as it is described; seven hours of one core, a quarter of one merged."""
AS_DRAWN = replace(
    PAPER_CONFIG,
    merged=True,
    betting=SIZED_BET,
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
"""The paper's evaluation of agents at a hundredth of its cost, in exact buckets."""
BY_GRADIENT = Config(
    positive="softmax",
    fitness="seat by seat",
    evolution=GRADIENT,
    step_size=0.1,
    learning_rate=0.2,
    seed=1,
)
TO_THE_FLOOR = replace(BY_GRADIENT, population=40, iterations=5000)
"""Settings that come within 0.05 small bets of the least exploitable tuple table, but only from some seeds.

Large first steps drive the probabilities of some actions to nearly zero, from which they hardly return.
"""
SMALL_STEPS = replace(TO_THE_FLOOR, learning_rate=0.05, patience=600.0, iterations=1000)
"""The same with first steps a quarter as large: seeds 1 to 3 all get there, with a fifth of the evaluations."""
SCALES = {"quick": BY_GRADIENT, "lab": BY_GRADIENT, "paper": PAPER_CONFIG}
evolving_holdem = Experiment(
    "Evolving limit hold'em",
    Config,
    SCALES,
    make_solver,
    make_columns,
    lambda config: read_published_numbers(PAPER, "limit hold'em"),
    per_decade=100,
    paper={"Section 4.2: Figure 6": PAPER_CONFIG},
)

LARGE_C = 48.0 * math.sqrt(2.0)
"""The constant C of eq. 4 for results between 0 and 1, multiplied by the range of the results of a hand."""
STEP_SIZES = {"absolute": 0.3, "clipped": 0.3, "square": 0.3, "sigmoid": 1.0, "softmax": 1.0}
"""The first step size for each function that makes genes positive. It has the order of the range in which the function
changes most."""
RECORDED: dict[str, Config] = {
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
"""The settings of all recorded evolutions, by the end of the file's name. All searches but one merge equal states."""


def read_evolution(name: str) -> History:
    """Return the history of a recorded evolution of hold'em agents from `data/runs`. If it is missing, it is run first.

    Parameters
    ----------
    name : str
        The name of the evolution, one of `RECORDED`, such as 'exact-sigmoid' or 'playouts-100-1'.

    Returns
    -------
    History
        The recorded columns, 40 rows for each factor of ten of generations.

    Raises
    ------
    UnknownNameError
        If there is no such evolution.
    """
    UnknownNameError.check("recorded evolution", name, tuple(RECORDED))
    return evolving_holdem.load_or_run(
        f"samothrakis-2011-judged-{name}", RECORDED[name], per_decade=40
    )


BUCKETS = 6
MEDIAN = replace(BY_GRADIENT, seed=2)  # the tenth best of twenty seeds
OURS = "our evolution, the paper's budget"
LONGER = replace(TO_THE_FLOOR, iterations=500, seed=7)
"""An evolution that takes some ten seconds, and the median of eleven seeds."""
DESCENT_STEPS, CFR_ITERATIONS = 4000, 1000
"""Steps of exploitability descent and iterations of CFR+ for the agents that are compared."""
AGENTS: dict[str, Callable[[], BucketedProfile]] = {
    "always fold": lambda: make_six_bucket_game().always_fold(),
    "always call": lambda: make_six_bucket_game().always_call(),
    "always raise": lambda: make_six_bucket_game().always_raise(),
    "uniform": lambda: make_six_bucket_game().uniform(),
    OURS: lambda: evolve_profile(MEDIAN),
    "evolved longer": lambda: evolve_profile(LONGER),
    "descent": lambda: minimize_exploitability(make_six_bucket_game()),
    "regret minimization": lambda: run_cfr_plus(make_six_bucket_game()),
}
"""The functions that compute the strategies to be compared, by name."""
LEARNED = (OURS, "evolved longer", "descent", "regret minimization")
"""The strategies that take seconds to compute."""
HOLDEM = "holdem"  # the highest of the packages by which they are computed


def make_six_bucket_game() -> BucketedHoldem:
    """Return limit hold'em with six exact buckets on each street (Samothrakis & Lucas 2011, section 4.2).

    The result is always the same object.
    """
    return make_game(BUCKETS)


@cache
def make_agent(name: str) -> BucketedProfile:
    """Return one of the strategies for limit hold'em in six buckets that lessons 12 and 12b compare.

    The strategy is computed at the first call. A learned strategy is also saved in the user's cache folder. It is
    computed again after a change of the library's source, and on a processor with other kernels for linear algebra.

    Parameters
    ----------
    name : str
        The name of the strategy, one of `AGENTS`, such as 'always call' or 'regret minimization'.

    Returns
    -------
    BucketedProfile
        The strategy for both seats.

    Raises
    ------
    UnknownNameError
        If there is no such strategy.
    """
    UnknownNameError.check("agent", name, AGENTS)
    compute_profile = AGENTS[name]
    # If a source file has changed since Python began, the name of the saved file would not fit the code that runs.
    if name not in LEARNED or not are_sources_unchanged(HOLDEM):
        return compute_profile()

    def compute_arrays() -> Arrays:
        """Compute the strategy, and return the arrays of its profile by name."""
        profile = compute_profile()
        return {"table": profile.table, "pointer": profile.pointer}

    arrays = load_or_make_arrays(make_agent_file_name(name), compute_arrays)
    return BucketedProfile.make_unchecked(
        make_six_bucket_game(), arrays["table"], arrays["pointer"]
    )


def make_agent_file_name(name: str) -> str:
    """Return the name of the file, without its ending, in which a learned strategy is saved in the user's cache.

    The name has a digest of everything that the strategy's numbers depend on: the source of the library and of this
    package, and the processor's kernels for linear algebra.

    Parameters
    ----------
    name : str
        The name of the strategy, one of `LEARNED`.
    """
    digest = hashlib.sha256(f"{name}, {compute_kernel_digest(HOLDEM)}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    architectures = {str(library.get("architecture")) for library in threadpool_info()}
    digest.update(str(sorted(architectures)).encode())
    return f"agent-{digest.hexdigest()[:16]}"


def evolve_profile(config: Config) -> BucketedProfile:
    """Run a minimax coevolution of hold'em agents, and return the profile of the best genome that it has found.

    Parameters
    ----------
    config : Config
        The settings of the evolution, with the number of generations in `iterations`.

    Returns
    -------
    BucketedProfile
        The profile that the best genome encodes, for both seats. Nothing is saved.
    """
    coevolution = make_solver(config)
    last_state = coevolution.step(coevolution.init(), config.iterations)
    profile: BucketedProfile = last_state.profile
    return profile


def minimize_exploitability(game: BucketedHoldem, steps: int = DESCENT_STEPS) -> BucketedProfile:
    """Return the least exploitable profile that exploitability descent finds.

    It is a tuple table: a lookup table of action probabilities by street, bucket, and a few features of the betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game.
    steps : int
        The number of steps of the descent.

    Returns
    -------
    BucketedProfile
        The profile of the least exploitable genome from which a step began, for both seats.
    """
    descent = holdem.ExploitabilityDescent(game)
    return descent.step(descent.init(), steps).profile


def run_cfr_plus(game: BucketedHoldem, iterations: int = CFR_ITERATIONS) -> BucketedProfile:
    """Return the average profile of CFR+ in bucketed hold'em.

    Its probabilities can differ after each sequence of bets. The lookup tables of evolved agents distinguish only a few
    features of the betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game.
    iterations : int
        The number of iterations of CFR+.

    Returns
    -------
    BucketedProfile
        The average profile, for both seats.
    """
    cfr_plus = holdem.BucketedCFR(game)  # whose default schedule is that of CFR+
    return cfr_plus.step(cfr_plus.init(), iterations).average


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
