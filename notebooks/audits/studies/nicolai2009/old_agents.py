"""The agents OldBest, OldScratch and OldStart, which were evolved once for this project and recorded.

They are three of the eight opponents of every champion. Settings go in; genomes in a file, and players that are made
from them, come out.

The paper (Nicolai & Hilderman, 2009) takes them from Beattie et al. (2007), and they are lost. OldStart is an expert's
matrix of action weights, OldBest evolved from it, and OldScratch from uniform weights. We do not know the matrices and
operators of 2007. Therefore everything here is ours: the matrices (see `MatrixEncoding`), a tenth of the population as
elites, children between two parents, and mutations that change neighboring situations together.

The budget is the number of agents times tournaments times generations. It is a fifth of Control's by default
(`OldConfig`). The recorded agents had less (`load_old_config`), and those in `LONGER_FOLDER` had a tenth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import CheckedSettings, FileFormatError, setting
from pokerlab.core.arrays import Floats
from pokerlab.core.saved_files import SavedFile
from pokerlab.core.settings import copy_setting, seed_setting, validate_number
from pokerlab.evolution.population import Elites, MeanRank
from pokerlab.evolution.population.protocol import Children, Genomes
from pokerlab.evolution.population.variation import draw_parents
from pokerlab.holdem import CompiledPlayer, MatrixEncoding, Tournaments, tournament
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.matrix_genome import GENOME_SHAPE, LEVELS, Weights
from pokerlab.holdem.tournament_game import Tournament
from pokerlab.papers import nicolai2009_agents
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import EARLIER, Config, make_blind_schedule
from pokerlab.papers.nicolai2009_agents import (
    GENOMES_FORMAT,
    OLD,
    OLD_AGENTS,
    OLD_BEST,
    OLD_SCRATCH,
    OLD_START,
)
from pokerlab.papers.nicolai2009_measurements import compute_champion_rank
from pokerlab.runs import Column, Run
from pokerlab.runs.history import convert_to_json_value
from pokerlab.solvers import PopulationCoevolution

STARTS = {OLD_BEST: "head start", OLD_SCRATCH: "scratch"}
"""What each of the two evolved agents evolved from."""
FIRST_PREFIX = "first "
"""How the names of the champions of the first generation begin in the file."""
LONGER_FOLDER = RUNS / "longer"
"""The folder of old agents that evolved with a tenth of Control's budget."""


@dataclass(frozen=True, kw_only=True)
class PatchedAverage:
    """A variation operator for matrices of action weights: it averages two parents, and then changes patches.

    The share of the first parent is one uniform random number for all weights of a child. A *plane* has the weights of
    one action on one street at one size of table, by hand strength and cost; a genome has 24 planes. If a plane
    mutates, one normal random number is added to all weights in a random rectangle of the plane, because similar
    situations need similar play. Weights are clipped to the range from 0 to 1.

    Attributes
    ----------
    mutation : float
        The probability that a plane mutates.
    noise : float
        The standard deviation of the number that is added.
    """

    mutation: float = 0.1
    noise: float = 0.1
    num_parents: ClassVar[int] = 2

    def __post_init__(self) -> None:
        """Raise a SettingError unless both settings are from 0 to 1."""
        validate_number("mutation", self.mutation, 0.0, 1.0)
        validate_number("noise", self.noise, 0.0, 1.0)

    def __call__(
        self,
        encoding: Any,
        genomes: Genomes,
        parent_probabilities: Floats,
        count: int,
        generator: np.random.Generator,
    ) -> Children:
        """Return children, each of which is the weighted average of two random parents, and then mutates.

        Parameters
        ----------
        encoding : any
            Ignored; the shape of a genome is always `GENOME_SHAPE`.
        genomes : ndarray of float32, shape (N, G)
            The weights of N possible parents.
        parent_probabilities : ndarray, shape (N,)
            The probability of each to be drawn as a parent.
        count : int
            The number of children.
        generator : Generator
            The random numbers. Parents, shares, mutating planes, steps and rectangles are drawn in this order.

        Returns
        -------
        Children
            The genomes of the children, shape (count, G), and the indices of their parents, shape (count, 2).
        """
        parents = draw_parents(parent_probabilities, count, self.num_parents, generator)
        first, second = genomes[parents[:, 0]], genomes[parents[:, 1]]
        first_share = generator.random((count, 1), np.float32)
        children = first_share * first + (1.0 - first_share) * second

        # `weights` is a view of `children`, so a change of one changes the other.
        weights = children.reshape(count, *GENOME_SHAPE)
        num_streets, num_table_sizes, _, _, num_actions = GENOME_SHAPE
        draws = generator.random((count, num_streets, num_table_sizes, num_actions))
        mutating_planes = np.argwhere(draws < self.mutation)  # child, street, table size, action
        num_mutations = len(mutating_planes)
        steps = generator.normal(0.0, self.noise, num_mutations)

        # The rectangle of each mutating plane: the lowest and the highest level of strength, and of cost.
        rectangles = np.sort(generator.integers(0, LEVELS, (num_mutations, 2, 2)), axis=2)
        for plane, step, (strength_range, cost_range) in zip(
            mutating_planes, steps, rectangles, strict=True
        ):
            child, street, table_size, action = plane
            strengths = slice(strength_range[0], strength_range[1] + 1)
            costs = slice(cost_range[0], cost_range[1] + 1)
            weights[child, street, table_size, strengths, costs, action] += step

        np.clip(children, 0.0, 1.0, out=children)
        return Children(children, parents)


