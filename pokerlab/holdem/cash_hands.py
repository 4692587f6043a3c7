"""The kernels of cash games: hands that are over are paid, and the next hands are dealt, at many tables at once.

A *match* is a table of the game in one rotation of its seats. The tables in play are rows of `Tables`; each row plays a
hand of some match until it is over, and then the next hand. `pay_and_deal_hands` begins every hand with fresh stacks,
and `pay_and_deal_hands_with_carried_stacks` lets the seats keep their chips.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_engine import add_chips_won_between_players, fill_hand_payoffs
from pokerlab.holdem.cards import Cards, deal_cards
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables

NEXT_HAND, NEXT_TABLE, NEXT_DEAL, NEXT_ROTATION = range(4)
"""Indices in `CashBatch.next_hand_indices`: the next hand, its table, its deal at that table, and its rotation."""


class CashBatch(NamedTuple):
    """The settings, the state and the results of a batch of hands of a cash game.

    There are T tables with n seats each. A match is a table in one rotation of its seats, and match m is played at
    table m // rotations. A batch has the hands that one thread plays.

    Attributes
    ----------
    lineups : ndarray of int64, shape (T, n)
        The players at each table.
    stacks : ndarray of int64, shape (n,)
        The chips of each seat at the start of a game.
    num_deals : int
        The number of deals of each table.
    same_deals : bool
        Whether all tables play the same deals.
    deal_key, random_key : uint64
        The keys of the random streams of the cards and of the players.
    first_deal : int
        The index of the first deal.
    num_skipped_hands : int
        The number of hands that come before this batch; the rotations of a deal count as one hand.
    next_hand_indices : ndarray of int64, shape (4,)
        The hand that begins next, at the indices NEXT_HAND, NEXT_TABLE, NEXT_DEAL and NEXT_ROTATION.
    deck : ndarray of uint8, shape (52,)
        An array that is overwritten while dealing.
    chips : ndarray of int64, shape (hands, rotations, n)
        A result: the chips that each player of the line-up wins.
    won_from : ndarray of int64, shape (players, players)
        A result: the chips that each player wins from each other player; an empty array if they are not counted.
    """

    lineups: Ints
    stacks: Ints
    num_deals: int
    same_deals: bool
    deal_key: np.uint64
    random_key: np.uint64
    first_deal: int
    num_skipped_hands: int
    next_hand_indices: Ints
    deck: Cards
    chips: Ints
    won_from: Ints


@kernel
def pay_and_deal_hands(tables: Tables, batch: CashBatch, out_rows_to_act: Rows) -> int:
    """Pay the hands that are over, and deal the next hands at their tables, in games with fresh stacks for every hand.

    When no hands are left, a table stays empty. `tables` and `batch` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    batch : CashBatch
        The hands to be played, which hand is next, and the results.
    out_rows_to_act : ndarray of int
        Its first entries are overwritten with the indices of the tables at which a seat is to act.

    Returns
    -------
    int
        The number of these tables.
    """
    # `row` counts the tables that are in play, `table` the line-ups of the game, and `hand` the hands of all line-ups.
    num_to_act = 0
    next_hand = batch.next_hand_indices
    num_hands, num_rotations, num_seats = batch.chips.shape
    end_of_batch = batch.num_skipped_hands + num_hands
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        # A hand may be over as soon as it is dealt, because all players are all-in by the blinds.
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            has_hand_to_pay = tables.match[row] != betting_engine.NOBODY
            if has_hand_to_pay:
                record_hand_payoffs(tables, row, payoffs, batch)
            if next_hand[NEXT_HAND] == end_of_batch:
                tables.match[row] = betting_engine.NOBODY
                break

            # Read the next hand before its indices advance.
            hand, table = next_hand[NEXT_HAND], next_hand[NEXT_TABLE]
            hand_of_table, rotation = next_hand[NEXT_DEAL], next_hand[NEXT_ROTATION]
            advance_to_next_hand(next_hand, num_rotations, batch.num_deals)
            seat_players_at_row(tables, row, table, rotation, batch)
            deal_hand_at_row(tables, row, hand, hand_of_table, batch)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_rows_to_act[num_to_act] = row
            num_to_act += 1
    return num_to_act


@kernel
def pay_and_deal_hands_with_carried_stacks(
    tables: Tables, batch: CashBatch, out_rows_to_act: Rows
) -> int:
    """Pay the hands that are over, and deal the next hands at their tables, in games in which seats keep their chips.

    All hands of a match, which is a table of the game in one rotation of its seats, are played one after the other at
    the same index of `tables`. When no matches are left, a table stays empty. `tables` and `batch` are changed in
    place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    batch : CashBatch
        The hands to be played, which hand is next, and the results.
    out_rows_to_act : ndarray of int
        Its first entries are overwritten with the indices of the tables at which a seat is to act.

    Returns
    -------
    int
        The number of these tables.
    """
    # `row` counts the tables that are in play, and `hand` the hands of all line-ups of the game.
    num_to_act = 0
    next_hand = batch.next_hand_indices
    num_hands, _, num_seats = batch.chips.shape
    end_of_batch = batch.num_skipped_hands + num_hands
    payoffs = np.empty(num_seats, np.int64)
    for row in range(tables.match.size):
        while tables.hands[row, betting_engine.ACTOR] == betting_engine.NOBODY:
            # The index of the match's next hand among those of its table, or 0 if the match is over.
            hand_of_table = 0
            has_hand_to_pay = tables.match[row] != betting_engine.NOBODY
            if has_hand_to_pay:
                record_hand_payoffs(tables, row, payoffs, batch)
                hand_of_table = (tables.number[row] - batch.first_deal + 1) % batch.num_deals

            match_goes_on = hand_of_table > 0
            match_is_left = next_hand[NEXT_TABLE] * batch.num_deals < end_of_batch
            if match_goes_on:
                carry_stacks(tables, row, payoffs, batch)
                hand = tables.number[row] - batch.first_deal + 1
            elif match_is_left:
                hand = begin_next_match(tables, row, batch)
            else:
                tables.match[row] = betting_engine.NOBODY
                break
            deal_hand_at_row(tables, row, hand, hand_of_table, batch)
        if tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_rows_to_act[num_to_act] = row
            num_to_act += 1
    return num_to_act


@inlined
def begin_next_match(tables: Tables, row: int, batch: CashBatch) -> int:
    """Seat the players of the next match of a game with carried stacks, with the stacks of the start of the game.

    A match is a table of the game in one rotation of its seats. `tables` and `batch` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index in `tables` at which the match is played.
    batch : CashBatch
        The hands to be played, and which match is next.

    Returns
    -------
    int
        The index of the match's first hand among the hands of all tables.
    """
    _, num_rotations, num_seats = batch.chips.shape
    table = batch.next_hand_indices[NEXT_TABLE]
    rotation = batch.next_hand_indices[NEXT_ROTATION]
    # With `num_deals` 1, each step goes on to the next rotation or table.
    advance_to_next_hand(batch.next_hand_indices, num_rotations, 1)
    seat_players_at_row(tables, row, table, rotation, batch)
    for seat in range(num_seats):
        tables.hands[row, betting_engine.STARTING_STACKS + seat] = batch.stacks[seat]
    return int(table * batch.num_deals)


@inlined
def carry_stacks(tables: Tables, row: int, payoffs: Ints, batch: CashBatch) -> None:
    """Set the stacks of a table for the next hand to the chips that its seats have after the last one.

    A seat without chips buys in again, for as many chips as at the start of the game. `tables` is changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table among them.
    payoffs : ndarray of int64, shape (n,)
        What each of the n seats has won in the last hand.
    batch : CashBatch
        The hands to be played, with the chips of each seat at the start of a game.
    """
    hand = tables.hands[row]
    for seat in range(payoffs.size):
        chips_left = hand[betting_engine.STARTING_STACKS + seat] + payoffs[seat]
        if chips_left <= 0:
            chips_left = batch.stacks[seat]
        hand[betting_engine.STARTING_STACKS + seat] = chips_left


@inlined
def record_hand_payoffs(tables: Tables, row: int, out_payoffs: Ints, batch: CashBatch) -> None:
    """Compute what each seat of a table has won in a hand that is over, and write it to the results of the batch.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table among them.
    out_payoffs : ndarray of int64, shape (n,)
        Overwritten with the payoff of each of the n seats.
    batch : CashBatch
        The hands to be played, whose results are changed.
    """
    _, num_rotations, num_seats = batch.chips.shape
    fill_hand_payoffs(tables.hands[row], tables.deals[row], out_payoffs)
    if batch.won_from.size:
        add_chips_won_between_players(tables.hands[row], tables.lineup[row], batch.won_from)

    # The results are in the order of the line-up, and a rotation moves its players to other seats.
    rotation = tables.match[row] % num_rotations if num_rotations > 1 else 0
    hand = tables.number[row] - batch.first_deal - batch.num_skipped_hands
    for lineup_index in range(num_seats):
        seat = find_rotated_seat(lineup_index, rotation, num_seats)
        batch.chips[hand, rotation, lineup_index] = out_payoffs[seat]


@inlined
def advance_to_next_hand(next_hand_indices: Ints, num_rotations: int, num_deals: int) -> None:
    """Advance the indices of the hand that is dealt next, in place.

    The next hand is the next rotation of the same deal, or else the next deal of the same table, or else the first deal
    of the next table. In rotation r of the seats each player sits r seats to the left of its seat in the line-up.

    Parameters
    ----------
    next_hand_indices : ndarray of int64, shape (4,)
        The indices of a hand, its table, its deal at this table, and its rotation. The constants NEXT_HAND, NEXT_TABLE,
        NEXT_DEAL and NEXT_ROTATION say which is where.
    num_rotations : int
        The number of rotations of the seats in which each deal is played.
    num_deals : int
        The number of deals of each table.
    """
    # Counters instead of divisions, because a division takes as long as a player's action.
    next_hand_indices[NEXT_ROTATION] += 1
    if next_hand_indices[NEXT_ROTATION] == num_rotations:
        next_hand_indices[NEXT_ROTATION] = 0
        next_hand_indices[NEXT_HAND] += 1
        next_hand_indices[NEXT_DEAL] += 1
        if next_hand_indices[NEXT_DEAL] == num_deals:
            next_hand_indices[NEXT_DEAL] = 0
            next_hand_indices[NEXT_TABLE] += 1


@inlined
def seat_players_at_row(
    tables: Tables, row: int, table: int, rotation: int, batch: CashBatch
) -> None:
    """Seat the players of a table of the game at one of the tables in play.

    In rotation r each player sits r seats to the left of its seat in the line-up. The match and the line-up of the
    table in play are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table in play.
    table : int
        The index of the table of the game, which has a line-up.
    rotation : int
        The rotation of the seats, from 0 on.
    batch : CashBatch
        The hands to be played, with the line-ups.
    """
    _, num_rotations, num_seats = batch.chips.shape
    tables.match[row] = table * num_rotations + rotation
    for lineup_index in range(num_seats):
        seat = find_rotated_seat(lineup_index, rotation, num_seats)
        tables.lineup[row, seat] = batch.lineups[table, lineup_index]


@inlined
def find_rotated_seat(lineup_index: int, rotation: int, num_seats: int) -> int:
    """Return the seat of a player of a line-up in a rotation of the seats.

    In rotation r each player sits r seats to the left of its seat in the line-up. Seat 0 follows the last seat.

    Parameters
    ----------
    lineup_index : int
        The index of the player in the line-up, less than `num_seats`.
    rotation : int
        The rotation, less than `num_seats`.
    num_seats : int
        The number of seats of the table.

    Examples
    --------
    >>> find_rotated_seat(2, rotation=1, num_seats=3)
    0
    """
    # A comparison instead of a remainder, because a division takes as long as a player's action.
    seat = lineup_index + rotation
    return seat - num_seats if seat >= num_seats else seat


@inlined
def deal_hand_at_row(
    tables: Tables, row: int, hand: int, hand_of_table: int, batch: CashBatch
) -> None:
    """Deal the cards of a hand at one of the tables in play, and post its antes and blinds.

    The table in play is changed in place. The index of the deal decides the cards, the button and the random numbers of
    the players. If all tables have the same deals, it is the index of the hand at its own table; otherwise it is the
    index among the hands of all tables.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table in play, where players sit already.
    hand : int
        The index of the hand among those of all tables of the game.
    hand_of_table : int
        The index of the hand among those of its own table.
    batch : CashBatch
        The hands to be played, with the keys of the random numbers.
    """
    num_seats = batch.chips.shape[2]
    deal = batch.first_deal + (hand_of_table if batch.same_deals else hand)
    tables.number[row] = batch.first_deal + hand
    tables.decision[row] = 0
    tables.random_key[row] = compute_random_bits(batch.random_key, deal)
    card_key = compute_random_bits(batch.deal_key, deal)
    deal_cards(card_key, batch.deck, tables.deals[row], 2 * num_seats + 5)
    button = deal % num_seats
    betting_engine.begin_hand(tables.hands[row], button)
