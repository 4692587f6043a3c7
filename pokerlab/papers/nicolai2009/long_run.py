"""Evolutions that take hours: a folder keeps the last generation whole, and champions and halls on the way.

`run.npz` is the checkpoint, written after each generation; `evolution.npz` is what is kept of those gone
by. Each is replaced by a finished file, so that a kill at any moment costs at most one generation.

    python -m pokerlab.papers.nicolai2009.long_run Control 1 data/runs/going/control-1

begins one of the paper's evolutions with that seed, or goes on with it.
"""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from tqdm import tqdm

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.arrays import Ints
from pokerlab.core.files import remove_unfinished
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.config import RETIRED, Config
from pokerlab.papers.nicolai2009.experiment import CONFIGS, METHODS, evolved_networks
from pokerlab.papers.recorded import WHAT_DECIDES
from pokerlab.runs import History, Run
from pokerlab.runs.kept import Kept, check_identity
from pokerlab.solvers import PopulationState

FORMAT = "pokerlab evolution 1"
HISTORY = "history."
"""What the names of the history's columns begin with in the file."""
KEPT = ("generations", "champions", "hall_generations", "halls", "hall_since")
CHECKPOINT, EVOLUTION = "run.npz", "evolution.npz"


@dataclass(frozen=True, eq=False)
class Evolution:
    """What is kept of an evolution of P populations.

    Attributes
    ----------
    history : History
        The experiment's columns.
    generations : ndarray of int64, shape (g,)
        All generations that have been judged, in their order.
    champions : ndarray of float32, shape (g, P, G)
        The champion of each population in each of them.
    hall_generations : ndarray of int64, shape (k,)
        The generations whose halls are kept.
    halls : ndarray of float32, shape (k, P, m, G)
        Their best members, the best first.
    hall_since : ndarray of int64, shape (k, P, m)
        Since when each of them was in the hall; -1 where there was nobody.
    """

    history: History
    generations: Ints
    champions: Genomes
    hall_generations: Ints
    halls: Genomes
    hall_since: Ints

    def save(self, path: str | Path) -> Path:
        """Write everything to `path`, whole or not at all."""
        about = {
            "format": FORMAT,
            "units": dict(self.history.units),
            "provenance": dict(self.history.provenance),
        }
        columns = {HISTORY + name: column for name, column in self.history.columns.items()}
        kept = {name: getattr(self, name) for name in KEPT}
        return Kept(about, {**columns, **kept}).save(Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something else.
        """
        about, arrays = Kept.load(path, FORMAT)
        missing = [name for name in KEPT if name not in arrays]
        if missing or not all(isinstance(about.get(key), dict) for key in ("units", "provenance")):
            raise FileFormatError(
                f"{path} lacks {', '.join(missing) or 'units or provenance'}. Delete it and run again."
            )
        columns = {
            name.removeprefix(HISTORY): array
            for name, array in arrays.items()
            if name.startswith(HISTORY)
        }
        history = History(columns, about["units"], about["provenance"])
        return cls(history, **{name: arrays[name] for name in KEPT})

    def with_generation(self, state: PopulationState, history: History, hall: bool) -> Self:
        """Return this with one more generation, and with its hall if that is to be kept."""
        changed: dict[str, Any] = {name: getattr(self, name) for name in KEPT}
        added: dict[str, Any] = {"generations": state.iteration, "champions": state.champions}
        if hall:
            genomes, since = best_members(state, self.hall_since.shape[2])
            added |= {
                "hall_generations": state.iteration,
                "halls": genomes,
                "hall_since": since,
            }
        for name, one in added.items():
            changed[name] = np.concatenate([changed[name], np.asarray(one)[None]])
        return type(self)(history, **changed)


def evolve(
    config: Config,
    folder: str | Path,
    *,
    until: int | None = None,
    every: int = 50,
    members: int = 20,
    workers: int = 1,
    client: Any = None,
    progress: bool = True,
) -> Evolution:
    """Evolve generation after generation, and keep everything that is needed to go on in a folder.

    Called again with the same settings it goes on where it was, after a kill too, with the same
    result; `workers` and `client` may differ.

    Parameters
    ----------
    config : Config
        What is evolved.
    folder : path
        Where to keep the checkpoint and what is gone by; made if it does not exist.
    until : int, optional
        The last generation; by default the config's `iterations`.
    every : int
        Generations between two halls that are kept, at least 1.
    members : int
        How many of a hall are kept then, the best; from 0.
    workers : int
        Threads, 1 to 256.
    client : distributed.Client or str, optional
        A cluster that plays the tournaments instead, or the address of its scheduler.
    progress : bool
        Whether to show what is done and how long the rest will take.

    Raises
    ------
    SettingError
        If a number is out of range, or there is no cluster.
    CheckpointError
        If the folder holds an evolution with other settings or another number of members, or another
        process works in it.
    StorageError
        If nothing can be written there; the last good files stay as they were.
    ClusterError
        If the cluster is lost.
    """
    last = whole("until", config.iterations if until is None else until, 0, LARGEST_COUNT)
    whole("every", every, 1)
    whole("members", members, 0)
    home = Path(folder)
    options = {"workers": workers, "client": client}
    run = evolved_networks.run(config, checkpoint=home / CHECKPOINT, **options)
    remove_unfinished(home / EVOLUTION)  # which is the run's alone, as its checkpoint is
    kept = past_generations(home / EVOLUTION, run, members)
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
                kept = kept.with_generation(state, run.history, state.iteration % every == 0)
                kept.save(home / EVOLUTION)
            if state.iteration >= last:
                return kept
            run.to(state.iteration + 1, progress=False)


def past_generations(path: Path, run: Run, members: int) -> Evolution:
    """Return what a folder keeps of the generations so far; of none in a new one."""
    if path.exists():
        kept = Evolution.load(path)
        about = json.loads(json.dumps(run.provenance))
        given = dict(kept.history.provenance)
        given["settings"] = {k: v for k, v in given["settings"].items() if k not in RETIRED}
        check_identity(path, given, {key: about[key] for key in WHAT_DECIDES})
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


def best_members(state: PopulationState, count: int) -> tuple[Genomes, Ints]:
    """Return the best of each hall, (P, count, G), and since when they are there, (P, count)."""
    populations, _, num_genes = state.population.shape
    genomes = np.zeros((populations, count, num_genes), state.population.dtype)
    since = np.full((populations, count), EMPTY)
    for number, plays in enumerate(state.hall.plays):
        there = np.flatnonzero(plays)
        best = there[np.argsort(-state.hall_score[number, there], kind="stable")][:count]
        genomes[number, : best.size] = state.hall.genomes[number, best]
        since[number, : best.size] = state.hall.since[number, best]
    return genomes, since


def main() -> None:
    """Evolve what the command line says."""
    parser = argparse.ArgumentParser(description="Evolve as the paper did, or go on.")
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", type=int, help="the last generation; by default 500")
    given = parser.parse_args()
    evolve(replace(CONFIGS[given.method], seed=given.seed), given.folder, until=given.until)


if __name__ == "__main__":
    main()
