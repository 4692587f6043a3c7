"""Lanctot (2014, section 4.3): how far a profile of three-player Kuhn poker, KP(3), is from the known equilibria.

D. Szafron, R. Gibson, N. Sturtevant, "A Parameterized Family of Equilibrium Profiles for Three-Player Kuhn Poker",
AAMAS 2013.

A profile of KP(3) has 48 probabilities to bet or to call: one for each player, card and situation. In the family of
Szafron et al., 38 of them are the same in all members (`FIXED`). Seven may be chosen within limits that depend on each
other, and three follow from those. The seven are named as in that paper: b for player 2, c for player 3, then the card,
1 to 4 for J, Q, K, A, then the situation, 1 to 4 as `SITUATIONS` lists them.

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
    FIXED,
    find_bet_positions,
    measure_fixed_distance,
    select_bet_probabilities,
)

SUB_FAMILIES = (1, 2, 3)
START_COORDINATES = (0.5, 0.1, 0.9)
"""The value of all seven coordinates at which a search begins. Each is tried, since the problem is not convex."""
TOLERANCE = 1e-12
"""The relative change at which a search ends; distances are then right to about its square root."""
MAX_FIRST_EVALUATIONS = 50
"""The number of evaluations after which the second least-squares method takes over, since the first one may slow down
near a bound."""
NOTICEABLE_IMPROVEMENT = 0.99
"""The second method's result is taken if its cost is below this share of the first one's."""
SMALLEST_RELEVANT_CHANGE = 1e-4
"""In chips: a probability that changes no player's payoff by more than this lies off the path of play."""
NECESSARY = np.zeros((3, 4, 4), dtype=bool)
"""The 21 probabilities, by player, card and situation, that Table 2 of Szafron et al. calls necessary: the lowest card
never calls, nor does the second lowest after a bet and a call; the highest always calls."""
NECESSARY[:, 0, 1:] = NECESSARY[:, 1, 3] = NECESSARY[:, 3, 1:] = True


@dataclass(frozen=True, kw_only=True)
class FamilyMember:
    """One equilibrium of the family, given by its seven free probabilities.

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
        """Return the equilibrium to which a point of the seven-dimensional unit cube is mapped.

        Each point is mapped to a member of the sub-family. Each member, or limit of members, is the image of a point.
        So a search over the cube needs no other constraints.

        Parameters
        ----------
        sub_family : {1, 2, 3}
            The sub-family.
        point : array of shape (7,)
            Seven numbers from 0 to 1, which place the free probabilities between their limits.

        Raises
        ------
        UnknownNameError
            If there is no such sub-family.
        """
        size, tilt, bluff, call_of_bet, calls, share, last_call = map(float, point)
        b23, c11 = 0.0, 0.0
        if sub_family == 1:
            b21 = size / 4
            b11 = tilt * b21
        elif sub_family == 2:  # b21 <= b11 and b21 <= 1/2 - 2 b11, a triangle
            c11 = 1 / 2
            b21 = size * tilt / 6
            b11 = size * (1 - tilt) / 4 + b21
            b23 = call_of_bet * (b11 - b21) / (2 * (1 - b21))
        elif sub_family == 3:
            b11 = b21 = size / 4
            c11 = bluff * min(1 / 2, (2 - b11) / (3 + 4 * b11))
        else:
            raise UnknownNameError.from_allowed_names(
                "sub-family", sub_family, map(str, SUB_FAMILIES)
            )

        # The probabilities of players 2 and 3 to call player 1's bet with K sum to this.
        call_sum = 1 / 2 + calls * (3 / 4 * (b11 + b21) + max(b11, b21) / 4)
        return cls(
            sub_family=sub_family,
            b11=b11,
            b21=b21,
            b23=b23,
            b32=share * call_sum,
            c11=c11,
            c33=(1 - share) * call_sum,
            c34=last_call,
        )

    @property
    def largest_bluff_probability(self) -> float:
        """The larger of player 2's probabilities b11 and b21 to bluff. It alone decides the players' utilities."""
        return max(self.b11, self.b21)

    @property
    def utilities(self) -> Floats:
        """The players' expected utilities, (3,), in chips."""
        return np.array(
            [
                -(1 / 2 + self.largest_bluff_probability) / 24,
                -1 / 48,
                (1 + self.largest_bluff_probability) / 24,
            ]
        )

    @property
    def bet_probabilities(self) -> Floats:
        """The probabilities to bet or call in this equilibrium, by player, card and situation, (3, 4, 4)."""
        jack, queen, king, ace = range(4)
        probabilities = FIXED.copy()
        bluffs = self.b11 + self.b21

        # These are views, so assignments to them change `probabilities`.
        _, player_2, player_3 = probabilities
        player_2[jack, 0], player_2[queen, 0], player_2[ace, 0] = self.b11, self.b21, 2 * bluffs
        player_2[queen, 2], player_2[king, 1] = self.b23, self.b32
        player_2[king, 2] = (
            1 / 2 + bluffs / 2 + self.largest_bluff_probability / 2 - self.b23 * (1 - self.b21)
        )
        player_3[jack, 0], player_3[queen, 0] = self.c11, 1 / 2 - self.c11
        player_3[king, 2], player_3[king, 3] = self.c33, self.c34
        return probabilities

    def make_profile(self) -> Profile:
        """Return the equilibrium as a profile of KP(3)."""
        game = kuhn(3)
        bets = find_bet_positions(game)
        probabilities = np.empty(game.num_probabilities)
        probabilities[bets] = self.bet_probabilities
        probabilities[bets - 1] = 1 - self.bet_probabilities  # to pass or fold
        return Profile(game, probabilities)


