"""The public tree in the form that kernels read: the betting of each street, in lanes and blocks.

*Lanes* and *blocks*. A street begins at many public nodes, its starts, and the betting that follows is the same from
each of them (see `betting_tree`). So a kernel can do the same computation for all starts. The inner loops run over
`LANES` starts at a time, of which a processor computes several at once (SIMD). A block is a row of memory with one
number for each of `LANES` starts. A street of S starts has S / LANES blocks, rounded up, and the lanes beyond S are
zero. In shapes, K is the largest number of nodes of a street's betting, B is the largest number of buckets of a street,
and rows are those of `SITUATION_DTYPE`.
Kernels that follow single hands read the tree node by node instead, from `PublicNodes`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined
from pokerlab.core.arrays import Bools
from pokerlab.holdem.betting_tree import DEAL, DECISION, NUM_SEATS, PublicTree
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import NUM_STREETS, PREFLOP, RIVER
from pokerlab.holdem.hand import NUM_ACTIONS

LANES = 64  # numbers in a block
STREET_DTYPE = np.dtype(
    [(name, np.int64) for name in ("nodes", "starts", "buckets", "block", "end_block")]
)
"""A street: its numbers of nodes, starts and buckets, its first block, and the block after its last block."""
SITUATION_DTYPE = np.dtype([("street", np.int64), ("row", np.int64)])
"""A situation: its street, and its first row in arrays with a row for each block, action and bucket, in this order."""
NODE_DTYPE = np.dtype(
    [
        *((name, np.int64) for name in ("kind", "actor", "situation", "row", "continuation")),
        ("slot", np.int64, NUM_SEATS),
        ("child", np.int64, NUM_ACTIONS),
        ("chips", np.float64, NUM_SEATS),
    ]
)
"""A node of a street's betting. `kind` and `actor` are as in `PublicTree`. A decision has its `situation` and that
situation's first `row`; a deal has its index among the deals of the street, `continuation`. `slot` is, for each seat,
the node that follows the seat's last decision on the path to this node, where its reach was last split, or the first
node of the street if there is none. `child` is the next node on the same street for each action, or -1 if the action is
impossible. `chips` is what each seat has paid on this street, in small bets."""
SHOWDOWN_PLACE, START_PLACE = RIVER, NUM_STREETS
"""The indices of the showdown and of the first buckets in `chance_probabilities`, after the three transitions."""
MOST_NUDGES = 16  # the most rounds over all probabilities of a distribution; one or two suffice


class PublicNodes(NamedTuple):
    """The N nodes of the public tree as arrays, with the row of a profile's table for each decision.

    Attributes
    ----------
    kind, street, actor, child, paid : ndarray
        As in `PublicTree`.
    row : ndarray of int64, shape (N,)
        The row of each decision in the profile's table, or -1 for other nodes.
    """

    kind: Ints
    street: Ints
    actor: Ints
    child: Ints
    paid: Floats
    row: Ints


def make_public_nodes(tree: PublicTree, pointer: Ints) -> PublicNodes:
    """Return the nodes of a public tree, with the row of a profile's table for each decision.

    These rows are the pointer of the profile, an array of shape (D,) for D decisions.
    """
    row = np.full(tree.num_nodes, -1)
    row[tree.decision_node] = pointer
    return PublicNodes(tree.kind, tree.street, tree.actor, tree.child, tree.paid, row)


class Lanes(NamedTuple):
    """The betting of the four streets, with the nodes of each in preorder, and the layout of blocks and rows.

    Attributes
    ----------
    nodes : ndarray of NODE_DTYPE, shape (4, K)
        The nodes of each street's betting, where K is the largest number of nodes of a street.
    streets : ndarray of STREET_DTYPE, shape (4,)
        The sizes and the blocks of each street.
    stake : ndarray of shape (blocks, LANES)
        What each seat had paid when the street began, in small bets, for each start in each block.
    situations : ndarray of SITUATION_DTYPE, shape (situations,)
        The street and the first row of each situation.
    legal : ndarray of bool, shape (situations, 3)
        Whether a fold, a call and a raise are possible in each situation.
    num_rows : int
        The number of rows of lanes of all situations together.
    """

    nodes: NDArray[Any]
    streets: NDArray[Any]
    stake: Floats
    situations: NDArray[Any]
    legal: Bools
    num_rows: int


def make_lane_layout(tree: PublicTree, buckets: Buckets) -> Lanes:
    """Return the layout in which kernels read a public tree, for given buckets.

    Only the numbers of buckets are used, not their probabilities.
    """
    # All starts of a street have the same betting, so the nodes after the first start suffice.
    nodes_of_streets = [
        np.flatnonzero((tree.street == street) & (tree.start == 0)) for street in range(NUM_STREETS)
    ]

    # The blocks of all streets follow each other.
    streets = np.zeros(NUM_STREETS, STREET_DTYPE)
    streets["nodes"] = [len(node_indices) for node_indices in nodes_of_streets]
    streets["starts"], streets["buckets"] = tree.num_starts, buckets.counts
    num_blocks = -(-streets["starts"] // LANES)  # rounded up
    streets["end_block"] = np.cumsum(num_blocks)
    streets["block"] = streets["end_block"] - num_blocks

    # The rows of all situations follow each other: one for each block, action and bucket.
    situations = np.zeros(len(tree.situations), SITUATION_DTYPE)
    situations["street"] = [situation.street for situation in tree.situations]
    rows_of_streets = num_blocks * NUM_ACTIONS * streets["buckets"]
    num_rows = rows_of_streets[situations["street"]]
    situations["row"] = np.cumsum(num_rows) - num_rows

    nodes = np.zeros((NUM_STREETS, streets["nodes"].max()), NODE_DTYPE)
    for node_indices, out_nodes in zip(nodes_of_streets, nodes, strict=True):
        fill_street_nodes(tree, node_indices, situations["row"], out_nodes[: len(node_indices)])
    first_decisions = np.unique(tree.situation, return_index=True)[1]
    return Lanes(
        nodes=nodes,
        streets=streets,
        stake=compute_start_stakes(tree, streets),
        situations=situations,
        legal=tree.legal[first_decisions],
        num_rows=int(num_rows.sum()),
    )


def fill_street_nodes(
    tree: PublicTree, node_indices: Ints, first_rows: Ints, out_nodes: NDArray[Any]
) -> None:
    """Write the records of the nodes of a street's betting.

    Parameters
    ----------
    tree : PublicTree
    node_indices : ndarray of int64, shape (n,)
        The indices in the tree of the n nodes that follow the street's first start.
    first_rows : ndarray of int64, shape (situations,)
        The first row of each situation.
    out_nodes : ndarray of NODE_DTYPE, shape (n,)
        Overwritten.
    """
    # The index on the street of each node of the tree, or -1. The index -1, which stands for no node, finds the last
    # entry, and this entry stays -1.
    index_on_street = np.full(tree.num_nodes + 1, -1)
    index_on_street[node_indices] = np.arange(len(node_indices))
    out_nodes["kind"], out_nodes["actor"] = tree.kind[node_indices], tree.actor[node_indices]
    out_nodes["child"] = index_on_street[tree.child[node_indices]]

    is_decision = out_nodes["kind"] == DECISION
    decisions = tree.decision[node_indices[is_decision]]
    out_nodes["situation"][is_decision] = tree.situation[decisions]
    out_nodes["row"] = first_rows[out_nodes["situation"]]
    out_nodes["continuation"] = np.cumsum(out_nodes["kind"] == DEAL) - 1

    # The blinds belong to the chips of the first street.
    first_node = node_indices[0]
    paid_before = 0.0 if tree.street[first_node] == PREFLOP else tree.paid[first_node]
    out_nodes["chips"] = tree.paid[node_indices] - paid_before

    # A node inherits the slots of its parent, but that of the parent's actor is the node itself.
    for i in range(1, len(node_indices)):
        parent = out_nodes[index_on_street[tree.parent[node_indices[i]]]]
        out_nodes["slot"][i] = parent["slot"]
        out_nodes["slot"][i, parent["actor"]] = i


def compute_start_stakes(tree: PublicTree, streets: NDArray[Any]) -> Floats:
    """Return what each seat had paid into the pot at each start of each street.

    Both seats have paid the same when a street after the first begins. The stakes of the first street are 0, because
    blinds belong to its betting.

    Parameters
    ----------
    tree : PublicTree
    streets : ndarray of STREET_DTYPE, shape (4,)
        The blocks of each street.

    Returns
    -------
    ndarray of shape (blocks, LANES)
        The amounts in small bets; zeros in the lanes beyond a street's last start.
    """
    stake = np.zeros((streets["end_block"][-1], LANES))
    # A street begins at the node after a deal.
    first_nodes = np.flatnonzero((tree.parent >= 0) & (tree.kind[tree.parent] == DEAL))
    block, lane = np.divmod(tree.start[first_nodes], LANES)
    first_block = streets["block"][tree.street[first_nodes]]
    stake[first_block + block, lane] = tree.paid[first_nodes, 0]
    return stake


def index_table_entries_in_lanes(lanes: Lanes) -> Ints:
    """Return the index, in flattened rows of lanes, of each entry of an array by decision, bucket and action.

    For buckets that a street does not have, the index is the one after the last row.

    Returns
    -------
    ndarray of int64, shape (D, B, 3)
        One index for each of D decisions, B buckets and three actions.
    """
    bucket = np.arange(lanes.streets["buckets"].max())[:, None]
    action = np.arange(NUM_ACTIONS)
    after_last_row = lanes.num_rows * LANES
    indices = []
    for street, first_row in lanes.situations.tolist():
        num_buckets, num_starts = lanes.streets["buckets"][street], lanes.streets["starts"][street]
        block, lane = np.divmod(np.arange(num_starts)[:, None, None], LANES)
        row = first_row + (block * NUM_ACTIONS + action) * num_buckets + bucket
        indices.append(np.where(bucket < num_buckets, row * LANES + lane, after_last_row))
    return np.concatenate(indices)


def make_chance_probabilities(buckets: Buckets) -> Floats:
    """Return the probabilities of buckets and the payoffs of showdowns in one array, padded with zeros.

    The first three matrices are the transitions of the three deals, rounded so that the sum of each row is exactly one.
    The matrix at SHOWDOWN_PLACE gives the payoff at the showdown for each chip that a seat has paid: 2 s - 1 for a
    share s of the pot. Row 0 of the matrix at START_PLACE gives the probabilities of the buckets before the flop.

    Returns
    -------
    ndarray of shape (5, B, B)
        B is the largest number of buckets of any street.
    """
    most_buckets = max(buckets.counts)
    chance_probabilities = np.zeros((NUM_STREETS + 1, most_buckets, most_buckets))
    for deal, transition in enumerate(buckets.transitions):
        rows, columns = transition.shape
        exact_rows = [normalize_to_exact_sum(row) for row in transition]
        chance_probabilities[deal, :rows, :columns] = exact_rows
    num_last, num_first = len(buckets.showdown), len(buckets.start)
    chance_probabilities[SHOWDOWN_PLACE, :num_last, :num_last] = 2.0 * buckets.showdown - 1.0
    chance_probabilities[START_PLACE, 0, :num_first] = normalize_to_exact_sum(buckets.start)
    return chance_probabilities


def normalize_to_exact_sum(probabilities: Floats) -> Floats:
    """Return a distribution whose sum, added up from the first probability to the last, is exactly one.

    The probabilities change only by rounding errors. If sums were not exactly one, a player who always folds would lose
    0.9999999999999998 blinds and not 1. If no such rounding is found in MOST_NUDGES rounds, the sum is only nearly one.
    """
    rounded: Floats = probabilities / probabilities.sum()
    largest_first = np.argsort(-rounded, kind="stable")
    for _ in range(MOST_NUDGES):
        # Changing a single probability may overshoot back and forth because sums are rounded, so all are tried.
        for i in largest_first:
            missing = 1.0 - np.add.accumulate(rounded)[-1]
            if missing == 0.0:
                return rounded
            rounded[i] = max(rounded[i] + missing, 0.0)
    return rounded


@inlined
def find_lane_row(street: Any, node: Any, block: int, action: int) -> int:
    """Return the row of lanes of an action of a decision, in one block, with bucket 0; the other buckets follow.

    The rows of a situation are ordered by block, action and bucket.

    Parameters
    ----------
    street : record of STREET_DTYPE
    node : record of NODE_DTYPE
        The decision.
    block : int
        The block, counted over all streets.
    action : int
        FOLDING, CALLING or RAISING.
    """
    block_of_street = block - street.block
    first: int = node.row + (block_of_street * NUM_ACTIONS + action) * street.buckets
    return first
