"""The bench's column of controls: buttons, speed, the choices of its views, and a row for each setting of a Config."""

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

from pokerlab.core import SettingError, UnknownNameError, list_settings
from pokerlab.core.settings import Setting
from pokerlab.workbench.live.runner import Pace
from pokerlab.workbench.live.screen import close_widget, make_alert, make_button
from pokerlab.workbench.live.settings_fold import ROW, ROW_LABEL, SIGNLESS_LABEL, SettingsFold

NUM_DIGITS = 12
"""The digits of a slider's value that are used; later ones are rounding errors."""
MOST_SLIDER_INTEGERS = 200
"""The largest number of integers that a slider offers. A value of a longer range is typed."""
READOUT_FORMAT = f".{NUM_DIGITS}"  # a typed value is shown with all its digits
LONGEST_LABEL = 20
"""The letters of a label that fit in one line. A unit that does not fit is only in the tooltip."""
ORIGINS = {
    "paper": "as in the paper",
    "changed": "not as in the paper",
    "ours": "ours",
    "silent": "not stated in the paper",
}
"""The possible sources of a row's value, in the words of the legend."""


class TypedNumber(widgets.Text):  # type: ignore[misc]
    """A field for a number. If its text is no number, the value is the text, and the Config raises an error for it."""

    value = AnyValue(0).tag(
        sync=True, to_json=lambda number, field: str(number),
        from_json=lambda text, field: field.parse_text(text),
    )  # fmt: skip

    def __init__(self, number_type: type, **widget_arguments: Any) -> None:
        self.number_type = number_type
        super().__init__(**widget_arguments)

    def parse_text(self, text: str) -> Any:
        """Return a text as a number, or the text itself if it is no number."""
        try:
            return self.number_type(text)
        except ValueError:
            return text


def choose_style_class(origin: str) -> str:
    """Return the style class of a row whose value has an origin, one of the keys of `ORIGINS`."""
    return f"pokerlab-{origin}"


