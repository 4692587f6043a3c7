"""Serve the pages without code: `make dash` runs `python -m tools.dash`.

It is `python -m pokerlab.workbench.dash`, which imports for some seconds before it can be stopped in order.
"""

import os
import runpy
import signal


def stop_process(*_: object) -> None:
    """Print that the command stops, and end the process at once: nothing has been started yet."""
    print("\ndash: stopping", flush=True)
    os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, stop_process)
    runpy.run_module("pokerlab.workbench.dash", run_name="__main__", alter_sys=True)
