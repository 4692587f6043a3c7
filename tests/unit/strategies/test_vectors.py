"""Vectors of real numbers, whole numbers and bits: their ranges, what stands for them, and how they mutate."""

import numpy as np
import pytest

from pokerlab.core import ShapeError
from pokerlab.evolution.population import Crossover
from pokerlab.strategies import BitString, Integers, RealVector
from tests.refusals import refused

REAL, WHOLE, BITS = RealVector(4, low=-1, high=3), Integers(4, low=2, high=5), BitString(4)
every = pytest.mark.parametrize("encoding", [REAL, WHOLE, BITS], ids=repr)


@every
def test_random_fills_the_range(encoding: RealVector) -> None:
    genomes = encoding.draw_genomes(np.random.default_rng(1), 2000)
    assert genomes.shape == (2000, 4)
    assert (encoding.validate_genomes(genomes) == genomes).all()
    reach = 0.01 if encoding is REAL else 0.0
    assert genomes.min() <= encoding.low + reach
    assert genomes.max() >= encoding.high - reach


@every
def test_folded_vectors_are_genomes(encoding: RealVector) -> None:
    vectors = np.random.default_rng(2).normal(scale=20, size=(500, 4))
    folded = encoding.reflect_into_range(vectors)
    assert (encoding.validate_genomes(folded) == folded).all()
    assert (encoding.reflect_into_range(folded) == folded).all()


def test_folded_reflects_at_the_ends() -> None:
    assert REAL.reflect_into_range(np.array([-1.5, -1, 3, 3.25, 7])).tolist() == [
        -0.5,
        -1,
        3,
        2.75,
        -1,
    ]


@every
def test_crossover_mutants_of_vectors_stay_in_range(encoding: RealVector) -> None:
    parents = encoding.draw_genomes(np.random.default_rng(1), 200)
    variation = Crossover(mutation=1.0, catastrophic=0.0, sexual=False, widths=encoding.widths)
    luck, chances = np.random.default_rng(3), np.full(200, 1 / 200)
    born = variation(encoding, parents, chances, 200, luck)
    assert (encoding.validate_genomes(born.genomes) == born.genomes).all()
    moved = np.abs(born.genomes - parents[born.parents[:, 0]])
    assert (moved > 0).mean() > 0.7
    if encoding is BITS:
        assert (moved == 1.0).all()


test_bad_vectors_are_refused = refused(
    (lambda: RealVector(0), "n"),
    (lambda: RealVector(2, low=1, high=1), "low must be below high"),
    (lambda: Integers(2, low=0.5, high=3), "low"),  # type: ignore[arg-type]
    (lambda: REAL.validate_genomes([0, 0, 0, 4]), "gene 3 of genome 0 is 4"),
    (lambda: WHOLE.validate_genomes([2, 2.5, 3, 3]), "give a whole number from 2 to 5"),
    (lambda: BITS.validate_genomes([0, 1]), ShapeError, "4 genes"),
)


def test_crossover_moves_integers_of_narrow_range() -> None:
    """A normal step of deviation 1, rounded away from zero, is 2 or more with probability 0.1336."""
    narrow = Integers(3, low=0, high=4)
    variation = Crossover(mutation=1.0, catastrophic=0.0, sexual=False, widths=narrow.widths)
    middle = np.full((4000, 3), 2.0)
    stepped = variation.mutate_genes(narrow, middle, np.random.default_rng(5))
    far = float((np.abs(stepped - middle) >= 2).mean())
    assert far == pytest.approx(0.1336, abs=0.02)
