"""Regrets and the bounds of Lanctot's section 3.2 against slow definitions, on Kuhn poker."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import brentq

import pokerlab as pl
from pokerlab import reference
from pokerlab.core import SettingError
from pokerlab.games import Chance, Decision, Terminal
from pokerlab.games.small_poker import make_kuhn_rules
from studies.lanctot2014 import definitions
from studies.lanctot2014.regret import (
    RegretTracker,
    compute_average_regrets,
    compute_equivalent_fixed_rates,
    compute_lemma_three_bounds,
    compute_payoff_ranges,
    compute_regrets_in_losses,
    compute_squared_losses_of_best_actions,
    compute_theorem_five_bound,
)
from tests.random_games import RandomRules, Tree

SHIFT = 3.0
STEPS = 12
ROUNDING = 1e-12
ROOT = 1e-7
"""Power sums are cut off after 24 terms."""


class Met(NamedTuple):
    """What one information set met in one iteration, by action."""

    values: dict[str, float]
    sigma: dict[str, float]
    utilities: dict[str, float]


def watched(order: str, players: int = 2) -> RegretTracker:
    game = pl.games.kuhn(players)
    return RegretTracker(pl.solvers.ReplicatorDynamics(game, payoff_shift=SHIFT, order=order))


@cache
def seen_profiles(order: str) -> list[list[dict]]:
    """Return, for each player and iteration, the table of the profile the player was up against."""
    solver = watched(order).solver
    states = [solver.step(solver.init(), k) for k in range(STEPS + 1)]
    seen: list[list[dict]] = [[], []]
    for old, new in pairwise(states):
        seen[0].append(old.current.to_table())
        second = new.current.replace(1, old.current) if order == "alternating" else old.current
        seen[1].append(second.to_table())
    return seen


@pytest.fixture(params=["simultaneous", "alternating"])
def order(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def learners(order: str, player: int) -> dict[str, list[Met]]:
    """Return what each of a player's information sets met, iteration by iteration."""
    rules = make_kuhn_rules(2)
    met: dict[str, list[Met]] = {}
    for table in seen_profiles(order)[player]:
        values = reference.compute_counterfactual_values(rules, table, player)
        plans = reference.compute_realization_plans(rules, table)
        utilities = definitions.compute_utilities_of_forced_actions(rules, plans, player, SHIFT)
        for label in values:
            here = Met(values[label], table[player, label], utilities[label])
            met.setdefault(label, []).append(here)
    return met


def test_regret_is_the_best_pure_strategy_in_hindsight(order: str) -> None:
    rules = make_kuhn_rules(2)
    state = watched(order).step(watched(order).init(), STEPS)
    for player, tables in enumerate(seen_profiles(order)):
        won = [reference.compute_expected_utilities(rules, table)[player] for table in tables]
        best = max(
            sum(reference.compute_expected_utilities(rules, {**t, **pure})[player] for t in tables)
            for pure in reference.iterate_pure_strategies(rules, player)
        )
        expected = (best - sum(won)) / STEPS
        assert compute_average_regrets(state)[player] == pytest.approx(expected, abs=ROUNDING)


def test_immediate_regrets_are_those_of_the_definition(order: str) -> None:
    state = watched(order).step(watched(order).init(), STEPS)
    for player in range(2):
        for label, met in learners(order, player).items():
            actions = met[0].sigma
            gains = [
                sum(m.values[a] - sum(m.sigma[b] * m.values[b] for b in actions) for m in met)
                for a in actions
            ]
            first = state.game.first_sequence[state.game.find_infoset(player, label)]
            booked = state.sums.gain[first : first + len(gains)]
            assert booked == pytest.approx(gains, abs=ROUNDING)


