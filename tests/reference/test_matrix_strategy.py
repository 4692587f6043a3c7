"""Compiled matrix strategies decide as the definition in words does, in every situation of random hands."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import MatrixEncoding, make_doubling_schedule, no_limit
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import PLAYER, Tables
from tests.at_tables import DecidedAgain, cash, tournaments, views_of
from tests.oracles.players import matrix_cell, matrix_decision

READINGS = {
    "defaults": MatrixEncoding(),
    "from scratch, ties win, free folds": MatrixEncoding(
        start="scratch", ties="win", free_folds=True
    ),
    "from scratch, ties lose": MatrixEncoding(start="scratch", ties="lose"),
}
SEATS = 6


def watching(encoding: MatrixEncoding, genomes: np.ndarray) -> DecidedAgain:
    how: Any = {"ties": encoding.ties, "free_folds": encoding.free_folds}
    return DecidedAgain(lambda view: matrix_decision(genomes[view.words[PLAYER]], view, **how))


@pytest.mark.parametrize("structure_allows", [True, False])
@pytest.mark.parametrize("reading", READINGS)
def test_the_kernel_decides_as_the_definition_in_cash_games(
    reading: str, structure_allows: bool
) -> None:
    encoding = READINGS[reading]
    genomes = encoding.draw_genomes(random_stream(1, "matrices"), SEATS)
    genomes.reshape(SEATS, -1, 3)[:, ::5] = 0.0  # a fifth of the cells leave it to luck
    watcher = watching(encoding, genomes)
    betting = no_limit(5, 10, free_folds=structure_allows)
    cash(betting, encoding.make_players(genomes), 250, seed=1, stacks=1000, watchers=[watcher])
    assert watcher.wrong == []
    assert watcher.decided.min() > 30


def test_the_kernel_decides_as_the_definition_in_tournaments() -> None:
    """Empty seats, short stacks, big blinds posted short, few players and many."""
    encoding = MatrixEncoding()
    genomes = encoding.draw_genomes(random_stream(2, "matrices"), SEATS)
    watcher = watching(encoding, genomes)
    schedule = make_doubling_schedule(no_limit(5, 10), 5, chips=300 * SEATS)
    lineups = np.tile(np.arange(SEATS), (8, 1))
    players = encoding.make_players(genomes)
    cells: set[tuple[int, int, int, int]] = set()

    def look(tables: Tables, asked: Rows) -> None:
        cells.update(matrix_cell(view, encoding.ties) for view in views_of(tables, asked))

    tournaments(schedule, players, lineups, seed=3, stacks=300, watchers=[watcher, look])
    assert watcher.wrong == []
    assert {table for _, table, _, _ in cells} == {0, 1}
    assert len({cost for *_, cost in cells}) > 10
    assert watcher.decided.sum() > 300
