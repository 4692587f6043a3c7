"""How often a seat gets where, for each of its buckets: one pass down the betting.

A vector of reach weights, one for each bucket, is divided by the seat's action probabilities and
multiplied by the transition matrix at a deal. The opponent's actions do not count in it.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION
from pokerlab.holdem.limit_game.layouts import (
    ACTOR,
    BLOCK,
    BUCKETS,
    CHILD,
    CONTINUATION,
    END_BLOCK,
    KIND,
    LANES,
    ROW,
    SITUATION,
    SIZE,
    SLOT,
    START,
    STARTS,
    Lanes,
)

AT_ONCE = 6
"""Terms that one pass over the lanes adds up."""


class Play(NamedTuple):
    """Action probabilities for the kernels, in one of two forms.

    Attributes
    ----------
    chances : ndarray
        If spread (rows, LANES), laid out as `Lanes.nodes` says; else a table by situation, bucket and
        action, alike at all starts, as a column, (situations * B * 3, 1).
    spread : bool
        Which.
    """

    chances: Floats
    spread: bool


class SweepWorkspace(NamedTuple):
    """Where a sweep notes what it needs. A bucket has a row of lanes; B is the most buckets of a street.

    Attributes
    ----------
    starts : ndarray of shape (blocks * (2 B + 1), LANES)
        At the starts of all streets, for each block the reach weights of the one seat's buckets, the
        values of the other's, and the sum of the weights.
    nodes : ndarray of shape ((K + 1) * (2 B + 1), LANES)
        The same at the nodes of a street's betting, for one block; weights stand where SLOT says. The
        last part is for what comes from, or goes to, the next street.
    scale : ndarray of shape (4, K, B)
        By what a node's weights have still to be multiplied.
    weight : ndarray of shape (B + AT_ONCE,)
        Coefficients of a sum over buckets.
    """

    starts: Floats
    nodes: Floats
    scale: Floats
    weight: Floats


@kernel
def sweep_workspace(lanes: Lanes, odds: Floats) -> SweepWorkspace:
    """Return work for a sweep that begins at the first street's only start."""
    width, nodes = odds.shape[1], lanes.nodes.shape[1]
    part = 2 * width + 1
    work = SweepWorkspace(
        np.zeros((len(lanes.stake) * part, LANES)),
        np.zeros(((nodes + 1) * part, LANES)),
        np.ones((NUM_STREETS, nodes, width)),
        np.zeros(width + AT_ONCE),
    )
    for b in range(lanes.streets[0, BUCKETS]):
        work.starts[b, 0] = odds[START, 0, b]
    work.starts[2 * width, 0] = 1.0
    return work


@kernel
def occupy(lanes: Lanes, odds: Floats, play: Play, seat: int, out_rows: Floats) -> None:
    """Write how often `seat`, following `play`, gets to each of its decisions with each bucket.

    Chance's part and its own count, the opponent's does not. All possible actions' rows get the
    number; those of the impossible stay as they are.
    """
    work = sweep_workspace(lanes, odds)
    for street in range(NUM_STREETS):
        if not play.spread:
            fill_scale(lanes, play, seat, street, work)
        for block in range(lanes.streets[street, BLOCK], lanes.streets[street, END_BLOCK]):
            divide(lanes, play, seat, street, block, work)
            if street < RIVER:
                deal(lanes, odds, play, seat, street, block, work)
            note_reach(lanes, play, seat, street, block, work, out_rows)


@inlined
def note_reach(
    lanes: Lanes,
    play: Play,
    seat: int,
    street: int,
    block: int,
    work: SweepWorkspace,
    out_rows: Floats,
) -> None:
    """Write the reach weights of `seat` at its decisions, for each possible action."""
    part = 2 * work.scale.shape[2] + 1
    for k in range(lanes.streets[street, SIZE]):
        if lanes.nodes[street, k, KIND] != DECISION or lanes.nodes[street, k, ACTOR] != seat:
            continue
        at = lanes.nodes[street, k, SLOT + seat] * part if play.spread else 0
        for action in range(NUM_ACTIONS):
            if lanes.nodes[street, k, CHILD + action] < 0:
                continue
            row = row_of(lanes, street, k, block, action)
            for b in range(lanes.streets[street, BUCKETS]):
                scale = work.scale[street, k, b]
                for s in range(LANES):
                    out_rows[row + b, s] = scale * work.nodes[at + b, s]


@inlined
def fill_scale(lanes: Lanes, play: Play, seat: int, street: int, work: SweepWorkspace) -> None:
    """Multiply up the probabilities of a table along a street's betting, alike at all starts."""
    width = work.scale.shape[2]
    for k in range(lanes.streets[street, SIZE]):
        for action in range(NUM_ACTIONS):
            child = lanes.nodes[street, k, CHILD + action]
            if child < 0:
                continue
            at = lanes.nodes[street, k, SITUATION] * width * NUM_ACTIONS + action
            for b in range(lanes.streets[street, BUCKETS]):
                taken = 1.0
                if lanes.nodes[street, k, ACTOR] == seat:
                    taken = play.chances[at + b * NUM_ACTIONS, 0]
                work.scale[street, child, b] = work.scale[street, k, b] * taken


