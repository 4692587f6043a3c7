"""The compiled engine is the state machine of `Hand`, word for word, hand for hand."""

import random
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.core.arrays import Ints
from pokerlab.core.compiler import kernel
from pokerlab.holdem import betting_engine, players
from pokerlab.holdem.betting_engine import (
    NUM_WORDS,
    SEATS,
    STARTING_STACKS,
    Choices,
    encode_structure,
)
from pokerlab.holdem.cards import Cards
from pokerlab.holdem.hand import CALL, FOLD, MOST_CHIPS, Hand, limit, no_limit
from tests.random_hands import random_action, random_hand, random_structure

NUM_HANDS = 10_000
"""In all; a hand takes half a millisecond or more, nearly all of it in `Hand`."""


@kernel
def begin(words: Ints, button: int) -> None:
    betting_engine.begin_hand(words, button)


@kernel
def legal(words: Ints) -> Choices:
    return betting_engine.find_choices(words)


@kernel
def act(words: Ints, action: int) -> None:
    betting_engine.apply_action(words, action)


@kernel
def is_legal(words: Ints, action: int) -> bool:
    return betting_engine.is_legal(betting_engine.find_choices(words), action)


@kernel
def pay_out(words: Ints, deal: Cards, out_payoffs: Ints) -> None:
    betting_engine.pay_hand(words, deal, out_payoffs)


def begun(hand: Hand) -> Ints:
    """Return the engine's words for the beginning of a hand, with rubbish where nothing is set."""
    words = np.full(NUM_WORDS, -77, np.int64)
    words[:SEATS] = encode_structure(hand.structure)
    words[SEATS] = hand.num_seats
    words[STARTING_STACKS : STARTING_STACKS + hand.num_seats] = hand.starting_stacks
    begin(words, hand.button)
    return words


def seats_of(number: int, num_seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(num_seats) if number >> seat & 1)


def state_of(words: Ints) -> tuple[object, ...]:
    """Return what both machines know of a hand that goes on."""
    n = int(words[SEATS])
    rows = [
        tuple(words[start : start + n].tolist())
        for start in (betting_engine.STACKS, betting_engine.BETS)
    ]
    scalars = (
        betting_engine.STREET,
        betting_engine.ACTOR,
        betting_engine.BET,
        betting_engine.FULL_RAISE,
        betting_engine.NUM_BETS,
    )
    sets = tuple(
        seats_of(int(words[at]), n)
        for at in (betting_engine.LIVE, betting_engine.ABLE, betting_engine.CHECKED)
    )
    answered = words[betting_engine.ANSWERED_BETS : betting_engine.ANSWERED_BETS + n]
    since = tuple(None if a == betting_engine.NOT_ANSWERED else int(a) for a in answered)
    numbers = tuple(int(words[at]) for at in scalars)
    return (*numbers, bool(words[betting_engine.CAPPED]), *rows, *sets, since)


def same_of(hand: Hand) -> tuple[object, ...]:
    """Return the same of a `Hand`."""
    since = tuple(None if a < 0 else a for a in hand.answered)
    numbers = (hand.street, hand.actor, hand.bet, hand.full_raise, hand.num_bets, hand.capped)
    checked = tuple(seat for seat, has in enumerate(hand.checked) if has)
    return (*numbers, hand.stacks, hand.bets, hand.live, hand.able, checked, since)


