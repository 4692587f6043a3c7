"""Starting hands as a table."""

import numpy as np
import pytest

from pokerlab.core import ShapeError
from pokerlab.holdem import card_text
from pokerlab.workbench import plot_starting_hands, starting_hands
from pokerlab.workbench.pictures.holdings import name_of


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
