"""Game trees and beliefs as pictures: everything that is in them is in the drawing, where it can be read."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.games.small_poker import make_kuhn_rules, make_one_card_rules
from pokerlab.solvers.beliefs import Beliefs, make_belief_tree
from pokerlab.workbench import kuhn_equilibrium, tree
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.drawings.trees import build_belief_tree, draw_beliefs
from pokerlab.workbench.style import BLUE, RED

KUHN = pl.games.kuhn()


def drawn(picture: SvgDrawing) -> Element:
    return ElementTree.fromstring(picture._repr_svg_().replace(" xmlns=", " about="))


def words(picture: SvgDrawing) -> list[str]:
    return [text.text or "" for text in drawn(picture).iter("text")]


def test_kuhn_poker_is_drawn_whole() -> None:
    picture = tree(pl.games.kuhn())
    said = Counter(words(picture))
    # Thirty ends; player 1's infosets join two histories each, and so do player 2's.
    assert sum(said[u] for u in ("+1", "−1", "+2", "−2")) == 60
    assert said["+1"] == said["−1"]
    assert said["+2"] == said["−2"]
    for card in "JQK":
        assert said[card] == 2
        assert said[f"{card}, pass"] == said[f"{card}, bet"] == said[f"{card}, pass-bet"] == 2
    assert said["pass"] == said["bet"] == 24
    assert said["J 1/3"] == 1
    assert said["J 1/2"] == 2


def test_information_sets_are_joined_by_dashed_lines_unless_too_many_would_cross() -> None:
    dashed = [
        element.get("stroke")
        for element in drawn(tree(pl.games.kuhn())).iter()
        if element.get("stroke-dasharray") == "4 3"
    ]
    assert Counter(dashed) == {BLUE: 6, "#222222": 1}  # the legend's is black
    assert "the same words in italics" in tree(pl.games.kuhn()).caption


def test_lines_are_as_thick_as_actions_are_likely() -> None:
    table = pl.games.kuhn().uniform().to_table()
    table[0, "K"] = {"pass": 0.25, "bet": 0.75}
    table[1, "Q, bet"] = {"pass": 1.0, "bet": 0.0}
    profile = pl.games.Profile.from_table(pl.games.kuhn(), table)
    picture = tree(profile.game, profile, after=("K", "Q"))
    branches = [
        (path.get("stroke"), float(path.get("stroke-width", 0)), path.get("stroke-dasharray"))
        for path in drawn(picture).iter("path")
    ]
    assert branches[:2] == [(BLUE, 0.9 + 4 * 0.25, "none"), (BLUE, 0.9 + 4 * 0.75, "none")]
    assert branches[-2:] == [(RED, 4.9, "none"), (RED, 0.9, "1 3")]
    assert "bet 0.75" in words(picture)


def test_a_terminal_shows_the_same_as_indented_text() -> None:
    assert str(tree(make_kuhn_rules(), after=("K", "Q"))).splitlines() == [
        "KP(2) · K · Q",
        "player 1 at 'K'",
        "  pass: player 2 at 'Q, pass'",
        "    pass: +1, −1",
        "    bet: player 1 at 'K, pass-bet'",
        "      pass: −1, +1",
        "      bet: +2, −2",
        "  bet: player 2 at 'Q, bet'",
        "    pass: +1, −1",
        "    bet: +2, −2",
    ]


def test_tree_with_poker_names_says_check_fold_and_call() -> None:
    profile = pl.games.kuhn().uniform()
    assert str(tree(KUHN, profile, after=("K", "Q"), poker_names=True)).splitlines() == [
        "KP(2) · K · Q",
        "player 1 at 'K'",
        "  check 0.50: player 2 at 'Q, check'",
        "    check 0.50: +1, −1",
        "    bet 0.50: player 1 at 'K, check-bet'",
        "      fold 0.50: −1, +1",
        "      call 0.50: +2, −2",
        "  bet 0.50: player 2 at 'Q, bet'",
        "    fold 0.50: +1, −1",
        "    call 0.50: +2, −2",
    ]
    said = Counter(words(tree(KUHN, poker_names=True)))
    assert said["pass"] == 0
    assert said["fold"] == said["call"] == said["check"] == said["bet"] == 12


def test_the_caption_speaks_only_of_what_is_drawn() -> None:
    whole = tree(pl.games.kuhn(), kuhn_equilibrium(0.0)).caption
    part = tree(pl.games.kuhn(), max_depth=1).caption
    assert "Dashed lines" in whole
    assert "thicker" in whole
    assert "chips" in whole
    assert "beyond" not in whole
    assert "Dashed lines" not in part
    assert "beyond what is drawn" in part


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: tree(make_one_card_rules(8)),
            SettingError,
            r"more than 80 ends.*after=.*max_depth",
        ),
        (lambda: tree(KUHN, after=("A",)), UnknownNameError, r"there 'A'; there are: J, Q, K"),
        (lambda: tree(KUHN, after=("Q", "Q")), UnknownNameError, "there are: J, K"),
        (lambda: tree(KUHN, max_depth=0), SettingError, "max_depth is 0"),
        (
            lambda: tree(KUHN, pl.games.rock_paper_scissors().uniform()),
            GameError,
            "belongs to rock-paper-scissors",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.fixture
def beliefs() -> Beliefs:
    """Return what player 2 believes of a player 1 who bets a quarter of the jacks, 3/4 of the kings."""
    return make_belief_tree(pl.games.kuhn(), 1).compute_beliefs(kuhn_equilibrium(0.25))


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
    ends = [node for node in build_belief_tree(beliefs.root).iterate_nodes() if node.utilities]
    assert len(ends) == 15
    assert sum(end.reach for end in ends) == pytest.approx(1.0)
    wins = [end.reach * float(end.utilities[0]) for end in ends]
    assert sum(wins) == pytest.approx(beliefs.value)
    reply = pl.games.kuhn().best_response(kuhn_equilibrium(0.25), 1)
    assert sum(wins) == pytest.approx(reply.value)


def test_more_than_can_be_read_is_refused(beliefs: Beliefs) -> None:
    game = pl.games.kuhn(4)
    with pytest.raises(SettingError, match="more than 80 ends"):
        draw_beliefs(make_belief_tree(game, 0).compute_beliefs(game.uniform()))
    with pytest.raises(SettingError, match="max_depth is 0"):
        draw_beliefs(beliefs, max_depth=0)
