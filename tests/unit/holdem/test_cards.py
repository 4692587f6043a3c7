"""Cards are bytes from 0 to 51; what no deck holds is refused with a reason."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import CardError
from pokerlab.holdem import format_cards, parse_cards
from pokerlab.holdem.cards import NUM_CARDS, validate_cards

some_cards = st.lists(st.integers(0, NUM_CARDS - 1), unique=True)


def test_the_deck_runs_from_the_two_of_clubs_to_the_ace_of_spades() -> None:
    assert format_cards(range(NUM_CARDS)).split()[:5] == ["2c", "2d", "2h", "2s", "3c"]
    assert format_cards(range(NUM_CARDS)).split()[-4:] == ["Ac", "Ad", "Ah", "As"]


@given(some_cards)
def test_text_and_symbols_read_back_as_the_same_cards(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)).tolist() == cards
    assert parse_cards(format_cards(cards, symbols=True)).tolist() == cards


@pytest.mark.parametrize("text", ["As Td", "AsTd", "as tD", " A♠,10♦ ", "A♠10d"])
def test_cards_may_be_written_in_several_ways(text: str) -> None:
    assert parse_cards(text).tolist() == [51, 33]


def test_parse_cards_of_empty_text_is_empty() -> None:
    assert parse_cards("").shape == (0,)
    assert format_cards([]) == ""


@pytest.mark.parametrize("text", ["1s", "Ax", "A", "As K", "As;Kd", "11h", "AsKdd"])
def test_parse_cards_rejects_words_that_are_no_cards(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_cards(text)


def test_read_cards_rejects_a_repeated_card() -> None:
    with pytest.raises(CardError, match="twice in 'As Kd As'"):
        parse_cards("As Kd As")
    with pytest.raises(CardError, match=r"twice in '3d 2c 3d' \(row 1 of 2\)"):
        validate_cards([[0, 1, 2], [5, 0, 5]])


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_read_cards_rejects_numbers_out_of_range(number: int) -> None:
    with pytest.raises(CardError, match=f"{number} is not a card"):
        validate_cards([[3, 4], [5, number]])
    with pytest.raises(CardError, match="not all cards"):
        format_cards([0, number])


def test_read_cards_rejects_other_types() -> None:
    with pytest.raises(CardError, match="type float64; use integers"):
        validate_cards([1.0, 2.0])
    with pytest.raises(CardError, match=r"'As Kd', 'Qh'. are not equally many cards"):
        validate_cards(["As Kd", "Qh"])


def test_read_cards_accepts_text() -> None:
    assert validate_cards("As Td").tolist() == [51, 33]
    assert validate_cards([["As Td"], ["2c 2d"]]).tolist() == [[[51, 33]], [[0, 1]]]
    assert validate_cards("").shape == (0,)
    with pytest.raises(CardError, match="is not a card"):
        validate_cards(["As", 3])


def test_read_cards_keeps_the_shape() -> None:
    assert validate_cards(np.arange(24).reshape(2, 3, 4)).shape == (2, 3, 4)
    assert validate_cards(np.int64(7)).shape == ()
    assert validate_cards([]).shape == (0,)


@pytest.mark.parametrize(
    "cards", [52, -1, 1.5, float("nan"), "As", [0, 60], [[0, 1], [2, 3]], None]
)
def test_format_cards_rejects_other_numbers(cards: object) -> None:
    with pytest.raises(CardError, match=r"are not all cards; .* from 0 to 51, in one row"):
        format_cards(cards)
