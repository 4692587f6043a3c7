"""Tables and two hands in narrow places: pieces whose words have room, and say what the whole says."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, make_doubling_schedule, no_limit, tournament
from pokerlab.holdem.hand import Hand
from pokerlab.workbench import (
    draw_table,
    equity_explorer,
    play_holdem,
    play_kuhn,
    play_tournament,
)
from pokerlab.workbench.drawings.svg import WIDTH_PER_SIZE, SvgDrawing
from pokerlab.workbench.drawings.table_drawing import NARROW
from pokerlab.workbench.explorers.tournament import draw_round_of_tables
from pokerlab.workbench.tables.play_table import PlayTable

PHONE = 284.0
"""Pixels that JupyterLab has for an output in a window of 400."""
LEAST_LETTERS = 8.0
TABLES: dict[str, Callable[[], PlayTable]] = {
    "kuhn": lambda: play_kuhn("always bet", seed=1),
    "limit": lambda: play_holdem(ALWAYS_RAISE, seed=1),
    "tournament": lambda: play_tournament([ALWAYS_CALL, ALWAYS_RAISE] * 4, seed=1),
}


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> PlayTable:
    return TABLES[request.param]()


def find_texts(drawing: SvgDrawing) -> list[Any]:
    root = ElementTree.fromstring(drawing._repr_svg_())
    return [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text]


def words_of(drawings: tuple[SvgDrawing, ...]) -> list[str]:
    return " ".join(text.text or "" for each in drawings for text in find_texts(each)).split()


def test_pieces_of_a_table_say_what_the_whole_says(table: PlayTable) -> None:
    for move in (None, "bet", "raise", "call", "all-in"):
        if move is None:
            table.deal()
        elif table.match.is_waiting and move in table.list_move_labels():
            table.act(move)
        picture = table.picture
        assert sorted(words_of(picture.pieces)) == sorted(words_of((picture,)))


def test_letters_of_pieces_are_read_on_a_phone(table: PlayTable) -> None:
    table.deal()
    for piece in table.picture.pieces:
        assert piece.width <= NARROW
        shrunk = min(PHONE / piece.width, 1.35)
        sizes = [float(text.attrib["font-size"]) for text in find_texts(piece)]
        marks = 8.5, 10.5  # numbers in a seat's shape
        assert min(size for size in sizes if size not in marks) * shrunk >= LEAST_LETTERS


@pytest.mark.parametrize("seats", range(2, 11))
def test_seats_of_a_narrow_table_lie_apart_and_inside(seats: int) -> None:
    hand = Hand.begin(no_limit(1, 2), [123_456] * seats, 0, range(2 * seats + 5))
    names = [f"network of generation {100 + seat}" for seat in range(seats)]
    (piece,) = draw_table(
        hand, names=names, title="Hand 12, your turn: fold, call 17 or raise?"
    ).pieces
    root = ElementTree.fromstring(piece._repr_svg_())
    rows = [
        (float(each.attrib["y"]), float(each.attrib["height"]))
        for each in root.iter("{http://www.w3.org/2000/svg}rect")
        if each.attrib.get("rx") == "6"
    ]
    assert len(rows) == seats
    assert rows[-1][0] + rows[-1][1] <= piece.height
    assert all(y + height < below for (y, height), (below, _) in pairwise(rows))
    for text in find_texts(piece):
        room = len(text.text) * float(text.attrib["font-size"]) * WIDTH_PER_SIZE
        begins = float(text.attrib["x"]) - room * (text.attrib.get("text-anchor") == "end")
        assert begins >= -1
        assert begins + room <= piece.width + 1 or text.attrib.get("text-anchor") == "middle"


def test_pots_with_many_winners_have_room_in_a_narrow_table() -> None:
    hand = Hand.begin(no_limit(1, 2), [10, 30, 60, 80], 0, range(13))
    for action in (80, 0, 0, 0):
        hand = hand.after(action)
    names = [f"network {seat} of LargeHOF" for seat in range(4)]
    (piece,) = draw_table(hand, names=names).pieces
    said = words_of((piece,))
    assert said.count("won") + said.count("shared") == len(hand.pots) > 1
    frames = [
        float(t.attrib["y"]) for t in find_texts(piece) if (t.text or "").startswith("network")
    ]
    pots = [float(t.attrib["y"]) for t in find_texts(piece) if "pot" in (t.text or "")]
    assert max(pots) < min(y for y in frames if y > max(pots))


def find_numbers(drawings: tuple[SvgDrawing, ...]) -> list[str]:
    """Return all equities and counts, sorted."""
    return sorted(each for each in words_of(drawings) if re.fullmatch(r"[\d,.]{3,}", each))


@pytest.mark.parametrize("board", ["", "2c 3d 7h", "2c 3d 7h 8s Jc"])
def test_pieces_of_two_hands_hold_all_numbers_in_letters_that_are_read(board: str) -> None:
    picture = equity_explorer("As Kd", "8d 7d", board, seed=1).picture
    numbers = find_numbers((picture,))
    assert {"0.5948", "1,712,304"} <= {*numbers}
    assert find_numbers(picture.pieces) == numbers
    for piece in picture.pieces:
        assert piece.width <= NARROW
        sizes = [float(text.attrib["font-size"]) for text in find_texts(piece)]
        assert min(size for size in sizes if size != 10.5) * PHONE / piece.width >= LEAST_LETTERS


def test_tables_of_a_round_stand_in_two_columns_of_a_narrow_place() -> None:
    schedule = make_doubling_schedule(no_limit(5, 10), 20, chips=5_000)
    game = tournament(schedule, entrants=50, seats=10, stacks=100)
    placed = game.play([ALWAYS_CALL], [[0] * 50], seed=1, record=True)
    picture = draw_round_of_tables(next(placed.replay_rounds(0)))
    (piece,) = picture.pieces
    tables = [text for text in find_texts(piece) if (text.text or "").startswith("table ")]
    assert [text.text for text in tables] == [f"table {number}" for number in range(1, 6)]
    assert len({text.attrib["x"] for text in tables}) == 2
    assert piece.width == NARROW
    sizes = [float(text.attrib["font-size"]) for text in find_texts(piece)]
    assert min(sizes) * PHONE / piece.width >= LEAST_LETTERS
