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
"""Payoffs of two actions, step by step, that do not depend on the learner: rates 1/2, then 1/4."""
NUM_BITS = 256
"""The ends of intervals are rounded outward to multiples of 2 ** -NUM_BITS."""
RATE_PRECISION = Fraction(1, 2**20)
"""The length to which the interval that contains the fixed rate is halved."""

Interval = tuple[Fraction, Fraction]
"""Two fractions between which a number lies, the smaller one first."""
ONE: Interval = (Fraction(1), Fraction(1))
"""The interval that contains the number 1 only."""


class Play(NamedTuple):
    """The payoffs that one learner saw and the shares that it played, step by step.

    Attributes
    ----------
    payoffs : array of shape (T, K)
        u_t(a), the payoff of each of K actions in each of T steps.
    shares : array of shape (T, K)
        x_t(a), the probabilities with which the learner played them.
    """

    payoffs: Floats
    shares: Floats


class RegretAndBound(NamedTuple):
    """The regret of one learner with one information set, and Theorem 5's bound on it; totals over steps.

    Attributes
    ----------
    regret, bound : float
        Both in the unit of the payoffs.
    rate : float
        eta*, the fixed rate of Lemma 4.
    squared_loss : float
        Q, the summed squared losses of the best action.
    smallest_rate, largest_rate : float
        The least and the largest eta_t.
    """

    regret: float
    bound: float
    rate: float
    squared_loss: float
    smallest_rate: float
    largest_rate: float

    @property
    def regret_over_bound(self) -> float:
        """The regret divided by the bound. The theorem fails where this exceeds one."""
        return self.regret / self.bound


def play_replicator_against_payoffs(payoffs: Sequence[Sequence[float]] | Floats) -> Play:
    """Return the shares of a replicator against given payoffs, which do not depend on them.

    The replicator begins with equal shares. Before step t its shares are proportional to the products of the payoffs of
    all earlier steps (Lanctot 2014, eq. 3).

    Parameters
    ----------
    payoffs : array_like of shape (T, K)
        The positive payoff of each of K actions in each of T steps.

    Returns
    -------
    Play
        The payoffs and the shares of all steps.
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
    """Return the payoffs and shares of both players in a matrix game, if both take simultaneous replicator steps.

    They begin with equal shares. Weights are stored as logarithms, so that none of them underflows to zero.

    Parameters
    ----------
    row_payoffs, column_payoffs : array_like of shape (rows, columns)
        The positive payoffs of the player who chooses the row, and of the player who chooses the column.
    steps : int
        The number of steps (eq. 3).

    Returns
    -------
    tuple of two Play
        The play of the row player and of the column player.
    """
    # Each player's own actions are the rows of its matrix here.
    matrices = np.asarray(row_payoffs, dtype=float), np.asarray(column_payoffs, dtype=float).T
    log_weights = [np.zeros(len(matrix)) for matrix in matrices]
    payoffs_seen: tuple[list[Floats], list[Floats]] = ([], [])
    shares_played: tuple[list[Floats], list[Floats]] = ([], [])

    for _ in range(steps):
        shares = [normalize_log_weights(logs) for logs in log_weights]
        for player in (0, 1):
            payoffs = matrices[player] @ shares[1 - player]
            payoffs_seen[player].append(payoffs)
            shares_played[player].append(shares[player])
            log_weights[player] = log_weights[player] + np.log(payoffs)

    row_play, column_play = (
        Play(np.array(payoffs_seen[player]), np.array(shares_played[player])) for player in (0, 1)
    )
    return row_play, column_play


def normalize_log_weights(log_weights: Floats) -> Floats:
    """Return shares in proportion to exp(log_weights), in an array of the same shape that sums to one in each row."""
    # The largest weight is scaled to 1, so that exp does not overflow.
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def compute_total_regret(play: Play) -> float:
    """Return the learner's regret over all steps, in the unit of the payoffs.

    It is the largest total payoff of an action minus the learner's total expected payoff.
    """
    largest_total = play.payoffs.sum(axis=0).max()
    own_total = (play.shares * play.payoffs).sum()
    return float(largest_total - own_total)


def compute_regret_and_theorem_five_bound(play: Play, payoff_range: float) -> RegretAndBound:
    """Return a learner's total regret, and the bound on it of Theorem 5 of Lanctot (2014), with its ingredients.

    The bound has Q, the summed squared losses of the best action. The text can be read in two ways: the best action is
    the one with the least total loss, as for polynomial weights (section 2.2), or the one with the largest total
    payoff, as in eq. 6. The larger Q of both is taken, which makes the bound larger.

    Parameters
    ----------
    play : Play
        The payoffs that the learner saw, and the shares that it played.
    payoff_range : float
        Delta, the range of the payoffs over all ends of the game.
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
    """Return the bound of Lanctot (2014, Theorem 5) on total regret: Delta (ln K / eta + eta Q).

    It is in the unit of the payoffs. If the rate is not positive, there is no such bound, and infinity is returned.

    Parameters
    ----------
    rate : float
        The learning rate eta.
    squared_loss : float
        Q, the sum over all steps of the squared losses of the best action. Losses have no unit: they are from 0 to 1.
    num_actions : int
        The number K of actions.
    payoff_range : float
        Delta, the range of the payoffs over all ends of the game.
    """
    if rate <= 0.0:
        return float("inf")
    return payoff_range * (float(np.log(num_actions)) / rate + rate * squared_loss)


