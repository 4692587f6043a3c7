"""Lanctot (2014, section 4.3): how far a profile of three-player Kuhn poker, KP(3), is from the known equilibria.

D. Szafron, R. Gibson, N. Sturtevant, "A Parameterized Family of Equilibrium Profiles for Three-Player Kuhn Poker",
AAMAS 2013.

A profile of KP(3) has 48 probabilities to bet or to call: one for each player, card and situation. In the family of
Szafron et al., 38 of them are the same in all members (`FIXED_PROBABILITIES`). Seven may be chosen within limits that
depend on each other, and three follow from those. The seven are named as in that paper: b for player 2, c for player 3,
then the card, 1 to 4 for J, Q, K, A, then the situation, 1 to 4 as `SITUATIONS` lists them.

Distances are Euclidean, over the probabilities to bet or call: one number for each information set. Lanctot (2014),
section 4.3, measures distances over 'the particular probabilities necessary for all players to minimize their
worst-case payoff' and does not name these probabilities. So there are several distances here (`DISTANCES`), and a
search over all subsets of the 38.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.games import Profile, kuhn
from pokerlab.papers.lanctot2014 import (
    FIXED_PROBABILITIES,
    find_bet_indices,
    measure_distance_from_fixed_probabilities,
    select_bet_probabilities,
)

SUB_FAMILIES = (1, 2, 3)
START_COORDINATES = (0.5, 0.1, 0.9)
"""The coordinates of the starting points of a search. A point has the same value in all seven coordinates. Each is
tried, since the problem is not convex."""
TOLERANCE = 1e-12
"""The relative change at which a search ends; distances are then right to about its square root."""
MAX_FIRST_EVALUATIONS = 50
"""The number of evaluations after which the second least-squares method takes over, since the first one may slow down
near a bound."""
NOTICEABLE_IMPROVEMENT = 0.99
"""The second method's result is taken if its cost is below this share of the first one's."""
SMALLEST_RELEVANT_CHANGE = 1e-4
"""The change of a payoff in chips up to which a probability does not matter, because its information set is never
reached."""
NECESSARY = np.zeros((3, 4, 4), dtype=bool)
"""Whether each probability, by player, card and situation, is one of the 21 that Table 2 of Szafron et al. calls
necessary. The lowest card never calls, nor does the second lowest after a bet and a call. The highest always calls."""
NECESSARY[:, 0, 1:] = NECESSARY[:, 1, 3] = NECESSARY[:, 3, 1:] = True


@dataclass(frozen=True, kw_only=True)
class KnownEquilibrium:
    """One equilibrium of the family of Szafron et al. (2013) in three-player Kuhn poker.

    Seven probabilities to bet or call are free, within limits that depend on each other. They determine all others.

    Attributes
    ----------
    sub_family : {1, 2, 3}
        In sub-family 1 player 3 never bluffs with J (c11 = 0), in sub-family 2 as often as possible (c11 = 1/2), and in
        sub-family 3 c11 lies between.
    b11 : float
        The probability that player 2 bets J after a pass.
    b21 : float
        The probability that player 2 bets Q after a pass.
    b23 : float
        The probability that player 2 calls player 3's bet with Q after player 1 has folded.
    b32 : float
        The probability that player 2 calls player 1's bet with K.
    c11 : float
        The probability that player 3 bets J after two passes.
    c33 : float
        The probability that player 3 calls player 1's bet with K after player 2 has folded.
    c34 : float
        The probability that player 3 calls player 1's bet with K after player 2 has called.
    """

    sub_family: int
    b11: float
    b21: float
    b23: float
    b32: float
    c11: float
    c33: float
    c34: float

    @classmethod
    def from_unit_cube(cls, sub_family: int, point: Floats) -> Self:
        """Return the equilibrium of a sub-family to which a point of the seven-dimensional unit cube is mapped.

        Every point is mapped to an equilibrium, and every equilibrium of the sub-family, or limit of equilibria, is the
        image of some point. So a search over the cube needs no other constraints.

        Parameters
        ----------
        sub_family : {1, 2, 3}
            The sub-family.
        point : array of shape (7,)
            Seven numbers from 0 to 1. Each of them says where a free probability, or a sum or ratio of free
            probabilities, lies between its limits. The limits depend on the coordinates before it.

        Raises
        ------
        UnknownNameError
            If there is no such sub-family.
        """
        # A position says where between its limits a number lies.
        bluff_size, bluff_ratio, c11_position, b23_position, call_position, share_of_b32, c34 = map(
            float, point
        )
        b23, c11 = 0.0, 0.0
        if sub_family == 1:
            b21 = bluff_size / 4
            b11 = bluff_ratio * b21
        elif sub_family == 2:  # b21 <= b11 and b21 <= 1/2 - 2 b11, a triangle
            c11 = 1 / 2
            b21 = bluff_size * bluff_ratio / 6
            b11 = bluff_size * (1 - bluff_ratio) / 4 + b21
            b23 = b23_position * (b11 - b21) / (2 * (1 - b21))
        elif sub_family == 3:
            b11 = b21 = bluff_size / 4
            c11 = c11_position * min(1 / 2, (2 - b11) / (3 + 4 * b11))
        else:
            raise UnknownNameError.from_allowed_names(
                "sub-family", sub_family, map(str, SUB_FAMILIES)
            )

        # The sum of b32 and c33, by which players 2 and 3 call player 1's bet with K.
        call_sum = 1 / 2 + call_position * (3 / 4 * (b11 + b21) + max(b11, b21) / 4)
        return cls(
            sub_family=sub_family,
            b11=b11,
            b21=b21,
            b23=b23,
            b32=share_of_b32 * call_sum,
            c11=c11,
            c33=(1 - share_of_b32) * call_sum,
            c34=c34,
        )

    @property
    def largest_bluff_probability(self) -> float:
        """The larger of player 2's probabilities b11 and b21 to bluff, on which alone the players' utilities depend."""
        return max(self.b11, self.b21)

    @property
    def utilities(self) -> Floats:
        """The expected utilities of the three players in this equilibrium, (3,), in chips."""
        return np.array(
            [
                -(1 / 2 + self.largest_bluff_probability) / 24,
                -1 / 48,
                (1 + self.largest_bluff_probability) / 24,
            ]
        )

    @property
    def bet_probabilities(self) -> Floats:
        """The probabilities to bet or call in this equilibrium, (3, 4, 4), by player, card and situation."""
        jack, queen, king, ace = range(4)
        probabilities = FIXED_PROBABILITIES.copy()
        bluffs = self.b11 + self.b21

        # These are views, so assignments to them change `probabilities`. Player 1 has no free probabilities.
        player_2, player_3 = probabilities[1:]
        player_2[jack, 0] = self.b11
        player_2[queen, 0] = self.b21
        player_2[ace, 0] = 2 * bluffs
        player_2[queen, 2] = self.b23
        player_2[king, 1] = self.b32
        player_2[king, 2] = (
            1 / 2 + bluffs / 2 + self.largest_bluff_probability / 2 - self.b23 * (1 - self.b21)
        )
        player_3[jack, 0] = self.c11
        player_3[queen, 0] = 1 / 2 - self.c11
        player_3[king, 2] = self.c33
        player_3[king, 3] = self.c34
        return probabilities

    def make_profile(self) -> Profile:
        """Return the equilibrium as a profile of three-player Kuhn poker."""
        game = kuhn(3)
        bets = find_bet_indices(game)
        probabilities = np.empty(game.num_probabilities)
        probabilities[bets] = self.bet_probabilities
        probabilities[bets - 1] = 1 - self.bet_probabilities  # to pass or fold
        return Profile(game, probabilities)


class NearestEquilibrium(NamedTuple):
    """The known equilibrium of three-player Kuhn poker that a search found nearest to a profile.

    Attributes
    ----------
    equilibrium : KnownEquilibrium
        The nearest equilibrium.
    distance : float
        The Euclidean distance of its probabilities to bet or call from those of the profile.
    residual : float
        A measure of how far the end of the search is from a local minimum. It is the largest absolute entry of the
        gradient of half the squared distance on the unit cube, scaled by the distance to the bounds of the cube.
    """

    equilibrium: KnownEquilibrium
    distance: float
    residual: float


def find_nearest_known_equilibrium(
    profile: Profile, sub_family: int | None = None, *, included: Bools | None = None
) -> NearestEquilibrium:
    """Return the known equilibrium of three-player Kuhn poker that is nearest to a profile.

    The known equilibria are the family of Szafron et al. (2013), which has three sub-families. Bounded least squares
    searches each sub-family from several starting points.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker.
    sub_family : {1, 2, 3}, optional
        If given, only this sub-family is searched.
    included : array of bool of shape (3, 4, 4), optional
        Whether each probability to bet or call, by player, card and situation, is included in the distance. By default
        all 48 are.

    Returns
    -------
    NearestEquilibrium
        The equilibrium and its distance.

    Raises
    ------
    GameError
        If the profile is of another game.
    UnknownNameError
        If there is no such sub-family.
    """
    is_included = np.ones((3, 4, 4), np.bool_) if included is None else included
    searched_sub_families = SUB_FAMILIES if sub_family is None else (sub_family,)
    results = [
        run_local_search_in_sub_family(profile, number, is_included, coordinate)
        for number in searched_sub_families
        for coordinate in START_COORDINATES
    ]
    return min(results, key=lambda nearest: nearest.distance)


def run_local_search_in_sub_family(
    profile: Profile, sub_family: int, included: Bools, start_coordinate: float
) -> NearestEquilibrium:
    """Search a sub-family of equilibria for the one nearest to a profile, from one starting point.

    The search minimizes the squared distance by bounded least squares. It may end at a local minimum.

    Parameters
    ----------
    profile : Profile
        The profile of three-player Kuhn poker to which the distance is measured.
    sub_family : {1, 2, 3}
        The sub-family that is searched.
    included : array of bool of shape (3, 4, 4)
        Whether each probability to bet or call, by player, card and situation, is included in the distance.
    start_coordinate : float
        The value of all seven coordinates of the starting point in the unit cube, which
        `KnownEquilibrium.from_unit_cube` maps to the sub-family.

    Returns
    -------
    NearestEquilibrium
        The equilibrium at which the search ends, and its distance.
    """
    from scipy.optimize import least_squares

    bet_probabilities = select_bet_probabilities(profile)

    def compute_differences(point: np.ndarray) -> np.ndarray:
        """Return the differences of an equilibrium's included probabilities from those of the profile."""
        equilibrium = KnownEquilibrium.from_unit_cube(sub_family, point)
        differences: np.ndarray = (equilibrium.bet_probabilities - bet_probabilities)[included]
        return differences

    options = {"bounds": (0.0, 1.0), "ftol": TOLERANCE, "xtol": TOLERANCE, "gtol": TOLERANCE}
    start = np.full(7, start_coordinate)
    result = least_squares(compute_differences, start, max_nfev=MAX_FIRST_EVALUATIONS, **options)

    # The first method may become slow near a bound, or end there too early. There "dogbox" makes progress.
    second_result = least_squares(compute_differences, result.x, method="dogbox", **options)
    if second_result.cost < NOTICEABLE_IMPROVEMENT * result.cost:
        result = second_result
    distance = float(np.sqrt(2.0 * result.cost))  # the cost is half the squared distance
    equilibrium = KnownEquilibrium.from_unit_cube(sub_family, result.x)
    return NearestEquilibrium(equilibrium, distance, float(result.optimality))


