"""Fixed arrays are mapped from files that are whole and that nobody else can write to, or else made."""

import errno
import hashlib
import os
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numba
import numpy as np
import pytest

from pokerlab.core import fixed_arrays
from pokerlab.core.cache import DAY
from pokerlab.core.fixed_arrays import (
    FixedArray,
    find_trusted_shared_folder,
    load_fixed_array,
    remove_corrupt_arrays,
    share_fixed_arrays,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="about owners of files")

NUMBERS = np.arange(10_000, dtype=np.uint32).reshape(100, 100)
FIXED = FixedArray("squares", (100, 100), np.uint32, hashlib.sha256(NUMBERS.data).hexdigest())
NOBODY = 4_000_000


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """Lend a user's cache, and a folder beside an installation that all can reach, which does not exist yet."""
    with ExitStack() as stack:
        cache, installation = (Path(stack.enter_context(TemporaryDirectory())) for _ in range(2))
        installation.chmod(0o755)
        beside = installation / "share" / "pokerlab"
        monkeypatch.setattr(fixed_arrays, "get_user_cache_folder", lambda: cache)
        monkeypatch.setattr(fixed_arrays, "get_shared_folder", lambda: beside)
        yield cache, beside


class Maker:
    """Makes the array, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Any:
        self.times += 1
        return NUMBERS.copy()

    def load(self) -> Any:
        """Return the array after checking it."""
        array = load_fixed_array(FIXED, self)
        assert type(array) is np.ndarray
        assert np.array_equal(array, NUMBERS)
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
        return array


def is_mapped(array: Any) -> bool:
    return isinstance(array.base, np.memmap)


def test_fixed_array_is_made_once_and_mapped(places: tuple[Path, Path]) -> None:
    make = Maker()
    arrays = [make.load() for _ in range(3)]
    assert make.times == 1
    assert all(map(is_mapped, arrays))
    assert [path.name for path in places[0].iterdir()] == [FIXED.file_name]


def test_mapped_array_has_the_type_of_a_frozen_one_in_kernels(places: tuple[Path, Path]) -> None:
    frozen = NUMBERS.copy()
    frozen.setflags(write=False)
    typeof: Any = numba.typeof
    assert typeof(Maker().load()) == typeof(frozen)


def cut(content: bytes) -> bytes:
    return content[:-1]


def lengthen(content: bytes) -> bytes:
    return content + b"\0"


def empty(content: bytes) -> bytes:
    return b""


def damage_header(content: bytes) -> bytes:
    return content[:20] + b"(((" + content[23:]


def claim_other_shape(content: bytes) -> bytes:
    return content.replace(b"(100, 100)", b"(10, 1000)")


def claim_other_type(content: bytes) -> bytes:
    return content.replace(b"<u4", b"<i4")


@pytest.mark.parametrize(
    "change", [cut, lengthen, empty, damage_header, claim_other_shape, claim_other_type]
)
def test_damaged_file_is_made_again(
    places: tuple[Path, Path], change: Callable[[bytes], bytes]
) -> None:
    make = Maker()
    make.load()
    path = places[0] / FIXED.file_name
    path.write_bytes(change(path.read_bytes()))
    with pytest.warns(UserWarning, match=r"squares-.*npy is damaged; the array is made again"):
        assert is_mapped(make.load())
    make.load()
    assert make.times == 2


def test_fixed_array_with_damaged_header_is_noticed_or_harmless(places: tuple[Path, Path]) -> None:
    make = Maker()
    make.load()
    path = places[0] / FIXED.file_name
    whole = path.read_bytes()
    numbers = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, bit in numbers.integers((128, 8), size=(200, 2)):
            content = bytearray(whole)
            content[place] ^= 1 << bit
            path.write_bytes(content)
            make.load()


def test_wrong_numbers_are_found_and_removed_on_request(places: tuple[Path, Path]) -> None:
    make = Maker()
    make.load()
    path = places[0] / FIXED.file_name
    remove_corrupt_arrays([FIXED])
    assert path.exists()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.warns(UserWarning, match=r"has wrong numbers. It is removed"):
        remove_corrupt_arrays([FIXED])
    assert not path.exists()


def test_numbers_that_change_while_written_are_not_kept(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = np.save
    monkeypatch.setattr(np, "save", lambda file, array, **how: save(file, array + 1, **how))
    assert not is_mapped(Maker().load())
    assert list(places[0].iterdir()) == []


def test_array_made_with_other_numbers_is_refused(places: tuple[Path, Path]) -> None:
    with pytest.raises(ArithmeticError, match="squares came out with other numbers"):
        load_fixed_array(FIXED, lambda: NUMBERS + np.uint32(1))
    assert list(places[0].iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_array_that_cannot_be_kept_is_made_each_time(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(np, "save", refuse)
    make = Maker()
    assert not any(is_mapped(make.load()) for _ in range(2))
    assert make.times == 2
    assert list(places[0].iterdir()) == []


def test_without_any_cache_the_array_is_made_each_time(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        fixed_arrays, "get_user_cache_folder", lambda: Path(os.devnull) / "pokerlab"
    )
    make = Maker()
    assert not any(is_mapped(make.load()) for _ in range(2))
    assert make.times == 2


def test_replaced_file_leaves_mapped_arrays_as_they_were(places: tuple[Path, Path]) -> None:
    array = Maker().load()
    path = places[0] / FIXED.file_name
    other = path.with_name("other.npy")
    np.save(other, NUMBERS + np.uint32(1))
    other.replace(path)
    assert np.array_equal(array, NUMBERS)
    path.unlink()
    assert np.array_equal(array, NUMBERS)


def test_shared_arrays_move_beside_the_installation(places: tuple[Path, Path]) -> None:
    cache, beside = places
    make = Maker()
    make.load()
    before = os.umask(0o077)
    try:
        assert share_fixed_arrays([FIXED]) == beside
    finally:
        os.umask(before)
    path = beside / FIXED.file_name
    assert beside.stat().st_mode & 0o777 == 0o755
    assert path.stat().st_mode & 0o777 == 0o644
    assert list(cache.iterdir()) == []
    assert is_mapped(make.load())
    assert share_fixed_arrays([FIXED]) == beside
    assert (make.times, list(cache.iterdir())) == (1, [])


def share() -> Maker:
    """Make the array and share it."""
    make = Maker()
    make.load()
    share_fixed_arrays([FIXED])
    return make


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_shared_folder_open_to_others_is_refused(places: tuple[Path, Path], mode: int) -> None:
    cache, beside = places
    make = share()
    beside.chmod(mode)
    with pytest.warns(UserWarning, match=r"pokerlab is not used, because others could write to it"):
        make.load()
    assert (make.times, len(list(cache.iterdir()))) == (2, 1)
    share_fixed_arrays([FIXED])  # by the owner: closes the folder again
    assert find_trusted_shared_folder() == beside
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_shared_file_open_to_others_is_refused(places: tuple[Path, Path], mode: int) -> None:
    make = share()
    path = places[1] / FIXED.file_name
    path.chmod(mode)
    with pytest.warns(UserWarning, match=r"npy is not used, because others could write to it"):
        make.load()
    assert make.times == 2
    with pytest.warns(UserWarning, match="is not used"):
        share_fixed_arrays([FIXED])
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="root gives files away")
@pytest.mark.parametrize("given", ["folder", "file"])
def test_shared_array_of_somebody_else_is_refused(places: tuple[Path, Path], given: str) -> None:
    make = share()
    path = places[1] / FIXED.file_name if given == "file" else places[1]
    os.chown(path, NOBODY, -1)
    with pytest.warns(UserWarning, match="is not used"):
        make.load()
    assert make.times == 2


def test_shared_array_of_the_owner_of_the_code_is_used(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = share()
    monkeypatch.setattr(os, "getuid", lambda: NOBODY)
    make.load()
    assert make.times == 1


def test_damaged_shared_file_is_not_used(places: tuple[Path, Path]) -> None:
    make = share()
    path = places[1] / FIXED.file_name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(UserWarning, match="is damaged"):
        make.load()
    with pytest.warns(UserWarning, match="is damaged"):
        share_fixed_arrays([FIXED])
    make.load()
    assert make.times == 2


def test_arrays_in_a_private_home_are_not_shared(places: tuple[Path, Path]) -> None:
    cache, beside = places
    beside.parents[1].chmod(0o750)
    Maker().load()
    assert share_fixed_arrays([FIXED]) is None
    assert not beside.exists()
    assert len(list(cache.iterdir())) == 1


def test_arrays_beside_a_read_only_installation_are_not_shared(places: tuple[Path, Path]) -> None:
    cache, beside = places
    beside.parent.write_bytes(
        b""
    )  # a file, where no folder can be made; root may write anywhere else
    Maker().load()
    assert share_fixed_arrays([FIXED]) is None
    assert find_trusted_shared_folder() is None
    assert len(list(cache.iterdir())) == 1


def test_other_old_arrays_beside_the_installation_are_removed(places: tuple[Path, Path]) -> None:
    share()
    names = ["equity-old.npy", ".squares.npy.0a1b.part", "notes.txt"]
    for name in [*names, "new.npy"]:
        (places[1] / name).touch()
    for name in [*names, FIXED.file_name]:
        os.utime(places[1] / name, (time.time() - 2 * DAY,) * 2)
    share_fixed_arrays([FIXED])
    left = {path.name for path in places[1].iterdir()}
    assert left == {FIXED.file_name, "new.npy", "notes.txt"}


MAKE_AT_ONCE = """
    import sys, time
    from pathlib import Path
    import numpy as np
    from pokerlab.core import fixed_arrays
    from pokerlab.core.fixed_arrays import FixedArray, load_fixed_array

    folder, checksum = Path(sys.argv[1]), sys.argv[2]
    fixed_arrays.get_user_cache_folder = lambda: folder
    fixed_arrays.find_trusted_shared_folder = lambda: None

    def make():
        (folder / f"making-{sys.argv[3]}").touch()
        while len(list(folder.glob("making-*"))) < 2:
            time.sleep(0.01)
        return np.arange(10_000, dtype=np.uint32).reshape(100, 100)

    array = load_fixed_array(FixedArray("squares", (100, 100), np.uint32, checksum), make)
    print(isinstance(array.base, np.memmap), int(array.sum()))
"""


def test_two_processes_may_make_an_array_at_once(places: tuple[Path, Path]) -> None:
    arguments = [sys.executable, "-c", textwrap.dedent(MAKE_AT_ONCE), str(places[0])]
    processes = [
        subprocess.Popen(
            [*arguments, FIXED.checksum, str(number)], stdout=subprocess.PIPE, text=True
        )
        for number in range(2)
    ]
    answers = [process.communicate(timeout=120)[0].split() for process in processes]
    assert answers == [["True", str(NUMBERS.sum())]] * 2
    assert [path.name for path in places[0].glob("*squares*")] == [FIXED.file_name]
