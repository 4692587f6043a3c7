"""Files of recorded evolutions and of their champions, in `data/runs`.

Evolutions of the six methods of Nicolai & Hilderman (2009) take hours, so what they find is kept in files: champions of
all generations, and evaluations of the last ones.

A *champion* is the agent with the best fitness of a population in one generation. The paper evaluates the champions of
the last generation. It calls them by their method, with the number of the population if there are several: Control,
2Pop-1, 2Pop-2, ...
"""

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

THESIS_CHAMPIONS = f"{PAPER}-thesis-champions-1"
"""The file of the champions by the settings of Nicolai's thesis (2008), seed 1."""
EARLIER_CHAMPIONS, EARLIER_SMALL_CHAMPIONS = f"{PAPER}-champions-whole", f"{PAPER}-champions"
"""The files of champions by our earlier settings, which we guessed before we had read the thesis.

The first has champions of evolutions as large as the paper's. The second has eleven, of evolutions a tenth as large.
"""
EVOLUTION_FORMAT, CHAMPIONS_FORMAT = "pokerlab evolution 1", "pokerlab champions 1"
EVOLUTION_ARRAYS = ("generations", "champions", "hall_generations", "halls", "hall_since")
"""The fields of an `Evolution` that are arrays."""
COLUMN_PREFIX = "history."
GENOME_PREFIX, HISTORY_PREFIX, EVALUATION_PREFIX = "genome/", "history/", "evaluation/"
"""How the names of arrays begin in a file of an evolution (the first) and in a file of champions."""


