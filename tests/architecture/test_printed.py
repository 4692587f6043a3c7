"""Audits print the numbers of papers beside recorded ones, and other pages repeat them: `PAGES` lists the pages.

`papers/test_recordings.py` checks that the code records the same today. The ledger in `test_outputs.py` checks that the
outputs of audits come from these recordings.
"""

import base64
import csv
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

from pokerlab.papers import read_published_numbers
from pokerlab.papers.experiment import RUNS
from studies.audit import VERDICTS, read_curves
from tools import figures as gallery

ROOT = Path(__file__).resolve().parents[2]
AUDITS = ROOT / "notebooks" / "audits"
AUDITED = sorted(path.stem for path in AUDITS.glob("*.ipynb"))
ELSEWHERE = "nicolai-2008"
"""The thesis behind a paper: the audit of that paper shows its numbers beside ours, without verdicts."""
FILES = {path.stem for path in (ROOT / "data" / "published").glob("*.csv")}
CURVES = sorted(name for name in FILES if "-figure-" in name)
PRINTED = sorted(FILES - {ELSEWHERE, *CURVES})
VALUE = re.compile(r"(below )?(\S+) ?(.*)")
ROW = re.compile(r"^\| (?!published \|)(?!-).*$", re.MULTILINE)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
OF_OTHERS = re.compile(r"\((ours|thesis)[^()]*\)$")
"""Ends the entry of a question of ours, or of a claim of another text."""
COUNTED = (
    "met", "met under a reading", "holds with an added condition", "not met", "answered", "cannot be decided",
)  # fmt: skip
"""The verdicts that the README counts, in its order."""


def printed_lines(path: Path) -> list[str]:
    """Return the lines of all tables and texts that an audit's cells have printed."""
    audit = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in audit.cells if cell.cell_type == "code"]
    texts = [
        output.data.get("text/markdown", "")
        for cell in cells
        for output in cell.outputs
        if "data" in output
    ]
    return [line for text in texts for line in text.splitlines()]


def test_published_numbers_have_an_audit_and_keys_of_their_own() -> None:
    assert [name.replace("-", "_") for name in PRINTED] == AUDITED
    rows = {name: read_published_numbers(name) for name in PRINTED}
    silent = [name for name in PRINTED if not rows[name]]
    assert silent == ["noble-2001"]  # its text has lost its digits
    every = [row for of_paper in rows.values() for row in of_paper]
    assert len({row.key for row in every}) == len(every)
    assert all(row.source.lower().startswith(("section", "table", "figure")) for row in every)
    assert {row.relation for row in every} == {"=", "<", "<=", ">", ">="}


@pytest.mark.parametrize("name", CURVES)
def test_curves_read_from_a_figure_have_source_and_error(name: str) -> None:
    rows = read_curves(name)
    paper, _, figure = name.partition("-figure-")
    assert paper in PRINTED
    assert figure.isdigit()
    assert len(rows) > 5
    assert f"`{name}.csv`" in (ROOT / "data/published/README.md").read_text(encoding="utf-8")
    assert (rows["error"] > 0).all()
    numbers = [rows[head] for head in rows.dtype.names if rows[head].dtype.kind == "f"]
    assert np.isfinite(numbers).all()


@pytest.mark.parametrize("name", AUDITED)
def test_audit_prints_each_number_once_and_each_result_with_a_verdict(name: str) -> None:
    lines = printed_lines(AUDITS / f"{name}.ipynb")
    for row in read_published_numbers(name.replace("_", "-")):
        (line,) = [line for line in lines if line.startswith(f"| {row.key} |")]
        verdicts = sum(f"**{verdict}**" in line for verdict in VERDICTS)
        assert verdicts == (row.kind == "result"), row.key


