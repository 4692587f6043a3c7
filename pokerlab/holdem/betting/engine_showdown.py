"""The end of a hand in kernels: who shows what, and who takes which chips.

The rules are those of `pokerlab.holdem.betting.hand_state`, on the words of `pokerlab.holdem.betting.engine`.
"""

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined
from pokerlab.holdem.betting.engine import (
    BUTTON,
    LIVE,
    SEATS,
    SHOWN,
    STACK,
    START,
    has_two,
    lowest,
    next_seat,
)
from pokerlab.holdem.cards.deck import Cards
from pokerlab.holdem.strength.evaluation import CARD_BITS, CARD_KEYS, strength_of_seven

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
    key, bits = np.int64(0), np.int64(0)
    for place in range(2 * seats, 2 * seats + 5):
        key += CARD_KEYS[deal[place]]
        bits += CARD_BITS[deal[place]]
    for seat in range(seats):
        hand[SHOWN + seat] = NOT_SHOWN
        if hand[LIVE] >> seat & 1:
            first, second = deal[2 * seat], deal[2 * seat + 1]
            hand[SHOWN + seat] = strength_of_seven(
                key + CARD_KEYS[first] + CARD_KEYS[second],
                bits + CARD_BITS[first] + CARD_BITS[second],
            )


@inlined
def share_out(hand: Ints, out_payoffs: Ints) -> None:
    """Divide the pots, layer by layer, among those who have shown the strongest hands."""
    seats = hand[SEATS]
    most, matched = 0, 0
    for seat in range(seats):
        paid = hand[START + seat] - hand[STACK + seat]
        matched = max(matched, min(paid, most))
        most = max(most, paid)
    for seat in range(seats):
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
def share_layer(hand: Ints, below: int, level: int, out_payoffs: Ints) -> None:
    """Divide what was paid between two totals; odd chips go round from the left of the button."""
    seats = hand[SEATS]
    chips, best, takers = 0, NOT_SHOWN, 0
    for seat in range(seats):
        paid = hand[START + seat] - hand[STACK + seat]
        chips += min(paid, level) - min(paid, below)
        shown = hand[SHOWN + seat]
        if paid >= level and shown >= best:
            takers = takers + 1 if shown == best else 1
            best = shown
    share = chips if takers == 1 else chips // takers
    odd = chips - share * takers
    seat = hand[BUTTON]
    for _ in range(seats):
        seat = seat + 1 if seat + 1 < seats else 0
        if hand[START + seat] - hand[STACK + seat] >= level and hand[SHOWN + seat] == best:
            out_payoffs[seat] += share + (odd > 0)
            odd -= 1


@inlined
def transfer(hand: Ints, lineup: Ints, out_won_from: Ints) -> None:
    """Add who has won how much from whom, player by player, once a hand is paid out.

    The chips of a pot are dealt out one at a time to its winners, round and round from the first on
    the left of the button: first all that the first seat on the left of the button has put in, then
    all that the second has, and so on. So each winner gets what the rule of odd chips gives it. A
    chip that one player put in and another got counts as won from the former.
    """
    live = hand[LIVE]
    most, matched = 0, 0
    for seat in range(hand[SEATS]):
        paid = hand[START + seat] - hand[STACK + seat]
        matched = max(matched, min(paid, most))
        most = max(most, paid)
    below = 0
    while below < matched:
        level = top_of_layer(hand, below, matched)
        takers, best = 0, NOT_SHOWN
        for seat in range(hand[SEATS]):
            if live >> seat & 1 and hand[START + seat] - hand[STACK + seat] >= level:
                shown = hand[SHOWN + seat] if has_two(live) else 0
                if shown >= best:
                    takers = (takers if shown == best else 0) | 1 << seat
                    best = shown
        deal_round(hand, below, level, takers, lineup, out_won_from)
        below = level


@inlined
def deal_round(
    hand: Ints, below: int, level: int, takers: int, lineup: Ints, out_won_from: Ints
) -> None:
    """Deal what was paid between two totals to the takers."""
    num_takers = 0
    for seat in range(hand[SEATS]):
        num_takers += takers >> seat & 1
    everybody = (1 << hand[SEATS]) - 1
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
