"""Tables of results as people have them say the same, and rounding breaks no tie in any unit."""

from functools import partial

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.metrics import apply_solution_concepts, find_correlated_equilibrium, rate_players
from pokerlab.metrics.match_results import (
    EQUALITY_TOLERANCE,
    convert_results_to_winnings,
    measure_transitivity,
    set_rounding_errors_to_zero,
    validate_results,
)
from tests.refusals import refused

WON = np.array([[0, 0.2, -0.1, 0], [-0.2, 0, 0.3, 0.5], [0.1, -0.3, 0, 1], [0, -0.5, -1, 0]])
CHANCES = (1 + WON) / 2
MISSING = np.nan
SCALES = [1e-12, 1e-9, 1e-3, 1, 1e5, 1e12]


def with_diagonal(table: Floats, value: float) -> Floats:
    changed = np.array(table, dtype=np.float64)
    np.fill_diagonal(changed, value)
    return changed


@pytest.mark.parametrize("value", [MISSING, 0, 0.5, 1])
def test_chances_with_any_usual_diagonal_are_read(value: float) -> None:
    for total in (1, 100):
        read, said = validate_results(with_diagonal(total * CHANCES, total * value))
        assert read == pytest.approx(WON)
        assert said == total
        assert (read == -read.T).all()


@pytest.mark.parametrize("value", [MISSING, 0])
def test_winnings_with_any_usual_diagonal_are_read(value: float) -> None:
    assert (convert_results_to_winnings(with_diagonal(7 * WON, value)) == 7 * WON).all()


def test_a_diagonal_of_several_kinds_is_read() -> None:
    mixed = CHANCES.copy()
    mixed[np.diag_indices(4)] = [0, 0.5, 1, MISSING]
    assert convert_results_to_winnings(mixed) == pytest.approx(WON)


@pytest.mark.parametrize("total", [1, 100])
def test_rounded_shares_are_read(total: int) -> None:
    cut = total * np.array([[0.5, 0.33, 0.25], [0.66, 0.5, 0.67], [0.75, 0.34, 0.5]])  # 1/3 and 2/3
    assert convert_results_to_winnings(cut) == pytest.approx(
        np.array([[0, -0.33, -0.5], [0.33, 0, 0.33], [0.5, -0.33, 0]])
    )
    finer = total * np.array([[0.5, 0.333], [0.666, 0.5]])
    assert convert_results_to_winnings(finer)[1, 0] == pytest.approx(0.333)
    off = np.array([[0.5, 0.333], [0.665, 0.5]])  # by 2 in the last of three digits
    assert_refused(off, "neither antisymmetric")


def assert_refused(table: object, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        validate_results(table)  # type: ignore[arg-type]


def test_masked_cells_are_missing() -> None:
    masked = np.ma.array([[0, 5, 1], [-5, 0, 1], [-1, -1, 0]], mask=np.eye(3, dtype=bool))
    assert convert_results_to_winnings(masked)[0].tolist() == [0, 5, 1]
    masked[0, 1] = masked[1, 0] = np.ma.masked
    for call in (rate_players, apply_solution_concepts, convert_results_to_winnings):
        with pytest.raises(SettingError, match=r"nan in row 0, column 1: the cell is missing"):
            call(masked)
        with pytest.raises(SettingError, match=r"nan in row 0, column 1: the cell is missing"):
            call([*masked])
        with pytest.raises(SettingError, match=r"nan in row 0, column 1: the cell is missing"):
            call([masked[0], *masked.data[1:].tolist()])
    with pytest.raises(
        SettingError, match=r"payoffs of the column player have no finite number at \[0, 0\]"
    ):
        find_correlated_equilibrium(np.zeros((3, 3)), masked)
    with pytest.raises(SettingError, match="errors has nan in row 0, column 1"):
        rate_players(np.zeros((3, 3)), errors=np.ma.abs(masked))


def test_errors_of_percent_are_those_of_chances() -> None:
    errors = with_diagonal(np.full((4, 4), 0.01), MISSING)
    by_chance = rate_players(CHANCES, errors=errors)
    by_percent = rate_players(100 * CHANCES, errors=100 * errors)
    for name in ("mean", "elo", "nash"):
        assert by_percent.intervals[name] == pytest.approx(by_chance.intervals[name]), name
    assert by_percent.elo == pytest.approx(by_chance.elo)


def test_drop_rounding_zeroes_a_billionth_of_the_largest() -> None:
    values = np.array([2.0, -2.1e-9, 1.9e-9, -1.9e-9, 0.0])
    assert set_rounding_errors_to_zero(values).tolist() == [2.0, -2.1e-9, 0.0, 0.0, 0.0]
    assert set_rounding_errors_to_zero(values, 1.0).tolist() == [2.0, -2.1e-9, 1.9e-9, -1.9e-9, 0.0]
    assert set_rounding_errors_to_zero(np.zeros((0, 3))).shape == (0, 3)


def test_chances_of_draws_up_to_rounding_are_draws() -> None:
    draw = 0.1 + 0.2 + 0.2
    rated = rate_players([[0.5, draw, 0.7 - 0.2], [1 - draw, 0.5, 0.5], [0.5, 0.5, 0.5]])
    assert not rated.winnings.any()
    assert rated.alpha_rank == pytest.approx([1 / 3] * 3)
    assert (rated.cycles, rated.transitivity) == (0, 1.0)


def tied_table(seed: int, size: int = 7) -> Floats:
    """Return a table of whole numbers with ties."""
    cells = np.triu(np.random.default_rng(seed).integers(-2, 3, (size, size)), 1)
    return (cells - cells.T).astype(float)


def disturbed(table: Floats, seed: int) -> Floats:
    """Return a table with noise of 1e-12 of its largest cell."""
    noise = np.random.default_rng(seed).uniform(-1e-12, 1e-12, table.shape)
    return table + (noise - noise.T) / 2 * np.abs(table).max()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(4))
