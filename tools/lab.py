"""Serve the notebooks in JupyterLab and print the address to open, on any machine.

`make lab` runs `python -m tools.lab` in the folder that holds `notebooks/`. Options
go to JupyterLab, for instance `--no-browser`, `--port=9000`, or `--ip=0.0.0.0` in a container.

By itself, JupyterLab refuses to run as root, crashes where it cannot write to the home folder,
buries its address in its log, leaves a notebook two thirds of the window beside a list of files,
covers its end with a question about news, and keeps the kernel of every notebook that was ever opened.
Everything else, opening a browser included, is left to it.
"""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import zmq
from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir
from jupyter_server._tz import utcnow
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.utils import url_path_join
from jupyterlab.labapp import LabApp
from jupyterlab_server.workspaces_handler import WorkspacesManager
from tornado.httputil import url_concat
from traitlets.config import Config

from pokerlab.workbench.dash.page_connection import PageConnection
from pokerlab.workbench.dash.sockets import use_socket_files

FIRST = Path("notebooks", "00_start_here.ipynb")
WORKSPACE = "pokerlab"
WIDE = f"/lab/workspaces/{WORKSPACE}/tree"
"""Where JupyterLab shows a file in the whole width of the window, and opens what is linked in a tab beside it."""
FOLDED = {"collapsed": True, "visible": True}
LAYOUT = {
    "data": {"layout-restorer:data": {"left": FOLDED, "right": FOLDED, "relativeSizes": [0, 1, 0]}},
    "metadata": {"id": WORKSPACE},
}
"""Both side bars folded and no tab but the lesson, as often as the command is started."""
IDLE_MINUTES = 30
NEWS = "@jupyterlab/apputils-extension:announcements"
SETTINGS = {
    "Application": {"log_level": "ERROR"},
    "ServerApp": {
        "allow_root": True,
        "ip": "127.0.0.1",
        "port_retries": 50,
        "kernel_websocket_connection_class": PageConnection,
        "jpserver_extensions": {"notebook_shim": False},  # needless, and warns at each start
    },
    "KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"},
    "MappingKernelManager": {"cull_idle_timeout": 60 * IDLE_MINUTES, "cull_interval": 60},
}
"""Stronger than the user's configuration files, weaker than options on the command line."""


class LessonKernels(AsyncMappingKernelManager):
    """The kernels of the notebooks; one that no page has used for half an hour ends, and a line says so.

    A kernel that computes is not ended, whether a cell or a bench runs in it.
    """

    def notify_disconnect(self, kernel_id: str) -> None:
        """Restart the idle time of a kernel when its page is closed, so that it ends half an hour later."""
        super().notify_disconnect(kernel_id)  # type: ignore[no-untyped-call]
        if kernel_id in self:
            kernel: Any = self.get_kernel(kernel_id)
            kernel.last_activity = utcnow()

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that has been idle for half an hour without a page, and print the name of its notebook."""
        server: Any = self.parent
        sessions = await server.session_manager.list_sessions()
        names = [session["name"] for session in sessions if session["kernel"]["id"] == kernel_id]
        await super().cull_kernel_if_idle(kernel_id)  # type: ignore[no-untyped-call]

        has_ended = kernel_id not in self
        if has_ended:
            notebook = " ".join(names) or "a kernel"
            idle_time = f"{self.cull_idle_timeout / 60:g} minutes"
            print(
                f"lab: {notebook} was not open for {idle_time}; its kernel has ended.", flush=True
            )


def main(options: Sequence[str]) -> int:
    """Serve the notebooks in JupyterLab until Ctrl-C, and return an exit status: 0, or 1 if there are no notebooks.

    `options` are passed to JupyterLab.
    """
    if not FIRST.is_file():
        print(f"lab: no {FIRST} in {Path.cwd()}; start this in the folder of pokerlab.")
        return 1
    temporary = tempfile.TemporaryDirectory(prefix="pokerlab-lab-", ignore_cleanup_errors=True)
    with temporary as folder:
        if move_unwritable_folders(Path(folder)):
            print("lab: the home folder cannot be written; JupyterLab's settings are not kept.")
        config = Config(SETTINGS)
        config.ServerApp.kernel_manager_class = LessonKernels
        use_socket_files(config, folder)
        config.LabApp.workspaces_dir = str(Path(folder, "workspaces"))
        WorkspacesManager(config.LabApp.workspaces_dir).save(WORKSPACE, json.dumps(LAYOUT))

        server = LabApp.initialize_server([str(FIRST), *options], config=config)
        server.file_url_prefix = WIDE
        server.contents_manager.register_pre_save_hook(remove_python_version)
        server.web_app.settings["page_config_hook"] = disable_news
        server.identity_provider.token_generated = False  # Jupyter announces only such tokens
        stop_on_interrupt(server)
        server.io_loop.add_callback(print_address, server)
        server.start()
    return 0


def move_unwritable_folders(parent: Path) -> list[str]:
    """Replace those of Jupyter's, IPython's and Matplotlib's folders that cannot be written by new ones in `parent`.

    Environment variables point to the new folders, and kernels inherit them. The names of these variables are returned.
    """
    home = str(Path.home())
    folders = {
        "JUPYTER_CONFIG_DIR": jupyter_config_dir(),
        "JUPYTER_DATA_DIR": jupyter_data_dir(),
        "JUPYTER_RUNTIME_DIR": jupyter_runtime_dir(),
        "IPYTHONDIR": os.environ.get("IPYTHONDIR", home),
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", home),
    }
    unwritable = [variable for variable, folder in folders.items() if not is_writable(Path(folder))]
    for variable in unwritable:
        new_folder = parent / variable.lower()
        new_folder.mkdir()
        os.environ[variable] = str(new_folder)
    return unwritable


def is_writable(folder: Path) -> bool:
    """Return whether files can be written into a folder, which is made if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def remove_python_version(model: dict[str, Any], **_: object) -> None:
    """Remove Python's version from a file that JupyterLab is about to save, if it is a notebook.

    So a notebook that is opened and saved stays as it was committed.
    """
    if model["type"] == "notebook":
        model["content"]["metadata"].get("language_info", {}).pop("version", None)


def disable_news(_: object, page: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of JupyterLab's page in which the extension that shows news is disabled."""
    return page | {"disabledExtensions": [*page["disabledExtensions"], NEWS]}


def print_address(server: ServerApp) -> None:
    """Print the address of the first notebook with the server's token, and a warning if the user is root."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        print("lab: running as root, so code in a notebook can change anything on this machine.")
        print(f"lab: the server listens on {server.ip or 'all interfaces'}.")
    listens_everywhere = server.ip in ("0.0.0.0", "::")
    base = server.local_url if listens_everywhere else server.connection_url
    path = url_path_join(server.base_url, server.file_url_prefix, FIRST.name)
    token = server.identity_provider.token
    address = url_concat(urljoin(base, path), {"token": token} if token else {})
    print("lab: JupyterLab is running; Ctrl-C stops it. If no browser opens, open this address:")
    print(address, flush=True)


def stop_on_interrupt(server: ServerApp) -> None:
    """Let Ctrl-C shut down the server and its kernels without asking; a second one kills the server."""

    def stop_server(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # of the second Ctrl-C
        print("\nlab: stopping", flush=True)
        server.stop(from_signal=True)

    signal.signal(signal.SIGINT, stop_server)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
