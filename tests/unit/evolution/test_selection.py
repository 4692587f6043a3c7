"""Who stays and who breeds: roulette, elites, truncation, crowding and NSGA-II."""

import sys
from itertools import permutations

import numpy as np
import pytest

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.evolution.population import (
    DeterministicCrowding,
    Elites,
    NonDominatedRanks,
    Roulette,
    Truncation,
)
from tests.oracles.pareto_front import dominates
from tests.refusals import refused
from tests.unit.evolution.populations import matrix_fitness, select, value_fitness

EXACT = 1e-12


def test_roulette_chances_are_shifted_fitness() -> None:
    kept, chances = select(Roulette(), value_fitness([-30, 10, -10, 0]))
    assert not kept.any()
    assert chances == pytest.approx(np.array([0, 40, 20, 30]) / 90, abs=EXACT)


@pytest.mark.parametrize("score", [[0, 0, 0, 0], [-7, -7, -7, -7]])
def test_roulette_with_equal_fitness_is_uniform(score: list[float]) -> None:
    assert select(Roulette(), value_fitness(score)).parent_probabilities.tolist() == [0.25] * 4


def test_roulette_reads_its_own_population() -> None:
    chances = select(
        Roulette(), value_fitness([500, 3, 1, 2, -500]), slice(1, 4)
    ).parent_probabilities
    assert chances == pytest.approx([2 / 3, 0, 1 / 3], abs=EXACT)


def test_elites_survive_with_equal_chances() -> None:
    kept, chances = select(Elites(), value_fitness([3, 9, -2, 5, 0]))
    assert kept.tolist() == [False, True, False, True, False]
    assert chances.tolist() == [0, 0.5, 0, 0.5, 0]


@pytest.mark.parametrize("drawn", ["best", "roulette"])
def test_elites_with_equal_fitness_are_drawn(drawn: str) -> None:
    """With roulette the chances of all but one are zero, and yet a second is to be kept."""
    elites, score = Elites(drawn=drawn), value_fitness([0, 0, 0, 5])
    kept = np.array([select(elites, score, seed=seed).survives for seed in range(60)])
    assert (kept.sum(axis=1) == 2).all()
    assert kept[:, 3].all()
    assert (kept[:, :3].sum(axis=0) > 5).all()


def test_elites_by_roulette_follow_fitness_without_replacement() -> None:
    """The chance that two draws leave i out: sum over first draws of p_j (1 - p_i / (1 - p_j))."""
    draws, elites, score = 1500, Elites(drawn="roulette"), value_fitness([-1, 0, 1, 4])
    kept = np.array([select(elites, score, seed=seed).survives for seed in range(draws)]).mean(
        axis=0
    )
    p = np.array([0, 1, 2, 5]) / 8
    expected = [p[i] + sum(p[j] * p[i] / (1 - p[j]) for j in range(4) if j != i) for i in range(4)]
    assert kept[0] == 0.0
    assert kept == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(draws))


def test_truncation_keeps_no_one_and_fittest_breed() -> None:
    kept, chances = select(Truncation(share=0.4), value_fitness([3, 9, -2, 5, 0]))
    assert not kept.any()
    assert chances.tolist() == [0, 0.5, 0, 0.5, 0]


@pytest.mark.parametrize("seed", range(30))
def test_truncation_parents_are_those_that_elites_keep(seed: int) -> None:
    """With many ties, which both break by the same lots."""
    score = value_fitness(np.random.default_rng(seed).integers(0, 4, 3 + seed))
    kept, chances = select(Elites(share=0.3), score, seed=seed)
    bred = select(Truncation(share=0.3), score, seed=seed)
    assert bred.parent_probabilities.tolist() == chances.tolist() == (kept / kept.sum()).tolist()
    assert not bred.survives.any()


def test_crowding_child_replaces_the_nearest_elder() -> None:
    """Elders at 0, 10 and 20; children near 10, 20 and 0, of which the first two are better."""
    genomes = np.array([[0], [10], [20], [11], [19], [2]])
    score = value_fitness([5, 5, 5, 6, 6, 5])
    kept, chances = select(DeterministicCrowding(), score, genomes=genomes, ages=[1, 3, 1, 0, 0, 0])
    assert kept.tolist() == [True, False, False, True, True, False]
    assert chances == pytest.approx(kept / 3)


def test_crowding_scales_genes_by_their_deviation() -> None:
    """By the second gene, whose numbers are large, each child would be paired with the other elder."""
    genomes = np.array([[0, 0], [1, 1000], [0, 900], [1, 100]])
    score = value_fitness([5, 7, 6, 6])
    by_raw = np.abs(genomes[2:, None] - genomes[None, :2]).sum(axis=2).argmin(axis=1)
    assert by_raw.tolist() == [1, 0]
    wide = np.hstack([genomes[:, :1]] * 2 + [genomes])
    kept, _ = select(DeterministicCrowding(), score, genomes=wide, ages=[1, 1, 0, 0])
    assert kept.tolist() == [False, True, True, False]


