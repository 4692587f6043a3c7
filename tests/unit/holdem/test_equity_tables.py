"""Tables of equities: what is in them, and that they are kept and cannot be changed."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from pokerlab.core import fixed_arrays
from pokerlab.holdem.equity_tables import load_equity_table, load_river_table

TABLES = {
    0: ((1, 1326), "0384fc681b2077a1"),
    3: ((1755, 1326), "22b67d1d3baf3b02"),
    4: ((16_432, 1326), "3851bf22733cd836"),
    5: ((46_364, 351), "b45c74891aba47d6"),
}
"""Shape and the beginning of the SHA-256 of each."""


@pytest.mark.parametrize("num_cards", TABLES)
def test_equity_tables_have_their_checksums(num_cards: int) -> None:
    table = load_river_table() if num_cards == 5 else load_equity_table(num_cards)
    assert (table.shape, hashlib.sha256(table.data).hexdigest()[:16]) == TABLES[num_cards]
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 0


def test_a_table_that_was_made_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_arrays, "get_user_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(fixed_arrays, "find_trusted_shared_folder", lambda: None)
    made = load_equity_table.__wrapped__(0)
    [path] = tmp_path.iterdir()
    assert np.array_equal(np.load(path), made)
