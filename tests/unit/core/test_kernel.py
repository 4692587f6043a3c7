"""Compiled kernels are kept under a digest of all that they were compiled from, and checked."""

import importlib
import operator
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import pytest

from pokerlab.core import compiler as module
from pokerlab.core.compiler import fingerprint

SOURCE = '''
"""Two kernels and a constant."""

import numpy as np

from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem import cards

FACTOR = 3
TABLE = np.arange(4)


@inlined
def inner(number):
    """Return it times a factor."""
    return FACTOR * number


@kernel
def outer(number):
    """Return the sum."""
    # A comment.
    return inner(number) + TABLE[1] + cards.NUM_CARDS


@kernel
def apart(number):
    return number - 1
'''


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Return what imports the source after a change, always by the same name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(old: str = "", new: str = ""):
        assert old in SOURCE
        (tmp_path / "some_kernels.py").write_text(
            SOURCE.replace(old, new, 1) if old else SOURCE, encoding="utf-8"
        )
        sys.modules.pop("some_kernels", None)
        importlib.invalidate_caches()
        return importlib.import_module("some_kernels")

    yield load
    sys.modules.pop("some_kernels", None)


def fingerprints(loaded):
    return [fingerprint(getattr(loaded, name).py_func) for name in ("inner", "outer", "apart")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# A comment.", "# Another comment,\n    # and one more line."),
        ("Return it times a factor.", "Return it three times."),
        ("Two kernels", "Some kernels"),
        ("FACTOR = 3", "UNUSED = 5\nFACTOR = 3"),
    ],
)
def test_words_and_what_is_not_used_change_no_fingerprint(imported, old, new):
    assert fingerprints(imported()) == fingerprints(imported(old, new))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("FACTOR = 3", "FACTOR = 4", [True, True, False]),
        ("FACTOR = 3", "FACTOR = 3.0", [True, True, False]),
        ("FACTOR * number", "number * FACTOR", [True, True, False]),
        ("np.arange(4)", "np.arange(5)", [False, True, False]),
        ("np.arange(4)", "np.arange(4, dtype=np.int32)", [False, True, False]),
        ("cards.NUM_CARDS", "cards.NUM_SUITS", [False, True, False]),
        ("number - 1", "number - 2", [False, False, True]),
    ],
)
def test_a_change_reaches_the_kernels_that_depend_on_it_and_no_others(imported, old, new, changed):
    before, after = fingerprints(imported()), fingerprints(imported(old, new))
    assert [x != y for x, y in zip(before, after, strict=True)] == changed


def test_a_constant_of_another_module_counts(imported, monkeypatch):
    loaded = imported()
    before = fingerprints(loaded)
    monkeypatch.setattr(loaded.cards, "NUM_CARDS", 36)
    module.fingerprint.cache_clear()
    module.source.cache_clear()
    assert [*map(operator.ne, before, fingerprints(loaded))] == [False, True, False]
    module.fingerprint.cache_clear()
    module.source.cache_clear()


def test_a_kernel_that_refers_to_what_no_digest_tells_is_refused(imported):
    loaded = imported("TABLE = np.arange(4)", "TABLE = {1: 2}")
    with pytest.raises(TypeError, match=r"a kernel refers to \{1: 2\}"):
        fingerprint(loaded.outer.py_func)


def test_every_kernel_has_a_fingerprint_of_its_own():
    from pokerlab import evolution, metrics, solvers  # noqa: F401  (they load their kernels)

    kernels = {
        f"{loaded.__name__}.{name}": value.py_func
        for loaded in list(sys.modules.values())
        if getattr(loaded, "__name__", "").startswith("pokerlab.")
        for name, value in vars(loaded).items()
        if isinstance(value, module.Dispatcher) and value.py_func.__module__ == loaded.__name__
    }
    assert len(kernels) > 150
    assert len({fingerprint(function) for function in kernels.values()}) == len(kernels)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "kernel_folder", lambda: tmp_path / "kernels")
    return tmp_path / "kernels"


def misses(kernel) -> int:
    return sum(kernel.stats.cache_misses.values())


def test_what_is_kept_is_loaded_and_not_compiled(imported, folder):
    first = imported()
    assert first.outer(2) == 2 * 3 + 1 + 52
    assert misses(first.outer) == 1
    second = imported("# A comment.", "# A better comment.")
    assert second.outer(2) == 59
    assert misses(second.outer) == 0
    assert second.outer(2.5) == 60.5
    assert misses(second.outer) == 1


def test_tuples_of_the_same_name_in_other_modules_have_files_of_their_own(imported, folder):
    for number, module_name in enumerate(("one", "two"), 1):
        pair = namedtuple("Pair", "x y")
        pair.__module__ = module_name
        sys.modules[module_name] = ModuleType(module_name)
        sys.modules[module_name].Pair = pair
        loaded = imported("return number - 1", "return number.x - number.y")
        assert loaded.apart(pair(3, 1)) == 2
        assert misses(loaded.apart) == 1
        assert len(list(folder.iterdir())) == number
        del sys.modules[module_name]


def test_a_first_look_is_interpreted_until_a_kernel_is_kept(imported, folder, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    loaded = imported()
    with module.first_look(True) as interpreted:
        assert loaded.outer(2) == 59
        assert module.has_looked()
    assert interpreted
    assert not module.has_looked()
    assert not loaded.outer.overloads
    assert not folder.exists()
    assert loaded.outer(2) == 59
    assert misses(loaded.outer) == 1
    with module.first_look(True) as interpreted:
        assert imported().outer(2) == 59
        assert not module.has_looked()
    assert not interpreted


DAMAGE = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "extended": lambda content: content + b"x",
    "a bit of the machine code": lambda content: flipped(content, len(content) // 2),
    "a bit of the checksum": lambda content: flipped(content, 3),
    "something else": lambda content: b"no kernel",
}


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_noticed_unloaded_and_made_again(imported, folder, monkeypatch, damage):
    assert imported().apart(1) == 0
    [path] = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    damaged = imported()
    with monkeypatch.context() as patched:
        patched.setattr(module.pickle, "loads", lambda payload: pytest.fail("it was loaded"))
        with pytest.warns(UserWarning, match="is damaged"):
            damaged.apart(1)
    assert module.checked(path) is not None
    again = imported()
    assert again.apart(1) == 0
    assert misses(again.apart) == 0


def test_where_nothing_can_be_kept_everything_works_and_it_is_said(imported, monkeypatch):
    monkeypatch.setattr(module, "kernel_folder", lambda: Path("/dev/null/kernels"))
    with pytest.warns(UserWarning, match="compiled at every start"):
        assert imported().apart(1) == 0


def test_another_process_loads_what_one_has_kept(imported, folder):
    imported().apart(1)
    names = sorted(path.name for path in folder.iterdir())
    command = f"import sys; sys.path.insert(0, {str(folder.parent)!r}); import some_kernels\n"
    command += "from pokerlab.core import compiler; from pathlib import Path\n"
    command += f"compiler.kernel_folder = lambda: Path({str(folder)!r})\n"
    command += "some_kernels.apart(1); print(sum(some_kernels.apart.stats.cache_misses.values()))"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
    assert sorted(path.name for path in folder.iterdir()) == names