@pytest.mark.parametrize("seed", range(30))
def test_crowding_pairs_by_the_smallest_sum_of_distances(seed: int) -> None:
    """As a search through all ways to pair them finds."""
    genomes = np.random.default_rng(seed).exponential(size=(8, 6))
    score = np.random.default_rng(seed).permutation(8)
    apart = np.abs((genomes[:4, None] - genomes[None, 4:]) / genomes.std(axis=0)).sum(axis=2)
    best = min(permutations(range(4)), key=lambda elders: apart[range(4), elders].sum())
    expected = np.ones(8, bool)
    for child, elder in enumerate(best):
        expected[child if score[child] < score[4 + elder] else 4 + elder] = False
    ages = [0] * 4 + [1] * 4
    kept, _ = select(DeterministicCrowding(), value_fitness(score), genomes=genomes, ages=ages)
    assert kept.tolist() == expected.tolist()


@pytest.mark.parametrize("size", [2, 5, 8])
def test_crowding_in_first_generation_draws_pairs(size: int) -> None:
    """Nobody is an elder yet, and all genomes are equal."""
    answers = [
        select(DeterministicCrowding(), value_fitness(range(size)), seed=s) for s in range(20)
    ]
    assert all(kept.sum() == size - size // 2 for kept, _ in answers)
    assert all(kept[-1] for kept, _ in answers)
    assert len({kept.tobytes() for kept, _ in answers}) > (1 if size > 2 else 0)


def fronts(matrix: np.ndarray) -> np.ndarray:
    """Return for each row how many fronts are before its own, one front after another."""
    behind, left = np.zeros(len(matrix), int), set(range(len(matrix)))
    while left:
        front = {b for b in left if not any(dominates(matrix, a, b) for a in left)}
        left -= front
        behind[list(left)] += 1
    return behind


def with_fronts(seed: int) -> np.ndarray:
    """Return a matrix of 12 players of whom only three columns say anything."""
    rng = np.random.default_rng(seed)
    matrix = np.zeros((12, 12))
    matrix[:, :3] = rng.integers(-3, 4, (12, 3))
    return matrix


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_nsga2_keeps_earlier_fronts_first(share: float) -> None:
    split = 0
    for seed in range(25):
        matrix = with_fronts(seed)
        kept, chances = select(NonDominatedRanks(share=share), matrix_fitness(matrix), seed=seed)
        behind = fronts(matrix)
        assert kept.sum() == int(share * 12)
        assert behind[kept].max() <= behind[~kept].min()
        assert chances == pytest.approx(kept / kept.sum())
        split += behind[kept].max() == behind[~kept].min()
    assert split > 5


def test_nsga2_within_a_front_drops_the_crowded() -> None:
    """One front along a line: its ends stay, and of the others those with room around them."""
    place = np.array([0, 1, 2, 3, 4, 50, 99, 100.0])
    matrix = np.zeros((8, 8))
    matrix[:, 0], matrix[:, 1] = place, -place
    kept, _ = select(NonDominatedRanks(share=0.5), matrix_fitness(matrix))
    assert np.flatnonzero(kept).tolist() == [0, 5, 6, 7]


def test_nsga2_depends_on_the_seed_alone() -> None:
    equal, ranks = matrix_fitness(np.zeros((10, 10))), NonDominatedRanks()
    kept = [
        [select(ranks, equal, seed=seed).survives.tolist() for seed in range(8)] for _ in range(2)
    ]
    assert kept[0] == kept[1]
    assert len({str(one) for one in kept[0]}) > 4


test_bad_input_is_answered = refused(
    (lambda: Elites(share=1.0), "share is 1.0. Pass a share above 0 and below 1"),
    (lambda: Elites(share=-0.1), "share is -0.1; it must be a number from 0 to 1"),
    (lambda: Truncation(share=0.0), "share is 0.0. Pass a share above 0 and below 1"),
    (lambda: Elites(drawn="worst"), UnknownNameError, "there are: best, roulette"),
    (lambda: NonDominatedRanks(share=0), "share is 0. Pass a share above 0"),
    (lambda: select(NonDominatedRanks(), value_fitness([1, 2])), "this fitness does not"),
)


def test_nsga2_without_pymoo_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymoo.core.population", None)
    with pytest.raises(SettingError, match=r"needs pymoo\. Install it: pip install 'pokerlab"):
        NonDominatedRanks()
