"""Cards dealt by hand and place."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core.errors import SettingError
from pokerlab.holdem.cards import deal_hands, deal_tournament_hand, validate_cards


def test_deals_of_matches_differ_from_each_other() -> None:
    deals = {
        tuple(deal_tournament_hand(1, match, hand, 2)) for match in range(20) for hand in range(20)
    }
    deals |= {tuple(deal) for deal in deal_hands(1, 400, 2)}
    assert len(deals) == 800


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, -1, 2), "num_deals is -1; it must be an integer from 0 to 100,000,000"),
        ((1, 5, 24), "num_seats is 24; it must be an integer from 0 to 23"),
        ((1, 2.0, 2), "num_deals is 2.0; it must be an integer"),
        ((-1, 5, 2), "seed is -1"),
    ],
)
def test_deal_hands_rejects_impossible_numbers(arguments: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        deal_hands(*arguments)


@given(st.integers(0, 20), st.integers(2, 10), st.integers(0, 2**31))
def test_deal_hands_gives_one_deck_known_by_number(first: int, num_seats: int, seed: int) -> None:
    deals = deal_hands(seed, 5, num_seats, first=first)
    validate_cards(deals)
    assert (deals == deal_hands(seed, first + 5, num_seats)[first:]).all()


def test_deal_hands_gives_each_place_all_cards_equally_often() -> None:
    num_deals = 200_000
    deals = deal_hands(3, num_deals, 10)
    counts = np.array([np.bincount(deals[:, place], minlength=52) for place in range(25)])
    expected = num_deals / 52
    # Each count is binomial; chi-square over 51 degrees of freedom for each place.
    chi_square = ((counts - expected) ** 2 / expected).sum(axis=1)
    assert chi_square.max() < 51 + 5 * (2 * 51) ** 0.5
    assert chi_square.mean() < 51 + 5 * (2 * 51 / 25) ** 0.5
    # Neighbors in the deal are independent but for being different.
    pairs = np.bincount(deals[:, 3].astype(int) * 52 + deals[:, 4], minlength=52 * 52)
    expected_pair = num_deals / (52 * 51)
    different = pairs[~np.eye(52, dtype=bool).ravel()]
    degrees = 52 * 51 - 1
    chi = ((different - expected_pair) ** 2 / expected_pair).sum()
    assert abs(chi - degrees) < 5 * (2 * degrees) ** 0.5
