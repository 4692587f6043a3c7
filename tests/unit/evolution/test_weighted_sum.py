"""Children as weighted sums of parents: how many parents, which biases, mutation, types."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import PokerlabError
from pokerlab.evolution.population import WeightedSum
from pokerlab.evolution.population.protocol import Children
from pokerlab.evolution.population.variation import BIAS_DISTRIBUTIONS, NO_PARENT, PARENT_COUNTS
from tests.refusals import refused

GENES = 7
STILL = {"mutation": 0.0}


def parents_of(count: int = 12, kind: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(count, GENES)).astype(kind)


def born(
    variation: WeightedSum, genomes: np.ndarray, chances: Any = None, count: int = 3000
) -> Children:
    given = np.full(len(genomes), 1 / len(genomes)) if chances is None else np.array(chances)
    return variation(None, genomes, given, count, np.random.default_rng(1))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("biases", BIAS_DISTRIBUTIONS)
@pytest.mark.parametrize("parents", PARENT_COUNTS)
def test_weighted_sum_child_is_a_sum_of_its_parents(kind: Any, biases: str, parents: str) -> None:
    """Solve for the biases of each child from its weights: one for each parent explains all."""
    genomes = parents_of(5, kind)
    before = genomes.copy()
    children, written = born(
        WeightedSum(parents=parents, biases=biases, **STILL), genomes, count=60
    )
    assert children.dtype == kind
    assert written.shape == (60, PARENT_COUNTS[parents])
    assert (genomes == before).all()
    for child, row in zip(children.astype(float), written, strict=True):
        own = row[row != NO_PARENT]
        assert len(set(own.tolist())) == len(own) > 0
        found, *_ = np.linalg.lstsq(genomes[own].astype(float).T, child, rcond=None)
        assert found @ genomes[own] == pytest.approx(child, abs=1e-4)
        if biases in ("weighted average", "uniform"):
            assert found.sum() == pytest.approx(1.0, abs=1e-4)
            assert (found > -1e-5).all()


def biases_of(kind: str, **more: Any) -> np.ndarray:
    """Return the biases of many children of two parents; parents are the rows of a unit matrix."""
    variation = WeightedSum(biases=kind, **STILL, **more)
    children, written = born(variation, np.eye(9), count=8000)
    assert (np.take_along_axis(children, np.maximum(written, 0), axis=1)[written < 0] <= 1.5).all()
    return np.take_along_axis(children, written, axis=1)


def test_draw_biases_follows_each_law() -> None:
    normal = biases_of("normal")
    assert normal.mean() == pytest.approx(0.0, abs=4 / np.sqrt(16_000))
    assert normal.std() == pytest.approx(1.0, abs=0.03)
    shares = biases_of("weighted average")
    luck = np.abs(np.random.default_rng(2).normal(1.0, 0.3, (8000, 2)))
    expected = luck / luck.sum(axis=1, keepdims=True)
    assert shares.std() == pytest.approx(expected.std(), rel=0.04)
    assert biases_of("weighted average", bias_spread=0.0) == pytest.approx(0.5)


def test_uniform_biases_are_normalized() -> None:
    """Of two, the larger share has the density 1 / s^2 above one half: its mean is ln 2."""
    shares = biases_of("uniform")
    larger = shares.max(axis=1)
    assert larger.mean() == pytest.approx(np.log(2), abs=4 * larger.std() / np.sqrt(larger.size))
    assert np.mean(larger < 0.6) == pytest.approx(2 - 1 / 0.6, abs=0.02)


@pytest.mark.parametrize("rate", [0.5, 0.9, 3.0])
def test_numbers_of_parents_are_exponential(rate: float) -> None:
    variation = WeightedSum(parents="exponential", parent_rate=rate, **STILL)
    genomes = np.eye(40)
    children, written = born(variation, genomes, count=20_000)
    numbers = (children > 0).sum(axis=1)
    first = 1 - np.exp(-rate / 2)
    law = [first, *(np.exp(-rate * (k - 0.5)) * (1 - np.exp(-rate)) for k in range(1, 6))]
    found = np.bincount(numbers, minlength=8)[1:7] / len(numbers)
    assert found == pytest.approx(law, abs=0.015)
    assert (np.argmax(found) == 1) == (rate < 0.962)
    assert ((written != NO_PARENT).sum(axis=1) == np.minimum(numbers, 8)).all()
    # All that may breed is the most there can be.
    few, _ = born(variation, genomes[:3], count=2000)
    assert (few > 0).sum(axis=1).max() == 3


def test_weighted_sum_records_eight_of_more_parents() -> None:
    """1 + Exp(rate), rounded, is k or more with chance exp(-rate (k - 1.5)), and all where it exceeds their number."""
    rate, able = 0.05, 60
    variation = WeightedSum(parents="exponential", parent_rate=rate, **STILL)
    children, written = born(variation, np.eye(able), count=8000)
    numbers = (children > 0).sum(axis=1)
    for least in (2, 8, 9, 10, 20, 40, able):
        chance = np.exp(-rate * (least - 1.5))
        deviation = np.sqrt(chance * (1 - chance) / len(numbers))
        assert (numbers >= least).mean() == pytest.approx(chance, abs=4 * deviation)
    assert ((written != NO_PARENT).sum(axis=1) == np.minimum(numbers, 8)).all()


def test_weighted_average_of_one_parent_is_a_copy() -> None:
    genomes = parents_of()
    children, parents = born(WeightedSum(parents="one", **STILL), genomes)
    assert children.tobytes() == genomes[parents[:, 0]].tobytes()


def test_weighted_sum_draws_parents_by_their_chances() -> None:
    chances = [0.5, 0.3, 0.0, 0.2]
    parents = born(WeightedSum(parents="two"), parents_of(4), chances, 8000).parents
    shares = np.bincount(parents[:, 0], minlength=4) / 8000
    assert shares == pytest.approx(chances, abs=4 * 0.5 / np.sqrt(8000))
    assert 2 not in parents
    assert (parents[:, 0] != parents[:, 1]).all()


@pytest.mark.parametrize("parents", PARENT_COUNTS)
def test_weighted_sum_with_one_possible_parent_uses_it(parents: str) -> None:
    genomes = parents_of(4)
    children, written = born(WeightedSum(parents=parents, **STILL), genomes, [0, 0, 1, 0], 20)
    assert (children == genomes[2]).all()
    assert ((written == NO_PARENT) | (written == 2)).all()


def test_weighted_sum_mutates_a_tenth_of_the_weights() -> None:
    genomes = np.zeros((4, 200), np.float32)
    children = born(WeightedSum(), genomes).genomes
    moved = children != 0
    assert moved.mean() == pytest.approx(0.1, abs=4 * 0.3 / np.sqrt(moved.size))
    assert children[moved].std() == pytest.approx(0.1, rel=0.02)
    assert children[moved].mean() == pytest.approx(0.0, abs=5 * 0.1 / np.sqrt(moved.sum()))
    assert children.dtype == np.float32
    shifted = born(WeightedSum(noise_mean=0.5, noise=0.0, mutation=1.0), genomes).genomes
    assert (shifted == 0.5).all()
    assert (born(WeightedSum(mutation=0.0), genomes).genomes == 0.0).all()


def test_weighted_sum_clips_weights_at_the_bound() -> None:
    variation = WeightedSum(biases="normal", bound=2.0)
    children = born(variation, 100 * parents_of()).genomes
    assert np.abs(children).max() == 2.0
    assert np.isfinite(children).all()
    assert np.abs(born(WeightedSum(), parents_of()).genomes).max() < 2 * np.abs(parents_of()).max()


test_bad_input_is_answered = refused(
    (lambda: WeightedSum(parents="three"), PokerlabError, "there are: two, one, exponential"),
    (lambda: WeightedSum(parents=2), PokerlabError, "no number of parents '2'"),
    (
        lambda: WeightedSum(biases="exact"),
        PokerlabError,
        f"there are: {', '.join(BIAS_DISTRIBUTIONS)}",
    ),
    (lambda: WeightedSum(bias_spread=-1), PokerlabError, "bias_spread is -1; it must be a number"),
    (lambda: WeightedSum(mutation=1.1), PokerlabError, "mutation is 1.1; it must be a number from"),
    (lambda: WeightedSum(noise=-0.1), PokerlabError, "noise is -0.1; it must be a number from 0"),
    (lambda: WeightedSum(noise_mean=float("nan")), PokerlabError, "noise_mean is nan"),
    (lambda: WeightedSum(bound=0.0), PokerlabError, "bound is 0.0; it must be a number from 0.001"),
    (
        lambda: born(WeightedSum(), np.zeros((3, 2), np.int64)),
        PokerlabError,
        "genomes are int64, but",
    ),
)
