"""Laws of a hand of hold'em, on random tables with random legal actions."""

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from pokerlab.holdem.hand import CALL, FOLD, Hand, Structure, limit
from tests.random_hands import played_out, random_hand, random_structure

NUM_HANDS = 400

each_kind = pytest.mark.parametrize("kind", ["no-limit", "limit", "heads-up without a cap"])


def structures(luck: random.Random, kind: str) -> Structure:
    if kind in ("no-limit", "limit"):
        return random_structure(luck, kind)
    return limit(luck.choice([2, 5]), cap=luck.choice([1, 4]), unlimited_heads_up=True)


@cache
def random_hands(kind: str) -> list[list[Hand]]:
    """Return played hands, each as all its moments: the same for every law."""
    luck = random.Random(f"{kind} betting")
    return [
        played_out(luck, random_hand(luck, structures(luck, kind), number))
        for number in range(NUM_HANDS)
    ]


def replayed(hand: Hand, stacks: list[int], button: int, deal: list[int]) -> Hand:
    """Return the hand that begins so and has the same actions as `hand`."""
    again = Hand.begin(hand.structure, stacks, button, deal, number=hand.number)
    for action in hand.actions:
        again = again.after(action)
    return again


@each_kind
def test_chips_are_conserved_to_the_last(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands:
            total = sum(hand.starting_stacks)
            gathered = sum(pot.chips for pot in hand.pots)
            assert sum(hand.stacks) + sum(hand.paid) == total
            assert sum(hand.stacks) + sum(hand.bets) + gathered + sum(hand.uncalled) == total
            assert min(*hand.stacks, *hand.bets, *hand.paid) >= 0
        over = hands[-1]
        assert over.payoffs.sum() == 0
        assert (over.payoffs >= -np.array(over.starting_stacks)).all()


@each_kind
def test_only_seats_with_chips_that_are_still_in_are_asked(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            assert hand.actor in hand.able
            assert len(hand.live) > 1


@each_kind
def test_a_round_ends_when_all_who_can_have_matched_the_bet(kind: str) -> None:
    for hands in random_hands(kind):
        for before, after in pairwise(hands):
            if after.street == before.street or after.is_over:
                continue
            seat, action = before.actor, after.actions[-1]
            put_in = [paid - was for paid, was in zip(after.paid, before.paid, strict=True)]
            bets = [bet + more for bet, more in zip(before.bets, put_in, strict=True)]
            assert {bets[other] for other in after.able} == {max(before.bet, action)}
            assert after.folded[seat] == (action == FOLD)


@each_kind
def test_a_seat_acts_once_a_round_unless_the_bet_has_grown(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            assert hand.answered[hand.actor] < hand.bet


@each_kind
def test_raises_are_within_what_is_legal_and_grow(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            legal, all_in = hand.legal, hand.bets[hand.actor] + hand.stacks[hand.actor]
            assert legal.to_call <= hand.stacks[hand.actor]
            assert hand.is_legal(CALL)
            assert hand.is_legal(FOLD) == (legal.to_call > 0)
            if legal.can_raise:
                assert hand.bet < legal.min_raise_to <= legal.max_raise_to <= all_in
                assert hand.is_legal(legal.min_raise_to)
                assert hand.is_legal(legal.max_raise_to)
                assert not hand.is_legal(legal.max_raise_to + 1)
                assert legal.min_raise_to == 1 or not hand.is_legal(legal.min_raise_to - 1)
            else:
                assert not hand.is_legal(all_in) or all_in == CALL


@pytest.mark.parametrize("cap", [1, 2, 4])
def test_no_round_has_more_full_bets_than_the_cap(cap: int) -> None:
    luck = random.Random(cap)
    for _ in range(NUM_HANDS):
        for hand in played_out(luck, random_hand(luck, limit(2, cap=cap))):
            assert hand.num_bets <= cap


@each_kind
def test_seats_may_be_numbered_from_any_of_them(kind: str) -> None:
    luck = random.Random(1)
    for hands in random_hands(kind):
        over = hands[-1]
        n = over.num_seats
        shift = luck.randrange(n)
        seats = [(seat + shift) % n for seat in range(n)]
        stacks = [over.starting_stacks[seat] for seat in seats]
        holes = [card for seat in seats for card in over.deal[2 * seat : 2 * seat + 2]]
        board = over.deal[2 * n :]
        again = replayed(over, stacks, (over.button - shift) % n, [*holes, *board])
        assert again.payoffs.tolist() == [over.payoffs[seat] for seat in seats]
        assert again.strengths == tuple(over.strengths[seat] for seat in seats)


@each_kind
def test_empty_seats_change_nothing(kind: str) -> None:
    for hands in random_hands(kind):
        over = hands[-1]
        seats = [seat for seat in range(over.num_seats) if over.starting_stacks[seat]]
        stacks = [over.starting_stacks[seat] for seat in seats]
        holes = [card for seat in seats for card in over.deal[2 * seat : 2 * seat + 2]]
        board = over.deal[2 * over.num_seats :]
        again = replayed(over, stacks, seats.index(over.button), [*holes, *board])
        assert again.payoffs.tolist() == [over.payoffs[seat] for seat in seats]
