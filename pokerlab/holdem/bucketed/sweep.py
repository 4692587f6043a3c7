"""What a seat's hands are worth against the other seat's play: one pass down the betting, one up.

On the way down a vector of reach weights, one for each bucket of the opponent, is divided by its
action probabilities and multiplied by the transition matrix at a deal. On the way up come values,
one for each own bucket: at a fold and at a showdown they are linear in the weights that got there;
at an opponent's decision values add up, at an own one they are the best or those of the own play.
Because the two players' buckets move independently, the own past has no part in it.

The weights within a street are needed twice, for the streets that follow and for the values. They
are computed twice rather than kept: nine tenths of the work is the river's.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.bucketed.lanes import LANES, NUM_ACTIONS, Floats, Lanes, Odds
from pokerlab.holdem.bucketed.public_tree import (
    CALL,
    DEAL,
    DECISION,
    FOLD,
    FOLDED,
    NUM_STREETS,
    RAISE,
    SHOWDOWN,
)

AT_ONCE = 6
"""Terms that one pass over the lanes adds up."""
BEST, REPLY, FOLLOW, WORTH = range(4)
"""What is done at own decisions: the best; that, noting which it is; as the own play says; that,
noting what each action is worth."""


class Play(NamedTuple):
    """Action probabilities for the kernels, in one of two forms.

    Attributes
    ----------
    table : ndarray of shape (situations, B, 3)
        Alike at all starts; read where `spread` is False.
    rows : ndarray of shape (rows, LANES)
        As `Lanes.first_row` says; read where `spread` is True.
    spread : bool
        Which.
    """

    table: Floats
    rows: Floats
    spread: bool


class Scratch(NamedTuple):
    """Room for a sweep; a bucket has a row of lanes, and a node or block `width` rows.

    Attributes
    ----------
    reach, mass : ndarray of shapes (blocks * width, LANES), (blocks, LANES)
        The opponent's reach weights at the starts of all streets, and their sums.
    value : ndarray of shape (blocks * width, LANES)
        What own buckets are worth at the starts of all streets.
    node_reach, node_mass, node_value : ndarray of shapes (K * width, LANES), (K, LANES), (K * width, LANES)
        The same at the nodes of a street's betting, for one block; weights where `Lanes.slot` says.
    scale : ndarray of shape (4, K, width)
        By what a node's weights have still to be multiplied.
    weight : ndarray of shape (width + AT_ONCE,)
        Coefficients of a sum over buckets.
    dealt : ndarray of shape (width, LANES)
        What comes from, or goes to, the starts of the next street.
    """

    reach: Floats
    mass: Floats
    value: Floats
    node_reach: Floats
    node_mass: Floats
    node_value: Floats
    scale: Floats
    weight: Floats
    dealt: Floats


@kernel
def sweep(
    lanes: Lanes, odds: Odds, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> float:
    """Return what `player` wins against `play`; write what `mode` notes at own decisions."""
    scratch = room_for(lanes, odds)
    other = 1 - player
    begin(lanes, odds, scratch)
    last = NUM_STREETS - 1
    for leg in range(NUM_STREETS + last):
        down = leg < last
        street = leg if down else last + last - leg
        if not play.spread and leg <= last:
            fill_scale(lanes, play, other, street, scratch)
        for block in range(lanes.first_block[street], lanes.first_block[street + 1]):
            divide(lanes, play, other, street, block, scratch)
            if down:
                deal(lanes, odds, play, other, street, block, scratch)
            else:
                evaluate(lanes, odds, play, own, player, street, block, mode, scratch, out_rows)
    total = 0.0
    for b in range(lanes.counts[0]):
        total += odds.start[b] * scratch.value[b, 0]
    return total


@kernel
def occupy(lanes: Lanes, odds: Odds, play: Play, seat: int, out_rows: Floats) -> None:
    """Write how often `seat`, following `play`, gets to each of its decisions with each bucket.

    Chance's part and its own count, the opponent's does not. All possible actions' rows get the
    number; those of the impossible stay as they are.
    """
    scratch = room_for(lanes, odds)
    begin(lanes, odds, scratch)
    for street in range(NUM_STREETS):
        if not play.spread:
            fill_scale(lanes, play, seat, street, scratch)
        for block in range(lanes.first_block[street], lanes.first_block[street + 1]):
            divide(lanes, play, seat, street, block, scratch)
            if street < NUM_STREETS - 1:
                deal(lanes, odds, play, seat, street, block, scratch)
            note_reach(lanes, play, seat, street, block, scratch, out_rows)


@inlined
def note_reach(
    lanes: Lanes, play: Play, seat: int, street: int, block: int, scratch: Scratch, out_rows: Floats
) -> None:
    """Write the reach weights of `seat` at its decisions, for each possible action."""
    width = scratch.dealt.shape[0]
    for k in range(lanes.size[street]):
        if lanes.kind[street, k] != DECISION or lanes.actor[street, k] != seat:
            continue
        at = lanes.slot[seat, street, k] * width if play.spread else 0
        for action in range(NUM_ACTIONS):
            if lanes.child[street, k, action] < 0:
                continue
            row = row_of(lanes, street, k, block, action)
            for b in range(lanes.counts[street]):
                scale = scratch.scale[street, k, b]
                for s in range(LANES):
                    out_rows[row + b, s] = scale * scratch.node_reach[at + b, s]


@kernel
def room_for(lanes: Lanes, odds: Odds) -> Scratch:
    """Return scratch room, zeros but for the scales."""
    nodes, width = lanes.kind.shape[1], odds.transition.shape[1]
    blocks = lanes.first_block[NUM_STREETS]
    return Scratch(
        np.zeros((blocks * width, LANES)),
        np.zeros((blocks, LANES)),
        np.zeros((blocks * width, LANES)),
        np.zeros((nodes * width, LANES)),
        np.zeros((nodes, LANES)),
        np.zeros((nodes * width, LANES)),
        np.ones((NUM_STREETS, nodes, width)),
        np.zeros(width + AT_ONCE),
        np.zeros((width, LANES)),
    )


@inlined
def begin(lanes: Lanes, odds: Odds, scratch: Scratch) -> None:
    """Write the reach weights of the first street's only start."""
    scratch.mass[0, 0] = 1.0
    for b in range(lanes.counts[0]):
        scratch.reach[b, 0] = odds.start[b]


