"""The Moran process: fixation against closed forms, a linear system and runs."""

import numpy as np
import pytest

from pokerlab.core import GameError, ProbabilityError, SettingError, ShapeError
from pokerlab.solvers import MoranProcess

HAWK_DOVE = [[-2, 2], [0, 1]]
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def transitions(process: MoranProcess) -> np.ndarray:
    """The chances from each count to each other after an event, (N + 1, N + 1), two strategies, by counting."""
    n, payoff, shift = process.size, process.payoff, process.shift
    chances = np.zeros((n + 1, n + 1))
    for i in range(n + 1):
        first = ((i - 1) * payoff[0, 0] + (n - i) * payoff[0, 1]) / (n - 1) + shift
        other = (i * payoff[1, 0] + (n - i - 1) * payoff[1, 1]) / (n - 1) + shift
        born = i * first / (i * first + (n - i) * other)
        up, down = born * (n - i) / n, (1 - born) * i / n
        for to, chance in ((i + 1, up), (i - 1, down), (i, 1 - up - down)):
            if chance:
                chances[i, to] += chance
    return chances


@pytest.mark.parametrize("fitter", [0.5, 0.9, 1.1, 3.0])
@pytest.mark.parametrize("size", [2, 10, 60])
def test_fixation_of_constant_fitness_is_the_known_formula(fitter: float, size: int) -> None:
    process = MoranProcess([[fitter, fitter], [1, 1]], size)
    i = np.arange(size + 1)
    assert process.compute_fixation_probabilities() == pytest.approx(
        (1 - fitter**-i) / (1 - fitter ** -float(size))
    )


def test_fixation_without_selection_is_one_over_n() -> None:
    assert MoranProcess(np.ones((2, 2)), 40).compute_fixation_probabilities() == pytest.approx(
        np.arange(41) / 40
    )


@pytest.mark.parametrize("payoff", [HAWK_DOVE, [[4, 0], [3, 3]], [[0, 5], [-1, 1]]])
@pytest.mark.parametrize("size", [2, 3, 30])
def test_fixation_solves_the_markov_chain(payoff: list[list[float]], size: int) -> None:
    process = MoranProcess(payoff, size, payoff_shift=3.0)
    chances = transitions(process)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    inner = np.arange(1, size)
    known = np.linalg.solve(np.eye(size - 1) - chances[np.ix_(inner, inner)], chances[inner, size])
    assert process.compute_fixation_probabilities()[inner] == pytest.approx(known, rel=1e-6)


def test_fixation_of_a_large_population_does_not_overflow() -> None:
    fixation = MoranProcess(HAWK_DOVE, 20_000, payoff_shift=2.1).compute_fixation_probabilities()
    assert np.isfinite(fixation).all()
    assert (np.diff(fixation) >= 0).all()


def test_run_ends_as_often_as_fixation_says() -> None:
    process, trials = MoranProcess([[2, 2], [1, 1]], 6), 1500
    ends = [process.run([1, 5], 200, seed=1, index=k)[-1] for k in range(trials)]
    assert all(end.max() == 6 for end in ends)
    known = process.compute_fixation_probabilities()[1]
    won = np.mean([end[0] == 6 for end in ends])
    assert won == pytest.approx(known, abs=4 * np.sqrt(known * (1 - known) / trials))


def test_run_of_one_event_has_the_chains_probabilities() -> None:
    process, trials = MoranProcess(HAWK_DOVE, 10, payoff_shift=3.0), 4000
    after = [process.run([4, 6], 1, seed=2, index=k)[1, 0] for k in range(trials)]
    known = transitions(process)[4, 3:6]
    shares = [np.mean(np.array(after) == count) for count in (3, 4, 5)]
    assert shares == pytest.approx(known, abs=4 * 0.5 / np.sqrt(trials))


