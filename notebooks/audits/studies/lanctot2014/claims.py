"""Lanctot (2014): the measurements behind single statements of sections 1 to 3, which the audit judges."""

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
from studies.lanctot2014.interpretations import ALTERNATING, SIMULTANEOUS, TOGETHER_UNTIL
from studies.lanctot2014.polynomial_weights import PolynomialWeights

SHIFT = 3.0
"""The paper's payoff shift."""
SMALL_GAME = "the game above, player 1"
ZERO_SUM = "zero-sum, 3 × 2, player 1"


class Violation(NamedTuple):
    """Regret and Theorem 5's bound on it, means over steps."""

    steps: int
    largest_rate: float
    regret: float
    bound: float

    @property
    def ratio(self) -> float:
        """Regret over bound."""
        return self.regret / self.bound


def list_violations() -> dict[str, Violation]:
    """Return four examples in which regret exceeds Theorem 5's bound, by name."""
    payoffs = theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS
    plays = {SMALL_GAME: theorem_five.play_game(*payoffs, theorem_five.NUM_STEPS)[0]}
    spreads = {SMALL_GAME: float(np.ptp(payoffs[0]))}
    for words, blocks in {
        "(7, 8, 4) 80 times, then (64, 56, 32)": (((7, 8, 4), 80), ((64, 56, 32), 80)),
        "(5, 10) 80 times, then (10, 9)": (((5, 10), 80), ((10, 9), 526)),
    }.items():
        offered = np.array([payoff for payoff, count in blocks for _ in range(count)], dtype=float)
        plays[words] = theorem_five.play_sequence(offered)
        spreads[words] = float(np.ptp(offered))
    found = {}
    for words, play in plays.items():
        account, steps = (
            theorem_five.compare_regret_and_bound(play, spreads[words]),
            len(play.payoffs),
        )
        found[words] = Violation(
            steps, account.largest_rate, account.regret / steps, account.bound / steps
        )
    game = regret.measure_matrix_game([[5, -10], [1, 3], [0, -12]], 28.0, 20_000)
    found[ZERO_SUM] = Violation(20_000, game.largest_rate, game.regret, max(game.theorem_5))
    return found


def prove_violation() -> bool:
    """Return whether fractions prove that the small game violates Theorem 5 while all its rates are at most 1/2."""
    steps = theorem_five.enclose_game(
        theorem_five.ROW_PAYOFFS, theorem_five.COLUMN_PAYOFFS, theorem_five.NUM_STEPS
    )
    proof = theorem_five.certify(steps, int(np.ptp(theorem_five.ROW_PAYOFFS)))
    return proof.regret > proof.bound and proof.largest_rate <= 0.5


def watch_kuhn() -> tuple[regret.WatchedState, History]:
    """Return the ledger of KP(2) after 30,000 simultaneous steps, and regrets and bounds along the way."""
    solver = regret.Watched(
        ReplicatorDynamics(games.kuhn(2), payoff_shift=SHIFT, order=SIMULTANEOUS)
    )
    run = Run(solver, regret.make_regret_columns(solver), per_decade=10)
    history = run.to(TOGETHER_UNTIL, progress=False).history
    state: regret.WatchedState = run.state
    return state, history


def list_bounds(history: History, early: int = 1000) -> list[list[object]]:
    """Return rows of t, player, regret, the corrected bound where it is computed, and Theorem 5's bound, in KP(2)."""
    tree = theorem_five.compare_in_tree(games.kuhn(2), SHIFT, early)
    rows: list[list[object]] = []
    for t in (early, TOGETHER_UNTIL):
        at = history.select_row(t)
        for player in (1, 2):
            corrected = f"{tree.bound[player - 1] / t:.4f}" if t == early else ""
            cells = f"{at[f'regret_{player}']:.4f}", corrected, f"{at[f'theorem_5_{player}']:.3f}"
            rows.append([f"{t:,}", player, *cells])
    return rows


def measure_rates(players: int) -> Floats:
    """Return the largest rate of each information set of Kuhn poker in 2,000 simultaneous steps."""
    game = games.kuhn(players)
    solver = regret.Watched(ReplicatorDynamics(game, payoff_shift=SHIFT, order=SIMULTANEOUS))
    return solver.step(solver.init(), 2000).ledger.largest_rate


