"""Distances of a profile from an equilibrium: NashConv, exploitability, epsilon, and gains at each information set.

A Nash equilibrium may prescribe any action at an information set that is never reached. A sequential equilibrium (Kreps
& Wilson 1982) must be optimal there, too. If a profile gives every action a positive probability, the beliefs at all
information sets follow from Bayes' rule. If the `sequential_gains` of a sequence of such profiles converge to zero,
the limit of the profiles is a sequential equilibrium.
"""

from typing import Any, Protocol, TypeVar

import numpy as np

from pokerlab.core import Floats, GameError
from pokerlab.core.errors import describe_by_name
from pokerlab.core.settings import check_kind, has_method
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.rules import classify_payoff_sum
from pokerlab.games.sequence_form import check_game_is_compiled

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


def sequential_gains(game: SequenceForm, profile: Profile) -> Floats:
    """Return for each information set what its player gains by a best response from there on.

    The gain is the expected gain on the condition that the information set is reached. So a mistake has its full weight
    even at an information set that is rarely reached.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    profile : Profile
        A profile of the game.

    Returns
    -------
    array of shape (I,)
        The gain at each of the I information sets, in the game's unit.

    Raises
    ------
    GameError
        If the profile belongs to another game, or if the other players never reach an information set, so that its
        player's beliefs there are not defined.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> gains = sequential_gains(kuhn, kuhn.uniform())
    >>> kuhn.infoset_label[gains.argmax()], round(float(gains.max()), 3)
    ('K, pass-bet', 1.5)
    """
    check_game_is_compiled(game)
    n = game.num_players
    ones = np.ones(n)  # the n empty sequences come first
    sigma = np.concatenate([ones, game.validate_probabilities(profile)])
    non_empty_plans = [profile.plan(player)[1:] for player in range(n)]
    plan = np.concatenate([ones, *non_empty_plans])
    gains = np.zeros(len(game.num_actions))
    for player in range(n):
        fill_sequential_gains(game, player, sigma, plan, gains)
    return gains


def fill_sequential_gains(
    game: SequenceForm, player: int, sigma: Floats, plan: Floats, out_gains: Floats
) -> None:
    """Write one player's gain at each of its information sets into `out_gains`, by one backward pass.

    Parameters
    ----------
    game : SequenceForm
        The game, with I information sets and S sequences.
    player : int
        The player, counted from 0.
    sigma : array of shape (S,)
        The profile: the probability of each sequence at its information set; 1 for empty sequences.
    plan : array of shape (S,)
        The realization plans of all players.
    out_gains : array of shape (I,)
        Overwritten, at the player's information sets, by what the player gains by a best response from there on.

    Raises
    ------
    GameError
        If the other players never reach one of the information sets.
    """
    # The probability that chance and the other players lead to each terminal.
    weights_of_others = np.delete(plan[game.sequence], player, axis=1)
    others_reach = game.chance * weights_of_others.prod(axis=1)
    payoff = others_reach * game.payoff[:, player]
    own_sequence = game.sequence[:, player]

    # These sums cover the terminals at which a sequence ends; the backward pass adds those of later sequences.
    reach = np.bincount(own_sequence, others_reach, len(plan))
    value = np.bincount(own_sequence, payoff, len(plan))
    best_value = np.bincount(own_sequence, payoff, len(plan))

    # The last information set comes first, because parents come before their children.
    first_infoset, end_infoset = game.infoset_start[player : player + 2]
    for infoset in reversed(range(first_infoset, end_infoset)):
        first = game.first_sequence[infoset]
        actions = slice(first, first + game.num_actions[infoset])
        infoset_reach = float(sigma[actions] @ reach[actions])
        if infoset_reach <= 0.0:
            raise GameError(
                f"the others never lead to '{game.infoset_label[infoset]}' of player {player + 1}; give each"
                " of their actions some probability."
            )

        infoset_value = float(sigma[actions] @ value[actions])
        infoset_best = float(best_value[actions].max())
        out_gains[infoset] = (infoset_best - infoset_value) / infoset_reach

        # The information set counts at the sequence that leads to it.
        parent = game.parent_sequence[infoset]
        reach[parent] += infoset_reach
        value[parent] += infoset_value
        best_value[parent] += infoset_best
