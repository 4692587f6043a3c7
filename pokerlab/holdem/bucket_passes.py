"""Passes over the public tree with a vector of buckets: reach probabilities down, values up, and the gradient.

The reach probabilities of a seat, one for each of its buckets, are found by one pass down the betting. At a decision of
the seat they are split among the actions by its action probabilities, and at a deal they are multiplied by the
transition matrix. The opponent's actions do not change them.

A player's values against the other seat's strategy are found by a pass down and a pass up. The pass down computes the
opponent's reach probabilities. The pass up computes a value for each of the player's buckets. At a fold and at a
showdown, values are linear in the opponent's reach. At a decision of the opponent, the values of the actions are added.
At a decision of the player, the value is that of the best action, or the mean over the actions by the player's own
strategy. Because the two players' buckets move independently, these values do not depend on the player's past buckets.

The public tree and the arrays are laid out in lanes and blocks, which `pokerlab.holdem.bucket_lanes` explains. In
kernels, k is a node of a street's betting, b is a bucket and s is a lane.

The reach within a street is needed twice, for the streets that follow and for the values. It is computed twice and not
stored, because nine tenths of the work is done on the river.

The exploitability is the sum of what the two best responses win, and what each of them wins is linear in the
probabilities at any one decision. So, if the best responses are unique, the derivative of the exploitability equals the
derivative with the best responses held fixed: for each action, minus the value of the action against the best response,
times the player's own reach probability. If several best responses are equally good, the result is a subgradient in
each single decision. The gradient takes two more passes for each seat, one for the values of actions and one for the
reach.

A step against a subgradient need not lower the exploitability. For example, any strategy that raises is a best response
to a player who always folds, and then the subgradient depends on how that strategy plays after a call that never
happens. In fact always folding is a local optimum: no change of a single probability, small or large, lowers its
exploitability.
"""

import threading
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.holdem.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.bucket_lanes import (
    LANES,
    SHOWDOWN_PLACE,
    START_PLACE,
    Lanes,
    find_action_row,
)
from pokerlab.holdem.cards import NUM_STREETS, RIVER
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING

TERMS_PER_PASS = 6  # terms of a sum that one loop over the lanes adds


class KernelStrategy(NamedTuple):
    """Action probabilities for kernels, in one of two forms.

    Attributes
    ----------
    probabilities : ndarray of shape (rows, LANES) or (situations * B * 3, 1)
        If `differs_by_start` is True, the rows of lanes in the order of `SITUATION_DTYPE`. Otherwise one column with a
        number for each situation, bucket and action, which is the same at all starts; B is the largest number of
        buckets.
    differs_by_start : bool
        Whether the probabilities may differ from one start of a street to another.
    """

    probabilities: Floats
    differs_by_start: bool


class PassWorkspace(NamedTuple):
    """The arrays that passes over the tree overwrite.

    K is the largest number of nodes of a street's betting, and B is the largest number of buckets of a street.

    Attributes
    ----------
    start_reach : ndarray of shape (blocks, B, LANES)
        One seat's reach probabilities at the starts of streets, with each of its buckets.
    start_values : ndarray of shape (blocks, B, LANES)
        The other seat's values at the starts of streets, with each of its buckets.
    start_total : ndarray of shape (blocks, LANES)
        The sums of `start_reach` over the buckets.
    reach : ndarray of shape (K, B, LANES)
        The reach at the nodes of a street's betting, in one block. That of a node is at the index `slot` of the node.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes of a street's betting, in one block.
    total : ndarray of shape (K, LANES)
        The sums of the reach over the buckets, also at the index `slot` of a node.
    next_street_rows : ndarray of shape (B, LANES)
        The reach that is passed to the next street, or the values that come from it.
    street_factors : ndarray of shape (4, K, B)
        The factor by which the reach at a node differs from that at the start of the street, if a strategy is the same
        at all starts; otherwise 1.
    coefficients : ndarray of shape (B + TERMS_PER_PASS,)
        The coefficients of a sum over buckets.
    """

    start_reach: Floats
    start_values: Floats
    start_total: Floats
    reach: Floats
    values: Floats
    total: Floats
    next_street_rows: Floats
    street_factors: Floats
    coefficients: Floats


