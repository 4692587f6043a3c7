"""Where coevolutions of small games end, by several interpretations of Samothrakis & Lucas (2011).

Do they end where the paper says, whatever its text leaves open? The statements are those of section 4.1 about
rock-paper-scissors, Kuhn poker for two and for three players, and poker with 13 cards. Recorded runs by several
interpretations of the text come out, and verdicts on statements about them.

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
from studies.audit import Finding, decide_verdict_by_interpretations
from studies.samothrakis2011.ends import load_or_run_coevolutions

CMA, DIAGONAL, EQUAL, PYCMA = EVOLUTIONS
"""CMA-ES, CMA-ES with a diagonal covariance, CSA-ES with equal weights, and CSA-ES with the weights of pycma."""
STRATEGIES = (EQUAL, PYCMA, DIAGONAL, CMA)
"""The evolution strategies that were run, the default interpretation first."""
OUTER_BEST, LAST_INNER_BEST, GENOME_ITSELF = "outer best", "last inner best", "the genome itself"
STARTS = (OUTER_BEST, LAST_INNER_BEST, GENOME_ITSELF)
"""From which genome an inner evolution begins: two heuristics of section 3.3 in their order, and Algorithm 1."""
TARGET = 1e-10
"""The exploitability at which a run in rock-paper-scissors ends, in points; the largest payoff is 50."""
SMALL_TARGET = 1e-9
"""The exploitability at which a run in Kuhn poker for three ends, in chips."""
PURE_EVOLUTION = Config(
    game=RPS, representation="direct", worst_case="inner evolution", iterations=250, seed=1
)
"""The purely evolutionary version in rock-paper-scissors, with a genome of three numbers."""
PURE_EVOLUTION_OF_NETWORKS = replace(PURE_EVOLUTION, representation="one network", hidden=1)
"""The same version, whose genomes are the weights of a network of 0 inputs, 1 hidden unit and 3 outputs."""
RPS_SEEDS = range(1, 4)


class InnerBudget(NamedTuple):
    """How long inner evolutions look for best responses: `first` + t * `growth` generations in outer generation t.

    Attributes
    ----------
    first : int
        The number of inner generations at first: the setting 'inner_generations' of `Config`.
    growth : float
        How many inner generations are added in each outer generation: the setting 'inner_growth'.
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


def decide_verdict_by_majority(agreeing_runs: Mapping[str, Bools]) -> Finding:
    """Decide whether a statement about runs is reproduced, by the majority of the runs of each interpretation.

    An *interpretation* is a way to read what the text of the paper leaves open. It confirms the statement if more than
    half of its runs agree with it, and contradicts it otherwise. `decide_verdict_by_interpretations` has the rule for
    the verdict.

    Parameters
    ----------
    agreeing_runs : mapping of str to ndarray of bool, shape (runs,)
        Whether each run agrees with the statement, by the name of the interpretation, the default one first.

    Returns
    -------
    Finding
        The verdict. Its reason ends with the number of agreeing runs of each interpretation.
    """
    outcomes = {}
    counts = []
    for interpretation, agrees in agreeing_runs.items():
        num_agreeing, num_runs = np.sum(agrees), np.size(agrees)
        outcomes[interpretation] = bool(2 * num_agreeing > num_runs)
        counts.append(f"{interpretation} {num_agreeing} of {num_runs}")

    finding = decide_verdict_by_interpretations(outcomes)
    return finding._replace(why=f"{finding.why}. Runs that give it: {'; '.join(counts)}")


def format_share_with_interval(successes: Bools) -> str:
    """Return the share of successful runs as text with its 95% interval by Wilson, such as '17 of 20 (64–95%)'.

    Parameters
    ----------
    successes : ndarray of bool, shape (runs,)
        Whether each run was successful.
    """
    num_successes, num_runs = int(np.sum(successes)), int(np.size(successes))
    low, high = binomtest(num_successes, num_runs).proportion_ci(method="wilson")
    return f"{num_successes} of {num_runs} ({100 * low:.0f}–{high:.0%})"


def select_runs_by_settings(table: History, **settings: object) -> Runs:
    """Return the columns of a table of runs, with only those runs that have the given settings.

    Parameters
    ----------
    table : History
        The table, with a row for each run.
    **settings
        The value that a run must have in a column, by the name of the column, such as ``evolution="CMA-ES"``.

    Returns
    -------
    dict of str to ndarray, shape (selected runs,)
        The columns by name.
    """
    is_selected = np.ones(len(table), dtype=bool)
    for column_name, value in settings.items():
        is_selected &= table[column_name] == value
    return {name: column[is_selected] for name, column in table.columns.items()}


