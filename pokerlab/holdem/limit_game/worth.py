"""What hands are worth against the other seat's play, and the slope of the exploitability in that play.

A sweep is one pass down the betting and one up. On the way down go the opponent's reach weights, see
`reach`. On the way up come values, one for each own bucket: at a fold and at a showdown they are linear
in the weights that got there; at an opponent's decision values add up, at an own one they are the best
or those of the own play. Because the two players' buckets move independently, the own past has no part
in it.

The weights within a street are needed twice, for the streets that follow and for the values. They
are computed twice rather than kept: nine tenths of the work is the river's.

The exploitability is a sum of two maxima, of what the best replies win, and each reply's winnings are
linear in the probabilities at any one decision. So, where the best replies are unique, its derivative
is that of the winnings of the replies held fixed: what the action costs the player against them, times
how often the player itself (and its cards) gets there. Where replies tie it is a subgradient in each
single decision. It costs two more passes a seat: one for what the actions are worth, one for the reach.

A subgradient need not point downhill. Against a player who always folds, any reply that raises is a
best one, and what is supposed of play after a call that never comes decides the slope. In truth no
single change of probability, small or large, loses less than always folding: it is a local optimum.
"""

import threading
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.betting.actions import CALLING, FOLDING, NUM_ACTIONS, RAISING
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, FOLDED, SHOWDOWN
from pokerlab.holdem.limit_game.layouts import (
    ACTOR,
    BLOCK,
    BUCKETS,
    CHILD,
    CONTINUATION,
    EDGE,
    END_BLOCK,
    KIND,
    LANES,
    SITUATION,
    SIZE,
    SLOT,
    START,
    STARTS,
    Lanes,
)
from pokerlab.holdem.limit_game.reach import (
    Play,
    SweepWorkspace,
    deal,
    divide,
    fill_scale,
    mix,
    occupy,
    row_of,
    sweep_workspace,
)

BEST, REPLY, FOLLOW, WORTH = range(4)
"""What is done at own decisions: the best; that, noting which it is; as the own play says; that,
noting what each action is worth."""


