"""The evolution strategy of Salimans et al. 2017: a gradient estimated from pairs, followed by Adam.

Offspring come in pairs mean + sigma e, mean - sigma e. The gradient of the expected fitness of
offspring is estimated by the mean of fitness times e / sigma, and Adam takes a step up along it.
It climbs the fitness blurred by the offspring's spread, which stays constant or shrinks over time.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats, SettingError, UnknownNameError, stream
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.evolution.protocol import (
    LARGEST_SCALE,
    MOST_OFFSPRING,
    SMALLEST_SCALE,
    EvolutionState,
    check_state,
    checked_fitness,
    checked_mean,
)

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
            size = whole("population", self.population, 2, MOST_OFFSPRING)
            if size % 2:
                raise SettingError(
                    f"population is {size}; offspring come in pairs: give {size + 1}."
                )
        for name in ("step_size", "learning_rate"):
            number(name, getattr(self, name), SMALLEST_SCALE, LARGEST_SCALE)
        if self.patience is not None:
            number("patience", self.patience, 1, LARGEST_COUNT)
        UnknownNameError.check("shaping", self.shaping, SHAPINGS)

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> GradientState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start = checked_mean(mean)
        size = self.population
        if size is None:
            size = 2 * math.ceil((4 + int(3 * math.log(len(start)))) / 2)
        moments = {name: np.zeros(len(start)) for name in ("first_moment", "second_moment")}
        return GradientState.begin(start, float(self.step_size), int(size), seed, index, **moments)

    def ask(self, state: GradientState) -> Floats:
        """Return the offspring to be evaluated, (population, n): the second half mirrors the first."""
        check_state(self, state, GradientState)
        numbers = stream(state.seed, "offspring", *state.index, state.generation)
        half = state.step_size * numbers.standard_normal((state.population // 2, state.num_genes))
        return np.concatenate([state.mean + half, state.mean - half])

    def tell(
        self, state: GradientState, population: ArrayLike, fitness: ArrayLike
    ) -> GradientState:
        """Return the state after the offspring's fitness, (population,), is known."""
        check_state(self, state, GradientState)
        genomes, values = checked_fitness(state, population, fitness)
        shaped = centered_ranks(values) if self.shaping == "ranks" else values
        pairs = state.population // 2
        difference = shaped[:pairs] - shaped[pairs:]
        half = genomes[:pairs] - state.mean
        gradient = difference @ half / (state.population * state.step_size**2)

        time = state.generation + 1
        first, second, climb, size = adam(state.first_moment, state.second_moment, gradient, time)
        mean = state.mean + self.learning_rate * self.slowing(state.generation) * climb / size
        if not np.isfinite(mean).all():
            raise ConvergenceError(
                f"after generation {time} the mean is not finite: fitness values are too large to be"
                " squared. Divide them, or use shaping='ranks'."
            )
        step_size = self.step_size * self.slowing(time)
        others = {"mean": mean, "step_size": step_size}
        return state.after(genomes, values, **others, first_moment=first, second_moment=second)

    def slowing(self, generation: int) -> float:
        """Return the factor by which the initial step size and learning rate are multiplied in `generation`."""
        return 1.0 if self.patience is None else 1.0 / (1.0 + generation / self.patience)


def adam(
    first: Floats, second: Floats, gradient: Floats, time: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return both moments after the gradient of step `time`, from 1, then the direction and what divides it."""
    first = FIRST_DECAY * first + (1.0 - FIRST_DECAY) * gradient
    second = SECOND_DECAY * second + (1.0 - SECOND_DECAY) * gradient**2
    size = np.sqrt(second / (1.0 - SECOND_DECAY**time)) + SMALL
    return first, second, first / (1.0 - FIRST_DECAY**time), size


def centered_ranks(fitness: Floats) -> Floats:
    """Return each value's rank, from -1/2 for the lowest to 1/2 for the highest; ties share their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> centered_ranks(np.array([3.0, 7.0, 3.0, 1.0, 9.0])).tolist()
    [-0.125, 0.25, -0.125, -0.5, 0.5]
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(fitness)
    return (ranks - 1.0) / (len(fitness) - 1) - 0.5
