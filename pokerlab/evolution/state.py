"""The state of an evolution: numbers and arrays whose shapes stay the same from generation to generation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Floats

NOTHING_YET = float(np.finfo(np.float64).min)
"""The best fitness before anything was evaluated: finite, so that a checkpoint can hold it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EvolutionState:
    """The state of an evolution strategy after `generation` generations.

    Attributes
    ----------
    seed : int
        Determines the random numbers, with `index` and the generation.
    index : tuple of int
        Which of several evolutions under this seed.
    population : int
        Offspring in a generation.
    generation : int
        Generations done.
    evaluations : int
        Fitness values given to `tell`.
    mean : ndarray of shape (n,)
        The center of the offspring.
    step_size : float
        How far, before any adaptation to directions.
    best : ndarray of shape (n,)
        The fittest offspring so far, the earliest among equals; at the start the first mean.
    best_fitness : float
        Its fitness; `NOTHING_YET` at the start.
    """

    seed: int
    index: tuple[int, ...]
    population: int
    generation: int
    evaluations: int
    mean: Floats
    step_size: float
    best: Floats
    best_fitness: float

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        check_shape("best", self.best, self.mean.shape)

    @property
    def num_genes(self) -> int:
        """n: the length of a genome."""
        return len(self.mean)

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring, (n,)."""
        return np.full(self.num_genes, self.step_size)


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptedState(EvolutionState):
    """The state of one of pycma's strategies, with the covariance and the paths behind it.

    Attributes
    ----------
    step_path : ndarray of shape (n,)
        The smoothed steps of the mean, all directions alike: its length drives the step size.
    mean_path : ndarray of shape (n,)
        The smoothed steps of the mean in the genes' scales, for the rank-one update.
    scales : ndarray of shape (n,)
        The scale of each gene.
    covariance : ndarray of shape (n, n), or (0, 0) if none is adapted
        Of the steps, in units of `scales`.
    axes : ndarray of the same shape
        Its eigenvectors in columns, as of generation `decomposed`.
    axis_lengths : ndarray of shape (n,), or (0,)
        The roots of its eigenvalues.
    decomposed : int
        The generation in which the covariance was last decomposed.
    shift : ndarray of shape (n,)
        The mean's last step, if the step size follows two points on its line; else 0.
    trend : float
        By how many ranks, smoothed, the point ahead was better than the one behind.
    """

    step_path: Floats
    mean_path: Floats
    scales: Floats
    covariance: Floats
    axes: Floats
    axis_lengths: Floats
    decomposed: int
    shift: Floats
    trend: float

    def __post_init__(self) -> None:
        super().__post_init__()
        n = self.num_genes
        full = n if self.covariance.size else 0
        for name, shape in {
            "step_path": (n,),
            "mean_path": (n,),
            "scales": (n,),
            "covariance": (full, full),
            "axes": (full, full),
            "axis_lengths": (full,),
            "shift": (n,),
        }.items():
            check_shape(name, getattr(self, name), shape)

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each gene among offspring, (n,)."""
        spread = self.step_size * self.scales
        return spread * np.sqrt(np.diag(self.covariance)) if self.covariance.size else spread


def check_shape(name: str, array: NDArray[np.float64], shape: tuple[int, ...]) -> None:
    """Refuse a state whose arrays do not belong together."""
    if array.shape != shape:
        raise ShapeError(
            f"{name} has shape {array.shape}; with this state's mean it must be {shape}. Begin with"
            " the strategy's own init()."
        )
