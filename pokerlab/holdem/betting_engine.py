"""The rules of `pokerlab.holdem.hand`, once more, as kernels over flat integers.

How to read it. A hand is a row of int64, `NUM_WORDS` of them: first the structure, then what holds
for the table, then for each seat its stack, its bet, and so on. A set of seats is an integer whose
bit s stands for seat s. The names and the rules are those of `Hand`, where they are explained, and
tests play both side by side; here is only what makes them fast:

- `PENDING` is the set of those who can act and have yet to answer the present bet, so that nobody
  has to look for them.
- `NOT_YET` lies so far below every bet that a seat that has not acted faces more than a full raise.
- `CHECKED` is the set of seats that have checked in this round.
- What a seat has paid is its starting stack less its stack.
- Seats are masked before they index a word: an index that cannot be negative needs no check. Loops
  run over sets of seats, bit by bit: the compiler would make counted loops into vector loops, which
  wait for the single words just written.

To play a hand, write `structure_words`, the number of seats at `SEATS` and the stacks from `START` on, then `begin`;
while `ACTOR` is a seat, ask `legal` and `act`; at the end `pay_out`: who shows what, and who takes which chips.
Starting stacks stay as they were.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined
from pokerlab.holdem.cards import RIVER, TURN, Cards
from pokerlab.holdem.hand import CALL, FOLD, MOST_CHIPS, MOST_SEATS, NO_LIMIT, Structure
from pokerlab.holdem.hand_rankings import key_and_bits, strength_with

# Words of the structure, last what each action needs.
FOLDS_LIFT_CAP, FREE_FOLDS, IS_NO_LIMIT, SMALL_BLIND, BIG_BLIND = range(5)
SMALL_BET, BIG_BET, CAP, UNLIMITED_HEADS_UP, ANTE = range(5, 10)
NUM_STRUCTURE_WORDS = 10
# Words of the table.
SEATS, BUTTON, BIG_BLIND_SEAT, STREET, ACTOR, BET, FULL_RAISE, NUM_BETS, CAPPED = range(
    NUM_STRUCTURE_WORDS, NUM_STRUCTURE_WORDS + 9
)
LIVE, ABLE, PENDING, CHECKED = range(CAPPED + 1, CAPPED + 5)
# Where the words of the seats begin.
START, STACK, BETS, ANSWERED, SHOWN = range(CHECKED + 1, CHECKED + 1 + 5 * MOST_SEATS, MOST_SEATS)
NUM_WORDS = CHECKED + 1 + 5 * MOST_SEATS

NOBODY = -1
NOT_YET = -4 * MOST_CHIPS
NO_CAP = 0
SEAT_BITS = 15
ALL_SEATS = (1 << MOST_SEATS) - 1
LOWEST_SEAT = np.array([max((s & -s).bit_length() - 1, 0) for s in range(ALL_SEATS + 1)], np.uint8)
"""For each set of seats its lowest."""
NUM_TAKEN = np.array([seats.bit_count() for seats in range(ALL_SEATS + 1)], np.int64)
"""For each set of seats how many it holds."""


class Choices(NamedTuple):
    """What the actor may do: `Legal` without the words. Raises are 0 where none is allowed."""

    can_fold: bool
    to_call: int
    min_raise_to: int
    max_raise_to: int


def structure_words(structure: Structure) -> Ints:
    """Return a structure as the first words of a hand, shape (NUM_STRUCTURE_WORDS,)."""
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
            structure.ante,
        ],
        np.int64,
    )


@inlined
def lowest(seats: int) -> int:
    """Return the lowest of a set of seats."""
    return int(LOWEST_SEAT[seats & ALL_SEATS])


@inlined
def next_seat(seats: int, seat: int) -> int:
    """Return the first of the set `seats` on the left of `seat`; if there is no other, itself."""
    above = seats & -2 << seat
    return int(np.int64(lowest(above if above else seats)))


@inlined
def has_two(seats: int) -> bool:
    """Return whether a set holds two seats or more."""
    return seats & seats - 1 != 0


@inlined
def has_at_most_two(seats: int) -> bool:
    """Return whether a set holds two seats or fewer."""
    return not has_two(seats & seats - 1)


@inlined
def begin(hand: Ints, button: int) -> None:
    """Begin a hand with the structure, number of seats and starting stacks that `hand` holds."""
    ante = hand[ANTE]
    clear_bets(hand)
    dealt_in, able = 0, 0
    seats = (1 << hand[SEATS]) - 1
    while seats:
        seat = lowest(seats)
        seats &= seats - 1
        start = hand[START + seat]
        stack = max(start - ante, 0)
        hand[STACK + seat] = stack
        dealt_in |= (start > 0) << seat
        able |= (stack > 0) << seat
    after_button = next_seat(dealt_in, button)
    after_that = next_seat(dealt_in, after_button)
    small = button if after_that == button else after_button
    big = after_button if after_that == button else after_that
    post(hand, small, hand[SMALL_BLIND])
    post(hand, big, hand[BIG_BLIND])
    hand[BUTTON] = button
    hand[BIG_BLIND_SEAT] = big
    hand[STREET] = 0
    hand[BET] = hand[BIG_BLIND]
    hand[FULL_RAISE] = hand[SMALL_BET]
    hand[NUM_BETS] = 1
    hand[LIVE] = dealt_in
    hand[CHECKED] = 0
    able &= ~((hand[STACK + small] == 0) << small | (hand[STACK + big] == 0) << big)
    hand[ABLE] = able
    hand[PENDING] = able
    hand[CAPPED] = is_capped(hand, able)
    pass_on(hand, big)


@inlined
def post(hand: Ints, seat: int, blind: int) -> None:
    """Move a blind, or what there is, from the stack of `seat` to its bet."""
    posted = min(blind, hand[STACK + seat])
    hand[STACK + seat] -= posted
    hand[BETS + seat] = posted


@inlined
def is_capped(hand: Ints, able: int) -> bool:
    """Return whether the last bet ends the raising among those who could act before it."""
    if hand[CAP] == NO_CAP or hand[NUM_BETS] < hand[CAP]:
        return False
    return not (hand[UNLIMITED_HEADS_UP] and has_at_most_two(able))


@inlined
def legal(hand: Ints) -> Choices:
    """Return what the actor may do."""
    seat, bet = hand[ACTOR] & SEAT_BITS, hand[BET]
    own_bet, stack = hand[BETS + seat], hand[STACK + seat]
    to_call = min(bet - own_bet, stack)
    all_in = own_bet + stack
    reopened = bet - hand[ANSWERED + seat] >= hand[FULL_RAISE]
    least, most = 0, 0
    capped = hand[CAPPED] and not (hand[FOLDS_LIFT_CAP] and has_at_most_two(hand[ABLE]))
    if not capped and reopened and all_in > bet and can_be_called(hand, seat, bet):
        least = min(bet + hand[FULL_RAISE], all_in)
        most = all_in if hand[IS_NO_LIMIT] else least
    # Without a branch: whether something is owed cannot be predicted.
    can_fold = bool((to_call > 0) | (hand[FREE_FOLDS] != 0))
    return Choices(can_fold, to_call, least, most)


@inlined
def can_be_called(hand: Ints, seat: int, bet: int) -> bool:
    """Return whether some other seat could call, at least in part, what goes beyond `bet`."""
    others = hand[ABLE] & ~(1 << seat)
    while others:
        other = lowest(others)
        if hand[BETS + other] + hand[STACK + other] > bet:
            return True
        others &= others - 1
    return False


@inlined
def is_legal(choices: Choices, action: float) -> bool:
    """Return whether an action is among the choices; whether it is a whole number is not asked."""
    if action == CALL:
        return True
    if action == FOLD:
        return choices.can_fold
    return action > 0 and choices.min_raise_to <= action <= choices.max_raise_to


@inlined
def act(hand: Ints, action: int) -> None:
    """Let the actor do `action`, which is known to be legal."""
    seat, bet, able = hand[ACTOR] & SEAT_BITS, hand[BET], hand[ABLE]
    others = ~(1 << seat)
    if action == FOLD:
        hand[LIVE] &= others
        hand[ABLE] = able & others
        hand[PENDING] &= others
    else:
        own_bet = hand[BETS + seat]
        all_in = own_bet + hand[STACK + seat]
        to = min(bet, all_in) if action == CALL else action
        hand[STACK + seat] = all_in - to
        hand[BETS + seat] = to
        if to == all_in:
            hand[ABLE] = able & others
        if action == CALL:
            hand[PENDING] &= others
            hand[CHECKED] |= (own_bet == bet) << seat
        else:
            bet = to
            hand[PENDING] = able & others
            raise_bet(hand, to, able)
        hand[ANSWERED + seat] = bet
    pass_on(hand, seat)


@inlined
def raise_bet(hand: Ints, to: int, able: int) -> None:
    """Raise the bet to match; count it as one where it is full."""
    raised_by = to - hand[BET]
    hand[BET] = to
    if raised_by >= hand[FULL_RAISE]:
        hand[FULL_RAISE] = raised_by
        hand[NUM_BETS] += 1
        hand[CAPPED] = is_capped(hand, able)


@inlined
def pass_on(hand: Ints, seat: int) -> None:
    """Find the next actor after `seat`, on a new street where one is due."""
    if not has_two(hand[LIVE]):
        hand[ACTOR] = NOBODY
        return
    able, pending = hand[ABLE], hand[PENDING]
    if pending and (has_two(able) or owes(hand, pending)):
        hand[ACTOR] = next_seat(pending, seat)
        return
    if hand[STREET] == RIVER or not has_two(able):
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
    hand[ACTOR] = next_seat(able, hand[BUTTON])


@inlined
def clear_bets(hand: Ints) -> None:
    """Clear the bets and answers of all possible seats, since a fixed number needs no loop."""
    for seat in range(MOST_SEATS):
        hand[BETS + seat] = 0
        hand[ANSWERED + seat] = NOT_YET


@inlined
def owes(hand: Ints, alone: int) -> bool:
    """Return whether the only seat with chips, the set `alone`, has yet to match another's bet."""
    own_bet = hand[BETS + lowest(alone)]
    others = hand[LIVE] & ~alone
    while others:
        if hand[BETS + lowest(others)] > own_bet:
            return True
        others &= others - 1
    return False


