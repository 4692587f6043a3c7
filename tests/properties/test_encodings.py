"""Laws of every encoding: any finite genome is a profile, and a population is read row by row."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pokerlab as pl
from pokerlab.games import Profile
from pokerlab.strategies import DirectEncoding, NetworkEncoding
from pokerlab.strategies.direct_encoding import POSITIVITY_RULES
from pokerlab.strategies.encoding import BehaviorEncoding

LARGEST = 1e150  # weights times weights stay finite
GAMES = (pl.games.kuhn(), pl.games.kuhn(3), pl.games.biased_rps())
MAKES: dict[str, Callable[..., BehaviorEncoding]] = {
    **{p: lambda game, p=p: DirectEncoding(game, positive=p) for p in POSITIVITY_RULES},
    "one net": lambda game: NetworkEncoding(game, hidden=2),
    "a net a seat": lambda game: NetworkEncoding(game, hidden=2, seats="own"),
}
every_encoding = pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)


@every_encoding
@given(data=st.data())
def test_genomes_are_profiles(make: Callable[..., BehaviorEncoding], data: st.DataObject) -> None:
    encoding = make(data.draw(st.sampled_from(GAMES)))
    genes = st.floats(-LARGEST, LARGEST)
    genome = data.draw(arrays(np.float64, encoding.num_genes, elements=genes))
    profile = encoding.make_profile(genome)
    Profile(encoding.game, profile.probabilities)  # checks signs and sums


@every_encoding
def test_a_row_does_not_hang_on_its_neighbors(make: Callable[..., BehaviorEncoding]) -> None:
    for game in GAMES:
        encoding = make(game)
        genomes = np.random.default_rng(3).normal(size=(7, encoding.num_genes))
        together = encoding.compute_behaviors(genomes)
        parts = [encoding.compute_behaviors(genomes[:2]), encoding.compute_behaviors(genomes[2:])]
        assert together.tobytes() == np.concatenate(parts).tobytes()


@every_encoding
def test_the_start_is_uniform(make: Callable[..., BehaviorEncoding]) -> None:
    for game in GAMES:
        encoding = make(game)
        wanted = game.uniform().probabilities
        assert encoding.make_profile(encoding.default_start).probabilities == pytest.approx(
            wanted, abs=1e-15
        )
