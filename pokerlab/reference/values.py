"""What a profile is worth, and each choice in it: utilities and counterfactual values, by recursion."""

from math import prod
from typing import Any

from pokerlab.games.rules import Chance, Rules, Terminal
from pokerlab.reference.histories import (
    Behavior,
    ReachedHistory,
    Real,
    actions_at,
    information_sets,
)


def expected_utilities(rules: Rules, behavior: Behavior, history: Any = None) -> tuple[Real, ...]:
    """Return everybody's expected utility from `history` on, by default from the start.

        u(z) is given at the end of the hand;  u(h) = sum over a of sigma(h, a) u(ha)

    where sigma(h, .) is the mover's behavior, or the distribution of chance (Osborne & Rubinstein
    1994, chapter 11).
    """
    if history is None:
        history = rules.start()
    turn = rules.turn(history)
    if isinstance(turn, Terminal):
        return turn.utilities
    sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
    below = [
        (p, expected_utilities(rules, behavior, rules.after(history, a))) for a, p in sigma.items()
    ]
    return tuple(sum(p * u[player] for p, u in below) for player in range(rules.num_players))


def others_reach(rules: Rules, behavior: Behavior, player: int, situation: ReachedHistory) -> Real:
    """Return pi_-i(h), the probability that chance and all players but i = `player` lead to h.

    The product of chance's probabilities and of sigma_k(I, a) over all (I, a) in X_k(h), k != i.
    """
    return situation.chance * prod(
        behavior[k, infoset][action]
        for k in range(rules.num_players)
        if k != player
        for infoset, action in situation.sequences[k]
    )


def counterfactual_values(
    rules: Rules, behavior: Behavior, player: int
) -> dict[str, dict[str, Real]]:
    """Return v_i(I, a) for each information set and action of i = `player`.

        v_i(I, a) = sum over h in I of pi_-i(h) u_i(ha)

    with u_i(ha) what i wins from there on. It is eq. 7 of Lanctot (2014), the sum over pairs (h, z)
    with h in I and z an end below h, where the sum over z is written as an expected utility.
    """
    return {
        label: {
            action: sum(
                others_reach(rules, behavior, player, h)
                * expected_utilities(rules, behavior, rules.after(h.history, action))[player]
                for h in infoset
            )
            for action in actions_at(infoset)
        }
        for label, infoset in information_sets(rules, player).items()
    }


def instant_regrets(rules: Rules, behavior: Behavior, player: int) -> dict[str, dict[str, Real]]:
    """Return r(I, a) = v_i(I, a) - v_i(I), where v_i(I) = sum over a of sigma(I, a) v_i(I, a)."""
    regrets = {}
    for label, value in counterfactual_values(rules, behavior, player).items():
        sigma = behavior[player, label]
        expected = sum(sigma[action] * value[action] for action in value)
        regrets[label] = {action: value[action] - expected for action in value}
    return regrets
