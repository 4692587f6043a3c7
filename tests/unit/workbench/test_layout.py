"""Whatever names a figure is given, its axes keep their room, and text is drawn as it is."""

import re
import warnings
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

import pokerlab as pl
from pokerlab.runs import Column, Run
from pokerlab.strategies import RealVector
from pokerlab.workbench import legend, nth_look, plot_flow, plot_results_table
from pokerlab.workbench.explorers.population import GAMES, PopulationReading, draw_population
from pokerlab.workbench.live.view import draw_picture, make_frame
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.plots import convergence
from pokerlab.workbench.style import (
    figure,
    iterate_titles,
    measure_room_right,
    measure_share_of_width,
    shorten_words,
    wrap_words,
)
from pokerlab.workbench.views.curves import CurvesView

LITERAL = (
    ("$$ man", "$1/$2 reg", "a_b^c"),
    ("\\alpha", "<b>", "&amp;"),
    ("$\\frac{$", "$\\alpha$", "fish"),
)
LONG = (
    "network after 100 generations of tournaments",
    "very " * 40,
    "x" * 60,
    "a\nb",
    "wide 🂡♠",
)
RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def saved_as_svg(made: Figure, *, png_first: bool = True) -> str:
    buffer = BytesIO()
    if png_first:
        made.savefig(BytesIO(), format="png")
    with rc_context({"svg.fonttype": "none"}):
        made.savefig(buffer, format="svg")
    return re.sub("<!--.*?-->", "", buffer.getvalue().decode(), flags=re.DOTALL)


def bars(names: tuple[str, ...]) -> Figure:
    made, axes = figure(7.2, 3.6)
    for number, name in enumerate(names):
        axes.bar(np.arange(9) + number / len(names), np.ones(9), 1 / len(names), label=name)
    legend(axes, ncols=7, loc="lower left", bbox_to_anchor=(-0.01, 0.99), borderaxespad=0.2)
    return made


def results(names: tuple[str, ...]) -> Figure:
    cells = np.triu(np.ones((len(names), len(names))), 1)
    return plot_results_table(pl.metrics.rate_players(cells - cells.T), names, unit=names[0])


def curves(names: tuple[str, ...]) -> Figure:
    made, axes = figure()
    for number, name in enumerate(names):
        axes.plot([1, 2], [number, 1], label=name, **nth_look(number))
    axes.set(xlabel=names[0], ylabel=names[0])
    axes.set_title(names[0], loc="left")
    legend(axes)
    return made


def two_plots(names: tuple[str, ...]) -> Figure:
    made, both = figure(columns=2)
    for axes in both:
        axes.bar(range(len(names)), 1.0)
        axes.set_xticks(range(len(names)), names)
        axes.set_title(names[0], loc="left")
    made.suptitle(names[0], x=0.01, ha="left")
    return made


def flow(names: tuple[str, ...]) -> Figure:
    made, axes = figure()
    plot_flow(axes, RPS, names[:3])
    legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return made


def population(names: tuple[str, ...]) -> Figure:
    payoff = [
        [float(number) for number in row.split()] for row in GAMES["Zeeman's game"][0].split(";")
    ]
    process = pl.solvers.MoranProcess(payoff, 20, payoff_shift=5.0)
    shares = [0.5, 0.3, 0.2]
    reading = PopulationReading.compute(payoff, tuple(names[:3]), shares, process, seed=1)
    return paint_picture(draw_population(reading))


def run_of_contest(name: str) -> Run:
    contest = pl.games.contest(
        lambda a, b, seed: float(a[0] - b[0]), name=name, unit=pl.core.Unit(name, name)
    )
    search = pl.solvers.PopulationCoevolution(contest, RealVector(3), seed=1, size=10)
    column = Column("best", name, name, lambda state: float(state.population.max()))
    return Run(search, [column]).to(20, progress=False)


def recorded(names: tuple[str, ...]) -> Figure:
    history = run_of_contest(names[0]).history
    made, axes = figure()
    convergence(axes, history, "best", label=names[0])
    legend(axes)
    return made


def on_the_bench(names: tuple[str, ...]) -> Figure:
    run = run_of_contest(names[0])
    frame = make_frame(run, run.iteration)
    return paint_picture(draw_picture([CurvesView()], frame, {"convergence": frame.columns}))


DRAWN: dict[str, Callable[[tuple[str, ...]], Figure]] = {
    "bars": bars, "table of results": results, "curves": curves, "two plots": two_plots, "flow": flow,
    "population": population, "recorded run": recorded, "bench": on_the_bench,
}  # fmt: skip
of_each_picture = pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)


@of_each_picture
@pytest.mark.parametrize(
    "names", [LONG, tuple(f"4Pop-{n}" for n in range(7))], ids=["long", "many"]
)
def test_picture_with_extreme_names_keeps_half_of_its_width(
    draw: Callable[[tuple[str, ...]], Figure], names: tuple[str, ...]
) -> None:
    made = draw(names)
    saved_as_svg(made)
    assert measure_share_of_width(made) >= 0.5
    for each in (*made.legends, *filter(None, (axes.get_legend() for axes in made.axes))):
        assert each.get_window_extent().x0 >= -1.0
        assert each.get_window_extent().x1 <= made.bbox.x1 + 1.0


