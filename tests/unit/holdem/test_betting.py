"""The rules at the table, case by case, worked out by hand."""

from collections.abc import Sequence
from functools import reduce

import pytest

from pokerlab.core.errors import IllegalActionError
from pokerlab.holdem.betting_structure import Structure, limit, no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand, LegalActions
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)
UNLIMITED = limit(2, unlimited_heads_up=True)


class TestBlinds:
    def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop(self) -> None:
        hand = start(ONE_TWO, [50, 50], button=1)
        assert hand.bets == (2, 1)
        assert hand.actor == 1

    def test_heads_up_the_button_acts_last_from_the_flop_on(self) -> None:
        hand = start(ONE_TWO, [50, 50], button=1)
        line = "1:call 0:check 0:check 1:check 0:check 1:check 0:check 1:check"
        assert after(hand, line).is_over

    def test_three_seats_or_more_post_left_of_the_button(self) -> None:
        hand = start(ONE_TWO, [50, 50, 50, 50], button=2)
        assert hand.bets == (2, 0, 0, 1)
        assert hand.actor == 1
        flop = after(hand, "1:call 2:call 3:call 0:check")
        assert (flop.street, flop.actor, flop.bets) == (1, 3, (0, 0, 0, 0))

    def test_the_big_blind_may_raise_when_everybody_has_called(self) -> None:
        hand = after(start(ONE_TWO, [50, 50, 50]), "0:call 1:call")
        assert (hand.actor, hand.legal_actions) == (2, LegalActions(False, 0, 4, 50))

    def test_a_small_blind_of_nothing_is_owed_in_full(self) -> None:
        hand = after(start(no_limit(0, 2), [50, 50, 50]), "0:fold")
        assert (hand.actor, hand.bets, hand.legal_actions.to_call) == (1, (0, 0, 2), 2)

    def test_seats_without_chips_are_not_dealt_in(self) -> None:
        hand = start(ONE_TWO, [50, 0, 50, 0, 50, 50], button=5)
        assert hand.bets == (1, 0, 2, 0, 0, 0)
        assert hand.folded == (False, True, False, True, False, False)
        assert after(hand, "4:call 5:call 0:call 2:check 0:check 2:check 4:check").actor == 5

    def test_two_seats_with_chips_are_heads_up_however_many_chairs_there_are(self) -> None:
        hand = start(ONE_TWO, [0, 50, 0, 50], button=1)
        assert (hand.actor, hand.bets) == (1, (0, 1, 0, 2))
        assert after(hand, "1:call 3:check").actor == 3

    def test_hand_with_short_blind_posts_the_whole_stack(self) -> None:
        hand = start(no_limit(5, 10), [100, 3, 7, 100])
        assert hand.bets == (0, 3, 7, 0)
        assert hand.stacks == (100, 0, 0, 100)
        over = after(hand, "3:call 0:call 3:check 0:check 3:check 0:check 3:check 0:check")
        assert over.is_over
        assert [pot.chips for pot in over.pots] == [12, 12, 6]

    def test_a_short_big_blind_is_owed_in_full_by_the_callers(self) -> None:
        hand = start(ONE_TWO, [50, 50, 1, 50])
        assert hand.bets == (0, 1, 1, 0)
        assert (hand.actor, hand.legal_actions) == (3, LegalActions(True, 2, 4, 50))
        assert after(hand, "3:call 0:fold").legal_actions == LegalActions(True, 1, 4, 50)
        flop = after(hand, "3:call 0:fold 1:call")
        assert [(pot.chips, pot.seats) for pot in flop.pots] == [(3, (1, 2, 3)), (2, (1, 3))]

    def test_hand_heads_up_skips_a_covered_short_big_blind(self) -> None:
        hand = start(ONE_TWO, [50, 1], holes="As Ad 7c 2d", board="Ks Kd Th 9h 5c")
        assert hand.is_over
        assert hand.payoffs.tolist() == [1, -1]

    def test_a_short_small_blind_runs_out_when_the_others_fold(self) -> None:
        hand = start(
            no_limit(5, 10), [50, 3, 50], holes="7c 2d As Ad Qc Jd", board="Ks 3d 4h 9h 8c"
        )
        over = after(hand, "0:fold")
        assert over.is_over
        assert over.uncalled_chips == (0, 0, 7)
        assert over.payoffs.tolist() == [0, 3, -3]

    def test_antes_come_before_blinds_and_are_no_bets(self) -> None:
        hand = start(no_limit(5, 10, ante=2), [50, 1, 9, 50])
        assert hand.bets == (0, 0, 7, 0)
        assert hand.paid == (2, 1, 9, 2)
        assert [(pot.chips, pot.seats) for pot in hand.pots] == [(4, (0, 1, 2, 3)), (3, (0, 2, 3))]
        assert hand.legal_actions == LegalActions(True, 10, 20, 48)


