"""What a reader sees of a bench: words that do not meet, progress as it is, and no number before there is one."""

import re
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from matplotlib.figure import Figure

from pokerlab import games, solvers
from pokerlab.evolution.population import AllPairs
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.papers.nicolai2009 import Config as NetworkConfig
from pokerlab.papers.nicolai2009 import evolved_networks
from pokerlab.papers.oliehoek2006 import Config as MemoryConfig
from pokerlab.papers.oliehoek2006 import nash_memory
from pokerlab.papers.samothrakis2011 import Config as MinimaxConfig
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.strategies import DirectEncoding
from pokerlab.workbench.benches import DECLARED, choose_views
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.panel import SPEEDS
from pokerlab.workbench.live.view import Declaration
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.picture import Curves
from pokerlab.workbench.plots import covers_data
from pokerlab.workbench.style import iterate_titles
from pokerlab.workbench.views.curves import CurvesView
from tests.unit.workbench.conftest import Maker


def paint_and_draw(bench: Bench) -> Figure:
    """Return a bench's picture as a figure in which everything has its place."""
    figure = paint_picture(bench.picture)
    figure.canvas.draw()
    return figure


def test_progress_of_a_tenth_is_a_tenth_at_every_pace(make: Maker) -> None:
    bench = make(replicator, Config(iterations=1000, seed=1), first_iterations=100)
    for speed in SPEEDS.values():
        bench.controls.speed_slider.value = speed
        bench.refresh_picture()
        (share,) = re.findall(r'<progress max="1" value="([\d.]+)"', bench.screen.html)
        assert float(share) == 0.1


def test_caption_with_stars_is_shown_in_italics(make: Maker, config: Config) -> None:
    bench = make(replicator, config, caption="The column *bluff* is **pale**; 2 * 3 < 7.")
    assert "The column <em>bluff</em> is <b>pale</b>; 2 * 3 &lt; 7." in bench.screen.html
    assert "The column bluff is pale; 2 * 3 < 7." in bench.screen.plain
    assert "The column bluff is pale" in bench.screen.told[-1][1]


def test_game_outside_the_paper_is_not_called_near(make: Maker) -> None:
    bench = make(replicator, Config(game="Leduc", payoff_shift=13.0, iterations=10, seed=1))
    assert bench.controls.paper_menu.value == "a game that is not in the paper"
    assert "not as in the paper" in bench.controls.legend_words.value
    bench.set(game="KP(4)")
    assert bench.controls.paper_menu.value.endswith("Figure 2, right: KP(4)")


def test_curve_of_one_point_is_seen(bench: Bench) -> None:
    bench.step()
    lines = paint_picture(bench.picture).axes[0].lines[:2]
    assert [(line.get_marker(), line.get_markevery()) for line in lines] == [("o", None)] * 2
    bench.step()
    assert [line.get_markevery() for line in paint_picture(bench.picture).axes[0].lines[:2]] == [
        [],
        [],
    ]


@pytest.mark.parametrize("players", [2, 5])
def test_words_around_strategies_do_not_meet(players: int, make: Maker) -> None:
    """The last player but one has the longest labels."""
    bench = make(replicator, Config(game=f"KP({players})", iterations=10, seed=1))
    for player in sorted({1, players - 1, players}):
        bench.controls.choice_menus["Strategy of"].label = f"player {player}"
        for axes in paint_and_draw(bench).axes[1:]:
            labels = [label.get_window_extent() for label in axes.get_xticklabels()]
            numbers = [text.get_window_extent() for text in axes.texts[: len(labels)]]
            for boxes in (labels, numbers):
                assert all(one.x1 < other.x0 for one, other in pairwise(boxes)), (player, boxes)


