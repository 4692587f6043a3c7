"""The paper's Figure 2: where the runs of each regime end, strategy by strategy, and the regimes compared.

Each run is judged by what its last population wins from alpha and beta. The run is the unit: regimes
are compared between runs, paired by seed, since those of one seed begin alike; groups within runs.

With two regimes and two groups a mixed analysis of variance comes down to three t-tests, whose squares
are its F ratios: on the sums over the groups (regime), on the differences between the groups
(regime by group), and on these differences as they are (group).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.noble2001.assessment import GROUPS, assess
from pokerlab.papers.noble2001.experiment import PARETO, ROULETTE, Config, solver
from pokerlab.papers.noble2001.measures import num_undominated
from pokerlab.runs import History, sweep
from pokerlab.strategies.players.rule_decision import NUM_GENES

HANDS, SEQUENCES = 500, 20
"""Each strategy plays so many hands of so many sequences against each group."""


def last_population(config: Config) -> list[dict[str, float]]:
    """Run a coevolution and return a row for each strategy of its last population.

    Columns: place, whether it is kept, age, chips won and hands played in the last generation, how
    many of the population are non-dominated, mean chips per 1,000 hands against each group, and
    the genes.
    """
    coevolution = solver(config)
    state = coevolution.step(coevolution.init(), config.iterations)
    genomes = state.population[0]
    against = {
        name: assess(
            coevolution.game,
            coevolution.encoding,
            genomes,
            group,
            hands=HANDS,
            sequences=SEQUENCES,
            seed=1,
        ).mean(axis=0)
        for name, group in GROUPS.items()
    }
    undominated = num_undominated(state)
    return [
        {
            "place": place,
            "kept": bool(state.front[0, place]),
            "age": int(state.ages[0, place]),
            "profit": int(state.profit[0, place]),
            "hands": int(state.hands[0, place]),
            "undominated": undominated,
            **{name: float(won[place]) for name, won in against.items()},
            **{f"gene_{gene}": float(value) for gene, value in enumerate(genome)},
        }
        for place, genome in enumerate(genomes)
    ]


def final_populations(
    config: Config | None = None,
    *,
    regimes: Sequence[str] = (PARETO, ROULETTE),
    seeds: Iterable[int] = range(20),
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return `last_population` of each regime and seed; the other settings are those of `config`."""
    return sweep(
        last_population,
        {"regime": list(regimes)},
        config=Config(seed=0) if config is None else config,
        seeds=seeds,
        workers=workers,
        folder=folder,
    )


def genomes_of(history: History, regime: str, seed: int) -> Floats:
    """Return the last population of a run from `final_populations`, (N, 42); empty if there is none."""
    mine = (history["regime"] == regime) & (history["seed"] == seed)
    return np.column_stack([history[f"gene_{gene}"][mine] for gene in range(NUM_GENES)])


class Effect(NamedTuple):
    """One effect, over paired runs.

    Attributes
    ----------
    mean, error : float
        The mean difference and its standard error.
    t : float
        Student's t; F is its square.
    p : float
        Two-sided.
    wilcoxon : float
        Two-sided p of Wilcoxon's signed-rank test, which assumes no normal distribution.
    normal : float
        p of Shapiro and Wilk's test that the differences are normal.
    """

    mean: float
    error: float
    t: float
    p: float
    wilcoxon: float
    normal: float


class Mixed(NamedTuple):
    """A mixed analysis of variance of two regimes between runs and two groups within.

    Attributes
    ----------
    regime : Effect
        Of the first regime less the second, mean of both groups.
    group : Effect
        Of the first group less the second, mean of both regimes.
    interaction : Effect
        By how much the regimes differ more in the first group than in the second.
    """

    regime: Effect
    group: Effect
    interaction: Effect


def by_run(history: History, column: str, regime: str, among: Bools | None = None) -> Floats:
    """Return the mean of a column over the strategies of each run, in the order of the seeds.

    Parameters
    ----------
    history : History
        From `final_populations`.
    column : str
        What is averaged.
    regime : str
        Whose runs.
    among : ndarray of bool, shape (rows,), optional
        Which strategies count, such as those kept.

    Raises
    ------
    SettingError
        If there is no such run, or nobody to count in one.
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


def paired(differences: Floats) -> Effect:
    """Return the effect whose value in each pair of runs is known, (pairs,)."""
    test = scipy.stats.ttest_1samp(differences, 0.0)
    return Effect(
        float(differences.mean()),
        float(scipy.stats.sem(differences)),
        float(test.statistic),
        float(test.pvalue),
        float(scipy.stats.wilcoxon(differences).pvalue),
        float(scipy.stats.shapiro(differences).pvalue),
    )


def mixed_analysis(first: Floats, second: Floats) -> Mixed:
    """Return the mixed analysis of two regimes, (runs, 2) each: rows paired, columns the groups."""
    difference = first - second
    both = (first + second) / 2.0
    return Mixed(
        regime=paired(difference.mean(axis=1)),
        group=paired(both[:, 0] - both[:, 1]),
        interaction=paired(difference[:, 0] - difference[:, 1]),
    )
