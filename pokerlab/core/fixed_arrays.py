"""Large arrays whose numbers are the same on every machine, in files that all processes map into memory.

`load_fixed_array` looks for an array's file beside the installation, then in the user's cache, and makes the array if
both lack it. A mapped file takes no memory of the process: the system reads the parts that are used, and keeps one copy
for all processes. `share_arrays` moves files from the cache to the folder beside the installation.

Mapping a file does not read it. So its numbers are compared with their checksum only when it is written, and by
`python -m pokerlab.warm`. At each start only its length, and the shape and type that it claims, are checked.

Wrong numbers would go unnoticed until then. So a file beside the installation is used only if no others can write to it
or to its folder. Root, the user, and the owner of pokerlab's code may, because they can change any number anyway.

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

from pokerlab.core.cache import DAY, find_user_cache, is_writable_by_owner_alone, mark_as_used
from pokerlab.core.errors import FileFormatError, StorageError
from pokerlab.core.files import PACKAGE, UNFINISHED, map_array, replace_file

FOR_ALL_TO_READ = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IROTH
FOR_ALL_TO_ENTER = FOR_ALL_TO_READ | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


class FixedArray(NamedTuple):
    """The description of an array, known before the array is made.

    Attributes
    ----------
    name : str
        The beginning of the name of its file.
    shape : tuple of int
        Its shape.
    dtype : type
        The type of its numbers.
    checksum : str
        The SHA-256 of its numbers.
    """

    name: str
    shape: tuple[int, ...]
    dtype: type[np.generic]
    checksum: str

    @property
    def file_name(self) -> str:
        """The name of its file; no other numbers have the same."""
        return f"{self.name}-{self.checksum[:24]}.npy"

    def is_equal(self, array: NDArray[Any]) -> bool:
        """Return whether an array of this shape and type has the right numbers."""
        return hashlib.sha256(array.data).hexdigest() == self.checksum


def load_fixed_array(fixed: FixedArray, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a fixed array, read-only: mapped from a file, or made and saved in the user's cache.

    A file of another length, shape or type is made again. Where nothing can be written, the array is made each time.

    Raises
    ------
    ArithmeticError
        If `make` returns other numbers than it should.
    """
    folder = find_trusted_shared_folder()
    if folder is not None:
        shared = map_fixed_array(fixed, folder / fixed.file_name, is_trusted)
        if shared is not None:
            return shared

    path = find_user_cache() / fixed.file_name
    cached = map_fixed_array(fixed, path)
    if cached is not None:
        mark_as_used(path)
        return cached

    array = make()
    mapped = write_fixed_array(fixed, path, array)
    if mapped is not None:
        return mapped
    if not fixed.is_equal(array):
        raise ArithmeticError(
            f"{fixed.name} came out with other numbers than it should. Please report it, with the names of the"
            " processor and the system, and the versions of numpy and numba."
        )
    array.setflags(write=False)
    return array


def map_fixed_array(
    fixed: FixedArray, path: Path, may_be_used: Callable[[os.stat_result], bool] | None = None
) -> NDArray[Any] | None:
    """Return a fixed array mapped from a file, or None if there is no file, or a damaged or untrusted one.

    `may_be_used` decides by the file's status; without it every file is trusted. A warning says why a file is not used.
    """
    try:
        with path.open("rb") as file:
            if may_be_used is None or may_be_used(os.fstat(file.fileno())):
                return map_array(file, fixed.shape, fixed.dtype)
            warn_of_untrusted(path)
    except OSError:
        pass
    except FileFormatError:
        warnings.warn(f"{path} is damaged; the array is made again.", stacklevel=3)
    return None


def write_fixed_array(
    fixed: FixedArray, path: Path, array: NDArray[Any], mode: int | None = None
) -> NDArray[Any] | None:
    """Write a fixed array to a file and return it mapped, or None if that fails or the file has other numbers."""
    try:
        with replace_file(path) as file:
            if mode is not None:
                Path(file.name).chmod(mode)
            np.save(file, array, allow_pickle=False)
    except StorageError:
        return None
    mapped = map_fixed_array(fixed, path)
    if mapped is not None and fixed.is_equal(mapped):
        return mapped
    remove_file(path)
    return None


