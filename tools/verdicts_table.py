"""One table of the verdicts of all audits for the site, which a reader can search, filter by verdict, and sort.

The ledgers in `data/verdicts` go in, and a page of the site comes out. The rows stand in the page as plain HTML, so
that the table can be read without its script, too.
"""

import csv
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from pokerlab.papers.experiment import VERDICTS

PAGE = "verdicts"
HEADS = ("paper", "place", "statement", "printed", "ours", "verdict", "why")
TEXT = """# All verdicts

Each row is a number that one of the five papers prints, or a claim that can be checked. [The
cards](notebooks/audits/README.md) say the same in short, and the rule stands at the top of
`notebooks/audits/studies/audit.py`. A word finds rows that contain it; a click on a head sorts by that column. Only
statements of the papers are counted in the README, and rows that are one fact are counted once.

"""
CONTROLS = """<div class="verdicts-controls">
<label>Search <input type="search" id="verdicts-search"></label>
<label>Verdict <select id="verdicts-filter"><option value="">all</option>{options}</select></label>
<output id="verdicts-count" role="status">{count} rows</output>
</div>
"""
STYLE = """
.verdicts-controls { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0; align-items: baseline; }
.verdicts-scroll { overflow-x: auto; }
.verdicts { font-size: 0.85rem; border-collapse: collapse; min-width: 70rem; }
.verdicts td:last-child { min-width: 26rem; }
.verdicts :is(th, td) { text-align: left; vertical-align: top; padding: 0.3em 0.6em; border-bottom: 1px solid #8888; }
.verdicts th button { font: inherit; font-weight: bold; color: inherit; background: none; border: 0; padding: 0; }
.verdicts th button { cursor: pointer; text-decoration: underline dotted; }
.verdicts th[aria-sort="ascending"] button::after { content: " \\2191"; }
.verdicts th[aria-sort="descending"] button::after { content: " \\2193"; }
"""
SCRIPT = """
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("table.verdicts");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const search = document.getElementById("verdicts-search");
  const filter = document.getElementById("verdicts-filter");
  const count = document.getElementById("verdicts-count");

  function showMatchingRows() {
    const words = search.value.toLowerCase().split(/\\s+/);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const matches =
        words.every((word) => text.includes(word)) &&
        (!filter.value || row.dataset.verdict === filter.value);
      row.hidden = !matches;
      shown += matches ? 1 : 0;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
  }

  function sortBy(head) {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const text = (row) => row.cells[head.cellIndex].textContent;
    const order = new Intl.Collator("en", { numeric: true });
    rows.sort((one, other) => (up ? 1 : -1) * order.compare(text(one), text(other)));
    body.append(...rows);
  }

  search.addEventListener("input", showMatchingRows);
  filter.addEventListener("change", showMatchingRows);
  for (const head of table.tHead.rows[0].cells) {
    head.querySelector("button").addEventListener("click", () => sortBy(head));
  }
});
"""


def format_verdicts_page(ledgers: Path, titles: Mapping[str, str]) -> str:
    """Return the page of all verdicts, in Markdown with a table in HTML.

    Parameters
    ----------
    ledgers : Path
        The folder with the ledgers.
    titles : mapping of str to str
        The short name of each paper, such as 'Lanctot 2014', by the name of its audit.
    """
    rows: list[str] = []
    for audit, title in titles.items():
        ledger = ledgers / f"{audit.replace('_', '-')}.csv"
        rows.extend(iterate_table_rows(ledger, audit, title))
    options = "".join(f"<option>{escape(verdict)}</option>" for verdict in VERDICTS)
    heads = "".join(f'<th scope="col"><button type="button">{head}</button></th>' for head in HEADS)
    table = "\n".join(
        [
            '<div class="verdicts-scroll" tabindex="0" role="region" aria-label="All verdicts">',
            f'<table class="verdicts"><thead><tr>{heads}</tr></thead><tbody>',
            *rows,
            "</tbody></table></div>",
        ]
    )
    return TEXT + CONTROLS.format(options=options, count=len(rows)) + table + "\n"


def iterate_table_rows(ledger: Path, audit: str, title: str) -> Iterator[str]:
    """Yield the rows of the table of verdicts that belong to one audit, in HTML.

    The first cell of a row leads to the evidence in the audit.

    Parameters
    ----------
    ledger : Path
        The file of the audit's ledger.
    audit : str
        The name of the audit, such as 'lanctot_2014'.
    title : str
        The short name of the paper, such as 'Lanctot 2014'.
    """
    with ledger.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            heading = row["evidence"].replace(" ", "-")
            address = f"notebooks/audits/{audit}.html#{heading}"
            whose = "" if row["whose"] == "paper" else f" ({row['whose']})"
            reasons = [row["why"]]
            if row["substitutes"]:
                reasons.append(f"On {row['substitutes']}.")
            why = " ".join(filter(None, reasons))

            columns = (row["place"], row["wording"], row["printed"], row["ours"], row["verdict"])
            texts = [
                f'<a href="{escape(address)}">{escape(title)}</a>{whose}',
                *map(escape, columns),
                escape(why),
            ]
            cells = "".join(f"<td>{text}</td>" for text in texts)
            yield f'<tr data-verdict="{escape(row["verdict"])}">{cells}</tr>'
