"""The eleven champions whose ranks the paper prints: evolved by its six experiments, evaluated, and kept.

Two steps that both go on after an interruption: `evolve` keeps generations in folders, and `evaluate`
duplicate tables in files. What comes of them is one small file, made by one call at any size.

An evolution of the paper's size takes hours, so that no sitting sees all of them. `keep` takes the folder of
an `evolve` as far as it is, also while it runs: it writes the evolution and, unless it is whole, its
checkpoint, evaluates the champions, and adds them to those of other experiments. `take_up` makes such a
folder from what is kept. Checkpoints are megabytes each and stay on the machine, in
`data/runs/unfinished`.

    python -m pokerlab.papers.nicolai2009.champions keep Control FOLDER
    python -m pokerlab.papers.nicolai2009.champions take_up Control FOLDER
"""

import argparse
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.core.files import whole_file
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.config import Config
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables, evaluate
from pokerlab.papers.nicolai2009.evaluation import Evaluation
from pokerlab.papers.nicolai2009.experiment import PAPER, encoding
from pokerlab.papers.nicolai2009.long_run import CHECKPOINT, EVOLUTION, Evolution, evolve
from pokerlab.papers.nicolai2009.methods import CONFIGS, METHODS
from pokerlab.papers.recorded import RUNS, UNFINISHED
from pokerlab.runs import History
from pokerlab.runs.history import read_arrays, write_arrays
from pokerlab.runs.provenance import made_with, plain

NAME, FORMAT = "nicolai-2009-champions", "pokerlab champions 1"
GENOME, HISTORY, EVALUATION = "genome", "history", "evaluation"
BETWEEN = "/"
"""In the names of the file's arrays: what is kept, of whom, and which of its numbers."""
WHOLE = f"{NAME}-whole"


@dataclass(frozen=True, eq=False)
class Champions:
    """Champions, how they evolved, and how they fared.

    Attributes
    ----------
    genomes : mapping of ndarray of float32, shape (G,)
        By the champions' names, such as 'Control', '2Pop-1' and '2Pop-2'.
    histories : mapping of History
        Of each experiment's evolution up to its champions, by the experiment's name.
    evaluations : mapping of Evaluation
        By the champions' names.
    provenance : mapping
        The settings of each experiment and of the tables, and what made them.
    """

    genomes: Mapping[str, Genomes]
    histories: Mapping[str, History]
    evaluations: Mapping[str, Evaluation]
    provenance: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write everything to `path`, whole or not at all."""
        arrays: dict[str, Any] = {BETWEEN.join([GENOME, k]): g for k, g in self.genomes.items()}
        for name, history in self.histories.items():
            for column, numbers in history.columns.items():
                arrays[BETWEEN.join([HISTORY, name, column])] = numbers
        for name, evaluation in self.evaluations.items():
            for what, numbers in evaluation.arrays().items():
                arrays[BETWEEN.join([EVALUATION, name, what])] = numbers
        about = {
            "format": FORMAT,
            "units": {name: dict(history.units) for name, history in self.histories.items()},
            "agents": {name: list(one.names) for name, one in self.evaluations.items()},
            "provenance": dict(self.provenance),
        }
        return write_arrays(Path(path), about, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something else.
        """
        about, arrays = read_arrays(Path(path), FORMAT)
        kept: dict[str, dict[str, Any]] = {GENOME: {}, HISTORY: {}, EVALUATION: {}}
        for name, numbers in arrays.items():
            what, whom, *column = name.split(BETWEEN)
            if column:
                kept[what].setdefault(whom, {})[column[0]] = numbers
            else:
                kept[what][whom] = numbers
        if not kept[GENOME] or kept[GENOME].keys() != kept[EVALUATION].keys():
            raise FileFormatError(
                f"{path} holds {len(kept[GENOME])} champions and {len(kept[EVALUATION])} evaluations."
                " Delete it and record it again."
            )
        return cls(
            kept[GENOME],
            {k: History(of, about["units"][k], {}) for k, of in kept[HISTORY].items()},
            {
                k: Evaluation.from_arrays(tuple(about["agents"][k]), of)
                for k, of in kept[EVALUATION].items()
            },
            about["provenance"],
        )


