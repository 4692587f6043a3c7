"""Selection by the equilibrium mix of a population's wins and losses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.evolution.population import EquilibriumMixture, selection
from pokerlab.evolution.population.selection import solve_symmetric_game
from tests.refusals import refused
from tests.unit.evolution.populations import matrix_fitness, select

CYCLE = np.array([[0, -1, 2, 9], [1, 0, -3, 9], [-2, 3, 0, 9], [-9, -9, -9, 0]], float)
"""Three that beat each other in turn by 1, 2 and 3, and one that loses to all."""


def test_equilibrium_mixture_reads_its_own_population() -> None:
    matrix = np.zeros((4, 4))
    matrix[:2, :2] = [[0, 1], [-1, 0]]
    matrix[2:, 2:] = [[0, -1], [1, 0]]
    kept = [
        select(EquilibriumMixture(), matrix_fitness(matrix), slice(p, p + 2)).survives
        for p in (0, 2)
    ]
    assert np.array(kept).tolist() == [[True, False], [False, True]]


def test_equilibrium_mixture_with_equal_weights_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        selection, "solve_symmetric_game", lambda matrix: np.full(len(matrix), 1 / 3)
    )
    alike = matrix_fitness(np.zeros((3, 3)))
    stay = [
        select(EquilibriumMixture(largest_share=0.4), alike, seed=seed).survives
        for seed in range(60)
    ]
    assert (np.sum(stay, axis=1) == 1).all()
    assert np.sum(stay, axis=0).min() > 5


def test_equilibrium_mixture_of_a_cycle_has_known_weights() -> None:
    # Each of three weighs as much as the other two win from each other: 3, 2, 1.
    assert solve_symmetric_game(CYCLE) == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0], abs=1e-9)
    kept, chances = select(EquilibriumMixture(largest_share=0.75), matrix_fitness(CYCLE))
    assert kept.tolist() == [True, True, True, False]
    assert chances == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0], abs=1e-9)


def test_equilibrium_mixture_drops_the_least_weights() -> None:
    kept, chances = select(EquilibriumMixture(largest_share=0.5), matrix_fitness(CYCLE))
    assert kept.tolist() == [True, True, False, False]
    assert chances == pytest.approx([3 / 5, 2 / 5, 0, 0], abs=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_equilibrium_mixture_loses_to_no_strategy(seed: int, size: int) -> None:
    drawn = np.random.default_rng(seed).integers(-500, 501, (size, size)).astype(float)
    wins = drawn - drawn.T
    weights = solve_symmetric_game(wins)
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    assert (weights @ wins).min() >= -1e-6 * np.abs(wins).max() - 1e-9


def test_solve_symmetric_matrix_averages_and_fills_gaps() -> None:
    one_sided = np.triu(2.0 * CYCLE)
    assert solve_symmetric_game(one_sided) == pytest.approx(solve_symmetric_game(CYCLE), abs=1e-9)
    gaps = np.where(CYCLE == 0, np.nan, CYCLE)
    assert solve_symmetric_game(gaps) == pytest.approx(solve_symmetric_game(CYCLE), abs=1e-9)


test_bad_input_is_answered = refused(
    (lambda: EquilibriumMixture(largest_share=1.0), "Pass a share above 0 and below 1"),
    (lambda: select(EquilibriumMixture(), matrix_fitness(np.zeros((0, 0)))), "does not have. Pass"),
)


def test_equilibrium_mixture_drops_a_dominated_strategy() -> None:
    few = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0]], float)
    many = np.zeros((8, 8))
    many[:4, :4], many[:4, 4:], many[4:, :4] = few, 1.0, -1.0
    kept, chances = select(EquilibriumMixture(largest_share=0.9), matrix_fitness(many))
    assert kept.tolist() == [True] * 3 + [False] * 5
    assert chances[:3] == pytest.approx(1 / 3)
