"""The rules of betting of `pokerlab.holdem.hand` as kernels: a hand is a row of integers that actions change in place.

A hand is an array of int64 of shape (NUM_WORDS,). Its *words* are the structure, then the state of the table, then the
stacks, bets and so on of the seats; the constants below are their indices. A *set of seats* is an integer whose bit s
stands for seat s. The names and the rules are those of `Hand`, where they are explained, and tests play both side by
side. These differences make kernels fast:

- `PENDING` is the set of seats that can act and have yet to respond to the present bet, so that no loop has to look for
  them.
- `NO_BET_ANSWERED` is so far below every bet that a seat that has not acted faces more than a full raise.
- `CHECKED` is the set of seats that have checked in this round.
- A seat has paid its starting stack minus its stack. The big blind's ante for the whole table, `POSTED_FOR_ALL`, is a
  part of that, but not of the total that decides which pots a seat can win.
- Of `ANTE`, which each seat posts, and `TABLE_ANTE`, which the big blind posts for all, at most one is above 0.
- Seats are masked before they index a word, because an index that cannot be negative needs no check.
- Loops visit sets of seats bit by bit. The compiler would turn counted loops into vector loops, which wait for the
  single words that were just written.

At a showdown the different totals that live seats have paid divide the chips into pots: the main pot and side pots.
The pot between the totals `lower_level` and `upper_level` has the chips that seats have paid beyond `lower_level`, up
to `upper_level`. The seats that have paid `upper_level` can win it.

To play a hand, write `encode_structure`, the number of seats at `SEATS` and the stacks from `STARTING_STACKS` on, and
call `begin_hand`. While `ACTOR` is a seat, call `find_legal_actions` and `apply_action`. At the end
`compute_hand_payoffs` writes the payoff of each seat. Starting stacks stay as they were.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined
from pokerlab.holdem.cards import RIVER, TURN, Cards
from pokerlab.holdem.hand import (
    CALL,
    EACH_PLAYER,
    FOLD,
    FROM_BIG_BLIND,
    MOST_CHIPS,
    MOST_SEATS,
    NO_LIMIT,
    Structure,
)
from pokerlab.holdem.hand_rankings import evaluate_with_board, sum_keys_and_bits

# Words of the structure; those that every action needs come last.
FOLDS_LIFT_CAP, FREE_FOLDS, IS_NO_LIMIT, SMALL_BLIND, BIG_BLIND = range(5)
SMALL_BET, BIG_BET, CAP, UNLIMITED_HEADS_UP, ANTE, TABLE_ANTE = range(5, 11)
NUM_STRUCTURE_WORDS = 11
# Words of the table; BET is the bet to match, POSTED_FOR_ALL the table's ante, and the last four are sets of seats.
SEATS, BUTTON, BIG_BLIND_SEAT, STREET, ACTOR, BET, FULL_RAISE, NUM_BETS, POSTED_FOR_ALL, CAPPED = (
    range(NUM_STRUCTURE_WORDS, NUM_STRUCTURE_WORDS + 10)
)
LIVE, ABLE, PENDING, CHECKED = range(CAPPED + 1, CAPPED + 5)
# The first of each kind of words that seats have; SHOWN_STRENGTHS are written at a showdown.
STARTING_STACKS, STACKS, BETS, ANSWERED_BETS, SHOWN_STRENGTHS = range(
    CHECKED + 1, CHECKED + 1 + 5 * MOST_SEATS, MOST_SEATS
)
NUM_WORDS = CHECKED + 1 + 5 * MOST_SEATS

NOBODY = -1
NO_BET_ANSWERED = -4 * MOST_CHIPS
NO_CAP = 0
SEAT_MASK = 15
ALL_SEATS = (1 << MOST_SEATS) - 1
LOWEST_SEAT = np.array([max((s & -s).bit_length() - 1, 0) for s in range(ALL_SEATS + 1)], np.uint8)
"""The lowest seat in each set of seats, or 0 for the empty set."""
NUM_SEATS_IN = np.array([seats.bit_count() for seats in range(ALL_SEATS + 1)], np.int64)
"""The number of seats in each set of seats."""


class Choices(NamedTuple):
    """The legal actions of the actor, as in `Legal`. Both bounds of raises are 0 if no raise is legal."""

    can_fold: bool
    to_call: int
    min_raise_to: int
    max_raise_to: int


def encode_structure(structure: Structure) -> Ints:
    """Return a betting structure as the first words of a hand, in the order of the constants FOLDS_LIFT_CAP and so on.

    Returns
    -------
    ndarray of int64, shape (NUM_STRUCTURE_WORDS,)
    """
    return np.array(
        [
            structure.folds_lift_cap,
            structure.free_folds,
            structure.kind == NO_LIMIT,
            structure.small_blind,
            structure.big_blind,
            structure.small_bet,
            structure.big_bet,
            NO_CAP if structure.cap is None else structure.cap,
            structure.unlimited_heads_up,
            structure.ante if structure.ante_from == EACH_PLAYER else 0,
            structure.ante if structure.ante_from == FROM_BIG_BLIND else 0,
        ],
        np.int64,
    )


@inlined
def find_lowest_seat(seats: int) -> int:
    """Return the lowest seat in a set of seats, which is an integer whose bit s stands for seat s."""
    return int(LOWEST_SEAT[seats & ALL_SEATS])


@inlined
def remove_lowest_seat(seats: int) -> int:
    """Return a set of seats without its lowest seat. The empty set stays empty."""
    return seats & (seats - 1)


@inlined
def find_next_seat(seats: int, seat: int) -> int:
    """Return the first seat of a set to the left of `seat`, or `seat` itself if it is the only one in the set.

    In the set, an integer, bit s stands for seat s. After the last seat of the table comes seat 0.
    """
    seats_above = seats & -2 << seat  # the members with a higher number
    return int(np.int64(find_lowest_seat(seats_above if seats_above else seats)))


@inlined
def has_at_least_two_seats(seats: int) -> bool:
    """Return whether a set holds two seats or more."""
    return remove_lowest_seat(seats) != 0


@inlined
def has_at_most_two_seats(seats: int) -> bool:
    """Return whether a set holds two seats or fewer."""
    return not has_at_least_two_seats(remove_lowest_seat(seats))


@inlined
def begin_hand(hand: Ints, button: int) -> None:
    """Begin a hand: post antes and blinds, and find the first actor.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words of a hand. It holds the structure, the number of seats and the starting stacks; the rest is
        overwritten.
    button : int
        The seat with the button.
    """
    ante = hand[ANTE]
    clear_bets(hand)

    # The seats with chips are dealt in; those that have some left after the ante are able to act.
    dealt_in, able = 0, 0
    seats = (1 << hand[SEATS]) - 1
    while seats:
        seat = find_lowest_seat(seats)
        seats = remove_lowest_seat(seats)
        starting_stack = hand[STARTING_STACKS + seat]
        stack = max(starting_stack - ante, 0)
        hand[STACKS + seat] = stack
        dealt_in |= (starting_stack > 0) << seat
        able |= (stack > 0) << seat

    # The blinds are the next two seats after the button. Heads-up the button posts the small blind.
    first_after_button = find_next_seat(dealt_in, button)
    second_after_button = find_next_seat(dealt_in, first_after_button)
    is_heads_up = second_after_button == button
    small = button if is_heads_up else first_after_button
    big = first_after_button if is_heads_up else second_after_button
    post_blind(hand, small, hand[SMALL_BLIND])
    post_blind(hand, big, hand[BIG_BLIND])

    # An ante of the big blind for the whole table comes out of what its blind has left.
    table_ante = min(hand[TABLE_ANTE], hand[STACKS + big])
    hand[STACKS + big] -= table_ante
    hand[POSTED_FOR_ALL] = table_ante

    hand[BUTTON] = button
    hand[BIG_BLIND_SEAT] = big
    hand[STREET] = 0
    hand[BET] = hand[BIG_BLIND]
    hand[FULL_RAISE] = hand[SMALL_BET]
    hand[NUM_BETS] = 1
    hand[LIVE] = dealt_in
    hand[CHECKED] = 0

    # A blind that took the whole stack leaves nothing to act with.
    all_in = (hand[STACKS + small] == 0) << small | (hand[STACKS + big] == 0) << big
    able &= ~all_in
    hand[ABLE] = able
    hand[PENDING] = able
    hand[CAPPED] = is_capped(hand, able)
    pass_turn_after(hand, big)


@inlined
def post_blind(hand: Ints, seat: int, blind: int) -> None:
    """Move a blind from the stack of `seat` to its bet, or the whole stack if it is smaller than the blind.

    `hand` has the words of a hand, which are changed.
    """
    posted = min(blind, hand[STACKS + seat])
    hand[STACKS + seat] -= posted
    hand[BETS + seat] = posted


@inlined
def is_capped(hand: Ints, able_before_bet: int) -> bool:
    """Return whether raising is over in this round because the largest allowed number of bets has been made.

    In a structure that is unlimited heads-up there is no such limit if at most two seats could act before the last bet.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words of a hand, which are not changed.
    able_before_bet : int
        The set of seats that could act before the last bet, one bit for each seat.
    """
    if hand[CAP] == NO_CAP or hand[NUM_BETS] < hand[CAP]:
        return False
    return not (hand[UNLIMITED_HEADS_UP] and has_at_most_two_seats(able_before_bet))


@inlined
def find_legal_actions(hand: Ints) -> Choices:
    """Return the legal actions of the actor: whether it may fold, the chips to call, and the range of raises.

    `hand` is an array of int64 of shape (NUM_WORDS,), which is not changed.
    """
    seat = hand[ACTOR] & SEAT_MASK
    bet = hand[BET]
    own_bet, stack = hand[BETS + seat], hand[STACKS + seat]
    to_call = min(bet - own_bet, stack)
    all_in = own_bet + stack

    # A seat that has acted may raise again only after a full raise by another seat.
    raised_since = bet - hand[ANSWERED_BETS + seat]
    reopened = raised_since >= hand[FULL_RAISE]
    capped = hand[CAPPED] and not (hand[FOLDS_LIFT_CAP] and has_at_most_two_seats(hand[ABLE]))
    least, most = 0, 0
    if not capped and reopened and all_in > bet and can_raise_be_called(hand, seat, bet):
        least = min(bet + hand[FULL_RAISE], all_in)
        most = all_in if hand[IS_NO_LIMIT] else least

    # Without a branch: processors cannot predict whether something is owed.
    can_fold = bool((to_call > 0) | (hand[FREE_FOLDS] != 0))
    return Choices(can_fold, to_call, least, most)


@inlined
def can_raise_be_called(hand: Ints, seat: int, bet: int) -> bool:
    """Return whether another seat could call at least a part of a raise by `seat` above the bet `bet`.

    `hand` has the words of a hand, an array of int64 of shape (NUM_WORDS,), which is not changed.
    """
    opponents = hand[ABLE] & ~(1 << seat)
    while opponents:
        opponent = find_lowest_seat(opponents)
        if hand[BETS + opponent] + hand[STACKS + opponent] > bet:
            return True
        opponents = remove_lowest_seat(opponents)
    return False


@inlined
def is_legal(choices: Choices, action: float) -> bool:
    """Return whether an action is legal: FOLD, CALL, or the chips to raise to. Fractions are not checked for here."""
    if action == CALL:
        return True
    if action == FOLD:
        return choices.can_fold
    return action > 0 and choices.min_raise_to <= action <= choices.max_raise_to


@inlined
def apply_action(hand: Ints, action: int) -> None:
    """Change a hand by a legal action of the actor, and find the next actor.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words of a hand, which are changed.
    action : int
        FOLD, CALL, or the chips to raise to.
    """
    seat = hand[ACTOR] & SEAT_MASK
    able = hand[ABLE]
    other_seats = ~(1 << seat)
    if action == FOLD:
        hand[LIVE] &= other_seats
        hand[ABLE] = able & other_seats
        hand[PENDING] &= other_seats
    else:
        # Move chips from the stack to the bet.
        bet = hand[BET]
        own_bet = hand[BETS + seat]
        all_in = own_bet + hand[STACKS + seat]
        new_bet = min(bet, all_in) if action == CALL else action
        hand[STACKS + seat] = all_in - new_bet
        hand[BETS + seat] = new_bet
        if new_bet == all_in:
            hand[ABLE] = able & other_seats

        if action == CALL:
            hand[PENDING] &= other_seats
            is_check = own_bet == bet
            hand[CHECKED] |= is_check << seat
        else:
            bet = new_bet
            hand[PENDING] = able & other_seats
            raise_current_bet(hand, new_bet, able)
        hand[ANSWERED_BETS + seat] = bet
    pass_turn_after(hand, seat)


@inlined
def raise_current_bet(hand: Ints, total: int, able_before_bet: int) -> None:
    """Raise the bet that seats must match to `total`. A full raise increases the number of bets, and may reach the cap.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words of a hand, which are changed.
    total : int
        The new bet, in chips of this round.
    able_before_bet : int
        The set of seats that could act before the raise, one bit for each seat.
    """
    raised_by = total - hand[BET]
    hand[BET] = total
    if raised_by >= hand[FULL_RAISE]:
        hand[FULL_RAISE] = raised_by
        hand[NUM_BETS] += 1
        hand[CAPPED] = is_capped(hand, able_before_bet)


@inlined
def pass_turn_after(hand: Ints, seat: int) -> None:
    """Write the next actor after `seat`, or NOBODY if the hand is over.

    If the betting of the street is over, the next street begins. The hand is over if all seats but one have folded, or
    if no more betting is possible. `hand` has the words of a hand, which are changed.
    """
    # If all seats but one have folded, the hand is over.
    if not has_at_least_two_seats(hand[LIVE]):
        hand[ACTOR] = NOBODY
        return

    # If a seat has yet to respond to the bet, it is the next actor.
    able, pending = hand[ABLE], hand[PENDING]
    if pending and (has_at_least_two_seats(able) or has_bet_to_match(hand, pending)):
        hand[ACTOR] = find_next_seat(pending, seat)
        return

    # If no more betting is possible, the hand ends with a showdown.
    if hand[STREET] == RIVER or not has_at_least_two_seats(able):
        hand[STREET] = RIVER
        hand[ACTOR] = NOBODY
        return

    # Otherwise the next street begins.
    hand[STREET] += 1
    clear_bets(hand)
    hand[BET] = 0
    hand[FULL_RAISE] = hand[BIG_BET] if hand[STREET] >= TURN else hand[SMALL_BET]
    hand[NUM_BETS] = 0
    hand[CAPPED] = 0
    hand[CHECKED] = 0
    hand[PENDING] = able
    hand[ACTOR] = find_next_seat(able, hand[BUTTON])


@inlined
def clear_bets(hand: Ints) -> None:
    """Set the bets of all seats to 0, and the bets that they have answered to NO_BET_ANSWERED.

    `hand` is the array of a hand, and is changed. All ten possible seats are cleared, and not only those in use:
    the compiler turns a loop of fixed length into a few instructions.
    """
    for seat in range(MOST_SEATS):
        hand[BETS + seat] = 0
        hand[ANSWERED_BETS + seat] = NO_BET_ANSWERED


@inlined
def has_bet_to_match(hand: Ints, only_seat: int) -> bool:
    """Return whether the only seat that has chips left has yet to match another seat's bet.

    `hand` has the words of a hand, and `only_seat` is the set that contains only this seat.
    """
    own_bet = hand[BETS + find_lowest_seat(only_seat)]
    others = hand[LIVE] & ~only_seat
    while others:
        if hand[BETS + find_lowest_seat(others)] > own_bet:
            return True
        others = remove_lowest_seat(others)
    return False


NOT_SHOWN = -1


@inlined
def compute_hand_payoffs(hand: Ints, deal: Cards, out_payoffs: Ints) -> None:
    """Write the payoff of each seat when the hand is over: the chips that it wins minus those that it has paid.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words SHOWN_STRENGTHS are overwritten if there is a showdown.
    deal : ndarray of uint8
        Two cards for each seat, then the board.
    out_payoffs : ndarray of int64, shape (seats,)
        Overwritten.
    """
    if has_at_least_two_seats(hand[LIVE]):
        compute_showdown_strengths(hand, deal)
        compute_showdown_payoffs(hand, out_payoffs)
    else:
        compute_payoffs_of_last_seat(hand, out_payoffs)


@inlined
def compute_payoffs_of_last_seat(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoffs if only one seat has not folded: this seat wins what all have paid.

    `hand` has the words of a hand. `out_payoffs`, of shape (seats,), is overwritten with chips won minus chips paid.
    """
    total = 0
    seats = (1 << hand[SEATS]) - 1
    while seats:
        seat = find_lowest_seat(seats)
        seats = remove_lowest_seat(seats)
        paid = hand[STARTING_STACKS + seat] - hand[STACKS + seat]
        out_payoffs[seat] = -paid
        total += paid
    last_seat = find_lowest_seat(hand[LIVE])
    out_payoffs[last_seat] += total


