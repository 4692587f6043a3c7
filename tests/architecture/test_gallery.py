"""The gallery's sections and pictures, and how its tables are written. (`test_printed` has their numbers.)"""

import re
from argparse import Namespace
from pathlib import Path

import pytest

from pokerlab.papers.experiment import SCALES
from tools import figures as gallery

EMBEDDED = re.compile(r"\]\(figures/([^)#]+)\)")
SCRATCH = (".svg", ".json")
"""What `make figures` writes into folders that git ignores."""


@pytest.fixture(scope="session")
def page(root: Path) -> str:
    return (root / "figures" / gallery.PAGE).read_text(encoding="utf-8")


def test_sections_are_of_audits_that_exist(root: Path, page: str) -> None:
    sections = gallery.split_gallery(page)
    audits = {path.stem for path in root.glob("notebooks/audits/*.ipynb")}
    assert {name.removeprefix(gallery.AUDITS) for name in sections} == audits
    assert page == gallery.format_gallery(sections)
    for name, text in sections.items():
        assert f"(../notebooks/{name}.ipynb)" in text
        made = re.findall(r"^Scale (\w+), seed \d+\.$", text, re.MULTILINE)
        assert made == ["paper"] * len(gallery.list_pictures(text)) != []


def test_committed_pictures_are_shown_and_shown_pictures_committed(
    root: Path, page: str, committed: list[Path]
) -> None:
    texts = [(root / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    embedded = {name for text in texts for name in EMBEDDED.findall(text)}
    shown = {f"{name}.png" for name in gallery.list_pictures(page)}
    pages = {gallery.PAGE, "benchmark.md", "benchmark.csv"}
    held = {path.name for path in committed if path.is_relative_to(root / "figures")}
    assert held == shown | embedded | pages


def test_git_holds_no_figure_of_a_scale_and_no_svg_or_json(
    root: Path, committed: list[Path]
) -> None:
    held = [p.relative_to(root / "figures") for p in committed if root / "figures" in p.parents]
    assert held != []
    assert [path for path in held if path.suffix in SCRATCH or path.parts[0] in SCALES] == []


AUDIT = "audits/one"
ABOUT = {
    "notebook": AUDIT, "caption": "See [there](x.md).", "scale": "paper", "seed": 1,
    "published": ["kp2-value", "kp2-nash-conv-100"],
}  # fmt: skip
LEDGER = "key,ours,verdict\nkp2-value,\u22120.0556,{}\n"


@pytest.fixture
def options(tmp_path: Path) -> Namespace:
    """Return a small repository: the ledger of an audit, and no gallery."""
    places = Namespace(figures=tmp_path / "figures", ledgers=tmp_path / "verdicts")
    places.ledgers.mkdir()
    write_verdict(places, "reproduced")
    return places


def write_verdict(places: Namespace, verdict: str) -> None:
    (places.ledgers / "one-2001.csv").write_text(LEDGER.format(verdict), encoding="utf-8")


def test_tables_set_a_judged_number_beside_the_printed_one(options: Namespace) -> None:
    printed, verdicts = gallery.read_all_printed_numbers(), gallery.read_verdicts(options.ledgers)
    text = gallery.format_section(AUDIT, {"picture": ABOUT}, printed, verdicts)
    assert "| \u22120.0556 | reproduced |" in text
    assert "| 0.916 chips |  | no audit yet |" in text
    assert "![See there.](picture.png)" in text
    unknown = gallery.format_table_of_numbers(["no-such-key"], printed, verdicts)
    assert gallery.UNKNOWN[-1] in unknown


def test_write_gallery_without_figures_renews_the_tables(options: Namespace) -> None:
    printed, verdicts = gallery.read_all_printed_numbers(), gallery.read_verdicts(options.ledgers)
    sections = {AUDIT: gallery.format_section(AUDIT, {"picture": ABOUT}, printed, verdicts)}
    options.figures.mkdir()
    for name in (gallery.PAGE, "picture.png"):
        (options.figures / name).write_text(gallery.format_gallery(sections), encoding="utf-8")
    write_verdict(options, "not reproduced")
    assert gallery.update_gallery(options) == []
    after = (options.figures / gallery.PAGE).read_text(encoding="utf-8")
    assert after == gallery.format_gallery(sections).replace(
        "0.0556 | reproduced |", "0.0556 | not reproduced |"
    )
    assert (options.figures / "picture.png").exists()
