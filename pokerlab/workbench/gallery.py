"""The gallery of kept figures: what each shows, where it is from, and the paper's numbers beside ours."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat

from pokerlab.core.data import DATA
from pokerlab.papers.experiment import VERDICTS, Published, published_numbers
from pokerlab.workbench.pictures.text import tabulate

PAGE = "README.md"
PAPERS = sorted(path.stem for path in (DATA / "published").glob("*.csv"))
UNKNOWN = ("", "", "", "of another name in data/published by now; run the notebook again")
HEAD = """# Figures

`make figures` writes this page and all that it shows. Each figure is there as PNG and as SVG; a JSON
beside them holds the scale, the seed, the versions, and of a bench the settings. A published
number stands beside ours with the verdict of the paper's audit.
"""
BOLD = re.compile(rf"\*\*({'|'.join(VERDICTS)})\*\*")


def page(figures: Path, notebooks: Path) -> str:
    """Return the gallery of the figures in a folder, in Markdown."""
    about = descriptions(figures)
    verdicts = verdicts_in(sorted(notebooks.glob("audits/*.ipynb")))
    printed = {row.key: row for paper in PAPERS for row in published_numbers(paper)}
    parts = [HEAD]
    for notebook in sorted({each["notebook"] for each in about.values()}, key=audits_last):
        parts.append(f"## {notebook}\n\nFrom [{notebook}](../notebooks/{notebook}.ipynb).\n")
        names = sorted(name for name in about if about[name]["notebook"] == notebook)
        parts += [entry(name, about[name], printed, verdicts) for name in names]
    if (figures / "benchmark.md").is_file():
        parts.append("## Speed\n\n[The table](benchmark.md)\n")
    return "\n".join(parts)


def descriptions(figures: Path) -> dict[str, dict[str, Any]]:
    """Return what the JSON beside each figure says, by the figure's name."""
    paths = sorted(figures.glob("[!.]*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def figures_of(notebook: str, figures: Path) -> list[str]:
    """Return the names of the figures that are from a notebook."""
    return [name for name, about in descriptions(figures).items() if about["notebook"] == notebook]


def audits_last(notebook: str) -> tuple[bool, str]:
    """Return by what notebooks are sorted."""
    return "/" in notebook, notebook


def entry(
    name: str,
    about: Mapping[str, Any],
    printed: Mapping[str, Published],
    verdicts: Mapping[str, tuple[str, str]],
) -> str:
    """Return a figure's part of the page."""
    made = f"Scale {about['scale']}, seed {about['seed']}. [SVG]({name}.svg), [JSON]({name}.json)."
    lines = [f"### {name}", "", f"![{name}]({name}.png)", "", about["caption"], "", made, ""]
    rows = [
        row_of(printed[key], verdicts) if key in printed else [key, *UNKNOWN]
        for key in about["published"]
    ]
    if rows:
        lines += [tabulate(["published", "where", "printed", "ours", "verdict"], rows), ""]
    return "\n".join(lines)


def row_of(row: Published, verdicts: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return a printed number with what the audit says about it."""
    below = "below " if row.relation == "<" else ""
    printed = f"{below}{row.value:.6g} {row.unit}".strip()
    return [row.key, row.source, printed, *verdicts.get(row.key, ("", "no audit yet"))]


def verdicts_in(audits: Iterable[Path]) -> dict[str, tuple[str, str]]:
    """Return by a printed number's key what is ours and the verdict, from the tables that audits have printed."""
    found = {}
    for path in audits:
        for cell in nbformat.read(path, as_version=4).cells:  # type: ignore[no-untyped-call]
            for output in cell.get("outputs", ()):
                for line in output.get("data", {}).get("text/markdown", "").splitlines():
                    cells = [text.strip() for text in line.strip("| ").split(" | ")]
                    judged = [i for i, text in enumerate(cells) if BOLD.fullmatch(text)]
                    if judged and len(cells) > 2:
                        found[cells[0]] = (cells[judged[0] - 1], cells[judged[0]].strip("*"))
    return found