class NearestMember(NamedTuple):
    """The member of the family that a search found nearest to a profile.

    Attributes
    ----------
    member : FamilyMember
        The nearest equilibrium.
    distance : float
        The Euclidean distance over the probabilities to bet or call.
    residual : float
        How far the search's end is from a stationary point: the largest entry of the gradient of half the squared
        distance, on the unit cube, scaled by the distance to its bounds.
    """

    member: FamilyMember
    distance: float
    residual: float


def find_nearest_member(
    profile: Profile, sub_family: int | None = None, *, included: Bools | None = None
) -> NearestMember:
    """Return the known equilibrium of three-player Kuhn poker that is nearest to a profile, and its distance.

    It is found by bounded least squares over the unit cube of each sub-family, from several starting points.

    Parameters
    ----------
    profile : Profile
        A profile of KP(3).
    sub_family : {1, 2, 3}, optional
        If given, only members of this sub-family are searched.
    included : array of bool of shape (3, 4, 4), optional
        The probabilities over which the distance is taken. By default all 48.
    """
    is_included = np.ones((3, 4, 4), np.bool_) if included is None else included
    searched = SUB_FAMILIES if sub_family is None else (sub_family,)
    results = [
        run_local_search_in_sub_family(profile, number, is_included, coordinate)
        for number in searched
        for coordinate in START_COORDINATES
    ]
    return min(results, key=lambda nearest: nearest.distance)


def run_local_search_in_sub_family(
    profile: Profile, sub_family: int, included: Bools, start_coordinate: float
) -> NearestMember:
    """Return the member of a sub-family of equilibria at which a local search for the nearest one ends.

    The search begins at one point of the unit cube, and minimizes the squared distance by bounded least squares.

    Parameters
    ----------
    profile : Profile
        The profile of KP(3) to which the distance is measured.
    sub_family : {1, 2, 3}
        The sub-family that is searched.
    included : array of bool of shape (3, 4, 4)
        The probabilities over which the distance is taken.
    start_coordinate : float
        The value of all seven coordinates of the starting point in the unit cube.
    """
    from scipy.optimize import least_squares

    bet_probabilities = select_bet_probabilities(profile)

    def compute_differences(point: np.ndarray) -> np.ndarray:
        """Return the differences of a member's included probabilities from those of the profile."""
        member = FamilyMember.from_unit_cube(sub_family, point)
        differences: np.ndarray = (member.bet_probabilities - bet_probabilities)[included]
        return differences

    options = {"bounds": (0.0, 1.0), "ftol": TOLERANCE, "xtol": TOLERANCE, "gtol": TOLERANCE}
    start = np.full(7, start_coordinate)
    end = least_squares(compute_differences, start, max_nfev=MAX_FIRST_EVALUATIONS, **options)

    # The first method slows down near a bound, or ends there too early. Along a bound "dogbox" goes on.
    second_end = least_squares(compute_differences, end.x, method="dogbox", **options)
    if second_end.cost < NOTICEABLE_IMPROVEMENT * end.cost:
        end = second_end
    distance = float(np.sqrt(2.0 * end.cost))  # the cost is half the squared distance
    member = FamilyMember.from_unit_cube(sub_family, end.x)
    return NearestMember(member, distance, float(end.optimality))


