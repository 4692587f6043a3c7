"""The best reply with real cards on rivers, many lines of betting side by side: most of the time is spent here.

How to read it. Hands are met in the order of their strength. At the end of a line the opponent holds a hand with the
weight with which it came to the river, times a factor that its bucket decides. So sums over weaker and stronger
hands, one for each bucket, serve all showdowns. A bucket is first stronger than the hand in question as a whole; then,
where some of its hands have been met and others have not, it is *open*, and its sum runs; then it is weaker as a whole.
What buckets add that are not open is the same for all hands with a card: a table has it for each card, and
changes when a bucket opens or closes. Nearly always one is open.

A sum over the hands that the reply can meet is that over all, less those with its one card and those with its other.
Rows of the table hold half the sum over all less that with the card, so that the rows of two cards are just added.

The betting is two chains of raises, after the reply's bet and after the opponent's, with a level for each bet. `levels`
is a tuple of that length, so that the compiler writes all of them out; it holds 1 if the reply acts first, else 0.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.compiler import inlined, kernel
from pokerlab.holdem.cards.deck import NUM_CARDS, Cards
from pokerlab.holdem.limit_game.betting_tree import FOLDED, SHOWDOWN
from pokerlab.holdem.limit_game.replies import ALL, HIGH, LOW, Against
from pokerlab.holdem.strength.evaluation import (
    NUM_ENDS,
    key_and_bits,
    sort_by_strength,
    strength_with,
)

LINES = 64
"""Lines of betting side by side."""
NUMBER_BITS, NUMBER = 11, (1 << 11) - 1
"""Of a holding's number, below its strength."""
Small = NDArray[np.float32]
ZERO, HALF, ONE, LEAST = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(-np.inf)


class RiverHands(NamedTuple):
    """The n rivers of a turn, with N hands on each."""

    hands: NDArray[np.int32]  # (n, N): strength and number, the weakest first; by `sort_hands`
    label: NDArray[np.uint8]  # (n, 1326): the buckets
    times: Small  # (n,): how often each counts
    kind: Ints  # (1326,): hands of one kind come with the same weights


class SweepRoom(NamedTuple):
    """What a sweep of hands works on; the last six are overwritten."""

    weights: Small  # (kinds, LINES): with what hands come
    term: Small  # (B, T, LINES): by `terms`
    sums: Small  # (B, 53, LINES): the opponent's weights, by its bucket and card
    shown: Small  # (B, 53, LINES): those of weaker hands, less those of stronger ones
    table: Small  # (52, T, LINES): what buckets add that are not open
    mixed: Small  # (T, LINES): rows of a term where several are open
    run: Small  # (2, LINES): an open bucket's sum; ones
    ends: Ints  # (2, B): the weakest and the strongest hand in each bucket, -1 if there is none


