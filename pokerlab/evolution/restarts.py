"""Restarts: an evolution that starts again when it stalls, perhaps elsewhere and with more offspring."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.core.streams import stream
from pokerlab.evolution.protocol import (
    LARGEST_SCALE,
    MOST_OFFSPRING,
    NOTHING_YET,
    AdaptedState,
    EvolutionState,
    EvolutionStrategy,
    check_shape,
    check_state,
    check_strategy,
    checked_index,
    checked_mean,
)

CENTERS = ("start", "best")
WORST_CONDITION = 1e14
"""Largest condition of a covariance: beyond it, small eigenvalues are rounding; pycma's 'tolconditioncov'."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RestartsState(EvolutionState):
    """The state of an evolution with restarts: the present run, and totals over all runs.

    Generation, evaluations and best cover all runs; population, mean and step size are the run's.

    Attributes
    ----------
    run : EvolutionState
        The present run; its index ends with `restarts`.
    start : ndarray of shape (n,)
        The mean of the first run.
    restarts : int
        Runs given up.
    mark : float
        The run's best fitness when it last made progress.
    marked : int
        The run's generation in which it did.
    ended : str
        Why the run before this one was given up: 'no progress', 'converged' or 'ill-conditioned'.
    """

    run: EvolutionState
    start: Floats
    restarts: int
    mark: float
    marked: int
    ended: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shape("start", self.start, self.mean.shape)

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring, (n,)."""
        return self.run.deviations


@dataclass(frozen=True, kw_only=True)
class Restarts:
    """Another strategy, restarted whenever its run stalls.

    A run has stalled after a generation if one of these holds, checked in this order:

    - 'no progress': in its last `patience` generations its best fitness has not grown by more than
      `tolerance`;
    - 'converged': every gene's standard deviation is below `smallest_deviation`;
    - 'ill-conditioned': its covariance has a condition above 1e14.

    The next run's mean is the first run's or the best genome of all, and normal numbers with standard
    deviation `spread` added; its step size is the strategy's first; its population is the first run's
    times `growth` for every restart, at most `largest_population`, rounded down to an even number if
    the first run's is even.

    Parameters
    ----------
    strategy : EvolutionStrategy
        What is restarted, such as `CMAES()`; given by position or name.
    patience : int, optional
        Generations without progress; 10 + 30 n / population, rounded up, if left out.
    tolerance : float
        The largest gain that does not count as progress, in units of fitness.
    smallest_deviation : float
        Below it, a run has converged; in units of genes. With 0 no run does.
    growth : float
        The factor by which the population grows, 1 to 1e6; 1 leaves it constant.
    largest_population : int
        Where it stops growing, 3 to 100,000.
    around : str
        'start' or 'best': where the next run begins.
    spread : float
        How far from there, in units of genes.

    References
    ----------
    .. [1] A. Auger, N. Hansen, "A Restart CMA Evolution Strategy With Increasing Population Size",
       CEC 2005: doubling, and the number of generations without progress

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.evolution import CMAES
    >>> strategy = Restarts(CMAES(), growth=2)
    >>> state = strategy.init(np.ones(3), seed=1)
    >>> for _ in range(300):
    ...     offspring = strategy.ask(state)
    ...     state = strategy.tell(state, offspring, -np.abs(offspring).sum(axis=1))
    >>> state.restarts, state.population, state.ended
    (2, 28, 'converged')
    """

    strategy: EvolutionStrategy[Any] = dataclasses.field(kw_only=False)
    patience: int | None = None
    tolerance: float = 1e-12
    smallest_deviation: float = 1e-11
    growth: float = 2.0
    largest_population: int = 5000
    around: str = "start"
    spread: float = 1.0

    def __post_init__(self) -> None:
        check_strategy(self.strategy)
        if self.patience is not None:
            whole("patience", self.patience, 1, LARGEST_COUNT)
        number("tolerance", self.tolerance, 0, LARGEST_SCALE)
        number("spread", self.spread, 0, LARGEST_SCALE)
        number("smallest_deviation", self.smallest_deviation, 0, LARGEST_SCALE)
        number("growth", self.growth, 1, 1e6)
        whole("largest_population", self.largest_population, 3, MOST_OFFSPRING)
        UnknownNameError.check("place to restart around", self.around, CENTERS)

    def init(self, mean: ArrayLike, *, seed: int, index: tuple[int, ...] = ()) -> RestartsState:
        """Return the state in which nothing has been evaluated; `mean` is (n,)."""
        start, names = checked_mean(mean), checked_index(index)
        run = self.strategy.init(start, seed=seed, index=(*names, 0))
        return RestartsState(
            seed=seed,
            index=names,
            population=run.population,
            generation=0,
            evaluations=0,
            mean=run.mean,
            step_size=run.step_size,
            best=run.best,
            best_fitness=run.best_fitness,
            run=run,
            start=start,
            restarts=0,
            mark=NOTHING_YET,
            marked=0,
            ended="",
        )

    def ask(self, state: RestartsState) -> Floats:
        """Return the offspring to be evaluated, (population, n)."""
        check_state(self, state, RestartsState)
        return self.strategy.ask(state.run)

    def tell(
        self, state: RestartsState, population: ArrayLike, fitness: ArrayLike
    ) -> RestartsState:
        """Return the state after the offspring's fitness, (population,), is known; perhaps in a new run."""
        check_state(self, state, RestartsState)
        run = self.strategy.tell(state.run, population, fitness)
        progress = run.best_fitness - self.tolerance > state.mark
        better = run.best_fitness > state.best_fitness
        updated = dataclasses.replace(
            state,
            generation=state.generation + 1,
            evaluations=state.evaluations + run.evaluations - state.run.evaluations,
            best=run.best if better else state.best,
            best_fitness=run.best_fitness if better else state.best_fitness,
            mark=run.best_fitness if progress else state.mark,
            marked=run.generation if progress else state.marked,
            **run_fields(run),
        )
        ended = self.stalled(updated)
        return self.restarted(updated, ended) if ended else updated

    def stalled(self, state: RestartsState) -> str:
        """Return why the present run is to be given up, or '' if it is not."""
        run = state.run
        patience = self.patience
        if patience is None:
            patience = 10 + math.ceil(30 * run.num_genes / run.population)
        if run.generation - state.marked >= patience:
            return "no progress"
        if (run.deviations < self.smallest_deviation).all():
            return "converged"
        lengths = run.axis_lengths if isinstance(run, AdaptedState) else run.mean[:0]
        if lengths.size and (lengths.max() / lengths.min()) ** 2 > WORST_CONDITION:
            return "ill-conditioned"
        return ""

    def restarted(self, state: RestartsState, ended: str) -> RestartsState:
        """Return the state in which the next run begins."""
        number = state.restarts + 1
        center = state.best if self.around == "best" else state.start
        away = stream(state.seed, "restart", *state.index, number)
        mean = center + self.spread * away.standard_normal(state.num_genes)
        run = self.strategy.init(mean, seed=state.seed, index=(*state.index, number))
        run = dataclasses.replace(run, population=self.grown(run.population, number))
        return dataclasses.replace(
            state, restarts=number, mark=NOTHING_YET, marked=0, ended=ended, **run_fields(run)
        )

    def grown(self, first: int, number: int) -> int:
        """Return the population after `number` restarts; `first` is the first run's."""
        if first >= self.largest_population:
            return first
        room = math.log(self.largest_population / first)
        full = number * math.log(self.growth) >= room  # growth**number itself would overflow
        size = self.largest_population if full else int(first * self.growth**number)
        return size - size % 2 if first % 2 == 0 else size


def run_fields(run: EvolutionState) -> dict[str, Any]:
    """Return the present run, and the fields that repeat its numbers."""
    return {
        "run": run,
        "population": run.population,
        "mean": run.mean,
        "step_size": run.step_size,
    }
