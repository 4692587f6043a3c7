"""Buckets of all hands: recorded numbers, errors, and the files that keep them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import UnknownNameError
from pokerlab.holdem import buckets
from pokerlab.holdem.buckets import Buckets, cluster_hands, find_bucket, make_buckets
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.hand_expectations import ExactExpectations
from tests.random_bucketed import random_buckets
from tests.refusals import refused

# Six buckets by exact win probabilities, clusters of seed 1, as first counted here; the laws in
# tests/properties/test_buckets.py and the counts by hand in test_card_counts.py vouch for them.
BOUNDS = [
    [0.40391802, 0.46855691, 0.52990570, 0.59250598, 0.70610144],
    [0.28788323, 0.40140839, 0.51669190, 0.64349134, 0.78423037],
    [0.24022288, 0.37735507, 0.51551932, 0.66124835, 0.81490448],
    [0.14217172, 0.30328283, 0.48005051, 0.65631313, 0.83106061],
]
START = [0.19306184, 0.20512821, 0.21266968, 0.21719457, 0.14479638, 0.02714932]
STEPS = [
    [0.528397, 0.101413, 0.055592, 0.225127, 0.051582, 0.037889],
    [0.735591, 0.133161, 0.041629, 0.068431, 0.018968, 0.002220],
    [0.650191, 0.184200, 0.048527, 0.063929, 0.033169, 0.019984],
]
NEXT_BELOW = [0.999394, 0.999495, 0.999312, 0.999508, 0.999778]


def assert_same(one: Buckets, two: Buckets) -> None:
    ones, twos = buckets.pack_buckets(one), buckets.pack_buckets(two)
    assert ones.keys() == twos.keys()
    assert all((ones[name] == twos[name]).all() for name in ones)


def test_six_buckets_are_those_recorded() -> None:
    buckets = make_buckets(6, seed=1)
    for street in range(4):
        assert buckets.bounds[street] == pytest.approx(BOUNDS[street], abs=1e-8)
    assert buckets.start == pytest.approx(START, abs=1e-8)
    for street in range(3):
        assert buckets.transitions[street][0] == pytest.approx(STEPS[street], abs=1e-6)
    assert np.diagonal(buckets.showdown) == pytest.approx([0.5] * 6)
    assert np.diagonal(buckets.showdown, -1) == pytest.approx(NEXT_BELOW, abs=1e-6)


@pytest.mark.slow
def test_kept_buckets_are_those_that_are_made_now() -> None:
    assert_same(make_buckets(6, seed=1), cluster_hands((6, 6, 6, 6), ExactExpectations(), 1))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that takes the place of the user's cache."""
    monkeypatch.setattr("pokerlab.core.cache.get_user_cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Return the counts of buckets that are made from now on; random ones take their place."""
    counts: list[tuple[int, ...]] = []

    def record(numbers: tuple[int, int, int, int], way: object, seed: int) -> Buckets:
        counts.append(numbers)
        return random_buckets(numbers, seed=seed)

    monkeypatch.setattr(buckets, "cluster_hands", record)
    return counts


def test_make_buckets_keeps_a_file_for_each_setting(
    folder: Path, made: list[tuple[int, ...]]
) -> None:
    ways: list[dict[str, Any]] = [
        {},
        {"seed": 2},
        {"expectations": "sampled"},
        {"expectations": "sampled", "samples": (5, 5, 5, 5)},
        {"expectations": "sampled", "seed": 2},
    ]
    for way in ways:
        first, again = (make_buckets(3, **{"seed": 1, **way}) for _ in range(2))
        assert_same(first, again)
    make_buckets((2, 3, 4, 5), seed=1)
    assert made == [(3,) * 4] * 5 + [(2, 3, 4, 5)]
    assert len(list(folder.iterdir())) == 6


def asked(**settings: Any) -> Callable[[], Any]:
    return lambda: make_buckets(**{"seed": 1, **settings})


test_what_is_wrong_is_said = refused(
    (asked(counts=0), "buckets on a street is 0; it must be an integer from 1 to 250"),
    (asked(counts=251), "buckets on a street is 251; it must be an integer from 1 to 250"),
    (asked(counts=(170, 6, 6, 6)), "169 different win probabilities before the"),
    (asked(expectations="exakt"), UnknownNameError, "Did you mean 'exact'"),
    (asked(seed=1.5), "seed is 1.5; it must be an integer"),
    (asked(expectations="sampled", samples=(1, 2, 3)), "samples are (1, 2, 3); give four"),
    (asked(expectations="sampled", samples=3), "samples are 3; give four positive numbers"),
    (asked(expectations="sampled", samples=(1, 2, 3, 0)), "samples is 0; it must be an integer"),
)


def test_real_cards_have_buckets_one_by_one_or_many_at_once() -> None:
    buckets = make_buckets(6, seed=1)
    holes = parse_cards("As Ad 7c 2d Ks Qs").reshape(3, 2)
    board = parse_cards("Kh 8d 4s 3s 2h")
    for size in (0, 3, 4, 5):
        together = find_bucket(buckets, holes, board[:size])
        assert together.tolist() == [find_bucket(buckets, hole, board[:size]) for hole in holes]
    assert find_bucket(buckets, holes, board[:0]).tolist() == [5, 0, 4]
