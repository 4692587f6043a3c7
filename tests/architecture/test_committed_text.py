"""Nothing that is committed knows the machine it was written on."""

import re
from pathlib import Path

import pytest

# The patterns do not match their own text in this file.
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:home|Users|root|tmp|work|private|var/folders)/\w|\b[A-Za-z]:\\+Users\\"
)
INDEX_ADDRESS = re.compile(
    r"--(?:(?:extra-)?index-url|find-links|trusted-host)"
    r"|https?://\S*(?:/simple\b|pypi\.|pythonhosted)"
)


@pytest.mark.parametrize("pattern", [MACHINE_PATH, INDEX_ADDRESS], ids=["path", "index"])
def test_committed_text_names_no_machine_and_no_package_index(
    pattern: re.Pattern[str], root: Path, committed: list[Path]
) -> None:
    found = []
    for path in committed:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or an array
        found += [f"{path.relative_to(root)}: {match.group()}" for match in pattern.finditer(text)]
    assert found == []


@pytest.mark.parametrize("folder", ["home", "Users", "root", "tmp"])
def test_a_path_of_somebodys_machine_is_noticed(folder: str) -> None:
    assert MACHINE_PATH.search(f"see /{folder}/ada/notes")


@pytest.mark.parametrize("fine", ["https://example.org/home/page", "notebooks/work/x", "../tmp/x"])
def test_an_ordinary_path_is_left_alone(fine: str) -> None:
    assert not MACHINE_PATH.search(fine)
