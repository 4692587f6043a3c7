"""Which hypotheses of a belief MDP share a node: those that the responder cannot tell apart by what it observes."""

from fractions import Fraction

import pytest

from pokerlab.core import POINTS
from pokerlab.games import Chance, Decision, Terminal, compile_rules
from pokerlab.games.rules import Turn
from pokerlab.solvers.beliefs import make_belief_tree

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


def test_belief_tree_where_one_event_ends_some_hands_keeps_these_apart() -> None:
    game = compile_rules(SomeFoldsEnd())
    profile = game.uniform()
    beliefs = make_belief_tree(game, 1).compute_beliefs(profile)

    def is_ended(events: tuple[str, ...]) -> bool:
        return isinstance(game.rules.turn(events), Terminal)  # a history is its events

    for node in beliefs.root:
        ended = {is_ended(node.list_events(hypothesis)) for hypothesis in node.hypothesis_indices}
        assert len(ended) == 1, node.kind
    folds = [node for node in beliefs.root if node.events == ("fold",)]
    assert sorted(len(node.hypothesis_indices) for node in folds) == [1, 1]
    assert beliefs.value == pytest.approx(game.best_response(profile, 1).value)
