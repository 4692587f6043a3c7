"""The public tree as kernels read it: node by node, street by street, or many starts side by side.

Who follows one hand walks from node to node: `PublicNodes`. Who sweeps all of the tree uses that all
starts of a street lead to the same betting, so that what is done at one of them is done at all:
`StreetBetting`. In `Lanes` the inner loops run over starts, `LANES` at a time, and a block of lanes is a
row of memory. A street of S starts has S / LANES blocks, rounded up; lanes beyond S hold zeros.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import kernel
from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, PublicTree

LANES = 64
KIND, ACTOR, SITUATION, ROW, CONTINUATION, SLOT, CHILD, COLUMNS = 0, 1, 2, 3, 4, 5, 7, 10
"""Columns of `Lanes.nodes`; a slot has two, a child three."""
SIZE, STARTS, BLOCK, END_BLOCK, BUCKETS = range(5)
"""Columns of `Lanes.streets`."""
EDGE, START = RIVER, NUM_STREETS
"""Where the odds hold the showdown and the first buckets, after the three transitions."""
MOST_NUDGES = 16
"""Of all probabilities in turn; one or two suffice."""


class PublicNodes(NamedTuple):
    """The public tree node by node; arrays as in `PublicTree`, row as in a profile.

    Attributes
    ----------
    kind, street, actor : ndarray of shape (N,)
    child : ndarray of shape (N, 3)
    paid : ndarray of shape (N, 2)
    raises : ndarray of shape (N,)
        Bets and raises of both seats on this street.
    row : ndarray of shape (N,)
        The profile's row at a decision; -1 elsewhere.
    """

    kind: Ints
    street: Ints
    actor: Ints
    child: Ints
    paid: Floats
    raises: Ints
    row: Ints


def public_nodes(tree: PublicTree, pointer: Ints) -> PublicNodes:
    """Return the nodes, with the row of a profile's table at each decision, (D,)."""
    row = np.full(tree.num_nodes, -1)
    row[tree.decision_node] = pointer
    return PublicNodes(
        tree.kind, tree.street, tree.actor, tree.child, tree.paid, tree.raises.sum(axis=1), row
    )


class StreetBetting(NamedTuple):
    """One street's betting over its K nodes in preorder and its S starts.

    Attributes
    ----------
    nodes : ndarray of shape (S, K)
        Numbers in the public tree.
    kind, actor : ndarray of shape (K,)
    child : ndarray of shape (K, 3)
        Places among the K nodes; -1 for what is impossible.
    """

    nodes: Ints
    kind: Ints
    actor: Ints
    child: Ints


def street_bettings(tree: PublicTree) -> list[StreetBetting]:
    """Return the betting of each street."""
    bettings = []
    for street, num_starts in enumerate(tree.num_starts):
        at = np.flatnonzero(tree.street == street)
        nodes = at[np.argsort(tree.start[at], kind="stable")].reshape(num_starts, -1)
        first = nodes[0]
        place = np.full(tree.num_nodes + 1, -1)  # the last entry stands for 'no node'
        place[first] = np.arange(len(first))
        bettings.append(
            StreetBetting(nodes, tree.kind[first], tree.actor[first], place[tree.child[first]])
        )
    return bettings


class Lanes(NamedTuple):
    """The betting of each street over its K nodes in preorder, and where rows of lanes lie.

    Few arrays with columns rather than many: compiling a kernel takes time with each.

    Attributes
    ----------
    nodes : ndarray of int, shape (4, K, COLUMNS)
        KIND, ACTOR: as in `PublicTree`. SITUATION: of a decision. ROW: where the situation's rows
        begin in an array with a row of lanes for each block, action and bucket, in this order.
        CONTINUATION: which of the street's continuations a deal is. SLOT + seat: the node after the
        seat's last decision on the way here, where its reach was last divided, or the street's first
        node. CHILD + action: the next node in the same street; -1 where impossible.
    streets : ndarray of int, shape (4, 5)
        SIZE: nodes. STARTS: as in `PublicTree`. BLOCK, END_BLOCK: the street's blocks. BUCKETS.
    chips : ndarray of shape (4, K, 2)
        What each seat has paid on this street, in small bets.
    stake : ndarray of shape (blocks, LANES)
        What each seat had paid when the street began.
    situations : ndarray of int, shape (situations, 2)
        The street and ROW of each situation.
    legal : ndarray of bool, shape (situations, 3)
        Which of fold, call and raise are possible in each situation.
    num_rows : int
        Rows of all situations.
    """

    nodes: Ints
    streets: Ints
    chips: Floats
    stake: Floats
    situations: Ints
    legal: NDArray[np.bool_]
    num_rows: int


