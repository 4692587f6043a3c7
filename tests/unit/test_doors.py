"""The doors of the site: no button without an address, and copies for Colab that install what one line names."""

import ast
import sys
from pathlib import Path

import nbformat
import pytest

from tools.doors import RUNNING, LessonServices, write_colab_copies
from tools.site import main, make_notebook_readable

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REPOSITORY = "https://github.com/someone/pokerlab"


@pytest.fixture(scope="module")
def colab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "colab"
    write_colab_copies(ROOT, LESSONS, out, REPOSITORY)
    return out


def read_titles(services: LessonServices) -> dict[str, str]:
    return {path.stem: make_notebook_readable(path, services).cells[0].source for path in LESSONS}


def test_pages_without_an_address_have_no_buttons() -> None:
    assert [
        name for name, title in read_titles(LessonServices()).items() if "pokerlab-doors" in title
    ] == []


def test_repository_opens_binder_and_colab_in_each_lesson() -> None:
    for name, title in read_titles(LessonServices(REPOSITORY)).items():
        path = f"lab%2Ftree%2Fnotebooks%2F{name}.ipynb"
        assert f"mybinder.org/v2/gh/someone/pokerlab/HEAD?urlpath={path}" in title
        assert f"/github/someone/pokerlab/blob/gh-pages/colab/{name}.ipynb" in title
        assert "in this browser" not in title


def test_lite_opens_the_lessons_that_run_in_a_browser() -> None:
    titles = read_titles(LessonServices(has_lite=True))
    running = [name for name, title in titles.items() if f"index.html?path={name}.ipynb" in title]
    assert running == list(RUNNING)
    assert not any("mybinder" in title for title in titles.values())


@pytest.mark.parametrize(
    "address", ["someone/pokerlab", "https://example.org/a/b", REPOSITORY + "/"]
)
def test_site_refuses_an_address_that_colab_cannot_open(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path / "site"), "--repository", address])
    assert "such as https://github.com/owner/name" in capsys.readouterr().err


def test_copies_for_colab_install_first_and_keep_every_cell(colab: Path) -> None:
    assert [path.name for path in sorted(colab.iterdir())] == [path.name for path in LESSONS]
    for path in LESSONS:
        copy = nbformat.read(colab / path.name, as_version=4)
        nbformat.validate(copy)
        install = copy.cells.pop(1)
        assert "output.enable_custom_widget_manager()" in install.source
        code = [cell for cell in copy.cells if cell.cell_type == "code"]
        given = nbformat.read(path, as_version=4).cells
        assert [cell.source for cell in code] == [
            cell.source for cell in given if cell.cell_type == "code"
        ]
        assert not any(cell.outputs for cell in code)
        words = "".join(cell.source for cell in copy.cells if cell.cell_type == "markdown")
        assert "](glossary.md" not in words
        assert f"{REPOSITORY}/blob/HEAD/notebooks/glossary.md" in words


def test_install_cell_runs_pip_on_colab_alone(colab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from IPython.core.inputtransformer2 import TransformerManager

    source = nbformat.read(colab / LESSONS[0].name, as_version=4).cells[1].source
    code = TransformerManager().transform_cell(source)
    ran: list[str] = []
    shell = type(
        "Shell", (), {"run_line_magic": lambda self, name, line: ran.append(f"{name} {line}")}
    )
    output = type("Output", (), {"enable_custom_widget_manager": lambda: ran.append("widgets")})
    exec(compile(ast.parse(code), "cell", "exec"), {"get_ipython": shell})
    assert ran == []
    module = type(ast)("google.colab")
    module.output = output  # type: ignore[attr-defined]
    for name in ("google", "google.colab", "anywidget", "ipywidgets", "ipywidgets.widgets", "ipy"):
        monkeypatch.setitem(sys.modules, name, module)
    before = sys.modules.copy()
    exec(compile(ast.parse(code), "cell", "exec"), {"get_ipython": shell})
    gone = {*before} - {*sys.modules}
    sys.modules.update(before)
    assert {name.partition(".")[0] for name in gone} == {"ipywidgets", "anywidget"}
    assert ran == [
        'pip install -q "$POKERLAB" "ipywidgets>=8.1,<9" "anywidget>=0.9.18,<1"', "widgets"
    ]  # fmt: skip
