"""The Kuhn table in the notebook: buttons, score and report."""

import re

import pytest

import pokerlab as pl
from pokerlab.core import GameError, UnknownNameError
from pokerlab.workbench import kuhn_equilibrium, play_kuhn
from pokerlab.workbench.tables.kuhn import DEMONSTRATION, KuhnTable, report


@pytest.fixture
def table() -> KuhnTable:
    return play_kuhn("always bet", seed=1)


def test_some_hands_have_been_played_before_anybody_presses_a_button(table: KuhnTable) -> None:
    assert len(table.match.finished) == DEMONSTRATION
    assert "Six hands played for you" in str(table.picture)
    assert str(table.match.hands[0]) in str(table.picture)


def test_the_readers_own_match_begins_with_the_first_deal_and_has_cards_of_its_own(
    table: KuhnTable,
) -> None:
    shown = [hand.history.cards for hand in table.match.hands]
    own = []
    for _ in range(DEMONSTRATION):
        table.deal_button.click()
        own.append(table.match.hands[-1].history.cards)
        while table.match.is_waiting:
            table.moves["pass"].click()
    assert [hand.number for hand in table.match.hands] == list(range(1, DEMONSTRATION + 1))
    assert own != shown


def test_only_what_can_be_done_can_be_pressed(table: KuhnTable) -> None:
    buttons = (table.deal_button, table.moves["pass"], table.moves["bet"])
    assert [button.disabled for button in buttons] == [False, True, True]
    table.deal_button.click()
    assert [button.disabled for button in buttons] == [True, False, False]
    assert [button.description for button in buttons[1:]] == ["Check", "Bet"]
    table.moves["pass"].click()  # the opponent bets
    assert [button.description for button in buttons[1:]] == ["Fold", "Call"]
    table.moves["bet"].click()
    assert [button.disabled for button in buttons] == [False, True, True]
    assert table.match.hands[-1].choices == (
        (table.match.hands[-1].choices[0][0], "pass"),
        (table.match.hands[-1].choices[0][0] + ", pass-bet", "bet"),
    )


def test_the_other_card_is_hidden_until_the_hand_is_over(table: KuhnTable) -> None:
    table.deal()
    theirs = "JQK"[table.match.hands[-1].history.cards[1]]
    assert f">{theirs}</text>" not in table.picture._repr_svg_()
    table.act("bet")
    assert f">{theirs}</text>" in table.picture._repr_svg_()


def test_another_opponent_begins_a_new_match(table: KuhnTable) -> None:
    table.deal()
    table.opponents.value = "never bet"
    assert table.match.hands == ()
    assert table.match.opponent.at(0, "K") == {"pass": 1.0, "bet": 0.0}
    assert "Press Deal" in str(table.picture)


def test_a_match_that_is_left_is_not_forgotten(table: KuhnTable) -> None:
    table.deal()
    while table.match.is_waiting:
        table.act("bet")
    left = table.match
    table.opponents.value = "never bet"
    assert f"the last one ended after 1 hand at {left.won:+d}".replace("-", "−") in str(
        table.picture
    )
    assert table.report().data == report(left)
    table.deal()
    while table.match.is_waiting:
        table.act("bet")
    assert table.report().data == report(table.match) != report(left)


def test_the_same_seed_gives_the_same_table() -> None:
    assert str(play_kuhn(seed=3).picture) == str(play_kuhn(seed=3).picture)
    assert str(play_kuhn(seed=3).picture) != str(play_kuhn(seed=4).picture)


def test_the_report_is_about_the_readers_own_frequencies(table: KuhnTable) -> None:
    table.begin()
    while len(table.match.finished) < 40:
        table.deal()
        while table.match.is_waiting:
            table.act("bet")
    match = table.match
    total = pl.metrics.exploitability(pl.games.kuhn(), match.observed)
    words = report(match)
    assert f"**40 hands, {pl.workbench.signed(match.won)} chips.**" in words
    assert f"**{50 * total:.0f} chips** from you in 100 hands" in words
    assert f"You have been in {match.met} of 12 situations" in words
    rows = [line for line in words.splitlines() if line.startswith("| player")]
    assert len(rows) == 12
    met = sum(match.counts[1, "Q, bet", action] for action in ("pass", "bet"))
    assert f"| player 2 | Q | they bet | {met} | 1.00 | 0.33 |" in rows
    assert "| player 2 | Q | they check | 0 | – | 0.00 |" in rows
    assert table.report().data == words


def test_there_is_nothing_to_report_before_the_first_hand(table: KuhnTable) -> None:
    table.begin()
    assert report(table.match) == "No hand has been played yet."


def test_one_may_play_against_any_profile() -> None:
    own = kuhn_equilibrium(0.3)
    table = play_kuhn(own, seed=1)
    assert table.match.opponent is own
    table.begin()
    assert table.match.opponent is own


def test_unknown_opponents_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no character 'nobody'"):
        play_kuhn("nobody", seed=1)
    with pytest.raises(GameError, match="belongs to"):
        play_kuhn(pl.games.rock_paper_scissors().uniform(), seed=1)


def test_a_click_that_comes_too_late_changes_nothing(table: KuhnTable) -> None:
    table.deal_button.click()
    before = table.match
    table.deal_button.click()
    assert table.match is before
    table.moves["bet"].click()
    after = table.match
    assert not after.is_waiting
    table.moves["bet"].click()
    assert table.match is after


def test_who_wins_a_hand_gets_what_the_other_put_into_the_pot(table: KuhnTable) -> None:
    """Half of the pot after a call, and all but the own chips of it after a fold."""
    pots = set()
    for action in ("bet", "pass") * 6:
        table.deal()
        while table.match.is_waiting:
            table.act(action)
        hand = table.match.hands[-1]
        (pot,) = re.findall(r"pot: (\d) chips", table.picture._repr_svg_())
        bets = hand.history.actions.count("bet")
        assert int(pot) == (2 * abs(hand.won) if bets != 1 else 3)
        pots.add(pot)
    assert pots >= {"3", "4"}
