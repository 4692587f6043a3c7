"""Integration of replicator flows in continuous time, to a given tolerance.

A replicator flow is an equation x' = x r(x), where r(x) is the rate of change of the logarithm of a probability x. The
integrated variables are *scores*, whose exponentials are proportional to the probabilities. Only the differences of
scores matter, so rounding errors cannot move probabilities off the simplex, and no correction is needed. If the
logarithms of probabilities themselves were integrated, the correction would grow with the payoffs, and an explicit
method would have to take shorter and shorter steps. When strategies become pure, the rates become constant, so that
steps can become long, however large the payoffs are.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from pokerlab.core import ConvergenceError, Floats, Ints
from pokerlab.core.workers import check_cancelled

# An integration begins with probabilities of at least this, whose logarithms are finite.
LEAST = 1e-300
MOST_EVALUATIONS = 500_000
"""The largest number of evaluations of the rates in one integration, which take about ten seconds in a small game."""
TOLERANCES = (1e-1, 1e-3, 1e-5, 1e-7)
"""Tolerances of single steps, which are tried one after the other, as fractions of the tolerance of the result."""
SMALLEST_TOLERANCE = 9e-16  # with a smaller tolerance of a step, rounding errors would dominate
SMALLEST_RELATIVE_TOLERANCE = 2.3e-14  # of scipy's integrators


def integrate_flow(
    rates: Callable[[Floats], Floats],
    start: Floats,
    first: Ints,
    duration: float,
    *,
    rtol: float,
    atol: float,
    name: str,
) -> tuple[Floats, Floats]:
    """Return the probabilities of a flow after some time, and the means of other quantities over that time.

    A probability that is exactly 0 at the beginning stays 0.

    The explicit Runge-Kutta method of order 8 of Dormand and Prince integrates over the whole duration. This is
    repeated with a step tolerance that is a hundred times smaller each time, until two results agree. They agree if the
    relative difference of each probability above 1e-300 is at most `rtol`, and the difference of each mean is at most
    `atol + rtol * mean`.

    Parameters
    ----------
    rates : callable
        A function of the S probabilities. It returns the S rates of change of their logarithms, followed by M
        quantities that are averaged over time.
    start : array of shape (S,)
        The probabilities at the beginning.
    first : array of int
        The index of the first probability of each distribution: from there to the next index they sum to one.
    duration : float
        The time, in 1 / unit of the rates.
    rtol, atol : float
        The relative and the absolute tolerance.
    name : str
        The name of the game, which appears in error messages.

    Returns
    -------
    probabilities : array of shape (S,)
        The probabilities at the end.
    means : array of shape (M,)
        The mean of each of the other quantities.

    Raises
    ------
    ConvergenceError
        If 500,000 evaluations of the rates are not enough, or if rounding errors are larger than the tolerance.

    References
    ----------
    .. [1] E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", section II.10
    """
    size = start.size
    lengths = np.diff(np.append(first, size))  # the number of probabilities of each distribution
    is_extinct = start == 0.0

    def normalize_scores(scores: Floats) -> Floats:
        """Return the probabilities that are proportional to the exponentials of scores, in each distribution."""
        # The largest score of each distribution is subtracted, so that no exponential overflows.
        largest = np.maximum.reduceat(scores, first)
        weights = np.where(is_extinct, 0.0, np.exp(scores - np.repeat(largest, lengths)))
        sums = np.add.reduceat(weights, first)
        return np.asarray(weights / np.repeat(sums, lengths))

    # The integrated variables are the S scores, followed by the integrals of the M other quantities. Time runs from 0
    # to 1, so the integral of a quantity at the end is its mean.
    def compute_derivative(_: float, variables: Floats) -> Floats:
        """Return the derivatives of all variables with respect to the fraction of the duration that has passed."""
        check_cancelled()
        derivatives = rates(normalize_scores(variables[:size]))
        derivatives[:size] *= duration
        derivatives[:size][is_extinct] = 0.0
        return derivatives

    scores = np.log(np.maximum(start, LEAST))
    num_means = rates(start).size - size
    begin = np.concatenate([scores, np.zeros(num_means)])

    # Integrate again and again with a smaller tolerance of a step, until two results agree.
    coarser: tuple[Floats, Floats] | None = None
    evaluations = 0
    for fraction in TOLERANCES:
        step_tolerance = fraction * rtol
        if step_tolerance < SMALLEST_TOLERANCE:
            break
        path = run_integrator(
            compute_derivative, begin, step_tolerance, MOST_EVALUATIONS - evaluations
        )
        if path.status != "finished":
            raise make_speed_error(name, path.t * duration, duration)
        evaluations += path.nfev
        finer = normalize_scores(path.y[:size]), path.y[size:]
        if coarser is not None and are_results_close(coarser, finer, rtol, atol):
            return finer
        coarser = finer
    raise ConvergenceError(
        f"the flow of {name} over a time of {duration:g} is too sensitive to rounding to be known to a relative"
        f" {rtol:g}. Use a smaller time_step, or larger rtol and atol."
    )


def run_integrator(
    derivative: Callable[[float, Floats], Floats],
    begin: Floats,
    step_tolerance: float,
    most_evaluations: int,
) -> Any:
    """Return scipy's integrator after it has gone from time 0 to 1, or has used up its evaluations.

    Parameters
    ----------
    derivative : callable
        A function of the time and of the variables that returns the derivatives of the variables.
    begin : array
        The variables at time 0.
    step_tolerance : float
        The absolute tolerance of a step.
    most_evaluations : int
        The number of evaluations of the derivatives after which the integrator stops.
    """
    from scipy.integrate import DOP853

    with np.errstate(over="ignore", invalid="ignore"):  # payoffs may be near the largest float
        path = DOP853(
            derivative, 0.0, begin, 1.0, rtol=SMALLEST_RELATIVE_TOLERANCE, atol=step_tolerance
        )
        while path.status == "running" and path.nfev < most_evaluations:
            path.step()
    return path


def are_results_close(
    coarser: tuple[Floats, Floats], finer: tuple[Floats, Floats], rtol: float, atol: float
) -> bool:
    """Return whether two results of an integration differ by at most the tolerance.

    Probabilities are compared by their logarithms, so that their relative difference counts.

    Parameters
    ----------
    coarser, finer : tuple of two arrays, of shape (S,) and (M,)
        The results: S probabilities and M means.
    rtol, atol : float
        The relative tolerance of a probability, and the relative and the absolute tolerance of a mean.
    """
    coarser_probabilities, coarser_means = coarser
    finer_probabilities, finer_means = finer
    coarser_log = np.log(np.maximum(coarser_probabilities, LEAST))
    finer_log = np.log(np.maximum(finer_probabilities, LEAST))
    are_probabilities_close = np.abs(coarser_log - finer_log) <= rtol
    are_means_close = np.abs(coarser_means - finer_means) <= atol + rtol * np.abs(finer_means)
    return bool(are_probabilities_close.all() and are_means_close.all())


def make_speed_error(name: str, integrated_time: float, duration: float) -> ConvergenceError:
    """Return the error for a flow that needs too many evaluations, or steps so short that rounding stops them.

    Parameters
    ----------
    name : str
        The name of the game.
    integrated_time : float
        The time that was integrated.
    duration : float
        The time that should have been integrated.
    """
    advice = "Divide all payoffs by the same number."
    if integrated_time:
        # A quarter of the time that was integrated leaves room for smaller tolerances.
        time_step = integrated_time / 4.0
        advice = (
            f"Use a time_step of at most {time_step:.1g}, or divide all payoffs by the same number."
        )
    return ConvergenceError(
        f"the flow of {name} is too fast: {MOST_EVALUATIONS:,} evaluations cover a time of {integrated_time:.2g} of"
        f" {duration:g}. {advice}"
    )
