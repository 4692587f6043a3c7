"""Write the page of cards, `notebooks/audits/README.md`, from the cards that audits have printed.

`python -m tools.cards` takes the card at the top of each audit, as it is committed. With `--ledgers` it runs the
audits at the scale 'paper' first, which writes their ledgers in `data/verdicts`, and keeps the outputs in the
notebooks.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import nbformat

from pokerlab.core.files import open_replacement_file

ROOT = Path(__file__).resolve().parents[1]
AUDITS = ROOT / "notebooks" / "audits"
PAGE = "README.md"
CARD = "card"
"""The tag of the cell whose output is the card."""
IN_PAGE = re.compile(r"\(<#([^>]*)>\)")
HEAD = """# What holds in five papers

Each card says in a screen what a paper claims, what a reader may take from it, what we think is wrong in its text,
what we had to guess, and what we find when we run it again. Its table has the few statements that a reader would ask
for first, ordered from what fails to what holds; what is not testable comes last. The notebook of the same name has
the evidence, and its ledger in [data/verdicts](../../data/verdicts/README.md) has a row for each statement of the
paper.

| verdict | what it means |
|---|---|
| reproduced | It comes out if the text is read in the way that we take first, the default. |
| reproduced under an interpretation | (a) The default reading does not give it, but more of the others \
confirm it than contradict it. Or (b) we chose some settings so that a whole figure comes out, and it has more values \
than we chose settings. |
| holds with a condition | It is true if something is added that the paper does not say. |
| not reproduced | No reading that we ran gives it, or a counterexample refutes it. |
| inconclusive | (a) The effect is smaller than its error. Or (b) the default reading does not give it; some \
others confirm it, and at least as many contradict it. |
| not testable | It was measured on something that is lost. What our substitute gives is told, and decides nothing. |
| answered | The paper asks, hopes, or says what may happen. We say what happened here. |

Behind a verdict stands how many of the *other readings*, those besides the default, confirm and contradict the
statement; the rest leave it open. The rule stands in full in
[studies/audit.py](studies/audit.py). It is the same for what confirms a paper and for what contradicts it. Commands run
in the project's folder after `make setup`. They draw tables and figures again from the runs in `data/runs`, which took
minutes to days. `make outputs` prints the commands that compute those runs anew.

"""


def read_card(audit: Path) -> str:
    """Return the card that an audit has printed, as Markdown, from the outputs in its notebook."""
    notebook = nbformat.read(audit, as_version=4)  # type: ignore[no-untyped-call]
    (card_cell,) = [cell for cell in notebook.cells if CARD in cell.metadata.get("tags", [])]
    (card,) = [output.data["text/markdown"] for output in card_cell.outputs]
    return str(card)


def read_audit_title(audit: Path) -> str:
    """Return the title of an audit, without the word 'Audit', from the first line of its notebook."""
    notebook = nbformat.read(audit, as_version=4)  # type: ignore[no-untyped-call]
    first_line = notebook.cells[0].source.splitlines()[0]
    return str(first_line.removeprefix("# ").removeprefix("Audit: "))


def point_links_into_notebook(notebook: str, card: str) -> str:
    """Return a card in Markdown whose links to headings lead into a notebook, given by its file name."""
    return IN_PAGE.sub(lambda link: f"({notebook}#{quote(link[1], safe='')})", card)


def format_page(audits: Sequence[Path]) -> str:
    """Return the page of cards in Markdown: the card of each audit, with links to its evidence and its ledger."""
    cards = []
    for audit in audits:
        card = point_links_into_notebook(audit.name, read_card(audit))
        ledger = f"../../data/verdicts/{audit.stem.replace('_', '-')}.csv"
        links = f"[Evidence]({audit.name}) · [Ledger]({ledger})"
        cards.append(f"## {read_audit_title(audit)}\n\n{card}\n\n{links}\n")
    return HEAD + "\n".join(cards)


def main(options: Sequence[str]) -> None:
    """Write the page of cards; with the option '--ledgers' run all audits and write their ledgers before."""
    parser = argparse.ArgumentParser(description="Write the page of cards.")
    parser.add_argument("--ledgers", action="store_true", help="run the audits and write ledgers")
    parsed_options = parser.parse_args(options)
    audits = sorted(AUDITS.glob("*.ipynb"))
    if parsed_options.ledgers:
        command = [sys.executable, "-m", "tools.figures", "--scale", "paper", "--write"]
        environment = os.environ | {"POKERLAB_WRITE_LEDGERS": "1"}
        subprocess.run([*command, *map(str, audits)], check=True, cwd=ROOT, env=environment)
    with open_replacement_file(AUDITS / PAGE) as file:
        file.write(format_page(audits).encode())
    print(f"cards: wrote {AUDITS / PAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
