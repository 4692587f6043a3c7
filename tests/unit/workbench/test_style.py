"""Figures look alike, and a look tells algorithms apart."""

import sys
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from pokerlab.core import UnknownNameError
from pokerlab.workbench import style
from pokerlab.workbench.matplotlib_painter import choose_color_map
from pokerlab.workbench.picture import ColorScale


def test_a_caption_is_the_alternative_text_of_a_picture_in_a_saved_notebook() -> None:
    data, metadata = style.make_display_data(
        style.convert_to_png(style.figure()[0]), style.figure()[0], "What to see: two curves"
    )
    output = new_output("display_data", data, metadata=metadata)
    notebook = new_notebook(cells=[new_code_cell(outputs=[output])])
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert 'alt="What to see: two curves"' in html


def test_a_power_of_ten_beside_an_axis_does_not_cover_the_title() -> None:
    drawn, axes = style.figure(5.0, 1.6)
    style.style_axes(axes)
    axes.plot([0, 1], [0, 3e11])
    title = axes.set_title("The 3 genes of the best; step size 3.6e+05", loc="left")
    drawn.canvas.draw()
    power = axes.yaxis.get_offset_text()
    assert power.get_text() == "1e11"
    assert power.get_window_extent().x0 > title.get_window_extent().x1


@pytest.mark.parametrize("colors", [style.PROBABILITY_COLORS, style.WINNING_COLORS])
def test_numbers_can_be_read_on_every_color(colors: tuple[str, ...]) -> None:
    def light(color: object) -> float:
        linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04 else c / 12.92 for c in to_rgb(color)]  # type: ignore[arg-type]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    shades, _ = choose_color_map(ColorScale(colors))
    for value in range(101):
        behind = shades(value / 100)
        low, high = sorted((light(behind), light(style.choose_ink(behind))))
        assert high / low >= 4.5


def size_of(png: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(png)).size


def test_algorithms_are_told_apart_without_color() -> None:
    for one, other in combinations(style.ALGORITHMS, 2):
        assert style.look(one)["linestyle"] != style.look(other)["linestyle"]
        assert style.look(one)["marker"] != style.look(other)["marker"]


def test_a_look_cannot_be_spoilt_by_its_user() -> None:
    style.look("CFR")["color"] = "pink"
    assert style.look("CFR")["color"] != "pink"


def test_an_unknown_look_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'CFR\+'"):
        style.look("CRF+")


def test_a_figure_has_its_size_and_never_touches_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)  # pycma imports it
    made, axes = style.figure(6.0, 3.0, 1, 2)
    assert axes.shape == (2,)
    assert size_of(style.convert_to_png(made)) == (600 * style.DENSITY, 300 * style.DENSITY)
    assert "matplotlib.pyplot" not in sys.modules


def test_kept_picture_has_few_colors_and_looks_like_the_live_one() -> None:
    made, axes = style.figure()
    shades = np.linspace(0, 1, 150).reshape(10, 15)  # the colors of 150 cells, and of words
    axes.pcolormesh(shades, cmap="viridis", edgecolors="white")
    live, kept = (
        style.convert_to_png(made, compression=level)
        for level in (style.LIVE_COMPRESSION, style.COMPRESSION)
    )
    live_pixels, kept_pixels = (
        np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(int) for png in (live, kept)
    )
    assert len(np.unique(kept_pixels.reshape(-1, 3), axis=0)) <= style.MOST_COLORS
    _, color, counts = np.unique(
        live_pixels @ [256**2, 256, 1], return_inverse=True, return_counts=True
    )
    is_in_area = (counts > 300)[color].reshape(live_pixels.shape[:2])
    assert is_in_area.mean() > 0.9
    assert np.abs(live_pixels - kept_pixels)[is_in_area].max() <= 4
    is_white = (live_pixels == 255).all(axis=2)
    assert (kept_pixels[is_white] == 255).all()
    assert len(kept) < len(live) / 2


def labels_of(low: float, high: float) -> list[str]:
    made, axes = style.figure()
    axes.plot([1, 2], [low, high])
    style.set_logarithmic(axes, "x", "y")
    made.draw_without_rendering()
    assert axes.yaxis.get_minorticklocs().size == 0
    below, above = axes.get_ylim()
    ticks = zip(axes.yaxis.get_majorticklocs(), axes.yaxis.get_majorticklabels(), strict=True)
    return [label.get_text() for place, label in ticks if below <= place <= above]


def test_a_logarithmic_axis_has_powers_of_ten_in_one_kind() -> None:
    assert labels_of(1e-3, 10.0) == ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"]
    assert labels_of(1e10, 1e12) == ["10¹⁰", "10¹¹", "10¹²"]


def test_where_few_decades_are_seen_steps_between_are_plain_numbers() -> None:
    assert labels_of(0.1, 2.0) == ["0.1", "0.2", "0.5", "1", "2"]
    assert labels_of(600.0, 6000.0) == ["1000", "2000", "5000"]
