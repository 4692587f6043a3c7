"""Compiled kernels are kept in folders named by all that they were compiled from, and checked when they are read."""

import importlib
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from pokerlab.core import POINTS
from pokerlab.core import compiler as module
from pokerlab.core.compiler import PACKAGES_WITH_KERNELS, Dispatcher, get_package_cache_folder
from pokerlab.games import contest

SOURCE = '''
"""Two kernels and a constant."""

import numpy as np

from pokerlab.core.compiler import inlined, kernel

FACTOR = 3
TABLE = np.arange(4)


@inlined
def inner(number):
    """Return it times a factor."""
    return FACTOR * number


@kernel
def outer(number):
    """Return the sum."""
    return inner(number) + TABLE[1]


@kernel
def apart(number):
    return number - 1
'''


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Return what imports the source after a change, always by the same name, as a new process would."""
    home = tmp_path / "package"
    for name in PACKAGES_WITH_KERNELS:
        (home / name).mkdir(parents=True)
    monkeypatch.setattr(module, "PACKAGE", home)
    monkeypatch.syspath_prepend(str(home / "games"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(old: str = "", new: str = ""):
        assert old in SOURCE
        source = SOURCE.replace(old, new, 1) if old else SOURCE
        (home / "games" / "some_kernels.py").write_text(source, encoding="utf-8")
        stamps = {package: module.read_source_stamps(package) for package in PACKAGES_WITH_KERNELS}
        monkeypatch.setattr(module, "SOURCE_STAMPS_AT_START", stamps)
        sys.modules.pop("some_kernels", None)
        importlib.invalidate_caches()
        return importlib.import_module("some_kernels")

    yield load
    sys.modules.pop("some_kernels", None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder in which kernels are kept during a test."""
    monkeypatch.setattr(module, "get_kernel_cache_folder", lambda: tmp_path / "kernels")
    monkeypatch.setattr(
        module, "get_package_cache_folder", module.get_package_cache_folder.__wrapped__
    )
    return tmp_path / "kernels"


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def machine_code(folder: Path) -> list[Path]:
    return [path for path in files(folder) if path.suffix == ".nbc"]


def misses(kernel) -> int:
    return sum(kernel.stats.cache_misses.values())


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder with one file for each package, and what names the folders of all packages' kernels."""
    for name in PACKAGES_WITH_KERNELS:
        (tmp_path / name / "shelf").mkdir(parents=True)
        (tmp_path / name / "shelf" / "module.py").write_text(f"ROOM = {name!r}", encoding="utf-8")
    monkeypatch.setattr(module, "PACKAGE", tmp_path)

    def folders():
        stamps = {each: module.read_source_stamps(each) for each in PACKAGES_WITH_KERNELS}
        monkeypatch.setattr(module, "SOURCE_STAMPS_AT_START", stamps)
        return [get_package_cache_folder.__wrapped__(each).name for each in PACKAGES_WITH_KERNELS]

    return tmp_path, folders


@pytest.mark.parametrize("edited", range(len(PACKAGES_WITH_KERNELS)), ids=PACKAGES_WITH_KERNELS)
def test_edit_changes_folders_of_its_package_and_those_above(package, edited):
    root, folders = package
    before = folders()
    assert folders() == before
    (root / PACKAGES_WITH_KERNELS[edited] / "shelf" / "module.py").write_text(
        "ROOM = 'another'", encoding="utf-8"
    )
    changed = [one != other for one, other in zip(before, folders(), strict=True)]
    assert changed == [place >= edited for place in range(len(PACKAGES_WITH_KERNELS))]


def test_packages_with_kernels_are_listed_in_order():
    """The order is that of the import contract, so the digest of a package covers what a kernel in it can refer to."""
    root = module.PACKAGE
    marks = ("@kernel", "@inlined", "attach_kernel_cache(")
    packages = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        if any(mark in path.read_text(encoding="utf-8") for mark in marks)
    }
    assert packages <= set(PACKAGES_WITH_KERNELS)
    for place, name in enumerate(PACKAGES_WITH_KERNELS):
        above = [f"from pokerlab.{other}" for other in PACKAGES_WITH_KERNELS[place + 1 :]]
        for path in (root / name).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not any(f"\n{line} " in text or f"\n{line}." in text for line in above), path


def test_cached_kernel_is_not_compiled_again(imported, folder):
    first = imported()
    assert first.outer(2) == 2 * 3 + 1
    assert misses(first.outer) == 1
    second = imported()
    assert second.outer(2) == 7
    assert misses(second.outer) == 0
    assert second.outer(2.5) == 8.5
    assert misses(second.outer) == 1
    third = imported()
    assert (third.outer(2), third.outer(2.5), misses(third.outer)) == (7, 8.5, 0)


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("FACTOR = 3", "FACTOR = 4", 9),
        ("FACTOR = 3", "FACTOR = 3.5", 8),
        ("np.arange(4)", "np.arange(4) + 1", 8),
        ("FACTOR * number", "FACTOR - number", 2),
    ],
)
def test_edited_kernel_is_compiled_again(imported, folder, old, new, result):
    assert imported().outer(2) == 7
    changed = imported(old, new)
    assert changed.outer(2) == result
    assert misses(changed.outer) == 1


def test_process_with_changed_sources_caches_nothing(imported, folder):
    """It runs what it read at first, which the digest of the new files would not tell."""
    old = imported()
    path = Path(old.__file__)
    path.write_text(SOURCE.replace("FACTOR = 3", "FACTOR = 4"), encoding="utf-8")
    assert old.outer(2) == 7
    assert files(folder) == []
    assert imported("FACTOR = 3", "FACTOR = 4").outer(2) == 9


