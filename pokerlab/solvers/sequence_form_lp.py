"""The linear program whose solutions are the equilibria of a two-player zero-sum game.

Player 1's plan x maximises what the best reply leaves: max v_0 such that F^T v <= U^T x, E x = e,
x >= 0, where v has an entry for each of player 2's information sets. Player 2's plan is the
program's dual (Koller, Megiddo & von Stengel 1994).
"""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import ConvergenceError
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.protocol import check_zero_sum_pair

EQUILIBRIUM_TOLERANCE = 1e-8
"""HiGHS works to 1e-7 by default and ends at a vertex; a NashConv above it means that it has failed."""


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
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, hstack

        game = self.game
        own, other = game.treeplex(0).constraints(), game.treeplex(1).constraints()
        sequences, infosets = own.shape[1], other.shape[0]
        leaves = hstack([-game.payoff_matrix(0).T, other.T], format="csc")
        flows = hstack([own, csr_array((own.shape[0], infosets))], format="csc")
        objective = np.zeros(sequences + infosets)
        objective[sequences] = -1.0  # maximise v_0
        bounds = np.full((sequences + infosets, 2), (-np.inf, np.inf))
        bounds[:sequences, 0] = 0.0
        result = linprog(
            objective,
            A_ub=leaves,
            b_ub=np.zeros(leaves.shape[0]),
            A_eq=flows,
            b_eq=np.eye(1, own.shape[0])[0],
            bounds=bounds,
            method="highs-ds",
        )
        if result.status != 0:
            raise ConvergenceError(f"HiGHS found no optimum for {game.name}: {result.message}")
        plans = [np.maximum(result.x[:sequences], 0.0), np.maximum(-result.ineqlin.marginals, 0.0)]
        profile = Profile.from_plans(game, plans)
        left = game.nash_conv(profile)
        scale = max(1.0, float(np.abs(game.payoff).max()))
        if not left <= EQUILIBRIUM_TOLERANCE * scale:
            raise ConvergenceError(
                f"the linear program of {game.name} ended with NashConv {left:.3g} {game.unit}, not 0."
                " Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."
            )
        return Solution(-float(result.fun), profile, left, int(result.nit))
