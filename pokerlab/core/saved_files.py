"""The format of recordings and checkpoints: arrays with a description in JSON. Such a file can be locked."""

import csv
import hashlib
import json
import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "only soft file lock")  # in a browser there is no other
    from filelock import FileLock, Timeout

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.cache import compute_arrays_digest
from pokerlab.core.errors import quote_value
from pokerlab.core.files import DATA, open_replacement_file, read_npz, remove_unfinished_files
from pokerlab.core.old_names import rename_old_settings

LOCK_ATTEMPTS = 3  # another process may release its lock and remove the file during an attempt
REMOVED_SETTINGS = DATA / "runs" / "retired_settings.csv"
"""The file with a table of removed settings, the values that raise an error, and the last commit with each of them.

If a row has no value, the setting is ignored in files, whatever its value is.
"""


class SavedFile(NamedTuple):
    """The contents of a recording or checkpoint.

    Attributes
    ----------
    about : mapping of str to Any
        The description of the arrays, which can be converted to JSON. Its key 'format' names the format of the file.
    arrays : mapping of str to array
        The arrays, by name.
    """

    about: Mapping[str, Any]
    arrays: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write the description and the arrays to an .npz file, completely or not at all.

        A digest of the contents is written with them, by which `load` notices changes.

        Parameters
        ----------
        path : str or Path
            The file, whose folder is created if it does not exist.

        Returns
        -------
        Path
            The path of the file.

        Raises
        ------
        StorageError
            If the file cannot be written.
        """
        description = json.loads(json.dumps(dict(self.about)))  # the form in which it will be read
        arrays = {name: np.asarray(array) for name, array in self.arrays.items()}
        description["digest"] = compute_file_digest(description, arrays)
        text = json.dumps(description, indent=1).encode()
        with open_replacement_file(Path(path)) as file:
            np.savez_compressed(file, about=np.frombuffer(text, dtype=np.uint8), **self.arrays)
        return Path(path)

    @classmethod
    def load(
        cls,
        path: str | Path,
        needed_format: str,
        expected_entries: Mapping[str, Any] | None = None,
        **entry_types: type,
    ) -> Self:
        """Return the description and the arrays of a file that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        needed_format : str
            The format that the file must have, which is the entry 'format' of its description.
        expected_entries : mapping of str to Any, optional
            Entries that the description of the file must contain. By default nothing is compared.
        **entry_types
            The types that further entries of the description must have, by key.

        Returns
        -------
        SavedFile
            The description, which is a dictionary, and the arrays by name.

        Raises
        ------
        FileFormatError
            If the file cannot be read, is damaged, has another format, or lacks an entry of the needed type.
        CheckpointError
            If an entry of the description differs from the expected entry.
        """
        arrays = read_npz(Path(path))
        try:
            description: dict[str, Any] = json.loads(arrays.pop("about").tobytes())
            file_format = description["format"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FileFormatError(
                f"{path} is damaged ({error!r}). Delete it and run again."
            ) from error

        stated_digest = description.pop("digest", None)  # older files have none
        if stated_digest is not None and stated_digest != compute_file_digest(description, arrays):
            raise FileFormatError(
                f"{path} was changed after it was written: its numbers do not match its digest. Delete it and run"
                " again."
            )
        if file_format != needed_format:
            raise FileFormatError(
                f"{path} is a '{file_format}'; a '{needed_format}' is needed here."
            )

        for entry_name, entry_type in entry_types.items():
            if not isinstance(description.get(entry_name), entry_type):
                raise FileFormatError(f"{path} holds no {entry_name}. Delete it and run again.")

        check_file_description(path, description, expected_entries or {})
        return cls(description, arrays)

    def select_arrays(self, prefix: str) -> dict[str, Any]:
        """Return the arrays whose names begin with a prefix, by their names without the prefix.

        Parameters
        ----------
        prefix : str
            The beginning of the names. An empty text selects all arrays.

        Returns
        -------
        dict of str to array
            The selected arrays, which are not copied. The dictionary is empty if no name begins with the prefix.
        """
        return {
            name.removeprefix(prefix): array
            for name, array in self.arrays.items()
            if name.startswith(prefix)
        }


def compute_file_digest(description: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """Return the SHA-256 digest of a file's contents, which shows whether the file was changed by accident.

    It does not protect against someone who changes the file and its digest.

    Parameters
    ----------
    description : mapping of str to Any
        The description of the arrays, which can be converted to JSON.
    arrays : mapping of str to array
        The arrays, by name.

    Returns
    -------
    str
        The digest, as 64 hexadecimal digits.
    """
    description_text = json.dumps(description, sort_keys=True)
    arrays_digest = compute_arrays_digest(dict(arrays))
    return hashlib.sha256(f"{description_text} {arrays_digest}".encode()).hexdigest()


def check_file_description(
    path: str | Path, description: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    """Raise a CheckpointError if the description in a file differs from what is expected.

    The description states, for example, by which solver and with which game and settings the file was written. Names
    that were changed, and settings that were removed since the file was written, make no difference.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    description : mapping of str to Any
        The description in the file.
    expected : mapping of str to Any
        The entries that the description must contain. Other entries of the description are ignored.

    Raises
    ------
    CheckpointError
        If an entry differs, or if a setting in the file has a value that pokerlab no longer supports.
    """
    # All entries are updated before the first comparison, because an error about a removed setting explains more.
    updated_entries = {}
    for entry_name, value in expected.items():
        updated_entries[entry_name] = update_old_settings(path, description.get(entry_name), value)

    for entry_name, value in expected.items():
        if updated_entries[entry_name] != value:
            raise CheckpointError(
                f"{path} was written with {entry_name} {description.get(entry_name)!r}; asked for is"
                f" {quote_value(value)}. Use the same settings or another file, or delete it to begin again."
            )


def update_old_settings(path: str | Path, settings: Any, expected: Any) -> Any:
    """Return the settings in a file with their present names, and without settings that no longer exist.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    settings : Any
        The settings in the file: a mapping from names to values, or a single value.
    expected : Any
        The expected settings, in the same form.

    Returns
    -------
    Any
        The settings in the form in which they were given. The mapping in the file is not changed.

    Raises
    ------
    CheckpointError
        If a setting in the file has a value that pokerlab no longer supports.
    """
    renamed_settings = rename_old_settings(settings, expected)
    return drop_removed_settings(path, renamed_settings, expected)


def drop_removed_settings(path: str | Path, settings: Any, expected: Any) -> Any:
    """Return the settings in a file without the settings that no longer exist.

    A setting no longer exists if it is in the table of removed settings, and not among the expected ones. The table
    also has the values that settings can no longer have.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    settings : Any
        The settings in the file. Anything except a mapping is returned unchanged.
    expected : Any
        The expected settings.

    Returns
    -------
    Any
        A new mapping without those settings. Settings that are equal to the expected ones are returned as they are.

    Raises
    ------
    CheckpointError
        If a setting has a value that pokerlab no longer supports.
    """
    if not isinstance(settings, Mapping) or not isinstance(expected, Mapping):
        return settings
    if settings == expected:
        return settings

    # The settings of a part of a solver, such as its selection, have the name of the part's class as 'kind'. Only the
    # rows of this class apply to them.
    class_name = settings.get("kind")
    rows_of_class = [row for row in read_removed_settings() if class_name in (None, row["kind"])]
    remaining_settings = {}
    for name, value in settings.items():
        is_expected = name in expected
        rows = [row for row in rows_of_class if row["setting"] == name]
        for row in rows:
            is_unsupported = row["value"] == str(value)
            if is_unsupported and (class_name or not is_expected):
                raise CheckpointError(
                    f"{path} was written with {name} {value!r}, which pokerlab no longer has. Use its commit"
                    f" {row['commit']}, or delete the file to begin again."
                )
        if is_expected:
            remaining_settings[name] = drop_removed_settings(path, value, expected[name])
        elif not rows:
            # It is neither expected nor known to be removed, so a comparison with the expected settings shows it.
            remaining_settings[name] = value
    return remaining_settings


@cache
def read_removed_settings() -> tuple[dict[str, str], ...]:
    """Return the rows of the table of removed settings, each as a dictionary from column names to texts.

    Returns
    -------
    tuple of dict of str to str
        The rows, in the order of the table. They are read only once and must not be changed.
    """
    with REMOVED_SETTINGS.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


class Lock(FileLock):
    """A lock whose file is removed when the lock is released."""

    def _release(self) -> None:
        """Remove the file of the lock, and then release the lock. The library filelock calls this method."""
        with suppress(OSError):  # the file may be gone already
            Path(self.lock_file).unlink()
        super()._release()


def acquire_file_lock(path: Path) -> Lock:
    """Acquire the lock of a file, so that no other process writes the file until the lock is released.

    The lock is a file in the same folder, so processes of other users and on other machines see it, too. When the lock
    is acquired, temporary files that killed processes left are removed.

    Parameters
    ----------
    path : Path
        The file to lock, which need not exist.

    Returns
    -------
    Lock
        The lock. If none can be made, for example because the folder is read-only, it is a lock that is not acquired.

    Raises
    ------
    CheckpointError
        If another process has the lock.
    """
    target = path.resolve()
    lock_path = target.with_name(f".{target.name}.lock")
    lock = Lock(lock_path, timeout=0, mode=0o666, is_singleton=True, thread_local=False)
    for _ in range(LOCK_ATTEMPTS):
        try:
            lock_path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            # If the file of the lock is gone, its owner has just released it, so another attempt may succeed.
            if lock_path.exists():
                raise CheckpointError(
                    f"a run in another process keeps its state in {path}. Let it end, or give this run a"
                    " checkpoint of its own."
                ) from None
        except OSError:
            break
        else:
            remove_unfinished_files(path)
            break

    return lock
