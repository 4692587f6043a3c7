"""What other versions left in the user's cache goes after a month; what is in use, or not ours, stays."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pokerlab.core.files import whole_file
from pokerlab.holdem.equity.tables import KINDS, paths
from pokerlab.holdem.strength.evaluation import CHECKSUM
from pokerlab.holdem.strength.tables import name_in_cache
from pokerlab.warm import MONTH, outdated, remove

LEFT = [
    "strength-0123456789abcdef.npz",
    "equity-flops-1-of-2-0123456789abcdef.bytes",
    ".equity-turns-3-of-8-b3fabecf26466f52.bytes.0a1b2c3d4e5f.part",
    "kernels/.games.sweeps.gains-0123456789abcdef01234567.kernel.0a1b2c3d4e5f.part",
    "kernels/games.sweeps.gains-0123456789abcdef01234567.kernel",
]
"""Tables and kernels of other versions, and what killed processes left."""
OF_OTHERS = ["notes.txt", "strength-training.csv", "equity.bytes", "kernels.md"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path / "pokerlab"


def old(path: Path, *, days: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (time.time() - days * MONTH / 30,) * 2)
    return path


def test_only_what_is_old_and_ours_and_of_other_versions_is_outdated(folder: Path) -> None:
    gone = [old(folder / name, days=31) for name in LEFT]
    (folder / "kernels-0123456789abcdef").mkdir()
    gone.append(old(folder / "kernels-0123456789abcdef", days=31))
    for name in OF_OTHERS:
        old(folder / name, days=500)
    (folder / "kernels-fedcba9876543210").mkdir()
    old(folder / "kernels", days=99)
    for name in ("strength-fedcba9876543210.npz", "kernels/games.sweeps.plan-0.kernel"):
        old(folder / name, days=29)
    old(folder / f"{name_in_cache(CHECKSUM)}.npz", days=99)
    for kind in KINDS.values():
        for path in paths(kind):
            old(path, days=99)
    assert sorted(outdated(folder)) == sorted(gone)


def test_what_is_outdated_is_removed_with_all_that_is_in_it(folder: Path) -> None:
    kernels, table = folder / "kernels-0", folder / "strength-0.npz"
    for path in (kernels / "holdem" / "engine.nbi", table):
        with whole_file(path) as file:
            file.write(b"old")
    for path in (kernels, table, folder / "gone already"):
        remove(path)
    assert list(folder.iterdir()) == []


EVERY_KERNEL = """
import importlib, pkgutil
import pokerlab
from pokerlab import warm
from pokerlab.core.kernel import Dispatcher, source

for group in warm.GROUPS:
    for _, task in group():
        task()
kernels = {}
for module in pkgutil.walk_packages(pokerlab.__path__, "pokerlab."):
    if not module.name.endswith("__main__"):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Dispatcher):
                kernels[value.py_func] = bool(value.overloads)
reached, waiting = set(), [kernel for kernel, is_compiled in kernels.items() if is_compiled]
while waiting:
    kernel = waiting.pop()
    if kernel not in reached:
        reached.add(kernel)
        waiting.extend(source(kernel)[1])
print(len(kernels), sorted(f"{k.__module__}.{k.__name__}" for k in kernels.keys() - reached))
"""


def test_warming_compiles_every_kernel() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, check=True
    )
    count, missing = done.stdout.split(maxsplit=1)
    assert int(count) > 150
    assert missing.strip() == "[]"
