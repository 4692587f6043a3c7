"""Theorem 5 of Lanctot (2014): a small counterexample, and a bound on regret that holds.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014.

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
from typing import NamedTuple

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
    def ratio(self) -> float:
        """The regret divided by the bound. The theorem fails where this exceeds one."""
        return self.regret / self.bound


def play_against_payoffs(payoffs: Sequence[Sequence[float]] | Floats) -> Play:
    """Return the replicator's play, from equal shares, against payoffs that do not depend on it.

    `payoffs` has the shape (T, K) and only positive entries. Before step t the shares are proportional to the products
    of the payoffs of all earlier steps.
    """
    fixed_payoffs = np.asarray(payoffs, dtype=float)
    num_actions = fixed_payoffs.shape[1]
    log_products = np.cumsum(np.log(fixed_payoffs), axis=0)
    earlier_log_products = np.vstack([np.zeros(num_actions), log_products[:-1]])
    return Play(fixed_payoffs, compute_shares(earlier_log_products))


def play_matrix_game(
    row_payoffs: Sequence[Sequence[float]] | Floats,
    column_payoffs: Sequence[Sequence[float]] | Floats,
    steps: int,
) -> tuple[Play, Play]:
    """Return both players' play in a matrix game, in simultaneous replicator steps from equal shares.

    Shares are stored as logarithms, so that none of them underflows to zero.

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
        shares = [compute_shares(logs) for logs in log_weights]
        for player in (0, 1):
            payoffs = matrices[player] @ shares[1 - player]
            payoffs_seen[player].append(payoffs)
            shares_played[player].append(shares[player])
            log_weights[player] = log_weights[player] + np.log(payoffs)
    row_play, column_play = (
        Play(np.array(payoffs_seen[player]), np.array(shares_played[player])) for player in (0, 1)
    )
    return row_play, column_play


def compute_shares(log_weights: Floats) -> Floats:
    """Return shares in proportion to exp(log_weights), which sum to one along the last axis."""
    # The largest weight is scaled to 1, so that exp does not overflow.
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def sum_regret(play: Play) -> float:
    """Return the learner's regret, a total over steps.

    It is the largest total payoff of an action minus the learner's total expected payoff.
    """
    return float(play.payoffs.sum(axis=0).max() - (play.shares * play.payoffs).sum())


def compare_regret_and_bound(play: Play, payoff_range: float) -> RegretAndBound:
    """Return a learner's regret and Theorem 5's bound on it, totals over steps.

    The text can be read in two ways: the best action in Q is the one with the least total loss, as for polynomial
    weights, or the one with the largest total payoff, as in eq. 6. The larger Q of both is taken, which makes the bound
    larger.

    Parameters
    ----------
    play : Play
        The play of the learner.
    payoff_range : float
        Delta, the range of the payoffs over all ends of the game.
    """
    losses, rates = compute_losses_and_rates(play)
    expected_losses = (play.shares * losses).sum(axis=1)
    fixed_rate = find_fixed_rate(expected_losses, rates)
    least_loss_action = int(losses.sum(axis=0).argmin())
    largest_payoff_action = int(play.payoffs.sum(axis=0).argmax())
    squared_loss = max(
        float((losses[:, action] ** 2).sum())
        for action in (least_loss_action, largest_payoff_action)
    )
    num_actions = losses.shape[1]
    bound = compute_bound(fixed_rate, squared_loss, num_actions, payoff_range)
    return RegretAndBound(
        sum_regret(play), bound, fixed_rate, squared_loss, float(rates.min()), float(rates.max())
    )


def compute_bound(rate: float, squared_loss: float, num_actions: int, payoff_range: float) -> float:
    """Return Theorem 5's bound Delta (ln K / eta + eta Q) on total regret. It is infinite at a rate of zero.

    Parameters
    ----------
    rate : float
        The learning rate eta.
    squared_loss : float
        Q, the summed squared losses of the best action.
    num_actions : int
        The number K of actions.
    payoff_range : float
        Delta, the range of the payoffs over all ends of the game.
    """
    if rate <= 0.0:
        return float("inf")
    return payoff_range * (float(np.log(num_actions)) / rate + rate * squared_loss)


def compute_losses_and_rates(play: Play) -> tuple[Floats, Floats]:
    """Return the losses l_t(a) of eq. 8, (T, K), and the rates eta_t of Lemma 1, (T,).

    In a step in which all payoffs are equal, all losses and the rate are zero.
    """
    largest = play.payoffs.max(axis=1)
    ranges = np.ptp(play.payoffs, axis=1)
    divisors = np.where(ranges > 0.0, ranges, 1.0)
    losses = (largest[:, None] - play.payoffs) / divisors[:, None]
    return losses, ranges / largest


