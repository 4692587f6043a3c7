"""Lanctot (2014): the polynomial weights of section 2.2, and their equality with replicator dynamics in Lemma 1.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014.
"""

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

SMALLEST_ETA, LARGEST_ETA = 1e-12, 0.5
"""The range of fixed learning rates. The bound of section 2.2 holds up to 1/2."""
LEMMA_ONE = np.nan
"""Stands in the kernels for the rate of Lemma 1, which differs by information set and iteration."""


class PolynomialWeights(Dynamics):
    """Polynomial weights: learners at all information sets that multiply the weights of actions by 1 - eta times loss.

    The loss l(I, a) of an action is how much less it wins than the best action at I, divided by the range of all
    actions there (eq. 8). With the rate eta_I of Lemma 1, which is that range over the best action's shifted utility,
    the weights move exactly as in `ReplicatorDynamics`.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    payoff_shift : float
        A constant that is added to all utilities, in the game's unit. It matters only for the rate of Lemma 1.
    eta : float, optional
        A fixed learning rate, at most 1/2 (section 2.2). By default the rate eta_I(t) of Lemma 1.
    order : {'alternating', 'simultaneous'}
        Whether players update one after the other, or all at the same time.
    start : Profile, optional
        x(1), in which every action has positive probability; uniform by default.

    Raises
    ------
    SettingError
        If `eta` is out of range, if the shift leaves a utility that is not positive and Lemma 1's rate is used, or if
        `start` gives an action the probability zero.
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
            checked_number("eta", eta, SMALLEST_ETA, LARGEST_ETA)
            checked_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
        check_interior_start(start, "polynomial weights")
        self.payoff_shift = float(payoff_shift)
        self.eta = None if eta is None else float(eta)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Run `count` iterations, and overwrite the arrays of the state. The result does not depend on `done`."""
        run_polynomial_weights(
            self.game.block,
            behavior,
            plan_sum,
            count,
            self.payoff_shift,
            LEMMA_ONE if self.eta is None else self.eta,
            self.alternating,
        )


@kernel
def run_polynomial_weights(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    eta: float,
    alternating: bool,
) -> None:
    """Run `count` iterations of polynomial weights.

    `behavior`, (S,), is overwritten by the new behavior, and to `plan_sum`, (S,), the realization plans of the
    iterations are added. `block` holds the compiled game. If `eta` is NaN, the rates are those of Lemma 1.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, game.ends, player, behavior)
            for updated in select_players(player, n, alternating):
                update_weights(game, updated, shift, eta, behavior, plan_sum, fitness)


@inlined
def update_weights(
    game: Workspace,
    player: int,
    shift: float,
    eta: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Update a player's behavior, and add the realization plan that it had before to `plan_sum`.

    The weights of actions are multiplied by 1 - eta times loss, and normalized. The counterfactual values of the
    player's actions must be in `game.value`, and its plan in `game.plan`, which is overwritten by the new plan. The
    player's entries of `fitness` are overwritten by u_i(x with g_q), those of `behavior` by the new probabilities.
    """
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
            fitness[q] = rest + game.value[q]  # eq. 5
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
