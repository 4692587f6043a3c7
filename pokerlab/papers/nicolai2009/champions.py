"""The eleven champions whose ranks the paper prints: evolved by its six experiments, evaluated, and kept.

Eleven champions of the paper's size, and eleven of a tenth of it, are kept from before we had read
the thesis: `EARLIER_WHOLE` and `EARLIER_TENTH`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pokerlab.core import FileFormatError, UnknownNameError
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.evaluation import Evaluation
from pokerlab.papers.nicolai2009.experiment import METHODS, PAPER
from pokerlab.papers.recorded import RUNS
from pokerlab.runs import History
from pokerlab.runs.kept import Kept

FORMAT = "pokerlab champions 1"
GENOME, HISTORY, EVALUATION = "genome", "history", "evaluation"
BETWEEN = "/"
"""In the names of the file's arrays: what is kept, of whom, and which of its numbers."""
EARLIER_WHOLE, EARLIER_TENTH = f"{PAPER}-champions-whole", f"{PAPER}-champions"


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
        return Kept(about, arrays).save(Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something else.
        """
        about, arrays = Kept.load(path, FORMAT)
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
