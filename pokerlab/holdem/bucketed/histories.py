"""Count which histories of buckets two hands have on the same boards, and which hand wins.

How to read it. On a board every hand has a bucket on each street, and so a history. A few hundred
different ones occur on a board; they are numbered as they are met. Hands are sorted by strength
and swept from the weakest: for each history the number of hands swept so far is known, in all and
for each card, and what shares a card with a hand is taken off. So one board brings all its
1,070,190 pairs of hands.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.bucketed.card_counts import Labels
from pokerlab.holdem.cards.cards import NUM_CARDS, NUM_HOLDINGS, Cards
from pokerlab.holdem.cards.streets import NUM_STREETS
from pokerlab.holdem.equity.match_up import HOLDING, HOLDING_BITS, Field, find_holdings, new_field
from pokerlab.holdem.strength.strength import sort_by_strength

MOST_HANDS = 47 * 46 // 2
"""On a board of five; so many histories can occur there."""
WON, MET = 0, 1

Small = NDArray[np.int32]


class Room(NamedTuple):
    """What counting pairs of hands works on.

    Attributes
    ----------
    field : Field
        All holdings.
    number : ndarray of shape (H,)
        The number of each history on this board; -1 if it has none yet.
    history : ndarray of shape (1081,)
        The history with each number.
    of_hand : ndarray of shape (1326,)
        The number of each hand's history.
    swept : ndarray of shape (1081,)
        Hands swept so far, by number.
    with_card : ndarray of shape (52 * 1081,)
        Those of them that hold a card: 52 rows.
    won, met : ndarray of shape (1081**2,)
        Pairs of hands by the number of the own history, in rows, and of the other's: those in
        which the own hand is stronger, and all.
    """

    field: Field
    number: Small
    history: Small
    of_hand: Small
    swept: Small
    with_card: Small
    won: Small
    met: Small


def new_room(num_histories: int) -> Room:
    """Return room to work in."""
    ones = np.ones(NUM_HOLDINGS)
    return Room(
        new_field(np.arange(NUM_HOLDINGS), ones, ones),
        np.full(num_histories, -1, np.int32),
        *(
            np.empty(size, np.int32)
            for size in (
                MOST_HANDS,
                NUM_HOLDINGS,
                MOST_HANDS,
                NUM_CARDS * MOST_HANDS,
                MOST_HANDS**2,
                MOST_HANDS**2,
            )
        ),
    )


@kernel
def add_histories(
    boards: Cards,
    times: Ints,
    labels: Labels,
    num_buckets: Ints,
    room: Room,
    out_pairs: Ints,
) -> None:
    """Count how often histories win against histories and meet them.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
    times : ndarray of int64, shape (n,)
        How often each board counts.
    labels : ndarray of uint8, shape (4, n, 1326)
        Buckets on each street.
    num_buckets : ndarray of int64, shape (4,)
        Buckets there are on each street.
    room : Room
        Overwritten.
    out_pairs : ndarray of int64, shape (H, H, 2)
        Pairs of hands won and met, own history in rows.
    """
    for row in range(boards.shape[0]):
        size = find_holdings(room.field, boards[row])
        sort_by_strength(room.field.order, size, HOLDING_BITS, room.field.room, room.field.ends)
        found = number_histories(labels[:, row], num_buckets, size, room)
        with_card = room.with_card[: NUM_CARDS * found].reshape(NUM_CARDS, found)
        won = room.won[: found * found].reshape(found, found)
        met = room.met[: found * found].reshape(found, found)
        with_card[:] = won[:] = met[:] = 0
        room.swept[:found] = 0
        sweep_hands(room, size, with_card, won, met)
        for one in range(found):
            own = room.history[one]
            room.number[own] = -1
            for two in range(found):
                pair = out_pairs[own, room.history[two]]
                pair[WON] += times[row] * won[one, two]
                pair[MET] += times[row] * met[one, two]


@inlined
def number_histories(labels: Labels, num_buckets: Ints, size: int, room: Room) -> int:
    """Write the number of each hand's history and the history of each number; return how many."""
    found = 0
    for at in range(size):
        place = room.field.order[at] & HOLDING
        history = np.int64(0)
        for street in range(NUM_STREETS):
            history = history * num_buckets[street] + labels[street, place]
        if room.number[history] < 0:
            room.number[history] = found
            room.history[found] = history
            found += 1
        room.of_hand[place] = room.number[history]
    return found


@inlined
def sweep_hands(room: Room, size: int, with_card: Small, won: Small, met: Small) -> None:
    """Add up the pairs of hands of one board, whose sorted hands have numbered histories."""
    order, cards, of_hand, swept = room.field.order, room.field.cards, room.of_hand, room.swept
    found = won.shape[0]
    begin = 0
    while begin < size:
        end, strength = begin, order[begin] >> HOLDING_BITS
        while end < size and order[end] >> HOLDING_BITS == strength:
            place = order[end] & HOLDING
            below, first, second = won[of_hand[place]], cards[place, 0], cards[place, 1]
            for other in range(found):
                below[other] += swept[other] - with_card[first, other] - with_card[second, other]
            end += 1
        for at in range(begin, end):
            place = order[at] & HOLDING
            swept[of_hand[place]] += 1
            with_card[cards[place, 0], of_hand[place]] += 1
            with_card[cards[place, 1], of_hand[place]] += 1
        begin = end
    for at in range(size):
        place = order[at] & HOLDING
        beside, first, second = met[of_hand[place]], cards[place, 0], cards[place, 1]
        for other in range(found):
            beside[other] += swept[other] - with_card[first, other] - with_card[second, other]
        # The hand itself was taken off with either card.
        beside[of_hand[place]] += 1
