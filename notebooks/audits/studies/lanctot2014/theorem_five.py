"""Theorem 5 of Lanctot (2014): a small counterexample, and a bound on regret that holds.

A learner has K actions, plays the shares x_t, and takes the replicator's discrete step (eq. 3) against payoffs
u_t(a) > 0: x_{t+1}(a) = x_t(a) u_t(a) / (x_t . u_t). Its regret is the largest total payoff of a fixed action,
less what it won itself. In the paper's words, M_t is the largest u_t(a) and Delta_t the range of u_t. The rate is
eta_t = Delta_t / M_t (Lemma 1), the loss l_t(a) = (M_t - u_t(a)) / Delta_t (eq. 8), and the learner's own loss
F_t = x_t . l_t. With one information set Theorem 5 says: if all eta_t <= 1/2, then

    regret <= Delta (ln K / eta* + eta* Q),    Q the summed squares of the best action's losses,

where Delta is the range of all payoffs and eta* the rate of Lemma 4: prod(1 - eta* F_t) = prod(1 - eta_t F_t).

What the step bounds is regret in log payoffs, because ln u_t(a) - ln(x_t . u_t) = ln x_{t+1}(a) - ln x_t(a), which
sums to at most ln K. So the geometric mean of what the learner wins is at least K^(-1/T) times that of any action.
The arithmetic mean of what it wins is no smaller. Therefore, with a the best action,

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
"""The small game: what player 1 gets (positive, so no shift is added)."""
COLUMN_PAYOFFS = ((2, 3), (8, 4))
"""The small game: what player 2 gets."""
NUM_STEPS = 648
"""The first t at which the regret of player 1 in the small game is 1.5 times the bound; it first exceeds it at 303."""

TWO_BLOCKS = ((1, 2),) * 12 + ((4, 3),) * 33
"""Payoffs of two actions, step by step, that do not depend on the learner: rates 1/2, then 1/4."""
BITS = 256
"""Certified bounds are rounded outward to multiples of 2 ** -BITS."""

Interval = tuple[Fraction, Fraction]


class Play(NamedTuple):
    """What one learner was offered and what it played, step by step."""

    payoffs: Floats  # (T, K): u_t(a)
    shares: Floats  # (T, K): x_t(a)


class Account(NamedTuple):
    """Theorem 5 for one learner with one information set; totals over t, not averages."""

    regret: float
    bound: float
    rate: float  # eta*
    squared_loss: float  # Q
    smallest_rate: float  # of all eta_t
    largest_rate: float

    @property
    def ratio(self) -> float:
        """Regret over bound: the theorem fails where this exceeds one."""
        return self.regret / self.bound


def play_sequence(payoffs: Sequence[Sequence[float]] | Floats) -> Play:
    """Return the replicator's play, from equal shares, against payoffs (T, K) fixed beforehand."""
    offered = np.asarray(payoffs, dtype=float)
    before = np.vstack([np.zeros(offered.shape[1]), np.cumsum(np.log(offered), axis=0)[:-1]])
    return Play(offered, compute_shares(before))


def play_game(
    first: Sequence[Sequence[float]] | Floats,
    second: Sequence[Sequence[float]] | Floats,
    steps: int,
) -> tuple[Play, Play]:
    """Return both players' play in a matrix game with positive payoffs: simultaneous steps from equal shares.

    `first` and `second`, both (rows, columns), are the payoffs of the player of rows and of the player of columns.
    Shares are kept as logarithms, so none is lost to underflow.
    """
    of_rows, of_columns = np.asarray(first, dtype=float), np.asarray(second, dtype=float).T
    logs = [np.zeros(len(of_rows)), np.zeros(len(of_columns))]
    offered: list[list[Floats]] = [[], []]
    played: list[list[Floats]] = [[], []]
    for _ in range(steps):
        rows, columns = (compute_shares(each) for each in logs)
        now = (of_rows @ columns, rows), (of_columns @ rows, columns)
        for player, (payoffs, shares) in enumerate(now):
            offered[player].append(payoffs)
            played[player].append(shares)
            logs[player] = logs[player] + np.log(payoffs)
    one, two = (Play(np.array(u), np.array(x)) for u, x in zip(offered, played, strict=True))
    return one, two


