"""Lanctot (2014): whether Theorem 5 bounds regret. A small counterexample, proved in fractions, and a bound that holds.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014, section 3.2.

The payoffs of a game, or of a sequence of steps, go in. The learner's regret and the bounds on it come out: as floats
(`compute_regret_and_theorem_five_bound`, `compute_corrected_regret_bound`), and as fractions between which they lie
(`certify_regret_and_bound`).

A learner has K actions, plays the shares x_t, and takes the replicator's discrete step (eq. 3) against payoffs
u_t(a) > 0: x_{t+1}(a) = x_t(a) u_t(a) / (x_t . u_t). Its regret is the largest total payoff of a fixed action, minus
what the learner won itself. In the paper's notation, M_t is the largest u_t(a) and Delta_t the range of u_t. The rate
is eta_t = Delta_t / M_t (Lemma 1), the loss l_t(a) = (M_t - u_t(a)) / Delta_t (eq. 8), and the learner's expected loss
F_t = x_t . l_t. With one information set Theorem 5 says: if all eta_t <= 1/2, then

    regret <= Delta (ln K / eta* + eta* Q),

where Q is the sum of the squared losses of the best action, Delta is the range of all payoffs, and eta* is the rate of
Lemma 4, which solves prod(1 - eta* F_t) = prod(1 - eta_t F_t).

The replicator's step bounds regret in the logarithms of payoffs. The reason is that
ln u_t(a) - ln(x_t . u_t) = ln x_{t+1}(a) - ln x_t(a), and these differences sum to at most ln K. So the geometric mean
of what the learner wins is at least K^(-1/T) times that of any action. The arithmetic mean of what it wins is no
smaller. Therefore, with a the best action,

    regret / T <= arithmetic mean of u_t(a) - K^(-1/T) geometric mean of u_t(a).

In a tree this holds at each information set, for the payoffs u_t(I, a) of playing to reach I and take a. Overall
regret is at most the sum of these bounds.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, Self

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.solvers import ReplicatorDynamics

ROW_PAYOFFS = ((2, 7), (1, 8))
"""The payoffs of player 1 in the small game, by row and column. They are positive, so no shift is added."""
COLUMN_PAYOFFS = ((2, 3), (8, 4))
"""The payoffs of player 2 in the small game, by row and column."""
NUM_STEPS = 648
"""The first t at which the regret of player 1 in the small game is 1.5 times the bound; it first exceeds it at 303."""

TWO_BLOCKS = ((1, 2),) * 12 + ((4, 3),) * 33
"""A sequence of payoffs that are fixed in advance: those of two actions in each step. The learning rate is 1/2 in the
first 12 steps, and then 1/4."""
NUM_BITS = 256
"""The ends of intervals are rounded outward to multiples of 2 ** -NUM_BITS."""
RATE_PRECISION = Fraction(1, 2**20)
"""The length to which the interval that contains the fixed rate is halved."""

Interval = tuple[Fraction, Fraction]
"""Two fractions between which a number lies, the smaller one first."""
ONE: Interval = (Fraction(1), Fraction(1))
"""The interval that contains the number 1 only."""


class Play(NamedTuple):
    """The payoffs of all actions and the action probabilities of one learner in each of T steps.

    Attributes
    ----------
    payoffs : array of shape (T, K)
        u_t(a), the payoff of each of K actions in each step.
    shares : array of shape (T, K)
        x_t(a), the probability with which the learner played each action in each step. In replicator dynamics it is the
        action's share of a population.
    """

    payoffs: Floats
    shares: Floats


class RegretAndBound(NamedTuple):
    """The total regret of a learner with one information set, and the bound of Lanctot (2014, Theorem 5) on it.

    Attributes
    ----------
    regret : float
        The regret over all steps, in the unit of the payoffs.
    bound : float
        The bound on it, in the same unit.
    rate : float
        The fixed learning rate eta* of Lemma 4.
    squared_loss : float
        Q, the sum over the steps of the squared losses of the best action.
    smallest_rate, largest_rate : float
        The smallest and the largest learning rate eta_t of Lemma 1.
    """

    regret: float
    bound: float
    rate: float
    squared_loss: float
    smallest_rate: float
    largest_rate: float

    @property
    def regret_over_bound(self) -> float:
        """The regret divided by the bound. The theorem fails if this exceeds one."""
        return self.regret / self.bound


def play_replicator_against_payoffs(payoffs: Sequence[Sequence[float]] | Floats) -> Play:
    """Return the action probabilities of a replicator against a sequence of payoffs that is fixed in advance.

    All actions are equally likely in the first step. Then the probabilities before step t are proportional to the
    products of the actions' payoffs in all earlier steps (Lanctot 2014, eq. 3).

    Parameters
    ----------
    payoffs : array_like of shape (T, K)
        The positive payoff of each of K actions in each of T steps.

    Returns
    -------
    Play
        The payoffs and the action probabilities of all steps.
    """
    fixed_payoffs = np.asarray(payoffs, dtype=float)
    num_actions = fixed_payoffs.shape[1]
    log_products = np.cumsum(np.log(fixed_payoffs), axis=0)
    earlier_log_products = np.vstack([np.zeros(num_actions), log_products[:-1]])
    return Play(fixed_payoffs, normalize_log_weights(earlier_log_products))


def play_replicators_in_matrix_game(
    row_payoffs: Sequence[Sequence[float]] | Floats,
    column_payoffs: Sequence[Sequence[float]] | Floats,
    steps: int,
) -> tuple[Play, Play]:
    """Run replicator dynamics of both players in a matrix game, and return all payoffs and action probabilities.

    Both players update at the same time. All actions are equally likely in the first step. Weights are stored as
    logarithms, so that none of them underflows to zero.

    Parameters
    ----------
    row_payoffs, column_payoffs : array_like of shape (rows, columns)
        The positive payoffs of the player who chooses the row, and of the player who chooses the column.
    steps : int
        The number of steps (Lanctot 2014, eq. 3).

    Returns
    -------
    tuple of two Play
        The payoffs and action probabilities of the row player, and of the column player.
    """
    # The rows of a player's matrix are the player's own actions, so that of the column player is transposed.
    matrices = np.asarray(row_payoffs, dtype=float), np.asarray(column_payoffs, dtype=float).T
    log_weights = [np.zeros(len(matrix)) for matrix in matrices]
    payoffs_of_steps: tuple[list[Floats], list[Floats]] = ([], [])
    shares_of_steps: tuple[list[Floats], list[Floats]] = ([], [])

    for _ in range(steps):
        shares = [
            normalize_log_weights(log_weights_of_player) for log_weights_of_player in log_weights
        ]
        for player in (0, 1):
            payoffs = matrices[player] @ shares[1 - player]
            payoffs_of_steps[player].append(payoffs)
            shares_of_steps[player].append(shares[player])
            log_weights[player] = log_weights[player] + np.log(payoffs)

    row_play = Play(np.array(payoffs_of_steps[0]), np.array(shares_of_steps[0]))
    column_play = Play(np.array(payoffs_of_steps[1]), np.array(shares_of_steps[1]))
    return row_play, column_play


def normalize_log_weights(log_weights: Floats) -> Floats:
    """Return weights, given as logarithms, after division by their sum.

    Parameters
    ----------
    log_weights : array of shape (..., K)
        The logarithms of K weights in each row.

    Returns
    -------
    array of shape (..., K)
        The normalized weights, which sum to one in each row.
    """
    # The largest weight is scaled to 1, so that exp does not overflow.
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def compute_total_regret(play: Play) -> float:
    """Return a learner's total regret over all steps, in the unit of the payoffs.

    It is the largest total payoff of a fixed action, minus the learner's total expected payoff.

    Parameters
    ----------
    play : Play
        The payoffs and the action probabilities of the learner in each step.
    """
    largest_total = play.payoffs.sum(axis=0).max()
    own_total = (play.shares * play.payoffs).sum()
    return float(largest_total - own_total)


def compute_regret_and_theorem_five_bound(play: Play, payoff_range: float) -> RegretAndBound:
    """Return a learner's total regret, and the bound on it of Lanctot (2014, Theorem 5).

    The bound contains Q, the sum of the squared losses of the best action. The text can be read in two ways. The best
    action is either the one with the smallest total loss, as for polynomial weights (section 2.2), or the one with the
    largest total payoff, as in eq. 6. Here the larger Q is taken, which makes the bound larger.

    Parameters
    ----------
    play : Play
        The payoffs and the action probabilities of the learner in each step.
    payoff_range : float
        Delta, the largest minus the smallest payoff of the game.

    Returns
    -------
    RegretAndBound
        The regret, the bound and the bound's ingredients.
    """
    losses, rates = compute_losses_and_rates(play)
    expected_losses = (play.shares * losses).sum(axis=1)
    fixed_rate = find_equivalent_fixed_rate(expected_losses, rates)

    least_loss_action = int(losses.sum(axis=0).argmin())
    largest_payoff_action = int(play.payoffs.sum(axis=0).argmax())
    squared_loss = max(
        float((losses[:, action] ** 2).sum())
        for action in (least_loss_action, largest_payoff_action)
    )

    num_actions = losses.shape[1]
    bound = compute_theorem_five_bound_at_rate(fixed_rate, squared_loss, num_actions, payoff_range)
    return RegretAndBound(
        regret=compute_total_regret(play),
        bound=bound,
        rate=fixed_rate,
        squared_loss=squared_loss,
        smallest_rate=float(rates.min()),
        largest_rate=float(rates.max()),
    )


def compute_theorem_five_bound_at_rate(
    rate: float, squared_loss: float, num_actions: int, payoff_range: float
) -> float:
    """Return the bound of Lanctot (2014, Theorem 5) on total regret, which is Delta (ln K / eta + eta Q).

    Parameters
    ----------
    rate : float
        The learning rate eta.
    squared_loss : float
        Q, the sum over all steps of the squared losses of the best action. Losses have no unit, and are from 0 to 1.
    num_actions : int
        The number K of actions.
    payoff_range : float
        Delta, the largest minus the smallest payoff of the game.

    Returns
    -------
    float
        The bound, in the unit of the payoffs. It is infinity if the rate is not positive, for which the theorem has no
        bound.
    """
    if rate <= 0.0:
        return float("inf")
    return payoff_range * (float(np.log(num_actions)) / rate + rate * squared_loss)


def compute_losses_and_rates(play: Play) -> tuple[Floats, Floats]:
    """Return the loss of each action in each step, and the learning rate of each step.

    In a step in which all payoffs are equal, all losses and the rate are zero.

    Parameters
    ----------
    play : Play
        The payoffs of K actions in each of T steps. The action probabilities are not used.

    Returns
    -------
    array of shape (T, K)
        The losses (Lanctot 2014, eq. 8), from 0 to 1. A loss is the largest payoff of the step minus the action's
        payoff, divided by the largest minus the smallest payoff.
    array of shape (T,)
        The rates (Lemma 1). A rate is the largest minus the smallest payoff of the step, divided by the largest.
    """
    largest = play.payoffs.max(axis=1)
    ranges = np.ptp(play.payoffs, axis=1)
    divisors = np.where(ranges > 0.0, ranges, 1.0)  # where the range is zero, so are the numerators
    losses = (largest[:, None] - play.payoffs) / divisors[:, None]
    return losses, ranges / largest


def find_equivalent_fixed_rate(expected_losses: Floats, rates: Floats) -> float:
    """Return the fixed learning rate that shrinks weights in total as much as the varying rates of the steps do.

    It is eta* of the proof of Lemma 4 of Lanctot (2014), which solves prod(1 - eta* F_t) = prod(1 - eta_t F_t). The
    products are over the steps t.

    Parameters
    ----------
    expected_losses : array of shape (T,)
        F_t, the learner's expected loss in each step.
    rates : array of shape (T,)
        eta_t, the learning rate in each step.

    Returns
    -------
    float
        The fixed rate, which is 0 if there is no loss.
    """
    from scipy.optimize import brentq

    log_product = float(np.log1p(-rates * expected_losses).sum())
    if log_product == 0.0:
        return 0.0

    def compute_difference_of_log_products(rate: float) -> float:
        """Return the logarithm of the product at a fixed rate, minus that at the varying rates."""
        return float(np.log1p(-rate * expected_losses).sum() - log_product)

    # The function is zero or positive at the rate 0, and zero or negative at the largest rate.
    return float(brentq(compute_difference_of_log_products, 0.0, rates.max()))


def compute_corrected_regret_bound(play: Play) -> float:
    """Return a bound on a replicator's total regret that holds for all positive payoffs.

    It replaces the bound of Lanctot (2014, Theorem 5), which fails, and is derived in the docstring of this module. It
    is T (A - K^(-1/T) G) for T steps and K actions. Here A is the arithmetic and G the geometric mean over the steps of
    the payoffs of the action with the largest total payoff.

    Parameters
    ----------
    play : Play
        The payoffs of all actions in each step. The action probabilities are not used.

    Returns
    -------
    float
        The bound, in the unit of the payoffs.
    """
    num_steps, num_actions = play.payoffs.shape
    best_action = play.payoffs.sum(axis=0).argmax()
    payoffs = play.payoffs[:, best_action]
    return compute_corrected_bound_from_sums(
        payoffs.sum(), np.log(payoffs).sum(), num_steps, num_actions
    )


def compute_corrected_bound_from_sums(
    payoff_sum: float, log_payoff_sum: float, steps: int, num_actions: int
) -> float:
    """Return the bound of `compute_corrected_regret_bound` from sums of an action's payoffs over the steps.

    It is T (A - K^(-1/T) G), where A is the arithmetic and G the geometric mean of the payoffs.

    Parameters
    ----------
    payoff_sum, log_payoff_sum : float
        The sum of the action's payoffs, and the sum of their logarithms.
    steps : int
        The number T of steps.
    num_actions : int
        The number K of actions.

    Returns
    -------
    float
        The bound, in the unit of the payoffs.
    """
    scaled_geometric_mean = np.exp((log_payoff_sum - np.log(num_actions)) / steps)
    return float(payoff_sum - steps * scaled_geometric_mean)


def compute_relative_regret_minus_squared_losses(play: Play) -> float:
    """Return a learner's regret relative to each step's largest payoff, minus the squared relative losses of an action.

    This is the left side of the inequality that is true of Lemma 4 of Lanctot (2014): it is at most ln K for K actions,
    if no learning rate exceeds 1/2. Each step is weighted by its own rate. Let u_t be the payoffs of step t, M_t the
    largest of them, x_t the action probabilities, eta_t the rate of Lemma 1, and l_t the losses of eq. 8. Then it is
    the largest, over actions a, of the sum over t of (u_t(a) - x_t . u_t) / M_t - (eta_t l_t(a))^2.

    Parameters
    ----------
    play : Play
        The payoffs and the action probabilities of the learner in each step.
    """
    largest = play.payoffs.max(axis=1, keepdims=True)  # M_t
    expected = (play.shares * play.payoffs).sum(axis=1, keepdims=True)
    relative_gains = (play.payoffs - expected) / largest
    relative_losses = (largest - play.payoffs) / largest  # eta_t l_t(a)
    terms = relative_gains - relative_losses**2
    return float(terms.sum(axis=0).max())


class TreeRegretAndBound(NamedTuple):
    """The total regret of each of n players in an extensive-form game, and the corrected bound on it.

    Attributes
    ----------
    regret : array of shape (n,)
        The regret of each player over all steps, in the game's unit.
    bound : array of shape (n,)
        A bound on it that holds for all positive payoffs.
    """

    regret: Floats
    bound: Floats


def compute_tree_regret_and_corrected_bound(
    game: SequenceForm, payoff_shift: float, steps: int
) -> TreeRegretAndBound:
    """Run replicator dynamics in an extensive-form game, and return each player's regret and a bound that holds.

    The steps are simultaneous (Lanctot 2014, eq. 3), from the uniform profile. The bound is the sum over a player's
    information sets I of T (A - |A(I)|^(-1/T) G), where |A(I)| is the number of actions at I. Let a be the action with
    the largest total gain at I. Then A is the arithmetic and G the geometric mean over the steps of the shifted payoff
    of playing to reach I and taking a. The program is slow, since it visits the information sets in Python.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    steps : int
        The number T of steps.

    Returns
    -------
    TreeRegretAndBound
        The regrets and the bounds of all players, totals over the steps.
    """
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="simultaneous")
    state, num_players = dynamics.init(), game.num_players
    sums = TreeSums.make_zero(game)
    for _ in range(steps):
        behavior = np.asarray(state.behavior)
        for player in range(num_players):
            add_step_to_tree_sums(game, behavior, player, payoff_shift, sums)
        state = dynamics.step(state)

    regret, bound = -sums.utility, np.zeros(num_players)
    for player in range(num_players):
        regret[player] += compute_best_plan_value(game, sums.gradient[player], player)
        for _, actions in list_infosets_with_action_slices(game, player):
            num_actions = actions.stop - actions.start
            best_action = actions.start + int(sums.gain[actions].argmax())
            bound[player] += compute_corrected_bound_from_sums(
                sums.payoff[best_action], sums.log_payoff[best_action], steps, num_actions
            )
    return TreeRegretAndBound(regret, bound)


class TreeSums(NamedTuple):
    """Sums over the steps of replicator dynamics in an extensive-form game with n players and S sequences of all.

    Attributes
    ----------
    utility : array of shape (n,)
        Each player's expected utility.
    gradient : array of shape (n, S)
        For each player, the gradient of its utility with respect to its realization plan.
    gain : array of shape (S,)
        The counterfactual value of each action, minus the mean at its information set.
    payoff, log_payoff : array of shape (S,)
        The shifted payoff u_t(I, a) of playing to reach the information set I and taking a, and its logarithm.
    """

    utility: Floats
    gradient: Floats
    gain: Floats
    payoff: Floats
    log_payoff: Floats

    @classmethod
    def make_zero(cls, game: SequenceForm) -> Self:
        """Return the sums before the first step in a game, which are arrays of zeros."""
        num_players = game.num_players
        num_sequences = num_players + game.num_probabilities
        return cls(
            utility=np.zeros(num_players),
            gradient=np.zeros((num_players, num_sequences)),
            gain=np.zeros(num_sequences),
            payoff=np.zeros(num_sequences),
            log_payoff=np.zeros(num_sequences),
        )


def add_step_to_tree_sums(
    game: SequenceForm, behavior: Floats, player: int, payoff_shift: float, sums: TreeSums
) -> None:
    """Add the utility, gains and payoffs of one player in one step to the sums over steps, in place.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, in which all players together have S sequences.
    behavior : array of shape (S,)
        The probability of each sequence's last action in the step, and 1 at the empty sequences.
    player : int
        The player.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    sums : TreeSums
        The sums. The player's entries are increased.
    """
    gradient = compute_payoff_gradient(game, behavior, player)
    values, expected_values = compute_counterfactual_values_from_gradient(
        game, gradient, behavior, player
    )
    utility = values[player]  # a player's empty sequence has the number of the player
    sums.utility[player] += utility
    sums.gradient[player] += gradient

    # The shifted payoff u_t(I, a) of each sequence is that of its parent, plus the gain at I.
    payoffs = np.full(len(sums.payoff), utility + payoff_shift)
    for infoset, actions in list_infosets_with_action_slices(game, player):
        gains = values[actions] - expected_values[infoset]
        payoffs[actions] = payoffs[game.parent_sequence[infoset]] + gains
        sums.gain[actions] += gains
        sums.payoff[actions] += payoffs[actions]
        sums.log_payoff[actions] += np.log(payoffs[actions])


def list_infosets_with_action_slices(game: SequenceForm, player: int) -> list[tuple[int, slice]]:
    """Return the information sets of a player, each with the slice of its actions in arrays by sequence.

    An information set comes after those at which the player must have chosen before.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    player : int
        The player.

    Returns
    -------
    list of tuple of int and slice
        The number of each information set among those of all players, and the slice of its actions among all sequences.
    """
    first_infoset, stop_infoset = game.infoset_start[player : player + 2].tolist()
    infosets = []
    for infoset in range(first_infoset, stop_infoset):
        first_action = int(game.first_sequence[infoset])
        num_actions = int(game.num_actions[infoset])
        infosets.append((infoset, slice(first_action, first_action + num_actions)))
    return infosets


def compute_payoff_gradient(game: SequenceForm, behavior: Floats, player: int) -> Floats:
    """Return the gradient of a player's expected payoff with respect to its own realization plan.

    The entry of a sequence is a sum over the ends of the game at which it is the player's sequence. Each of them adds
    the payoff, times the probabilities of chance and of the other players' actions on the way there.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, in which all players together have S sequences.
    behavior : array of shape (S,)
        The probability of each sequence's last action, and 1 at the players' empty sequences.
    player : int
        The player.

    Returns
    -------
    array of shape (S,)
        The gradient. Entries of other players' sequences are zero.
    """
    # A sequence's weight is the product of the probabilities of its actions. Information sets are in order, so the
    # weight of the parent sequence is complete when it is used.
    plan = behavior.copy()
    for owner in range(game.num_players):
        for infoset, actions in list_infosets_with_action_slices(game, owner):
            plan[actions] *= plan[game.parent_sequence[infoset]]

    opponents_sequences = np.delete(game.sequence, player, axis=1)  # at each end of the game
    opponents_reach = plan[opponents_sequences].prod(axis=1)
    weighted_payoffs = game.chance * game.payoff[:, player] * opponents_reach
    return np.bincount(game.sequence[:, player], weighted_payoffs, len(behavior)).astype(float)


def compute_counterfactual_values_from_gradient(
    game: SequenceForm, gradient: Floats, behavior: Floats, player: int
) -> tuple[Floats, dict[int, float]]:
    """Return the counterfactual values of a player's actions and of its information sets.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, in which all players together have S sequences.
    gradient : array of shape (S,)
        The gradient of the player's payoff at `behavior`, from `compute_payoff_gradient`.
    behavior : array of shape (S,)
        The probability of each sequence's last action.
    player : int
        The player.

    Returns
    -------
    array of shape (S,)
        The counterfactual value v(I, a) of the last action of each of the player's sequences.
    dict of int to float
        The counterfactual value v(I) of each of the player's information sets, by its number.
    """
    values = gradient.copy()
    expected_values = {}
    # Backward, so that the values of all information sets below one are added before its own are used.
    for infoset, actions in reversed(list_infosets_with_action_slices(game, player)):
        expected_values[infoset] = float(behavior[actions] @ values[actions])
        values[game.parent_sequence[infoset]] += expected_values[infoset]
    return values, expected_values


def compute_best_plan_value(game: SequenceForm, gradient: Floats, player: int) -> float:
    """Return the value of a player's best realization plan against a gradient of payoffs.

    The value of a plan is its scalar product with the gradient.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, in which all players together have S sequences.
    gradient : array of shape (S,)
        The gradient of the player's payoff with respect to its own realization plan.
    player : int
        The player.
    """
    values = gradient.copy()
    # Backward: the best action at an information set is known when all those below it have been visited.
    for infoset, actions in reversed(list_infosets_with_action_slices(game, player)):
        values[game.parent_sequence[infoset]] += values[actions].max()
    return float(values[player])


class EnclosedStep(NamedTuple):
    """One step of a learner with two actions, with an interval of fractions for each quantity that contains it.

    Attributes
    ----------
    payoffs : tuple of two Interval
        The payoffs u_t(0) and u_t(1).
    difference : Interval
        u_t(0) - u_t(1).
    odds : Interval
        x_t(0) / x_t(1).
    """

    payoffs: tuple[Interval, Interval]
    difference: Interval
    odds: Interval


class Certificate(NamedTuple):
    """Fractions that prove that Theorem 5 of Lanctot (2014) fails for one learner, if `regret` exceeds `bound`.

    Attributes
    ----------
    regret : Fraction
        A lower bound of the learner's total regret.
    bound : Fraction
        An upper bound of the theorem's bound.
    largest_rate : Fraction
        An upper bound of the learning rates of all steps.
    """

    regret: Fraction
    bound: Fraction
    largest_rate: Fraction


def iterate_enclosed_steps_against_payoffs(
    payoffs: Sequence[Sequence[int]],
) -> Iterator[EnclosedStep]:
    """Yield the steps of a replicator with two actions against payoffs that are fixed in advance.

    All quantities are computed in fractions. Only the odds are rounded, and are enclosed in an interval.

    Parameters
    ----------
    payoffs : sequence of pairs of int
        The positive payoffs of both actions in each step.

    Yields
    ------
    EnclosedStep
        Intervals that contain the quantities of a step. Both actions are equally likely in the first step.
    """
    odds = ONE
    for pair in payoffs:
        first, second = map(Fraction, pair)
        yield EnclosedStep(
            payoffs=((first, first), (second, second)),
            difference=(first - second, first - second),
            odds=odds,
        )
        odds = multiply_intervals(odds, (first / second, first / second))


def iterate_enclosed_steps_of_matrix_game(
    row_payoffs: Sequence[Sequence[int]], column_payoffs: Sequence[Sequence[int]], steps: int
) -> Iterator[EnclosedStep]:
    """Yield the steps of player 1 in a 2 x 2 game between two replicators, with intervals for all quantities.

    Let z be the odds of player 2's first column, and (a, b) a row of player 1's payoffs. Then the row's expected payoff
    is (a z + b) / (z + 1). So the payoffs of both players, and the ratios by which a step multiplies their odds, are
    linear fractional functions of the other player's odds.

    Parameters
    ----------
    row_payoffs, column_payoffs : 2 x 2 sequences of int
        The positive payoffs of player 1 and of player 2, by row and column.
    steps : int
        The number of simultaneous steps (Lanctot 2014, eq. 3). All actions are equally likely in the first step.

    Yields
    ------
    EnclosedStep
        Intervals that contain the quantities of player 1 in a step.
    """
    first_row, second_row = row_payoffs
    row_difference = [first - second for first, second in zip(first_row, second_row, strict=True)]
    first_column, second_column = zip(*column_payoffs, strict=True)  # each by the row of player 1
    odds_plus_one = (1, 1)  # the denominator z + 1

    row_odds, column_odds = ONE, ONE
    for _ in range(steps):
        yield EnclosedStep(
            payoffs=(
                apply_linear_fraction(first_row, odds_plus_one, column_odds),
                apply_linear_fraction(second_row, odds_plus_one, column_odds),
            ),
            difference=apply_linear_fraction(row_difference, odds_plus_one, column_odds),
            odds=row_odds,
        )
        # A step multiplies the odds by the ratio of the two payoffs, in which the denominators cancel.
        row_ratio = apply_linear_fraction(first_row, second_row, column_odds)
        column_ratio = apply_linear_fraction(first_column, second_column, row_odds)
        row_odds = multiply_intervals(row_odds, row_ratio)
        column_odds = multiply_intervals(column_odds, column_ratio)


def certify_regret_and_bound(steps: Iterator[EnclosedStep], payoff_range: int) -> Certificate:
    """Return fractions that bound a learner's total regret from below, and Theorem 5's bound on it from above.

    If the first fraction exceeds the second, then Theorem 5 of Lanctot (2014) fails for this learner, and rounding
    plays no part in that. The learner has two actions. In each step the better action has the loss 0 and the worse one
    the loss 1. So Q, the sum of the squared losses of the best action, is the number of steps in which the action with
    the largest total payoff was the worse one. The action with the smallest total loss has no larger Q, so the
    theorem's bound is no larger for the other interpretation of Q.

    Parameters
    ----------
    steps : iterator of EnclosedStep
        The steps of the learner.
    payoff_range : int
        Delta, the largest minus the smallest payoff of the game.

    Returns
    -------
    Certificate
        The fractions.

    Raises
    ------
    ArithmeticError
        If the intervals are too wide to decide which action is better in a step.
    """
    regrets = [Fraction(0), Fraction(0)]  # lower bounds, with respect to each action
    num_losses = [0, 0]  # of each action
    expected_losses: list[Interval] = []  # F_t
    rates: list[Interval] = []  # eta_t

    for payoffs, difference, odds in steps:
        low, high = difference
        if low == high == 0:  # no loss, at a rate of zero
            continue
        if low <= 0 <= high:
            raise ArithmeticError(
                f"{NUM_BITS} bits do not decide which action is better. Use more."
            )
        better, worse = (0, 1) if low > 0 else (1, 0)
        gap = (low, high) if low > 0 else (-high, -low)  # the better payoff minus the worse one
        shares = (
            apply_linear_fraction((1, 0), (1, 1), odds),
            apply_linear_fraction((0, 1), (1, 1), odds),
        )

        # The learner wins less than the better action by gap times the share of the worse one, and more than the worse
        # action by gap times the share of the better one.
        smallest_regret_of_better = multiply_intervals(gap, shares[worse])[0]
        largest_lead_over_worse = multiply_intervals(gap, shares[better])[1]
        regrets[better] += smallest_regret_of_better
        regrets[worse] -= largest_lead_over_worse
        num_losses[worse] += 1
        expected_losses.append(shares[worse])
        rates.append(enclose_learning_rate(payoffs[better], payoffs[worse]))

    lowest_rate, highest_rate = enclose_equivalent_fixed_rate(expected_losses, rates)
    best_action = 0 if regrets[0] > regrets[1] else 1
    log_two = compute_upper_bound_of_log_two()
    # The bound is convex in the rate, so its largest value is at an end of the interval.
    bound = max(
        log_two / rate + rate * num_losses[best_action] for rate in (lowest_rate, highest_rate)
    )
    largest_rate = max(high for _, high in rates)
    return Certificate(max(regrets), payoff_range * bound, largest_rate)


def enclose_learning_rate(better_payoff: Interval, worse_payoff: Interval) -> Interval:
    """Return an interval that contains the learning rate of Lanctot (2014, Lemma 1) for two actions.

    The rate is the difference of the payoffs divided by the larger one.

    Parameters
    ----------
    better_payoff, worse_payoff : Interval
        Intervals that contain the larger and the smaller payoff. Both are positive.
    """
    better_low, better_high = better_payoff
    worse_low, worse_high = worse_payoff
    return 1 - worse_high / better_low, 1 - worse_low / better_high


def enclose_equivalent_fixed_rate(
    expected_losses: list[Interval], rates: list[Interval]
) -> Interval:
    """Return an interval that contains the fixed learning rate eta* of Lemma 4 of Lanctot (2014), found by bisection.

    The rate solves prod(1 - eta* F_t) = prod(1 - eta_t F_t), where the products are over the steps t. The bisection
    ends when the interval is no longer than `RATE_PRECISION`, or when the intervals of the products do not decide in
    which half the rate lies.

    Parameters
    ----------
    expected_losses, rates : list of Interval
        For each step t, intervals that contain the learner's expected loss F_t and its learning rate eta_t.
    """
    product = enclose_product_of_shrinkages(expected_losses, rates)
    low, high = Fraction(0), Fraction(1)
    while high - low > RATE_PRECISION:
        middle = (low + high) / 2
        rates_at_middle = [(middle, middle)] * len(expected_losses)
        product_at_middle = enclose_product_of_shrinkages(expected_losses, rates_at_middle)
        # The product falls as the rate grows.
        if product_at_middle[0] >= product[1]:
            low = middle
        elif product_at_middle[1] <= product[0]:
            high = middle
        else:
            break
    return low, high


def enclose_product_of_shrinkages(
    expected_losses: list[Interval], rates: list[Interval]
) -> Interval:
    """Return an interval that contains the product over steps t of 1 - eta_t F_t.

    By the factor 1 - eta_t F_t polynomial weights shrink the sum of their weights in step t.

    Parameters
    ----------
    expected_losses, rates : list of Interval
        For each step t, intervals that contain the learner's expected loss F_t and its learning rate eta_t.
    """
    product = ONE
    for (loss_low, loss_high), (rate_low, rate_high) in zip(expected_losses, rates, strict=True):
        factor = (1 - rate_high * loss_high, 1 - rate_low * loss_low)
        product = multiply_intervals(product, factor)
    return product


def compute_upper_bound_of_log_two(terms: int = 60) -> Fraction:
    """Return a fraction just above ln 2.

    It is computed from the series ln 2 = sum over k = 1, 2, ... of 1 / (k 2^k).

    Parameters
    ----------
    terms : int
        The number of terms that are added. The other terms sum to less than 1 / (terms 2^terms), which is added as
        well.
    """
    partial_sum = sum(Fraction(1, k * 2**k) for k in range(1, terms + 1))
    return partial_sum + Fraction(1, terms * 2**terms)


def multiply_intervals(first: Interval, second: Interval) -> Interval:
    """Return an interval that contains the product of any number in one interval and any number in another.

    The result is rounded outward, so that fractions stay short.

    Parameters
    ----------
    first, second : Interval
        The intervals, whose numbers are positive.
    """
    return round_interval_outward(first[0] * second[0], first[1] * second[1])


def apply_linear_fraction(
    numerator: Sequence[int], denominator: Sequence[int], interval: Interval
) -> Interval:
    """Return an interval that contains (a z + b) / (c z + d) for all z in an interval of positive numbers.

    The function is monotone there, so its values lie between those at the ends of the interval. The result is rounded
    outward.

    Parameters
    ----------
    numerator, denominator : sequence of two int
        The coefficients (a, b) and (c, d).
    interval : Interval
        The interval of z.
    """
    a, b = numerator
    c, d = denominator
    low, high = sorted((a * z + b) / (c * z + d) for z in interval)
    return round_interval_outward(low, high)


def round_interval_outward(low: Fraction, high: Fraction) -> Interval:
    """Return a slightly larger interval whose ends are multiples of 2 ** -NUM_BITS, so that fractions stay short.

    Parameters
    ----------
    low, high : Fraction
        The ends of the interval, which the returned interval contains.
    """
    scale = 2**NUM_BITS
    below, above = low * scale, high * scale
    rounded_down = below.numerator // below.denominator
    rounded_up = -(-above.numerator // above.denominator)
    return Fraction(rounded_down, scale), Fraction(rounded_up, scale)