@kernel
def sweep(
    lanes: Lanes, odds: Floats, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> float:
    """Return what `player` wins against `play`; write what `mode` notes at own decisions."""
    work = sweep_workspace(lanes, odds)
    for leg in range(RIVER + NUM_STREETS):
        street = leg if leg < RIVER else RIVER + RIVER - leg
        if leg <= RIVER and not play.spread:
            fill_scale(lanes, play, 1 - player, street, work)
        for block in range(lanes.streets[street, BLOCK], lanes.streets[street, END_BLOCK]):
            divide(lanes, play, 1 - player, street, block, work)
            if leg < RIVER:
                deal(lanes, odds, play, 1 - player, street, block, work)
            else:
                evaluate(lanes, odds, play, own, player, street, block, mode, work, out_rows)
    total, width = 0.0, odds.shape[1]
    for b in range(lanes.streets[0, BUCKETS]):
        total += odds[START, 0, b] * work.starts[width + b, 0]
    return total


@inlined
def evaluate(
    lanes: Lanes,
    odds: Floats,
    play: Play,
    own: Play,
    player: int,
    street: int,
    block: int,
    mode: int,
    work: SweepWorkspace,
    out_rows: Floats,
) -> None:
    """Write what own buckets are worth at the block's starts, from the end of the street back."""
    nodes, width = work.nodes, work.scale.shape[2]
    part = 2 * width + 1
    count = lanes.streets[street, BUCKETS]
    for k in range(lanes.streets[street, SIZE] - 1, -1, -1):
        kind, slot = lanes.nodes[street, k, KIND], lanes.nodes[street, k, SLOT + 1 - player] * part
        to = k * part + width
        if kind == FOLDED:
            folder = lanes.nodes[street, k, ACTOR]
            sign = -1.0 if folder == player else 1.0
            chips = lanes.chips[street, k, folder]
            for s in range(LANES):
                nodes[to, s] = sign * (lanes.stake[block, s] + chips) * nodes[slot + 2 * width, s]
        elif kind == DECISION:
            is_own = lanes.nodes[street, k, ACTOR] == player
            if not is_own or mode <= REPLY:
                combine(lanes, street, k, is_own, width, nodes)
                if is_own and mode == REPLY:
                    note_choice(lanes, street, k, block, width, nodes, out_rows)
            else:
                follow(lanes, own, street, k, block, width, nodes)
                if mode == WORTH:
                    note_worth(lanes, street, k, block, width, nodes, out_rows)
        else:
            at, terms = (slot if play.spread else 0), count
            if kind == DEAL:
                at, terms = lanes.nodes.shape[1] * part, lanes.streets[street + 1, BUCKETS]
                look_ahead(lanes, street, block, k, work)
            chips = lanes.chips[street, k, 0]
            for b in range(count):
                for other in range(terms):
                    work.weight[other] = (
                        odds[street, b, other]
                        if kind == DEAL
                        else odds[EDGE, b, other] * work.scale[street, k, other]
                    )
                mix(work.weight, terms, nodes, at, to + b)
                if kind == SHOWDOWN:
                    for s in range(LANES):
                        nodes[to + b, s] *= lanes.stake[block, s] + chips
    for b in range(count):
        for s in range(LANES):
            work.starts[block * part + width + b, s] = nodes[width + b, s]


@inlined
def look_ahead(lanes: Lanes, street: int, block: int, k: int, work: SweepWorkspace) -> None:
    """Bring the values of the starts that follow a deal."""
    width = work.scale.shape[2]
    part = 2 * width + 1
    dealt = lanes.nodes.shape[1] * part
    begin = (block - lanes.streets[street, BLOCK]) * LANES
    start = lanes.nodes[street, k, CONTINUATION] * lanes.streets[street, STARTS] + begin
    for then in range(lanes.streets[street + 1, BUCKETS]):
        for s in range(LANES):
            work.nodes[dealt + then, s] = 0.0
        for s in range(min(LANES, lanes.streets[street, STARTS] - begin)):
            source = lanes.streets[street + 1, BLOCK] + (start + s) // LANES
            value = work.starts[source * part + width + then, (start + s) % LANES]
            work.nodes[dealt + then, s] = value


@inlined
def combine(lanes: Lanes, street: int, k: int, best: bool, width: int, nodes: Floats) -> None:
    """Write the best of a decision's actions, or their sum."""
    part = 2 * width + 1
    fold = lanes.nodes[street, k, CHILD + FOLDING] * part + width
    for b in range(lanes.streets[street, BUCKETS]):
        row = k * part + width + b
        called = lanes.nodes[street, k, CHILD + CALLING] * part + width + b
        raised = lanes.nodes[street, k, CHILD + RAISING] * part + width + b
        if raised < 0:
            for s in range(LANES):
                nodes[row, s] = nodes[called, s]
        elif best:
            for s in range(LANES):
                nodes[row, s] = max(nodes[called, s], nodes[raised, s])
        else:
            for s in range(LANES):
                nodes[row, s] = nodes[called, s] + nodes[raised, s]
        if fold >= 0 and best:
            for s in range(LANES):
                nodes[row, s] = max(nodes[row, s], nodes[fold, s])
        elif fold >= 0:
            for s in range(LANES):
                nodes[row, s] += nodes[fold, s]


@inlined
def value_row(lanes: Lanes, street: int, k: int, action: int, b: int, width: int) -> int:
    """Return where an action's value with bucket b stands; below 0 if it is impossible.

    A fold is worth the same with every bucket.
    """
    child: int = lanes.nodes[street, k, CHILD + action]
    return child * (2 * width + 1) + width + (0 if action == FOLDING else b)


@inlined
def follow(
    lanes: Lanes, own: Play, street: int, k: int, block: int, width: int, nodes: Floats
) -> None:
    """Write the average of a decision's actions as the own play weighs them."""
    for b in range(lanes.streets[street, BUCKETS]):
        to = k * (2 * width + 1) + width + b
        for s in range(LANES):
            nodes[to, s] = 0.0
        for action in range(NUM_ACTIONS):
            source = value_row(lanes, street, k, action, b, width)
            if source < 0:
                continue
            if own.spread:
                row = row_of(lanes, street, k, block, action) + b
                for s in range(LANES):
                    nodes[to, s] += own.chances[row, s] * nodes[source, s]
            else:
                at = (lanes.nodes[street, k, SITUATION] * width + b) * NUM_ACTIONS + action
                chance = own.chances[at, 0]
                for s in range(LANES):
                    nodes[to, s] += chance * nodes[source, s]


@inlined
def note_choice(
    lanes: Lanes, street: int, k: int, block: int, width: int, nodes: Floats, out_rows: Floats
) -> None:
    """Write 1 for the first of the best actions, 0 for the others."""
    for b in range(lanes.streets[street, BUCKETS]):
        best = k * (2 * width + 1) + width + b
        fold, call, more = (
            row_of(lanes, street, k, block, FOLDING) + b,
            row_of(lanes, street, k, block, CALLING) + b,
            row_of(lanes, street, k, block, RAISING) + b,
        )
        folded = value_row(lanes, street, k, FOLDING, b, width)
        called = value_row(lanes, street, k, CALLING, b, width)
        raised = value_row(lanes, street, k, RAISING, b, width)
        for s in range(LANES):
            out_rows[fold, s] = 0.0
        if folded >= 0:
            for s in range(LANES):
                out_rows[fold, s] = 1.0 if nodes[folded, s] == nodes[best, s] else 0.0
        for s in range(LANES):
            out_rows[call, s] = 1.0 - out_rows[fold, s]
        if raised >= 0:
            for s in range(LANES):
                out_rows[call, s] *= 1.0 if nodes[called, s] == nodes[best, s] else 0.0
        for s in range(LANES):
            out_rows[more, s] = 1.0 - out_rows[fold, s] - out_rows[call, s]


@inlined
def note_worth(
    lanes: Lanes, street: int, k: int, block: int, width: int, nodes: Floats, out_rows: Floats
) -> None:
    """Write what each possible action is worth; rows of the impossible stay as they are."""
    for action in range(NUM_ACTIONS):
        for b in range(lanes.streets[street, BUCKETS]):
            source = value_row(lanes, street, k, action, b, width)
            if source >= 0:
                row = row_of(lanes, street, k, block, action) + b
                for s in range(LANES):
                    out_rows[row, s] = nodes[source, s]


class Slope(NamedTuple):
    """The exploitability and its derivatives.

    Attributes
    ----------
    value : float
        The exploitability, in small bets.
    gradient : ndarray of shape (rows, B, 3)
        Its derivative in each probability of the profile's table, each taken for itself; 0 for
        impossible actions.
    """

    value: float
    gradient: Floats


class Notes(threading.local):
    """Arrays with rows of lanes to write into, kept by each thread: fresh memory costs as much as a sweep."""

    def __init__(self) -> None:
        self.kept: tuple[Floats, Floats, Floats] | None = None

    def rows(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return three arrays, (count, LANES), that hold whatever they held."""
        if self.kept is None or len(self.kept[0]) != count:
            chosen, worth, reach = (np.zeros((count, LANES)) for _ in range(3))
            self.kept = chosen, worth, reach
        return self.kept


NOTES = Notes()


def slope(
    lanes: Lanes, odds: Floats, profile: Play, shape: tuple[int, ...], pointer: Ints
) -> Slope:
    """Return exploitability and gradient of a profile whose table has `shape`."""
    chosen, worth, reach = NOTES.rows(lanes.num_rows)
    value = 0.0
    for player in range(2):
        value += sweep(lanes, odds, profile, profile, player, REPLY, chosen)
    shown = chosen.view()
    shown.setflags(write=False)  # as all chances are: another type for a kernel
    for player in range(2):
        sweep(lanes, odds, Play(shown, True), profile, player, WORTH, worth)
        occupy(lanes, odds, profile, player, reach)
    gradient = np.zeros(shape)
    add_up(lanes, worth, reach, pointer, not profile.spread, gradient)
    return Slope(value, gradient)


@kernel
def add_up(
    lanes: Lanes, worth: Floats, reach: Floats, pointer: Ints, is_alike: bool, out_gradient: Floats
) -> None:
    """Add what all decisions that read an entry of the table cost; what is won is negative.

    `is_alike`: whether all starts of a situation read the same row. Decisions without a choice are
    left out, and so is what is impossible.
    """
    first = 0
    sums = np.zeros(LANES)
    for i in range(len(lanes.situations)):
        street, at = lanes.situations[i, 0], lanes.situations[i, 1]
        count, starts = lanes.streets[street, BUCKETS], lanes.streets[street, STARTS]
        for action in range(NUM_ACTIONS):
            if not lanes.legal[i, action]:
                continue
            for b in range(count):
                sums[:] = 0.0
                row = at + action * count + b
                for begin in range(0, starts, LANES):
                    if is_alike:
                        for s in range(LANES):
                            sums[s] += worth[row, s] * reach[row, s]
                    else:
                        for s in range(min(LANES, starts - begin)):
                            entry = pointer[first + begin + s]
                            out_gradient[entry, b, action] -= worth[row, s] * reach[row, s]
                    row += NUM_ACTIONS * count
                if is_alike:
                    out_gradient[pointer[first], b, action] = -sums.sum()
        first += starts
