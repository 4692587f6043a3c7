"""Files are whole or not there."""

import io
import os
import pickle
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError, FileFormatError, PokerlabError, StorageError
from pokerlab.core.files import open_replacement_file, read_npz, remove_unfinished_files


def write(path: Path, text: bytes, *, then_fail: bool = False) -> None:
    with open_replacement_file(path) as file:
        file.write(text)
        if then_fail:
            raise KeyboardInterrupt


def test_whole_file_replaces_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "file"
    for text in (b"old", b"new"):
        write(path, text)
        assert path.read_bytes() == text
    assert list(path.parent.iterdir()) == [path]


def test_whole_file_keeps_the_old_file_on_failure(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"old")
    with pytest.raises(KeyboardInterrupt):
        write(path, b"new", then_fail=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_whole_file_in_threads_leaves_one_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [bytes([letter]) * 100_000 for letter in range(8)]
    with ThreadPoolExecutor(len(texts)) as threads:
        list(threads.map(lambda text: [write(path, text) for _ in range(20)], texts))
    assert path.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_whole_file_keeps_the_old_file_until_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"old")
    with path.open("rb") as held:
        with open_replacement_file(path) as file:
            file.write(b"new")
            file.flush()
            assert path.read_bytes() == b"old"
        assert held.read() == b"old"
    assert path.read_bytes() == b"new"


def test_whole_file_error_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file" / "below", Path("/dev/full/below"), Path("/proc/below")):
        with pytest.raises(StorageError, match="Make room there, or allow writing") as caught:
            write(path, b"text")
        assert isinstance(caught.value, PokerlabError)


def test_remove_unfinished_removes_only_parts_of_a_path(tmp_path: Path) -> None:
    path = tmp_path / "run [1].npz"
    with open_replacement_file(path) as file:
        file.write(b"text")
        [unfinished] = set(tmp_path.iterdir()) - {path}
        left = tmp_path / unfinished.name.replace("[1]", "[2]")
        for name in (left, tmp_path / f".{path.name}.lock"):
            name.write_bytes(b"")
        copy = unfinished.read_bytes()
    unfinished.write_bytes(copy)
    remove_unfinished_files(path)
    assert {p.name for p in tmp_path.iterdir()} == {path.name, left.name, f".{path.name}.lock"}


class Bomb:
    """What runs code when it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was executed",))


def npz(path: Path, name: str, content: bytes, *, compressed: bool = False) -> Path:
    kind = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", kind) as archive:
        archive.writestr(f"{name}.npy", content)
    return path


def npy(array: np.ndarray, **changes: object) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    content = file.getvalue()
    for old, new in changes.values():
        assert len(old) == len(new)
        content = content.replace(old, new)
    return content


def test_read_npz_returns_written_arrays(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6.0).reshape(2, 3).T, "b": np.array("text"), "c": np.zeros((0, 2))}
    np.savez_compressed(tmp_path / "file.npz", **arrays)
    for name, array in read_npz(tmp_path / "file.npz").items():
        np.testing.assert_array_equal(array, arrays[name])


def test_read_npz_executes_no_pickle(tmp_path: Path) -> None:
    path = npz(tmp_path / "file.npz", "a", npy(np.array([Bomb()], dtype=object)))
    with pytest.raises(FileFormatError, match="is damaged or not"):
        read_npz(path)
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FileFormatError, match="is damaged or not"):
        read_npz(path)


def test_read_npz_of_right_size_executes_no_pickle(tmp_path: Path) -> None:
    pickled = pickle.dumps(Bomb())
    count = -(-len(pickled) // 8)
    header = io.BytesIO()
    about = {"descr": "|O", "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(header, about)
    path = npz(tmp_path / "file.npz", "a", header.getvalue() + pickled.ljust(8 * count, b"\0"))
    with pytest.raises(FileFormatError, match="is damaged or not"):
        read_npz(path)


def test_read_npz_takes_no_memory_for_claimed_sizes(tmp_path: Path) -> None:
    small = np.zeros(1000)
    claims = npz(tmp_path / "claims.npz", "a", npy(small, shape=(b"(1000,)", b"(9e12,)")))
    with pytest.raises(FileFormatError):
        read_npz(claims)
    more = npz(tmp_path / "more.npz", "a", npy(small, shape=(b"(1000,)", b"(9999,)")))
    with pytest.raises(FileFormatError, match="not of the size that it claims"):
        read_npz(more)


def test_read_npz_does_not_unpack_a_zip_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = npz(tmp_path / "bomb.npz", "a", npy(np.zeros(2_000_000)), compressed=True)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr("pokerlab.core.files.MOST_BYTES", 15_000_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(FileFormatError, match="it claims to hold 16,000,128 bytes"):
        read_npz(path)


def test_whole_file_is_on_disk_before_it_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut between the two could otherwise leave the new name without content."""
    happened: list[str] = []
    replace = Path.replace
    monkeypatch.setattr(
        "os.fsync", lambda file: happened.append(f"{os.fstat(file).st_size} bytes synced")
    )
    monkeypatch.setattr(
        Path, "replace", lambda self, target: (happened.append("renamed"), replace(self, target))[1]
    )
    with open_replacement_file(tmp_path / "a.txt") as file:
        file.write(b"content")
    assert happened == ["7 bytes synced", "renamed"]


@pytest.mark.parametrize("where", ["", ".", "~", "folder"])
def test_read_npz_of_a_folder_says_so(where: str, tmp_path: Path) -> None:
    path = tmp_path if where == "folder" else Path(where).expanduser()
    with pytest.raises(CheckpointError, match=r"is a folder; give a file in it") as caught:
        pl.runs.Run(pl.solvers.CFR(pl.games.kuhn()), [], checkpoint=path)
    assert "elete" not in str(caught.value)
