"""Steps and showdowns of buckets, counted hand by hand on a few boards."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.holdem import bucket_counts, hand_expectations
from pokerlab.holdem.cards import HOLDINGS, RIVER, Cards, parse_cards
from pokerlab.holdem.equity import count_comparisons
from pokerlab.holdem.equity_tables import find_row_in_river_table
from pokerlab.holdem.hand_classes import RENAMED_HOLDINGS
from pokerlab.holdem.hand_rankings import evaluate_hand
from pokerlab.holdem.river_comparisons import allocate_river_workspace, find_flush_suit

BOARDS = {
    "rainbow": "Ts 7h 4d 3c 2s",
    "paired": "Ks Kh 8d 8c 2s",
    "three of a suit": "Qs 9s 4s 4d 2h",
    "five of a suit": "Qs 9s 4s 3s 2s",
    "a straight": "Ts 9h 8d 7c 6s",
}
COUNT = 5


def possible_on(board: Cards) -> Cards:
    return HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)]


def bucket_by_wins(hole: Cards, board: Cards) -> np.ndarray:
    """Return a bucket that hangs on nothing but what a hand is worth."""
    counted = count_comparisons(hole, board)
    return np.asarray((2 * counted.wins + counted.ties) % COUNT)


def of_kinds() -> np.ndarray:
    return (
        hand_expectations.build_half_pot_table(hand_expectations.ExactExpectations(), RIVER) % COUNT
    ).astype(np.uint8)


@pytest.mark.parametrize("text", BOARDS.values(), ids=BOARDS)
def test_find_showdown_shares_equals_brute_force(text: str) -> None:
    board = parse_cards(text)
    holes = possible_on(board)
    strengths = evaluate_hand(np.concatenate([holes, np.tile(board, (len(holes), 1))], axis=1))
    buckets = bucket_by_wins(holes, board)
    won, met = np.zeros((2, COUNT, COUNT), np.int64)
    disjoint = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
    stronger = strengths[:, None] > strengths[None, :]
    own, theirs = np.nonzero(disjoint)
    np.add.at(met, (buckets[own], buckets[theirs]), 1)
    np.add.at(won, (buckets[own], buckets[theirs]), stronger[own, theirs])

    row = hand_expectations.find_river_kinds().kind_of_row[
        find_row_in_river_table(board, find_flush_suit(board))
    ]
    found_won, found_met = np.zeros((2, COUNT, COUNT), np.int64)
    times = np.array([3])
    of_class = of_kinds()[row : row + 1]
    bucket_counts.count_showdowns_by_bucket(
        board[None], of_class, times, allocate_river_workspace(), found_won, found_met
    )
    assert (found_met == 3 * met).all()
    assert (found_won == 3 * won).all()


@pytest.mark.parametrize("text", BOARDS.values(), ids=BOARDS)
def test_holdings_have_the_bucket_of_their_class_on_the_river(text: str) -> None:
    board = parse_cards(text)
    labels = bucket_counts.find_buckets_on_rivers(of_kinds(), board[None], COUNT)[0]
    blocked = np.isin(HOLDINGS, board).any(axis=1)
    assert (labels[blocked] == COUNT).all()
    assert (labels[~blocked] == bucket_by_wins(HOLDINGS[~blocked], board)).all()


@pytest.mark.parametrize("street", [2, 3])
def test_count_transitions_equals_brute_force(street: int) -> None:
    boards, _ = hand_expectations.list_street_boards(street)
    some = boards[random_stream(1, "boards").choice(len(boards), 6, replace=False)]
    times = np.arange(1, 7)
    expected = np.zeros((COUNT, COUNT), np.int64)
    for board, number in zip(some, times, strict=True):
        holes = possible_on(board)
        after = bucket_by_wins(holes, board)
        for earlier in combinations(range(len(board)), len(board) - 1):
            before = bucket_by_wins(holes, board[list(earlier)])
            np.add.at(expected, (before, after), number)

    wins, ties = hand_expectations.load_win_and_tie_counts(
        street - 1, np.arange(len(hand_expectations.list_street_boards(street - 1)[0]))
    )
    before = ((2 * wins + ties) % COUNT).astype(np.uint8)
    counted = [bucket_by_wins(possible_on(board), board) for board in some]
    after = np.full((len(some), len(HOLDINGS)), COUNT, np.uint8)
    for row, board in enumerate(some):
        after[row, ~np.isin(HOLDINGS, board).any(axis=1)] = counted[row]
    found = np.zeros((COUNT + 1, COUNT + 1), np.int64)
    ways = bucket_counts.find_previous_boards(some)
    bucket_counts.add_transitions(
        before, ways.boards, ways.renamings, RENAMED_HOLDINGS, after, times, found
    )
    assert (found[:-1, :-1] == expected).all()


def test_kinds_of_rivers_stand_for_all_boards_and_all_hands() -> None:
    kinds = hand_expectations.find_river_kinds()
    assert kinds.multiplicities.sum() == 2_598_960
    assert (kinds.hands_of_type_pairs.sum(axis=1) == 1081).all()
