"""The rules of betting of `pokerlab.holdem.hand` as kernels: a hand is a row of integers that actions change in place.

The state of a hand is an array of int64 of shape (NUM_WORDS,). It contains the betting structure, then the state of the
table, then the stacks, bets and so on of the seats; the constants below are the indices of these entries. A *set of
seats* is an integer in which bit s is 1 if seat s is in the set. The names and the rules are those of `Hand`, where
they are explained, and tests play both side by side. These differences make kernels fast:

- `PENDING` is the set of seats that can act and have yet to respond to the present bet, so that no loop has to look for
  them.
- `NO_BET_ANSWERED` is so far below every bet that a seat that has not acted faces more than a full raise.
- `CHECKED` is the set of seats that have checked in this round.
- A seat has paid its starting stack minus its stack. The big blind's ante for the whole table, `POSTED_FOR_ALL`, is a
  part of that, but not of the total that decides which pots a seat can win.
- Of `ANTE`, which each seat posts, and `TABLE_ANTE`, which the big blind posts for all, at most one is above 0.
- Seats are masked before they are used in an index, because an index that cannot be negative needs no check.
- Loops visit sets of seats bit by bit. The compiler would turn counted loops into vector loops, which wait for the
  single entries that were just written.

At a showdown the different totals that live seats have paid divide the chips into pots: the main pot and side pots.
The pot between the totals `lower_level` and `upper_level` has the chips that seats have paid beyond `lower_level`, up
to `upper_level`. The seats that have paid `upper_level` can win it.

To play a hand, write `encode_structure`, the number of seats at `SEATS` and the stacks from `STARTING_STACKS` on, and
call `begin_hand`. While `ACTOR` is a seat, call `find_legal_actions` and `apply_action`. At the end
`fill_hand_payoffs` writes the payoff of each seat. Starting stacks stay as they were.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined
from pokerlab.holdem.betting_structure import (
    EACH_PLAYER,
    FROM_BIG_BLIND,
    MOST_CHIPS,
    MOST_SEATS,
    NO_LIMIT,
    Structure,
)
from pokerlab.holdem.cards import RIVER, TURN, Cards
from pokerlab.holdem.hand import CALL, FOLD, NOT_SHOWN
from pokerlab.holdem.hand_rankings import evaluate_with_board, sum_keys_and_bits

# Indices of the betting structure; the entries that every action needs come last.
UNLIMITED_AFTER_FOLDS, FREE_FOLDS, IS_NO_LIMIT, SMALL_BLIND, BIG_BLIND = range(5)
SMALL_BET, BIG_BET, CAP, UNLIMITED_HEADS_UP, ANTE, TABLE_ANTE = range(5, 11)
NUM_STRUCTURE_WORDS = 11
# Indices of the table; BET is the bet to match, POSTED_FOR_ALL the table's ante, and the last four are sets of seats.
SEATS, BUTTON, BIG_BLIND_SEAT, STREET, ACTOR, BET, FULL_RAISE, NUM_BETS, POSTED_FOR_ALL, CAPPED = (
    range(NUM_STRUCTURE_WORDS, NUM_STRUCTURE_WORDS + 10)
)
LIVE, ABLE, PENDING, CHECKED = range(CAPPED + 1, CAPPED + 5)
# For each kind of entry that every seat has, the index of seat 0; SHOWN_STRENGTHS are written at a showdown.
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
    """The legal actions of the seat that is to act; a call or check is always legal.

    Attributes
    ----------
    can_fold : bool
        Whether the seat may fold.
    to_call : int
        The chips that a call adds; a call of 0 chips is a check.
    min_raise_to, max_raise_to : int
        The smallest and the largest total for this street to which the seat may bet or raise. Both are 0 if no bet or
        raise is legal.
    """

    can_fold: bool
    to_call: int
    min_raise_to: int
    max_raise_to: int


def encode_structure(structure: Structure) -> Ints:
    """Return a betting structure as an array of integers, which is the beginning of the state of a hand.

    Parameters
    ----------
    structure : Structure
        The blinds, antes, bet sizes and cap of the hand.

    Returns
    -------
    ndarray of int64, shape (NUM_STRUCTURE_WORDS,)
        One entry for each setting. The constants from UNLIMITED_AFTER_FOLDS to TABLE_ANTE are the indices. Booleans are
        0 or 1, and NO_CAP stands for a structure without a cap.

    Examples
    --------
    >>> from pokerlab.holdem.betting_structure import no_limit
    >>> encoded = encode_structure(no_limit(1, 2))
    >>> encoded[[IS_NO_LIMIT, SMALL_BLIND, BIG_BLIND]].tolist()
    [1, 1, 2]
    """
    each_seat_pays = structure.ante_payer == EACH_PLAYER
    big_blind_pays = structure.ante_payer == FROM_BIG_BLIND
    encoded = np.zeros(NUM_STRUCTURE_WORDS, np.int64)
    encoded[UNLIMITED_AFTER_FOLDS] = structure.unlimited_after_folds
    encoded[FREE_FOLDS] = structure.free_folds
    encoded[IS_NO_LIMIT] = structure.kind == NO_LIMIT
    encoded[SMALL_BLIND] = structure.small_blind
    encoded[BIG_BLIND] = structure.big_blind
    encoded[SMALL_BET] = structure.small_bet
    encoded[BIG_BET] = structure.big_bet
    encoded[CAP] = NO_CAP if structure.cap is None else structure.cap
    encoded[UNLIMITED_HEADS_UP] = structure.unlimited_heads_up
    encoded[ANTE] = structure.ante if each_seat_pays else 0
    encoded[TABLE_ANTE] = structure.ante if big_blind_pays else 0
    return encoded


@inlined
def find_lowest_seat(seat_set: int) -> int:
    """Return the lowest seat in a set of seats, or 0 for the empty set.

    Parameters
    ----------
    seat_set : int
        The set: an integer in which bit s is 1 if seat s is in the set.

    Examples
    --------
    >>> find_lowest_seat(0b0110)
    1
    """
    return int(LOWEST_SEAT[seat_set & ALL_SEATS])


@inlined
def remove_lowest_seat(seat_set: int) -> int:
    """Return a set of seats without its lowest seat; the empty set stays empty.

    Parameters
    ----------
    seat_set : int
        The set: an integer in which bit s is 1 if seat s is in the set.

    Examples
    --------
    >>> bin(remove_lowest_seat(0b0110))
    '0b100'
    """
    # Subtracting 1 turns the lowest 1 bit into 0 and changes only the bits below it, which were 0.
    return seat_set & (seat_set - 1)


@inlined
def find_next_seat(seat_set: int, seat: int) -> int:
    """Return the first seat after `seat`, counted clockwise, that is in a set of seats.

    Parameters
    ----------
    seat_set : int
        The set, which must not be empty: an integer in which bit s is 1 if seat s is in the set.
    seat : int
        The seat from which to count, whether or not it is in the set. Seat 0 follows the last seat of the table.

    Returns
    -------
    int
        The next seat. It is `seat` itself if the set contains no other seat.

    Examples
    --------
    >>> find_next_seat(0b0110, 1), find_next_seat(0b0110, 2)
    (2, 1)
    """
    seats_above = seat_set & -2 << seat  # -2 << seat has a 1 at all bits above `seat`
    next_seat = find_lowest_seat(seats_above if seats_above else seat_set)
    return int(np.int64(next_seat))  # an unsigned index would make later sums with it floats


@inlined
def has_at_least_two_seats(seat_set: int) -> bool:
    """Return whether a set holds two seats or more.

    Parameters
    ----------
    seat_set : int
        The set: an integer in which bit s is 1 if seat s is in the set.
    """
    return remove_lowest_seat(seat_set) != 0


@inlined
def has_at_most_two_seats(seat_set: int) -> bool:
    """Return whether a set holds two seats or fewer.

    Parameters
    ----------
    seat_set : int
        The set: an integer in which bit s is 1 if seat s is in the set.
    """
    return not has_at_least_two_seats(remove_lowest_seat(seat_set))


@inlined
def begin_hand(hand: Ints, button: int) -> None:
    """Begin a hand: post the antes and blinds, and find the seat that acts first.

    The state of the hand is changed in place.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand. The caller has written the betting structure, the number of seats and the starting
        stacks. All other entries are overwritten.
    button : int
        The seat with the button, which must have chips. At least two seats must have chips.
    """
    ante = hand[ANTE]
    clear_bets(hand)

    # The seats with chips are dealt in; those that have some left after the ante are able to act.
    dealt_in, able = 0, 0
    remaining_seats = (1 << hand[SEATS]) - 1  # the set of all seats of the table
    while remaining_seats:
        seat = find_lowest_seat(remaining_seats)
        remaining_seats = remove_lowest_seat(remaining_seats)
        starting_stack = hand[STARTING_STACKS + seat]
        stack = max(starting_stack - ante, 0)
        hand[STACKS + seat] = stack
        dealt_in |= (starting_stack > 0) << seat
        able |= (stack > 0) << seat

    # The blinds are the next two seats after the button. Heads-up the button posts the small blind.
    first_after_button = find_next_seat(dealt_in, button)
    second_after_button = find_next_seat(dealt_in, first_after_button)
    is_heads_up = second_after_button == button
    small_blind_seat = button if is_heads_up else first_after_button
    big_blind_seat = first_after_button if is_heads_up else second_after_button
    post_blind(hand, small_blind_seat, hand[SMALL_BLIND])
    post_blind(hand, big_blind_seat, hand[BIG_BLIND])

    # The big blind pays an ante for the whole table after its blind, with the chips that it has left.
    table_ante = min(hand[TABLE_ANTE], hand[STACKS + big_blind_seat])
    hand[STACKS + big_blind_seat] -= table_ante
    hand[POSTED_FOR_ALL] = table_ante

    hand[BUTTON] = button
    hand[BIG_BLIND_SEAT] = big_blind_seat
    hand[STREET] = 0
    hand[BET] = hand[BIG_BLIND]
    hand[FULL_RAISE] = hand[SMALL_BET]
    hand[NUM_BETS] = 1
    hand[LIVE] = dealt_in
    hand[CHECKED] = 0

    # A seat that posted its whole stack as a blind is all-in and does not act.
    small_blind_is_all_in = hand[STACKS + small_blind_seat] == 0
    big_blind_is_all_in = hand[STACKS + big_blind_seat] == 0
    all_in = small_blind_is_all_in << small_blind_seat | big_blind_is_all_in << big_blind_seat
    able &= ~all_in
    hand[ABLE] = able
    hand[PENDING] = able
    hand[CAPPED] = is_betting_capped(hand, able)
    advance_turn(hand, big_blind_seat)


@inlined
def post_blind(hand: Ints, seat: int, blind: int) -> None:
    """Move a blind from the stack of a seat to its bet, or the whole stack if it is smaller than the blind.

    The state of the hand is changed in place.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    seat : int
        The seat that posts the blind.
    blind : int
        The chips of the blind.
    """
    posted = min(blind, hand[STACKS + seat])
    hand[STACKS + seat] -= posted
    hand[BETS + seat] = posted


@inlined
def is_betting_capped(hand: Ints, able_before_bet: int) -> bool:
    """Return whether the cap forbids further raises on this street because the allowed number of bets has been made.

    A structure that is unlimited heads-up has no cap if at most two seats could act before the last bet.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    able_before_bet : int
        The set of seats that had neither folded nor been all-in before the last bet. Bit s is 1 if seat s is in it.
    """
    if hand[CAP] == NO_CAP or hand[NUM_BETS] < hand[CAP]:
        return False
    return not (hand[UNLIMITED_HEADS_UP] and has_at_most_two_seats(able_before_bet))


@inlined
def find_legal_actions(hand: Ints) -> Choices:
    """Return the legal actions of the seat that is to act.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of a hand that is not over. It is not changed.

    Returns
    -------
    Choices
        Whether a fold is legal, the chips that a call adds, and the smallest and the largest total to which the seat
        may bet or raise. Both totals are 0 if no bet or raise is legal.
    """
    seat = hand[ACTOR] & SEAT_MASK
    bet = hand[BET]
    own_bet, stack = hand[BETS + seat], hand[STACKS + seat]
    to_call = min(bet - own_bet, stack)
    all_in = own_bet + stack

    # A seat that has acted may raise again only after a full raise by another seat.
    raised_since = bet - hand[ANSWERED_BETS + seat]
    is_reopened = raised_since >= hand[FULL_RAISE]
    is_cap_lifted = hand[UNLIMITED_AFTER_FOLDS] and has_at_most_two_seats(hand[ABLE])
    is_stopped_by_cap = hand[CAPPED] and not is_cap_lifted
    has_more_than_bet = all_in > bet

    min_raise_to, max_raise_to = 0, 0
    if (
        not is_stopped_by_cap
        and is_reopened
        and has_more_than_bet
        and can_raise_be_called(hand, seat, bet)
    ):
        min_raise_to = min(bet + hand[FULL_RAISE], all_in)
        max_raise_to = all_in if hand[IS_NO_LIMIT] else min_raise_to

    # Without a branch: processors cannot predict whether something is owed.
    can_fold = bool((to_call > 0) | (hand[FREE_FOLDS] != 0))
    return Choices(can_fold, to_call, min_raise_to, max_raise_to)


@inlined
def can_raise_be_called(hand: Ints, seat: int, bet: int) -> bool:
    """Return whether another seat has enough chips to call at least a part of a raise.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    seat : int
        The seat that would raise.
    bet : int
        The bet before the raise, in chips of this street. A seat that can put in more could call a part of the raise.
    """
    opponents = hand[ABLE] & ~(1 << seat)
    while opponents:
        opponent = find_lowest_seat(opponents)
        if hand[BETS + opponent] + hand[STACKS + opponent] > bet:
            return True
        opponents = remove_lowest_seat(opponents)
    return False


@inlined
def is_legal_action(choices: Choices, action: float) -> bool:
    """Return whether an action is legal. It is not checked that a raise is to a whole number of chips.

    Parameters
    ----------
    choices : Choices
        The legal actions, from `find_legal_actions`.
    action : float
        FOLD, CALL, or the total number of chips to raise to.
    """
    if action == CALL:
        return True
    if action == FOLD:
        return choices.can_fold
    return action > 0 and choices.min_raise_to <= action <= choices.max_raise_to


@inlined
def apply_action(hand: Ints, action: int) -> None:
    """Apply a legal action of the seat that is to act, and find the next seat to act.

    The state of the hand is changed in place.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of a hand that is not over.
    action : int
        FOLD, CALL, or the total number of chips to raise to on this street.
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
    advance_turn(hand, seat)


