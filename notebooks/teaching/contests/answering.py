"""The program in a submission's own process: it loads one function and answers for it, in lines of JSON.

`apart` starts it with nothing of pokerlab imported. `confine` limits the submission before its text runs. `make_hook`
only names what a submission tries in the ordinary ways. What a submission prints is dropped.
"""

import json
import mmap
import os
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from traceback import walk_tb
from types import ModuleType
from typing import Any

from contests.confine import confine

FUNCTION = "strategy"
REFUSED = (
    *("os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.startfile", "os.system"),
    *("pty.spawn", "socket.connect", "subprocess.Popen"),
)
"""How the audit events begin that are errors: other programs, signals, the network."""
FILES = ("open", "os.", "shutil.")
"""How those begin that name a file."""
CHANGES = ("os.chmod", "os.link", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate")
"""How those begin that change one, beside opening it to write."""
TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
SPARE = 2**26
"""Bytes of memory that are kept to say that memory is used up."""


def main() -> None:
    """Load the submission that stands in the input, then answer what is asked there."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    task = json.loads(asked.readline())
    name, text, room = task["name"], asked.read(task["length"]), os.path.realpath(os.curdir)

    def tell(answer: dict[str, Any]) -> None:
        told.write(json.dumps(answer, default=convert_to_plain).encode() + b"\n")
        told.flush()

    spare = mmap.mmap(-1, SPARE)
    confined_by = confine(
        parent=task["parent"],
        bytes_of_memory=task["bytes"] + SPARE,
        seconds=task["seconds"],
        readable=task["readable"],
        writable=(room, os.devnull),
    )
    tell({"answer": confined_by})
    sys.meta_path.insert(0, PokerlabFinder(task["pokerlab"]))
    closed = (*task["closed"], f"/proc/{task['parent']}")
    sys.addaudithook(make_hook(closed, (room, os.path.realpath(os.devnull)), tell))
    module = sys.modules[FUNCTION] = ModuleType(FUNCTION)
    try:
        exec(compile(text, name, "exec"), vars(module))
        function = vars(module).get(FUNCTION)
        if not callable(function):
            raise NameError(f"there is no function '{FUNCTION}'")
        tell({"answer": None})
        for line in asked:
            tell({"answer": function(*json.loads(line))})
    except BaseException as error:
        spare.close()
        tell({"wrong": describe_error(error, name)})


class PokerlabFinder:
    """Finds pokerlab where the contest has it, in a folder that a submission may not list."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return where pokerlab is, and None for all else."""
        if name != "pokerlab":
            return None
        start = os.path.join(self.package, "__init__.py")  # noqa: PTH118
        return spec_from_file_location(name, start, submodule_search_locations=[self.package])


def make_hook(
    closed: Iterable[str], own: Iterable[str], tell: Callable[[dict[str, Any]], None]
) -> Callable[[str, tuple[Any, ...]], None]:
    """Return a hook for audit events, which names what a submission tries, in words for its author.

    A submission that opens a closed folder ends. Other programs, signals, the network, and changes to files outside its
    own folder raise an error. The hook runs in the submission's own Python, which can switch it off, so it stops
    accidents only. Landlock and seccomp, where `confine` has them, stop the rest.
    """

    def notice(event: str, given: tuple[Any, ...]) -> None:
        if event.startswith(REFUSED):
            raise PermissionError(f"{event} is not allowed in a submission")
        changes = event.startswith(CHANGES) or (event == "open" and int(given[2] or 0) & TO_WRITE)
        for path in given[:1] if event == "open" else given if event.startswith(FILES) else ():
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                if lies_in(real, closed):
                    words = f"it opens {real.rpartition(os.sep)[2]}, which is closed to it"
                    tell({"wrong": f"not allowed: {words}"})
                    os._exit(1)
                if changes and not lies_in(real, own):
                    raise PermissionError(
                        f"a submission may write in its own folder, not in {real}"
                    )

    return notice


def lies_in(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders, or lies in one."""
    return any(f"{path}{os.sep}".startswith(f"{folder}{os.sep}") for folder in folders)


def convert_to_plain(value: Any) -> Any:
    """Return an array of numbers, or one of them, as JSON has it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"an answer is of type {type(value).__name__}; give numbers, or a list of them")


def describe_error(error: BaseException, name: str) -> str:
    """Return what went wrong, and in which line of the submission."""
    if isinstance(error, MemoryError):
        return "memory"
    trace = walk_tb(error.__traceback__)
    lines = [line for frame, line in trace if frame.f_code.co_filename == name]
    if isinstance(error, SyntaxError) and error.filename == name:
        lines, error.filename = [error.lineno or 1], None
    where = f"line {lines[-1]}: " if lines else ""
    return f"broken: {where}{type(error).__name__}: {error}"
