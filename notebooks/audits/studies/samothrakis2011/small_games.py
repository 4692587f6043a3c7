"""Samothrakis & Lucas (2011), small games: the interpretations of the text that were run, and what their runs give.

Section 3.1 names a CSA-ES with mu = lambda / 2 "whenever evolution is mentioned", without the weights of the mu
parents. The caption of Figure 6 names CMA-ES. So the default interpretation is CSA-ES with equal weights, and three
others were run. An interpretation confirms a statement about runs if more than half of its runs give what is stated.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from pokerlab.papers.samothrakis2011 import EVOLUTIONS, RPS, Config
from pokerlab.runs import History
from studies.audit import Finding, weigh_interpretations
from studies.samothrakis2011.ends import load_ends

CMA, DIAGONAL, EQUAL, PYCMA = EVOLUTIONS
STRATEGIES = (EQUAL, PYCMA, DIAGONAL, CMA)
"""The evolution strategies that were run, the one of section 3.1 first."""
STARTS = ("outer best", "last inner best", "the genome itself")
"""Where inner runs begin: two heuristics of section 3.3 in their order, and Algorithm 1."""
TARGET = 1e-10
"""Exploitability at which a run in rock-paper-scissors ends, in points, where the largest payoff is 50."""
PURE = Config(
    game=RPS, representation="direct", worst_case="inner evolution", iterations=250, seed=1
)
"""The purely evolutionary version with a genome of three numbers, by CMA-ES outside."""
PURE_NET = replace(PURE, representation="one network", hidden=1)
BUDGETS = {"6": (6, 0.0), "1 + t / 4": (1, 0.25)}
"""Inner generations in outer generation t, as a first number and its growth: two that need about as many matches."""
BUDGET_SEEDS = range(1, 21)
KUHN = Config(seed=1)
THIRTEEN = Config(game="13-card poker", seed=1)
KUHN3 = Config(game="KP(3)", representation="direct", population=100, iterations=3000, seed=1)
WAYS = ("clipped", "absolute", "square", "sigmoid", "softmax")
"""How a gene becomes non-negative."""
Runs = dict[str, NDArray[Any]]
"""Columns of runs, one value a run."""


def weigh_majorities(hits: Mapping[str, NDArray[Any]]) -> Finding:
    """Return what interpretations decide, from whether each of their runs gives a statement; the default first."""
    found = weigh_interpretations(
        {name: bool(2 * np.sum(x) > np.size(x)) for name, x in hits.items()}
    )
    shares = "; ".join(f"{name} {np.sum(x)} of {np.size(x)}" for name, x in hits.items())
    return found._replace(why=f"{found.why}. Runs that give it: {shares}")


def describe_share(hits: NDArray[Any]) -> str:
    """Return how many of some runs give a statement, with Wilson's interval of 95%."""
    found, runs = int(np.sum(hits)), int(np.size(hits))
    low, high = binomtest(found, runs).proportion_ci(method="wilson")
    return f"{found} of {runs} ({100 * low:.0f}–{high:.0%})"


def select_runs(table: History, **values: object) -> Runs:
    """Return the columns of the runs whose settings have these values."""
    chosen = np.ones(len(table), dtype=bool)
    for name, value in values.items():
        chosen &= table[name] == value
    return {name: column[chosen] for name, column in table.columns.items()}


@cache
def read_rps_runs(network: bool) -> dict[tuple[str, str], Runs]:
    """Return the recorded runs of the purely evolutionary version, by evolution strategy and start of inner runs.

    Parameters
    ----------
    network : bool
        Whether genomes are the weights of a network 0-1-3, instead of three genes.
    """
    config, kind = (PURE_NET, "net") if network else (PURE, "genes")
    starts, seeds = ("last inner best", "outer best", "the genome itself"), range(1, 4)
    by_start = {"inner_start": starts, "inner_generations": (5, 30)}
    by_cma = load_ends(
        f"samothrakis-2011-rps-{kind}", config, seeds, target=TARGET, varied=by_start
    )
    others: dict[str, tuple[str, ...]] = {
        "evolution": (EQUAL, PYCMA, DIAGONAL),
        "inner_start": STARTS,
    }
    if not network:
        others["inner_start"] = ("outer best", "the genome itself")
    name = "rps-net-starts" if network else "rps-starts"
    rest = load_ends(f"samothrakis-2011-{name}", config, seeds, target=TARGET, varied=others)
    runs = {(CMA, start): select_runs(by_cma, inner_start=start) for start in STARTS}
    for strategy in others["evolution"]:
        for start in others["inner_start"]:
            runs[strategy, start] = select_runs(rest, evolution=strategy, inner_start=start)
    if not network:
        outer = read_rps_strategies()
        for strategy in others["evolution"]:
            runs[strategy, "last inner best"] = select_runs(outer, evolution=strategy)
    return {(one, start): runs[one, start] for one in STRATEGIES for start in STARTS}


def read_rps_strategies() -> History:
    """Return the recorded runs with three genes by all strategies, whose inner runs start at the last inner best."""
    return load_ends(
        "samothrakis-2011-rps-outer",
        PURE,
        range(1, 4),
        target=TARGET,
        varied={"evolution": tuple(EVOLUTIONS)},
    )


def pool_starts(runs: Mapping[tuple[str, str], Runs], column: str) -> dict[str, NDArray[Any]]:
    """Return a column of all runs of each strategy, whatever their start."""
    return {
        one: np.concatenate([columns[column] for (of, _), columns in runs.items() if of == one])
        for one in STRATEGIES
    }


def read_budget_runs() -> dict[str, NDArray[Any]]:
    """Return by strategy how much nearer the growing inner budget ends than the constant one, in powers of ten."""
    table = load_ends(
        "samothrakis-2011-inner-budgets",
        replace(PURE, iterations=40),
        BUDGET_SEEDS,
        varied={
            "evolution": (EQUAL, CMA),
            "inner_generations": (6, 1),
            "inner_growth": (0.0, 0.25),
        },
    )
    gains = {}
    for one in (EQUAL, CMA):
        constant, growing = (
            select_runs(table, evolution=one, inner_generations=first, inner_growth=growth)
            for first, growth in BUDGETS.values()
        )
        gains[one] = np.log10(constant["nash_conv"] / growing["nash_conv"])
    return gains


def read_network_runs(game: str) -> dict[str, Runs]:
    """Return the recorded runs of the paper's network for cards, by strategy: of 'kuhn' or '13-card' poker."""
    config, seeds = {"kuhn": (KUHN, range(1, 21)), "13-card": (THIRTEEN, range(1, 11))}[game]
    table = load_ends(
        f"samothrakis-2011-{game}-net", config, seeds, varied={"evolution": tuple(EVOLUTIONS)}
    )
    return {one: select_runs(table, evolution=one) for one in STRATEGIES}


def read_kuhn3_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded runs of Kuhn poker for three, by strategy and by how genes become non-negative."""
    runs: dict[tuple[str, str], Runs] = {}
    for one, name in ((EQUAL, "kp3-csa"), (CMA, "kp3")):
        table = load_ends(
            f"samothrakis-2011-{name}",
            replace(KUHN3, evolution=one),
            range(1, 11),
            target=1e-9,
            varied={"positive": WAYS},
        )
        runs |= {(one, way): select_runs(table, positive=way) for way in WAYS}
    return runs