@inlined
def compute_showdown_strengths(hand: Ints, deal: Cards) -> None:
    """Write the strength of the seven cards of each seat that has not folded, and NOT_SHOWN for the other seats.

    The words SHOWN_STRENGTHS of the hand are overwritten. `deal` has two cards for each seat, then the board.
    """
    seats = hand[SEATS]
    board_key, board_bits = sum_keys_and_bits(deal, 2 * seats, 2 * seats + 5)
    for seat in range(seats):
        hand[SHOWN_STRENGTHS + seat] = NOT_SHOWN
        is_live = hand[LIVE] >> seat & 1
        if is_live:
            hand[SHOWN_STRENGTHS + seat] = evaluate_with_board(
                board_key, board_bits, deal[2 * seat], deal[2 * seat + 1]
            )


@inlined
def count_chips_without_table_ante(hand: Ints, seat: int) -> int:
    """Return the chips that a seat has paid for itself, without an ante that it has posted for the whole table.

    `hand` has the words of a hand.
    """
    posted_for_all = hand[POSTED_FOR_ALL] if seat == hand[BIG_BLIND_SEAT] else 0
    return int(hand[STARTING_STACKS + seat] - hand[STACKS + seat] - posted_for_all)


@inlined
def find_called_total(hand: Ints) -> int:
    """Return the second largest total that a seat has paid. Chips above it were not called and are returned.

    `hand` has the words of a hand. An ante for the whole table is not counted.
    """
    largest, second_largest = 0, 0
    for seat in range(hand[SEATS]):
        total = count_chips_without_table_ante(hand, seat)
        second_largest = max(second_largest, min(total, largest))
        largest = max(largest, total)
    return int(second_largest)


