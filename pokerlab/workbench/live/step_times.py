"""The times of a bench's iterations: measured, estimated for other settings, and in words.

A bench uses them to announce long iterations before and during a run.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pokerlab.core import SettingError, list_settings
from pokerlab.workbench.live.runner import Runner
from pokerlab.workbench.text import capitalize

SETTINGS_WITHOUT_COST = ("seed", "iterations")
"""Settings on which the time of an iteration does not depend."""
LONG_STEP_SECONDS = 1.0
"""The time from which on an iteration is announced as long."""
ENOUGH_SECONDS, SIZE_GROWTH = 0.2, 4
"""The time of a measured iteration from which those of larger ones are estimated, and the factor by which sizes grow
from one measurement to the next."""


def classify_work(config: Any) -> tuple[tuple[Any, ...], float]:
    """Return the kind of work that an iteration is, and the amount of this work.

    The times of iterations can be compared only if their work is of one kind.

    Parameters
    ----------
    config : Any
        The settings.

    Returns
    -------
    kind : tuple of (str, Any)
        The names and values of all settings that are not numbers with a decimal point and do not count in the amount.
    amount : float
        The product of the settings to which the time of an iteration is proportional.
    """
    settings = {
        name: setting
        for name, setting in list_settings(config).items()
        if setting.has_effect(config)
    }
    values = {name: getattr(config, name) for name in settings if name not in SETTINGS_WITHOUT_COST}
    amount = math.prod(values.pop(name) for name, setting in settings.items() if setting.costs)
    kind = tuple((name, value) for name, value in values.items() if not isinstance(value, float))
    return kind, amount


class StepTimes:
    """The measured times of iterations, by the kind of their work: seconds, and the amount of work that took them."""

    def __init__(self) -> None:
        self.measured_times: dict[Any, tuple[float, float]] = {}

    def record_time(self, config: Any, seconds: float) -> None:
        """Store how many seconds an iteration with these settings took."""
        kind, amount = classify_work(config)
        self.measured_times[kind] = seconds, amount

    def estimate_seconds(self, config: Any) -> float:
        """Return the estimated seconds of an iteration, or 0 if no work of its kind has been measured."""
        kind, amount = classify_work(config)
        seconds, measured_amount = self.measured_times.get(kind, (0.0, 1.0))
        return seconds * amount / measured_amount

    def measure_step_times(self, make_solver: Callable[[Any], Any], config: Any) -> None:
        """Measure the times of iterations whose results are dropped, of larger and larger ones.

        Nothing is measured if the time of an iteration with these settings can be estimated well, or is short.

        Parameters
        ----------
        make_solver : callable
            A function from settings to their solver.
        config : Any
            The settings whose times are to be known.
        """
        settings = list_settings(config)
        sizes = [
            name
            for name, setting in settings.items()
            if setting.costs and setting.has_effect(config)
        ]
        seconds, _ = self.measured_times.get(classify_work(config)[0], (0.0, 1.0))
        is_short = 0.0 < self.estimate_seconds(config) < LONG_STEP_SECONDS
        if not sizes or seconds > ENOUGH_SECONDS or is_short:
            return

        # Begin with the smallest sizes that the settings allow.
        trial_config = config
        for name in sizes:
            with suppress(SettingError):
                trial_config = replace(trial_config, **{name: settings[name].low})
        first_solver = make_solver(trial_config)
        first_solver.step(first_solver.init())  # loads compiled code

        seconds = 0.0
        while seconds < ENOUGH_SECONDS:
            solver = make_solver(trial_config)
            state, start_time = solver.init(), time.perf_counter()
            solver.step(state)
            seconds = time.perf_counter() - start_time
            self.record_time(trial_config, seconds)
            smaller_sizes = [
                name for name in sizes if getattr(trial_config, name) < getattr(config, name)
            ]
            if not smaller_sizes:
                return
            name = smaller_sizes[-1]
            size = min(SIZE_GROWTH * getattr(trial_config, name), getattr(config, name))
            trial_config = replace(trial_config, **{name: size})


def name_iteration(config: Any) -> str:
    """Return the word for an iteration, such as 'generation' or 'round'."""
    return list_settings(config)["iterations"].label.lower().removesuffix("s")


def describe_step_time(config: Any, seconds: float) -> str:
    """Return a sentence on the time of an iteration; empty if it is not known, or if it depends on no setting."""
    has_sizes = any(setting.costs for setting in list_settings(config).values())
    if not has_sizes or seconds <= 0.0:
        return ""
    return f"Each {name_iteration(config)} takes {format_duration(seconds)} here."


def describe_step_delay(runner: Runner, config: Any, expected_seconds: float) -> str:
    """Return words on the present step if it takes long, and otherwise an empty text.

    Parameters
    ----------
    runner : Runner
        The runner whose step is described.
    config : Any
        The settings of its run.
    expected_seconds : float
        The expected time of a step; 0 if it is not known.
    """
    seconds = runner.seconds_spent
    seconds_left = expected_seconds - seconds
    longest_seconds = max(seconds, expected_seconds * runner.is_pausing)
    if not runner.is_running or longest_seconds < LONG_STEP_SECONDS:
        return ""
    step = f"{name_iteration(config)} {runner.run.iteration + 1:,}"
    if runner.is_pausing:
        when = f", in {format_duration(seconds_left)}" if seconds_left > 0 else ""
        return f"Pausing: after {step}{when}. Stop now drops what has been done of it."
    total = f" of {format_duration(expected_seconds)}" if seconds_left > 0 else ""
    return (
        f"{capitalize(step)} has taken {format_duration(seconds)}{total}; then the picture changes."
    )


def format_duration(seconds: float) -> str:
    """Return a time as words, rounded.

    Examples
    --------
    >>> [format_duration(seconds) for seconds in (0.02, 0.32, 8.4, 75, 200, 9000)]
    ['less than 0.1 s', 'some 0.3 s', 'some 8 s', 'some 75 s', 'some 3 minutes', 'some 2.5 hours']
    """
    if seconds < 0.1:
        return "less than 0.1 s"
    if seconds < 100:
        return f"some {seconds:.1f} s" if seconds < 1 else f"some {seconds:.0f} s"
    return (
        f"some {seconds / 60:.0f} minutes" if seconds < 6000 else f"some {seconds / 3600:.1f} hours"
    )