def compute_losses_and_rates(play: Play) -> tuple[Floats, Floats]:
    """Return the loss of each action in each step, and the learning rate of each step.

    In a step in which all payoffs are equal, all losses and the rate are zero.

    Returns
    -------
    array of shape (T, K)
        The losses (Lanctot 2014, eq. 8), from 0 to 1: how much less than the largest payoff an action wins, divided by
        the range of the step's payoffs.
    array of shape (T,)
        The rates (Lemma 1): the range of the step's payoffs, divided by the largest payoff.
    """
    largest = play.payoffs.max(axis=1)
    ranges = np.ptp(play.payoffs, axis=1)
    divisors = np.where(ranges > 0.0, ranges, 1.0)  # where the range is zero, so are the numerators
    losses = (largest[:, None] - play.payoffs) / divisors[:, None]
    return losses, ranges / largest


def find_equivalent_fixed_rate(expected_losses: Floats, rates: Floats) -> float:
    """Return the fixed learning rate that shrinks weights in total as much as the varying rates of the steps do.

    It is eta* of the proof of Lemma 4 of Lanctot (2014), which solves prod(1 - eta* F_t) = prod(1 - eta_t F_t), where
    the products are over the steps t. It is zero if there is no loss.

    Parameters
    ----------
    expected_losses : array of shape (T,)
        F_t, the learner's expected loss in each step.
    rates : array of shape (T,)
        eta_t, the learning rate in each step.
    """
    from scipy.optimize import brentq

    log_product = float(np.log1p(-rates * expected_losses).sum())
    if log_product == 0.0:
        return 0.0

    def compute_excess_of_log_product(rate: float) -> float:
        """Return the logarithm of the product at a fixed rate, minus that at the varying rates."""
        return float(np.log1p(-rate * expected_losses).sum() - log_product)

    # The function is zero or positive at the rate 0, and zero or negative at the largest rate.
    return float(brentq(compute_excess_of_log_product, 0.0, rates.max()))


def compute_corrected_regret_bound(play: Play) -> float:
    """Return a bound on a replicator's total regret that holds for all positive payoffs, in their unit.

    It replaces Theorem 5 of Lanctot (2014), and is derived in the docstring of this module. It is T (A - K^(-1/T) G)
    for T steps and K actions, where A is the arithmetic and G the geometric mean over the steps of the payoffs of the
    action with the largest total payoff.
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
    """Return the bound of `compute_corrected_regret_bound` from sums over the steps, in the unit of the payoffs.

    It is T (A - K^(-1/T) G), where A is the arithmetic and G the geometric mean of an action's payoffs over the steps.

    Parameters
    ----------
    payoff_sum, log_payoff_sum : float
        The sum of the action's payoffs, and the sum of their logarithms.
    steps : int
        The number T of steps.
    num_actions : int
        The number K of actions.
    """
    scaled_geometric_mean = np.exp((log_payoff_sum - np.log(num_actions)) / steps)
    return float(payoff_sum - steps * scaled_geometric_mean)


def compute_relative_regret_minus_squared_losses(play: Play) -> float:
    """Return the part of Lemma 4 of Lanctot (2014) that is true: a sum that is at most ln K if no rate exceeds 1/2.

    It is the largest, over actions a, of the sum over steps t of (u_t(a) - x_t . u_t) / M_t - (eta_t l_t(a))^2. Here
    u_t are the payoffs, M_t is the largest of them, x_t the shares, eta_t the rate of Lemma 1 and l_t the loss of eq.
    8. So each step is weighted by its own rate.
    """
    largest = play.payoffs.max(axis=1, keepdims=True)  # M_t
    expected = (play.shares * play.payoffs).sum(axis=1, keepdims=True)
    relative_gains = (play.payoffs - expected) / largest
    relative_losses = (largest - play.payoffs) / largest  # eta_t l_t(a)
    terms = relative_gains - relative_losses**2
    return float(terms.sum(axis=0).max())


class TreeRegretAndBound(NamedTuple):
    """Each player's regret in a tree, (n,), and the corrected bound on it, (n,); totals over steps."""

    regret: Floats
    bound: Floats