def terms(against: Against, lines: Ints) -> Small:
    """Return what the ends of the river's betting pay for a hand's weight, (blocks, B, T, LINES).

    Rows of the folds come first, level by level of the two chains, then so the showdowns, and that without a bet.
    """
    player, nodes, stake, reach, _ = against
    folds, shows = (np.flatnonzero(nodes["kind"] == kind) for kind in (FOLDED, SHOWDOWN))
    if nodes["actor"][0] == player:  # whose bet comes last in the tree
        folds, shows[1:] = np.roll(folds, len(folds) // 2), np.roll(shows[1:], len(folds) // 2)
    ends = [*folds, *shows[1:], shows[0]]
    who = nodes["actor"][ends, None]
    chips = np.take_along_axis(nodes["chips"][ends], np.maximum(who, 0), axis=1) + stake[lines]
    pays = np.where(who == player, -chips, chips)[:, None] * reach[ends][..., lines]
    return side_by_side(pays.transpose(1, 0, 2))


def side_by_side(numbers: Floats) -> Small:
    """Return numbers by line, (..., n), in blocks of lines, (blocks, ..., LINES), filled up with zeros."""
    *shape, size = numbers.shape
    rows = np.zeros((*shape, -(-size // LINES), LINES), np.float32)
    rows.reshape(*shape, -1)[..., :size] = numbers
    return np.ascontiguousarray(np.moveaxis(rows, -2, 0))


@kernel
def sort_hands(boards: Cards, live: NDArray[np.bool_], out_hands: NDArray[np.int32]) -> int:
    """Write the hands of each board that are `live`, (1326,), and not with its river; return how many."""
    room, ends = np.empty(len(live), np.int32), np.empty(NUM_ENDS, np.int32)
    size = 0
    for row in range(len(boards)):
        key, bits = key_and_bits(boards[row], 0, 5)
        river, size = np.int64(boards[row, 4]), 0
        for hand in range(len(live)):
            if live[hand] and HIGH[hand] != river and LOW[hand] != river:
                strength = strength_with(key, bits, HIGH[hand], LOW[hand])
                out_hands[row, size] = strength << NUMBER_BITS | hand
                size += 1
        sort_by_strength(out_hands[row], size, NUMBER_BITS, room, ends)
    return size


@kernel
def play_rivers(
    levels: Any, rivers: RiverHands, weights: Small, term: Small, out_won: Small
) -> None:
    """Add what the best reply wins with each hand on each line, (blocks, 1326, LINES).

    The opponent comes with `weights`, (blocks, kinds, LINES); `term` is by `terms`.
    """
    blocks, buckets, rows = term.shape[:3]
    sums = np.zeros((2, buckets, NUM_CARDS + 1, LINES), np.float32)
    table, mixed = np.zeros((NUM_CARDS, rows, LINES), np.float32), np.zeros_like(term[0, 0])
    run, ends = np.ones((2, LINES), np.float32), np.zeros((2, buckets), np.int64)
    for block in range(blocks):
        room = SweepRoom(weights[block], term[block], sums[0], sums[1], table, mixed, run, ends)
        for river in range(len(rivers.hands)):
            begin_river(2 * len(levels), rivers, river, room)
            sweep_hands(levels, rivers, river, room, out_won[block])


@inlined
def begin_river(folds: int, rivers: RiverHands, river: int, room: SweepRoom) -> None:
    """Sum up the weights, and fill the table as it is for a hand that is weaker than all.

    What the opponent folds is added to what it calls: between them the reply has no choice.
    """
    room.sums[:], room.table[:], room.ends[:] = ZERO, ZERO, -1
    for met_hand in rivers.hands[river]:
        hand, strength = met_hand & NUMBER, met_hand >> NUMBER_BITS
        bucket = rivers.label[river, hand]
        put(hand, room.weights[rivers.kind[hand]], room.sums[bucket])
        room.ends[1, bucket] = strength
        if room.ends[0, bucket] < 0:
            room.ends[0, bucket] = strength
    for bucket in range(len(room.term)):
        for card in range(NUM_CARDS + 1):
            for s in range(LINES):
                room.shown[bucket, card, s] = -room.sums[bucket, card, s]
        for t in range(room.term.shape[1]):
            chain, level = divmod(t, folds // 2)
            to = t + folds if t < folds and (chain + level) % 2 == 0 else t
            shift(bucket, t, to, ONE if t < folds else -ONE, room)


@inlined
def put(hand: int, weights: Small, out_sums: Small) -> None:
    """Add a hand's weights to the sums of its cards and to that over all."""
    high, low = out_sums[HIGH[hand]], out_sums[LOW[hand]]
    for s in range(LINES):
        high[s] += weights[s]
        low[s] += weights[s]
        out_sums[ALL, s] += weights[s]


@inlined
def met(hand: int, sums: Small, out_sum: Small) -> None:
    """Write the sum over the hands that a hand can meet."""
    for s in range(LINES):
        out_sum[s] = sums[ALL, s] - sums[HIGH[hand], s] - sums[LOW[hand], s]


@inlined
def shift(bucket: int, row: int, to: int, sign: Any, room: SweepRoom) -> None:
    """Add to a row of the table what a row of a bucket's term pays for its hands."""
    term, sums = room.term[bucket, row], room.sums[bucket]
    for card in range(NUM_CARDS):
        for s in range(LINES):
            room.table[card, to, s] += sign * term[s] * (HALF * sums[ALL, s] - sums[card, s])


@inlined
def turned(folds: int, strength: int, ends: Ints, room: SweepRoom) -> int:
    """Open the buckets whose weakest hand has a strength, or close those whose strongest has; return how many."""
    count = 0
    for bucket in range(len(ends)):
        if ends[bucket] == strength:
            count += 1
            for t in range(folds, room.term.shape[1]):
                shift(bucket, t, t, ONE, room)
    return count


@inlined
def sweep_hands(
    levels: Any, rivers: RiverHands, river: int, room: SweepRoom, out_won: Small
) -> None:
    """Play a river with all hands, those of one strength after the other."""
    hands, label, kind = rivers.hands[river], rivers.label[river], rivers.kind
    folds, begin, num_open = 2 * len(levels), 0, 0
    while begin < len(hands):
        strength, end = hands[begin] >> NUMBER_BITS, begin
        num_open += turned(folds, strength, room.ends[0], room)
        while end < len(hands) and hands[end] >> NUMBER_BITS == strength:
            hand = hands[end] & NUMBER
            put(hand, room.weights[kind[hand]], room.shown[label[hand]])
            end += 1
        for place in range(begin, end):
            hand = hands[place] & NUMBER
            rows, run, own = room.term[label[hand]], room.run[0], room.weights[kind[hand]]
            if num_open == 1:
                met(hand, room.shown[label[hand]], run)
            else:
                mix(folds, hand, label[hand], strength, room)
                rows, run = room.mixed, room.run[1]
            settle(levels, hand, room.table, rows, own, run, rivers.times[river], out_won[hand])
        for place in range(begin, end):
            hand = hands[place] & NUMBER
            put(hand, room.weights[kind[hand]], room.shown[label[hand]])
        num_open -= turned(folds, strength, room.ends[1], room)
        begin = end


@inlined
def mix(folds: int, hand: int, bucket: int, strength: int, room: SweepRoom) -> None:
    """Write rows of a term to which all open buckets have added their sums."""
    for t in range(len(room.mixed)):
        for s in range(LINES):
            room.mixed[t, s] = room.term[bucket, t, s] if t < folds else ZERO
    for other in range(len(room.term)):
        if room.ends[0, other] <= strength <= room.ends[1, other]:
            met(hand, room.shown[other], room.run[0])
            for t in range(folds, len(room.mixed)):
                for s in range(LINES):
                    room.mixed[t, s] += room.term[other, t, s] * room.run[0, s]


@inlined
def settle(
    levels: Any,
    hand: int,
    table: Small,
    term: Small,
    own: Small,
    run: Small,
    times: Any,
    out: Small,
) -> None:
    """Add what the best reply wins with a hand, from the last level of the betting to the first.

    `own` are the weights of the opponent's same hand, put back where sums are over all; `run` is its bucket's sum.
    """
    one, two, cap = table[HIGH[hand]], table[LOW[hand]], len(levels)
    for s in range(LINES):
        after_own = after_other = ZERO
        for chain in range(2):
            value = ZERO if (cap - 1 + chain) % 2 == 0 else LEAST
            for k in range(cap):
                level = cap - 1 - k
                t = chain * cap + level
                fold, u = term[t, s] * own[s], t + 2 * cap
                call = one[u, s] + two[u, s] + term[u, s] * run[s]
                if (level + chain) % 2 == 0:
                    value = value + call + fold
                else:
                    value = max(value, max(call, one[t, s] + two[t, s] + fold))
            after_own, after_other = after_other, value
        t = 4 * cap
        check = one[t, s] + two[t, s] + term[t, s] * run[s]
        out[s] += times * (max(after_own - levels[0] * after_other, check) + after_other)
