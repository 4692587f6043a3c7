"""An explorer: controls, a reading that is computed from their values, and its picture, all in one cell.

It is declared by data and pure functions. A `Control` has a name and a range. A *reading* is computed from the values
of the controls, and a *drawing* shows the reading. `Explorer` makes the widgets, lays them out, handles what the reader
does, shows errors, and makes a still picture for the saved notebook.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from html import escape
from itertools import count, groupby
from typing import Any, Generic, TypeVar

import ipywidgets

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import validate_integer, validate_number
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.live.panel import PANEL_CLASS, SHEET, read_address
from pokerlab.workbench.live.picture_screen import PictureScreen
from pokerlab.workbench.live.screen import Fold, OnScreen, Screen, make_alert, make_button
from pokerlab.workbench.live.take_home import make_picture_file
from pokerlab.workbench.picture import Picture
from pokerlab.workbench.style import GREEN

Values = dict[str, Any]
"""The values of an explorer's controls, by name."""
R = TypeVar("R")


@dataclass(frozen=True)
class Control:
    """A control that a reader can move, or a value that only buttons change.

    Attributes
    ----------
    name : str
        The name of the control.
    value : Any
        Its first value.
    widget_class : type, optional
        The class of its widget. A toggle button looks like a padlock. None for a value without a widget.
    label : str
        The label of the widget.
    tooltip : str
        The words that appear when the pointer is over the widget, and that a screen reader reads out.
    group : str
        The heading of the control's group; empty for a control in the first row.
    left_neighbor : str
        The name of the control to whose right this one is; empty if there is none.
    widget_arguments : mapping of str to Any
        Further arguments of the widget: the range, the options, the layout and the style.
    """

    name: str
    value: Any
    widget_class: Any = None
    label: str = ""
    tooltip: str = ""
    group: str = ""
    left_neighbor: str = ""
    widget_arguments: Mapping[str, Any] = field(default_factory=dict)

    def make_widget(self) -> Any:
        """Return the widget, which has the first value."""
        arguments = {"description": self.label, "tooltip": self.tooltip, **self.widget_arguments}
        arguments["layout"] = {"max_width": "100%", **self.widget_arguments.get("layout", {})}
        arguments["value"] = self.value
        return self.widget_class(**arguments)

    def check_value(self, value: Any) -> None:
        """Raise a SettingError if the slider or the menu cannot have a value."""
        options = [
            option[1] if isinstance(option, tuple) else option
            for option in self.widget_arguments.get("options", (value,))
        ]
        if value not in options:
            raise UnknownNameError.from_allowed_names(self.name, value, map(str, options))
        if "max" in self.widget_arguments:
            check = validate_number if isinstance(self.value, float) else validate_integer
            check(self.name, value, self.widget_arguments["min"], self.widget_arguments["max"])


@dataclass(frozen=True)
class Button:
    """A button that changes several values at once.

    Attributes
    ----------
    name : str
        The name of the button, which is also its label if `write_label` is None.
    change_values : callable
        A function of the values and the reading that returns the new values.
    can_press : callable, optional
        A function from the reading to whether the button can be pressed. None if it always can.
    write_label : callable, optional
        A function from the reading to the label.
    is_primary : bool
        Whether the button is highlighted.
    """

    name: str
    change_values: Callable[[Values, Any], Values]
    can_press: Callable[[Any], bool] | None = None
    write_label: Callable[[Any], str] | None = None
    is_primary: bool = False


@dataclass(frozen=True)
class SliderMark:
    """A mark at a slider, made from a reading: a shade of its place, an interval or a point, and words below.

    Attributes
    ----------
    color : str
        The color of the place.
    shade : float
        The darkness of the color, from 0 to 1.
    text : str
        The words below the slider.
    interval : tuple of 2 float, optional
        The ends of an interval on the slider's scale.
    point : float, optional
        A point on the scale, if there is no interval.
    """

    color: str
    shade: float
    text: str
    interval: tuple[float, float] | None = None
    point: float | None = None


@dataclass(frozen=True, eq=False)
class Plot:
    """A picture that the page paints, with its words.

    Attributes
    ----------
    picture : Picture
        The picture.
    html : str
        The words below the picture, as HTML.
    text : str
        The same words without HTML.
    news : str
        The words that a screen reader reads out when the picture changes.
    """

    picture: Picture
    html: str
    text: str
    news: str


