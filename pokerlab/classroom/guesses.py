"""The predictions of lessons 00 to 15b: guesses that students make before they see a result, and a class's guesses.

A guess is stored until the end of the session, and it counts if it is made before the answer: `predictions` compares
the guesses of a lesson with the truth, and from then on `predict` accepts no other guess for them. If the environment
variable POKERLAB_GUESSES names a folder, the guesses of each session are also written there, without a name, for
`read_class`. The questions and the kinds of guesses that they ask for are in `data/classroom.json`.
"""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.classroom.answers import (
    convert_numeric_text,
    describe_answer,
    describe_number,
    describe_unknown_name,
    is_known,
    parse_guess,
)
from pokerlab.classroom.checks import WORDS, WRONG, Note, find_current_name
from pokerlab.core.errors import FileFormatError, StorageError
from pokerlab.core.files import open_replacement_file, validate_path

MOST = 10
"""The points of a right guess. For numbers, points decrease linearly with the distance from the truth, and are zero
from a quarter of the range on."""
CLASS_VARIABLE = "POKERLAB_GUESSES"
"""The name of the environment variable that names the folder for the guesses of a class."""
MOST_BYTES = 100_000
"""The largest size of a file with guesses that is read; those of one session take some hundred bytes."""

Guess = str | float


@dataclass(frozen=True)
class Prediction:
    """A question of a lesson, and the guesses that it allows.

    Attributes
    ----------
    question : str
        The question.
    kind : {'choice', 'share', 'number'}
        What is asked for: one of several phrases, a share or probability, or another number.
    allowed : sequence of str, or of float
        The phrases, or the lowest and the highest number.
    unit : str
        The unit of a number, such as 'small bets'; empty for the other kinds.
    """

    question: str
    kind: str
    allowed: Sequence[Any]
    unit: str = ""

    @property
    def choices(self) -> str:
        """The allowed guesses in words, such as "'yes' or 'no'" or 'from 0 to 1'."""
        if self.kind == "choice":
            return " or ".join(map("'{}'".format, self.allowed))
        return "from {} to {}".format(*self.allowed)


PREDICTIONS = {name: Prediction(**declared) for name, declared in WORDS["predictions"].items()}
"""The predictions of all lessons by lesson and number, such as '05.1'."""
GUESSES: dict[str, Guess] = {}
"""The guesses of this session."""
ANSWERED: set[str] = set()
"""The predictions whose truth has been shown in this session."""


def predict(prediction: str, guess: Any) -> Note:
    """Record a student's guess, and return a note with the question.

    A new guess replaces an earlier one until `predictions` has shown the truth, which no guess may follow. If the guess
    is `...`, or is not allowed, nothing is recorded. In a notebook, `pl.predict` with `...` also shows buttons, a
    slider or a number box; the first guess that is made with them counts.

    Parameters
    ----------
    prediction : str
        The lesson and the number of the prediction, such as '05.1'. Names of pokerlab 1.0, such as '03-1', keep their
        meaning.
    guess : float or str
        A number in the range that the question allows, or one of the allowed phrases, which may be slightly misspelled.

    Examples
    --------
    >>> predict("01b.1", ...)
    How many information sets does each player have? Your guess: from 1 to 30?
    """
    prediction = find_current_name("predictions", prediction)
    if not is_known(prediction, PREDICTIONS):
        return Note(describe_unknown_name("prediction", prediction, PREDICTIONS), WRONG)

    question = PREDICTIONS[prediction]
    asks_for_phrase = question.kind == "choice"
    if guess is ...:
        sentence = f"Your guess: {question.choices}?"
        if prediction in GUESSES:
            sentence = f"Your guess: {format_guess(GUESSES[prediction])}."
        return Note(f"{question.question} {sentence}")

    parsed_guess = parse_guess(guess, question.allowed)
    if parsed_guess is None:
        allowed_guesses = question.choices if asks_for_phrase else f"a number {question.choices}"
        said = describe_answer(guess)
        if isinstance(guess, str) and not isinstance(convert_numeric_text(guess), str):
            said = describe_number(guess)  # the box of a page passes numbers as text
        sentence = f"Not recorded: {said}. Your guess must be {allowed_guesses}."
        return Note(f"{question.question} {sentence}", WRONG)
    if prediction in ANSWERED and GUESSES.get(prediction) != parsed_guess:
        return Note(f"{question.question} Not recorded: {describe_late_guess(prediction)}", WRONG)

    GUESSES[prediction] = parsed_guess
    shown_guess = parsed_guess if asks_for_phrase else guess
    return Note(f"{question.question} Your guess: {shown_guess}.{write_class_guesses()}")


