"""Champions of the paper's experiments, how they evolved, and how they fared; and the names of their files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pokerlab.core import FileFormatError, UnknownNameError
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.duplicate_tables import Evaluation
from pokerlab.papers.nicolai2009.experiment import METHODS, PAPER
from pokerlab.papers.nicolai2009.recordings import CHAMPIONS_FORMAT
from pokerlab.papers.recorded import RUNS
from pokerlab.runs import History
from pokerlab.runs.kept import Kept


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
        return Kept({"format": CHAMPIONS_FORMAT, **about}, arrays).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something else.
        """
        kept = Kept.load(path, CHAMPIONS_FORMAT, units=dict, agents=dict, provenance=dict)
        about, genomes = kept.about, kept.part("genome/")
        if not genomes or genomes.keys() != about["agents"].keys():
            raise FileFormatError(
                f"{path} holds {len(genomes)} champions and {len(about['agents'])} evaluations."
                " Delete it and record it again."
            )
        of = {name: tuple(about["agents"][name]) for name in genomes}
        methods = dict.fromkeys(name.split("/")[0] for name in kept.part("history/"))
        return cls(
            genomes,
            {k: History(kept.part(f"history/{k}/"), about["units"][k], {}) for k in methods},
            {
                name: Evaluation.from_arrays(agents, kept.part(f"evaluation/{name}/"))
                for name, agents in of.items()
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
