"""The strength of five, six or seven cards: a number from 0 to 7461, the bigger the better.

How to read it. Each card has a constant, `CARD_KEYS[card]`: what its rank adds to a row (the lowest 16 bits) and to a
column (the highest), and between them what it adds to the counters of the suits. The key of a hand is the sum over
its cards. If five cards have one suit, a single AND with the counters shows it; if not, row and column find the
strength in a small table. A flush needs to know its ranks: they are the bits of `CARD_BITS`, summed over the cards in
the same way.

In kernels, call `hand_strength(cards)`, or sum keys and bits where hands share cards, and call
`strength_of_seven(key, bits)`.

The tables are made from the rules of poker. `order_of_five` is the rule book: it says what five cards
are worth, as a tuple to compare. All else is numbering: the 7,462 values are numbered upwards, six and seven cards
have the best value that is left when one is taken away, and each hand's number is put where a sum of card constants
finds it.

The sum of their constants in `RANK_KEYS` identifies a hand's ranks. All 49,205 sums of seven ranks,
at most four of a kind, are distinct, and so are those of six and of five. They reach up to
7,825,759, far too wide for a table; so they are folded (row displacement): the constants' low bits
add up to a row, their high bits to a column, and the rows lie over each other at offsets where no
two hands collide.
"""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Ints
from pokerlab.core.cache import load_or_make_arrays
from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.errors import CardError, SettingError
from pokerlab.holdem.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, check_cards

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""The categories of hands, the weakest first."""

PATTERNS = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}
"""The categories that depend on how often each rank comes, the most frequent first."""

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""For each rank the smallest number that keeps all sums of seven distinct, rank by rank."""

LOW_BITS = 10
ROW_KEYS = np.array(RANK_KEYS) & (1 << LOW_BITS) - 1
"""What each rank adds to the row; seven cards come to less than 2**16."""
COLUMN_KEYS = np.array(RANK_KEYS) >> LOW_BITS
"""What it adds to the column; seven cards come to less than 2**13."""

FIVE_HIGH = (12, 0, 1, 2, 3)
"""The ranks of the lowest straight, in which the ace counts as one: 5 4 3 2 A."""

Numbers: TypeAlias = NDArray[np.uint16]


def order_of_five(ranks: tuple[int, ...], suited: bool) -> tuple[int, ...]:
    """Return what decides between two five-card hands: the category, then ranks in turn.

    Those that come more often stand first, the higher first among equals; of a straight only the
    highest counts. Ranks are given in any order, and `suited` says whether all have one suit.
    """
    count = Counter(ranks)
    by_weight = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    name = PATTERNS[tuple(sorted(count.values(), reverse=True))]
    if set(ranks) == set(FIVE_HIGH):
        name, by_weight = "straight", [max(FIVE_HIGH[1:])]
    elif name == "high card" and max(ranks) - min(ranks) == 4:
        name, by_weight = "straight", [max(ranks)]
    if suited:
        name = "straight flush" if name == "straight" else "flush"
    return (CATEGORIES.index(name), *by_weight)


def rank_sets(size: int) -> NDArray[np.int64]:
    """Return all ways to take `size` ranks, at most four of a kind: shape (ways, size), rising."""
    ways = np.array(list(combinations_with_replacement(range(NUM_RANKS), size)))
    allowed: NDArray[np.int64] = ways[(ways[:, 4:] != ways[:, :-4]).all(axis=1)]
    return allowed


