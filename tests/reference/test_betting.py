"""Random hands of hold'em: the compiled engine plays them as `Hand` does, tables as plain loops over `Hand`.

`Hand` is the slow definition of the rules of betting. Its cases worked out by hand are in `unit/holdem/test_betting*`,
and `external/test_pokerkit.py` compares it with another program. Laws of betting are checked on the same random hands.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pokerlab.core.arrays import Ints
from pokerlab.core.compiler import kernel
from pokerlab.holdem import betting_engine as engine
from pokerlab.holdem.betting_structure import MOST_CHIPS, Structure, limit, no_limit
from pokerlab.holdem.cards import Cards
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.players import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, RANDOM, Player
from tests.at_tables import cash
from tests.oracles import table as plain_table
from tests.random_hands import played_out, random_hand, random_structure

NUM_HANDS = {
    "no-limit": 1000,
    "limit": 1000,
    "limit, heads-up without a cap": 400,
    "no-limit, house rules": 400,
    "limit, house rules": 400,
    "no-limit, ante from the big blind": 600,
    "limit, ante from the big blind": 400,
}
"""Random hands by the kind of their betting; house rules are free folds, and caps that a fold lifts."""
TRIED = (-5, -2, -1, 0, 1, 2, 3, 5, 9, 20, 60, 10**12)
"""Actions that are legal or not, before each action of some hands."""
NUM_TRIED = 60
"""Of so many hands of each kind."""

each_kind = pytest.mark.parametrize("kind", NUM_HANDS)


def draw_structure(luck: random.Random, kind: str) -> Structure:
    name, _, special = kind.partition(", ")
    if special == "heads-up without a cap":
        return limit(luck.choice([2, 5]), cap=luck.choice([1, 4]), unlimited_heads_up=True)
    structure = random_structure(luck, name)
    if special == "ante from the big blind":
        return replace(structure, ante=luck.choice([1, 3, 10, 40]), ante_payer="big blind")
    if special:
        return replace(
            structure,
            cap=luck.choice([1, 2, 3]),
            unlimited_heads_up=True,
            unlimited_after_folds=luck.random() < 0.7,
            free_folds=luck.random() < 0.7,
        )
    return structure


@cache
def random_hands(kind: str) -> list[list[Hand]]:
    """Return played hands, each as all its moments: the same for the engine and for every law."""
    luck = random.Random(f"{kind} betting")
    return [
        played_out(luck, random_hand(luck, draw_structure(luck, kind), number))
        for number in range(NUM_HANDS[kind])
    ]


@kernel
def begin(words: Ints, button: int) -> None:
    engine.begin_hand(words, button)


@kernel
def legal(words: Ints) -> engine.Choices:
    return engine.find_legal_actions(words)


@kernel
def act(words: Ints, action: int) -> None:
    engine.apply_action(words, action)


@kernel
def is_legal(words: Ints, action: int) -> bool:
    return engine.is_legal_action(engine.find_legal_actions(words), action)


@kernel
def pay_out(words: Ints, deal: Cards, out_payoffs: Ints) -> None:
    engine.fill_hand_payoffs(words, deal, out_payoffs)


def begun(hand: Hand) -> Ints:
    """Return the engine's words for the beginning of a hand, with rubbish where nothing is set."""
    words = np.full(engine.NUM_WORDS, -77, np.int64)
    words[: engine.SEATS] = engine.encode_structure(hand.structure)
    words[engine.SEATS] = hand.num_seats
    stacks = engine.STARTING_STACKS
    words[stacks : stacks + hand.num_seats] = hand.starting_stacks
    begin(words, hand.button)
    return words


def paid_out(words: Ints, hand: Hand) -> list[int]:
    """Return the engine's payoffs of a hand that is over."""
    payoffs = np.full(hand.num_seats, -77, np.int64)
    pay_out(words, np.array(hand.deal, np.uint8), payoffs)
    return payoffs.tolist()


def seats_of(number: int, num_seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(num_seats) if number >> seat & 1)


