"""Who meets whom in a ring game: random strategies to each table, for a game of several hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.core.arrays import Ints
from pokerlab.core.settings import switch, whole
from pokerlab.core.streams import stream
from pokerlab.evolution.population.parts import Met
from pokerlab.holdem.cards.cards import MOST_DEALS
from pokerlab.holdem.table.game import RingGame
from pokerlab.holdem.table.players import CompiledPlayer
from pokerlab.holdem.table.results import Played

DRAWS = ("independent", "balanced")
MOST_GAMES, MOST_HANDS = 10**6, 10**6


@dataclass(frozen=True, kw_only=True)
class RingGames:
    """Games of several hands at tables drawn at random, as in Noble & Watson (2001).

    Parameters
    ----------
    games : int
        Games in a generation, 1 to 10**6.
    hands : int
        Hands in a game, 1 to 10**6; in all games together at most 10**8.
    draw : str
        'independent': each game draws its players from everybody, so that some play more games than
        others. 'balanced': each game draws among those who have played fewest.
    pots : bool
        Whether to count who won from whom, pot by pot.

    Raises
    ------
    SettingError
        If a number is out of range, or there are too many hands.

    Notes
    -----
    "Strategies selected random table": the text reads like independent draws. Its numbers of games
    and hands are lost; 200 games of 50 hands are ours.
    """

    games: int = 200
    hands: int = 50
    draw: str = "independent"
    pots: bool = True

    def __post_init__(self) -> None:
        whole("games", self.games, 1, MOST_GAMES)
        whole("hands", self.hands, 1, MOST_HANDS)
        UnknownNameError.check("way of drawing", self.draw, DRAWS)
        switch("pots", self.pots)
        if self.games * self.hands > MOST_DEALS:
            raise SettingError(
                f"{self.games:,} games of {self.hands:,} hands are {self.games * self.hands:,} hands; give at"
                f" most {MOST_DEALS:,} a generation."
            )

    def check(self, game: Any, num_players: int) -> None:
        """Refuse what is not a ring game, a rake where pots count, and too few players for a table."""
        if not isinstance(game, RingGame):
            raise GameError(
                f"ring games are played in a cash game, not in {getattr(game, 'name', repr(game))}; give"
                " one, such as holdem.ring_game(holdem.limit(2))."
            )
        if self.pots and game.structure.rake is not None:
            raise SettingError(
                "what the house rakes is won by nobody, so that pots do not say who won from whom; play"
                " without the rake, or RingGames(pots=False)."
            )
        if num_players < game.num_seats:
            raise SettingError(
                f"{num_players} strategies do not fill a table of {game.num_seats} seats; give more"
                " strategies, or a game with fewer seats."
            )

    def play(
        self,
        game: RingGame,
        players: Sequence[CompiledPlayer],
        *,
        seed: int,
        generation: int,
        workers: int,
    ) -> Met:
        """Play the games of a generation.

        Parameters
        ----------
        game : RingGame
            What is played.
        players : sequence of CompiledPlayer
            Everybody who may be drawn.
        seed, generation : int
            Name the line-ups, the cards and the players' luck.
        workers : int
            Threads that share the hands.
        """
        played = game.play(
            players,
            self.hands,
            seed=seed,
            lineups=self.lineups(len(players), game.num_seats, seed, generation),
            first=generation * self.games * self.hands,
            won_from=self.pots,
            workers=workers,
        )
        return met_in(played)

    def lineups(self, num_players: int, num_seats: int, seed: int, generation: int) -> Ints:
        """Return who plays in each game, (games, seats), in a random order."""
        tickets = stream(seed, "line-ups", generation).random((self.games, num_players))
        if self.draw == "independent":
            return np.argsort(tickets, axis=1)[:, :num_seats]
        drawn = np.empty((self.games, num_seats), np.int64)
        played = np.zeros(num_players)
        for game, ticket in enumerate(tickets):
            drawn[game] = np.argsort(played + ticket)[:num_seats]
            played[drawn[game]] += 1
        return stream(seed, "seats", generation).permuted(drawn, axis=1)


def met_in(played: Played) -> Met:
    """Return what came of a cash game as a generation's results."""
    tables, num_seats = played.lineups.shape
    num_players = len(played.names)
    won = played.chips.reshape(tables, -1, num_seats).sum(axis=1)
    hands_a_table = played.deals_a_table * played.chips.shape[1]
    together = np.zeros((2, num_players, num_players), np.int64)
    pairs = played.lineups[:, :, None], played.lineups[:, None, :]
    np.add.at(together[0], pairs, won[:, :, None])
    np.add.at(together[1], pairs, hands_a_table)
    return Met(
        num_hands=played.chips[..., 0].size,
        profit=played.won,
        hands=played.hands_of,
        won_from=np.zeros((0, 0), np.int64) if played.won_from is None else played.won_from,
        together=together[0],
        shared_hands=together[1],
    )
