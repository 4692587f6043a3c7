"""The user's cache: a folder for compiled kernels and arrays, which can be made again and only the user can write."""

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.errors import FileFormatError, StorageError
from pokerlab.core.files import read_npz, replace_file

Arrays: TypeAlias = dict[str, NDArray[Any]]

DAY = 24 * 3600.0
MONTH = 30 * DAY  # in seconds
CACHED_FILES = ("kernels/*", "strength-*.npz", "bucket*-*.npz", "equity-*", "**/.*.part")
"""The files that pokerlab keeps in the user's cache, and those that a killed process left unfinished."""


def find_user_cache() -> Path:
    """Return the folder for compiled kernels and arrays, which can be made again.

    The environment variable `POKERLAB_CACHE` names a place for it; without it the system's cache folder is used.
    Compiled kernels run when they are loaded, so the folder must belong to the user, and no one else may write to it.
    If there can be no such folder, one among the temporary files is used, which stays. If that is not possible either,
    the folder is removed when Python ends.
    """
    return find_private_folder(os.environ.get("POKERLAB_CACHE"), os.environ.get("XDG_CACHE_HOME"))


@cache
def find_private_folder(chosen: str | None, system_cache: str | None) -> Path:
    """Return the first folder of `find_user_cache` that is, or can be made, private and writable.

    `chosen` is the place that the user named, and `system_cache` that of the system, if there are any.
    """
    folder = make_private_folder(chosen or system_cache or "~/.cache", "pokerlab")
    if folder is not None:
        return folder
    if chosen:
        warnings.warn(
            f"POKERLAB_CACHE is '{chosen}', where no folder can be written by you alone; another place is used.",
            stacklevel=3,
        )
    try:
        temporary = tempfile.gettempdir()
        whose = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
        return make_private_folder(temporary, f"pokerlab{whose}") or make_temporary_folder(
            temporary
        )
    except OSError:
        return Path(os.devnull) / "pokerlab"  # Nothing can be read or written there.


def make_private_folder(base: str, name: str) -> Path | None:
    """Return a folder in another one, made if necessary, or None unless the user alone can write to it."""
    try:
        folder = Path(base).expanduser().absolute() / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
        writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    except (OSError, RuntimeError):  # RuntimeError: '~nobody' has no home
        return None
    if hasattr(os, "getuid"):
        writable = writable and is_writable_by_owner_alone(about) and about.st_uid == os.getuid()
    return folder if writable else None


def is_writable_by_owner_alone(about: os.stat_result) -> bool:
    """Return whether only the owner may write to a file or folder with this status."""
    return not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def make_temporary_folder(temporary: str) -> Path:
    """Return a new private folder that is removed when Python ends."""
    folder = tempfile.mkdtemp(prefix="pokerlab-", dir=temporary)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def mark_as_used(path: Path) -> None:
    """Set the time of a file in the cache to now, if it is older than a day: files unused for long are removed."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            path.touch()


def remove_outdated_files() -> None:
    """Remove files that were not used for a month, such as kernels of other versions, if that is possible."""
    for path in [path for pattern in CACHED_FILES for path in find_user_cache().glob(pattern)]:
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - MONTH:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def load_or_make_arrays(name: str, make: Callable[[], Arrays]) -> Arrays:
    """Return the arrays that the user's cache has under a name, or make them and save them there.

    A file that is truncated or changed does not match its checksum, and is made again. Where nothing can be written,
    the arrays are made each time.
    """
    path = find_user_cache() / f"{name}.npz"
    if path.exists():
        try:
            arrays = read_npz(path)
            if str(arrays.pop("checksum", None)) == compute_digest(arrays):
                mark_as_used(path)
                return arrays
        except FileFormatError:
            pass
        warnings.warn(f"{path} is damaged; it is made again.", stacklevel=3)
    arrays = make()
    with suppress(StorageError), replace_file(path) as file:
        np.savez(file, allow_pickle=False, checksum=np.array(compute_digest(arrays)), **arrays)
    return arrays


def compute_digest(arrays: Arrays) -> str:
    """Return a digest of the names, types, shapes and numbers of arrays."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()
