"""Selection by the equilibrium mix of a population's wins and losses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.evolution.population import EquilibriumMix, selection
from pokerlab.evolution.population.selection import equilibrium_mix
from tests.refusals import refused
from tests.unit.evolution.populations import chosen, judged

CYCLE = np.array([[0, -1, 2, 9], [1, 0, -3, 9], [-2, 3, 0, 9], [-9, -9, -9, 0]], float)
"""Three that beat each other in turn by 1, 2 and 3, and one that loses to all."""


def test_each_population_plays_its_own_part_of_the_matrix() -> None:
    matrix = np.zeros((4, 4))
    matrix[:2, :2] = [[0, 1], [-1, 0]]
    matrix[2:, 2:] = [[0, -1], [1, 0]]
    kept = [chosen(EquilibriumMix(), judged(matrix), slice(p, p + 2)).kept for p in (0, 2)]
    assert np.array(kept).tolist() == [[True, False], [False, True]]


def test_who_of_equal_weights_stays_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "equilibrium_mix", lambda matrix: np.full(len(matrix), 1 / 3))
    alike = judged(np.zeros((3, 3)))
    stay = [chosen(EquilibriumMix(most=0.4), alike, seed=seed).kept for seed in range(60)]
    assert (np.sum(stay, axis=1) == 1).all()
    assert np.sum(stay, axis=0).min() > 5


def test_a_cycle_is_mixed_by_the_wins_of_the_others() -> None:
    # Each of three weighs as much as the other two win from each other: 3, 2, 1.
    assert equilibrium_mix(CYCLE) == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0], abs=1e-9)
    kept, chances = chosen(EquilibriumMix(most=0.75), judged(CYCLE))
    assert kept.tolist() == [True, True, True, False]
    assert chances == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0], abs=1e-9)


def test_those_of_least_weight_go_first() -> None:
    kept, chances = chosen(EquilibriumMix(most=0.5), judged(CYCLE))
    assert kept.tolist() == [True, True, False, False]
    assert chances == pytest.approx([3 / 5, 2 / 5, 0, 0], abs=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_the_mix_loses_to_nobody(seed: int, size: int) -> None:
    drawn = np.random.default_rng(seed).integers(-500, 501, (size, size)).astype(float)
    wins = drawn - drawn.T
    weights = equilibrium_mix(wins)
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    assert (weights @ wins).min() >= -1e-6 * np.abs(wins).max() - 1e-9


def test_what_is_not_antisymmetric_counts_by_half_and_gaps_as_nothing() -> None:
    one_sided = np.triu(2.0 * CYCLE)
    assert equilibrium_mix(one_sided) == pytest.approx(equilibrium_mix(CYCLE), abs=1e-9)
    gaps = np.where(CYCLE == 0, np.nan, CYCLE)
    assert equilibrium_mix(gaps) == pytest.approx(equilibrium_mix(CYCLE), abs=1e-9)


test_bad_input_is_answered = refused(
    (lambda: EquilibriumMix(most=1.0), "give a share above 0 and below 1"),
    (lambda: chosen(EquilibriumMix(), judged(np.zeros((0, 0)))), "judge by"),
)


def test_equilibrium_mix_with_dominated_strategy_lets_it_go_though_there_is_room() -> None:
    few = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0]], float)
    many = np.zeros((8, 8))
    many[:4, :4], many[:4, 4:], many[4:, :4] = few, 1.0, -1.0
    kept, chances = chosen(EquilibriumMix(most=0.9), judged(many))
    assert kept.tolist() == [True] * 3 + [False] * 5
    assert chances[:3] == pytest.approx(1 / 3)