@inlined
def raise_current_bet(hand: Ints, new_bet: int, able_before_bet: int) -> None:
    """Raise the bet that all seats must match. A full raise counts as one more bet and may reach the cap.

    The state of the hand is changed in place.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    new_bet : int
        The new bet: the chips that each seat must put in on this street.
    able_before_bet : int
        The set of seats that had neither folded nor been all-in before the raise. Bit s is 1 if seat s is in it.
    """
    raised_by = new_bet - hand[BET]
    hand[BET] = new_bet
    if raised_by >= hand[FULL_RAISE]:
        hand[FULL_RAISE] = raised_by
        hand[NUM_BETS] += 1
        hand[CAPPED] = is_betting_capped(hand, able_before_bet)


@inlined
def advance_turn(hand: Ints, last_actor: int) -> None:
    """Find the seat that acts next, deal the next street if a street's betting is over, or end the hand.

    The state of the hand is changed in place. ACTOR becomes the seat that acts next, or NOBODY if the hand is over. A
    hand is over if all seats but one have folded, or if no more betting is possible.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    last_actor : int
        The seat that has acted last. At the beginning of a hand this is the big blind.
    """
    # If all seats but one have folded, the hand is over.
    if not has_at_least_two_seats(hand[LIVE]):
        hand[ACTOR] = NOBODY
        return

    # If a seat has yet to respond to the bet, it is the next actor.
    able, pending = hand[ABLE], hand[PENDING]
    if pending and (has_at_least_two_seats(able) or has_bet_to_match(hand, pending)):
        hand[ACTOR] = find_next_seat(pending, last_actor)
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
    """Set the bets of all seats to 0, and mark that no seat has acted on this street.

    The state of the hand is changed in place.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    """
    # All ten possible seats, not only those in use: the compiler turns a loop of fixed length into a few instructions.
    for seat in range(MOST_SEATS):
        hand[BETS + seat] = 0
        hand[ANSWERED_BETS + seat] = NO_BET_ANSWERED


