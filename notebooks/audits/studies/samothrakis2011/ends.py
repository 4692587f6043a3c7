"""Samothrakis & Lucas (2011), small games: where coevolutions of different settings and seeds end, at what cost."""

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

RETIRED = {"restarts": "never"}
"""What recordings say of settings that are none any more."""


def read_config(settings: Mapping[str, Any]) -> Config:
    """Return the Config of a recording."""
    return Config(**{name: value for name, value in settings.items() if name not in RETIRED})


def run_seeds(
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
) -> History:
    """Run a coevolution with each seed, and return where it ends; the seed of `config` does not matter.

    A run ends before its last generation when exploitability, by exact best responses, is at most `target`. Each
    combination of the values in `varied` is run with each seed. Columns: what is varied, 'seed', 'iteration'
    (generations done), those of the experiment, and 'seconds' of computing time.
    """
    given, choices, measure = list(seeds), dict(varied or {}), partial(end_of, target=target)
    units = {c.name: c.unit for c in make_columns(make_solver(config))}
    units |= {"seed": "", "iteration": "iterations", "seconds": "seconds"}
    units |= dict.fromkeys(choices, "")
    ends = sweep(measure, choices, config=config, seeds=given, units=units, progress=False)
    about = describe_seeds(config, given, target, choices)
    return replace(ends, provenance={**ends.provenance, **about})


def end_of(config: Config, target: float) -> dict[str, float]:
    """Return where a coevolution ends."""
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
    """Return `ends_of_seeds` from `data/runs`; if it is not there, it is run now and kept."""
    given, choices = list(seeds), dict(varied or {})
    about = describe_seeds(config, given, target, choices)
    return load_or_make_history(
        name,
        lambda: run_seeds(config, given, target=target, varied=choices),
        {key: about[key] for key in (*CONFIG_ENTRIES, "seeds", "target", "varied")},
        folder=folder,
    )


def describe_seeds(
    config: Config, seeds: list[int], target: float, varied: dict[str, Any]
) -> dict[str, object]:
    """Return where the numbers come from; the settings are those of the first seed."""
    first = replace(config, seed=seeds[0])
    about = describe_provenance(make_solver(first), {**RETIRED, **vars(first)})
    return {**about, "seeds": seeds, "target": target, "varied": varied}


class Found(NamedTuple):
    """Settings, what they reach by exact best responses in the game's unit, and genomes measured by then, at most."""

    config: Config
    exploitability: float
    evaluations: int


FOUND = {
    RPS: Found(Config(game=RPS, representation="direct", seed=1), 1e-9, 2000),
    f"{RPS}, a net": Found(Config(game=RPS, hidden=1, seed=1), 1e-9, 4000),
    f"{RPS}, purely by evolution": Found(
        Config(game=RPS, representation="direct", worst_case="inner evolution", seed=1), 1e-9, 2000
    ),
    "Kuhn poker": Found(Config(representation="direct", population=20, seed=1), 1e-6, 20_000),
    "13-card poker": Found(
        Config(
            game="13-card poker", representation="direct", population=200, step_size=0.3, seed=1
        ),
        1e-5,
        40_000,
    ),
}
"""Settings, found by trying, that meet the paper's claims."""
