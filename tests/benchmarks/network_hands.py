"""Hands of networks at a no-limit table: one network a seat, the same Python function at every engine's.

Weights are drawn as an evolution begins. The forward pass is numpy's, in float32; inputs are put
together from what an engine says of its table, but for the chance to win, which only pokerlab knows.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.streams import stream
from pokerlab.holdem.betting.actions import Legal
from pokerlab.holdem.cards.dealing import fraction, key_of, number_at
from pokerlab.holdem.equity.lookup import lookup_tables, win_probability_on
from pokerlab.strategies import TableNetwork
from tests.benchmarks.rule_hands import Cards
from tests.benchmarks.whole_hands import SEED, STACK
from tests.oracles.players import network_decision, read_off, sigmoid

ENCODING = TableNetwork()
GENOMES = ENCODING.random(stream(SEED, "networks"), 10)
LUCK = key_of(SEED, "luck")


class Seen(NamedTuple):
    """What a network asks of a view; by seat where it is a list.

    Attributes
    ----------
    seat, num_seats, button : int
        Who is to act, and where.
    hole, board : sequence of int
        Its cards and those on the board.
    stacks, paid, bets : sequence of int
        Chips behind, put in during the hand, and put in during this round.
    live : sequence of bool
        Who has not folded.
    legal : Legal
        What it may do.
    luck : float
        A random number in [0, 1).
    """

    seat: int
    num_seats: int
    button: int
    hole: Cards
    board: Cards
    stacks: list[int]
    paid: list[int]
    bets: list[int]
    live: list[bool]
    legal: Legal
    luck: float

    @property
    def pot(self) -> int:
        """All chips put in."""
        return sum(self.paid)


def inputs_of(seen: Any) -> Floats:
    """Return the inputs where all begin the hand with STACK chips, as fast as Python allows."""
    seat, seats = seen.seat, seen.num_seats
    hole, board = (np.asarray(cards, np.uint8) for cards in (seen.hole, seen.board))
    inputs = np.zeros(35, np.float32)
    stacks = seen.stacks
    inputs[:5] = (
        seen.pot / STACK,
        seen.legal.to_call / STACK,
        (sum(seen.live) - 1) / 9,
        win_probability_on(lookup_tables(), hole, board, 1.0),
        (seat - seen.button) % seats / 9,
    )
    inputs[5 : 5 + seats] = np.array([*stacks[seat:], *stacks[:seat]]) / STACK
    return inputs


class Network:
    """A network as its matrices."""

    def __init__(self, genome: Floats) -> None:
        first, second = np.split(genome, [36 * 20])
        self.first, self.of_hidden = np.split(first.reshape(36, 20), [35])
        self.second, self.of_outputs = np.split(second.reshape(21, 5), [20])

    def outputs(self, seen: Any) -> Floats:
        """Return the five outputs."""
        hidden = sigmoid(inputs_of(seen) @ self.first + self.of_hidden[0])
        return sigmoid(hidden @ self.second + self.of_outputs[0])

    def decide(self, seen: Any) -> int:
        """Return fold (-1), call (0), or the chips to raise to."""
        return network_decision(self.outputs(seen), seen)


NETWORKS = [Network(genome) for genome in GENOMES]


class Draws:
    """The luck of one hand's decisions, one after the other."""

    def __init__(self, number: int) -> None:
        self.key = np.uint64(number_at(LUCK, number))
        self.decisions = 0

    def next(self) -> float:
        """Return a number in [0, 1), pokerlab's for this decision."""
        self.decisions += 1
        return float(fraction(np.uint64(number_at(self.key, self.decisions - 1))))


def output_of(seen: Seen) -> int:
    """Return which output decides, where an engine has raises of its own."""
    return read_off(NETWORKS[seen.seat].outputs(seen), seen.luck)