class Panel:
    """A row of controls for each setting. Settings without effect are hidden.

    If other settings narrow the range of a row, a value outside is replaced by the nearest value inside. It returns as
    soon as the range allows it.

    Parameters
    ----------
    config : Any
        The first settings.
    paper_configs : mapping of str to Any
        The settings of the paper's experiments, by name.
    on_change : callable
        It is called without arguments after each change.

    Attributes
    ----------
    rows : dict of str to widget
        The widget of each setting.
    settings : dict of str to Setting
        The settings as they are beside the present values of the others.
    move_notes : tuple of str
        A sentence on each value that the last change of another setting has replaced.
    nearest_experiment : str
        The name of the paper's experiment of the same game from which the fewest published settings differ; empty if
        the paper has no experiment of this game.
    departures : tuple of str
        The names of these settings.
    hidden_names : frozenset of str
        The settings whose rows are hidden although they have an effect.
    """

    def __init__(
        self, config: Any, paper_configs: Mapping[str, Any], on_change: Callable[[], None]
    ) -> None:
        self.config_type = type(config)
        self.declared_settings = list_settings(config)
        self.settings = {
            name: setting.adapt_to(config) for name, setting in self.declared_settings.items()
        }
        self.paper_configs = paper_configs
        self.on_change = on_change
        self.is_filling = False
        self.move_notes: tuple[str, ...] = ()
        self.wished_values: dict[str, Any] = {}
        self.hidden_names: frozenset[str] = frozenset()
        self.types = {name: find_type(config, name) for name in self.settings}
        self.rows = {
            name: make_row(setting, getattr(config, name), self.types[name])
            for name, setting in self.settings.items()
        }
        for row in self.rows.values():
            row.observe(self.handle_change, names="value")
        self.mark_rows()

    def read_values(self) -> dict[str, Any]:
        """Return the values of the rows, by the name of the setting."""
        return {name: round_slider_value(row.value) for name, row in self.rows.items()}

    def make_config(self) -> Any:
        """Return the Config with the values of the rows, which raises an error if one of them is wrong."""
        return self.config_type(**self.read_values())

    def set_config(self, config: Any) -> None:
        """Set all rows to the values of a Config, and report one change."""
        self.wished_values.clear()
        with self.hold_reports():
            for name, row in self.rows.items():
                self.limit_row(
                    name, self.declared_settings[name].adapt_to(config), getattr(config, name)
                )
                row.value = getattr(config, name)
        self.handle_change(None)

    @contextmanager
    def hold_reports(self) -> Iterator[None]:
        """Report no changes in the body of a with statement."""
        self.is_filling = True
        try:
            yield
        finally:
            self.is_filling = False

    def handle_change(self, change: Any) -> None:
        """Handle a change of a row, or of all rows if `change` is None: fit the others, mark all rows, and report it.

        Nothing is fitted while a field for a number contains another text.
        """
        if self.is_filling:
            return
        if change is not None:
            self.wished_values = {
                name: value
                for name, value in self.wished_values.items()
                if self.rows[name] is not change.owner
            }
        typed = (row for row in self.rows.values() if isinstance(row, TypedNumber))
        if not any(isinstance(row.value, str) for row in typed):
            with self.hold_reports():
                self.fit_rows()
            self.mark_rows()
        self.on_change()

    def fit_rows(self) -> None:
        """Give each row the range that the values of the others allow, and a value inside this range."""
        move_notes = []
        for name, row in self.rows.items():
            setting = self.declared_settings[name].adapt_to(SimpleNamespace(**self.read_values()))
            value = round_slider_value(row.value)
            wished_value = self.wished_values.get(name, value)
            if setting == self.settings[name]:
                continue
            allowed_value = setting.clip_to_allowed(wished_value)
            self.limit_row(name, setting, allowed_value)
            row.value = allowed_value
            if allowed_value != wished_value:
                self.wished_values[name] = wished_value
            else:
                self.wished_values.pop(name, None)
            if allowed_value != value:
                move_notes.append(f"{setting.label.lower()} is now {format_value(allowed_value)}")
        self.move_notes = tuple(move_notes)

    def limit_row(self, name: str, setting: Setting, value: Any) -> None:
        """Limit the row of the setting `name` to the values that `setting` allows, and to `value`."""
        row = self.rows[name]
        if isinstance(row, widgets.SelectionSlider):
            if setting != self.settings[name] or value not in dict(map(reversed, row.options)):
                row.options = list_slider_steps(setting, value, self.types[name])
        elif setting != self.settings[name]:
            if setting.choices is not None:
                row.options = setting.choices
            elif not isinstance(row, TypedNumber):
                with row.hold_trait_notifications():
                    row.min = setting.low
                    row.max = setting.high
                    row.value = value
        self.settings[name] = setting

    @property
    def visible_names(self) -> tuple[str, ...]:
        """The names of the settings that have an effect beside the values of the others."""
        values = SimpleNamespace(**self.read_values())
        return tuple(
            name for name, setting in self.declared_settings.items() if setting.has_effect(values)
        )

    def list_departures(self, config: Any) -> tuple[str, ...]:
        """Return the names of the published settings that have an effect and differ from those of a Config."""
        published = [name for name in self.visible_names if self.settings[name].origin == "paper"]
        values = self.read_values()
        return tuple(name for name in published if values[name] != getattr(config, name))

    def mark_rows(self) -> None:
        """Find the nearest of the paper's experiments, and mark each row by the source of its value."""
        game = self.read_values().get("game")
        departures = {
            name: self.list_departures(config)
            for name, config in self.paper_configs.items()
            if getattr(config, "game", None) == game
        }
        self.nearest_experiment = min(
            departures, key=lambda name: len(departures[name]), default=""
        )
        self.departures = departures.get(self.nearest_experiment, ("game",))
        visible = self.visible_names
        for name, row in self.rows.items():
            row.layout.display = (
                None if name in visible and name not in self.hidden_names else "none"
            )
            origin = "changed" if name in self.departures else self.settings[name].origin
            for any_origin in ORIGINS:
                change_classes = row.add_class if any_origin == origin else row.remove_class
                change_classes(choose_style_class(any_origin))
            row.tooltip = write_tooltip(self.settings[name])
            if origin == "changed" and self.nearest_experiment:
                value = format_value(getattr(self.paper_configs[self.nearest_experiment], name))
                row.tooltip += f"\n{self.nearest_experiment} has {value}."


