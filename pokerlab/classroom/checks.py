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
    describe_answer,
    describe_size,
    is_rounded,
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
        words = html.escape(f"{self.mark} {self.text}".strip())
        return (
            f'<div style="border-left: 4px solid; padding-left: 0.8em"><p>{words}</p>{table}</div>'
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
    put : callable, optional
        A function of an answer and the arguments of a case that returns the numbers to compare. By default these are
        the answer itself, or its result if it is a function.
    within : float
        The largest relative difference of results that count as equal.
    kind : str
        The kind of answer, one of `KINDS`. If it is empty, the answer is a function if there are cases, and otherwise
        numbers.
    """

    truth: Callable[..., Any]
    slips: Sequence[Callable[..., Any]] = ()
    cases: Callable[[], Iterable[Any]] | Sequence[Any] = ()
    put: Callable[..., Any] | None = None
    within: float = 1e-3
    kind: str = ""

    @property
    def asked(self) -> str:
        """The kind of answer that the exercise asks for, a key of `KINDS`."""
        return self.kind or ("function" if self.cases else "numbers")

    @property
    def arguments(self) -> list[Any]:
        """The arguments of all cases; arrays are copies, because a student's program may change them."""
        cases = self.cases() if callable(self.cases) else self.cases or [()]
        return [[x.copy() if isinstance(x, np.ndarray) else x for x in case] for case in cases]

    def compute_results(self, program: Callable[..., Any]) -> list[Floats]:
        """Return the result of a program for each case, as arrays of numbers."""
        return [np.asarray(program(*case), np.float64) for case in self.arguments]

    def parse_results(self, answer: Any) -> list[Floats]:
        """Return the numbers of a student's answer that are compared with the right ones, for each case."""
        if (put := self.put) is not None:
            return self.compute_results(lambda *case: put(answer, *case))
        program = answer if self.cases else lambda: answer
        return self.compute_results(lambda *case: parse_answer(program(*case)))

    def results_agree(self, first: Sequence[Floats], second: Sequence[Floats]) -> bool:
        """Return whether the results for all cases are equal, up to rounding and sampling errors."""
        return all(
            np.allclose(result, other, rtol=self.within, atol=SMALL)
            for result, other in zip(first, second, strict=True)
        )

    def judge_answer(self, answer: Any, hints: Sequence[str]) -> tuple[bool, str]:
        """Return whether an answer is right, and a sentence about it.

        `hints` has a hint for each slip, and as the last one a hint for all other mistakes.
        """
        kind, fits = KINDS[self.asked]
        if answer is ...:
            return False, WORDS["open"]
        if not fits(answer):
            return False, f"It is {describe_answer(answer)}, not {kind}."
        try:
            found = self.parse_results(answer)
        except (Exception, SystemExit) as error:  # a student's program may do anything
            return False, f"{self.describe_failure(answer, error)} {hints[-1]}"
        right = self.compute_results(self.truth)
        for one, other in zip(found, right, strict=True):
            if one.shape != other.shape:
                sizes = (
                    f"It has {describe_size(one.shape)} in place of {describe_size(other.shape)}."
                )
                return False, f"{sizes} {hints[-1]}"
            if not np.isfinite(one).all():
                return False, WORDS["open"]
        if self.results_agree(found, right):
            return True, "Right."
        if hint := self.find_hint(found, right, hints):
            return False, hint
        if all(map(is_rounded, found, right)):
            return True, "Right, but rounded."
        return False, hints[-1]

    def describe_failure(self, answer: Any, error: BaseException) -> str:
        """Return a sentence that explains why an answer of the right kind could not be compared, given the error."""
        if "ellipsis" in f"{get_message(error)} {get_message(error.__cause__)}":
            return str(WORDS["open"])
        called = callable(answer)
        if isinstance(error, NotNumbers):
            return (
                f"It returns {error}, not numbers."
                if called
                else f"It is {error}, not {KINDS[self.asked][0]}."
            )
        if isinstance(error, KeyError) and not called:
            return f"It has no entry {get_message(error)}."
        if not called:
            return "It cannot be compared with what is asked for."
        if self.put is None and not accepts_arguments(answer, self.arguments[0]):
            many = len(self.arguments[0])
            return f"It is called with {many} argument{'s' * (many != 1)}, and does not take that many."
        message = get_message(error).rstrip(".")
        return f"It ends with {type(error).__name__}{': ' * bool(message)}{message}."

    def find_hint(
        self, found: Sequence[Floats], right: Sequence[Floats], hints: Sequence[str]
    ) -> str:
        """Return the hint for wrong numbers, or an empty text if they are not a known mistake.

        Known mistakes are the slips of the exercise, results that differ by a common factor, and results in another
        order.
        """
        for slip, hint in zip(self.slips, hints, strict=False):
            if self.results_agree(found, self.compute_results(slip)):
                return hint
        for factor, general in WORDS["factors"].items():
            if self.results_agree(found, [float(factor) * each for each in right]):
                return str(general)
        if self.put is None and all(each.ndim == 1 and len(each) > 2 for each in right):
            ordered = [[np.sort(each) for each in numbers] for numbers in (found, right)]
            if self.results_agree(*ordered) or (
                not all(map(is_rounded, found, right)) and all(map(is_rounded, *ordered))
            ):
                return str(WORDS["order"])
        turned = all(each.ndim for each in right) and self.results_agree(
            found, [x[::-1] for x in right]
        )
        return str(WORDS["turned"]) if turned else ""


def accepts_arguments(program: Callable[..., Any], arguments: Sequence[Any]) -> bool:
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


def get_message(error: BaseException | None) -> str:
    """Return the message of an error, or an empty text if the message cannot be read."""
    try:
        return str(error)
    except Exception:  # a student's own error may do anything
        return ""
