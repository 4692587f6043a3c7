"""Build the site: lessons, audits, gallery, and the library's public names, to read where nothing can be run.

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
from typing import Any, NamedTuple, get_origin
from urllib.parse import unquote, urlsplit

import nbformat

from pokerlab.papers.experiment import SCALES
from pokerlab.workbench.live.screen import RUN_THIS_CELL
from tools import doors, page_explorers, recorded_runs, starting_hands, verdicts_table
from tools.doors import LessonServices
from tools.figures import PAGE, get_notebook_name, list_notebooks, list_pictures, split_gallery

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
    """Build the site into a folder, and return an exit status.

    It is 0, or 1 if Sphinx warns, if a link leads nowhere, or if the folder is not that of a site.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tools.site", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--out", type=Path, default=Path("site"), help="where the site goes")
    parser.add_argument("--repository", default="", help="its address, for Binder and Colab")
    parser.add_argument("--lite", type=Path, help="what make lite has made, to publish it too")
    options = parser.parse_args(arguments)
    try:
        services = LessonServices(options.repository, has_lite=options.lite is not None)
    except ValueError as error:
        parser.error(str(error))
    if options.out.exists() and not (options.out / BUILT).exists():
        print(f"site: {options.out}/ is there and is not a site; name another folder by --out.")
        return 1
    from sphinx.application import Sphinx

    with tempfile.TemporaryDirectory(prefix="pokerlab-site-") as folder:
        source, doctrees, pages = (Path(folder, name) for name in ("source", "doctrees", "pages"))
        alternative_texts = write_sphinx_source(options.root, source, services)
        app = Sphinx(
            source, None, pages, doctrees, "html", status=None, warningiserror=True,
            confoverrides=SETTINGS | {"html_static_path": [str(source / "_static")]},
        )  # fmt: skip
        app.build()
        for path in pages.rglob("*.html"):
            text = ROLES.sub("", path.read_text(encoding="utf-8")).replace(EMPTY_HEAD, "<td></td>")
            text = NO_WORDS.sub(lambda alt: f'alt="{escape(alternative_texts[alt[1]])}"', text)
            path.write_text(text, encoding="utf-8")
        if services.repository:
            lessons = select_committed(options.root, (options.root / "notebooks").glob("*.ipynb"))
            doors.write_colab_copies(
                options.root, lessons, pages / doors.COLAB, services.repository
            )
        if services.has_lite:
            shutil.copytree(options.lite, pages / doors.LITE)
        dead_links = find_dead_links(pages)
        for page, link in dead_links:
            print(f"site: {page} links to {link}, which is not there", file=sys.stderr)
        replace_folder(pages, options.out)
    num_pages = sum(1 for _ in options.out.rglob("*.html"))
    print(f"site: {num_pages} pages in {options.out}/")
    return 1 if dead_links or app.statuscode else 0


def replace_folder(pages: Path, out: Path) -> None:
    """Replace the folder `out` by the folder `pages`, which moves there.

    If the process is killed in between, `out` is as it was, or does not exist.
    """
    # First the pages are moved to the same disk, so that two quick renamings remain.
    new_folder, old_folder = (
        out.with_name(f".{out.name}.{secrets.token_hex(6)}.{end}") for end in ("new", "old")
    )
    try:
        shutil.move(pages, new_folder)
        if out.exists():
            out.rename(old_folder)
        new_folder.rename(out)
    finally:
        for folder in (new_folder, old_folder):
            shutil.rmtree(folder, ignore_errors=True)


