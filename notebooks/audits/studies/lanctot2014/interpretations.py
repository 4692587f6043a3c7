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
from pokerlab.core.arrays import Bools, Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.experiment import Published
from pokerlab.papers.lanctot2014 import (
    compute_performance_difference,
    make_columns,
    measure_distance_from_fixed_probabilities,
    select_profile,
)
from pokerlab.runs import History, Run
from pokerlab.solvers.dynamics import DynamicsState
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
"""The name of the default interpretation."""
LATE_LABELS = "labels one record late"
"""The part of an interpretation's name if a printed iteration is 100 too large."""
SIMULTANEOUS, ALTERNATING = "simultaneous", "alternating"
ORDER_LABELS = {SIMULTANEOUS: "", ALTERNATING: "alternating updates"}
"""The part of an interpretation's name for each order of updates; eq. 3 as printed is simultaneous."""
LAST_AGREEING_ITERATION = 30_000
"""Up to this iteration simultaneous twins agree in the digits that the paper prints."""
DECISIVE_SHARE = 0.9
"""The share of runs that decides a statement about runs."""
NUM_PLAYERS = {"KP(2)": 2, "KP(3)": 3, "KP(4)": 4}
"""The number of players of each game."""
RECORD_INTERVAL = 100
"""The number of iterations from one record of the paper's figures to the next."""
LARGEST_DIP = 0.05
"""In chips: the most by which a steadily rising curve may fall."""


class Quantity(NamedTuple):
    """A quantity that a printed number may measure.

    Attributes
    ----------
    label : str
        The quantity's part of an interpretation's name. It is '' for the quantity that the sentence of the paper names.
    column : str
        A key of `MEASURES`, then '_average' or '_current', which is the profile that is measured.
    factor : float
        The ratio of the printed number to our measure.
    """

    label: str
    column: str
    factor: float = 1.0


DIFFERENCE = "player 2's winnings minus player 1's"
"""The label of the quantity that the paper may call performance."""
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
    "distance": lambda _, profile: measure_distance_from_fixed_probabilities(profile, player=1),
    "utility_1": lambda game, profile: float(game.values(profile)[0]),
    "utility_2": lambda game, profile: float(game.values(profile)[1]),
    "best_response_1": lambda game, profile: game.best_response(profile, 0).value,
    "best_response_2": lambda game, profile: game.best_response(profile, 1).value,
}
"""Functions that measure a profile, by the beginning of a column's name. Distances are those over player 2's fixed
probabilities."""


def name_interpretation(*parts: str) -> str:
    """Return the name of an interpretation of a printed number, which lists what it changes.

    Parameters
    ----------
    *parts : str
        Labels of the changes: of the quantity, the order of updates or the iteration. An empty text means no change.

    Examples
    --------
    >>> name_interpretation("", "alternating updates", "t = 20,000"), name_interpretation("", "")
    ('alternating updates, t = 20,000', 'as printed')
    """
    return ", ".join(part for part in parts if part) or AS_PRINTED


def list_possible_iterations(printed: Published) -> dict[str, int]:
    """Return the iterations to which a printed number may belong.

    The first one is the printed iteration t. If the labels of the points in the paper's figures are one record late, it
    is t - 100. For t = 100,000 two other iterations that the same text mentions are possible as well.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.

    Returns
    -------
    dict of str to int
        The iterations by their labels. The label of the printed iteration is ''.
    """
    t = int(printed.iteration)
    iterations = {"": t}
    if t >= RECORD_INTERVAL:
        iterations[LATE_LABELS] = max(1, t - RECORD_INTERVAL)
    if t == 100_000:
        iterations |= {"t = 20,000": 20_000, "t = 300,000": 300_000}
    return iterations


def list_possible_quantities(printed: Published) -> tuple[Quantity, ...]:
    """Return the quantities that a printed number may measure. The first one is what its sentence says.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.
    """
    return Quantity("", printed.column), *OTHER_QUANTITIES.get(printed.key, ())


