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
DIGITS = 12  # after the point; those that follow are rounding
WIDTH, HEIGHT_OF_EACH = 7.6, 2.3  # in inches
HEADROOM = (
    1.25  # the height of the axes for that of the highest bar, so that numbers stand above bars
)
MOST_LEFT_OUT = 5  # files that are named one by one
TRUTH: dict[str, Any] = {"color": INK, "linestyle": "--", "linewidth": 2.0}
BAR: dict[str, Any] = {"color": SKY, "edgecolor": INK, "linewidth": 0.8}
HATCH = "///"  # of the bar of the true phrase


def count_guesses(asked: Prediction, guesses: Sequence[Guess]) -> dict[str, int]:
    """Return how often each phrase was guessed, or how many guesses are in each of ten equal parts of the range.

    The key of a part is such as '0.1 to 0.2'. A guess between two parts counts in the upper one, and the largest
    number that is allowed counts in the last part.
    """
    if asked.kind == "choice":
        return {each: [*guesses].count(each) for each in asked.allowed}
    low, high = map(float, asked.allowed)
    edges = np.linspace(low, high, BINS + 1).round(DIGITS)
    counts, _ = np.histogram(np.array(guesses, np.float64).round(DIGITS), edges)
    names = [f"{start:.3g} to {end:.3g}" for start, end in pairwise(edges)]
    return dict(zip(names, counts.tolist(), strict=True))


def draw_guesses(axes: Axes, asked: Prediction, guesses: Sequence[Guess], truth: Any = None) -> str:
    """Draw a histogram of the guesses for a prediction, and return a sentence that says the same.

    The truth is a dashed line across the range, or a hatched bar among phrases.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    asked : Prediction
        The prediction.
    guesses : sequence of str or float
        At least one guess.
    truth : str or float, optional
        The true result, if it is to be marked.
    """
    counts = count_guesses(asked, guesses)
    heights = [*counts.values()]
    places: Any
    if asked.kind == "choice":
        places = np.arange(len(counts))
        width = 0.7
        names = [f"{name} (true)" if name == truth else name for name in counts]
        axes.set_xticks(places, names)
    else:
        low, high = map(float, asked.allowed)
        width = (high - low) / BINS
        places = low + width * (np.arange(BINS) + 0.5)
        axes.set_xlim(low, high)
        axes.set_xlabel(asked.unit or "share")
    bars = axes.bar(places, heights, width, **BAR)
    for bar, name in zip(bars, counts, strict=True):
        if name == truth:
            bar.set(hatch=HATCH, facecolor=PAPER)
    axes.bar_label(bars, [str(each) if each else "" for each in heights], fontsize=SMALL_SIZE)
    if asked.kind != "choice" and truth is not None:
        axes.axvline(float(truth), label="truth", **TRUTH)
        axes.legend(fontsize=SMALL_SIZE, frameon=False)
    axes.set_ylim(0, HEADROOM * max(heights))
    axes.set_yticks([])
    axes.set_ylabel("guesses")
    finding = describe_finding(asked, guesses, truth)
    axes.set_title(f"{asked.question}\n{finding}", loc="left")
    each = ", ".join(f"{name}: {count}" for name, count in counts.items() if count)
    return f"{asked.question} {finding}. Guesses: {each}."


def describe_finding(asked: Prediction, guesses: Sequence[Guess], truth: Any) -> str:
    """Return in words how many guesses there are, and how many are right, or their median beside the truth."""
    many = f"{len(guesses)} guess{'es' * (len(guesses) != 1)}"
    if asked.kind != "choice":
        median = f"{many}, median {np.median(np.array(guesses, np.float64)):.3g}"
        return median if truth is None else f"{median}; truth {format_guess(float(truth))}"
    if truth is None:
        return many
    return f"{[*guesses].count(truth)} of {many} right: {truth}"


def plot_class(found: ClassGuesses, lesson: str, truth: Mapping[str, Any]) -> tuple[Figure, str]:
    """Return a figure with a histogram for each prediction of a lesson that has guesses, and its caption.

    Parameters
    ----------
    found : ClassGuesses
        The guesses, with at least one for the lesson.
    lesson : str
        The number of the lesson, such as '05'.
    truth : mapping
        The true results by prediction, such as '05.1'; those that are missing are not marked.
    """
    names = [name for name in found.guesses if name.partition(".")[0] == lesson]
    drawn, axes = figure(WIDTH, HEIGHT_OF_EACH * len(names), rows=len(names), squeeze=False)
    sentences = [
        draw_guesses(each, PREDICTIONS[name], found.guesses[name], truth.get(name))
        for each, name in zip(axes[:, 0], names, strict=True)
    ]
    return drawn, " ".join([f"The guesses of a class in lesson {lesson}.", *sentences])


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
    found = read_class(place)
    if any(name.partition(".")[0] == lesson for name in found.guesses):
        show(*plot_class(found, lesson, truth or {}))
    else:
        say(f"There are no guesses for lesson {lesson} in `{place}` yet.")
    if found.left_out:
        more = len(found.left_out) - MOST_LEFT_OUT
        rest = [f"And {more} more."] if more > 0 else []
        say(" ".join([*found.left_out[:MOST_LEFT_OUT], *rest]))
