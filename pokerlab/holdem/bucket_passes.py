"""The values of a player with each of its buckets against a strategy, by a pass up the public tree.

A player's values against the other seat's strategy are found by a pass down and a pass up. The pass down computes the
opponent's reach probabilities (`pokerlab.holdem.bucket_reach`). The pass up computes a value for each of the player's
buckets. At a fold and at a showdown, values are linear in the opponent's reach. At a decision of the opponent, the
values of the actions are added. At a decision of the player, the value is that of the best action, or the mean over the
actions by the player's own strategy. Because the two players' buckets move independently, these values do not depend on
the player's past buckets.

The public tree and the arrays are laid out in batches, as `pokerlab.holdem.batched_tree` explains. A *start* of a
street is one sequence of actions on all earlier streets, and a *block* is `LANES` consecutive starts. The betting of a
street is the same after each start, so all kernels compute the starts of a block at the same time, one in each *lane*.

The reach within a street is needed twice, for the streets that follow and for the values. It is computed twice and not
stored, because nine tenths of the work is done on the river.
"""

from typing import Any

from pokerlab.core import Floats, inlined, kernel
from pokerlab.holdem.batched_tree import (
    LANES,
    SHOWDOWN_PLACE,
    START_PLACE,
    BatchedTree,
    find_action_row,
)
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.bucket_reach import (
    FIRST_NODE,
    SHARED_COLUMN,
    KernelStrategy,
    PassWorkspace,
    allocate_pass_workspace,
    fill_reach_factors_of_street,
    find_shared_probability_row,
    pass_reach_to_next_street,
    split_reach_among_actions,
    sum_weighted_rows,
)
from pokerlab.holdem.cards import PREFLOP, RIVER
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING

BEST, BEST_RESPONSE, FOLLOW, ACTION_VALUES = range(4)
"""What a pass does at the player's decisions. BEST takes the best action, and BEST_RESPONSE also writes which action it
is. FOLLOW acts as the player's strategy does, and ACTION_VALUES also writes the value of each action."""
FOLD_ENTRY = 0
"""The entry of the values at a fold that is written and read: they are the same with every bucket."""