@inlined
def has_bet_to_match(hand: Ints, able_seat_set: int) -> bool:
    """Return whether the only seat that is not all-in has bet less than another seat that has not folded.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    able_seat_set : int
        The set that contains only this seat: bit s is 1 for seat s, and all other bits are 0.
    """
    own_bet = hand[BETS + find_lowest_seat(able_seat_set)]
    opponents = hand[LIVE] & ~able_seat_set
    while opponents:
        if hand[BETS + find_lowest_seat(opponents)] > own_bet:
            return True
        opponents = remove_lowest_seat(opponents)
    return False


@inlined
def fill_hand_payoffs(hand: Ints, deal: Cards, out_payoffs: Ints) -> None:
    """Write the payoff of each seat in a hand that is over: the chips that it wins minus the chips that it has paid.

    The strengths of the hands are also written into `hand` if there is a showdown.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand. Its entries from SHOWN_STRENGTHS on are overwritten at a showdown.
    deal : ndarray of uint8
        The cards: two for each seat, then five for the board.
    out_payoffs : ndarray of int64, shape (seats,)
        Overwritten with the payoffs, which sum to 0.
    """
    if has_at_least_two_seats(hand[LIVE]):
        fill_shown_strengths(hand, deal)
        fill_payoffs_at_showdown(hand, out_payoffs)
    else:
        fill_payoffs_without_showdown(hand, out_payoffs)


