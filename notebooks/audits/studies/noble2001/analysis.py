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

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import scipy.stats

from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import rule_genome as loci
from pokerlab.holdem.cards import FLOP, RIVER, STREETS, TURN
from pokerlab.holdem.rule_genome import NUM_GENES
from pokerlab.papers.noble2001 import (
    BAD,
    GROUPS,
    PARETO,
    PRINTED,
    REASONABLE,
    ROULETTE,
    Config,
    CrossedEffect,
    Effect,
    average_by_run,
    collect_profits,
    make_encoding,
    make_game,
    measure_effect,
)
from pokerlab.runs import History
from studies.noble2001.changes import LAST_GENERATION, UNCHANGED, list_changes_of_interpretation
from studies.noble2001.recordings import COMPARED_GENERATIONS, list_neutral_genes

LEVEL = 0.05
"""The level of significance of the tests."""
DETECTABLE_ERRORS = 2.8
"""The size, in standard errors, of an effect that a two-sided test at 5% detects with probability 0.8: 1.96 + 0.84."""
CLEAR_ERRORS = 3
"""The number of standard errors beyond which a win of one style from another is clear."""
HANDS_PER_TABLE = 300
"""The number of hands at each table of ten styles."""


def decide_sign_of_effect(effect: Effect | CrossedEffect, sign: int = 1) -> bool | None:
    """Return whether an effect has a sign, by a two-sided test at 5%.

    Parameters
    ----------
    effect : Effect or CrossedEffect
        The measured effect, with its mean and its p value.
    sign : {1, -1}
        The sign that a statement gives to the effect.

    Returns
    -------
    bool or None
        True if the effect clearly has the sign, False if it clearly has the opposite sign, otherwise None.
    """
    if effect.p >= LEVEL:
        return None
    return bool(sign * effect.mean > 0)


def combine_outcomes_of_parts(outcomes: Iterable[bool | None]) -> bool | None:
    """Return whether all parts of a statement hold, given the outcome of each part.

    An outcome is True, False, or None if the part is open. The result is False if a part is contradicted (False), and
    None if no part is contradicted and one is open.
    """
    outcomes = list(outcomes)
    if False in outcomes:
        return False
    return None if None in outcomes else True


def find_detectable_effect(effect: Effect | CrossedEffect) -> float:
    """Return the smallest true effect that a two-sided test at 5% would have detected with probability 0.8.

    It is a multiple of the effect's standard error, and in the effect's unit.
    """
    return DETECTABLE_ERRORS * effect.error


def format_p(p: float) -> str:
    """Return a p value as text with three decimals, or 'p < 0.001'."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def compute_profit_differences_by_split(
    splits: History, first_regime: str, second_regime: str
) -> Floats:
    """Return the profits of one regime's runs minus those of another's, in chips per 1,000 hands.

    Parameters
    ----------
    splits : History
        The recording of `assess_runs_by_split`, in which the opponents are split into two groups at random, many times.
    first_regime, second_regime : str
        The names of the regimes. Their runs are paired by seed.

    Returns
    -------
    array of shape (splits, 2 groups, runs)
        The differences.
    """
    return collect_profits(splits, first_regime) - collect_profits(splits, second_regime)


def compute_permutation_distribution_of_lead_shares(differences: Floats) -> Floats:
    """Return how often a regime would be ahead against both groups of a split, if two regimes did not differ.

    This is the permutation distribution of the share of splits in which it is ahead. If the regimes do not differ,
    either run of a pair could be of either regime. So the regimes are exchanged in each subset of the pairs, which are
    all equally likely. All splits share their runs, so the share varies widely.

    Parameters
    ----------
    differences : array of shape (splits, 2 groups, runs)
        The profits of one regime minus those of the other, from `compute_profit_differences_by_split`.

    Returns
    -------
    array of shape (2^runs,)
        The share of splits, from 0 to 1, for each way to exchange the regimes. The first one is that of the runs as
        they are.
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
    for sums in np.moveaxis(
        first_sums, 2, 0
    ):  # one way for the first half, with all ways for the second
        total_differences = sums[..., None] + second_sums
        is_ahead_of_both = (total_differences > 0).all(axis=1)
        shares.append(is_ahead_of_both.mean(axis=0))
    return np.concatenate(shares)


