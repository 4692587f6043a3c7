"""Regret: how much more the best fixed strategy would have won than what was played."""

from collections.abc import Sequence

from pokerlab.games.rules import Rules
from pokerlab.reference.best_response import pure_strategies
from pokerlab.reference.histories import Behavior, Real
from pokerlab.reference.values import expected_utilities, instant_regrets


def average_regret(rules: Rules, played: Sequence[Behavior], player: int) -> Real:
    """Return the average overall regret of i = `player`; for tiny games, trying everything.

        1/T max over s_i of sum over t of u_i(s_i, sigma_-i^t) - u_i(sigma^t)

    over pure strategies s_i, with `played` sigma^1 to sigma^T (Zinkevich et al. 2007, section 2).
    """
    gained = [
        sum(
            expected_utilities(rules, {**sigma, **pure})[player]
            - expected_utilities(rules, sigma)[player]
            for sigma in played
        )
        for pure in pure_strategies(rules, player)
    ]
    return max(gained) / len(played)


def counterfactual_bound(rules: Rules, played: Sequence[Behavior], player: int) -> Real:
    """Return what bounds the average overall regret of i = `player`.

        1/T sum over I of (max over a of sum over t of v_i(I, sigma^t, a) - v_i(I, sigma^t))+

    the positive parts of the average immediate counterfactual regrets, eq. 9 of Lanctot (2014);
    the bound is Theorem 3 of Zinkevich et al. (2007).
    """
    each = [instant_regrets(rules, sigma, player) for sigma in played]
    bound: Real = 0.0
    for label in each[0]:
        summed = [sum(regrets[label][action] for regrets in each) for action in each[0][label]]
        bound += max(0.0, *summed)
    return bound / len(played)
