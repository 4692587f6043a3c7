"""Controls for the keyboard and for screen readers: names, a focus that stays, words for what is drawn.

ipywidgets gives sliders no names and pictures no text, and Python does not reach their elements. A few lines of
JavaScript do: they begin when the style sheet beside them is there, as scripts in an HTML widget do not run.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets
from traitlets import Bool, observe

LIVE_CLASS = "pokerlab-live"
IDLE_CLASS = "pokerlab-idle"  # of a button that cannot be pressed now
FOLD_CLASS = "pokerlab-fold"
TOLD_CLASS = "pokerlab-told"
"""Of words for screen readers: those in `hidden` are the picture's, the others are read out when they change."""
SCRIPT = f"""
const live = this.closest('.{LIVE_CLASS}');
const set = (element, name, value) => {{
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
}};
const name = () => {{
    for (const row of live.querySelectorAll('.widget-slider')) {{
        const [label, handle, said] = ['label', '[role=slider]', '.widget-readout'].map(s => row.querySelector(s));
        const help = label.title.split('\\n')[0].replace(/^null$/, '');
        const words = label.textContent + (help && ': ' + help);
        for (const each of [handle, said]) set(each, 'aria-label', words);
        set(handle, 'aria-valuetext', said.textContent);
        set(said, 'role', 'textbox');
    }}
    for (const each of live.querySelectorAll('button')) {{
        const has = name => String(each.classList.contains(name));
        set(each, 'aria-disabled', has('{IDLE_CLASS}'));
        if (each.matches('.widget-toggle-button')) {{
            set(each, each.matches('.{FOLD_CLASS}') ? 'aria-expanded' : 'aria-pressed', has('mod-active'));
        }}
    }}
    const told = live.querySelector('.{TOLD_CLASS}');
    set(told, 'role', 'status');
    set(live.querySelector('img'), 'alt', told?.querySelector('[hidden]')?.textContent ?? '');
}};
if (live && !live.watched) {{
    live.watched = new MutationObserver(name);
    live.watched.observe(live, {{
        subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class']
    }});
    name();
}}
"""
FOCUS = "outline: 3px solid var(--jp-ui-font-color0, currentColor); outline-offset: -3px;"
RULES = f"""
.{LIVE_CLASS} {{ position: relative; }}
.{LIVE_CLASS} :is(button, select, input, .noUi-handle, .widget-readout):focus-visible {{ {FOCUS} z-index: 9; }}
.{LIVE_CLASS} .noUi-handle:focus-visible {{ outline-offset: 0; }}
.{LIVE_CLASS} .{IDLE_CLASS} {{ opacity: 0.5; cursor: default; box-shadow: none; }}
.{LIVE_CLASS} .{FOLD_CLASS} {{ text-align: left; background: none; border: 1px solid #bdbdbd; }}
.{TOLD_CLASS} {{ position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }}
@media (forced-colors: active) {{
    .{LIVE_CLASS} :is(button, .noUi-target, .noUi-handle) {{ border: 1px solid ButtonText !important; }}
    .{LIVE_CLASS} .noUi-connect {{ forced-color-adjust: none; background: Highlight !important; }}
    .{LIVE_CLASS} .{IDLE_CLASS} {{ color: GrayText; border-style: dashed !important; opacity: 1; }}
}}
"""
SHEET = f'<style onload="{escape(SCRIPT)}">{RULES}</style>'


class PressButton(widgets.Button):  # type: ignore[misc]
    """A button that keeps the focus while it cannot be pressed; a browser takes it from one that is disabled."""

    disabled = Bool(False)  # not sent to the browser

    @observe("disabled")
    def look_disabled(self, change: Any) -> None:
        """Look as it is."""
        (self.add_class if self.disabled else self.remove_class)(IDLE_CLASS)

    def click(self) -> None:
        """Do what it is for, unless it cannot be pressed."""
        if not self.disabled:
            super().click()


def button(words: str, action: Callable[[], None], **look: Any) -> Any:
    """Return a button that does something."""
    made = PressButton(description=words, **look)
    made.on_click(lambda _: action())
    return made


class Fold(widgets.VBox):  # type: ignore[misc]
    """Rows behind a button that shows and hides them; unlike an accordion's header it can have the focus."""

    def __init__(self, words: str, rows: Sequence[Any], **layout: str) -> None:
        self.rows = widgets.VBox(rows, layout=layout)
        look = {"width": "100%", "margin": "2px 0"}
        self.switch = widgets.ToggleButton(description=words, layout=look)
        self.switch.add_class(FOLD_CLASS)
        self.switch.observe(lambda _: self.turn(), "value")
        self.turn()
        super().__init__([self.switch, self.rows])

    def turn(self) -> None:
        """Show the rows, or hide them."""
        is_open = self.switch.value
        self.switch.icon = "caret-down" if is_open else "caret-right"
        self.rows.layout.display = None if is_open else "none"
