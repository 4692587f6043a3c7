"""The evolution strategy of Salimans et al. (2017), which estimates a gradient and follows it by the optimizer Adam.

Offspring come in pairs mean + sigma e and mean - sigma e, where e is normally distributed. The gradient of the expected
fitness of offspring is estimated by the mean of fitness times e / sigma. So the strategy climbs the fitness function
after it has been smoothed by the distribution of offspring, whose standard deviation sigma is constant or decreases
over time. As in other evolution strategies, a state consists of numbers and arrays, and `ask` and `tell`
are pure functions.

Sources: T. Salimans, J. Ho, X. Chen, S. Sidor, I. Sutskever, "Evolution Strategies as a Scalable Alternative to
Reinforcement Learning", 2017, arXiv:1703.03864; D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR
2015.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    ConvergenceError,
    Floats,
    SettingError,
    UnknownNameError,
    random_stream,
)
from pokerlab.core.settings import LARGEST_COUNT, validate_integer, validate_number
from pokerlab.evolution.adam import compute_adam_step
from pokerlab.evolution.evolution_states import (
    LARGEST_SCALE,
    SMALLEST_SCALE,
    EvolutionState,
    check_state_type,
    validate_evaluated_offspring,
)
from pokerlab.evolution.evolution_strategies import MOST_OFFSPRING, validate_first_mean

SHAPINGS = ("ranks", "raw")


@dataclass(frozen=True, eq=False, kw_only=True)
class GradientState(EvolutionState):
    """The state of a `GradientES`, which adds the moments of the optimizer Adam.

    Attributes
    ----------
    first_moment, second_moment : array of shape (n,)
        The exponential averages of the gradient and of its square for each of n genes, without Adam's correction for
        the bias from their initial value 0.
    """

    first_moment: Floats
    second_moment: Floats

    def __post_init__(self) -> None:
        """Make all arrays read-only, and raise a ShapeError if their lengths differ."""
        super().__post_init__()
        self.check_shapes(self.mean.shape, "first_moment", "second_moment")


@dataclass(frozen=True, kw_only=True)
class GradientES:
    """Gradient ascent on the expected fitness of offspring (Salimans et al. 2017), for many genes or noisy fitness.

    Parameters
    ----------
    population : int, optional
        The number of offspring in a generation, an even number from 2 to 100,000, since offspring come in pairs. The
        default is 4 + 3 ln n rounded down, where n is the number of genes, plus 1 if this is odd.
    step_size : float
        The standard deviation of every gene in the first generation.
    learning_rate : float
        The approximate change of a gene in each of the first generations.
    patience : float, optional
        The number of generations, at least 1, after which the step size and the learning rate have halved: in
        generation t they are divided by 1 + t / patience. By default they are constant, as in the paper. But if the
        fitness function has a kink at its maximum, the mean can only converge if the steps become smaller.
    shaping : str
        With 'ranks' each fitness value is replaced by its rank among the offspring, scaled to the range from -1/2 to
        1/2; equal values get their mean rank. With 'raw' fitness values are used unchanged.

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
        """Raise a SettingError if a parameter is outside its range, or an UnknownNameError if `shaping` is unknown."""
        if self.population is not None:
            size = validate_integer("population", self.population, 2, MOST_OFFSPRING)
            if size % 2:
                raise SettingError(
                    f"population is {size}; offspring come in pairs: give {size + 1}."
                )
        validate_number("step_size", self.step_size, SMALLEST_SCALE, LARGEST_SCALE)
        validate_number("learning_rate", self.learning_rate, SMALLEST_SCALE, LARGEST_SCALE)
        if self.patience is not None:
            validate_number("patience", self.patience, 1, LARGEST_COUNT)
        UnknownNameError.check("shaping", self.shaping, SHAPINGS)

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> GradientState:
        """Return the state of the evolution before any evaluation.

        Parameters
        ----------
        mean : array_like of shape (n,)
            The mean of the first offspring, a genome of n genes.
        seed : int
            The seed of all random numbers.
        index : tuple of int
            The index of this evolution among several with the same seed. Evolutions with different indices draw
            different random numbers. All indices that are used with a seed must have the same length.

        Returns
        -------
        GradientState
            The state of generation 0, in which Adam's moments are zero.

        Raises
        ------
        ShapeError
            If the mean is not a single genome.
        SettingError
            If a gene of the mean is not a finite number, or if `index` is not a tuple of nonnegative integers.
        """
        first_mean = validate_first_mean(mean)
        num_genes = len(first_mean)
        population = self.population
        if population is None:
            usual_size = 4 + int(3 * math.log(num_genes))
            population = 2 * math.ceil(usual_size / 2)  # the next even number

        return GradientState.make_first_state(
            first_mean,
            float(self.step_size),
            int(population),
            seed,
            index,
            first_moment=np.zeros(num_genes),
            second_moment=np.zeros(num_genes),
        )

    def ask(self, state: GradientState) -> Floats:
        """Return the offspring of a state, whose fitness the caller computes for `tell`.

        Parameters
        ----------
        state : GradientState
            The state. The same state always has the same offspring.

        Returns
        -------
        array of shape (population, n)
            The offspring, with a genome of n genes in each row. The second half of the rows is the first half reflected
            at the mean.

        Raises
        ------
        SettingError
            If the state belongs to another kind of evolution strategy.
        """
        check_state_type(self, state, GradientState)
        generator = random_stream(state.seed, "offspring", *state.index, state.generation)
        num_pairs = state.population // 2
        steps = state.step_size * generator.standard_normal((num_pairs, state.num_genes))
        return np.concatenate([state.mean + steps, state.mean - steps])

    def tell(self, state: GradientState, offspring: ArrayLike, fitness: ArrayLike) -> GradientState:
        """Return the state of the next generation, given the fitness of the offspring.

        The gradient is defined by Salimans et al. (2017), Algorithm 1: the mean of fitness times e / sigma over all
        offspring mean + sigma e, where sigma is the step size.

        Parameters
        ----------
        state : GradientState
            The state that was passed to `ask`, which is not changed.
        offspring : array_like of shape (population, n)
            The offspring that `ask` returned.
        fitness : array_like of shape (population,)
            The fitness of each genome: finite numbers, where larger is better.

        Returns
        -------
        GradientState
            A new state, in which the generation is larger by one.

        Raises
        ------
        SettingError
            If the state belongs to another kind of evolution strategy, or if a number is not finite.
        ShapeError
            If there is not one genome of n genes and one fitness value for each of the offspring.
        ConvergenceError
            If the new mean is not finite.
        """
        check_state_type(self, state, GradientState)
        genomes, values = validate_evaluated_offspring(state, offspring, fitness)
        shaped = compute_centered_ranks(values) if self.shaping == "ranks" else values

        # Offspring come in pairs, mean + step and mean - step, so the difference of their fitness is multiplied by the
        # step, which is sigma e.
        num_pairs = state.population // 2
        differences = shaped[:num_pairs] - shaped[num_pairs:]
        steps = genomes[:num_pairs] - state.mean
        gradient = differences @ steps / (state.population * state.step_size**2)

        time = state.generation + 1
        adam_step = compute_adam_step(state.first_moment, state.second_moment, gradient, time)
        learning_rate = self.learning_rate * self.compute_decay(state.generation)
        mean = state.mean + learning_rate * adam_step.direction / adam_step.scale
        if not np.isfinite(mean).all():
            raise ConvergenceError(
                f"after generation {time} the mean is not finite: fitness values are too large to be"
                " squared. Divide them, or use shaping='ranks'."
            )

        step_size = self.step_size * self.compute_decay(time)
        return state.make_next_state(
            genomes,
            values,
            mean=mean,
            step_size=step_size,
            first_moment=adam_step.first_moment,
            second_moment=adam_step.second_moment,
        )

    def compute_decay(self, generation: int) -> float:
        """Return the factor by which the first step size and the first learning rate are multiplied in a generation.

        The factor is 1 / (1 + generation / patience), or always 1 if `patience` is None.

        Parameters
        ----------
        generation : int
            The number of the generation, counted from 0.
        """
        return 1.0 if self.patience is None else 1.0 / (1.0 + generation / self.patience)


def compute_centered_ranks(fitness: Floats) -> Floats:
    """Return the rank of each fitness value, scaled to the range from -1/2 for the lowest to 1/2 for the highest.

    Parameters
    ----------
    fitness : array of shape (population,)
        The fitness values, at least two.

    Returns
    -------
    array of shape (population,)
        The scaled ranks. Equal values get the mean of their ranks.

    Examples
    --------
    >>> import numpy as np
    >>> compute_centered_ranks(np.array([3.0, 7.0, 3.0, 1.0, 9.0])).tolist()
    [-0.125, 0.25, -0.125, -0.5, 0.5]
    """
    # As scipy.stats.rankdata, which takes longer to import than many runs take. A value with `num_lower` lower values
    # shares the ranks from num_lower + 1 to num_not_higher with the values that equal it.
    ordered = np.sort(fitness)
    num_lower = np.searchsorted(ordered, fitness, side="left")
    num_not_higher = np.searchsorted(ordered, fitness, side="right")
    ranks = (num_lower + num_not_higher + 1) / 2.0
    return (ranks - 1.0) / (len(fitness) - 1) - 0.5
