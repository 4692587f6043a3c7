"""A figure that has a name is kept: as PNG, as a small SVG whose text is text, and its settings as JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from pokerlab.papers import lanctot2014, read_published_numbers
from pokerlab.workbench import bench, figure, reserve, say, show
from pokerlab.workbench.kept_figures import MOST_BYTES, convert_to_svg
from pokerlab.workbench.views.curves import plot_published

CONFIG = lanctot2014.Config(iterations=20, seed=3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POKERLAB_FIGURES", str(tmp_path / "figures"))
    return tmp_path / "figures"


def test_show_keeps_a_named_figure_and_no_other(folder: Path) -> None:
    made, axes = figure(2.0, 1.0)
    plot_published(axes, read_published_numbers("lanctot-2014"), "nash_conv_average")
    show(made, "What to see.", "circles")
    show(figure(2.0, 1.0)[0], "No name.")
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["circles.json", "circles.png", "circles.svg"]
    about = json.loads((folder / "circles.json").read_text(encoding="utf-8"))
    assert about["caption"] == "What to see."
    assert {"kp2-nash-conv-100", "kp2-nash-conv-200"} <= set(about["published"])


def test_a_reserved_place_shows_what_is_said_later(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, str | None, bool]] = []

    def publish(data: dict[str, str], *_: object, transient: dict[str, str], **how: bool) -> None:
        shown.append((data["text/markdown"], transient.get("display_id"), how.get("update", False)))

    monkeypatch.setattr("IPython.core.display_functions.publish_display_data", publish)
    monkeypatch.setattr("IPython.core.interactiveshell.InteractiveShell.initialized", lambda: True)
    place = reserve("To come.")
    say("The sum.", place)
    (before, where, first), (after, same, second) = shown
    assert (before, after) == ("To come.", "The sum.")
    assert where == same is not None
    assert (first, second) == (False, True)


def test_a_bench_keeps_its_picture_whole_and_moves_on(folder: Path) -> None:
    made = bench(lanctot2014.replicator, CONFIG, first=10, name="first")
    about = json.loads((folder / "first.json").read_text(encoding="utf-8"))
    assert about["settings"]["config"] == vars(CONFIG)
    assert about["metrics"]["iteration"] == 10
    drawn = (folder / "first.svg").read_text(encoding="utf-8")
    assert "iterations</text>" in drawn  # its title moves
    before = made.png()
    made.step()
    assert made.png() != before


def test_an_svg_is_the_same_for_the_same_figure_and_has_its_text_as_text() -> None:
    made = []
    for _ in range(2):
        one, axes = figure()
        axes.plot([1, 2, 3], [1, 4, 9])
        axes.set_title("nine is three times three")
        made.append(convert_to_svg(one))
    assert made[0] == made[1]
    assert b">nine is three times three</text>" in made[0]
    assert b"font-face" not in made[0]


def test_what_is_dense_becomes_pixels() -> None:
    one, axes = figure()
    axes.scatter(*np.random.default_rng(1).random((2, 5000)))
    dense = convert_to_svg(one)
    assert len(dense) < MOST_BYTES
    assert b"data:image/png" in dense
