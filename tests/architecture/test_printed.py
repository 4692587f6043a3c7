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
from studies.audit import (
    CONDITIONAL,
    INCONCLUSIVE,
    INTERPRETED,
    NOT_REPRODUCED,
    REPRODUCED,
    VERDICTS,
    count_verdicts,
    read_figure_points,
)
from studies.ledger import LEDGERS, REVISIONS, LedgerRow, read_ledger
from tools import cards
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
BEFORE_2_0 = {
    "met": REPRODUCED,
    "met under a reading": INTERPRETED,
    "holds with an added condition": CONDITIONAL,
    "not met": NOT_REPRODUCED,
    "cannot be decided": INCONCLUSIVE,
}
"""What verdicts are called today that had another name before 2.0."""


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
    rows = read_figure_points(name)
    paper, _, figure = name.partition("-figure-")
    assert paper in PRINTED
    assert figure.isdigit()
    assert len(rows) > 5
    assert f"`{name}.csv`" in (ROOT / "data/published/README.md").read_text(encoding="utf-8")
    assert (rows["error"] > 0).all()
    numbers = [rows[head] for head in rows.dtype.names if rows[head].dtype.kind == "f"]
    assert np.isfinite(numbers).all()


def ledger_of(audit: str) -> list[LedgerRow]:
    """Return the ledger of an audit."""
    return read_ledger(LEDGERS / f"{audit.replace('_', '-')}.csv")


def headings_of(audit: str) -> set[str]:
    """Return the headings of an audit."""
    notebook = nbformat.read(AUDITS / f"{audit}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return {line.lstrip("# ") for text in texts for line in text.splitlines() if line[:1] == "#"}


@pytest.mark.parametrize("name", AUDITED)
def test_audit_prints_each_setting_and_its_ledger_has_each_result(name: str) -> None:
    lines = printed_lines(AUDITS / f"{name}.ipynb")
    keys = [row.key for row in ledger_of(name)]
    for row in read_published_numbers(name.replace("_", "-")):
        if row.kind == "setting":
            assert sum(line.startswith(f"| {row.key} |") for line in lines) == 1, row.key
        else:
            assert keys.count(row.key) == 1, row.key


@pytest.mark.parametrize("name", AUDITED)
def test_rows_of_a_ledger_have_a_verdict_a_reason_and_evidence_that_is_there(name: str) -> None:
    headings, rows = headings_of(name), ledger_of(name)
    assert len({row.key for row in rows}) == len(rows) > 0
    for row in rows:
        assert row.verdict in VERDICTS, row.key
        assert row.why or row.printed, row.key
        assert row.evidence in headings, row.key


@pytest.mark.parametrize("name", AUDITED)
def test_what_an_audit_has_printed_is_in_its_ledger(name: str) -> None:
    """Claims with their verdicts stand in the outputs as the ledger has them: both are of one run."""
    lines = [line for line in printed_lines(AUDITS / f"{name}.ipynb") if line.startswith("> ")]
    claims = [row for row in ledger_of(name) if not row.printed]
    assert [line for line in lines if ": **" in line] == [
        f"> {row.key}: **{row.verdict}**. {row.why}" for row in claims
    ]


@pytest.mark.parametrize("name", AUDITED)
def test_audit_is_headed_by_its_card_and_hides_its_code(name: str) -> None:
    notebook = nbformat.read(AUDITS / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    first, *others = notebook.cells
    assert len(first.source.split()) <= 200
    code = [cell for cell in others if cell.cell_type == "code"]
    assert "card" in [tag for cell in code[:3] for tag in cell.metadata.get("tags", [])]
    assert [cell.source for cell in code if "parameters" not in cell.metadata.get("tags", [])
            and not cell.metadata.get("jupyter", {}).get("source_hidden")] == []  # fmt: skip
    card = cards.read_card(AUDITS / f"{name}.ipynb")
    linked = set(re.findall(r"\(<#([^>]*)>\)", card))
    assert linked <= {heading.replace(" ", "-") for heading in headings_of(name)}


def check_gallery() -> None:
    """Each row has the printed number, its source, and what the audit says of it."""
    page = (ROOT / "figures" / gallery.PAGE).read_text(encoding="utf-8")
    printed, verdicts = gallery.read_all_printed_numbers(), gallery.read_verdicts(LEDGERS)
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
        for path in gallery.list_notebooks(ROOT / "notebooks")
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
    """The counts of verdicts are those of the ledgers, all of them in one sentence."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = text.split("- **Audited**: ")[1].split("\n")[0]
    ledgers = (ledger_of(name) for name in AUDITED)
    counted = sum(map(count_verdicts, ledgers), Counter[str]())
    for verdict in VERDICTS:
        assert f"{counted[verdict]} {verdict}" in said
    assert NUMBER.findall(said)[0] == str(counted.total())


def check_cards() -> None:
    """The page of cards has what the audits have printed."""
    page = (AUDITS / cards.PAGE).read_text(encoding="utf-8")
    audits = [AUDITS / f"{name}.ipynb" for name in AUDITED]
    assert page == cards.format_page(audits), "run: python -m tools.cards"


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
    """The history of a verdict ends with that of the ledger; each row begins where the one before it ended."""
    with (LEDGERS / REVISIONS).open(encoding="utf-8") as lines:
        revisions = [row for row in csv.DictReader(lines) if row["what"] == "verdict"]
    last: dict[tuple[str, str], str] = {}
    for row in revisions:
        key = row["paper"], row["key"]
        before, after = (BEFORE_2_0.get(row[when], row[when]) for when in ("before", "after"))
        assert before == last.get(key, before), key
        last[key] = after
    now = {(name, row.key): row.verdict for name in AUDITED for row in ledger_of(name)}
    differ = {key: (end, now.get(key, "")) for key, end in last.items() if now.get(key, "") != end}
    assert differ == {}, "a verdict that changed needs a row in data/verdicts/revisions.csv"


PAGES: dict[str, Callable[[], None]] = {
    "figures/README.md": check_gallery,
    "figures/*.png": check_pictures,
    "README.md": check_readme,
    "notebooks/audits/README.md": check_cards,
    "data/runs/retired.csv": check_retired,
    "data/verdicts/revisions.csv": check_revisions,
}
"""Pages that repeat something that notebooks print, and their checks: the one place where such a page is added."""


@pytest.mark.parametrize("page", PAGES)
def test_page_repeats_what_notebooks_print(page: str) -> None:
    PAGES[page]()
