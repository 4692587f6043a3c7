"""Voila with a first page that lists all pages, and with the lessons as pages to read.

On Linux, kernels are forks of one process that has imported everything and opened each page once. A fork starts in a
moment, because everything is compiled and computed already. It shares its memory with the process until it writes to
it, so thirty visitors need a tenth of the memory of thirty separate kernels.
"""

import argparse
import asyncio
import base64
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from itertools import groupby
from multiprocessing import (
    active_children,
    forkserver,
    get_context,
    parent_process,
    set_forkserver_preload,
)
from multiprocessing.context import ForkServerProcess
from multiprocessing.util import get_temp_dir
from operator import itemgetter
from pathlib import Path
from threading import Thread
from typing import Any

import zmq
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from jupyter_core.utils import run_sync
from jupyter_server.utils import url_path_join
from nbconvert import HTMLExporter
from nbformat import v4
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler, StaticFileHandler
from tornado.websocket import WebSocketClosedError
from traitlets.config import Config
from voila.app import Voila
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from pokerlab.classroom.guesses import CLASS_VARIABLE
from pokerlab.workbench.dash.page_connection import PageConnection
from pokerlab.workbench.dash.pages import PAGES
from pokerlab.workbench.dash.sockets import use_socket_files
from pokerlab.workbench.live.screen import LINE_WIDTH

PRELOADED = [__name__, "pokerlab.workbench.dash.opened", "ipykernel.debugger"]
"""The modules that the process imports before it makes forks."""
PROVISIONER_NAME = "pokerlab-fork"
KERNEL_SETTINGS = Config(
    {"HistoryManager": {"enabled": False}, "IPKernelApp": {"log_level": "CRITICAL"}}
)
"""The settings of kernels. The server interrupts a kernel before it ends it; a busy one would log this as an error."""


MOST_WAITING_SECONDS = 600
"""The most seconds for which a page waits for its kernel. A kernel that has died is noticed at once."""
NICENESS = 10
"""The niceness of kernels, so that the server still passes on messages while benches use all cores."""


def prepare_forks() -> None:
    """Let Jupyter make kernels as forks, and wait until their parent process has opened each page once.

    Without this the first visitor would have to wait.

    Raises
    ------
    SystemExit
        If the temporary folder can hold no socket file.
    """
    entry_point = EntryPoint(PROVISIONER_NAME, f"{__name__}:{ForkedKernel.__name__}", "")
    factory = KernelProvisionerFactory.instance()
    factory.provisioners[PROVISIONER_NAME] = entry_point
    factory.default_provisioner_name = PROVISIONER_NAME
    set_forkserver_preload(PRELOADED)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads cannot be forked
    os.environ.setdefault(
        "PYDEVD_DISABLE_FILE_VALIDATION", "1"
    )  # nobody debugs, so nobody is warned
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server alone
    try:
        forkserver.ensure_running()
    except OSError as error:
        raise SystemExit(
            f"dash: {get_temp_dir()} can hold no socket file ({error}). Set TMPDIR to a folder with a shorter path."
        ) from error
    signal.signal(signal.SIGINT, before)
    print("dash: opening each page once, so that no visitor has to wait", flush=True)
    first = get_context("forkserver").Process(target=int)  # cannot be made before
    first.start()
    first.join()


def end_with_server(server: Any) -> None:
    """Wait until the server ends, and then end this process."""
    server.join()
    os._exit(0)


class Fork(ForkServerProcess):
    """The process of a kernel as a fork, with the methods that Jupyter needs."""

    stdin = stdout = stderr = None

    def __init__(self, connection_file: str, environment: dict[str, str]) -> None:
        super().__init__()
        self.connection_file, self.environment = connection_file, environment

    def run(self) -> None:
        """Run the kernel in a process group of its own, until it is shut down or the server ends."""
        os.setsid()
        os.nice(NICENESS)
        Thread(target=end_with_server, args=(parent_process(),), daemon=True).start()
        os.environ.update(self.environment)
        app: Any = IPKernelApp
        app.launch_instance(
            ["-f", self.connection_file], parent_handle=os.getppid(), config=KERNEL_SETTINGS
        )

    def poll(self) -> int | None:
        """Return the exit code of the process, or None while it runs."""
        return self.exitcode

    def wait(self) -> int | None:
        """Wait for the end of the process, and return its exit code."""
        self.join()
        return self.exitcode

    def send_signal(self, signum: int) -> None:
        """Send a signal to the process, unless it has ended."""
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signum)


