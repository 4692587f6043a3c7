"""Reading the answers that students type, as numbers or words, and describing what cannot be read.

Words may be written in upper or lower case, and each may be slightly misspelled. Numbers may be given as text, such as
'16.7' or '50/3'.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from numbers import Complex, Real
from typing import Any

import numpy as np

from pokerlab.core import Floats, PokerlabError, SettingError
from pokerlab.core.arrays import fill_masked_with_nan, validate_numbers

MOST_LETTERS = 60  # the most letters of a text or number that is quoted
LEAST_SIMILARITY = 0.8  # the similarity, from 0 to 1, from which on two words count as the same
SMALL = 1e-6  # a smaller difference counts as a rounding error, whatever the size of the numbers
MOST_DIGITS = 8  # a rounded answer may have up to this many digits more than two


class NotNumbers(PokerlabError):
    """The error that an answer does not consist of numbers; its message describes the answer."""


class UnknownPhrase(PokerlabError):
    """The error that an answer has something else in it than the phrases that the exercise allows."""


def is_list(answer: Any) -> bool:
    """Return whether an answer is a list of any kind, but not text."""
    return isinstance(answer, Sequence | np.ndarray) and not isinstance(answer, str | bytes)


KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "number": ("a number", lambda answer: not callable(answer)),
    "numbers": ("numbers", lambda answer: not callable(answer)),
    "function": ("a function", callable),
    "class": ("a class (its name, without parentheses)", callable),
    "list": ("a list", is_list),
    "dictionary": ("a dictionary", lambda answer: isinstance(answer, Mapping)),
    "profile": ("a profile", lambda answer: hasattr(answer, "probabilities")),
}
"""The kinds of answers that exercises ask for: the words for each, and a test of whether an answer is of that kind."""


def describe_answer(value: object) -> str:
    """Return an answer in words, such as 'the number 3', 'a list' or 'an array of shape (2, 3)'."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, bool | np.bool_):
        return f"the truth value {value}"
    if isinstance(value, str):
        return f"the text '{value}'" if len(value) <= MOST_LETTERS else "a long text"
    if isinstance(value, Real):
        return describe_number(value)
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, type):
        return f"the class {value.__name__}"

    for value_type, description in (
        (list | tuple, "a list"),
        (Mapping, "a dictionary"),
        (Complex, "a complex number"),
    ):
        if isinstance(value, value_type):
            return description

    return "a function" if callable(value) else f"an object of the class {type(value).__name__}"


def is_known(name: object, known_names: Collection[str]) -> bool:
    """Return whether `name` is a text that is among the known names."""
    return isinstance(name, str) and name in known_names


def describe_unknown_name(kind: str, name: object, known_names: Collection[str]) -> str:
    """Return a sentence that says that an exercise or prediction is unknown, and suggests a similar name if any.

    Parameters
    ----------
    kind : {'exercise', 'prediction'}
        What is named.
    name : object
        The name that a student gave, of any type.
    known_names : collection of str
        The known names, each a lesson and a number.
    """
    similar_names = get_close_matches(name, known_names, n=1) if isinstance(name, str) else []
    example = min(known_names)
    if similar_names:
        return (
            f"There is no {kind} called '{name}'. Give lesson and number, such as '{example}'."
            f" Did you mean '{similar_names[0]}'?"
        )
    return (
        f"There is no {kind} called {describe_answer(name)}. Give lesson and number, such as"
        f" '{example}'."
    )


def describe_number(value: Real | str) -> str:
    """Return a number or its text in words, such as 'the number 3', or 'a long number' if it has too many digits."""
    try:
        text = str(value)
    except ValueError:  # Python writes no whole numbers of thousands of digits
        text = ""
    return f"the number {text}" if 0 < len(text) <= MOST_LETTERS else "a long number"


def describe_size(shape: tuple[int, ...], noun: str = "number") -> str:
    """Return the size of an array in words, given its shape, such as '3 numbers' or 'an array of shape (2, 3)'.

    `noun` is what it consists of.
    """
    if not shape:
        return f"one {noun}"
    if len(shape) > 1:
        return f"an array of shape {shape}"
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else f"{noun}s"
    return f"{shape[0]} {plural}" if shape[0] != 1 else f"a list of one {noun}"


def convert_numeric_text(value: object) -> object:
    """Return a text such as '16.7' or '50/3' as a float.

    A text that is no number, and any value that is not text, is returned unchanged.
    """
    if not isinstance(value, str):
        return value
    numerator, has_slash, denominator = value.partition("/")
    try:
        return float(numerator) / float(denominator) if has_slash else float(numerator)
    except (ValueError, ZeroDivisionError):
        return value


