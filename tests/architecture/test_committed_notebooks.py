"""Notebooks are committed with outputs, without what belongs to one session."""

import ast
import base64
import builtins
import re
import symtable
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter
from PIL import Image

from pokerlab.workbench.live.screen import RUN_CELLS_ABOVE, RUN_THIS_CELL
from pokerlab.workbench.style import convert_to_png, figure
from tools.figures import list_error_lines, list_notebooks
from tools.glossary import add_definitions, parse_definitions

MOST_LINES = 20  # of a cell in sight; longer code lives in the package, or is folded
FORBIDDEN = ("pip install", "sys.path", "filterwarnings", "simplefilter")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = list_notebooks(ROOT / "notebooks")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#([^)\s]+))?(?: \"[^\"]*\")?\)")
PAGES = sorted((ROOT / "notebooks").glob("*.md"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def lines_of_work(source: str) -> int:
    """Return how many lines of a cell do something; imports only say where its names are from."""
    statements = [] if source.startswith(("%", "!")) else ast.parse(source).body
    imports = [each for each in statements if isinstance(each, ast.Import | ast.ImportFrom)]
    spans = [(each.end_lineno or each.lineno) - each.lineno + 1 for each in imports]
    return len(source.splitlines()) - sum(spans)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_no_widget_state_and_no_timestamps(notebook: nbformat.NotebookNode) -> None:
    assert "widgets" not in notebook.metadata
    assert [cell.source for cell in notebook.cells if "execution" in cell.metadata] == []


def test_the_second_code_cell_holds_the_parameters(notebook: nbformat.NotebookNode) -> None:
    parameters = code_cells(notebook)[1]
    assert "parameters" in parameters.metadata.get("tags", [])
    assert "SCALE" in parameters.source


def test_a_cell_in_sight_is_short(notebook: nbformat.NotebookNode) -> None:
    """Imports, which are not read line by line, do not count."""
    in_sight = [each for each in code_cells(notebook) if "jupyter" not in each.metadata]
    lengths = {cell.source: lines_of_work(cell.source) for cell in in_sight}
    assert [source for source, lines in lengths.items() if lines > MOST_LINES] == []


@pytest.mark.parametrize("phrase", FORBIDDEN)
def test_notebooks_change_nothing_outside(phrase: str, notebook: nbformat.NotebookNode) -> None:
    assert [cell.source for cell in code_cells(notebook) if phrase in cell.source] == []


def test_an_exported_page_shows_every_picture_and_a_word_for_the_controls() -> None:
    notebook = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4)
    kinds = ("image/png", "image/svg+xml")
    outputs = [o.get("data", {}) for cell in code_cells(notebook) for o in cell.outputs]
    pictures = [data for data in outputs if any(kind in data for kind in kinds)]
    html, _ = HTMLExporter().from_notebook_node(notebook)
    assert len(pictures) > 5
    assert len(re.findall(r'<img[^>]*src="data:image|<svg[^>]*viewBox', html)) == len(pictures)
    assert f"{RUN_THIS_CELL}</b> {RUN_CELLS_ABOVE}" in html


def stills(cell: nbformat.NotebookNode) -> list[str]:
    """What stands for controls in the outputs of a cell."""
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return [text for text in texts if text.startswith(RUN_THIS_CELL[:16])]


def missing(source: str) -> set[str]:
    """The names that a cell takes from the cells above."""
    table = symtable.symtable(source, "cell", "exec")
    bound = {
        name.get_name() for name in table.get_symbols() if name.is_assigned() or name.is_imported()
    }
    return {name.get_name() for name in table.get_symbols()} - bound - set(vars(builtins))


def test_the_words_for_controls_say_what_to_run_first(notebook: nbformat.NotebookNode) -> None:
    words = [text for cell in code_cells(notebook) for text in stills(cell)]
    assert words == [f"{RUN_THIS_CELL} {RUN_CELLS_ABOVE}"] * len(words)


def test_in_the_first_lesson_a_cell_with_controls_needs_no_other_cell() -> None:
    cells = code_cells(nbformat.read(NOTEBOOKS[0], as_version=4))
    needs = [missing(cell.source) for cell in cells if stills(cell)]
    assert needs == [set()] * 4
    assert missing("import os\nfor i in [j for j in seen]: print(os, i)") == {"seen"}


def test_no_output_is_an_error(notebook: nbformat.NotebookNode) -> None:
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output.ename for output in outputs if output.output_type == "error"] == []


