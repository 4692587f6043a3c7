"""Kernels that are reached over socket files, whose random names no other program takes.

By itself Jupyter chooses five free TCP ports for a kernel, which binds them only once it has started. Until then
another program can take one of them, and the kernel dies.
"""

import os
import secrets
import sys
from pathlib import Path

from jupyter_client.connect import ConnectionFileMixin
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from traitlets import Unicode, default
from traitlets.config import Config

LONGEST = 103
"""Of the path of a socket file, in bytes: macOS allows so many, and Linux a few more."""
NAME_BYTES = 8
"""Of the random name of a kernel, which is written with twice as many letters."""


class SocketFiles(ConnectionFileMixin):
    """A kernel's manager whose socket files lie in a folder, with names of their own."""

    socket_folder = Unicode(config=True, help="the folder of the socket files; without it, TCP")

    @default("transport")
    def _choose_transport(self) -> str:
        return "ipc" if can_hold_sockets(self.socket_folder) else "tcp"

    def _ip_default(self) -> str:
        """Return where the names of the five files begin, or the address of this computer if TCP has been chosen."""
        if self.transport != "ipc":
            return super()._ip_default()
        return str(Path(self.socket_folder, secrets.token_hex(NAME_BYTES)))


class ServedKernel(SocketFiles, ServerKernelManager):
    """A kernel of Voila or JupyterLab."""


def can_hold_sockets(folder: str) -> bool:
    """Return whether the system has socket files, and their paths in a folder are short enough."""
    longest = len(os.fsencode(folder)) + len("/") + 2 * NAME_BYTES + len("-99")
    return sys.platform != "win32" and folder != "" and longest <= LONGEST


def use_socket_files(config: Config, folder: str) -> None:
    """Let a server reach its kernels over socket files in a folder of its own, where it can hold them."""
    config.MappingKernelManager.kernel_manager_class = f"{__name__}.{ServedKernel.__name__}"
    config.SocketFiles.socket_folder = folder
