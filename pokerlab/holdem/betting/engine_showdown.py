"""The end of a hand in kernels: who shows what, and who takes which chips.

The rules are those of `pokerlab.holdem.betting.hand_state`, on the words of `pokerlab.holdem.betting.engine`.
"""

from pokerlab.core import Ints, inlined
from pokerlab.holdem.betting.engine import (
    BUTTON,
    LIVE,
    NUM_TAKEN,
    SEATS,
    SHOWN,
    STACK,
    START,
    has_two,
    lowest,
    next_seat,
)
from pokerlab.holdem.cards.deck import Cards
from pokerlab.holdem.strength.evaluation import key_and_bits, strength_with

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
