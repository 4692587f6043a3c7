"""What the rules leave to the house, by hand-worked cases: free folds and caps that folds lift."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core.errors import IllegalActionError, SettingError
from pokerlab.core.random_numbers import draw_key
from pokerlab.holdem import bucketed_limit_holdem, make_pokerstars_schedule
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.hand import CALL, FOLD, Hand, Legal, Structure, limit, no_limit
from pokerlab.holdem.players import ALWAYS_FOLD, RANDOM, PythonPlayer
from pokerlab.holdem.table_view import SeatView
from tests.at_tables import cash
from tests.oracles.table import number_at
from tests.random_bucketed import random_buckets

DEAL = parse_cards("As Ad Ks Kd Qs Qd 2c 3d 7h 8s Jc")
FREE = no_limit(1, 2, free_folds=True)
CAPPED = limit(2, cap=4, unlimited_heads_up=True)
LIFTED = limit(2, cap=4, unlimited_heads_up=True, folds_lift_cap=True)


def after(structure: Structure, actions: list[int], *, stacks: tuple[int, ...] = (60,) * 3) -> Hand:
    """Return a hand of three seats, the button at seat 0, after some actions."""
    hand = Hand.begin(structure, stacks, 0, DEAL[-2 * len(stacks) - 5 :])
    for action in actions:
        hand = hand.after(action)
    return hand


def test_a_big_blind_may_fold_its_option_only_where_folds_are_free() -> None:
    limped = after(FREE, [CALL, CALL])
    assert limped.legal == Legal(True, 0, 4, 60)
    flop = limped.after(FOLD)
    # Its two chips stay in the pot, and the small blind is the first to act.
    assert (flop.street, flop.actor, flop.live) == (1, 1, (0, 1))
    assert flop.after(FOLD).payoffs.tolist() == [4, -2, -2]
    with pytest.raises(IllegalActionError, match="nothing is owed, so there is no fold"):
        after(no_limit(1, 2), [CALL, CALL, FOLD])


def test_a_hand_of_free_folds_alone_goes_to_the_last_seat() -> None:
    hand = after(FREE, [CALL, CALL, CALL, FOLD, FOLD])
    assert hand.is_over
    assert hand.street == 1
    assert hand.payoffs.tolist() == [4, -2, -2]


FOUR_BETS = [4, 6, 8]
"""The button, the small and the big blind raise: with the big blind, four bets; all three are in."""


@pytest.mark.parametrize(
    ("structure", "can_raise"), [(limit(2), False), (CAPPED, False), (LIFTED, True)]
)
def test_the_cap_is_lifted_once_a_fold_has_left_two(structure: Structure, can_raise: bool) -> None:
    capped = after(structure, FOUR_BETS)
    assert capped.capped
    assert not capped.legal.can_raise  # the button, with three left
    left = capped.after(FOLD)
    assert left.actor == 1
    assert left.legal.can_raise is can_raise
    if can_raise:
        # The next raise, to five bets, may be raised in turn, until somebody is all-in.
        again = left.after(10)
        assert again.legal == Legal(True, 2, 12, 12)
        for to in range(12, 62, 2):
            again = again.after(to)
        assert (again.stacks[1], again.stacks[2]) in {(0, 2), (2, 0)}
        assert not again.legal.can_raise


def test_a_player_that_is_all_in_does_not_keep_the_cap() -> None:
    # The button calls all-in for three bets; three seats are live, two can act.
    hand = after(LIFTED, [CALL, 4, 6, CALL, 8], stacks=(6, 60, 60))
    assert hand.live == (0, 1, 2)
    assert hand.able == (1, 2)
    assert hand.legal == Legal(True, 2, 10, 10)
    # Two could act before the last raise as well, so that this house lifts the cap too.
    assert after(CAPPED, [CALL, 4, 6, CALL, 8], stacks=(6, 60, 60)).legal == hand.legal


def test_free_folds_end_a_hand_of_folders() -> None:
    played = cash(FREE, [ALWAYS_FOLD] * 3, 30, seed=1, stacks=50, record=True)
    assert (played.actions[:, :, 1:] == 0).all()  # no check, no call, no raise
    assert played.actions.sum() == 2 * 30
    free = cash(FREE, [RANDOM] * 3, 200, seed=1, stacks=50, record=True)
    folds = 0
    for number in range(200):
        hand = free.replay_hand(number)
        now = Hand.begin(hand.structure, hand.starting_stacks, hand.button, hand.deal)
        for action in hand.actions:
            folds += action == FOLD and now.legal.to_call == 0
            now = now.after(action)
        assert now.payoffs.tolist() == free.chips[number, 0].tolist()
    assert folds > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds_lift_cap": True}, "needs a cap, and unlimited_heads_up=True"),
        ({"folds_lift_cap": True, "unlimited_heads_up": True, "cap": None}, "cap=None"),
        ({"folds_lift_cap": 1}, "folds_lift_cap is 1; it must be True or False"),
        ({"free_folds": "yes"}, "free_folds is 'yes'; it must be True or False"),
    ],
)
def test_refuses_options_that_contradict_each_other(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        replace(limit(2), **options)


def test_players_see_whether_they_have_checked_and_luck_for_the_whole_hand() -> None:
    seen: dict[int, list[tuple[SeatView, int]]] = {}

    def decide(view: SeatView) -> int:
        choices = [CALL, CALL, *([FOLD] * view.legal.can_fold), view.legal.min_raise_to or CALL]
        action = choices[int(view.random_number * len(choices))]
        seen.setdefault(view.hand, []).append((view, action))
        return action

    cash(limit(2), [PythonPlayer(decide)] * 4, 150, seed=5, stacks=80, first=7)
    key, after_check, lucks = int(draw_key(5, "luck")), 0, []
    for number, views in seen.items():
        checks: set[tuple[int, int]] = set()
        for view, action in views:
            assert view.has_checked == ((view.seat, view.street) in checks)
            after_check += view.has_checked
            if action == CALL and view.legal.to_call == 0:
                checks.add((view.seat, view.street))
            bits = number_at(number_at(key, number), 2**32 + 2**20 * view.seat) >> 11
            assert view.hand_random_number == bits * 2.0**-53
        lucks += list({(view.seat, view.hand_random_number) for view, _ in views})
    assert after_check > 20
    assert len({luck for _, luck in lucks}) == len(lucks)
    assert abs(np.mean([luck for _, luck in lucks]) - 0.5) < 4 / (12 * len(lucks)) ** 0.5


def test_bucketed_limit_holdem_rejects_true_after_one() -> None:
    buckets = random_buckets(2)
    assert bucketed_limit_holdem(buckets, raise_cap=1).tree.raise_cap == 1
    for strange in (True, 1.0, [1], None):
        with pytest.raises(SettingError, match="raise_cap is"):
            bucketed_limit_holdem(buckets, raise_cap=strange)  # type: ignore[arg-type]


@pytest.mark.parametrize("chips", [-1, 0, -np.inf, np.nan, 2.5, True])
def test_ladder_with_impossible_chips_is_refused(chips: Any) -> None:
    with pytest.raises(SettingError, match="chips is"):
        make_pokerstars_schedule(chips=chips)
