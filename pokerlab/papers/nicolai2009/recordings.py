"""Evolutions at the paper's size, handed from one sitting to the next: what data/runs keeps of them.

An evolution of the paper's size takes days, so that no sitting sees all of it. `keep` takes the folder of
an `evolve` as far as it is, also while it runs: it writes the evolution and its checkpoint, evaluates the
champions, and adds them to those of other experiments. `take_up` makes such a folder from what is kept.

    python -m pokerlab.papers.nicolai2009.recordings keep Control FOLDER
    python -m pokerlab.papers.nicolai2009.recordings take_up Control FOLDER
"""

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.core.files import whole_file
from pokerlab.papers.nicolai2009.champions import NAME, Champions, evaluated, names_of
from pokerlab.papers.nicolai2009.config import Config
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.papers.nicolai2009.experiment import PAPER, PAPER_EXPERIMENTS
from pokerlab.papers.nicolai2009.long_run import CHECKPOINT, EVOLUTION, Evolution
from pokerlab.papers.nicolai2009.methods import METHODS
from pokerlab.papers.recorded import RUNS
from pokerlab.runs.provenance import made_with, plain

CONFIGS = dict(zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True))
WHOLE = f"{NAME}-whole"


def name_of(method: str) -> str:
    """Return the name of an experiment's file in data/runs, without its ending."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-{method.lower()}"


def checkpoint_of(method: str) -> str:
    """Return the name of the file from which it goes on."""
    return f"{name_of(method)}-checkpoint"


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
    # Now, before hours of evaluation: an evolution that runs on leaves it behind by a generation at most.
    copy(home / CHECKPOINT, kept / f"{checkpoint_of(method)}.npz")
    last = int(evolution.generations[-1])
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
        kept / f"{checkpoint_of(method)}.npz": home / CHECKPOINT,
        kept / f"{name_of(method)}.npz": home / EVOLUTION,
    }
    for source, target in pairs.items():
        if not source.exists():
            raise FileFormatError(f"{source} does not exist; {method} begins anew, with `evolve`.")
        if target.exists():
            raise CheckpointError(f"{target} exists; give another folder, or let `evolve` go on.")
    home.mkdir(parents=True, exist_ok=True)
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
