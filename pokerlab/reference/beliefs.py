"""What a player who keeps beliefs can win: the textbook's belief MDP, searched to the end."""

from collections.abc import Iterator
from typing import Any

from pokerlab.games.rules import Chance, Decision, Rules, Terminal
from pokerlab.reference.histories import Behavior, Real

Belief = list[tuple[Real, Any]]
"""Probabilities of the histories that a player cannot tell apart."""


def expectimax(rules: Rules, behavior: Behavior, player: int) -> Real:
    """Return the best `player` can do against the others' `behavior`, by search over beliefs.

    Samothrakis & Lucas (2011), Algorithm 1 without a depth limit. The value is that of
    `best_response`, found from the start of the hand forward instead of from its end backward.
    """
    return value_of_belief(rules, behavior, player, [(1, rules.start())])


def value_of_belief(rules: Rules, behavior: Behavior, player: int, belief: Belief) -> Real:
    """Return what `player` wins at most from a belief on.

    All others and chance act until the player is to decide or the hand is over: the player then knows
    the information set I, P(I) is the sum of the probabilities of its histories, and the belief is
    P(h | I) = P(h) / P(I) (eq. 7).
    """
    value: Real = 0
    met: dict[tuple[str, tuple[str, ...]], Belief] = {}
    for probability, history in moved_on(rules, behavior, player, belief):
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            value += probability * turn.utilities[player]  # eq. 9
        elif isinstance(turn, Decision):
            met.setdefault((turn.infoset, turn.actions), []).append((probability, history))
    for (_, actions), infoset in met.items():
        marginal = sum(probability for probability, _ in infoset)
        if not marginal:
            continue
        known = [(probability / marginal, history) for probability, history in infoset]  # eq. 7
        value += marginal * max(
            value_of_belief(rules, behavior, player, [(p, rules.after(h, a)) for p, h in known])
            for a in actions
        )
    return value


def moved_on(
    rules: Rules, behavior: Behavior, player: int, belief: Belief
) -> Iterator[tuple[Real, Any]]:
    """Yield where the histories of a belief lead when only chance and the others act, and how often."""
    for probability, history in belief:
        turn = rules.turn(history)
        if isinstance(turn, Terminal) or (not isinstance(turn, Chance) and turn.player == player):
            yield probability, history
            continue
        sigma = turn.outcomes if isinstance(turn, Chance) else behavior[turn.player, turn.infoset]
        after = [(probability * p, rules.after(history, a)) for a, p in sigma.items()]  # eq. 8
        yield from moved_on(rules, behavior, player, after)
