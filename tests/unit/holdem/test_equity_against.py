"""Against a known hand by brute force; sampled, near exact values by their standard errors."""

from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CardError, UnknownNameError, random_stream
from pokerlab.holdem import equity_against
from pokerlab.holdem.cards import HOLDINGS, NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, parse_cards
from pokerlab.holdem.equity import count_comparisons, win_probability
from pokerlab.holdem.equity_against import MOST_OPPONENTS, count_showdowns, estimate_win_probability
from pokerlab.holdem.hand_classes import build_hand_classes
from pokerlab.holdem.hand_rankings import evaluate_hand
from tests.random_cards import deal
from tests.refusals import refused

PREFLOP = {
    ("AsAh", "KsKh"): (1_410_336, 9_308, 292_660),
    ("AsAh", "KdKc"): (1_388_072, 6_538, 317_694),
    ("AsKs", "QdJc"): (1_137_290, 7_605, 567_409),
}
"""Wins, ties and losses over the 1,712,304 boards."""

WIKIPEDIA = {("As Ac", "Ks Qc"): (87.65, 0.49), ("As Ac", "7d 6d"): (76.81, 0.32)}
"""Percentages of wins and ties, rounded, in Wikipedia's section on head-to-head starting hand matchups in Texas
hold'em, as www.no-gambling.com/book/head-head-starting-hand-matchups-texas-hold-em reprints it."""
PAIRS_PER_PATTERN = 15
CLASSES_AGAINST_ALL = ["As Ad", "Ks Qs", "Jh Tc", "7d 2c"]

STANDARD_ERRORS = 4.0
"""One sample in 16,000 lies farther off; seeds are fixed."""
AGAINST_NINE = 0.311
"""Aces against nine random hands; the ninth power of one would be 0.237."""
ROUNDED = 0.0005
ROUNDING = 1e-8
"""Of a standard error that is 0: the root of what is left of equal squares."""


@pytest.mark.parametrize(("first", "second"), PREFLOP)
def test_hands_before_the_flop_have_their_known_counts(first: str, second: str) -> None:
    assert count_showdowns(first, second) == PREFLOP[first, second]
    assert count_showdowns(second, first) == PREFLOP[first, second][::-1]


@pytest.mark.parametrize(("first", "second"), WIKIPEDIA)
def test_hands_before_the_flop_have_published_percentages(first: str, second: str) -> None:
    counts = count_showdowns(first, second)
    percentages = 100 * np.array(counts[:2]) / sum(counts)
    assert percentages == pytest.approx(WIKIPEDIA[first, second], abs=0.005)


def test_preflop_counts_equal_all_boards_in_every_suit_pattern() -> None:
    patterns = {
        tuple(suits.index(suit) for suit in suits) for suits in product(range(NUM_SUITS), repeat=4)
    }
    assert len(patterns) == 15  # ways to divide four cards among suits
    generator = random_stream(1, "two hands before the flop")
    for suits in sorted(patterns):
        for _ in range(PAIRS_PER_PATTERN):
            cards = draw_with_suits(suits, generator)
            first, second = cards[:2], cards[2:]
            deck = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), cards)
            expected = np.zeros(3, np.int64)
            equity_against.count_results_over_boards(first, second, cards[:0], deck, expected)
            assert count_showdowns(first, second) == tuple(expected)


def draw_with_suits(suits: tuple[int, ...], generator: np.random.Generator) -> Cards:
    """Return four different cards of the given suits with random ranks, which often repeat."""
    while True:
        ranks = generator.integers(generator.choice([3, NUM_RANKS]), size=4)
        cards = (NUM_SUITS * ranks + suits).astype(np.uint8)
        if len(set(cards.tolist())) == 4:
            return cards


