"""Plots show the numbers that they are given."""

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.papers.experiment import Published
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.runs import History
from pokerlab.workbench.pictures.plots import convergence, published
from pokerlab.workbench.style import figure, look
from pokerlab.workbench.views.curves import nice_limits


@pytest.fixture(scope="module")
def history() -> History:
    return replicator.run(Config(iterations=300, seed=1)).to(300, progress=False).history


def number(column: str, iteration: float, value: float, relation: str = "=") -> Published:
    return Published("key", "KP(2)", column, iteration, value, relation, "chips", "page 1", "")


def test_a_convergence_curve_is_what_was_recorded_after_iteration_0(history: History) -> None:
    _, axes = figure()
    line = convergence(axes, history, "nash_conv_average", "average")
    across, up = line.get_data()
    assert np.array_equal(across, history["iteration"][1:])
    assert np.array_equal(up, history["nash_conv_average"][1:])
    assert line.get_color() == look("average")["color"]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_ylabel() == "NashConv (chips, log)"


def test_against_seconds_the_last_recording_stands_at_the_time_the_run_took(
    history: History,
) -> None:
    _, axes = figure()
    line = convergence(axes, history, "nash_conv_average", "average", against="seconds")
    assert line.get_xdata()[-1] == pytest.approx(history.provenance["seconds"])
    with pytest.raises(SettingError, match="'iteration' or 'seconds'"):
        convergence(axes, history, "nash_conv_average", against="minutes")


def test_published_numbers_of_the_column_are_open_circles(history: History) -> None:
    _, axes = figure()
    rows = [number("a", 1, 0.9), number("b", 2, 0.5), number("a", 100, 0.1, "<")]
    assert published(axes, rows, "a") == [(1, 0.9), (100, 0.1)]
    circles = axes.lines[0]
    assert circles.get_markerfacecolor() == "none"
    assert np.array_equal(circles.get_xydata(), [[1, 0.9], [100, 0.1]])
    (arrow,) = axes.containers  # below the number that the paper calls larger than its result
    assert np.array_equal(arrow.lines[0].get_xydata(), [[100, 0.1]])


def test_a_published_number_without_an_iteration_is_a_line_across() -> None:
    _, axes = figure()
    assert len(published(axes, [number("a", np.nan, 0.25)], "a")) == 1
    assert list(axes.lines[0].get_ydata()) == [0.25, 0.25]


@pytest.mark.parametrize(("values", "limits"), [([0.0, 0.0], (0.0, 1.0)), ([-1.0, 2.0], (-2, 3))])
def test_limits_are_round_numbers_around_the_values(
    values: list[float], limits: tuple[float, float]
) -> None:
    assert nice_limits(values) == limits
