"""Regret minimization in bucketed hold'em, by passes over the public tree with a vector of buckets.

Each seat has a regret for every action at every public decision with every present bucket; earlier buckets are
forgotten. Nothing is lost by that. A seat's buckets are a Markov chain that the opponent's do not influence, and what
a hand wins depends on where the betting ends and on the buckets then. So a strategy counts only through its
occupancy: how often, by its own choice and its own cards, it takes an action at a public decision with a bucket.
Occupancies satisfy linear constraints (what comes in at a decision with a bucket goes out; a deal moves it by the
transition matrix), winnings are linear in them, and each occupancy is that of a strategy which looks at the present
bucket only: the share of each action in what goes out. That is a treeplex in all but that branches meet again, and
the regret of a strategy is still the sum over decisions of its occupancy times the regret there, so that the usual
bound holds [1]_. For the same reason the average is right: the mean of occupancies is an occupancy.

References
----------
.. [1] M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret Minimization in Games with Incomplete
   Information", NIPS 2007
.. [2] M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating Best Response Calculation in Large
   Extensive Games", IJCAI 2011: the passes over the public tree
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, GameError, Ints, freeze, kernel
from pokerlab.core.settings import check_kind
from pokerlab.holdem.bucket_passes import LANES, WORTH, Play, occupy, sweep
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.hand import NUM_ACTIONS
from pokerlab.solvers.cfr import CFR_PLUS, RegretSchedule, discount_factor
from pokerlab.solvers.protocol import read_count


@dataclass(frozen=True, eq=False)
class BucketedRegretState:
    """Where regret minimization stands.

    After t iterations the average covers x(1) to x(t) and `current` is x(t + 1). Arrays hold a row of
    lanes for each block, action and bucket of a situation, as in `BucketedHoldem.lanes`.
    """

    game: BucketedHoldem
    iteration: int
    behavior: Floats  # (rows, LANES): present probabilities
    plan_sum: Floats  # (rows, LANES): weighted sum of the occupancies so far
    regret: Floats  # (rows, LANES): cumulative (discounted) regrets, in small bets

    def __post_init__(self) -> None:
        freeze(self.behavior, self.plan_sum, self.regret)

    @cached_property
    def current(self) -> BucketedProfile:
        """x(t + 1), what the next iteration plays."""
        return self.profile(self.behavior)

    @cached_property
    def average(self) -> BucketedProfile:
        """The behavior of the averaged occupancies; uniform where a seat never gets to."""
        return self.current if self.iteration == 0 else self.profile(self.plan_sum)

    def profile(self, rows: Floats) -> BucketedProfile:
        """Return the profile that acts in proportion to `rows`; uniform where they are zero."""
        table = self.game.table_of(rows)
        table += np.where(
            table.sum(axis=2, keepdims=True) > 0.0, 0.0, self.game.tree.legal[:, None]
        )
        table /= table.sum(axis=2, keepdims=True)
        pointer = np.arange(self.game.tree.num_decisions)
        return BucketedProfile.computed(self.game, table, pointer)


class BucketedCFR:
    """Regret minimization, the seats in turn; CFR+ [1]_ unless another schedule is given.

    Parameters
    ----------
    game : BucketedHoldem
        What is played.
    schedule : RegretSchedule
        How regrets and plans of different ages are weighed; `RegretSchedule(inf, inf, 0, 0)` is plain CFR.

    References
    ----------
    .. [1] O. Tammelin, N. Burch, M. Johanson, M. Bowling, "Solving Heads-up Limit Texas Hold'em", IJCAI
       2015

    Examples
    --------
    >>> from pokerlab import holdem
    >>> game = holdem.bucketed_limit_holdem(buckets=2, raise_cap=1)
    >>> cfr = BucketedCFR(game)
    >>> game.nash_conv(cfr.step(cfr.init(), 200).average) < 0.01
    True
    """

    def __init__(self, game: BucketedHoldem, *, schedule: RegretSchedule = CFR_PLUS) -> None:
        instead = "one from holdem.bucketed_limit_holdem(); for compiled games there is CFR"
        check_kind("game", game, BucketedHoldem, instead, GameError)
        instead = "a RegretSchedule, such as RegretSchedule(inf, inf, 0, 0)"
        check_kind("schedule", schedule, RegretSchedule, instead)
        self.game, self.schedule = game, schedule.read()

    @cached_property
    def legal(self) -> Floats:
        """1 where fold, call and raise are possible in a situation, else 0, (situations, 3)."""
        return self.game.legal.astype(np.float64)

    @cached_property
    def actor(self) -> Ints:
        """The seat to act in each situation."""
        return np.array([0 if key.button else 1 for key in self.game.tree.situations])

    def init(self) -> BucketedRegretState:
        """Return the state in which nothing has been done; both seats take all actions equally often."""
        behavior = self.game.rows_of(self.game.uniform().by_decision)
        zeros = np.zeros_like(behavior)
        return BucketedRegretState(self.game, 0, behavior, zeros, zeros)

    def step(self, state: BucketedRegretState, count: int = 1) -> BucketedRegretState:
        """Return the state `count` iterations after `state`."""
        count = read_count(self.game, state, count, BucketedRegretState)
        lanes, odds = self.game.lanes, self.game.odds
        behavior, plan_sum, regret = map(np.array, (state.behavior, state.plan_sum, state.regret))
        shown: Any = behavior.view()
        shown.setflags(write=False)  # as all chances are: another type for a kernel
        play = Play(shown, True)
        worth, reach = np.zeros_like(regret), np.zeros_like(regret)
        done = state.iteration + count
        for t in range(state.iteration + 1, done + 1):
            for player in range(2):
                sweep(lanes, odds, play, play, player, WORTH, worth)
                occupy(lanes, odds, play, player, reach)
                mine = self.actor == player
                match_regrets(
                    lanes.streets,
                    lanes.situations[mine],
                    self.legal[mine],
                    t,
                    self.schedule,
                    worth,
                    reach,
                    behavior,
                    plan_sum,
                    regret,
                )
        return BucketedRegretState(self.game, done, behavior, plan_sum, regret)


@kernel
def match_regrets(
    streets: NDArray[Any],
    situations: NDArray[Any],
    legal: Floats,
    t: int,
    schedule: RegretSchedule,
    worth: Floats,
    reach: Floats,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Add occupancies to the average and gains to the regrets, and play in proportion to these.

    Overwrites `behavior`, `plan_sum` and `regret` in the given situations.
    """
    keep_gains, keep_losses = discount_factor(t, schedule.alpha), discount_factor(t, schedule.beta)
    share, optimism = float(t) ** schedule.gamma, schedule.optimism
    for i in range(len(situations)):
        here, at = streets[situations[i].street], situations[i].row
        fold, call, more = legal[i, 0], legal[i, 1], legal[i, 2]
        equally = 1.0 / (fold + call + more)
        count = here.buckets
        for _ in range(here.end_block - here.block):
            for b in range(count):
                f, c, m = at + b, at + count + b, at + 2 * count + b
                for s in range(LANES):
                    x, y, z = behavior[f, s], behavior[c, s], behavior[m, s]
                    plan_sum[f, s] += share * reach[f, s] * x
                    plan_sum[c, s] += share * reach[c, s] * y
                    plan_sum[m, s] += share * reach[m, s] * z
                    expected = x * worth[f, s] + y * worth[c, s] + z * worth[m, s]
                    gain_f = fold * (worth[f, s] - expected)
                    gain_c = call * (worth[c, s] - expected)
                    gain_m = more * (worth[m, s] - expected)
                    x, y, z = regret[f, s] + gain_f, regret[c, s] + gain_c, regret[m, s] + gain_m
                    x *= keep_gains if x > 0.0 else keep_losses
                    y *= keep_gains if y > 0.0 else keep_losses
                    z *= keep_gains if z > 0.0 else keep_losses
                    regret[f, s], regret[c, s], regret[m, s] = x, y, z
                    x = max(x + optimism * gain_f, 0.0)
                    y = max(y + optimism * gain_c, 0.0)
                    z = max(z + optimism * gain_m, 0.0)
                    total = x + y + z
                    behavior[f, s] = x / total if total > 0.0 else fold * equally
                    behavior[c, s] = y / total if total > 0.0 else call * equally
                    behavior[m, s] = z / total if total > 0.0 else more * equally
            at += NUM_ACTIONS * count
