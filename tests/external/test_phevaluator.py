"""phevaluator as an outside witness of every strength there is, and of a million random hands."""

import numpy as np
import pytest

from pokerlab.core import random_stream
from pokerlab.holdem import NUM_STRENGTHS, evaluate_hand
from pokerlab.holdem.cards import Cards
from pokerlab.holdem.hand_rankings import list_rank_multisets
from tests.random_cards import deal

evaluator = pytest.importorskip("phevaluator.evaluator")
pytestmark = pytest.mark.external


def their_ranks(hands: Cards) -> np.ndarray:
    """Return phevaluator's ranks, 1 for a royal flush to 7462; its cards are numbered as ours."""
    evaluate = getattr(evaluator, f"evaluate_{hands.shape[1]}cards")
    return np.array([evaluate(*hand) for hand in hands.tolist()])


def one_hand_of_each_class() -> Cards:
    """Return five-card hands of every set of ranks, suited where that can be."""
    ranks = list_rank_multisets(5)
    mixed = ranks * 4 + [0, 1, 2, 3, 0]  # equal ranks are neighbors, at most four: suits differ
    suited = ranks[(np.diff(ranks) > 0).all(axis=1)] * 4
    return np.concatenate([mixed, suited]).astype(np.uint8)


def test_all_classes_of_five_cards_stand_in_the_same_order() -> None:
    hands = one_hand_of_each_class()
    strengths = evaluate_hand(hands)
    assert len(hands) == NUM_STRENGTHS
    assert sorted(strengths) == list(range(NUM_STRENGTHS))
    assert (strengths == NUM_STRENGTHS - their_ranks(hands)).all()


@pytest.mark.parametrize(("num_cards", "num_hands"), [(5, 200_000), (6, 200_000), (7, 300_000)])
def test_random_hands_have_the_same_strength(num_cards: int, num_hands: int) -> None:
    hands = deal(random_stream(1, "hands", num_cards), num_hands, num_cards)
    assert (evaluate_hand(hands) == NUM_STRENGTHS - their_ranks(hands)).all()
