"""The gradient of the exploitability in a profile's probabilities.

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
from pokerlab.core.kernel import kernel
from pokerlab.holdem.betting.actions import NUM_ACTIONS
from pokerlab.holdem.bucketed.lanes import BUCKETS, LANES, STARTS, Lanes
from pokerlab.holdem.bucketed.reach import Play, occupy
from pokerlab.holdem.bucketed.sweep import REPLY, WORTH, sweep


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
