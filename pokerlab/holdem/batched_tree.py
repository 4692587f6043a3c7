"""The public tree laid out in batches for SIMD: the betting of each street, whose starts are divided into blocks.

A *start* of a street is one sequence of actions on all earlier streets, after which the street begins. The betting that
follows is the same after each start (see `betting_tree`), so a kernel can do the same computation for all starts. The
inner loops run over a batch of `LANES` starts, of which a processor computes several at once (SIMD: a single
instruction with multiple data). A *block* is a row of memory with one number for each start of a batch, and a *lane* is
the place of one start in it. A street of S starts has S / LANES blocks, rounded up, and the lanes beyond S are zero.

A *situation* is a decision of a street's betting, whatever the start. In shapes, K is the largest number of nodes of a
street's betting, and B is the largest number of buckets of a street.

`KernelLayout` converts a table of numbers, one for each decision, bucket and action, to the rows that kernels read, and
back. Kernels that follow single hands read the tree node by node instead, from `PublicNodes`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined
from pokerlab.core.arrays import Bools
from pokerlab.holdem.betting_tree import DEAL, DECISION, NUM_SEATS, PublicTree
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import NUM_STREETS, PREFLOP, RIVER
from pokerlab.holdem.hand import NUM_ACTIONS

LANES = 64  # the number of starts in a block, each in its own lane
STREET_DTYPE = np.dtype(
    [(name, np.int64) for name in ("nodes", "starts", "buckets", "first_block", "end_block")]
)
"""A street: the number of nodes of its betting, its numbers of starts and buckets, its first block, and the block after
its last block. Blocks are counted over all streets."""
SITUATION_DTYPE = np.dtype([("street", np.int64), ("row", np.int64)])
"""A situation: its street, and its first row in arrays with a row for each block, action and bucket, in this order. A
row has a number for each of the LANES starts in the block."""
NODE_DTYPE = np.dtype(
    [
        *((name, np.int64) for name in ("kind", "actor", "situation", "row", "continuation")),
        ("slot", np.int64, NUM_SEATS),
        ("child", np.int64, NUM_ACTIONS),
        ("chips", np.float64, NUM_SEATS),
    ]
)
"""A node of a street's betting.

