"""What cannot be at a table is refused: the error names hand, seat, and what is legal."""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from pokerlab.core import CardError, GameError, IllegalActionError, UnknownNameError
from pokerlab.holdem.betting_structure import Structure, limit, no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand
from tests.refusals import refused
from tests.unit.holdem.hands import after, start

ONE_TWO = no_limit(1, 2)


def begin(**changes: Any) -> Hand:
    given: dict[str, Any] = {"stacks": [50, 50, 50], "button": 0, "deal": range(11), "number": 17}
    return Hand.begin(ONE_TWO, **(given | changes))


def over() -> Hand:
    return begin().after(FOLD).after(FOLD)


def limped() -> Hand:
    return after(start(ONE_TWO, [50, 50]), "call")


def short_all_in() -> Hand:
    return after(start(ONE_TWO, [100, 15, 100, 100]), "3:10 0:call 1:15 2:call")


def begun(**changes: Any) -> Callable[[], Hand]:
    return lambda: begin(**changes)


def changed(**options: Any) -> Callable[[], Structure]:
    return lambda: replace(limit(2), **options)


def bets(*amounts: Any) -> Callable[[], Hand]:
    """Return what plays these actions in the hand that begins."""
    return lambda: reduce(Hand.after, amounts, begin())


test_what_cannot_be_is_refused = refused(
    (
        bets(10, 12),
        IllegalActionError,
        "hand 17, preflop, seat 1: a bet or raise to 12 is below the minimum 18."
        " Legal: fold (-1), call 9 (0), raise to 18 to 50.",
    ),
    (
        lambda: after(start(ONE_TWO, [50, 40]), "call check").after(39),
        IllegalActionError,
        "flop, seat 1: a bet or raise to 39 is above the maximum 38."
        " Legal: check (0), bet or raise to 2 to 38.",
    ),
    (lambda: start(limit(2), [50, 50]).after(6), IllegalActionError, "call 1 (0), raise to 4."),
    (lambda: short_all_in().after(23), IllegalActionError, "seat 3: no bet or raise is allowed"),
    (lambda: limped().after(FOLD), IllegalActionError, "seat 1: nothing is owed"),
    *(
        (bets(action), IllegalActionError, f"hand 17, preflop, seat 0: {action!r} is not an action")
        for action in (float("nan"), 4.0, np.float64(4), True, None, "call", -2)
    ),
    (bets(FOLD, FOLD, CALL), IllegalActionError, "hand 17 is over"),
    (lambda: begin().payoffs, GameError, "hand 17 is not over: seat 0 is to act"),
    (lambda: begin().strengths, GameError, "not over"),
    (begun(stacks=[50]), "given for 1 seats; a table has 2 to 10"),
    (begun(stacks=[50] * 11), "given for 11 seats; a table has 2 to 10"),
    (begun(stacks=[50, -1, 50]), "the stack of seat 1 is -1; it must be an integer from 0"),
    (begun(stacks=[50, 2.5, 50]), "the stack of seat 1 is 2.5; it must be an integer"),
    (begun(stacks=[50, float("nan"), 50]), "the stack of seat 1 is nan"),
    (begun(stacks=[50, 10**16, 50]), "the stack of seat 1 is 10000000000000000"),
    (begun(stacks=[50, 0, 0]), "a hand needs two seats with chips"),
    (begun(number=-1), "number is -1; it must be an integer"),
    (begun(number="one"), "number is 'one'; it must be an integer"),
    (begun(number=True), "number is True; it must be an integer"),
    (begun(button=-1), "button is -1; it must be an integer from 0 to 2"),
    (begun(button=3), "button is 3; it must be an integer from 0 to 2"),
    (begun(stacks=[50, 50, 0], button=2), "button is at seat 2, which has no chips"),
    (begun(deal=range(10)), CardError, "shape (10,); 3 seats need (11,)"),
    (begun(deal=[*range(10), 0]), CardError, "twice"),
    (begun(deal=[*range(10), -1]), CardError, "-1 is not a card"),
    (begun(deal=[*range(10), 52]), CardError, "52 is not a card"),
    (lambda: no_limit(3, 2), "blinds are 3/2"),
    (lambda: no_limit(0, 0), "blinds are 0/0"),
    (lambda: no_limit(-1, 2), "small_blind is -1"),
    (lambda: no_limit(0.5, 1), "small_blind is 0.5; it must be an integer"),  # type: ignore[arg-type]
    (lambda: no_limit(1, 2, ante=-1), "ante is -1"),
    (
        lambda: no_limit(1, 2, ante=1, ante_payer="everybody"),
        UnknownNameError,
        "each player, big blind",
    ),
    (lambda: limit(2, ante=1, ante_payer="button"), UnknownNameError, "payer of antes"),
    (lambda: limit(4, 2), "bets are 4/2 with a big blind of 4"),
    (lambda: limit(4, big_blind=5), "bets are 4/8 with a big blind of 5"),
    *((lambda cap=cap: limit(2, cap=cap), "cap is") for cap in (0, -1, 2.0, True)),  # type: ignore[misc]
    (changed(unlimited_after_folds=True), "needs a cap, and unlimited_heads_up=True"),
    (changed(unlimited_after_folds=True, unlimited_heads_up=True, cap=None), "cap=None"),
    (changed(unlimited_after_folds=1), "unlimited_after_folds is 1; it must be True or False"),
    (changed(free_folds="yes"), "free_folds is 'yes'; it must be True or False"),
    (lambda: limit(2, unlimited_heads_up=2), "unlimited_heads_up is 2"),  # type: ignore[arg-type]
    (
        lambda: Structure(kind="no limit", small_blind=1, big_blind=2, small_bet=2, big_bet=2),
        UnknownNameError,
        "no kind of betting 'no limit'; there are: limit, no-limit",
    ),
)


def test_can_with_illegal_action_returns_false() -> None:
    hand = begin()
    assert not hand.is_legal(3)
    assert hand == begin()
    assert not over().is_legal(CALL)
    assert not limped().is_legal(FOLD)


def test_integers_of_numpy_are_integers() -> None:
    assert begin().after(np.int64(10)).actions == (10,)


def test_an_odd_small_bet_has_a_small_blind_rounded_down() -> None:
    assert (limit(5).small_blind, limit(5).big_blind, limit(5).big_bet) == (2, 5, 10)
