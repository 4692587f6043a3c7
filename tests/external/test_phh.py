"""pokerkit reads the hands written in the PHH format, and ends with the same chips."""

import random
from itertools import pairwise

import pytest

pytest.importorskip("pokerkit")

from pokerkit import HandHistory

from pokerlab.holdem.actions import CALL
from pokerlab.holdem.betting import Hand, limit, no_limit
from pokerlab.holdem.history import phh, phhs
from pokerlab.holdem.pots import winners
from tests.random_hands import played_out

pytestmark = pytest.mark.external

STRUCTURES = [no_limit(1, 2), no_limit(5, 10, ante=1), limit(4), limit(10)]
NUM_HANDS = 600
FEWEST_ALIKE = 400
"""Of those; in most of the others a short all-in counts as a bet in pokerkit."""


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


def test_pokerkit_reads_random_hands_and_pays_the_same() -> None:
    luck = random.Random(5)
    alike = 0
    for number in range(NUM_HANDS):
        hands = played_out(luck, random_table(luck, number))
        hand = hands[-1]
        if has_short_raise(hands):
            continue
        history = HandHistory.loads(phh(hand))
        *_, state = history
        theirs, ours = list(state.stacks), history.finishing_stacks
        assert sum(theirs) == sum(ours)
        if theirs != ours:
            # Its odd chips go elsewhere; nothing else may differ.
            shared = [pot for pot in hand.pots if len(winners(pot, hand.strengths)) > 1]
            assert shared
            assert sum(abs(a - b) for a, b in zip(theirs, ours, strict=True)) <= 2 * hand.num_seats
        alike += theirs == ours
    assert alike >= FEWEST_ALIKE


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
