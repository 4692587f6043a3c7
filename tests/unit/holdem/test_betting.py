"""The rules at the table, case by case, worked out by hand."""

import pytest

from pokerlab.holdem.betting.hand import Hand, Legal, limit, no_limit
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)


def raises(hand: Hand) -> tuple[int | None, int | None]:
    return hand.legal.min_raise_to, hand.legal.max_raise_to


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
        assert (hand.actor, hand.legal) == (2, Legal(False, 0, 4, 50))

    def test_a_small_blind_of_nothing_is_owed_in_full(self) -> None:
        hand = after(start(no_limit(0, 2), [50, 50, 50]), "0:fold")
        assert (hand.actor, hand.bets, hand.legal.to_call) == (1, (0, 0, 2), 2)

    def test_seats_without_chips_are_not_dealt_in(self) -> None:
        hand = start(ONE_TWO, [50, 0, 50, 0, 50, 50], button=5)
        assert hand.bets == (1, 0, 2, 0, 0, 0)
        assert hand.folded == (False, True, False, True, False, False)
        assert after(hand, "4:call 5:call 0:call 2:check 0:check 2:check 4:check").actor == 5

    def test_two_seats_with_chips_are_heads_up_however_many_chairs_there_are(self) -> None:
        hand = start(ONE_TWO, [0, 50, 0, 50], button=1)
        assert (hand.actor, hand.bets) == (1, (0, 1, 0, 2))
        assert after(hand, "1:call 3:check").actor == 3

    def test_who_has_less_than_a_blind_posts_what_there_is(self) -> None:
        hand = start(no_limit(5, 10), [100, 3, 7, 100])
        assert hand.bets == (0, 3, 7, 0)
        assert hand.stacks == (100, 0, 0, 100)
        over = after(hand, "3:call 0:call 3:check 0:check 3:check 0:check 3:check 0:check")
        assert over.is_over
        assert [pot.chips for pot in over.pots] == [12, 12, 6]

    def test_a_short_big_blind_is_owed_in_full_by_the_callers(self) -> None:
        hand = start(ONE_TWO, [50, 50, 1, 50])
        assert hand.bets == (0, 1, 1, 0)
        assert (hand.actor, hand.legal) == (3, Legal(True, 2, 4, 50))
        assert after(hand, "3:call 0:fold").legal == Legal(True, 1, 4, 50)
        flop = after(hand, "3:call 0:fold 1:call")
        assert [(pot.chips, pot.seats) for pot in flop.pots] == [(3, (1, 2, 3)), (2, (1, 3))]

    def test_heads_up_nobody_is_asked_to_call_a_short_big_blind_already_covered(self) -> None:
        hand = start(ONE_TWO, [50, 1], holes="As Ad 7c 2d", board="Ks Kd Th 9h 5c")
        assert hand.is_over
        assert hand.payoffs.tolist() == [1, -1]

    def test_a_short_small_blind_runs_out_when_the_others_fold(self) -> None:
        hand = start(
            no_limit(5, 10), [50, 3, 50], holes="7c 2d As Ad Qc Jd", board="Ks 3d 4h 9h 8c"
        )
        over = after(hand, "0:fold")
        assert over.is_over
        assert over.uncalled == (0, 0, 7)
        assert over.payoffs.tolist() == [0, 3, -3]

    def test_antes_come_before_blinds_and_are_no_bets(self) -> None:
        hand = start(no_limit(5, 10, ante=2), [50, 1, 9, 50])
        assert hand.bets == (0, 0, 7, 0)
        assert hand.paid == (2, 1, 9, 2)
        assert [(pot.chips, pot.seats) for pot in hand.pots] == [(4, (0, 1, 2, 3)), (3, (0, 2, 3))]
        assert hand.legal == Legal(True, 10, 20, 48)