@kernel
def compute_player_value(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> float:
    """Return the expected payoff of a player against the other seat's strategy, in small bets a hand.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    opponent_strategy, own_strategy : KernelStrategy
        The strategies of the other seat and of the player. The player's own is used only by FOLLOW and ACTION_VALUES.
    player : int
        0 or 1.
    mode : int
        What the player does at its decisions. BEST takes the best action, and BEST_RESPONSE also writes which action it
        is. FOLLOW acts as the player's own strategy does, and ACTION_VALUES also writes the value of each action.
    out_rows : ndarray of shape (rows, LANES)
        Overwritten by BEST_RESPONSE with 1 for the best action and 0 for the others, and by ACTION_VALUES with the
        values of the actions. BEST and FOLLOW leave it unchanged. There is a row for each decision of a street's
        betting, block of LANES starts (sequences of actions on all earlier streets), action and bucket, in this order.
    """
    workspace = run_value_passes(
        batched_tree, chance_matrices, opponent_strategy, own_strategy, player, mode, out_rows
    )
    # The first street has a single start, in lane 0 of block 0. Row 0 has the probabilities of the first buckets.
    value = 0.0
    for bucket in range(batched_tree.streets[PREFLOP].buckets):
        value += chance_matrices[START_PLACE, 0, bucket] * workspace.start_values[0, bucket, 0]
    return value


@kernel
def run_value_passes(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> PassWorkspace:
    """Return the arrays of a pass down and a pass up, which contain a player's values at the starts of all streets.

    A start of a street is one sequence of actions on all earlier streets. The pass down computes the opponent's reach,
    and the pass up computes the player's values.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    opponent_strategy, own_strategy : KernelStrategy
        The strategies of the other seat and of the player. The player's own is used only by FOLLOW and ACTION_VALUES.
    player : int
        0 or 1.
    mode : int
        What the player does at its decisions: BEST, BEST_RESPONSE, FOLLOW or ACTION_VALUES, as `compute_player_value`
        explains.
    out_rows : ndarray of shape (rows, LANES)
        Overwritten by BEST_RESPONSE with 1 for the best action and 0 for the others, and by ACTION_VALUES with the
        values of the actions. BEST and FOLLOW leave it unchanged.

    Returns
    -------
    PassWorkspace
        Its `start_values` has the player's values at the starts of all streets, with each bucket.
    """
    workspace = allocate_pass_workspace(batched_tree, chance_matrices)
    opponent = 1 - player
    # The streets are visited in the order 0, 1, 2, 3, 2, 1, 0: three on the way down, then the river, then three on the
    # way up. There is one loop, and not one for each way, so that the large functions in it are inlined only once.
    num_visits = 2 * RIVER + 1
    for visit in range(num_visits):
        street = min(visit, num_visits - 1 - visit)
        is_first_visit = visit <= RIVER
        if is_first_visit and not opponent_strategy.differs_by_start:
            fill_reach_factors_of_street(
                batched_tree, opponent_strategy, opponent, street, workspace
            )

        is_down = visit < RIVER
        for block in range(
            batched_tree.streets[street].first_block, batched_tree.streets[street].end_block
        ):
            # The reach within a street is computed again on the way up, because it was not stored.
            split_reach_among_actions(
                batched_tree, opponent_strategy, opponent, street, block, workspace
            )
            if is_down:
                pass_reach_to_next_street(
                    batched_tree,
                    chance_matrices,
                    opponent_strategy,
                    opponent,
                    street,
                    block,
                    workspace,
                )
            else:
                fill_values_at_starts(
                    batched_tree,
                    chance_matrices,
                    opponent_strategy,
                    own_strategy,
                    player,
                    street,
                    block,
                    mode,
                    workspace,
                    out_rows,
                )
    return workspace


@inlined
def fill_values_at_starts(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    street: int,
    block: int,
    mode: int,
    workspace: PassWorkspace,
    out_rows: Floats,
) -> None:
    """Write the player's values at the starts of one block, by a pass up through the betting of a street.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    opponent_strategy, own_strategy : KernelStrategy
        The strategies of the other seat and of the player. The player's own is used only by FOLLOW and ACTION_VALUES.
    player : int
        0 or 1.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    block : int
        The block, counted over all streets.
    mode : int
        What the player does at its decisions: BEST, BEST_RESPONSE, FOLLOW or ACTION_VALUES, as `compute_player_value`
        explains.
    workspace : PassWorkspace
        It contains the opponent's reach at the nodes and the values at the starts of the next street. Its `values`, and
        its `start_values` in this block, are overwritten.
    out_rows : ndarray of shape (rows, LANES)
        The rows of the player's decisions in this block are overwritten by BEST_RESPONSE and ACTION_VALUES.
    """
    this_street = batched_tree.streets[street]
    values = workspace.values
    takes_best_action = mode in (BEST, BEST_RESPONSE)
    # Nodes are in preorder, so children come after their parents.
    for node_index in range(this_street.nodes - 1, -1, -1):
        node = batched_tree.nodes[street, node_index]
        node_values = values[node_index]
        is_own = node.actor == player
        if node.kind == FOLDED:
            slot = node.slot[1 - player]
            fold_payoff = -1.0 if is_own else 1.0
            chips = node.chips[node.actor]
            for lane in range(LANES):
                stake = batched_tree.stake[block, lane] + chips
                node_values[FOLD_ENTRY, lane] = (
                    fold_payoff * stake * workspace.reach_sums[slot, lane]
                )
        elif node.kind == DECISION and not is_own:
            add_over_actions(node, this_street.buckets, values, node_values)
        elif node.kind == DECISION and takes_best_action:
            maximize_over_actions(node, this_street.buckets, values, node_values)
            if mode == BEST_RESPONSE:
                write_best_action(this_street, node, block, values, node_values, out_rows)
        elif node.kind == DECISION:
            average_over_actions(this_street, node, own_strategy, block, values, node_values)
            if mode == ACTION_VALUES:
                write_action_values(this_street, node, block, values, out_rows)
        elif node.kind == DEAL:
            copy_values_after_deal(batched_tree, street, block, node.continuation, workspace)
            average_over_next_buckets(batched_tree, chance_matrices, street, workspace, node_values)
        else:
            # If the strategy is the same at all starts, the reach at the street's first node is multiplied by factors.
            slot = node.slot[1 - player] if opponent_strategy.differs_by_start else FIRST_NODE
            factors = workspace.reach_factors[street, node_index]
            fill_showdown_values(
                chance_matrices,
                this_street.buckets,
                workspace.reach[slot],
                factors,
                workspace.coefficients,
                node_values,
            )
            # At a showdown both seats have paid the same, so the chips of seat 0 suffice.
            multiply_by_stakes(
                batched_tree.stake[block], node.chips[0], this_street.buckets, node_values
            )

    for bucket in range(this_street.buckets):
        for lane in range(LANES):
            workspace.start_values[block, bucket, lane] = values[FIRST_NODE, bucket, lane]


@inlined
def multiply_by_stakes(
    start_stakes: Floats, chips: float, num_buckets: int, out_values: Floats
) -> None:
    """Multiply the values of a showdown, in place, by what each seat has paid.

    A start of a street is one sequence of actions on all earlier streets.

    Parameters
    ----------
    start_stakes : ndarray of shape (LANES,)
        What each seat had paid when the street began, for each start of the block, in small bets.
    chips : float
        What each seat has paid on this street, in small bets.
    num_buckets : int
        The number of buckets of the street.
    out_values : ndarray of shape (B, LANES)
        The values for each chip that a seat has paid, a row for each bucket; overwritten.
    """
    for bucket in range(num_buckets):
        for lane in range(LANES):
            out_values[bucket, lane] *= start_stakes[lane] + chips


@inlined
def average_over_next_buckets(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    street: int,
    workspace: PassWorkspace,
    out_values: Floats,
) -> None:
    """Write the value of a deal with each bucket of a street: the mean value over the bucket to which the deal leads.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    street : int
        The street before the deal.
    workspace : PassWorkspace
        Its `next_street_rows` contains the values that are averaged, with a row for each bucket of the next street. Its
        `coefficients` is overwritten.
    out_values : ndarray of shape (B, LANES)
        Overwritten with the means, a row for each bucket of this street.
    """
    this_street = batched_tree.streets[street]
    next_street = batched_tree.streets[street + 1]
    for bucket in range(this_street.buckets):
        for next_bucket in range(next_street.buckets):
            workspace.coefficients[next_bucket] = chance_matrices[street, bucket, next_bucket]
        sum_weighted_rows(
            workspace.coefficients,
            next_street.buckets,
            workspace.next_street_rows,
            out_values[bucket],
        )


@inlined
def fill_showdown_values(
    chance_matrices: Floats,
    num_buckets: int,
    reach: Floats,
    factors: Floats,
    coefficients: Floats,
    out_values: Floats,
) -> None:
    """Write the value of a showdown with each bucket of the player, for each chip that a seat has paid.

    It is the sum over the opponent's buckets of the payoff of the two buckets times the opponent's reach.

    Parameters
    ----------
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    num_buckets : int
        The number of buckets on the river.
    reach : ndarray of shape (B, LANES)
        The opponent's reach with each bucket, which is to be multiplied by `factors`.
    factors : ndarray of shape (B,)
        A factor of the reach for each bucket.
    coefficients : ndarray of shape (B + TERMS_PER_PASS,)
        Overwritten.
    out_values : ndarray of shape (B, LANES)
        Overwritten with the values, a row for each bucket of the player.
    """
    for bucket in range(num_buckets):
        for opponent_bucket in range(num_buckets):
            payoff = chance_matrices[SHOWDOWN_PLACE, bucket, opponent_bucket]
            coefficients[opponent_bucket] = payoff * factors[opponent_bucket]
        sum_weighted_rows(coefficients, num_buckets, reach, out_values[bucket])


@inlined
def copy_values_after_deal(
    batched_tree: BatchedTree, street: int, block: int, continuation: int, workspace: PassWorkspace
) -> None:
    """Copy the values at the starts of the next street that follow a deal into `workspace.next_street_rows`.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts.
    Lanes beyond the last start become zero.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    street : int
        The street before the deal.
    block : int
        A block of this street, counted over all streets.
    continuation : int
        The index of the deal among the deals of its street.
    workspace : PassWorkspace
        It contains the values at the starts of the next street. Its `next_street_rows` is overwritten.
    """
    this_street = batched_tree.streets[street]
    next_street = batched_tree.streets[street + 1]
    first_start = (block - this_street.first_block) * LANES
    num_starts = min(LANES, this_street.starts - first_start)  # in this block
    first_next_start = continuation * this_street.starts + first_start
    for next_bucket in range(next_street.buckets):
        for lane in range(LANES):
            workspace.next_street_rows[next_bucket, lane] = 0.0
        for index in range(num_starts):
            next_block = next_street.first_block + (first_next_start + index) // LANES
            next_lane = (first_next_start + index) % LANES
            workspace.next_street_rows[next_bucket, index] = workspace.start_values[
                next_block, next_bucket, next_lane
            ]


@inlined
def maximize_over_actions(node: Any, num_buckets: int, values: Floats, out_values: Floats) -> None:
    """Write the value of a decision of the player with each bucket: the value of the best action.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision. A call is always possible, but a fold or a raise may not be.
    num_buckets : int
        The number of buckets of the street.
    values : ndarray of shape (K, B, LANES)
        The values at the K nodes of the street's betting, in one block of LANES sequences of earlier actions. The value
        of a fold is the same with every bucket, and is read from bucket 0.
    out_values : ndarray of shape (B, LANES)
        Overwritten with the values of the decision.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for bucket in range(num_buckets):
        if raised < 0:
            for lane in range(LANES):
                out_values[bucket, lane] = values[called, bucket, lane]
        else:
            for lane in range(LANES):
                out_values[bucket, lane] = max(
                    values[called, bucket, lane], values[raised, bucket, lane]
                )
        if folded >= 0:
            for lane in range(LANES):
                out_values[bucket, lane] = max(
                    out_values[bucket, lane], values[folded, FOLD_ENTRY, lane]
                )


@inlined
def add_over_actions(node: Any, num_buckets: int, values: Floats, out_values: Floats) -> None:
    """Write the value of a decision of the opponent with each bucket of the player: the sum of the actions' values.

    These values already contain the probabilities of the opponent's actions, so they are added and not averaged.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision. A call is always possible, but a fold or a raise may not be.
    num_buckets : int
        The number of buckets of the street.
    values : ndarray of shape (K, B, LANES)
        The values at the K nodes of the street's betting, in one block of LANES sequences of earlier actions. The value
        of a fold is the same with every bucket, and is read from bucket 0.
    out_values : ndarray of shape (B, LANES)
        Overwritten with the values of the decision.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for bucket in range(num_buckets):
        if raised < 0:
            for lane in range(LANES):
                out_values[bucket, lane] = values[called, bucket, lane]
        else:
            for lane in range(LANES):
                out_values[bucket, lane] = (
                    values[called, bucket, lane] + values[raised, bucket, lane]
                )
        if folded >= 0:
            for lane in range(LANES):
                out_values[bucket, lane] += values[folded, FOLD_ENTRY, lane]


@inlined
def average_over_actions(
    this_street: Any,
    node: Any,
    own_strategy: KernelStrategy,
    block: int,
    values: Floats,
    out_values: Floats,
) -> None:
    """Write the value of a decision with each bucket: the mean value of its actions under the player's own strategy.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
        The street of the decision.
    node : record of NODE_DTYPE
        The decision.
    own_strategy : KernelStrategy
        The player's strategy.
    block : int
        The block of LANES starts (sequences of actions on all earlier streets), counted over all streets.
    values : ndarray of shape (K, B, LANES)
        The values at the K nodes of the street's betting, in this block. The value of a fold is the same with every
        bucket, and is read from bucket 0.
    out_values : ndarray of shape (B, LANES)
        Overwritten with the values of the decision.
    """
    most_buckets = out_values.shape[0]
    for bucket in range(this_street.buckets):
        for lane in range(LANES):
            out_values[bucket, lane] = 0.0
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            value_bucket = FOLD_ENTRY if action == FOLDING else bucket
            if child >= 0 and own_strategy.differs_by_start:
                row = find_action_row(this_street, node, block, action) + bucket
                add_products(
                    own_strategy.probabilities[row], values[child, value_bucket], out_values[bucket]
                )
            elif child >= 0:
                row = find_shared_probability_row(node, most_buckets, bucket, action)
                shared_probability = own_strategy.probabilities[row, SHARED_COLUMN]
                add_multiple(shared_probability, values[child, value_bucket], out_values[bucket])


@inlined
def add_products(factors: Floats, values: Floats, out_sums: Floats) -> None:
    """Add the product of a factor and a value to the sum in each lane.

    Parameters
    ----------
    factors, values : ndarray of shape (LANES,)
        The numbers to multiply.
    out_sums : ndarray of shape (LANES,)
        The products are added to it.
    """
    for lane in range(LANES):
        out_sums[lane] += factors[lane] * values[lane]


@inlined
def add_multiple(factor: float, values: Floats, out_sums: Floats) -> None:
    """Add the same multiple of the values in all lanes to the sums.

    Parameters
    ----------
    factor : float
        The factor of all values.
    values : ndarray of shape (LANES,)
        The values to multiply.
    out_sums : ndarray of shape (LANES,)
        The products are added to it.
    """
    for lane in range(LANES):
        out_sums[lane] += factor * values[lane]


@inlined
def write_best_action(
    this_street: Any, node: Any, block: int, values: Floats, best_values: Floats, out_rows: Floats
) -> None:
    """Write 1 for the best action of a decision and 0 for the others; of equally good actions the first is best.

    The order of the actions is fold, call, raise. The rows are computed without branches in the loops over lanes: a
    call is chosen if a fold is not, and a raise if neither of them is.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
        The street of the decision.
    node : record of NODE_DTYPE
        The decision. A call is always possible, but a fold or a raise may not be.
    block : int
        The block of LANES starts (sequences of actions on all earlier streets), counted over all streets.
    values : ndarray of shape (K, B, LANES)
        The values at the K nodes of the street's betting, in this block. The value of a fold is the same with every
        bucket, and is read from bucket 0.
    best_values : ndarray of shape (B, LANES)
        The value of the best action with each bucket.
    out_rows : ndarray of shape (rows, LANES)
        The rows of this decision in this block are overwritten, one for each action and bucket.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for bucket in range(this_street.buckets):
        fold_row = find_action_row(this_street, node, block, FOLDING) + bucket
        call_row = find_action_row(this_street, node, block, CALLING) + bucket
        raise_row = find_action_row(this_street, node, block, RAISING) + bucket
        for lane in range(LANES):
            out_rows[fold_row, lane] = 0.0
        if folded >= 0:
            for lane in range(LANES):
                is_fold_best = values[folded, FOLD_ENTRY, lane] == best_values[bucket, lane]
                out_rows[fold_row, lane] = 1.0 if is_fold_best else 0.0
        for lane in range(LANES):
            out_rows[call_row, lane] = 1.0 - out_rows[fold_row, lane]
        if raised >= 0:
            for lane in range(LANES):
                is_call_best = values[called, bucket, lane] == best_values[bucket, lane]
                out_rows[call_row, lane] *= 1.0 if is_call_best else 0.0
        for lane in range(LANES):
            out_rows[raise_row, lane] = 1.0 - out_rows[fold_row, lane] - out_rows[call_row, lane]


@inlined
def write_action_values(
    this_street: Any, node: Any, block: int, values: Floats, out_rows: Floats
) -> None:
    """Write the value of each possible action of a decision with each bucket.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
        The street of the decision.
    node : record of NODE_DTYPE
        The decision.
    block : int
        The block of LANES starts (sequences of actions on all earlier streets), counted over all streets.
    values : ndarray of shape (K, B, LANES)
        The values at the K nodes of the street's betting, in this block. The value of a fold is the same with every
        bucket, and is read from bucket 0.
    out_rows : ndarray of shape (rows, LANES)
        The rows of the decision's possible actions in this block are overwritten, one for each action and bucket.
    """
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        is_possible = child >= 0
        if not is_possible:
            continue
        first_row = find_action_row(this_street, node, block, action)
        for bucket in range(this_street.buckets):
            value_bucket = FOLD_ENTRY if action == FOLDING else bucket
            for lane in range(LANES):
                out_rows[first_row + bucket, lane] = values[child, value_bucket, lane]
