"""Evolutions that take hours: run in a folder, continued after an interruption, and recorded when they are complete.

Which champions do the six experiments of Nicolai & Hilderman (2009) give at their full size? A method and a seed go in;
the champions of all generations come out, with halls of fame, and the evaluations of the last champions.

The folder of an evolution has two files. `run.npz` is the checkpoint of the present generation. `evolution.npz` has the
champions, halls of fame and columns of all generations so far. Both are written after each generation, and each is
replaced as a whole. Therefore an interruption at any moment costs at most one generation.

    PYTHONPATH=notebooks/audits python -m studies.nicolai2009.long_run Control 1 data/runs/unfinished/control-1

starts an evolution of the paper's size, by the settings of Nicolai's thesis (2008), with seed 1, or continues it. When
it is complete, the same command with `--keep` writes it to `data/runs`, evaluates its last champions, and adds them to
the file of all champions with the same seed. The function `record_evolution_and_champions` also records evolutions of
another size, with the parameters `config`, and `records_folder` for their folder.
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
from pokerlab.core.files import remove_unfinished_files
from pokerlab.core.saved_files import acquire_file_lock, check_file_description, update_old_settings
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
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
    EVOLUTION_ARRAYS,
    Champions,
    Evolution,
    build_champions_path,
    list_champion_names,
    name_evolution_file,
)
from studies.nicolai2009.evaluation import Evaluation, evaluate_champion

CHECKPOINT, EVOLUTION = "run.npz", "evolution.npz"
"""The files in the folder of an evolution."""
HALL_INTERVAL = 50
"""The number of generations after which halls of fame are recorded again."""
NUM_HALL_MEMBERS = 20
"""The number of members of each hall that are recorded."""


def restore_config(settings: Mapping[str, Any]) -> Config:
    """Return the settings of a recorded evolution as a Config, although settings may have been added or removed since.

    Parameters
    ----------
    settings : mapping of str to any
        The values of all settings when the evolution was recorded, by name, from the provenance of its record. A
        setting that was added to `Config` later has the value of our earlier settings. A setting that was removed is
        translated, or left out.

    Returns
    -------
    Config
        The settings. It equals the Config with which the evolution was run.
    """
    translated = update_old_settings("the recording", settings, vars(Config(seed=0)))
    return Config(**{**EARLIER, **translated})


def run_or_continue_evolution(
    config: Config,
    folder: str | Path,
    *,
    until: int | None = None,
    hall_interval: int = HALL_INTERVAL,
    num_hall_members: int = NUM_HALL_MEMBERS,
    workers: Any = 1,
    progress: bool = True,
) -> Evolution:
    """Run an evolution of networks in a folder, or continue the one that is there, and return its record.

    The record has the *champions*, the best agents of each generation, and *halls of fame*, which keep former elites.
    After each generation the record and a checkpoint are written to the folder, so an interruption costs at most one
    generation.

    Parameters
    ----------
    config : Config
        The settings of the evolution.
    folder : str or Path
        The folder of the checkpoint and of the record.
    until : int, optional
        The last generation to run; that of `config` if not given.
    hall_interval : int
        The number of generations after which halls of fame are recorded again.
    num_hall_members : int
        The number of members of each hall that are recorded.
    workers : int or other
        The number of threads, or another value that `choose_work_divider` accepts. The results do not depend on it.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Evolution
        The champions, halls of fame and columns of all generations so far.

    Raises
    ------
    SettingError
        If a number is out of range.
    CheckpointError
        If the folder holds another evolution, or if its two files were not written at the same time.
    """
    requested_end = config.iterations if until is None else until
    last_generation = validate_integer("until", requested_end, 0, LARGEST_COUNT)
    validate_integer("hall_interval", hall_interval, 1)
    validate_integer("num_hall_members", num_hall_members, 0)
    folder = Path(folder)
    run = evolved_networks.run(config, checkpoint=folder / CHECKPOINT, workers=workers)

    # The run locks its checkpoint, so no other program writes the record. An unfinished file is from an interruption.
    remove_unfinished_files(folder / EVOLUTION)
    evolution = load_or_create_evolution(folder / EVOLUTION, run, num_hall_members)

    with tqdm(total=last_generation, unit=" generations", disable=not progress) as bar:
        while True:
            bar.update(run.iteration - bar.n)

            # Also before the first step: the record may lack the generation of the checkpoint.
            evolution = record_current_generation(evolution, run, folder / EVOLUTION, hall_interval)
            if run.iteration >= last_generation:
                return evolution
            run.to(run.iteration + 1, progress=False)


def record_current_generation(
    evolution: Evolution, run: Run, path: Path, hall_interval: int
) -> Evolution:
    """Add the current generation of a run to the record of its evolution, write the record, and return it.

    If the record has the generation already, nothing is written. The starting population, generation 0, is not
    recorded.

    Parameters
    ----------
    evolution : Evolution
        The record, which ends with the current generation or with the generation before.
    run : Run
        The run of the evolution.
    path : Path
        The file of the record.
    hall_interval : int
        The number of generations after which halls of fame are recorded again.

    Returns
    -------
    Evolution
        The record, which ends with the current generation.

    Raises
    ------
    CheckpointError
        If the record lacks earlier generations, too.
    """
    state = run.state
    last_recorded = int(evolution.generations.max(initial=0))

    # The checkpoint is written before the record, so after an interruption the record may lack one generation.
    if state.iteration > last_recorded + 1:
        raise CheckpointError(
            f"{path.parent} has a checkpoint of generation {state.iteration}, but the evolution ends at generation"
            f" {last_recorded}. Take both files from the same moment."
        )
    if state.iteration <= last_recorded:
        return evolution

    run.record()  # the interruption may have prevented this, too
    is_hall_recorded = state.iteration % hall_interval == 0
    evolution = append_generation(evolution, state, run.history, is_hall_recorded)
    evolution.save(path)
    return evolution


def append_generation(
    evolution: Evolution, state: PopulationState, history: History, is_hall_recorded: bool
) -> Evolution:
    """Return the record of an evolution with one more generation: its champions, and possibly its halls of fame.

    A *champion* is the best agent of a population in a generation. A *hall of fame* keeps former elites.

    Parameters
    ----------
    evolution : Evolution
        The record up to the generation before. It stays as it is.
    state : PopulationState
        The generation that is added.
    history : History
        The columns that the experiment measured in all generations, including this one.
    is_hall_recorded : bool
        Whether the halls of fame of the generation are added, too.

    Returns
    -------
    Evolution
        The record with the generation at its end.
    """
    new_entries: dict[str, Any] = {"generations": state.iteration, "champions": state.champions}
    if is_hall_recorded:
        num_members = evolution.hall_since.shape[2]
        genomes, entry_generations = select_best_hall_members(state, num_members)
        new_entries["hall_generations"] = state.iteration
        new_entries["halls"] = genomes
        new_entries["hall_since"] = entry_generations

    # The first axis of all arrays is over generations.
    arrays: dict[str, Any] = {name: getattr(evolution, name) for name in EVOLUTION_ARRAYS}
    for name, entry in new_entries.items():
        arrays[name] = np.concatenate([arrays[name], np.asarray(entry)[None]])
    return Evolution(history, **arrays)


def load_or_create_evolution(path: Path, run: Run, num_hall_members: int) -> Evolution:
    """Return the record of an evolution from a file, or a record without generations if there is no file.

    Parameters
    ----------
    path : Path
        The file.
    run : Run
        The run that is recorded. The file must be of a run with the same settings. A new record has arrays for genomes
        of the run's shape and type.
    num_hall_members : int
        The number of members of each hall of fame that are recorded.

    Returns
    -------
    Evolution
        The record up to the generation in the file, or without any.

    Raises
    ------
    CheckpointError
        If the file is of a run with other settings, or has another number of members.
    """
    if path.exists():
        evolution = Evolution.load(path)
        # A file has JSON, in which for example tuples are lists.
        provenance = json.loads(json.dumps(run.provenance))
        decisive = {key: provenance[key] for key in DECISIVE_ENTRIES}
        check_file_description(path, evolution.history.provenance, decisive)
        num_recorded_members = evolution.hall_since.shape[2]
        if num_recorded_members != num_hall_members:
            raise CheckpointError(
                f"{path} holds {num_recorded_members} members of each hall, but {num_hall_members} were requested."
                f" Pass num_hall_members={num_recorded_members}, or use another folder."
            )
        return evolution

    num_populations, _, num_genes = run.state.population.shape
    dtype = run.state.population.dtype
    return Evolution(
        run.history,
        generations=np.zeros(0, np.int64),
        champions=np.zeros((0, num_populations, num_genes), dtype),
        hall_generations=np.zeros(0, np.int64),
        halls=np.zeros((0, num_populations, num_hall_members, num_genes), dtype),
        hall_since=np.zeros((0, num_populations, num_hall_members), np.int64),
    )


def select_best_hall_members(state: PopulationState, count: int) -> tuple[Genomes, Ints]:
    """Return the members of each population's hall of fame that have the best fitness in a generation.

    A *hall of fame* keeps former elites, so that agents also play against them.

    Parameters
    ----------
    state : PopulationState
        The generation, with P populations whose genomes have G numbers.
    count : int
        The number of members that are selected from each hall.

    Returns
    -------
    genomes : ndarray, shape (P, count, G)
        The genomes of the members, the best first; zeros if the hall has fewer members.
    entry_generations : ndarray of int64, shape (P, count)
        The generation in which each member entered its hall; -1 if the hall has fewer members.
    """
    num_populations, _, num_genes = state.population.shape
    genomes = np.zeros((num_populations, count, num_genes), state.population.dtype)
    entry_generations = np.full((num_populations, count), EMPTY)
    for population, is_playing in enumerate(state.hall.is_playing):
        member_indices = np.flatnonzero(is_playing)
        member_fitness = state.hall_fitness[population, member_indices]
        best_first = np.argsort(-member_fitness, kind="stable")
        best_members = member_indices[best_first[:count]]

        # A hall with fewer members than `count` leaves the rest of its row as it is.
        num_members = best_members.size
        genomes[population, :num_members] = state.hall.genomes[population, best_members]
        entry_generations[population, :num_members] = state.hall.entered[population, best_members]
    return genomes, entry_generations


def record_evolution_and_champions(
    method: str,
    folder: str | Path,
    *,
    records_folder: str | Path = RUNS,
    config: Config | None = None,
    tables: DuplicateTables | None = None,
    workers: Any = 1,
    progress: bool = True,
) -> Champions:
    """Write a complete evolution and its evaluated champions to files, and return all champions with the same seed.

    A *champion* is the best agent of the last generation of a population. The evolution gets a file of its own. Its
    champions play duplicate tables, and are added to the file of the champions of all methods that evolved with the
    same seed.

    Parameters
    ----------
    method : str
        The method of the paper, such as '2Pop'.
    folder : str or Path
        The folder in which `run_or_continue_evolution` ran the evolution. Unfinished evaluations are saved in it, too.
    records_folder : str or Path
        The folder to which the evolution and the champions are written.
    config : Config, optional
        The settings of the evolution; those of the method with seed 1 if not given.
    tables : DuplicateTables, optional
        The tables of the evaluation; the defaults with seed 1 if not given.
    workers : int or other
        The number of threads, or another value that `choose_work_divider` accepts. The results do not depend on it.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Champions
        The champions of all methods that were recorded with the same seed so far, including the new ones.

    Raises
    ------
    UnknownNameError
        If the paper has no such method.
    FileFormatError
        If the folder holds no evolution, or one that is not complete.
    CheckpointError
        If it holds an evolution with other settings.
    """
    UnknownNameError.check("method", method, METHODS)
    folder = Path(folder)
    config = replace(CONFIGS[method], seed=1) if config is None else config
    tables = DuplicateTables(seed=1) if tables is None else tables
    evolution = load_complete_evolution(folder, method, config)
    evolution.save(Path(records_folder) / f"{name_evolution_file(method, config.seed)}.npz")

    last_generation = len(evolution.generations)
    names = list_champion_names(method, config.populations)
    genomes = dict(zip(names, evolution.champions[-1], strict=True))
    evaluations = {}
    for champion, genome in genomes.items():
        (player,) = make_encoding(config).make_players(genome[None], [champion])
        evaluations[champion] = evaluate_champion(
            player,
            tables=tables,
            file=folder / f"{champion}-{last_generation}.npz",
            workers=workers,
            progress=progress,
        )

    # Another program may record another method at the same time, so the file of all champions is locked.
    path = build_champions_path(config.seed, records_folder)
    lock = acquire_file_lock(path)
    try:
        recorded = Champions.load(path) if path.exists() else Champions({}, {}, {}, {})
        champions = add_champions_of_method(
            recorded,
            method,
            evolution=evolution,
            genomes=genomes,
            evaluations=evaluations,
            config=config,
            tables=tables,
        )
        champions.save(path)
    finally:
        lock.release()
    return champions


def load_complete_evolution(folder: Path, method: str, config: Config) -> Evolution:
    """Return the record of the evolution in a folder, if it has the given settings and has reached its end.

    Parameters
    ----------
    folder : Path
        The folder in which the evolution was run.
    method : str
        The name of the method, for the text of errors.
    config : Config
        The settings that the evolution must have, with its last generation.

    Returns
    -------
    Evolution
        The record of all generations.

    Raises
    ------
    FileFormatError
        If the folder holds no evolution, or one that has not reached the last generation.
    CheckpointError
        If the evolution has other settings than `config`.
    """
    path = folder / EVOLUTION
    if not path.exists():
        raise FileFormatError(
            f"{folder} holds no evolution; give the folder of `run_or_continue_evolution`."
        )
    evolution = Evolution.load(path)
    recorded_settings = evolution.history.provenance.get("settings", {})
    if restore_config(recorded_settings) != config:
        raise CheckpointError(
            f"{folder} holds another evolution than {method} with seed {config.seed}; give its folder."
        )
    num_generations = len(evolution.generations)
    if num_generations < config.iterations:
        raise FileFormatError(
            f"{folder} holds {num_generations} of {config.iterations} generations;"
            " let `run_or_continue_evolution` finish first."
        )
    return evolution


def add_champions_of_method(
    champions: Champions,
    method: str,
    *,
    evolution: Evolution,
    genomes: Mapping[str, Genomes],
    evaluations: Mapping[str, Evaluation],
    config: Config,
    tables: DuplicateTables,
) -> Champions:
    """Return recorded champions together with the champions of one more method.

    A *champion* is the best agent of the last generation of a population. If champions of the method are recorded
    already, the new ones replace them.

    Parameters
    ----------
    champions : Champions
        The champions that are recorded so far. They stay as they are.
    method : str
        The method whose champions are added.
    evolution : Evolution
        The evolution of the method.
    genomes : mapping of str to ndarray, shape (G,)
        The genome of each champion of the method, by the name of the champion.
    evaluations : mapping of str to Evaluation
        The results of each champion at duplicate tables, by its name.
    config : Config
        The settings of the evolution.
    tables : DuplicateTables
        The settings of the tables of the evaluations.

    Returns
    -------
    Champions
        All of these champions. Their provenance has the settings of each method.
    """
    configs = champions.provenance.get("experiments", {})
    tables_of_methods = champions.provenance.get("tables_of", {})
    return Champions(
        genomes={**champions.genomes, **genomes},
        histories={**champions.histories, method: evolution.history},
        evaluations={**champions.evaluations, **evaluations},
        provenance={
            "experiments": {**configs, method: convert_to_json_value(config)},
            "tables_of": {**tables_of_methods, method: convert_to_json_value(tables)},
            "made_with": describe_versions(),
        },
    )


def main() -> None:
    """Read the command line, and run, continue or record the evolution that it names.

    Its arguments are a method of the paper, a seed, and the folder of the evolution. With `--keep` a complete evolution
    is recorded and its champions are evaluated. Otherwise the evolution is started or continued.
    """
    parser = argparse.ArgumentParser(
        description="Run or continue an evolution of the paper, or record a complete one."
    )
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", type=int, help="the last generation; by default 500")
    parser.add_argument("--keep", action="store_true", help="record it, and evaluate its champions")
    parser.add_argument("--duplicates", type=int, default=100_000, help="tables a champion")
    parser.add_argument("--workers", type=int, default=1, help="threads of an evaluation")
    arguments = parser.parse_args()

    config = replace(CONFIGS[arguments.method], seed=arguments.seed)
    if arguments.keep:
        record_evolution_and_champions(
            arguments.method,
            arguments.folder,
            config=config,
            tables=DuplicateTables(duplicates=arguments.duplicates, seed=1),
            workers=arguments.workers,
        )
    else:
        run_or_continue_evolution(config, arguments.folder, until=arguments.until)


if __name__ == "__main__":
    main()