LEGAL = {
    # Raises.
    "at first a raise is to twice the big blind": (ONE_TWO, [100] * 3, "", 0, (2, 4, 100)),
    "a raise is at least as large as the last": (ONE_TWO, [100] * 3, "10", 1, (9, 18, 100)),
    "also after a larger one": (ONE_TWO, [100] * 3, "10 30", 2, (28, 50, 100)),
    "on a new street a bet is at least the big blind": (
        *(ONE_TWO, [100] * 3, "30 call call", 1, (0, 2, 70)),
    ),
    "after a short all-in the last full raise, 8, comes on top of it": (
        *(ONE_TWO, [15, 100, 100, 100], "3:10 0:15", 1, (14, 23, 100)),
    ),
    "after a short opening bet a full bet comes on top of it": (
        *(no_limit(5, 10), [100, 14, 100], "call call check 1:4", 2, (4, 14, 90)),
    ),
    "who has less than the smallest raise may go all-in": (
        *(ONE_TWO, [100, 13, 100], "10", 1, (9, 13, 13)),
    ),
    "who has no more than the bet may not raise": (ONE_TWO, [100, 10, 100], "10", 1, (9,)),
    "nobody raises what no other seat could call": (ONE_TWO, [100, 20, 30], "call 20 30", 0, (28,)),
    "a raise over a short stack is fine while another could call it": (
        *(ONE_TWO, [100, 5, 100], "10 call", 2, (8, 18, 100)),
    ),
    # Reopening. Seat 3 raises to 10, seat 0 calls, seat 1 is all-in for 15: 5 more, and 8 were needed.
    "who has not acted may raise a short all-in": (
        *(ONE_TWO, [100, 15, 100, 100], "3:10 0:call 1:15", 2, (13, 23, 100)),
    ),
    "a short all-in does not reopen the betting for who has raised": (
        *(ONE_TWO, [100, 15, 100, 100], "3:10 0:call 1:15 2:call", 3, (5,)),
    ),
    "nor for who has called": (
        *(ONE_TWO, [100, 15, 100, 100], "3:10 0:call 1:15 2:call 3:call", 0, (5,)),
    ),
    "several short all-ins that add up to a full raise do": (
        *(ONE_TWO, [15, 20, 100, 100], "3:10 0:15 1:20 2:call", 3, (10, 28, 100)),
    ),
    "they do for who faces all of them": (
        *(ONE_TWO, [20, 100, 100, 100, 15, 100], "3:10 4:15 5:call 0:20 1:fold 2:fold"),
        *(3, (10, 28, 100)),
    ),
    "they do not for who has called some of them": (
        *(ONE_TWO, [20, 100, 100, 100, 15, 100], "3:10 4:15 5:call 0:20 1:fold 2:fold 3:call"),
        *(5, (5,)),
    ),
    "a full raise reopens it": (
        *(ONE_TWO, [100, 18, 100, 100], "3:10 0:call 1:18 2:call", 3, (8, 26, 100)),
    ),
    "a raise over a short all-in reopens it": (
        *(ONE_TWO, [100, 15, 100, 100], "3:10 0:call 1:15 2:23", 3, (13, 31, 100)),
    ),
    "a short first raise does not reopen it for who has only called": (
        *(ONE_TWO, [3, 100, 100, 100], "3:call 0:3 1:call 2:call", 3, (1,)),
    ),
    "a short bet does not reopen it for who has checked": (
        *(no_limit(5, 10), [100, 100, 14], "call call check 1:check 2:4 0:call", 1, (4,)),
    ),
    "in limit half a raise does not reopen it either": (
        *(limit(10), [100, 18, 100, 100], "3:call 0:call 1:18 2:call", 3, (8,)),
    ),
    # Limit.
    "bets have the size of the street": (limit(2), [100] * 2, "4", 1, (2, 6, 6)),
    "on the flop": (limit(2), [100] * 2, "4 call", 1, (0, 2, 2)),
    "on the turn": (limit(2), [100] * 2, "4 call check check", 1, (0, 4, 4)),
    "and so have raises": (limit(2), [100] * 2, "4 call check check 4 8", 1, (4, 12, 12)),
    "a round has four bets and the big blind is the first": (
        *(limit(2), [100] * 3, "4 6 8", 0, (4,)),
    ),
    "on later streets there are four without it": (
        *(limit(2), [100] * 3, "4 6 8 call call 1:2 2:4 0:6 1:8", 2, (4,)),
    ),
    "the cap is a parameter: one": (limit(2, cap=1), [100] * 2, "", 0, (1,)),
    "two": (limit(2, cap=2), [100] * 2, "4", 1, (2,)),
    "five": (limit(2, cap=5), [100] * 2, "4 6 8 10", 0, (2,)),
    "without a cap the stacks end the raising": (
        *(limit(2, cap=None), [20] * 2, "4 6 8 10 12 14 16 18 20", 1, (2,)),
    ),
    "heads-up the raising may be unlimited": (UNLIMITED, [100] * 2, "4 6 8", 1, (2, 10, 10)),
    "so it is once the third seat has folded before the cap": (
        *(UNLIMITED, [100] * 3, "4 6 2:fold 0:8", 1, (2, 10, 10)),
    ),
    "a fold after the cap does not lift it": (UNLIMITED, [100] * 3, "4 6 8 0:fold", 1, (2,)),
    "seats all-in do not make it a table of three": (
        *(UNLIMITED, [4, 100, 100], "4 6 8", 1, (2, 10, 10)),
    ),
    "a short all-in is raised by a whole bet": (
        *(limit(10), [100, 15, 100], "call 15", 2, (5, 25, 25)),
    ),
    "and is not one of the four bets": (
        *(limit(10), [100, 15, 100], "call 15 25 35 45", 0, (10,)),
    ),
    "who has less than a bet may put it in": (
        *(limit(10), [100, 14, 100], "call call check", 1, (0, 4, 4)),
    ),
}
"""Betting, stacks and actions; then who is to act, what it owes, and its smallest and largest raise."""


