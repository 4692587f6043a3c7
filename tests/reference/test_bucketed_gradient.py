"""The gradient of the exploitability against differences of the exploitability itself."""

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.holdem import BucketedProfile, bucketed_limit_holdem
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from tests.random_bucketed import random_buckets, random_profile, random_table

STEP = 1e-6
CLOSE = 1e-7  # the replies' values are linear in one decision, but not in many at once


@pytest.mark.parametrize("form", [random_table, random_profile])
@pytest.mark.parametrize(("counts", "cap"), [(6, 4), ((2, 3, 4, 5), 2), ((3, 1, 2, 1), 3)])
def test_the_gradient_is_what_differences_show(
    counts: int, cap: int, form: Callable[[BucketedHoldem, int], BucketedProfile]
) -> None:
    game = bucketed_limit_holdem(random_buckets(counts, seed=3), raise_cap=cap)
    profile = form(game, 1)
    value, gradient = game.compute_exploitability_gradient(profile)
    assert value == pytest.approx(game.nash_conv(profile), abs=1e-12)
    assert gradient.shape == profile.table.shape
    luck = random_stream(1, "directions")
    for _ in range(4):
        # Toward another profile: probabilities keep their sums.
        other = np.where(profile.table > 0.0, luck.exponential(size=profile.table.shape), 0.0)
        total = other.sum(axis=2, keepdims=True)
        direction = np.where(total > 0.0, other / np.where(total > 0.0, total, 1.0), 0.0)
        direction -= profile.table
        ahead, behind = (
            game.nash_conv(
                BucketedProfile.make_unchecked(
                    game, profile.table + step * direction, profile.pointer
                )
            )
            for step in (STEP, -STEP)
        )
        assert (gradient * direction).sum() == pytest.approx(
            (ahead - behind) / (2 * STEP), abs=CLOSE
        )


def test_a_pointer_adds_up_the_gradients_of_the_decisions_it_joins() -> None:
    game = bucketed_limit_holdem(random_buckets(3))
    table = random_table(game, 2)
    joined = game.compute_exploitability_gradient(table).gradient
    apart = game.compute_exploitability_gradient(
        BucketedProfile(game, table.decision_probabilities)
    ).gradient
    summed = np.zeros_like(joined)
    np.add.at(summed, game.tree.situation, apart)
    assert joined == pytest.approx(summed, abs=1e-12)


def test_impossible_actions_have_no_slope() -> None:
    game = bucketed_limit_holdem(random_buckets(3))
    # What another game of the same size has left in memory must not show.
    other = bucketed_limit_holdem(random_buckets(3, seed=2))
    other.compute_exploitability_gradient(random_profile(other, 1))
    gradient = game.compute_exploitability_gradient(random_table(game, 2)).gradient
    assert not gradient[~np.repeat(game.is_legal[:, None], 3, axis=1)].any()
