"""Win probabilities inside kernels: boards find their class, and hands the exact number."""

import numpy as np
import pytest

from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import win_probability
from pokerlab.holdem.equity import TIE_VALUES, load_win_probability_tables, look_up_win_probability


@pytest.mark.parametrize("num_board", [0, 3, 4, 5])
def test_look_up_win_probability_equals_win_probability(num_board: int) -> None:
    tables = load_win_probability_tables()
    decks = random_stream(2, "decks", num_board).random((1_000, 52)).argsort(axis=1)
    hole, board = np.split(decks[:, : 2 + num_board].astype(np.uint8), [2], axis=1)
    for rule, tie in TIE_VALUES.items():
        exact = win_probability(hole, board, rule)
        found = [
            look_up_win_probability(tables, *cards, tie) for cards in zip(hole, board, strict=True)
        ]
        assert found == exact.tolist()
