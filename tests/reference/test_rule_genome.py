"""Compiled rule genomes decide as the rule does that is written out card by card."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pokerlab.core.streams import stream
from pokerlab.holdem import SeatView, limit, no_limit
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import PLAYER, Tables
from pokerlab.strategies.players.rule_genome import AMOUNTS, BOARD_BITS, CARDS, DRAWS, RuleEncoding
from tests.at_tables import cash
from tests.oracles.players import rule_decision

READINGS = [
    RuleEncoding(board_bit=bit, check_raise_draw=draw, check_raise_cards=cards, amount=amount)
    for bit, draw, cards, amount in product(BOARD_BITS, DRAWS, CARDS, AMOUNTS)
]
TABLES = {
    "ten seats": (limit(2, unlimited_heads_up=True, folds_lift_cap=True), 10, 200),
    "short stacks": (limit(2, unlimited_heads_up=True), 4, 13),
    "no limit": (no_limit(1, 2), 3, 60),
}
SELDOM = 0.1
"""Of the chance to bluff: bluffers never look at their cards."""


def differences(encoding: RuleEncoding, table: str, hands: int, seed: int) -> tuple[int, list[str]]:
    """Return how many decisions were made in random hands, and those that differ."""
    structure, seats, stack = TABLES[table]
    luck = stream(seed, table, READINGS.index(replace(encoding, start="dealt")))
    genomes = encoding.random(luck, 3 * seats)
    genomes[:, 0] *= SELDOM
    lineups = np.array([luck.permutation(len(genomes))[:seats] for _ in range(hands)])
    decided, wrong = 0, []

    def compare(tables: Tables, asked: Rows) -> None:
        nonlocal decided
        for row in asked:
            view = SeatView(tables.views[row].copy(), float(tables.luck[row]))
            expected = rule_decision(
                genomes[view.words[PLAYER]].tolist(),
                view,
                board_bit=encoding.board_bit,
                check_raise_draw=encoding.check_raise_draw,
                check_raise_cards=encoding.check_raise_cards,
                amount=encoding.amount,
            )
            decided += 1
            if expected != tables.actions[row]:
                wrong.append(f"{view} {expected}, not {tables.actions[row]}")

    cash(
        structure,
        encoding.players(genomes),
        1,
        seed=seed,
        stacks=stack,
        lineups=lineups,
        watchers=[compare],
    )
    return decided, wrong


@pytest.mark.parametrize("start", ["dealt", "uniform"])
@pytest.mark.parametrize("table", TABLES)
def test_the_kernel_decides_as_the_definition_under_every_reading(table: str, start: str) -> None:
    total = 0
    for encoding in READINGS:
        decided, wrong = differences(replace(encoding, start=start), table, hands=30, seed=1)
        assert wrong == []
        total += decided
    assert total > 5 * 36 * 30
