"""What hole cards make and lack on a board, against counting by hand and by trying every card."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from pokerlab.core.errors import CardError
from pokerlab.holdem.equity.draws import Standing, standing
from pokerlab.holdem.strength.evaluation import category, strength
from pokerlab.holdem.strength.tables import CATEGORIES

WHEEL = {12, 0, 1, 2, 3}


def some_hands(seed: int, count: int) -> list[tuple[list[int], list[int]]]:
    """Draw hole cards and boards of every size, half of them from few suits and few ranks."""
    luck, hands = random.Random(seed), []
    for number in range(count):
        narrow = [card for card in range(52) if card % 4 < 3 and card // 4 in (0, 1, 2, 3, 4, 12)]
        deck = luck.sample(narrow if number % 2 else range(52), 7)
        hands.append((deck[:2], deck[2 : 2 + (0, 3, 4, 5)[number // 2 % 4]]))
    return hands


def top_of_straight(ranks: set[int]) -> int | None:
    """Return the highest rank of a straight among the ranks."""
    for top in range(12, 3, -1):
        if set(range(top - 4, top + 1)) <= ranks:
            return top
    return 3 if ranks >= WHEEL else None


def made(cards: list[int]) -> tuple[int, int]:
    """Return category and rank of the best five cards, or of all if there are fewer."""
    fives = list(combinations(cards, 5))
    best = max(fives, key=lambda five: int(strength(five))) if fives else tuple(cards)
    ranks = [card // 4 for card in best]
    # The rank that comes most often, the higher one of two pair.
    rank = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    if fives:
        name = category(int(strength(best)))
        if name in ("straight", "straight flush"):
            rank = top_of_straight(set(ranks)) or 0
        return CATEGORIES.index(name), rank
    counts = sorted(Counter(ranks).values(), reverse=True)
    names = {(4,): 7, (3,): 3, (3, 1): 3, (2, 2): 2, (2, 1, 1): 1, (2, 1): 1, (2,): 1}
    return names.get(tuple(counts), 0), rank


def stands(hole: list[int], board: list[int]) -> Standing:
    """Return how hole cards stand, by trying every card that may come."""
    both = hole + board
    rest = [card for card in range(52) if card not in both]

    def ranks(cards: list[int]) -> set[int]:
        return {card // 4 for card in cards}

    def in_suit(cards: list[int]) -> int:
        return max(sum(card % 4 == suit for card in cards) for suit in range(4))

    straight = top_of_straight(ranks(both)) is None and any(
        set(run) <= ranks([*both, card]) and not set(run) <= ranks([*board, card])
        for card in rest
        for run in [WHEEL, *(range(low, low + 5) for low in range(9))]
    )
    flush = in_suit(both) < 5 and any(
        in_suit([*both, card]) >= 5 and in_suit([*board, card]) < 5 for card in rest
    )
    over = sum(card // 4 > max(ranks(board), default=-1) for card in hole)
    beats = not board or made(both) > made(board)
    return Standing(*made(both), over, beats, straight, flush)


def test_hole_cards_stand_as_by_hand() -> None:
    told: Counter[str] = Counter()
    for hole, board in some_hands(1, 480):
        by_hand = stands(hole, board)
        assert standing(hole, board) == by_hand
        told[CATEGORIES[int(by_hand.category)]] += 1
        told["straight draw"] += bool(by_hand.needs_straight)
        told["flush draw"] += bool(by_hand.needs_flush)
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
def test_known_cases(hole: str, board: str, expected: tuple[object, ...]) -> None:
    found = standing(hole, board)
    assert (CATEGORIES[int(found.category)], *(part.item() for part in found[1:])) == expected


def test_many_hands_stand_as_each_of_them() -> None:
    hands = [(hole, board) for hole, board in some_hands(2, 64) if len(board) == 4]
    together = standing([hole for hole, _ in hands], [board for _, board in hands])
    for row, (hole, board) in enumerate(hands):
        assert tuple(part[row] for part in together) == standing(hole, board)
    with pytest.raises(CardError):
        standing([0, 1], [1, 2, 3])


def test_seven_cards_make_what_their_strength_says() -> None:
    rng = np.random.default_rng(1)
    cards = rng.random((20_000, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    found = standing(cards[:, :2], cards[:, 2:])
    assert (np.array(CATEGORIES)[found.category] == category(strength(cards))).all()
