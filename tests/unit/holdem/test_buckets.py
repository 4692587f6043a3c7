"""What buckets refuse, and which bucket a win probability falls into."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from pokerlab.core import ProbabilityError, ShapeError
from pokerlab.holdem.buckets import Buckets
from tests.random_bucketed import random_buckets
from tests.refusals import refused

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
    assert buckets.assign_buckets(1, [0, 0.19, 0.2, 0.59, 0.6, 1]).tolist() == [0, 0, 1, 1, 2, 2]
    assert buckets.assign_buckets(3, [[0.1, 0.3], [0.5, 0.9]]).tolist() == [[0, 1], [2, 4]]
    assert buckets.assign_buckets(0, 0.5) == 1


def test_frequencies_follow_the_transitions() -> None:
    buckets = given()
    flop = sum(buckets.start[b] * buckets.transitions[0][b] for b in range(2))
    assert buckets.frequencies[1] == pytest.approx(flop)
    assert [chances.sum() for chances in buckets.frequencies] == pytest.approx([1] * 4)


def test_buckets_copy_their_arrays_read_only() -> None:
    start = np.array(random_buckets(COUNTS).start)
    buckets = given(start=start)
    start[0] = 7
    assert buckets.start[0] < 1
    with pytest.raises(ValueError, match="read-only"):
        buckets.transitions[0][0, 0] = 1


SOUND = random_buckets(COUNTS)


def made(**changes: Any) -> Callable[[], Any]:
    return lambda: given(**changes)


test_what_is_wrong_is_said = refused(
    (made(counts=(2, 3, 4)), "counts are (2, 3, 4); give one number"),
    (made(counts=(2, 3, 4, 0)), "buckets on a street is 0; it must be an integer from 1 to 250"),
    (made(counts=(2, 3, 4, 5.0)), "must be an integer"),
    (made(start=["half", 0.5]), ProbabilityError, "start is ['half', 0.5]; give probabilities"),
    (made(transitions=None), ShapeError, "transitions is None; it needs 3 arrays"),
    (made(start=[0.5, 0.4, 0.1]), ShapeError, "start has shape (3,); these counts need (2,)"),
    (made(start=[0.5, 0.4]), ProbabilityError, "start sums to 0.9, not 1"),
    (made(start=[0.5, np.nan]), ProbabilityError, "start contains nan"),
    (made(start=[1.5, -0.5]), ProbabilityError, "start contains 1.5"),
    (made(start=[0.0, 1.0]), ProbabilityError, "bucket 0 before the flop is empty"),
    (made(transitions=SOUND.transitions[:2]), ShapeError, "transitions holds 2 arrays"),
    (
        made(transitions=(SOUND.transitions[1], *SOUND.transitions[1:])),
        ShapeError,
        "transitions[0] has shape (3, 4); these counts need (2, 3)",
    ),
    (
        made(transitions=([[0.5, 0.5, 0], [0.1, 0.8, 0.2]], *SOUND.transitions[1:])),
        ProbabilityError,
        "row 1 of transitions[0] sums to 1.1, not 1",
    ),
    (
        made(transitions=([[0.5, 0.5, 0], [0.1, 0.9, 0]], *SOUND.transitions[1:])),
        ProbabilityError,
        "bucket 2 on the flop is empty",
    ),
    (
        made(showdown=changed(SOUND.showdown, (1, 3), 0.9)),
        ProbabilityError,
        "shares of buckets 1 and 3 at the showdown sum to",
    ),
    (
        made(showdown=changed(SOUND.showdown, (2, 2), 0.6)),
        ProbabilityError,
        "shares of buckets 2 and 2 at the showdown sum to 1.2",
    ),
    (made(highest=SOUND.lowest[:1] * 4), ShapeError, "highest[1] has shape"),
    (
        made(lowest=SOUND.highest, highest=SOUND.lowest),
        ProbabilityError,
        "buckets before the flop are out of order",
    ),
    (
        made(bounds=(*SOUND.bounds[:3], SOUND.bounds[3][::-1])),
        ProbabilityError,
        "buckets on the river are out of order",
    ),
    *((partial(SOUND.assign_buckets, street, 0.5), "street is") for street in (-1, 4, 1.0, True)),
    *(
        (
            partial(SOUND.assign_buckets, 1, [0.5, value]),
            ProbabilityError,
            "win_probability contains",
        )
        for value in (-0.1, 1.1, np.nan)
    ),
)