class MixedAnalysis(NamedTuple):
    """A mixed analysis of variance of two regimes between runs and two groups within runs.

    Attributes
    ----------
    regime : Effect
        The first regime minus the second, in the mean of both groups.
    group : Effect
        The first group minus the second, in the mean of both regimes.
    interaction : Effect
        The difference of the regimes in the first group minus that in the second.
    """

    regime: Effect
    group: Effect
    interaction: Effect


def analyze_variance_of_regimes_and_groups(
    first_profits: Floats, second_profits: Floats
) -> MixedAnalysis:
    """Return the mixed analysis of variance of the profits of two regimes against two groups of opponents.

    With two regimes and two groups it comes down to three t-tests, whose squared statistics are its F ratios.

    Parameters
    ----------
    first_profits, second_profits : array of shape (runs, 2)
        The profits of the runs of each regime in chips per 1,000 hands, with a column for each group. The runs in a row
        are a pair of the same seed.
    """
    differences = first_profits - second_profits
    means_of_regimes = (first_profits + second_profits) / 2.0
    return MixedAnalysis(
        regime=measure_effect(differences.mean(axis=1)),
        group=measure_effect(means_of_regimes[:, 0] - means_of_regimes[:, 1]),
        interaction=measure_effect(differences[:, 0] - differences[:, 1]),
    )


class DifferenceUnderChange(NamedTuple):
    """A difference between regimes, groups or generations under one change of the settings.

    Attributes
    ----------
    change : str
        The description of the change.
    mean : float
        The mean of the difference over seeds.
    error : float
        Its standard error, or NaN if there is one seed only.
    """

    change: str
    mean: float
    error: float


