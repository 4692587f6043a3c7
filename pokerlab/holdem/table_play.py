"""Play at tables: how players of cash games and tournaments take their seats and play hands side by side.

Many hands are played at the same time by one loop, `play_hands`. In each step it deals the next hand at each table
where a hand is over, writes what the seats to act see, asks their players, and does the actions. Each game passes its
own function that pays and deals hands. A `Record` has every action, if it is requested, and `TableResults` is the
common part of the results of all games.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    Floats,
    Ints,
    SettingError,
    inlined,
    kernel,
)
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.random_numbers import compute_random_bits, convert_bits_to_fraction
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.core.workers import (
    MOST_WORKERS,
    check_cancelled,
)
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
)
from pokerlab.holdem import betting_engine
from pokerlab.holdem import table_view as at
from pokerlab.holdem.aggressiveness import (
    Observations,
    add_action_score,
    write_aggressiveness_into_view,
)
from pokerlab.holdem.betting_structure import FEWEST_SEATS, MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import CALL, FOLD, validate_stacks
from pokerlab.holdem.players import Player, Roster, Rows
from pokerlab.holdem.table_view import Tables, write_view


@dataclass(frozen=True, eq=False)
class Record:
    """All actions of many hands, sorted by match, then by hand, and within a hand in the order of play.

    Attributes
    ----------
    match, hand, action : ndarray of int64, shape (actions,)
        The match and the hand of each action, and the action.
    """

    match: Ints
    hand: Ints
    action: Ints

    def find_actions(self, match: int, hand: int) -> list[int]:
        """Return the actions of one hand, or an empty list if the hand was over as soon as blinds were posted."""
        low, high = np.searchsorted(self.match, [match, match + 1])
        begin, end = low + np.searchsorted(self.hand[low:high], [hand, hand + 1])
        return [int(action) for action in self.action[begin:end]]

    @classmethod
    def merge(cls, records: Sequence["Record"]) -> "Record":
        """Return one record with all actions of several records, sorted by match and hand.

        Actions of the same hand keep the order in which they are given. So if the actions of a hand are divided among
        several records, these records must be given in the order of play.
        """
        match = np.concatenate([record.match for record in records])
        hand = np.concatenate([record.hand for record in records])
        action = np.concatenate([record.action for record in records])
        order = np.lexsort((hand, match))  # a stable sort
        return cls(match[order], hand[order], action[order])


class Recorder:
    """A watcher that records all actions."""

    def __init__(self) -> None:
        self._steps: list[tuple[Ints, Ints, Floats]] = []

    def __call__(self, tables: Tables, rows_to_act: Rows) -> None:
        """Record the actions at the rows in `rows_to_act`, before they are checked and done."""
        self._steps.append(
            (tables.match[rows_to_act], tables.number[rows_to_act], tables.actions[rows_to_act])
        )

    def make_record(self) -> Record:
        """Return the record of all actions."""
        nothing = np.zeros(0, np.int64)
        records = [Record(nothing, nothing, nothing)]
        for match, hand, actions in self._steps:
            records.append(Record(match, hand, actions.astype(np.int64)))
        return Record.merge(records)


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, kw_only=True)
class TableResults:
    """The common part of the results of cash games and of tournaments.

    There are T tables with n seats each, or T tournaments with n entrants each.

    Attributes
    ----------
    names : tuple of str
        The names of the players.
    stacks : tuple of int
        The chips of each seat at the start.
    seed : int
        The seed of the cards and of the players' random numbers.
    first : int
        The index of the first deal, or of the first tournament.
    lineups : ndarray of int64, shape (T, n)
        The players at each table, or in each tournament, by seat.
    actions : ndarray of int64, shape (players, 4, 4)
        The number of actions of each player, on each street and of each kind in `KINDS_OF_ACTION`.
    record : Record or None
        Every action, or None if actions were not recorded.
    """

    names: tuple[str, ...]
    stacks: tuple[int, ...]
    seed: int
    first: int
    lineups: Ints
    actions: Ints
    record: Record | None = None

    @property
    def tables_played(self) -> Ints:
        """The number of seats that each player has in all line-ups together."""
        return np.bincount(self.lineups.ravel(), minlength=len(self.names))

    def sum_by_player(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Return, for each player, the sum of the numbers of its seats at all tables.

        Parameters
        ----------
        numbers : array_like of shape (T, n)
            A number for each of n seats at each of T tables, in the order of the line-ups.

        Returns
        -------
        ndarray of shape (players,)
            The sum of each player, in the order of the roster.
        """
        number_of_seat = np.asarray(numbers, np.float64).ravel()
        sums: NDArray[Any] = np.bincount(
            self.lineups.ravel(), number_of_seat, minlength=len(self.names)
        )
        return sums

    def list_seats(self, table: int = 0, rotation: int = 0) -> tuple[str, ...]:
        """Return the names of the players at a table, in the order of the seats, in one rotation of the seats."""
        lineup = np.roll(self.lineups[table], rotation)
        return tuple(self.names[player] for player in lineup)

    def get_record(self) -> Record:
        """Return the record of all actions, or raise SettingError if actions were not recorded."""
        if self.record is None:
            raise SettingError("no actions were kept; play with record=True.")
        return self.record


