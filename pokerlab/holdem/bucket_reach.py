"""The reach probabilities of a seat with each of its buckets, by a pass down the public tree.

The reach probabilities of a seat, one for each of its buckets, are found by one pass down the betting. At a decision of
the seat they are split among the actions by its action probabilities, and at a deal they are multiplied by the
transition matrix. The opponent's actions do not change them.

The public tree and the arrays are laid out in batches, as `pokerlab.holdem.batched_tree` explains. A *start* of a
street is one sequence of actions on all earlier streets, and a *block* is `LANES` consecutive starts. The betting of a
street is the same after each start, so all kernels compute the starts of a block at the same time, one in each *lane*.
"""

from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, inlined, kernel
from pokerlab.holdem.batched_tree import LANES, START_PLACE, BatchedTree, find_action_row
from pokerlab.holdem.betting_tree import DEAL, DECISION
from pokerlab.holdem.cards import NUM_STREETS, RIVER
from pokerlab.holdem.hand import NUM_ACTIONS

TERMS_PER_PASS = 6  # the number of terms of a sum that one loop over the lanes adds
SHARED_COLUMN = 0  # the only column of action probabilities that are the same at all starts
FIRST_NODE = 0  # the node at which the betting of a street begins, in preorder


class KernelStrategy(NamedTuple):
    """Action probabilities for kernels, in one of two forms.

    A start of a street is one sequence of actions on all earlier streets. A situation is a decision of a street's
    betting, whatever the start.

    Attributes
    ----------
    probabilities : ndarray of shape (rows, LANES) or (situations * B * 3, 1)
        If `differs_by_start` is True, there is a row for each situation, block of LANES starts, action and bucket, in
        this order. Otherwise there is one column, with a number for each situation, bucket and action, which is the
        same at all starts; B is the largest number of buckets.
    differs_by_start : bool
        Whether the probabilities may differ from one start of a street to another.
    """

    probabilities: Floats
    differs_by_start: bool


class PassWorkspace(NamedTuple):
    """The arrays that passes over the tree overwrite.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts. K is
    the largest number of nodes of a street's betting, and B is the largest number of buckets of a street.

    Attributes
    ----------
    start_reach : ndarray of shape (blocks, B, LANES)
        One seat's reach probabilities at the starts of streets, with each of its buckets.
    start_values : ndarray of shape (blocks, B, LANES)
        The other seat's values at the starts of streets, with each of its buckets.
    start_reach_sums : ndarray of shape (blocks, LANES)
        The sums of `start_reach` over the buckets.
    reach : ndarray of shape (K, B, LANES)
        The reach at the nodes of a street's betting, in one block. The reach at a node is stored at the index `slot` of
        the node, where it was last split.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes of a street's betting, in one block.
    reach_sums : ndarray of shape (K, LANES)
        The sums of the reach over the buckets, also at the index `slot` of a node.
    next_street_rows : ndarray of shape (B, LANES)
        The reach that is passed to the next street, or the values that come from it.
    reach_factors : ndarray of shape (4, K, B)
        If a strategy is the same at all starts, the factor by which the reach at a node differs from that at the start
        of the street; otherwise 1.
    coefficients : ndarray of shape (B + TERMS_PER_PASS,)
        The coefficients of a sum over buckets.
    """

    start_reach: Floats
    start_values: Floats
    start_reach_sums: Floats
    reach: Floats
    values: Floats
    reach_sums: Floats
    next_street_rows: Floats
    reach_factors: Floats
    coefficients: Floats


@kernel
def allocate_pass_workspace(batched_tree: BatchedTree, chance_matrices: Floats) -> PassWorkspace:
    """Return the arrays that passes over the tree overwrite, with the reach at the beginning of the hand.

    All other numbers are zero, except for the factors in `reach_factors`, which are one. A start of a street is one
    sequence of actions on all earlier streets.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.

    Returns
    -------
    PassWorkspace
        In `start_reach`, the probabilities of the first buckets stand at the single start of the first street.
    """
    num_buckets = chance_matrices.shape[1]  # the largest number on any street
    num_blocks = len(batched_tree.stake)
    num_nodes = batched_tree.nodes.shape[1]
    workspace = PassWorkspace(
        start_reach=np.zeros((num_blocks, num_buckets, LANES)),
        start_values=np.zeros((num_blocks, num_buckets, LANES)),
        start_reach_sums=np.zeros((num_blocks, LANES)),
        reach=np.zeros((num_nodes, num_buckets, LANES)),
        values=np.zeros((num_nodes, num_buckets, LANES)),
        reach_sums=np.zeros((num_nodes, LANES)),
        next_street_rows=np.zeros((num_buckets, LANES)),
        reach_factors=np.ones((NUM_STREETS, num_nodes, num_buckets)),
        coefficients=np.zeros(num_buckets + TERMS_PER_PASS),
    )

    # The first street has a single start: before it, there are no actions.
    # This start is in lane 0 of block 0.
    workspace.start_reach[0, :, 0] = chance_matrices[START_PLACE, 0]
    workspace.start_reach_sums[0, 0] = 1.0
    return workspace