def select_column_of_regime(
    study: History, change: str, regime: str, column: str, generation: int
) -> Floats:
    """Return a column of the runs of one regime under a change of a setting, (seeds,), in the order of the seeds.

    A regime on which the change has no effect was not run with it. Then its runs at the default settings are returned.

    Parameters
    ----------
    study : History
        The recording of `measure_profits_halfway_and_at_end` of all changes.
    change : str
        The description of the changed setting.
    regime : str
        The regime of the runs.
    column : str
        The name of the column.
    generation : int
        The generation that was measured.
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
    """Return the differences on which the conclusions of Noble and Watson (2001) rest, under each change of a setting.

    All but 'bluff' are in chips per 1,000 hands, and 'bluff' is a probability.

    Parameters
    ----------
    study : History
        The recording of `measure_profits_halfway_and_at_end` of all changes.
    generation : int
        The generation at which regimes and groups are compared.

    Returns
    -------
    dict
        The differences under each change by name. 'alpha', 'beta' and 'both': the profit of Pareto selection minus that
        of the regular algorithm against alpha, against beta, and in the mean. 'group': the profit against alpha minus
        that against beta, mean of both regimes. 'interaction': the difference 'alpha' minus the difference 'beta'.
        'bluff': the probability to bluff, Pareto minus regular. 'late Pareto' and 'late roulette': the profit of the
        regime at the end minus that halfway, mean of both groups.
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
    """Return the differences of `compute_mean_differences_by_change` under one change of a setting, for each seed.

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
        The differences by name.
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
    """Return whether a mean difference is not zero, by a two-sided t-test over seeds at a level of significance."""
    critical_value = scipy.stats.t.ppf(1 - level / 2, num_seeds - 1)
    return bool(abs(difference.mean) > critical_value * difference.error)


def decide_signs_by_interpretation(
    differences: Mapping[str, Sequence[DifferenceUnderChange]],
    signs: Mapping[str, int],
    num_seeds: int,
) -> dict[str, bool | None]:
    """Return for each interpretation of the text whether differences have the signs of a statement, by tests at 5%.

    Parameters
    ----------
    differences : mapping of str to sequence of DifferenceUnderChange
        The differences by name, under each change of a setting, from `compute_mean_differences_by_change`.
    signs : mapping of str to int
        The names of the differences of which a statement speaks, and the sign, 1 or -1, that it gives each.
    num_seeds : int
        The number of seeds over which the differences are means.

    Returns
    -------
    dict of str to bool or None
        By the interpretation: True if all differences clearly have their signs, False if one clearly has the opposite
        sign, otherwise None.
    """
    outcomes: dict[str, bool | None] = {}
    for interpretation in list_changes_of_interpretation():
        parts = []
        for name, sign in signs.items():
            for difference in differences[name]:
                if difference.change == interpretation:
                    is_clear = is_difference_significant(difference, num_seeds)
                    parts.append(sign * difference.mean > 0 if is_clear else None)
        outcomes[interpretation] = combine_outcomes_of_parts(parts)
    return outcomes


def average_values_by_run(last_populations: History, values: Floats, regime: str) -> Floats:
    """Return the mean of values over the strategies of each run of a regime, (runs,), in the order of the seeds.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy.
    values : array of shape (rows,)
        A number for each strategy.
    regime : str
        The regime of the runs.
    """
    with_values = replace(last_populations, columns={**last_populations.columns, "values": values})
    return average_by_run(with_values, "values", regime)


def compute_behavior_of_strategies(last_populations: History) -> dict[str, Floats]:
    """Return what the strategies of last populations do, by their genes.

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy and a column for each gene.

    Returns
    -------
    dict of str to array of shape (rows,)
        The first four keys are the properties that Noble and Watson (2001) name: the weakest hand with which a strategy
        plays on, the mean of all streets; and whether it bets all, plays on without beating the board, and waits for a
        card, means of bits. The other keys are the streets, with the weakest hand with which it plays on there. Hands
        are measured in ranks, thirteen for each category of hands.
    """

    def select_gene(street: int, locus: int) -> Floats:
        """Return a gene of a street for all strategies, (rows,)."""
        number = loci.FIRST_OF_STREETS + street * loci.GENES_A_STREET + locus
        return np.asarray(last_populations[f"gene_{number}"])

    def compute_threshold(street: int, category_locus: int, rank_locus: int) -> Floats:
        """Return the weakest hand that passes a threshold of a street, in ranks, (rows,)."""
        lowest_rank = 2  # categories begin with 0
        category = select_gene(street, category_locus)
        rank = select_gene(street, rank_locus)
        return 13 * category + rank - lowest_rank

    # A strategy plays on with the minimum hand or with a strong hand, so the weaker of both thresholds counts.
    weakest_hands = []
    for street in range(len(STREETS)):
        minimum_hand = compute_threshold(street, loci.MINIMUM_CATEGORY, loci.MINIMUM_RANK)
        strong_hand = compute_threshold(street, loci.STRONG_CATEGORY, loci.STRONG_RANK)
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

    Parameters
    ----------
    last_populations : History
        The recording of last populations, with a row for each strategy.
    first_regime, second_regime : str
        The names of the regimes. Their runs are paired by seed.

    Returns
    -------
    dict of str to Effect
        The first regime minus the second, over paired runs. The p values of the four properties that Noble and Watson
        (2001) name are corrected for their number by the method of Benjamini and Hochberg. Those of single streets are
        not.
    """
    effects = {}
    for name, values in compute_behavior_of_strategies(last_populations).items():
        first = average_values_by_run(last_populations, values, first_regime)
        second = average_values_by_run(last_populations, values, second_regime)
        effects[name] = measure_effect(first - second)

    named = [name for name in effects if name not in STREETS]
    corrected = scipy.stats.false_discovery_control([effects[name].p for name in named])
    for name, p in zip(named, corrected, strict=True):
        effects[name] = effects[name]._replace(p=float(p))
    return effects


