"""Regret along a run, and the bounds on it of Lanctot (2014), section 3.2.

All take the state of a `Watched` solver and return one number a player. Regret here is divided by
the number of iterations, as in the paper: how much more a player would have won, per iteration, by
the best fixed plan against what the others did.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import ONE, workspace
from pokerlab.metrics.regret_ledger import WatchedState

MOST_RATE = 0.5
"""The learning rate up to which the bound of polynomial weights holds."""


def average_regret(state: WatchedState) -> Floats:
    """Return each player's average overall regret, (n,).

    The largest, over fixed plans, of the mean over iterations of what the plan would have won,
    less what was won.
    """
    best = best_fixed_values(state.game.block, state.ledger.gradient)
    return np.asarray(best - state.ledger.utility) / iterations_of(state)


def counterfactual_bound(state: WatchedState) -> Floats:
    """Return the sum over information sets of positive average immediate regrets, (n,).

    It bounds `average_regret` for every algorithm (Zinkevich et al. 2007, Theorem 3).
    """
    worst = np.maximum.reduceat(state.ledger.gain, state.game.first_sequence)
    return by_player(state.game, np.maximum(worst, 0.0)) / iterations_of(state)


def loss_bound(state: WatchedState) -> Floats:
    """Return the right side of Lemma 3, (n,): Delta_i / T times the sum of positive loss regrets."""
    positive = np.maximum(loss_regret(state), 0.0)
    return payoff_range(state.game) * by_player(state.game, positive) / iterations_of(state)


def loss_regret(state: WatchedState) -> Floats:
    """Return each learner's regret in losses, (I,): the largest sum over t of l_sigma - l_a."""
    least = np.minimum.reduceat(state.ledger.loss, state.game.first_sequence)
    return np.asarray(state.ledger.learner_powers[0] - least)


def least_squared_loss(state: WatchedState) -> Floats:
    """Return Q_min of each learner, (I,): the summed squares of the losses of its best action."""
    ledger, game = state.ledger, state.game
    blocks = zip(game.first_sequence.tolist(), game.num_actions.tolist(), strict=True)
    best = [q + int(np.argmin(ledger.loss[q : q + size])) for q, size in blocks]
    return ledger.squared_loss[best]


def fixed_rate(state: WatchedState) -> Floats:
    """Return eta* of each learner, (I,): the fixed rate that Lemma 4 puts in place of the varying ones.

    The eta for which the product over t of 1 - eta F^t is that of 1 - eta_I(t) F^t; zero for a
    learner without losses.
    """
    from scipy.optimize import brentq

    rates = np.zeros(len(state.ledger.shrinkage))
    for infoset, shrinkage in enumerate(state.ledger.shrinkage.tolist()):
        sums = state.ledger.learner_powers[:, infoset]
        coefficients = np.concatenate([[shrinkage], sums / np.arange(1, len(sums) + 1)])
        series = np.polynomial.Polynomial(coefficients)
        if shrinkage == -np.inf:  # a rate of 1 met a loss of 1
            rates[infoset] = 1.0
        elif shrinkage < 0.0:
            rates[infoset] = brentq(series, 0.0, 1.0)
    return rates


class TheoremFive(NamedTuple):
    """Theorem 5, player by player.

    Attributes
    ----------
    bound : ndarray of shape (n,)
        On the average regret, in the game's unit.
    rate : ndarray of shape (n,)
        eta*, that of the learner with the largest Q_min.
    squared_loss : ndarray of shape (n,)
        Q_min, the largest of the player's learners'.
    largest_rate : ndarray of shape (n,)
        The largest eta_I(t) so far; the theorem asks for at most 1/2.
    """

    bound: Floats
    rate: Floats
    squared_loss: Floats
    largest_rate: Floats

    @property
    def applies(self) -> bool:
        """Whether the theorem's condition holds."""
        return bool(self.largest_rate.max() <= MOST_RATE)


def theorem_five(state: WatchedState) -> TheoremFive:
    """Return the bound Delta_i |I_i| / (eta* T) (ln |A_i| + eta*^2 Q_min) and what it is made of."""
    game = state.game
    rates, squared = fixed_rate(state), least_squared_loss(state)
    columns = []
    for player in range(game.num_players):
        mine = slice(*game.infoset_start[player : player + 2])
        if mine.start == mine.stop:  # who never chooses has no regret
            columns.append((0.0, 0.0, 0.0, 0.0))
            continue
        chosen = mine.start + int(np.argmax(squared[mine]))
        rate, q_min = rates[chosen], squared[chosen]
        learning = np.log(game.num_actions[mine].max()) + rate**2 * q_min
        scale = payoff_range(game)[player] * game.num_infosets[player] / iterations_of(state)
        bound = scale * learning / rate if rate > 0.0 else np.inf
        columns.append((bound, rate, q_min, state.ledger.largest_rate[mine].max()))
    return TheoremFive(*np.array(columns).T)


def payoff_range(game: SequenceForm) -> Floats:
    """Return Delta_i, the range of each player's utilities over the ends of the game, (n,)."""
    return np.asarray(np.diff(game.utility_range)[:, 0])


def by_player(game: SequenceForm, at_infosets: Floats) -> Floats:
    """Return the sums over each player's information sets, (n,), of a vector (I,)."""
    return np.array([part.sum() for part in np.split(at_infosets, game.infoset_start[1:-1])])


def iterations_of(state: WatchedState) -> int:
    """Return how many iterations there were: at least one."""
    if state.iteration == 0:
        raise SettingError("no iteration has been done; regret is an average over iterations.")
    return state.iteration


@kernel
def best_fixed_values(block: Floats, gradient: Floats) -> Floats:
    """Return the most that each player's plans make of a `gradient`, (S,): values (n,)."""
    game = workspace(block)
    n = game.ids[0]
    value = gradient.copy()
    infoset = game.infosets[n]
    while infoset > 0:
        infoset -= ONE
        best = -np.inf
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            best = max(best, value[q])
        value[game.parent[infoset]] += best
    return value[:n]
