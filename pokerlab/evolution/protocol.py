"""The protocol of evolution strategies: pure functions from state to offspring and from fitness to state."""

from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import SettingError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import whole
from pokerlab.evolution.state import EvolutionState

S = TypeVar("S", bound=EvolutionState)
SMALLEST_SCALE, LARGEST_SCALE = 1e-150, 1e100
"""Limits of step sizes and other lengths, in units of genes: squares neither vanish nor overflow.

A run whose step size is smaller has converged long ago; one whose step size is larger has diverged.
"""
MOST_OFFSPRING = 100_000
"""Most offspring of a generation; all of them are in memory at once."""


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
    able = all(callable(getattr(strategy, method, None)) for method in ("init", "ask", "tell"))
    if isinstance(strategy, type) or not able:
        raise SettingError(
            f"{strategy!r} is not an evolution strategy. Give one, such as evolution.CMAES()."
        )


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
    if not isinstance(index, tuple):
        raise SettingError(f"index is {index!r}; give a tuple of integers, such as (3,) or ().")
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
            f"fitness has shape {values.shape}; give one number for each of the {wanted[0]}"
            " individuals."
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


def check_kind(strategy: Any, state: Any, kind: type[EvolutionState]) -> None:
    """Check that the state is not another strategy's."""
    if not isinstance(state, kind):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {kind.__name__}. Begin with its own init()."
        )
