"""A replier's beliefs as a tree: Bayes' rule at the nodes, the best response in thick lines."""

import pytest

import pokerlab as pl
from pokerlab.core import SettingError
from pokerlab.solvers.belief.belief_tree import Beliefs, belief_tree
from pokerlab.workbench import draw_beliefs, kuhn_equilibrium
from pokerlab.workbench.pictures.beliefs import grown


@pytest.fixture
def beliefs() -> Beliefs:
    """Return what player 2 believes of a player 1 who bets a quarter of the jacks, 3/4 of the kings."""
    return belief_tree(pl.games.kuhn(), 1).against(kuhn_equilibrium(0.25))


def test_each_node_says_what_bayes_rule_gives(beliefs: Beliefs) -> None:
    lines = [line.strip() for line in str(draw_beliefs(beliefs)).splitlines()]
    assert lines[0] == "beliefs of player 2 in KP(2)"
    # With a jack: a queen passes always, a king one time in four.
    assert "pass 0.62: worth −1.000: player 2, Q 0.80 K 0.20" in lines
    # With a queen: a jack bets one time in four, a king three times in four.
    assert "bet 0.50: worth −1.000: player 2, J 0.25 K 0.75" in lines
    # With a king: a jack that passed passes again, a queen that passed calls 7 times in 12.
    assert "bet 0.33: worth +2.000: J 0.00 Q 1.00" in lines


def test_where_the_best_response_ends_up_adds_up_to_its_value(beliefs: Beliefs) -> None:
    ends = [node for node in grown(beliefs.root).walk() if node.utilities]
    assert len(ends) == 15
    assert sum(end.reach for end in ends) == pytest.approx(1.0)
    wins = [end.reach * float(end.utilities[0]) for end in ends]
    assert sum(wins) == pytest.approx(beliefs.value)
    reply = pl.games.kuhn().best_response(kuhn_equilibrium(0.25), 1)
    assert sum(wins) == pytest.approx(reply.value)


def test_more_than_can_be_read_is_refused(beliefs: Beliefs) -> None:
    game = pl.games.kuhn(4)
    with pytest.raises(SettingError, match="more than 80 ends"):
        draw_beliefs(belief_tree(game, 0).against(game.uniform()))
    with pytest.raises(SettingError, match="max_depth is 0"):
        draw_beliefs(beliefs, max_depth=0)
