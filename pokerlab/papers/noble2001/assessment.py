"""Strategies written by hand, what evolved ones win from them, and regimes compared by that.

Noble & Watson wrote two groups of strategies in their own representation, "typical reasonable" and by no means
optimal: conservative ones bet quite strong cards only, deceptive ones hide the strength of their cards until late in
the hand, callers call for long with a reasonable hand. Their program is lost; our eighteen stand in words in
`data/noble-2001-opponents.csv`. Amounts are for blinds of 1 and 2 and bets of 2 and 4, up to 8 and 16 a round, under
the default readings of `RuleEncoding`.

Each strategy that is judged sits at a table with one group, alone among them, for a fixed sequence of hands. One
sequence's luck is in every strategy's result and in no standard error over strategies or runs, so the sequence is
drawn anew several times.
"""

import csv
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import scipy

from pokerlab.core import Bools, Floats, SettingError, stream
from pokerlab.core.files import DATA
from pokerlab.core.settings import check_kind, whole
from pokerlab.evolution.population.parts import PlayerEncoding
from pokerlab.holdem import Played, RingGame
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.rule_genome import rules, street
from pokerlab.runs import History

PER = 1000.0  # profits are in chips per 1,000 hands
MOST_HANDS, MOST_SEQUENCES = 10**6, 10**4


class Opponent(NamedTuple):
    """A strategy written by hand: what it is called, how and why it plays so, its genes for `RuleEncoding`, (42,).

    The style is 'conservative', 'deceptive', 'caller', 'bad' or 'evolved'.
    """

    name: str
    style: str
    reason: str
    genome: Floats


def read_opponent(row: dict[str, str]) -> Opponent:
    """Return the opponent of a row of the file."""
    parts: dict[str, Any] = {name: read_street(row[name]) for name in STREETS}
    parts |= {name: float(row[name]) for name in ("bluff", "check_raise")}
    return Opponent(row["name"], row["style"], row["reason"], rules(**parts))


def read_street(text: str) -> tuple[float, ...]:
    """Return the genes of a street: the least hands to play on with and to call strong, amounts, flags."""
    stay, strong, bet, call, *flags = text.split("; ")
    return street(
        stay,
        strong,
        bet=int(bet.removeprefix("bet ")),
        call=int(call.removeprefix("call ")),
        bets_all="bets all" in flags,
        board_bit="board bit" in flags,
        waits_for=[flag[len("waits for ") :] for flag in flags if flag.startswith("waits for ")],
    )


with (DATA / "noble-2001-opponents.csv").open(encoding="utf-8") as rows:
    WRITTEN = tuple(map(read_opponent, csv.DictReader(rows)))
REASONABLE = tuple(one for one in WRITTEN if one.style not in ("bad", "evolved"))
"""Eighteen typical styles, none of them optimal."""
BAD = tuple(one for one in WRITTEN if one.style == "bad")
"""Styles that lose to the reasonable ones, as a group apart."""
PRINTED = WRITTEN[-1]
"""The evolved strategy that the paper prints in words; it beats both groups there."""


def split(seed: int) -> tuple[tuple[Opponent, ...], tuple[Opponent, ...]]:
    """Return the reasonable opponents sorted at random into alpha and beta, nine each; `seed` says which way."""
    halves = stream(seed, "alpha and beta").permutation(len(REASONABLE)).reshape(2, -1)
    alpha, beta = (tuple(REASONABLE[i] for i in sorted(half)) for half in halves)
    return alpha, beta


GROUPS = dict(zip(("alpha", "beta"), split(0), strict=True))
"""The groups of the default split, by name."""


def assess(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int = 1000,
    sequences: int = 1,
    seed: int,
    workers: int = 1,
) -> Floats:
    """Return what each strategy wins at a table with a group, in chips per 1,000 hands.

    Parameters
    ----------
    game : RingGame
        What is played. If the table has fewer seats than the group fills, each sequence of hands
        has opponents drawn from the group, the same for all strategies.
    encoding : PlayerEncoding
        What genomes mean, those of the group included.
    genomes : ndarray of float64, shape (N, 42)
        The strategies to be judged.
    group : sequence of Opponent
        Whom they meet.
    hands, sequences : int
        Hands in a sequence, 1 to 10**6, and sequences, 1 to 10**4; the paper has one. The button goes round.
    seed : int
        Of the deals, the luck, and the opponents drawn.
    workers : int
        Threads that share the hands; results do not depend on it.

    Returns
    -------
    ndarray of float64, shape (sequences, N)
        As in the paper's section "Measuring effectiveness".
    """
    whole("sequences", sequences, 1, MOST_SEQUENCES)
    played = [
        at_tables(game, encoding, genomes, group, hands=hands, seed=seed, number=k, workers=workers)
        for k in range(sequences)
    ]
    return np.array([of_one.won[: len(genomes)] * (PER / hands) for of_one in played])