@kernel
def fill_reach_rows(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    strategy: KernelStrategy,
    seat: int,
    out_rows: Floats,
) -> None:
    """Write the reach probability of each decision of a seat with each bucket, when the seat follows a strategy.

    A reach probability is the product of the probabilities of the seat's own actions and of its buckets. It does not
    include the probabilities of the opponent's actions. One pass visits the streets in their order. A start of a street
    is one sequence of actions on all earlier streets. A block is LANES consecutive starts.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    out_rows : ndarray of shape (rows, LANES)
        There is a row for each decision of a street's betting, block of LANES starts, action and bucket, in this order.
        The rows of the seat's possible actions are overwritten. All actions of a decision get the same reach.
    """
    workspace = allocate_pass_workspace(batched_tree, chance_matrices)
    for street in range(NUM_STREETS):
        if not strategy.differs_by_start:
            fill_reach_factors_of_street(batched_tree, strategy, seat, street, workspace)
        for block in range(
            batched_tree.streets[street].first_block, batched_tree.streets[street].end_block
        ):
            split_reach_among_actions(batched_tree, strategy, seat, street, block, workspace)
            if street < RIVER:
                pass_reach_to_next_street(
                    batched_tree, chance_matrices, strategy, seat, street, block, workspace
                )
            copy_reach_to_rows(batched_tree, strategy, seat, street, block, workspace, out_rows)


@inlined
def copy_reach_to_rows(
    batched_tree: BatchedTree,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    workspace: PassWorkspace,
    out_rows: Floats,
) -> None:
    """Copy the reach probabilities of a seat at its decisions, in one block of a street, to the rows of all actions.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    block : int
        The block, counted over all streets.
    workspace : PassWorkspace
        It contains the reach at the nodes of the street's betting.
    out_rows : ndarray of shape (rows, LANES)
        There is a row for each decision of a street's betting, block, action and bucket, in this order. The rows of
        these decisions are overwritten, except for impossible actions.
    """
    this_street = batched_tree.streets[street]
    for node_index in range(this_street.nodes):
        node = batched_tree.nodes[street, node_index]
        is_own_decision = node.kind == DECISION and node.actor == seat
        if not is_own_decision:
            continue
        # If the strategy is the same at all starts, the reach at a node is that at the start (slot 0) times a factor.
        reach = workspace.reach[node.slot[seat] if strategy.differs_by_start else FIRST_NODE]
        factors = workspace.reach_factors[street, node_index]
        for action in range(NUM_ACTIONS):
            is_possible = node.child[action] >= 0
            if is_possible:
                first_row = find_action_row(this_street, node, block, action)
                write_multiplied_reach(reach, factors, this_street.buckets, first_row, out_rows)


@inlined
def write_multiplied_reach(
    reach: Floats, factors: Floats, num_buckets: int, first_row: int, out_rows: Floats
) -> None:
    """Write the reach probabilities with each bucket, times the factor of the bucket, into consecutive rows.

    Parameters
    ----------
    reach : ndarray of shape (B, LANES)
        The reach probabilities, a row for each bucket.
    factors : ndarray of shape (B,)
        The factor of each bucket.
    num_buckets : int
        The number of buckets of the street, at most B.
    first_row : int
        The row of the first bucket.
    out_rows : ndarray of shape (rows, LANES)
        The rows from `first_row` on are overwritten, one for each bucket.
    """
    for bucket in range(num_buckets):
        for lane in range(LANES):
            out_rows[first_row + bucket, lane] = factors[bucket] * reach[bucket, lane]


@inlined
def fill_reach_factors_of_street(
    batched_tree: BatchedTree,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    workspace: PassWorkspace,
) -> None:
    """Write the products of a seat's action probabilities along the betting of a street into `workspace.reach_factors`.

    The strategy must be the same at all starts of the street, that is after all sequences of actions on earlier streets
    (`strategy.differs_by_start` is False). The factor of the street's first node is 1 already.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    workspace : PassWorkspace
        Its `reach_factors` on this street are overwritten.
    """
    most_buckets = workspace.reach_factors.shape[2]
    for node_index in range(batched_tree.streets[street].nodes):
        node = batched_tree.nodes[street, node_index]
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            if child < 0:
                continue
            for bucket in range(batched_tree.streets[street].buckets):
                # The actions of the other seat do not change the reach of this seat.
                row = find_shared_probability_row(node, most_buckets, bucket, action)
                is_own = node.actor == seat
                probability = strategy.probabilities[row, SHARED_COLUMN] if is_own else 1.0
                factor = workspace.reach_factors[street, node_index, bucket]
                workspace.reach_factors[street, child, bucket] = factor * probability


