"""Counterfactual regret minimization (CFR) and its descendants: four schedules, one loop.

At each information set the regret of an action is the sum over iterations of its counterfactual value
less that of the behavior; the behavior is proportional to the positive regrets [1]_. The descendants differ
in three ways: how old regrets are discounted, how much each plan counts in the average, and whether the
last gain is expected again. A `RegretSchedule` of four numbers describes each. Begin with the four classes
at the top; `match_regrets` at the end is the algorithm.

References
----------
.. [1] M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret minimization in games with incomplete
   information", NIPS 2007: CFR
.. [2] O. Tammelin, "Solving large imperfect information games using CFR+", arXiv:1407.5042, 2014
.. [3] N. Brown, T. Sandholm, "Solving imperfect-information games via discounted regret minimization",
   AAAI 2019
.. [4] G. Farina, C. Kroer, T. Sandholm, "Faster game solving via predictive Blackwell approachability:
   connecting regret matching and mirror descent", AAAI 2021
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pokerlab.core import Floats, checked_number, inlined, kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import (
    Workspace,
    fill_counterfactual_values,
    fill_plan,
    select_players,
    unpack_workspace,
)
from pokerlab.solvers.dynamics import Dynamics, DynamicsState

LARGEST_GAMMA = 20.0  # the sum of the weights of a million iterations is still a finite number


class RegretSchedule(NamedTuple):
    """The weights of regrets and plans by their age.

    Attributes
    ----------
    alpha, beta : float
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), and negative ones by
        t^beta / (t^beta + 1). With infinity they stay, with minus infinity they become zero.
    gamma : float
        The plan of iteration t counts t^gamma in the average.
    optimism : float
        The fraction of the last gain that is expected again: 0 or 1.
    """

    alpha: float
    beta: float
    gamma: float
    optimism: float


def checked_schedule(schedule: RegretSchedule) -> RegretSchedule:
    """Return a schedule as floats; raise if sums of its weights would not be finite."""
    checked_number("alpha", schedule.alpha)
    checked_number("beta", schedule.beta)
    checked_number("gamma", schedule.gamma, 0.0, LARGEST_GAMMA)
    checked_number("optimism", schedule.optimism, 0.0, 1.0)
    return RegretSchedule(*map(float, schedule))


@dataclass(frozen=True, eq=False)
class RegretState(DynamicsState):
    """The state of a regret minimizer.

    Attributes
    ----------
    regret : array of shape (S,)
        The cumulative, discounted regret of each choice, in the game's unit.
    """

    regret: Floats


CFR_PLUS = RegretSchedule(math.inf, -math.inf, 1.0, 0.0)


class RegretMinimizer(Dynamics):
    """The base of the family: the regret minimizer that a schedule describes."""

    STATE = RegretState
    SCHEDULE: ClassVar[RegretSchedule] = CFR_PLUS

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        super().__init__(game, order=order, start=start)
        self.schedule = self.SCHEDULE

    def advance(
        self, done: int, count: int, behavior: Floats, plan_sum: Floats, regret: Floats
    ) -> None:
        """Run `count` iterations after the first `done`, as in `Dynamics.advance`."""
        run_regret_minimizer(
            self.game.block,
            behavior,
            plan_sum,
            regret,
            done,
            count,
            self.schedule,
            self.alternating,
        )


class CFR(RegretMinimizer):
    """Plain CFR (Zinkevich et al. 2007): regrets are summed, and all plans count the same in the average.

    In two-player zero-sum games the average's NashConv falls at least like 1 / sqrt(t).

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    order : {'alternating', 'simultaneous'}
        Whether a player already responds to the new behavior of the players before it.
    start : Profile, optional
        x(1); uniform if left out.

    Examples
    --------
    >>> import pokerlab as pl
    >>> game = pl.games.kuhn()
    >>> cfr = pl.solvers.CFR(game)
    >>> state = cfr.step(cfr.init(), 1000)
    >>> pl.metrics.nash_conv(game, state.average) < 0.01
    True
    """

    SCHEDULE = RegretSchedule(math.inf, math.inf, 0.0, 0.0)


class CFRPlus(RegretMinimizer):
    """CFR+ (Tammelin 2014): negative regrets become zero at once, and the plan of iteration t counts t times.

    Unlike the paper, which delays averaging, the average begins with the first plan. Parameters are those of `CFR`.
    """


class DiscountedCFR(RegretMinimizer):
    """Discounted CFR (Brown & Sandholm 2019), in which early regrets and plans count less.

    Other parameters are those of `CFR`.

    Parameters
    ----------
    alpha, beta : float
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones
        by t^beta / (t^beta + 1). With infinity they stay, with minus infinity they become zero.
    gamma : float
        The plan of iteration t counts t^gamma in the average, 0 to 20.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        alpha: float = 1.5,
        beta: float = 0.0,
        gamma: float = 2.0,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        self.schedule = checked_schedule(RegretSchedule(alpha, beta, gamma, 0.0))


