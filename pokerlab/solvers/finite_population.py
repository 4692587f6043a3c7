"""The Moran process: evolution of a population of fixed size, in which reproduction is random.

In each event an individual is drawn with a probability proportional to its fitness. It has a child with the same
strategy, which replaces an individual that is drawn uniformly. The fitness of an individual is its average payoff
against all other individuals, plus a shift.
"""

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    ConvergenceError,
    Floats,
    GameError,
    Ints,
    ProbabilityError,
    SettingError,
    ShapeError,
)
from pokerlab.core.arrays import fill_masked_with_nan, validate_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.settings import validate_integer, validate_number
from pokerlab.games.matrix_games import validate_payoffs

MOST_INDIVIDUALS = 100_000
MOST_EVENTS = 10_000_000
MOST_FITNESS_SUMS = 100_000
"""The number of populations whose fitness a run remembers."""
SUM_TOLERANCE = 1e-9  # the largest rounding error of a sum of shares
MOST_SHOWN_SUMS = 3  # the largest number of wrong sums in an error message


@explain_renamed_attributes
class MoranProcess:
    """The Moran process in a population whose individuals play a symmetric game in pairs.

    Parameters
    ----------
    payoff : array_like of shape (K, K)
        The payoff of the row's strategy against the column's.
    size : int
        The number of individuals, at least 2.
    payoff_shift : float
        A constant that is added to all payoffs, so that fitness is positive. The larger it is, the weaker is selection.

    References
    ----------
    .. [1] P. A. P. Moran, "Random processes in genetics", Proceedings of the Cambridge Philosophical Society 54, 1958
    .. [2] C. Taylor, D. Fudenberg, A. Sasaki & M. A. Nowak, "Evolutionary game dynamics in finite populations",
       Bulletin of Mathematical Biology 66, 2004
    .. [3] A. Traulsen, J. C. Claussen & C. Hauert, "Coevolutionary dynamics: from finite to infinite populations",
       Physical Review Letters 95, 2005

    Examples
    --------
    >>> twice_as_fit = MoranProcess([[2, 2], [1, 1]], size=10)
    >>> probabilities = twice_as_fit.compute_fixation_probabilities()
    >>> round(float(probabilities[1]), 6)  # (1 - 1/2) / (1 - 1/2^10)
    0.500489
    """

    def __init__(self, payoff: ArrayLike, size: int, *, payoff_shift: float = 0.0) -> None:
        matrix = validate_payoffs(fill_masked_with_nan(payoff), "the game").astype(np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
            raise ShapeError(
                f"payoffs have shape {matrix.shape}; give as many rows as columns, two or more."
            )

        self.shift = validate_number("payoff_shift", payoff_shift, -1e6, 1e6)
        lowest_fitness = matrix.min() + self.shift
        if lowest_fitness <= 0.0:
            raise SettingError(
                f"payoff_shift {payoff_shift:g} leaves a payoff of {lowest_fitness:g}; fitness must be"
                f" positive. Use more than {-matrix.min():g}."
            )

        self.payoff = matrix
        self.size = validate_integer("size", size, 2, MOST_INDIVIDUALS)

    def compute_fitness(self, counts: ArrayLike) -> Floats:
        """Return the fitness of each strategy in one or several populations.

        Parameters
        ----------
        counts : array_like of shape (..., K)
            The number of individuals that play each of the K strategies.

        Returns
        -------
        array of shape (..., K)
            The fitness of each strategy in each population.

        Raises
        ------
        ShapeError
            If a count is not a whole number, or if there is not one count for each strategy.
        ProbabilityError
            If a count is negative, or if the counts do not sum to the size of the population.
        """
        return self.compute_fitness_without_checks(self.validate_counts(counts))

    def validate_counts(self, counts: ArrayLike) -> Ints:
        """Return the numbers of individuals that play each strategy as integers, after checking them.

        Parameters
        ----------
        counts : array_like of shape (..., K)
            The number of individuals that play each of the K strategies, in one or several populations.

        Returns
        -------
        array of int, shape (..., K)
            The same numbers.

        Raises
        ------
        ShapeError
            If a count is not a whole number, or if there is not one count for each strategy.
        ProbabilityError
            If a count is negative, or if the counts do not sum to the size of the population.
        """
        distribution = validate_distribution(counts, len(self.payoff), self.size)
        if (distribution % 1.0).any():
            raise ShapeError(f"counts are {distribution.tolist()}; give whole numbers.")
        return distribution.astype(np.int64)

    def compute_fitness_without_checks(self, counts: Ints) -> Floats:
        """Return the fitness of each strategy: its average payoff against all other individuals, plus the payoff shift.

        Parameters
        ----------
        counts : array of shape (..., K)
            The number of individuals that play each of the K strategies. The numbers are not checked.

        Returns
        -------
        array of shape (..., K)
            The fitness of each strategy.
        """
        payoff_against_all = counts @ self.payoff.T
        payoff_against_others = payoff_against_all - np.diag(self.payoff)  # no one plays itself
        return np.asarray(payoff_against_others / (self.size - 1) + self.shift)

    def compute_fixation_probabilities(self) -> Floats:
        """Return the fixation probabilities of the first of two strategies.

        Let N be the size of the population, and F_i and G_i the fitness of the first and of the second strategy when i
        individuals play the first one. The number i follows a birth-and-death chain, in which a step from i to i - 1 is
        r_i = G_i / F_i times as likely as a step from i to i + 1. So the probability of fixation from i is the sum of
        r_1 r_2 ... r_j over j = 0, ..., i - 1, divided by the same sum over j = 0, ..., N - 1.

        Returns
        -------
        array of shape (N + 1,)
            The probability that finally all individuals play the first strategy, if 0, 1, ..., N play it at first.

        Raises
        ------
        GameError
            If the game does not have two strategies.
        """
        if len(self.payoff) != 2:
            raise GameError(
                f"fixation is between two strategies; this game has {len(self.payoff)}. Use run."
            )
        num_first = np.arange(1, self.size)  # i
        counts = np.stack([num_first, self.size - num_first], axis=1)
        first_fitness, second_fitness = self.compute_fitness_without_checks(counts).T

        # Products and sums are computed by their logarithms, which cannot overflow. The empty product is 1.
        log_products = np.cumsum(np.log(second_fitness / first_fitness))
        log_sums = np.logaddexp.accumulate(np.append(0.0, log_products))
        return np.append(0.0, np.exp(log_sums - log_sums[-1]))

    def run(self, counts: ArrayLike, events: int, *, seed: int, index: int = 0) -> Ints:
        """Return the number of individuals of each strategy at the start and after each event.

        If all individuals play the same strategy, the population does not change anymore.

        Parameters
        ----------
        counts : array_like of shape (K,)
            The number of individuals that play each of the K strategies at the start.
        events : int
            The number of events, each with a birth and a death.
        seed, index : int
            The seed of all random numbers, and an index that distinguishes several runs with the same seed.

        Returns
        -------
        array of shape (events + 1, K)
            The number of individuals of each strategy, with one row for the start and one for each event.

        Raises
        ------
        SettingError
            If `events` is negative, too large or not a whole number.
        ShapeError
            If a count is not a whole number, or if there is not one count for each strategy.
        ProbabilityError
            If a count is negative, or if the counts do not sum to the size of the population.
        """
        validate_integer("events", events, 0, MOST_EVENTS)
        population = self.validate_counts(counts)
        if population.ndim != 1:
            raise ShapeError(f"counts have shape {population.shape}; give one for each strategy.")

        path = np.empty((events + 1, len(population)), dtype=np.int64)
        path[0] = population
        uniforms = random_stream(seed, "births and deaths", index).random((events, 2))

        @lru_cache(MOST_FITNESS_SUMS)  # a population returns to the same counts again and again
        def accumulate_fitness(counts: tuple[int, ...]) -> list[float]:
            """Return for each strategy the total fitness of all individuals that play it or a strategy before it."""
            num_individuals = np.array(counts)
            fitness = self.compute_fitness_without_checks(num_individuals)
            sums: list[float] = np.cumsum(num_individuals * fitness).tolist()
            return sums

        # Lists are faster here than arrays, since there are only a few strategies.
        current_counts: list[int] = population.tolist()
        for event, (birth_uniform, death_uniform) in enumerate(uniforms.tolist(), 1):
            if (
                max(current_counts) == self.size
            ):  # one strategy is fixed, so nothing changes anymore
                path[event:] = current_counts
                break

            # A strategy is drawn by where a uniform number falls among the cumulative sums.
            fitness_sums = accumulate_fitness(tuple(current_counts))
            count_sums = [*accumulate(current_counts)]
            born = bisect_right(fitness_sums, birth_uniform * fitness_sums[-1])
            died = bisect_right(count_sums, death_uniform * self.size)
            current_counts[born] += 1
            current_counts[died] -= 1
            path[event] = current_counts

        return path

    def integrate_limit(self, shares: ArrayLike, times: ArrayLike) -> Floats:
        """Return the shares of strategies over time in the limit of an infinite population.

        In this limit the process is deterministic: x_i' = x_i (f_i - f) / f, where f_i is the fitness of strategy i, f
        is the mean fitness, and the unit of time is N events in a population of size N. The orbits are those of the
        replicator flow, but the speed along them is different (Traulsen, Claussen & Hauert 2005).

        Parameters
        ----------
        shares : array_like of shape (K,)
            The share of each of the K strategies at time 0.
        times : array_like of shape (T,)
            T times, which are not negative, each larger than the one before.

        Returns
        -------
        array of shape (T, K)
            The shares at each time.

        Raises
        ------
        SettingError
            If `times` is empty, or if a time is negative or not larger than the one before.
        ConvergenceError
            If the integrator fails.
        """
        from scipy.integrate import solve_ivp

        start = validate_distribution(shares, len(self.payoff))
        points = validate_numbers(times, "times")
        if start.ndim != 1:
            raise ShapeError(f"shares have shape {start.shape}; give one for each strategy.")
        is_nonempty_row = points.ndim == 1 and len(points) > 0
        if not is_nonempty_row or not np.isfinite(points).all() or points[0] < 0.0:
            raise SettingError(f"times are {quote_value(times)}; give a row of numbers from 0.")
        if (np.diff(points) <= 0.0).any():
            raise SettingError(
                f"times are {quote_value(times)}; give numbers each larger than the one before."
            )

        def compute_derivatives(_: float, shares: Floats) -> Floats:
            """Return the derivatives of the shares of all strategies with respect to time."""
            fitness = self.payoff @ shares + self.shift
            mean_fitness = shares @ fitness
            return np.asarray(shares * (fitness - mean_fitness) / mean_fitness)

        # SciPy needs a time span that is not empty.
        last_time = points[-1] if points[-1] > 0.0 else 1.0
        solution = solve_ivp(
            compute_derivatives,
            (0.0, last_time),
            start,
            t_eval=points,
            rtol=1e-9,
            atol=1e-12,
        )
        if not solution.success:
            raise ConvergenceError(
                f"the flow cannot be followed to time {points[-1]:g}: {solution.message}"
            )
        return np.asarray(solution.y.T)

    def __repr__(self) -> str:
        return f"<Moran process: {self.size} individuals, {len(self.payoff)} strategies>"


def validate_distribution(shares: ArrayLike, size: int, total: int = 1) -> Floats:
    """Return the shares or counts of strategies in populations as an array of floats, after checking them.

    Parameters
    ----------
    shares : array_like of shape (..., size)
        The share of each strategy, or the number of individuals that play it, in one or several populations.
    size : int
        The number of strategies.
    total : int
        The sum of the shares in each population.

    Returns
    -------
    array of shape (..., size)
        The same numbers as floats.

    Raises
    ------
    ShapeError
        If the last axis does not have the length `size`.
    ProbabilityError
        If a share is negative or missing, or if the shares in the last axis do not sum to `total`.
    """
    distribution = validate_numbers(shares, "shares", ProbabilityError)
    if distribution.ndim == 0 or distribution.shape[-1] != size:
        raise ShapeError(
            f"{quote_value(shares)} has shape {distribution.shape}; give one for each of {size} strategies."
        )

    sums = distribution.sum(axis=-1)
    are_valid = (distribution >= 0.0).all() and (np.abs(sums - total) <= SUM_TOLERANCE).all()
    if not are_valid:  # a missing share is NaN, for which both comparisons are false
        shown_sums = " ".join(f"{each_sum:g}" for each_sum in np.unique(sums)[:MOST_SHOWN_SUMS])
        raise ProbabilityError(
            f"{quote_value(distribution.tolist())} sum to {shown_sums}; none may be"
            f" negative or missing, and they must sum to {total}."
        )

    return distribution