ROUNDING = 1e-9
"""A page sends back values of controls that nobody has moved. They differ by less than this."""
MARKED_CLASS = "pokerlab-marked"
MARKED_SHEET = f"""<style>
.{MARKED_CLASS} {{ padding: 2px 4px 0; margin: 0 0 4px; border-radius: 5px; overflow: hidden; }}
.{MARKED_CLASS} p {{ margin: -4px 0 2px 26px; line-height: 1.3; font-size: 12px; color: var(--jp-ui-font-color1); }}
.{MARKED_CLASS} .noUi-target::before {{ content: ""; position: absolute; pointer-events: none; background: {GREEN}; }}
.{MARKED_CLASS} .noUi-connect {{ background: var(--jp-ui-font-color1); }}
</style>"""
mark_numbers = count(1)
"""The numbers of marked sliders, each of which has style rules of its own."""


@explain_renamed_attributes
class Explorer(OnScreen, Generic[R]):
    """Controls, their `values`, the `reading` of these, and its `picture`.

    Parameters
    ----------
    name : str
        The name of the explorer.
    controls : sequence of Control
        The controls, in their order on the screen.
    compute_reading : callable
        A function from the values to the reading. If it raises an error, the error is shown, and nothing changes.
    draw_reading : callable
        A function from the reading to an `SvgDrawing`, or to a `Plot` if `is_plot`. The saved notebook gets it, too.
    start : mapping, optional
        First values that differ from those of the controls.
    adjust_values : callable, optional
        It is called when a reader has moved a control, with the values and the name of the control, and returns the
        values that go together.
    buttons : sequence of Button
        The buttons, which come after the controls.
    mark_sliders : callable, optional
        A function from the reading to the marks of sliders, by name.
    write_live_html : callable, optional
        A function from the reading to HTML that is shown instead of the picture while the kernel lives.
    write_summary : callable
        A function from the reading to the text that `repr` contains.
    has_controls_beside : bool
        Whether the controls are in a column beside the picture, where there is room.
    is_plot : bool
        Whether a `Plot` is drawn.
    move_start : callable, optional
        A function of the values and of the shares at which a reader has clicked in a plot. It returns the new values.
    """

    def __init__(
        self,
        name: str,
        controls: Sequence[Control],
        compute_reading: Callable[[Values], R],
        draw_reading: Callable[[R], SvgDrawing | Plot],
        *,
        start: Mapping[str, Any] | None = None,
        adjust_values: Callable[[Values, str], Values] | None = None,
        buttons: Sequence[Button] = (),
        mark_sliders: Callable[[R], Mapping[str, SliderMark]] | None = None,
        write_live_html: Callable[[R], str] | None = None,
        write_summary: Callable[[R], str] = str,
        has_controls_beside: bool = False,
        is_plot: bool = False,
        move_start: Callable[[Values, Sequence[float]], Values] | None = None,
    ) -> None:
        self.name, self.compute_reading, self.draw_reading = name, compute_reading, draw_reading
        self.move_start = move_start
        self.adjust_values = adjust_values or (lambda values, name: values)
        self.mark_sliders, self.write_live_html = mark_sliders, write_live_html
        self.write_summary = write_summary
        self.controls_by_name = {control.name: control for control in controls}
        self.buttons_by_name = {button.name: button for button in buttons}
        self.hidden_values = {
            control.name: control.value for control in controls if control.widget_class is None
        }
        self.rows = {
            control.name: control.make_widget()
            for control in controls
            if control.widget_class is not None
        }
        self.mark_widgets: dict[str, tuple[str, Any]] = {}
        self.buttons = {
            button.name: make_button(
                button.name,
                partial(self.handle_press, button.name),
                button_style="primary" * button.is_primary,
            )
            for button in buttons
        }
        self.is_updating = False
        # JupyterLab handles messages of widgets in a thread beside that of the cells, but the first ones in the cells'
        # thread. Without this lock, the slower of two answers would undo what a reader has moved meanwhile.
        self.action_lock = threading.RLock()
        self.screen: Any  # only one is made, because widgets of another one would never be closed
        if is_plot:
            self.screen = PictureScreen(has_controls_beside=has_controls_beside, is_run=False)
            self.screen.set_request_handler(self.handle_request)
        else:
            self.screen = Screen("svg+xml", has_controls_beside=has_controls_beside)
        takes_text = any(isinstance(row, ipywidgets.Text) for row in self.rows.values())
        # The space of the message is reserved, so that nothing moves when it appears.
        self.message = ipywidgets.HTML(layout={"min_height": "28px"} if takes_text else {})
        for control_name, row in self.rows.items():
            row.observe(
                lambda change, name=control_name: self.handle_move(name, change["new"]), "value"
            )
        self.show_values(self.values | dict(start or {}))
        self.controls = self.lay_out_panel() if has_controls_beside else self.lay_out_rows()

    @property
    def values(self) -> Values:
        """The values of the controls, by name."""
        row_values = {name: row.value for name, row in self.rows.items()}
        return {
            name: row_values.get(name, self.hidden_values.get(name))
            for name in self.controls_by_name
        }

    def move_controls(self, **values: Any) -> None:
        """Move controls by their names, one after the other, as a reader would.

        Raises
        ------
        UnknownNameError
            If there is no such control, or a menu does not have the value.
        SettingError
            If a value is out of the range of its slider, or the values cannot be read together.
        """
        with self.action_lock:
            new_values = self.values
            for name, value in values.items():
                UnknownNameError.check("control", name, self.controls_by_name)
                self.controls_by_name[name].check_value(value)
                new_values = self.adjust_values(new_values | {name: value}, name)
            self.show_values(new_values)

    def open_address(self, address: str) -> None:
        """Move the controls to the values of an address such as 'Individuals=200', or show the error in it."""
        with self.show_errors():
            self.move_controls(**read_address(address, self.values))

    def press_button(self, name: str) -> None:
        """Change the values as a button does, if it can be pressed."""
        UnknownNameError.check("button", name, self.buttons_by_name)
        with self.action_lock:
            if not self.buttons[name].disabled:
                self.show_values(
                    self.buttons_by_name[name].change_values(self.values, self.reading)
                )

    def handle_press(self, name: str) -> None:
        """Handle a button that a reader has pressed."""
        with self.show_errors():
            self.press_button(name)

    def handle_request(self, request: Mapping[str, Any]) -> None:
        """Handle a request of a plot: {'save': kind}, or {'start': shares} for the place of a click."""
        with self.show_errors():
            if "save" in request and isinstance(self.picture, Plot):
                file = make_picture_file(request["save"], self.name, self.picture.picture)
                self.screen.send_file(file)
            elif "start" in request and self.move_start is not None:
                self.show_values(self.move_start(self.values, request["start"]))

    def handle_move(self, name: str, new_value: Any) -> None:
        """Handle a control that a reader has moved to `new_value`.

        Values that a page sends back are ignored. They differ from the shown ones in the last digit.
        """
        with self.action_lock:
            if self.is_updating:
                return
            old_value = self.shown_values[name]
            if not (isinstance(new_value, float) and abs(new_value - old_value) < ROUNDING):
                with self.show_errors():
                    self.show_values(self.adjust_values(self.values | {name: new_value}, name))

    @contextmanager
    def show_errors(self) -> Iterator[None]:
        """Show errors in the body of a with statement above the picture, which stays as it was."""
        try:
            yield
        except PokerlabError as error:
            self.show_error(str(error))
        except Exception as error:
            self.show_error(f"This cannot be shown: {type(error).__name__}: {error}")
        except KeyboardInterrupt:
            self.restore_controls()
            self.show_error("The kernel was interrupted, so nothing has changed.")
            raise

    def show_error(self, words: str) -> None:
        """Show above the picture what is wrong."""
        self.message.value = make_alert(words)

    def restore_controls(self) -> None:
        """Set the controls to the values that are shown."""
        with self.ignore_moves():
            for name, row in self.rows.items():
                row.value = self.shown_values[name]

    @contextmanager
    def ignore_moves(self) -> Iterator[None]:
        """Ignore that controls move in the body of a with statement."""
        self.is_updating = True
        try:
            yield
        finally:
            self.is_updating = False

    def show_values(self, values: Values) -> None:
        """Compute the reading of values, and show both. If an error is raised, nothing has changed."""
        reading = self.compute_reading(values)
        picture = self.draw_reading(reading)
        self.reading, self.picture = reading, picture
        with self.ignore_moves():
            for name, row in self.rows.items():
                row.value = values[name]
                if isinstance(row, ipywidgets.ToggleButton):
                    row.icon = "lock" if row.value else "unlock"
        self.hidden_values = {name: values[name] for name in self.hidden_values}
        self.shown_values = values
        self.message.value = ""
        for name, button in self.buttons_by_name.items():
            can_press = button.can_press is None or button.can_press(reading)
            self.buttons[name].disabled = not can_press
            if button.write_label is not None:
                self.buttons[name].description = button.write_label(reading)
        self.show_marks()
        if isinstance(picture, Plot):
            self.show_plot(picture)
        else:
            live_html = "" if self.write_live_html is None else self.write_live_html(reading)
            self.screen.show_drawing(picture, live_html)

    def show_plot(self, plot: Plot) -> None:
        """Show a picture and its words."""
        self.screen.show_picture(plot.picture)
        self.screen.write_words(plot.html, plot.text)
        self.screen.write_news(plot.news, plot.text)

    def show_marks(self) -> None:
        """Show the marks of sliders for the present reading."""
        marks = self.mark_sliders(self.reading) if self.mark_sliders else {}
        for name, mark in marks.items():
            if name not in self.mark_widgets:
                style_class = f"{MARKED_CLASS}-{next(mark_numbers)}"
                self.mark_widgets[name] = style_class, ipywidgets.HTML()
            style_class, widget = self.mark_widgets[name]
            widget.value = write_mark(style_class, mark, self.rows[name])

    def make_cell(self, name: str) -> Any:
        """Return the widget of a control together with its right neighbors and its mark."""
        neighbors = [
            row
            for row_name, row in self.rows.items()
            if self.controls_by_name[row_name].left_neighbor == name
        ]
        row = ipywidgets.HBox([self.rows[name], *neighbors]) if neighbors else self.rows[name]
        if name not in self.mark_widgets:
            return row
        style_class, mark_widget = self.mark_widgets[name]
        cell = ipywidgets.VBox([row, mark_widget])
        cell.add_class(MARKED_CLASS)
        cell.add_class(style_class)
        return cell

    def group_cells(self) -> dict[str, list[Any]]:
        """Return the cells of the controls by the heading of their group, in their order."""
        leftmost_controls = [
            control
            for control in self.controls_by_name.values()
            if control.name in self.rows and not control.left_neighbor
        ]
        groups = groupby(leftmost_controls, lambda control: control.group)
        return {
            heading: [self.make_cell(control.name) for control in members]
            for heading, members in groups
        }

    def lay_out_rows(self) -> Any:
        """Return the box of controls above the picture: a row, and below it a column for each heading."""
        wrapping = {"flex_flow": "row wrap"}
        groups = self.group_cells()
        first_row = ipywidgets.HBox([*groups.pop("", []), *self.buttons.values()], layout=wrapping)
        column_layout = {"flex": "1 1 210px", "margin": "0 8px 0 0"}
        if not self.mark_widgets:
            column_layout["max_width"] = "250px"
        columns = [
            ipywidgets.VBox([ipywidgets.HTML(heading), *cells], layout=column_layout)
            for heading, cells in groups.items()
        ]
        rows = [first_row, self.message]
        if columns:
            rows.append(ipywidgets.HBox(columns, layout=wrapping))
        if self.mark_widgets:
            rows.append(ipywidgets.HTML(MARKED_SHEET, layout={"display": "none"}))
        return ipywidgets.VBox(rows)

    def lay_out_panel(self) -> Any:
        """Return the column of controls beside the picture, in which those under a heading are folded."""
        groups = self.group_cells()
        first_cells = groups.pop("", [])
        text_classes = ipywidgets.Text, ipywidgets.Dropdown
        num_texts = sum(isinstance(row, text_classes) for row in self.rows.values())
        folds = [Fold(heading, cells, overflow="hidden") for heading, cells in groups.items()]
        sheet = ipywidgets.HTML(SHEET, layout={"display": "none"})
        rows = [
            *first_cells[:num_texts],
            self.message,
            *first_cells[num_texts:],
            *folds,
            *self.buttons.values(),
            sheet,
        ]
        panel = ipywidgets.VBox(
            rows, layout={"width": "310px", "max_width": "100%", "flex": "none"}
        )
        panel.add_class(PANEL_CLASS)
        return panel

    def __repr__(self) -> str:
        return f"<{self.name}: {self.write_summary(self.reading)}>"


