"""Files that are whole or not there, whoever writes them and whenever the writing is cut off."""

import glob
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pokerlab.core.errors import StorageError

UNFINISHED = ".part"
"""What the name of a file ends with while it is written."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` once the block has ended without an error.

    The folder is made if need be. Killed in between, the old file stays as it was. Several threads
    or processes may write to one path: the last one to finish wins.

    Raises
    ------
    StorageError
        If the disk is full, or the folder cannot be written to.
    """
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}{UNFINISHED}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("xb") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise StorageError(
            f"cannot write {path} ({error.strerror or error}). Make room there, or allow writing"
            " to the folder, or choose another place."
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def remove_unfinished(path: Path) -> None:
    """Remove what killed processes left of `path`; for whoever alone may write to it."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{UNFINISHED}"):
        with suppress(OSError):
            left.unlink()
