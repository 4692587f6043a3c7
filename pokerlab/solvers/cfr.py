"""Counterfactual regret minimization (CFR) and its descendants: four schedules, one loop.

The regret of an action at an information set is the sum over iterations of the action's counterfactual value minus
the counterfactual value of the behavior there. The next behavior is proportional to the positive regrets [1]_. The
descendants of CFR differ in three ways: how old regrets are discounted, how much weight each plan has in the
average, and whether the gain of the last iteration is counted twice as a prediction of the next one. Each variant is
described by the four numbers of a `RegretSchedule`. The algorithm itself is `match_regrets` at the end of this file.

References
----------
.. [1] M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret minimization in games with incomplete
   information", NIPS 2007: CFR
.. [2] O. Tammelin, "Solving large imperfect information games using CFR+", arXiv:1407.5042, 2014
.. [3] N. Brown, T. Sandholm, "Solving imperfect-information games via discounted regret minimization",
   AAAI 2019
.. [4] G. Farina, C. Kroer, T. Sandholm, "Faster game solving via predictive Blackwell approachability:
   connecting regret matching and mirror descent", AAAI 2021
.. [5] H. Xu, K. Li, B. Liu, H. Fu, Q. Fu, J. Xing, J. Cheng, "Minimizing weighted counterfactual regret with
   optimistic online mirror descent", IJCAI 2024, arXiv:2404.13891
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pokerlab.core import Floats, inlined, kernel, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, UINT_ONE, Ids, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
    select_players_to_update,
)
from pokerlab.solvers.dynamics import Dynamics, DynamicsState

# With this exponent the weights of a million iterations still have a finite sum.
LARGEST_GAMMA = 20.0


class RegretSchedule(NamedTuple):
    """The weights of regrets and of realization plans, which depend on the iteration.

    Attributes
    ----------
    alpha, beta : float
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), and negative regrets by
        t^beta / (t^beta + 1). An exponent of infinity leaves them unchanged, and minus infinity sets them to zero.
    gamma : float
        The plan of iteration t has the weight t^gamma in the average.
    optimism : float
        The fraction of the last gain that is added to the regret as a prediction of the next gain: 1 in the
        predictive variants, and 0 in the others.
    """

    alpha: float
    beta: float
    gamma: float
    optimism: float


def validate_regret_schedule(schedule: RegretSchedule) -> RegretSchedule:
    """Return the weights of regrets and plans as floats, after checking that each number is in its range.

    Parameters
    ----------
    schedule : RegretSchedule
        The exponents `alpha` and `beta` may be any numbers or infinite. The exponent `gamma` is from 0 to 20, so that
        sums of weights stay finite, and `optimism` is from 0 to 1.

    Returns
    -------
    RegretSchedule
        The same numbers as floats.

    Raises
    ------
    SettingError
        If a number is not in its range.
    """
    validate_number("alpha", schedule.alpha)
    validate_number("beta", schedule.beta)
    validate_number("gamma", schedule.gamma, 0.0, LARGEST_GAMMA)
    validate_number("optimism", schedule.optimism, 0.0, 1.0)
    return RegretSchedule(
        alpha=float(schedule.alpha),
        beta=float(schedule.beta),
        gamma=float(schedule.gamma),
        optimism=float(schedule.optimism),
    )


@dataclass(frozen=True, eq=False)
class RegretState(DynamicsState):
    """The state of a regret minimizer, which adds cumulative regrets to the state of a dynamic.

    Attributes
    ----------
    regret : array of shape (S,)
        The cumulative, discounted regret of each of the game's S sequences, in the game's unit.
    """

    regret: Floats


CFR_PLUS = RegretSchedule(math.inf, -math.inf, 1.0, 0.0)


class RegretMinimizer(Dynamics):
    """The base class of CFR and its descendants: a regret minimizer with a schedule of weights.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    order : {'alternating', 'simultaneous'}
        Whether players update their behavior one after the other, or all at the same time.
    start : Profile, optional
        The profile of the first iteration; uniform by default.

    Attributes
    ----------
    SCHEDULE : RegretSchedule
        The weights of regrets and plans in an algorithm that has no parameters for them.
    """

    STATE = RegretState
    SCHEDULE: ClassVar[RegretSchedule] = CFR_PLUS

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        super().__init__(game, order=order, start=start)
        self.schedule = self.SCHEDULE

    def run_iterations(
        self, iterations_done: int, count: int, behavior: Floats, plan_sum: Floats, regret: Floats
    ) -> None:
        """Run some iterations of the regret minimizer, and overwrite the arrays of a state.

        Parameters
        ----------
        iterations_done : int
            The number of iterations that were run before, on which the weights depend.
        count : int
            The number of iterations to run.
        behavior, plan_sum, regret : array of shape (S,)
            For each of the game's S sequences: its probability, the sum of its realization weights, and its cumulative
            regret. All three arrays are overwritten.
        """
        run_regret_minimizer(
            self.game.block,
            behavior,
            plan_sum,
            regret,
            iterations_done,
            count,
            self.schedule,
            self.alternating,
        )


class CFR(RegretMinimizer):
    """Counterfactual regret minimization (Zinkevich et al. 2007), without discounts of regrets and plans.

    All plans have the same weight in the average. In a two-player zero-sum game the NashConv of the average after t
    iterations is at most a constant times 1 / sqrt(t).

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    order : {'alternating', 'simultaneous'}
        In alternating order each player responds to the behavior that the players before it have just updated. In
        simultaneous order all players respond to the behavior of the last iteration.
    start : Profile, optional
        The profile of the first iteration, x(1); uniform by default.

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
    """CFR+ (Tammelin 2014), which sets negative regrets to zero and gives the plan of iteration t the weight t.

    The paper begins to average after some iterations; here the average includes all plans from the first on. The
    parameters are those of `CFR`.
    """


