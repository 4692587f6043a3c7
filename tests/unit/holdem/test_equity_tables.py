"""Tables of equities on disk: kept, resumed, and made again when damaged."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pokerlab.holdem.equity import tables as equity_tables
from pokerlab.holdem.equity.tables import KINDS, digest, equity_table, paths


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let tables lie in a fresh folder, and be forgotten before and after."""
    monkeypatch.setattr(equity_tables, "user_cache", lambda: tmp_path)
    equity_table.cache_clear()
    yield tmp_path
    equity_table.cache_clear()
    for path in tmp_path.iterdir():  # 100 MB, which pytest would keep for three runs
        path.unlink()


def test_tables_have_a_row_a_canonical_board(folder: Path) -> None:
    assert {cards: equity_table(cards).shape for cards in KINDS} == {
        0: (1, 1326),
        3: (1755, 1326),
        4: (16_432, 1326),
    }
    assert sum(path.stat().st_size for path in folder.iterdir()) == sum(
        equity_table(cards).nbytes for cards in KINDS
    )


def test_a_table_once_made_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = equity_table(4)
    equity_table.cache_clear()
    forbid_making(monkeypatch, 4)
    assert np.array_equal(equity_table(4), made)


def forbid_making(monkeypatch: pytest.MonkeyPatch, cards: int) -> None:
    def refuse(first: int, beyond: int, out_counts: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setitem(KINDS, cards, KINDS[cards]._replace(fill=refuse))


def test_a_build_that_was_killed_goes_on_from_the_pieces_it_has(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = KINDS[4]
    pieces = []

    def fill_until_killed(first: int, beyond: int, out_counts: np.ndarray) -> None:
        if len(pieces) == 3:
            raise KeyboardInterrupt
        pieces.append((first, beyond))
        kind.fill(first, beyond, out_counts)

    monkeypatch.setitem(KINDS, 4, kind._replace(fill=fill_until_killed))
    with pytest.raises(KeyboardInterrupt):
        equity_table(4)
    assert [path.exists() for path in paths(kind)] == [True] * 3 + [False] * 5
    assert len(list(folder.iterdir())) == 3

    def fill_rest(first: int, beyond: int, out_counts: np.ndarray) -> None:
        pieces.append((first, beyond))
        kind.fill(first, beyond, out_counts)

    monkeypatch.setitem(KINDS, 4, kind._replace(fill=fill_rest))
    assert equity_table(4).shape == (16_432, 1326)
    assert [first for first, _ in pieces] == [2_054 * i for i in range(8)]


@pytest.mark.parametrize("harm", ["cut off", "one bit", "too long", "empty", "another's"])
def test_a_damaged_piece_is_noticed_and_made_again(folder: Path, harm: str) -> None:
    whole = equity_table(0).copy()
    (path,) = paths(KINDS[0])
    content = path.read_bytes()
    flipped = bytes([content[0] ^ 1]) + content[1:]
    damaged = {
        "cut off": content[:-8],
        "one bit": flipped,
        "too long": content + b"\0",
        "empty": b"",
        "another's": b"\0" * len(content),
    }
    path.write_bytes(damaged[harm])
    equity_table.cache_clear()
    with pytest.warns(UserWarning, match=rf"{path.name} is damaged; it is made again"):
        again = equity_table(0)
    assert np.array_equal(again, whole)
    assert path.read_bytes() == content


def test_where_nothing_can_be_written_the_table_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(equity_tables, "user_cache", lambda: tmp_path / "file")
    equity_table.cache_clear()
    assert digest(equity_table(0)) == KINDS[0].digests[0]
    equity_table.cache_clear()


def test_tables_cannot_be_changed_by_mistake() -> None:
    with pytest.raises(ValueError, match="read-only"):
        equity_table(0)[0, 0] = 0