@inlined
def fill_scale(lanes: Lanes, play: Play, seat: int, street: int, scratch: Scratch) -> None:
    """Multiply up the probabilities of a table along a street's betting, alike at all starts."""
    scale = scratch.scale
    for k in range(lanes.size[street]):
        if lanes.kind[street, k] != DECISION:
            continue
        situation = lanes.situation[street, k]
        for action in range(NUM_ACTIONS):
            child = lanes.child[street, k, action]
            if child >= 0:
                for b in range(lanes.counts[street]):
                    scale[street, child, b] = scale[street, k, b]
                    if lanes.actor[street, k] == seat:
                        scale[street, child, b] *= play.table[situation, b, action]


@inlined
def divide(lanes: Lanes, play: Play, seat: int, street: int, block: int, scratch: Scratch) -> None:
    """Divide the reach weights of `seat` along a street's betting, from the block's starts on."""
    count, width = lanes.counts[street], scratch.dealt.shape[0]
    reach, mass = scratch.node_reach, scratch.node_mass
    for b in range(count):
        for s in range(LANES):
            reach[b, s] = scratch.reach[block * width + b, s]
    for s in range(LANES):
        mass[0, s] = scratch.mass[block, s]
    for k in range(lanes.size[street]):
        if lanes.kind[street, k] != DECISION or lanes.actor[street, k] != seat:
            continue
        first = -1
        above = lanes.slot[seat, street, k]
        for action in range(NUM_ACTIONS):
            child = lanes.child[street, k, action]
            if child < 0:
                continue
            row = row_of(lanes, street, k, block, action)
            if play.spread:
                for b in range(count):
                    for s in range(LANES):
                        reach[child * width + b, s] = (
                            reach[above * width + b, s] * play.rows[row + b, s]
                        )
            # What the other actions leave is the first one's: exactly all, if they are never taken.
            if first < 0:
                first = child
                for s in range(LANES):
                    mass[child, s] = mass[above, s]
            else:
                for b in range(count):
                    scratch.weight[b] = scratch.scale[street, child, b]
                at = child * width if play.spread else 0
                mix(scratch.weight, count, reach, at, mass, child)
                for s in range(LANES):
                    mass[first, s] -= mass[child, s]