def find_payoff_relevant_probabilities(profile: Profile) -> Bools:
    """Return which probabilities to bet or call of a profile of three-player Kuhn poker affect a player's payoff.

    A probability is relevant if a change from 0 to 1, with all others as in the profile, changes the expected payoff of
    some player by more than `SMALLEST_RELEVANT_CHANGE`. The information sets of the others are never reached.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker.

    Returns
    -------
    array of bool of shape (3, 4, 4)
        Whether each probability is relevant, by player, card and situation.

    Raises
    ------
    GameError
        If the profile is of another game.
    """
    game = profile.game
    bet_indices = find_bet_indices(game)
    is_relevant = np.empty(bet_indices.shape, np.bool_)
    for index in np.ndindex(bet_indices.shape):
        payoffs = []
        for bet_probability in (0.0, 1.0):
            probabilities = np.array(profile.probabilities)
            probabilities[bet_indices[index]] = bet_probability
            probabilities[bet_indices[index] - 1] = 1 - bet_probability  # to pass or fold
            payoffs.append(game.values(Profile(game, probabilities)))
        largest_change = np.abs(payoffs[1] - payoffs[0]).max()
        is_relevant[index] = largest_change > SMALLEST_RELEVANT_CHANGE
    return is_relevant


def measure_distance_from_nearest_equilibrium(profile: Profile) -> float:
    """Return the Euclidean distance of a profile of three-player Kuhn poker from the nearest known equilibrium.

    It is taken over all 48 probabilities to bet or call.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker. GameError is raised if it is of another game.
    """
    return find_nearest_known_equilibrium(profile).distance