def compute_tree_regret_and_corrected_bound(
    game: SequenceForm, payoff_shift: float, steps: int
) -> TreeRegretAndBound:
    """Return each player's total regret under simultaneous replicator steps in a tree, and the corrected bound on it.

    The steps are those of Lanctot (2014, eq. 3), from the uniform profile. The bound is the sum over a player's
    information sets I of T (A - |A(I)|^(-1/T) G). Here A and G are the arithmetic and the geometric mean over the steps
    of u_t(I, a), the shifted payoff of playing to reach I and take a, and a is the action of the largest total gain at
    I. The program is slow, since it visits the information sets in Python.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    steps : int
        The number T of steps.
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
    """Sums over the steps of a learner in a tree with S sequences and P players.

    Attributes
    ----------
    utility : array of shape (P,)
        Each player's expected utility.
    gradient : array of shape (P, S)
        For each player, the gradient of its utility with respect to its realization plan.
    gain : array of shape (S,)
        What each action gains over the mixture of actions at its information set.
    payoff, log_payoff : array of shape (S,)
        The shifted payoffs u_t(I, a), and their logarithms.
    """

    utility: Floats
    gradient: Floats
    gain: Floats
    payoff: Floats
    log_payoff: Floats

    @classmethod
    def make_zero(cls, game: SequenceForm) -> Self:
        """Return the sums before the first step, which are all zero."""
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
    """Add one player's part of a step to the sums.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    behavior : array
        The action probabilities of all players in the step.
    player : int
        The player.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    sums : TreeSums
        The player's entries are changed.
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
    """Return the number of each information set of a player, with the slice of its actions in arrays of sequences.

    An information set comes after those at which the player must have chosen before.
    """
    first_infoset, stop_infoset = game.infoset_start[player : player + 2].tolist()
    infosets = []
    for infoset in range(first_infoset, stop_infoset):
        first_action = int(game.first_sequence[infoset])
        num_actions = int(game.num_actions[infoset])
        infosets.append((infoset, slice(first_action, first_action + num_actions)))
    return infosets


def compute_payoff_gradient(game: SequenceForm, behavior: Floats, player: int) -> Floats:
    """Return the gradient of a player's expected payoff in its own realization plan, (S,).

    An entry is the sum over the ends of the game that a sequence leads to: of the payoff, times the probabilities of
    chance and of the other players' actions. Entries of other players' sequences are zero.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, in which all players together have S sequences.
    behavior : array of shape (S,)
        The probability of each sequence's last action, and 1 at the players' empty sequences.
    player : int
        The player.
    """
    # A sequence's weight is the product of the probabilities of its actions, along the information sets in order.
    plan = behavior.copy()
    for owner in range(game.num_players):
        for infoset, actions in list_infosets_with_action_slices(game, owner):
            plan[actions] *= plan[game.parent_sequence[infoset]]

    opponents_sequences = np.delete(game.sequence, player, axis=1)  # at each end of the game
    opponents_reach = plan[opponents_sequences].prod(axis=1)
    weights = game.chance * game.payoff[:, player] * opponents_reach
    return np.bincount(game.sequence[:, player], weights, len(behavior)).astype(float)


