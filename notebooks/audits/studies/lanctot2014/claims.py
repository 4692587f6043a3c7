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
from pokerlab.papers import normal_form_dynamics as normal_form
from pokerlab.papers.lanctot2014 import draw_profile
from pokerlab.runs import History, Run
from pokerlab.solvers import ContinuousReplicator, DynamicsState, ReplicatorDynamics
from studies.lanctot2014 import definitions, regret, theorem_five
from studies.lanctot2014.interpretations import ALTERNATING, LAST_AGREEING_ITERATION, SIMULTANEOUS
from studies.lanctot2014.polynomial_weights import PolynomialWeights

SHIFT = 3.0
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
"""Payoffs of actions that do not depend on the learner, by their description: each block is repeated a number of
times."""


class TheoremFiveViolation(NamedTuple):
    """An example in which regret exceeds Theorem 5's bound.

    Attributes
    ----------
    steps : int
        The number of steps.
    largest_rate : float
        The largest learning rate, which the theorem requires to be at most 1/2.
    regret, bound : float
        The learner's regret and the bound on it, per step.
    """

    steps: int
    largest_rate: float
    regret: float
    bound: float

    @property
    def ratio(self) -> float:
        """The regret divided by the bound."""
        return self.regret / self.bound


def find_theorem_five_violations() -> dict[str, TheoremFiveViolation]:
    """Return four examples in which regret exceeds the bound of Lanctot (2014, Theorem 5), by their description.

    They are a small 2 x 2 game, two sequences of payoffs that do not depend on the learner, and a zero-sum game.
    """
    row_play, _ = theorem_five.play_replicators_in_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    plays = {SMALL_GAME: row_play}
    payoff_ranges = {SMALL_GAME: float(np.ptp(theorem_five.ROW_PAYOFFS))}
    for description, blocks in FIXED_SEQUENCES.items():
        steps_of_payoffs = [
            block_payoffs for block_payoffs, num_repeats in blocks for _ in range(num_repeats)
        ]
        payoffs = np.array(steps_of_payoffs, dtype=float)
        plays[description] = theorem_five.play_replicator_against_payoffs(payoffs)
        payoff_ranges[description] = float(np.ptp(payoffs))

    violations = {}
    for description, play in plays.items():
        total = theorem_five.compute_regret_and_theorem_five_bound(play, payoff_ranges[description])
        num_steps = len(play.payoffs)
        violations[description] = TheoremFiveViolation(
            steps=num_steps,
            largest_rate=total.largest_rate,
            regret=total.regret / num_steps,
            bound=total.bound / num_steps,
        )
    zero_sum = regret.measure_matrix_game_regret(ZERO_SUM_PAYOFFS, ZERO_SUM_SHIFT, ZERO_SUM_STEPS)
    violations[ZERO_SUM] = TheoremFiveViolation(
        steps=ZERO_SUM_STEPS,
        largest_rate=zero_sum.largest_rate,
        regret=zero_sum.regret,
        bound=max(zero_sum.theorem_5),
    )
    return violations


def is_violation_certified() -> bool:
    """Return whether Theorem 5 of Lanctot (2014) is proved to be violated, by exact fractions.

    In the 2 x 2 game of `theorem_five` the regret of replicator dynamics must exceed the theorem's bound, though no
    learning rate exceeds 1/2, as the theorem assumes.
    """
    steps = theorem_five.iterate_enclosed_steps_of_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    payoff_range = int(np.ptp(theorem_five.ROW_PAYOFFS))
    certificate = theorem_five.certify_regret_and_bound(steps, payoff_range)
    return certificate.regret > certificate.bound and certificate.largest_rate <= 0.5


def track_regret_in_kuhn() -> tuple[regret.RegretTrackerState, History]:
    """Return the regrets of both players in 30,000 simultaneous replicator steps of Kuhn poker.

    The payoff shift is that of Lanctot (2014), which is 3.

    Returns
    -------
    RegretTrackerState
        The state after the last step, with sums over all steps.
    History
        The average regrets and the bounds on them along the way, in the columns of `make_regret_columns`.
    """
    dynamics = ReplicatorDynamics(games.kuhn(2), payoff_shift=SHIFT, order=SIMULTANEOUS)
    tracker = regret.RegretTracker(dynamics)
    run = Run(tracker, regret.make_regret_columns(tracker), per_decade=10)
    history = run.to(LAST_AGREEING_ITERATION, progress=False).history
    state: regret.RegretTrackerState = run.state
    return state, history