def measure_distance_over_necessary_probabilities(profile: Profile) -> float:
    """Return the Euclidean distance, over 21 probabilities, of a profile of three-player Kuhn poker from equilibrium.

    The 21 are those probabilities to bet or call that Szafron et al. (2013, Table 2) call necessary. They are the same
    in all known equilibria.

    Parameters
    ----------
    profile : Profile
        A profile of three-player Kuhn poker. GameError is raised if it is of another game.
    """
    differences = select_bet_probabilities(profile) - FIXED_PROBABILITIES
    return float(np.linalg.norm(differences[NECESSARY]))


DISTANCES: dict[str, Callable[[Profile], float]] = {
    "nearest member, all 48": measure_distance_from_nearest_equilibrium,
    "the 38 fixed": measure_distance_from_fixed_probabilities,
    "player 2's ten fixed": lambda profile: measure_distance_from_fixed_probabilities(
        profile, player=1
    ),
    "the 21 called necessary": measure_distance_over_necessary_probabilities,
}
"""Functions that return a profile's distance from equilibrium, by the choice of the probabilities over which the paper
may have measured it."""


def measure_error_of_best_probability_subset(
    profiles: Sequence[Profile],
    distances: Floats,
    limited_profiles: Sequence[Profile] = (),
    limit: float = 1.0,
) -> float:
    """Return the smallest error with which any choice of probabilities explains the distances that a paper prints.

    The paper prints the distances of profiles from the equilibria of three-player Kuhn poker, but not over which
    probabilities they are taken. Of the probabilities to bet or call, 38 are the same in all known equilibria
    (`FIXED_PROBABILITIES` of `pokerlab.papers.lanctot2014`). Each subset of the 38 gives every profile a Euclidean
    distance. The error of a subset is the largest relative deviation of a squared distance from the square of the
    printed one. An integer program finds the subset with the smallest error.

    Parameters
    ----------
    profiles : sequence of Profile
        The profiles of three-player Kuhn poker whose distances are printed.
    distances : array of shape (len(profiles),)
        The printed distances.
    limited_profiles : sequence of Profile
        Profiles of which only an upper limit of the distance is printed. The subset must satisfy it.
    limit : float
        The upper limit of these distances.

    Returns
    -------
    float
        The error of the best subset, 0 if it gives all distances exactly.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    # Squared differences of the 38 probabilities, each relative to the printed squared distance of its profile.
    is_fixed = ~np.isnan(FIXED_PROBABILITIES)
    squared_differences = []
    for profile in (*profiles, *limited_profiles):
        differences = select_bet_probabilities(profile) - FIXED_PROBABILITIES
        squared_differences.append(np.square(differences)[is_fixed])
    printed_distances = [*distances, *[limit] * len(limited_profiles)]
    relative_squares = np.array(squared_differences) / np.square(printed_distances)[:, None]

    # The variables are 38 zeros or ones, which choose the subset, and the error. The sum of a profile's relative
    # squared differences over the subset must lie between 1 - error and 1 + error, or below 1 if only a limit is
    # printed.
    num_choices = is_fixed.sum()
    is_exact = np.arange(len(relative_squares)) < len(profiles)
    error_column = is_exact[:, None].astype(float)
    at_most = LinearConstraint(np.hstack([relative_squares, -error_column]), -np.inf, 1.0)
    at_least = LinearConstraint(np.hstack([relative_squares, error_column])[is_exact], 1.0, np.inf)
    program = milp(
        np.append(np.zeros(num_choices), 1.0),  # the error is minimized
        integrality=np.append(np.ones(num_choices), 0.0),
        bounds=Bounds(0.0, np.append(np.ones(num_choices), np.inf)),
        constraints=[at_most, at_least],
    )
    return float(program.fun)
