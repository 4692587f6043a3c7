"""Hands of hold'em as drawings: a table at one moment, and a strip of all that was done."""

from xml.etree import ElementTree

import pytest

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.holdem import parse_cards
from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, limit, no_limit
from pokerlab.workbench import draw_hand, draw_table
from pokerlab.workbench.pictures.cards import SUITS, small_card
from pokerlab.workbench.pictures.svg import Picture

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


def written(picture: Picture) -> list[str]:
    drawn = ElementTree.fromstring(picture._repr_svg_())
    return [text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("suit", SUITS)
def test_a_small_card_shows_rank_and_suit_without_color(suit: str) -> None:
    drawn = ElementTree.fromstring(small_card(f"T{suit}", 0, 0))
    assert [text.text for text in drawn.iter("text")] == ["10"]
    assert [path.get("d") for path in drawn.iter("path")] == [SUITS[suit]]


def test_a_small_card_face_down_or_to_come_tells_nothing() -> None:
    assert "<text" not in small_card("?", 0, 0) + small_card("", 0, 0)


@pytest.mark.parametrize(("name", "message"), [("1s", "no rank '1'"), ("Kx", "no suit 'x'")])
def test_unknown_small_cards_are_refused(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        small_card(name, 0, 0)


def test_a_table_says_who_has_what(on_the_flop: Hand) -> None:
    assert str(draw_table(on_the_flop)).splitlines() == [
        "flop; board: 2c 3d 7h; pot: 4",
        "player 1: As Ad, 98, to act, button",
        "player 2: Ks Kd, 44, bet 4",
    ]


def test_a_table_draws_stacks_bets_pot_and_the_button(on_the_flop: Hand) -> None:
    said = written(draw_table(on_the_flop, names=["Ann", "Bob"], title="a flop"))
    for words in ("a flop", "Ann", "Bob", "98", "44", "4", "pot: 4", "D", "to act"):
        assert words in said
    assert "player 1" not in said


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
    assert lines[4].endswith(
        "player 1 calls 10, all-in; player 2 calls 29, all-in; player 3 calls 58, all-in"
    )
    assert lines[5:8] == ["flop 2c 3d 7h", "turn 2c 3d 7h 8s", "river 2c 3d 7h 8s Jc"]
    assert "no more betting" in written(draw_hand(side_pots))


def test_what_nobody_matched_is_not_in_the_pot_of_the_next_street(side_pots: Hand) -> None:
    # 10 + 30 + 60 + 80, of which 20 go back to player 4.
    assert written(draw_hand(side_pots)).count("pot 160") == 3


def test_the_words_of_the_table() -> None:
    structure = limit(4, ante=1)
    deal = parse_cards(f"Jd Jh 8c 8d 7c 7d {BOARD}")
    hand = Hand.begin(structure, [50, 50, 4], 0, deal)
    hand = after(hand, 8, CALL, CALL, 4, FOLD)
    preflop, flop = str(draw_hand(hand)).splitlines()[3:5]
    assert preflop == (
        "preflop: player 2 posts an ante of 1 and posts 2;"
        " player 3 posts an ante of 1 and posts 3, all-in; player 1 posts an ante of 1;"
        " player 1 raises to 8; player 2 calls 6"
    )
    assert flop == "flop 2c 3d 7h: player 2 checks; player 1 bets 4; player 2 folds"


def test_seats_without_chips_sit_out() -> None:
    hand = begun([9, 0, 9], "Jd Jh 8c 8d 7c 7d")
    line = str(draw_table(hand)).splitlines()[2]
    assert line == "player 2: no chips, sits out"


@pytest.mark.parametrize("num_seats", range(2, 11))
def test_no_seat_lies_on_another(num_seats: int) -> None:
    cards = [card for card in range(52) if card % 4 != 3][: 2 * num_seats]
    deal = [*cards, *parse_cards("As Ks Qs Js Ts").tolist()]
    drawn = draw_table(Hand.begin(no_limit(1, 2), [50] * num_seats, 0, deal))._repr_svg_()
    root = ElementTree.fromstring(drawn)
    plates = [
        (float(plate.get("x", 0)), float(plate.get("y", 0)))
        for plate in root.iter("{http://www.w3.org/2000/svg}rect")
        if plate.get("width") == "156"
    ]
    assert len(plates) == num_seats
    for i, (x, y) in enumerate(plates):
        assert 0 <= x <= 800 - 156
        for left, top in plates[:i]:
            assert abs(x - left) >= 156 or abs(y - top) >= 38 + 36


def test_long_names_make_room_for_the_stack() -> None:
    hand = begun([5_000, 5_000], "As Ad Ks Kd")
    names = ["Bartholomew the Elder", "always raise"]
    for picture in (draw_table(hand, names=names), draw_hand(hand, names=names)):
        said = written(picture)
        assert "always raise" in said
        assert names[0] not in said
        assert any(text.startswith("Barth") and text.endswith("…") for text in said)
        assert f"{names[0]}: As Ad" in str(picture)


def test_names_must_fit_the_seats(on_the_flop: Hand) -> None:
    with pytest.raises(SettingError, match="3 names are given for 2 seats"):
        draw_table(on_the_flop, names=["a", "b", "c"])
    with pytest.raises(SettingError, match="1 names are given for 2 seats"):
        draw_hand(on_the_flop, names=["a"])
