"""Lanctot (2014): whether polynomial weights (section 2.2) are replicator dynamics with the rates of Lemma 1.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. `PolynomialWeights` is a solver of compiled games, which a test and the audit compare with
`ReplicatorDynamics`.
"""

import numpy as np

from pokerlab.core import Floats, inlined, kernel, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players_to_update,
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
            validate_number("eta", eta, SMALLEST_ETA, LARGEST_ETA)
            validate_number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
        check_interior_start(start, "polynomial weights")
        self.payoff_shift = float(payoff_shift)
        self.eta = None if eta is None else float(eta)

    def run_iterations(
        self, iterations_done: int, count: int, behavior: Floats, plan_sum: Floats
    ) -> None:
        """Run iterations of polynomial weights, and overwrite the arrays of their state in place.

        Parameters
        ----------
        iterations_done : int
            The number of iterations before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior : array of shape (S,)
            The probability of each sequence's last action, overwritten by the new one.
        plan_sum : array of shape (S,)
            The sum of the realization plans so far, to which those of the iterations are added.
        """
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
    """Run iterations of polynomial weights at all information sets of a game (Lanctot 2014, section 2.2).

    Parameters
    ----------
    block : array of float
        The compiled game, packed into one array.
    behavior : array of shape (S,)
        The probability of each sequence's last action, overwritten by the new one.
    plan_sum : array of shape (S,)
        The realization plans of the iterations are added to it.
    count : int
        The number of iterations.
    shift : float
        The constant that is added to all utilities.
    eta : float
        The fixed learning rate, or NaN for the rates of Lemma 1.
    alternating : bool
        Whether players update one after the other, and not all at the same time.
    """
    game = unpack_workspace(block)
    num_players = game.ids[0]
    num_sequences = game.ids[1]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, behavior)

    for _ in range(count):
        for player in range(num_players):
            fill_counterfactual_values(game, game.ends, player, behavior)
            # In simultaneous order all players are updated after the values of the last one have been computed.
            for updated_player in select_players_to_update(player, num_players, alternating):
                update_polynomial_weights(
                    game, updated_player, shift, eta, behavior, plan_sum, fitness
                )


@inlined
def update_polynomial_weights(
    game: Workspace,
    player: int,
    shift: float,
    eta: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Multiply the weights of one player's actions by 1 - eta times their loss, and normalize them.

    This is one step of polynomial weights (Lanctot 2014, section 2.2) at each information set of the player. The
    realization plan that the player had before is added to `plan_sum`.

    Parameters
    ----------
    game : Workspace
        The compiled game. The player's counterfactual values must be in `game.value`, and its realization plan in
        `game.plan`, where it is overwritten by the new plan.
    player : int
        The player who updates.
    shift : float
        The constant that is added to all utilities.
    eta : float
        The fixed learning rate, or NaN for the rates of Lemma 1.
    behavior : array of shape (S,)
        The probability of each sequence's last action. The player's entries are overwritten.
    plan_sum : array of shape (S,)
        The sum of realization plans.
    fitness : array of shape (S,)
        Overwritten, at the player's sequences q, by u_i(x with g_q), the shifted utility of playing to reach q.
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
