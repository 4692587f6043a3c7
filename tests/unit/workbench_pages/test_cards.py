"""Cards as SVG."""

from typing import Any
from xml.etree import ElementTree

import pytest

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.svg import RANKS, SUITS, card, small_card


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("suit", ["", *SUITS])
def test_a_card_shows_its_rank_twice_and_its_suit_three_times(rank: str, suit: str) -> None:
    drawn = ElementTree.fromstring(card(rank + suit))
    written = [text.text for text in drawn.iter("text")]
    outlines = [path.get("d") for path in drawn.iter("path")]
    name = "10" if rank == "T" else rank
    assert written.count(name) == (2 if suit else 3)
    assert outlines == [SUITS[suit]] * 3 if suit else outlines == []


@pytest.mark.parametrize(("name", "message"), [("1s", "no rank '1'"), ("Kx", "no suit 'x'")])
@pytest.mark.parametrize("draw", [card, lambda name: small_card(name, 0, 0)])
def test_unknown_cards_are_refused_and_one_face_down_does_not_tell(
    draw: Any, name: str, message: str
) -> None:
    assert "<text" not in draw("?")
    with pytest.raises(UnknownNameError, match=message):
        draw(name)
