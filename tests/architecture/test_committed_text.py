"""Nothing that is committed knows the machine it was written on."""

import re
from pathlib import Path

import pytest

# Each pattern is broken up so that it does not match this file.
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:ho" + r"me|Us" + r"ers|ro" + r"ot|t" + r"mp|wo" + r"rk|private|var/folders)/\w"
    r"|\b[A-Za-z]:\\+Us" + r"ers\\"
)
INDEX_ADDRESS = re.compile(
    r"--(?:extra-)?ind" + r"ex-url|--fi" + r"nd-links|--trust" + r"ed-host"
    r"|https?://\S*(?:/sim" + r"ple\b|pypi\.|python" + r"hosted)"
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


@pytest.mark.parametrize(
    "slip", ["see /ho" + "me/ada/notes", "open('/t" + "mp/x')", "C:\\Us" + "ers\\ada"]
)
def test_a_path_of_somebodys_machine_is_noticed(slip: str) -> None:
    assert MACHINE_PATH.search(slip)


@pytest.mark.parametrize("fine", ["https://example.org/home/page", "notebooks/work/x", "../tmp/x"])
def test_an_ordinary_path_is_left_alone(fine: str) -> None:
    assert not MACHINE_PATH.search(fine)
