"""Counterfactual regret minimization in bucketed hold'em, by passes over the public tree with a vector of buckets.

Each seat has a regret for every action at every public decision with every present bucket. Earlier buckets are
forgotten, and this does not lose any payoff, for the following reason. The buckets of a seat are a Markov chain that
does not depend on the opponent's buckets, and the payoff of a hand depends only on where the betting ends and on the
last buckets. So the payoffs of a strategy depend only on its reach probabilities: the probability, from its own actions
and its own buckets, that it takes an action at a public decision with a bucket. Reach probabilities satisfy linear
constraints. At a decision with a bucket, those of the actions sum to that of the decision, and at a deal they are
multiplied by the transition matrix. Payoffs are linear in reach probabilities, and all reach probabilities that satisfy
the constraints are those of a strategy that depends only on the present bucket. This structure is a treeplex, except
that branches meet again. The regret of a strategy is still the sum over decisions of its reach probability times the
regret at the decision, so that the usual bound holds [1]_. The average strategy is correct for the same reason: means
of reach probabilities satisfy the constraints.

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

from pokerlab.core import Floats, GameError, Ints, freeze, inlined, kernel
from pokerlab.core.settings import check_kind
from pokerlab.holdem.batched_tree import LANES
from pokerlab.holdem.bucket_passes import ACTION_VALUES, compute_player_value
from pokerlab.holdem.bucket_reach import KernelStrategy, fill_reach_rows
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.hand import CALLING, FOLDING, NUM_ACTIONS, RAISING
from pokerlab.solvers.cfr import (
    CFR_PLUS,
    RegretSchedule,
    compute_discount,
    validate_regret_schedule,
)
from pokerlab.solvers.protocol import validate_count


@dataclass(frozen=True, eq=False)
class BucketedRegretState:
    """The state of counterfactual regret minimization in bucketed hold'em.

    Let x(t) be the profile that iteration t plays. After t iterations `average` is the average of x(1) to x(t), and
    `current` is x(t + 1). The arrays have a number for each decision, bucket and action, in the layout of
    `KernelLayout.convert_table_to_rows`.

    Attributes
    ----------
    game : BucketedHoldem
        The game.
    iteration : int
        The number of iterations that have been done.
    behavior : ndarray of shape (rows, LANES)
        The action probabilities of `current`.
    plan_sum : ndarray of shape (rows, LANES)
        The weighted sum of the reach probabilities so far.
    regret : ndarray of shape (rows, LANES)
        The cumulative (discounted) regrets, in small bets.
    """

    game: BucketedHoldem
    iteration: int
    behavior: Floats
    plan_sum: Floats
    regret: Floats

    def __post_init__(self) -> None:
        freeze(self.behavior, self.plan_sum, self.regret)

    @cached_property
    def current(self) -> BucketedProfile:
        """The profile that the next iteration plays: x(t + 1) after t iterations that played x(1) to x(t)."""
        return make_profile_from_weights(self.game, self.behavior)

    @cached_property
    def average(self) -> BucketedProfile:
        """The average profile: its reach probabilities are the weighted means of those in all iterations so far.

        It is uniform at decisions that a seat never reaches by its own actions.
        """
        if self.iteration == 0:
            return self.current
        return make_profile_from_weights(self.game, self.plan_sum)


def make_profile_from_weights(game: BucketedHoldem, weights: Floats) -> BucketedProfile:
    """Return the profile whose action probabilities are in proportion to weights of the actions.

    It is uniform at decisions where the weights of all actions are zero.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile.
    weights : ndarray of shape (rows, LANES)
        The weight of each decision, bucket and action, at least 0, in the layout of
        `KernelLayout.convert_table_to_rows`.

    Returns
    -------
    BucketedProfile
        The profile, whose table has a row for each decision.
    """
    table = game.layout.convert_rows_to_table(weights)
    has_weight = table.sum(axis=2, keepdims=True) > 0.0
    table += np.where(has_weight, 0.0, game.tree.is_legal[:, None])
    table /= table.sum(axis=2, keepdims=True)
    row_of_decision = np.arange(game.tree.num_decisions)  # each decision has its own row
    return BucketedProfile.make_unchecked(game, table, row_of_decision)


class BucketedCFR:
    """Counterfactual regret minimization with alternating updates; CFR+ [1]_ unless another schedule is given.

    Parameters
    ----------
    game : BucketedHoldem
        The game that is played.
    schedule : RegretSchedule
        The weights of the regrets and reach probabilities of different iterations. `RegretSchedule(inf, inf, 0, 0)` is
        plain CFR.

    Raises
    ------
    GameError
        If the game is not a bucketed hold'em game.
    SettingError
        If the schedule is not a `RegretSchedule`, or one of its numbers is out of range.

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
        expected_game = "one from holdem.bucketed_limit_holdem(); for compiled games there is CFR"
        check_kind("game", game, BucketedHoldem, expected_game, GameError)
        expected_schedule = "a RegretSchedule, such as RegretSchedule(inf, inf, 0, 0)"
        check_kind("schedule", schedule, RegretSchedule, expected_schedule)
        self.game = game
        self.schedule = validate_regret_schedule(schedule)

    @cached_property
    def legal_mask(self) -> Floats:
        """1 where fold, call and raise are legal in each situation and 0 elsewhere, an array of shape (situations, 3).

        A situation is a street, a seat, and both players' raises on this street.
        """
        return self.game.is_legal.astype(np.float64)

    @cached_property
    def acting_seats(self) -> Ints:
        """The seat to act in each situation, an array of shape (situations,): 0 is the button, 1 the big blind.

        A situation is a street, a seat, and both players' raises on this street.
        """
        return np.array([0 if situation.button else 1 for situation in self.game.tree.situations])

    def init(self) -> BucketedRegretState:
        """Return the state before the first iteration, in which both seats act uniformly at random."""
        uniform = self.game.uniform()
        behavior = self.game.layout.convert_table_to_rows(uniform.decision_probabilities)
        zeros = np.zeros_like(behavior)
        return BucketedRegretState(self.game, 0, behavior, zeros, zeros)

    def step(self, state: BucketedRegretState, count: int = 1) -> BucketedRegretState:
        """Return the state `count` iterations after `state`.

        An iteration updates both seats, one after the other. For each it computes the values of the seat's actions
        against the other seat's present strategy, and then applies regret matching.

        Parameters
        ----------
        state : BucketedRegretState
            The state to begin with, which is not changed.
        count : int
            The number of iterations.

        Returns
        -------
        BucketedRegretState
            The new state.

        Raises
        ------
        GameError
            If the state is of another game or solver.
        SettingError
            If `count` is negative or not a whole number.
        """
        count = validate_count(self.game, state, count, BucketedRegretState)
        batched_tree, chance_matrices = self.game.batched_tree, self.game.chance_matrices
        behavior, plan_sum, regret = map(np.array, (state.behavior, state.plan_sum, state.regret))
        # Strategies are read-only, and numba would compile the kernel anew for a writable array. This view shows the
        # present `behavior`, which is overwritten by each update.
        read_only_behavior: Any = behavior.view()
        read_only_behavior.setflags(write=False)
        strategy = KernelStrategy(read_only_behavior, True)

        values, reach = np.zeros_like(regret), np.zeros_like(regret)
        last_iteration = state.iteration + count
        for t in range(state.iteration + 1, last_iteration + 1):
            for player in range(2):
                compute_player_value(
                    batched_tree, chance_matrices, strategy, strategy, player, ACTION_VALUES, values
                )
                fill_reach_rows(batched_tree, chance_matrices, strategy, player, reach)
                own_situations = self.acting_seats == player
                apply_regret_matching(
                    batched_tree.streets,
                    batched_tree.situations[own_situations],
                    self.legal_mask[own_situations],
                    t,
                    self.schedule,
                    values,
                    reach,
                    behavior,
                    plan_sum,
                    regret,
                )
        return BucketedRegretState(self.game, last_iteration, behavior, plan_sum, regret)


