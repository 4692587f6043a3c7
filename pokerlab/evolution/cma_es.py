"""CMA-ES, which learns how genes vary together, and CSA-ES, with one step size for all; by pycma."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from numpy.typing import ArrayLike

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number, switch, whole
from pokerlab.evolution.protocol import (
    LARGEST_SCALE,
    MOST_OFFSPRING,
    SMALLEST_SCALE,
    AdaptedState,
    check_state,
    checked_fitness,
    checked_index,
    checked_mean,
)
from pokerlab.evolution.pycma import DIAGONAL, FULL, NONE, Adaptation, adaptation

STEPS = ("path", "two points")
WEIGHTS = ("equal", "pycma")


class ByPycma(ABC):
    """Offspring and updates by pycma's parts, those that a strategy names in `parts`."""

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
    steps : str
        What the step size follows. 'path': the length of the mean's smoothed path. 'two points': two
        of the offspring lie on the line of the mean's last step, one ahead and one behind; it grows
        where the one ahead is fitter. That follows faster where genes are many and fitness is smooth
        (pycma does so from 300 on), but shrinks too soon on ridges, such as a worst case has.

    References
    ----------
    .. [1] N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016, arXiv:1604.00772
    .. [2] R. Ros, N. Hansen, "A Simple Modification in CMA-ES Achieving Linear Time and Space
       Complexity", PPSN 2008 (the diagonal form)
    .. [3] N. Hansen, A. Atamna, A. Auger, "How to Assess Step-Size Adaptation Mechanisms in
       Randomised Search", PPSN 2014 (two points)

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
    steps: str = "path"

    def __post_init__(self) -> None:
        if self.population is not None:
            whole("population", self.population, 3, MOST_OFFSPRING)
        number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        switch("diagonal", self.diagonal)
        UnknownNameError.check("rule for steps", self.steps, STEPS)

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start = checked_mean(mean)
        size = self.population
        if size is None:
            size = 4 + int(3 * math.log(len(start)))
        parts = self.parts(len(start), int(size))
        return parts.first_state(start, float(self.step_size), seed, checked_index(index))

    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        adapted = DIAGONAL if self.diagonal else FULL
        return adaptation(n, population, adapted, two_points=self.steps == "two points")


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

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> AdaptedState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start = checked_mean(mean)
        parts = self.parts(len(start), int(self.population))
        return parts.first_state(start, float(self.step_size), seed, checked_index(index))

    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        return adaptation(n, population, NONE, equal_weights=self.weights == "equal")
