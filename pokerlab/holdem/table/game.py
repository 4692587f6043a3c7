"""Tables as games: what is played there, with a name, a fingerprint and a unit.

Solvers hold one of these as their `game`; runs, checkpoints and provenance then say what was played
and refuse to go on with anything else.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import SettingError
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.core.units import CHIPS, RANKS, Unit
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.table.play import play
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.schedule import Schedule
from pokerlab.holdem.table.steps import check_each_once, checked_lineups, stacks_of
from pokerlab.holdem.table.tournament import play_tournaments
from pokerlab.holdem.table.tournament_results import Placed


@dataclass(frozen=True)
class RingGame:
    """A cash game, with fresh stacks every hand or carried ones; make one with `ring_game`.

    Attributes
    ----------
    structure : Structure
        Blinds and sizes of bets.
    stacks : tuple of int
        Chips of each seat at the start of every hand, or of a game if they are carried.
    stacks_carried : bool
        Whether chips stay from hand to hand: see `pokerlab.holdem.play`.
    unit : Unit
        Of what players win: chips.
    """

    structure: Structure
    stacks: tuple[int, ...]
    stacks_carried: bool = False
    unit: Unit = field(default=CHIPS, init=False)

    def __post_init__(self) -> None:
        check_kind("structure", self.structure, Structure, "no_limit(1, 2)")
        switch("stacks_carried", self.stacks_carried)
        object.__setattr__(self, "stacks", stacks_of(len(self.stacks), self.stacks))

    @property
    def num_seats(self) -> int:
        """How many seats a table has."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """What people call the game."""
        blinds = f"{self.structure.small_blind}/{self.structure.big_blind}"
        carried = ", stacks carried" if self.stacks_carried else ""
        return f"{self.structure.kind} hold'em {blinds} with {self.num_seats} seats{carried}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        return digest(self.structure, self.stacks, *(["carried"] if self.stacks_carried else []))

    def play(
        self,
        players: Sequence[Player],
        num_deals: int,
        *,
        seed: int,
        lineups: ArrayLike | None = None,
        **options: Any,
    ) -> Played:
        """Play hands at one table or many; all parameters are those of `pokerlab.holdem.play`.

        Raises
        ------
        SettingError
            If the players or line-ups do not fill the seats, or an option is out of range.
        """
        check_full(self.num_seats, players, lineups)
        return play(
            self.structure,
            players,
            num_deals,
            seed=seed,
            stacks=self.stacks,
            stacks_carried=self.stacks_carried,
            lineups=lineups,
            **options,
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament, so far always of one table; make one with `tournament`.

    Attributes
    ----------
    schedule : Schedule
        The blinds.
    stacks : tuple of int
        Chips of each entrant at the start, by seat.
    unit : Unit
        Of what players are judged by: ranks, 1 for the winner.
    """

    schedule: Schedule
    stacks: tuple[int, ...]
    unit: Unit = field(default=RANKS, init=False)

    def __post_init__(self) -> None:
        example = "doubling(no_limit(5, 10), 50, chips=9000)"
        check_kind("schedule", self.schedule, Schedule, example)
        object.__setattr__(self, "stacks", stacks_of(len(self.stacks), self.stacks))

    @property
    def num_seats(self) -> int:
        """How many seats the table has."""
        return len(self.stacks)

    @property
    def entrants(self) -> int:
        """How many players a tournament begins with."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """What people call the game."""
        first = self.schedule.levels[0]
        blinds = f"{first.small_blind}/{first.big_blind}"
        return f"{first.kind} hold'em tournament from {blinds} with {self.entrants} entrants"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        return digest(self.schedule, self.stacks)

    def play(
        self,
        players: Sequence[Player],
        lineups: ArrayLike | None = None,
        *,
        seed: int,
        **options: Any,
    ) -> Placed:
        """Play one tournament for each line-up; parameters as in `pokerlab.holdem.play_tournaments`.

        Without line-ups one tournament is played, in which player p has seat p.

        Raises
        ------
        SettingError
            If the players or line-ups do not fill the seats, a line-up seats somebody twice, or an
            option is out of range.
        """
        check_full(self.num_seats, players, lineups)
        at_tables = np.arange(self.entrants)[None] if lineups is None else lineups
        check_each_once(checked_lineups(at_tables, len(players)))
        return play_tournaments(
            self.schedule, players, at_tables, seed=seed, stacks=self.stacks, **options
        )


def ring_game(
    structure: Structure,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
    *,
    stacks_carried: bool = False,
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
        Whether chips stay from hand to hand: see `pokerlab.holdem.play`.

    Raises
    ------
    SettingError
        If a number is out of range.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, RANDOM, limit
    >>> game = ring_game(limit(2), seats=3, stacks=200)
    >>> game.name, str(game.unit)
    ("limit hold'em 1/2 with 3 seats", 'chips')
    >>> lineups = [[0, 1, 2], [3, 2, 0]]
    >>> game.play([RANDOM, ALWAYS_CALL] * 2, 50, seed=1, lineups=lineups).hands_of.tolist()
    [100, 50, 100, 50]
    """
    return RingGame(structure, stacks_of(seats, stacks), stacks_carried)


def tournament(
    schedule: Schedule,
    entrants: int = 10,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
) -> Tournament:
    """Return a tournament of one table; tournaments of many are not there yet.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`.
    entrants : int
        Players at the start: as many as the table has seats.
    seats : int
        Seats of the table, 2 to 10.
    stacks : int or sequence of int
        Chips of every entrant, or of each by seat, at the start.

    Raises
    ------
    SettingError
        If a number is out of range, or the entrants do not fill exactly one table.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, RANDOM, doubling, no_limit
    >>> game = tournament(doubling(no_limit(5, 10), 20, chips=3000), entrants=3, seats=3)
    >>> game.play([ALWAYS_FOLD, RANDOM, RANDOM], seed=1).ranks.sum(axis=2).tolist()
    [[6.0]]
    """
    whole("seats", seats, FEWEST_SEATS, MOST_SEATS)
    if whole("entrants", entrants, FEWEST_SEATS, LARGEST_COUNT) < seats:
        raise SettingError(
            f"{entrants} entrants do not fill a table of {seats} seats; give as many, or seats={entrants}."
        )
    if entrants > seats:
        raise SettingError(
            f"{entrants} entrants need more than one table of {seats} seats; so far a tournament has"
            f" one table, so give entrants={seats}."
        )
    return Tournament(schedule, stacks_of(seats, stacks))


def digest(*parts: object) -> str:
    """Return the beginning of the SHA-256 of what dataclasses of numbers and texts say of themselves."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def check_kind(name: str, value: object, kind: type, example: str) -> None:
    """Refuse rules of another kind."""
    if not isinstance(value, kind):
        raise SettingError(f"{name} is {value!r}; give a {kind.__name__}, such as {example}.")


def check_full(num_seats: int, players: Sequence[Player], lineups: ArrayLike | None) -> None:
    """Refuse players or line-ups that do not fill the seats of each table."""
    if lineups is None:
        if len(players) != num_seats:
            raise SettingError(
                f"{len(players)} players are given for {num_seats} seats; give {num_seats} players, or"
                " say who sits where with lineups."
            )
        return
    filled = checked_lineups(lineups, len(players)).shape[1]
    if filled != num_seats:
        raise SettingError(
            f"lineups have {filled} players a table; the game has {num_seats} seats. Give {num_seats}"
            " players a row."
        )
