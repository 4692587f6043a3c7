"""Sequence-form replicator dynamics against eqs. 3 and 4 of Lanctot (2014)."""

from itertools import islice

import numpy as np
import pytest

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers import ReplicatorDynamics
from pokerlab.solvers.dynamics.replicator import rates
from tests.random_games import random_profile
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
def test_iterations_agree(game: SequenceForm, iterations: int, order: str) -> None:
    shift = safe_shift(game)
    plans = reference.replicator_dynamics(game.rules, shift, order)
    profiles = (reference.behavior_of_all(game.rules, x) for x in plans)
    solver = ReplicatorDynamics(game, payoff_shift=shift, order=order)
    check_iterations(solver, profiles, iterations, weights=[1.0] * iterations)


@pytest.mark.parametrize("game", [games.kuhn(2), *RANDOM_GAMES], ids=name_of)
@every_order
def test_a_step_keeps_the_constraints(game: SequenceForm, order: str) -> None:
    """Theorem 1 of Lanctot (2014)."""
    dynamics = reference.replicator_dynamics(game.rules, safe_shift(game), order)
    for plans in islice(dynamics, 10):
        for player, plan in plans.items():
            assert reference.constraint_violation(game.rules, plan, player) < ROUNDING


def test_kuhn_alternating_with_shift_3_gives_the_papers_first_record() -> None:
    rules = games.kuhn(2).rules
    past = list(islice(reference.replicator_dynamics(rules, 3.0, "alternating"), 100))
    average = reference.average_behavior(rules, past)
    assert round(reference.nash_conv(rules, average), 6) == 0.170643


@pytest.mark.parametrize("game", [games.kuhn(2), games.biased_rps(), *RANDOM_GAMES], ids=name_of)
def test_the_flow_of_behavior_is_that_of_plans(game: SequenceForm) -> None:
    """With x(I, a) = x(parent) sigma(I, a), dx/dt follows from the solver's d log(sigma)/dt."""
    profile = random_profile(game, seed=5)
    plans = reference.realization_plans(game.rules, profile.table())
    size = game.num_players + game.num_probabilities
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    growth = rates(game.block, behavior)[game.num_players : size]
    log_rate = dict(zip(choices(game), growth.tolist(), strict=True))
    scale = float(np.abs(game.payoff).max())
    for player, plan in plans.items():
        flow = reference.replicator_flow(game.rules, plans, player)
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
    plans = reference.realization_plans(rules, table)
    new = reference.replicated(rules, plans, 0, 3.0)
    assert new[(("J", "bet"),)] == 0.0
    assert reference.constraint_violation(rules, new, 0) < ROUNDING


def test_another_order_is_refused() -> None:
    dynamics = reference.replicator_dynamics(games.kuhn(2).rules, 3.0, "alternate")
    next(dynamics)
    with pytest.raises(ValueError, match=f"there are: {', '.join(ORDERS)}"):
        next(dynamics)
