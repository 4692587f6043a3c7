"""The links from the pages of the site to a running kernel, on Binder, on Colab, or in the reader's own browser.

`make site REPOSITORY=https://github.com/owner/name` gives the pages of lessons a button for Binder, which builds what
`.binder` describes, and one for Colab. Colab opens a copy of the lesson that installs pokerlab first. These copies are
part of the site, in the folder `colab`, so the site must be published from the branch `gh-pages` of that repository.
If `make lite` has been run, lessons that run in a browser have a button for that, too. A service whose address is not
known has no button.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat

from tools.handout import remove_outputs_and_solutions

RUNNING = (
    "00_start_here", "01_games_and_equilibria", "01b_hidden_cards", "02_populations", "02b_mutants",
    "02c_stable_populations", "03_steps_and_averages", "03b_finite_populations", "04_linear_programs",
    "04b_sequence_form", "04c_solving_a_game_tree", "07_coevolution", "07b_how_coevolution_fails",
    "09_minimax_coevolution", "09b_judges_that_err",
)  # fmt: skip
"""The lessons that run in a browser: at the scale quick, without numba and without threads."""
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)")
COLAB, LITE = "colab", "lite"
"""The folders of the site with the copies for Colab, and with what `make lite` has made."""
WIDGETS = ("ipywidgets", "anywidget")
"""What shows controls in a page, of the packages that the extra `lab` names."""
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s]+)")
"""A link to another file."""
INSTALL = f"""# On Colab this cell installs pokerlab and lets its controls appear. Elsewhere it does nothing.
import sys

POKERLAB = "git+{{repository}}"  # or the address of a wheel, or its file
if "google.colab" in sys.modules:
    %pip install -q "$POKERLAB" {{widgets}}
    for name in [*sys.modules]:  # Colab has imported older ones
        if name.partition(".")[0] in {WIDGETS}:
            del sys.modules[name]
    from google.colab import output

    output.enable_custom_widget_manager()"""
BUTTONS = """<p class="pokerlab-doors">{links}</p>

"""
STYLE = """
.pokerlab-doors { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.pokerlab-doors a { border: 1px solid currentColor; border-radius: 0.3rem; padding: 0.3rem 0.75rem; }
"""


@dataclass(frozen=True)
class LessonServices:
    """The services on which a reader of the site can run a lesson.

    Attributes
    ----------
    repository : str
        The address of the repository on GitHub, or nothing.
    has_lite : bool
        Whether the site holds what `make lite` has made.
    """

    repository: str = ""
    has_lite: bool = False

    def __post_init__(self) -> None:
        if self.repository and not GITHUB.fullmatch(self.repository):
            raise ValueError(
                f"the repository is {self.repository!r}; give an address such as https://github.com/owner/name, since"
                " Colab opens notebooks from there."
            )

    def iterate_button_links(self, lesson: str) -> Iterable[tuple[str, str]]:
        """Yield the label and the address of each link that runs a lesson, given the lesson's name."""
        if self.has_lite and lesson in RUNNING:
            yield "Run in this browser", f"../{LITE}/lab/index.html?path={lesson}.ipynb"
        if self.repository:
            name = self.repository.removeprefix("https://github.com/")
            opened_file = quote(f"lab/tree/notebooks/{lesson}.ipynb", safe="")
            yield "Run on Binder", f"https://mybinder.org/v2/gh/{name}/HEAD?urlpath={opened_file}"
            colab = "https://colab.research.google.com/github"
            yield "Run on Colab", f"{colab}/{name}/blob/gh-pages/{COLAB}/{lesson}.ipynb"

    def format_buttons(self, lesson: str) -> str:
        """Return the HTML of the buttons that run a lesson; an empty text if it cannot be run anywhere."""
        links = "".join(
            f'<a href="{address}">{label}</a>'
            for label, address in self.iterate_button_links(lesson)
        )
        return BUTTONS.format(links=links) if links else ""


def write_colab_copies(root: Path, lessons: Iterable[Path], out: Path, repository: str) -> None:
    """Write copies of lessons for Colab into a new folder: without outputs, and with a cell that installs pokerlab.

    Parameters
    ----------
    root : Path
        The project's folder.
    lessons : iterable of Path
        The lessons.
    out : Path
        The folder that is written.
    repository : str
        The address of the repository on GitHub, from which pokerlab is installed, and to which links lead.
    """
    out.mkdir()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lab_requirements = project["optional-dependencies"]["lab"]
    widgets = [f'"{package}"' for package in lab_requirements if package.startswith(WIDGETS)]
    install_code = INSTALL.format(repository=repository, widgets=" ".join(widgets))

    for path in lessons:
        notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        notebook = remove_outputs_and_solutions(notebook, keep_solutions=True)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = LINK.sub(rf"]({repository}/blob/HEAD/notebooks/\1", cell.source)
        install_cell = nbformat.v4.new_code_cell(install_code, id="install")  # type: ignore[no-untyped-call]
        notebook.cells.insert(1, install_cell)
        text = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
        (out / path.name).write_text(text, encoding="utf-8")
