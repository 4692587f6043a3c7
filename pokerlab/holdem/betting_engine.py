"""The rules of betting of `pokerlab.holdem.hand` as kernels: a hand is a row of integers that actions change in place.

`hand`, (NUM_WORDS,) of int64, holds first the structure, then the state of the table, then the stacks, bets and so on
of the seats: the names below are places in it. A set of seats is an integer whose
bit s stands for seat s. The names and the rules are those of `Hand`, where they are explained, and
tests play both side by side. These differences make kernels fast:

- `PENDING` is the set of seats that can act and have yet to answer the present bet, so that no loop
  has to look for them.
- `NO_BET_ANSWERED` lies so far below every bet that a seat that has not acted faces more than a full raise.
- `CHECKED` is the set of seats that have checked in this round.
- A seat has paid its starting stack less its stack. The big blind's ante for the whole table, `POSTED_FOR_ALL`, is a
  part of that, but not of the total that decides which pots a seat can win.
- Of `ANTE`, which each seat posts, and `TABLE_ANTE`, which the big blind posts for all, at most one is above 0.
- Seats are masked before they index a word: an index that cannot be negative needs no check. Loops
  run over sets of seats, bit by bit: the compiler would make counted loops into vector loops, which
  wait for the single words just written.

To play a hand, write `encode_structure`, the number of seats at `SEATS` and the stacks from `STARTING_STACKS` on, and
call `begin_hand`. While `ACTOR` is a seat, call `find_legal_actions` and `apply_action`; at the end
`compute_hand_payoffs` writes who wins which chips. Starting stacks stay as they were.
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
    """Return a betting structure in the form of the first integers of a hand.

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
    """Return the first seat of a set to the left of `seat`, or `seat` itself if it is the only one in the set."""
    above = seats & -2 << seat
    return int(np.int64(find_lowest_seat(above if above else seats)))


@inlined
def has_two_seats(seats: int) -> bool:
    """Return whether a set holds two seats or more."""
    return remove_lowest_seat(seats) != 0


@inlined
def has_at_most_two_seats(seats: int) -> bool:
    """Return whether a set holds two seats or fewer."""
    return not has_two_seats(remove_lowest_seat(seats))


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
        start = hand[STARTING_STACKS + seat]
        stack = max(start - ante, 0)
        hand[STACKS + seat] = stack
        dealt_in |= (start > 0) << seat
        able |= (stack > 0) << seat

    # Heads-up the button posts the small blind.
    after_button = find_next_seat(dealt_in, button)
    after_that = find_next_seat(dealt_in, after_button)
    small = button if after_that == button else after_button
    big = after_button if after_that == button else after_that
    post_blind(hand, small, hand[SMALL_BLIND])
    post_blind(hand, big, hand[BIG_BLIND])
    for_all = min(hand[TABLE_ANTE], hand[STACKS + big])
    hand[STACKS + big] -= for_all
    hand[POSTED_FOR_ALL] = for_all

    hand[BUTTON] = button
    hand[BIG_BLIND_SEAT] = big
    hand[STREET] = 0
    hand[BET] = hand[BIG_BLIND]
    hand[FULL_RAISE] = hand[SMALL_BET]
    hand[NUM_BETS] = 1
    hand[LIVE] = dealt_in
    hand[CHECKED] = 0
    able &= ~((hand[STACKS + small] == 0) << small | (hand[STACKS + big] == 0) << big)
    hand[ABLE] = able
    hand[PENDING] = able
    hand[CAPPED] = is_capped(hand, able)
    pass_turn_after(hand, big)


@inlined
def post_blind(hand: Ints, seat: int, blind: int) -> None:
    """Move a blind from the stack of `seat` to its bet, or the whole stack if it is smaller than the blind."""
    posted = min(blind, hand[STACKS + seat])
    hand[STACKS + seat] -= posted
    hand[BETS + seat] = posted


@inlined
def is_capped(hand: Ints, able: int) -> bool:
    """Return whether no more raises are allowed in this round, by the cap.

    `able` is the set of seats that could act before the last bet.
    """
    if hand[CAP] == NO_CAP or hand[NUM_BETS] < hand[CAP]:
        return False
    return not (hand[UNLIMITED_HEADS_UP] and has_at_most_two_seats(able))


@inlined
def find_legal_actions(hand: Ints) -> Choices:
    """Return the legal actions of the actor: whether it may fold, the chips to call, and the range of raises.

    `hand` is a row of integers, and the constants of this module are indices into it.
    """
    seat = hand[ACTOR] & SEAT_MASK
    bet = hand[BET]
    own_bet, stack = hand[BETS + seat], hand[STACKS + seat]
    to_call = min(bet - own_bet, stack)
    all_in = own_bet + stack
    reopened = bet - hand[ANSWERED_BETS + seat] >= hand[FULL_RAISE]
    least, most = 0, 0
    capped = hand[CAPPED] and not (hand[FOLDS_LIFT_CAP] and has_at_most_two_seats(hand[ABLE]))
    if not capped and reopened and all_in > bet and can_raise_be_called(hand, seat, bet):
        least = min(bet + hand[FULL_RAISE], all_in)
        most = all_in if hand[IS_NO_LIMIT] else least
    # Without a branch: processors cannot predict whether something is owed.
    can_fold = bool((to_call > 0) | (hand[FREE_FOLDS] != 0))
    return Choices(can_fold, to_call, least, most)


