"""Cards dealt by hand and place."""

from typing import Any

import pytest

from pokerlab.core.errors import SettingError
from pokerlab.holdem.cards import deal_hands, deal_tournament_hand


def test_deals_of_matches_differ_from_each_other() -> None:
    deals = {
        tuple(deal_tournament_hand(1, match, hand, 2)) for match in range(20) for hand in range(20)
    }
    deals |= {tuple(deal) for deal in deal_hands(1, 400, 2)}
    assert len(deals) == 800


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((1, -1, 2), "num_deals is -1; it must be an integer from 0 to 100,000,000"),
        ((1, 5, 24), "num_seats is 24; it must be an integer from 0 to 23"),
        ((1, 2.0, 2), "num_deals is 2.0; it must be an integer"),
        ((-1, 5, 2), "seed is -1"),
    ],
)
def test_deal_hands_rejects_impossible_numbers(given: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        deal_hands(*given)
