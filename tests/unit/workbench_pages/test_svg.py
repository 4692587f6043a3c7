"""A picture shows itself as SVG, in HTML with its caption, and as text."""

from base64 import b64decode
from xml.etree import ElementTree

import pytest

from pokerlab.workbench.pictures.svg import Picture, label, line


@pytest.fixture
def picture() -> Picture:
    body = label("J < Q & K", 5, 20) + line(0, 0, 10, 10, stroke_width=2)
    return Picture(120.0, 40.0, body, "in letters", 'What to see: "this" & that')


def test_svg_is_well_formed_and_says_its_size_and_caption(picture: Picture) -> None:
    root = ElementTree.fromstring(picture._repr_svg_())
    assert (root.get("width"), root.get("height")) == ("120", "40")
    assert root.findtext("{*}title") == 'What to see: "this" & that'
    assert root.findtext("{*}text") == "J < Q & K"


def test_html_holds_the_same_svg_and_the_caption_in_words(picture: Picture) -> None:
    html = picture._repr_html_()
    data = html.split("base64,")[1].split('"')[0]
    assert b64decode(data).decode() == picture._repr_svg_()
    assert "<p>What to see: &quot;this&quot; &amp; that</p>" in html
    assert 'alt="What to see: &quot;this&quot; &amp; that"' in html
