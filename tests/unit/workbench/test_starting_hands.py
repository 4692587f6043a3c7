"""The site's table of starting hands agrees with the library's counts, entry by entry."""

import base64
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from pokerlab.holdem.cards import (
    HOLDINGS,
    HOLDS_CARD,
    find_holding_indices,
    format_cards,
    parse_cards,
)
from pokerlab.holdem.equity_against import count_showdowns
from pokerlab.holdem.equity_tables import WIDE_TIE_SHIFT, WIDE_WIN_MASK, load_equity_table
from tools.starting_hands import (
    NAMES,
    NUM_BOARDS,
    RUN,
    SCALE,
    compare_starting_hands,
    index_starting_hands,
    write_starting_hands,
)

MOST_BYTES = 100_000
NUM_HANDS = 169


def test_starting_hands_have_their_usual_names() -> None:
    at = index_starting_hands()
    assert len({*NAMES}) == NUM_HANDS
    assert {*np.bincount(at).tolist()} == {4, 6, 12}
    for index, holding in zip(at, HOLDINGS, strict=True):
        low, high = format_cards(holding).split()
        ranks = {low[0], high[0]}
        kind = "" if len(ranks) == 1 else "s" if low[1] == high[1] else "o"
        assert ({*NAMES[index][:2]}, NAMES[index][2:]) == (ranks, kind)
    assert NAMES[at[find_holding_indices(parse_cards("As Ks"))]] == "AKs"


def test_starting_hands_against_all_others_have_the_equity_of_the_library() -> None:
    hands, at = compare_starting_hands(), index_starting_hands()
    table, sizes = load_equity_table(0)[0], np.bincount(at)
    wins, ties = (table & WIDE_WIN_MASK).astype(np.int64), (table >> WIDE_TIE_SHIFT).astype(int)
    first = [int(np.flatnonzero(at == index)[0]) for index in range(NUM_HANDS)]
    assert np.array_equal(hands.wins.sum(axis=1), sizes * wins[first])
    assert np.array_equal(hands.ties.sum(axis=1), sizes * ties[first])
    assert np.array_equal(hands.wins + hands.ties + hands.wins.T, NUM_BOARDS * hands.pairs)
    assert hands.pairs.sum() == 1326 * 1225


@pytest.mark.parametrize("count", [40, pytest.param(None, marks=pytest.mark.slow)])
def test_each_pair_of_starting_hands_is_counted_from_its_cards(count: int | None) -> None:
    hands, at = compare_starting_hands(), index_starting_hands()
    pairs = np.argwhere(np.tri(NUM_HANDS, dtype=bool))
    if count is not None:
        pairs = np.random.default_rng(1).permutation(pairs)[:count]
    for one, other in pairs.tolist():
        holding = HOLDINGS[np.flatnonzero(at == one)[0]]  # stands for all of its suits
        others = np.flatnonzero((at == other) & ~HOLDS_CARD[holding].any(axis=0))
        found = [count_showdowns(holding, each) for each in HOLDINGS[others]]
        size = np.count_nonzero(at == one)
        assert hands.pairs[one, other] == size * len(found)
        assert hands.wins[one, other] == size * sum(each.wins for each in found)
        assert hands.ties[one, other] == size * sum(each.ties for each in found)


def test_file_of_starting_hands_is_small_and_has_every_share(tmp_path: Path) -> None:
    write_starting_hands(tmp_path)
    script = (tmp_path / f"{RUN}.js").read_text(encoding="ascii")
    assert len(script) < MOST_BYTES
    (packed,) = re.findall(rf'pokerlabRuns.receive\("{RUN}", "(.*)"\);\n', script)
    head, _, arrays = gzip.decompress(base64.b64decode(packed)).partition(b"\n")
    sizes = json.loads(head)["sizes"]
    assert sum(sizes) == len(arrays)
    hands, above = compare_starting_hands(), np.triu_indices(NUM_HANDS)
    for numbers, counts in zip(
        np.split(np.frombuffer(arrays, "<u2"), 2), (hands.wins, hands.ties), strict=True
    ):
        share = (counts / (NUM_BOARDS * hands.pairs))[above]
        assert np.abs(numbers / SCALE - share).max() <= 0.5 / SCALE + 1e-12
