"""Lanctot (2014): whether polynomial weights (section 2.2) are replicator dynamics with the rates of Lemma 1.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. `PolynomialWeights` is a solver of compiled games, which a test and the audit compare with
`ReplicatorDynamics`.
"""

import numpy as np

from pokerlab.core import Floats, inlined, kernel, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, NUM_SEQUENCES, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players_to_update,
)
from pokerlab.solvers.dynamics import Dynamics
from pokerlab.solvers.protocol import LARGEST_SHIFT, check_interior_start, check_payoff_shift

SMALLEST_ETA, LARGEST_ETA = 1e-12, 0.5
"""The range of fixed learning rates. The bound of section 2.2 holds up to 1/2."""
USE_RATE_OF_LEMMA_ONE = np.nan
"""The value of `eta` by which kernels are told to use the rate of Lemma 1, which differs by information set and
iteration."""


class PolynomialWeights(Dynamics):
    """Polynomial weights with a learner at each information set, which multiplies an action's weight by 1 - eta loss.

    The loss l(I, a) of an action (Lanctot 2014, eq. 8) is the utility of the best action at the information set I minus
    that of a, divided by the range of the utilities of all actions there. The learning rate eta_I(t) of Lemma 1 is this
    range, divided by the best action's shifted utility. With it the weights change exactly as in `ReplicatorDynamics`.

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
        """Run iterations of polynomial weights, and overwrite the probabilities and the sum of plans in place.

        The base class `Dynamics` calls this method with copies of the arrays of a state. They have an entry for each of
        the S sequences of all players.

        Parameters
        ----------
        iterations_done : int
            The number of iterations before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior : array of shape (S,)
            The probability of each sequence's last action, overwritten by the new one.
        plan_sum : array of shape (S,)
            The sum of the realization plans so far, to which the plan of each iteration is added.
        """
        run_polynomial_weights(
            self.game.block,
            behavior,
            plan_sum,
            count,
            self.payoff_shift,
            USE_RATE_OF_LEMMA_ONE if self.eta is None else self.eta,
            self.alternating,
        )


@kernel
def run_polynomial_weights(
    game_block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    eta: float,
    alternating: bool,
) -> None:
    """Run iterations of polynomial weights at all information sets of a game, and update the arrays in place.

    The method is that of Lanctot (2014, section 2.2). Arrays of shape (S,) have an entry for each of the S sequences of
    all players.

    Parameters
    ----------
    game_block : array of float
        The compiled game, packed into one array.
    behavior : array of shape (S,)
        The probability of each sequence's last action, overwritten by the new one.
    plan_sum : array of shape (S,)
        The sum of the realization plans so far, to which the plan of each iteration is added.
    count : int
        The number of iterations.
    shift : float
        The constant that is added to all utilities.
    eta : float
        The fixed learning rate, or NaN for the rates of Lemma 1.
    alternating : bool
        Whether players update one after the other, and not all at the same time.
    """
    game = unpack_workspace(game_block)
    num_players = game.ids[NUM_PLAYERS]
    num_sequences = game.ids[NUM_SEQUENCES]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, behavior)

    for _ in range(count):
        for player in range(num_players):
            fill_counterfactual_values(game, game.betting_ends, player, behavior)
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
    """Multiply the weight of each action of one player by 1 - eta times its loss, and normalize the weights.

    This is one step of polynomial weights (Lanctot 2014, section 2.2) at each information set of the player. Before
    it, the player's realization plan is added to `plan_sum`. Arrays of shape (S,) have an entry for each of the S
    sequences of all players.

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
        The sum of realization plans. The player's entries are increased.
    fitness : array of shape (S,)
        Overwritten, at the player's sequences q, by u_i(x with g_q), the shifted utility of playing to reach q.
    """
    fitness[player] = game.value[player] + shift  # at the empty sequence
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        fitness_elsewhere = fitness[parent] - game.infoset_value[infoset]
        best, worst = -np.inf, np.inf
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            fitness[q] = fitness_elsewhere + game.value[q]  # eq. 5
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
