"""Lanctot (2014): every printed number of the experiments by every interpretation of its time, order and quantity.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014, section 4. KP(n) is Kuhn poker for n players.

The question is which printed numbers our runs give, and under which reading of the text. A printed number goes in (a
`Published`, from `data/published/lanctot-2014.csv`), and our values of it by interpretation come out, with what they
decide.

The default interpretation takes the text as it is printed: all players update at once (eq. 3), the number belongs to
the printed iteration t, and it measures what its sentence says. The others change the order, the time, or the quantity.

Simultaneous runs beyond 30,000 iterations depend on rounding. There a number is compared with the values of *twins*,
runs whose first profiles differ by multiples of 1e-12 (`studies.lanctot2014.twins`).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab import metrics
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.experiment import Published
from pokerlab.papers.lanctot2014 import (
    compute_performance_difference,
    make_columns,
    measure_fixed_distance,
    select_profile,
)
from pokerlab.runs import History, Run
from pokerlab.solvers import DynamicsState
from studies.audit import (
    Finding,
    decide_verdict_by_interpretations,
    decide_verdict_on_fitted_figure,
)
from studies.lanctot2014 import kuhn3
from studies.lanctot2014.twins import (
    NUM_PERTURBED_RUNS,
    make_replicators_with_perturbed_starts,
    run_replicators_with_perturbed_starts,
)

AS_PRINTED = "as printed"
LATE_LABELS = "labels one record late"
SIMULTANEOUS, ALTERNATING = "simultaneous", "alternating"
ORDER_LABELS = {SIMULTANEOUS: "", ALTERNATING: "alternating updates"}
"""The part of an interpretation's name for each order of updates; eq. 3 as printed is simultaneous."""
LAST_AGREEING_ITERATION = 30_000
"""Up to this iteration simultaneous twins agree in the digits that the paper prints."""
DECISIVE_SHARE = 0.9
"""The share of twins that decides a statement about runs."""
NUM_PLAYERS = {"KP(2)": 2, "KP(3)": 3, "KP(4)": 4}
RECORD_INTERVAL = 100
"""The number of iterations from one record of the paper's figures to the next."""
LARGEST_DIP = 0.05
"""In chips: the most by which a steadily rising curve may fall."""


class Quantity(NamedTuple):
    """A quantity that a printed number may measure.

    Attributes
    ----------
    label : str
        Its part of an interpretation's name; '' for the quantity of which the sentence speaks.
    column : str
        The name of our column: a key of `MEASURES`, then '_average' or '_current'.
    factor : float
        The printed number is this many times our measure.
    """

    label: str
    column: str
    factor: float = 1.0


DIFFERENCE = "player 2's winnings minus player 1's"
OTHER_QUANTITIES = {
    "kp2-utility-1-100000": (
        Quantity("ten times too large", "utility_1_average", 10.0),
        Quantity("ten times the best response's value", "best_response_1_average", 10.0),
    ),
    "kp2-utility-2-100000": (
        Quantity("ten times too large", "utility_2_average", 10.0),
        Quantity("ten times the best response's value", "best_response_2_average", 10.0),
    ),
    "kp2-performance-average-1": (Quantity(DIFFERENCE, "difference_average"),),
    "kp2-performance-average-100000": (Quantity(DIFFERENCE, "difference_average"),),
    "kp2-performance-current-100000": (Quantity(DIFFERENCE, "difference_current"),),
    "kp3-epsilon-100000": (Quantity("gains summed", "nash_conv_average"),),
    "kp4-epsilon-10000": (Quantity("gains summed", "nash_conv_average"),),
}
"""The quantities that some numbers may measure instead of what their sentence says, by the number's key."""
MEASURES: dict[str, Callable[[SequenceForm, Profile], float]] = {
    "nash_conv": metrics.nash_conv,
    "epsilon": metrics.epsilon,
    "performance": metrics.performance,
    "difference": compute_performance_difference,
    "distance": lambda _, profile: measure_fixed_distance(profile, player=1),
    "utility_1": lambda game, profile: float(game.values(profile)[0]),
    "utility_2": lambda game, profile: float(game.values(profile)[1]),
    "best_response_1": lambda game, profile: game.best_response(profile, 0).value,
    "best_response_2": lambda game, profile: game.best_response(profile, 1).value,
}
"""Functions that measure a profile, by the beginning of a column's name. Distances are those over player 2's fixed
probabilities."""


