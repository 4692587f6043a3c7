"""Answers put to the test: each beside what the library computes, a wrong one with the hint that fits it.

The truth of a `Check` is a program, and so is each slip, a mistake that somebody may make: a wrong answer that agrees
with a slip is told what went wrong. Whatever an answer is, a sentence comes back. Words stand in
`data/classroom.json`, programs in `exercises`.
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
    describe,
    describe_size,
    is_rounded,
    read_answer,
)
from pokerlab.core.arrays import Floats
from pokerlab.core.files import DATA

WORDS: dict[str, Any] = json.loads((DATA / "classroom.json").read_text(encoding="utf-8"))
"""What exercises ask for, with their hints, and what is to be predicted."""
RIGHT, WRONG = "✓", "✗"


@dataclass(frozen=True, eq=False)
class Note:
    """What a student is told: words, and perhaps a table."""

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
    """How the answer to an exercise is put to the test."""

    truth: Callable[..., Any]
    slips: Sequence[Callable[..., Any]] = ()  # their hints are the exercise's, in this order
    cases: (
        Callable[[], Iterable[Any]] | Sequence[Any]
    ) = ()  # arguments, if the answer is a function
    put: Callable[..., Any] | None = None  # what of an answer, and a case, is compared
    within: float = 1e-3  # relative
    kind: str = ""  # one of `KINDS`; if empty, a function where there are cases, else numbers

    @property
    def asked(self) -> str:
        """The kind of answer that is asked for."""
        return self.kind or ("function" if self.cases else "numbers")

    @property
    def arguments(self) -> list[Any]:
        """The cases; arrays are copies, which a program may spoil."""
        cases = self.cases() if callable(self.cases) else self.cases or [()]
        return [[x.copy() if isinstance(x, np.ndarray) else x for x in case] for case in cases]

    def results(self, program: Callable[..., Any]) -> list[Floats]:
        """Return what a program says of each case."""
        return [np.asarray(program(*case), np.float64) for case in self.arguments]

    def found(self, answer: Any) -> list[Floats]:
        """Return the numbers of an answer."""
        if (put := self.put) is not None:
            return self.results(lambda *case: put(answer, *case))
        program = answer if self.cases else lambda: answer
        return self.results(lambda *case: read_answer(program(*case)))

    def agree(self, some: Sequence[Floats], others: Sequence[Floats]) -> bool:
        """Return whether numbers are the same, but for what rounding and sampling do."""
        return all(
            np.allclose(one, other, rtol=self.within, atol=SMALL)
            for one, other in zip(some, others, strict=True)
        )

    def judge(self, answer: Any, hints: Sequence[str]) -> tuple[bool, str]:
        """Return whether an answer is right, and what there is to say; the last hint is for what is no known slip."""
        kind, fits = KINDS[self.asked]
        if answer is ...:
            return False, WORDS["open"]
        if not fits(answer):
            return False, f"It is {describe(answer)}, not {kind}."
        try:
            found = self.found(answer)
        except (Exception, SystemExit) as error:  # a student's program may do anything
            return False, f"{self.describe_failure(answer, error)} {hints[-1]}"
        right = self.results(self.truth)
        for one, other in zip(found, right, strict=True):
            if one.shape != other.shape:
                sizes = (
                    f"It has {describe_size(one.shape)} in place of {describe_size(other.shape)}."
                )
                return False, f"{sizes} {hints[-1]}"
            if not np.isfinite(one).all():
                return False, WORDS["open"]
        if self.agree(found, right):
            return True, "Right."
        if hint := self.known_hint(found, right, hints):
            return False, hint
        if all(map(is_rounded, found, right)):
            return True, "Right, but rounded."
        return False, hints[-1]

    def describe_failure(self, answer: Any, error: BaseException) -> str:
        """Return what happened when an answer, of the kind that is asked for, could not be compared."""
        if "ellipsis" in f"{say(error)} {say(error.__cause__)}":
            return str(WORDS["open"])
        called = callable(answer)
        if isinstance(error, NotNumbers):
            return (
                f"It returns {error}, not numbers."
                if called
                else f"It is {error}, not {KINDS[self.asked][0]}."
            )
        if isinstance(error, KeyError) and not called:
            return f"It has no entry {say(error)}."
        if not called:
            return "It cannot be compared with what is asked for."
        if self.put is None and not takes(answer, self.arguments[0]):
            many = len(self.arguments[0])
            return f"It is called with {many} argument{'s' * (many != 1)}, and does not take that many."
        message = say(error).rstrip(".")
        return f"It ends with {type(error).__name__}{': ' * bool(message)}{message}."

    def known_hint(
        self, found: Sequence[Floats], right: Sequence[Floats], hints: Sequence[str]
    ) -> str:
        """Return the hint that fits wrong numbers, or nothing if they are no known slip."""
        for slip, hint in zip(self.slips, hints, strict=False):
            if self.agree(found, self.results(slip)):
                return hint
        for factor, general in WORDS["factors"].items():
            if self.agree(found, [float(factor) * each for each in right]):
                return str(general)
        if self.put is None and all(each.ndim == 1 and len(each) > 2 for each in right):
            ordered = [[np.sort(each) for each in numbers] for numbers in (found, right)]
            if self.agree(*ordered) or (
                not all(map(is_rounded, found, right)) and all(map(is_rounded, *ordered))
            ):
                return str(WORDS["order"])
        turned = all(each.ndim for each in right) and self.agree(found, [x[::-1] for x in right])
        return str(WORDS["turned"]) if turned else ""


def takes(program: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    """Return whether a program can be called with these arguments, as far as Python says."""
    try:
        inspect.signature(program).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # it has no signature that can be read
        return True
    return True


def say(error: BaseException | None) -> str:
    """Return the message of an error, if it has one."""
    try:
        return str(error)
    except Exception:  # a student's own error may do anything
        return ""
