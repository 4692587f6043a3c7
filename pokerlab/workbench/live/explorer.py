"""An explorer: controls, what is computed from their values, and its picture, all in one cell.

It is declared by data and pure functions. `Control` says what can be moved and within which range. A *reading* is
computed from the controls' values, and a *drawing* shows the reading. `Explorer` makes the widgets, lays them out,
answers the reader, says errors in words, and keeps a still picture for the saved notebook.
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
    """What a reader can move, or a value that only buttons change."""

    name: str
    value: Any  # at the beginning
    kind: Any = (
        None  # the class of its widget: a toggle button is a padlock; None for a value without one
    )
    words: str = ""  # its label
    about: str = ""  # what hovering shows and a screen reader says
    group: str = ""  # the heading under which it stands; none for those in the first row
    beside: str = ""  # the control to whose right it stands
    look: Mapping[str, Any] = field(
        default_factory=dict
    )  # the rest of its widget: range, options, layout, style

    def make_widget(self) -> Any:
        """Return the widget."""
        layout = {"max_width": "100%", **self.look.get("layout", {})}
        about = {"description": self.words, "tooltip": self.about}
        return self.kind(**about, **{**self.look, "layout": layout, "value": self.value})

    def check(self, value: Any) -> None:
        """Raise if a slider or a menu cannot have a value."""
        offered = self.look.get("options", (value,))
        options = [each[1] if isinstance(each, tuple) else each for each in offered]
        if value not in options:
            raise UnknownNameError.from_allowed_names(self.name, value, map(str, options))
        if "max" in self.look:
            check = validate_number if isinstance(self.value, float) else validate_integer
            check(self.name, value, self.look["min"], self.look["max"])


@dataclass(frozen=True)
class Button:
    """What moves several controls at once."""

    name: str  # what it is called, and what it says if `words` does not say otherwise
    change: Callable[[Values, Any], Values]  # from values and reading to values
    can_press: Callable[[Any], bool] | None = None  # by the reading; None: always
    words: Callable[[Any], str] | None = None  # by the reading
    is_first: bool = False  # whether it stands out


@dataclass(frozen=True)
class SliderMark:
    """What a reading says of one slider: how dark its place is, a part or a point of its scale, and words below."""

    color: str
    shade: float  # from 0 to 1
    words: str
    part: tuple[float, float] | None = None
    point: float | None = None


@dataclass(frozen=True, eq=False)
class Plot:
    """A picture that the page paints, with its words, and what a screen reader reads out when it changes."""

    picture: Picture
    html: str  # what stands below the picture
    words: str  # the same in letters
    news: str


ROUNDING = 1e-9  # by less than this a page changes a value that nobody has moved
MARKED_CLASS = "pokerlab-marked"
MARKED_SHEET = f"""<style>
.{MARKED_CLASS} {{ padding: 2px 4px 0; margin: 0 0 4px; border-radius: 5px; overflow: hidden; }}
.{MARKED_CLASS} p {{ margin: -4px 0 2px 26px; line-height: 1.3; font-size: 12px; color: var(--jp-ui-font-color1); }}
.{MARKED_CLASS} .noUi-target::before {{ content: ""; position: absolute; pointer-events: none; background: {GREEN}; }}
.{MARKED_CLASS} .noUi-connect {{ background: var(--jp-ui-font-color1); }}
</style>"""
numbers = count(1)  # of marked sliders, each of which has rules of its own


class Explorer(OnScreen, Generic[R]):
    """Controls, their `values`, the `reading` of these, and its `picture`.

    Parameters
    ----------
    name : str
        What it is called.
    controls : sequence of Control
        In the order in which they stand.
    read : callable
        From the values to the reading. An error is said in words, and nothing changes.
    draw : callable
        From the reading to an `SvgDrawing`, or to a `Plot` where `is_plot`: what is shown and what the saved notebook
        keeps.
    start : mapping, optional
        Values to begin with, where they are not the controls' own.
    follow : callable, optional
        From the values after a reader has moved the control of a name, and this name, to the values that go with it.
    buttons : sequence of Button
        They stand after the controls.
    mark : callable, optional
        From the reading to the marks of sliders, by name.
    tell : callable, optional
        From the reading to HTML, which is shown instead of the picture where there are controls.
    brief : callable
        From the reading to what `repr` says.
    beside : bool
        Whether the controls stand in a column beside the picture, where there is room.
    is_plot : bool
        Whether a `Plot` is drawn.
    start_at : callable, optional
        From the values and the shares on which a reader has clicked in a plot to the values after that.
    """

    def __init__(
        self,
        name: str,
        controls: Sequence[Control],
        read: Callable[[Values], R],
        draw: Callable[[R], SvgDrawing | Plot],
        *,
        start: Mapping[str, Any] | None = None,
        follow: Callable[[Values, str], Values] | None = None,
        buttons: Sequence[Button] = (),
        mark: Callable[[R], Mapping[str, SliderMark]] | None = None,
        tell: Callable[[R], str] | None = None,
        brief: Callable[[R], str] = str,
        beside: bool = False,
        is_plot: bool = False,
        start_at: Callable[[Values, Sequence[float]], Values] | None = None,
    ) -> None:
        self.name, self.read, self.draw = name, read, draw
        self.start_at = start_at
        self.follow = follow or (lambda values, name: values)
        self.mark, self.tell, self.brief = mark, tell, brief
        self.declared = {control.name: control for control in controls}
        self.pressed = {each.name: each for each in buttons}
        self.kept = {each.name: each.value for each in controls if each.kind is None}
        self.rows = {each.name: each.make_widget() for each in controls if each.kind is not None}
        self.marks: dict[str, tuple[str, Any]] = {}
        self.buttons = {
            each.name: make_button(
                each.name, partial(self.on_press, each.name), button_style="primary" * each.is_first
            )
            for each in buttons
        }
        self.is_moving = False
        # JupyterLab answers widgets in a thread beside that of the cells, but the first ones in the cells' own. Without
        # this the slower of two answers would put back what a reader has moved meanwhile.
        self.acting = threading.RLock()
        self.screen: Any  # only one is made: widgets of another would never be closed
        if is_plot:
            self.screen = PictureScreen(beside=beside, is_run=False)
            self.screen.listen(self.on_wish)
        else:
            self.screen = Screen("svg+xml", beside=beside)
        takes_text = any(isinstance(row, ipywidgets.Text) for row in self.rows.values())
        # Its space is kept, so that nothing moves when there is something to say.
        self.message = ipywidgets.HTML(layout={"min_height": "28px"} if takes_text else {})
        for each, row in self.rows.items():
            row.observe(lambda change, each=each: self.answer(each, change["new"]), "value")
        self.show(self.values | dict(start or {}))
        self.controls = self.lay_out_panel() if beside else self.lay_out_rows()

    @property
    def values(self) -> Values:
        """The values of the controls, by name."""
        moved = {name: row.value for name, row in self.rows.items()}
        return {name: moved.get(name, self.kept.get(name)) for name in self.declared}

    def move(self, **values: Any) -> None:
        """Move controls by their names, one after the other, as a reader would."""
        with self.acting:
            after = self.values
            for name, value in values.items():
                UnknownNameError.check("control", name, self.declared)
                self.declared[name].check(value)
                after = self.follow(after | {name: value}, name)
            self.show(after)

    def open_at(self, address: str) -> None:
        """Move the controls that an address such as 'Individuals=200' names; say what is wrong with it."""
        with self.say_errors():
            self.move(**read_address(address, self.values))

    def press(self, name: str) -> None:
        """Do what a button is for, if it can be pressed."""
        UnknownNameError.check("button", name, self.pressed)
        with self.acting:
            if not self.buttons[name].disabled:
                self.show(self.pressed[name].change(self.values, self.reading))

    def on_press(self, name: str) -> None:
        """Answer a button that a reader has pressed."""
        with self.say_errors():
            self.press(name)

    def on_wish(self, wish: Mapping[str, Any]) -> None:
        """Answer what a reader asks of a plot: to save it, or to start where the reader has clicked."""
        with self.say_errors():
            if "save" in wish and isinstance(self.picture, Plot):
                file = make_picture_file(wish["save"], self.name, self.picture.picture)
                self.screen.send_file(file)
            elif "start" in wish and self.start_at is not None:
                self.show(self.start_at(self.values, wish["start"]))

    def answer(self, name: str, now: Any) -> None:
        """Answer a control that a reader has moved; a page also sends back values, with another last digit."""
        with self.acting:
            if self.is_moving:
                return
            before = self.shown[name]
            if not (isinstance(now, float) and abs(now - before) < ROUNDING):
                with self.say_errors():
                    self.show(self.follow(self.values | {name: now}, name))

    @contextmanager
    def say_errors(self) -> Iterator[None]:
        """Say what goes wrong inside the block above the picture, which stays as it was."""
        try:
            yield
        except PokerlabError as error:
            self.refuse(str(error))
        except Exception as error:
            self.refuse(f"This cannot be shown: {type(error).__name__}: {error}")
        except KeyboardInterrupt:
            self.move_back()
            self.refuse("The kernel was interrupted, so nothing has changed.")
            raise

    def refuse(self, words: str) -> None:
        """Say above the picture what is wrong."""
        self.message.value = make_alert(words)

    def move_back(self) -> None:
        """Set the controls to the values that are on show."""
        with self.hold_answers():
            for name, row in self.rows.items():
                row.value = self.shown[name]

    @contextmanager
    def hold_answers(self) -> Iterator[None]:
        """Move controls inside the block without an answer."""
        self.is_moving = True
        try:
            yield
        finally:
            self.is_moving = False

    def show(self, values: Values) -> None:
        """Read values and show what comes of them; an error changes nothing."""
        reading = self.read(values)
        drawn = self.draw(reading)
        self.reading, self.picture = reading, drawn
        with self.hold_answers():
            for name, row in self.rows.items():
                row.value = values[name]
                if isinstance(row, ipywidgets.ToggleButton):
                    row.icon = "lock" if row.value else "unlock"
        self.kept = {name: values[name] for name in self.kept}
        self.shown = values
        self.message.value = ""
        for name, each in self.pressed.items():
            self.buttons[name].disabled = not (each.can_press is None or each.can_press(reading))
            if each.words is not None:
                self.buttons[name].description = each.words(reading)
        self.show_marks()
        if isinstance(drawn, Plot):
            self.show_plot(drawn)
        else:
            self.screen.draw(drawn, "" if self.tell is None else self.tell(reading))

    def show_plot(self, plot: Plot) -> None:
        """Show a picture and its words."""
        self.screen.show_picture(plot.picture)
        self.screen.say(plot.html, plot.words)
        self.screen.tell(plot.news, plot.words)

    def show_marks(self) -> None:
        """Show what the reading says of single sliders."""
        for name, mark in (self.mark(self.reading) if self.mark else {}).items():
            if name not in self.marks:
                self.marks[name] = f"{MARKED_CLASS}-{next(numbers)}", ipywidgets.HTML()
            style_class, words = self.marks[name]
            words.value = write_mark(style_class, mark, self.rows[name])

    def make_cell(self, name: str) -> Any:
        """Return a control with what stands beside it, and what is said of it."""
        beside = [row for each, row in self.rows.items() if self.declared[each].beside == name]
        row = ipywidgets.HBox([self.rows[name], *beside]) if beside else self.rows[name]
        if name not in self.marks:
            return row
        style_class, words = self.marks[name]
        cell = ipywidgets.VBox([row, words])
        for each in (MARKED_CLASS, style_class):
            cell.add_class(each)
        return cell

    def group_cells(self) -> dict[str, list[Any]]:
        """Return the controls by the headings under which they stand, in their order."""
        alone = [c for c in self.declared.values() if c.name in self.rows and not c.beside]
        grouped = groupby(alone, lambda control: control.group)
        return {
            group: [self.make_cell(each.name) for each in members] for group, members in grouped
        }

    def lay_out_rows(self) -> Any:
        """Return the controls above the picture: a row, then a column for each heading."""
        wrapping = {"flex_flow": "row wrap"}
        groups = self.group_cells()
        first = ipywidgets.HBox([*groups.pop("", []), *self.buttons.values()], layout=wrapping)
        column = {"flex": "1 1 210px", "margin": "0 8px 0 0"} | (
            {} if self.marks else {"max_width": "250px"}
        )
        columns = [
            ipywidgets.VBox([ipywidgets.HTML(heading), *cells], layout=column)
            for heading, cells in groups.items()
        ]
        rows = [first, self.message]
        if columns:
            rows.append(ipywidgets.HBox(columns, layout=wrapping))
        if self.marks:
            rows.append(ipywidgets.HTML(MARKED_SHEET, layout={"display": "none"}))
        return ipywidgets.VBox(rows)

    def lay_out_panel(self) -> Any:
        """Return the controls for a column beside the picture; those under a heading are folded."""
        groups = self.group_cells()
        first = groups.pop("", [])
        typed = ipywidgets.Text, ipywidgets.Dropdown
        texts = sum(isinstance(row, typed) for row in self.rows.values())
        folds = [Fold(heading, cells, overflow="hidden") for heading, cells in groups.items()]
        sheet = ipywidgets.HTML(SHEET, layout={"display": "none"})
        rows = [*first[:texts], self.message, *first[texts:], *folds, *self.buttons.values(), sheet]
        panel = ipywidgets.VBox(
            rows, layout={"width": "310px", "max_width": "100%", "flex": "none"}
        )
        panel.add_class(PANEL_CLASS)
        return panel

    def __repr__(self) -> str:
        return f"<{self.name}: {self.brief(self.reading)}>"


def write_mark(style_class: str, mark: SliderMark, slider: Any) -> str:
    """Return the rules and the words of a mark as HTML."""

    def place(value: float) -> Any:
        return 100.0 * (value - slider.min) / (slider.max - slider.min)

    at = "display: none;"
    cell = f".{style_class}"
    track = f".{style_class} .noUi-target::before"
    share = 4 + 46 * mark.shade
    rules = [
        f"{cell} {{ background: color-mix(in srgb, {mark.color} {share:.0f}%, transparent); }}"
    ]
    if mark.part is not None:
        left, right = map(place, mark.part)
        at = f"left: calc({left:.1f}% - 3px); width: calc({right - left:.1f}% + 6px);"
        at += " top: -4px; height: 10px; border-radius: 4px;"
    elif mark.point is not None:
        at = f"left: calc({place(mark.point):.1f}% - 6px); width: 12px;"
        at += " top: -5px; height: 12px; transform: rotate(45deg);"
    rules.append(f"{track} {{ {at} }}")
    return f"<style>{' '.join(rules)}</style><p>{escape(mark.words)}</p>"