def write_sphinx_source(root: Path, source: Path, services: LessonServices) -> dict[str, str]:
    """Write the folder from which Sphinx builds the site, and return the alternative texts of its pictures.

    The folder has the notebooks, the gallery, style and scripts, recorded runs, a page for each package, the cards and
    verdicts of audits, the first page, and a page for each part of the site.

    Parameters
    ----------
    root : Path
        The project's folder.
    source : Path
        The folder that is written.
    services : LessonServices
        The services on which lessons can be run, for which their pages get buttons.

    Returns
    -------
    dict of str to str
        What each picture in a notebook shows in words, by the name that MyST-NB gives the picture.
    """
    alternative_texts: dict[str, str] = {}
    pictures_of_lessons: dict[str, list[str]] = {}
    for path in select_committed(root, list_notebooks(root / "notebooks")):
        copy = source / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        notebook = make_notebook_readable(path, services)
        copy.write_text(nbformat.writes(notebook), encoding="utf-8")  # type: ignore[no-untyped-call]

        for output in list_cell_outputs(notebook):
            if picture_and_text := describe_picture_of_output(output):
                picture_name, alternative_text = picture_and_text
                alternative_texts[picture_name] = alternative_text
        is_lesson = path.parent.name == "notebooks"
        if is_lesson:
            pictures_of_lessons[get_notebook_name(path)] = [
                compute_picture_name(png) for png in list_png_pictures(notebook)
            ]

    for path in select_committed(root, (root / "notebooks").glob("*.md")):
        page = convert_links_to_pages(path.read_text(encoding="utf-8"))
        (source / "notebooks" / path.name).write_text(page, encoding="utf-8")

    not_copied = shutil.ignore_patterns("*.csv", *SCALES)
    shutil.copytree(root / "figures", source / "figures", ignore=not_copied)
    gallery = add_thumbnails_to_gallery(root, pictures_of_lessons, alternative_texts)
    (source / "figures" / PAGE).write_text(gallery, encoding="utf-8")

    write_static_files(source / "_static")
    (source / "api").mkdir()
    for name in SHELVES:
        package = importlib.import_module(f"pokerlab.{name}")
        page = "\n".join(format_package_page(package))
        (source / "api" / f"{name}.rst").write_text(page, encoding="utf-8")
    write_cards_and_verdicts(root, source)
    write_chapter_pages(root, source)
    return alternative_texts


def write_static_files(static: Path) -> None:
    """Write the style, the scripts, the recorded runs and the starting hands of the site into a new folder."""
    static.mkdir()
    style = STYLE + doors.STYLE + verdicts_table.STYLE + page_explorers.STYLE + recorded_runs.STYLE
    style += recorded_runs.PAINTER_STYLE.read_text(encoding="utf-8")
    (static / "site.css").write_text(style, encoding="utf-8")

    script = verdicts_table.SCRIPT + recorded_runs.format_player_script()
    script += page_explorers.SCRIPT.read_text(encoding="utf-8")
    (static / "site.js").write_text(script, encoding="utf-8")

    recorded_runs.write_runs(static / recorded_runs.FOLDER)
    starting_hands.write_starting_hands(static / recorded_runs.FOLDER)


def write_cards_and_verdicts(root: Path, source: Path) -> None:
    """Write the audits' page of cards, the table of all verdicts, and the files to which they link, for Sphinx.

    `root` is the project's folder, and `source` the folder that Sphinx reads.
    """
    audits, ledgers = Path("notebooks", "audits"), Path("data", "verdicts")
    page = (root / audits / PAGE).read_text(encoding="utf-8")
    page = page.replace(f"({os.path.relpath(ledgers / PAGE, audits)})", "(../../verdicts.md)")
    (source / audits / PAGE).write_text(WIDE + convert_links_to_pages(page), encoding="utf-8")
    shutil.copytree(root / ledgers, source / ledgers, ignore=shutil.ignore_patterns(PAGE))
    (source / audits / "studies").mkdir()
    shutil.copy(root / audits / "studies" / "audit.py", source / audits / "studies")
    titles = {
        path.stem: AUDITED.findall(read_notebook_title(root, f"audits/{path.stem}"))[0]
        for path in select_committed(root, list_notebooks(root / audits))
    }
    table = verdicts_table.format_verdicts_page(root / ledgers, titles)
    (source / f"{verdicts_table.PAGE}.md").write_text(table, encoding="utf-8")


def select_committed(root: Path, paths: Iterable[Path]) -> list[Path]:
    """Return those paths that git tracks in the project's folder `root`; all of them if it is not a repository."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False
    )
    if listed.returncode:
        return list(paths)
    tracked = {(root / name).resolve() for name in listed.stdout.split("\0") if name}
    return [path for path in paths if path.resolve() in tracked]


def make_notebook_readable(path: Path, services: LessonServices) -> Any:
    """Return a notebook for a page on which nothing can be run.

    Folded code is behind a button, links lead to pages, a note below the title says how to run the notebook, and
    recorded runs or explorers replace what needs a kernel.

    Parameters
    ----------
    path : Path
        The notebook's file.
    services : LessonServices
        The services on which lessons can be run. The page of a lesson has a button for each.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    num_moving = sum(needs_kernel(output) for output in list_cell_outputs(notebook))
    title, _, rest = notebook.cells[0].source.partition("\n")
    moving_pictures = f" Pictures that move there: {num_moving}." if num_moving else ""
    buttons = services.format_buttons(path.stem) if path.parent.name == "notebooks" else ""
    note = ENDED.format(
        path=f"notebooks/{get_notebook_name(path)}.ipynb", moving=moving_pictures, buttons=buttons
    )
    notebook.cells[0].source = title + note + rest

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = HEADING.sub(add_jupyter_anchor, convert_links_to_pages(cell.source))
        elif cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]

    for output in list_cell_outputs(notebook):
        data = output.get("data", {})
        if needs_kernel(output):
            data["text/html"] = f"<p><em>{READ}</em></p>"
        if "text/markdown" in data:
            data["text/markdown"] = convert_links_to_pages(data["text/markdown"])
        if width := WIDTH.match(data.get(SVG, "")):
            data.pop("text/html", None)  # which shows the same, but not in full size
            output.metadata[SVG] = {"width": width[1]}
        output.get("metadata", {}).get("image/png", {}).pop("height", None)
    insert_interactive_parts(path, notebook)
    return notebook


