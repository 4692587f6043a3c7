"""What the operating system allows the process of a submission.

The process confines itself before the submission's text runs, and nothing here can be taken back:

1. It gives up the powers of root, if it has them, except to read files.
2. Hard limits: memory, processor time, the size and number of files that it opens, processes of the user.
3. Other processes of the same user can neither read its memory nor open its pipes.
4. Landlock (Linux 5.13 and later) refuses files outside a list; later versions TCP and signals, too.
5. It ends with the thread that started it, in whatever way that ends.
6. A seccomp filter refuses other programs, signals, sockets, memory and limits of others.

Linux has all of this on x86-64 and 64-bit ARM, unless a kernel or a container leaves out Landlock or seccomp. macOS
has only limits of processor time, files, and processes. `confine` returns what holds.
"""

import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Sequence
from math import ceil

from contests import landlock, seccomp

MOST_WRITTEN, MOST_OPEN, MOST_PROCESSES = 2**24, 128, 4096
"""Bytes of a file; files that are open at once; processes and threads of the user (root's are not counted)."""
STARTING = 1
"""Seconds of processor time to start with."""
SIGNAL_OF_PARENTS_END, DUMPABLE, NO_NEW_PRIVILEGES = 1, 4, 38
"""Options of `prctl`."""
CAPABILITY_VERSION, READ_EVERY_FILE = 0x20080522, 1 << 2
"""Of the interface; a capability of root."""


def confine(
    *,
    parent: int,
    bytes_of_memory: int,
    seconds: float,
    readable: Sequence[str],
    writable: Sequence[str],
) -> str:
    """Confine this process forever, and return by what, and by what not.

    Parameters
    ----------
    parent : int
        The process that started this one; if it is no more, this one ends.
    bytes_of_memory, seconds : int, float
        Most memory; most processor time, beside what it takes to start.
    readable, writable : sequence of str
        The only files, and folders with all that lies in them, that it may read, and change.
    """
    unlimited = limit_resources(bytes_of_memory, ceil(seconds) + STARTING)
    version, filtered, options = 0, False, False
    if sys.platform == "linux":
        give_up_powers()
        options = set_option(DUMPABLE, 0) and set_option(NO_NEW_PRIVILEGES, 1)
        version = landlock.restrict_files(readable, writable)
        options = set_option(SIGNAL_OF_PARENTS_END, signal.SIGKILL) and options
        if os.getppid() != parent:
            os._exit(1)
        filtered = seccomp.refuse_calls()
    held = ["limits"] + [f"Landlock {version}"] * bool(version) + ["seccomp"] * filtered
    missing = [f"limit of {name}" for name in unlimited]
    missing += [
        name
        for name, holds in (
            ("process options", options),
            ("Landlock", version),
            ("seccomp", filtered),
        )
        if not holds
    ]
    return ", ".join(held) + "".join(f", no {name}" for name in missing)


def set_option(option: int, value: int) -> bool:
    """Set an option of this process, and return whether the kernel has accepted it."""
    given = map(ctypes.c_ulong, (value, 0, 0, 0))
    return bool(ctypes.CDLL(None).prctl(option, *given) == 0)


def give_up_powers() -> None:
    """Drop the capabilities of root for this process, except that of reading any file."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    held = ctypes.create_string_buffer(24)
    if libc.capget(header, held) == 0:
        permitted = struct.unpack("=6I", held.raw)[1] & READ_EVERY_FILE
        libc.capset(header, struct.pack("=6I", permitted, permitted, 0, 0, 0, 0))


def limit_resources(memory: int, seconds: int) -> list[str]:
    """Set limits that cannot be raised again, in bytes and seconds, and return those that the system does not have."""
    wanted = {
        "memory": (resource.RLIMIT_AS, memory, memory),
        "processor time": (resource.RLIMIT_CPU, seconds, seconds + 1),
        "file size": (resource.RLIMIT_FSIZE, MOST_WRITTEN, MOST_WRITTEN),
        "open files": (resource.RLIMIT_NOFILE, MOST_OPEN, MOST_OPEN),
        "processes": (resource.RLIMIT_NPROC, MOST_PROCESSES, MOST_PROCESSES),
        "dumps": (resource.RLIMIT_CORE, 0, 0),
    }
    missing = []
    for name, (kind, soft, hard) in wanted.items():
        present = resource.getrlimit(kind)[1]
        if present != resource.RLIM_INFINITY:
            soft, hard = min(soft, present), min(hard, present)
        try:
            resource.setrlimit(kind, (soft, hard))
        except (OSError, ValueError):
            missing.append(name)
    return missing
