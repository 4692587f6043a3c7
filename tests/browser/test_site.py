"""`make site`: every notebook is a page, no link is dead, and the pages can be read by everybody."""

import gzip
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from pokerlab.workbench.live.screen import RUN_THIS_CELL
from tools.figures import list_notebooks, list_pictures
from tools.site import (
    convert_links_to_pages,
    find_dead_links,
    main,
    replace_folder,
    select_committed,
)

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 80 * 2**20
PAGES = (
    "index", "lessons", "notebooks/00_start_here", "notebooks/coming_from", "notebooks/audits/README", "figures/README",
    "api/strategies",
)  # fmt: skip
AUDIT = "notebooks/audits/oliehoek_2006"  # whose tables take a checker longer than all other pages
LOOKS = ((1280, "light"), (400, "dark"))
WIDTHS = (360, 768, 1280, 1920)
HEAVIEST = 1.5e6
"""Of a page with its scripts, styles and fonts, in bytes as a web server sends them; its pictures come later."""
WIDER = """Math.max(...[document.documentElement, document.querySelector('h1')].map(
    part => part.scrollWidth - part.clientWidth))"""


def test_every_notebook_is_a_page_that_says_where_it_can_be_run(site: Path) -> None:
    for path in list_notebooks(ROOT / "notebooks"):
        text = (site / path.relative_to(ROOT).with_suffix(".html")).read_text(encoding="utf-8")
        assert path.name in text.partition("A page to read")[2]
        assert RUN_THIS_CELL not in text
        assert 'alt="../' not in text  # each picture says what it shows
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES


def test_gallery_shows_the_figures_of_every_lesson_and_audit(site: Path) -> None:
    text = (site / "figures" / "README.html").read_text(encoding="utf-8")
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    lacking = [path.stem for path in lessons if f'/{path.stem}.html"><img src="../_im' not in text]
    assert lacking == []
    names = list_pictures((ROOT / "figures" / "README.md").read_text(encoding="utf-8"))
    assert [name for name in names if text.count(f'src="../_images/{name}.png"') != 2] == []


def list_pages(site: Path) -> list[str]:
    """Return the names of all pages, without those of the theme."""
    found = [path.relative_to(site).with_suffix("") for path in site.rglob("*.html")]
    return [path.as_posix() for path in found if "_static" not in path.parts]


@cache
def measure_sent(address: str) -> int:
    """Return the size of a file as a web server sends it."""
    content = Path(unquote(urlsplit(address).path)).read_bytes()
    return len(content) if address.endswith(".woff2") else len(gzip.compress(content))


@pytest.mark.browser
@pytest.mark.timeout(900)
def test_every_page_fits_each_width_and_is_light_before_its_pictures(
    site: Path, browser: Browser
) -> None:
    page = browser.new_context(offline=True).new_page()
    asked: set[str] = set()
    page.on("request", lambda each: asked.add(each.url) if each.resource_type != "image" else None)
    for name in list_pages(site):
        asked.clear()
        page.goto((site / f"{name}.html").as_uri())
        wider = []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wider.append(page.evaluate(WIDER))
        assert (name, wider) == (name, [0] * len(WIDTHS))
        weight = sum(measure_sent(each) for each in asked if each.startswith("file:"))
        assert 0 < weight < HEAVIEST, (name, weight)
    page.context.close()


def has_formulas_alone(page: Page, fault: dict[str, Any]) -> bool:
    """Return whether heads of columns are called empty that hold a formula: axe reads no MathML; screen readers do."""
    heads = [page.locator(node["target"][0]) for node in fault["nodes"]]
    return fault["id"] == "empty-table-header" and all(
        head.locator("math").all_text_contents() for head in heads
    )


@pytest.mark.browser
@pytest.mark.timeout(2400)  # of all pages: ten times the usual, with the building of the site
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize(
    "pages", [PAGES, pytest.param((), marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_pages_in_any_look_have_no_faults_of_accessibility(
    site: Path, browser: Browser, pages: Sequence[str], width: int, scheme: str
) -> None:
    everything = list_pages(site)
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
    )
    page, axe = context.new_page(), Axe()
    some = (*pages, AUDIT) if scheme == "light" else pages
    for name in some if pages else everything:
        page.goto((site / f"{name}.html").as_uri())
        found = [
            (each["id"], each["nodes"][0]["html"])
            for each in axe.run(page).response["violations"]
            if not has_formulas_alone(page, each)
        ]
        assert (name, found, page.evaluate(WIDER)) == (name, [], 0)
    context.close()


def test_what_is_no_site_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    assert main(["--root", str(ROOT), "--out", str(tmp_path)]) == 1
    assert "is not a site" in capsys.readouterr().out
    assert (tmp_path / "precious.txt").exists()


def test_replace_folder_replaces_a_folder_and_leaves_nothing_else(tmp_path: Path) -> None:
    pages, out = tmp_path / "built" / "pages", tmp_path / "site"
    for text in ("old", "new"):
        pages.mkdir(parents=True)
        (pages / "index.html").write_text(text, encoding="utf-8")
        replace_folder(pages, out)
        assert (out / "index.html").read_text(encoding="utf-8") == text
    assert {path.name for path in tmp_path.iterdir()} == {"built", "site"}


def test_committed_leaves_out_what_git_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "notebooks" / name for name in ("kept.ipynb", "draft.ipynb")]
    paths[0].parent.mkdir()
    for path in paths:
        path.touch()
    assert select_committed(tmp_path, paths) == paths  # a copy without a repository
    for command in (["init", "-q"], ["add", "notebooks/kept.ipynb"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    assert select_committed(tmp_path, paths) == paths[:1]
    monkeypatch.chdir(tmp_path)
    here = [path.relative_to(tmp_path) for path in paths]
    assert select_committed(Path(), here) == here[:1]  # as the command is started


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a id="here"></a><a href="#here">1</a><a href="b.html">2</a><a href="a.html#there">3</a>'
        '<a href="https://example.org/x">4</a><img src="c.png">',
        encoding="utf-8",
    )
    assert [address for _, address in find_dead_links(tmp_path)] == [
        "b.html",
        "a.html#there",
        "c.png",
    ]


def test_links_to_a_place_in_a_page_lead_to_what_is_made_of_it() -> None:
    text = '[*NashConv*](glossary.md#nashconv "sum (of gains)"), [down](<#A-(place)>), [a page](b.ipynb)'
    assert convert_links_to_pages(text) == (
        '<a href="glossary.html#nashconv" title="sum (of gains)">*NashConv*</a>,'
        ' <a href="#A-(place)">down</a>, [a page](b.ipynb)'
    )
    titled = convert_links_to_pages('[gap](glossary.md#gap "a < b & c")')
    assert titled == '<a href="glossary.html#gap" title="a &lt; b &amp; c">gap</a>'