class DiscountedCFR(RegretMinimizer):
    """Discounted CFR (Brown & Sandholm 2019), in which early regrets and plans have less weight than later ones.

    The parameters `game`, `order` and `start` are those of `CFR`.

    Parameters
    ----------
    alpha, beta : float
        After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), and negative regrets by
        t^beta / (t^beta + 1). An exponent of infinity leaves them unchanged, and minus infinity sets them to zero.
    gamma : float
        The plan of iteration t has the weight t^gamma in the average, with gamma from 0 to 20.
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
        self.schedule = validate_regret_schedule(RegretSchedule(alpha, beta, gamma, 0.0))


class PredictiveCFRPlus(RegretMinimizer):
    """Predictive CFR+ (Farina et al. 2021), which is CFR+ with a prediction of the next gain.

    The prediction is that each action gains as much in the next iteration as in the last one. The parameters `game`,
    `order` and `start` are those of `CFR`.

    Parameters
    ----------
    gamma : float
        The plan of iteration t has the weight t^gamma in the average, with gamma from 0 to 20. The paper uses 2.
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
        self.schedule = validate_regret_schedule(RegretSchedule(math.inf, -math.inf, gamma, 1.0))


class PredictiveDiscountedCFRPlus(RegretMinimizer):
    """Predictive discounted CFR+ (Xu et al. 2024), which discounts the positive regrets of predictive CFR+.

    The paper calls it PDCFR+. Negative regrets are set to zero, as in CFR+. The parameters `game`, `order` and `start`
    are those of `CFR`.

    Parameters
    ----------
    alpha : float
        After iteration t regrets are multiplied by t^alpha / (t^alpha + 1), before the prediction is added. The paper
        uses 2.3.
    gamma : float
        The plan of iteration t has the weight t^gamma in the average, with gamma from 0 to 20. The paper uses 5.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        alpha: float = 2.3,
        gamma: float = 5.0,
        order: str = "alternating",
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        self.schedule = validate_regret_schedule(RegretSchedule(alpha, -math.inf, gamma, 1.0))


@kernel
def run_regret_minimizer(
    game_block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
    iterations_done: int,
    count: int,
    schedule: RegretSchedule,
    alternating: bool,
) -> None:
    """Run some iterations of a regret minimizer in a game of S sequences, and overwrite the arrays of a state.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    behavior, plan_sum, regret : array of shape (S,)
        For each sequence: its probability, the weighted sum of its realization weights, and its cumulative regret. All
        three arrays are overwritten.
    iterations_done : int
        The number of iterations that were run before, on which the weights depend.
    count : int
        The number of iterations to run.
    schedule : RegretSchedule
        The weights of regrets and plans.
    alternating : bool
        Whether players update one after the other, rather than all at the same time.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    for player in range(n):
        fill_plan(game, player, behavior)
    for t in range(iterations_done + 1, iterations_done + count + 1):
        positive_discount = compute_discount(t, schedule.alpha)
        negative_discount = compute_discount(t, schedule.beta)
        plan_weight = t**schedule.gamma
        for player in range(n):
            fill_counterfactual_values(game, game.betting_ends, player, behavior)
            # In alternating order the player itself is updated now. Otherwise no one is, until the values of the last
            # player are known, and then all players are.
            for updated in select_players_to_update(player, n, alternating):
                match_regrets(
                    game,
                    game.betting_ends,
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
    """Return the factor by which regrets are multiplied after an iteration: t^exponent / (t^exponent + 1).

    Parameters
    ----------
    t : int
        The number of the iteration, counted from 1.
    exponent : float
        The exponent. If it is infinity, the factor is 1, and if it is minus infinity, the factor is 0.

    Returns
    -------
    float
        The factor, from 0 to 1.
    """
    if exponent == np.inf:
        return 1.0
    if exponent == -np.inf:
        return 0.0

    power: float = t**exponent
    if power == np.inf:  # it has overflowed, and infinity / infinity would be NaN
        return 1.0
    return power / (power + 1.0)


@inlined
def match_regrets(
    game: Workspace,
    betting_ends: Ids | None,
    player: int,
    positive_discount: float,
    negative_discount: float,
    plan_weight: float,
    optimism: float,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Update one player by regret matching: add its plan and gains to their sums, and overwrite its behavior.

    The gain of an action is its counterfactual value minus the counterfactual value of the behavior at the information
    set. The regret of the action is the discounted sum of its gains. The next behavior is proportional to the positive
    parts of

        regret + optimism * gain,

    and uniform where none of these numbers is positive. A parent sequence comes before the sequences after it. So when
    an information set is updated, its reach probability has already been updated.

    Parameters
    ----------
    game : Workspace
        The game of S sequences, with the player's counterfactual values. The player's plan is overwritten.
    betting_ends : array, optional
        `game.betting_ends`, which is None unless the game is a card game, where payoffs are sums over the cards of both
        players. Its type tells numba which pass to compile.
    player : int
        The player's index.
    positive_discount, negative_discount : float
        The factors by which positive and negative regrets are multiplied in this iteration.
    plan_weight : float
        The weight of this iteration's plan in the average.
    optimism : float
        The fraction of this iteration's gain that is added to the regret as a prediction of the next gain.
    behavior, plan_sum, regret : array of shape (S,)
        The arrays of the state. The player's part of each array is overwritten.
    """
    # In a game by cards each information set has two actions, for which there is a faster function.
    if betting_ends is not None:
        match_regrets_of_two_actions(
            game,
            player,
            positive_discount,
            negative_discount,
            plan_weight,
            optimism,
            behavior,
            plan_sum,
            regret,
        )
        return
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        reach = game.plan[game.parent[infoset]]
        expected = game.infoset_value[infoset]
        if game.size[infoset] == 2:
            # The case of two actions, q and r, is written out without loops, which is faster.
            q, r = begin, begin + UINT_ONE
            plan_q = plan_sum[q] + plan_weight * game.plan[q]
            plan_r = plan_sum[r] + plan_weight * game.plan[r]

            gain_q = game.value[q] - expected
            gain_r = game.value[r] - expected
            regret_q = regret[q] + gain_q
            regret_r = regret[r] + gain_r
            regret_q *= positive_discount if regret_q > 0.0 else negative_discount
            regret_r *= positive_discount if regret_r > 0.0 else negative_discount

            # The positive parts, of which the probabilities are shares.
            behavior_q = max(regret_q + optimism * gain_q, 0.0)
            behavior_r = max(regret_r + optimism * gain_r, 0.0)
            total = behavior_q + behavior_r
            if total > 0.0:
                behavior_q /= total
                behavior_r /= total
            else:
                behavior_q = 0.5  # both actions are equally likely if neither has a positive regret
                behavior_r = 0.5

            # Everything is written at the end, so that no computation waits for the memory.
            plan_sum[q] = plan_q
            plan_sum[r] = plan_r
            regret[q] = regret_q
            regret[r] = regret_r
            behavior[q] = behavior_q
            behavior[r] = behavior_r
            game.plan[q] = reach * behavior_q
            game.plan[r] = reach * behavior_r
            continue

        # Any number of actions: first the positive regrets, which are written to `behavior`, then the probabilities.
        total = 0.0
        for q in range(begin, end):
            plan_sum[q] += plan_weight * game.plan[q]
            gain = game.value[q] - expected
            new_regret = regret[q] + gain
            new_regret *= positive_discount if new_regret > 0.0 else negative_discount
            regret[q] = new_regret
            positive_part = max(new_regret + optimism * gain, 0.0)
            behavior[q] = positive_part
            total += positive_part

        if total > 0.0:
            for q in range(begin, end):
                behavior[q] /= total
                game.plan[q] = reach * behavior[q]
        else:
            for q in range(begin, end):
                behavior[q] = 1.0 / game.size[infoset]
                game.plan[q] = reach * behavior[q]


@inlined
def match_regrets_of_two_actions(
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
    """Update one player by regret matching, in a game in which every information set has two actions.

    The arithmetic is the same as in `match_regrets`, so the results are equal bit for bit. The sequences of a player
    are pairs, one pair after the other in the order of the information sets. No pass of the first loop needs the result
    of another pass, so the processor computes several passes at the same time. The second loop needs the realization
    weights of parent sequences, which belong to earlier pairs.

    Parameters
    ----------
    game : Workspace
        The game of S sequences, with the player's counterfactual values. The player's plan is overwritten.
    player : int
        The player's index.
    positive_discount, negative_discount : float
        The factors by which positive and negative regrets are multiplied in this iteration.
    plan_weight : float
        The weight of this iteration's plan in the average.
    optimism : float
        The fraction of this iteration's gain that is added to the regret as a prediction of the next gain.
    behavior, plan_sum, regret : array of shape (S,)
        The arrays of the state. The player's part of each array is overwritten.
    """
    infosets = slice(game.infosets[player], game.infosets[player + 1])
    count = np.int64(infosets.stop) - np.int64(infosets.start)
    begin = np.int64(game.first[infosets.start])

    # Views of the player's parts of all arrays, in which information set i has the sequences 2 i and 2 i + 1.
    pairs = slice(begin, begin + 2 * count)
    parent, infoset_value = game.parent[infosets], game.infoset_value[infosets]
    value, plan = game.value[pairs], game.plan[pairs]
    own_behavior, own_sum, own_regret = behavior[pairs], plan_sum[pairs], regret[pairs]
    for infoset in range(count):
        q, r = 2 * infoset, 2 * infoset + 1
        own_sum[q] += plan_weight * plan[q]
        own_sum[r] += plan_weight * plan[r]
        gain_q = value[q] - infoset_value[infoset]
        gain_r = value[r] - infoset_value[infoset]
        regret_q = own_regret[q] + gain_q
        regret_r = own_regret[r] + gain_r
        regret_q *= positive_discount if regret_q > 0.0 else negative_discount
        regret_r *= positive_discount if regret_r > 0.0 else negative_discount
        own_regret[q] = regret_q
        own_regret[r] = regret_r

        positive_q = max(regret_q + optimism * gain_q, 0.0)
        positive_r = max(regret_r + optimism * gain_r, 0.0)
        total = positive_q + positive_r
        # Both actions are equally likely if neither has a positive regret.
        own_behavior[q] = positive_q / total if total > 0.0 else 0.5
        own_behavior[r] = positive_r / total if total > 0.0 else 0.5

    # The plan is the product of the reach probability of the information set and the behavior.
    for infoset in range(count):
        reach = game.plan[parent[infoset]]
        plan[2 * infoset] = reach * own_behavior[2 * infoset]
        plan[2 * infoset + 1] = reach * own_behavior[2 * infoset + 1]
