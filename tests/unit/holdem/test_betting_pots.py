"""Who wins which chips: side pots, folded chips, uncalled bets, odd chips."""

from pokerlab.holdem.betting_structure import no_limit
from pokerlab.holdem.pots import (
    Pot,
    compute_uncalled_chips,
    divide_pots,
    find_pot_winners,
    split_into_pots,
)
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)
DRY_BOARD = "2c 3d 7h 8s Jc"
BOARD_PLAYS = "As Ks Qs Js Ts"


def test_split_into_pots_makes_layers_at_totals_of_live_seats() -> None:
    # Kings 10, aces 30, queens 60 and jacks 60: 4 x 10, 3 x 20, 2 x 30.
    hand = start(
        ONE_TWO, [60, 30, 10, 60], button=3, holes="Qs Qd As Ad Ks Kd Js Jd", board="2c 3d 7h 8s 4c"
    )
    over = after(hand, "2:10 3:60 0:call 1:call")
    assert over.pots == (Pot(40, (0, 1, 2, 3)), Pot(60, (0, 1, 3)), Pot(60, (0, 3)))
    assert over.payoffs.tolist() == [0, 70, -10, -60]


def test_side_pots_of_three_hands_in_order_of_their_stacks() -> None:
    hand = start(ONE_TWO, [50, 20, 5], holes="Qs Qd Ks Kd As Ad", board="2c 3d 7h 8s 4c")
    over = after(hand, "0:50 1:call 2:call")
    assert over.uncalled_chips == (30, 0, 0)
    assert over.pots == (Pot(15, (0, 1, 2)), Pot(30, (0, 1)))
    assert over.payoffs.tolist() == [-20, 10, 10]


def test_folded_chips_stay_in_the_pots_they_were_put_into() -> None:
    # Seat 3 puts in 20 and folds on the flop; seat 0 is all-in for 12.
    hand = start(ONE_TWO, [12, 100, 100, 100], holes="As Ad Ks Kd Qs Qd Th 9h", board=DRY_BOARD)
    flop = after(hand, "3:20 0:call 1:call 2:call")
    assert flop.pots == (Pot(48, (0, 1, 2, 3)), Pot(24, (1, 2, 3)))
    over = after(flop, "1:30 2:call 3:fold 1:check 2:check 1:check 2:check")
    assert over.pots == (Pot(48, (0, 1, 2)), Pot(84, (1, 2)))
    assert over.payoffs.tolist() == [36, 34, -50, -20]


def test_find_uncalled_chips_returns_an_unmatched_bet() -> None:
    hand = start(ONE_TWO, [100, 100], holes="7s 2d Ks Kd", board=DRY_BOARD)
    over = after(hand, "6 call 1:20 0:fold")
    assert over.uncalled_chips == (0, 20)
    assert over.pots == (Pot(12, (1,)),)
    assert over.payoffs.tolist() == [-6, 6]


def test_pots_after_folds_go_to_the_last_live_seat() -> None:
    # 10 each from seats 0 and 1, 2 from seat 2 who shows aces; seat 0 folds on the flop.
    hand = start(ONE_TWO, [100, 100, 2], holes="Qs Qd Ks Kd As Ad", board=DRY_BOARD)
    over = after(hand, "0:10 1:call 1:30 0:fold")
    assert over.uncalled_chips == (0, 30, 0)
    assert over.pots == (Pot(6, (1, 2)), Pot(16, (1,)))
    assert over.payoffs.tolist() == [-10, 6, 4]


def test_pots_leave_out_the_bets_of_a_round_that_goes_on() -> None:
    hand = after(start(ONE_TWO, [100, 100, 100]), "0:10 1:call 2:call 1:20")
    assert hand.pots == (Pot(30, (0, 1, 2)),)
    assert hand.bets == (0, 20, 0)
    assert hand.uncalled_chips == (0, 0, 0)


class TestOddChips:
    def test_one_odd_chip_goes_to_the_first_winner_left_of_the_button(self) -> None:
        # The small blind folds 1, two split 5: seat 2 is the first left of the button.
        hand = start(ONE_TWO, [50, 50, 50], holes="2c 2d 3c 3d 4c 4d", board=BOARD_PLAYS)
        over = after(hand, "0:call 1:fold 2:check" + " 2:check 0:check" * 3)
        assert over.pots == (Pot(5, (0, 2)),)
        assert over.payoffs.tolist() == [0, -1, 1]

    def test_two_odd_chips_go_to_two_winners(self) -> None:
        # Left of the button, seat 3, come 4, 0 and 2.
        assert divide_pots([Pot(14, (0, 2, 4))], [7, -1, 7, -1, 7], button=3) == (5, 0, 4, 0, 5)

    def test_divide_pots_gives_each_pot_its_odd_chips(self) -> None:
        # Left of the button come 1, 2 and 0: 1 gets that of the first pot, 2 that of the second.
        pots = [Pot(7, (0, 1, 2)), Pot(5, (0, 2))]
        assert divide_pots(pots, [7, 7, 7], button=0) == (2 + 2, 3, 2 + 3)

    def test_divide_pots_gives_the_button_the_last_odd_chip(self) -> None:
        assert divide_pots([Pot(3, (0, 1))], [7, 7], button=0) == (1, 2)
        assert divide_pots([Pot(3, (0, 1))], [7, 7], button=1) == (2, 1)


def test_divide_pots_pays_the_strongest_contender() -> None:
    assert find_pot_winners(Pot(10, (0, 1, 3)), [5, 8, 9, 8]) == (1, 3)


def test_equal_totals_make_one_layer() -> None:
    assert split_into_pots([5, 5, 3], [False, False, True]) == (Pot(13, (0, 1)),)


def test_find_uncalled_chips_of_two_equal_totals_is_zero() -> None:
    assert compute_uncalled_chips([9, 9, 4]) == (0, 0, 0)
