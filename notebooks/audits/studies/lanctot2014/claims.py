"""Lanctot (2014): are single statements of sections 1 to 3 true? Measurements that decide them, for the audit.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. KP(n) is Kuhn poker for n players.

The statements are on the regret of discrete steps (Theorem 5, section 3.2), on the flow (eq. 4), on the equality with
replicator dynamics of whole strategies (Theorem 2), on realization plans (Theorems 1 and 3, eq. 5), on Lemmas 1 and 2,
and on rest points. A function needs no input but a number of steps or a seed, and returns the numbers on which the
audit's verdict rests.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from pokerlab import games, metrics, reference
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.lanctot2014 import draw_profile
from pokerlab.runs import History, Run
from pokerlab.solvers import ContinuousReplicator, ReplicatorDynamics
from pokerlab.solvers.dynamics import DynamicsState
from studies.lanctot2014 import definitions, regret, theorem_five
from studies.lanctot2014 import normal_form_dynamics as normal_form
from studies.lanctot2014.interpretations import ALTERNATING, LAST_AGREEING_ITERATION, SIMULTANEOUS
from studies.lanctot2014.polynomial_weights import PolynomialWeights

PAYOFF_SHIFT = 3.0
"""The paper's payoff shift."""
SMALL_GAME = "the game above, player 1"
"""The description of the 2 x 2 game of `theorem_five` in the audit."""
ZERO_SUM = "zero-sum, 3 × 2, player 1"
"""The description of the zero-sum game. Its payoffs to player 1, the payoff shift and the number of steps follow."""
ZERO_SUM_PAYOFFS = ((5, -10), (1, 3), (0, -12))
ZERO_SUM_SHIFT = 28.0
ZERO_SUM_STEPS = 20_000
FIXED_SEQUENCES = {
    "(7, 8, 4) 80 times, then (64, 56, 32)": (((7, 8, 4), 80), ((64, 56, 32), 80)),
    "(5, 10) 80 times, then (10, 9)": (((5, 10), 80), ((10, 9), 526)),
}
"""Two sequences of payoffs that are fixed in advance, by their description.

A sequence has two blocks. Each block is a pair of the payoffs of all actions and the number of steps in which the
actions have these payoffs.
"""
NUM_RATE_STEPS = 2000
"""The number of replicator steps in which learning rates are measured."""


class TheoremFiveViolation(NamedTuple):
    """An example in which a learner's regret exceeds the bound of Lanctot (2014, Theorem 5).

    Attributes
    ----------
    steps : int
        The number of steps.
    largest_rate : float
        The largest learning rate of any step. The theorem requires that it is at most 1/2.
    regret : float
        The learner's average regret per step, in the unit of the payoffs.
    bound : float
        The theorem's bound on the regret, per step and in the same unit.
    """

    steps: int
    largest_rate: float
    regret: float
    bound: float

    @property
    def regret_over_bound(self) -> float:
        """The regret divided by the bound, which exceeds one in a violation."""
        return self.regret / self.bound


def find_theorem_five_violations() -> dict[str, TheoremFiveViolation]:
    """Return four examples in which regret exceeds the bound of Lanctot (2014, Theorem 5).

    In all of them the learner is a discrete replicator. The first is player 1 of the 2 x 2 game of `theorem_five`. In
    the next two, `FIXED_SEQUENCES`, the payoffs of all steps are fixed in advance. The last is player 1 of a 3 x 2
    zero-sum game.

    Returns
    -------
    dict of str to TheoremFiveViolation
        The regret and the bound of each example, by the example's description.
    """
    row_play, _ = theorem_five.play_replicators_in_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    payoff_range = float(np.ptp(theorem_five.ROW_PAYOFFS))
    violations = {SMALL_GAME: measure_theorem_five_violation(row_play, payoff_range)}

    for description, blocks in FIXED_SEQUENCES.items():
        payoffs_of_steps: list[tuple[int, ...]] = []
        for block_payoffs, num_repeats in blocks:
            payoffs_of_steps += [block_payoffs] * num_repeats
        payoffs = np.array(payoffs_of_steps, dtype=float)
        play = theorem_five.play_replicator_against_payoffs(payoffs)
        violations[description] = measure_theorem_five_violation(play, float(np.ptp(payoffs)))

    zero_sum = regret.measure_matrix_game_regret(ZERO_SUM_PAYOFFS, ZERO_SUM_SHIFT, ZERO_SUM_STEPS)
    violations[ZERO_SUM] = TheoremFiveViolation(
        steps=ZERO_SUM_STEPS,
        largest_rate=zero_sum.largest_rate,
        regret=zero_sum.regret,
        bound=max(zero_sum.theorem_5),
    )
    return violations


