"""The tables behind the strength of a hand, made from the rules of poker.

How to read it. `order_of_five` is the rule book: it says what five cards are worth, as a tuple to
compare. All else is numbering: the 7,462 values are numbered upwards, six and seven cards have
the best value that is left when one is taken away, and each hand's number is put where a sum
of card constants finds it.

The sum of their constants in `RANK_KEYS` identifies a hand's ranks. All 49,205 sums of seven ranks,
at most four of a kind, are distinct, and so are those of six and of five. They reach up to
7,825,759, far too wide for a table; so they are folded (row displacement): the constants' low bits
add up to a row, their high bits to a column, and the rows lie over each other at offsets where no
two hands collide.
"""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.holdem.cards.deck import NUM_RANKS

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
