"""Win probabilities against a random hand: brute force, known values, bad input."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pokerlab.core import CardError, UnknownNameError, random_stream
from pokerlab.core.compiler import kernel
from pokerlab.holdem import hand_rankings
from pokerlab.holdem.cards import (
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    find_holding_indices,
    format_cards,
    parse_cards,
    validate_cards,
)
from pokerlab.holdem.equity import (
    NUM_COMPARISONS,
    compute_all_win_probabilities,
    count_comparisons,
    win_probability,
)
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards
from tests.random_cards import deal

BOARDS = {
    "rainbow": "As 9d 4c",
    "two-tone": "Ks 9s 4c",
    "monotone": "Qh 8h 3h",
    "paired": "7s 7d Kc",
    "trips": "5s 5d 5c",
    "two suits of two": "Js Ts 6d 2d",
    "three of a suit": "Jd 9d 4d As",
    "four of a suit": "Ac Jc 7c 2c",
    "no flush": "2s 2d 9c Jh Kd",
    "quads": "8s 8d 8c 8h 3d",
    "three suited": "Ks 9s 4s 4c 2d",
    "three suited and a pair outside": "Ks 9s 4s 2c 2d",
    "four suited": "Ks 9s 4s 2s Ad",
    "five suited": "Ks 9s 4s 3s 2s",
    "straight flush on the board": "Ks Qs Js Ts 9s",
    "royal flush on the board": "As Ks Qs Js Ts",
}

TEN_DIGITS = 5e-11
BITS = 11


def brute_force(hole: list[int], board: list[int]) -> tuple[int, int]:
    """Return wins and ties, every opponent's hand on every board to come evaluated by itself."""
    left = [card for card in range(NUM_CARDS) if card not in (*hole, *board)]
    wins = ties = 0
    for coming in combinations(left, 5 - len(board)):
        five = [*board, *coming]
        others = [card for card in left if card not in coming]
        opponents = np.array(list(combinations(others, 2)), np.uint8)
        hands = np.concatenate([opponents, np.tile(np.array(five, np.uint8), (990, 1))], axis=1)
        mine, theirs = (
            hand_rankings.evaluate_hand(np.array([*hole, *five])),
            hand_rankings.evaluate_hand(hands),
        )
        wins += int((theirs < mine).sum())
        ties += int((theirs == mine).sum())
    return wins, ties


