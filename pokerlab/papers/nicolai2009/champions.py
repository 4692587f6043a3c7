"""The eleven champions whose ranks the paper prints: evolved by its six experiments, evaluated, and kept.

An evolution of the paper's size takes hours. When it is whole, `keep` takes its folder: it writes the evolution,
evaluates its champions, and adds them to those of other experiments with the same seed.

    python -m pokerlab.papers.nicolai2009.champions Control 1 data/runs/going/control-1

Experiments of another size are kept by the same call, with `config` and with `runs`, a folder for them.
Eleven champions of the paper's size, and eleven of a tenth of it, are kept from before we had read
the thesis: `EARLIER_WHOLE` and `EARLIER_TENTH`.
"""

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.evolution.population.parts import Genomes
from pokerlab.holdem.table.players import AMOUNTS, DRAWN
from pokerlab.papers.nicolai2009.config import Config, recorded_config
from pokerlab.papers.nicolai2009.duplicate_tables import EARLIER_TABLES, DuplicateTables, evaluate
from pokerlab.papers.nicolai2009.evaluation import Evaluation
from pokerlab.papers.nicolai2009.experiment import PAPER, encoding
from pokerlab.papers.nicolai2009.long_run import EVOLUTION, Evolution
from pokerlab.papers.nicolai2009.methods import CONFIGS, EARLIER_CONFIGS, METHODS
from pokerlab.papers.nicolai2009.opponents import FOLDER, LONGER, STARTS, panel
from pokerlab.papers.recorded import RUNS
from pokerlab.runs import History, sweep
from pokerlab.runs.checkpoint import claim
from pokerlab.runs.history import read_arrays, write_arrays
from pokerlab.runs.provenance import made_with, plain

FORMAT = "pokerlab champions 1"
GENOME, HISTORY, EVALUATION = "genome", "history", "evaluation"
BETWEEN = "/"
"""In the names of the file's arrays: what is kept, of whom, and which of its numbers."""
EARLIER_WHOLE, EARLIER_TENTH = f"{PAPER}-champions-whole", f"{PAPER}-champions"
READINGS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "as it is": ({}, {}),
    **{f"raise {amount}": ({"raises": amount}, {}) for amount in AMOUNTS[1:DRAWN]},
    "no folds for free": ({"free_folds": False}, {}),
    "seats as given": ({"seating": "as given"}, {}),
    "OldBest and OldScratch of their first generation": ({}, {"first_generation": True}),
    "OldBest and OldScratch of a larger budget": ({}, {"folder": LONGER}),
}
"""Readings of the earlier evaluation: what changes in its `DuplicateTables`, and in its `panel`."""


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


def names_of(method: str, populations: int) -> tuple[str, ...]:
    """Return what the paper calls the champions of an experiment, one for each population."""
    if populations == 1:
        return (method,)
    return tuple(f"{method}-{number}" for number in range(1, populations + 1))


def name_of(method: str, seed: int) -> str:
    """Return the name of an evolution's file in data/runs, without its ending."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-thesis-{method.lower()}-{seed}"


def earlier_name_of(method: str) -> str:
    """Return that of an evolution by our earlier defaults."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-{method.lower()}"