def find_payoff_relevant_probabilities(profile: Profile) -> Bools:
    """Return which probabilities to bet or call change a payoff in three-player Kuhn poker, (3, 4, 4) of bool.

    A probability matters if a change from 0 to 1, with all others as they are in `profile`, changes a player's payoff
    by more than `SMALLEST_RELEVANT_CHANGE`. The others belong to situations that are never reached. The axes are
    player, card and situation.
    """
    game, bets = profile.game, find_bet_positions(profile.game)
    is_relevant = np.empty(bets.shape, np.bool_)
    for index in np.ndindex(bets.shape):
        payoffs = []
        for bet_probability in (0.0, 1.0):
            probabilities = np.array(profile.probabilities)
            probabilities[bets[index]] = bet_probability
            probabilities[bets[index] - 1] = 1 - bet_probability  # to pass or fold
            payoffs.append(game.values(Profile(game, probabilities)))
        largest_change = np.abs(payoffs[1] - payoffs[0]).max()
        is_relevant[index] = largest_change > SMALLEST_RELEVANT_CHANGE
    return is_relevant


def measure_distance_from_nearest_member(profile: Profile) -> float:
    """Return the Euclidean distance of a profile of three-player Kuhn poker from the nearest known equilibrium.

    It is taken over all 48 probabilities to bet or call.
    """
    return find_nearest_member(profile).distance


def measure_distance_over_necessary_probabilities(profile: Profile) -> float:
    """Return the Euclidean distance of a profile of three-player Kuhn poker from the known equilibria.

    It is taken over the 21 probabilities that Szafron et al. (2013, Table 2) call necessary. They are the same in all
    equilibria.
    """
    differences = select_bet_probabilities(profile) - FIXED
    return float(np.linalg.norm(differences[NECESSARY]))


DISTANCES: dict[str, Callable[[Profile], float]] = {
    "nearest member, all 48": measure_distance_from_nearest_member,
    "the 38 fixed": measure_fixed_distance,
    "player 2's ten fixed": lambda profile: measure_fixed_distance(profile, player=1),
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
    """Return how far the best choice of probabilities is from giving the printed distances from equilibrium.

    The 38 fixed probabilities are the same in all known equilibria of three-player Kuhn poker. A subset of them gives
    each profile a Euclidean distance from the equilibria. Its error is the largest relative deviation of a squared
    distance from the square of the printed one. An integer program finds the subset of the least error, and that error
    is returned.

    Parameters
    ----------
    profiles : sequence of Profile
        The profiles of KP(3) whose distances are printed.
    distances : array of shape (len(profiles),)
        The printed distances.
    limited_profiles : sequence of Profile
        Profiles whose distances are only printed to be below `limit`, which the subset must satisfy.
    limit : float
        The upper limit of these distances.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    # Squared differences of the 38 probabilities, each relative to the printed squared distance of its profile.
    is_fixed = ~np.isnan(FIXED)
    squared_differences = []
    for profile in (*profiles, *limited_profiles):
        differences = select_bet_probabilities(profile) - FIXED
        squared_differences.append(np.square(differences)[is_fixed])
    printed_distances = [*distances, *[limit] * len(limited_profiles)]
    relative = np.array(squared_differences) / np.square(printed_distances)[:, None]

    # The variables are 38 zeros or ones, which choose the subset, and the error. The sum of a profile's relative
    # squared differences over the subset must lie between 1 - error and 1 + error, or below 1 where only a limit is
    # printed.
    num_choices = is_fixed.sum()
    is_exact = np.arange(len(relative)) < len(profiles)
    error_column = is_exact[:, None].astype(float)
    at_most = LinearConstraint(np.hstack([relative, -error_column]), -np.inf, 1.0)
    at_least = LinearConstraint(np.hstack([relative, error_column])[is_exact], 1.0, np.inf)
    program = milp(
        np.append(np.zeros(num_choices), 1.0),  # the error is minimized
        integrality=np.append(np.ones(num_choices), 0.0),
        bounds=Bounds(0.0, np.append(np.ones(num_choices), np.inf)),
        constraints=[at_most, at_least],
    )
    return float(program.fun)
