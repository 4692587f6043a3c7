"""Lanctot (2014): every printed number of the experiments by every interpretation of its time, order and quantity.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014, section 4. KP(n) is Kuhn poker for n players.

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
from studies.audit import Finding, weigh_fitted_figure, weigh_interpretations
from studies.lanctot2014 import kuhn3
from studies.lanctot2014.twins import NUM_TWINS, make_twin_solvers, run_twins

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
    words : str
        Its part of an interpretation's name; '' for the quantity of which the sentence speaks.
    column : str
        The name of our column: a key of `MEASURES`, then '_average' or '_current'.
    factor : float
        The printed number is this many times our measure.
    """

    words: str
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
    """Return the name of an interpretation, made of the parts that are not empty, or 'as printed' if all are empty."""
    return ", ".join(part for part in parts if part) or AS_PRINTED


def list_iterations(row: Published) -> dict[str, int]:
    """Return the iterations to which a printed number may belong, by their part of an interpretation's name.

    The first one is the printed iteration, whose part is ''.
    """
    t = int(row.iteration)
    iterations = {"": t}
    if t >= RECORD_INTERVAL:
        iterations[LATE_LABELS] = max(1, t - RECORD_INTERVAL)
    if t == 100_000:
        iterations |= {"t = 20,000": 20_000, "t = 300,000": 300_000}
    return iterations


def list_quantities(row: Published) -> tuple[Quantity, ...]:
    """Return the quantities that a printed number may measure; the first one is what its sentence says."""
    return Quantity("", row.column), *OTHER_QUANTITIES.get(row.key, ())


def compute_interpretations(row: Published) -> dict[str, Floats]:
    """Return our values of a printed number by the name of each interpretation, the default one first.

    Where simultaneous twins part, there is a value for each of them, and otherwise one value.
    """
    values = {}
    choices = product(list_quantities(row), list_iterations(row).items(), ORDER_LABELS.items())
    for quantity, (time_label, iteration), (order, order_label) in choices:
        if iteration == 1 and order != SIMULTANEOUS:
            continue  # x(1) is the start, which does not depend on the order
        name = name_interpretation(quantity.words, order_label, time_label)
        values[name] = quantity.factor * measure_column(row.game, quantity.column, iteration, order)
    return values


def weigh_values(row: Published, values: Floats) -> bool | None:
    """Return whether the values of twins give a printed number: True, False, or None if they do not decide.

    The number must lie within the range of the twins, give or take the tolerance that `compute_tolerance` returns. A
    number that is printed as an upper limit is confirmed if all twins are below it, contradicted if none is, and open
    otherwise.
    """
    if row.relation == "<":
        is_below = values < row.value
        if is_below.all():
            return True
        return None if is_below.any() else False
    tolerance = compute_tolerance(row)
    return bool(values.min() - tolerance < row.value < values.max() + tolerance)


def compute_tolerance(row: Published) -> float:
    """Return how far our value may be from a printed number.

    It is a unit of the last printed digit. For a number that the text calls 'around' or 'approximately' it is at least
    5% of the number.
    """
    num_decimals = len(f"{row.value:.10f}".rstrip("0").partition(".")[2])
    last_digit = 1.01 * 10.0**-num_decimals  # a little more, for rounding errors
    is_approximate = "around" in row.note or "approximately" in row.note
    return float(max(last_digit, 0.05 * abs(row.value)) if is_approximate else last_digit)


@lru_cache(maxsize=512)
def measure_column(game: str, column: str, iteration: int, order: str) -> Floats:
    """Return a column at an iteration, one value for each twin where they part, and otherwise one value.

    The performance of the current profile is noisy, so its value is the mean over the last nine tenths of a run.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    column : str
        A key of `MEASURES`, then '_average' or '_current', which is the profile that is measured.
    iteration : int
        The iteration.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    """
    name, _, which = column.rpartition("_")
    if which == "current" and name in ("performance", "difference"):
        return average_over_run(game, name, iteration, order)
    twins_part = order == SIMULTANEOUS and iteration > LAST_AGREEING_ITERATION
    count = NUM_TWINS if twins_part else 1
    states = run_twins(NUM_PLAYERS[game], order, iteration, count=count)
    values = [MEASURES[name](state.game, select_profile(state, which)) for state in states]
    return np.array(values, dtype=np.float64)


@lru_cache(maxsize=16)
def average_over_run(game: str, measure: str, iterations: int, order: str) -> Floats:
    """Return the mean of a measure of x(t) over the last nine tenths of each twin's run, (twins,).

    `measure` is a key of `MEASURES`. The mean is over 90 iterations, equally far from each other.
    """
    num_values = 90
    first = iterations // 10
    interval = (iterations - first) // num_values
    means = []
    for solver in make_twin_solvers(NUM_PLAYERS[game], order):
        state, values = solver.step(solver.init(), first), []
        for _ in range(num_values):
            state = solver.step(state, interval)
            values.append(MEASURES[measure](state.game, state.last_iterate))
        means.append(float(np.mean(values)))
    return np.array(means)


