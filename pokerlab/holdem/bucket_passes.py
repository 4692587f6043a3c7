"""Passes over the public tree with a vector of buckets: reach probabilities down, values up, and the gradient.

A seat's reach probabilities, one for each of its buckets, take one pass down the betting. At a decision of the seat
they are split among the actions by its probabilities, and at a deal they are multiplied by the
transition matrix. The opponent's actions do not count in them.

Values against the other seat's strategy take a pass down and a pass up. Down go the opponent's reach probabilities. Up
come values, one for each own bucket: at a fold and at a showdown they are linear in the reach; at an opponent's
decision the values of the actions add up; at an own decision the value is that of the best action, or the mean by the
own strategy. Because the two players' buckets move independently, the own past has no part in it.

*Lanes* and *blocks*. All starts of a street lead to the same betting (see `betting_tree`), so that a kernel can do at
all of them what it does at one. The inner loops run over starts, `LANES` at a time: a processor computes several at
once (SIMD). A block is a row of memory with one number for each of `LANES` starts. A street of S starts has S / LANES
blocks, rounded up; lanes beyond S hold zeros. In shapes, K is the most nodes of a street's betting, B the most buckets
of a street, and rows are those of `SITUATION_DTYPE`. In kernels, k is a node of a street's betting, b a bucket and s
a lane. Kernels that follow single hands read the tree node by node instead: `PublicNodes`.

The reach within a street is needed twice, for the streets that follow and for the values. It
is computed twice rather than kept: nine tenths of the work is the river's.

The exploitability is a sum of two maxima, of what the best responses win, and each best response's winnings are
linear in the probabilities at any one decision. So, if the best responses are unique, its derivative
is that of their winnings, held fixed: what the action costs the player against them, times
the player's own reach probability. If best responses tie it is a subgradient in each
single decision. It takes two more passes a seat: one for the values of actions, one for the reach.

A subgradient need not point downhill. Against a player who always folds, any strategy that raises is a
best response, and its play after a call that never comes decides the slope. In truth no
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

LANES = 64  # numbers in a block
STREET_DTYPE = np.dtype(
    [(name, np.int64) for name in ("nodes", "starts", "buckets", "block", "end_block")]
)
"""A street: its numbers of nodes, starts and buckets; its first block and the one after its last."""
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
"""A node of a street's betting: `kind` and `actor` as in `PublicTree`; a decision's `situation` and its `row`;
which of the street's continuations a deal is. `slot`: for each seat the node after its last decision on the way
here, where its reach was last divided, or the street's first node. `child`: by action the next node on the
same street, -1 where impossible. `chips`: what each seat has paid on this street, in small bets."""
SHOWDOWN_PLACE, START_PLACE = RIVER, NUM_STREETS
"""The places of the showdown and of the first buckets in the chance_probabilities, after the three transitions."""
MOST_NUDGES = 16  # rounds over all probabilities of a distribution; one or two suffice


class PublicNodes(NamedTuple):
    """The public tree node by node, with the rows of a profile's table.

    Attributes
    ----------
    kind, street, actor, child, paid : ndarray
        As in `PublicTree`.
    row : ndarray of int64, shape (N,)
        The row of a decision in the profile's table; -1 at other nodes.
    """

    kind: Ints
    street: Ints
    actor: Ints
    child: Ints
    paid: Floats
    row: Ints


def make_public_nodes(tree: PublicTree, pointer: Ints) -> PublicNodes:
    """Return the nodes of a tree, with the row of a profile's table at each decision.

    The pointer of the profile, of shape (D,), has these rows.
    """
    row = np.full(tree.num_nodes, -1)
    row[tree.decision_node] = pointer
    return PublicNodes(tree.kind, tree.street, tree.actor, tree.child, tree.paid, row)


class Lanes(NamedTuple):
    """The betting of the four streets, each over its nodes in preorder, and the layout of blocks and rows.

    Attributes
    ----------
    nodes : ndarray of NODE_DTYPE, shape (4, K)
        The nodes of each street's betting.
    streets : ndarray of STREET_DTYPE, shape (4,)
    stake : ndarray of shape (blocks, LANES)
        What each seat had paid when the street began, in small bets.
    situations : ndarray of SITUATION_DTYPE, shape (situations,)
    legal : ndarray of bool, shape (situations, 3)
        Which of fold, call and raise are possible.
    num_rows : int
        How many rows of lanes all situations have.
    """

    nodes: NDArray[Any]
    streets: NDArray[Any]
    stake: Floats
    situations: NDArray[Any]
    legal: Bools
    num_rows: int


def lay_out_lanes(tree: PublicTree, buckets: Buckets) -> Lanes:
    """Return the lanes of a public tree for the numbers of buckets."""
    # The nodes of each street's first start stand for those of all.
    of_first_start = [
        np.flatnonzero((tree.street == r) & (tree.start == 0)) for r in range(NUM_STREETS)
    ]
    streets = np.zeros(NUM_STREETS, STREET_DTYPE)
    streets["nodes"] = [len(here) for here in of_first_start]
    streets["starts"], streets["buckets"] = tree.num_starts, buckets.counts
    blocks = -(-streets["starts"] // LANES)
    streets["end_block"] = np.cumsum(blocks)
    streets["block"] = streets["end_block"] - blocks

    situations = np.zeros(len(tree.situations), SITUATION_DTYPE)
    situations["street"] = [key.street for key in tree.situations]
    rows = (blocks * NUM_ACTIONS * streets["buckets"])[situations["street"]]
    situations["row"] = np.cumsum(rows) - rows

    nodes = np.zeros((NUM_STREETS, streets["nodes"].max()), NODE_DTYPE)
    for here, out in zip(of_first_start, nodes, strict=True):
        fill_street(tree, here, situations["row"], out[: len(here)])
    legal = tree.legal[np.unique(tree.situation, return_index=True)[1]]
    return Lanes(nodes, streets, find_stakes(tree, streets), situations, legal, int(rows.sum()))


def fill_street(
    tree: PublicTree, node_indices: Ints, first_rows: Ints, out_nodes: NDArray[Any]
) -> None:
    """Write the nodes of a street's betting.

    Parameters
    ----------
    tree : PublicTree
    node_indices : ndarray of int64, shape (n,)
        The indices of these nodes in the tree.
    first_rows : ndarray of int64, shape (situations,)
        The first row of each situation.
    out_nodes : ndarray of NODE_DTYPE, shape (n,)
        Overwritten.
    """
    place = np.full(tree.num_nodes + 1, -1)  # the last entry stands for 'no node'
    place[node_indices] = np.arange(len(node_indices))
    out_nodes["kind"], out_nodes["actor"] = tree.kind[node_indices], tree.actor[node_indices]
    out_nodes["child"] = place[tree.child[node_indices]]
    decides = out_nodes["kind"] == DECISION
    out_nodes["situation"][decides] = tree.situation[tree.decision[node_indices[decides]]]
    out_nodes["row"] = first_rows[out_nodes["situation"]]
    out_nodes["continuation"] = np.cumsum(out_nodes["kind"] == DEAL) - 1
    out_nodes["chips"] = tree.paid[node_indices] - (
        tree.paid[node_indices[0]] if tree.street[node_indices[0]] else 0.0
    )
    for i in range(1, len(node_indices)):
        above = out_nodes[place[tree.parent[node_indices[i]]]]
        out_nodes["slot"][i] = above["slot"]
        out_nodes["slot"][i, above["actor"]] = i


def find_stakes(tree: PublicTree, streets: NDArray[Any]) -> Floats:
    """Return what each seat had paid at each start of all streets.

    Returns
    -------
    ndarray of shape (blocks, LANES)
        In small bets; zeros in lanes beyond the last start.
    """
    stake = np.zeros((streets["end_block"][-1], LANES))
    begins = np.flatnonzero((tree.parent >= 0) & (tree.kind[tree.parent] == DEAL))
    block, lane = np.divmod(tree.start[begins], LANES)
    stake[streets["block"][tree.street[begins]] + block, lane] = tree.paid[begins, 0]
    return stake


def find_places(lanes: Lanes) -> Ints:
    """Return the place in flattened rows of lanes of each entry of an array by decision, bucket and action.

    Entries of buckets that a street does not have are after the last row.

    Returns
    -------
    ndarray of int64, shape (D, B, 3)
    """
    bucket, action = np.arange(lanes.streets["buckets"].max())[:, None], np.arange(NUM_ACTIONS)
    places = []
    for street, first_row in lanes.situations.tolist():
        count = lanes.streets["buckets"][street]
        block, lane = np.divmod(np.arange(lanes.streets["starts"][street])[:, None, None], LANES)
        row = first_row + (block * NUM_ACTIONS + action) * count + bucket
        places.append(np.where(bucket < count, row * LANES + lane, lanes.num_rows * LANES))
    return np.concatenate(places)


def make_chance_probabilities(buckets: Buckets) -> Floats:
    """Return the probabilities of buckets as one array, with zeros where there are no such buckets.

    First come the transitions of the three deals, rounded so that running sums are exactly one. At SHOWDOWN_PLACE is
    what is won at the showdown for each chip paid: twice the share of the pot above a half. At START_PLACE, in row 0,
    are the probabilities before the flop.

    Returns
    -------
    ndarray of shape (5, B, B)
    """
    most = max(buckets.counts)
    chance_probabilities = np.zeros((NUM_STREETS + 1, most, most))
    for r, transition in enumerate(buckets.transitions):
        rows, columns = transition.shape
        chance_probabilities[r, :rows, :columns] = [normalize_exactly(row) for row in transition]
    last, first = len(buckets.showdown), len(buckets.start)
    chance_probabilities[SHOWDOWN_PLACE, :last, :last] = 2.0 * buckets.showdown - 1.0
    chance_probabilities[START_PLACE, 0, :first] = normalize_exactly(buckets.start)
    return chance_probabilities


def normalize_exactly(probabilities: Floats) -> Floats:
    """Return a distribution whose sum, added up from the first probability to the last, is exactly one.

    Probabilities change by rounding errors only. Without it a player who always folds would lose 0.9999999999999998
    blinds.
    """
    rounded: Floats = probabilities / probabilities.sum()
    largest_first = np.argsort(-rounded, kind="stable")
    for _ in range(MOST_NUDGES):
        # One alone may overshoot back and forth, by how its sums are rounded.
        for i in largest_first:
            missing = 1.0 - np.add.accumulate(rounded)[-1]
            if missing == 0.0:
                return rounded
            rounded[i] = max(rounded[i] + missing, 0.0)
    return rounded


TERMS_PER_PASS = 6  # terms of a sum that one loop over the lanes adds


class KernelStrategy(NamedTuple):
    """Action probabilities for kernels, in one of two forms.

    Attributes
    ----------
    probabilities : ndarray of shape (rows, LANES) or (situations * B * 3, 1)
        If `spread`, rows of lanes in the order of `SITUATION_DTYPE`; otherwise a table by situation, bucket and action,
        alike at all starts, as a column.
    spread : bool
        Whether probabilities differ from start to start.
    """

    probabilities: Floats
    spread: bool


class PassWorkspace(NamedTuple):
    """The memory of passes over the tree.

    Attributes
    ----------
    start_reach : ndarray of shape (blocks, B, LANES)
        One seat's reach at the starts of streets.
    start_values : ndarray of shape (blocks, B, LANES)
        The other seat's values there.
    start_total : ndarray of shape (blocks, LANES)
        Sums of the reach over buckets.
    reach : ndarray of shape (K, B, LANES)
        The reach at the nodes of a street's betting, for one block, at a node's `slot`.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    total : ndarray of shape (K, LANES)
        Sums of the reach over buckets, at a node's `slot`.
    spare : ndarray of shape (B, LANES)
        Reach for, or values from, the next street.
    scale : ndarray of shape (4, K, B)
        Factors of the reach at a node, if a strategy is alike at all starts; otherwise 1.
    weight : ndarray of shape (B + TERMS_PER_PASS,)
        Coefficients of a sum over buckets.
    """

    start_reach: Floats
    start_values: Floats
    start_total: Floats
    reach: Floats
    values: Floats
    total: Floats
    spare: Floats
    scale: Floats
    weight: Floats


@kernel
def allocate_pass_workspace(lanes: Lanes, chance_probabilities: Floats) -> PassWorkspace:
    """Return memory for passes, with the reach probabilities of the first street's only start.

    The probabilities are those of `make_chance_probabilities`.
    """
    width, blocks, nodes = chance_probabilities.shape[1], len(lanes.stake), lanes.nodes.shape[1]
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
def fill_reach(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    seat: int,
    out_rows: Floats,
) -> None:
    """Write the reach probability of each decision of a seat with each bucket, when it follows a strategy.

    It is the product of its own actions' and its cards' probabilities, without the opponent's.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    strategy : KernelStrategy
    seat : int
    out_rows : ndarray of shape (rows, LANES)
        The rows of all possible actions are overwritten; those of impossible actions are not.
    """
    work = allocate_pass_workspace(lanes, chance_probabilities)
    for street in range(NUM_STREETS):
        if not strategy.spread:
            fill_scale(lanes, strategy, seat, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            split_reach(lanes, strategy, seat, street, block, work)
            if street < RIVER:
                deal_reach(lanes, chance_probabilities, strategy, seat, street, block, work)
            write_reach(lanes, strategy, seat, street, block, work, out_rows)


@inlined
def write_reach(
    lanes: Lanes,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    work: PassWorkspace,
    out_rows: Floats,
) -> None:
    """Write the reach of a seat at its decisions on a street, in one block, for each possible action.

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
    here = lanes.streets[street]
    for k in range(here.nodes):
        node = lanes.nodes[street, k]
        if node.kind != DECISION or node.actor != seat:
            continue
        reach = work.reach[node.slot[seat] if strategy.spread else 0]
        for action in range(NUM_ACTIONS):
            if node.child[action] >= 0:
                row = find_row(here, node, block, action)
                for b in range(here.buckets):
                    scale = work.scale[street, k, b]
                    for s in range(LANES):
                        out_rows[row + b, s] = scale * reach[b, s]


