"""pokerlab's tasks of bucketed hold'em: exact exploitability, ways down, and replies with real cards."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import repeat

from pokerlab.holdem import BucketedHoldem, bucketed_limit_holdem
from pokerlab.holdem.bucketed import local_best_response
from pokerlab.papers.samothrakis2011 import holdem as samothrakis2011_holdem
from pokerlab.solvers import BucketedCFR, ExploitabilityDescent
from tests.benchmarks.contestant import Task
from tests.benchmarks.stopwatch import Contender, Measure, PerCall, TimeToTarget
from tests.bucketed_profiles import random_profile, random_table

DESCENT_TARGET, CFR_TARGET = 0.26, 0.01
"""Small bets: what the paper's tuple table can be brought to, and what is near enough to 0."""


@cache
def holdem() -> BucketedHoldem:
    """Return the game with six buckets a street, as people make it."""
    return bucketed_limit_holdem(buckets=6)


def repeated(work: Callable[[], object]) -> PerCall:
    """Return the measure of `work`, seconds a time."""

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            work()

    return PerCall(advance)


def exploitability(game: str) -> Measure:
    """Return the measure of a tuple table's exploitability, both seats."""
    profile = random_table(holdem(), 1)
    return repeated(lambda: holdem().nash_conv(profile))


def exploitability_by_decision(game: str) -> Measure:
    """Return the measure for a profile with a row for each decision."""
    profile = random_profile(holdem(), 1)
    return repeated(lambda: holdem().nash_conv(profile))


def slope(game: str) -> Measure:
    """Return the measure of a tuple table's exploitability with its gradient."""
    profile = random_table(holdem(), 1)
    return repeated(lambda: holdem().exploitability_slope(profile))


def iteration(game: str) -> Measure:
    """Return the measure of an iteration of CFR, both seats."""
    cfr = BucketedCFR(holdem())
    return PerCall(lambda count: cfr.step(cfr.init(), count))


def cfr_to_target(game: str) -> Measure:
    """Return the measure of CFR+ on its way."""

    def contender() -> Contender:
        cfr = BucketedCFR(holdem())
        states = [cfr.init()]
        return Contender(
            lambda count: states.append(cfr.step(states.pop(), count)),
            lambda: holdem().nash_conv(states[0].average),
        )

    return TimeToTarget(CFR_TARGET, {"CFR+": contender})


def descent_to_target(game: str) -> Measure:
    """Return the measure of exploitability descent on its way."""

    def contender() -> Contender:
        descent = ExploitabilityDescent(holdem())
        states = [descent.init()]
        return Contender(
            lambda count: states.append(descent.step(states.pop(), count)),
            lambda: states[0].best_value,
        )

    return TimeToTarget(DESCENT_TARGET, {"descent": contender})


def evolution(game: str) -> Measure:
    """Return the measure of a whole evolution with the published budget, judged by exact replies."""
    config = samothrakis2011_holdem.Config(seed=1)
    solver = samothrakis2011_holdem.solver(config)
    return repeated(lambda: solver.step(solver.init(), config.iterations))


def real_cards(game: str) -> Measure:
    """Return the measure of a deal of the local best response, in both seats."""
    profile = random_table(holdem(), 1)
    local_best_response(profile, 1, seed=1)  # compiles for longer than a chunk lasts
    return PerCall(lambda count: local_best_response(profile, count, seed=1))


BUCKETED_TASKS: Mapping[str, Task] = {
    "bucketed_exploitability": exploitability,
    "bucketed_exploitability_by_decision": exploitability_by_decision,
    "bucketed_slope": slope,
    "bucketed_cfr": iteration,
    "bucketed_cfr_to_1e-2": cfr_to_target,
    "bucketed_descent": descent_to_target,
    "bucketed_evolution": evolution,
    "local_best_response": real_cards,
}