@inlined
def can_raise_be_called(hand: Ints, seat: int, bet: int) -> bool:
    """Return whether another seat could call at least a part of a raise by `seat` above the bet `bet`."""
    opponents = hand[ABLE] & ~(1 << seat)
    while opponents:
        opponent = find_lowest_seat(opponents)
        if hand[BETS + opponent] + hand[STACKS + opponent] > bet:
            return True
        opponents = remove_lowest_seat(opponents)
    return False


@inlined
def is_legal(choices: Choices, action: float) -> bool:
    """Return whether an action is among the legal ones. Fractions are not checked for here."""
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
    bet = hand[BET]
    able = hand[ABLE]
    others = ~(1 << seat)  # all seats but this one
    if action == FOLD:
        hand[LIVE] &= others
        hand[ABLE] = able & others
        hand[PENDING] &= others
    else:
        own_bet = hand[BETS + seat]
        all_in = own_bet + hand[STACKS + seat]
        to = min(bet, all_in) if action == CALL else action
        hand[STACKS + seat] = all_in - to
        hand[BETS + seat] = to
        if to == all_in:
            hand[ABLE] = able & others
        if action == CALL:
            hand[PENDING] &= others
            hand[CHECKED] |= (own_bet == bet) << seat
        else:
            bet = to
            hand[PENDING] = able & others
            raise_current_bet(hand, to, able)
        hand[ANSWERED_BETS + seat] = bet
    pass_turn_after(hand, seat)


@inlined
def raise_current_bet(hand: Ints, to: int, able: int) -> None:
    """Raise the bet that seats must match to the total `to`. A full raise counts as a bet, and may reach the cap.

    `able` is the set of seats that could act before the raise.
    """
    raised_by = to - hand[BET]
    hand[BET] = to
    if raised_by >= hand[FULL_RAISE]:
        hand[FULL_RAISE] = raised_by
        hand[NUM_BETS] += 1
        hand[CAPPED] = is_capped(hand, able)


@inlined
def pass_turn_after(hand: Ints, seat: int) -> None:
    """Write the next actor after `seat`.

    If the betting of the street is over, the next street begins, or the hand ends.
    """
    # If all seats but one have folded, the hand is over.
    if not has_two_seats(hand[LIVE]):
        hand[ACTOR] = NOBODY
        return

    # If a seat has yet to respond to the bet, it is the next actor.
    able, pending = hand[ABLE], hand[PENDING]
    if pending and (has_two_seats(able) or has_bet_to_match(hand, pending)):
        hand[ACTOR] = find_next_seat(pending, seat)
        return

    # If no more betting is possible, the hand ends with a showdown.
    if hand[STREET] == RIVER or not has_two_seats(able):
        hand[STREET] = RIVER
        hand[ACTOR] = NOBODY
        return

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
    """Clear the bets and responses of all ten possible seats, because a fixed number needs no loop when compiled."""
    for seat in range(MOST_SEATS):
        hand[BETS + seat] = 0
        hand[ANSWERED_BETS + seat] = NO_BET_ANSWERED


@inlined
def has_bet_to_match(hand: Ints, alone: int) -> bool:
    """Return whether the only seat that has chips left has yet to match another seat's bet.

    `alone` is the set that contains only this seat.
    """
    own_bet = hand[BETS + find_lowest_seat(alone)]
    others = hand[LIVE] & ~alone
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
        Its strengths are overwritten if there is a showdown.
    deal : ndarray of uint8
        Two cards for each seat, then the board.
    out_payoffs : ndarray of int64, shape (seats,)
        Overwritten.
    """
    if has_two_seats(hand[LIVE]):
        compute_showdown_strengths(hand, deal)
        compute_showdown_payoffs(hand, out_payoffs)
    else:
        compute_payoffs_of_last_seat(hand, out_payoffs)


@inlined
def compute_payoffs_of_last_seat(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoffs if only one seat has not folded: it wins what all have paid."""
    total = 0
    seats = (1 << hand[SEATS]) - 1
    while seats:
        seat = find_lowest_seat(seats)
        seats = remove_lowest_seat(seats)
        paid = hand[STARTING_STACKS + seat] - hand[STACKS + seat]
        out_payoffs[seat] = -paid
        total += paid
    out_payoffs[find_lowest_seat(hand[LIVE])] += total


@inlined
def compute_showdown_strengths(hand: Ints, deal: Cards) -> None:
    """Write the strength of the seven cards of each seat that has not folded, and -1 for the other seats."""
    seats = hand[SEATS]
    key, bits = sum_keys_and_bits(deal, 2 * seats, 2 * seats + 5)
    for seat in range(seats):
        hand[SHOWN_STRENGTHS + seat] = NOT_SHOWN
        if hand[LIVE] >> seat & 1:
            hand[SHOWN_STRENGTHS + seat] = evaluate_with_board(
                key, bits, deal[2 * seat], deal[2 * seat + 1]
            )