@inlined
def fill_scale(
    lanes: Lanes, strategy: KernelStrategy, seat: int, street: int, work: PassWorkspace
) -> None:
    """Write the products of a seat's action probabilities along a street's betting, alike at all starts."""
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
                    taken = strategy.probabilities[
                        (node.situation * width + b) * NUM_ACTIONS + action, 0
                    ]
                work.scale[street, child, b] = work.scale[street, k, b] * taken


@inlined
def split_reach(
    lanes: Lanes, strategy: KernelStrategy, seat: int, street: int, block: int, work: PassWorkspace
) -> None:
    """Write the reach of a seat at the nodes of a street's betting, from the starts of one block on.

    At each of its decisions the reach is split among the actions.

    Parameters
    ----------
    lanes : Lanes
    strategy : KernelStrategy
        The seat's strategy.
    seat, street, block : int
    work : PassWorkspace
        It holds the reach at the starts; `reach` and `total` at the nodes are overwritten.
    """
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
            if strategy.spread:
                row = find_row(here, node, block, action)
                for b in range(here.buckets):
                    for s in range(LANES):
                        reach[child, b, s] = reach[above, b, s] * strategy.probabilities[row + b, s]
            for b in range(here.buckets):
                work.weight[b] = work.scale[street, child, b]
            sum_weighted_rows(
                work.weight, here.buckets, reach[child if strategy.spread else 0], total[child]
            )
            for s in range(LANES):
                others[s] = 0.0 if first < 0 else others[s] + total[child, s]
            first = child if first < 0 else first
        # If the other actions are never taken, the first keeps the sum exactly, without rounding.
        for s in range(LANES):
            total[first, s] = total[above, s] if others[s] == 0.0 else total[first, s]


