"""What real cards win from a caller: a value printed elsewhere, and the definition on single streets."""

import numpy as np
import pytest

from pokerlab.holdem import HOLDINGS, win_probability
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.papers.samothrakis2011.cards_and_buckets import best_response_to_caller, mean_edge

JOHANSON = 1163.48
"""Thousandths of a big blind, from Johanson et al. (2011): a witness for all equities at once."""


def test_it_is_what_others_have_printed() -> None:
    assert round(1000 * best_response_to_caller(), 2) == JOHANSON


def test_before_the_flop_it_is_the_mean_over_all_holdings() -> None:
    none = np.empty((len(HOLDINGS), 0), np.uint8)
    edges = [max(0.0, 2.0 * e - 1.0) for e in win_probability(HOLDINGS, none)]
    assert mean_edge(0) == pytest.approx(np.mean(edges), abs=1e-14)


def test_flops_count_as_often_as_they_are_dealt() -> None:
    boards, times = canonical_boards(3)
    total, count = 0.0, 0
    for board, often in list(zip(boards, times, strict=True))[::100]:
        free = [hand for hand in HOLDINGS if not set(hand.tolist()) & set(board.tolist())]
        edges = np.maximum(
            2.0 * win_probability(np.array(free), np.tile(board, (len(free), 1))) - 1.0, 0.0
        )
        total, count = total + often * edges.sum(), count + often * len(free)
    assert mean_edge(1) == pytest.approx(total / count, rel=0.02)
