"""Tournaments as games, with a name, a fingerprint and a unit: see `pokerlab.holdem.table.game`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import SettingError, UnknownNameError
from pokerlab.core.settings import whole
from pokerlab.core.units import RANKS, Unit
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS
from pokerlab.holdem.table.aggressiveness import Aggressiveness, check_aggressiveness
from pokerlab.holdem.table.game import check_full, check_options, digest
from pokerlab.holdem.table.players import Player
from pokerlab.holdem.table.steps import check_each_once, checked_lineups, stacks_of
from pokerlab.holdem.tournaments.results import Placed
from pokerlab.holdem.tournaments.schedule import Schedule
from pokerlab.holdem.tournaments.tournament import (
    MOST_ENTRANTS,
    MOST_HANDS,
    check_schedule,
    checked_seats,
    play_tournaments,
)

FORMS = REFILLED, SMALLEST_BROKEN = "refilled", "smallest broken"


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
        'refilled' or 'smallest broken'.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness, if they do.
    unit : Unit
        Of what players are judged by: ranks, 1 for the winner.
    """

    schedule: Schedule
    stacks: tuple[int, ...]
    num_seats: int = MOST_SEATS
    form: str = FORMS[0]
    aggressiveness: Aggressiveness | None = None
    unit: Unit = field(default=RANKS, init=False)

    def __post_init__(self) -> None:
        check_schedule(self.schedule)
        stacks = stacks_of(len(self.stacks), self.stacks, MOST_ENTRANTS)
        object.__setattr__(self, "stacks", stacks)
        object.__setattr__(self, "num_seats", checked_seats(self.num_seats, len(stacks)))
        UnknownNameError.check("form", self.form, FORMS)
        check_aggressiveness(self.aggressiveness)
        num_levels, last = len(self.schedule.levels), self.schedule.levels[-1].big_blind
        chips, at_end = sum(stacks), num_levels * self.schedule.hands_a_level
        if last < chips:
            raise SettingError(
                f"the big blind stops rising at {last:,}, below the {chips:,} chips of all entrants: two who"
                " fold would play for ever. Give a schedule that goes on, such as"
                f" doubling(no_limit(5, 10), 50, chips={chips})."
            )
        if at_end > MOST_HANDS:
            raise SettingError(
                f"{num_levels} levels of {self.schedule.hands_a_level:,} hands are {at_end:,} hands; after"
                f" {MOST_HANDS:,} a tournament is stopped, and who is left would be ranked by chips. Give at"
                f" most {MOST_HANDS // num_levels:,} hands a level, or fewer levels."
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
        tables = f" at tables of {self.num_seats}" if self.entrants > self.num_seats else ""
        return (
            f"{first.kind} hold'em tournament from {blinds} with {self.entrants} entrants{tables}"
        )

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        # 'kept' stands for a setting that there was once, so that older fingerprints hold.
        how = (self.num_seats, self.form, "kept", self.aggressiveness)
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

        Without line-ups one tournament is played, in which player p has seat p.

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
            "even": self.form == REFILLED,
        }
        check_options("tournament", play_tournaments, options, own)
        check_full(self.entrants, players, lineups, MOST_ENTRANTS)
        given = np.arange(self.entrants)[None] if lineups is None else lineups
        check_each_once(checked_lineups(given, len(players), MOST_ENTRANTS))
        return play_tournaments(self.schedule, players, given, seed=seed, **own, **options)


def tournament(
    schedule: Schedule,
    entrants: int = 10,
    seats: int = 10,
    stacks: int | Sequence[int] = 1000,
    *,
    form: str = "refilled",
    aggressiveness: Aggressiveness | None = None,
) -> Tournament:
    """Return a tournament.

    Parameters
    ----------
    schedule : Schedule
        Blinds, such as `doubling(no_limit(5, 10), 50, chips=9000)`. The last big blind is at least the
        chips of all entrants, so that the end is near there; the levels are at most 10,000 hands long
        together, after which a tournament is stopped.
    entrants : int
        Players at the start, from `seats` to 100,000.
    seats : int
        Seats of a table, 2 to 10.
    stacks : int or sequence of int
        Chips of every entrant, or of each by seat, at the start.
    form : str
        'refilled': tables are broken and refilled as players go out. 'smallest broken': the
        smallest table is broken as soon as the others have seats for its players, and nobody else changes
        tables.
    aggressiveness : Aggressiveness, optional
        How players see each other's aggressiveness; by default they do not.

    Raises
    ------
    SettingError
        If a number is out of range, the entrants do not fill a table, or the schedule ends too soon
        or too late.

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
        aggressiveness,
    )
