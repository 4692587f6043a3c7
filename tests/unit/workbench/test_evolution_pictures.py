"""Pictures of a coevolution show its worst cases, exact best responses and genomes against evaluations."""

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import SettingError
from pokerlab.papers.samothrakis2011 import NestedRuns, record_nested_runs
from pokerlab.solvers import InnerEvolution, MinimaxCoevolution
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.workbench.style import figure
from pokerlab.workbench.views import evolution


@pytest.fixture(scope="module")
def coevolution() -> MinimaxCoevolution:
    """Return a coevolution of biased rock-paper-scissors whose worst case is found by evolution."""
    inner = InnerEvolution(generations=4)
    return MinimaxCoevolution(games.biased_rps(), seed=1, worst_case=inner)


@pytest.fixture(scope="module")
def states(coevolution: MinimaxCoevolution) -> list[MinimaxState]:
    states = [coevolution.init()]
    for _ in range(12):
        states.append(coevolution.step(states[-1]))
    return states


def test_of_many_genes_the_lines_are_quantiles() -> None:
    genomes = np.random.default_rng(1).normal(size=(3, 200))
    kept = [(k, evolution.Evolved(10 * k, genome)) for k, genome in enumerate(genomes)]
    genes = evolution.draw_genes_as_lines(kept, [f"gene {k}" for k in range(200)])
    drawn = [curve.y for curve in genes.curves]
    wanted = [genomes.max(axis=1), np.median(genomes, axis=1), genomes.min(axis=1)]
    assert np.allclose(drawn[::2], wanted)
    assert (np.diff(drawn, axis=0) < 0).all()


def test_shades_show_at_each_moment_the_genome_that_was_best(states: list[MinimaxState]) -> None:
    kept = [(state.iteration, evolution.Evolved(state.evaluations, state.best)) for state in states]
    genes = evolution.draw_genes_as_heat_map(kept, states[0].encoding.gene_labels)
    assert genes.x_edges is not None
    assert (np.diff(genes.x_edges) > 0.0).all()
    for moment in np.linspace(0.0, states[-1].evaluations, 50):
        column = np.searchsorted(genes.x_edges, moment, side="right") - 1
        known = [each for each in states if each.evaluations <= moment] or states[:1]
        assert np.array_equal(genes.values[:, column], known[-1].best)


@pytest.fixture(scope="module")
def nested() -> NestedRuns:
    inner = InnerEvolution(generations=2)
    return record_nested_runs(MinimaxCoevolution(games.kuhn(), seed=1, worst_case=inner), 8)


def test_inner_runs_come_out_as_they_were(nested: NestedRuns) -> None:
    for generation, state in enumerate(nested.states):
        ends = [run.response_winnings[-1] for run in nested.inner if run.generation == generation]
        offspring = ends[:-1] if generation else ends
        assert min(offspring) == state.generation_value
        assert nested.evaluations[generation] == state.inner_evaluations
        assert nested.found_exploitability[generation] == state.best_value
        assert nested.exact_exploitability[generation] == state.exact_value
        last = [run for run in nested.inner if run.generation == generation][-1]
        assert last.evaluations[-1] == state.inner_evaluations
        # The best is attacked from the reply that won most: what was found of it comes first.
        assert (
            last.response_winnings[0] == pytest.approx(nested.found_exploitability[generation - 1])
            or not generation
        )


def test_the_picture_has_all_inner_runs_and_the_outer_one(nested: NestedRuns) -> None:
    _, axes = figure()
    found, exact = evolution.plot_nested_runs(axes, nested)
    (rises,) = axes.collections
    assert len(rises.get_segments()) == len(nested.inner)
    for run, rise in zip(nested.inner, rises.get_segments(), strict=True):
        assert np.array_equal(rise, np.array([run.evaluations, run.response_winnings]).T)
    assert np.array_equal(found.get_ydata(), nested.found_exploitability)
    assert np.array_equal(exact.get_ydata(), nested.exact_exploitability)
    assert [band.get_x() for band in axes.patches] == nested.evaluations[:-1:2].tolist()


def test_only_inner_evolutions_have_inner_runs(coevolution: MinimaxCoevolution) -> None:
    with pytest.raises(SettingError, match="worst_case=solvers"):
        record_nested_runs(MinimaxCoevolution(games.kuhn(), seed=1), 3)
    with pytest.raises(SettingError, match="generations is 0"):
        record_nested_runs(coevolution, 0)
