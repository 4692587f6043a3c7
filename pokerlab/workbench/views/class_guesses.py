"""The guesses of a class as histograms, one for each prediction of a lesson, with the truth marked."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pokerlab.classroom.guesses import (
    PREDICTIONS,
    ClassGuesses,
    Guess,
    Prediction,
    format_guess,
    read_class,
)
from pokerlab.core import UnknownNameError
from pokerlab.workbench.kept_figures import say, show
from pokerlab.workbench.style import INK, PAPER, SKY, SMALL_SIZE, figure

BINS = 10  # of a histogram of numbers, of equal width
DIGITS = 12  # after the point; later ones are rounding errors
WIDTH, HISTOGRAM_HEIGHT = 7.6, 2.3  # in inches
HEADROOM = (
    1.25  # the height of the axes for that of the highest bar, so that numbers stand above bars
)
MOST_LEFT_OUT = 5  # the number of files that are named one by one
TRUTH: dict[str, Any] = {"color": INK, "linestyle": "--", "linewidth": 2.0}
BAR: dict[str, Any] = {"color": SKY, "edgecolor": INK, "linewidth": 0.8}
HATCH = "///"  # of the bar of the true phrase


def count_guesses(prediction: Prediction, guesses: Sequence[Guess]) -> dict[str, int]:
    """Return how often each phrase was guessed, or how many guesses are in each of ten equal parts of the range.

    The key of a part is such as '0.1 to 0.2'. A guess between two parts counts in the upper one, and the largest
    number that is allowed counts in the last part.
    """
    if prediction.kind == "choice":
        return {phrase: [*guesses].count(phrase) for phrase in prediction.allowed}
    low, high = map(float, prediction.allowed)
    edges = np.linspace(low, high, BINS + 1).round(DIGITS)
    counts, _ = np.histogram(np.array(guesses, np.float64).round(DIGITS), edges)
    names = [f"{start:.3g} to {end:.3g}" for start, end in pairwise(edges)]
    return dict(zip(names, counts.tolist(), strict=True))


def draw_guesses(
    axes: Axes, prediction: Prediction, guesses: Sequence[Guess], truth: Any = None
) -> str:
    """Draw a histogram of the guesses for a prediction, and return a sentence that says the same.

    The truth is a dashed line across the range, or a hatched bar among phrases.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    prediction : Prediction
        The prediction.
    guesses : sequence of str or float
        At least one guess.
    truth : str or float, optional
        The true result, if it is to be marked.
    """
    counts = count_guesses(prediction, guesses)
    heights = [*counts.values()]
    places: Any
    if prediction.kind == "choice":
        places = np.arange(len(counts))
        width = 0.7
        names = [f"{name} (true)" if name == truth else name for name in counts]
        axes.set_xticks(places, names)
    else:
        low, high = map(float, prediction.allowed)
        width = (high - low) / BINS
        places = low + width * (np.arange(BINS) + 0.5)
        axes.set_xlim(low, high)
        axes.set_xlabel(prediction.unit or "share")
    bars = axes.bar(places, heights, width, **BAR)
    for bar, name in zip(bars, counts, strict=True):
        if name == truth:
            bar.set(hatch=HATCH, facecolor=PAPER)
    axes.bar_label(bars, [str(count) if count else "" for count in heights], fontsize=SMALL_SIZE)
    if prediction.kind != "choice" and truth is not None:
        axes.axvline(float(truth), label="truth", **TRUTH)
        axes.legend(fontsize=SMALL_SIZE, frameon=False)
    axes.set_ylim(0, HEADROOM * max(heights))
    axes.set_yticks([])
    axes.set_ylabel("guesses")
    finding = describe_finding(prediction, guesses, truth)
    axes.set_title(f"{prediction.question}\n{finding}", loc="left")
    count_words = ", ".join(f"{name}: {count}" for name, count in counts.items() if count)
    return f"{prediction.question} {finding}. Guesses: {count_words}."


def describe_finding(prediction: Prediction, guesses: Sequence[Guess], truth: Any) -> str:
    """Return the number of guesses in words, with the number of right ones, or with their median beside the truth."""
    num_words = f"{len(guesses)} guess{'es' * (len(guesses) != 1)}"
    if prediction.kind != "choice":
        median = f"{num_words}, median {np.median(np.array(guesses, np.float64)):.3g}"
        return median if truth is None else f"{median}; truth {format_guess(float(truth))}"
    if truth is None:
        return num_words
    return f"{[*guesses].count(truth)} of {num_words} right: {truth}"


def plot_class(
    class_guesses: ClassGuesses, lesson: str, truth: Mapping[str, Any]
) -> tuple[Figure, str]:
    """Return a figure with a histogram for each prediction of a lesson that has guesses, and its caption.

    Parameters
    ----------
    class_guesses : ClassGuesses
        The guesses, with at least one for the lesson.
    lesson : str
        The number of the lesson, such as '05'.
    truth : mapping
        The true results by prediction, such as '05.1'; those that are missing are not marked.
    """
    names = [name for name in class_guesses.guesses if name.partition(".")[0] == lesson]
    figure_of_class, axes = figure(
        WIDTH, HISTOGRAM_HEIGHT * len(names), rows=len(names), squeeze=False
    )
    sentences = [
        draw_guesses(row_axes, PREDICTIONS[name], class_guesses.guesses[name], truth.get(name))
        for row_axes, name in zip(axes[:, 0], names, strict=True)
    ]
    return figure_of_class, " ".join([f"The guesses of a class in lesson {lesson}.", *sentences])


def show_guesses(place: str | Path, lesson: str, truth: Mapping[str, Any] | None = None) -> None:
    """Show the guesses of a class as histograms, one for each prediction of a lesson, with the truth marked.

    Below the figure, a sentence names each file that is damaged or foreign and was left out.

    Parameters
    ----------
    place : path
        The folder that POKERLAB_GUESSES named for the class, or a folder of files that students made by
        `pl.predictions(..., file=...)`, or one such file.
    lesson : str
        The number of the lesson, such as '05'.
    truth : mapping, optional
        The true results, as for `pl.predictions`. Without them, the histograms can be shown before the answer.
    """
    UnknownNameError.check(
        "lesson", lesson, sorted({name.partition(".")[0] for name in PREDICTIONS})
    )
    class_guesses = read_class(place)
    if any(name.partition(".")[0] == lesson for name in class_guesses.guesses):
        show(*plot_class(class_guesses, lesson, truth or {}))
    else:
        say(f"There are no guesses for lesson {lesson} in `{place}` yet.")
    if class_guesses.left_out:
        more = len(class_guesses.left_out) - MOST_LEFT_OUT
        rest = [f"And {more} more."] if more > 0 else []
        say(" ".join([*class_guesses.left_out[:MOST_LEFT_OUT], *rest]))
