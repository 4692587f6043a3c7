"""What runs in a submission's own process: it loads one function and answers for it, in lines of JSON.

`apart` starts this file as a program, which imports nothing of pokerlab. Limits and refusals stand before the
submission's text runs. What that prints goes nowhere.
"""

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from traceback import walk_tb
from types import ModuleType
from typing import Any

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
MOST_WRITTEN, TO_SAY_SO = 2**24, 2**26
"""Bytes of a file that it writes; bytes that are left to say that memory is used up."""


def main() -> None:
    """Load the submission that stands in the input, then answer what is asked there."""
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    task = json.loads(asked.readline())
    name, text = task["name"], asked.read(task["length"])
    closed, room = (*task["closed"], f"/proc/{os.getppid()}"), os.path.realpath(os.curdir)

    def tell(answer: dict[str, Any]) -> None:
        told.write(json.dumps(answer, default=plain).encode() + b"\n")
        told.flush()

    def watch(event: str, given: tuple[Any, ...]) -> None:
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
                if changes and not lies_in(real, (room, os.path.realpath(os.devnull))):
                    raise PermissionError(
                        f"a submission may write in its own folder, not in {real}"
                    )

    limit_memory(task["bytes"])
    sys.addaudithook(watch)  # which nobody takes out again
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
        limit_memory(task["bytes"] + TO_SAY_SO)
        tell({"wrong": in_words(error, name)})


def lies_in(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders, or lies in one."""
    return any(f"{path}{os.sep}".startswith(f"{folder}{os.sep}") for folder in folders)


def limit_memory(most: int) -> None:
    """Let the process have no more bytes than these, where the system knows such a limit."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def plain(value: Any) -> Any:
    """Return an array of numbers, or one of them, as JSON has it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"an answer is of type {type(value).__name__}; give numbers, or a list of them")


def in_words(error: BaseException, name: str) -> str:
    """Return what went wrong, and in which line of the submission."""
    if isinstance(error, MemoryError):
        return "memory"
    trace = walk_tb(error.__traceback__)
    lines = [line for frame, line in trace if frame.f_code.co_filename == name]
    if isinstance(error, SyntaxError) and error.filename == name:
        lines, error.filename = [error.lineno or 1], None
    where = f"line {lines[-1]}: " if lines else ""
    return f"broken: {where}{type(error).__name__}: {error}"


if __name__ == "__main__":
    main()
