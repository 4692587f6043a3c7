"""The Moran process: a population of fixed size in which chance decides who reproduces.

In each event one individual, drawn in proportion to fitness, has a child of its kind, which replaces an individual that
is drawn uniformly. Fitness is the average payoff of an individual against all others, plus a shift.
"""

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
from pokerlab.core.arrays import checked_numbers, fill_missing
from pokerlab.core.errors import quote_value
from pokerlab.core.random_numbers import random_stream
from pokerlab.core.settings import checked_integer, checked_number
from pokerlab.games.matrix_games import checked_payoffs

MOST = 100_000  # individuals
MOST_EVENTS = 10_000_000


class MoranProcess:
    """A population of `size` individuals who play a symmetric game in pairs.

    Parameters
    ----------
    payoff : array_like, shape (K, K)
        What the row's strategy earns from the column's.
    size : int
        Individuals, at least 2.
    payoff_shift : float
        Added to all payoffs, so that fitness is positive. The larger it is, the more chance decides.

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
    >>> round(float(twice_as_fit.fixation()[1]), 6)  # (1 - 1/2) / (1 - 1/2^10)
    0.500489
    """

    def __init__(self, payoff: ArrayLike, size: int, *, payoff_shift: float = 0.0) -> None:
        given = checked_payoffs(fill_missing(payoff), "the game").astype(np.float64)
        if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) < 2:
            raise ShapeError(
                f"payoffs have shape {given.shape}; give as many rows as columns, two or more."
            )
        self.shift = checked_number("payoff_shift", payoff_shift, -1e6, 1e6)
        if given.min() + self.shift <= 0.0:
            raise SettingError(
                f"payoff_shift {payoff_shift:g} leaves a payoff of {given.min() + self.shift:g}; fitness must be"
                f" positive. Use more than {-given.min():g}."
            )
        self.payoff, self.size = given, checked_integer("size", size, 2, MOST)

    def fitness(self, counts: ArrayLike) -> Floats:
        """Return the fitness of each strategy, (..., K), where `counts`, (..., K), play them.

        Raises
        ------
        ShapeError
            If `counts` are not whole numbers, or not one for each strategy.
        ProbabilityError
            If they are negative, or do not sum to the population's size.
        """
        return self.compute_fitness(self.checked_counts(counts))

    def checked_counts(self, counts: ArrayLike) -> Ints:
        """Return counts, (..., K), as integers, after checking that they can be those of the population."""
        given = checked_distribution(counts, len(self.payoff), self.size)
        if (given % 1.0).any():
            raise ShapeError(f"counts are {given.tolist()}; give whole numbers.")
        return given.astype(np.int64)

    def compute_fitness(self, counts: Ints) -> Floats:
        """Return the fitness of each strategy, (..., K), without a check of the counts, (..., K)."""
        total_payoff = counts @ self.payoff.T - np.diag(self.payoff)  # nobody plays against itself
        return np.asarray(total_payoff / (self.size - 1) + self.shift)

    def fixation(self) -> Floats:
        """Return the fixation probabilities of the first of two strategies, (N + 1,), from 0 to N players of it.

        In this birth-and-death chain with i players of it, a step down is G_i / F_i times as likely as a step up, where
        F_i and G_i are the fitness of the first and of the second strategy. So the probability from i is the sum over
        j < i of the products of these ratios up to j, over the same sum over all j < N.
        """
        if len(self.payoff) != 2:
            raise GameError(
                f"fixation is between two strategies; this game has {len(self.payoff)}. Use run."
            )
        i = np.arange(1, self.size)
        fitness = self.compute_fitness(np.stack([i, self.size - i], axis=1))
        products = np.cumsum(np.log(fitness[:, 1] / fitness[:, 0]))
        sums = np.logaddexp.accumulate(np.append(0.0, products))
        return np.append(0.0, np.exp(sums - sums[-1]))

    def run(self, counts: ArrayLike, events: int, *, seed: int, index: int = 0) -> Ints:
        """Return the counts of the strategies at the start and after each event, (events + 1, K).

        `index` says which of several runs of a seed it is. A run whose population is of one kind stays so.
        """
        checked_integer("events", events, 0, MOST_EVENTS)
        now = self.checked_counts(counts)
        if now.ndim != 1:
            raise ShapeError(f"counts have shape {now.shape}; give one for each strategy.")
        path = np.empty((events + 1, len(now)), dtype=np.int64)
        path[0] = now
        draws = random_stream(seed, "births and deaths", index).random((events, 2))
        for event, (birth, death) in enumerate(draws, 1):
            if now.max() == self.size:
                path[event:] = now
                break
            total_fitness = np.cumsum(now * self.compute_fitness(now))
            total_count = np.cumsum(now)
            now[np.searchsorted(total_fitness, birth * total_fitness[-1], side="right")] += 1
            now[np.searchsorted(total_count, death * self.size, side="right")] -= 1
            path[event] = now
        return path

    def limit(self, shares: ArrayLike, times: ArrayLike) -> Floats:
        """Return the shares of an infinite population at increasing `times`, in generations of N events, (T, K).

        There chance averages out: x_i' = x_i (f_i - f) / f with the mean fitness f. Its orbits are those of the
        replicator flow, at another speed (Traulsen, Claussen & Hauert 2005).

        Parameters
        ----------
        shares : array_like, shape (K,)
            At time 0.
        times : array_like, shape (T,)
            From 0, each larger than the one before.

        Raises
        ------
        SettingError
            If `times` are negative, do not increase, or are none at all.
        """
        from scipy.integrate import solve_ivp

        start = checked_distribution(shares, len(self.payoff))
        at = checked_numbers(times, "times")
        if start.ndim != 1:
            raise ShapeError(f"shares have shape {start.shape}; give one for each strategy.")
        if at.ndim != 1 or not len(at) or not (np.isfinite(at).all() and at[0] >= 0.0):
            raise SettingError(f"times are {quote_value(times)}; give a row of numbers from 0.")
        if (np.diff(at) <= 0.0).any():
            raise SettingError(
                f"times are {quote_value(times)}; give numbers each larger than the one before."
            )

        def derivative(_: float, x: Floats) -> Floats:
            fitness = self.payoff @ x + self.shift
            mean = x @ fitness
            return np.asarray(x * (fitness - mean) / mean)

        solution = solve_ivp(
            derivative, (0.0, at[-1] or 1.0), start, t_eval=at, rtol=1e-9, atol=1e-12
        )
        if not solution.success:
            raise ConvergenceError(
                f"the flow cannot be followed to time {at[-1]:g}: {solution.message}"
            )
        return np.asarray(solution.y.T)

    def __repr__(self) -> str:
        return f"<Moran process: {self.size} individuals, {len(self.payoff)} strategies>"


def checked_distribution(shares: ArrayLike, size: int, total: int = 1) -> Floats:
    """Return shares, (..., K), after checking that none is negative and the last axis sums to `total`."""
    given = checked_numbers(shares, "shares", ProbabilityError)
    if not given.ndim or given.shape[-1] != size:
        raise ShapeError(
            f"{quote_value(shares)} has shape {given.shape}; give one for each of {size} strategies."
        )
    sums = given.sum(axis=-1)
    if not (given >= 0.0).all() or (np.abs(sums - total) > 1e-9).any():
        raise ProbabilityError(
            f"{quote_value(given.tolist())} sum to {' '.join(f'{each:g}' for each in np.unique(sums)[:3])}; none may be"
            f" negative or missing, and they must sum to {total}."
        )
    return given