def needs_kernel(output: Any) -> bool:
    """Return whether an output of a cell is interactive, so that it shows nothing without a kernel."""
    return RUN_THIS_CELL in output.get("data", {}).get("text/plain", "")


def insert_interactive_parts(path: Path, notebook: Any) -> None:
    """Replace the benches of a lesson by recorded runs, and its explorers by those of the page, in place.

    Both need no kernel. `path` is the lesson's file, and `notebook` its content.
    """
    for cell in notebook.cells:
        for call, format_explorer in page_explorers.EXPLORERS.items():
            if call not in cell.source:
                continue
            for output in cell.get("outputs", ()):
                if needs_kernel(output):
                    output.data["text/html"] = format_explorer()

    bench_cells = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and "workbench.bench(" in cell.source
    ]
    for number, cell in enumerate(bench_cells):
        bench = recorded_runs.find_recorded_bench(path.stem, number)
        outputs = [output for output in cell.outputs if needs_kernel(output)]
        if bench and outputs:
            folder = f"../_static/{recorded_runs.FOLDER}"
            outputs[0].data["text/html"] = recorded_runs.format_recorded_bench(bench, folder)


def list_cell_outputs(notebook: Any) -> list[Any]:
    """Return the outputs of all cells of a notebook."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def list_png_pictures(notebook: Any) -> list[bytes]:
    """Return the PNG pictures in the outputs of a notebook, as bytes."""
    contents = (output.get("data", {}) for output in list_cell_outputs(notebook))
    return [base64.b64decode(data["image/png"]) for data in contents if "image/png" in data]


def compute_picture_name(picture: bytes) -> str:
    """Return the name that MyST-NB gives to a picture, without its ending: a digest of its bytes."""
    return hashlib.sha256(picture).hexdigest()


def describe_picture_of_output(output: Any) -> tuple[str, str] | None:
    """Return the name that MyST-NB gives to a cell's picture, and the picture's alternative text.

    The result is None if the output has no picture.
    """
    data = output.get("data", {})
    if SVG in data:
        picture = data[SVG].encode()
    elif "image/png" in data:
        picture = base64.b64decode(data["image/png"])
    else:
        return None
    words = output.metadata.get("image/png", {}).get("alt") or data["text/plain"]
    return compute_picture_name(picture), words


def add_jupyter_anchor(heading: re.Match[str]) -> str:
    """Return a heading in Markdown followed by the anchor that Jupyter gives it, to which an audit's tables link."""
    return f'{heading[0]}\n\n<a id="{escape(heading[1].replace(" ", "-"))}"></a>\n'


def convert_links_to_pages(text: str) -> str:
    """Return Markdown whose links to an anchor within a file lead to the page of the site that is made of that file."""

    def format_as_html(link: re.Match[str]) -> str:
        """Return a link in HTML, to which Sphinx gives no other address."""
        words, page, bracketed_anchor, anchor, title = link.groups()
        address = f"{page}.html" if page else ""
        title_attribute = f' title="{escape(title)}"' if title else ""
        return (
            f'<a href="{address}{escape(bracketed_anchor or anchor)}"{title_attribute}>{words}</a>'
        )

    return WITH_FRAGMENT.sub(format_as_html, text)


