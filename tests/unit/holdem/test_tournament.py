"""Tournaments: like plain Python's; ranks and ties; how the blinds move; what results say."""

import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pokerlab.core.errors import IllegalActionError
from pokerlab.holdem.aggressiveness import Aggressiveness
from pokerlab.holdem.betting_structure import find_blind_seats, limit, no_limit
from pokerlab.holdem.hand import CALL
from pokerlab.holdem.players import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    RANDOM,
    PythonPlayer,
)
from pokerlab.holdem.table_view import SeatView
from pokerlab.holdem.tournament_game import Schedule, make_doubling_schedule
from tests.at_tables import tournaments
from tests.oracles import table as plain_table
from tests.oracles.table import dealt_at_table, luck_at_table
from tests.oracles.tournament import Entrant, TournamentField, even_tables
from tests.refusals import refused

PLAYERS = [RANDOM, ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_FOLD]
PLAIN = [plain_table.draws, plain_table.calls, plain_table.raises, plain_table.folds]
STACK = 300
BLINDS = make_doubling_schedule(no_limit(5, 10), 6, chips=10 * STACK)
LIMIT_BLINDS = make_doubling_schedule(limit(20, ante=2), 4, chips=10 * STACK)


def lineups(seed: int, num_tournaments: int, num_seats: int) -> list[list[int]]:
    """Draw who plays; random players most often, so that hands differ."""
    chances = [0.55, 0.2, 0.15, 0.1]
    rng = np.random.default_rng(seed)
    drawn: list[list[int]] = rng.choice(4, (num_tournaments, num_seats), p=chances).tolist()
    return drawn


