"""Noble & Watson (2001): what the recordings say of the paper's conclusions, run by run and under each change.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500.

The run is the unit of all tests. Two regimes are compared between runs, which are paired by seed, since the runs of one
seed begin alike. The two groups of opponents, alpha and beta, are compared within runs. With two regimes and two groups
a mixed analysis of variance comes down to three t-tests, whose squared statistics are its F ratios: the test of the
means over groups (regime), of the differences between the groups (regime by group), and of the differences between the
groups in the mean of both regimes (group).
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
from studies.noble2001.changes import LAST_GENERATION, UNCHANGED, list_interpretations
from studies.noble2001.recordings import COMPARED_GENERATIONS, find_neutral_genes

LEVEL = 0.05
"""The level of significance of the tests."""
DETECTABLE_ERRORS = 2.8
"""The size, in standard errors, of an effect that a two-sided test at 5% detects with probability 0.8: 1.96 + 0.84."""
CLEAR_ERRORS = 3
"""The number of standard errors beyond which a win of one style from another is clear."""
HANDS_PER_TABLE = 300
"""The number of hands at each table of ten styles."""


def weigh_sign(effect: Effect | CrossedEffect, sign: int = 1) -> bool | None:
    """Return whether an effect has a sign, 1 or -1, by a two-sided test at 5%.

    The result is False if it clearly has the opposite sign, and None if neither sign is clear.
    """
    return bool(sign * effect.mean > 0) if effect.p < LEVEL else None


def weigh_all(outcomes: Iterable[bool | None]) -> bool | None:
    """Return whether all parts of a statement hold.

    The result is False if a part is contradicted (False), and None if no part is contradicted and one is open (None).
    """
    outcomes = list(outcomes)
    if False in outcomes:
        return False
    return None if None in outcomes else True


def find_detectable_effect(effect: Effect | CrossedEffect) -> float:
    """Return the smallest true effect that a test at 5% would have detected with probability 0.8, by its error."""
    return DETECTABLE_ERRORS * effect.error


def format_p(p: float) -> str:
    """Return a p value as text with three decimals, or 'p < 0.001'."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def compare_by_split(splits: History, first_regime: str, second_regime: str) -> Floats:
    """Return the profits of one regime's runs minus those of another's, (splits, 2 groups, runs).

    `splits` is the recording of `assess_by_split`. Runs are paired by seed. Profits are in chips per 1,000 hands.
    """
    return collect_profits(splits, first_regime) - collect_profits(splits, second_regime)


def compute_shares_ahead_by_chance(differences: Floats) -> Floats:
    """Return the distribution of the share of splits in which a regime is ahead against both groups, by chance.

    If two regimes do not differ, either run of a pair could be of either regime. So the regimes are exchanged in each
    subset of the pairs, which are all equally likely. All splits share their runs, so the share varies widely.

    Parameters
    ----------
    differences : array of shape (splits, 2 groups, runs)
        The profits of one regime minus those of the other, from `compare_by_split`.

    Returns
    -------
    array of shape (2^runs,)
        The share for each way to exchange the regimes. The first one is that of the runs as they are.
    """
    # A way to exchange runs combines a way for the first half of them with one for the second half. So sums over each
    # half are computed once, (splits, 2, ways for the half), and added in pairs.
    first_sums, second_sums = (
        half @ np.array([*product((1.0, -1.0), repeat=half.shape[2])]).T
        for half in np.array_split(differences, 2, axis=2)
    )
    shares = []
    for sums in np.moveaxis(first_sums, 2, 0):
        is_ahead = (sums[..., None] + second_sums > 0).all(axis=1)
        shares.append(is_ahead.mean(axis=0))
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


