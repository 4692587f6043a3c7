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
        """Raise if an array of the state has another shape."""
        for name in names:
            if (given := getattr(self, name).shape) != shape:
                raise ShapeError(
                    f"{name} has shape {given}; with this state's mean it must be {shape}. Begin with"
                    " the strategy's own init()."
                )

    @classmethod
    def start_at(
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

    def advance(self, genomes: Floats, fitness: Floats, **others: Any) -> Self:
        """Return the state one generation later, with counters and the fittest so far updated, and `others` changed.

        The offspring were `genomes`, (population, n), with this `fitness`, (population,).
        """
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
    """Raise if `strategy` is not an evolution strategy."""
    instead = "an evolution strategy, such as evolution.CMAES()"
    check_attributes("evolution", strategy, ("init", "ask", "tell"), instead)


def checked_mean(mean: ArrayLike) -> Floats:
    """Return a start as a new array, (n,); raise if it is not one genome of finite numbers."""
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
    """Return the index as integers; raise if it is none."""
    check_kind("index", index, tuple, "a tuple of integers, such as (3,) or ()")
    return tuple(checked_integer("index", i, 0) for i in index)


def checked_evaluation(
    state: EvolutionState, population: ArrayLike, fitness: ArrayLike
) -> tuple[Floats, Floats]:
    """Return offspring, (population, n), and fitness, (population,), as arrays; raise unless all numbers are finite."""
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
    """Raise if the state is another strategy's."""
    if not isinstance(state, kind):
        raise SettingError(
            f"the state is a {type(state).__name__}; {type(strategy).__name__} continues from a"
            f" {kind.__name__}. Begin with its own init()."
        )


WEIGHTS = ("equal", "pycma")
LIBRARIES = ThreadpoolController()
"""The libraries loaded so far, among them numpy's, which pycma calls."""
ALONE = Lock()
"""The limit holds for the whole process: of two evolutions side by side one would lift the other's."""
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
    """pycma's constants and parts for `n` genes, one size of population and one form: full, diagonal or none."""

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

    def initial_shape(self) -> dict[str, Any]:
        """Return the paths, the scales and the covariance of a first state."""
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
        """Return the generation's offspring, (population, n)."""
        numbers = random_stream(state.seed, "offspring", *state.index, state.generation)
        sampler = self.make_sampler(state)
        sampler.randn = lambda *shape: numbers.standard_normal(shape)
        drawn = state.scales * np.asarray(sampler.sample(self.population))
        return np.asarray(state.mean + state.step_size * drawn)

    def make_sampler(self, state: AdaptedState) -> Any:
        """Return pycma's sampler with the state's distribution."""
        sampler = copy_part(self.sampler)
        if self.adapted == FULL:
            # The memory layout that eigh returns: another one would sum products in another order.
            sampler.C, sampler.B = state.covariance, np.asfortranarray(state.axes)
            sampler.D = state.axis_lengths
            sampler.count_tell, sampler.last_update = state.generation, state.decomposed
        return sampler

    @on_one_thread()
    def update(self, state: AdaptedState, population: Floats, fitness: Floats) -> AdaptedState:
        """Return the state after a generation."""
        order = np.argsort(-fitness, kind="stable")
        ranked = population[order]
        sigma, scales, sampler = state.step_size, state.scales, self.make_sampler(state)
        mean = np.dot(self.positive_weights, ranked[: self.mu])
        shift = mean - state.mean

        isotropic = sampler.transform_inverse(shift / scales) * (self.mueff**0.5 / sigma)
        control = copy_part(self.step_control)
        control.ps = state.step_path.copy()
        seen = SimpleNamespace(
            countiter=state.generation + 1, isotropic_mean_shift=isotropic, **self.settings
        )
        # A long path stalls the rank-one update: the covariance must not grow with the step.
        steady = control.hsig(seen)
        cc = self.cc
        mean_path = (1 - cc) * state.mean_path + steady * (
            (cc * (2 - cc) * self.mueff) ** 0.5 / sigma
        ) * shift / scales

        steps = (ranked - state.mean) / (sigma * scales)
        shape = self.adapt_shape(state, sampler, mean_path, steps, steady)
        factor = control.update2(seen, function_values=-fitness)
        step_size, shape = self.balance_scales(float(sigma * factor), shape)
        step_size = max(step_size, SMALLEST_SCALE)
        if not max(step_size * shape["scales"].max(), np.abs(mean).max()) < LARGEST_SCALE:
            raise ConvergenceError(
                f"after generation {state.generation + 1} the step size is {step_size:g}: fitness grows"
                " with the distance from the start without end. Bound the fitness, or the genes."
            )
        others = {"mean": mean, "step_size": step_size, "step_path": control.ps}
        return state.advance(population, fitness, **others, **shape)

    def adapt_shape(
        self, state: AdaptedState, sampler: Any, mean_path: Floats, steps: Floats, steady: Any
    ) -> dict[str, Any]:
        """Return the path of the mean, the scales and the covariance after a generation.

        `steps`, (population, n), are those of the offspring, best first, in units of step and scales.
        """
        shape = {"mean_path": mean_path, "scales": state.scales}
        if self.adapted == NONE:
            return shape
        c1 = self.c1 * (1 - (1 - steady**2) * self.cc * (2 - self.cc))  # for the variance not added
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
        """Return step size and shape, with units moved from one to the other where they drift apart.

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
    """Return a shallow copy of one of pycma's plain objects; `copy.copy` takes ten times as long."""
    made = object.__new__(type(part))
    made.__dict__.update(part.__dict__)
    return made


make_adaptation = lru_cache(maxsize=64)(
    Adaptation
)  # returns the one `Adaptation` with these settings


class PycmaStrategy(ABC):
    """Offspring and updates by pycma's parts, those that a strategy names in `make_parts`."""

    population: int | None
    step_size: float

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start, size = checked_mean(mean), self.population
        if size is None:
            size = 4 + int(3 * math.log(len(start)))
        shape = self.make_parts(len(start), int(size)).initial_shape()
        return AdaptedState.start_at(start, float(self.step_size), int(size), seed, index, **shape)

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring to be evaluated, (population, n)."""
        check_state(self, state, AdaptedState)
        return self.make_parts(state.num_genes, state.population).draw_offspring(state)

    def tell(self, state: AdaptedState, population: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state after the offspring's fitness, (population,), is known."""
        check_state(self, state, AdaptedState)
        genomes, values = checked_evaluation(state, population, fitness)
        return self.make_parts(state.num_genes, state.population).update(state, genomes, values)

    @abstractmethod
    def make_parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""


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
    """As recordings name the one rule of step sizes: the length of the mean's smoothed path."""

    def __post_init__(self) -> None:
        if self.population is not None:
            checked_integer("population", self.population, 3, MOST_OFFSPRING)
        checked_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        checked_bool("diagonal", self.diagonal)

    def make_parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        return make_adaptation(n, population, DIAGONAL if self.diagonal else FULL, False)


@dataclass(frozen=True, kw_only=True)
class CSAES(PycmaStrategy):
    """The (mu/mu, lambda)-CSA-ES with mu = lambda / 2: CMA-ES without the C.

    Parameters
    ----------
    population : int
        Lambda: offspring in a generation, 3 to 100,000.
    step_size : float
        The first standard deviation of every gene.
    weights : str
        'equal': the mu best count alike, as in Samothrakis & Lucas 2011. 'pycma': the better, the
        more, by the logarithm of the rank. They behave differently: where the fitness has a ridge,
        as a worst case has, equal weights stall long before.

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
        """Return pycma's constants and parts for this size."""
        return make_adaptation(n, population, NONE, self.weights == "equal")


SHAPINGS = ("ranks", "raw")
FIRST_DECAY, SECOND_DECAY, SMALL = 0.9, 0.999, 1e-8
"""Adam's beta_1, beta_2 and epsilon (Kingma & Ba 2015, Algorithm 1)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GradientState(EvolutionState):
    """The state of a `GradientES`, with Adam's moments, not yet corrected for their start at 0."""

    first_moment: Floats  # (n,): the smoothed gradient
    second_moment: Floats  # (n,): the smoothed squared gradient

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
        How far a gene moves in a generation, about, at first.
    patience : float, optional
        Generations, at least 1, after which step size and learning rate are half those of the
        start: in generation t they are divided by 1 + t / patience. If left out they stay constant,
        as in the paper; but only ever smaller steps lead right into a kink.
    shaping : str
        'ranks': fitness counts by its rank among the offspring, from -1/2 to 1/2; ties share theirs. 'raw': as it is.

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
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start = checked_mean(mean)
        size = self.population
        if size is None:
            size = 2 * math.ceil((4 + int(3 * math.log(len(start)))) / 2)
        moments = {name: np.zeros(len(start)) for name in ("first_moment", "second_moment")}
        return GradientState.start_at(
            start, float(self.step_size), int(size), seed, index, **moments
        )

    def ask(self, state: GradientState) -> Floats:
        """Return the offspring to be evaluated, (population, n): the second half mirrors the first."""
        check_state(self, state, GradientState)
        numbers = random_stream(state.seed, "offspring", *state.index, state.generation)
        steps = state.step_size * numbers.standard_normal((state.population // 2, state.num_genes))
        return np.concatenate([state.mean + steps, state.mean - steps])

    def tell(
        self, state: GradientState, population: ArrayLike, fitness: ArrayLike
    ) -> GradientState:
        """Return the state after the offspring's fitness, (population,), is known."""
        check_state(self, state, GradientState)
        genomes, values = checked_evaluation(state, population, fitness)
        shaped = center_ranks(values) if self.shaping == "ranks" else values
        pairs = state.population // 2
        difference = shaped[:pairs] - shaped[pairs:]
        steps = genomes[:pairs] - state.mean
        gradient = difference @ steps / (state.population * state.step_size**2)

        time = state.generation + 1
        first, second, direction, scale = step_adam(
            state.first_moment, state.second_moment, gradient, time
        )
        learning_rate = self.learning_rate * self.decay_factor(state.generation)
        mean = state.mean + learning_rate * direction / scale
        if not np.isfinite(mean).all():
            raise ConvergenceError(
                f"after generation {time} the mean is not finite: fitness values are too large to be"
                " squared. Divide them, or use shaping='ranks'."
            )
        step_size = self.step_size * self.decay_factor(time)
        others = {"mean": mean, "step_size": step_size}
        return state.advance(genomes, values, **others, first_moment=first, second_moment=second)

    def decay_factor(self, generation: int) -> float:
        """Return the factor by which the initial step size and learning rate are multiplied in `generation`."""
        return 1.0 if self.patience is None else 1.0 / (1.0 + generation / self.patience)


def step_adam(
    first: Floats, second: Floats, gradient: Floats, time: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return both moments of Adam after the gradient of step `time`, from 1, then its direction and what divides it.

    Kingma & Ba (2015), Algorithm 1; all arrays are (n,).
    """
    first = FIRST_DECAY * first + (1.0 - FIRST_DECAY) * gradient
    second = SECOND_DECAY * second + (1.0 - SECOND_DECAY) * gradient**2
    size = np.sqrt(second / (1.0 - SECOND_DECAY**time)) + SMALL
    return first, second, first / (1.0 - FIRST_DECAY**time), size


def center_ranks(fitness: Floats) -> Floats:
    """Return each value's rank, from -1/2 for the lowest to 1/2 for the highest; ties share their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> center_ranks(np.array([3.0, 7.0, 3.0, 1.0, 9.0])).tolist()
    [-0.125, 0.25, -0.125, -0.5, 0.5]
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(fitness)
    return (ranks - 1.0) / (len(fitness) - 1) - 0.5
