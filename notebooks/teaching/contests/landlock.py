"""Landlock: the Linux kernel refuses a process all files but those in a list, and TCP, and signals to others.

The rules hold for this process and for all that it starts, for root as well, and cannot be taken back. The calls and
numbers are those of the kernel's documentation, https://docs.kernel.org/userspace-api/landlock.html. Landlock does not
govern questions about a path (`stat`: whether it exists, its size and times), so these remain possible everywhere.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls, the same on every processor."""
ASK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_DIR, MAKE_FILE, REFER, TRUNCATE = 1 << 7, 1 << 8, 1 << 13, 1 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""From which version of the interface on how many rights of files exist."""
TCP, SIGNALS_AND_SOCKETS = 0b11, 0b11
"""Bind and connect, from version 4 on; abstract sockets and signals, from version 6 on."""
READ = READ_FILE | READ_DIR
CHANGE = WRITE_FILE | TRUNCATE | MAKE_FILE | MAKE_DIR | REMOVE_FILE | REMOVE_DIR | REFER
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
"""The rights that a rule for a single file may name."""


def restrict_files(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Refuse this process all files but these, and return the version of the interface, or 0 if there is none.

    Parameters
    ----------
    readable, writable : iterable of str
        Files, and folders with all that lies in them. Those that do not exist are left out. What is writable is
        readable, too. Nothing may be executed. The process must have set `PR_SET_NO_NEW_PRIVS`.
    """
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    if version < 1:
        return 0
    known = (1 << max(number for since, number in RIGHTS.items() if since <= version)) - 1
    governed = struct.pack(
        "=QQQ", known, TCP if version >= 4 else 0, SIGNALS_AND_SOCKETS if version >= 6 else 0
    )
    rules = call(CREATE_RULESET, governed, ctypes.c_size_t(len(governed)), 0)
    if rules < 0:
        return 0
    try:
        for allowed, paths in ((READ, readable), (READ | CHANGE, writable)):
            for path in paths:
                if not allow(call, rules, path, allowed & known):
                    return 0
        return version if call(RESTRICT_SELF, rules, 0) == 0 else 0
    finally:
        os.close(rules)


def allow(call: "ctypes._NamedFuncPointer", rules: int, path: str, rights: int) -> bool:
    """Add a rule for a file or folder, if it exists, and return whether the kernel has accepted it."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined, unused-ignore]
    except OSError:
        return True
    try:
        rights &= rights if stat.S_ISDIR(os.fstat(place).st_mode) else OF_FILES
        rule = struct.pack("=Qi", rights, place)
        return bool(call(ADD_RULE, rules, PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(place)
