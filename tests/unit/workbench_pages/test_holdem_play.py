"""The hold'em table in the notebook: what the agent sees, what the reader can press, what it brings."""

import re

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import IllegalActionError, SettingError
from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM, Hand, SeatView
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.betting_tree import Situation
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.holdem.buckets import find_bucket
from pokerlab.holdem.cards import deal_hands
from pokerlab.holdem.hand_history import replay_actions
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables
from pokerlab.workbench import play_holdem
from pokerlab.workbench.tables import play_table
from pokerlab.workbench.tables.holdem import HoldemTable
from pokerlab.workbench.tables.limit import choose_call, report_limit_match
from pokerlab.workbench.tables.match import STACK, BucketedAgent, LimitMatch, make_view_words
from tests.at_tables import cash
from tests.random_bucketed import random_buckets, random_profile, random_table

STRUCTURE = holdem.limit(2)
WHO_IS_ASKED = [
    getattr(table_view, name) for name in ("PLAYER", "PARAMETERS", "MATCH", "RANDOM_KEY")
]
"""Words of a view that belong to the table at which it is asked."""


@pytest.fixture(autouse=True)
def press_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let buttons be pressed as soon as their labels have changed."""
    monkeypatch.setattr(play_table, "READING_SECONDS", 0.0)


@pytest.fixture
def table() -> HoldemTable:
    return play_holdem(ALWAYS_RAISE, seed=1)


def test_an_agent_sees_at_the_notebooks_table_what_it_sees_at_any_other() -> None:
    seen: dict[int, list[tuple[list[int], int]]] = {}

    def watch(tables: Tables, asked: Rows) -> None:
        for row in asked:
            view = tables.views[row].tolist()
            seen.setdefault(view[table_view.HAND], []).append((view, int(tables.actions[row])))

    cash(STRUCTURE, [RANDOM, RANDOM], 30, seed=4, stacks=STACK, watchers=[watch])
    assert len(seen) == 30
    for number, views in seen.items():
        cards = deal_hands(4, 1, 2, first=number)[0]
        hand = Hand.begin(STRUCTURE, (STACK, STACK), number % 2, cards, number=number)
        for view, action in views:
            differ = np.flatnonzero(make_view_words(hand) != view)
            assert set(differ) <= set(WHO_IS_ASKED)
            hand = hand.after(action)
        assert hand.is_over


def test_a_match_against_a_fixed_agent_is_what_the_table_plays() -> None:
    calls = LimitMatch(agent=ALWAYS_RAISE, seed=7).play(lambda hand: "call", 12)
    played = cash(STRUCTURE, [ALWAYS_CALL, ALWAYS_RAISE], 12, seed=7, stacks=STACK)
    assert calls.chips == tuple(played.chips[:, 0, 0])


def test_functions_and_python_players_can_be_played_against() -> None:
    seats = []

    def folds_when_it_can(view: SeatView) -> int:
        seats.append(view.seat)
        return holdem.FOLD if view.legal_actions.can_fold else holdem.CALL

    match = LimitMatch(agent=folds_when_it_can, seed=1).play(lambda hand: "raise", 4)
    assert match.opponent_name == "folds_when_it_can"
    assert set(seats) == {1}
    # In the second and fourth hand it has the button and folds its small blind.
    assert match.chips == (2, 1, 2, 1)


def test_an_agent_that_does_what_is_not_legal_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="above the maximum"):
        LimitMatch(agent=lambda view: 99, seed=1).play(lambda hand: "call", 1)


def test_the_agents_luck_hangs_on_seed_hand_and_turn() -> None:
    one = LimitMatch(agent=RANDOM, seed=3).play(lambda hand: "call", 5)
    other = LimitMatch(agent=RANDOM, seed=3).play(lambda hand: "call", 5)
    assert [hand.actions for hand in one.hands] == [hand.actions for hand in other.hands]
    unlike = LimitMatch(agent=RANDOM, seed=4).play(lambda hand: "call", 5)
    assert [hand.actions for hand in one.hands] != [hand.actions for hand in unlike.hands]
    lucks: list[float] = []

    def noting(view: SeatView) -> int:
        lucks.append(view.random_number)
        return holdem.CALL

    LimitMatch(agent=noting, seed=3).play(raising, 5)
    assert len(set(lucks)) == len(lucks) > 15


def test_a_match_refuses_what_is_out_of_turn() -> None:
    match = LimitMatch(agent=ALWAYS_CALL, seed=1)
    with pytest.raises(SettingError, match="deal one first"):
        match.act("call")
    with pytest.raises(SettingError, match="may be 'fold', 'call' or 'raise'"):
        match.deal().act("check")
    with pytest.raises(SettingError, match="fold, call or raise first"):
        match.deal().deal()


def test_buttons_say_and_allow_what_can_be_done(table: HoldemTable) -> None:
    def state() -> list[str]:
        return [b.description for b in table.move_buttons.values() if not b.disabled]

    assert state() == []
    table.deal_button.click()  # the reader has the button and acts first
    assert table.deal_button.disabled
    assert state() == ["Fold", "Call 1", "Raise to 4"]
    table.move_buttons["raise"].click()  # and is raised
    assert state() == ["Fold", "Call 2", "Raise to 8"]
    table.move_buttons["raise"].click()  # to the cap; the agent calls and bets the flop
    assert table.match.hands[-1].street == 1
    assert state() == ["Fold", "Call 2", "Raise to 4"]
    while table.match.is_waiting:
        table.move_buttons["call"].click()
    assert not table.deal_button.disabled
    assert state() == []
    assert table.deal_button.description == "Next hand"
    assert re.search(r"Hand \d+: you (win|lose) \d+ chips?\b", str(table.picture))


def test_limit_table_refuses_what_only_a_tournament_has(table: HoldemTable) -> None:
    table.deal()
    with pytest.raises(SettingError, match="what can be done: fold, call, raise"):
        table.act("all-in")
    with pytest.raises(SettingError, match="already shows what the agent thought"):
        table.list_thoughts(1)


def test_the_story_of_the_hand_is_told(table: HoldemTable) -> None:
    table.deal()
    assert "preflop, always raise: posts 2" in table.picture.text
    table.act("raise")
    assert "preflop, you: raises to 4" in table.picture.text


def test_the_report_gives_the_mean_with_its_standard_error(table: HoldemTable) -> None:
    table.begin_match()
    assert report_limit_match(table.match) == "Play at least two hands first."
    for _ in range(9):
        while table.match.is_waiting:
            table.act("call")
        table.deal()
    results = np.array(table.match.chips) / 2
    words = report_limit_match(table.match)
    assert words == table.report().data
    assert "**9 hands" in words
    assert f"standard error of {results.std(ddof=1) / 3:.2f}" in words
    needed = float(re.search(r"about ([\d,]+) hands", words)[1].replace(",", ""))  # type: ignore[index]
    assert 2 * results.std(ddof=1) / np.sqrt(needed) == pytest.approx(0.1, rel=1e-3)


def test_a_new_match_reports_the_last_one_until_a_hand_is_over(table: HoldemTable) -> None:
    table.new_button.click()
    assert table.previous_match is None  # the demonstration is not the reader's
    for move in ("fold", "fold"):
        table.act(move)
        table.deal()
    before = table.match
    table.new_button.click()
    assert len(table.match.hands) == 1
    assert table.match.hands[0].deal != before.hands[0].deal
    assert table.write_headline().startswith(
        "Your last match: 2 hands, −3 chips (−1.5 small bets). Hand"
    )
    assert table.report().data == report_limit_match(before)
    table.act("fold")
    assert table.write_headline().startswith("Hand 1: you lose")
    assert table.report().data == report_limit_match(table.match)


def test_a_hand_that_nobody_wins_is_no_loss() -> None:
    table = play_holdem(ALWAYS_CALL, seed=1)
    table.match = LimitMatch(agent=ALWAYS_CALL, seed=1)
    while not table.match.hands or table.match.chips[-1]:
        table.match = table.match.play(lambda hand: "call", 1)
    table.is_demonstration = False
    assert "nobody wins anything" in table.write_headline()


@pytest.fixture(scope="module")
def game() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets((3, 5, 4, 6)))


@pytest.mark.parametrize("rote", ["always_fold", "always_call", "always_raise"])
def test_bucketed_strategies_by_rote_play_as_players_do(game: BucketedHoldem, rote: str) -> None:
    agent = BucketedAgent(getattr(game, rote)())
    player = getattr(holdem, rote.upper())
    for choose in (choose_call, raising):
        one = LimitMatch(agent=agent, seed=5).play(choose, 6)
        other = LimitMatch(agent=player, seed=5).play(choose, 6)
        assert [hand.actions for hand in one.hands] == [hand.actions for hand in other.hands]


def raising(hand: Hand) -> str:
    """Raise up to the cap."""
    return "raise" if hand.legal_actions.can_raise else "call"


def test_a_bucketed_strategy_explains_itself_by_bucket_and_situation(game: BucketedHoldem) -> None:
    profile = random_table(game, 1)
    agent = BucketedAgent(profile)
    match = LimitMatch(agent=agent, seed=1).play(raising, 5)
    seen = 0
    for hand in match.hands:
        for now, _ in replay_actions(hand):
            if now.actor != 1:
                continue
            raised = raises_of(now)
            where = Situation(now.street, now.button == 1, raised[1], raised[0])
            bucket = find_bucket(game.buckets, now.get_hole_cards(1), now.board)
            wanted = profile.table[game.tree.situations.index(where), bucket]
            said, chances = agent.explain_decision(now)
            assert said == f"{bucket + 1} of {game.buckets.counts[now.street]}"
            assert chances == wanted.tolist()
            seen += 1
    assert seen > 10


def raises_of(hand: Hand) -> list[int]:
    """Return how often each seat has bet or raised in this round."""
    raised = [0, 0]
    for now, action in replay_actions(hand):
        if now.street == hand.street and action > 0:
            assert now.actor is not None
            raised[now.actor] += 1
    return raised


def test_a_bucketed_strategy_acts_as_often_as_its_probabilities_say(game: BucketedHoldem) -> None:
    agent = BucketedAgent(random_profile(game, 3))
    hand = LimitMatch(agent=agent, seed=1).deal().hands[-1].after(4)
    assert hand.actor == 1
    fold, call, raised = agent.explain_decision(hand)[1]
    luck = (np.arange(200) + 0.5) / 200
    done = np.array([agent.choose_action(hand, float(each)) for each in luck])
    for action, chance in ((holdem.FOLD, fold), (holdem.CALL, call), (6, raised)):
        assert np.mean(done == action) == pytest.approx(chance, abs=1 / 200)


def test_the_reader_sees_the_buckets_of_a_bucketed_strategy(game: BucketedHoldem) -> None:
    table = play_holdem(random_table(game, 1), seed=1)
    table.deal()
    while table.match.is_waiting:
        table.act("call")
    assert f" of {game.buckets.counts[0]} 0." in table.picture.text
