"""The tables are what their checksum says, whatever has happened to the file that keeps them."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.holdem.strength.evaluation import CHECKSUM
from pokerlab.holdem.strength.tables import (
    CATEGORIES,
    RANK_KEYS,
    ROW_BITS,
    build,
    cached_tables,
    checksum,
    order_of_five,
    rank_sets,
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    return tmp_path / "pokerlab"


@pytest.mark.parametrize(("size", "sets"), [(5, 6175), (6, 18_395), (7, 49_205)])
def test_no_two_sets_of_ranks_have_the_same_sum_of_keys(size: int, sets: int) -> None:
    ranks = rank_sets(size)
    assert len(np.unique(np.array(RANK_KEYS)[ranks].sum(axis=1))) == len(ranks) == sets


@pytest.mark.parametrize("size", [5, 6, 7])
def test_rows_of_a_folded_table_do_not_meet(size: int) -> None:
    offsets = build()[f"offsets_{size}"].astype(np.int64)
    keys = np.array(RANK_KEYS)[rank_sets(size)].sum(axis=1)
    places = offsets[keys & (1 << ROW_BITS) - 1] + (keys >> ROW_BITS)
    assert len(np.unique(places)) == len(keys)


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


def test_tables_are_kept_and_read_back(cache: Path) -> None:
    built = cached_tables(CHECKSUM)
    (file,) = cache.glob("strength-*")
    written = file.stat().st_mtime_ns
    again = cached_tables(CHECKSUM)
    assert file.stat().st_mtime_ns == written
    assert all((again[name] == table).all() for name, table in built.items())


def test_a_file_of_other_tables_is_noticed_and_replaced(cache: Path) -> None:
    cached_tables(CHECKSUM)
    (file,) = cache.glob("strength-*")
    whole = file.read_bytes()
    np.savez(file, flush=np.zeros(8192, np.uint16))
    with pytest.warns(UserWarning, match="is damaged; it is made again"):
        assert checksum(cached_tables(CHECKSUM)) == CHECKSUM
    assert file.read_bytes() == whole
