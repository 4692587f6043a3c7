"""Where coevolutions of small games end, and at what cost, over several settings and seeds.

Samothrakis & Lucas (2011, section 4.1) say that coevolution comes to equilibria of rock-paper-scissors and of poker
with one card. How near do its runs come, after how many generations, and in how many seconds?

Settings, seeds, and a target go in. A table comes out, with a row for each run. A run ends at the first generation
whose *exploitability* is at most the target, or with its last generation. The exploitability of a genome is the sum
over all seats of what exact best responses gain, in the unit of the game. `load_or_run_coevolutions` reads recorded
tables from `data/runs`.
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


def restore_config(recorded_settings: Mapping[str, Any]) -> Config:
    """Return the settings of a recorded coevolution as a Config, although settings may have been removed since.

    Parameters
    ----------
    recorded_settings : mapping of str to any
        The values of all settings when the coevolution was recorded, by name, from the provenance of its record. Those
        in `REMOVED_SETTINGS`, which `Config` no longer has, are left out.

    Returns
    -------
    Config
        The settings, as far as `Config` still has them.
    """
    present_settings = {
        name: value for name, value in recorded_settings.items() if name not in REMOVED_SETTINGS
    }
    return Config(**present_settings)


def run_coevolutions(
    config: Config,
    seeds: Iterable[int],
    *,
    target_exploitability: float = 0.0,
    varied_settings: Mapping[str, Sequence[Any]] | None = None,
) -> History:
    """Run a coevolution once for each seed and each combination of varied settings, and measure where each run ends.

    A run ends at the first generation whose *exploitability* is at most the target, or with its last generation. The
    exploitability of a genome is the sum, over all seats, of what exact best responses gain.

    Parameters
    ----------
    config : Config
        The settings of all runs. Its own seed is not used.
    seeds : iterable of int
        The seeds.
    target_exploitability : float
        The exploitability at which a run ends, in the unit of the game.
    varied_settings : mapping of str to sequence, optional
        The values that settings of `config` take instead, by the name of the setting. Each combination of these values
        is run with each seed.

    Returns
    -------
    History
        A table with a row for each run. Its columns are the varied settings; 'seed'; 'iteration', the generation at
        which the run ended; the columns of the paper's experiment at that generation; and 'seconds', the computing time
        of the run.
    """
    seeds, varied_settings = list(seeds), dict(varied_settings or {})

    units = {column.name: column.unit for column in make_columns(make_solver(config))}
    units |= {"seed": "", "iteration": "iterations", "seconds": "seconds"}
    units |= dict.fromkeys(varied_settings, "")

    table = sweep(
        partial(run_until_exploitability, target_exploitability=target_exploitability),
        varied_settings,
        config=config,
        seeds=seeds,
        units=units,
        progress=False,
    )
    provenance = build_provenance_of_coevolutions(
        config, seeds, target_exploitability, varied_settings
    )
    return replace(table, provenance={**table.provenance, **provenance})


def run_until_exploitability(config: Config, target_exploitability: float) -> dict[str, float]:
    """Run a coevolution until its exploitability reaches a target, or to its last generation; return the result.

    Parameters
    ----------
    config : Config
        The settings of the coevolution, with its seed and its last generation ('iterations').
    target_exploitability : float
        The largest exploitability at which the run ends early, in the unit of the game. Exploitability is the sum, over
        all seats, of what exact best responses gain from the best genome so far.

    Returns
    -------
    dict of str to float
        What was measured at the last generation of the run: the number of that generation ('iteration'), each column of
        the paper's experiment by its name, and the computing time in seconds ('seconds').
    """
    coevolution = make_solver(config)

    begin = process_time()
    state = coevolution.init()
    # `exact_value` is the exact exploitability of the best genome, whatever worst case the coevolution itself found.
    while state.exact_value > target_exploitability and state.iteration < config.iterations:
        state = coevolution.step(state)
    seconds = process_time() - begin

    columns = {column.name: column.measure(state) for column in make_columns(coevolution)}
    return {"iteration": state.iteration, **columns, "seconds": seconds}


def load_or_run_coevolutions(
    file_name: str,
    config: Config,
    seeds: Iterable[int],
    *,
    target_exploitability: float = 0.0,
    varied_settings: Mapping[str, Sequence[Any]] | None = None,
    folder: str | Path = RUNS,
) -> History:
    """Return a table of coevolutions from a file. If there is no such file, run them and write it first.

    There is a run for each seed and each combination of varied settings (see `run_coevolutions`).

    Parameters
    ----------
    file_name : str
        The name of the file without its ending.
    config : Config
        The settings of all runs. Its own seed is not used.
    seeds : iterable of int
        The seeds.
    target_exploitability : float
        The exploitability at which a run ends before its last generation, in the unit of the game.
    varied_settings : mapping of str to sequence, optional
        The values that settings of `config` take instead, by the name of the setting.
    folder : str or Path
        The folder of the file.

    Returns
    -------
    History
        A table with a row for each run: the varied settings, the seed, and what was measured when the run ended.

    Raises
    ------
    CheckpointError
        If the file has runs with other parameters.
    """
    seeds, varied_settings = list(seeds), dict(varied_settings or {})
    run_all = partial(
        run_coevolutions,
        config,
        seeds,
        target_exploitability=target_exploitability,
        varied_settings=varied_settings,
    )

    # A file must have these entries; others, such as versions of programs, may differ.
    provenance = build_provenance_of_coevolutions(
        config, seeds, target_exploitability, varied_settings
    )
    decisive_entries = (*CONFIG_ENTRIES, "seeds", "target", "varied")
    required_provenance = {entry: provenance[entry] for entry in decisive_entries}
    return load_or_make_history(file_name, run_all, required_provenance, folder=folder)


def build_provenance_of_coevolutions(
    config: Config,
    seeds: Sequence[int],
    target_exploitability: float,
    varied_settings: Mapping[str, Sequence[Any]],
) -> dict[str, object]:
    """Return what is recorded about the runs in a table of coevolutions: all that decides its numbers, and versions.

    Parameters
    ----------
    config : Config
        The settings of all runs. Its own seed is not used.
    seeds : sequence of int
        The seeds, of which there is at least one.
    target_exploitability : float
        The exploitability at which a run ends before its last generation, in the unit of the game.
    varied_settings : mapping of str to sequence
        The values that settings of `config` take instead, by the name of the setting.

    Returns
    -------
    dict of str to object
        The provenance of a run with the first seed, and the entries 'seeds', 'target' and 'varied', which hold the last
        three parameters.
    """
    config_of_first_seed = replace(config, seed=seeds[0])
    # Files have the removed settings, so a comparison with a file needs them, too.
    recorded_settings = {**REMOVED_SETTINGS, **vars(config_of_first_seed)}
    provenance = describe_provenance(make_solver(config_of_first_seed), recorded_settings)
    return {
        **provenance,
        "seeds": seeds,
        "target": target_exploitability,
        "varied": varied_settings,
    }


class FoundSettings(NamedTuple):
    """Settings of a coevolution that we found by trying, with which a claim of the paper holds.

    Attributes
    ----------
    config : Config
        The settings.
    exploitability : float
        The exploitability that runs with these settings reach, by exact best responses and in the unit of the game.
    evaluations : int
        The largest number of genomes that a run evaluates until then.
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
