"""Ranges read from text hold the holdings they name, and what names none is refused."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.core import CardError
from pokerlab.holdem.cards.deck import HOLDINGS, NUM_HOLDINGS, RANKS, card_text, parse_cards
from pokerlab.holdem.cards.ranges import as_range, parse_range


def named(text: str) -> set[str]:
    """Return the holdings that a range gives a weight, as text."""
    return {card_text(HOLDINGS[number]) for number in np.flatnonzero(parse_range(text))}


def combos(first: str, second: str, kind: str = "") -> set[str]:
    """Return the holdings of two ranks, listed suit by suit."""
    cards = [rank + suit for rank in {first, second} for suit in "cdhs"]
    pairs = [
        (a, b)
        for a, b in combinations(cards, 2)
        if {a[0], b[0]} == {first, second} and (kind == "" or (kind == "s") == (a[1] == b[1]))
    ]
    return {card_text(np.sort(parse_cards(a + b))[::-1]) for a, b in pairs}


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("QQ", ["QQ"]),
        ("AKs", ["AKs"]),
        ("AKo", ["AKo"]),
        ("AK", ["AKs", "AKo"]),
        ("ka", ["AKs", "AKo"]),
        ("QQ+", ["QQ", "KK", "AA"]),
        ("ATs+", ["ATs", "AJs", "AQs", "AKs"]),
        ("J9o+", ["J9o", "JTo"]),
        ("76s+", ["76s"]),
        ("22-44", ["22", "33", "44"]),
        ("44-22", ["22", "33", "44"]),
        ("A5s-A2s", ["A2s", "A3s", "A4s", "A5s"]),
        ("K8-KT", ["K8s", "K8o", "K9s", "K9o", "KTs", "KTo"]),
        ("54s-76s", ["54s", "65s", "76s"]),
        ("T8o-97o", ["T8o", "97o"]),
        (" QQ+ ,AKs,, 76o, ", ["QQ", "KK", "AA", "AKs", "76o"]),
    ],
)
def test_items_name_their_holdings(text: str, members: list[str]) -> None:
    expected: set[str] = set().union(*(combos(*member) for member in members))
    assert named(text) == expected


def test_two_cards_name_one_holding() -> None:
    assert named("KdAs, 2c2h") == {"As Kd", "2h 2c"}


def test_all_kinds_of_starting_hands_together_are_all_holdings() -> None:
    pairs = [rank * 2 for rank in RANKS]
    others = [b + a for a, b in combinations(RANKS, 2)]
    together = parse_range(", ".join([*pairs, *(f"{two}s, {two}o" for two in others)]))
    assert (together == 1.0).all()
    assert (parse_range("random") == together).all()


def test_weights_follow_a_colon_and_the_later_item_counts() -> None:
    weights = parse_range("QQ+:0.5, KK, AsAh:0, 76o : 0.25")
    values = {text: weights[as_range(text) > 0].tolist() for text in ("QsQh", "KsKh", "AsAh")}
    assert values == {"QsQh": [0.5], "KsKh": [1.0], "AsAh": [0.0]}
    assert weights.sum() == 6 * 0.5 + 6 + 5 * 0.5 + 12 * 0.25


def test_hole_cards_weights_and_text_are_the_same_range() -> None:
    by_text = as_range("AsKd")
    assert (as_range(parse_cards("Kd As")) == by_text).all()
    assert (as_range(by_text) == by_text).all()
    assert by_text.sum() == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the range is empty"),
        (" , ", "the range is empty"),
        ("AA:0", "the range is empty"),
        ("XX", "'XX' names no holdings. Write items such as"),
        ("QQ++", "names no holdings"),
        ("AKQ", "names no holdings"),
        ("QQs", "'QQs' has a pair with the letter s"),
        ("A5s-K2s", "different higher cards and different distances"),
        ("A5s-A2o", "begins and ends with different letters"),
        ("AKs:much", "'much' in 'AKs:much' is not a weight"),
        ("AKs:-1", "not a weight; weights are 0 or numbers from 1e-100 to 1e100"),
        ("AKs:1e300", "not a weight"),
        ("AKs:1e-200", "not a weight"),
        ("AKs:nan", "not a weight"),
        ("AKs:", "'' in 'AKs:' is not a weight"),
        ("AsAs", "twice"),
    ],
)
def test_what_names_no_range_is_refused(text: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        parse_range(text)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros(NUM_HOLDINGS), "empty"),
        (np.full(NUM_HOLDINGS, -1.0), "-1.0 is not a weight"),
        (np.full(NUM_HOLDINGS, 1e300), r"1e\+300 is not a weight"),
        (np.full(NUM_HOLDINGS, 1e-200), "1e-200 is not a weight"),
        (np.full(NUM_HOLDINGS, np.nan), "nan is not a weight"),
        (np.ones(169), r"weights of shape \(169,\) and type float64 are not a range; give 1326"),
        (np.full(NUM_HOLDINGS, "1"), "are not a range"),
    ],
)
def test_what_are_no_weights_is_refused(weights: np.ndarray, message: str) -> None:
    with pytest.raises(CardError, match=message):
        as_range(weights)