FOLD_KIND, CHECK_KIND, CALL_KIND, RAISE_KIND = range(4)

Watcher: TypeAlias = Callable[[Tables, Rows], None]
"""A function that is called with the tables and the rows at which a seat has acted, before the actions are checked and
done. `tables.views[row]` is what the seat sees, and `tables.actions[row]` is its action. It must not change them."""


def validate_roster_and_lineups(
    players: Sequence[Player],
    lineups: ArrayLike | None,
    num_seats: int,
    *,
    first: int,
    workers: int,
    max_seats: int = MOST_SEATS,
) -> tuple[Roster, Ints]:
    """Return the roster of players and their line-ups, after checking that they fit the game.

    Parameters
    ----------
    players : sequence of Player
        All players that may take part.
    lineups : array_like of int, shape (T, n), or None
        The indices of the n players at each of T tables, by seat. If None, there is one table, at which player p sits
        in seat p.
    num_seats : int
        The number of seats n of the game.
    first, workers : int
        The index of the first deal or tournament, and the number of threads. They are only checked here.
    max_seats : int
        The largest number of seats of a line-up.

    Returns
    -------
    roster : Roster
        The players, grouped by their kernels.
    lineups : ndarray of int64, shape (T, n)
        The indices of the n players at each of T tables.

    Raises
    ------
    SettingError
        If players, line-ups and seats do not fit, or a number is out of range.
    """
    roster = Roster(players)
    if lineups is None and len(roster) != num_seats:
        raise SettingError(
            f"{len(roster)} players are given for {num_seats} seats; give {num_seats} players, or"
            " say who sits where with lineups."
        )
    one_table = np.arange(num_seats)[None]
    checked = validate_lineups(one_table if lineups is None else lineups, len(roster), max_seats)
    if checked.shape[1] != num_seats:
        raise SettingError(
            f"lineups have {checked.shape[1]} players a table; the game has {num_seats} seats. Give"
            f" {num_seats} players a row."
        )
    validate_integer("first", first, 0, LARGEST_COUNT)
    validate_integer("workers", workers, 1, MOST_WORKERS)
    return roster, checked


def validate_seat_stacks(
    num_seats: int, stacks: int | Sequence[int], max_seats: int = MOST_SEATS
) -> tuple[int, ...]:
    """Return the chips of each seat as ints, given one number for all seats or a number for each seat.

    Parameters
    ----------
    num_seats : int
        The number of seats.
    stacks : int or sequence of int
        The chips of every seat, or a number for each seat.
    max_seats : int
        The largest number of seats.

    Raises
    ------
    SettingError
        If there are more than `max_seats` seats, a number is out of range, or a seat has no chips.
    """
    validate_integer("the number of seats", num_seats, FEWEST_SEATS, max_seats)
    if isinstance(stacks, int | float | np.number):
        given: Sequence[Any] = (stacks,) * num_seats
    else:
        given = tuple(stacks)
    if len(given) != num_seats:
        raise SettingError(f"stacks are given for {len(given)} seats; there are {num_seats}.")

    fits_one_table = num_seats <= MOST_SEATS
    if fits_one_table:
        # The check of a hand also needs a button, at a seat with chips.
        chips = validate_stacks(given, int(np.argmax(given)))
    else:
        chips = tuple(
            validate_integer(f"the stack of seat {seat}", stack, 0)
            for seat, stack in enumerate(given)
        )
        validate_integer("the chips of all seats together", sum(chips), 0, MOST_CHIPS)
    if min(chips) == 0:
        raise SettingError(f"stacks are {list(chips)}; each seat needs chips.")
    return chips