class TestRaises:
    def test_a_raise_is_at_least_as_large_as_the_last(self) -> None:
        hand = start(ONE_TWO, [100, 100, 100])
        assert raises(hand) == (4, 100)
        assert raises(after(hand, "10")) == (18, 100)
        assert raises(after(hand, "10 30")) == (50, 100)

    def test_on_a_new_street_a_bet_is_at_least_the_big_blind(self) -> None:
        hand = after(start(ONE_TWO, [100, 100, 100]), "30 call call")
        assert (hand.street, raises(hand)) == (1, (2, 70))

    def test_after_a_short_all_in_the_last_full_raise_comes_on_top_of_it(self) -> None:
        # A raise by 8 to 10, all-in for 15, so 15 + 8.
        hand = after(start(ONE_TWO, [15, 100, 100, 100]), "3:10 0:15")
        assert hand.full_raise == 8
        assert raises(hand) == (23, 100)

    def test_after_a_short_opening_bet_a_full_bet_comes_on_top_of_it(self) -> None:
        hand = after(start(no_limit(5, 10), [100, 14, 100]), "call call check 1:4")
        assert (hand.actor, raises(hand)) == (2, (14, 90))

    def test_who_has_less_than_the_smallest_raise_may_go_all_in(self) -> None:
        hand = after(start(ONE_TWO, [100, 13, 100]), "10")
        assert (hand.actor, hand.legal) == (1, Legal(True, 9, 13, 13))

    def test_who_has_no_more_than_the_bet_may_not_raise(self) -> None:
        hand = after(start(ONE_TWO, [100, 10, 100]), "10")
        assert (hand.actor, hand.legal) == (1, Legal(True, 9))
        assert after(hand, "1:call").stacks[1] == 0

    def test_nobody_raises_what_no_other_seat_could_call(self) -> None:
        hand = start(ONE_TWO, [100, 20, 30])
        hand = after(hand, "call 20 30")
        assert (hand.actor, hand.legal) == (0, Legal(True, 28))

    def test_a_raise_over_a_short_stack_is_fine_while_another_could_call_it(self) -> None:
        hand = after(start(ONE_TWO, [100, 5, 100]), "10 call")
        assert (hand.actor, raises(hand)) == (2, (18, 100))


class TestReopening:
    def test_a_short_all_in_does_not_reopen_the_betting_for_those_who_acted(self) -> None:
        # Seat 3 raises to 10, seat 0 calls, seat 1 is all-in for 15: 5 more, and 8 were needed.
        hand = after(start(ONE_TWO, [100, 15, 100, 100]), "3:10 0:call 1:15")
        assert hand.legal == Legal(True, 13, 23, 100)  # seat 2 has not acted
        hand = after(hand, "2:call")
        assert (hand.actor, hand.legal) == (3, Legal(True, 5))
        hand = after(hand, "3:call")
        assert (hand.actor, hand.legal) == (0, Legal(True, 5))

    def test_several_short_all_ins_that_add_up_to_a_full_raise_do(self) -> None:
        # 10, then 15 and 20 all-in: seat 3 faces 10 more, and a full raise is 8.
        hand = after(start(ONE_TWO, [15, 20, 100, 100]), "3:10 0:15 1:20 2:call")
        assert (hand.actor, hand.legal) == (3, Legal(True, 10, 28, 100))

    def test_they_do_so_only_for_those_who_face_all_of_them(self) -> None:
        # Seat 5 has called the 15 and faces 5 more; seat 3 has called 10 and faces 10.
        hand = start(ONE_TWO, [20, 100, 100, 100, 15, 100])
        hand = after(hand, "3:10 4:15 5:call 0:20 1:fold 2:fold")
        assert (hand.actor, hand.legal) == (3, Legal(True, 10, 28, 100))
        hand = after(hand, "3:call")
        assert (hand.actor, hand.legal) == (5, Legal(True, 5))

    def test_a_full_raise_reopens_it(self) -> None:
        hand = after(start(ONE_TWO, [100, 18, 100, 100]), "3:10 0:call 1:18 2:call")
        assert (hand.actor, hand.legal) == (3, Legal(True, 8, 26, 100))

    def test_a_raise_over_a_short_all_in_reopens_it(self) -> None:
        hand = after(start(ONE_TWO, [100, 15, 100, 100]), "3:10 0:call 1:15 2:23")
        assert (hand.actor, hand.legal) == (3, Legal(True, 13, 31, 100))

    def test_a_short_first_raise_does_not_reopen_it_for_who_has_only_called(self) -> None:
        hand = after(start(ONE_TWO, [3, 100, 100, 100]), "3:call 0:3 1:call 2:call")
        assert (hand.actor, hand.legal) == (3, Legal(True, 1))

    def test_a_short_bet_does_not_reopen_it_for_who_has_checked(self) -> None:
        hand = after(start(no_limit(5, 10), [100, 100, 14]), "call call check 1:check 2:4 0:call")
        assert (hand.actor, hand.legal) == (1, Legal(True, 4))

    def test_in_limit_half_a_raise_does_not_reopen_it_either(self) -> None:
        hand = after(start(limit(10), [100, 18, 100, 100]), "3:call 0:call 1:18 2:call")
        assert (hand.actor, hand.legal) == (3, Legal(True, 8))