@pytest.mark.parametrize("case", LEGAL)
def test_legal_lists_the_actions_of_each_case(case: str) -> None:
    structure, stacks, line, actor, choices = LEGAL[case]
    hand = after(start(structure, stacks), line)
    assert (hand.actor, hand.legal_actions) == (actor, LegalActions(choices[0] > 0, *choices))


class TestTheEnd:
    def test_everybody_folds_to_the_big_blind(self) -> None:
        hand = after(start(ONE_TWO, [50, 50, 50]), "0:fold 1:fold")
        assert hand.is_over
        assert hand.uncalled_chips == (0, 0, 1)
        assert hand.payoffs.tolist() == [0, -1, 1]
        assert hand.board.size == 0

    def test_after_a_call_all_in_the_board_is_dealt_without_further_actions(self) -> None:
        hand = after(start(ONE_TWO, [50, 80]), "50 call")
        assert (hand.is_over, hand.street, hand.board.size) == (True, 3, 5)
        assert hand.actions == (50, 0)

    def test_hand_with_one_all_in_goes_on_between_two(self) -> None:
        hand = after(start(ONE_TWO, [50, 20, 80]), "20 call call")
        assert (hand.street, hand.actor, hand.seats_able_to_act) == (1, 2, (0, 2))

    def test_hand_asks_the_last_seat_with_chips_to_answer_an_all_in(self) -> None:
        hand = after(start(ONE_TWO, [50, 20, 80]), "call 20")
        assert (hand.actor, hand.legal_actions) == (2, LegalActions(True, 18, 38, 80))
        hand = after(hand, "call fold")
        assert (hand.is_over, hand.board.size) == (True, 5)

    def test_the_river_ends_in_a_showdown(self) -> None:
        hand = start(ONE_TWO, [50, 50], holes="As Ad Ks Kd", board="2c 3d 7h 8s Jc")
        over = after(hand, "call check check check check check 10 call")
        assert over.payoffs.tolist() == [12, -12]
        assert over.strengths[0] > over.strengths[1] > 0

    def test_the_board_is_shown_street_by_street(self) -> None:
        hand = start(ONE_TWO, [50, 50])
        sizes = [hand.board.size]
        for _ in range(3):
            hand = after(hand, "call check")
            sizes.append(hand.board.size)
        assert sizes == [0, 3, 4, 5]


