"""The tournament's table in the notebook: buttons, the slider, folded hands that run on, what is shown after."""

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, RANDOM, TableNetwork
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.workbench import play_tournament
from pokerlab.workbench.dash import pages
from pokerlab.workbench.tables import play_table, tournament
from pokerlab.workbench.tables.holdem import HoldemTable

ENCODING = TableNetwork()
NETWORKS = ENCODING.make_players(ENCODING.draw_genomes(np.random.default_rng(3), 4))


@pytest.fixture(autouse=True)
def press_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let buttons be pressed as soon as their labels have changed."""
    monkeypatch.setattr(play_table, "READING_SECONDS", 0.0)


@pytest.fixture
def table() -> HoldemTable:
    return play_tournament([*NETWORKS, RANDOM, ALWAYS_FOLD, ALWAYS_CALL], seed=1)


def pressable(table: HoldemTable) -> list[str]:
    return [b.description for b in table.move_buttons.values() if not b.disabled]


def test_buttons_say_what_they_do() -> None:
    table = play_tournament([ALWAYS_RAISE, ALWAYS_FOLD, ALWAYS_FOLD], seed=1)
    table.deal_button.click()  # the reader has the small blind; two have folded
    assert pressable(table) == [
        *("Fold", "Call 5", "Raise to 20", "Raise to 30", "Raise to 70"),
        *("All-in 1,000", "Raise to 20"),
    ]
    table.amount_slider.value = 444
    assert table.move_buttons["amount"].description == "Raise to 444"
    table.move_buttons["amount"].click()
    assert table.match.hands[0].actions[:4] == (FOLD, FOLD, 444, 878)
    assert pressable(table) == ["Fold", "Call 434", "All-in 1,000", "Raise to 1,000"]
    assert table.amount_slider.min == table.amount_slider.max == 1000


def test_every_button_does_what_it_says(table: HoldemTable) -> None:
    table.deal_after_fold_box.value = False
    for move in ("call", "small", "medium", "large", "amount", "all-in", "fold"):
        table.begin_match()
        if move not in table.list_actions():
            continue
        wanted, before = table.list_actions()[move], len(table.match.hands[0].actions)
        legal = table.match.hands[0].legal_actions
        assert legal.allows(wanted)
        table.move_buttons[move].click()
        assert table.match.hands[0].actions[before] == wanted


def test_folded_hands_run_on_to_the_next_decision(table: HoldemTable) -> None:
    table.deal()
    for _ in range(5):
        hands = len(table.match.hands)
        if "fold" not in table.list_actions():
            table.act("call")
            continue
        table.act("fold")
        assert len(table.match.hands) > hands
        assert table.match.is_waiting or table.match.is_reader_out
        last = table.match.finished[-1].number + 1
        assert table.write_headline().startswith(f"Hand {last}: ")
        assert f"All decisions of hand {last}" in table.screen.words_widget.value


def test_or_stay_if_that_is_wanted(table: HoldemTable) -> None:
    table.deal()
    table.deal_after_fold_box.value = False
    table.act(FOLD)
    assert len(table.match.hands) == 1
    assert table.match.hands[0].is_over
    assert not table.deal_button.disabled
    assert table.deal_button.description == "Next hand"


def test_earlier_hands_can_be_looked_at_again(table: HoldemTable) -> None:
    table.deal()
    while len(table.match.finished) < 3:
        table.act("fold" if "fold" in table.list_actions() else "call")
    table.hand_menu.value = 0
    assert "All decisions of hand 1:" in table.screen.words_widget.value
    table.hand_menu.value = 1
    assert "All decisions of hand 2:" in table.screen.words_widget.value
    assert table.list_thoughts(2).data.startswith("| street | who |")
    with pytest.raises(SettingError, match="hand"):
        table.list_thoughts(len(table.match.hands) + 1)


def test_who_is_out_sees_the_end() -> None:
    table = play_tournament([ALWAYS_CALL, ALWAYS_CALL, RANDOM], seed=1)
    while not (table.match.is_reader_out and not table.match.is_over):
        table.begin_match()
        while not (table.match.is_reader_out or table.match.is_over):
            if table.match.is_waiting:
                table.act(table.match.hands[-1].legal_actions.max_raise_to or CALL)
            else:
                table.deal()
    assert table.deal_button.description == "Play it out"
    rank = table.match.ranks[0]
    assert table.write_headline().endswith(f"You are number {rank:g} of 4")
    assert repr(table).endswith(f"number {rank:g}>")
    table.deal_button.click()
    assert table.match.is_over
    assert table.deal_button.disabled
    assert sum(table.match.ranks.values()) == 10
    table.new_button.click()
    assert table.previous_match is not None
    assert table.match.stacks == (1000,) * 4
    assert table.match.is_waiting


def test_blinds_and_ranks_stand_beside_the_table(table: HoldemTable) -> None:
    table.begin_match()
    assert "Blinds 5/10; they rise in 10 hands" in table.picture.text
    while not table.match.is_reader_out and len(table.match.hands) < 12:
        table.act("fold" if "fold" in table.list_actions() else "call")
    if len(table.match.hands) > 10:
        assert "Blinds 10/20" in table.picture.text
    for seat, rank in table.match.ranks.items():
        assert f"{table.match.seat_names[seat]}: out, rank {rank:g}" in table.picture.text


def test_what_cannot_be_played_is_refused(table: HoldemTable) -> None:
    with pytest.raises(SettingError, match="opponents"):
        play_tournament([], seed=1)
    with pytest.raises(SettingError, match="opponents"):
        play_tournament([RANDOM] * 10, seed=1)
    with pytest.raises(SettingError, match="no hand is under way"):
        table.act("fold")
    table.deal()
    with pytest.raises(SettingError, match="what can be done: "):
        table.act("bluff")


def test_first_tournament_is_played_against_grown_champions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "draw_seed", lambda: 1)
    table = pages.PAGE_OPENERS["tournament"]()
    assert table.match.seat_names == ["you", *pages.RIVALS]
    assert len(table.match.finished) == 3
    assert min(table.match.stacks) > 0  # nobody is out
    assert [
        thought.probabilities != () for thought in tournament.list_thoughts(table.match, 0)
    ] == [thought.seat != 0 for thought in tournament.list_thoughts(table.match, 0)]


def test_hands_and_chips_of_a_tournament_are_reported(table: HoldemTable) -> None:
    assert table.report().data == repr(table)[len("<Tournament table: ") : -1]
    assert table.report().data.startswith("3 hands, ")


def test_log_of_a_tournament_shows_its_longest_action_whole() -> None:
    assert tournament.cut_words("raises to 10,000, all-in", 10.5, tournament.ACTION_ROOM) == (
        "raises to 10,000, all-in"
    )


def test_thoughts_of_a_player_with_dollars_in_its_name_keep_them() -> None:
    player = ENCODING.make_players(
        ENCODING.draw_genomes(np.random.default_rng(3), 1), ["$1/$2 *reg*"]
    )
    table = play_tournament([*player, *NETWORKS[1:]], seed=1)
    assert r"\$1/\$2 \*reg\*" in table.list_thoughts(1).data