def play_both(hand: Hand, luck: random.Random) -> tuple[Hand, Ints]:
    """Play a hand to its end on both machines; compare them before every action."""
    words = begun(hand)
    while not hand.is_over:
        assert state_of(words) == same_of(hand)
        choices, rules = legal(words), hand.legal
        assert choices.to_call == rules.to_call
        assert choices.can_fold == rules.can_fold
        assert (choices.min_raise_to or None) == rules.min_raise_to
        assert (choices.max_raise_to or None) == rules.max_raise_to
        action = random_action(luck, rules)
        hand = hand.after(action)
        act(words, action)
    assert words[betting_engine.ACTOR] == betting_engine.NOBODY
    assert words[betting_engine.STREET] == hand.street
    assert seats_of(int(words[betting_engine.LIVE]), hand.num_seats) == hand.live
    payoffs = np.full(hand.num_seats, -77, np.int64)
    pay_out(words, np.array(hand.deal, np.uint8), payoffs)
    assert payoffs.tolist() == hand.payoffs.tolist()
    return hand, words


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["limit", "no-limit"])
def test_engine_plays_as_hand_does(kind: str, seed: int) -> None:
    luck = random.Random(seed)
    for number in range(NUM_HANDS // 10):
        hand, words = play_both(random_hand(luck, random_structure(luck, kind), number), luck)
        if len(hand.live) > 1:
            shown = words[
                betting_engine.SHOWN_STRENGTHS : betting_engine.SHOWN_STRENGTHS + hand.num_seats
            ]
            assert tuple(shown.tolist()) == hand.strengths


@pytest.mark.parametrize("kind", ["limit", "no-limit"])
def test_engine_plays_free_folds_and_lifted_caps_as_hand_does(kind: str) -> None:
    luck = random.Random(8)
    for number in range(NUM_HANDS // 20):
        structure = replace(
            random_structure(luck, kind),
            cap=luck.choice([1, 2, 3]),
            unlimited_heads_up=True,
            folds_lift_cap=luck.random() < 0.7,
            free_folds=luck.random() < 0.7,
        )
        play_both(random_hand(luck, structure, number), luck)


def test_is_legal_rejects_illegal_actions() -> None:
    luck = random.Random(4)
    for number in range(NUM_HANDS // 100):
        hand = random_hand(luck, random_structure(luck, "no-limit"), number)
        words = begun(hand)
        while not hand.is_over:
            for action in (-5, -2, -1, 0, 1, 2, 3, 5, 9, 20, 60, 10**12):
                assert is_legal(words, action) == hand.is_legal(action)
            action = random_action(luck, hand.legal)
            hand = hand.after(action)
            act(words, action)


def test_encode_structure_holds_every_amount() -> None:
    words = encode_structure(limit(10, 25, small_blind=3, big_blind=9, cap=3, ante=2))
    assert words.tolist() == [0, 0, 0, 3, 9, 10, 25, 3, 0, 2]
    free = no_limit(1, 2, free_folds=True)
    assert encode_structure(free).tolist() == [0, 1, 1, 1, 2, 2, 2, 0, 0, 0]


def test_the_largest_pots_do_not_overflow() -> None:
    hand = Hand.begin(no_limit(1, 2), [MOST_CHIPS] * 10, 0, range(25))
    words = begun(hand)
    for action in (MOST_CHIPS, *[CALL] * 9):
        hand = hand.after(action)
        act(words, action)
    payoffs = np.zeros(10, np.int64)
    pay_out(words, np.array(hand.deal, np.uint8), payoffs)
    assert payoffs.tolist() == hand.payoffs.tolist()


@kernel
def random_answer(can_fold: bool, least: int, most: int, draw: float) -> int:
    return players.choose_random_action(can_fold, least, most, draw)


def test_choose_random_action_divides_the_interval_equally() -> None:
    # Whatever may be done gets an equal part of [0, 1); within a raise's part, so does each amount.
    ends = [0.0, 1 / 3, 0.5, 2 / 3, 1.0]
    close = [
        float(x) for end in ends for x in (np.nextafter(end, 0.0), end, np.nextafter(end, 1.0))
    ]
    luck = random.Random(6)
    draws = [x for x in close if 0.0 <= x < 1.0] + [luck.random() for _ in range(200)]
    for can_fold, least, most in (
        *((False, 0, 0), (True, 0, 0), (False, 4, 4)),
        *((False, 4, 9), (True, 6, 6), (True, 6, 90)),
    ):
        kinds = [CALL] + [FOLD] * can_fold + ["raise"] * (least > 0)
        for draw in draws:
            place = draw * len(kinds)
            expected = kinds[int(place)]
            if expected == "raise":
                expected = least + int((place - int(place)) * (most - least + 1))
            assert random_answer(can_fold, least, most, draw) == expected
