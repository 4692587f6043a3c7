"""The one kind of file for recordings and checkpoints: arrays, described in JSON; and the lock of such a file."""

import csv
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from filelock import FileLock, Timeout

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.cache import compute_digest
from pokerlab.core.errors import quote_value
from pokerlab.core.files import DATA, read_npz, remove_unfinished, replace_file
from pokerlab.core.old_names import rename_like

LOCK_ATTEMPTS = 3  # the lock's file may be removed just then, because another process released it
RETIRED = DATA / "runs" / "retired_settings.csv"
"""A table of removed settings: the values that are refused, each with the last commit that has it.

Without a value, any value is ignored.
"""


class SavedFile(NamedTuple):
    """The contents of a file.

    Attributes
    ----------
    about : mapping of str to Any
        The description of the arrays, in types that JSON has; 'format' is one of its keys.
    arrays : mapping of str to array
        The arrays by name.
    """

    about: Mapping[str, Any]
    arrays: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write an .npz file, completely or not at all, and return its path."""
        about = json.loads(json.dumps(dict(self.about)))  # as it will be read
        arrays = {name: np.asarray(array) for name, array in self.arrays.items()}
        about["digest"] = compute_file_digest(about, arrays)
        text = json.dumps(about, indent=1).encode()
        with replace_file(Path(path)) as file:
            np.savez_compressed(file, about=np.frombuffer(text, dtype=np.uint8), **self.arrays)
        return Path(path)

    @classmethod
    def load(
        cls, path: str | Path, wanted: str, like: Mapping[str, Any] | None = None, **kinds: type
    ) -> Self:
        """Read a file that `save` wrote, or raise if it is damaged or another file is needed.

        Parameters
        ----------
        path : str or Path
            The file.
        wanted : str
            The format that it must have.
        like : mapping of str to Any, optional
            The entries of the description that must be equal.
        **kinds
            The types that further entries of the description must have.
        """
        arrays = read_npz(Path(path))
        try:
            about: dict[str, Any] = json.loads(arrays.pop("about").tobytes())
            given = about["format"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FileFormatError(
                f"{path} is damaged ({error!r}). Delete it and run again."
            ) from error
        stated = about.pop("digest", None)  # older files have none
        if stated is not None and stated != compute_file_digest(about, arrays):
            raise FileFormatError(
                f"{path} was changed after it was written: its numbers do not match its digest. Delete it and run"
                " again."
            )
        if given != wanted:
            raise FileFormatError(f"{path} is a '{given}'; a '{wanted}' is needed here.")
        for key, kind in kinds.items():
            if not isinstance(about.get(key), kind):
                raise FileFormatError(f"{path} holds no {key}. Delete it and run again.")
        check_identity(path, about, like or {})
        return cls(about, arrays)

    def select_arrays(self, prefix: str) -> dict[str, Any]:
        """Return the arrays whose names have a prefix, by the rest of their names."""
        return {
            name.removeprefix(prefix): array
            for name, array in self.arrays.items()
            if name.startswith(prefix)
        }


def compute_file_digest(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """Return a digest of a file's contents, which shows accidental changes, though not those that update it, too."""
    text = json.dumps(about, sort_keys=True)
    return hashlib.sha256(f"{text} {compute_digest(dict(arrays))}".encode()).hexdigest()


def check_identity(path: str | Path, given: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise if the file is from another solver, game or setting; old names and removed settings do not count."""
    stated = {key: translate_settings(path, given.get(key), value) for key, value in wanted.items()}
    for key, value in wanted.items():
        if stated[key] != value:
            raise CheckpointError(
                f"{path} was written with {key} {given.get(key)!r}; asked for is"
                f" {quote_value(value)}. Use the same settings or another file, or delete it to begin again."
            )


def translate_settings(path: str | Path, given: Any, wanted: Any) -> Any:
    """Return a file's settings by their names of today, without the settings that were removed since.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    given : Any
        The settings as the file states them; anything but a mapping is a single value.
    wanted : Any
        The settings that are expected.

    Raises
    ------
    CheckpointError
        If the file has a value of a setting that was removed.
    """
    return drop_retired_settings(path, rename_like(given, wanted), wanted)


def drop_retired_settings(path: str | Path, given: Any, wanted: Any) -> Any:
    """Return a file's settings without those that were removed, or raise if one has a removed value.

    A setting counts as removed only if it is not `wanted`.
    """
    if not isinstance(given, Mapping) or not isinstance(wanted, Mapping) or given == wanted:
        return given
    remaining = {}
    kind = given.get("kind")
    of_kind = [row for row in read_retired_settings() if kind in (None, row["kind"])]
    for name, value in given.items():
        is_removed = name not in wanted
        rows = [row for row in of_kind if row["setting"] == name]
        for row in rows:
            if row["value"] == str(value) and (is_removed or kind):
                raise CheckpointError(
                    f"{path} was written with {name} {value!r}, which pokerlab no longer has. Use its commit"
                    f" {row['commit']}, or delete the file to begin again."
                )
        if not is_removed:
            remaining[name] = drop_retired_settings(path, value, wanted[name])
        elif not rows:
            remaining[name] = value
    return remaining


@cache
def read_retired_settings() -> tuple[dict[str, str], ...]:
    """Return the rows of the table of removed settings."""
    with RETIRED.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


class Lock(FileLock):
    """A lock whose file is removed when the lock is released."""

    def _release(self) -> None:
        with suppress(OSError):
            Path(self.lock_file).unlink()
        super()._release()


def acquire_lock(path: Path) -> Lock:
    """Acquire the lock of a file, which keeps other processes from writing the file while the lock exists.

    The lock's own file lies beside it, where other users and machines find it. Unfinished files of killed processes
    are removed. Where no lock can be made, nothing is locked.

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
