"""phevaluator as an outside witness of equities: every opponent's hand evaluated by it."""

from itertools import combinations

import pytest

from pokerlab.core import stream
from pokerlab.holdem.cards.deck import NUM_CARDS, parse_cards
from pokerlab.holdem.equity.against import showdowns
from pokerlab.holdem.equity.exact import comparisons
from tests.random_cards import deal

evaluator = pytest.importorskip("phevaluator.evaluator")
pytestmark = pytest.mark.external

MONOTONE = ["As Ks 9s 7s 2s", "Kh Qh Jh 9h 2c", "8d 6d 3d Ac Ks", "Jc Tc 9c 8c"]


def compared(mine: list[int], others: list[list[int]]) -> tuple[int, int]:
    """Return wins and ties of seven cards against others; their cards are numbered as ours."""
    own = evaluator.evaluate_7cards(*mine)
    theirs = [evaluator.evaluate_7cards(*hand) for hand in others]
    return sum(rank > own for rank in theirs), theirs.count(own)


def counted(hole: list[int], board: list[int]) -> tuple[int, int]:
    """Return wins and ties against every hand on every board to come."""
    left = [card for card in range(NUM_CARDS) if card not in (*hole, *board)]
    wins = ties = 0
    for coming in combinations(left, 5 - len(board)):
        five = [*board, *coming]
        opponents = combinations([card for card in left if card not in coming], 2)
        won, tied = compared([*hole, *five], [[*two, *five] for two in opponents])
        wins, ties = wins + won, ties + tied
    return wins, ties


def test_random_hands_on_the_river() -> None:
    for cards in deal(stream(1, "river"), 300, 7):
        found = comparisons(cards[:2], cards[2:])
        assert (found.wins, found.ties) == counted(cards[:2].tolist(), cards[2:].tolist())


@pytest.mark.parametrize("text", MONOTONE)
def test_boards_with_a_flush_in_sight(text: str) -> None:
    board = parse_cards(text)
    rest = [card for card in range(NUM_CARDS) if card not in board]
    for row in stream(1, "holes", len(board)).permuted([rest] * 4, axis=1):
        found = comparisons(row[:2], board)
        assert (found.wins, found.ties) == counted(row[:2].tolist(), board.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Ah 9h 4h", "Ks Kd 7c", "Td 9d 2s"])
def test_flops(text: str) -> None:
    board = parse_cards(text)
    for hole in ("As Ac", "Jh Th", "7s 2d"):
        found = comparisons(parse_cards(hole), board)
        assert (found.wins, found.ties) == counted(parse_cards(hole).tolist(), board.tolist())


def test_two_hands_on_all_boards_after_a_flop() -> None:
    for cards in deal(stream(1, "two hands"), 30, 7):
        left = [card for card in range(NUM_CARDS) if card not in cards]
        boards = [[*cards[4:].tolist(), *coming] for coming in combinations(left, 2)]
        results = [
            compared([*cards[:2].tolist(), *board], [[*cards[2:4].tolist(), *board]])
            for board in boards
        ]
        wins, ties = (sum(column) for column in zip(*results, strict=True))
        assert showdowns(cards[:2], cards[2:4], cards[4:])[:2] == (wins, ties)
