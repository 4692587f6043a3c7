"""The tuple table reads genomes as Eq. 5 says, and gradients back through it."""

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import GameError, SettingError, ShapeError, UnknownNameError, random_stream
from pokerlab.holdem import BucketedProfile, bucketed_limit_holdem
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, TupleTable
from pokerlab.strategies.direct_encoding import POSITIVITY_RULES
from tests.random_bucketed import random_buckets

STEP = 1e-6
CLOSE = 1e-7


@pytest.fixture(scope="module")
def game() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets(6))


@pytest.fixture(scope="module")
def uneven() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets((2, 3, 1, 2)), raise_cap=2)


def test_a_genome_has_three_genes_for_each_situation_and_bucket(game: BucketedHoldem) -> None:
    encoding = TupleTable(game)
    assert encoding.num_genes == 684
    assert len(set(encoding.gene_labels)) == 684
    label = "on the river, button, 1 own raises, 2 of the opponent, bucket 5: raise"
    assert encoding.gene_labels.index(label) == 3 * (6 * 36 + 5) + 2


def test_probabilities_are_shares_of_what_becomes_of_the_genes(game: BucketedHoldem) -> None:
    genome = np.zeros(684)
    genome[:3] = [1.0, -2.0, 5.0]
    chances = TupleTable(game, positive="absolute").make_profile(genome).table
    assert chances[0, 0].tolist() == pytest.approx([1 / 8, 2 / 8, 5 / 8])
    weights = np.exp([1.0, -2.0, 5.0])
    chances = TupleTable(game, positive="softmax").make_profile(genome).table
    assert chances[0, 0].tolist() == pytest.approx((weights / weights.sum()).tolist())


@pytest.mark.parametrize("knows", ["situation", "betting"])
@pytest.mark.parametrize("positive", POSITIVITY_RULES)
def test_every_genome_is_a_profile(uneven: BucketedHoldem, positive: str, knows: str) -> None:
    encoding = TupleTable(uneven, positive=positive, knows=knows)
    genome = random_stream(1, "genome").normal(size=encoding.num_genes)
    profile = encoding.make_profile(genome)
    BucketedProfile(uneven, profile.table, profile.pointer)
    assert profile.is_by_situation == (knows == "situation")
    start = uneven.nash_conv(encoding.make_profile(encoding.default_start))
    assert start == pytest.approx(uneven.nash_conv(uneven.uniform()), abs=1e-12)
    scaled = encoding.make_profile(encoding.rescale_genome(genome))
    assert scaled.table == pytest.approx(profile.table, abs=1e-12)


def test_genes_of_the_impossible_are_not_read(uneven: BucketedHoldem) -> None:
    encoding = TupleTable(uneven)
    genome = random_stream(1, "genome").normal(size=encoding.num_genes)
    other = np.where(encoding.has_effect.ravel(), genome, 50.0)
    assert (encoding.make_profile(genome).table == encoding.make_profile(other).table).all()


@pytest.mark.parametrize("knows", ["situation", "betting"])
@pytest.mark.parametrize("positive", POSITIVITY_RULES)
def test_pullback_equals_finite_differences(
    uneven: BucketedHoldem, positive: str, knows: str
) -> None:
    encoding = TupleTable(uneven, positive=positive, knows=knows)
    luck = random_stream(2, "genome")
    genome = luck.uniform(0.2, 2.0, size=encoding.num_genes)
    if positive != "clipped":
        genome *= luck.choice([-1.0, 1.0], size=genome.size)
    gradient = encoding.pull_back_gradient(
        genome, uneven.compute_exploitability_gradient(encoding.make_profile(genome)).gradient
    )
    for _ in range(3):
        direction = luck.normal(size=genome.size)
        ahead, behind = (
            uneven.nash_conv(encoding.make_profile(genome + step * direction))
            for step in (STEP, -STEP)
        )
        assert gradient @ direction == pytest.approx((ahead - behind) / (2 * STEP), abs=CLOSE)


def test_huge_genes_do_not_overflow(game: BucketedHoldem) -> None:
    for positive in POSITIVITY_RULES:
        encoding = TupleTable(game, positive=positive)
        genome = np.full(684, 1e200)
        genome[::2] = -1e200
        profile = encoding.make_profile(genome)
        BucketedProfile(game, profile.table)


def test_tuple_table_rejects_invalid_genomes(game: BucketedHoldem) -> None:
    encoding = TupleTable(game)
    with pytest.raises(ShapeError, match="684 genes"):
        encoding.make_profile(np.zeros(683))
    genome = np.zeros(684)
    genome[4] = np.nan
    with pytest.raises(SettingError, match=r"before the flop.*bucket 1: call.*nan"):
        encoding.make_profile(genome)
    with pytest.raises(UnknownNameError, match="softmax"):
        TupleTable(game, positive="softmx")
    with pytest.raises(UnknownNameError, match="situation"):
        TupleTable(game, knows="situations")
    with pytest.raises(GameError, match="bucketed hold'em"):
        TupleTable(games.kuhn())  # type: ignore[arg-type]
