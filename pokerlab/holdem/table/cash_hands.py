"""The hands of a cash game, side by side: the next one is dealt where one is over."""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.random_numbers import number_at
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.engine_showdown import pay_out, transfer
from pokerlab.holdem.cards.dealing import deal_hand
from pokerlab.holdem.cards.deck import Cards
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Tables

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
