"""Write each definition of the glossary into the links that point to it, where it shows under the pointer.

`python -m tools.glossary` brings the links in all notebooks up to date; a test asks that they are.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat

from pokerlab.core.files import open_replacement_file

NOTEBOOKS = Path("notebooks")
ENTRY = re.compile(r'<a id="([\w-]+)"></a>(.*?)(?=<a id=|\n\n|\Z)', re.DOTALL)
LINK = re.compile(r'\]\(((?:\.\./)*glossary\.md#([\w-]+))(?: "[^"]*")?\)')
VERSION = 4


def main() -> int:
    """Write the glossary's definitions into the links of all notebooks, and print which notebooks have changed."""
    definitions = parse_definitions((NOTEBOOKS / "glossary.md").read_text(encoding="utf-8"))
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=VERSION)  # type: ignore[no-untyped-call]
        has_changed = False
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                source = add_definitions(cell.source, definitions)
                has_changed |= source != cell.source
                cell.source = source
        if has_changed:
            with open_replacement_file(path) as file:
                file.write(f"{nbformat.writes(notebook)}\n".encode())  # type: ignore[no-untyped-call]
            print(f"glossary: {path} has new definitions")
    return 0


def parse_definitions(glossary: str) -> dict[str, str]:
    """Return the definitions of a glossary as plain text, by the names of their anchors."""
    return {name: remove_markup(entry) for name, entry in ENTRY.findall(glossary)}


def remove_markup(markdown: str) -> str:
    """Return Markdown without its marks, in one line and without double quotes."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return " ".join(re.sub(r"[*`$\\]", "", text).replace('"', "'").split())


def add_definitions(markdown: str, definitions: Mapping[str, str]) -> str:
    """Return Markdown in which each link to an entry of the glossary has the definition as its title.

    Parameters
    ----------
    markdown : str
        The text of a cell.
    definitions : mapping of str to str
        The definitions in plain text, by the names of their anchors. A link to any other name is left as it is.
    """

    def add_title(link: re.Match[str]) -> str:
        """Return a link with its definition as a title."""
        address, name = link.groups()
        return f']({address} "{definitions[name]}")' if name in definitions else link[0]

    return LINK.sub(add_title, markdown)


if __name__ == "__main__":
    sys.exit(main())