def compute_counterfactual_values_from_gradient(
    game: SequenceForm, gradient: Floats, behavior: Floats, player: int
) -> tuple[Floats, dict[int, float]]:
    """Return the counterfactual values of a player's actions and information sets.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    gradient : array of shape (S,)
        The gradient of the player's payoff at `behavior`, from `compute_payoff_gradient`.
    behavior : array of shape (S,)
        The probability of each sequence's last action.
    player : int
        The player.

    Returns
    -------
    array of shape (S,)
        The counterfactual value v(I, a) of each of the player's sequences, that is of its last action.
    dict of int to float
        The counterfactual value v(I) of each of the player's information sets.
    """
    values = gradient.copy()
    expected_values = {}
    # Backward, so that the values of all information sets below one are added before its own are used.
    for infoset, actions in reversed(list_infosets_with_action_slices(game, player)):
        expected_values[infoset] = float(behavior[actions] @ values[actions])
        values[game.parent_sequence[infoset]] += expected_values[infoset]
    return values, expected_values


def compute_best_plan_value(game: SequenceForm, gradient: Floats, player: int) -> float:
    """Return the value of a player's best realization plan: its scalar product with a gradient of payoffs, (S,)."""
    values = gradient.copy()
    # Backward: the best action at an information set is known when all those below it have been visited.
    for infoset, actions in reversed(list_infosets_with_action_slices(game, player)):
        values[game.parent_sequence[infoset]] += values[actions].max()
    return float(values[player])


class EnclosedStep(NamedTuple):
    """One step of a learner with two actions, each quantity enclosed between two fractions.

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
    """Fractions that decide whether Theorem 5 fails for one learner.

    Attributes
    ----------
    regret : Fraction
        The regret is at least this.
    bound : Fraction
        Theorem 5's bound is at most this.
    largest_rate : Fraction
        No rate eta_t exceeds this.
    """

    regret: Fraction
    bound: Fraction
    largest_rate: Fraction


def iterate_enclosed_steps_against_payoffs(
    payoffs: Sequence[Sequence[int]],
) -> Iterator[EnclosedStep]:
    """Yield the exact steps of a replicator with two actions against given payoffs.

    Parameters
    ----------
    payoffs : sequence of pairs of int
        The positive payoffs of both actions in each step. They do not depend on the replicator's shares.

    Yields
    ------
    EnclosedStep
        The quantities of a step, each enclosed between two fractions. The shares are equal before the first step.
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
    """Yield the steps of player 1 in a 2 x 2 game between two replicators, enclosed between fractions.

    If z are the odds of player 2's first column, player 1's row (a, b) pays (a z + b) / (z + 1). So the payoffs of both
    players, and the ratios by which a step multiplies their odds, are linear fractions of the other player's odds.

    Parameters
    ----------
    row_payoffs, column_payoffs : 2 x 2 sequences of int
        The positive payoffs of player 1 and of player 2, by row and column.
    steps : int
        The number of simultaneous steps (Lanctot 2014, eq. 3), from equal shares.

    Yields
    ------
    EnclosedStep
        The quantities of player 1 in each step.
    """
    (a, b), (c, d) = row_payoffs
    (p, q), (r, s) = column_payoffs
    row_odds, column_odds = ONE, ONE
    for _ in range(steps):
        yield EnclosedStep(
            payoffs=(
                apply_linear_fraction((a, b, 1, 1), column_odds),
                apply_linear_fraction((c, d, 1, 1), column_odds),
            ),
            difference=apply_linear_fraction((a - c, b - d, 1, 1), column_odds),
            odds=row_odds,
        )
        row_ratio = apply_linear_fraction((a, b, c, d), column_odds)
        column_ratio = apply_linear_fraction((p, r, q, s), row_odds)
        row_odds = multiply_intervals(row_odds, row_ratio)
        column_odds = multiply_intervals(column_odds, column_ratio)


