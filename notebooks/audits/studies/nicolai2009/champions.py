"""Evolutions, and champions of the paper's experiments with how they fared, as they are kept in data/runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pokerlab.core import FileFormatError, UnknownNameError
from pokerlab.core.arrays import Ints
from pokerlab.core.saved_files import SavedFile
from pokerlab.evolution.population.protocol import Genomes
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import METHODS, PAPER
from pokerlab.runs import History
from studies.nicolai2009.evaluation import Evaluation

BY_THESIS = f"{PAPER}-thesis-champions-1"
EARLIER_WHOLE, EARLIER_TENTH = f"{PAPER}-champions-whole", f"{PAPER}-champions"
"""Champions from before we had read the thesis: of the paper's size, and eleven of a tenth of it."""
EVOLUTION_FORMAT, CHAMPIONS_FORMAT = "pokerlab evolution 1", "pokerlab champions 1"
HISTORY = "history."
"""What the names of the history's columns begin with in the file of an evolution."""
ARRAYS = ("generations", "champions", "hall_generations", "halls", "hall_since")


@dataclass(frozen=True, eq=False)
class Evolution:
    """What is kept of an evolution of P populations.

    The experiment's columns; the champion of each population in each of g generations, (g, P, G); the best m
    members of the halls in k generations, (k, P, m, G), and since when each was there, -1 where there was nobody.
    """

    history: History
    generations: Ints
    champions: Genomes
    hall_generations: Ints
    halls: Genomes
    hall_since: Ints

    def save(self, path: str | Path) -> Path:
        """Write everything to `path`, whole or not at all."""
        past = self.history
        about = {"units": dict(past.units), "provenance": dict(past.provenance)}
        columns = {HISTORY + name: column for name, column in past.columns.items()}
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return SavedFile({"format": EVOLUTION_FORMAT, **about}, {**columns, **arrays}).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote."""
        kept = SavedFile.load(path, EVOLUTION_FORMAT, units=dict, provenance=dict)
        missing = [name for name in ARRAYS if name not in kept.arrays]
        if missing:
            raise FileFormatError(f"{path} lacks {', '.join(missing)}. Delete it and run again.")
        history = History(
            kept.select_arrays(HISTORY), kept.about["units"], kept.about["provenance"]
        )
        return cls(history, **{name: kept.arrays[name] for name in ARRAYS})


@dataclass(frozen=True, eq=False)
class Champions:
    """Champions by name, such as 'Control', '2Pop-1' and '2Pop-2', how their methods evolved, and how they fared.

    `provenance` has the settings of each experiment and of the tables, and what made them.
    """

    genomes: Mapping[str, Genomes]
    histories: Mapping[str, History]
    evaluations: Mapping[str, Evaluation]
    provenance: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write everything to `path`, whole or not at all."""
        arrays: dict[str, Any] = {f"genome/{name}": one for name, one in self.genomes.items()}
        for name, history in self.histories.items():
            arrays |= {f"history/{name}/{k}": column for k, column in history.columns.items()}
        for name, evaluation in self.evaluations.items():
            arrays |= {f"evaluation/{name}/{k}": one for k, one in evaluation.arrays().items()}
        about = {
            "units": {name: dict(history.units) for name, history in self.histories.items()},
            "agents": {name: list(one.names) for name, one in self.evaluations.items()},
            "provenance": dict(self.provenance),
        }
        return SavedFile({"format": CHAMPIONS_FORMAT, **about}, arrays).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote."""
        kept = SavedFile.load(path, CHAMPIONS_FORMAT, units=dict, agents=dict, provenance=dict)
        about, genomes = kept.about, kept.select_arrays("genome/")
        if not genomes or genomes.keys() != about["agents"].keys():
            raise FileFormatError(
                f"{path} holds {len(genomes)} champions and {len(about['agents'])} evaluations."
                " Delete it and record it again."
            )
        of = {name: tuple(about["agents"][name]) for name in genomes}
        methods = dict.fromkeys(name.split("/")[0] for name in kept.select_arrays("history/"))
        return cls(
            genomes,
            {
                k: History(kept.select_arrays(f"history/{k}/"), about["units"][k], {})
                for k in methods
            },
            {
                name: Evaluation.from_arrays(agents, kept.select_arrays(f"evaluation/{name}/"))
                for name, agents in of.items()
            },
            about["provenance"],
        )


def list_names(method: str, populations: int) -> tuple[str, ...]:
    """Return what the paper calls the champions of an experiment, one for each population."""
    if populations == 1:
        return (method,)
    return tuple(f"{method}-{number}" for number in range(1, populations + 1))


def name_of(method: str, seed: int) -> str:
    """Return the name of an evolution's file in data/runs, without its ending."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-thesis-{method.lower()}-{seed}"


def find_earlier_name(method: str) -> str:
    """Return that of an evolution by our earlier defaults."""
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-{method.lower()}"


def find_file(seed: int, runs: str | Path = RUNS) -> Path:
    """Return the file of all champions that evolved with a seed."""
    return Path(runs) / f"{PAPER}-thesis-champions-{seed}.npz"


def load_champions(name: str = BY_THESIS) -> Mapping[str, Genomes]:
    """Return the genomes of recorded champions: `BY_THESIS` with seed 1, `EARLIER_WHOLE` or `EARLIER_TENTH`."""
    return SavedFile.load(RUNS / f"{name}.npz", CHAMPIONS_FORMAT).select_arrays("genome/")
