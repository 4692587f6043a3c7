"""Evolution strategies as pure functions: from a state to offspring, and from their fitness to the next state.

A state is numbers and arrays whose shapes stay the same from generation to generation.

CMA-ES learns how genes vary together, and CSA-ES has one step size for all; both are computed by pycma.
pycma's `CMAEvolutionStrategy` cannot be the state itself: it changes in place, draws from numpy's
global generator, keeps growing lists, and its `ask` is not repeatable. So pycma makes one object for
each problem size, which is never asked: it has the weights, learning rates and damping, and prototypes
of the parts that do the work. In `tell` copies of these take the state's arrays, and pycma computes

- the covariance and its axes (`cma.sampler.GaussFullSampler.update`, `update_now`),
- the scales of single genes (`cma.transformations.DiagonalDecoding.update`),
- the step size, from the length of its path (`cma.sigma_adaptation.CMAAdaptSigmaCSA`).

Our own code does what is left: the ranking, the mean of the best, the path of the mean. Tests compare
each generation with a plain `CMAEvolutionStrategy` that is fed the same normal numbers, to the last bit.

Our choices differ from pycma's: no steps by two points (pycma turns to them from 300 genes on); no mirrored
samples in populations below 6; of equal fitness values the earlier comes first. Left out because it
acts only where a run has stalled: the linear map pycma lays over all genes once the covariance's
condition passes 1e12, and moving size from the step to the covariance above 1e9 times the first step.

Linear algebra runs on one thread, because pycma's matrices are small: several threads take as long for
them, at several times the work, and they round differently.

The strategy of Salimans et al. 2017 estimates a gradient from pairs, and follows it by Adam. Offspring come in pairs
mean + sigma e, mean - sigma e. The gradient of the expected fitness of offspring is estimated by the mean of fitness
times e / sigma, and Adam takes a step up along it. It climbs the fitness blurred by the offspring's spread, which
stays constant or shrinks over time.

Sources: N. Hansen, Y. Akimoto, P. Baudis, CMA-ES/pycma; N. Hansen, "The CMA Evolution Strategy: A
Tutorial", 2016, arXiv:1604.00772; T. Salimans, J. Ho, X. Chen, S. Sidor, I. Sutskever, "Evolution Strategies as a
Scalable Alternative to Reinforcement Learning", 2017, arXiv:1703.03864.
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
    LARGEST_COUNT,
    check_attributes,
    check_kind,
    checked_bool,
    checked_integer,
    checked_number,
)

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
    """The state of an evolution strategy after `generation` generations.

    Attributes
    ----------
    seed : int
        Determines the random numbers, with `index` and the generation.
    index : tuple of int
        Distinguishes several evolutions with this seed.
    population : int
        The number of offspring in a generation.
    generation : int
        The number of generations.
    evaluations : int
        The number of fitness values given to `tell`.
    mean : array of shape (n,)
        The center of the offspring.
    step_size : float
        The standard deviation of offspring, before any adaptation to directions.
    best : array of shape (n,)
        The fittest genome so far, the earliest among equals; at the start the first mean.
    best_fitness : float
        Its fitness; `NOTHING_YET` at the start.
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
        """Raise if an array of the state has another shape."""
        for name in names:
            if (given := getattr(self, name).shape) != shape:
                raise ShapeError(
                    f"{name} has shape {given}; with this state's mean it must be {shape}. Begin with"
                    " the strategy's own init()."
                )

    @classmethod
    def make_first(
        cls, mean: Floats, step_size: float, population: int, seed: int, index: Any, **others: Any
    ) -> Self:
        """Return the state before any evaluation, with `others` as the further fields of a subclass."""
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

    def count_generation(self, genomes: Floats, fitness: Floats, **others: Any) -> Self:
        """Return the state after one more generation, with its counters and the fittest genome so far updated.

        Parameters
        ----------
        genomes : array of shape (population, n)
            The offspring of the generation.
        fitness : array of shape (population,)
            Their fitness.
        **others
            The new values of other fields.
        """
        fittest = int(np.argmax(fitness))
        if fitness[fittest] > self.best_fitness:
            others |= {"best": genomes[fittest].copy(), "best_fitness": float(fitness[fittest])}
        evaluations = self.evaluations + len(fitness)
        return replace(self, generation=self.generation + 1, evaluations=evaluations, **others)

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
    """The state of one of pycma's strategies.

    Attributes
    ----------
    step_path : array of shape (n,)
        The smoothed steps of the mean with all directions scaled alike, by which the step size is adapted.
    mean_path : array of shape (n,)
        The smoothed steps of the mean in units of `scales`, for the rank-one update.
    scales : array of shape (n,)
        The scale of each gene.
    covariance : array of shape (n, n) or (0, 0)
        The covariance of steps in units of `scales`; empty, like the next two, where none is adapted.
    axes : array of shape (n, n) or (0, 0)
        Its eigenvectors in columns, as of generation `decomposed`.
    axis_lengths : array of shape (n,) or (0,)
        The square roots of its eigenvalues.
    decomposed : int
        The generation in which the covariance was last decomposed.
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
    """Increases fitness by drawing offspring around a mean; everything that changes is in its states.

    `ask` and `tell` are pure: the same state always has the same offspring, so any number
    of workers may compute fitness, and a run may continue from a checkpoint.
    """

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> S:
        """Return the state before any evaluation.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The center of the first offspring.
        seed : int
            The experiment's seed.
        index : tuple of int
            Distinguishes several evolutions with this seed; all have the same number of indices.
        """

    def ask(self, state: S) -> Floats:
        """Return the offspring to be evaluated, one in each row."""

    def tell(self, state: S, population: ArrayLike, fitness: ArrayLike) -> S:
        """Return the state after the offspring's fitness is known.

        Parameters
        ----------
        state
            The state that was given to `ask`; it is not changed.
        population : array_like of shape (population, n)
            The offspring that were evaluated.
        fitness : array_like of shape (population,)
            Their fitness: finite numbers, of which larger ones are better.
        """


def check_strategy(strategy: Any) -> None:
    """Raise if `strategy` is not an evolution strategy."""
    instead = "an evolution strategy, such as evolution.CMAES()"
    check_attributes("evolution", strategy, ("init", "ask", "tell"), instead)


def checked_mean(mean: ArrayLike) -> Floats:
    """Return the first mean of an evolution as a new array; raise if it is not one genome of finite numbers."""
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
    """Return the index of an evolution as a tuple of integers; raise if it is none."""
    check_kind("index", index, tuple, "a tuple of integers, such as (3,) or ()")
    return tuple(checked_integer("index", each, 0) for each in index)


def checked_evaluation(
    state: EvolutionState, population: ArrayLike, fitness: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the offspring of a state and their fitness as arrays of finite numbers; raise if they are none."""
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
    """Raise if a state belongs to another kind of evolution strategy."""
    if not isinstance(state, kind):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {kind.__name__}. Begin with its own init()."
        )