def analyze_mixed(first: Floats, second: Floats) -> MixedAnalysis:
    """Return the mixed analysis of variance of two regimes.

    `first` and `second` are the profits of each regime, (runs, 2), with a column for each group. The runs in a row are
    a pair.
    """
    difference = first - second
    mean_of_regimes = (first + second) / 2.0
    return MixedAnalysis(
        regime=measure_effect(difference.mean(axis=1)),
        group=measure_effect(mean_of_regimes[:, 0] - mean_of_regimes[:, 1]),
        interaction=measure_effect(difference[:, 0] - difference[:, 1]),
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


def select_regime(study: History, change: str, regime: str, column: str, generation: int) -> Floats:
    """Return a column of the runs of one regime under a change, in the order of the seeds.

    A regime on which the change has no effect was not run with it. Then its runs at the default settings are returned.

    Parameters
    ----------
    study : History
        The recording of `measure_halfway_and_end` of all changes.
    change : str
        The description of the change.
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


def measure_differences_by_change(
    study: History, generation: int = LAST_GENERATION
) -> dict[str, list[DifferenceUnderChange]]:
    """Return the differences on which the paper's conclusions rest, under each change of the settings.

    Parameters
    ----------
    study : History
        The recording of `measure_halfway_and_end` of all changes.
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
    for change in dict.fromkeys(study["change"].tolist()):
        for name, values in compute_differences(study, change, generation).items():
            num_seeds = len(values)
            error = float(values.std(ddof=1) / np.sqrt(num_seeds)) if num_seeds > 1 else np.nan
            difference = DifferenceUnderChange(change, float(values.mean()), error)
            differences.setdefault(name, []).append(difference)
    return differences


def compute_differences(study: History, change: str, generation: int) -> dict[str, Floats]:
    """Return the differences of `measure_differences_by_change` under one change, seed by seed."""
    regimes: dict[str, dict[str, Floats]] = {
        regime: {
            column: select_regime(study, change, regime, column, generation)
            for column in (*GROUPS, "bluff")
        }
        for regime in (PARETO, ROULETTE)
    }
    pareto, regular = regimes[PARETO], regimes[ROULETTE]
    leads = {group: pareto[group] - regular[group] for group in GROUPS}
    group_differences = [columns["alpha"] - columns["beta"] for columns in regimes.values()]
    differences = {
        **leads,
        "both": np.mean(list(leads.values()), axis=0),
        "group": np.mean(group_differences, axis=0),
        "interaction": leads["alpha"] - leads["beta"],
        "bluff": pareto["bluff"] - regular["bluff"],
    }
    for regime, columns in regimes.items():
        gains = [
            columns[group] - select_regime(study, change, regime, group, generation // 2)
            for group in GROUPS
        ]
        differences[f"late {regime}"] = np.mean(gains, axis=0)
    return differences


def is_significant(difference: DifferenceUnderChange, num_seeds: int, level: float = LEVEL) -> bool:
    """Return whether a difference is not zero by a two-sided t-test over seeds at a level."""
    critical_value = scipy.stats.t.ppf(1 - level / 2, num_seeds - 1)
    return bool(abs(difference.mean) > critical_value * difference.error)


def weigh_by_interpretation(
    differences: Mapping[str, Sequence[DifferenceUnderChange]],
    signs: Mapping[str, int],
    num_seeds: int,
) -> dict[str, bool | None]:
    """Return by interpretation of the text whether some differences all have their signs, by tests at 5%.

    Parameters
    ----------
    differences : mapping of str to sequence of DifferenceUnderChange
        What `measure_differences_by_change` returns.
    signs : mapping of str to int
        The names of the differences of which a statement speaks, and the sign, 1 or -1, that it gives each.
    num_seeds : int
        The number of seeds of the study.
    """
    outcomes: dict[str, bool | None] = {}
    for interpretation in list_interpretations():
        parts = []
        for name, sign in signs.items():
            for difference in differences[name]:
                if difference.change == interpretation:
                    is_clear = is_significant(difference, num_seeds)
                    parts.append(sign * difference.mean > 0 if is_clear else None)
        outcomes[interpretation] = weigh_all(parts)
    return outcomes


def average_over_runs(last_populations: History, values: Floats, regime: str) -> Floats:
    """Return the mean of values over the strategies of each run of a regime, in the order of the seeds.

    `values` has a number for each row of `last_populations`.
    """
    with_values = replace(last_populations, columns={**last_populations.columns, "values": values})
    return average_by_run(with_values, "values", regime)


def measure_behavior(last_populations: History) -> dict[str, Floats]:
    """Return what the strategies of last populations do by their genes, a number for each row.

    The first four keys are the properties that the paper names. The others are the streets: the weakest hand with which
    the strategy plays on there. Hands are measured in ranks, thirteen for each category of hands.
    """

    def read_gene(street: int, locus: int) -> Floats:
        """Return a gene of a street for all strategies."""
        number = loci.FIRST_OF_STREETS + street * loci.GENES_A_STREET + locus
        return np.asarray(last_populations[f"gene_{number}"])

    def read_threshold(street: int, category_locus: int, rank_locus: int) -> Floats:
        """Return the hand at which a threshold lies, in ranks. Ranks begin with 2, and categories with 0."""
        return 13 * read_gene(street, category_locus) + read_gene(street, rank_locus) - 2

    # A strategy plays on with the minimum hand or with a strong hand, so the weaker of both thresholds counts.
    weakest_hands = [
        np.minimum(
            read_threshold(street, loci.MINIMUM_CATEGORY, loci.MINIMUM_RANK),
            read_threshold(street, loci.STRONG_CATEGORY, loci.STRONG_RANK),
        )
        for street in range(len(STREETS))
    ]
    waiting_loci = (loci.WAITS_FOR_STRAIGHT, loci.WAITS_FOR_FLUSH)
    plays_without_beating = [read_gene(street, loci.BOARD_BIT) for street in (FLOP, TURN, RIVER)]
    waits = [read_gene(street, locus) for street in (FLOP, TURN) for locus in waiting_loci]
    return {
        "least hand to play on with (ranks)": np.mean(weakest_hands, axis=0),
        "bets all when strong, river": read_gene(RIVER, loci.BETS_ALL),
        "plays on without beating the board": np.mean(plays_without_beating, axis=0),
        "waits one card short": np.mean(waits, axis=0),
        **dict(zip(STREETS, weakest_hands, strict=True)),
    }


def compare_behavior(
    last_populations: History, first_regime: str, second_regime: str
) -> dict[str, Effect]:
    """Return the differences of two regimes in each property of `measure_behavior`, over paired runs.

    The p values of the four properties that the paper names are corrected for their number by the method of Benjamini
    and Hochberg. Those of single streets are not.
    """
    effects = {}
    for name, values in measure_behavior(last_populations).items():
        first = average_over_runs(last_populations, values, first_regime)
        second = average_over_runs(last_populations, values, second_regime)
        effects[name] = measure_effect(first - second)

    named = [name for name in effects if name not in STREETS]
    corrected = scipy.stats.false_discovery_control([effects[name].p for name in named])
    for name, p in zip(named, corrected, strict=True):
        effects[name] = effects[name]._replace(p=float(p))
    return effects


def weigh_signs(effects: Mapping[str, Effect], signs: Mapping[str, int]) -> bool | None:
    """Return whether some effects all have their signs, as `weigh_sign` and `weigh_all` decide."""
    return weigh_all(weigh_sign(effects[name], sign) for name, sign in signs.items())


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


def count_signs(
    differences: Sequence[DifferenceUnderChange], sign: int, num_seeds: int
) -> SignCounts:
    """Return in how many of the changed settings a difference keeps a sign, 1 or -1, and in how many it turns."""
    opposite = [difference for difference in differences if sign * difference.mean <= 0]
    corrected_level = LEVEL / len(differences)
    return SignCounts(
        agreeing=len(differences) - len(opposite),
        clearly_opposite=sum(is_significant(each, num_seeds) for each in opposite),
        corrected=sum(is_significant(each, num_seeds, corrected_level) for each in opposite),
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


def describe_front(last_populations: History, long_runs: History) -> FrontSummary:
    """Return the ages and sizes of the front of Pareto selection in two recordings."""
    on_front = (last_populations["regime"] == PARETO) & last_populations["kept"]
    ages_by_run = [
        last_populations["age"][on_front & (last_populations["seed"] == seed)]
        for seed in np.unique(last_populations["seed"])
    ]
    of_pareto = long_runs["regime"] == PARETO
    sizes = [len(ages) for ages in ages_by_run]
    undominated = (
        last_populations["undominated"][on_front].min(),
        long_runs["undominated"][of_pareto].min(),
    )
    return FrontSummary(
        ages=last_populations["age"][on_front],
        medians=[float(np.median(ages)) for ages in ages_by_run],
        share_new=float(np.mean([np.mean(ages == 0) for ages in ages_by_run])),
        smallest=min(*sizes, int(long_runs["front"][of_pareto].min())),
        fewest_undominated=int(min(undominated)),
    )


def join_splits(splits: History, more_splits: History) -> History:
    """Return the rows of two recordings of `assess_by_split` together, for the splits that the second one has."""
    is_shared = np.isin(splits["split"], more_splits["split"])
    columns = {
        name: np.concatenate([splits[name][is_shared], more_splits[name]])
        for name in more_splits.columns
    }
    return replace(splits, columns=columns)


class LongRuns:
    """The long runs of both regimes, and how late generations differ from early ones.

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
        """Return a column of the runs of a regime, or of the run of one seed, (seeds, measured generations)."""
        is_selected = self.history["regime"] == regime
        if seed is not None:
            is_selected &= self.history["seed"] == seed
        return np.asarray(self.history[column][is_selected].reshape(-1, len(self.measured)))

    def average_late(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the mean of some columns over the late generations of each run, (seeds,)."""
        means = [
            self.select_curves(regime, column)[:, self.is_late].mean(axis=1) for column in columns
        ]
        return np.asarray(np.mean(means, axis=0))

    def compute_changes(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the late mean minus the early mean of each run, averaged over some columns, (seeds,)."""
        early_means = [
            self.select_curves(regime, column)[:, self.is_early].mean(axis=1) for column in columns
        ]
        late_means = self.average_late(regime, columns)
        return np.asarray(late_means - np.mean(early_means, axis=0))

    def measure_change(self, regime: str, columns: Sequence[str]) -> Effect:
        """Return the changes of `compute_changes` as an effect over seeds."""
        return measure_effect(self.compute_changes(regime, columns))

    def compare_generations(self, regime: str) -> dict[tuple[int, int], Floats]:
        """Return what a later generation wins from an earlier one at shared tables, in chips per 1,000 hands, (seeds,).

        The keys are the pairs of an earlier and a later generation of `COMPARED_GENERATIONS`.
        """
        profits = {}
        for earlier, later in combinations(COMPARED_GENERATIONS, 2):
            curves = self.select_curves(regime, f"from {earlier}")
            (index,) = np.flatnonzero(self.measured == later)
            profits[earlier, later] = curves[:, index]
        return profits

    def average_profits_from_ancestors(self, regime: str) -> list[float]:
        """Return what later generations win on average from each of `COMPARED_GENERATIONS` but the last."""
        profits = self.compare_generations(regime)
        averages = []
        for ancestor in COMPARED_GENERATIONS[:-1]:
            means = [each.mean() for (earlier, _), each in profits.items() if earlier == ancestor]
            averages.append(float(np.mean(means)))
        return averages

    def measure_profit_from_ancestors(
        self, regime: str, first: int = 100, last: float = np.inf
    ) -> Effect:
        """Return what later generations win from the generations `first` to `last`, as an effect over seeds."""
        profits = [
            each
            for (earlier, _), each in self.compare_generations(regime).items()
            if first <= earlier <= last
        ]
        return measure_effect(np.mean(profits, axis=0))

    def measure_gene_steps(self, regime: str) -> tuple[float, float]:
        """Return how far the mean of a gene moves from one measured generation to the next, on average.

        The first number is of the genes without effect, and the second of all others. Distances are shares of the
        gene's range. Generations before the 50th are left out.
        """
        encoding = make_encoding(Config(seed=0))
        curves = [self.select_curves(regime, f"gene_{gene}") for gene in range(NUM_GENES)]
        means = np.stack(curves, axis=2)  # (seeds, measured generations, genes)
        scaled = means[:, self.measured >= 50] / (encoding.high - encoding.low)
        steps = np.abs(np.diff(scaled, axis=1)).mean(axis=(0, 1))
        is_neutral = np.isin(np.arange(NUM_GENES), find_neutral_genes())
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
    clear : int
        The number of pairs with a clear winner both heads-up and at ten seats.
    turned : int
        The number of these pairs with another winner at ten seats.
    """

    styles: int
    hands: int
    pairs: int
    triples: int
    cycles: int
    clear_cycles: int
    clear: int
    turned: int


def play_all_pairs(
    seed: int, *, hands: int = 50_000, tables: int = 2000, parts: int = 20
) -> StyleResults:
    """Let hand-written styles play heads-up and at ten seats, and return who wins from whom.

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
    pairs = np.array([(a, b) for a in range(num_styles) for b in range(a)])
    heads_up_game, full_game = (
        replace(make_game(replace(config, seats=seats)), won_from=True)
        for seats in (2, config.seats)
    )

    won_heads_up, won_at_full_tables = [], []  # of each part, what each style wins from each other
    for part in range(parts):
        tables_of_part = []
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
    heads_up_signs = find_clear_signs(heads_up_results)
    each_pair_once = np.triu_indices(num_styles, 1)
    first = heads_up_signs[each_pair_once]
    second = find_clear_signs(full_table_results)[each_pair_once]
    return StyleResults(
        styles=num_styles,
        hands=hands,
        pairs=len(pairs),
        triples=math.comb(num_styles, 3),
        cycles=count_cycles(heads_up_results.sum(axis=0) > 0),
        clear_cycles=count_cycles(heads_up_signs > 0),
        clear=int(np.sum((first != 0) & (second != 0))),
        turned=int(np.sum(first * second < 0)),
    )


def find_clear_signs(won: Ints) -> Ints:
    """Return the signs of the means over parts that are clear, beyond three standard errors, and 0 for others.

    Parameters
    ----------
    won : array of shape (parts, N, N)
        What the row's style wins from the column's in each part.
    """
    mean, error = won.mean(axis=0), scipy.stats.sem(won, axis=0)
    return np.where(np.abs(mean) > CLEAR_ERRORS * error, np.sign(mean), 0).astype(int)


def count_cycles(beats: Bools) -> int:
    """Return the number of triples that are cycles, in which each style beats the next.

    `beats`, (N, N), says whether the row's style beats the column's. The diagonal of its third power counts the closed
    walks of three steps from each style, and each cycle is such a walk from each of its three styles.
    """
    closed_walks = np.trace(np.linalg.matrix_power(beats.astype(int), 3))
    return int(closed_walks) // 3
