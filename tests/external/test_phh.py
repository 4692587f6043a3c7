"""pokerkit reads the hands written in the PHH format, and those it writes are read here.

The hands that pokerkit's own tests play (those of its paper, of the World Series of Poker of 2023, of its
rules) are recorded while they are played, and replayed here.
"""

import random
import unittest
import warnings
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf
from unittest.mock import patch

import numpy as np
import pytest

pytest.importorskip("pokerkit")
pytest.importorskip("pokerkit.tests")

from pokerkit import (
    BettingStructure,
    Deck,
    FixedLimitTexasHoldem,
    HandHistory,
    NoLimitTexasHoldem,
    State,
)

from pokerlab.core.errors import FileFormatError
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.hand import Hand, limit, no_limit
from pokerlab.holdem.betting.hand_state import winners
from pokerlab.holdem.cards.cards import parse_cards
from pokerlab.holdem.histories.phh import phh, phhs, read_phh, read_phhs
from tests.random_hands import played_out, random_hand, random_house

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


PLAYED = (
    *("test_papers", "test_wsop.test_2023_43_5", "test_wsop.test_2023_54_4", "test_notation"),
    *(
        f"test_state.StateTestCase.test_{name}"
        for name in (
            *("all_ins", "can_win_now", "chips_pushing"),
            *("nonstandard_folds", "unknown_showdown"),
        )
    ),
)
UNLIMITED = 10**9
"""Chips of a player whose stack was not told."""
CANNOT_BE_READ = {
    "blinds are 80000/0": "a dead small blind",
    "a player is short of the ante": "an untrimmed ante posted short",
    "a big blind of 500": "a smallest bet below the big blind",
    "unknown at the showdown": "unknown cards at the showdown",
}
DIFFERENT = {
    "an odd chip": ([220, 185, 185, 0, 4, 178, 0], [219, 185, 185, 0, 4, 179, 0]),
    "a rake of the winner's last bets": ([82, 115], [82, 116]),
}


def is_finished_holdem(state: State) -> bool:
    """Return whether a state is that of a hand of Texas hold'em that is over."""
    return (
        hasattr(state, "status")
        and not state.status
        and state.deck == Deck.STANDARD
        and [len(street.hole_dealing_statuses) for street in state.streets] == [2, 0, 0, 0]
        and [street.board_dealing_count for street in state.streets] == [0, 3, 1, 1]
    )


def recorded_states() -> list[State]:
    """Return the finished hands of hold'em that pokerkit's tests play."""
    begun: list[State] = []
    begin = State.__post_init__

    def record(state: State, *given: object, **named: object) -> None:
        begun.append(state)
        begin(state, *given, **named)

    names = [f"pokerkit.tests.{name}" for name in PLAYED]
    with patch.object(State, "__post_init__", record), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        unittest.defaultTestLoader.loadTestsFromNames(names).run(unittest.TestResult())
    return [state for state in begun if is_finished_holdem(state)]


def written(state: State) -> list[str]:
    """Return a recorded hand in the PHH format, with its rake in our field; once for each run-out."""
    limited = state.betting_structure == BettingStructure.FIXED_LIMIT
    bets = [street.min_completion_betting_or_raising_amount for street in state.streets]
    posts = ((), state.ante_trimming_status, state.antes, state.blinds_or_straddles)
    game = (
        FixedLimitTexasHoldem(*posts, bets[0], bets[2])
        if limited
        else NoLimitTexasHoldem(*posts, bets[0])
    )
    fields: dict[str, object] = {
        "starting_stacks": [UNLIMITED if s == inf else s for s in state.starting_stacks]
    }
    if isinstance(state.rake, partial) and state.rake.keywords:
        fields["_rake"] = str(state.rake.keywords["percentage"])
        fields["_no_flop_no_drop"] = state.rake.keywords.get("no_flop_no_drop", False)
    history = HandHistory.from_game_state(game, state, **fields)
    actions, boards = history.actions, [a for a in history.actions if a.startswith("d db")]
    # All hands of several run-outs here are all-in on the flop: each has a turn and a river.
    texts = []
    for turn in range(1, len(boards), 2) if len(boards) > 3 else [1]:
        others = set(boards[1:]) - set(boards[turn : turn + 2])
        history.actions = [action for action in actions if action not in others]
        texts.append(history.dumps())
    return texts


