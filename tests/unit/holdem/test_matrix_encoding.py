"""Matrix strategies: the head start, random genomes, bad ones refused. (What they decide: tests/reference.)"""

import numpy as np
import pytest

from pokerlab.core import ShapeError, UnknownNameError, random_stream
from pokerlab.holdem import MatrixEncoding
from pokerlab.holdem.matrix_genome import NUM_WEIGHTS
from tests.refusals import refused

MATRICES = MatrixEncoding()


def test_head_start_follows_its_lines() -> None:
    weights = MATRICES.make_matrices(MATRICES.make_head_start())
    assert (weights == weights[0, 0]).all()
    fold, call, raising = np.moveaxis(weights[0, 0], -1, 0)
    # On the line of folding, at a strength of 0.3 where a call is free and of 0.7 all-in.
    for strength, cost in [(6, 0), (14, 20)]:
        assert fold[strength, cost] == pytest.approx(0.5, abs=1e-6)
        assert call[strength, cost] == pytest.approx(1.0, abs=1e-6)
    # On the line of raising, 0.55 where a call is free; a fold is 2.5 spreads away, 0.2 a width.
    assert raising[11, 0] == pytest.approx(0.5, abs=1e-6)
    assert fold[11, 0] == pytest.approx(0.00620967, abs=1e-6)
    assert call[10, 0] == pytest.approx(np.exp(-0.5), abs=1e-6)
    assert (np.diff(fold, axis=0) <= 0).all()
    assert (np.diff(raising, axis=0) >= 0).all()
    assert (np.diff(fold, axis=1) >= 0).all()


@pytest.mark.parametrize("start", ["head start", "scratch"])
def test_random_genomes_have_a_meaning_and_a_type(start: str) -> None:
    encoding = MatrixEncoding(start=start)
    genomes = encoding.draw_genomes(random_stream(1, "matrices"), 20)
    assert genomes.shape == (20, NUM_WEIGHTS)
    assert genomes.dtype == np.float32
    assert (encoding.validate_genomes(genomes) == genomes).all()
    if start == "scratch":
        assert abs(genomes.mean() - 0.5) < 5 * np.sqrt(1 / 12 / genomes.size)
        return
    inside = (encoding.make_head_start() > 0.3) & (encoding.make_head_start() < 0.7)
    noise = (genomes - encoding.make_head_start())[:, inside]
    assert noise.std() == pytest.approx(0.1, rel=0.02)
    assert np.abs(genomes.min(axis=1)).max() == 0.0


test_genomes_and_settings_without_a_meaning_are_refused = refused(
    (
        lambda: MATRICES.validate_genomes(np.zeros(825)),
        ShapeError,
        "shape (825,); a matrix strategy has",
    ),
    (
        lambda: MATRICES.validate_genomes(np.full(NUM_WEIGHTS, np.nan)),
        "0 is nan; give a number from 0 to 1",
    ),
    (
        lambda: MATRICES.validate_genomes(np.linspace(0, 1.5, NUM_WEIGHTS)),
        "; give a number from 0 to 1",
    ),
    (
        lambda: MATRICES.make_matrices(np.zeros((2, NUM_WEIGHTS))),
        ShapeError,
        "matrices of one at a",
    ),
    (lambda: MatrixEncoding(start="expert"), UnknownNameError, "no start 'expert'"),
    (lambda: MatrixEncoding(spread=0.0), "spread is 0.0"),
)
