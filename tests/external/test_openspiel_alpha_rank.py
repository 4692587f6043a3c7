"""OpenSpiel as an outside witness of alpha-rank."""

import sys
from types import ModuleType

import numpy as np
import pytest

from pokerlab.metrics import rate_players
from pokerlab.metrics.match_results import ALPHA_RANK_EPSILON

pytest.importorskip("pyspiel")
pytestmark = pytest.mark.external
PICTURES = "open_spiel.python.egt.alpharank_visualizer"
"""What OpenSpiel draws with, and loads together with alpha-rank; it needs networkx."""


@pytest.mark.parametrize("ties", [False, True], ids=["clear", "with ties"])
@pytest.mark.parametrize("size", [2, 3, 5, 8, 20])
@pytest.mark.parametrize("seed", range(2))
def test_alpha_rank(monkeypatch: pytest.MonkeyPatch, seed: int, size: int, *, ties: bool) -> None:
    monkeypatch.setitem(sys.modules, PICTURES, ModuleType(PICTURES))
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    cells = np.triu(np.random.default_rng(seed).normal(size=(size, size)), 1)
    cells = np.round(cells) if ties else cells
    table = cells - cells.T
    _, _, theirs, _, _ = alpharank.compute(
        [table], use_inf_alpha=True, inf_alpha_eps=ALPHA_RANK_EPSILON
    )
    assert rate_players(table).alpha_rank == pytest.approx(theirs, abs=1e-9)


def test_a_large_alpha_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is played at all, and in which order, with OpenSpiel's finite alpha and population."""
    monkeypatch.setitem(sys.modules, PICTURES, ModuleType(PICTURES))
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    for seed in range(10):
        cells = np.triu(np.random.default_rng(seed).choice([-1.0, 1.0], (6, 6)), 1)
        table = cells - cells.T
        _, _, theirs, _, _ = alpharank.compute([table], m=20, alpha=5)
        assert rate_players(table).alpha_rank == pytest.approx(theirs, abs=0.06)
