"""How often a seat gets where, for each of its buckets: one pass down the betting.

A vector of reach weights, one for each bucket, is divided by the seat's action probabilities and
multiplied by the transition matrix at a deal. The opponent's actions do not count in it.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, inlined, kernel
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION
from pokerlab.holdem.limit_game.layouts import LANES, START, Lanes

AT_ONCE = 6  # terms that one pass over the lanes adds up


class Play(NamedTuple):
    """Action probabilities for the kernels, in one of two forms.

    Spread, (rows, LANES), they stand as `SITUATION` says. Else they are a table by situation, bucket and action, alike
    at all starts, as a column, (situations * B * 3, 1).
    """

    chances: Floats
    spread: bool


class SweepWorkspace(NamedTuple):
    """Where a sweep notes what it needs; B is the most buckets of a street, K the most nodes."""

    start_reach: Floats  # (blocks, B, LANES): how likely the one seat gets to a street's start with each bucket
    start_worth: Floats  # (blocks, B, LANES): what each of the other's is worth there
    start_total: Floats  # (blocks, LANES): sums of the reach weights
    reach: Floats  # (K, B, LANES): the same at the nodes of a street's betting, for one block, at a node's `slot`
    worth: Floats  # (K, B, LANES)
    total: Floats  # (K, LANES), at a node's `slot`
    spare: Floats  # (B, LANES): what comes from, or goes to, the next street
    scale: Floats  # (4, K, B): by what a node's weights have still to be multiplied
    weight: Floats  # (B + AT_ONCE,): coefficients of a sum over buckets


@kernel
def sweep_workspace(lanes: Lanes, odds: Floats) -> SweepWorkspace:
    """Return work for a sweep that begins at the first street's only start."""
    width, blocks, nodes = odds.shape[1], len(lanes.stake), lanes.nodes.shape[1]
    work = SweepWorkspace(
        np.zeros((blocks, width, LANES)),
        np.zeros((blocks, width, LANES)),
        np.zeros((blocks, LANES)),
        np.zeros((nodes, width, LANES)),
        np.zeros((nodes, width, LANES)),
        np.zeros((nodes, LANES)),
        np.zeros((width, LANES)),
        np.ones((NUM_STREETS, nodes, width)),
        np.zeros(width + AT_ONCE),
    )
    work.start_reach[0, :, 0] = odds[START, 0]
    work.start_total[0, 0] = 1.0
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
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
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
    here = lanes.streets[street]
    for k in range(here.nodes):
        node = lanes.nodes[street, k]
        if node.kind != DECISION or node.actor != seat:
            continue
        reach = work.reach[node.slot[seat] if play.spread else 0]
        for action in range(NUM_ACTIONS):
            if node.child[action] >= 0:
                row = row_of(here, node, block, action)
                for b in range(here.buckets):
                    scale = work.scale[street, k, b]
                    for s in range(LANES):
                        out_rows[row + b, s] = scale * reach[b, s]


@inlined
def fill_scale(lanes: Lanes, play: Play, seat: int, street: int, work: SweepWorkspace) -> None:
    """Multiply up the probabilities of a table along a street's betting, alike at all starts."""
    width = work.scale.shape[2]
    for k in range(lanes.streets[street].nodes):
        node = lanes.nodes[street, k]
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            if child < 0:
                continue
            for b in range(lanes.streets[street].buckets):
                taken = 1.0
                if node.actor == seat:
                    taken = play.chances[(node.situation * width + b) * NUM_ACTIONS + action, 0]
                work.scale[street, child, b] = work.scale[street, k, b] * taken


@inlined
def divide(
    lanes: Lanes, play: Play, seat: int, street: int, block: int, work: SweepWorkspace
) -> None:
    """Divide the reach weights of `seat` along a street's betting, from the block's starts on."""
    here, reach, total, others = lanes.streets[street], work.reach, work.total, work.spare[0]
    for s in range(LANES):
        total[0, s] = work.start_total[block, s]
    for b in range(here.buckets):
        for s in range(LANES):
            reach[0, b, s] = work.start_reach[block, b, s]
    for k in range(here.nodes):
        node = lanes.nodes[street, k]
        if node.kind != DECISION or node.actor != seat:
            continue
        above, first = node.slot[seat], -1
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            if child < 0:
                continue
            if play.spread:
                row = row_of(here, node, block, action)
                for b in range(here.buckets):
                    for s in range(LANES):
                        reach[child, b, s] = reach[above, b, s] * play.chances[row + b, s]
            for b in range(here.buckets):
                work.weight[b] = work.scale[street, child, b]
            mix(work.weight, here.buckets, reach[child if play.spread else 0], total[child])
            for s in range(LANES):
                others[s] = 0.0 if first < 0 else others[s] + total[child, s]
            first = child if first < 0 else first
        # Where the other actions are never taken, nothing is lost, not even by rounding.
        for s in range(LANES):
            total[first, s] = total[above, s] if others[s] == 0.0 else total[first, s]


@inlined
def deal(
    lanes: Lanes, odds: Floats, play: Play, seat: int, street: int, block: int, work: SweepWorkspace
) -> None:
    """Move the reach weights of `seat` on to the starts of the next street."""
    here, after, dealt = lanes.streets[street], lanes.streets[street + 1], work.spare[0]
    begin = (block - here.block) * LANES
    count = min(LANES, here.starts - begin)
    for k in range(here.nodes):
        node = lanes.nodes[street, k]
        if node.kind != DEAL:
            continue
        slot, start = node.slot[seat], node.continuation * here.starts + begin
        for s in range(count):
            target = after.block + (start + s) // LANES
            work.start_total[target, (start + s) % LANES] = work.total[slot, s]
        for then in range(after.buckets):
            for b in range(here.buckets):
                work.weight[b] = odds[street, b, then] * work.scale[street, k, b]
            mix(work.weight, here.buckets, work.reach[slot if play.spread else 0], dealt)
            for s in range(count):
                target = after.block + (start + s) // LANES
                work.start_reach[target, then, (start + s) % LANES] = dealt[s]


@inlined
def row_of(here: Any, node: Any, block: int, action: int) -> int:
    """Return the first row of a decision's action on a street, in arrays with a row for each action and bucket."""
    first: int = node.row + ((block - here.block) * NUM_ACTIONS + action) * here.buckets
    return first


@inlined
def mix(weight: Floats, count: int, rows: Floats, out: Floats) -> None:
    """Write the sum over b < `count` of weight[b] rows[b].

    Terms are added in order, some at once so that sums stay in registers; beyond the last bucket it
    is read again with weight zero.
    """
    last = count - 1
    for b in range(count, count + AT_ONCE):
        weight[b] = 0.0
    for s in range(LANES):
        out[s] = 0.0
    for b in range(0, count, AT_ONCE):
        w0, w1, w2 = weight[b], weight[b + 1], weight[b + 2]
        w3, w4, w5 = weight[b + 3], weight[b + 4], weight[b + 5]
        r0, r1, r2 = b, min(b + 1, last), min(b + 2, last)
        r3, r4, r5 = min(b + 3, last), min(b + 4, last), min(b + 5, last)
        for s in range(LANES):
            total = out[s] + w0 * rows[r0, s] + w1 * rows[r1, s] + w2 * rows[r2, s]
            out[s] = total + w3 * rows[r3, s] + w4 * rows[r4, s] + w5 * rows[r5, s]
