"""What cannot be at a table is refused: the error names hand, seat, and what is legal."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import (
    CardError,
    GameError,
    IllegalActionError,
    PokerlabError,
    SettingError,
    UnknownNameError,
)
from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, Structure, limit, no_limit
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)


def begin(**changes: Any) -> Hand:
    given: dict[str, Any] = {"stacks": [50, 50, 50], "button": 0, "deal": range(11), "number": 17}
    return Hand.begin(ONE_TWO, **(given | changes))


class TestActions:
    def test_a_raise_below_the_minimum_says_what_is_legal(self) -> None:
        with pytest.raises(IllegalActionError) as caught:
            begin().after(10).after(12)
        assert str(caught.value) == (
            "hand 17, preflop, seat 1: a bet or raise to 12 is below the minimum 18."
            " Legal: fold (-1), call 9 (0), raise to 18 to 50."
        )

    def test_a_raise_above_the_stack_says_what_is_legal(self) -> None:
        flop = after(start(ONE_TWO, [50, 40]), "call check")
        with pytest.raises(IllegalActionError, match=r"flop, seat 1: .* to 39 is above .* 38") as e:
            flop.after(39)
        assert str(e.value).endswith("Legal: check (0), bet or raise to 2 to 38.")

    def test_in_limit_there_is_one_size(self) -> None:
        with pytest.raises(
            IllegalActionError, match=r"Legal: fold \(-1\), call 1 \(0\), raise to 4\."
        ):
            start(limit(2), [50, 50]).after(6)

    def test_a_raise_of_a_short_all_in_is_refused_for_who_has_acted(self) -> None:
        hand = after(start(ONE_TWO, [100, 15, 100, 100]), "3:10 0:call 1:15 2:call")
        with pytest.raises(IllegalActionError, match="seat 3: no bet or raise is allowed, so none"):
            hand.after(23)

    def test_a_fold_is_refused_where_nothing_is_owed(self) -> None:
        hand = after(start(ONE_TWO, [50, 50]), "call")
        with pytest.raises(IllegalActionError, match="seat 1: nothing is owed"):
            hand.after(FOLD)
        assert not hand.can(FOLD)

    @pytest.mark.parametrize("action", [float("nan"), 4.0, np.float64(4), True, None, "call"])
    def test_an_action_is_a_whole_number(self, action: Any) -> None:
        with pytest.raises(
            IllegalActionError, match=r"hand 17, preflop, seat 0: .* is not an action"
        ):
            begin().after(action)

    def test_numbers_below_the_fold_mean_nothing(self) -> None:
        with pytest.raises(IllegalActionError, match="-2 is not an action"):
            begin().after(-2)

    def test_integers_of_numpy_are_integers(self) -> None:
        assert begin().after(np.int64(10)).actions == (10,)

    def test_nobody_acts_after_the_end(self) -> None:
        over = begin().after(FOLD).after(FOLD)
        with pytest.raises(IllegalActionError, match="hand 17 is over"):
            over.after(CALL)
        assert not over.can(CALL)

    def test_there_are_no_payoffs_before_the_end(self) -> None:
        with pytest.raises(GameError, match="hand 17 is not over: seat 0 is to act"):
            _ = begin().payoffs
        with pytest.raises(GameError, match="not over"):
            _ = begin().strengths

    def test_a_refused_action_changes_nothing(self) -> None:
        hand = begin()
        assert not hand.can(3)
        assert hand == begin()


class TestSeatsAndCards:
    @pytest.mark.parametrize(
        ("stacks", "message"),
        [
            ([50], "given for 1 seats; a table has 2 to 10"),
            ([50] * 11, "given for 11 seats; a table has 2 to 10"),
            ([50, -1, 50], "the stack of seat 1 is -1; it must be an integer from 0"),
            ([50, 2.5, 50], "the stack of seat 1 is 2.5; it must be an integer"),
            ([50, float("nan"), 50], "the stack of seat 1 is nan"),
            ([50, 10**16, 50], "the stack of seat 1 is 10000000000000000"),
            ([50, 0, 0], "a hand needs two seats with chips"),
        ],
    )
    def test_stacks_that_cannot_be(self, stacks: list[Any], message: str) -> None:
        with pytest.raises(SettingError, match=message):
            begin(stacks=stacks)

    @pytest.mark.parametrize("number", [-1, float("nan"), "one", True])
    def test_a_hand_has_a_whole_number(self, number: Any) -> None:
        with pytest.raises(SettingError, match=f"number is {number!r}; it must be an integer"):
            begin(number=number)

    @pytest.mark.parametrize("button", [-1, 3])
    def test_the_button_is_at_a_seat(self, button: int) -> None:
        with pytest.raises(
            SettingError, match=f"button is {button}; it must be an integer from 0 to 2"
        ):
            begin(button=button)

    def test_the_button_is_at_a_seat_with_chips(self) -> None:
        with pytest.raises(SettingError, match="button is at seat 2, which has no chips"):
            begin(stacks=[50, 50, 0], button=2)

    def test_a_deal_has_two_cards_a_seat_and_five_for_the_board(self) -> None:
        with pytest.raises(CardError, match=r"shape \(10,\); 3 seats need \(11,\)"):
            begin(deal=range(10))

    def test_a_deal_has_no_card_twice(self) -> None:
        with pytest.raises(CardError, match="twice"):
            begin(deal=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0])

    @pytest.mark.parametrize("card", [-1, 52])
    def test_a_deal_has_cards_of_the_deck(self, card: int) -> None:
        with pytest.raises(CardError, match=f"{card} is not a card"):
            begin(deal=[*range(10), card])


class TestStructures:
    @pytest.mark.parametrize(
        ("small", "big", "message"),
        [
            (3, 2, "blinds are 3/2"),
            (0, 0, "blinds are 0/0"),
            (-1, 2, "small_blind is -1"),
            (0.5, 1, "small_blind is 0.5; it must be an integer"),
        ],
    )
    def test_blinds_that_cannot_be(self, small: Any, big: Any, message: str) -> None:
        with pytest.raises(SettingError, match=message):
            no_limit(small, big)

    def test_bets_grow_from_blind_to_small_to_big(self) -> None:
        with pytest.raises(SettingError, match="bets are 4/2 with a big blind of 4"):
            limit(4, 2)
        with pytest.raises(SettingError, match="bets are 4/8 with a big blind of 5"):
            limit(4, big_blind=5)

    @pytest.mark.parametrize("cap", [0, -1, 2.0, True])
    def test_the_cap_is_a_number_of_bets(self, cap: Any) -> None:
        with pytest.raises(SettingError, match="cap is"):
            limit(2, cap=cap)

    def test_the_ante_is_a_number_of_chips(self) -> None:
        with pytest.raises(SettingError, match="ante is -1"):
            no_limit(1, 2, ante=-1)

    def test_unlimited_heads_up_is_yes_or_no(self) -> None:
        with pytest.raises(SettingError, match="unlimited_heads_up is 2"):
            limit(2, unlimited_heads_up=2)  # type: ignore[arg-type]

    def test_there_are_two_kinds(self) -> None:
        with pytest.raises(UnknownNameError, match=r"no kind of betting 'no limit'.*no-limit"):
            Structure(kind="no limit", small_blind=1, big_blind=2, small_bet=2, big_bet=2)

    def test_an_odd_small_bet_has_a_small_blind_rounded_down(self) -> None:
        assert (limit(5).small_blind, limit(5).big_blind, limit(5).big_bet) == (2, 5, 10)


def test_all_are_errors_of_pokerlab() -> None:
    assert issubclass(IllegalActionError, PokerlabError)