def build() -> dict[str, Numbers]:
    """Make all tables: 'flush', and for five, six and seven cards 'offsets_k' and 'strengths_k'.

    `flush[mask]` is the strength of the best flush among ranks of one suit, given as bits, and
    `strengths_k[offsets_k[row] + column]` that of k cards without a flush, where `row` and `column` are
    the sums of their `ROW_KEYS` and `COLUMN_KEYS`.
    """
    fives = [tuple(ranks) for ranks in rank_sets(5).tolist()]
    flushes = list(combinations(range(NUM_RANKS), 5))
    orders = [order_of_five(ranks, False) for ranks in fives]
    flush_orders = [order_of_five(ranks, True) for ranks in flushes]
    number = {order: i for i, order in enumerate(sorted({*orders, *flush_orders}))}

    flush = np.zeros(1 << NUM_RANKS, np.uint16)
    for ranks, order in zip(flushes, flush_orders, strict=True):
        flush[sum(1 << rank for rank in ranks)] = number[order]
    for mask in range(1 << NUM_RANKS):
        if mask.bit_count() > 5:
            flush[mask] = max(flush[mask ^ 1 << r] for r in range(NUM_RANKS) if mask >> r & 1)

    tables = {"flush": flush}
    rank_keys = np.array(RANK_KEYS)
    fewer_keys, fewer = rank_keys[:0], rank_keys[:0]
    for size in (5, 6, 7):
        sets = rank_sets(size)
        ways = rank_keys[sets]
        keys = ways.sum(axis=1)
        if size == 5:
            strengths = np.array([number[order] for order in orders])
        else:
            left = np.searchsorted(fewer_keys, keys[:, None] - ways)
            strengths = fewer[left].max(axis=1)
        in_order = np.argsort(keys)
        fewer_keys, fewer = keys[in_order], strengths[in_order]
        rows, columns = ROW_KEYS[sets].sum(axis=1), COLUMN_KEYS[sets].sum(axis=1)
        tables[f"offsets_{size}"], tables[f"strengths_{size}"] = fold_rows(rows, columns, strengths)
    return tables


def fold_rows(rows: Ints, columns: Ints, values: Ints) -> tuple[Numbers, Numbers]:
    """Lay the rows of a sparse table over each other, so that no two of its entries collide.

    The fullest rows go first, each to the first offset where its columns are free. A set of
    columns is a Python integer, so that all offsets are tried at once by shifting. Each value is then
    `table[offsets[row] + column]`.
    """
    in_row: list[list[int]] = [[] for _ in range(rows.max() + 1)]
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        in_row[row].append(column)
    offsets = np.zeros(len(in_row), np.int64)
    taken = 0
    for row in sorted(range(len(in_row)), key=lambda row: -len(in_row[row])):
        clashes = 0
        for column in in_row[row]:
            clashes |= taken >> column
        offset = (~clashes & clashes + 1).bit_length() - 1
        offsets[row] = offset
        taken |= sum(1 << column for column in in_row[row]) << offset
    table = np.zeros(taken.bit_length(), np.uint16)
    table[offsets[rows] + columns] = values
    return offsets.astype(np.uint16), table


NUM_STRENGTHS = 7462
"""The number of different strengths of five cards; with seven cards, 4,824 of them occur."""

WEAKEST = (0, 1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452)
"""The lowest strength in each of `CATEGORIES`."""

CHECKSUM = "c158ac872d4ffa5926d48da384c7d8ad9dac974dccad0567a7c3eb9271ea0e78"
"""The tables' `digest`. Kernels hold copies of them and are compiled again when this line changes."""

TABLES = load_or_make_arrays(f"strength-{CHECKSUM[:24]}", build)
FLUSH = TABLES["flush"]
OFFSETS_5, STRENGTHS_5 = TABLES["offsets_5"], TABLES["strengths_5"]
OFFSETS_6, STRENGTHS_6 = TABLES["offsets_6"], TABLES["strengths_6"]
OFFSETS_7, STRENGTHS_7 = TABLES["offsets_7"], TABLES["strengths_7"]

COUNTERS = 16
"""Where in a key the counters of the four suits begin, seven bits each."""
COUNTER_BITS = 7
ANY_SUIT, OWN_SUIT = 3, 10
"""What a card adds to each counter, and besides to its suit's: five of a suit, among five to seven cards, make 64."""
COLUMNS = 44
"""Where in a key the column begins."""
MASK_BITS = 16
"""The distance of two suits' masks of ranks in a hand's bits."""

SUIT_OF = np.arange(NUM_CARDS) % NUM_SUITS
RANK_OF = np.arange(NUM_CARDS) // NUM_SUITS
COUNTER = 1 << COUNTERS + COUNTER_BITS * np.arange(NUM_SUITS)
"""A one in each suit's counter."""
KEY_OF_RANK = ROW_KEYS + (COLUMN_KEYS << COLUMNS) + ANY_SUIT * COUNTER.sum()
CARD_KEYS = KEY_OF_RANK[RANK_OF] + OWN_SUIT * COUNTER[SUIT_OF]
CARD_BITS = 1 << RANK_OF + MASK_BITS * SUIT_OF

FLUSHES = np.int64(64 * COUNTER.sum())
"""The bits of a key that tell a flush."""
ROW = np.int64((1 << COUNTERS) - 1)
RANKS_OF_SUIT = np.int64((1 << NUM_RANKS) - 1)


