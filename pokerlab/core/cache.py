"""The user's cache: a folder for compiled kernels and arrays, to which only the user can write.

Everything in the cache can be computed again, so the folder may be deleted at any time.
"""

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
from pokerlab.core.files import open_replacement_file, read_npz

Arrays: TypeAlias = dict[str, NDArray[Any]]

DAY = 24 * 3600.0
MONTH = 30 * DAY  # in seconds
CACHED_FILES = (
    "kernels/*",
    "strength-*.npz",
    "bucket*-*.npz",
    "agent-*.npz",
    "equity-*",
    "**/.*.part",
)
"""Patterns for the files that pokerlab writes into the user's cache, and for unfinished files of killed processes."""


def get_user_cache_folder() -> Path:
    """Return the folder in which compiled kernels and arrays are cached for the present user.

    The folder is created if it does not exist. It is in the directory that the environment variable `POKERLAB_CACHE`
    names, or in the system's cache directory if the variable is not set. Compiled kernels are code that runs when they
    are loaded. So the folder must belong to the user, and no one else may be able to write to it. If no such folder
    can be created, a permanent folder in the directory of temporary files is used. If that fails too, a new temporary
    folder is used, which is removed when Python ends.

    Returns
    -------
    Path
        The folder.
    """
    return choose_cache_folder(os.environ.get("POKERLAB_CACHE"), os.environ.get("XDG_CACHE_HOME"))


@cache
def choose_cache_folder(chosen_folder: str | None, system_cache: str | None) -> Path:
    """Return the first candidate for the user's cache folder that is private and writable.

    The candidates and their order are described in `get_user_cache_folder`. A candidate that does not exist is created
    if possible. The result is remembered for the rest of the process.

    Parameters
    ----------
    chosen_folder : str or None
        The directory that the user has chosen, in which the folder is created. A warning is given if that is
        impossible.
    system_cache : str or None
        The system's cache directory, which is used if the user has chosen none. If both are None, it is ~/.cache.

    Returns
    -------
    Path
        The folder. If not even a temporary folder can be created, it is a path at which nothing can be read or written.
    """
    folder = make_private_folder(chosen_folder or system_cache or "~/.cache", "pokerlab")
    if folder is not None:
        return folder

    if chosen_folder:
        warnings.warn(
            f"POKERLAB_CACHE is '{chosen_folder}', where no folder can be written by you alone; another place is used.",
            stacklevel=3,  # the line that called `get_user_cache_folder`
        )

    try:
        temporary_directory = tempfile.gettempdir()
        user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
        permanent_folder = make_private_folder(temporary_directory, f"pokerlab{user}")
        return permanent_folder or make_temporary_folder(temporary_directory)
    except OSError:
        return Path(os.devnull) / "pokerlab"  # Nothing can be read or written there.


def make_private_folder(base_folder: str, name: str) -> Path | None:
    """Return the folder `name` in the directory `base_folder` if it is private and writable, and otherwise None.

    The folder is created if it does not exist.

    Parameters
    ----------
    base_folder : str
        The directory, which may begin with '~' for the user's home.
    name : str
        The name of the folder.

    Returns
    -------
    Path or None
        The folder. The result is None if it cannot be created, if the user cannot write to it, if it belongs to another
        user, or if others can write to it, too.
    """
    try:
        folder = Path(base_folder).expanduser().absolute() / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        is_usable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    except (OSError, RuntimeError):  # RuntimeError: '~nobody' has no home
        return None
    if hasattr(os, "getuid"):  # elsewhere, as on Windows, files have no user numbers
        is_own = status.st_uid == os.getuid()
        is_usable = is_usable and is_own and is_writable_by_owner_alone(status)
    return folder if is_usable else None


def is_writable_by_owner_alone(status: os.stat_result) -> bool:
    """Return whether only the owner of a file or folder may write to it, by its permissions.

    Parameters
    ----------
    status : os.stat_result
        The status of the file or folder, as `os.stat` returns it.
    """
    is_writable_by_others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return not is_writable_by_others


def make_temporary_folder(base_folder: str) -> Path:
    """Create a private folder in the directory `base_folder`, and return it. It is removed when Python ends.

    Parameters
    ----------
    base_folder : str
        The directory in which the folder is created, such as that of the system for temporary files.

    Returns
    -------
    Path
        The new folder, which only the present user may enter.

    Raises
    ------
    OSError
        If no folder can be created there.
    """
    folder = tempfile.mkdtemp(prefix="pokerlab-", dir=base_folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def mark_path_as_used(path: Path) -> None:
    """Set the modification time of a cached file or folder to now if it is more than a day ago.

    `remove_unused_files` removes files whose modification time is more than a month ago, so this time must show when a
    file was last used. Errors are ignored, because a file without a new time can still be used.

    Parameters
    ----------
    path : Path
        The cached file or folder.
    """
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            path.touch()


def remove_unused_files() -> None:
    """Remove the files in the user's cache that were not used for a month, such as kernels of older versions.

    Only files that match `CACHED_FILES` are removed. The modification time of a file shows when it was last used,
    because `mark_path_as_used` sets it. A file that cannot be removed is left there.
    """
    for pattern in CACHED_FILES:
        for path in get_user_cache_folder().glob(pattern):
            remove_if_unused(path)


def remove_if_unused(path: Path) -> None:
    """Remove a file or folder that has not been used for a month. Errors of the file system are ignored.

    Parameters
    ----------
    path : Path
        The file or folder.
    """
    with suppress(OSError):
        is_unused = path.stat().st_mtime < time.time() - MONTH
        if is_unused:
            remove_file_or_folder(path)


def remove_file_or_folder(path: Path) -> None:
    """Remove a file, or a folder with all that it contains.

    Parameters
    ----------
    path : Path
        The file or folder, which must exist.

    Raises
    ------
    OSError
        If it cannot be removed.
    """
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def load_or_make_arrays(name: str, make_arrays: Callable[[], Arrays]) -> Arrays:
    """Return arrays that are saved under a name in the user's cache, or compute them and save them there.

    If the file is damaged or does not match its checksum, a warning is given and the arrays are computed again. If the
    file cannot be written, the arrays are computed again in each process.

    Parameters
    ----------
    name : str
        The name of the file without its ending '.npz'.
    make_arrays : callable
        A function without arguments that computes the arrays, by name.

    Returns
    -------
    dict of str to array
        The arrays, by name.
    """
    path = get_user_cache_folder() / f"{name}.npz"
    if path.exists():
        try:
            arrays = read_npz(path)
            if str(arrays.pop("checksum", None)) == compute_arrays_digest(arrays):
                mark_path_as_used(path)
                return arrays
        except FileFormatError:
            pass  # the warning below is the same for an unreadable file and for wrong numbers
        warnings.warn(f"{path} is damaged; it is made again.", stacklevel=3)

    arrays = make_arrays()
    contents: dict[str, Any] = {"checksum": np.array(compute_arrays_digest(arrays)), **arrays}
    with suppress(StorageError), open_replacement_file(path) as file:
        # No option `allow_pickle` is passed, because NumPy 2.1 would keep it as one more array.
        np.savez(file, **contents)

    return arrays


def compute_arrays_digest(arrays: Arrays) -> str:
    """Return the SHA-256 digest of the names, types, shapes and numbers of arrays.

    Parameters
    ----------
    arrays : dict of str to array
        The arrays, by name. Their order in the dictionary does not matter.

    Returns
    -------
    str
        The digest, as 64 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
