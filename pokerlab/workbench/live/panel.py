"""The bench's column of controls: buttons, speed, what the views offer, and a row for each setting of a Config."""

import dataclasses
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import ipywidgets as widgets
from traitlets import Any as AnyValue

from pokerlab.core import Setting, SettingError, UnknownNameError, list_settings
from pokerlab.workbench.live.runner import Pace
from pokerlab.workbench.live.screen import close_widget, make_alert, make_button
from pokerlab.workbench.live.settings_fold import LABEL, ROW, WITHOUT_SIGN, SettingsFold

DIGITS = 12  # of a slider's value; those that follow are rounding
MOST_INTEGERS = 200  # a range of more integers than these is typed in, not slid to
READ_OUT = f".{DIGITS}"  # how a slider writes its value: a typed one with all its digits
LONGEST_LABEL = 20
"""Letters that stand in one line; a unit for which there is no room is said by the tooltip."""
ORIGINS = {
    "paper": "as in the paper",
    "changed": "not as in the paper",
    "ours": "ours",
    "silent": "not stated in the paper",
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


def choose_style_class(origin: str) -> str:
    """Return the style class of a row whose value has this origin."""
    return f"pokerlab-{origin}"


class Panel:
    """A row of controls for each setting; those without effect beside the others are out of sight.

    Where other settings narrow a row's range, a value outside moves inside, and back once it may: `moved` says so.
    `nearest` is the paper's experiment from which the fewest published settings differ, the `departures`; a game that
    no experiment of the paper plays has none. Rows that are put `aside` are out of sight, too.
    """

    def __init__(
        self, config: Any, paper: Mapping[str, Any], on_change: Callable[[], None]
    ) -> None:
        self.config_type = type(config)
        self.declared = list_settings(config)
        self.about = {name: about.adapt_to(config) for name, about in self.declared.items()}
        self.paper = paper
        self.on_change = on_change
        self.filling = False
        self.moved: tuple[str, ...] = ()
        self.wished: dict[str, Any] = {}
        self.aside: frozenset[str] = frozenset()
        self.kinds = {name: find_type(config, name) for name in self.about}
        self.rows = {
            name: make_row(about, getattr(config, name), self.kinds[name])
            for name, about in self.about.items()
        }
        for row in self.rows.values():
            row.observe(self.follow_change, names="value")
        self.mark()

    def values(self) -> dict[str, Any]:
        """Return the values of the rows, by field."""
        return {name: round_slider_value(row.value) for name, row in self.rows.items()}

    def config(self) -> Any:
        """Return the Config with the values of the rows; it refuses wrong ones itself."""
        return self.config_type(**self.values())

    def fill(self, config: Any) -> None:
        """Set all rows to a Config, as one change."""
        self.wished.clear()
        with self.hold_reports():
            for name, row in self.rows.items():
                self.limit_row(name, self.declared[name].adapt_to(config), getattr(config, name))
                row.value = getattr(config, name)
        self.follow_change(None)

    @contextmanager
    def hold_reports(self) -> Iterator[None]:
        """Report no change inside the block."""
        self.filling = True
        try:
            yield
        finally:
            self.filling = False

    def follow_change(self, change: Any) -> None:
        """Fit the other rows to what was changed, if there is no text for a number; mark all, and report."""
        if self.filling:
            return
        if change is not None:
            self.wished = {n: v for n, v in self.wished.items() if self.rows[n] is not change.owner}
        typed = (row for row in self.rows.values() if isinstance(row, TypedNumber))
        if not any(isinstance(row.value, str) for row in typed):
            with self.hold_reports():
                self.fit()
            self.mark()
        self.on_change()

    def fit(self) -> None:
        """Give every row the range that the others leave it, and a value inside."""
        moved = []
        for name, row in self.rows.items():
            about = self.declared[name].adapt_to(SimpleNamespace(**self.values()))
            value = round_slider_value(row.value)
            wanted = self.wished.get(name, value)
            if about == self.about[name]:
                continue
            fits = about.clip_to_allowed(wanted)
            self.limit_row(name, about, fits)
            row.value = fits
            if fits != wanted:
                self.wished[name] = wanted
            else:
                self.wished.pop(name, None)
            if fits != value:
                moved.append(f"{about.label.lower()} is now {format_value(fits)}")
        self.moved = tuple(moved)

    def limit_row(self, name: str, about: Setting, value: Any) -> None:
        """Limit a row to what `about` allows, `value` included."""
        row = self.rows[name]
        if isinstance(row, widgets.SelectionSlider):
            if about != self.about[name] or value not in dict(map(reversed, row.options)):
                row.options = list_slider_steps(about, value, self.kinds[name])
        elif about != self.about[name]:
            if about.choices is not None:
                row.options = about.choices
            elif not isinstance(row, TypedNumber):
                with row.hold_trait_notifications():
                    row.min = about.low
                    row.max = about.high
                    row.value = value
        self.about[name] = about

    @property
    def visible(self) -> tuple[str, ...]:
        """The settings that have an effect beside the others."""
        values = SimpleNamespace(**self.values())
        return tuple(name for name, about in self.declared.items() if about.has_effect(values))

    def list_departures(self, config: Any) -> tuple[str, ...]:
        """Return the published settings that have an effect and differ from `config`."""
        published = [name for name in self.visible if self.about[name].origin == "paper"]
        return tuple(
            n for n in published if round_slider_value(self.rows[n].value) != getattr(config, n)
        )

    def mark(self) -> None:
        """Find the nearest of the paper's experiments, and mark each row by where its value is from."""
        game = self.values().get("game")
        departures = {
            name: self.list_departures(config)
            for name, config in self.paper.items()
            if getattr(config, "game", None) == game
        }
        self.nearest = min(departures, key=lambda name: len(departures[name]), default="")
        self.departures = departures.get(self.nearest, ("game",))
        visible = self.visible
        for name, row in self.rows.items():
            row.layout.display = None if name in visible and name not in self.aside else "none"
            origin = "changed" if name in self.departures else self.about[name].origin
            for other in ORIGINS:
                (row.add_class if other == origin else row.remove_class)(choose_style_class(other))
            row.tooltip = write_tooltip(self.about[name])
            if origin == "changed" and self.nearest:
                value = format_value(getattr(self.paper[self.nearest], name))
                row.tooltip += f"\n{self.nearest} has {value}."


def round_slider_value(value: Any) -> Any:
    """Return a slider's value without the rounding of its steps: 6.5 for 6.500000000000001."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def find_type(config: Any, name: str) -> type:
    """Return a field's type: that of its value, but a float where it was declared one."""
    declared = {field.name: field.type for field in dataclasses.fields(config)}[name]
    return float if declared in (float, "float") else type(getattr(config, name))


def write_tooltip(about: Setting) -> str:
    """Return what hovering shows."""
    unit = f"\nUnit: {about.unit}." if about.unit else ""
    silent = "\nThe paper does not say." if about.origin == "silent" else ""
    return f"{about.help}{unit}\nSource: {about.source}.{silent}"


def make_row(about: Setting, value: Any, kind: type) -> Any:
    """Return the widget that fits a setting."""
    words = f"{about.label} ({about.unit})" if about.unit else about.label
    shared: dict[str, Any] = {"tooltip": write_tooltip(about), "style": LABEL, "layout": ROW}
    shared["description"] = words if len(words) <= LONGEST_LABEL else about.label
    if about.choices is not None:
        return widgets.Dropdown(options=about.choices, value=value, **shared)
    if kind is bool:
        return widgets.Checkbox(value=value, **shared)
    shared |= {"value": value, "continuous_update": False}
    if kind not in (int, float):
        return widgets.Text(**shared)
    low = about.low
    high = about.high
    slides = about.logarithmic or kind is float
    if low is None or high is None or not (slides or high - low <= MOST_INTEGERS):
        return TypedNumber(kind, **shared)
    if about.logarithmic:
        return widgets.SelectionSlider(options=list_slider_steps(about, value, kind), **shared)
    shared |= {"min": kind(low), "max": kind(high)}
    if kind is float:
        step = 10.0 ** math.floor(math.log10((high - low) / 100))
        return widgets.FloatSlider(step=step, readout_format=READ_OUT, **shared)
    return widgets.IntSlider(**shared)


def list_slider_steps(about: Setting, value: Any, kind: type) -> list[tuple[str, Any]]:
    """Return the steps of the slider of a logarithmic setting, `value` among them, each with its text."""
    assert about.low is not None
    assert about.high is not None
    steps = list_log_steps(about.low, about.high, value, whole=kind is int)
    return [(format_value(step), step) for step in steps if step not in about.excluded]


FINEST = 40  # steps that a slider can still be set to by hand
DECADES_BELOW = 12
"""How far a slider reaches down that may stand at zero, if its value does not ask for more."""


def list_log_steps(low: float, high: float, value: float, *, whole: bool) -> list[float]:
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


def format_value(value: Any) -> str:
    """Return a value as people write it: 1e-300, 100,000 and 10 M."""
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, int) or isinstance(value, bool):
        return str(value)
    return f"{value:,}" if value % MILLION or not value else f"{value // MILLION:,} M"