def tabulate_regret_and_bounds(
    history: History, first_iteration: int = 1000
) -> list[list[str | int]]:
    """Return the rows of a table of each player's regret in Kuhn poker and two bounds on it.

    There are rows for an early iteration and for the last one, 30,000. The corrected bound takes a slow program, so it
    is computed for the early one only.

    Parameters
    ----------
    history : History
        The history that `track_regret_in_kuhn` returns.
    first_iteration : int
        The early iteration.

    Returns
    -------
    list of list
        In each row the iteration, the player, and in chips per iteration: the regret, the corrected bound (or '') and
        the bound of Lanctot (2014, Theorem 5).
    """
    tree = theorem_five.compute_tree_regret_and_corrected_bound(
        games.kuhn(2), SHIFT, first_iteration
    )
    rows: list[list[str | int]] = []
    for iteration in (first_iteration, LAST_AGREEING_ITERATION):
        record = history.select_row(iteration)
        for player in (1, 2):
            average_regret = f"{record[f'regret_{player}']:.4f}"
            corrected_bound = ""
            if iteration == first_iteration:
                corrected_bound = f"{tree.bound[player - 1] / iteration:.4f}"
            theorem_five_bound = f"{record[f'theorem_5_{player}']:.3f}"
            rows.append(
                [f"{iteration:,}", player, average_regret, corrected_bound, theorem_five_bound]
            )
    return rows


def measure_largest_learning_rates(num_players: int) -> Floats:
    """Return the largest learning rate at each information set of Kuhn poker in 2,000 replicator steps, (I,).

    The rates are those of Lanctot (2014, Lemma 1), the steps are simultaneous, and the payoff shift is 3.
    """
    dynamics = ReplicatorDynamics(games.kuhn(num_players), payoff_shift=SHIFT, order=SIMULTANEOUS)
    tracker = regret.RegretTracker(dynamics)
    return tracker.step(tracker.init(), 2000).sums.largest_rate


def trace_regret_over_bound_by_fixed_rate() -> dict[float, list[tuple[int, float]]]:
    """Return the regret of polynomial weights divided by its bound, along runs of Kuhn poker with fixed rates.

    The bound is eta Q_min + ln 2 / eta (Lanctot 2014, section 2.2). Q_min is the total squared loss of the best action
    of an information set.

    Returns
    -------
    dict of float to list of tuple
        By the learning rate eta, pairs of an iteration and the largest ratio of all 12 information sets.
    """
    ratios_by_rate = {}
    for eta in (0.5, 0.1, 0.02):
        weights = PolynomialWeights(games.kuhn(2), payoff_shift=SHIFT, eta=eta, order=ALTERNATING)
        tracker = regret.RegretTracker(weights)
        state = tracker.init()
        ratios = []
        for iteration in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
            state = tracker.step(state, iteration - state.iteration)
            squared_losses = regret.compute_best_action_squared_loss(state)
            bounds = eta * squared_losses + np.log(2) / eta
            largest_ratio = float((regret.compute_regret_in_losses(state) / bounds).max())
            ratios.append((iteration, largest_ratio))
        ratios_by_rate[eta] = ratios
    return ratios_by_rate


