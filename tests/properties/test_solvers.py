"""Laws of every dynamic: any game can be played, from any start."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings

from pokerlab import games, solvers
from pokerlab.games import Profile, SequenceForm, compile_rules
from studies.lanctot2014.polynomial_weights import PolynomialWeights
from tests.random_games import RandomRules, random_profile, some_rules

Make = Callable[..., Any]


def shift(game: SequenceForm) -> float:
    return 1.0 - float(game.payoff.min())


def replicator(game: SequenceForm, **how: Any) -> solvers.ReplicatorDynamics:
    return solvers.ReplicatorDynamics(game, payoff_shift=shift(game), **how)


def weights(game: SequenceForm, **how: Any) -> PolynomialWeights:
    return PolynomialWeights(game, payoff_shift=shift(game), **how)


ITERATED: dict[str, Make] = {
    f"{name}, {order}": partial(make, order=order)
    for name, make in {
        "CFR": solvers.CFR,
        "CFR+": solvers.CFRPlus,
        "discounted CFR": solvers.DiscountedCFR,
        "predictive CFR+": solvers.PredictiveCFRPlus,
        "predictive discounted CFR+": solvers.PredictiveDiscountedCFRPlus,
        "fictitious play": solvers.FictitiousPlay,
        "replicator": replicator,
        "polynomial weights": weights,
        "fixed weights": partial(PolynomialWeights, payoff_shift=0.0, eta=0.1),
    }.items()
    for order in ("simultaneous", "alternating")
}
INTEGRATED: dict[str, Make] = {
    "continuous replicator": partial(solvers.ContinuousReplicator, time_step=0.1)
}
SOLVERS = ITERATED | INTEGRATED


def assert_is_profile(profile: Profile) -> None:
    Profile(profile.game, profile.probabilities)  # checks that nothing is negative, sums are one


@settings(max_examples=30)
@given(some_rules())
def test_any_game_can_be_played(rules: RandomRules) -> None:
    """Also one in which nobody, or not everybody, has a choice."""
    game = compile_rules(rules)
    for make in ITERATED.values():
        solver = make(game)
        state = solver.step(solver.init(), 3)
        assert_is_profile(state.current)
        assert_is_profile(state.average)


@pytest.mark.parametrize("make", SOLVERS.values(), ids=SOLVERS)
def test_a_given_start_is_where_it_starts(make: Make) -> None:
    profile = random_profile(games.kuhn(3), seed=8)
    solver = make(games.kuhn(3), start=profile)
    assert (solver.init().current.probabilities == profile.probabilities).all()
    assert (solver.init().average.probabilities == profile.probabilities).all()
    assert (solver.step(solver.init()).current.probabilities != profile.probabilities).any()