def name_interpretation(*parts: str) -> str:
    """Return the name of an interpretation: its parts, separated by commas, or 'as printed' if all parts are empty."""
    return ", ".join(part for part in parts if part) or AS_PRINTED


def list_possible_iterations(printed: Published) -> dict[str, int]:
    """Return the iterations to which a printed number may belong, by a label for each.

    The first one is the printed iteration t, whose label is ''. If the labels of the paper's figures are one record
    late, it is t - 100. For t = 100,000 two other times of the same text are tried as well.
    """
    t = int(printed.iteration)
    iterations = {"": t}
    if t >= RECORD_INTERVAL:
        iterations[LATE_LABELS] = max(1, t - RECORD_INTERVAL)
    if t == 100_000:
        iterations |= {"t = 20,000": 20_000, "t = 300,000": 300_000}
    return iterations


def list_possible_quantities(printed: Published) -> tuple[Quantity, ...]:
    """Return the quantities that a printed number may measure; the first one is what its sentence says."""
    return Quantity("", printed.column), *OTHER_QUANTITIES.get(printed.key, ())


def compute_values_by_interpretation(printed: Published) -> dict[str, Floats]:
    """Return our values of a printed number under each interpretation of its quantity, iteration and order of updates.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.

    Returns
    -------
    dict of str to array
        By the name of the interpretation, the default one first, an array with one value; or with a value for each
        twin, where simultaneous runs depend on rounding.
    """
    values = {}
    for quantity in list_possible_quantities(printed):
        for time_label, iteration in list_possible_iterations(printed).items():
            for order, order_label in ORDER_LABELS.items():
                if iteration == 1 and order != SIMULTANEOUS:
                    continue  # x(1) is the start, which does not depend on the order
                name = name_interpretation(quantity.label, order_label, time_label)
                measured = measure_profile_at_iteration(
                    printed.game, quantity.column, iteration, order
                )
                values[name] = quantity.factor * measured
    return values


def compare_with_printed_number(printed: Published, values: Floats) -> bool | None:
    """Return whether our values confirm a printed number.

    Parameters
    ----------
    printed : Published
        The printed number.
    values : array of shape (runs,)
        Our values of it, from runs that differ by rounding errors only.

    Returns
    -------
    bool or None
        True if the number lies within the range of the values, widened by `compute_tolerance_of_printed_number`, and
        otherwise False. A number that is printed as an upper limit is confirmed (True) if all values are below it,
        contradicted (False) if none is, and otherwise open (None).
    """
    if printed.relation == "<":
        is_below = values < printed.value
        if is_below.all():
            return True
        return None if is_below.any() else False

    tolerance = compute_tolerance_of_printed_number(printed)
    return bool(values.min() - tolerance < printed.value < values.max() + tolerance)


def compute_tolerance_of_printed_number(printed: Published) -> float:
    """Return how far our value may be from a printed number, in the number's unit.

    It is a unit of the last printed digit. For a number that the text calls 'around' or 'approximately' it is at least
    5% of the number.
    """
    decimals = f"{printed.value:.10f}".rstrip("0").partition(".")[2]
    last_digit = 1.01 * 10.0 ** -len(decimals)  # a little more, for rounding errors
    is_approximate = "around" in printed.note or "approximately" in printed.note
    if is_approximate:
        return float(max(last_digit, 0.05 * abs(printed.value)))
    return float(last_digit)


@lru_cache(maxsize=512)
def measure_profile_at_iteration(game: str, column: str, iteration: int, order: str) -> Floats:
    """Return a measure of the average or current profile of replicator dynamics after some iterations, (runs,).

    Up to 30,000 iterations and in alternating order there is one run. Later, simultaneous runs depend on rounding, so
    20 runs are measured whose starts differ by multiples of 1e-12. The performance of the current profile is noisy.
    Therefore its value is the mean over the last nine tenths of a run.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    column : str
        A key of `MEASURES`, then '_average' or '_current', which is the profile that is measured. Its unit is that of
        the measure, usually chips.
    iteration : int
        The iteration.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    """
    measure, _, which_profile = column.rpartition("_")
    if which_profile == "current" and measure in ("performance", "difference"):
        return average_measure_over_iterations(game, measure, iteration, order)

    twins_part = order == SIMULTANEOUS and iteration > LAST_AGREEING_ITERATION
    num_runs = NUM_PERTURBED_RUNS if twins_part else 1
    states = run_replicators_with_perturbed_starts(NUM_PLAYERS[game], order, iteration, num_runs)
    values = []
    for state in states:
        profile = select_profile(state, which_profile)
        values.append(MEASURES[measure](state.game, profile))
    return np.array(values, dtype=np.float64)


