"""Counts of all hands' winnings against one random hand, and of the moves of hands between buckets.

The *table of a street* has a row for each canonical board and a column for each holding before the flop, on the flop
and on the turn. On the river it has a row for each *kind of river*, which are boards on which all hands have the same
equity, and a column for each class of hole cards (`pokerlab.holdem.equity_tables`). Equivalent boards are computed once
and counted with their number.

Winnings are counted in *half pots*, two for a win and one for a tie, so that all numbers are whole. They are exact, or
estimated from random deals as in Samothrakis & Lucas (2011). The probabilities that a hand wins, ties or loses a random
deal are known exactly. So cards are not dealt, but the outcome of each deal is drawn with these probabilities. The
estimates have the same distribution as if cards had been dealt, in a small part of the time. Hands that differ only by
a renaming of suits have the same deals, and so have hands of the same class on the same kind of river.

The *label* of a hand is the number of its bucket. Given all labels, transitions and showdowns are counted. Any card of
a board may have come last. Without this card, the board is one of the street before, on which the hand has another
bucket. For showdowns, the classes of hole cards on a kind of river are sorted by strength, and visited from the weakest
to the strongest. For each bucket two numbers are updated: the number of hands visited so far, and the number of those
that hold a given card of each type. With the second number, hands that share a card with the player's own are
subtracted.

A hand that shares a card with the board has the label after that of the last bucket. B_r is the number of buckets on
street r.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, SettingError, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    HOLDS_CARD,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_SUITS,
    RIVER,
    STREET_PHRASES,
    Cards,
    KernelInt,
)
from pokerlab.holdem.equity import NUM_COMPARISONS
from pokerlab.holdem.equity_tables import (
    NUM_PLAIN_ROWS,
    NUM_SUITED_ROWS,
    TIE_SHIFTS,
    find_river_row,
    load_equity_table,
    load_river_table,
    unpack_counts,
)
from pokerlab.holdem.hand_classes import (
    RENAMED_HOLDINGS,
    build_hand_classes,
    find_canonical_boards,
    list_canonical_boards,
)
from pokerlab.holdem.hand_rankings import RANK_KEYS, Int32s, overlay_sparse_rows, sort_by_strength
from pokerlab.holdem.river_comparisons import (
    NUM_CARD_TYPES,
    NUM_TYPE_PAIRS,
    STRENGTH_SHIFT,
    TIE_SHIFT,
    TYPE_SQUARE,
    RiverWorkspace,
    add_type_pair_values_to_holdings,
    allocate_river_workspace,
    count_holdings_of_types,
    decode_type_pair,
    fill_possible_type_pairs,
    find_flush_suit,
    index_type_pair,
)

HalfPots: TypeAlias = NDArray[np.uint32]

ROWS_AT_ONCE = 2048
FORMER_ROW_BITS = 13
"""The number of bits of a sum of rank keys that were the row in an earlier layout of the tables of strengths."""
PAPER_SAMPLES = (4_000_000, 100, 100, 10)
"""The numbers of deals for each hand before the flop, on the flop, on the turn and on the river, in Samothrakis & Lucas
(2011), section 4.2."""


class ExactExpectations:
    """Win probabilities counted over all opponents' hands and all boards to come.

    Attributes
    ----------
    source : str
        The name of the method, for buckets and their files.
    """

    source = "exact"  # the name of the method, for buckets and their files

    def count_half_pots_of_sure_win(self, street: int) -> int:
        """Return the number of half pots of a hand that always wins, on a street from 0 to 3."""
        return 2 * NUM_COMPARISONS[BOARD_SIZES[street]]

    def count_half_pots(self, street: int, rows: Ints) -> Ints:
        """Return the number of half pots that each hand wins, in n rows of a street's table.

        Returns
        -------
        ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
            The number is meaningless for a holding that shares a card with the board.
        """
        wins, ties = load_win_and_tie_counts(street, rows)
        return 2 * wins + ties


def load_win_and_tie_counts(street: int, rows: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of comparisons that each hand wins and ties, in some rows of a street's table.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    rows : ndarray of int64, shape (n,)
        The indices of n rows: canonical boards or, on the river, kinds of rivers.

    Returns
    -------
    wins, ties : ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
        A column for each holding or, on the river, for each class of hole cards.
    """
    if street == RIVER:
        return unpack_counts(load_river_table()[find_river_kinds().table_rows[rows]], TIE_SHIFT)
    num_cards = BOARD_SIZES[street]
    return unpack_counts(load_equity_table(num_cards)[rows], TIE_SHIFTS[num_cards])


