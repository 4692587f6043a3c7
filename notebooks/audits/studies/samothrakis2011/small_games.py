"""Interpretations of Samothrakis & Lucas (2011) in small games, and the recorded runs by which they are compared.

Section 3.1 names a CSA-ES with mu = lambda / 2 "whenever evolution is mentioned", but not the weights of the mu
parents. The caption of Figure 6 names CMA-ES. So the default interpretation is CSA-ES with equal weights, and three
other evolution strategies were run. An interpretation confirms a statement about runs if more than half of its runs
give what is stated.

In the *purely evolutionary version* of the algorithm (Algorithm 1) an inner evolution looks for a best response to each
genome of the outer evolution. The *start* of an inner run is the genome from which it begins.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.samothrakis2011 import EVOLUTIONS, RPS, Config
from pokerlab.runs import History
from studies.audit import Finding, weigh_interpretations
from studies.samothrakis2011.ends import load_ends

CMA, DIAGONAL, EQUAL, PYCMA = EVOLUTIONS
"""CMA-ES, CMA-ES with a diagonal covariance, CSA-ES with equal weights, and CSA-ES with the weights of pycma."""
STRATEGIES = (EQUAL, PYCMA, DIAGONAL, CMA)
"""The evolution strategies that were run, the default interpretation first."""
OUTER_BEST, LAST_INNER_BEST, GENOME_ITSELF = "outer best", "last inner best", "the genome itself"
STARTS = (OUTER_BEST, LAST_INNER_BEST, GENOME_ITSELF)
"""The starts of inner runs: two heuristics of section 3.3 in their order, and Algorithm 1."""
TARGET = 1e-10
"""The exploitability at which a run in rock-paper-scissors ends, in points; the largest payoff is 50."""
SMALL_TARGET = 1e-9
"""The exploitability at which a run in Kuhn poker for three ends, in chips."""
PURE_EVOLUTION = Config(
    game=RPS, representation="direct", worst_case="inner evolution", iterations=250, seed=1
)
"""The purely evolutionary version in rock-paper-scissors, with a genome of three numbers."""
PURE_EVOLUTION_OF_NETWORKS = replace(PURE_EVOLUTION, representation="one network", hidden=1)
"""The same with the weights of a network of 0 inputs, 1 hidden unit and 3 outputs."""
RPS_SEEDS = range(1, 4)


class InnerBudget(NamedTuple):
    """The number of generations of an inner run in outer generation t: `first` + t * `growth`.

    Attributes
    ----------
    first : int
        The setting 'inner_generations'.
    growth : float
        The setting 'inner_growth'.
    """

    first: int
    growth: float


CONSTANT_BUDGET, GROWING_BUDGET = InnerBudget(6, 0.0), InnerBudget(1, 0.25)
"""Two budgets that need about the same number of matches over 40 outer generations."""
BUDGET_ITERATIONS = 40
BUDGET_SEEDS = range(1, 21)
KUHN = Config(seed=1)
THIRTEEN_CARDS = Config(game="13-card poker", seed=1)
KUHN3 = Config(game="KP(3)", representation="direct", population=100, iterations=3000, seed=1)
"""The settings of runs in Kuhn poker, in 13-card poker, and in Kuhn poker for three players."""
KUHN3_SEEDS = range(1, 11)
POSITIVE_MAPS = ("clipped", "absolute", "square", "sigmoid", "softmax")
"""How a gene becomes non-negative: the values of the setting 'positive'."""
Runs: TypeAlias = dict[str, NDArray[Any]]
"""The columns of a table of runs; a column has a value for each run."""


def weigh_majorities(is_given: Mapping[str, Bools]) -> Finding:
    """Return the verdict on a statement about runs; an interpretation confirms it by more than half of its runs.

    Parameters
    ----------
    is_given : mapping of str to ndarray of bool, shape (runs,)
        Whether each run gives what is stated, by interpretation, the default one first.
    """
    outcomes = {name: bool(2 * np.sum(given) > np.size(given)) for name, given in is_given.items()}
    counts = [f"{name} {np.sum(given)} of {np.size(given)}" for name, given in is_given.items()]
    finding = weigh_interpretations(outcomes)
    return finding._replace(why=f"{finding.why}. Runs that give it: {'; '.join(counts)}")


def describe_share(is_given: Bools) -> str:
    """Return as text how many of some runs give what is stated, with Wilson's 95% interval of the share.

    Parameters
    ----------
    is_given : ndarray of bool, shape (runs,)
        Whether each run gives what is stated.
    """
    count, num_runs = int(np.sum(is_given)), int(np.size(is_given))
    low, high = binomtest(count, num_runs).proportion_ci(method="wilson")
    return f"{count} of {num_runs} ({100 * low:.0f}–{high:.0%})"


def select_runs(table: History, **settings: object) -> Runs:
    """Return the columns of the runs that have given values in columns of the table, such as evolution='CMA-ES'."""
    is_selected = np.ones(len(table), dtype=bool)
    for name, value in settings.items():
        is_selected &= table[name] == value
    return {name: column[is_selected] for name, column in table.columns.items()}


@cache
def load_rps_runs(network: bool) -> dict[tuple[str, str], Runs]:
    """Return the recorded runs of the purely evolutionary version in rock-paper-scissors.

    Parameters
    ----------
    network : bool
        Whether genomes are the weights of a network of 0 inputs, 1 hidden unit and 3 outputs. If False, they are three
        genes.

    Returns
    -------
    dict of (str, str) to dict
        The runs by evolution strategy, in the order of `STRATEGIES`, and by start of the inner runs, in the order of
        `STARTS`.
    """
    runs = load_rps_network_runs() if network else load_rps_gene_runs()
    return {(strategy, start): runs[strategy, start] for strategy in STRATEGIES for start in STARTS}


def load_rps_network_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded runs of networks in rock-paper-scissors, by evolution strategy and start."""
    by_cma = load_cma_runs("samothrakis-2011-rps-net", PURE_EVOLUTION_OF_NETWORKS)
    others = load_ends(
        "samothrakis-2011-rps-net-starts",
        PURE_EVOLUTION_OF_NETWORKS,
        RPS_SEEDS,
        target=TARGET,
        varied={"evolution": (EQUAL, PYCMA, DIAGONAL), "inner_start": STARTS},
    )
    return by_cma | split_by_strategy_and_start(others, STARTS)


