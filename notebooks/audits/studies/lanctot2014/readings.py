"""Lanctot (2014): every printed number beside ours, as it is printed and as we read it.

Some numbers of the paper cannot be what their sentence says. Each of these has a reading here: what
we think was measured, and with which factor it was printed.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pokerlab import metrics
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.experiment import Published, read_published_numbers
from pokerlab.papers.lanctot2014 import (
    FIGURES,
    PAPER,
    compute_performance_difference,
    compute_state,
    make_solver,
    measure_fixed_distance,
    select_profile,
)
from pokerlab.solvers import ReplicatorDynamics, SequenceFormLP


class Reading(NamedTuple):
    """What a printed number may be instead: another column, a factor in print, another iteration than its label's."""

    column: str
    factor: float = 1.0
    iteration: int | None = None


READINGS = {
    "kp2-nash-conv-100": Reading("nash_conv_average", iteration=1),
    "kp2-nash-conv-200": Reading("nash_conv_average", iteration=100),
    "kp2-nash-conv-300": Reading("nash_conv_average", iteration=200),
    "kp2-utility-1-100000": Reading("best_response_1_average", 10.0),
    "kp2-utility-2-100000": Reading("best_response_2_average", 10.0),
    "kp2-performance-average-1": Reading("difference_average"),
    "kp2-performance-average-100000": Reading("difference_average", iteration=300_000),
    "kp2-performance-current-100000": Reading("difference_current"),
}


class ComparedReading(NamedTuple):
    """A printed number beside ours.

    `ours` is what we measure if the sentence means what it says, NaN if it cannot be measured. `reading` is the
    column that we think was measured, perhaps at another time, and `read` what we measure then, as it would be
    printed; empty and NaN if the sentence stands.
    """

    row: Published
    ours: float
    reading: str
    read: float


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
"""What was measured, by the columns' names; distances are those over player 2's fixed chances."""


def twins(
    game: SequenceForm, count: int, iterations: int, *, payoff_shift: float, order: str
) -> Floats:
    """Return epsilon and NashConv of averages, (count, 2), of runs whose starts differ by multiples of 1e-13."""
    measured = []
    for number in range(count):
        nudged = np.array(game.uniform().probabilities)
        nudged[:2] += np.array([1e-13, -1e-13]) * number
        twin = ReplicatorDynamics(
            game, payoff_shift=payoff_shift, order=order, start=Profile(game, nudged)
        )
        average = twin.step(twin.init(), iterations).average
        measured.append([metrics.epsilon(game, average), metrics.nash_conv(game, average)])
    return np.array(measured)


def fits(row: Published, value: float) -> bool:
    """Whether a value is the printed one: to a unit of its last digit, or within 5% where it says 'around'."""
    if row.relation == "<":
        return value < row.value
    digits = len(f"{row.value:.10f}".rstrip("0").partition(".")[2])
    loose = "around" in row.note or "approximately" in row.note
    return abs(value - row.value) < (0.05 * abs(row.value) if loose else 1.01 * 10.0**-digits)


def compare_all() -> list[ComparedReading]:
    """Return all printed numbers beside ours; the runs are those of Figures 1 and 2."""
    return [compare(row) for row in read_published_numbers(PAPER)]


def compare(row: Published) -> ComparedReading:
    """Return a printed number beside ours."""
    ours = measure(row.game, row.column, row.iteration)
    reading = READINGS.get(row.key)
    if reading is None:
        return ComparedReading(row, ours, "", np.nan)
    when = row.iteration if reading.iteration is None else reading.iteration
    read = measure(row.game, reading.column, when) * reading.factor
    return ComparedReading(row, ours, reading.column, read)


def measure(game: str, column: str, iteration: float) -> float:
    """Return our value of a column in a figure's run; NaN where we have none."""
    if column == "value_1":
        return SequenceFormLP(make_solver(FIGURES[game]).game).solve().value
    name, _, which = column.rpartition("_")
    if name not in MEASURES:
        return np.nan
    state = compute_state(game, int(iteration))
    return float(MEASURES[name](state.game, select_profile(state, which)))