def record_first_guess(prediction: str, guess: Any) -> Note:
    """Record a student's guess if there is none for this prediction yet, and return what `predict` says to it.

    If there is a guess already, it stays, and the note repeats the question and says that the first guess counts.

    Parameters
    ----------
    prediction : str
        The name of the prediction, such as '05.2'.
    guess : object
        The student's guess, of the type that the prediction asks for.
    """
    prediction = find_current_name("predictions", prediction)
    if prediction not in GUESSES:
        return predict(prediction, guess)
    question = predict(prediction, ...).text  # with no guess, `predict` only asks
    return Note(f"{question} The first guess counts.")


def describe_late_guess(prediction: str) -> str:
    """Return sentences to a student who guesses after the answer was shown: which guess was made before it, if any."""
    if prediction in GUESSES:
        sentence = f"Your guess before it counts: {format_guess(GUESSES[prediction])}."
    else:
        sentence = "Only a guess before it counts."
    return f"the answer has been shown. {sentence}"


def format_guess(guess: Guess) -> str:
    """Return a guess as text, a number with at most three significant digits."""
    return guess if isinstance(guess, str) else f"{guess:.3g}"


def predictions(lesson: str, truth: Mapping[str, Any], file: str | Path | None = None) -> Note:
    """Return a note that compares the guesses of this session with the truth, in a table with points.

    The answers are then known, so `predict` records no other guess for these predictions.

    Parameters
    ----------
    lesson : str
        The number of the lesson, such as '05'.
    truth : mapping
        The true result for each prediction of the lesson, such as '05.1'.
    file : path, optional
        A file to which the guesses and their points are written as JSON.
    """
    truth = {find_current_name("predictions", name): result for name, result in truth.items()}
    unknown = [name for name in truth if not is_known(name, PREDICTIONS)]
    if unknown:
        return Note(describe_unknown_name("prediction", unknown[0], PREDICTIONS), WRONG)

    rows = [["", "your guess", "truth", "off by", "points"]]
    points = {}
    for name, true_result in truth.items():
        prediction = PREDICTIONS[name]
        guess = GUESSES.get(name, "none")
        row = [prediction.question, format_guess(guess), format_guess(true_result), "", ""]
        if name in GUESSES:
            distance, points[name] = score_guess(prediction, guess, true_result)
            row[3:] = "" if isinstance(true_result, str) else f"{distance:.3g}", str(points[name])
        rows.append(row)

    if file is not None:
        write_guesses(Path(file), {n: {"guess": GUESSES[n], "points": points[n]} for n in points})
    ANSWERED.update(truth)
    score = f"{sum(points.values())} of {MOST * len(truth)} points" if points else "no guess yet"
    return Note(f"Your predictions in lesson {lesson}: {score}.", rows=rows)


def score_guess(prediction: Prediction, guess: Any, truth: Any) -> tuple[float, int]:
    """Return how far a guess is from the truth, and its points.

    The distance is 0 or 1 for phrases. Points decrease linearly with the distance of a number, and are zero from a
    quarter of the question's range on.

    Parameters
    ----------
    prediction : Prediction
        The question.
    guess, truth : str or float
        The guess and the true result, phrases or numbers as the question asks for.
    """
    if prediction.kind == "choice":
        distance = share_of_points_lost = float(guess != truth)
    else:
        low, high = prediction.allowed
        distance = abs(guess - truth)
        share_of_points_lost = 4 * distance / (high - low)
    return distance, round(MOST * max(0.0, 1.0 - share_of_points_lost))


def write_guesses(path: Path, record: Mapping[str, Mapping[str, Any]]) -> None:
    """Write guesses as JSON: for each prediction an object with its 'guess', and with 'points' if they are known."""
    with open_replacement_file(path) as file:
        file.write(json.dumps(record).encode())


