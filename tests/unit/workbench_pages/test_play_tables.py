"""What all tables at which a person plays have in common: a demonstration first, then a match of one's own."""

from typing import Any

import pytest

from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, format_cards
from pokerlab.workbench import play_holdem, play_kuhn, play_tournament

OTHERS = [ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_CALL]
TABLES = {
    "kuhn": (lambda seed: play_kuhn("always bet", seed=seed), "bet", 6),
    "limit": (lambda seed: play_holdem(ALWAYS_RAISE, seed=seed), "call", 6),
    "tournament": (lambda seed: play_tournament(OTHERS, seed=seed), "call", 3),
}


@pytest.fixture(params=TABLES)
def case(request: pytest.FixtureRequest) -> Any:
    return TABLES[request.param]


def cards_of(hand: Any) -> Any:
    return hand.history.cards if hasattr(hand, "history") else tuple(hand.deal)


def play_out(table: Any, move: str) -> None:
    while table.match.is_waiting:
        table.act(move)


def test_hands_are_played_before_a_button_is_pressed_and_the_reader_gets_others(case: Any) -> None:
    make, move, demonstrated = case
    table = make(1)
    shown = [cards_of(hand) for hand in table.match.hands]
    assert len(table.match.finished) == demonstrated
    assert "hands played for you" in str(table.picture)
    assert [button.disabled for button in table.move_buttons.values()] == [True] * len(
        table.move_buttons
    )
    own = []
    for _ in range(demonstrated):
        table.deal_button.click()
        own.append(cards_of(table.match.hands[-1]))
        play_out(table, move)
    assert len(table.match.hands) == demonstrated
    assert own != shown


def test_the_same_seed_gives_the_same_table(case: Any) -> None:
    make = case[0]
    assert str(make(3).picture) == str(make(3).picture)
    assert str(make(3).picture) != str(make(4).picture)


def test_a_click_that_comes_too_late_changes_nothing(case: Any) -> None:
    make, move, _ = case
    table = make(1)
    before = table.match
    table.handle_press(move)
    assert table.match is before
    table.deal()
    before = table.match
    table.deal_button.click()
    table.handle_press("deal")
    assert table.match is before


def test_the_others_cards_are_hidden_until_the_hand_is_over(case: Any) -> None:
    make, move, _ = case
    table = make(1)
    table.deal()
    hand = table.match.hands[-1]
    if hasattr(hand, "history"):
        theirs = [f">{'JQK'[hand.history.cards[1 - hand.seat]]}</text>"]
    else:
        theirs = [format_cards(hand.get_hole_cards(seat)) for seat in range(1, hand.num_seats)]

    def told() -> list[bool]:
        shown = table.picture._repr_svg_() + table.picture.text
        return [cards in shown for cards in theirs]

    assert not any(told())
    if hasattr(table, "quick"):
        table.deal_after_fold_box.value = False
        move = "fold"
    play_out(table, move)
    assert all(told())


def test_double_press_on_check_does_not_press_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("pokerlab.workbench.tables.play_table.time.monotonic", lambda: clock[0])
    table = play_kuhn("always bet", seed=1)
    table.deal()
    play_out(table, "bet")
    table.deal()
    play_out(table, "bet")
    table.deal()  # the reader acts first again
    clock[0] = 10.0
    button = table.move_buttons["pass"]
    assert button.description == "Check"
    button.click()
    assert button.description == "Fold"
    button.click()
    assert table.match.is_waiting
    clock[0] = 11.0
    button.click()
    assert not table.match.is_waiting


def test_error_of_a_player_is_said_at_the_table() -> None:
    is_broken = []

    def fold_or_fail(view: Any) -> int:
        if is_broken:
            raise ValueError("no idea")
        return -1

    table = play_tournament([fold_or_fail, fold_or_fail], seed=1)
    before = table.match
    is_broken.append(True)
    table.deal_button.click()
    assert "Nothing was played: ValueError: no idea" in table.screen.words_widget.value
    assert table.match is before
    is_broken.clear()
    table.deal_button.click()
    assert "Nothing was played" not in table.screen.words_widget.value
    assert table.match is not before
