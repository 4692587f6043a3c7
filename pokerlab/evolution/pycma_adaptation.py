"""The generations of CMA-ES and CSA-ES, which pycma computes as pure functions of a state.

A `CMAEvolutionStrategy` of pycma cannot be the state itself: it changes in place, draws from numpy's global generator,
appends to lists in each generation, and its `ask` is not repeatable. So one object of pycma is made for each problem
size, and its `ask` is never called. It has the weights, learning rates and damping, and prototypes of the parts that
compute the updates. In each generation copies of these parts get the arrays of the state, and pycma computes

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

Sources: N. Hansen, Y. Akimoto, P. Baudis, CMA-ES/pycma; N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016,
arXiv:1604.00772.
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

from pokerlab.core import ConvergenceError, Floats, random_stream
from pokerlab.evolution.evolution_states import LARGEST_SCALE, SMALLEST_SCALE, AdaptedState

THREAD_POOLS = ThreadpoolController()
"""The linear algebra libraries that are loaded, including the one of numpy, which pycma uses."""
THREAD_LIMIT_LOCK = Lock()
"""A lock that only one evolution can have while it limits the number of threads.

The limit applies to the whole process. Without the lock, one of two evolutions could remove the limit of the other.
"""
FULL, DIAGONAL, NONE = "full", "diagonal", "none"  # the kind of distribution that is adapted
COORDINATE_CONDITION = 1e8
"""The ratio of the variances of genes from which on pycma transfers them from the covariance to the scales."""
# A larger step size, or one below the inverse, is balanced with the covariance or scales.
LARGEST_STEP_SIZE = 2.0**100


@contextmanager
def limit_to_one_thread() -> Iterator[None]:
    """Limit linear algebra of this process to one thread, in a with statement or as a decorator.

    The limit applies to the whole process. So a second thread of Python that enters such a block waits until the first
    one has left it.

    Yields
    ------
    None
        Nothing is passed to the block. The limits before are restored at its end.
    """
    with THREAD_LIMIT_LOCK, THREAD_POOLS.limit(limits=1, user_api="blas"):
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
        """Make an object of pycma for these sizes, and take the constants and parts from it that updates use."""
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
            num_parents = num_offspring // 2
            num_others = num_offspring - num_parents
            weights = [1.0 / num_parents] * num_parents + [0.0] * num_others
            options["CMA_recombination_weights"] = weights
        with warnings.catch_warnings():  # pycma changes the filters
            strategy = cma.CMAEvolutionStrategy(np.zeros(num_genes), 1.0, options)
        parameters = strategy.sp
        self.n, self.population, self.adapted = num_genes, num_offspring, adapted

        # The weights of ranked offspring, by the names of Hansen's tutorial: mu offspring have positive weights, and a
        # mean with mueff equal weights would have the same variance.
        self.weights = np.array(parameters.weights, dtype=np.float64)
        self.mu = parameters.weights.mu
        self.positive_weights = parameters.weights.positive_weights
        self.mueff = parameters.weights.mueff

        # The learning rates of the tutorial: cc of the path of the mean, c1 of the rank-one update, and cmu of the
        # rank-mu update.
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
        """Return the distribution of the first offspring, without its mean and step size.

        Returns
        -------
        dict
            The evolution paths, the scales of genes, and the covariance with its eigenvectors, by the names of the
            fields of `AdaptedState`. The arrays of the covariance are empty if it is not adapted.
        """
        sampler = self.sampler
        has_covariance = self.adapted == FULL
        return {
            "step_path": np.zeros(self.n),
            "mean_path": np.zeros(self.n),
            "scales": np.ones(self.n),
            "covariance": sampler.C.copy() if has_covariance else np.zeros((0, 0)),
            "axes": sampler.B.copy() if has_covariance else np.zeros((0, 0)),
            "axis_lengths": sampler.D.copy() if has_covariance else np.zeros(0),
            "decomposed": 0,
        }

    @limit_to_one_thread()
    def draw_offspring(self, state: AdaptedState) -> Floats:
        """Draw the offspring of a state. The same state always has the same offspring.

        Parameters
        ----------
        state : AdaptedState
            The state, with genomes of n genes. It is not changed.

        Returns
        -------
        array of shape (population, n)
            The offspring, with a genome in each row.
        """
        generator = random_stream(state.seed, "offspring", *state.index, state.generation)

        def draw_normal_numbers(*shape: int) -> Floats:
            """Draw standard normal numbers. Pycma itself would draw them from NumPy's global generator."""
            return generator.standard_normal(shape)

        sampler = self.make_sampler(state)
        sampler.randn = draw_normal_numbers
        steps = state.scales * np.asarray(sampler.sample(self.population))
        return np.asarray(state.mean + state.step_size * steps)

    def make_sampler(self, state: AdaptedState) -> Any:
        """Return a copy of pycma's sampler with the covariance of a state.

        Parameters
        ----------
        state : AdaptedState
            The state, which is not changed.

        Returns
        -------
        cma.sampler.GaussFullSampler, or a sampler without covariance
            The copy, which changes when it draws or is updated.
        """
        sampler = copy_pycma_object(self.sampler)
        if self.adapted == FULL:
            sampler.C = state.covariance
            # `eigh` returns this memory layout; with another one products would be summed in another order.
            sampler.B = np.asfortranarray(state.axes)
            sampler.D = state.axis_lengths
            sampler.count_tell, sampler.last_update = state.generation, state.decomposed
        return sampler

    @limit_to_one_thread()
    def update_state(self, state: AdaptedState, offspring: Floats, fitness: Floats) -> AdaptedState:
        """Return the state of the next generation, given the offspring and their fitness.

        The steps, and the letters in parentheses, are those of N. Hansen, "The CMA Evolution Strategy: A Tutorial",
        2016, arXiv:1604.00772: the new mean (m), the paths of the step size (p_sigma) and of the mean (p_c), the
        covariance (C), and the step size (sigma).

        Parameters
        ----------
        state : AdaptedState
            The state before the generation, with genomes of n genes. It is not changed.
        offspring : array of shape (population, n)
            The offspring of the generation.
        fitness : array of shape (population,)
            The fitness of each of the offspring; larger is better.

        Returns
        -------
        AdaptedState
            A new state, in which the generation is larger by one.

        Raises
        ------
        ConvergenceError
            If the step size or the mean becomes larger than `LARGEST_SCALE`.
        """
        order = np.argsort(-fitness, kind="stable")  # the fittest offspring comes first
        ranked = offspring[order]
        sigma = state.step_size
        scales = state.scales
        sampler = self.make_sampler(state)
        mean = np.dot(self.positive_weights, ranked[: self.mu])
        shift = mean - state.mean

        # The step of the mean, in units in which a random step has the standard normal distribution.
        isotropic_step = sampler.transform_inverse(shift / scales) * (self.mueff**0.5 / sigma)
        control = copy_pycma_object(self.step_control)
        control.ps = state.step_path.copy()
        # The part of a `CMAEvolutionStrategy` that the step-size control reads.
        strategy_seen_by_control = SimpleNamespace(
            countiter=state.generation + 1, isotropic_mean_shift=isotropic_step, **self.settings
        )

        # h_sigma of the tutorial, which is 0 while the path is long. So the covariance does not grow at the same time
        # as the step size. The call also updates the path in `control`.
        h_sigma = control.hsig(strategy_seen_by_control)
        cc = self.cc
        path_factor = (cc * (2 - cc) * self.mueff) ** 0.5 / sigma
        mean_path = (1 - cc) * state.mean_path + h_sigma * path_factor * shift / scales

        steps = (ranked - state.mean) / (sigma * scales)
        distribution = self.adapt_distribution(state, sampler, mean_path, steps, h_sigma)
        # `update2` computes the change of the step size from the path that `hsig` has updated.
        factor = control.update2(strategy_seen_by_control, function_values=-fitness)
        step_size, distribution = self.rescale_extreme_step_size(
            float(sigma * factor), distribution
        )
        step_size = max(step_size, SMALLEST_SCALE)

        largest = max(step_size * distribution["scales"].max(), np.abs(mean).max())
        if not largest < LARGEST_SCALE:  # also if it is NaN
            raise ConvergenceError(
                f"after generation {state.generation + 1} the step size is {step_size:g}: fitness grows"
                " with the distance from the start without end. Bound the fitness, or the genes."
            )
        return state.make_next_state(
            offspring,
            fitness,
            mean=mean,
            step_size=step_size,
            step_path=control.ps,
            **distribution,
        )

    def adapt_distribution(
        self, state: AdaptedState, sampler: Any, mean_path: Floats, steps: Floats, h_sigma: Any
    ) -> dict[str, Any]:
        """Return the distribution of offspring in the next generation, without its mean and step size.

        Parameters
        ----------
        state : AdaptedState
            The state before the generation, which is not changed.
        sampler : object
            The sampler of this state, which is changed in place.
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

        # Compute the eigenvectors now, which pycma does in its next `ask`.
        sampler.update_now()
        return distribution | {
            "covariance": sampler.C,
            "axes": sampler.B,
            "axis_lengths": sampler.D,
            "decomposed": sampler.last_update,
        }

    def rescale_extreme_step_size(
        self, step_size: float, distribution: dict[str, Any]
    ) -> tuple[float, dict[str, Any]]:
        """Return the same distribution of offspring with a moderate step size, if the step size is extreme.

        The standard deviations of offspring are the step size times the lengths of the distribution's axes. Long after
        a run has converged only these products are stable, and each factor could overflow or underflow. So if the step
        size is not between 1 / `LARGEST_STEP_SIZE` and `LARGEST_STEP_SIZE`, the lengths are divided by the power of two
        nearest to the largest of them, and the step size is multiplied by it. A power of two changes no digit.

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
        if self.adapted == NONE or 1.0 / LARGEST_STEP_SIZE < step_size < LARGEST_STEP_SIZE:
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
    """Return a shallow copy of an object of pycma that has no slots. `copy.copy` would take ten times as long.

    Parameters
    ----------
    original : object
        The object, such as pycma's step-size control.

    Returns
    -------
    object
        An object of the same class, whose attributes are the same objects. No initializer is called.
    """
    copy = object.__new__(type(original))
    copy.__dict__.update(original.__dict__)
    return copy


make_adaptation = lru_cache(maxsize=64)(Adaptation)
"""Return the `Adaptation` with the given parameters, from a cache of 64."""
