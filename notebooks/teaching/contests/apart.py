"""A submission in a process of its own, which is asked and answers in JSON: nothing that it gives is unpickled.

The process begins in an empty folder with the submission's text. It has neither opponents nor hidden cards, seeds, or
the game that is scored, only the questions. Its time is limited by the contest's own clock on every system: whatever a
submission does with its pipes or with other processes, a late answer ends it. The operating system does the rest.

With Landlock and seccomp (Linux; `Leaderboard.confined_by` says whether both hold), a submission

- reads Python, installed packages, pokerlab with its cache, and the system's libraries, but no other file. It reads
  neither other submissions nor the memory, open files, or environment of another process;
- writes in its own folder only, files of up to 16 MB, and the folder is removed afterward;
- starts no program or process, sends no signals to others, opens no socket, and changes no one's limits or priorities;
- has limited memory and processor time, and ends with the contest's process, in whatever way that ends.

Even then the following is not promised. A submission can ask whether a path exists, how large the file is, and when it
was changed, because the kernel refuses no such question. It can write many files in its own folder while its time
lasts. It can think between two questions, in a thread, until its processor time is used up. Two submissions that agree
beforehand can signal to each other by how they load the machine. Kernels have faults, too.

Without Landlock, all files of the user are open to a submission; without seccomp, programs and the network are. On
macOS only time, the number and size of files, and the number of processes are limited. There, Python's audit events
still name what a submission tries in the ordinary way, but a submission can switch them off. A container or a virtual
machine limits what such a submission can reach.
"""

import json
import os
import shutil
import signal
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from select import POLLIN, POLLOUT, poll
from time import monotonic
from typing import Any

import pokerlab
from contests.answering import convert_to_plain, lies_in
from pokerlab.core import SettingError
from pokerlab.core.cache import get_user_cache_folder
from pokerlab.core.fixed_arrays import get_shared_folder

KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TZ")
"""What a submission sees of the contest's environment."""
ONE_THREAD = dict.fromkeys(
    ("MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"
)
"""So that memory does not depend on the number of cores."""
OWN = ("HOME", "TMPDIR", "TEMP", "TMP")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
MACHINE = (
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/proc/cpuinfo"),
    *("/proc/meminfo", "/proc/self/maps", "/sys/devices/system/cpu"),
)
"""What programs read to load libraries, and to know the time, the processor, and which libraries they have loaded."""
START = "import sys; sys.path.insert(0, sys.argv[1]); from contests.answering import main; del sys.path[0]; main()"
MOST_BYTES, MOST_LETTERS, A_READ = 2**20, 160, 2**16
"""Of an answer; of what is wrong; bytes that are read at once, as many as a pipe holds."""


class Broken(Exception):
    """Which submission is broken, and why."""

    def __init__(self, name: str, why: str) -> None:
        text = " ".join("".join(sign if sign.isprintable() else " " for sign in why).split())
        self.name, self.why = (
            name,
            text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ...",
        )
        super().__init__(f"{name}: {self.why}")


@contextmanager
def lend_function(
    path: Path, name: str, *, seconds: float, megabytes: int, confined_by: set[str]
) -> Iterator["Apart"]:
    """Lend the function of the submission in a file, which calls it in a process that ends with the block.

    The folder that the file lies in is closed to it. Time is counted while it is loaded and while it answers. `Broken`
    comes from here or from any call. What confines the process is added to `confined_by` before the submission's text
    runs. On Linux the process also ends with the thread that enters the block.
    """
    text, folder = path.read_bytes(), os.path.realpath(path.parent)
    readable = list_readable_places()
    if lies_in(folder, map(os.path.realpath, readable)):
        raise SettingError(
            f"the submissions lie in {folder}, among packages, which every submission may read. "
            "Move them to another folder."
        )
    task = {
        "name": name,
        "length": len(text),
        "bytes": megabytes * 2**20,
        "seconds": seconds,
        "parent": os.getpid(),
        "closed": [folder],
        "readable": readable,
        "pokerlab": str(Path(pokerlab.__file__).parent),
    }
    room = tempfile.mkdtemp()
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, str(Path(__file__).parents[1])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=room,
            env=choose_environment(room), start_new_session=True,
        )  # fmt: skip
        ask = Apart(process, name, seconds, megabytes)
        try:
            confined_by.add(ask.get_answer(json.dumps(task).encode() + b"\n" + text))
            ask.get_answer(b"")
            yield ask
        finally:
            ask.stop()
    finally:
        with suppress(RecursionError):  # of folders in folders
            shutil.rmtree(room, ignore_errors=True)


