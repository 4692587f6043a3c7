"""Lanctot (2014): the polynomial weights of section 2.2, which Lemma 1 makes move as replicator dynamics do."""

import numpy as np

from pokerlab.core import Floats, checked_number, inlined, kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players,
)
from pokerlab.solvers.dynamics import Dynamics
from pokerlab.solvers.protocol import LARGEST_SHIFT, check_interior_start, check_payoff_shift


class PolynomialWeights(Dynamics):
    """A learner at every information set that multiplies weights by 1 - eta times loss.

    The loss of a choice is what it wins less than the best choice there, over the range of all (eq. 8). With eta_I as
    in Lemma 1, the range over the best choice's shifted utility, the weights move exactly as in `ReplicatorDynamics`.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    payoff_shift : float
        Added to all utilities, in the game's unit; it matters only for the eta of Lemma 1.
    eta : float, optional
        A fixed learning rate, at most 1/2 (section 2.2); left out, eta_I(t) of Lemma 1.
    order : {'alternating', 'simultaneous'}
        Whether a player sees what those before have just learned.
    start : Profile, optional
        x(1), every action with positive probability; uniform if left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float,
        eta: float | None = None,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        if eta is None:
            check_payoff_shift(game, payoff_shift, "the eta of Lemma 1")
        else:
            checked_number("eta", eta, 1e-12, 0.5)
            checked_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
        check_interior_start(start, "polynomial weights")
        self.payoff_shift = float(payoff_shift)
        self.eta = None if eta is None else float(eta)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Do `count` iterations after the first `done`."""
        eta = np.nan if self.eta is None else self.eta
        weight_steps(
            self.game.block, behavior, plan_sum, count, self.payoff_shift, eta, self.alternating
        )


@kernel
def weight_steps(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    eta: float,
    alternating: bool,
) -> None:
    """Do `count` iterations; overwrites `behavior` and `plan_sum`. NaN stands for Lemma 1's eta."""
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, game.ends, player, behavior)
            for updated in select_players(player, n, alternating):
                weigh(game, updated, shift, eta, behavior, plan_sum, fitness)


@inlined
def weigh(
    game: Workspace,
    player: int,
    shift: float,
    eta: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Add the plan to the average, and multiply weights by 1 - eta times loss."""
    fitness[player] = game.value[player] + shift
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        rest = fitness[parent] - game.infoset_value[infoset]
        best, worst = -np.inf, np.inf
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            fitness[q] = rest + game.value[q]
            best = max(best, fitness[q])
            worst = min(worst, fitness[q])
        spread = best - worst
        rate = eta
        if np.isnan(eta):
            rate = spread / best if best > 0.0 else 0.0  # Lemma 1
        total = 0.0
        for q in range(begin, end):
            loss = (best - fitness[q]) / spread if spread > 0.0 else 0.0  # eq. 8
            behavior[q] *= 1.0 - rate * loss
            total += behavior[q]
        for q in range(begin, end):
            behavior[q] /= total
            game.plan[q] = reach * behavior[q]