@lru_cache(maxsize=8)
def trace_twins(game: str, order: str, iterations: int) -> Sequence[History]:
    """Return the measurements of section 4 along the runs of all twins, or of one if they do not part in that time."""
    count = NUM_TWINS if iterations > LAST_AGREEING_ITERATION else 1
    histories = []
    for solver in make_twin_solvers(NUM_PLAYERS[game], order, count):
        run = Run(solver, make_columns(solver), per_decade=30)
        histories.append(run.to(iterations, progress=False).history)
    return histories


def weigh_twins(outcomes: Sequence[bool]) -> bool | None:
    """Return what the outcomes of twins decide about a statement.

    It is True or False if at least nine in ten of them agree on it (`DECISIVE_SHARE`), and otherwise None.
    """
    share = float(np.mean(outcomes))
    if share >= DECISIVE_SHARE:
        return True
    return False if 1 - share >= DECISIVE_SHARE else None


def measure_lead_by_tenth(order: str, *, every: int = 250) -> Floats:
    """Return in which share of iterations the average of KP(3) performs better than x(t), (twins, 10).

    There is a share for each tenth of 100,000 iterations, of which each `every`-th one is measured.
    """
    shares = []
    for solver in make_twin_solvers(3, order):
        state: DynamicsState = solver.init()
        is_ahead = []
        for _ in range(100_000 // every):
            state = solver.step(state, every)
            of_average = metrics.performance(solver.game, state.average)
            is_ahead.append(of_average > metrics.performance(solver.game, state.last_iterate))
        shares.append(np.reshape(is_ahead, (10, -1)).mean(axis=1))
    return np.array(shares)


def count_agreeing_numbers(rows: Sequence[Published]) -> dict[str, tuple[int, int]]:
    """Return how many printed numbers each single choice of order and time gives.

    Returns
    -------
    dict
        By the name of the choice, the count of numbers that come out as their sentences say, and the count of those
        that come out so or by one of `OTHER_QUANTITIES`.
    """
    outcomes = {}
    for row in rows:
        values = compute_interpretations(row)
        outcomes[row.key] = {name: weigh_values(row, values[name]) for name in values}

    counts = {}
    all_time_labels = max((list_iterations(row) for row in rows), key=len)
    for order_label, time_label in product(ORDER_LABELS.values(), all_time_labels):
        num_as_printed = num_with_other_quantities = 0
        for row in rows:
            # Early numbers have fewer iterations to choose from. They are taken at the printed one.
            time_label_of_row = time_label if time_label in list_iterations(row) else ""
            outcomes_by_quantity = []
            for quantity in list_quantities(row):
                name = name_interpretation(quantity.words, order_label, time_label_of_row)
                outcomes_by_quantity.append(find_outcome(outcomes[row.key], name, order_label))
            num_as_printed += outcomes_by_quantity[0] is True
            num_with_other_quantities += True in outcomes_by_quantity
        counts[name_interpretation(order_label, time_label)] = (
            num_as_printed,
            num_with_other_quantities,
        )
    return counts


def find_outcome(outcomes: Mapping[str, bool | None], name: str, order_label: str) -> bool | None:
    """Return the outcome of an interpretation of a number.

    A number at t = 1 does not depend on the order. It has no outcome under a name with `order_label`, and that under
    the name without it is returned.
    """
    if name in outcomes:
        return outcomes[name]
    return outcomes[
        name_interpretation(*(part for part in name.split(", ") if part != order_label))
    ]


class RunShapes(NamedTuple):
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


def describe_runs(game: str, order: str, iterations: int) -> RunShapes:
    """Return properties of the runs of all twins.

    Parameters
    ----------
    game : {'KP(2)', 'KP(3)', 'KP(4)'}
        The name of the game.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    iterations : int
        The length of the runs, a power of ten.
    """
    rows: list[list[object]] = []  # of each twin, the fields of RunShapes in their order
    for history in trace_twins(game, order, iterations):
        t = history["iteration"]
        in_last_decade = t > t[-1] / 10
        average, current = history["performance_average"], history["performance_current"]
        average_epsilon, current_epsilon = history["epsilon_average"], history["epsilon_current"]

        num_decades = len(str(int(t[-1])))
        epsilon_by_decade = [
            history.select_row(10**power)["epsilon_average"] for power in range(num_decades)
        ]
        smallest_so_far = np.minimum.accumulate(average_epsilon)
        average_changes = np.diff(average[in_last_decade])
        current_changes = np.diff(current[in_last_decade])
        rows.append(
            [
                bool((np.diff(epsilon_by_decade) < 0).all()),
                (average_epsilon / smallest_so_far).max(),
                t[np.argmax(average)],
                average.max() / average[-1],
                min(average[2:].min(), current[2:].min()),
                (average > current)[in_last_decade].mean(),
                average_changes.std() / current_changes.std(),
                [(np.diff(epsilon) > 0).mean() for epsilon in (current_epsilon, average_epsilon)],
                epsilon_by_decade,
                current_epsilon[-1],
            ]
        )
    epsilon_falls, *columns = zip(*rows, strict=True)
    return RunShapes([bool(falls) for falls in epsilon_falls], *map(np.array, columns))


def measure_best_subset_errors(rows: Sequence[Published], order: str) -> dict[str, float]:
    """Return the errors of the best subsets of KP(3)'s 38 fixed probabilities, by how information sets are counted.

    The error is that of `measure_best_subset_error`, over all printed distances of one profile. An information set has
    a probability to bet and one to pass. The paper may count one of them, or both, which makes a distance larger by the
    square root of two.

    Parameters
    ----------
    rows : sequence of Published
        The printed distances of the average profile, or of the current one. The last one is an upper limit.
    order : {'simultaneous', 'alternating'}
        The order of updates.
    """
    which = rows[0].column.removeprefix("distance_")
    states = [run_twins(3, order, int(row.iteration), 1)[0] for row in rows]
    profiles = [select_profile(state, which) for state in states]
    exact_distances = [row.value for row in rows if row.relation == "="]
    num_exact = len(exact_distances)
    factors = {"to bet": 1.0, "to bet and to pass": np.sqrt(2.0)}
    return {
        words: kuhn3.measure_best_subset_error(
            profiles[:num_exact],
            np.array(exact_distances) / factor,
            profiles[num_exact:],
            rows[-1].value / factor,
        )
        for words, factor in factors.items()
    }


def count_agreeing_distances(rows: Sequence[Published], order: str) -> dict[str, int]:
    """Return how many of the printed distances each choice of probabilities in `kuhn3.DISTANCES` gives."""
    counts = dict.fromkeys(kuhn3.DISTANCES, 0)
    for row in rows:
        state = run_twins(3, order, int(row.iteration), 1)[0]
        profile = select_profile(state, row.column.removeprefix("distance_"))
        for name, measure_distance in kuhn3.DISTANCES.items():
            distance = np.array([measure_distance(profile)])
            counts[name] += weigh_values(row, distance) is True
    return counts


def weigh_shapes(
    shapes: Mapping[tuple[str, str], RunShapes],
    test: Callable[[RunShapes], Any],
    games: Sequence[str] = tuple(NUM_PLAYERS),
) -> Finding:
    """Return what the runs in both orders of updates decide about a statement on several games.

    Parameters
    ----------
    shapes : mapping
        The properties of runs, by order and game.
    test : callable
        A function that returns whether the statement holds of the runs in one game, one bool for each twin.
    games : sequence of str
        The games in all of which the statement must hold.
    """
    outcomes: dict[str, bool | None] = {}
    for order, order_label in ORDER_LABELS.items():
        outcomes_by_game = [
            weigh_twins(np.atleast_1d(test(shapes[order, game])).tolist()) for game in games
        ]
        outcome: bool | None = True
        if False in outcomes_by_game:
            outcome = False
        elif None in outcomes_by_game:
            outcome = None
        outcomes[name_interpretation(order_label)] = outcome
    return weigh_interpretations(outcomes)


def weigh_steady_rise() -> tuple[Finding, float]:
    """Return whether the performance of KP(2)'s average rises steadily, and the deepest dip of the difference.

    It rises steadily if it never falls by more than `LARGEST_DIP` below an earlier value. The interpretations are two
    quantities in two orders. The dip is that of player 2's winnings minus player 1's in simultaneous runs, in chips.
    """
    outcomes, deepest_dips = {}, {}
    columns = {"": "performance_average", DIFFERENCE: "difference_average"}
    for quantity, column in columns.items():
        for order, order_label in ORDER_LABELS.items():
            curves = np.array([history[column] for history in trace_twins("KP(2)", order, 100_000)])
            dips = (np.maximum.accumulate(curves, axis=1) - curves).max(axis=1)
            name = name_interpretation(quantity, order_label)
            outcomes[name] = weigh_twins(dips < LARGEST_DIP)
            deepest_dips[column, order] = float(dips.max())
    return weigh_interpretations(outcomes), deepest_dips["difference_average", SIMULTANEOUS]


def find_best_interpretation(
    outcomes: Mapping[str, Mapping[str, bool | None]],
) -> tuple[str, Finding]:
    """Return the interpretation that gives most printed values of a curve, and what it decides about the curve.

    There are two choices, which make four interpretations: whether updates alternate, and whether labels are one record
    late.

    Parameters
    ----------
    outcomes : mapping
        By the key of each printed value, whether each interpretation gives it.
    """
    order_labels = ("", ORDER_LABELS[ALTERNATING])
    time_labels = ("", LATE_LABELS)
    num_agreeing = {}
    for order_label, time_label in product(order_labels, time_labels):
        name = name_interpretation(order_label, time_label)
        outcomes_of_values = [
            find_outcome(outcomes_of_value, name, ORDER_LABELS[ALTERNATING])
            for outcomes_of_value in outcomes.values()
        ]
        num_agreeing[name] = outcomes_of_values.count(True)
    best = max(num_agreeing, key=lambda name: num_agreeing[name])
    num_choices, num_interpretations = 2, len(num_agreeing)
    finding = weigh_fitted_figure(
        num_agreeing[best], len(outcomes), num_choices, num_interpretations, [best]
    )
    return best, finding
