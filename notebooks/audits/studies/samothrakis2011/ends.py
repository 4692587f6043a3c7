"""The ends of coevolutions in small games: where runs with several settings and seeds end, and at what cost.

The coevolution is that of Samothrakis & Lucas (2011). A run ends when its exploitability reaches a target, or with its
last generation. `load_ends` reads recorded ends from `data/runs`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from pokerlab.papers.experiment import CONFIG_ENTRIES, RUNS, load_or_make_history
from pokerlab.papers.samothrakis2011 import RPS, Config, make_columns, make_solver
from pokerlab.runs import History, sweep
from pokerlab.runs.history import describe_provenance

REMOVED_SETTINGS = {"restarts": "never"}
"""Settings that `Config` had when runs were recorded, with the value that all recorded runs have."""


def restore_config(settings: Mapping[str, Any]) -> Config:
    """Return the Config of recorded runs from the settings in their provenance, without those that were removed."""
    return Config(
        **{name: value for name, value in settings.items() if name not in REMOVED_SETTINGS}
    )


def run_seeds(
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
) -> History:
    """Run a coevolution with several seeds, and return a table of where the runs end.

    Parameters
    ----------
    config : Config
        The settings. Their seed does not matter.
    seeds : iterable of int
        The seeds.
    target : float
        The exploitability, by exact best responses and in the unit of the game, at which a run ends before its last
        generation.
    varied : mapping of str to sequence, optional
        Several values of some settings. Each combination of these values is run with each seed.

    Returns
    -------
    History
        A row for each run. The columns are the varied settings, 'seed', 'iteration' (the generation at which the run
        ended), those of the experiment, and 'seconds' (of computing time).
    """
    seeds, varied = list(seeds), dict(varied or {})
    units = {column.name: column.unit for column in make_columns(make_solver(config))}
    units |= {"seed": "", "iteration": "iterations", "seconds": "seconds"}
    units |= dict.fromkeys(varied, "")
    ends = sweep(
        partial(run_to_target, target=target),
        varied,
        config=config,
        seeds=seeds,
        units=units,
        progress=False,
    )
    provenance = describe_runs(config, seeds, target, varied)
    return replace(ends, provenance={**ends.provenance, **provenance})


def run_to_target(config: Config, target: float) -> dict[str, float]:
    """Run a coevolution until its exploitability is at most `target`, or to its last generation; return the end.

    The result has the generation ('iteration'), the columns of the experiment, and the seconds of computing time.
    """
    coevolution = make_solver(config)
    begin = process_time()
    state = coevolution.init()
    while state.exact_value > target and state.iteration < config.iterations:
        state = coevolution.step(state)
    seconds = process_time() - begin
    measured = {column.name: column.measure(state) for column in make_columns(coevolution)}
    return {"iteration": state.iteration, **measured, "seconds": seconds}


def load_ends(
    name: str,
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
    folder: str | Path = RUNS,
) -> History:
    """Return the table of `run_seeds` from a file. If there is no file, run the seeds and write it.

    Parameters
    ----------
    name : str
        The name of the file without its ending.
    config, seeds, target, varied
        As in `run_seeds`.
    folder : str or Path
        The folder of the file.

    Raises
    ------
    CheckpointError
        If the file has runs with other parameters.
    """
    seeds, varied = list(seeds), dict(varied or {})
    provenance = describe_runs(config, seeds, target, varied)
    decisive_entries = (*CONFIG_ENTRIES, "seeds", "target", "varied")
    return load_or_make_history(
        name,
        partial(run_seeds, config, seeds, target=target, varied=varied),
        {entry: provenance[entry] for entry in decisive_entries},
        folder=folder,
    )


def describe_runs(
    config: Config, seeds: list[int], target: float, varied: dict[str, Any]
) -> dict[str, object]:
    """Return the provenance of the table of `run_seeds`, with the settings of the first seed.

    Parameters
    ----------
    config, seeds, target, varied
        The parameters of `run_seeds`.
    """
    first = replace(config, seed=seeds[0])
    provenance = describe_provenance(make_solver(first), {**REMOVED_SETTINGS, **vars(first)})
    return {**provenance, "seeds": seeds, "target": target, "varied": varied}


class FoundSettings(NamedTuple):
    """Settings that meet a claim of the paper, found by trying.

    Attributes
    ----------
    config : Config
        The settings.
    exploitability : float
        The exploitability that they reach, by exact best responses and in the unit of the game.
    evaluations : int
        The largest number of genomes that are evaluated until then.
    """

    config: Config
    exploitability: float
    evaluations: int


FOUND_SETTINGS = {
    RPS: FoundSettings(Config(game=RPS, representation="direct", seed=1), 1e-9, 2000),
    f"{RPS}, a net": FoundSettings(Config(game=RPS, hidden=1, seed=1), 1e-9, 4000),
    f"{RPS}, purely by evolution": FoundSettings(
        Config(game=RPS, representation="direct", worst_case="inner evolution", seed=1), 1e-9, 2000
    ),
    "Kuhn poker": FoundSettings(
        Config(representation="direct", population=20, seed=1), 1e-6, 20_000
    ),
    "13-card poker": FoundSettings(
        Config(
            game="13-card poker", representation="direct", population=200, step_size=0.3, seed=1
        ),
        1e-5,
        40_000,
    ),
}
"""Settings that meet the paper's claims about small games, by game and variant."""
