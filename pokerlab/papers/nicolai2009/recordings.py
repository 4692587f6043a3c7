"""Evolutions and their champions, as they are kept in data/runs.

Champions of the paper's size, and eleven of a tenth of it, are kept from before we had read
the thesis, too: `EARLIER_WHOLE` and `EARLIER_TENTH`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pokerlab.core import FileFormatError
from pokerlab.core.arrays import Ints
from pokerlab.evolution.population.parts import Genomes
from pokerlab.papers.nicolai2009.experiment import PAPER
from pokerlab.papers.recorded import RUNS
from pokerlab.runs import History
from pokerlab.runs.kept import Kept

BY_THESIS = f"{PAPER}-thesis-champions-1"
EARLIER_WHOLE, EARLIER_TENTH = f"{PAPER}-champions-whole", f"{PAPER}-champions"
EVOLUTION_FORMAT, CHAMPIONS_FORMAT = "pokerlab evolution 1", "pokerlab champions 1"
HISTORY = "history."
"""What the names of the history's columns begin with in the file of an evolution."""
ARRAYS = ("generations", "champions", "hall_generations", "halls", "hall_since")


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
        past = self.history
        about = {"units": dict(past.units), "provenance": dict(past.provenance)}
        columns = {HISTORY + name: column for name, column in past.columns.items()}
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return Kept({"format": EVOLUTION_FORMAT, **about}, {**columns, **arrays}).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something else.
        """
        kept = Kept.load(path, EVOLUTION_FORMAT, units=dict, provenance=dict)
        missing = [name for name in ARRAYS if name not in kept.arrays]
        if missing:
            raise FileFormatError(f"{path} lacks {', '.join(missing)}. Delete it and run again.")
        history = History(kept.part(HISTORY), kept.about["units"], kept.about["provenance"])
        return cls(history, **{name: kept.arrays[name] for name in ARRAYS})


def recorded_champions(name: str = BY_THESIS) -> Mapping[str, Genomes]:
    """Return the genomes of champions of the paper's size by their names, such as 'Control' and '2Pop-1'.

    Parameters
    ----------
    name : str
        `BY_THESIS`, evolved by the settings of Nicolai's thesis with seed 1, `EARLIER_WHOLE`, all eleven by our earlier
        defaults, or `EARLIER_TENTH`, a tenth as large.

    Raises
    ------
    FileFormatError
        If there is no such recording.
    """
    return Kept.load(RUNS / f"{name}.npz", CHAMPIONS_FORMAT).part("genome/")