def test_run_of_many_individuals_follows_the_discrete_replicator() -> None:
    # On average an event changes the shares by 1/N of what the replicator's step does.
    process = MoranProcess(HAWK_DOVE, 1000, payoff_shift=3.0)
    counts = np.array([100, 900])
    chances = transitions(process)[100]
    moved = chances @ (np.arange(1001) - 100) / 1000
    x = counts / 1000
    grown = x * (np.array(HAWK_DOVE) @ x + 3)
    assert moved * 1000 == pytest.approx(grown[0] / grown.sum() - x[0], rel=0.01)


def test_limit_keeps_to_the_orbits_of_the_flow() -> None:
    process = MoranProcess(ROCK_PAPER_SCISSORS, 2, payoff_shift=1.5)
    path = process.integrate_limit([0.6, 0.2, 0.2], np.linspace(0, 60, 200))
    assert path.sum(axis=1) == pytest.approx(1.0)
    assert path.prod(axis=1) == pytest.approx(0.6 * 0.2 * 0.2, rel=1e-5)
    assert path[:, 0].min() < 0.2  # it goes round
    # Hawks in doves, few of both: hawks grow by (1 - 3x)(1 - x) / (mean + 3) a generation.
    grown = MoranProcess(HAWK_DOVE, 2, payoff_shift=3.0).integrate_limit([0.1, 0.9], [0.0, 1e-4])[
        :, 0
    ]
    assert np.diff(grown)[0] / 1e-4 == pytest.approx(0.1 * 0.9 * 0.7 / 3.97, rel=1e-3)


