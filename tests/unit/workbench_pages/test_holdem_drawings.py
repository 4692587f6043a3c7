"""Hands of hold'em as drawings: a table at one moment, and a strip of all that was done."""

from itertools import combinations
from xml.etree import ElementTree

import pytest

from pokerlab.core import SettingError
from pokerlab.holdem import parse_cards
from pokerlab.holdem.betting_structure import no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.workbench import draw_hand, draw_table
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.drawings.table_drawing import BLOCK_HEIGHT, PLATE_HEIGHT, PLATE_WIDTH

BOARD = "2c 3d 7h 8s Jc"


def begun(stacks: list[int], holes: str) -> Hand:
    return Hand.begin(no_limit(1, 2), stacks, 0, parse_cards(f"{holes} {BOARD}"))


def after(hand: Hand, *actions: int) -> Hand:
    for action in actions:
        hand = hand.after(action)
    return hand


@pytest.fixture
def side_pots() -> Hand:
    # The shortest stack has the best hand, the next the second best: three different winners.
    hand = begun([10, 30, 60, 80], "Jd Jh 8c 8d 7c 7d As Ks")
    return after(hand, 80, CALL, CALL, CALL)


@pytest.fixture
def on_the_flop() -> Hand:
    # Heads-up with the button on seat 0: it completes, the other checks, then bets 4.
    return after(begun([100, 50], "As Ad Ks Kd"), CALL, CALL, 4)


def written(picture: SvgDrawing) -> list[str]:
    drawn = ElementTree.fromstring(picture._repr_svg_())
    return [text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_a_table_says_who_has_what(on_the_flop: Hand) -> None:
    assert str(draw_table(on_the_flop)).splitlines() == [
        "flop; board: 2c 3d 7h; pot: 4",
        "player 1: As Ad, 98, to act, button",
        "player 2: Ks Kd, 44, bet 4",
    ]


@pytest.mark.parametrize(
    ("shown", "first", "second"),
    [(None, "As Ad", "Ks Kd"), ([0], "As Ad", "? ?"), ([1], "? ?", "Ks Kd"), ([], "? ?", "? ?")],
)
def test_hole_cards_are_hidden_from_who_may_not_see_them(
    on_the_flop: Hand, shown: list[int] | None, first: str, second: str
) -> None:
    lines = str(draw_table(on_the_flop, shown)).splitlines()
    assert lines[1].startswith(f"player 1: {first},")
    assert lines[2].startswith(f"player 2: {second},")
    assert str(draw_hand(on_the_flop, shown)).splitlines()[0].startswith(f"player 1: {first},")


def test_a_showdown_opens_the_cards_of_those_who_stayed() -> None:
    hand = after(begun([9, 9, 9], "Jd Jh 8c 8d 7c 7d"), FOLD, 9, CALL)
    lines = str(draw_table(hand, [])).splitlines()
    assert "? ?" in lines[1]
    assert "8c 8d" in lines[2]
    assert "7c 7d" in lines[3]


def test_who_wins_unseen_shows_nothing(on_the_flop: Hand) -> None:
    hand = on_the_flop.after(FOLD)
    assert str(draw_table(hand, [])).splitlines() == [
        "flop; board: 2c 3d 7h; pot: 4, won by player 2",
        "player 1: ? ?, 98, folded, −2, button",
        "player 2: ? ?, 52, +2",
    ]
    assert "pot: 4, won by player 2" in str(draw_hand(hand, []))


def test_each_pot_names_its_winner(side_pots: Hand) -> None:
    said = written(draw_table(side_pots))
    assert "main pot: 40, won by player 1" in said
    assert "side pot 1: 60, won by player 2" in said
    assert "side pot 2: 60, won by player 3" in said
    assert "side pot 3: 0" not in " ".join(said)


def test_a_strip_tells_a_hand_in_order(side_pots: Hand) -> None:
    lines = str(draw_hand(side_pots)).splitlines()
    assert lines[0] == "player 1: Jd Jh, 40, three of a kind, +30, had 10, button"
    assert lines[3] == "player 4: As Ks, 20, high card, −60, had 80"
    assert lines[4].startswith("preflop: player 2 posts 1; player 3 posts 2; player 4 raises to 80")
    calls = (f"player {seat} calls {chips}, all-in" for seat, chips in ((1, 10), (2, 29), (3, 58)))
    assert lines[4].endswith("; ".join(calls))
    assert lines[5:8] == ["flop 2c 3d 7h", "turn 2c 3d 7h 8s", "river 2c 3d 7h 8s Jc"]
    assert "no more betting" in written(draw_hand(side_pots))


def test_seats_without_chips_sit_out() -> None:
    hand = begun([9, 0, 9], "Jd Jh 8c 8d 7c 7d")
    line = str(draw_table(hand)).splitlines()[2]
    assert line == "player 2: no chips, sits out"


def test_names_must_fit_the_seats(on_the_flop: Hand) -> None:
    with pytest.raises(SettingError, match="3 names are given for 2 seats"):
        draw_table(on_the_flop, names=["a", "b", "c"])
    with pytest.raises(SettingError, match="1 names are given for 2 seats"):
        draw_hand(on_the_flop, names=["a"])


@pytest.mark.parametrize("seats", range(2, 11))
def test_plates_lie_apart_and_inside(seats: int) -> None:
    picture = draw_table(Hand.begin(no_limit(1, 2), [9] * seats, 0, range(2 * seats + 5)))
    drawn = ElementTree.fromstring(picture._repr_svg_())
    rects = drawn.iter("{http://www.w3.org/2000/svg}rect")
    corners = [
        (float(each.attrib["x"]), float(each.attrib["y"]))
        for each in rects
        if each.attrib["width"] == f"{PLATE_WIDTH:g}"
    ]
    assert len(corners) == seats
    assert (picture.height < 300) == (seats <= 4)
    for x, y in corners:
        assert 0 <= x <= picture.width - PLATE_WIDTH
        assert BLOCK_HEIGHT - PLATE_HEIGHT <= y <= picture.height - PLATE_HEIGHT
    for (x, y), (u, v) in combinations(corners, 2):
        assert abs(x - u) >= PLATE_WIDTH or abs(y - v) >= BLOCK_HEIGHT