@kernel
def allocate_pass_workspace(lanes: Lanes, chance_probabilities: Floats) -> PassWorkspace:
    """Return the arrays of a pass, in which only the reach at the first street's only start is set.

    `chance_probabilities`, from `make_chance_probabilities`, has the probabilities of the first buckets. The factors in
    `street_factors` are 1.
    """
    width = chance_probabilities.shape[1]  # the largest number of buckets
    blocks = len(lanes.stake)
    nodes = lanes.nodes.shape[1]
    work = PassWorkspace(
        np.zeros((blocks, width, LANES)),
        np.zeros((blocks, width, LANES)),
        np.zeros((blocks, LANES)),
        np.zeros((nodes, width, LANES)),
        np.zeros((nodes, width, LANES)),
        np.zeros((nodes, LANES)),
        np.zeros((width, LANES)),
        np.ones((NUM_STREETS, nodes, width)),
        np.zeros(width + TERMS_PER_PASS),
    )
    work.start_reach[0, :, 0] = chance_probabilities[START_PLACE, 0]
    work.start_total[0, 0] = 1.0
    return work


@kernel
def fill_reach_rows(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    seat: int,
    out_rows: Floats,
) -> None:
    """Write the reach probability of each decision of a seat with each bucket, when the seat follows a strategy.

    A reach probability is the product of the probabilities of the seat's own actions and of its buckets. It does not
    include the probabilities of the opponent's actions. One pass visits the streets in their order.

    Parameters
    ----------
    lanes : Lanes
        The public tree in the layout of kernels.
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    strategy : KernelStrategy
        The seat's strategy.
    seat : int
        0 or 1.
    out_rows : ndarray of shape (rows, LANES)
        The rows of all possible actions are overwritten; those of impossible actions are not.
    """
    work = allocate_pass_workspace(lanes, chance_probabilities)
    for street in range(NUM_STREETS):
        if not strategy.differs_by_start:
            fill_street_factors(lanes, strategy, seat, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            split_reach_among_actions(lanes, strategy, seat, street, block, work)
            if street < RIVER:
                pass_reach_to_next_street(
                    lanes, chance_probabilities, strategy, seat, street, block, work
                )
            copy_reach_to_rows(lanes, strategy, seat, street, block, work, out_rows)


@inlined
def copy_reach_to_rows(
    lanes: Lanes,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    work: PassWorkspace,
    out_rows: Floats,
) -> None:
    """Copy the reach of a seat at its decisions on a street, in one block, to the rows of all possible actions.

    Parameters
    ----------
    lanes : Lanes
    strategy : KernelStrategy
        The seat's strategy.
    seat, street, block : int
    work : PassWorkspace
        It holds the reach at the nodes of the street's betting.
    out_rows : ndarray of shape (rows, LANES)
        The rows of these decisions are overwritten.
    """
    this_street = lanes.streets[street]
    for k in range(this_street.nodes):
        node = lanes.nodes[street, k]
        is_own_decision = node.kind == DECISION and node.actor == seat
        if not is_own_decision:
            continue
        # If the strategy is the same at all starts, the reach at a node is that at the start (slot 0) times a factor.
        reach = work.reach[node.slot[seat] if strategy.differs_by_start else 0]
        for action in range(NUM_ACTIONS):
            if node.child[action] >= 0:
                first_row = find_action_row(this_street, node, block, action)
                for b in range(this_street.buckets):
                    factor = work.street_factors[street, k, b]
                    for s in range(LANES):
                        out_rows[first_row + b, s] = factor * reach[b, s]


@inlined
def fill_street_factors(
    lanes: Lanes, strategy: KernelStrategy, seat: int, street: int, work: PassWorkspace
) -> None:
    """Write into `work.street_factors` the products of a seat's action probabilities along a street's betting.

    The strategy must be the same at all starts of the street (`strategy.differs_by_start` is False). The factor of the
    street's first node is 1 already.

    Parameters
    ----------
    lanes : Lanes
        The public tree in the layout of kernels.
    strategy : KernelStrategy
        The seat's strategy.
    seat, street : int
    work : PassWorkspace
        Its `street_factors` on this street are overwritten.
    """
    width = work.street_factors.shape[2]
    for k in range(lanes.streets[street].nodes):
        node = lanes.nodes[street, k]
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            if child < 0:
                continue
            for b in range(lanes.streets[street].buckets):
                probability = 1.0
                if node.actor == seat:
                    row = find_probability_row(node, width, b, action)
                    probability = strategy.probabilities[row, 0]
                factor = work.street_factors[street, k, b]
                work.street_factors[street, child, b] = factor * probability


@inlined
def find_probability_row(node: Any, width: int, bucket: int, action: int) -> int:
    """Return the row of an action probability of a strategy that is the same at all starts of a street.

    The rows of `KernelStrategy.probabilities` are then ordered by situation, by `width` buckets, and by action. `node`
    is a record of NODE_DTYPE.
    """
    return int((node.situation * width + bucket) * NUM_ACTIONS + action)


@inlined
def split_reach_among_actions(
    lanes: Lanes, strategy: KernelStrategy, seat: int, street: int, block: int, work: PassWorkspace
) -> None:
    """Write the reach of a seat at the nodes of a street's betting, beginning at the starts of one block.

    At each decision of the seat its reach is split among the actions by the action probabilities. Its sum over the
    buckets is computed for each action, because the value of a fold depends only on this sum.

    Parameters
    ----------
    lanes : Lanes
    strategy : KernelStrategy
        The seat's strategy.
    seat, street, block : int
    work : PassWorkspace
        It holds the reach at the starts; `reach` and `total` at the nodes are overwritten. If the strategy is the same
        at all starts, `reach` is written only at the first node, and `work.street_factors` has the other factors.
    """
    this_street = lanes.streets[street]
    reach = work.reach
    total = work.total
    # The row of memory for this sum is not used for anything else now.
    total_of_others = work.next_street_rows[0]
    for s in range(LANES):
        total[0, s] = work.start_total[block, s]
    for b in range(this_street.buckets):
        for s in range(LANES):
            reach[0, b, s] = work.start_reach[block, b, s]

    for k in range(this_street.nodes):
        node = lanes.nodes[street, k]
        is_own_decision = node.kind == DECISION and node.actor == seat
        if not is_own_decision:
            continue
        above = node.slot[seat]
        first_child = -1  # the node after the first possible action
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            if child < 0:
                continue
            if strategy.differs_by_start:
                first_row = find_action_row(this_street, node, block, action)
                for b in range(this_street.buckets):
                    for s in range(LANES):
                        probability = strategy.probabilities[first_row + b, s]
                        reach[child, b, s] = reach[above, b, s] * probability

            # Sum the reach over the buckets.
            for b in range(this_street.buckets):
                work.coefficients[b] = work.street_factors[street, child, b]
            slot = child if strategy.differs_by_start else 0
            sum_weighted_rows(work.coefficients, this_street.buckets, reach[slot], total[child])

            is_first = first_child < 0
            for s in range(LANES):
                total_of_others[s] = 0.0 if is_first else total_of_others[s] + total[child, s]
            if is_first:
                first_child = child

        # If the other actions have probability zero, copy the sum, so that the first action has no rounding error.
        for s in range(LANES):
            if total_of_others[s] == 0.0:
                total[first_child, s] = total[above, s]


@inlined
def pass_reach_to_next_street(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    work: PassWorkspace,
) -> None:
    """Write the reach of a seat at the starts of the next street that follow the starts of one block of this street.

    At each deal the reach with the buckets of this street is multiplied by the transition probabilities.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    strategy : KernelStrategy
        The seat's strategy.
    seat, street, block : int
    work : PassWorkspace
        It holds the reach at the nodes; `start_reach` and `start_total` of the next street are overwritten.
    """
    this_street = lanes.streets[street]
    next_street = lanes.streets[street + 1]
    reach_with_bucket = work.next_street_rows[0]
    first_start = (block - this_street.block) * LANES
    num_starts = min(LANES, this_street.starts - first_start)  # in this block
    for k in range(this_street.nodes):
        node = lanes.nodes[street, k]
        if node.kind != DEAL:
            continue
        slot = node.slot[seat]
        # The starts after one deal are consecutive, so those of this block begin here. They may begin in the middle of
        # a block of the next street.
        next_start = node.continuation * this_street.starts + first_start
        for s in range(num_starts):
            target = next_street.block + (next_start + s) // LANES
            work.start_total[target, (next_start + s) % LANES] = work.total[slot, s]

        for next_bucket in range(next_street.buckets):
            for b in range(this_street.buckets):
                transition = chance_probabilities[street, b, next_bucket]
                work.coefficients[b] = transition * work.street_factors[street, k, b]
            sum_weighted_rows(
                work.coefficients,
                this_street.buckets,
                work.reach[slot if strategy.differs_by_start else 0],
                reach_with_bucket,
            )
            for s in range(num_starts):
                target = next_street.block + (next_start + s) // LANES
                lane = (next_start + s) % LANES
                work.start_reach[target, next_bucket, lane] = reach_with_bucket[s]


@inlined
def sum_weighted_rows(coefficients: Floats, num_rows: int, rows: Floats, out: Floats) -> None:
    """Write the weighted sum of the first `num_rows` rows of an array.

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
    out : ndarray of shape (LANES,)
        Overwritten with the sum.
    """
    last = num_rows - 1
    for b in range(num_rows, num_rows + TERMS_PER_PASS):
        coefficients[b] = 0.0
    for s in range(LANES):
        out[s] = 0.0
    for b in range(0, num_rows, TERMS_PER_PASS):
        c0, c1, c2 = coefficients[b], coefficients[b + 1], coefficients[b + 2]
        c3, c4, c5 = coefficients[b + 3], coefficients[b + 4], coefficients[b + 5]
        r0, r1, r2 = b, min(b + 1, last), min(b + 2, last)
        r3, r4, r5 = min(b + 3, last), min(b + 4, last), min(b + 5, last)
        for s in range(LANES):
            total = out[s] + c0 * rows[r0, s] + c1 * rows[r1, s] + c2 * rows[r2, s]
            out[s] = total + c3 * rows[r3, s] + c4 * rows[r4, s] + c5 * rows[r5, s]


BEST, BEST_RESPONSE, FOLLOW, ACTION_VALUES = range(4)
"""What a pass does at the player's decisions. BEST takes the best action, and BEST_RESPONSE also writes which action it
is. FOLLOW acts as the player's strategy does, and ACTION_VALUES also writes the value of each action."""


@kernel
def compute_player_value(
    lanes: Lanes,
    chance_probabilities: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> float:
    """Return the expected payoff of a player against the other seat's strategy, in small bets a hand.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`, for at most B buckets on a street.
    opponent_strategy, own_strategy : KernelStrategy
        The strategies of the other seat and of the player. The player's own is used only by FOLLOW and ACTION_VALUES.
    player : int
        0 or 1.
    mode : int
        BEST, BEST_RESPONSE, FOLLOW or ACTION_VALUES.
    out_rows : ndarray of shape (rows, LANES)
        Overwritten by BEST_RESPONSE with 1 for the best action and 0 for the others, and by ACTION_VALUES with the
        values of the actions. BEST and FOLLOW leave it unchanged.
    """
    work = run_value_passes(
        lanes, chance_probabilities, opponent_strategy, own_strategy, player, mode, out_rows
    )
    total = 0.0
    for b in range(lanes.streets[0].buckets):
        total += chance_probabilities[START_PLACE, 0, b] * work.start_values[0, b, 0]
    return total


@kernel
def run_value_passes(
    lanes: Lanes,
    chance_probabilities: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> PassWorkspace:
    """Return the arrays that a pass down and a pass up have filled; `start_values` has the values at all starts.

    The pass down computes the opponent's reach, and the pass up the player's values. A street is visited in each of
    seven legs: three streets on the way down, then the river, then the three others on the way up.

    Parameters
    ----------
    lanes : Lanes
        The public tree in the layout of kernels.
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`, for at most B buckets on a street.
    opponent_strategy, own_strategy : KernelStrategy
        The strategies of the other seat and of the player. The player's own is used only by FOLLOW and ACTION_VALUES.
    player : int
        0 or 1.
    mode : int
        BEST, BEST_RESPONSE, FOLLOW or ACTION_VALUES.
    out_rows : ndarray of shape (rows, LANES)
        Overwritten by BEST_RESPONSE and ACTION_VALUES, as in `compute_player_value`.
    """
    work = allocate_pass_workspace(lanes, chance_probabilities)
    for leg in range(RIVER + NUM_STREETS):
        street = leg if leg < RIVER else RIVER + RIVER - leg
        is_first_visit = leg <= RIVER
        if is_first_visit and not opponent_strategy.differs_by_start:
            fill_street_factors(lanes, opponent_strategy, 1 - player, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            # The reach within a street is computed again on the way up, because it was not stored.
            split_reach_among_actions(lanes, opponent_strategy, 1 - player, street, block, work)
            is_down = leg < RIVER
            if is_down:
                pass_reach_to_next_street(
                    lanes, chance_probabilities, opponent_strategy, 1 - player, street, block, work
                )
            else:
                compute_start_values(
                    lanes,
                    chance_probabilities,
                    opponent_strategy,
                    own_strategy,
                    player,
                    street,
                    block,
                    mode,
                    work,
                    out_rows,
                )
    return work


@inlined
def compute_start_values(
    lanes: Lanes,
    chance_probabilities: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    street: int,
    block: int,
    mode: int,
    work: PassWorkspace,
    out_rows: Floats,
) -> None:
    """Write the player's values at the starts of one block, by a pass up through the betting of a street.

    Parameters
    ----------
    lanes, chance_probabilities, opponent_strategy, own_strategy, player, mode, out_rows
        As in `compute_player_value`.
    street, block : int
    work : PassWorkspace
        It holds the opponent's reach at the nodes and the values of the next street's starts; `values` and
        `start_values` are overwritten.
    """
    this_street = lanes.streets[street]
    values = work.values
    takes_best_action = mode <= BEST_RESPONSE  # BEST or BEST_RESPONSE
    for k in range(this_street.nodes - 1, -1, -1):  # children come after their parents
        node = lanes.nodes[street, k]
        slot = node.slot[1 - player]
        is_own = node.actor == player
        if node.kind == FOLDED:
            # The payoff is the same with every bucket, so only the entry of bucket 0 is written.
            sign = -1.0 if is_own else 1.0
            chips = node.chips[node.actor]
            for s in range(LANES):
                values[k, 0, s] = sign * (lanes.stake[block, s] + chips) * work.total[slot, s]
        elif node.kind == DECISION and not is_own:
            add_over_actions(node, this_street.buckets, values, values[k])
        elif node.kind == DECISION and takes_best_action:
            maximize_over_actions(node, this_street.buckets, values, values[k])
            if mode == BEST_RESPONSE:
                write_best_action(this_street, node, block, values, values[k], out_rows)
        elif node.kind == DECISION:
            average_over_actions(this_street, node, own_strategy, block, values, values[k])
            if mode == ACTION_VALUES:
                write_action_values(this_street, node, block, values, out_rows)
        elif node.kind == DEAL:
            load_values_after_deal(lanes, street, block, node.continuation, work)
            average_over_next_buckets(lanes, chance_probabilities, street, work, values[k])
        else:
            reach = work.reach[slot if opponent_strategy.differs_by_start else 0]
            factors = work.street_factors[street, k]
            compute_showdown_values(
                chance_probabilities, this_street.buckets, reach, factors, work, values[k]
            )
            for b in range(this_street.buckets):
                for s in range(LANES):
                    values[k, b, s] *= lanes.stake[block, s] + node.chips[0]

    for b in range(this_street.buckets):
        for s in range(LANES):
            work.start_values[block, b, s] = values[0, b, s]


@inlined
def average_over_next_buckets(
    lanes: Lanes, chance_probabilities: Floats, street: int, work: PassWorkspace, out: Floats
) -> None:
    """Write, for each bucket of a street, the mean value over the bucket that the next deal leads to.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`, for at most B buckets on a street.
    street : int
        The street before the deal.
    work : PassWorkspace
        Its array `next_street_rows` holds the values that are averaged, a row for each bucket of the next street. Its
        array `coefficients` is overwritten.
    out : ndarray of shape (B, LANES)
        A row for each bucket of this street, overwritten by the means.
    """
    this_street = lanes.streets[street]
    next_street = lanes.streets[street + 1]
    for b in range(this_street.buckets):
        for next_bucket in range(next_street.buckets):
            work.coefficients[next_bucket] = chance_probabilities[street, b, next_bucket]
        sum_weighted_rows(work.coefficients, next_street.buckets, work.next_street_rows, out[b])


@inlined
def compute_showdown_values(
    chance_probabilities: Floats,
    num_buckets: int,
    reach: Floats,
    factors: Floats,
    work: PassWorkspace,
    out: Floats,
) -> None:
    """Write the value of a showdown with each bucket of the player, for each chip that a seat has paid.

    It is the sum over the opponent's buckets of the payoff of the two buckets times the opponent's reach.

    Parameters
    ----------
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    num_buckets : int
        The number of buckets on the river.
    reach : ndarray of shape (B, LANES)
        The opponent's reach with each bucket, which is to be multiplied by `factors`.
    factors : ndarray of shape (B,)
        A factor of the reach for each bucket.
    work : PassWorkspace
        The array `coefficients` is overwritten.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    for b in range(num_buckets):
        for other in range(num_buckets):
            payoff = chance_probabilities[SHOWDOWN_PLACE, b, other]
            work.coefficients[other] = payoff * factors[other]
        sum_weighted_rows(work.coefficients, num_buckets, reach, out[b])


@inlined
def load_values_after_deal(
    lanes: Lanes, street: int, block: int, continuation: int, work: PassWorkspace
) -> None:
    """Copy the values at the starts of the next street that follow a deal into `work.next_street_rows`.

    Lanes beyond the last start become zero.

    Parameters
    ----------
    lanes : Lanes
    street, block : int
        The street before the deal, and a block of its starts.
    continuation : int
        The index of the deal on its street.
    work : PassWorkspace
        It holds the values at the starts of the next street; `next_street_rows` is overwritten.
    """
    this_street = lanes.streets[street]
    next_street = lanes.streets[street + 1]
    first_start = (block - this_street.block) * LANES
    next_start = continuation * this_street.starts + first_start
    for next_bucket in range(next_street.buckets):
        for s in range(LANES):
            work.next_street_rows[next_bucket, s] = 0.0
        for s in range(min(LANES, this_street.starts - first_start)):
            source = next_street.block + (next_start + s) // LANES
            lane = (next_start + s) % LANES
            work.next_street_rows[next_bucket, s] = work.start_values[source, next_bucket, lane]


@inlined
def maximize_over_actions(node: Any, num_buckets: int, values: Floats, out: Floats) -> None:
    """Write the value of a decision of the player with each bucket: the value of the best action.

    The value of a fold is the same with every bucket and is read from bucket 0.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision; a call is always possible, but a fold or a raise may not be.
    num_buckets : int
        The number of buckets of the street.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(num_buckets):
        if raised < 0:
            for s in range(LANES):
                out[b, s] = values[called, b, s]
        else:
            for s in range(LANES):
                out[b, s] = max(values[called, b, s], values[raised, b, s])
        if folded >= 0:
            for s in range(LANES):
                out[b, s] = max(out[b, s], values[folded, 0, s])


@inlined
def add_over_actions(node: Any, num_buckets: int, values: Floats, out: Floats) -> None:
    """Write the value of a decision of the opponent with each bucket of the player: the sum of the actions' values.

    These values already contain the probabilities of the opponent's actions, so they are added and not averaged.

    Parameters
    ----------
    node : record of NODE_DTYPE
        The decision; a call is always possible, but a fold or a raise may not be.
    num_buckets : int
        The number of buckets of the street.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes. That of a fold is the same with every bucket and is read from bucket 0.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(num_buckets):
        if raised < 0:
            for s in range(LANES):
                out[b, s] = values[called, b, s]
        else:
            for s in range(LANES):
                out[b, s] = values[called, b, s] + values[raised, b, s]
        if folded >= 0:
            for s in range(LANES):
                out[b, s] += values[folded, 0, s]


@inlined
def average_over_actions(
    this_street: Any,
    node: Any,
    own_strategy: KernelStrategy,
    block: int,
    values: Floats,
    out: Floats,
) -> None:
    """Write the value of a decision with each bucket: the mean value of its actions under the player's own strategy.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
    node : record of NODE_DTYPE
    own_strategy : KernelStrategy
    block : int
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    width = out.shape[0]
    for b in range(this_street.buckets):
        for s in range(LANES):
            out[b, s] = 0.0
        for action in range(NUM_ACTIONS):
            child = node.child[action]
            # The value of a fold is the same with every bucket and is stored for bucket 0 only.
            value_bucket = 0 if action == FOLDING else b
            if child >= 0 and own_strategy.differs_by_start:
                row = find_action_row(this_street, node, block, action) + b
                for s in range(LANES):
                    out[b, s] += own_strategy.probabilities[row, s] * values[child, value_bucket, s]
            elif child >= 0:
                row = find_probability_row(node, width, b, action)
                probability = own_strategy.probabilities[row, 0]
                for s in range(LANES):
                    out[b, s] += probability * values[child, value_bucket, s]


@inlined
def write_best_action(
    this_street: Any, node: Any, block: int, values: Floats, best: Floats, out_rows: Floats
) -> None:
    """Write 1 for the best action of a decision and 0 for the others; of equally good actions the first is best.

    The order of the actions is fold, call, raise. The rows are computed without branches in the loops over lanes: a
    call is chosen if a fold is not, and a raise if neither of them is.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
    node : record of NODE_DTYPE
    block : int
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    best : ndarray of shape (B, LANES)
        The value of the decision, which is that of its best action.
    out_rows : ndarray of shape (rows, LANES)
        The rows of the decision are overwritten.
    """
    folded, called, raised = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(this_street.buckets):
        fold_row = find_action_row(this_street, node, block, FOLDING) + b
        call_row = find_action_row(this_street, node, block, CALLING) + b
        raise_row = find_action_row(this_street, node, block, RAISING) + b
        for s in range(LANES):
            out_rows[fold_row, s] = 0.0
        if folded >= 0:
            for s in range(LANES):
                out_rows[fold_row, s] = 1.0 if values[folded, 0, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[call_row, s] = 1.0 - out_rows[fold_row, s]
        if raised >= 0:
            for s in range(LANES):
                out_rows[call_row, s] *= 1.0 if values[called, b, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[raise_row, s] = 1.0 - out_rows[fold_row, s] - out_rows[call_row, s]


@inlined
def write_action_values(
    this_street: Any, node: Any, block: int, values: Floats, out_rows: Floats
) -> None:
    """Write the value of each possible action of a decision with each bucket.

    Parameters
    ----------
    this_street : record of STREET_DTYPE
    node : record of NODE_DTYPE
        The decision.
    block : int
        The block of starts.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    out_rows : ndarray of shape (rows, LANES)
        The rows of the decision's possible actions are overwritten; those of impossible actions are not.
    """
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        if child >= 0:
            first_row = find_action_row(this_street, node, block, action)
            for b in range(this_street.buckets):
                # The value of a fold is the same with every bucket and is stored for bucket 0 only.
                value_bucket = 0 if action == FOLDING else b
                for s in range(LANES):
                    out_rows[first_row + b, s] = values[child, value_bucket, s]


class ExploitabilitySlope(NamedTuple):
    """The exploitability of a profile and its gradient.

    Attributes
    ----------
    value : float
        The exploitability in small bets.
    gradient : ndarray of shape (rows, B, 3)
        Its derivative in each probability of the profile's table.
    """

    value: float
    gradient: Floats


class ThreadArrays(threading.local):
    """Three arrays with rows of lanes for each thread, reused because allocating them takes as long as a pass."""

    def __init__(self) -> None:
        self.arrays: tuple[Floats, Floats, Floats] | None = None

    def get_rows(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return three arrays of shape (count, LANES), whose contents may be left from earlier use."""
        if self.arrays is None or len(self.arrays[0]) != count:
            best_actions, values, reach = (np.zeros((count, LANES)) for _ in range(3))
            self.arrays = best_actions, values, reach
        return self.arrays


THREAD_ARRAYS = ThreadArrays()


def find_exploitability_slope(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    shape: tuple[int, ...],
    pointer: Ints,
) -> ExploitabilitySlope:
    """Return the exploitability of a strategy and its gradient.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    strategy : KernelStrategy
    shape : tuple of int
        The shape of the profile's table, (rows, B, 3), and of the gradient.
    pointer : ndarray of int64, shape (D,)
        The row of each decision in that table.
    """
    best_actions, values, reach = THREAD_ARRAYS.get_rows(lanes.num_rows)

    # The exploitability is the sum of what the best responses in both seats win.
    exploitability = 0.0
    for player in range(2):
        exploitability += compute_player_value(
            lanes, chance_probabilities, strategy, strategy, player, BEST_RESPONSE, best_actions
        )

    # All probabilities are read-only, and numba would compile the kernel anew for a writable array.
    best_probabilities = best_actions.view()
    best_probabilities.setflags(write=False)
    best_response = KernelStrategy(best_probabilities, True)

    # Each seat's own actions are evaluated against the other seat's best response.
    for player in range(2):
        compute_player_value(
            lanes, chance_probabilities, best_response, strategy, player, ACTION_VALUES, values
        )
        fill_reach_rows(lanes, chance_probabilities, strategy, player, reach)

    gradient = np.zeros(shape)
    shares_rows = not strategy.differs_by_start
    write_exploitability_gradient(lanes, values, reach, pointer, shares_rows, gradient)
    return ExploitabilitySlope(exploitability, gradient)


@kernel
def write_exploitability_gradient(
    lanes: Lanes,
    values: Floats,
    reach: Floats,
    pointer: Ints,
    shares_rows: bool,
    out_gradient: Floats,
) -> None:
    """Write the gradient of the exploitability with respect to the entries of a profile's table.

    The derivative in an entry is minus the sum, over all decisions that use the entry, of the action's value against
    the best response times the reach probability. A situation, which is what has been bet on a street, has a decision
    for each start: each way in which the street can be reached. Starts are neighbors in rows of `LANES` numbers, and
    lanes beyond the last start hold zeros.

    Parameters
    ----------
    lanes : Lanes
        The public tree in the layout of kernels.
    values, reach : ndarray of shape (rows, LANES)
        The values of actions against the best response, and the reach probabilities.
    pointer : ndarray of int64, shape (D,)
        The row of the profile's table for each of D decisions.
    shares_rows : bool
        Whether all decisions of a situation share one row of the table, which no other situation uses.
    out_gradient : ndarray of shape (rows of the table, B, 3)
        An array of zeros, to which the gradient is added. The entries of impossible actions stay zero.
    """
    first_decision = 0  # of the situation: it has one decision for each start of its street
    sums = np.zeros(LANES)
    for i in range(len(lanes.situations)):
        this_street = lanes.streets[lanes.situations[i].street]
        first_row = lanes.situations[i].row
        rows_per_block = NUM_ACTIONS * this_street.buckets
        end_decision = first_decision + this_street.starts
        for action in range(NUM_ACTIONS):
            if not lanes.legal[i, action]:
                continue
            for b in range(this_street.buckets):
                row = first_row + action * this_street.buckets + b  # in the street's first block
                if shares_rows:
                    sums[:] = 0.0
                    for _ in range(0, this_street.starts, LANES):
                        for s in range(LANES):
                            sums[s] += values[row, s] * reach[row, s]
                        row += rows_per_block
                    out_gradient[pointer[first_decision], b, action] = -sums.sum()
                else:
                    for block_decision in range(first_decision, end_decision, LANES):
                        for s in range(min(LANES, end_decision - block_decision)):
                            table_row = pointer[block_decision + s]
                            out_gradient[table_row, b, action] -= values[row, s] * reach[row, s]
                        row += rows_per_block
        first_decision = end_decision