def validate_lineups(lineups: ArrayLike, num_players: int, max_seats: int = MOST_SEATS) -> Ints:
    """Return line-ups as an array, after checking that each row has 2 to `max_seats` indices of players.

    Parameters
    ----------
    lineups : array_like of int, shape (T, n)
        The indices of the n players at each of T tables.
    num_players : int
        The number of players.
    max_seats : int
        The largest number of players in a row.

    Returns
    -------
    ndarray of int64, shape (T, n)
        The indices of the n players at each of T tables.

    Raises
    ------
    SettingError
        If the shape does not fit, or there is no such player.
    """
    try:
        given = np.asarray(lineups)
    except ValueError:
        raise SettingError(
            "lineups have rows of different lengths; all tables of a call have equally many seats."
        ) from None
    if given.ndim != 2 or not FEWEST_SEATS <= given.shape[1] <= max_seats or given.shape[0] == 0:
        place = "table" if max_seats == MOST_SEATS else "tournament"
        raise SettingError(
            f"lineups have shape {given.shape}; give one row of {FEWEST_SEATS} to {max_seats:,} players for each"
            f" {place}."
        )
    if given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= num_players:
        raise SettingError(
            f"lineups name players by whole numbers from 0 to {num_players - 1}; these are"
            f" {given.dtype} from {given.min()} to {given.max()}."
        )
    return np.ascontiguousarray(given, np.int64)


def check_players_have_one_seat(lineups: Ints) -> None:
    """Raise SettingError if a player has two seats in the same line-up; `lineups` has shape (T, n)."""
    in_order = np.sort(lineups, axis=1)
    tables, places = np.nonzero(in_order[:, 1:] == in_order[:, :-1])
    if tables.size:
        player = in_order[tables[0], places[0]]
        raise SettingError(
            f"line-up {tables[0]} seats player {player} twice:"
            f" {lineups[tables[0]].tolist()}; a player has one seat at a table."
        )


