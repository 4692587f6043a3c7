"""What a profile is worth, each choice in it, and the best reply to it: by recursion."""

import itertools
from collections.abc import Iterator
from functools import cache
from math import prod
from typing import Any, NamedTuple

from pokerlab.games.rules import Chance, Rules, Terminal
from pokerlab.reference.tree import (
    Behavior,
    ReachedHistory,
    Real,
    Table,
    actions_at,
    information_sets,
)


def expected_utilities(rules: Rules, behavior: Behavior, history: Any = None) -> tuple[Real, ...]:
    """Return everybody's expected utility from `history` on, by default from the start.

        u(z) is given at the end of the hand;  u(h) = sum over a of sigma(h, a) u(ha)

    where sigma(h, .) is the mover's behavior, or the distribution of chance (Osborne & Rubinstein 1994, chapter 11).
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

    ::

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


class PureReply(NamedTuple):
    """A best response."""

    value: Real  # what it wins
    actions: dict[str, str]  # what it does at each information set; ties go to the first action


def best_response(rules: Rules, behavior: Behavior, player: int) -> PureReply:
    """Return the best `player` can do against the others' `behavior`.

    ::

        b(I) = argmax over a of sum over h in I of pi_-i(h) w(ha),   i the player who replies,

    where w(h) is what i wins from h on when i follows b and the others their behavior. Player i
    cannot tell the histories of I apart, so b(I) is one action for all of them, and perfect recall
    lets it be found from the end of the hand backward.
    """
    infosets = information_sets(rules, player)

    @cache
    def reply(label: str) -> str:
        worth = {
            action: sum(
                others_reach(rules, behavior, player, h) * value(rules.after(h.history, action))
                for h in infosets[label]
            )
            for action in actions_at(infosets[label])
        }
        return max(worth, key=worth.__getitem__)

    def value(history: Any) -> Real:
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            return turn.utilities[player]
        if not isinstance(turn, Chance) and turn.player == player:
            return value(rules.after(history, reply(turn.infoset)))
        sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
        return sum(p * value(rules.after(history, a)) for a, p in sigma.items())

    return PureReply(value(rules.start()), {label: reply(label) for label in infosets})


def pure_strategies(rules: Rules, player: int) -> Iterator[Table]:
    """Yield every pure strategy of `player`: one action at each information set, with certainty."""
    infosets = information_sets(rules, player)
    choices = [actions_at(infoset) for infoset in infosets.values()]
    for chosen in itertools.product(*choices):
        yield {
            (player, label): {a: 1.0 if a == action else 0.0 for a in actions}
            for label, actions, action in zip(infosets, choices, chosen, strict=True)
        }


def gains(rules: Rules, behavior: Behavior) -> tuple[Real, ...]:
    """Return what each player would gain by a best response, `max u_i(s_i, sigma_-i) - u_i(sigma)`.

    The largest is the epsilon of eq. 1 of Lanctot (2014).
    """
    utilities = expected_utilities(rules, behavior)
    return tuple(
        best_response(rules, behavior, player).value - utility
        for player, utility in enumerate(utilities)
    )


def nash_conv(rules: Rules, behavior: Behavior) -> Real:
    """Return the sum of all players' gains; zero exactly in the Nash equilibria."""
    return sum(gains(rules, behavior))