def decide_signs_of_effects(effects: Mapping[str, Effect], signs: Mapping[str, int]) -> bool | None:
    """Return whether effects have the signs of a statement, each by a two-sided test at 5%.

    Parameters
    ----------
    effects : mapping of str to Effect
        The measured effects by name.
    signs : mapping of str to int
        The names of the effects of which the statement speaks, and the sign, 1 or -1, that it gives each.

    Returns
    -------
    bool or None
        True if all effects clearly have their signs, False if one clearly has the opposite sign, otherwise None.
    """
    return combine_outcomes_of_parts(
        decide_sign_of_effect(effects[name], sign) for name, sign in signs.items()
    )


class SignCounts(NamedTuple):
    """In how many settings a difference has a sign.

    Attributes
    ----------
    agreeing : int
        The number of settings in which the mean has the sign.
    clearly_opposite : int
        The number of settings in which it has the other sign by a test at 5%.
    corrected : int
        The same by a test that is corrected for the number of settings (Bonferroni).
    """

    agreeing: int
    clearly_opposite: int
    corrected: int


def count_settings_by_sign(
    differences: Sequence[DifferenceUnderChange], sign: int, num_seeds: int
) -> SignCounts:
    """Return in how many settings a difference has a given sign, and in how many it clearly has the other one.

    Parameters
    ----------
    differences : sequence of DifferenceUnderChange
        The difference under each change of a setting.
    sign : {1, -1}
        The sign that is counted as agreeing.
    num_seeds : int
        The number of seeds over which the differences are means.
    """
    opposite = [difference for difference in differences if sign * difference.mean <= 0]
    corrected_level = LEVEL / len(differences)
    num_clear = sum(is_difference_significant(difference, num_seeds) for difference in opposite)
    num_clear_after_correction = sum(
        is_difference_significant(difference, num_seeds, corrected_level) for difference in opposite
    )
    return SignCounts(
        agreeing=len(differences) - len(opposite),
        clearly_opposite=num_clear,
        corrected=num_clear_after_correction,
    )


class FrontSummary(NamedTuple):
    """The front of Pareto selection, limited in size, in the last populations of all runs and in long runs.

    Attributes
    ----------
    ages : ndarray
        The ages of its members in generations, counted from zero, in all runs together.
    medians : list of float
        The median age in each run.
    share_new : float
        The share of members that came in this generation, the mean over runs.
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
    """Return the ages and sizes of the front that Pareto selection keeps, from two recordings.

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
    """Return two recordings of `assess_runs_by_split` as one, for the splits that the second one has.

    The recordings have other runs, and the same columns.
    """
    is_shared = np.isin(splits["split"], more_splits["split"])
    columns = {
        name: np.concatenate([splits[name][is_shared], more_splits[name]])
        for name in more_splits.columns
    }
    return replace(splits, columns=columns)


