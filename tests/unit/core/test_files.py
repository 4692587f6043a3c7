"""Files are whole or not there; what can be made again lies in the user's cache."""

import tempfile
from pathlib import Path

import pytest

from pokerlab.core.files import user_cache, whole_file
from pokerlab.core.kernel import cache_folder


def write(path: Path, text: bytes, *, then_fail: bool = False) -> None:
    with whole_file(path) as file:
        file.write(text)
        if then_fail:
            raise KeyboardInterrupt


def test_a_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "file"
    for text in (b"old", b"new"):
        write(path, text)
        assert path.read_bytes() == text
    assert list(path.parent.iterdir()) == [path]


def test_a_file_stays_as_it_was_where_writing_the_new_one_fails(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"old")
    with pytest.raises(KeyboardInterrupt):
        write(path, b"new", then_fail=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_cache_lies_where_the_user_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POKERLAB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user_cache() == tmp_path / "xdg" / "pokerlab"
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "own"))
    assert user_cache() == tmp_path / "own" / "pokerlab"
    assert user_cache().is_dir()
    assert cache_folder().parent == user_cache()


def test_the_cache_lies_among_temporary_files_where_the_user_s_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "file"))
    assert user_cache() == Path(tempfile.gettempdir()) / "pokerlab"
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert user_cache() == Path(tempfile.gettempdir()) / "pokerlab"