def compute_shares(logs: Floats) -> Floats:
    """Return shares in proportion to exp(logs), along the last axis."""
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def sum_regret(play: Play) -> float:
    """Return the learner's regret, a total over t."""
    return float(play.payoffs.sum(axis=0).max() - (play.shares * play.payoffs).sum())


def compare_regret_and_bound(play: Play, payoff_range: float) -> Account:
    """Return regret and Theorem 5's bound; `payoff_range` is Delta, over all ends of the game.

    Q is the larger one of two readings: of the action with the least total loss, as for polynomial weights, and of
    the action that won most, as in eq. 6.
    """
    losses, rates = compute_losses(play)
    own = (play.shares * losses).sum(axis=1)
    rate = find_fixed_rate(own, rates)
    best = {int(losses.sum(axis=0).argmin()), int(play.payoffs.sum(axis=0).argmax())}
    squared = max(float((losses[:, action] ** 2).sum()) for action in best)
    bound = compute_bound(rate, squared, losses.shape[1], payoff_range)
    return Account(sum_regret(play), bound, rate, squared, float(rates.min()), float(rates.max()))


def compute_bound(rate: float, squared_loss: float, num_actions: int, payoff_range: float) -> float:
    """Return Delta (ln K / eta + eta Q); infinite at a rate of zero."""
    if rate <= 0.0:
        return float("inf")
    return payoff_range * (float(np.log(num_actions)) / rate + rate * squared_loss)


def compute_losses(play: Play) -> tuple[Floats, Floats]:
    """Return the losses l_t(a) of eq. 8, (T, K), and the rates eta_t, (T,)."""
    most, spread = play.payoffs.max(axis=1), np.ptp(play.payoffs, axis=1)
    losses = (most[:, None] - play.payoffs) / np.where(spread > 0.0, spread, 1.0)[:, None]
    return losses, spread / most


def find_fixed_rate(own: Floats, rates: Floats) -> float:
    """Return eta* of Lemma 4's proof: prod(1 - eta* F_t) = prod(1 - eta_t F_t), both (T,)."""
    from scipy.optimize import brentq

    wanted = float(np.log1p(-rates * own).sum())
    if wanted == 0.0:
        return 0.0
    return float(brentq(lambda rate: np.log1p(-rate * own).sum() - wanted, 0.0, rates.max()))


def compute_corrected_bound(play: Play) -> float:
    """Return T times (arithmetic mean - K^(-1/T) geometric mean) of the payoffs of the action that won most."""
    best = play.payoffs[:, play.payoffs.sum(axis=0).argmax()]
    return compute_bound_by_means(best.sum(), np.log(best).sum(), len(best), play.payoffs.shape[1])


def compute_bound_by_means(total: float, total_log: float, steps: int, num_actions: int) -> float:
    """Return T times (arithmetic mean - K^(-1/T) geometric mean), from the sums of payoffs and of their logarithms."""
    return float(total - steps * np.exp((total_log - np.log(num_actions)) / steps))


def compute_relative_excess(play: Play) -> float:
    """Return the largest over a of the sum of (u_t(a) - x_t . u_t) / M_t - (eta_t l_t(a))^2.

    This is at most ln K if all rates are at most 1/2: Lemma 4 as it is true, with each step weighted by its own rate.
    """
    most = play.payoffs.max(axis=1, keepdims=True)
    own = (play.shares * play.payoffs).sum(axis=1, keepdims=True)
    gains = (play.payoffs - own) / most - ((most - play.payoffs) / most) ** 2
    return float(gains.sum(axis=0).max())


class TreeAccount(NamedTuple):
    """Regret in a tree and the corrected bound on it, player by player, (n,) each; totals over t."""

    regret: Floats
    bound: Floats