def test_concepts_and_ratings_do_not_depend_on_scale_or_rounding(seed: int, scale: float) -> None:
    table = tied_table(seed)
    right, picked = rate_players(table), apply_solution_concepts(table)
    for other in (scale * table, disturbed(scale * table, seed)):
        rated = rate_players(other)
        assert rated.mean == pytest.approx(scale * right.mean, rel=1e-9, abs=1e-11 * scale)
        for name in ("elo", "nash", "alpha_rank"):
            assert getattr(rated, name) == pytest.approx(getattr(right, name), abs=1e-6), name
        assert rated.transitivity == pytest.approx(right.transitivity)
        assert rated.cycles == right.cycles
        for name, weights in apply_solution_concepts(other).items():
            assert weights == pytest.approx(picked[name], abs=1e-6), name


@pytest.mark.parametrize("seed", range(4))
def test_concepts_of_chances_do_not_depend_on_rounding(seed: int) -> None:
    chances = (1 + tied_table(seed) / 2) / 2
    picked = apply_solution_concepts(chances)
    for other in (disturbed(chances, seed), 100 * disturbed(chances, seed + 1)):
        for name, weights in apply_solution_concepts(other).items():
            assert weights == pytest.approx(picked[name], abs=1e-6), name
        assert rate_players(other).cycles == rate_players(chances).cycles


@pytest.mark.parametrize("scale", SCALES)
def test_correlated_equilibrium_does_not_depend_on_scale(scale: float) -> None:
    first, second = np.array([[6, 2], [7, 0]]), np.array([[9, 10], [3, 0]])
    right = find_correlated_equilibrium(first, second)
    assert find_correlated_equilibrium(scale * first, scale * second) == pytest.approx(
        right, abs=1e-7
    )
    noise = 1e-12 * np.array([[1, -1], [-1, 1]])
    other = find_correlated_equilibrium(scale * (first + noise), scale * (second - noise))
    assert other == pytest.approx(right, abs=1e-6)
    assert right[0, 0] > 0.4


@pytest.mark.parametrize("shift", [-1e8, 1e8])
def test_correlated_equilibrium_ignores_a_common_constant(shift: float) -> None:
    first, second = np.array([[6, 2], [7, 0]]), np.array([[9, 10], [3, 0]])
    right = find_correlated_equilibrium(first, second)
    assert find_correlated_equilibrium(first + shift, second - shift) == pytest.approx(
        right, abs=1e-6
    )


@pytest.mark.parametrize("total", [0.0, 1.0, 1e8])
def test_correlated_equilibrium_ignores_rounding(total: float) -> None:
    """All ways to draw are equilibria and equally good; the one returned must not depend on the last digit."""
    first = np.full((2, 2), 1e8 / 3)
    right = find_correlated_equilibrium(first, total - first)
    for cell in np.ndindex(2, 2):
        second = total - first
        second[cell] += 1e-4
        assert find_correlated_equilibrium(first, second) == pytest.approx(right, abs=1e-6)