def find_fixed_rate(expected_losses: Floats, rates: Floats) -> float:
    """Return the rate eta* of the proof of Lemma 4, which solves prod(1 - eta* F_t) = prod(1 - eta_t F_t).

    `expected_losses` are the learner's F_t and `rates` its eta_t, both (T,). The rate is zero if there is no loss.
    """
    from scipy.optimize import brentq

    log_product = float(np.log1p(-rates * expected_losses).sum())
    if log_product == 0.0:
        return 0.0

    def compute_excess(rate: float) -> float:
        """Return the logarithm of the product at a fixed rate, minus that at the varying rates."""
        return float(np.log1p(-rate * expected_losses).sum() - log_product)

    return float(brentq(compute_excess, 0.0, rates.max()))


def compute_corrected_bound(play: Play) -> float:
    """Return our bound on a learner's total regret, which holds for any payoffs and rates.

    It is T times (arithmetic mean - K^(-1/T) geometric mean) of the payoffs of the action with the largest total.
    """
    num_steps, num_actions = play.payoffs.shape
    best_action = play.payoffs.sum(axis=0).argmax()
    payoffs = play.payoffs[:, best_action]
    return compute_bound_from_sums(payoffs.sum(), np.log(payoffs).sum(), num_steps, num_actions)


def compute_bound_from_sums(
    payoff_sum: float, log_payoff_sum: float, steps: int, num_actions: int
) -> float:
    """Return T times (arithmetic mean - K^(-1/T) geometric mean) of an action's payoffs, from two sums over T steps.

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


def compute_relative_excess(play: Play) -> float:
    """Return the largest over a of the sum over t of (u_t(a) - x_t . u_t) / M_t - (eta_t l_t(a))^2.

    This is at most ln K if all rates are at most 1/2. It is the part of Lemma 4 that is true: each step is weighted by
    its own rate.
    """
    largest = play.payoffs.max(axis=1, keepdims=True)
    expected = (play.shares * play.payoffs).sum(axis=1, keepdims=True)
    relative_gains = (play.payoffs - expected) / largest
    relative_losses = (largest - play.payoffs) / largest  # eta_t l_t(a)
    terms = relative_gains - relative_losses**2
    return float(terms.sum(axis=0).max())


class TreeRegretAndBound(NamedTuple):
    """Each player's regret in a tree, (n,), and the corrected bound on it, (n,); totals over steps."""

    regret: Floats
    bound: Floats


def compare_in_tree(game: SequenceForm, payoff_shift: float, steps: int) -> TreeRegretAndBound:
    """Return each player's regret under simultaneous replicator steps (eq. 3), and the corrected bound on it.

    The bound sums, over a player's information sets I, T times (arithmetic mean - |A(I)|^(-1/T) geometric mean) of
    u_t(I, a), the shifted payoff of playing to reach I and take a. Here a is the action of the largest total gain at I.

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
    num_sequences = num_players + game.num_probabilities
    utility_sums = np.zeros(num_players)
    gradient_sums = np.zeros((num_players, num_sequences))
    gain_sums, payoff_sums, log_payoff_sums = (np.zeros(num_sequences) for _ in range(3))

    for _ in range(steps):
        behavior = np.asarray(state.behavior)
        for player in range(num_players):
            gradient = compute_gradient(game, behavior, player)
            values, expected = compute_counterfactual_values(game, gradient, behavior, player)
            utility_sums[player] += values[player]
            gradient_sums[player] += gradient
            payoffs = np.full(num_sequences, values[player] + payoff_shift)
            for infoset, actions in list_action_slices(game, player):
                gains = values[actions] - expected[infoset]
                payoffs[actions] = payoffs[game.parent_sequence[infoset]] + gains
                gain_sums[actions] += gains
                payoff_sums[actions] += payoffs[actions]
                log_payoff_sums[actions] += np.log(payoffs[actions])
        state = dynamics.step(state)

    regret, bound = -utility_sums, np.zeros(num_players)
    for player in range(num_players):
        regret[player] += compute_best_plan_value(game, gradient_sums[player], player)
        for _, actions in list_action_slices(game, player):
            num_actions = actions.stop - actions.start
            best = actions.start + int(gain_sums[actions].argmax())
            bound[player] += compute_bound_from_sums(
                payoff_sums[best], log_payoff_sums[best], steps, num_actions
            )
    return TreeRegretAndBound(regret, bound)


def list_action_slices(game: SequenceForm, player: int) -> list[tuple[int, slice]]:
    """Return each information set of a player, and the slice of its actions in arrays of shape (S,).

    An information set comes after those at which the player must have chosen before.
    """
    first, size = game.first_sequence, game.num_actions
    infosets = range(*game.infoset_start[player : player + 2].tolist())
    return [(i, slice(int(first[i]), int(first[i] + size[i]))) for i in infosets]


def compute_gradient(game: SequenceForm, behavior: Floats, player: int) -> Floats:
    """Return the gradient of a player's payoff in its own realization plan, (S,).

    `behavior`, (S,), has the probability of each sequence's last action, and 1 at the players' empty sequences.
    """
    plan = behavior.copy()
    for each_player in range(game.num_players):
        for infoset, actions in list_action_slices(game, each_player):
            plan[actions] *= plan[game.parent_sequence[infoset]]
    others = np.delete(game.sequence, player, axis=1)
    weights = game.chance * game.payoff[:, player] * plan[others].prod(axis=1)
    return np.bincount(game.sequence[:, player], weights, len(behavior)).astype(float)


def compute_counterfactual_values(
    game: SequenceForm, gradient: Floats, behavior: Floats, player: int
) -> tuple[Floats, dict[int, float]]:
    """Return the counterfactual values v(I, a) of a player's sequences, (S,), and v(I) by information set.

    `gradient` is what `compute_gradient` returns for the player at `behavior`.
    """
    values, expected = gradient.copy(), {}
    for infoset, actions in reversed(list_action_slices(game, player)):
        expected[infoset] = float(behavior[actions] @ values[actions])
        values[game.parent_sequence[infoset]] += expected[infoset]
    return values, expected


def compute_best_plan_value(game: SequenceForm, gradient: Floats, player: int) -> float:
    """Return the largest scalar product of a player's realization plan with a gradient, (S,)."""
    values = gradient.copy()
    for infoset, actions in reversed(list_action_slices(game, player)):
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


