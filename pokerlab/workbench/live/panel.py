"""The controls of an experiment's settings, made from its Config: one row a field."""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import ipywidgets as widgets
from traitlets import Any as AnyValue

from pokerlab.core import Setting, settings_of

DIGITS = 12  # of a slider's value; those that follow are rounding
MOST_INTEGERS = 200  # a range of more integers than these is typed in, not slid to
READ_OUT = f".{DIGITS}"  # how a slider writes its value: a typed one with all its digits
ROW = {"width": "100%", "height": "28px", "margin": "1px 0"}
LABEL = {"description_width": "124px"}
LONGEST_LABEL = 20
"""Letters that stand in one line; a unit for which there is no room is said by the tooltip."""
ORIGINS = {
    "paper": "as in the paper",
    "changed": "not as in the paper",
    "ours": "ours",
    "silent": "the paper does not say",
}
"""Where a row's value may come from, in the words of the legend."""


class TypedNumber(widgets.Text):  # type: ignore[misc]
    """A field for a number; what is typed and is not one stays text, which the Config refuses in words."""

    value = AnyValue(0).tag(
        sync=True, to_json=lambda number, field: str(number),
        from_json=lambda text, field: field.read(text),
    )  # fmt: skip

    def __init__(self, kind: type, **about: Any) -> None:
        self.kind = kind
        super().__init__(**about)

    def read(self, text: str) -> Any:
        """Return the number that was typed, or the text."""
        try:
            return self.kind(text)
        except ValueError:
            return text


def style_of(origin: str) -> str:
    """Return the style class of a row whose value has this origin."""
    return f"pokerlab-{origin}"


class Panel:
    """A row of controls for each setting; those without effect beside the others are out of sight.

    Where other settings narrow a row's range, a value outside moves inside, and back once it may: `moved` says so.
    `nearest` is the paper's experiment from which the fewest published settings differ, the `departures`; a game that
    no experiment of the paper plays has none.
    """

    def __init__(
        self, config: Any, paper: Mapping[str, Any], on_change: Callable[[], None]
    ) -> None:
        self.config_type = type(config)
        self.declared = settings_of(config)
        self.about = {name: about.beside(config) for name, about in self.declared.items()}
        self.paper = paper
        self.on_change = on_change
        self.filling = False
        self.moved: tuple[str, ...] = ()
        self.wished: dict[str, Any] = {}
        self.kinds = {name: kind_of(config, name) for name in self.about}
        self.rows = {
            name: row_for(about, getattr(config, name), self.kinds[name])
            for name, about in self.about.items()
        }
        for row in self.rows.values():
            row.observe(self.changed, names="value")
        self.mark()

    def values(self) -> dict[str, Any]:
        """Return the values of the rows, by field."""
        return {name: tidy(row.value) for name, row in self.rows.items()}

    def config(self) -> Any:
        """Return the Config with the values of the rows; it refuses wrong ones itself."""
        return self.config_type(**self.values())

    def fill(self, config: Any) -> None:
        """Set all rows to a Config, as one change."""
        self.wished.clear()
        with self.silenced():
            for name, row in self.rows.items():
                self.limit(name, self.declared[name].beside(config), getattr(config, name))
                row.value = getattr(config, name)
        self.changed(None)

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Report no change inside the block."""
        self.filling = True
        try:
            yield
        finally:
            self.filling = False

    def changed(self, change: Any) -> None:
        """Fit the other rows to what was changed, if there is no text for a number; mark all, and report."""
        if self.filling:
            return
        if change is not None:
            self.wished = {n: v for n, v in self.wished.items() if self.rows[n] is not change.owner}
        typed = (row for row in self.rows.values() if isinstance(row, TypedNumber))
        if not any(isinstance(row.value, str) for row in typed):
            with self.silenced():
                self.fit()
            self.mark()
        self.on_change()

    def fit(self) -> None:
        """Give every row the range that the others leave it, and a value inside."""
        moved = []
        for name, row in self.rows.items():
            about = self.declared[name].beside(SimpleNamespace(**self.values()))
            value = tidy(row.value)
            wanted = self.wished.get(name, value)
            if about == self.about[name]:
                continue
            fits = about.nearest(wanted)
            self.limit(name, about, fits)
            row.value = fits
            if fits != wanted:
                self.wished[name] = wanted
            else:
                self.wished.pop(name, None)
            if fits != value:
                moved.append(f"{about.label.lower()} is now {value_text(fits)}")
        self.moved = tuple(moved)

    def limit(self, name: str, about: Setting, value: Any) -> None:
        """Limit a row to what `about` allows, `value` included."""
        row = self.rows[name]
        if isinstance(row, widgets.SelectionSlider):
            if about != self.about[name] or value not in dict(map(reversed, row.options)):
                row.options = rungs(about, value, self.kinds[name])
        elif about != self.about[name]:
            if about.choices is not None:
                row.options = about.choices
            elif not isinstance(row, TypedNumber):
                with row.hold_trait_notifications():
                    row.min, row.max, row.value = about.low, about.high, value
        self.about[name] = about

    @property
    def visible(self) -> tuple[str, ...]:
        """The settings that have an effect beside the others."""
        values = SimpleNamespace(**self.values())
        return tuple(name for name, about in self.declared.items() if about.matters(values))

    def departures_from(self, config: Any) -> tuple[str, ...]:
        """Return the published settings that have an effect and differ from `config`."""
        published = [name for name in self.visible if self.about[name].origin == "paper"]
        return tuple(n for n in published if tidy(self.rows[n].value) != getattr(config, n))

    def mark(self) -> None:
        """Find the nearest of the paper's experiments, and mark each row by where its value is from."""
        game = self.values().get("game")
        departures = {
            name: self.departures_from(config)
            for name, config in self.paper.items()
            if getattr(config, "game", None) == game
        }
        self.nearest = min(departures, key=lambda name: len(departures[name]), default="")
        self.departures = departures.get(self.nearest, ("game",))
        visible = self.visible
        for name, row in self.rows.items():
            row.layout.display = None if name in visible else "none"
            origin = "changed" if name in self.departures else self.about[name].origin
            for other in ORIGINS:
                (row.add_class if other == origin else row.remove_class)(style_of(other))
            row.tooltip = tooltip_for(self.about[name])
            if origin == "changed" and self.nearest:
                value = value_text(getattr(self.paper[self.nearest], name))
                row.tooltip += f"\n{self.nearest} has {value}."


