"""What `make lite` publishes: lessons, each of which installs pokerlab in the browser, or says that it is to read."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tools.doors import RUNNING
from tools.lite import CARRIED, main, write_notebooks_for_browser

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMED = re.compile(r"lessons (\d\d) to (\d\d)((?:,(?: and)? \d\d)*) run ")
SHORT = "04b_sequence_form"


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("lite") / "lessons"
    write_notebooks_for_browser(ROOT / "notebooks", out, "1.2.3")
    return out


def run_as_in_a_browser(lesson: str, *options: str) -> str:
    """Run a lesson and its benches where neither a thread nor a process starts; return what was done, in words."""
    command = [sys.executable, "-m", "tests.as_in_a_browser", lesson, *options]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"POKERLAB_SCALE": "quick"}, capture_output=True, encoding="utf-8"
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()[-1]


def test_lesson_runs_without_numba_threads_and_processes() -> None:
    assert SHORT in RUNNING
    assert run_as_in_a_browser(SHORT, "--without-numba").startswith(f"{SHORT}: cells")


def test_bench_of_a_lesson_runs_without_threads_and_processes() -> None:
    said = run_as_in_a_browser("00_start_here")
    (iterations,) = json.loads(said.partition("benches ")[2])
    assert iterations > 0


@pytest.mark.slow
@pytest.mark.notebook
@pytest.mark.parametrize("lesson", RUNNING)
def test_each_promised_lesson_runs_as_in_a_browser(lesson: str) -> None:
    assert run_as_in_a_browser(lesson, "--without-numba").startswith(f"{lesson}: cells")


@pytest.mark.parametrize("page", ["README.md", "notebooks/README.md"])
def test_pages_name_the_lessons_that_run_in_a_browser(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (named,) = NAMED.findall(text)
    first, last, others = named
    promised = [*range(int(first), int(last) + 1), *map(int, re.findall(r"\d\d", others))]
    numbers = dict.fromkeys(int(name[:2]) for name in RUNNING)  # 04 and 04b are one number
    assert [*numbers] == promised


def test_guard_against_threads_and_processes_lets_none_start() -> None:
    code = """
from tests.as_in_a_browser import forbid_threads_and_processes
import os, subprocess, threading
forbid_threads_and_processes()
tried = [threading.Thread(target=print).start, os.fork, lambda: subprocess.run(["true"])]
for start in tried:
    try:
        start()
    except (RuntimeError, OSError) as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    no_thread, *no_processes = done.stdout.splitlines()
    assert no_thread == "can't start new thread"
    assert no_processes == ["[Errno 138] emscripten does not support processes."] * 2


def test_running_lessons_install_first_and_others_keep_their_outputs(lessons: Path) -> None:
    for path in LESSONS:
        copy, given = (nbformat.read(each, as_version=4) for each in (lessons / path.name, path))
        nbformat.validate(copy)
        first = copy.cells.pop(1)
        assert [cell.source for cell in copy.cells] == [cell.source for cell in given.cells]
        outputs = [cell.outputs for cell in copy.cells if cell.cell_type == "code"]
        if path.stem in RUNNING:
            assert "%pip install -q pokerlab==1.2.3 ipywidgets anywidget" in first.source
            assert not any(outputs)
        else:
            assert "To read." in first.source
            assert outputs == [cell.outputs for cell in given.cells if cell.cell_type == "code"]


def test_lite_leaves_another_folder_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    assert main(["--root", str(ROOT), "--out", str(tmp_path)]) == 1
    assert "is no JupyterLite" in capsys.readouterr().out
    assert (tmp_path / "precious.txt").exists()


@pytest.mark.slow
def test_lite_publishes_lessons_wheels_and_extensions(tmp_path: Path) -> None:
    """Where JupyterLite is installed, and a package index answers."""
    pytest.importorskip("jupyterlite_pyodide_kernel")
    out = tmp_path / "lite"
    assert main(["--root", str(ROOT), "--out", str(out)]) == 0
    assert {path.name for path in LESSONS} <= {path.name for path in (out / "files").iterdir()}
    index = json.loads((out / "pypi" / "all.json").read_text(encoding="utf-8"))
    assert set(index) == {"pokerlab", *CARRIED}
    config = json.loads((out / "jupyter-lite.json").read_text(encoding="utf-8"))
    names = {each["name"] for each in config["jupyter-config-data"]["federated_extensions"]}
    assert {"anywidget", "@jupyter-widgets/jupyterlab-manager"} <= names
