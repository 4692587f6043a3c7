"""Passes over the public tree: reach down, values up, and the slope of the exploitability.

Kernels read the tree node by node, or many starts of a street side by side. A hand is followed from node to node:
`PublicNodes`. A sweep of the whole tree uses that all starts of a street lead to the same betting, so that what is
done at one of them is done at all. In `Lanes` the inner loops run over starts, `LANES` at a time, and a block of
lanes is a row of memory. A street of S starts has S / LANES blocks, rounded up; lanes beyond S hold zeros.

The reach says how often a seat gets where, for each of its buckets: one pass down the betting. A vector of reach
weights, one for each bucket, is shared out among the actions by the seat's probabilities, and multiplied by the
transition matrix at a deal. The opponent's actions do not count in it.

What hands are worth against the other seat's play takes a sweep. A sweep is one pass down the betting and one up. On
the way down go the opponent's reach weights. On the way up come values, one for each own bucket: at a fold and at a
showdown they are linear in the weights that got there; at an opponent's decision values add up, at an own one they
are the best or those of the own play. Because the two players' buckets move independently, the own past has no part
in it.

The weights within a street are needed twice, for the streets that follow and for the values. They
are computed twice rather than kept: nine tenths of the work is the river's.

The exploitability is a sum of two maxima, of what the best replies win, and each reply's winnings are
linear in the probabilities at any one decision. So, where the best replies are unique, its derivative
is that of the winnings of the replies held fixed: what the action costs the player against them, times
how often the player itself (and its cards) gets there. Where replies tie it is a subgradient in each
single decision. It costs two more passes a seat: one for what the actions are worth, one for the reach.

A subgradient need not point downhill. Against a player who always folds, any reply that raises is a
best one, and what is supposed of play after a call that never comes decides the slope. In truth no
single change of probability, small or large, loses less than always folding: it is a local optimum.
"""

import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.arrays import Bools
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED, NUM_SEATS, PublicTree
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import NUM_STREETS, RIVER
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING

LANES = 64
STREET = np.dtype(
    [(name, np.int64) for name in ("nodes", "starts", "buckets", "block", "end_block")]
)
"""A street: how many nodes, starts and buckets it has; its first block and the one after its last."""
SITUATION = np.dtype([("street", np.int64), ("row", np.int64)])
"""A situation, and where its rows begin in an array with a row for each block, action and bucket, in this order."""
NODE = np.dtype(
    [
        *((name, np.int64) for name in ("kind", "actor", "situation", "row", "continuation")),
        ("slot", np.int64, NUM_SEATS),
        ("child", np.int64, NUM_ACTIONS),
        ("chips", np.float64, NUM_SEATS),
    ]
)
"""A node of a street's betting: `kind` and `actor` as in `PublicTree`; a decision's `situation` and its `row`;
which of the street's continuations a deal is. `slot`: for each seat the node after its last decision on the way
here, where its reach was last divided, or the street's first node. `child`: by action the next node on the
same street, -1 where impossible. `chips`: what each seat has paid on this street, in small bets."""
EDGE, START = RIVER, NUM_STREETS
"""Where the odds hold the showdown and the first buckets, after the three transitions."""
MOST_NUDGES = 16  # of all probabilities in turn; one or two suffice


class PublicNodes(NamedTuple):
    """The public tree node by node, as in `PublicTree`; row as in a profile."""

    kind: Ints
    street: Ints
    actor: Ints
    child: Ints
    paid: Floats
    row: Ints  # (N,): the profile's row at a decision; -1 elsewhere


def public_nodes(tree: PublicTree, pointer: Ints) -> PublicNodes:
    """Return the nodes, with the row of a profile's table at each decision, (D,)."""
    row = np.full(tree.num_nodes, -1)
    row[tree.decision_node] = pointer
    return PublicNodes(tree.kind, tree.street, tree.actor, tree.child, tree.paid, row)


class Lanes(NamedTuple):
    """The betting of each street over its K nodes in preorder, and where rows of lanes lie."""

    nodes: NDArray[Any]  # (4, K), of NODE
    streets: NDArray[Any]  # (4,), of STREET
    stake: Floats  # (blocks, LANES): what each seat had paid when the street began, in small bets
    situations: NDArray[Any]  # (situations,), of SITUATION
    legal: Bools  # (situations, 3)
    num_rows: int  # of all situations


