"""Voila with a first page that says what each page is, and with the lessons as pages to read.

On Linux, kernels are forks of one process that has imported everything and opened each page once. A fork starts in a
moment, needs nothing that has been compiled or computed before, and shares its memory until it writes to it: thirty
visitors need a tenth of what thirty kernels need that start from nothing.
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
"""What the process imports before it is asked for a fork."""
NAME = "pokerlab-fork"
KERNEL_SETTINGS = Config(
    {"HistoryManager": {"enabled": False}, "IPKernelApp": {"log_level": "CRITICAL"}}
)
"""Of the kernels of visits; the server interrupts each before it ends it, which a busy one would log as an error."""


PATIENCE = 600
"""Seconds for which a page waits on a busy computer. A kernel that has died is noticed at once."""
NICENESS = 10
"""Of the kernels: if benches take all cores, the server still passes on what kernels and pages say."""


def prepare() -> None:
    """Let kernels be made as forks from now on; return when the process whose forks they are has opened the pages.

    The first visitor would wait for it otherwise.
    """
    where = EntryPoint(NAME, f"{__name__}:{ForkedKernel.__name__}", "")
    factory = KernelProvisionerFactory.instance()
    factory.provisioners[NAME] = where
    factory.default_provisioner_name = NAME
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


def end_with(server: Any) -> None:
    """End this process at the latest when the server ends."""
    server.join()
    os._exit(0)


class Fork(ForkServerProcess):
    """A kernel's process, with what Jupyter asks of one."""

    stdin = stdout = stderr = None

    def __init__(self, connection_file: str, environment: dict[str, str]) -> None:
        super().__init__()
        self.connection_file, self.environment = connection_file, environment

    def run(self) -> None:
        """Serve as a kernel, in a group of its own, until it is shut down or the server is gone."""
        os.setsid()
        os.nice(NICENESS)
        Thread(target=end_with, args=(parent_process(),), daemon=True).start()
        os.environ.update(self.environment)
        app: Any = IPKernelApp
        app.launch_instance(
            ["-f", self.connection_file], parent_handle=os.getppid(), config=KERNEL_SETTINGS
        )

    def poll(self) -> int | None:
        """Return how it ended, or None."""
        return self.exitcode

    def wait(self) -> int | None:
        """Wait for its end."""
        self.join()
        return self.exitcode

    def send_signal(self, signum: int) -> None:
        """Send it a signal, unless it has ended by itself."""
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signum)


class ForkedKernel(LocalProvisioner):
    """Makes and ends such kernels for Jupyter."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Make a kernel."""
        manager: Any = self.parent
        environment = {str(name): str(value) for name, value in kwargs["env"].items()}
        self.process: Any = Fork(manager.connection_file, environment)
        await asyncio.to_thread(self.process.start)
        self.pid = self.pgid = self.process.pid
        return self.connection_info


