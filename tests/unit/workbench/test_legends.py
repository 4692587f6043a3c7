"""A legend covers no data: it stands in a free corner, or below the figure."""

import numpy as np
import pytest

from pokerlab.workbench.pictures.plots import covers_data, legend, move_legends
from pokerlab.workbench.style import figure, look, nth_look

ACROSS = np.linspace(0.0, 1.0, 50)


@pytest.mark.parametrize("corner", ["upper right", "lower left"])
def test_a_legend_leaves_the_corner_that_a_curve_passes(corner: str) -> None:
    made, axes = figure(5.0, 3.0)
    axes.plot(ACROSS, ACROSS, label="a curve")
    legend(axes, loc=corner)
    made.draw_without_rendering()
    assert covers_data(axes, axes.get_legend().get_window_extent())
    move_legends(made)
    made.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    assert not covers_data(axes, box)
    assert axes.get_window_extent().overlaps(box)


def test_without_a_free_corner_the_entries_of_all_axes_stand_below_the_figure_once() -> None:
    made, both = figure(5.0, 3.0, columns=2)
    for axes, own in zip(both, ("left", "right"), strict=True):
        axes.plot(ACROSS, np.sin(60 * ACROSS), label="everywhere")
        axes.plot(ACROSS, np.cos(60 * ACROSS), label=own)
        legend(axes)
    move_legends(made)
    made.draw_without_rendering()
    (below,) = made.legends
    assert [text.get_text() for text in below.get_texts()] == ["everywhere", "left", "right"]
    box = below.get_window_extent()
    for axes in both:
        assert axes.get_legend() is None
        assert box.y1 <= axes.get_tightbbox().y0
    assert box.y0 >= made.bbox.y0


def test_whatever_is_drawn_is_data() -> None:
    for draw in (
        lambda axes: axes.plot(ACROSS, np.ones(50), linestyle="none", marker="o", label="points"),
        lambda axes: axes.scatter(ACROSS, np.ones(50), label="points"),
        lambda axes: axes.bar(ACROSS, np.ones(50), label="bars"),
        lambda axes: axes.fill_between(ACROSS, 0.5 * ACROSS, 1.04, label="a band around nothing"),
        lambda axes: axes.errorbar([0.9], [0.5], [0.5], label="an error beside its point"),
        lambda axes: axes.pcolormesh(np.ones((3, 3))),
        lambda axes: axes.imshow(np.ones((2, 2)), extent=(0, 1, 0, 1), aspect="auto"),
        lambda axes: axes.text(0.99, 0.99, "words", ha="right", va="top"),
    ):
        made, axes = figure(5.0, 3.0)
        axes.plot([0, 1], [0, 0], label="a line")
        draw(axes)
        axes.set(xlim=(0.0, 1.0), ylim=(0.0, 1.05))
        legend(axes, loc="upper right")
        made.draw_without_rendering()
        assert covers_data(axes, axes.get_legend().get_window_extent())


def test_a_curve_has_markers_in_the_legend_only_if_it_has_them_on_the_axes() -> None:
    made, axes = figure()
    axes.plot([1, 2], [1, 2], label="curve", **look("CFR"))
    axes.plot([1, 2], [2, 1], label="points", **nth_look(1) | {"markevery": 1})
    legend(axes)
    made.draw_without_rendering()
    assert [line.get_marker() for line in axes.get_legend().get_lines()] == ["", "s"]
