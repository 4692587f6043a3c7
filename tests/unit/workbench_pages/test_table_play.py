"""The Kuhn table in the notebook: buttons, score and report."""

import pytest

import pokerlab as pl
from pokerlab.core import GameError, UnknownNameError
from pokerlab.workbench import kuhn_equilibrium, play_kuhn
from pokerlab.workbench.tables.kuhn import KuhnTable, report


@pytest.fixture
def table() -> KuhnTable:
    return play_kuhn("always bet", seed=1)


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
    (card, first), second = table.match.hands[-1].choices
    assert (first, second) == ("pass", (f"{card}, pass-bet", "bet"))


def test_a_match_that_is_left_is_not_forgotten(table: KuhnTable) -> None:
    table.deal()
    while table.match.is_waiting:
        table.act("bet")
    left = table.match
    table.opponents.value = "never bet"
    assert f"ended after 1 hand at {pl.workbench.signed(left.won)} chips" in str(table.picture)
    assert table.report().data == report(left)
    table.deal()
    while table.match.is_waiting:
        table.act("bet")
    assert table.report().data == report(table.match) != report(left)


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