class PredictiveCFRPlus(RegretMinimizer):
    """Predictive CFR+ (Farina et al. 2021): CFR+ that expects the last gain again in the next iteration.

    Other parameters are those of `CFR`.

    Parameters
    ----------
    gamma : float
        The plan of iteration t counts t^gamma in the average; the paper uses 2.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        gamma: float = 2.0,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        self.schedule = checked_schedule(RegretSchedule(math.inf, -math.inf, gamma, 1.0))


@kernel
def run_regret_minimizer(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
    done: int,
    count: int,
    schedule: RegretSchedule,
    alternating: bool,
) -> None:
    """Run iterations of a regret minimizer.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    behavior, plan_sum, regret : array of shape (S,)
        The arrays of the state; overwritten.
    done, count : int
        How many iterations were run before, and how many are run now.
    schedule : RegretSchedule
        The weights of regrets and plans.
    alternating : bool
        Whether players update one after the other.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    for player in range(n):
        fill_plan(game, player, behavior)
    for t in range(done + 1, done + count + 1):
        positive_discount = compute_discount(t, schedule.alpha)
        negative_discount = compute_discount(t, schedule.beta)
        plan_weight = t**schedule.gamma
        for player in range(n):
            fill_counterfactual_values(game, player, behavior)
            for updated in select_players(player, n, alternating):
                match_regrets(
                    game,
                    updated,
                    positive_discount,
                    negative_discount,
                    plan_weight,
                    schedule.optimism,
                    behavior,
                    plan_sum,
                    regret,
                )


@inlined
def compute_discount(t: int, exponent: float) -> float:
    """Return the discount of regrets after iteration t: t^exponent / (t^exponent + 1), or its limit."""
    if exponent == np.inf:
        return 1.0
    if exponent == -np.inf:
        return 0.0
    power: float = t**exponent
    return power / (power + 1.0) if power < np.inf else 1.0


@inlined
def match_regrets(
    game: Workspace,
    player: int,
    positive_discount: float,
    negative_discount: float,
    plan_weight: float,
    optimism: float,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Match regrets: add a player's plan and gains to their sums, and set its behavior in proportion to regrets.

    Parameters
    ----------
    game : Workspace
        The game, with the player's counterfactual values.
    player : int
        The player's index.
    positive_discount, negative_discount, plan_weight, optimism : float
        The weights of this iteration, as in `RegretSchedule`.
    behavior, plan_sum, regret : array of shape (S,)
        The player's part is overwritten.
    """
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        reach = game.plan[game.parent[infoset]]
        expected = game.infoset_value[infoset]
        total = 0.0
        for q in range(begin, end):
            plan_sum[q] += plan_weight * game.plan[q]
            gain = game.value[q] - expected
            summed = regret[q] + gain
            summed *= positive_discount if summed > 0.0 else negative_discount
            regret[q] = summed
            positive = max(summed + optimism * gain, 0.0)
            behavior[q] = positive
            total += positive
        if total > 0.0:
            for q in range(begin, end):
                behavior[q] /= total
                game.plan[q] = reach * behavior[q]
        else:
            for q in range(begin, end):
                behavior[q] = 1.0 / game.size[infoset]
                game.plan[q] = reach * behavior[q]
