"""Starting hands as a table; the graph of buckets shows each bucket's numbers, and each likely move by its width."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from pokerlab.core import ShapeError
from pokerlab.holdem import format_cards
from pokerlab.holdem.buckets import Buckets
from pokerlab.workbench import list_starting_hands, plot_starting_hands
from pokerlab.workbench.views.holdings import (
    LEAST_PROBABILITY,
    MOST_LINE_WIDTH,
    name_hand,
    plot_buckets,
)
from tests.random_bucketed import random_buckets


def test_each_starting_hand_is_named_by_its_cards() -> None:
    hands = list_starting_hands()
    for row in range(13):
        for column in range(13):
            first, second = format_cards(hands[row, column]).split()
            kind = "" if first[0] == second[0] else "s" if first[1] == second[1] else "o"
            assert name_hand(row, column) == first[0] + second[0] + kind
    names = [name_hand(row, column) for row in range(13) for column in range(13)]
    assert len(set(names)) == 169
    assert sum(name.endswith("s") for name in names) == 78


def test_numbers_stand_in_their_squares() -> None:
    values = np.arange(169).reshape(13, 13) / 200
    figure = plot_starting_hands(values, "found")
    (axes,) = figure.axes
    said = [text.get_text() for text in axes.texts]
    assert axes.get_title(loc="left") == "found"
    assert len(said) == 169
    for index, (name, number) in enumerate(words.split("\n") for words in said):
        assert name == name_hand(*divmod(index, 13))
        assert number == f"{index / 200:.3f}".removeprefix("0")


def test_other_tables_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(169,\); starting hands are \(13, 13\)"):
        plot_starting_hands(np.zeros(169))


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
            shown[one, circles[end[1]].index(end[0])] = width / MOST_LINE_WIDTH
        assert np.allclose(shown, np.where(moves >= LEAST_PROBABILITY, moves, 0.0))


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
