"""Laws of best responses and equilibria."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab import reference
from pokerlab.games import Profile, compile_rules
from pokerlab.solvers import SequenceFormLP
from tests.random_games import (
    Played,
    RandomRules,
    games_with_behavior,
    random_profile,
    random_rules,
    seeded_table,
    some_rules,
)

ROUNDING = 1e-12  # sums of a few hundred products, utilities up to ten


@given(games_with_behavior(), st.integers(0, 1000))
def test_no_strategy_beats_the_best_response(played: Played, seed: int) -> None:
    game, profile = played.game, played.profile
    another = random_profile(game, seed)
    pure = Profile.from_table(game, seeded_table(played.rules, seed, interior=False))
    for player in range(game.num_players):
        best = game.best_response(profile, player).value
        for tried in (profile, another, pure, game.uniform()):
            assert game.values(profile.replace(player, tried))[player] <= best + ROUNDING


@given(games_with_behavior())
def test_replies_do_not_hang_on_the_repliers_own_part(played: Played) -> None:
    game, profile = played.game, played.profile
    for player in range(game.num_players):
        reply = game.best_response(profile, player)
        again = game.best_response(profile.replace(player, reply.behavior), player)
        assert again.value == reply.value
        assert (again.behavior == reply.behavior).all()


@given(games_with_behavior(payoffs=st.just("zero")))
def test_zero_sum_utilities_cancel(played: Played) -> None:
    assert played.game.values(played.profile).sum() == pytest.approx(0.0, abs=ROUNDING)


@given(games_with_behavior(payoffs=st.just("identical")))
def test_identical_utilities_stay_identical(played: Played) -> None:
    assert np.ptp(played.game.values(played.profile)) == pytest.approx(0.0, abs=ROUNDING)


SOLVED = 1e-8  # what the linear program promises, relative to the largest utility


@given(some_rules(players=st.just(2), payoffs=st.just("zero")))
def test_nobody_gains_at_the_linear_programs_solution(rules: RandomRules) -> None:
    solution = SequenceFormLP(compile_rules(rules)).solve()
    table = solution.profile.table()
    assert reference.nash_conv(rules, table) == pytest.approx(0.0, abs=10 * SOLVED)
    value = reference.expected_utilities(rules, table)[0]
    assert value == pytest.approx(solution.value, abs=10 * SOLVED)


@pytest.mark.parametrize("seed", range(10))
def test_larger_random_games_are_solved(seed: int) -> None:
    rules = random_rules(seed, 2, depth=7, payoffs="zero", largest=10)
    solution = SequenceFormLP(compile_rules(rules)).solve()
    assert reference.nash_conv(rules, solution.profile.table()) < 10 * SOLVED
