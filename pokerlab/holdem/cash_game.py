"""Cash games at one table or many: fresh stacks every hand or chips that stay, and who wins what from whom.

`RingGames` are the matches of a population: games at tables drawn at random.

A game has a name, a fingerprint and a unit. Solvers hold one as their `game`; runs, checkpoints and provenance
then say what was played and refuse to go on with anything else.

Cash games and tournaments share how players take their seats and play hands side by side. Hands side by side are
one loop, `play_on`: look, ask, act, and deal the next hand where one is over. The games differ in what they do where
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
    GameError,
    Ints,
    SettingError,
    Unit,
    UnknownNameError,
    inlined,
    kernel,
    stream,
)
from pokerlab.core.random_numbers import fraction, key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, check_kind, checked_bool, whole
from pokerlab.core.workers import (
    MOST_WORKERS,
    WorkDivider,
    check_cancelled,
    run_in_this_thread,
    run_in_threads,
)
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
    Genomes,
    PlayerEncoding,
    Results,
    sum_results,
)
from pokerlab.holdem import betting_engine
from pokerlab.holdem import table_view as at
from pokerlab.holdem.betting_engine import pay_out, transfer
from pokerlab.holdem.cards import MOST_DEALS, NUM_CARDS, STREETS, Cards, deal_hand, dealt
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
from pokerlab.holdem.impressions import Impressions, take_note, write_impressions
from pokerlab.holdem.players import Company, Player, Rows
from pokerlab.holdem.table_view import Luck, Tables, write_view


@dataclass(frozen=True, eq=False)
class Record:
    """Actions in order: by match, then by hand, then as they were done; all arrays (actions,)."""

    match: Ints
    hand: Ints
    action: Ints

    def actions_of(self, match: int, hand: int) -> list[int]:
        """Return the actions of one hand; none where it was over once the blinds were posted."""
        low, high = np.searchsorted(self.match, [match, match + 1])
        begin, end = low + np.searchsorted(self.hand[low:high], [hand, hand + 1])
        return [int(action) for action in self.action[begin:end]]

    @classmethod
    def joined(cls, records: Sequence["Record"]) -> "Record":
        """Return one record of hands that were played apart."""
        match, hand, action = (
            np.concatenate([getattr(record, name) for record in records])
            for name in ("match", "hand", "action")
        )
        order = np.lexsort((hand, match))
        return cls(match[order], hand[order], action[order])


class Recorder:
    """A watcher that writes down all actions."""

    def __init__(self) -> None:
        self._steps: list[tuple[Ints, Ints, Luck]] = []

    def __call__(self, tables: Tables, asked: Rows) -> None:
        """Write down what is about to be done, if it is legal."""
        self._steps.append((tables.match[asked], tables.number[asked], tables.actions[asked]))

    def record(self) -> Record:
        """Return what was written down."""
        nothing = np.zeros(0, np.int64)
        return Record.joined(
            [
                Record(nothing, nothing, nothing),
                *(Record(match, hand, done.astype(np.int64)) for match, hand, done in self._steps),
            ]
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class AtTables:
    """What results of cash games and of tournaments have in common."""

    names: tuple[str, ...]  # the players'
    stacks: tuple[int, ...]  # chips of each seat at the start
    seed: int
    first: int  # the number of the first deal, or of the first tournament
    lineups: Ints  # (T, n): who played at each table, or in each tournament
    actions: Ints  # (players, 4, 4): how often each, on each street, did each of `KINDS_OF_ACTION`
    record: Record | None = None  # every action, if that was asked for

    @property
    def tables_of(self) -> Ints:
        """How many seats in the line-ups each player has, shape (players,)."""
        return np.bincount(self.lineups.ravel(), minlength=len(self.names))

    def by_player(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Return the sum over the tables, for each player, of numbers of shape (T, n)."""
        given = np.asarray(numbers, np.float64).ravel()
        sums: NDArray[Any] = np.bincount(self.lineups.ravel(), given, minlength=len(self.names))
        return sums

    def seats_at(self, table: int, rotation: int) -> tuple[str, ...]:
        """Return the names of the players at a table in the order of the seats."""
        lineup = np.roll(self.lineups[table], rotation)
        return tuple(self.names[player] for player in lineup)

    def recorded(self) -> Record:
        """Return the actions."""
        if self.record is None:
            raise SettingError("no actions were kept; play with record=True.")
        return self.record


