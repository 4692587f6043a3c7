"""The gradient of the exploitability of a strategy of the bucketed game, in the probabilities of its table.

The exploitability is the sum of what the two best responses win, and what each of them wins is linear in the
probabilities at any one decision. So, if the best responses are unique, the derivative of the exploitability equals the
derivative with the best responses held fixed: for each action, minus the value of the action against the best response,
times the player's own reach probability. If several best responses are equally good, the result is a subgradient in
each single decision. The gradient takes two more passes for each seat than the exploitability, one for the values of
actions and one for the reach.

A step against a subgradient need not lower the exploitability. For example, any strategy that raises is a best response
to a player who always folds, and then the subgradient depends on how that strategy plays after a call that never
happens. In fact always folding is a local optimum: no change of a single probability, small or large, lowers its
exploitability.
"""

import threading
from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.holdem.batched_tree import LANES, BatchedTree
from pokerlab.holdem.bucket_passes import ACTION_VALUES, BEST_RESPONSE, compute_player_value
from pokerlab.holdem.bucket_reach import KernelStrategy, fill_reach_rows
from pokerlab.holdem.hand import NUM_ACTIONS


class ExploitabilityGradient(NamedTuple):
    """The exploitability of a profile and its gradient.

    Attributes
    ----------
    value : float
        The exploitability in small bets.
    gradient : ndarray of shape (rows, B, 3)
        Its derivative in each probability of the profile's table, by row, bucket and action.
    """

    value: float
    gradient: Floats


class ThreadBuffers(threading.local):
    """Three arrays for each thread, which are reused because allocating them takes as long as a pass over the tree."""

    def __init__(self) -> None:
        """Begin without arrays, in each thread that uses the object."""
        self.buffers: tuple[Floats, Floats, Floats] | None = None

    def get_buffers(self, num_rows: int) -> tuple[Floats, Floats, Floats]:
        """Return three arrays, whose contents may be left from earlier use.

        Parameters
        ----------
        num_rows : int
            The number of rows of each array.

        Returns
        -------
        tuple of 3 ndarray, each of shape (num_rows, LANES)
            The same arrays as in the call before, if the number of rows is the same.
        """
        if self.buffers is None or len(self.buffers[0]) != num_rows:
            shape = (num_rows, LANES)
            self.buffers = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        return self.buffers


THREAD_BUFFERS = ThreadBuffers()


def compute_exploitability_gradient(
    batched_tree: BatchedTree,
    chance_matrices: Floats,
    strategy: KernelStrategy,
    table_shape: tuple[int, ...],
    table_rows: Ints,
) -> ExploitabilityGradient:
    """Return the exploitability of a strategy for both seats, and its gradient in the probabilities of a table.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    chance_matrices : ndarray of shape (5, B, B)
        Transitions, payoffs of showdowns and first buckets, from `make_chance_matrices`, for at most B buckets.
    strategy : KernelStrategy
        The action probabilities of both seats.
    table_shape : tuple of int
        The shape of the table from which the strategy takes its probabilities: (rows, B, 3), by row, bucket and action.
    table_rows : ndarray of int64, shape (D,)
        The row of each of D decisions in that table.

    Returns
    -------
    ExploitabilityGradient
        The exploitability, and its derivative in each entry of the table.
    """
    best_actions, values, reach = THREAD_BUFFERS.get_buffers(batched_tree.num_rows)

    # The exploitability is the sum of what the best responses in both seats win.
    exploitability = 0.0
    for player in range(2):
        exploitability += compute_player_value(
            batched_tree, chance_matrices, strategy, strategy, player, BEST_RESPONSE, best_actions
        )

    # All probabilities are read-only, and numba would compile the kernel anew for a writable array.
    best_probabilities = best_actions.view()
    best_probabilities.setflags(write=False)
    best_response = KernelStrategy(best_probabilities, differs_by_start=True)

    # Each seat's own actions are evaluated against the other seat's best response.
    for player in range(2):
        compute_player_value(
            batched_tree, chance_matrices, best_response, strategy, player, ACTION_VALUES, values
        )
        fill_reach_rows(batched_tree, chance_matrices, strategy, player, reach)

    gradient = np.zeros(table_shape)
    shares_rows = not strategy.differs_by_start
    fill_exploitability_gradient(batched_tree, values, reach, table_rows, shares_rows, gradient)
    return ExploitabilityGradient(exploitability, gradient)