def add_thumbnails_to_gallery(
    root: Path,
    pictures_of_lessons: Mapping[str, Sequence[str]],
    alternative_texts: Mapping[str, str],
) -> str:
    """Return the gallery in Markdown, with thumbnails of all figures of lessons and audits at its head.

    Parameters
    ----------
    root : Path
        The project's folder.
    pictures_of_lessons : mapping of str to sequence of str
        By the name of a lesson, the names of its pictures in the site. Their thumbnails lead to the lesson.
    alternative_texts : mapping of str to str
        What each of these pictures shows in words, by its name.
    """
    gallery = (root / "figures" / PAGE).read_text(encoding="utf-8")
    head, section_mark, sections = gallery.partition("\n## ")
    thumbnail_lines = []
    for lesson, pictures in pictures_of_lessons.items():
        thumbnails = [
            format_thumbnail(
                f"../notebooks/{lesson}.html", picture, f"{lesson}: {alternative_texts[picture]}"
            )
            for picture in dict.fromkeys(pictures)  # each once
        ]
        thumbnail_lines += [f"**{read_notebook_title(root, lesson)}**", ""]
        thumbnail_lines += format_thumbnail_rows(thumbnails)
    for audit, text in split_gallery(gallery).items():
        thumbnails = [
            format_thumbnail(f"#{name.replace('_', '-')}", name, name)
            for name in list_pictures(text)
        ]
        thumbnail_lines += [f"**{read_notebook_title(root, audit)}**", ""]
        thumbnail_lines += format_thumbnail_rows(thumbnails)

    # Sections get the titles of audits in place of their names, and the index of names is left out.
    titled_sections = PART.sub(
        lambda part: f"## {read_notebook_title(root, part[1])}", section_mark.lstrip() + sections
    )
    introduction, _, _ = head.partition("\n[")
    return "\n".join([introduction, *thumbnail_lines, titled_sections])


def format_thumbnail(address: str, picture: str, alternative_text: str) -> str:
    """Return the HTML of a small picture that links to an address, given the picture's name in the site."""
    image = f'<img src="../_images/{picture}.png" alt="{escape(alternative_text)}" loading="lazy">'
    return f'<a href="{address}">{image}</a>'


def format_thumbnail_rows(thumbnails: Sequence[str]) -> list[str]:
    """Return the lines of HTML that show thumbnails in rows."""
    return ['<div class="gallery">', *thumbnails, "</div>", ""]


def format_package_page(package: ModuleType) -> list[str]:
    """Return the lines of a package's page in reStructuredText: its docstring, and each public name with its own.

    A public name that is a module has a section with its own public names.
    """
    title = package.__name__
    lines = [
        title,
        "=" * len(title),
        "",
        f".. automodule:: {title}",
        "",
        f".. currentmodule:: {title}",
        "",
    ]
    for name in sorted(getattr(package, "__all__", []), key=str.lower):
        value = getattr(package, name)
        if not isinstance(value, ModuleType):
            lines += format_public_name(package, name)
            continue
        module = value
        lines += [f"``{module.__name__}``", "-" * (len(module.__name__) + 4), ""]
        lines += [f".. automodule:: {module.__name__}", ""]
        lines += [f".. currentmodule:: {module.__name__}", ""]
        for inner_name in sorted(getattr(module, "__all__", []), key=str.lower):
            lines += format_public_name(module, inner_name)
        lines += [f".. currentmodule:: {title}", ""]
    return lines


def format_public_name(module: ModuleType, name: str) -> list[str]:
    """Return the lines of reStructuredText by which Sphinx documents a public name of a module.

    There are none for a name that is a module.
    """
    value = getattr(module, name)
    if inspect.isclass(value):
        fields = ", ".join(getattr(value, "_fields", ()))  # whose docstrings only number them
        return [f".. autoclass:: {name}", "   :members:", f"   :exclude-members: {fields}", ""]
    is_type_alias = get_origin(value) is not None  # such as Floats
    if callable(value) and not is_type_alias:
        return [f".. autofunction:: {name}", ""]
    return [] if isinstance(value, ModuleType) else [f".. py:data:: {name}", ""]


def write_chapter_pages(root: Path, source: Path) -> None:
    """Write the first page of the site for Sphinx, and a page for each part of it with a list of its pages.

    The parts are lessons, audits, guide and library. `root` is the project's folder, and `source` the folder that
    Sphinx reads.
    """
    readme = (root / "README.md").read_text(encoding="utf-8")
    chapters = {
        "Lessons": list_lesson_pages(root, readme),
        "Audits": list_audit_pages(root),
        "Guide": list_guide_pages(root),
        "Library": [ChapterPage(f"api/{name}", f"pokerlab.{name}") for name in SHELVES],
    }
    for chapter, pages in chapters.items():
        links = [
            f"- [{page.title}]({page.address}.{find_file_ending(source, page.address)}){page.addition}"
            for page in pages
        ]
        entries = [f"{page.title} <{page.address}>" for page in pages]
        tree = ["```{toctree}", ":hidden:", "", *entries, "```", ""]
        lines = [f"# {chapter}", "", *links, "", *tree]
        (source / f"{chapter.lower()}.md").write_text("\n".join(lines), encoding="utf-8")

    tree = ["", "```{toctree}", ":hidden:", "", *map(str.lower, chapters), "```", ""]
    introduction, _, _ = readme.partition(AFTER)
    lines = [convert_links_to_pages(introduction), *tree]
    (source / "index.md").write_text("\n".join(lines), encoding="utf-8")


