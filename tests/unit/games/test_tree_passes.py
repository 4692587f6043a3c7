"""The memory that the passes pass over, against a plain second definition, bit for bit."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import SequenceForm
from studies.samothrakis2011.open_cards import open_cards
from tests.oracles.game_block import plain_block
from tests.random_games import random_rules

CHANCE_AND_THREE = """EFG 2 R "chance and three" { "A" "B" "C" } ""
c "" 1 "" { "x" 1/3 "y" 2/3 } 0
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "u" "d" } 0
t "" 1 "" { 1, -1, 0 }
p "" 3 1 "" { "s" "t" } 0
t "" 2 "" { 2, 0, 1 }
t "" 3 "" { 1, 1, 1 }
t "" 4 "" { 0, 3, -5/2 }
p "" 1 2 "" { "l" "r" } 0
p "" 2 1 "" { "u" "d" } 0
t "" 5 "" { 7, -1, 0 }
t "" 6 "" { 0, 0, 0 }
p "" 3 1 "" { "s" "t" } 0
t "" 7 "" { 1, 2, 3 }
t "" 8 "" { 3, 2, 1 }
"""


def assert_same_block(game: SequenceForm) -> None:
    assert game.block.tobytes() == plain_block(game).tobytes()


@pytest.mark.parametrize(
    "make",
    [
        pl.games.kuhn,
        lambda: pl.games.kuhn(3),
        lambda: pl.games.one_card_poker(5),
        lambda: pl.games.leduc(isomorphic=True),
        lambda: open_cards(pl.games.kuhn()),
        lambda: pl.games.bimatrix([[3, 1], [0, 2], [1, 1]], [[1, 2], [3, 0], [0, 1]]),
    ],
    ids=["KP(2)", "KP(3)", "one card", "Leduc", "open cards", "bimatrix"],
)
def test_block_of_a_known_game_equals_the_plain_one(make: Callable[[], SequenceForm]) -> None:
    assert_same_block(make())


def test_block_of_a_file_with_chance_equals_the_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text(CHANCE_AND_THREE, encoding="utf-8")
    assert_same_block(pl.games.read_efg(path))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_block_of_a_random_game_equals_the_plain_one(players: int, seed: int) -> None:
    game = pl.games.compile_rules(random_rules(seed, players))
    assert_same_block(game)
    assert game.sequence.tolist() == np.unique(game.sequence, axis=0).tolist()


def test_block_of_a_game_without_choices_equals_the_plain_one() -> None:
    class OneEnd(pl.games.matrix_games.MatrixGame):
        """A game that is over when it begins."""

        def turn(self, history: tuple[str, ...]) -> pl.games.rules.Turn:
            return pl.games.Terminal((3, -3))

    zeros = [[0]]
    assert_same_block(pl.games.compile_rules(OneEnd("one end", zeros, zeros, ("a",), ("b",))))
