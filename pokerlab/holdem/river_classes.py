"""All hole cards on a five-card board at once: how many opponents each beats and ties with.

How to read it. On a given board only the *type* of a hole card matters: its rank, and whether it
is of the suit that has three cards or more on the board, if there is one. Types are numbered 0 to
12 by rank, and 13 to 25 for cards of that suit. Two cards of given types make a *class*: with no
such suit at most 91, else at most 276. They are sorted by strength and swept once from the
weakest: an opponent's hand is any two of the 45 other cards, so that

    wins  = hands below         - those with my first card - those with my second card
    ties  = hands of my strength - (the same two)          + my own hand, taken off twice

where the hands with a card are the same number for all cards of its type.

Both counts of a class are at most 990 and are kept in one number, wins + 65536 ties, so that
they can be added up over as many as 65 boards before they run into each other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined
from pokerlab.holdem.cards import NUM_RANKS, NUM_SUITS, Cards
from pokerlab.holdem.holdings import Whole
from pokerlab.holdem.strength import (
    CARD_BITS,
    CARD_KEYS,
    COUNTER_BITS,
    COUNTERS,
    MASK_BITS,
    strength_of_seven,
)
from pokerlab.holdem.strength_sort import NUM_ENDS, Small, sort_by_strength
from pokerlab.holdem.strength_tables import RANK_KEYS

NUM_TYPES = 2 * NUM_RANKS
NUM_CLASSES = NUM_TYPES * (NUM_TYPES + 1) // 2
TIES = 16
"""Where the ties begin in a pair of counts."""
WINS = (1 << TIES) - 1
"""The bits of the wins in a pair of counts."""

KEY_OF_RANK = np.array(RANK_KEYS)
TO_EIGHT = sum(5 << COUNTERS + COUNTER_BITS * suit for suit in range(NUM_SUITS))
"""Added to the key of a board, it lifts the counter of a suit with three cards to eight."""
STRENGTH, FIRST, TYPE = 10, 5, 31
NO_SUIT = -1

Counts = NDArray[np.uint32]


class Sweep(NamedTuple):
    """What sorting and counting the classes of a board works on.

    Attributes
    ----------
    cards_left : ndarray of shape (26,)
        Cards of each type that are not on the board.
    with_type : ndarray of shape (26,)
        Hands swept so far that hold a given card of the type.
    classes : ndarray of shape (351,)
        Each class met: its strength, and its two types in the low five bits each.
    room : ndarray of shape (351,)
        The classes when half sorted; then the wins of each.
    ends : ndarray of shape (192,)
        For sorting.
    """

    cards_left: Small
    with_type: Small
    classes: Small
    room: Small
    ends: Small


def new_sweep() -> Sweep:
    """Return room to work in."""
    return Sweep(
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_TYPES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_CLASSES, np.int32),
        np.empty(NUM_ENDS, np.int32),
    )


@inlined
def class_of(first: Whole, second: Whole) -> Whole:
    """Return the number of the class of two types, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@inlined
def type_of(card: Whole, suit: int) -> Whole:
    """Return the type of a card, where `suit` is the one that can make a flush, or NO_SUIT."""
    return card // NUM_SUITS + (NUM_RANKS if card % NUM_SUITS == suit else 0)


@inlined
def num_types(suit: int) -> int:
    """Return how many types of cards there are if this suit, or none, can make a flush."""
    return NUM_RANKS if suit == NO_SUIT else NUM_TYPES


@inlined
def flush_suit(board: Cards) -> int:
    """Return the suit with three or more of the first five cards, or NO_SUIT."""
    key = np.int64(TO_EIGHT)
    for place in range(5):
        key += CARD_KEYS[board[place]]
    for suit in range(NUM_SUITS):
        if key >> COUNTERS + COUNTER_BITS * suit + 3 & 1:
            return suit
    return NO_SUIT


@inlined
def find_classes(board: Cards, suit: int, sweep: Sweep) -> int:
    """Find the classes that a board leaves possible, and their strengths; return how many."""
    for rank in range(NUM_RANKS):
        sweep.cards_left[rank] = NUM_SUITS if suit == NO_SUIT else NUM_SUITS - 1
        sweep.cards_left[NUM_RANKS + rank] = 1
    key = bits = np.int64(0)
    for place in range(5):
        card = np.int64(board[place])
        sweep.cards_left[type_of(card, suit)] -= 1
        key += CARD_KEYS[card]
        bits += CARD_BITS[card]
    suited_key = np.int64(1) << COUNTERS + COUNTER_BITS * max(suit, 0)
    found = 0
    for one in range(num_types(suit)):
        if not sweep.cards_left[one]:
            continue
        one_key, one_bits = key + KEY_OF_RANK[one % NUM_RANKS], bits
        if one >= NUM_RANKS:
            one_key += suited_key
            one_bits += 1 << one - NUM_RANKS + MASK_BITS * suit
        for two in range(one + 1):
            if sweep.cards_left[two] <= (one == two):
                continue
            both_key, both_bits = one_key + KEY_OF_RANK[two % NUM_RANKS], one_bits
            if two >= NUM_RANKS:
                both_key += suited_key
                both_bits += 1 << two - NUM_RANKS + MASK_BITS * suit
            strength = strength_of_seven(both_key, both_bits)
            sweep.classes[found] = strength << STRENGTH | one << FIRST | two
            found += 1
    return found


@inlined
def count_classes(num_classes: int, sweep: Sweep, out_counts: Counts) -> None:
    """Write the pair of counts of each class, sweeping from the weakest to the strongest."""
    left, with_type, classes, wins = sweep.cards_left, sweep.with_type, sweep.classes, sweep.room
    for kind in range(NUM_TYPES):
        with_type[kind] = 0
    swept = np.int32(0)
    begin = 0
    while begin < num_classes:
        strength = classes[begin] >> STRENGTH
        end = begin
        below = swept
        while end < num_classes and classes[end] >> STRENGTH == strength:
            one, two = classes[end] >> FIRST & TYPE, classes[end] & TYPE
            wins[end] = below - with_type[one] - with_type[two]
            end += 1
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            if one == two:
                swept += left[one] * (left[one] - 1) // 2
                with_type[one] += left[one] - 1
            else:
                swept += left[one] * left[two]
                with_type[one] += left[two]
                with_type[two] += left[one]
        for place in range(begin, end):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            ties = swept - with_type[one] - with_type[two] + 1 - wins[place]
            out_counts[class_of(one, two)] = np.uint32(wins[place] + (ties << TIES))
        begin = end


@inlined
def compare_classes(board: Cards, suit: int, sweep: Sweep, out_counts: Counts) -> None:
    """Write the pair of counts of each class that is possible on a board; leave the others."""
    num_classes = find_classes(board, suit, sweep)
    sort_by_strength(sweep.classes, num_classes, STRENGTH, sweep.room, sweep.ends)
    count_classes(num_classes, sweep, out_counts)