`kind` and `actor` are as in `PublicTree`. A decision has its `situation` and that situation's first `row`. A deal has
its index among the deals of the street, `continuation`. `slot` is, for each seat, the node that follows the seat's last
decision on the path to this node, or the first node of the street if there is none. The reach probability of the seat
is the same at both nodes. `child` is the next node on the same street for each action, or -1 if the action is
impossible. `chips` is what each seat has paid on this street, in small bets."""
SHOWDOWN_PLACE, START_PLACE = RIVER, NUM_STREETS
"""The indices of the showdown and of the first buckets in the chance matrices, after the three transitions."""
MOST_CORRECTION_ROUNDS = 16
"""The most rounds of corrections over all probabilities of a distribution; one or two suffice."""


class PublicNodes(NamedTuple):
    """The N nodes of the public tree as arrays, with a row of a table of action probabilities for each decision.

    Attributes
    ----------
    kind : ndarray of int64, shape (N,)
        DECISION, DEAL, FOLDED or SHOWDOWN.
    street : ndarray of int64, shape (N,)
        The street of each node, 0 to 3. A deal belongs to the street that it ends.
    actor : ndarray of int64, shape (N,)
        The seat that decides or that has folded, or -1 at deals and showdowns.
    child : ndarray of int64, shape (N, 3)
        The nodes to which fold, call and raise lead from a decision, or -1 if the action is impossible.
    paid : ndarray of shape (N, 2)
        What each seat has put into the pot, in small bets.
    row : ndarray of int64, shape (N,)
        The row of each decision in the table, or -1 for other nodes.
    """

    kind: Ints
    street: Ints
    actor: Ints
    child: Ints
    paid: Floats
    row: Ints


def make_public_nodes(tree: PublicTree, pointer: Ints) -> PublicNodes:
    """Return the nodes of a public tree for kernels that follow single hands.

    Parameters
    ----------
    tree : PublicTree
        The public tree of the betting.
    pointer : ndarray of int64, shape (D,)
        The row of a table of action probabilities for each of the tree's D decisions, as in a bucketed profile.

    Returns
    -------
    PublicNodes
        The nodes, with the row of the table for each decision.
    """
    row_of_node = np.full(tree.num_nodes, -1)
    row_of_node[tree.decision_node] = pointer
    return PublicNodes(tree.kind, tree.street, tree.actor, tree.child, tree.paid, row_of_node)


class BatchedTree(NamedTuple):
    """The public tree in batches: the betting of the four streets, with the nodes of each street in preorder.

    A start of a street is one sequence of actions on all earlier streets. A block is LANES consecutive starts, which
    are computed at the same time. A situation is a decision of a street's betting, whatever the start.

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
    is_legal : ndarray of bool, shape (situations, 3)
        Whether a fold, a call and a raise are possible in each situation.
    num_rows : int
        The number of rows of all situations together; there is one for each block, action and bucket.
    """

    nodes: NDArray[Any]
    streets: NDArray[Any]
    stake: Floats
    situations: NDArray[Any]
    is_legal: Bools
    num_rows: int


def make_batched_tree(tree: PublicTree, buckets: Buckets) -> BatchedTree:
    """Return a public tree in the layout in which kernels compute many sequences of actions at a time.

    Parameters
    ----------
    tree : PublicTree
        The betting.
    buckets : Buckets
        The buckets. Only their numbers on each street are used.

    Returns
    -------
    BatchedTree
        The nodes of each street's betting, and the layout of arrays over them.
    """
    # A street has the same betting after each start (sequence of earlier actions), so its first start suffices.
    nodes_of_streets = []
    for street in range(NUM_STREETS):
        follows_first_start = (tree.street == street) & (tree.start == 0)
        nodes_of_streets.append(np.flatnonzero(follows_first_start))

    # The blocks of all streets follow each other.
    streets = np.zeros(NUM_STREETS, STREET_DTYPE)
    streets["nodes"] = [len(node_indices) for node_indices in nodes_of_streets]
    streets["starts"] = tree.num_starts
    streets["buckets"] = buckets.counts
    num_blocks = -(-streets["starts"] // LANES)  # rounded up
    streets["end_block"] = np.cumsum(num_blocks)
    streets["first_block"] = streets["end_block"] - num_blocks

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
    return BatchedTree(
        nodes=nodes,
        streets=streets,
        stake=compute_start_stakes(tree, streets),
        situations=situations,
        is_legal=tree.is_legal[first_decisions],
        num_rows=int(num_rows.sum()),
    )


def fill_street_nodes(
    tree: PublicTree, node_indices: Ints, first_rows: Ints, out_nodes: NDArray[Any]
) -> None:
    """Write the records of the nodes of a street's betting.

    A start of a street is one sequence of actions on all earlier streets. The betting is the same after each start.

    Parameters
    ----------
    tree : PublicTree
        The betting of all streets.
    node_indices : ndarray of int64, shape (n,)
        The indices in the tree of the n nodes that follow the street's first start.
    first_rows : ndarray of int64, shape (situations,)
        The first row of each situation (decision of a street's betting) in arrays in the layout of kernels.
    out_nodes : ndarray of NODE_DTYPE, shape (n,)
        Overwritten.
    """
    # The index on the street of each node of the tree, or -1. The index -1, which stands for no node, finds the last
    # entry, and this entry stays -1.
    index_on_street = np.full(tree.num_nodes + 1, -1)
    index_on_street[node_indices] = np.arange(len(node_indices))
    out_nodes["kind"] = tree.kind[node_indices]
    out_nodes["actor"] = tree.actor[node_indices]
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

    # The slot of a seat is the node after its last decision, where its reach was last split. So a node inherits the
    # slots of its parent, except for the seat that decides there. The slots of the first node are 0 already.
    for index in range(1, len(node_indices)):
        parent = out_nodes[index_on_street[tree.parent[node_indices[index]]]]
        out_nodes["slot"][index] = parent["slot"]
        out_nodes["slot"][index, parent["actor"]] = index


def compute_start_stakes(tree: PublicTree, streets: NDArray[Any]) -> Floats:
    """Return what each seat had paid into the pot at each start of each street.

    A start of a street is one sequence of actions on all earlier streets. Both seats have paid the same when a street
    after the first begins. The stakes of the first street are 0, because blinds belong to its betting.

    Parameters
    ----------
    tree : PublicTree
        The betting.
    streets : ndarray of STREET_DTYPE, shape (4,)
        The blocks of each street.

    Returns
    -------
    ndarray of shape (blocks, LANES)
        The amounts in small bets, for LANES starts in each block; zeros beyond a street's last start.
    """
    # A street begins at the node after a deal.
    follows_deal = (tree.parent >= 0) & (tree.kind[tree.parent] == DEAL)
    first_nodes = np.flatnonzero(follows_deal)
    blocks_of_street, lanes_of_starts = np.divmod(tree.start[first_nodes], LANES)
    first_blocks = streets["first_block"][tree.street[first_nodes]]

    num_blocks = streets["end_block"][-1]
    stakes = np.zeros((num_blocks, LANES))
    stakes[first_blocks + blocks_of_street, lanes_of_starts] = tree.paid[first_nodes, 0]
    return stakes


def index_table_entries_in_rows(batched_tree: BatchedTree) -> Ints:
    """Return where kernels find the entries of an array that has a number for each decision, bucket and action.

    Kernels read such numbers from rows of LANES numbers, in the layout of `BatchedTree`.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches, whose layout the rows have.

    Returns
    -------
    ndarray of int64, shape (D, B, 3)
        For each of D decisions, B buckets and three actions, the index of the entry in the flattened rows. For buckets
        that a street does not have, it is the index after the last row.
    """
    # The axes of the arrays are starts, buckets and actions.
    buckets = np.arange(batched_tree.streets["buckets"].max())[:, None]
    actions = np.arange(NUM_ACTIONS)
    after_last_row = batched_tree.num_rows * LANES
    indices = []
    for street, first_row in batched_tree.situations.tolist():
        num_buckets = batched_tree.streets["buckets"][street]
        num_starts = batched_tree.streets["starts"][street]
        blocks, lane_indices = np.divmod(np.arange(num_starts)[:, None, None], LANES)
        rows = first_row + (blocks * NUM_ACTIONS + actions) * num_buckets + buckets
        has_bucket = buckets < num_buckets
        indices.append(np.where(has_bucket, rows * LANES + lane_indices, after_last_row))
    return np.concatenate(indices)


def make_chance_matrices(buckets: Buckets) -> Floats:
    """Return the probabilities of buckets and the mean payoffs of showdowns as five matrices, padded with zeros.

    The first three matrices are the transitions of the three deals, rounded so that the sum of each row is exactly one.
    The matrix at SHOWDOWN_PLACE gives the payoff at the showdown for each chip that a seat has paid: 2 s - 1 for a
    share s of the pot. Row 0 of the matrix at START_PLACE gives the probabilities of the buckets before the flop.

    Parameters
    ----------
    buckets : Buckets
        The buckets of all streets.

    Returns
    -------
    ndarray of shape (5, B, B)
        B is the largest number of buckets of any street.
    """
    most_buckets = max(buckets.counts)
    chance_matrices = np.zeros((NUM_STREETS + 1, most_buckets, most_buckets))
    for deal, transition in enumerate(buckets.transitions):
        rows, columns = transition.shape
        exact_rows = [normalize_to_exact_sum(row) for row in transition]
        chance_matrices[deal, :rows, :columns] = exact_rows
    num_river, num_preflop = len(buckets.showdown), len(buckets.start)
    chance_matrices[SHOWDOWN_PLACE, :num_river, :num_river] = 2.0 * buckets.showdown - 1.0
    chance_matrices[START_PLACE, 0, :num_preflop] = normalize_to_exact_sum(buckets.start)
    return chance_matrices


def normalize_to_exact_sum(probabilities: Floats) -> Floats:
    """Return a distribution whose sum, added up from the first probability to the last, is exactly one.

    The probabilities change only by rounding errors. If sums were not exactly one, a player who always folds would lose
    0.9999999999999998 blinds and not 1. If no such rounding is found in MOST_CORRECTION_ROUNDS rounds, the sum is only
    nearly one.

    Parameters
    ----------
    probabilities : ndarray of shape (n,)
        Numbers that are not negative, whose sum is nearly one.

    Returns
    -------
    ndarray of shape (n,)
        The distribution.
    """
    rounded: Floats = probabilities / probabilities.sum()
    largest_first = np.argsort(-rounded, kind="stable")
    for _ in range(MOST_CORRECTION_ROUNDS):
        # Changing a single probability may overshoot back and forth because sums are rounded, so all are tried.
        for index in largest_first:
            # `np.add.accumulate` adds from the first to the last, as the kernels do. `np.sum` adds in pairs.
            missing = 1.0 - np.add.accumulate(rounded)[-1]
            if missing == 0.0:
                return rounded
            rounded[index] = max(rounded[index] + missing, 0.0)
    return rounded


@inlined
def find_action_row(street: Any, node: Any, block: int, action: int) -> int:
    """Return the row of numbers of a decision's action with bucket 0, for one block of starts.

    A start of a street is one sequence of actions on all earlier streets. A block is LANES consecutive starts. The rows
    of a decision are ordered by block, action and bucket, so the other buckets follow.

    Parameters
    ----------
    street : record of STREET_DTYPE
        The street of the decision.
    node : record of NODE_DTYPE
        The decision.
    block : int
        The block, counted over all streets.
    action : int
        FOLDING, CALLING or RAISING.
    """
    block_of_street = block - street.first_block
    first_row: int = node.row + (block_of_street * NUM_ACTIONS + action) * street.buckets
    return first_row


@dataclass(frozen=True, eq=False)
class KernelLayout:
    """The layout in which kernels read numbers for each decision, bucket and action of a bucketed game.

    A table of such numbers has shape (D, B, 3) for D decisions and B buckets. Kernels read rows of LANES = 64 numbers
    instead: one for each block of 64 decisions with the same raises on their street, each action and each bucket.

    Attributes
    ----------
    tree : PublicTree
        The public tree of the game.
    buckets : Buckets
        The buckets. Only their numbers on each street matter.
    """

    tree: PublicTree
    buckets: Buckets

    @cached_property
    def batched_tree(self) -> BatchedTree:
        """The public tree in the form that kernels read, which has the indices of blocks and rows."""
        return make_batched_tree(self.tree, self.buckets)

    @cached_property
    def entry_positions(self) -> Ints:
        """The position of each entry of a table in the flattened rows, an array of shape (D, B, 3)."""
        return index_table_entries_in_rows(self.batched_tree)

    def allocate_rows(self) -> Floats:
        """Return zeros in the layout that kernels read, an array of shape (rows, LANES)."""
        return np.zeros((self.batched_tree.num_rows, LANES))

    def convert_table_to_rows(self, table: Floats) -> Floats:
        """Return the numbers of a table in the layout that kernels read.

        Parameters
        ----------
        table : ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions.

        Returns
        -------
        ndarray of shape (rows, LANES)
            The same numbers; 0 in lanes that belong to no decision.
        """
        # The extra last entry collects the buckets that a street does not have.
        flat_rows = np.zeros(self.batched_tree.num_rows * LANES + 1)
        flat_rows[self.entry_positions] = table
        return flat_rows[:-1].reshape(-1, LANES)

    def convert_rows_to_table(self, rows: Floats) -> Floats:
        """Return numbers from the layout that kernels read as a table: the inverse of `convert_table_to_rows`.

        Parameters
        ----------
        rows : ndarray of shape (rows, LANES)
            The numbers in the layout that kernels read.

        Returns
        -------
        ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions; 0 for buckets that a street does not have.
        """
        # The extra last entry is read for the buckets that a street does not have.
        flat_rows = np.append(rows, 0.0)
        return flat_rows[self.entry_positions]
