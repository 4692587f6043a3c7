"""Worst cases against the textbook's best responses and expected values, seat by seat."""

import numpy as np
import pytest

from pokerlab import games, reference
from pokerlab.core import random_stream
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers import ExactWorstCase
from pokerlab.solvers.response_gains import (
    make_exact_gain_evaluator,
    make_profile_gain_evaluator,
    make_sampling_gain_evaluator,
)
from pokerlab.strategies import DirectEncoding
from tests.reference.agreement import RANDOM_GAMES, name_of

ROUNDING = 1e-11
"""Sums of a few hundred products of payoffs of order ten."""
GAMES = [games.kuhn(2), games.biased_rps(), games.kuhn(3), *RANDOM_GAMES[:9]]
every_game = pytest.mark.parametrize("game", GAMES, ids=name_of)
HANDS, STANDARD_ERRORS = 40_000, 4.5


def genomes_of(encoding: DirectEncoding, count: int) -> np.ndarray:
    return np.random.default_rng(11).normal(0.4, 1.0, size=(count, encoding.num_genes))


def values_of(profile: Profile) -> np.ndarray:
    table = profile.to_table()
    return np.array(reference.compute_expected_utilities(profile.game.rules, table), dtype=float)


def gains_by_definition(genome: Profile, reply: Profile) -> float:
    """Return what the reply wins in each seat beside the genome in all others, less the genome's own."""
    seats = range(genome.game.num_players)
    won = [values_of(genome.replace(seat, reply))[seat] for seat in seats]
    return float(sum(won) - values_of(genome).sum())


@every_game
def test_exact_worst_case_equals_gains_by_definition(game: SequenceForm) -> None:
    encoding = DirectEncoding(game)
    genomes = genomes_of(encoding, 3)
    measured = ExactWorstCase().measure_losses(encoding, genomes)
    for genome, value in zip(genomes, measured.values, strict=True):
        table = encoding.make_profile(genome).to_table()
        wanted = float(reference.nash_conv(game.rules, table))
        assert value == pytest.approx(wanted, abs=ROUNDING)


@every_game
def test_evaluators_agree_with_the_definition(game: SequenceForm) -> None:
    encoding = DirectEncoding(game)
    first, *replies = genomes_of(encoding, 4)
    own = encoding.make_profile(first)
    wanted = [gains_by_definition(own, encoding.make_profile(reply)) for reply in replies]
    for kind in (make_exact_gain_evaluator, make_profile_gain_evaluator):
        won, errors = kind(encoding, first)(np.array(replies))
        assert won == pytest.approx(np.array(wanted), abs=ROUNDING)
        assert not errors.any()


@pytest.mark.parametrize("game", GAMES[:4], ids=name_of)
def test_sampling_evaluator_comes_near_expected_payoffs(game: SequenceForm) -> None:
    encoding = DirectEncoding(game)
    first, *replies = genomes_of(encoding, 6)
    exact, _ = make_exact_gain_evaluator(encoding, first)(np.array(replies))
    played = make_sampling_gain_evaluator(encoding, first, HANDS)
    won, errors = played(np.array(replies), random_stream(1, "hands", 0))
    assert (errors > 0.0).all()
    assert (np.abs(won - exact) <= STANDARD_ERRORS * errors).all()
    again = np.array(
        [played(np.array(replies), random_stream(1, "hands", k))[0] for k in range(40)]
    )
    ratio = again.std(axis=0, ddof=1) / errors
    assert (ratio > 0.6).all()
    assert (ratio < 1.5).all()
