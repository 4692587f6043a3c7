"""Play at tables: how players of cash games and tournaments take their seats and play hands side by side.

Many hands are played at the same time by one loop, `play_hands`. In each step it deals the next hand at each table
where a hand is over, writes what the seats to act see, asks their players, and does the actions. Each game passes its
own function that pays and deals hands. A `Record` has every action, if it is requested, and `TableResults` is the
common part of the results of all games.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
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
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_integer
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
        The match and the hand of each action, and the action. A match is a table in one rotation of its seats.
    """

    match: Ints
    hand: Ints
    action: Ints

    def find_actions(self, match: int, hand: int) -> list[int]:
        """Return the actions of one hand in the order of play.

        The list is empty if the hand was over as soon as blinds were posted, or was not played.

        Parameters
        ----------
        match : int
            The match, which is a table in one rotation of its seats.
        hand : int
            The number of the hand.

        Returns
        -------
        list of int
            FOLD, CALL, or the total number of chips to raise to.

        Examples
        --------
        >>> record = Record(np.array([0, 0, 1]), np.array([7, 7, 7]), np.array([CALL, FOLD, 20]))
        >>> record.find_actions(match=0, hand=7)
        [0, -1]
        """
        first_of_match, end_of_match = np.searchsorted(self.match, [match, match + 1])
        hands_of_match = self.hand[first_of_match:end_of_match]
        begin, end = first_of_match + np.searchsorted(hands_of_match, [hand, hand + 1])
        return [int(action) for action in self.action[begin:end]]

    @classmethod
    def merge_records(cls, records: Sequence["Record"]) -> "Record":
        """Return one record with the actions of several records, sorted by match and hand.

        Actions of the same hand keep the order in which they are given. So if the actions of a hand are divided among
        several records, these records must be in the order of play.

        Parameters
        ----------
        records : sequence of Record
            The records, at least one.

        Returns
        -------
        Record
            The merged record. The given records are not changed.
        """
        match = np.concatenate([record.match for record in records])
        hand = np.concatenate([record.hand for record in records])
        action = np.concatenate([record.action for record in records])
        order = np.lexsort((hand, match))  # a stable sort
        return cls(match[order], hand[order], action[order])


