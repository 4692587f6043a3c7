"""Compiled networks see and decide as the definition that is written out number by number."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core.streams import stream
from pokerlab.holdem import SeatView, Structure, doubling, no_limit
from pokerlab.holdem.betting.actions import CALL
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import OVERALL, PLAYER, RECENT, Tables
from pokerlab.strategies import TableNetwork, features
from pokerlab.strategies.players.table_network import (
    AGAINST,
    LAST_INPUTS,
    OPPONENTS,
    RAISE_UNITS,
    READ_OUTS,
    SCALES,
    TIES,
)
from tests.at_tables import cash, tournaments
from tests.oracles.players import (
    network_decision,
    network_inputs,
    network_outputs,
)

PLAIN = TableNetwork()
VARIED = [
    PLAIN,
    *(replace(PLAIN, last_input=name) for name in LAST_INPUTS[1:]),
    *(replace(PLAIN, scale=name, tournament_chips=7_000) for name in SCALES[1:]),
    replace(PLAIN, opponents=OPPONENTS[1]),
    replace(PLAIN, against=AGAINST[1]),
    *(replace(PLAIN, ties=name) for name in TIES[1:]),
    replace(PLAIN, read_out=READ_OUTS[1]),
    replace(PLAIN, raise_unit=RAISE_UNITS[1], small_raise=0.1, medium_raise=0.35, large_raise=0.8),
    *(replace(PLAIN, raise_unit=name) for name in RAISE_UNITS[2:]),
    replace(PLAIN, raise_unit=RAISE_UNITS[2], read_out=READ_OUTS[1]),
    replace(PLAIN, free_folds=True),
    replace(PLAIN, sigmoid_inputs=True),
    replace(PLAIN, biases=False),
    replace(PLAIN, hidden=1),
    replace(PLAIN, hidden=7),
    replace(PLAIN, hidden=33, biases=False),
]
TABLES: dict[str, tuple[Structure, int, int]] = {
    "ten seats": (no_limit(5, 10), 10, 1000),
    "short stacks, free folds": (no_limit(1, 2, ante=1, free_folds=True), 4, 13),
    "heads-up": (no_limit(1, 2), 2, 60),
}
ROUNDING = 3e-7
"""Of an input in float32, relative to 1 and to its size."""


class Comparison:
    """A watcher that decides everything again, by the definition."""

    def __init__(self, network: TableNetwork, genomes: Any) -> None:
        self.network, self.genomes = network, genomes
        self.decided, self.wrong = 0, list[str]()

    def __call__(self, tables: Tables, asked: Rows) -> None:
        """Compare inputs and actions at the rows asked."""
        net = self.network
        for row in asked:
            view = SeatView(tables.views[row].copy(), float(tables.luck[row]))
            inputs = network_inputs(
                view,
                last_input=net.last_input,
                scale=net.scale,
                tournament_chips=net.tournament_chips,
                opponents=net.opponents,
                against=net.against,
                ties=net.ties,
                sigmoid_inputs=net.sigmoid_inputs,
            )
            seen = list(features(net, view).values())
            assert seen == pytest.approx(inputs, rel=ROUNDING, abs=ROUNDING)
            expected = network_decision(
                network_outputs(self.genomes[view.words[PLAYER]], inputs, net.hidden),
                view,
                read_out=net.read_out,
                sizes=(net.small_raise, net.medium_raise, net.large_raise),
                raise_unit=net.raise_unit,
                free_folds=net.free_folds,
            )
            self.decided += 1
            # A share in float32 may lie on the other side of a whole chip.
            chips = 1 if net.raise_unit in RAISE_UNITS[2:] and expected > CALL else 0
            if abs(expected - tables.actions[row]) > chips:
                self.wrong.append(f"{view} {expected}, not {tables.actions[row]}")


@pytest.mark.parametrize("table", TABLES)
def test_networks_see_and_decide_as_the_definition_under_every_setting(table: str) -> None:
    structure, seats, stack = TABLES[table]
    total = 0
    for number, network in enumerate(VARIED):
        luck = stream(1, table, number)
        genomes = network.random(luck, 3 * seats)
        lineups = np.array([luck.permutation(len(genomes))[:seats] for _ in range(20)])
        comparison = Comparison(network, genomes)
        players = network.players(genomes)
        cash(
            structure,
            players,
            1,
            seed=number,
            stacks=stack,
            lineups=lineups,
            watchers=[comparison],
        )
        assert comparison.wrong == []
        total += comparison.decided
    assert total > 40 * len(VARIED)


def test_seats_without_chips_are_empty_in_a_tournament() -> None:
    luck = stream(2, "networks")
    genomes = PLAIN.random(luck, 6)
    comparison = Comparison(PLAIN, genomes)
    empty: list[bool] = []

    def look(tables: Tables, asked: Rows) -> None:
        for row in asked:
            view = SeatView(tables.views[row].copy(), 0.0)
            seen = features(PLAIN, view)
            for place in range(view.num_seats):
                seat = (view.seat + place) % view.num_seats
                if view.stacks[seat] + view.paid[seat] == 0:
                    empty.append(seen[f"chips, {place} to the left"] == 0.0)

    placed = tournaments(
        doubling(no_limit(5, 10), 10, chips=6000),
        PLAIN.players(genomes),
        [[0, 1, 2, 3, 4, 5]] * 3,
        seed=1,
        stacks=1000,
        watchers=[comparison, look],
    )
    assert placed.is_finished.all()
    assert comparison.wrong == []
    assert comparison.decided > 100
    assert len(empty) > 100
    assert all(empty)


def test_aggressiveness_in_the_view_is_seen_up_to_ten() -> None:
    views: list[SeatView] = []

    def remember(tables: Tables, asked: Rows) -> None:
        views.extend(SeatView(tables.views[row].copy(), float(tables.luck[row])) for row in asked)

    genomes = PLAIN.random(stream(3, "networks"), 5)
    cash(no_limit(5, 10), PLAIN.players(genomes), 5, seed=1, stacks=1000, watchers=[remember])
    luck = stream(3, "aggressiveness")
    for view in views:
        for first in (OVERALL, RECENT):
            view.words[first : first + 5] = luck.integers(0, 15_000_000, 5)
        seen = list(features(PLAIN, view).values())
        assert seen == pytest.approx(network_inputs(view), rel=ROUNDING, abs=ROUNDING)
        assert max(seen[15:]) <= 1.0
        assert seen[20:25] == [0.0] * 5