@inlined
def deal(
    lanes: Lanes, odds: Odds, play: Play, seat: int, street: int, block: int, scratch: Scratch
) -> None:
    """Move the reach weights of `seat` on to the starts of the next street."""
    count, after, width = lanes.counts[street], lanes.counts[street + 1], scratch.dealt.shape[0]
    begin = (block - lanes.first_block[street]) * LANES
    here = min(LANES, lanes.num_starts[street] - begin)
    for k in range(lanes.size[street]):
        if lanes.kind[street, k] != DEAL:
            continue
        slot = lanes.slot[seat, street, k]
        start = lanes.continuation[street, k] * lanes.num_starts[street] + begin
        for then in range(after):
            for b in range(count):
                scratch.weight[b] = odds.transition[street, b, then] * scratch.scale[street, k, b]
            at = slot * width if play.spread else 0
            mix(scratch.weight, count, scratch.node_reach, at, scratch.dealt, 0)
            for s in range(here):
                to = lanes.first_block[street + 1] + (start + s) // LANES
                scratch.reach[to * width + then, (start + s) % LANES] = scratch.dealt[0, s]
        for s in range(here):
            to = lanes.first_block[street + 1] + (start + s) // LANES
            scratch.mass[to, (start + s) % LANES] = scratch.node_mass[slot, s]


@inlined
def evaluate(
    lanes: Lanes,
    odds: Odds,
    play: Play,
    own: Play,
    player: int,
    street: int,
    block: int,
    mode: int,
    scratch: Scratch,
    out_rows: Floats,
) -> None:
    """Write what own buckets are worth at the block's starts, from the end of the street back."""
    count, width = lanes.counts[street], scratch.dealt.shape[0]
    value = scratch.node_value
    for k in range(lanes.size[street] - 1, -1, -1):
        kind, slot = lanes.kind[street, k], lanes.slot[1 - player, street, k]
        at = slot * width if play.spread else 0
        if kind == FOLDED:
            folder = lanes.actor[street, k]
            sign = -1.0 if folder == player else 1.0
            chips = lanes.chips[street, k, folder]
            for s in range(LANES):
                paid = lanes.stake[block, s] + chips
                value[k * width, s] = sign * paid * scratch.node_mass[slot, s]
        elif kind == SHOWDOWN:
            chips = lanes.chips[street, k, 0]
            for b in range(count):
                for other in range(count):
                    scratch.weight[other] = odds.edge[b, other] * scratch.scale[street, k, other]
                mix(scratch.weight, count, scratch.node_reach, at, value, k * width + b)
                for s in range(LANES):
                    value[k * width + b, s] *= lanes.stake[block, s] + chips
        elif kind == DEAL:
            look_ahead(lanes, odds, street, block, k, scratch)
        elif lanes.actor[street, k] != player:
            combine(lanes, street, k, count, width, False, value)
        elif mode <= REPLY:
            combine(lanes, street, k, count, width, True, value)
            if mode == REPLY:
                note_choice(lanes, street, k, block, width, value, out_rows)
        else:
            follow(lanes, own, street, k, block, width, value)
            if mode == WORTH:
                note_worth(lanes, street, k, block, width, value, out_rows)
    for b in range(count):
        for s in range(LANES):
            scratch.value[block * width + b, s] = value[b, s]


@inlined
def look_ahead(lanes: Lanes, odds: Odds, street: int, block: int, k: int, scratch: Scratch) -> None:
    """Write a deal's values: those of the street that follows, averaged over the next bucket."""
    after, width = lanes.counts[street + 1], scratch.dealt.shape[0]
    begin = (block - lanes.first_block[street]) * LANES
    start = lanes.continuation[street, k] * lanes.num_starts[street] + begin
    for then in range(after):
        for s in range(min(LANES, lanes.num_starts[street] - begin)):
            source = lanes.first_block[street + 1] + (start + s) // LANES
            scratch.dealt[then, s] = scratch.value[source * width + then, (start + s) % LANES]
    for b in range(lanes.counts[street]):
        for then in range(after):
            scratch.weight[then] = odds.transition[street, b, then]
        mix(scratch.weight, after, scratch.dealt, 0, scratch.node_value, k * width + b)


@inlined
def combine(
    lanes: Lanes, street: int, k: int, count: int, width: int, best: bool, value: Floats
) -> None:
    """Write the best of a decision's actions, or their sum."""
    fold = lanes.child[street, k, FOLD] * width
    for b in range(count):
        row = k * width + b
        called = lanes.child[street, k, CALL] * width + b
        raised = lanes.child[street, k, RAISE] * width + b
        if raised < 0:
            for s in range(LANES):
                value[row, s] = value[called, s]
        elif best:
            for s in range(LANES):
                value[row, s] = max(value[called, s], value[raised, s])
        else:
            for s in range(LANES):
                value[row, s] = value[called, s] + value[raised, s]
        if fold >= 0 and best:
            for s in range(LANES):
                value[row, s] = max(value[row, s], value[fold, s])
        elif fold >= 0:
            for s in range(LANES):
                value[row, s] += value[fold, s]


