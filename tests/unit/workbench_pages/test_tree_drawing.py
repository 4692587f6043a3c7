"""Game trees as pictures: everything that is in the game is in the drawing, where it can be read."""

import re
from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.games.one_card import kuhn_rules, one_card_rules
from pokerlab.workbench import kuhn_equilibrium, tree
from pokerlab.workbench.pictures.svg import Picture
from pokerlab.workbench.pictures.tree_layout import grow, information_sets, lanes
from pokerlab.workbench.style import BLUE, RED


def drawn(picture: Picture) -> Element:
    return ElementTree.fromstring(picture._repr_svg_().replace(" xmlns=", " about="))


def words(picture: Picture) -> list[str]:
    return [text.text or "" for text in drawn(picture).iter("text")]


def boxes(picture: Picture) -> list[tuple[str, float, float, float, float]]:
    """Return what is written, with left, right, top and bottom of its box."""
    found = []
    for text in drawn(picture).iter("text"):
        said, size = text.text or "", float(text.get("font-size", 0))
        width = len(said) * size * 0.5
        x, y = float(text.get("x", 0)), float(text.get("y", 0))
        left = {"end": x - width, "middle": x - width / 2}.get(text.get("text-anchor", ""), x)
        found.append((said, left, left + width, y - 0.7 * size, y))
    return found


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
    table = pl.games.kuhn().uniform().table()
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


def test_the_column_of_reaches_and_utilities_adds_up_to_the_value() -> None:
    profile = kuhn_equilibrium(0.2)
    said = words(tree(profile.game, profile))
    numbers = re.compile(r"^([+−][12])$")
    ends = [
        (int(first.replace("−", "-")), 0.0 if reach == "never" else float(reach))
        for first, second, reach in zip(said, said[1:], said[2:], strict=False)
        if numbers.match(first) and numbers.match(second)
    ]
    assert len(ends) == 30
    assert sum(reach for _, reach in ends) == pytest.approx(1.0, abs=30 * 5e-4)
    assert sum(won * reach for won, reach in ends) == pytest.approx(-1 / 18, abs=60 * 5e-4)


@pytest.mark.parametrize(
    "picture",
    [
        tree(pl.games.kuhn()),
        tree(pl.games.kuhn(), kuhn_equilibrium(1 / 3)),
        tree(pl.games.kuhn(), max_depth=3),
        tree(pl.games.rock_paper_scissors()),
        tree(pl.games.one_card_poker(4), after=("A",)),
        tree(pl.games.kuhn(3), pl.games.kuhn(3).uniform(), after=("J", "Q", "K")),
        tree(pl.games.leduc(isomorphic=True), after=("J", "Q", "check", "check", "K")),
    ],
    ids=["kuhn", "equilibrium", "cut", "rps", "four ranks", "three players", "leduc"],
)
def test_no_two_labels_overlap_and_none_is_cut_off(picture: Picture) -> None:
    found = boxes(picture)
    for index, (said, left, right, top, bottom) in enumerate(found):
        assert left >= 0, said
        assert right <= picture.width, said
        assert 0 <= top < bottom <= picture.height, said
        for other, other_left, other_right, other_top, other_bottom in found[index + 1 :]:
            apart = right <= other_left or other_right <= left
            assert apart or bottom <= other_top or other_bottom <= top, (said, other)


def test_players_differ_by_shape_as_well_as_by_color() -> None:
    picture = drawn(tree(pl.games.kuhn(3), after=("J", "Q", "K")))
    corners = {
        polygon.get("fill"): len(polygon.get("points", "").split())
        for polygon in picture.iter("polygon")
    }
    assert corners == {RED: 4, "#009e73": 3}
    assert {circle.get("fill") for circle in picture.iter("circle")} == {BLUE}


def test_a_terminal_shows_the_same_as_indented_text() -> None:
    assert str(tree(kuhn_rules(), after=("K", "Q"))).splitlines() == [
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


def test_the_caption_speaks_only_of_what_is_drawn() -> None:
    whole = tree(pl.games.kuhn(), kuhn_equilibrium(0.0)).caption
    part = tree(pl.games.kuhn(), max_depth=1).caption
    assert "Dashed lines" in whole
    assert "thicker" in whole
    assert "chips" in whole
    assert "beyond" not in whole
    assert "Dashed lines" not in part
    assert "beyond what is drawn" in part


def test_information_sets_run_from_top_to_bottom() -> None:
    root = grow(kuhn_rules(), None, (), None)
    found = information_sets(root)
    assert [node.row for node in found[0, "J"]] == sorted(node.row for node in found[0, "J"])
    assert {key: len(nodes) for key, nodes in found.items()} == dict.fromkeys(found, 2)


def test_lanes_keep_overlapping_spans_apart() -> None:
    assert lanes([(0, 9), (1, 2), (3, 4), (2, 3)]) == [2, 0, 0, 1]
    assert lanes([]) == []


def test_too_much_to_read_is_refused_with_a_way_out() -> None:
    with pytest.raises(SettingError, match=r"more than 80 ends.*after=.*max_depth"):
        tree(one_card_rules(8))


def test_an_impossible_beginning_is_refused() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no action of KP\(2\) there 'A'; there are: J, Q, K"
    ):
        tree(pl.games.kuhn(), after=("A",))
    with pytest.raises(UnknownNameError, match="there are: J, K"):
        tree(pl.games.kuhn(), after=("Q", "Q"))


def test_a_profile_of_another_game_is_refused() -> None:
    with pytest.raises(GameError, match="belongs to rock-paper-scissors"):
        tree(pl.games.kuhn(), pl.games.rock_paper_scissors().uniform())


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="max_depth is 0"):
        tree(pl.games.kuhn(), max_depth=0)
