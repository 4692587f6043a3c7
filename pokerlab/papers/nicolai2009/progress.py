"""Progress that ranks within a population cannot show: champions of several generations meet in pairs.

A population's mean rank is the same in every generation; but who loses to its own ancestors has forgotten something.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Bools, Floats, freeze
from pokerlab.core.settings import whole
from pokerlab.evolution.population import PlayerEncoding
from pokerlab.evolution.population.parts import Genomes
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.betting.structure import MOST_SEATS
from pokerlab.metrics import PairedSums, holm
from pokerlab.papers.nicolai2009.duplicate_tables import HALVES, DuplicateTables

LEVEL = 0.05
"""The chance of any false finding of forgetting."""
FEW = DuplicateTables(duplicates=40, seed=1)
"""Enough to see a clear loss while evolution goes on."""
MOST_CHAMPIONS = 1000
AHEAD = (-1, 1)
"""Of ranks the lower is ahead, of tables won the higher."""


@dataclass(frozen=True, eq=False)
class Advantages:
    """By how much each champion of a row is ahead of each of a column, by one measure; all (C, D).

    On average, the standard error over pairs of tables with the same cards, and p of the two-tailed paired t-test that
    there is no difference; 1 where a champion meets itself.
    """

    advantage: Floats
    error: Floats
    p: Floats

    def __post_init__(self) -> None:
        freeze(*vars(self).values())

    def lost_to_ancestors(self) -> Bools:
        """Return who is clearly behind which earlier champion, (C, C), where the row is the later one.

        The champions must be of one line, in the order of their generations. By Holm's correction over all
        pairs the chance of any false finding is at most `LEVEL`.
        """
        if self.p.shape[0] != self.p.shape[1]:
            raise ShapeError(
                f"the encounters are {self.p.shape}; ancestors are of one line, (C, C)."
            )
        later, earlier = np.tril_indices(len(self.p), k=-1)
        forgets = np.zeros(self.p.shape, np.bool_)
        losing = (holm(self.p[later, earlier]) < LEVEL) & (self.advantage[later, earlier] < 0.0)
        forgets[later, earlier] = losing
        return forgets


class Encounters(NamedTuple):
    """Champions against each other, each pair at tables that the two share evenly, by two measures.

    By how many ranks the seats of the row end before those of the column, from -5 to 5, and the share of tables that
    the row wins less that of the column. They need not agree: who folds ends ahead of many and wins no table.
    """

    ranks: Advantages
    tables_won: Advantages


def encounters(
    encoding: PlayerEncoding,
    genomes: Genomes,
    against: Genomes | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
    progress: bool = True,
) -> Encounters:
    """Return how champions fare against each other, or against those of another line.

    Each pair meets at tables of ten, whose seats belong to one and the other in turn, and again with the
    same cards and the seats exchanged. Full tables are what the champions were evolved at. Heads-up is
    another game, which whoever folds always loses.

    Parameters
    ----------
    encoding : PlayerEncoding
        What genomes mean.
    genomes : ndarray, shape (C, G)
        The champions, in the order of their generations; at least 2 if they meet each other.
    against : ndarray, shape (D, G), optional
        Those of another line; each other if not given.
    tables : DuplicateTables
        Its `duplicates` are played by each pair, each twice.
    workers : int
        Threads; results do not depend on it.
    progress : bool
        Whether to show what is done.

    Raises
    ------
    SettingError
        If there are too few champions or more than 1,000.
    ShapeError
        If genomes are of another length.
    """
    rows = players_of(encoding, genomes)
    columns = rows if against is None else players_of(encoding, against)
    for players in (rows, columns):
        fewest = 2 if against is None else 1
        whole("the number of champions", len(players), fewest, MOST_CHAMPIONS)
    shape = len(rows), len(columns)
    found = np.zeros((2, 3, *shape))
    found[:, 2] = 1.0
    meet = np.ones(shape, np.bool_) if against is not None else np.tri(*shape, -1, np.bool_).T
    for row, column in tqdm(np.argwhere(meet), unit=" pairs", disable=not progress):
        for measure, sums in enumerate(duel((rows[row], columns[column]), tables, workers)):
            tests = sums.tests()
            difference = tests.difference[0] * AHEAD[measure]
            found[measure, :, row, column] = difference, tests.error[0], tests.p[0]
            if against is None:
                found[measure, :, column, row] = -difference, tests.error[0], tests.p[0]
    return Encounters(*(Advantages(*one) for one in found))


class Ancestry(NamedTuple):
    """How a champion fares against K ancestors, (K,): ranks ahead, the standard error, where it is clearly behind."""

    ahead: Floats
    error: Floats
    lost: Bools


def met_ancestors(
    encoding: PlayerEncoding, champion: Genomes, ancestors: Genomes, tables: DuplicateTables = FEW
) -> Ancestry:
    """Return how a champion, (G,), fares against its ancestors, (K, G), each as in `encounters`."""
    tests = []
    for ancestor in ancestors:
        ranks, _ = duel(players_of(encoding, [champion, ancestor]), tables, workers=1)
        tests.append([column[0] for column in ranks.tests()[2:6]])
    difference, error, _, p = np.array(tests).reshape(-1, 4).T
    return Ancestry(-difference, error, (difference > 0.0) & (holm(p) < LEVEL))


def duel(
    pair: Sequence[CompiledPlayer], tables: DuplicateTables, workers: int
) -> tuple[PairedSums, PairedSums]:
    """Return the mean ranks of two players' seats, and the share of tables won, over pairs of tables."""
    ranks = np.zeros((tables.duplicates, 2), np.int64)
    firsts = np.zeros((tables.duplicates, 2), np.int64)
    for begins in (0, 1):
        lineup = [begins, 1 - begins] * (MOST_SEATS // 2)
        placed = tables.play(pair, np.tile(lineup, (tables.duplicates, 1)), workers=workers)
        halves = np.rint(HALVES * placed.ranks[:, 0]).astype(np.int64)
        for player in (0, 1):
            own = halves[:, np.equal(lineup, player)]
            ranks[:, player] += own.sum(axis=1)
            firsts[:, player] += (own == HALVES).sum(axis=1)
    return PairedSums.of(ranks, HALVES * MOST_SEATS), PairedSums.of(firsts, 2)


def players_of(encoding: PlayerEncoding, genomes: Any) -> Sequence[CompiledPlayer]:
    """Return the players of genomes, once these have the encoding's length."""
    given = np.asarray(genomes)
    if given.ndim != 2 or given.shape[1] != encoding.num_genes:
        raise ShapeError(
            f"the champions' genomes have shape {given.shape}; give (C, {encoding.num_genes}), a row for"
            " each."
        )
    return encoding.players(given)