def compute_values_by_interpretation(printed: Published) -> dict[str, Floats]:
    """Return our values of a printed number under each interpretation of its quantity, iteration and order of updates.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.

    Returns
    -------
    dict of str to array of shape (runs,)
        The values by the name of the interpretation, the default one first. If runs depend on rounding, there is a
        value for each of 20 runs whose starts differ by multiples of 1e-12. Otherwise there is one.
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
    """Return whether our values confirm a printed number, contradict it, or leave it open.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.
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
    """Return by how much our value may differ from a printed number and still confirm it.

    It is a unit of the last printed digit. For a number that the text calls 'around' or 'approximately' it is at least
    5% of the number.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.

    Returns
    -------
    float
        The tolerance, in the unit of the number.
    """
    decimals = f"{printed.value:.10f}".rstrip("0").partition(".")[2]
    last_digit = 1.01 * 10.0 ** -len(decimals)  # a little more, for rounding errors
    is_approximate = "around" in printed.note or "approximately" in printed.note
    if is_approximate:
        return float(max(last_digit, 0.05 * abs(printed.value)))
    return float(last_digit)


@lru_cache(maxsize=512)
def measure_profile_at_iteration(game: str, column: str, iteration: int, order: str) -> Floats:
    """Run replicator dynamics, and return a measure of the average or current profile after some iterations.

    Simultaneous runs of more than 30,000 iterations depend on rounding. So there are 20 of them, whose starts differ by
    multiples of 1e-12. In all other cases there is one run. The measures 'performance' and 'difference' of the current
    profile are noisy, so their value is the mean over the last nine tenths of a run.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game, Kuhn poker for two, three or four players.
    column : str
        A key of `MEASURES`, then '_average' or '_current', which is the profile that is measured.
    iteration : int
        The iteration.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    array of shape (runs,)
        The value of each run, in the unit of the measure, usually chips.
    """
    measure, _, profile_kind = column.rpartition("_")
    if profile_kind == "current" and measure in ("performance", "difference"):
        return average_measure_over_iterations(game, measure, iteration, order)

    depends_on_rounding = order == SIMULTANEOUS and iteration > LAST_AGREEING_ITERATION
    num_runs = NUM_PERTURBED_RUNS if depends_on_rounding else 1
    states = run_replicators_with_perturbed_starts(NUM_PLAYERS[game], order, iteration, num_runs)
    values = []
    for state in states:
        profile = select_profile(state, profile_kind)
        values.append(MEASURES[measure](state.game, profile))
    return np.array(values, dtype=np.float64)