@dataclass(frozen=True, eq=False, kw_only=True)
class Played(AtTables):
    """What came of the hands of a cash game.

    Hands are numbered from `first` on, table by table. `chips`, (hands, rotations, n), are what each player of a
    hand's line-up won, once for each rotation of the seats; without line-ups, what each player won by each deal. Where
    stacks are carried who had none left bought in again; what that cost is no loss, so that chips won are net of it.
    `won_from`, (players, players), if it was counted, is what the player of the row won from the player of the column,
    less what it lost to that player; a row's sum is all that its player won.
    """

    structure: Structure  # what was played
    chips: Ints  # (hands, rotations, n)
    stacks_carried: bool = False  # whether a table's hands, in one rotation, were one game
    same_deals: bool = False  # whether all tables had the same deals
    won_from: Ints | None = None  # (players, players), antisymmetric

    @property
    def num_deals(self) -> int:
        """How many independent deals were played."""
        return self.deals_a_table if self.same_deals else len(self.chips)

    @property
    def deals_a_table(self) -> int:
        """How many deals each table had."""
        return len(self.chips) // len(self.lineups)

    @property
    def hands_of(self) -> Ints:
        """How many hands each player played, all rotations counted, shape (players,)."""
        hands: Ints = self.tables_of * self.deals_a_table * self.chips.shape[1]
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
        hands = self.hands_of
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
        count = self.tables_of
        if self.same_deals:
            together = np.array([self.by_player(of_deal) for of_deal in excess.swapaxes(0, 1)])
            squares, deals = (together**2).sum(axis=0), np.full(len(count), deals_a_table)
        else:
            squares, deals = self.by_player((excess**2).sum(axis=1)), count * deals_a_table
        # Over a mean of as many numbers as there are deals, or as there are tables at each deal.
        scale = deals * np.where((count > 0) & (deals > 1), deals - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(squares / scale)
        return error / count if self.same_deals else error

    def in_big_blinds(self, chips: ArrayLike) -> NDArray[np.float64]:
        """Return chips a hand as big blinds per 100 hands."""
        return np.asarray(chips, np.float64) * (100.0 / self.structure.big_blind)

    def __str__(self) -> str:
        """List the players with what they won, in big blinds per 100 hands."""
        means, errors = map(self.in_big_blinds, (self.mean, self.standard_error))
        won = zip(self.names, means, errors, strict=True)
        lines = [f"{name}: {mean:+.1f} ± {error:.1f}" for name, mean, error in won]
        rotations = self.chips.shape[1]
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        head = f"big blinds per 100 hands, {self.num_deals} deals{each}, seed {self.seed}"
        return "\n".join([head, *lines])

    def seats(self, rotation: int = 0, table: int = 0) -> tuple[str, ...]:
        """Return the names of the players at a table in the order of the seats."""
        return self.seats_at(table, rotation)

    def stacks_at(self, number: int, rotation: int = 0) -> tuple[int, ...]:
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

    def hand(self, number: int, rotation: int = 0) -> Hand:
        """Return a hand as it was played, by its number; without line-ups that of its deal."""
        record, rotations = self.recorded(), self.chips.shape[1]
        stacks = self.stacks_at(number, rotation)
        table, of_table = divmod(number - self.first, self.deals_a_table)
        deal = self.first + of_table if self.same_deals else number
        cards = dealt(self.seed, 1, len(stacks), first=deal)[0]
        hand = Hand.begin(self.structure, stacks, deal % len(stacks), cards, number=number)
        for action in record.actions_of(table * rotations + rotation, number):
            hand = hand.after(action)
        return hand


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
        check_cancelled()
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
        betting_engine.act(tables.hands[row], action)
    return betting_engine.NOBODY


@inlined
def is_right(view: Ints, action: float) -> bool:
    """Return whether a legal action was answered: a whole number among those seen; NaN is none."""
    choices = betting_engine.Choices(
        view[at.CAN_FOLD] != 0, view[at.TO_CALL], view[at.MIN_RAISE_TO], view[at.MAX_RAISE_TO]
    )
    return bool(betting_engine.is_legal(choices, action) and action == np.floor(action))


@inlined
def count(view: Ints, action: int, counts: Ints) -> None:
    """Count an action that was taken with this view."""
    kind = RAISED
    if action == FOLD:
        kind = FOLDED
    elif action == CALL:
        kind = CALLED if view[at.TO_CALL] > 0 else CHECKED
    counts[view[at.PLAYER], view[at.STREET], kind] += 1


HAND, TABLE, DEAL, ROTATION = range(4)  # where in `Cash.next_up` these stand


class Cash(NamedTuple):
    """What a cash game's hands have in common, and what comes of them.

    A match is one table in one rotation of its seats: match m is table m // rotations.
    """

    lineups: Ints  # (T, n): who plays at each table
    stacks: Ints  # (n,): chips of each seat at the start
    num_deals: int  # of each table
    same_deals: bool  # whether each table has the deals of the first
    deal_key: np.uint64  # where cards come from
    luck_key: np.uint64  # where the players' luck comes from
    first: int  # number of the first deal
    skipped: int  # how many hands, rotations not counted, come before the first of these
    next_up: Ints  # (4,): what begins next: `HAND`, its `TABLE`, which `DEAL` of that table, in which `ROTATION`
    deck: Cards  # (52,): to deal from
    chips: Ints  # (hands, rotations, n): written: what each player of the line-up wins
    won_from: Ints  # (players, players): written: who wins how much from whom; empty if not counted


@kernel
def deal_next(tables: Tables, cash: Cash, out_asked: Rows) -> int:
    """Write what the players have won where a hand is over, and deal the next one.

    The rows at which somebody is to act are written to `out_asked`; their number is returned.
    """
    count = 0
    num_hands, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            if tables.match[row] != betting_engine.NOBODY:
                settle(tables, row, payoffs, cash)
            if cash.next_up[HAND] == cash.skipped + num_hands:
                tables.match[row] = betting_engine.NOBODY
                break
            hand, table = cash.next_up[HAND], cash.next_up[TABLE]
            of_table, rotation = cash.next_up[DEAL], cash.next_up[ROTATION]
            move_on(cash.next_up, rotations, cash.num_deals)
            sit_down(tables, row, table, rotation, cash)
            begin_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_asked[count] = row
            count += 1
    return count


@kernel
def carry_on(tables: Tables, cash: Cash, out_asked: Rows) -> int:
    """Do as `deal_next` does, but play each match to its end at one row, and let the seats keep their chips."""
    count = 0
    num_hands, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            of_table = 0
            if tables.match[row] != betting_engine.NOBODY:
                settle(tables, row, payoffs, cash)
                of_table = (tables.number[row] - cash.first + 1) % cash.num_deals
            if of_table > 0:
                for seat in range(num_seats):
                    left = tables.hands[row, betting_engine.START + seat] + payoffs[seat]
                    tables.hands[row, betting_engine.START + seat] = (
                        left if left > 0 else cash.stacks[seat]
                    )
                hand = tables.number[row] - cash.first + 1
            elif cash.next_up[TABLE] * cash.num_deals < cash.skipped + num_hands:
                table, rotation = cash.next_up[TABLE], cash.next_up[ROTATION]
                move_on(cash.next_up, rotations, 1)
                sit_down(tables, row, table, rotation, cash)
                for seat in range(num_seats):
                    tables.hands[row, betting_engine.START + seat] = cash.stacks[seat]
                hand = table * cash.num_deals
            else:
                tables.match[row] = betting_engine.NOBODY
                break
            begin_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_asked[count] = row
            count += 1
    return count


@inlined
def settle(tables: Tables, row: int, payoffs: Ints, cash: Cash) -> None:
    """Write what the players have won in the hand at the table `row`; leave it in `payoffs`, by seat."""
    _, rotations, num_seats = cash.chips.shape
    pay_out(tables.hands[row], tables.deals[row], payoffs)
    if cash.won_from.size:
        transfer(tables.hands[row], tables.lineup[row], cash.won_from)
    rotation = tables.match[row] % rotations if rotations > 1 else 0
    hand = tables.number[row] - cash.first - cash.skipped
    for place in range(num_seats):
        seat = place + rotation
        won = payoffs[seat - num_seats if seat >= num_seats else seat]
        cash.chips[hand, rotation, place] = won


@inlined
def move_on(next_up: Ints, rotations: int, num_deals: int) -> None:
    """Count on by one hand; a division would take as long as an action."""
    next_up[ROTATION] += 1
    if next_up[ROTATION] == rotations:
        next_up[ROTATION] = 0
        next_up[HAND] += 1
        next_up[DEAL] += 1
        if next_up[DEAL] == num_deals:
            next_up[DEAL] = 0
            next_up[TABLE] += 1


@inlined
def sit_down(tables: Tables, row: int, table: int, rotation: int, cash: Cash) -> None:
    """Let the players of a table, in one rotation of its seats, sit down at the table `row`."""
    _, rotations, num_seats = cash.chips.shape
    tables.match[row] = table * rotations + rotation
    for place in range(num_seats):
        seat = place + rotation
        tables.lineup[row, seat - num_seats if seat >= num_seats else seat] = cash.lineups[
            table, place
        ]


@inlined
def begin_hand(tables: Tables, row: int, hand: int, of_table: int, cash: Cash) -> None:
    """Begin a hand at the table `row`: the one `of_table` of its own, number `hand` of all."""
    num_seats = cash.chips.shape[2]
    number = cash.first + (of_table if cash.same_deals else hand)
    tables.number[row] = cash.first + hand
    tables.decision[row] = 0
    tables.luck_key[row] = number_at(cash.luck_key, number)
    key = number_at(cash.deal_key, number)
    deal_hand(key, cash.deck, tables.deals[row], 2 * num_seats + 5)
    betting_engine.begin(tables.hands[row], number % num_seats)


LEFT_OUT = {
    r"( ante=\d+)\)": r"\1, ante_from='everybody', straddles=(), button_straddle=0, rake=None)",
    r"( raised='[^']+')(, window=\d+, shared=\w+)\)": r"\1, recent='hands'\2, kept=True)",
}
"""What structures and aggressiveness say of themselves, and said when runs were first recorded, as fingerprints do."""
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
            checked_bool(name, getattr(self, name))
        object.__setattr__(self, "stacks", stacks_of(len(self.stacks), self.stacks))

    def default_pairings(self) -> "RingGames":
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
            tables.hands[:, : betting_engine.SEATS] = betting_engine.structure_words(self.structure)
            tables.hands[:, betting_engine.SEATS] = num_seats
            tables.hands[:, betting_engine.START : betting_engine.START + num_seats] = self.stacks
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

        parts = run_in_threads(part, 0, num_hands // at_a_time, workers=workers)
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
    text = repr(parts)
    for now, before in LEFT_OUT.items():
        text = re.sub(now, before, text)
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
        """The fields of `Results` that it counts."""
        return ("won_from", "won_in_shared_games") if self.pots else ("won_in_shared_games",)

    def __post_init__(self) -> None:
        whole("games", self.games, 1, MOST_GAMES)
        whole("hands", self.hands, 1, MOST_HANDS)
        UnknownNameError.check("way of drawing", self.draw, DRAWS)
        checked_bool("pots", self.pots)
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

    def __call__(
        self,
        game: RingGame,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        share: WorkDivider = run_in_this_thread,
    ) -> Results:
        """Play the games of a generation; seed and generation name line-ups, cards and the players' luck."""
        lineups = self.lineups(len(genomes), game.num_seats, seed, generation)
        counting = replace(game, won_from=self.pots)

        def play_part(low: int, high: int) -> Results:
            played = counting.play(
                encoding.players(genomes),
                self.hands,
                seed=seed,
                lineups=lineups[low:high],
                first=(generation * self.games + low) * self.hands,
            )
            return sum_cash_games(played)

        return sum_results(share(play_part, 0, self.games))

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


def sum_cash_games(played: Played) -> Results:
    """Return the results of a generation that played cash games."""
    tables, num_seats = played.lineups.shape
    num_players = len(played.names)
    won = played.chips.reshape(tables, -1, num_seats).sum(axis=1)
    hands_a_table = played.deals_a_table * played.chips.shape[1]
    won_in_shared_games = np.zeros((num_players, num_players), np.int64)
    shared_hands = np.zeros((num_players, num_players), np.int64)
    pairs = played.lineups[:, :, None], played.lineups[:, None, :]
    np.add.at(won_in_shared_games, pairs, won[:, :, None])
    np.add.at(shared_hands, pairs, hands_a_table)
    hands_won = (played.chips > 0).reshape(tables, -1, num_seats).sum(axis=1)
    return Results(
        num_hands=played.chips[..., 0].size,
        profit=played.won,
        hands=played.hands_of,
        hands_won=played.by_player(hands_won).astype(np.int64),
        actions=played.actions.sum(axis=1),
        ranks=np.zeros((0, num_players)),
        won_from=np.zeros((0, 0), np.int64) if played.won_from is None else played.won_from,
        won_in_shared_games=won_in_shared_games,
        shared_hands=shared_hands,
    )