def test_losses_rates_and_theorem_five_are_those_of_the_definitions(order: str) -> None:
    state = watched(order).step(watched(order).init(), STEPS)
    five = compute_theorem_five_bound(state)
    for player in range(2):
        regrets, squares, rates, largest = [], [], [], 0.0
        for label, met in learners(order, player).items():
            losses = [definitions.compute_losses(m.utilities) for m in met]
            etas = [definitions.compute_learning_rate(m.utilities) for m in met]
            learner = [sum(m.sigma[a] * x[a] for a in x) for m, x in zip(met, losses, strict=True)]
            sums = {a: sum(x[a] for x in losses) for a in losses[0]}
            best = min(sums, key=sums.__getitem__)
            regrets.append(sum(learner) - sums[best])
            squares.append(sum(x[best] ** 2 for x in losses))
            product = np.log1p(-np.array(etas) * learner).sum()
            rates.append(
                brentq(lambda e, f=learner, p=product: np.log1p(-e * np.array(f)).sum() - p, 0, 0.9)
            )
            largest = max(largest, *etas)
            infoset = state.game.find_infoset(player, label)
            assert compute_regrets_in_losses(state)[infoset] == pytest.approx(
                regrets[-1], abs=ROUNDING
            )
            assert compute_squared_losses_of_best_actions(state)[infoset] == pytest.approx(
                squares[-1], abs=ROUNDING
            )
            most = max(sums, key=lambda a, met=met: sum(m.values[a] for m in met))
            by_gain = compute_squared_losses_of_best_actions(state, by_utility=True)[infoset]
            assert by_gain == pytest.approx(sum(x[most] ** 2 for x in losses), abs=ROUNDING)
            assert compute_equivalent_fixed_rates(state)[infoset] == pytest.approx(
                rates[-1], abs=ROOT
            )
        payoff_range = 4.0  # from -2 to 2 chips
        expected = payoff_range / STEPS * sum(max(0.0, r) for r in regrets)
        assert compute_lemma_three_bounds(state)[player] == pytest.approx(expected, abs=ROUNDING)
        at = int(np.argmax(squares))
        bound = payoff_range * 6 / (rates[at] * STEPS) * (np.log(2) + rates[at] ** 2 * squares[at])
        assert five.bound[player] == pytest.approx(bound, rel=ROOT * 10)
        assert five.largest_rate[player] == pytest.approx(largest, abs=ROUNDING)
    assert five.is_applicable


ZERO_SUM = [[5, -10], [1, 3], [0, -12]], [[-5, 10, 4], [-3, 8, 5], [11, 7, 10]]
GENERAL_SUM = [[20, 8], [19.7, 10]], [[-9, -8], [-8, -9]]
VIOLATIONS = {
    "zero-sum, 3 x 2": (ZERO_SUM[0], -np.array(ZERO_SUM[0]), 28.0, 20_000, 1.331),
    "zero-sum, 3 x 3": (ZERO_SUM[1], -np.array(ZERO_SUM[1]), 30.0, 20_000, 1.342),
    "general-sum, 2 x 2": (*GENERAL_SUM, 10.0, 200_000, 2.285),
}
"""Games in which the regret of the first player exceeds Theorem 5's bound: payoffs of both, shift, T, by how much."""


SAME = 0.02  # two programs sum in other orders, and after thousands of steps that go in circles rounding shows


def account_by_definition(
    first: np.ndarray, second: np.ndarray, shift: float, steps: int
) -> tuple[float, tuple[float, float], float]:
    """Return player 1's average regret, Theorem 5's bounds for both readings of Q_min, and the largest rate.

    Plain replicator steps in a matrix game, x'(a) = x(a) u(a) / (x u), which are polynomial weights of losses
    (max u - u(a)) / (max u - min u) with the rate (max u - min u) / max u.
    """
    rows, columns = (np.full(k, 1 / k) for k in first.shape)
    values, played = np.empty((steps, len(rows))), np.empty((steps, len(rows)))
    for t in range(steps):
        of_rows, of_columns = first @ columns + shift, second.T @ rows + shift
        values[t], played[t] = of_rows, rows
        rows = rows * of_rows / (rows @ of_rows)
        columns = columns * of_columns / (columns @ of_columns)
    most, spread = values.max(axis=1), np.ptp(values, axis=1)
    losses = (most[:, None] - values) / spread[:, None]
    rates, of_learner = spread / most, (played * losses).sum(axis=1)
    regret = (values.sum(axis=0).max() - (values * played).sum()) / steps
    product = np.log1p(-rates * of_learner).sum()
    fixed = brentq(lambda rate: np.log1p(-rate * of_learner).sum() - product, 0.0, 0.99)
    squares = (losses**2).sum(axis=0)
    bounds = []
    for action in (int(losses.sum(axis=0).argmin()), int(values.sum(axis=0).argmax())):
        learning = np.log(len(rows)) + fixed**2 * squares[action]
        bounds.append(float(np.ptp(first) / (fixed * steps) * learning))
    return float(regret), (bounds[0], bounds[1]), float(rates.max())