@cache
def load_rps_runs(evolves_network: bool) -> dict[tuple[str, str], Runs]:
    """Return the recorded coevolutions of rock-paper-scissors in which best responses are found by evolution, too.

    In this purely evolutionary version of the algorithm (Samothrakis & Lucas 2011, Algorithm 1) an inner evolution
    looks for a best response to each genome of the outer evolution. Its *start* is the genome from which it begins.

    Parameters
    ----------
    evolves_network : bool
        Whether genomes are the weights of a network of 0 inputs, 1 hidden unit and 3 outputs. If False, they are three
        genes.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by the evolution strategy of the outer evolution and by the start of the inner ones, in
        the order of `STRATEGIES` and `STARTS`.
    """
    runs = load_rps_network_runs() if evolves_network else load_rps_gene_runs()
    return {(strategy, start): runs[strategy, start] for strategy in STRATEGIES for start in STARTS}


def load_rps_network_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded coevolutions of rock-paper-scissors that evolve networks, and best responses, too.

    In this purely evolutionary version of the algorithm (Samothrakis & Lucas 2011, Algorithm 1) an inner evolution
    looks for a best response to each genome of the outer evolution. Its *start* is the genome from which it begins.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by the evolution strategy of the outer evolution (one of `STRATEGIES`) and by the start
        of the inner ones (one of `STARTS`).
    """
    by_cma = load_rps_runs_by_cma("samothrakis-2011-rps-net", PURE_EVOLUTION_OF_NETWORKS)
    others = load_or_run_coevolutions(
        "samothrakis-2011-rps-net-starts",
        PURE_EVOLUTION_OF_NETWORKS,
        RPS_SEEDS,
        target_exploitability=TARGET,
        varied_settings={"evolution": (EQUAL, PYCMA, DIAGONAL), "inner_start": STARTS},
    )
    return by_cma | group_runs_by_strategy_and_start(others, STARTS)


def load_rps_gene_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded coevolutions of rock-paper-scissors that evolve three genes, and best responses, too.

    In this purely evolutionary version of the algorithm (Samothrakis & Lucas 2011, Algorithm 1) an inner evolution
    looks for a best response to each genome of the outer evolution. Its *start* is the genome from which it begins.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by the evolution strategy of the outer evolution (one of `STRATEGIES`) and by the start
        of the inner ones (one of `STARTS`).
    """
    by_cma = load_rps_runs_by_cma("samothrakis-2011-rps-genes", PURE_EVOLUTION)
    other_starts = (OUTER_BEST, GENOME_ITSELF)
    others = load_or_run_coevolutions(
        "samothrakis-2011-rps-starts",
        PURE_EVOLUTION,
        RPS_SEEDS,
        target_exploitability=TARGET,
        varied_settings={"evolution": (EQUAL, PYCMA, DIAGONAL), "inner_start": other_starts},
    )
    runs = by_cma | group_runs_by_strategy_and_start(others, other_starts)

    # The runs of the third start have a file of their own.
    from_last_inner_best = load_rps_runs_from_last_inner_best()
    for strategy in (EQUAL, PYCMA, DIAGONAL):
        runs[strategy, LAST_INNER_BEST] = select_runs_by_settings(
            from_last_inner_best, evolution=strategy
        )
    return runs


def load_rps_runs_by_cma(file_name: str, config: Config) -> dict[tuple[str, str], Runs]:
    """Return the recorded coevolutions of rock-paper-scissors whose outer evolution is CMA-ES.

    An inner evolution looks for a best response to each genome of the outer evolution. Its *start* is the genome from
    which it begins. Half of the runs have 5 inner generations, and half have 30.

    Parameters
    ----------
    file_name : str
        The name of the file in `data/runs`, without its ending.
    config : Config
        The settings that all runs of the file share.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by the name of CMA-ES and by the start of the inner evolutions (one of `STARTS`).
    """
    varied_settings = {
        "inner_start": (LAST_INNER_BEST, OUTER_BEST, GENOME_ITSELF),
        "inner_generations": (5, 30),
    }
    table = load_or_run_coevolutions(
        file_name,
        config,
        RPS_SEEDS,
        target_exploitability=TARGET,
        varied_settings=varied_settings,
    )
    return {(CMA, start): select_runs_by_settings(table, inner_start=start) for start in STARTS}


def group_runs_by_strategy_and_start(
    table: History, starts: tuple[str, ...]
) -> dict[tuple[str, str], Runs]:
    """Return the runs of a table in groups: those with the same outer evolution strategy and the same inner start.

    In these coevolutions an inner evolution looks for a best response to each genome of the outer evolution. Its
    *start* is the genome from which it begins. Runs by CMA-ES have tables of their own (`load_rps_runs_by_cma`).

    Parameters
    ----------
    table : History
        A table of runs with the columns 'evolution' and 'inner_start'.
    starts : tuple of str
        The starts that the table has, from `STARTS`.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by evolution strategy and start.
    """
    return {
        (strategy, start): select_runs_by_settings(table, evolution=strategy, inner_start=start)
        for strategy in (EQUAL, PYCMA, DIAGONAL)
        for start in starts
    }


def load_rps_runs_from_last_inner_best() -> History:
    """Return the recorded coevolutions of rock-paper-scissors whose inner evolutions begin at the last inner best.

    They evolve three genes. An inner evolution looks for a best response to each genome of the outer evolution. It
    begins at the best response that the inner evolution before it found.

    Returns
    -------
    History
        A table with a row for each run. Its column 'evolution' has the outer evolution strategy, one of the paper's
        four.
    """
    return load_or_run_coevolutions(
        "samothrakis-2011-rps-outer",
        PURE_EVOLUTION,
        RPS_SEEDS,
        target_exploitability=TARGET,
        varied_settings={"evolution": tuple(EVOLUTIONS)},
    )


