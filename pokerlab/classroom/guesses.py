"""Guesses before a result is seen, in the memory of this session, and set beside the truth at the end of a lesson."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pokerlab.classroom.checks import WORDS, Note
from pokerlab.core import UnknownNameError
from pokerlab.core.settings import number

MOST = 10
"""The points of a right guess; a number a quarter of its range from the truth has none, and between them it is even."""
GUESSES: dict[str, Any] = {}


def predict(prediction: str, guess: Any) -> Note:
    """Note what somebody guesses, in place of an earlier guess; dots are no guess.

    Parameters
    ----------
    prediction : str
        Lesson and number: '03-1'.
    guess : float or str
        A number in the range, or one of the words, that the prediction allows.

    Examples
    --------
    >>> predict("01-1", ...)
    How many information sets does each player have? Your guess: from 1 to 30?
    """
    UnknownNameError.check("prediction", prediction, WORDS["predictions"])
    question, *allowed = WORDS["predictions"][prediction]
    in_words = isinstance(allowed[0], str)
    if guess is ...:
        words = " or ".join(map("'{}'".format, allowed))
        given = words if in_words else "from {} to {}".format(*allowed)
        return Note(f"{question} Your guess: {given}?")
    if in_words:
        UnknownNameError.check("guess", guess, allowed)
    GUESSES[prediction] = guess if in_words else number("the guess", guess, *allowed)
    return Note(f"{question} You say: {guess}.")


def predictions(lesson: str, truth: Mapping[str, Any], file: str | Path | None = None) -> Note:
    """Set the guesses of this session beside the truth.

    Parameters
    ----------
    lesson : str
        Its number: '03'.
    truth : mapping
        What came out, by prediction.
    file : path, optional
        Where the guesses and their points are written, as JSON, for whoever collects them.
    """
    rows, points = [["", "your guess", "truth", "off by", "points"]], {}
    for name, right in truth.items():
        question, low, high, *_ = WORDS["predictions"][name]
        guess = GUESSES.get(name, "none")
        row = [question, *(x if isinstance(x, str) else f"{x:.3g}" for x in (guess, right)), "", ""]
        if name in GUESSES:
            off = float(guess != right) if isinstance(right, str) else abs(guess - right)
            part = off if isinstance(right, str) else 4 * off / (high - low)
            points[name] = round(MOST * max(0.0, 1.0 - part))
            row[3:] = "" if isinstance(right, str) else f"{off:.3g}", str(points[name])
        rows.append(row)
    if file is not None:
        record = {name: {"guess": GUESSES[name], "points": points[name]} for name in points}
        Path(file).write_text(json.dumps(record), encoding="utf-8")
    score = f"{sum(points.values())} of {MOST * len(truth)} points" if points else "no guess yet"
    return Note(f"Your predictions in lesson {lesson}: {score}.", rows=rows)
