"""Rest points of the replicator flow: against closed forms, slopes by differences, and mutants one by one."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError
from pokerlab.solvers import find_rest_points

THIRD = Fraction(1, 3)
ZEEMAN = [[0, 6, -4], [-3, 0, 5], [-1, 3, 0]]
STEP = Fraction(1, 24)
"""Of the grid of mutants."""
SMALL = 1e-6


def drawn_games(size: int, count: int) -> list[np.ndarray]:
    return [np.random.default_rng([size, k]).integers(-2, 3, (size, size)) for k in range(count)]


def mutants(size: int) -> list[np.ndarray]:
    """Every population whose shares are multiples of `STEP`."""
    counts = product(range(25), repeat=size - 1)
    return [np.array([*c, 24 - sum(c)]) * STEP for c in counts if sum(c) <= 24]


def invaders(payoff: np.ndarray, resident: np.ndarray) -> list[np.ndarray]:
    """The mutants that do not lose to a resident once a few of them are there, by the definition."""
    found = []
    for mutant in mutants(len(payoff)):
        if (mutant != resident).any():
            against_residents = resident @ payoff @ resident - mutant @ payoff @ resident
            against_mutants = resident @ payoff @ mutant - mutant @ payoff @ mutant
            if (against_residents, against_mutants) <= (0, 0):
                found.append(mutant)
    return found


def flow(payoff: np.ndarray, shares: np.ndarray) -> np.ndarray:
    fitness = payoff @ shares
    return np.asarray(shares * (fitness - shares @ fitness))


def slopes(payoff: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The flow's derivative by differences, in an orthonormal basis of directions that keep the sum."""
    size = len(shares)
    basis = np.linalg.svd(np.ones((1, size)))[2][1:]
    columns = [
        (flow(payoff, shares + SMALL * d) - flow(payoff, shares - SMALL * d)) / (2 * SMALL)
        for d in basis
    ]
    return np.asarray(basis @ np.transpose(columns))


@pytest.mark.parametrize(("value", "cost"), [(2, 6), (1, 3), (4, 5)])
def test_rest_points_of_hawk_dove_are_value_over_cost(value: int, cost: int) -> None:
    # In doves hawks grow by V/2, in hawks doves by (C - V)/2; the slope between is -V (C - V) / (2 C).
    v, c = Fraction(value), Fraction(cost)
    hawks, doves, mixed = find_rest_points([[(v - c) / 2, v], [0, v / 2]]).points
    assert mixed.shares == (v / c, 1 - v / c)
    assert [p.eigenvalues[0].real for p in (hawks, doves)] == pytest.approx([(c - v) / 2, v / 2])
    assert mixed.eigenvalues[0].real == pytest.approx(float(-v * (c - v) / (2 * c)))
    assert [p.is_stable for p in (hawks, doves, mixed)] == [False, False, True]
    assert [p.kind for p in (hawks, doves, mixed)] == ["repelling", "repelling", "attracting"]


@pytest.mark.parametrize(
    ("win", "loss", "kind"), [(2, 1, "attracting"), (1, 1, "center"), (1, 2, "repelling")]
)
def test_rest_points_of_rock_paper_scissors_have_a_center(win: int, loss: int, kind: str) -> None:
    found = find_rest_points([[0, -loss, win], [win, 0, -loss], [-loss, win, 0]])
    center = found.points[-1]
    assert len(found.points) == 4
    assert center.shares == (THIRD,) * 3
    assert center.kind == kind
    assert center.is_stable is (win > loss)
    real, turning = (loss - win) / 6, (win + loss) / np.sqrt(12)
    assert center.eigenvalues == pytest.approx((real + 1j * turning, real - 1j * turning))
    assert all(point.kind == "saddle" for point in found.points[:3])


def test_rest_point_of_zeemans_game_attracts_but_is_no_ess() -> None:
    found = find_rest_points(ZEEMAN)
    (center,) = (point for point in found.points if min(point.shares) > 0)
    assert center.shares == (THIRD,) * 3
    assert (center.kind, center.is_stable) == ("attracting", False)
    assert [point.shares for point in found.stable] == [(1, 0, 0)]


