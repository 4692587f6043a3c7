"""Fixed arrays: large arrays whose numbers are the same on every machine, in files that are mapped into memory.

`load_fixed_array` looks for the file of an array beside the installation and then in the user's cache. If neither has
the file, the array is computed. A mapped file takes no memory of its own in a process, because the system reads only
the parts that are used and shares one copy of them among all processes. `share_fixed_arrays` moves files from the cache
to the folder beside the installation.

Mapping a file does not read its numbers. So the numbers are compared with their checksum only when the file is written,
and by `python -m pokerlab.warm`. At each start only the length of the file, and the shape and type that its header
states, are checked.

Wrong numbers would therefore go unnoticed until `python -m pokerlab.warm` is run. So a file beside the installation is
used only if no other user can write to the file or to its folder. Root, the user, and the owner of pokerlab's code can
change any number anyway, so they may write there.

A file is replaced as a whole and never changed in place. A process that has mapped the old file continues to use it.
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

from pokerlab.core.cache import (
    DAY,
    get_user_cache_folder,
    is_writable_by_owner_alone,
    mark_path_as_used,
)
from pokerlab.core.errors import FileFormatError, StorageError
from pokerlab.core.files import PACKAGE, UNFINISHED, memory_map_array, open_replacement_file

FOR_ALL_TO_READ = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IROTH
FOR_ALL_TO_ENTER = FOR_ALL_TO_READ | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


class FixedArray(NamedTuple):
    """The description of a fixed array, which is known before the array is computed.

    Attributes
    ----------
    name : str
        The name of the array, with which the name of its file begins.
    shape : tuple of int
        The shape of the array.
    dtype : type
        The type of its numbers.
    checksum : str
        The SHA-256 digest of its numbers, as hexadecimal digits.
    """

    name: str
    shape: tuple[int, ...]
    dtype: type[np.generic]
    checksum: str

    @property
    def file_name(self) -> str:
        """The name of the array's file, which contains part of the checksum. So other numbers have another file."""
        return f"{self.name}-{self.checksum[:24]}.npy"

    def has_same_checksum(self, array: NDArray[Any]) -> bool:
        """Return whether the numbers of an array have the checksum of this fixed array.

        Parameters
        ----------
        array : ndarray
            The array, which must already have the right shape and type. They are not part of the checksum.
        """
        return hashlib.sha256(array.data).hexdigest() == self.checksum


def load_fixed_array(
    fixed_array: FixedArray, make_array: Callable[[], NDArray[Any]]
) -> NDArray[Any]:
    """Return a fixed array: a large read-only array whose numbers are the same on every machine.

    The array is mapped from its file beside the installation or in the user's cache. If neither has a valid file, the
    array is computed and saved in the user's cache. A file of another length, shape or type is not valid. If the cache
    cannot be written, the array is computed again in each process.

    Parameters
    ----------
    fixed_array : FixedArray
        The name, shape, type and checksum of the array.
    make_array : callable
        A function without arguments that computes the array.

    Returns
    -------
    ndarray
        The array, which is read-only.

    Raises
    ------
    ArithmeticError
        If the numbers that `make_array` returns do not match the checksum.
    """
    folder = find_trusted_shared_folder()
    if folder is not None:
        shared_path = folder / fixed_array.file_name
        shared_array = map_fixed_array(fixed_array, shared_path, is_owned_by_trusted_user)
        if shared_array is not None:
            return shared_array

    path = get_user_cache_folder() / fixed_array.file_name
    cached_array = map_fixed_array(fixed_array, path)
    if cached_array is not None:
        mark_path_as_used(path)
        return cached_array

    array = make_array()
    mapped_array = write_fixed_array(fixed_array, path, array)
    if mapped_array is not None:
        return mapped_array

    # Either the cache cannot be written, or the numbers are wrong.
    if not fixed_array.has_same_checksum(array):
        raise ArithmeticError(
            f"{fixed_array.name} came out with other numbers than it should. Please report it, with the names of the"
            " processor and the system, and the versions of numpy and numba."
        )
    array.setflags(write=False)
    return array


