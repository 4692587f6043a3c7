"""The nearest known equilibrium of KP(3) is nearest, and distances are what they say."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, stream
from pokerlab.games import Profile
from pokerlab.metrics import FamilyMember, family_distance, fixed_distance, nearest_member
from pokerlab.metrics.kuhn3 import chances_of

SEARCH = 1e-6
"""Least squares ends at a relative change of 1e-12 of the squared distance."""
STATIONARY = 1e-5
"""Gradients of half the squared distance beyond this would mean that a search stopped early."""


def random_profile(index: int) -> Profile:
    chances = stream(1, "profile", index).random(48)
    return Profile(pl.games.kuhn(3), np.stack([1 - chances, chances], axis=1).ravel())


@pytest.mark.parametrize("sub_family", [1, 2, 3])
@pytest.mark.parametrize("index", range(4))
def test_a_member_is_at_distance_zero(sub_family: int, index: int) -> None:
    member = FamilyMember.at(sub_family, stream(2, "member", sub_family, index).random(7))
    assert family_distance(member.profile()) < SEARCH


@pytest.mark.parametrize("index", range(3))
def test_no_random_member_is_nearer(index: int) -> None:
    profile = random_profile(index)
    nearest = nearest_member(profile)
    assert nearest.residual < STATIONARY
    chances = chances_of(profile)
    draw = stream(3, "member", index)
    for _ in range(2000):
        member = FamilyMember.at(int(draw.integers(1, 4)), draw.random(7))
        assert np.linalg.norm(member.chances - chances) > nearest.distance - SEARCH


def test_the_distance_is_that_to_the_member_returned() -> None:
    profile = random_profile(7)
    nearest = nearest_member(profile)
    away = chances_of(profile) - chances_of(nearest.member.profile())
    assert nearest.distance == pytest.approx(np.linalg.norm(away), abs=SEARCH)
    assert nearest.distance == min(nearest_member(profile, which).distance for which in (1, 2, 3))


def test_the_uniform_profile_by_hand() -> None:
    # 37 fixed chances of 0 or 1 and one of 1/2; player 2's ten and player 1's 15 are all 0 or 1.
    uniform = pl.games.kuhn(3).uniform()
    assert fixed_distance(uniform) == pytest.approx(np.sqrt(37 / 4))
    assert [fixed_distance(uniform, p) for p in range(3)] == pytest.approx(
        [np.sqrt(15 / 4), np.sqrt(10 / 4), np.sqrt(12 / 4)]
    )


def test_the_fixed_chances_bound_the_distance_from_below() -> None:
    for index in range(4):
        profile = random_profile(index)
        assert fixed_distance(profile) < family_distance(profile)


def test_profiles_of_other_games_are_refused() -> None:
    with pytest.raises(GameError, match=r"this is KP\(2\)"):
        family_distance(pl.games.kuhn(2).uniform())
