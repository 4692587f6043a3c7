"""An ante that the big blind posts for the whole table, worked out by hand."""

import hashlib

import numpy as np
import pytest

from pokerlab.holdem import players, tournament
from pokerlab.holdem.betting_structure import Structure, no_limit
from pokerlab.holdem.pots import Pot
from pokerlab.holdem.table_play import compute_settings_digest
from pokerlab.holdem.tournament_game import make_doubling_schedule
from tests.at_tables import cash
from tests.unit.holdem.hands import after, start

FOR_ALL = no_limit(5, 10, ante=10, ante_payer="big blind")
BOARD = "2c 7d 9h Js 4c"
ACES, KINGS, QUEENS = "As Ad", "Ks Kd", "Qs Qd"
CHECKED_DOWN = "check check check"


def test_big_blind_alone_posts_the_ante_which_is_no_bet() -> None:
    hand = start(FOR_ALL, [100, 100, 100])
    assert hand.stacks == (100, 95, 80)
    assert hand.bets == (0, 5, 10)
    assert hand.paid == (0, 5, 20)
    assert hand.legal_actions.to_call == 10
    assert hand.pots == (Pot(10, (0, 1, 2)),)


def test_heads_up_the_seat_without_the_button_posts_the_ante() -> None:
    assert start(FOR_ALL, [100, 100], button=1).paid == (20, 5)


def test_seats_without_chips_post_nothing() -> None:
    assert start(FOR_ALL, [100, 0, 100, 100], button=0).paid == (0, 0, 5, 20)


def test_big_blind_gets_its_ante_back_if_all_others_fold() -> None:
    hand = after(start(FOR_ALL, [100, 100, 100]), "0:fold 1:fold")
    assert hand.uncalled_chips == (0, 0, 5)
    assert hand.payoffs.tolist() == [0, -5, 5]


def test_whoever_steals_the_blinds_takes_the_ante() -> None:
    hand = after(start(FOR_ALL, [100, 100, 100]), "0:30 1:fold 2:fold")
    assert hand.uncalled_chips == (20, 0, 0)
    assert hand.payoffs.tolist() == [25, -5, -20]


def test_ante_is_no_part_of_the_total_that_callers_match() -> None:
    hand = start(FOR_ALL, [100, 100, 100], holes=f"{ACES} {KINGS} {QUEENS}", board=BOARD)
    over = after(hand, f"0:call 1:call 2:check {CHECKED_DOWN} {CHECKED_DOWN} {CHECKED_DOWN}")
    assert over.uncalled_chips == (0, 0, 0)
    assert over.pots == (Pot(40, (0, 1, 2)),)
    assert over.payoffs.tolist() == [30, -10, -20]


def test_short_big_blind_posts_the_blind_before_the_ante() -> None:
    """It has 13 chips: 10 for the blind, and 3 for all. It wins 3 times 10 and the 3; the others bet on the side."""
    hand = start(FOR_ALL, [100, 100, 13], holes=f"{QUEENS} {KINGS} {ACES}", board=BOARD)
    assert (hand.stacks, hand.bets, hand.paid) == ((100, 95, 0), (0, 5, 10), (0, 5, 13))
    over = after(hand, "0:call 1:call 1:20 0:call 1:check 0:check 1:check 0:check")
    assert over.pots == (Pot(33, (0, 1, 2)), Pot(40, (0, 1)))
    assert over.payoffs.tolist() == [-30, 10, 20]


@pytest.mark.parametrize(("stack", "paid"), [(4, 4), (10, 10), (11, 11), (20, 20), (21, 20)])
def test_big_blind_posts_as_much_of_the_ante_as_it_has(stack: int, paid: int) -> None:
    hand = start(FOR_ALL, [100, 100, stack])
    assert hand.paid[2] == paid
    assert hand.bets[2] == min(stack, 10)
    assert hand.legal_actions.to_call == 10


def test_short_caller_may_win_the_whole_ante() -> None:
    """It has 3 chips and wins 3 times 3 and the ante of 10; a pot of 14 is on the side."""
    hand = start(FOR_ALL, [3, 100, 100], holes=f"{ACES} {KINGS} {QUEENS}", board=BOARD)
    over = after(hand, "0:call 1:call 2:check 1:check 2:check 1:check 2:check 1:check 2:check")
    assert over.pots == (Pot(19, (0, 1, 2)), Pot(14, (1, 2)))
    assert over.payoffs.tolist() == [16, 4, -20]


def play_calls(structure: Structure, stacks: list[int]) -> list[int]:
    """Return the chips that three players win who always call, in one hand at a table."""
    played = cash(structure, [players.ALWAYS_CALL] * 3, 1, seed=3, stacks=stacks)
    return [int(won) for won in played.chips.ravel()]


@pytest.mark.parametrize("stacks", [[100, 100, 100], [100, 100, 13], [3, 100, 100], [100, 4, 7]])
def test_table_pays_what_a_count_by_pots_pays(stacks: list[int]) -> None:
    """Who calls pays at most 10; the winner of the main pot has the ante, and nobody's chips vanish."""
    won = play_calls(FOR_ALL, stacks)
    blind = min(stacks[2], 10)
    ante = min(stacks[2] - blind, 10)
    paid = [min(stacks[0], 10), min(stacks[1], 10), blind + ante]
    assert sum(won) == 0
    assert all(gain >= -chips for gain, chips in zip(won, paid, strict=True))
    without = play_calls(no_limit(5, 10), [*stacks[:2], stacks[2] - ante])
    difference = np.subtract(won, without)  # the same cards, and the same bets
    winners = np.flatnonzero(difference - [0, 0, -ante])
    assert sum(difference) == 0
    assert (difference[2] == -ante) or 2 in winners
    assert len(winners) == (ante > 0)


def test_tournament_with_an_ante_for_all_keeps_its_chips() -> None:
    schedule = make_doubling_schedule(FOR_ALL, 5, chips=12 * 200)
    assert {level.ante_payer for level in schedule.levels} == {"big blind"}
    entrants = [players.RANDOM, players.ALWAYS_CALL, players.ALWAYS_FOLD] * 4
    field = tournament(schedule, entrants=12, seats=6, stacks=200)
    seats = np.array([np.random.default_rng(seed).permutation(12) for seed in range(20)])
    played = field.play(entrants, seats, seed=2, record=True)
    assert played.ranks.sum() == 20 * 12 * 13 / 2
    own = tournament(
        make_doubling_schedule(no_limit(5, 10, ante=10), 5, chips=12 * 200), 12, 6, 200
    )
    assert own.fingerprint != field.fingerprint
    assert (own.play(entrants, seats, seed=2).ranks != played.ranks).any()


def test_digest_of_an_ante_from_each_player_is_as_it_was_at_first() -> None:
    text = repr((no_limit(5, 10, ante=1),)).replace(
        "ante_payer='each player'", "ante_from='everybody'"
    )
    text = text.replace("unlimited_after_folds=", "folds_lift_cap=")
    first = text.replace("everybody')", "everybody', straddles=(), button_straddle=0, rake=None)")
    assert (
        compute_settings_digest(no_limit(5, 10, ante=1))
        == hashlib.sha256(first.encode()).hexdigest()[:16]
    )
    assert compute_settings_digest(FOR_ALL) != compute_settings_digest(no_limit(5, 10, ante=10))