def compare_in_tree(game: SequenceForm, payoff_shift: float, steps: int) -> TreeAccount:
    """Return each player's regret under simultaneous steps (eq. 3), and the corrected bound.

    The bound sums, over a player's information sets I, T times (arithmetic mean - |A(I)|^(-1/T) geometric mean) of
    u_t(I, a), the shifted payoff of playing to reach I and take a. Here a is the action of the largest gain at I.
    """
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="simultaneous")
    state, players = dynamics.init(), game.num_players
    sequences = players + game.num_probabilities
    won, gradients = np.zeros(players), np.zeros((players, sequences))
    gains, totals, logs = (np.zeros(sequences) for _ in range(3))
    for _ in range(steps):
        behavior = np.asarray(state.behavior)
        for player in range(players):
            gradient = compute_gradient(game, behavior, player)
            value, expected = value_choices(game, gradient, behavior, player)
            won[player] += value[player]
            gradients[player] += gradient
            payoff = np.full(sequences, value[player] + payoff_shift)
            for infoset, choices in list_infosets(game, player):
                gain = value[choices] - expected[infoset]
                payoff[choices] = payoff[game.parent_sequence[infoset]] + gain
                gains[choices] += gain
                totals[choices] += payoff[choices]
                logs[choices] += np.log(payoff[choices])
        state = dynamics.step(state)
    regret, bound = -won, np.zeros(players)
    for player in range(players):
        regret[player] += value_best_plan(game, gradients[player], player)
        for _, choices in list_infosets(game, player):
            best = choices.start + int(gains[choices].argmax())
            size = choices.stop - choices.start
            bound[player] += compute_bound_by_means(totals[best], logs[best], steps, size)
    return TreeAccount(regret, bound)


def list_infosets(game: SequenceForm, player: int) -> list[tuple[int, slice]]:
    """Return a player's information sets, parents first, each with the sequences that end there."""
    first, size = game.first_sequence, game.num_actions
    infosets = range(*game.infoset_start[player : player + 2].tolist())
    return [(i, slice(int(first[i]), int(first[i] + size[i]))) for i in infosets]


def compute_gradient(game: SequenceForm, behavior: Floats, player: int) -> Floats:
    """Return the gradient, (S,), of a player's payoff in its own realization plan."""
    plan = behavior.copy()
    for each in range(game.num_players):
        for infoset, choices in list_infosets(game, each):
            plan[choices] *= plan[game.parent_sequence[infoset]]
    others = np.delete(game.sequence, player, axis=1)
    weights = game.chance * game.payoff[:, player] * plan[others].prod(axis=1)
    return np.bincount(game.sequence[:, player], weights, len(behavior)).astype(float)


def value_choices(
    game: SequenceForm, gradient: Floats, behavior: Floats, player: int
) -> tuple[Floats, dict[int, float]]:
    """Return the counterfactual values v(I, a), (S,), and v(I) by information set."""
    value, expected = gradient.copy(), {}
    for infoset, choices in reversed(list_infosets(game, player)):
        expected[infoset] = float(behavior[choices] @ value[choices])
        value[game.parent_sequence[infoset]] += expected[infoset]
    return value, expected


def value_best_plan(game: SequenceForm, gradient: Floats, player: int) -> float:
    """Return the most that a realization plan of the player makes of a gradient (S,)."""
    value = gradient.copy()
    for infoset, choices in reversed(list_infosets(game, player)):
        value[game.parent_sequence[infoset]] += value[choices].max()
    return float(value[player])


class CertifiedStep(NamedTuple):
    """One step of a learner with two actions, each quantity between two fractions."""

    payoffs: tuple[Interval, Interval]
    difference: Interval  # u_t(0) - u_t(1)
    odds: Interval  # x_t(0) / x_t(1)


class Certificate(NamedTuple):
    """Fractions that decide Theorem 5 for one learner: regret is at least, the bound and all rates at most, these."""

    regret: Fraction
    bound: Fraction
    largest_rate: Fraction


def enclose_sequence(payoffs: Sequence[Sequence[int]]) -> Iterator[CertifiedStep]:
    """Yield the learner's steps, from equal shares, against payoffs of two actions fixed beforehand."""
    odds = Fraction(1), Fraction(1)
    for pair in payoffs:
        one, two = map(Fraction, pair)
        yield CertifiedStep(((one, one), (two, two)), (one - two, one - two), odds)
        odds = multiply(odds, (one / two, one / two))