def remove_file(path: Path) -> None:
    """Remove a file if that is possible."""
    with suppress(OSError):
        path.unlink()


def find_installation_folder() -> Path:
    """Return the folder of the files that all users of this installation share, whether it exists or not."""
    return Path(sysconfig.get_path("data")) / "share" / "pokerlab"


def find_trusted_shared_folder() -> Path | None:
    """Return the folder beside the installation, or None if there is none, or (with a warning) others can write."""
    folder = find_installation_folder()
    try:
        about = folder.stat()
    except OSError:
        return None
    if is_trusted(about):
        return folder
    warn_of_untrusted(folder)
    return None


def is_trusted(about: os.stat_result) -> bool:
    """Return whether only root, the user or the owner of pokerlab's code can write to a file or a folder."""
    if not hasattr(os, "getuid"):
        return False
    return is_writable_by_owner_alone(about) and about.st_uid in {
        0,
        os.getuid(),
        PACKAGE.stat().st_uid,
    }


def warn_of_untrusted(path: Path) -> None:
    """Warn that a file or folder beside the installation is not used, and why."""
    warnings.warn(
        f"{path} is not used, because others could write to it. Remove it, and run python -m pokerlab.warm"
        " as the owner of the installation.",
        stacklevel=3,
    )


def share_arrays(arrays: Iterable[FixedArray]) -> Path | None:
    """Move fixed arrays from the user's cache to the folder beside the installation, and return the folder.

    This is done if others can use the installation and the user may write there; otherwise None is returned. Other
    files in the folder, such as the arrays of an older version, are removed once they are a day old.
    """
    folder, wanted = find_installation_folder(), list(arrays)
    try:
        if not is_open_to_others(folder):
            return None
        new_folders = [folder] if folder.parent.exists() else [folder.parent, folder]
        folder.mkdir(parents=True, exist_ok=True)
        for new_folder in new_folders:
            new_folder.chmod(FOR_ALL_TO_ENTER)
    except OSError:
        return None
    if find_trusted_shared_folder() is None:
        return None
    for fixed in wanted:
        shared_path, cached_path = folder / fixed.file_name, find_user_cache() / fixed.file_name
        shared = map_fixed_array(fixed, shared_path, is_trusted)
        cached = map_fixed_array(fixed, cached_path)
        if shared is None and cached is not None:
            shared = write_fixed_array(fixed, shared_path, cached, FOR_ALL_TO_READ)
        if shared is not None:
            remove_file(cached_path)
    names = {fixed.file_name for fixed in wanted}
    for path in [*folder.glob("*.npy"), *folder.glob(f"*{UNFINISHED}")]:
        with suppress(OSError):
            if path.name not in names and path.stat().st_mtime < time.time() - DAY:
                path.unlink()
    return folder


def is_open_to_others(folder: Path) -> bool:
    """Return whether all users can enter the folders above a folder, as far as these exist."""
    if not hasattr(os, "getuid"):
        return False
    parents = [parent for parent in folder.resolve().parents if parent.exists()]
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in parents)


def remove_wrong_files(arrays: Iterable[FixedArray]) -> None:
    """Remove the files of fixed arrays whose numbers do not match their checksum, with a warning."""
    folders = [folder for folder in (find_trusted_shared_folder(), find_user_cache()) if folder]
    for fixed, folder in product(arrays, folders):
        path = folder / fixed.file_name
        array = map_fixed_array(fixed, path)
        if array is not None and not fixed.is_equal(array):
            remove_file(path)
            done = "Its owner should remove it" if path.exists() else "It is removed"
            warnings.warn(f"{path} has wrong numbers. {done}.", stacklevel=2)
