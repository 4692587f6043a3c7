"""The bench's column of controls: settings, buttons, speed, and what the views offer."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from pokerlab.workbench.live.panel import CHANGED, FULL, LABEL, Panel
from pokerlab.workbench.live.runner import Pace

SPEEDS = {
    "1": Pace(1.0),
    "3": Pace(3.0),
    "10": Pace(10.0),
    "100": Pace(100.0),
    "1,000": Pace(1e3),
    "10,000": Pace(1e4),
    "×10 in 3 s": Pace(3.0, math.log(10.0) / 3.0),
    "full speed": Pace(math.inf),
}
"""How fast to go, by the words of the slider."""
WATCHED = SPEEDS["×10 in 3 s"]
"""A logarithmic axis passes evenly: slow enough to watch, and a long run ends in seconds."""
PANEL_CLASS = "pokerlab-panel"
# The panel and the outputs after it are displayed apart, because a picture in one bundle with a
# widget vanishes with the widget's model; this sets them side by side where the panel lives.
CELL = f".jp-OutputArea:has(> .jp-OutputArea-child .{PANEL_CLASS})"
SHEET = f"""<style>
{CELL} {{ display: grid; grid-template-columns: 292px minmax(0, 1fr); column-gap: 14px; }}
{CELL} > .jp-OutputArea-child {{ grid-column: 2; display: block; }}
{CELL} > .jp-OutputArea-child:has(.{PANEL_CLASS}) {{ grid-column: 1; grid-row: span 20; }}
{CELL} .jp-OutputArea-prompt, {CELL} .jp-OutputArea-promptOverlay {{ display: none; }}
{CELL} > .jp-OutputArea-child > .jp-OutputArea-output {{ padding: 0; overflow: hidden; }}
.{PANEL_CLASS} .jupyter-button {{ padding: 0 6px; }}
.{PANEL_CLASS} .widget-label {{ white-space: normal; line-height: 1.1; align-self: center; height: auto; }}
.{PANEL_CLASS} .{CHANGED} > .widget-label {{ color: #b34700; }}
.{PANEL_CLASS} .{CHANGED}::before {{ content: "\\25CF"; width: 0; align-self: center; font-size: 9px; color: #b34700; }}
</style>"""
SMALL = "font-size: 11px; line-height: 1.35; opacity: 0.75;"
MARKED = f'<div style="{SMALL} color: #b34700;">&#9679; changed from the paper</div>'
DEAD = "After a kernel restart, or in a reloaded page, run the cell again."


class Controls:
    """The widgets of a bench; each calls back into it.

    Parameters
    ----------
    title : str
        What stands above.
    panel : Panel
        The rows of the settings.
    actions : Mapping[str, Callable]
        What to call for 'run', 'step', 'reset', 'paper', 'defaults', 'save', 'speed'.
    choices : Mapping[str, Mapping[str, Any]]
        What the views offer, by the words for the choice.
    on_choice : Callable
        Called when one of them was made.
    """

    def __init__(
        self,
        title: str,
        panel: Panel,
        actions: Mapping[str, Callable[[], None]],
        choices: Mapping[str, Mapping[str, Any]],
        on_choice: Callable[[], None],
    ) -> None:
        self.panel = panel
        self.run = button("Run", "play", "Run until the end, or pause.", actions["run"])
        self.step = button("Step", "step-forward", "Do one iteration.", actions["step"])
        self.reset = button("Reset", "refresh", "Begin again; keep this curve.", actions["reset"])
        self.paper = button("Paper", "book", "Set what the paper has.", actions["paper"])
        self.defaults = button("Defaults", "undo", "Set what was set here.", actions["defaults"])
        self.save = button("Save", "save", "Save figure, history, config.", actions["save"])
        self.run.button_style = "primary"
        self.speed = widgets.SelectionSlider(
            options=list(SPEEDS.items()),
            value=WATCHED,
            description="Steps a second",
            tooltip="From one step a second, to watch, to as fast as it goes. ×10 in 3 s: each decade takes 3 seconds.",
            style=LABEL,
            layout=FULL,
        )
        self.speed.observe(lambda change: actions["speed"](), names="value")
        self.on_choice = on_choice
        self.choices: dict[str, Any] = {}
        self.offering = False
        self.legend = widgets.HTML()
        self.above = (
            widgets.HTML(f"{SHEET}<b>{title}</b>"),
            *panel.rows.values(),
            self.legend,
            widgets.HBox([self.paper, self.defaults, self.save]),
            widgets.HTML('<hr style="margin: 4px 0; opacity: 0.4;">'),
            widgets.HBox([self.run, self.step, self.reset]),
            self.speed,
        )
        self.below = widgets.HTML(f'<div style="{SMALL}">{DEAD}</div>')
        self.widget = widgets.VBox(layout=widgets.Layout(width="292px", overflow="hidden"))
        self.widget.add_class(PANEL_CLASS)
        self.offer(choices)

    def choice_made(self) -> None:
        """Report a choice that the user has made."""
        if not self.offering:
            self.on_choice()

    def offer(self, choices: Mapping[str, Mapping[str, Any]]) -> None:
        """Offer what the views of a run let one choose; keep what stands if it is still there."""
        self.offering = True
        before, self.choices = self.choices, {}
        for words, options in choices.items():
            row = before.pop(words, None)
            if row is None:
                row = dropdown(words)
                row.observe(lambda change: self.choice_made(), names="value")
            chosen = row.label
            row.options = list(options.items())
            row.label = chosen if chosen in options else next(iter(options))
            row.disabled = len(options) < 2
            self.choices[words] = row
        self.widget.children = (*self.above, *self.choices.values(), self.below)
        for gone in before.values():
            gone.close()
        self.offering = False

    def tell(self, *, running: bool, can_run: bool) -> None:
        """Let the buttons say what can be done now."""
        self.run.description = "Pause" if running else "Run"
        self.run.icon = "pause" if running else "play"
        self.run.disabled = not (running or can_run)
        self.step.disabled = running or not can_run
        departs = bool(self.panel.departures)
        self.legend.value = MARKED * departs

    def close(self) -> None:
        """Close all widgets."""
        for child in (*self.widget.children, self.widget):
            for grandchild in getattr(child, "children", ()):
                grandchild.close()
            child.close()


def button(words: str, icon: str, tooltip: str, action: Callable[[], None]) -> Any:
    """Return a button of a row of three."""
    made = widgets.Button(
        description=words, icon=icon, tooltip=tooltip, layout=widgets.Layout(width="32%")
    )
    made.on_click(lambda clicked: action())
    return made


def dropdown(words: str) -> Any:
    """Return a choice that a view offers."""
    return widgets.Dropdown(description=words, style=LABEL, layout=FULL)
