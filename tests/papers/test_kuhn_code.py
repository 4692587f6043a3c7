"""Kuhn's code: his solution, and what it means."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import PokerlabError
from pokerlab.papers.samothrakis2011 import KuhnCode

KUHN = pl.games.kuhn()
SOLUTION = KuhnCode([(0, 0, 3), (0, 1, 3), (2, 0, 3)])
EXACT = 1e-12


def test_the_solution_means_what_the_paper_says() -> None:
    """Section 4.1: after a pass card 1 bluffs a third, card 2 checks; after a bet card 2 calls a third."""
    assert SOLUTION.chances == pytest.approx(np.array([[1 / 3, 0, 1], [0, 1 / 3, 1]]), abs=EXACT)
    assert SOLUTION.profile().at(1, "J, pass")["bet"] == pytest.approx(1 / 3)
    assert str(SOLUTION) == "1/3 (0, 0, 3) + 1/3 (0, 1, 3) + 1/3 (2, 0, 3)"
    assert SOLUTION.bits() == "1/3 (00, 00, 11) + 1/3 (00, 01, 11) + 1/3 (10, 00, 11)"


def test_the_solution_holds_player_1_to_the_value() -> None:
    best = KUHN.best_response(SOLUTION.profile(), 0).value
    assert best == pytest.approx(-1 / 18, abs=EXACT)
    other = KuhnCode([(0, 0, 3)]).profile()
    assert KUHN.best_response(other, 0).value > -1 / 18 + 0.05


@pytest.mark.parametrize(
    ("codes", "weights", "words"),
    [
        ([(0, 0, 4)], None, "not a strategy in Kuhn's code"),
        ([(0, 3)], None, "a digit from 0 to 3 for each card"),
        ([], None, "0 codes"),
        ([(0, 0, 3)], [0.5, 0.5], "1 codes"),
        ([(0, 0, 3), (0, 1, 3)], [0.5, 0.4], r"sum to 0\.9"),
        ([(0, 0, 3), (0, 1, 3)], [float("nan"), 1.0], "0 or more"),
    ],
)
def test_bad_codes_are_refused(codes: Any, weights: Any, words: str) -> None:
    with pytest.raises(PokerlabError, match=words):
        KuhnCode(codes, weights)