def measure_theorem_five_violation(
    play: theorem_five.Play, payoff_range: float
) -> TheoremFiveViolation:
    """Return a learner's average regret, and the bound of Lanctot (2014, Theorem 5) on it.

    Parameters
    ----------
    play : Play
        The payoffs and the action probabilities of the learner in each step.
    payoff_range : float
        The largest payoff of the game minus the smallest one.

    Returns
    -------
    TheoremFiveViolation
        The regret and the bound, both per step.
    """
    totals = theorem_five.compute_regret_and_theorem_five_bound(play, payoff_range)
    num_steps = len(play.payoffs)
    return TheoremFiveViolation(
        steps=num_steps,
        largest_rate=totals.largest_rate,
        regret=totals.regret / num_steps,
        bound=totals.bound / num_steps,
    )


def is_theorem_five_violation_proved() -> bool:
    """Return whether exact fractions prove that Theorem 5 of Lanctot (2014) fails.

    The example is player 1 of the 2 x 2 game of `theorem_five`. It is proved if the regret of replicator dynamics is
    certainly larger than the theorem's bound, although no learning rate exceeds 1/2, as the theorem assumes. Rounding
    errors play no part, because every number is enclosed between two fractions.
    """
    steps = theorem_five.iterate_enclosed_steps_of_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    payoff_range = int(np.ptp(theorem_five.ROW_PAYOFFS))
    certificate = theorem_five.certify_regret_and_bound(steps, payoff_range)
    return certificate.regret > certificate.bound and certificate.largest_rate <= 0.5


def track_regret_in_kuhn() -> tuple[regret.RegretTrackerState, History]:
    """Run 30,000 simultaneous replicator steps of Kuhn poker, and return the regrets of both players.

    The payoff shift is that of Lanctot (2014), which is 3.

    Returns
    -------
    RegretTrackerState
        The state after the last step. It contains sums over all steps.
    History
        The average regret of each player and the bounds on it, at ten iterations in each factor of ten. The columns are
        those of `make_regret_columns`.
    """
    dynamics = ReplicatorDynamics(games.kuhn(2), payoff_shift=PAYOFF_SHIFT, order=SIMULTANEOUS)
    tracker = regret.RegretTracker(dynamics)
    run = Run(tracker, regret.make_regret_columns(tracker), per_decade=10)
    history = run.to(LAST_AGREEING_ITERATION, progress=False).history
    state: regret.RegretTrackerState = run.state
    return state, history


def tabulate_regret_and_bounds(
    history: History, first_iteration: int = 1000
) -> list[list[str | int]]:
    """Return the rows of a table of each player's regret in Kuhn poker, with two bounds on the regret.

    The table has two rows, one for each player, for an early iteration, and two rows for the iteration 30,000. The
    corrected bound holds always, but takes a slow program. So it is computed for the early iteration only.

    Parameters
    ----------
    history : History
        The history that `track_regret_in_kuhn` returns.
    first_iteration : int
        The early iteration. It must be recorded in the history.

    Returns
    -------
    list of list
        Each row has five entries: the iteration as text, the player (1 or 2), and as texts in chips per iteration the
        average regret, the corrected bound ('' if not computed), and the bound of Lanctot (2014, Theorem 5).
    """
    early_totals = theorem_five.compute_tree_regret_and_corrected_bound(
        games.kuhn(2), PAYOFF_SHIFT, first_iteration
    )
    rows: list[list[str | int]] = []
    for iteration in (first_iteration, LAST_AGREEING_ITERATION):
        record = history.select_row(iteration)
        for player in (1, 2):
            corrected_bound = ""
            if iteration == first_iteration:
                corrected_bound = f"{early_totals.bound[player - 1] / iteration:.4f}"
            rows.append(
                [
                    f"{iteration:,}",
                    player,
                    f"{record[f'regret_{player}']:.4f}",
                    corrected_bound,
                    f"{record[f'theorem_5_{player}']:.3f}",
                ]
            )
    return rows


