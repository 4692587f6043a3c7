"""pokerkit reads the hands written in the PHH format, and ends with the same chips."""

import random
from collections import Counter
from itertools import pairwise

import pytest

pytest.importorskip("pokerkit")

from pokerkit import HandHistory

from pokerlab.holdem.actions import CALL, FOLD
from pokerlab.holdem.betting import Hand, limit, no_limit
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.phh_format import phh, phhs
from pokerlab.holdem.pots import winners
from tests.random_hands import played_out, random_hand

pytestmark = [
    pytest.mark.external,
    # It takes a call of a short big blind for free, and warns who folds all the same.
    pytest.mark.filterwarnings("ignore:There is no reason for this player to fold"),
]

STRUCTURES = [no_limit(1, 2), no_limit(5, 10, ante=1), limit(4), limit(10)]
FEWEST_ALIKE = 0.9
"""Of all hands; the others are refused for a short all-in, or have other odd chips."""
NUM_SHORT_BLINDS = 150


def random_table(luck: random.Random, number: int) -> Hand:
    """Begin a hand in which nobody is too short for ante and blind."""
    num_seats = luck.randint(2, 10)
    structure = luck.choice(STRUCTURES)
    least = structure.big_blind + structure.ante
    stacks = [luck.randint(least, 40 * structure.big_blind) for _ in range(num_seats)]
    stacks = [0 if seat > 1 and luck.random() < 0.1 else stacks[seat] for seat in range(num_seats)]
    deal = luck.sample(range(52), 2 * num_seats + 5)
    return Hand.begin(structure, stacks, luck.randrange(2), deal, number=number)


def has_short_raise(hands: list[Hand]) -> bool:
    """Return whether somebody was all-in for less than a full raise."""
    return any(
        before.street == after.street
        and before.bet < after.bet
        and after.bet - before.bet < before.full_raise
        for before, after in pairwise(hands)
    )


def read(hand: Hand) -> str:
    """Return what pokerkit makes of a hand: 'alike', other 'odd chips', 'another', or 'refused'."""
    try:
        history = HandHistory.loads(phh(hand))
        *_, state = history
    except ValueError:
        return "refused"
    theirs, ours = list(state.stacks), history.finishing_stacks
    assert sum(theirs) == sum(ours)
    if theirs == ours:
        return "alike"
    is_shared = any(len(winners(pot, hand.strengths)) > 1 for pot in hand.pots)
    few = sum(abs(a - b) for a, b in zip(theirs, ours, strict=True)) <= 2 * hand.num_seats
    return "odd chips" if is_shared and few else "another"


def ended(hand: Hand) -> Hand:
    """Return the hand when all have called and checked to its end."""
    while not hand.is_over:
        hand = hand.after(CALL)
    return hand


@pytest.mark.timeout(900)
@pytest.mark.parametrize("num_hands", [120, pytest.param(2_000, marks=pytest.mark.slow)])
def test_pokerkit_reads_random_hands_and_pays_the_same(num_hands: int) -> None:
    luck = random.Random(5)
    found: Counter[str] = Counter()
    for number in range(num_hands):
        hands = played_out(luck, random_table(luck, number))
        answer = read(hands[-1])
        assert answer in ("alike", "odd chips") or (answer == "refused" and has_short_raise(hands))
        found[answer] += 1
    assert found["alike"] >= FEWEST_ALIKE * num_hands


def test_pokerkit_refuses_a_bet_beyond_a_cap_that_a_short_all_in_has_reached() -> None:
    hand = Hand.begin(limit(10), [200, 14, 200], 0, range(11))
    for action in (CALL, CALL, CALL, 4, 14, 24, 34):
        hand = hand.after(action)
    assert read(ended(hand)) == "alike"
    assert read(ended(hand.after(44))) == "refused"


@pytest.mark.parametrize(
    ("actions", "answer"),
    [
        # Nobody has to know what a call costs.
        ((FOLD,), "alike"),
        # A call costs 2; pokerkit takes 1.
        ((CALL, CALL, *[CALL] * 6), "another"),
        # The smallest raise is to 4; to 3 there.
        ((4, FOLD), "alike"),
    ],
)
def test_pokerkit_reads_a_call_of_a_short_big_blind_as_a_smaller_one(
    actions: tuple[int, ...], answer: str
) -> None:
    hand = Hand.begin(
        no_limit(1, 2), [50, 50, 1], 0, parse_cards("As Ad Ks Kd 7c 2d 3c 4d 8h 9s Jc")
    )
    for action in actions:
        hand = hand.after(action)
    assert hand.is_over
    assert read(hand) == answer


def test_pokerkit_may_refuse_or_misread_hands_with_a_short_big_blind() -> None:
    luck = random.Random(7)
    found: Counter[str] = Counter()
    while found.total() < NUM_SHORT_BLINDS:
        begun = random_hand(luck, luck.choice(STRUCTURES))
        if max(begun.bets) < begun.bet:
            found[read(played_out(luck, begun)[-1])] += 1
    assert set(found) >= {"alike", "another", "refused"}


def test_pokerkit_reads_files_of_many_hands() -> None:
    luck = random.Random(6)
    structure = no_limit(1, 2)
    hands = [
        Hand.begin(structure, [100, 100], number % 2, luck.sample(range(52), 9))
        .after(CALL)
        .after(CALL)
        for number in range(5)
    ]
    read = list(HandHistory.loads_all(phhs(hands, ["Ann", "Bob"])))
    assert [history.players for history in read] == [["Bob", "Ann"], ["Ann", "Bob"]] * 2 + [
        ["Bob", "Ann"]
    ]