def test_process_with_changed_sources_loads_nothing(imported, folder):
    assert imported().outer(2) == 7
    home = imported().__file__
    Path(home).write_text(SOURCE.replace("FACTOR = 3", "FACTOR = 4"), encoding="utf-8")
    sys.modules.pop("some_kernels")
    later = importlib.import_module("some_kernels")  # by this process, only now
    assert later.outer(2) == 9


def test_kernels_outside_the_package_are_not_kept(folder):
    """A notebook's cell looks the same when a number in another cell has changed."""
    for factor in (3, 4):
        names = {"FACTOR": factor}
        exec(compile("def times(x):\n    return FACTOR * x", "<cell 1>", "exec"), names)
        assert module.kernel(names["times"])(1) == factor
    assert not folder.exists()


def test_equal_tuple_names_have_separate_files(imported, folder):
    for number, module_name in enumerate(("one", "two"), 1):
        pair = namedtuple("Pair", "x y")
        pair.__module__ = module_name
        sys.modules[module_name] = ModuleType(module_name)
        sys.modules[module_name].Pair = pair
        loaded = imported("return number - 1", "return number.x - number.y")
        assert loaded.apart(pair(3, 1)) == 2
        assert misses(loaded.apart) == 1
        assert len(machine_code(folder)) == number
    for module_name in ("one", "two"):
        del sys.modules[module_name]


DAMAGE = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "a bit in the middle": lambda content: flipped(content, len(content) // 2),
    "a bit of the checksum": lambda content: flipped(content, 20),
    "something else": lambda content: b"no kernel",
}


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damaged_machine_code_is_never_loaded_and_is_made_again(
    imported, folder, monkeypatch, damage
):
    assert imported().apart(1) == 0
    [path] = machine_code(folder)
    path.write_bytes(damage(path.read_bytes()))
    damaged = imported()
    with monkeypatch.context() as patched:
        code = "numba.core.compiler.CompileResult._rebuild"
        patched.setattr(code, lambda *_: pytest.fail("it was loaded"))
        with pytest.warns(UserWarning, match=r"is damaged .* it is made again"):
            assert damaged.apart(1) == 0
    again = imported()
    assert again.apart(1) == 0
    assert misses(again.apart) == 0


@pytest.mark.parametrize("damage", ["empty", "cut off", "something else"])
def test_a_damaged_index_is_made_again(imported, folder, damage):
    assert imported().apart(1) == 0
    [path] = [path for path in files(folder) if path.suffix == ".nbi"]
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    with pytest.warns(UserWarning, match=r"is damaged .* it is made again"):
        assert imported().apart(1) == 0
    again = imported()
    assert (again.apart(1), misses(again.apart)) == (0, 0)


def test_machine_code_for_other_types_is_made_again(imported, folder):
    """Two processes that compile a kernel for different types at once can write under one name."""
    loaded = imported()
    assert (loaded.apart(1), loaded.apart(1.5)) == (0, 0.5)
    whole, floating = machine_code(folder)
    shutil.copy(floating, whole)
    with pytest.warns(UserWarning, match=r"is damaged \(it is of other types\)"):
        assert imported().apart(1) == 0


def test_kernels_without_cache_work_with_a_warning(imported, monkeypatch):
    monkeypatch.setattr(module, "get_package_cache_folder", lambda _: Path("/dev/null/kernels"))
    with pytest.warns(UserWarning, match="compiled at every start"):
        assert imported().apart(1) == 0


def test_another_process_loads_cached_kernels(imported, folder):
    imported().apart(1)
    names = files(folder)
    home = folder.parent / "package"
    command = f"""
import sys
from pathlib import Path
from pokerlab.core import compiler
sys.path.insert(0, {str(home / "games")!r})
compiler.PACKAGE, compiler.get_kernel_cache_folder = Path({str(home)!r}), lambda: Path({str(folder)!r})
compiler.SOURCE_STAMPS_AT_START = {{name: compiler.read_source_stamps(name) for name in compiler.PACKAGES_WITH_KERNELS}}
import some_kernels
some_kernels.apart(1)
print(sum(some_kernels.apart.stats.cache_misses.values()))
"""
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
    assert files(folder) == names


def test_users_cached_function_stays_in_numbas_folder(folder, tmp_path, monkeypatch):
    source = "import numba\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n"
    (tmp_path / "of_a_user.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    twice = importlib.import_module("of_a_user").twice
    del sys.modules["of_a_user"]
    assert twice(2) == 4
    assert not folder.exists()
    assert Path(twice.stats.cache_path) == tmp_path / "__pycache__"


def test_loop_around_users_function_is_not_cached(folder):
    """It may call functions of files that no digest covers."""
    play = numba.njit(lambda a, b, seed: a[0] - b[0])
    sums = contest(play, name="sums", unit=POINTS)
    first = np.arange(2)
    assert sums.play_pairings(np.ones((2, 1)), np.zeros((2, 1)), first, first, first).tolist() == [
        1.0,
        1.0,
    ]
    assert not folder.exists()


def test_every_kernel_has_its_own_files():
    root = module.PACKAGE
    paths = [path for name in PACKAGES_WITH_KERNELS for path in (root / name).rglob("*.py")]
    names = [".".join(path.relative_to(root.parent).with_suffix("").parts) for path in paths]
    kernels = [
        value
        for name in names
        for value in vars(importlib.import_module(name.removesuffix(".__init__"))).values()
        if isinstance(value, Dispatcher) and value.py_func.__module__ == name
    ]
    assert len(kernels) > 150
    places = {
        (kernel._cache.cache_path, kernel._cache.numba_cache._impl.filename_base)
        for kernel in kernels
    }
    assert len(places) == len(kernels)
