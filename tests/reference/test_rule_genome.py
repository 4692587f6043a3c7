"""Compiled rule genomes decide as the rule does that is written out card by card."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import limit, no_limit
from pokerlab.holdem.rule_genome import (
    AMOUNT_KINDS,
    BOARD_BITS,
    CHECK_RAISE_CARDS,
    CHECK_RAISE_DRAWS,
    RuleEncoding,
)
from pokerlab.holdem.table_view import PLAYER
from tests.at_tables import DecidedAgain, cash
from tests.oracles.players import rule_decision

NAMES = ("board_bit", "check_raise_draw", "check_raise_cards", "amount")
READINGS = [
    RuleEncoding(**dict(zip(NAMES, reading, strict=True)))
    for reading in product(BOARD_BITS, CHECK_RAISE_DRAWS, CHECK_RAISE_CARDS, AMOUNT_KINDS)
]
TABLES = {
    "ten seats": (limit(2, unlimited_heads_up=True, unlimited_after_folds=True), 10, 200),
    "short stacks": (limit(2, unlimited_heads_up=True), 4, 13),
    "no limit": (no_limit(1, 2), 3, 60),
}
SELDOM = 0.1
"""Of the chance to bluff: bluffers never look at their cards."""


def decided_again(encoding: RuleEncoding, table: str, hands: int, seed: int) -> DecidedAgain:
    """Return who has decided again in random hands."""
    structure, seats, stack = TABLES[table]
    luck = random_stream(seed, table, READINGS.index(replace(encoding, start="dealt")))
    genomes = encoding.draw_genomes(luck, 3 * seats)
    genomes[:, 0] *= SELDOM
    lineups = np.array([luck.permutation(len(genomes))[:seats] for _ in range(hands)])
    how = {name: getattr(encoding, name) for name in NAMES}
    again = DecidedAgain(
        lambda view: rule_decision(genomes[view.words[PLAYER]].tolist(), view, **how)
    )
    players, shown = encoding.make_players(genomes), {"lineups": lineups, "watchers": [again]}
    cash(structure, players, 1, seed=seed, stacks=stack, **shown)
    return again


@pytest.mark.parametrize("start", ["dealt", "uniform"])
@pytest.mark.parametrize("table", TABLES)
def test_the_kernel_decides_as_the_definition_under_every_reading(table: str, start: str) -> None:
    total = 0
    for encoding in READINGS:
        again = decided_again(replace(encoding, start=start), table, hands=15, seed=1)
        assert again.wrong == []
        total += again.decided.sum()
    assert total > 5 * 36 * 15
