"""The two replicators: equal for one discrete step, apart after two, together in continuous time."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.lanctot2014.normal_form import NormalFormReplicator, product_mixture
from pokerlab.solvers import ContinuousReplicator, ReplicatorDynamics

ROUNDING = 1e-14
INTEGRATOR = 1e-8
"""Both flows are integrated with a relative tolerance of 1e-8 or less."""


def difference(a: Profile, b: Profile) -> float:
    return max(float(np.abs(a.plan(p) - b.plan(p)).max()) for p in range(a.game.num_players))


@pytest.mark.parametrize(
    "game", [pl.games.kuhn(), pl.games.rock_paper_scissors()], ids=lambda g: g.name
)
@pytest.mark.parametrize("order", ["simultaneous", "alternating"])
def test_one_discrete_step_is_realization_equivalent(game: SequenceForm, order: str) -> None:
    mixed, plans = (
        NormalFormReplicator(game, payoff_shift=3.0, order=order),
        ReplicatorDynamics(game, payoff_shift=3.0, order=order),
    )
    assert difference(mixed.step(mixed.init()).current, plans.step(plans.init()).current) < ROUNDING


def test_in_turn_the_second_player_sees_what_the_first_has_just_learned() -> None:
    rows, columns = np.array([[3.0, 0.0], [5.0, 1.0]]), np.array([[3.0, 5.0], [0.0, 2.0]])
    game = pl.games.bimatrix(rows, columns)
    replicator = NormalFormReplicator(game, payoff_shift=1.0, order="alternating")
    x, y = np.full(2, 0.5), np.full(2, 0.5)
    for _ in range(5):
        x = x * (rows @ y + 1.0) / (x @ rows @ y + 1.0)
        y = y * (x @ columns + 1.0) / (x @ columns @ y + 1.0)
    current = replicator.step(replicator.init(), 5).current
    assert current.probabilities == pytest.approx([*x, *y], abs=ROUNDING)


def test_two_discrete_steps_are_not() -> None:
    game = pl.games.kuhn()
    mixed, plans = (
        NormalFormReplicator(game, payoff_shift=3.0, order="simultaneous"),
        ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous"),
    )
    after = [
        difference(mixed.step(mixed.init(), k).current, plans.step(plans.init(), k).current)
        for k in (2, 10, 500)
    ]
    assert after == pytest.approx([1.34e-4, 5.17e-3, 0.103], rel=0.01)


def test_the_flows_stay_realization_equivalent() -> None:
    game = pl.games.kuhn()
    mixed, plans = (
        NormalFormReplicator(game, time_step=0.5),
        ContinuousReplicator(game, time_step=0.5),
    )
    assert (
        difference(mixed.step(mixed.init(), 40).current, plans.step(plans.init(), 40).current)
        < INTEGRATOR
    )


def test_a_product_mixture_has_the_realization_plan_of_its_profile() -> None:
    game = pl.games.kuhn()
    profile = (
        ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous")
        .step(ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous").init(), 7)
        .current
    )
    for player in range(2):
        plans = pl.strategies.pure_plans(game, player)
        mixture = product_mixture(profile, player)
        assert len(mixture) == 64
        assert np.abs(mixture @ plans - profile.plan(player)).max() < ROUNDING
