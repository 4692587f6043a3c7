"""The public tree as the kernels walk it: one street's betting at a time, all its starts side by side.

All starts of a street lead to the same betting, so what is done at one of them is done at all: the
inner loops run over starts, `LANES` at a time, and a block of lanes is a row of memory. A street of
S starts has S / LANES blocks, rounded up; lanes beyond S hold zeros or idle numbers that nobody
reads.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import kernel
from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.bucketed.public_tree import DEAL, DECISION, NUM_STREETS, PublicTree

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

LANES = 64
NUM_ACTIONS = 3
MOST_NUDGES = 16
"""Of all probabilities in turn; one or two suffice."""


class Lanes(NamedTuple):
    """The betting of each street over its K nodes in preorder, and where rows of lanes lie.

    Attributes
    ----------
    size : ndarray of shape (4,)
        Nodes of each street's betting.
    num_starts : ndarray of shape (4,)
        As in `PublicTree`.
    first_block : ndarray of shape (5,)
        Street r has blocks `first_block[r]` up to `first_block[r + 1]`.
    kind, actor : ndarray of shape (4, K)
        As in `PublicTree`.
    child : ndarray of shape (4, K, 3)
        Where fold, call and raise lead, in the same street; -1 for what is impossible.
    situation : ndarray of shape (4, K)
        The situation of each decision.
    continuation : ndarray of shape (4, K)
        Which of the street's continuations a deal is.
    chips : ndarray of shape (4, K, 2)
        What each seat has paid on this street, in small bets.
    slot : ndarray of shape (2, 4, K)
        For each seat the node after its last decision on the way here, where its reach was last
        divided; the street's first node if it has not decided yet.
    stake : ndarray of shape (blocks, LANES)
        What each seat had paid when the street began.
    first_row : ndarray of shape (situations + 1,)
        Where the rows of each situation begin in arrays with a row for each block, action and
        bucket of the situation, in this order.
    street : ndarray of shape (situations,)
        The street of each situation.
    counts : ndarray of shape (4,)
        Buckets on each street.
    """

    size: Ints
    num_starts: Ints
    first_block: Ints
    kind: Ints
    actor: Ints
    child: Ints
    situation: Ints
    continuation: Ints
    chips: Floats
    slot: Ints
    stake: Floats
    first_row: Ints
    street: Ints
    counts: Ints


class Odds(NamedTuple):
    """Buckets for the kernels.

    Attributes
    ----------
    start : ndarray of shape (B_0,)
        Probability of each bucket before the flop.
    transition : ndarray of shape (3, B, B)
        Probability of the next bucket, as far as there are such buckets; else zero.
    edge : ndarray of shape (B_3, B_3)
        The share of the pot above a half, doubled: what is won for each chip paid.
    """

    start: Floats
    transition: Floats
    edge: Floats


def lanes_of(tree: PublicTree, buckets: Buckets) -> Lanes:
    """Return the layout of `tree` for so many buckets."""
    first = [np.flatnonzero((tree.street == r) & (tree.start == 0)) for r in range(NUM_STREETS)]
    shape = NUM_STREETS, max(map(len, first))
    kind, actor, situation, continuation = (np.zeros(shape, dtype=np.int64) for _ in range(4))
    child = np.full((*shape, NUM_ACTIONS), -1)
    chips = np.zeros((*shape, 2))
    slot = np.zeros((2, *shape), dtype=np.int64)
    for r, nodes in enumerate(first):
        k = slice(len(nodes))
        kind[r, k], actor[r, k] = tree.kind[nodes], tree.actor[nodes]
        chips[r, k] = tree.paid[nodes] - (tree.paid[nodes[0]] if r else 0.0)
        place = np.full(tree.num_nodes + 1, -1)  # the last entry stands for 'no node'
        place[nodes] = np.arange(len(nodes))
        child[r, k] = place[tree.child[nodes]]
        is_decision, is_deal = tree.kind[nodes] == DECISION, tree.kind[nodes] == DEAL
        situation[r, k][is_decision] = tree.situation[tree.decision[nodes[is_decision]]]
        continuation[r, k][is_deal] = np.arange(is_deal.sum())
        parent = place[tree.parent[nodes]]
        for seat in range(2):
            for i in range(1, len(nodes)):
                above = parent[i]
                slot[seat, r, i] = i if actor[r, above] == seat else slot[seat, r, above]
    num_starts, counts = np.array(tree.num_starts), np.array(buckets.counts)
    blocks = -(-num_starts // LANES)
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    street = np.array([key.street for key in tree.situations])
    rows = (blocks * NUM_ACTIONS * counts)[street]
    return Lanes(
        size=np.array([len(nodes) for nodes in first]),
        num_starts=num_starts,
        first_block=first_block,
        kind=kind,
        actor=actor,
        child=child,
        situation=situation,
        continuation=continuation,
        chips=chips,
        slot=slot,
        stake=stakes(tree, first_block),
        first_row=np.concatenate([[0], np.cumsum(rows)]),
        street=street,
        counts=counts,
    )


def stakes(tree: PublicTree, first_block: Ints) -> Floats:
    """Return what each seat had paid at each start of a street, (blocks, LANES)."""
    stake = np.zeros((int(first_block[-1]), LANES))
    begins = np.flatnonzero((tree.parent >= 0) & (tree.kind[tree.parent] == DEAL))
    block, lane = np.divmod(tree.start[begins], LANES)
    stake[first_block[tree.street[begins]] + block, lane] = tree.paid[begins, 0]
    return stake


def odds_of(buckets: Buckets) -> Odds:
    """Return the chances of `buckets`, so rounded that running sums of them give exactly one."""
    transition = np.zeros((NUM_STREETS - 1, max(buckets.counts), max(buckets.counts)))
    for r, chances in enumerate(buckets.transitions):
        rows, columns = chances.shape
        transition[r, :rows, :columns] = [summing_to_one(row) for row in chances]
    return Odds(summing_to_one(buckets.start), transition, 2.0 * buckets.showdown - 1.0)


def summing_to_one(chances: Floats) -> Floats:
    """Return probabilities whose sum, added up from the first to the last, is exactly one.

    They move by rounding errors only. Without it a player who always folds would lose
    0.9999999999999998 blinds.
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


