"""What hands are worth against one random hand, street by street: counted, or estimated from deals.

How to read it. Before the flop, on the flop and on the turn hands stand in tables, a row for each
canonical board, its streets forgotten, and a column for each holding; a board that is like others
is met once. On the river there is a row for each kind of board that is worth the same to all
hands, and a column for each class of hole cards (`pokerlab.holdem.equity`).

A win counts two halves and a tie one, so that all is whole numbers.

The paper's win probabilities were estimated from so many random deals for each hand. A random deal that
follows a hand is won, tied or lost with chances that are known exactly. So instead of dealing cards and
comparing hands, each deal's outcome is drawn by these chances: the estimates are distributed as if the
cards had been dealt, in a small part of the time. Hands that differ by the names of suits alone share
their deals; on the river, hands of the same class on the same kind of board do, which are worth the same.

It is also counted how hands move from bucket to bucket, and how buckets fare at the showdown. Boards whose streets
are forgotten are met once for all that are alike. Any of a board's cards may have come last: taking one off gives a
board of the street before, on which the same hand had another name and another bucket. At the showdown the classes of
hole cards on a kind of board are sorted by strength and swept from the weakest; for each bucket the number of hands
swept so far is known, in all and with a given card of each type, and what shares a card with a hand is taken off.

A hand that shares a card with the board has a bucket of its own behind the others.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, SettingError, kernel
from pokerlab.core.random_numbers import key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    HOLDS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_SUITS,
    RENAMED,
    RIVER,
    WHEN,
    Cards,
    canonical_boards,
    canonical_boards_of,
    hand_classes,
)
from pokerlab.holdem.equity import (
    FIRST,
    NUM_CLASSES,
    NUM_COMPARISONS,
    NUM_PLAIN,
    NUM_SUITED,
    NUM_TYPES,
    SQUARE,
    STRENGTH,
    TIES,
    TIES_OF,
    TYPE,
    RiverWorkspace,
    add_to_holdings,
    class_of,
    equity_table,
    find_classes,
    flush_suit,
    pairs_of,
    river_row,
    river_table,
    river_workspace,
    split_counts,
)
from pokerlab.holdem.hand_rankings import RANK_KEYS, fold_rows, sort_by_strength

Halves: TypeAlias = NDArray[np.uint32]

ROWS_AT_ONCE = 2048
PAPER_SAMPLES = (4_000_000, 100, 100, 10)
"""Deals for each hand before the flop, on flop, turn and river, as the paper says."""


class ExactExpectations:
    """Win probabilities counted over all opponents' hands and all boards to come."""

    source = "exact"  # what to call the way in which they are found

    def most(self, street: int) -> int:
        """Return the halves of a hand that wins every time."""
        return 2 * NUM_COMPARISONS[BOARD_SIZES[street]]

    def halves(self, street: int, which: Ints) -> Ints:
        """Return the halves won by each hand in these rows of a street's table, (n, 1326) or (n, 351).

        Without meaning where a holding shares a card with the board.
        """
        wins, ties = comparisons_on(street, which)
        return 2 * wins + ties


def comparisons_on(street: int, which: Ints) -> tuple[Ints, Ints]:
    """Return the wins and the ties of all hands in these rows of a street's table."""
    if street == RIVER:
        return split_counts(river_table()[rivers().row[which]], TIES)
    cards = BOARD_SIZES[street]
    return split_counts(equity_table(cards)[which], TIES_OF[cards])


