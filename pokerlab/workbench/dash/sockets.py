"""Kernels that communicate over socket files with random names, which no other program can take.

By default Jupyter chooses five free TCP ports for a kernel, which binds them only after it has started. Until then
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

MOST_PATH_BYTES = 103
"""The most bytes of the path of a socket file on macOS. Linux allows a few more."""
NAME_BYTES = 8
"""The bytes of the random name of a kernel, each of which is written with two letters."""


class SocketFiles(ConnectionFileMixin):
    """A kernel's manager whose socket files lie in a folder, with names of their own."""

    socket_folder = Unicode(config=True, help="the folder of the socket files; without it, TCP")

    @default("transport")
    def _choose_transport(self) -> str:
        return "ipc" if can_hold_sockets(self.socket_folder) else "tcp"

    def _ip_default(self) -> str:
        """Return the common beginning of the paths of the five socket files, or an IP address if TCP is used."""
        if self.transport != "ipc":
            return super()._ip_default()
        return str(Path(self.socket_folder, secrets.token_hex(NAME_BYTES)))


class ServedKernel(SocketFiles, ServerKernelManager):
    """A kernel of Voila or JupyterLab."""


def can_hold_sockets(folder: str) -> bool:
    """Return whether the system has socket files and their paths in a folder would be short enough."""
    longest = len(os.fsencode(folder)) + len("/") + 2 * NAME_BYTES + len("-99")
    return sys.platform != "win32" and folder != "" and longest <= MOST_PATH_BYTES


def use_socket_files(config: Config, folder: str) -> None:
    """Change the configuration of a server so that its kernels use socket files in a folder, if that is possible."""
    config.MappingKernelManager.kernel_manager_class = f"{__name__}.{ServedKernel.__name__}"
    config.SocketFiles.socket_folder = folder
