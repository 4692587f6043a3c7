"""Histories of buckets of two hands: counted pair by pair on a board, and against exact counts."""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tqdm import tqdm

from pokerlab.core import SettingError
from pokerlab.holdem.buckets.abstraction import labels_of
from pokerlab.holdem.buckets.buckets import Buckets
from pokerlab.holdem.buckets.card_counts import Labels, add_showdowns
from pokerlab.holdem.buckets.expectations import ExactExpectations, rivers
from pokerlab.holdem.buckets.joint_buckets import (
    MET,
    WON,
    JointBuckets,
    all_boards,
    joint_buckets,
    pairs_on,
    random_boards,
    shares,
)
from pokerlab.holdem.buckets.made_buckets import bucket_of, make_buckets
from pokerlab.holdem.cards.deck import BOARD_SIZES, HOLDINGS, RIVER, Cards, parse_cards
from pokerlab.holdem.equity.river import river_workspace
from pokerlab.holdem.strength.evaluation import strength
from tests.random_buckets import random_buckets

SEED = 1
BATCHES, BOARDS_EACH = 10, 60
STANDARD_ERRORS = 6.0
"""By ten batches the error itself is known to a quarter."""


@cache
def six() -> Buckets:
    return make_buckets(6)


@cache
def tables() -> list[Labels]:
    return [
        labels_of(bounds, ExactExpectations(), street) for street, bounds in enumerate(six().bounds)
    ]


def counted(boards: Cards, times: list[int]) -> np.ndarray:
    with tqdm(disable=True) as bar:
        return pairs_on([(boards, np.array(times))], tables(), six().counts, bar)


@cache
def batches() -> np.ndarray:
    """Return the pairs met on batches of random boards by buckets, (n, 1296, 1296)."""
    boards = np.concatenate([some for some, _ in random_boards(BATCHES * BOARDS_EACH, SEED)])
    ones = [1] * BOARDS_EACH
    return np.stack([counted(some, ones)[..., MET] for some in np.array_split(boards, BATCHES)])


@pytest.mark.parametrize("text", ["Qs 9s 4s 4d 2h", "Ts 9h 8d 7c 6s", "Kd 7h 2c Ks 2d"])
def test_pairs_are_those_of_all_hands_on_a_board(text: str) -> None:
    board = parse_cards(text)
    holes = HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)]
    reached = [bucket_of(six(), holes, board[:size]) for size in BOARD_SIZES]
    histories = np.ravel_multi_index(reached, six().counts)
    strengths = strength(np.concatenate([holes, np.tile(board, (len(holes), 1))], axis=1))
    own, theirs = np.nonzero(~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3)))
    expected = np.zeros((1296, 1296, 2), np.int64)
    pair = histories[own], histories[theirs]
    np.add.at(expected, (*pair, MET), 1)
    np.add.at(expected, (*pair, WON), strengths[own] > strengths[theirs])
    assert (counted(board[None], [3]) == 3 * expected).all()


def test_boards_add_up() -> None:
    boards = parse_cards("Qs 9s 4s 4d 2h Ts 9h 8d 7c 6s").reshape(2, 5)
    one, two = (counted(board[None], [1]) for board in boards)
    assert (counted(boards, [1, 2]) == one + 2 * two).all()


def test_random_boards_are_different_and_do_not_hang_on_how_many_there_are() -> None:
    boards = np.concatenate([some for some, _ in random_boards(1200, SEED)])
    assert len({tuple(board) for board in boards.tolist()}) > 1190
    few = np.concatenate([some for some, _ in random_boards(700, SEED)])
    assert (few == boards[:700]).all()
    assert all(len(set(board)) == 5 for board in boards.tolist())


def test_random_boards_have_the_exact_meetings_of_buckets_on_the_river() -> None:
    won, met = np.zeros((2, 6, 6), np.int64)
    add_showdowns(rivers().board, tables()[RIVER], rivers().times, river_workspace(), won, met)
    by_river = batches().reshape(BATCHES, 216, 6, 216, 6).sum(axis=(1, 3))
    found = by_river / by_river.sum(axis=(1, 2), keepdims=True)
    error = found.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    assert (np.abs(found.mean(axis=0) - met / met.sum()) < STANDARD_ERRORS * error).all()


