"""What it costs to let pairs meet, beside doing it by hand: loops, products of matrices, calls of a function."""

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np

import pokerlab as pl
from benchmarks.contestant import Task
from benchmarks.stopwatch import Measure, per_call
from pokerlab.core import POINTS
from pokerlab.evolution.population import AllPairs
from pokerlab.strategies import DirectEncoding, RealVector

MANY = 100
VECTORS = RealVector(50)
TREES = {"kp2": pl.games.kuhn, "leduc": pl.games.leduc}
PAIRS = MANY * (MANY - 1) // 2


@numba.njit
def compiled(a: Any, b: Any, seed: int) -> float:
    """Say what a sum of small contests comes to: some 50 ns."""
    won = 0.0
    for gene in range(a.size):
        won += (a[gene] - b[gene]) / (1.0 + a[gene] * b[gene])
    return won


def nothing(a: Any, b: Any, seed: int) -> float:
    return 0.0


@numba.njit
def double_loop(genomes: Any, table: Any) -> None:
    for one in range(len(genomes)):
        for other in range(one + 1, len(genomes)):
            won = compiled(genomes[one], genomes[other], one)
            table[one, other], table[other, one] = won, -won


def pairs(game: Any, encoding: Any) -> Callable[[], object]:
    """Return what lets all pairs meet, as in a generation after the first."""
    genomes = encoding.draw_genomes(np.random.default_rng(1), MANY)
    return lambda: AllPairs()(game, encoding, genomes, seed=1, generation=1)


def contest(play: Any) -> Callable[[], object]:
    return pairs(pl.games.contest(play, name="numbers", unit=POINTS), VECTORS)


def by_hand(game: str) -> Measure:
    genomes, table = VECTORS.draw_genomes(np.random.default_rng(1), MANY), np.zeros((MANY, MANY))
    return per_call(lambda: double_loop(genomes, table))


def computed(game: str) -> Measure:
    return per_call(pairs(TREES[game](), DirectEncoding(TREES[game]())))


def products(game: str) -> Measure:
    payoff = TREES[game]().payoff_matrix(0)
    ours, theirs = np.random.default_rng(1).random((2, MANY, len(payoff.indptr) - 1))
    return per_call(lambda: (ours @ payoff, theirs @ payoff.T))


TASKS: Mapping[str, Task] = {
    "pairs_compiled": lambda game: per_call(contest(compiled)),
    "double_loop": by_hand,
    "pairs_computed": computed,
    "sparse_products": products,
    "pairs_in_python": lambda game: per_call(contest(nothing), PAIRS),
}
