"""Solution concepts, which select players by a table of results, and correlated equilibria.

A table of results has a row and a column for each of N players (`match_results`). A solution concept selects players by
their results against all players, which are called *tests*. Oliehoek et al. (2006) list the concepts of coevolution as
S0 to S4, after de Jong (2005). The algorithms named in `apply_solution_concepts` search for such players while they
generate strategies. Here all players are given, so that the concepts themselves can be compared.

Two numbers count as equal if they differ by at most `EQUALITY_TOLERANCE` times the largest magnitude in the table.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Bools, ConvergenceError, Floats, SettingError, ShapeError
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.old_names import reject_renamed_parameters
from pokerlab.metrics.match_results import (
    EQUALITY_TOLERANCE,
    compute_nash_average,
    convert_results_to_winnings,
    scale_largest_to_one,
    set_rounding_errors_to_zero,
)

LEAST_PROBABILITY = 1e-6
"""The smallest probability in the solution of a linear program that counts as positive."""


def apply_solution_concepts(table: ArrayLike) -> Mapping[str, Floats]:
    """Return the players that each of nine solution concepts selects from a table of results.

    Parameters
    ----------
    table : array_like, shape (N, N)
        The results of N players against each other. Either a cell is the amount that the row wins from the column, and
        the table is antisymmetric. Instead, it may be the probability that the row wins, as in `rate_players`. Results
        that differ by at most 1e-9 of the largest count as equal.

    Returns
    -------
    mapping of str to array of shape (N,)
        The weight of each player by concept. Weights sum to one, or are all zero if the concept selects no player:

        - 'all tests': the players who have the best result in every test at once (S0). In most problems there is no
          such player [4]_.
        - 'mean': the players with the highest average result (S1).
        - 'tests solved': the players who beat the largest number of other players. In MaxSolve a player solves a test
          if it beats it [2]_.
        - 'security': the players whose worst result is the best.
        - 'Nash': the mixture of players that is the equilibrium of maximum entropy (S2).
        - 'Pareto front': the players who are not weakly dominated, where the result against each opponent is an
          objective (S3; Noble & Watson 2001).
        - 'IPCA': the players who are not weakly dominated if a result only counts as a win or not. Of several players
          who beat the same opponents only the first is selected (S4) [1]_.
        - 'ESS': the evolutionarily stable players, whom no mixture can invade.
        - 'correlated': the players with a positive probability in some correlated equilibrium, with equal weights.

    Notes
    -----
    In a symmetric zero-sum game a properly mixed strategy is never evolutionarily stable: a pure strategy
    of its support draws with it and with itself. So only a player who beats all other players is an ESS. In zero-sum
    games a correlated equilibrium gives positive probability only to strategies of Nash equilibria [3]_.

    References
    ----------
    .. [1] E. D. de Jong, "The Incremental Pareto-Coevolution Archive", GECCO 2004
    .. [2] E. D. de Jong, "The MaxSolve algorithm for coevolution", GECCO 2005
    .. [3] F. Forges, "Correlated equilibrium in two-person zero-sum games", Econometrica 58, 1990
    .. [4] F. A. Oliehoek, E. D. de Jong & N. Vlassis, "The parallel Nash memory for asymmetric games", GECCO 2006,
       section 1

    Examples
    --------
    >>> hands = [[0, -1, 1, 0], [1, 0, -1, 1], [-1, 1, 0, 0], [0, -1, 0, 0]]  # rock, paper, scissors, glass
    >>> for name, weights in apply_solution_concepts(hands).items():
    ...     print(f"{name}: {np.flatnonzero(weights).tolist()}")
    all tests: []
    mean: [1]
    tests solved: [1]
    security: [0, 1, 2, 3]
    Nash: [0, 1, 2]
    Pareto front: [0, 1, 2]
    IPCA: [0, 1, 2]
    ESS: []
    correlated: [0, 1, 2]
    """
    winnings = scale_largest_to_one(convert_results_to_winnings(table))
    is_same_player = np.eye(len(winnings), dtype=np.bool_)
    beats = winnings > EQUALITY_TOLERANCE

    # Whether the row has the best result of all against the opponent in the column.
    has_best_results = winnings >= winnings.max(axis=0) - EQUALITY_TOLERANCE

    # Whether no earlier player beats the same opponents.
    is_first = np.array([not (beats[:i] == row).all(axis=1).any() for i, row in enumerate(beats)])
    weights_by_concept = {
        "all tests": has_best_results.all(axis=1),
        "mean": find_largest_scores(winnings.mean(axis=1)),
        "tests solved": find_largest_scores(beats.sum(axis=1)),
        "security": find_largest_scores(winnings.min(axis=1)),
        "Nash": compute_nash_average(winnings),
        "Pareto front": find_undominated_players(winnings),
        "IPCA": find_undominated_players(beats.astype(np.float64)) & is_first,
        "ESS": (beats | is_same_player).all(axis=1),
        "correlated": find_correlated_support(winnings),
    }
    return {concept: normalize_weights(weights) for concept, weights in weights_by_concept.items()}


@reject_renamed_parameters
def find_correlated_equilibrium(
    row_payoffs: ArrayLike, column_payoffs: ArrayLike, *, objective: ArrayLike | None = None
) -> Floats:
    """Return the correlated equilibrium of a two-player game with the largest sum of payoffs.

    A mediator draws a pair of actions, and recommends to each player its own action without revealing the other. The
    distribution of pairs is a correlated equilibrium if no player gains by deviating from its recommendation (Aumann
    1974).

    Parameters
    ----------
    row_payoffs, column_payoffs : array_like, shape (N, M)
        The payoffs of the row player and of the column player.
    objective : array_like, shape (N, M), optional
        A number for each pair of actions. If it is given, the correlated equilibrium with the largest expected value of
        these numbers is returned instead.

    Returns
    -------
    ndarray of shape (N, M)
        The probability of each pair of actions.

    Raises
    ------
    SettingError
        If a payoff is missing, not finite, or not a number.
    ShapeError
        If the arrays have different shapes, or are not matrices.
    ConvergenceError
        If the linear program fails.

    Notes
    -----
    The payoffs of each player are divided by their largest magnitude first, so the result does not change if all
    payoffs of a player are multiplied by a positive number. Payoffs of a player that differ by at most 1e-9 of the
    largest count as equal.

    Examples
    --------
    >>> chicken = np.array([[6, 2], [7, 0]])  # the row player gives way, or drives on
    >>> find_correlated_equilibrium(chicken, chicken.T).round(3).tolist()  # 10.5 together; mixed equilibrium: 9.3
    [[0.5, 0.25], [0.25, 0.0]]
    """
    from scipy.optimize import linprog

    row_payoff = validate_finite_payoffs(row_payoffs, "the row player")
    column_payoff = validate_finite_payoffs(column_payoffs, "the column player")
    shapes = [row_payoff.shape, column_payoff.shape]
    if objective is None:
        objectives = [row_payoff, column_payoff]
    else:
        objectives = [validate_finite_payoffs(objective, "the objective")]
        shapes.append(objectives[0].shape)
    if len({*shapes}) != 1 or len(shapes[0]) != 2 or 0 in shapes[0]:
        raise ShapeError(f"the tables have shapes {str(shapes)[1:-1]}; give (N, M) each.")

    # The objective is scaled so that its numbers are from 0 to 1, which does not change the solution.
    total = scale_largest_to_one(np.stack(objectives)).sum(axis=0)
    scaled_objective = scale_largest_to_one(set_rounding_errors_to_zero(total - total.min(), 1.0))

    # Variables are the probabilities x of pairs. No deviation may gain: gains @ x <= 0.
    row_gains = compute_deviation_gains(row_payoff)
    column_gains = compute_deviation_gains(column_payoff.T).transpose(0, 2, 1)
    gains = np.concatenate([row_gains, column_gains]).reshape(-1, row_payoff.size)
    sum_to_one = np.ones((1, row_payoff.size))
    solution = linprog(
        -scaled_objective.ravel(), gains, np.zeros(len(gains)), sum_to_one, [1.0], bounds=(0, None)
    )
    if solution.status != 0:
        raise ConvergenceError(
            f"the linear program of {row_payoff.shape} payoffs failed: {solution.message}"
        )
    return np.asarray(solution.x.reshape(row_payoff.shape))


def validate_finite_payoffs(payoffs: ArrayLike, owner: str) -> Floats:
    """Return payoffs as an array of floats, after checking that they are finite numbers.

    Parameters
    ----------
    payoffs : array_like
        The payoffs.
    owner : str
        Whose payoffs they are, for the error message, which calls them 'payoffs of', followed by this name.

    Returns
    -------
    ndarray
        The payoffs.

    Raises
    ------
    SettingError
        If a payoff is missing, infinite, or not a number.
    """
    payoff = validate_numbers(payoffs, f"payoffs of {owner}")
    if not np.isfinite(payoff).all():
        position = ", ".join(map(str, np.argwhere(~np.isfinite(payoff))[0]))
        raise SettingError(
            f"payoffs of {owner} have no finite number at [{position}]. Give a payoff for each pair of actions."
        )
    return payoff


def compute_deviation_gains(payoff: Floats) -> Floats:
    """Return the row player's gain from each deviation from a mediator's recommendation to another action.

    Parameters
    ----------
    payoff : array of shape (N, M)
        The payoffs of the row player, who has N actions; the column player has M.

    Returns
    -------
    array of shape (N (N - 1), N, M)
        Entry [d, i, j] is the gain from deviation d if the mediator draws the pair of actions (i, j). A deviation is a
        pair of a recommended action and another action, and its gain is zero unless i is the recommended one. Gains are
        divided by the largest payoff, and gains that are zero up to rounding are zero.
    """
    scaled_payoff = scale_largest_to_one(payoff)
    num_actions = len(payoff)
    actions = np.arange(num_actions)

    # Entry [i, k, j] is the gain of action k over action i if the column player plays j.
    differences = set_rounding_errors_to_zero(scaled_payoff[None] - scaled_payoff[:, None], 1.0)

    # By recommended action, other action, and pair of actions. Only pairs with the recommended action have a gain.
    gains = np.zeros((num_actions, num_actions, *payoff.shape))
    gains[actions, :, actions] = differences
    is_deviation = actions[:, None] != actions
    return np.asarray(gains[is_deviation])


def find_correlated_support(winnings: Floats) -> Bools:
    """Return which strategies have a positive probability in some correlated equilibrium of a symmetric zero-sum game.

    For each strategy a linear program maximizes its probability, which counts as positive if it is larger than
    `LEAST_PROBABILITY`.

    Parameters
    ----------
    winnings : array of shape (N, N)
        The payoff of the row's strategy against the column's, antisymmetric. The largest entry is 1.

    Returns
    -------
    array of bool, shape (N,)
        Whether each strategy has a positive probability.

    Raises
    ------
    ConvergenceError
        If a linear program fails.
    """
    probabilities = []
    for strategy in range(len(winnings)):
        objective = np.zeros_like(winnings)
        # The expected value of this objective is the probability that the row player gets this strategy.
        objective[strategy] = 1.0
        equilibrium = find_correlated_equilibrium(winnings, -winnings, objective=objective)
        probabilities.append((equilibrium * objective).sum())
    return np.asarray(np.array(probabilities) > LEAST_PROBABILITY)


def find_largest_scores(scores: Floats) -> Bools:
    """Return which scores are equal to the largest one, up to 1e-9.

    Parameters
    ----------
    scores : array of shape (N,)
        The scores, which must be integers, or have magnitudes of at most about 1.

    Returns
    -------
    array of bool, shape (N,)
        Whether each score is the largest one.
    """
    return np.asarray(scores >= scores.max() - EQUALITY_TOLERANCE)


def find_undominated_players(results: Floats) -> Bools:
    """Return which players are not weakly dominated by any other player.

    A player weakly dominates another one if its result is at least as good against every opponent, and better against
    at least one.

    Parameters
    ----------
    results : array of shape (N, M)
        The result of each of N players against each of M opponents. Results that differ by at most
        `EQUALITY_TOLERANCE` count as equal.

    Returns
    -------
    array of bool, shape (N,)
        Whether each player is not dominated.
    """
    # Entry (i, j, k) is whether i has a better result than j against opponent k.
    is_better = results[:, None] > results[None] + EQUALITY_TOLERANCE
    is_better_somewhere = is_better.any(axis=2)
    dominates = is_better_somewhere & ~is_better_somewhere.T
    return np.asarray(~dominates.any(axis=0))


def normalize_weights(weights: ArrayLike) -> Floats:
    """Return weights divided by their sum.

    Parameters
    ----------
    weights : array_like of shape (N,)
        The weights, which are at least 0, or booleans.

    Returns
    -------
    array of shape (N,)
        The weights, which sum to 1. If all weights are zero, they do not change.
    """
    floats = np.asarray(weights, np.float64)
    return np.asarray(floats / (floats.sum() or 1.0))