def measure_total_regret_of_flow(times: Sequence[int]) -> dict[int, float]:
    """Return the sum of both players' total regrets in the replicator flow of Kuhn poker, in chips, by the time.

    The flow is that of Lanctot (2014, eq. 4). In a zero-sum game the sum of total regrets up to the time T is T times
    NashConv of the time average.

    Parameters
    ----------
    times : sequence of int
        Increasing times T.
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
    """Return how far replicator dynamics of sequences are from those of the normal form after numbers of steps.

    The strategies of the normal form are a player's pure strategies of the whole game.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    counts : sequence of int
        Increasing numbers of steps.
    start : Profile, optional
        The first profile of both, uniform by default.
    **settings
        `payoff_shift` for simultaneous discrete steps (Lanctot 2014, eq. 3), or `time_step` for steps along the flow
        (eq. 4).

    Returns
    -------
    array of shape (len(counts),)
        The largest difference of a realization weight between the two.
    """
    normal_form_dynamics = normal_form.NormalFormReplicator(game, **settings, start=start)
    sequence_dynamics: ContinuousReplicator | ReplicatorDynamics
    if "time_step" in settings:
        sequence_dynamics = ContinuousReplicator(game, **settings, start=start)
    else:
        sequence_dynamics = ReplicatorDynamics(game, **settings, order=SIMULTANEOUS, start=start)
    return normal_form.trace_plan_differences(sequence_dynamics, normal_form_dynamics, counts)


def measure_difference_after_correlated_start() -> float:
    """Return how far the flow of sequences is from that of the normal form after a start with correlated choices.

    Both flows begin in Kuhn poker at the profile that ten discrete steps of the normal form lead to. The mixture of
    whole strategies there correlates the choices with different cards. The flow of sequences cannot represent that
    correlation. The result is the largest difference of a realization weight after a unit of time.
    """
    game = games.kuhn(2)
    discrete_dynamics = normal_form.NormalFormReplicator(game, payoff_shift=SHIFT)
    correlated_state = discrete_dynamics.step(discrete_dynamics.init(), 10)

    normal_form_flow = normal_form.NormalFormReplicator(game, time_step=1.0)
    normal_form_profile = normal_form_flow.step(correlated_state).current

    sequence_flow = ContinuousReplicator(game, time_step=1.0)
    uncorrelated_start = DynamicsState.from_start(game, correlated_state.current)
    sequence_profile = sequence_flow.step(uncorrelated_start).current
    return float(normal_form.measure_plan_difference(normal_form_profile, sequence_profile))


def trace_mean_correlations_of_choices(counts: Sequence[int]) -> list[float]:
    """Return the mean absolute correlation between player 2's choices in Kuhn poker, after each number of steps.

    The steps are discrete replicator steps of the normal form, in which a mixture of whole strategies may correlate the
    choices at different information sets. The mean is over all pairs of different information sets. `counts` are the
    numbers of steps.
    """
    num_infosets = 6
    num_pairs = num_infosets * (num_infosets - 1)
    dynamics = normal_form.NormalFormReplicator(games.kuhn(2), payoff_shift=SHIFT)
    means = []
    for count in counts:
        state = dynamics.step(dynamics.init(), count)
        correlations = normal_form.compute_correlations(state, player=1)
        off_diagonal = correlations - np.eye(num_infosets)
        means.append(float(np.abs(off_diagonal).sum() / num_pairs))
    return means


def measure_constraint_violations_of_projections() -> tuple[float, float]:
    """Return by how much two readings of the projection g_q violate the constraints of realization plans.

    Lanctot (2014, section 2.1) projects a realization plan x so that it plays to reach the sequence q. Here x is player
    1's uniform plan in Kuhn poker, and q is to bet a jack.

    Returns
    -------
    tuple of two floats
        The largest violation of a constraint by eq. 5 as it is printed, and by the sentence above it.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    bet_jack = (("J", "bet"),)

    as_printed = {}
    for sequence, weight in plan.items():
        begins_with_q = sequence[: len(bet_jack)] == bet_jack
        if begins_with_q:
            as_printed[sequence] = weight / plan[bet_jack]
        else:
            is_empty = sequence == ()
            as_printed[sequence] = float(is_empty)  # 1 for the empty sequence, otherwise 0
    as_in_sentence = reference.force_sequence(bet_jack, plan)
    return (
        float(reference.measure_constraint_violation(rules, as_printed, 0)),
        float(reference.measure_constraint_violation(rules, as_in_sentence, 0)),
    )


