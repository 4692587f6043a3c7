"""Kernels as forks of one process that has imported everything and opened each page once.

A fork starts in a moment, needs nothing that has been compiled or computed before, and shares its memory
until it writes to it: thirty visitors need a tenth of what thirty kernels need that start from nothing.
"""

import asyncio
import os
import signal
from importlib.metadata import EntryPoint
from multiprocessing import forkserver, parent_process, set_forkserver_preload
from multiprocessing.context import ForkServerProcess
from threading import Thread
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets.config import Config

PRELOADED = [__name__, "pokerlab.workbench.dash.opened", "ipykernel.debugger"]
"""What the process imports before it is asked for a fork."""
NAME = "pokerlab-fork"
SETTINGS = Config({"HistoryManager": {"enabled": False}})


def prepare() -> None:
    """Begin to open the pages, and let kernels be made as forks from now on."""
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
    forkserver.ensure_running()
    signal.signal(signal.SIGINT, before)


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
        Thread(target=end_with, args=(parent_process(),), daemon=True).start()
        os.environ.update(self.environment)
        app: Any = IPKernelApp
        app.launch_instance(
            ["-f", self.connection_file], parent_handle=os.getppid(), config=SETTINGS
        )

    def poll(self) -> int | None:
        """Return how it ended, or None."""
        return self.exitcode

    def wait(self) -> int | None:
        """Wait for its end."""
        self.join()
        return self.exitcode

    def send_signal(self, signum: int) -> None:
        """Send it a signal."""
        if self.pid is not None:
            os.kill(self.pid, signum)


class ForkedKernel(LocalProvisioner):
    """Makes and ends such kernels for Jupyter."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Make a kernel; the first has to wait until the pages have been opened."""
        manager: Any = self.parent
        environment = {str(name): str(value) for name, value in kwargs["env"].items()}
        self.process: Any = Fork(manager.connection_file, environment)
        await asyncio.to_thread(self.process.start)
        self.pid = self.pgid = self.process.pid
        return self.connection_info
