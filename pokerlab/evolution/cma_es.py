"""CMA-ES, which learns how genes vary together, and CSA-ES, with one step size for all; by pycma.

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

Source: N. Hansen, Y. Akimoto, P. Baudis, CMA-ES/pycma; N. Hansen, "The CMA Evolution Strategy: A
Tutorial", 2016, arXiv:1604.00772.
"""

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import ThreadpoolController

from pokerlab.core import ConvergenceError, Floats, UnknownNameError, stream
from pokerlab.core.settings import number, switch, whole
from pokerlab.evolution.protocol import (
    LARGEST_SCALE,
    MOST_OFFSPRING,
    SMALLEST_SCALE,
    AdaptedState,
    check_state,
    checked_fitness,
    checked_mean,
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

    def first_shape(self) -> dict[str, Any]:
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
    def offspring(self, state: AdaptedState) -> Floats:
        """Return the generation's offspring, (population, n)."""
        numbers = stream(state.seed, "offspring", *state.index, state.generation)
        sampler = self.sampler_at(state)
        sampler.randn = lambda *shape: numbers.standard_normal(shape)
        drawn = state.scales * np.asarray(sampler.sample(self.population))
        return np.asarray(state.mean + state.step_size * drawn)

    def sampler_at(self, state: AdaptedState) -> Any:
        """Return pycma's sampler with the state's distribution."""
        sampler = copy_of(self.sampler)
        if self.adapted == FULL:
            # The memory layout that eigh returns: another one would sum products in another order.
            sampler.C, sampler.B = state.covariance, np.asfortranarray(state.axes)
            sampler.D = state.axis_lengths
            sampler.count_tell, sampler.last_update = state.generation, state.decomposed
        return sampler

    @on_one_thread()
    def updated(self, state: AdaptedState, population: Floats, fitness: Floats) -> AdaptedState:
        """Return the state after a generation."""
        order = np.argsort(-fitness, kind="stable")
        ranked = population[order]
        sigma, scales, sampler = state.step_size, state.scales, self.sampler_at(state)
        mean = np.dot(self.positive_weights, ranked[: self.mu])
        shift = mean - state.mean

        isotropic = sampler.transform_inverse(shift / scales) * (self.mueff**0.5 / sigma)
        control = copy_of(self.step_control)
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
        shape = self.adapted_shape(state, sampler, mean_path, steps, steady)
        factor = control.update2(seen, function_values=-fitness)
        step_size, shape = self.balanced(float(sigma * factor), shape)
        step_size = max(step_size, SMALLEST_SCALE)
        if not max(step_size * shape["scales"].max(), np.abs(mean).max()) < LARGEST_SCALE:
            raise ConvergenceError(
                f"after generation {state.generation + 1} the step size is {step_size:g}: fitness grows"
                " with the distance from the start without end. Bound the fitness, or the genes."
            )
        others = {"mean": mean, "step_size": step_size, "step_path": control.ps}
        return state.after(population, fitness, **others, **shape)

    def adapted_shape(
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
            decoding = copy_of(self.decoding)
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

    def balanced(self, step_size: float, shape: dict[str, Any]) -> tuple[float, dict[str, Any]]:
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


def copy_of(part: Any) -> Any:
    """Return a shallow copy of one of pycma's plain objects; `copy.copy` takes ten times as long."""
    made = object.__new__(type(part))
    made.__dict__.update(part.__dict__)
    return made


adaptation = lru_cache(maxsize=64)(Adaptation)  # returns the one `Adaptation` with these settings


class ByPycma(ABC):
    """Offspring and updates by pycma's parts, those that a strategy names in `parts`."""

    population: int | None
    step_size: float

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start, size = checked_mean(mean), self.population
        if size is None:
            size = 4 + int(3 * math.log(len(start)))
        shape = self.parts(len(start), int(size)).first_shape()
        return AdaptedState.begin(start, float(self.step_size), int(size), seed, index, **shape)

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring to be evaluated, (population, n)."""
        check_state(self, state, AdaptedState)
        return self.parts(state.num_genes, state.population).offspring(state)

    def tell(self, state: AdaptedState, population: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state after the offspring's fitness, (population,), is known."""
        check_state(self, state, AdaptedState)
        genomes, values = checked_fitness(state, population, fitness)
        return self.parts(state.num_genes, state.population).updated(state, genomes, values)

    @abstractmethod
    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""


@dataclass(frozen=True, kw_only=True)
class CMAES(ByPycma):
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
            whole("population", self.population, 3, MOST_OFFSPRING)
        number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        switch("diagonal", self.diagonal)

    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        return adaptation(n, population, DIAGONAL if self.diagonal else FULL, False)


@dataclass(frozen=True, kw_only=True)
class CSAES(ByPycma):
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
        whole("population", self.population, 3, MOST_OFFSPRING)
        number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        UnknownNameError.check("weights", self.weights, WEIGHTS)

    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        return adaptation(n, population, NONE, self.weights == "equal")