def round_slider_value(value: Any) -> Any:
    """Return a slider's value without the rounding of its steps: 6.5 for 6.500000000000001."""
    return float(f"{value:.{NUM_DIGITS}g}") if isinstance(value, float) else value


def find_type(config: Any, name: str) -> type:
    """Return the type of a field of a Config: that of its value, but float for each field that is declared a float."""
    types = {field.name: field.type for field in dataclasses.fields(config)}
    return float if types[name] in (float, "float") else type(getattr(config, name))


def write_tooltip(setting: Setting) -> str:
    """Return the tooltip of a setting: its description, its unit and its source."""
    unit = f"\nUnit: {setting.unit}." if setting.unit else ""
    silent = "\nThe paper does not say." if setting.origin == "silent" else ""
    return f"{setting.help}{unit}\nSource: {setting.source}.{silent}"


def make_row(setting: Setting, value: Any, value_type: type) -> Any:
    """Return the widget for the values of a setting, which have the type `value_type`."""
    words = f"{setting.label} ({setting.unit})" if setting.unit else setting.label
    shared: dict[str, Any] = {"tooltip": write_tooltip(setting), "style": ROW_LABEL, "layout": ROW}
    shared["description"] = words if len(words) <= LONGEST_LABEL else setting.label
    if setting.choices is not None:
        return widgets.Dropdown(options=setting.choices, value=value, **shared)
    if value_type is bool:
        return widgets.Checkbox(value=value, **shared)
    shared |= {"value": value, "continuous_update": False}
    if value_type not in (int, float):
        return widgets.Text(**shared)
    low = setting.low
    high = setting.high
    slides = setting.logarithmic or value_type is float
    if low is None or high is None or not (slides or high - low <= MOST_SLIDER_INTEGERS):
        return TypedNumber(value_type, **shared)
    if setting.logarithmic:
        return widgets.SelectionSlider(
            options=list_slider_steps(setting, value, value_type), **shared
        )
    shared |= {"min": value_type(low), "max": value_type(high)}
    if value_type is float:
        step = 10.0 ** math.floor(math.log10((high - low) / 100))
        return widgets.FloatSlider(step=step, readout_format=READOUT_FORMAT, **shared)
    return widgets.IntSlider(**shared)


def list_slider_steps(setting: Setting, value: Any, value_type: type) -> list[tuple[str, Any]]:
    """Return the steps of a logarithmic setting's slider, each with its text. They include `value`."""
    assert setting.low is not None
    assert setting.high is not None
    steps = list_log_steps(setting.low, setting.high, value, whole=value_type is int)
    return [(format_value(step), step) for step in steps if step not in setting.excluded]


MOST_STEPS = 40
"""The number of steps among which one can still be chosen by hand."""
DECADES_BELOW = 12
"""The decades of a logarithmic slider that begins with zero, unless its value needs more."""


def list_log_steps(low: float, high: float, value: float, *, whole: bool) -> list[float]:
    """Return the steps of a logarithmic slider in ascending order.

    Parameters
    ----------
    low, high : float
        The limits, which are steps. The lower one may be 0.
    value : float
        The present value, which is a step, too.
    whole : bool
        Whether the steps are whole numbers.
    """
    bottom = low if low > 0 else min(filter(None, (value, high * 10.0**-DECADES_BELOW)))
    bottom = max(bottom, 1) if whole else bottom
    first, last = math.floor(math.log10(bottom)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if 3 * (last - first) <= MOST_STEPS else (1,)
    stride = math.ceil((last - first) / MOST_STEPS)
    powers = [10.0**exponent for exponent in range(first, last + 1, stride)]
    steps = {float(f"{digit * power:.12g}") for power in powers for digit in digits}
    steps = {step for step in steps if bottom <= step <= high} | {low, high, value}
    return sorted(int(step) if whole else step for step in steps)


MILLION = 1_000_000


def format_value(value: Any) -> str:
    """Return a value as text in the usual form, such as 1e-300, 100,000 and 10 M."""
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, int) or isinstance(value, bool):
        return str(value)
    return f"{value:,}" if value % MILLION or not value else f"{value // MILLION:,} M"