def lanes_of(tree: PublicTree, buckets: Buckets) -> Lanes:
    """Return the layout of `tree` for so many buckets."""
    bettings = street_bettings(tree)
    streets = np.zeros((NUM_STREETS, BUCKETS + 1), dtype=np.int64)
    streets[:, SIZE] = [len(betting.kind) for betting in bettings]
    streets[:, STARTS], streets[:, BUCKETS] = tree.num_starts, buckets.counts
    blocks = -(-streets[:, STARTS] // LANES)
    streets[:, END_BLOCK] = np.cumsum(blocks)
    streets[:, BLOCK] = streets[:, END_BLOCK] - blocks

    street = np.array([key.street for key in tree.situations])
    rows = (blocks * NUM_ACTIONS * streets[:, BUCKETS])[street]
    row = np.cumsum(rows) - rows

    nodes = np.zeros((NUM_STREETS, streets[:, SIZE].max(), COLUMNS), dtype=np.int64)
    chips = np.zeros((*nodes.shape[:2], 2))
    for r, betting in enumerate(bettings):
        here = betting.nodes[0]
        fill_street(tree, betting, row, nodes[r])
        chips[r, : len(here)] = tree.paid[here] - (tree.paid[here[0]] if r else 0.0)
    return Lanes(
        nodes=nodes,
        streets=streets,
        chips=chips,
        stake=stakes(tree, streets),
        situations=np.stack([street, row], axis=1),
        legal=tree.legal[np.unique(tree.situation, return_index=True)[1]],
        num_rows=int(rows.sum()),
    )


def fill_street(tree: PublicTree, betting: StreetBetting, row: Ints, out_nodes: Ints) -> None:
    """Write the columns of a street's nodes."""
    here = betting.nodes[0]
    out = out_nodes[: len(here)]
    out[:, KIND], out[:, ACTOR], out[:, CHILD:] = betting.kind, betting.actor, betting.child
    is_decision = betting.kind == DECISION
    out[is_decision, SITUATION] = tree.situation[tree.decision[here[is_decision]]]
    out[:, ROW] = row[out[:, SITUATION]]
    out[:, CONTINUATION] = np.cumsum(betting.kind == DEAL) - 1
    above_of = np.searchsorted(here, tree.parent[here])
    for i in range(1, len(here)):
        above = above_of[i]
        out[i, SLOT : SLOT + 2] = out[above, SLOT : SLOT + 2]
        out[i, SLOT + out[above, ACTOR]] = i


def stakes(tree: PublicTree, streets: Ints) -> Floats:
    """Return what each seat had paid at each start of a street, (blocks, LANES)."""
    stake = np.zeros((streets[-1, END_BLOCK], LANES))
    begins = np.flatnonzero((tree.parent >= 0) & (tree.kind[tree.parent] == DEAL))
    block, lane = np.divmod(tree.start[begins], LANES)
    stake[streets[tree.street[begins], BLOCK] + block, lane] = tree.paid[begins, 0]
    return stake


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
    """Return the numbers of a table, (rows, B, 3), read through `pointer`, (D,), as rows of lanes."""
    out_rows = np.zeros((lanes.num_rows, LANES))
    fill_rows(lanes.streets, lanes.situations, table, pointer, out_rows)
    return out_rows


@kernel
def fill_rows(
    streets: Ints, situations: Ints, table: Floats, pointer: Ints, out_rows: Floats
) -> None:
    """Write a row for each situation, block, action and bucket."""
    first = 0
    for i in range(len(situations)):
        street, at = situations[i, 0], situations[i, 1]
        starts = streets[street, STARTS]
        for begin in range(0, starts, LANES):
            for action in range(NUM_ACTIONS):
                for b in range(streets[street, BUCKETS]):
                    for lane in range(min(LANES, starts - begin)):
                        out_rows[at, lane] = table[pointer[first + begin + lane], b, action]
                    at += 1
        first += starts


def table_of(lanes: Lanes, rows: Floats) -> Floats:
    """Return rows of lanes as numbers by decision, (D, B, 3): the inverse of `rows_of`."""
    decisions = int(lanes.streets[lanes.situations[:, 0], STARTS].sum())
    table = np.zeros((decisions, int(lanes.streets[:, BUCKETS].max()), NUM_ACTIONS))
    fill_table(lanes.streets, lanes.situations, rows, table)
    return table


@kernel
def fill_table(streets: Ints, situations: Ints, rows: Floats, out_table: Floats) -> None:
    """Write an entry for each decision, bucket and action."""
    first = 0
    for i in range(len(situations)):
        street, at = situations[i, 0], situations[i, 1]
        starts = streets[street, STARTS]
        for begin in range(0, starts, LANES):
            for action in range(NUM_ACTIONS):
                for b in range(streets[street, BUCKETS]):
                    for lane in range(min(LANES, starts - begin)):
                        out_table[first + begin + lane, b, action] = rows[at, lane]
                    at += 1
        first += starts