def measure_largest_learning_rates(num_players: int) -> Floats:
    """Return the largest learning rate that occurs at each information set in a run of Kuhn poker.

    The learning rate of an information set is that of Lanctot (2014, Lemma 1), and changes from step to step. The run
    has 2,000 simultaneous replicator steps (`NUM_RATE_STEPS`) with the payoff shift 3.

    Parameters
    ----------
    num_players : int
        The number of players of Kuhn poker.

    Returns
    -------
    array of shape (I,)
        The largest rate of all steps at each of the I information sets, in the order of the game.
    """
    dynamics = ReplicatorDynamics(
        games.kuhn(num_players), payoff_shift=PAYOFF_SHIFT, order=SIMULTANEOUS
    )
    tracker = regret.RegretTracker(dynamics)
    return tracker.step(tracker.init(), NUM_RATE_STEPS).sums.largest_rate


def trace_ratios_of_regret_to_bound() -> dict[float, list[tuple[int, float]]]:
    """Return the regret of polynomial weights divided by the bound on it, along three runs of Kuhn poker.

    The runs have fixed learning rates eta and alternating updates. There is a learner at each information set. By
    Lanctot (2014, section 2.2) the learner's regret, measured in losses between 0 and 1, is at most
    eta Q_min + ln 2 / eta. Here Q_min is the sum over iterations of the squared losses of the best action.

    Returns
    -------
    dict of float to list of tuple
        By the learning rate, pairs of an iteration and the largest ratio of all 12 information sets.
    """
    ratios_by_rate = {}
    for eta in (0.5, 0.1, 0.02):
        weights = PolynomialWeights(
            games.kuhn(2), payoff_shift=PAYOFF_SHIFT, eta=eta, order=ALTERNATING
        )
        tracker = regret.RegretTracker(weights)
        state = tracker.init()
        ratios = []
        for iteration in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
            state = tracker.step(state, iteration - state.iteration)
            sums_of_squared_losses = regret.compute_squared_losses_of_best_actions(state)
            bounds = eta * sums_of_squared_losses + np.log(2) / eta
            largest_ratio = float((regret.compute_regrets_in_losses(state) / bounds).max())
            ratios.append((iteration, largest_ratio))
        ratios_by_rate[eta] = ratios
    return ratios_by_rate


def measure_total_regret_of_flow(times: Sequence[int]) -> dict[int, float]:
    """Return the total regret of both players together in the continuous-time replicator dynamics of Kuhn poker.

    The dynamics (Lanctot 2014, eq. 4) begin at the uniform profile. In a two-player zero-sum game the sum of both
    players' total regrets up to the time T is T times NashConv of the time average, by which it is computed here.

    Parameters
    ----------
    times : sequence of int
        Times T in ascending order.

    Returns
    -------
    dict of int to float
        The sum of the total regrets up to each time, in chips.
    """
    game = games.kuhn(2)
    flow = ContinuousReplicator(game, time_step=1.0)
    state = flow.init()
    total_regrets = {}
    for time in times:
        state = flow.step(state, time - state.iteration)
        total_regrets[time] = time * metrics.nash_conv(game, state.average)
    return total_regrets


def trace_differences_from_normal_form(
    game: SequenceForm, counts: Sequence[int], *, start: Profile | None = None, **settings: float
) -> Floats:
    """Run replicator dynamics in the sequence form and in the normal form, and return how far apart they are.

    In the sequence form the dynamics change realization plans. In the normal form they change mixtures of a player's
    pure strategies of the whole game. By Lanctot (2014, Theorems 2 and 4) both are the same.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    counts : sequence of int
        Numbers of steps in ascending order.
    start : Profile, optional
        The first profile of both dynamics. By default the uniform profile.
    **settings : float
        Either `payoff_shift=` for discrete simultaneous steps (eq. 3), or `time_step=` for steps in continuous time
        (eq. 4).

    Returns
    -------
    array of shape (len(counts),)
        The largest absolute difference of a realization weight between the two dynamics after each number of steps.
    """
    normal_form_dynamics = normal_form.NormalFormReplicator(game, **settings, start=start)
    sequence_dynamics: ContinuousReplicator | ReplicatorDynamics
    if "time_step" in settings:
        sequence_dynamics = ContinuousReplicator(game, **settings, start=start)
    else:
        sequence_dynamics = ReplicatorDynamics(game, **settings, order=SIMULTANEOUS, start=start)
    return normal_form.trace_plan_differences(sequence_dynamics, normal_form_dynamics, counts)