def file_of(seed: int, runs: str | Path = RUNS) -> Path:
    """Return the file of all champions that evolved with a seed."""
    return Path(runs) / f"{PAPER}-thesis-champions-{seed}.npz"


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
    """Record an evolution, and evaluate its last champions.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    folder : path
        Where `evolve` keeps it. Evaluations are kept there, too, and go on after a kill.
    runs : path
        Where recordings are kept.
    config : Config, optional
        What was evolved; the paper's experiment with seed 1 if not given.
    tables : DuplicateTables, optional
        How champions are evaluated; as in the paper if not given.
    workers, client, progress
        As for `evaluate`.

    Returns
    -------
    Champions
        All that are recorded with this seed, these among them; written to `runs`, too.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    FileFormatError
        If the folder holds no evolution, one that is not whole, or a damaged file.
    CheckpointError
        If it holds another evolution, or another process adds champions at this moment; call again.
    StorageError
        If nothing can be written.
    """
    UnknownNameError.check("method", method, METHODS)
    home, wanted = Path(folder), replace(CONFIGS[method], seed=1) if config is None else config
    tables = DuplicateTables(seed=1) if tables is None else tables
    if not (home / EVOLUTION).exists():
        raise FileFormatError(f"{home} holds no evolution; give the folder of an `evolve`.")
    evolution = Evolution.load(home / EVOLUTION)
    if recorded_config(evolution.history.provenance.get("settings", {})) != wanted:
        raise CheckpointError(
            f"{home} holds another evolution than {method} with seed {wanted.seed}; give its folder."
        )
    last = len(evolution.generations)
    if last < wanted.iterations:
        raise FileFormatError(
            f"{home} holds {last} of {wanted.iterations} generations; let `evolve` go on first."
        )
    evolution.save(Path(runs) / f"{name_of(method, wanted.seed)}.npz")
    options: dict[str, Any] = {"workers": workers, "client": client, "progress": progress}
    genomes, evaluations = {}, {}
    for champion, genome in zip(
        names_of(method, wanted.populations), evolution.champions[-1], strict=True
    ):
        file = home / f"{champion}-{last}.npz"
        genomes[champion] = genome
        (player,) = encoding(wanted).players(genome[None], [champion])
        evaluations[champion] = evaluate(player, tables=tables, file=file, **options)
    path = file_of(wanted.seed, runs)
    lock = claim(path)
    try:
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
        found.save(path)
    finally:
        lock.release()
    return found


def standing(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return how one of the eleven earlier champions stands where the evaluation is read in another way.

    Parameters
    ----------
    setting : mapping
        The 'champion', the 'reading', one of `READINGS`, and the 'duplicates'.
    """
    champion = setting["champion"]
    genome = Champions.load(RUNS / f"{EARLIER_WHOLE}.npz").genomes[champion]
    changes, of_panel = READINGS[setting["reading"]]
    tables = DuplicateTables(
        duplicates=setting["duplicates"], seed=1, **{**EARLIER_TABLES, **changes}
    )
    (player,) = encoding(EARLIER_CONFIGS[champion.split("-")[0]]).players(genome[None], [champion])
    found = evaluate(player, panel(tables.raises, **of_panel), tables=tables, progress=False)
    ranks = found.mean_rank
    return {
        "rank": ranks[champion],
        "error": float(found.ranks.standard_error[0]),
        "first": found.first_places[champion],
        "place": sorted(ranks, key=ranks.__getitem__).index(champion) + 1,
        **{f"{agent.lower()}_rank": ranks[agent] for agent in (FOLDER, *STARTS)},
        "genome": hashlib.sha256(genome.tobytes()).hexdigest()[:16],
    }


def standings(
    *,
    readings: Sequence[str] = tuple(READINGS),
    duplicates: int = 2500,
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return the `standing` of each recorded champion under each reading of the tables.

    Parameters
    ----------
    readings : sequence of str
        Names from `READINGS`.
    duplicates : int
        Tables of each.
    workers, folder
        As for `pokerlab.runs.sweep`.

    Raises
    ------
    UnknownNameError
        If there is no such reading.
    FileFormatError
        If no champions are recorded.
    """
    for reading in readings:
        UnknownNameError.check("reading", reading, tuple(READINGS))
    names = [*Champions.load(RUNS / f"{EARLIER_WHOLE}.npz").genomes]
    settings: dict[str, Sequence[Any]] = {
        "champion": names,
        "reading": list(readings),
        "duplicates": [duplicates],
    }
    return sweep(standing, settings, workers=workers, folder=folder)


def main() -> None:
    """Keep what the command line says."""
    parser = argparse.ArgumentParser(description="Record an evolution and evaluate its champions.")
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--duplicates", type=int, default=100_000, help="tables a champion")
    parser.add_argument("--workers", type=int, default=1, help="threads of an evaluation")
    given = parser.parse_args()
    keep(
        given.method,
        given.folder,
        config=replace(CONFIGS[given.method], seed=given.seed),
        tables=DuplicateTables(duplicates=given.duplicates, seed=1),
        workers=given.workers,
    )


if __name__ == "__main__":
    main()
