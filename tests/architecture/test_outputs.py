"""What is committed and derived is derived from what stands here today, and `make outputs` makes what is not."""

import subprocess
from pathlib import Path

import pytest

from tools import outputs
from tools.outputs import (
    LEDGER,
    RETIRED,
    Output,
    compute_sources_digest,
    main,
    normalize_program,
    read_ledger,
)

PROGRAM = """
\"\"\"Words.\"\"\"
import os
LIMIT = 3  # of something

def double(number):
    \"\"\"Return twice the number.\"\"\"
    return 2 * number
"""


def committed(root: Path, *patterns: str) -> set[str]:
    found = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=root, capture_output=True, text=True, check=True
    )
    return set(filter(None, found.stdout.split("\0")))


def test_outputs_are_derived_from_what_stands_here(root: Path) -> None:
    ledger = read_ledger(root / LEDGER)
    assert [each.name for each in outputs.find_outdated_outputs(root, ledger)] == [], (
        "make them by `make outputs OPTIONS=--make`; or, if a change alters nothing in them, as tests of the"
        ' beginnings of recordings show, say so by `make outputs OPTIONS="--accept NAME"`'
    )
    assert [*ledger] == [each.name for each in outputs.list_outputs(root)]


def test_every_recording_notebook_and_figure_is_an_output(root: Path) -> None:
    of_outputs = {
        path.relative_to(root).as_posix()
        for each in outputs.list_outputs(root)
        for path in each.paths(root)
    }
    derived = committed(root, "data/runs/*.npz", "data/runs/**/*.npz", "notebooks/**/*.ipynb")
    drawn = committed(root, "figures/*")
    assert len(derived) > 90
    assert (derived | drawn) - of_outputs == set()


def test_recordings_say_how_long_they_took(root: Path) -> None:
    hours = {each.name: each.hours for each in outputs.list_recordings(root)}
    assert 40.0 < hours["recordings: Nicolai & Hilderman"] < 100.0
    assert all(each > 0.0 for each in hours.values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Words.", "Other words."),
        ("Return twice", "Return two times"),
        ("  # of something", ""),
        ("import os", "import sys\nfrom os import path"),
        ("2 * number", "(2 *\n            number)"),
    ],
)
def test_words_and_imports_change_no_output(old: str, new: str) -> None:
    assert normalize_program(PROGRAM) == normalize_program(PROGRAM.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"), [("LIMIT = 3", "LIMIT = 4"), ("2 * number", "number * 2"), ("double", "twice")]
)
def test_what_a_program_does_changes_its_outputs(old: str, new: str) -> None:
    assert normalize_program(PROGRAM) != normalize_program(PROGRAM.replace(old, new))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one program, one recording of it and one table, all current."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "table.txt").write_text("six", encoding="utf-8")
    both = [
        Output("numbers", ("numbers.txt",), ("program.py",), "echo 6 >> numbers.txt", 0.1, True),
        Output("table", ("table.txt",), ("numbers.txt",), "cp numbers.txt table.txt", 0.0),
    ]
    (tmp_path / "numbers.txt").write_text("6\n", encoding="utf-8")
    monkeypatch.setattr(outputs, "list_outputs", lambda root: both)
    (tmp_path / LEDGER).write_text("output,digest,made\n", encoding="utf-8")
    (tmp_path / "data" / "runs").mkdir(parents=True)
    (tmp_path / RETIRED).write_text("file,which\nkept.txt,all rows\n", encoding="utf-8")
    assert main(["--accept"], tmp_path) == 0
    return tmp_path


def test_what_is_out_of_date_is_made_and_nothing_else(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--make"], project) == 0
    assert "0 made" in capsys.readouterr().out
    changed = PROGRAM.replace("LIMIT = 3", "LIMIT = 4")
    (project / "program.py").write_text(changed, encoding="utf-8")
    assert main([], project) == 0
    said = capsys.readouterr().out
    assert said.count("OUT OF DATE") == 1
    assert "| numbers | program.py | echo 6 >> numbers.txt | 0.1 hours | OUT OF DATE |" in said
    assert main(["--make"], project) == 0
    assert "numbers, some 0.1 hours: echo 6" in capsys.readouterr().out
    assert (project / "numbers.txt").read_text(encoding="utf-8") == "6\n"  # made anew, not added to
    assert (project / "table.txt").read_text(
        encoding="utf-8"
    ) == "six"  # numbers came out as before
    assert main([], project) == 0
    assert "OUT OF DATE" not in capsys.readouterr().out


def test_recordings_whose_program_is_gone_are_never_removed(project: Path) -> None:
    (project / "kept.txt").touch()
    Output("all", ("*.txt",), (), "", 0.0, is_recorded=True).remove(project)
    assert [path.name for path in project.glob("*.txt")] == ["kept.txt"]


def test_what_is_made_outdates_what_is_derived_from_it(project: Path) -> None:
    (project / "numbers.txt").write_text(
        "5\n", encoding="utf-8"
    )  # as another program would have it
    assert main(["--accept"], project) == 0
    (project / "program.py").write_text("LIMIT = 4", encoding="utf-8")
    assert main(["--make"], project) == 0
    assert (project / "table.txt").read_text(encoding="utf-8") == "6\n"


def test_a_change_that_alters_nothing_is_accepted_by_name(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "program.py").write_text(
        PROGRAM.replace("2 * number", "number + number"), encoding="utf-8"
    )
    assert main(["--accept", "table"], project) == 0
    assert [
        each.name for each in outputs.find_outdated_outputs(project, read_ledger(project / LEDGER))
    ] == ["numbers"]
    assert main(["--accept", "numbers"], project) == 0
    assert outputs.find_outdated_outputs(project, read_ledger(project / LEDGER)) == []
    assert main(["--accept", "nobody"], project) == 1
    assert "there is no nobody; there are numbers, table." in capsys.readouterr().out


def test_what_fails_stays_out_of_date_and_says_how_to_go_back(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = Output("numbers", ("numbers.txt",), ("program.py",), "exit 3", 0.1, True)
    monkeypatch.setattr(outputs, "list_outputs", lambda root: [failing])
    before = compute_sources_digest(project, failing)
    (project / "program.py").write_text("LIMIT = 5", encoding="utf-8")
    assert main(["--make"], project) == 1
    assert "git checkout -- numbers.txt" in capsys.readouterr().out
    assert read_ledger(project / LEDGER)["numbers"]["digest"] == before