@inlined
def divide(
    lanes: Lanes, play: Play, seat: int, street: int, block: int, work: SweepWorkspace
) -> None:
    """Divide the reach weights of `seat` along a street's betting, from the block's starts on."""
    nodes, width = work.nodes, work.scale.shape[2]
    part = 2 * width + 1
    others = lanes.nodes.shape[1] * part
    for row in range(part):
        for s in range(LANES):
            nodes[row, s] = work.starts[block * part + row, s]
    for k in range(lanes.streets[street, SIZE]):
        if lanes.nodes[street, k, KIND] != DECISION or lanes.nodes[street, k, ACTOR] != seat:
            continue
        first = -1
        above = lanes.nodes[street, k, SLOT + seat] * part
        for action in range(NUM_ACTIONS):
            child = lanes.nodes[street, k, CHILD + action]
            if child < 0:
                continue
            to = child * part
            if play.spread:
                row = row_of(lanes, street, k, block, action)
                for b in range(lanes.streets[street, BUCKETS]):
                    for s in range(LANES):
                        nodes[to + b, s] = nodes[above + b, s] * play.chances[row + b, s]
            for b in range(lanes.streets[street, BUCKETS]):
                work.weight[b] = work.scale[street, child, b]
            at = to if play.spread else 0
            mix(work.weight, lanes.streets[street, BUCKETS], nodes, at, to + 2 * width)
            if first < 0:
                first = to + 2 * width
                for s in range(LANES):
                    nodes[others, s] = 0.0
            else:
                for s in range(LANES):
                    nodes[others, s] += nodes[to + 2 * width, s]
        # Where the other actions are never taken, nothing is lost, not even by rounding.
        for s in range(LANES):
            alone = nodes[others, s] == 0.0
            nodes[first, s] = nodes[above + 2 * width, s] if alone else nodes[first, s]


@inlined
def deal(
    lanes: Lanes, odds: Floats, play: Play, seat: int, street: int, block: int, work: SweepWorkspace
) -> None:
    """Move the reach weights of `seat` on to the starts of the next street."""
    width = work.scale.shape[2]
    part = 2 * width + 1
    dealt = lanes.nodes.shape[1] * part
    count, after = lanes.streets[street, BUCKETS], lanes.streets[street + 1, BUCKETS]
    begin = (block - lanes.streets[street, BLOCK]) * LANES
    here = min(LANES, lanes.streets[street, STARTS] - begin)
    for k in range(lanes.streets[street, SIZE]):
        if lanes.nodes[street, k, KIND] != DEAL:
            continue
        slot = lanes.nodes[street, k, SLOT + seat] * part
        start = lanes.nodes[street, k, CONTINUATION] * lanes.streets[street, STARTS] + begin
        for then in range(after + 1):
            row, to = slot + 2 * width, 2 * width
            if then < after:
                for b in range(count):
                    work.weight[b] = odds[street, b, then] * work.scale[street, k, b]
                mix(work.weight, count, work.nodes, slot if play.spread else 0, dealt)
                row, to = dealt, then
            for s in range(here):
                target = lanes.streets[street + 1, BLOCK] + (start + s) // LANES
                work.starts[target * part + to, (start + s) % LANES] = work.nodes[row, s]


@inlined
def row_of(lanes: Lanes, street: int, k: int, block: int, action: int) -> int:
    """Return the first row of a decision's action, in arrays with a row for each action and bucket."""
    inside = (block - lanes.streets[street, BLOCK]) * NUM_ACTIONS + action
    first: int = lanes.nodes[street, k, ROW] + inside * lanes.streets[street, BUCKETS]
    return first


@inlined
def mix(weight: Floats, count: int, rows: Floats, at: int, to: int) -> None:
    """Write the sum over b < `count` of weight[b] rows[at + b] to rows[to].

    Terms are added in order, some at once so that sums stay in registers; beyond the last bucket it
    is read again with weight zero.
    """
    last = at + count - 1
    for b in range(count, count + AT_ONCE):
        weight[b] = 0.0
    for s in range(LANES):
        rows[to, s] = 0.0
    for b in range(0, count, AT_ONCE):
        w0, w1, w2 = weight[b], weight[b + 1], weight[b + 2]
        w3, w4, w5 = weight[b + 3], weight[b + 4], weight[b + 5]
        r0, r1, r2 = at + b, min(at + b + 1, last), min(at + b + 2, last)
        r3, r4, r5 = min(at + b + 3, last), min(at + b + 4, last), min(at + b + 5, last)
        for s in range(LANES):
            total = rows[to, s] + w0 * rows[r0, s] + w1 * rows[r1, s] + w2 * rows[r2, s]
            rows[to, s] = total + w3 * rows[r3, s] + w4 * rows[r4, s] + w5 * rows[r5, s]
