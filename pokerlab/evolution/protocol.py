"""The protocol of evolution strategies: pure functions from state to offspring and from fitness to state.

A state is numbers and arrays whose shapes stay the same from generation to generation.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError, freeze
from pokerlab.core.settings import check_able, check_kind, whole

NOTHING_YET = float(np.finfo(np.float64).min)
"""The best fitness before anything was evaluated: finite, so that a checkpoint can hold it."""
S = TypeVar("S", bound="EvolutionState")
SMALLEST_SCALE, LARGEST_SCALE = 1e-150, 1e100
"""Limits of step sizes and other lengths, in units of genes: squares neither vanish nor overflow.

A run whose step size is smaller has converged long ago; one whose step size is larger has diverged.
"""
MOST_OFFSPRING = 100_000  # most offspring of a generation; all of them are in memory at once


@dataclass(frozen=True, eq=False, kw_only=True)
class EvolutionState:
    """The state of an evolution strategy after `generation` generations."""

    seed: int  # determines the random numbers, with `index` and the generation
    index: tuple[int, ...]  # which of several evolutions under this seed
    population: int  # offspring in a generation
    generation: int
    evaluations: int  # fitness values given to `tell`
    mean: Floats  # (n,): the center of the offspring
    step_size: float  # how far, before any adaptation to directions
    best: Floats  # (n,): the fittest so far, the earliest among equals; at the start the first mean
    best_fitness: float  # `NOTHING_YET` at the start

    def __post_init__(self) -> None:
        freeze(*vars(self).values())
        self.check_shapes(self.mean.shape, "best")

    def check_shapes(self, shape: tuple[int, ...], *names: str) -> None:
        """Refuse a state whose arrays do not belong together."""
        for name in names:
            if (given := getattr(self, name).shape) != shape:
                raise ShapeError(
                    f"{name} has shape {given}; with this state's mean it must be {shape}. Begin with"
                    " the strategy's own init()."
                )

    @classmethod
    def begin(
        cls, mean: Floats, step_size: float, population: int, seed: int, index: Any, **others: Any
    ) -> Self:
        """Return the state in which nothing has been evaluated."""
        return cls(
            seed=seed,
            index=checked_index(index),
            population=population,
            generation=0,
            evaluations=0,
            mean=mean,
            step_size=step_size,
            best=mean.copy(),
            best_fitness=NOTHING_YET,
            **others,
        )

    def after(self, genomes: Floats, fitness: Floats, **others: Any) -> Self:
        """Return the state one generation on, whose offspring were `genomes`, (population, n)."""
        fittest = int(np.argmax(fitness))
        if fitness[fittest] > self.best_fitness:
            others |= {"best": genomes[fittest].copy(), "best_fitness": float(fitness[fittest])}
        evaluations = self.evaluations + len(fitness)
        return replace(self, generation=self.generation + 1, evaluations=evaluations, **others)

    @property
    def num_genes(self) -> int:
        """n: the length of a genome."""
        return len(self.mean)

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring, (n,)."""
        return np.full(self.num_genes, self.step_size)


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptedState(EvolutionState):
    """The state of one of pycma's strategies; where no covariance is adapted its arrays are empty."""

    step_path: Floats  # (n,): smoothed steps of the mean, all directions alike, for the step size
    mean_path: Floats  # (n,): the same in the genes' scales, for the rank-one update
    scales: Floats  # (n,): of each gene
    covariance: Floats  # (n, n): of the steps, in units of `scales`
    axes: Floats  # (n, n): its eigenvectors in columns, as of generation `decomposed`
    axis_lengths: Floats  # (n,): the roots of its eigenvalues
    decomposed: int  # the generation in which the covariance was last decomposed

    def __post_init__(self) -> None:
        super().__post_init__()
        full = self.num_genes if self.covariance.size else 0
        self.check_shapes(self.mean.shape, "step_path", "mean_path", "scales")
        self.check_shapes((full, full), "covariance", "axes")
        self.check_shapes((full,), "axis_lengths")

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring, (n,)."""
        spread = self.step_size * self.scales
        return spread * np.sqrt(np.diag(self.covariance)) if self.covariance.size else spread


class EvolutionStrategy(Protocol[S]):
    """Increases fitness by drawing offspring around a mean; everything that changes is in its states.

    `ask` and `tell` are pure: the same state always has the same offspring, so any number
    of workers may compute fitness, and a run may continue from a checkpoint.
    """

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> S:
        """Return the state in which nothing has been evaluated.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The center of the first offspring.
        seed : int
            The experiment's seed.
        index : tuple of int
            Which of several evolutions under this seed; always the same number of indexes.
        """

    def ask(self, state: S) -> Floats:
        """Return the offspring to be evaluated, (population, n)."""

    def tell(self, state: S, population: ArrayLike, fitness: ArrayLike) -> S:
        """Return the state after the offspring's fitness is known.

        Parameters
        ----------
        state
            The state that was given to `ask`; it is not changed.
        population : array_like of shape (population, n)
            What was evaluated.
        fitness : array_like of shape (population,)
            The bigger the better; finite.
        """


def check_strategy(strategy: Any) -> None:
    """Check that `strategy` is an evolution strategy."""
    instead = "an evolution strategy, such as evolution.CMAES()"
    check_able("evolution", strategy, ("init", "ask", "tell"), instead)


def checked_mean(mean: ArrayLike) -> Floats:
    """Return a start as a new array, after checking that it is one genome."""
    try:
        genome = np.array(mean, dtype=np.float64)
    except (TypeError, ValueError):
        raise SettingError(
            f"the mean is {mean!r}; an evolution begins with one genome, such as encoding.start."
        ) from None
    if genome.ndim != 1 or len(genome) == 0:
        raise ShapeError(
            f"the mean has shape {genome.shape}; an evolution begins with one genome, (n,)."
        )
    if not np.isfinite(genome).all():
        where = int(np.flatnonzero(~np.isfinite(genome))[0])
        raise SettingError(f"gene {where} of the mean is {genome[where]}; give finite numbers.")
    return genome


def checked_index(index: Any) -> tuple[int, ...]:
    """Return the index as integers."""
    check_kind("index", index, tuple, "a tuple of integers, such as (3,) or ()")
    return tuple(whole("index", i, 0) for i in index)


def checked_fitness(
    state: EvolutionState, population: ArrayLike, fitness: ArrayLike
) -> tuple[Floats, Floats]:
    """Return offspring and fitness as arrays, after checking shapes and that all numbers are finite."""
    genomes = np.ascontiguousarray(population, dtype=np.float64)
    values = np.asarray(fitness, dtype=np.float64)
    wanted = (state.population, state.num_genes)
    if genomes.shape != wanted:
        raise ShapeError(f"the offspring have shape {genomes.shape}; ask() gave {wanted}.")
    if values.shape != wanted[:1]:
        raise ShapeError(
            f"fitness has shape {values.shape}; give one number for each of the {wanted[0]} individuals."
        )
    if not np.isfinite(genomes).all():
        row, gene = np.argwhere(~np.isfinite(genomes))[0]
        raise SettingError(
            f"gene {gene} of individual {row} is {genomes[row, gene]}; tell what ask() gave."
        )
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise SettingError(
            f"the fitness of individual {row} is {values[row]}; give every individual a finite number,"
            " the bigger the better."
        )
    return genomes, values


def check_state(strategy: Any, state: Any, kind: type[EvolutionState]) -> None:
    """Check that the state is not another strategy's."""
    if not isinstance(state, kind):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {kind.__name__}. Begin with its own init()."
        )