class ForkedKernel(LocalProvisioner):
    """The provisioner with which Jupyter makes and ends kernels that are forks."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start a kernel, and return how to connect to it."""
        manager: Any = self.parent
        environment = {str(name): str(value) for name, value in kwargs["env"].items()}
        self.process: Any = Fork(manager.connection_file, environment)
        await asyncio.to_thread(self.process.start)
        self.pid = self.pgid = self.process.pid
        return self.connection_info


HAS_FORKS = sys.platform == "linux"  # whether kernels are forks; elsewhere each starts from nothing
PROTOCOL = "v1.kernel.websocket.jupyter.org"  # of messages to a page, agreed with its browser
GOING_AWAY = (
    1001  # the code of a websocket that a browser closes because the page is left or closed
)
NOTEBOOK_FORMAT: Any = v4
LESSONS, FIGURES = Path("notebooks"), Path("figures")
PNG, SVG = "image/png", "image/svg+xml"
SETTINGS = {
    "Application": {"log_level": "CRITICAL"},
    "Voila": {"ip": "127.0.0.1", "kernel_websocket_connection_class": PageConnection},
    "VoilaConfiguration": {"allow_theme_override": "YES"},
    "KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"},
    # A class that opens its pages at once waits: Voila would send an error in place of a page whose kernel has not
    # answered within a minute, and after four seconds a page without its bench, and without a word.
    "VoilaExecutor": {
        "startup_timeout": MOST_WAITING_SECONDS,
        "iopub_timeout": MOST_WAITING_SECONDS,
        "raise_on_iopub_timeout": True,
    },
    # The kernels of browsers that vanished without a word; one that a page is connected to stays.
    "MappingKernelManager": {"cull_idle_timeout": 600, "cull_interval": 60},
}
PAGE_CODE = """
import os
from pokerlab.workbench.dash.pages import open_page
from pokerlab.workbench.live.screen import Screen
Screen.is_page_saved = False
opened = open_page({name!r}, os.environ.get("QUERY_STRING", ""))
"""
COLOR_COOKIE = "colors"
"""The cookie that holds a browser's preference, dark or light."""
COLOR_SCRIPT = (
    "<script>"
    'const dark = matchMedia("(prefers-color-scheme: dark)").matches;'
    f'const isNoted = () => document.cookie.includes("{COLOR_COOKIE}=dark");'
    "const noted = isNoted();"
    f'document.cookie = `{COLOR_COOKIE}=${{dark ? "dark" : "light"}}; path=/; max-age=31536000; samesite=lax`;'
    "if (dark !== noted && dark === isNoted()) location.reload();"
    "</script>"
)
"""Part of a page's head: notes which colors the browser prefers. A page that was sent in the others is loaded again,
unless the browser keeps no cookies: it would be loaded for ever."""
LEFT_SCRIPT = (
    "<script>addEventListener('pagehide', () => {"
    'const settings = document.getElementById("jupyter-config-data");'
    "if (!settings) return;"
    "const {baseUrl, kernelId} = JSON.parse(settings.textContent);"
    "navigator.sendBeacon(`${baseUrl}voila/api/shutdown/${kernelId}`);"
    "});</script>"
)
"""Part of a page's head: ends the kernel when the page is left. Voila's own program does so, too, but only once it has
been loaded; a page that is left or loaded again before has no connection whose end the server would notice."""
TEXT_SHEET = (
    f"{COLOR_SCRIPT}{LEFT_SCRIPT}"
    f"<style>.jp-RenderedMarkdown :is(p, ul, ol, dl, blockquote) {{ max-width: {LINE_WIDTH}; }}"
    " .pokerlab-still { display: none; }</style></head>"
)
"""The end of a page's head: colors as the browser has them, lines that can be read, and no word on cells to run."""
FOREIGN_SHEET = re.compile(r"<link [^>]*href=\"https?://[^>]*>")
FOREIGN_SCRIPT = re.compile(r"<script src=\"https?://[^>]*>\s*</script>")
MATHJAX = "sphinx-mathjax-offline"
"""The package that brings the program for formulas; `make setup` installs it."""
FORMULAS = (
    "<script>MathJax = {{tex: {{inlineMath: [['$', '$']], processEscapes: true}}}};</script>"
    '<script defer src="{root}mathjax/tex-chtml.js"></script></head>'
)
KERNEL_NAME_PATTERN = re.compile(r'"kernelId": *"([\w-]+)"')  # in a page, the name of its kernel
FIRST_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>pokerlab</title>
<meta name="viewport" content="width=device-width">{note_colors}
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 17px/1.6 system-ui, sans-serif; margin: 2em auto; max-width: {measure}; padding: 0 1em; }}
h2 {{ margin: 1.5em 0 0.5em; }}
ul {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16em), 1fr)); gap: 1em; padding: 0; }}
li {{ list-style: none; border: 1px solid #8886; border-radius: 6px; padding: 0.6em; }}
li img {{ display: block; width: 100%; height: 9em; object-fit: contain; background: #ffffff; margin-bottom: 0.4em; }}
</style>
</head><body>
<h1>pokerlab</h1>
<p>Poker to play, to explore, and to watch evolve. A page opens in a few seconds, and what you do there is yours alone;
it is gone when you leave.{kept}</p>
{shelves}
</body></html>
"""


GUESSES_NOTE = " Guesses alone are kept for the teacher, without your name."
GUESSES_OPTION = "--guesses"


class Dash(Voila):  # type: ignore[misc]
    """Voila with pages of pokerlab."""

    def init_handlers(self) -> list[Any]:
        """Return the handlers of pokerlab followed by those of Voila.

        The address is printed once the server runs, and Ctrl-C stops it.
        """
        loop = IOLoop.current()
        loop.add_callback(self.announce)

        def stop_loop(*_: object) -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            loop.add_callback_from_signal(loop.stop)

        signal.signal(signal.SIGINT, stop_loop)
        own_handlers = {
            "": FirstPage,
            r"/picture/(\w+)": PagePicture,
            r"/lesson/((?:\w+/)*\w+\.(?:ipynb|md))": Lesson,
            "/voila/api/shutdown/(.*)": EndOfVisit,
            "/api/kernels/([^/]+)/channels": Visit,
        }
        first: list[Any] = [
            (url_path_join(self.server_url, end), handler) for end, handler in own_handlers.items()
        ]
        for end, folder in {
            r"/figures/(\w+\.png)": FIGURES,
            "/mathjax/(.*)": find_mathjax(),
        }.items():
            if folder is not None:
                files = {"path": str(folder.absolute())}
                first.append((url_path_join(self.server_url, end), StaticFileHandler, files))
        voila_handlers = (list(each) for each in super().init_handlers())
        others = [
            (url, Page if handler is TornadoVoilaHandler else handler, *arguments)
            for url, handler, *arguments in voila_handlers
        ]
        return [*first, *others]

    def announce(self) -> None:
        """Print the address of the first page."""
        print("dash: the pages are served; Ctrl-C stops. If no browser opens, open this address:")
        print(self.display_url, flush=True)

    def stop(self) -> None:
        """Print that the server stops, and end all kernels."""
        print("\ndash: stopping", flush=True)
        for fork in active_children():
            fork.kill()
        shutil.rmtree(self.connection_dir, ignore_errors=True)
        if not HAS_FORKS:
            run_sync(self.kernel_manager.shutdown_all)(now=True)


class Page(TornadoVoilaHandler):  # type: ignore[misc]
    """A page with a table, an explorer or a bench, which loads nothing from other hosts."""

    kernel_id = ""
    is_left = False

    def prepare(self) -> Any:
        """Choose the dark theme if the cookie says so, unless the address names a theme."""
        if self.get_cookie(COLOR_COOKIE) == "dark":
            self.request.arguments.setdefault("theme", [b"dark"])
        return super().prepare()

    async def get(self, path: str | None = None) -> None:
        """Send the page, and end its kernel if the visitor leaves before all of it has been sent."""
        await super().get(path)
        if self.is_left and self.kernel_id in self.kernel_manager:
            await self.kernel_manager.shutdown_kernel(self.kernel_id, now=True)

    def on_connection_close(self) -> None:
        """Store that the visitor has left or reloads the page."""
        super().on_connection_close()
        self.is_left = True

    def write(self, chunk: Any) -> None:
        """Send a part of the page, with the style sheet of pokerlab in place of those from other hosts."""
        if isinstance(chunk, str):
            chunk = FOREIGN_SHEET.sub("", chunk).replace("</head>", TEXT_SHEET, 1)
            kernel = KERNEL_NAME_PATTERN.search(chunk)
            self.kernel_id = kernel[1] if kernel else self.kernel_id
        super().write(chunk)


class EndOfVisit(VoilaShutdownKernelHandler):  # type: ignore[misc]
    """Ends the kernel of a page that is left. The page sends the name of the kernel, and cannot send a token."""

    def check_xsrf_cookie(self) -> None:
        """Check no token: the name of the kernel is random, so only its page can send it."""

    async def post(self, kernel_id: str) -> None:
        """End the kernel, unless it has been ended: a page that is left says so more than once."""
        if kernel_id in self.kernel_manager:
            await super().post(kernel_id)


class Visit(VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """The connection of a page to its kernel."""

    def write_message(self, message: Any, binary: bool = False) -> None:
        """Send a message to the page, or drop it if the page has just been left.

        Voila reads each message in bytes by the newer of two protocols. In a message of the older one it would read a
        huge number and count up to it. Without a connection jupyter_server writes messages of the older protocol.
        """
        connection = self.ws_connection
        if connection is None or connection.is_closing():
            return
        is_readable = not binary or connection.selected_subprotocol == PROTOCOL
        handler: Any = super() if is_readable else super(VoilaKernelWebsocketHandler, self)
        with suppress(WebSocketClosedError):
            sent = handler.write_message(message, binary)
            if sent is not None:  # Voila drops some messages itself
                sent.add_done_callback(lambda done: done.cancelled() or done.exception())

    def on_close(self) -> None:
        """End the kernel if the page has been closed, but not if only the connection was lost, which comes back."""
        super().on_close()
        if self.close_code == GOING_AWAY and self.kernel_id in self.kernel_manager:
            IOLoop.current().add_callback(self.kernel_manager.shutdown_kernel, self.kernel_id)


class FirstPage(RequestHandler):
    """The page that lists all pages."""

    async def get(self) -> None:
        """Send the page."""
        self.write(await asyncio.to_thread(write_first_page))


class PagePicture(RequestHandler):
    """The picture of a page on the first page."""

    def get(self, page: str) -> None:
        """Send the picture.

        Raises
        ------
        HTTPError
            If there is no such page or it has no picture.
        """
        found = find_picture(page) if page in PAGES else None
        if found is None:
            raise HTTPError(404)
        kind, content = found
        self.set_header("Content-Type", kind)
        self.write(content)


class Lesson(RequestHandler):
    """A lesson, or a text to which it links, with its committed results."""

    async def get(self, name: str) -> None:
        """Send the page.

        Raises
        ------
        HTTPError
            If there is no such file.
        """
        if not (LESSONS / name).is_file():
            raise HTTPError(404)
        colors = "dark" if self.get_cookie(COLOR_COOKIE) == "dark" else "light"
        self.write(await asyncio.to_thread(convert_to_html, LESSONS / name, colors))


@cache
def convert_to_html(path: Path, colors: str) -> str:
    """Return a notebook or a Markdown file as an HTML page.

    If MathJax is installed, the page loads nothing from other hosts.

    Parameters
    ----------
    path : Path
        The file.
    colors : {'light', 'dark'}
        The theme.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        notebook = make_notebook(path.stem, text)
    else:
        notebook = NOTEBOOK_FORMAT.reads(text)
    exporter: Any = HTMLExporter
    about = {"name": find_title(notebook) or path.stem}
    made = exporter(theme=colors)
    page: str = made.from_notebook_node(notebook, resources={"metadata": about})[0]
    if find_mathjax() is not None:
        root = "../" * len(path.relative_to(LESSONS).parts)
        page = FOREIGN_SCRIPT.sub("", page)
        page = page.replace("</head>", FORMULAS.format(root=root), 1)
    return page.replace("</head>", TEXT_SHEET, 1)


def find_title(notebook: Any) -> str:
    """Return the first line of a notebook without its mark if it is a heading, or an empty text."""
    line = notebook.cells[0].source.partition("\n")[0] if notebook.cells else ""
    return line.removeprefix("# ") if line.startswith("# ") else ""


@cache
def find_mathjax() -> Path | None:
    """Return the folder of MathJax, or None if it is not installed."""
    found = find_spec(MATHJAX)
    return Path(found.origin).parent / "static" / "mathjax" if found and found.origin else None


def make_notebook(title: str, text: str, *code: str) -> Any:
    """Return a notebook with a cell of Markdown and cells of code.

    Parameters
    ----------
    title : str
        The title in its metadata.
    text : str
        The Markdown.
    *code : str
        The source of each cell of code.
    """
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return NOTEBOOK_FORMAT.new_notebook(
        cells=[NOTEBOOK_FORMAT.new_markdown_cell(text), *map(NOTEBOOK_FORMAT.new_code_cell, code)],
        metadata={"title": title, "kernelspec": kernel},
    )


def describe_page(page: Mapping[str, str], root: str) -> str:
    """Return the sentence about a page and the number of its lesson, as a link if the lesson exists.

    Parameters
    ----------
    page : mapping
        The row of the page.
    root : str
        The beginning of the link, which leads to the first page.
    """
    words, file = f"Lesson {page['lesson'].partition('_')[0]}", f"{page['lesson']}.ipynb"
    if (LESSONS / file).is_file():
        words = f'<a href="{root}lesson/{file}">{words}</a>'
    return f"{page['sentence']} {words}."


def write_card(page: Mapping[str, str]) -> str:
    """Return the card of a page on the first page as HTML: its picture, its title and its description."""
    name = page["page"]
    image = f'<img src="picture/{name}" alt="" loading="lazy">' * (find_picture(name) is not None)
    link = f'<a href="voila/render/{name}.ipynb">{page["title"]}</a>'
    return f"<li>{image}<b>{link}</b><br>{describe_page(page, '')}</li>"


@cache
def find_picture(page: str) -> tuple[str, bytes] | None:
    """Return the MIME type and the bytes of the picture of a page in its lesson, or None if there is none."""
    lesson, _, call = PAGES[page]["pictured"].partition(" ")
    path = LESSONS / f"{lesson}.ipynb"
    if not path.is_file():
        return None
    for cell in NOTEBOOK_FORMAT.reads(path.read_text(encoding="utf-8")).cells:
        if f"workbench.{call}(" in cell.source:
            for output in cell.get("outputs", ()):
                data = output.get("data", {})
                if PNG in data:
                    return PNG, base64.b64decode(data[PNG])
                if SVG in data:
                    return SVG, data[SVG].encode()
    return None


def write_first_page() -> str:
    """Return the first page as HTML."""
    lines = []
    for shelf, pages in groupby(PAGES.values(), key=itemgetter("shelf")):
        lines += [f"<h2>{shelf}</h2>", "<ul>", *map(write_card, pages), "</ul>"]
    kept = GUESSES_NOTE if os.environ.get(CLASS_VARIABLE) else ""
    shelves = "\n".join(lines)
    return FIRST_PAGE.format(
        measure=LINE_WIDTH, shelves=shelves, kept=kept, note_colors=COLOR_SCRIPT
    )


def write_pages(folder: Path) -> None:
    """Write a notebook for each page into a folder, which Voila serves."""
    for name, page in PAGES.items():
        code = PAGE_CODE.format(name=name).strip()
        notebook = make_notebook(
            page["title"],
            f"# {page['title']}\n\n[All pages](../../) · {describe_page(page, '../../')}",
            code,
        )
        (folder / f"{name}.ipynb").write_text(NOTEBOOK_FORMAT.writes(notebook), encoding="utf-8")


def read_guesses_option(options: Sequence[str]) -> list[str]:
    """Prepare the folder of the option --guesses, in which the guesses of all visits are kept.

    The folder is made if it does not exist, and its absolute path becomes the environment variable that kernels read.

    Returns
    -------
    list of str
        The other options, which are those for Voila.

    Raises
    ------
    SystemExit
        If the folder cannot be made or written to.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument(GUESSES_OPTION, type=Path)
    given, rest = parser.parse_known_args(options)
    if given.guesses is not None:
        folder = given.guesses.absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SystemExit(
                f"dash: {folder} cannot be made ({error.strerror}). Give {GUESSES_OPTION} a folder"
                " that can be written to."
            ) from error
        if not os.access(folder, os.W_OK):
            raise SystemExit(
                f"dash: {folder} cannot be written to. Give {GUESSES_OPTION} another folder."
            )
        os.environ[CLASS_VARIABLE] = str(folder)
    return rest


def make_own_folder(kind: str) -> "tempfile.TemporaryDirectory[str]":
    """Return a temporary folder. It is removed at the end, even if a kernel still writes into it."""
    prefix = f"pokerlab-{kind}-"
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def main(options: Sequence[str]) -> None:
    """Serve the pages until Ctrl-C."""
    options = read_guesses_option(options)
    if os.environ.get(CLASS_VARIABLE):
        print(f"dash: guesses go to {os.environ[CLASS_VARIABLE]}, without names")
    if HAS_FORKS:
        prepare_forks()
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    with make_own_folder("dash") as pages, make_own_folder("sockets") as sockets:
        write_pages(Path(pages))
        config = Config(SETTINGS)
        config.MappingKernelManager.untracked_message_types.append("comm_msg")  # of a run alone
        use_socket_files(config, sockets)
        Dash.launch_instance([pages, *options], config=config)
    if HAS_FORKS:
        shutil.rmtree(get_temp_dir(), ignore_errors=True)  # where forks are asked for
    os._exit(0)  # a kernel that is just being made would be waited for
