"""Solvers refuse settings for which their equations mean nothing."""

from typing import Any

import pytest

import pokerlab as pl
from pokerlab import solvers
from pokerlab.core import (
    GameError,
    KindError,
    ProbabilityError,
    SettingError,
    UnknownNameError,
)
from pokerlab.games import Profile
from pokerlab.solvers import (
    CFR,
    ContinuousReplicator,
    DiscountedCFR,
    PredictiveCFRPlus,
    ReplicatorDynamics,
    SequenceFormLP,
)
from studies.lanctot2014.normal_form_dynamics import NormalFormReplicator
from studies.lanctot2014.polynomial_weights import PolynomialWeights
from studies.lanctot2014.regret import RegretTracker
from tests.refusals import refused

KUHN, THREE = pl.games.kuhn(), pl.games.kuhn(3)
NEVER_BETS = KUHN.uniform().replace(0, [1.0, 0.0] * 6)


test_solvers_reject_bad_settings = refused(
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=1.0), "leaves utilities of -1 in"),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=-3.0), "Use at least 2."),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=float("nan")), "is nan; it must"),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, floor=0.5), "it must be a number from 0"),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, start=NEVER_BETS), "would never play it"),
    (
        lambda: ReplicatorDynamics(KUHN, payoff_shift=3.0, order="alternately"),
        UnknownNameError,
        "Did you mean 'alternating'?",
    ),
    (lambda: PolynomialWeights(KUHN, payoff_shift=3.0, eta=0.6), "eta is 0.6; it"),
    (lambda: PolynomialWeights(KUHN, payoff_shift=0.0), "Use at least 2."),
    (lambda: ContinuousReplicator(KUHN, time_step=0.0), "time_step is 0.0; it must"),
    (lambda: ContinuousReplicator(KUHN, time_step=1.0, rtol=1e-14), "rtol is 1e-14; it must"),
    (lambda: NormalFormReplicator(KUHN), "either payoff_shift"),
    (lambda: NormalFormReplicator(pl.games.leduc(), payoff_shift=13.0).init(), "small games"),
    (lambda: CFR(KUHN).step(CFR(KUHN).init(), -1), "count is -1; it must be an"),
    (lambda: CFR(KUHN, start=THREE.uniform()).init(), GameError, "belongs to KP(3)"),
    (lambda: SequenceFormLP(THREE), GameError, "a zero-sum game for 3. Try"),
    (lambda: SequenceFormLP(pl.games.identical_payoffs([[1, 2]])), GameError, "a general-sum game"),
    (lambda: pl.games.kuhn(0), "num_players is 0"),
    (lambda: pl.metrics.exploitability(THREE, THREE.uniform()), GameError, "nash_conv"),
    (lambda: pl.metrics.nash_conv(KUHN, THREE.uniform()), GameError, "not to KP(2)"),
    (lambda: CFR(KUHN).step(CFR(KUHN).init(), 2.5), "count is 2.5"),
    (lambda: CFR(THREE).step(CFR(KUHN).init(), 3), GameError, "the state belongs to"),
    (
        lambda: NormalFormReplicator(KUHN, payoff_shift=3.0, start=THREE.uniform()),
        GameError,
        "belongs to KP(3)",
    ),
    (lambda: CFR(KUHN, start=[0.5] * 24), KindError, "profile is a list"),
    (lambda: DiscountedCFR(KUHN, alpha=float("nan")), "alpha is nan"),
    (lambda: DiscountedCFR(KUHN, gamma=400.0), "gamma is 400.0; it must be"),
    (lambda: PredictiveCFRPlus(KUHN, gamma="2"), "gamma is '2'"),
    (lambda: ReplicatorDynamics(KUHN, payoff_shift=float("inf")), "payoff_shift is"),
    (
        lambda: Profile.from_plans(KUHN, [[float("nan")] * 13] * 2),
        ProbabilityError,
        "weights down to",
    ),
    (lambda: Profile.from_plans(KUHN, [[7.0] * 13] * 2), ProbabilityError, "empty sequence 7.0"),
    (lambda: Profile.from_plans(KUHN, [[1.0] * 13] * 2), ProbabilityError, "sums to 2 at 'J',"),
    (lambda: RegretTracker(CFR(KUHN), payoff_shift=-50.0), "leaves utilities of -52"),
    (
        lambda: RegretTracker(ContinuousReplicator(KUHN, time_step=1.0), payoff_shift=3.0),
        "no order of updates",
    ),
)


NOTHING = pl.games.identical_payoffs([[0, 0], [0, 0]])


@pytest.mark.parametrize(
    "solver",
    [ReplicatorDynamics(NOTHING, payoff_shift=0.0), PolynomialWeights(NOTHING, payoff_shift=0.0)],
    ids=lambda solver: type(solver).__name__,
)
def test_dynamics_of_zero_payoffs_stay(solver: Any) -> None:
    after = solver.step(solver.init(), 10)
    assert after.current.probabilities.tolist() == [0.5] * 4
    assert after.average.probabilities.tolist() == [0.5] * 4


def test_flow_with_vanished_probabilities_goes_on() -> None:
    game = pl.games.bimatrix([[10, 10], [0, 0]], [[0, 0], [0, 0]])
    flow = ContinuousReplicator(game, time_step=10.0)
    assert flow.step(flow.init(), 20).current.action_probabilities(0, "row") == {
        "row 1": 1.0,
        "row 2": 0.0,
    }


@pytest.mark.parametrize("seed", [None, "x", -1, 1.0, True])
@pytest.mark.parametrize(
    "make",
    [
        solvers.Mutants,
        solvers.EvolutionarySearch,
        solvers.RandomSearch,
        lambda seed: solvers.BestResponse(seed=seed if seed is not None else "none"),
    ],
)
def test_search_with_bad_seed_is_refused_when_it_is_made(make: Any, seed: Any) -> None:
    with pytest.raises(SettingError, match="seed is"):
        make(seed=seed)
