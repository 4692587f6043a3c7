"""A long evolution, kept: its history, and the networks that led it, every few generations.

At the paper's size an evolution takes hours. It is run in sittings: a checkpoint holds the state, this
file what is to be known of the generations that are gone.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm.auto import tqdm

from pokerlab.core import CheckpointError
from pokerlab.core.arrays import Ints
from pokerlab.core.settings import whole
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.config import Config
from pokerlab.papers.nicolai2009.experiment import evolved_networks
from pokerlab.runs import History, Run
from pokerlab.runs.history import read_arrays, write_arrays
from pokerlab.runs.provenance import plain
from pokerlab.solvers import PopulationState

FORMAT = "pokerlab lineage 1"
EVERY = 10
"""Generations between two that are kept."""
MEMBERS = 5
"""Of each hall, those with the best scores; a whole hall is as large as a population."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Lineage:
    """What is kept of an evolution; K generations, P populations, halls of H, networks of G weights.

    Attributes
    ----------
    history : History
        The experiment's columns.
    generations : ndarray of int64, shape (K,)
        Which generations are kept.
    champions : ndarray of float32, shape (K, P, G)
        The networks with the best mean rank.
    hall_since : ndarray of int64, shape (K, P, H)
        Since which generation each member is in its hall; -1 for an empty place. H is 0 without halls.
    hall_best : ndarray of float32, shape (K, P, 5, G)
        The members with the best scores, or fewer of them in smaller halls.
    """

    history: History
    generations: Ints
    champions: Genomes
    hall_since: Ints
    hall_best: Genomes

    @classmethod
    def load(cls, file: str | Path) -> "Lineage":
        """Return what `evolve` has kept.

        Raises
        ------
        FileFormatError
            If the file is damaged, or is not a lineage.
        """
        about, arrays = read_arrays(Path(file), FORMAT)
        named = {name: arrays.pop(name) for name in KEPT}
        units, provenance = about["units"], about["provenance"]
        history = History({name: arrays[name] for name in about["columns"]}, units, provenance)
        return cls(history=history, **named)

    def save(self, file: str | Path) -> Path:
        """Write everything into one file, whole or not at all."""
        about = {
            "format": FORMAT,
            "columns": list(self.history.columns),
            "units": dict(self.history.units),
            "provenance": self.history.provenance,
        }
        kept = {name: getattr(self, name) for name in KEPT}
        return write_arrays(Path(file), about, {**self.history.columns, **kept})


KEPT = ("generations", "champions", "hall_since", "hall_best")


def evolve(
    config: Config,
    file: str | Path,
    *,
    checkpoint: str | Path,
    until: int | None = None,
    every: int = EVERY,
    workers: int = 1,
    progress: bool = True,
) -> Lineage:
    """Evolve networks, in as many sittings as it takes, and keep what led each tenth generation.

    Parameters
    ----------
    config : Config
        What is evolved.
    file : path
        Where the lineage is kept. The same call goes on with it.
    checkpoint : path
        Where the state is kept, after each generation.
    until : int, optional
        The generation to stop at; the last one if not given.
    every : int
        Generations between two whose champions are kept.
    workers : int
        Threads; results do not depend on it.
    progress : bool
        Whether to show what is done and how long the rest will take.

    Raises
    ------
    CheckpointError
        If the checkpoint or the file belongs to another evolution, or the checkpoint is missing.
    StorageError
        If a file cannot be written; the last good ones stay.
    """
    last = config.iterations if until is None else whole("until", until, 1, config.iterations)
    whole("every", every, 1)
    solver = evolved_networks.solver(config, workers=workers)
    run = Run(
        solver,
        evolved_networks.columns(solver),
        per_decade=evolved_networks.per_decade,
        settings=plain(config),
        checkpoint=checkpoint,
    )
    known = rows_of(Path(file), run) if Path(file).exists() else []
    if run.iteration and run.iteration % every == 0 and run.iteration not in [k[0] for k in known]:
        known.append(
            row_of(run.state, solver.hall_of_fame.grows)
        )  # killed between its checkpoint and its file
    with tqdm(total=last, initial=run.iteration, unit=" generations", disable=not progress) as bar:
        while run.iteration < last:
            run.to(min(run.iteration - run.iteration % every + every, last), progress=False)
            known.append(row_of(run.state, solver.hall_of_fame.grows))
            kept(run, known).save(file)
            bar.update(run.iteration - bar.n)
    return kept(run, known)


def row_of(state: PopulationState, grows: bool) -> tuple[Ints, Genomes, Ints, Genomes]:
    """Return what is kept of a generation; of a hall that grows nothing, as its champions are here."""
    since, score, genomes = state.hall.since, state.hall_score, state.hall.genomes
    if grows:
        since, score, genomes = since[:, :0], score[:, :0], genomes[:, :0]
    best = np.argsort(-score, axis=1, kind="stable")[:, :MEMBERS]
    members = np.take_along_axis(genomes, best[:, :, None], axis=1)
    return np.array(state.iteration), state.champions, since, members


def kept(run: Run, rows: list[tuple[Ints, Genomes, Ints, Genomes]]) -> Lineage:
    """Return the lineage of a run."""
    stacked = (np.stack(values) for values in zip(*rows, strict=True))
    return Lineage(history=run.history, **dict(zip(KEPT, stacked, strict=True)))


def rows_of(file: Path, run: Run) -> list[tuple[Ints, Genomes, Ints, Genomes]]:
    """Return the generations that a file keeps, up to where the run stands."""
    lineage = Lineage.load(file)
    own = {key: run.provenance[key] for key in ("parameters", "game_fingerprint")}
    found = {key: lineage.history.provenance.get(key) for key in own}
    if plain(own) != found or lineage.generations[-1] > run.iteration:
        raise CheckpointError(
            f"{file} keeps {lineage.generations[-1]} generations of an evolution; the checkpoint"
            f" {run.checkpoint} has {run.iteration}, or is of another one. Give both files of one"
            " evolution, or choose new ones."
        )
    return list(zip(*(getattr(lineage, name) for name in KEPT), strict=True))