def strength(cards: ArrayLike | str) -> Any:
    """Return how strong the best five of these cards are, 0 to 7461; bigger is better.

    Parameters
    ----------
    cards : array_like of integers, shape (k,) or (..., k), k from 5 to 7, or text
        A hand, or several along the other axes.

    Returns
    -------
    int or ndarray of int64, shape (...,)
        Equal hands have equal numbers. 0 is 7 5 4 3 2, 7461 a royal flush.

    Examples
    --------
    >>> strength("As Ks Qs Js Ts 2c 2d")
    7461
    >>> category(strength(["7c 5d 4h 3s 2c", "7c 7d 7h 2s 2c"])).tolist()
    ['high card', 'full house']
    """
    hands = check_cards(cards)
    size = hands.shape[-1] if hands.ndim else 1
    if size not in (5, 6, 7):
        raise CardError(
            f"a hand of {size} cards has no strength; give 5, 6 or 7 along the last axis "
            f"of an array, which has shape {hands.shape}."
        )
    rows = hands.reshape(-1, size)
    strengths = np.empty(len(rows), np.int64)
    fill_strengths(rows, strengths)
    return int(strengths[0]) if hands.ndim == 1 else strengths.reshape(hands.shape[:-1])


def category(strengths: ArrayLike) -> Any:
    """Return the name of the category, of `CATEGORIES`, of a strength or several.

    Parameters
    ----------
    strengths : array_like of integers
        What `strength` returned.
    """
    numbers = np.asarray(strengths)
    wrong = numbers[~np.isin(numbers, np.arange(NUM_STRENGTHS))]
    if wrong.size:
        raise SettingError(
            f"{wrong[0]} is not a strength; strengths are whole numbers from 0 to {NUM_STRENGTHS - 1}."
        )
    numbers = numbers.astype(np.int64)
    names = np.array(CATEGORIES)[np.searchsorted(WEAKEST, numbers, side="right") - 1]
    return str(names) if numbers.ndim == 0 else names


def count_all_hands(num_cards: int) -> Ints:
    """Return how many hands of `num_cards` cards have each strength, (7462,).

    Parameters
    ----------
    num_cards : int
        5 (2,598,960 hands), 6 (20,358,520 hands) or 7 (133,784,560 hands).

    Examples
    --------
    >>> int(count_all_hands(5)[-1])  # royal flushes
    4
    """
    if num_cards not in (5, 6, 7):
        raise SettingError(f"hands of {num_cards} cards are not counted here; ask for 5, 6 or 7.")
    counts = np.zeros(NUM_STRENGTHS, np.int64)
    add_hands(NUM_CARDS, num_cards, counts)
    return counts