def at_tables(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int,
    seed: int,
    number: int = 0,
    workers: int = 1,
) -> Played:
    """Let each strategy play sequence `number` of hands with a group, as in `assess`.

    The strategies are the first players of the result, the group the last; the one that is judged has the first place
    of its table's line-up.
    """
    whole("hands", hands, 1, MOST_HANDS)
    instead = "a ring game; an experiment with another solver needs columns= of its own"
    check_kind("game", game, RingGame, instead)
    others = game.num_seats - 1
    if len(group) < others:
        raise SettingError(
            f"a group of {len(group)} does not fill a table of {game.num_seats} seats beside the strategy"
            f" that is judged; give at least {others}."
        )
    many = len(genomes)
    met = stream(seed, "assessed against", number).permutation(len(group))[:others]
    opponents = np.tile(many + np.sort(met), (many, 1))
    return replace(game, same_deals=True, won_from=True).play(
        encoding.players(np.concatenate([genomes, [member.genome for member in group]])),
        hands,
        seed=seed,
        first=number * hands,
        lineups=np.column_stack([np.arange(many), opponents]),
        workers=workers,
    )


def in_big_blinds(chips: Floats, game: RingGame) -> Floats:
    """Return chips per 1,000 hands as thousandths of a big blind a hand (mbb/hand)."""
    return chips / game.structure.big_blind


class Effect(NamedTuple):
    """The mean difference of paired runs (regimes of one seed begin alike), its standard error, Student's t and p.

    `wilcoxon` is the two-sided p of the signed-rank test, which assumes no normal distribution; `normal` that of
    Shapiro and Wilk's test that the differences are normal.
    """

    mean: float
    error: float
    t: float
    p: float
    wilcoxon: float
    normal: float


def by_run(history: History, column: str, regime: str, among: Bools | None = None) -> Floats:
    """Return the mean of a column over the strategies of each run of a regime, in the order of the seeds.

    `history` is from `final_populations`; `among`, (rows,), says which strategies count, such as those kept.
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


def by_split(splits: History, regime: str) -> Floats:
    """Return what the runs of a regime win from both groups of each recorded split, (splits, 2, runs)."""
    mine = splits["regime"] == regime
    many = len(np.unique(splits["split"][mine]))
    won = [splits[group][mine].reshape(many, -1) for group in ("first", "second")]
    return np.stack(won, axis=1)


def paired(differences: Floats) -> Effect:
    """Return the effect whose value in each pair of runs is known, (pairs,)."""
    test = scipy.stats.ttest_1samp(differences, 0.0)
    error = scipy.stats.sem(differences)
    others = (scipy.stats.wilcoxon(differences).pvalue, scipy.stats.shapiro(differences).pvalue)
    return Effect(*map(float, (differences.mean(), error, test.statistic, test.pvalue, *others)))


class Crossed(NamedTuple):
    """A mean over a table whose rows and columns are both drawn at random: its standard error and two-sided p."""

    mean: float
    error: float
    p: float


def crossed(table: Floats) -> Crossed:
    """Return the mean of a table, (rows, columns), with the error of two crossed random factors.

    The variance is (MS of rows + MS of columns - MS of the rest) / cells, its degrees of freedom Satterthwaite's.
    """
    rows, columns = table.shape
    by_row, by_column, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    rest = table - by_row[:, None] - by_column + mean
    squares = np.array([columns * by_row.var(ddof=1), rows * by_column.var(ddof=1)])
    degrees = np.array([rows - 1, columns - 1])
    of_rest = np.square(rest).sum() / degrees.prod()
    total = max(squares.sum() - of_rest, squares.max())
    freedom = total**2 / (np.square(squares) / degrees).sum()
    error = np.sqrt(total / table.size)
    return Crossed(mean, error, 2 * scipy.stats.t.sf(abs(mean) / error, freedom))