def sum_weights_of_first_actions() -> float:
    """Return the sum of the realization weights of all sequences of one action, for uniform play in Kuhn poker.

    The sequences are those of player 1. Lanctot (2014, section 2.1) prints that x(q) is the sum of x(q') over succ(q),
    the sequences that follow q. For the empty sequence, whose weight is 1, the sum would then be 1.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    return float(sum(weight for sequence, weight in plan.items() if len(sequence) == 1))


def measure_constraint_violations_of_dynamics(time: float) -> tuple[float, float]:
    """Return by how much replicator dynamics violate the constraints of realization plans, at most.

    They are computed by the definitions of Lanctot (2014), in 25 steps of Kuhn poker and in one step of Kuhn poker for
    three players.

    Parameters
    ----------
    time : float
        How far a plan is moved along the flow, in units of time.

    Returns
    -------
    tuple of two floats
        The largest violation by the plans of discrete steps (eq. 3), and by these plans moved along the flow's rates of
        change (eq. 4).
    """
    violation_of_steps = violation_of_flow = 0.0
    for num_players, num_steps in ((2, 25), (3, 1)):
        rules = games.kuhn(num_players).rules
        profiles = definitions.iterate_replicator_plans(rules, SHIFT, SIMULTANEOUS)
        for plans in islice(profiles, num_steps + 1):
            for player, plan in plans.items():
                of_plan = reference.measure_constraint_violation(rules, plan, player)
                violation_of_steps = max(violation_of_steps, float(of_plan))

                rates = definitions.compute_flow_rates(rules, plans, player)
                moved_plan = {q: weight + time * rates[q] for q, weight in plan.items()}
                of_moved_plan = reference.measure_constraint_violation(rules, moved_plan, player)
                violation_of_flow = max(violation_of_flow, float(of_moved_plan))
    return violation_of_steps, violation_of_flow


def measure_lemma_one_error() -> float:
    """Return by how much replicator dynamics differ from polynomial weights with the rates of Lemma 1, at most.

    By Lanctot (2014, Lemma 1) they are equal. The result is the largest difference of a realization weight after 1, 10
    and 1,000 simultaneous steps of Kuhn poker for two and for three players.
    """
    largest = 0.0
    for num_players in (2, 3):
        game = games.kuhn(num_players)
        replicator = ReplicatorDynamics(game, payoff_shift=SHIFT, order=SIMULTANEOUS)
        weights = PolynomialWeights(game, payoff_shift=SHIFT, order=SIMULTANEOUS)
        differences = normal_form.trace_plan_differences(replicator, weights, [1, 10, 1000])
        largest = max(largest, float(differences.max()))
    return largest


def measure_lemma_two_error(seed: int) -> float:
    """Return by how much Lemma 2 of Lanctot (2014) fails at a random profile of Kuhn poker, at most, in chips.

    The lemma says that differences of the projected utilities u_i(x with g_(I,a)) between two actions are differences
    of their counterfactual values. Here they are the differences between the best action and a bet, at all 12
    information sets. `seed` decides the profile.
    """
    game = games.kuhn(2)
    behavior = draw_profile(game, seed).to_table()
    plans = reference.compute_realization_plans(game.rules, behavior)
    largest_error = 0.0
    for player in (0, 1):
        utilities = definitions.compute_projected_utilities(
            game.rules, plans, player, payoff_shift=SHIFT
        )
        values = reference.compute_counterfactual_values(game.rules, behavior, player)
        for label in values:
            utility_difference = max(utilities[label].values()) - utilities[label]["bet"]
            value_difference = max(values[label].values()) - values[label]["bet"]
            error = abs(float(utility_difference) - float(value_difference))
            largest_error = max(largest_error, error)
    return largest_error


def compute_learning_rates_of_example(
    reach_probabilities: Sequence[float],
) -> list[tuple[float, float]]:
    """Return the learning rate at an information set I in the example of Lanctot (2014, section 3.2).

    In the example one action certainly wins 1 at I, and the other 0. Elsewhere the player wins 1 or 0 with equal
    probabilities.

    Parameters
    ----------
    reach_probabilities : sequence of float
        Probabilities with which I is reached.

    Returns
    -------
    list of tuple of two floats
        For each reach probability the rate of Lemma 1 without a payoff shift, and with the paper's shift of 3.
    """
    rates = []
    for reach in reach_probabilities:
        utility_elsewhere = (1 - reach) / 2
        utilities = {"win": reach + utility_elsewhere, "lose": utility_elsewhere}
        shifted_utilities = {action: utility + SHIFT for action, utility in utilities.items()}
        rate = float(definitions.compute_learning_rate(utilities))
        rate_with_shift = float(definitions.compute_learning_rate(shifted_utilities))
        rates.append((rate, rate_with_shift))
    return rates


def measure_gain_and_flow_rate_at_rock() -> tuple[float, float]:
    """Return what a player can gain if both always play rock in rock-paper-scissors, and how fast the flow moves there.

    Returns
    -------
    tuple of two floats
        The largest gain of a player by a best response, and the largest rate of change of a realization weight in the
        replicator flow (Lanctot 2014, eq. 4). The profile is a rest point if the second number is 0.
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
    """Return the changes of player 1's expected payoff along the replicator flow from a random profile, (40,).

    A change is that in half a unit of time, and the flow runs for 20 units.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    seed : int
        Decides the first profile.
    """
    flow = ContinuousReplicator(game, time_step=0.5, start=draw_profile(game, seed))
    states = [flow.init()]
    for _ in range(40):
        states.append(flow.step(states[-1]))
    payoffs = [game.values(state.current)[0] for state in states]
    return np.diff(payoffs)


def trace_divergence_from_equilibrium(equilibrium: Profile) -> Mapping[str, list[float]]:
    """Return how the divergence of replicator runs from an equilibrium of Kuhn poker develops, at times 0 to 499.

    The divergence is that of `normal_form_dynamics.compute_divergence`. The runs begin at the uniform profile.

    Returns
    -------
    mapping of str to list of float
        By the kind of run the divergence at the times 0, 1, ..., 499. 'simultaneous' and 'alternating' are the orders
        of updates of discrete steps, three of which make a unit of time, and 'continuous' is the flow.
    """
    game = equilibrium.game
    # Of each run the dynamics, and the number of its steps in a unit of time, which is the payoff shift.
    runs: dict[str, tuple[ReplicatorDynamics | ContinuousReplicator, int]] = {
        order: (ReplicatorDynamics(game, payoff_shift=SHIFT, order=order), int(SHIFT))
        for order in (SIMULTANEOUS, ALTERNATING)
    }
    runs["continuous"] = (ContinuousReplicator(game, time_step=1.0), 1)

    divergences: dict[str, list[float]] = {}
    for name, (solver, steps_per_time) in runs.items():
        state = solver.init()
        divergences[name] = []
        for _ in range(500):
            divergence = normal_form.compute_divergence(equilibrium, state.current)
            divergences[name].append(float(divergence))
            state = solver.step(state, steps_per_time)
    return divergences