WEIGHTS = ("equal", "pycma")
LIBRARIES = ThreadpoolController()
"""The libraries loaded so far, among them numpy's, which pycma calls."""
ALONE = Lock()
"""Held by the one evolution that limits threads.

The limit holds for the whole process, so the first of two evolutions to end would lift that of the other.
"""
FULL, DIAGONAL, NONE = "full", "diagonal", "none"  # what is adapted besides the step size
COORDINATE_CONDITION = 1e8
"""The ratio of genes' variances at which pycma begins to move them from the covariance to the scales."""
UNBALANCED = 2.0**100  # above this step size, or below its inverse, it is balanced with the shape


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread, as a decorator or in a with statement."""
    with ALONE, LIBRARIES.limit(limits=1, user_api="blas"):
        yield


class Adaptation:
    """The constants and parts of pycma that adapt the distribution of offspring.

    Parameters
    ----------
    n : int
        The length of a genome.
    population : int
        The number of offspring in a generation.
    adapted : str
        What is adapted besides the step size: `FULL`, a covariance matrix; `DIAGONAL`, scales of genes; or `NONE`.
    equal_weights : bool
        Whether the better half of the offspring counts alike, instead of by pycma's weights.
    """

    def __init__(self, n: int, population: int, adapted: str, equal_weights: bool) -> None:
        import cma  # here, because it takes more than a second

        options: dict[str, Any] = {
            "popsize": population,
            "AdaptSigma": cma.sigma_adaptation.CMAAdaptSigmaCSA,
            "CMA_mirrors": 0,
            "CMA_on": int(adapted != NONE),
            "CMA_diagonal": adapted != FULL,
            "seed": np.nan,  # touches no generator
            "verbose": -9,
        }
        if equal_weights:
            mu = population // 2
            options["CMA_recombination_weights"] = [1.0 / mu] * mu + [0.0] * (population - mu)
        with warnings.catch_warnings():  # pycma changes the filters
            made = cma.CMAEvolutionStrategy(np.zeros(n), 1.0, options)
        self.n, self.population, self.adapted = n, population, adapted
        self.weights = np.array(made.sp.weights, dtype=np.float64)
        self.mu = made.sp.weights.mu
        self.positive_weights = made.sp.weights.positive_weights
        self.mueff = made.sp.weights.mueff
        if adapted == FULL:
            rates = made.sm.parameters(mueff=self.mueff, lam=made.sp.weights.lambda_)
            self.cc, self.c1, self.cmu = made.sp.cc, rates["c1"], rates["cmu"]
        else:
            self.cc, self.c1, self.cmu = made.sp.cc_sep, made.sp.c1_sep, made.sp.cmu_sep
        self.sampler = made.sm
        self.decoding = made.sigma_vec
        self.step_control = made.adapt_sigma
        self.settings = {"N": n, "opts": made.opts, "sp": made.sp}

    def make_first_shape(self) -> dict[str, Any]:
        """Return the paths, the scales and the covariance of a first state, by the names of its fields."""
        sampler, full = self.sampler, self.adapted == FULL
        return {
            "step_path": np.zeros(self.n),
            "mean_path": np.zeros(self.n),
            "scales": np.ones(self.n),
            "covariance": sampler.C.copy() if full else np.zeros((0, 0)),
            "axes": sampler.B.copy() if full else np.zeros((0, 0)),
            "axis_lengths": sampler.D.copy() if full else np.zeros(0),
            "decomposed": 0,
        }

    @on_one_thread()
    def draw_offspring(self, state: AdaptedState) -> Floats:
        """Return the generation's offspring, one in each row."""
        numbers = random_stream(state.seed, "offspring", *state.index, state.generation)
        sampler = self.make_sampler(state)
        sampler.randn = lambda *shape: numbers.standard_normal(shape)
        drawn = state.scales * np.asarray(sampler.sample(self.population))
        return np.asarray(state.mean + state.step_size * drawn)

    def make_sampler(self, state: AdaptedState) -> Any:
        """Return a copy of pycma's sampler that has the state's distribution.

        Returns
        -------
        cma.sampler.GaussFullSampler, or a sampler without covariance
            Drawing and updating change it, but not the state.
        """
        sampler = copy_part(self.sampler)
        if self.adapted == FULL:
            # In the memory layout that eigh returns, since another one would sum products in another order.
            sampler.C, sampler.B = state.covariance, np.asfortranarray(state.axes)
            sampler.D = state.axis_lengths
            sampler.count_tell, sampler.last_update = state.generation, state.decomposed
        return sampler

    @on_one_thread()
    def update(self, state: AdaptedState, population: Floats, fitness: Floats) -> AdaptedState:
        """Return the state after a generation with these offspring and their fitness."""
        order = np.argsort(-fitness, kind="stable")
        ranked = population[order]
        sigma, scales, sampler = state.step_size, state.scales, self.make_sampler(state)
        mean = np.dot(self.positive_weights, ranked[: self.mu])
        shift = mean - state.mean

        isotropic = sampler.transform_inverse(shift / scales) * (self.mueff**0.5 / sigma)
        control = copy_part(self.step_control)
        control.ps = state.step_path.copy()
        strategy_seen_by_control = SimpleNamespace(
            countiter=state.generation + 1, isotropic_mean_shift=isotropic, **self.settings
        )
        # h_sigma of the tutorial: 0 while the path is long, so that the covariance does not grow with the step.
        steady = control.hsig(strategy_seen_by_control)
        cc = self.cc
        mean_path = (1 - cc) * state.mean_path + steady * (
            (cc * (2 - cc) * self.mueff) ** 0.5 / sigma
        ) * shift / scales

        steps = (ranked - state.mean) / (sigma * scales)
        shape = self.adapt_shape(state, sampler, mean_path, steps, steady)
        factor = control.update2(strategy_seen_by_control, function_values=-fitness)
        step_size, shape = self.balance_scales(float(sigma * factor), shape)
        step_size = max(step_size, SMALLEST_SCALE)
        if not max(step_size * shape["scales"].max(), np.abs(mean).max()) < LARGEST_SCALE:
            raise ConvergenceError(
                f"after generation {state.generation + 1} the step size is {step_size:g}: fitness grows"
                " with the distance from the start without end. Bound the fitness, or the genes."
            )
        others = {"mean": mean, "step_size": step_size, "step_path": control.ps}
        return state.count_generation(population, fitness, **others, **shape)

    def adapt_shape(
        self, state: AdaptedState, sampler: Any, mean_path: Floats, steps: Floats, steady: Any
    ) -> dict[str, Any]:
        """Return the path of the mean, the scales and the covariance after a generation, by the names of their fields.

        Parameters
        ----------
        state : AdaptedState
            The state before the generation.
        sampler : object
            Its sampler, which is changed.
        mean_path : array of shape (n,)
            The path of the mean after the generation.
        steps : array of shape (population, n)
            The steps of the offspring, the best first, in units of step size and scales.
        steady : bool
            Whether the path of the step size is short, h_sigma in the tutorial.
        """
        shape = {"mean_path": mean_path, "scales": state.scales}
        if self.adapted == NONE:
            return shape
        # Where the path was not extended, the rank-one rate makes up for the variance that it lacks.
        c1 = self.c1 * (1 - (1 - steady**2) * self.cc * (2 - self.cc))
        rates = np.array([c1, *(self.cmu * self.weights)])
        if self.adapted == DIAGONAL:
            decoding = copy_part(self.decoding)
            decoding.scaling = state.scales.copy()
            vectors = np.vstack([mean_path, steps])
            rates *= np.log(2)
            with warnings.catch_warnings():  # pycma finds long paths strange
                warnings.simplefilter("ignore", UserWarning)
                decoding.update(vectors, rates)
            return shape | {"scales": decoding.scaling}
        sampler.C = state.covariance.copy()
        rank_one = (self.c1 / (c1 + 1e-23)) ** 0.5 * mean_path
        sampler.update([rank_one, *steps], rates)
        variances = sampler.variances
        if variances.max() / variances.min() >= COORDINATE_CONDITION:
            factors = sampler.to_correlation_matrix()
            shape["scales"] = state.scales * factors
            shape["mean_path"] = mean_path / factors
        sampler.update_now()  # pycma does this in its next ask
        return shape | {
            "covariance": sampler.C,
            "axes": sampler.B,
            "axis_lengths": sampler.D,
            "decomposed": sampler.last_update,
        }

    def balance_scales(
        self, step_size: float, shape: dict[str, Any]
    ) -> tuple[float, dict[str, Any]]:
        """Return the step size and the shape, rescaled so that neither of the two is huge or tiny.

        Long after a run has converged, only their product is stable. A power of two changes no digit.
        """
        if self.adapted == NONE or 1.0 / UNBALANCED < step_size < UNBALANCED:
            return step_size, shape
        sizes = shape["axis_lengths"] if self.adapted == FULL else shape["scales"]
        unit = 2.0 ** round(np.log2(sizes.max()))
        if self.adapted == DIAGONAL:
            return step_size * unit, shape | {"scales": sizes / unit}
        return step_size * unit, shape | {
            "covariance": shape["covariance"] / unit**2,
            "axis_lengths": sizes / unit,
            "mean_path": shape["mean_path"] / unit,
        }


