"""The gallery holds by committed files alone: its pictures, its printed numbers, and the audits' verdicts."""

import base64
import hashlib
import re
from argparse import Namespace
from pathlib import Path

import nbformat
import pytest

from pokerlab.papers.experiment import SCALES
from tools import figures as gallery

EMBEDDED = re.compile(r"\]\(figures/([^)#]+)\)")
VALUE = re.compile(r"(below )?(\S+) ?(.*)")
ROW = re.compile(r"^\| (?!published \|)(?!-).*$", re.MULTILINE)
SCRATCH = (".svg", ".json")
"""What `make figures` writes into folders that git ignores."""


@pytest.fixture(scope="session")
def page(root: Path) -> str:
    return (root / "figures" / gallery.PAGE).read_text(encoding="utf-8")


def test_sections_are_of_audits_that_exist(root: Path, page: str) -> None:
    sections = gallery.sections_of(page)
    audits = {path.stem for path in root.glob("notebooks/audits/*.ipynb")}
    assert {name.removeprefix(gallery.AUDITS) for name in sections} == audits
    assert page == gallery.page(sections)
    for name, text in sections.items():
        assert f"(../notebooks/{name}.ipynb)" in text
        made = re.findall(r"^Scale (\w+), seed \d+\.$", text, re.MULTILINE)
        assert made == ["paper"] * len(gallery.pictures_of(text)) != []


def test_rows_have_what_is_printed_and_what_the_audits_say(root: Path, page: str) -> None:
    printed = gallery.printed_numbers()
    verdicts = gallery.verdicts_of(root / "notebooks")
    rows = [row.strip("| ").split(" | ") for row in ROW.findall(page)]
    assert rows != []
    for key, where, value, *ours in rows:
        below, number, unit = VALUE.fullmatch(value).groups()
        assert (where, unit) == (printed[key].source, printed[key].unit)
        assert (printed[key].relation == "<") == bool(below)
        assert float(number.replace("\u2212", "-")) == pytest.approx(printed[key].value, rel=1e-5)
        assert tuple(ours) == verdicts[key], "run: python -m tools.figures --gallery"


def test_committed_pictures_are_shown_and_shown_pictures_committed(
    root: Path, page: str, committed: list[Path]
) -> None:
    texts = [(root / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    embedded = {name for text in texts for name in EMBEDDED.findall(text)}
    shown = {f"{name}.png" for name in gallery.pictures_of(page)}
    pages = {gallery.PAGE, "benchmark.md", "benchmark.csv"}
    held = {path.name for path in committed if path.is_relative_to(root / "figures")}
    assert held == shown | embedded | pages


def test_pictures_are_those_in_the_outputs_of_the_notebooks(root: Path) -> None:
    in_outputs = {
        hashlib.sha256(base64.b64decode(output.data["image/png"])).digest()
        for path in gallery.notebooks_in(root / "notebooks")
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    }
    others = [
        path.name
        for path in (root / "figures").glob("*.png")
        if hashlib.sha256(path.read_bytes()).digest() not in in_outputs
    ]
    assert others == []


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
LINE = "| kp2-value | section 4.1 | -1/18 chips | \u22120.0556 | **{}** | exact |"


@pytest.fixture
def options(tmp_path: Path) -> Namespace:
    """Return a small repository: an audit that has printed a verdict, and no gallery."""
    places = Namespace(figures=tmp_path / "figures", notebooks=tmp_path / "notebooks")
    (places.notebooks / "audits").mkdir(parents=True)
    print_verdict(places, "met")
    return places


def print_verdict(places: Namespace, verdict: str) -> None:
    output = nbformat.v4.new_output("display_data", data={"text/markdown": LINE.format(verdict)})
    cell = nbformat.v4.new_code_cell("1", outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), places.notebooks / f"{AUDIT}.ipynb")


def test_tables_set_a_judged_number_beside_the_printed_one(options: Namespace) -> None:
    printed, verdicts = gallery.printed_numbers(), gallery.verdicts_of(options.notebooks)
    text = gallery.section(AUDIT, {"picture": ABOUT}, printed, verdicts)
    assert "| \u22120.0556 | met |" in text
    assert "| 0.916 chips |  | no audit yet |" in text
    assert "![See there.](picture.png)" in text
    unknown = gallery.table_of(["no-such-key"], printed, verdicts)
    assert gallery.UNKNOWN[-1] in unknown


def test_write_gallery_without_figures_renews_the_tables(options: Namespace) -> None:
    printed, verdicts = gallery.printed_numbers(), gallery.verdicts_of(options.notebooks)
    sections = {AUDIT: gallery.section(AUDIT, {"picture": ABOUT}, printed, verdicts)}
    options.figures.mkdir()
    for name in (gallery.PAGE, "picture.png"):
        (options.figures / name).write_text(gallery.page(sections), encoding="utf-8")
    print_verdict(options, "not met")
    assert gallery.write_gallery(options) == []
    after = (options.figures / gallery.PAGE).read_text(encoding="utf-8")
    assert after == gallery.page(sections).replace("0.0556 | met |", "0.0556 | not met |")
    assert (options.figures / "picture.png").exists()
