"""What cash games and tournaments both need before the first hand: players, seats and stacks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.settings import LARGEST_COUNT, switch, whole
from pokerlab.core.threads import MOST_WORKERS
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS, checked_stacks
from pokerlab.holdem.table.players import Company, Player

MOST_SIDE_BY_SIDE = 10**6
SIDE_BY_SIDE = 512
"""Hands in play at a time: enough to share the calls, few enough for a core's cache."""


class Seated(NamedTuple):
    """Players at their tables.

    Attributes
    ----------
    company : Company
        Everybody who may play.
    lineups : ndarray of int64, shape (T, n)
        For each table its players by their numbers, in the order of the seats.
    stacks : tuple of int, length n
        Chips of each seat at the start.
    rotations : int
        How often everything is played, the players moving on one seat each time.
    """

    company: Company
    lineups: Ints
    stacks: tuple[int, ...]
    rotations: int


def seated(
    players: Sequence[Player],
    lineups: ArrayLike | None,
    stacks: int | Sequence[int],
    *,
    duplicates: bool,
    first: int,
    workers: int,
    side_by_side: int,
) -> Seated:
    """Return the players at their tables, once all of this is possible; by default all at one."""
    company = Company(players)
    if lineups is None:
        whole("the number of seats", len(company), FEWEST_SEATS, MOST_SEATS)
        at_tables = np.arange(len(company))[None]
    else:
        at_tables = checked_lineups(lineups, len(company))
    chips = stacks_of(at_tables.shape[1], stacks)
    whole("first", first, 0, LARGEST_COUNT)
    whole("workers", workers, 1, MOST_WORKERS)
    whole("side_by_side", side_by_side, 1, MOST_SIDE_BY_SIDE)
    rotations = len(chips) if switch("duplicates", duplicates) else 1
    return Seated(company, at_tables, chips, rotations)


def stacks_of(num_seats: int, stacks: int | Sequence[int]) -> tuple[int, ...]:
    """Return the chips of each seat, given for all at once or one by one."""
    whole("the number of seats", num_seats, FEWEST_SEATS, MOST_SEATS)
    given: Sequence[Any] = (
        (stacks,) * num_seats if isinstance(stacks, int | float | np.number) else tuple(stacks)
    )
    if len(given) != num_seats:
        raise SettingError(f"stacks are given for {len(given)} seats; there are {num_seats}.")
    chips = checked_stacks(given, int(np.argmax(given)))
    if min(chips) == 0:
        raise SettingError(f"stacks are {list(chips)}; each seat needs chips.")
    return chips


def checked_lineups(lineups: ArrayLike, num_players: int) -> Ints:
    """Return line-ups as an array, once they name players and fit a table."""
    try:
        given = np.asarray(lineups)
    except ValueError:
        raise SettingError(
            "lineups have rows of different lengths; all tables of a call have equally many seats."
        ) from None
    if given.ndim != 2 or not FEWEST_SEATS <= given.shape[1] <= MOST_SEATS or given.shape[0] == 0:
        raise SettingError(
            f"lineups have shape {given.shape}; give one row of {FEWEST_SEATS} to {MOST_SEATS}"
            " players for each table."
        )
    if given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= num_players:
        raise SettingError(
            f"lineups name players by whole numbers from 0 to {num_players - 1}; these are"
            f" {given.dtype} from {given.min()} to {given.max()}."
        )
    return np.ascontiguousarray(given, np.int64)


def check_each_once(lineups: Ints) -> None:
    """Refuse line-ups that seat a player twice."""
    ordered = np.sort(lineups, axis=1)
    tables, places = np.nonzero(ordered[:, 1:] == ordered[:, :-1])
    if tables.size:
        raise SettingError(
            f"line-up {tables[0]} seats player {ordered[tables[0], places[0]]} twice:"
            f" {lineups[tables[0]].tolist()}; a player has one seat at a table."
        )