@inlined
def compute_showdown_payoffs(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoffs at a showdown: each pot goes to the strongest hands that can win it.

    An ante for the whole table is in the first pot, the main pot. `out_payoffs`, of shape (seats,), is overwritten
    with chips won minus chips paid.
    """
    called_total = find_called_total(hand)
    for seat in range(hand[SEATS]):
        out_payoffs[seat] = -min(count_chips_without_table_ante(hand, seat), called_total)
    out_payoffs[hand[BIG_BLIND_SEAT]] -= hand[POSTED_FOR_ALL]

    lower_level = 0
    while lower_level < called_total:
        upper_level = find_next_pot_level(hand, lower_level, called_total)
        add_pot_payoffs(hand, lower_level, upper_level, out_payoffs)
        lower_level = upper_level


@inlined
def find_next_pot_level(hand: Ints, lower_level: int, called_total: int) -> int:
    """Return the largest number of chips that each seat has in the next pot and in all pots before it together.

    The pots before take the first `lower_level` chips of each seat.

    A seat that is all in can win from each other seat at most as many chips as it has paid, so its total is where one
    pot ends and the next side pot begins. The result is the smallest total above `lower_level` that a seat which has
    not folded has paid. It is at most `called_total`, because chips above that are returned. `hand` is the array of a
    hand, whose words are named in this module.
    """
    level = called_total
    for seat in range(hand[SEATS]):
        paid = count_chips_without_table_ante(hand, seat)
        is_live = hand[LIVE] >> seat & 1
        if is_live and lower_level < paid < level:
            level = paid
    return int(level)


@inlined
def find_pot_winners_at_level(hand: Ints, level: int) -> int:
    """Return the set of seats with the strongest hand among the live seats that have paid the total `level`.

    `hand` has the words of a hand at a showdown. In the returned set, bit s stands for seat s.
    """
    winners, best = 0, NOT_SHOWN
    for seat in range(hand[SEATS]):
        is_live = hand[LIVE] >> seat & 1
        if is_live and count_chips_without_table_ante(hand, seat) >= level:
            strength = hand[SHOWN_STRENGTHS + seat]
            if strength >= best:
                equal_winners = winners if strength == best else 0
                winners = equal_winners | 1 << seat
                best = strength
    return winners


@inlined
def add_pot_payoffs(hand: Ints, lower_level: int, upper_level: int, out_payoffs: Ints) -> None:
    """Add the chips of the pot between the totals `lower_level` and `upper_level` to the payoffs of its winners.

    Chips that cannot be divided evenly go one at a time to the winners, in their order from the left of the button.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The words of a hand at a showdown.
    lower_level, upper_level : int
        The pot has the chips of each seat above the first total, up to the second.
    out_payoffs : ndarray of int64, shape (seats,)
        The chips are added to it.
    """
    winners = find_pot_winners_at_level(hand, upper_level)
    chips = 0 if lower_level else hand[POSTED_FOR_ALL]  # the table's ante is in the main pot
    for seat in range(hand[SEATS]):
        paid = count_chips_without_table_ante(hand, seat)
        chips += min(paid, upper_level) - min(paid, lower_level)

    if not has_at_least_two_seats(winners):
        out_payoffs[find_lowest_seat(winners)] += chips
        return
    num_winners, winner = NUM_SEATS_IN[winners], hand[BUTTON]
    share, num_odd = chips // num_winners, chips % num_winners
    for turn in range(num_winners):
        winner = find_next_seat(winners, winner)
        out_payoffs[winner] += share + (turn < num_odd)


@inlined
def add_chips_won_from_each(hand: Ints, lineup: Ints, out_won_from: Ints) -> None:
    """Add the chips that each player has won from each other player in a hand that has been paid.

    The chips of a pot are distributed one at a time to its winners, again and again in their order from the left of the
    button. The chips that the first seat to the left of the button has put in come first, then those of the second
    seat, and so on. So each winner gets as many chips as the rule for odd chips gives it. A chip that one player has
    put in and another player gets counts as won from the first.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
    lineup : ndarray of int64, shape (seats,)
        The player in each seat.
    out_won_from : ndarray of int64, shape (players, players)
        The chips that the player of the row has won from that of the column are added to it.
    """
    called_total = find_called_total(hand)
    lower_level = 0
    while lower_level < called_total:
        upper_level = find_next_pot_level(hand, lower_level, called_total)
        # If only one seat is left, the strengths are from an earlier hand, but they do not matter.
        winners = find_pot_winners_at_level(hand, upper_level)
        add_pot_chips_won_from_each(hand, lower_level, upper_level, winners, lineup, out_won_from)
        lower_level = upper_level


@inlined
def add_pot_chips_won_from_each(
    hand: Ints, lower_level: int, upper_level: int, winners: int, lineup: Ints, out_won_from: Ints
) -> None:
    """Distribute the chips of one pot to its winners, and add them to the chips won from each player.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
    lower_level, upper_level : int
        The pot has the chips of each seat above the first total, up to the second.
    winners : int
        The set of seats that win the pot.
    lineup, out_won_from
        As in `add_chips_won_from_each`.
    """
    num_winners = NUM_SEATS_IN[winners]
    all_seats = (1 << hand[SEATS]) - 1
    giver = hand[BUTTON]
    winner = find_next_seat(winners, hand[BUTTON])
    for _ in range(hand[SEATS]):
        # The chips that this seat has paid into the pot.
        giver = find_next_seat(all_seats, giver)
        paid = count_chips_without_table_ante(hand, giver)
        chips = min(paid, upper_level) - min(paid, lower_level)
        if lower_level == 0 and giver == hand[BIG_BLIND_SEAT]:
            chips += hand[POSTED_FOR_ALL]

        # Chip by chip, each winner gets an equal share, and the first winners in turn get one chip more.
        share, num_odd = chips // num_winners, chips % num_winners
        for turn in range(num_winners):
            won = share + (turn < num_odd)
            out_won_from[lineup[winner], lineup[giver]] += won
            out_won_from[lineup[giver], lineup[winner]] -= won
            winner = find_next_seat(winners, winner)

        # The next giver's chips begin with the winner who is then due.
        for _ in range(num_odd):
            winner = find_next_seat(winners, winner)
