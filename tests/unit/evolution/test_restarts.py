"""When exactly a run is given up, what the next one begins with, and what is kept over all runs."""

import math

import numpy as np
import pytest

from pokerlab.core import SettingError, UnknownNameError, stream
from pokerlab.evolution import CMAES, CSAES, GradientES, Restarts

START = np.array([1.0, -2.0, 0.5])


def told(strategy, state, fitness):
    """Tell what `fitness` says of the generation's number and offspring."""
    offspring = strategy.ask(state)
    return strategy.tell(state, offspring, fitness(state.generation, offspring))


def flat(generation, offspring):
    return np.zeros(len(offspring))


def sharp(generation, offspring):
    return -np.abs(offspring).sum(axis=1)


def test_a_run_without_progress_ends_after_exactly_patience_generations():
    strategy = Restarts(CMAES(population=6), patience=4)
    state = strategy.init(START, seed=1)
    restarted = []
    for _ in range(16):
        state = told(strategy, state, flat)
        restarted.append(state.restarts)
    # The first generation is progress, then four are not.
    assert restarted == [0] * 4 + [1] * 5 + [2] * 5 + [3] * 2
    assert state.ended == "no progress"


def test_progress_is_more_than_the_tolerance():
    strategy = Restarts(CMAES(population=6), patience=3, tolerance=0.5)

    def rises_by(step):
        state = strategy.init(START, seed=1)
        for _ in range(12):
            state = told(strategy, state, lambda g, x: np.full(len(x), step * g))
        return state.restarts

    assert rises_by(0.51) == 0
    assert rises_by(0.25) == 0  # 0.75 in three generations
    assert rises_by(0.125) > 0  # 0.375 in three


def test_a_run_that_has_converged_ends():
    strategy = Restarts(CMAES(), smallest_deviation=1e-6, tolerance=0.0)
    state = strategy.init(START, seed=1)
    while state.restarts == 0:
        before, state = state, told(strategy, state, sharp)
    assert state.ended == "converged"
    assert before.deviations.max() >= 1e-6
    assert state.best_fitness > -1e-4


def test_an_ill_conditioned_covariance_ends_a_run():
    """Rotated, so that scales of single genes cannot take the condition over."""
    turn = np.linalg.qr(stream(1, "turn").standard_normal((3, 3)))[0]
    weights = np.array([1.0, 1e4, 1e17])

    def narrow(generation, offspring):
        return -((offspring @ turn) ** 2 @ weights)

    strategy = Restarts(CMAES(), patience=1000, smallest_deviation=1e-300)
    state = strategy.init(START, seed=1)
    for _ in range(600):
        before, state = state, told(strategy, state, narrow)
        if state.restarts:
            break
    assert state.ended == "ill-conditioned"
    assert np.ptp(np.log10(before.run.axis_lengths)) < 7.0


def test_the_usual_patience_is_that_of_the_restart_cma_es():
    strategy = Restarts(CSAES(population=8))
    state = strategy.init(START, seed=1)
    generations = 0
    while state.restarts == 0:
        state = told(strategy, state, flat)
        generations += 1
    assert generations == 1 + 10 + math.ceil(30 * 3 / 8)


def test_populations_grow_up_to_the_largest():
    strategy = Restarts(CMAES(population=6), patience=1, growth=2, largest_population=40)
    state = strategy.init(START, seed=1)
    populations = [state.population]
    for _ in range(10):
        state = told(strategy, state, flat)
        populations.append(state.population)
        assert len(strategy.ask(state)) == state.population
    assert populations == [6, 6, 12, 12, 24, 24, 40, 40, 40, 40, 40]
    assert state.evaluations == sum(populations[:-1])
    assert [strategy.grown(6, number) for number in (1, 10_000)] == [12, 40]
    assert [Restarts(CMAES(), growth=1.5).grown(10, n) for n in (1, 2, 3)] == [14, 22, 32]
    assert [Restarts(CMAES(), growth=1.5).grown(7, n) for n in (1, 2)] == [10, 15]
    assert Restarts(CMAES(), growth=1).grown(7, 50) == 7
    assert Restarts(CMAES(), largest_population=5).grown(7, 1) == 7


def test_pairs_stay_pairs():
    strategy = Restarts(GradientES(population=6), patience=1, growth=1.5)
    state = strategy.init(START, seed=1)
    for _ in range(8):
        state = told(strategy, state, flat)
    assert state.restarts == 4