@lru_cache(maxsize=16)
def average_measure_over_iterations(game: str, measure: str, iterations: int, order: str) -> Floats:
    """Return the mean of a measure of the current profile over the last nine tenths of each run, (runs,).

    The runs are those of `make_replicators_with_perturbed_starts`. The mean is over 90 iterations, equally far apart.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    measure : str
        What is measured, a key of `MEASURES`.
    iterations : int
        The length of a run.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    """
    num_values = 90
    first_iteration = iterations // 10
    interval = (iterations - first_iteration) // num_values

    means = []
    for solver in make_replicators_with_perturbed_starts(NUM_PLAYERS[game], order):
        state = solver.step(solver.init(), first_iteration)
        values = []
        for _ in range(num_values):
            state = solver.step(state, interval)
            values.append(MEASURES[measure](state.game, state.last_iterate))
        means.append(float(np.mean(values)))
    return np.array(means)


@lru_cache(maxsize=8)
def record_histories_with_perturbed_starts(
    game: str, order: str, iterations: int
) -> Sequence[History]:
    """Return the recorded measurements of replicator runs whose starts differ by multiples of 1e-12, a History each.

    Runs of up to 30,000 iterations do not depend on so small a difference, so there is one of them only.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order there is one run only.
    iterations : int
        The length of the runs. There are 30 records in each factor of ten.
    """
    num_runs = NUM_PERTURBED_RUNS if iterations > LAST_AGREEING_ITERATION else 1
    histories = []
    for solver in make_replicators_with_perturbed_starts(NUM_PLAYERS[game], order, num_runs):
        run = Run(solver, make_columns(solver), per_decade=30)
        histories.append(run.to(iterations, progress=False).history)
    return histories


def decide_by_clear_majority(outcomes: Sequence[bool]) -> bool | None:
    """Return what the outcomes of several runs decide about a statement, of which each is True or False.

    The result is the outcome on which at least nine in ten runs agree (`DECISIVE_SHARE`), or None if they do not.
    """
    share_of_true = float(np.mean(outcomes))
    if share_of_true >= DECISIVE_SHARE:
        return True
    return False if 1 - share_of_true >= DECISIVE_SHARE else None


