"""Where controls and a moving picture appear: as widgets while the kernel lives, and as a still in the saved notebook.

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
NEWS_CLASS = "pokerlab-told"
"""The class of words for screen readers. Those in `hidden` describe the picture, and the others are news."""
PIECES_CLASS, WHOLE_CLASS = "pokerlab-pieces", "pokerlab-whole"
"""The classes of the pieces of a drawing for narrow places, and of the whole drawing for wide ones."""
SMALL_CLASS, MOST_SMALL_WIDTH = "pokerlab-small", 820.0
"""The class of the pieces of a small drawing, and the largest width of a small drawing in pixels."""
LEAST_WHOLE_WIDTH, LEAST_SMALL_WIDTH = "950px", "560px"
"""The least width of a place in which a drawing with pieces is shown whole, and of one for a small drawing, so that
letters can be read."""
LARGE_CLASS, ENLARGED_CLASS = "pokerlab-enlarge", "pokerlab-enlarged"
"""The classes of the button that makes the picture fill the window, and of what fills it."""
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
    const told = live.querySelector('.{NEWS_CLASS}');
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
FOCUS_STYLE = "outline: 3px solid var(--jp-ui-font-color0, currentColor); outline-offset: -3px;"
RULES = f"""
.{LIVE_CLASS} {{ position: relative; }}
.{LIVE_CLASS} :is(button, select, input, .noUi-handle, .widget-readout):focus-visible {{ {FOCUS_STYLE} z-index: 9; }}
.{LIVE_CLASS} .noUi-handle:focus-visible {{ outline-offset: 0; }}
.{LIVE_CLASS} .{IDLE_CLASS} {{ opacity: 0.5; cursor: default; box-shadow: none; }}
.{LIVE_CLASS} .{FOLD_CLASS} {{ text-align: left; background: none; border: 1px solid #bdbdbd; }}
.{LIVE_CLASS} .{PIECES_CLASS} {{ display: none; gap: 8px; overflow: visible; }}
.{LIVE_CLASS} :has(> .{PIECES_CLASS} > img) {{ container-type: inline-size; }}
@container (max-width: {LEAST_WHOLE_WIDTH}) {{
    .{LIVE_CLASS} .{PIECES_CLASS}:not(.{SMALL_CLASS}):has(> img) {{ display: flex; }}
    .{LIVE_CLASS} .{WHOLE_CLASS}:has(+ .{PIECES_CLASS}:not(.{SMALL_CLASS}) > img) {{ display: none; }}
}}
@container (max-width: {LEAST_SMALL_WIDTH}) {{
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
.{NEWS_CLASS} {{ position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }}
@media (forced-colors: active) {{
    .{LIVE_CLASS} :is(button, .noUi-target, .noUi-handle) {{ border: 1px solid ButtonText !important; }}
    .{LIVE_CLASS} .noUi-connect {{ forced-color-adjust: none; background: Highlight !important; }}
    .{LIVE_CLASS} .{IDLE_CLASS} {{ color: GrayText; border-style: dashed !important; opacity: 1; }}
}}
"""
ACCESS_SHEET = f'<style onload="{escape(SCRIPT)}">{RULES}</style>'


class PressButton(widgets.Button):  # type: ignore[misc]
    """A button that keeps the focus while it cannot be pressed. A browser takes the focus from a disabled one."""

    disabled = Bool(False)  # not sent to the browser

    @observe("disabled")
    def show_disabled(self, change: Any) -> None:
        """Make the button look disabled if it is."""
        (self.add_class if self.disabled else self.remove_class)(IDLE_CLASS)

    def click(self) -> None:
        """Call the action of the button, unless it is disabled."""
        if not self.disabled:
            super().click()


def make_button(label: str, action: Callable[[], None], **widget_arguments: Any) -> Any:
    """Return a button with a label, which calls `action` when it is pressed.

    Parameters
    ----------
    label : str
        The words on the button.
    action : callable
        A function without arguments.
    **widget_arguments
        Further arguments of the widget, such as `tooltip` and `layout`.
    """
    button = PressButton(description=label, **widget_arguments)
    button.on_click(lambda _: action())
    return button


class Fold(widgets.VBox):  # type: ignore[misc]
    """Rows behind a button that shows and hides them. Unlike the header of an accordion, it can have the focus."""

    def __init__(self, label: str, rows: Sequence[Any], **layout: str) -> None:
        self.rows = widgets.VBox(rows, layout=layout)
        self.switch = widgets.ToggleButton(
            description=label, layout={"width": "100%", "margin": "2px 0"}
        )
        self.switch.add_class(FOLD_CLASS)
        self.switch.observe(lambda _: self.show_or_hide_rows(), "value")
        self.show_or_hide_rows()
        super().__init__([self.switch, self.rows])

    def show_or_hide_rows(self) -> None:
        """Show the rows if the fold is open, and hide them otherwise."""
        is_open = self.switch.value
        self.switch.icon = "caret-down" if is_open else "caret-right"
        self.rows.layout.display = None if is_open else "none"


Bundle = tuple[dict[str, str], dict[str, Any]]
"""An output of a notebook: its contents by MIME type, and its metadata."""

WORDS_CLASS = "pokerlab-words-alone"  # of controls without a picture, of which only words are saved
ALERT_CLASS = "pokerlab-alert"  # of an alert, which can be read in light and dark themes
LEAST_PICTURE_WIDTH = "620px"
"""The least width of a picture beside the controls. In a narrower place it is shown below them, where it is wider."""
LEAST_PIECE_WIDTH, MOST_PIECE_WIDTH = 0.9, 1.35
"""The least and the most width of a piece, as multiples of its own width. In less room it is shown below the others."""
LINE_WIDTH = "46em"  # some 90 letters
RUN_THIS_CELL = "Run this cell to get its controls: buttons, sliders, a picture that moves."
RUN_CELLS_ABOVE = "Run the cells above first: in JupyterLab, menu Run, Run All Above Selected Cell."
KERNEL_ENDED = "The kernel has ended, so these controls are dead."
RESTART_HINTS = {
    "cell": f"{RUN_CELLS_ABOVE} Then run this cell again.",
    "page": "Load this page again.",
}
"""The words on how to get the controls again, in a notebook and on a page that Voila serves."""
OUTPUT = ".jp-OutputArea-child"
LIVE_OUTPUT = f"{OUTPUT}:has(.{LIVE_CLASS}:not(.{WORDS_CLASS}))"
SHEET = f"""<style>
{LIVE_OUTPUT} + {OUTPUT}, {LIVE_OUTPUT} + {OUTPUT} + {OUTPUT} {{ display: none; }}
{LIVE_OUTPUT}:has(.pokerlab-with-words) + {OUTPUT} + {OUTPUT} + {OUTPUT} {{ display: none; }}
{OUTPUT}:has(.{WORDS_CLASS}) + {OUTPUT} {{ display: none; }}
.{LIVE_CLASS} img {{ height: auto; object-fit: contain; object-position: left top; }}
[data-jp-theme-light="false"] .{LIVE_CLASS} img {{ filter: invert(0.9) hue-rotate(180deg); }}
.pokerlab-words :is(p, .pokerlab-status) {{ max-width: {LINE_WIDTH}; box-sizing: border-box; overflow-wrap: anywhere; }}
.pokerlab-dead, .{ALERT_CLASS} {{ padding: 2px 8px; border-radius: 3px; background: #8a1c12; color: #ffffff; }}
.pokerlab-dead, body:not([data-voila]) .pokerlab-page, [data-voila] .pokerlab-cell {{ display: none; }}
.jupyter-widgets-disconnected .pokerlab-dead {{ display: block; }}
.{LIVE_CLASS}.jupyter-widgets-disconnected::before,
    .{LIVE_CLASS} .jupyter-widgets-disconnected::before {{ content: none; }}
.{LIVE_CLASS}.jupyter-widgets-disconnected :is(button, input, select, .noUi-target)
    {{ pointer-events: none; opacity: 0.45; }}
</style>"""
# An output whose widget is gone holds no element, only words such as 'model not found'.
LOST_WIDGET_SELECTOR = "[data-mime-type*='widget-view']:not(:has(*))"
STILL_SHEET = f"""<style>
{OUTPUT}:has(> {LOST_WIDGET_SELECTOR}):has(+ {OUTPUT} .pokerlab-still) {{ display: none; }}
</style>"""


class Screen:
    """Controls, a picture and words in the cell's output. Outside a notebook nothing is displayed."""

    still_seconds = 1.0
    """The time after which the picture in the saved notebook is updated while the live one moves."""
    is_page_saved = True
    """Whether the page may be saved as a notebook. The pages of `make dash` are not saved, so they need no stills."""

    def __init__(self, kind: str, *, has_controls_beside: bool = False) -> None:
        self.image = self.make_image(kind)
        self.pieces = widgets.HBox(layout={"flex_flow": "row wrap", "align_items": "flex-start"})
        self.pieces.add_class(PIECES_CLASS)
        self.words_widget, self.news_widget = widgets.HTML(), widgets.HTML()
        self.words_widget.add_class("pokerlab-words")
        self.news_widget.add_class(NEWS_CLASS)
        self.box: widgets.Box | None = None
        self.has_controls_beside, self.has_image = has_controls_beside, True
        self.still_makers: dict[str, Callable[[], Bundle]] = {}
        self.display_handles: dict[str, Any] = {}
        self.outdated_outputs: set[str] = set()
        self.save_time = 0.0
        self.save_lock = threading.RLock()

    def make_image(self, kind: str) -> Any:
        """Return the widget that shows the picture."""
        image = widgets.Image(format=kind, layout={"width": "100%", "margin": "0"})
        image.add_class(WHOLE_CLASS)
        return image

    def list_pictures(self) -> list[Any]:
        """Return the widgets of the picture: the whole, its pieces, and the button that makes it fill the window."""
        tooltip = "Fill the window, for a projector; Escape goes back."
        large_button = widgets.Button(
            description="Large",
            tooltip=tooltip,
            layout={"width": "70px", "align_self": "flex-start"},
        )
        large_button.add_class(LARGE_CLASS)
        return [self.image, self.pieces, large_button]

    def open(self, controls: Any) -> None:
        """Display the controls with the live picture, and below it the outputs for the saved notebook."""
        if get_ipython() is None:
            return
        self.box = self.lay_out(controls)
        live_output = {**self.box._repr_mimebundle_(), "text/plain": ""}
        display(live_output, raw=True)  # type: ignore[no-untyped-call]
        sentence = f'{STILL_SHEET}<div class="pokerlab-still"><b>&#9654; {RUN_THIS_CELL}</b> {RUN_CELLS_ABOVE}</div>'
        display(
            {"text/html": sentence, "text/plain": f"{RUN_THIS_CELL} {RUN_CELLS_ABOVE}"}, raw=True
        )  # type: ignore[no-untyped-call]
        for name, make_still in self.still_makers.items():
            data, metadata = ignore_dollars(make_still())
            self.display_handles[name] = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self.outdated_outputs.clear()

    def lay_out(self, controls: Any) -> widgets.Box:
        """Return a box with the controls, the live picture and the words."""
        picture_layout = {
            "flex": f"1 1 {LEAST_PICTURE_WIDTH}",
            "min_width": "0",
            "margin": "0 0 0 8px",
        }
        row = {"display": "flex", "flex_flow": "row wrap", "align_items": "flex-start"}
        column = {"display": "flex", "flex_flow": "column", "align_items": "stretch"}
        parts = [
            *(self.list_pictures() if self.has_image else []),
            self.news_widget,
            self.words_widget,
        ]
        picture_box = widgets.VBox(parts, layout=picture_layout if self.has_controls_beside else {})
        picture_box.add_class("pokerlab-shown")
        both = widgets.Box(
            [controls, picture_box], layout=row if self.has_controls_beside else column
        )
        both.add_class("pokerlab-beside")
        box = make_live_box([both])
        if "words" in self.still_makers:
            box.add_class("pokerlab-with-words")
        return box

    def show_image(self, picture: bytes, width: float, still: Bundle) -> None:
        """Replace the picture.

        Parameters
        ----------
        picture : bytes
            The picture in the format of the screen.
        width : float
            Its width in pixels, where there is room for it.
        still : Bundle
            The output for the saved notebook.
        """
        self.image.layout.max_width = f"{width:.0f}px"
        self.image.value = picture
        self.replace_output("picture", lambda: still)

    def show_pieces(self, pieces: Sequence[SvgDrawing]) -> None:
        """Replace the pieces of a drawing, which are shown in a narrow place instead of the whole."""
        images = list(self.pieces.children)
        images += [widgets.Image(format="svg+xml") for _ in pieces[len(images) :]]
        for image, piece in zip(images, pieces, strict=False):
            layout = {"width": "auto", "min_width": "0", "margin": "0"}
            layout |= {
                "flex": f"1 1 {LEAST_PIECE_WIDTH * piece.width:.0f}px",
                "max_width": f"{MOST_PIECE_WIDTH * piece.width:.0f}px",
            }
            for name, value in layout.items():
                setattr(image.layout, name, value)
            image.value = piece._repr_svg_().encode()
        self.pieces.children = images[: len(pieces)]
        for unused_image in images[len(pieces) :]:
            close_widget(unused_image)

    def write_words(self, html: str, text: str | None = None) -> None:
        """Replace the words below the picture.

        Parameters
        ----------
        html : str
            The words as HTML.
        text : str, optional
            The words without HTML. If they are given, the saved notebook has the words, too.
        """
        self.words_widget.value = html
        if text is not None:
            self.replace_output("words", lambda: ({"text/html": html, "text/plain": text}, {}))

    def write_news(self, news: str, picture_words: str) -> None:
        """Replace the words for screen readers: news that are read out, and the picture in words."""
        self.news_widget.value = f"{escape(news)}<span hidden>{escape(picture_words)}</span>"

    def show_drawing(self, drawing: SvgDrawing, live_html: str = "") -> None:
        """Show a drawing with its caption.

        Parameters
        ----------
        drawing : SvgDrawing
            The drawing, which the saved notebook gets.
        live_html : str
            If given, this HTML is shown instead of the drawing and the caption while the kernel lives.
        """
        svg, html = drawing._repr_svg_(), drawing._repr_html_()
        data = {"image/svg+xml": svg, "text/html": html, "text/plain": drawing.text}
        if live_html:
            self.has_image = False
            self.replace_output("picture", lambda: (data, {}))
        else:
            self.image.format = "svg+xml"
            self.show_image(svg.encode(), drawing.width, (data, {}))
            change_classes = (
                self.pieces.add_class
                if drawing.width <= MOST_SMALL_WIDTH
                else self.pieces.remove_class
            )
            change_classes(SMALL_CLASS)
            self.show_pieces(drawing.pieces)
        self.write_words(
            live_html or f'<p style="line-height: 1.45;">{escape(drawing.caption)}</p>'
        )
        self.write_news(drawing.news or drawing.text, drawing.text)
        self.save_outputs()

    def replace_output(self, name: str, make_still: Callable[[], Bundle]) -> None:
        """Replace an output of the saved notebook, soon if `still_seconds` have passed since the last time.

        Parameters
        ----------
        name : str
            The output, 'picture' or 'words'.
        make_still : callable
            A function without arguments that returns the new output.
        """
        self.still_makers[name] = make_still
        self.outdated_outputs.add(name)
        if time.monotonic() - self.save_time >= self.still_seconds:
            self.save_outputs_soon()

    def save_outputs(self) -> None:
        """Update the outputs for the saved notebook that have changed, if the page may be saved."""
        if not self.is_page_saved:
            return
        with self.save_lock:
            names = self.outdated_outputs & self.display_handles.keys()
            self.outdated_outputs = set()
            for name in names:
                data, metadata = ignore_dollars(self.still_makers[name]())
                self.display_handles[name].update(data, metadata=metadata, raw=True)
            self.save_time = time.monotonic()

    def save_outputs_soon(self) -> None:
        """Update the outputs for the saved notebook. Subclasses whose stills take long do it later."""
        self.save_outputs()

    def close(self) -> None:
        """Update the outputs for the saved notebook, and remove the controls."""
        self.save_outputs()
        for widget in (self.box, self.image, self.pieces, self.news_widget, self.words_widget):
            if widget is not None:
                close_widget(widget)


class PageGuard(anywidget.AnyWidget):
    """An invisible widget that keeps JupyterLab from acting wrongly on the controls of its page.

    If a kernel is shut down, the guard marks all controls as dead. JupyterLab does so itself if a kernel restarts or
    dies, but not if it is shut down.

    If a key is pressed on a control, the guard keeps it from JupyterLab's shortcuts of one key. Otherwise, an arrow
    that should move a slider chooses another cell instead, and the letters m and x change and cut the cell of the
    control. Shift+Enter and keys with Ctrl, Alt, or Cmd go to JupyterLab.
    """

    _esm = f"""
        const SUPPRESS = 'data-lm-suppress-shortcuts'; // JupyterLab ignores keys on what has this attribute
        function render({{ model }}) {{
          const session = model.widget_manager?.context?.sessionContext;
          const mark = (_, {{ newValue }}) => {{ if (newValue === null) model.widget_manager.disconnect(); }};
          session?.kernelChanged.connect(mark);
          // Each guard has a function of its own, because its removal must not remove that of another guard.
          const keepKey = (event) => {{
            const forLab = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'Enter');
            if (event.target.closest?.('.{LIVE_CLASS}')) event.target.toggleAttribute(SUPPRESS, !forLab);
          }};
          window.addEventListener('keydown', keepKey, true); // before JupyterLab, which listens on the document
          return () => {{
            session?.kernelChanged.disconnect(mark);
            window.removeEventListener('keydown', keepKey, true);
          }};
        }}
        export default {{ render }};
    """


def make_live_box(children: Sequence[Any]) -> widgets.VBox:
    """Return a box of widgets, with style rules, and with words that are shown after the kernel has ended."""
    hints = " ".join(
        f'<span class="pokerlab-{k}">{words}</span>' for k, words in RESTART_HINTS.items()
    )
    ended = widgets.HTML(
        f'{ACCESS_SHEET}{SHEET}<div class="pokerlab-dead">{KERNEL_ENDED} {hints}</div>'
    )
    box = widgets.VBox([ended, PageGuard(), *children], layout={"width": "100%"})
    box.add_class(LIVE_CLASS)
    return box


def ignore_dollars(bundle: Bundle) -> Bundle:
    """Return an output in which dollar signs do not begin a formula."""
    data, metadata = bundle
    if "text/html" in data:
        data = data | {"text/html": f'<div class="mathjax_ignore">{data["text/html"]}</div>'}
    return data, metadata


class OnScreen:
    """Controls and a picture in a cell, until they are closed or others take their place."""

    screen: Screen
    controls: Any

    def open(self) -> Self:
        """Show the controls and the picture in place of the cell's earlier ones, and return this object."""
        take_place(self, None)
        self.screen.open(self.controls)
        return self

    def close(self) -> None:
        """Take the controls away; the picture stays."""
        self.screen.close()
        leave_place(self)


def make_alert(words: str) -> str:
    """Return the words of an error as HTML."""
    return f'<span role="alert" class="{ALERT_CLASS}">{escape(words)}</span>'


def close_widget(widget: Any) -> None:
    """Close a widget and all widgets that it contains: its children, its layout and its style.

    After a page is reloaded, JupyterLab requests the states of all registered widgets. The request would fail if a
    widget stayed registered while a part of it is gone.
    """
    for name in widget.keys:
        value = getattr(widget, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, widgets.Widget):
                close_widget(part)
    widget.close()


things_by_place: dict[str, tuple[int, list[Any]]] = {}
"""For each place the number of the execution that has filled it, and the benches and explorers there."""


PAUSE_BETWEEN_CLOSINGS = 0.1
"""Seconds between the closings of two benches or explorers.

Each of their widgets, over a hundred for a bench, sends a message as it closes. A kernel drops messages if about a
thousand wait to be sent, and then a page lacks the output that comes next.
"""


def take_place(newcomer: Any, key: str | None) -> None:
    """Register a bench or explorer, and close those whose place it takes.

    Parameters
    ----------
    newcomer : Any
        The bench or explorer.
    key : str or None
        Its place. If it is None, the place is the cell, and those that earlier executions of the cell made are closed.
    """
    execution = read_execution_count()
    place = key if key is not None else find_present_cell() or f"execution {execution}"
    earlier_execution, earlier_things = things_by_place.get(place, (execution, []))
    if key is not None or earlier_execution != execution:
        for position, thing in enumerate(earlier_things):
            if position > 0:
                time.sleep(PAUSE_BETWEEN_CLOSINGS)
            thing.close()
        earlier_things = []
    things_by_place[place] = (execution, [*earlier_things, newcomer])


def leave_place(closed_thing: Any) -> None:
    """Remove a bench or explorer that has been closed from the register."""
    for place, (execution, things) in list(things_by_place.items()):
        other_things = [thing for thing in things if thing is not closed_thing]
        if other_things:
            things_by_place[place] = (execution, other_things)
        else:
            del things_by_place[place]


def find_present_cell() -> str:
    """Return the identifier of the cell that runs, or an empty text if cells have none."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "get_parent"):
        return ""
    return str(shell.get_parent().get("metadata", {}).get("cellId", ""))


def read_execution_count() -> int:
    """Return the number of the present execution, or 0 outside IPython."""
    shell = get_ipython()
    return 0 if shell is None else int(shell.execution_count)
