"""Cards dealt by random numbers that are looked up by hand and place.

A hand starts its own stream at the number that the key's stream has for it. So the cards of a hand depend only on
seed, purpose and the hand's number, not on which hands were played before it, how many at once, or by how many
workers.
"""

import numpy as np

from pokerlab.core import inlined, kernel
from pokerlab.core.random_numbers import key_at, key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.cards.deck import MOST_DEALS, NUM_CARDS, Cards

CARDS_A_NUMBER = 4
MOST_DEALT_IN = (NUM_CARDS - 5) // 2
POINT, FIRST_BITS = np.uint64(58), np.uint64(6)
BEHIND_POINT = np.uint64((1 << 58) - 1)


def dealt(seed: int, num_deals: int, num_seats: int, *, first: int = 0) -> Cards:
    """Return the deals that a table with this seed plays from number `first` on.

    In a row of (num_deals, 2 * num_seats + 5), two cards for each seat, then five for the board.
    """
    whole("num_deals", num_deals, 0, MOST_DEALS)
    whole("num_seats", num_seats, 0, MOST_DEALT_IN)
    whole("first", first, 0, LARGEST_COUNT)
    cards = np.empty((num_deals, 2 * num_seats + 5), np.uint8)
    fill_deals(key_of(seed, "deal"), first, np.empty(NUM_CARDS, np.uint8), cards)
    return cards


def dealt_in_match(seed: int, match: int, hand: int, num_seats: int) -> Cards:
    """Return the deal of one hand of a tournament, shape (2 * num_seats + 5,)."""
    cards = np.empty((1, 2 * num_seats + 5), np.uint8)
    key = np.uint64(key_at(key_of(seed, "deal"), match))
    fill_deals(key, hand, np.empty(NUM_CARDS, np.uint8), cards)
    return cards.reshape(-1)


@inlined
def deal_hand(key: np.uint64, deck: Cards, out_cards: Cards, num_cards: int) -> None:
    """Deal `num_cards` cards of a fresh deck by the numbers of a hand's `key`.

    A number's bits are a fraction. Multiplied by the number of cards left, its whole part picks a
    card, and its fractional part picks the next. Of four cards dealt in this way, none is likelier
    than another by more than 52**4 / 2**58, one part in 10**10.
    """
    for card in range(NUM_CARDS):
        deck[card] = card
    bits = np.uint64(0)
    for place in range(num_cards):
        if place % CARDS_A_NUMBER == 0:
            bits = number_at(key, place) >> FIRST_BITS
        bits *= np.uint64(NUM_CARDS - place)
        pick = place + np.int64(bits >> POINT)
        bits &= BEHIND_POINT
        out_cards[place] = deck[pick]
        deck[pick] = deck[place]


@kernel
def fill_deals(key: np.uint64, first: int, deck: Cards, out_cards: Cards) -> None:
    """Deal the hands `first`, `first` + 1, ... into the rows."""
    for row in range(out_cards.shape[0]):
        deal_hand(number_at(key, first + row), deck, out_cards[row], out_cards.shape[1])
