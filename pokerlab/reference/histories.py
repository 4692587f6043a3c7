"""Every history of a game, one after the other: what the textbook definitions sum over.

Strategies are dictionaries here, as `Profile.table()` returns them: (player, information set) to the
probabilities of actions. Probabilities may be floats or fractions; from fractions follow exact
values.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from pokerlab.games.rules import Chance, Decision, Rules, Turn

Real: TypeAlias = float | Fraction
Behavior: TypeAlias = Mapping[tuple[int, str], Mapping[str, Real]]
Table: TypeAlias = dict[tuple[int, str], dict[str, Real]]
Choice: TypeAlias = tuple[str, str]
Sequence: TypeAlias = tuple[Choice, ...]


class ReachedHistory(NamedTuple):
    """A history h and what led to it.

    Attributes
    ----------
    history : object
        h itself, as the rules write it.
    turn : Chance, Decision or Terminal
        Who moves there.
    chance : Fraction
        Product of the probabilities of the chance outcomes in h.
    sequences : tuple
        X_i(h) for each player i: the pairs (information set, action) that i has met and chosen, in
        order.
    """

    history: Any
    turn: Turn
    chance: Fraction
    sequences: tuple[Sequence, ...]


def histories(rules: Rules) -> Iterator[ReachedHistory]:
    """Yield every history of the game, each one before those that continue it."""

    def below(
        history: Any, chance: Fraction, own: tuple[Sequence, ...]
    ) -> Iterator[ReachedHistory]:
        turn = rules.turn(history)
        yield ReachedHistory(history, turn, chance, own)
        if isinstance(turn, Chance):
            for outcome, probability in turn.outcomes.items():
                yield from below(rules.after(history, outcome), chance * probability, own)
        elif isinstance(turn, Decision):
            i = turn.player
            for action in turn.actions:
                longer = (*own[i], (turn.infoset, action))
                after = rules.after(history, action)
                yield from below(after, chance, (*own[:i], longer, *own[i + 1 :]))

    yield from below(rules.start(), Fraction(1), ((),) * rules.num_players)


def information_sets(rules: Rules, player: int) -> dict[str, list[ReachedHistory]]:
    """Return the histories that make up each information set of `player`, parents first."""
    found: dict[str, list[ReachedHistory]] = {}
    for situation in histories(rules):
        turn = situation.turn
        if isinstance(turn, Decision) and turn.player == player:
            found.setdefault(turn.infoset, []).append(situation)
    return dict(sorted(found.items(), key=lambda item: len(item[1][0].sequences[player])))


def actions_at(infoset: list[ReachedHistory]) -> tuple[str, ...]:
    """Return A(I), the actions of an information set."""
    turn = infoset[0].turn
    assert isinstance(turn, Decision)
    return turn.actions


def uniform(rules: Rules) -> Table:
    """Return the behavior in which everybody chooses every action equally often."""
    return {
        (player, label): {action: 1.0 / len(actions_at(infoset)) for action in actions_at(infoset)}
        for player in range(rules.num_players)
        for label, infoset in information_sets(rules, player).items()
    }
