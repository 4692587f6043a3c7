"""The controls of an experiment's settings, made from its Config: one row a field."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ipywidgets as widgets

from pokerlab.core import Setting
from pokerlab.core.settings import settings_of

OURS = "ours"
"""The source of settings that no paper prescribes."""
CHANGED = "pokerlab-changed"
"""The style class of a row that departs from the paper."""
MOST_INTEGERS = 200
"""A range of more integers than these is typed in, not slid to."""
FULL = widgets.Layout(width="100%", height="28px", margin="1px 0")
LABEL = {"description_width": "108px"}


class Panel:
    """A row of controls for each setting.

    Parameters
    ----------
    config
        What the panel shows at first.
    paper
        The Config with the published settings; a row that departs from it is marked.
    on_change : Callable
        Called without arguments when the user has changed something.

    Attributes
    ----------
    rows : dict
        The widgets by field.
    departures : tuple of str
        The published settings that stand otherwise than in the paper.
    """

    def __init__(self, config: Any, paper: Any, on_change: Callable[[], None]) -> None:
        self.config_type = type(config)
        self.about = settings_of(config)
        self.paper = paper
        self.on_change = on_change
        self.filling = False
        self.departures: tuple[str, ...] = ()
        self.rows = {
            name: row_for(about, getattr(config, name), kind_of(config, name))
            for name, about in self.about.items()
        }
        for row in self.rows.values():
            row.observe(self.changed, names="value")
        self.mark()

    def values(self) -> dict[str, Any]:
        """Return what the rows stand at, by field."""
        return {name: tidy(row.value) for name, row in self.rows.items()}

    def config(self) -> Any:
        """Return the Config that the rows stand at; refused by the Config itself if it is wrong."""
        return self.config_type(**self.values())

    def fill(self, config: Any) -> None:
        """Set all rows to a Config, as one change."""
        with self.held():
            for name, row in self.rows.items():
                value = getattr(config, name)
                if isinstance(row, widgets.SelectionSlider) and value not in dict(row.options):
                    row.options = worded(sorted({value, *(v for _, v in row.options)}))
                row.value = value
        self.changed(None)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Report no change meanwhile."""
        self.filling = True
        try:
            yield
        finally:
            self.filling = False

    def changed(self, change: Any) -> None:
        """Mark the rows and report."""
        if not self.filling:
            self.mark()
            self.on_change()

    def mark(self) -> None:
        """Mark the rows of published settings that depart from the paper."""
        self.departures = tuple(
            name
            for name, row in self.rows.items()
            if not self.about[name].source.startswith(OURS)
            and tidy(row.value) != getattr(self.paper, name)
        )
        for name, row in self.rows.items():
            departs = name in self.departures
            (row.add_class if departs else row.remove_class)(CHANGED)
            published = f"\nThe paper has {worded_value(getattr(self.paper, name))}."
            row.tooltip = described(self.about[name]) + published * departs


def tidy(value: Any) -> Any:
    """Return a slider's value without the rounding of its steps: 6.5 for 6.500000000000001."""
    return float(f"{value:.12g}") if isinstance(value, float) else value


def kind_of(config: Any, name: str) -> type:
    """Return a field's type: that of its value, but a float where it was declared one."""
    declared = {field.name: field.type for field in dataclasses.fields(config)}[name]
    return float if declared in (float, "float") else type(getattr(config, name))


def described(about: Setting) -> str:
    """Return what hovering shows."""
    return f"{about.help}\nSource: {about.source}."


def row_for(about: Setting, value: Any, kind: type) -> Any:
    """Return the widget that fits a setting."""
    unit = f" ({about.unit})" if about.unit else ""
    shared = {
        "description": about.label + unit,
        "tooltip": described(about),
        "style": LABEL,
        "layout": FULL,
    }
    if about.choices is not None:
        return widgets.Dropdown(options=about.choices, value=value, **shared)
    if kind is bool:
        return widgets.Checkbox(value=value, **shared)
    if kind not in (int, float):
        return widgets.Text(value=value, continuous_update=False, **shared)
    return number_row(about, value, kind, shared)


def number_row(about: Setting, value: Any, kind: type, shared: dict[str, Any]) -> Any:
    """Return the widget of a number: a slider where its range allows one."""
    low, high, whole = about.low, about.high, kind is int
    if low is None or high is None:
        box = widgets.IntText if whole else widgets.FloatText
        return box(value=value, continuous_update=False, **shared)
    if about.logarithmic:
        options = worded(ladder(low, high, value, whole=whole))
        return widgets.SelectionSlider(
            options=options, value=value, continuous_update=False, **shared
        )
    limits = {"min": kind(low), "max": kind(high), "value": value, "continuous_update": False}
    if not whole:
        step = step_between(low, high)
        digits = f".{max(0, -math.floor(math.log10(step)))}f"
        return widgets.FloatSlider(step=step, readout_format=digits, **limits, **shared)
    if high - low > MOST_INTEGERS:
        return widgets.BoundedIntText(**limits, **shared)
    return widgets.IntSlider(**limits, **shared)


def worded(values: list[Any]) -> list[tuple[str, Any]]:
    """Return options of a slider: a text for each value."""
    return [(worded_value(value), value) for value in values]


FINEST = 40
"""Steps that a slider can still be set to by hand."""
DECADES_BELOW = 12
"""How far a slider reaches down that may stand at zero, if its value does not ask for more."""


def ladder(low: float, high: float, value: float, *, whole: bool) -> list[float]:
    """Return the steps of a logarithmic slider, `value` among them.

    Parameters
    ----------
    low, high : float
        The ends; `low` may be zero, which is then the first step.
    value : float
        What the slider must be able to show.
    whole : bool
        Whether steps are integers.
    """
    bottom = low if low > 0 else min(filter(None, (value, high * 10.0**-DECADES_BELOW)))
    bottom = max(bottom, 1) if whole else bottom
    first, last = math.floor(math.log10(bottom)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if 3 * (last - first) <= FINEST else (1,)
    stride = math.ceil((last - first) / FINEST)
    powers = [10.0**exponent for exponent in range(first, last + 1, stride)]
    steps = {float(f"{digit * power:.12g}") for power in powers for digit in digits}
    steps = {step for step in steps if bottom <= step <= high} | {low, high, value}
    return sorted(int(step) if whole else step for step in steps)


def step_between(low: float, high: float) -> float:
    """Return a round step that divides a linear range into about a hundred."""
    return float(10.0 ** math.floor(math.log10((high - low) / 100)))


MILLION = 1_000_000


def worded_value(value: Any) -> str:
    """Return a value as people write it: 1e-300, 100,000 and 10 M."""
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, int) or isinstance(value, bool):
        return str(value)
    return f"{value:,}" if value % MILLION or not value else f"{value // MILLION:,} M"


def differences(one: Any, other: Any) -> str:
    """Return the settings of the Config `other` where the two differ, as in 'payoff shift 10'."""
    told = [
        f"{about.label.lower()} {worded_value(getattr(other, name))}"
        for name, about in settings_of(one).items()
        if getattr(one, name) != getattr(other, name)
    ]
    more = f" and {len(told) - 2} more" if len(told) > 2 else ""
    return ", ".join(told[:2]) + more


def shortened(number: float) -> str:
    """Return a large number in three digits: 2.1 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