NOT_SHOWN = -1


@inlined
def pay_out(hand: Ints, deal: Cards, out_payoffs: Ints) -> None:
    """Write what each seat has won less what it has paid, once the hand is over."""
    if has_two(hand[LIVE]):
        show(hand, deal)
        share_out(hand, out_payoffs)
    else:
        pay_last(hand, out_payoffs)


@inlined
def pay_last(hand: Ints, out_payoffs: Ints) -> None:
    """Give everything to the one seat that has not folded."""
    total = 0
    seats = (1 << hand[SEATS]) - 1
    while seats:
        seat = lowest(seats)
        seats &= seats - 1
        paid = hand[START + seat] - hand[STACK + seat]
        out_payoffs[seat] = -paid
        total += paid
    out_payoffs[lowest(hand[LIVE])] += total


@inlined
def show(hand: Ints, deal: Cards) -> None:
    """Write the strength of each live seat's seven cards, and -1 for the others."""
    seats = hand[SEATS]
    key, bits = key_and_bits(deal, 2 * seats, 2 * seats + 5)
    for seat in range(seats):
        hand[SHOWN + seat] = NOT_SHOWN
        if hand[LIVE] >> seat & 1:
            hand[SHOWN + seat] = strength_with(key, bits, deal[2 * seat], deal[2 * seat + 1])