@pytest.mark.parametrize("street", [0, 1, 2])
def test_own_histories_move_as_exactly_counted(street: int) -> None:
    own = batches().sum(axis=2).reshape(BATCHES, *six().counts)
    steps = own.sum(axis=tuple(1 + s for s in range(4) if s not in (street, street + 1)))
    found = steps / steps.sum(axis=(1, 2), keepdims=True)
    expected = six().frequencies[street][:, None] * six().transitions[street]
    error = np.maximum(found.std(axis=0, ddof=1) / np.sqrt(BATCHES), 1e-5)
    assert (np.abs(found.mean(axis=0) - expected) < STANDARD_ERRORS * error).all()


def test_what_independent_chains_leave_out_is_there() -> None:
    met = batches().sum(axis=0)
    river = met.reshape(216, 6, 216, 6).sum(axis=(0, 2)) / met.sum()
    alone = river.sum(axis=1)
    # On one board only few hands are of one strength, but the second best are better than most.
    assert np.abs(river - np.outer(alone, alone)).max() > 0.002


def made(boards: int) -> JointBuckets:
    some, times = next(random_boards(boards, SEED))
    pairs = counted(some, times.tolist())
    return JointBuckets(six(), pairs[..., MET] / pairs[..., MET].sum(), shares(pairs), "")


def test_chances_are_symmetric_and_lead_on_from_street_to_street() -> None:
    joint = made(20)
    assert joint.num_histories == (6, 36, 216, 1296)
    for street, chances in enumerate(joint.chances):
        size = joint.num_histories[street]
        assert chances.shape == (size, size)
        assert chances.sum() == pytest.approx(1)
        assert np.abs(chances - chances.T).max() < 1e-15
        histories = joint.histories(street)
        assert len({tuple(history) for history in histories.tolist()}) == size
        assert (np.ravel_multi_index(histories.T, (6,) * (street + 1)) == np.arange(size)).all()
    before, after = joint.chances[1], joint.chances[2]
    first = np.flatnonzero((joint.histories(2)[:, :2] == joint.histories(1)[7]).all(axis=1))
    assert after[first].sum() == pytest.approx(before[7].sum())
    assert np.abs(joint.showdown + joint.showdown.T - 1).max() < 1e-15


def test_all_boards_are_dealt() -> None:
    total = distinct = 0
    for boards, times in all_boards():
        total += int(times.sum())
        distinct += len(boards)
    assert total == 22_100 * 49 * 48
    assert distinct == 2_554_656


def test_joint_buckets_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def record(buckets: Buckets, boards: int | None, seed: int) -> np.ndarray:
        calls.append((boards, seed))
        size = int(np.prod(buckets.counts))
        met = np.full((size, size), 2 * seed)
        return np.stack([met // 2, met], axis=-1)

    # The package's name for it is that of the function.
    module = sys.modules[joint_buckets.__module__]
    monkeypatch.setattr("pokerlab.core.cache.user_cache", lambda: tmp_path)
    monkeypatch.setattr(module, "count_pairs", record)
    small = random_buckets(2)
    ways: list[dict[str, Any]] = [{}, {"boards": 5}, {"boards": 5, "seed": 2}, {"boards": None}]
    for way in ways * 2:
        joint = joint_buckets(small, **way)
        assert joint.met.sum() == pytest.approx(1)
    assert calls == [(20_000, 1), (5, 1), (5, 2), (None, 1)]
    assert repr(joint) == "<JointBuckets 2, 2, 2, 2, all boards>"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"buckets": 9}, r"6,561 histories, and pairs of them would not fit; use at most 4,096"),
        ({"boards": 0}, "boards is 0; it must be an integer from 1"),
        ({"boards": 1.5}, "boards is 1.5; it must be an integer"),
        ({"seed": "x"}, "seed is 'x'; it must be an integer"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(SettingError, match=text):
        joint_buckets(**arguments)
