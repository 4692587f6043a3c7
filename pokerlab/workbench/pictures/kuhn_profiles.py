"""Profiles of two-player Kuhn poker that have a name: its equilibria, and a few simple characters."""

from typing import NamedTuple

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.games import Profile, kuhn

LARGEST_ALPHA = 1 / 3
CHARACTERS = ("an equilibrium", "uniform", "always bet", "never bet", "kings only")
"""Who always bets also calls, and who never bets folds to every bet."""


class Range(NamedTuple):
    """Smallest and largest probability of putting a chip in, over all equilibria."""

    low: float
    high: float


def bets(alpha: float) -> dict[tuple[int, str], float]:
    """Return the probability of 'bet' at each information set in the equilibrium `alpha`."""
    return {
        (0, "J"): alpha,
        (0, "Q"): 0.0,
        (0, "K"): 3 * alpha,
        (0, "J, pass-bet"): 0.0,
        (0, "Q, pass-bet"): alpha + 1 / 3,
        (0, "K, pass-bet"): 1.0,
        (1, "J, pass"): 1 / 3,
        (1, "Q, pass"): 0.0,
        (1, "K, pass"): 1.0,
        (1, "J, bet"): 0.0,
        (1, "Q, bet"): 1 / 3,
        (1, "K, bet"): 1.0,
    }


EQUILIBRIUM_RANGES = {
    key: Range(low, high)
    for (key, low), high in zip(bets(0.0).items(), bets(LARGEST_ALPHA).values(), strict=True)
}


def kuhn_equilibrium(alpha: float = 0.2) -> Profile:
    """Return an equilibrium of two-player Kuhn poker.

    Parameters
    ----------
    alpha : float
        How often player 1 bets with a jack, 0 to 1/3; it decides the rest of player 1's behavior.
        Player 2 has only one equilibrium strategy.

    Raises
    ------
    SettingError
        If there is no such equilibrium.

    References
    ----------
    .. [1] H. W. Kuhn, "Simplified two-person poker", Contributions to the Theory of Games, 1950

    Examples
    --------
    >>> import pokerlab as pl
    >>> profile = kuhn_equilibrium(0.25)
    >>> pl.metrics.nash_conv(profile.game, profile) < 1e-12
    True
    """
    if not 0.0 <= alpha <= LARGEST_ALPHA:
        raise SettingError(f"alpha {alpha}; the equilibria of Kuhn poker have alpha from 0 to 1/3.")
    return profile_of(bets(alpha))


def profile_of(bets: dict[tuple[int, str], float]) -> Profile:
    """Return the profile of Kuhn poker with these probabilities of 'bet'."""
    table = {key: {"bet": p, "pass": 1.0 - p} for key, p in bets.items()}
    return Profile.from_table(kuhn(), table)


def kuhn_character(name: str) -> Profile:
    """Return the profile called `name`, one of `CHARACTERS`.

    Raises
    ------
    UnknownNameError
        If there is no profile of this name.
    """
    if name == "an equilibrium":
        return kuhn_equilibrium()
    keys = list(kuhn().infoset_index)
    if name == "uniform":
        return kuhn().uniform()
    if name in ("always bet", "never bet"):
        return profile_of(dict.fromkeys(keys, float(name == "always bet")))
    if name == "kings only":
        return profile_of({key: float(key[1].startswith("K")) for key in keys})
    raise UnknownNameError.among("character", name, CHARACTERS)