@pytest.mark.parametrize("name", VIOLATIONS)
def test_theorem_five_is_violated_under_both_readings(name: str) -> None:
    *payoffs, shift, steps, excess = VIOLATIONS[name]
    first, second = (np.asarray(each, dtype=float) for each in payoffs)
    regret, bounds, largest_rate = account_by_definition(first, second, shift, steps)
    assert largest_rate <= 0.5  # the theorem's condition
    assert regret / max(bounds) == pytest.approx(excess, rel=SAME)
    game = pl.games.bimatrix(first, second)
    dynamics = pl.solvers.ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    solver = RegretTracker(dynamics)
    state = solver.step(solver.init(), steps)
    assert compute_average_regrets(state)[0] == pytest.approx(regret, rel=SAME)
    for by_utility, bound in zip((False, True), bounds, strict=True):
        five = compute_theorem_five_bound(state, by_utility=by_utility)
        assert five.is_applicable
        assert five.bound[0] == pytest.approx(bound, rel=SAME)


def test_regrets_sum_to_the_nash_conv_of_the_average() -> None:
    # In two-player zero-sum games, when all see the same profiles, the two are one number.
    for count in (1, 10, 500):
        state = watched("simultaneous").step(watched("simultaneous").init(), count)
        distance = pl.metrics.nash_conv(state.game, state.average)
        assert compute_average_regrets(state).sum() == pytest.approx(distance, abs=ROUNDING)


def test_no_iteration_has_no_average() -> None:
    with pytest.raises(SettingError, match="no iteration has been done"):
        compute_average_regrets(watched("simultaneous").init())


def second_chooses(by_a: tuple[int, ...], by_b: tuple[int, ...]) -> Tree:
    """Return a tree in which only the second player moves, once: what everybody gets by either action."""
    ends = {action: Tree(Terminal(won), {}) for action, won in (("a", by_a), ("b", by_b))}
    return Tree(Decision(1, "I", ("a", "b")), ends)


def test_who_never_chooses_has_a_bound_of_zero() -> None:
    rules = RandomRules("one chooser", 3, False, second_chooses((1, 2, 0), (1, 3, 0)))
    game = pl.games.compile_rules(rules)
    watched = RegretTracker(
        pl.solvers.ReplicatorDynamics(game, payoff_shift=1.0, order="simultaneous")
    )
    state = watched.step(watched.init(), 5)
    bound = compute_theorem_five_bound(state).bound
    assert bound[0] == bound[2] == 0.0 < bound[1]
    assert compute_average_regrets(state)[[0, 2]].tolist() == [0.0, 0.0]


def test_the_range_of_payoffs_is_that_of_the_ends_not_of_merged_ones() -> None:
    """A coin decides, whatever the second player does."""
    sides = {"heads": second_chooses((1, -1), (1, -1)), "tails": second_chooses((-1, 1), (-1, 1))}
    toss = Tree(Chance(dict.fromkeys(sides, Fraction(1, 2))), sides)
    game = pl.games.compile_rules(RandomRules("coin toss", 2, False, toss))
    assert len(game.payoff) < game.num_histories_ended
    assert compute_payoff_ranges(game).tolist() == [2.0, 2.0]