@cache
def list_street_boards(street: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of a street, and the number of boards that are equivalent to each.

    Returns
    -------
    boards : ndarray of uint8, shape (n, k)
        The n canonical boards of k cards; before the flop the one empty board.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that are equivalent to each.
    """
    if street == 0:
        return np.empty((1, 0), np.uint8), np.ones(1, np.int64)
    return list_canonical_boards(BOARD_SIZES[street])


def find_holdings_sharing_card(boards: Cards) -> NDArray[np.bool_]:
    """Return whether each holding shares a card with each board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, k)
        n boards of k cards.

    Returns
    -------
    ndarray of bool, shape (n, 1326)
    """
    return np.asarray(HOLDS_CARD[boards].any(axis=1))


class RiverKinds(NamedTuple):
    """The K = 42,783 kinds of rivers: on boards of one kind all hands have the same equity.

    Attributes
    ----------
    boards : ndarray of uint8, shape (K, 5)
        One board of each kind.
    multiplicities : ndarray of int64, shape (K,)
        The number of boards of each kind.
    table_rows : ndarray of int64, shape (K,)
        The row of the kind in the river table.
    kind_of_row : ndarray of int64, shape (rows,)
        The kind of each row of the river table, or 0 for unused rows.
    class_sizes : ndarray of int64, shape (K, 351)
        The number of hands in each class of hole cards.
    """

    boards: Cards
    multiplicities: Ints
    table_rows: Ints
    kind_of_row: Ints
    class_sizes: Ints


@cache
def find_river_kinds() -> RiverKinds:
    """Return the kinds of rivers, with one board of each kind and the number of its boards."""
    boards, multiplicities = list_street_boards(RIVER)
    row_of_board = np.empty(len(boards), np.int64)
    fill_river_row_indices(boards, row_of_board)

    # Boards with the same row of the river table are of the same kind.
    table_rows, first_index_of_kind, kind_of_board = np.unique(
        row_of_board, return_index=True, return_inverse=True
    )
    num_kinds = len(table_rows)
    multiplicities_of_kinds = np.zeros(num_kinds, np.int64)
    np.add.at(multiplicities_of_kinds, kind_of_board, multiplicities)
    kind_of_row = np.zeros(NUM_PLAIN_ROWS + NUM_SUITED_ROWS, np.int64)
    kind_of_row[table_rows] = np.arange(num_kinds)

    boards_of_kinds = boards[first_index_of_kind]
    class_sizes = np.zeros((num_kinds, NUM_TYPE_PAIRS), np.int64)
    fill_class_sizes(boards_of_kinds, allocate_river_workspace(), class_sizes)
    return RiverKinds(
        boards_of_kinds, multiplicities_of_kinds, table_rows, kind_of_row, class_sizes
    )


@kernel
def fill_river_row_indices(boards: Cards, out_rows: Ints) -> None:
    """Write the index of the row of the river table that each board has.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    out_rows : ndarray of int64, shape (n,)
        Overwritten.
    """
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        out_rows[board_index] = find_river_row(board, find_flush_suit(board))


@kernel
def fill_class_sizes(boards: Cards, work: RiverWorkspace, out_hands: Ints) -> None:
    """Write the number of hands in each class of hole cards that is possible on a board, for each of n boards.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    work : RiverWorkspace
        Overwritten.
    out_hands : ndarray of int64, shape (n, 351)
        Overwritten for the classes that are possible; the other entries are not changed.
    """
    cards_left = work.cards_left
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        num_classes = fill_possible_type_pairs(board, find_flush_suit(board), work)
        for place in range(num_classes):
            first_type, second_type = decode_type_pair(work.type_pairs[place])
            class_index = index_type_pair(first_type, second_type)
            out_hands[board_index, class_index] = count_holdings_of_types(
                cards_left, first_type, second_type
            )


def iterate_row_blocks(street: int) -> Iterator[Ints]:
    """Yield the indices of the rows of a street's table, at most ROWS_AT_ONCE at a time."""
    num_rows = len(
        find_river_kinds().table_rows if street == RIVER else list_street_boards(street)[1]
    )
    for first in range(0, num_rows, ROWS_AT_ONCE):
        yield np.arange(first, min(first + ROWS_AT_ONCE, num_rows))