def parse_answer(answer: Any) -> Floats:
    """Return the numbers of a student's answer as an array of the answer's shape.

    Raises
    ------
    NotNumbers
        If the answer does not consist of numbers. Truth values do not count as numbers.
    """
    try:
        value: Any = convert_numeric_text(answer)
        if value is None or np.asarray(value).dtype.kind == "b":
            raise SettingError("no numbers")
        return validate_numbers(value, "answers")
    except Exception as error:  # an object may do anything when it is read
        raise NotNumbers(describe_what_is_no_number(answer)) from error


def describe_what_is_no_number(answer: object) -> str:
    """Return an answer that does not consist of numbers in words; of a list, what in it is no number."""
    if not isinstance(answer, list | tuple):
        return describe_answer(answer)
    lengths = {len(entry) if isinstance(entry, list | tuple) else -1 for entry in answer}
    if len(lengths) > 1:
        return "a list whose entries have different lengths"
    for entry in answer:
        try:
            parse_answer(entry)
        except NotNumbers as error:
            inner = str(error)
            return inner if inner.startswith("a list with ") else f"a list with {inner} in it"
    return "a list"


def number_phrases(answer: Any, phrases: Sequence[str]) -> list[int]:
    """Return the number of each entry of an answer in a sequence of phrases, which may be slightly misspelled.

    Raises
    ------
    UnknownPhrase
        If an entry is none of the phrases.
    """
    numbers = []
    for entry in answer:
        phrase = find_similar_phrase(entry, phrases) if isinstance(entry, str) else None
        if phrase is None:
            choices = ", ".join(f"'{each}'" for each in phrases)
            raise UnknownPhrase(f"It has {describe_answer(entry)} in it. Choose among {choices}.")
        numbers.append(phrases.index(phrase))
    return numbers


def parse_guess(guess: object, allowed: Sequence[Any]) -> str | float | None:
    """Return a student's guess as one of the allowed phrases, or as a number in the allowed range.

    Parameters
    ----------
    guess : object
        What the student typed: a text, which may be slightly misspelled, or a number.
    allowed : sequence of str, or pair of float
        The allowed phrases, or the lowest and the highest number.

    Returns
    -------
    str, float or None
        None if the guess is not allowed.
    """
    if isinstance(allowed[0], str):
        return find_similar_phrase(guess, allowed) if isinstance(guess, str) else None
    value = convert_numeric_text(guess)
    if isinstance(value, np.ndarray) and value.shape == ():
        value = fill_masked_with_nan(value).item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return None
    low, high = allowed
    return float(value) if low <= value <= high else None


def find_similar_phrase(text: str, allowed: Sequence[str]) -> str | None:
    """Return the allowed phrase that is most similar to a text, or None if none is similar enough.

    Phrases are compared word by word, and the least similar pair of words counts. So 'with a hall' does not count as
    'without a hall'.
    """
    typed_words = text.casefold().split()

    def measure_similarity(phrase: str) -> float:
        """Return the least similarity, from 0 to 1, of a word of the option to the word that was typed in its place."""
        phrase_words = phrase.casefold().split()
        if len(phrase_words) != len(typed_words):
            return 0.0
        pairs = zip(typed_words, phrase_words, strict=True)
        return min(SequenceMatcher(None, typed_word, word).ratio() for typed_word, word in pairs)

    nearest = max(allowed, key=measure_similarity)
    return nearest if measure_similarity(nearest) >= LEAST_SIMILARITY else None


def are_equal_after_rounding(numbers: Floats, right_numbers: Floats) -> bool:
    """Return whether the given numbers are the right ones, rounded to some number of decimals.

    All numbers must be rounded to the same number of decimals, and the largest one must have at least two significant
    digits. For example, 1/16, 10/16 and 5/16 may be rounded to 0.06, 0.63 and 0.31. Both arrays have the same shape.
    """
    largest = float(np.abs(right_numbers).max(initial=0.0))
    if not largest:
        return bool(np.abs(numbers).max(initial=0.0) <= SMALL)

    fewest_decimals = 1 - int(np.floor(np.log10(largest)))  # two digits of the largest number
    for decimals in range(fewest_decimals, fewest_decimals + MOST_DIGITS):
        # In units of the last decimal, rounded numbers are whole, and at most a half from the right ones.
        in_last_digits = numbers * 10.0**decimals
        errors = np.abs(numbers - right_numbers) * 10.0**decimals
        are_whole = np.abs(in_last_digits - in_last_digits.round()).max() < SMALL
        if are_whole and errors.max() < 0.5 + SMALL:
            return True
    return False
