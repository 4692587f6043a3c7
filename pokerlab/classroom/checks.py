"""Answers put to the test: each beside what the library computes, a wrong one with the hint that fits it.

The truth of a `Check` is a program, and so is each slip, a mistake that somebody may make: a wrong answer that agrees
with a slip is told what went wrong. Words stand in `data/classroom.json`, programs in `exercises`.
"""

import html
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.files import DATA

WORDS: dict[str, Any] = json.loads((DATA / "classroom.json").read_text(encoding="utf-8"))
"""What exercises ask for, with their hints, and what is to be predicted."""
RIGHT, WRONG = "✓", "✗"
SMALL = 1e-6  # what is rounding beside numbers of any size


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

    def results(self, program: Callable[..., Any]) -> list[Floats]:
        """Return what a program says of each case; arrays are copies, which it may spoil."""
        cases = self.cases() if callable(self.cases) else self.cases or [()]
        given = ([x.copy() if isinstance(x, np.ndarray) else x for x in case] for case in cases)
        return [np.asarray(program(*case), np.float64) for case in given]

    def found(self, answer: Any) -> list[Floats]:
        """Return the numbers of an answer."""
        if (put := self.put) is not None:
            return self.results(lambda *case: put(answer, *case))
        return self.results(answer if self.cases else lambda: answer)

    def agree(self, some: Sequence[Floats], others: Sequence[Floats]) -> bool:
        """Return whether numbers are the same, but for rounding."""
        return all(
            np.allclose(one, other, rtol=self.within, atol=SMALL)
            for one, other in zip(some, others, strict=True)
        )

    def fault(self, answer: Any, hints: Sequence[str]) -> str:
        """Return what is wrong with an answer, or nothing; the last hint is for what is no known slip."""
        try:
            found = self.found(answer)
        except Exception as error:  # a student's program may do anything
            raised = f"It ends with {type(error).__name__}: {str(error).rstrip('.')}. {hints[-1]}"
            return str(WORDS["open"]) if "ellipsis" in str(error) else raised
        right = self.results(self.truth)
        for one, other in zip(found, right, strict=True):
            if one.shape != other.shape:
                return f"It has shape {one.shape} in place of {other.shape}. {hints[-1]}"
            if not np.isfinite(one).all():
                return str(WORDS["open"])
        return "" if self.agree(found, right) else self.hint(found, right, hints)

    def hint(self, found: Sequence[Floats], right: Sequence[Floats], hints: Sequence[str]) -> str:
        """Return the hint that fits wrong numbers."""
        for slip, hint in zip(self.slips, hints, strict=False):
            if self.agree(found, self.results(slip)):
                return hint
        for factor, general in WORDS["factors"].items():
            if self.agree(found, [float(factor) * each for each in right]):
                return str(general)
        turned = all(each.ndim for each in right) and self.agree(found, [x[::-1] for x in right])
        return str(WORDS["turned"]) if turned else hints[-1]