@kernel
def fill_exploitability_gradient(
    batched_tree: BatchedTree,
    values: Floats,
    reach: Floats,
    table_rows: Ints,
    shares_rows: bool,
    out_gradient: Floats,
) -> None:
    """Write the gradient of the exploitability with respect to the entries of a table of action probabilities.

    The derivative in an entry is minus the sum, over all decisions that use the entry, of the action's value against
    the best response times the reach probability. A start of a street is one sequence of actions on all earlier
    streets, and a situation (a decision of the street's betting) occurs once after each start. LANES consecutive starts
    are a block, and lanes beyond the last start contain zeros.

    Parameters
    ----------
    batched_tree : BatchedTree
        The public tree laid out in batches.
    values, reach : ndarray of shape (rows, LANES)
        The values of actions against the best response, and the reach probabilities. There is a row for each situation,
        block, action and bucket, in this order.
    table_rows : ndarray of int64, shape (D,)
        The row of each of D decisions in the table. The decisions of a situation are neighbors.
    shares_rows : bool
        Whether all decisions of a situation share one row of the table, which no other situation uses.
    out_gradient : ndarray of shape (rows of the table, B, 3)
        An array of zeros, to which the gradient is added. The entries of impossible actions stay zero.
    """
    # Three kinds of indices: `row` is a row of `values` and `reach`, `table_rows` has rows of the table, and decisions
    # are counted over all situations.
    first_decision = 0  # of the situation, which has one decision for each start of its street
    lane_sums = np.zeros(LANES)
    for situation in range(len(batched_tree.situations)):
        this_street = batched_tree.streets[batched_tree.situations[situation].street]
        first_row = batched_tree.situations[situation].row
        rows_per_block = NUM_ACTIONS * this_street.buckets
        num_blocks = this_street.end_block - this_street.first_block
        end_decision = first_decision + this_street.starts
        for action in range(NUM_ACTIONS):
            if not batched_tree.is_legal[situation, action]:
                continue
            for bucket in range(this_street.buckets):
                # The row of this action and bucket in the street's first block.
                row = first_row + action * this_street.buckets + bucket
                if shares_rows:
                    product_sum = sum_products_over_blocks(
                        values, reach, row, rows_per_block, num_blocks, lane_sums
                    )
                    out_gradient[table_rows[first_decision], bucket, action] = -product_sum
                else:
                    subtract_products(
                        values,
                        reach,
                        row,
                        rows_per_block,
                        table_rows[first_decision:end_decision],
                        out_gradient[:, bucket, action],
                    )
        first_decision = end_decision


@inlined
def subtract_products(
    values: Floats,
    reach: Floats,
    first_row: int,
    rows_per_block: int,
    table_rows: Ints,
    out_derivatives: Floats,
) -> None:
    """Subtract the products of values and reach probabilities at all decisions of a situation from their derivatives.

    A situation is a decision of a street's betting, whatever the actions on earlier streets.

    Parameters
    ----------
    values, reach : ndarray of shape (rows, LANES)
        The numbers to multiply, with a row for each block of decisions.
    first_row : int
        The row of the first block.
    rows_per_block : int
        The distance from the row of one block to the row of the next.
    table_rows : ndarray of int64, shape (n,)
        The row of the table for each of the n decisions.
    out_derivatives : ndarray of shape (rows of the table,)
        The derivatives in the entries of one bucket and action, from which the products are subtracted.
    """
    row = first_row
    for begin in range(0, table_rows.size, LANES):
        for lane in range(min(LANES, table_rows.size - begin)):
            product = values[row, lane] * reach[row, lane]
            out_derivatives[table_rows[begin + lane]] -= product
        row += rows_per_block


@inlined
def sum_products_over_blocks(
    values: Floats,
    reach: Floats,
    first_row: int,
    rows_per_block: int,
    num_blocks: int,
    lane_sums: Floats,
) -> float:
    """Return the sum of the products of values and reach probabilities at all starts of a street.

    A start of a street is one sequence of actions on all earlier streets, and a block is LANES consecutive starts.

    Parameters
    ----------
    values, reach : ndarray of shape (rows, LANES)
        The numbers to multiply, with a row for each block.
    first_row : int
        The row of the first block.
    rows_per_block : int
        The distance from the row of one block to the row of the next.
    num_blocks : int
        The number of blocks of the street.
    lane_sums : ndarray of shape (LANES,)
        Overwritten with the sum in each lane.
    """
    lane_sums[:] = 0.0
    row = first_row
    for _ in range(num_blocks):
        for lane in range(LANES):
            lane_sums[lane] += values[row, lane] * reach[row, lane]
        row += rows_per_block
    return float(lane_sums.sum())