def test_hands_of_pokerkits_own_tests_end_with_the_same_chips() -> None:
    found: Counter[str] = Counter()
    for state in recorded_states():
        try:
            hands = [read_phh(text).hand for text in written(state)]
        except FileFormatError as error:
            found[next(name for said, name in CANNOT_BE_READ.items() if said in str(error))] += 1
            continue
        hand, rules = hands[0], hands[0].structure
        assert all(hand.is_over for hand in hands)
        payoffs = np.mean([hand.payoffs for hand in hands], axis=0).tolist()
        if payoffs == list(state.payoffs):
            found["equal"] += 1
            found["equal, an ante from the big blind"] += rules.ante_from == "big blind"
            found["equal, a straddle and an ante from the button"] += (
                rules.straddles == (800,) and rules.ante_from == "button"
            )
            found["equal, raked"] += sum(hand.raked) > 0
        else:
            ended = (list(hand.starting_stacks + hand.payoffs), list(state.stacks))
            found[next(name for name, both in DIFFERENT.items() if both == ended)] += 1
    # Nearly each hand is played three times: in the test, from its history, and from that again.
    assert found == {
        "equal": 115,
        "equal, an ante from the big blind": 34,
        "equal, a straddle and an ante from the button": 1,
        "equal, raked": 4,
        "an odd chip": 1,
        "a rake of the winner's last bets": 1,
        "a dead small blind": 3,
        "an untrimmed ante posted short": 3,
        "a smallest bet below the big blind": 1,
        "unknown cards at the showdown": 1,
    }


@pytest.mark.parametrize("num_hands", [150, pytest.param(3_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["no-limit", "limit"])
def test_hands_with_straddles_antes_and_rakes_are_read_as_they_were(
    kind: str, num_hands: int
) -> None:
    luck = random.Random(8)
    for number in range(num_hands):
        hand = luck.choice(played_out(luck, random_hand(luck, random_house(luck, kind), number)))
        names = [
            f"seat {seat}" if stack else f"player {seat + 1}"
            for seat, stack in enumerate(hand.starting_stacks)
        ]
        told = phh(hand, names)
        read = read_phh(told)
        # What nobody was dealt or has seen may be other cards.
        assert replace(read.hand, deal=hand.deal) == hand
        assert read.names == tuple(names)
        assert phh(read.hand, read.names) == told
        if hand.is_over and len(hand.live) > 1 and min(hand.starting_stacks) > 0:
            assert read.hand == hand


def test_pokerkit_ends_hands_with_straddles_and_antes_from_one_seat_with_the_same_chips() -> None:
    luck = random.Random(9)
    found: Counter[str] = Counter()
    for number in range(120):
        house = replace(random_house(luck, "no-limit"), rake=None)
        hands = played_out(luck, random_hand(luck, house, number))
        if max(hands[0].bets) == hands[0].bet:
            found[read(hands[-1])] += 1
    assert set(found) <= {"alike", "odd chips", "refused"}
    assert found["alike"] >= FEWEST_ALIKE * found.total()


def test_files_of_many_hands_are_read() -> None:
    luck = random.Random(10)
    hands = [
        played_out(luck, random_hand(luck, random_house(luck, "limit"), number))[-1]
        for number in range(5)
    ]
    read = [read.hand for read in read_phhs(phhs(hands))]
    assert [hand.payoffs.tolist() for hand in read] == [hand.payoffs.tolist() for hand in hands]
