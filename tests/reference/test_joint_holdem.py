"""The joint game against the plain recursion over pairs of full histories."""

from typing import Any

import numpy as np
import pytest

from pokerlab.holdem.bucketed.bucketed_holdem import bucketed_limit_holdem
from pokerlab.holdem.bucketed.joint_holdem import JointHoldem, independent
from pokerlab.reference.holdem.bucketed_holdem import joint_value, value
from tests.bucketed_profiles import behavior_of, random_profile, random_table
from tests.random_buckets import random_buckets
from tests.random_joint import random_joint

ROUNDING = 1e-12
TINY = [((2, 3, 2, 2), 1), ((1, 2, 1, 2), 2), ((2, 1, 2, 1), 2)]


@pytest.mark.parametrize("form", [random_table, random_profile])
@pytest.mark.parametrize(("counts", "cap"), TINY)
def test_values_and_best_values_are_those_of_the_recursion(
    counts: tuple[int, int, int, int], cap: int, form: Any
) -> None:
    game = bucketed_limit_holdem(random_buckets(counts, seed=2), raise_cap=cap)
    joint = random_joint(game.buckets)
    profile = form(game, 3)
    behavior = behavior_of(profile)
    together = JointHoldem(game, joint)
    best, values = together.best_values(profile), together.values(profile)
    for player in range(2):
        follows = joint_value(joint, cap, behavior, player, replies=False)
        assert values[player] == pytest.approx(follows, rel=0, abs=ROUNDING)
        replies = joint_value(joint, cap, behavior, player, replies=True)
        assert best[player] == pytest.approx(replies, rel=0, abs=ROUNDING)
    assert together.gains(profile) == pytest.approx(best - values)
    assert together.nash_conv(profile) == pytest.approx(best.sum())


def test_the_recursions_agree_where_histories_are_independent() -> None:
    buckets, cap = random_buckets((2, 2, 1, 2), seed=4), 1
    behavior = behavior_of(random_profile(bucketed_limit_holdem(buckets, raise_cap=cap), 1))
    for player in range(2):
        for replies in (False, True):
            one = joint_value(independent(buckets), cap, behavior, player, replies=replies)
            two = value(buckets, cap, behavior, player, replies=replies)
            assert one == pytest.approx(two, rel=0, abs=ROUNDING)


def test_knowing_ones_history_is_worth_something() -> None:
    # The opponent's hand is known from the own first bucket alone; what is present tells nothing.
    buckets = random_buckets((2, 1, 1, 2))
    game = bucketed_limit_holdem(buckets, raise_cap=1)
    met = np.zeros((4, 4))
    # Numbers of histories: first bucket, then last. First buckets are always alike.
    met[:2, :2] = [[1, 3], [3, 1]]
    met[2:, 2:] = [[4, 1], [1, 4]]
    joint = random_joint(buckets)
    object.__setattr__(joint, "met", met / met.sum())
    profile = game.uniform()
    best = JointHoldem(game, joint).best_values(profile)
    behavior = behavior_of(profile)
    for player in range(2):
        wins = joint_value(joint, 1, behavior, player, replies=True)
        assert best[player] == pytest.approx(wins, rel=0, abs=ROUNDING)