@kernel
def apply_regret_matching(
    streets: NDArray[Any],
    situations: NDArray[Any],
    legal: Floats,
    iteration: int,
    schedule: RegretSchedule,
    values: Floats,
    reach: Floats,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Update the average, the regrets and the action probabilities of one seat in place, by regret matching.

    Consider a decision with a bucket, which the seat reaches with probability r by its own actions. Action j has the
    probability p_j and the value v_j, and the iteration has the weight w. The plan sum of the action grows by w r p_j.
    The gain of the action is v_j - sum_i p_i v_i. It is added to the regret of the action, which is then discounted.
    The new action probabilities are in proportion to the positive regrets, and uniform if there are none.

    The arrays of shape (rows, LANES) have a number for each decision, bucket and action, in the layout of
    `KernelLayout.convert_table_to_rows`: LANES decisions of a situation are a block, and each row has a block with one
    action and one bucket.

    Parameters
    ----------
    streets : ndarray of STREET_DTYPE, shape (4,)
        The sizes and the blocks of each street.
    situations : ndarray of SITUATION_DTYPE, shape (n,)
        The situations in which the seat acts: each is a street and both players' raises on this street.
    legal : ndarray of shape (n, 3)
        1 where fold, call and raise are legal in these situations, 0 elsewhere.
    iteration : int
        The number of the iteration, from 1 on.
    schedule : RegretSchedule
        The weights of regrets and plans of different ages.
    values : ndarray of shape (rows, LANES)
        The counterfactual values of actions, in small bets.
    reach : ndarray of shape (rows, LANES)
        The seat's own reach probabilities.
    behavior : ndarray of shape (rows, LANES)
        The action probabilities; overwritten in these situations.
    plan_sum : ndarray of shape (rows, LANES)
        The weighted sum of the reach probabilities of actions in all iterations; overwritten in these situations.
    regret : ndarray of shape (rows, LANES)
        The cumulative discounted regrets, in small bets; overwritten in these situations.
    """
    # The factors of positive and of negative regrets, and the weight of this iteration in the average.
    gain_discount = compute_discount(iteration, schedule.alpha)
    loss_discount = compute_discount(iteration, schedule.beta)
    weight = float(iteration) ** schedule.gamma
    optimism = schedule.optimism
    for situation in range(len(situations)):
        this_street = streets[situations[situation].street]
        first_row = situations[situation].row
        num_buckets = this_street.buckets
        num_blocks = this_street.end_block - this_street.first_block
        can_fold = legal[situation, FOLDING]
        can_call = legal[situation, CALLING]
        can_raise = legal[situation, RAISING]
        for _ in range(num_blocks):
            for bucket in range(num_buckets):
                update_actions_with_bucket(
                    first_row + bucket,
                    num_buckets,
                    can_fold,
                    can_call,
                    can_raise,
                    weight,
                    gain_discount,
                    loss_discount,
                    optimism,
                    values,
                    reach,
                    behavior,
                    plan_sum,
                    regret,
                )
            first_row += NUM_ACTIONS * num_buckets


@inlined
def update_actions_with_bucket(
    fold_row: int,
    num_buckets: int,
    can_fold: float,
    can_call: float,
    can_raise: float,
    weight: float,
    gain_discount: float,
    loss_discount: float,
    optimism: float,
    values: Floats,
    reach: Floats,
    behavior: Floats,
    plan_sum: Floats,
    regret: Floats,
) -> None:
    """Update the average, the regrets and the action probabilities of a block of decisions with one bucket, in place.

    In the names of variables f, c and r stand for fold, call and raise. The three actions are written out, so that the
    loop is over lanes, which a processor computes several at once.

    Parameters
    ----------
    fold_row : int
        The row of the fold in the five arrays. All buckets of an action are consecutive, so the rows of the call and
        the raise are `num_buckets` and 2 `num_buckets` rows further down.
    num_buckets : int
        The number of buckets of the street.
    can_fold, can_call, can_raise : float
        1 if the action is legal, 0 otherwise.
    weight : float
        The weight of the iteration in the average.
    gain_discount, loss_discount : float
        The factors of positive and of negative regrets.
    optimism : float
        How often the last gain is added to a regret before regret matching: 0, or more for an optimistic schedule.
    values, reach, behavior, plan_sum, regret : ndarray of shape (rows, LANES)
        The arrays of `apply_regret_matching`. In the last three, the rows of the three actions are overwritten.
    """
    f, c, r = fold_row, fold_row + num_buckets, fold_row + 2 * num_buckets
    uniform = 1.0 / (can_fold + can_call + can_raise)
    for lane in range(LANES):
        # The average, weighted by reach.
        p_f, p_c, p_r = behavior[f, lane], behavior[c, lane], behavior[r, lane]
        plan_sum[f, lane] += weight * reach[f, lane] * p_f
        plan_sum[c, lane] += weight * reach[c, lane] * p_c
        plan_sum[r, lane] += weight * reach[r, lane] * p_r

        # The regrets.
        expected_value = p_f * values[f, lane] + p_c * values[c, lane] + p_r * values[r, lane]
        gain_f = can_fold * (values[f, lane] - expected_value)
        gain_c = can_call * (values[c, lane] - expected_value)
        gain_r = can_raise * (values[r, lane] - expected_value)
        regret_f = regret[f, lane] + gain_f
        regret_c = regret[c, lane] + gain_c
        regret_r = regret[r, lane] + gain_r
        regret_f *= gain_discount if regret_f > 0.0 else loss_discount
        regret_c *= gain_discount if regret_c > 0.0 else loss_discount
        regret_r *= gain_discount if regret_r > 0.0 else loss_discount
        regret[f, lane], regret[c, lane], regret[r, lane] = regret_f, regret_c, regret_r

        # Regret matching; an optimistic schedule counts the last gain once more.
        positive_f = max(regret_f + optimism * gain_f, 0.0)
        positive_c = max(regret_c + optimism * gain_c, 0.0)
        positive_r = max(regret_r + optimism * gain_r, 0.0)
        total = positive_f + positive_c + positive_r
        behavior[f, lane] = positive_f / total if total > 0.0 else can_fold * uniform
        behavior[c, lane] = positive_c / total if total > 0.0 else can_call * uniform
        behavior[r, lane] = positive_r / total if total > 0.0 else can_raise * uniform
