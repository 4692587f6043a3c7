"""Random numbers are looked up by name and place, not passed on."""

import numpy as np
import pytest

from pokerlab.core import SettingError, random_numbers, random_stream
from pokerlab.core.compiler import kernel
from pokerlab.core.random_numbers import derive_stream_key, draw_stream_key


def test_stream_does_not_depend_on_earlier_draws() -> None:
    first = random_stream(1, "deal", 3)
    first.random(100)
    assert random_stream(1, "deal", 3).random() == random_stream(1, "deal", 3).random()


@pytest.mark.parametrize("other", [(2, "deal", 3), (1, "mutation", 3), (1, "deal", 4), (1, "deal")])
def test_another_seed_purpose_or_index_gives_other_numbers(other: tuple[int, str, int]) -> None:
    assert random_stream(*other).random() != random_stream(1, "deal", 3).random()


@pytest.mark.parametrize("arguments", [(-1, "deal"), (1, "deal", -2)])
def test_negative_seeds_and_indices_are_refused(arguments: tuple[int, str]) -> None:
    with pytest.raises(SettingError, match="it must be an integer from 0 to infinity"):
        random_stream(*arguments)


def test_stream_without_index_equals_index_0() -> None:
    assert random_stream(1, "deal").random() == random_stream(1, "deal", 0).random()


def test_streams_of_as_many_indexes_are_different() -> None:
    indexes = [*np.ndindex(3, 3, 3)]
    assert len({random_stream(1, "deal", *index).random() for index in indexes}) == len(indexes)


@kernel
def fraction(bits: np.uint64) -> float:
    return random_numbers.convert_bits_to_fraction(bits)


def test_numbers_are_those_of_splitmix64() -> None:
    # The generator's published outputs for the seeds 0 and 1234567.
    first = [derive_stream_key(np.uint64(0), place) for place in range(3)]
    assert first == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    other = [derive_stream_key(np.uint64(1234567), place) for place in range(3)]
    assert other == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_fractions_are_below_one() -> None:
    assert fraction(np.uint64(0)) == 0.0
    assert fraction(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53
    assert fraction(np.uint64(2**63)) == 0.5


def test_keys_differ_by_seed_purpose_and_index() -> None:
    keys = {
        int(draw_stream_key(*of)) for of in ((1, "deal"), (2, "deal"), (1, "luck"), (1, "deal", 1))
    }
    assert len(keys) == 4
    assert draw_stream_key(1, "deal") == draw_stream_key(1, "deal")
