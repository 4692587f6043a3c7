"""Large arrays that come out the same wherever they are made, in files that all processes map into memory.

How it works. `fixed_array` looks for an array's file beside the installation, then in the user's cache, and makes the
array if both lack it. A file that is mapped takes no memory of the process: the system reads the parts that are used,
and keeps one copy for all processes. `share_arrays` moves files from the cache to the folder beside the installation.

Mapping a file does not read it. So its numbers are compared with their checksum when it is written, and again by
`python -m pokerlab.warm`, but not at each start; only its length, and the shape and type that it claims, are.

Wrong numbers would go unnoticed until then. So a file beside the installation is used only if others cannot write to
it or to its folder. Root, the user, and the owner of pokerlab's code may, since they can change any number anyway.

Files are replaced and never changed. A process that has mapped a file keeps the old one.
"""

import hashlib
import os
import stat
import sysconfig
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.cache import DAY, is_closed, mark_as_used, user_cache
from pokerlab.core.errors import FileFormatError, StorageError
from pokerlab.core.files import PACKAGE, UNFINISHED, map_array, whole_file

FOR_ALL_TO_READ = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IROTH
FOR_ALL_TO_ENTER = FOR_ALL_TO_READ | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


class FixedArray(NamedTuple):
    """What is known of an array before it is made."""

    name: str
    shape: tuple[int, ...]
    dtype: type[np.generic]
    checksum: str  # the SHA-256 of its numbers

    @property
    def file_name(self) -> str:
        """The name of its file, which other numbers never get."""
        return f"{self.name}-{self.checksum[:24]}.npy"

    def is_equal(self, array: NDArray[Any]) -> bool:
        """Return whether an array of this shape and type has the right numbers."""
        return hashlib.sha256(array.data).hexdigest() == self.checksum


def fixed_array(fixed: FixedArray, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a fixed array, read-only: mapped from a file, or made and kept in the user's cache.

    A file of another length, shape or type is made again. Where nothing can be written, the array is made each time.

    Raises
    ------
    ArithmeticError
        If `make` returns other numbers than it should.
    """
    folder, kept = shared_folder(), user_cache() / fixed.file_name
    array = map_file(fixed, folder / fixed.file_name, is_trusted) if folder else None
    if array is not None:
        return array
    array = map_file(fixed, kept)
    if array is not None:
        mark_as_used(kept)
        return array
    array = make()
    mapped = write_file(fixed, kept, array)
    if mapped is not None:
        return mapped
    if not fixed.is_equal(array):
        raise ArithmeticError(
            f"{fixed.name} came out with other numbers than it should. Please report it, with the names of the"
            " processor and the system, and the versions of numpy and numba."
        )
    array.setflags(write=False)
    return array


def map_file(
    fixed: FixedArray, path: Path, may_be_used: Callable[[os.stat_result], bool] | None = None
) -> NDArray[Any] | None:
    """Return a fixed array mapped from a file; None, with a warning, if the file is damaged or may not be used."""
    try:
        with path.open("rb") as file:
            if may_be_used is None or may_be_used(os.fstat(file.fileno())):
                return map_array(file, fixed.shape, fixed.dtype)
            warn_of_others(path)
    except OSError:
        pass
    except FileFormatError:
        warnings.warn(f"{path} is damaged; the array is made again.", stacklevel=3)
    return None


def write_file(
    fixed: FixedArray, path: Path, array: NDArray[Any], mode: int | None = None
) -> NDArray[Any] | None:
    """Write a fixed array to a file and return it mapped; None if that fails, or its numbers are not the right ones."""
    try:
        with whole_file(path) as file:
            if mode is not None:
                Path(file.name).chmod(mode)
            np.save(file, array, allow_pickle=False)
    except StorageError:
        return None
    mapped = map_file(fixed, path)
    if mapped is not None and fixed.is_equal(mapped):
        return mapped
    remove_file(path)
    return None


def remove_file(path: Path) -> None:
    """Remove a file if that is possible."""
    with suppress(OSError):
        path.unlink()


def folder_beside_installation() -> Path:
    """Return where files lie that everybody who uses this installation may share, whether it exists or not."""
    return Path(sysconfig.get_path("data")) / "share" / "pokerlab"


def shared_folder() -> Path | None:
    """Return the folder beside the installation; None if there is none or (with a warning) others can write."""
    folder = folder_beside_installation()
    try:
        about = folder.stat()
    except OSError:
        return None
    if is_trusted(about):
        return folder
    warn_of_others(folder)
    return None


def is_trusted(about: os.stat_result) -> bool:
    """Return whether only root, the user or the owner of pokerlab's code can write to a file or a folder."""
    if not hasattr(os, "getuid"):
        return False
    return is_closed(about) and about.st_uid in {0, os.getuid(), PACKAGE.stat().st_uid}


def warn_of_others(path: Path) -> None:
    """Warn that a file or folder beside the installation is not used, and why."""
    warnings.warn(
        f"{path} is not used, because others could write to it. Remove it, and run python -m pokerlab.warm"
        " as the owner of the installation.",
        stacklevel=3,
    )


def share_arrays(arrays: Iterable[FixedArray]) -> Path | None:
    """Move fixed arrays from the user's cache to the folder beside the installation, and return the folder.

    That is done if others can use the installation and the user may write there; if not, None is returned. What else
    lies in the folder, such as the arrays of an older version, is removed once it is a day old.
    """
    folder, wanted = folder_beside_installation(), list(arrays)
    try:
        if not is_open_to_others(folder):
            return None
        opened = [folder] if folder.parent.exists() else [folder.parent, folder]
        folder.mkdir(parents=True, exist_ok=True)
        for each in opened:
            each.chmod(FOR_ALL_TO_ENTER)
    except OSError:
        return None
    if shared_folder() is None:
        return None
    for fixed in wanted:
        path, kept = folder / fixed.file_name, user_cache() / fixed.file_name
        shared, array = map_file(fixed, path, is_trusted), map_file(fixed, kept)
        if shared is None and array is not None:
            shared = write_file(fixed, path, array, FOR_ALL_TO_READ)
        if shared is not None:
            remove_file(kept)
    names = {fixed.file_name for fixed in wanted}
    for path in [*folder.glob("*.npy"), *folder.glob(f"*{UNFINISHED}")]:
        with suppress(OSError):
            if path.name not in names and path.stat().st_mtime < time.time() - DAY:
                path.unlink()
    return folder


def is_open_to_others(folder: Path) -> bool:
    """Return whether all users can enter the folders that a folder lies in, of those that exist."""
    there = [parent for parent in folder.resolve().parents if parent.exists()]
    return hasattr(os, "getuid") and all(parent.stat().st_mode & stat.S_IXOTH for parent in there)


def remove_wrong_files(arrays: Iterable[FixedArray]) -> None:
    """Compare all numbers in the files of fixed arrays with their checksums, and remove files that differ."""
    folders = [folder for folder in (shared_folder(), user_cache()) if folder]
    for fixed, folder in product(arrays, folders):
        path = folder / fixed.file_name
        array = map_file(fixed, path)
        if array is not None and not fixed.is_equal(array):
            remove_file(path)
            done = "Its owner should remove it" if path.exists() else "It is removed"
            warnings.warn(f"{path} has wrong numbers. {done}.", stacklevel=2)
