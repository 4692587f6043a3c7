"""Lanctot (2014): the measurements behind single statements of sections 1 to 3, which the audit judges.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. KP(n) is Kuhn poker for n players.
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
ZERO_SUM = "zero-sum, 3 × 2, player 1"
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


def measure_theorem_five_violations() -> dict[str, TheoremFiveViolation]:
    """Return four examples in which regret exceeds Theorem 5's bound, by their description.

    They are a small 2 x 2 game, two sequences of payoffs that do not depend on the learner, and a zero-sum game.
    """
    row_play, _ = theorem_five.play_matrix_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    plays = {SMALL_GAME: row_play}
    payoff_ranges = {SMALL_GAME: float(np.ptp(theorem_five.ROW_PAYOFFS))}
    for words, blocks in FIXED_SEQUENCES.items():
        payoffs = np.array(
            [block_payoffs for block_payoffs, count in blocks for _ in range(count)], dtype=float
        )
        plays[words] = theorem_five.play_against_payoffs(payoffs)
        payoff_ranges[words] = float(np.ptp(payoffs))

    violations = {}
    for words, play in plays.items():
        total = theorem_five.compare_regret_and_bound(play, payoff_ranges[words])
        steps = len(play.payoffs)
        violations[words] = TheoremFiveViolation(
            steps, total.largest_rate, total.regret / steps, total.bound / steps
        )
    zero_sum = regret.measure_matrix_game_regret(ZERO_SUM_PAYOFFS, ZERO_SUM_SHIFT, ZERO_SUM_STEPS)
    violations[ZERO_SUM] = TheoremFiveViolation(
        ZERO_SUM_STEPS, zero_sum.largest_rate, zero_sum.regret, max(zero_sum.theorem_5)
    )
    return violations


def is_violation_certified() -> bool:
    """Return whether exact fractions prove that the small game violates Theorem 5 while no rate exceeds 1/2."""
    steps = theorem_five.iterate_steps_of_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    payoff_range = int(np.ptp(theorem_five.ROW_PAYOFFS))
    certificate = theorem_five.certify_regret_and_bound(steps, payoff_range)
    return certificate.regret > certificate.bound and certificate.largest_rate <= 0.5


def track_kuhn_regret() -> tuple[regret.RegretTrackerState, History]:
    """Return the regrets of simultaneous replicator dynamics in KP(2), with the paper's shift.

    Returns
    -------
    RegretTrackerState
        The state after 30,000 steps.
    History
        The columns of `make_regret_columns` along the way.
    """
    dynamics = ReplicatorDynamics(games.kuhn(2), payoff_shift=SHIFT, order=SIMULTANEOUS)
    tracker = regret.RegretTracker(dynamics)
    run = Run(tracker, regret.make_regret_columns(tracker), per_decade=10)
    history = run.to(LAST_AGREEING_ITERATION, progress=False).history
    state: regret.RegretTrackerState = run.state
    return state, history


def tabulate_bounds(history: History, early: int = 1000) -> list[list[object]]:
    """Return the rows of a table of each player's regret in KP(2), the corrected bound, and Theorem 5's bound.

    A row has the iteration, the player, and these three per iteration, in chips. There are rows for the iteration
    `early` and for the last one. The corrected bound takes a slow program, so it is computed for `early` only.

    Parameters
    ----------
    history : History
        What `track_kuhn_regret` returns.
    early : int
        The first iteration of the table.
    """
    tree = theorem_five.compare_in_tree(games.kuhn(2), SHIFT, early)
    rows: list[list[object]] = []
    for t in (early, LAST_AGREEING_ITERATION):
        record = history.select_row(t)
        for player in (1, 2):
            corrected_bound = f"{tree.bound[player - 1] / t:.4f}" if t == early else ""
            rows.append(
                [
                    f"{t:,}",
                    player,
                    f"{record[f'regret_{player}']:.4f}",
                    corrected_bound,
                    f"{record[f'theorem_5_{player}']:.3f}",
                ]
            )
    return rows


def measure_largest_rates(num_players: int) -> Floats:
    """Return the largest learning rate at each information set of Kuhn poker in 2,000 simultaneous steps, (I,)."""
    dynamics = ReplicatorDynamics(games.kuhn(num_players), payoff_shift=SHIFT, order=SIMULTANEOUS)
    tracker = regret.RegretTracker(dynamics)
    return tracker.step(tracker.init(), 2000).sums.largest_rate


def trace_fixed_rate_ratios() -> dict[float, list[tuple[int, float]]]:
    """Return the regret of polynomial weights with a fixed rate, divided by their bound, along runs of KP(2).

    The bound is eta Q_min + ln 2 / eta (section 2.2).

    Returns
    -------
    dict
        By the rate eta, pairs of an iteration and the largest ratio of all information sets.
    """
    ratios_by_rate = {}
    for eta in (0.5, 0.1, 0.02):
        weights = PolynomialWeights(games.kuhn(2), payoff_shift=SHIFT, eta=eta, order=ALTERNATING)
        tracker = regret.RegretTracker(weights)
        state, ratios = tracker.init(), []
        for t in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
            state = tracker.step(state, t - state.iteration)
            bound = eta * regret.compute_best_action_squared_loss(state) + np.log(2) / eta
            ratios.append((t, float((regret.compute_loss_regret(state) / bound).max())))
        ratios_by_rate[eta] = ratios
    return ratios_by_rate


def measure_flow_regret(times: Sequence[int]) -> dict[int, float]:
    """Return T times NashConv of the time average of the flow (eq. 4) in KP(2), in chips, by the time T.

    In a zero-sum game this is the sum of both players' total regrets. The times must increase.
    """
    game = games.kuhn(2)
    flow = ContinuousReplicator(game, time_step=1.0)
    state, total_regrets = flow.init(), {}
    for t in times:
        state = flow.step(state, t - state.iteration)
        total_regrets[t] = t * metrics.nash_conv(game, state.average)
    return total_regrets


def measure_normal_form_differences(
    game: SequenceForm, counts: Sequence[int], *, start: Profile | None = None, **settings: float
) -> Floats:
    """Return the largest difference between the realization plans of two replicators after each number of steps.

    One works on sequences and the other on the normal form, whose strategies are whole plans.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    counts : sequence of int
        Increasing numbers of steps.
    start : Profile, optional
        The first profile, uniform by default.
    **settings
        `payoff_shift` for simultaneous discrete steps (eq. 3), or `time_step` for steps along the flow (eq. 4).
    """
    normal_form_dynamics = normal_form.NormalFormReplicator(game, **settings, start=start)
    sequence_dynamics: ContinuousReplicator | ReplicatorDynamics
    if "time_step" in settings:
        sequence_dynamics = ContinuousReplicator(game, **settings, start=start)
    else:
        sequence_dynamics = ReplicatorDynamics(game, **settings, order=SIMULTANEOUS, start=start)
    return normal_form.trace_plan_differences(sequence_dynamics, normal_form_dynamics, counts)


def measure_difference_from_correlated_start() -> float:
    """Return the difference of plans after a unit of time in the flows over whole strategies and over sequences.

    Both begin at the profile of whole strategies after ten discrete steps in KP(2), whose mixture correlates the
    choices with different cards. The flow over sequences cannot represent that correlation.
    """
    game = games.kuhn(2)
    discrete_dynamics = normal_form.NormalFormReplicator(game, payoff_shift=SHIFT)
    correlated = discrete_dynamics.step(discrete_dynamics.init(), 10)

    normal_form_flow = normal_form.NormalFormReplicator(game, time_step=1.0)
    normal_form_profile = normal_form_flow.step(correlated).current
    sequence_flow = ContinuousReplicator(game, time_step=1.0)
    start = DynamicsState.begin(game, correlated.current)
    sequence_profile = sequence_flow.step(start).current
    return float(normal_form.measure_plan_difference(normal_form_profile, sequence_profile))


def trace_mean_correlations(counts: Sequence[int]) -> list[float]:
    """Return the mean absolute correlation between player 2's choices in KP(2), after each number of steps.

    The steps are discrete replicator steps of whole strategies with the paper's shift. The mean is over all pairs of
    different information sets.
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


