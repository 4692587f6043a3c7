"""The dash keeps guesses only if it is started with a folder for them."""

import os
from pathlib import Path

import pytest

from pokerlab.classroom.guesses import CLASS_VARIABLE

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
from pokerlab.workbench.dash import server


@pytest.fixture(autouse=True)
def no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CLASS_VARIABLE, "")  # so that what a test sets is undone


def test_guesses_option_names_a_folder_and_does_not_go_to_voila(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--no-browser", "--guesses=class", "--port=9000"]
    assert server.read_guesses_option(options) == ["--no-browser", "--port=9000"]
    assert os.environ[CLASS_VARIABLE] == str(tmp_path / "class")
    assert (tmp_path / "class").is_dir()
    assert server.GUESSES_NOTE in server.write_first_page()


def test_dash_without_guesses_option_keeps_none() -> None:
    assert server.read_guesses_option(["--no-browser"]) == ["--no-browser"]
    assert not os.environ[CLASS_VARIABLE]
    assert server.GUESSES_NOTE not in server.write_first_page()


def test_guesses_option_that_is_no_folder_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "class").write_text("a file", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"class cannot be made .*Give --guesses a folder"):
        server.read_guesses_option([f"--guesses={tmp_path / 'class'}"])
