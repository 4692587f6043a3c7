"""A picture shows itself as SVG, in HTML with its caption, and as text; cards are such pictures."""

from base64 import b64decode
from typing import Any
from xml.etree import ElementTree

import pytest

from pokerlab.core import UnknownNameError
from pokerlab.workbench.drawings.svg import (
    RANKS,
    SUITS,
    SvgDrawing,
    draw_card,
    draw_line,
    draw_small_card,
    draw_text,
)


@pytest.fixture
def picture() -> SvgDrawing:
    body = draw_text("J < Q & K", 5, 20) + draw_line(0, 0, 10, 10, stroke_width=2)
    return SvgDrawing(120.0, 40.0, body, "in letters", 'What to see: "this" & that')


def test_svg_is_well_formed_and_says_its_size_and_caption(picture: SvgDrawing) -> None:
    root = ElementTree.fromstring(picture._repr_svg_())
    assert (root.get("width"), root.get("height")) == ("120", "40")
    assert root.findtext("{*}title") == 'What to see: "this" & that'
    assert root.findtext("{*}text") == "J < Q & K"


def test_html_holds_the_same_svg_and_the_caption_in_words(picture: SvgDrawing) -> None:
    html = picture._repr_html_()
    data = html.split("base64,")[1].split('"')[0]
    assert b64decode(data).decode() == picture._repr_svg_()
    assert "<p>What to see: &quot;this&quot; &amp; that</p>" in html
    assert 'alt="What to see: &quot;this&quot; &amp; that"' in html


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("suit", ["", *SUITS])
def test_a_card_shows_its_rank_twice_and_its_suit_three_times(rank: str, suit: str) -> None:
    drawn = ElementTree.fromstring(draw_card(rank + suit))
    written = [text.text for text in drawn.iter("text")]
    outlines = [path.get("d") for path in drawn.iter("path")]
    name = "10" if rank == "T" else rank
    assert written.count(name) == (2 if suit else 3)
    assert outlines == [SUITS[suit]] * 3 if suit else outlines == []


@pytest.mark.parametrize(("name", "message"), [("1s", "no rank '1'"), ("Kx", "no suit 'x'")])
@pytest.mark.parametrize("draw", [draw_card, lambda name: draw_small_card(name, 0, 0)])
def test_unknown_cards_are_refused_backs_tell_nothing(draw: Any, name: str, message: str) -> None:
    assert "<text" not in draw("?")
    with pytest.raises(UnknownNameError, match=message):
        draw(name)