@inlined
def count_chips_without_table_ante(hand: Ints, seat: int) -> int:
    """Return the chips that a seat has paid for itself, without an ante that it has posted for the whole table."""
    posted_for_all = hand[POSTED_FOR_ALL] if seat == hand[BIG_BLIND_SEAT] else 0
    return int(hand[STARTING_STACKS + seat] - hand[STACKS + seat] - posted_for_all)


@inlined
def find_called_total(hand: Ints) -> int:
    """Return the second largest total that a seat has paid. Chips above it were not called and are returned."""
    most, matched = 0, 0
    for seat in range(hand[SEATS]):
        paid = count_chips_without_table_ante(hand, seat)
        matched = max(matched, min(paid, most))
        most = max(most, paid)
    return int(matched)


@inlined
def compute_showdown_payoffs(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoffs at a showdown: each pot, layer by layer, goes to the strongest hands that can win it.

    The payoffs, one a seat, are overwritten. An ante for the whole table is in the first layer, the main pot.
    """
    matched = find_called_total(hand)
    for seat in range(hand[SEATS]):
        out_payoffs[seat] = -min(count_chips_without_table_ante(hand, seat), matched)
    out_payoffs[hand[BIG_BLIND_SEAT]] -= hand[POSTED_FOR_ALL]
    below = 0
    while below < matched:
        level = find_layer_top(hand, below, matched)
        add_layer_payoffs(hand, below, level, out_payoffs)
        below = level


@inlined
def find_layer_top(hand: Ints, below: int, matched: int) -> int:
    """Return the next larger total than `below` that a live seat has paid, at which the pot above `below` ends."""
    level = matched
    for seat in range(hand[SEATS]):
        paid = count_chips_without_table_ante(hand, seat)
        if hand[LIVE] >> seat & 1 and below < paid < level:
            level = paid
    return int(level)


@inlined
def find_winners_of_layer(hand: Ints, level: int) -> int:
    """Return the set of seats with the strongest hand among those that have paid up to the total `level`."""
    winners, best = 0, NOT_SHOWN
    for seat in range(hand[SEATS]):
        if hand[LIVE] >> seat & 1 and count_chips_without_table_ante(hand, seat) >= level:
            shown = hand[SHOWN_STRENGTHS + seat]
            if shown >= best:
                winners = (winners if shown == best else 0) | 1 << seat
                best = shown
    return winners


@inlined
def add_layer_payoffs(hand: Ints, below: int, level: int, out_payoffs: Ints) -> None:
    """Add the pot between two totals to the payoffs of its winners.

    Chips that cannot be divided evenly go one at a time to the winners, in their order from the left of the button.
    """
    winners = find_winners_of_layer(hand, level)
    chips = 0 if below else hand[POSTED_FOR_ALL]
    for seat in range(hand[SEATS]):
        paid = count_chips_without_table_ante(hand, seat)
        chips += min(paid, level) - min(paid, below)
    if not has_two_seats(winners):
        out_payoffs[find_lowest_seat(winners)] += chips
        return
    num_winners, winner = NUM_SEATS_IN[winners], hand[BUTTON]
    for turn in range(num_winners):
        winner = find_next_seat(winners, winner)
        out_payoffs[winner] += chips // num_winners + (turn < chips % num_winners)


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
    matched = find_called_total(hand)
    below = 0
    while below < matched:
        level = find_layer_top(hand, below, matched)
        # If only one seat is left, the strengths are from an earlier hand, but they do not matter.
        winners = find_winners_of_layer(hand, level)
        add_layer_chips_won_from_each(hand, below, level, winners, lineup, out_won_from)
        below = level


@inlined
def add_layer_chips_won_from_each(
    hand: Ints, below: int, level: int, winners: int, lineup: Ints, out_won_from: Ints
) -> None:
    """Distribute the chips of the pot between two totals to its winners, and add them to the chips won."""
    num_winners = NUM_SEATS_IN[winners]
    all_seats = (1 << hand[SEATS]) - 1
    giver = hand[BUTTON]
    winner = find_next_seat(winners, hand[BUTTON])
    for _ in range(hand[SEATS]):
        giver = find_next_seat(all_seats, giver)
        paid = count_chips_without_table_ante(hand, giver)
        chips = min(paid, level) - min(paid, below)
        if below == 0 and giver == hand[BIG_BLIND_SEAT]:
            chips += hand[POSTED_FOR_ALL]
        for turn in range(num_winners):
            got = chips // num_winners + (turn < chips % num_winners)
            out_won_from[lineup[winner], lineup[giver]] += got
            out_won_from[lineup[giver], lineup[winner]] -= got
            winner = find_next_seat(winners, winner)
        # The next giver's chips begin with the winner who is then due.
        for _ in range(chips % num_winners):
            winner = find_next_seat(winners, winner)
