"""The bench's column of controls: buttons, speed, settings, and what the views offer."""

import math
from collections.abc import Callable, Collection, Mapping
from html import escape
from typing import Any

import ipywidgets as widgets

from pokerlab.core import UnknownNameError
from pokerlab.workbench.live.access import Fold, button
from pokerlab.workbench.live.panel import ORIGINS, ROW, Panel, style_of
from pokerlab.workbench.live.runner import Pace
from pokerlab.workbench.live.screen import alert, close

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
SIGNS = {"paper": "■", "changed": "▲", "ours": "○", "silent": "?"}
"""What stands before a row, by where its value is from."""
RULES = "".join(
    f'.{PANEL_CLASS} .{style_of(origin)}::before {{ content: "{sign}"; width: 14px; flex: none;'
    " align-self: center; font-size: 10px; color: var(--pokerlab-quiet); }\n"
    for origin, sign in SIGNS.items()
)
CHANGED = f".{PANEL_CLASS} .{style_of('changed')}"
SHEET = f"""<style>
.{PANEL_CLASS} {{ --pokerlab-quiet: #5f5f5f; --pokerlab-alert: #b34700; }}
[data-jp-theme-light="false"] .{PANEL_CLASS} {{ --pokerlab-quiet: #b5b5b5; --pokerlab-alert: #ffa657; }}
.{PANEL_CLASS} .jupyter-button {{ padding: 0 6px; }}
.{PANEL_CLASS} select {{ text-overflow: ellipsis; }}
.{PANEL_CLASS} .widget-label {{ white-space: normal; line-height: 1.1; align-self: center; height: auto; }}
{RULES}
{CHANGED}::before, {CHANGED} > .widget-label {{ color: var(--pokerlab-alert); }}
</style>"""
SMALL = "font-size: 11px; line-height: 1.35; color: var(--pokerlab-quiet);"
BUTTONS = (
    ("Run", "play", "Run until the end, or pause."),
    ("Step", "step-forward", "Do one iteration."),
    ("Reset", "refresh", "Begin again; keep this curve."),
    ("Defaults", "undo", "Go back to this cell's settings and pictures."),
    ("Save", "save", "Save figure, history, config."),
)
NOWHERE = "a game that is not in the paper"  # what the menu says where no experiment is near
WIDTH = "350px"
WITHOUT_SIGN = {"description_width": "138px"}
"""Labels of rows that are not settings are wider by the sign's width."""


class Controls:
    """The widgets of a bench; each calls back into it, 'paper' with the name of an experiment.

    `knobs` stand open, all others are folded; if there are none, all that are not rare are open.
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
    ) -> None:
        self.panel = panel
        self.run, self.step, self.reset, self.defaults, self.save = (
            button(words, actions[words.lower()], icon=icon, tooltip=tip, layout={"width": "32%"})
            for words, icon, tip in BUTTONS
        )
        self.run.button_style = "primary"
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
        self.paper.observe(lambda change: self.paper_chosen(actions["paper"]), names="value")
        self.on_choice, self.begins_at = on_choice, SPEEDS[speed]
        self.choices: dict[str, Any] = {}
        self.offering = False
        for name in knobs:
            UnknownNameError.check("setting", name, tuple(panel.declared))
        is_rare = {
            n: n not in knobs if knobs else about.rare for n, about in panel.declared.items()
        }
        self.rare = tuple(name for name in panel.rows if is_rare[name])
        rows = [panel.rows[name] for name in self.rare]
        self.folded = Fold("", rows, max_height="260px", overflow="hidden auto")
        self.legend, self.complaint = widgets.HTML(), widgets.HTML()
        self.above = (
            widgets.HTML(f"{SHEET}<b>{title}</b>"),
            widgets.HBox([self.run, self.step, self.reset]),
            self.speed,
            self.paper,
            *(row for name, row in panel.rows.items() if not is_rare[name]),
            self.folded,
            self.complaint,
        )
        self.below = (widgets.HBox([self.defaults, self.save]), self.legend)
        self.widget = widgets.VBox(layout={"width": WIDTH, "flex": "none", "overflow": "hidden"})
        self.widget.add_class(PANEL_CLASS)
        self.offer(choices)

    def choice_made(self) -> None:
        """Report a choice that the user has made."""
        if not self.offering:
            self.on_choice()

    def choose_defaults(self) -> None:
        """Go back to the first of each of the views' choices, and to the speed of the beginning."""
        self.speed.value = self.begins_at
        for row in self.choices.values():
            row.index = 0

    def paper_chosen(self, fill: Callable[[str], None]) -> None:
        """Report which of the paper's experiments the user has chosen."""
        if not self.offering and self.paper.value in self.panel.paper:
            fill(self.paper.value)

    def offer(self, choices: Mapping[str, Mapping[str, Any]]) -> None:
        """Offer the choices of a run's views; keep the present ones where they are still offered."""
        self.offering = True
        before, self.choices = self.choices, {}
        for words, options in choices.items():
            row = before.pop(words, None)
            if row is None:
                row = widgets.Dropdown(description=words, style=WITHOUT_SIGN, layout=ROW)
                row.observe(lambda change: self.choice_made(), names="value")
            chosen = row.label
            row.options = list(options.items())
            row.label = chosen if chosen in options else next(iter(options))
            row.layout.display = None if len(options) > 1 else "none"
            self.choices[words] = row
        self.widget.children = (*self.above, *self.choices.values(), *self.below)
        for gone in before.values():
            close(gone)
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
        self.complaint.value = f'<div style="{SMALL}">{alert(wrong)}</div>'
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
        panel, visible = self.panel, self.panel.visible
        folded = [name for name in self.rare if name in visible]
        changed = " ▲" * any(name in panel.departures for name in folded)
        self.folded.switch.description = f"More settings ({len(folded)}){changed}"
        self.folded.layout.display = None if folded else "none"
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
        close(self.widget)