FORKS = sys.platform == "linux"  # whether kernels are forks; elsewhere each starts from nothing
PROTOCOL = "v1.kernel.websocket.jupyter.org"  # of messages to a page, agreed with its browser
GOING_AWAY = 1001  # what a browser says to a websocket when the page is left or closed
V4: Any = v4
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
        "startup_timeout": PATIENCE,
        "iopub_timeout": PATIENCE,
        "raise_on_iopub_timeout": True,
    },
    # The kernels of browsers that vanished without a word; one that a page is connected to stays.
    "MappingKernelManager": {"cull_idle_timeout": 600, "cull_interval": 60},
}
CODE = """
import os
from pokerlab.workbench.dash.pages import open_page
from pokerlab.workbench.live.screen import Screen
Screen.is_page_saved = False
opened = open_page({name!r}, os.environ.get("QUERY_STRING", ""))
"""
COLORS = "colors"
"""The cookie that holds a browser's preference, dark or light."""
NOTE_COLORS = (
    "<script>"
    'const dark = matchMedia("(prefers-color-scheme: dark)").matches;'
    f'const isNoted = () => document.cookie.includes("{COLORS}=dark");'
    "const noted = isNoted();"
    f'document.cookie = `{COLORS}=${{dark ? "dark" : "light"}}; path=/; max-age=31536000; samesite=lax`;'
    "if (dark !== noted && dark === isNoted()) location.reload();"
    "</script>"
)
"""Part of a page's head: notes which colors the browser prefers. A page that was sent in the others is loaded again,
unless the browser keeps no cookies: it would be loaded for ever."""
TEXT_SHEET = (
    f"{NOTE_COLORS}<style>.jp-RenderedMarkdown :is(p, ul, ol, dl, blockquote) {{ max-width: {LINE_WIDTH}; }}"
    " .pokerlab-still { display: none; }</style></head>"
)
"""The end of a page's head: colors as the browser has them, lines that can be read, and no word on cells to run."""
FROM_ELSEWHERE = re.compile(r"<link [^>]*href=\"https?://[^>]*>")
SCRIPT_FROM_ELSEWHERE = re.compile(r"<script src=\"https?://[^>]*>\s*</script>")
MATHJAX = "sphinx-mathjax-offline"
"""The package that brings the program for formulas; `make setup` installs it."""
FORMULAS = (
    "<script>MathJax = {{tex: {{inlineMath: [['$', '$']], processEscapes: true}}}};</script>"
    '<script defer src="{root}mathjax/tex-chtml.js"></script></head>'
)
KERNEL = re.compile(r'"kernelId": *"([\w-]+)"')  # in a page, the name of its kernel
INDEX = """<!DOCTYPE html>
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


KEPT = " Guesses alone are kept for the teacher, without your name."
GUESSES_OPTION = "--guesses"


class Dash(Voila):  # type: ignore[misc]
    """Voila with pages of our own."""

    def init_handlers(self) -> list[Any]:
        """Return Voila's handlers after our own; have the address printed, and Ctrl-C heard."""
        loop = IOLoop.current()
        loop.add_callback(self.announce)

        def interrupted(*_: object) -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            loop.add_callback_from_signal(loop.stop)

        signal.signal(signal.SIGINT, interrupted)
        ours = {
            "": FirstPage,
            r"/picture/(\w+)": PagePicture,
            r"/lesson/((?:\w+/)*\w+\.(?:ipynb|md))": Lesson,
            "/voila/api/shutdown/(.*)": EndOfVisit,
            "/api/kernels/([^/]+)/channels": Visit,
        }
        first: list[Any] = [
            (url_path_join(self.server_url, end), handler) for end, handler in ours.items()
        ]
        for end, folder in {
            r"/figures/(\w+\.png)": FIGURES,
            "/mathjax/(.*)": find_mathjax(),
        }.items():
            if folder is not None:
                files = {"path": str(folder.absolute())}
                first.append((url_path_join(self.server_url, end), StaticFileHandler, files))
        voilas = (list(each) for each in super().init_handlers())
        rest = [
            (url, Page if handler is TornadoVoilaHandler else handler, *given)
            for url, handler, *given in voilas
        ]
        return [*first, *rest]

    def announce(self) -> None:
        """Print the address of the first page."""
        print("dash: the pages are served; Ctrl-C stops. If no browser opens, open this address:")
        print(self.display_url, flush=True)

    def stop(self) -> None:
        """Say so and end the kernels, whatever they do."""
        print("\ndash: stopping", flush=True)
        for fork in active_children():
            fork.kill()
        shutil.rmtree(self.connection_dir, ignore_errors=True)
        if not FORKS:
            run_sync(self.kernel_manager.shutdown_all)(now=True)


