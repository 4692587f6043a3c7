"""The linear program's values against closed forms and published values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokerlab as pl
from pokerlab import reference
from pokerlab.core import random_stream
from pokerlab.games import SequenceForm, compile_rules
from pokerlab.solvers import SequenceFormLP
from tests.random_games import RandomRules, random_rules, some_rules

ROUNDING = 1e-9
SOLVED = 1e-7
"""Ten times what the linear program promises, relative to the largest utility."""
PRINTED = 1e-10
"""The values of Leduc and of the two-round games are known to ten digits."""

CASES = [
    (pl.games.kuhn(), -1 / 18, ROUNDING),
    (pl.games.one_card_poker(3), -1 / 18, ROUNDING),
    (pl.games.one_card_poker(4), -1 / 24, ROUNDING),
    (pl.games.one_card_poker(5), -1 / 15, ROUNDING),
    (pl.games.one_card_poker(6), -11 / 180, ROUNDING),
    (pl.games.one_card_poker(8), -1 / 16, ROUNDING),
    (pl.games.one_card_poker(13), -5 / 78, ROUNDING),
    (pl.games.two_round_poker(), -0.0468086505, PRINTED),
    (pl.games.two_round_poker("paired"), -0.0611517923, PRINTED),
    (pl.games.leduc(), -0.0856064241, PRINTED),
    (pl.games.leduc(isomorphic=True), -0.0856064241, PRINTED),
    (pl.games.rock_paper_scissors(), 0.0, ROUNDING),
    (pl.games.biased_rps(), 0.0, ROUNDING),
]


every_case = pytest.mark.parametrize(
    ("game", "value", "tolerance"), CASES, ids=lambda x: getattr(x, "name", None)
)


@every_case
def test_sequence_form_lp_finds_known_values(
    game: SequenceForm, value: float, tolerance: float
) -> None:
    solution = SequenceFormLP(game).solve()
    assert solution.value == pytest.approx(value, abs=tolerance)
    assert game.values(solution.profile)[0] == pytest.approx(solution.value, abs=ROUNDING)
    assert abs(game.nash_conv(solution.profile)) < ROUNDING


def test_sequence_form_lp_finds_the_biased_rps_equilibrium() -> None:
    profile = SequenceFormLP(pl.games.biased_rps()).solve().profile
    assert profile.action_probabilities(0, "row") == pytest.approx(
        {"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16}, abs=ROUNDING
    )


@pytest.mark.parametrize("seed", range(4))
def test_sequence_form_lp_of_large_payoffs_allows_their_rounding(seed: int) -> None:
    """The power of two leaves the roundings of small payoffs as they are, so that 1e-16 points become 1e-4 points."""
    payoffs = random_stream(seed, "payoffs").integers(-9, 10, (5, 6))
    small = SequenceFormLP(pl.games.bimatrix(payoffs, -payoffs)).solve()
    large = SequenceFormLP(pl.games.bimatrix(2**40 * payoffs, -(2**40) * payoffs)).solve()
    assert large.value == pytest.approx(2**40 * small.value, rel=ROUNDING)
    assert abs(large.nash_conv) < 2**40 * ROUNDING


@given(some_rules(players=st.just(2), payoffs=st.just("zero")))
def test_sequence_form_lp_solution_leaves_no_gain(rules: RandomRules) -> None:
    solution = SequenceFormLP(compile_rules(rules)).solve()
    table = solution.profile.to_table()
    assert reference.nash_conv(rules, table) == pytest.approx(0.0, abs=SOLVED)
    value = reference.compute_expected_utilities(rules, table)[0]
    assert value == pytest.approx(solution.value, abs=SOLVED)


@pytest.mark.parametrize("seed", range(10))
def test_sequence_form_lp_solves_larger_random_games(seed: int) -> None:
    rules = random_rules(seed, 2, depth=7, payoffs="zero", largest=10)
    solution = SequenceFormLP(compile_rules(rules)).solve()
    assert reference.nash_conv(rules, solution.profile.to_table()) < SOLVED
