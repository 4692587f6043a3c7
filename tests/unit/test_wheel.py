"""The wheel alone, installed into an empty place, has what the lessons need; what it lacks is told."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from pokerlab.core.cache import get_user_cache_folder
from pokerlab.papers.experiment import UNFINISHED_FOLDER

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 8 * 2**20
READING = {
    "13_pareto_coevolution": ("again = History.load(RUNS", "scoreboard("),
    "13b_dominance_or_elitism": ("splits = History.load(RUNS",),
}
"""Lessons with cells that read recordings of runs or the scoreboard, and need no cell but the first two."""
HAS = """
import pokerlab as pl
from pokerlab.papers.experiment import read_published_numbers

pl.workbench.scoreboard("13")
print(pl.__file__, len(read_published_numbers("nicolai-2009")))
"""
LACKS = """
import pokerlab as pl
from pokerlab.papers.experiment import RUNS, load_or_make_history
from pokerlab.runs import History, Run

def refused(function, *given):
    try:
        function(*given)
    except pl.core.PokerlabError as error:
        print(error)

refused(History.load, RUNS / "nicolai-2009-control.npz")
refused(load_or_make_history, "other", None, {})
refused(lambda: Run(pl.solvers.CFR(pl.games.kuhn()), [], checkpoint=RUNS / "mine.npz"))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder into which the wheel was installed."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, ROOT]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = wheels.iterdir()
    subprocess.run([*pip, "install", "--no-index", "--no-deps", "-t", site, wheel], check=True)
    return site


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Return an empty folder."""
    return tmp_path


def run(site: Path, folder: Path, *arguments: str) -> str:
    """Run Python in a folder, with the wheel's pokerlab; return what it prints."""
    places = {"HOME": folder, "PYTHONPATH": site, "POKERLAB_CACHE": get_user_cache_folder().parent}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {name: str(place) for name, place in places.items()},
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    return done.stdout


def test_the_scoreboard_and_published_numbers_come_from_the_wheel(site: Path, empty: Path) -> None:
    assert (
        run(site, empty, "-c", HAS).splitlines()[-1] == f"{site / 'pokerlab' / '__init__.py'} 109"
    )


def test_no_lesson_names_a_recording_that_the_wheel_lacks(site: Path) -> None:
    recordings = (path.relative_to(ROOT) for path in ROOT.glob("data/runs/**/*.npz"))
    whole = [path for path in recordings if UNFINISHED_FOLDER not in path.parts]
    lacks = [path for path in whole if not (site / "pokerlab" / path).exists()]
    lessons = "".join(lesson.read_text(encoding="utf-8") for lesson in LESSONS)
    assert [path.name for path in lacks if path.stem in lessons] == []
    installed = (site / "pokerlab" / "data").rglob("*")
    assert sum(path.stat().st_size for path in installed if path.is_file()) < MOST_BYTES


def test_errors_say_where_a_recording_is_and_that_nothing_is_kept(site: Path, empty: Path) -> None:
    control, other, mine = run(site, empty, "-c", LACKS).splitlines()
    assert f"{site}/pokerlab/data/runs/nicolai-2009-control.npz does not exist." in control
    assert "other.npz does not exist." in other
    assert "a clone of the repository has them" in control
    assert "a clone of the repository has them" in other
    assert "mine.npz would be among the data of an installed pokerlab" in mine


def execute(site: Path, folder: Path, name: str) -> None:
    """Run a notebook in a folder, with the wheel's pokerlab."""
    options = ["--log-level=WARN", "--execute", "--to", "notebook", "--output", "done"]
    run(site, folder, "-m", "nbconvert", *options, name)
    assert (folder / "done.ipynb").exists()


@pytest.mark.notebook
@pytest.mark.parametrize("name", READING)
def test_cells_that_read_recordings_run_in_an_empty_folder(
    name: str, site: Path, empty: Path
) -> None:
    """Other cells read nothing of the wheel; a slow test runs them, too."""
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    reading = [cell for cell in code[2:] if any(words in cell.source for words in READING[name])]
    assert len(reading) == len(READING[name])
    lesson.cells = [*code[:2], *reading]
    nbformat.write(lesson, empty / f"{name}.ipynb")
    execute(site, empty, f"{name}.ipynb")


@pytest.mark.slow
@pytest.mark.notebook
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_runs_in_an_empty_folder(lesson: Path, site: Path, empty: Path) -> None:
    shutil.copy(lesson, empty)
    execute(site, empty, lesson.name)