def test_measure_transitivity_counts_no_cycle_of_rounding() -> None:
    cycle = np.array([[0, 1e-16, -1.0], [-1e-16, 0, 1.0], [1.0, -1.0, 0]])
    assert measure_transitivity(cycle)[1] == 0
    cycle[0, 1], cycle[1, 0] = 1e-6, -1e-6
    assert measure_transitivity(cycle)[1] == 1


def test_pareto_front_ignores_rounding() -> None:
    equal = np.array([[0, 0, 1e-12, 1], [0, 0, 0, 1], [-1e-12, 0, 0, 1], [-1, -1, -1, 0]])
    picked = apply_solution_concepts(equal)
    assert np.flatnonzero(picked["Pareto front"]).tolist() == [0, 1, 2]
    assert np.flatnonzero(picked["tests solved"]).tolist() == [0, 1, 2]
    assert np.flatnonzero(picked["mean"]).tolist() == [0, 1, 2]
    assert np.flatnonzero(picked["security"]).tolist() == [0, 1, 2]
    clear = equal.copy()
    clear[0, 2], clear[2, 0] = 1e-6, -1e-6
    picked = apply_solution_concepts(clear)
    assert np.flatnonzero(picked["Pareto front"]).tolist() == [0]


def test_ratings_of_a_nash_memory_are_exact() -> None:
    memory = pl.solvers.NashMemory(pl.games.compound(pl.games.kuhn()))
    payoffs = memory.step(memory.init(), 40).payoffs
    exact = np.round(12 * payoffs) / 12  # pure strategies of both roles win twelfths of a chip
    assert payoffs == pytest.approx(exact, abs=1e-12)
    rated, right = rate_players(payoffs), rate_players(exact)
    assert rated.cycles == right.cycles
    assert rated.alpha_rank == pytest.approx(right.alpha_rank)
    assert ((rated.winnings == 0.0) == (exact == 0.0)).all()


DRAWN = [[0, 1], [-1, 0]]
test_what_is_no_table_of_results_is_refused = refused(
    (partial(validate_results, [[0, 1, 2], [1, 0, 2]]), ShapeError, "has shape (2, 3)"),
    (partial(validate_results, [[5, 1], [-1, 0]]), "has 5 on its diagonal"),
    (partial(validate_results, [[5, 1], [-1, 0]]), "Give NaN or 0."),
    (partial(validate_results, [[0.7, 0.6], [0.4, 0.5]]), "Give NaN or 0 or 0.5 or 1."),
    (partial(validate_results, [[70, 60], [40, 50]]), "Give NaN or 0 or 50 or 100."),
    (partial(validate_results, [[np.inf, 1], [-1, 0]]), "inf in row 0, column 0"),
    (partial(validate_results, [[0, 1], [np.nan, 0]]), "nan in row 1, column 0"),
    (partial(validate_results, [[0.5, 1.5], [-0.5, 0.5]]), "neither antisymmetric"),
    (partial(validate_results, [[0.5, 0.6], [0.3, 0.5]]), "neither antisymmetric"),
    (
        partial(validate_results, [[0, 1 + 3 * EQUALITY_TOLERANCE], [-1, 0]]),
        "neither antisymmetric",
    ),
    (partial(validate_results, [["a", "b"], ["c", "d"]]), "are not an array of real numbers"),
    (partial(validate_results, [[0, 1j], [-1j, 0]]), "are not an array of real numbers"),
    (partial(validate_results, [[0, 1], [-1]]), "in rows of equal length"),
    (partial(rate_players, DRAWN, errors=[[0, 1], [-1, 0]]), ShapeError, "at least 0"),
    (partial(rate_players, DRAWN, errors=[[0, 2], [1, 0]]), ShapeError, "symmetric"),
    (
        partial(find_correlated_equilibrium, [["a"]], [[1]]),
        "payoffs of the row player are not an array",
    ),
    (
        partial(find_correlated_equilibrium, [[1]], [[np.inf]]),
        "payoffs of the column player have no finite",
    ),
    (partial(find_correlated_equilibrium, [[1]], [[1]], wanted=[[1]]), "is called objective="),
    (
        partial(find_correlated_equilibrium, [[1]], [[1]], objective=[[np.nan]]),
        "payoffs of the objective have no finite",
    ),
)
