"""Serve each bench as a page without code, with Voila, and print the address to open.

`make dash` runs `python -m pokerlab.workbench.dash`. The first page lists the benches; each visit to a
bench starts a kernel of its own, which ends with the visit. Options go to Voila, for instance
`--no-browser` or `--port=9000`.
"""

import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from jupyter_server.utils import url_path_join
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler
from traitlets.config import Config
from voila.app import Voila
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler

from pokerlab.workbench.benches import DECLARED

SETTINGS = {
    "Application": {"log_level": "ERROR"},
    "Voila": {"ip": "127.0.0.1"},
    # The kernels of browsers that vanished without a word; one that a page is connected to stays.
    "MappingKernelManager": {"cull_idle_timeout": 1800, "cull_interval": 60},
}
TITLES = {f"bench_{number}": each.experiment.title for number, each in enumerate(DECLARED, 1)}
CODE = """
import os
from pokerlab.workbench.benches import DECLARED, bench
os.chdir({folder!r})  # where Save saves
opened = bench(DECLARED[{index}].experiment, first=1)
"""
INDEX = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>pokerlab: benches</title>
<style>body {{ font: 17px/1.7 system-ui, sans-serif; margin: 3em auto; max-width: 40em; padding: 0 1em; }}</style>
</head><body>
<h1>Benches</h1>
<p>Each opens in some seconds, at one iteration. Press Run; move a slider; compare.</p>
<ol>
{items}
</ol>
<p>The notebooks explain what there is to see: <code>make lab</code>.</p>
</body></html>
"""


class Dash(Voila):  # type: ignore[misc]
    """Voila with a first page that lists the benches."""

    def init_handlers(self) -> list[Any]:
        """Return Voila's handlers after our own, and have the address printed."""
        IOLoop.current().add_callback(self.announce)
        end = url_path_join(self.server_url, "/voila/api/shutdown/(.*)")
        return [(self.server_url, FirstPage), (end, EndOfVisit), *super().init_handlers()]

    def announce(self) -> None:
        """Print the address of the first page."""
        print("dash: the benches are served; Ctrl-C stops. If no browser opens, open this address:")
        print(self.display_url, flush=True)

    def stop(self) -> None:
        """Say so and end the kernels."""
        print("\ndash: stopping", flush=True)
        super().stop()


class EndOfVisit(VoilaShutdownKernelHandler):  # type: ignore[misc]
    """Ends the kernel of a page that is left, which names the kernel and can send no token."""

    def check_xsrf_cookie(self) -> None:
        """Ask for nothing else: who does not know the name, which is random, can end no kernel."""


class FirstPage(RequestHandler):
    """The list of the benches."""

    def get(self) -> None:
        """Answer with the page."""
        self.write(index())


def index() -> str:
    """Return the first page."""
    items = [
        f'<li><a href="voila/render/{name}.ipynb">{escape(title)}</a></li>'
        for name, title in TITLES.items()
    ]
    return INDEX.format(items="\n".join(items))


def write_pages(folder: Path) -> None:
    """Write a notebook for each bench."""
    for number, (name, title) in enumerate(TITLES.items()):
        code = CODE.format(index=number, folder=str(Path.cwd())).strip()
        page = nbformat.v4.new_notebook(  # type: ignore[no-untyped-call]
            cells=[
                nbformat.v4.new_markdown_cell("[All benches](../../)"),  # type: ignore[no-untyped-call]
                nbformat.v4.new_code_cell(code),  # type: ignore[no-untyped-call]
            ],
            metadata={
                "title": title,
                "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            },
        )
        nbformat.write(page, folder / f"{name}.ipynb")  # type: ignore[no-untyped-call]


def main(options: Sequence[str]) -> None:
    """Serve the benches until Ctrl-C."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-dash-") as folder:
        write_pages(Path(folder))
        Dash.launch_instance([folder, *options], config=Config(SETTINGS))


if __name__ == "__main__":
    main(sys.argv[1:])