def tidy(value: Any) -> Any:
    """Return a slider's value without the rounding of its steps: 6.5 for 6.500000000000001."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def kind_of(config: Any, name: str) -> type:
    """Return a field's type: that of its value, but a float where it was declared one."""
    declared = {field.name: field.type for field in dataclasses.fields(config)}[name]
    return float if declared in (float, "float") else type(getattr(config, name))


def tooltip_for(about: Setting) -> str:
    """Return what hovering shows."""
    unit = f"\nUnit: {about.unit}." if about.unit else ""
    silent = "\nThe paper does not say." if about.origin == "silent" else ""
    return f"{about.help}{unit}\nSource: {about.source}.{silent}"


def row_for(about: Setting, value: Any, kind: type) -> Any:
    """Return the widget that fits a setting."""
    words = f"{about.label} ({about.unit})" if about.unit else about.label
    shared: dict[str, Any] = {"tooltip": tooltip_for(about), "style": LABEL, "layout": ROW}
    shared["description"] = words if len(words) <= LONGEST_LABEL else about.label
    if about.choices is not None:
        return widgets.Dropdown(options=about.choices, value=value, **shared)
    if kind is bool:
        return widgets.Checkbox(value=value, **shared)
    shared |= {"value": value, "continuous_update": False}
    if kind not in (int, float):
        return widgets.Text(**shared)
    low, high, slides = about.low, about.high, about.logarithmic or kind is float
    if low is None or high is None or not (slides or high - low <= MOST_INTEGERS):
        return TypedNumber(kind, **shared)
    if about.logarithmic:
        return widgets.SelectionSlider(options=rungs(about, value, kind), **shared)
    shared |= {"min": kind(low), "max": kind(high)}
    if kind is float:
        step = 10.0 ** math.floor(math.log10((high - low) / 100))
        return widgets.FloatSlider(step=step, readout_format=READ_OUT, **shared)
    return widgets.IntSlider(**shared)


def rungs(about: Setting, value: Any, kind: type) -> list[tuple[str, Any]]:
    """Return the steps of the slider of a logarithmic setting, `value` among them, each with its text."""
    assert about.low is not None
    assert about.high is not None
    steps = ladder(about.low, about.high, value, whole=kind is int)
    return [(value_text(step), step) for step in steps if step not in about.excluded]


FINEST = 40  # steps that a slider can still be set to by hand
DECADES_BELOW = 12
"""How far a slider reaches down that may stand at zero, if its value does not ask for more."""


def ladder(low: float, high: float, value: float, *, whole: bool) -> list[float]:
    """Return the steps of a logarithmic slider, `value` among them."""
    bottom = low if low > 0 else min(filter(None, (value, high * 10.0**-DECADES_BELOW)))
    bottom = max(bottom, 1) if whole else bottom
    first, last = math.floor(math.log10(bottom)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if 3 * (last - first) <= FINEST else (1,)
    stride = math.ceil((last - first) / FINEST)
    powers = [10.0**exponent for exponent in range(first, last + 1, stride)]
    steps = {float(f"{digit * power:.12g}") for power in powers for digit in digits}
    steps = {step for step in steps if bottom <= step <= high} | {low, high, value}
    return sorted(int(step) if whole else step for step in steps)


MILLION = 1_000_000


def value_text(value: Any) -> str:
    """Return a value as people write it: 1e-300, 100,000 and 10 M."""
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, int) or isinstance(value, bool):
        return str(value)
    return f"{value:,}" if value % MILLION or not value else f"{value // MILLION:,} M"


def differences(one: Any, other: Any) -> str:
    """Return the settings of the Config `other` where the two differ, as in 'payoff shift 10'."""
    words = [
        f"{about.label.lower()} {value_text(getattr(other, name))}"
        for name, about in settings_of(one).items()
        if getattr(one, name) != getattr(other, name) and any(map(about.matters, (one, other)))
    ]
    more = f" and {len(words) - 2} more" if len(words) > 2 else ""
    return ", ".join(words[:2]) + more


def short_number(number: float) -> str:
    """Return a large number in three digits: 2.1 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
