"""Where controls and a moving picture appear: alive while the kernel lives, and a picture in the saved notebook.

The picture and the words are shown twice. As widgets beside the controls they come back from the kernel when the page
is reloaded, and move in JupyterLab and in Voila alike. As ordinary outputs below they stay in the saved notebook, on
code-hosting sites and in exports, where widgets are empty; a sentence above them says how to get the controls. Style
rules hide these outputs wherever the widgets live.

**For the keyboard and for screen readers**, controls have names, a focus that stays, and words for what is drawn.
ipywidgets gives sliders no names and pictures no text, and Python does not reach their elements. A few lines of
JavaScript do: they begin when the style sheet beside them is there, as scripts in an HTML widget do not run.
"""

import threading
import time
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Self

import anywidget
import ipywidgets as widgets
from IPython.core.getipython import get_ipython
from IPython.display import display
from traitlets import Bool, observe

from pokerlab.workbench.drawings.svg import SvgDrawing

LIVE_CLASS = "pokerlab-live"
IDLE_CLASS = "pokerlab-idle"  # of a button that cannot be pressed now
FOLD_CLASS = "pokerlab-fold"
TOLD_CLASS = "pokerlab-told"
"""Of words for screen readers: those in `hidden` are the picture's, the others are read out when they change."""
PIECES_CLASS, WHOLE_CLASS = "pokerlab-pieces", "pokerlab-whole"
"""Of the pieces of a drawing for narrow places, and of the drawing that is shown where it can be read."""
SMALL_CLASS, SMALL = "pokerlab-small", 820.0
"""Of the pieces of a drawing of at most so many pixels."""
LEAST_WHOLE, LEAST_SMALL = "950px", "560px"
"""How wide a place is at least for a drawing with pieces, and for a small one: letters can then be read."""
LARGE_CLASS, ENLARGED_CLASS = "pokerlab-enlarge", "pokerlab-enlarged"
"""Of the button that lets the picture fill the window, and of what fills it."""
FOUND_CLASS = "pokerlab-found"  # of words that say what a search has found, which are read out, too
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
    for (const each of live.querySelectorAll('.{FOUND_CLASS}')) set(each, 'role', 'status');
    const words = told?.querySelector('[hidden]')?.textContent ?? '';
    for (const each of live.querySelectorAll('img')) {{
        set(each, 'alt', each.matches('.{PIECES_CLASS} > :not(:first-child)') ? '' : words);
    }}
    for (const each of live.querySelectorAll('.pokerlab-words > .widget-html-content:has(table)')) {{
        set(each, 'tabindex', '0'); // so that keys can scroll it where it is wider than its place
        set(each, 'role', 'group');
        set(each, 'aria-label', 'Words below the picture');
    }}
    for (const each of live.querySelectorAll('.{LARGE_CLASS}')) each.onclick ??= () => enlarge(each);
}};
const show = (button, isLarge) => {{
    live.classList.toggle('{ENLARGED_CLASS}', isLarge);
    button.textContent = isLarge ? 'Small' : 'Large';
}};
const enlarge = button => {{
    const turn = () => show(button, !live.matches('.{ENLARGED_CLASS}'));
    document.onfullscreenchange = () => show(button, document.fullscreenElement === live);
    if (document.fullscreenElement === live) document.exitFullscreen();
    else if (live.requestFullscreen) live.requestFullscreen().catch(turn);
    else turn();
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
.{LIVE_CLASS} .{PIECES_CLASS} {{ display: none; gap: 8px; overflow: visible; }}
.{LIVE_CLASS} :has(> .{PIECES_CLASS} > img) {{ container-type: inline-size; }}
@container (max-width: {LEAST_WHOLE}) {{
    .{LIVE_CLASS} .{PIECES_CLASS}:not(.{SMALL_CLASS}):has(> img) {{ display: flex; }}
    .{LIVE_CLASS} .{WHOLE_CLASS}:has(+ .{PIECES_CLASS}:not(.{SMALL_CLASS}) > img) {{ display: none; }}
}}
@container (max-width: {LEAST_SMALL}) {{
    .{LIVE_CLASS} .{PIECES_CLASS}.{SMALL_CLASS}:has(> img) {{ display: flex; }}
    .{LIVE_CLASS} .{WHOLE_CLASS}:has(+ .{PIECES_CLASS}.{SMALL_CLASS} > img) {{ display: none; }}
}}
.{LIVE_CLASS} .pokerlab-words > .widget-html-content {{ min-width: 0; overflow-x: auto; }}
.{ENLARGED_CLASS} {{ overflow: auto; padding: 12px; background: var(--jp-layout-color0, #ffffff); }}
.{ENLARGED_CLASS}:not(:fullscreen) {{ position: fixed; inset: 0; z-index: 10000; }}
.{ENLARGED_CLASS} img {{ max-width: 100% !important; }}
.{ENLARGED_CLASS} .{WHOLE_CLASS} {{ max-height: calc(100vh - 130px); object-position: center top !important; }}
.{ENLARGED_CLASS} :is(.jupyter-button, .widget-label, .pokerlab-words, select, input) {{ font-size: 18px !important; }}
.{ENLARGED_CLASS} .jupyter-button {{ width: auto !important; height: 36px; line-height: 36px; }}
.{TOLD_CLASS} {{ position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }}
@media (forced-colors: active) {{
    .{LIVE_CLASS} :is(button, .noUi-target, .noUi-handle) {{ border: 1px solid ButtonText !important; }}
    .{LIVE_CLASS} .noUi-connect {{ forced-color-adjust: none; background: Highlight !important; }}
    .{LIVE_CLASS} .{IDLE_CLASS} {{ color: GrayText; border-style: dashed !important; opacity: 1; }}
}}
"""
ACCESS_SHEET = f'<style onload="{escape(SCRIPT)}">{RULES}</style>'


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


def make_button(words: str, action: Callable[[], None], **look: Any) -> Any:
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


Bundle = tuple[dict[str, str], dict[str, Any]]  # what to display, by kind, and its metadata

WORDS_CLASS = "pokerlab-words-alone"  # of controls without a picture: words alone stay of them
ALERT_CLASS = "pokerlab-alert"  # of an alert; readable in light and dark themes
LEAST_BESIDE = "620px"
"""How wide a picture is at least beside the controls: a narrower place shows it below, where it is wider."""
LEAST, WIDER = 0.9, 1.35
"""How wide a piece is at least, of its own width, before it stands below another; and at most."""
MEASURE = "46em"  # of a line of text: some 90 letters
RUN_ME = "Run this cell to get its controls: buttons, sliders, a picture that moves."
ABOVE = "Run the cells above first: in JupyterLab, menu Run, Run All Above Selected Cell."
ENDED = "The kernel has ended, so these controls are dead."
AGAIN = {"cell": f"{ABOVE} Then run this cell again.", "page": "Load this page again."}
"""What to do in a notebook, and on a page that Voila serves."""
CHILD = ".jp-OutputArea-child"
LIVE = f"{CHILD}:has(.{LIVE_CLASS}:not(.{WORDS_CLASS}))"
SHEET = f"""<style>
{LIVE} + {CHILD}, {LIVE} + {CHILD} + {CHILD} {{ display: none; }}
{LIVE}:has(.pokerlab-with-words) + {CHILD} + {CHILD} + {CHILD} {{ display: none; }}
{CHILD}:has(.{WORDS_CLASS}) + {CHILD} {{ display: none; }}
.{LIVE_CLASS} img {{ height: auto; object-fit: contain; object-position: left top; }}
[data-jp-theme-light="false"] .{LIVE_CLASS} img {{ filter: invert(0.9) hue-rotate(180deg); }}
.pokerlab-words :is(p, .pokerlab-status) {{ max-width: {MEASURE}; box-sizing: border-box; overflow-wrap: anywhere; }}
.pokerlab-dead, .{ALERT_CLASS} {{ padding: 2px 8px; border-radius: 3px; background: #8a1c12; color: #ffffff; }}
.pokerlab-dead, body:not([data-voila]) .pokerlab-page, [data-voila] .pokerlab-cell {{ display: none; }}
.jupyter-widgets-disconnected .pokerlab-dead {{ display: block; }}
.{LIVE_CLASS}.jupyter-widgets-disconnected::before,
    .{LIVE_CLASS} .jupyter-widgets-disconnected::before {{ content: none; }}
.{LIVE_CLASS}.jupyter-widgets-disconnected :is(button, input, select, .noUi-target)
    {{ pointer-events: none; opacity: 0.45; }}
</style>"""
# An output whose widget is gone holds no element, only words such as 'model not found'.
EMPTY = "[data-mime-type*='widget-view']:not(:has(*))"
STILL_SHEET = f"""<style>
{CHILD}:has(> {EMPTY}):has(+ {CHILD} .pokerlab-still) {{ display: none; }}
</style>"""


class Screen:
    """Controls, a picture and words in the cell's output; nothing is displayed outside a notebook."""

    still_seconds = (
        1.0  # how old the picture in the saved notebook may become while the live one moves
    )
    is_page_saved = True
    """Whether the page may be saved as a notebook. Those of `make dash` are not, so no picture is drawn to be saved."""

    def __init__(self, kind: str, *, beside: bool = False) -> None:
        self.image = self.make_image(kind)
        self.pieces = widgets.HBox(layout={"flex_flow": "row wrap", "align_items": "flex-start"})
        self.pieces.add_class(PIECES_CLASS)
        self.words, self.told = widgets.HTML(), widgets.HTML()
        self.words.add_class("pokerlab-words")
        self.told.add_class(TOLD_CLASS)
        self.box: widgets.Box | None = None
        self.beside, self.has_image = beside, True
        self.stills: dict[str, Callable[[], Bundle]] = {}
        self.handles: dict[str, Any] = {}
        self.due: set[str] = set()
        self.kept_at = 0.0
        self.keeping = threading.RLock()

    def make_image(self, kind: str) -> Any:
        """Return the widget that shows the picture."""
        image = widgets.Image(format=kind, layout={"width": "100%", "margin": "0"})
        image.add_class(WHOLE_CLASS)
        return image

    def list_pictures(self) -> list[Any]:
        """Return the picture, its pieces, and the button that lets it fill the window; the page answers it."""
        about = "Fill the window, for a projector; Escape goes back."
        large = widgets.Button(
            description="Large", tooltip=about, layout={"width": "70px", "align_self": "flex-start"}
        )
        large.add_class(LARGE_CLASS)
        return [self.image, self.pieces, large]

    def open(self, controls: Any) -> None:
        """Display the controls with the live picture, and then what stays of it."""
        if get_ipython() is None:
            return
        self.box = self.lay_out(controls)
        live = {**self.box._repr_mimebundle_(), "text/plain": ""}
        display(live, raw=True)  # type: ignore[no-untyped-call]
        sentence = f'{STILL_SHEET}<div class="pokerlab-still"><b>&#9654; {RUN_ME}</b> {ABOVE}</div>'
        display({"text/html": sentence, "text/plain": f"{RUN_ME} {ABOVE}"}, raw=True)  # type: ignore[no-untyped-call]
        for name, still in self.stills.items():
            data, metadata = leave_dollars(still())
            self.handles[name] = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self.due.clear()

    def lay_out(self, controls: Any) -> widgets.Box:
        """Return the controls with the live picture and words."""
        beside = {"flex": f"1 1 {LEAST_BESIDE}", "min_width": "0", "margin": "0 0 0 8px"}
        row = {"display": "flex", "flex_flow": "row wrap", "align_items": "flex-start"}
        column = {"display": "flex", "flex_flow": "column", "align_items": "stretch"}
        parts = [*(self.list_pictures() if self.has_image else []), self.told, self.words]
        shown = widgets.VBox(parts, layout=beside if self.beside else {})
        shown.add_class("pokerlab-shown")
        both = widgets.Box([controls, shown], layout=row if self.beside else column)
        both.add_class("pokerlab-beside")
        box = make_live_box([both])
        if "words" in self.stills:
            box.add_class("pokerlab-with-words")
        return box

    def show(self, picture: bytes, width: float, still: Bundle) -> None:
        """Replace the picture, `width` pixels wide where there is room; `still` is what stays of it."""
        self.image.layout.max_width = f"{width:.0f}px"
        self.image.value = picture
        self.put("picture", lambda: still)

    def show_pieces(self, pieces: Sequence[SvgDrawing]) -> None:
        """Replace the pieces, which a narrow place shows instead of the picture, beside or below each other."""
        images = list(self.pieces.children)
        images += [widgets.Image(format="svg+xml") for _ in pieces[len(images) :]]
        for image, piece in zip(images, pieces, strict=False):
            look = {"width": "auto", "min_width": "0", "margin": "0"}
            look |= {
                "flex": f"1 1 {LEAST * piece.width:.0f}px",
                "max_width": f"{WIDER * piece.width:.0f}px",
            }
            for name, value in look.items():
                setattr(image.layout, name, value)
            image.value = piece._repr_svg_().encode()
        self.pieces.children = images[: len(pieces)]
        for gone in images[len(pieces) :]:
            close_widget(gone)

    def say(self, html: str, plain: str | None = None) -> None:
        """Replace the words below the picture; with `plain`, words that the saved notebook has too."""
        self.words.value = html
        if plain is not None:
            self.put("words", lambda: ({"text/html": html, "text/plain": plain}, {}))

    def tell(self, news: str, picture: str) -> None:
        """Let a screen reader read out the news, and have the picture in words."""
        self.told.value = f"{escape(news)}<span hidden>{escape(picture)}</span>"

    def draw(self, drawing: SvgDrawing, live: str = "") -> None:
        """Show a drawing, and its caption below; with `live`, this HTML in their place while the kernel lives."""
        svg, html = drawing._repr_svg_(), drawing._repr_html_()
        data = {"image/svg+xml": svg, "text/html": html, "text/plain": drawing.text}
        if live:
            self.has_image = False
            self.put("picture", lambda: (data, {}))
        else:
            self.image.format = "svg+xml"
            self.show(svg.encode(), drawing.width, (data, {}))
            mark = self.pieces.add_class if drawing.width <= SMALL else self.pieces.remove_class
            mark(SMALL_CLASS)
            self.show_pieces(drawing.pieces)
        self.say(live or f'<p style="line-height: 1.45;">{escape(drawing.caption)}</p>')
        self.tell(drawing.news or drawing.text, drawing.text)
        self.keep()

    def put(self, name: str, still: Callable[[], Bundle]) -> None:
        """Replace an output by what `still` returns, at once if the last time is long ago."""
        self.stills[name] = still
        self.due.add(name)
        if time.monotonic() - self.kept_at >= self.still_seconds:
            self.keep_soon()

    def keep(self) -> None:
        """Update what the saved notebook shows, if the page may be saved."""
        if not self.is_page_saved:
            return
        with self.keeping:
            due, self.due = self.due & self.handles.keys(), set()
            for name in due:
                data, metadata = leave_dollars(self.stills[name]())
                self.handles[name].update(data, metadata=metadata, raw=True)
            self.kept_at = time.monotonic()

    def keep_soon(self) -> None:
        """Update what the saved notebook shows, at once where that takes no time."""
        self.keep()

    def close(self) -> None:
        """Take the controls away; the picture stays."""
        self.keep()
        for widget in (self.box, self.image, self.pieces, self.told, self.words):
            if widget is not None:
                close_widget(widget)


class KernelWatch(anywidget.AnyWidget):
    """Nothing to see: on the page of a notebook it marks all controls as dead when their kernel is shut down.

    JupyterLab does so itself where a kernel restarts or dies, but not where it is shut down.
    """

    _esm = """
        function render({ model }) {
          const session = model.widget_manager?.context?.sessionContext;
          const mark = (_, { newValue }) => { if (newValue === null) model.widget_manager.disconnect(); };
          session?.kernelChanged.connect(mark);
          return () => session?.kernelChanged.disconnect(mark);
        }
        export default { render };
    """


def make_live_box(children: Sequence[Any]) -> widgets.VBox:
    """Return a box of what is alive while the kernel lives, with style rules and words for the time after it."""
    again = " ".join(f'<span class="pokerlab-{k}">{words}</span>' for k, words in AGAIN.items())
    dead = widgets.HTML(f'{ACCESS_SHEET}{SHEET}<div class="pokerlab-dead">{ENDED} {again}</div>')
    box = widgets.VBox([dead, KernelWatch(), *children], layout={"width": "100%"})
    box.add_class(LIVE_CLASS)
    return box


def leave_dollars(bundle: Bundle) -> Bundle:
    """Return what to display, in which dollar signs begin no formula."""
    data, metadata = bundle
    if "text/html" in data:
        data = data | {"text/html": f'<div class="mathjax_ignore">{data["text/html"]}</div>'}
    return data, metadata


class OnScreen:
    """What stands in a cell with controls and a picture, until it is closed or its place is taken."""

    screen: Screen
    controls: Any

    def open(self) -> Self:
        """Show it in place of the cell's earlier one."""
        take_place(self, None)
        self.screen.open(self.controls)
        return self

    def close(self) -> None:
        """Take the controls away; the picture stays."""
        self.screen.close()
        leave_place(self)


def make_alert(words: str) -> str:
    """Return words that say what is wrong."""
    return f'<span role="alert" class="{ALERT_CLASS}">{escape(words)}</span>'


def close_widget(widget: Any) -> None:
    """Close a widget and all widgets that it holds: its children, its layout and its style.

    A widget that stays registered while one that it holds is gone would end JupyterLab's request for the states
    of all widgets, which brings them back after a page is reloaded.
    """
    for name in widget.keys:
        value = getattr(widget, name)
        for held in value if isinstance(value, tuple) else (value,):
            if isinstance(held, widgets.Widget):
                close_widget(held)
    widget.close()


standing: dict[str, tuple[int, list[Any]]] = {}


PAUSE_BETWEEN_CLOSINGS = 0.1
"""Seconds between the closings of two benches or explorers.

Each of their widgets, over a hundred for a bench, sends a message as it closes. A kernel drops messages if about a
thousand wait to be sent, and then a page lacks the output that comes next.
"""


def take_place(newcomer: Any, key: str | None) -> None:
    """Register `newcomer`; close what stood in the place `key`, or what earlier executions of the cell made."""
    execution = read_execution_count()
    place = key if key is not None else find_present_cell() or f"execution {execution}"
    made_by, before = standing.get(place, (execution, []))
    if key is not None or made_by != execution:
        for position, old in enumerate(before):
            if position > 0:
                time.sleep(PAUSE_BETWEEN_CLOSINGS)
            old.close()
        before = []
    standing[place] = (execution, [*before, newcomer])


def leave_place(leaver: Any) -> None:
    """Forget what has been closed."""
    for place, (execution, things) in list(standing.items()):
        kept = [thing for thing in things if thing is not leaver]
        if kept:
            standing[place] = (execution, kept)
        else:
            del standing[place]


def find_present_cell() -> str:
    """Return what identifies the cell that runs; empty where cells have no identity."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "get_parent"):
        return ""
    return str(shell.get_parent().get("metadata", {}).get("cellId", ""))


def read_execution_count() -> int:
    """Return the number of the execution under way; 0 outside IPython."""
    shell = get_ipython()
    return 0 if shell is None else int(shell.execution_count)
