"""The game of joint histories: equal to bucketed hold'em where they are independent, and its noise."""

import numpy as np
import pytest

from pokerlab.core import GameError
from pokerlab.holdem.bucketed.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.holdem.bucketed.joint_holdem import JointHoldem, independent
from tests.bucketed_profiles import random_profile, random_table
from tests.random_buckets import random_buckets
from tests.random_joint import random_joint

ROUNDING = 1e-11


@pytest.fixture(scope="module")
def game() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets((3, 2, 4, 3)))


def test_independent_histories_are_those_of_the_chains() -> None:
    buckets = random_buckets((3, 2, 4, 3))
    joint = independent(buckets)
    assert joint.met.sum() == pytest.approx(1)
    for street, chances in enumerate(joint.chances):
        last = joint.histories(street)[:, -1]
        own = np.bincount(last, chances.sum(axis=1))
        assert own == pytest.approx(buckets.frequencies[street])
        number = int(np.ravel_multi_index([2, 1, 3, 0][: street + 1], buckets.counts[: street + 1]))
        steps = [buckets.transitions[0][2, 1], buckets.transitions[1][1, 3]]
        steps.append(buckets.transitions[2][3, 0])
        assert chances[number].sum() == pytest.approx(buckets.start[2] * np.prod(steps[:street]))
    assert (
        joint.showdown == buckets.showdown[joint.histories(3)[:, -1:], joint.histories(3)[:, -1]]
    ).all()


@pytest.mark.parametrize("cap", [1, 3, 4])
def test_with_independent_histories_it_is_the_bucketed_game(cap: int) -> None:
    game = bucketed_limit_holdem(random_buckets((3, 2, 4, 3), seed=cap), raise_cap=cap)
    together = JointHoldem(game, independent(game.buckets))
    for profile in (random_table(game, 1), random_profile(game, 2), game.always_raise()):
        assert together.best_values(profile) == pytest.approx(
            game.best_values(profile), rel=0, abs=ROUNDING
        )
        assert together.values(profile) == pytest.approx(game.values(profile), rel=0, abs=ROUNDING)


def test_always_folding_loses_the_blinds_whatever_the_cards(game: BucketedHoldem) -> None:
    together = JointHoldem(game, random_joint(game.buckets))
    assert together.best_values(game.always_fold()) == pytest.approx([1.0, 0.5], abs=ROUNDING)
    assert together.values(game.always_fold()) == pytest.approx([-0.5, 0.5], abs=ROUNDING)
    assert together.nash_conv(game.always_fold()) == pytest.approx(1.5, abs=ROUNDING)


def test_nobody_wins_by_what_both_do(game: BucketedHoldem) -> None:
    together = JointHoldem(game, random_joint(game.buckets))
    assert together.values(game.always_call()) == pytest.approx([0, 0], abs=ROUNDING)
    profile = random_profile(game, 1)
    assert (together.gains(profile) > 0).all()


def test_a_reply_wins_less_by_chances_it_was_not_made_for(game: BucketedHoldem) -> None:
    profile, fresh = random_profile(game, 1), random_joint(game.buckets, seed=2)
    together, other = (JointHoldem(game, random_joint(game.buckets, seed=seed)) for seed in (1, 2))
    held_out = together.held_out_values(profile, fresh)
    assert (held_out < other.best_values(profile) - 0.01).all()
    same = together.held_out_values(profile, together.joint)
    assert (same == together.best_values(profile)).all()


def test_other_buckets_are_refused(game: BucketedHoldem) -> None:
    for other in (random_buckets((3, 2, 4, 3), seed=2), random_buckets(2)):
        with pytest.raises(GameError, match="Count with joint_buckets"):
            JointHoldem(game, random_joint(other))
    together = JointHoldem(game, random_joint(game.buckets))
    with pytest.raises(GameError, match="Count with joint_buckets"):
        together.held_out_values(game.uniform(), random_joint(random_buckets(2)))
    with pytest.raises(GameError):
        together.values(bucketed_limit_holdem(random_buckets(2)).uniform())
    assert repr(together) == "<limit hold'em in 3-2-4-3 buckets, histories together: random 1>"
