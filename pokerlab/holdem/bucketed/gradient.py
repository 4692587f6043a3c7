"""The gradient of the exploitability in a profile's probabilities.

The exploitability is a sum of two maxima, of what the best replies win, and each reply's winnings are
linear in the probabilities at any one decision. So, where the best replies are unique, its derivative
is that of the winnings of the replies held fixed: what the action costs the player against them, times
how often the player itself (and its cards) gets there. Where replies tie it is a subgradient in each
single decision. It costs two more passes a seat: one for what the actions are worth, one for the reach.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core.kernel import kernel
from pokerlab.holdem.bucketed.lanes import BUCKETS, LANES, NUM_ACTIONS, STARTS, Floats, Ints, Lanes
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


def slope(lanes: Lanes, odds: Floats, play: Play, shape: tuple[int, ...], pointer: Ints) -> Slope:
    """Return exploitability and gradient of the profile `play`, whose table has `shape`."""
    chosen, worth, reach = (np.zeros((lanes.num_rows, LANES)) for _ in range(3))
    value = 0.0
    for player in range(2):
        value += sweep(lanes, odds, play, play, player, REPLY, chosen)
    chosen.setflags(write=False)  # as all chances are: another type for a kernel
    reply = Play(chosen, True)
    for player in range(2):
        sweep(lanes, odds, reply, play, player, WORTH, worth)
        occupy(lanes, odds, play, player, reach)
    gradient = np.zeros(shape)
    fill_gradient(lanes.streets, lanes.situations, worth, reach, pointer, gradient)
    return Slope(value, gradient)


@kernel
def fill_gradient(
    streets: Ints,
    situations: Ints,
    worth: Floats,
    reach: Floats,
    pointer: Ints,
    out_gradient: Floats,
) -> None:
    """Add up what all decisions that read an entry of the table cost; what is won is negative."""
    first = 0
    for i in range(len(situations)):
        street, at = situations[i, 0], situations[i, 1]
        starts = streets[street, STARTS]
        for begin in range(0, starts, LANES):
            for action in range(NUM_ACTIONS):
                for b in range(streets[street, BUCKETS]):
                    for lane in range(min(LANES, starts - begin)):
                        entry = pointer[first + begin + lane]
                        out_gradient[entry, b, action] -= worth[at, lane] * reach[at, lane]
                    at += 1
        first += starts
