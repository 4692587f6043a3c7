"""The tokens of a file in Gambit's .efg format: words, numbers, names in quotes, braces and commas.

`Tokens` splits the text of a file, and gives the positions of tokens for error messages. A quoted name may contain any
character: a backslash before a quote means that the quote belongs to the name, and any other backslash is an ordinary
character. Numbers are read exactly, 1/3 as a third and 0.1 as a tenth.
"""

import re
from fractions import Fraction
from functools import lru_cache

from pokerlab.core import FileFormatError
from pokerlab.games.compilation import LARGEST_UTILITY
from pokerlab.games.rules import Number

TOKEN = re.compile(r'\s*+(?:"((?:[^"\\]|\\"?+)*+)"|([{},])|([^\s{},"]++)|(")|\Z)')
NAME, MARK, WORD, OPEN_QUOTE = 1, 2, 3, 4
NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
INTEGER = re.compile(r"[-+]?\d+")
SAFE_DIGITS = 300  # a number with at most this many digits is smaller than the largest float
MOST_DIGITS = 1000  # a longer number cannot be a payoff, and would be slow to read


class Tokens:
    """The text of a file as a sequence of tokens. The attributes `kind` and `text` describe the current token.

    The kinds are NAME (whose text is without the quotes), MARK (a brace or comma), WORD (which includes numbers),
    OPEN_QUOTE (a name that never ends), and None at the end of the file. Each method `parse_...` returns the meaning of
    the current token and goes on to the next one. If the token has another kind, the method raises a FileFormatError,
    whose message says what was `expected`.

    Parameters
    ----------
    source : str
        The text of the file.
    path : str
        The file, for error messages.
    """

    def __init__(self, source: str, path: str) -> None:
        self.source = source
        self.path = path
        self.matches = TOKEN.finditer(source)
        self.advance_token()

    def find_rest_of_line(self) -> str:
        """Return the text from the beginning of the current token to the end of its line, without the line break."""
        end = self.source.find("\n", self.match.end())
        if end < 0:
            return self.source[self.offset :]
        return self.source[self.offset : end]

    def advance_token(self) -> None:
        """Move to the next token, so that `kind` and `text` describe it."""
        self.match = match = next(self.matches)
        self.kind = kind = match.lastindex
        self.text = match[kind] if kind else ""

    @property
    def offset(self) -> int:
        """The index in the text at which the current token begins, or the length of the text after the last token."""
        if self.kind is None:
            return self.match.end()
        start = self.match.start(self.kind)
        if self.kind == NAME:
            return start - len('"')  # the match of a name begins after its opening quote
        return start

    def try_skip_to_node(self, offset: int) -> bool:
        """Move to the token after a given offset in the text if a node may begin there, and return whether it may.

        A node may begin with a word. The end of the file is accepted, too. Otherwise the current token does not change.

        Parameters
        ----------
        offset : int
            The index in the text.

        Returns
        -------
        bool
            Whether a node may begin there, so that the current token has changed.
        """
        matches = TOKEN.finditer(self.source, offset)
        match = next(matches)
        if match.lastindex not in (WORD, None):
            return False
        self.matches = matches
        self.match = match
        self.kind = match.lastindex
        self.text = match[self.kind] if self.kind else ""
        return True

    def make_error(self, message: str, offset: int) -> FileFormatError:
        """Return a FileFormatError whose message begins with the file, the line and the column.

        Parameters
        ----------
        message : str
            The rest of the message.
        offset : int
            The index in the text from which the line and the column are computed.

        Returns
        -------
        FileFormatError
            The error, which the caller raises.
        """
        line = self.source.count("\n", 0, offset) + 1
        column = offset - self.source.rfind("\n", 0, offset)
        return FileFormatError(f"{self.path}, line {line}, column {column}: {message}")

    def make_expected_error(self, expected: str) -> FileFormatError:
        """Return a FileFormatError which says what was expected instead of the current token.

        Parameters
        ----------
        expected : str
            What was expected, such as 'the title in quotes'.

        Returns
        -------
        FileFormatError
            The error, which the caller raises. Its message names the current token and its position.
        """
        if self.kind is None:
            current_token = "the end of the file"
        elif self.kind == OPEN_QUOTE:
            current_token = "a quote that is never closed"
        else:
            current_token = f'"{self.text}"' if self.kind == NAME else f"'{self.text}'"
        return self.make_error(f"expected {expected}, found {current_token}.", self.offset)

    def is_at_mark(self, mark: str) -> bool:
        """Return whether the current token is a given brace or comma.

        Parameters
        ----------
        mark : str
            The brace or comma: '{', '}' or ','.

        Returns
        -------
        bool
            Whether the current token is this one.
        """
        return self.kind == MARK and self.text == mark

    def skip_mark(self, mark: str, expected: str) -> None:
        """Move past a brace or comma, which must be the current token.

        Parameters
        ----------
        mark : str
            The brace or comma: '{', '}' or ','.
        expected : str
            What the error message says was expected.

        Raises
        ------
        FileFormatError
            If the current token is something else.
        """
        if not self.is_at_mark(mark):
            raise self.make_expected_error(expected)
        self.advance_token()

    def parse_word(self, expected: str, *allowed: str) -> str:
        """Return the current token, which must be one of several words, and move past it.

        Parameters
        ----------
        expected : str
            What the error message says was expected.
        *allowed : str
            The words that are accepted.

        Returns
        -------
        str
            The word.

        Raises
        ------
        FileFormatError
            If the current token is not one of these words.
        """
        if self.kind != WORD or self.text not in allowed:
            raise self.make_expected_error(expected)
        word = self.text
        self.advance_token()
        return word

    def parse_name(self, expected: str) -> str:
        """Return the current token, which must be a name in quotes, and move past it.

        Parameters
        ----------
        expected : str
            What the error message says was expected, such as 'the title'.

        Returns
        -------
        str
            The name without its quotes. An escaped quote inside the name is returned as a quote.

        Raises
        ------
        FileFormatError
            If the current token is not a name in quotes.
        """
        if self.kind != NAME:
            raise self.make_expected_error(f"{expected} in quotes")
        name = self.text.replace('\\"', '"') if "\\" in self.text else self.text
        self.advance_token()
        return name

    def parse_names(self, expected: str) -> tuple[str, ...]:
        """Return the quoted names of a list in braces, which begins at the current token, and move past the list.

        Parameters
        ----------
        expected : str
            What the error message says that each name is, such as "player's name".

        Returns
        -------
        tuple of str
            The names, without their quotes.

        Raises
        ------
        FileFormatError
            If there is no such list.
        """
        self.skip_mark("{", f"'{{' before the {expected}s")
        names = []
        while not self.is_at_mark("}"):
            names.append(self.parse_name(f"'}}' or the next {expected}"))
        self.advance_token()
        return tuple(names)

    def parse_number(self, expected: str) -> Number:
        """Return the exact value of the current token, which must be a number, and move past it.

        Parameters
        ----------
        expected : str
            What the error message says was expected, such as "the action's probability".

        Returns
        -------
        int or Fraction
            The number, which is an int if it is integral.

        Raises
        ------
        FileFormatError
            If the token is not a number, has more than `MOST_DIGITS` characters, has the denominator 0, or is larger
            than the largest float.
        """
        is_short_word = self.kind == WORD and len(self.text) <= MOST_DIGITS
        if not (is_short_word and NUMBER.fullmatch(self.text)):
            raise self.make_expected_error(f"{expected}, such as 2, -1/3 or 0.25")

        try:
            number = parse_exact_number(self.text)
        except ZeroDivisionError:
            raise self.make_expected_error(
                f"{expected}, with a denominator other than zero"
            ) from None

        # Only numbers with many digits or an exponent can be too large. Others are not compared, because it takes time.
        may_be_too_large = len(self.text) > SAFE_DIGITS or "e" in self.text.lower()
        if may_be_too_large and not -LARGEST_UTILITY <= number <= LARGEST_UTILITY:
            raise self.make_expected_error(f"{expected} of at most {LARGEST_UTILITY:.1e}")

        self.advance_token()
        return number

    def parse_nonnegative_integer(self, expected: str) -> int:
        """Return the current token, which must be an integer of at least 0, and move past it.

        Parameters
        ----------
        expected : str
            What the error message says was expected, such as 'the number of the outcome'.

        Returns
        -------
        int
            The integer.

        Raises
        ------
        FileFormatError
            If the token is not such an integer, or has `MOST_DIGITS` digits or more.
        """
        if self.kind != WORD or not (self.text.isdecimal() and len(self.text) < MOST_DIGITS):
            raise self.make_expected_error(f"{expected}, a whole number")
        number = int(self.text)
        self.advance_token()
        return number


@lru_cache(maxsize=1024)
def parse_exact_number(text: str) -> Number:
    """Return the exact value of a number that is written as text, such as '2', '-1/3' or '0.25'.

    Parameters
    ----------
    text : str
        The number, which matches the pattern `NUMBER`.

    Returns
    -------
    int or Fraction
        Its value. A decimal such as '0.1' is read as the fraction 1/10.

    Raises
    ------
    ZeroDivisionError
        If the denominator is zero.
    """
    if INTEGER.fullmatch(text):
        return int(text)
    whole_digits, point, digits = text.partition(".")
    is_plain_decimal = point and digits.isdecimal()
    if is_plain_decimal:  # faster than the general case
        fraction = Fraction(int(whole_digits + digits), 10 ** len(digits))
    else:
        fraction = Fraction(text)
    return simplify_exact_number(fraction)


def simplify_exact_number(number: Number) -> Number:
    """Return an exact number as an int if it is integral, and otherwise as the Fraction that it is.

    Parameters
    ----------
    number : int or Fraction
        The number.

    Returns
    -------
    int or Fraction
        An equal number.
    """
    return number.numerator if number.denominator == 1 else number
