"""Strategies of limit hold'em that are compared, by name."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from pokerlab import holdem, solvers
from pokerlab.core import UnknownNameError
from pokerlab.holdem import BucketedProfile
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
    """Return one of the strategies that are compared."""
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
