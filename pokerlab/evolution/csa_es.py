"""CSA-ES: one step size for all genes, adapted by the length of the mean's path, by pycma."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import number, whole
from pokerlab.evolution.protocol import (
    LARGEST_SCALE,
    MOST_OFFSPRING,
    SMALLEST_SCALE,
    check_kind,
    checked_fitness,
    checked_index,
    checked_mean,
)
from pokerlab.evolution.pycma import NONE, Adaptation, adaptation
from pokerlab.evolution.state import AdaptedState

WEIGHTS = ("equal", "pycma")


@dataclass(frozen=True, kw_only=True)
class CSAES:
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

    def ask(self, state: AdaptedState) -> Floats:
        """Return the offspring to be evaluated, (population, n)."""
        check_kind(self, state, AdaptedState)
        return self.parts(state.num_genes, state.population).offspring(state)

    def tell(self, state: AdaptedState, population: ArrayLike, fitness: ArrayLike) -> AdaptedState:
        """Return the state after the offspring's fitness, (population,), is known."""
        check_kind(self, state, AdaptedState)
        genomes, values = checked_fitness(state, population, fitness)
        return self.parts(state.num_genes, state.population).updated(state, genomes, values)

    def parts(self, n: int, population: int) -> Adaptation:
        """Return pycma's constants and parts for this size."""
        return adaptation(n, population, NONE, equal_weights=self.weights == "equal")