def recorded_champions(folder: str | Path = RUNS) -> Champions:
    """Return the eleven champions as they are recorded, a tenth as large as the paper's.

    Raises
    ------
    FileFormatError
        If they were not recorded, or the recording is damaged.
    """
    path = Path(folder) / f"{NAME}.npz"
    if not path.exists():
        raise FileFormatError(
            f"the champions are not recorded in {path}. Make them by"
            " pokerlab.papers.nicolai2009.champions.record_champions() and save them there."
        )
    return Champions.load(path)


def names_of(method: str, populations: int) -> tuple[str, ...]:
    """Return what the paper calls the champions of an experiment, one for each population."""
    if populations == 1:
        return (method,)
    return tuple(f"{method}-{number}" for number in range(1, populations + 1))


def record_champions(
    folder: str | Path,
    configs: Mapping[str, Config] | None = None,
    *,
    until: int | None = None,
    tables: DuplicateTables | None = None,
    workers: int = 1,
    progress: bool = True,
) -> Champions:
    """Evolve the champions of several experiments and evaluate each of them.

    Called again with the same folder and settings it goes on where it was, also after a kill, and
    with more generations or duplicate tables.

    Parameters
    ----------
    folder : path
        Where evolutions and evaluations are kept on the way; made if it does not exist.
    configs : mapping of Config, optional
        Experiments by the paper's names, `METHODS`; all six at the paper's size if not given, which
        takes a day or two. `methods.config_of` makes smaller ones.
    until : int, optional
        The generation whose champions are taken; each config's last one if not given.
    tables : DuplicateTables, optional
        How they are evaluated; as in the paper if not given.
    workers : int
        Threads; no number depends on them.
    progress : bool
        Whether to show what is done and how long the rest will take.

    Raises
    ------
    SettingError
        If a number is out of range.
    CheckpointError
        If the folder holds other evolutions or evaluations, or another process works in it.
    FileFormatError
        If a file is damaged, or the old agents were not recorded.
    StorageError
        If nothing can be written there.
    """
    experiments = CONFIGS if configs is None else configs
    tables = DuplicateTables(seed=1) if tables is None else tables
    options: dict[str, Any] = {"workers": workers, "progress": progress}
    home = Path(folder)
    genomes, histories, evaluations = {}, {}, {}
    for method, config in experiments.items():
        last = whole("until", config.iterations if until is None else until, 1, LARGEST_COUNT)
        evolution = evolve(config, home / method, until=last, **options)
        (best,) = evolution.champions[evolution.generations == last]
        histories[method] = up_to(evolution.history, last)
        for name, genome in zip(names_of(method, config.populations), best, strict=True):
            genomes[name] = genome
            file = home / f"{name}.npz"
            evaluations[name] = evaluated(name, genome, config, tables, file, **options)
    provenance = {
        "experiments": {method: plain(config) for method, config in experiments.items()},
        "until": until,
        "tables": plain(tables),
        "made_with": made_with(),
    }
    return Champions(genomes, histories, evaluations, provenance)


def evaluated(
    name: str, genome: Genomes, config: Config, tables: DuplicateTables, file: Path, **options: Any
) -> Evaluation:
    """Return how a champion of an evolution fares; what is finished is kept in the file."""
    (player,) = encoding(config).players(genome[None], [name])
    return evaluate(player, tables=tables, file=file, **options)


def up_to(history: History, last: int) -> History:
    """Return the rows of a history up to an iteration."""
    early = history["iteration"] <= last
    columns = {name: np.asarray(column)[early] for name, column in history.columns.items()}
    return History(columns, history.units, history.provenance)


