"""The words, numbers and names that an .efg file is made of, with their places for messages.

Quoted names may hold anything; a backslash before a quote keeps the quote from ending the name, any
other backslash stands for itself. Numbers are read exactly: 1/3 is a third and 0.1 a tenth.
"""

import re
import sys
from fractions import Fraction
from functools import lru_cache

from pokerlab.core import FileFormatError
from pokerlab.games.rules import Number

TOKEN = re.compile(r'\s*+(?:"((?:[^"\\]|\\"?+)*+)"|([{},])|([^\s{},"]++)|(")|\Z)')
NAME, MARK, WORD, OPEN_QUOTE = 1, 2, 3, 4
NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
WHOLE = re.compile(r"[-+]?\d+")
LARGEST = int(
    sys.float_info.max
)  # fractions are compared with whole numbers faster than with floats
FEWER_DIGITS = 300  # than the largest float has
MOST_DIGITS = 1000  # most digits of a number: anything longer is not a payoff, and is slow to read


class Tokens:
    """A file's text as a sequence of tokens; `kind` and `text` describe the present one.

    Kinds are NAME (whose text has no quotes), MARK (a brace or comma), WORD (numbers too), OPEN_QUOTE (a name without
    an end), and None at the end of the file.
    """

    def __init__(self, source: str, path: str) -> None:
        self.source, self.path = source, path
        self.matches = TOKEN.finditer(source)
        self.advance()

    def rest_of_line(self) -> str:
        """Return the present line from the present token on."""
        place, end = self.place, self.source.find("\n", self.match.end())
        return self.source[place:end] if end >= 0 else self.source[place:]

    def advance(self) -> None:
        """Go on to the next token."""
        self.match = match = next(self.matches)
        self.kind = kind = match.lastindex
        self.text = match[kind] if kind else ""

    @property
    def place(self) -> int:
        """Where the present token begins."""
        if self.kind is None:
            return self.match.end()
        return self.match.start(self.kind) - (self.kind == NAME)

    def is_node_at(self, place: int) -> bool:
        """Return whether a node begins at `place`, or nothing comes any more; if so, go on to there."""
        matches = TOKEN.finditer(self.source, place)
        match = next(matches)
        if match.lastindex not in (WORD, None):
            return False
        self.matches, self.match, self.kind = matches, match, match.lastindex
        self.text = match[self.kind] if self.kind else ""
        return True

    def error(self, message: str, place: int) -> FileFormatError:
        """Return the error that names the line and column of `place`."""
        line = self.source.count("\n", 0, place) + 1
        column = place - self.source.rfind("\n", 0, place)
        return FileFormatError(f"{self.path}, line {line}, column {column}: {message}")

    def expected(self, what: str) -> FileFormatError:
        """Return the error that something else stands here."""
        if self.kind is None:
            found = "the end of the file"
        elif self.kind == OPEN_QUOTE:
            found = "a quote that is never closed"
        else:
            found = f'"{self.text}"' if self.kind == NAME else f"'{self.text}'"
        return self.error(f"expected {what}, found {found}.", self.place)

    def is_mark(self, mark: str) -> bool:
        """Return whether the present token is this brace or comma."""
        return self.kind == MARK and self.text == mark

    def skip_mark(self, mark: str, what: str) -> None:
        """Read past a brace."""
        if not self.is_mark(mark):
            raise self.expected(what)
        self.advance()

    def word(self, what: str, *allowed: str) -> str:
        """Read one of the `allowed` words and return it."""
        if self.kind != WORD or self.text not in allowed:
            raise self.expected(what)
        word = self.text
        self.advance()
        return word

    def name(self, what: str) -> str:
        """Read a quoted name and return it without its quotes."""
        if self.kind != NAME:
            raise self.expected(f"{what} in quotes")
        name = self.text.replace('\\"', '"') if "\\" in self.text else self.text
        self.advance()
        return name

    def names(self, what: str) -> tuple[str, ...]:
        """Read names in braces and return them."""
        self.skip_mark("{", f"'{{' before the {what}s")
        names = []
        while not self.is_mark("}"):
            names.append(self.name(f"'}}' or the next {what}"))
        self.advance()
        return tuple(names)

    def number(self, what: str) -> Number:
        """Read a number and return it."""
        wrong = self.kind != WORD or len(self.text) > MOST_DIGITS
        if wrong or not NUMBER.fullmatch(self.text):
            raise self.expected(f"{what}, such as 2, -1/3 or 0.25")
        try:
            number = exact(self.text)
        except ZeroDivisionError:
            raise self.expected(f"{what}, with a denominator other than zero") from None
        could_be_larger = len(self.text) > FEWER_DIGITS or "e" in self.text.lower()
        if could_be_larger and not -LARGEST <= number <= LARGEST:
            raise self.expected(f"{what} of at most {LARGEST:.1e}")
        self.advance()
        return number

    def whole_number(self, what: str) -> int:
        """Read a whole number of at least 0 and return it."""
        if self.kind != WORD or not (self.text.isdecimal() and len(self.text) < MOST_DIGITS):
            raise self.expected(f"{what}, a whole number")
        number = int(self.text)
        self.advance()
        return number


@lru_cache(maxsize=1024)
def exact(text: str) -> Number:
    """Return the number that `text` spells, an int if it is whole."""
    whole, point, digits = text.partition(".")
    if point and digits.isdecimal():
        return shortest(Fraction(int(whole + digits), 10 ** len(digits)))
    return int(text) if WHOLE.fullmatch(text) else shortest(Fraction(text))


def shortest(number: Number) -> Number:
    """Return a whole number as an int."""
    return number.numerator if number.denominator == 1 else number
