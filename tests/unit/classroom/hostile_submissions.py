"""Submissions that try to do harm: rows with what refuses them, and the Python that each tries.

Each row is the body of a function that returns something true if it has done its harm. It may use the names CLASS,
OUTSIDE, VICTIM, PACKAGE, LOCAL, PACKETS, STREAMS, PARENT, SIBLING and ADDRESS, which `test_confinement` defines.
"""

import textwrap
from pathlib import Path
from typing import Any

from contests.apart import lend_function

HONEST = "def strategy(*seen):\n    return 1\n"
DISARM = """
import gc, types
notices = [each for each in gc.get_objects() if isinstance(each, types.FunctionType) and "REFUSED" in each.__globals__]
for each in notices:
    each.__globals__.update(REFUSED=(), FILES=(), CHANGES=(), TO_WRITE=0, lies_in=lambda *given: False)
assert notices
"""
TRIED = """
try:
    outcome = "done" if attempt() else "nothing came of it"
except BaseException as error:
    outcome = f"refused: {type(error).__name__}: {error}"
def strategy(*seen):
    return outcome
"""
CALL = """import ctypes
call = ctypes.CDLL(None, use_errno=True)
def succeeded(code):
    if code < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True
"""
FILES, CALLS, LIMITS, OTHERS = "Landlock", "seccomp", "limits", "limits"
"""What must hold; others' memory and a short environment hold on Linux without either."""
ATTACKS: dict[str, tuple[tuple[str, ...], str]] = {
    # files of others, read
    "opens": ((FILES,), "return open(f'{CLASS}/kings.py').read()"),
    "lists": ((FILES,), "return os.listdir(CLASS)"),
    "opens by its folder": (
        (FILES,),
        "return os.read(os.open('class/kings.py', os.O_RDONLY, dir_fd=os.open(OUTSIDE, os.O_RDONLY)), 9)",
    ),
    "reads as history": (
        (FILES,),
        "import readline as history\nhistory.read_history_file(f'{CLASS}/kings.py')\n"
        "return history.get_current_history_length()",
    ),
    "reads by a link": ((FILES,), "os.symlink(f'{CLASS}/kings.py', 'link')\nreturn open('link').read()"),
    "watches": (
        (CALLS,),
        f"{CALL}return succeeded(call.inotify_add_watch(call.inotify_init(), CLASS.encode(), 0x20))",
    ),
    "locks": ((FILES, CALLS), "import fcntl\nfcntl.flock(os.open(VICTIM, os.O_RDONLY), fcntl.LOCK_EX)\nreturn True"),
    "locks what it may read": ((CALLS,), "import fcntl\nfcntl.flock(open(os.__file__), fcntl.LOCK_EX)\nreturn True"),
    # files of others, changed
    "writes": ((FILES,), "open(f'{OUTSIDE}/loot', 'w')\nreturn True"),
    "changes a package": ((FILES,), "return open(PACKAGE, 'r+')"),
    "writes by its folder": (
        (FILES,),
        "return os.open('loot', os.O_WRONLY | os.O_CREAT, dir_fd=os.open(OUTSIDE, os.O_RDONLY))",
    ),
    "deletes by its folder": (
        (FILES,),
        "os.remove('victim', dir_fd=os.open(OUTSIDE, os.O_RDONLY))\nreturn True",
    ),
    "deletes": ((FILES,), "os.remove(VICTIM)\nreturn True"),
    "makes a folder": ((FILES,), "os.mkdir(f'{OUTSIDE}/loot')\nreturn True"),
    "makes a database": (
        (FILES,),
        "import sqlite3\nsqlite3.connect(f'{OUTSIDE}/loot').execute('create table t (x)')\nreturn True",
    ),
    "writes as history": (
        (FILES,),
        "import readline\nreadline.write_history_file(f'{OUTSIDE}/loot')\nreturn True",
    ),
    "makes a pipe": ((FILES,), "os.mkfifo(f'{OUTSIDE}/loot')\nreturn True"),
    "makes a link": ((FILES,), "os.symlink(VICTIM, f'{OUTSIDE}/loot')\nreturn True"),
    "renames": ((FILES,), "os.rename(VICTIM, f'{OUTSIDE}/loot')\nreturn True"),
    "moves to its folder": ((FILES,), "os.link(VICTIM, 'mine')\nos.remove(VICTIM)\nreturn True"),
    "cuts": ((FILES, CALLS), "os.truncate(VICTIM, 0)\nreturn True"),
    "empties what it opens to read": (
        (FILES, CALLS),
        "os.open(VICTIM, os.O_RDONLY | os.O_TRUNC)\nreturn True",
    ),
    "changes times": ((CALLS,), "os.utime(VICTIM, (1, 1))\nreturn True"),
    "changes the owner": (
        (CALLS,),
        "os.chown(VICTIM, *((1, 1) if os.getuid() == 0 else (-1, os.getgid())))\nreturn True",
    ),
    "changes the mode": ((CALLS,), "os.chmod(VICTIM, 0o777)\nreturn True"),
    "changes attributes": ((CALLS,), "os.setxattr(VICTIM, 'user.loot', b'1')\nreturn True"),
    # programs
    "starts a shell": ((CALLS,), "return os.system(f'echo > {OUTSIDE}/loot') == 0"),
    "starts a program": (
        (CALLS,),
        "import subprocess\nreturn subprocess.run(['/bin/sh', '-c', f'echo > {OUTSIDE}/loot']).returncode == 0",
    ),
    "spawns": ((CALLS,), "return os.posix_spawn('/bin/true', ['true'], {})"),
    "forks": ((CALLS,), "if os.fork() == 0:\n    os._exit(0)\nreturn True"),
    "starts a process": (
        (CALLS,),
        "import multiprocessing\none = multiprocessing.get_context('spawn').Process(target=os.getpid)\n"
        "one.start()\none.join()\nreturn one.exitcode == 0",
    ),
    "becomes a program": ((CALLS, FILES), "os.execv('/bin/echo', ['echo', 'done'])"),
    # others' processes
    "kills": ((CALLS,), "os.kill(PARENT, 10)\nreturn True"),
    "signals by a handle": (
        (CALLS,),
        "import signal\nsignal.pidfd_send_signal(os.pidfd_open(PARENT), 10)\nreturn True",
    ),
    "signals by a pipe": (
        (CALLS,),
        "import fcntl\nout, back = os.pipe()\nfcntl.fcntl(out, fcntl.F_SETOWN, PARENT)\n"
        "fcntl.fcntl(out, 10, 10)\nfcntl.fcntl(out, fcntl.F_SETFL, os.O_ASYNC)\nreturn os.write(back, b'x')",
    ),
    "queues a signal": ((CALLS,), f"{CALL}return succeeded(call.sigqueue(PARENT, 10, None))"),
    "limits others": (
        (CALLS,),
        "from resource import RLIMIT_CORE, prlimit\n"
        "return prlimit(PARENT, RLIMIT_CORE, (1, prlimit(PARENT, RLIMIT_CORE)[1])) is not None",
    ),
    "slows others down": ((CALLS,), "os.setpriority(os.PRIO_PROCESS, SIBLING, 5)\nreturn True"),
    "ties others to a core": (
        (CALLS,),
        "os.sched_setaffinity(SIBLING, list(os.sched_getaffinity(SIBLING))[:1])\nreturn True",
    ),
    "reads memory": ((OTHERS,), "return open(f'/proc/{SIBLING}/mem', 'rb')"),
    "reads memory by a call": (
        (CALLS,),
        f"{CALL}room = ctypes.create_string_buffer(8)\nclass Place(ctypes.Structure):\n"
        "    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]\n"
        "mine, theirs = Place(ctypes.addressof(room), 8), Place(ADDRESS, 8)\n"
        "return succeeded(call.process_vm_readv(SIBLING, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0))",
    ),
    "traces others": ((CALLS,), f"{CALL}return succeeded(call.ptrace(0x4206, SIBLING, None, None))"),
    "answers for others": (
        (OTHERS,),
        "for n in range(20):\n    try:\n        open(f'/proc/{SIBLING}/fd/{n}', 'wb').write(b'{\"answer\": 9}\\n')\n"
        "        return True\n    except FileNotFoundError:\n        pass",
    ),
    "takes a file of others": (
        (CALLS,),
        f"{CALL}return succeeded(call.syscall(438, os.pidfd_open(SIBLING), 1, 0))",
    ),
    "reads the environment": ((OTHERS,), "return any('TOKEN' in name for name in os.environ)"),
    "reads the parent's environment": (
        (OTHERS,),
        "return os.read(os.open('environ', os.O_RDONLY, dir_fd=os.open(f'/proc/{PARENT}', os.O_RDONLY)), 9)",
    ),
    # the network, and what all processes share
    "sends a packet": (
        (CALLS,),
        "import socket\nreturn socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PACKETS))",
    ),
    "listens": ((CALLS,), "import socket\nsocket.create_server(('127.0.0.1', 0))\nreturn True"),
    "connects": (
        (CALLS, FILES),
        "import socket\nsocket.create_connection(('127.0.0.1', STREAMS))\nreturn True",
    ),
    "asks for an address": (
        (CALLS,),
        "import socket\nsocket.socket(type=socket.SOCK_DGRAM)\nreturn socket.getaddrinfo('localhost', 1)",
    ),
    "sends to a socket in a file": (
        (CALLS,),
        "import socket\none, _ = socket.socketpair(type=socket.SOCK_DGRAM)\nreturn one.sendto(b'x', LOCAL)",
    ),
    "shares memory": ((CALLS,), f"{CALL}return succeeded(call.shmget(0, 4096, 0o1600))"),
    "shares memory in a file": (
        (FILES,),
        "from multiprocessing import shared_memory\none = shared_memory.SharedMemory(create=True, size=9)\n"
        "one.unlink()\nreturn True",
    ),
    "hides memory in a file": ((CALLS,), "return os.memfd_create('loot')"),
    "asks in a ring": ((CALLS,), f"{CALL}return succeeded(call.syscall(425, 4, bytes(120)))"),
    # its own limits
    "lifts its limit": (
        (LIMITS,),
        "import resource\nmost = resource.getrlimit(resource.RLIMIT_AS)[1]\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\nimport mmap\nreturn mmap.mmap(-1, 1500 * 2**20)",
    ),
    "lifts its hard limit": (
        (CALLS,),
        "import mmap, resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n"
        "return mmap.mmap(-1, 1500 * 2**20)",
    ),
    "takes memory": ((LIMITS,), "import mmap\nreturn mmap.mmap(-1, 1500 * 2**20)"),
    "writes much": ((LIMITS,), "return open('much', 'wb', buffering=0).write(bytes(2**24 + 1)) > 2**24"),
    "opens many": ((LIMITS,), "return [os.open(os.devnull, os.O_RDONLY) for _ in range(200)]"),
    "outlives its parent": ((CALLS,), f"{CALL}return succeeded(call.prctl(1, 0, 0, 0, 0))"),
    "lets others look": ((CALLS,), f"{CALL}return succeeded(call.prctl(4, 1, 0, 0, 0))"),
    "leaves its group": (
        (CALLS,),
        "os.setpgid(0, 0)\nreturn True",
    ),
}  # fmt: skip

HARDENED = (
    *("reads memory", "reads memory by a call", "traces others", "answers for others"),
    *("takes a file of others", "asks in a ring", "changes attributes", "changes a package"),
)
"""What some systems refuse to every program."""


def start_submission(path: Path, name: str, text: str, **limits: Any) -> Any:
    """Return the function of a submission in a process, as a block that it ends with."""
    (path / f"{name}.py").write_text(text, encoding="utf-8")
    chosen = {"seconds": 10.0, "megabytes": 512, "confined_by": set()} | limits
    return lend_function(path / f"{name}.py", name, **chosen)


def attack_of(name: str, names: str) -> str:
    """Return a submission that tries a row of `ATTACKS`, after these names."""
    return f"{names}def attempt():\n{textwrap.indent(ATTACKS[name][1], '    ')}\n{TRIED}"
