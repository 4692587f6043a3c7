"""Cards as SVG."""

from xml.etree import ElementTree

import pytest

from pokerlab.core import UnknownNameError
from pokerlab.workbench import card_row
from pokerlab.workbench.pictures.cards import RANKS, SUITS, card


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("suit", ["", *SUITS])
def test_a_card_shows_its_rank_twice_and_its_suit_three_times(rank: str, suit: str) -> None:
    drawn = ElementTree.fromstring(card(rank + suit))
    written = [text.text for text in drawn.iter("text")]
    outlines = [path.get("d") for path in drawn.iter("path")]
    name = "10" if rank == "T" else rank
    assert written.count(name) == (2 if suit else 3)
    assert outlines == [SUITS[suit]] * 3 if suit else outlines == []


def test_hearts_and_diamonds_are_red() -> None:
    colors = {suit: "#b3202a" in card(f"K{suit}") for suit in SUITS}
    assert colors == {"s": False, "h": True, "d": True, "c": False}


def test_a_card_face_down_does_not_tell() -> None:
    assert "<text" not in card("?")


def test_a_row_says_in_words_what_it_shows() -> None:
    row = card_row(["Ks", "?", "J"])
    assert repr(row) == "K of spades, a card face down, J"
    assert row.width == 3 * 64 + 2 * 12


@pytest.mark.parametrize(("name", "message"), [("1s", "no rank '1'"), ("Kx", "no suit 'x'")])
def test_unknown_cards_are_refused(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        card(name)