def trace_fixed_rates() -> dict[float, list[tuple[int, float]]]:
    """Return regret over bound of learners with a fixed rate, the largest of KP(2)'s information sets, along runs."""
    courses = {}
    for eta in (0.5, 0.1, 0.02):
        weights = PolynomialWeights(games.kuhn(2), payoff_shift=SHIFT, eta=eta, order=ALTERNATING)
        solver = regret.Watched(weights)
        state, course = solver.init(), []
        for t in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
            state = solver.step(state, t - state.iteration)
            bound = eta * regret.compute_least_squared_loss(state) + np.log(2) / eta
            course.append((t, float((regret.compute_loss_regret(state) / bound).max())))
        courses[eta] = course
    return courses


def measure_flow_regret(times: Sequence[int]) -> dict[int, float]:
    """Return T times NashConv of the average of the flow in KP(2), by T."""
    game = games.kuhn(2)
    flow = ContinuousReplicator(game, time_step=1.0)
    state, found = flow.init(), {}
    for t in times:
        state = flow.step(state, t - state.iteration)
        found[t] = t * metrics.nash_conv(game, state.average)
    return found


def measure_plan_gaps(
    game: SequenceForm, counts: Sequence[int], *, start: Profile | None = None, **how: float
) -> Floats:
    """Return differences of the plans of sequences and of whole strategies after some steps.

    Give `payoff_shift` for simultaneous steps, or `time_step` for the flow.
    """
    whole = normal_form.NormalFormReplicator(game, **how, start=start)
    sequences: ContinuousReplicator | ReplicatorDynamics
    if "time_step" in how:
        sequences = ContinuousReplicator(game, **how, start=start)
    else:
        sequences = ReplicatorDynamics(game, **how, order=SIMULTANEOUS, start=start)
    return normal_form.trace_plan_differences(sequences, whole, counts)


def measure_correlated_gap() -> float:
    """Return how far the flows over whole strategies and over sequences part in a unit of time, if cards correlate.

    Both start where the first one is after ten steps in KP(2).
    """
    game = games.kuhn(2)
    steps = normal_form.NormalFormReplicator(game, payoff_shift=SHIFT)
    mixed = steps.step(steps.init(), 10)
    whole = normal_form.NormalFormReplicator(game, time_step=1.0).step(mixed).current
    flow = ContinuousReplicator(game, time_step=1.0)
    sequences = flow.step(DynamicsState.begin(game, mixed.current)).current
    return float(normal_form.measure_plan_difference(whole, sequences))


def trace_correlations(counts: Sequence[int]) -> list[float]:
    """Return the mean absolute correlation of player 2's cards in KP(2) after numbers of steps of whole strategies."""
    whole, found = normal_form.NormalFormReplicator(games.kuhn(2), payoff_shift=SHIFT), []
    for count in counts:
        between = normal_form.compute_correlations(whole.step(whole.init(), count), player=1)
        found.append(float(np.abs(between - np.eye(6)).sum() / 30))
    return found


def measure_projection() -> tuple[float, float, float]:
    """Return violations of the constraints by Eq. 5 as printed and by the sentence above it; and the sum over succ.

    All for betting a jack in KP(2), of player 1's uniform plan; the last is the sum of the weights of all sequences
    that follow the empty one.
    """
    rules = games.kuhn(2).rules
    plan = reference.compute_realization_plans(rules, reference.uniform(rules))[0]
    bet_jack = (("J", "bet"),)
    printed = {
        other: weight / plan[bet_jack] if other[:1] == bet_jack else float(other == ())
        for other, weight in plan.items()
    }
    violations = [
        float(reference.measure_constraint_violation(rules, each, 0))
        for each in (printed, reference.force_sequence(bet_jack, plan))
    ]
    return violations[0], violations[1], float(sum(w for q, w in plan.items() if len(q) == 1))


