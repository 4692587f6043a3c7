"""Laws of bucketed hold'em, on random buckets and caps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.holdem import BucketedProfile, bucketed_limit_holdem
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from tests.random_bucketed import random_buckets, random_profile, random_table

ROUNDING = 1e-11
"""Of a few thousand additions of numbers up to 24."""
FEW = settings(max_examples=20, deadline=None)
SEEDS = st.integers(0, 10**6)


@st.composite
def games(draw: st.DrawFn) -> BucketedHoldem:
    counts = tuple(draw(st.integers(1, 14)) for _ in range(4))
    cap = draw(st.integers(1, 4))
    return bucketed_limit_holdem(random_buckets(counts, seed=draw(SEEDS)), raise_cap=cap)


@FEW
@given(games(), SEEDS, st.booleans())
def test_nothing_beats_replies(game: BucketedHoldem, seed: int, by_situation: bool) -> None:
    profile = (random_table if by_situation else random_profile)(game, seed)
    best = game.best_values(profile)
    assert game.values(profile).sum() == 0.0
    assert (game.gains(profile) >= -ROUNDING).all()
    mine = game.tree.actor[game.tree.decision_node][:, None, None]
    other = random_profile(game, seed + 1).decision_probabilities
    for player in range(2):
        mixed = BucketedProfile(
            game, np.where(mine == player, other, profile.decision_probabilities)
        )
        assert game.values(mixed)[player] <= best[player] + ROUNDING
        reply = game.best_response(profile, player)
        assert reply.value == pytest.approx(best[player], abs=ROUNDING)
        assert game.values(reply.profile)[player] == pytest.approx(reply.value, abs=ROUNDING)


@FEW
@given(games())
def test_always_folding_loses_the_blinds_where_it_can_be_raised(game: BucketedHoldem) -> None:
    # With a cap of one the big blind is the only bet before the flop, and the rest is checks.
    if game.tree.raise_cap > 1:
        assert game.best_values(game.always_fold()).tolist() == [1.0, 0.5]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("step", [0.01, 0.3, 1.0])
def test_no_single_change_makes_always_folding_better(seed: int, step: float) -> None:
    """Who always folds and calls now and then with one bucket in one situation loses no less."""
    game = bucketed_limit_holdem(random_buckets(4, seed=seed))
    table = game.always_fold().table
    for situation, legal in enumerate(game.is_legal):
        for bucket in range(4):
            for action in np.flatnonzero(legal):
                changed = table.copy()
                changed[situation, bucket] *= 1.0 - step
                changed[situation, bucket, action] += step
                assert game.nash_conv(BucketedProfile(game, changed)) >= 1.5 - ROUNDING