class Page(TornadoVoilaHandler):  # type: ignore[misc]
    """A page with a table, an explorer or a bench, which asks no other host for anything."""

    kernel_id = ""
    is_left = False

    def prepare(self) -> Any:
        """Take the colors that the browser has noted, unless the address names some."""
        if self.get_cookie(COLORS) == "dark":
            self.request.arguments.setdefault("theme", [b"dark"])
        return super().prepare()

    async def get(self, path: str | None = None) -> None:
        """Answer with the page; end its kernel if the visitor leaves before all of it has been sent."""
        await super().get(path)
        if self.is_left and self.kernel_id in self.kernel_manager:
            await self.kernel_manager.shutdown_kernel(self.kernel_id, now=True)

    def on_connection_close(self) -> None:
        """Note that the visitor has left, or loads the page again."""
        super().on_connection_close()
        self.is_left = True

    def write(self, chunk: Any) -> None:
        """Send a part of the page, without the style sheets that Voila's template has from elsewhere, but with ours."""
        if isinstance(chunk, str):
            chunk = FROM_ELSEWHERE.sub("", chunk).replace("</head>", TEXT_SHEET, 1)
            kernel = KERNEL.search(chunk)
            self.kernel_id = kernel[1] if kernel else self.kernel_id
        super().write(chunk)


class EndOfVisit(VoilaShutdownKernelHandler):  # type: ignore[misc]
    """Ends the kernel of a page that is left, which names the kernel and can send no token."""

    def check_xsrf_cookie(self) -> None:
        """Ask for nothing else: who does not know the name, which is random, can end no kernel."""