@pytest.mark.parametrize("schedule", [BLINDS, LIMIT_BLINDS])
@pytest.mark.parametrize("num_seats", [2, 3, 6, 10])
@pytest.mark.parametrize("duplicates", [False, True])
def test_plays_like_plain_python(schedule: Schedule, num_seats: int, duplicates: bool) -> None:
    rotations = num_seats if duplicates else 1
    seated = lineups(num_seats, 6 // rotations + 2, num_seats)
    placed = tournaments(
        schedule, PLAYERS, seated, seed=3, stacks=STACK, duplicates=duplicates, first=4
    )
    assert placed.is_finished.all()
    for number, lineup in enumerate(seated):
        for rotation in range(rotations):
            around = [lineup[(seat - rotation) % num_seats] for seat in range(num_seats)]
            entrants = [
                Entrant(seat, lambda hand, _, __, luck, p=p: PLAIN[p](hand, luck), STACK)
                for seat, p in enumerate(around)
            ]
            field = TournamentField(
                even_tables(entrants, num_seats, (4 + number) % num_seats),
                num_seats,
                schedule.find_structure,
                dealt_at_table(3, 4 + number),
                luck_at_table(3, 4 + number),
                Aggressiveness(),
            )
            hands = sum(map(len, field.rounds(1000)))
            plain = [entrants[(place + rotation) % num_seats] for place in range(num_seats)]
            assert placed.ranks[number, rotation].tolist() == [entrant.rank for entrant in plain]
            assert placed.rounds_played[number, rotation].tolist() == [
                entrant.lasted for entrant in plain
            ]
            assert placed.won[number, rotation].tolist() == [entrant.won for entrant in plain]
            assert placed.chips[number, rotation].tolist() == [entrant.chips for entrant in plain]
            assert placed.hands[number, rotation] == hands


HEADS_UP_AFTER = {
    "button": ("big", "small"),
    "small": ("big", "button"),
    "big": ("small", "button"),
}
"""By the role of who was out when three played: whose is the button next, and whose the big blind."""


def test_three_who_become_two_play_heads_up_and_nobody_posts_the_big_blind_twice_running() -> None:
    placed = tournaments(
        BLINDS, PLAYERS, [[0, 1, 0], [0, 0, 1]] * 15, seed=3, stacks=STACK, record=True
    )
    met = set()
    for tournament in range(30):
        for before, after in pairwise(placed.replay_hands(tournament)):
            if min(before.starting_stacks) == 0 or min(after.starting_stacks) > 0:
                continue
            turns = [(before.button + turn) % 3 for turn in range(3)]
            seat_of = dict(zip(("button", "small", "big"), turns, strict=True))
            out = after.starting_stacks.index(0)
            role = next(role for role, seat in seat_of.items() if seat == out)
            button, big_blind = (seat_of[other] for other in HEADS_UP_AFTER[role])
            assert after.button == button
            assert find_blind_seats(after.starting_stacks, after.button) == (button, big_blind)
            met.add(role)
    assert met == set(HEADS_UP_AFTER)


def test_hands_come_back_as_they_were_played() -> None:
    placed = tournaments(
        BLINDS, PLAYERS, [[0, 0, 1], [2, 0, 0]], seed=7, stacks=STACK, duplicates=True, record=True
    )
    count = 0
    for tournament in range(2):
        for rotation in range(3):
            hands = list(placed.replay_hands(tournament, rotation))
            assert all(hand.is_over for hand in hands)
            assert [hand.number for hand in hands] == list(range(len(hands)))
            chips = placed.chips[tournament, rotation]
            (table,) = list(placed.replay_rounds(tournament, rotation))[-1].tables
            assert table.stacks_after == tuple(np.roll(chips, rotation))
            assert table.stacks_after == tuple(chips[e] if e >= 0 else 0 for e in table.entrants)
            count += sum(len(hand.actions) for hand in hands)
    assert count == placed.actions.sum()
    assert placed.list_names_at_table(1, 1) == ("random", "always raise", "random")


def test_who_is_out_in_one_hand_is_ranked_by_chips_before_it() -> None:
    # The blinds put everybody in at once; nobody has a choice beyond the first hands.
    schedule = Schedule((no_limit(400, 800), no_limit(800, 1600)), 1)
    ranks = set()
    for stacks in ([100, 100, 100, 100], [100, 300, 300, 200]):
        placed = tournaments(
            schedule, [ALWAYS_CALL], [[0] * 4] * 60, seed=5, stacks=stacks, record=True
        )
        for tournament in range(60):
            *_, last = placed.replay_hands(tournament)
            out = [
                s
                for s in range(4)
                if last.starting_stacks[s] and s != int(np.argmax(placed.chips[tournament, 0]))
            ]
            for seat in out:
                more = sum(last.starting_stacks[s] > last.starting_stacks[seat] for s in out)
                equal = sum(last.starting_stacks[s] == last.starting_stacks[seat] for s in out)
                rank = 2 + more + (equal - 1) / 2
                assert placed.ranks[tournament, 0, seat] == rank
                ranks.add(rank)
        assert (placed.ranks.sum(axis=2) == 10).all()
    assert {2.0, 2.5, 3.0} <= ranks


def test_symmetric_players_have_exactly_the_mean_rank_in_duplicates() -> None:
    placed = tournaments(
        BLINDS, [RANDOM] * 5, [[0, 1, 2, 3, 4]] * 8, seed=1, stacks=STACK, duplicates=True
    )
    assert (placed.ranks.mean(axis=1) == 3.0).all()
    assert placed.mean_rank.tolist() == [3.0] * 5
    assert placed.standard_error.tolist() == [0.0] * 5


def test_stops_after_the_most_hands_and_ranks_by_chips() -> None:
    fixed = Schedule((no_limit(1, 2),), 10)
    placed = tournaments(
        fixed, [ALWAYS_FOLD], [[0, 0, 0]] * 3, seed=1, stacks=[50, 50, 90], most_hands=4
    )
    assert placed.hands.ravel().tolist() == [4, 4, 4]
    assert not placed.is_finished.any()
    assert str(placed).endswith("stopped before the end and ranked by chips: 3")
    assert (placed.ranks[:, 0, 2] == 1.0).all()
    assert (placed.ranks.sum(axis=2) == 6.0).all()
    # After three hands of folding everybody has lost and won one small blind.
    same = tournaments(fixed, [ALWAYS_FOLD], [[0, 0, 0]], seed=1, stacks=50, most_hands=3)
    assert same.ranks.tolist() == [[[2.0, 2.0, 2.0]]]
    assert same.chips.tolist() == [[[50, 50, 50]]]
    assert same.rounds_played.tolist() == [[[3, 3, 3]]]


def test_is_finished_if_one_player_has_all_chips() -> None:
    placed = tournaments(BLINDS, [RANDOM], [[0, 0, 0]] * 60, seed=1, stacks=STACK, most_hands=12)
    left = (placed.chips > 0).sum(axis=2)
    assert set(left.ravel()) == {1, 2, 3}
    assert (placed.is_finished == (placed.chips.max(axis=2) == 3 * STACK)).all()


def test_is_the_same_in_parts_side_by_side_and_with_workers() -> None:
    seated = lineups(9, 40, 4)
    given: dict[str, Any] = {"seed": 6, "stacks": STACK, "record": True, "duplicates": True}
    whole = tournaments(BLINDS, PLAYERS, seated, **given)
    others = [
        tournaments(BLINDS, PLAYERS, seated, side_by_side=1, **given),
        tournaments(BLINDS, PLAYERS, seated, side_by_side=7, workers=3, **given),
    ]
    for other in others:
        assert (other.ranks == whole.ranks).all()
        assert (other.actions == whole.actions).all()
        assert other.record is not None
        assert whole.record is not None
        assert (other.record.action == whole.record.action).all()
        assert (other.record.match == whole.record.match).all()
    end = tournaments(BLINDS, PLAYERS, seated[25:], first=25, **given)
    assert (end.ranks == whole.ranks[25:]).all()
    assert [h.actions for h in end.replay_hands(3, 2)] == [
        h.actions for h in whole.replay_hands(28, 2)
    ]


def test_means_and_standard_errors_are_over_tournaments_of_the_player() -> None:
    seated = [[0, 1, 2], [1, 2, 3], [3, 1, 0], [2, 1, 0]]
    players = [*PLAYERS, ALWAYS_CALL]
    placed = tournaments(BLINDS, players, seated, seed=2, stacks=STACK, duplicates=True)
    assert placed.num_seats_by_player.tolist() == [3, 4, 3, 2, 0]
    ranks = placed.ranks.mean(axis=1)
    for player in range(4):
        own = ranks[np.array(seated) == player]
        assert placed.mean_rank[player] == pytest.approx(own.mean(), abs=1e-12)
        error = own.std(ddof=1) / len(own) ** 0.5
        assert placed.standard_error[player] == pytest.approx(error, abs=1e-12)
    assert np.isnan(placed.mean_rank[4])
    assert np.isnan(placed.standard_error[4])
    lines = str(placed).splitlines()
    assert lines[0] == "mean ranks, 4 tournaments, each in 3 rotations, seed 2"
    assert lines[1] == f"random: {placed.mean_rank[0]:.3f} ± {placed.standard_error[0]:.3f}"


def test_blinds_double_until_they_reach_the_chips() -> None:
    schedule = make_doubling_schedule(limit(10, ante=1), 50, chips=35)
    assert [level.big_bet for level in schedule.levels] == [20, 40, 80]
    assert [level.ante for level in schedule.levels] == [1, 2, 4]
    assert [level.small_blind for level in schedule.levels] == [5, 10, 20]
    assert [level.small_bet for level in schedule.levels] == [10, 20, 40]
    assert [schedule.find_structure(hand).big_blind for hand in (0, 49, 50, 149, 5000)] == [
        10,
        10,
        20,
        40,
        40,
    ]
    seen = set()

    def decide(view: SeatView) -> int:
        seen.add((view.hand_number // 5, view.big_blind))
        return CALL

    rising = Schedule((no_limit(1, 2), no_limit(2, 4), no_limit(4, 8)), 5)
    tournaments(rising, [PythonPlayer(decide)], [[0, 0]], seed=1, stacks=10**6, most_hands=20)
    assert seen == {(0, 2), (1, 4), (2, 8), (3, 8)}


def test_illegal_action_error_names_the_tournament() -> None:
    def decide(view: SeatView) -> int:
        return CALL if view.hand_number < 3 else 1

    players = [ALWAYS_CALL, PythonPlayer(decide, "sly")]
    with pytest.raises(
        IllegalActionError,
        match=r"player 1 \('sly'\) in seat \d, hand 3 of match \d+, .*: a bet or raise to 1 is below",
    ):
        tournaments(BLINDS, players, [[0, 1], [1, 0]], seed=1, stacks=STACK)


def asked(**changed: Any) -> Any:
    """Return a call that asks for a tournament with something changed."""
    given: Any = {"lineups": [[0, 1]], "seed": 1, "stacks": 100}
    return lambda: tournaments(BLINDS, PLAYERS, **(given | changed))


test_refuses_what_no_tournament_can_have = refused(
    (asked(lineups=[[0, 4]]), "whole numbers from 0 to 3; these are int64 from 0 to 4"),
    (asked(most_hands=0), "most_hands is 0"),
    (asked(stacks=[100]), "stacks are given for 1 seats; there are 2"),
    (asked(workers=0), "workers is 0"),
    (asked(first=-1), "first is -1"),
    (lambda: Schedule((), 5), "levels are"),
    (lambda: Schedule((no_limit(1, 2),), 0), "hands_a_level is 0"),
    (lambda: make_doubling_schedule(no_limit(1, 2), 5, chips=0), "chips is 0"),
    (lambda: asked()().replay_hands(0), "record=True"),
    (lambda: asked(record=True)().replay_hands(1), "tournament 1, rotation 0 was not played"),
)


SCRIPT = """
from pokerlab.holdem import *

schedule = make_doubling_schedule(no_limit(5, 10), 3, chips=30_000)
players = [ALWAYS_FOLD, ALWAYS_RAISE, RANDOM]
game = tournament(schedule, entrants=30, aggressiveness=Aggressiveness())
placed = game.play(players, [[0, 1, 2] * 10] * 4, seed=1)
print(placed.ranks.tolist())
"""


def test_a_tournament_is_the_same_where_nothing_is_compiled() -> None:
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
    answers = {
        subprocess.run(
            command,
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in "01"
    }
    assert len(answers) == 1
    assert len(answers.pop()) > 100
