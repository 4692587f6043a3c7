"""What the recordings say of the paper's conclusions: regimes compared run by run, and under each change.

The run is the unit: regimes are compared between runs, paired by seed, since those of one seed begin
alike; groups within runs. With two regimes and two groups a mixed analysis of variance comes down to
three t-tests, whose squares are its F ratios: on the sums over the groups (regime), on the differences
between the groups (regime by group), and on these differences as they are (group).
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
from pokerlab.holdem.cards import STREETS
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
from studies.noble2001.changes import LAST, UNCHANGED, list_interpretations
from studies.noble2001.recordings import THAT_MEET, find_neutral_genes


def weigh_sign(effect: Effect | CrossedEffect, sign: int = 1) -> bool | None:
    """Return whether an effect has a sign, or the opposite one, by a two-sided test at 5%; None if neither is clear."""
    return bool(sign * effect.mean > 0) if effect.p < 0.05 else None


def weigh_all(outcomes: Iterable[bool | None]) -> bool | None:
    """Return whether all parts of a statement hold; None if none is contradicted and one is open."""
    parts = list(outcomes)
    return False if False in parts else None if None in parts else True


def find_detectable_effect(effect: Effect | CrossedEffect) -> float:
    """Return the smallest effect that a test at 5% would have seen four times in five."""
    return 2.8 * effect.error


def write_p(p: float) -> str:
    """Return a p value as text."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def compare_by_split(splits: History, one: str, other: str) -> Floats:
    """Return by how much one regime's runs are above another's, (splits, 2 groups, runs)."""
    return collect_profits(splits, one) - collect_profits(splits, other)


def compute_shares_ahead_by_chance(apart: Floats) -> Floats:
    """Return in which share of the splits a regime is ahead of another against both groups if they do not differ.

    Then either run of a pair could be of either regime: there is a share for each way to exchange the two in some
    runs, and all ways are equally likely. All splits share their runs, so the share varies widely by chance.

    Parameters
    ----------
    apart : Floats
        From `compare_by_split`, (splits, 2 groups, runs).

    Returns
    -------
    Floats
        The shares, (2^runs,); the first one is that of the runs as they are.
    """
    first, second = (
        half @ np.array([*product((1.0, -1.0), repeat=half.shape[2])]).T
        for half in np.array_split(apart, 2, axis=2)
    )  # sums over half of the runs, (splits, 2, ways to exchange them)
    return np.concatenate(
        [(one[..., None] + second > 0).all(axis=1).mean(axis=0) for one in np.moveaxis(first, 2, 0)]
    )


class Mixed(NamedTuple):
    """A mixed analysis of variance of two regimes between runs and two groups within.

    `regime` is the first regime less the second, mean of both groups; `group` the first group less the second, mean
    of both regimes; `interaction` by how much the regimes differ more in the first group than in the second.
    """

    regime: Effect
    group: Effect
    interaction: Effect


def analyze_mixed(first: Floats, second: Floats) -> Mixed:
    """Return the mixed analysis of two regimes, (runs, 2) each: rows paired, columns the groups."""
    difference = first - second
    both = (first + second) / 2.0
    return Mixed(
        regime=measure_effect(difference.mean(axis=1)),
        group=measure_effect(both[:, 0] - both[:, 1]),
        interaction=measure_effect(difference[:, 0] - difference[:, 1]),
    )


class Conclusion(NamedTuple):
    """What one change leaves of a difference: its mean over the seeds, and the standard error."""

    change: str
    mean: float
    error: float


def select_regime(study: History, change: str, regime: str, column: str, generation: int) -> Floats:
    """Return a column of one regime, seed by seed; of the unchanged one if it does not heed a change."""
    mine = (study["regime"] == regime) & (study["generation"] == generation)
    rows = mine & (study["change"] == change)
    if not rows.any():
        rows = mine & (study["change"] == UNCHANGED)
    values: Floats = study[column][rows][np.argsort(study["seed"][rows])]
    return values