@of_each_picture
@pytest.mark.parametrize("names", LITERAL)
def test_picture_with_markup_in_names_draws_it_literally(
    draw: Callable[[tuple[str, ...]], Figure], names: tuple[str, ...]
) -> None:
    drawn = saved_as_svg(draw((" ".join(names), *names[1:])), png_first=False)
    for name in names:
        escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert f">{escaped}" in drawn or f" {escaped}" in drawn, name


def test_legend_of_seven_names_stands_below_a_figure_of_full_width() -> None:
    made = bars(tuple(f"4Pop-{number}" for number in range(7)))
    made.draw_without_rendering()
    (below,) = made.legends
    assert [text.get_text() for text in below.get_texts()] == [f"4Pop-{n}" for n in range(7)]
    assert made.axes[0].get_legend() is None
    assert below.get_window_extent().y1 <= made.axes[0].get_tightbbox().y0
    assert measure_share_of_width(made) > 0.9


def test_formula_in_another_layout_is_a_formula() -> None:
    made, axes = figure()
    made.set_layout_engine("constrained")
    axes.set_title("$x^2$", loc="left")
    assert "x^2" not in saved_as_svg(made)


def test_powers_of_ten_that_matplotlib_writes_stay_formulas() -> None:
    made, axes = figure()
    axes.plot([1, 1e6], [1, 1e6])
    axes.set_yscale("log")
    assert "mathdefault" not in saved_as_svg(made)


def test_share_of_width_counts_axes_one_above_another_once() -> None:
    made = Figure()
    for left, bottom, width in ((0.1, 0.1, 0.3), (0.1, 0.6, 0.2), (0.3, 0.6, 0.2), (0.8, 0.1, 0.1)):
        made.add_axes((left, bottom, width, 0.3))
    assert measure_share_of_width(made) == pytest.approx(0.5)  # 0.1 to 0.5, and 0.8 to 0.9


def test_room_right_of_axes_ends_at_those_in_the_same_row() -> None:
    made = Figure()
    for left, bottom in ((0.1, 0.6), (0.5, 0.6), (0.3, 0.1)):
        made.add_axes((left, bottom, 0.1, 0.3))
    rooms = [measure_room_right(axes, axes.get_window_extent().x0) for axes in made.axes]
    assert np.diff(rooms) == pytest.approx([0.1 * made.bbox.width, 0.2 * made.bbox.width])


def test_axes_under_half_of_the_width_are_reported() -> None:
    made, axes = figure()
    axes.text(0.0, 0.5, "w" * 45, ha="right", transform=axes.transAxes)
    with pytest.warns(UserWarning, match="the axes of a figure have .*% of its width"):
        made.draw_without_rendering()


def test_titles_side_by_side_do_not_meet() -> None:
    made = two_plots(("A title that is much too long for half of a picture, and goes on", "b", "c"))
    made.draw_without_rendering()
    one, other = (next(iterate_titles(axes)).get_window_extent() for axes in made.axes)
    assert one.x1 < other.x0
    assert other.x1 <= made.bbox.x1


def test_names_side_by_side_do_not_touch() -> None:
    made = two_plots(("CallOrRaise the first", "OldScratch of long ago", "champion of them all"))
    made.draw_without_rendering()
    for axes in made.axes:
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))


def test_words_that_fit_stay_as_they_are() -> None:
    made, axes = figure()
    axes.set_xticks(range(3), ["rock", "paper", "scissors"])
    axes.set_title("A finding", loc="left")
    made.draw_without_rendering()
    assert [label.get_text() for label in axes.get_xticklabels()] == ["rock", "paper", "scissors"]
    assert axes.get_title("left") == "A finding"


def test_words_that_fit_a_png_are_not_wrapped_in_an_svg() -> None:
    made, axes = figure(7.2, 3.6)
    axes.set(ylabel="mean rank (1 is best)")
    axes.set_title("A title of some sixty letters, which has room in one line", loc="left")
    assert ">mean rank (1 is best)<" in saved_as_svg(made)
    assert ">A title of some sixty letters, which has room in one line<" in saved_as_svg(made)


@pytest.mark.parametrize("most", range(3, 20))
def test_shortened_words_keep_their_start_and_end(most: int) -> None:
    made = shorten_words("abcdefghijklmnopqrstuvwxyz", most)
    assert len(made) == most
    assert made[0] + made[-1] == "az"
    assert shorten_words("z" * most, most) == "z" * most


@pytest.mark.parametrize("words", LONG)
@pytest.mark.parametrize("letters", [3, 8, 20])
def test_wrapped_words_have_few_short_lines(words: str, letters: int) -> None:
    lines = wrap_words(words.replace("\n", " "), letters).split("\n")
    assert len(lines) <= 3
    assert max(map(len, lines)) <= letters
