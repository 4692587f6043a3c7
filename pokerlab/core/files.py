"""Functions that write files completely or not at all, functions that read arrays with checks, and the data folder."""

import glob
import math
import os
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

from pokerlab.core.errors import FileFormatError, SettingError, StorageError, quote_value

PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = (PACKAGE / "data").is_dir()
"""Whether this is an installed package. Its data are read-only, and the longest recordings are missing."""
DATA = (PACKAGE if INSTALLED else PACKAGE.parent) / "data"
UNFINISHED = ".part"
"""The ending of a file's name while the file is being written."""
MOST_BYTES = 2**30
"""The largest number of bytes that the arrays of one file may take in memory. Those of pokerlab take some megabytes."""


def validate_path(name: str, value: Any) -> Path:
    """Return the value of a parameter as a path, or raise a SettingError if it is not a path.

    Parameters
    ----------
    name : str
        The name of the parameter, for the error message.
    value : Any
        The value: a text or a path object is allowed.

    Returns
    -------
    Path
        The path as it was given. Nothing need exist there.

    Raises
    ------
    SettingError
        If the value is neither a text nor a path object, or if it is empty or contains a null character.
    """
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    # Without the first condition a path object that consists of bytes would pass.
    if not isinstance(text, str) or not text or "\0" in text:
        raise SettingError(f"{name} is {quote_value(value)}; give a path, such as 'results/first'.")
    return Path(text)


@contextmanager
def open_replacement_file(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file in a with statement, which replaces the file `path` after the block has ended.

    So `path` is written completely or not at all. If the block raises an error or the process is killed, the old file
    stays unchanged. Several threads or processes may write to the same path. The file of the last one to finish
    remains.

    Parameters
    ----------
    path : Path
        The file to write. Its folder is created if it does not exist.

    Yields
    ------
    BinaryIO
        The temporary file, open for writing.

    Raises
    ------
    StorageError
        If the file cannot be written, or if it is in the data folder of an installed package.
    """
    if is_in_installed_data(path):
        raise StorageError(
            f"{path} would be among the data of an installed pokerlab, which are only read."
            " Choose another folder, or work in a clone of the repository."
        )

    # A random part in the name separates processes that write to the same path.
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}{UNFINISHED}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # or a power cut could leave an empty file
        unfinished.replace(path)
    except OSError as error:
        raise StorageError(
            f"cannot write {path} ({error.strerror or error}). Make room there, or allow writing"
            " to the folder, or choose another place."
        ) from error
    finally:
        # After an error the temporary file is still there. After a replacement it no longer is.
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def remove_unfinished_files(path: Path) -> None:
    """Remove the temporary files that killed processes left when they were writing to `path`.

    The caller must make sure that no other process is writing to `path` now. A file that cannot be removed is left.

    Parameters
    ----------
    path : Path
        The path that was given to `open_replacement_file`.
    """
    for unfinished in path.parent.glob(f".{glob.escape(path.name)}.*{UNFINISHED}"):
        with suppress(OSError):
            unfinished.unlink()


def read_npz(path: Path) -> dict[str, Any]:
    """Return the arrays of an .npz file by their names.

    The sizes that the file states are checked before memory is allocated for its arrays. Pickled objects are not read,
    because they could run any code.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    dict of str to array
        The arrays, by name.

    Raises
    ------
    FileFormatError
        If the file does not exist, cannot be read, is damaged, or states a size of more than 1 GiB.
    """
    try:
        with path.open("rb") as opened, zipfile.ZipFile(opened) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            size = sum(info.file_size for info in members.values())
            if size > MOST_BYTES:
                raise ValueError(f"it claims to hold {size:,} bytes, of at most {MOST_BYTES:,}")
            return {name: read_npz_member(archive, info) for name, info in members.items()}
    except FileNotFoundError:
        advice = ""
        if is_in_installed_data(path):
            advice = " An installed pokerlab lacks the longest recordings; a clone of the repository has them."
        raise FileFormatError(f"{path} does not exist.{advice}") from None
    except IsADirectoryError:
        raise FileFormatError(
            f"{path} is a folder; give a file in it, such as {path / 'run.npz'}."
        ) from None
    except PermissionError:
        raise FileFormatError(f"{path} cannot be read. Allow reading it.") from None
    except Exception as error:  # a damaged file may raise any error
        raise FileFormatError(
            f"{path} is damaged or not one of pokerlab's files ({error}). Delete it and run again."
        ) from error


def read_npz_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Any:
    """Return one array of an open .npz file.

    The header of the array is read first, so that no memory is allocated for an array of a wrong size.

    Parameters
    ----------
    archive : ZipFile
        The open .npz file, which is a zip archive of .npy files.
    info : ZipInfo
        The entry of the array in the archive.

    Returns
    -------
    ndarray
        The array, with the shape and type that its header states.

    Raises
    ------
    ValueError
        If the shape and type in the header do not fit the size of the entry.
    """
    with archive.open(info) as file:
        shape, _, dtype = read_npy_header(file)
        if file.tell() + math.prod(shape) * dtype.itemsize != info.file_size:
            raise ValueError(f"'{info.filename}' is not of the size that it claims")
    # Opened once more, because `read_array` begins with the header.
    with archive.open(info) as file:
        return npy.read_array(file, allow_pickle=False)


def read_npy_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the header of an open .npy file, after which the position in the file is at the first number.

    Parameters
    ----------
    file : file object
        The file, open for reading at its beginning.

    Returns
    -------
    shape : tuple of int
        The shape of the array.
    is_fortran_order : bool
        Whether the array is stored in Fortran order.
    dtype : dtype
        The type of its numbers.

    Raises
    ------
    KeyError
        If the version of the .npy format is unknown.
    """
    version = npy.read_magic(file)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    read_header_of_version = readers[version]
    return read_header_of_version(file)


def memory_map_array(file: BinaryIO, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return the array of an open .npy file as a read-only memory map, which all processes share.

    The numbers are read from the disk when they are used. They are not checked.

    Parameters
    ----------
    file : BinaryIO
        The file, open for reading at its beginning.
    shape : tuple of int
        The shape that the array must have.
    dtype : dtype_like
        The type that its numbers must have.

    Returns
    -------
    ndarray
        The array, of the given shape and type. It cannot be written to.

    Raises
    ------
    FileFormatError
        If the array in the file has another shape or type, or if the file is too long or too short for it.
    """
    try:
        header = read_npy_header(file)
        is_in_fortran_order = False
        needed_header = (shape, is_in_fortran_order, np.dtype(dtype))
        if header != needed_header:
            raise ValueError(f"it holds {header}, not {needed_header}")

        array = np.memmap(file, dtype, "r", file.tell(), shape)
        size = os.fstat(file.fileno()).st_size
        if size != array.offset + array.nbytes or not array.flags.aligned:
            raise ValueError(f"it has {size:,} bytes for {array.nbytes:,} bytes of numbers")
    except Exception as error:  # a damaged file may raise any error
        raise FileFormatError(
            f"{file.name} is damaged or not one of pokerlab's files ({error}). Delete it and run again."
        ) from error
    return np.asarray(array)


def is_in_installed_data(path: Path) -> bool:
    """Return whether a path is inside the data folder of an installed package, where nothing may be written.

    The path need not exist. The result is always False in a clone of the repository, whose data can be written.
    """
    return INSTALLED and path.resolve().is_relative_to(DATA)