@cache
def boards_of(street: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of a street, and how many each stands for."""
    if street == 0:
        return np.empty((1, 0), np.uint8), np.ones(1, np.int64)
    return canonical_boards(BOARD_SIZES[street])


def blocked(boards: Cards) -> NDArray[np.bool_]:
    """Return whether a holding shares a card with a board: (n, k) to (n, 1326)."""
    return np.asarray(HOLDS[boards].any(axis=1))


class Rivers(NamedTuple):
    """The kinds of rivers: boards of one kind are worth the same to all hands."""

    board: Cards  # (42783, 5): one of each kind
    times: Ints  # (42783,): how many boards are of the kind
    row: Ints  # (42783,): its row in the river table
    kind: Ints  # by row of the river table; 0 where it is not used
    hands: Ints  # (42783, 351): how many hands are in each class


@cache
def rivers() -> Rivers:
    """Return the kinds of rivers."""
    boards, multiplicities = boards_of(RIVER)
    rows = np.empty(len(boards), np.int64)
    fill_river_rows(boards, rows)
    row, which, kind = np.unique(rows, return_index=True, return_inverse=True)
    times = np.zeros(len(row), np.int64)
    np.add.at(times, kind, multiplicities)
    kind_of_row = np.zeros(NUM_PLAIN + NUM_SUITED, np.int64)
    kind_of_row[row] = np.arange(len(row))
    hands = np.zeros((len(row), NUM_CLASSES), np.int64)
    fill_class_sizes(boards[which], river_workspace(), hands)
    return Rivers(boards[which], times, row, kind_of_row, hands)


@kernel
def fill_river_rows(boards: Cards, out_rows: Ints) -> None:
    """Write the row of the river table that each board has."""
    for number in range(boards.shape[0]):
        out_rows[number] = river_row(boards[number], flush_suit(boards[number]))


@kernel
def fill_class_sizes(boards: Cards, work: RiverWorkspace, out_hands: Ints) -> None:
    """Write how many hands are in each class that a board leaves possible."""
    left = work.cards_left
    for number in range(boards.shape[0]):
        num_classes = find_classes(boards[number], flush_suit(boards[number]), work)
        for place in range(num_classes):
            one, two = work.classes[place] >> FIRST & TYPE, work.classes[place] & TYPE
            out_hands[number, class_of(one, two)] = pairs_of(left, one, two)


def pieces(street: int) -> Iterator[Ints]:
    """Yield the rows of a street's table, some at a time."""
    rows = rivers().row if street == RIVER else boards_of(street)[1]
    for first in range(0, len(rows), ROWS_AT_ONCE):
        yield np.arange(first, min(first + ROWS_AT_ONCE, len(rows)))


def hands_of(street: int, which: Ints) -> Ints:
    """Return how many hands each place in these rows of a street's table stands for."""
    if street == RIVER:
        return rivers().hands[which] * rivers().times[which, None]
    boards, multiplicities = boards_of(street)
    return np.where(blocked(boards[which]), 0, multiplicities[which, None])


class SampledExpectations:
    """Win probabilities estimated from so many random deals for each hand on the four streets."""

    def __init__(self, samples: Sequence[int], seed: int) -> None:
        given = tuple(samples) if np.ndim(samples) else (samples,)
        self.samples = tuple(whole("samples", number, 1, LARGEST_COUNT) for number in given)
        if len(self.samples) != len(WHEN):
            raise SettingError(
                f"samples are {samples}; give four positive numbers of deals: {', '.join(WHEN)}."
            )
        self.seed = seed
        numbers = ", ".join(f"{number:,}" for number in self.samples)
        self.source = f"sampled from {numbers} deals a hand, seed {seed}"

    def most(self, street: int) -> int:
        """Return the halves of a hand that wins every time."""
        return 2 * self.samples[street]

    def halves(self, street: int, which: Ints) -> Ints:
        """Return the halves won by each hand in these rows of a street's table, (n, 1326) or (n, 351)."""
        wins, ties = comparisons_on(street, which)
        row, column = possible = np.nonzero(hands_of(street, which))
        numbers = hand_numbers(street, which[row], column)
        different, first, again = np.unique(numbers, return_index=True, return_inverse=True)
        won = self.drawn(street, different, wins[possible][first], ties[possible][first])
        halves = np.zeros_like(wins)
        halves[possible] = won[again]
        return halves

    def drawn(self, street: int, hands: Ints, wins: Ints, ties: Ints) -> Ints:
        """Return the halves won in random deals by hands that win and tie so often of all."""
        num_comparisons = NUM_COMPARISONS[BOARD_SIZES[street]]
        to_win, to_tie = (
            np.round(count / num_comparisons * 2.0**32).astype(np.uint64)
            for count in (wins, wins + ties)
        )
        halves = np.empty(len(hands), np.int64)
        key = key_of(self.seed, "rollouts", street)
        fill_halves(key, hands, to_win, to_tie, self.samples[street], halves)
        return halves


Expectations: TypeAlias = ExactExpectations | SampledExpectations


def all_halves(expectations: Expectations, street: int) -> Halves:
    """Return the halves won by all hands of a street, a row for each board or kind of river."""
    found = [expectations.halves(street, which).astype(np.uint32) for which in pieces(street)]
    return np.concatenate(found)


def hand_numbers(street: int, row: Ints, column: Ints) -> Ints:
    """Return by which number hands at these places of a street's table draw their luck, (n,)."""
    if street == RIVER:
        return river_numbers()[row] * NUM_CLASSES + column
    cards = np.concatenate([HOLDINGS[column], boards_of(street)[0][row]], axis=1)
    return np.asarray(hand_classes(2, BOARD_SIZES[street]).index(cards))


@cache
def river_numbers() -> Ints:
    """Return by which number each kind of river draws its luck, (42783,), however strengths are packed.

    Plain boards come first, in the order that recordings have: their sums of rank keys, folded by the lowest 13 bits.
    """
    found = rivers()
    plain = found.row < NUM_PLAIN
    keys = np.array(RANK_KEYS)[found.board[plain] // NUM_SUITS].sum(axis=1)
    rows, columns = keys & 8191, keys >> 13
    offsets, _ = fold_rows(rows, columns, columns)
    numbers = np.arange(len(plain))
    numbers[np.argsort(offsets[rows] + columns)] = np.arange(plain.sum())
    return numbers


@kernel
def fill_halves(
    key: np.uint64,
    hands: Ints,
    to_win: NDArray[np.uint64],
    to_tie: NDArray[np.uint64],
    num_deals: int,
    out_halves: Ints,
) -> None:
    """Draw deals and write how many halves each hand wins, (n,).

    Hand number h has the stream of its number at h in that of `key`. A number of it decides two deals, by 32 bits
    each: a deal is won if they are below `to_win`, (n,), and not lost if they are below `to_tie`.
    """
    low, shift = np.uint64(2**32 - 1), np.uint64(32)
    for place in range(hands.size):
        of_hand = number_at(key, hands[place])
        win, tie = to_win[place], to_tie[place]
        halves = 0
        for pair in range(num_deals // 2):
            bits = number_at(of_hand, pair)
            one, two = bits & low, bits >> shift
            halves += (one < win) + (one < tie) + (two < win) + (two < tie)
        if num_deals % 2:
            bits = number_at(of_hand, num_deals // 2) & low
            halves += (bits < win) + (bits < tie)
        out_halves[place] = halves


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
