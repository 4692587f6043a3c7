"""Settings at the ends of what is allowed leave every state finite; sizes beyond are refused at once."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.evolution import CMAES, CSAES, GradientES
from pokerlab.holdem import ALWAYS_CALL
from pokerlab.runs.checkpoint import collect_state_values
from pokerlab.solvers.cfr import RegretSchedule
from studies.lanctot2014.normal_form_dynamics import NormalFormReplicator
from studies.lanctot2014.polynomial_weights import PolynomialWeights
from studies.lanctot2014.regret import RegretTracker
from tests.at_tables import cash

KUHN, RPS = pl.games.kuhn(), pl.games.biased_rps()
HOLDEM = pl.holdem.bucketed_limit_holdem(buckets=2, raise_cap=1)
ABSURD = 10**30
ENDLESS = (1e300, 400.0, -400.0, -1e300)

EXTREME: dict[str, Callable[[], Any]] = {
    **{
        f"DiscountedCFR, {exponent:g}": lambda exponent=exponent: pl.solvers.DiscountedCFR(
            KUHN, alpha=exponent, beta=exponent, gamma=20.0
        )
        for exponent in ENDLESS
    },
    **{
        f"BucketedCFR, {exponent:g}": lambda exponent=exponent: pl.holdem.BucketedCFR(
            HOLDEM, schedule=RegretSchedule(exponent, exponent, 20.0, 1.0)
        )
        for exponent in ENDLESS
    },
    "PredictiveCFRPlus": lambda: pl.solvers.PredictiveCFRPlus(KUHN, gamma=20.0),
    "PredictiveDiscountedCFRPlus": lambda: pl.solvers.PredictiveDiscountedCFRPlus(
        KUHN, alpha=1e300, gamma=20.0
    ),
    "ReplicatorDynamics": lambda: pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=1e9),
    "PolynomialWeights": lambda: PolynomialWeights(KUHN, payoff_shift=1e9),
    "PolynomialWeights, eta": lambda: PolynomialWeights(KUHN, payoff_shift=-1e9, eta=0.5),
    "ExploitabilityDescent": lambda: pl.holdem.ExploitabilityDescent(
        HOLDEM, learning_rate=10.0, patience=1e12
    ),
    "RegretTracker": lambda: RegretTracker(pl.solvers.CFR(KUHN), payoff_shift=1e9),
    **{
        f"MinimaxCoevolution, {type(strategy).__name__}, {strategy.step_size:g}": (
            lambda strategy=strategy: pl.solvers.MinimaxCoevolution(RPS, seed=1, evolution=strategy)
        )
        for size in (1e-150, 1e90)
        for strategy in (
            CMAES(step_size=size),
            CSAES(step_size=size),
            GradientES(step_size=size, learning_rate=size),
        )
    },
}


@pytest.mark.parametrize("make", EXTREME.values(), ids=EXTREME)
def test_solvers_with_extreme_settings_keep_finite_states(make: Callable[[], Any]) -> None:
    solver = make()
    state = solver.step(solver.init(), 12)
    assert state.iteration == 12
    for name, leaf in collect_state_values(state).items():
        if not isinstance(leaf, str):
            assert np.isfinite(leaf).all(), name


@pytest.mark.parametrize("endless", ENDLESS)
def test_discount_with_overflowing_exponent_is_its_limit(endless: float) -> None:
    """From the second iteration on: 1 to any power is 1."""
    limit = math.copysign(math.inf, endless)
    begun = pl.solvers.CFR(KUHN).step(pl.solvers.CFR(KUHN).init(), 5)
    far, ideal = (
        pl.solvers.DiscountedCFR(KUHN, alpha=exponent, beta=exponent).step(begun, 20)
        for exponent in (endless, limit)
    )
    # 6.0**-400 is 1e-311, and not 0.
    np.testing.assert_allclose(far.regret, ideal.regret, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("endless", [1e300, -1e300])
def test_bucketed_cfr_with_overflowing_exponent_takes_the_limit(endless: float) -> None:
    limit = math.copysign(math.inf, endless)
    begun = pl.holdem.BucketedCFR(HOLDEM).step(pl.holdem.BucketedCFR(HOLDEM).init(), 2)
    far, ideal = (
        pl.holdem.BucketedCFR(HOLDEM, schedule=RegretSchedule(exponent, exponent, 1.0, 0.0)).step(
            begun, 3
        )
        for exponent in (endless, limit)
    )
    assert (far.regret == ideal.regret).all()


TOO_MANY: dict[str, Callable[[int], Any]] = {
    "step": lambda size: pl.solvers.CFR(KUHN).step(pl.solvers.CFR(KUHN).init(), size),
    "workers": lambda size: pl.solvers.MinimaxCoevolution(KUHN, seed=1, workers=size),
    "CMAES": lambda size: CMAES(population=size),
    "CSAES": lambda size: CSAES(population=size),
    "GradientES": lambda size: GradientES(population=size),
    "depth": lambda size: pl.solvers.TreeSearch(depth=size),
    "iterations": lambda size: pl.solvers.TreeSearch(iterations=size),
    "InnerEvolution": lambda size: pl.solvers.InnerEvolution(generations=size),
    "hands": lambda size: pl.solvers.InnerEvolution(hands=size),
    "capacity": lambda size: pl.solvers.NashMemory(RPS, capacity=size),
    "pivots": lambda size: pl.solvers.LemkeHowson(most_pivots=size),
    "buckets": lambda size: pl.holdem.bucketed_limit_holdem(buckets=size),
    "samples": lambda size: pl.holdem.estimate_win_probability(
        [0, 1], [], 1, num_samples=size, seed=1
    ),
    "deals": lambda size: cash(pl.holdem.limit(2), [ALWAYS_CALL] * 2, size, seed=1, stacks=20),
    "threads": lambda size: cash(
        pl.holdem.limit(2), [ALWAYS_CALL] * 2, 2, seed=1, stacks=20, workers=size
    ),
    "first": lambda size: cash(
        pl.holdem.limit(2), [ALWAYS_CALL] * 2, 2, seed=1, stacks=20, first=size
    ),
    "versus": lambda size: pl.holdem.estimate_winnings(
        HOLDEM.always_call(), ALWAYS_CALL, 2, seed=1, workers=size
    ),
    "local best response": lambda size: pl.holdem.local_best_response(
        HOLDEM.always_call(), size, seed=1
    ),
    "players": pl.games.kuhn,
    "ranks": pl.games.one_card_poker,
}


@pytest.mark.parametrize("make", TOO_MANY.values(), ids=TOO_MANY)
@pytest.mark.parametrize("size", [ABSURD, -ABSURD, True])
def test_absurd_sizes_are_rejected(make: Callable[[int], Any], size: int) -> None:
    with pytest.raises(SettingError, match=rf"is {size}; it must be an integer from"):
        make(size)


def test_matches_count_hands_before_taking_memory() -> None:
    with pytest.raises(SettingError, match="which makes 100,000,010 hands; a call plays at most"):
        cash(pl.holdem.limit(2), [ALWAYS_CALL] * 10, 10**7 + 1, seed=1, stacks=20, duplicates=True)


def test_continuous_replicator_rejects_endless_time_steps() -> None:
    for solver in (NormalFormReplicator, pl.solvers.ContinuousReplicator):
        with pytest.raises(SettingError, match="it must be a number from 1e-09 to 1000"):
            solver(RPS, time_step=1e5)