def map_fixed_array(
    fixed_array: FixedArray,
    path: Path,
    is_file_trusted: Callable[[os.stat_result], bool] | None = None,
) -> NDArray[Any] | None:
    """Return a fixed array as a read-only memory map of its file, or None if the file cannot be used.

    A fixed array is a large array whose numbers are the same on every machine. If its file exists but is damaged or not
    trusted, a warning gives the reason.

    Parameters
    ----------
    fixed_array : FixedArray
        The name, shape, type and checksum of the array.
    path : Path
        The file.
    is_file_trusted : callable, optional
        A function of the file's status, as `os.fstat` returns it, that decides whether the file is trusted. By
        default every file is trusted.

    Returns
    -------
    ndarray or None
        The array. Its shape and type are checked, but its numbers are not.
    """
    try:
        with path.open("rb") as file:
            # The open file is examined, because another file could take its path meanwhile.
            if is_file_trusted is None or is_file_trusted(os.fstat(file.fileno())):
                return memory_map_array(file, fixed_array.shape, fixed_array.dtype)
            warn_about_untrusted_path(path)
    except OSError:
        pass  # most often the file does not exist, which needs no warning
    except FileFormatError:
        warnings.warn(f"{path} is damaged; the array is made again.", stacklevel=3)
    return None


def write_fixed_array(
    fixed_array: FixedArray, path: Path, array: NDArray[Any], mode: int | None = None
) -> NDArray[Any] | None:
    """Write a fixed array to a file, and return the array as a memory map of that file.

    A fixed array is a large array whose numbers are the same on every machine.

    Parameters
    ----------
    fixed_array : FixedArray
        The name, shape, type and checksum of the array.
    path : Path
        The file.
    array : ndarray
        The array to write.
    mode : int, optional
        The permissions of the file. By default the system's usual permissions for new files are used.

    Returns
    -------
    ndarray or None
        The mapped array. The result is None if the file cannot be written, or if the numbers in it do not match the
        checksum. In the second case the file is removed.
    """
    try:
        with open_replacement_file(path) as file:
            if mode is not None:
                Path(file.name).chmod(mode)
            np.save(file, array, allow_pickle=False)
    except StorageError:
        return None

    mapped_array = map_fixed_array(fixed_array, path)
    if mapped_array is not None and fixed_array.has_same_checksum(mapped_array):
        return mapped_array
    try_to_remove_file(path)
    return None


def try_to_remove_file(path: Path) -> None:
    """Remove a file. Nothing happens if it does not exist or cannot be removed.

    Parameters
    ----------
    path : Path
        The file, which need not exist.
    """
    with suppress(OSError):
        path.unlink()


def get_shared_folder() -> Path:
    """Return the path of the folder for arrays that all users of this installation of pokerlab share.

    It is in the data directory of the Python environment. The folder need not exist.
    """
    return Path(sysconfig.get_path("data")) / "share" / "pokerlab"


def find_trusted_shared_folder() -> Path | None:
    """Return the folder for arrays that all users share, or None if it does not exist or is not trusted.

    The folder is not trusted if a user other than root, the present user and the owner of pokerlab's code can write to
    it. A warning is given in that case.
    """
    folder = get_shared_folder()
    try:
        status = folder.stat()
    except OSError:
        return None
    if is_owned_by_trusted_user(status):
        return folder
    warn_about_untrusted_path(folder)
    return None


