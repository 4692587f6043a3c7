"""OldBest, OldScratch and OldStart, evolved anew once and kept.

The paper has them from earlier work whose matrices and operators we do not know, so
everything here is ours: the matrices (see `MatrixEncoding`), elites of a tenth, children between two parents,
mutation of neighboring situations together, and the budget: `OldConfig` has a fifth of Control's, those that are
kept had less (`old_config`), and those in `LONGER` a tenth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import CheckedSettings, FileFormatError, setting
from pokerlab.core.arrays import Floats
from pokerlab.core.saved_files import SavedFile
from pokerlab.core.settings import checked_number, copy_setting, seed_setting
from pokerlab.evolution.population import Elites, MeanRank
from pokerlab.evolution.population.protocol import Children, Genomes
from pokerlab.evolution.population.variation import draw_parents
from pokerlab.holdem import CompiledPlayer, MatrixEncoding, Tournaments, tournament
from pokerlab.holdem.matrix_genome import GENOME_SHAPE, LEVELS, Weights
from pokerlab.holdem.tournament_game import Tournament
from pokerlab.papers import nicolai2009_agents
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import EARLIER, Config, compute_champion_rank, make_blind_schedule
from pokerlab.papers.nicolai2009_agents import (
    GENOMES_FORMAT,
    OLD,
    OLD_AGENTS,
    OLD_BEST,
    OLD_SCRATCH,
    OLD_START,
)
from pokerlab.runs import Column, Run
from pokerlab.runs.history import convert_to_json_value
from pokerlab.solvers import PopulationCoevolution

STARTS = {OLD_BEST: "head start", OLD_SCRATCH: "scratch"}
"""Where each of the evolved ones begins."""
FIRST = "first "
"""Before the names of the champions of the first generation."""
LONGER = RUNS / "longer"
"""Where old agents are kept that evolved with a tenth of Control's budget."""


@dataclass(frozen=True, kw_only=True)
class PatchedAverage:
    """Children between two parents, with patches of their matrices moved.

    A child's weights are a weighted average of its parents', with one uniform number for all
    weights. Each of the 24 planes (a street, a table, an action) then mutates with a chance: one
    normal number is added to a rectangle of strengths and costs, drawn uniformly, because
    situations nearby want similar play. Weights stay between 0 and 1.
    """

    mutation: float = 0.1
    noise: float = 0.1
    num_parents: ClassVar[int] = 2

    def __post_init__(self) -> None:
        checked_number("mutation", self.mutation, 0.0, 1.0)
        checked_number("noise", self.noise, 0.0, 1.0)

    def __call__(
        self,
        encoding: Any,
        genomes: Genomes,
        parent_probabilities: Floats,
        count: int,
        generator: np.random.Generator,
    ) -> Children:
        """Return `count` children of two different parents each, drawn by their parent_probabilities."""
        parents = draw_parents(parent_probabilities, count, self.num_parents, generator)
        first, second = genomes[parents[:, 0]], genomes[parents[:, 1]]
        share = generator.random((count, 1), np.float32)
        born = share * first + (1.0 - share) * second
        planes = born.reshape(count, *GENOME_SHAPE)
        mutating = np.argwhere(
            generator.random((count, *GENOME_SHAPE[:2], GENOME_SHAPE[-1])) < self.mutation
        )
        steps = generator.normal(0.0, self.noise, len(mutating))
        corners = np.sort(generator.integers(0, LEVELS, (len(mutating), 2, 2)), axis=2)
        for (child, street, table, action), step, patch in zip(
            mutating, steps, corners, strict=True
        ):
            (low, high), (left, right) = patch
            rows, columns = slice(low, high + 1), slice(left, right + 1)
            planes[child, street, table, rows, columns, action] += step
        np.clip(born, 0.0, 1.0, out=born)
        return Children(born, parents)


OURS: Mapping[str, Any] = {"source": "ours", "silent": True}
"""What is said of every number below."""


@dataclass(frozen=True, kw_only=True)
class OldConfig(CheckedSettings):
    """How the old agents are evolved; all of it ours."""

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


def make_game(config: OldConfig) -> Tournament:
    """Return the tournament in which all agents meet."""
    blinds = make_blind_schedule(config, config.agents, free_folds=False)
    return tournament(blinds, entrants=config.agents, seats=10, stacks=config.stacks)


def make_solver(config: OldConfig, start: str, *, workers: int = 1) -> PopulationCoevolution:
    """Return the evolution from the 'head start' or from 'scratch'; no number depends on `workers`."""
    return PopulationCoevolution(
        make_game(config),
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
    """Evolve the old agents and keep them, with their origin, where `old_agents` finds them."""
    config = OldConfig(seed=1) if config is None else config
    genomes: dict[str, Weights] = {OLD_START: MatrixEncoding().make_head_start()}
    origins = {}
    for name, start in STARTS.items():
        solver = make_solver(config, start, workers=workers)
        at = None if checkpoints is None else Path(checkpoints) / f"{name}.npz"
        run = Run(solver, COLUMNS, settings=dict(vars(config)), checkpoint=at)
        genomes[FIRST + name] = solver.step(solver.init()).champions[0]
        genomes[name] = run.to(config.iterations).state.champions[0]
        origins[name] = run.provenance
    about = {
        "format": GENOMES_FORMAT,
        "encoding": "MatrixEncoding",
        "config": convert_to_json_value(config),
        "agent_tournaments": config.agents * config.tournaments * config.iterations,
        "provenance": origins,
    }
    return SavedFile(about, genomes).save(Path(folder) / f"{OLD_AGENTS}.npz")


def load_recording(
    folder: str | Path = RUNS,
) -> tuple[Mapping[str, Any], Mapping[str, Weights]]:
    """Return the origin of the old agents that are kept, and by name their genomes and the first champions'."""
    path = Path(folder) / f"{OLD_AGENTS}.npz"
    about, arrays = SavedFile.load(path, GENOMES_FORMAT)
    missing = {*OLD, *(FIRST + name for name in STARTS)} - arrays.keys()
    if missing:
        raise FileFormatError(
            f"{path} holds no {', '.join(sorted(missing))}. Delete it and record the old agents again."
        )
    return about, arrays


def load_old_agents(
    folder: str | Path = RUNS, *, first_generation: bool = False
) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, as they were at the end or in the first generation."""
    _, kept = load_recording(folder)
    if first_generation:
        kept = {**kept, **{name: kept[FIRST + name] for name in STARTS}}
    return nicolai2009_agents.make_old_agents(kept)


def load_config(folder: str | Path = RUNS) -> OldConfig:
    """Return how the old agents that are kept were evolved."""
    about, _ = load_recording(folder)
    kept = {name: value for name, value in about["config"].items() if name != "kind"}
    return OldConfig(**{"blinds": EARLIER["blinds"], **kept})


COLUMNS = (Column("champion_rank", "mean rank of the champion", "ranks", compute_champion_rank),)
"""What is recorded while they evolve."""
