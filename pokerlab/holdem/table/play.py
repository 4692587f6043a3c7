"""Cash games at one table or many: fresh stacks every hand or chips that stay, and who wins what from whom."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Ints
from pokerlab.core.errors import SettingError
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import switch, whole
from pokerlab.core.workers import shared
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.engine_showdown import pay_out, transfer
from pokerlab.holdem.betting.structure import MOST_CHIPS, Structure
from pokerlab.holdem.cards.dealing import deal_hand, key_of, number_at
from pokerlab.holdem.cards.deck import MOST_DEALS, NUM_CARDS, Cards
from pokerlab.holdem.table.players import Player, Rows
from pokerlab.holdem.table.results import Played, Record
from pokerlab.holdem.table.steps import SIDE_BY_SIDE, Watcher, check_each_once, play_on, seated
from pokerlab.holdem.table.view import Tables

HAND, TABLE, DEAL, ROTATION = range(4)
"""Where in `Cash.next_up` these stand."""


def play(
    structure: Structure,
    players: Sequence[Player],
    num_deals: int,
    *,
    seed: int,
    stacks: int | Sequence[int],
    stacks_carried: bool = False,
    lineups: ArrayLike | None = None,
    same_deals: bool = False,
    won_from: bool = False,
    duplicates: bool = False,
    first: int = 0,
    record: bool = False,
    watchers: Sequence[Watcher] = (),
    workers: int = 1,
    side_by_side: int = SIDE_BY_SIDE,
) -> Played:
    """Play hands with fresh stacks or carried ones; the button moves on one seat with every deal.

    Parameters
    ----------
    structure : Structure
        From `limit` or `no_limit`.
    players : sequence of Player
        Everybody who may play. A function of a `SeatView` is a player.
    num_deals : int
        How many deals each table plays, 1 to 10**8 for all tables together; a hand for each, or n
        with duplicates.
    seed : int
        Of the cards and of the players' luck.
    stacks : int or sequence of int
        Chips of every seat, or of each, at the start of a hand, or of a game if stacks are carried.
    stacks_carried : bool
        Whether all hands of a table are one game, in which everybody keeps what it has. Nobody takes
        chips off the table; who has none left buys in again, for as much as at the start. With
        duplicates each rotation is a game.
    lineups : array_like of int, shape (T, n), optional
        For each table n different players by their numbers, in the order of the seats: those of the
        first rotation. By default one table, at which player p has seat p.
    same_deals : bool
        Whether all tables play the same deals, with the same luck. By default each has its own.
    won_from : bool
        Whether to count who won how many chips from whom, into `Played.won_from`.
    duplicates : bool
        Whether each deal is played n times, the players moving on one seat each time, so that
        everybody holds everybody's cards. Players have the same luck in all of them, so that what
        is alike comes out at exactly zero.
    first : int
        The number of the first deal: deals 0 to 99 and 100 to 199 make 0 to 199, unless stacks are
        carried, as each call begins new games. The deals of further tables follow those of the first.
    record : bool
        Whether to keep all actions.
    watchers : sequence of callables
        Called with the tables and the rows asked before the actions there are done.
    workers : int
        Threads that share the deals, or the tables if stacks are carried, 1 to 256. More than one only
        where players and watchers are compiled or safe to call at the same time.
    side_by_side : int
        Hands in play at a time, 1 to 10**6.

    Returns
    -------
    Played
        The same for any number of workers and of hands side by side.

    Raises
    ------
    SettingError
        If a number is out of range, a line-up seats nobody or somebody twice, or a carried stack
        could grow beyond counting.
    IllegalActionError
        If a player does what is not legal.

    Notes
    -----
    Players see the hands in no fixed order, many at a time: what they remember from one decision
    to the next must be told apart by `SeatView.hand`.

    Carried stacks follow the rule of table stakes: chips that were won stay in play, and none are
    bought during a hand. The rule makes nobody with chips buy more, so who has less than the big
    blind plays on, all-in for what there is.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, limit
    >>> played = play(
    ...     limit(2), [ALWAYS_CALL, ALWAYS_RAISE], 50, seed=1, stacks=200, duplicates=True
    ... )
    >>> played.chips.shape, int(played.chips.sum())
    ((50, 2, 2), 0)
    >>> three = [ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_CALL]
    >>> played = play(limit(2), three, 9, seed=1, stacks=200, lineups=[[0, 1], [2, 1], [1, 0]])
    >>> played.hands_of.tolist()
    [18, 27, 9]
    """
    company, at_tables, chips_of, rotations = seated(
        players,
        lineups,
        stacks,
        duplicates=duplicates,
        first=first,
        workers=workers,
        side_by_side=side_by_side,
    )
    check_each_once(at_tables)
    num_tables, num_seats = at_tables.shape
    num_hands = num_tables * whole("num_deals", num_deals, 1, MOST_DEALS)
    if num_hands * rotations > MOST_DEALS:
        raise SettingError(
            f"num_deals is {num_deals:,}, which makes {num_hands * rotations:,} hands; a call plays at"
            f" most {MOST_DEALS:,}. Divide them among several calls."
        )
    switch("won_from", won_from)
    switch("same_deals", same_deals)
    if switch("stacks_carried", stacks_carried) and sum(chips_of) * num_deals > MOST_CHIPS:
        raise SettingError(
            f"stacks carried through {num_deals:,} hands could bring {sum(chips_of) * num_deals:,} chips to a"
            f" table; at most {MOST_CHIPS:,} are allowed. Play fewer hands a table, or with smaller stacks."
        )
    # Hands that one row plays one after another, so that threads share them as a whole.
    at_a_time = num_deals if stacks_carried else 1

    def part(begin: int, end: int) -> tuple[Cash, Ints, Record | None]:
        tables = Tables.empty(min(side_by_side, (end - begin) * rotations))
        begin, end = begin * at_a_time, end * at_a_time
        tables.hands[:, : engine.SEATS] = engine.structure_words(structure)
        tables.hands[:, engine.SEATS] = num_seats
        tables.hands[:, engine.START : engine.START + num_seats] = chips_of
        cash = Cash(
            lineups=at_tables,
            stacks=np.array(chips_of),
            num_deals=num_deals,
            same_deals=same_deals,
            deal_key=key_of(seed, "deal"),
            luck_key=key_of(seed, "luck"),
            first=first,
            skipped=begin,
            next_up=np.array([begin, *divmod(begin, num_deals), 0]),
            deck=np.empty(NUM_CARDS, np.uint8),
            chips=np.zeros((end - begin, rotations, num_seats), np.int64),
            won_from=np.zeros((len(company) if won_from else 0,) * 2, np.int64),
        )
        dealer = partial(carry_on if stacks_carried else deal_next, tables, cash)
        actions, kept = play_on(tables, company, dealer, watchers, record=record)
        return cash, actions, kept

    parts = shared(part, 0, num_hands // at_a_time, workers=workers)
    cash, actions, records = zip(*parts, strict=True)
    return Played(
        structure=structure,
        names=tuple(player.name for player in company.players),
        stacks=chips_of,
        seed=seed,
        first=first,
        lineups=at_tables,
        chips=np.concatenate([of_part.chips for of_part in cash]),
        stacks_carried=stacks_carried,
        same_deals=same_deals,
        won_from=np.sum([of_part.won_from for of_part in cash], axis=0) if won_from else None,
        actions=np.sum(actions, axis=0),
        record=Record.joined(records) if record else None,
    )


class Cash(NamedTuple):
    """What a cash game's hands have in common, and what comes of them.

    A match is one table in one rotation of its seats: match m is table m // rotations.

    Attributes
    ----------
    lineups : ndarray of int64, shape (T, n)
        Who plays at each table.
    stacks : ndarray of int64, shape (n,)
        Chips of each seat at the start.
    num_deals : int
        Deals of each table.
    same_deals : bool
        Whether each table has the deals of the first.
    deal_key, luck_key : int
        Where cards and the players' luck come from.
    first : int
        Number of the first deal.
    skipped : int
        How many hands, rotations not counted, come before the first of these.
    next_up : ndarray of int64, shape (4,)
        What is to begin next: `HAND`, its `TABLE`, which `DEAL` of that table, in which `ROTATION`.
    deck : ndarray of uint8, shape (52,)
        To deal from.
    chips : ndarray of int64, shape (hands, rotations, n)
        Written: what each player of the line-up wins.
    won_from : ndarray of int64, shape (players, players)
        Written: who has won how much from whom; empty where that is not counted.
    """

    lineups: Ints
    stacks: Ints
    num_deals: int
    same_deals: bool
    deal_key: np.uint64
    luck_key: np.uint64
    first: int
    skipped: int
    next_up: Ints
    deck: Cards
    chips: Ints
    won_from: Ints


@kernel
def deal_next(tables: Tables, cash: Cash, out_asked: Rows) -> int:
    """Write what the players have won where a hand is over, and deal the next one.

    The rows at which somebody is to act are written to `out_asked`; their number is returned.
    """
    count = 0
    num_hands, rotations, num_seats = cash.chips.shape
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, engine.ACTOR] == engine.NOBODY:
            if tables.match[row] != engine.NOBODY:
                settle(tables, row, payoffs, cash)
            if cash.next_up[HAND] == cash.skipped + num_hands:
                tables.match[row] = engine.NOBODY
                break
            hand, table = cash.next_up[HAND], cash.next_up[TABLE]
            of_table, rotation = cash.next_up[DEAL], cash.next_up[ROTATION]
            move_on(cash.next_up, rotations, cash.num_deals)
            sit_down(tables, row, table, rotation, cash)
            begin_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, engine.ACTOR] != engine.NOBODY:
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
        while tables.hands[row, engine.ACTOR] == engine.NOBODY:
            of_table = 0
            if tables.match[row] != engine.NOBODY:
                settle(tables, row, payoffs, cash)
                of_table = (tables.number[row] - cash.first + 1) % cash.num_deals
            if of_table > 0:
                for seat in range(num_seats):
                    left = tables.hands[row, engine.START + seat] + payoffs[seat]
                    tables.hands[row, engine.START + seat] = left if left > 0 else cash.stacks[seat]
                hand = tables.number[row] - cash.first + 1
            elif cash.next_up[TABLE] * cash.num_deals < cash.skipped + num_hands:
                table, rotation = cash.next_up[TABLE], cash.next_up[ROTATION]
                move_on(cash.next_up, rotations, 1)
                sit_down(tables, row, table, rotation, cash)
                for seat in range(num_seats):
                    tables.hands[row, engine.START + seat] = cash.stacks[seat]
                hand = table * cash.num_deals
            else:
                tables.match[row] = engine.NOBODY
                break
            begin_hand(tables, row, hand, of_table, cash)
        if tables.hands[row, engine.ACTOR] != engine.NOBODY:
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
    engine.begin(tables.hands[row], number % num_seats)
