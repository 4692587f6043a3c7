"""Evolution strategies as pure functions, which return offspring from a state, and the next state from their fitness.

CMA-ES adapts a covariance matrix of the genes, and CSA-ES has one step size for all genes. Both are computed by pycma,
as `pokerlab.evolution.pycma_adaptation` describes. The states are in `pokerlab.evolution.evolution_states`.
`pokerlab.evolution.gradient_strategy` has another strategy with the same methods, which follows an estimated gradient.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError, UnknownNameError
from pokerlab.core.settings import (
    check_attributes,
    validate_bool,
    validate_integer,
    validate_number,
)
from pokerlab.evolution.evolution_states import (
    LARGEST_SCALE,
    SMALLEST_SCALE,
    AdaptedState,
    EvolutionState,
    check_state_type,
    validate_evaluated_offspring,
)
from pokerlab.evolution.pycma_adaptation import DIAGONAL, FULL, NONE, Adaptation, make_adaptation

StateT = TypeVar("StateT", bound=EvolutionState)
WEIGHTS = ("equal", "pycma")
# The largest number of offspring in a generation, which are all in memory at the same time.
MOST_OFFSPRING = 100_000


class EvolutionStrategy(Protocol[StateT]):
    """An algorithm that increases fitness by drawing offspring around a mean.

    Everything that changes during a run is part of a state. `ask` and `tell` are pure functions: the same state always
    has the same offspring. So fitness can be computed by any number of workers, and a run can continue from a
    checkpoint.
    """

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> StateT:
        """Return the state before any evaluation.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The mean of the first offspring, a genome of n genes.
        seed : int
            The seed of all random numbers.
        index : tuple of int
            The index of this evolution among several with the same seed. Evolutions with different indices draw
            different random numbers. All indices that are used with a seed must have the same length.

        Returns
        -------
        EvolutionState
            The state of generation 0.
        """

    def ask(self, state: StateT) -> Floats:
        """Return the offspring of a state, whose fitness the caller computes for `tell`.

        Parameters
        ----------
        state
            The state. The same state always has the same offspring.

        Returns
        -------
        array of shape (population, n)
            The offspring, with a genome of n genes in each row.
        """

    def tell(self, state: StateT, offspring: ArrayLike, fitness: ArrayLike) -> StateT:
        """Return the state of the next generation, given the fitness of the offspring.

        Parameters
        ----------
        state
            The state that was passed to `ask`, which is not changed.
        offspring : array_like of shape (population, n)
            The offspring that `ask` returned.
        fitness : array_like of shape (population,)
            The fitness of each genome: finite numbers, where larger is better.

        Returns
        -------
        EvolutionState
            A new state, in which the generation is larger by one.
        """


def check_evolution_strategy(strategy: Any) -> None:
    """Raise a SettingError if an object lacks one of the methods `init`, `ask` and `tell` of an evolution strategy.

    Parameters
    ----------
    strategy : Any
        The object that a user has passed as an evolution strategy.

    Raises
    ------
    SettingError
        If one of the methods is missing.
    """
    expected = "an evolution strategy, such as evolution.CMAES()"
    check_attributes("evolution", strategy, ("init", "ask", "tell"), expected)


def validate_first_mean(mean: ArrayLike) -> Floats:
    """Return the mean of an evolution's first offspring as a new array, after checking it.

    Parameters
    ----------
    mean : array_like of shape (n,)
        The mean, a genome of n genes.

    Returns
    -------
    array of shape (n,)
        The mean as floats.

    Raises
    ------
    ShapeError
        If it is not a single genome with at least one gene.
    SettingError
        If a gene is not a finite number.
    """
    try:
        genome = np.array(mean, dtype=np.float64)
    except (TypeError, ValueError):
        raise SettingError(
            f"the mean is {mean!r}; an evolution begins with one genome, such as encoding.default_start."
        ) from None

    if genome.ndim != 1 or len(genome) == 0:
        raise ShapeError(
            f"the mean has shape {genome.shape}; an evolution begins with one genome, (n,)."
        )

    is_finite = np.isfinite(genome)
    if not is_finite.all():
        gene = int(np.argmin(is_finite))  # the first one that is not finite
        raise SettingError(f"gene {gene} of the mean is {genome[gene]}; give finite numbers.")

    return genome


class PycmaStrategy(ABC):
    """The base class of evolution strategies whose offspring and updates are computed by pycma."""

    population: int | None
    step_size: float

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state of the evolution before any evaluation.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The mean of the first offspring, a genome of n genes.
        seed : int
            The seed of all random numbers.
        index : tuple of int
            The index of this evolution among several with the same seed. Evolutions with different indices draw
            different random numbers. All indices that are used with a seed must have the same length.

        Returns
        -------
        AdaptedState
            The state of generation 0.

        Raises
        ------
        ShapeError
            If the mean is not a single genome.
        SettingError
            If a gene of the mean is not a finite number, or if `index` is not a tuple of nonnegative integers.
        """
        first_mean = validate_first_mean(mean)
        num_genes = len(first_mean)
        population = self.population
        if population is None:
            population = 4 + int(3 * math.log(num_genes))  # the default of pycma
        adaptation = self.get_adaptation(num_genes, int(population))
        return AdaptedState.make_first_state(
            first_mean,
            float(self.step_size),
            int(population),
            seed,
            index,
            **adaptation.make_first_distribution(),
        )

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring of a state, whose fitness the caller computes for `tell`.

        Parameters
        ----------
        state : AdaptedState
            The state. The same state always has the same offspring.

        Returns
        -------
        array of shape (population, n)
            The offspring, with a genome of n genes in each row.

        Raises
        ------
        SettingError
            If the state belongs to another kind of evolution strategy.
        """
        check_state_type(self, state, AdaptedState)
        adaptation = self.get_adaptation(state.num_genes, state.population)
        return adaptation.draw_offspring(state)

    def tell(self, state: AdaptedState, offspring: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state of the next generation, given the fitness of the offspring.

        Parameters
        ----------
        state : AdaptedState
            The state that was passed to `ask`, which is not changed.
        offspring : array_like of shape (population, n)
            The offspring that `ask` returned.
        fitness : array_like of shape (population,)
            The fitness of each genome: finite numbers, where larger is better.

        Returns
        -------
        AdaptedState
            A new state, in which the generation is larger by one.

        Raises
        ------
        SettingError
            If the state belongs to another kind of evolution strategy, or if a number is not finite.
        ShapeError
            If there is not one genome of n genes and one fitness value for each of the offspring.
        ConvergenceError
            If the step size or the mean becomes larger than `LARGEST_SCALE`.
        """
        check_state_type(self, state, AdaptedState)
        genomes, values = validate_evaluated_offspring(state, offspring, fitness)
        adaptation = self.get_adaptation(state.num_genes, state.population)
        return adaptation.update_state(state, genomes, values)

    @abstractmethod
    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return the object that draws offspring and updates states by pycma, from a cache.

        Parameters
        ----------
        num_genes : int
            The number of genes of a genome.
        num_offspring : int
            The number of offspring in a generation.

        Returns
        -------
        Adaptation
            The object, which does not change when it is used.
        """


@dataclass(frozen=True, kw_only=True)
class CMAES(PycmaStrategy):
    """CMA-ES: an evolution strategy that adapts the covariance matrix of its offspring.

    It has pycma's weights, which include negative ones, and pycma's learning rates.

    Parameters
    ----------
    population : int, optional
        The number of offspring in a generation, 3 to 100,000. The default is that of pycma, 4 + 3 ln n rounded down,
        where n is the number of genes.
    step_size : float
        The standard deviation of every gene in the first generation.
    diagonal : bool
        Whether only the scale of each gene is adapted, not the correlations between genes. This takes O(n) instead of
        O(n^2) memory and time, and is meant for hundreds of genes or more.

    References
    ----------
    .. [1] N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016, arXiv:1604.00772
    .. [2] R. Ros, N. Hansen, "A Simple Modification in CMA-ES Achieving Linear Time and Space
       Complexity", PPSN 2008 (the diagonal form)

    Examples
    --------
    >>> import numpy as np
    >>> strategy = CMAES()
    >>> state = strategy.init(np.ones(4), seed=1)
    >>> for _ in range(150):
    ...     offspring = strategy.ask(state)
    ...     state = strategy.tell(state, offspring, -(offspring**2).sum(axis=1))
    >>> state.evaluations, state.best_fitness > -1e-12
    (1200, True)
    """

    population: int | None = None
    step_size: float = 0.5
    diagonal: bool = False
    steps: str = field(default="path", init=False, repr=False)
    """The name of the step-size rule in recordings. There is only one rule, which uses the length of `step_path`."""

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range."""
        if self.population is not None:
            validate_integer("population", self.population, 3, MOST_OFFSPRING)
        validate_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        validate_bool("diagonal", self.diagonal)

    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return the object that draws offspring and updates states by CMA-ES, from a cache.

        Parameters
        ----------
        num_genes : int
            The number of genes of a genome.
        num_offspring : int
            The number of offspring in a generation.

        Returns
        -------
        Adaptation
            The object, which adapts the whole covariance matrix, or only its diagonal.
        """
        adapted = DIAGONAL if self.diagonal else FULL
        return make_adaptation(num_genes, num_offspring, adapted, equal_weights=False)


@dataclass(frozen=True, kw_only=True)
class CSAES(PycmaStrategy):
    """CSA-ES: an evolution strategy with cumulative adaptation of one step size for all genes.

    It is the (mu/mu, lambda)-CSA-ES with mu = lambda / 2, which is CMA-ES without a covariance matrix.

    Parameters
    ----------
    population : int
        The number of offspring in a generation, lambda, 3 to 100,000.
    step_size : float
        The standard deviation of every gene in the first generation.
    weights : str
        The weights of the mu best offspring in the new mean. With 'equal' all weights are equal, as in Samothrakis &
        Lucas (2011). With 'pycma' better offspring have larger weights, which decrease with the logarithm of the rank.
        If the fitness function has ridges, as worst-case losses have, equal weights stall much earlier.

    References
    ----------
    .. [1] N. Hansen, A. Ostermeier, "Completely Derandomized Self-Adaptation in Evolution
       Strategies", Evolutionary Computation 9(2), 2001, section 3

    Examples
    --------
    >>> import numpy as np
    >>> strategy = CSAES(weights="pycma")
    >>> state = strategy.init(np.ones(4), seed=1)
    >>> for _ in range(150):
    ...     offspring = strategy.ask(state)
    ...     state = strategy.tell(state, offspring, -(offspring**2).sum(axis=1))
    >>> state.best_fitness > -1e-12
    True
    """

    population: int = 10
    step_size: float = 0.5
    weights: str = "equal"

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range, or an UnknownNameError if `weights` is unknown."""
        validate_integer("population", self.population, 3, MOST_OFFSPRING)
        validate_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        UnknownNameError.check("weights", self.weights, WEIGHTS)

    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return the object that draws offspring and updates states by CSA-ES, from a cache.

        Parameters
        ----------
        num_genes : int
            The number of genes of a genome.
        num_offspring : int
            The number of offspring in a generation.

        Returns
        -------
        Adaptation
            The object, which adapts only the step size.
        """
        has_equal_weights = self.weights == "equal"
        return make_adaptation(num_genes, num_offspring, NONE, equal_weights=has_equal_weights)