@pytest.mark.parametrize("name", AUDITED)
def test_audit_first_screen_links_to_headings(name: str) -> None:
    path = AUDITS / f"{name}.ipynb"
    audit = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    texts = [cell.source for cell in audit.cells if cell.cell_type == "markdown"]
    headings = {
        line.lstrip("# ") for text in texts for line in text.splitlines() if line[:1] == "#"
    }
    linked = {link for line in printed_lines(path) for link in re.findall(r"\[(.*)\]\(<#", line)}
    assert linked <= headings


def check_gallery() -> None:
    """Each row has the printed number, its source, and what the audit says of it."""
    page = (ROOT / "figures" / gallery.PAGE).read_text(encoding="utf-8")
    printed, verdicts = gallery.printed_numbers(), gallery.verdicts_of(ROOT / "notebooks")
    rows = [row.strip("| ").split(" | ") for row in ROW.findall(page)]
    assert rows != []
    for key, where, value, *ours in rows:
        parts: Any = VALUE.fullmatch(value)
        below, number, unit = parts.groups()
        assert (where, unit) == (printed[key].source, printed[key].unit)
        assert (printed[key].relation == "<") == bool(below)
        assert float(number.replace("\u2212", "-")) == pytest.approx(printed[key].value, rel=1e-5)
        assert tuple(ours) == verdicts[key], "run: python -m tools.figures --gallery"


def check_pictures() -> None:
    """Each committed picture is in the outputs of a notebook."""
    in_outputs = {
        hashlib.sha256(base64.b64decode(output.data["image/png"])).digest()
        for path in gallery.notebooks_in(ROOT / "notebooks")
        for cell in nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    }
    pictures = {
        path.name: hashlib.sha256(path.read_bytes()).digest()
        for path in (ROOT / "figures").glob("*.png")
    }
    assert [name for name, digest in pictures.items() if digest not in in_outputs] == []


def check_readme() -> None:
    """The counts of verdicts are those on what the papers say."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = text.split("- **Audited**: ")[1].split("\n")[0]
    given = Counter(
        verdict
        for claim, (_, verdict) in gallery.verdicts_in(sorted(AUDITS.glob("*.ipynb"))).items()
        if not OF_OTHERS.search(claim)
    )
    counted = [given.total(), *(given[verdict] for verdict in COUNTED)]
    assert NUMBER.findall(said) == [str(number) for number in counted]


def check_retired() -> None:
    """A shown number whose code is gone stands in its audit, and a commit that has the code is named."""
    with (RUNS / "retired.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert rows
    for row in rows:
        assert re.fullmatch("[0-9a-f]{7}", row["commit"])
        if not row["file"].endswith(".npz"):
            assert row["which"] in (ROOT / row["file"]).read_text(encoding="utf-8")


def check_revisions() -> None:
    """The history of a verdict ends with that of the audit; each row begins where the one before it ended."""
    with (ROOT / "data" / "verdicts" / "revisions.csv").open(encoding="utf-8") as lines:
        revisions = [row for row in csv.DictReader(lines) if row["what"] == "verdict"]
    last: dict[tuple[str, str], str] = {}
    for row in revisions:
        key = row["paper"], row["key"]
        assert row["before"] == last.get(key, row["before"]), key
        last[key] = row["after"]
    for paper in {paper for paper, _ in last}:
        now = gallery.verdicts_in([AUDITS / f"{paper}.ipynb"])
        ends = {key: verdict for (of, key), verdict in last.items() if of == paper}
        differ = {key: (end, now.get(key)) for key, end in ends.items()
                  if key not in now or now[key][1] != end}  # fmt: skip
        assert differ == {}, "a verdict that changed needs a row in data/verdicts/revisions.csv"


PAGES: dict[str, Callable[[], None]] = {
    "figures/README.md": check_gallery,
    "figures/*.png": check_pictures,
    "README.md": check_readme,
    "data/runs/retired.csv": check_retired,
    "data/verdicts/revisions.csv": check_revisions,
}
"""Pages that repeat something that notebooks print, and their checks: the one place where such a page is added."""


@pytest.mark.parametrize("page", PAGES)
def test_page_repeats_what_notebooks_print(page: str) -> None:
    PAGES[page]()
