"""The graph of buckets shows each bucket's numbers, and each likely move by its width."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.workbench.pictures.holdings import LEAST, WIDEST, plot_buckets
from tests.random_bucketed import random_buckets


@pytest.mark.parametrize("buckets", [random_buckets(6), random_buckets((3, 5, 4, 8), seed=2)])
def test_the_widths_of_the_lines_are_the_chances_of_the_moves(buckets: Buckets) -> None:
    (axes,) = plot_buckets(buckets).axes
    lines = {each.get_gid(): each for each in axes.collections if isinstance(each, LineCollection)}
    for street, moves in enumerate(buckets.transitions):
        drawn = lines[f"moves {street}"]
        circles = places(axes)
        shown = np.zeros_like(moves)
        for (begin, end), width in zip(drawn.get_segments(), drawn.get_linewidths(), strict=True):
            one = circles[begin[1]].index(begin[0])
            shown[one, circles[end[1]].index(end[0])] = width / WIDEST
        assert np.allclose(shown, np.where(moves >= LEAST, moves, 0.0))


def places(axes: Axes) -> dict[float, list[float]]:
    """Return the circles' places across, by their place down, from left to right."""
    found: dict[float, list[float]] = {}
    for circle in axes.patches:
        x, y = circle.get_center()
        found.setdefault(y, []).append(x)
    return found


def test_circles_hold_win_probabilities_and_shares_of_hands() -> None:
    buckets = random_buckets((3, 4, 5, 6))
    (axes,) = plot_buckets(buckets, "Strong hands stay strong").axes
    words = [text.get_text() for text in axes.texts]
    for street, name in enumerate(("preflop", "flop", "turn", "river")):
        at = words.index(name)
        for bucket in range(buckets.counts[street]):
            low, high = buckets.lowest[street][bucket], buckets.highest[street][bucket]
            assert words[at + 1 + 2 * bucket] == f"{low:.2f} to\n{high:.2f}"
            share = buckets.frequencies[street][bucket]
            assert words[at + 2 + 2 * bucket] == f"{100 * share:.0f}%"
    assert axes.get_title(loc="left") == "Strong hands stay strong"