@pytest.mark.parametrize("declaration", DECLARED, ids=lambda each: each.experiment.title)
def test_titles_side_by_side_do_not_meet_on_any_bench(
    declaration: Declaration, make: Maker
) -> None:
    config = declaration.experiment.scales["quick"]
    quick = {"deals": "exact"} if hasattr(config, "deals") else {}  # sampled ones take a minute
    bench = make(declaration, replace(config, **quick))
    bench.step()
    drawn = paint_and_draw(bench)
    boxes = [title.get_window_extent() for axes in drawn.axes for title in iterate_titles(axes)]
    assert all(box.x1 <= drawn.bbox.x1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_legend_leaves_the_curves_of_the_run_before(make: Maker) -> None:
    bench = make(replicator, Config(iterations=1000, seed=1), first_iterations=1000)
    bench.controls.choice_menus["Show"].label = "difference"
    bench.set(start="random")
    axes = paint_and_draw(bench).axes[0]
    assert not covers_data(axes, axes.get_legend().get_window_extent())


def test_networks_that_have_not_played_have_no_rank(make: Maker) -> None:
    bench = make(evolved_networks, NetworkConfig(agents=20, tournaments=2, iterations=4, seed=1))
    assert bench.picture.find_strip("convergence").headline == "Nothing has been played yet"
    assert "rank 0" not in bench.screen.plain + bench.screen.told[-1][1]
    bench.step()
    across, up = bench.picture["convergence"]["rank"]
    assert across.tolist() == [1.0]
    assert up.min() >= 1.0
    (curves,) = bench.picture.find_strip("convergence").panels
    assert isinstance(curves, Curves)
    assert (curves.x.is_log, curves.x.label) == (False, "generation")
    assert curves.title.endswith("after 1 generation")


@pytest.mark.parametrize(
    ("solver", "unit"),
    [
        (solvers.CFR(games.kuhn()), "iteration"),
        (solvers.MinimaxCoevolution(games.kuhn(), seed=1), "generation"),
        (solvers.PopulationCoevolution(games.kuhn(), DirectEncoding(games.kuhn()), seed=1,
                                       size=4, pairings=AllPairs()), "generation"),
    ],
)  # fmt: skip
def test_views_of_an_evolution_count_generations(solver: Any, unit: str) -> None:
    curves = choose_views(solver)[0]
    assert isinstance(curves, CurvesView)
    assert curves.generations == (unit == "generation")


def test_triangle_is_large_and_its_dot_leaves_the_equilibrium_visible(make: Maker) -> None:
    bench = make(
        minimax_coevolution, MinimaxConfig(game="biased rock-paper-scissors", iterations=5, seed=1)
    )
    bench.step()
    figure = paint_and_draw(bench)
    (axes,) = (axes for axes in figure.axes if not axes.axison)
    left, right = axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])[:, 0]
    assert (right - left) / figure.dpi > 2.0  # inches; it was 1.4
    marks = [line for line in axes.lines if line.get_marker() == "o"]
    circle = next(line for line in marks if line.get_markerfacecolor() == "none")
    dot = next(line for line in marks if line is not circle)
    assert circle.get_markersize() > 2 * dot.get_markersize()


def test_title_of_a_memory_that_has_converged_leaves_room_for_the_next(make: Maker) -> None:
    bench = make(nash_memory, MemoryConfig(game="8-card poker", iterations=150, seed=1))
    bench.runner.advance_to(150)
    bench.refresh_picture()
    assert bench.state.converged
    assert bench.state.iteration < 150
    assert '<progress max="1" value="1.0000"' in bench.screen.html  # there is nothing left to do
    left, right = (next(iterate_titles(axes)) for axes in paint_and_draw(bench).axes[:2])
    assert (
        left.get_text() == "Equilibrium: players win −0.0625 and +0.0625"
    )  # whole, without an ellipsis
    assert left.get_window_extent().x1 < right.get_window_extent().x0


def test_menu_promises_a_log_scale_only_if_all_is_positive(make: Maker) -> None:
    bench = make(minimax_coevolution, MinimaxConfig(iterations=5, seed=1), first_iterations=5)
    for label, _ in bench.controls.choice_menus["Exploitability"].options:
        bench.controls.choice_menus["Exploitability"].label = label
        lowest = min(up.min() for _, up in bench.picture["gap"].values())
        (curves,) = bench.picture.find_strip("gap").panels
        assert isinstance(curves, Curves)
        assert curves.y.is_log == (label == "log if positive" and lowest > 0.0), label


def test_titles_of_pinned_heat_maps_meet_no_axes_above(make: Maker) -> None:
    config = NetworkConfig(agents=20, tournaments=2, hall_size=20, iterations=2, seed=1)
    bench = make(evolved_networks, config, first_iterations=1)
    bench.pin_run()
    bench.set(hall="elites")
    bench.step()
    upper, lower = paint_and_draw(bench).axes[-6:-3], paint_and_draw(bench).axes[-3:]
    for above, below in zip(upper, lower, strict=True):
        title = next(iterate_titles(below))
        assert title.get_text().startswith("hall of fame none: ")
        box = above.get_tightbbox()
        assert box is not None
        assert title.get_window_extent().y1 < box.y0
        assert not above.get_xlabel()
        assert below.get_xlabel() == "chance to win"