@inlined
def find_shared_probability_row(node: Any, most_buckets: int, bucket: int, action: int) -> int:
    """Return the row of an action probability that is the same after all sequences of actions on earlier streets.

    `KernelStrategy.probabilities` then has one column, with a row for each situation (decision of a street's betting),
    bucket and action, in this order.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision.
    most_buckets : int
        The largest number of buckets of a street.
    bucket : int
        The bucket of the seat that decides.
    action : int
        FOLDING, CALLING or RAISING.
    """
    return int((node.situation * most_buckets + bucket) * NUM_ACTIONS + action)


@inlined
def split_reach_among_actions(
    batched_tree: BatchedTree,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    workspace: PassWorkspace,
) -> None:
    """Write the reach probabilities of a seat at the nodes of a street's betting, from those at the starts of a block.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts. At
    each decision of the seat, its reach is split among the actions by the action probabilities.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    block : int
        The block, counted over all streets.
    workspace : PassWorkspace
        It contains the reach at the starts. Its `reach` and `reach_sums` at the nodes are overwritten. If the strategy
        is the same at all starts, `reach` is written only at the first node, and `reach_factors` has the factors by
        which it differs at the other nodes.
    """
    this_street = batched_tree.streets[street]
    for lane in range(LANES):
        workspace.reach_sums[FIRST_NODE, lane] = workspace.start_reach_sums[block, lane]
    for bucket in range(this_street.buckets):
        for lane in range(LANES):
            workspace.reach[FIRST_NODE, bucket, lane] = workspace.start_reach[block, bucket, lane]

    for node_index in range(this_street.nodes):
        node = batched_tree.nodes[street, node_index]
        is_own_decision = node.kind == DECISION and node.actor == seat
        if is_own_decision:
            split_reach_at_decision(batched_tree, strategy, seat, street, block, node, workspace)


@inlined
def split_reach_at_decision(
    batched_tree: BatchedTree,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    node: Any,
    workspace: PassWorkspace,
) -> None:
    """Write the reach probabilities of a seat after each of its actions at a decision, and their sums over the buckets.

    The sums are computed for each action, because the value of a fold depends only on them. A start of a street is one
    sequence of actions on all earlier streets, and a block is LANES consecutive starts.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    block : int
        The block, counted over all streets.
    node : record of NODE_DTYPE
        The decision.
    workspace : PassWorkspace
        It contains the reach at the decision. Its `reach` (if the strategy differs by start) and `reach_sums` after
        each possible action are overwritten.
    """
    this_street = batched_tree.streets[street]
    reach, reach_sums = workspace.reach, workspace.reach_sums
    # This row is not used for anything else now.
    sums_of_other_actions = workspace.next_street_rows[0]

    slot_before = node.slot[seat]
    first_child = -1  # the node after the first possible action
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        if child < 0:
            continue
        if strategy.differs_by_start:
            first_row = find_action_row(this_street, node, block, action)
            multiply_reach_by_probabilities(
                reach[slot_before],
                strategy.probabilities,
                first_row,
                this_street.buckets,
                reach[child],
            )

        # Sum the reach over the buckets.
        for bucket in range(this_street.buckets):
            workspace.coefficients[bucket] = workspace.reach_factors[street, child, bucket]
        slot = child if strategy.differs_by_start else FIRST_NODE
        sum_weighted_rows(
            workspace.coefficients, this_street.buckets, reach[slot], reach_sums[child]
        )

        is_first = first_child < 0
        for lane in range(LANES):
            sums_of_other_actions[lane] = (
                0.0 if is_first else sums_of_other_actions[lane] + reach_sums[child, lane]
            )
        if is_first:
            first_child = child

    # If the other actions have probability zero, copy the sum, so that the first action has no rounding error.
    for lane in range(LANES):
        if sums_of_other_actions[lane] == 0.0:
            reach_sums[first_child, lane] = reach_sums[slot_before, lane]