class Recorder:
    """A watcher that records all actions: a function that is called in each step with the tables."""

    def __init__(self) -> None:
        """Begin without any actions."""
        self._steps: list[tuple[Ints, Ints, Floats]] = []

    def __call__(self, tables: Tables, rows_to_act: Rows) -> None:
        """Store the actions of one step, before they are checked and applied.

        Parameters
        ----------
        tables : Tables
            The tables in play, with the actions.
        rows_to_act : ndarray of int
            The indices of the tables at which a seat has acted.
        """
        matches = tables.match[rows_to_act]
        hands = tables.number[rows_to_act]
        actions = tables.actions[rows_to_act]
        self._steps.append((matches, hands, actions))

    def make_record(self) -> Record:
        """Return the record of all actions that have been stored."""
        no_actions = np.zeros(0, np.int64)
        records = [Record(no_actions, no_actions, no_actions)]  # merging needs at least one
        for matches, hands, actions in self._steps:
            records.append(Record(matches, hands, actions.astype(np.int64)))
        return Record.merge_records(records)


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
    def num_seats_by_player(self) -> Ints:
        """The number of seats that each player had at all tables together, an array of shape (players,)."""
        return np.bincount(self.lineups.ravel(), minlength=len(self.names))

    def sum_by_player(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Return, for each player, the sum of the numbers that belong to its seats.

        Parameters
        ----------
        numbers : array_like of shape (T, n)
            A number for each of n seats at each of T tables, in the order of `lineups`.

        Returns
        -------
        ndarray of shape (players,)
            The sum of each player, in the order of `names`; 0 for a player without a seat.
        """
        number_of_seat = np.asarray(numbers, np.float64).ravel()
        sums: NDArray[Any] = np.bincount(
            self.lineups.ravel(), number_of_seat, minlength=len(self.names)
        )
        return sums

    def list_names_at_table(self, table: int = 0, rotation: int = 0) -> tuple[str, ...]:
        """Return the name of the player in each seat of a table.

        Parameters
        ----------
        table : int
            The index of the table, or of the tournament.
        rotation : int
            The rotation of the seats in which the table was played, from 0 on. In rotation r each player sits r seats
            to the left of its seat in the line-up.

        Returns
        -------
        tuple of str
            The names in the order of the seats.
        """
        lineup = np.roll(self.lineups[table], rotation)
        return tuple(self.names[player] for player in lineup)

    def get_record(self) -> Record:
        """Return the record of all actions.

        Raises
        ------
        SettingError
            If the game was played without recording its actions.
        """
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
    first_number: int,
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
    first_number : int
        The index of the first deal or tournament. It is only checked here.
    workers : int
        The number of threads. It is only checked here.
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
        If players, line-ups and seats do not fit together, or a number is out of range.
    """
    roster = Roster(players)
    if lineups is None and len(roster) != num_seats:
        raise SettingError(
            f"{len(roster)} players are given for {num_seats} seats; give {num_seats} players, or"
            " say who sits where with lineups."
        )
    if lineups is None:
        lineups = np.arange(num_seats)[None]  # one table
    validated = validate_lineups(lineups, len(roster), max_seats)
    if validated.shape[1] != num_seats:
        raise SettingError(
            f"lineups have {validated.shape[1]} players a table; the game has {num_seats} seats. Give"
            f" {num_seats} players a row."
        )
    validate_integer("first", first_number, 0, LARGEST_COUNT)
    validate_integer("workers", workers, 1, MOST_WORKERS)
    return roster, validated


def validate_seat_stacks(
    num_seats: int, stacks: int | Sequence[int], max_seats: int = MOST_SEATS
) -> tuple[int, ...]:
    """Return the chips of each seat as ints, after checking that every seat has chips.

    Parameters
    ----------
    num_seats : int
        The number of seats.
    stacks : int or sequence of int
        The chips of every seat, or a number for each seat.
    max_seats : int
        The largest number of seats.

    Returns
    -------
    tuple of int
        The chips of each seat, `num_seats` numbers.

    Raises
    ------
    SettingError
        If there are more than `max_seats` seats, a number is out of range, or a seat has no chips.

    Examples
    --------
    >>> validate_seat_stacks(3, 200)
    (200, 200, 200)
    """
    validate_integer("the number of seats", num_seats, FEWEST_SEATS, max_seats)
    if isinstance(stacks, int | float | np.number):
        stack_by_seat: Sequence[Any] = (stacks,) * num_seats
    else:
        check_kind("stacks", stacks, Iterable, "the chips of every seat, or a number for each seat")
        stack_by_seat = tuple(stacks)
    if len(stack_by_seat) != num_seats:
        raise SettingError(
            f"stacks are given for {len(stack_by_seat)} seats; there are {num_seats}."
        )

    fits_one_table = num_seats <= MOST_SEATS
    if fits_one_table:
        # The check for a hand also needs a button at a seat with chips.
        seats = range(num_seats)
        checked = [validate_integer(f"the stack of seat {k}", stack_by_seat[k], 0) for k in seats]
        chips = validate_stacks(checked, button=int(np.argmax(checked)))
    else:
        chips = tuple(
            validate_integer(f"the stack of seat {seat}", stack, 0)
            for seat, stack in enumerate(stack_by_seat)
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
        The largest number of players in a row. If it is more than a table holds, error messages call a row a
        tournament.

    Returns
    -------
    ndarray of int64, shape (T, n)
        The line-ups.

    Raises
    ------
    SettingError
        If the shape does not fit, or there is no such player.
    """
    try:
        lineup_array = np.asarray(lineups)
    except ValueError:
        raise SettingError(
            "lineups have rows of different lengths; all tables of a call have equally many seats."
        ) from None
    if (
        lineup_array.ndim != 2
        or not FEWEST_SEATS <= lineup_array.shape[1] <= max_seats
        or lineup_array.shape[0] == 0
    ):
        place = "table" if max_seats == MOST_SEATS else "tournament"
        raise SettingError(
            f"lineups have shape {lineup_array.shape}; give one row of {FEWEST_SEATS} to {max_seats:,} players for each"
            f" {place}."
        )
    if (
        lineup_array.dtype.kind not in "iu"
        or lineup_array.min() < 0
        or lineup_array.max() >= num_players
    ):
        raise SettingError(
            f"lineups name players by whole numbers from 0 to {num_players - 1}; these are"
            f" {lineup_array.dtype} from {lineup_array.min()} to {lineup_array.max()}."
        )
    return np.ascontiguousarray(lineup_array, np.int64)


def check_players_have_one_seat(lineups: Ints) -> None:
    """Check that no player has two seats at the same table.

    Parameters
    ----------
    lineups : ndarray of int64, shape (T, n)
        The indices of the n players at each of T tables.

    Raises
    ------
    SettingError
        If a player occurs twice in a row.
    """
    sorted_lineups = np.sort(lineups, axis=1)
    is_repeated = sorted_lineups[:, 1:] == sorted_lineups[:, :-1]
    tables, columns = np.nonzero(is_repeated)
    if tables.size:
        table = tables[0]
        player = sorted_lineups[table, columns[0]]
        raise SettingError(
            f"line-up {table} seats player {player} twice:"
            f" {lineups[table].tolist()}; a player has one seat at a table."
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
    """Play hands at many tables at the same time until all tables are empty. The tables are changed in place.

    Each step of the loop deals the next hands where hands are over, writes what the seats to act see, asks their
    players, and applies the actions.

    Parameters
    ----------
    tables : Tables
        The tables.
    roster : Roster
        The players.
    deal_next : callable
        A function that pays the hands that are over and deals the next ones. It is called with an array, into which it
        writes the indices of the tables at which a seat is to act. It returns their number; 0 ends the loop.
    watchers : sequence of callable
        Functions that are called before the actions of each step are applied, with `tables` and with the indices of the
        tables at which a seat has acted.
    observations : Observations, optional
        What players have observed of each other's aggressiveness. It is changed in place. By default it is not kept.
    record : bool
        Whether to record all actions.

    Returns
    -------
    action_counts : ndarray of int64, shape (players, 4, 4)
        The number of actions of each player, on each street and of each kind in `KINDS_OF_ACTION`.
    record : Record or None
        All actions, or None if they are not recorded.

    Raises
    ------
    IllegalActionError
        If a player's action is not legal. No action of that step is applied then.
    """
    action_counts = np.zeros((len(roster), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    recorder = Recorder()
    all_watchers: list[Watcher] = [*watchers, recorder] if record else [*watchers]
    rows = np.empty(tables.match.size, np.intp)  # written anew in each step
    while True:
        check_cancelled()
        num_rows = deal_next(rows)
        rows_to_act = rows[:num_rows]
        if num_rows == 0:
            return action_counts, recorder.make_record() if record else None
        write_views(tables, rows_to_act, roster.parameter_rows, observations)
        roster.ask_players(tables, rows_to_act)
        for watcher in all_watchers:
            watcher(tables, rows_to_act)
        illegal_row = apply_actions(tables, rows_to_act, action_counts, observations)
        if illegal_row >= 0:
            action = float(tables.actions[illegal_row])
            raise roster.make_illegal_action_error(tables.views[illegal_row], action)


@kernel
def write_views(
    tables: Tables, rows_to_act: Rows, parameter_rows: Ints, observations: Observations | None
) -> None:
    """Write what each seat to act sees of its table and a random number for it, and set its action to NaN.

    `tables.views`, `tables.uniforms` and `tables.actions` are changed at the tables at which a seat is to act.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    rows_to_act : ndarray of int
        The indices of the tables at which a seat is to act.
    parameter_rows : ndarray of int64, shape (players,)
        The row of each player among the parameters of all players with the same kernel.
    observations : Observations or None
        What players have observed of each other's aggressiveness, or None if the game does not keep it.
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
    tables: Tables, rows_to_act: Rows, action_counts: Ints, observations: Observations | None
) -> int:
    """Apply the actions of the seats to act to their hands, and count them. If one is illegal, apply none.

    All parameters but `rows_to_act` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play, with the actions.
    rows_to_act : ndarray of int
        The indices of the tables at which a seat has acted.
    action_counts : ndarray of int64, shape (players, 4, 4)
        The number of actions of each player, on each street and of each kind in `KINDS_OF_ACTION`.
    observations : Observations or None
        What players have observed of each other's aggressiveness, or None if the game does not keep it.

    Returns
    -------
    int
        The index of the first table with an illegal action, or NOBODY, -1, if all actions are legal.
    """
    # Check all actions first, so that an illegal one changes nothing.
    for row in rows_to_act:
        if not is_legal_in_view(tables.views[row], tables.actions[row]):
            return int(row)

    for row in rows_to_act:
        action = int(tables.actions[row])
        add_action_to_counts(tables.views[row], action, action_counts)
        if observations is not None:
            add_action_score(observations, row, tables.views[row], action)
        tables.decision[row] += 1
        betting_engine.apply_action(tables.hands[row], action)
    return betting_engine.NOBODY


@inlined
def is_legal_in_view(view: Ints, action: float) -> bool:
    """Return whether the number that a player has given as its action is legal.

    Actions are whole numbers, so fractions are not legal. NaN is not legal either; it is the action of a player that
    has written none.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player saw of the table. It contains the legal actions.
    action : float
        FOLD, CALL, the total number of chips to raise to, or any other number.
    """
    legal = betting_engine.Choices(
        view[at.CAN_FOLD] != 0, view[at.TO_CALL], view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    )
    is_whole = action == np.floor(action)
    return bool(betting_engine.is_legal_action(legal, action) and is_whole)


@inlined
def add_action_to_counts(view: Ints, action: int, action_counts: Ints) -> None:
    """Add an action to the counts of actions by player, street and kind, which are changed in place.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player saw of the table. It gives the player, the street, and whether a call is a check.
    action : int
        FOLD, CALL, or the total number of chips to raise to.
    action_counts : ndarray of int64, shape (players, 4, 4)
        The number of actions of each player, on each street and of each kind in `KINDS_OF_ACTION`.
    """
    kind = RAISE_KIND
    if action == FOLD:
        kind = FOLD_KIND
    elif action == CALL:
        kind = CALL_KIND if view[at.TO_CALL] > 0 else CHECK_KIND
    action_counts[view[at.PLAYER], view[at.STREET], kind] += 1


FORMER_TEXTS = {
    r"\bunlimited_after_folds=": "folds_lift_cap=",
    r"( ante=\d+), ante_payer='each player'\)": r"\1, ante_from='everybody')",
    r"( ante=\d+), ante_payer='big blind'\)": r"\1, ante_from='big blind')",
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

    Examples
    --------
    >>> len(compute_settings_digest("no-limit", (1000, 1000)))
    16
    """
    text = repr(parts)
    # Some settings were represented by other texts when the first runs were recorded. These texts are digested, so that
    # the digests in recorded files stay valid.
    for pattern, former_text in FORMER_TEXTS.items():
        text = re.sub(pattern, former_text, text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