def state_of(words: Ints) -> tuple[object, ...]:
    """Return what both machines know of a hand that goes on."""
    n = int(words[engine.SEATS])
    rows = [tuple(words[at : at + n].tolist()) for at in (engine.STACKS, engine.BETS)]
    scalars = (engine.STREET, engine.ACTOR, engine.BET, engine.FULL_RAISE, engine.NUM_BETS)
    sets = tuple(seats_of(int(words[at]), n) for at in (engine.LIVE, engine.ABLE, engine.CHECKED))
    answered = words[engine.ANSWERED_BETS : engine.ANSWERED_BETS + n]
    since = tuple(None if a == engine.NO_BET_ANSWERED else int(a) for a in answered)
    numbers = tuple(int(words[at]) for at in scalars)
    return (*numbers, bool(words[engine.CAPPED]), *rows, *sets, since)


def same_of(hand: Hand) -> tuple[object, ...]:
    """Return the same of a `Hand`."""
    since = tuple(None if a < 0 else a for a in hand.answered_bets)
    numbers = (
        hand.street,
        hand.actor,
        hand.bet,
        hand.full_raise,
        hand.num_bets,
        hand.is_cap_reached,
    )
    checked = tuple(seat for seat, has in enumerate(hand.checked) if has)
    return (
        *numbers,
        hand.stacks,
        hand.bets,
        hand.live_seats,
        hand.seats_able_to_act,
        checked,
        since,
    )


def choices_of(words: Ints) -> tuple[object, ...]:
    choices = legal(words)
    raises = choices.min_raise_to or None, choices.max_raise_to or None
    return (choices.can_fold, choices.to_call, *raises)


@each_kind
def test_engine_on_random_hands_equals_hand(kind: str) -> None:
    for hands in random_hands(kind):
        words = begun(hands[0])
        for hand, after in pairwise(hands):
            rules = hand.legal_actions
            assert state_of(words) == same_of(hand)
            assert choices_of(words) == (
                *(rules.can_fold, rules.to_call),
                *(rules.min_raise_to, rules.max_raise_to),
            )
            act(words, after.actions[-1])
        over = hands[-1]
        assert words[engine.ACTOR] == engine.NOBODY
        assert words[engine.STREET] == over.street
        assert seats_of(int(words[engine.LIVE]), over.num_seats) == over.live_seats
        assert paid_out(words, over) == over.payoffs.tolist()
        if len(over.live_seats) > 1:
            shown = words[engine.SHOWN_STRENGTHS : engine.SHOWN_STRENGTHS + over.num_seats]
            assert tuple(shown.tolist()) == over.strengths


@each_kind
def test_engine_is_legal_equals_that_of_hand(kind: str) -> None:
    for hands in random_hands(kind)[:NUM_TRIED]:
        words = begun(hands[0])
        for hand, after in pairwise(hands):
            for action in TRIED:
                assert is_legal(words, action) == hand.is_legal(action)
            act(words, after.actions[-1])


def test_engine_with_largest_pots_does_not_overflow() -> None:
    hand = Hand.begin(no_limit(1, 2), [MOST_CHIPS] * 10, 0, range(25))
    words = begun(hand)
    for action in (MOST_CHIPS, *[CALL] * 9):
        hand = hand.after(action)
        act(words, action)
    assert paid_out(words, hand) == hand.payoffs.tolist()