OURS: Mapping[str, Any] = {"source": "ours", "silent": True}
"""The source of all settings below: they are ours, and the paper is silent on them."""


@dataclass(frozen=True, kw_only=True)
class OldConfig(CheckedSettings):
    """The settings by which the agents OldBest and OldScratch evolve; all are ours, because the paper has none."""

    agents: int = copy_setting(Config, "agents", help="In the population.", **OURS)
    tournaments: int = copy_setting(Config, "tournaments", **OURS)
    elites: float = copy_setting(Config, "elites", **OURS)
    mutation: float = copy_setting(
        Config, "mutation", help="The chance of each plane of weights to mutate.", **OURS
    )
    noise: float = copy_setting(Config, "noise", high=1.0, **OURS)
    stacks: int = copy_setting(Config, "stacks")
    blinds: str = copy_setting(Config, "blinds", **OURS)
    small_blind: int = copy_setting(Config, "small_blind")
    hands_a_level: int = copy_setting(Config, "hands_a_level", **OURS)
    iterations: int = setting(
        100, "A fifth of Control's 500.", label="Generations", within=(1, 10_000), **OURS
    )
    seed: int = seed_setting()


def make_old_agent_game(config: OldConfig) -> Tournament:
    """Return the tournament in which OldBest or OldScratch evolves: all agents of a population play, at tables of ten.

    Parameters
    ----------
    config : OldConfig
        The number of agents, their chips, and the blinds.
    """
    blinds = make_blind_schedule(config, config.agents, free_folds=False)
    return tournament(blinds, entrants=config.agents, seats=MOST_SEATS, stacks=config.stacks)


def make_old_agent_solver(
    config: OldConfig, start: str, *, workers: int = 1
) -> PopulationCoevolution:
    """Return the solver that evolves OldBest or OldScratch in one population; its fitness is the mean rank.

    Parameters
    ----------
    config : OldConfig
        The settings of the evolution.
    start : str
        What the first population is made from: 'head start' (an expert's matrix, for OldBest) or 'scratch' (uniform
        weights, for OldScratch).
    workers : int
        The number of threads. The results do not depend on it.
    """
    return PopulationCoevolution(
        make_old_agent_game(config),
        MatrixEncoding(start=start),
        seed=config.seed,
        size=config.agents,
        pairings=Tournaments(count=config.tournaments),
        fitness=MeanRank(),
        selection=Elites(share=config.elites),
        variation=PatchedAverage(mutation=config.mutation, noise=config.noise),
        workers=workers,
    )


