"""How good a profile is: NashConv, exploitability, epsilon; gains at each information set, or from random players.

A Nash equilibrium may do anything where play never comes. Sequential equilibria (Kreps & Wilson 1982) may
not. In a profile that gives every action some probability, beliefs everywhere follow from Bayes' rule. If
its `sequential_gains` go to zero along such profiles, their limit is a sequential equilibrium.
"""

from typing import Protocol, TypeVar

import numpy as np

from pokerlab.core import Floats, GameError
from pokerlab.core.errors import name_in_short
from pokerlab.core.settings import check_kind, has_method
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form import check_game, name_sum

P = TypeVar("P", contravariant=True)  # the game's kind of profile


class Game(Protocol[P]):
    """What metrics need from any exact game."""

    @property
    def name(self) -> str:
        """What people call the game."""

    @property
    def num_players(self) -> int:
        """How many players there are."""

    @property
    def payoff_sum(self) -> float | None:
        """What all players win together, if that is always the same: 0 in zero-sum games."""

    def gains(self, profile: P) -> Floats:
        """Return what each player would gain by a best response, (n,)."""

    def nash_conv(self, profile: P) -> float:
        """Return the sum of the gains."""


def exact(game: Game[P]) -> Game[P]:
    """Return the game, after checking that somebody knows the best responses in it."""
    if has_method(game, "gains"):
        return game
    raise GameError(
        f"nobody knows the best responses in {name_in_short(game)}; let strategies meet, and rate"
        " the table of what they win by metrics.ratings. Games with rules have these metrics, such as games.kuhn()."
    )


def nash_conv(game: Game[P], profile: P) -> float:
    """Return the sum over players of what a best response would gain, in the game's unit.

    Zero exactly in the Nash equilibria.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> round(nash_conv(kuhn, kuhn.uniform()), 6)  # 11/12
    0.916667
    """
    return exact(game).nash_conv(profile)


def exploitability(game: Game[P], profile: P) -> float:
    """Return the sum of what the best responses to a profile win, in two-player zero-sum games.

    There the utilities of the profile itself cancel, so that it is the same number as NashConv. In a constant-sum
    game the constant is subtracted.
    The five papers and pokerlab use the word for this sum; others halve it.

    Raises
    ------
    GameError
        If the game is not a two-player zero-sum or constant-sum game, or the profile belongs to another game.
    """
    if exact(game).num_players == 2 and game.payoff_sum is not None:
        return game.nash_conv(profile)
    kind = name_sum(game.payoff_sum)
    raise GameError(
        f"exploitability is defined for two-player zero-sum games; {game.name} is a {kind} game"
        f" for {game.num_players}. Use nash_conv or epsilon."
    )


def epsilon(game: Game[P], profile: P) -> float:
    """Return the largest gain of a single player by a best response (Lanctot 2014, eq. 1).

    The profile is an epsilon-equilibrium for this and every larger number, in the game's unit.
    """
    return float(exact(game).gains(profile).max())


def performance(game: SequenceForm, profile: Profile) -> float:
    """Return what players gain over the uniform baseline when the others play it, summed.

    The sum over players i of `u_i(sigma_i, b_-i) - u_i(b)`, with b uniform (Lanctot 2014, eq. 11).
    """
    instead = "a compiled one, such as games.kuhn(), or use game.values, exploitability or epsilon"
    check_kind("game", game, SequenceForm, instead, GameError)
    game.owned(profile)
    baseline = game.uniform()
    at_baseline = game.values(baseline)
    return sum(
        float(game.values(baseline.replace(player, profile))[player] - at_baseline[player])
        for player in range(game.num_players)
    )


def sequential_gains(game: SequenceForm, profile: Profile) -> Floats:
    """Return what the player at each information set gains by its best plan from there on, (I,).

    It is an expectation given that the information set is reached, in the game's unit, so that a
    mistake counts in full even where play hardly ever comes.

    Raises
    ------
    GameError
        If the profile belongs to another game, or the others never lead to an information set: then nothing
        says what its player believes there.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> gains = sequential_gains(kuhn, kuhn.uniform())
    >>> kuhn.infoset_label[gains.argmax()], round(float(gains.max()), 3)
    ('K, pass-bet', 1.5)
    """
    check_game(game)
    sigma = np.concatenate([np.ones(game.num_players), game.owned(profile)])
    plan = np.concatenate(
        [np.ones(game.num_players), *(profile.plan(p)[1:] for p in range(game.num_players))]
    )
    gains = np.zeros(len(game.num_actions))
    for player in range(game.num_players):
        others = game.chance * np.delete(plan[game.sequence], player, axis=1).prod(axis=1)
        own, won = game.sequence[:, player], others * game.payoff[:, player]
        reach, value, best = (np.bincount(own, at, len(plan)) for at in (others, won, won))
        for infoset in reversed(range(*game.infoset_start[player : player + 2])):
            first = game.first_sequence[infoset]
            here = slice(first, first + game.num_actions[infoset])
            led = float(sigma[here] @ reach[here])
            if led <= 0.0:
                raise GameError(
                    f"nobody leads to '{game.infoset_label[infoset]}' of player {player + 1}; give every action"
                    " of the others some probability."
                )
            played, most = float(sigma[here] @ value[here]), float(best[here].max())
            gains[infoset] = (most - played) / led
            for sums, more in ((reach, led), (value, played), (best, most)):
                sums[game.parent_sequence[infoset]] += more
    return gains
