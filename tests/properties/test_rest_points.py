"""What is at rest stays at rest: equilibria under the dynamics."""

import numpy as np
import pytest

from pokerlab import games
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.solvers import ReplicatorDynamics, SequenceFormLP
from pokerlab.solvers.dynamics import DynamicsState, compute_growth_and_plans
from tests.random_games import random_rules

AT_REST = 1e-9  # the linear program's rounding, carried through a hundred steps


def plans_of(profile: Profile) -> np.ndarray:
    return np.concatenate([profile.plan(player) for player in range(profile.game.num_players)])


GAMES = [games.kuhn(2), games.biased_rps(), games.one_card_poker(5)]
GAMES += [compile_rules(random_rules(seed, 2, payoffs="zero", largest=10)) for seed in range(4)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("order", ["simultaneous", "alternating"])
def test_replicators_leave_equilibria_fixed(game: SequenceForm, order: str) -> None:
    """Their realization plans, that is: what is never reached may move."""
    equilibrium = SequenceFormLP(game).solve().profile
    shift = 1.0 - float(game.payoff.min())
    dynamics = ReplicatorDynamics(game, payoff_shift=shift, order=order)
    state = DynamicsState.from_start(game, equilibrium)
    for count in (1, 9, 90):
        state = dynamics.step(state, count)
        assert plans_of(state.current) == pytest.approx(plans_of(equilibrium), abs=AT_REST)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_flow_stands_still_in_equilibria(game: SequenceForm) -> None:
    equilibrium = SequenceFormLP(game).solve().profile
    state = DynamicsState.from_start(game, equilibrium)
    size = state.behavior.size
    growth, plan = np.split(compute_growth_and_plans(game.block, state.behavior), [size])
    moving = (growth * plan)[game.num_players :]
    assert moving == pytest.approx(np.zeros_like(moving), abs=AT_REST)


@pytest.mark.parametrize("order", ["simultaneous", "alternating"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_probabilities_stay_on_the_simplex(num_players: int, order: str) -> None:
    """Also after so long that some would have underflowed."""
    game = games.kuhn(num_players)
    dynamics = ReplicatorDynamics(game, payoff_shift=2.0, order=order)
    state = dynamics.init()
    for _ in range(4):
        state = dynamics.step(state, 5000)
        probabilities = state.current.probabilities
        assert np.isfinite(probabilities).all()
        assert (probabilities >= 0).all()
        totals = np.add.reduceat(probabilities, game.first_sequence - num_players)
        assert totals == pytest.approx(np.ones_like(totals), abs=1e-14)


def test_a_pure_strategy_is_at_rest() -> None:
    """No mutation: what is not there does not come, even where it would win."""
    game = games.biased_rps()
    paper = Profile.from_table(game, {(0, "row"): {"rock": 1.0}, (1, "column"): {"paper": 1.0}})
    dynamics = ReplicatorDynamics(game, payoff_shift=55.0, floor=0.0, order="simultaneous")
    state = DynamicsState.from_start(game, paper)
    assert (dynamics.step(state, 50).current.probabilities == paper.probabilities).all()
    nearly = Profile(game, 0.999 * paper.probabilities + 0.001 * game.uniform().probabilities)
    after = dynamics.step(DynamicsState.from_start(game, nearly), 15).current
    assert after.action_probabilities(0, "row")["scissors"] > 0.5