@dataclass(frozen=True, eq=False)
class Evolution:
    """The record of an evolution of P populations, whose genomes have G numbers: champions and halls of fame.

    A *champion* is the agent with the best fitness of a population in one generation. A *hall of fame* keeps former
    elites, so that agents also play against them.

    Attributes
    ----------
    history : History
        The columns that the experiment measured, with a row for each recorded generation, and the provenance of the
        run.
    generations : ndarray of int64, shape (T,)
        The T generations whose champions are recorded.
    champions : ndarray, shape (T, P, G)
        The genome of the champion of each population in each of these generations.
    hall_generations : ndarray of int64, shape (H,)
        The H generations whose halls of fame are recorded.
    halls : ndarray, shape (H, P, M, G)
        The genomes of the M best members of each hall in each of these generations, the best first.
    hall_since : ndarray of int64, shape (H, P, M)
        The generation in which each of these members entered its hall; -1 if the hall had fewer members.
    """

    history: History
    generations: Ints
    champions: Genomes
    hall_generations: Ints
    halls: Genomes
    hall_since: Ints

    def save(self, path: str | Path) -> Path:
        """Write the record of the evolution to a file, and return the path of the file.

        The file is replaced as a whole, so an interruption leaves no incomplete file.

        Parameters
        ----------
        path : str or Path
            The file. If it exists, it is replaced.
        """
        about = {
            "format": EVOLUTION_FORMAT,
            "units": dict(self.history.units),
            "provenance": dict(self.history.provenance),
        }
        columns = {COLUMN_PREFIX + name: column for name, column in self.history.columns.items()}
        arrays = {name: getattr(self, name) for name in EVOLUTION_ARRAYS}
        return SavedFile(about, {**columns, **arrays}).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the record of an evolution from a file that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Raises
        ------
        FileFormatError
            If the file has another format, or lacks an array.
        """
        saved = SavedFile.load(path, EVOLUTION_FORMAT, units=dict, provenance=dict)
        missing = [name for name in EVOLUTION_ARRAYS if name not in saved.arrays]
        if missing:
            raise FileFormatError(f"{path} lacks {', '.join(missing)}. Delete it and run again.")

        columns = saved.select_arrays(COLUMN_PREFIX)
        history = History(columns, saved.about["units"], saved.about["provenance"])
        return cls(history, **{name: saved.arrays[name] for name in EVOLUTION_ARRAYS})


@dataclass(frozen=True, eq=False)
class Champions:
    """The champions of the last generation of one or several methods, with the histories of their evolutions.

    A *champion* is the agent with the best fitness of a population. Its evaluation at tables with eight opponents is
    kept, too.

    Attributes
    ----------
    genomes : mapping of str to ndarray, shape (G,)
        The genome of each champion, by its name, such as 'Control' or '2Pop-1'.
    histories : mapping of str to History
        The columns that the experiment measured during the evolution of each method, by the name of the method.
    evaluations : mapping of str to Evaluation
        The results of each champion and its opponents, by the name of the champion.
    provenance : mapping of str to any
        The settings of the evolutions and of the tables, and the versions of the programs.
    """

    genomes: Mapping[str, Genomes]
    histories: Mapping[str, History]
    evaluations: Mapping[str, Evaluation]
    provenance: Mapping[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write the champions with their evaluations to a file, and return the path of the file.

        The file is replaced as a whole, so an interruption leaves no incomplete file.

        Parameters
        ----------
        path : str or Path
            The file. If it exists, it is replaced.
        """
        # A file has one flat mapping of arrays, so the name of an array begins with its kind and its owner.
        arrays: dict[str, Any] = {
            f"{GENOME_PREFIX}{champion}": genome for champion, genome in self.genomes.items()
        }
        for method, history in self.histories.items():
            for name, column in history.columns.items():
                arrays[f"{HISTORY_PREFIX}{method}/{name}"] = column
        for champion, evaluation in self.evaluations.items():
            for name, array in evaluation.to_arrays().items():
                arrays[f"{EVALUATION_PREFIX}{champion}/{name}"] = array

        units_by_method = {
            method: dict(history.units) for method, history in self.histories.items()
        }
        agent_names = {
            champion: list(evaluation.names) for champion, evaluation in self.evaluations.items()
        }
        about = {
            "format": CHAMPIONS_FORMAT,
            "units": units_by_method,
            "agents": agent_names,
            "provenance": dict(self.provenance),
        }
        return SavedFile(about, arrays).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the champions with their evaluations from a file that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Raises
        ------
        FileFormatError
            If the file has another format, or lacks the evaluation of a champion.
        """
        saved = SavedFile.load(path, CHAMPIONS_FORMAT, units=dict, agents=dict, provenance=dict)
        genomes = saved.select_arrays(GENOME_PREFIX)
        agent_names = saved.about["agents"]
        if not genomes or genomes.keys() != agent_names.keys():
            raise FileFormatError(
                f"{path} holds {len(genomes)} champions and {len(agent_names)} evaluations."
                " Delete it and record it again."
            )

        # The array of a column is named 'method/column', and the keys of a dictionary list each method once.
        column_names = saved.select_arrays(HISTORY_PREFIX)
        methods = dict.fromkeys(name.split("/")[0] for name in column_names)
        histories = {}
        for method in methods:
            columns = saved.select_arrays(f"{HISTORY_PREFIX}{method}/")
            histories[method] = History(columns, saved.about["units"][method], {})

        evaluations = {}
        for champion in genomes:
            arrays = saved.select_arrays(f"{EVALUATION_PREFIX}{champion}/")
            evaluations[champion] = Evaluation.from_arrays(tuple(agent_names[champion]), arrays)
        return cls(genomes, histories, evaluations, saved.about["provenance"])


def get_method_of_champion(champion: str) -> str:
    """Return the name of the method by which a champion evolved, such as '2Pop' for the champion '2Pop-1'."""
    return champion.partition("-")[0]


def list_champion_names(method: str, num_populations: int) -> tuple[str, ...]:
    """Return the names that the paper gives to the champions of a method, one for each population.

    Parameters
    ----------
    method : str
        The name of the method, such as '2Pop'.
    num_populations : int
        The number of populations that evolve together.

    Returns
    -------
    tuple of str
        The name of the method if there is only one population. Otherwise a number from 1 follows it, as in ('2Pop-1',
        '2Pop-2').
    """
    if num_populations == 1:
        return (method,)
    return tuple(f"{method}-{number}" for number in range(1, num_populations + 1))


def name_evolution_file(method: str, seed: int) -> str:
    """Return the name of the file of an evolution by the settings of Nicolai's thesis (2008), without its ending.

    Parameters
    ----------
    method : str
        The method of the paper, such as '2Pop'.
    seed : int
        The seed of the evolution.

    Raises
    ------
    UnknownNameError
        If the paper has no such method.
    """
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-thesis-{method.lower()}-{seed}"


def name_earlier_evolution_file(method: str) -> str:
    """Return the name of the file of an evolution by the settings that we guessed before we had read the thesis.

    There is one such evolution for each method, with seed 1. The name has no ending.

    Parameters
    ----------
    method : str
        The method of the paper, such as '2Pop'.

    Raises
    ------
    UnknownNameError
        If the paper has no such method.
    """
    UnknownNameError.check("method", method, METHODS)
    return f"{PAPER}-{method.lower()}"


def build_champions_path(seed: int, folder: str | Path = RUNS) -> Path:
    """Return the path of the file of the champions of all methods that evolved with the same seed.

    They evolved by the settings of Nicolai's thesis (2008).

    Parameters
    ----------
    seed : int
        The seed of the evolutions.
    folder : str or Path
        The folder of the file.
    """
    return Path(folder) / f"{PAPER}-thesis-champions-{seed}.npz"


def load_champion_genomes(file_name: str = THESIS_CHAMPIONS) -> Mapping[str, Genomes]:
    """Return the genomes of the recorded champions, the best agents of the last generations of evolutions.

    Parameters
    ----------
    file_name : str
        The name of the file without its ending: `THESIS_CHAMPIONS`, `EARLIER_CHAMPIONS` or `EARLIER_SMALL_CHAMPIONS`.

    Returns
    -------
    mapping of str to ndarray, shape (G,)
        The G numbers of each genome, by the name of the champion, such as '2Pop-1'.

    Raises
    ------
    FileFormatError
        If the file has another format.
    """
    saved = SavedFile.load(RUNS / f"{file_name}.npz", CHAMPIONS_FORMAT)
    return saved.select_arrays(GENOME_PREFIX)
