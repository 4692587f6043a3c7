"""Evolution strategies as pure functions, which return offspring from a state, and the next state from their fitness.

A state consists of numbers and arrays, whose shapes do not change from generation to generation.

CMA-ES adapts a covariance matrix of the genes, and CSA-ES has one step size for all genes. Both are computed by pycma.
A `CMAEvolutionStrategy` of pycma cannot be the state itself: it changes in place, draws from numpy's global generator,
appends to lists in each generation, and its `ask` is not repeatable. So one object of pycma is made for each problem
size, and its `ask` is never called. It has the weights, learning rates and damping, and prototypes of the parts that
compute the updates. In `tell` copies of these parts get the arrays of the state, and pycma computes

- the covariance and its axes (`cma.sampler.GaussFullSampler.update`, `update_now`),
- the scales of single genes (`cma.transformations.DiagonalDecoding.update`),
- the step size, from the length of its path (`cma.sigma_adaptation.CMAAdaptSigmaCSA`).

Our own code computes the rest: the ranking, the mean of the best offspring, and the path of the mean. Tests check that
each generation equals that of a plain `CMAEvolutionStrategy` with the same normal random numbers, to the last bit.

Some choices differ from pycma's defaults. Two-point step-size adaptation is not used (pycma uses it from 300 genes on).
Populations of less than 6 have no mirrored samples. Of several offspring with equal fitness the first one is ranked
first. Two features of pycma that matter only when a run has stalled are omitted: the linear transformation of all genes
when the condition number of the covariance exceeds 1e12, and the transfer of scale from the step size to the covariance
when the step size exceeds 1e9 times its first value.

Linear algebra runs on a single thread, because the matrices are small. Several threads would not be faster, would use
several times as much processor time, and would round differently.

`pokerlab.evolution.gradient_strategy` has another strategy with the same methods, which follows an estimated gradient.

Sources: N. Hansen, Y. Akimoto, P. Baudis, CMA-ES/pycma; N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016,
arXiv:1604.00772.
"""

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from types import SimpleNamespace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import ThreadpoolController

from pokerlab.core import (
    ConvergenceError,
    Floats,
    SettingError,
    ShapeError,
    UnknownNameError,
    freeze,
    random_stream,
)
from pokerlab.core.settings import (
    check_attributes,
    check_kind,
    validate_bool,
    validate_integer,
    validate_number,
)