def copy_part(part: Any) -> Any:
    """Return a shallow copy of one of pycma's plain objects, of the same type; `copy.copy` takes ten times as long."""
    made = object.__new__(type(part))
    made.__dict__.update(part.__dict__)
    return made


make_adaptation = lru_cache(maxsize=64)(Adaptation)
"""Return the one `Adaptation` with these settings."""


class PycmaStrategy(ABC):
    """An evolution strategy whose offspring and updates are computed by the parts of pycma from `make_parts`."""

    population: int | None
    step_size: float

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state before any evaluation, with the center of the first offspring."""
        start, size = checked_mean(mean), self.population
        if size is None:
            size = 4 + int(3 * math.log(len(start)))
        shape = self.make_parts(len(start), int(size)).make_first_shape()
        return AdaptedState.make_first(
            start, float(self.step_size), int(size), seed, index, **shape
        )

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring to be evaluated, one in each row."""
        check_state(self, state, AdaptedState)
        return self.make_parts(state.num_genes, state.population).draw_offspring(state)

    def tell(self, state: AdaptedState, population: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state after the fitness of its offspring is known."""
        check_state(self, state, AdaptedState)
        genomes, values = checked_evaluation(state, population, fitness)
        return self.make_parts(state.num_genes, state.population).update(state, genomes, values)

    @abstractmethod
    def make_parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""


@dataclass(frozen=True, kw_only=True)
class CMAES(PycmaStrategy):
    """CMA-ES with pycma's weights, negative ones included, and learning rates.

    Parameters
    ----------
    population : int, optional
        Offspring in a generation, 3 to 100,000; pycma's 4 + 3 ln n, rounded down, if left out.
    step_size : float
        The first standard deviation of every gene.
    diagonal : bool
        Whether genes are scaled one by one, without their correlations: O(n) instead of O(n^2)
        numbers and time, for hundreds of genes and more.

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
    """The rule of step sizes as recordings name it; there is one, by the length of the mean's smoothed path."""

    def __post_init__(self) -> None:
        if self.population is not None:
            checked_integer("population", self.population, 3, MOST_OFFSPRING)
        checked_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        checked_bool("diagonal", self.diagonal)

    def make_parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""
        return make_adaptation(n, population, DIAGONAL if self.diagonal else FULL, False)


@dataclass(frozen=True, kw_only=True)
class CSAES(PycmaStrategy):
    """Cumulative step-size adaptation: an evolution strategy with one step size for all genes.

    It is the (mu/mu, lambda)-CSA-ES with mu = lambda / 2, which is CMA-ES without a covariance matrix.

    Parameters
    ----------
    population : int
        The number of offspring in a generation, lambda, 3 to 100,000.
    step_size : float
        The first standard deviation of every gene.
    weights : str
        'equal': the mu best offspring count alike, as in Samothrakis & Lucas 2011. 'pycma': better ones count more,
        by the logarithm of the rank. They behave differently: where the fitness has a ridge, as a worst case has,
        equal weights stall much earlier.

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
        checked_integer("population", self.population, 3, MOST_OFFSPRING)
        checked_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        UnknownNameError.check("weights", self.weights, WEIGHTS)

    def make_parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this length of a genome and this number of offspring."""
        return make_adaptation(n, population, NONE, self.weights == "equal")


SHAPINGS = ("ranks", "raw")
FIRST_DECAY, SECOND_DECAY, ADAM_EPSILON = 0.9, 0.999, 1e-8
"""Adam's beta_1, beta_2 and epsilon (Kingma & Ba 2015, Algorithm 1)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GradientState(EvolutionState):
    """The state of a `GradientES`, with Adam's moments before the correction for their start at 0.

    Attributes
    ----------
    first_moment, second_moment : array of shape (n,)
        The smoothed gradient, and the smoothed squared gradient.
    """

    first_moment: Floats
    second_moment: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_shapes(self.mean.shape, "first_moment", "second_moment")


@dataclass(frozen=True, kw_only=True)
class GradientES:
    """Gradient ascent on the expected fitness of offspring, for many genes or noisy fitness.

    Parameters
    ----------
    population : int, optional
        Offspring in a generation, in pairs: an even number, 2 to 100,000. If left out the smallest even
        number that is not below 4 + 3 ln n, rounded down.
    step_size : float
        The standard deviation of every gene in the first generation.
    learning_rate : float
        About how far a gene moves in one of the first generations.
    patience : float, optional
        Generations, at least 1, after which step size and learning rate are half those of the
        start: in generation t they are divided by 1 + t / patience. If left out they stay constant,
        as in the paper; but a kink is reached only by smaller and smaller steps.
    shaping : str
        'ranks': fitness is replaced by its rank among the offspring, from -1/2 to 1/2, and by the mean rank of equals.
        'raw': fitness is used as it is.

    References
    ----------
    .. [1] T. Salimans, J. Ho, X. Chen, S. Sidor, I. Sutskever, "Evolution Strategies as a Scalable
       Alternative to Reinforcement Learning", 2017, arXiv:1703.03864, Algorithm 1 and section 2.1
    .. [2] D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015

    Examples
    --------
    >>> import numpy as np
    >>> strategy = GradientES(population=20, step_size=0.01, learning_rate=0.02)
    >>> state = strategy.init(np.ones(4), seed=1)
    >>> for _ in range(300):
    ...     offspring = strategy.ask(state)
    ...     state = strategy.tell(state, offspring, -(offspring**2).sum(axis=1))
    >>> bool(np.abs(state.mean).max() < 0.05)
    True
    """

    population: int | None = None
    step_size: float = 0.1
    learning_rate: float = 0.05
    shaping: str = "ranks"
    patience: float | None = None

    def __post_init__(self) -> None:
        if self.population is not None:
            size = checked_integer("population", self.population, 2, MOST_OFFSPRING)
            if size % 2:
                raise SettingError(
                    f"population is {size}; offspring come in pairs: give {size + 1}."
                )
        for name in ("step_size", "learning_rate"):
            checked_number(name, getattr(self, name), SMALLEST_SCALE, LARGEST_SCALE)
        if self.patience is not None:
            checked_number("patience", self.patience, 1, LARGEST_COUNT)
        UnknownNameError.check("shaping", self.shaping, SHAPINGS)

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> GradientState:
        """Return the state before any evaluation, with the center of the first offspring."""
        start = checked_mean(mean)
        size = self.population
        if size is None:
            size = 2 * math.ceil((4 + int(3 * math.log(len(start)))) / 2)
        moments = {name: np.zeros(len(start)) for name in ("first_moment", "second_moment")}
        return GradientState.make_first(
            start, float(self.step_size), int(size), seed, index, **moments
        )

    def ask(self, state: GradientState) -> Floats:
        """Return the offspring to be evaluated, one in each row; the second half mirrors the first at the mean."""
        check_state(self, state, GradientState)
        numbers = random_stream(state.seed, "offspring", *state.index, state.generation)
        steps = state.step_size * numbers.standard_normal((state.population // 2, state.num_genes))
        return np.concatenate([state.mean + steps, state.mean - steps])

    def tell(
        self, state: GradientState, population: ArrayLike, fitness: ArrayLike
    ) -> GradientState:
        """Return the state after the fitness of its offspring is known."""
        check_state(self, state, GradientState)
        genomes, values = checked_evaluation(state, population, fitness)
        shaped = center_ranks(values) if self.shaping == "ranks" else values
        num_pairs = state.population // 2
        difference = shaped[:num_pairs] - shaped[num_pairs:]
        steps = genomes[:num_pairs] - state.mean
        gradient = difference @ steps / (state.population * state.step_size**2)

        time = state.generation + 1
        first, second, direction, scale = step_adam(
            state.first_moment, state.second_moment, gradient, time
        )
        learning_rate = self.learning_rate * self.compute_decay(state.generation)
        mean = state.mean + learning_rate * direction / scale
        if not np.isfinite(mean).all():
            raise ConvergenceError(
                f"after generation {time} the mean is not finite: fitness values are too large to be"
                " squared. Divide them, or use shaping='ranks'."
            )
        step_size = self.step_size * self.compute_decay(time)
        return state.count_generation(
            genomes,
            values,
            mean=mean,
            step_size=step_size,
            first_moment=first,
            second_moment=second,
        )

    def compute_decay(self, generation: int) -> float:
        """Return the factor by which the first step size and learning rate are multiplied in a generation."""
        return 1.0 if self.patience is None else 1.0 / (1.0 + generation / self.patience)


def step_adam(
    first: Floats, second: Floats, gradient: Floats, time: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the moments of Adam after one more gradient, and its step as a numerator and a denominator.

    Source: Kingma & Ba (2015), Algorithm 1.

    Parameters
    ----------
    first, second : array of shape (n,)
        Both moments before the step.
    gradient : array of shape (n,)
        The gradient.
    time : int
        The index of the step, from 1.

    Returns
    -------
    first, second : array of shape (n,)
        Both moments after the step.
    direction, scale : array of shape (n,)
        The step is the learning rate times direction / scale.
    """
    first = FIRST_DECAY * first + (1.0 - FIRST_DECAY) * gradient
    second = SECOND_DECAY * second + (1.0 - SECOND_DECAY) * gradient**2
    direction = first / (1.0 - FIRST_DECAY**time)
    scale = np.sqrt(second / (1.0 - SECOND_DECAY**time)) + ADAM_EPSILON
    return first, second, direction, scale


def center_ranks(fitness: Floats) -> Floats:
    """Return the rank of each fitness value, from -1/2 for the lowest to 1/2 for the highest.

    Equal values have their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> center_ranks(np.array([3.0, 7.0, 3.0, 1.0, 9.0])).tolist()
    [-0.125, 0.25, -0.125, -0.5, 0.5]
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(fitness)
    return (ranks - 1.0) / (len(fitness) - 1) - 0.5
