"""Random streams are looked up by name, not passed on."""

import numpy as np
import pytest

from pokerlab.core import SettingError, stream


def test_the_same_name_gives_the_same_numbers_whatever_was_drawn_before() -> None:
    first = stream(1, "deal", 3)
    first.random(100)
    assert stream(1, "deal", 3).random() == stream(1, "deal", 3).random()


@pytest.mark.parametrize("other", [(2, "deal", 3), (1, "mutation", 3), (1, "deal", 4), (1, "deal")])
def test_another_seed_purpose_or_index_gives_other_numbers(other: tuple[int, str, int]) -> None:
    assert stream(*other).random() != stream(1, "deal", 3).random()


@pytest.mark.parametrize("arguments", [(-1, "deal"), (1, "deal", -2)])
def test_negative_seeds_and_indices_are_refused(arguments: tuple[int, str]) -> None:
    with pytest.raises(SettingError, match="it must be an integer from 0 to infinity"):
        stream(*arguments)


def test_no_index_and_the_index_0_name_one_stream() -> None:
    assert stream(1, "deal").random() == stream(1, "deal", 0).random()


def test_streams_of_as_many_indexes_are_different() -> None:
    indexes = [*np.ndindex(3, 3, 3)]
    assert len({stream(1, "deal", *index).random() for index in indexes}) == len(indexes)
