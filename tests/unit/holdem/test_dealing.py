"""Luck by hand and place: SplitMix64's numbers, fractions, and deals."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core.compiler import kernel
from pokerlab.core.errors import SettingError
from pokerlab.holdem.cards import dealing
from pokerlab.holdem.cards.dealing import dealt, dealt_in_match, key_at, key_of


@kernel
def fraction(bits: np.uint64) -> float:
    return dealing.fraction(bits)


def test_numbers_are_those_of_splitmix64() -> None:
    # The generator's published outputs for the seeds 0 and 1234567.
    first = [key_at(np.uint64(0), place) for place in range(3)]
    assert first == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    other = [key_at(np.uint64(1234567), place) for place in range(3)]
    assert other == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_fractions_are_below_one() -> None:
    assert fraction(np.uint64(0)) == 0.0
    assert fraction(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53
    assert fraction(np.uint64(2**63)) == 0.5


def test_keys_differ_by_seed_purpose_and_index() -> None:
    keys = {int(key_of(*of)) for of in ((1, "deal"), (2, "deal"), (1, "luck"), (1, "deal", 1))}
    assert len(keys) == 4
    assert key_of(1, "deal") == key_of(1, "deal")


def test_deals_of_matches_differ_from_each_other() -> None:
    deals = {tuple(dealt_in_match(1, match, hand, 2)) for match in range(20) for hand in range(20)}
    deals |= {tuple(deal) for deal in dealt(1, 400, 2)}
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
def test_refuses_deals_that_cannot_be(given: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        dealt(*given)
