"""Tables as games: what is played there, with a name, a fingerprint and a unit.

Solvers hold one of these as their `game`; runs, checkpoints and provenance then say what was played
and refuse to go on with anything else.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import SettingError, UnknownNameError
from pokerlab.core.settings import switch, whole
from pokerlab.core.units import CHIPS, RANKS, Unit
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.table.aggressiveness import Aggressiveness, check_aggressiveness
from pokerlab.holdem.table.play import play
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.schedule import Schedule
from pokerlab.holdem.table.shoot_out import WINNERS_CHIPS, play_shoot_outs
from pokerlab.holdem.table.steps import check_each_once, checked_lineups, stacks_of
from pokerlab.holdem.table.tournament import MOST_ENTRANTS, checked_seats, play_tournaments
from pokerlab.holdem.table.tournament_results import Placed

FORMS = ("refilled", "shoot-out")


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
        UnknownNameError
            If there is no such option, or the game decides it.
        """
        own: dict[str, Any] = {"stacks": self.stacks, "stacks_carried": self.stacks_carried}
        check_options("cash game", play, options, own)
        check_full(self.num_seats, players, lineups)
        return play(
            self.structure, players, num_deals, seed=seed, lineups=lineups, **own, **options
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament at one table or at many; make one with `tournament`.

    Attributes
    ----------
    schedule : Schedule
        The blinds.
    stacks : tuple of int
        Chips of each entrant at the start, by seat.
    num_seats : int
        Seats of a table.
    form : str
        'refilled' or 'shoot-out'.
    winners_chips : str
        What winners of a table take to the next one in a shoot-out: 'kept' or 'reset'.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness, if they do.
    unit : Unit
        Of what players are judged by: ranks, 1 for the winner.
    """

    schedule: Schedule
    stacks: tuple[int, ...]
    num_seats: int = MOST_SEATS
    form: str = FORMS[0]
    winners_chips: str = WINNERS_CHIPS[0]
    aggressiveness: Aggressiveness | None = None
    unit: Unit = field(default=RANKS, init=False)

    def __post_init__(self) -> None:
        example = "doubling(no_limit(5, 10), 50, chips=9000)"
        check_kind("schedule", self.schedule, Schedule, example)
        stacks = stacks_of(len(self.stacks), self.stacks, MOST_ENTRANTS)
        object.__setattr__(self, "stacks", stacks)
        object.__setattr__(self, "num_seats", checked_seats(self.num_seats, len(stacks)))
        UnknownNameError.check("form", self.form, FORMS)
        UnknownNameError.check("way with winners' chips", self.winners_chips, WINNERS_CHIPS)
        check_aggressiveness(self.aggressiveness)
        last, chips = self.schedule.levels[-1].big_blind, sum(stacks)
        if last < chips:
            raise SettingError(
                f"the big blind stops rising at {last:,}, below the {chips:,} chips of all entrants: two who"
                " fold would play for ever. Give a schedule that goes on, such as"
                f" doubling(no_limit(5, 10), 50, chips={chips})."
            )

    @property
    def entrants(self) -> int:
        """How many players a tournament begins with."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """What people call the game."""
        first = self.schedule.levels[0]
        blinds = f"{first.small_blind}/{first.big_blind}"
        kind = "tournament" if self.form == "refilled" else "shoot-out"
        tables = f" at tables of {self.num_seats}" if self.entrants > self.num_seats else ""
        return f"{first.kind} hold'em {kind} from {blinds} with {self.entrants} entrants{tables}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        how = (self.num_seats, self.form, self.winners_chips, self.aggressiveness)
        return digest(self.schedule, self.stacks, *how)

    def play(
        self,
        players: Sequence[Player],
        lineups: ArrayLike | None = None,
        *,
        seed: int,
        **options: Any,
    ) -> Placed:
        """Play one tournament for each line-up; parameters as in `pokerlab.holdem.play_tournaments`.

        Without line-ups one tournament is played, in which player p has seat p. A shoot-out is
        not recorded, and has no duplicates.

        Raises
        ------
        SettingError
            If the players or line-ups do not fill the seats, a line-up seats somebody twice, or an
            option is out of range.
        UnknownNameError
            If there is no such option, or the game decides it.
        """
        own: dict[str, Any] = {
            "stacks": self.stacks,
            "seats": self.num_seats,
            "aggressiveness": self.aggressiveness,
        }
        rules: Callable[..., Placed] = play_tournaments
        if self.form == "shoot-out":
            rules, own = play_shoot_outs, own | {"winners_chips": self.winners_chips}
        check_options(f"{self.form} tournament", rules, options, own)
        check_full(self.entrants, players, lineups, MOST_ENTRANTS)
        given = np.arange(self.entrants)[None] if lineups is None else lineups
        check_each_once(checked_lineups(given, len(players), MOST_ENTRANTS))
        return rules(self.schedule, players, given, seed=seed, **own, **options)


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
    *,
    form: str = "refilled",
    winners_chips: str = "kept",
    aggressiveness: Aggressiveness | None = None,
) -> Tournament:
    """Return a tournament.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`. The last big blind is at least the
        chips of all entrants, so that the end is near there.
    entrants : int
        Players at the start, from `seats` to 100,000.
    seats : int
        Seats of a table, 2 to 10.
    stacks : int or sequence of int
        Chips of every entrant, or of each by seat, at the start.
    form : str
        'refilled': tables are broken and refilled as players go out. 'shoot-out': each table plays down
        to one player, and the winners sit down to new tables.
    winners_chips : str
        In a shoot-out, whether the winners' chips are 'kept' or 'reset' to what they began with.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness; by default they do not.

    Raises
    ------
    SettingError
        If a number is out of range, the entrants do not fill a table, or the schedule ends too soon.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_FOLD, RANDOM, doubling, no_limit
    >>> game = tournament(doubling(no_limit(5, 10), 20, chips=3000), entrants=3, seats=3)
    >>> game.play([ALWAYS_FOLD, RANDOM, RANDOM], seed=1).ranks.sum(axis=2).tolist()
    [[6.0]]
    >>> game = tournament(doubling(no_limit(5, 10), 20, chips=100_000), entrants=100)
    >>> game.name
    "no-limit hold'em tournament from 5/10 with 100 entrants at tables of 10"
    """
    checked_seats(seats, whole("entrants", entrants, FEWEST_SEATS, MOST_ENTRANTS))
    return Tournament(
        schedule,
        stacks_of(entrants, stacks, MOST_ENTRANTS),
        seats,
        form,
        winners_chips,
        aggressiveness,
    )


def digest(*parts: object) -> str:
    """Return the beginning of the SHA-256 of what dataclasses of numbers and texts say of themselves."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def check_kind(name: str, value: object, kind: type, example: str) -> None:
    """Refuse rules of another kind."""
    if not isinstance(value, kind):
        raise SettingError(f"{name} is {value!r}; give a {kind.__name__}, such as {example}.")


def check_options(
    kind: str, rules: Callable[..., Any], options: Iterable[str], own: Iterable[str]
) -> None:
    """Refuse options that `rules` does not have, or that a game has as its `own`."""
    each = signature(rules).parameters.values()
    named = [option.name for option in each if option.kind is option.KEYWORD_ONLY]
    known = [name for name in named if name not in {"seed", "lineups", *own}]
    for name in options:
        UnknownNameError.check(f"option of a {kind}", name, known)


def check_full(
    num_seats: int, players: Sequence[Player], lineups: ArrayLike | None, most: int = MOST_SEATS
) -> None:
    """Refuse players or line-ups that do not fill the seats of each table."""
    if lineups is None:
        if len(players) != num_seats:
            raise SettingError(
                f"{len(players)} players are given for {num_seats} seats; give {num_seats} players, or"
                " say who sits where with lineups."
            )
        return
    filled = checked_lineups(lineups, len(players), most).shape[1]
    if filled != num_seats:
        raise SettingError(
            f"lineups have {filled} players a table; the game has {num_seats} seats. Give {num_seats}"
            " players a row."
        )
