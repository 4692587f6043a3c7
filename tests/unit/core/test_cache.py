"""The cache lies where the user says, in a folder that nobody else can write to; damage is noticed."""

import errno
import os
import tempfile
import time
import warnings

import numpy as np
import pytest

from pokerlab.core import cache
from pokerlab.core.cache import (
    choose_cache_folder,
    get_user_cache_folder,
    load_or_make_arrays,
    make_private_folder,
)

OURS = f"pokerlab-{os.getuid()}"


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """Keep the real cache and the real temporary folder out of it."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    choose_cache_folder.cache_clear()
    yield
    choose_cache_folder.cache_clear()


def test_user_cache_follows_environment_variables(tmp_path, monkeypatch):
    monkeypatch.delenv("POKERLAB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert get_user_cache_folder() == tmp_path / "xdg" / "pokerlab"
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "own"))
    assert get_user_cache_folder() == tmp_path / "own" / "pokerlab"
    assert get_user_cache_folder().stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("base", ["file", "~nobody_of_this_name/x", os.devnull])
def test_user_cache_falls_back_to_temporary_files(tmp_path, base):
    (tmp_path / "file").write_bytes(b"")
    with pytest.warns(UserWarning, match="POKERLAB_CACHE is"):
        folder = choose_cache_folder(
            base if base.startswith(("~", "/")) else str(tmp_path / base), None
        )
    assert folder == tmp_path / "temporary" / OURS
    assert folder.stat().st_mode & 0o777 == 0o700


def test_user_cache_without_writable_home_does_not_warn(tmp_path):
    assert choose_cache_folder(None, os.devnull) == tmp_path / "temporary" / OURS


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_user_cache_rejects_folder_writable_by_others(tmp_path, mode):
    for name in ("home/pokerlab", f"temporary/{OURS}"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name).chmod(mode)
    folder = choose_cache_folder(None, str(tmp_path / "home"))
    assert folder.parent == tmp_path / "temporary"
    assert folder.name != OURS
    assert folder.stat().st_mode & 0o777 == 0o700


def test_user_cache_rejects_folder_of_another_user(tmp_path, monkeypatch):
    assert make_private_folder(str(tmp_path), "pokerlab") is not None
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)
    assert make_private_folder(str(tmp_path), "pokerlab") is None


def test_user_cache_without_any_folder_reads_nothing(monkeypatch):
    def nowhere():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    folder = choose_cache_folder(None, os.devnull)
    with pytest.raises(OSError, match="Not a directory"):
        (folder / "file").read_bytes()


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return what keeps two small arrays, and counts how often it makes them."""
    monkeypatch.setattr(cache, "get_user_cache_folder", lambda: tmp_path / "cache")
    made = []

    def make():
        made.append(1)
        return {"a": np.arange(40.0).reshape(4, 10), "b": np.array("text")}

    def read():
        arrays = load_or_make_arrays("some-arrays", make)
        np.testing.assert_array_equal(arrays["a"], np.arange(40.0).reshape(4, 10))
        assert str(arrays["b"]) == "text"
        return len(made)

    return read


def test_load_or_make_arrays_makes_them_once(kept):
    assert [kept(), kept(), kept()] == [1, 1, 1]


def test_load_or_make_arrays_with_flipped_bit_makes_them_again(kept, tmp_path):
    kept()
    [path] = (tmp_path / "cache").iterdir()
    whole = path.read_bytes()
    numbers = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, bit in numbers.integers((len(whole), 8), size=(400, 2)):
            content = bytearray(whole)
            content[place] ^= 1 << bit
            path.write_bytes(content)
            kept()


def test_load_or_make_arrays_with_numpy_2_1_makes_them_once(kept, monkeypatch):
    save = np.savez

    def keep_options_as_arrays(file, **given):
        given["option"] = given.pop("allow_pickle", None)
        save(file, **{name: array for name, array in given.items() if array is not None})

    monkeypatch.setattr(np, "savez", keep_options_as_arrays)
    assert [kept(), kept()] == [1, 1]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_load_or_make_arrays_without_cache_makes_them_each_time(kept, monkeypatch, number):
    def refuse(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(np, "savez", refuse)
    assert [kept(), kept()] == [1, 2]


def test_mark_as_used_sets_the_time_of_a_file(tmp_path):
    for age, young in ((40 * cache.DAY, True), (cache.DAY / 2, False)):
        path = tmp_path / str(age)
        path.touch()
        os.utime(path, (time.time() - age,) * 2)
        cache.mark_path_as_used(path)
        assert (time.time() - path.stat().st_mtime < 60) is young


def test_remove_outdated_files_after_a_month(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "get_user_cache_folder", lambda: tmp_path)
    for folder in ("games-0", "games-1"):
        (tmp_path / "kernels" / folder / "module").mkdir(parents=True)
        (tmp_path / "kernels" / folder / "module" / "module.gains-1.nbi").touch()
    os.utime(tmp_path / "kernels" / "games-0", (time.time() - 31 * cache.DAY,) * 2)
    ours = [
        "kernels/games.sweeps.gains-0.kernel",
        ".equity-turns.bytes.0a1b.part",
        "strength-0.npz",
    ]
    for name, age in [*((name, 31) for name in ours), ("notes.txt", 500), ("buckets-1.npz", 29)]:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - age * cache.DAY,) * 2)
    cache.remove_unused_files()
    assert {path.name for path in tmp_path.rglob("*.*")} == {
        "notes.txt",
        "buckets-1.npz",
        "module.gains-1.nbi",
    }
    assert [path.name for path in (tmp_path / "kernels").iterdir()] == ["games-1"]