NOTHING_YET = float(np.finfo(np.float64).min)
"""The best fitness before any evaluation. It is finite, because a checkpoint cannot store infinity."""
S = TypeVar("S", bound="EvolutionState")
SMALLEST_SCALE, LARGEST_SCALE = 1e-150, 1e100
"""The limits of step sizes and other lengths, in units of genes, whose squares neither underflow nor overflow.

A run with a smaller step size has converged long before, and a run with a larger one has diverged.
"""
# The largest number of offspring in a generation, which are all in memory at the same time.
MOST_OFFSPRING = 100_000


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
        The fitness of `best`; `NOTHING_YET` before any evaluation.
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
        freeze(*vars(self).values())
        self.check_shapes(self.mean.shape, "best")

    def check_shapes(self, shape: tuple[int, ...], *names: str) -> None:
        """Raise a ShapeError if one of the named arrays of the state has another shape."""
        for name in names:
            if (shape_of_field := getattr(self, name).shape) != shape:
                raise ShapeError(
                    f"{name} has shape {shape_of_field}; with this state's mean it must be {shape}. Begin with"
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
        """Return the state before any evaluation.

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
        """
        return cls(
            seed=seed,
            index=validate_index(index),
            population=population,
            generation=0,
            evaluations=0,
            mean=mean,
            step_size=step_size,
            best=mean.copy(),
            best_fitness=NOTHING_YET,
            **other_fields,
        )

    def make_next_state(self, genomes: Floats, fitness: Floats, **other_fields: Any) -> Self:
        """Return the state after one more generation, with updated counters and the fittest genome so far.

        Parameters
        ----------
        genomes : array of shape (population, n)
            The offspring of the generation, genomes of n genes.
        fitness : array of shape (population,)
            The fitness of each of them.
        **other_fields
            The new values of other fields of the state.
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
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring."""
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
        super().__post_init__()
        full = self.num_genes if self.covariance.size else 0
        self.check_shapes(self.mean.shape, "step_path", "mean_path", "scales")
        self.check_shapes((full, full), "covariance", "axes")
        self.check_shapes((full,), "axis_lengths")

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring."""
        spread = self.step_size * self.scales
        return spread * np.sqrt(np.diag(self.covariance)) if self.covariance.size else spread


class EvolutionStrategy(Protocol[S]):
    """An algorithm that increases fitness by drawing offspring around a mean.

    Everything that changes during a run is part of a state. `ask` and `tell` are pure functions: the same state always
    has the same offspring. So fitness can be computed by any number of workers, and a run can continue from a
    checkpoint.
    """

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> S:
        """Return the state before any evaluation.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The mean of the first offspring, a genome of n genes.
        seed : int
            The seed of all random numbers.
        index : tuple of int
            Which one of several evolutions with the same seed this is. Evolutions with different indices draw different
            random numbers. All indices used with a seed must have the same length.
        """

    def ask(self, state: S) -> Floats:
        """Return the offspring whose fitness is to be computed, one genome in each row."""

    def tell(self, state: S, population: ArrayLike, fitness: ArrayLike) -> S:
        """Return the state of the next generation, given the fitness of the offspring.

        Parameters
        ----------
        state
            The state that was passed to `ask`, which is not changed.
        population : array_like of shape (population, n)
            The offspring that `ask` returned.
        fitness : array_like of shape (population,)
            The fitness of each of them: finite numbers, where larger is better.
        """


def check_strategy(strategy: Any) -> None:
    """Raise a SettingError if `strategy` lacks a method of an evolution strategy."""
    instead = "an evolution strategy, such as evolution.CMAES()"
    check_attributes("evolution", strategy, ("init", "ask", "tell"), instead)


def validate_mean(mean: ArrayLike) -> Floats:
    """Return the first mean of an evolution as a new array of floats, after checking it.

    Raises
    ------
    ShapeError
        If it is not one genome.
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
    if not np.isfinite(genome).all():
        where = int(np.flatnonzero(~np.isfinite(genome))[0])
        raise SettingError(f"gene {where} of the mean is {genome[where]}; give finite numbers.")

    return genome


def validate_index(index: Any) -> tuple[int, ...]:
    """Return the index of an evolution as a tuple of integers, after checking it.

    Raises
    ------
    SettingError
        If it is not a tuple of nonnegative integers.
    """
    check_kind("index", index, tuple, "a tuple of integers, such as (3,) or ()")
    return tuple(validate_integer("index", number, 0) for number in index)


def validate_evaluation(
    state: EvolutionState, population: ArrayLike, fitness: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the offspring of a state and their fitness as arrays of floats, after checking them.

    Parameters
    ----------
    state : EvolutionState
        The state, with genomes of n genes.
    population : array_like of shape (population, n)
        The offspring.
    fitness : array_like of shape (population,)
        The fitness of each of them.

    Raises
    ------
    ShapeError
        If there is not one genome of the right length and one fitness value for each of the offspring.
    SettingError
        If a gene or a fitness value is not finite.
    """
    genomes = np.ascontiguousarray(population, dtype=np.float64)
    values = np.asarray(fitness, dtype=np.float64)
    expected_shape = (state.population, state.num_genes)
    if genomes.shape != expected_shape:
        raise ShapeError(f"the offspring have shape {genomes.shape}; ask() gave {expected_shape}.")
    if values.shape != expected_shape[:1]:
        raise ShapeError(
            f"fitness has shape {values.shape}; give one number for each of the {expected_shape[0]} individuals."
        )
    if not np.isfinite(genomes).all():
        row, gene = np.argwhere(~np.isfinite(genomes))[0]
        raise SettingError(
            f"gene {gene} of individual {row} is {genomes[row, gene]}. Pass tell() the genomes that ask() returned."
        )
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise SettingError(
            f"the fitness of individual {row} is {values[row]}; give every individual a finite number,"
            " the bigger the better."
        )

    return genomes, values


def check_state(strategy: Any, state: Any, kind: type[EvolutionState]) -> None:
    """Raise a SettingError if a state belongs to another kind of evolution strategy."""
    if not isinstance(state, kind):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {kind.__name__}. Begin with its own init()."
        )


WEIGHTS = ("equal", "pycma")
THREAD_POOLS = ThreadpoolController()
"""The linear algebra libraries that are loaded, including the one of numpy, which pycma uses."""
ALONE = Lock()
"""A lock that only one evolution can have while it limits the number of threads.

The limit applies to the whole process. Without the lock, one of two evolutions could remove the limit of the other.
"""
FULL, DIAGONAL, NONE = "full", "diagonal", "none"  # the kind of distribution that is adapted
COORDINATE_CONDITION = 1e8
"""The ratio of the variances of genes from which on pycma transfers them from the covariance to the scales."""
# A larger step size, or one below the inverse, is balanced with the covariance or scales.
UNBALANCED = 2.0**100


@contextmanager
def limit_to_one_thread() -> Iterator[None]:
    """Limit linear algebra of this process to one thread, in a with statement or as a decorator.

    Only one evolution at a time can be inside, since the limit applies to the whole process.
    """
    with ALONE, THREAD_POOLS.limit(limits=1, user_api="blas"):
        yield


class Adaptation:
    """The constants and parts of pycma that adapt the distribution of offspring.

    Parameters
    ----------
    num_genes : int
        The number of genes of a genome, n.
    num_offspring : int
        The number of offspring in a generation.
    adapted : str
        The part of the distribution that is adapted besides the step size: `FULL` for a covariance matrix, `DIAGONAL`
        for the scale of each gene, or `NONE`.
    equal_weights : bool
        Whether the better half of the offspring have equal weights in the new mean. Otherwise pycma's weights are used.
    """

    def __init__(
        self, num_genes: int, num_offspring: int, adapted: str, equal_weights: bool
    ) -> None:
        import cma  # here, because it takes more than a second

        options: dict[str, Any] = {
            "popsize": num_offspring,
            "AdaptSigma": cma.sigma_adaptation.CMAAdaptSigmaCSA,
            "CMA_mirrors": 0,
            "CMA_on": int(adapted != NONE),
            "CMA_diagonal": adapted != FULL,
            "seed": np.nan,  # touches no generator
            "verbose": -9,
        }
        if equal_weights:
            mu = num_offspring // 2
            options["CMA_recombination_weights"] = [1.0 / mu] * mu + [0.0] * (num_offspring - mu)
        with warnings.catch_warnings():  # pycma changes the filters
            strategy = cma.CMAEvolutionStrategy(np.zeros(num_genes), 1.0, options)
        parameters = strategy.sp
        self.n, self.population, self.adapted = num_genes, num_offspring, adapted

        # The weights of ranked offspring, and the learning rates, by the names of Hansen's tutorial.
        self.weights = np.array(parameters.weights, dtype=np.float64)
        self.mu = parameters.weights.mu
        self.positive_weights = parameters.weights.positive_weights
        self.mueff = parameters.weights.mueff
        if adapted == FULL:
            rates = strategy.sm.parameters(mueff=self.mueff, lam=parameters.weights.lambda_)
            self.cc = parameters.cc
            self.c1 = rates["c1"]
            self.cmu = rates["cmu"]
        else:
            self.cc, self.c1, self.cmu = parameters.cc_sep, parameters.c1_sep, parameters.cmu_sep

        # Prototypes of the parts that compute updates. Only copies of them are ever changed.
        self.sampler = strategy.sm
        self.decoding = strategy.sigma_vec
        self.step_control = strategy.adapt_sigma
        self.settings = {"N": num_genes, "opts": strategy.opts, "sp": parameters}

    def make_first_distribution(self) -> dict[str, Any]:
        """Return the paths, the scales and the covariance of a first state, by the names of its fields."""
        sampler = self.sampler
        full = self.adapted == FULL
        return {
            "step_path": np.zeros(self.n),
            "mean_path": np.zeros(self.n),
            "scales": np.ones(self.n),
            "covariance": sampler.C.copy() if full else np.zeros((0, 0)),
            "axes": sampler.B.copy() if full else np.zeros((0, 0)),
            "axis_lengths": sampler.D.copy() if full else np.zeros(0),
            "decomposed": 0,
        }

    @limit_to_one_thread()
    def draw_offspring(self, state: AdaptedState) -> Floats:
        """Return the offspring of a state, an array of shape (population, n): a genome of n genes in each row."""
        generator = random_stream(state.seed, "offspring", *state.index, state.generation)
        sampler = self.make_sampler(state)
        # Otherwise pycma would draw from numpy's global generator.
        sampler.randn = lambda *shape: generator.standard_normal(shape)
        steps = state.scales * np.asarray(sampler.sample(self.population))
        return np.asarray(state.mean + state.step_size * steps)

    def make_sampler(self, state: AdaptedState) -> Any:
        """Return a copy of pycma's sampler with the distribution of a state.

        Returns
        -------
        cma.sampler.GaussFullSampler, or a sampler without covariance
            The copy, which changes when it draws or is updated. The state does not change.
        """
        sampler = copy_pycma_object(self.sampler)
        if self.adapted == FULL:
            # `eigh` returns this memory layout; with another one products would be summed in another order.
            sampler.C = state.covariance
            sampler.B = np.asfortranarray(state.axes)
            sampler.D = state.axis_lengths
            sampler.count_tell, sampler.last_update = state.generation, state.decomposed
        return sampler

    @limit_to_one_thread()
    def update_state(
        self, state: AdaptedState, population: Floats, fitness: Floats
    ) -> AdaptedState:
        """Return the state of the next generation, given the offspring and their fitness.

        The steps, and the letters in parentheses, are those of N. Hansen, "The CMA Evolution Strategy: A Tutorial",
        2016, arXiv:1604.00772: the new mean (m), the paths of the step size (p_sigma) and of the mean (p_c), the
        covariance (C), and the step size (sigma).

        Parameters
        ----------
        state : AdaptedState
            The state before the generation, with genomes of n genes.
        population : array of shape (population, n)
            The offspring of the generation.
        fitness : array of shape (population,)
            The fitness of each of them; larger is better.

        Raises
        ------
        ConvergenceError
            If the step size or the mean becomes larger than `LARGEST_SCALE`.
        """
        order = np.argsort(-fitness, kind="stable")  # the fittest offspring comes first
        ranked = population[order]
        sigma = state.step_size
        scales = state.scales
        sampler = self.make_sampler(state)
        mean = np.dot(self.positive_weights, ranked[: self.mu])
        shift = mean - state.mean

        # The step of the mean, in units in which a random step has the standard normal distribution.
        isotropic_step = sampler.transform_inverse(shift / scales) * (self.mueff**0.5 / sigma)
        control = copy_pycma_object(self.step_control)
        control.ps = state.step_path.copy()
        strategy_seen_by_control = SimpleNamespace(
            countiter=state.generation + 1, isotropic_mean_shift=isotropic_step, **self.settings
        )
        # h_sigma of the tutorial, which is 0 while the path is long. So the covariance does not grow at the same time
        # as the step size.
        h_sigma = control.hsig(strategy_seen_by_control)
        cc = self.cc
        path_factor = (cc * (2 - cc) * self.mueff) ** 0.5 / sigma
        mean_path = (1 - cc) * state.mean_path + h_sigma * path_factor * shift / scales

        # `hsig` has updated the path in `control`, from which `update2` computes the change of the step size.
        steps = (ranked - state.mean) / (sigma * scales)
        distribution = self.adapt_distribution(state, sampler, mean_path, steps, h_sigma)
        factor = control.update2(strategy_seen_by_control, function_values=-fitness)
        step_size, distribution = self.rescale_extreme_step_size(
            float(sigma * factor), distribution
        )
        step_size = max(step_size, SMALLEST_SCALE)

        largest = max(step_size * distribution["scales"].max(), np.abs(mean).max())
        if not largest < LARGEST_SCALE:
            raise ConvergenceError(
                f"after generation {state.generation + 1} the step size is {step_size:g}: fitness grows"
                " with the distance from the start without end. Bound the fitness, or the genes."
            )
        mean_and_step_size = {"mean": mean, "step_size": step_size, "step_path": control.ps}
        return state.make_next_state(population, fitness, **mean_and_step_size, **distribution)

    def adapt_distribution(
        self, state: AdaptedState, sampler: Any, mean_path: Floats, steps: Floats, h_sigma: Any
    ) -> dict[str, Any]:
        """Return the distribution of offspring in the next generation, without its mean and step size.

        Parameters
        ----------
        state : AdaptedState
            The state before the generation.
        sampler : object
            The sampler of this state, which is changed.
        mean_path : array of shape (n,)
            The path of the mean after the generation.
        steps : array of shape (population, n)
            The differences between the offspring and the mean, in units of the step size and the scales. The fittest
            offspring comes first.
        h_sigma : bool
            Whether the path of the step size is short: h_sigma in the tutorial.

        Returns
        -------
        dict
            The path of the mean and the scales of genes, by the names of their fields in a state. If the covariance is
            adapted, also the covariance matrix, its axes with their lengths, and the generation in which they were
            computed.
        """
        distribution = {"mean_path": mean_path, "scales": state.scales}
        if self.adapted == NONE:
            return distribution

        # The rates of the rank-one update by the path, and of the rank-mu update by each step. If the path was not
        # extended, the first rate is corrected for the variance that the path lacks.
        c1 = self.c1 * (1 - (1 - h_sigma**2) * self.cc * (2 - self.cc))
        rates = np.array([c1, *(self.cmu * self.weights)])

        if self.adapted == DIAGONAL:
            decoding = copy_pycma_object(self.decoding)
            decoding.scaling = state.scales.copy()
            vectors = np.vstack([mean_path, steps])
            rates *= np.log(2)
            with warnings.catch_warnings():  # pycma warns about long paths
                warnings.simplefilter("ignore", UserWarning)
                decoding.update(vectors, rates)
            return distribution | {"scales": decoding.scaling}

        sampler.C = state.covariance.copy()
        # As in pycma, 1e-23 avoids a division by zero.
        rank_one = (self.c1 / (c1 + 1e-23)) ** 0.5 * mean_path
        sampler.update([rank_one, *steps], rates)

        # If the genes have very different variances, the scales of genes take over their standard deviations.
        variances = sampler.variances
        if variances.max() / variances.min() >= COORDINATE_CONDITION:
            factors = sampler.to_correlation_matrix()
            distribution["scales"] = state.scales * factors
            distribution["mean_path"] = mean_path / factors
        sampler.update_now()  # pycma does this in its next ask
        return distribution | {
            "covariance": sampler.C,
            "axes": sampler.B,
            "axis_lengths": sampler.D,
            "decomposed": sampler.last_update,
        }

    def rescale_extreme_step_size(
        self, step_size: float, distribution: dict[str, Any]
    ) -> tuple[float, dict[str, Any]]:
        """Return an equal distribution of offspring with another step size, if the step size is extreme.

        The standard deviations of offspring are the step size times the lengths of the distribution's axes. Long after
        a run has converged only these products are stable, and each factor could overflow or underflow. So if the step
        size is not between 1 / `UNBALANCED` and `UNBALANCED`, the lengths are divided by the power of two nearest to
        the largest of them, and the step size is multiplied by it. A power of two changes no digit.

        Parameters
        ----------
        step_size : float
            The step size.
        distribution : dict
            The parts of the distribution that `adapt_distribution` returns, by the names of their fields in a state.
            The lengths of the axes are its `axis_lengths` if the covariance is adapted, and its `scales` if only the
            scales of genes are. It is not changed.

        Returns
        -------
        step_size : float
            The new step size.
        distribution : dict
            The distribution that belongs to it. Both are the given ones if the step size is not extreme, or if nothing
            but the step size is adapted.
        """
        if self.adapted == NONE or 1.0 / UNBALANCED < step_size < UNBALANCED:
            return step_size, distribution
        lengths = distribution["axis_lengths"] if self.adapted == FULL else distribution["scales"]
        factor = 2.0 ** round(np.log2(lengths.max()))
        # The path of the mean is in units of the step size times the scales. If the scales are divided, this unit stays
        # the same. If the covariance is divided, the unit grows with the step size, so the path is divided, too.
        if self.adapted == DIAGONAL:
            return step_size * factor, distribution | {"scales": lengths / factor}
        return step_size * factor, distribution | {
            "covariance": distribution["covariance"] / factor**2,
            "axis_lengths": lengths / factor,
            "mean_path": distribution["mean_path"] / factor,
        }


def copy_pycma_object(original: Any) -> Any:
    """Return a shallow copy of a plain object of pycma. `copy.copy` would take ten times as long."""
    copy = object.__new__(type(original))
    copy.__dict__.update(original.__dict__)
    return copy


make_adaptation = lru_cache(maxsize=64)(Adaptation)
"""Return the `Adaptation` with the given parameters, from a cache of 64."""


class PycmaStrategy(ABC):
    """The base class of evolution strategies whose offspring and updates are computed by pycma."""

    population: int | None
    step_size: float

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state before any evaluation; `EvolutionStrategy.init` describes the parameters."""
        first_mean = validate_mean(mean)
        num_genes = len(first_mean)
        size = self.population
        if size is None:
            size = 4 + int(3 * math.log(num_genes))
        distribution = self.get_adaptation(num_genes, int(size)).make_first_distribution()
        return AdaptedState.make_first_state(
            first_mean, float(self.step_size), int(size), seed, index, **distribution
        )

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring whose fitness is to be computed, one genome in each row."""
        check_state(self, state, AdaptedState)
        return self.get_adaptation(state.num_genes, state.population).draw_offspring(state)

    def tell(self, state: AdaptedState, population: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state of the next generation, given the offspring and their fitness."""
        check_state(self, state, AdaptedState)
        genomes, values = validate_evaluation(state, population, fitness)
        return self.get_adaptation(state.num_genes, state.population).update_state(
            state, genomes, values
        )

    @abstractmethod
    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""


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
        if self.population is not None:
            validate_integer("population", self.population, 3, MOST_OFFSPRING)
        validate_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        validate_bool("diagonal", self.diagonal)

    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""
        return make_adaptation(num_genes, num_offspring, DIAGONAL if self.diagonal else FULL, False)


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
        validate_integer("population", self.population, 3, MOST_OFFSPRING)
        validate_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        UnknownNameError.check("weights", self.weights, WEIGHTS)

    def get_adaptation(self, num_genes: int, num_offspring: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""
        return make_adaptation(num_genes, num_offspring, NONE, self.weights == "equal")
