"""What is said below a bench's picture, and how long an iteration takes: measured, told beforehand, said meanwhile."""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from pokerlab.core import SettingError, settings_of
from pokerlab.runs import Column
from pokerlab.workbench.live.panel import short_number
from pokerlab.workbench.live.runner import Runner
from pokerlab.workbench.live.screen import alert
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.pictures.text import (
    capitalized,
    with_emphasis,
    with_minus,
    without_emphasis,
)

ASIDE = ("seed", "iterations")  # settings on which no time depends
LONG = 1.0  # seconds of a step that ask for a word
ENOUGH, GROWTH = 0.2, 4
"""Seconds of a step that tell what larger ones take; and how much larger the next one is that is tried."""


def work_of(config: Any) -> tuple[tuple[Any, ...], float]:
    """Return what kind of work an iteration is, and how much of it: only of one kind can times be compared.

    Settings in proportion to which it takes make the amount; names, switches and other whole numbers the kind.
    """
    about = {name: each for name, each in settings_of(config).items() if each.matters(config)}
    values = {name: getattr(config, name) for name in about if name not in ASIDE}
    amount = math.prod(values.pop(name) for name, each in about.items() if each.costs)
    return tuple(each for each in values.items() if not isinstance(each[1], float)), amount


class StepTimes:
    """What iterations have taken, for each kind of work: seconds, and the amount that took so long."""

    def __init__(self) -> None:
        self.known: dict[Any, tuple[float, float]] = {}

    def learn(self, config: Any, seconds: float) -> None:
        """Note how long an iteration took."""
        kind, amount = work_of(config)
        self.known[kind] = seconds, amount

    def expected(self, config: Any) -> float:
        """Return the seconds of an iteration; 0 as long as nothing like it has been run."""
        kind, amount = work_of(config)
        seconds, known = self.known.get(kind, (0.0, 1.0))
        return seconds * amount / known

    def measure(self, solver_of: Callable[[Any], Any], config: Any) -> None:
        """Time iterations that come to nothing, larger and larger ones, unless enough is known of their kind."""
        about = settings_of(config)
        sizes = [name for name, each in about.items() if each.costs and each.matters(config)]
        seconds, _ = self.known.get(work_of(config)[0], (0.0, 1.0))
        if not sizes or seconds > ENOUGH or 0.0 < self.expected(config) < LONG:
            return
        tried, took = config, 0.0
        for name in sizes:
            with suppress(SettingError):
                tried = replace(tried, **{name: about[name].low})
        first = solver_of(tried)
        first.step(first.init())  # loads compiled code
        while took < ENOUGH:
            solver = solver_of(tried)
            state, begun = solver.init(), time.perf_counter()
            solver.step(state)
            took = time.perf_counter() - begun
            self.learn(tried, took)
            smaller = [name for name in sizes if getattr(tried, name) < getattr(config, name)]
            if not smaller:
                return
            size = min(GROWTH * getattr(tried, smaller[-1]), getattr(config, smaller[-1]))
            tried = replace(tried, **{smaller[-1]: size})


def unit_of(config: Any) -> str:
    """Return what an iteration is called: 'generation', 'round'."""
    return settings_of(config)["iterations"].label.lower().removesuffix("s")


def in_brief(config: Any, seconds: float) -> str:
    """Return words on what an iteration takes; none if that is not known, or if no setting's size decides it."""
    is_told = seconds > 0.0 and any(about.costs for about in settings_of(config).values())
    return f"Each {unit_of(config)} takes {duration(seconds)} here." * is_told


def on_delay(runner: Runner, config: Any, expected: float) -> str:
    """Return words on a step that takes long; none where it does not."""
    spent, left = runner.spent, expected - runner.spent
    if not runner.running or max(spent, expected * runner.pausing) < LONG:
        return ""
    step = f"{unit_of(config)} {runner.run.iteration + 1:,}"
    if runner.pausing:
        when = f", in {duration(left)}" if left > 0 else ""
        return f"Pausing: after {step}{when}. Stop now drops what has been done of it."
    of = f" of {duration(expected)}" if left > 0 else ""
    return f"{capitalized(step)} has taken {duration(spent)}{of}; then the picture changes."


def duration(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.02, 0.32, 8.4, 75, 200, 9000)]
    ['less than 0.1 s', 'some 0.3 s', 'some 8 s', 'some 75 s', 'some 3 minutes', 'some 2.5 hours']
    """
    if seconds < 0.1:
        return "less than 0.1 s"
    if seconds < 100:
        return f"some {seconds:.1f} s" if seconds < 1 else f"some {seconds:.0f} s"
    return (
        f"some {seconds / 60:.0f} minutes" if seconds < 6000 else f"some {seconds / 3600:.1f} hours"
    )


STYLE = "font-size: 13px; line-height: 1.45; padding: 2px 4px; font-variant-numeric: tabular-nums;"
GAP = "&ensp;&middot;&ensp;"


@dataclass(frozen=True)
class Status:
    """What there is to say."""

    frame: Frame  # the run at this moment
    column: Column  # what is said of it
    speed: float  # iterations a second; 0 while paused
    finished: bool  # whether nothing is left to do
    note: str  # what has just happened, or what is wrong
    is_error: bool  # whether something is wrong
    caption: str  # what there is to see
    painted: int

    def facts(self) -> list[str]:
        """Return iteration, column, speed."""
        number = with_minus(f"{self.frame.curve(self.column)[1][-1]:,.4g}")
        value = f"{self.column.label} {number} {self.column.unit}".rstrip()
        if not self.frame.has_begun:
            value = "nothing has been played yet"
        facts = [f"t = {self.frame.iteration:,} of {self.frame.until:,}", value]
        if self.finished:
            facts.append("converged" if self.frame.iteration < self.frame.until else "finished")
        elif self.speed:
            facts.append(f"{short_number(self.speed)} iterations/s")
        return facts

    def html(self) -> str:
        """Return the words for a notebook."""
        facts = GAP.join(map(escape, self.facts()))
        done, until = self.frame.iteration, self.frame.until
        share = 1.0 if self.finished else done / until
        note = alert(f"⚠ {self.note}") if self.is_error else escape(self.note)
        return (
            f'<div class="pokerlab-status" data-frames="{self.painted}" style="{STYLE}">'
            f'<progress max="1" value="{share:.4f}" style="width: 90px; vertical-align: middle;">'
            f"</progress>&ensp;<b>{facts}</b><br>{f'{note}<br>' if self.note else ''}"
            f'<span style="opacity: 0.8;">What to see: {with_emphasis(self.caption)}</span></div>'
        )

    def news(self) -> str:
        """Return what a screen reader reads out."""
        return "\n".join(filter(None, [", ".join(self.facts()), self.note]))

    def picture(self) -> str:
        """Return what the picture shows, in words."""
        if not self.frame.has_begun:
            return f"{without_emphasis(self.caption)} Nothing has been played yet."
        last = zip(self.frame.columns, self.frame.rows[-1, 1:].tolist(), strict=True)
        ends = ", ".join(f"{each.label} {value:,.4g} {each.unit}".rstrip() for each, value in last)
        return f"{without_emphasis(self.caption)} At t = {self.frame.iteration:,}: {ends}."

    def plain(self) -> str:
        """Return the words where there is no HTML."""
        return f"{self.news()}\nWhat to see: {without_emphasis(self.caption)}"
