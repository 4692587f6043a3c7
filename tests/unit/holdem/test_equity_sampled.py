"""Sampled win probabilities: near exact ones by their standard errors, repeatable, checked."""

import numpy as np
import pytest

from pokerlab.core import CardError, SettingError, UnknownNameError
from pokerlab.holdem.cards.deck import parse_cards
from pokerlab.holdem.equity import sampled as sampled_equity
from pokerlab.holdem.equity.exact import win_probability
from pokerlab.holdem.equity.sampled import MOST_OPPONENTS, sampled_win_probability

STANDARD_ERRORS = 4.0
"""One sample in 16,000 lies farther off; seeds are fixed."""
AGAINST_NINE = 0.311
"""Aces against nine random hands; the ninth power of one would be 0.237."""
ROUNDED = 0.0005
ROUNDING = 1e-8
"""Of a standard error that is 0: the root of what is left of equal squares."""


@pytest.mark.parametrize("ties", ["half", "win", "lose"])
@pytest.mark.parametrize("text", ["", "Ks 9s 4s", "Qd Qh 5c 5s", "2c 3c 4c 5c 6c"])
def test_one_opponent_is_sampled_near_the_exact_value(text: str, ties: str) -> None:
    hole, board = parse_cards("As Qc"), parse_cards(text)
    found = sampled_win_probability(hole, board, 1, num_samples=50_000, seed=1, ties=ties)
    exact = win_probability(hole, board, ties)
    assert abs(found.value - exact) <= STANDARD_ERRORS * found.standard_error


def test_aces_against_nine() -> None:
    found = sampled_win_probability(parse_cards("Ac Ad"), [], 9, num_samples=400_000, seed=1)
    assert abs(found.value - AGAINST_NINE) <= STANDARD_ERRORS * found.standard_error + ROUNDED
    assert found.standard_error < 0.001
    assert (found.num_samples, found.seed) == (400_000, 1)


def test_a_tie_is_an_equal_share_of_all_who_have_the_best_hand() -> None:
    hole, board = parse_cards("2c 2d"), parse_cards("As Ks Qs Js Ts")
    for ties, value in (("half", 0.2), ("win", 1.0), ("lose", 0.0)):
        found = sampled_win_probability(hole, board, 4, num_samples=100, seed=1, ties=ties)
        assert found[:2] == pytest.approx((value, 0.0), abs=ROUNDING)


def test_all_opponents_share_the_deck() -> None:
    # With quads of the board's rank gone, nobody can have the aces that the hand holds.
    hole, board = parse_cards("As Ah"), parse_cards("Ac Ad Ks Qh 2c")
    found = sampled_win_probability(hole, board, MOST_OPPONENTS, num_samples=2_000, seed=1)
    assert found[:2] == (1.0, 0.0)


@pytest.mark.parametrize("at_once", [sampled_equity.DEALS_AT_ONCE, 100])
def test_the_standard_error_is_the_spread_of_repeated_estimates(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled_equity, "DEALS_AT_ONCE", at_once)
    hole = parse_cards("Jh Ts")
    estimates = [
        sampled_win_probability(hole, [], 3, num_samples=2_000, seed=seed) for seed in range(200)
    ]
    spread = np.std([estimate.value for estimate in estimates], ddof=1)
    said = np.mean([estimate.standard_error for estimate in estimates])
    assert spread == pytest.approx(said, rel=0.2)  # four standard deviations of a spread of 200


def test_the_same_seed_gives_the_same_number_and_another_does_not() -> None:
    hole = parse_cards("Jh Ts")
    one, same, other = (
        sampled_win_probability(hole, [], 5, num_samples=30_000, seed=seed) for seed in (1, 1, 2)
    )
    assert one == same
    assert one.value != other.value


@pytest.mark.parametrize(
    ("num_opponents", "num_samples", "message"),
    [
        (0, 100, "num_opponents is 0; it must be an integer from 1 to 22"),
        (23, 100, "num_opponents is 23; it must be an integer from 1 to 22"),
        (1.5, 100, "num_opponents is 1.5; it must be an integer"),
        (1, 1, "num_samples is 1; it must be an integer from 2"),
    ],
)
def test_numbers_out_of_range_are_refused(
    num_opponents: int, num_samples: int, message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        sampled_win_probability([0, 1], [], num_opponents, num_samples=num_samples, seed=1)


def test_bad_cards_rules_and_seeds_are_refused() -> None:
    with pytest.raises(CardError, match="twice"):
        sampled_win_probability([0, 1], [1, 2, 3], 1, num_samples=100, seed=1)
    with pytest.raises(CardError, match="sample one hand at a time"):
        sampled_win_probability([[0, 1]], [], 1, num_samples=100, seed=1)
    with pytest.raises(UnknownNameError, match="no rule for ties"):
        sampled_win_probability([0, 1], [], 1, num_samples=100, seed=1, ties="draw")
    with pytest.raises(SettingError, match="seed is -1"):
        sampled_win_probability([0, 1], [], 1, num_samples=100, seed=-1)
