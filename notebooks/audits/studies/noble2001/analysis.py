"""Noble & Watson (2001): whether the recorded runs confirm the paper's conclusions, also if the text is read otherwise.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. The recordings of `studies.noble2001.recordings` go in. Differences
between regimes, with standard errors and p values, come out, and what they decide about a statement.

A *regime* is a way to select parents, such as Pareto selection or the regular algorithm with a roulette. *Alpha* and
*beta* are two groups of fixed opponents, from whom the strategies of a run win chips. The run is the unit of all tests.
Two regimes are compared between runs, which are paired by seed, since the runs of one seed begin alike. The two groups
of opponents, alpha and beta, are compared within runs. With two regimes and two groups a mixed analysis of variance
comes down to three t-tests, whose squared statistics are its F ratios: the test of the means over groups (regime), of
the differences between the groups (regime by group), and of the differences between the groups in the mean of both
regimes (group).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import scipy.stats

from pokerlab.core.arrays import Floats
from pokerlab.holdem import rule_genome as loci
from pokerlab.holdem.cards import FLOP, RIVER, STREETS, TURN
from pokerlab.holdem.rule_genome import NUM_GENES
from pokerlab.papers.noble2001 import (
    GROUPS,
    PARETO,
    ROULETTE,
    Config,
    make_encoding,
)
from pokerlab.papers.noble2001_effects import (
    CrossedEffect,
    Effect,
    average_by_run,
    collect_profits,
    measure_effect,
)
from pokerlab.runs import History
from studies.noble2001.changes import LAST_GENERATION, UNCHANGED, list_changes_of_interpretation
from studies.noble2001.recordings import COMPARED_GENERATIONS, list_neutral_genes

LEVEL = 0.05
"""The level of significance of the tests."""
DETECTABLE_ERRORS = 2.8
"""The size, in standard errors, of an effect that a two-sided test at 5% detects with probability 0.8: 1.96 + 0.84."""


def decide_sign_of_effect(effect: Effect | CrossedEffect, sign: int = 1) -> bool | None:
    """Return whether an effect has the sign that a statement gives it, by a two-sided test at 5%.

    Parameters
    ----------
    effect : Effect or CrossedEffect
        The measured effect, with its mean and its p value.
    sign : {1, -1}
        The sign of the statement.

    Returns
    -------
    bool or None
        True if the effect clearly has the sign, False if it clearly has the opposite sign, otherwise None.
    """
    if effect.p >= LEVEL:
        return None
    return bool(sign * effect.mean > 0)


def combine_outcomes_of_parts(outcomes: Iterable[bool | None]) -> bool | None:
    """Return whether a statement of several parts is true, given the outcome of each part.

    Parameters
    ----------
    outcomes : iterable of bool or None
        Whether each part is confirmed (True), contradicted (False) or open (None).

    Returns
    -------
    bool or None
        False if a part is contradicted. None if no part is contradicted and one is open. Otherwise True.
    """
    outcomes = list(outcomes)
    if False in outcomes:
        return False
    return None if None in outcomes else True


def find_detectable_effect(effect: Effect | CrossedEffect) -> float:
    """Return the smallest true effect that a two-sided test at 5% would have detected with probability 0.8.

    It is 2.8 times the standard error (`DETECTABLE_ERRORS`), in the unit of the effect.

    Parameters
    ----------
    effect : Effect or CrossedEffect
        The measured effect, with its standard error.
    """
    return DETECTABLE_ERRORS * effect.error


def format_p(p: float) -> str:
    """Return a p value as text with three decimals.

    Examples
    --------
    >>> format_p(0.0321), format_p(0.0004)
    ('p = 0.032', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def compute_profit_differences_by_split(
    splits: History, first_regime: str, second_regime: str
) -> Floats:
    """Return how much more the runs of one regime win than those of another, for each split of the opponents.

    A regime is a way to select parents. The opponents are split at random into two groups, many times.

    Parameters
    ----------
    splits : History
        The recording of `assess_runs_by_split`.
    first_regime, second_regime : str
        The names of the regimes. Their runs are paired by seed.

    Returns
    -------
    array of shape (splits, 2, runs)
        The first regime's profit minus the second's against each group of each split, for each pair of runs, in chips
        per 1,000 hands.
    """
    return collect_profits(splits, first_regime) - collect_profits(splits, second_regime)


def compute_permutation_distribution_of_lead_shares(differences: Floats) -> Floats:
    """Return in how many splits a regime would be ahead against both groups, if two regimes did not differ.

    A regime is a way to select parents, and a split divides the opponents into two groups. If the regimes do not
    differ, either run of a pair could be of either regime. So the permutation distribution exchanges the regimes in
    each subset of the pairs. All subsets are equally likely. The shares vary widely, because all splits share their
    runs.

    Parameters
    ----------
    differences : array of shape (splits, 2, runs)
        The profits of one regime minus those of the other against both groups, from
        `compute_profit_differences_by_split`.

    Returns
    -------
    array of shape (2^runs,)
        The share of splits in which the regime is ahead of the other against both groups, for each subset of exchanged
        pairs. The first entry is that of the runs as they are.
    """

    def sum_with_all_signs(differences_of_runs: Floats) -> Floats:
        """Return the sums over runs, each run with either sign: from (splits, 2, runs) to (splits, 2, 2^runs)."""
        num_runs = differences_of_runs.shape[2]
        signs = np.array([*product((1.0, -1.0), repeat=num_runs)])
        return np.asarray(differences_of_runs @ signs.T)

    # A way to exchange runs combines a way for the first half of them with one for the second half. So the sums over
    # each half are computed once, and added in pairs.
    first_half, second_half = np.array_split(differences, 2, axis=2)
    first_sums, second_sums = sum_with_all_signs(first_half), sum_with_all_signs(second_half)

    shares = []
    for index in range(first_sums.shape[2]):
        # One way for the first half, with all ways for the second half.
        total_differences = first_sums[:, :, index, None] + second_sums
        is_ahead_of_both = (total_differences > 0).all(axis=1)
        shares.append(is_ahead_of_both.mean(axis=0))
    return np.concatenate(shares)


class MixedAnalysis(NamedTuple):
    """A mixed analysis of variance of profits: two regimes between runs, and two groups of opponents within runs.

    A regime is a way to select parents.

    Attributes
    ----------
    regime : Effect
        The first regime minus the second, mean of both groups.
    group : Effect
        The first group minus the second, mean of both regimes.
    interaction : Effect
        The difference of the regimes in the first group, minus that in the second.
    """

    regime: Effect
    group: Effect
    interaction: Effect


def analyze_variance_of_regimes_and_groups(
    first_profits: Floats, second_profits: Floats
) -> MixedAnalysis:
    """Return the mixed analysis of variance of the profits of two regimes against two groups of opponents.

    A regime is a way to select parents. With two regimes and two groups the analysis comes down to three t-tests, whose
    squared statistics are its F ratios.

    Parameters
    ----------
    first_profits, second_profits : array of shape (runs, 2)
        The profits of the runs of each regime in chips per 1,000 hands, with a column for each group. The runs in a row
        are a pair with the same seed.

    Returns
    -------
    MixedAnalysis
        The effects of regime and group, and their interaction.
    """
    differences = first_profits - second_profits
    means_of_regimes = (first_profits + second_profits) / 2.0
    return MixedAnalysis(
        regime=measure_effect(differences.mean(axis=1)),
        group=measure_effect(means_of_regimes[:, 0] - means_of_regimes[:, 1]),
        interaction=measure_effect(differences[:, 0] - differences[:, 1]),
    )


class DifferenceUnderChange(NamedTuple):
    """The mean of a difference over runs in which one setting is changed.

    The difference is between regimes, groups of opponents or generations.

    Attributes
    ----------
    change : str
        The description of the changed setting.
    mean : float
        The mean of the difference over seeds.
    error : float
        The standard error of the mean, or NaN if there is one seed only.
    """

    change: str
    mean: float
    error: float


def select_column_of_regime(
    study: History, change: str, regime: str, column: str, generation: int
) -> Floats:
    """Return a recorded column of the runs of one regime in which one setting is changed.

    If the change has no effect on the regime, then there are no such runs. In that case the runs at the default
    settings are used.

    Parameters
    ----------
    study : History
        The recording of `measure_profits_halfway_and_at_end` of all changes.
    change : str
        The description of the changed setting.
    regime : str
        The regime of the runs, which is their way to select parents.
    column : str
        The name of the column.
    generation : int
        The generation that was measured.

    Returns
    -------
    array of shape (seeds,)
        The values, in the order of the seeds.
    """
    of_regime = (study["regime"] == regime) & (study["generation"] == generation)
    is_selected = of_regime & (study["change"] == change)
    if not is_selected.any():
        is_selected = of_regime & (study["change"] == UNCHANGED)
    by_seed = np.argsort(study["seed"][is_selected])
    values: Floats = study[column][is_selected][by_seed]
    return values


def compute_mean_differences_by_change(
    study: History, generation: int = LAST_GENERATION
) -> dict[str, list[DifferenceUnderChange]]:
    """Return the differences on which conclusions of Noble and Watson (2001) rest, for each change of a setting.

    Parameters
    ----------
    study : History
        The recording of `measure_profits_halfway_and_at_end` of all changes.
    generation : int
        The generation at which regimes and groups are compared.

    Returns
    -------
    dict of str to list of DifferenceUnderChange
        For each name, the means over seeds under all changes. All but 'bluff' are in chips per 1,000 hands.

        - 'alpha', 'beta' and 'both': the profit of Pareto selection minus that of the regular algorithm, against either
          group of opponents and in the mean of both.
        - 'group': the profit against alpha minus that against beta, mean of both regimes. - 'interaction': the
        difference 'alpha' minus the difference 'beta'. - 'bluff': the probability to bluff under Pareto selection minus
        that under the regular algorithm. - 'late Pareto' and 'late roulette': the profit of the regime at the end minus
        that halfway, mean of both groups.
    """
    differences: dict[str, list[DifferenceUnderChange]] = {}
    changes = dict.fromkeys(study["change"].tolist())  # each once, in their order
    for change in changes:
        for name, values in compute_differences_by_seed(study, change, generation).items():
            num_seeds = len(values)
            error = float(values.std(ddof=1) / np.sqrt(num_seeds)) if num_seeds > 1 else np.nan
            difference = DifferenceUnderChange(change, float(values.mean()), error)
            differences.setdefault(name, []).append(difference)
    return differences


def compute_differences_by_seed(study: History, change: str, generation: int) -> dict[str, Floats]:
    """Return the differences that `compute_mean_differences_by_change` averages, for each seed and one changed setting.

    Parameters
    ----------
    study : History
        The recording of `measure_profits_halfway_and_at_end` of all changes.
    change : str
        The description of the changed setting.
    generation : int
        The generation at which regimes and groups are compared.

    Returns
    -------
    dict of str to array of shape (seeds,)
        The differences by the names that `compute_mean_differences_by_change` describes.
    """
    columns_by_regime: dict[str, dict[str, Floats]] = {}
    for regime in (PARETO, ROULETTE):
        columns_by_regime[regime] = {
            column: select_column_of_regime(study, change, regime, column, generation)
            for column in (*GROUPS, "bluff")
        }

    pareto, regular = columns_by_regime[PARETO], columns_by_regime[ROULETTE]
    leads_of_pareto = {group: pareto[group] - regular[group] for group in GROUPS}
    group_differences = [
        columns["alpha"] - columns["beta"] for columns in columns_by_regime.values()
    ]
    differences = {
        **leads_of_pareto,
        "both": np.mean(list(leads_of_pareto.values()), axis=0),
        "group": np.mean(group_differences, axis=0),
        "interaction": leads_of_pareto["alpha"] - leads_of_pareto["beta"],
        "bluff": pareto["bluff"] - regular["bluff"],
    }

    halfway = generation // 2
    for regime, columns in columns_by_regime.items():
        late_gains = [
            columns[group] - select_column_of_regime(study, change, regime, group, halfway)
            for group in GROUPS
        ]
        differences[f"late {regime}"] = np.mean(late_gains, axis=0)
    return differences


def is_difference_significant(
    difference: DifferenceUnderChange, num_seeds: int, level: float = LEVEL
) -> bool:
    """Return whether a mean difference is not zero, by a two-sided t-test over seeds.

    Parameters
    ----------
    difference : DifferenceUnderChange
        The mean over seeds, with its standard error.
    num_seeds : int
        The number of seeds.
    level : float
        The level of significance.
    """
    critical_value = scipy.stats.t.ppf(1 - level / 2, num_seeds - 1)
    return bool(abs(difference.mean) > critical_value * difference.error)


def check_signs_under_each_interpretation(
    differences: Mapping[str, Sequence[DifferenceUnderChange]],
    signs: Mapping[str, int],
    num_seeds: int,
) -> dict[str, bool | None]:
    """Return whether differences have the signs of a statement, for each other interpretation of the paper's text.

    Parameters
    ----------
    differences : mapping of str to sequence of DifferenceUnderChange
        The differences by name, under each change of a setting, from `compute_mean_differences_by_change`.
    signs : mapping of str to int
        The names of the differences of which the statement speaks, each with the sign, 1 or -1, that it gives.
    num_seeds : int
        The number of seeds over which the differences are means.

    Returns
    -------
    dict of str to bool or None
        By the description of the interpretation: True if all differences clearly have their signs, False if one clearly
        has the opposite sign, otherwise None. A sign is clear by a two-sided test at 5%.
    """
    outcomes: dict[str, bool | None] = {}
    for interpretation in list_changes_of_interpretation():
        outcomes_of_parts = []
        for name, sign in signs.items():
            for difference in differences[name]:
                if difference.change == interpretation:
                    is_clear = is_difference_significant(difference, num_seeds)
                    outcomes_of_parts.append(sign * difference.mean > 0 if is_clear else None)
        outcomes[interpretation] = combine_outcomes_of_parts(outcomes_of_parts)
    return outcomes


def average_values_by_run(last_populations: History, values: Floats, regime: str) -> Floats:
    """Return the mean over the strategies of each run of a regime, of values that are given for all strategies.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy.
    values : array of shape (rows,)
        A number for each strategy.
    regime : str
        The regime of the runs, which is their way to select parents.

    Returns
    -------
    array of shape (runs,)
        The means, in the order of the seeds.
    """
    with_values = replace(last_populations, columns={**last_populations.columns, "values": values})
    return average_by_run(with_values, "values", regime)


def compute_behavior_of_strategies(last_populations: History) -> dict[str, Floats]:
    """Return how the strategies of last populations play, by their genes.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy and a column for each gene.

    Returns
    -------
    dict of str to array of shape (rows,)
        The first four entries are the properties that Noble and Watson (2001) name. The first is the weakest hand with
        which a strategy does not fold, mean of all streets. The other three are bits or means of bits: whether it bets
        the largest amount with a strong hand on the river, whether it does not fold a hand that is no better than the
        board, and whether it waits for a card that completes a straight or flush. The other entries are the weakest
        hands on each street, by the street's name. Hands are measured in ranks, thirteen for each category of hands.
    """

    def select_gene(street: int, locus: int) -> Floats:
        """Return the gene of all strategies for a locus of a street, (rows,)."""
        number = loci.FIRST_OF_STREETS + street * loci.GENES_A_STREET + locus
        return np.asarray(last_populations[f"gene_{number}"])

    def compute_weakest_hand(street: int, category_locus: int, rank_locus: int) -> Floats:
        """Return the weakest hand, in ranks, that two genes of a street describe by its category and rank, (rows,)."""
        lowest_rank = 2  # categories begin with 0
        category = select_gene(street, category_locus)
        rank = select_gene(street, rank_locus)
        return 13 * category + rank - lowest_rank

    # A strategy does not fold the minimum hand or a strong hand, so the weaker of both counts.
    weakest_hands = []
    for street in range(len(STREETS)):
        minimum_hand = compute_weakest_hand(street, loci.MINIMUM_CATEGORY, loci.MINIMUM_RANK)
        strong_hand = compute_weakest_hand(street, loci.STRONG_CATEGORY, loci.STRONG_RANK)
        weakest_hands.append(np.minimum(minimum_hand, strong_hand))

    board_bits = [select_gene(street, loci.BOARD_BIT) for street in (FLOP, TURN, RIVER)]
    waiting_loci = (loci.WAITS_FOR_STRAIGHT, loci.WAITS_FOR_FLUSH)
    waiting_bits = [select_gene(street, locus) for street in (FLOP, TURN) for locus in waiting_loci]
    return {
        "least hand to play on with (ranks)": np.mean(weakest_hands, axis=0),
        "bets all when strong, river": select_gene(RIVER, loci.BETS_ALL),
        "plays on without beating the board": np.mean(board_bits, axis=0),
        "waits one card short": np.mean(waiting_bits, axis=0),
        **dict(zip(STREETS, weakest_hands, strict=True)),
    }


def compare_behavior_of_regimes(
    last_populations: History, first_regime: str, second_regime: str
) -> dict[str, Effect]:
    """Return how the strategies of two regimes differ in each property of `compute_behavior_of_strategies`.

    A regime is a way to select parents. The p values of the four properties that Noble and Watson (2001) name are
    corrected for their number by the method of Benjamini and Hochberg. Those of single streets are not.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy.
    first_regime, second_regime : str
        The names of the regimes. Their runs are paired by seed.

    Returns
    -------
    dict of str to Effect
        The first regime minus the second over paired runs, by the name of the property.
    """
    effects = {}
    for name, values in compute_behavior_of_strategies(last_populations).items():
        first_means = average_values_by_run(last_populations, values, first_regime)
        second_means = average_values_by_run(last_populations, values, second_regime)
        effects[name] = measure_effect(first_means - second_means)

    names_in_paper = [name for name in effects if name not in STREETS]
    p_values = [effects[name].p for name in names_in_paper]
    corrected_p_values = scipy.stats.false_discovery_control(p_values)
    for name, p in zip(names_in_paper, corrected_p_values, strict=True):
        effects[name] = effects[name]._replace(p=float(p))
    return effects


def decide_signs_of_effects(effects: Mapping[str, Effect], signs: Mapping[str, int]) -> bool | None:
    """Return whether effects have the signs that a statement gives them, each by a two-sided test at 5%.

    Parameters
    ----------
    effects : mapping of str to Effect
        The measured effects by name.
    signs : mapping of str to int
        The names of the effects of which the statement speaks, each with the sign, 1 or -1, that it gives.

    Returns
    -------
    bool or None
        True if all effects clearly have their signs, False if one clearly has the opposite sign, otherwise None.
    """
    return combine_outcomes_of_parts(
        decide_sign_of_effect(effects[name], sign) for name, sign in signs.items()
    )


class SignCounts(NamedTuple):
    """In how many settings of the runs a difference has the sign that a statement gives it.

    Attributes
    ----------
    agreeing : int
        The number of settings in which the mean has the sign.
    clearly_opposite : int
        The number of settings in which the mean has the other sign by a test at 5%.
    corrected : int
        The number of settings in which it has the other sign by a test that is corrected for the number of settings
        (Bonferroni).
    """

    agreeing: int
    clearly_opposite: int
    corrected: int


def count_settings_by_sign(
    differences: Sequence[DifferenceUnderChange], sign: int, num_seeds: int
) -> SignCounts:
    """Return in how many settings a difference has a given sign, and in how many it clearly has the opposite sign.

    Parameters
    ----------
    differences : sequence of DifferenceUnderChange
        The difference under each change of a setting.
    sign : {1, -1}
        The sign that a statement gives to the difference.
    num_seeds : int
        The number of seeds over which the differences are means.
    """
    opposite_differences = [difference for difference in differences if sign * difference.mean <= 0]
    corrected_level = LEVEL / len(differences)
    num_clear = num_clear_after_correction = 0
    for difference in opposite_differences:
        num_clear += is_difference_significant(difference, num_seeds)
        num_clear_after_correction += is_difference_significant(
            difference, num_seeds, corrected_level
        )
    return SignCounts(
        agreeing=len(differences) - len(opposite_differences),
        clearly_opposite=num_clear,
        corrected=num_clear_after_correction,
    )


class FrontSummary(NamedTuple):
    """The ages and sizes of the fronts that Pareto selection keeps, in many runs.

    Attributes
    ----------
    ages : array of shape (members,)
        The ages of the members of all runs' last fronts, in generations counted from zero.
    medians : list of float
        The median age on the last front of each run.
    share_new : float
        The share of members that came in the last generation, mean over runs.
    smallest : int
        The size of the smallest front in all recorded generations.
    fewest_undominated : int
        The smallest number of non-dominated strategies in all recorded generations.
    """

    ages: Floats
    medians: list[float]
    share_new: float
    smallest: int
    fewest_undominated: int


def summarize_front_of_pareto(last_populations: History, long_runs: History) -> FrontSummary:
    """Return the ages and sizes of the fronts that Pareto selection keeps, from two recordings.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy.
    long_runs : History
        The recording of long runs, with a row for each measured generation.
    """
    is_on_front = (last_populations["regime"] == PARETO) & last_populations["kept"]
    ages_by_run = [
        last_populations["age"][is_on_front & (last_populations["seed"] == seed)]
        for seed in np.unique(last_populations["seed"])
    ]
    shares_of_new = [np.mean(ages == 0) for ages in ages_by_run]
    sizes = [len(ages) for ages in ages_by_run]

    of_pareto = long_runs["regime"] == PARETO
    smallest_in_long_runs = int(long_runs["front"][of_pareto].min())
    fewest_undominated = min(
        last_populations["undominated"][is_on_front].min(),
        long_runs["undominated"][of_pareto].min(),
    )
    return FrontSummary(
        ages=last_populations["age"][is_on_front],
        medians=[float(np.median(ages)) for ages in ages_by_run],
        share_new=float(np.mean(shares_of_new)),
        smallest=min(*sizes, smallest_in_long_runs),
        fewest_undominated=int(fewest_undominated),
    )


def join_recordings_for_shared_splits(splits: History, more_splits: History) -> History:
    """Return two recordings of `assess_runs_by_split` as one, without the splits that only the first one has.

    A split divides the opponents into two groups.

    Parameters
    ----------
    splits, more_splits : History
        The recordings, which have different runs and the same columns. The splits of the second one must be among those
        of the first.
    """
    is_shared = np.isin(splits["split"], more_splits["split"])
    columns = {
        name: np.concatenate([splits[name][is_shared], more_splits[name]])
        for name in more_splits.columns
    }
    return replace(splits, columns=columns)


class LongRuns:
    """The recorded long runs of both regimes, with methods that compare late generations with early ones.

    A regime is a way to select parents, and its runs differ by their seeds. Early generations are 50 to 150, and late
    ones are the last fifth of a run.

    Parameters
    ----------
    long_runs : History
        The recording of `record_long_run`.

    Attributes
    ----------
    measured : array of shape (generations,)
        The numbers of the measured generations.
    is_early, is_late : array of bool of shape (generations,)
        Whether each measured generation is early, and whether it is late.
    """

    def __init__(self, long_runs: History) -> None:
        self.history = long_runs
        self.measured = np.unique(long_runs["generation"])
        self.is_early = (self.measured >= 50) & (self.measured <= 150)
        self.is_late = self.measured > 0.8 * self.measured.max()

    def select_curves(self, regime: str, column: str, seed: int | None = None) -> Floats:
        """Return a recorded column of the runs of a regime, by measured generation.

        Parameters
        ----------
        regime : str
            The regime of the runs.
        column : str
            The name of the column.
        seed : int, optional
            The seed of a single run. By default all runs of the regime are selected.

        Returns
        -------
        array of shape (seeds, generations)
            The values of each run at the measured generations.
        """
        is_selected = self.history["regime"] == regime
        if seed is not None:
            is_selected &= self.history["seed"] == seed
        return np.asarray(self.history[column][is_selected].reshape(-1, len(self.measured)))

    def average_late_generations(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the mean of recorded columns over the late generations of each run of a regime.

        Parameters
        ----------
        regime : str
            The regime of the runs.
        columns : sequence of str
            The names of the columns, which are averaged.

        Returns
        -------
        array of shape (seeds,)
            The mean of each run.
        """
        late_means = [
            self.select_curves(regime, column)[:, self.is_late].mean(axis=1) for column in columns
        ]
        return np.asarray(np.mean(late_means, axis=0))

    def compute_changes_from_early_to_late(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return how much recorded columns change from early to late generations in each run of a regime.

        A change is the mean over late generations minus that over early ones, averaged over the columns.

        Parameters
        ----------
        regime : str
            The regime of the runs.
        columns : sequence of str
            The names of the columns.

        Returns
        -------
        array of shape (seeds,)
            The change in each run.
        """
        early_means = [
            self.select_curves(regime, column)[:, self.is_early].mean(axis=1) for column in columns
        ]
        late_means = self.average_late_generations(regime, columns)
        return np.asarray(late_means - np.mean(early_means, axis=0))

    def measure_change_from_early_to_late(self, regime: str, columns: Sequence[str]) -> Effect:
        """Return the mean change from early to late generations over the runs of a regime, with tests of it.

        Parameters
        ----------
        regime : str
            The regime of the runs.
        columns : sequence of str
            The names of the recorded columns over which the change is averaged.
        """
        return measure_effect(self.compute_changes_from_early_to_late(regime, columns))

    def collect_profits_from_ancestors(self, regime: str) -> dict[tuple[int, int], Floats]:
        """Return what later generations win from earlier ones of the same run, if both play at the same tables.

        Parameters
        ----------
        regime : str
            The regime of the runs.

        Returns
        -------
        dict of tuple of two ints to array of shape (seeds,)
            The profits of each run in chips per 1,000 hands, by the pair of an earlier and a later generation, both of
            `COMPARED_GENERATIONS`.
        """
        profits = {}
        for earlier, later in combinations(COMPARED_GENERATIONS, 2):
            curves = self.select_curves(regime, f"from {earlier}")
            (index,) = np.flatnonzero(self.measured == later)
            profits[earlier, later] = curves[:, index]
        return profits

    def average_profits_from_ancestors(self, regime: str) -> list[float]:
        """Return what later generations win on average from each earlier one of the same run.

        Parameters
        ----------
        regime : str
            The regime of the runs.

        Returns
        -------
        list of float
            The mean profit from each of `COMPARED_GENERATIONS` but the last, in their order, in chips per 1,000 hands.
        """
        profits_by_pair = self.collect_profits_from_ancestors(regime)
        averages = []
        for ancestor in COMPARED_GENERATIONS[:-1]:
            mean_profits = [
                profits.mean()
                for (earlier, _), profits in profits_by_pair.items()
                if earlier == ancestor
            ]
            averages.append(float(np.mean(mean_profits)))
        return averages

    def measure_profit_from_ancestors(
        self, regime: str, first: int = 100, last: float = np.inf
    ) -> Effect:
        """Return what later generations win on average from the earlier generations in a range, with tests of it.

        Parameters
        ----------
        regime : str
            The regime of the runs.
        first, last : float
            The first and the last earlier generation that counts.

        Returns
        -------
        Effect
            The mean over seeds in chips per 1,000 hands, with its standard error.
        """
        selected_profits = [
            profits
            for (earlier, _), profits in self.collect_profits_from_ancestors(regime).items()
            if first <= earlier <= last
        ]
        return measure_effect(np.mean(selected_profits, axis=0))

    def measure_moves_of_mean_genes(self, regime: str) -> tuple[float, float]:
        """Return how far the mean of a gene moves from one measured generation to the next, as a share of its range.

        Generations before the 50th are left out.

        Parameters
        ----------
        regime : str
            The regime of the runs.

        Returns
        -------
        tuple of two floats
            The average move of the genes that have no effect on play, and that of all others.
        """
        encoding = make_encoding(Config(seed=0))
        curves = [self.select_curves(regime, f"gene_{gene}") for gene in range(NUM_GENES)]
        means = np.stack(curves, axis=2)  # (seeds, measured generations, genes)
        scaled_means = means[:, self.measured >= 50] / (encoding.high - encoding.low)
        moves = np.abs(np.diff(scaled_means, axis=1)).mean(axis=(0, 1))  # of each gene
        is_neutral = np.isin(np.arange(NUM_GENES), list_neutral_genes())
        return moves[is_neutral].mean(), moves[~is_neutral].mean()
