"""Buckets of real cards inside a kernel, against those looked up many at once."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.core.compiler import kernel
from pokerlab.holdem.buckets import (
    Buckets,
    BucketTables,
    find_bucket,
    look_up_bucket,
    make_bucket_tables,
    make_buckets,
)
from pokerlab.holdem.cards import Cards, deal_hands, parse_cards
from tests.random_bucketed import random_buckets

NUM_DEALS = 2000


@kernel
def fill_buckets(tables: BucketTables, holes: Cards, boards: Cards, out: np.ndarray) -> None:
    for row in range(len(holes)):
        out[row] = look_up_bucket(tables, holes[row], boards[row])


@pytest.mark.parametrize("size", [0, 3, 4, 5])
@pytest.mark.parametrize(
    "make", [partial(make_buckets, 6, seed=1), partial(random_buckets, (1, 9, 4, 2))]
)
def test_look_up_bucket_equals_find_bucket(make: Callable[[], Buckets], size: int) -> None:
    buckets = make()
    cards = deal_hands(1, NUM_DEALS, 2)
    # In half of the deals all board cards have one of two suits, so that flushes are met.
    cards[::2, 4:] = random_stream(1, "boards").permuted(
        np.tile(np.arange(0, 52, 4, dtype=np.uint8), (NUM_DEALS // 2, 1)), axis=1
    )[:, :5]
    cards = cards[[len(set(deal)) == len(deal) for deal in cards[:, [0, 1, *range(4, 9)]].tolist()]]
    holes, boards = cards[:, :2], cards[:, 4 : 4 + size]
    found = np.empty(len(cards), np.int64)
    fill_buckets(make_bucket_tables(buckets), holes, boards, found)
    assert (found == find_bucket(buckets, holes, boards)).all()
    assert len(cards) > NUM_DEALS / 2


def test_a_bound_belongs_to_the_bucket_above() -> None:
    some, ends = random_buckets((1, 1, 1, 3)), (np.zeros(1), np.ones(1))
    half = replace(
        some,
        bounds=(*some.bounds[:3], np.array([0.4, 0.5])),
        lowest=(*ends[:1] * 3, np.array([0.0, 0.4, 0.5])),
        highest=(*ends[1:] * 3, np.array([0.3, 0.4, 1.0])),
    )
    hole, royal = parse_cards("2c 2d"), parse_cards("As Ks Qs Js Ts")
    assert find_bucket(half, hole, royal) == 2
    assert look_up_bucket(make_bucket_tables(half), hole, royal) == 2
