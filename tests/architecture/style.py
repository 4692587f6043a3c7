"""Report how lessons are written: `python -m tests.architecture.style` prints figures beside those of version 1.0.

It judges nothing and fails nothing. A long median paragraph, many very short sentences and many semicolons have gone
along with low scores by readers; the introductory lectures of QuantEcon have medians of 15 to 17 words, at most 2% of
sentences with five words or fewer, at most one semicolon and 13 to 21 "we" in a thousand words.
"""

import re
import statistics
from pathlib import Path

import nbformat

from pokerlab.workbench.text import tabulate

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
FEW_WORDS = 5  # so short a sentence may be an aphorism
NO_ONE = re.compile(r"\b(?:everybody|nobody|somebody|whoever)\b", re.IGNORECASE)
TEXTLESS = re.compile(
    r"<details>.*?</details>|\$\$.*?\$\$|```.*?```|<[^>]+>|\]\([^)]*\)|[\[*_`]", re.DOTALL
)
LAYOUT = ("|", "#", "    ", "-", "Home:", "1.", "2.", "3.")
"""How lines begin that are no running text: tables, titles, code, lists."""
HEADS = (
    "lesson",
    "words",
    "median paragraph",
    f"sentences of {FEW_WORDS} words or fewer",
    "semicolons in 1,000 words",
    "everybody, nobody, ... in 1,000",
    "we in 1,000",
)
BEFORE = [1781, 49, 13.7, 4.0, 6.6, 2.5]
"""The medians over the eleven lessons of version 1.0, in the order of the columns."""


def read_paragraphs(path: Path) -> list[str]:
    """Return the paragraphs of running text of a notebook, without links, formulas, tables, lists and solutions."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    blocks = TEXTLESS.sub("", text).split("\n\n")
    kept = [" ".join(block.split()) for block in blocks if block.strip()]
    return [block for block in kept if not block.startswith(LAYOUT) and len(block.split()) > 2]


def measure_style(path: Path) -> list[float]:
    """Return the figures of a notebook, in the order of HEADS without the first."""
    paragraphs = read_paragraphs(path)
    text = " ".join(paragraphs)
    sentences = [each for each in re.split(r"(?<=[.!?:])\s+(?=[A-Z])", text) if each]
    words = len(text.split())
    short = sum(len(each.split()) <= FEW_WORDS for each in sentences) / len(sentences)
    a_thousand = 1000 / words
    return [
        words,
        statistics.median(len(each.split()) for each in paragraphs),
        100 * short,
        text.count(";") * a_thousand,
        len(NO_ONE.findall(text)) * a_thousand,
        len(re.findall(r"\b[Ww]e\b", text)) * a_thousand,
    ]


def format_row(name: str, figures: list[float]) -> list[str]:
    """Return the cells of a row: its name, and the figures with the digits that they need."""
    words, median, short, *rest = figures
    return [name, f"{words:,.0f}", f"{median:.0f}", f"{short:.0f}%", *(f"{x:.1f}" for x in rest)]


def main() -> None:
    """Print the figures of each lesson, and their medians."""
    found = {path.stem: measure_style(path) for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))}
    medians = [statistics.median(column) for column in zip(*found.values(), strict=True)]
    rows = [format_row(name, figures) for name, figures in found.items()]
    print(tabulate(HEADS, [*rows, format_row("median", medians), format_row("1.0", BEFORE)]))


if __name__ == "__main__":
    main()
