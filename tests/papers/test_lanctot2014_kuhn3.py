"""Members of the known family of KP(3) are equilibria worth what the formula says; the nearest is nearest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokerlab as pl
from pokerlab.core import GameError, random_stream
from pokerlab.games import Profile
from pokerlab.papers import lanctot2014
from studies.lanctot2014 import kuhn3

EQUILIBRIUM = 1e-9
"""Asked of every member; rounding leaves about 1e-16."""
ROUNDING = 1e-14
SEARCH = 1e-6
"""Least squares ends at a relative change of 1e-12 of the squared distance."""
STATIONARY = 1e-5
"""Gradients of half the squared distance beyond this would mean that a search stopped early."""

shares = st.floats(0.0, 1.0)
points = st.tuples(*[shares] * 7).map(np.array)
sub_families = st.sampled_from([1, 2, 3])


@given(sub_families, points)
def test_every_member_is_an_equilibrium(sub_family: int, point: np.ndarray) -> None:
    game = pl.games.kuhn(3)
    member = kuhn3.KnownEquilibrium.from_unit_cube(sub_family, point)
    profile = member.make_profile()
    assert pl.metrics.epsilon(game, profile) < EQUILIBRIUM
    assert game.values(profile) == pytest.approx(member.utilities, abs=ROUNDING)


@given(sub_families, points)
def test_every_member_keeps_the_published_constraints(sub_family: int, point: np.ndarray) -> None:
    m = kuhn3.KnownEquilibrium.from_unit_cube(sub_family, point)
    beta = max(m.b11, m.b21)
    assert m.largest_bluff_probability == beta <= 1 / 4 + ROUNDING
    limits = {
        1: m.c11 == 0 and m.b11 <= m.b21 and m.b23 == 0,
        2: m.c11 == 1 / 2
        and m.b21 <= min(m.b11, 1 / 2 - 2 * m.b11) + ROUNDING
        and m.b23 <= max(0, (m.b11 - m.b21) / (2 * (1 - m.b21))) + ROUNDING,
        3: m.c11 <= 1 / 2
        and m.b11 == m.b21
        and m.b23 == 0
        and (m.b11 <= 1 / 6 or m.c11 <= (2 - m.b11) / (3 + 4 * m.b11) + ROUNDING),
    }
    assert limits[sub_family]
    room = 3 / 4 * (m.b11 + m.b21) + beta / 4
    assert 0 <= m.b32 <= 1 / 2 + room + ROUNDING
    assert max(0, 1 / 2 - m.b32) - ROUNDING <= m.c33 <= 1 / 2 - m.b32 + room + ROUNDING


def test_chances_are_read_from_where_they_were_written() -> None:
    member = kuhn3.KnownEquilibrium.from_unit_cube(2, np.linspace(0.1, 0.9, 7))
    assert np.array_equal(
        lanctot2014.select_bet_probabilities(member.make_profile()), member.bet_probabilities
    )
    assert lanctot2014.select_bet_probabilities(member.make_profile())[1, 2, 1] == member.b32


def test_other_games_have_no_such_family() -> None:
    with pytest.raises(GameError, match=r"this is KP\(4\)\. Use pokerlab\.games\.kuhn\(3\)"):
        lanctot2014.find_bet_indices(pl.games.kuhn(4))


def random_profile(index: int) -> Profile:
    chances = random_stream(1, "profile", index).random(48)
    return Profile(pl.games.kuhn(3), np.stack([1 - chances, chances], axis=1).ravel())


def test_only_chances_on_the_path_move_anybody_s_winnings() -> None:
    """Player 1 checks, so that nobody answers its bets; elsewhere a distance over what matters is one over all."""
    game = pl.games.kuhn(3)
    member = kuhn3.KnownEquilibrium.from_unit_cube(1, np.full(7, 0.5))
    chances = member.bet_probabilities.copy()
    never = np.zeros(chances.shape, np.bool_)
    never[1, :, 1] = never[2, :, 2:] = True
    chances[never] = 1 - chances[never]
    bets, probabilities = lanctot2014.find_bet_indices(game), np.empty(game.num_probabilities)
    probabilities[bets], probabilities[bets - 1] = chances, 1 - chances
    changed = Profile(game, probabilities)
    relevant = kuhn3.find_payoff_relevant_probabilities(changed)
    assert not relevant[never].any()
    assert relevant[0, :3, 0].all()
    assert game.values(changed) == pytest.approx(member.utilities, abs=ROUNDING)
    assert kuhn3.find_nearest_known_equilibrium(changed, included=relevant).distance < SEARCH
    assert kuhn3.find_nearest_known_equilibrium(changed).distance > 0.5
    assert kuhn3.find_payoff_relevant_probabilities(random_profile(0)).all()


@pytest.mark.parametrize("sub_family", [1, 2, 3])
@pytest.mark.parametrize("index", range(4))
def test_a_member_is_at_distance_zero(sub_family: int, index: int) -> None:
    member = kuhn3.KnownEquilibrium.from_unit_cube(
        sub_family, random_stream(2, "member", sub_family, index).random(7)
    )
    assert kuhn3.measure_distance_from_nearest_equilibrium(member.make_profile()) < SEARCH


@pytest.mark.parametrize("index", range(3))
def test_no_random_member_is_nearer(index: int) -> None:
    profile = random_profile(index)
    nearest = kuhn3.find_nearest_known_equilibrium(profile)
    assert nearest.residual < STATIONARY
    chances = lanctot2014.select_bet_probabilities(profile)
    draw = random_stream(3, "member", index)
    for _ in range(2000):
        member = kuhn3.KnownEquilibrium.from_unit_cube(int(draw.integers(1, 4)), draw.random(7))
        assert np.linalg.norm(member.bet_probabilities - chances) > nearest.distance - SEARCH


def test_the_uniform_profile_by_hand() -> None:
    # 37 fixed chances of 0 or 1 and one of 1/2; player 2's ten and player 1's 15 are all 0 or 1.
    uniform = pl.games.kuhn(3).uniform()
    assert lanctot2014.measure_distance_from_fixed_probabilities(uniform) == pytest.approx(
        np.sqrt(37 / 4)
    )
    assert [
        lanctot2014.measure_distance_from_fixed_probabilities(uniform, p) for p in range(3)
    ] == pytest.approx([np.sqrt(15 / 4), np.sqrt(10 / 4), np.sqrt(12 / 4)])


def test_a_subset_that_was_measured_is_found_and_another_time_is_missed() -> None:
    profiles = [lanctot2014.compute_state("KP(3)", t).average for t in (10, 100, 1000, 10_000)]
    hidden = np.random.default_rng(1).random(lanctot2014.FIXED_PROBABILITIES.shape) < 0.3
    away = np.array(
        [
            lanctot2014.select_bet_probabilities(one) - lanctot2014.FIXED_PROBABILITIES
            for one in profiles
        ]
    )
    distances = np.sqrt(np.nansum(np.where(hidden, away, np.nan) ** 2, axis=(1, 2, 3)))
    assert kuhn3.measure_error_of_best_probability_subset(profiles, distances) == pytest.approx(
        0.0, abs=1e-6
    )
    assert (
        kuhn3.measure_error_of_best_probability_subset(
            profiles[:3], distances[:3], profiles[3:], 1e-3
        )
        > 0.1
    )
    assert (
        kuhn3.measure_error_of_best_probability_subset(profiles, distances * [1.0, 1.0, 1.0, 9.0])
        > 0.1
    )
    uniform = pl.games.kuhn(3).uniform()
    assert kuhn3.measure_distance_over_necessary_probabilities(uniform) == pytest.approx(
        np.sqrt(21) / 2
    )


def test_the_fixed_chances_bound_the_distance_from_below() -> None:
    for index in range(4):
        profile = random_profile(index)
        assert lanctot2014.measure_distance_from_fixed_probabilities(
            profile
        ) < kuhn3.measure_distance_from_nearest_equilibrium(profile)