def rows_of(lanes: Lanes, table: Floats, pointer: Ints) -> Floats:
    """Return the numbers of a table, (situations, B, 3), read through `pointer`, (D,), as rows of lanes."""
    rows = np.zeros((int(lanes.first_row[-1]), LANES))
    fill_rows(lanes, table, pointer, rows)
    return rows


@kernel
def fill_rows(lanes: Lanes, table: Floats, pointer: Ints, out_rows: Floats) -> None:
    """Write a row for each situation, block, action and bucket."""
    first = 0
    for situation in range(len(lanes.street)):
        street = lanes.street[situation]
        count, starts = lanes.counts[street], lanes.num_starts[street]
        at = lanes.first_row[situation]
        for begin in range(0, starts, LANES):
            for action in range(NUM_ACTIONS):
                for b in range(count):
                    for lane in range(min(LANES, starts - begin)):
                        out_rows[at, lane] = table[pointer[first + begin + lane], b, action]
                    at += 1
        first += starts


def table_of(lanes: Lanes, rows: Floats) -> Floats:
    """Return rows of lanes as numbers by decision, (D, B, 3): the inverse of `rows_of`."""
    decisions = int(lanes.num_starts[lanes.street].sum())
    table = np.zeros((decisions, int(lanes.counts.max()), NUM_ACTIONS))
    fill_table(lanes, rows, table)
    return table


@kernel
def fill_table(lanes: Lanes, rows: Floats, out_table: Floats) -> None:
    """Write an entry for each decision, bucket and action."""
    first = 0
    for situation in range(len(lanes.street)):
        street = lanes.street[situation]
        count, starts = lanes.counts[street], lanes.num_starts[street]
        at = lanes.first_row[situation]
        for begin in range(0, starts, LANES):
            for action in range(NUM_ACTIONS):
                for b in range(count):
                    for lane in range(min(LANES, starts - begin)):
                        out_table[first + begin + lane, b, action] = rows[at, lane]
                    at += 1
        first += starts