def count_hands(street: int, rows: Ints) -> Ints:
    """Return the number of hands that each entry of a street's table stands for, in n rows of the table.

    Hole cards on equivalent boards are counted together.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    rows : ndarray of int64, shape (n,)
        The indices of n rows.

    Returns
    -------
    ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
        The numbers of hands; 0 for a holding that shares a card with the board.
    """
    if street == RIVER:
        kinds = find_river_kinds()
        return kinds.class_sizes[rows] * kinds.multiplicities[rows, None]
    boards, multiplicities = list_street_boards(street)
    is_impossible = find_holdings_sharing_card(boards[rows])
    return np.where(is_impossible, 0, multiplicities[rows, None])


class SampledExpectations:
    """Win probabilities estimated from random deals.

    Parameters
    ----------
    samples : sequence of 4 int
        The numbers of random deals for each hand before the flop, on the flop, on the turn and on the river.
    seed : int
        The seed of the deals.
    """

    def __init__(self, samples: Sequence[int], seed: int) -> None:
        sample_sizes = tuple(samples) if np.ndim(samples) else (samples,)
        self.samples = tuple(
            validate_integer("samples", number, 1, LARGEST_COUNT) for number in sample_sizes
        )
        if len(self.samples) != len(STREET_PHRASES):
            raise SettingError(
                f"samples are {samples}; give four positive numbers of deals: {', '.join(STREET_PHRASES)}."
            )
        self.seed = seed
        numbers = ", ".join(f"{number:,}" for number in self.samples)
        self.source = f"sampled from {numbers} deals a hand, seed {seed}"

    def count_half_pots_of_sure_win(self, street: int) -> int:
        """Return the number of half pots of a hand that wins all its random deals, on a street from 0 to 3."""
        return 2 * self.samples[street]

    def count_half_pots(self, street: int, rows: Ints) -> Ints:
        """Return the number of half pots that each hand wins in its random deals, in n rows of a street's table.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        rows : ndarray of int64, shape (n,)
            The indices of n rows.

        Returns
        -------
        ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
            The numbers of half pots; 0 for a holding that shares a card with the board.
        """
        wins, ties = load_win_and_tie_counts(street, rows)
        possible = np.nonzero(count_hands(street, rows))
        row, column = possible

        # Equivalent hands have the same random stream, and are drawn once.
        streams = find_hand_stream_indices(street, rows[row], column)
        different, first, inverse = np.unique(streams, return_index=True, return_inverse=True)
        won = self.draw_half_pots(street, different, wins[possible][first], ties[possible][first])
        half_pots = np.zeros_like(wins)
        half_pots[possible] = won[inverse]
        return half_pots

    def draw_half_pots(self, street: int, hands: Ints, wins: Ints, ties: Ints) -> Ints:
        """Return the numbers of half pots that hands win in random deals.

        The outcome of each deal is drawn with the exact probabilities of a win, a tie and a loss.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        hands : ndarray of int64, shape (n,)
            The indices of the hands' random streams.
        wins, ties : ndarray of int64, shape (n,)
            The number of all comparisons that each hand wins, and the number that it ties.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        num_comparisons = NUM_COMPARISONS[BOARD_SIZES[street]]
        # A deal is decided by a random number of 32 bits, so probabilities are multiplied by 2**32.
        win_below, tie_below = (
            np.round(count / num_comparisons * 2.0**32).astype(np.uint64)
            for count in (wins, wins + ties)
        )
        half_pots = np.empty(len(hands), np.int64)
        key = draw_stream_key(self.seed, "rollouts", street)
        fill_random_half_pots(key, hands, win_below, tie_below, self.samples[street], half_pots)
        return half_pots


Expectations: TypeAlias = ExactExpectations | SampledExpectations


def count_all_half_pots(expectations: Expectations, street: int) -> HalfPots:
    """Return the table of half pots of a street: the number of half pots that each of its hands wins.

    Parameters
    ----------
    expectations : Expectations
        The exact or sampled win probabilities.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Returns
    -------
    ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
    """
    parts = []
    for rows in iterate_row_blocks(street):
        parts.append(expectations.count_half_pots(street, rows).astype(np.uint32))
    return np.concatenate(parts)


def find_hand_stream_indices(street: int, row: Ints, column: Ints) -> Ints:
    """Return the index of the random stream of each of n hands. Equivalent hands have the same stream.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    row, column : ndarray of int64, shape (n,)
        The row and the column of each hand in the table of the street.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    if street == RIVER:
        return find_river_stream_indices()[row] * NUM_TYPE_PAIRS + column
    cards = np.concatenate([HOLDINGS[column], list_street_boards(street)[0][row]], axis=1)
    return np.asarray(build_hand_classes(2, BOARD_SIZES[street]).find_classes(cards))


