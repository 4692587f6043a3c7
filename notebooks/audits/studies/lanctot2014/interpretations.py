"""Lanctot (2014): every printed number of the experiments by every interpretation of its time, order and quantity.

The default interpretation takes the text as it is printed: all players update at once (eq. 3), the number belongs to
the printed t, and it measures what its sentence says. The others change the order, the time, or the quantity.
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
from studies.lanctot2014.twins import NUM_TWINS, make_twins, run_twins

AS_PRINTED = "as printed"
SIMULTANEOUS, ALTERNATING = "simultaneous", "alternating"
ORDERS = {SIMULTANEOUS: "", ALTERNATING: "alternating updates"}
"""What each order is called in the name of an interpretation; eq. 3 as printed is simultaneous."""
TOGETHER_UNTIL = 30_000
"""Up to this iteration simultaneous twins agree in the digits that the paper prints."""
NEARLY_ALL = 0.9
"""The share of twins that decides a statement about runs."""
PLAYERS = {"KP(2)": 2, "KP(3)": 3, "KP(4)": 4}


class Quantity(NamedTuple):
    """What a printed number may measure: words for it, a column, and a factor in print."""

    words: str
    column: str
    factor: float = 1.0


DIFFERENCE = "player 2's winnings minus player 1's"
REPAIRS = {
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
"""What some numbers may measure instead of what their sentence says."""
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
"""What was measured, by the columns' names; distances are those over player 2's fixed probabilities."""


def list_times(row: Published) -> dict[str, int]:
    """Return the iterations to which a number may belong, by words, the printed one first."""
    t = int(row.iteration)
    times = {"": t}
    if t >= 100:
        times["labels one record late"] = max(1, t - 100)  # records are 100 iterations apart
    if t == 100_000:
        times |= {"t = 20,000": 20_000, "t = 300,000": 300_000}
    return times


def list_quantities(row: Published) -> tuple[Quantity, ...]:
    """Return what a number may measure, what its sentence says first."""
    return Quantity("", row.column), *REPAIRS.get(row.key, ())


def interpret(row: Published) -> dict[str, Floats]:
    """Return our values of a number by each interpretation, the default first: those of all twins, where they part."""
    found = {}
    choices = product(list_quantities(row), list_times(row).items(), ORDERS.items())
    for quantity, (time, t), (order, updates) in choices:
        if t == 1 and updates:
            continue  # at the start both orders are the same
        name = ", ".join(filter(None, (quantity.words, updates, time))) or AS_PRINTED
        found[name] = quantity.factor * measure(row.game, quantity.column, t, order)
    return found


def weigh_values(row: Published, values: Floats) -> bool | None:
    """Return whether the values of twins give a printed number.

    A number must lie within the range of the twins, give or take `tolerance_of`. A number that is printed as an upper
    limit is confirmed if all twins are below it, and contradicted if none is.
    """
    if row.relation == "<":
        below = values < row.value
        return True if below.all() else None if below.any() else False
    tolerance = find_tolerance(row)
    return bool(values.min() - tolerance < row.value < values.max() + tolerance)


def find_tolerance(row: Published) -> float:
    """Return how far ours may be from a printed number: a unit of its last digit; or 5%, if more, of one 'around'."""
    digits = len(f"{row.value:.10f}".rstrip("0").partition(".")[2])
    unit = 1.01 * 10.0**-digits
    loose = "around" in row.note or "approximately" in row.note
    return float(max(unit, 0.05 * abs(row.value)) if loose else unit)


@lru_cache(maxsize=512)
def measure(game: str, column: str, t: int, order: str) -> Floats:
    """Return a column at iteration t: of one run, or of all twins where they part.

    Of the current performance, which is noisy, it is the mean over the last nine tenths of a run.
    """
    name, _, which = column.rpartition("_")
    if which == "current" and name in ("performance", "difference"):
        return average_over_run(game, name, t, order)
    parts = order == SIMULTANEOUS and t > TOGETHER_UNTIL
    states = run_twins(PLAYERS[game], order, t, count=NUM_TWINS if parts else 1)
    measured = [MEASURES[name](state.game, select_profile(state, which)) for state in states]
    return np.array(measured, dtype=np.float64)


@lru_cache(maxsize=16)
def average_over_run(game: str, name: str, until: int, order: str) -> Floats:
    """Return the mean of a measure of x(t) over the last nine tenths of a run, of each twin."""
    means = []
    for solver in make_twins(PLAYERS[game], order):
        state, values = solver.step(solver.init(), until // 10), []
        for _ in range(90):
            state = solver.step(state, (until - until // 10) // 90)
            values.append(MEASURES[name](state.game, state.last_iterate))
        means.append(float(np.mean(values)))
    return np.array(means)


@lru_cache(maxsize=8)
def trace_twins(game: str, order: str, iterations: int) -> Sequence[History]:
    """Return the measurements of section 4 along the runs of all twins; of one if they do not part in that time."""
    count = NUM_TWINS if iterations > TOGETHER_UNTIL else 1
    return [
        Run(solver, make_columns(solver), per_decade=30).to(iterations, progress=False).history
        for solver in make_twins(PLAYERS[game], order, count)
    ]


def weigh_twins(outcomes: Sequence[bool]) -> bool | None:
    """Return what twins decide about a statement: True or False if nine in ten of them agree, else None."""
    share = float(np.mean(outcomes))
    return True if share >= NEARLY_ALL else False if 1 - share >= NEARLY_ALL else None


def trace_lead(order: str, *, every: int = 250) -> Floats:
    """Return how often the average of KP(3) performs better than x(t), by tenths of 100,000 iterations, (twins, 10)."""
    shares = []
    for solver in make_twins(3, order):
        state: DynamicsState = solver.init()
        ahead = []
        for _ in range(100_000 // every):
            state = solver.step(state, every)
            of_average = metrics.performance(solver.game, state.average)
            ahead.append(of_average > metrics.performance(solver.game, state.last_iterate))
        shares.append(np.reshape(ahead, (10, -1)).mean(axis=1))
    return np.array(shares)


def count_agreeing(rows: Sequence[Published]) -> dict[str, tuple[int, int]]:
    """Return how many of the numbers each single choice of order and time gives: as their sentences say, and repaired.

    A number counts as repaired if one of its `REPAIRS` gives it.
    """
    outcomes = {
        row.key: {name: weigh_values(row, values) for name, values in interpret(row).items()}
        for row in rows
    }
    counted = {}
    times = max((list_times(row) for row in rows), key=len)
    for updates, time in product(ORDERS.values(), times):
        plain = repaired = 0
        for row in rows:
            where = time if time in list_times(row) else ""
            names = [
                ", ".join(filter(None, (quantity.words, updates, where))) or AS_PRINTED
                for quantity in list_quantities(row)
            ]
            found = [read_outcome(outcomes[row.key], name, updates) for name in names]
            plain += found[0] is True
            repaired += True in found
        counted[", ".join(filter(None, (updates, time))) or AS_PRINTED] = plain, repaired
    return counted


def read_outcome(outcomes: Mapping[str, bool | None], name: str, updates: str) -> bool | None:
    """Return an outcome by name; what does not depend on the order stands under the other order's name only."""
    if name in outcomes:
        return outcomes[name]
    without = ", ".join(part for part in name.split(", ") if part != updates) or AS_PRINTED
    return outcomes[without]