def test_no_output_is_a_warning(notebook: nbformat.NotebookNode) -> None:
    assert list_error_lines(out for cell in code_cells(notebook) for out in cell.outputs) == []


LEAST_SHARE = 0.5  # of a picture's width that its axes cover


def share_of_ink(png: bytes) -> float:
    """Return the share of a picture's width, between its title and what stands below the axes, that is drawn on."""
    shades = np.asarray(Image.open(BytesIO(png)).convert("L"))
    height, width = shades.shape
    drawn = (shades[2 * height // 5 : 4 * height // 5] < 250).any(axis=0)
    return float(np.ptp(np.flatnonzero(drawn))) / width


def test_axes_of_a_committed_picture_cover_half_of_its_width(
    notebook: nbformat.NotebookNode,
) -> None:
    pictures = [
        out.get("data", {}).get("image/png") for c in code_cells(notebook) for out in c.outputs
    ]
    shares = [share_of_ink(base64.b64decode(png)) for png in pictures if png]
    assert min(shares, default=1.0) >= LEAST_SHARE


def test_committed_pictures_have_a_palette(notebook: nbformat.NotebookNode) -> None:
    """With all colors, pictures would be most of the repository."""
    pictures = [
        out.get("data", {}).get("image/png") for c in code_cells(notebook) for out in c.outputs
    ]
    modes = {Image.open(BytesIO(base64.b64decode(png))).mode for png in pictures if png}
    assert modes <= {"P"}


def test_axes_of_a_committed_figure_cover_half_of_its_width() -> None:
    shares = {p.name: share_of_ink(p.read_bytes()) for p in (ROOT / "figures").glob("*.png")}
    assert {name: share for name, share in shares.items() if share < LEAST_SHARE} == {}


def test_share_of_ink_of_collapsed_axes_is_small() -> None:
    made, axes = figure(7.2, 3.6)
    axes.set_title(
        "A title that is as wide as the whole figure would be if the plot were", loc="left"
    )
    axes.set_position((0.05, 0.1, 0.25, 0.8))
    made.set_layout_engine("none")
    assert share_of_ink(convert_to_png(made)) < 0.4


def dead_links(text: str, folder: Path) -> list[str]:
    """Links that lead to no file, or to no anchor of a page or of another notebook."""
    dead = []
    for name, anchor in LINK.findall(text):
        page = folder / name
        marks = rf'<a id=\\?"{anchor}\\?"></a>'  # a notebook is JSON, in which quotes are escaped
        if not page.exists() or (anchor and not re.search(marks, page.read_text(encoding="utf-8"))):
            dead.append(f"{name}#{anchor}")
    return dead


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert dead_links(text, path.parent) == []


def test_glossary_links_show_the_definitions_of_the_glossary() -> None:
    definitions = parse_definitions(
        (ROOT / "notebooks" / "glossary.md").read_text(encoding="utf-8")
    )
    old = {
        path.name: cell.source
        for path in NOTEBOOKS
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown" and add_definitions(cell.source, definitions) != cell.source
    }
    assert old == {}, "run: python -m tools.glossary"


def test_with_definitions_replaces_what_a_link_showed() -> None:
    definitions = parse_definitions(
        '<a id="bet"></a>**bet**: to *put* "chips" in\n($x$ first). <a id="call"></a>**call**: pay\n\nMore.'
    )
    assert definitions == {"bet": "bet: to put 'chips' in (x first).", "call": "call: pay"}
    for before in (
        "[a](../glossary.md#call), [b](b.md#bet)",
        '[a](../glossary.md#call "old (one)"), [b](b.md#bet)',
    ):
        after = add_definitions(before, definitions)
        assert after == '[a](../glossary.md#call "call: pay"), [b](b.md#bet)'


def test_a_dead_link_is_found() -> None:
    folder = ROOT / "notebooks"
    assert dead_links("[a](nowhere.ipynb)", folder) == ["nowhere.ipynb#"]
    assert dead_links("[a](glossary.md#nothing)", folder) == ["glossary.md#nothing"]
    assert dead_links("[a](glossary.md#check), [b](https://x.org/y#z)", folder) == []
