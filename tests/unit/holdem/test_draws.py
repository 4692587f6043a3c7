"""What hole cards make and lack on a board, against the oracle of rule genomes and by hand."""

import random
from collections import Counter

import numpy as np
import pytest

from pokerlab.core.errors import CardError
from pokerlab.holdem.draws import HandFeatures, find_hand_features
from pokerlab.holdem.hand_rankings import CATEGORIES, evaluate_hand, name_category
from tests.oracles.players import is_near_flush, is_near_straight, made


def some_hands(seed: int, count: int) -> list[tuple[list[int], list[int]]]:
    """Draw hole cards and boards of every size, half of them from few suits and few ranks."""
    luck, hands = random.Random(seed), []
    for number in range(count):
        narrow = [card for card in range(52) if card % 4 < 3 and card // 4 in (0, 1, 2, 3, 4, 12)]
        deck = luck.sample(narrow if number % 2 else range(52), 7)
        hands.append((deck[:2], deck[2 : 2 + (0, 3, 4, 5)[number // 2 % 4]]))
    return hands


def stands(hole: list[int], board: list[int]) -> HandFeatures:
    """Return how hole cards stand, card by card; an ace's rank there is 14."""
    own, shown = ([(card // 4 + 2, card % 4) for card in cards] for cards in (hole, board))
    category, rank = made(own + shown)
    over = sum(one > max((rank for rank, _ in shown), default=0) for one, _ in own)
    beats = not board or made(own + shown) > made(shown)
    draws = is_near_straight(own, shown), is_near_flush(own, shown)
    return HandFeatures(category, rank - 2, over, beats, *draws)


def test_find_hand_features_equals_a_plain_definition() -> None:
    told: Counter[str] = Counter()
    for hole, board in some_hands(1, 480):
        by_hand = stands(hole, board)
        assert find_hand_features(hole, board) == by_hand
        told[CATEGORIES[int(by_hand.category)]] += 1
        told["straight draw"] += bool(by_hand.straight_draw)
        told["flush draw"] += bool(by_hand.flush_draw)
        told["board plays"] += not by_hand.beats_board
    for name in ("straight", "flush", "full house", "straight draw", "flush draw", "board plays"):
        assert told[name] > 0


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("As 5s", "", ("high card", 12, 2, True, False, False)),
        ("8s 8d", "", ("pair", 6, 2, True, False, False)),
        ("As Kd", "Qh Qs Qd", ("three of a kind", 10, 2, False, False, False)),
        ("As Kd", "Qh Js 2d", ("high card", 12, 2, True, True, False)),
        ("Ks 8d", "5h 6s 7d 8c", ("pair", 6, 1, True, False, False)),  # the board lacks one alone
        ("5s 9d", "6h 7s 8d Kc", ("straight", 7, 0, True, False, False)),
        ("As 2s", "Ks 9s 4d", ("high card", 12, 1, True, False, True)),
        ("Ad 2d", "Ks 9s 4s 7s", ("high card", 12, 1, True, False, False)),
        ("Kd Kc", "Ah As Ad Ac 2d", ("four of a kind", 12, 0, False, False, False)),
    ],
)
def test_find_hand_features_of_known_cases(
    hole: str, board: str, expected: tuple[object, ...]
) -> None:
    found = find_hand_features(hole, board)
    assert (CATEGORIES[int(found.category)], *(part.item() for part in found[1:])) == expected


def test_find_hand_features_of_many_equals_each() -> None:
    hands = [(hole, board) for hole, board in some_hands(2, 64) if len(board) == 4]
    together = find_hand_features([hole for hole, _ in hands], [board for _, board in hands])
    for row, (hole, board) in enumerate(hands):
        assert tuple(part[row] for part in together) == find_hand_features(hole, board)
    with pytest.raises(CardError):
        find_hand_features([0, 1], [1, 2, 3])


def test_find_made_hand_agrees_with_strength() -> None:
    rng = np.random.default_rng(1)
    cards = rng.random((20_000, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    found = find_hand_features(cards[:, :2], cards[:, 2:])
    assert (np.array(CATEGORIES)[found.category] == name_category(evaluate_hand(cards))).all()