class ChapterPage(NamedTuple):
    """A page in the list of a part of the site.

    Attributes
    ----------
    address : str
        The path of the page below the site's folder, without its ending.
    title : str
        The title, which is the text of the link.
    addition : str
        What follows the link in the list, such as ': its subject'.
    """

    address: str
    title: str
    addition: str = ""


def list_lesson_pages(root: Path, readme: str) -> list[ChapterPage]:
    """Return the pages of all lessons, in the order of the table in the text of the README."""
    pages = []
    for name, words in ROW.findall(readme):
        number, _, _ = name.partition("_")
        title = f"{number} {read_notebook_title(root, name)}"
        pages.append(ChapterPage(f"notebooks/{name}", title, f": {words}"))
    return pages


def list_audit_pages(root: Path) -> list[ChapterPage]:
    """Return the page about audits, the page of all verdicts, and the page of each audit."""
    audits = root / "notebooks" / "audits"
    pages = [
        ChapterPage("notebooks/audits/README", read_page_title(audits / PAGE)),
        ChapterPage(verdicts_table.PAGE, "All verdicts", ": one table, to search and to sort"),
    ]
    for path in select_committed(root, list_notebooks(audits)):
        title = read_notebook_title(root, f"audits/{path.stem}")
        pages.append(ChapterPage(f"notebooks/audits/{path.stem}", title))
    return pages


def list_guide_pages(root: Path) -> list[ChapterPage]:
    """Return the gallery, the benchmark, the pages in Markdown beside the lessons, and two notebooks."""
    pages = [
        ChapterPage("figures/README", "Gallery"),
        ChapterPage("figures/benchmark", "Speed beside other libraries"),
    ]
    guides = select_committed(root, (root / "notebooks").glob("*.md"))
    for path in sorted(guides, key=lambda path: path.name):
        pages.append(ChapterPage(f"notebooks/{path.stem}", read_page_title(path)))
    for name in ("methods", "teaching/leaderboard"):
        pages.append(ChapterPage(f"notebooks/{name}", read_notebook_title(root, name)))
    return pages


def read_page_title(path: Path) -> str:
    """Return the title of a file in Markdown, which is its first line."""
    return path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def read_notebook_title(root: Path, name: str) -> str:
    """Return the title of a notebook, given the project's folder and the notebook's name without its ending."""
    notebook = nbformat.read(root / "notebooks" / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    return str(notebook.cells[0].source.partition("\n")[0].lstrip("# "))


def find_file_ending(source: Path, page: str) -> str:
    """Return the ending of the file from which Sphinx makes a page: 'md', 'rst' or 'ipynb'.

    `source` is the folder that Sphinx reads, and `page` the page's address in it without an ending.
    """
    files = (source / page).parent.glob(f"{Path(page).name}.[mri]*")
    return next(files).suffix[1:]


class Links(HTMLParser):
    """A parser of an HTML page that gathers the addresses of its links and pictures, and its anchors.

    Attributes
    ----------
    addresses : list of str
        The addresses, as the page has them.
    places : set of str
        The names of the anchors.
    """

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the address to which a tag leads, and the anchor that it is."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.addresses.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def find_dead_links(out: Path) -> list[tuple[Path, str]]:
    """Return the links within a site that lead nowhere.

    Parameters
    ----------
    out : Path
        The folder of the site.

    Returns
    -------
    list of tuple of Path and str
        The page with the link, seen from the site's folder, and the address of the link. A link leads nowhere if there
        is no such file, or if the page to which it leads has no such anchor.
    """
    links_by_page: dict[Path, Links] = {}
    for path in sorted(out.rglob("*.html")):
        if path.relative_to(out).parts[0] in ("_static", doors.LITE):
            continue
        links = Links()
        links.feed(path.read_text(encoding="utf-8"))
        links_by_page[path.resolve()] = links

    dead_links = []
    for page, links in links_by_page.items():
        for address in dict.fromkeys(links.addresses):  # each once
            parts = urlsplit(address)
            leads_out_of_site = bool(parts.scheme or parts.netloc)
            if leads_out_of_site:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchor_is_missing = False
            if parts.fragment and target in links_by_page:
                anchor_is_missing = unquote(parts.fragment) not in links_by_page[target].places
            if anchor_is_missing or not target.exists():
                dead_links.append((page.relative_to(out.resolve()), address))
    return dead_links


if __name__ == "__main__":
    sys.exit(main())
