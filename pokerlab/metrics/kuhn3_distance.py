"""How far a profile of three-player Kuhn poker is from the known equilibria.

Distances are Euclidean, over the chances to bet or call: one number for each information set.
Lanctot (2014), section 4.3, measures over 'the particular probabilities necessary for all players
to minimize their worst-case payoff' and does not say which these are; so there are three here.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.games import Profile
from pokerlab.metrics.kuhn3_family import FIXED, SUB_FAMILIES, FamilyMember, chances_of

STARTS = (0.5, 0.1, 0.9)
"""Where searches begin, on the cube's diagonal; all are tried, since the problem is not convex."""
TOLERANCE = 1e-12
"""Relative change at which a search ends; distances are then right to about its square root."""


class Nearest(NamedTuple):
    """The member of the family nearest to a profile.

    Attributes
    ----------
    member : FamilyMember
        Which one; it fulfils the family's constraints exactly.
    distance : float
        Euclidean, over the 48 chances to bet or call.
    residual : float
        How far the search is from a stationary point: the largest entry of the gradient of half the
        squared distance, on the unit cube, scaled by the way left to its bounds.
    """

    member: FamilyMember
    distance: float
    residual: float


def nearest_member(profile: Profile, sub_family: int | None = None) -> Nearest:
    """Return the known equilibrium of KP(3) nearest to `profile`.

    Parameters
    ----------
    profile : Profile
        A profile of KP(3).
    sub_family : int, optional
        Search only this one; all three if left out.

    Raises
    ------
    GameError
        If the profile belongs to another game.

    Notes
    -----
    Bounded least squares over the unit cube of each sub-family, from several starts.

    Examples
    --------
    >>> import pokerlab as pl
    >>> nearest = nearest_member(pl.games.kuhn(3).uniform())
    >>> nearest.member.sub_family, round(nearest.distance, 3)
    (3, 3.156)
    """
    from scipy.optimize import least_squares

    chances = chances_of(profile)
    found = []
    for which in SUB_FAMILIES if sub_family is None else (sub_family,):

        def difference(point: np.ndarray, which: int = which) -> np.ndarray:
            return (FamilyMember.at(which, point).chances - chances).ravel()

        for start in STARTS:
            within = {"bounds": (0.0, 1.0), "ftol": TOLERANCE, "xtol": TOLERANCE, "gtol": TOLERANCE}
            end = least_squares(difference, np.full(7, start), **within)
            # By rounding the search can stop early at a bound, along which another method goes on.
            further = least_squares(difference, end.x, method="dogbox", **within)
            if further.cost < 0.99 * end.cost:
                end = further
            distance = float(np.sqrt(2.0 * end.cost))
            found.append(Nearest(FamilyMember.at(which, end.x), distance, float(end.optimality)))
    return min(found, key=lambda nearest: nearest.distance)


def family_distance(profile: Profile) -> float:
    """Return the distance of a profile of KP(3) to the nearest known equilibrium."""
    return nearest_member(profile).distance


def fixed_distance(profile: Profile, player: int | None = None) -> float:
    """Return the distance over the chances that all known equilibria share.

    These are 38, or, for one `player` (0-based), 16, 10 and 12. It is a lower bound of
    `family_distance`.

    Raises
    ------
    GameError
        If the profile belongs to another game than KP(3).
    """
    if player is not None:
        profile.game.check_player(player)
    away = chances_of(profile) - FIXED
    chosen = away if player is None else away[player]
    return float(np.linalg.norm(chosen[~np.isnan(chosen)]))
