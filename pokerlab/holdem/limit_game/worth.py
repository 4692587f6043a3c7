"""What hands are worth against the other seat's play, and the slope of the exploitability in that play.

A sweep is one pass down the betting and one up. On the way down go the opponent's reach weights, see `reach`. On the
way up come values, one for each own bucket: at a fold and at a showdown they are linear in the weights that got
there; at an opponent's decision values add up, at an own one they are the best or those of the own play. Because the
two players' buckets move independently, the own past has no part in it.

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
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.holdem.betting.actions import CALLING, FOLDING, NUM_ACTIONS, RAISING
from pokerlab.holdem.cards.deck import NUM_STREETS, RIVER
from pokerlab.holdem.limit_game.betting_tree import DEAL, DECISION, FOLDED
from pokerlab.holdem.limit_game.layouts import EDGE, LANES, START, Lanes
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
"""What a sweep does at the player's decisions: BEST takes the best action, REPLY also writes which it is;
FOLLOW acts as the player's strategy does, WORTH also writes what each action is worth."""


@kernel
def sweep(
    lanes: Lanes, odds: Floats, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> float:
    """Return what `player` wins against `play`, acting by `mode`; REPLY and WORTH write `out_rows`."""
    work = swept(lanes, odds, play, own, player, mode, out_rows)
    total = 0.0
    for b in range(lanes.streets[0].buckets):
        total += odds[START, 0, b] * work.start_worth[0, b, 0]
    return total


@kernel
def swept(
    lanes: Lanes, odds: Floats, play: Play, own: Play, player: int, mode: int, out_rows: Floats
) -> SweepWorkspace:
    """Sweep down and up; return among other things what hands are worth where streets begin."""
    work = sweep_workspace(lanes, odds)
    for leg in range(RIVER + NUM_STREETS):
        street = leg if leg < RIVER else RIVER + RIVER - leg
        if leg <= RIVER and not play.spread:
            fill_scale(lanes, play, 1 - player, street, work)
        for block in range(lanes.streets[street].block, lanes.streets[street].end_block):
            divide(lanes, play, 1 - player, street, block, work)
            if leg < RIVER:
                deal(lanes, odds, play, 1 - player, street, block, work)
            else:
                evaluate(lanes, odds, play, own, player, street, block, mode, work, out_rows)
    return work


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
    here, worth = lanes.streets[street], work.worth
    for k in range(here.nodes - 1, -1, -1):
        node = lanes.nodes[street, k]
        slot, is_own = node.slot[1 - player], node.actor == player
        if node.kind == FOLDED:
            sign, chips = -1.0 if is_own else 1.0, node.chips[node.actor]
            for s in range(LANES):
                worth[k, 0, s] = sign * (lanes.stake[block, s] + chips) * work.total[slot, s]
        elif node.kind == DECISION:
            if not is_own or mode <= REPLY:
                combine(node, is_own, here.buckets, worth, worth[k])
                if is_own and mode == REPLY:
                    note_choice(here, node, block, worth, worth[k], out_rows)
            else:
                follow(here, node, own, block, worth, worth[k])
                if mode == WORTH:
                    note_worth(here, node, block, worth, out_rows)
        elif node.kind == DEAL:
            look_ahead(lanes, street, block, node.continuation, work)
            for b in range(here.buckets):
                for then in range(lanes.streets[street + 1].buckets):
                    work.weight[then] = odds[street, b, then]
                mix(work.weight, lanes.streets[street + 1].buckets, work.spare, worth[k, b])
        else:
            for b in range(here.buckets):
                for other in range(here.buckets):
                    work.weight[other] = odds[EDGE, b, other] * work.scale[street, k, other]
                mix(work.weight, here.buckets, work.reach[slot if play.spread else 0], worth[k, b])
                for s in range(LANES):
                    worth[k, b, s] *= lanes.stake[block, s] + node.chips[0]
    for b in range(here.buckets):
        for s in range(LANES):
            work.start_worth[block, b, s] = worth[0, b, s]


@inlined
def look_ahead(
    lanes: Lanes, street: int, block: int, continuation: int, work: SweepWorkspace
) -> None:
    """Bring the values of the starts that follow a deal."""
    here, after = lanes.streets[street], lanes.streets[street + 1]
    begin = (block - here.block) * LANES
    start = continuation * here.starts + begin
    for then in range(after.buckets):
        for s in range(LANES):
            work.spare[then, s] = 0.0
        for s in range(min(LANES, here.starts - begin)):
            source = after.block + (start + s) // LANES
            work.spare[then, s] = work.start_worth[source, then, (start + s) % LANES]


@inlined
def combine(node: Any, best: bool, count: int, worth: Floats, out: Floats) -> None:
    """Write the best of a decision's actions, or their sum; a fold is worth the same with every bucket."""
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(count):
        if more < 0:
            for s in range(LANES):
                out[b, s] = worth[call, b, s]
        elif best:
            for s in range(LANES):
                out[b, s] = max(worth[call, b, s], worth[more, b, s])
        else:
            for s in range(LANES):
                out[b, s] = worth[call, b, s] + worth[more, b, s]
        if fold >= 0 and best:
            for s in range(LANES):
                out[b, s] = max(out[b, s], worth[fold, 0, s])
        elif fold >= 0:
            for s in range(LANES):
                out[b, s] += worth[fold, 0, s]


@inlined
def follow(here: Any, node: Any, own: Play, block: int, worth: Floats, out: Floats) -> None:
    """Write the average of a decision's actions as the player's strategy weighs them."""
    width = out.shape[0]
    for b in range(here.buckets):
        for s in range(LANES):
            out[b, s] = 0.0
        for action in range(NUM_ACTIONS):
            child, bucket = node.child[action], 0 if action == FOLDING else b
            if child >= 0 and own.spread:
                row = row_of(here, node, block, action) + b
                for s in range(LANES):
                    out[b, s] += own.chances[row, s] * worth[child, bucket, s]
            elif child >= 0:
                chance = own.chances[(node.situation * width + b) * NUM_ACTIONS + action, 0]
                for s in range(LANES):
                    out[b, s] += chance * worth[child, bucket, s]


@inlined
def note_choice(
    here: Any, node: Any, block: int, worth: Floats, best: Floats, out_rows: Floats
) -> None:
    """Write 1 for the first of the best actions, 0 for the others."""
    fold, call, more = node.child[FOLDING], node.child[CALLING], node.child[RAISING]
    for b in range(here.buckets):
        folds = row_of(here, node, block, FOLDING) + b
        calls = row_of(here, node, block, CALLING) + b
        raises = row_of(here, node, block, RAISING) + b
        for s in range(LANES):
            out_rows[folds, s] = 0.0
        if fold >= 0:
            for s in range(LANES):
                out_rows[folds, s] = 1.0 if worth[fold, 0, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[calls, s] = 1.0 - out_rows[folds, s]
        if more >= 0:
            for s in range(LANES):
                out_rows[calls, s] *= 1.0 if worth[call, b, s] == best[b, s] else 0.0
        for s in range(LANES):
            out_rows[raises, s] = 1.0 - out_rows[folds, s] - out_rows[calls, s]


@inlined
def note_worth(here: Any, node: Any, block: int, worth: Floats, out_rows: Floats) -> None:
    """Write what each possible action is worth; rows of the impossible stay as they are."""
    for action in range(NUM_ACTIONS):
        child = node.child[action]
        if child >= 0:
            row = row_of(here, node, block, action)
            for b in range(here.buckets):
                for s in range(LANES):
                    out_rows[row + b, s] = worth[child, 0 if action == FOLDING else b, s]


class Slope(NamedTuple):
    """The exploitability in small bets, and its derivatives, (rows, B, 3), in each probability of a profile's table."""

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
                            sums[s] += worth[row, s] * reach[row, s]
                    else:
                        for s in range(min(LANES, starts - begin)):
                            entry = pointer[first + begin + s]
                            out_gradient[entry, b, action] -= worth[row, s] * reach[row, s]
                    row += NUM_ACTIONS * count
                if is_alike:
                    out_gradient[pointer[first], b, action] = -sums.sum()
        first += starts