def load_rps_gene_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded runs of three genes in rock-paper-scissors, by evolution strategy and start."""
    by_cma = load_cma_runs("samothrakis-2011-rps-genes", PURE_EVOLUTION)
    other_starts = (OUTER_BEST, GENOME_ITSELF)
    others = load_ends(
        "samothrakis-2011-rps-starts",
        PURE_EVOLUTION,
        RPS_SEEDS,
        target=TARGET,
        varied={"evolution": (EQUAL, PYCMA, DIAGONAL), "inner_start": other_starts},
    )
    runs = by_cma | split_by_strategy_and_start(others, other_starts)

    # Runs from the last inner best by the other strategies are in a file of their own.
    from_last_inner_best = load_rps_strategy_runs()
    for strategy in (EQUAL, PYCMA, DIAGONAL):
        runs[strategy, LAST_INNER_BEST] = select_runs(from_last_inner_best, evolution=strategy)
    return runs


def load_cma_runs(name: str, config: Config) -> dict[tuple[str, str], Runs]:
    """Return the recorded runs by CMA-ES, with 5 and with 30 inner generations, by strategy and start.

    Parameters
    ----------
    name : str
        The name of the file without its ending.
    config : Config
        The settings of the runs.
    """
    varied = {
        "inner_start": (LAST_INNER_BEST, OUTER_BEST, GENOME_ITSELF),
        "inner_generations": (5, 30),
    }
    table = load_ends(name, config, RPS_SEEDS, target=TARGET, varied=varied)
    return {(CMA, start): select_runs(table, inner_start=start) for start in STARTS}


def split_by_strategy_and_start(
    table: History, starts: tuple[str, ...]
) -> dict[tuple[str, str], Runs]:
    """Return the runs of a table by evolution strategy, for the three other than CMA-ES, and by start."""
    return {
        (strategy, start): select_runs(table, evolution=strategy, inner_start=start)
        for strategy in (EQUAL, PYCMA, DIAGONAL)
        for start in starts
    }


def load_rps_strategy_runs() -> History:
    """Return the recorded runs of three genes by all strategies, whose inner runs start at the last inner best."""
    return load_ends(
        "samothrakis-2011-rps-outer",
        PURE_EVOLUTION,
        RPS_SEEDS,
        target=TARGET,
        varied={"evolution": tuple(EVOLUTIONS)},
    )


def pool_starts(runs: Mapping[tuple[str, str], Runs], column: str) -> dict[str, NDArray[Any]]:
    """Return a column of all runs of each evolution strategy, with all starts together.

    Parameters
    ----------
    runs : mapping of (str, str) to dict
        The runs by strategy and start.
    column : str
        The name of the column.
    """
    pooled = {}
    for strategy in STRATEGIES:
        columns = [of_runs[column] for (name, _), of_runs in runs.items() if name == strategy]
        pooled[strategy] = np.concatenate(columns)
    return pooled


def load_budget_gains() -> dict[str, Floats]:
    """Return how much nearer to equilibrium runs end with the growing inner budget than with the constant one.

    The gain is the common logarithm of the ratio of both exploitabilities. It is positive if the growing budget ends
    nearer. There is an array with the gain of each seed, by evolution strategy: CSA-ES with equal weights, and CMA-ES.
    """
    table = load_ends(
        "samothrakis-2011-inner-budgets",
        replace(PURE_EVOLUTION, iterations=BUDGET_ITERATIONS),
        BUDGET_SEEDS,
        varied={
            "evolution": (EQUAL, CMA),
            "inner_generations": (CONSTANT_BUDGET.first, GROWING_BUDGET.first),
            "inner_growth": (CONSTANT_BUDGET.growth, GROWING_BUDGET.growth),
        },
    )
    gains = {}
    for strategy in (EQUAL, CMA):
        constant, growing = (
            select_runs(
                table,
                evolution=strategy,
                inner_generations=budget.first,
                inner_growth=budget.growth,
            )
            for budget in (CONSTANT_BUDGET, GROWING_BUDGET)
        )
        gains[strategy] = np.log10(constant["nash_conv"] / growing["nash_conv"])
    return gains


def load_network_runs(game: str) -> dict[str, Runs]:
    """Return the recorded runs of the paper's network for cards, by evolution strategy.

    Parameters
    ----------
    game : str
        'kuhn' for Kuhn poker, with twenty seeds, or '13-card' for poker with 13 cards, with ten.
    """
    config, seeds = {
        "kuhn": (KUHN, range(1, 21)),
        "13-card": (THIRTEEN_CARDS, range(1, 11)),
    }[game]
    table = load_ends(
        f"samothrakis-2011-{game}-net", config, seeds, varied={"evolution": tuple(EVOLUTIONS)}
    )
    return {strategy: select_runs(table, evolution=strategy) for strategy in STRATEGIES}


def load_kuhn3_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded runs in Kuhn poker for three, by evolution strategy and by how genes become non-negative.

    The strategies are CSA-ES with equal weights and CMA-ES.
    """
    runs: dict[tuple[str, str], Runs] = {}
    for strategy, name in ((EQUAL, "kp3-csa"), (CMA, "kp3")):
        table = load_ends(
            f"samothrakis-2011-{name}",
            replace(KUHN3, evolution=strategy),
            KUHN3_SEEDS,
            target=SMALL_TARGET,
            varied={"positive": POSITIVE_MAPS},
        )
        for positive in POSITIVE_MAPS:
            runs[strategy, positive] = select_runs(table, positive=positive)
    return runs
