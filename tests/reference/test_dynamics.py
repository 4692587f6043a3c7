"""The plain dynamics beside the fast ones: replicator, polynomial weights, fictitious play."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers import FictitiousPlay, ReplicatorDynamics
from pokerlab.solvers.dynamics import compute_growth_and_plans
from studies.lanctot2014 import definitions
from studies.lanctot2014.polynomial_weights import PolynomialWeights
from tests.oracles import learning, values
from tests.random_games import Played, games_with_behavior, random_profile
from tests.reference.agreement import (
    ORDERS,
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
def test_iterations_of_replicators_agree(game: SequenceForm, iterations: int, order: str) -> None:
    shift = safe_shift(game)
    plans = definitions.iterate_replicator_plans(game.rules, shift, order)
    profiles = (values.behavior_of_all(game.rules, x) for x in plans)
    solver = ReplicatorDynamics(game, payoff_shift=shift, order=order)
    check_iterations(solver, profiles, iterations, weights=[1.0] * iterations)


@pytest.mark.parametrize("game", [games.kuhn(2), *RANDOM_GAMES], ids=name_of)
@every_order
def test_a_step_keeps_the_constraints(game: SequenceForm, order: str) -> None:
    """Theorem 1 of Lanctot (2014)."""
    dynamics = definitions.iterate_replicator_plans(game.rules, safe_shift(game), order)
    for plans in islice(dynamics, 10):
        for player, plan in plans.items():
            assert reference.measure_constraint_violation(game.rules, plan, player) < ROUNDING


def test_kuhn_alternating_with_shift_3_gives_the_papers_first_record() -> None:
    rules = games.kuhn(2).rules
    past = list(islice(definitions.iterate_replicator_plans(rules, 3.0, "alternating"), 100))
    average = values.average_behavior(rules, past)
    assert round(reference.nash_conv(rules, average), 6) == 0.170643


@pytest.mark.parametrize("game", [games.kuhn(2), games.biased_rps(), *RANDOM_GAMES], ids=name_of)
def test_the_flow_of_behavior_is_that_of_plans(game: SequenceForm) -> None:
    """With x(I, a) = x(parent) sigma(I, a), dx/dt follows from the solver's d log(sigma)/dt."""
    profile = random_profile(game, seed=5)
    plans = reference.compute_realization_plans(game.rules, profile.to_table())
    size = game.num_players + game.num_probabilities
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    growth = compute_growth_and_plans(game.block, behavior)[game.num_players : size]
    log_rate = dict(zip(choices(game), growth.tolist(), strict=True))
    scale = float(np.abs(game.payoff).max())
    for player, plan in plans.items():
        flow = definitions.compute_flow_rates(game.rules, plans, player)
        for q, weight in plan.items():
            expected = weight * sum(log_rate[player, *choice] for choice in q)
            assert flow[q] == pytest.approx(expected, abs=ROUNDING * scale)


def choices(game: SequenceForm) -> list[tuple[int, str, str]]:
    """Return (player, information set, action) in the order of a profile."""
    return [
        (player, label, action)
        for (player, label), actions in zip(game.infoset_index, game.action_label, strict=True)
        for action in actions
    ]


def test_a_weight_of_zero_stays_zero() -> None:
    rules = games.kuhn(2).rules
    table = reference.uniform(rules)
    table[0, "J"] = {"pass": 1.0, "bet": 0.0}
    plans = reference.compute_realization_plans(rules, table)
    new = reference.replicate_plan(rules, plans, 0, 3.0)
    assert new[(("J", "bet"),)] == 0.0
    assert reference.measure_constraint_violation(rules, new, 0) < ROUNDING


def test_another_order_is_refused() -> None:
    dynamics = definitions.iterate_replicator_plans(games.kuhn(2).rules, 3.0, "alternate")
    next(dynamics)
    with pytest.raises(ValueError, match=f"there are: {', '.join(ORDERS)}"):
        next(dynamics)


@every_game
@every_order
def test_iterations_of_weights_agree(game: SequenceForm, iterations: int, order: str) -> None:
    shift = safe_shift(game)
    solver = PolynomialWeights(game, payoff_shift=shift, order=order)
    profiles = learning.polynomial_weights(game.rules, shift, order)
    check_iterations(solver, profiles, iterations, [1.0] * iterations)