def play_hands(
    tables: Tables,
    roster: Roster,
    deal_next: Callable[[Rows], int],
    watchers: Sequence[Watcher] = (),
    *,
    observations: Observations | None = None,
    record: bool = False,
) -> tuple[Ints, Record | None]:
    """Play hands at many tables at the same time until all tables are empty.

    Each step of the loop deals the next hands where hands are over, writes what the seats to act see, asks their
    players, and does the actions.

    Parameters
    ----------
    tables : Tables
        The tables, which are changed.
    roster : Roster
        The players.
    deal_next : callable
        A function that pays the hands that are over and deals the next ones. It writes the rows of the tables at which
        a seat is to act into the array that it is given, and returns their number; 0 ends the loop.
    watchers : sequence of callables
        Functions that are called before the actions of each step, with the tables and with these rows.
    observations : Observations, optional
        What players have seen of each other's aggressiveness.
    record : bool
        Whether to record all actions.

    Returns
    -------
    counts : ndarray of int64, shape (players, 4, 4)
        The number of actions of each player, on each street and of each kind in `KINDS_OF_ACTION`.
    record : Record or None
        All actions, or None if they are not recorded.

    Raises
    ------
    IllegalActionError
        If a player's action is not legal. No action of that step is done then.
    """
    counts = np.zeros((len(roster), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    recorder = Recorder()
    all_watchers: list[Watcher] = [*watchers, recorder] if record else [*watchers]
    rows = np.empty(tables.match.size, np.intp)
    while True:
        check_cancelled()
        rows_to_act = rows[: deal_next(rows)]
        if rows_to_act.size == 0:
            return counts, recorder.make_record() if record else None
        write_views(tables, rows_to_act, roster.parameter_rows, observations)
        roster.ask_players(tables, rows_to_act)
        for watcher in all_watchers:
            watcher(tables, rows_to_act)
        illegal_row = apply_actions(tables, rows_to_act, counts, observations)
        if illegal_row >= 0:
            action = float(tables.actions[illegal_row])
            raise roster.make_illegal_action_error(tables.views[illegal_row], action)


@kernel
def write_views(
    tables: Tables, rows_to_act: Rows, parameter_rows: Ints, observations: Observations | None
) -> None:
    """Write what the seats to act see and a random number for each of them, and set their actions to NaN.

    Parameters
    ----------
    tables : Tables
        Overwritten at the rows `rows_to_act`.
    rows_to_act : ndarray of int
        The rows of the tables at which a seat is to act.
    parameter_rows : ndarray of int64, shape (players,)
        The row of each player among the parameters of its kernel.
    observations : Observations or None
        What players have seen of each other, if the game keeps it.
    """
    for row in rows_to_act:
        tables.actions[row] = np.nan
        write_view(tables, row, parameter_rows)
        if observations is not None:
            write_aggressiveness_into_view(observations, tables, row)
        tables.uniforms[row] = convert_bits_to_fraction(
            compute_random_bits(tables.random_key[row], tables.decision[row])
        )


@kernel
def apply_actions(
    tables: Tables, rows_to_act: Rows, counts: Ints, observations: Observations | None
) -> int:
    """Do and count the actions of the seats to act. If one of them is illegal, do none and return its row.

    Parameters
    ----------
    tables : Tables
        It holds the actions; hands at the rows `rows_to_act` are changed.
    rows_to_act : ndarray of int
        The rows of the tables at which a seat has acted.
    counts : ndarray of int64, shape (players, 4, 4)
        The actions are added to it, by player, street and `KINDS_OF_ACTION`.
    observations : Observations or None
        The actions are added to what players have seen of each other, if the game keeps it.

    Returns
    -------
    int
        The row of the first table with an illegal action, or NOBODY, -1, if all actions are legal.
    """
    for row in rows_to_act:
        if not is_legal_action_number(tables.views[row], tables.actions[row]):
            return int(row)

    for row in rows_to_act:
        action = int(tables.actions[row])
        count_action(tables.views[row], action, counts)
        if observations is not None:
            add_action_score(observations, row, tables.views[row], action)
        tables.decision[row] += 1
        betting_engine.apply_action(tables.hands[row], action)
    return betting_engine.NOBODY


@inlined
def is_legal_action_number(view: Ints, number: float) -> bool:
    """Return whether the number that a player has given is a legal action in this view.

    FOLD, CALL and the chips to raise to are whole numbers, so fractions are not legal. Neither is NaN, which a player
    that gave no action has left.
    """
    legal = betting_engine.Choices(
        view[at.CAN_FOLD] != 0, view[at.TO_CALL], view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    )
    return bool(betting_engine.is_legal_action(legal, number) and number == np.floor(number))


@inlined
def count_action(view: Ints, action: int, counts: Ints) -> None:
    """Add an action taken in this view to the counts of actions.

    The counts are by player, street and `KINDS_OF_ACTION`, of shape (players, 4, 4).
    """
    kind = RAISE_KIND
    if action == FOLD:
        kind = FOLD_KIND
    elif action == CALL:
        kind = CALL_KIND if view[at.TO_CALL] > 0 else CHECK_KIND
    counts[view[at.PLAYER], view[at.STREET], kind] += 1


FORMER_TEXTS = {
    r"( ante=\d+), ante_from='each player'\)": r"\1, ante_from='everybody')",
    r"( ante=\d+, ante_from='[^']+')\)": r"\1, straddles=(), button_straddle=0, rake=None)",
    r"( raised='[^']+')(, window=\d+, shared=\w+)\)": r"\1, recent='hands'\2, kept=True)",
}
"""Regular expressions for texts that `repr` writes of settings today, and what it wrote when the first runs were
recorded, as replacements."""


def compute_settings_digest(*parts: object) -> str:
    """Return a digest of settings, by which a file of results is matched with the game that it belongs to.

    Parameters
    ----------
    *parts : object
        The settings. Equal settings must have equal representations (`repr`).

    Returns
    -------
    str
        The first 16 hexadecimal digits of the SHA-256 of the settings' representations.
    """
    text = repr(parts)
    # Some settings were represented by other texts when the first runs were recorded. These texts are digested, so that
    # the digests in recorded files stay valid.
    for pattern, former_text in FORMER_TEXTS.items():
        text = re.sub(pattern, former_text, text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
