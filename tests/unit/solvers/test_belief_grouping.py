"""Which hypotheses of the belief MDP stand in one node: what the replier sees decides."""

from fractions import Fraction

import pytest

from pokerlab.core import POINTS
from pokerlab.games import Chance, Decision, Terminal, compile_rules
from pokerlab.games.rules import Turn
from pokerlab.solvers.belief_search import belief_tree, grow

HALF = Fraction(1, 2)


class SomeFoldsEnd:
    """Player 1 is dealt X or Y and folds or calls; a fold ends the hand with X, and lets it go on with Y."""

    name, num_players, unit, zero_sum = "some folds end", 2, POINTS, True

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, history: tuple[str, ...]) -> Turn:
        if not history:
            return Chance({"X": HALF, "Y": HALF})
        if len(history) == 1:
            return Decision(0, history[0], ("fold", "call"))
        if history[1:] == ("call",):
            return Decision(1, "called", ("low", "high"))
        if history == ("Y", "fold"):
            return Decision(0, "again", ("low", "high"))
        won = len(history) if history[-1] == "high" else -1
        return Terminal((won, -won))

    def after(self, history: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*history, action)


def test_grow_where_one_event_ends_some_hands_keeps_these_apart() -> None:
    game = compile_rules(SomeFoldsEnd())
    for node in grow(game, 1):
        ended = {isinstance(member.moment.turn, Terminal) for member in node.members}
        assert len(ended) == 1, node.kind
    folds = [node for node in grow(game, 1) if {m.event for m in node.members} == {"fold"}]
    assert sorted(len(node.members) for node in folds) == [1, 1]
    profile = game.uniform()
    best = game.best_response(profile, 1).value
    assert belief_tree(game, 1).against(profile).value == pytest.approx(best)
