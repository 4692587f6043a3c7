"""An experiment of one's own, such as a contest in a paper's clothes, is shown by what its solver is."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.evolution.population import AllPairs, ParetoFront, Profit, Roulette
from pokerlab.metrics import rate_players
from pokerlab.papers.noble2001 import Config, pareto_coevolution
from pokerlab.runs import Column
from pokerlab.workbench.picture import HeatMap
from pokerlab.workbench.views.evolution import extract_evolved
from tests.unit.workbench.conftest import Maker

CONFIG = Config(size=10, iterations=20, seed=1)
GENES = pl.strategies.RealVector(4, low=-1.0, high=3.0)
RINGS = pl.games.contest(
    lambda a, b, seed: float(np.sin(a - b).sum()), name="rings", unit=pl.core.POINTS
)
SEARCH = {"encoding": GENES, "heuristic": pl.solvers.Mutants(seed=1, offspring=5)}


def population(config: Config, **parts: Any) -> pl.solvers.PopulationCoevolution:
    given = {"pairings": AllPairs(), "selection": ParetoFront(), **parts}
    return pl.solvers.PopulationCoevolution(
        RINGS, GENES, seed=config.seed, size=config.size, **given
    )


def by_profit(config: Config) -> pl.solvers.PopulationCoevolution:
    return population(config, fitness=Profit(), selection=Roulette())


def psro(config: Config) -> pl.solvers.PSRO:
    return pl.solvers.PSRO(RINGS, **SEARCH, subgame=pl.solvers.UniformMixture())


def minimax(config: Config) -> pl.solvers.MinimaxCoevolution:
    inner = pl.solvers.InnerEvolution(generations=2)
    return pl.solvers.MinimaxCoevolution(RINGS, seed=1, encoding=GENES, worst_case=inner)


LOCKED = pl.games.lock_infosets(pl.games.kuhn(), pl.games.kuhn().uniform(), [(0, "Q")])


def compound(config: Config) -> pl.solvers.NashMemory:
    return pl.solvers.NashMemory(pl.games.compound(LOCKED))


def experiment(solver: Callable[[Config], Any]) -> Any:
    columns = [Column("time", "time", "iterations", lambda state: state.iteration)]
    return replace(pareto_coevolution, make_solver=solver, make_columns=lambda solver: columns)


@pytest.mark.parametrize(
    ("solver", "views"),
    [
        (population, ["convergence", "population", "pairings"]),
        (by_profit, ["convergence", "population"]),
        (lambda config: pl.solvers.NashMemory(RINGS, **SEARCH), ["convergence", "mixtures"]),
        (psro, ["convergence", "mixtures"]),
        (minimax, ["convergence", "genome"]),
        (lambda config: pl.solvers.CFR(LOCKED), ["convergence", "strategy"]),
        (lambda config: pl.solvers.DoubleOracle(LOCKED), ["convergence", "strategy"]),
        (compound, ["convergence", "mixtures", "strategy"]),
    ],
)
def test_every_choice_of_every_view_is_drawn(
    solver: Callable[[Config], Any], views: list[str], make: Maker
) -> None:
    bench = make(experiment(solver), CONFIG, first_iterations=3)
    assert [view.name for view in bench.views] == views
    for view in bench.views:
        for label, _ in bench.controls.choice_menus[view.choice_label].options:
            bench.controls.choice_menus[view.choice_label].label = label
            bench.step()
            assert bench.error is None
    bench.set(seed=2)
    assert bench.error is None


def test_the_best_stand_above_in_the_table_of_what_was_met(make: Maker) -> None:
    bench = make(experiment(population), CONFIG)
    assert bench.picture.find_strip("pairings").headline == "Nobody has met yet"
    bench.step()
    won, matrix = bench.picture["pairings"]["won"], bench.state.matrix
    assert np.sort(won, axis=None).tolist() == np.sort(matrix, axis=None).tolist()
    assert (np.diff(won.sum(axis=1)) <= 0.0).all()
    rated = rate_players(matrix)
    (heat_map,) = bench.picture.find_strip("pairings").panels
    assert isinstance(heat_map, HeatMap)
    title = heat_map.title
    assert f"explains {rated.transitivity:.0%}" in title
    assert f"; {rated.cycles or 'no'} cycle" in title
    assert np.abs(won).max() <= heat_map.scale.high < 2.0 * np.abs(won).max()
    bench.controls.choice_menus["Meetings of"].label = "those that stay"
    assert bench.picture["pairings"]["won"].shape == (bench.state.front.sum(),) * 2
    genes = bench.picture["population"]["genes"]
    assert np.array_equal(np.sort(genes, axis=None), np.sort(bench.state.population, axis=None))


def test_columns_of_a_ring_game_do_not_measure_a_contest(make: Maker) -> None:
    with pytest.raises(SettingError, match="needs make_columns="):
        make(replace(pareto_coevolution, make_solver=population), CONFIG)


def test_genomes_of_a_contest_are_shown_within_their_ranges(make: Maker) -> None:
    bench = make(experiment(minimax), CONFIG)
    state = replace(bench.state, best=np.array([5.0, -1.0, 0.5, 3.5]))
    kept = extract_evolved(state)
    assert kept is not None
    assert kept.genome.tolist() == [1.0, -1.0, 0.5, 2.5]
