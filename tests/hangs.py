"""How long tests wait for what must happen: limits that guard against hangs, and measure nothing.

A machine on which other work keeps every core busy takes ten times as long as an idle one, and passes.
"""

import time
from collections.abc import Callable
from typing import Any

HANG_SECONDS = 300.0
"""What has not happened by then never will; less than pytest's own limit for a test, so that its name is reported."""


SLOW_HANG_SECONDS = 14_400.0
"""What a test marked slow may take; on an idle machine the longest takes some ten minutes."""


def wait_until(true: Callable[[], Any], what: str = "") -> None:
    """Wait for a condition; fail, and say for what, when it has not come true after `HANG_SECONDS`."""
    until = time.monotonic() + HANG_SECONDS
    while not true():
        assert time.monotonic() < until, f"waited {HANG_SECONDS:g} s in vain: {what}"
        time.sleep(0.01)
