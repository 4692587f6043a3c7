"""The pairings of hold'em: who sits at which table in a generation of a population's coevolution.

`RingGames` are cash games whose players are drawn at random, as in Noble & Watson (2001). `Tournaments` are tournaments
in which all players take part, as in Nicolai & Hilderman (2009). `pokerlab.evolution.population.protocol` explains
pairings.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pokerlab.core import GameError, Ints, SettingError, UnknownNameError, random_stream
from pokerlab.core.settings import check_kind, validate_bool, validate_integer
from pokerlab.core.workers import WorkDivider, run_in_this_thread
from pokerlab.evolution.population.protocol import Genomes, PlayerEncoding, Results, sum_results
from pokerlab.holdem.cards import MOST_DEALS
from pokerlab.holdem.cash_game import CashGameResult, RingGame
from pokerlab.holdem.tournament_game import Tournament, TournamentResult

DRAW_KINDS = ("independent", "balanced")
MOST_GAMES, MOST_HANDS = 10**6, 10**6
MOST_TOURNAMENTS = 10**5  # in a generation


@dataclass(frozen=True, kw_only=True)
class RingGames:
    """Games of several hands at tables drawn at random, as in Noble & Watson (2001).

    Parameters
    ----------
    games : int
        The number of games in a generation, 1 to 10**6.
    hands : int
        The number of hands in a game, 1 to 10**6. All games together may have at most 10**8 hands.
    draw : str
        How the players of a game are drawn. With 'independent' they are drawn from all players, so that some play more
        games than others. With 'balanced' they are drawn from those that have played the fewest games.
    pots : bool
        Whether to count how many chips each player won from each other player, pot by pot.

    Notes
    -----
    The paper says "Strategies selected random table", which reads like independent draws. Its numbers of games and
    hands are lost, so the 200 games of 50 hands are our choice.
    """

    games: int = 200
    hands: int = 50
    draw: str = "independent"
    pots: bool = True

    @property
    def counts(self) -> tuple[str, ...]:
        """The names of the fields of `Results` that these pairings count.

        They are 'won_in_shared_games', and 'won_from' if chips are counted pot by pot.
        """
        return ("won_from", "won_in_shared_games") if self.pots else ("won_in_shared_games",)

    def __post_init__(self) -> None:
        """Check all settings.

        Raises
        ------
        SettingError
            If a number is out of range, or there are too many hands.
        UnknownNameError
            If the way of drawing is unknown.
        """
        validate_integer("games", self.games, 1, MOST_GAMES)
        validate_integer("hands", self.hands, 1, MOST_HANDS)
        UnknownNameError.check("way of drawing", self.draw, DRAW_KINDS)
        validate_bool("pots", self.pots)
        if self.games * self.hands > MOST_DEALS:
            raise SettingError(
                f"{self.games:,} games of {self.hands:,} hands are {self.games * self.hands:,} hands; give at"
                f" most {MOST_DEALS:,} a generation."
            )

    def check_game(self, game: Any, fewest_players: int, most_players: int) -> None:
        """Check that a game is a ring game whose tables the players of a population can fill.

        Parameters
        ----------
        game : object
            The game of the population.
        fewest_players, most_players : int
            The smallest and the largest number of players in a generation. Only the smallest number is checked.

        Raises
        ------
        GameError
            If the game is not a ring game.
        SettingError
            If it has more seats than players.
        """
        expected = "a cash game, such as holdem.ring_game(holdem.limit(2))"
        check_kind("the game of RingGames", game, RingGame, expected, GameError)
        if fewest_players < game.num_seats:
            raise SettingError(
                f"{fewest_players} players do not fill a table of {game.num_seats} seats; give more"
                " strategies, or a game with fewer seats."
            )

    def __call__(
        self,
        game: RingGame,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        work_divider: WorkDivider = run_in_this_thread,
    ) -> Results:
        """Play the ring games of a generation, and return their results.

        Parameters
        ----------
        game : RingGame
            The game that is played.
        encoding : PlayerEncoding
            The encoding that makes players of the genomes.
        genomes : ndarray
            The genomes of all players, one in each row.
        seed, generation : int
            Both decide the line-ups, the cards and the players' random numbers.
        work_divider : callable
            A function that divides the games among workers. It is called with a function and a range of games, and
            returns the results of the parts of the range.

        Returns
        -------
        Results
            The sums of all games.
        """
        lineups = self.draw_lineups(len(genomes), game.num_seats, seed, generation)
        counting_game = replace(game, won_from=self.pots)

        def play_games(first_game: int, end_game: int) -> Results:
            """Return the results of the games `first_game` to `end_game` - 1 of the generation."""
            index_of_first_game = generation * self.games + first_game
            result = counting_game.play(
                encoding.make_players(genomes),
                self.hands,
                seed=seed,
                lineups=lineups[first_game:end_game],
                first=index_of_first_game * self.hands,
            )
            return convert_cash_games_to_results(result)

        return sum_results(work_divider(play_games, 0, self.games))

    def draw_lineups(self, num_players: int, num_seats: int, seed: int, generation: int) -> Ints:
        """Return which players sit at the table of each game, in the order of the seats. Players and seats are random.

        Parameters
        ----------
        num_players : int
            The number of players from which those of each game are drawn.
        num_seats : int
            The number of seats of a table.
        seed, generation : int
            Both decide the random numbers.

        Returns
        -------
        ndarray of int64, shape (games, num_seats)
            The indices of the players, which are different in each row.
        """
        # Each player has a random number in [0, 1) for each game, and the players with the smallest numbers play.
        numbers = random_stream(seed, "line-ups", generation).random((self.games, num_players))
        if self.draw == "independent":
            return np.argsort(numbers, axis=1)[:, :num_seats]

        # Adding the number of games played puts the players with the fewest games first.
        lineups = np.empty((self.games, num_seats), np.int64)
        games_played = np.zeros(num_players)
        for game, numbers_of_game in enumerate(numbers):
            lineups[game] = np.argsort(games_played + numbers_of_game)[:num_seats]
            games_played[lineups[game]] += 1
        # Without this, players with fewer games would sit in the first seats.
        return random_stream(seed, "seats", generation).permuted(lineups, axis=1)


def convert_cash_games_to_results(cash_games: CashGameResult) -> Results:
    """Return the results of cash games in the form that evolution uses.

    For each pair of players that shared a table, the results contain what the first won in these games, and the number
    of hands that both played.

    Parameters
    ----------
    cash_games : CashGameResult
        The result of the games. Each table is one game.

    Returns
    -------
    Results
        The sums over all games, by player. It has no ranks, because cash games have none.
    """
    num_tables, num_seats = cash_games.lineups.shape
    num_players = len(cash_games.names)
    num_rotations = cash_games.chips.shape[1]
    num_hands_per_table = cash_games.num_deals_per_table * num_rotations

    # For each seat of each table the chips won in all hands, and the number of hands won.
    chips_by_table = cash_games.chips.reshape(num_tables, -1, num_seats)
    chips_won = chips_by_table.sum(axis=1)
    hands_won = (chips_by_table > 0).sum(axis=1)

    # All pairs of seats of a table; `np.add.at` adds up pairs that occur several times.
    pairs = cash_games.lineups[:, :, None], cash_games.lineups[:, None, :]
    won_in_shared_games = np.zeros((num_players, num_players), np.int64)
    shared_hands = np.zeros((num_players, num_players), np.int64)
    np.add.at(won_in_shared_games, pairs, chips_won[:, :, None])
    np.add.at(shared_hands, pairs, num_hands_per_table)

    not_counted = np.zeros((0, 0), np.int64)
    return Results(
        num_hands=cash_games.chips[..., 0].size,
        profit=cash_games.won,
        hands=cash_games.hands_played,
        hands_won=cash_games.sum_by_player(hands_won).astype(np.int64),
        actions=cash_games.actions.sum(axis=1),
        ranks=np.zeros((0, num_players)),
        won_from=not_counted if cash_games.won_from is None else cash_games.won_from,
        won_in_shared_games=won_in_shared_games,
        shared_hands=shared_hands,
    )


@dataclass(frozen=True, kw_only=True)
class Tournaments:
    """Tournaments in which all members of a population take part, as in Nicolai & Hilderman (2009).

    Seats are drawn for each tournament.

    Parameters
    ----------
    count : int
        The number of tournaments in a generation, 1 to 100,000.
    """

    count: int = 500
    counts: ClassVar[tuple[str, ...]] = ("ranks",)

    def __post_init__(self) -> None:
        """Check the number of tournaments, and raise SettingError if it is out of range."""
        validate_integer("count", self.count, 1, MOST_TOURNAMENTS)

    def check_game(self, game: Any, fewest_players: int, most_players: int) -> None:
        """Check that a game is a tournament for as many players as a population has.

        Parameters
        ----------
        game : object
            The game of the population.
        fewest_players, most_players : int
            The smallest and the largest number of players in a generation: members of the population and of halls of
            fame. Only the largest number is checked.

        Raises
        ------
        GameError
            If the game is not a tournament.
        SettingError
            If it has another number of entrants.
        """
        blinds = "holdem.make_doubling_schedule(holdem.no_limit(5, 10), 50, chips=10_000)"
        expected = f"one such as holdem.tournament({blinds})"
        check_kind("the game of Tournaments", game, Tournament, expected, GameError)
        if game.entrants != most_players:
            raise SettingError(
                f"the tournament has {game.entrants:,} entrants; populations and halls have {most_players:,} players"
                f" in all. Give a tournament with entrants={most_players}."
            )

    def __call__(
        self,
        game: Tournament,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        work_divider: WorkDivider = run_in_this_thread,
    ) -> Results:
        """Play the tournaments of a generation, in which all players take part, and return their results.

        Parameters
        ----------
        game : Tournament
            The tournament that is played. It is resized to the number of players.
        encoding : PlayerEncoding
            The encoding that makes players of the genomes.
        genomes : ndarray
            The genomes of all players, one in each row.
        seed, generation : int
            Both decide the seats, the cards and the players' random numbers.
        work_divider : callable
            A function that divides the tournaments among workers. It is called with a function and a range of
            tournaments, and yields the results of parts of the range.

        Returns
        -------
        Results
            The sums of all tournaments, and the ranks in each.

        Raises
        ------
        GameError
            If a tournament was stopped before its end.
        """
        resized_game = resize_tournament(game, len(genomes))

        def play_tournaments(first_tournament: int, end_tournament: int) -> Results:
            """Return the results of the tournaments `first_tournament` to `end_tournament` - 1 of the generation."""
            result = resized_game.play(
                encoding.make_players(genomes),
                self.draw_lineups(len(genomes), seed, generation, first_tournament, end_tournament),
                seed=seed,
                first=generation * self.count + first_tournament,
            )
            return convert_tournaments_to_results(result)

        return sum_results(work_divider(play_tournaments, 0, self.count))

    def draw_lineups(
        self,
        num_players: int,
        seed: int,
        generation: int,
        first_tournament: int,
        end_tournament: int,
    ) -> Ints:
        """Return the players of several tournaments in the order of the seats, which is random.

        Parameters
        ----------
        num_players : int
            The number of players. All of them take part in each tournament.
        seed, generation : int
            Both decide the random numbers.
        first_tournament, end_tournament : int
            The tournaments are `first_tournament` to `end_tournament` - 1 of the generation.

        Returns
        -------
        ndarray of int64, shape (end_tournament - first_tournament, num_players)
            The indices of the players. Each row is a permutation.
        """
        # A stream for each tournament, so that its line-up does not depend on how tournaments are divided among
        # workers.
        streams = [
            random_stream(seed, "seating", generation, index)
            for index in range(first_tournament, end_tournament)
        ]
        return np.array([stream.permutation(num_players) for stream in streams])


def resize_tournament(game: Tournament, num_entrants: int) -> Tournament:
    """Return a tournament with the same settings for fewer players.

    A population has fewer players than its tournament as long as its hall of fame is not full.

    Parameters
    ----------
    game : Tournament
        The tournament. It is returned itself if it already has this number of players.
    num_entrants : int
        The new number of players, at most that of the tournament. They get the stacks of the first entrants.

    Returns
    -------
    Tournament
        The tournament. It has fewer seats a table if the players are fewer than the seats.
    """
    if num_entrants == game.entrants:
        return game
    num_seats = min(game.num_seats, num_entrants)
    return replace(game, stacks=game.stacks[:num_entrants], num_seats=num_seats)


def convert_tournaments_to_results(tournaments: TournamentResult) -> Results:
    """Return the results of tournaments in the form that evolution uses.

    Parameters
    ----------
    tournaments : TournamentResult
        The result of the tournaments, which were played in one rotation of the seats.

    Returns
    -------
    Results
        The sums over all tournaments, and the rank of each player in each of them, by player. Nothing is counted by
        pair.

    Raises
    ------
    GameError
        If a tournament was stopped before its end, because the ranks of the players who are left mean little then.
    """
    num_stopped = int((~tournaments.is_finished).sum())
    if num_stopped:
        raise GameError(
            f"{num_stopped:,} of {tournaments.hands.size:,} tournaments were stopped after"
            f" {tournaments.rounds.max():,} hands, before somebody had won; their ranks say nothing."
            " Give a game whose blinds rise faster."
        )

    # From the order of the seats to that of the players.
    num_tournaments, num_players = tournaments.lineups.shape
    ranks = np.empty((num_tournaments, num_players))
    np.put_along_axis(ranks, tournaments.lineups, tournaments.ranks[:, 0], axis=1)

    chips_won = tournaments.chips[:, 0] - np.array(tournaments.stacks)
    profit = tournaments.sum_by_player(chips_won)
    hands = tournaments.sum_by_player(tournaments.rounds_played[:, 0])
    hands_won = tournaments.sum_by_player(tournaments.won[:, 0])
    not_counted = np.zeros((0, 0), np.int64)
    return Results(
        num_hands=int(tournaments.hands.sum()),
        profit=profit.astype(np.int64),
        hands=hands.astype(np.int64),
        hands_won=hands_won.astype(np.int64),
        actions=tournaments.actions.sum(axis=1),
        ranks=ranks,
        won_from=not_counted,
        won_in_shared_games=not_counted,
        shared_hands=not_counted,
    )
