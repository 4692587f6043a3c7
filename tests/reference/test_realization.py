"""Realization plans of compiled games against their definition, and g_q against what it is for."""

import pytest
from hypothesis import given

from pokerlab import reference
from pokerlab.games import Profile, kuhn
from tests.oracles import learning, values
from tests.random_games import Played, games_with_behavior

ROUNDING = 1e-12  # a few products of probabilities


def in_order(played: Played, player: int) -> list[float]:
    """Return a reference plan in the order of the arrays, the empty sequence first."""
    plan = reference.compute_realization_plan(played.rules, played.table, player)
    by_choice = {q[-1]: float(weight) for q, weight in plan.items() if q}
    own = [label for owner, label in played.game.infoset_index if owner == player]
    return [1.0] + [by_choice[label, a] for label in own for a in played.table[player, label]]


@given(games_with_behavior())
def test_plans(played: Played) -> None:
    for player in range(played.game.num_players):
        plan = played.profile.plan(player)
        assert plan == pytest.approx(in_order(played, player), abs=ROUNDING)


@given(games_with_behavior())
def test_behavior_of_plans(played: Played) -> None:
    plans = reference.compute_realization_plans(played.rules, played.table)
    back = values.behavior_of_all(played.rules, plans)
    profile = Profile.from_plans(
        played.game, [in_order(played, player) for player in range(played.game.num_players)]
    )
    for key, sigma in profile.to_table().items():
        assert sigma == pytest.approx({a: float(p) for a, p in back[key].items()}, abs=ROUNDING)


@given(games_with_behavior())
def test_plans_keep_the_constraints(played: Played) -> None:
    for player, plan in reference.compute_realization_plans(played.rules, played.table).items():
        assert reference.measure_constraint_violation(played.rules, plan, player) < ROUNDING


def test_constraint_violation_of_a_broken_plan() -> None:
    rules = kuhn(2).rules
    plan = dict(reference.compute_realization_plan(rules, reference.uniform(rules), 0))
    plan[(("K", "bet"),)] += 0.25
    assert reference.measure_constraint_violation(rules, plan, 0) == 0.25


@given(games_with_behavior(interior=True))
def test_g_q_forces_a_sequence_and_keeps_the_rest(played: Played) -> None:
    for player in range(played.game.num_players):
        plan = reference.compute_realization_plan(played.rules, played.table, player)
        for q in plan:
            toward = reference.compute_forced_plan(q, plan)
            assert reference.measure_constraint_violation(played.rules, toward, player) < ROUNDING
            assert all(toward[q[:k]] == 1 for k in range(len(q) + 1))
            behavior = values.behavior_of(played.rules, toward, player)
            chosen = dict(q)
            for label, infoset in reference.list_information_sets(played.rules, player).items():
                sigma = behavior[player, label]
                if label in chosen:
                    assert sigma[chosen[label]] == 1
                elif toward[infoset[0].sequences[player]] > 0:
                    assert sigma == pytest.approx(played.table[player, label], abs=ROUNDING)


@given(games_with_behavior(interior=True))
def test_g_q_adds_up_counterfactual_gains(played: Played) -> None:
    """u_i(x with g_q) = u_i(x) + sum over (I, a) on the way to q of v(I, a) - V(I)."""
    plans = reference.compute_realization_plans(played.rules, played.table)
    for player, plan in plans.items():
        base = reference.compute_utility(played.rules, plans, player)
        regrets = learning.instant_regrets(played.rules, played.table, player)
        for q in plan:
            toward = {**plans, player: reference.compute_forced_plan(q, plan)}
            gain = float(sum(regrets[label][action] for label, action in q))
            won = reference.compute_utility(played.rules, toward, player)
            assert won == pytest.approx(base + gain, abs=ROUNDING)
