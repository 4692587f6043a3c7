"""JupyterLab in a Chromium, driven as a user would."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from tests.hangs import HANG_SECONDS, wait_until

QUIET = 1.0
"""Seconds without a new picture after which a paused bench has answered everything."""
READY = """() => {
    const app = window.jupyterapp;
    const panel = app && app.shell.currentWidget;
    const session = panel && panel.sessionContext && panel.sessionContext.session;
    return Boolean(session && session.kernel && session.kernel.status === 'idle'
        && panel.context.isReady && panel.content.model.cells.length > 0);
}"""
SESSION = "() => window.jupyterapp.shell.currentWidget.sessionContext"
COMMAND = """async names => {
    const commands = window.jupyterapp.commands;
    await commands.execute(names.find(name => commands.hasCommand(name)));
}"""
ACTIVATE = """words => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(
        cell => cell.model.type === 'code' && cell.model.sharedModel.source.includes(words)
    );
}"""
SIDEWAYS = """() => Math.max(0, ...Array.from(
    document.querySelectorAll(
        '.jp-NotebookPanel-notebook, .jp-OutputArea, .widget-box:has(> .widget-image, > .pokerlab-picture)'
    ),
    element => element.scrollWidth - element.clientWidth
))"""
ONE_LINE = 18
"""Pixels: two lines of a label are 28 high."""
TOO_LONG = f"""labels => labels
    .filter(l => l.scrollWidth > l.clientWidth || l.scrollHeight > l.clientHeight + 2
        || (l.matches('.widget-label') && l.offsetHeight > {ONE_LINE}))
    .map(l => l.innerText)"""
TOO_NARROW = """menus => menus
    .filter(menu => {
        const free = menu.cloneNode(true);
        free.style.cssText = 'position: absolute; visibility: hidden; width: auto';
        menu.parentNode.append(free);
        const [wanted, given] = [free.offsetWidth, menu.offsetWidth];
        free.remove();
        return given > 0 && wanted > given;
    })
    .map(menu => Array.from(menu.options, option => option.text).join(' / '))"""

CUT_OFF = """async pictures => {
    const found = [];
    for (const picture of pictures) {
        const place = document.createElement('div');
        document.body.append(place);
        const root = place.attachShadow({mode: 'open'});
        root.innerHTML = await (await fetch(picture.src)).text();
        const page = root.querySelector('svg')?.getBoundingClientRect();
        for (const words of root.querySelectorAll('text')) {
            const box = words.getBoundingClientRect();
            if (box.left < page.left - 1 || box.right > page.right + 1) found.push(words.textContent);
        }
        place.remove();
    }
    return found;
}"""


LEAST_LETTERS = 8.0
"""Pixels that letters are high at least."""
NOTE_LETTERS = """
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (...args) {
    const painted = this.canvas.painted ??= {};
    const width = this.canvas.clientWidth;
    if (painted.width !== width) Object.assign(painted, { width, least: Infinity });
    painted.least = Math.min(painted.least, parseFloat(this.font));
    fill.apply(this, args);
};
"""
"""Let each canvas note the size of the smallest letters that are painted at its present width."""
LETTERS = """async () => {
    const sizes = [];
    for (const image of document.querySelectorAll('.pokerlab-live img')) {
        if (!image.clientWidth) continue;
        const text = await (await fetch(image.src)).text();
        const svg = new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('svg');
        if (!svg) { sizes.push(0); continue; } // letters of pixels, which shrink with the picture
        const words = [...svg.querySelectorAll('text')].filter(each => each.getAttribute('fill') !== '#ffffff');
        const least = Math.min(...words.map(each => +each.getAttribute('font-size')));
        sizes.push(least * image.clientWidth / svg.getAttribute('width'));
    }
    for (const canvas of document.querySelectorAll('.pokerlab-live canvas')) {
        if (canvas.clientWidth) sizes.push(canvas.painted?.least ?? 0);
    }
    return sizes;
}"""
"""The smallest letters of each live picture on show, in pixels, without the numbers of players."""


class Lab:
    """A page with JupyterLab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        page.set_default_timeout(HANG_SECONDS * 1000)
        page.add_init_script(NOTE_LETTERS)

    def open(self, notebook: str) -> None:
        """Open a notebook alone and wait until its kernel is idle."""
        base, _, query = self.address.partition("?")
        self.page.goto(f"{base}/tree/{notebook}?reset&{query}")
        self.wait_until_ready()
        self.command("application:close-left-area", "application:toggle-left-area")

    def show(self, notebook: str) -> None:
        """Open a notebook and run all of it; there is no error."""
        self.open(f"{notebook}.ipynb")
        self.run_all()
        assert self.errors() == []

    def wait_until_ready(self) -> None:
        """Wait until a notebook is there and its kernel is idle."""
        self.page.wait_for_function("() => Boolean(window.jupyterapp)", timeout=HANG_SECONDS * 1000)
        self.page.wait_for_function(READY, timeout=HANG_SECONDS * 1000)

    def command(self, *names: str) -> None:
        """Run the first of these commands that there is, to its end."""
        self.page.evaluate(COMMAND, list(names))

    def run_all(self) -> None:
        """Run all cells; return when the last one has ended."""
        self.command("notebook:run-all-cells")

    def run_alone(self, words: str) -> None:
        """Run no cell but the first that holds these words; return when it has ended."""
        self.page.evaluate(ACTIVATE, words)
        self.command("notebook:run-cell")

    def save(self) -> None:
        """Save the notebook."""
        self.command("docmanager:save")

    def reload(self) -> None:
        """Load the page again; the kernel lives on."""
        self.page.reload()
        self.wait_until_ready()

    def end_kernel(self) -> None:
        """Shut the notebook's kernel down."""
        self.page.evaluate(f"{SESSION}.shutdown()")

    def restart(self) -> None:
        """Restart the kernel, without being asked whether."""
        self.page.evaluate(f"{SESSION}.restartKernel()")
        self.page.wait_for_function(READY, timeout=HANG_SECONDS * 1000)

    def interrupt(self) -> None:
        """Press the stop button."""
        self.command("notebook:interrupt-kernel")

    def errors(self) -> list[str]:
        """Return the tracebacks on the page."""
        # JupyterLab shows a traceback as it shows what is written to stderr.
        written = self.page.locator(".jp-OutputArea-output[data-mime-type*='stderr']")
        return [text for text in written.all_inner_texts() if "Traceback (most recent" in text]

    def faults(self) -> list[tuple[str, str]]:
        """Return what a checker of accessibility finds in the outputs, without JupyterLab's own faults."""
        # JupyterLab drops the text of a picture that is an output by itself; it stands below as well.
        where = {"include": [[".jp-Cell-outputArea"]], "exclude": [[".jp-RenderedImage img"]]}
        found = Axe().run(self.page, context=where, options={"resultTypes": ["violations"]})
        return [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]]

    @property
    def panel(self) -> Locator:
        """The last bench's controls."""
        return self.page.locator(".pokerlab-panel").last

    def button(self, words: str) -> Locator:
        """Return a button of the bench."""
        return self.panel.locator("button.jupyter-button", has_text=words)

    def row(self, label: str) -> Locator:
        """Return the bench's row whose label begins like this."""
        words = self.page.locator(".widget-label", has_text=re.compile(f"^{re.escape(label)}"))
        return self.panel.locator("div:has(> .widget-label)").filter(has=words)

    def nudge(self, label: str, key: str, times: int = 1) -> None:
        """Move the slider whose label begins like this by arrow keys."""
        handle = self.row(label).locator(".noUi-handle").last
        handle.focus()
        for _ in range(times):
            handle.press(key)

    def status(self) -> str:
        """Return the words below the picture."""
        return self.page.locator(".pokerlab-live .pokerlab-status").last.inner_text()

    def frames(self) -> int:
        """Return how many pictures have been painted, as the page knows."""
        status = self.page.locator(".pokerlab-live .pokerlab-status").last
        return int(status.get_attribute("data-frames") or 0)

    def settle(self) -> None:
        """Wait until everything that was moved has been answered."""
        before = -1
        while before != (before := self.frames()):
            time.sleep(QUIET)

    @property
    def image(self) -> Locator:
        """The last bench's picture."""
        return self.page.locator(".pokerlab-live:has(.pokerlab-panel) .pokerlab-canvas").last

    def painted(self) -> str:
        """Return the last picture that the page paints: its pixels."""
        canvas = self.page.locator(".pokerlab-live .pokerlab-canvas").last
        return str(canvas.evaluate("canvas => canvas.toDataURL()"))

    def picture(self) -> str:
        """Return the picture on show: its pixels."""
        return str(self.image.evaluate("canvas => canvas.toDataURL()"))

    def to_the_bench(self) -> None:
        """Scroll until the bench stands at the top."""
        self.panel.evaluate("panel => panel.closest('.jp-OutputArea').scrollIntoView()")

    def sideways(self) -> int:
        """Return by how many pixels the notebook, an output or a picture could be scrolled sideways."""
        return int(self.page.evaluate(SIDEWAYS))

    def letters(self) -> list[float]:
        """Return how high the smallest letters of each live picture are, in pixels."""
        return list(self.page.evaluate(LETTERS))

    def clipped(self) -> list[str]:
        """Return what does not fit its place: labels of panels, in one line; menus; words of drawings."""
        panels = self.page.locator(".pokerlab-panel")
        texts = panels.locator(".widget-label, .widget-readout, .jupyter-button")
        menus = panels.locator("select")
        drawings = self.page.locator(".pokerlab-live .widget-image")
        return [
            *texts.evaluate_all(TOO_LONG),
            *menus.evaluate_all(TOO_NARROW),
            *drawings.evaluate_all(CUT_OFF),
        ]

    def screenshot(self, path: Path) -> None:
        """Write what is to be seen."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)


def changes(look: Callable[[], Any], act: Callable[[], Any], what: str) -> None:
    """Act, and wait until there is something else to see."""
    before = look()
    act()
    wait_until(lambda: look() != before, what)