def iterate_steps_against_payoffs(payoffs: Sequence[Sequence[int]]) -> Iterator[EnclosedStep]:
    """Yield the steps of a learner, from equal shares, against payoffs of two actions that do not depend on it."""
    odds = ONE
    for pair in payoffs:
        first, second = map(Fraction, pair)
        yield EnclosedStep(
            payoffs=((first, first), (second, second)),
            difference=(first - second, first - second),
            odds=odds,
        )
        odds = multiply_intervals(odds, (first / second, first / second))


def iterate_steps_of_game(
    row_payoffs: Sequence[Sequence[int]], column_payoffs: Sequence[Sequence[int]], steps: int
) -> Iterator[EnclosedStep]:
    """Yield player 1's steps in a 2 x 2 game with positive payoffs, in simultaneous steps from equal shares.

    If z are the odds of player 2's first column, player 1's row (a, b) pays (a z + b) / (z + 1). So the payoffs of both
    players, and the ratios by which a step multiplies their odds, are linear fractions of the other player's odds.
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
    """Return fractions that bound the regret of a learner with two actions from below and Theorem 5's bound from above.

    With two actions each loss is 0 or 1, so Q counts the steps in which the action with the largest total payoff was
    the worse one. That action has at least as many losses as the action of the least total loss, so the bound is the
    larger one of both readings of Q.

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
    regrets = [Fraction(0), Fraction(0)]  # from below, of each action
    num_losses = [0, 0]
    expected_losses: list[Interval] = []
    rates: list[Interval] = []
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

    lowest_rate, highest_rate = enclose_fixed_rate(expected_losses, rates)
    best_action = 0 if regrets[0] > regrets[1] else 1
    log_two = compute_upper_bound_of_log_two()
    # The bound is convex in the rate, so its largest value is at an end of the interval.
    bound = max(
        log_two / rate + rate * num_losses[best_action] for rate in (lowest_rate, highest_rate)
    )
    largest_rate = max(high for _, high in rates)
    return Certificate(max(regrets), payoff_range * bound, largest_rate)


def enclose_fixed_rate(expected_losses: list[Interval], rates: list[Interval]) -> Interval:
    """Return an interval that contains the rate eta* of Lemma 4, by bisection.

    The bisection ends when the interval is as short as `RATE_PRECISION`, or when the enclosed products do not decide in
    which half eta* lies.
    """
    product = enclose_product(expected_losses, rates)
    low, high = Fraction(0), Fraction(1)
    while high - low > RATE_PRECISION:
        middle = (low + high) / 2
        product_at_middle = enclose_product(
            expected_losses, [(middle, middle)] * len(expected_losses)
        )
        # The product falls as the rate grows.
        if product_at_middle[0] >= product[1]:
            low = middle
        elif product_at_middle[1] <= product[0]:
            high = middle
        else:
            break
    return low, high


def enclose_product(expected_losses: list[Interval], rates: list[Interval]) -> Interval:
    """Return an interval that contains the product over t of 1 - eta_t F_t."""
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
    return round_outward(first[0] * second[0], first[1] * second[1])


def apply_linear_fraction(coefficients: tuple[int, int, int, int], interval: Interval) -> Interval:
    """Return the interval of (a z + b) / (c z + d) for z in an interval of positive numbers, rounded outward.

    The function is monotone there, so its values lie between those at the ends. `coefficients` are a, b, c and d.
    """
    a, b, c, d = coefficients
    low, high = sorted((a * z + b) / (c * z + d) for z in interval)
    return round_outward(low, high)


def round_outward(low: Fraction, high: Fraction) -> Interval:
    """Return an interval that contains another one, and whose ends are multiples of 2 ** -NUM_BITS."""
    scale = 2**NUM_BITS
    below, above = low * scale, high * scale
    rounded_down = below.numerator // below.denominator
    rounded_up = -(-above.numerator // above.denominator)
    return Fraction(rounded_down, scale), Fraction(rounded_up, scale)
