"""Progress that ranks within a population cannot show: old champions against a panel, and each other.

A population's mean rank is the same in every generation. So champions of several generations are
rated against the same eight opponents, and meet each other in pairs: who loses to its own ancestors
has forgotten something.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from tqdm.auto import tqdm

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Bools, Floats, freeze
from pokerlab.core.settings import whole
from pokerlab.evolution.population import PlayerEncoding
from pokerlab.evolution.population.parts import Genomes
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.metrics import PairedSums, holm
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables, evaluate
from pokerlab.papers.nicolai2009.evaluation import HALVES, Evaluation

LEVEL = 0.05
"""The chance of any false finding of forgetting."""
FEW = DuplicateTables(duplicates=40, seed=1)
"""Enough to see a clear loss while evolution goes on."""
MOST_CHAMPIONS = 1000


@dataclass(frozen=True, eq=False)
class Encounters:
    """Champions against each other, each pair at tables that the two share evenly.

    Attributes
    ----------
    advantage : ndarray of float64, shape (C, C)
        By how many ranks the seats of the row end before those of the column, on average, from -5 to 5;
        antisymmetric.
    error : ndarray of float64, shape (C, C)
        Its standard error over pairs of tables with the same cards.
    p : ndarray of float64, shape (C, C)
        Of the two-tailed paired t-test that there is no difference; 1 on the diagonal.
    first_places : ndarray of float64, shape (C, C)
        The share of tables that a seat of the row wins; with its transpose it adds up to 1.
    """

    advantage: Floats
    error: Floats
    p: Floats
    first_places: Floats

    def __post_init__(self) -> None:
        freeze(*vars(self).values())

    def lost_to_ancestors(self) -> Bools:
        """Return who loses to which earlier champion, (C, C), where the row is the later one.

        The champions must be in the order of their generations. By Holm's correction over all
        pairs the chance of any false finding is at most 0.05.
        """
        later, earlier = np.tril_indices(len(self.p), k=-1)
        forgets = np.zeros(self.p.shape, np.bool_)
        losing = (holm(self.p[later, earlier]) < LEVEL) & (self.advantage[later, earlier] < 0.0)
        forgets[later, earlier] = losing
        return forgets


def ratings(
    encoding: PlayerEncoding,
    genomes: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
    progress: bool = True,
) -> list[Evaluation]:
    """Return how each of several champions fares against the same eight opponents with the same cards.

    Parameters
    ----------
    encoding : PlayerEncoding
        What genomes mean.
    genomes : ndarray, shape (C, G)
        The champions, such as those of every tenth generation.
    others : mapping of CompiledPlayer, optional
        Eight opponents by name; the paper's if not given.
    tables : DuplicateTables
        How many, and how they are played. The cards are the same for all champions, which takes some
        luck out of the differences between them.
    workers : int
        Threads; results do not depend on it.
    progress : bool
        Whether to show what is done.

    Raises
    ------
    ShapeError
        If genomes are of another length.
    SettingError
        If there are not eight opponents.
    """
    champions = champions_of(encoding, genomes)
    return [
        evaluate(one, others, tables=tables, workers=workers, progress=False)
        for one in tqdm(champions, unit=" champions", disable=not progress)
    ]


def encounters(
    encoding: PlayerEncoding,
    genomes: Genomes,
    *,
    tables: DuplicateTables,
    workers: int = 1,
    progress: bool = True,
) -> Encounters:
    """Return how champions fare against each other.

    Each pair meets at tables whose ten seats belong to one and the other in turn, and again with the
    same cards and the seats exchanged. Full tables are what the champions were evolved at.

    Parameters
    ----------
    encoding : PlayerEncoding
        What genomes mean.
    genomes : ndarray, shape (C, G)
        The champions, from 2 to 1,000, in the order of their generations.
    tables : DuplicateTables
        Its `duplicates` are played by each pair, each twice.
    workers : int
        Threads; results do not depend on it.
    progress : bool
        Whether to show what is done.

    Raises
    ------
    SettingError
        If there are fewer than two champions.
    ShapeError
        If genomes are of another length.
    """
    champions = champions_of(encoding, genomes)
    count = whole("the number of champions", len(champions), 2, MOST_CHAMPIONS)
    advantage, error = np.zeros((2, count, count))
    p, first_places = np.ones((count, count)), np.full((count, count), 0.5)
    pairs = list(zip(*np.triu_indices(count, k=1), strict=True))
    for one, other in tqdm(pairs, unit=" pairs", disable=not progress):
        ranks, firsts = duel([champions[one], champions[other]], tables, workers)
        tests = ranks.tests()
        advantage[one, other], advantage[other, one] = -tests.difference[0], tests.difference[0]
        error[one, other] = error[other, one] = tests.error[0]
        p[one, other] = p[other, one] = tests.p[0]
        first_places[one, other], first_places[other, one] = firsts.mean
    return Encounters(advantage, error, p, first_places)


class Ancestry(NamedTuple):
    """How a champion fares against K ancestors; all arrays of shape (K,).

    Attributes
    ----------
    ahead, error : ndarray of float64
        By how many ranks its seats end before the ancestor's, on average, and its standard error.
    lost : ndarray of bool
        Where it is clearly behind, by Holm's correction over the K ancestors.
    """

    ahead: Floats
    error: Floats
    lost: Bools


def met_ancestors(
    encoding: PlayerEncoding, champion: Genomes, ancestors: Genomes, tables: DuplicateTables = FEW
) -> Ancestry:
    """Return how a champion, (G,), fares against its ancestors, (K, G), each as in `encounters`."""
    tests = []
    for ancestor in ancestors:
        pair = champions_of(encoding, [champion, ancestor])
        ranks, _ = duel(pair, tables, workers=1)
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


def champions_of(encoding: PlayerEncoding, genomes: Any) -> Sequence[CompiledPlayer]:
    """Return the players of champions, once their genomes have the encoding's length."""
    given = np.asarray(genomes)
    if given.ndim != 2 or given.shape[1] != encoding.num_genes:
        raise ShapeError(
            f"the champions' genomes have shape {given.shape}; give (C, {encoding.num_genes}), a row for"
            " each."
        )
    return encoding.players(given)
