"""Laws of bucketed hold'em, on random buckets and caps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.limit_game.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    bucketed_limit_holdem,
)
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
def test_replies_win_no_less_than_anything_else(
    game: BucketedHoldem, seed: int, by_situation: bool
) -> None:
    profile = (random_table if by_situation else random_profile)(game, seed)
    best = game.best_values(profile)
    assert game.values(profile).sum() == 0.0
    assert (game.gains(profile) >= -ROUNDING).all()
    mine = game.tree.actor[game.tree.decision_node][:, None, None]
    other = random_profile(game, seed + 1).by_decision
    for player in range(2):
        mixed = BucketedProfile(game, np.where(mine == player, other, profile.by_decision))
        assert game.values(mixed)[player] <= best[player] + ROUNDING
        reply = game.best_response(profile, player)
        assert reply.value == pytest.approx(best[player], abs=ROUNDING)
        assert game.values(reply.profile)[player] == pytest.approx(reply.value, abs=ROUNDING)


@FEW
@given(games())
def test_always_folding_loses_exactly_the_blinds_where_it_can_be_raised(
    game: BucketedHoldem,
) -> None:
    # With a cap of one the big blind is the only bet before the flop, and the rest is checks.
    if game.tree.raise_cap > 1:
        assert game.best_values(game.always_fold()).tolist() == [1.0, 0.5]


def twice(buckets: Buckets, street: int, bucket: int, share: float) -> Buckets:
    """Return the buckets with one of them taken apart at random, as by the toss of a coin."""
    source = np.insert(np.arange(buckets.counts[street]), bucket, bucket)
    parts = np.ones(len(source))
    parts[bucket : bucket + 2] = share, 1.0 - share
    counts = list(buckets.counts)
    counts[street] += 1
    transitions = list(buckets.transitions)
    start, showdown = buckets.start, buckets.showdown
    if street == 0:
        start = start[source] * parts
    else:
        transitions[street - 1] = transitions[street - 1][:, source] * parts
    if street == 3:
        showdown = showdown[np.ix_(source, source)]
    else:
        transitions[street] = transitions[street][source]
    blank = random_buckets(tuple(counts))
    return Buckets(
        tuple(counts),
        start,
        tuple(transitions),
        showdown,
        blank.bounds,
        blank.lowest,
        blank.highest,
    )


@FEW
@given(st.integers(0, 3), st.integers(0, 1), st.floats(0.05, 0.95), SEEDS)
def test_a_bucket_taken_apart_by_the_toss_of_a_coin_is_worth_the_same(
    street: int, bucket: int, share: float, seed: int
) -> None:
    buckets = random_buckets((2, 3, 2, 3), seed=seed)
    game = bucketed_limit_holdem(buckets, raise_cap=2)
    finer = bucketed_limit_holdem(twice(buckets, street, bucket, share), raise_cap=2)
    profile = random_profile(game, seed)
    table = profile.table
    most = max(finer.buckets.counts)
    widened = np.zeros((len(table), most, 3))
    widened[:, : table.shape[1]] = table
    at = game.tree.street[game.tree.decision_node] == street
    doubled = np.insert(table, bucket, table[:, bucket], axis=1)[:, :most]
    widened[at, : doubled.shape[1]] = doubled[at]
    same = BucketedProfile(finer, widened)
    assert finer.best_values(same) == pytest.approx(game.best_values(profile), abs=ROUNDING)
    assert finer.values(same) == pytest.approx(game.values(profile), abs=ROUNDING)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("step", [0.01, 0.3, 1.0])
def test_no_single_change_makes_always_folding_better(seed: int, step: float) -> None:
    """Who always folds and calls now and then with one bucket in one situation loses no less."""
    game = bucketed_limit_holdem(random_buckets(4, seed=seed))
    table = game.always_fold().table
    for situation, legal in enumerate(game.legal):
        for bucket in range(4):
            for action in np.flatnonzero(legal):
                changed = table.copy()
                changed[situation, bucket] *= 1.0 - step
                changed[situation, bucket, action] += step
                assert game.nash_conv(BucketedProfile(game, changed)) >= 1.5 - ROUNDING
