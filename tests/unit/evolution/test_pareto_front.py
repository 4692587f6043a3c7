"""The Pareto front of a population: dominance, how near to it, and who goes when too many are left."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import PokerlabError
from pokerlab.evolution.population import ParetoFront, ParetoParents, Profit, WinsAndLosses
from pokerlab.evolution.population.selection import count_better_results, count_strategies_in_share
from tests.oracles import pareto_front
from tests.refusals import refused
from tests.unit.evolution.populations import matrix_fitness, results_of_three, select, value_fitness

NAN = float("nan")
OF_ONE = np.zeros(3, np.int64)
"""All three players are of one population."""


def drawn(luck: np.random.Generator) -> np.ndarray:
    """Return a matrix of so few values that ties and dominance are common, a tenth of them gaps."""
    matrix = luck.integers(-2, 3, (luck.integers(2, 8),) * 2).astype(float)
    return np.where(luck.random(matrix.shape) < 0.1, NAN, matrix)


@pytest.mark.parametrize("third_parties", [False, True])
@pytest.mark.parametrize("recount", [False, True])
def test_pareto_front_matches_the_definition(third_parties: bool, recount: bool) -> None:
    how: Any = {"third_parties": third_parties, "recount": recount}
    for seed in range(200):
        luck = np.random.default_rng(seed)
        matrix = drawn(luck)
        first, most = luck.integers(len(matrix) - 1), luck.uniform(0.05, 0.95)
        members, size = range(first, len(matrix)), len(matrix) - first
        kept, chances = select(
            ParetoFront(largest_share=most, **how),
            matrix_fitness(matrix),
            slice(first, len(matrix)),
            seed=3,
        )
        numbers = np.append(np.zeros(first), np.random.default_rng(3).random(size)).tolist()
        expected = pareto_front.pareto_front(
            matrix.tolist(), members, numbers, most=count_strategies_in_share(most, size), **how
        )
        assert (np.flatnonzero(kept) + first).tolist() == expected
        assert chances == pytest.approx(kept / len(expected))


@pytest.mark.parametrize("recount", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_pareto_parents_are_those_that_the_front_keeps(seed: int, recount: bool) -> None:
    """With many ties, which both break by the same lots."""
    fitness = matrix_fitness(drawn(np.random.default_rng(seed)))
    kept, chances = select(ParetoFront(largest_share=0.4, recount=recount), fitness, seed=seed)
    bred = select(ParetoParents(largest_share=0.4, recount=recount), fitness, seed=seed)
    assert bred.parent_probabilities.tolist() == chances.tolist() == (kept / kept.sum()).tolist()
    assert not bred.survives.any()


@pytest.mark.parametrize("third_parties", [False, True])
@pytest.mark.parametrize(
    "entries",
    [
        [-1, 0, 1],
        [-32768, 32767, 0],  # the smallest and the largest 16-bit integer
        [32768, -32768, 65536, 0],  # too large
        [0.5, 0.25, 0.0, -0.0],
        [NAN, 1, 2, 0],
        [float("inf"), -float("inf"), 0, 1],
        [1e300, 2**60, 2**60 + 256, 0],
    ],
    ids=str,
)
def test_count_better_counts_opponents_of_any_matrix(
    entries: list[float], third_parties: bool
) -> None:
    matrix = np.random.default_rng(1).choice(entries, (9, 9))
    counts = count_better_results(matrix, slice(2, 8), third_parties=third_parties)
    assert counts.tolist() == [
        [
            pareto_front.better_against(matrix.tolist(), a, b, third_parties=third_parties)
            for b in range(2, 8)
        ]
        for a in range(2, 8)
    ]


def test_wins_and_losses_reads_each_matrix() -> None:
    """Player 0 met 1 in 4 hands and 2 never; player 2 met nobody."""
    won_from, together = np.array([[0, 6, 0], [-6, 0, 0], [0, 0, 0]]), np.diag([5, -7, 0])
    together[0, 1], together[1, 0] = 8, -8
    shared = np.array([[10, 4, 0], [4, 10, 0], [0, 0, 0]])
    results = results_of_three(won_from=won_from, won_in_shared_games=together, shared_hands=shared)
    readings: list[tuple[dict[str, Any], list[list[float]]]] = [
        ({}, [[0, 6, 0], [-6, 0, 0], [0, 0, 0]]),
        ({"counted": "in games together"}, [[0, 8, 0], [-8, 0, 0], [0, 0, 0]]),
        ({"per": "a hand"}, [[0, 1.5, 0], [-1.5, 0, 0], [0, 0, 0]]),
        ({"unmet": "does not count"}, [[0, 6, NAN], [-6, 0, NAN], [NAN, NAN, 0]]),
        (
            {"counted": "in games together", "per": "a hand", "unmet": "does not count"},
            [[0, 2, NAN], [-2, 0, NAN], [NAN, NAN, 0]],
        ),
    ]
    for reading, expected in readings:
        given = WinsAndLosses(**reading)(results, OF_ONE)
        np.testing.assert_array_equal(given.matrix, expected)
        assert given.values.tolist() == [6.0, -6.0, 0.0]
    assert Profit()(results, OF_ONE).values.tolist() == [6.0, -6.0, 0.0]
    assert Profit(per="a hand")(results, OF_ONE).values == pytest.approx([0.6, -0.6, 0.0])
    assert (results.won_from == won_from).all()


@pytest.mark.parametrize(
    ("share", "size", "many"),
    [(0.5, 100, 50), (0.5, 5, 2), (0.29, 100, 29), (0.57, 100, 57), (0.01, 5, 1), (0.99, 5, 4)],
)
def test_count_places_rounds_down_to_at_least_one(share: float, size: int, many: int) -> None:
    assert count_strategies_in_share(share, size) == many


UNCOUNTED = results_of_three(won_from=np.zeros((0, 0), np.int64))
test_bad_input_is_answered = refused(
    (
        lambda: ParetoFront(largest_share=0.0),
        "largest_share is 0.0. Pass a share above 0 and below",
    ),
    (lambda: ParetoFront(largest_share=1), "largest_share is 1. Pass a share above 0 and below 1"),
    (
        lambda: ParetoFront(largest_share=NAN),
        "largest_share is nan; it must be a number from 0 to 1",
    ),
    (lambda: ParetoFront(largest_share="half"), "largest_share is 'half'; it must be a number"),
    (lambda: ParetoFront(third_parties=1), "third_parties is 1; it must be True or"),
    (lambda: ParetoFront(recount=None), "recount is None; it must be True or False"),
    (lambda: WinsAndLosses(counted="chips"), PokerlabError, "there are: pot by pot, in games"),
    (lambda: WinsAndLosses(per="game"), PokerlabError, "there are: in all, a hand"),
    (lambda: WinsAndLosses(unmet="NaN"), PokerlabError, "there are: zero, does not count"),
    (lambda: Profit(per="game"), PokerlabError, "there are: in all, a hand"),
    (lambda: select(ParetoFront(), value_fitness([0, 0])), "this fitness does not have"),
    (
        lambda: WinsAndLosses()(UNCOUNTED, OF_ONE),
        "Pass pairings=RingGames(pots=True), or fitness=Wins",
    ),
)
