"""How often two hole cards beat each hand they may meet, street by street, whatever is bet.

How to read it. Hole cards and a board of five are known to the program, but a street only shows the cards dealt so
far. Hands that the whole board allows come first, then those that only the river forbids, then those that the turn
does, then the flop: so the hands that a street allows are the first so many of one order. On the river two hands are
compared; on the turn on all 44 rivers that both allow; on the flop and before it on sampled run-outs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.core.random_numbers import number_at
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_STREETS,
    RIVER,
    TURN,
    Cards,
)
from pokerlab.holdem.strength.evaluation import (
    CARD_BITS,
    CARD_KEYS,
    key_and_bits,
    strength_of_seven,
    strength_with,
)

MOST_HANDS = (NUM_CARDS - 2) * (NUM_CARDS - 3) // 2  # hands that can be met when no board is known
CARDS_OF = HOLDINGS.astype(np.int64)
KEY_OF = CARD_KEYS[CARDS_OF].sum(axis=1).astype(np.int64)
BITS_OF = CARD_BITS[CARDS_OF].sum(axis=1).astype(np.int64)


class Hands(NamedTuple):
    """The hands that hole cards may meet, in an order in which each street allows the first so many."""

    number: Ints  # (1225,): which holding each is
    size: Ints  # (4,): how many a street allows, 1225, 1081, 1035, 990
    label: NDArray[np.uint8]  # (4, 1225): what each is called on each street, such as its bucket
    equity: Floats  # (4, 1225): how likely the hole cards beat each, ties counted half
    met: Floats  # (1225,): run-outs on which they met


def new_hands() -> Hands:
    """Return room for the hands."""
    return Hands(
        np.zeros(MOST_HANDS, np.int64),
        np.zeros(NUM_STREETS, np.int64),
        np.zeros((NUM_STREETS, MOST_HANDS), np.uint8),
        np.zeros((NUM_STREETS, MOST_HANDS)),
        np.zeros(MOST_HANDS),
    )


@kernel
def find_hands(
    cards: Cards,
    labels: NDArray[np.uint8],
    key: np.uint64,
    num_run_outs: int,
    needed_from: int,
    hands: Hands,
) -> None:
    """Write the hands that hole cards may meet, their labels and the equities against them.

    `cards` are hole cards, then the board; `labels`, (4, 1326), what all holdings are called on each street. By the
    luck of `key`, run-outs are sampled before the flop and on it; equities of streets before `needed_from` are zero.
    """
    order_hands(cards, hands)
    for street in range(NUM_STREETS):
        for place in range(hands.size[street]):
            hands.label[street, place] = labels[street, hands.number[place]]
            hands.equity[street, place] = 0.0
    full, deck = np.empty(7, np.uint8), np.empty(NUM_CARDS, np.uint8)
    full[:] = cards
    for street in range(needed_from, NUM_STREETS):
        size, known = hands.size[street], 2 + BOARD_SIZES[street]
        for place in range(size):
            hands.met[place] = 0.0
        if street == RIVER:
            run_out(full, street, size, hands)
        elif street == TURN:
            for card in range(NUM_CARDS):
                if not is_among(card, cards, known):
                    full[known] = card
                    run_out(full, street, size, hands)
        else:
            for number in range(num_run_outs):
                draw(cards, known, number_at(key, street * num_run_outs + number), deck, full)
                run_out(full, street, size, hands)
        full[:] = cards
        for place in range(size):
            # Who was never met counts as an equal: it cannot be known better.
            met = hands.met[place]
            hands.equity[street, place] = hands.equity[street, place] / met if met > 0.0 else 0.5


@inlined
def is_among(card: int, cards: Cards, known: int) -> bool:
    """Return whether a card is among the first `known`."""
    found = False
    for place in range(known):
        found |= cards[place] == card
    return found


@inlined
def order_hands(cards: Cards, hands: Hands) -> None:
    """Write the hands, those that most streets allow first, and how many each street allows."""
    size = 0
    for last in range(NUM_STREETS):
        street = RIVER - last
        for number in range(NUM_HOLDINGS):
            one, two = CARDS_OF[number, 0], CARDS_OF[number, 1]
            known = 2 + BOARD_SIZES[street]
            if is_among(one, cards, known) or is_among(two, cards, known):
                continue
            # A street later it was met already, unless a card that came then forbids it.
            beyond = 2 + BOARD_SIZES[min(street + 1, RIVER)]
            if street == RIVER or is_among(one, cards, beyond) or is_among(two, cards, beyond):
                hands.number[size] = number
                size += 1
        hands.size[street] = size


@inlined
def draw(cards: Cards, known: int, key: np.uint64, deck: Cards, full: Cards) -> None:
    """Write a random run-out behind the first `known` cards."""
    left = 0
    for card in range(NUM_CARDS):
        if not is_among(card, cards, known):
            deck[left] = card
            left += 1
    for place in range(known, 7):
        pick = np.int64(number_at(key, place) % np.uint64(left))
        full[place] = deck[pick]
        left -= 1
        deck[pick] = deck[left]


@inlined
def run_out(full: Cards, street: int, size: int, hands: Hands) -> None:
    """Add what the hole cards win of each hand on a whole board, and whom they meet."""
    key, bits = key_and_bits(full, 2, 7)
    on_board = np.int64(0)
    for place in range(2, 7):
        on_board |= 1 << np.int64(full[place])
    own = strength_with(key, bits, full[0], full[1])
    for place in range(size):
        number = hands.number[place]
        if (on_board >> CARDS_OF[number, 0] | on_board >> CARDS_OF[number, 1]) & 1:
            continue
        theirs = strength_of_seven(key + KEY_OF[number], bits + BITS_OF[number])
        hands.met[place] += 1.0
        if own > theirs:
            hands.equity[street, place] += 1.0
        elif own == theirs:
            hands.equity[street, place] += 0.5
