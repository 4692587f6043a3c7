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

SMALLEST_PROBABILITY = 1e-300
"""Smaller probabilities are replaced by this one before their logarithms are computed, which are then finite."""
MOST_EVALUATIONS = 500_000
"""The largest number of evaluations of the rates in one integration, which take about ten seconds in a small game."""
TOLERANCES = (1e-1, 1e-3, 1e-5, 1e-7)
"""Tolerances of single steps, which are tried one after the other, as fractions of the tolerance of the result."""
SMALLEST_TOLERANCE = 9e-16  # with a smaller tolerance of a step, rounding errors would dominate
SMALLEST_RELATIVE_TOLERANCE = 2.3e-14  # of scipy's integrators


def integrate_flow(
    rates: Callable[[Floats], Floats],
    start: Floats,
    first_of_distributions: Ints,
    duration: float,
    *,
    rtol: float,
    atol: float,
    name: str,
) -> tuple[Floats, Floats]:
    """Return the probabilities of a replicator flow after some time, and the means of other quantities over that time.

    The flow is x' = x r(x), where r(x) is the rate of change of the logarithm of each probability x. A probability that
    is exactly 0 at the beginning stays 0.

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
    first_of_distributions : array of int
        The index of the first probability of each distribution. The probabilities from there to the next index sum to
        one.
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
    distribution_lengths = np.diff(np.append(first_of_distributions, size))
    is_extinct = start == 0.0

    def convert_scores(scores: Floats) -> Floats:
        """Return the probabilities that are proportional to the exponentials of scores, in each distribution."""
        # The largest score of each distribution is subtracted, so that no exponential overflows.
        largest = np.maximum.reduceat(scores, first_of_distributions)
        exponentials = np.exp(scores - np.repeat(largest, distribution_lengths))
        weights = np.where(is_extinct, 0.0, exponentials)
        sums = np.add.reduceat(weights, first_of_distributions)
        return np.asarray(weights / np.repeat(sums, distribution_lengths))

    # The integrated variables are the S scores, followed by the integrals of the M other quantities. Time runs from 0
    # to 1, so the integral of a quantity at the end is its mean.
    def compute_derivatives(_: float, variables: Floats) -> Floats:
        """Return the derivatives of all variables with respect to the fraction of the duration that has passed."""
        check_cancelled()
        derivatives = rates(convert_scores(variables[:size]))
        derivatives[:size] *= duration
        derivatives[:size][is_extinct] = 0.0
        return derivatives

    first_scores = np.log(np.maximum(start, SMALLEST_PROBABILITY))
    num_means = rates(start).size - size
    first_variables = np.concatenate([first_scores, np.zeros(num_means)])

    # Integrate again and again with a smaller tolerance of a step, until two results agree.
    coarser: tuple[Floats, Floats] | None = None
    evaluations = 0
    for fraction in TOLERANCES:
        step_tolerance = fraction * rtol
        if step_tolerance < SMALLEST_TOLERANCE:
            break
        path = run_integrator(
            compute_derivatives, first_variables, step_tolerance, MOST_EVALUATIONS - evaluations
        )
        if path.status != "finished":
            raise make_speed_error(name, path.t * duration, duration)

        evaluations += path.nfev
        finer = (convert_scores(path.y[:size]), path.y[size:])
        if coarser is not None and are_results_close(coarser, finer, rtol, atol):
            return finer
        coarser = finer

    raise ConvergenceError(
        f"the flow of {name} over a time of {duration:g} is too sensitive to rounding to be known to a relative"
        f" {rtol:g}. Use a smaller time_step, or larger rtol and atol."
    )


def run_integrator(
    compute_derivatives: Callable[[float, Floats], Floats],
    first_variables: Floats,
    step_tolerance: float,
    most_evaluations: int,
) -> Any:
    """Integrate variables from time 0 to 1 by the Runge-Kutta method of order 8, and return scipy's integrator.

    Parameters
    ----------
    compute_derivatives : callable
        A function of the time and of the V variables that returns the derivatives of the variables.
    first_variables : array of shape (V,)
        The variables at time 0.
    step_tolerance : float
        The absolute tolerance of a step.
    most_evaluations : int
        The number of evaluations of the derivatives after which the integrator stops.

    Returns
    -------
    scipy.integrate.DOP853
        The integrator, whose attributes are the time `t` that it has reached, the variables `y` at this time, and the
        number of evaluations `nfev`. Its `status` is 'finished' at time 1, and 'running' if the evaluations were not
        enough.
    """
    from scipy.integrate import DOP853

    with np.errstate(over="ignore", invalid="ignore"):  # payoffs may be near the largest float
        # Scores have no natural size, so the relative tolerance is made as small as scipy allows.
        path = DOP853(
            compute_derivatives,
            0.0,
            first_variables,
            1.0,
            rtol=SMALLEST_RELATIVE_TOLERANCE,
            atol=step_tolerance,
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
    coarser_logarithms = np.log(np.maximum(coarser_probabilities, SMALLEST_PROBABILITY))
    finer_logarithms = np.log(np.maximum(finer_probabilities, SMALLEST_PROBABILITY))
    are_probabilities_close = np.abs(coarser_logarithms - finer_logarithms) <= rtol
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

    Returns
    -------
    ConvergenceError
        The error, whose message suggests a time step that would have been short enough.
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
