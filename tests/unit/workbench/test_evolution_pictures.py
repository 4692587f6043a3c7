"""Pictures of a coevolution show its worst cases, exact best responses and genomes against evaluations."""

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import SettingError, UnknownNameError
from pokerlab.papers.samothrakis2011.inner_runs import NestedRuns, nested_runs
from pokerlab.runs import Column, Run
from pokerlab.solvers import CFR, InnerEvolution, MinimaxCoevolution
from pokerlab.solvers.coevolution.minimax_coevolution import MinimaxState
from pokerlab.strategies import NetworkEncoding
from pokerlab.workbench.pictures.nested_runs import plot_nested_runs
from pokerlab.workbench.style import figure
from pokerlab.workbench.views.exploitability import (
    plot_evolution,
    plot_exploitability,
    plot_genome,
)
from pokerlab.workbench.views.genome import COLUMNS, GenomeImage, GenomeLines, evolved_of


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


def test_exploitability_is_drawn_as_found_and_exact(states: list[MinimaxState]) -> None:
    _, axes = figure()
    exact, found = plot_exploitability(axes, states, log=False)
    evaluations = [state.evaluations for state in states]
    for line, values in (
        (exact, [state.exact_value for state in states]),
        (found, [state.best_value for state in states]),
    ):
        assert np.array_equal(line.get_data(), [evaluations, values])
    assert exact.get_linestyle() != found.get_linestyle()
    assert axes.get_ylabel() == "exploitability (points)"


def test_what_is_not_positive_has_no_place_on_a_log_scale(states: list[MinimaxState]) -> None:
    _, axes = figure()
    _, found = plot_exploitability(axes, states)
    values = np.array([state.best_value for state in states])
    assert np.array_equal(np.isnan(found.get_ydata()), values <= 0.0)
    assert axes.get_ylabel() == "exploitability (points, log)"


def test_a_worst_case_that_is_exact_has_one_curve() -> None:
    solver = MinimaxCoevolution(games.biased_rps(), seed=1)
    _, axes = figure()
    assert len(plot_exploitability(axes, [solver.init(), solver.step(solver.init())])) == 1


def test_genomes_are_lines_with_the_names_of_their_genes(states: list[MinimaxState]) -> None:
    _, axes = figure()
    shown = plot_genome(axes, states)
    assert np.array_equal(shown, [state.best for state in states])
    for gene, line in enumerate(axes.lines):
        assert line.get_label() == states[0].encoding.gene_labels[gene]
        assert np.array_equal(line.get_ydata(), shown[:, gene])
    assert len(axes.lines) == 3


def test_shades_show_at_each_moment_the_genome_that_was_best(states: list[MinimaxState]) -> None:
    _, axes = figure()
    shown = plot_genome(axes, states, form="shades")
    (image,) = axes.images
    drawn = np.asarray(image.get_array())
    assert drawn.shape == (3, COLUMNS)
    evaluations = np.array([state.evaluations for state in states])
    at = np.linspace(0.0, evaluations[-1], COLUMNS)
    for column, moment in enumerate(at):
        last = max(np.flatnonzero(evaluations <= moment), default=0)
        assert np.array_equal(drawn[:, column], shown[last])


def test_many_genes_are_shades_if_nothing_is_said() -> None:
    game = games.kuhn()
    solver = MinimaxCoevolution(game, seed=1, encoding=NetworkEncoding(game, hidden=6))
    _, axes = figure()
    plot_genome(axes, [solver.init()])
    assert len(axes.images) == 1
    with pytest.raises(UnknownNameError, match="'bars'"):
        plot_genome(axes, [solver.init()], form="bars")


def test_a_run_that_keeps_is_drawn_as_its_states_are(
    coevolution: MinimaxCoevolution, states: list[MinimaxState]
) -> None:
    run = Run(
        coevolution, [Column("exact", "exact", "points", lambda s: s.exact_value)], keep=evolved_of
    ).to(12, progress=False)
    made = plot_evolution(run)
    kept = [iteration for iteration, _ in run.kept]
    wanted = [states[iteration].exact_value for iteration in kept]
    assert made.axes[0].lines[0].get_ydata().tolist() == wanted
    exact, spent = states[-1].exact_value, states[-1].evaluations
    assert made.get_suptitle() == f"Exploitable by {exact:.3g} points after {spent:,} evaluations"


def test_runs_that_kept_nothing_are_refused() -> None:
    run = Run(CFR(games.kuhn()), [Column("one", "one", "", lambda s: 1.0)])
    with pytest.raises(SettingError, match="keep=pl"):
        plot_evolution(run)


def test_the_same_genome_twice_does_not_move_an_image() -> None:
    _, axes = figure()
    image = GenomeImage(axes, 2)
    genomes = np.array([[0.0, 1.0], [0.5, 1.0]])
    assert image.paint(np.array([0.0, 8.0]), genomes)
    assert not image.paint(np.array([0.0, 9.0]), genomes)


@pytest.fixture(scope="module")
def nested(coevolution: MinimaxCoevolution) -> NestedRuns:
    return nested_runs(coevolution, 4)


def test_inner_runs_come_out_as_they_were(nested: NestedRuns, states: list[MinimaxState]) -> None:
    for generation, state in enumerate(states[:5]):
        ends = [run.won[-1] for run in nested.inner if run.generation == generation]
        offspring = ends[:-1] if generation else ends
        assert min(offspring) == state.generation_value
        assert nested.evaluations[generation] == state.inner_evaluations
        assert nested.found[generation] == state.best_value
        assert nested.exact[generation] == state.exact_value
        last = [run for run in nested.inner if run.generation == generation][-1]
        assert last.evaluations[-1] == state.inner_evaluations


def test_inner_runs_rise_one_after_the_other(nested: NestedRuns) -> None:
    across = np.concatenate([run.evaluations for run in nested.inner])
    assert (np.diff(across) > 0).all()
    assert all((np.diff(run.won) >= 0).all() for run in nested.inner)


def test_the_picture_has_all_inner_runs_and_the_outer_one(nested: NestedRuns) -> None:
    _, axes = figure()
    found, exact = plot_nested_runs(axes, nested)
    (rises,) = axes.collections
    assert len(rises.get_segments()) == len(nested.inner)
    for run, rise in zip(nested.inner, rises.get_segments(), strict=True):
        assert np.array_equal(rise, np.array([run.evaluations, run.won]).T)
    assert np.array_equal(found.get_ydata(), nested.found)
    assert np.array_equal(exact.get_ydata(), nested.exact)


def test_only_inner_evolutions_have_inner_runs(coevolution: MinimaxCoevolution) -> None:
    with pytest.raises(SettingError, match="worst_case=solvers"):
        nested_runs(MinimaxCoevolution(games.kuhn(), seed=1), 3)
    with pytest.raises(SettingError, match="generations is 0"):
        nested_runs(coevolution, 0)


def test_genes_that_are_all_the_same_stand_on_a_scale_of_their_size() -> None:
    _, axes = figure()
    GenomeLines(axes, ["a", "b"]).paint(np.array([1.0]), np.zeros((1, 2)))
    low, high = axes.get_ylim()
    assert high - low > 0.1
