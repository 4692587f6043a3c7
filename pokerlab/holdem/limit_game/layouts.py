"""The public tree as kernels read it: node by node, or many starts of a street side by side.

A hand is followed from node to node: `PublicNodes`. A sweep of the whole tree uses that all starts of a
street lead to the same betting, so that what is done at one of them is done at all. In `Lanes` the inner
loops run over starts, `LANES` at a time, and a block of lanes is a row of memory. A street of S starts has
S / LANES blocks, rounded up; lanes beyond S hold zeros.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, NUM_SEATS, PublicTree

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