def choose_environment(room: str) -> dict[str, str]:
    """Return the environment of a submission, whose own folder is this."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    places = {
        "POKERLAB_CACHE": str(get_user_cache_folder().parent),
        "PYTHONUSERBASE": site.getuserbase(),
    }
    return kept | places | ONE_THREAD | dict.fromkeys(OWN, room)


def list_readable_places() -> list[str]:
    """Return the files and folders that a submission may read beside its own folder."""
    ours = Path(pokerlab.__file__).parent, get_user_cache_folder(), get_shared_folder()
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    python += [os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)]  # noqa: PTH118
    packages = [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    linked = filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep))
    return [*map(str, ours), *python, *packages, *linked, *LIBRARIES, *DEVICES, *MACHINE]


class Apart:
    """A function in another process; `lend_function` makes it."""

    def __init__(self, process: Any, name: str, seconds: float, megabytes: int) -> None:
        self.process, self.name, self.seconds, self.megabytes = process, name, seconds, megabytes
        self.left, self.unread = seconds, b""
        os.set_blocking(process.stdin.fileno(), False)

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function says to numbers, texts, or lists of them."""
        return self.get_answer(json.dumps(arguments, default=convert_to_plain).encode() + b"\n")

    def get_answer(self, given: bytes) -> Any:
        """Return the answer to a line."""
        deadline = monotonic() + self.left
        line = self.exchange(given, deadline)
        self.left = deadline - monotonic()
        if not line:
            raise Broken(self.name, self.describe_end())
        try:
            answer = json.loads(line)
            if "wrong" not in answer:
                return answer["answer"]
            why = str(answer["wrong"])
        except (KeyError, RecursionError, TypeError, ValueError):
            why = f"broken: an answer is not JSON, or has more than {MOST_BYTES:,} bytes"
        raise Broken(self.name, f"memory: over {self.megabytes:,} MB" if why == "memory" else why)

    def exchange(self, given: bytes, deadline: float) -> bytes:
        """Write a line and return the next one that comes, or nothing at the end of the output.

        The clock alone ends the wait, not the end of a process or of a pipe, which others may keep open.
        """
        to, back = self.process.stdin.fileno(), self.process.stdout.fileno()
        while given or b"\n" not in self.unread[:MOST_BYTES]:
            left = deadline - monotonic()
            if left <= 0:
                raise Broken(self.name, f"too slow: over {self.seconds:g} s")
            try:
                given = given[os.write(to, given) :] if given else given
            except BlockingIOError:
                pass
            except BrokenPipeError:
                given = b""
            waiting = poll()
            waiting.register(back, POLLIN)
            if given:
                waiting.register(to, POLLOUT)
            if back in (pipe for pipe, _ in waiting.poll(ceil(1000 * left))):
                more = os.read(back, A_READ)
                self.unread += more
                if not more or len(self.unread) > MOST_BYTES:
                    break
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def describe_end(self) -> str:
        """Return how the process ended."""
        try:
            code = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "crashed: it closed its output"
        if code == -signal.SIGXCPU:
            return f"too slow: over {self.seconds:g} s of processor time"
        what = signal.strsignal(-code) if code < 0 else f"its process ended with code {code}"
        return f"crashed: {what}"

    def stop(self) -> None:
        """Stop the process, and what it has started, even if it has ended itself."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()
