"""Ratings of a table: by hand on rock-paper-scissors, and laws that each rating has by its definition."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.metrics import rate_players
from pokerlab.metrics.match_results import find_cycles
from tests.refusals import refused

ROUNDING = 1e-9
RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)
BIASED = np.array([[0, -5, 10], [5, 0, -1], [-10, 1, 0]], dtype=float)
THIRDS = [1 / 3] * 3


def table(seed: int, size: int = 6, largest: int = 2) -> Floats:
    """Return a random table of whole numbers, with ties, zeros, and often many equilibria."""
    cells = np.triu(np.random.default_rng(seed).integers(-largest, largest + 1, (size, size)), 1)
    return (cells - cells.T).astype(float)


def test_rock_paper_scissors_by_hand() -> None:
    of = rate_players(RPS)
    assert of.mean.tolist() == of.elo.tolist() == [0.0] * 3
    assert of.nash == pytest.approx(THIRDS)
    assert of.alpha_rank == pytest.approx(THIRDS)
    assert (of.transitivity, of.cycles, of.intervals) == (0.0, 1, {})
    assert find_cycles(RPS).tolist() == [[0, 2, 1]]  # rock beats scissors, scissors beat paper


def test_biased_rock_paper_scissors_by_hand() -> None:
    of = rate_players(BIASED)
    assert of.mean == pytest.approx([2.5, 2.0, -4.5])
    assert of.nash == pytest.approx([1 / 16, 10 / 16, 5 / 16])
    assert of.alpha_rank == pytest.approx(THIRDS)  # it only asks who wins
    # Sums 5, 4, -9 over three: the differences 1/3, 14/3, 13/3 explain part of -5, 10, -1.
    assert of.transitivity == pytest.approx((1 / 9 + 196 / 9 + 169 / 9) / (25 + 100 + 1))


def test_copies_share_a_nash_average() -> None:
    two_rocks = RPS[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    of = rate_players(two_rocks)
    assert of.nash == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])
    assert of.mean == pytest.approx([0, 0, 1 / 3, -1 / 3])  # paper profits from a crowd of rocks
    assert of.cycles == 2


def test_ratings_agree_on_a_player_who_always_wins() -> None:
    order = np.sign(np.subtract.outer(-np.arange(5), -np.arange(5))).astype(float)
    of = rate_players(order)
    assert of.nash.tolist() == [1, 0, 0, 0, 0]
    assert of.mean.tolist() == [1, 0.5, 0, -0.5, -1]
    assert (np.diff(of.elo) < 0).all()
    assert (np.diff(of.alpha_rank) < 0).all()
    assert of.alpha_rank[0] > 0.9
    assert of.cycles == 0


def test_transitivity_of_differences_is_one() -> None:
    skill = np.array([3.0, 1.0, 0.5, -2.0])
    of = rate_players(np.subtract.outer(skill, skill))
    assert of.transitivity == pytest.approx(1.0)
    assert np.subtract.outer(of.mean, of.mean) * 3 / 4 == pytest.approx(
        np.subtract.outer(skill, skill)
    )


def test_ratings_of_all_draws() -> None:
    of = rate_players(np.zeros((4, 4)))
    assert of.nash == pytest.approx([0.25] * 4)
    assert of.alpha_rank == pytest.approx([0.25] * 4)
    assert (of.transitivity, of.cycles) == (1.0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_elo_recovers_known_points(seed: int) -> None:
    points = np.random.default_rng(seed).normal(0.0, 200.0, 8)
    chances = 1.0 / (1.0 + 10.0 ** (np.subtract.outer(-points, -points) / 400.0))
    of = rate_players(chances)
    assert of.elo == pytest.approx(points - points.mean(), abs=1e-6)
    assert of.mean == pytest.approx((2.0 * chances.sum(axis=1) - 8) / 7)  # wins less losses


@pytest.mark.parametrize("seed", range(10))
def test_elo_expected_wins_equal_wins(seed: int) -> None:
    """The equation of the likeliest Bradley-Terry model, no chance being above 0.999."""
    cells = table(seed)
    of = rate_players(cells)
    expected = 1.0 / (1.0 + 10.0 ** (np.subtract.outer(-of.elo, -of.elo) / 400.0))
    wins = np.clip((1.0 + cells / max(np.abs(cells).max(), 1.0)) / 2.0, 0.001, 0.999)
    assert expected.sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-7)
    assert of.elo.sum() == pytest.approx(0.0, abs=1e-6)


def corners(won: Floats) -> list[Floats]:
    """Return the corners of the set of equilibria: as many constraints hold exactly as there are weights."""
    count, found = len(won), []
    constraints = np.vstack([won, -np.eye(count)])
    for tight in combinations(range(2 * count), count - 1):
        system = np.vstack([constraints[[*tight]], np.ones(count)])
        if abs(np.linalg.det(system)) > ROUNDING:
            weights = np.linalg.solve(system, np.eye(1, count, count - 1)[0])
            if (constraints @ weights).max() < ROUNDING:
                found.append(weights)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_nash_average_has_maximum_entropy(seed: int) -> None:
    """Entropy is concave: it is largest where it grows toward no corner of the set of equilibria."""
    won = table(seed, size=5, largest=1 + seed % 2)
    nash = rate_players(won).nash
    assert nash.sum() == pytest.approx(1.0)
    assert (won @ nash).max() < 1e-7
    known = corners(won)
    assert known
    for corner in known:
        assert not corner[nash == 0.0].any() or corner[nash == 0.0].max() < ROUNDING
        toward = corner - nash
        growth = -(toward[nash > 0.0] * np.log(nash[nash > 0.0])).sum()
        assert growth < 1e-5


@pytest.mark.parametrize("seed", range(5))
def test_transitivity_equals_least_squares_fit(seed: int) -> None:
    won = table(seed)
    pairs = np.array([*combinations(range(6), 2)])
    design = np.zeros((len(pairs), 6))
    design[np.arange(len(pairs)), pairs[:, 0]], design[np.arange(len(pairs)), pairs[:, 1]] = 1, -1
    cells = won[tuple(pairs.T)]
    fitted = design @ np.linalg.lstsq(design, cells, rcond=None)[0]
    assert rate_players(won).transitivity == pytest.approx((fitted**2).sum() / (cells**2).sum())


@pytest.mark.parametrize("seed", range(5))
def test_cycles_are_counted_one_by_one(seed: int) -> None:
    won = table(seed, size=7)
    triples = [
        three
        for i, j, k in combinations(range(7), 3)
        for three in ((i, j, k), (i, k, j))
        if won[three[0], three[1]] > 0
        and won[three[1], three[2]] > 0
        and won[three[2], three[0]] > 0
    ]
    found = find_cycles(won)
    assert rate_players(won).cycles == len(triples) == len(found)
    assert {tuple(three) for three in found.tolist()} == set(triples)
    closest = [min(won[i, j], won[j, k], won[k, i]) for i, j, k in found]
    assert closest == sorted(closest, reverse=True)


@pytest.mark.parametrize("seed", range(3))
def test_ratings_do_not_depend_on_unit_or_order(seed: int) -> None:
    won, order = table(seed), np.random.default_rng(seed).permutation(6)
    of, other = rate_players(won), rate_players(7.5 * won[np.ix_(order, order)])
    assert other.mean == pytest.approx(7.5 * of.mean[order])
    for name in ("elo", "nash", "alpha_rank"):
        assert getattr(other, name) == pytest.approx(getattr(of, name)[order], abs=1e-6)
    assert other.transitivity == pytest.approx(of.transitivity)
    assert other.cycles == of.cycles


def test_intervals_are_as_wide_as_errors_make_the_means() -> None:
    errors = np.full((6, 6), 0.3)
    of = rate_players(table(1), errors=errors)
    half = stats.norm.ppf(0.975) * 0.3 * np.sqrt(5) / 5
    low, high = of.intervals["mean"]
    assert (high - low) / 2 == pytest.approx(np.full(6, half), rel=0.25)  # 200 tables
    assert set(of.intervals) == set(vars(of)) - {"winnings", "intervals"}
    assert of.intervals["cycles"].shape == (2,)
    again = rate_players(table(1), errors=errors)
    assert (again.intervals["nash"] == of.intervals["nash"]).all()


def test_without_error_intervals_are_points() -> None:
    of = rate_players(BIASED, errors=np.zeros((3, 3)))
    for name, (low, high) in of.intervals.items():
        assert low == pytest.approx(getattr(of, name)), name
        assert high == pytest.approx(low), name


def test_errors_of_chances_are_doubled_with_them() -> None:
    chances, errors = (1 + RPS / 4) / 2, np.full((3, 3), 0.01)
    by_chance = rate_players(chances, errors=errors)
    by_wins = rate_players(RPS / 4, errors=2 * errors)
    for name in ("mean", "nash", "alpha_rank"):
        assert by_chance.intervals[name] == pytest.approx(by_wins.intervals[name]), name


test_what_is_no_table_is_refused = refused(
    (partial(rate_players, [[0, 1]]), ShapeError, "the table of results has shape (1, 2)"),
    (partial(rate_players, [[0]]), ShapeError, "give (N, N) with N at least 2"),
    (partial(rate_players, [[0, 1], [1, 0]]), "neither antisymmetric"),
    (partial(rate_players, [[0, np.nan], [1, 0]]), "nan in row 0, column 1"),
    (partial(rate_players, RPS, errors=np.ones((2, 2))), ShapeError, "have shape (3, 3)"),
    (partial(rate_players, RPS, errors=-np.ones((3, 3))), ShapeError, "at least 0"),
    (partial(rate_players, RPS, errors=np.triu(np.ones((3, 3)))), ShapeError, "symmetric"),
)
