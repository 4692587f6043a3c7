"""Samothrakis & Lucas (2011): where coevolutions of different settings and seeds end, and at what cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from pokerlab.papers.recorded import RUNS, WHAT_DECIDES, kept_history
from pokerlab.papers.samothrakis2011.experiment import RETIRED, Config, columns, solver
from pokerlab.runs import History, sweep
from pokerlab.runs.provenance import provenance


def ends_of_seeds(
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
) -> History:
    """Run a coevolution with each seed, and return where it ends.

    Parameters
    ----------
    config : Config
        Its seed does not matter.
    seeds : iterable of int
        Each makes a row.
    target : float
        Exploitability, by exact best responses, at which a run ends before its last generation.
    varied : mapping, optional
        Settings with the values to combine; each combination is run with each seed.

    Returns
    -------
    History
        Columns of what is varied, 'seed', 'iteration' (generations done), those of the experiment, and
        'seconds' of computing time.
    """
    given, choices, measure = list(seeds), dict(varied or {}), partial(end_of, target=target)
    units = {c.name: c.unit for c in columns(solver(config))}
    units |= {"seed": "", "iteration": "iterations", "seconds": "seconds"} | dict.fromkeys(
        choices, ""
    )
    ends = sweep(measure, choices, config=config, seeds=given, units=units, progress=False)
    about = about_seeds(config, given, target, choices)
    return replace(ends, provenance={**ends.provenance, **about})


def end_of(config: Config, target: float) -> dict[str, float]:
    """Return where a coevolution ends."""
    coevolution = solver(config)
    begin = process_time()
    state = coevolution.init()
    while state.exact_value > target and state.iteration < config.iterations:
        state = coevolution.step(state)
    seconds = process_time() - begin
    measured = {column.name: column.measure(state) for column in columns(coevolution)}
    return {"iteration": state.iteration, **measured, "seconds": seconds}


def recorded_ends(
    name: str,
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
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
    given, choices = list(seeds), dict(varied or {})
    about = about_seeds(config, given, target, choices)
    return kept_history(
        name,
        lambda: ends_of_seeds(config, given, target=target, varied=choices),
        {key: about[key] for key in (*WHAT_DECIDES, "seeds", "target", "varied")},
        folder=folder,
    )


def about_seeds(
    config: Config, seeds: list[int], target: float, varied: dict[str, Any]
) -> dict[str, object]:
    """Return where the numbers come from; the settings are those of the first seed."""
    first = replace(config, seed=seeds[0])
    about = provenance(solver(first), {**RETIRED, **vars(first)})
    return {**about, "seeds": seeds, "target": target, "varied": varied}