def measure_difference_after_correlated_start() -> float:
    """Return how far the sequence form's dynamics are from the normal form's if the start correlates choices.

    In the normal form a player mixes pure strategies of the whole game. Such a mixture can correlate the player's
    choices with different cards, which a realization plan cannot represent. Here both continuous-time dynamics begin in
    Kuhn poker at the profile to which ten discrete steps of the normal form lead. Only the normal form's start keeps
    the correlation.

    Returns
    -------
    float
        The largest absolute difference of a realization weight after one unit of time.
    """
    game = games.kuhn(2)
    discrete_dynamics = normal_form.NormalFormReplicator(game, payoff_shift=PAYOFF_SHIFT)
    correlated_state = discrete_dynamics.step(discrete_dynamics.init(), 10)

    normal_form_flow = normal_form.NormalFormReplicator(game, time_step=1.0)
    normal_form_profile = normal_form_flow.step(correlated_state).current

    sequence_flow = ContinuousReplicator(game, time_step=1.0)
    uncorrelated_start = DynamicsState.from_start(game, correlated_state.current)
    sequence_profile = sequence_flow.step(uncorrelated_start).current
    return float(normal_form.measure_plan_difference(normal_form_profile, sequence_profile))


def trace_mean_correlations_of_choices(counts: Sequence[int]) -> list[float]:
    """Return how strongly player 2's choices in Kuhn poker are correlated along normal-form replicator dynamics.

    In the normal form a player mixes pure strategies of the whole game, and the mixture may correlate the choices at
    different information sets. The dynamics take discrete steps with the payoff shift 3, from the uniform profile.

    Parameters
    ----------
    counts : sequence of int
        Numbers of steps in ascending order.

    Returns
    -------
    list of float
        After each number of steps the mean absolute correlation over all pairs of different information sets.
    """
    num_infosets = 6
    num_pairs = num_infosets * (num_infosets - 1)
    dynamics = normal_form.NormalFormReplicator(games.kuhn(2), payoff_shift=PAYOFF_SHIFT)
    state = dynamics.init()
    means = []
    for count in counts:
        state = dynamics.step(state, count - state.iteration)
        correlations = normal_form.compute_correlations(state, player=1)
        off_diagonal = correlations - np.eye(num_infosets)
        means.append(float(np.abs(off_diagonal).sum() / num_pairs))
    return means