def lanes_of(tree: PublicTree, buckets: Buckets) -> Lanes:
    """Return the layout of `tree` for so many buckets."""
    at_first = [np.flatnonzero((tree.street == r) & (tree.start == 0)) for r in range(NUM_STREETS)]
    streets = np.zeros(NUM_STREETS, STREET)
    streets["nodes"] = [len(here) for here in at_first]
    streets["starts"], streets["buckets"] = tree.num_starts, buckets.counts
    blocks = -(-streets["starts"] // LANES)
    streets["end_block"] = np.cumsum(blocks)
    streets["block"] = streets["end_block"] - blocks

    situations = np.zeros(len(tree.situations), SITUATION)
    situations["street"] = [key.street for key in tree.situations]
    rows = (blocks * NUM_ACTIONS * streets["buckets"])[situations["street"]]
    situations["row"] = np.cumsum(rows) - rows

    nodes = np.zeros((NUM_STREETS, streets["nodes"].max()), NODE)
    for here, out in zip(at_first, nodes, strict=True):
        fill_street(tree, here, situations["row"], out[: len(here)])
    legal = tree.legal[np.unique(tree.situation, return_index=True)[1]]
    return Lanes(nodes, streets, stakes(tree, streets), situations, legal, int(rows.sum()))


def fill_street(tree: PublicTree, here: Ints, row: Ints, out: NDArray[Any]) -> None:
    """Write a street's nodes, `here` in the tree."""
    place = np.full(tree.num_nodes + 1, -1)  # the last entry stands for 'no node'
    place[here] = np.arange(len(here))
    out["kind"], out["actor"] = tree.kind[here], tree.actor[here]
    out["child"] = place[tree.child[here]]
    decides = out["kind"] == DECISION
    out["situation"][decides] = tree.situation[tree.decision[here[decides]]]
    out["row"] = row[out["situation"]]
    out["continuation"] = np.cumsum(out["kind"] == DEAL) - 1
    out["chips"] = tree.paid[here] - (tree.paid[here[0]] if tree.street[here[0]] else 0.0)
    for i in range(1, len(here)):
        above = out[place[tree.parent[here[i]]]]
        out["slot"][i] = above["slot"]
        out["slot"][i, above["actor"]] = i


def stakes(tree: PublicTree, streets: NDArray[Any]) -> Floats:
    """Return what each seat had paid at each start of a street, (blocks, LANES)."""
    stake = np.zeros((streets["end_block"][-1], LANES))
    begins = np.flatnonzero((tree.parent >= 0) & (tree.kind[tree.parent] == DEAL))
    block, lane = np.divmod(tree.start[begins], LANES)
    stake[streets["block"][tree.street[begins]] + block, lane] = tree.paid[begins, 0]
    return stake


def places_of(lanes: Lanes) -> Ints:
    """Return where the numbers of each decision, (D, B, 3), stand among rows of lanes, flattened.

    Those of buckets that a street does not have stand after the last row.
    """
    bucket, action = np.arange(lanes.streets["buckets"].max())[:, None], np.arange(NUM_ACTIONS)
    places = []
    for street, first in lanes.situations.tolist():
        count = lanes.streets["buckets"][street]
        block, lane = np.divmod(np.arange(lanes.streets["starts"][street])[:, None, None], LANES)
        row = first + (block * NUM_ACTIONS + action) * count + bucket
        places.append(np.where(bucket < count, row * LANES + lane, lanes.num_rows * LANES))
    return np.concatenate(places)


def odds_of(buckets: Buckets) -> Floats:
    """Return the chances of `buckets` as one array, (5, B, B), zeros where there are no such buckets.

    First the probabilities of the next bucket, for the three deals, so rounded that running sums
    give exactly one. At EDGE what is won at the showdown for each chip paid: the share of the pot
    above a half, doubled. At START, in row 0, the probabilities before the flop.
    """
    most = max(buckets.counts)
    odds = np.zeros((NUM_STREETS + 1, most, most))
    for r, chances in enumerate(buckets.transitions):
        rows, columns = chances.shape
        odds[r, :rows, :columns] = [summing_to_one(row) for row in chances]
    last, first = len(buckets.showdown), len(buckets.start)
    odds[EDGE, :last, :last] = 2.0 * buckets.showdown - 1.0
    odds[START, 0, :first] = summing_to_one(buckets.start)
    return odds


def summing_to_one(chances: Floats) -> Floats:
    """Return probabilities whose sum, added up from the first to the last, is exactly one.

    They move by rounding errors only. Without it a player who always folds would lose 0.9999999999999998 blinds.
    """
    rounded: Floats = chances / chances.sum()
    largest_first = np.argsort(-rounded, kind="stable")
    for _ in range(MOST_NUDGES):
        # One alone may overshoot back and forth, by how its sums are rounded.
        for i in largest_first:
            missing = 1.0 - np.add.accumulate(rounded)[-1]
            if missing == 0.0:
                return rounded
            rounded[i] = max(rounded[i] + missing, 0.0)
    return rounded


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


BEST, REPLY, FOLLOW, WORTH = range(4)
"""What a sweep does at the player's decisions: BEST takes the best action, REPLY also writes which it is;
FOLLOW acts as the player's strategy does, WORTH also writes what each action is worth."""


@kernel
def sweep(
    lanes: Lanes, odds: Floats, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> float:
    """Return what `player` wins against `play`, acting by `mode`; REPLY and WORTH write `out_rows`."""
    work = swept(lanes, odds, play, own, player, mode, out_rows)
    total = 0.0
    for b in range(lanes.streets[0].buckets):
        total += odds[START, 0, b] * work.start_worth[0, b, 0]
    return total


@kernel
def swept(
    lanes: Lanes, odds: Floats, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> SweepWorkspace:
    """Sweep down and up; return among other things what hands are worth where streets begin."""
    work = sweep_workspace(lanes, odds)
    for leg in range(RIVER + NUM_STREETS):
        street = leg if leg < RIVER else RIVER + RIVER - leg
        if leg <= RIVER and not play.spread:
            fill_scale(lanes, play, 1 - player, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            divide(lanes, play, 1 - player, street, block, work)
            if leg < RIVER:
                deal(lanes, odds, play, 1 - player, street, block, work)
            else:
                evaluate(lanes, odds, play, own, player, street, block, mode, work, out_rows)
    return work


@inlined
def evaluate(
    lanes: Lanes,
    odds: Floats,
    play: Play,
    own: Play,
    player: int,
    street: int,
    block: int,
    mode: int,
    work: SweepWorkspace,
    out_rows: Floats,
) -> None:
    """Write what own buckets are worth at the block's starts, from the end of the street back."""
    here, worth = lanes.streets[street], work.worth
    for k in range(here.nodes - 1, -1, -1):
        node = lanes.nodes[street, k]
        slot, is_own = node.slot[1 - player], node.actor == player
        if node.kind == FOLDED:
            sign, chips = -1.0 if is_own else 1.0, node.chips[node.actor]
            for s in range(LANES):
                worth[k, 0, s] = sign * (lanes.stake[block, s] + chips) * work.total[slot, s]
        elif node.kind == DECISION:
            if not is_own or mode <= REPLY:
                combine(node, is_own, here.buckets, worth, worth[k])
                if is_own and mode == REPLY:
                    note_choice(here, node, block, worth, worth[k], out_rows)
            else:
                follow(here, node, own, block, worth, worth[k])
                if mode == WORTH:
                    note_worth(here, node, block, worth, out_rows)
        elif node.kind == DEAL:
            look_ahead(lanes, street, block, node.continuation, work)
            for b in range(here.buckets):
                for then in range(lanes.streets[street + 1].buckets):
                    work.weight[then] = odds[street, b, then]
                mix(work.weight, lanes.streets[street + 1].buckets, work.spare, worth[k, b])
        else:
            for b in range(here.buckets):
                for other in range(here.buckets):
                    work.weight[other] = odds[EDGE, b, other] * work.scale[street, k, other]
                mix(work.weight, here.buckets, work.reach[slot if play.spread else 0], worth[k, b])
                for s in range(LANES):
                    worth[k, b, s] *= lanes.stake[block, s] + node.chips[0]
    for b in range(here.buckets):
        for s in range(LANES):
            work.start_worth[block, b, s] = worth[0, b, s]


@inlined
def look_ahead(
    lanes: Lanes, street: int, block: int, continuation: int, work: SweepWorkspace
) -> None:
    """Bring the values of the starts that follow a deal."""
    here, after = lanes.streets[street], lanes.streets[street + 1]
    begin = (block - here.block) * LANES
    start = continuation * here.starts + begin
    for then in range(after.buckets):
        for s in range(LANES):
            work.spare[then, s] = 0.0
        for s in range(min(LANES, here.starts - begin)):
            source = after.block + (start + s) // LANES
            work.spare[then, s] = work.start_worth[source, then, (start + s) % LANES]


@inlined
def combine(node: Any, best: bool, count: int, worth: Floats, out: Floats) -> None:
    """Write the best of a decision's actions, or their sum; a fold is worth the same with every bucket."""
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(count):
        if more < 0:
            for s in range(LANES):
                out[b, s] = worth[call, b, s]
        elif best:
            for s in range(LANES):
                out[b, s] = max(worth[call, b, s], worth[more, b, s])
        else:
            for s in range(LANES):
                out[b, s] = worth[call, b, s] + worth[more, b, s]
        if fold >= 0 and best:
            for s in range(LANES):
                out[b, s] = max(out[b, s], worth[fold, 0, s])
        elif fold >= 0:
            for s in range(LANES):
                out[b, s] += worth[fold, 0, s]


@inlined
def follow(here: Any, node: Any, own: Play, block: int, worth: Floats, out: Floats) -> None:
    """Write the average of a decision's actions as the player's strategy weighs them."""
    width = out.shape[0]
    for b in range(here.buckets):
        for s in range(LANES):
            out[b, s] = 0.0
        for action in range(NUM_ACTIONS):
            child, bucket = node.child[action], 0 if action == FOLDING else b
            if child >= 0 and own.spread:
                row = row_of(here, node, block, action) + b
                for s in range(LANES):
                    out[b, s] += own.chances[row, s] * worth[child, bucket, s]
            elif child >= 0:
                chance = own.chances[(node.situation * width + b) * NUM_ACTIONS + action, 0]
                for s in range(LANES):
                    out[b, s] += chance * worth[child, bucket, s]


@inlined
def note_choice(
    here: Any, node: Any, block: int, worth: Floats, best: Floats, out_rows: Floats
) -> None:
    """Write 1 for the first of the best actions, 0 for the others."""
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(here.buckets):
        folds = row_of(here, node, block, FOLDING) + b
        calls = row_of(here, node, block, CALLING) + b
        raises = row_of(here, node, block, RAISING) + b
        for s in range(LANES):
            out_rows[folds, s] = 0.0
        if fold >= 0:
            for s in range(LANES):
                out_rows[folds, s] = 1.0 if worth[fold, 0, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[calls, s] = 1.0 - out_rows[folds, s]
        if more >= 0:
            for s in range(LANES):
                out_rows[calls, s] *= 1.0 if worth[call, b, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[raises, s] = 1.0 - out_rows[folds, s] - out_rows[calls, s]


@inlined
def note_worth(here: Any, node: Any, block: int, worth: Floats, out_rows: Floats) -> None:
    """Write what each possible action is worth; rows of the impossible stay as they are."""
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        if child >= 0:
            row = row_of(here, node, block, action)
            for b in range(here.buckets):
                for s in range(LANES):
                    out_rows[row + b, s] = worth[child, 0 if action == FOLDING else b, s]


class Slope(NamedTuple):
    """The exploitability in small bets, and its derivatives, (rows, B, 3), in each probability of a profile's table."""

    value: float
    gradient: Floats


class Notes(threading.local):
    """Arrays with rows of lanes to write into, kept by each thread: fresh memory costs as much as a sweep."""

    def __init__(self) -> None:
        self.kept: tuple[Floats, Floats, Floats] | None = None

    def rows(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return three arrays, (count, LANES), that hold whatever they held."""
        if self.kept is None or len(self.kept[0]) != count:
            chosen, worth, reach = (np.zeros((count, LANES)) for _ in range(3))
            self.kept = chosen, worth, reach
        return self.kept


NOTES = Notes()


def slope(
    lanes: Lanes, odds: Floats, profile: Play, shape: tuple[int, ...], pointer: Ints
) -> Slope:
    """Return exploitability and gradient of a profile whose table has `shape`."""
    chosen, worth, reach = NOTES.rows(lanes.num_rows)
    value = 0.0
    for player in range(2):
        value += sweep(lanes, odds, profile, profile, player, REPLY, chosen)
    shown = chosen.view()
    shown.setflags(write=False)  # as all chances are: another type for a kernel
    for player in range(2):
        sweep(lanes, odds, Play(shown, True), profile, player, WORTH, worth)
        occupy(lanes, odds, profile, player, reach)
    gradient = np.zeros(shape)
    add_up(lanes, worth, reach, pointer, not profile.spread, gradient)
    return Slope(value, gradient)


@kernel
def add_up(
    lanes: Lanes, worth: Floats, reach: Floats, pointer: Ints, is_alike: bool, out_gradient: Floats
) -> None:
    """Add what all decisions that read an entry of the table cost; what is won is negative.

    `is_alike`: whether all starts of a situation read the same row. Decisions without a choice are
    left out, and so is what is impossible.
    """
    first = 0
    sums = np.zeros(LANES)
    for i in range(len(lanes.situations)):
        here, at = lanes.streets[lanes.situations[i].street], lanes.situations[i].row
        count, starts = here.buckets, here.starts
        for action in range(NUM_ACTIONS):
            if not lanes.legal[i, action]:
                continue
            for b in range(count):
                sums[:] = 0.0
                row = at + action * count + b
                for begin in range(0, starts, LANES):
                    if is_alike:
                        for s in range(LANES):
                            sums[s] += worth[row, s] * reach[row, s]
                    else:
                        for s in range(min(LANES, starts - begin)):
                            entry = pointer[first + begin + s]
                            out_gradient[entry, b, action] -= worth[row, s] * reach[row, s]
                    row += NUM_ACTIONS * count
                if is_alike:
                    out_gradient[pointer[first], b, action] = -sums.sum()
        first += starts
