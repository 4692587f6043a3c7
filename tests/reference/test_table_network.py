"""Compiled networks see and decide as the definition that is written out number by number."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import SeatView, TableNetwork, limit, make_doubling_schedule, no_limit
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.network_genome import (
    AGAINST,
    RAISE_UNITS,
    READ_OUTS,
    SCALES,
)
from pokerlab.holdem.network_habits import describe_inputs
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import OVERALL, PLAYER, RECENT, Tables
from tests.at_tables import DecidedAgain, cash, tournaments, views_of
from tests.oracles.players import network_decision, network_inputs, network_outputs

PLAIN = TableNetwork()
VARIED = [
    PLAIN,
    replace(PLAIN, scale=SCALES[1]),
    replace(PLAIN, against=AGAINST[1]),
    replace(PLAIN, read_out=READ_OUTS[1]),
    replace(PLAIN, small_raise=0.1, medium_raise=0.35, large_raise=0.8),
    replace(PLAIN, raise_unit=RAISE_UNITS[1]),
    replace(PLAIN, raise_unit=RAISE_UNITS[1], read_out=READ_OUTS[1]),
    replace(PLAIN, free_folds=True),
    replace(PLAIN, hidden=1),
    replace(PLAIN, hidden=7),
    replace(PLAIN, hidden=33),
]
TABLES: dict[str, tuple[Structure, int, int]] = {
    "ten seats": (no_limit(5, 10), 10, 1000),
    "short stacks, free folds": (no_limit(1, 2, ante=1, free_folds=True), 4, 13),
    "heads-up": (no_limit(1, 2), 2, 60),
    "limit": (limit(4, ante=1), 6, 90),
}
CLOSE = 3e-7
"""Of an input in float32, relative to 1 and to its size."""


SEEN = ("scale", "against")
DONE = ("read_out", "raise_unit", "free_folds")
"""The settings that decide what a network sees, and what it does."""


def assert_close(seen: list[float], defined: list[float]) -> None:
    """Compare inputs as `pytest.approx` would, which takes a millisecond each time."""
    apart = np.abs(np.subtract(seen, defined))
    assert (apart <= CLOSE * np.maximum(1.0, np.abs(defined))).all(), (seen, defined)


def watching(network: TableNetwork, genomes: Any) -> DecidedAgain:
    """Return who compares inputs and actions."""
    seen, done = ({name: getattr(network, name) for name in names} for names in (SEEN, DONE))
    sizes = (network.small_raise, network.medium_raise, network.large_raise)

    def decide(view: SeatView) -> int:
        inputs = network_inputs(view, **seen)
        assert_close([*describe_inputs(network, view).values()], inputs)
        outputs = network_outputs(genomes[view.words[PLAYER]], inputs, network.hidden)
        return network_decision(outputs, view, sizes=sizes, **done)

    # A share in float32 may lie on the other side of a whole chip.
    return DecidedAgain(decide, rounding=int(network.raise_unit == RAISE_UNITS[1]))


@pytest.mark.parametrize("table", TABLES)
def test_networks_see_and_decide_as_the_definition_under_every_setting(table: str) -> None:
    structure, seats, stack = TABLES[table]
    total = 0
    for number, network in enumerate(VARIED):
        luck = random_stream(1, table, number)
        genomes = network.draw_genomes(luck, 3 * seats)
        lineups = np.array([luck.permutation(len(genomes))[:seats] for _ in range(20)])
        again, players = watching(network, genomes), network.make_players(genomes)
        shown = {"lineups": lineups, "watchers": [again]}
        cash(structure, players, 1, seed=number, stacks=stack, **shown)
        assert again.wrong == []
        total += again.decided.sum()
    assert total > 40 * len(VARIED)


def test_seats_without_chips_are_empty_in_a_tournament() -> None:
    luck = random_stream(2, "networks")
    genomes = PLAIN.draw_genomes(luck, 6)
    again = watching(PLAIN, genomes)
    empty: list[bool] = []

    def look(tables: Tables, asked: Rows) -> None:
        for view in views_of(tables, asked):
            seen = describe_inputs(PLAIN, view)
            for place in range(view.num_seats):
                seat = (view.seat + place) % view.num_seats
                if view.stacks[seat] + view.paid[seat] == 0:
                    empty.append(seen[f"chips, {place} to the left"] == 0.0)

    placed = tournaments(
        make_doubling_schedule(no_limit(5, 10), 10, chips=6000),
        PLAIN.make_players(genomes),
        [[0, 1, 2, 3, 4, 5]] * 3,
        seed=1,
        stacks=1000,
        watchers=[again, look],
    )
    assert placed.is_finished.all()
    assert again.wrong == []
    assert again.decided.sum() > 100
    assert len(empty) > 100
    assert all(empty)


def test_aggressiveness_in_the_view_is_seen_up_to_ten() -> None:
    views: list[SeatView] = []

    def remember(tables: Tables, asked: Rows) -> None:
        views.extend(views_of(tables, asked))

    genomes = PLAIN.draw_genomes(random_stream(3, "networks"), 5)
    cash(no_limit(5, 10), PLAIN.make_players(genomes), 5, seed=1, stacks=1000, watchers=[remember])
    luck = random_stream(3, "aggressiveness")
    for view in views:
        for first in (OVERALL, RECENT):
            view.words[first : first + 5] = luck.integers(0, 15_000_000, 5)
        seen = list(describe_inputs(PLAIN, view).values())
        assert_close(seen, network_inputs(view))
        assert max(seen[15:]) <= 1.0
        assert seen[20:25] == [0.0] * 5