@inlined
def multiply_reach_by_probabilities(
    reach: Floats, probabilities: Floats, first_row: int, num_buckets: int, out_reach: Floats
) -> None:
    """Write the reach probabilities after an action: those before it, times the action probabilities.

    Parameters
    ----------
    reach : ndarray of shape (B, LANES)
        The reach probabilities before the action, a row for each bucket.
    probabilities : ndarray of shape (rows, LANES)
        The action probabilities of the strategy.
    first_row : int
        The row of the action's probabilities with the first bucket.
    num_buckets : int
        The number of buckets of the street.
    out_reach : ndarray of shape (B, LANES)
        Overwritten.
    """
    for bucket in range(num_buckets):
        for lane in range(LANES):
            probability = probabilities[first_row + bucket, lane]
            out_reach[bucket, lane] = reach[bucket, lane] * probability


@inlined
def pass_reach_to_next_street(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    workspace: PassWorkspace,
) -> None:
    """Write the reach probabilities of a seat at the starts of the next street, from those at the deals of one block.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts. At
    each deal, the reach with the buckets of this street is multiplied by the transition probabilities.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    street : int
        The street before the deals: 0 before the flop, 1 on the flop, 2 on the turn.
    block : int
        The block of this street, counted over all streets.
    workspace : PassWorkspace
        It contains the reach at the nodes. Its `start_reach` and `start_reach_sums` at those starts of the next street
        that follow this block are overwritten.
    """
    this_street = batched_tree.streets[street]
    next_street = batched_tree.streets[street + 1]
    reach_with_bucket = workspace.next_street_rows[0]  # not used for anything else now
    first_start = (block - this_street.first_block) * LANES
    num_starts = min(LANES, this_street.starts - first_start)  # in this block
    for node_index in range(this_street.nodes):
        node = batched_tree.nodes[street, node_index]
        if node.kind != DEAL:
            continue
        slot = node.slot[seat]
        # The starts after one deal are consecutive, so those of this block begin here. They may begin in the middle of
        # a block of the next street.
        first_next_start = node.continuation * this_street.starts + first_start
        for index in range(num_starts):
            next_block = next_street.first_block + (first_next_start + index) // LANES
            next_lane = (first_next_start + index) % LANES
            workspace.start_reach_sums[next_block, next_lane] = workspace.reach_sums[slot, index]

        for next_bucket in range(next_street.buckets):
            for bucket in range(this_street.buckets):
                transition = chance_matrices[street, bucket, next_bucket]
                factor = workspace.reach_factors[street, node_index, bucket]
                workspace.coefficients[bucket] = transition * factor
            sum_weighted_rows(
                workspace.coefficients,
                this_street.buckets,
                workspace.reach[slot if strategy.differs_by_start else FIRST_NODE],
                reach_with_bucket,
            )
            for index in range(num_starts):
                next_block = next_street.first_block + (first_next_start + index) // LANES
                next_lane = (first_next_start + index) % LANES
                workspace.start_reach[next_block, next_bucket, next_lane] = reach_with_bucket[index]


@inlined
def sum_weighted_rows(coefficients: Floats, num_rows: int, rows: Floats, out_sum: Floats) -> None:
    """Write the weighted sum of the first rows of an array.

    The terms are added in order. A loop adds six of them at a time so that sums stay in registers. If the number of
    rows is not a multiple of six, the last row is read again with the coefficient zero.

    Parameters
    ----------
    coefficients : ndarray of shape (B + TERMS_PER_PASS,)
        The coefficients of the rows. The TERMS_PER_PASS entries after the first `num_rows` are overwritten with zeros.
    num_rows : int
        The number of rows to sum, at most B.
    rows : ndarray of shape (B, LANES)
        The rows.
    out_sum : ndarray of shape (LANES,)
        Overwritten with the sum.
    """
    last_row = num_rows - 1
    for row in range(num_rows, num_rows + TERMS_PER_PASS):
        coefficients[row] = 0.0
    for lane in range(LANES):
        out_sum[lane] = 0.0
    # c0 to c5 are the coefficients of six terms, and r0 to r5 are their rows.
    for row in range(0, num_rows, TERMS_PER_PASS):
        c0, c1, c2 = coefficients[row], coefficients[row + 1], coefficients[row + 2]
        c3, c4, c5 = coefficients[row + 3], coefficients[row + 4], coefficients[row + 5]
        r0, r1, r2 = row, min(row + 1, last_row), min(row + 2, last_row)
        r3, r4, r5 = min(row + 3, last_row), min(row + 4, last_row), min(row + 5, last_row)
        for lane in range(LANES):
            total = out_sum[lane] + c0 * rows[r0, lane] + c1 * rows[r1, lane] + c2 * rows[r2, lane]
            out_sum[lane] = total + c3 * rows[r3, lane] + c4 * rows[r4, lane] + c5 * rows[r5, lane]