def all_on_river(board: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return wins and ties of the 1,326 holdings on a board of five, pair by pair."""
    possible = np.flatnonzero(~np.isin(HOLDINGS, board).any(axis=1))
    hands = HOLDINGS[possible]
    together = np.concatenate([hands, np.tile(board, (len(hands), 1))], axis=1)
    strengths = hand_rankings.evaluate_hand(together)
    apart = ~(hands[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    wins, ties = np.zeros((2, NUM_HOLDINGS), np.int64)
    wins[possible] = (apart & (strengths[:, None] > strengths)).sum(axis=1)
    ties[possible] = (apart & (strengths[:, None] == strengths)).sum(axis=1)
    return wins, ties


RIVERS = {name: parse_cards(text) for name, text in BOARDS.items() if len(text) == 14}
FEW_SUITS = [np.array(cards, np.uint8) for cards in (range(52), range(1, 52, 2), range(2, 52, 4))]


@pytest.mark.parametrize("name", [*RIVERS, *(f"random {i}" for i in range(15))])
def test_every_holding_on_a_river_equals_brute_force(name: str) -> None:
    """Random ones, in any order, are of four suits, of two, or of one."""
    seed = int(name.split(" ")[1]) if name.startswith("random") else 0
    board = RIVERS.get(name, random_stream(seed, "river").permutation(FEW_SUITS[seed % 3])[:5])
    wins, ties = all_on_river(board)
    possible = ~np.isnan(compute_all_win_probabilities(board))
    assert possible.sum() == comb(47, 2)
    counted = count_comparisons(HOLDINGS[possible][:, ::-1], board)
    assert (counted.wins == wins[possible]).all()
    assert (counted.ties == ties[possible]).all()
    assert (compute_all_win_probabilities(board, "lose")[possible] == wins[possible] / 990).all()
    assert (
        compute_all_win_probabilities(board, "win")[possible] == (wins + ties)[possible] / 990
    ).all()


@pytest.mark.parametrize("name", [name for name, text in BOARDS.items() if len(text) < 14])
def test_flops_and_turns_of_each_texture_equal_brute_force(name: str) -> None:
    board = parse_cards(BOARDS[name])
    left = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), board)
    num_hands = 1 if len(board) == 3 else 12
    for hole in left[deal_places(name, num_hands, len(left))]:
        counted = count_comparisons(hole, board)
        assert (counted.wins, counted.ties) == brute_force(hole.tolist(), board.tolist())
        assert sum(counted) == NUM_COMPARISONS[len(board)]


def deal_places(name: str, num_hands: int, num_cards: int) -> NDArray[np.int64]:
    """Return pairs of different places among some cards."""
    luck = random_stream(len(name), "hole cards")
    return np.array([luck.choice(num_cards, 2, replace=False) for _ in range(num_hands)])


def test_a_turn_is_the_sum_of_its_rivers_and_a_flop_half_that_of_its_turns() -> None:
    cards = deal(random_stream(2, "hands"), 50, 6)
    for first in (5, 6):
        for hand in cards[:, :first]:
            left = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), hand)
            hole, board = hand[:2], hand[2:]
            following = np.concatenate([np.tile(board, (len(left), 1)), left[:, None]], axis=1)
            after, now = count_comparisons(hole, following), count_comparisons(hole, board)
            times = 2 if len(board) == 3 else 1
            assert (after.wins.sum(), after.ties.sum()) == (times * now.wins, times * now.ties)


def test_starting_hands_are_the_sums_over_all_flops() -> None:
    flops, times = list_canonical_boards(3)
    possible = ~np.isnan(compute_all_win_probabilities(flops))
    rows, holdings = np.nonzero(possible)
    on_flops = count_comparisons(HOLDINGS[holdings], flops[rows])
    kind = build_hand_classes(2).find_classes(HOLDINGS)
    before = count_comparisons(HOLDINGS, [])
    for now, later in zip(before[:2], on_flops[:2], strict=True):
        sums = np.bincount(kind[holdings], later * times[rows])
        # Each board of five is met once for each of the ten flops that it may have had.
        assert (np.bincount(kind, now) * comb(5, 3) == sums).all()


def test_aces_before_the_flop_are_counted_to_the_last_comparison() -> None:
    aces = count_comparisons("Ac Ad", "")
    assert aces == (1_781_508_418, 11_402_312, 304_661_670)
    assert sum(aces) == comb(50, 5) * comb(45, 2)
    assert aces.find_win_share() == pytest.approx(0.8520371330, abs=TEN_DIGITS)


def test_win_probability_counts_ties_by_rule() -> None:
    board = "As Ks Qs Js Ts"
    values = [win_probability("2c 2d", board, ties) for ties in ("half", "win", "lose")]
    assert values == [0.5, 1.0, 0.0]


def test_hole_cards_and_boards_are_broadcast() -> None:
    boards = validate_cards(["2c 3c 4c", "9d Td Jh"])
    holes = validate_cards(["Ac Ad", "Kh Kd", "Qs Qh"])
    together = win_probability(holes[:, None], boards)
    one_by_one = [[win_probability(hole, board) for board in boards] for hole in holes]
    assert together.tolist() == one_by_one
    assert win_probability(holes[:0], boards[0]).shape == (0,)


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("As Ks", "As 2c 3c", "twice in 'As Ks As 2c 3c'"),
        ("As Ks", "2c", "no street has a board of 1 cards; give 0, 3, 4 or 5"),
        ("As Ks", "2c 3c", "a board of 2 cards"),
        ("As Ks", "2c 3c 4c 5c 6c 7c", "a board of 6 cards"),
        ("As", "2c 3c 4c", "give two along the last axis"),
        ("As Ks Qs", "2c 3c 4c", "give two along the last axis"),
        (["2c 2d", "2h 2s"], ["3c 3d 3h"] * 3, "do not go together; give as many of both"),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused(hole: Any, board: Any, message: str) -> None:
    with pytest.raises(CardError, match=message):
        win_probability(hole, board)


def test_other_boards_and_rules_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"no rule for ties 'halve'.*Did you mean 'half'"):
        win_probability("As Ks", "", ties="halve")
    with pytest.raises(CardError, match="a board of 2 cards"):
        compute_all_win_probabilities("As Ks")


def test_card_text_of_the_first_and_last_holding() -> None:
    assert [format_cards(HOLDINGS[k]) for k in (0, -1)] == ["2d 2c", "As Ah"]
    assert (find_holding_indices(HOLDINGS) == np.arange(NUM_HOLDINGS)).all()


@kernel
def sort(
    things: hand_rankings.Int32s, room: hand_rankings.Int32s, ends: hand_rankings.Int32s
) -> None:
    hand_rankings.sort_by_strength(things, things.size, BITS, room, ends)


@pytest.mark.parametrize(
    "size",
    [0, 1, 2, hand_rankings.MOST_BY_INSERTION, hand_rankings.MOST_BY_INSERTION + 1, 351, 1326],
)
@pytest.mark.parametrize("num_strengths", [1, 3, hand_rankings.NUM_STRENGTHS])
def test_sort_by_strength_equals_sorted(size: int, num_strengths: int) -> None:
    luck = random_stream(size, "strengths", num_strengths)
    strengths = luck.integers(
        hand_rankings.NUM_STRENGTHS - num_strengths, hand_rankings.NUM_STRENGTHS, size
    )
    things = (strengths << BITS | luck.permutation(1 << BITS)[:size]).astype(np.int32)
    given = things.copy()
    sort(things, np.empty(size, np.int32), np.empty(hand_rankings.NUM_BINS, np.int32))
    assert (np.diff(things >> BITS) >= 0).all()
    assert sorted(things) == sorted(given)
