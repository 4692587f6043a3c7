"""Computed numbers as text: tables, fractions, signs."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from numbers import Real

import numpy as np

from pokerlab.core.settings import check_item_types, check_kind, validate_integer, validate_number

LARGEST_DENOMINATOR = 2000
LARGEST_NUMBER = 1e300
"""The largest number that can be written."""
FRACTION_TOLERANCE = 1e-11  # the largest distance at which a computed number counts as a fraction


def tabulate(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, in which negative numbers have a true minus.

    Parameters
    ----------
    heads : sequence of str
        The heads of the columns.
    rows : iterable of sequences
        The cells of each row, which are converted to text.

    Raises
    ------
    SettingError
        If an argument is of another type.

    Examples
    --------
    >>> print(tabulate(["game", "value"], [["Kuhn", -0.5]]))
    | game | value |
    |---|---|
    | Kuhn | −0.5 |
    """
    check_kind("heads", heads, Sequence, "a list of heads, one for each column")
    check_item_types("heads", list(heads), str, "a list of texts, one for each column")
    check_kind("rows", rows, Iterable, "a list of rows, each a list of cells")
    rows = list(rows)
    check_item_types("rows", rows, Sequence | np.ndarray, "a list of cells for each row")
    body = [[put_true_minus(cell) for cell in row] for row in rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (list(heads), *body)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


MARKUP = re.compile(r"[\\`*_{}\[\]<>#$|&~]")


def escape_markdown(text: str) -> str:
    r"""Return Markdown that displays a text as it is, without emphasis, formulas or markup.

    Examples
    --------
    >>> print(escape_markdown("a_b"), escape_markdown("<b>"))
    a\_b \<b\>
    """
    escaped = MARKUP.sub(r"\\\g<0>", text.replace("\n", " "))
    # A notebook looks for formulas again in the page that it has made of the Markdown.
    return f'<span class="mathjax_ignore">{escaped}</span>' if "$" in text else escaped


EMPHASIS = re.compile(r"(\*{1,2})(?=\S)([^*]+)(?<=\S)\1")  # *so* or **so**


def render_emphasis(markdown: str) -> str:
    """Return a sentence as HTML, in which `*words*` are in italics and `**words**` bold.

    Examples
    --------
    >>> render_emphasis("The column *bluff* is pale: 2 * 3 < 7.")
    'The column <em>bluff</em> is pale: 2 * 3 &lt; 7.'
    """

    def write_tags(found: re.Match[str]) -> str:
        tag = "em" if found[1] == "*" else "b"
        return f"<{tag}>{found[2]}</{tag}>"

    return EMPHASIS.sub(write_tags, escape(markdown))


def remove_emphasis(markdown: str) -> str:
    """Return a sentence in Markdown without the stars around emphasized words."""
    return EMPHASIS.sub(r"\2", markdown)


def capitalize(words: str) -> str:
    """Return words with a capital first letter. The other letters are not changed."""
    return words[:1].upper() + words[1:]


def count_in_words(number: int, thing: str) -> str:
    """Return a number of things in words: '1 round', '1,000 rounds'."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def join_choices(words: Sequence[str]) -> str:
    """Return one or more words as a choice: 'fold, call or raise'."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def put_true_minus(cell: object) -> str:
    """Return the text of a cell, with a true minus if it begins with a hyphen and a digit."""
    words = str(cell)
    return "−" + words[1:] if words[:1] == "-" and words[1:2].isdigit() else words


def signed(number: float | Fraction, digits: int | None = None) -> str:
    """Return a number as text with its sign. The minus is a true one, and zero has no sign.

    Parameters
    ----------
    number : float or Fraction
        The number.
    digits : int, optional
        The number of decimals. By default the number is written exactly.

    Examples
    --------
    >>> signed(2), signed(-1.25, 1), signed(-1e-17, 2)
    ('+2', '−1.2', '0.00')
    """
    check_kind("number", number, Real, "a number")
    if isinstance(number, int):
        validate_number("number", number, -LARGEST_NUMBER, LARGEST_NUMBER)
    digits = None if digits is None else validate_integer("digits", digits, 0, 99)
    words = str(number) if digits is None else f"{number:.{digits}f}"
    if not any(letter in "123456789" for letter in words):
        return words.removeprefix("-")
    return put_true_minus(words) if words.startswith("-") else f"+{words}"


def format_percent(chance: float) -> str:
    """Return a probability in whole percent: '55%'."""
    return f"{100 * chance:.0f}%"


def as_fraction(number: float) -> str:
    """Return a computed number as a fraction with a denominator up to 2000, or its first six digits.

    It is written as a fraction if it differs from one by less than 1e-11.

    Examples
    --------
    >>> as_fraction(-0.05555555555555558), as_fraction(0.5 ** 0.5)
    ('−1/18', '0.707107')
    """
    fraction = Fraction(
        validate_number("number", number, -LARGEST_NUMBER, LARGEST_NUMBER)
    ).limit_denominator(LARGEST_DENOMINATOR)
    return put_true_minus(
        fraction if abs(float(fraction) - number) < FRACTION_TOLERANCE else f"{number:.6g}"
    )


def abbreviate_actions(actions: Sequence[str]) -> tuple[str, ...]:
    """Return the first letters of actions as capitals, or their numbers from 1 if two letters are equal."""
    letters = tuple(action[0].upper() for action in actions)
    numbers = tuple(str(number + 1) for number in range(len(letters)))
    return letters if len(set(letters)) == len(letters) else numbers
