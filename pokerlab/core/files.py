"""Files that are whole or not there, and the folder of those that can be made again."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` once the block has ended without an error.

    The folder is made if need be. Killed in between, the old file stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def user_cache() -> Path:
    """Return the folder for what can be made again: compiled kernels, tables.

    `POKERLAB_CACHE` names another place for it; without it the user's cache folder is taken, or,
    where that cannot be written, the one for temporary files.
    """
    base = os.environ.get("POKERLAB_CACHE") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(base).expanduser() / "pokerlab"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    return folder if writable else Path(tempfile.gettempdir()) / folder.name
