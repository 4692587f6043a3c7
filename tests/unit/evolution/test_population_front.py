"""The Pareto front of a population: dominance, how near to it, and who goes when too many are left."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pokerlab.core import PokerlabError
from pokerlab.evolution.population import ParetoFront, Profit, WinsAndLosses
from pokerlab.evolution.population.selection import dominates, nearness, places, times_better
from tests.oracles import pareto_front
from tests.refusals import refused
from tests.unit.evolution.populations import chosen, judged, met, scored

NAN = float("nan")
OF_ONE = np.zeros(3, np.int64)
"""All three players are of one population."""
FEW = st.integers(-2, 2).map(float)
"""So few values that ties and dominance are common."""
WITH_GAPS = st.integers(2, 7).flatmap(
    lambda n: arrays(np.float64, (n, n), elements=st.one_of(FEW, st.just(NAN)))
)


def everybody(matrix: np.ndarray) -> slice:
    return slice(0, len(matrix))


@given(WITH_GAPS, st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_counts_are_those_of_the_definition(
    matrix: np.ndarray, third_parties: bool, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(matrix) - 2))
    members = slice(first, data.draw(st.integers(first + 2, len(matrix))))
    rows = range(*members.indices(len(matrix)))
    better = times_better(matrix, members, third_parties=third_parties)
    table, by = matrix.tolist(), {"third_parties": third_parties}
    assert better.tolist() == [
        [pareto_front.better_against(table, a, b, **by) for b in rows] for a in rows
    ]
    assert dominates(better).tolist() == [
        [pareto_front.dominates(table, a, b, **by) for b in rows] for a in rows
    ]
    assert nearness(better).tolist() == [pareto_front.nearness(table, a, rows, **by) for a in rows]


@given(WITH_GAPS, st.booleans(), st.booleans(), st.floats(0.05, 0.95), st.data())
@settings(max_examples=80, deadline=None)
def test_the_front_is_that_of_the_definition(
    matrix: np.ndarray, third_parties: bool, recount: bool, most: float, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(matrix) - 2))
    members = slice(first, len(matrix))
    size = len(matrix) - first
    selection = ParetoFront(most=most, third_parties=third_parties, recount=recount)
    kept, chances = chosen(selection, judged(matrix), members, seed=3)
    luck = np.concatenate([np.zeros(first), np.random.default_rng(3).random(size)])
    expected = pareto_front.pareto_front(
        matrix.tolist(),
        range(first, len(matrix)),
        luck.tolist(),
        most=places(most, size),
        third_parties=third_parties,
        recount=recount,
    )
    assert (np.flatnonzero(kept) + first).tolist() == expected
    assert chances == pytest.approx(kept / len(expected))


def test_recounting_spares_one_of_two_twins() -> None:
    """The first two are equal, and so next to being dominated by each other."""
    matrix = np.array([[9, 9, 0, 0], [9, 9, 0, 0], [0, 0, 9, 5], [0, 0, 5, 9.0]])
    assert nearness(times_better(matrix, slice(0, 4))).tolist() == [0, 0, 1, 1]
    spared = set()
    for seed in range(20):
        half = chosen(ParetoFront(), judged(matrix), seed=seed).kept
        assert half.tolist() == [False, False, True, True]
        kept, _ = chosen(ParetoFront(most=0.75, recount=True), judged(matrix), seed=seed)
        assert kept[:2].sum() == 1
        assert kept[2:].all()
        spared.add(int(np.argmax(kept)))
    assert spared == {0, 1}


def test_each_reading_of_the_matrix() -> None:
    """Player 0 met 1 in 4 hands and 2 never; player 2 met nobody."""
    won_from, together = np.array([[0, 6, 0], [-6, 0, 0], [0, 0, 0]]), np.diag([5, -7, 0])
    together[0, 1], together[1, 0] = 8, -8
    shared = np.array([[10, 4, 0], [4, 10, 0], [0, 0, 0]])
    results = met(won_from=won_from, together=together, shared_hands=shared)
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
        given = WinsAndLosses(**reading).judge(results, OF_ONE)
        np.testing.assert_array_equal(given.matrix, expected)
        assert given.score.tolist() == [6.0, -6.0, 0.0]
    assert Profit().judge(results, OF_ONE).score.tolist() == [6.0, -6.0, 0.0]
    assert Profit(per="a hand").judge(results, OF_ONE).score == pytest.approx([0.6, -0.6, 0.0])
    assert (results.won_from == won_from).all()


@pytest.mark.parametrize(
    ("share", "size", "many"),
    [(0.5, 100, 50), (0.5, 5, 2), (0.29, 100, 29), (0.57, 100, 57), (0.01, 5, 1), (0.99, 5, 4)],
)
def test_a_share_is_rounded_down_but_to_somebody(share: float, size: int, many: int) -> None:
    assert places(share, size) == many


UNCOUNTED = met(won_from=np.zeros((0, 0), np.int64))
test_bad_input_is_answered = refused(
    (lambda: ParetoFront(most=0.0), "most is 0.0; give a share above 0 and below"),
    (lambda: ParetoFront(most=1), "most is 1; give a share above 0 and below 1"),
    (lambda: ParetoFront(most=NAN), "most is nan; it must be a number from 0 to 1"),
    (lambda: ParetoFront(most="half"), "most is 'half'; it must be a number"),
    (lambda: ParetoFront(third_parties=1), "third_parties is 1; it must be True or"),
    (lambda: ParetoFront(recount=None), "recount is None; it must be True or False"),
    (lambda: WinsAndLosses(counted="chips"), PokerlabError, "there are: pot by pot, in games"),
    (lambda: WinsAndLosses(per="game"), PokerlabError, "there are: in all, a hand"),
    (lambda: WinsAndLosses(unmet="NaN"), PokerlabError, "there are: zero, does not count"),
    (lambda: Profit(per="game"), PokerlabError, "there are: in all, a hand"),
    (lambda: chosen(ParetoFront(), scored([0, 0])), "this worth does not give; judge by"),
    (
        lambda: WinsAndLosses().judge(UNCOUNTED, OF_ONE),
        "play RingGames(pots=True), or judge by Wins",
    ),
)