def list_conclusions(study: History, generation: int = LAST) -> dict[str, list[Conclusion]]:
    """Return what each change leaves of the paper's conclusions.

    Keys: Pareto selection above the regular algorithm in alpha ('alpha'), in beta ('beta') and on
    average ('both'); what is won from alpha less what is won from beta, both regimes ('group'); the
    regimes' difference in alpha less that in beta ('interaction'); what is won at the end less
    halfway, both groups, of each regime ('late Pareto', 'late roulette'); how much more Pareto
    bluffs ('bluff').
    """
    changes = dict.fromkeys(study["change"].tolist())
    found: dict[str, list[Conclusion]] = {}
    for change in changes:
        regimes: dict[str, dict[str, Floats]] = {
            regime: {
                column: select_regime(study, change, regime, column, generation)
                for column in (*GROUPS, "bluff")
            }
            for regime in (PARETO, ROULETTE)
        }
        pareto, regular = regimes[PARETO], regimes[ROULETTE]
        above = {group: pareto[group] - regular[group] for group in GROUPS}
        differences = {
            **above,
            "both": np.mean(list(above.values()), axis=0),
            "group": np.mean([one["alpha"] - one["beta"] for one in regimes.values()], axis=0),
            "interaction": above["alpha"] - above["beta"],
            "bluff": pareto["bluff"] - regular["bluff"],
        }
        for regime, ends in regimes.items():
            changed = [
                ends[group] - select_regime(study, change, regime, group, generation // 2)
                for group in GROUPS
            ]
            differences[f"late {regime}"] = np.mean(changed, axis=0)
        for name, each in differences.items():
            error = float(each.std(ddof=1) / np.sqrt(len(each))) if len(each) > 1 else np.nan
            found.setdefault(name, []).append(Conclusion(change, float(each.mean()), error))
    return found


def is_significant(one: Conclusion, seeds: int, level: float = 0.05) -> bool:
    """Return whether a difference is clear by a two-sided t-test over so many seeds."""
    return bool(abs(one.mean) > scipy.stats.t.ppf(1 - level / 2, seeds - 1) * one.error)


def weigh_by_interpretation(
    found: Mapping[str, Sequence[Conclusion]], signs: Mapping[str, int], seeds: int
) -> dict[str, bool | None]:
    """Return by interpretation of the text whether some conclusions all have their signs, by tests at 5%.

    Parameters
    ----------
    found : mapping of str to sequence of Conclusion
        What `conclusions` returns.
    signs : mapping of str to int
        The conclusions that a statement consists of, and the sign that it gives each.
    seeds : int
        The number of seeds of the study.
    """
    outcomes: dict[str, bool | None] = {}
    for name in list_interpretations():
        parts = [
            sign * one.mean > 0 if is_significant(one, seeds) else None
            for column, sign in signs.items()
            for one in found[column]
            if one.change == name
        ]
        outcomes[name] = weigh_all(parts)
    return outcomes


def average_over_runs(final: History, values: Floats, regime: str) -> Floats:
    """Return the mean of some values, one for each row of last populations, over the strategies of each run."""
    return average_by_run(
        replace(final, columns={**final.columns, "values": values}), "values", regime
    )


def measure_behavior(final: History) -> dict[str, Floats]:
    """Return what the strategies of last populations do, a number for each row of `final`.

    The least hand to play on with is in ranks, thirteen to a category: on average, and street by street.
    """

    def gene(number: int, locus: int) -> Floats:
        return np.asarray(
            final[f"gene_{loci.FIRST_OF_STREETS + number * loci.GENES_A_STREET + locus}"]
        )

    thresholds = (
        (loci.MINIMUM_CATEGORY, loci.MINIMUM_RANK),
        (loci.STRONG_CATEGORY, loci.STRONG_RANK),
    )
    least = [
        np.minimum(*(13 * gene(number, c) + gene(number, r) - 2 for c, r in thresholds))
        for number in range(len(STREETS))
    ]
    draws = (loci.WAITS_FOR_STRAIGHT, loci.WAITS_FOR_FLUSH)
    return {
        "least hand to play on with (ranks)": np.mean(least, axis=0),
        "bets all when strong, river": gene(3, loci.BETS_ALL),
        "plays on without beating the board": np.mean(
            [gene(number, loci.BOARD_BIT) for number in (1, 2, 3)], axis=0
        ),
        "waits one card short": np.mean(
            [gene(number, draw) for number in (1, 2) for draw in draws], axis=0
        ),
        **dict(zip(STREETS, least, strict=True)),
    }


def compare_behavior(final: History, one: str, other: str) -> dict[str, Effect]:
    """Return by how much the strategies of two regimes differ in `behavior`, run by run.

    The four that the paper names have a p that is corrected for all four (Benjamini and Hochberg), streets have not.
    """
    effects = {
        what: measure_effect(
            average_over_runs(final, values, one) - average_over_runs(final, values, other)
        )
        for what, values in measure_behavior(final).items()
    }
    named = [what for what in effects if what not in STREETS]
    corrected = scipy.stats.false_discovery_control([effects[what].p for what in named])
    for what, p in zip(named, corrected, strict=True):
        effects[what] = effects[what]._replace(p=float(p))
    return effects


def weigh_signs(effects: Mapping[str, Effect], signs: Mapping[str, int]) -> bool | None:
    """Return whether effects have these signs, all of them; see `confirms`."""
    return weigh_all(weigh_sign(effects[what], sign) for what, sign in signs.items())


def count_signs(found: Sequence[Conclusion], sign: int, seeds: int) -> tuple[int, int, int]:
    """Return in how many settings a sign is kept, and in how many it clearly turns.

    By a test at 5% of each setting, and by one that is corrected for all of them.
    """
    other = [one for one in found if sign * one.mean <= 0]
    turned, sure = (
        sum(is_significant(one, seeds, level) for one in other)
        for level in (0.05, 0.05 / len(found))
    )
    return len(found) - len(other), turned, sure


class Front(NamedTuple):
    """The trimmed front of Pareto selection in the last populations of all runs, and in long runs.

    Attributes
    ----------
    ages : ndarray
        The ages of its members, counted from zero, in all runs together.
    medians : list of float
        The median age, run by run.
    new : float
        The share that came in this generation.
    smallest, undominated : int
        How many were at least in the front, and at least non-dominated, in every generation that is recorded.
    """

    ages: Floats
    medians: list[float]
    new: float
    smallest: int
    undominated: int


def describe_front(final: History, long: History) -> Front:
    """Return what the recordings of last populations and of long runs have of the front."""
    mine = (final["regime"] == PARETO) & final["kept"]
    runs = [final["age"][mine & (final["seed"] == seed)] for seed in np.unique(final["seed"])]
    later = long["regime"] == PARETO
    return Front(
        ages=final["age"][mine],
        medians=[float(np.median(ages)) for ages in runs],
        new=float(np.mean([np.mean(ages == 0) for ages in runs])),
        smallest=min(*map(len, runs), int(long["front"][later].min())),
        undominated=int(min(final["undominated"][mine].min(), long["undominated"][later].min())),
    )


def join_splits(splits: History, more: History) -> History:
    """Return what two recordings of runs say by the same random splits, those that the second has."""
    shared = np.isin(splits["split"], more["split"])
    columns = {name: np.concatenate([splits[name][shared], more[name]]) for name in more.columns}
    return replace(splits, columns=columns)


class LongRuns:
    """Curves of the long runs of both regimes, and how late generations differ from early ones."""

    def __init__(self, long: History) -> None:
        self.long, self.measured = long, np.unique(long["generation"])
        self.early = (self.measured >= 50) & (self.measured <= 150)
        self.late = self.measured > 0.8 * self.measured.max()

    def read_course(self, regime: str, column: str, seed: int | None = None) -> Floats:
        """Return a column, (seeds, measured generations)."""
        chosen = self.long["regime"] == regime
        if seed is not None:
            chosen &= self.long["seed"] == seed
        return np.asarray(self.long[column][chosen].reshape(-1, len(self.measured)))

    def end(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the mean of columns over the last fifth of the run, seed by seed."""
        means = [self.read_course(regime, name)[:, self.late].mean(axis=1) for name in columns]
        return np.asarray(np.mean(means, axis=0))

    def changes(self, regime: str, columns: Sequence[str]) -> Floats:
        """Return the last fifth of the run less generations 50 to 150, mean of the columns, seed by seed."""
        before = [self.read_course(regime, name)[:, self.early].mean(axis=1) for name in columns]
        return np.asarray(self.end(regime, columns) - np.mean(before, axis=0))

    def change(self, regime: str, columns: Sequence[str]) -> Effect:
        """Return these changes as an effect over the seeds."""
        return measure_effect(self.changes(regime, columns))

    def compare_generations(self, regime: str) -> dict[tuple[int, int], Floats]:
        """Return for each two recorded generations, older and newer, what the newer one won, (seeds,)."""
        return {
            (old, new): self.read_course(regime, f"from {old}")[:, self.measured == new][:, 0]
            for old, new in combinations(THAT_MEET, 2)
        }

    def wins_by_ancestor(self, regime: str) -> list[float]:
        """Return what later generations win on average from each recorded generation but the last."""
        wins = self.compare_generations(regime)
        return [
            float(np.mean([won.mean() for (old, _), won in wins.items() if old == each]))
            for each in THAT_MEET[:-1]
        ]

    def compare_with_ancestors(
        self, regime: str, since: int = 100, until: float = np.inf
    ) -> Effect:
        """Return what later generations win from those since a generation, and until one, over seeds."""
        late = [
            won
            for (old, _), won in self.compare_generations(regime).items()
            if since <= old <= until
        ]
        return measure_effect(np.mean(late, axis=0))

    def measure_gene_steps(self, regime: str) -> tuple[float, float]:
        """Return how far the mean of a gene moves from one measured generation to the next, as a share of its range.

        Of genes without effect, and of all others.
        """
        rules, settled = make_encoding(Config(seed=0)), self.measured >= 50
        genes = range(NUM_GENES)
        means = np.stack([self.read_course(regime, f"gene_{g}") for g in genes], axis=2)
        scaled = means[:, settled] / (rules.high - rules.low)
        steps = np.abs(np.diff(scaled, axis=1)).mean(axis=(0, 1))
        neutral = np.isin(np.arange(NUM_GENES), find_neutral_genes())
        return steps[neutral].mean(), steps[~neutral].mean()


class Superiority(NamedTuple):
    """Who wins from whom among styles written by hand: cycles are triples of which each wins from the next.

    A win is clear beyond three standard errors; `clear` pairs are so both heads-up and at ten seats, and `turned` of
    these with another winner.
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
    seed: int, *, hands: int = 50_000, ten: int = 2000, parts: int = 20
) -> Superiority:
    """Let styles play heads-up, so many hands a pair, and ten at so many tables, 300 hands at each.

    Errors are those of the mean over `parts` with cards of their own.
    """
    config = Config(seed=0)
    rules = make_encoding(config)
    styles = np.stack([one.genome for one in (*REASONABLE[::2], *BAD[::2], PRINTED)])
    many = len(styles)
    players = rules.make_players(styles)
    pairs = np.array([(a, b) for a in range(many) for b in range(a)])
    two, ten_seats = (
        replace(make_game(replace(config, seats=seats)), won_from=True)
        for seats in (2, config.seats)
    )
    apart, together = [], []
    for part in range(parts):
        luck = [random_stream(seed, "ten", part, k) for k in range(ten // parts)]
        lines = np.array([each.permutation(many)[: config.seats] for each in luck])
        heads_up = two.play(players, hands // parts, seed=seed + part, lineups=pairs)
        tables = ten_seats.play(players, 300, seed=seed + part, lineups=lines)
        apart.append(heads_up.won_from)
        together.append(tables.won_from)
    wins = [np.array(won, dtype=np.int64) for won in (apart, together)]
    signs = [find_clear_signs(won) for won in wins]
    upper = np.triu_indices(many, 1)
    first, second = (sign[upper] for sign in signs)
    return Superiority(
        styles=many,
        hands=hands,
        pairs=len(pairs),
        triples=math.comb(many, 3),
        cycles=count_cycles(wins[0].sum(axis=0) > 0),
        clear_cycles=count_cycles(signs[0] > 0),
        clear=int(np.sum((first != 0) & (second != 0))),
        turned=int(np.sum(first * second < 0)),
    )


def find_clear_signs(won: Ints) -> Ints:
    """Return the signs of means over parts, (parts, ...), that are beyond three standard errors; 0 for others."""
    mean, error = won.mean(axis=0), scipy.stats.sem(won, axis=0)
    return np.where(np.abs(mean) > 3 * error, np.sign(mean), 0).astype(int)


def count_cycles(beats: Bools) -> int:
    """Return how many triples go round, (N, N): each beats the next."""
    return int(np.trace(np.linalg.matrix_power(beats.astype(int), 3))) // 3
