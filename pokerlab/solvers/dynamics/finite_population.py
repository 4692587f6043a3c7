"""Populations of a fixed number, in which chance decides who breeds: the Moran process.

In each event one individual, drawn in proportion to fitness, has a child of its kind, which takes the place of one that
is drawn by lot. Fitness is what an individual earns on average from all others, plus a shift.
"""

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, Ints, ProbabilityError, SettingError, ShapeError
from pokerlab.core.settings import number, whole
from pokerlab.core.streams import stream
from pokerlab.games.matrix import numbers

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
        given = numbers(payoff, "the game").astype(np.float64)
        if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) < 2:
            raise ShapeError(
                f"payoffs have shape {given.shape}; give as many rows as columns, two or more."
            )
        self.shift = number("payoff_shift", payoff_shift, -1e6, 1e6)
        if given.min() + self.shift <= 0.0:
            raise SettingError(
                f"payoff_shift {payoff_shift:g} leaves a payoff of {given.min() + self.shift:g}; fitness must be"
                f" positive. Use more than {-given.min():g}."
            )
        self.payoff, self.size = given, whole("size", size, 2, MOST)

    def fitness(self, counts: ArrayLike) -> Floats:
        """Return the fitness of each strategy, (..., K), where `counts`, (..., K), play them; nobody meets itself."""
        meetings = np.asarray(counts, dtype=np.float64) @ self.payoff.T - np.diag(self.payoff)
        return np.asarray(meetings / (self.size - 1) + self.shift)

    def fixation(self) -> Floats:
        """Return the chance that the first of two strategies takes over, (N + 1,), from 0 to N who play it.

        A birth-and-death chain: with i who play it, the others are G_i / F_i times as likely to win the next one. So
        the chance from i is the sum of the products of these ratios up to each j < i, over that of all j < N.
        """
        if len(self.payoff) != 2:
            raise GameError(
                f"fixation is between two strategies; this game has {len(self.payoff)}. Use run."
            )
        i = np.arange(1, self.size)
        fitness = self.fitness(np.stack([i, self.size - i], axis=1))
        products = np.cumsum(np.log(fitness[:, 1] / fitness[:, 0]))
        sums = np.logaddexp.accumulate(np.append(0.0, products))
        return np.append(0.0, np.exp(sums - sums[-1]))

    def run(self, counts: ArrayLike, events: int, *, seed: int, index: int = 0) -> Ints:
        """Return who plays what at the start and after each event, (events + 1, K).

        `index` says which of several runs of a seed it is. A run whose population is of one kind stays so.
        """
        whole("events", events, 0, MOST_EVENTS)
        given = distribution(counts, len(self.payoff), self.size)
        now = given.astype(np.int64)
        if (now != given).any():
            raise ShapeError(f"counts are {given.tolist()}; give whole numbers.")
        path = np.empty((events + 1, len(now)), dtype=np.int64)
        path[0] = now
        draws = stream(seed, "births and deaths", index).random((events, 2))
        for event, (birth, death) in enumerate(draws, 1):
            if now.max() == self.size:
                path[event:] = now
                break
            chances, places = np.cumsum(now * self.fitness(now)), np.cumsum(now)
            now[np.searchsorted(chances, birth * chances[-1], side="right")] += 1
            now[np.searchsorted(places, death * self.size, side="right")] -= 1
            path[event] = now
        return path

    def limit(self, shares: ArrayLike, times: ArrayLike) -> Floats:
        """Return the shares of an endless population at rising `times`, in generations of N events, (T, K).

        There chance averages out: x_i' = x_i (f_i - f) / f with the mean fitness f. Its orbits are those of the
        replicator flow, run through at another speed (Traulsen, Claussen & Hauert 2005).
        """
        from scipy.integrate import solve_ivp

        start, at = distribution(shares, len(self.payoff)), np.asarray(times, dtype=np.float64)

        def growth(_: float, x: Floats) -> Floats:
            fitness = self.payoff @ x + self.shift
            mean = x @ fitness
            return np.asarray(x * (fitness - mean) / mean)

        span, precision = (min(at.min(), 0.0), at.max()), {"rtol": 1e-9, "atol": 1e-12}
        return np.asarray(solve_ivp(growth, span, start, t_eval=at, **precision).y.T)

    def __repr__(self) -> str:
        return f"<Moran process: {self.size} individuals, {len(self.payoff)} strategies>"


def distribution(shares: ArrayLike, size: int, total: int = 1) -> Floats:
    """Return shares, (K,), that are not negative and sum to `total`; refuse anything else."""
    given = np.asarray(shares, dtype=np.float64)
    if given.shape != (size,):
        raise ShapeError(
            f"{given.tolist()} has shape {given.shape}; give one for each of {size} strategies."
        )
    if not (given >= 0.0).all() or abs(given.sum() - total) > 1e-9:
        raise ProbabilityError(
            f"{given.tolist()} sum to {given.sum():g}; none may be negative, and they must sum to {total}."
        )
    return given