def measure_projection_violations() -> tuple[float, float]:
    """Return by how much two readings of the projection g_q violate the constraints of realization plans.

    The plan is player 1's uniform one in KP(2), and q is betting a jack. The first number is of eq. 5 as it is printed,
    and the second of the sentence above it.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    bet_jack = (("J", "bet"),)

    as_printed = {}
    for sequence, weight in plan.items():
        if sequence[:1] == bet_jack:  # the sequence begins with q
            as_printed[sequence] = weight / plan[bet_jack]
        else:
            as_printed[sequence] = float(sequence == ())
    as_in_sentence = reference.force_sequence(bet_jack, plan)
    return (
        float(reference.measure_constraint_violation(rules, as_printed, 0)),
        float(reference.measure_constraint_violation(rules, as_in_sentence, 0)),
    )


def sum_weights_after_root() -> float:
    """Return the sum of the weights of all sequences that follow the empty one, in player 1's uniform plan in KP(2).

    By the text's formula x(q) is the sum of x(q') over succ(q), so it would be 1.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    return float(sum(weight for sequence, weight in plan.items() if len(sequence) == 1))


def measure_constraint_violations(time: float) -> tuple[float, float]:
    """Return the largest violation of the constraints of realization plans in 25 steps of KP(2) and one of KP(3).

    The first number is of the plans of discrete steps (eq. 3). The second is of the points that lie `time` units along
    the flow's rates of change (eq. 4) from these plans.
    """
    of_steps = of_flow = 0.0
    for num_players, num_steps in ((2, 25), (3, 1)):
        rules = games.kuhn(num_players).rules
        profiles = definitions.iterate_replicator_plans(rules, SHIFT, SIMULTANEOUS)
        for plans in islice(profiles, num_steps + 1):
            for player, plan in plans.items():
                rates = definitions.compute_flow_rates(rules, plans, player)
                moved_plan = {q: weight + time * rates[q] for q, weight in plan.items()}
                of_plan = reference.measure_constraint_violation(rules, plan, player)
                of_moved_plan = reference.measure_constraint_violation(rules, moved_plan, player)
                of_steps = max(of_steps, float(of_plan))
                of_flow = max(of_flow, float(of_moved_plan))
    return of_steps, of_flow


