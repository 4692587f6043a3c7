"""Strengths follow the rules of poker: exact counts of all hands, the best five, any order."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pokerlab.core import CardError, SettingError, random_stream
from pokerlab.core.compiler import kernel
from pokerlab.holdem import CATEGORIES, NUM_STRENGTHS, count_all_hands, evaluate_hand, name_category
from pokerlab.holdem.cards import NUM_CARDS, Cards
from pokerlab.holdem.hand_rankings import LOWEST_STRENGTHS, evaluate_seven_cards, rank_five_cards
from tests.random_cards import deal

COUNTS = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (
        23_294_460,
        58_627_800,
        31_433_400,
        6_461_620,
        6_180_020,
        4_047_644,
        3_473_184,
        224_848,
        41_584,
    ),
}
"""All hands of five, six and seven cards by category, the weakest first."""


@kernel
def strengths_in_a_kernel(hands: Cards, out_strengths: NDArray[np.int64]) -> None:
    for row in range(hands.shape[0]):
        out_strengths[row] = evaluate_seven_cards(hands[row])


@pytest.mark.parametrize("size", [5, 6, 7])
def test_all_hands_fall_into_the_categories_as_often_as_they_should(size: int) -> None:
    counts = count_all_hands(size)
    assert counts.sum() == comb(NUM_CARDS, size)
    assert np.add.reduceat(counts, LOWEST_STRENGTHS).tolist() == list(COUNTS[size])
    assert np.count_nonzero(counts) == {5: 7462, 6: 6075, 7: 4824}[size]
    assert counts[-1] == 4 * comb(47, size - 5)  # royal flushes


def test_all_hands_of_other_sizes_are_not_counted() -> None:
    with pytest.raises(SettingError, match="hands of 8 cards are not counted here; ask for 5, 6"):
        count_all_hands(8)


def test_categories_have_names_and_begin_where_they_should() -> None:
    assert name_category(LOWEST_STRENGTHS).tolist() == list(CATEGORIES)
    assert name_category(np.array(LOWEST_STRENGTHS[1:]) - 1).tolist() == list(CATEGORIES[:-1])
    assert name_category(NUM_STRENGTHS - 1) == "straight flush"


def test_five_cards_are_ordered_by_the_rule_book() -> None:
    hands = deal(random_stream(1, "five"), 2000, 5)
    strengths = evaluate_hand(hands)
    orders = [
        rank_five_cards(tuple(rank), len(set(suit)) == 1)
        for rank, suit in zip((hands // 4).tolist(), (hands % 4).tolist(), strict=True)
    ]
    for i in range(len(hands) - 1):
        assert (strengths[i] < strengths[i + 1]) == (orders[i] < orders[i + 1])
        assert (strengths[i] == strengths[i + 1]) == (orders[i] == orders[i + 1])


@pytest.mark.parametrize("size", [6, 7])
def test_more_cards_are_worth_the_best_five_of_them(size: int) -> None:
    random = deal(random_stream(1, "more", size), 20_000, size)
    one_suit = deal(random_stream(2, "more", size), 5_000, NUM_CARDS)
    mostly_hearts = np.array([sorted(d, key=lambda card: card % 4 != 2)[:size] for d in one_suit])
    mostly_hearts[:, 5:] = one_suit[:, :2][:, : size - 5]
    distinct = np.array([len(set(hand)) == size for hand in mostly_hearts.tolist()])
    hands = np.concatenate([random, mostly_hearts[distinct]])
    fives = np.stack([evaluate_hand(hands[:, list(five)]) for five in combinations(range(size), 5)])
    assert (evaluate_hand(hands) == fives.max(axis=0)).all()


@given(
    st.lists(st.integers(0, NUM_CARDS - 1), unique=True, min_size=5, max_size=7),
    st.randoms(use_true_random=False),
)
def test_strength_ignores_order_and_suit_names(cards, random) -> None:
    suits = random.sample(range(4), 4)
    renamed = [card // 4 * 4 + suits[card % 4] for card in random.sample(cards, len(cards))]
    assert evaluate_hand(renamed) == evaluate_hand(cards)


def test_kernels_find_the_same_strengths() -> None:
    hands = deal(random_stream(3, "kernels"), 10_000, 7)
    strengths = np.empty(len(hands), np.int64)
    strengths_in_a_kernel(hands, strengths)
    assert (strengths == evaluate_hand(hands)).all()


def test_one_hand_has_one_number_and_many_keep_their_shape() -> None:
    hands = deal(random_stream(4, "shapes"), 6, 7)
    assert isinstance(evaluate_hand(hands[0]), int)
    assert (evaluate_hand(hands.reshape(2, 3, 7)) == evaluate_hand(hands).reshape(2, 3)).all()
    assert evaluate_hand(np.zeros((0, 7), np.uint8)).shape == (0,)
    assert evaluate_hand(hands[:, ::-1].astype(np.int64)).tolist() == evaluate_hand(hands).tolist()


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        *((range(size), f"a hand of {size} cards has no strength") for size in (0, 1, 4, 8)),
        ([0, 1, 2, 3, 0], "twice in '2c 2d 2h 2s 2c'"),
        ([0, 1, 2, 3, 52], "52 is not a card"),
        ([0.0, 1.0, 2.0, 3.0, 4.0], "type float64; use integers from 0 to 51, or text"),
    ],
)
def test_impossible_hands_are_refused(cards: Any, message: str) -> None:
    with pytest.raises(CardError, match=message):
        evaluate_hand(cards)


@pytest.mark.parametrize("number", [-1, NUM_STRENGTHS, 0.5])
def test_numbers_that_are_no_strengths_have_no_category(number: float) -> None:
    with pytest.raises(SettingError, match=f"{number} is not a strength"):
        name_category([0, number])