@lru_cache(maxsize=16)
def average_measure_over_iterations(game: str, measure: str, iterations: int, order: str) -> Floats:
    """Run replicator dynamics, and return the mean of a measure of the current profile over most of each run.

    The mean is over 90 iterations, which are equally far apart in the last nine tenths of the run. In simultaneous
    order there are 20 runs whose starts differ by multiples of 1e-12, and in alternating order there is one.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game, Kuhn poker for two, three or four players.
    measure : str
        The name of the measure, a key of `MEASURES`.
    iterations : int
        The length of a run.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    array of shape (runs,)
        The mean of each run, in the unit of the measure.
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
    """Run replicator dynamics from starts that differ by multiples of 1e-12, and return the history of each run.

    Runs of up to 30,000 iterations do not depend on so small a difference, so there is one of them only.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game, Kuhn poker for two, three or four players.
    order : {'simultaneous', 'alternating'}
        The order of updates. In alternating order there is one run only.
    iterations : int
        The length of the runs.

    Returns
    -------
    list of History
        For each run the columns of `lanctot2014.make_columns`, at 30 iterations in each factor of ten.
    """
    num_runs = NUM_PERTURBED_RUNS if iterations > LAST_AGREEING_ITERATION else 1
    histories = []
    for solver in make_replicators_with_perturbed_starts(NUM_PLAYERS[game], order, num_runs):
        run = Run(solver, make_columns(solver), per_decade=30)
        histories.append(run.to(iterations, progress=False).history)
    return histories


def decide_by_clear_majority(outcomes: Sequence[bool]) -> bool | None:
    """Return whether a statement is true, by a clear majority of several runs.

    Parameters
    ----------
    outcomes : sequence of bool
        Whether the statement is true of each run.

    Returns
    -------
    bool or None
        The outcome of at least nine in ten runs (`DECISIVE_SHARE`), or None if there is no such majority.
    """
    share_of_true = float(np.mean(outcomes))
    if share_of_true >= DECISIVE_SHARE:
        return True
    return False if 1 - share_of_true >= DECISIVE_SHARE else None


def compute_shares_of_run_with_better_average(order: str, *, interval: int = 250) -> Floats:
    """Run replicator dynamics of three-player Kuhn poker, and return how often the average performs better.

    The average profile is compared with the current one, by the performance of the paper's eq. 11. A run has 100,000
    iterations. In simultaneous order there are 20 runs whose starts differ by multiples of 1e-12, and in alternating
    order there is one.

    Parameters
    ----------
    order : {'simultaneous', 'alternating'}
        The order of updates.
    interval : int
        The number of iterations from one comparison to the next.

    Returns
    -------
    array of shape (runs, 10)
        For each tenth of each run, the share of comparisons in which the average performs better.
    """
    num_iterations, num_tenths = 100_000, 10
    shares = []
    for solver in make_replicators_with_perturbed_starts(3, order):
        state: DynamicsState = solver.init()
        is_average_better = []
        for _ in range(num_iterations // interval):
            state = solver.step(state, interval)
            average_performance = metrics.performance(solver.game, state.average)
            current_performance = metrics.performance(solver.game, state.last_iterate)
            is_average_better.append(average_performance > current_performance)
        shares.append(np.reshape(is_average_better, (num_tenths, -1)).mean(axis=1))
    return np.array(shares)


def count_confirmed_numbers_by_order_and_time(
    printed_numbers: Sequence[Published],
) -> dict[str, tuple[int, int]]:
    """Return how many printed numbers are confirmed if one order of updates and one time label apply to all of them.

    A time label says how the iteration of a number follows from the printed one, as in `list_possible_iterations`.

    Parameters
    ----------
    printed_numbers : sequence of Published
        The numbers that the paper prints.

    Returns
    -------
    dict of str to tuple of two ints
        By the name of the order and the time label, the count of numbers that are confirmed for the quantity that
        their sentences name, and the count of those that are confirmed for this quantity or one of `OTHER_QUANTITIES`.
    """
    outcomes_by_number = {}
    for printed in printed_numbers:
        outcomes_by_number[printed.key] = {
            name: compare_with_printed_number(printed, values)
            for name, values in compute_values_by_interpretation(printed).items()
        }

    counts = {}
    all_time_labels = max(map(list_possible_iterations, printed_numbers), key=len)
    for order_label, time_label in product(ORDER_LABELS.values(), all_time_labels):
        num_as_printed = num_with_other_quantities = 0
        for printed in printed_numbers:
            outcomes_of_quantities = list_outcomes_of_quantities(
                printed, outcomes_by_number[printed.key], order_label, time_label
            )
            num_as_printed += outcomes_of_quantities[0] is True
            num_with_other_quantities += True in outcomes_of_quantities
        name = name_interpretation(order_label, time_label)
        counts[name] = num_as_printed, num_with_other_quantities
    return counts


def list_outcomes_of_quantities(
    printed: Published, outcomes: Mapping[str, bool | None], order_label: str, time_label: str
) -> list[bool | None]:
    """Return whether a printed number is confirmed for each quantity that it may measure.

    Parameters
    ----------
    printed : Published
        A number that the paper prints.
    outcomes : mapping of str to bool or None
        Whether each interpretation of the number confirms it (True), contradicts it (False) or leaves it open (None),
        by the interpretation's name.
    order_label, time_label : str
        The labels of the order of updates and of the iteration. A number at an early iteration may not have the time
        label. Then its printed iteration is used.

    Returns
    -------
    list of bool or None
        The outcomes. The first one is that of the quantity that the sentence names.
    """
    has_time_label = time_label in list_possible_iterations(printed)
    used_time_label = time_label if has_time_label else ""
    outcomes_of_quantities = []
    for quantity in list_possible_quantities(printed):
        name = name_interpretation(quantity.label, order_label, used_time_label)
        outcomes_of_quantities.append(get_outcome_of_interpretation(outcomes, name, order_label))
    return outcomes_of_quantities


def get_outcome_of_interpretation(
    outcomes: Mapping[str, bool | None], name: str, order_label: str
) -> bool | None:
    """Return whether an interpretation confirms a printed number, contradicts it, or leaves it open.

    A number at t = 1 does not depend on the order of updates. So there are only outcomes under names without the label
    of an order, and they count for each order.

    Parameters
    ----------
    outcomes : mapping of str to bool or None
        The outcomes of the number's interpretations, by name: True, False or None.
    name : str
        The name of the interpretation, in which parts are separated by commas.
    order_label : str
        The label of the order of updates, which is removed from the name if there is no outcome with it.
    """
    if name in outcomes:
        return outcomes[name]
    parts_without_order = [part for part in name.split(", ") if part != order_label]
    return outcomes[name_interpretation(*parts_without_order)]


class RunProperties(NamedTuple):
    """How epsilon and performance develop along several runs of replicator dynamics, with a value for each run.

    The average profile is the behavior of the averaged realization plans, and x(t) is the current profile. The records
    of a run are about equally far apart on a logarithmic scale of iterations. The last decade is the part of a run
    after a tenth of its iterations.

    Attributes
    ----------
    epsilon_falls : array of bool of shape (runs,)
        Whether epsilon of the average is smaller at each power of ten than at the power before.
    largest_rebound : array of shape (runs,)
        The largest ratio of epsilon of the average to its smallest value so far.
    peak_iteration : array of shape (runs,)
        The iteration at which the average performs best.
    peak_ratio : array of shape (runs,)
        The best performance of the average, divided by its last performance.
    least_performance : array of shape (runs,)
        The smallest performance of the average or of x(t), without the first two records.
    share_ahead : array of shape (runs,)
        The share of records of the last decade in which the average performs better than x(t).
    fluctuation_ratio : array of shape (runs,)
        The standard deviation of the changes of the average's performance from record to record in the last decade,
        divided by that of x(t).
    rise_shares : array of shape (runs, 2)
        The share of records in which epsilon is larger than before, of x(t) and of the average.
    epsilon_by_decade : array of shape (runs, decades)
        Epsilon of the average at the iterations 1, 10, 100, ...
    last_current_epsilon : array of shape (runs,)
        Epsilon of x(t) at the end of the run.
    """

    epsilon_falls: Bools
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
    """Run replicator dynamics from nearly equal starts, and return how epsilon and performance develop.

    The starts differ by multiples of 1e-12.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game, Kuhn poker for two, three or four players.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    iterations : int
        The length of the runs, a power of ten.
    """
    histories = record_histories_with_perturbed_starts(game, order, iterations)
    properties_of_runs = [measure_properties_of_history(history) for history in histories]
    stacked_properties = {
        name: np.array([properties[name] for properties in properties_of_runs])
        for name in RunProperties._fields
    }
    return RunProperties(**stacked_properties)


def measure_properties_of_history(history: History) -> dict[str, Any]:
    """Return how epsilon and performance develop along one run, by the names of the attributes of `RunProperties`.

    Parameters
    ----------
    history : History
        The history of the run, with the columns 'iteration', and 'epsilon_' and 'performance_' followed by 'average' or
        'current'.
    """
    iteration = history["iteration"]
    average_epsilon, current_epsilon = history["epsilon_average"], history["epsilon_current"]
    average_performance = history["performance_average"]
    current_performance = history["performance_current"]

    num_powers_of_ten = len(str(int(iteration[-1])))  # 1, 10, 100, ... up to the end of the run
    epsilon_by_decade = [
        history.select_row(10**power)["epsilon_average"] for power in range(num_powers_of_ten)
    ]
    smallest_epsilon_so_far = np.minimum.accumulate(average_epsilon)
    rise_shares = [(np.diff(epsilon) > 0).mean() for epsilon in (current_epsilon, average_epsilon)]

    # At the start and after one iteration both profiles are uniform, so their performance is zero.
    num_first_records = 2
    later_performances = np.concatenate(
        [average_performance[num_first_records:], current_performance[num_first_records:]]
    )

    in_last_decade = iteration > iteration[-1] / 10
    is_average_ahead = (average_performance > current_performance)[in_last_decade]
    average_changes = np.diff(average_performance[in_last_decade])
    current_changes = np.diff(current_performance[in_last_decade])
    return {
        "epsilon_falls": (np.diff(epsilon_by_decade) < 0).all(),
        "largest_rebound": (average_epsilon / smallest_epsilon_so_far).max(),
        "peak_iteration": iteration[np.argmax(average_performance)],
        "peak_ratio": average_performance.max() / average_performance[-1],
        "least_performance": later_performances.min(),
        "share_ahead": is_average_ahead.mean(),
        "fluctuation_ratio": average_changes.std() / current_changes.std(),
        "rise_shares": rise_shares,
        "epsilon_by_decade": epsilon_by_decade,
        "last_current_epsilon": current_epsilon[-1],
    }


def measure_errors_of_best_probability_subsets(
    printed_distances: Sequence[Published], order: str
) -> dict[str, float]:
    """Return how well the printed distances from equilibrium can be explained by any choice of probabilities.

    The paper prints distances of profiles from the equilibria of three-player Kuhn poker, but not over which
    probabilities. `kuhn3.measure_error_of_best_probability_subset` searches all subsets of the 38 probabilities that
    are the same in all known equilibria. An information set has a probability to bet and one to pass. The paper may
    count one of them, or both, which makes a distance larger by the square root of two.

    Parameters
    ----------
    printed_distances : sequence of Published
        The printed distances of the average profile, or those of the current one. The last one is an upper limit.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    dict of str to float
        The relative error of squared distances for the best subset, by the probabilities that are counted: 'to bet', or
        'to bet and to pass'.
    """
    profile_kind = printed_distances[0].column.removeprefix("distance_")
    profiles = []
    for printed in printed_distances:
        (state,) = run_replicators_with_perturbed_starts(3, order, int(printed.iteration), 1)
        profiles.append(select_profile(state, profile_kind))

    exact_distances = [printed.value for printed in printed_distances if printed.relation == "="]
    num_exact = len(exact_distances)
    upper_limit = printed_distances[-1].value

    errors = {}
    for counted, factor in (("to bet", 1.0), ("to bet and to pass", np.sqrt(2.0))):
        errors[counted] = kuhn3.measure_error_of_best_probability_subset(
            profiles[:num_exact],
            np.array(exact_distances) / factor,
            profiles[num_exact:],
            upper_limit / factor,
        )
    return errors


def count_confirmed_distances(printed_distances: Sequence[Published], order: str) -> dict[str, int]:
    """Return how many printed distances from equilibrium are confirmed by each definition of the distance.

    The distances are those of replicator profiles from the equilibria of three-player Kuhn poker. The definitions
    differ by the probabilities over which a distance is taken.

    Parameters
    ----------
    printed_distances : sequence of Published
        The distances that the paper prints.
    order : {'simultaneous', 'alternating'}
        The order of updates.

    Returns
    -------
    dict of str to int
        The counts, by the names of the definitions, which are the keys of `kuhn3.DISTANCES`.
    """
    counts = dict.fromkeys(kuhn3.DISTANCES, 0)
    for printed in printed_distances:
        (state,) = run_replicators_with_perturbed_starts(3, order, int(printed.iteration), 1)
        profile = select_profile(state, printed.column.removeprefix("distance_"))
        for name, measure_distance in kuhn3.DISTANCES.items():
            distance = np.array([measure_distance(profile)])
            counts[name] += compare_with_printed_number(printed, distance) is True
    return counts


def weigh_statement_about_runs(
    properties: Mapping[tuple[str, str], RunProperties],
    is_true_of_runs: Callable[[RunProperties], ArrayLike],
    games: Sequence[str] = tuple(NUM_PLAYERS),
) -> Finding:
    """Return the verdict on a statement about replicator runs in several games.

    There are two interpretations, one for each order of updates. An order confirms the statement if the statement is
    true of nine in ten runs of each game.

    Parameters
    ----------
    properties : mapping
        The properties of the runs, by pairs of an order and the name of a game.
    is_true_of_runs : callable
        A function of the properties of the runs in one game. It returns a bool for each run: whether the statement is
        true of it.
    games : sequence of str
        The names of the games to which the statement applies.

    Returns
    -------
    Finding
        The verdict.
    """
    outcomes: dict[str, bool | None] = {}
    for order, order_label in ORDER_LABELS.items():
        outcomes_by_game = []
        for game in games:
            outcomes_of_runs = np.atleast_1d(is_true_of_runs(properties[order, game])).tolist()
            outcomes_by_game.append(decide_by_clear_majority(outcomes_of_runs))

        outcome: bool | None = True
        if False in outcomes_by_game:
            outcome = False
        elif None in outcomes_by_game:
            outcome = None
        outcomes[name_interpretation(order_label)] = outcome
    return decide_verdict_by_interpretations(outcomes)


def weigh_steady_rise_of_performance() -> tuple[Finding, float]:
    """Return the verdict on the statement that the average profile's performance rises steadily in Kuhn poker.

    The game has two players. A curve rises steadily if it never falls by more than 0.05 chips (`LARGEST_DIP`) below an
    earlier value. There are four interpretations. The performance is that of the paper's eq. 11, or player 2's winnings
    minus player 1's. The order of updates is simultaneous or alternating.

    Returns
    -------
    Finding
        The verdict.
    float
        The largest fall of player 2's winnings minus player 1's below an earlier value in any simultaneous run, in
        chips.
    """
    outcomes, deepest_dips = {}, {}
    columns = {"": "performance_average", DIFFERENCE: "difference_average"}
    for quantity_label, column in columns.items():
        for order, order_label in ORDER_LABELS.items():
            histories = record_histories_with_perturbed_starts("KP(2)", order, 100_000)
            curves = np.array([history[column] for history in histories])
            largest_so_far = np.maximum.accumulate(curves, axis=1)
            dips = (largest_so_far - curves).max(axis=1)  # the deepest one of each run

            name = name_interpretation(quantity_label, order_label)
            outcomes[name] = decide_by_clear_majority(dips < LARGEST_DIP)
            deepest_dips[column, order] = float(dips.max())
    return decide_verdict_by_interpretations(outcomes), deepest_dips[
        "difference_average", SIMULTANEOUS
    ]


def find_interpretation_of_most_curve_values(
    outcomes: Mapping[str, Mapping[str, bool | None]],
) -> tuple[str, Finding]:
    """Return the interpretation that confirms most of the printed values of a curve, and the verdict on the curve.

    There are four interpretations, by two choices: whether players update one after the other, and whether the labels
    of the curve's points are one record late.

    Parameters
    ----------
    outcomes : mapping
        By the key of each printed value, and then by the name of an interpretation, whether it confirms the value
        (True), contradicts it (False) or leaves it open (None).

    Returns
    -------
    str
        The name of the interpretation.
    Finding
        The verdict, which takes into account that the interpretation was chosen to fit the curve.
    """
    order_labels = ("", ORDER_LABELS[ALTERNATING])
    time_labels = ("", LATE_LABELS)
    num_confirmed = {}
    for order_label, time_label in product(order_labels, time_labels):
        name = name_interpretation(order_label, time_label)
        outcomes_of_values = [
            get_outcome_of_interpretation(outcomes_of_value, name, ORDER_LABELS[ALTERNATING])
            for outcomes_of_value in outcomes.values()
        ]
        num_confirmed[name] = outcomes_of_values.count(True)

    best = max(num_confirmed, key=lambda name: num_confirmed[name])
    finding = decide_verdict_on_fitted_figure(
        num_agreeing=num_confirmed[best],
        num_values=len(outcomes),
        num_choices=2,
        num_tried=len(num_confirmed),
        chosen_interpretations=[best],
    )
    return best, finding