@inlined
def deal_reach(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    seat: int,
    street: int,
    block: int,
    work: PassWorkspace,
) -> None:
    """Write the reach of a seat at the starts of the next street, from one block of this street.

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
                work.weight[b] = chance_probabilities[street, b, then] * work.scale[street, k, b]
            sum_weighted_rows(
                work.weight, here.buckets, work.reach[slot if strategy.spread else 0], dealt
            )
            for s in range(count):
                target = after.block + (start + s) // LANES
                work.start_reach[target, then, (start + s) % LANES] = dealt[s]


@inlined
def find_row(here: Any, node: Any, block: int, action: int) -> int:
    """Return the row of a decision's action in a block, with the first bucket."""
    first: int = node.row + ((block - here.block) * NUM_ACTIONS + action) * here.buckets
    return first


@inlined
def sum_weighted_rows(weight: Floats, count: int, rows: Floats, out: Floats) -> None:
    """Write the sum of the first rows of an array, each times its weight.

    Terms are added in order, six in a loop so that sums stay in registers; beyond the last row the last one is read
    again with weight zero.

    Parameters
    ----------
    weight : ndarray
        The weights of the rows; those behind them are overwritten with zeros.
    count : int
        How many rows are summed.
    rows : ndarray of shape (B, LANES)
    out : ndarray of shape (LANES,)
        Overwritten.
    """
    last = count - 1
    for b in range(count, count + TERMS_PER_PASS):
        weight[b] = 0.0
    for s in range(LANES):
        out[s] = 0.0
    for b in range(0, count, TERMS_PER_PASS):
        w0, w1, w2 = weight[b], weight[b + 1], weight[b + 2]
        w3, w4, w5 = weight[b + 3], weight[b + 4], weight[b + 5]
        r0, r1, r2 = b, min(b + 1, last), min(b + 2, last)
        r3, r4, r5 = min(b + 3, last), min(b + 4, last), min(b + 5, last)
        for s in range(LANES):
            total = out[s] + w0 * rows[r0, s] + w1 * rows[r1, s] + w2 * rows[r2, s]
            out[s] = total + w3 * rows[r3, s] + w4 * rows[r4, s] + w5 * rows[r5, s]


