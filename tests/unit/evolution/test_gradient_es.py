"""The gradient, its ranks and Adam's steps, each against its formula written out."""

import numpy as np
import pytest

from pokerlab.core import ConvergenceError, UnknownNameError
from pokerlab.evolution import GradientES
from pokerlab.evolution.gradient_strategy import compute_centered_ranks
from tests.refusals import refused

START = np.array([0.5, -1.0, 2.0])


def test_ask_returns_mirrored_pairs():
    strategy = GradientES(population=10, step_size=0.3)
    state = strategy.init(START, seed=1)
    offspring = strategy.ask(state)
    np.testing.assert_allclose(offspring[:5] + offspring[5:], np.tile(2.0 * START, (5, 1)))
    assert len(np.unique(offspring)) == 30


def adam_by_hand(strategy, start, generations, fitness):
    """Algorithm 1 of both papers, one number after the other."""
    state = strategy.init(start, seed=1)
    theta, m, v = start.copy(), np.zeros(3), np.zeros(3)
    for t in range(1, generations + 1):
        offspring = strategy.ask(state)
        values = fitness(offspring)
        gradient = np.zeros(3)
        for genome, value in zip(offspring, values, strict=True):
            epsilon = (genome - theta) / strategy.step_size
            gradient += value * epsilon
        gradient /= len(offspring) * strategy.step_size
        for i in range(3):
            m[i] = 0.9 * m[i] + 0.1 * gradient[i]
            v[i] = 0.999 * v[i] + 0.001 * gradient[i] ** 2
            step = m[i] / (1 - 0.9**t) / (np.sqrt(v[i] / (1 - 0.999**t)) + 1e-8)
            theta[i] += strategy.learning_rate * step
        state = strategy.tell(state, offspring, values)
        np.testing.assert_allclose(state.mean, theta, rtol=1e-9)
    return state


def test_tell_steps_by_adam_along_the_gradient():
    strategy = GradientES(population=6, shaping="raw", step_size=0.2)
    state = adam_by_hand(strategy, START, 25, lambda x: -(x**2).sum(axis=1) + x[:, 0] ** 3)
    assert (state.generation, state.evaluations) == (25, 150)


def test_tell_with_ranks_ignores_the_size_of_fitness():
    raw, ranked = (GradientES(population=8, shaping=shaping) for shaping in ("raw", "ranks"))
    state = raw.init(START, seed=1)
    offspring = raw.ask(state)
    fitness = np.exp(offspring[:, 0] * 20.0)
    by_ranks = ranked.tell(state, offspring, fitness)
    by_hand = raw.tell(state, offspring, np.argsort(np.argsort(fitness)) / 7.0 - 0.5)
    np.testing.assert_allclose(by_ranks.mean, by_hand.mean, rtol=1e-12)


def test_tell_with_flat_fitness_keeps_the_mean():
    assert compute_centered_ranks(np.full(6, 3.0)).tolist() == [0.0] * 6
    strategy = GradientES(population=6)
    state = strategy.init(START, seed=1)
    np.testing.assert_array_equal(strategy.tell(state, strategy.ask(state), np.ones(6)).mean, START)


def test_gradient_of_linear_fitness_is_its_slope():
    """Of many pairs the raw estimate is the gradient, up to sampling."""
    slope = np.array([3.0, -2.0, 0.5])
    strategy = GradientES(population=40_000, shaping="raw")
    state = strategy.init(START, seed=1)
    offspring = strategy.ask(state)
    told = strategy.tell(state, offspring, offspring @ slope)
    # Each pair's estimate has a variance of |slope|^2 + slope_i^2; 20,000 pairs, four standard errors.
    error = np.sqrt((slope @ slope + slope**2) / 20_000)
    assert (np.abs(told.first_moment / 0.1 - slope) < 4.0 * error).all()


test_impossible_settings_are_refused = refused(
    (lambda: GradientES(population=7), "population is 7; offspring come in pairs: give 8"),
    (lambda: GradientES(population=1), "population is 1; it must be an integer from 2 to 100,000"),
    (lambda: GradientES(step_size=0), "step_size is 0"),
    (lambda: GradientES(step_size=1e300), "step_size is 1e+300; it must be"),
    (lambda: GradientES(learning_rate=1e300), "learning_rate is 1e+300"),
    (lambda: GradientES(patience=1e-300), "patience is 1e-300"),
    (lambda: GradientES(learning_rate=-1), "learning_rate is -1"),
    (lambda: GradientES(shaping="rank"), UnknownNameError, "there are: ranks, raw"),
)


def test_tell_with_huge_fitness_raises():
    strategy = GradientES(population=2, shaping="raw")
    state = strategy.init(START, seed=1)
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(ConvergenceError, match="use shaping='ranks'"),
    ):
        strategy.tell(state, strategy.ask(state), np.array([1.7e308, -1.7e308]))


def test_default_population_of_gradient_es_is_even():
    assert [GradientES().init(np.ones(n), seed=1).population for n in (1, 12, 684)] == [4, 12, 24]


def test_patience_shrinks_steps():
    strategy = GradientES(population=4, step_size=0.3, learning_rate=0.2, patience=5.0)
    state = strategy.init(START, seed=1)
    for generation in range(1, 8):
        offspring = strategy.ask(state)
        before, state = state, strategy.tell(state, offspring, offspring[:, 0])
        assert state.step_size == pytest.approx(0.3 / (1.0 + generation / 5.0))
    steady = GradientES(population=4, learning_rate=0.2)
    moved = [
        s.tell(before, offspring, offspring[:, 0]).mean - before.mean for s in (strategy, steady)
    ]
    np.testing.assert_allclose(moved[0], moved[1] / (1.0 + before.generation / 5.0))
