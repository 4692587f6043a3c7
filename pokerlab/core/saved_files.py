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
from pokerlab.core.cache import compute_digest
from pokerlab.core.errors import quote_value
from pokerlab.core.files import DATA, read_npz, remove_unfinished, replace_file
from pokerlab.core.old_names import rename_old_settings

LOCK_ATTEMPTS = 3  # another process may release its lock and remove the file during an attempt
RETIRED = DATA / "runs" / "retired_settings.csv"
"""A table of removed settings, with the values that raise an error and the last commit that supports each one.

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
        """Write an .npz file completely or not at all, and return its path.

        A digest of the contents is written with them.

        Parameters
        ----------
        path : str or Path
            The file, whose folder is made if it does not exist.

        Raises
        ------
        StorageError
            If the file cannot be written.
        """
        description = json.loads(json.dumps(dict(self.about)))  # the form in which it will be read
        arrays = {name: np.asarray(array) for name, array in self.arrays.items()}
        description["digest"] = compute_file_digest(description, arrays)
        text = json.dumps(description, indent=1).encode()
        with replace_file(Path(path)) as file:
            np.savez_compressed(file, about=np.frombuffer(text, dtype=np.uint8), **self.arrays)
        return Path(path)

    @classmethod
    def load(
        cls,
        path: str | Path,
        needed_format: str,
        like: Mapping[str, Any] | None = None,
        **entry_types: type,
    ) -> Self:
        """Return the contents of a file that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        needed_format : str
            The format that the file must have.
        like : mapping of str to Any, optional
            Entries that the description of the file must contain. By default nothing is compared.
        **entry_types
            The types that further entries of the description must have, by key.

        Raises
        ------
        FileFormatError
            If the file cannot be read, is damaged, or has another format.
        CheckpointError
            If an entry of the description differs from the one in `like`.
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

        for key, entry_type in entry_types.items():
            if not isinstance(description.get(key), entry_type):
                raise FileFormatError(f"{path} holds no {key}. Delete it and run again.")

        check_identity(path, description, like or {})
        return cls(description, arrays)

    def select_arrays(self, prefix: str) -> dict[str, Any]:
        """Return the arrays whose names begin with a prefix, by their names without the prefix."""
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
        The digest, as hexadecimal digits.
    """
    text = json.dumps(description, sort_keys=True)
    return hashlib.sha256(f"{text} {compute_digest(dict(arrays))}".encode()).hexdigest()


def check_identity(
    path: str | Path, description: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    """Raise a CheckpointError if a file was written by another solver, or with another game or other settings.

    Names that were changed, and settings that were removed since the file was written, make no difference.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    description : mapping of str to Any
        The description in the file.
    expected : mapping of str to Any
        The entries that the description must contain.
    """
    # All entries are translated before the first comparison, because an error about a removed setting explains more.
    translated = {
        key: translate_settings(path, description.get(key), value)
        for key, value in expected.items()
    }
    for key, value in expected.items():
        if translated[key] != value:
            raise CheckpointError(
                f"{path} was written with {key} {description.get(key)!r}; asked for is"
                f" {quote_value(value)}. Use the same settings or another file, or delete it to begin again."
            )


def translate_settings(path: str | Path, settings: Any, expected: Any) -> Any:
    """Return a file's settings with their present names, and without those that were removed since it was written.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    settings : Any
        The settings in the file. Anything except a mapping is a single value.
    expected : Any
        The settings that are expected.

    Raises
    ------
    CheckpointError
        If a setting in the file has a value that was removed.
    """
    return drop_retired_settings(path, rename_old_settings(settings, expected), expected)


def drop_retired_settings(path: str | Path, settings: Any, expected: Any) -> Any:
    """Return a file's settings without those that were removed since it was written.

    A setting counts as removed only if it is in the table of removed settings and not in `expected`.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    settings : Any
        The settings in the file. Anything except a mapping is returned unchanged.
    expected : Any
        The settings that are expected.

    Raises
    ------
    CheckpointError
        If a setting has a value that pokerlab no longer supports.
    """
    if (
        not isinstance(settings, Mapping)
        or not isinstance(expected, Mapping)
        or settings == expected
    ):
        return settings

    # Settings of a part, such as a selection, name its class as their kind. Only the rows of this class count then.
    kind = settings.get("kind")
    rows_of_kind = [row for row in read_retired_settings() if kind in (None, row["kind"])]
    remaining = {}
    for name, value in settings.items():
        is_removed = name not in expected
        rows = [row for row in rows_of_kind if row["setting"] == name]
        for row in rows:
            is_retired_value = row["value"] == str(value)
            if is_retired_value and (is_removed or kind):
                raise CheckpointError(
                    f"{path} was written with {name} {value!r}, which pokerlab no longer has. Use its commit"
                    f" {row['commit']}, or delete the file to begin again."
                )
        if not is_removed:
            remaining[name] = drop_retired_settings(path, value, expected[name])
        elif not rows:
            # It is neither expected nor known to be removed, so the comparison will find the difference.
            remaining[name] = value
    return remaining


@cache
def read_retired_settings() -> tuple[dict[str, str], ...]:
    """Return the rows of the table of removed settings, each as a dictionary by column."""
    with RETIRED.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


class Lock(FileLock):
    """A lock whose file is removed when the lock is released."""

    def _release(self) -> None:
        with suppress(OSError):
            Path(self.lock_file).unlink()
        super()._release()


def acquire_lock(path: Path) -> Lock:
    """Acquire the lock of a file, so that no other process writes the file until the lock is released.

    The lock is a file in the same folder, so processes of other users and on other machines see it, too. When the lock
    is acquired, unfinished files that killed processes left are removed. If no lock can be made, for example because
    the folder is read-only, the result is a lock that is not acquired.

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
            if lock_path.exists():
                raise CheckpointError(
                    f"a run in another process keeps its state in {path}. Let it end, or give this run a"
                    " checkpoint of its own."
                ) from None
        except OSError:
            break
        else:
            remove_unfinished(path)
            break

    return lock
