"""Build the site: lessons, audits, gallery, and the names of the library, to read where nothing can be run.

`make site` runs `python -m tools.site`, which writes into the folder `site` what Sphinx and
MyST-NB make of the committed notebooks and their outputs. It runs no notebook, needs no network, and ends
with an error if Sphinx warns or if a link within the site leads nowhere.
"""

import argparse
import base64
import hashlib
import importlib
import inspect
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin
from urllib.parse import unquote, urlsplit

import nbformat

from pokerlab.papers.experiment import SCALES
from pokerlab.workbench.live.screen import RUN_ME
from tools import doors, page_explorers, recorded_runs, starting_hands, verdicts_table
from tools.doors import Doors
from tools.figures import PAGE, list_notebooks, list_pictures, name_of, split_sections

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
    "html_sidebars": {"notebooks/audits/README": []},
    "html_css_files": ["site.css"],
    "html_js_files": ["site.js"],
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_code_prompt_show": "Code that draws or checks",
    "nb_code_prompt_hide": "Code that draws or checks",
    "nb_render_markdown_format": "myst",
    "myst_enable_extensions": ["dollarmath", "amsmath", "html_image"],
    "myst_heading_anchors": 3,
    "numpydoc_show_class_members": False,
    "autodoc_typehints": "none",
    "autodoc_member_order": "bysource",
    "default_role": "code",
    "copyright": "pokerlab authors, MIT license",
}
STYLE = """
.bd-article img { background: #ffffff; height: auto; }
.bd-article details > summary { cursor: pointer; }
.bd-article h1, .bd-article .sig { overflow-wrap: anywhere; }
@media (max-width: 600px) { .bd-article h1 { font-size: 1.75rem; } }
.bd-article code .pre { white-space: normal; overflow-wrap: anywhere; }
.bd-main .bd-content .bd-article-container { max-width: 56rem; }
.bd-main .bd-content .bd-article-container:has(#what-holds-in-five-papers) { max-width: 78rem; }
#what-holds-in-five-papers { font-size: 0.875rem; line-height: 1.35; }
#what-holds-in-five-papers h2 { margin: 1rem 0 0.5rem; font-size: 1.5rem; }
#what-holds-in-five-papers p { max-width: none; margin-bottom: 0.6rem; }
#what-holds-in-five-papers :is(th, td) { padding: 0.25rem 0.5rem; }
#what-holds-in-five-papers :is(th, td) p { margin-bottom: 0; }
.bd-article :is(p, ul, ol, dl, blockquote, .admonition) { max-width: 46em; }
@media (min-width: 600px) { .bd-article img[align="right"] { margin-left: 1.5rem; } }
@media (min-width: 960px) { .bd-sidebar-primary { flex: 0 0 15rem; } }
@media (min-width: 1200px) { .bd-sidebar-secondary { flex: 0 0 13rem; } }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 0.5rem; }
.gallery { margin-bottom: 1rem; }
.gallery a img { width: 100%; height: 7rem; object-fit: contain; background: #ffffff; }
"""
WIDE = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n"
"""Stands before a page that needs the whole width, beside an entry in `html_sidebars`."""
READ = (
    "In the notebook this cell has buttons, sliders and a picture that moves; here it stands still."
)
"""What stands in place of the sentence that asks a reader to run a cell."""
ENDED = """
```{{admonition}} A page to read
:class: note

This page shows a run that has ended. To run a cell, press a button, move a slider, guess or solve an exercise, open
`{path}` by `make lab` in a copy of the project.{moving}

{buttons}```
"""
"""What stands below a notebook's title."""
ROW = re.compile(r"^\| `(\d\d[b-z]?_\w+)` \| (.*) \|$", re.MULTILINE)
"""Of the README's list of lessons."""
AFTER = "\n## Three minutes"
"""What the first page leaves out of the README: this, and all that follows."""
PART = re.compile(r"^## (.*\d.*)$", re.MULTILINE)
"""Of the gallery: the figures of an audit."""
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
AUDITED = re.compile(r"Audit: (.*?\))")
"""The authors and the year in the title of an audit."""
ROLES = re.compile(r' role="(?:list|doc-biblioentry)"')
"""Roles that docutils gives to references and that accessibility checkers refuse."""
SVG = "image/svg+xml"
WIDTH = re.compile(r"<svg[^>]*? width=\"(\d+)")
NO_WORDS = re.compile(r'alt="[^"]*_images/([0-9a-f]{64})\.\w+"')
"""Of a picture that MyST-NB calls by the sum of its bytes."""
WITH_FRAGMENT = re.compile(
    r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\((?:([^()#:\s<]*)\.(?:md|ipynb))?(?:<(#[^>]*)>|(#[^()\s]*))(?: \"([^\"]*)\")?\)"
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
    parser.add_argument("--repository", default="", help="its address, for Binder and Colab")
    parser.add_argument("--lite", type=Path, help="what make lite has made, to publish it too")
    options = parser.parse_args(arguments)
    try:
        opened = Doors(options.repository, has_lite=options.lite is not None)
    except ValueError as error:
        parser.error(str(error))
    if options.out.exists() and not (options.out / BUILT).exists():
        print(f"site: {options.out}/ is there and is not a site; name another folder by --out.")
        return 1
    from sphinx.application import Sphinx

    with tempfile.TemporaryDirectory(prefix="pokerlab-site-") as folder:
        source, doctrees, pages = (Path(folder, name) for name in ("source", "doctrees", "pages"))
        words = write_source(options.root, source, opened)
        app = Sphinx(
            source, None, pages, doctrees, "html", status=None, warningiserror=True,
            confoverrides=SETTINGS | {"html_static_path": [str(source / "_static")]},
        )  # fmt: skip
        app.build()
        for path in pages.rglob("*.html"):
            text = ROLES.sub("", path.read_text(encoding="utf-8")).replace(EMPTY_HEAD, "<td></td>")
            text = NO_WORDS.sub(lambda found: f'alt="{escape(words[found[1]])}"', text)
            path.write_text(text, encoding="utf-8")
        if opened.repository:
            lessons = select_committed(options.root, (options.root / "notebooks").glob("*.ipynb"))
            doors.write_copies(options.root, lessons, pages / doors.COLAB, opened.repository)
        if opened.has_lite:
            shutil.copytree(options.lite, pages / doors.LITE)
        dead = find_dead_links(pages)
        for page, link in dead:
            print(f"site: {page} links to {link}, which is not there", file=sys.stderr)
        put_in_place(pages, options.out)
    print(f"site: {sum(1 for _ in options.out.rglob('*.html'))} pages in {options.out}/")
    return 1 if dead or app.statuscode else 0


def put_in_place(pages: Path, out: Path) -> None:
    """Replace the folder `out` by finished pages; killed in between, it is there as it was, or not at all."""
    beside, old = (
        out.with_name(f".{out.name}.{secrets.token_hex(6)}.{end}") for end in ("new", "old")
    )
    try:
        shutil.move(pages, beside)
        if out.exists():
            out.rename(old)
        beside.rename(out)
    finally:
        for left in (beside, old):
            shutil.rmtree(left, ignore_errors=True)


def write_source(root: Path, source: Path, opened: Doors) -> dict[str, str]:
    """Write what Sphinx reads: the notebooks' folder as it is, the gallery, a page for each package, the first page.

    Returned are the words for each picture in a notebook, by the sum of its bytes.
    """
    words: dict[str, str] = {}
    lessons: dict[str, list[str]] = {}
    for path in select_committed(root, list_notebooks(root / "notebooks")):
        copy = source / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        notebook = make_readable(path, opened)
        copy.write_text(nbformat.writes(notebook), encoding="utf-8")  # type: ignore[no-untyped-call]
        words |= dict(filter(None, map(describe_output, list_outputs(notebook))))
        if path.parent.name == "notebooks":
            lessons[name_of(path)] = [name_picture(png) for png in list_pngs(notebook)]
    for path in select_committed(root, (root / "notebooks").glob("*.md")):
        (source / "notebooks" / path.name).write_text(
            link_pages(path.read_text(encoding="utf-8")), encoding="utf-8"
        )
    leave = shutil.ignore_patterns("*.csv", *SCALES)
    shutil.copytree(root / "figures", source / "figures", ignore=leave)
    (source / "figures" / PAGE).write_text(add_index(root, lessons, words), encoding="utf-8")
    (source / "_static").mkdir()
    static = source / "_static"
    style = STYLE + doors.STYLE + verdicts_table.STYLE + page_explorers.STYLE + recorded_runs.STYLE
    style += recorded_runs.PAINTER_STYLE.read_text(encoding="utf-8")
    (static / "site.css").write_text(style, encoding="utf-8")
    script = verdicts_table.SCRIPT + recorded_runs.write_player()
    script += page_explorers.SCRIPT.read_text(encoding="utf-8")
    (static / "site.js").write_text(script, encoding="utf-8")
    recorded_runs.write_runs(static / recorded_runs.FOLDER)
    starting_hands.write_starting_hands(static / recorded_runs.FOLDER)
    (source / "api").mkdir()
    for name in SHELVES:
        shelf = importlib.import_module(f"pokerlab.{name}")
        (source / "api" / f"{name}.rst").write_text("\n".join(list_names(shelf)), encoding="utf-8")
    write_cards(root, source)
    write_chapters(root, source)
    return words


def write_cards(root: Path, source: Path) -> None:
    """Write the page of cards, the table of all verdicts, and the files to which they lead."""
    audits, ledgers = Path("notebooks", "audits"), Path("data", "verdicts")
    page = (root / audits / PAGE).read_text(encoding="utf-8")
    page = page.replace(f"({os.path.relpath(ledgers / PAGE, audits)})", "(../../verdicts.md)")
    (source / audits / PAGE).write_text(WIDE + link_pages(page), encoding="utf-8")
    shutil.copytree(root / ledgers, source / ledgers, ignore=shutil.ignore_patterns(PAGE))
    (source / audits / "studies").mkdir()
    shutil.copy(root / audits / "studies" / "audit.py", source / audits / "studies")
    titles = {
        path.stem: AUDITED.findall(read_heading(root, f"audits/{path.stem}"))[0]
        for path in select_committed(root, list_notebooks(root / audits))
    }
    table = verdicts_table.write_verdicts_page(root / ledgers, titles)
    (source / f"{verdicts_table.PAGE}.md").write_text(table, encoding="utf-8")


def select_committed(root: Path, paths: Iterable[Path]) -> list[Path]:
    """Return the paths that git holds; all of them where there is no repository."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False
    )
    if listed.returncode:
        return list(paths)
    held = {(root / name).resolve() for name in listed.stdout.split("\0") if name}
    return [path for path in paths if path.resolve() in held]


def make_readable(path: Path, opened: Doors) -> Any:
    """Return a notebook with its folded code behind a button, its links for a page, and a word on what is to run.

    Lessons have a button for each door to a kernel that is open.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    moving = sum(
        RUN_ME in each.get("data", {}).get("text/plain", "") for each in list_outputs(notebook)
    )
    title, _, rest = notebook.cells[0].source.partition("\n")
    stand = f" Pictures that move there: {moving}." if moving else ""
    buttons = opened.write_buttons(path.stem) if path.parent.name == "notebooks" else ""
    ended = ENDED.format(path=f"notebooks/{name_of(path)}.ipynb", moving=stand, buttons=buttons)
    notebook.cells[0].source = title + ended + rest
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = HEADING.sub(add_anchor, link_pages(cell.source))
        elif cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
    for output in list_outputs(notebook):
        data = output.get("data", {})
        if RUN_ME in data.get("text/plain", ""):
            data["text/html"] = f"<p><em>{READ}</em></p>"
        if "text/markdown" in data:
            data["text/markdown"] = link_pages(data["text/markdown"])
        if width := WIDTH.match(data.get(SVG, "")):
            data.pop("text/html", None)  # which shows the same, but not in full size
            output.metadata[SVG] = {"width": width[1]}
        output.get("metadata", {}).get("image/png", {}).pop("height", None)
    place_live_parts(path, notebook)
    return notebook


def place_live_parts(path: Path, notebook: Any) -> None:
    """Put recorded runs where the benches of a lesson stand, and explorers of the page where its explorers stand."""
    for cell in notebook.cells:
        for call, write_explorer in page_explorers.EXPLORERS.items():
            for output in cell.get("outputs", ()) if call in cell.source else ():
                if RUN_ME in output.get("data", {}).get("text/plain", ""):
                    output.data["text/html"] = write_explorer()
    benches = [
        [
            output
            for output in cell.outputs
            if RUN_ME in output.get("data", {}).get("text/plain", "")
        ]
        for cell in notebook.cells
        if cell.cell_type == "code" and "workbench.bench(" in cell.source
    ]
    for place, outputs in enumerate(benches):
        bench = recorded_runs.find_bench(path.stem, place)
        if bench and outputs:
            folder = f"../_static/{recorded_runs.FOLDER}"
            outputs[0].data["text/html"] = recorded_runs.write_bench(bench, folder)


def list_outputs(notebook: Any) -> list[Any]:
    """Return the outputs of all cells."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def list_pngs(notebook: Any) -> list[bytes]:
    """Return the bitmaps in the outputs of a notebook."""
    found = (output.get("data", {}) for output in list_outputs(notebook))
    return [base64.b64decode(data["image/png"]) for data in found if "image/png" in data]


def name_picture(picture: bytes) -> str:
    """Return the name that MyST-NB gives to a picture, without its ending."""
    return hashlib.sha256(picture).hexdigest()


def describe_output(output: Any) -> tuple[str, str] | None:
    """Return the sum of a picture's bytes, and what it shows in words."""
    data = output.get("data", {})
    if SVG in data:
        picture = data[SVG].encode()
    elif "image/png" in data:
        picture = base64.b64decode(data["image/png"])
    else:
        return None
    words = output.metadata.get("image/png", {}).get("alt") or data["text/plain"]
    return name_picture(picture), words


def add_anchor(heading: re.Match[str]) -> str:
    """Return a heading with the place that Jupyter gives it, to which tables of an audit lead."""
    return f'{heading[0]}\n\n<a id="{escape(heading[1].replace(" ", "-"))}"></a>\n'


def link_pages(text: str) -> str:
    """Return Markdown whose links to a place within a page lead to the page that is made of it."""

    def as_html(link: re.Match[str]) -> str:
        words, page, in_brackets, fragment, title = link.groups()
        address = f"{page}.html" if page else ""
        shown = f' title="{escape(title)}"' if title else ""
        return f'<a href="{address}{escape(in_brackets or fragment)}"{shown}>{words}</a>'

    return WITH_FRAGMENT.sub(as_html, text)


def add_index(root: Path, lessons: Mapping[str, Sequence[str]], words: Mapping[str, str]) -> str:
    """Return the gallery with titles for its parts, and at its head thumbnails of all figures.

    Those of a lesson, known by the sums of their bytes and shown with their `words`, lead to the lesson.
    """
    gallery = (root / "figures" / PAGE).read_text(encoding="utf-8")
    head, first, rest = gallery.partition("\n## ")
    index = []
    for lesson, sums in lessons.items():
        small = [
            write_thumbnail(f"../notebooks/{lesson}.html", each, f"{lesson}: {words[each]}")
            for each in dict.fromkeys(sums)
        ]
        index += [f"**{read_heading(root, lesson)}**", "", *write_rows(small)]
    for audit, text in split_sections(gallery).items():
        small = [
            write_thumbnail(f"#{name.replace('_', '-')}", name, name)
            for name in list_pictures(text)
        ]
        index += [f"**{read_heading(root, audit)}**", "", *write_rows(small)]
    titled = PART.sub(lambda part: f"## {read_heading(root, part[1])}", first.lstrip() + rest)
    return "\n".join([head.partition("\n[")[0], *index, titled])


def write_thumbnail(address: str, picture: str, words: str) -> str:
    """Return a small picture, shown by its name in the site, that leads to an address."""
    image = f'<img src="../_images/{picture}.png" alt="{escape(words)}" loading="lazy">'
    return f'<a href="{address}">{image}</a>'


def write_rows(pictures: Sequence[str]) -> list[str]:
    """Return the lines that show small pictures in rows."""
    return ['<div class="gallery">', *pictures, "</div>", ""]


def list_names(shelf: ModuleType) -> list[str]:
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
            lines += [line for each in inner for line in write_entry(found, each)]
            lines += [f".. currentmodule:: {title}", ""]
        else:
            lines += write_entry(shelf, name)
    return lines


def write_entry(shelf: ModuleType, name: str) -> list[str]:
    """Return the lines for a public name."""
    found = getattr(shelf, name)
    if inspect.isclass(found):
        fields = ", ".join(getattr(found, "_fields", ()))  # whose docstrings only number them
        return [f".. autoclass:: {name}", "   :members:", f"   :exclude-members: {fields}", ""]
    if callable(found) and get_origin(found) is None:  # no type such as Floats
        return [f".. autofunction:: {name}", ""]
    return [f".. py:data:: {name}", ""] if not isinstance(found, ModuleType) else []


def write_chapters(root: Path, source: Path) -> None:
    """Write the first page, and a page for each part of the site, which lists what is in it."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    guides = sorted(
        select_committed(root, (root / "notebooks").glob("*.md")), key=lambda path: path.name
    )
    chapters: dict[str, list[tuple[str, str, str]]] = {
        "Lessons": [
            (
                f"notebooks/{name}",
                f"{name.partition('_')[0]} {read_heading(root, name)}",
                f": {words}",
            )
            for name, words in ROW.findall(readme)
        ],
        "Audits": [
            ("notebooks/audits/README", read_title(root / "notebooks" / "audits" / PAGE), ""),
            (verdicts_table.PAGE, "All verdicts", ": one table, to search and to sort"),
            *(
                (f"notebooks/audits/{path.stem}", read_heading(root, f"audits/{path.stem}"), "")
                for path in select_committed(root, list_notebooks(root / "notebooks" / "audits"))
            ),
        ],
        "Guide": [
            ("figures/README", "Gallery", ""),
            ("figures/benchmark", "Speed beside other libraries", ""),
            *((f"notebooks/{path.stem}", read_title(path), "") for path in guides),
            ("notebooks/methods", read_heading(root, "methods"), ""),
            ("notebooks/teaching/leaderboard", read_heading(root, "teaching/leaderboard"), ""),
        ],
        "Library": [(f"api/{name}", f"pokerlab.{name}", "") for name in SHELVES],
    }
    for chapter, pages in chapters.items():
        list_of = [
            f"- [{title}]({page}.{find_ending(source, page)}){words}"
            for page, title, words in pages
        ]
        tree = [f"{title} <{page}>" for page, title, _ in pages]
        lines = [f"# {chapter}", "", *list_of, "", "```{toctree}", ":hidden:", "", *tree, "```", ""]
        (source / f"{chapter.lower()}.md").write_text("\n".join(lines), encoding="utf-8")
    tree = ["", "```{toctree}", ":hidden:", "", *map(str.lower, chapters), "```", ""]
    first = readme.partition(AFTER)[0]
    (source / "index.md").write_text("\n".join([link_pages(first), *tree]), encoding="utf-8")


def read_title(path: Path) -> str:
    """Return the title of a page in Markdown."""
    return path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def read_heading(root: Path, name: str) -> str:
    """Return the title of a notebook."""
    notebook = nbformat.read(root / "notebooks" / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    return str(notebook.cells[0].source.partition("\n")[0].lstrip("# "))


def find_ending(source: Path, page: str) -> str:
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


def find_dead_links(out: Path) -> list[tuple[Path, str]]:
    """Return the pages of a site and the addresses within it that lead nowhere from there."""
    pages: dict[Path, Links] = {}
    for path in sorted(out.rglob("*.html")):
        if path.relative_to(out).parts[0] in ("_static", doors.LITE):
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
