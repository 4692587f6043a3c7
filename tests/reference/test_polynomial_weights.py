"""Polynomial weights against section 2.2 and eq. 8 of Lanctot (2014), and his Lemmas 1 and 2."""

import pytest
from hypothesis import given

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers import PolynomialWeights, ReplicatorDynamics
from tests.random_games import Played, games_with_behavior
from tests.reference.agreement import (
    RANDOM_GAMES,
    ROUNDING,
    check_iterations,
    every_game,
    every_order,
    name_of,
    safe_shift,
)


@every_game
@every_order
def test_iterations_agree(game: SequenceForm, iterations: int, order: str) -> None:
    shift = safe_shift(game)
    solver = PolynomialWeights(game, payoff_shift=shift, order=order)
    profiles = reference.polynomial_weights(game.rules, shift, order)
    check_iterations(solver, profiles, iterations, [1.0] * iterations)


# The loss of eq. 8 jumps where actions tie, and rounding decides: not so in these games.
WITHOUT_TIES = [games.kuhn(2), games.biased_rps(), *(g for g in RANDOM_GAMES if g.payoff.any())]


@pytest.mark.parametrize("game", WITHOUT_TIES, ids=name_of)
@every_order
def test_iterations_with_a_fixed_rate_agree(game: SequenceForm, order: str) -> None:
    solver = PolynomialWeights(game, payoff_shift=0.0, eta=0.3, order=order)
    profiles = reference.polynomial_weights(game.rules, 0.0, order, 0.3)
    check_iterations(solver, profiles, 10, [1.0] * 10)


@pytest.mark.parametrize("game", [games.kuhn(2), games.kuhn(4), *RANDOM_GAMES], ids=name_of)
@every_order
def test_lemma_1_weights_move_as_replicators_do(game: SequenceForm, order: str) -> None:
    shift = safe_shift(game)
    weights = PolynomialWeights(game, payoff_shift=shift, order=order)
    replicators = ReplicatorDynamics(game, payoff_shift=shift, order=order)
    state, other = weights.init(), replicators.init()
    for _ in range(50):
        state, other = weights.step(other), replicators.step(other)
        assert state.current.probabilities == pytest.approx(
            other.current.probabilities, abs=ROUNDING
        )


@given(games_with_behavior(interior=True))
def test_lemma_1_in_the_definitions(played: Played) -> None:
    """A step of eq. 3 at I is one of polynomial weights with the loss of eq. 8 and Lemma 1's eta."""
    rules, shift = played.rules, safe_shift(played.game)
    plans = reference.realization_plans(rules, played.table)
    for player in range(rules.num_players):
        after = reference.behavior_of(
            rules, reference.replicated(rules, plans, player, shift), player
        )
        utilities = reference.projected_utilities(rules, plans, player, shift)
        for label, won in utilities.items():
            loss, eta = reference.losses(won), reference.learning_rate(won)
            assert all(0 <= lost <= 1 for lost in loss.values())
            new = reference.reweighted(played.table[player, label], loss, eta)
            assert new == pytest.approx(after[player, label], abs=ROUNDING)


@given(games_with_behavior(interior=True))
def test_lemma_2_projected_utilities_differ_as_counterfactual_values_do(played: Played) -> None:
    plans = reference.realization_plans(played.rules, played.table)
    for player in range(played.rules.num_players):
        values = reference.counterfactual_values(played.rules, played.table, player)
        utilities = reference.projected_utilities(played.rules, plans, player)
        for label, won in utilities.items():
            value, best = values[label], max(values[label].values())
            for action, u in won.items():
                difference = float(best - value[action])
                assert max(won.values()) - u == pytest.approx(difference, abs=ROUNDING)


def test_losses_lie_between_0_and_1() -> None:
    assert reference.losses({"a": 4.0, "b": 2.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert reference.losses({"a": 4.0, "b": 4.0}) == {"a": 0.0, "b": 0.0}
    assert reference.learning_rate({"a": 4.0, "b": 2.0, "c": 3.0}) == 0.5
    assert reference.reweighted({"a": 0.5, "b": 0.5}, {"a": 0.0, "b": 1.0}, 0.5) == {
        "a": pytest.approx(2 / 3),
        "b": pytest.approx(1 / 3),
    }
