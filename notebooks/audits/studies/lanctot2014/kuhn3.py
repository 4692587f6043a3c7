"""The known equilibria of three-player Kuhn poker, and how far a profile is from them.

Szafron, Gibson & Sturtevant (2013) derived a family of equilibria of KP(3). Each of its 48 numbers
is a chance to bet or to call, of a player with a card in a situation. Of these, 38 are the same in
all members; seven may be chosen within limits that depend on each other; three follow from those.
The seven are named as in the paper: b for player 2, c for player 3, then the card, 1 to 4 for J,
Q, K, A, then the situation, 1 to 4 as `SITUATIONS` lists them.

Distances are Euclidean, over the chances to bet or call: one number for each information set.
Lanctot (2014), section 4.3, measures over 'the particular probabilities necessary for all players
to minimize their worst-case payoff' and does not say which these are, so there are several distances here, and
a search over all subsets.
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
STARTS = (0.5, 0.1, 0.9)
"""Where searches begin, on the cube's diagonal; all are tried, since the problem is not convex."""
TOLERANCE = 1e-12
"""Relative change at which a search ends; distances are then right to about its square root."""
FIRST_STEPS = 50
"""After so many the other method of least squares takes over: at a bound the first one creeps."""
MATTERS = 1e-4
"""Chips: a chance that moves nobody's winnings by more lies off the path."""
NECESSARY = np.zeros((3, 4, 4), dtype=bool)
"""What Table 2 of Szafron et al. calls necessary, 21 values: the lowest card never calls, nor does the second
lowest after a bet and a call; the highest always calls."""
NECESSARY[:, 0, 1:] = NECESSARY[:, 1, 3] = NECESSARY[:, 3, 1:] = True


@dataclass(frozen=True, kw_only=True)
class FamilyMember:
    """One equilibrium of the family.

    Sub-family 1: player 3 never bluffs with J (c11 = 0); 2: as often as possible (c11 = 1/2); 3: between.
    """

    sub_family: int
    b11: float  # how often player 2 bets J after a pass
    b21: float  # the same with Q
    b23: float  # how often player 2 calls player 3's bet with Q when player 1 has folded
    b32: float  # how often player 2 calls player 1's bet with K
    c11: float  # how often player 3 bets J after two passes
    c33: float  # how often player 3 calls player 1's bet with K after player 2 has folded
    c34: float  # the same after player 2 has called

    @classmethod
    def make(cls, sub_family: int, point: Floats) -> Self:
        """Return the member that a point of the unit cube stands for, (7,).

        Every point is a member, and every member of the sub-family, or of its edge, is a point.
        """
        size, tilt, bluff, call_2, calls, share, call_3 = (float(number) for number in point)
        b23, c11 = 0.0, 0.0
        if sub_family == 1:
            b21 = size / 4
            b11 = tilt * b21
        elif sub_family == 2:  # b21 <= b11 and b21 <= 1/2 - 2 b11: a triangle
            c11 = 1 / 2
            b21 = size * tilt / 6
            b11 = size * (1 - tilt) / 4 + b21
            b23 = call_2 * (b11 - b21) / (2 * (1 - b21))
        elif sub_family == 3:
            b11 = b21 = size / 4
            c11 = bluff * min(1 / 2, (2 - b11) / (3 + 4 * b11))
        else:
            raise UnknownNameError.from_allowed("sub-family", sub_family, map(str, SUB_FAMILIES))
        # Against player 1's bet, K calls from both seats together this often.
        both = 1 / 2 + calls * (3 / 4 * (b11 + b21) + max(b11, b21) / 4)
        return cls(
            sub_family=sub_family,
            b11=b11,
            b21=b21,
            b23=b23,
            b32=share * both,
            c11=c11,
            c33=(1 - share) * both,
            c34=call_3,
        )

    @property
    def beta(self) -> float:
        """Player 2's greater chance to bluff, which alone decides who wins what."""
        return max(self.b11, self.b21)

    @property
    def utilities(self) -> Floats:
        """Everybody's expected utility, (3,), in chips."""
        return np.array([-(1 / 2 + self.beta) / 24, -1 / 48, (1 + self.beta) / 24])

    @property
    def chances(self) -> Floats:
        """The chances to bet or call, by player, card and situation, (3, 4, 4)."""
        chances = FIXED.copy()
        both = self.b11 + self.b21
        chances[1, 0, 0], chances[1, 1, 0], chances[1, 3, 0] = self.b11, self.b21, 2 * both
        chances[1, 1, 2], chances[1, 2, 1] = self.b23, self.b32
        chances[1, 2, 2] = 1 / 2 + both / 2 + self.beta / 2 - self.b23 * (1 - self.b21)
        chances[2, 0, 0], chances[2, 1, 0] = self.c11, 1 / 2 - self.c11
        chances[2, 2, 2], chances[2, 2, 3] = self.c33, self.c34
        return chances

    def profile(self) -> Profile:
        """Return the equilibrium as a profile of KP(3)."""
        game = kuhn(3)
        bets = find_bet_positions(game)
        probabilities = np.empty(game.num_probabilities)
        probabilities[bets] = self.chances
        probabilities[bets - 1] = 1 - self.chances
        return Profile(game, probabilities)


