"""Win probabilities inside kernels: boards find their class, and hands the exact number."""

from itertools import combinations, permutations

import numpy as np
import pytest

from pokerlab.core.streams import stream
from pokerlab.holdem import win_probability
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.exact import TIES_WON
from pokerlab.holdem.equity.lookup import (
    CLASS,
    flop_classes,
    flop_number,
    lookup_tables,
    renamed,
    turn_classes,
    win_probability_on,
)


def test_each_flop_has_a_number_in_any_order() -> None:
    numbers = [flop_number(np.array(flop, np.uint8)) for flop in combinations(range(52), 3)]
    assert sorted(numbers) == list(range(22_100))
    flop = np.array([50, 3, 17], np.uint8)
    assert len({flop_number(flop[list(order)]) for order in permutations(range(3))}) == 1


def test_renamed_boards_are_canonical() -> None:
    flops, turns = flop_classes(), turn_classes()
    decks = stream(1, "decks").random((500, 52)).argsort(axis=1)[:, :4].astype(np.uint8)
    for board in decks:
        found = int(flops[flop_number(board)])
        flop = [renamed(found, int(card)) for card in board]
        canonical = hand_classes(3).hand(found >> CLASS)
        assert found >> CLASS == hand_classes(3).index(board[:3])
        assert sorted(flop[:3]) == sorted(canonical.tolist())
        then = int(turns[found >> CLASS, flop[3]])
        turn = [renamed(then, card) for card in flop]
        assert then >> CLASS == hand_classes(4).index(board)
        assert sorted(turn) == sorted(hand_classes(4).hand(then >> CLASS).tolist())
    assert (turns == 0).sum() == 1755 * 3


@pytest.mark.parametrize("num_board", [0, 3, 4, 5])
def test_hands_find_the_exact_number(num_board: int) -> None:
    tables = lookup_tables()
    decks = stream(2, "decks", num_board).random((1_000, 52)).argsort(axis=1)
    hole, board = np.split(decks[:, : 2 + num_board].astype(np.uint8), [2], axis=1)
    for rule, tie in TIES_WON.items():
        exact = win_probability(hole, board, rule)
        found = [win_probability_on(tables, *cards, tie) for cards in zip(hole, board, strict=True)]
        assert found == exact.tolist()
