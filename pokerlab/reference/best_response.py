"""The best a player can do when the others do not change: by recursion, and by trying everything."""

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from pokerlab.games.rules import Chance, Rules, Terminal
from pokerlab.reference.histories import Behavior, Real, Table, actions_at, information_sets
from pokerlab.reference.values import expected_utilities, others_reach


class PureReply(NamedTuple):
    """A best response.

    Attributes
    ----------
    value : float or Fraction
        What it wins.
    actions : dict
        What it does at each information set; ties go to the first action.
    """

    value: Real
    actions: dict[str, str]


def best_response(rules: Rules, behavior: Behavior, player: int) -> PureReply:
    """Return the best `player` can do against the others' `behavior`.

        b(I) = argmax over a of sum over h in I of pi_-i(h) w(ha),   i the player who replies,

    where w(h) is what i wins from h on when i follows b and the others their behavior. Player i
    cannot tell the histories of I apart, so b(I) is one action for all of them, and perfect recall
    lets it be found from the end of the hand backwards.
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


def best_pure_value(rules: Rules, behavior: Behavior, player: int) -> Real:
    """Return the most that any pure strategy of `player` wins; for tiny games.

    max over s_i of u_i(s_i, sigma_-i): the definition itself, since no mixture beats the best of
    its parts.
    """
    return max(
        expected_utilities(rules, {**behavior, **pure}, None)[player]
        for pure in pure_strategies(rules, player)
    )


def gains(rules: Rules, behavior: Behavior) -> tuple[Real, ...]:
    """Return what each player would gain by a best response, max u_i(s_i, sigma_-i) - u_i(sigma).

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