@pytest.mark.parametrize("times", [[5.0], [0.0], [0.0, 5.0], [2.0, 5.0]])
def test_limit_with_any_times_starts_at_time_zero(times: list[float]) -> None:
    process = MoranProcess(HAWK_DOVE, 2, payoff_shift=3.0)
    known = process.integrate_limit([0.1, 0.9], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    at = np.array(times, dtype=int)
    assert process.integrate_limit([0.1, 0.9], times) == pytest.approx(known[at], rel=1e-6)
    assert known[0].tolist() == [0.1, 0.9]
    assert (np.diff(known[:, 0]) > 0.005).all()


def test_fitness_excludes_oneself() -> None:
    process = MoranProcess(HAWK_DOVE, 10, payoff_shift=3.0)
    counts = np.array([[4, 6], [1, 9], [10, 0]])
    known = [[(-2 * (a - 1) + 2 * b) / 9 + 3, (b - 1) / 9 + 3] for a, b in counts]
    assert process.compute_fitness(counts) == pytest.approx(np.array(known))
    assert process.compute_fitness([4.0, 6.0]) == pytest.approx(known[0])


def test_run_of_many_individuals_stays_near_the_limit() -> None:
    process, size = MoranProcess(HAWK_DOVE, 20_000, payoff_shift=3.0), 20_000
    path = process.run([size // 10, size - size // 10], 3 * size, seed=4)
    known = process.integrate_limit([0.1, 0.9], [0.0, 1.0, 2.0, 3.0])
    assert path[::size, 0] / size == pytest.approx(known[:, 0], abs=0.02)


def test_run_changes_one_individual_at_a_time_and_repeats() -> None:
    process = MoranProcess(ROCK_PAPER_SCISSORS, 30, payoff_shift=2.0)
    path = process.run([10, 10, 10], 3000, seed=3)
    assert path.shape == (3001, 3)
    assert (path.sum(axis=1) == 30).all()
    assert path.min() >= 0
    assert np.isin(np.abs(np.diff(path, axis=0)).sum(axis=1), (0, 2)).all()
    assert np.array_equal(path, process.run([10, 10, 10], 3000, seed=3))
    assert not np.array_equal(path, process.run([10, 10, 10], 3000, seed=3, index=1))
    gone = np.cumsum(path == 0, axis=0) > 0
    assert (path[gone] == 0).all()  # who dies out does not come back


TEN = MoranProcess(HAWK_DOVE, 10, payoff_shift=3)
THREE_KINDS = MoranProcess(ROCK_PAPER_SCISSORS, 9, payoff_shift=2)


@pytest.mark.parametrize(
    ("act", "error", "words"),
    [
        (lambda: MoranProcess([[1, 2, 3]], 5), ShapeError, "as many rows"),
        (lambda: MoranProcess([[1, 2, 3], [4, 5, 6]], 5), ShapeError, "as many rows"),
        (lambda: MoranProcess([[1], [2]], 5), ShapeError, "as many rows"),
        (lambda: MoranProcess([[1]], 5), ShapeError, "two or more"),
        (lambda: MoranProcess([1, 2], 5), ShapeError, "as many rows"),
        (lambda: MoranProcess(HAWK_DOVE, 5), SettingError, "fitness must be positive. Use more than 2"),
        (lambda: MoranProcess(HAWK_DOVE, 1, payoff_shift=3), SettingError, "size"),
        (THREE_KINDS.compute_fixation_probabilities, GameError, "has 3"),
        (lambda: MoranProcess(HAWK_DOVE, 9, payoff_shift=3).run([4, 4], 1, seed=1), ProbabilityError, "sum to 9"),
        (lambda: MoranProcess(HAWK_DOVE, 9, payoff_shift=3).run([9], 1, seed=1), ShapeError, "2 strategies"),
        (lambda: MoranProcess(HAWK_DOVE, 9, payoff_shift=3).run([4.5, 4.5], 1, seed=1), ShapeError, "whole"),
        (lambda: MoranProcess(HAWK_DOVE, 9, payoff_shift=3).integrate_limit([1], [0]), ShapeError, "each of 2"),
        (lambda: MoranProcess(HAWK_DOVE, 9, payoff_shift=3).integrate_limit([1, 1], [0]), ProbabilityError, "sum to 2"),
        (lambda: TEN.compute_fitness([-5, 15]), ProbabilityError, "none may be negative"),
        (lambda: TEN.compute_fitness([5, 50]), ProbabilityError, "sum to 55; none"),
        (lambda: TEN.compute_fitness([[4, 6], [5, 6]]), ProbabilityError, "must sum to 10"),
        (lambda: TEN.compute_fitness([2.5, 7.5]), ShapeError, "whole"),
        (lambda: TEN.compute_fitness([10]), ShapeError, "each of 2"),
        (lambda: TEN.compute_fitness(np.ma.array([4, 6], mask=[0, 1])), ProbabilityError, "missing"),
        (lambda: TEN.compute_fitness("ab"), ProbabilityError, "not an array of real numbers"),
        (lambda: TEN.run([[4, 6]], 1, seed=1), ShapeError, "one for each strategy"),
        (lambda: TEN.integrate_limit([[0.1, 0.9]], [0]), ShapeError, "one for each strategy"),
        (lambda: TEN.integrate_limit([0.1, 0.9], [-1, 0, 1]), SettingError, "numbers from 0"),
        (lambda: TEN.integrate_limit([0.1, 0.9], [0, 2, 1]), SettingError, "each larger than the one before"),
        (lambda: TEN.integrate_limit([0.1, 0.9], [0, 1, 1]), SettingError, "each larger than the one before"),
        (lambda: TEN.integrate_limit([0.1, 0.9], []), SettingError, "numbers from 0"),
        (lambda: TEN.integrate_limit([0.1, 0.9], 3), SettingError, "numbers from 0"),
        (lambda: TEN.integrate_limit([0.1, 0.9], [0, np.nan]), SettingError, "numbers from 0"),
        (lambda: TEN.integrate_limit([0.1, 0.9], "soon"), SettingError, "times are not an array of real numbers"),
        (lambda: MoranProcess(np.ma.array(HAWK_DOVE, mask=[[0, 1], [0, 0]]), 9), GameError, "finite"),
    ],
)  # fmt: skip
def test_moran_process_rejects_bad_input(act: object, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        act()  # type: ignore[operator]
