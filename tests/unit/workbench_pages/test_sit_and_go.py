"""A tournament against a reader is the one that tables play, and everybody sees what they see there."""

from typing import Any

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import IllegalActionError, SettingError
from pokerlab.holdem import TableNetwork, decision
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.players import Roster
from pokerlab.holdem.tournament_game import Tournament
from pokerlab.workbench.tables.match import SitAndGo
from pokerlab.workbench.tables.tournament import (
    list_standings,
    list_thoughts,
    write_html,
    write_markdown,
)

WHO_IS_ASKED = [table_view.PLAYER, table_view.PARAMETERS]
"""Words of a view that number the players, of whom the reader is none."""
HOW = {
    "hands": holdem.Aggressiveness(window=3),
    "all put in": holdem.Aggressiveness(raised="all put in"),
    "raises": holdem.Aggressiveness(score="raises"),
    "nothing": None,
}


def game(seats: int, how: holdem.Aggressiveness | None = HOW["hands"]) -> Tournament:
    schedule = holdem.make_doubling_schedule(holdem.no_limit(5, 10), 4, chips=seats * 1000)
    return holdem.tournament(schedule, entrants=seats, seats=seats, aggressiveness=how)


def networks(count: int) -> list[Any]:
    encoding = TableNetwork()
    return [*encoding.make_players(3 * encoding.draw_genomes(np.random.default_rng(7), count))]


def calling(hand: holdem.Hand) -> int:
    return holdem.CALL


def folding(hand: holdem.Hand) -> int:
    return holdem.FOLD if hand.legal_actions.can_fold else holdem.CALL


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@pytest.mark.parametrize(("seats", "seed"), [(9, 1), (4, 2), (2, 3)])
@pytest.mark.parametrize("choose", [calling, folding])
def test_it_is_the_tournament_tables_play(seats: int, seed: int, how: Any, choose: Any) -> None:
    opponents = [holdem.RANDOM, *networks(seats)][: seats - 1]
    reader = holdem.ALWAYS_CALL if choose is calling else holdem.ALWAYS_FOLD
    views = []

    def watch(tables: Any, asked: Any) -> None:
        views.extend((tables.views[row].copy(), float(tables.uniforms[row])) for row in asked)

    played = game(seats, how)
    placed = played.play([reader, *opponents], seed=seed, record=True, watchers=[watch])
    match = SitAndGo(game=played, opponents=Roster(opponents), seed=seed).play(choose, 10_000)
    assert match.is_over
    assert [match.ranks[seat] for seat in range(seats)] == placed.ranks[0, 0].tolist()
    assert [match.ranks[seat] for seat, *_ in list_standings(match)] == sorted(match.ranks.values())
    hands = [*placed.replay_hands(0)]
    assert [(h.deal, h.button, h.starting_stacks, h.actions) for h in match.hands] == [
        (h.deal, h.button, h.starting_stacks, h.actions) for h in hands
    ]
    seen = [each.view for k in range(len(match.hands)) for each in match.iterate_decisions(k)]
    assert len(seen) == len(views)
    for ours, (theirs, luck) in zip(seen, views, strict=True):
        assert set(np.flatnonzero(ours.words != theirs)) <= set(WHO_IS_ASKED)
        assert ours.random_number == luck


def test_a_match_is_decided_by_its_moves() -> None:
    match = SitAndGo(
        game=game(3), opponents=Roster([holdem.ALWAYS_CALL, holdem.ALWAYS_FOLD]), seed=1
    ).deal()
    one, other = match.act(holdem.FOLD), match.act(40)
    assert match.is_waiting
    # The player on the button folds, the reader has the small blind.
    assert one.hands[0].actions == (holdem.FOLD, holdem.FOLD)
    assert other.hands[0].actions[:3] == (holdem.FOLD, 40, holdem.CALL)
    assert match.act(holdem.FOLD).hands == one.hands


def test_what_is_out_of_turn_or_not_legal_is_refused() -> None:
    match = SitAndGo(game=game(2), opponents=Roster([holdem.ALWAYS_CALL]), seed=1)
    with pytest.raises(SettingError, match="deal one first"):
        match.act(holdem.CALL)
    match = match.deal()
    with pytest.raises(SettingError, match="fold, call or raise first"):
        match.deal()
    with pytest.raises(IllegalActionError, match="below the minimum"):
        match.act(11)
    over = match.act(1000)
    while not over.is_over:
        over = over.play(lambda hand: hand.legal_actions.max_raise_to or holdem.CALL, 1)
    with pytest.raises(SettingError, match="tournament is over"):
        over.deal()


def test_a_player_who_does_what_is_not_legal_is_named() -> None:
    def wrong(view: holdem.SeatView) -> int:
        return 3

    with pytest.raises(IllegalActionError, match="wrong"):
        SitAndGo(game=game(2), opponents=Roster([wrong]), seed=1).play(calling, 2)


def test_thoughts_are_what_networks_computed() -> None:
    opponents = networks(3)
    match = SitAndGo(game=game(4), opponents=Roster(opponents), seed=5).play(calling, 6)
    number = max(range(len(match.finished)), key=lambda k: len(match.hands[k].actions))
    thoughts = list_thoughts(match, number)
    assert len(thoughts) == len(match.hands[number].actions)
    for thought in thoughts:
        if thought.seat == 0:
            assert thought.probabilities == ()
            assert thought.name == "you"
            continue
        outputs = decision(opponents[thought.seat - 1], thought.view).outputs.astype(float)
        shares = outputs / outputs.sum()
        assert sum(thought.probabilities) == pytest.approx(1.0)
        if thought.view.legal_actions.to_call:
            assert thought.probabilities[0] == pytest.approx(shares[0])
        win = holdem.win_probability(thought.view.hole_cards, thought.view.board, "win")
        assert thought.win_probability == pytest.approx(win, abs=1e-6)
    html, markdown = write_html(thoughts, number), write_markdown(thoughts)
    assert html.count("<b>") == len(thoughts)
    assert markdown.count("\n") == len(thoughts) + 1
    assert f"All decisions of hand {number + 1}" in html


def test_others_than_networks_have_no_chances() -> None:
    match = SitAndGo(game=game(2), opponents=Roster([holdem.ALWAYS_CALL]), seed=1).play(calling, 1)
    assert {thought.probabilities for thought in list_thoughts(match, 0)} == {()}
