"""Laws of networks at a table, in random houses with random stacks, settings and weights."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pokerlab.core.streams import stream
from pokerlab.holdem import SeatView
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Tables
from pokerlab.strategies import TableNetwork, features
from pokerlab.strategies.players.table_network import (
    AGAINST,
    LAST_INPUTS,
    RAISE_UNITS,
    READ_OUTS,
    SCALES,
)
from tests.at_tables import cash, views_of
from tests.random_hands import random_structure

NUM_HOUSES = 40
ROUNDING = 1e-5
OF_SEATS = (at.STACKS, at.BETS, at.PAID, at.LIVE, at.OVERALL, at.RECENT)
IN_CHIPS = (at.STACKS, at.BETS, at.PAID)


def random_network(luck: random.Random) -> TableNetwork:
    """Return networks with random settings."""
    return TableNetwork(
        hidden=luck.choice([1, 2, 5, 20, 23, 24]),
        biases=luck.random() < 0.5,
        last_input=luck.choice(LAST_INPUTS),
        scale=luck.choice(SCALES),
        against=luck.choice(AGAINST),
        read_out=luck.choice(READ_OUTS),
        raise_unit=luck.choice(RAISE_UNITS),
        large_raise=luck.choice([0.7, 3.0, 1000.0]),
        free_folds=luck.random() < 0.5,
    )


@cache
def views(kind: str) -> list[SeatView]:
    """Return what networks saw in random houses, where every answer was legal and no chip appeared."""
    luck, seen = random.Random(f"networks, {kind}"), list[SeatView]()

    def remember(tables: Tables, asked: Rows) -> None:
        seen.extend(views_of(tables, asked))

    for house in range(NUM_HOUSES):
        structure, network = random_structure(luck, kind), random_network(luck)
        stacks = [luck.randint(1, 400) for _ in range(luck.randint(2, 10))]
        players = network.players(network.random(stream(house, kind), len(stacks)))
        played = cash(structure, players, 5, seed=house, stacks=stacks, watchers=[remember])
        assert played.won.sum() == 0
    known = np.random.default_rng(1)
    for view in seen:
        for first in (at.OVERALL, at.RECENT):
            view.words[first : first + view.num_seats] = known.integers(0, 12e6, view.num_seats)
    return seen


def inputs_of(network: TableNetwork, view: SeatView) -> np.ndarray:
    """Return what networks see."""
    return np.array(list(features(network, view).values()))


each_kind = pytest.mark.parametrize("kind", ["no-limit", "limit"])


@each_kind
def test_inputs_are_numbers_in_their_ranges(kind: str) -> None:
    assert len(views(kind)) > 1_000
    for view in views(kind):
        inputs = inputs_of(TableNetwork(), view)
        assert (inputs >= 0).all()
        assert (inputs[2:5] <= 1).all()
        assert (inputs[15:] <= 1).all()


@each_kind
def test_the_table_has_all_its_chips_behind_and_in_the_pot(kind: str) -> None:
    for view in views(kind):
        dealt_in = sum(s + p > 0 for s, p in zip(view.stacks, view.paid, strict=True))
        for scale, together in (("chips of the table", 1), ("mean stack", dealt_in)):
            inputs = inputs_of(TableNetwork(scale=scale), view)
            assert inputs[0] + inputs[5:15].sum() == pytest.approx(together, rel=ROUNDING)


@each_kind
def test_seats_have_no_numbers(kind: str) -> None:
    for view in views(kind)[::5]:
        turned, seats = view.words.copy(), view.num_seats
        for first in OF_SEATS:
            turned[first : first + seats] = np.roll(view.words[first : first + seats], 1)
        for word in (at.SEAT, at.BUTTON):
            turned[word] = (view.words[word] + 1) % seats
        network = TableNetwork()
        assert (inputs_of(network, replace(view, words=turned)) == inputs_of(network, view)).all()


@each_kind
def test_where_chips_are_divided_by_chips_their_size_does_not_matter(kind: str) -> None:
    for view in views(kind)[::5]:
        larger = view.words.copy()
        larger[[at.TO_CALL, at.BIG_BLIND, at.POT]] *= 1_000
        for first in IN_CHIPS:
            larger[first : first + view.num_seats] *= 1_000
        for scale in ("mean stack", "chips of the table", "big blinds"):
            network = TableNetwork(scale=scale)
            seen = inputs_of(network, replace(view, words=larger))
            assert seen == pytest.approx(inputs_of(network, view), rel=ROUNDING, abs=ROUNDING)
