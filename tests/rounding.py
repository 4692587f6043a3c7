"""Run notebooks as on a processor that rounds otherwise: all of their checks must hold there, too.

`make rounding` names them, and runs them in a copy of the project, with OpenBLAS's kernels for another
processor. In the copy each recorded fraction that another processor might compute otherwise, by linear algebra or an
evolution strategy, differs by a billionth of itself. Replicators, and populations at tables with real cards, give the
same numbers everywhere; their recordings stay.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from pokerlab.core.files import read_npz
from pokerlab.core.saved_files import SavedFile

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("pokerlab", "notebooks", "data", "pyproject.toml")
ROUNDED = ("oliehoek-2006-*.npz", "samothrakis-2011-*.npz")
BILLIONTH = 1e-9
GIVEN = {"exploration", "inner_growth"}
"""Columns of settings, which are fractions and were not computed."""
OTHER_KERNELS = {"OPENBLAS_CORETYPE": "Nehalem"}  # of 2008; other libraries don't read this
OPTIONS = "-q -p tests.first_failure --nbval-lax -n 2 --dist loadfile --nbval-cell-timeout 600 --timeout 900"


def rounded_otherwise(numbers: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the numbers, whose fractions differ by a billionth of themselves, up or down."""
    signs = generator.choice((-1.0, 1.0), numbers.shape)
    fractions = np.isfinite(numbers) & (numbers != np.rint(numbers))
    return np.where(fractions, numbers * (1.0 + BILLIONTH * signs), numbers)


def change_recordings(runs: Path) -> int:
    """Change the recorded runs in a folder; return how many numbers."""
    generator = np.random.default_rng(1)
    changed = 0
    for path in sorted(path for pattern in ROUNDED for path in runs.glob(pattern)):
        arrays = read_npz(path)
        floats = {
            name: rounded_otherwise(each, generator)
            for name, each in arrays.items()
            if each.dtype == np.float64 and name not in GIVEN
        }
        about = json.loads(arrays.pop("about").tobytes())
        about.pop("digest", None)  # saving writes the one of the changed numbers
        SavedFile(about, arrays | floats).save(path)
        changed += sum(int((floats[name] != arrays[name]).sum()) for name in floats)
    return changed


def change_scoreboard(path: Path) -> None:
    """Change the scoreboard's NashConvs."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row, sign in zip(rows, np.resize([1.0, -1.0], len(rows)), strict=True):
        row["nash_conv"] = repr(float(row["nash_conv"]) * (1.0 + BILLIONTH * float(sign)))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def main(notebooks: list[str]) -> int:
    """Run notebooks, given as pytest's arguments, in a copy of the project; return pytest's exit code."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-rounding-") as folder:
        copy = Path(folder)
        for name in COPIED:
            made = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            made(ROOT / name, copy / name)
        changed = change_recordings(copy / "data" / "runs")
        print(f"rounding: {changed:,} recorded numbers are changed by a billionth")
        assert changed > 10_000
        change_scoreboard(copy / "data" / "scoreboard.csv")
        # The copy's package comes first; from the project comes the plugin of pytest.
        places = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "POKERLAB_SCALE": "quick"}
        command = [sys.executable, "-m", "pytest", *OPTIONS.split(), *notebooks]
        return subprocess.run(
            command, cwd=copy, env=os.environ | OTHER_KERNELS | places, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