def describe_differences(one: Any, other: Any) -> str:
    """Return the settings of the Config `other` that differ from those of `one`, as in 'payoff shift 10'."""
    words = [
        f"{setting.label.lower()} {format_value(getattr(other, name))}"
        for name, setting in list_settings(one).items()
        if getattr(one, name) != getattr(other, name) and any(map(setting.has_effect, (one, other)))
    ]
    more = f" and {len(words) - 2} more" if len(words) > 2 else ""
    return ", ".join(words[:2]) + more


def write_address(config: Any, defaults: Any) -> str:
    """Return the settings of `config` that differ from `defaults`, as the end of an address: 'game=KP(3)&seed=2'."""
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
    """Return the settings in the end of an address, such as 'game=KP(3)&seed=2', by name.

    Parameters
    ----------
    address : str
        The end of the address.
    defaults : mapping of str to Any
        A value of each setting that the address may contain, which has the type of the setting.

    Returns
    -------
    dict of str to Any
        The values, each of the type of its default.

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
    """Return the value of the setting `name` from a text, in the type of `default`."""
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
    """Return a number with three digits, and with k or M if it is large: 2.1 M."""
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
"""The paces of a run, by the words of the slider. With ×10 in 3 s a run moves evenly along a logarithmic axis."""
PANEL_CLASS = "pokerlab-panel"
ORIGIN_SIGNS = {"paper": "■", "changed": "▲", "ours": "◇", "silent": "?"}
"""The sign before a row, by the source of its value."""
ORIGIN_RULES = "".join(
    f'.{PANEL_CLASS} .{choose_style_class(origin)}::before {{ content: "{sign}"; width: 14px; flex: none;'
    " align-self: center; font-size: 10px; color: var(--pokerlab-quiet); }\n"
    for origin, sign in ORIGIN_SIGNS.items()
)
SMALL_STYLE = "font-size: 11px; line-height: 1.35; color: var(--pokerlab-quiet);"
CHANGED = f".{PANEL_CLASS} .{choose_style_class('changed')}"
SHEET = f"""<style>
.{PANEL_CLASS} {{ --pokerlab-quiet: #5f5f5f; --pokerlab-alert: #b34700; }}
[data-jp-theme-light="false"] .{PANEL_CLASS} {{ --pokerlab-quiet: #b5b5b5; --pokerlab-alert: #ffa657; }}
.{PANEL_CLASS} .jupyter-button {{ padding: 0 6px; }}
.{PANEL_CLASS} .pokerlab-small {{ {SMALL_STYLE} }}
.{PANEL_CLASS} select {{ text-overflow: ellipsis; }}
.{PANEL_CLASS} .widget-dropdown {{ flex-wrap: wrap; height: auto !important; min-height: 28px; }}
.{PANEL_CLASS} .widget-dropdown > select {{ flex: 1 1 auto !important; width: auto; min-width: 0; height: 28px; }}
.{PANEL_CLASS} .widget-label {{ white-space: normal; line-height: 1.1; align-self: center; height: auto; }}
{ORIGIN_RULES}
{CHANGED}::before, {CHANGED} > .widget-label {{ color: var(--pokerlab-alert); }}
</style>"""
BUTTONS = (
    ("Run", "play", "Run until the end, or pause."),
    ("Step", "step-forward", "Do one iteration."),
    ("Reset", "refresh", "Begin again; keep this curve."),
    ("Defaults", "undo", "Go back to this cell's settings and pictures."),
)
NO_EXPERIMENT = "a game that is not in the paper"  # the words of the menu if no experiment is near
WIDTH = "350px"


class Controls:
    """The controls of a bench, in a column.

    Parameters
    ----------
    title : str
        The title of the experiment.
    panel : Panel
        The rows of its settings.
    actions : mapping of str to callable
        The functions of the bench that the controls call: 'run', 'step', 'reset', 'defaults' and 'speed' without
        arguments, and 'paper' with the name of one of the paper's experiments.
    choices : mapping of str to mapping
        For each menu of the views its options, by their words.
    on_choice : callable
        It is called without arguments when the user has chosen in one of these menus.
    knobs : collection of str
        The settings whose rows are open. All others are folded. If there are no knobs, all that are not rare are open.
    first_speed : str
        The pace with which the bench begins, one of `SPEEDS`.
    disturb_fold : DisturbFold
        The controls for changes of the run from outside.
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
        first_speed: str,
        disturb_fold: Any,
    ) -> None:
        self.panel = panel
        self.run_button, self.step_button, self.reset_button, self.defaults_button = (
            make_button(
                words, actions[words.lower()], icon=icon, tooltip=tip, layout={"width": "32%"}
            )
            for words, icon, tip in BUTTONS
        )
        self.run_button.button_style = "primary"
        self.button_row = widgets.HBox([self.run_button, self.step_button, self.reset_button])
        self.button_row.add_class("pokerlab-buttons")
        self.speed_slider = widgets.SelectionSlider(
            options=list(SPEEDS.items()), value=SPEEDS[first_speed], description="Steps a second",
            tooltip="From one step a second, to watch, to as fast as it goes. ×10 in 3 s: each decade takes 3 seconds.",
            style=SIGNLESS_LABEL, layout=ROW,
        )  # fmt: skip
        self.speed_slider.observe(lambda change: actions["speed"](), names="value")
        self.paper_menu = widgets.Dropdown(
            description="Paper", tooltip="Take the settings of one of the paper's experiments.",
            style={"description_width": "48px"}, layout=ROW,
        )  # fmt: skip
        self.paper_menu.observe(
            lambda change: self.report_paper_choice(actions["paper"]), names="value"
        )
        self.on_choice = on_choice
        self.first_pace = SPEEDS[first_speed]
        self.choice_menus: dict[str, Any] = {}
        self.is_offering = False
        for name in knobs:
            UnknownNameError.check("setting", name, tuple(panel.declared_settings))
        is_folded = {
            name: name not in knobs if knobs else setting.rare
            for name, setting in panel.declared_settings.items()
        }
        self.folded_names = tuple(name for name in panel.rows if is_folded[name])
        self.settings_fold = SettingsFold(panel, self.folded_names)
        self.legend_words, self.error_words = widgets.HTML(), widgets.HTML()
        self.widgets_above = (
            widgets.HTML(f"{SHEET}<b>{title}</b>"),
            self.button_row,
            self.speed_slider,
            self.paper_menu,
            *(row for name, row in panel.rows.items() if not is_folded[name]),
            self.settings_fold,
            self.error_words,
        )
        self.widgets_below = (disturb_fold, widgets.HBox([self.defaults_button]), self.legend_words)
        self.widget = widgets.VBox(
            layout={"width": WIDTH, "max_width": "100%", "flex": "none", "overflow": "hidden"}
        )
        self.widget.add_class(PANEL_CLASS)
        self.offer_choices(choices)

    def report_choice(self) -> None:
        """Call `on_choice`, unless the menus are just being filled."""
        if not self.is_offering:
            self.on_choice()

    def choose_defaults(self) -> None:
        """Choose the first option of each menu of the views, and the pace with which the bench began."""
        self.speed_slider.value = self.first_pace
        for menu in self.choice_menus.values():
            menu.index = 0

    def report_paper_choice(self, take_settings: Callable[[str], None]) -> None:
        """Call a function with the name of the paper's experiment that the user has chosen, if there is one."""
        if not self.is_offering and self.paper_menu.value in self.panel.paper_configs:
            take_settings(self.paper_menu.value)

    def offer_choices(self, choices: Mapping[str, Mapping[str, Any]]) -> None:
        """Show the menus of a run's views, in which the present choices stay as far as they are still offered.

        Parameters
        ----------
        choices : mapping of str to mapping
            For each menu its options, by their words. A menu with one option is hidden.
        """
        self.is_offering = True
        old_menus = self.choice_menus
        self.choice_menus = {}
        for menu_label, options in choices.items():
            menu = old_menus.pop(menu_label, None)
            if menu is None:
                menu = widgets.Dropdown(description=menu_label, style=SIGNLESS_LABEL, layout=ROW)
                menu.observe(lambda change: self.report_choice(), names="value")
            chosen_label = menu.label
            menu.options = list(options.items())
            menu.label = chosen_label if chosen_label in options else next(iter(options))
            menu.layout.display = None if len(options) > 1 else "none"
            self.choice_menus[menu_label] = menu
        self.widget.children = (
            *self.widgets_above,
            *self.choice_menus.values(),
            *self.widgets_below,
        )
        for unused_menu in old_menus.values():
            close_widget(unused_menu)
        self.is_offering = False

    def show_state(
        self,
        *,
        is_running: bool,
        pause_words: str,
        can_run: bool,
        error_words: str = "",
        step_time_words: str = "",
    ) -> None:
        """Update the buttons, the error in the settings, the menu of the paper, and the legend.

        Parameters
        ----------
        is_running : bool
            Whether the run is under way.
        pause_words : str
            The label of the button *Run* while the run is about to pause; otherwise empty.
        can_run : bool
            Whether the settings are valid.
        error_words : str
            The error in the settings, or an empty text.
        step_time_words : str
            A sentence on the time of an iteration, or an empty text.
        """
        self.run_button.description = pause_words or ("Pause" if is_running else "Run")
        self.run_button.icon = "pause" if is_running else "play"
        self.run_button.disabled = not (is_running or can_run)
        self.step_button.disabled = is_running or not can_run
        self.error_words.layout.display = None if error_words else "none"
        self.error_words.value = f'<div style="{SMALL_STYLE}">{make_alert(error_words)}</div>'
        self.show_paper()
        self.show_legend(step_time_words)

    def show_paper(self) -> None:
        """Set the menu to the experiment of the paper that has the present settings, or to the nearest one."""
        panel = self.panel
        nearest = panel.nearest_experiment
        nearest_options = []
        if panel.departures:
            nearest_options.append(f"near {nearest}" if nearest else NO_EXPERIMENT)
        options = (*nearest_options, *panel.paper_configs)
        self.is_offering = True
        if tuple(self.paper_menu.options) != options:
            self.paper_menu.options = options
        self.paper_menu.value = nearest_options[0] if nearest_options else nearest
        self.is_offering = False

    def show_legend(self, step_time_words: str) -> None:
        """Explain the signs of visible rows, and show the number of folded settings and the time of an iteration."""
        panel = self.panel
        visible_names = panel.visible_names
        folded_names = [name for name in self.folded_names if name in visible_names]
        sign = " ▲" * any(name in panel.departures for name in folded_names)
        self.settings_fold.switch.description = f"More settings ({len(folded_names)}){sign}"
        self.settings_fold.layout.display = None if folded_names else "none"
        self.settings_fold.update_rows(visible_names)
        origins = {
            "changed" if name in panel.departures else panel.settings[name].origin
            for name in visible_names
        }
        words = ORIGINS | {"changed": f"not as in {panel.nearest_experiment or 'the paper'}"}
        marks = [
            f'<span style="white-space: nowrap;">{ORIGIN_SIGNS[origin]}&nbsp;{escape(words[origin])}</span>'
            for origin in ORIGINS
            if origin in origins
        ]
        marks += [f"<br>{escape(step_time_words)}"] * bool(step_time_words)
        self.legend_words.value = f'<div style="{SMALL_STYLE}">{"&ensp; ".join(marks)}</div>'

    def close(self) -> None:
        """Close all widgets."""
        close_widget(self.widget)
