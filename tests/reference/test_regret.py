"""Regrets by their definitions, and the plain algorithms that minimize them beside the fast ones."""

from itertools import islice
from math import prod

import numpy as np
import pytest

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers import (
    CFR,
    CFRPlus,
    DiscountedCFR,
    PredictiveCFRPlus,
    PredictiveDiscountedCFRPlus,
)
from studies.lanctot2014.regret import (
    RegretTracker,
    compute_average_regrets,
    sum_infoset_values_by_player,
)
from tests.oracles import learning, values
from tests.reference.agreement import (
    RANDOM_GAMES,
    check_iterations,
    every_game,
    every_order,
    name_of,
    safe_shift,
)

ROUNDING = 1e-12  # relative to the largest utility
ITERATIONS = 3
MOST_PURE_STRATEGIES = 3000


def can_be_tried(game: SequenceForm) -> bool:
    return all(
        prod(
            len(sigma) for (owner, _), sigma in reference.uniform(game.rules).items() if owner == p
        )
        <= MOST_PURE_STRATEGIES
        for p in range(game.num_players)
    )


TINY = [game for game in (games.kuhn(2), games.biased_rps(), *RANDOM_GAMES) if can_be_tried(game)]


def test_there_are_tiny_games_for_every_number_of_players() -> None:
    assert {game.num_players for game in TINY} >= {2, 3, 4}


@pytest.mark.parametrize("game", TINY, ids=name_of)
def test_regret_and_its_bound(game: SequenceForm) -> None:
    played = list(islice(learning.cfr(game.rules, "simultaneous"), ITERATIONS))
    watched = RegretTracker(CFR(game, order="simultaneous"), payoff_shift=safe_shift(game))
    state = watched.step(watched.init(), ITERATIONS)
    worst = np.maximum.reduceat(state.sums.gain, game.first_sequence)
    regret, bound = (
        compute_average_regrets(state),
        sum_infoset_values_by_player(game, np.maximum(worst, 0.0)) / ITERATIONS,
    )
    scale = max(1.0, float(abs(game.payoff).max()))
    for player in range(game.num_players):
        exact = learning.average_regret(game.rules, played, player)
        above = learning.counterfactual_bound(game.rules, played, player)
        assert exact <= above + ROUNDING * scale
        assert regret[player] == pytest.approx(exact, abs=ROUNDING * scale)
        assert bound[player] == pytest.approx(above, abs=ROUNDING * scale)


@every_game
@every_order
def test_cfr(game: SequenceForm, iterations: int, order: str) -> None:
    profiles = learning.cfr(game.rules, order)
    check_iterations(CFR(game, order=order), profiles, iterations, [1.0] * iterations)


@every_game
@every_order
def test_cfr_plus(game: SequenceForm, iterations: int, order: str) -> None:
    profiles = learning.cfr_plus(game.rules, order)
    linear = [float(t + 1) for t in range(iterations)]
    check_iterations(CFRPlus(game, order=order), profiles, iterations, linear)


@pytest.mark.parametrize(("alpha", "beta", "gamma"), [(1.5, 0.0, 2.0), (1.5, 0.5, 3.0)])
@every_game
@every_order
def test_discounted_cfr(
    game: SequenceForm, iterations: int, order: str, alpha: float, beta: float, gamma: float
) -> None:
    profiles = learning.discounted_cfr(game.rules, order, alpha, beta)
    solver = DiscountedCFR(game, alpha=alpha, beta=beta, gamma=gamma, order=order)
    weights = [float(t + 1) ** gamma for t in range(iterations)]
    check_iterations(solver, profiles, iterations, weights)


@every_game
@every_order
def test_predictive_cfr_plus(game: SequenceForm, iterations: int, order: str) -> None:
    profiles = learning.predictive_cfr_plus(game.rules, order)
    quadratic = [float(t + 1) ** 2 for t in range(iterations)]
    check_iterations(PredictiveCFRPlus(game, order=order), profiles, iterations, quadratic)


@pytest.mark.parametrize(("alpha", "gamma"), [(2.3, 5.0), (1.0, 2.0)])
@every_game
@every_order
def test_predictive_discounted_cfr_plus(
    game: SequenceForm, iterations: int, order: str, alpha: float, gamma: float
) -> None:
    profiles = learning.predictive_discounted_cfr_plus(game.rules, order, alpha)
    solver = PredictiveDiscountedCFRPlus(game, alpha=alpha, gamma=gamma, order=order)
    weights = [float(t + 1) ** gamma for t in range(iterations)]
    check_iterations(solver, profiles, iterations, weights)


def test_regret_matching() -> None:
    assert learning.regret_matching({"a": 3, "b": -2, "c": 1}) == {"a": 0.75, "b": 0.0, "c": 0.25}
    assert learning.regret_matching({"a": 0.0, "b": -2.0}) == {"a": 0.5, "b": 0.5}


def test_the_reference_itself_solves_kuhn_poker() -> None:
    rules = games.kuhn(2).rules
    profiles = list(islice(learning.cfr_plus(rules, "alternating"), 100))
    plans = [reference.compute_realization_plans(rules, profile) for profile in profiles]
    average = values.average_behavior(rules, plans, weights=range(1, 101))
    assert reference.nash_conv(rules, average) < 0.01
    assert reference.compute_expected_utilities(rules, average)[0] == pytest.approx(
        -1 / 18, abs=0.01
    )
