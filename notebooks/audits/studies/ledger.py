"""The ledger of a paper: a CSV file in `data/verdicts` with a row for each statement that its audit judged.

Rows go in and come out. The module `audit` has the rule for verdicts, and collects the rows while an audit runs.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pokerlab.core.files import DATA

OURS, THESIS, PAPER = "ours", "thesis", "paper"
"""Whose statement a row of a ledger judges. Only the paper's own statements are counted."""
LEDGERS = DATA / "verdicts"
"""The folder of the ledgers."""
REVISIONS = "revisions.csv"
"""The file in that folder with all verdicts that changed."""


class LedgerRow(NamedTuple):
    """A row of a ledger, the table of all verdicts on a paper: a statement, its verdict, and the reason.

    Attributes
    ----------
    key : str
        What identifies the row: for a printed number its key in `data/published`, for a claim in words the claim and
        its place. No two rows have the same key.
    whose : str
        Whose statement it is: 'paper', 'thesis' or 'ours'.
    place : str
        Where the paper makes the statement.
    wording : str
        What the paper says, or what the number measures.
    printed, ours : str
        The printed number and ours with their units; '' for a claim in words.
    verdict : str
        One of `VERDICTS`.
    why : str
        The reason for the verdict; for a claim, the evidence.
    confirming, contradicting : str
        The number of interpretations other than the default one that confirm or contradict the statement; both are ''
        if there are no others.
    substitutes : str
        If something that the paper used is lost, what of ours replaces it, and the verdict that comes out with it;
        otherwise ''.
    fact : str
        The name of a fact that several rows share and that is counted once; '' if the row shares none.
    evidence : str
        The heading of the audit notebook under which the statement is judged.
    revisions : str
        The earlier verdicts, with the dates and reasons of their changes.
    """

    key: str
    whose: str
    place: str
    wording: str
    printed: str
    ours: str
    verdict: str
    why: str
    confirming: str = ""
    contradicting: str = ""
    substitutes: str = ""
    fact: str = ""
    evidence: str = ""
    revisions: str = ""

    @property
    def reproducible_entries(self) -> tuple[str, ...]:
        """The entries of the row that do not depend on the machine on which the verdicts are computed.

        They are the key, whose statement it is, the verdict, what replaces lost things, the shared fact, and the
        heading. Left out are numbers, whose last digits may differ between machines. Left out is also the verdict that
        comes out with substitutes, because it may depend on the time that a program takes.
        """
        substitutes, _, _ = self.substitutes.partition(": ")
        return self.key, self.whose, self.verdict, substitutes, self.fact, self.evidence


def add_revisions_to_rows(rows: Sequence[LedgerRow], paper: str, path: Path) -> list[LedgerRow]:
    """Return copies of the rows of a ledger in which `revisions` tells how each verdict changed, when and why.

    Parameters
    ----------
    rows : sequence of LedgerRow
        The rows, without revisions.
    paper : str
        The name of the paper's file in `data/published`.
    path : Path
        The CSV file with the revisions of all papers. Revisions of rules, which it has too, are not used.

    Returns
    -------
    list of LedgerRow
        The rows in the same order. `revisions` is '' if a verdict never changed.
    """
    with path.open(encoding="utf-8") as file:
        revisions = [revision for revision in csv.DictReader(file) if revision["what"] == "verdict"]

    sentences_by_key: dict[str, list[str]] = {}
    for revision in revisions:
        is_of_paper = revision["paper"] == paper.replace("-", "_")
        if is_of_paper:
            change = f"{revision['before'] or 'new'} to {revision['after']}"
            sentence = f"{revision['date']}: {change}. {revision['why']}".strip()
            sentences_by_key.setdefault(revision["key"], []).append(sentence)

    completed_rows = []
    for row in rows:
        sentences = sentences_by_key.get(row.key, [])
        completed_rows.append(row._replace(revisions=" ".join(sentences)))
    return completed_rows


def write_ledger(path: Path, rows: Sequence[LedgerRow]) -> None:
    """Write a ledger, the table of all verdicts on a paper, to a CSV file. An existing file is replaced.

    Parameters
    ----------
    path : Path
        The file. Its first line has the names of the columns, which are the fields of `LedgerRow`.
    rows : sequence of LedgerRow
        The rows, one for each statement of the paper.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(LedgerRow._fields)
        writer.writerows(rows)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Return the rows of a ledger, the table of all verdicts on a paper, from a CSV file.

    Parameters
    ----------
    path : Path
        The file, as `write_ledger` writes it. Without a file the list is empty.

    Returns
    -------
    list of LedgerRow
        The rows in the order of the file.
    """
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [LedgerRow(**row) for row in csv.DictReader(file)]
