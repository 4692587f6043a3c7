"""The tables are what their checksum says, whatever has happened to the file that keeps them."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.holdem.strength.evaluation import CHECKSUM
from pokerlab.holdem.strength.tables import (
    CATEGORIES,
    build,
    cached_tables,
    checksum,
    order_of_five,
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path / "pokerlab"


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
def test_the_rule_book_knows_what_decides(
    ranks: tuple[int, ...], suited: bool, expected: tuple[str | int, ...]
) -> None:
    found, *then = order_of_five(ranks, suited)
    assert (CATEGORIES[found], *then) == expected


def test_the_tables_are_built_as_kernels_know_them() -> None:
    assert checksum(build()) == CHECKSUM


def test_a_file_of_other_tables_is_noticed_and_replaced(cache: Path) -> None:
    cached_tables(CHECKSUM)
    (file,) = cache.glob("strength-*")
    whole = file.read_bytes()
    np.savez(file, flush=np.zeros(8192, np.uint16))
    with pytest.warns(UserWarning, match="is damaged; it is made again"):
        assert checksum(cached_tables(CHECKSUM)) == CHECKSUM
    assert file.read_bytes() == whole