def enclose_game(
    first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], steps: int
) -> Iterator[CertifiedStep]:
    """Yield player 1's steps in a 2 x 2 game with positive payoffs: simultaneous steps from equal shares."""
    (a, b), (c, d) = first
    (p, q), (r, s) = second
    rows = columns = (Fraction(1), Fraction(1))
    for _ in range(steps):
        payoffs = transform((a, b, 1, 1), columns), transform((c, d, 1, 1), columns)
        yield CertifiedStep(payoffs, transform((a - c, b - d, 1, 1), columns), rows)
        of_rows, of_columns = transform((a, b, c, d), columns), transform((p, r, q, s), rows)
        rows, columns = multiply(rows, of_rows), multiply(columns, of_columns)


def certify(steps: Iterator[CertifiedStep], payoff_range: int) -> Certificate:
    """Return fractions between which regret and Theorem 5's bound lie, for a learner with two actions.

    With two actions each loss is 0 or 1, so Q counts the losses of the action that won most. That action has at least
    as many as the action of the least total loss, so the bound is the larger one of both readings.
    """
    gains, losses = [Fraction(0), Fraction(0)], [0, 0]
    own: list[Interval] = []
    rates: list[Interval] = []
    for payoffs, difference, odds in steps:
        low, high = difference
        if low == high == 0:  # no loss, at a rate of zero
            continue
        if low <= 0 <= high:
            raise ArithmeticError(f"{BITS} bits do not decide which action is better. Use more.")
        better = 0 if low > 0 else 1
        losses[1 - better] += 1
        gap = (low, high) if low > 0 else (-high, -low)
        shares = transform((1, 0, 1, 1), odds), transform((0, 1, 1, 1), odds)
        gains[better] += multiply(gap, shares[1 - better])[0]
        gains[1 - better] -= multiply(gap, shares[better])[1]
        own.append(shares[1 - better])
        (worst_low, worst_high), (best_low, best_high) = payoffs[1 - better], payoffs[better]
        rates.append((1 - worst_high / best_low, 1 - worst_low / best_high))
    best = 0 if gains[0] > gains[1] else 1
    wanted = multiply_factors(own, rates)
    low, high = Fraction(0), Fraction(1)  # the fixed rate lies between these
    while high - low > Fraction(1, 2**20):
        middle = (low + high) / 2
        at_middle = multiply_factors(own, [(middle, middle)] * len(own))
        if at_middle[0] >= wanted[1]:
            low = middle
        elif at_middle[1] <= wanted[0]:
            high = middle
        else:
            break
    bound = max(
        compute_log_two_above() / rate + rate * losses[best] for rate in (low, high)
    )  # convex
    return Certificate(max(gains), payoff_range * bound, max(high for _, high in rates))


def multiply_factors(own: list[Interval], rates: list[Interval]) -> Interval:
    """Return the product over t of 1 - eta_t F_t."""
    product = Fraction(1), Fraction(1)
    for (own_low, own_high), (low, high) in zip(own, rates, strict=True):
        product = multiply(product, (1 - high * own_high, 1 - low * own_low))
    return product


def compute_log_two_above(terms: int = 60) -> Fraction:
    """Return a fraction just above ln 2 = sum over k of 1 / (k 2^k)."""
    return sum(Fraction(1, k * 2**k) for k in range(1, terms + 1)) + Fraction(1, terms * 2**terms)


def multiply(one: Interval, two: Interval) -> Interval:
    """Return the product of two positive intervals, rounded outward."""
    return round_outward(one[0] * two[0], one[1] * two[1])


def transform(numbers: tuple[int, int, int, int], interval: Interval) -> Interval:
    """Return (a z + b) / (c z + d) for z in a positive interval, on which it is monotone, rounded outward."""
    a, b, c, d = numbers
    ends = sorted((a * z + b) / (c * z + d) for z in interval)
    return round_outward(*ends)


def round_outward(low: Fraction, high: Fraction) -> Interval:
    """Return multiples of 2 ** -BITS that enclose an interval."""
    scale = 2**BITS
    below, above = low * scale, high * scale
    return (
        Fraction(below.numerator // below.denominator, scale),
        Fraction(-(-above.numerator // above.denominator), scale),
    )
