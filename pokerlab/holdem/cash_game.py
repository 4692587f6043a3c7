"""Cash games at one table or many, with fresh stacks every hand or carried ones.

A game has a name, a fingerprint and a unit. Solvers hold one as their `game`; runs, checkpoints and provenance
record what was played and refuse to go on with anything else.

Cash games and tournaments share how players take their seats and play hands side by side. Hands side by side are
one loop, `play_hands`: look, ask, act, and deal the next hand where one is over. The games differ in what they do where
a hand is over: settle it, and deal the next one or leave the table empty.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    CHIPS,
    Floats,
    Ints,
    SettingError,
    Unit,
    inlined,
    kernel,
)
from pokerlab.core.random_numbers import fraction, key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, check_kind, checked_bool, whole
from pokerlab.core.workers import (
    MOST_WORKERS,
    check_cancelled,
    run_in_threads,
)
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
)
from pokerlab.holdem import betting_engine
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_engine import add_won_from, pay_hand
from pokerlab.holdem.cards import MOST_DEALS, NUM_CARDS, STREETS, Cards, deal_cards, deal_hands
from pokerlab.holdem.hand import (
    CALL,
    FEWEST_SEATS,
    FOLD,
    MOST_CHIPS,
    MOST_SEATS,
    Hand,
    Structure,
    checked_stacks,
)
from pokerlab.holdem.impressions import Impressions, record_action, write_impressions
from pokerlab.holdem.players import Player, Roster, Rows
from pokerlab.holdem.table_view import Tables, write_view


@dataclass(frozen=True, eq=False)
class Record:
    """Actions in order: by match, then by hand, then as they were done; all arrays (actions,)."""

    match: Ints
    hand: Ints
    action: Ints

    def find_actions(self, match: int, hand: int) -> list[int]:
        """Return the actions of one hand; none where it was over once the blinds were posted."""
        low, high = np.searchsorted(self.match, [match, match + 1])
        begin, end = low + np.searchsorted(self.hand[low:high], [hand, hand + 1])
        return [int(action) for action in self.action[begin:end]]

    @classmethod
    def merge(cls, records: Sequence["Record"]) -> "Record":
        """Return one record of hands that were played apart."""
        match, hand, action = (
            np.concatenate([getattr(record, name) for record in records])
            for name in ("match", "hand", "action")
        )
        order = np.lexsort((hand, match))
        return cls(match[order], hand[order], action[order])


class Recorder:
    """A watcher that records all actions."""

    def __init__(self) -> None:
        self._steps: list[tuple[Ints, Ints, Floats]] = []

    def __call__(self, tables: Tables, asked: Rows) -> None:
        """Record the actions at the rows asked, before they are checked and done."""
        self._steps.append((tables.match[asked], tables.number[asked], tables.actions[asked]))

    def make_record(self) -> Record:
        """Return the record of all actions."""
        nothing = np.zeros(0, np.int64)
        records = [Record(nothing, nothing, nothing)]
        for match, hand, actions in self._steps:
            records.append(Record(match, hand, actions.astype(np.int64)))
        return Record.merge(records)


@dataclass(frozen=True, eq=False, kw_only=True)
class TableResults:
    """The common part of the results of cash games and of tournaments: T tables, or tournaments, of n seats.

    Attributes
    ----------
    names : tuple of str
        The players'.
    stacks : tuple of int
        Chips of each seat at the start.
    seed : int
    first : int
        The number of the first deal, or of the first tournament.
    lineups : ndarray of int64, shape (T, n)
        The players at each table, or in each tournament, by seat.
    actions : ndarray of int64, shape (players, 4, 4)
        Counts by player, street and `KINDS_OF_ACTION`.
    record : Record or None
        Every action, if that was asked for.
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
        """How many seats in the line-ups each player has, shape (players,)."""
        return np.bincount(self.lineups.ravel(), minlength=len(self.names))

    def sum_by_player(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Return the sum over the tables, for each player, of numbers of shape (T, n)."""
        given = np.asarray(numbers, np.float64).ravel()
        sums: NDArray[Any] = np.bincount(self.lineups.ravel(), given, minlength=len(self.names))
        return sums

    def list_seats(self, table: int = 0, rotation: int = 0) -> tuple[str, ...]:
        """Return the names of the players at a table in the order of the seats, in one rotation of them."""
        lineup = np.roll(self.lineups[table], rotation)
        return tuple(self.names[player] for player in lineup)

    def get_record(self) -> Record:
        """Return the actions."""
        if self.record is None:
            raise SettingError("no actions were kept; play with record=True.")
        return self.record


@dataclass(frozen=True, eq=False, kw_only=True)
class CashGameResult(TableResults):
    """The results of a cash game.

    Hands are numbered from `first` on, table by table. `chips`, (hands, rotations, n), are what each player of a
    hand's line-up won, once for each rotation of the seats; without line-ups, what each player won by each deal. If
    stacks are carried, a seat that had none left bought in again; its cost is not a loss, so chips won are net of it.
    `won_from`, (players, players), if it was counted, is what the player of the row won from the player of the column,
    less what it lost to that player; a row's sum is all that its player won.

    Attributes
    ----------
    structure : Structure
        What was played.
    chips : ndarray of int64, shape (hands, rotations, n)
    stacks_carried : bool
        Whether a table's hands, in one rotation, were one game.
    same_deals : bool
        Whether all tables had the same deals.
    won_from : ndarray of int64 or None, shape (players, players)
        Antisymmetric.
    """

    structure: Structure
    chips: Ints
    stacks_carried: bool = False
    same_deals: bool = False
    won_from: Ints | None = None

    @property
    def num_deals(self) -> int:
        """How many independent deals were played."""
        return self.deals_a_table if self.same_deals else len(self.chips)

    @property
    def deals_a_table(self) -> int:
        """How many deals each table had."""
        return len(self.chips) // len(self.lineups)

    @property
    def hands_played(self) -> Ints:
        """How many hands each player played, all rotations counted, shape (players,)."""
        hands: Ints = self.tables_played * self.deals_a_table * self.chips.shape[1]
        return hands

    @property
    def won(self) -> Ints:
        """Chips that each player won in all, shape (players,)."""
        tables, num_seats = self.lineups.shape
        won = np.zeros(len(self.names), np.int64)
        np.add.at(won, self.lineups, self.chips.reshape(tables, -1, num_seats).sum(axis=1))
        return won

    @property
    def mean(self) -> NDArray[np.float64]:
        """Chips that each player won a hand, shape (players,); NaN for one that did not play."""
        hands = self.hands_played
        mean: NDArray[np.float64] = self.won / np.where(hands > 0, hands, np.nan)
        return mean

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Of `mean`, shape (players,).

        Over deals, which are independent; the hands of one deal, in all rotations and at all tables
        that had it, are not, and count as one. If stacks are carried, over games, each of which counts
        as one deal does. NaN for a player with fewer than two of them.
        """
        tables, num_seats = self.lineups.shape
        by_deal = self.chips.mean(axis=1).reshape(tables, self.deals_a_table, num_seats)
        if self.stacks_carried:
            by_deal = by_deal.mean(axis=1, keepdims=True)
        deals_a_table = by_deal.shape[1]
        excess = by_deal - self.mean[self.lineups][:, None]
        count = self.tables_played
        if self.same_deals:
            together = np.array([self.sum_by_player(of_deal) for of_deal in excess.swapaxes(0, 1)])
            squares, deals = (together**2).sum(axis=0), np.full(len(count), deals_a_table)
        else:
            squares, deals = self.sum_by_player((excess**2).sum(axis=1)), count * deals_a_table
        # Over a mean of as many numbers as there are deals, or as there are tables at each deal.
        scale = deals * np.where((count > 0) & (deals > 1), deals - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(squares / scale)
        return error / count if self.same_deals else error

    def convert_to_big_blinds(self, chips: ArrayLike) -> NDArray[np.float64]:
        """Return chips a hand as big blinds per 100 hands."""
        return np.asarray(chips, np.float64) * (100.0 / self.structure.big_blind)

    def __str__(self) -> str:
        """List the players with what they won, in big blinds per 100 hands."""
        means, errors = map(self.convert_to_big_blinds, (self.mean, self.standard_error))
        won = zip(self.names, means, errors, strict=True)
        lines = [f"{name}: {mean:+.1f} ± {error:.1f}" for name, mean, error in won]
        rotations = self.chips.shape[1]
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        head = f"big blinds per 100 hands, {self.num_deals} deals{each}, seed {self.seed}"
        return "\n".join([head, *lines])

    def find_stacks(self, number: int, rotation: int = 0) -> tuple[int, ...]:
        """Return the chips of each seat at the start of a hand, by its number."""
        rotations = self.chips.shape[1]
        last = self.first + len(self.chips) - 1
        if not self.first <= number <= last or not 0 <= rotation < rotations:
            raise SettingError(
                f"deal {number}, rotation {rotation} was not played; there are deals {self.first} to"
                f" {last}, rotations 0 to {rotations - 1}."
            )
        if not self.stacks_carried:
            return self.stacks
        hand, stacks = number - self.first, np.array(self.stacks)
        for won in self.chips[hand - hand % self.deals_a_table : hand, rotation]:
            stacks += np.roll(won, rotation)
            stacks = np.where(stacks > 0, stacks, self.stacks)
        return tuple(stacks.tolist())

    def replay_hand(self, number: int, rotation: int = 0) -> Hand:
        """Return a hand as it was played, by its number; without line-ups that of its deal."""
        record, rotations = self.get_record(), self.chips.shape[1]
        stacks = self.find_stacks(number, rotation)
        table, of_table = divmod(number - self.first, self.deals_a_table)
        deal = self.first + of_table if self.same_deals else number
        cards = deal_hands(self.seed, 1, len(stacks), first=deal)[0]
        hand = Hand.begin(self.structure, stacks, deal % len(stacks), cards, number=number)
        for action in record.find_actions(table * rotations + rotation, number):
            hand = hand.after(action)
        return hand


SIDE_BY_SIDE = 512
"""How many tables are in play at a time: enough to share the calls, few enough for a core's cache."""
FOLD_KIND, CHECK_KIND, CALL_KIND, RAISE_KIND = range(4)

Watcher: TypeAlias = Callable[[Tables, Rows], None]
"""Called with the tables and the rows asked, before the actions are checked and done: `tables.views[row]`
is what the seat saw, `tables.actions[row]` what it answered. It may change neither."""


def seat_players(
    players: Sequence[Player],
    lineups: ArrayLike | None,
    num_seats: int,
    *,
    first: int,
    workers: int,
    most: int = MOST_SEATS,
) -> tuple[Roster, Ints]:
    """Return the roster of players and their line-ups, (T, n), once they fit; without line-ups all sit at one table.

    A line-up may have up to `most` players. Raises SettingError if players, line-ups and seats do not fit, or a number
    is out of range.
    """
    roster = Roster(players)
    if lineups is None and len(roster) != num_seats:
        raise SettingError(
            f"{len(roster)} players are given for {num_seats} seats; give {num_seats} players, or"
            " say who sits where with lineups."
        )
    given = np.arange(num_seats)[None] if lineups is None else lineups
    at_tables = checked_lineups(given, len(roster), most)
    if at_tables.shape[1] != num_seats:
        raise SettingError(
            f"lineups have {at_tables.shape[1]} players a table; the game has {num_seats} seats. Give"
            f" {num_seats} players a row."
        )
    whole("first", first, 0, LARGEST_COUNT)
    whole("workers", workers, 1, MOST_WORKERS)
    return roster, at_tables


def checked_seat_stacks(
    num_seats: int, stacks: int | Sequence[int], most: int = MOST_SEATS
) -> tuple[int, ...]:
    """Return the chips of each of up to `most` seats as ints, given as one number for all or one by one.

    Raises SettingError if a number is out of range, or a seat has no chips.
    """
    whole("the number of seats", num_seats, FEWEST_SEATS, most)
    if isinstance(stacks, int | float | np.number):
        given: Sequence[Any] = (stacks,) * num_seats
    else:
        given = tuple(stacks)
    if len(given) != num_seats:
        raise SettingError(f"stacks are given for {len(given)} seats; there are {num_seats}.")
    if num_seats <= MOST_SEATS:
        chips = checked_stacks(given, int(np.argmax(given)))
    else:
        by_seat = enumerate(given)
        chips = tuple(whole(f"the stack of seat {seat}", stack, 0) for seat, stack in by_seat)
        whole("the chips of all seats together", sum(chips), 0, MOST_CHIPS)
    if min(chips) == 0:
        raise SettingError(f"stacks are {list(chips)}; each seat needs chips.")
    return chips


def checked_lineups(lineups: ArrayLike, num_players: int, most: int = MOST_SEATS) -> Ints:
    """Return line-ups as an array, (T, n), once they are numbers of players, 2 to `most` a row."""
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
    """Raise SettingError if a line-up seats a player twice."""
    ordered = np.sort(lineups, axis=1)
    tables, places = np.nonzero(ordered[:, 1:] == ordered[:, :-1])
    if tables.size:
        raise SettingError(
            f"line-up {tables[0]} seats player {ordered[tables[0], places[0]]} twice:"
            f" {lineups[tables[0]].tolist()}; a player has one seat at a table."
        )


def play_hands(
    tables: Tables,
    roster: Roster,
    deal_next: Callable[[Rows], int],
    watchers: Sequence[Watcher] = (),
    *,
    impressions: Impressions | None = None,
    record: bool = False,
) -> tuple[Ints, Record | None]:
    """Play hands side by side until all tables are empty.

    It is one loop: deal where a hand is over, write what the seats to act see, ask the players, do the actions.

    Parameters
    ----------
    tables, roster : Tables, Roster
    deal_next : callable
        Pays hands that are over and deals the next ones. It writes the rows at which a seat is to act into the array
        that it is given, and returns their number.
    watchers : sequence of callables
        Called with the tables and the rows asked before the actions are done.
    impressions : Impressions, optional
        What players see of each other.
    record : bool
        Whether to keep all actions.

    Returns
    -------
    counts : ndarray of int64, shape (players, 4, 4)
        Actions by player, street and `KINDS_OF_ACTION`.
    record : Record or None

    Raises
    ------
    IllegalActionError
        If an answer is not a legal action, before any chips have moved.
    """
    counts = np.zeros((len(roster), len(STREETS), len(KINDS_OF_ACTION)), np.int64)
    recorder = Recorder()
    all_watchers: list[Watcher] = [*watchers, recorder] if record else [*watchers]
    rows = np.empty(tables.match.size, np.intp)
    while True:
        check_cancelled()
        asked = rows[: deal_next(rows)]
        if asked.size == 0:
            return counts, recorder.make_record() if record else None
        write_views(tables, asked, roster.parameters_of, impressions)
        roster.ask_players(tables, asked)
        for watcher in all_watchers:
            watcher(tables, asked)
        illegal_row = apply_actions(tables, asked, counts, impressions)
        if illegal_row >= 0:
            answer = float(tables.actions[illegal_row])
            raise roster.make_refusal(tables.views[illegal_row], answer)


@kernel
def write_views(
    tables: Tables, asked: Rows, parameters_of: Ints, impressions: Impressions | None
) -> None:
    """Write the views of the seats to act at the rows `asked`, and a random number for each; clear their actions."""
    for row in asked:
        tables.actions[row] = np.nan
        write_view(tables, row, parameters_of)
        if impressions is not None:
            write_impressions(impressions, tables, row)
        tables.uniforms[row] = fraction(number_at(tables.random_key[row], tables.decision[row]))


@kernel
def apply_actions(
    tables: Tables, asked: Rows, counts: Ints, impressions: Impressions | None
) -> int:
    """Do the actions at the rows `asked`, and count them; if one is illegal, do none and return its row.

    Returns NOBODY, -1, if all are legal.
    """
    for row in asked:
        if not is_legal_answer(tables.views[row], tables.actions[row]):
            return int(row)
    for row in asked:
        action = int(tables.actions[row])
        count_action(tables.views[row], action, counts)
        if impressions is not None:
            record_action(impressions, row, tables.views[row], action)
        tables.decision[row] += 1
        betting_engine.apply_action(tables.hands[row], action)
    return betting_engine.NOBODY


@inlined
def is_legal_answer(view: Ints, action: float) -> bool:
    """Return whether an answer is a legal action in this view: a whole number that it allows; NaN is none."""
    choices = betting_engine.Choices(
        view[at.CAN_FOLD] != 0, view[at.TO_CALL], view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    )
    return bool(betting_engine.is_legal(choices, action) and action == np.floor(action))


@inlined
def count_action(view: Ints, action: int, counts: Ints) -> None:
    """Count an action taken in this view, by player, street and kind, (players, 4, 4)."""
    kind = RAISE_KIND
    if action == FOLD:
        kind = FOLD_KIND
    elif action == CALL:
        kind = CALL_KIND if view[at.TO_CALL] > 0 else CHECK_KIND
    counts[view[at.PLAYER], view[at.STREET], kind] += 1


NEXT_HAND, NEXT_TABLE, NEXT_DEAL, NEXT_ROTATION = range(4)
"""Places in `CashBatch.next_up`: the next hand, its table, its deal of that table and its rotation."""


class CashBatch(NamedTuple):
    """The settings of a batch of hands of a cash game, its state and its results: T tables of n seats.

    A match is one table in one rotation of its seats: match m is table m // rotations.

    Attributes
    ----------
    lineups : ndarray of int64, shape (T, n)
        The players at each table.
    stacks : ndarray of int64, shape (n,)
        Chips of each seat at the start.
    num_deals : int
        Of each table.
    same_deals : bool
        Whether each table has the deals of the first.
    deal_key : uint64
        Of the random stream of cards.
    random_key : uint64
        Of the players' random stream.
    first : int
        Number of the first deal.
    skipped : int
        How many hands, rotations not counted, come before the first of the batch.
    next_up : ndarray of int64, shape (4,)
        The hand that begins next.
    deck : ndarray of uint8, shape (52,)
        Overwritten by dealing.
    chips : ndarray of int64, shape (hands, rotations, n)
        Result: what each player of the line-up wins.
    won_from : ndarray of int64, shape (players, players)
        Result: who wins how much from whom; empty if not counted.
    """

    lineups: Ints
    stacks: Ints
    num_deals: int
    same_deals: bool
    deal_key: np.uint64
    random_key: np.uint64
    first: int
    skipped: int
    next_up: Ints
    deck: Cards
    chips: Ints
    won_from: Ints


@kernel
def deal_next_hands(tables: Tables, cash: CashBatch, out_asked: Rows) -> int:
    """Pay the hands that are over, and deal the next ones with fresh stacks.

    Writes the rows at which a seat is to act to `out_asked`, and returns their number.
    """
    count = 0
    num_hands, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            if tables.match[row] != betting_engine.NOBODY:
                pay_table(tables, row, payoffs, cash)
            if cash.next_up[NEXT_HAND] == cash.skipped + num_hands:
                tables.match[row] = betting_engine.NOBODY
                break
            hand, table = cash.next_up[NEXT_HAND], cash.next_up[NEXT_TABLE]
            of_table, rotation = cash.next_up[NEXT_DEAL], cash.next_up[NEXT_ROTATION]
            advance_next_up(cash.next_up, rotations, cash.num_deals)
            seat_table(tables, row, table, rotation, cash)
            begin_table_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_asked[count] = row
            count += 1
    return count


@kernel
def deal_next_carried_hands(tables: Tables, cash: CashBatch, out_asked: Rows) -> int:
    """Do as `deal_next_hands`, but play each match to its end at one row, and let the seats keep their chips."""
    count = 0
    num_hands, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            # The number of the match's next hand among those of its table; 0 if the match is over.
            of_table = 0
            if tables.match[row] != betting_engine.NOBODY:
                pay_table(tables, row, payoffs, cash)
                of_table = (tables.number[row] - cash.first + 1) % cash.num_deals

            # Go on with the stacks as they are, or begin the next match, or leave the row empty.
            if of_table > 0:
                for seat in range(num_seats):
                    left = tables.hands[row, betting_engine.STARTING_STACKS + seat] + payoffs[seat]
                    tables.hands[row, betting_engine.STARTING_STACKS + seat] = (
                        left if left > 0 else cash.stacks[seat]
                    )
                hand = tables.number[row] - cash.first + 1
            elif cash.next_up[NEXT_TABLE] * cash.num_deals < cash.skipped + num_hands:
                table, rotation = cash.next_up[NEXT_TABLE], cash.next_up[NEXT_ROTATION]
                advance_next_up(cash.next_up, rotations, 1)
                seat_table(tables, row, table, rotation, cash)
                for seat in range(num_seats):
                    tables.hands[row, betting_engine.STARTING_STACKS + seat] = cash.stacks[seat]
                hand = table * cash.num_deals
            else:
                tables.match[row] = betting_engine.NOBODY
                break
            begin_table_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_asked[count] = row
            count += 1
    return count


@inlined
def pay_table(tables: Tables, row: int, payoffs: Ints, cash: CashBatch) -> None:
    """Write the payoffs, (n,) by seat, of the hand at the table `row`, and add them to the results."""
    _, rotations, num_seats = cash.chips.shape
    pay_hand(tables.hands[row], tables.deals[row], payoffs)
    if cash.won_from.size:
        add_won_from(tables.hands[row], tables.lineup[row], cash.won_from)
    rotation = tables.match[row] % rotations if rotations > 1 else 0
    hand = tables.number[row] - cash.first - cash.skipped
    for place in range(num_seats):
        seat = place + rotation
        won = payoffs[seat - num_seats if seat >= num_seats else seat]
        cash.chips[hand, rotation, place] = won


@inlined
def advance_next_up(next_up: Ints, rotations: int, num_deals: int) -> None:
    """Advance to the next hand, without divisions: one would take as long as an action."""
    next_up[NEXT_ROTATION] += 1
    if next_up[NEXT_ROTATION] == rotations:
        next_up[NEXT_ROTATION] = 0
        next_up[NEXT_HAND] += 1
        next_up[NEXT_DEAL] += 1
        if next_up[NEXT_DEAL] == num_deals:
            next_up[NEXT_DEAL] = 0
            next_up[NEXT_TABLE] += 1


@inlined
def seat_table(tables: Tables, row: int, table: int, rotation: int, cash: CashBatch) -> None:
    """Seat the players of a line-up, in one rotation of its seats, at the table `row`."""
    _, rotations, num_seats = cash.chips.shape
    tables.match[row] = table * rotations + rotation
    for place in range(num_seats):
        seat = place + rotation
        tables.lineup[row, seat - num_seats if seat >= num_seats else seat] = cash.lineups[
            table, place
        ]


@inlined
def begin_table_hand(tables: Tables, row: int, hand: int, of_table: int, cash: CashBatch) -> None:
    """Begin a hand at the table `row`: number `of_table` of its line-up, number `hand` of all."""
    num_seats = cash.chips.shape[2]
    number = cash.first + (of_table if cash.same_deals else hand)
    tables.number[row] = cash.first + hand
    tables.decision[row] = 0
    tables.random_key[row] = number_at(cash.random_key, number)
    key = number_at(cash.deal_key, number)
    deal_cards(key, cash.deck, tables.deals[row], 2 * num_seats + 5)
    betting_engine.begin_hand(tables.hands[row], number % num_seats)


FORMER_TEXTS = {
    r"( ante=\d+)\)": r"\1, ante_from='everybody', straddles=(), button_straddle=0, rake=None)",
    r"( raised='[^']+')(, window=\d+, shared=\w+)\)": r"\1, recent='hands'\2, kept=True)",
}
"""Patterns of settings as they are written today, and what the first recorded runs wrote, as fingerprints still do."""


@dataclass(frozen=True)
class RingGame:
    """A cash game, with fresh stacks every hand or carried ones; `ring_game` makes it and describes the fields.

    Attributes
    ----------
    structure : Structure
    stacks : tuple of int
        At the start of every hand, or of a game if they are carried.
    stacks_carried : bool
    duplicates : bool
    same_deals : bool
    won_from : bool
    unit : Unit
    """

    structure: Structure
    stacks: tuple[int, ...]
    stacks_carried: bool = False
    duplicates: bool = False
    same_deals: bool = False
    won_from: bool = False
    unit: Unit = field(default=CHIPS, init=False)

    def __post_init__(self) -> None:
        check_kind("structure", self.structure, Structure, "a Structure, such as no_limit(1, 2)")
        for name in ("stacks_carried", "duplicates", "same_deals", "won_from"):
            checked_bool(name, getattr(self, name))
        object.__setattr__(self, "stacks", checked_seat_stacks(len(self.stacks), self.stacks))

    def default_pairings(self) -> Any:
        """Return how a population meets where nothing else is said."""
        from pokerlab.holdem import RingGames  # here, because it stands on this module

        return RingGames()

    @property
    def num_seats(self) -> int:
        """How many seats a table has."""
        return len(self.stacks)

    @property
    def name(self) -> str:
        """The game in words."""
        blinds = f"{self.structure.small_blind}/{self.structure.big_blind}"
        how = "".join(f", {way}" for way in self._list_options("stacks carried"))
        return f"{self.structure.kind} hold'em {blinds} with {self.num_seats} seats{how}"

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        return digest_settings(self.structure, self.stacks, *self._list_options("carried"))

    def _list_options(self, carried: str) -> list[str]:
        """Return the game's options in words; `carried` is the word for carried stacks."""
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
    ) -> CashGameResult:
        """Play hands at one table or many; the button moves on one seat with every deal.

        Parameters
        ----------
        players : sequence of Player
            Everybody who may play. A function of a `SeatView` is a player.
        num_deals : int
            How many deals each table plays, 1 to 10**8 for all tables together.
        seed : int
            Of the cards and of the players' random numbers.
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
        roster, at_tables = seat_players(
            players, lineups, self.num_seats, first=first, workers=workers
        )
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
        # Threads share whole games: of carried stacks a table's hands in succession, else single hands.
        hands_a_game = num_deals if self.stacks_carried else 1
        num_counted = len(roster) if self.won_from else 0

        def play_games(begin: int, end: int) -> tuple[CashBatch, Ints, Record | None]:
            """Play the games `begin` to `end` - 1."""
            tables = Tables.allocate(min(SIDE_BY_SIDE, (end - begin) * rotations))
            begin, end = begin * hands_a_game, end * hands_a_game
            tables.hands[:, : betting_engine.SEATS] = betting_engine.encode_structure(
                self.structure
            )
            tables.hands[:, betting_engine.SEATS] = num_seats
            tables.hands[
                :, betting_engine.STARTING_STACKS : betting_engine.STARTING_STACKS + num_seats
            ] = self.stacks
            cash = CashBatch(
                lineups=at_tables,
                stacks=np.array(self.stacks),
                num_deals=num_deals,
                same_deals=self.same_deals,
                deal_key=key_of(seed, "deal"),
                random_key=key_of(seed, "luck"),
                first=first,
                skipped=begin,
                next_up=np.array([begin, *divmod(begin, num_deals), 0]),
                deck=np.empty(NUM_CARDS, np.uint8),
                chips=np.zeros((end - begin, rotations, num_seats), np.int64),
                won_from=np.zeros((num_counted, num_counted), np.int64),
            )
            deal_next = deal_next_carried_hands if self.stacks_carried else deal_next_hands
            dealer = partial(deal_next, tables, cash)
            actions, kept = play_hands(tables, roster, dealer, watchers, record=record)
            return cash, actions, kept

        parts = run_in_threads(play_games, 0, num_hands // hands_a_game, workers=workers)
        cash, actions, records = zip(*parts, strict=True)
        return CashGameResult(
            structure=self.structure,
            names=tuple(player.name for player in roster.players),
            stacks=self.stacks,
            seed=seed,
            first=first,
            lineups=at_tables,
            chips=np.concatenate([of_part.chips for of_part in cash]),
            stacks_carried=self.stacks_carried,
            same_deals=self.same_deals,
            won_from=np.sum([of_part.won_from for of_part in cash], axis=0)
            if num_counted
            else None,
            actions=np.sum(actions, axis=0),
            record=Record.merge(records) if record else None,
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
        Whether all hands of a table are one game, in which all seats keep what they have, by the rule of table
        stakes. Nobody takes chips off the table or buys any during a hand; who has less than the big blind
        plays on, all-in for what there is; who has none left buys in again, for as much as at the start. With
        duplicates each rotation is a game.
    duplicates : bool
        Whether each deal is played once for each seat, the players moving on one seat each time, so that
        every player holds all hole cards once. Players have the same random numbers in all of them, so that what
        is alike comes out at exactly zero.
    same_deals : bool
        Whether all tables play the same deals, with the same random numbers. By default each has its own.
    won_from : bool
        Whether to count who won how many chips from whom, into `CashGameResult.won_from`.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM, limit
    >>> game = ring_game(limit(2), seats=3, stacks=200)
    >>> game.name, str(game.unit)
    ("limit hold'em 1/2 with 3 seats", 'chips')
    >>> lineups = [[0, 1, 2], [3, 2, 0]]
    >>> game.play([RANDOM, ALWAYS_CALL] * 2, 50, seed=1, lineups=lineups).hands_played.tolist()
    [100, 50, 100, 50]
    >>> duel = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> played = duel.play([ALWAYS_CALL, ALWAYS_RAISE], 50, seed=1)
    >>> played.chips.shape, int(played.chips.sum())
    ((50, 2, 2), 0)
    """
    return RingGame(
        structure,
        checked_seat_stacks(seats, stacks),
        stacks_carried,
        duplicates,
        same_deals,
        won_from,
    )


def play_round_robin(
    game: RingGame, players: Sequence[Player], num_deals: int, *, seed: int
) -> tuple[Floats, Floats]:
    """Return what each player wins from each other at a table of two, with standard errors: a round robin.

    All pairs play the same deals, so that the luck of the cards is common to all; with a game that plays each deal in
    both seats it cancels within a pair, too. `metrics.ratings` takes both arrays.

    Parameters
    ----------
    game : RingGame
        Of two seats.
    players : sequence of Player, length N
    num_deals : int
        For each pair.
    seed : int

    Returns
    -------
    won, errors : ndarray of shape (N, N)
        What the player of the row wins from that of the column, in thousandths of a big blind a hand.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, limit
    >>> game = ring_game(limit(2), seats=2, stacks=200, duplicates=True)
    >>> won, errors = play_round_robin(game, [ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE], 10, seed=1)
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


def digest_settings(*parts: object) -> str:
    """Return a digest of settings: the beginning of the SHA-256 of their representations as they were at first."""
    text = repr(parts)
    for pattern, former in FORMER_TEXTS.items():
        text = re.sub(pattern, former, text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
