"""Audits decide: each printed number stands in its paper's audit, once, with a verdict; an audit forgets none."""

from pathlib import Path

import nbformat
import pytest

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.papers import published_numbers
from studies.audit import MET, NOT_MET, UNDECIDED, VERDICTS, Audit

AUDITS = Path(__file__).resolve().parents[2] / "notebooks" / "audits"
AUDITED = sorted(path.stem for path in AUDITS.glob("*.ipynb"))
ELSEWHERE = "nicolai-2008"
"""The thesis behind a paper: the audit of that paper shows its numbers beside ours, without verdicts."""

FILES = {path.stem for path in (AUDITS.parents[1] / "data" / "published").glob("*.csv")}
PRINTED = sorted(FILES - {ELSEWHERE})


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


def test_each_paper_that_prints_numbers_has_an_audit_and_its_own_keys() -> None:
    assert [name.replace("-", "_") for name in PRINTED] == AUDITED
    rows = {name: published_numbers(name) for name in PRINTED}
    silent = [name for name in PRINTED if not rows[name]]
    assert silent == ["noble-2001"]  # its text has lost its digits
    every = [row for of_paper in rows.values() for row in of_paper]
    assert len({row.key for row in every}) == len(every)
    assert all(row.source.lower().startswith(("section", "table", "figure")) for row in every)
    assert {row.relation for row in every} == {"=", "<", "<=", ">", ">="}


@pytest.mark.parametrize("name", AUDITED)
def test_every_printed_number_has_one_row_with_one_verdict(name: str) -> None:
    lines = printed_lines(AUDITS / f"{name}.ipynb")
    for row in published_numbers(name.replace("_", "-")):
        (line,) = [line for line in lines if line.startswith(f"| {row.key} |")]
        assert sum(f"**{verdict}**" in line for verdict in VERDICTS) == 1, row.key


def test_an_audit_forgets_no_number() -> None:
    audit = Audit("oliehoek-2006")
    first, *others = audit.printed
    audit.number(first, "0", MET)
    with pytest.raises(PokerlabError, match=f"no verdict on .*{others[-1]}"):
        audit.numbers()
    with pytest.raises(PokerlabError, match=f"{first} has a verdict already: met"):
        audit.number(first, "1", NOT_MET)
    for key in others:
        audit.number(key, "1", NOT_MET, "ours differs")
    assert [one.printed.key for one in audit.numbers()] == [first, *others]
    assert [one.verdict for one in audit.numbers()] == [MET] + [NOT_MET] * len(others)


def test_verdicts_are_words_that_an_audit_knows() -> None:
    audit = Audit("oliehoek-2006")
    line = audit.claim("The sums go to zero.", "section 5", UNDECIDED, "Not run.")
    assert "(section 5): **cannot be decided**. Not run." in line
    assert audit.claims[0].evidence == "Not run."
    with pytest.raises(UnknownNameError, match="nearly met"):
        audit.claim("The sums go to zero.", "section 5", "nearly met", "")
    with pytest.raises(UnknownNameError, match="no-such-key"):
        audit.number("no-such-key", "1", MET)