class Nearest(NamedTuple):
    """The member of the family nearest to a profile.

    `distance` is Euclidean, over the 48 chances to bet or call. `residual` says how far the search is from a
    stationary point: the largest entry of the gradient of half the squared distance, on the unit cube, scaled by
    the way left to its bounds.
    """

    member: FamilyMember
    distance: float
    residual: float


def find_nearest_member(
    profile: Profile, sub_family: int | None = None, *, counted: Bools | None = None
) -> Nearest:
    """Return the known equilibrium of KP(3) nearest to `profile`, of one sub-family or of all.

    Bounded least squares over the unit cube of each sub-family, from several starts; over all 48 chances, or those
    that are `counted`, (3, 4, 4).
    """
    from scipy.optimize import least_squares

    chances = select_bet_probabilities(profile)
    where = np.ones(chances.shape, np.bool_) if counted is None else counted
    found = []
    for which in SUB_FAMILIES if sub_family is None else (sub_family,):

        def difference(point: np.ndarray, which: int = which) -> np.ndarray:
            away: np.ndarray = (FamilyMember.make(which, point).chances - chances)[where]
            return away

        for start in STARTS:
            within = {"bounds": (0.0, 1.0), "ftol": TOLERANCE, "xtol": TOLERANCE, "gtol": TOLERANCE}
            end = least_squares(difference, np.full(7, start), max_nfev=FIRST_STEPS, **within)
            # This one creeps toward a bound, or stops there early; along it another method goes on.
            further = least_squares(difference, end.x, method="dogbox", **within)
            if further.cost < 0.99 * end.cost:
                end = further
            distance = float(np.sqrt(2.0 * end.cost))
            found.append(Nearest(FamilyMember.make(which, end.x), distance, float(end.optimality)))
    return min(found, key=lambda nearest: nearest.distance)


def on_path(profile: Profile) -> Bools:
    """Return which chances of a profile of KP(3) matter, (3, 4, 4).

    A chance matters if it moves somebody's winnings by more than `MATTERS`, all others as they are; the rest belong
    to situations that never come up.
    """
    bets, game = find_bet_positions(profile.game), profile.game
    matters = np.empty(bets.shape, np.bool_)
    for place in np.ndindex(bets.shape):
        values = []
        for chance in (0.0, 1.0):
            probabilities = np.array(profile.probabilities)
            probabilities[bets[place]], probabilities[bets[place] - 1] = chance, 1 - chance
            values.append(game.values(Profile(game, probabilities)))
        matters[place] = np.abs(values[1] - values[0]).max() > MATTERS
    return matters


def measure_family_distance(profile: Profile) -> float:
    """Return the distance of a profile of KP(3) to the nearest known equilibrium."""
    return find_nearest_member(profile).distance


def measure_necessary_distance(profile: Profile) -> float:
    """Return how far a profile of KP(3) is from the 21 values that are necessary."""
    return float(np.linalg.norm((select_bet_probabilities(profile) - FIXED)[NECESSARY]))


DISTANCES: dict[str, Callable[[Profile], float]] = {
    "nearest member, all 48": measure_family_distance,
    "the 38 fixed": measure_fixed_distance,
    "player 2's ten fixed": lambda profile: measure_fixed_distance(profile, player=1),
    "the 21 called necessary": measure_necessary_distance,
}
"""Four choices of the probabilities over which the paper may have measured its distances."""


def search_nearest_subset(
    profiles: Sequence[Profile],
    distances: Floats,
    limits: Sequence[Profile] = (),
    limit: float = 1.0,
) -> float:
    """Return how near any subset of the 38 fixed chances comes to printed distances of `profiles`.

    An integer program: a chance counts or does not. What is made small is the largest deviation of a
    squared distance, as a share of the printed one's square, while the distances of `limits` stay below `limit`.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    fixed = ~np.isnan(FIXED)
    away = [np.square(select_bet_probabilities(one) - FIXED)[fixed] for one in (*profiles, *limits)]
    shares = np.array(away) / np.square([*distances, *[limit] * len(limits)])[:, None]
    size, equal = fixed.sum(), np.arange(len(shares)) < len(profiles)
    slack = equal[:, None].astype(float)
    program = milp(
        np.append(np.zeros(size), 1.0),
        integrality=np.append(np.ones(size), 0.0),
        bounds=Bounds(0.0, np.append(np.ones(size), np.inf)),
        constraints=[
            LinearConstraint(np.hstack([shares, -slack]), -np.inf, 1.0),
            LinearConstraint(np.hstack([shares, slack])[equal], 1.0, np.inf),
        ],
    )
    return float(program.fun)