class Visit(VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """The connection of a page to its kernel."""

    def write_message(self, message: Any, binary: bool = False) -> None:
        """Send a message to the page, or drop it: a page that has just been left has no use for it.

        Voila reads each message in bytes by the newer of two protocols. In one by the older, it would count to a number
        beyond all bounds and never return. Without a connection jupyter_server writes by the older one.
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
        """End the kernel if the page has been closed; not if the connection is lost, which comes back."""
        super().on_close()
        if self.close_code == GOING_AWAY and self.kernel_id in self.kernel_manager:
            IOLoop.current().add_callback(self.kernel_manager.shutdown_kernel, self.kernel_id)


class FirstPage(RequestHandler):
    """The list of the pages."""

    async def get(self) -> None:
        """Answer with the page."""
        self.write(await asyncio.to_thread(write_first_page))


class PagePicture(RequestHandler):
    """The picture of a page, for the first page."""

    def get(self, page: str) -> None:
        """Answer with the picture."""
        found = find_picture(page) if page in PAGES else None
        if found is None:
            raise HTTPError(404)
        kind, content = found
        self.set_header("Content-Type", kind)
        self.write(content)


class Lesson(RequestHandler):
    """A lesson, or what it links to, with the results that it was committed with."""

    async def get(self, name: str) -> None:
        """Answer with the page."""
        if not (LESSONS / name).is_file():
            raise HTTPError(404)
        colors = "dark" if self.get_cookie(COLORS) == "dark" else "light"
        self.write(await asyncio.to_thread(convert_to_html, LESSONS / name, colors))


@cache
def convert_to_html(path: Path, colors: str) -> str:
    """Return a notebook or a text as a page, light or dark.

    Where MathJax is installed, the page asks no other host for anything.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        notebook = make_notebook(path.stem, text)
    else:
        notebook = V4.reads(text)
    exporter: Any = HTMLExporter
    about = {"name": find_title(notebook) or path.stem}
    made = exporter(theme=colors)
    page: str = made.from_notebook_node(notebook, resources={"metadata": about})[0]
    if find_mathjax() is not None:
        root = "../" * len(path.relative_to(LESSONS).parts)
        page = SCRIPT_FROM_ELSEWHERE.sub("", page)
        page = page.replace("</head>", FORMULAS.format(root=root), 1)
    return page.replace("</head>", TEXT_SHEET, 1)


def find_title(notebook: Any) -> str:
    """Return the words of a notebook's first line, if it is a heading."""
    line = notebook.cells[0].source.partition("\n")[0] if notebook.cells else ""
    return line.removeprefix("# ") if line.startswith("# ") else ""


@cache
def find_mathjax() -> Path | None:
    """Return the folder of MathJax, or None if it is not installed."""
    found = find_spec(MATHJAX)
    return Path(found.origin).parent / "static" / "mathjax" if found and found.origin else None


def make_notebook(title: str, text: str, *code: str) -> Any:
    """Return a notebook with a text and code."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return V4.new_notebook(
        cells=[V4.new_markdown_cell(text), *map(V4.new_code_cell, code)],
        metadata={"title": title, "kernelspec": kernel},
    )


def describe_page(page: Mapping[str, str], root: str) -> str:
    """Return what a page is, and its lesson, with a link where there are lessons."""
    words, file = f"Lesson {page['lesson'].partition('_')[0]}", f"{page['lesson']}.ipynb"
    if (LESSONS / file).is_file():
        words = f'<a href="{root}lesson/{file}">{words}</a>'
    return f"{page['sentence']} {words}."


def write_card(page: Mapping[str, str]) -> str:
    """Return what the first page shows of a page: its picture, its name, and what it is."""
    name = page["page"]
    image = f'<img src="picture/{name}" alt="" loading="lazy">' * (find_picture(name) is not None)
    link = f'<a href="voila/render/{name}.ipynb">{page["title"]}</a>'
    return f"<li>{image}<b>{link}</b><br>{describe_page(page, '')}</li>"


@cache
def find_picture(page: str) -> tuple[str, bytes] | None:
    """Return the kind and the bytes of a page's picture, as a lesson shows it; None if there are no lessons."""
    lesson, _, call = PAGES[page]["pictured"].partition(" ")
    path = LESSONS / f"{lesson}.ipynb"
    if not path.is_file():
        return None
    for cell in V4.reads(path.read_text(encoding="utf-8")).cells:
        if f"workbench.{call}(" in cell.source:
            for output in cell.get("outputs", ()):
                data = output.get("data", {})
                if PNG in data:
                    return PNG, base64.b64decode(data[PNG])
                if SVG in data:
                    return SVG, data[SVG].encode()
    return None


def write_first_page() -> str:
    """Return the first page."""
    lines = []
    for shelf, pages in groupby(PAGES.values(), key=itemgetter("shelf")):
        lines += [f"<h2>{shelf}</h2>", "<ul>", *map(write_card, pages), "</ul>"]
    kept = KEPT if os.environ.get(CLASS_VARIABLE) else ""
    shelves = "\n".join(lines)
    return INDEX.format(measure=LINE_WIDTH, shelves=shelves, kept=kept, note_colors=NOTE_COLORS)


def write_pages(folder: Path) -> None:
    """Write a notebook for each page."""
    for name, page in PAGES.items():
        code = CODE.format(name=name).strip()
        notebook = make_notebook(
            page["title"],
            f"# {page['title']}\n\n[All pages](../../) · {describe_page(page, '../../')}",
            code,
        )
        (folder / f"{name}.ipynb").write_text(V4.writes(notebook), encoding="utf-8")


def take_guesses_folder(options: Sequence[str]) -> list[str]:
    """Let the guesses of all visits be kept in the folder that --guesses names; return the options for Voila.

    The folder is made if it does not exist, and its absolute path becomes the environment variable that kernels read.
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


def own_folder(kind: str) -> "tempfile.TemporaryDirectory[str]":
    """Return a temporary folder, which is removed at the end though a kernel that is just ending writes into it."""
    prefix = f"pokerlab-{kind}-"
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def main(options: Sequence[str]) -> None:
    """Serve the pages until Ctrl-C."""
    options = take_guesses_folder(options)
    if os.environ.get(CLASS_VARIABLE):
        print(f"dash: guesses go to {os.environ[CLASS_VARIABLE]}, without names")
    if FORKS:
        prepare()
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    with own_folder("dash") as pages, own_folder("sockets") as sockets:
        write_pages(Path(pages))
        config = Config(SETTINGS)
        config.MappingKernelManager.untracked_message_types.append("comm_msg")  # of a run alone
        use_socket_files(config, sockets)
        Dash.launch_instance([pages, *options], config=config)
    if FORKS:
        shutil.rmtree(get_temp_dir(), ignore_errors=True)  # where forks are asked for
    os._exit(0)  # a kernel that is just being made would be waited for
