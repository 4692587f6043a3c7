"""Build the site: lessons, audits, gallery, and the names of the library, to read where nothing can be run.

`make site` runs `python -m tools.site`, which writes into the folder `site` what Sphinx and
MyST-NB make of the committed notebooks and their outputs. It runs no notebook, needs no network, and ends
with an error if Sphinx warns or if a link within the site leads nowhere.
"""

import argparse
import importlib
import inspect
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat

from pokerlab.workbench.live.screen import RUN_ME
from tools.figures import PAGE, descriptions, notebooks_in

SHELVES = (
    "games", "holdem", "solvers", "metrics", "strategies", "evolution", "runs", "papers", "workbench",
    "classroom", "reference", "core",
)  # fmt: skip
"""The packages in the order in which their pages stand."""
SETTINGS: dict[str, Any] = {
    "project": "pokerlab",
    "author": "pokerlab authors",
    "extensions": ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "sphinx-mathjax-offline"],
    "html_theme": "pydata_sphinx_theme",
    "html_title": "pokerlab",
    "html_show_sourcelink": False,
    "html_copy_source": False,
    "html_theme_options": {
        "secondary_sidebar_items": ["page-toc"],
        "navbar_align": "left",
        "pygments_light_style": "a11y-high-contrast-light",
        "pygments_dark_style": "a11y-high-contrast-dark",
        "footer_start": ["copyright"],
        "footer_end": [],
    },
    "html_css_files": ["site.css"],
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_render_markdown_format": "myst",
    "myst_enable_extensions": ["dollarmath", "amsmath"],
    "myst_heading_anchors": 3,
    "numpydoc_show_class_members": False,
    "autodoc_typehints": "none",
    "autodoc_member_order": "bysource",
    "default_role": "code",
    "copyright": "pokerlab authors, MIT license",
}
STYLE = """
.bd-article img { background: #ffffff; }
.bd-article details > summary { cursor: pointer; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; }
.gallery a img { width: 100%; height: 10rem; object-fit: contain; background: #ffffff; }
"""
READ = "In the notebook this cell has controls: buttons, sliders, a picture that moves."
"""What stands in place of the sentence that asks a reader to run a cell."""
ROW = re.compile(r"^\| `(\d\d_\w+)` \| (.*) \|$", re.MULTILINE)
"""Of the README's list of lessons."""
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
ROLES = re.compile(r' role="(?:list|doc-biblioentry)"')
"""Roles that docutils gives to references and that accessibility checkers refuse."""
WITH_FRAGMENT = re.compile(
    r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\((?:([^()#:\s<]*)\.(?:md|ipynb))?(?:<(#[^>]*)>|(#[^()\s]*))\)"
)
BUILT = ".buildinfo"
"""What Sphinx leaves in a folder that it has built."""
EMPTY_HEAD = '<th class="head"><p></p></th>'


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site; return 0, or 1 if something in it is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--out", type=Path, default=Path("site"), help="where the site goes")
    options = parser.parse_args(arguments)
    if options.out.exists() and not (options.out / BUILT).exists():
        print(f"site: {options.out}/ is there and is not a site; name another folder by --out.")
        return 1
    from sphinx.application import Sphinx

    with tempfile.TemporaryDirectory(prefix="pokerlab-site-") as folder:
        source, doctrees = Path(folder, "source"), Path(folder, "doctrees")
        write_source(options.root, source)
        shutil.rmtree(options.out, ignore_errors=True)
        app = Sphinx(
            source, None, options.out, doctrees, "html", status=None, warningiserror=True,
            confoverrides=SETTINGS | {"html_static_path": [str(source / "_static")]},
        )  # fmt: skip
        app.build()
    for path in options.out.rglob("*.html"):
        text = ROLES.sub("", path.read_text(encoding="utf-8")).replace(EMPTY_HEAD, "<td></td>")
        path.write_text(text, encoding="utf-8")
    dead = dead_links(options.out)
    for page, link in dead:
        print(f"site: {page} links to {link}, which is not there", file=sys.stderr)
    print(f"site: {sum(1 for _ in options.out.rglob('*.html'))} pages in {options.out}/")
    return 1 if dead or app.statuscode else 0


def write_source(root: Path, source: Path) -> None:
    """Write what Sphinx reads: the notebooks' folder as it is, the gallery, a page for each package, the first page."""
    for path in notebooks_in(root / "notebooks"):
        copy = source / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(nbformat.writes(readable(path)), encoding="utf-8")  # type: ignore[no-untyped-call]
    for path in (root / "notebooks").glob("*.md"):
        (source / "notebooks" / path.name).write_text(
            linked(path.read_text(encoding="utf-8")), encoding="utf-8"
        )
    shutil.copytree(root / "figures", source / "figures", ignore=shutil.ignore_patterns("*.csv"))
    gallery = source / "figures" / PAGE
    gallery.write_text(
        with_index(gallery.read_text(encoding="utf-8"), root / "figures"), encoding="utf-8"
    )
    (source / "_static").mkdir()
    (source / "_static" / "site.css").write_text(STYLE, encoding="utf-8")
    (source / "api").mkdir()
    for name in SHELVES:
        shelf = importlib.import_module(f"pokerlab.{name}")
        (source / "api" / f"{name}.rst").write_text("\n".join(names_of(shelf)), encoding="utf-8")
    write_chapters(root, source)


def readable(path: Path) -> Any:
    """Return a notebook with its folded code behind a button, its links for a page, and no word about running it."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = HEADING.sub(anchored, linked(cell.source))
        elif cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if RUN_ME in data.get("text/plain", ""):
                data["text/html"] = f"<p><em>{READ}</em></p>"
            if "text/markdown" in data:
                data["text/markdown"] = linked(data["text/markdown"])
    return notebook


def anchored(heading: re.Match[str]) -> str:
    """Return a heading with the place that Jupyter gives it, to which tables of an audit lead."""
    return f'{heading[0]}\n\n<a id="{escape(heading[1].replace(" ", "-"))}"></a>\n'


def linked(text: str) -> str:
    """Return Markdown whose links to a place within a page lead to the page that is made of it."""
    return WITH_FRAGMENT.sub(
        lambda link: (
            f'<a href="{link[2] or ""}{".html" * bool(link[2])}{escape(link[3] or link[4])}">{link[1]}</a>'
        ),
        text,
    )


def with_index(gallery: str, figures: Path) -> str:
    """Return the gallery with thumbnails at its head, each of which leads to its figure."""
    head, first, rest = gallery.partition("\n## ")
    small = [
        f'<a href="#{name.replace("_", "-")}"><img src="../_images/{name}.png" alt="{name}" loading="lazy"></a>'
        for name in descriptions(figures)
    ]
    return "\n".join(
        [head, '<div class="gallery">', *small, "</div>", "", f"{first.lstrip()}{rest}"]
    )


def names_of(shelf: ModuleType) -> list[str]:
    """Return the lines of a package's page: what it says of itself, and each public name with its docstring."""
    title = shelf.__name__
    lines = [
        title,
        "=" * len(title),
        "",
        f".. automodule:: {title}",
        "",
        f".. currentmodule:: {title}",
        "",
    ]
    for name in sorted(getattr(shelf, "__all__", []), key=str.lower):
        found = getattr(shelf, name)
        if isinstance(found, ModuleType):
            lines += [f"``{found.__name__}``", "-" * (len(found.__name__) + 4), ""]
            lines += [f".. automodule:: {found.__name__}", ""]
            lines += [f".. currentmodule:: {found.__name__}", ""]
            inner = sorted(getattr(found, "__all__", []), key=str.lower)
            lines += [line for each in inner for line in name_of(found, each)]
            lines += [f".. currentmodule:: {title}", ""]
        else:
            lines += name_of(shelf, name)
    return lines


def name_of(shelf: ModuleType, name: str) -> list[str]:
    """Return the lines for a public name."""
    found = getattr(shelf, name)
    if inspect.isclass(found):
        return [f".. autoclass:: {name}", "   :members:", ""]
    if callable(found):
        return [f".. autofunction:: {name}", ""]
    return [f".. py:data:: {name}", ""] if not isinstance(found, ModuleType) else []


FIRST_PAGE = """# pokerlab

{opening}

- **Read** the [lessons](lessons.md) and the [audits](audits.md) here, with their outputs as they were computed. Words
  are in the [glossary](notebooks/glossary.md), pictures in the [gallery](figures/README.md).
- **Play**: with Python 3.11 to 3.14 and `make`, on Linux or macOS, `make lab` in a copy of the project installs
  everything and opens the first lesson, where each picture has its buttons and sliders.
- **Teach**: the page [for teachers](notebooks/README.md) has a plan for every lesson.

If you come from another library, [this page](notebooks/coming_from.md) says what is called how here.
"""


def write_chapters(root: Path, source: Path) -> None:
    """Write the first page, and a page for each part of the site, which lists what is in it."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    chapters: dict[str, list[tuple[str, str]]] = {
        "Lessons": [
            (f"notebooks/{name}", f"{name[:2]} {heading_of(root, name)}: {words}")
            for name, words in ROW.findall(readme)
        ],
        "Audits": [
            (f"notebooks/audits/{path.stem}", heading_of(root, f"audits/{path.stem}"))
            for path in notebooks_in(root / "notebooks" / "audits")
        ],
        "Pages": [
            ("notebooks/glossary", "Glossary"),
            ("figures/README", "Gallery"),
            ("figures/benchmark", "Speed beside other libraries"),
            ("notebooks/coming_from", "Coming from another library"),
            ("notebooks/README", "For teachers"),
        ],
        "Library": [(f"api/{name}", f"pokerlab.{name}") for name in SHELVES],
    }
    for chapter, pages in chapters.items():
        seen = [f"- [{title}]({page}.{kind_of(source, page)})" for page, title in pages]
        tree = [f"{title.partition(':')[0]} <{page}>" for page, title in pages]
        lines = [f"# {chapter}", "", *seen, "", "```{toctree}", ":hidden:", "", *tree, "```", ""]
        (source / f"{chapter.lower()}.md").write_text("\n".join(lines), encoding="utf-8")
    tree = ["```{toctree}", ":hidden:", "", *map(str.lower, chapters), "```", ""]
    first = FIRST_PAGE.format(opening=readme.split("\n\n")[1])
    (source / "index.md").write_text("\n".join([first, *tree]), encoding="utf-8")


def heading_of(root: Path, name: str) -> str:
    """Return the title of a notebook."""
    notebook = nbformat.read(root / "notebooks" / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    return str(notebook.cells[0].source.partition("\n")[0].lstrip("# "))


def kind_of(source: Path, page: str) -> str:
    """Return the ending of a page's file."""
    return next((source / page).parent.glob(f"{Path(page).name}.[mri]*")).suffix[1:]


class Links(HTMLParser):
    """Gathers the addresses that a page leads to or shows, and the places that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag leads to and is called."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.addresses.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def dead_links(out: Path) -> list[tuple[Path, str]]:
    """Return the pages of a site and the addresses within it that lead nowhere from there."""
    pages: dict[Path, Links] = {}
    for path in sorted(out.rglob("*.html")):
        if "_static" in path.parts:
            continue
        pages[path.resolve()] = links = Links()
        links.feed(path.read_text(encoding="utf-8"))
    dead = []
    for page, links in pages.items():
        for address in dict.fromkeys(links.addresses):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            goal = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            known = pages[goal].places if goal in pages else set()
            if not goal.exists() or (
                parts.fragment and goal in pages and unquote(parts.fragment) not in known
            ):
                dead.append((page.relative_to(out.resolve()), address))
    return dead


if __name__ == "__main__":
    sys.exit(main())
