"""Count how hands move from bucket to bucket, and how buckets fare at the showdown.

How to read it. Boards whose streets are forgotten are met once for all that are alike. Any of a board's cards may
have come last: taking one off gives a board of the street before, on which the same hand had another name and another
bucket. At the showdown the classes of hole cards on a kind of board are sorted by strength and swept from the
weakest; for each bucket the number of hands swept so far is known, in all and with a given card of each type, and
what shares a card with a hand is taken off.

A hand that shares a card with the board has a bucket of its own behind the others.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, kernel
from pokerlab.holdem.abstraction.expectations import ROWS_AT_ONCE, boards_of, rivers
from pokerlab.holdem.cards.deck import NUM_CARDS, NUM_HOLDINGS, RIVER, Cards
from pokerlab.holdem.cards.suits import RENAMED, canonical_boards_of
from pokerlab.holdem.equity.river import (
    FIRST,
    NUM_TYPES,
    SQUARE,
    STRENGTH,
    TYPE,
    RiverWorkspace,
    add_to_holdings,
    class_of,
    find_classes,
    flush_suit,
    pairs_of,
    river_row,
    river_workspace,
)
from pokerlab.holdem.strength.evaluation import sort_by_strength

Labels: TypeAlias = NDArray[np.uint8]


class Before(NamedTuple):
    """The boards that boards may have come from, as the canonical ones that they are like."""

    boards: Ints  # (n, k): numbers of canonical boards
    renamings: Ints  # (n, k): rows of `RENAMED`


def boards_before(boards: Cards) -> Before:
    """Return what boards may have been a street ago: any of their cards may have come last."""
    num_boards, size = boards.shape
    if size == 3:
        return Before(np.zeros((num_boards, 1), np.int64), np.zeros((num_boards, 1), np.int64))
    left = np.array([[c for c in range(size) if c != last] for last in range(size)])
    classes, renamings = canonical_boards_of(boards[:, left].reshape(-1, size - 1))
    return Before(classes.reshape(-1, size), renamings.reshape(-1, size))


def count_steps(labels: list[Labels], street: int, counts: tuple[int, ...]) -> Ints:
    """Count how often hands move from bucket to bucket when a street's cards come, (B_{r-1}, B_r)."""
    boards, multiplicities = boards_of(street)
    steps = np.zeros((counts[street - 1] + 1, counts[street] + 1), np.int64)
    for first in range(0, len(boards), ROWS_AT_ONCE):
        some = slice(first, first + ROWS_AT_ONCE)
        before = boards_before(boards[some])
        after = labels[street][some]
        if street == RIVER:
            after = river_labels(labels[RIVER], boards[some], counts[RIVER])
        previous, times = labels[street - 1], multiplicities[some]
        add_steps(previous, before.boards, before.renamings, RENAMED, after, times, steps)
    return steps[:-1, :-1]


@kernel
def add_steps(
    before: Labels,
    boards: Ints,
    renamings: Ints,
    renamed: NDArray[np.uint16],
    after: Labels,
    times: Ints,
    out_counts: Ints,
) -> None:
    """Count the steps of hands from buckets to buckets of the next street, (B_r + 1, B_{r+1} + 1).

    Buckets `before`, (N, 1326), are on the canonical boards of a street earlier; those `after`, (n, 1326), on boards
    that count so many `times`, (n,), and came from `boards`, (n, k), with suits as the `renamings` say.
    """
    counts = np.empty_like(out_counts)
    before_end, after_end = out_counts.shape
    for row in range(after.shape[0]):
        counts[:] = 0
        of_hand = after[row]
        for way in range(boards.shape[1]):
            of_board, as_there = before[boards[row, way]], renamed[renamings[row, way]]
            for place in range(NUM_HOLDINGS):
                counts[of_board[as_there[place]], of_hand[place]] += 1
        for one in range(before_end):
            for two in range(after_end):
                out_counts[one, two] += times[row] * counts[one, two]


def river_labels(of_class: Labels, boards: Cards, nowhere: int) -> Labels:
    """Return the bucket of each holding on each board of five, shape (n, 1326)."""
    labels = np.zeros((len(boards), NUM_HOLDINGS), np.uint8)
    fill_river_labels(of_class, rivers().kind, boards, nowhere, labels)
    return labels


@kernel
def fill_river_labels(
    of_class: Labels, kinds: Ints, boards: Cards, nowhere: int, out_labels: Labels
) -> None:
    """Add the bucket of each holding on each board of five, (n, 1326), `nowhere` if they share a card.

    Buckets `of_class`, (42783, 351), are by the kind of board, `Rivers.kind`, and the class of hole cards.
    """
    square = np.full(SQUARE, np.uint8(nowhere))
    types = np.empty(NUM_CARDS, np.int64)
    for number in range(boards.shape[0]):
        suit = flush_suit(boards[number])
        row = kinds[river_row(boards[number], suit)]
        add_to_holdings(boards[number], suit, of_class[row], types, square, out_labels[number])


def showdown_shares(river: Labels, count: int) -> Floats:
    """Return the share of the pot that each bucket on the river has against each, (B_3, B_3).

    Two buckets that never meet share as if the higher won.
    """
    kinds = rivers()
    won, met = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    add_showdowns(kinds.board, river, kinds.times, river_workspace(), won, met)
    rank = np.arange(count)
    never = (1 + np.sign(rank[:, None] - rank)) / 2
    # Halves of pots: won, and half of what neither won.
    return np.where(met > 0, (met + won - won.T) / np.maximum(2 * met, 1), never)


@kernel
def add_showdowns(
    boards: Cards, of_class: Labels, times: Ints, work: RiverWorkspace, out_won: Ints, out_met: Ints
) -> None:
    """Count the pairs of hands, own bucket in rows, in which the own hand is stronger, and all pairs: (B_3, B_3).

    Boards, (n, 5), count so many `times`, (n,); `of_class`, (n, 351), has the buckets by class of hole cards.
    """
    num_buckets = out_won.shape[0]
    left, classes = work.cards_left, work.classes
    swept = np.empty(num_buckets, np.int64)
    with_type = np.empty((NUM_TYPES, num_buckets), np.int64)
    for row in range(boards.shape[0]):
        size = find_classes(boards[row], flush_suit(boards[row]), work)
        sort_by_strength(classes, size, STRENGTH, work.room, work.ends)
        swept[:] = 0
        with_type[:] = 0
        begin = 0
        while begin < size:
            end, strength = begin, classes[begin] >> STRENGTH
            while end < size and classes[end] >> STRENGTH == strength:
                one, two = classes[end] >> FIRST & TYPE, classes[end] & TYPE
                own = of_class[row, class_of(one, two)]
                often = times[row] * pairs_of(left, one, two)
                for bucket in range(num_buckets):
                    below = swept[bucket] - with_type[one, bucket] - with_type[two, bucket]
                    out_won[own, bucket] += often * below
                end += 1
            for place in range(begin, end):
                one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
                bucket = of_class[row, class_of(one, two)]
                swept[bucket] += pairs_of(left, one, two)
                with_type[one, bucket] += left[two] - (one == two)
                if one != two:
                    with_type[two, bucket] += left[one]
            begin = end
        for place in range(size):
            one, two = classes[place] >> FIRST & TYPE, classes[place] & TYPE
            own = of_class[row, class_of(one, two)]
            often = times[row] * pairs_of(left, one, two)
            for bucket in range(num_buckets):
                met = swept[bucket] - with_type[one, bucket] - with_type[two, bucket]
                out_met[own, bucket] += often * met
            # The hand itself was taken off with either card.
            out_met[own, own] += often
