"""The state of learning dynamics: the behavior now, and the sum of realization plans so far."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import behavior_of


@dataclass(frozen=True, eq=False)
class DynamicsState:
    """Where a dynamic stands.

    x(1) is the start; iteration t adds x(t) to the average and then updates. So after t iterations
    the average covers x(1) to x(t) and the current profile is x(t + 1); at iteration 0 both are
    x(1).

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        Iterations done.
    behavior : ndarray of shape (S,)
        Present probabilities of all sequences, the n empty ones first.
    plan_sum : ndarray of shape (S,)
        Weighted sum of the realization plans so far.
    """

    game: SequenceForm
    iteration: int
    behavior: Floats
    plan_sum: Floats

    @property
    def current(self) -> Profile:
        """What is played now."""
        return Profile.computed(self.game, self.behavior[self.game.num_players :].copy())

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans; uniform where their reach is zero."""
        if self.iteration == 0:
            return self.current
        return Profile.computed(self.game, behavior_of(self.game.block, self.plan_sum))

    @classmethod
    def begin(cls, game: SequenceForm, start: Profile | None, **others: Any) -> Self:
        """Return the state before the first iteration, at `start` or at the uniform profile."""
        profile = game.uniform() if start is None else start
        behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
        return cls(game, 0, behavior, np.zeros_like(behavior), **others).frozen()

    def frozen(self) -> Self:
        """Make all arrays read-only."""
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        return self