def compute_shares_of_run_with_better_average(order: str, *, interval: int = 250) -> Floats:
    """Return for how much of a run of KP(3) the average profile performs better than the current one, (runs, 10).

    A run has 100,000 iterations. The columns are its tenths, and an entry is the share of the measured iterations of a
    tenth at which the average is ahead. The runs are those of `make_replicators_with_perturbed_starts`.

    Parameters
    ----------
    order : {'simultaneous', 'alternating'}
        The order of updates.
    interval : int
        The number of iterations from one measurement to the next.
    """
    num_iterations, num_tenths = 100_000, 10
    shares = []
    for solver in make_replicators_with_perturbed_starts(3, order):
        state: DynamicsState = solver.init()
        is_ahead = []
        for _ in range(num_iterations // interval):
            state = solver.step(state, interval)
            average_performance = metrics.performance(solver.game, state.average)
            current_performance = metrics.performance(solver.game, state.last_iterate)
            is_ahead.append(average_performance > current_performance)
        shares.append(np.reshape(is_ahead, (num_tenths, -1)).mean(axis=1))
    return np.array(shares)


def count_confirmed_numbers_by_order_and_time(
    printed_numbers: Sequence[Published],
) -> dict[str, tuple[int, int]]:
    """Return how many printed numbers come out under each choice of one order of updates and one time for all of them.

    Parameters
    ----------
    printed_numbers : sequence of Published
        The numbers that the paper prints.

    Returns
    -------
    dict of str to tuple of two ints
        By the name of the choice, the count of numbers that come out as their sentences say, and the count of those
        that come out so or by one of `OTHER_QUANTITIES`.
    """
    outcomes = {}
    for printed in printed_numbers:
        outcomes[printed.key] = {
            name: compare_with_printed_number(printed, values)
            for name, values in compute_values_by_interpretation(printed).items()
        }

    counts = {}
    all_time_labels = max(map(list_possible_iterations, printed_numbers), key=len)
    for order_label, time_label in product(ORDER_LABELS.values(), all_time_labels):
        num_as_printed = num_with_other_quantities = 0
        for printed in printed_numbers:
            # Early numbers have fewer iterations to choose from. They are taken at the printed one.
            has_time_label = time_label in list_possible_iterations(printed)
            own_time_label = time_label if has_time_label else ""

            outcomes_by_quantity = []
            for quantity in list_possible_quantities(printed):
                name = name_interpretation(quantity.label, order_label, own_time_label)
                outcomes_by_quantity.append(
                    get_outcome_of_interpretation(outcomes[printed.key], name, order_label)
                )
            num_as_printed += outcomes_by_quantity[0] is True
            num_with_other_quantities += True in outcomes_by_quantity
        choice = name_interpretation(order_label, time_label)
        counts[choice] = num_as_printed, num_with_other_quantities
    return counts


def get_outcome_of_interpretation(
    outcomes: Mapping[str, bool | None], name: str, order_label: str
) -> bool | None:
    """Return the outcome of one interpretation of a printed number, also if the order of updates does not matter to it.

    A number at t = 1 does not depend on the order, so it has outcomes only under names without `order_label`.

    Parameters
    ----------
    outcomes : mapping of str to bool or None
        The outcomes of the number's interpretations, by name.
    name : str
        The name of the interpretation, in which parts are separated by commas.
    order_label : str
        The part of the name that is left out if there is no outcome under the whole name.
    """
    if name in outcomes:
        return outcomes[name]
    parts_without_order = [part for part in name.split(", ") if part != order_label]
    return outcomes[name_interpretation(*parts_without_order)]


class RunProperties(NamedTuple):
    """Properties of the runs of all twins, one value for each twin.

    The average is the behavior of the averaged realization plans, and x(t) is the current profile. Records are about
    equally far from each other on a logarithmic scale of iterations, and the last decade has those after a tenth of the
    run.

    Attributes
    ----------
    epsilon_falls : list of bool
        Whether epsilon of the average is smaller at each power of ten than at the one before.
    largest_rebound : array of shape (twins,)
        The largest ratio of epsilon of the average to its smallest value before.
    peak_iteration : array of shape (twins,)
        The iteration at which the average performs best.
    peak_ratio : array of shape (twins,)
        That performance divided by the last one.
    least_performance : array of shape (twins,)
        The least performance of the average or of x(t) after the first records.
    share_ahead : array of shape (twins,)
        The share of records of the last decade in which the average performs better than x(t).
    fluctuation_ratio : array of shape (twins,)
        The standard deviation of the changes of performance from record to record in the last decade, that of the
        average divided by that of x(t).
    rise_shares : array of shape (twins, 2)
        The share of records in which epsilon rises, of x(t) and of the average.
    epsilon_by_decade : array of shape (twins, decades)
        Epsilon of the average at powers of ten.
    last_current_epsilon : array of shape (twins,)
        Epsilon of x(t) at the end.
    """

    epsilon_falls: list[bool]
    largest_rebound: Floats
    peak_iteration: Floats
    peak_ratio: Floats
    least_performance: Floats
    share_ahead: Floats
    fluctuation_ratio: Floats
    rise_shares: Floats
    epsilon_by_decade: Floats
    last_current_epsilon: Floats


def measure_properties_of_runs(game: str, order: str, iterations: int) -> RunProperties:
    """Return how epsilon and performance develop in replicator runs whose starts differ by multiples of 1e-12.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    iterations : int
        The length of the runs, a power of ten.
    """
    histories = record_histories_with_perturbed_starts(game, order, iterations)
    properties = [measure_properties_of_history(history) for history in histories]

    def stack_property(name: str) -> Floats:
        """Return one property of all runs as an array, whose first axis is the run."""
        return np.array([properties_of_run[name] for properties_of_run in properties])

    return RunProperties(
        epsilon_falls=[
            bool(properties_of_run["epsilon_falls"]) for properties_of_run in properties
        ],
        largest_rebound=stack_property("largest_rebound"),
        peak_iteration=stack_property("peak_iteration"),
        peak_ratio=stack_property("peak_ratio"),
        least_performance=stack_property("least_performance"),
        share_ahead=stack_property("share_ahead"),
        fluctuation_ratio=stack_property("fluctuation_ratio"),
        rise_shares=stack_property("rise_shares"),
        epsilon_by_decade=stack_property("epsilon_by_decade"),
        last_current_epsilon=stack_property("last_current_epsilon"),
    )


def measure_properties_of_history(history: History) -> dict[str, Any]:
    """Return the properties of one run that `RunProperties` has for several runs, by the names of its attributes.

    `history` has the columns 'iteration', and epsilon and performance of the average and of the current profile.
    """
    iteration = history["iteration"]
    in_last_decade = iteration > iteration[-1] / 10
    average, current = history["performance_average"], history["performance_current"]
    average_epsilon, current_epsilon = history["epsilon_average"], history["epsilon_current"]

    num_powers_of_ten = len(str(int(iteration[-1])))  # 1, 10, 100, ... up to the end of the run
    epsilon_by_decade = [
        history.select_row(10**power)["epsilon_average"] for power in range(num_powers_of_ten)
    ]
    smallest_epsilon_so_far = np.minimum.accumulate(average_epsilon)
    average_changes = np.diff(average[in_last_decade])
    current_changes = np.diff(current[in_last_decade])
    num_first_records = 2  # at the start and after one iteration
    return {
        "epsilon_falls": (np.diff(epsilon_by_decade) < 0).all(),
        "largest_rebound": (average_epsilon / smallest_epsilon_so_far).max(),
        "peak_iteration": iteration[np.argmax(average)],
        "peak_ratio": average.max() / average[-1],
        "least_performance": min(
            average[num_first_records:].min(), current[num_first_records:].min()
        ),
        "share_ahead": (average > current)[in_last_decade].mean(),
        "fluctuation_ratio": average_changes.std() / current_changes.std(),
        "rise_shares": [
            (np.diff(epsilon) > 0).mean() for epsilon in (current_epsilon, average_epsilon)
        ],
        "epsilon_by_decade": epsilon_by_decade,
        "last_current_epsilon": current_epsilon[-1],
    }


def measure_errors_of_best_probability_subsets(
    printed_distances: Sequence[Published], order: str
) -> dict[str, float]:
    """Return how far the best subset of KP(3)'s 38 fixed probabilities is from giving the printed distances.

    The paper measures a profile's distance from equilibrium over probabilities that it does not name. For each way to
    count them, `measure_error_of_best_probability_subset` searches for the subset that gives all printed distances of one profile
    best. An information set has a probability to bet and one to pass. The paper may count one of them, or both, which
    makes a distance larger by the square root of two.

    Parameters
    ----------
    printed_distances : sequence of Published
        The printed distances of the average profile, or of the current one. The last one is an upper limit.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    dict of str to float
        The relative errors, by the probabilities that are counted: 'to bet', or 'to bet and to pass'.
    """
    which_profile = printed_distances[0].column.removeprefix("distance_")
    profiles = []
    for printed in printed_distances:
        (state,) = run_replicators_with_perturbed_starts(3, order, int(printed.iteration), 1)
        profiles.append(select_profile(state, which_profile))

    exact_distances = [printed.value for printed in printed_distances if printed.relation == "="]
    num_exact = len(exact_distances)
    upper_limit = printed_distances[-1].value
    factors = {"to bet": 1.0, "to bet and to pass": np.sqrt(2.0)}
    return {
        counted: kuhn3.measure_error_of_best_probability_subset(
            profiles[:num_exact],
            np.array(exact_distances) / factor,
            profiles[num_exact:],
            upper_limit / factor,
        )
        for counted, factor in factors.items()
    }


def count_confirmed_distances(printed_distances: Sequence[Published], order: str) -> dict[str, int]:
    """Return how many printed distances from KP(3)'s equilibria come out, by the probabilities that are counted.

    Parameters
    ----------
    printed_distances : sequence of Published
        The distances that the paper prints.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    dict of str to int
        The counts, by the keys of `kuhn3.DISTANCES`.
    """
    counts = dict.fromkeys(kuhn3.DISTANCES, 0)
    for printed in printed_distances:
        (state,) = run_replicators_with_perturbed_starts(3, order, int(printed.iteration), 1)
        profile = select_profile(state, printed.column.removeprefix("distance_"))
        for counted, measure_distance in kuhn3.DISTANCES.items():
            distance = np.array([measure_distance(profile)])
            counts[counted] += compare_with_printed_number(printed, distance) is True
    return counts


def weigh_statement_about_runs(
    shapes: Mapping[tuple[str, str], RunProperties],
    is_true_of_runs: Callable[[RunProperties], ArrayLike],
    games: Sequence[str] = tuple(NUM_PLAYERS),
) -> Finding:
    """Return the verdict on a statement about several games from runs in both orders of updates.

    An order confirms the statement if nine in ten of its runs do so in each game.

    Parameters
    ----------
    shapes : mapping
        The properties of runs, by pairs of an order and the name of a game.
    is_true_of_runs : callable
        A function of the properties of the runs in one game. It returns whether the statement holds, a bool for each
        run.
    games : sequence of str
        The names of the games in all of which the statement must hold.
    """
    outcomes: dict[str, bool | None] = {}
    for order, order_label in ORDER_LABELS.items():
        outcomes_by_game = []
        for game in games:
            outcomes_of_runs = np.atleast_1d(is_true_of_runs(shapes[order, game])).tolist()
            outcomes_by_game.append(decide_by_clear_majority(outcomes_of_runs))

        outcome: bool | None = True
        if False in outcomes_by_game:
            outcome = False
        elif None in outcomes_by_game:
            outcome = None
        outcomes[name_interpretation(order_label)] = outcome
    return decide_verdict_by_interpretations(outcomes)


def weigh_steady_rise_of_performance() -> tuple[Finding, float]:
    """Return the verdict on the steady rise of the average profile's performance in KP(2), and the deepest dip.

    A curve rises steadily if it never falls by more than 0.05 chips (`LARGEST_DIP`) below an earlier value. There are
    four interpretations: performance by the paper's Eq. 11 or player 2's winnings minus player 1's, in either order of
    updates.

    Returns
    -------
    Finding
        The verdict.
    float
        The deepest dip of player 2's winnings minus player 1's in simultaneous runs, in chips.
    """
    outcomes, deepest_dips = {}, {}
    columns = {"": "performance_average", DIFFERENCE: "difference_average"}
    for quantity, column in columns.items():
        for order, order_label in ORDER_LABELS.items():
            histories = record_histories_with_perturbed_starts("KP(2)", order, 100_000)
            curves = np.array([history[column] for history in histories])
            largest_so_far = np.maximum.accumulate(curves, axis=1)
            dips = (largest_so_far - curves).max(axis=1)  # of each run

            name = name_interpretation(quantity, order_label)
            outcomes[name] = decide_by_clear_majority(dips < LARGEST_DIP)
            deepest_dips[column, order] = float(dips.max())
    return decide_verdict_by_interpretations(outcomes), deepest_dips[
        "difference_average", SIMULTANEOUS
    ]


def find_interpretation_of_most_curve_values(
    outcomes: Mapping[str, Mapping[str, bool | None]],
) -> tuple[str, Finding]:
    """Return the interpretation that gives most printed values of a curve, and the verdict on the curve.

    There are two choices, which make four interpretations: whether updates alternate, and whether the labels of the
    curve's points are one record late.

    Parameters
    ----------
    outcomes : mapping
        By the key of each printed value, and by the name of an interpretation, whether that interpretation gives it.
    """
    order_labels = ("", ORDER_LABELS[ALTERNATING])
    time_labels = ("", LATE_LABELS)
    num_agreeing = {}
    for order_label, time_label in product(order_labels, time_labels):
        name = name_interpretation(order_label, time_label)
        outcomes_of_values = [
            get_outcome_of_interpretation(outcomes_of_value, name, ORDER_LABELS[ALTERNATING])
            for outcomes_of_value in outcomes.values()
        ]
        num_agreeing[name] = outcomes_of_values.count(True)

    best = max(num_agreeing, key=lambda name: num_agreeing[name])
    finding = decide_verdict_on_fitted_figure(
        num_agreeing=num_agreeing[best],
        num_values=len(outcomes),
        num_choices=2,
        num_tried=len(num_agreeing),
        chosen_interpretations=[best],
    )
    return best, finding