def certify_regret_and_bound(steps: Iterator[EnclosedStep], payoff_range: int) -> Certificate:
    """Return fractions that bound a learner's total regret from below, and Theorem 5's bound on it from above.

    If the first fraction exceeds the second, then Theorem 5 of Lanctot (2014) fails for this learner, and rounding
    plays no part in that. The learner has two actions. Each loss is then 0 or 1, so Q counts the steps in which the
    action with the largest total payoff was the worse one. That action has at least as many losses as the action of the
    least total loss, so the bound is the larger one of both readings of Q.

    Parameters
    ----------
    steps : iterator of EnclosedStep
        The steps of the learner.
    payoff_range : int
        Delta, the range of the payoffs over all ends of the game.

    Raises
    ------
    ArithmeticError
        If the intervals are too wide to decide which action is better in a step.
    """
    regrets = [Fraction(0), Fraction(0)]  # from below, with respect to each action
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
        gap = (low, high) if low > 0 else (-high, -low)
        shares = (
            apply_linear_fraction((1, 0, 1, 1), odds),
            apply_linear_fraction((0, 1, 1, 1), odds),
        )

        # The learner wins less than the better action by gap times the share of the worse one, and more than the worse
        # action by gap times the share of the better one.
        regrets[better] += multiply_intervals(gap, shares[worse])[0]
        regrets[worse] -= multiply_intervals(gap, shares[better])[1]
        num_losses[worse] += 1
        expected_losses.append(shares[worse])

        (worse_low, worse_high), (better_low, better_high) = payoffs[worse], payoffs[better]
        rates.append((1 - worse_high / better_low, 1 - worse_low / better_high))

    lowest_rate, highest_rate = enclose_equivalent_fixed_rate(expected_losses, rates)
    best_action = 0 if regrets[0] > regrets[1] else 1
    log_two = compute_upper_bound_of_log_two()
    # The bound is convex in the rate, so its largest value is at an end of the interval.
    bound = max(
        log_two / rate + rate * num_losses[best_action] for rate in (lowest_rate, highest_rate)
    )
    largest_rate = max(high for _, high in rates)
    return Certificate(max(regrets), payoff_range * bound, largest_rate)


def enclose_equivalent_fixed_rate(
    expected_losses: list[Interval], rates: list[Interval]
) -> Interval:
    """Return an interval that contains the fixed rate eta* of Lemma 4 of Lanctot (2014), found by bisection.

    It solves prod(1 - eta* F_t) = prod(1 - eta_t F_t). The bisection ends when the interval is as short as
    `RATE_PRECISION`, or when the enclosed products do not decide in which half eta* lies.

    Parameters
    ----------
    expected_losses, rates : list of Interval
        Intervals that contain F_t and eta_t, for each step t.
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

    By these factors polynomial weights shrink the sum of their weights. `expected_losses` are intervals that contain
    F_t, and `rates` intervals that contain eta_t.
    """
    product = ONE
    for (loss_low, loss_high), (rate_low, rate_high) in zip(expected_losses, rates, strict=True):
        factor = (1 - rate_high * loss_high, 1 - rate_low * loss_low)
        product = multiply_intervals(product, factor)
    return product


def compute_upper_bound_of_log_two(terms: int = 60) -> Fraction:
    """Return a fraction just above ln 2, from `terms` terms of the series sum over k of 1 / (k 2^k).

    The terms that are left out sum to less than 1 / (terms 2^terms), which is added.
    """
    partial_sum = sum(Fraction(1, k * 2**k) for k in range(1, terms + 1))
    return partial_sum + Fraction(1, terms * 2**terms)


def multiply_intervals(first: Interval, second: Interval) -> Interval:
    """Return the product of two intervals of positive numbers, rounded outward."""
    return round_interval_outward(first[0] * second[0], first[1] * second[1])


def apply_linear_fraction(coefficients: tuple[int, int, int, int], interval: Interval) -> Interval:
    """Return the interval of (a z + b) / (c z + d) for z in an interval of positive numbers, rounded outward.

    The function is monotone there, so its values lie between those at the ends. `coefficients` are a, b, c and d.
    """
    a, b, c, d = coefficients
    low, high = sorted((a * z + b) / (c * z + d) for z in interval)
    return round_interval_outward(low, high)


def round_interval_outward(low: Fraction, high: Fraction) -> Interval:
    """Return an interval that contains another one, and whose ends are multiples of 2 ** -NUM_BITS."""
    scale = 2**NUM_BITS
    below, above = low * scale, high * scale
    rounded_down = below.numerator // below.denominator
    rounded_up = -(-above.numerator // above.denominator)
    return Fraction(rounded_down, scale), Fraction(rounded_up, scale)