@inlined
def follow(
    lanes: Lanes, own: Play, street: int, k: int, block: int, width: int, value: Floats
) -> None:
    """Write the average of a decision's actions as the own play weighs them."""
    situation = lanes.situation[street, k]
    for b in range(lanes.counts[street]):
        for s in range(LANES):
            value[k * width + b, s] = 0.0
        for action in range(NUM_ACTIONS):
            child = lanes.child[street, k, action]
            if child < 0:
                continue
            source = child * width + (0 if action == FOLD else b)
            row = row_of(lanes, street, k, block, action) + b
            if own.spread:
                for s in range(LANES):
                    value[k * width + b, s] += own.rows[row, s] * value[source, s]
            else:
                probability = own.table[situation, b, action]
                for s in range(LANES):
                    value[k * width + b, s] += probability * value[source, s]


@inlined
def note_choice(
    lanes: Lanes, street: int, k: int, block: int, width: int, value: Floats, out_rows: Floats
) -> None:
    """Write 1 for the first of the best actions, 0 for the others."""
    can_fold, can_raise = lanes.child[street, k, FOLD] >= 0, lanes.child[street, k, RAISE] >= 0
    for b in range(lanes.counts[street]):
        best = k * width + b
        fold = row_of(lanes, street, k, block, FOLD) + b
        call = row_of(lanes, street, k, block, CALL) + b
        more = row_of(lanes, street, k, block, RAISE) + b
        folded = max(lanes.child[street, k, FOLD], 0) * width
        called = lanes.child[street, k, CALL] * width + b
        for s in range(LANES):
            out_rows[fold, s] = 1.0 if can_fold and value[folded, s] == value[best, s] else 0.0
        for s in range(LANES):
            is_best = not can_raise or value[called, s] == value[best, s]
            out_rows[call, s] = 1.0 - out_rows[fold, s] if is_best else 0.0
        for s in range(LANES):
            out_rows[more, s] = 1.0 - out_rows[fold, s] - out_rows[call, s]


@inlined
def note_worth(
    lanes: Lanes, street: int, k: int, block: int, width: int, value: Floats, out_rows: Floats
) -> None:
    """Write what each action is worth; 0 for the impossible."""
    for action in range(NUM_ACTIONS):
        child = lanes.child[street, k, action]
        row = row_of(lanes, street, k, block, action)
        for b in range(lanes.counts[street]):
            source = max(child, 0) * width + (0 if action == FOLD else b)
            sign = 1.0 if child >= 0 else 0.0
            for s in range(LANES):
                out_rows[row + b, s] = sign * value[source, s]


@inlined
def row_of(lanes: Lanes, street: int, k: int, block: int, action: int) -> int:
    """Return the first row of a decision's action, in arrays laid out as `Lanes.first_row` says."""
    inside = (block - lanes.first_block[street]) * NUM_ACTIONS + action
    first: int = lanes.first_row[lanes.situation[street, k]] + inside * lanes.counts[street]
    return first


@inlined
def mix(weight: Floats, count: int, rows: Floats, at: int, out: Floats, row: int) -> None:
    """Write the sum over b < `count` of weight[b] rows[at + b] to out[row]; weights beyond are read.

    Terms are added in order, some at once so that sums stay in registers; beyond the last bucket it
    is read again with weight zero.
    """
    last = at + count - 1
    for b in range(count, count + AT_ONCE):
        weight[b] = 0.0
    for b in range(0, count, AT_ONCE):
        w0, w1, w2 = weight[b], weight[b + 1], weight[b + 2]
        w3, w4, w5 = weight[b + 3], weight[b + 4], weight[b + 5]
        r0, r1, r2 = at + b, min(at + b + 1, last), min(at + b + 2, last)
        r3, r4, r5 = min(at + b + 3, last), min(at + b + 4, last), min(at + b + 5, last)
        if b == 0:
            for s in range(LANES):
                total = w0 * rows[r0, s] + w1 * rows[r1, s] + w2 * rows[r2, s]
                out[row, s] = total + w3 * rows[r3, s] + w4 * rows[r4, s] + w5 * rows[r5, s]
        else:
            for s in range(LANES):
                total = out[row, s] + w0 * rows[r0, s] + w1 * rows[r1, s] + w2 * rows[r2, s]
                out[row, s] = total + w3 * rows[r3, s] + w4 * rows[r4, s] + w5 * rows[r5, s]
