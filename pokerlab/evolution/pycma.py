"""pycma's update between two frozen states: its own weights, constants and parts, around our arrays.

pycma's `CMAEvolutionStrategy` cannot be the state itself: it changes in place, draws from numpy's
global generator, keeps growing lists of what it has met, and its `ask` is not repeatable. Putting a
whole one together from arrays before each call would mean setting about thirty attributes, most of
them bookkeeping (histories, dictionaries of solutions sent, timers), on which pycma spends a third
to two thirds of a generation. So pycma makes one object for each problem size, which is never
asked: it has the weights, learning rates and damping, and prototypes of the parts that do the work.
In `tell` copies of these parts take the state's arrays, and pycma's code computes

- the covariance and its axes (`cma.sampler.GaussFullSampler.update`, `update_now`),
- the scales of single genes (`cma.transformations.DiagonalDecoding.update`),
- the step size, from the length of its path or from two points (`CMAAdaptSigmaCSA`,
  `CMAAdaptSigmaTPA` in `cma.sigma_adaptation`).

Our own code does what is left between them: the ranking, the mean of the best, the path of the
mean. Tests compare each generation with a plain `CMAEvolutionStrategy` that is fed the same normal
numbers, to the last bit: a pycma that keeps or computes something else fails them.

Our choices differ from pycma's: two points only where they are asked for (pycma turns to them from
300 genes on, and then draws from the global generator in any case, for a check); no mirrored
samples in populations below 6; of equal fitness values the earlier comes first. Left out because it
acts only where a run has stalled: the linear map pycma lays over all genes once the covariance's
condition passes 1e12, and moving size from the step to the covariance above 1e9 times the first
step.

Linear algebra runs on one thread, because pycma's matrices are small: several threads take as long for
them, at several times the work, and they round differently.

Source: N. Hansen, Y. Akimoto, P. Baudis, CMA-ES/pycma; N. Hansen, "The CMA Evolution Strategy: A
Tutorial", 2016, arXiv:1604.00772.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from pokerlab.core import ConvergenceError
from pokerlab.core.arrays import Floats
from pokerlab.core.streams import stream
from pokerlab.evolution.protocol import LARGEST_SCALE, NOTHING_YET, SMALLEST_SCALE, AdaptedState

LIBRARIES = ThreadpoolController()
"""The libraries loaded so far, among them numpy's, which pycma calls."""
ALONE = Lock()
"""The limit holds for the whole process: if two evolved side by side, one would lift the other's limit, and
results would depend on the number of workers."""
FULL, DIAGONAL, NONE = "full", "diagonal", "none"
"""What is adapted besides the step size."""
COORDINATE_CONDITION = 1e8
"""The ratio of genes' variances at which pycma begins to move them from the covariance to the scales."""
UNBALANCED = 2.0**100
"""Above this step size, or below its inverse, it is balanced with the shape."""
USUAL_STEP = 7.0
"""pycma warns of normal numbers larger than about this; only a path can be that long."""


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread, as a decorator or in a with statement."""
    with ALONE, LIBRARIES.limit(limits=1, user_api="blas"):
        yield


class Adaptation:
    """pycma's constants and parts for `n` genes, one size of population and one form: full, diagonal or none."""

    def __init__(
        self, n: int, population: int, adapted: str, equal_weights: bool, two_points: bool
    ) -> None:
        import cma  # here, because it takes more than a second

        rules = cma.sigma_adaptation
        options: dict[str, Any] = {
            "popsize": population,
            "AdaptSigma": rules.CMAAdaptSigmaTPA if two_points else rules.CMAAdaptSigmaCSA,
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
        self.n, self.population, self.adapted, self.two_points = n, population, adapted, two_points
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

    def first_state(
        self, mean: Floats, step_size: float, seed: int, index: tuple[int, ...]
    ) -> AdaptedState:
        """Return the state in which nothing has been evaluated."""
        full = self.adapted == FULL
        empty = np.zeros((0, 0))
        return AdaptedState(
            seed=seed,
            index=index,
            population=self.population,
            generation=0,
            evaluations=0,
            mean=mean,
            step_size=step_size,
            best=mean.copy(),
            best_fitness=NOTHING_YET,
            step_path=np.zeros(self.n),
            mean_path=np.zeros(self.n),
            scales=np.ones(self.n),
            covariance=self.sampler.C.copy() if full else empty,
            axes=self.sampler.B.copy() if full else empty.copy(),
            axis_lengths=self.sampler.D.copy() if full else np.zeros(0),
            decomposed=0,
            shift=np.zeros(self.n),
            trend=0.0,
        )

    @on_one_thread()
    def offspring(self, state: AdaptedState) -> Floats:
        """Return the generation's offspring, (population, n)."""
        numbers = stream(state.seed, "offspring", *state.index, state.generation)
        sampler = self.sampler_at(state)
        sampler.randn = lambda *shape: numbers.standard_normal(shape)
        line = np.zeros((0, self.n))
        if self.two_points and state.shift.any():
            # As long as a step drawn at random.
            length = np.linalg.norm(numbers.standard_normal(self.n))
            ahead = state.shift * (length / sampler.norm(state.shift / state.scales))
            line = np.stack([ahead, -ahead])
        drawn = state.scales * np.asarray(sampler.sample(self.population - len(line)))
        return np.asarray(state.mean + state.step_size * np.concatenate([line, drawn]))

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
        control.ps, control.s = state.step_path.copy(), state.trend
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
        better = fitness[order[0]] > state.best_fitness
        return AdaptedState(
            seed=state.seed,
            index=state.index,
            population=state.population,
            generation=state.generation + 1,
            evaluations=state.evaluations + len(fitness),
            mean=mean,
            step_size=step_size,
            best=ranked[0].copy() if better else state.best,
            best_fitness=float(fitness[order[0]]) if better else state.best_fitness,
            step_path=control.ps,
            shift=shift if self.two_points else state.shift,
            trend=float(control.s),
            **shape,
        )

    def adapted_shape(
        self, state: AdaptedState, sampler: Any, mean_path: Floats, steps: Floats, steady: Any
    ) -> dict[str, Any]:
        """Return the path of the mean, the scales and the covariance after a generation.

        `steps`, (population, n), are those of the offspring, best first, in units of step and scales.
        """
        shape = {
            "mean_path": mean_path,
            "scales": state.scales,
            "covariance": state.covariance,
            "axes": state.axes,
            "axis_lengths": state.axis_lengths,
            "decomposed": state.decomposed,
        }
        if self.adapted == NONE:
            return shape
        c1 = self.c1 * (1 - (1 - steady**2) * self.cc * (2 - self.cc))  # for the variance not added
        rates = np.array([c1, *(self.cmu * self.weights)])
        if self.adapted == DIAGONAL:
            decoding = copy_of(self.decoding)
            decoding.scaling = state.scales.copy()
            vectors = np.vstack([mean_path, steps])
            rates *= np.log(2)
            if np.abs(vectors).max() < USUAL_STEP:
                decoding.update(vectors, rates)
            else:
                with warnings.catch_warnings():
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

        Long after a run has converged, only their product is stable. A power of two changes no
        digit.
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


@lru_cache(maxsize=64)
def adaptation(
    n: int,
    population: int,
    adapted: str,
    *,
    equal_weights: bool = False,
    two_points: bool = False,
) -> Adaptation:
    """Return the one `Adaptation` with these settings."""
    return Adaptation(n, population, adapted, equal_weights, two_points)