BEST, BEST_RESPONSE, FOLLOW, ACTION_VALUES = range(4)
"""What a pass does at the player's decisions: BEST takes the best action, BEST_RESPONSE also writes which it is;
FOLLOW acts as the player's strategy does, ACTION_VALUES also writes the value of each action."""


@kernel
def find_value(
    lanes: Lanes,
    chance_probabilities: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> float:
    """Return what a player wins against the other seat's strategy.

    Parameters
    ----------
    lanes : Lanes
    chance_probabilities : ndarray of shape (5, B, B)
        The probabilities of `make_chance_probabilities`.
    opponent_strategy, own_strategy : KernelStrategy
        The player's own strategy is read by FOLLOW and ACTION_VALUES only.
    player : int
        0 or 1.
    mode : int
        BEST, BEST_RESPONSE, FOLLOW or ACTION_VALUES.
    out_rows : ndarray of shape (rows, LANES)
        Overwritten by BEST_RESPONSE, with 1 for the best action and 0 for others, and by ACTION_VALUES.
    """
    work = pass_down_and_up(
        lanes, chance_probabilities, opponent_strategy, own_strategy, player, mode, out_rows
    )
    total = 0.0
    for b in range(lanes.streets[0].buckets):
        total += chance_probabilities[START_PLACE, 0, b] * work.start_values[0, b, 0]
    return total


@kernel
def pass_down_and_up(
    lanes: Lanes,
    chance_probabilities: Floats,
    opponent_strategy: KernelStrategy,
    own_strategy: KernelStrategy,
    player: int,
    mode: int,
    out_rows: Floats,
) -> PassWorkspace:
    """Return the memory of one pass down and one up: among other things the values at the starts of streets.

    Parameters are those of `find_value`. Down to the river and up again are seven legs, one a street.
    """
    work = allocate_pass_workspace(lanes, chance_probabilities)
    for leg in range(RIVER + NUM_STREETS):
        street = leg if leg < RIVER else RIVER + RIVER - leg
        if leg <= RIVER and not opponent_strategy.spread:
            fill_scale(lanes, opponent_strategy, 1 - player, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            split_reach(lanes, opponent_strategy, 1 - player, street, block, work)
            if leg < RIVER:
                deal_reach(
                    lanes, chance_probabilities, opponent_strategy, 1 - player, street, block, work
                )
            else:
                evaluate_street(
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
def evaluate_street(
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
    """Write the player's values at the starts of one block, going through a street's betting from its end.

    Parameters
    ----------
    lanes, chance_probabilities, opponent_strategy, own_strategy, player, mode, out_rows
        As in `find_value`.
    street, block : int
    work : PassWorkspace
        It holds the opponent's reach at the nodes and the values of the next street's starts; `values` and
        `start_values` are overwritten.
    """
    here, values = lanes.streets[street], work.values
    for k in range(here.nodes - 1, -1, -1):  # children come after their parents
        node = lanes.nodes[street, k]
        slot, is_own = node.slot[1 - player], node.actor == player
        if node.kind == FOLDED:
            sign, chips = -1.0 if is_own else 1.0, node.chips[node.actor]
            for s in range(LANES):
                values[k, 0, s] = sign * (lanes.stake[block, s] + chips) * work.total[slot, s]
        elif node.kind == DECISION:
            if not is_own or mode <= BEST_RESPONSE:
                combine_actions(node, is_own, here.buckets, values, values[k])
                if is_own and mode == BEST_RESPONSE:
                    write_choice(here, node, block, values, values[k], out_rows)
            else:
                average_actions(here, node, own_strategy, block, values, values[k])
                if mode == ACTION_VALUES:
                    write_action_values(here, node, block, values, out_rows)
        elif node.kind == DEAL:
            load_next_values(lanes, street, block, node.continuation, work)
            for b in range(here.buckets):
                for then in range(lanes.streets[street + 1].buckets):
                    work.weight[then] = chance_probabilities[street, b, then]
                sum_weighted_rows(
                    work.weight, lanes.streets[street + 1].buckets, work.spare, values[k, b]
                )
        else:
            for b in range(here.buckets):
                for other in range(here.buckets):
                    work.weight[other] = (
                        chance_probabilities[SHOWDOWN_PLACE, b, other]
                        * work.scale[street, k, other]
                    )
                sum_weighted_rows(
                    work.weight,
                    here.buckets,
                    work.reach[slot if opponent_strategy.spread else 0],
                    values[k, b],
                )
                for s in range(LANES):
                    values[k, b, s] *= lanes.stake[block, s] + node.chips[0]
    for b in range(here.buckets):
        for s in range(LANES):
            work.start_values[block, b, s] = values[0, b, s]


@inlined
def load_next_values(
    lanes: Lanes, street: int, block: int, continuation: int, work: PassWorkspace
) -> None:
    """Write the values at the starts that follow a deal into `work.spare`."""
    here, after = lanes.streets[street], lanes.streets[street + 1]
    begin = (block - here.block) * LANES
    start = continuation * here.starts + begin
    for then in range(after.buckets):
        for s in range(LANES):
            work.spare[then, s] = 0.0
        for s in range(min(LANES, here.starts - begin)):
            source = after.block + (start + s) // LANES
            work.spare[then, s] = work.start_values[source, then, (start + s) % LANES]


@inlined
def combine_actions(node: Any, best: bool, count: int, values: Floats, out: Floats) -> None:
    """Write the value of a decision: the best of its actions, or their sum; a fold's is the same with every bucket.

    Parameters
    ----------
    node : record of NODE_DTYPE
    best : bool
        Whether the best action counts, as at an own decision, and not the sum.
    count : int
        The number of buckets.
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(count):
        if more < 0:
            for s in range(LANES):
                out[b, s] = values[call, b, s]
        elif best:
            for s in range(LANES):
                out[b, s] = max(values[call, b, s], values[more, b, s])
        else:
            for s in range(LANES):
                out[b, s] = values[call, b, s] + values[more, b, s]
        if fold >= 0 and best:
            for s in range(LANES):
                out[b, s] = max(out[b, s], values[fold, 0, s])
        elif fold >= 0:
            for s in range(LANES):
                out[b, s] += values[fold, 0, s]


@inlined
def average_actions(
    here: Any, node: Any, own_strategy: KernelStrategy, block: int, values: Floats, out: Floats
) -> None:
    """Write the value of a decision: the mean of its actions by the player's own strategy.

    Parameters
    ----------
    here : record of STREET_DTYPE
    node : record of NODE_DTYPE
    own_strategy : KernelStrategy
    block : int
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    out : ndarray of shape (B, LANES)
        Overwritten.
    """
    width = out.shape[0]
    for b in range(here.buckets):
        for s in range(LANES):
            out[b, s] = 0.0
        for action in range(NUM_ACTIONS):
            child, bucket = node.child[action], 0 if action == FOLDING else b
            if child >= 0 and own_strategy.spread:
                row = find_row(here, node, block, action) + b
                for s in range(LANES):
                    out[b, s] += own_strategy.probabilities[row, s] * values[child, bucket, s]
            elif child >= 0:
                probability = own_strategy.probabilities[
                    (node.situation * width + b) * NUM_ACTIONS + action, 0
                ]
                for s in range(LANES):
                    out[b, s] += probability * values[child, bucket, s]


@inlined
def write_choice(
    here: Any, node: Any, block: int, values: Floats, best: Floats, out_rows: Floats
) -> None:
    """Write 1 for the first of the best actions of a decision, 0 for the others.

    Parameters
    ----------
    here : record of STREET_DTYPE
    node : record of NODE_DTYPE
    block : int
    values : ndarray of shape (K, B, LANES)
        The values at the nodes.
    best : ndarray of shape (B, LANES)
        The value of the decision.
    out_rows : ndarray of shape (rows, LANES)
        The rows of the decision are overwritten.
    """
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(here.buckets):
        folds = find_row(here, node, block, FOLDING) + b
        calls = find_row(here, node, block, CALLING) + b
        raises = find_row(here, node, block, RAISING) + b
        for s in range(LANES):
            out_rows[folds, s] = 0.0
        if fold >= 0:
            for s in range(LANES):
                out_rows[folds, s] = 1.0 if values[fold, 0, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[calls, s] = 1.0 - out_rows[folds, s]
        if more >= 0:
            for s in range(LANES):
                out_rows[calls, s] *= 1.0 if values[call, b, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[raises, s] = 1.0 - out_rows[folds, s] - out_rows[calls, s]


@inlined
def write_action_values(here: Any, node: Any, block: int, values: Floats, out_rows: Floats) -> None:
    """Write the value of each possible action of a decision; rows of impossible actions are not written."""
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        if child >= 0:
            row = find_row(here, node, block, action)
            for b in range(here.buckets):
                for s in range(LANES):
                    out_rows[row + b, s] = values[child, 0 if action == FOLDING else b, s]


class Slope(NamedTuple):
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
    """Arrays with rows of lanes, one set for each thread, to be overwritten: fresh memory costs as much as a pass."""

    def __init__(self) -> None:
        self.arrays: tuple[Floats, Floats, Floats] | None = None

    def get_rows(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return three arrays of rows of lanes, with the contents of earlier use.

        Each has the shape (count, LANES).
        """
        if self.arrays is None or len(self.arrays[0]) != count:
            chosen, values, reach = (np.zeros((count, LANES)) for _ in range(3))
            self.arrays = chosen, values, reach
        return self.arrays


THREAD_ARRAYS = ThreadArrays()


def find_slope(
    lanes: Lanes,
    chance_probabilities: Floats,
    strategy: KernelStrategy,
    shape: tuple[int, ...],
    pointer: Ints,
) -> Slope:
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
    chosen, values, reach = THREAD_ARRAYS.get_rows(lanes.num_rows)
    value = 0.0
    for player in range(2):
        value += find_value(
            lanes, chance_probabilities, strategy, strategy, player, BEST_RESPONSE, chosen
        )
    # Read-only, as all probabilities are: otherwise it would be another type for a kernel.
    best_choices = chosen.view()
    best_choices.setflags(write=False)
    for player in range(2):
        find_value(
            lanes,
            chance_probabilities,
            KernelStrategy(best_choices, True),
            strategy,
            player,
            ACTION_VALUES,
            values,
        )
        fill_reach(lanes, chance_probabilities, strategy, player, reach)
    gradient = np.zeros(shape)
    add_gradient(lanes, values, reach, pointer, not strategy.spread, gradient)
    return Slope(value, gradient)


@kernel
def add_gradient(
    lanes: Lanes, values: Floats, reach: Floats, pointer: Ints, is_alike: bool, out_gradient: Floats
) -> None:
    """Write the gradient of the exploitability: for each entry of the table, over all decisions that read it.

    An action's value against the best response, times the reach, lowers the exploitability.

    Parameters
    ----------
    lanes : Lanes
    values, reach : ndarray of shape (rows, LANES)
        The values of actions against the best response, and the reach probabilities.
    pointer : ndarray of int64, shape (D,)
        The row of each decision in the table.
    is_alike : bool
        Whether all starts of a situation read the same row.
    out_gradient : ndarray of shape (rows, B, 3)
        Zeros before; entries of impossible actions stay zero.
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
                            sums[s] += values[row, s] * reach[row, s]
                    else:
                        for s in range(min(LANES, starts - begin)):
                            entry = pointer[first + begin + s]
                            out_gradient[entry, b, action] -= values[row, s] * reach[row, s]
                    row += NUM_ACTIONS * count
                if is_alike:
                    out_gradient[pointer[first], b, action] = -sums.sum()
        first += starts
