"""What mixes of a subgame are worth, and what leaving them would gain."""

from collections.abc import Sequence

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm

DUST = 1e-12
"""Smaller weights are rounding; no support rests on them."""


def tidied(weights: Floats) -> Floats:
    """Return weights as probabilities: no dust, nothing negative, sum one."""
    kept = np.where(weights > DUST * weights.max(), weights, 0.0)
    return np.asarray(kept / kept.sum())


def scaled(payoff: Floats) -> Floats:
    """Return the payoffs between 1 and 2, in the same proportions: equilibria stay what they are."""
    low, spread = payoff.min(), np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)


def own_payoffs(payoff: Floats, mixes: Sequence[Floats], player: int) -> Floats:
    """Return what each strategy of `player` wins against the others' mixes, (K_i,).

    Parameters
    ----------
    payoff : ndarray of shape (K_1, ..., K_n)
        What `player` wins.
    mixes : sequence of ndarray of shape (K_i,)
        Everybody's probabilities; `player`'s own are ignored.
    player : int
        Whose strategies.
    """
    won = np.moveaxis(payoff, player, 0)
    for mix in reversed((*mixes[:player], *mixes[player + 1 :])):
        won = won @ mix
    return np.asarray(won)


def largest_gain(payoffs: Floats, mixes: Sequence[Floats]) -> float:
    """Return the most that a player gains by leaving the mixes alone: 0 at an equilibrium.

    Parameters
    ----------
    payoffs : ndarray of shape (n, K_1, ..., K_n)
        What each player wins.
    mixes : sequence of ndarray of shape (K_i,)
        Everybody's probabilities.
    """
    gains = []
    for player, mix in enumerate(mixes):
        won = own_payoffs(payoffs[player], mixes, player)
        gains.append(float(won.max() - mix @ won))
    return max(gains)


def allowed_gain(payoffs: Floats, tolerance: float) -> float:
    """Return a tolerance, given in units of the largest utility (at least 1), in the game's unit."""
    return tolerance * max(1.0, float(np.abs(payoffs).max()))


def check_two_players(game: SequenceForm, method: str) -> None:
    """Refuse games that are not for two."""
    if game.num_players != 2:
        raise GameError(
            f"{method} solves subgames of two players; {game.name} is a game for"
            f" {game.num_players}. Use subgame=solvers.LogitPath()."
        )