@inlined
def flush_strength(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of a hand that holds a flush, from its key and bits."""
    told = key >> COUNTERS + COUNTER_BITS - 1  # no branch, which would often be mispredicted
    suit = told >> COUNTER_BITS & 1
    suit += 2 * (told >> 2 * COUNTER_BITS & 1) + 3 * (told >> 3 * COUNTER_BITS & 1)
    return np.int64(FLUSH[bits >> MASK_BITS * suit & RANKS_OF_SUIT])


@inlined
def place_of_five(key: np.int64) -> np.uint64:
    """Return where the strength of five cards without a flush stands among `STRENGTHS_5`."""
    return np.uint64(np.int64(OFFSETS_5[key & ROW]) + (key >> COLUMNS))


@inlined
def strength_of_five(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of five cards from the sums of their keys and of their bits."""
    if key & FLUSHES:
        return flush_strength(key, bits)
    return np.int64(STRENGTHS_5[place_of_five(key)])


@inlined
def strength_of_six(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of six cards from the sums of their keys and of their bits."""
    if key & FLUSHES:
        return flush_strength(key, bits)
    return np.int64(STRENGTHS_6[np.uint64(np.int64(OFFSETS_6[key & ROW]) + (key >> COLUMNS))])


@inlined
def strength_of_seven(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of seven cards from the sums of their keys and of their bits."""
    if key & FLUSHES:
        return flush_strength(key, bits)
    return np.int64(STRENGTHS_7[np.uint64(np.int64(OFFSETS_7[key & ROW]) + (key >> COLUMNS))])


@inlined
def key_and_bits(cards: Cards, begin: int, end: int) -> tuple[np.int64, np.int64]:
    """Return the sums of the keys and of the bits of `cards[begin:end]`."""
    key = bits = np.int64(0)
    for place in range(begin, end):
        key += CARD_KEYS[cards[place]]
        bits += CARD_BITS[cards[place]]
    return key, bits


@inlined
def strength_with(key: np.int64, bits: np.int64, first: np.uint8, second: np.uint8) -> np.int64:
    """Return the strength of two hole cards with a board of this key and these bits."""
    return strength_of_seven(
        key + CARD_KEYS[first] + CARD_KEYS[second], bits + CARD_BITS[first] + CARD_BITS[second]
    )


@inlined
def hand_strength(cards: Cards) -> np.int64:
    """Return the strength of the first seven cards of an array."""
    key = bits = np.int64(0)
    for place in range(7):
        key += CARD_KEYS[cards[place]]
    if key & FLUSHES:
        for place in range(7):
            bits += CARD_BITS[cards[place]]
    return strength_of_seven(key, bits)


@kernel
def fill_strengths(hands: Cards, out_strengths: NDArray[np.int64]) -> None:
    """Write the strength of each row of five, six or seven cards."""
    if hands.shape[1] == 7:
        for row in range(hands.shape[0]):
            out_strengths[row] = hand_strength(hands[row])
        return
    for row in range(hands.shape[0]):
        key, bits = key_and_bits(hands[row], 0, hands.shape[1])
        if hands.shape[1] == 6:
            out_strengths[row] = strength_of_six(key, bits)
        else:
            out_strengths[row] = strength_of_five(key, bits)


@kernel
def add_hands(num_cards: int, size: int, out_counts: Ints) -> None:
    """Add one at the strength of each hand of `size` of the first `num_cards` cards."""
    for a in range(num_cards):
        for b in range(a):
            for c in range(b):
                key_3 = CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                bits_3 = CARD_BITS[a] + CARD_BITS[b] + CARD_BITS[c]
                for d in range(c):
                    for e in range(d):
                        key_5 = key_3 + CARD_KEYS[d] + CARD_KEYS[e]
                        bits_5 = bits_3 + CARD_BITS[d] + CARD_BITS[e]
                        if size == 5:
                            out_counts[strength_of_five(key_5, bits_5)] += 1
                            continue
                        for f in range(e):
                            key_6, bits_6 = key_5 + CARD_KEYS[f], bits_5 + CARD_BITS[f]
                            if size == 6:
                                out_counts[strength_of_six(key_6, bits_6)] += 1
                                continue
                            for g in range(f):
                                key, bits = key_6 + CARD_KEYS[g], bits_6 + CARD_BITS[g]
                                out_counts[strength_of_seven(key, bits)] += 1


NUM_LOW, NUM_HIGH = 128, 64
"""Strengths have 13 bits: many are sorted by the low seven, then by the high six."""
NUM_ENDS = NUM_LOW + NUM_HIGH
FEW = 24
"""Up to this many are sorted by insertion."""

Small = NDArray[np.int32]


@inlined
def sort_by_strength(things: Small, size: int, bits: int, room: Small, ends: Small) -> None:
    """Sort the first `size` things so that those of lower strength come first.

    A thing is a strength, 0 to 8191, times 2**bits, plus the number of what has it. `room` is as
    large as `things`, `ends` has 192 places: how many things have each value of the low bits and of
    the high bits, then where the next of them goes. Both are overwritten.
    """
    if size <= FEW:
        insert(things, size)
        return
    for value in range(NUM_ENDS):
        ends[value] = 0
    for place in range(size):
        strength = things[place] >> bits
        ends[strength % NUM_LOW] += 1
        ends[NUM_LOW + strength // NUM_LOW] += 1
    low = high = np.int32(0)
    for value in range(NUM_LOW):
        low, ends[value] = low + ends[value], low
    for value in range(NUM_LOW, NUM_ENDS):
        high, ends[value] = high + ends[value], high
    for place in range(size):
        value = (things[place] >> bits) % NUM_LOW
        room[ends[value]] = things[place]
        ends[value] += 1
    for place in range(size):
        value = NUM_LOW + (room[place] >> bits) // NUM_LOW
        things[ends[value]] = room[place]
        ends[value] += 1


@inlined
def insert(things: Small, size: int) -> None:
    """Sort a few things by putting each where it belongs among those before."""
    for place in range(1, size):
        moved = things[place]
        while place > 0 and things[place - 1] > moved:
            things[place] = things[place - 1]
            place -= 1
        things[place] = moved