@cache
def find_river_stream_indices() -> Ints:
    """Return the index of the random stream of each kind of river.

    The indices do not depend on the present layout of the tables of strengths, so that recordings can be repeated.
    Plain boards come first, in the order of an earlier layout: by the places that row displacement gives to their sums
    of rank keys, if the lowest 13 bits of a sum are the row.

    Returns
    -------
    ndarray of int64, shape (42783,)
    """
    kinds = find_river_kinds()
    is_plain = kinds.table_rows < NUM_PLAIN_ROWS
    num_plain = is_plain.sum()
    key_sums = np.array(RANK_KEYS)[kinds.boards[is_plain] // NUM_SUITS].sum(axis=1)

    # Compute the place of each plain board in the earlier layout.
    rows = key_sums & (1 << FORMER_ROW_BITS) - 1
    columns = key_sums >> FORMER_ROW_BITS
    offsets, _ = overlay_sparse_rows(rows, columns, columns)
    former_places = offsets[rows] + columns

    # Plain boards are the first kinds, and are numbered in the order of these places. Suited boards keep their index.
    indices = np.arange(len(is_plain))
    indices[np.argsort(former_places)] = np.arange(num_plain)
    return indices


@kernel
def fill_random_half_pots(
    key: np.uint64,
    hands: Ints,
    win_below: NDArray[np.uint64],
    tie_below: NDArray[np.uint64],
    num_deals: int,
    out_half_pots: Ints,
) -> None:
    """Write how many half pots each hand wins in random deals.

    A random number of 64 bits decides two deals, by 32 bits each. Two comparisons count the half pots of a deal: a win
    is below both limits, and a tie only below the second.

    Parameters
    ----------
    key : uint64
        The key of the random stream that holds the keys of all hands' streams.
    hands : ndarray of int64, shape (n,)
        The index of each hand's stream.
    win_below, tie_below : ndarray of uint64, shape (n,)
        A deal is won if its 32 bits are below the first number, and won or tied if they are below the second.
    num_deals : int
        The number of deals of each hand.
    out_half_pots : ndarray of int64, shape (n,)
        Overwritten.
    """
    low_bits = np.uint64(2**32 - 1)
    shift = np.uint64(32)
    for place in range(hands.size):
        hand_key = compute_random_bits(key, hands[place])
        win, tie = win_below[place], tie_below[place]
        half_pots = 0
        for pair in range(num_deals // 2):
            bits = compute_random_bits(hand_key, pair)
            first_deal = bits & low_bits
            second_deal = bits >> shift
            half_pots += (
                (first_deal < win) + (first_deal < tie) + (second_deal < win) + (second_deal < tie)
            )
        if num_deals % 2:
            last_deal = compute_random_bits(hand_key, num_deals // 2) & low_bits
            half_pots += (last_deal < win) + (last_deal < tie)
        out_half_pots[place] = half_pots


Labels: TypeAlias = NDArray[np.uint8]  # the numbers of buckets


class PreviousBoards(NamedTuple):
    """The boards of the street before from which n boards may have come, k for each, as canonical boards.

    Attributes
    ----------
    boards : ndarray of int64, shape (n, k)
        The indices of the canonical boards.
    renamings : ndarray of int64, shape (n, k)
        The renamings of suits that lead to the canonical boards, as indices of `RENAMED_HOLDINGS`.
    """

    boards: Ints
    renamings: Ints


def find_previous_boards(boards: Cards) -> PreviousBoards:
    """Return the boards of the street before from which given boards may have come, as canonical boards.

    Any card of a board of four or five cards may have come last. A flop comes from the empty board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, k)
        n boards of k cards, 3 to 5.
    """
    num_boards, size = boards.shape
    if size == 3:
        empty_board = np.zeros((num_boards, 1), np.int64)
        no_renaming = np.zeros((num_boards, 1), np.int64)
        return PreviousBoards(empty_board, no_renaming)

    # For each card that may have come last, the indices of the other cards.
    others = np.array([[card for card in range(size) if card != last] for last in range(size)])
    shorter_boards = boards[:, others].reshape(-1, size - 1)
    numbers, renamings = find_canonical_boards(shorter_boards)
    return PreviousBoards(numbers.reshape(-1, size), renamings.reshape(-1, size))


def count_transitions(labels: list[Labels], street: int, counts: tuple[int, ...]) -> Ints:
    """Return how often hands move from each bucket of the street before to each bucket of a street r.

    Parameters
    ----------
    labels : list of ndarray of uint8
        The buckets of all hands, one table for each street.
    street : int
        The street r to which hands move, 1 (flop) to 3 (river).
    counts : tuple of int
        The number of buckets on each street.

    Returns
    -------
    ndarray of int64, shape (B_{r-1}, B_r)
    """
    boards, multiplicities = list_street_boards(street)
    # The last row and column are for holdings that share a card with the board.
    transitions = np.zeros((counts[street - 1] + 1, counts[street] + 1), np.int64)
    for first in range(0, len(boards), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        previous = find_previous_boards(boards[part])
        after = labels[street][part]
        if street == RIVER:
            # The table of the river has a column for each class of hole cards, and not for each holding.
            after = find_buckets_on_rivers(labels[RIVER], boards[part], counts[RIVER])
        add_transitions(
            labels[street - 1],
            previous.boards,
            previous.renamings,
            RENAMED_HOLDINGS,
            after,
            multiplicities[part],
            transitions,
        )
    return transitions[:-1, :-1]


@kernel
def add_transitions(
    before: Labels,
    boards: Ints,
    renamings: Ints,
    renamed_holdings: NDArray[np.uint16],
    after: Labels,
    multiplicities: Ints,
    out_counts: Ints,
) -> None:
    """Add the number of moves of hands from each bucket of a street to each bucket of the next.

    Parameters
    ----------
    before : ndarray of uint8, shape (N, 1326)
        The buckets of holdings on the canonical boards of the first street.
    boards, renamings : ndarray of int64, shape (n, k)
        The `PreviousBoards` of n boards of the next street.
    renamed_holdings : ndarray of uint16, shape (24, 1326)
        `RENAMED_HOLDINGS`.
    after : ndarray of uint8, shape (n, 1326)
        The buckets of holdings on these boards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that are equivalent to each of these boards.
    out_counts : ndarray of int64, shape (B_{r-1} + 1, B_r + 1)
        The moves are added to it. The last row and column are for holdings that share a card with the board.
    """
    counts_on_board = np.empty_like(out_counts)
    num_before, num_after = out_counts.shape
    for row in range(after.shape[0]):
        counts_on_board[:] = 0
        labels_after = after[row]
        for last in range(boards.shape[1]):
            # On the canonical board before the last card, a holding has renamed suits.
            labels_before = before[boards[row, last]]
            renamed = renamed_holdings[renamings[row, last]]
            for holding in range(NUM_HOLDINGS):
                old_bucket = labels_before[renamed[holding]]
                counts_on_board[old_bucket, labels_after[holding]] += 1
        for old in range(num_before):
            for new in range(num_after):
                out_counts[old, new] += multiplicities[row] * counts_on_board[old, new]


def find_buckets_on_rivers(class_labels: Labels, boards: Cards, blocked_label: int) -> Labels:
    """Return the bucket of each holding on boards of five cards.

    Parameters
    ----------
    class_labels : ndarray of uint8, shape (42783, 351)
        The buckets by kind of river and class of hole cards.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    blocked_label : int
        The label of holdings that share a card with the board.

    Returns
    -------
    ndarray of uint8, shape (n, 1326)
    """
    labels = np.zeros((len(boards), NUM_HOLDINGS), np.uint8)
    add_buckets_on_rivers(
        class_labels, find_river_kinds().kind_of_row, boards, blocked_label, labels
    )
    return labels


@kernel
def add_buckets_on_rivers(
    class_labels: Labels, kind_of_row: Ints, boards: Cards, blocked_label: int, out_labels: Labels
) -> None:
    """Add the bucket of each holding on boards of five cards to an array of zeros.

    Parameters
    ----------
    class_labels, boards, blocked_label
        The parameters of `find_buckets_on_rivers`.
    kind_of_row : ndarray of int64, shape (rows,)
        The kind of each row of the river table.
    out_labels : ndarray of uint8, shape (n, 1326)
        The buckets are added to it.
    """
    by_types = np.full(TYPE_SQUARE, np.uint8(blocked_label))
    types = np.empty(NUM_CARDS, np.int64)
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        suit = find_flush_suit(board)
        kind = kind_of_row[find_river_row(board, suit)]
        add_type_pair_values_to_holdings(
            board, suit, class_labels[kind], types, by_types, out_labels[board_index]
        )


def compute_showdown_shares(class_labels: Labels, count: int) -> Floats:
    """Return the share of the pot that each bucket on the river wins against each bucket at the showdown.

    If two buckets never occur on the same board, the higher bucket is assumed to win, and equal buckets to tie.

    Parameters
    ----------
    class_labels : ndarray of uint8, shape (42783, 351)
        The buckets by kind of river and class of hole cards.
    count : int
        The number of buckets on the river.

    Returns
    -------
    ndarray of shape (count, count)
        The rows are the player's own bucket, and the columns are the opponent's bucket.
    """
    kinds = find_river_kinds()
    wins, pairs = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    count_showdowns_by_bucket(
        kinds.boards, class_labels, kinds.multiplicities, allocate_river_workspace(), wins, pairs
    )

    # P(win) + P(tie) / 2 = (1 + P(win) - P(loss)) / 2. The losses are the wins of the other bucket.
    losses = wins.T
    shares = (pairs + wins - losses) / np.maximum(2 * pairs, 1)
    bucket = np.arange(count)
    shares_without_pairs = (1 + np.sign(bucket[:, None] - bucket)) / 2
    return np.where(pairs > 0, shares, shares_without_pairs)


@kernel
def count_showdowns_by_bucket(
    boards: Cards,
    class_labels: Labels,
    multiplicities: Ints,
    work: RiverWorkspace,
    out_wins: Ints,
    out_pairs: Ints,
) -> None:
    """Count, by buckets, the pairs of hands of which the player's hand is stronger, and all pairs of hands.

    On each board the classes of hole cards are visited from the weakest to the strongest, as in
    `pokerlab.holdem.river_comparisons.fill_counts_of_type_pairs`. A hand beats the hands that were visited before it,
    except those that share a card with it.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        One board of each of n kinds of rivers.
    class_labels : ndarray of uint8, shape (n, 351)
        The bucket of each class of hole cards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that each board stands for.
    work : RiverWorkspace
        Overwritten.
    out_wins, out_pairs : ndarray of int64, shape (B_3, B_3)
        The counts are added to them. The rows are the player's own bucket, and the columns are the opponent's bucket.
    """
    num_buckets = out_wins.shape[0]
    cards_left, classes = work.cards_left, work.type_pairs
    num_visited = np.empty(num_buckets, np.int64)  # hands of each bucket so far
    # Those of these hands that hold a given card of each type.
    num_with_type = np.empty((NUM_CARD_TYPES, num_buckets), np.int64)
    for row in range(boards.shape[0]):
        board = boards[row]
        num_classes = fill_possible_type_pairs(board, find_flush_suit(board), work)
        sort_by_strength(classes, num_classes, STRENGTH_SHIFT, work.scratch, work.bins)
        num_visited[:] = 0
        num_with_type[:] = 0
        begin = 0
        while begin < num_classes:
            # The classes from `begin` to `end` - 1 are equally strong, and beat all hands that were visited before
            # them.
            end = begin
            strength = classes[begin] >> STRENGTH_SHIFT
            while end < num_classes and classes[end] >> STRENGTH_SHIFT == strength:
                types = decode_type_pair(classes[end])
                bucket = class_labels[row, index_type_pair(types[0], types[1])]
                own_hands = multiplicities[row] * count_holdings_of_types(
                    cards_left, types[0], types[1]
                )
                add_pairs_with_visited_hands(
                    types, own_hands, num_visited, num_with_type, out_wins[bucket]
                )
                end += 1

            # Then visit these classes.
            for place in range(begin, end):
                types = decode_type_pair(classes[place])
                bucket = class_labels[row, index_type_pair(types[0], types[1])]
                add_visited_hands(types, bucket, cards_left, num_visited, num_with_type)
            begin = end

        # Now that all hands have been visited, count all pairs in the same way.
        for place in range(num_classes):
            types = decode_type_pair(classes[place])
            bucket = class_labels[row, index_type_pair(types[0], types[1])]
            own_hands = multiplicities[row] * count_holdings_of_types(
                cards_left, types[0], types[1]
            )
            add_pairs_with_visited_hands(
                types, own_hands, num_visited, num_with_type, out_pairs[bucket]
            )
            # The hand itself was subtracted twice, once for each of its cards, so it is added again.
            out_pairs[bucket, bucket] += own_hands


@inlined
def add_pairs_with_visited_hands(
    types: tuple[KernelInt, KernelInt],
    own_hands: int,
    num_visited: Ints,
    num_with_type: Ints,
    out_counts: Ints,
) -> None:
    """Add the number of pairs of a player's hand and a visited hand that shares no card with it.

    The pairs are counted by the bucket of the visited hand.

    Parameters
    ----------
    types : tuple of two ints
        The types of the player's two cards.
    own_hands : int
        The number of hands with cards of these types.
    num_visited : ndarray of int64, shape (B_3,)
        The number of hands of each bucket that have been visited.
    num_with_type : ndarray of int64, shape (26, B_3)
        The number of these hands that hold a given card of each type.
    out_counts : ndarray of int64, shape (B_3,)
        The counts are added to it.
    """
    for bucket in range(num_visited.size):
        without_own_cards = (
            num_visited[bucket] - num_with_type[types[0], bucket] - num_with_type[types[1], bucket]
        )
        out_counts[bucket] += own_hands * without_own_cards


@inlined
def add_visited_hands(
    types: tuple[KernelInt, KernelInt],
    bucket: int,
    cards_left: Int32s,
    num_visited: Ints,
    num_with_type: Ints,
) -> None:
    """Add the hands of a class to the visited hands of its bucket.

    Parameters
    ----------
    types : tuple of two ints
        The types of the two cards of the class.
    bucket : int
        The bucket of the class.
    cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    num_visited : ndarray of int64, shape (B_3,)
        The number of visited hands in each bucket, which is changed.
    num_with_type : ndarray of int64, shape (26, B_3)
        The number of visited hands in each bucket that contain a given card of each type, which is changed.
    """
    first_type, second_type = types
    num_visited[bucket] += count_holdings_of_types(cards_left, first_type, second_type)
    # A given card of the first type is combined with each other card of the second type.
    is_same_type = first_type == second_type
    num_with_type[first_type, bucket] += cards_left[second_type] - is_same_type
    if not is_same_type:
        num_with_type[second_type, bucket] += cards_left[first_type]
