"""Plots show the numbers that they are given, and a legend covers none of them."""

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.papers.experiment import Published
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.runs import History
from pokerlab.workbench import plots
from pokerlab.workbench.style import figure, look, nth_look
from pokerlab.workbench.views.curves import choose_nice_limits, plot_published


@pytest.fixture(scope="module")
def history() -> History:
    return replicator.run(Config(iterations=300, seed=1)).to(300, progress=False).history


def number(column: str, iteration: float, value: float, relation: str = "=") -> Published:
    return Published("key", "KP(2)", column, iteration, value, relation, "chips", "page 1", "")


def test_a_convergence_curve_is_what_was_recorded_after_iteration_0(history: History) -> None:
    _, axes = figure()
    line = plots.convergence(axes, history, "nash_conv_average", "average")
    across, up = line.get_data()
    assert np.array_equal(across, history["iteration"][1:])
    assert np.array_equal(up, history["nash_conv_average"][1:])
    assert line.get_color() == look("average")["color"]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_ylabel() == "NashConv (chips, log)"


def test_against_seconds_the_last_recording_stands_at_the_runs_time(history: History) -> None:
    _, axes = figure()
    line = plots.convergence(axes, history, "nash_conv_average", "average", against="seconds")
    assert line.get_xdata()[-1] == pytest.approx(history.provenance["seconds"])
    with pytest.raises(SettingError, match="'iteration' or 'seconds'"):
        plots.convergence(axes, history, "nash_conv_average", against="minutes")


def test_published_numbers_of_the_column_are_open_circles(history: History) -> None:
    _, axes = figure()
    rows = [number("a", 1, 0.9), number("b", 2, 0.5), number("a", 100, 0.1, "<")]
    assert plot_published(axes, rows, "a") == [(1, 0.9), (100, 0.1)]
    circles = axes.lines[0]
    assert circles.get_markerfacecolor() == "none"
    assert np.array_equal(circles.get_xydata(), [[1, 0.9], [100, 0.1]])
    (arrow,) = axes.containers  # below the number that the paper calls larger than its result
    assert np.array_equal(arrow.lines[0].get_xydata(), [[100, 0.1]])


def test_a_published_number_without_an_iteration_is_a_line_across() -> None:
    _, axes = figure()
    assert len(plot_published(axes, [number("a", np.nan, 0.25)], "a")) == 1
    assert list(axes.lines[0].get_ydata()) == [0.25, 0.25]


@pytest.mark.parametrize(("values", "limits"), [([0.0, 0.0], (0.0, 1.0)), ([-1.0, 2.0], (-2, 3))])
def test_limits_are_round_numbers_around_the_values(values: list[float], limits: object) -> None:
    assert choose_nice_limits(values) == limits


ACROSS = np.linspace(0.0, 1.0, 50)


@pytest.mark.parametrize("corner", ["upper right", "lower left"])
def test_a_legend_leaves_the_corner_that_a_curve_passes(corner: str) -> None:
    made, axes = figure(5.0, 3.0)
    axes.plot(ACROSS, ACROSS, label="a curve")
    plots.legend(axes, loc=corner)
    made.draw_without_rendering()
    assert plots.covers_data(axes, axes.get_legend().get_window_extent())
    plots.move_legends(made)
    made.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    assert not plots.covers_data(axes, box)
    assert axes.get_window_extent().overlaps(box)


def test_without_a_free_corner_the_entries_of_all_axes_stand_below_the_figure_once() -> None:
    made, both = figure(5.0, 3.0, columns=2)
    for axes, own in zip(both, ("left", "right"), strict=True):
        axes.plot(ACROSS, np.sin(60 * ACROSS), label="everywhere")
        axes.plot(ACROSS, np.cos(60 * ACROSS), label=own)
        plots.legend(axes)
    plots.move_legends(made)
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
        plots.legend(axes, loc="upper right")
        made.draw_without_rendering()
        assert plots.covers_data(axes, axes.get_legend().get_window_extent())


def test_a_curve_has_markers_in_the_legend_only_if_it_has_them_on_the_axes() -> None:
    made, axes = figure()
    axes.plot([1, 2], [1, 2], label="curve", **look("CFR"))
    axes.plot([1, 2], [2, 1], label="points", **nth_look(1) | {"markevery": 1})
    plots.legend(axes)
    made.draw_without_rendering()
    assert [line.get_marker() for line in axes.get_legend().get_lines()] == ["", "s"]
