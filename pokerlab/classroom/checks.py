"""The checks of answers to exercises: an answer is compared with the right one, and a wrong answer gets a hint.

A `Check` has a program that computes the right result, and a program for each common mistake, called a slip. An answer
that agrees with a slip gets the hint for this slip. For any answer, of whatever kind, the student gets a sentence. The
sentences are in `data/classroom.json`, and the checks of all exercises are in `exercises`.
"""

import html
import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.classroom.answers import (
    KINDS,
    SMALL,
    NotNumbers,
    UnknownPhrase,
    are_equal_after_rounding,
    describe_answer,
    describe_size,
    parse_answer,
)
from pokerlab.core.arrays import Floats
from pokerlab.core.files import DATA

WORDS: dict[str, Any] = json.loads((DATA / "classroom.json").read_text(encoding="utf-8"))
"""The texts of the classroom: what each exercise asks for, the hints, and the questions of predictions."""
NAMES_IN_1_0: dict[str, dict[str, str]] = WORDS["names_in_1_0"]
"""What the exercises and the predictions that pokerlab 1.0 numbered with a dash, such as '03-2', are called now."""
RIGHT, WRONG = "✓", "✗"


def find_current_name(kind: str, name: Any) -> Any:
    """Return the present name of an exercise or prediction, which 1.0 may have called by another lesson's number.

    Handouts, courses and saved guesses of 1.0 keep their meaning: '03-2' is the exercise that is '05.2' now. Any other
    name, and anything that is no text, is returned as it is.

    Parameters
    ----------
    kind : {'exercises', 'predictions'}
        What is named.
    name : object
        The name that was given.

    Examples
    --------
    >>> find_current_name("exercises", "03-2"), find_current_name("exercises", "03.2")
    ('05.2', '03.2')
    """
    return NAMES_IN_1_0[kind].get(name, name) if isinstance(name, str) else name


@dataclass(frozen=True, eq=False)
class Note:
    """A message to a student.

    Attributes
    ----------
    text : str
        The message.
    mark : str
        '✓' if the answer is right, '✗' if it is wrong, otherwise empty.
    rows : sequence of sequence of str
        The rows of a table below the message, if there is one.
    """

    text: str
    mark: str = ""
    rows: Sequence[Sequence[str]] = ()

    def __bool__(self) -> bool:
        return self.mark == RIGHT

    def __repr__(self) -> str:
        return "\n".join([f"{self.mark} {self.text}".strip(), *map(" | ".join, self.rows)])

    def _repr_html_(self) -> str:
        cell = '<td style="padding-right: 1em">{}</td>'.format
        cells = (map(cell, map(html.escape, row)) for row in self.rows)
        rows = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
        table = f"<table>{rows}</table>" if rows else ""
        text = html.escape(f"{self.mark} {self.text}".strip())
        return (
            f'<div style="border-left: 4px solid; padding-left: 0.8em"><p>{text}</p>{table}</div>'
        )