class RunShape(NamedTuple):
    """What twins of a run look like, one value a twin."""

    falls: list[bool]  # whether epsilon of the average is smaller at each power of ten
    bounce: Floats  # the largest epsilon of the average over the smallest one before it
    peak_at: Floats  # the iteration of the best performance of the average
    peak: Floats  # that performance over the last one
    worst: Floats  # the least performance of the average and of x(t) after the start
    ahead: Floats  # the share of records of the last decade in which the average performs better
    fluctuation: Floats  # the average's changes from record to record over those of x(t), there
    rises: Floats  # (twins, 2): in which share of records epsilon rises, of x(t) and of the average
    epsilon: Floats  # (twins, decades): of the average at powers of ten
    last_epsilon: Floats  # of x(t)


def describe_runs(game: str, order: str, iterations: int) -> RunShape:
    """Return what the runs of all twins look like."""
    found: list[list[object]] = []
    for history in trace_twins(game, order, iterations):
        t = history["iteration"]
        last = t > t[-1] / 10
        average, current = (history[f"performance_{which}"] for which in ("average", "current"))
        near, far = history["epsilon_average"], history["epsilon_current"]
        decades = [
            history.select_row(10**k)["epsilon_average"] for k in range(len(str(int(t[-1]))))
        ]
        changes = np.diff(average[last]).std() / np.diff(current[last]).std()
        found.append(
            [
                bool((np.diff(decades) < 0).all()),
                (near / np.minimum.accumulate(near)).max(),
                t[np.argmax(average)],
                average.max() / average[-1],
                min(average[2:].min(), current[2:].min()),
                (average > current)[last].mean(),
                changes,
                [(np.diff(one) > 0).mean() for one in (far, near)],
                decades,
                far[-1],
            ]
        )
    falls, *columns = zip(*found, strict=True)
    return RunShape([bool(each) for each in falls], *map(np.array, columns))


