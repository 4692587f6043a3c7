"""Laws of compiled games: what the arrays say is what the tree says."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from pokerlab import reference
from pokerlab.core import GameError
from pokerlab.games import Decision, Terminal, compile_rules
from tests.random_games import Played, RandomRules, Tree, games_with_behavior, some_rules

ROUNDING = 1e-12  # sums of a few hundred probabilities, utilities up to ten


@given(games_with_behavior())
def test_plans_satisfy_the_treeplex(played: Played) -> None:
    for player in range(played.game.num_players):
        treeplex = played.game.make_treeplex(player)
        plan = played.profile.plan(player)
        assert treeplex.num_sequences == len(plan) == played.game.num_sequences[player]
        assert (treeplex.parent_sequence < treeplex.first_sequence).all()
        flows = treeplex.make_constraint_matrix() @ plan
        assert flows == pytest.approx(np.eye(1, len(flows))[0], abs=ROUNDING)


@given(some_rules())
def test_the_same_rules_have_the_same_fingerprint(rules: RandomRules) -> None:
    assert compile_rules(rules).fingerprint == compile_rules(rules).fingerprint


@given(some_rules())
def test_another_utility_has_another_fingerprint(rules: RandomRules) -> None:
    richer = replace(rules, root=with_bonus(rules.root), zero_sum=False)
    assert compile_rules(rules).fingerprint != compile_rules(richer).fingerprint


def with_bonus(tree: Tree) -> Tree:
    """Return the tree in which player 1 gets 1/7 more at the last end."""
    if isinstance(tree.turn, Terminal):
        first, *others = tree.turn.utilities
        return Tree(Terminal((first + Fraction(1, 7), *others)), {})
    last = list(tree.below)[-1]
    return Tree(tree.turn, {**tree.below, last: with_bonus(tree.below[last])})


@given(some_rules())
def test_a_player_who_forgets_is_refused(rules: RandomRules) -> None:
    pair = forgettable(rules)
    assume(pair is not None)
    player, kept, lost = pair
    forgetful = replace(rules, root=relabeled(rules.root, player, lost, kept))
    with pytest.raises(GameError, match=f"player {player + 1} has imperfect recall at '{kept}'"):
        compile_rules(forgetful)


def forgettable(rules: RandomRules) -> tuple[int, str, str] | None:
    """Return a player and two information sets with different own pasts, if there are any."""
    for player in range(rules.num_players):
        infosets = reference.list_information_sets(rules, player)
        past = {label: hs[0].sequences[player] for label, hs in infosets.items()}
        for kept in past:
            for lost in past:
                if past[kept] != past[lost]:
                    return player, kept, lost
    return None


def relabeled(tree: Tree, player: int, old: str, new: str) -> Tree:
    """Return the tree in which `player` takes information set `old` for `new`."""
    below = {a: relabeled(t, player, old, new) for a, t in tree.below.items()}
    turn = tree.turn
    if isinstance(turn, Decision) and (turn.player, turn.infoset) == (player, old):
        turn = Decision(player, new, turn.actions)
    return Tree(turn, below)
