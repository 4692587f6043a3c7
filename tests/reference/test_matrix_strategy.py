"""Compiled matrix strategies decide as the definition in words does, in every situation of random hands."""

import numpy as np
import pytest

from pokerlab.core.streams import stream
from pokerlab.holdem import SeatView, doubling, no_limit
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import PLAYER, STREET, Tables
from pokerlab.strategies import MatrixEncoding
from tests.at_tables import cash, tournaments
from tests.oracles.players import matrix_cell, matrix_decision

READINGS = {
    "defaults": MatrixEncoding(),
    "from scratch, ties win, free folds": MatrixEncoding(
        start="scratch", ties="win", free_folds=True
    ),
    "from scratch, ties lose": MatrixEncoding(start="scratch", ties="lose"),
}
SEATS = 6


class Comparison:
    """A watcher that decides everything again; it counts, and writes down what differs."""

    def __init__(self, encoding: MatrixEncoding, genomes: np.ndarray) -> None:
        self.encoding, self.genomes = encoding, genomes
        self.decided, self.wrong = np.zeros(4, int), []
        self.cells: set[tuple[int, int, int, int]] = set()

    def __call__(self, tables: Tables, asked: Rows) -> None:
        for row in asked:
            view = SeatView(tables.views[row].copy(), float(tables.luck[row]))
            expected = matrix_decision(
                self.genomes[view.words[PLAYER]],
                view,
                ties=self.encoding.ties,
                free_folds=self.encoding.free_folds,
            )
            self.decided[view.words[STREET]] += 1
            self.cells.add(matrix_cell(view, self.encoding.ties))
            if expected != tables.actions[row]:
                self.wrong.append(f"{view} {expected}, not {tables.actions[row]}")


@pytest.mark.parametrize("reading", READINGS)
def test_the_kernel_decides_as_the_definition_in_cash_games(reading: str) -> None:
    encoding = READINGS[reading]
    genomes = encoding.random(stream(1, "matrices"), SEATS)
    watcher = Comparison(encoding, genomes)
    betting = no_limit(5, 10, free_folds=True)
    cash(betting, encoding.players(genomes), 250, seed=1, stacks=1000, watchers=[watcher])
    assert watcher.wrong == []
    assert watcher.decided.min() > 30


def test_the_kernel_decides_as_the_definition_in_tournaments() -> None:
    """Empty seats, short stacks, big blinds posted short, few players and many."""
    encoding = MatrixEncoding()
    genomes = encoding.random(stream(2, "matrices"), SEATS)
    watcher = Comparison(encoding, genomes)
    schedule = doubling(no_limit(5, 10), 5, chips=300 * SEATS)
    lineups = np.tile(np.arange(SEATS), (8, 1))
    players = encoding.players(genomes)
    tournaments(schedule, players, lineups, seed=3, stacks=300, watchers=[watcher])
    assert watcher.wrong == []
    assert {table for _, table, _, _ in watcher.cells} == {0, 1}
    assert len({cost for *_, cost in watcher.cells}) > 10
    assert watcher.decided.sum() > 300