@inlined
def total_matched(hand: Ints) -> int:
    """Return the second largest total that a seat has paid: what goes beyond it goes back."""
    most, matched = 0, 0
    for seat in range(hand[SEATS]):
        paid = hand[START + seat] - hand[STACK + seat]
        matched = max(matched, min(paid, most))
        most = max(most, paid)
    return int(matched)


@inlined
def share_out(hand: Ints, out_payoffs: Ints) -> None:
    """Divide the pots, layer by layer, among those who have shown the strongest hands."""
    matched = total_matched(hand)
    for seat in range(hand[SEATS]):
        out_payoffs[seat] = -min(hand[START + seat] - hand[STACK + seat], matched)
    below = 0
    while below < matched:
        level = top_of_layer(hand, below, matched)
        share_layer(hand, below, level, out_payoffs)
        below = level


@inlined
def top_of_layer(hand: Ints, below: int, matched: int) -> int:
    """Return the total up to which the pot above the total `below` goes."""
    level = matched
    for seat in range(hand[SEATS]):
        paid = hand[START + seat] - hand[STACK + seat]
        if hand[LIVE] >> seat & 1 and below < paid < level:
            level = paid
    return int(level)


@inlined
def takers_of(hand: Ints, level: int) -> int:
    """Return the set of those who have shown the strongest hand of all that have paid so much."""
    takers, best = 0, NOT_SHOWN
    for seat in range(hand[SEATS]):
        if hand[LIVE] >> seat & 1 and hand[START + seat] - hand[STACK + seat] >= level:
            shown = hand[SHOWN + seat]
            if shown >= best:
                takers = (takers if shown == best else 0) | 1 << seat
                best = shown
    return takers