@pytest.mark.parametrize("around", ["start", "best"])
def test_where_the_next_run_begins(around):
    strategy = Restarts(CMAES(population=6), patience=2, around=around, spread=0.25)
    state = strategy.init(START, seed=5, index=(9,))
    while state.restarts == 0:
        state = told(strategy, state, sharp)
    center = START if around == "start" else state.best
    moved = center + 0.25 * stream(5, "restart", 9, 1).standard_normal(3)
    np.testing.assert_array_equal(state.mean, moved)
    assert state.step_size == 0.5
    assert (state.run.index, state.run.generation, state.run.evaluations) == ((9, 1), 0, 0)


def test_without_spread_the_next_run_begins_where_it_was_said():
    strategy = Restarts(CMAES(population=6), patience=1, spread=0.0)
    state = strategy.init(START, seed=5)
    first = strategy.ask(state)
    while state.restarts == 0:
        state = told(strategy, state, flat)
    np.testing.assert_array_equal(state.mean, START)
    assert not np.array_equal(strategy.ask(state)[:6], first)


def test_the_best_of_all_runs_is_kept():
    strategy = Restarts(CMAES(population=6), patience=2, tolerance=1e9)
    state = strategy.init(START, seed=1)
    met = []
    for generation in range(12):
        offspring = strategy.ask(state)
        fitness = sharp(generation, offspring) - 100.0 * state.restarts
        met.extend(zip(fitness, offspring, strict=True))
        state = strategy.tell(state, offspring, fitness)
    assert state.restarts > 1
    fitness, genome = max(met, key=lambda pair: pair[0])
    assert state.best_fitness == fitness > -50.0
    np.testing.assert_array_equal(state.best, genome)
    assert state.run.best_fitness < -100.0


def test_before_it_stalls_a_run_is_the_strategy_itself():
    plain, restarting = CMAES(), Restarts(CMAES())
    one, other = plain.init(START, seed=1, index=(0,)), restarting.init(START, seed=1)
    for _ in range(30):
        one, other = told(plain, one, sharp), told(restarting, other, sharp)
    assert other.restarts == 0
    np.testing.assert_array_equal(other.mean, one.mean)
    assert (other.step_size, other.evaluations) == (one.step_size, one.evaluations)


def test_a_basin_that_one_run_misses_is_found():
    """A wide hill of height 1 at the start; a narrower one of height 2 elsewhere."""

    def hills(generation, offspring):
        wide = np.exp(-(offspring**2).sum(axis=1) / 8.0)
        return wide + 2.0 * np.exp(-((offspring - 2.5) ** 2).sum(axis=1))

    def best_of(strategy):
        state = strategy.init(np.zeros(2), seed=1)
        while state.evaluations < 6000:
            state = told(strategy, state, hills)
        return state.best_fitness

    assert best_of(CMAES(step_size=0.1)) < 1.01
    assert best_of(Restarts(CMAES(step_size=0.1), spread=2.0)) > 1.99


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"patience": 0}, "patience is 0; it must be an integer from 1"),
        ({"patience": 1.5}, "must be an integer"),
        ({"tolerance": -1.0}, r"tolerance is -1.0; it must be a number from 0"),
        ({"tolerance": np.nan}, "tolerance is nan"),
        ({"spread": "far"}, "spread is 'far'"),
        ({"smallest_deviation": -1.0}, "smallest_deviation is -1.0; it must be a number from 0"),
        ({"growth": 0.5}, "growth is 0.5; it must be a number from 1 to 1e"),
        ({"largest_population": 2}, "largest_population is 2; it must be an integer from 3"),
    ],
)
def test_impossible_settings_are_refused(setting, message):
    with pytest.raises(SettingError, match=message):
        Restarts(CMAES(), **setting)


def test_unknown_places_and_what_is_no_strategy_are_refused():
    with pytest.raises(UnknownNameError, match="there are: start, best"):
        Restarts(CMAES(), around="mean")
    with pytest.raises(SettingError, match="is not an evolution strategy"):
        Restarts("CMAES")


def test_each_run_makes_progress_of_its_own():
    strategy = Restarts(CMAES(population=6), patience=4, growth=1)
    state = strategy.init(START, seed=1)
    lengths = []
    for _ in range(2):
        began, number = state.generation, state.restarts
        while state.restarts == number:
            rising = min(state.run.generation, 6 if number else 3) - 100.0 * number
            state = strategy.tell(state, strategy.ask(state), np.full(6, rising))
        lengths.append(state.generation - began)
    assert lengths == [1 + 3 + 4, 1 + 6 + 4]


def test_a_run_goes_on_while_one_gene_still_moves():
    strategy = Restarts(CMAES(diagonal=True), smallest_deviation=1e-3, patience=1000)
    state = strategy.init(START, seed=1)
    while state.run.deviations.min() >= 1e-3:
        state = told(strategy, state, lambda generation, offspring: -(offspring[:, 0] ** 2))
        assert state.restarts == 0
    assert state.run.deviations.max() > 1e-3
