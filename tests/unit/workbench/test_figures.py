"""The figures command runs notebooks, moves figures, renews the gallery, and leaves no trace of the session."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
import pytest
from PIL import Image

from pokerlab.workbench.kept_figures import FIGURES_VARIABLE
from tools import figures
from tools.figures import WIDGET, remove_session_traces
from tools.lab import move_unwritable_folders

Capture = pytest.CaptureFixture[str]
DRAWS = """
import os
import pokerlab as pl
made, axes = pl.workbench.figure(2.0, 1.0)
pl.workbench.show(made, os.environ["POKERLAB_SCALE"], name="empty")
"""
BUSY = f"""
import os, pathlib, time
pathlib.Path(os.environ["{FIGURES_VARIABLE}"], "half.png").touch()
pathlib.Path("busy").touch()
time.sleep(600)
"""
FAILS = DRAWS.replace("empty", "half") + "\nraise RuntimeError('not today')"


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Path]:
    for name in ("notebooks", "figures", "spare"):
        (tmp_path / name).mkdir()
    with patch.dict(os.environ):
        move_unwritable_folders(tmp_path / "spare")
        yield tmp_path


def add_notebook(repository: Path, name: str, *sources: str) -> Path:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    path = repository / "notebooks" / f"{name}.ipynb"
    nbformat.write(notebook, path)
    return path


def command(repository: Path, *options: str) -> int:
    folders = [f"--{name}={repository / name}" for name in ("notebooks", "figures")]
    return figures.main([*folders, *options])


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.notebook
def test_notebooks_run_at_a_scale_write_into_its_folder(repository: Path) -> None:
    path = add_notebook(repository, "00", DRAWS, f"{DRAWS}\nhere = '{repository}'\nprint(here)")
    before = path.read_text(encoding="utf-8")
    assert command(repository, "--scale=lab") == 0
    lab = files_in(repository / "figures")
    assert set(lab) == {"lab/empty.png", "lab/empty.svg", "lab/empty.json"}
    assert path.read_text(encoding="utf-8") == before
    about = json.loads(lab["lab/empty.json"])
    assert about["notebook"] == "00"
    assert about["caption"] == "lab"

    assert command(repository, "--scale=paper", "--write") == 0
    paper = files_in(repository / "figures")
    assert set(paper) - set(lab) == {"paper/empty.png", "paper/empty.svg", "paper/empty.json"}
    assert {name: paper[name] for name in lab} == lab
    cells = nbformat.read(path, as_version=4).cells
    assert [out.data.get("text/markdown") for out in cells[0].outputs] == [None, "paper"]
    assert cells[1].outputs[-1].text == ".\n"
    assert command(repository, "--check") == 0


def test_complaints_leave_out_progress_and_keep_what_follows_it() -> None:
    bar = "\r 33%|███▎      | 1/3 [00:01<00:02,  1.00s/it]"
    texts = (f"{bar}\rUserWarning: odd\n", f"{bar}{bar}\n\n", "a\r\nb\n")
    outputs = [nbformat.v4.new_output("stream", name="stderr", text=text) for text in texts]
    outputs.append(nbformat.v4.new_output("stream", name="stdout", text="a result\n"))
    assert figures.list_error_lines(outputs) == ["UserWarning: odd", "a", "b"]


@pytest.mark.notebook
def test_audit_at_paper_scale_renews_its_part_of_the_gallery(repository: Path) -> None:
    figures_folder = repository / "figures"
    (repository / "notebooks" / "audits").mkdir()
    add_notebook(repository, "audits/01", DRAWS)
    other = "\nFrom another machine.\n\n![It.](other.png)\n"
    old = "\n![Gone.](gone.png)\n"
    (figures_folder / figures.PAGE).write_text(
        figures.format_gallery({"audits/00": other, "audits/01": old}), encoding="utf-8"
    )
    for name in ("other.png", "gone.png"):
        (figures_folder / name).write_text("a picture", encoding="utf-8")
    before = files_in(figures_folder)
    assert command(repository, "--scale=lab") == 0
    smaller = files_in(figures_folder)
    assert {name: smaller[name] for name in before} == before
    assert {name.partition("/")[0] for name in set(smaller) - set(before)} == {"lab"}

    assert command(repository, "--scale=paper") == 0
    after = files_in(figures_folder)
    beside = {name for name in after if "/" not in name}
    assert beside == {figures.PAGE, "other.png", "empty.png"}
    assert after["empty.png"] == after["paper/empty.png"]
    sections = figures.split_gallery(after[figures.PAGE].decode())
    assert sections["audits/00"] == other
    assert figures.list_pictures(sections["audits/01"]) == ["empty"]
    assert "paper" in sections["audits/01"]

    (figures_folder / figures.PAGE).write_bytes(before[figures.PAGE])
    (figures_folder / "empty.png").unlink()
    assert command(repository, "--gallery") == 0
    assert files_in(figures_folder) == after


@pytest.mark.notebook
def test_a_failing_notebook_is_named_and_changes_nothing(repository: Path, capsys: Capture) -> None:
    path = add_notebook(repository, "00", FAILS, DRAWS)
    before = path.read_text(encoding="utf-8")
    assert command(repository, "--write") == 1
    said = capsys.readouterr().err
    assert "not today" in said
    assert "2/2" in said  # cells that were left are done with
    assert path.read_text(encoding="utf-8") == before
    assert list((repository / "figures").iterdir()) == []


@pytest.mark.notebook
def test_a_notebook_with_a_warning_fails_and_changes_nothing(
    repository: Path, capsys: Capture
) -> None:
    path = add_notebook(repository, "00", DRAWS, "import warnings; warnings.warn('collapsed')")
    before = path.read_text(encoding="utf-8")
    assert command(repository, "--write") == 1
    assert "UserWarning: collapsed" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == before
    assert list((repository / "figures").iterdir()) == []


@pytest.mark.notebook
def test_figures_that_a_notebook_no_longer_draws_go(repository: Path) -> None:
    add_notebook(repository, "01", DRAWS)
    for scale, name, notebook in (
        ("quick", "gone", "01"), ("quick", "other", "00"), ("lab", "gone", "01"),
    ):  # fmt: skip
        path = repository / "figures" / scale / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"notebook": notebook}), encoding="utf-8")
    assert command(repository) == 0
    left = {name for name in files_in(repository / "figures") if name.endswith(".json")}
    assert left == {"quick/empty.json", "quick/other.json", "lab/gone.json"}


@pytest.mark.notebook
@pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")
def test_ctrl_c_ends_everything_at_once_with_one_sentence(repository: Path) -> None:
    path = add_notebook(repository, "00", BUSY)
    add_notebook(repository, "01", DRAWS)
    command = [sys.executable, "-m", "tools.figures", "--quiet"]
    options: Any = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    found = os.environ | {"PYTHONPATH": str(Path(figures.__file__).parents[1])}
    process = subprocess.Popen(command, cwd=repository, env=found, **options)
    while not (path.parent / "busy").exists() and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate()[1]
    assert said.startswith("figures: interrupted; go on by adding the names: notebooks/00")
    assert said.count("\n") == 1
    assert process.returncode == 130
    assert list((repository / "figures").iterdir()) == []


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "figures: no notebooks in"),
        (["no/such.ipynb"], "figures: no notebook no/such.ipynb; a name is the path of an .ipynb"),
        (["README.md"], "figures: no notebook README.md; a name is the path of an .ipynb"),
    ],
)
def test_no_notebook_is_said(names: Any, words: str, repository: Path, capsys: Capture) -> None:
    for how in ((), ("--check",)):
        assert command(repository, *how, *names) == 1
        assert capsys.readouterr().out.startswith(words)


def test_what_belongs_to_the_session_goes_and_results_stay(tmp_path: Path) -> None:
    bar, output = "VBox(children=())", nbformat.v4.new_output
    outputs = [
        output("display_data", data={WIDGET: {"model_id": "1f"}, "text/plain": bar}),
        output("stream", name="stderr", text="\r 50%|#####     |"),
        output("stream", name="stdout", text=f"read {tmp_path}/data/x.csv\n"),
        output("execute_result", data={"text/plain": "<thing at 0x7f00deadbeef>"}),
        output("display_data", data={"text/plain": "a result"}),
    ]
    cell = nbformat.v4.new_code_cell("1", outputs=outputs, metadata={"execution": {}, "tags": []})
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": {}})
    remove_session_traces(notebook, tmp_path)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.cells[0].metadata == {"tags": []}
    left = [out.get("text") or dict(out.data) for out in notebook.cells[0].outputs]
    assert left == [
        "read data/x.csv\n",
        {"text/plain": "<thing at 0x...>"},
        {"text/plain": "a result"},
    ]


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_clean_gives_a_picture_a_palette_and_keeps_its_colors(tmp_path: Path, mode: str) -> None:
    colors = [(255, 255, 255), (0, 114, 178), (213, 94, 0)]
    drawn = Image.new("RGB", (3, 1))
    drawn.putdata(colors)
    written = BytesIO()
    (drawn.quantize(3) if mode == "P" else drawn.convert(mode)).save(written, format="png")
    png = base64.b64encode(written.getvalue()).decode()
    output = nbformat.v4.new_output("display_data", data={"image/png": png, "text/plain": "3 dots"})
    cell = nbformat.v4.new_code_cell("1", outputs=[output])
    notebook = remove_session_traces(nbformat.v4.new_notebook(cells=[cell]), tmp_path)
    kept = notebook.cells[0].outputs[0].data["image/png"]
    image = Image.open(BytesIO(base64.b64decode(kept)))
    assert image.mode == "P"
    assert [image.convert("RGB").getpixel((x, 0)) for x in range(3)] == colors
    assert (kept == png) == (mode == "P")


def test_check_names_a_notebook_with_traces_of_a_session(repository: Path, capsys: Capture) -> None:
    add_notebook(repository, "00", "1")
    assert command(repository, "--check") == 1
    assert "00.ipynb holds traces of a session" in capsys.readouterr().out


def test_notebooks_in_folders_come_last_and_belong_to_the_same_repository(repository: Path) -> None:
    for folder in ("audits", ".ipynb_checkpoints"):
        (repository / "notebooks" / folder).mkdir()
    first = add_notebook(repository, "01", "1")
    audit = add_notebook(repository, "audits/00", "1")
    add_notebook(repository, ".ipynb_checkpoints/00", "1")
    assert figures.list_notebooks(repository / "notebooks") == [first, audit]
    assert {figures.find_project_folder(path) for path in (first, audit)} == {repository.resolve()}
