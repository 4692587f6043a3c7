"""A JupyterLab of its own: free port, own settings, its kernels without the user's configuration."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pokerlab.workbench.dash.sockets import ServedKernel
from tests.hangs import HANG_SECONDS

DASH_LOG = "dash.log"
TEMPORARY = "temporary"
"""Where `make dash` keeps what it removes at its end, in the folder that a test gives it."""
SETTINGS = {
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings": (
        '{"fetchNews": "false", "checkForUpdates": false}'
    ),
    # Every cell stays on the page, wherever it has been scrolled to.
    "@jupyterlab/notebook-extension/tracker.jupyterlab-settings": '{"windowingMode": "none"}',
}


@contextmanager
def running_lab(folder: Path, private: Path) -> Iterator[str]:
    """Serve `folder`, keep everything else in `private`; yield the address of JupyterLab."""
    port, token = free_port(), secrets.token_hex(16)
    home = {
        "JUPYTER_CONFIG_DIR": private / "config",
        "JUPYTER_DATA_DIR": private / "data",
        "JUPYTER_RUNTIME_DIR": private / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": private / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": private / "workspaces",
        "IPYTHONDIR": private / "ipython",
    }
    for path in home.values():
        path.mkdir(parents=True)
    for name, text in SETTINGS.items():
        path = home["JUPYTERLAB_SETTINGS_DIR"] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sockets = private / "sockets"
    sockets.mkdir()
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.root_dir={folder}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--ServerApp.ip=127.0.0.1",
        f"--IdentityProvider.token={token}",
        "--LabApp.expose_app_in_browser=True",
        f"--MappingKernelManager.kernel_manager_class={ServedKernel.__module__}.{ServedKernel.__name__}",
        f"--SocketFiles.socket_folder={sockets}",
    ]
    with (private / "server.log").open("w", encoding="utf-8") as log:
        how: Any = {"stdout": log, "stderr": subprocess.STDOUT, "start_new_session": True}
        env = os.environ | {name: str(path) for name, path in home.items()}
        server = subprocess.Popen(command, env=env, **how)
        try:
            wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, private / "server.log")
            yield f"http://127.0.0.1:{port}/lab?token={token}"
        finally:
            stop(server)


@contextmanager
def running_dash(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start `make dash` in a folder, which gets its log and its temporary files; yield the address and the process."""
    root, port = Path(__file__).resolve().parents[2], free_port()
    command = [sys.executable, "-m", "tools.dash", "--no-browser", f"--port={port}", *options]
    # Jobs in a shell's background ignore Ctrl-C, and so would what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with (folder / DASH_LOG).open("w", encoding="utf-8") as written:
        how: Any = {"stdout": written, "stderr": subprocess.STDOUT, "start_new_session": True}
        (folder / TEMPORARY).mkdir()
        env = os.environ | {"PYTHONPATH": str(root), "TMPDIR": str(folder / TEMPORARY)}
        server = subprocess.Popen(command, cwd=folder, env=env, **how)
        try:
            yield f"http://127.0.0.1:{port}/", server
        finally:
            stop(server)


def free_port() -> int:
    """Return a port that nobody uses now, and that no system gives to a program which asks for any port.

    A server binds it seconds later. Linux gives ports from 32768 up, macOS and Windows from 49152 up.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until `server` answers at `address`."""
    until = time.monotonic() + HANG_SECONDS
    while time.monotonic() < until:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-4000:]}")


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server and its kernels."""
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGTERM)
    try:
        server.wait(HANG_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(HANG_SECONDS)
