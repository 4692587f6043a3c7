"""Laws of buckets made of all hands: what must hold of exact counts, and of deals sampled from them."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.holdem.bucket_counts import compute_showdown_shares
from pokerlab.holdem.buckets import Buckets, build_half_pot_histogram, find_bucket, make_buckets
from pokerlab.holdem.cards import BOARD_SIZES, NUM_CARDS, NUM_SUITS, deal_hands
from pokerlab.holdem.hand_expectations import (
    ExactExpectations,
    build_half_pot_table,
    find_river_kinds,
)
from pokerlab.holdem.hand_rankings import evaluate_hand
from pokerlab.holdem.river_comparisons import NUM_TYPE_PAIRS

ROUNDING = 1e-12
NUM_DEALS, SEED = 200_000, 1
STANDARD_ERRORS = 5.0
"""Of about a hundred numbers none lies so far off by chance, once in ten thousand such tests."""
STREETS = range(4)
SUIT_ORDERS = list(permutations(range(NUM_SUITS)))


@cache
def six() -> Buckets:
    return make_buckets(6, seed=1)


@cache
def sampled_deals() -> tuple[np.ndarray, np.ndarray]:
    """Return both hands' buckets on four streets, (n, 2, 4), and the first's share at the end."""
    cards = deal_hands(SEED, NUM_DEALS, 2)
    board = cards[:, 4:]
    holes = cards[:, :2], cards[:, 2:4]
    reached = [
        [find_bucket(six(), hole, board[:, :size]) for size in BOARD_SIZES] for hole in holes
    ]
    first, second = (evaluate_hand(np.concatenate([hole, board], axis=1)) for hole in holes)
    return np.array(reached).transpose(2, 0, 1), (1 + np.sign(first - second)) / 2


@pytest.mark.parametrize("street", STREETS)
def test_transitions_lead_to_as_many_hands_as_lie_between_the_bounds(street: int) -> None:
    way = ExactExpectations()
    found = build_half_pot_histogram(
        build_half_pot_table(way, street), street, way.count_half_pots_of_sure_win(street)
    )
    buckets = six().assign_buckets(
        street, found.half_pots / way.count_half_pots_of_sure_win(street)
    )
    hands = np.bincount(buckets, found.hands)
    assert six().frequencies[street] == pytest.approx(hands / hands.sum(), abs=ROUNDING)
    assert (
        found.half_pots @ found.hands * 2
        == way.count_half_pots_of_sure_win(street) * found.hands.sum()
    )
    for edge, value in ((six().lowest, np.min), (six().highest, np.max)):
        inside = [
            value(found.half_pots[buckets == b]) / way.count_half_pots_of_sure_win(street)
            for b in range(6)
        ]
        assert edge[street] == pytest.approx(inside, abs=0)


def test_at_the_showdown_all_get_half_in_the_mean() -> None:
    chances = six().frequencies[3]
    # Independent buckets are not the true pairs, so the mean of each bucket is only near.
    assert chances @ six().showdown @ chances == pytest.approx(0.5, abs=ROUNDING)
    assert (np.diff(six().showdown, axis=0) >= 0).all()


def test_buckets_that_never_meet_share_as_if_the_higher_won() -> None:
    alone = np.zeros((len(find_river_kinds().boards), NUM_TYPE_PAIRS), np.uint8)
    assert compute_showdown_shares(alone, 2).tolist() == [[0.5, 0.0], [1.0, 0.5]]


@pytest.mark.parametrize("street", [0, 1, 2])
def test_sampled_deals_move_as_often(street: int) -> None:
    reached, _ = sampled_deals()
    before, after = reached[:, :, street].ravel(), reached[:, :, street + 1].ravel()
    for bucket in range(6):
        here = before == bucket
        assert_likely(here, six().frequencies[street][bucket])
        for then, chance in enumerate(six().transitions[street][bucket]):
            assert_likely(after[here] == then, chance)


def test_sampled_deals_are_won_as_often() -> None:
    reached, share = sampled_deals()
    own, theirs = reached[:, 0, 3], reached[:, 1, 3]
    for one in range(6):
        for two in range(6):
            here = (own == one) & (theirs == two)
            expected, wins = six().showdown[one, two], share[here]
            # Shares lie between 0 and 1: their variance is largest if all are one or the other.
            error = np.sqrt(max(expected * (1 - expected), 1 / here.sum()) / here.sum())
            assert abs(wins.mean() - expected) < STANDARD_ERRORS * error


def assert_likely(happened: np.ndarray, chance: float) -> None:
    size = len(happened)
    error = np.sqrt(max(chance * (1 - chance), 1 / size) / size)
    assert abs(happened.mean() - chance) < STANDARD_ERRORS * error


@given(
    st.lists(st.integers(0, NUM_CARDS - 1), min_size=7, max_size=7, unique=True),
    st.sampled_from(SUIT_ORDERS),
    st.sampled_from(STREETS),
)
def test_suits_can_be_renamed(cards: list[int], suits: tuple[int, ...], street: int) -> None:
    given_cards = np.array(cards, np.uint8)
    renamed = given_cards // NUM_SUITS * NUM_SUITS + np.array(suits)[given_cards % NUM_SUITS]
    size = 2 + BOARD_SIZES[street]
    one, two = (find_bucket(six(), c[:2], c[2:size]) for c in (given_cards, renamed))
    assert one == two