@dataclass(frozen=True)
class Check:
    """The check of the answers to an exercise.

    Attributes
    ----------
    truth : callable
        A function that returns the right result of a case.
    slips : sequence of callable
        Functions that return the result of a common mistake. The hints of the exercise are in the same order.
    cases : sequence, or callable that returns one
        The arguments with which an answer is called, one tuple for each case, if the answer is a function.
    compute_numbers : callable, optional
        A function of an answer and the arguments of a case that returns the numbers to compare. By default these are
        the answer itself, or its result if it is a function.
    tolerance : float
        The largest relative difference of results that count as equal.
    kind : str
        The kind of answer, one of `KINDS`. If it is empty, the answer is a function if there are cases, and otherwise
        numbers.
    """

    truth: Callable[..., Any]
    slips: Sequence[Callable[..., Any]] = ()
    cases: Callable[[], Iterable[Any]] | Sequence[Any] = ()
    compute_numbers: Callable[..., Any] | None = None
    tolerance: float = 1e-3
    kind: str = ""

    @property
    def kind_of_answer(self) -> str:
        """The kind of answer that the exercise asks for, a key of `KINDS` such as 'number' or 'function'."""
        return self.kind or ("function" if self.cases else "numbers")

    @property
    def arguments(self) -> list[Any]:
        """The arguments of all cases, a list for each; one case without arguments if the exercise has none.

        Arrays are copies, because a student's program may change them.
        """
        cases = self.cases() if callable(self.cases) else self.cases or [()]
        return [
            [value.copy() if isinstance(value, np.ndarray) else value for value in case]
            for case in cases
        ]

    def compute_results(self, program: Callable[..., Any]) -> list[Floats]:
        """Return the results of a program of the classroom, an array of numbers for each case of the exercise."""
        return [np.asarray(program(*case), np.float64) for case in self.arguments]

    def parse_results(self, answer: Any) -> list[Floats]:
        """Return the numbers of a student's answer that are compared with the right ones, an array for each case.

        Raises
        ------
        NotNumbers
            If a result does not consist of numbers. A student's program may raise any other error.
        """
        compute_numbers = self.compute_numbers
        if compute_numbers is not None:
            return self.compute_results(lambda *case: compute_numbers(answer, *case))
        program = answer if self.cases else lambda: answer
        return self.compute_results(lambda *case: parse_answer(program(*case)))

    def results_agree(self, results: Sequence[Floats], expected_results: Sequence[Floats]) -> bool:
        """Return whether results are equal to the expected ones, up to rounding and sampling errors.

        Two numbers are equal if they differ by at most `SMALL` plus `tolerance` times the expected one.

        Parameters
        ----------
        results, expected_results : sequence of array
            The results and the expected ones, an array for each case. The arrays of a case must have the same shape.

        Raises
        ------
        ValueError
            If the lists have different lengths, or the arrays of a case have shapes that do not fit.
        """
        pairs = list(zip(results, expected_results, strict=True))
        are_equal = [
            np.allclose(result, expected, rtol=self.tolerance, atol=SMALL)
            for result, expected in pairs
        ]
        return all(are_equal)

    def judge_answer(self, answer: Any, hints: Sequence[str]) -> tuple[bool, str]:
        """Return whether a student's answer is right, and a sentence about it.

        Parameters
        ----------
        answer : object
            The answer, of any type. `...` means that there is none yet.
        hints : sequence of str
            A hint for each slip, and as the last one a hint for all other mistakes.
        """
        general_hint = hints[-1]
        kind, is_of_kind = KINDS[self.kind_of_answer]
        if answer is ...:
            return False, WORDS["open"]
        if not is_of_kind(answer):
            return False, f"It is {describe_answer(answer)}, not {kind}."
        try:
            results = self.parse_results(answer)
        except (Exception, SystemExit) as error:  # a student's program may do anything
            return False, f"{self.describe_failure(answer, error)} {general_hint}"

        right_results = self.compute_results(self.truth)
        for result, right_result in zip(results, right_results, strict=True):
            if result.shape != right_result.shape:
                noun = "entry" if self.kind_of_answer == "list" else "number"
                found_size = describe_size(result.shape, noun)
                right_size = describe_size(right_result.shape, noun)
                verb = "is" if result.ndim > 1 else "has"
                return False, f"It {verb} {found_size} in place of {right_size}. {general_hint}"
            if not np.isfinite(result).all():
                return False, WORDS["open"]
        if self.results_agree(results, right_results):
            return True, "Right."
        if hint := self.find_hint(results, right_results, hints):
            return False, hint
        if all(map(are_equal_after_rounding, results, right_results)):
            return True, "Right, but rounded."
        return False, general_hint

    def describe_failure(self, answer: Any, error: BaseException) -> str:
        """Return a sentence that explains why an answer of the right kind could not be compared with the right one.

        `error` is the error that was raised when the answer was read or called.
        """
        if "ellipsis" in f"{read_error_message(error)} {read_error_message(error.__cause__)}":
            return str(WORDS["open"])
        if isinstance(error, UnknownPhrase):
            return str(error)
        if not callable(answer):
            if isinstance(error, NotNumbers):
                return f"It is {error}, not {KINDS[self.kind_of_answer][0]}."
            if isinstance(error, KeyError):
                return f"It has no entry {read_error_message(error)}."
            return "It cannot be compared with what is asked for."

        if isinstance(error, NotNumbers):
            return f"It returns {error}, not numbers."
        arguments = self.arguments[0]
        if self.compute_numbers is None and not can_be_called_with(answer, arguments):
            number_of_arguments = (
                "1 argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            )
            return f"It is called with {number_of_arguments}, and does not take that many."
        message = read_error_message(error).rstrip(".")
        return f"It ends with {type(error).__name__}{': ' * bool(message)}{message}."

    def find_hint(
        self, results: Sequence[Floats], right_results: Sequence[Floats], hints: Sequence[str]
    ) -> str:
        """Return the hint for wrong numbers, or an empty text if they are not a known mistake.

        Known mistakes are the slips of the exercise, results that differ by a common factor, and results in another
        order.

        Parameters
        ----------
        results, right_results : sequence of array
            The numbers of the answer and the right ones, an array of the same shape for each case.
        hints : sequence of str
            A hint for each slip.
        """
        for slip, hint in zip(self.slips, hints, strict=False):
            if self.results_agree(results, self.compute_results(slip)):
                return hint
        for factor, hint in WORDS["factors"].items():
            if self.results_agree(results, [float(factor) * result for result in right_results]):
                return str(hint)

        are_long_lists = all(result.ndim == 1 and len(result) > 2 for result in right_results)
        if self.compute_numbers is None and are_long_lists:
            sorted_results = [np.sort(result) for result in results]
            sorted_right_results = [np.sort(result) for result in right_results]
            agree = self.results_agree(sorted_results, sorted_right_results)
            are_rounded = all(map(are_equal_after_rounding, results, right_results))
            are_rounded_after_sorting = all(
                map(are_equal_after_rounding, sorted_results, sorted_right_results)
            )
            if agree or (are_rounded_after_sorting and not are_rounded):
                return str(WORDS["order"])

        have_order = all(result.ndim for result in right_results)
        if have_order:
            reversed_results = [result[::-1] for result in right_results]
            if self.results_agree(results, reversed_results):
                return str(WORDS["turned"])
        return ""


def can_be_called_with(program: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    """Return whether a program can be called with given arguments, judging by its signature.

    If the signature cannot be read, the result is True.
    """
    try:
        inspect.signature(program).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # it has no signature that can be read
        return True
    return True


def read_error_message(error: BaseException | None) -> str:
    """Return the message of an error, or an empty text if the message cannot be read."""
    try:
        return str(error)
    except Exception:  # a student's own error may do anything
        return ""