@pytest.mark.parametrize("payoff", [*drawn_games(2, 30), *drawn_games(3, 30), np.array(ZEEMAN)])
def test_rest_points_find_evolutionarily_stable_strategies(payoff: np.ndarray) -> None:
    for point in find_rest_points(payoff).points:
        assert point.is_stable is (invaders(payoff, np.array(point.shares)) == [])


@pytest.mark.parametrize("payoff", [*drawn_games(2, 20), *drawn_games(3, 40)])
def test_rest_points_have_the_flows_eigenvalues(payoff: np.ndarray) -> None:
    found = find_rest_points(payoff)
    for point in found.points:
        shares = np.array(point.shares)
        assert sum(point.shares) == 1
        assert not flow(payoff, shares).any()  # fractions: exactly
        known = np.linalg.eigvals(slopes(payoff, shares.astype(float)))
        here = sorted(point.eigenvalues, key=lambda z: (round(z.real, 4), z.imag))
        assert here == pytest.approx(
            sorted(known, key=lambda z: (round(z.real, 4), z.imag)), abs=1e-3
        )
    for ends in found.continua:
        for weight in (Fraction(1, 4), Fraction(2, 3)):
            between = weight * np.array(ends[0]) + (1 - weight) * np.array(ends[-1])
            assert not flow(payoff, between).any()


@pytest.mark.parametrize("payoff", [*drawn_games(2, 10), *drawn_games(3, 20)])
def test_rest_points_are_all_rest_points_on_a_grid(payoff: np.ndarray) -> None:
    found = find_rest_points(payoff)
    points = {point.shares for point in found.points}
    resting = [tuple(x) for x in mutants(len(payoff)) if not flow(payoff, x).any()]
    for shares in resting:
        on = [ends for ends in found.continua if between(ends, shares)]
        assert shares in points or on


def between(ends: tuple[tuple[Fraction, ...], ...], shares: tuple[Fraction, ...]) -> bool:
    """Whether a population lies on a segment, or in the triangle."""
    if len(ends) == 3:
        return True
    a, b = (np.array(end) for end in ends)
    (k,) = np.flatnonzero(a != b)[:1]
    weight = (shares[k] - b[k]) / (a[k] - b[k])
    return bool(0 <= weight <= 1 and (weight * a + (1 - weight) * b == np.array(shares)).all())


def test_rest_points_of_equal_payoffs_are_the_whole_triangle() -> None:
    found = find_rest_points(np.ones((3, 3)))
    assert len(found.continua) == 4  # three sides, and what is within
    assert {point.kind for point in found.points} == {"undecided"}
    assert find_rest_points([[1, 2], [1, 2]]).continua == (((1, 0), (0, 1)),)


def test_rest_points_read_decimals_exactly() -> None:
    # 0.1 + 0.2 is not 0.3 in floats; here both rows earn exactly the same at (1/2, 1/2).
    (_, _, mixed) = find_rest_points([[0.1, 0.2], [0.3, 0.0]]).points
    assert mixed.shares == (Fraction(1, 2), Fraction(1, 2))


def test_continuous_replicator_reaches_the_stable_rest_point() -> None:
    payoff = np.array([[-2.0, 2.0], [0.0, 1.0]])
    game = pl.games.bimatrix(payoff, payoff.T)
    start = pl.games.Profile(game, [0.05, 0.95] * 2)
    flowing = pl.solvers.ContinuousReplicator(game, time_step=1.0, start=start)
    state = flowing.step(flowing.init(), 40)
    assert state.current.get_behavior(0)[0] == pytest.approx(1 / 3, abs=1e-6)


@pytest.mark.parametrize(
    ("payoff", "error", "words"),
    [
        ([[1, 2, 3], [1, 2, 3]], ShapeError, "as many rows as columns, two or three"),
        (np.zeros((4, 4)), ShapeError, "two or three"),
        ([[1]], ShapeError, "two or three"),
        ([[1, np.nan], [0, 0]], GameError, "finite"),
        ([[1, 2], [3]], GameError, "matrix of numbers"),
        (np.ma.array([[1, 5], [2, 3]], mask=[[0, 1], [0, 0]]), GameError, "finite"),
    ],
)
def test_rest_points_rejects_invalid_payoff(payoff: object, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        find_rest_points(payoff)  # type: ignore[arg-type]
