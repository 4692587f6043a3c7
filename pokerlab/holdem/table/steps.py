"""What cash games and tournaments share: players take their seats, and play hands side by side.

Hands side by side are one loop, `play_on`: look, ask, act, and deal the next hand where one is over. The games differ
in what they do where a hand is over: settle it, and deal the next one or leave the table empty.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Ints, SettingError, inlined, kernel
from pokerlab.core.random_numbers import fraction, number_at
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.core.workers import MOST_WORKERS, heed_stop
from pokerlab.evolution.population.parts import KINDS_OF_ACTION
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.structure import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS, checked_stacks
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.impressions import Impressions, take_note, write_impressions
from pokerlab.holdem.table.players import Company, Player, Rows
from pokerlab.holdem.table.results import Record, Recorder
from pokerlab.holdem.table.view import Tables, write_view

SIDE_BY_SIDE = 512
"""Tables in play at a time: enough to share the calls, few enough for a core's cache."""
FOLDED, CHECKED, CALLED, RAISED = range(4)

Watcher: TypeAlias = Callable[[Tables, Rows], None]
"""Called with the tables and the rows asked, before the actions are checked and done: `tables.views[row]`
is what the seat saw, `tables.actions[row]` what it answered. It may change neither."""


def seated(
    players: Sequence[Player],
    lineups: ArrayLike | None,
    num_seats: int,
    *,
    first: int,
    workers: int,
    most: int = MOST_SEATS,
) -> tuple[Company, Ints]:
    """Return the players and who sits where, (T, n), once all of this is possible; by default all at one table.

    `most` is how many players a line-up may have.
    """
    company = Company(players)
    if lineups is None and len(company) != num_seats:
        raise SettingError(
            f"{len(company)} players are given for {num_seats} seats; give {num_seats} players, or"
            " say who sits where with lineups."
        )
    given = np.arange(num_seats)[None] if lineups is None else lineups
    at_tables = checked_lineups(given, len(company), most)
    if at_tables.shape[1] != num_seats:
        raise SettingError(
            f"lineups have {at_tables.shape[1]} players a table; the game has {num_seats} seats. Give"
            f" {num_seats} players a row."
        )
    whole("first", first, 0, LARGEST_COUNT)
    whole("workers", workers, 1, MOST_WORKERS)
    return company, at_tables


def stacks_of(
    num_seats: int, stacks: int | Sequence[int], most: int = MOST_SEATS
) -> tuple[int, ...]:
    """Return the chips of each seat, given for all at once or one by one; of `most` seats at most."""
    whole("the number of seats", num_seats, FEWEST_SEATS, most)
    given: Sequence[Any] = (
        (stacks,) * num_seats if isinstance(stacks, int | float | np.number) else tuple(stacks)
    )
    if len(given) != num_seats:
        raise SettingError(f"stacks are given for {len(given)} seats; there are {num_seats}.")
    if num_seats <= MOST_SEATS:
        chips = checked_stacks(given, int(np.argmax(given)))
    else:
        each = enumerate(given)
        chips = tuple(whole(f"the stack of seat {seat}", stack, 0) for seat, stack in each)
        whole("the chips of all seats together", sum(chips), 0, MOST_CHIPS)
    if min(chips) == 0:
        raise SettingError(f"stacks are {list(chips)}; each seat needs chips.")
    return chips


def checked_lineups(lineups: ArrayLike, num_players: int, most: int = MOST_SEATS) -> Ints:
    """Return line-ups as an array, once they name players, from 2 to `most` of them."""
    try:
        given = np.asarray(lineups)
    except ValueError:
        raise SettingError(
            "lineups have rows of different lengths; all tables of a call have equally many seats."
        ) from None
    if given.ndim != 2 or not FEWEST_SEATS <= given.shape[1] <= most or given.shape[0] == 0:
        of = "table" if most == MOST_SEATS else "tournament"
        raise SettingError(
            f"lineups have shape {given.shape}; give one row of {FEWEST_SEATS} to {most:,} players for each {of}."
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


def play_on(
    tables: Tables,
    company: Company,
    deal_next: Callable[[Rows], int],
    watchers: Sequence[Watcher] = (),
    *,
    impressions: Impressions | None = None,
    record: bool = False,
) -> tuple[Ints, Record | None]:
    """Play until all tables are empty; return actions by player, street and kind, (players, 4, 4), and the record.

    `deal_next` settles what is over and deals what comes next; it writes the rows at which somebody is to act, and
    returns how many. An answer that is no legal action raises IllegalActionError before any chips have moved.
    """
    counts = np.zeros((len(company), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    recorder = Recorder()
    watching: list[Watcher] = [*watchers, recorder] if record else [*watchers]
    rows = np.empty(tables.match.size, np.intp)
    while True:
        heed_stop()
        asked = rows[: deal_next(rows)]
        if asked.size == 0:
            return counts, recorder.record() if record else None
        look(tables, asked, company.parameters_of, impressions)
        company.act(tables, asked)
        for watcher in watching:
            watcher(tables, asked)
        wrong = act(tables, asked, counts, impressions)
        if wrong >= 0:
            raise company.refusal(tables.views[wrong], float(tables.actions[wrong]))


@kernel
def look(tables: Tables, asked: Rows, parameters_of: Ints, impressions: Impressions | None) -> None:
    """Write the views of the rows `asked`, and a random number for each; no action is known yet."""
    for row in asked:
        tables.actions[row] = np.nan
        write_view(tables, row, parameters_of)
        if impressions is not None:
            write_impressions(impressions, tables, row)
        tables.luck[row] = fraction(number_at(tables.luck_key[row], tables.decision[row]))


@kernel
def act(tables: Tables, asked: Rows, counts: Ints, impressions: Impressions | None) -> int:
    """Do the actions at the rows `asked`, and count them; if one is illegal, do none and return its row."""
    for row in asked:
        if not is_right(tables.views[row], tables.actions[row]):
            return int(row)
    for row in asked:
        action = int(tables.actions[row])
        count(tables.views[row], action, counts)
        if impressions is not None:
            take_note(impressions, row, tables.views[row], action)
        tables.decision[row] += 1
        engine.act(tables.hands[row], action)
    return engine.NOBODY


@inlined
def is_right(view: Ints, action: float) -> bool:
    """Return whether a legal action was answered: a whole number among those seen; NaN is none."""
    choices = engine.Choices(
        view[at.CAN_FOLD] != 0, view[at.TO_CALL], view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    )
    return bool(engine.is_legal(choices, action) and action == np.floor(action))


@inlined
def count(view: Ints, action: int, counts: Ints) -> None:
    """Count an action that was taken with this view."""
    kind = RAISED
    if action == FOLD:
        kind = FOLDED
    elif action == CALL:
        kind = CALLED if view[at.TO_CALL] > 0 else CHECKED
    counts[view[at.PLAYER], view[at.STREET], kind] += 1
