"""The belief MDP's beliefs, probabilities and values are those of the definition."""

import pytest

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from pokerlab.solvers.belief.belief_tree import BeliefNode, belief_tree
from tests.random_games import random_profile
from tests.reference.agreement import RANDOM_GAMES, ROUNDING, name_of

GAMES = [
    games.kuhn(2),
    games.kuhn(3),
    games.biased_rps(),
    games.leduc(isomorphic=True),
    *RANDOM_GAMES,
]
every_game = pytest.mark.parametrize("game", GAMES, ids=name_of)
LARGE = 1e4  # utilities of the random games; their values round accordingly


@every_game
def test_a_search_over_beliefs_finds_the_best_response(game: SequenceForm) -> None:
    profile = random_profile(game, 1)
    table = profile.table()
    for player in range(game.num_players):
        value = belief_tree(game, player).against(profile).value
        assert value == pytest.approx(
            float(reference.expectimax(game.rules, table, player)), rel=ROUNDING, abs=ROUNDING
        )
        best = float(reference.best_response(game.rules, table, player).value)
        assert value == pytest.approx(best, rel=ROUNDING, abs=ROUNDING * LARGE)


@every_game
def test_beliefs_are_the_others_reach_given_the_information_set(game: SequenceForm) -> None:
    profile = random_profile(game, 2)
    table = profile.table()
    for player in range(game.num_players):
        beliefs = belief_tree(game, player).against(profile)
        infosets = reference.information_sets(game.rules, player)
        met: dict[str, float] = {}

        def visit(
            node: BeliefNode, reach: float, met: dict[str, float], probability: dict[int, float]
        ) -> None:
            reach *= node.probability
            if node.kind == "decision":
                met[node.infoset] = reach
            probability[node.index] = reach
            for child in node.children:
                visit(child, reach, met, probability)

        probability: dict[int, float] = {}
        visit(beliefs.root, 1.0, met, probability)
        assert met.keys() == infosets.keys()
        nodes = {node.infoset: node for node in beliefs.root if node.kind == "decision"}
        for label, histories in infosets.items():
            reach = [float(reference.others_reach(game.rules, table, player, h)) for h in histories]
            assert met[label] == pytest.approx(sum(reach), abs=ROUNDING)
            believed = sorted(beliefs.belief[list(nodes[label].hypotheses)].tolist())
            expected = sorted(r / sum(reach) for r in reach)
            assert believed == pytest.approx(expected, abs=ROUNDING)


def test_hidden_cards_are_believed_by_name() -> None:
    game = games.kuhn()
    profile = game.uniform().replace(
        0, [0.7, 0.3, 1.0, 0.0, 0.1, 0.9, *[0.5] * 6]
    )  # J bets 0.3, Q never, K 0.9
    beliefs = belief_tree(game, 1).against(profile)
    nodes = {node.infoset: node for node in beliefs.root if node.kind == "decision"}
    assert nodes["Q, bet"].beliefs == pytest.approx({"J": 0.25, "K": 0.75})
    assert nodes["Q, pass"].beliefs == pytest.approx({"J": 0.7 / 0.8, "K": 0.1 / 0.8})
    assert nodes["J, pass"].beliefs == pytest.approx({"Q": 1 / 1.1, "K": 0.1 / 1.1})
    assert nodes["J, bet"].beliefs == pytest.approx({"Q": 0.0, "K": 1.0})


@pytest.mark.parametrize("scale", [1e-3, 1e-9, 1e-200])
def test_beliefs_are_the_same_however_rare_what_was_seen(scale: float) -> None:
    game = games.kuhn()
    bets = [1.0 * scale, 0.0, 3.0 * scale]
    profile = game.uniform().replace(0, [*(p for bet in bets for p in (1 - bet, bet)), *[0.5] * 6])
    nodes = belief_tree(game, 1).against(profile).root
    seen = {node.infoset: node.beliefs for node in nodes if node.kind == "decision"}
    assert seen["Q, bet"] == pytest.approx({"J": 0.25, "K": 0.75})
    assert seen["K, bet"] == pytest.approx({"J": 1.0, "Q": 0.0})
