"""Kernels that tests start, over sockets that are files.

Jupyter chooses five free TCP ports for a kernel, which binds them only once it has started. Until then another program
can take one of them, and the kernel dies with "Address already in use". `make test` starts several kernels at once, so
this happens. A socket file has a random name, which no other kernel takes.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

import nbval.kernel
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.hangs import HANG_SECONDS


class SocketFileKernelManager(KernelManager):
    """Starts one kernel, whose socket files lie beside its connection file in the folder for temporary files."""

    def __init__(self, **settings: Any) -> None:
        descriptor, connection_file = tempfile.mkstemp(".json", "kernel-")
        os.close(descriptor)
        sockets = str(Path(connection_file).with_suffix(".socket"))
        super().__init__(transport="ipc", ip=sockets, connection_file=connection_file, **settings)


def start_kernel(**settings: Any) -> tuple[KernelManager, BlockingKernelClient]:
    """Start a kernel and wait until it answers; return its manager and its client."""
    manager = SocketFileKernelManager()
    manager.start_kernel(**settings)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=HANG_SECONDS)
    return manager, client


def let_nbval_use_socket_files() -> None:
    """Let nbval start the kernels of notebooks over socket files."""
    nbval.kernel.KernelManager = SocketFileKernelManager