# The loss of eq. 8 jumps where actions tie, and rounding decides: not so in these games.
WITHOUT_TIES = [games.kuhn(2), games.biased_rps(), *(g for g in RANDOM_GAMES if g.payoff.any())]


@pytest.mark.parametrize("game", WITHOUT_TIES, ids=name_of)
@every_order
def test_iterations_with_a_fixed_rate_agree(game: SequenceForm, order: str) -> None:
    solver = PolynomialWeights(game, payoff_shift=0.0, eta=0.3, order=order)
    profiles = learning.polynomial_weights(game.rules, 0.0, order, 0.3)
    check_iterations(solver, profiles, 6, [1.0] * 6)


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
    plans = reference.compute_realization_plans(rules, played.table)
    for player in range(rules.num_players):
        after = values.behavior_of(
            rules, reference.replicate_plan(rules, plans, player, shift), player
        )
        utilities = definitions.compute_utilities_of_forced_actions(rules, plans, player, shift)
        for label, won in utilities.items():
            loss, eta = definitions.compute_losses(won), definitions.compute_learning_rate(won)
            assert all(0 <= lost <= 1 for lost in loss.values())
            new = learning.reweighted(played.table[player, label], loss, eta)
            assert new == pytest.approx(after[player, label], abs=ROUNDING)


@given(games_with_behavior(interior=True))
def test_lemma_2_projected_utilities_differ_as_counterfactual_values_do(played: Played) -> None:
    plans = reference.compute_realization_plans(played.rules, played.table)
    for player in range(played.rules.num_players):
        values = reference.compute_counterfactual_values(played.rules, played.table, player)
        utilities = definitions.compute_utilities_of_forced_actions(played.rules, plans, player)
        for label, won in utilities.items():
            value, best = values[label], max(values[label].values())
            for action, u in won.items():
                difference = float(best - value[action])
                assert max(won.values()) - u == pytest.approx(difference, abs=ROUNDING)


def test_losses_lie_between_0_and_1() -> None:
    assert definitions.compute_losses({"a": 4.0, "b": 2.0, "c": 3.0}) == {
        "a": 0.0,
        "b": 1.0,
        "c": 0.5,
    }
    assert definitions.compute_losses({"a": 4.0, "b": 4.0}) == {"a": 0.0, "b": 0.0}
    assert definitions.compute_learning_rate({"a": 4.0, "b": 2.0, "c": 3.0}) == 0.5
    assert learning.reweighted({"a": 0.5, "b": 0.5}, {"a": 0.0, "b": 1.0}, 0.5) == {
        "a": pytest.approx(2 / 3),
        "b": pytest.approx(1 / 3),
    }


@pytest.mark.parametrize("game", [games.biased_rps(), *RANDOM_GAMES], ids=name_of)
def test_iterations_agree_where_rounding_decides_no_tie(game: SequenceForm) -> None:
    profiles = learning.fictitious_play(game.rules)
    check_iterations(FictitiousPlay(game, order="simultaneous"), profiles, 10, [1.0] * 10)


@pytest.mark.parametrize("game", [games.kuhn(2), games.kuhn(3), *RANDOM_GAMES], ids=name_of)
@every_order
def test_everybody_replies_best_to_the_average(game: SequenceForm, order: str) -> None:
    """Alternating: against those before, the average already holds their new replies."""
    solver = FictitiousPlay(game, order=order)
    state = solver.step(solver.init(), 20)
    scale = float(np.abs(game.payoff).max())
    for _ in range(20):
        following = solver.step(state)
        average, after = following.average, solver.step(following).average
        for player in range(game.num_players):
            seen = average
            for before in range(player if order == "alternating" else 0):
                seen = seen.replace(before, after)
            best = game.best_response(seen, player).value
            won = game.values(seen.replace(player, following.current))[player]
            assert won == pytest.approx(best, abs=ROUNDING * scale)
        state = following


def test_a_player_without_rivals_finds_the_best_at_once() -> None:
    rules = RANDOM_GAMES[0].rules
    assert rules.num_players == 1
    profiles = learning.fictitious_play(rules)
    uniform, reply = next(profiles), next(profiles)
    best = reference.best_response(rules, uniform, 0).value
    assert reference.compute_expected_utilities(rules, reply)[0] == pytest.approx(float(best))
