"""Files are whole or not there."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pokerlab.core import PokerlabError, StorageError
from pokerlab.core.files import remove_unfinished, whole_file


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


def test_threads_that_write_to_one_path_leave_one_of_their_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [bytes([letter]) * 100_000 for letter in range(8)]
    with ThreadPoolExecutor(len(texts)) as threads:
        list(threads.map(lambda text: [write(path, text) for _ in range(20)], texts))
    assert path.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_can_be_read_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"old")
    with path.open("rb") as held, whole_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        assert held.read() == b"old"
    assert path.read_bytes() == b"new"


def test_what_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file" / "below", Path("/dev/full/below"), Path("/proc/below")):
        with pytest.raises(StorageError, match="Make room there, or allow writing") as caught:
            write(path, b"text")
        assert isinstance(caught.value, PokerlabError)


def test_what_a_kill_left_of_a_path_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run [1].npz"
    with whole_file(path) as file:
        file.write(b"text")
        [unfinished] = set(tmp_path.iterdir()) - {path}
        left = tmp_path / unfinished.name.replace("[1]", "[2]")
        for name in (left, tmp_path / f".{path.name}.lock"):
            name.write_bytes(b"")
        copy = unfinished.read_bytes()
    unfinished.write_bytes(copy)
    remove_unfinished(path)
    assert {p.name for p in tmp_path.iterdir()} == {path.name, left.name, f".{path.name}.lock"}
