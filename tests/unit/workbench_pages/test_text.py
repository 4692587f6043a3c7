"""Numbers in prose."""

import re
from fractions import Fraction
from html import escape

import numpy as np
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from pokerlab.workbench import as_fraction, signed, tabulate
from pokerlab.workbench.text import escape_markdown


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (-1 / 18, "−1/18"),
        (11 / 12, "11/12"),
        (1234 / 1999, "1234/1999"),
        (0.0, "0"),
        (3.0, "3"),
        (-0.0856064240780, "−0.0856064"),
    ],
)
def test_a_computed_fraction_is_recognized(number: float, words: str) -> None:
    assert as_fraction(number) == words


def test_arbitrary_numbers_are_not_taken_for_fractions() -> None:
    drawn = np.random.default_rng(1).random(500)
    assert [number for number in drawn if "/" in as_fraction(number)] == []


@pytest.mark.parametrize(
    ("number", "digits", "words"),
    [
        (2, None, "+2"),
        (Fraction(-1, 2), None, "−1/2"),
        (0.0, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (-0.05001, 1, "−0.1"),
        (12.345, 2, "+12.35"),
    ],
)
def test_signs(number: float, digits: int | None, words: str) -> None:
    assert signed(number, digits) == words


def test_a_table_is_markdown_with_true_minus_signs_in_numbers_only() -> None:
    table = tabulate(["game", "value"], [["two-round", -0.5], ["-", 2]])
    assert table.splitlines() == [
        "| game | value |",
        "|---|---|",
        "| two-round | −0.5 |",
        "| - | 2 |",
    ]


@pytest.mark.parametrize(
    "name", ["$$ man", "$1/$2 reg", "a_b^c", "\\alpha", "<b>", "&amp;", "*x*", "a|b"]
)
def test_verbatim_name_is_shown_as_it_is(name: str) -> None:
    table = tabulate(["who", "did"], [[escape_markdown(name), "folds"]])
    page = markdown2html_mistune(table)
    (cell,) = re.findall(r"<td>(.*)</td>\s*<td>folds", page)
    assert re.sub(r"</?span[^>]*>", "", cell) == escape(name, quote=False)
    assert ("mathjax_ignore" in cell) == ("$" in name)
