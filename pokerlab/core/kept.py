"""One kind of file for all that runs keep: arrays, and in JSON what is said of them; one lock for whoever goes on."""

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
from pokerlab.core.cache import digest
from pokerlab.core.errors import in_short
from pokerlab.core.files import DATA, read_npz, remove_unfinished, whole_file
from pokerlab.core.old_names import rename_like

TRIES = 3  # how often a lock is asked for whose file goes at that moment, because it was released
RETIRED = DATA / "runs" / "retired_settings.csv"
"""Removed values of settings, each with the last commit that has it; no value where any one may be ignored."""


class Kept(NamedTuple):
    """What a file holds: arrays by name, and what is said of them, among it the 'format'."""

    about: Mapping[str, Any]
    arrays: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write everything to `path`, an .npz file, whole or not at all."""
        about = json.loads(json.dumps(dict(self.about)))  # as it will be read
        about["digest"] = digest_of(about, {name: np.asarray(a) for name, a in self.arrays.items()})
        text = json.dumps(about, indent=1).encode()
        with whole_file(Path(path)) as file:
            np.savez_compressed(file, about=np.frombuffer(text, dtype=np.uint8), **self.arrays)
        return Path(path)

    @classmethod
    def load(
        cls, path: str | Path, wanted: str, like: Mapping[str, Any] | None = None, **kinds: type
    ) -> Self:
        """Return what `save` wrote: of the `wanted` format, saying the same as `like`, with values of these `kinds`."""
        arrays = read_npz(Path(path))
        try:
            about: dict[str, Any] = json.loads(arrays.pop("about").tobytes())
            given = about["format"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FileFormatError(
                f"{path} is damaged ({error!r}). Delete it and run again."
            ) from error
        stated = about.pop("digest", None)  # older files have none
        if stated is not None and stated != digest_of(about, arrays):
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

    def part(self, begin: str) -> dict[str, Any]:
        """Return the arrays whose names begin like this, by what follows."""
        named = self.arrays.items()
        return {name.removeprefix(begin): one for name, one in named if name.startswith(begin)}


def digest_of(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """Return a digest of everything in a file: it notices accidents and edits, not one who computes it anew."""
    text = json.dumps(about, sort_keys=True)
    return hashlib.sha256(f"{text} {digest(dict(arrays))}".encode()).hexdigest()


def check_identity(path: str | Path, given: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise if the file is from another solver, game or setting; old names and removed settings do not count."""
    said = {key: current_settings(path, given.get(key), value) for key, value in wanted.items()}
    for key, value in wanted.items():
        if said[key] != value:
            raise CheckpointError(
                f"{path} was written with {key} {given.get(key)!r}; asked for is"
                f" {in_short(value)}. Use the same settings or another file, or delete it to begin again."
            )


def current_settings(path: str | Path, given: Any, wanted: Any) -> Any:
    """Return settings that a file has, by their names of today and without those removed since.

    Raises
    ------
    CheckpointError
        If the file has a value of a setting that was removed.
    """
    return without_retired(path, rename_like(given, wanted), wanted)


def without_retired(path: str | Path, given: Any, wanted: Any) -> Any:
    """Return what a file says without removed settings, which are not `wanted`; refuse removed values."""
    if not isinstance(given, Mapping) or not isinstance(wanted, Mapping) or given == wanted:
        return given
    kept, kind = {}, given.get("kind")
    of_kind = [row for row in retired_settings() if kind in (None, row["kind"])]
    for name, value in given.items():
        is_gone, rows = name not in wanted, [row for row in of_kind if row["setting"] == name]
        for row in rows:
            if row["value"] == str(value) and (is_gone or kind):
                raise CheckpointError(
                    f"{path} was written with {name} {value!r}, which pokerlab no longer has. Use its commit"
                    f" {row['commit']}, or delete the file to begin again."
                )
        if not is_gone:
            kept[name] = without_retired(path, value, wanted[name])
        elif not rows:
            kept[name] = value
    return kept


@cache
def retired_settings() -> tuple[dict[str, str], ...]:
    """Return the rows of `RETIRED`."""
    with RETIRED.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


class Lock(FileLock):
    """A lock whose file goes when it is released."""

    def _release(self) -> None:
        with suppress(OSError):
            Path(self.lock_file).unlink()
        super()._release()


def claim(path: Path) -> Lock:
    """Return a lock that keeps other processes from writing this file while the lock exists.

    Its file lies beside it, where other users and machines find it. What a killed process left unfinished is
    removed. Where no lock can be made, nothing is locked.
    """
    place = path.resolve()
    place = place.with_name(f".{place.name}.lock")
    lock = Lock(place, timeout=0, mode=0o666, is_singleton=True, thread_local=False)
    for _ in range(TRIES):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            if place.exists():
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
