"""Laws of compiled games: what the arrays say is what the tree says."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from pokerlab import games, reference
from pokerlab.core import GameError
from pokerlab.games import Decision, Profile, SequenceForm, Terminal, compile_rules
from pokerlab.reference.tree import Choice, actions_at
from tests.random_games import Played, RandomRules, Tree, games_with_behavior, some_rules

ROUNDING = 1e-12  # sums of a few hundred probabilities, utilities up to ten


@given(some_rules())
def test_parents_come_first_and_belong_to_the_same_player(rules: RandomRules) -> None:
    game = compile_rules(rules)
    n = game.num_players
    first, parent = game.first_sequence, game.parent_sequence
    assert (np.diff(first) == game.num_actions[:-1]).all()
    assert (first[:1] == n).all()
    for player, own in enumerate(game.player_sequences):
        mine = slice(*game.infoset_start[player : player + 2])
        inside = (parent[mine] >= own.start + n) & (parent[mine] < own.stop + n)
        assert (inside | (parent[mine] == player)).all()
        assert (parent[mine] < first[mine]).all()


@given(some_rules())
def test_information_sets_are_those_of_the_tree(rules: RandomRules) -> None:
    game = compile_rules(rules)
    choice = last_choices(game)
    for player in range(game.num_players):
        infosets = reference.information_sets(rules, player)
        assert game.num_infosets[player] == len(infosets)
        for label, histories in infosets.items():
            index = game.infoset(player, label)
            assert game.action_label[index] == actions_at(histories)
            before = histories[0].sequences[player]
            assert choice[int(game.parent_sequence[index])] == (before[-1] if before else None)


def last_choices(game: SequenceForm) -> dict[int, Choice | None]:
    """Return the information set and the action in which each sequence ends."""
    choice: dict[int, Choice | None] = dict.fromkeys(range(game.num_players))
    for label, first, actions in zip(
        game.infoset_label, game.first_sequence, game.action_label, strict=True
    ):
        choice |= {int(first) + a: (label, action) for a, action in enumerate(actions)}
    return choice


@given(games_with_behavior())
def test_ends_are_reached_with_probability_one(played: Played) -> None:
    game = played.game
    plans = [played.profile.plan(player) for player in range(game.num_players)]
    total = sum(
        chance * np.prod([own_weight(played, plans, p, q) for p, q in enumerate(sequences)])
        for chance, sequences in zip(game.chance, game.sequence, strict=True)
    )
    assert total == pytest.approx(1.0, abs=ROUNDING)


def own_weight(played: Played, plans: list[np.ndarray], player: int, sequence: int) -> float:
    """Return the realization weight of a sequence numbered among those of all players."""
    if sequence == player:
        return 1.0
    first = played.game.player_sequences[player].start + played.game.num_players
    return float(plans[player][1 + sequence - first])


@given(some_rules())
def test_merged_ends_carry_their_chance_and_expected_utilities(rules: RandomRules) -> None:
    game = compile_rules(rules)
    ends = [h for h in reference.histories(rules) if isinstance(h.turn, Terminal)]
    assert game.num_histories_ended == len(ends)

    shared: dict[object, list[reference.Situation]] = defaultdict(list)
    for end in ends:
        shared[tuple(q[-1] if q else None for q in end.sequences)].append(end)
    assert len(game.chance) == len(shared)
    choice = last_choices(game)
    for row, chance, payoff in zip(game.sequence, game.chance, game.payoff, strict=True):
        same = shared[tuple(choice[int(q)] for q in row)]
        total = sum(end.chance for end in same)
        assert chance == pytest.approx(float(total), abs=ROUNDING)
        for player in range(rules.num_players):
            won = sum(end.chance * end.turn.utilities[player] for end in same)
            assert payoff[player] == pytest.approx(float(won / total), abs=ROUNDING)


@given(games_with_behavior())
def test_plans_satisfy_the_treeplex(played: Played) -> None:
    for player in range(played.game.num_players):
        treeplex = played.game.treeplex(player)
        plan = played.profile.plan(player)
        assert treeplex.num_sequences == len(plan) == played.game.num_sequences[player]
        assert (treeplex.parent_sequence < treeplex.first_sequence).all()
        flows = treeplex.constraints() @ plan
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


def test_fingerprints_survive_a_new_compilation() -> None:
    assert (
        games.kuhn(3).fingerprint == compile_rules(games.kuhn(3).rules).fingerprint
    )  # the first is kept, the second made anew


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
        infosets = reference.information_sets(rules, player)
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


@given(games_with_behavior())
def test_behavior_survives_the_table(played: Played) -> None:
    profile = played.profile
    again = Profile.from_table(played.game, profile.table())
    assert (again.probabilities == profile.probabilities).all()
    table = {key: {a: float(p) for a, p in s.items()} for key, s in played.table.items()}
    assert profile.table() == table


@given(games_with_behavior())
def test_replacing_a_player_changes_that_player_only(played: Played) -> None:
    uniform, profile = played.game.uniform(), played.profile
    for player in range(played.game.num_players):
        mixed = uniform.replace(player, profile)
        for other in range(played.game.num_players):
            source = profile if other == player else uniform
            assert (mixed.of(other) == source.of(other)).all()
