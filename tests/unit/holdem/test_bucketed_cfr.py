"""CFR in bucketed hold'em: steps, averages, checkpoints, and that it gets to an equilibrium."""

import math
from dataclasses import replace

import pytest

from pokerlab.core import GameError
from pokerlab.games import kuhn
from pokerlab.holdem import BucketedCFR, bucketed_holdem
from pokerlab.solvers import CFR
from pokerlab.solvers.cfr import RegretSchedule
from tests.random_bucketed import random_buckets
from tests.refusals import refused

SCHEDULES = {
    "plain": RegretSchedule(math.inf, math.inf, 0.0, 0.0),
    "plus": RegretSchedule(math.inf, -math.inf, 1.0, 0.0),
    "discounted": RegretSchedule(1.5, 0.0, 2.0, 0.0),
    "predictive": RegretSchedule(math.inf, -math.inf, 2.0, 1.0),
}


@pytest.fixture(scope="module")
def game() -> bucketed_holdem.BucketedHoldem:
    return bucketed_holdem.bucketed_limit_holdem(random_buckets((2, 3, 2, 4)), raise_cap=2)


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_the_average_comes_near_an_equilibrium(
    game: bucketed_holdem.BucketedHoldem, schedule: RegretSchedule
) -> None:
    cfr = BucketedCFR(game, schedule=schedule)
    few = cfr.step(cfr.init(), 50)
    many = cfr.step(few, 450)
    start = game.nash_conv(cfr.init().average)
    assert start == pytest.approx(game.nash_conv(game.uniform()), abs=1e-12)
    assert 0.0 <= game.nash_conv(many.average) < game.nash_conv(few.average) / 2 < start / 4
    assert game.nash_conv(many.average) < 0.02 * start


def test_the_whole_game_with_six_buckets_is_soon_solved() -> None:
    game = bucketed_holdem.bucketed_limit_holdem(random_buckets(6))
    cfr = BucketedCFR(game)
    assert game.nash_conv(cfr.step(cfr.init(), 400).average) < 0.02


def test_current_and_average_are_profiles(game: bucketed_holdem.BucketedHoldem) -> None:
    cfr = BucketedCFR(game)
    state = cfr.step(cfr.init(), 5)
    for profile in (cfr.init().current, state.current, state.average):
        bucketed_holdem.BucketedProfile(game, profile.table, profile.pointer)
    first = cfr.step(cfr.init())
    assert first.average.table == pytest.approx(cfr.init().current.table, abs=1e-15)


def test_average_without_reach_is_uniform_over_legal_actions(
    game: bucketed_holdem.BucketedHoldem,
) -> None:
    nowhere = replace(BucketedCFR(game).init(), iteration=1)
    assert not nowhere.plan_sum.any()
    assert (nowhere.average.decision_probabilities == game.uniform().decision_probabilities).all()


SMALL = bucketed_holdem.bucketed_limit_holdem(random_buckets(2), raise_cap=1)
OTHER = BucketedCFR(bucketed_holdem.bucketed_limit_holdem(random_buckets(2), raise_cap=2)).init()
test_what_it_cannot_do_is_refused = refused(
    (lambda: BucketedCFR(kuhn()), GameError, "give one from holdem.bucketed_limit_holdem()"),
    (lambda: BucketedCFR(SMALL, schedule=RegretSchedule(1.0, 1.0, -1.0, 0.0)), "gamma"),
    (lambda: BucketedCFR(SMALL, schedule=RegretSchedule(1.0, 1.0, 1.0, 1.5)), "optimism"),
    (lambda: BucketedCFR(SMALL, schedule="plus"), "give a RegretSchedule"),
    (lambda: CFR(SMALL), GameError, "has holdem.BucketedCFR"),
    (lambda: BucketedCFR(SMALL).step(OTHER), GameError, "belongs to"),
)