def write_mark(style_class: str, mark: SliderMark, slider: Any) -> str:
    """Return the style rules and the words of a mark as HTML.

    Parameters
    ----------
    style_class : str
        The class of the slider's cell.
    mark : SliderMark
        The mark.
    slider : Any
        The widget of the slider.
    """

    def compute_percentage(value: float) -> Any:
        """Return the position of a value on the slider in percent."""
        return 100.0 * (value - slider.min) / (slider.max - slider.min)

    track_style = "display: none;"
    cell_selector = f".{style_class}"
    track_selector = f".{style_class} .noUi-target::before"
    percentage = 4 + 46 * mark.shade
    rules = [
        f"{cell_selector} {{ background: color-mix(in srgb, {mark.color} {percentage:.0f}%, transparent); }}"
    ]
    if mark.interval is not None:
        left, right = map(compute_percentage, mark.interval)
        track_style = f"left: calc({left:.1f}% - 3px); width: calc({right - left:.1f}% + 6px);"
        track_style += " top: -4px; height: 10px; border-radius: 4px;"
    elif mark.point is not None:
        track_style = f"left: calc({compute_percentage(mark.point):.1f}% - 6px); width: 12px;"
        track_style += " top: -5px; height: 12px; transform: rotate(45deg);"
    rules.append(f"{track_selector} {{ {track_style} }}")
    return f"<style>{' '.join(rules)}</style><p>{escape(mark.text)}</p>"