class TestLimit:
    def test_bets_and_raises_have_the_size_of_the_street(self) -> None:
        hand = start(limit(2), [100, 100])
        assert raises(hand) == (4, 4)
        assert raises(after(hand, "4")) == (6, 6)
        flop = after(hand, "4 call")
        assert raises(flop) == (2, 2)
        turn = after(flop, "check check")
        assert (turn.street, raises(turn)) == (2, (4, 4))
        assert raises(after(turn, "4 8")) == (12, 12)

    def test_a_round_has_four_bets_and_the_big_blind_is_the_first(self) -> None:
        hand = after(start(limit(2), [100, 100, 100]), "4 6 8")
        assert (hand.num_bets, hand.capped, hand.legal) == (4, True, Legal(True, 4))
        flop = after(hand, "call call")
        assert (flop.street, flop.num_bets) == (1, 0)
        assert after(flop, "1:2 2:4 0:6 1:8").legal == Legal(True, 4)

    @pytest.mark.parametrize(("cap", "line"), [(1, ""), (2, "4"), (3, "4 6"), (5, "4 6 8 10")])
    def test_the_cap_is_a_parameter(self, cap: int, line: str) -> None:
        hand = after(start(limit(2, cap=cap), [100, 100]), line)
        assert not hand.legal.can_raise

    def test_without_a_cap_the_stacks_end_the_raising(self) -> None:
        hand = start(limit(2, cap=None), [20, 20])
        hand = after(hand, "4 6 8 10 12 14 16 18 20")
        assert hand.legal == Legal(True, 2)

    def test_heads_up_the_raising_may_be_unlimited(self) -> None:
        hand = after(start(limit(2, unlimited_heads_up=True), [100, 100]), "4 6 8")
        assert hand.legal == Legal(True, 2, 10, 10)

    def test_it_is_unlimited_once_the_third_seat_has_folded_before_the_cap(self) -> None:
        hand = after(start(limit(2, unlimited_heads_up=True), [100] * 3), "4 6 2:fold 0:8")
        assert hand.legal == Legal(True, 2, 10, 10)

    def test_a_fold_after_the_cap_does_not_lift_it(self) -> None:
        hand = after(start(limit(2, unlimited_heads_up=True), [100] * 3), "4 6 8 0:fold")
        assert (hand.live, hand.legal) == ((1, 2), Legal(True, 2))

    def test_seats_all_in_do_not_make_it_a_table_of_three(self) -> None:
        hand = after(start(limit(2, unlimited_heads_up=True), [4, 100, 100]), "4 6 8")
        assert (hand.live, hand.legal) == ((0, 1, 2), Legal(True, 2, 10, 10))

    def test_a_short_all_in_is_raised_by_a_whole_bet_and_is_no_bet_of_the_four(self) -> None:
        hand = after(start(limit(10), [100, 15, 100]), "call 15")
        assert (hand.num_bets, hand.legal) == (1, Legal(True, 5, 25, 25))
        assert after(hand, "25 35 45").capped

    def test_who_has_less_than_a_bet_may_put_it_in(self) -> None:
        hand = after(start(limit(10), [100, 14, 100]), "call call check")
        assert (hand.actor, hand.legal) == (1, Legal(False, 0, 4, 4))


class TestTheEnd:
    def test_everybody_folds_to_the_big_blind(self) -> None:
        hand = after(start(ONE_TWO, [50, 50, 50]), "0:fold 1:fold")
        assert hand.is_over
        assert hand.uncalled == (0, 0, 1)
        assert hand.payoffs.tolist() == [0, -1, 1]
        assert hand.board.size == 0

    def test_after_a_call_all_in_the_board_is_dealt_without_further_actions(self) -> None:
        hand = after(start(ONE_TWO, [50, 80]), "50 call")
        assert (hand.is_over, hand.street, hand.board.size) == (True, 3, 5)
        assert hand.actions == (50, 0)

    def test_two_with_chips_go_on_beside_a_third_who_is_all_in(self) -> None:
        hand = after(start(ONE_TWO, [50, 20, 80]), "20 call call")
        assert (hand.street, hand.actor, hand.able) == (1, 2, (0, 2))

    def test_the_last_with_chips_still_decides_about_an_all_in(self) -> None:
        hand = after(start(ONE_TWO, [50, 20, 80]), "call 20")
        assert (hand.actor, hand.legal) == (2, Legal(True, 18, 38, 80))
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
