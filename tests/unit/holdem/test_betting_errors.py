"""What cannot be at a table is refused: the error names hand, seat, and what is legal."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CardError, GameError, IllegalActionError, SettingError, UnknownNameError
from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, Structure, limit, no_limit
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)


def begin(**changes: Any) -> Hand:
    given: dict[str, Any] = {"stacks": [50, 50, 50], "button": 0, "deal": range(11), "number": 17}
    return Hand.begin(ONE_TWO, **(given | changes))


def over() -> Hand:
    return begin().after(FOLD).after(FOLD)


def short_all_in() -> Hand:
    return after(start(ONE_TWO, [100, 15, 100, 100]), "3:10 0:call 1:15 2:call")


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: begin().after(10).after(12),
        IllegalActionError,
        r"hand 17, preflop, seat 1: a bet or raise to 12 is below the minimum 18\."
        r" Legal: fold \(-1\), call 9 \(0\), raise to 18 to 50\.$",
    ),
    (
        lambda: after(start(ONE_TWO, [50, 40]), "call check").after(39),
        IllegalActionError,
        r"flop, seat 1: .* to 39 is above .* 38\. Legal: check \(0\), bet or raise to 2 to 38\.$",
    ),
    (
        lambda: start(limit(2), [50, 50]).after(6),
        IllegalActionError,
        r"Legal: fold \(-1\), call 1 \(0\), raise to 4\.",
    ),
    (
        lambda: short_all_in().after(23),
        IllegalActionError,
        "seat 3: no bet or raise is allowed, so none",
    ),
    (
        lambda: after(start(ONE_TWO, [50, 50]), "call").after(FOLD),
        IllegalActionError,
        "seat 1: nothing is owed",
    ),
    *(
        (
            lambda action=action: begin().after(action),  # type: ignore[misc]
            IllegalActionError,
            "hand 17, preflop, seat 0: .* is not an action",
        )
        for action in (float("nan"), 4.0, np.float64(4), True, None, "call", -2)
    ),
    (lambda: over().after(CALL), IllegalActionError, "hand 17 is over"),
    (lambda: begin().payoffs, GameError, "hand 17 is not over: seat 0 is to act"),
    (lambda: begin().strengths, GameError, "not over"),
    *(
        (lambda stacks=stacks: begin(stacks=stacks), SettingError, words)  # type: ignore[misc]
        for stacks, words in (
            ([50], "given for 1 seats; a table has 2 to 10"),
            ([50] * 11, "given for 11 seats; a table has 2 to 10"),
            ([50, -1, 50], "the stack of seat 1 is -1; it must be an integer from 0"),
            ([50, 2.5, 50], "the stack of seat 1 is 2.5; it must be an integer"),
            ([50, float("nan"), 50], "the stack of seat 1 is nan"),
            ([50, 10**16, 50], "the stack of seat 1 is 10000000000000000"),
            ([50, 0, 0], "a hand needs two seats with chips"),
        )
    ),
    (lambda: begin(number=-1), SettingError, "number is -1; it must be an integer"),
    (lambda: begin(number="one"), SettingError, "number is 'one'; it must be an integer"),
    (lambda: begin(number=True), SettingError, "number is True; it must be an integer"),
    (lambda: begin(button=-1), SettingError, "button is -1; it must be an integer from 0 to 2"),
    (lambda: begin(button=3), SettingError, "button is 3; it must be an integer from 0 to 2"),
    (
        lambda: begin(stacks=[50, 50, 0], button=2),
        SettingError,
        "button is at seat 2, which has no chips",
    ),
    (lambda: begin(deal=range(10)), CardError, r"shape \(10,\); 3 seats need \(11,\)"),
    (lambda: begin(deal=[*range(10), 0]), CardError, "twice"),
    (lambda: begin(deal=[*range(10), -1]), CardError, "-1 is not a card"),
    (lambda: begin(deal=[*range(10), 52]), CardError, "52 is not a card"),
    (lambda: no_limit(3, 2), SettingError, "blinds are 3/2"),
    (lambda: no_limit(0, 0), SettingError, "blinds are 0/0"),
    (lambda: no_limit(-1, 2), SettingError, "small_blind is -1"),
    (lambda: no_limit(0.5, 1), SettingError, "small_blind is 0.5; it must be an integer"),  # type: ignore[arg-type]
    (lambda: no_limit(1, 2, ante=-1), SettingError, "ante is -1"),
    (lambda: limit(4, 2), SettingError, "bets are 4/2 with a big blind of 4"),
    (lambda: limit(4, big_blind=5), SettingError, "bets are 4/8 with a big blind of 5"),
    *(
        (lambda cap=cap: limit(2, cap=cap), SettingError, "cap is")  # type: ignore[misc]
        for cap in (0, -1, 2.0, True)
    ),
    (lambda: limit(2, unlimited_heads_up=2), SettingError, "unlimited_heads_up is 2"),  # type: ignore[arg-type]
    (
        lambda: Structure(kind="no limit", small_blind=1, big_blind=2, small_bet=2, big_bet=2),
        UnknownNameError,
        "no kind of betting 'no limit'.*no-limit",
    ),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_cannot_be_is_refused(number: int) -> None:
    call, error, words = REFUSED[number]
    with pytest.raises(error, match=words):
        call()


def test_can_says_so_and_changes_nothing() -> None:
    hand = begin()
    assert not hand.can(3)
    assert hand == begin()
    assert not over().can(CALL)
    assert not after(start(ONE_TWO, [50, 50]), "call").can(FOLD)


def test_integers_of_numpy_are_integers() -> None:
    assert begin().after(np.int64(10)).actions == (10,)


def test_an_odd_small_bet_has_a_small_blind_rounded_down() -> None:
    assert (limit(5).small_blind, limit(5).big_blind, limit(5).big_bet) == (2, 5, 10)
