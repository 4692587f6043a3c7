"""Random streams are looked up by name, not passed on."""

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
    with pytest.raises(SettingError, match="use integers of at least 0"):
        stream(*arguments)


def test_zeros_at_the_end_do_not_count_so_a_purpose_has_one_number_of_indexes() -> None:
    assert stream(1, "deal", 3, 0).random() == stream(1, "deal", 3).random()
    assert stream(1, "deal", 0).random() == stream(1, "deal").random()
    assert stream(1, "deal", 0, 3).random() != stream(1, "deal", 3).random()