def measure_constraint_violations_of_projections() -> tuple[float, float]:
    """Return how far two interpretations of the projection g_q are from being realization plans.

    Lanctot (2014, section 2.1) projects a realization plan x to a plan g_q(x) that plays to reach the sequence q.
    Equation 5 and the sentence above it define g_q differently. Here x is player 1's uniform plan in Kuhn poker, and q
    is to bet a jack.

    Returns
    -------
    tuple of two floats
        The largest violation of a constraint of realization plans: by eq. 5 as it is printed, and by the sentence.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    bet_jack = (("J", "bet"),)

    # By eq. 5 as printed only the empty sequence and the sequences that begin with q have a weight.
    plan_as_printed = {}
    for sequence, weight in plan.items():
        begins_with_q = sequence[: len(bet_jack)] == bet_jack
        if begins_with_q:
            plan_as_printed[sequence] = weight / plan[bet_jack]
        else:
            is_empty = sequence == ()
            plan_as_printed[sequence] = 1.0 if is_empty else 0.0

    plan_of_sentence = reference.compute_forced_plan(bet_jack, plan)
    return (
        float(reference.measure_constraint_violation(rules, plan_as_printed, 0)),
        float(reference.measure_constraint_violation(rules, plan_of_sentence, 0)),
    )


def sum_weights_of_one_action_sequences() -> float:
    """Return the sum of the realization weights of player 1's sequences of one action, for uniform play in Kuhn poker.

    Lanctot (2014, section 2.1) prints that the weight x(q) of a sequence is the sum of x(q') over succ(q), the
    sequences that have one more action than q. If that were right, then the sum would be 1, the weight of the empty
    sequence.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    return float(sum(weight for sequence, weight in plan.items() if len(sequence) == 1))


def measure_constraint_violations_of_dynamics(time: float) -> tuple[float, float]:
    """Return by how much replicator dynamics violate the constraints of realization plans at most.

    The dynamics are computed by the definitions of Lanctot (2014), in 25 steps of Kuhn poker and in one step of Kuhn
    poker for three players. They are discrete (eq. 3). Besides, each of their plans is moved along the continuous
    dynamics' rates of change (eq. 4).

    Parameters
    ----------
    time : float
        How long each plan is moved along the rates of change, in units of time.

    Returns
    -------
    tuple of two floats
        The largest violation of a constraint by the plans of the discrete steps, and by the moved plans.
    """
    violations, violations_after_move = [], []
    for num_players, num_steps in ((2, 25), (3, 1)):
        rules = games.kuhn(num_players).rules
        profiles = definitions.iterate_replicator_plans(rules, PAYOFF_SHIFT, SIMULTANEOUS)
        for plans in islice(profiles, num_steps + 1):
            for player, plan in plans.items():
                rates = definitions.compute_flow_rates(rules, plans, player)
                moved_plan = {q: weight + time * rates[q] for q, weight in plan.items()}

                violation = reference.measure_constraint_violation(rules, plan, player)
                violation_after_move = reference.measure_constraint_violation(
                    rules, moved_plan, player
                )
                violations.append(float(violation))
                violations_after_move.append(float(violation_after_move))
    return max(violations), max(violations_after_move)


def measure_lemma_one_error() -> float:
    """Return the largest difference between replicator dynamics and polynomial weights with the rates of Lemma 1.

    By Lanctot (2014, Lemma 1) they are equal. The difference is that of a realization weight after 1, 10 and 1,000
    simultaneous steps of Kuhn poker, for two and for three players.
    """
    largest = 0.0
    for num_players in (2, 3):
        game = games.kuhn(num_players)
        replicator = ReplicatorDynamics(game, payoff_shift=PAYOFF_SHIFT, order=SIMULTANEOUS)
        weights = PolynomialWeights(game, payoff_shift=PAYOFF_SHIFT, order=SIMULTANEOUS)
        differences = normal_form.trace_plan_differences(replicator, weights, [1, 10, 1000])
        largest = max(largest, float(differences.max()))
    return largest


def measure_lemma_two_error(seed: int) -> float:
    """Return the largest deviation from Lemma 2 of Lanctot (2014) at a random profile of Kuhn poker, in chips.

    The lemma compares two actions of an information set. It says that the difference of their utilities, if the player
    plays to reach the information set and takes the action, equals the difference of their counterfactual values. Here
    the best action and a bet are compared, at each of the 12 information sets.

    Parameters
    ----------
    seed : int
        The seed of the random profile.
    """
    game = games.kuhn(2)
    behavior = draw_profile(game, seed).to_table()
    plans = reference.compute_realization_plans(game.rules, behavior)
    largest_error = 0.0
    for player in (0, 1):
        utilities = definitions.compute_utilities_of_forced_actions(
            game.rules, plans, player, payoff_shift=PAYOFF_SHIFT
        )
        values = reference.compute_counterfactual_values(game.rules, behavior, player)
        for label in values:
            utility_difference = max(utilities[label].values()) - utilities[label]["bet"]
            value_difference = max(values[label].values()) - values[label]["bet"]
            error = abs(float(utility_difference) - float(value_difference))
            largest_error = max(largest_error, error)
    return largest_error


def compute_learning_rates_by_reach_probability(
    reach_probabilities: Sequence[float],
) -> list[tuple[float, float]]:
    """Return the learning rates of Lemma 1 at an information set that is reached with given probabilities.

    This is the example of Lanctot (2014, section 3.2). One action certainly wins 1 at the information set, and the
    other one wins 0. If the information set is not reached, then the player wins 1 or 0 with equal probabilities.

    Parameters
    ----------
    reach_probabilities : sequence of float
        Probabilities with which the information set is reached.

    Returns
    -------
    list of tuple of two floats
        For each reach probability the rate without a payoff shift, and the rate with the paper's shift of 3.
    """
    rates = []
    for reach in reach_probabilities:
        utility_elsewhere = (1 - reach) / 2
        utilities = {"win": reach + utility_elsewhere, "lose": utility_elsewhere}
        shifted_utilities = {
            action: utility + PAYOFF_SHIFT for action, utility in utilities.items()
        }
        rate = float(definitions.compute_learning_rate(utilities))
        rate_with_shift = float(definitions.compute_learning_rate(shifted_utilities))
        rates.append((rate, rate_with_shift))
    return rates


def measure_gain_and_flow_rate_of_playing_rock() -> tuple[float, float]:
    """Return the gain of a best response if both players always play rock, and whether the replicator rests there.

    The game is rock-paper-scissors. A profile of pure strategies is a rest point of replicator dynamics, even if it is
    no equilibrium.

    Returns
    -------
    tuple of two floats
        The largest gain of a player by a best response, and the largest absolute rate of change of a realization weight
        in continuous time (Lanctot 2014, eq. 4). The profile is a rest point if the second number is 0.
    """
    game = games.rock_paper_scissors()
    rock = Profile(game, [1.0, 0.0, 0.0] * 2)
    plans = reference.compute_realization_plans(game.rules, rock.to_table())
    largest_rate = 0.0
    for player in (0, 1):
        rates = definitions.compute_flow_rates(game.rules, plans, player)
        largest_rate = max(largest_rate, *(abs(float(rate)) for rate in rates.values()))
    return float(metrics.epsilon(game, rock)), largest_rate


def trace_payoff_changes_in_flow(game: SequenceForm, seed: int) -> Floats:
    """Return how player 1's expected payoff changes along continuous-time replicator dynamics from a random profile.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    seed : int
        The seed of the random profile.

    Returns
    -------
    array of shape (40,)
        The change of the payoff in each of 40 consecutive intervals of half a unit of time.
    """
    num_intervals = 40
    flow = ContinuousReplicator(game, time_step=0.5, start=draw_profile(game, seed))
    states = [flow.init()]
    for _ in range(num_intervals):
        states.append(flow.step(states[-1]))
    payoffs = [game.values(state.current)[0] for state in states]
    return np.diff(payoffs)


def trace_divergence_from_equilibrium(equilibrium: Profile) -> Mapping[str, list[float]]:
    """Return the divergence of three replicator runs of Kuhn poker from an equilibrium, at the times 0 to 499.

    `normal_form_dynamics.compute_divergence` defines the divergence. The runs begin at the uniform profile.

    Parameters
    ----------
    equilibrium : Profile
        An equilibrium of Kuhn poker.

    Returns
    -------
    mapping of str to list of float
        The divergence at the times 0, 1, ..., 499 by the name of the run. 'simultaneous' and 'alternating' are discrete
        dynamics with these orders of updates. Three of their steps make a unit of time, because the payoff shift is 3.
        The third run, 'continuous', is that of continuous time.
    """
    game = equilibrium.game
    solvers: dict[str, ReplicatorDynamics | ContinuousReplicator] = {
        order: ReplicatorDynamics(game, payoff_shift=PAYOFF_SHIFT, order=order)
        for order in (SIMULTANEOUS, ALTERNATING)
    }
    solvers["continuous"] = ContinuousReplicator(game, time_step=1.0)

    divergences: dict[str, list[float]] = {}
    for name, solver in solvers.items():
        # A discrete step covers the time 1 / payoff shift.
        steps_per_unit_of_time = 1 if name == "continuous" else int(PAYOFF_SHIFT)
        state = solver.init()
        divergences[name] = []
        for _ in range(500):
            divergence = normal_form.compute_divergence(equilibrium, state.current)
            divergences[name].append(float(divergence))
            state = solver.step(state, steps_per_unit_of_time)
    return divergences