def measure_lemma_one_error() -> float:
    """Return the largest difference of plans between replicator dynamics and polynomial weights with Lemma 1's rates.

    It is the largest after 1, 10 and 1,000 simultaneous steps of KP(2) and KP(3).
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
    """Return by how much Lemma 2 fails at a random profile of KP(2), the largest over all information sets.

    The lemma says that differences of the projected utilities u_i(x with g_(I,a)) between two actions are differences
    of their counterfactual values. Here they are the differences of the best action from betting.
    """
    game = games.kuhn(2)
    behavior = draw_profile(game, seed).to_table()
    plans = reference.compute_realization_plans(game.rules, behavior)
    largest = 0.0
    for player in (0, 1):
        utilities = definitions.compute_projected_utilities(
            game.rules, plans, player, payoff_shift=SHIFT
        )
        values = reference.compute_counterfactual_values(game.rules, behavior, player)
        for label in values:
            of_utilities = max(utilities[label].values()) - utilities[label]["bet"]
            of_values = max(values[label].values()) - values[label]["bet"]
            largest = max(largest, abs(float(of_utilities) - float(of_values)))
    return largest


def compute_rates_of_example(reach_probabilities: Sequence[float]) -> list[tuple[float, float]]:
    """Return the learning rate at I in the example of section 3.2, without a payoff shift and with the paper's.

    I is reached with a given probability. There one action certainly wins 1 and the other 0. Elsewhere the player wins
    1 or 0 with equal probabilities. There is a pair of rates for each reach probability.
    """
    rates = []
    for reach in reach_probabilities:
        elsewhere = (1 - reach) / 2
        utilities = {"win": reach + elsewhere, "lose": elsewhere}
        shifted = {action: utility + SHIFT for action, utility in utilities.items()}
        rates.append(
            (
                float(definitions.compute_learning_rate(utilities)),
                float(definitions.compute_learning_rate(shifted)),
            )
        )
    return rates


def measure_rest_point_of_rock() -> tuple[float, float]:
    """Return properties of the profile of rock-paper-scissors in which both players always play rock.

    The first number is the largest gain of a player by a best response, and the second is the largest rate of change of
    a realization weight in the flow.
    """
    game = games.rock_paper_scissors()
    rock = Profile(game, [1.0, 0.0, 0.0] * 2)
    plans = reference.compute_realization_plans(game.rules, rock.to_table())
    fastest = 0.0
    for player in (0, 1):
        rates = definitions.compute_flow_rates(game.rules, plans, player)
        fastest = max(fastest, *(abs(float(rate)) for rate in rates.values()))
    return float(metrics.epsilon(game, rock)), fastest


def trace_payoff_changes(game: SequenceForm, seed: int) -> Floats:
    """Return the changes of player 1's payoff in each half unit of 20 units of time of the flow, (40,).

    The flow begins at a random profile, which `seed` decides.
    """
    flow = ContinuousReplicator(game, time_step=0.5, start=draw_profile(game, seed))
    states = [flow.init()]
    for _ in range(40):
        states.append(flow.step(states[-1]))
    return np.diff([game.values(state.current)[0] for state in states])


def trace_divergence(equilibrium: Profile) -> Mapping[str, list[float]]:
    """Return the divergence of runs from an equilibrium of KP(2), at the times 0, 1, ..., 499.

    The divergence is that of `compute_divergence`. The runs begin at the uniform profile.

    Returns
    -------
    mapping
        By the order of updates of discrete steps, three of which make a unit of time, and by 'continuous' for the flow.
    """
    game = equilibrium.game
    runs: dict[str, tuple[ReplicatorDynamics | ContinuousReplicator, int]] = {
        order: (ReplicatorDynamics(game, payoff_shift=SHIFT, order=order), int(SHIFT))
        for order in (SIMULTANEOUS, ALTERNATING)
    }
    runs["continuous"] = (ContinuousReplicator(game, time_step=1.0), 1)

    divergences: dict[str, list[float]] = {}
    for name, (solver, steps_per_time) in runs.items():
        state, divergences[name] = solver.init(), []
        for _ in range(500):
            divergence = normal_form.compute_divergence(equilibrium, state.current)
            divergences[name].append(float(divergence))
            state = solver.step(state, steps_per_time)
    return divergences