@cache
def draw_session_name() -> str:
    """Return the name of this session among those of the class: random letters, which tell nothing about a student."""
    return secrets.token_hex(8)


def write_class_guesses() -> str:
    """Write the guesses of this session into the class's folder, and return a sentence that says so.

    The sentence is empty if there is no such folder. If the file cannot be written, the sentence gives the reason.
    """
    folder = os.environ.get(CLASS_VARIABLE)
    if not folder:
        return ""
    try:
        path = Path(folder) / f"{draw_session_name()}.json"
        write_guesses(path, {name: {"guess": guess} for name, guess in GUESSES.items()})
    except StorageError as error:
        reason = getattr(error.__cause__, "strerror", None) or "the folder is read-only"
        return f" It counts, but could not be kept for your class ({reason}). Tell your teacher."
    return " It is kept for your class, without your name."


class ClassGuesses(NamedTuple):
    """The guesses of a class.

    Attributes
    ----------
    guesses : dict of str to list
        All guesses for each prediction that has some, in the order of the lessons.
    sessions : int
        The number of files with guesses, one for each session.
    left_out : list of str
        A sentence for each file that has no guesses, and for each guess that is not allowed.
    """

    guesses: dict[str, list[Guess]]
    sessions: int
    left_out: list[str]


def read_class(place: str | Path) -> ClassGuesses:
    """Return the guesses of a class from a folder of files, or from one file.

    Files are those that sessions write into the folder that POKERLAB_GUESSES names, and those that students make by
    `pl.predictions(..., file=...)`. The names of the files do not matter. A damaged or foreign file is left out, and
    so is a guess that its question does not allow; the result says which. A folder that does not exist has no guesses.

    Parameters
    ----------
    place : path
        A folder, of which all files that end in '.json' are read, or one such file.
    """
    path = validate_path("place", place)
    files = [path] if path.is_file() else sorted(path.glob("*.json"))
    guesses_by_prediction: dict[str, list[Guess]] = {name: [] for name in PREDICTIONS}
    sessions = 0
    left_out = []
    for file in files:
        try:
            guesses, problems = read_session(file)
        except (OSError, ValueError, RecursionError) as error:  # JSON of any kind, or none
            left_out.append(f"{file.name} is left out: {describe_reading_failure(error)}.")
            continue
        left_out += [f"{file.name}: {problem}." for problem in problems]
        sessions += bool(guesses)
        for name, guess in guesses.items():
            guesses_by_prediction[name].append(guess)

    guessed = {name: guesses for name, guesses in guesses_by_prediction.items() if guesses}
    return ClassGuesses(guessed, sessions, left_out)


def read_session(file: Path) -> tuple[dict[str, Guess], list[str]]:
    """Return the guesses of one session from a file, and a phrase about each entry that is no allowed guess.

    The guesses are by the name of the prediction.

    Raises
    ------
    FileFormatError
        If the file is too large, or holds no guesses.
    OSError, ValueError, RecursionError
        If the file cannot be read, or is not JSON.
    """
    if not file.is_file():
        raise FileFormatError("it is not a file")
    if file.stat().st_size > MOST_BYTES:
        raise FileFormatError("it is too large for the guesses of one session")

    record = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(record, dict):
        raise FileFormatError("it holds no guesses")

    record = {find_current_name("predictions", name): entry for name, entry in record.items()}
    if not record.keys() & PREDICTIONS.keys():
        raise FileFormatError("it holds no guesses")

    guesses = {}
    problems = []
    for name, entry in record.items():
        guess_in_file = entry.get("guess") if isinstance(entry, dict) else entry
        if name not in PREDICTIONS:
            problems.append(describe_unknown_name("prediction", name, PREDICTIONS).rstrip("."))
        elif (guess := parse_guess(guess_in_file, PREDICTIONS[name].allowed)) is None:
            problems.append(f"{describe_answer(guess_in_file)} is no guess for {name}")
        else:
            guesses[name] = guess

    return guesses, problems


def describe_reading_failure(error: Exception) -> str:
    """Return in words why a file with guesses could not be read."""
    if isinstance(error, FileFormatError):
        return str(error)
    return getattr(error, "strerror", None) or "it is damaged, or not a file with guesses"
