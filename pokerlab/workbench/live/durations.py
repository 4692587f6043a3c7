"""How long an iteration takes on this machine: measured, told beforehand of other settings, and said while it lasts."""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pokerlab.core import SettingError
from pokerlab.core.settings import settings_of
from pokerlab.workbench.live.runner import Runner
from pokerlab.workbench.pictures.text import capitalized

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
