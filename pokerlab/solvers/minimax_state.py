"""Where a minimax coevolution stands: the evolution, and the genome that loses least so far."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.evolution import EvolutionState
from pokerlab.solvers.worst_case.exact_reply import exact_values
from pokerlab.strategies import Encoding


@dataclass(frozen=True, eq=False)
class MinimaxState:
    """Where a coevolution stands after `iteration` outer generations.

    Attributes
    ----------
    game
        What is played.
    encoding : Encoding
        What genomes mean.
    iteration : int
        Outer generations done.
    evolution : EvolutionState
        Of the outer evolution.
    best : ndarray of shape (G,)
        The genome with the smallest worst case.
    best_value, best_error : float
        Its exploitability, summed over seats, as far as the worst case has found it, in the game's
        unit; and the standard error.
    generation_value : float
        The smallest worst case measured in the last generation.
    reply : ndarray of shape (R,)
        The genome that won `best_value` against `best`; nothing where replies are no genomes.
    last_reply : ndarray of shape (R,)
        The genome that won most against the best of the last generation.
    evaluations : int
        Genomes measured, the start and measuring again included.
    inner_evaluations : int
        Matches between replies and genomes.
    """

    GROWS: ClassVar[bool] = True

    game: Any
    encoding: Encoding
    iteration: int
    evolution: EvolutionState
    best: Floats
    best_value: float
    best_error: float
    generation_value: float
    reply: Floats
    last_reply: Floats
    evaluations: int
    inner_evaluations: int

    def __post_init__(self) -> None:
        genes = self.encoding.num_genes
        shapes = (self.evolution.mean.shape, self.best.shape)
        if shapes != ((genes,), (genes,)) or self.reply.shape != self.last_reply.shape:
            raise ShapeError(
                f"a coevolution of {genes} genes has a mean and a best genome of shapes {shapes}, and"
                f" replies of {self.reply.shape} and {self.last_reply.shape}; all must fit."
            )
        for array in (self.best, self.reply, self.last_reply):
            array.setflags(write=False)

    @cached_property
    def profile(self) -> Any:
        """What everybody does by the best genome."""
        return self.encoding.profile(self.best)

    @cached_property
    def exact_value(self) -> float:
        """The exploitability of the best genome by exact best responses: the sum of all seats' gains."""
        return float(self.game.nash_conv(self.profile))

    @property
    def gap(self) -> float:
        """How much of the exploitability the worst case has not found."""
        return self.exact_value - self.best_value

    @cached_property
    def gains(self) -> Floats:
        """What a best response gains in each seat, (n,)."""
        return np.asarray(self.game.gains(self.profile))

    @property
    def epsilon(self) -> float:
        """The largest gain of a single seat."""
        return float(self.gains.max())

    @cached_property
    def mean_value(self) -> float:
        """The exploitability of the evolution's mean by exact best responses."""
        return float(exact_values(self.encoding, self.evolution.mean[None, :])[0])
