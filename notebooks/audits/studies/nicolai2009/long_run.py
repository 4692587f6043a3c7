"""Evolutions that take hours, kept in a folder; and their last champions, evaluated.

`run.npz` is the checkpoint, written after each generation; `evolution.npz` is what is kept of those gone
by. Each is replaced by a finished file, so that a kill at any moment costs at most one generation.

    PYTHONPATH=notebooks/audits python -m studies.nicolai2009.long_run Control 1 data/runs/unfinished/control-1

begins one of the paper's evolutions with that seed, or goes on with it. When it is whole, the same with `--keep` writes
it to data/runs, evaluates its champions, and adds them to those of other experiments with the same seed.
Experiments of another size are kept by `keep`, with `config` and with `runs`, a folder for them.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.core.arrays import Ints
from pokerlab.core.files import remove_unfinished
from pokerlab.core.saved_files import acquire_lock, check_identity, translate_settings
from pokerlab.core.settings import LARGEST_COUNT, checked_integer
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.protocol import Genomes
from pokerlab.papers.experiment import DECISIVE_ENTRIES, RUNS
from pokerlab.papers.nicolai2009 import (
    CONFIGS,
    EARLIER,
    METHODS,
    Config,
    DuplicateTables,
    evolved_networks,
    make_encoding,
)
from pokerlab.runs import History, Run
from pokerlab.runs.history import convert_to_json_value, describe_versions
from pokerlab.solvers.population_coevolution import PopulationState
from studies.nicolai2009.champions import (
    ARRAYS,
    Champions,
    Evolution,
    find_file,
    list_names,
    name_of,
)
from studies.nicolai2009.evaluation import evaluate

CHECKPOINT, EVOLUTION = "run.npz", "evolution.npz"


def read_config(settings: Mapping[str, Any]) -> Config:
    """Return the Config of a recording: its settings may lack what was added since, and have what was removed."""
    known = translate_settings("the recording", settings, vars(Config(seed=0)))
    return Config(**{**EARLIER, **known})


def evolve(
    config: Config,
    folder: str | Path,
    *,
    until: int | None = None,
    every: int = 50,
    members: int = 20,
    workers: Any = 1,
    progress: bool = True,
) -> Evolution:
    """Evolve generation after generation, and keep everything that is needed to go on in a folder.

    Called again with the same settings it goes on where it was, after a kill too, with the same
    result; `workers` may differ.
    """
    last = checked_integer("until", config.iterations if until is None else until, 0, LARGEST_COUNT)
    checked_integer("every", every, 1)
    checked_integer("members", members, 0)
    home = Path(folder)
    run = evolved_networks.run(config, checkpoint=home / CHECKPOINT, workers=workers)
    remove_unfinished(home / EVOLUTION)  # which is the run's alone, as its checkpoint is
    kept = load_generations(home / EVOLUTION, run, members)
    with tqdm(total=last, unit=" generations", disable=not progress) as bar:
        while True:
            state = run.state
            bar.update(state.iteration - bar.n)
            # After a kill between the two files, the present generation is all that may be missing.
            gone = int(kept.generations.max(initial=0))
            if state.iteration > gone + 1:
                raise CheckpointError(
                    f"{home} has a checkpoint of generation {state.iteration} and an evolution up to {gone}:"
                    " those between are lost. Take both files from one place."
                )
            if state.iteration > gone:
                run.record()  # which a kill may have prevented, too
                kept = add_generation(kept, state, run.history, state.iteration % every == 0)
                kept.save(home / EVOLUTION)
            if state.iteration >= last:
                return kept
            run.to(state.iteration + 1, progress=False)


def add_generation(
    kept: Evolution, state: PopulationState, history: History, hall: bool
) -> Evolution:
    """Return an evolution with one more generation, and with its hall if that is to be kept."""
    changed: dict[str, Any] = {name: getattr(kept, name) for name in ARRAYS}
    added: dict[str, Any] = {"generations": state.iteration, "champions": state.champions}
    if hall:
        genomes, since = select_best_members(state, kept.hall_since.shape[2])
        added |= {"hall_generations": state.iteration, "halls": genomes, "hall_since": since}
    for name, one in added.items():
        changed[name] = np.concatenate([changed[name], np.asarray(one)[None]])
    return Evolution(history, **changed)


def load_generations(path: Path, run: Run, members: int) -> Evolution:
    """Return what a folder keeps of the generations so far; of none in a new one."""
    if path.exists():
        kept = Evolution.load(path)
        about = json.loads(json.dumps(run.provenance))
        wanted = {key: about[key] for key in DECISIVE_ENTRIES}
        check_identity(path, kept.history.provenance, wanted)
        if kept.hall_since.shape[2] != members:
            raise CheckpointError(
                f"{path} keeps {kept.hall_since.shape[2]} members of each hall; asked for are {members}."
                f" Give members={kept.hall_since.shape[2]}, or use another folder."
            )
        return kept
    populations, _, num_genes = run.state.population.shape
    shape, kind = (0, populations, members), run.state.population.dtype
    return Evolution(
        run.history,
        generations=np.zeros(0, np.int64),
        champions=np.zeros((0, populations, num_genes), kind),
        hall_generations=np.zeros(0, np.int64),
        halls=np.zeros((*shape, num_genes), kind),
        hall_since=np.zeros(shape, np.int64),
    )


def select_best_members(state: PopulationState, count: int) -> tuple[Genomes, Ints]:
    """Return the best of each hall, (P, count, G), and since when they are there, (P, count)."""
    populations, _, num_genes = state.population.shape
    genomes = np.zeros((populations, count, num_genes), state.population.dtype)
    since = np.full((populations, count), EMPTY)
    for number, plays in enumerate(state.hall.is_playing):
        there = np.flatnonzero(plays)
        best = there[np.argsort(-state.hall_fitness[number, there], kind="stable")][:count]
        genomes[number, : best.size] = state.hall.genomes[number, best]
        since[number, : best.size] = state.hall.entered[number, best]
    return genomes, since


def keep(
    method: str,
    folder: str | Path,
    *,
    runs: str | Path = RUNS,
    config: Config | None = None,
    tables: DuplicateTables | None = None,
    workers: Any = 1,
    progress: bool = True,
) -> Champions:
    """Record an evolution, and evaluate its last champions."""
    UnknownNameError.check("method", method, METHODS)
    home, wanted = Path(folder), replace(CONFIGS[method], seed=1) if config is None else config
    tables = DuplicateTables(seed=1) if tables is None else tables
    if not (home / EVOLUTION).exists():
        raise FileFormatError(f"{home} holds no evolution; give the folder of an `evolve`.")
    evolution = Evolution.load(home / EVOLUTION)
    if read_config(evolution.history.provenance.get("settings", {})) != wanted:
        raise CheckpointError(
            f"{home} holds another evolution than {method} with seed {wanted.seed}; give its folder."
        )
    last = len(evolution.generations)
    if last < wanted.iterations:
        raise FileFormatError(
            f"{home} holds {last} of {wanted.iterations} generations; let `evolve` go on first."
        )
    evolution.save(Path(runs) / f"{name_of(method, wanted.seed)}.npz")
    genomes, evaluations = {}, {}
    for champion, genome in zip(
        list_names(method, wanted.populations), evolution.champions[-1], strict=True
    ):
        file = home / f"{champion}-{last}.npz"
        genomes[champion] = genome
        (player,) = make_encoding(wanted).make_players(genome[None], [champion])
        evaluations[champion] = evaluate(
            player, tables=tables, file=file, workers=workers, progress=progress
        )
    path = find_file(wanted.seed, runs)
    lock = acquire_lock(path)
    try:
        old = Champions.load(path) if path.exists() else Champions({}, {}, {}, {})
        found = Champions(
            {**old.genomes, **genomes},
            {**old.histories, method: evolution.history},
            {**old.evaluations, **evaluations},
            {
                "experiments": {
                    **old.provenance.get("experiments", {}),
                    method: convert_to_json_value(wanted),
                },
                "tables_of": {
                    **old.provenance.get("tables_of", {}),
                    method: convert_to_json_value(tables),
                },
                "made_with": describe_versions(),
            },
        )
        found.save(path)
    finally:
        lock.release()
    return found


def main() -> None:
    """Evolve, or keep, what the command line says."""
    parser = argparse.ArgumentParser(description="Evolve as the paper did, or go on; or keep.")
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", type=int, help="the last generation; by default 500")
    parser.add_argument("--keep", action="store_true", help="record it, and evaluate its champions")
    parser.add_argument("--duplicates", type=int, default=100_000, help="tables a champion")
    parser.add_argument("--workers", type=int, default=1, help="threads of an evaluation")
    given = parser.parse_args()
    config = replace(CONFIGS[given.method], seed=given.seed)
    if given.keep:
        tables = DuplicateTables(duplicates=given.duplicates, seed=1)
        keep(given.method, given.folder, config=config, tables=tables, workers=given.workers)
    else:
        evolve(config, given.folder, until=given.until)


if __name__ == "__main__":
    main()
