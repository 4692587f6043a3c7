"""Distances of a profile from an equilibrium: NashConv, exploitability, and epsilon."""

from typing import Any, Protocol, TypeVar

from pokerlab.core import Floats, GameError
from pokerlab.core.errors import describe_by_name
from pokerlab.core.settings import check_kind, has_method
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.rules import classify_payoff_sum

GameProfile = TypeVar("GameProfile", contravariant=True)
"""The type of a game's profiles, such as `Profile` for a `SequenceForm`."""


class Game(Protocol[GameProfile]):
    """The properties and methods that metrics need from a game in which best responses can be computed."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def num_players(self) -> int:
        """The number of players, n."""

    @property
    def payoff_sum(self) -> float | None:
        """The sum of all players' utilities if it is the same at every terminal, otherwise None."""

    def gains(self, profile: GameProfile) -> Floats:
        """Return how much each player gains by deviating from a profile to a best response.

        Parameters
        ----------
        profile : Profile
            A profile of the game.

        Returns
        -------
        array of shape (n,)
            The increase of each player's expected utility, in the game's unit.
        """

    def nash_conv(self, profile: GameProfile) -> float:
        """Return the sum of all players' gains from deviating from a profile to a best response.

        Parameters
        ----------
        profile : Profile
            A profile of the game.

        Returns
        -------
        float
            NashConv, in the game's unit.
        """


def check_has_best_responses(game: Any) -> None:
    """Raise a GameError unless a game can compute best responses.

    Parameters
    ----------
    game : Any
        The game. It can compute best responses if it has a method `gains`.

    Raises
    ------
    GameError
        If it has no such method.
    """
    if not has_method(game, "gains"):
        raise GameError(
            f"best responses in {describe_by_name(game)} cannot be computed; let strategies play each other, and rate"
            " the table of results by metrics.rate_players. Games with rules have these metrics, such as games.kuhn()."
        )


def nash_conv(game: Game[GameProfile], profile: GameProfile) -> float:
    """Return NashConv: the sum over players of the gain from a best response, in the game's unit.

    It is zero if and only if the profile is a Nash equilibrium.

    Parameters
    ----------
    game : Game
        A game that computes best responses, such as a `SequenceForm`.
    profile : Profile
        A profile of the game.

    Returns
    -------
    float
        NashConv, which is at least 0 up to rounding.

    Raises
    ------
    GameError
        If best responses in the game cannot be computed, or if the profile belongs to another game.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> round(nash_conv(kuhn, kuhn.uniform()), 6)  # 11/12
    0.916667
    """
    check_has_best_responses(game)
    return game.nash_conv(profile)


def exploitability(game: Game[GameProfile], profile: GameProfile) -> float:
    """Return the exploitability of a profile in a two-player zero-sum game, in the game's unit.

    It is the sum over both players of the value of a best response to the other player. The utilities of the profile
    itself cancel, so it equals NashConv. In a constant-sum game the constant is subtracted. The five papers that
    pokerlab audits and pokerlab itself define exploitability as this sum; OpenSpiel and others divide it by two.

    Parameters
    ----------
    game : Game
        A two-player zero-sum or constant-sum game that computes best responses.
    profile : Profile
        A profile of the game.

    Returns
    -------
    float
        The exploitability, which is at least 0 up to rounding.

    Raises
    ------
    GameError
        If the game is not a two-player zero-sum or constant-sum game, or if the profile belongs to another game.
    """
    check_has_best_responses(game)
    if game.num_players != 2 or game.payoff_sum is None:
        kind = classify_payoff_sum(game.payoff_sum)
        raise GameError(
            f"exploitability is defined for two-player zero-sum games; {game.name} is a {kind} game"
            f" for {game.num_players}. Use nash_conv or epsilon."
        )
    return game.nash_conv(profile)


def epsilon(game: Game[GameProfile], profile: GameProfile) -> float:
    """Return the largest gain of a single player from deviating to a best response (Lanctot 2014, eq. 1).

    The profile is an epsilon-equilibrium for this value of epsilon and for every larger one.

    Parameters
    ----------
    game : Game
        A game that computes best responses, such as a `SequenceForm`.
    profile : Profile
        A profile of the game.

    Returns
    -------
    float
        The largest gain, in the game's unit.

    Raises
    ------
    GameError
        If best responses in the game cannot be computed, or if the profile belongs to another game.
    """
    check_has_best_responses(game)
    return float(game.gains(profile).max())


def performance(game: SequenceForm, profile: Profile) -> float:
    """Return what players gain by a profile instead of uniform play, against uniform play (Lanctot 2014, eq. 11).

    It is the sum over players i of `u_i(sigma_i, b_-i) - u_i(b)`, where sigma is the profile and b is the uniform
    profile. So each term is the gain of a player from its strategy in sigma, if all other players play uniformly.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    profile : Profile
        A profile of the game, sigma.

    Returns
    -------
    float
        The performance, in the game's unit.

    Raises
    ------
    GameError
        If the game is not compiled, or if the profile belongs to another game.
    """
    expected = "a compiled one, such as games.kuhn(), or use game.values, exploitability or epsilon"
    check_kind("game", game, SequenceForm, expected, GameError)
    game.validate_probabilities(profile)
    baseline = game.uniform()
    baseline_utilities = game.values(baseline)
    total = 0.0
    for player in range(game.num_players):
        utilities = game.values(baseline.replace(player, profile))  # u(sigma_i, b_-i)
        total += float(utilities[player] - baseline_utilities[player])  # eq. 11
    return total