def pool_column_over_starts(
    runs: Mapping[tuple[str, str], Runs], column_name: str
) -> dict[str, NDArray[Any]]:
    """Return the values of a column in all runs of an evolution strategy, whatever the start of their inner evolutions.

    Parameters
    ----------
    runs : mapping of (str, str) to dict of str to ndarray
        The columns of the runs, by evolution strategy and by start, the genome from which inner evolutions begin.
    column_name : str
        The name of the column.

    Returns
    -------
    dict of str to ndarray, shape (runs of the strategy,)
        The values, by evolution strategy.
    """
    pooled = {}
    for strategy in STRATEGIES:
        parts = [
            columns[column_name]
            for (strategy_of_runs, _), columns in runs.items()
            if strategy_of_runs == strategy
        ]
        pooled[strategy] = np.concatenate(parts)
    return pooled


def load_gains_of_growing_budget() -> dict[str, Floats]:
    """Return how many powers of ten nearer to equilibrium runs end if inner evolutions grow than if they do not.

    The recorded runs are coevolutions of rock-paper-scissors. In them an inner evolution looks for a best response to
    each genome of the outer evolution. They end after `BUDGET_ITERATIONS` outer generations. The number of inner
    generations grows (`GROWING_BUDGET`) or is constant (`CONSTANT_BUDGET`); both need about the same number of matches.

    Returns
    -------
    dict of str to ndarray, shape (20,)
        The gain with each of `BUDGET_SEEDS`, by outer evolution strategy: CSA-ES with equal weights, and CMA-ES. The
        gain is the common logarithm of a ratio: the exploitability with the constant budget over that with the growing
        one. It is positive if the growing budget ends nearer to equilibrium.
    """
    table = load_or_run_coevolutions(
        "samothrakis-2011-inner-budgets",
        replace(PURE_EVOLUTION, iterations=BUDGET_ITERATIONS),
        BUDGET_SEEDS,
        varied_settings={
            "evolution": (EQUAL, CMA),
            "inner_generations": (CONSTANT_BUDGET.first, GROWING_BUDGET.first),
            "inner_growth": (CONSTANT_BUDGET.growth, GROWING_BUDGET.growth),
        },
    )

    def select_exploitability(strategy: str, budget: InnerBudget) -> Floats:
        """Return the exploitability at the end of the runs with an outer evolution strategy and a budget, by seed."""
        runs = select_runs_by_settings(
            table,
            evolution=strategy,
            inner_generations=budget.first,
            inner_growth=budget.growth,
        )
        return runs["nash_conv"]

    gains = {}
    for strategy in (EQUAL, CMA):
        with_constant = select_exploitability(strategy, CONSTANT_BUDGET)
        with_growing = select_exploitability(strategy, GROWING_BUDGET)
        gains[strategy] = np.log10(with_constant / with_growing)
    return gains


def load_card_network_runs(game: str) -> dict[str, Runs]:
    """Return the recorded coevolutions of the paper's network in a card game, by evolution strategy.

    Parameters
    ----------
    game : str
        'kuhn' for Kuhn poker, with twenty seeds, or '13-card' for poker with 13 cards, with ten.

    Returns
    -------
    dict of str to dict of str to ndarray
        The columns of the runs, by evolution strategy, in the order of `STRATEGIES`.

    Raises
    ------
    KeyError
        If there are no recorded runs of the game.
    """
    config, seeds = {
        "kuhn": (KUHN, range(1, 21)),
        "13-card": (THIRTEEN_CARDS, range(1, 11)),
    }[game]
    table = load_or_run_coevolutions(
        f"samothrakis-2011-{game}-net",
        config,
        seeds,
        varied_settings={"evolution": tuple(EVOLUTIONS)},
    )
    return {strategy: select_runs_by_settings(table, evolution=strategy) for strategy in STRATEGIES}


def load_kuhn3_runs() -> dict[tuple[str, str], Runs]:
    """Return the recorded coevolutions of Kuhn poker for three players, by evolution strategy and by form of the genes.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns of the runs, by evolution strategy (CSA-ES with equal weights, or CMA-ES) and by how genes become
        non-negative (`POSITIVE_MAPS`).
    """
    runs: dict[tuple[str, str], Runs] = {}
    for strategy, file_ending in ((EQUAL, "kp3-csa"), (CMA, "kp3")):
        table = load_or_run_coevolutions(
            f"samothrakis-2011-{file_ending}",
            replace(KUHN3, evolution=strategy),
            KUHN3_SEEDS,
            target_exploitability=SMALL_TARGET,
            varied_settings={"positive": POSITIVE_MAPS},
        )
        for positive in POSITIVE_MAPS:
            runs[strategy, positive] = select_runs_by_settings(table, positive=positive)
    return runs
