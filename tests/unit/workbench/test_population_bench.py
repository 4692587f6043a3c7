"""The bench of Pareto coevolution shows profits against both groups, and the population locus by locus."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import POINTS, SettingError, UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.evolution.population import Profit, Roulette
from pokerlab.holdem.rule_genome import LOCI
from pokerlab.papers import noble2001
from pokerlab.papers.noble2001 import Config
from pokerlab.solvers import PopulationCoevolution
from pokerlab.strategies.vectors import Integers
from pokerlab.workbench.explorers import rule
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.picture import HeatMap
from pokerlab.workbench.views.population import (
    GENE_COLUMNS,
    LABELS,
    NUM_COLUMNS,
    SHOWN_GENES,
    PopulationView,
)
from tests.unit.workbench.conftest import Maker

SMALL = Config(size=12, seats=5, games=10, hands=10, iterations=5, seed=1)


@pytest.fixture
def bench(make: Maker) -> Bench:
    """Return a bench with a population of twelve."""
    return make(noble2001.pareto_coevolution, SMALL)


def test_genes_are_scaled_to_their_ranges_and_the_front_stands_above(bench: Bench) -> None:
    for _ in range(3):
        bench.step()
    for words, attribute in (("age", "ages"), ("profit", "profit")):
        bench.controls.choice_menus["Rows by"].label = words
        shown, state = bench.picture["population"], bench.state
        front = state.front[0]
        low, high = state.encoding.low, state.encoding.high
        for rows, part in ((slice(None, front.sum()), front), (slice(front.sum(), None), ~front)):
            order = np.argsort(-getattr(state, attribute)[0][part], kind="stable")
            shares = shown["genes"][rows][:, GENE_COLUMNS]
            genes = low[SHOWN_GENES] + shares * (high - low)[SHOWN_GENES]
            assert np.allclose(genes, state.population[0][part][order][:, SHOWN_GENES])
            assert np.array_equal(shown["ages"][rows], state.ages[0][part][order])
    assert np.nanmin(bench.picture["population"]["genes"]) == 0.0
    assert np.nanmax(bench.picture["population"]["genes"]) == 1.0


def test_a_ghost_of_zeros_alone_has_a_logarithmic_axis_without_a_warning(bench: Bench) -> None:
    bench.step()
    bench.reset()
    bench.controls.choice_menus["Show"].label = "mean age of those kept"
    assert bench.error is None


def test_without_a_front_nobody_stands_apart(make: Maker) -> None:
    bench = make(
        noble2001.pareto_coevolution, replace(SMALL, regime="roulette"), first_iterations=2
    )
    strip = bench.picture.find_strip("population")
    assert "replace all of them" in strip.headline
    (heat_map,) = strip.panels
    assert isinstance(heat_map, HeatMap)
    assert heat_map.row_groups == ()


def test_genes_shown_are_those_that_their_labels_say_and_each_street_has_a_gap() -> None:
    assert LABELS[:2] == ("bluff", "check-\nraise")
    assert np.flatnonzero(np.diff(GENE_COLUMNS) > 1).tolist() == [1, 4, 7, 10]
    assert len(SHOWN_GENES) + 4 == NUM_COLUMNS
    for label, locus in zip(LABELS, SHOWN_GENES, strict=True):
        name = LOCI[locus].name
        assert (
            label.replace("\n", "") in name if label != "hand" else name == "least category to stay"
        )


def test_each_locus_has_a_control_of_its_name() -> None:
    for label, locus in zip(rule.LABELS, LOCI, strict=True):
        if label in ("bet", "call", "straight", "flush", "bluff", "check-raise", "board bit"):
            assert label in locus.name
        if label.startswith(("plays", "strong")):
            assert ("rank" in label) == ("rank" in locus.name)


def test_no_place_of_a_slider_is_an_error(bench: Bench) -> None:
    rows = bench.panel.rows
    rows["size"].value = min(value for _, value in rows["size"].options)
    rows["seats"].value = 10
    assert bench.config.size == 10
    rows["hall_size"].value = 10
    rows["largest_share"].value = 0.01
    bench.step()
    assert bench.error is None
    assert bench.state.front.sum() == 1
    rows["games"].value = max(value for _, value in rows["games"].options)
    rows["hands"].value = max(value for _, value in rows["hands"].options)
    assert bench.error is None
    assert bench.config.games * bench.config.hands == noble2001.MOST_HANDS_A_GENERATION


def test_without_pymoo_nsga_is_not_offered(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noble2001, "has_pymoo", lambda: False)
    bench = make(noble2001.pareto_coevolution, SMALL)
    assert "NSGA-II" not in bench.panel.rows["regime"].options
    with pytest.raises((SettingError, UnknownNameError)):
        Config(regime="NSGA-II", seed=1)


def compare_first_numbers(a: Floats, b: Floats, seed: int) -> float:
    return float(np.sign(a[0] - b[0]))


def test_population_view_of_replaced_generations_shows_gene_values_without_ages() -> None:
    coevolution = PopulationCoevolution(
        games.contest(compare_first_numbers, name="first number", unit=POINTS),
        Integers(2, low=0, high=100),
        seed=1,
        size=6,
        fitness=Profit(),
        selection=Roulette(),
    )
    state = coevolution.step(coevolution.init(), 2)
    frame = Frame(state, (), np.zeros((1, 1)), 2, ())
    ((heat_map,),) = PopulationView().draw(frame, "ages").rows
    assert isinstance(heat_map, HeatMap)
    assert np.array_equal(np.sort(heat_map.values, axis=0), np.sort(state.population[0], axis=0))
    assert (heat_map.scale.low, heat_map.scale.high) == (0.0, 100.0)
    assert heat_map.scale_ticks == ((0.0, "0"), (100.0, "100"))
    assert heat_map.row_groups == ()