def measure_constraints(time: float) -> tuple[float, float]:
    """Return the largest violation of the constraints in steps of KP(2) and KP(3), and after some time of the flow."""
    of_steps = of_flow = 0.0
    for players, count in ((2, 25), (3, 1)):
        rules = games.kuhn(players).rules
        for now in islice(definitions.iterate_replicators(rules, SHIFT, SIMULTANEOUS), count + 1):
            for player, plan in now.items():
                rates = definitions.compute_flow(rules, now, player)
                moved = {q: weight + time * rates[q] for q, weight in plan.items()}
                errors = [
                    float(reference.measure_constraint_violation(rules, each, player))
                    for each in (plan, moved)
                ]
                of_steps, of_flow = max(of_steps, errors[0]), max(of_flow, errors[1])
    return of_steps, of_flow


def measure_lemmas(seed: int) -> tuple[float, float]:
    """Return by how much Lemma 1 fails along runs of KP(2) and KP(3), and Lemma 2 at a random profile of KP(2)."""
    first = second = 0.0
    for players in (2, 3):
        game = games.kuhn(players)
        one = ReplicatorDynamics(game, payoff_shift=SHIFT, order=SIMULTANEOUS)
        other = PolynomialWeights(game, payoff_shift=SHIFT, order=SIMULTANEOUS)
        gaps = normal_form.trace_plan_differences(one, other, [1, 10, 1000])
        first = max(first, float(gaps.max()))
    game = games.kuhn(2)
    table = draw_profile(game, seed).to_table()
    plans = reference.compute_realization_plans(game.rules, table)
    for player in (0, 1):
        utilities = definitions.compute_projected_utilities(
            game.rules, plans, player, payoff_shift=SHIFT
        )
        values = reference.compute_counterfactual_values(game.rules, table, player)
        for here in values:
            of_plans = max(utilities[here].values()) - utilities[here]["bet"]
            of_values = max(values[here].values()) - values[here]["bet"]
            second = max(second, abs(float(of_plans) - float(of_values)))
    return first, second


def list_rates_of_example(weights: Sequence[float]) -> list[tuple[float, float]]:
    """Return the rate of the paper's example without a shift and with the paper's, by the probability of reaching I."""
    found = []
    for weight in weights:
        wins = {"win": weight + (1 - weight) / 2, "lose": (1 - weight) / 2}
        rates = [
            float(
                definitions.compute_learning_rate(
                    {action: won + shift for action, won in wins.items()}
                )
            )
            for shift in (0.0, SHIFT)
        ]
        found.append((rates[0], rates[1]))
    return found


def measure_rest_of_rock() -> tuple[float, float]:
    """Return what a player can gain where both always play rock, and how fast the flow moves there."""
    rock = games.rock_paper_scissors()
    pure = Profile(rock, [1.0, 0.0, 0.0] * 2)
    plans = reference.compute_realization_plans(rock.rules, pure.to_table())
    rates = [definitions.compute_flow(rock.rules, plans, player) for player in (0, 1)]
    fastest = max(abs(float(rate)) for each in rates for rate in each.values())
    return float(metrics.epsilon(rock, pure)), fastest


def trace_payoff_changes(game: SequenceForm, seed: int) -> Floats:
    """Return the changes of player 1's payoff along 20 units of time of the flow, every half unit."""
    flow = ContinuousReplicator(game, time_step=0.5, start=draw_profile(game, seed))
    states = [flow.init()]
    for _ in range(40):
        states.append(flow.step(states[-1]))
    return np.diff([game.values(state.current)[0] for state in states])


def trace_divergence(rest: Profile) -> Mapping[str, list[float]]:
    """Return the divergence from an equilibrium of KP(2) along 500 units of time, by order and for the flow."""
    found: dict[str, list[float]] = {}
    solvers: dict[str, tuple[ReplicatorDynamics | ContinuousReplicator, int]] = {
        order: (ReplicatorDynamics(rest.game, payoff_shift=SHIFT, order=order), 3)
        for order in (SIMULTANEOUS, ALTERNATING)
    }
    solvers["continuous"] = ContinuousReplicator(rest.game, time_step=1.0), 1
    for name, (solver, steps) in solvers.items():
        state, course = solver.init(), []
        for _ in range(500):
            course.append(float(normal_form.compute_divergence(rest, state.current)))
            state = solver.step(state, steps)
        found[name] = course
    return found