def is_owned_by_trusted_user(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to a trusted user, and no one else can write to it.

    Root, the present user and the owner of pokerlab's code are trusted. On systems without user numbers, such as
    Windows, the result is False.

    Parameters
    ----------
    status : os.stat_result
        The status of the file or folder, as `os.stat` returns it.
    """
    if not hasattr(os, "getuid"):
        return False
    root = 0
    trusted_users = {root, os.getuid(), PACKAGE.stat().st_uid}
    return is_writable_by_owner_alone(status) and status.st_uid in trusted_users


def warn_about_untrusted_path(path: Path) -> None:
    """Warn that a file or folder which all users share is not used, because an untrusted user could write to it.

    Parameters
    ----------
    path : Path
        The file or folder.
    """
    warnings.warn(
        f"{path} is not used, because others could write to it. Remove it, and run python -m pokerlab.warm"
        " as the owner of the installation.",
        stacklevel=3,
    )


def share_fixed_arrays(arrays: Iterable[FixedArray]) -> Path | None:
    """Move the files of fixed arrays from the user's cache to the folder that all users of the installation share.

    A fixed array is a large array whose numbers are the same on every machine. All other files of arrays in the shared
    folder, such as those of an older version, are removed if they are more than a day old.

    Parameters
    ----------
    arrays : iterable of FixedArray
        The descriptions of the arrays. An array without a file in the user's cache is left out.

    Returns
    -------
    Path or None
        The shared folder. The result is None, and nothing is moved, if not all users can reach the installation, or if
        the present user may not write there.
    """
    folder = get_shared_folder()
    fixed_arrays = list(arrays)
    if not make_shared_folder(folder):
        return None
    if find_trusted_shared_folder() is None:
        return None

    for fixed_array in fixed_arrays:
        shared_path = folder / fixed_array.file_name
        cached_path = get_user_cache_folder() / fixed_array.file_name
        shared_array = map_fixed_array(fixed_array, shared_path, is_owned_by_trusted_user)
        cached_array = map_fixed_array(fixed_array, cached_path)
        if shared_array is None and cached_array is not None:
            shared_array = write_fixed_array(
                fixed_array, shared_path, cached_array, FOR_ALL_TO_READ
            )
        if shared_array is not None:
            try_to_remove_file(cached_path)

    remove_unneeded_files(folder, {fixed_array.file_name for fixed_array in fixed_arrays})
    return folder


def make_shared_folder(folder: Path) -> bool:
    """Create the folder that all users of the installation share, and return whether this has succeeded.

    All users may enter the folder. It cannot be created if not all users can reach the installation, or if the present
    user may not write there. It is no failure if the folder already exists.

    Parameters
    ----------
    folder : Path
        The path of the folder, from `get_shared_folder`.
    """
    try:
        if not is_reachable_by_all_users(folder):
            return False
        new_folders = [folder] if folder.parent.exists() else [folder.parent, folder]
        folder.mkdir(parents=True, exist_ok=True)
        # The permissions are set afterwards, because `mkdir` reduces them by the user's mask.
        for new_folder in new_folders:
            new_folder.chmod(FOR_ALL_TO_ENTER)
    except OSError:
        return False
    return True


def remove_unneeded_files(folder: Path, needed_names: set[str]) -> None:
    """Remove the files of arrays in a folder that are not needed, if they are more than a day old.

    A younger file may belong to another process that is writing it now. A file that cannot be removed is left there.

    Parameters
    ----------
    folder : Path
        The folder.
    needed_names : set of str
        The names of the files that are needed.
    """
    for path in [*folder.glob("*.npy"), *folder.glob(f"*{UNFINISHED}")]:
        with suppress(OSError):
            is_old = path.stat().st_mtime < time.time() - DAY
            if path.name not in needed_names and is_old:
                path.unlink()


def is_reachable_by_all_users(folder: Path) -> bool:
    """Return whether all users can enter every existing folder above a given folder.

    On systems without user numbers, such as Windows, the result is False.

    Parameters
    ----------
    folder : Path
        The given folder, which need not exist.
    """
    if not hasattr(os, "getuid"):
        return False
    parents = [parent for parent in folder.resolve().parents if parent.exists()]
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in parents)


def remove_corrupt_arrays(arrays: Iterable[FixedArray]) -> None:
    """Remove the files of fixed arrays whose numbers do not match their checksum.

    A fixed array is a large array whose numbers are the same on every machine. Its files are in the folder that all
    users share and in the user's cache. A warning names each wrong file. If this process cannot remove the file, the
    warning asks its owner to do so.

    Parameters
    ----------
    arrays : iterable of FixedArray
        The descriptions of the arrays.
    """
    folders = [get_user_cache_folder()]
    shared_folder = find_trusted_shared_folder()
    if shared_folder is not None:
        folders.insert(0, shared_folder)

    for fixed_array, folder in product(arrays, folders):
        path = folder / fixed_array.file_name
        array = map_fixed_array(fixed_array, path)
        if array is not None and not fixed_array.has_same_checksum(array):
            try_to_remove_file(path)
            outcome = "Its owner should remove it" if path.exists() else "It is removed"
            warnings.warn(f"{path} has wrong numbers. {outcome}.", stacklevel=2)
