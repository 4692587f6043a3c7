"""The tables are what their checksum says, and the rule book is right."""

import pytest

from pokerlab.core.cache import compute_arrays_digest
from pokerlab.holdem.hand_rankings import (
    CATEGORIES,
    TABLES_CHECKSUM,
    build_strength_tables,
    rank_five_cards,
)


@pytest.mark.parametrize(
    ("ranks", "suited", "expected"),
    [
        ((5, 3, 2, 1, 0), False, ("high card", 5, 3, 2, 1, 0)),
        ((0, 12, 4, 12, 7), False, ("pair", 12, 7, 4, 0)),
        ((0, 3, 3, 0, 12), False, ("two pair", 3, 0, 12)),
        ((0, 0, 0, 12, 1), False, ("three of a kind", 0, 12, 1)),
        ((12, 0, 1, 2, 3), False, ("straight", 3)),
        ((12, 8, 11, 9, 10), False, ("straight", 12)),
        ((12, 11, 0, 1, 2), False, ("high card", 12, 11, 2, 1, 0)),
        ((9, 11, 0, 1, 2), True, ("flush", 11, 9, 2, 1, 0)),
        ((1, 0, 1, 0, 1), False, ("full house", 1, 0)),
        ((7, 7, 7, 7, 2), False, ("four of a kind", 7, 2)),
        ((12, 0, 1, 2, 3), True, ("straight flush", 3)),
    ],
)
def test_rank_five_cards_of_each_category(
    ranks: tuple[int, ...], suited: bool, expected: tuple[str | int, ...]
) -> None:
    found, *then = rank_five_cards(ranks, suited)
    assert (CATEGORIES[found], *then) == expected


def test_build_strength_tables_equals_the_kept_tables() -> None:
    assert compute_arrays_digest(build_strength_tables()) == TABLES_CHECKSUM
