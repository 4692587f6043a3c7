"""Starting hands as a table, and all hands counted."""

import numpy as np
import pytest

from pokerlab.core import SettingError, ShapeError
from pokerlab.holdem import card_text, category
from pokerlab.workbench import count_all_hands, plot_starting_hands, starting_hands
from pokerlab.workbench.holdem.starting_hands import name_of


def test_each_starting_hand_is_named_by_its_cards() -> None:
    hands = starting_hands()
    for row in range(13):
        for column in range(13):
            first, second = card_text(hands[row, column]).split()
            kind = "" if first[0] == second[0] else "s" if first[1] == second[1] else "o"
            assert name_of(row, column) == first[0] + second[0] + kind
    names = [name_of(row, column) for row in range(13) for column in range(13)]
    assert len(set(names)) == 169
    assert sum(name.endswith("s") for name in names) == 78


def test_numbers_stand_in_their_squares() -> None:
    values = np.arange(169).reshape(13, 13) / 200
    figure = plot_starting_hands(values, "found", digits=2)
    (axes,) = figure.axes
    said = [text.get_text() for text in axes.texts]
    assert axes.get_title(loc="left") == "found"
    for index, (name, number) in enumerate(zip(said[::2], said[1::2], strict=True)):
        assert name == name_of(*divmod(index, 13))
        assert number == f"{index / 200:.2f}".removeprefix("0")


def test_other_tables_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(169,\); starting hands are \(13, 13\)"):
        plot_starting_hands(np.zeros(169))


def test_all_hands_of_five() -> None:
    counts = count_all_hands(5)
    assert counts.sum() == 2_598_960
    names = category(np.arange(len(counts)))
    assert counts[names == "four of a kind"].sum() == 624
    assert counts[names == "straight flush"].sum() == 40


def test_all_hands_of_seven() -> None:
    counts = count_all_hands(7)
    assert counts.sum() == 133_784_560
    names = category(np.arange(len(counts)))
    assert counts[names == "pair"].sum() == 58_627_800
    assert counts[-1] == 4_324  # royal flushes: 4 suits, any two of 47 other cards


def test_other_sizes_are_refused() -> None:
    with pytest.raises(SettingError, match="hands of 6 cards are not counted"):
        count_all_hands(6)