FREE = no_limit(1, 2, free_folds=True)
CAPPED = limit(2, cap=4, unlimited_heads_up=True)
LIFTED = limit(2, cap=4, unlimited_heads_up=True, unlimited_after_folds=True)
"""What the rules leave to the house: free folds, and caps that folds lift."""


def three_seats(structure: Structure, *actions: int, stacks: Sequence[int] = (60, 60, 60)) -> Hand:
    """Return a hand of three seats, the button at seat 0, after some actions."""
    hand = start(structure, list(stacks), holes="As Ad Ks Kd Qs Qd", board="2c 3d 7h 8s Jc")
    return reduce(Hand.after, actions, hand)


def test_hand_with_free_folds_lets_the_big_blind_fold_its_option() -> None:
    limped = three_seats(FREE, CALL, CALL)
    assert limped.legal_actions == LegalActions(True, 0, 4, 60)
    flop = limped.after(FOLD)
    # Its two chips stay in the pot, and the small blind is the first to act.
    assert (flop.street, flop.actor, flop.live_seats) == (1, 1, (0, 1))
    assert flop.after(FOLD).payoffs.tolist() == [4, -2, -2]
    with pytest.raises(IllegalActionError, match="nothing is owed, so there is no fold"):
        three_seats(ONE_TWO, CALL, CALL, FOLD)


def test_hand_of_free_folds_alone_goes_to_the_last_seat() -> None:
    hand = three_seats(FREE, CALL, CALL, CALL, FOLD, FOLD)
    assert hand.is_over
    assert hand.street == 1
    assert hand.payoffs.tolist() == [4, -2, -2]


@pytest.mark.parametrize(
    ("structure", "can_raise"), [(limit(2), False), (CAPPED, False), (LIFTED, True)]
)
def test_hand_with_a_lifted_cap_goes_on_once_a_fold_has_left_two(
    structure: Structure, can_raise: bool
) -> None:
    # The button, the small and the big blind raise: with the big blind, four bets; all three are in.
    capped = three_seats(structure, 4, 6, 8)
    assert capped.is_cap_reached
    assert not capped.legal_actions.can_raise  # the button, with three left
    left = capped.after(FOLD)
    assert left.actor == 1
    assert left.legal_actions.can_raise is can_raise
    if can_raise:
        # The next raise, to five bets, may be raised in turn, until somebody is all-in.
        again = left.after(10)
        assert again.legal_actions == LegalActions(True, 2, 12, 12)
        for to in range(12, 62, 2):
            again = again.after(to)
        assert (again.stacks[1], again.stacks[2]) in {(0, 2), (2, 0)}
        assert not again.legal_actions.can_raise


def test_hand_with_a_seat_all_in_does_not_keep_the_cap() -> None:
    # The button calls all-in for three bets; three seats are live, two can act.
    hand = three_seats(LIFTED, CALL, 4, 6, CALL, 8, stacks=[6, 60, 60])
    assert hand.live_seats == (0, 1, 2)
    assert hand.seats_able_to_act == (1, 2)
    assert hand.legal_actions == LegalActions(True, 2, 10, 10)
    # Two could act before the last raise as well, so that this house lifts the cap too.
    assert (
        three_seats(CAPPED, CALL, 4, 6, CALL, 8, stacks=[6, 60, 60]).legal_actions
        == hand.legal_actions
    )