@inlined
def share_layer(hand: Ints, below: int, level: int, out_payoffs: Ints) -> None:
    """Divide what was paid between two totals; odd chips go round from the left of the button."""
    chips, takers = 0, takers_of(hand, level)
    for seat in range(hand[SEATS]):
        paid = hand[START + seat] - hand[STACK + seat]
        chips += min(paid, level) - min(paid, below)
    if not has_two(takers):
        out_payoffs[lowest(takers)] += chips
        return
    num_takers, taker = NUM_TAKEN[takers], hand[BUTTON]
    for turn in range(num_takers):
        taker = next_seat(takers, taker)
        out_payoffs[taker] += chips // num_takers + (turn < chips % num_takers)


@inlined
def transfer(hand: Ints, lineup: Ints, out_won_from: Ints) -> None:
    """Add who has won how much from whom, player by player, once a hand is paid out.

    The chips of a pot are dealt out one at a time to its winners, round and round from the first on
    the left of the button: first all that the first seat on the left of the button has put in, then
    all that the second has, and so on. So each winner gets what the rule of odd chips gives it. A
    chip that one player put in and another got counts as won from the former.
    """
    matched, below = total_matched(hand), 0
    while below < matched:
        level = top_of_layer(hand, below, matched)
        # Strengths of another hand do not matter where one seat is left.
        deal_round(hand, below, level, takers_of(hand, level), lineup, out_won_from)
        below = level


@inlined
def deal_round(
    hand: Ints, below: int, level: int, takers: int, lineup: Ints, out_won_from: Ints
) -> None:
    """Deal what was paid between two totals to the takers."""
    num_takers, everybody = NUM_TAKEN[takers], (1 << hand[SEATS]) - 1
    giver, taker = hand[BUTTON], next_seat(takers, hand[BUTTON])
    for _ in range(hand[SEATS]):
        giver = next_seat(everybody, giver)
        paid = hand[START + giver] - hand[STACK + giver]
        chips = min(paid, level) - min(paid, below)
        for turn in range(num_takers):
            got = chips // num_takers + (turn < chips % num_takers)
            out_won_from[lineup[taker], lineup[giver]] += got
            out_won_from[lineup[giver], lineup[taker]] -= got
            taker = next_seat(takers, taker)
        for _ in range(chips % num_takers):
            taker = next_seat(takers, taker)