@each_kind
def test_hand_at_every_action_conserves_chips(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands:
            total = sum(hand.starting_stacks)
            gathered = sum(pot.chips for pot in hand.pots)
            assert sum(hand.stacks) + sum(hand.paid) == total
            assert sum(hand.stacks) + sum(hand.bets) + gathered + sum(hand.uncalled_chips) == total
            assert min(*hand.stacks, *hand.bets, *hand.paid) >= 0
        over = hands[-1]
        assert over.payoffs.sum() == 0
        assert (over.payoffs >= -np.array(over.starting_stacks)).all()


@each_kind
def test_hand_asks_seats_with_chips_that_are_still_in(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            assert hand.actor in hand.seats_able_to_act
            assert len(hand.live_seats) > 1


@each_kind
def test_hand_ends_a_round_when_all_have_matched_the_bet(kind: str) -> None:
    for hands in random_hands(kind):
        for before, after in pairwise(hands):
            if after.street == before.street or after.is_over:
                continue
            seat, action = before.actor, after.actions[-1]
            put_in = [paid - was for paid, was in zip(after.paid, before.paid, strict=True)]
            bets = [bet + more for bet, more in zip(before.bets, put_in, strict=True)]
            assert {bets[other] for other in after.seats_able_to_act} == {max(before.bet, action)}
            assert after.folded[seat] == (action == FOLD)


@each_kind
def test_hand_asks_a_seat_again_only_after_a_raise(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            assert hand.answered_bets[hand.actor] < hand.bet


@each_kind
def test_hand_legal_raises_are_within_stacks_and_grow(kind: str) -> None:
    for hands in random_hands(kind):
        for hand in hands[:-1]:
            choices, all_in = hand.legal_actions, hand.bets[hand.actor] + hand.stacks[hand.actor]
            assert choices.to_call <= hand.stacks[hand.actor]
            assert hand.is_legal(CALL)
            assert hand.is_legal(FOLD) == (choices.to_call > 0 or hand.structure.free_folds)
            if choices.can_raise:
                least, most = choices.min_raise_to, choices.max_raise_to
                assert hand.bet < least <= most <= all_in
                assert hand.is_legal(least)
                assert hand.is_legal(most)
                assert not hand.is_legal(most + 1)
                assert least == 1 or not hand.is_legal(least - 1)
            else:
                assert not hand.is_legal(all_in) or all_in == CALL


def test_hand_with_a_cap_has_no_more_full_bets() -> None:
    reached = set()
    for hands in random_hands("limit"):
        cap = hands[0].structure.cap
        if cap is not None:
            most = max(hand.num_bets for hand in hands)
            assert most <= cap
            reached.add((cap, most))
    assert {(1, 1), (2, 2), (4, 4)} <= reached


def replayed(hand: Hand, seats: Sequence[int], button: int) -> Hand:
    """Return the hand with the same actions at a table that has only these seats, in this order."""
    stacks = [hand.starting_stacks[seat] for seat in seats]
    holes = [card for seat in seats for card in hand.deal[2 * seat : 2 * seat + 2]]
    deal = [*holes, *hand.deal[2 * hand.num_seats :]]
    again = Hand.begin(hand.structure, stacks, button, deal, number=hand.number)
    for action in hand.actions:
        again = again.after(action)
    return again


@each_kind
def test_hand_with_seats_renumbered_has_the_same_payoffs(kind: str) -> None:
    luck = random.Random(1)
    for *_, over in random_hands(kind)[:400]:
        n = over.num_seats
        shift = luck.randrange(n)
        seats = [(seat + shift) % n for seat in range(n)]
        again = replayed(over, seats, (over.button - shift) % n)
        assert again.payoffs.tolist() == [over.payoffs[seat] for seat in seats]
        assert again.strengths == tuple(over.strengths[seat] for seat in seats)


@each_kind
def test_hand_without_its_empty_seats_has_the_same_payoffs(kind: str) -> None:
    for *_, over in random_hands(kind)[:400]:
        seats = [seat for seat in range(over.num_seats) if over.starting_stacks[seat]]
        again = replayed(over, seats, seats.index(over.button))
        assert again.payoffs.tolist() == [over.payoffs[seat] for seat in seats]


SCRIPTS: list[tuple[Player, plain_table.Plain]] = [
    (RANDOM, plain_table.draws),
    (ALWAYS_CALL, plain_table.calls),
    (ALWAYS_RAISE, plain_table.raises),
    (ALWAYS_FOLD, plain_table.folds),
]
STRUCTURES = [
    no_limit(1, 2),
    no_limit(5, 10, ante=1),
    limit(4, big_blind=2),
    limit(10, cap=2, unlimited_heads_up=True),
    no_limit(1, 2, free_folds=True),
    no_limit(5, 10, ante=10, ante_payer="big blind"),
]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("num_players", [2, 3, 6, 10])
@pytest.mark.parametrize("duplicates", [False, True])
@pytest.mark.parametrize("carried", [False, True])
def test_table_plays_as_loop_over_hands(
    structure: Structure, num_players: int, duplicates: bool, carried: bool
) -> None:
    order = (0, 1, 2) if num_players < 6 else (0, 0, 1, 0, 2, 0, 0, 0, 1, 0)
    players, plain = zip(*(SCRIPTS[k] for k in order[:num_players]), strict=True)
    rotations = num_players if duplicates else 1
    given: Any = {"num_deals": 120 // (num_players * rotations) + 5, "seed": 5, "stacks": 90}
    played = cash(structure, players, duplicates=duplicates, stacks_carried=carried, **given)
    expected = plain_table.cash(structure, plain, rotations=rotations, carried=carried, **given)
    assert played.chips.reshape(-1, num_players).tolist() == list(expected)
    fresh = cash(structure, players, duplicates=duplicates, **given)
    assert (played.chips != fresh.chips).any() == carried