@inlined
def fill_payoffs_without_showdown(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoff of each seat if all seats but one have folded, so that this seat wins all chips.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    out_payoffs : ndarray of int64, shape (seats,)
        Overwritten with the chips that each seat wins minus the chips that it has paid.
    """
    pot = 0
    remaining_seats = (1 << hand[SEATS]) - 1  # the set of all seats of the table
    while remaining_seats:
        seat = find_lowest_seat(remaining_seats)
        remaining_seats = remove_lowest_seat(remaining_seats)
        paid = hand[STARTING_STACKS + seat] - hand[STACKS + seat]
        out_payoffs[seat] = -paid
        pot += paid
    winner = find_lowest_seat(hand[LIVE])
    out_payoffs[winner] += pot


@inlined
def fill_shown_strengths(hand: Ints, deal: Cards) -> None:
    """Write the strength of the hand of each seat at a showdown: the best five of its two cards and the board.

    The strengths are written into `hand` from SHOWN_STRENGTHS on. A larger number is a stronger hand. Seats that have
    folded get NOT_SHOWN, which is smaller than any strength.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    deal : ndarray of uint8
        The cards: two for each seat, then five for the board.
    """
    num_seats = hand[SEATS]
    board_key, board_bits = sum_keys_and_bits(deal, 2 * num_seats, 2 * num_seats + 5)
    for seat in range(num_seats):
        hand[SHOWN_STRENGTHS + seat] = NOT_SHOWN
        is_live = hand[LIVE] >> seat & 1
        if is_live:
            hand[SHOWN_STRENGTHS + seat] = evaluate_with_board(
                board_key, board_bits, deal[2 * seat], deal[2 * seat + 1]
            )


@inlined
def compute_own_contribution(hand: Ints, seat: int) -> int:
    """Return the chips that a seat has paid in this hand, without an ante that it has posted for the whole table.

    These chips decide which pots the seat can win.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    seat : int
        The seat.
    """
    posted_for_all = hand[POSTED_FOR_ALL] if seat == hand[BIG_BLIND_SEAT] else 0
    return int(hand[STARTING_STACKS + seat] - hand[STACKS + seat] - posted_for_all)


@inlined
def find_largest_called_contribution(hand: Ints) -> int:
    """Return the second largest contribution of a seat to the pot.

    No other seat has called the chips above it, so they go back to the seat that has contributed most.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand. An ante for the whole table does not count.
    """
    largest, second_largest = 0, 0
    for seat in range(hand[SEATS]):
        contribution = compute_own_contribution(hand, seat)
        # The smaller one of this contribution and the largest one so far may be the second largest.
        second_largest = max(second_largest, min(contribution, largest))
        largest = max(largest, contribution)
    return int(second_largest)


@inlined
def fill_payoffs_at_showdown(hand: Ints, out_payoffs: Ints) -> None:
    """Write the payoff of each seat at a showdown, where the strongest hands that can win a pot share it.

    Each seat that is all-in with fewer chips than others creates a side pot. An ante for the whole table is in the
    first pot, the main pot.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand, with the strengths from `fill_shown_strengths`.
    out_payoffs : ndarray of int64, shape (seats,)
        Overwritten with the chips that each seat wins minus the chips that it has paid.
    """
    # Chips above the called total go back to their seat, so they do not count as paid.
    called_total = find_largest_called_contribution(hand)
    for seat in range(hand[SEATS]):
        out_payoffs[seat] = -min(compute_own_contribution(hand, seat), called_total)
    out_payoffs[hand[BIG_BLIND_SEAT]] -= hand[POSTED_FOR_ALL]

    # The pots are layers of the contributions, from the main pot at the bottom to the last side pot.
    lower_level = 0
    while lower_level < called_total:
        upper_level = find_next_pot_level(hand, lower_level, called_total)
        add_pot_payoffs(hand, lower_level, upper_level, out_payoffs)
        lower_level = upper_level


@inlined
def find_next_pot_level(hand: Ints, lower_level: int, called_total: int) -> int:
    """Return the contribution to the pot at which the next pot ends and the side pot after it begins.

    A seat that is all-in can win from each other seat at most as many chips as it has contributed itself. So the next
    pot ends at the smallest contribution above `lower_level` of a seat that has not folded.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    lower_level : int
        The contribution at which the pot before ends; 0 for the main pot. Both levels are chips of one seat.
    called_total : int
        The largest contribution that another seat has called. The last pot ends there.
    """
    level = called_total
    for seat in range(hand[SEATS]):
        contribution = compute_own_contribution(hand, seat)
        is_live = hand[LIVE] >> seat & 1
        if is_live and lower_level < contribution < level:
            level = contribution
    return int(level)


@inlined
def find_pot_winners_at_level(hand: Ints, level: int) -> int:
    """Return the set of seats that win the pot to which a seat must have contributed at least `level` chips.

    They have the strongest hand among the seats that have contributed enough and have not folded.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of a hand at a showdown, with the strengths from `fill_shown_strengths`.
    level : int
        The contribution at which the pot ends. A seat that has contributed less cannot win it.

    Returns
    -------
    int
        The set of winners. Bit s is 1 if seat s is one of them.
    """
    winners, best_strength = 0, NOT_SHOWN
    for seat in range(hand[SEATS]):
        is_live = hand[LIVE] >> seat & 1
        if is_live and compute_own_contribution(hand, seat) >= level:
            strength = hand[SHOWN_STRENGTHS + seat]
            if strength >= best_strength:
                # A stronger hand replaces the winners so far, and an equal hand joins them.
                equal_winners = winners if strength == best_strength else 0
                winners = equal_winners | 1 << seat
                best_strength = strength
    return winners


@inlined
def add_pot_payoffs(hand: Ints, lower_level: int, upper_level: int, out_payoffs: Ints) -> None:
    """Divide the chips of one pot equally among its winners, and add them to the payoffs.

    Odd chips, which cannot be divided equally, go one at a time to the winners, clockwise from the button.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of a hand at a showdown, with the strengths from `fill_shown_strengths`.
    lower_level, upper_level : int
        The limits of the pot. It has the chips of each seat above the first `lower_level` chips, up to `upper_level`.
    out_payoffs : ndarray of int64, shape (seats,)
        The payoffs of the winners are increased.
    """
    winners = find_pot_winners_at_level(hand, upper_level)
    chips = 0 if lower_level else hand[POSTED_FOR_ALL]  # the table's ante is in the main pot
    for seat in range(hand[SEATS]):
        contribution = compute_own_contribution(hand, seat)
        chips += min(contribution, upper_level) - min(contribution, lower_level)

    # Most pots have one winner, for whom no division is needed.
    if not has_at_least_two_seats(winners):
        out_payoffs[find_lowest_seat(winners)] += chips
        return

    num_winners = NUM_SEATS_IN[winners]
    share, num_odd_chips = chips // num_winners, chips % num_winners
    winner = hand[BUTTON]
    for winner_index in range(num_winners):
        winner = find_next_seat(winners, winner)
        gets_odd_chip = winner_index < num_odd_chips
        out_payoffs[winner] += share + gets_odd_chip


@inlined
def add_chips_won_between_players(hand: Ints, lineup: Ints, out_won_from: Ints) -> None:
    """Add the chips that each player has won from each other player in a hand that is over.

    A winner of a pot wins chips from all players who have paid into it. If several seats share a pot, they share the
    chips of each payer as equally as whole chips allow. Odd chips of successive payers go to successive winners, so
    that each winner gets as many chips in all as the rule for odd chips gives it.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand, after `fill_hand_payoffs`.
    lineup : ndarray of int64, shape (seats,)
        The index of the player in each seat.
    out_won_from : ndarray of int64, shape (players, players)
        The chips that the player of the row has won from the player of the column are added, and the chips that the
        player of the row has lost are subtracted.
    """
    called_total = find_largest_called_contribution(hand)
    lower_level = 0
    while lower_level < called_total:
        upper_level = find_next_pot_level(hand, lower_level, called_total)
        # If only one seat is left, the strengths are from an earlier hand, but they do not matter.
        winners = find_pot_winners_at_level(hand, upper_level)
        add_pot_chips_won_between_players(
            hand, lower_level, upper_level, winners, lineup, out_won_from
        )
        lower_level = upper_level


@inlined
def add_pot_chips_won_between_players(
    hand: Ints, lower_level: int, upper_level: int, winners: int, lineup: Ints, out_won_from: Ints
) -> None:
    """Add the chips of one pot that each winner gets from each player who has paid into the pot.

    The payers come clockwise from the button. The chips of each payer are dealt out one at a time to the winners,
    beginning with the winner after the one who got the last chip.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand.
    lower_level, upper_level : int
        The limits of the pot. It has the chips of each seat above the first `lower_level` chips, up to `upper_level`.
    winners : int
        The set of seats that win the pot. Bit s is 1 if seat s wins.
    lineup : ndarray of int64, shape (seats,)
        The index of the player in each seat.
    out_won_from : ndarray of int64, shape (players, players)
        The chips that the player of the row has won from the player of the column are added, and the chips that the
        player of the row has lost are subtracted.
    """
    num_winners = NUM_SEATS_IN[winners]
    all_seats = (1 << hand[SEATS]) - 1
    payer = hand[BUTTON]
    winner = find_next_seat(winners, hand[BUTTON])
    for _ in range(hand[SEATS]):
        # The chips that this seat has paid into the pot.
        payer = find_next_seat(all_seats, payer)
        contribution = compute_own_contribution(hand, payer)
        chips = min(contribution, upper_level) - min(contribution, lower_level)
        is_main_pot = lower_level == 0
        if is_main_pot and payer == hand[BIG_BLIND_SEAT]:
            chips += hand[POSTED_FOR_ALL]

        # Each winner gets an equal share, and the first winners in the present order get one odd chip more.
        share, num_odd_chips = chips // num_winners, chips % num_winners
        for winner_index in range(num_winners):
            won = share + (winner_index < num_odd_chips)
            out_won_from[lineup[winner], lineup[payer]] += won
            out_won_from[lineup[payer], lineup[winner]] -= won
            winner = find_next_seat(winners, winner)

        # The loop above has gone once around the winners. Skip those who got an odd chip, so that the first chip of the
        # next payer goes to the winner after them.
        for _ in range(num_odd_chips):
            winner = find_next_seat(winners, winner)
