"""Put an experiment on the bench, in the cell that asks for it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.papers.experiment import Experiment
from pokerlab.workbench.benches.lanctot2014 import REPLICATOR
from pokerlab.workbench.benches.nicolai2009 import EVOLVED_NETWORKS
from pokerlab.workbench.benches.noble2001 import PARETO_COEVOLUTION
from pokerlab.workbench.benches.oliehoek2006 import NASH_MEMORY
from pokerlab.workbench.benches.samothrakis2011 import EVOLVING_HOLDEM, MINIMAX_COEVOLUTION
from pokerlab.workbench.live import registry
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.curves import ConvergenceView

DECLARED = (
    REPLICATOR,
    NASH_MEMORY,
    MINIMAX_COEVOLUTION,
    EVOLVING_HOLDEM,
    PARETO_COEVOLUTION,
    EVOLVED_NETWORKS,
)
"""The benches of all papers."""
FIRST = 1000
"""Iterations done before the bench appears, so that it shows a curve where nobody presses Run."""


def bench(
    experiment: Experiment,
    config: Any = None,
    key: str | None = None,
    *,
    first: int = FIRST,
    views: Sequence[View] | None = None,
    caption: str | None = None,
    name: str | None = None,
    knobs: Collection[str] = (),
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
        What to show, from the top; if not given, what the experiment's bench declares.
    caption : str, optional
        What there is to see; if not given, the views say it.
    name : str, optional
        If given, and if the environment variable POKERLAB_FIGURES names a folder, the first picture
        is also kept there, as `show` keeps a figure.
    knobs : collection of str, optional
        The settings that the question is about: they stand open, all others are folded.

    Returns
    -------
    Bench
        What is shown; `bench.run` is the run, to go on with in code.
    """
    chosen = experiment.scales["lab"] if config is None else config
    declaration = declaration_of(experiment)
    if views is not None:
        declaration = replace(declaration, views=lambda config: views)
    iterations = whole("first", first, 0, LARGEST_COUNT)
    made = Bench(declaration, chosen, first=iterations, caption=caption, knobs=knobs)
    registry.take_place(made, key)
    if name:
        made.keep_figure(name)
    made.screen.open(made.controls.widget)
    return made


def declaration_of(experiment: Experiment) -> Declaration:
    """Return how an experiment is shown; one that no paper declares shows its curves."""
    for declaration in DECLARED:
        if declaration.experiment is experiment:
            return declaration
    return Declaration(experiment, lambda config: [ConvergenceView()])