class LongRuns:
    """The recorded long runs of both regimes, with methods that compare late generations with early ones.

    Early generations are 50 to 150, and late ones are the last fifth of a run.

    Parameters
    ----------
    long_runs : History
        The recording of `record_long_run`.
    """

    def __init__(self, long_runs: History) -> None:
        self.history = long_runs
        self.measured = np.unique(long_runs["generation"])
        self.is_early = (self.measured >= 50) & (self.measured <= 150)
        self.is_late = self.measured > 0.8 * self.measured.max()

    def select_curves(self, regime: str, column: str, seed: int | None = None) -> Floats:
        """Return a recorded column by run and measured generation, (seeds, measured generations).

        Parameters
        ----------
        regime : str
            The regime of the runs.
        column : str
            The name of the column.
        seed : int, optional
            The seed of a single run. By default all runs of the regime are selected.
        """
        is_selected = self.history["regime"] == regime
        if seed is not None:
            is_selected &= self.history["seed"] == seed
        return np.asarray(self.history[column][is_selected].reshape(-1, len(self.measured)))

    def average_late_generations(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the mean of recorded columns over the late generations of each run of a regime, (seeds,)."""
        late_means = [
            self.select_curves(regime, column)[:, self.is_late].mean(axis=1) for column in columns
        ]
        return np.asarray(np.mean(late_means, axis=0))

    def compute_changes_from_early_to_late(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return how much recorded columns change from early to late generations in each run of a regime, (seeds,).

        A change is the mean over late generations minus that over early ones, averaged over the columns.
        """
        early_means = [
            self.select_curves(regime, column)[:, self.is_early].mean(axis=1) for column in columns
        ]
        late_means = self.average_late_generations(regime, columns)
        return np.asarray(late_means - np.mean(early_means, axis=0))

    def measure_change_from_early_to_late(self, regime: str, columns: Sequence[str]) -> Effect:
        """Return the mean change from early to late generations of `compute_changes_from_early_to_late`, with its error over seeds."""
        return measure_effect(self.compute_changes_from_early_to_late(regime, columns))

    def collect_profits_from_ancestors(self, regime: str) -> dict[tuple[int, int], Floats]:
        """Return what later generations win from earlier ones of the same run, in chips per 1,000 hands.

        Both sit at the same tables.

        Returns
        -------
        dict of tuple of two ints to array of shape (seeds,)
            The profits by the pair of an earlier and a later generation, both of `COMPARED_GENERATIONS`.
        """
        profits = {}
        for earlier, later in combinations(COMPARED_GENERATIONS, 2):
            curves = self.select_curves(regime, f"from {earlier}")
            (index,) = np.flatnonzero(self.measured == later)
            profits[earlier, later] = curves[:, index]
        return profits

    def average_profits_from_ancestors(self, regime: str) -> list[float]:
        """Return what later generations win on average from each earlier one, in chips per 1,000 hands.

        There is a number for each of `COMPARED_GENERATIONS` but the last, in their order.
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
        """Return what later generations win on average from the generations `first` to `last`, with its standard error.

        It is a mean over seeds in chips per 1,000 hands.
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

        Returns
        -------
        tuple of two floats
            The average over the genes that have no effect, and over all others.
        """
        encoding = make_encoding(Config(seed=0))
        curves = [self.select_curves(regime, f"gene_{gene}") for gene in range(NUM_GENES)]
        means = np.stack(curves, axis=2)  # (seeds, measured generations, genes)
        scaled_means = means[:, self.measured >= 50] / (encoding.high - encoding.low)
        steps = np.abs(np.diff(scaled_means, axis=1)).mean(axis=(0, 1))  # of each gene
        is_neutral = np.isin(np.arange(NUM_GENES), list_neutral_genes())
        return steps[is_neutral].mean(), steps[~is_neutral].mean()


class StyleResults(NamedTuple):
    """Who wins from whom among styles of play that were written by hand.

    A win is clear beyond three standard errors.

    Attributes
    ----------
    styles : int
        The number of styles.
    hands : int
        The number of hands of each pair, heads-up.
    pairs, triples : int
        The numbers of pairs and of triples of styles.
    cycles : int
        The number of triples of which each style wins from the next, heads-up.
    clear_cycles : int
        The number of triples of which each clearly wins from the next.
    clear_in_both : int
        The number of pairs with a clear winner both heads-up and at ten seats.
    clear_with_other_winner : int
        The number of these pairs with another winner at ten seats.
    """

    styles: int
    hands: int
    pairs: int
    triples: int
    cycles: int
    clear_cycles: int
    clear_in_both: int
    clear_with_other_winner: int


def play_styles_against_each_other(
    seed: int, *, hands: int = 50_000, tables: int = 2000, parts: int = 20
) -> StyleResults:
    """Let hand-written styles of play meet heads-up and at ten seats, and return how often their wins form cycles.

    Parameters
    ----------
    seed : int
        Decides the cards and the tables.
    hands : int
        The number of hands of each pair, heads-up.
    tables : int
        The number of tables with ten seats, at each of which styles drawn at random play 300 hands.
    parts : int
        The number of parts into which hands and tables are divided. Each has cards of its own, and errors are those of
        the mean over parts.
    """
    config = Config(seed=0)
    encoding = make_encoding(config)
    opponents = (*REASONABLE[::2], *BAD[::2], PRINTED)  # every second opponent of each list
    styles = np.stack([opponent.genome for opponent in opponents])
    num_styles = len(styles)
    players = encoding.make_players(styles)
    pairs = np.array([(first, second) for first in range(num_styles) for second in range(first)])
    heads_up_game = replace(make_game(replace(config, seats=2)), won_from=True)
    full_game = replace(make_game(config), won_from=True)

    won_heads_up, won_at_full_tables = [], []  # of each part, what each style wins from each other
    for part in range(parts):
        tables_of_part = []  # of each table, the styles in its seats
        for table in range(tables // parts):
            generator = random_stream(seed, "ten", part, table)
            tables_of_part.append(generator.permutation(num_styles)[: config.seats])

        part_seed = seed + part
        heads_up = heads_up_game.play(players, hands // parts, seed=part_seed, lineups=pairs)
        at_full_tables = full_game.play(
            players, HANDS_PER_TABLE, seed=part_seed, lineups=np.array(tables_of_part)
        )
        won_heads_up.append(heads_up.won_from)
        won_at_full_tables.append(at_full_tables.won_from)

    heads_up_results = np.array(won_heads_up, dtype=np.int64)
    full_table_results = np.array(won_at_full_tables, dtype=np.int64)
    heads_up_signs = find_signs_of_clear_wins(heads_up_results)
    full_table_signs = find_signs_of_clear_wins(full_table_results)

    # Compare the winners of each pair of styles in the two kinds of games.
    each_pair_once = np.triu_indices(num_styles, 1)
    pair_signs_heads_up = heads_up_signs[each_pair_once]
    pair_signs_at_full_tables = full_table_signs[each_pair_once]
    is_clear_in_both = (pair_signs_heads_up != 0) & (pair_signs_at_full_tables != 0)
    has_other_winner = pair_signs_heads_up * pair_signs_at_full_tables < 0
    return StyleResults(
        styles=num_styles,
        hands=hands,
        pairs=len(pairs),
        triples=math.comb(num_styles, 3),
        cycles=count_cycles_of_three(heads_up_results.sum(axis=0) > 0),
        clear_cycles=count_cycles_of_three(heads_up_signs > 0),
        clear_in_both=int(np.sum(is_clear_in_both)),
        clear_with_other_winner=int(np.sum(has_other_winner)),
    )


def find_signs_of_clear_wins(won: Ints) -> Ints:
    """Return who clearly wins from whom, (N, N): 1 if the row's style does, -1 if the column's does, 0 if neither.

    A win is clear if the mean over parts is beyond three standard errors.

    Parameters
    ----------
    won : array of shape (parts, N, N)
        The chips that the row's style wins from the column's in each part of the hands.
    """
    mean, error = won.mean(axis=0), scipy.stats.sem(won, axis=0)
    is_clear = np.abs(mean) > CLEAR_ERRORS * error
    return np.where(is_clear, np.sign(mean), 0).astype(int)


def count_cycles_of_three(beats: Bools) -> int:
    """Return the number of cycles of three styles, in which each beats the next.

    Parameters
    ----------
    beats : array of bool of shape (N, N)
        Whether the row's style beats the column's.
    """
    # The diagonal of the third power counts the closed walks of three steps from each style. Each cycle is such a walk
    # from each of its three styles.
    num_closed_walks = np.trace(np.linalg.matrix_power(beats.astype(int), 3))
    return int(num_closed_walks) // 3
