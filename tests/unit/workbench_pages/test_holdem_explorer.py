"""The equity explorer: what it shows is what counting by hand says, street by street."""

import html
import re
from itertools import combinations

import numpy as np
import pytest

from pokerlab.holdem import evaluate_hand, format_cards, parse_cards
from pokerlab.workbench import equity_explorer
from pokerlab.workbench.explorers.equity import EquityReading
from pokerlab.workbench.live.explorer import Explorer

ROUNDING = 1e-12


@pytest.fixture
def explorer() -> Explorer[EquityReading]:
    return equity_explorer("As Ah", "8d 7d", "Td 9d 2c", seed=1)


def by_hand(first: str, second: str, board: str) -> tuple[int, int, int]:
    holes, dealt = [parse_cards(first), parse_cards(second)], parse_cards(board)
    rest = np.setdiff1d(np.arange(52), [*holes[0], *holes[1], *dealt])
    boards = [[*dealt, *more] for more in combinations(rest, 5 - len(dealt))]
    own, other = (evaluate_hand([[*hole, *each] for each in boards]) for hole in holes)
    return int((own > other).sum()), int((own == other).sum()), int((own < other).sum())


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [
        ("As Ah", "8d 7d", "Td 9d 2c"),
        ("As Kh", "Ad Kd", "Td 9d 2c"),
        ("2h 2s", "Ah Kh", "Qh Jh 2d Th"),
        ("2h 3s", "4h 3d", "Ah Kh Qh Jh Th"),
    ],
)
def test_every_street_agrees_with_counting_by_hand(first: str, second: str, board: str) -> None:
    streets = equity_explorer(first, second, board, seed=1).reading.streets
    cards = board.split()
    sizes = [size for size in (3, 4, 5) if size <= len(cards)]
    assert len(streets) == 1 + len(sizes)
    for size, counted in zip(sizes, streets[1:], strict=True):
        assert tuple(counted) == by_hand(first, second, " ".join(cards[:size]))


@pytest.mark.parametrize("board", ["Td 9d 2c", "Ah Kh Qh Jh"])
def test_each_square_agrees_with_counting_by_hand(board: str) -> None:
    now = equity_explorer("2h 3s", "4h 3d", board, seed=1).reading
    for card in range(52):
        name = format_cards(card)
        if name in {"2h", "3s", "4h", "3d", *board.split()}:
            assert np.isnan(now.next_equity[card])
            continue
        won, tied, lost = by_hand("2h 3s", "4h 3d", f"{board} {name}")
        expected = (won + tied / 2) / (won + tied + lost)
        assert now.next_equity[card] == pytest.approx(expected, abs=ROUNDING)


def test_streets_are_dealt_one_by_one(explorer: Explorer[EquityReading]) -> None:
    explorer.buttons["Clear the board"].click()
    assert len(explorer.reading.board) == 0
    for name, size in (("flop", 3), ("turn", 4), ("river", 5)):
        assert explorer.buttons["deal"].description == f"Deal the {name}"
        explorer.buttons["deal"].click()
        assert len(explorer.reading.board) == size
        assert parse_cards(explorer.rows["board"].value).tolist() == explorer.reading.board.tolist()
    assert explorer.buttons["deal"].disabled
    board = explorer.reading.board
    explorer.press_button("deal")
    assert explorer.reading.board is board


def test_new_hands_come_without_a_board(explorer: Explorer[EquityReading]) -> None:
    seen = set()
    for _ in range(5):
        explorer.buttons["Deal new hands"].click()
        assert len(explorer.reading.board) == 0
        seen.add(format_cards(explorer.reading.holes.ravel()))
    assert len(seen) == 5


def test_the_seed_decides_what_is_dealt() -> None:
    boards = []
    for seed in (1, 1, 2):
        explorer = equity_explorer(seed=seed)
        explorer.buttons["deal"].click()
        boards.append(explorer.rows["board"].value)
    assert boards[0] == boards[1] != boards[2]


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("player 1", "As", "player 1 has two cards, such as 'As Kd'; 'As' has 1"),
        ("player 1", "As As", "a card appears twice in 'As As'"),
        ("player 2", "As Kd", "player 1 and player 2 both have As; one deck has each card once"),
        ("player 2", "9d Kd", "player 2 and board both have 9d; one deck"),
        ("board", "Td", "board has no card, or three to five; 'Td' has 1"),
        ("board", "Td 9d xx", "not a card"),
    ],
)
def test_errors_are_said(
    explorer: Explorer[EquityReading], field: str, text: str, message: str
) -> None:
    before = explorer.reading
    explorer.rows[field].value = text
    assert re.search(message, html.unescape(explorer.message.value))
    assert explorer.reading is before
    explorer.rows[field].value = {"player 1": "Ks Kh", "player 2": "8d 6d", "board": ""}[field]
    assert explorer.message.value == ""
    assert explorer.reading is not before
