"""The equilibrium of a two-player zero-sum game by linear programming, without a detour."""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import ConvergenceError
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sweeps import behaviour_of
from pokerlab.solvers.protocol import check_zero_sum_pair, largest_utility
from pokerlab.solvers.sequence_form_program import SequenceFormProgram

EQUILIBRIUM_TOLERANCE = 1e-8
"""HiGHS ends at a vertex, exact but for rounding; a NashConv above it means that it has failed."""


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium of a two-player zero-sum game.

    Attributes
    ----------
    value : float
        What player 1 wins, in the game's unit.
    profile : Profile
        The equilibrium.
    nash_conv : float
        What is left to gain: rounding.
    pivots : int
        Iterations of the simplex method.
    """

    value: float
    profile: Profile
    nash_conv: float
    pivots: int


class SequenceFormLP:
    """Solve a two-player zero-sum game exactly, by HiGHS' dual simplex method.

    Parameters
    ----------
    game : SequenceForm
        Two players, zero-sum.

    Examples
    --------
    >>> import pokerlab as pl
    >>> round(SequenceFormLP(pl.games.kuhn()).solve().value * 18, 9)
    -1.0
    """

    def __init__(self, game: SequenceForm) -> None:
        check_zero_sum_pair(
            game,
            "the sequence-form linear program",
            ("solvers.CFRPlus", "solvers.ReplicatorDynamics"),
        )
        self.game = game

    def solve(self) -> Solution:
        """Return an equilibrium.

        Raises
        ------
        ConvergenceError
            If HiGHS ends without an optimum, or its answer is not an equilibrium.
        """
        game, program = self.game, SequenceFormProgram(self.game)
        optimum = program.optimum(np.ones(program.num_sequences, dtype=np.bool_))
        profile = Profile.computed(game, behaviour_of(game.block, optimum.plan))
        left = game.nash_conv(profile)
        if not left <= EQUILIBRIUM_TOLERANCE * largest_utility(game):
            raise ConvergenceError(
                f"the linear program of {game.name} ended with NashConv {left:.3g} {game.unit}, not 0."
                " Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."
            )
        return Solution(optimum.value, profile, left, optimum.pivots)