def search_distances(rows: Sequence[Published], order: str) -> dict[str, float]:
    """Return by how much the best subset of KP(3)'s 38 fixed probabilities misses the printed distances.

    In squared distance, at the worst time, for one `which` of 'average' and 'current', from its rows. Each information
    set has a probability to bet and one to pass. They are counted once, or both, which makes a distance larger by the
    root of two.
    """
    which = rows[0].column.removeprefix("distance_")
    states = [run_twins(3, order, int(row.iteration), 1)[0] for row in rows]
    profiles = [select_profile(state, which) for state in states]
    exact = [row.value for row in rows if row.relation == "="]
    misses = {}
    for words, factor in (("to bet", 1.0), ("to bet and to pass", np.sqrt(2.0))):
        misses[words] = kuhn3.search_nearest_subset(
            profiles[: len(exact)],
            np.array(exact) / factor,
            profiles[len(exact) :],
            rows[-1].value / factor,
        )
    return misses


def count_distances(rows: Sequence[Published], order: str) -> dict[str, int]:
    """Return how many of the printed distances each named choice of probabilities gives."""
    counted = dict.fromkeys(kuhn3.DISTANCES, 0)
    for row in rows:
        state = run_twins(3, order, int(row.iteration), 1)[0]
        profile = select_profile(state, row.column.removeprefix("distance_"))
        for name, distance in kuhn3.DISTANCES.items():
            counted[name] += weigh_values(row, np.array([distance(profile)])) is True
    return counted


def weigh_shapes(
    shapes: Mapping[tuple[str, str], RunShape],
    test: Callable[[RunShape], Any],
    names: Sequence[str] = tuple(PLAYERS),
) -> Finding:
    """Return what both orders decide about a test of a run's shape, in all of some games, as printed first."""
    outcomes: dict[str, bool | None] = {}
    for order, words in ORDERS.items():
        votes = [weigh_twins(np.atleast_1d(test(shapes[order, name])).tolist()) for name in names]
        outcomes[words or AS_PRINTED] = False if False in votes else None if None in votes else True
    return weigh_interpretations(outcomes)


def weigh_rise() -> tuple[Finding, float]:
    """Return whether the performance of KP(2)'s average rises steadily, by quantity and order, and the deepest dip.

    It rises steadily if it never falls by more than 0.05 chips. The dip is that of the difference, as printed.
    """
    outcomes, dips = {}, {}
    for quantity, column in (("", "performance_average"), (DIFFERENCE, "difference_average")):
        for order, updates in ORDERS.items():
            climbs = np.array([each[column] for each in trace_twins("KP(2)", order, 100_000)])
            falls = (np.maximum.accumulate(climbs, axis=1) - climbs).max(axis=1)
            name = ", ".join(filter(None, (quantity, updates))) or AS_PRINTED
            outcomes[name], dips[column, order] = weigh_twins(falls < 0.05), float(falls.max())
    return weigh_interpretations(outcomes), dips["difference_average", SIMULTANEOUS]


def fit_curve(outcomes: Mapping[str, Mapping[str, bool | None]]) -> tuple[str, Finding]:
    """Return the order and labels that give most of a curve's printed values, and what that decides.

    `outcomes` are those of the values by interpretation. At the start both orders are one.
    """
    choices = ORDERS[ALTERNATING], "labels one record late"
    tried = [
        ", ".join(filter(None, pair)) or AS_PRINTED for pair in product(*(("", c) for c in choices))
    ]
    agreeing = {
        name: sum(read_outcome(each, name, choices[0]) is True for each in outcomes.values())
        for name in tried
    }
    best = max(agreeing, key=lambda name: agreeing[name])
    finding = weigh_fitted_figure(agreeing[best], len(outcomes), len(choices), len(tried), [best])
    return best, finding
