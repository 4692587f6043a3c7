"""The states of evolution strategies, and the checks of what belongs to a state.

A state consists of numbers and arrays, whose shapes do not change from generation to generation. So a run can be saved
and continued.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError, freeze
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind, validate_integer

FITNESS_BEFORE_EVALUATION = float(np.finfo(np.float64).min)
"""The best fitness before any evaluation. It is finite, because a checkpoint cannot store infinity."""
SMALLEST_SCALE, LARGEST_SCALE = 1e-150, 1e100
"""The limits of step sizes and other lengths, in units of genes, whose squares neither underflow nor overflow.

A run with a smaller step size has converged long before, and a run with a larger one has diverged.
"""


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, kw_only=True)
class EvolutionState:
    """The state of an evolution strategy after `generation` generations.

    Attributes
    ----------
    seed : int
        The seed, which determines all random numbers together with `index` and the generation.
    index : tuple of int
        The index of this evolution. Evolutions with the same seed and different indices draw different random numbers.
    population : int
        The number of offspring in a generation.
    generation : int
        The number of generations so far.
    evaluations : int
        The number of fitness values that have been passed to `tell`.
    mean : array of shape (n,)
        The mean of the distribution of offspring, which are genomes of n genes.
    step_size : float
        The standard deviation of offspring, before it is scaled for single genes or directions.
    best : array of shape (n,)
        The fittest genome so far; if several are equally fit, the first of them. Before any evaluation it is the mean.
    best_fitness : float
        The fitness of `best`; `FITNESS_BEFORE_EVALUATION` before any evaluation.
    """

    seed: int
    index: tuple[int, ...]
    population: int
    generation: int
    evaluations: int
    mean: Floats
    step_size: float
    best: Floats
    best_fitness: float

    def __post_init__(self) -> None:
        """Make all arrays read-only, and raise a ShapeError if `best` and `mean` differ in length."""
        freeze(*vars(self).values())
        self.check_shapes(self.mean.shape, "best")

    def check_shapes(self, shape: tuple[int, ...], *names: str) -> None:
        """Raise a ShapeError if one of the named arrays of the state does not have a given shape.

        Parameters
        ----------
        shape : tuple of int
            The shape that the arrays must have.
        *names : str
            The names of the fields that contain the arrays.

        Raises
        ------
        ShapeError
            If an array has another shape.
        """
        for name in names:
            actual_shape = getattr(self, name).shape
            if actual_shape != shape:
                raise ShapeError(
                    f"{name} has shape {actual_shape}; with this state's mean it must be {shape}. Begin with"
                    " the strategy's own init()."
                )

    @classmethod
    def make_first_state(
        cls,
        mean: Floats,
        step_size: float,
        population: int,
        seed: int,
        index: Any,
        **other_fields: Any,
    ) -> Self:
        """Return the state of an evolution strategy before any evaluation.

        Parameters
        ----------
        mean : array of shape (n,)
            The mean of the first offspring, a genome of n genes.
        step_size : float
            The standard deviation of the first offspring.
        population : int
            The number of offspring in a generation.
        seed : int
            The seed of all random numbers.
        index : tuple of int
            The index of this evolution, which distinguishes evolutions with the same seed.
        **other_fields
            The values of the fields that a subclass adds.

        Returns
        -------
        EvolutionState
            A state of the class on which the method is called. Its generation and its number of evaluations are 0, and
            its best genome is the mean.

        Raises
        ------
        SettingError
            If `index` is not a tuple of nonnegative integers.
        """
        return cls(
            seed=seed,
            index=validate_evolution_index(index),
            population=population,
            generation=0,
            evaluations=0,
            mean=mean,
            step_size=step_size,
            best=mean.copy(),
            best_fitness=FITNESS_BEFORE_EVALUATION,
            **other_fields,
        )

    def make_next_state(self, genomes: Floats, fitness: Floats, **other_fields: Any) -> Self:
        """Return the state after one more generation, with updated counters and the fittest genome so far.

        Parameters
        ----------
        genomes : array of shape (population, n)
            The offspring of the generation, genomes of n genes.
        fitness : array of shape (population,)
            The fitness of each genome; larger is better.
        **other_fields
            The new values of other fields of the state.

        Returns
        -------
        EvolutionState
            A new state of the same class. If several genomes are equally fit, the first one counts, and an earlier best
            genome is only replaced by a fitter one.
        """
        changes = dict(other_fields)
        fittest = int(np.argmax(fitness))
        if fitness[fittest] > self.best_fitness:
            changes["best"] = genomes[fittest].copy()
            changes["best_fitness"] = float(fitness[fittest])
        changes["generation"] = self.generation + 1
        changes["evaluations"] = self.evaluations + len(fitness)
        return replace(self, **changes)

    @property
    def num_genes(self) -> int:
        """The length of a genome, n."""
        return len(self.mean)

    @property
    def gene_deviations(self) -> Floats:
        """The standard deviation of each gene among the offspring of the next generation, array of shape (n,)."""
        return np.full(self.num_genes, self.step_size)


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptedState(EvolutionState):
    """The state of CMA-ES or CSA-ES.

    Attributes
    ----------
    step_path : array of shape (n,)
        The evolution path of the step size: an exponential average of the steps of the mean, after a transformation
        that gives all directions the same variance. A genome has n genes.
    mean_path : array of shape (n,)
        The evolution path of the covariance: an exponential average of the steps of the mean in units of `scales`. It
        is used in the rank-one update.
    scales : array of shape (n,)
        The scale of each gene.
    covariance : array of shape (n, n) or (0, 0)
        The covariance matrix of offspring in units of `scales` and the step size. The matrix and the next two arrays
        are empty if no covariance is adapted.
    axes : array of shape (n, n) or (0, 0)
        The eigenvectors of the covariance matrix in its columns, from generation `decomposed`.
    axis_lengths : array of shape (n,) or (0,)
        The square roots of the eigenvalues of the covariance matrix.
    decomposed : int
        The generation in which the eigenvectors were last computed.
    """

    step_path: Floats
    mean_path: Floats
    scales: Floats
    covariance: Floats
    axes: Floats
    axis_lengths: Floats
    decomposed: int

    def __post_init__(self) -> None:
        """Make all arrays read-only, and raise a ShapeError if their shapes do not fit together."""
        super().__post_init__()
        self.check_shapes(self.mean.shape, "step_path", "mean_path", "scales")
        size = self.num_genes if self.covariance.size else 0  # 0 if no covariance is adapted
        self.check_shapes((size, size), "covariance", "axes")
        self.check_shapes((size,), "axis_lengths")

    @property
    def gene_deviations(self) -> Floats:
        """The standard deviation of each gene among the offspring of the next generation, array of shape (n,)."""
        deviations = self.step_size * self.scales
        if self.covariance.size:
            deviations = deviations * np.sqrt(np.diag(self.covariance))
        return deviations


def validate_evolution_index(index: Any) -> tuple[int, ...]:
    """Return the index that distinguishes an evolution from others with the same seed, after checking it.

    Parameters
    ----------
    index : Any
        The index, which must be a tuple of nonnegative integers. It may be empty.

    Returns
    -------
    tuple of int
        The index, in which integers of NumPy's types are converted to int.

    Raises
    ------
    SettingError
        If the index is not such a tuple.
    """
    check_kind("index", index, tuple, "a tuple of integers, such as (3,) or ()")
    return tuple(validate_integer("index", number, 0) for number in index)


def validate_evaluated_offspring(
    state: EvolutionState, offspring: ArrayLike, fitness: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the offspring of a state and their fitness as arrays of floats, after checking both.

    Parameters
    ----------
    state : EvolutionState
        The state, with genomes of n genes.
    offspring : array_like of shape (population, n)
        The offspring.
    fitness : array_like of shape (population,)
        The fitness of each of the offspring.

    Returns
    -------
    genomes : array of shape (population, n)
        The offspring.
    fitness_values : array of shape (population,)
        The fitness of each of the offspring.

    Raises
    ------
    ShapeError
        If there is not one genome of the right length and one fitness value for each of the offspring.
    SettingError
        If a gene or a fitness value is not finite.
    """
    genomes = np.ascontiguousarray(offspring, dtype=np.float64)
    fitness_values = np.asarray(fitness, dtype=np.float64)
    expected_shape = (state.population, state.num_genes)
    if genomes.shape != expected_shape:
        raise ShapeError(f"the offspring have shape {genomes.shape}; ask() gave {expected_shape}.")
    if fitness_values.shape != (state.population,):
        raise ShapeError(
            f"fitness has shape {fitness_values.shape}; give one number for each of the {state.population} individuals."
        )

    if not np.isfinite(genomes).all():
        row, gene = np.argwhere(~np.isfinite(genomes))[0]
        raise SettingError(
            f"gene {gene} of individual {row} is {genomes[row, gene]}. Pass tell() the genomes that ask() returned."
        )
    if not np.isfinite(fitness_values).all():
        row = int(np.argmin(np.isfinite(fitness_values)))  # the first one that is not finite
        raise SettingError(
            f"the fitness of individual {row} is {fitness_values[row]}; give every individual a finite number,"
            " the bigger the better."
        )

    return genomes, fitness_values


def check_state_type(strategy: Any, state: Any, state_class: type[EvolutionState]) -> None:
    """Raise a SettingError if a state belongs to another kind of evolution strategy.

    Parameters
    ----------
    strategy : Any
        The evolution strategy that would continue from the state, for the error message.
    state : Any
        The state.
    state_class : type
        The class of the states of this evolution strategy.

    Raises
    ------
    SettingError
        If the state is not an instance of `state_class`.
    """
    if not isinstance(state, state_class):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {state_class.__name__}. Begin with its own init()."
        )