def name_of(method: str) -> str:
    """Return the name of an experiment's file in data/runs, without its ending."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-{method.lower()}"


def checkpoint_of(method: str, runs: Path) -> Path:
    """Return the file from which it goes on."""
    return runs / UNFINISHED / f"{name_of(method)}.npz"


def keep(
    method: str,
    folder: str | Path,
    *,
    runs: str | Path = RUNS,
    config: Config | None = None,
    tables: DuplicateTables | None = None,
    workers: int = 1,
    client: Any = None,
    progress: bool = True,
) -> Champions:
    """Record how far an evolution is, and evaluate its last champions.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    folder : path
        Where `evolve` keeps it. Evaluations are kept there, too, and go on after a kill.
    runs : path
        Where recordings are kept.
    config : Config, optional
        What was evolved; the paper's experiment if not given.
    tables : DuplicateTables, optional
        How champions are evaluated; as in the paper if not given.
    workers, client, progress
        As for `evaluate`.

    Returns
    -------
    Champions
        All that are recorded, these among them; written to `runs`, too.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    FileFormatError
        If the folder holds no evolution of a generation or more, or a file is damaged.
    CheckpointError
        If it holds another evolution.
    StorageError
        If nothing can be written.
    """
    home, kept = Path(folder), Path(runs)
    name, wanted = name_of(method), CONFIGS[method] if config is None else config
    tables = DuplicateTables(seed=1) if tables is None else tables
    if not all((home / file).exists() for file in (EVOLUTION, CHECKPOINT)):
        raise FileFormatError(f"{home} holds no evolution; give the folder of an `evolve`.")
    evolution = Evolution.load(home / EVOLUTION)
    if evolution.history.provenance.get("settings") != json.loads(json.dumps(vars(wanted))):
        raise CheckpointError(f"{home} holds another evolution than {method}; give its folder.")
    if not evolution.generations.size:
        raise FileFormatError(f"{home} holds no generation yet; let `evolve` go on first.")
    last = int(evolution.generations[-1])
    checkpoint = checkpoint_of(method, kept)
    if last < wanted.iterations:
        # Now, before hours of evaluation: an evolution that runs on leaves it behind by a generation at most.
        copy(home / CHECKPOINT, checkpoint)
    else:
        checkpoint.unlink(missing_ok=True)
    options: dict[str, Any] = {"workers": workers, "client": client, "progress": progress}
    genomes, evaluations = {}, {}
    for champion, genome in zip(
        names_of(method, wanted.populations), evolution.champions[-1], strict=True
    ):
        file = home / f"{champion}-{last}.npz"
        genomes[champion] = genome
        evaluations[champion] = evaluated(champion, genome, wanted, tables, file, **options)
    path = kept / f"{WHOLE}.npz"
    old = Champions.load(path) if path.exists() else Champions({}, {}, {}, {})
    found = Champions(
        {**old.genomes, **genomes},
        {**old.histories, method: evolution.history},
        {**old.evaluations, **evaluations},
        {
            "experiments": {**old.provenance.get("experiments", {}), method: plain(wanted)},
            "tables_of": {**old.provenance.get("tables_of", {}), method: plain(tables)},
            "made_with": made_with(),
        },
    )
    evolution.save(kept / f"{name}.npz")
    found.save(path)
    return found


def take_up(method: str, folder: str | Path, *, runs: str | Path = RUNS) -> Path:
    """Make a folder from which `evolve` goes on where a recording ends, and return it.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    FileFormatError
        If it is not recorded.
    CheckpointError
        If the folder holds an evolution.
    StorageError
        If nothing can be written.
    """
    home, kept = Path(folder), Path(runs)
    pairs = {
        checkpoint_of(method, kept): home / CHECKPOINT,
        kept / f"{name_of(method)}.npz": home / EVOLUTION,
    }
    for source, target in pairs.items():
        if not source.exists():
            raise FileFormatError(
                f"{source} does not exist: {method} is recorded to its end, or its checkpoint stayed where it"
                " was evolved. It begins anew with `evolve`."
            )
        if target.exists():
            raise CheckpointError(f"{target} exists; give another folder, or let `evolve` go on.")
    for source, target in pairs.items():
        copy(source, target)
    return home


def copy(source: Path, target: Path) -> None:
    """Copy a file, whole or not at all."""
    with source.open("rb") as given, whole_file(target) as file:
        shutil.copyfileobj(given, file)


def main() -> None:
    """Keep or take up what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("keep", "take_up"))
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--duplicates", type=int, default=100_000, help="tables a champion")
    parser.add_argument("--workers", type=int, default=1, help="threads of an evaluation")
    given = parser.parse_args()
    if given.what == "take_up":
        take_up(given.method, given.folder)
    else:
        tables = DuplicateTables(duplicates=given.duplicates, seed=1)
        keep(given.method, given.folder, tables=tables, workers=given.workers)


if __name__ == "__main__":
    main()
