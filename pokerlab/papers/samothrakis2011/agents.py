"""Strategies of limit hold'em that are compared, by name, and what real cards win from one that always calls.

A caller never raises and never folds, so that a bet on one street changes nothing on the next, and
each street stands alone. Whoever has the equity e against a random hand wins 2 e - 1 of a bet that is
called, and bets where that is more than nothing. So each street is worth its bet times the mean of
max(0, 2 e - 1) over all hands and boards. Blinds are called by both and are worth nothing on average.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from pokerlab import holdem, solvers
from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.holdem import BucketedProfile
from pokerlab.holdem.cards.deck import BOARD_SIZES, NUM_CARDS
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.exact import everybody
from pokerlab.papers.samothrakis2011 import holdem as samothrakis2011_holdem
from pokerlab.papers.samothrakis2011.holdem import BY_GRADIENT, TO_THE_FLOOR

BUCKETS = 6
LONGER = replace(TO_THE_FLOOR, iterations=500)
"""An evolution that takes some ten seconds."""
DESCENT, REGRET = 4000, 1000
"""Steps of exploitability descent and iterations of CFR+ for the agents that are compared."""
AGENTS: dict[str, Callable[[], BucketedProfile]] = {
    "always fold": lambda: six().always_fold(),
    "always call": lambda: six().always_call(),
    "always raise": lambda: six().always_raise(),
    "uniform": lambda: six().uniform(),
    "evolved, the paper's budget": lambda: evolve(BY_GRADIENT),
    "evolved longer": lambda: evolve(LONGER),
    "descent": lambda: descend(six()),
    "regret minimization": lambda: cfr_plus_average(six()),
}
"""Strategies to be compared, by name."""


def six() -> holdem.BucketedHoldem:
    """Return the paper's game."""
    return samothrakis2011_holdem.game(BUCKETS)


@cache
def agent(name: str) -> BucketedProfile:
    """Return one of the strategies that are compared.

    Raises
    ------
    UnknownNameError
        If none of `AGENTS` is called so.
    """
    UnknownNameError.check("agent", name, AGENTS)
    return AGENTS[name]()


def evolve(config: samothrakis2011_holdem.Config) -> BucketedProfile:
    """Return the best profile of an evolution."""
    solver: Any = samothrakis2011_holdem.solver(config)
    profile: BucketedProfile = solver.step(solver.init(), config.iterations).profile
    return profile


def descend(game: holdem.BucketedHoldem) -> BucketedProfile:
    """Return the least exploitable tuple table that descent of the exact gradient has met."""
    descent = solvers.ExploitabilityDescent(game)
    return descent.step(descent.init(), DESCENT).profile


def cfr_plus_average(game: holdem.BucketedHoldem) -> BucketedProfile:
    """Return CFR+'s average strategy, which distinguishes all of the betting."""
    cfr = solvers.BucketedCFR(game)
    return cfr.step(cfr.init(), REGRET).average


BETS = (1.0, 1.0, 2.0, 2.0)
"""Small bets that a bet costs on each street; before the flop it is a raise of the big blind."""
AT_A_TIME = 4096
"""Boards, for which all holdings' equities fit into a few megabytes."""


def mean_edge(street: int) -> float:
    """Return the mean of max(0, 2 e - 1) over all hands and boards of a street, 0 to 3.

    Examples
    --------
    >>> round(mean_edge(0), 6)
    0.080197
    """
    num_board = BOARD_SIZES[street]
    if num_board == 0:
        equities: Floats = everybody(np.empty(0, np.uint8))
        return float(np.maximum(2.0 * equities - 1.0, 0.0).mean())
    boards, times = canonical_boards(num_board)
    total = 0.0
    for begin in range(0, len(boards), AT_A_TIME):
        some = slice(begin, begin + AT_A_TIME)
        edges = np.maximum(2.0 * everybody(boards[some]) - 1.0, 0.0)
        total += float(np.nansum(edges, axis=1) @ times[some])
    left = NUM_CARDS - num_board
    return total / (int(times.sum()) * left * (left - 1) // 2)


def best_response_to_caller() -> float:
    """Return what a best response wins a hand from a player who always calls, in small bets.

    In limit hold'em for two, in which the big blind is one small bet; the mean of both seats. Johanson
    et al. (2011) print 1163.48 thousandths of a big blind.

    References
    ----------
    .. [1] M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating best response calculation in
       large extensive games", IJCAI 2011
    """
    return sum(bet * mean_edge(street) for street, bet in enumerate(BETS))
