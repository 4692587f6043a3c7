"""Noble & Watson (2001): the profits of recorded runs, and the tests of differences between regimes.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

A *regime* is a way to select parents, such as Pareto selection. The runs of two regimes with the same seed begin with
the same population, and so they are a pair. Effects are means of the differences of such pairs.
"""

from typing import NamedTuple

import numpy as np
import scipy

from pokerlab.core import Bools, Floats, SettingError
from pokerlab.runs import History


class Effect(NamedTuple):
    """The mean difference of paired runs, with tests of it.

    The runs of two regimes with the same seed begin with the same population, and so they are a pair.

    Attributes
    ----------
    mean : float
        The mean of the differences.
    error : float
        The standard error of the mean.
    t : float
        Student's statistic of the hypothesis that the mean is zero.
    p : float
        The two-sided p value of that statistic.
    wilcoxon : float
        The two-sided p value of Wilcoxon's signed-rank test, which assumes no normal distribution.
    normal : float
        The p value of Shapiro and Wilk's test that the differences are normally distributed.
    """

    mean: float
    error: float
    t: float
    p: float
    wilcoxon: float
    normal: float


def average_by_run(
    history: History, column: str, regime: str, is_counted: Bools | None = None
) -> Floats:
    """Return the mean of a column over the strategies of each run of a regime.

    A regime is a way to select parents.

    Parameters
    ----------
    history : History
        The last populations of runs, as a study of the audit recorded them, with a row for each strategy.
    column : str
        The name of the column that is averaged.
    regime : str
        The regime of the runs.
    is_counted : ndarray of bool, shape (rows,), optional
        Whether each strategy counts, such as those on the front. By default all strategies count.

    Returns
    -------
    ndarray, shape (runs,)
        The mean of each run, in the order of the seeds.

    Raises
    ------
    SettingError
        If there is no run of the regime, or one of its runs has no strategy that counts.
    """
    is_of_regime = history["regime"] == regime
    is_averaged = is_of_regime if is_counted is None else is_of_regime & is_counted
    seeds = np.unique(history["seed"][is_of_regime])
    values_by_run = [history[column][is_averaged & (history["seed"] == seed)] for seed in seeds]
    if not len(seeds) or min(map(len, values_by_run)) == 0:
        raise SettingError(
            f"there is a run of '{regime}' without such strategies, or there is no run; recorded are:"
            f" {', '.join(sorted(set(history['regime'])))}."
        )
    return np.array([values.mean() for values in values_by_run])


def collect_profits(splits: History, regime: str) -> Floats:
    """Return the profits of a regime's runs against both groups, for each split of the opponents into two groups.

    A regime is a way to select parents.

    Parameters
    ----------
    splits : History
        A study of the audit in which each run was assessed by random splits of the opponents. A row has the 'split',
        the 'regime', the 'run', and the profits against the 'first' and the 'second' group.
    regime : str
        The regime of the runs.

    Returns
    -------
    ndarray, shape (splits, 2, runs)
        The profits in chips per 1,000 hands, in the order of splits, groups and runs.
    """
    is_of_regime = splits["regime"] == regime
    num_splits = len(np.unique(splits["split"][is_of_regime]))

    # The rows of the study are ordered by splits, and within a split by runs.
    first_profits = splits["first"][is_of_regime].reshape(num_splits, -1)
    second_profits = splits["second"][is_of_regime].reshape(num_splits, -1)
    return np.stack([first_profits, second_profits], axis=1)


def measure_effect(differences: Floats) -> Effect:
    """Return the mean of the differences between paired runs, with its standard error and significance tests.

    Parameters
    ----------
    differences : ndarray, shape (pairs,)
        The difference between the two runs of each pair. There must be at least three pairs.

    Returns
    -------
    Effect
        The mean, in the unit of the differences, its error and the tests.
    """
    student = scipy.stats.ttest_1samp(differences, 0.0)
    return Effect(
        mean=float(differences.mean()),
        error=float(scipy.stats.sem(differences)),
        t=float(student.statistic),
        p=float(student.pvalue),
        wilcoxon=float(scipy.stats.wilcoxon(differences).pvalue),
        normal=float(scipy.stats.shapiro(differences).pvalue),
    )


class CrossedEffect(NamedTuple):
    """The mean of a table of numbers whose rows and columns are both drawn at random.

    Attributes
    ----------
    mean : float
        The mean of the table.
    error : float
        The standard error of the mean.
    p : float
        The two-sided p value of the hypothesis that the true mean is zero.
    """

    mean: float
    error: float
    p: float


def measure_crossed_effect(table: Floats) -> CrossedEffect:
    """Return the mean of a table of numbers whose rows and columns are both drawn at random, with its standard error.

    For example, rows are random splits of the opponents into groups, and columns are runs. The variance of the mean is
    estimated by (MS of rows + MS of columns - MS of residuals) / cells, where MS are the mean squares of the two-way
    analysis of variance. The degrees of freedom of this variance are Satterthwaite's (F. E. Satterthwaite, "An
    approximate distribution of estimates of variance components", Biometrics Bulletin 2, 1946).

    Parameters
    ----------
    table : ndarray, shape (rows, columns)
        The numbers, such as differences of two regimes. There must be at least two rows and two columns.

    Returns
    -------
    CrossedEffect
        The mean, in the unit of the numbers, its standard error, and a p value.
    """
    num_rows, num_columns = table.shape
    row_means, column_means, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    residuals = table - row_means[:, None] - column_means + mean

    mean_squares = np.array(
        [num_columns * row_means.var(ddof=1), num_rows * column_means.var(ddof=1)]
    )
    degrees_of_freedom = np.array([num_rows - 1, num_columns - 1])
    residual_mean_square = np.square(residuals).sum() / degrees_of_freedom.prod()

    # By chance the sum minus the residual may be too small. So it is at least the mean square of one factor.
    combined_square = max(mean_squares.sum() - residual_mean_square, mean_squares.max())
    combined_degrees = combined_square**2 / (np.square(mean_squares) / degrees_of_freedom).sum()
    error = np.sqrt(combined_square / table.size)
    p = 2 * scipy.stats.t.sf(abs(mean) / error, combined_degrees)
    return CrossedEffect(mean, error, p)
