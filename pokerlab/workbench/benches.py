"""The benches of the papers: for each its experiment, its views and what is kept of a state, and how one is opened.

A new experiment is added to `DECLARED`. Nothing else in the workbench needs to change.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.holdem import RuleEncoding
from pokerlab.papers.experiment import Experiment
from pokerlab.papers.lanctot2014 import replicator
from pokerlab.papers.nicolai2009 import evolved_networks
from pokerlab.papers.noble2001 import GROUPS, pareto_coevolution
from pokerlab.papers.oliehoek2006 import nash_memory
from pokerlab.papers.samothrakis2011 import Config as MinimaxConfig
from pokerlab.papers.samothrakis2011 import minimax_coevolution
from pokerlab.papers.samothrakis2011_holdem import evolving_holdem
from pokerlab.solvers import (
    PSRO,
    DoubleOracle,
    MinimaxCoevolution,
    NashMemory,
    ParallelNashMemory,
    PopulationCoevolution,
)
from pokerlab.solvers.dynamics import Dynamics
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.kept_runs import KeptRuns
from pokerlab.workbench.live.screen import take_place
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.offers import list_offers, make_start_change
from pokerlab.workbench.views.curves import CurvesView
from pokerlab.workbench.views.evolution import GapView, GenomeView, extract_evolved
from pokerlab.workbench.views.intensity import IntensityView
from pokerlab.workbench.views.memory import MemoryView, MixturesView, extract_mixtures
from pokerlab.workbench.views.networks import HabitsView
from pokerlab.workbench.views.population import PopulationView
from pokerlab.workbench.views.results import PairingsView
from pokerlab.workbench.views.strategies import SimplexView, StrategyView, extract_played

TRIANGLES = ("biased rock-paper-scissors", "rock-paper-scissors")
"""Games in which each player chooses once among three actions, so that mixtures are points of a triangle."""
ACTION_COLUMNS = [
    [f"{whose}_{kind}" for kind in KINDS_OF_ACTION] for whose in ("champion", "everybody")
]
"""The columns that count actions: those of champions, and those of all players."""
FIRST_ITERATIONS = 1000
"""The iterations that are done before the bench appears, so that it shows a curve before *Run* is pressed."""


def choose_minimax_views(config: MinimaxConfig) -> list[View]:
    """Return the views of minimax coevolution: gap, genome, and a triangle of mixtures or a table of strategies."""
    strategies = StrategyView({"profile": "by the best genome"})
    return [GapView(), GenomeView(), SimplexView() if config.game in TRIANGLES else strategies]


def choose_network_views(config: Any) -> list[View]:
    """Return the views of evolved networks: curves of results, actions, weights and halls, and a heat map of habits."""
    ages = ("hall_age", "hall_eldest")
    columns_together = {
        "actions of champions": ACTION_COLUMNS[0],
        "actions of everybody": ACTION_COLUMNS[1],
        "weights": ("rms", "spread"),
        "ages in the hall": ages,
    }
    linear = ("rank", "first", "won", *ACTION_COLUMNS[0], *ACTION_COLUMNS[1], *ages)
    curves = CurvesView(
        together=columns_together, legend_at="upper right", linear=linear, generations=True
    )
    return [curves, HabitsView()]


DECLARED = (
    Declaration(
        replicator,
        lambda config: [
            CurvesView(profiles=("average", "current")),
            StrategyView({"last_iterate": "now", "average": "on average"}),
        ],
        knobs=("game", "payoff_shift", "order", "iterations"),
    ),
    Declaration(
        nash_memory,
        lambda config: [MemoryView(), MixturesView(), StrategyView({"profile": "by the mixture"})],
        keep=extract_mixtures,
        first_speed="1",
        knobs=("game", "heuristic", "iterations", "seed"),
    ),
    Declaration(
        minimax_coevolution,
        choose_minimax_views,
        keep=extract_evolved,
        first_speed="10",
        knobs=(
            *("game", "representation", "evolution", "population", "worst_case"),
            *("inner_generations", "inner_start", "rechecked", "iterations", "seed"),
        ),
    ),
    Declaration(
        evolving_holdem,
        lambda config: [GapView(), GenomeView(), IntensityView()],
        keep=extract_evolved,
        knobs=("worst_case", "playouts", "evolution", "population", "iterations"),
    ),
    Declaration(
        pareto_coevolution,
        lambda config: [
            CurvesView(
                together={"profit": tuple(GROUPS)}, legend_at="lower right", generations=True
            ),
            PopulationView(is_of_rules=True),
        ],
        first_speed="10",
        knobs=("regime", "size", "largest_share", "mutation", "iterations"),
    ),
    Declaration(
        evolved_networks,
        choose_network_views,
        first_speed="10",
        knobs=(
            *("agents", "populations", "tournaments", "elites", "fitness"),
            *("mutation", "noise", "hall", "iterations", "seed"),
        ),
    ),
)
"""The benches of all papers. Their knobs are the settings that the lesson on the method asks about."""
MEMORY_SOLVERS = (NashMemory, ParallelNashMemory, PSRO)
SOLVERS_WITH_PROFILE = (*MEMORY_SOLVERS, DoubleOracle, MinimaxCoevolution)
COMPILED_GAMES = (SequenceForm, CompiledSymmetric)


def bench(
    experiment: Experiment,
    config: Any = None,
    key: str | None = None,
    *,
    first: int = FIRST_ITERATIONS,
    views: Sequence[View] | None = None,
    caption: str | None = None,
    name: str | None = None,
    knobs: Collection[str] = (),
    kept_in: str | Path | None = None,
) -> Bench:
    """Put an experiment on the bench: settings, buttons, live plots.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    config : optional
        The settings to begin with; if not given, those of the scale 'lab'.
    key : str, optional
        The bench's place: making another one with the same key closes this one. If not given, the
        notebook's cell is its place.
    first : int
        Iterations to do at once, so that there is something to see.
    views : sequence of View, optional
        The views, from top to bottom. The default is what the experiment's bench declares; for an experiment of your
        own, curves, and what fits its solver: genomes and pairings, mixtures, or strategies.
    caption : str, optional
        What there is to see; if not given, the views say it.
    name : str, optional
        If given, and if the environment variable POKERLAB_FIGURES names a folder, the first picture
        is also kept there, as `show` keeps a figure.
    knobs : collection of str, optional
        The settings that the question is about: they stand open, all others are folded. If none are given, those that
        the experiment's bench declares; of an experiment of your own, all that are not rare stand open.
    kept_in : path, optional
        A folder in which runs are kept, one for each combination of settings, with their looks. A run goes on from
        there when the cell is run again, even in a new kernel, and when its settings are chosen again. *Reset* renames
        its files, so that they begin with `before-`, until the next reset.

    Returns
    -------
    Bench
        What is shown; `bench.run` is the run, to go on with in code.
    """
    chosen = experiment.scales["lab"] if config is None else config
    declaration = find_declaration(experiment)
    if views is not None:
        declaration = replace(declaration, make_views=lambda config: views)
    made = Bench(
        declaration,
        chosen,
        first_iterations=validate_integer("first", first, 0, LARGEST_COUNT),
        caption=caption,
        knobs=knobs or declaration.knobs,
        kept_runs=None if kept_in is None else KeptRuns(kept_in),
    )
    take_place(made, key)
    made.screen.open(made.controls.widget)
    if name:
        made.keep_figure(name)
    return made


def find_declaration(experiment: Experiment) -> Declaration:
    """Return how an experiment is shown: as its paper declares it, or else by the kind of its solver."""
    default = Declaration(
        experiment,
        lambda config: choose_views(experiment.make_solver(config)),
        keep=extract_view_values,
    )
    declared = next((each for each in DECLARED if each.experiment is experiment), default)
    return replace(declared, make_offers=list_offers, make_start_change=make_start_change)


def extract_view_values(state: Any) -> Any:
    """Return the part of a state that views need later: its profiles, its best genome or its mixtures."""
    profiles = extract_played(state)
    return (extract_evolved(state) or extract_mixtures(state)) if profiles is None else profiles


def choose_views(solver: Any) -> list[View]:
    """Return the views of a solver by its kind: curves, and genomes, pairings, mixtures or strategies."""
    evolves = isinstance(solver, PopulationCoevolution | MinimaxCoevolution)
    views: list[View] = [CurvesView(generations=evolves)]
    if isinstance(solver, PopulationCoevolution):
        if hasattr(solver.encoding, "kinds"):
            views.append(PopulationView(isinstance(solver.encoding, RuleEncoding)))
        if getattr(solver.fitness, "reads", None) == "won_from":
            views.append(PairingsView())
    elif isinstance(solver, MinimaxCoevolution):
        views.append(GenomeView())
    elif isinstance(solver, MEMORY_SOLVERS):
        views.append(MixturesView())
    if isinstance(solver, Dynamics) and mixes_three_actions(solver.game):
        views.append(SimplexView("the present mix"))
    elif isinstance(solver, Dynamics):
        views.append(StrategyView({"last_iterate": "now", "average": "on average"}))
    elif isinstance(solver, SOLVERS_WITH_PROFILE) and isinstance(solver.game, COMPILED_GAMES):
        views.append(StrategyView({"profile": "now"}))
    return views


def mixes_three_actions(game: SequenceForm) -> bool:
    """Return whether each player chooses once among three actions, so that a triangle shows all mixtures."""
    return set(game.num_infosets) == {1} and set(game.num_actions.tolist()) == {3}
