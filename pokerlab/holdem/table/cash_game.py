"""Cash games at one table or many: fresh stacks every hand or chips that stay, and who wins what from whom.

`RingGames` are the matches of a population: games at tables drawn at random.

A game has a name, a fingerprint and a unit. Solvers hold one as their `game`; runs, checkpoints and provenance
then say what was played and refuse to go on with anything else.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    CHIPS,
    Floats,
    GameError,
    Ints,
    SettingError,
    Unit,
    UnknownNameError,
    stream,
)
from pokerlab.core.random_numbers import key_of
from pokerlab.core.settings import check_kind, switch, whole
from pokerlab.core.workers import Share, one_after_another, shared
from pokerlab.evolution.population.parts import Genomes, Met, PlayerEncoding, joined
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.structure import MOST_CHIPS, Structure
from pokerlab.holdem.cards.deck import MOST_DEALS, NUM_CARDS
from pokerlab.holdem.table.cash_hands import Cash, carry_on, deal_next
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.results import Played, Record
from pokerlab.holdem.table.steps import (
    SIDE_BY_SIDE,
    Watcher,
    check_each_once,
    play_on,
    seated,
    stacks_of,
)
from pokerlab.holdem.table.view import Tables

LEFT_OUT = "ante_from='everybody', straddles=(), button_straddle=0, rake=None"
"""What structures also said of themselves when runs were first recorded: fingerprints still have it."""
DRAWS = ("independent", "balanced")
MOST_GAMES, MOST_HANDS = 10**6, 10**6


@dataclass(frozen=True)
class RingGame:
    """A cash game, with fresh stacks every hand or carried ones; `ring_game` makes it and describes the fields."""

    structure: Structure
    stacks: tuple[int, ...]  # at the start of every hand, or of a game if they are carried
    stacks_carried: bool = False
    duplicates: bool = False
    same_deals: bool = False
    won_from: bool = False
    unit: Unit = field(default=CHIPS, init=False)

    def __post_init__(self) -> None:
        check_kind("structure", self.structure, Structure, "a Structure, such as no_limit(1, 2)")
        for name in ("stacks_carried", "duplicates", "same_deals", "won_from"):
            switch(name, getattr(self, name))
        object.__setattr__(self, "stacks", stacks_of(len(self.stacks), self.stacks))

    def default_matches(self) -> "RingGames":
        """Return how a population meets where nothing else is said."""
        return RingGames()

    @property
    def num_seats(self) -> int:
        """How many seats a table has."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """What people call the game."""
        blinds = f"{self.structure.small_blind}/{self.structure.big_blind}"
        how = "".join(f", {way}" for way in self._ways("stacks carried"))
        return f"{self.structure.kind} hold'em {blinds} with {self.num_seats} seats{how}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        return digest(self.structure, self.stacks, *self._ways("carried"))

    def _ways(self, carried: str) -> list[str]:
        """Return what is special, in words; `carried` is that for stacks which are."""
        ways = [carried] * self.stacks_carried + ["duplicates"] * self.duplicates
        return ways + ["same deals"] * self.same_deals

    def play(
        self,
        players: Sequence[Player],
        num_deals: int,
        *,
        seed: int,
        lineups: ArrayLike | None = None,
        first: int = 0,
        record: bool = False,
        watchers: Sequence[Watcher] = (),
        workers: int = 1,
    ) -> Played:
        """Play hands at one table or many; the button moves on one seat with every deal.

        Parameters
        ----------
        players : sequence of Player
            Everybody who may play. A function of a `SeatView` is a player.
        num_deals : int
            How many deals each table plays, 1 to 10**8 for all tables together.
        seed : int
            Of the cards and of the players' luck.
        lineups : array_like of int, shape (T, n), optional
            For each table n different players by their numbers, in the order of the seats: those of the
            first rotation. By default one table, at which player p has seat p.
        first : int
            The number of the first deal: deals 0 to 99 and 100 to 199 make 0 to 199, unless stacks are
            carried, as each call begins new games. The deals of further tables follow those of the first.
        record : bool
            Whether to keep all actions.
        watchers : sequence of callables
            Called with the tables and the rows asked before the actions there are done.
        workers : int
            Threads that share the deals, or the tables if stacks are carried, 1 to 256. More than one only
            where players and watchers are compiled or safe to call at the same time. Results do not depend on it.

        Raises
        ------
        IllegalActionError
            If a player does what is not legal.

        Notes
        -----
        Players see the hands in no fixed order, many at a time: what they remember from one decision
        to the next must be told apart by `SeatView.hand`.
        """
        company, at_tables = seated(players, lineups, self.num_seats, first=first, workers=workers)
        check_each_once(at_tables)
        num_tables, num_seats = at_tables.shape
        rotations = num_seats if self.duplicates else 1
        num_hands = num_tables * whole("num_deals", num_deals, 1, MOST_DEALS)
        if num_hands * rotations > MOST_DEALS:
            raise SettingError(
                f"num_deals is {num_deals:,}, which makes {num_hands * rotations:,} hands; a call plays at"
                f" most {MOST_DEALS:,}. Divide them among several calls."
            )
        if self.stacks_carried and sum(self.stacks) * num_deals > MOST_CHIPS:
            raise SettingError(
                f"stacks carried through {num_deals:,} hands could bring {sum(self.stacks) * num_deals:,} chips to a"
                f" table; at most {MOST_CHIPS:,} are allowed. Play fewer hands a table, or with smaller stacks."
            )
        # Hands that one row plays one after another, so that threads share them as a whole.
        at_a_time = num_deals if self.stacks_carried else 1
        counted = len(company) if self.won_from else 0

        def part(begin: int, end: int) -> tuple[Cash, Ints, Record | None]:
            tables = Tables.empty(min(SIDE_BY_SIDE, (end - begin) * rotations))
            begin, end = begin * at_a_time, end * at_a_time
            tables.hands[:, : engine.SEATS] = engine.structure_words(self.structure)
            tables.hands[:, engine.SEATS] = num_seats
            tables.hands[:, engine.START : engine.START + num_seats] = self.stacks
            cash = Cash(
                lineups=at_tables,
                stacks=np.array(self.stacks),
                num_deals=num_deals,
                same_deals=self.same_deals,
                deal_key=key_of(seed, "deal"),
                luck_key=key_of(seed, "luck"),
                first=first,
                skipped=begin,
                next_up=np.array([begin, *divmod(begin, num_deals), 0]),
                deck=np.empty(NUM_CARDS, np.uint8),
                chips=np.zeros((end - begin, rotations, num_seats), np.int64),
                won_from=np.zeros((counted, counted), np.int64),
            )
            dealer = partial(carry_on if self.stacks_carried else deal_next, tables, cash)
            actions, kept = play_on(tables, company, dealer, watchers, record=record)
            return cash, actions, kept

        parts = shared(part, 0, num_hands // at_a_time, workers=workers)
        cash, actions, records = zip(*parts, strict=True)
        return Played(
            structure=self.structure,
            names=tuple(player.name for player in company.players),
            stacks=self.stacks,
            seed=seed,
            first=first,
            lineups=at_tables,
            chips=np.concatenate([of_part.chips for of_part in cash]),
            stacks_carried=self.stacks_carried,
            same_deals=self.same_deals,
            won_from=np.sum([of_part.won_from for of_part in cash], axis=0) if counted else None,
            actions=np.sum(actions, axis=0),
            record=Record.joined(records) if record else None,
        )


def ring_game(
    structure: Structure,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
    *,
    stacks_carried: bool = False,
    duplicates: bool = False,
    same_deals: bool = False,
    won_from: bool = False,
) -> RingGame:
    """Return a cash game.

    Parameters
    ----------
    structure : Structure
        From `limit` or `no_limit`.
    seats : int
        Seats of a table, 2 to 10.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start of a hand, or of a game if they are carried.
    stacks_carried : bool
        Whether all hands of a table are one game, in which everybody keeps what it has, by the rule of table
        stakes. Nobody takes chips off the table or buys any during a hand; who has less than the big blind
        plays on, all-in for what there is; who has none left buys in again, for as much as at the start. With
        duplicates each rotation is a game.
    duplicates : bool
        Whether each deal is played once for each seat, the players moving on one seat each time, so that
        everybody holds everybody's cards. Players have the same luck in all of them, so that what
        is alike comes out at exactly zero.
    same_deals : bool
        Whether all tables play the same deals, with the same luck. By default each has its own.
    won_from : bool
        Whether to count who won how many chips from whom, into `Played.won_from`.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM, limit
    >>> game = ring_game(limit(2), seats=3, stacks=200)
    >>> game.name, str(game.unit)
    ("limit hold'em 1/2 with 3 seats", 'chips')
    >>> lineups = [[0, 1, 2], [3, 2, 0]]
    >>> game.play([RANDOM, ALWAYS_CALL] * 2, 50, seed=1, lineups=lineups).hands_of.tolist()
    [100, 50, 100, 50]
    >>> duel = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> played = duel.play([ALWAYS_CALL, ALWAYS_RAISE], 50, seed=1)
    >>> played.chips.shape, int(played.chips.sum())
    ((50, 2, 2), 0)
    """
    return RingGame(
        structure, stacks_of(seats, stacks), stacks_carried, duplicates, same_deals, won_from
    )


def round_robin(
    game: RingGame, players: Sequence[Player], num_deals: int, *, seed: int
) -> tuple[Floats, Floats]:
    """Return what each player wins from each other at a table of two, (N, N), and the standard errors, in mbb/hand.

    All pairs play the same deals, so that luck of the cards is common to all; with a game that plays each deal in both
    seats it cancels within a pair, too. `metrics.ratings` takes both tables.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, limit
    >>> game = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> won, errors = round_robin(game, [ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE], 10, seed=1)
    >>> float(won[2, 1]), float(errors[2, 1])  # half a big blind in one seat, a whole one in the other
    (750.0, 0.0)
    """
    pairs = np.array([*combinations(range(len(players)), 2)])
    same = replace(game, same_deals=True)
    chips = same.play(players, num_deals, seed=seed, lineups=pairs).chips[..., 0]
    by_deal = chips.mean(axis=1).reshape(len(pairs), -1) * (1000.0 / game.structure.big_blind)
    won, errors = np.zeros((2, len(players), len(players)))
    won[tuple(pairs.T)] = by_deal.mean(axis=1)
    errors[tuple(pairs.T)] = by_deal.std(axis=1, ddof=1) / np.sqrt(num_deals)
    return won - won.T, errors + errors.T


def digest(*parts: object) -> str:
    """Return the beginning of the SHA-256 of what dataclasses of numbers and texts say of themselves."""
    text = re.sub(r"( ante=\d+)\)", rf"\1, {LEFT_OUT})", repr(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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

    Notes
    -----
    "Strategies selected random table": the text reads like independent draws. Its numbers of games
    and hands are lost; 200 games of 50 hands are ours.
    """

    games: int = 200
    hands: int = 50
    draw: str = "independent"
    pots: bool = True

    @property
    def counts(self) -> tuple[str, ...]:
        """What of `Met` it fills."""
        return ("won_from", "together") if self.pots else ("together",)

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

    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse what is not a ring game, and too few players for a table."""
        instead = "a cash game, such as holdem.ring_game(holdem.limit(2))"
        check_kind("the game of RingGames", game, RingGame, instead, GameError)
        if fewest < game.num_seats:
            raise SettingError(
                f"{fewest} strategies do not fill a table of {game.num_seats} seats; give more"
                " strategies, or a game with fewer seats."
            )

    def play(
        self,
        game: RingGame,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        share: Share = one_after_another,
    ) -> Met:
        """Play the games of a generation; seed and generation name line-ups, cards and the players' luck."""
        lineups = self.lineups(len(genomes), game.num_seats, seed, generation)
        counting = replace(game, won_from=self.pots)

        def part(low: int, high: int) -> Met:
            played = counting.play(
                encoding.players(genomes),
                self.hands,
                seed=seed,
                lineups=lineups[low:high],
                first=(generation * self.games + low) * self.hands,
            )
            return met_in(played)

        return joined(share(part, 0, self.games))

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
    hands_won = (played.chips > 0).reshape(tables, -1, num_seats).sum(axis=1)
    return Met(
        num_hands=played.chips[..., 0].size,
        profit=played.won,
        hands=played.hands_of,
        hands_won=played.by_player(hands_won).astype(np.int64),
        actions=played.actions.sum(axis=1),
        ranks=np.zeros((0, num_players)),
        won_from=np.zeros((0, 0), np.int64) if played.won_from is None else played.won_from,
        together=together[0],
        shared_hands=together[1],
    )