@pytest.mark.parametrize(
    "texts", [CLASSES_AGAINST_ALL, pytest.param(None, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_preflop_counts_sum_to_those_against_a_random_hand(texts: list[str] | None) -> None:
    # The tables of equities are made in another way, from the river backwards.
    every = build_hand_classes(2).make_canonical_hands(np.arange(169))
    holes = every if texts is None else map(parse_cards, texts)
    for hole in holes:
        free = HOLDINGS[~np.isin(HOLDINGS, hole).any(axis=1)]
        together = sum(np.array(count_showdowns(hole, other)) for other in free)
        assert tuple(together) == count_comparisons(hole, "")


def test_random_hands_against_each_other_equal_brute_force() -> None:
    for row, cards in enumerate(deal(random_stream(1, "two hands"), 20, 9)):
        board = cards[4 : 4 + 3 + row % 3]
        expected = [0, 0, 0]
        left = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), [*cards[:4], *board])
        for coming in combinations(left.tolist(), 5 - len(board)):
            one, other = (
                evaluate_hand([*hole, *board, *coming]) for hole in (cards[:2], cards[2:4])
            )
            expected[0 if one > other else 1 if one == other else 2] += 1
        assert count_showdowns(cards[:2], cards[2:4], board) == tuple(expected)


@pytest.mark.parametrize("text", ["2c 7d Jh", "Ks 9s 4s 4d", "Qd Qh 5c 5s 2h"])
def test_against_each_hand_in_turn_it_is_as_against_a_random_one(text: str) -> None:
    hole, board = parse_cards("As Ad"), parse_cards(text)
    free = HOLDINGS[~np.isin(HOLDINGS, [*hole, *board]).any(axis=1)]
    together = sum(np.array(count_showdowns(hole, other, board)) for other in free)
    assert tuple(together) == count_comparisons(hole, board)


@pytest.mark.parametrize("ties", ["half", "win", "lose"])
@pytest.mark.parametrize("text", ["", "Ks 9s 4s", "Qd Qh 5c 5s", "2c 3c 4c 5c 6c"])
def test_one_opponent_is_sampled_near_the_exact_value(text: str, ties: str) -> None:
    found = estimate_win_probability("As Qc", text, 1, num_samples=50_000, seed=1, ties=ties)
    exact = win_probability("As Qc", text, ties)
    assert abs(found.value - exact) <= STANDARD_ERRORS * found.standard_error


def test_sampled_win_probability_of_aces_against_nine() -> None:
    found = estimate_win_probability("Ac Ad", [], 9, num_samples=400_000, seed=1)
    assert abs(found.value - AGAINST_NINE) <= STANDARD_ERRORS * found.standard_error + ROUNDED
    assert found.standard_error < 0.001
    assert (found.num_samples, found.seed) == (400_000, 1)


def test_a_tie_is_an_equal_share_of_all_who_have_the_best_hand() -> None:
    board = "As Ks Qs Js Ts"
    for ties, value in (("half", 0.2), ("win", 1.0), ("lose", 0.0)):
        found = estimate_win_probability("2c 2d", board, 4, num_samples=100, seed=1, ties=ties)
        assert found[:2] == pytest.approx((value, 0.0), abs=ROUNDING)


def test_all_opponents_share_the_deck() -> None:
    # With quads of the board's rank gone, nobody can have the aces that the hand holds.
    board = "Ac Ad Ks Qh 2c"
    found = estimate_win_probability("As Ah", board, MOST_OPPONENTS, num_samples=2_000, seed=1)
    assert found[:2] == (1.0, 0.0)


@pytest.mark.parametrize("at_once", [equity_against.DEALS_AT_ONCE, 100])
def test_the_standard_error_is_the_spread_of_repeated_estimates(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equity_against, "DEALS_AT_ONCE", at_once)
    estimates = [
        estimate_win_probability("Jh Ts", "", 3, num_samples=2_000, seed=seed)
        for seed in range(200)
    ]
    spread = np.std([estimate.value for estimate in estimates], ddof=1)
    said = np.mean([estimate.standard_error for estimate in estimates])
    assert spread == pytest.approx(said, rel=0.2)  # four standard deviations of a spread of 200


def test_the_same_seed_gives_the_same_number_and_another_does_not() -> None:
    one, same, other = (
        estimate_win_probability("Jh Ts", "", 5, num_samples=30_000, seed=seed)
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one.value != other.value


def asked(**changed: Any) -> Callable[[], Any]:
    given = {"hole": [0, 1], "board": [], "num_opponents": 1, "num_samples": 100, "seed": 1}
    return lambda: estimate_win_probability(**(given | changed))


test_bad_input_is_refused = refused(
    (
        partial(count_showdowns, "AsKs", "QdQc", "2c 3c"),
        CardError,
        "no street has a board of 2 cards",
    ),
    (
        partial(count_showdowns, "AsKs", "", ""),
        CardError,
        "have shape (0,); give two for each hand",
    ),
    (partial(count_showdowns, ["AsKs", "QdQc"], "2c 2d"), CardError, "have shape (2, 2)"),
    (partial(count_showdowns, "AsKs", "AsQs"), CardError, "twice"),
    (partial(count_showdowns, "AsKs", "QQ"), CardError, "'QQ' in 'QQ' is not a card"),
    (asked(num_opponents=0), "num_opponents is 0; it must be an integer from 1 to 22"),
    (asked(num_opponents=23), "num_opponents is 23; it must be an integer from 1"),
    (asked(num_opponents=1.5), "num_opponents is 1.5; it must be an integer"),
    (asked(num_samples=1), "num_samples is 1; it must be an integer from 2"),
    (asked(seed=-1), "seed is -1"),
    (asked(board=[1, 2, 3]), CardError, "twice"),
    (asked(hole=[[0, 1]]), CardError, "sample one hand at a time"),
    (asked(ties="draw"), UnknownNameError, "no rule for ties"),
)
