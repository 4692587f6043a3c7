"""What buckets refuse, and which bucket a win probability falls into."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import PokerlabError, ProbabilityError, SettingError, ShapeError
from pokerlab.holdem.abstraction.buckets import Buckets
from tests.random_bucketed import random_buckets

COUNTS = (2, 3, 4, 5)


def given(**changes: Any) -> Buckets:
    return replace(random_buckets(COUNTS), **changes)


def changed(array: Any, place: Any, number: float) -> Any:
    copy = np.array(array)
    copy[place] = number
    return copy


def test_a_win_probability_falls_between_bounds_which_belong_to_the_bucket_above() -> None:
    bounds = ([0.5], [0.2, 0.6], [0.2, 0.4, 0.6], [0.2, 0.4, 0.6, 0.8])
    edges = [np.array([0.0, *inner, 1.0]) for inner in bounds]
    buckets = given(
        bounds=bounds, lowest=[e[:-1] for e in edges], highest=[e[1:] - 0.01 for e in edges]
    )
    assert buckets.bucket(1, [0, 0.19, 0.2, 0.59, 0.6, 1]).tolist() == [0, 0, 1, 1, 2, 2]
    assert buckets.bucket(3, [[0.1, 0.3], [0.5, 0.9]]).tolist() == [[0, 1], [2, 4]]
    assert buckets.bucket(0, 0.5) == 1


def test_frequencies_follow_the_transitions() -> None:
    buckets = given()
    flop = sum(buckets.start[b] * buckets.transitions[0][b] for b in range(2))
    assert buckets.frequencies[1] == pytest.approx(flop)
    assert [chances.sum() for chances in buckets.frequencies] == pytest.approx([1] * 4)


def test_nothing_can_be_changed_from_outside() -> None:
    start = np.array(random_buckets(COUNTS).start)
    buckets = given(start=start)
    start[0] = 7
    assert buckets.start[0] < 1
    with pytest.raises(ValueError, match="read-only"):
        buckets.transitions[0][0, 0] = 1


SOUND = random_buckets(COUNTS)


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"counts": (2, 3, 4)}, SettingError, r"counts are \(2, 3, 4\); give one number"),
        (
            {"counts": (2, 3, 4, 0)},
            SettingError,
            "buckets on a street is 0; it must be an integer from 1 to 250",
        ),
        ({"counts": (2, 3, 4, 5.0)}, SettingError, "must be an integer"),
        ({"start": ["half", 0.5]}, ProbabilityError, "start is .'half', 0.5.; give probabilities"),
        ({"transitions": None}, ShapeError, "transitions is None; it needs 3 arrays"),
        ({"start": [0.5, 0.4, 0.1]}, ShapeError, r"start has shape \(3,\); .* need \(2,\)"),
        ({"start": [0.5, 0.4]}, ProbabilityError, "start sums to 0.9, not 1"),
        ({"start": [0.5, np.nan]}, ProbabilityError, "start contains nan"),
        ({"start": [1.5, -0.5]}, ProbabilityError, "start contains 1.5"),
        ({"start": [0.0, 1.0]}, ProbabilityError, "bucket 0 before the flop is empty"),
        ({"transitions": SOUND.transitions[:2]}, ShapeError, "transitions holds 2 arrays"),
        (
            {"transitions": (SOUND.transitions[1], *SOUND.transitions[1:])},
            ShapeError,
            r"transitions\[0\] has shape \(3, 4\); these counts need \(2, 3\)",
        ),
        (
            {"transitions": ([[0.5, 0.5, 0], [0.1, 0.8, 0.2]], *SOUND.transitions[1:])},
            ProbabilityError,
            r"row 1 of transitions\[0\] sums to 1.1, not 1",
        ),
        (
            {"transitions": ([[0.5, 0.5, 0], [0.1, 0.9, 0]], *SOUND.transitions[1:])},
            ProbabilityError,
            "bucket 2 on the flop is empty",
        ),
        (
            {"showdown": changed(SOUND.showdown, (1, 3), 0.9)},
            ProbabilityError,
            "shares of buckets 1 and 3 at the showdown sum to",
        ),
        (
            {"showdown": changed(SOUND.showdown, (2, 2), 0.6)},
            ProbabilityError,
            "shares of buckets 2 and 2 at the showdown sum to 1.2",
        ),
        (
            {"lowest": (SOUND.highest[0], *SOUND.lowest[1:]), "highest": SOUND.lowest[:1] * 4},
            ShapeError,
            r"highest\[1\] has shape",
        ),
        (
            {"lowest": SOUND.highest, "highest": SOUND.lowest},
            ProbabilityError,
            "buckets before the flop are out of order",
        ),
        (
            {"bounds": (*SOUND.bounds[:3], SOUND.bounds[3][::-1])},
            ProbabilityError,
            "buckets on the river are out of order",
        ),
    ],
)
def test_what_is_wrong_is_said(
    changes: dict[str, Any], error: type[PokerlabError], text: str
) -> None:
    with pytest.raises(error, match=text):
        given(**changes)


@pytest.mark.parametrize("street", [-1, 4, 1.0, True])
def test_there_are_four_streets(street: Any) -> None:
    with pytest.raises(SettingError, match="street is"):
        given().bucket(street, 0.5)


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan])
def test_a_win_probability_is_a_probability(value: float) -> None:
    with pytest.raises(ProbabilityError, match="win_probability contains"):
        given().bucket(1, [0.5, value])
