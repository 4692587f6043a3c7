"""Samothrakis & Lucas (2011): where coevolutions that differ only in their seeds end, and at what cost."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from pokerlab.papers.recorded import RUNS, WHAT_DECIDES, kept_history
from pokerlab.papers.samothrakis2011.experiment import Config, columns, solver
from pokerlab.runs import History, sweep
from pokerlab.runs.provenance import provenance


def ends_of_seeds(config: Config, seeds: Iterable[int], *, target: float = 0.0) -> History:
    """Run a coevolution with each seed, and return where it ends.

    Parameters
    ----------
    config : Config
        Its seed does not matter.
    seeds : iterable of int
        Each makes a row.
    target : float
        Exploitability, by exact best responses, at which a run ends before its last generation.

    Returns
    -------
    History
        Columns 'seed', 'iteration' (generations done) and those of the experiment.
    """
    given, measure = list(seeds), partial(end_of, target=target)
    units = {c.name: c.unit for c in columns(solver(config))}
    units |= {"seed": "", "iteration": "iterations"}
    ends = sweep(measure, {}, config=config, seeds=given, units=units, progress=False)
    return replace(ends, provenance={**ends.provenance, **about_seeds(config, given, target)})


def end_of(config: Config, target: float) -> dict[str, float]:
    """Return where a coevolution ends."""
    coevolution = solver(config)
    state = coevolution.init()
    while state.exact_value > target and state.iteration < config.iterations:
        state = coevolution.step(state)
    measured = {column.name: column.measure(state) for column in columns(coevolution)}
    return {"iteration": state.iteration, **measured}


def recorded_ends(
    name: str,
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    folder: str | Path = RUNS,
) -> History:
    """Return `ends_of_seeds` from `data/runs`; if it is not there, it is run now and kept.

    Raises
    ------
    CheckpointError
        If the file was recorded with another setting.
    FileFormatError
        If it is damaged.
    """
    given = list(seeds)
    about = about_seeds(config, given, target)
    return kept_history(
        name,
        lambda: ends_of_seeds(config, given, target=target),
        {key: about[key] for key in (*WHAT_DECIDES, "seeds", "target")},
        folder=folder,
    )


def about_seeds(config: Config, seeds: list[int], target: float) -> dict[str, object]:
    """Return where the numbers come from; the settings are those of the first seed."""
    first = replace(config, seed=seeds[0])
    about = provenance(solver(first), dict(vars(first)))
    return {**about, "seeds": seeds, "target": target}
