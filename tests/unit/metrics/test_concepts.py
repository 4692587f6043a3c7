"""What counts as a solution: each concept beside its definition, tried case by case."""

from itertools import product

import numpy as np
import pytest

from pokerlab.core import ShapeError, random_stream
from pokerlab.games import intransitive_numbers
from pokerlab.metrics import apply_solution_concepts, find_correlated_equilibrium, rate_players
from pokerlab.metrics.player_selection import find_correlated_support

FINE = 12
"""Into how many parts invaders and mediators on a grid cut their chances."""


def numbers(seed: int, many: int, threshold: int = 0) -> np.ndarray:
    game = intransitive_numbers(dimensions=2, largest=9, threshold=threshold)
    members = random_stream(seed, "members").integers(0, 10, (many, 2))
    return game.payoffs(members, members)


def winnings(seed: int, many: int) -> np.ndarray:
    drawn = random_stream(seed, "winnings").integers(-3, 4, (many, many)).astype(float)
    return drawn - drawn.T


TABLES = [numbers(1, 6), numbers(2, 9), numbers(3, 14, threshold=1), winnings(4, 7)]


def members(weights: np.ndarray) -> set[int]:
    return {*np.flatnonzero(weights).tolist()}


@pytest.mark.parametrize("table", TABLES)
def test_concepts_of_single_numbers_pick_the_best(table: np.ndarray) -> None:
    picked = apply_solution_concepts(table)
    everybody = range(len(table))
    mean = [sum(row) for row in table.tolist()]
    solved = [sum(won > 0 for won in row) for row in table.tolist()]
    worst = [min(row) for row in table.tolist()]
    for name, score in (("mean", mean), ("tests solved", solved), ("security", worst)):
        assert members(picked[name]) == {k for k in everybody if score[k] == max(score)}
    empty = ("all tests", "ESS")
    assert all(sum(w) == pytest.approx(1) for name, w in picked.items() if name not in empty)


CHAIN = np.array([[0, 1, 2, 2], [-1, 0, 1, 1], [-2, -1, 0, 0], [-2, -1, 0, 0]], dtype=float)
TWINS = CHAIN[np.ix_([3, 0, 1, 0], [3, 0, 1, 0])]
RICH_SECOND = np.array([[0, 1, 1], [-1, 0, 9], [-1, -9, 0]], dtype=float)
"""The first beats everyone, but the second wins more from the third."""


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        *((table, None) for table in TABLES),
        *((winnings(seed, 3), None) for seed in range(10, 40)),
        (CHAIN, {0}),
        (TWINS, {1, 3}),
        (RICH_SECOND, set()),
        (np.zeros((3, 3)), {0, 1, 2}),
    ],
)
def test_all_tests_picks_who_is_best_in_each_test(
    table: np.ndarray, expected: set[int] | None
) -> None:
    """Tried case by case: no other candidate has a better outcome in any test, the candidate itself included."""
    rows, everybody = table.tolist(), range(len(table))
    best = {
        k
        for k in everybody
        if all(rows[k][test] >= rows[other][test] for other in everybody for test in everybody)
    }
    picked = apply_solution_concepts(table)
    assert members(picked["all tests"]) == best
    assert expected is None or best == expected
    assert sum(picked["all tests"]) == pytest.approx(1.0 if best else 0.0)
    assert best <= members(picked["Pareto front"])
    assert best <= members(picked["security"])


@pytest.mark.parametrize("table", TABLES)
def test_pareto_front_is_the_undominated_players(table: np.ndarray) -> None:
    picked, everybody = apply_solution_concepts(table), range(len(table))

    def dominates(better: int, other: int) -> bool:
        pairs = [*zip(table[better], table[other], strict=True)]
        return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)

    front = {k for k in everybody if not any(dominates(j, k) for j in everybody)}
    assert members(picked["Pareto front"]) == front
    beaten = [frozenset(np.flatnonzero(row > 0).tolist()) for row in table]
    largest = {k for k in everybody if not any(beaten[k] < other for other in beaten)}
    assert members(picked["IPCA"]) == {min(k for k in largest if beaten[k] == s) for s in
                                       {beaten[k] for k in largest}}  # fmt: skip


def invades(table: np.ndarray, resident: np.ndarray, invader: np.ndarray) -> bool:
    """Whether an invader does as well as the resident once a few of it are there."""
    at_home, away = resident @ table @ resident, invader @ table @ resident
    if away != at_home:
        return bool(away > at_home)
    return bool(invader @ table @ invader >= resident @ table @ invader)


@pytest.mark.parametrize("table", [winnings(5, 3), winnings(6, 3), np.array(
    [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]])])  # fmt: skip
def test_ess_is_not_invaded_by_any_mixture(table: np.ndarray) -> None:
    grid = [np.array(one) / FINE for one in product(range(FINE + 1), repeat=3) if sum(one) == FINE]
    stable = [
        mix
        for mix in grid
        if not any(invades(table, mix, other) for other in grid if (other != mix).any())
    ]
    picked = apply_solution_concepts(table)["ESS"]
    assert len(stable) == (picked.sum() > 0)
    assert all((mix == picked).all() for mix in stable)


@pytest.mark.parametrize("table", TABLES)
def test_correlated_support_in_zero_sum_games_is_nash_support(table: np.ndarray) -> None:
    picked = apply_solution_concepts(table)
    assert picked["Nash"] == pytest.approx(rate_players(table).nash)
    assert members(picked["correlated"]) == members(picked["Nash"])


def test_correlated_equilibrium_is_obeyed_and_best_on_a_grid() -> None:
    for seed in range(5):
        first, second = random_stream(seed, "payoffs").integers(-4, 5, (2, 2, 2)).astype(float)
        found = find_correlated_equilibrium(first, second)
        assert found.sum() == pytest.approx(1)
        assert is_obeyed(found, first, second)
        worth = (found * (first + second)).sum()
        for parts in product(range(FINE + 1), repeat=4):
            drawn = np.reshape(parts, (2, 2)) / FINE
            if sum(parts) == FINE and is_obeyed(drawn, first, second):
                assert (drawn * (first + second)).sum() <= worth + 1e-9


def is_obeyed(drawn: np.ndarray, first: np.ndarray, second: np.ndarray) -> bool:
    """Whether nobody gains by doing the other thing, whichever of two they are told."""
    rows = [drawn[k] @ (first[1 - k] - first[k]) for k in (0, 1)]
    columns = [drawn[:, k] @ (second[:, 1 - k] - second[:, k]) for k in (0, 1)]
    return max(*rows, *columns) <= 1e-9


def test_matching_pennies_has_one_correlated_equilibrium() -> None:
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert find_correlated_equilibrium(pennies, -pennies) == pytest.approx(np.full((2, 2), 0.25))
    assert find_correlated_support(np.zeros((3, 3))).all()


def test_correlated_support_has_rare_strategies() -> None:
    """In rock-paper-scissors each is played in proportion to what the other two win from each other."""
    small = 1e-4
    won = np.array([[0.0, small, -1.0], [-small, 0.0, 1.0], [1.0, -1.0, 0.0]])
    chances = np.array([1.0, 1.0, small]) / (2.0 + small)
    assert chances @ won == pytest.approx(np.zeros(3), abs=1e-15)
    assert find_correlated_support(won).all()
    assert members(apply_solution_concepts(won)["correlated"]) == {0, 1, 2}


def test_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(2, 2\), \(2, 3\)"):
        find_correlated_equilibrium(np.zeros((2, 2)), np.zeros((2, 3)))
