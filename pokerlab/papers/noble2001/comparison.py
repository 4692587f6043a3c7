"""Regimes compared: the run is the unit, regimes are paired by seed, and groups are met within runs.

With two regimes and two groups a mixed analysis of variance comes down to three t-tests, whose squares
are its F ratios: on the sums over the groups (regime), on the differences between the groups
(regime by group), and on these differences as they are (group).
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.runs import History


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
    test = stats.ttest_1samp(differences, 0.0)
    return Effect(
        float(differences.mean()),
        float(stats.sem(differences)),
        float(test.statistic),
        float(test.pvalue),
        float(stats.wilcoxon(differences).pvalue),
        float(stats.shapiro(differences).pvalue),
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
