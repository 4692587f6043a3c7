"""Hands and ranges against each other: brute force, known counts, and the same by other ways."""

from itertools import combinations

import numpy as np
import pytest

from pokerlab.core import CardError, UnknownNameError, stream
from pokerlab.holdem.cards.deck import (
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    deal,
    holding_numbers,
    parse_cards,
)
from pokerlab.holdem.cards.ranges import as_range, parse_range
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.boards_to_come import boards_to_come, renamings_that_keep
from pokerlab.holdem.equity.exact import comparisons, everybody
from pokerlab.holdem.equity.match_up import each_against, showdowns, win_probability_against
from pokerlab.holdem.strength.evaluation import strength

ROUNDING = 1e-12
"""Relative; thousands of float weights are added and taken off again."""

PREFLOP = {
    ("AsAh", "KsKh"): (1_410_336, 9_308, 292_660),
    ("AsAh", "KdKc"): (1_388_072, 6_538, 317_694),
    ("AsKs", "QdJc"): (1_137_290, 7_605, 567_409),
}
"""Wins, ties and losses over the 1,712,304 boards."""


def brute_force(first: str, second: str, board: str) -> tuple[float, float, float]:
    """Return weights won, tied and lost, holding by holding and board by board."""
    ranges, five = [as_range(first), as_range(second)], parse_cards(board)
    left = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), five)
    won = tied = lost = 0.0
    for coming in combinations(left.tolist(), 5 - len(five)):
        full = [*five.tolist(), *coming]
        sides = []
        for weights in ranges:
            numbers = np.flatnonzero((weights > 0) & ~np.isin(HOLDINGS, full).any(axis=1))
            hands = HOLDINGS[numbers]
            seven = np.concatenate([hands, np.tile(np.array(full, np.uint8), (len(hands), 1))], 1)
            sides.append((hands, strength(seven), weights[numbers]))
        (ours, mine, weight), (others, theirs, other_weight) = sides
        apart = ~(ours[:, None, :, None] == others[None, :, None, :]).any(axis=(2, 3))
        products = apart * np.outer(weight, other_weight)
        won += products[mine[:, None] > theirs].sum()
        tied += products[mine[:, None] == theirs].sum()
        lost += products[mine[:, None] < theirs].sum()
    return won, tied, lost


@pytest.mark.parametrize(("first", "second"), PREFLOP)
def test_hands_before_the_flop_have_their_known_counts(first: str, second: str) -> None:
    assert showdowns(first, second) == PREFLOP[first, second]
    assert showdowns(second, first) == PREFLOP[first, second][::-1]


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("AsKs", "QdQc", "Qs 7s 2d"),
        ("AsKs", "QQ+, AK, 76s:0.25", "Qh 7h 2h"),
        ("22-55, A5s-A2s", "KQ, JTs:0.5", "4c 4d Th"),
        ("QQ+, AKs", "TT+, AQ+:0.3", "Ah Kh 9h 2h"),
        ("random", "random", "Js Ts 9s 8s 2d"),
        ("random", "AA, 72o:0.1", "As Ks Qs Js Ts"),
        ("22+", "22+", "3c 3d 8h 8s Kd"),
    ],
)
def test_ranges_equal_brute_force(first: str, second: str, board: str) -> None:
    found, expected = (
        showdowns(first, second, parse_cards(board)),
        brute_force(first, second, board),
    )
    assert found == pytest.approx(expected, rel=ROUNDING)


def test_random_hands_against_each_other_equal_brute_force() -> None:
    for row, cards in enumerate(deal(stream(1, "two hands"), 20, 9)):
        board = cards[4 : 4 + 3 + row % 3]
        expected = [0, 0, 0]
        left = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), [*cards[:4], *board])
        for coming in combinations(left.tolist(), 5 - len(board)):
            one, other = (strength([*hole, *board, *coming]) for hole in (cards[:2], cards[2:4]))
            expected[0 if one > other else 1 if one == other else 2] += 1
        assert showdowns(cards[:2], cards[2:4], board) == tuple(expected)


def test_against_all_hands_it_is_the_win_probability_of_each() -> None:
    for text in ("Kd 7d 2c", "Ah 9h 8h", "Qs Qd 5c 5h", "Ks Qs Js Ts 9s"):
        board = parse_cards(text)
        values = each_against("random", "random", board)
        assert np.array_equal(values, everybody(board), equal_nan=True)


def test_a_hand_against_all_hands_before_the_flop_is_counted_as_in_the_table() -> None:
    one_of_each_kind = parse_range("random")
    one_of_each_kind[holding_numbers(parse_cards("As Ad"))] = 1.0
    board = parse_cards("2c 7d Jh")
    counted = comparisons(parse_cards("As Ad"), board)
    assert showdowns("AsAd", one_of_each_kind, board) == counted


def test_each_holding_of_a_range_has_its_own_value() -> None:
    board = parse_cards("Ts 9s 2h")
    values = each_against("AKs, QQ", "88+", board)
    assert np.isfinite(values).sum() == 10
    for text in ("AsKs", "AcKc", "QsQd"):
        alone = win_probability_against(text, "88+", board)
        assert values[holding_numbers(parse_cards(text))] == pytest.approx(alone, rel=ROUNDING)


def test_ties_count_as_the_caller_says() -> None:
    won, tied, lost = showdowns("AsKd", "AhKc")
    total = won + tied + lost
    values = [
        win_probability_against("AsKd", "AhKc", ties=rule) for rule in ("half", "win", "lose")
    ]
    assert values == [(won + tied / 2) / total, (won + tied) / total, won / total]
    assert values[0] == 0.5


def test_renamings_keep_the_board_and_the_ranges() -> None:
    free = np.empty(0, np.uint8)
    assert len(renamings_that_keep(free, parse_range("QQ+, AKs"))) == 24
    assert len(renamings_that_keep(free, as_range("AsAh"), as_range("KsKh"))) == 4
    assert len(renamings_that_keep(parse_cards("Qs 7s 2d"), parse_range("AK"))) == 2
    assert renamings_that_keep(free, as_range("AsKh"), as_range("QdJc")).tolist() == [[0, 1, 2, 3]]


def test_boards_to_come_are_the_canonical_ones_where_all_suits_are_alike() -> None:
    none = np.empty(0, np.uint8)
    boards, multiplicities = boards_to_come(none, none, renamings_that_keep(none))
    assert (len(boards), multiplicities.sum()) == (134_459, 2_598_960)
    assert len(canonical_boards(5)[0]) == len(boards)


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("AsKs", "AsQd", ""),
        ("AsKs", "QdQc", "Ks 7d 2c"),
        ("AA", "KK", "Ks Kd Kh"),
        ("AA", "AsAh", "Ac 2c 3c"),
    ],
)
def test_what_cannot_be_dealt_together_is_refused(first: str, second: str, board: str) -> None:
    with pytest.raises(CardError, match="no holding of the one range can be dealt with one"):
        showdowns(first, second, parse_cards(board))


def test_bad_boards_ranges_and_rules_are_refused() -> None:
    with pytest.raises(CardError, match="no street has a board of 2 cards"):
        showdowns("AsKs", "QdQc", parse_cards("2c 3c"))
    with pytest.raises(CardError, match="the range is empty"):
        showdowns("AsKs", "")
    with pytest.raises(CardError, match="twice"):
        showdowns([51, 51], "QQ")
    with pytest.raises(UnknownNameError, match="no rule for ties 'none'"):
        win_probability_against("AsKs", "QQ", ties="none")
    with pytest.raises(CardError, match="are not a range"):
        each_against("AsKs", np.ones(NUM_HOLDINGS - 1))