def record_old_agents(
    config: OldConfig | None = None,
    *,
    folder: str | Path = RUNS,
    checkpoints: str | Path | None = None,
    workers: int = 1,
) -> Path:
    """Evolve OldBest and OldScratch, write them and OldStart to a file, and return the path of the file.

    They are three of the eight opponents in the paper's evaluation of agents.

    Parameters
    ----------
    config : OldConfig, optional
        The settings of the evolutions; the defaults with seed 1 if not given.
    folder : str or Path
        The folder of the file. `load_old_agents` reads it from the same folder.
    checkpoints : str or Path, optional
        A folder for checkpoints, from which an interrupted call continues.
    workers : int
        The number of threads. The results do not depend on it.
    """
    config = OldConfig(seed=1) if config is None else config
    genomes: dict[str, Weights] = {OLD_START: MatrixEncoding().make_head_start()}
    provenance = {}
    for name, start in STARTS.items():
        solver = make_old_agent_solver(config, start, workers=workers)
        checkpoint = None if checkpoints is None else Path(checkpoints) / f"{name}.npz"
        run = Run(solver, COLUMNS, settings=dict(vars(config)), checkpoint=checkpoint)

        # An interrupted run does not pass generation 1 again, so that generation is computed apart.
        first_state = solver.step(solver.init())
        last_state = run.to(config.iterations).state
        genomes[FIRST_PREFIX + name] = first_state.champions[0]  # of the only population
        genomes[name] = last_state.champions[0]
        provenance[name] = run.provenance

    about = {
        "format": GENOMES_FORMAT,
        "encoding": "MatrixEncoding",
        "config": convert_to_json_value(config),
        "agent_tournaments": config.agents * config.tournaments * config.iterations,
        "provenance": provenance,
    }
    return SavedFile(about, genomes).save(Path(folder) / f"{OLD_AGENTS}.npz")


def load_old_agent_genomes(
    folder: str | Path = RUNS,
) -> tuple[Mapping[str, Any], Mapping[str, Weights]]:
    """Return the recorded genomes of OldBest, OldScratch and OldStart, and what is recorded about their evolution.

    Parameters
    ----------
    folder : str or Path
        The folder of their file.

    Returns
    -------
    about : mapping of str to any
        The settings of the evolutions ('config'), their budget, which is agents times tournaments times generations
        ('agent_tournaments'), and their provenance.
    genomes : mapping of str to ndarray
        The genomes of the three agents by name. Also those of the best agents of the first generation, whose names
        begin with `FIRST_PREFIX`.

    Raises
    ------
    FileFormatError
        If the file lacks one of the genomes.
    """
    path = Path(folder) / f"{OLD_AGENTS}.npz"
    about, genomes = SavedFile.load(path, GENOMES_FORMAT)
    first_champions = [FIRST_PREFIX + name for name in STARTS]
    missing = {*OLD, *first_champions} - genomes.keys()
    if missing:
        raise FileFormatError(
            f"{path} holds no {', '.join(sorted(missing))}. Delete it and record the old agents again."
        )
    return about, genomes


def load_old_agents(
    folder: str | Path = RUNS, *, first_generation: bool = False
) -> dict[str, CompiledPlayer]:
    """Return the recorded agents OldBest, OldScratch and OldStart as players, by name.

    Parameters
    ----------
    folder : str or Path
        The folder of their file.
    first_generation : bool
        Whether OldBest and OldScratch are the best agents of the first generation of their evolutions. By default they
        are those of the last generation.

    Returns
    -------
    dict of str to CompiledPlayer
        The three players, by the name of the agent.

    Raises
    ------
    FileFormatError
        If the file lacks one of the agents.
    """
    _, recorded = load_old_agent_genomes(folder)
    genomes = dict(recorded)
    if first_generation:
        for name in STARTS:
            genomes[name] = recorded[FIRST_PREFIX + name]
    return nicolai2009_agents.make_old_agents(genomes)


def load_old_config(folder: str | Path = RUNS) -> OldConfig:
    """Return the settings by which the recorded agents OldBest and OldScratch evolved.

    Parameters
    ----------
    folder : str or Path
        The folder of the file of these agents.

    Returns
    -------
    OldConfig
        The settings. Recordings that do not say how blinds rise have the earlier blinds.

    Raises
    ------
    FileFormatError
        If the file lacks one of the agents.
    """
    about, _ = load_old_agent_genomes(folder)
    # The entry 'kind' is the name of the class of the settings.
    settings = {name: value for name, value in about["config"].items() if name != "kind"}
    # Recordings that do not say how blinds rise are from before there was a choice.
    default_blinds = {"blinds": EARLIER["blinds"]}
    return OldConfig(**{**default_blinds, **settings})


COLUMNS = (Column("champion_rank", "mean rank of the champion", "ranks", compute_champion_rank),)
"""What is recorded of each generation while they evolve."""