def describe_differences(one: Any, other: Any) -> str:
    """Return the settings of the Config `other` where the two differ, as in 'payoff shift 10'."""
    words = [
        f"{about.label.lower()} {format_value(getattr(other, name))}"
        for name, about in list_settings(one).items()
        if getattr(one, name) != getattr(other, name) and any(map(about.has_effect, (one, other)))
    ]
    more = f" and {len(words) - 2} more" if len(words) > 2 else ""
    return ", ".join(words[:2]) + more


def write_address(config: Any, defaults: Any) -> str:
    """Return the settings of a Config that differ from others as the end of an address: 'game=KP(3)&seed=2'."""
    changed = {
        name: getattr(config, name)
        for name in list_settings(config)
        if getattr(config, name) != getattr(defaults, name)
    }
    written = {
        name: repr(value).removesuffix(".0") if isinstance(value, float) else value
        for name, value in changed.items()
    }
    return urlencode(written, safe="()")


def read_address(address: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the end of an address names, each in the type that its default has.

    `defaults` holds a value for each setting that the address may name.

    Raises
    ------
    SettingError
        If there is no such setting, or if a value cannot be read.
    """
    settings = {}
    for name, text in parse_qsl(address, keep_blank_values=True):
        UnknownNameError.check("setting", name, tuple(defaults))
        settings[name] = read_value(name, text, defaults[name])
    return settings


def read_value(name: str, text: str, default: Any) -> Any:
    """Return the value that a text says, in the type of `default`."""
    if isinstance(default, bool):
        UnknownNameError.check(name, text, ("True", "False"))
        return text == "True"
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            kind = "a whole number" if isinstance(default, int) else "a number"
            raise SettingError(f"{name} is '{text}' in the address. Give {kind}.") from None
    return text


def shorten_number(number: float) -> str:
    """Return a large number in three digits: 2.1 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


SPEEDS = {
    "1": Pace(1.0),
    "3": Pace(3.0),
    "10": Pace(10.0),
    "100": Pace(100.0),
    "1,000": Pace(1e3),
    "10,000": Pace(1e4),
    "×10 in 3 s": Pace(10.0, math.log(10.0) / 3.0),
    "full speed": Pace(math.inf),
}
"""How fast to go, by the words of the slider. With ×10 in 3 s a logarithmic axis passes evenly."""
PANEL_CLASS = "pokerlab-panel"
SIGNS = {"paper": "■", "changed": "▲", "ours": "◇", "silent": "?"}
"""What stands before a row, by where its value is from."""
RULES = "".join(
    f'.{PANEL_CLASS} .{choose_style_class(origin)}::before {{ content: "{sign}"; width: 14px; flex: none;'
    " align-self: center; font-size: 10px; color: var(--pokerlab-quiet); }\n"
    for origin, sign in SIGNS.items()
)
SMALL = "font-size: 11px; line-height: 1.35; color: var(--pokerlab-quiet);"
CHANGED = f".{PANEL_CLASS} .{choose_style_class('changed')}"
SHEET = f"""<style>
.{PANEL_CLASS} {{ --pokerlab-quiet: #5f5f5f; --pokerlab-alert: #b34700; }}
[data-jp-theme-light="false"] .{PANEL_CLASS} {{ --pokerlab-quiet: #b5b5b5; --pokerlab-alert: #ffa657; }}
.{PANEL_CLASS} .jupyter-button {{ padding: 0 6px; }}
.{PANEL_CLASS} .pokerlab-small {{ {SMALL} }}
.{PANEL_CLASS} select {{ text-overflow: ellipsis; }}
.{PANEL_CLASS} .widget-dropdown {{ flex-wrap: wrap; height: auto !important; min-height: 28px; }}
.{PANEL_CLASS} .widget-dropdown > select {{ flex: 1 1 auto !important; width: auto; min-width: 0; height: 28px; }}
.{PANEL_CLASS} .widget-label {{ white-space: normal; line-height: 1.1; align-self: center; height: auto; }}
{RULES}
{CHANGED}::before, {CHANGED} > .widget-label {{ color: var(--pokerlab-alert); }}
</style>"""
BUTTONS = (
    ("Run", "play", "Run until the end, or pause."),
    ("Step", "step-forward", "Do one iteration."),
    ("Reset", "refresh", "Begin again; keep this curve."),
    ("Defaults", "undo", "Go back to this cell's settings and pictures."),
)
NOWHERE = "a game that is not in the paper"  # what the menu says where no experiment is near
WIDTH = "350px"


class Controls:
    """The widgets of a bench; each calls back into it, 'paper' with the name of an experiment.

    `knobs` stand open, all others are folded; if there are none, all that are not rare are open. `disturb` is the fold
    of what can be done to a running population.
    """

    def __init__(
        self,
        title: str,
        panel: Panel,
        actions: Mapping[str, Callable[..., None]],
        choices: Mapping[str, Mapping[str, Any]],
        on_choice: Callable[[], None],
        knobs: Collection[str] = (),
        *,
        speed: str,
        disturb: Any,
    ) -> None:
        self.panel = panel
        self.run, self.step, self.reset, self.defaults = (
            make_button(
                words, actions[words.lower()], icon=icon, tooltip=tip, layout={"width": "32%"}
            )
            for words, icon, tip in BUTTONS
        )
        self.run.button_style = "primary"
        self.buttons = widgets.HBox([self.run, self.step, self.reset])
        self.buttons.add_class("pokerlab-buttons")
        self.speed = widgets.SelectionSlider(
            options=list(SPEEDS.items()), value=SPEEDS[speed], description="Steps a second",
            tooltip="From one step a second, to watch, to as fast as it goes. ×10 in 3 s: each decade takes 3 seconds.",
            style=WITHOUT_SIGN, layout=ROW,
        )  # fmt: skip
        self.speed.observe(lambda change: actions["speed"](), names="value")
        self.paper = widgets.Dropdown(
            description="Paper", tooltip="Take the settings of one of the paper's experiments.",
            style={"description_width": "48px"}, layout=ROW,
        )  # fmt: skip
        self.paper.observe(lambda change: self.report_paper_choice(actions["paper"]), names="value")
        self.on_choice = on_choice
        self.begins_at = SPEEDS[speed]
        self.choices: dict[str, Any] = {}
        self.offering = False
        for name in knobs:
            UnknownNameError.check("setting", name, tuple(panel.declared))
        is_rare = {
            n: n not in knobs if knobs else about.rare for n, about in panel.declared.items()
        }
        self.rare = tuple(name for name in panel.rows if is_rare[name])
        self.folded = SettingsFold(panel, self.rare)
        self.legend, self.complaint = widgets.HTML(), widgets.HTML()
        self.above = (
            widgets.HTML(f"{SHEET}<b>{title}</b>"),
            self.buttons,
            self.speed,
            self.paper,
            *(row for name, row in panel.rows.items() if not is_rare[name]),
            self.folded,
            self.complaint,
        )
        self.below = (disturb, widgets.HBox([self.defaults]), self.legend)
        self.widget = widgets.VBox(
            layout={"width": WIDTH, "max_width": "100%", "flex": "none", "overflow": "hidden"}
        )
        self.widget.add_class(PANEL_CLASS)
        self.offer(choices)

    def report_choice(self) -> None:
        """Report a choice that the user has made."""
        if not self.offering:
            self.on_choice()

    def choose_defaults(self) -> None:
        """Go back to the first of each of the views' choices, and to the speed of the beginning."""
        self.speed.value = self.begins_at
        for row in self.choices.values():
            row.index = 0

    def report_paper_choice(self, fill: Callable[[str], None]) -> None:
        """Report which of the paper's experiments the user has chosen."""
        if not self.offering and self.paper.value in self.panel.paper:
            fill(self.paper.value)

    def offer(self, choices: Mapping[str, Mapping[str, Any]]) -> None:
        """Offer the choices of a run's views; keep the present ones where they are still offered."""
        self.offering = True
        before = self.choices
        self.choices = {}
        for words, options in choices.items():
            row = before.pop(words, None)
            if row is None:
                row = widgets.Dropdown(description=words, style=WITHOUT_SIGN, layout=ROW)
                row.observe(lambda change: self.report_choice(), names="value")
            chosen = row.label
            row.options = list(options.items())
            row.label = chosen if chosen in options else next(iter(options))
            row.layout.display = None if len(options) > 1 else "none"
            self.choices[words] = row
        self.widget.children = (*self.above, *self.choices.values(), *self.below)
        for gone in before.values():
            close_widget(gone)
        self.offering = False

    def show_state(
        self, *, running: bool, pausing: str, can_run: bool, wrong: str = "", cost: str = ""
    ) -> None:
        """Show what can be done now, what is wrong with the settings, what an iteration takes, whence values come."""
        self.run.description = pausing or ("Pause" if running else "Run")
        self.run.icon = "pause" if running else "play"
        self.run.disabled = not (running or can_run)
        self.step.disabled = running or not can_run
        self.complaint.layout.display = None if wrong else "none"
        self.complaint.value = f'<div style="{SMALL}">{make_alert(wrong)}</div>'
        self.show_paper()
        self.show_legend(cost)

    def show_paper(self) -> None:
        """Set the menu to the paper's experiment on show, or to the nearest one."""
        panel = self.panel
        near = [f"near {panel.nearest}" if panel.nearest else NOWHERE] * bool(panel.departures)
        options = (*near, *panel.paper)
        self.offering = True
        if tuple(self.paper.options) != options:
            self.paper.options = options
        self.paper.value = near[0] if near else panel.nearest
        self.offering = False

    def show_legend(self, cost: str) -> None:
        """Explain the visible marks, and say how many settings are folded away, and what an iteration takes."""
        panel = self.panel
        visible = self.panel.visible
        folded = [name for name in self.rare if name in visible]
        changed = " ▲" * any(name in panel.departures for name in folded)
        self.folded.switch.description = f"More settings ({len(folded)}){changed}"
        self.folded.layout.display = None if folded else "none"
        self.folded.update(visible)
        origins = {"changed" if n in panel.departures else panel.about[n].origin for n in visible}
        words = ORIGINS | {"changed": f"not as in {panel.nearest or 'the paper'}"}
        marks = [
            f'<span style="white-space: nowrap;">{SIGNS[origin]}&nbsp;{escape(words[origin])}</span>'
            for origin in ORIGINS
            if origin in origins
        ]
        marks += [f"<br>{escape(cost)}"] * bool(cost)
        self.legend.value = f'<div style="{SMALL}">{"&ensp; ".join(marks)}</div>'

    def close(self) -> None:
        """Close all widgets."""
        close_widget(self.widget)
