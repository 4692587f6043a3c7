"""Genomes in a contest: what identifies them, and how they mutate."""

import numpy as np

import pokerlab as pl
from pokerlab.core import POINTS
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.strategies import RealVector


def sums(a: np.ndarray, b: np.ndarray, seed: int) -> float:
    return float(a.sum() - b.sum())


GAME = pl.games.contest(sums, name="sums", unit=POINTS)


def test_fingerprint_changes_with_the_encoding() -> None:
    """A checkpoint whose genomes have another range must not be taken up."""
    ranges = (RealVector(3), RealVector(3, high=2), RealVector(4))
    assert len({EncodedContest(GAME, encoding).fingerprint for encoding in ranges}) == 3
    assert (
        EncodedContest(GAME, RealVector(3)).fingerprint
        == EncodedContest(GAME, RealVector(3)).fingerprint
    )


def test_mutant_changes_one_gene_in_the_mean_of_a_short_genome() -> None:
    contenders = EncodedContest(GAME, RealVector(2))
    rng = np.random.default_rng(1)
    genome = np.array([0.5, 0.5])
    changed = [(contenders.draw_mutant(genome, rng) != genome).sum() for _ in range(2000)]
    assert abs(np.mean(changed) - 1.0) < 0.1  # five standard errors of two fair coins
