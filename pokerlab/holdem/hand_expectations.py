"""Counts of all hands' winnings against one random hand, exact or from random deals.

The *table of a street* has a row for each canonical board (one of the boards that a renaming of suits makes equal) and
a column for each pair of hole cards, before the flop, on the flop and on the turn. On the river it has a row for each
*kind of river*, which are boards on which all hands have the same equity, and a column for each pair of types of hole
cards (`pokerlab.holdem.river_comparisons`). Equivalent boards are computed once and counted with their number.

Winnings are counted in *half pots*, two for a win and one for a tie, so that all numbers are whole. They are exact, or
estimated from random deals as in Samothrakis & Lucas (2011). The probabilities that a hand wins, ties or loses a random
deal are known exactly. So cards are not dealt, but the outcome of each deal is drawn with these probabilities. The
estimates have the same distribution as if cards had been dealt, in a small part of the time. Hands that differ only by
a renaming of suits have the same deals, and so have hands whose cards have the same types on the same kind of river.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, SettingError, kernel
from pokerlab.core.random_numbers import compute_random_bits, draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    HOLDINGS,
    HOLDS_CARD,
    NUM_SUITS,
    PREFLOP,
    RIVER,
    STREET_PHRASES,
    Cards,
)
from pokerlab.holdem.equity import NUM_COMPARISONS
from pokerlab.holdem.equity_tables import (
    NUM_PLAIN_ROWS,
    NUM_SUITED_ROWS,
    TIE_SHIFTS,
    find_row_in_river_table,
    load_equity_table,
    load_river_table,
    unpack_counts,
)
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards
from pokerlab.holdem.hand_rankings import RANK_KEYS, overlay_sparse_rows
from pokerlab.holdem.river_comparisons import (
    NUM_TYPE_PAIRS,
    TIE_SHIFT,
    RiverWorkspace,
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
    """Win probabilities that are counted over all opponents' hands and all boards to come.

    Winnings are counted in half pots: two for a win, and one for a tie.

    Attributes
    ----------
    source : str
        The name of the method, for buckets and their files.
    """

    source = "exact"

    def count_half_pots_of_sure_win(self, street: int) -> int:
        """Return the number of half pots that a hand wins if it wins all comparisons on a street.

        A comparison is one showdown against one hand of an opponent on one board of five cards. A win counts two half
        pots.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        """
        return 2 * NUM_COMPARISONS[BOARD_SIZES[street]]

    def count_half_pots(self, street: int, rows: Ints) -> Ints:
        """Return the number of half pots that each hand wins, in some rows of the table of a street.

        A hand wins two half pots for each showdown that it wins, and one for a tie. All hands of an opponent and all
        boards to come are counted. The table of a street has a row for each canonical board (one of the boards that a
        renaming of suits makes equal) and a column for each pair of hole cards. On the river it has a row for each kind
        of board and a column for each pair of types of hole cards.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        rows : ndarray of int64, shape (n,)
            The indices of n rows.

        Returns
        -------
        ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
            The numbers of half pots. A number is meaningless for hole cards that share a card with the board.
        """
        wins, ties = load_win_and_tie_counts(street, rows)
        return 2 * wins + ties


def load_win_and_tie_counts(street: int, rows: Ints) -> tuple[Ints, Ints]:
    """Return how many comparisons each hand wins and ties, in some rows of the table of a street.

    A comparison is one showdown against one hand of an opponent on one board of five cards. The table of a street has a
    row for each canonical board (one of the boards that a renaming of suits makes equal) and a column for each pair of
    hole cards. On the river it has a row for each kind of board and a column for each pair of types of hole cards.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    rows : ndarray of int64, shape (n,)
        The indices of n rows.

    Returns
    -------
    wins, ties : ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
        The numbers of comparisons.
    """
    if street == RIVER:
        table_rows = find_river_kinds().table_rows[rows]
        return unpack_counts(load_river_table()[table_rows], TIE_SHIFT)
    board_size = BOARD_SIZES[street]
    return unpack_counts(load_equity_table(board_size)[rows], TIE_SHIFTS[board_size])


@cache
def list_street_boards(street: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of a street, and the number of boards that are equivalent to each.

    Boards are equivalent if a renaming of suits makes them the same set of cards. One board of each class is its
    canonical board. The arrays are computed once for each street, and all calls return the same ones.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Returns
    -------
    boards : ndarray of uint8, shape (n, k)
        The n canonical boards of k cards; before the flop the one empty board.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that are equivalent to each canonical board, including itself.
    """
    if street == PREFLOP:
        return np.empty((1, 0), np.uint8), np.ones(1, np.int64)
    return list_canonical_boards(BOARD_SIZES[street])


def find_impossible_holdings(boards: Cards) -> NDArray[np.bool_]:
    """Return which hole cards share a card with each board, and so cannot be held there.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, k)
        n boards of k cards.

    Returns
    -------
    ndarray of bool, shape (n, 1326)
        Whether each pair of hole cards, in the order of `HOLDINGS`, shares a card with each board.
    """
    return np.asarray(HOLDS_CARD[boards].any(axis=1))


class RiverKinds(NamedTuple):
    """The K = 42,783 kinds of boards of five cards; on all boards of one kind any hand has the same equity.

    Hands on boards of one kind are described by the types of the hole cards: by their ranks, and by whether they are in
    the suit that can make a flush.

    Attributes
    ----------
    boards : ndarray of uint8, shape (K, 5)
        One board of each kind.
    multiplicities : ndarray of int64, shape (K,)
        The number of boards of each kind.
    table_rows : ndarray of int64, shape (K,)
        The row of each kind in the table of `load_river_table`.
    kind_of_row : ndarray of int64, shape (rows,)
        The kind of each row of that table, or 0 for unused rows.
    hands_of_type_pairs : ndarray of int64, shape (K, 351)
        For each kind, the number of hands whose cards have each pair of types, in the order of `index_type_pair`.
    """

    boards: Cards
    multiplicities: Ints
    table_rows: Ints
    kind_of_row: Ints
    hands_of_type_pairs: Ints


@cache
def find_river_kinds() -> RiverKinds:
    """Return the kinds of boards of five cards: on all boards of one kind any hand has the same equity.

    Returns
    -------
    RiverKinds
        One board of each kind, the number of its boards, and the hands on it. They are computed once.
    """
    boards, multiplicities = list_street_boards(RIVER)
    row_of_board = np.empty(len(boards), np.int64)
    find_rows_in_river_table(boards, row_of_board)

    # Boards with the same row of the river table are of the same kind.
    table_rows, first_board_of_kind, kind_of_board = np.unique(
        row_of_board, return_index=True, return_inverse=True
    )
    num_kinds = len(table_rows)
    multiplicities_of_kinds = np.zeros(num_kinds, np.int64)
    np.add.at(multiplicities_of_kinds, kind_of_board, multiplicities)
    kind_of_row = np.zeros(NUM_PLAIN_ROWS + NUM_SUITED_ROWS, np.int64)
    kind_of_row[table_rows] = np.arange(num_kinds)

    boards_of_kinds = boards[first_board_of_kind]
    hands_of_type_pairs = np.zeros((num_kinds, NUM_TYPE_PAIRS), np.int64)
    fill_hands_of_type_pairs(boards_of_kinds, allocate_river_workspace(), hands_of_type_pairs)
    return RiverKinds(
        boards=boards_of_kinds,
        multiplicities=multiplicities_of_kinds,
        table_rows=table_rows,
        kind_of_row=kind_of_row,
        hands_of_type_pairs=hands_of_type_pairs,
    )


@kernel
def find_rows_in_river_table(boards: Cards, out_rows: Ints) -> None:
    """Write the row of each board of five cards in the table of `load_river_table`.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    out_rows : ndarray of int64, shape (n,)
        Overwritten with the rows.
    """
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        out_rows[board_index] = find_row_in_river_table(board, find_flush_suit(board))


@kernel
def fill_hands_of_type_pairs(boards: Cards, workspace: RiverWorkspace, out_hands: Ints) -> None:
    """Write the number of hands whose hole cards have each pair of types, for each of n boards of five cards.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    workspace : RiverWorkspace
        Overwritten.
    out_hands : ndarray of int64, shape (n, 351)
        The entries of the type pairs that are possible on a board are overwritten; the other entries are not changed.
    """
    num_cards_left = workspace.num_cards_left
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        num_type_pairs = fill_possible_type_pairs(board, find_flush_suit(board), workspace)
        for index in range(num_type_pairs):
            first_type, second_type = decode_type_pair(workspace.type_pairs[index])
            type_pair = index_type_pair(first_type, second_type)
            out_hands[board_index, type_pair] = count_holdings_of_types(
                num_cards_left, first_type, second_type
            )


def iterate_row_batches(street: int) -> Iterator[Ints]:
    """Yield the indices of the rows of the table of a street, in consecutive batches of at most ROWS_AT_ONCE rows.

    The table of a street has a row for each canonical board (one of the boards that a renaming of suits makes equal),
    and on the river a row for each kind of board.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Yields
    ------
    ndarray of int64, shape (n,)
        The indices of n rows.
    """
    boards = find_river_kinds().boards if street == RIVER else list_street_boards(street)[0]
    num_rows = len(boards)
    for first_row in range(0, num_rows, ROWS_AT_ONCE):
        yield np.arange(first_row, min(first_row + ROWS_AT_ONCE, num_rows))


def count_hands_of_entries(street: int, rows: Ints) -> Ints:
    """Return the number of hands that each entry of the table of a street stands for, in some rows of the table.

    The table has a row for each canonical board (one of the boards that a renaming of suits makes equal) and a column
    for each pair of hole cards. On the river it has a row for each kind of board and a column for each pair of types of
    hole cards. The same hole cards on two boards are two hands.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    rows : ndarray of int64, shape (n,)
        The indices of n rows.

    Returns
    -------
    ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
        The numbers of hands; 0 for hole cards that share a card with the board.
    """
    if street == RIVER:
        kinds = find_river_kinds()
        return kinds.hands_of_type_pairs[rows] * kinds.multiplicities[rows, None]
    boards, multiplicities = list_street_boards(street)
    is_impossible = find_impossible_holdings(boards[rows])
    return np.where(is_impossible, 0, multiplicities[rows, None])


class SampledExpectations:
    """Win probabilities that are estimated from random deals.

    Winnings are counted in half pots: two for a win, and one for a tie.

    Parameters
    ----------
    samples : sequence of 4 int
        The numbers of random deals for each hand before the flop, on the flop, on the turn and on the river.
    seed : int
        The seed of the deals.

    Attributes
    ----------
    source : str
        A description of the method, for buckets and their files.

    Raises
    ------
    SettingError
        If there are not four positive numbers of deals.
    """

    def __init__(self, samples: Sequence[int], seed: int) -> None:
        # A single number is checked like a sequence, so that the error says how many numbers are needed.
        """Check and store the numbers of deals and the seed.

        Parameters
        ----------
        samples : sequence of 4 int
            The numbers of random deals for each hand before the flop, on the flop, on the turn and on the river.
        seed : int
            The seed of the deals.

        Raises
        ------
        SettingError
            If there are not four positive numbers of deals.
        """
        sample_sizes = tuple(samples) if np.ndim(samples) else (samples,)
        self.samples = tuple(
            validate_integer("samples", size, 1, LARGEST_COUNT) for size in sample_sizes
        )
        if len(self.samples) != len(STREET_PHRASES):
            raise SettingError(
                f"samples are {samples}; give four positive numbers of deals: {', '.join(STREET_PHRASES)}."
            )
        self.seed = seed
        sizes_in_words = ", ".join(f"{size:,}" for size in self.samples)
        self.source = f"sampled from {sizes_in_words} deals a hand, seed {seed}"

    def count_half_pots_of_sure_win(self, street: int) -> int:
        """Return the number of half pots that a hand wins if it wins all its random deals on a street.

        A win counts two half pots.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        """
        return 2 * self.samples[street]

    def count_half_pots(self, street: int, rows: Ints) -> Ints:
        """Return the number of half pots that each hand wins in random deals, in some rows of the table of a street.

        A hand wins two half pots for each deal that it wins, and one for a tie. The table of a street has a row for
        each canonical board (one of the boards that a renaming of suits makes equal) and a column for each pair of hole
        cards. On the river it has a row for each kind of board and a column for each pair of types of hole cards.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        rows : ndarray of int64, shape (n,)
            The indices of n rows.

        Returns
        -------
        ndarray of int64, shape (n, 1326) or, on the river, (n, 351)
            The numbers of half pots; 0 for hole cards that share a card with the board.
        """
        wins, ties = load_win_and_tie_counts(street, rows)
        is_possible = count_hands_of_entries(street, rows) > 0
        row_indices, columns = np.nonzero(is_possible)

        # Equivalent hands have the same random stream, and are drawn once.
        streams = find_hand_stream_indices(street, rows[row_indices], columns)
        distinct_streams, first_hands, stream_of_hand = np.unique(
            streams, return_index=True, return_inverse=True
        )
        wins_of_streams = wins[is_possible][first_hands]
        ties_of_streams = ties[is_possible][first_hands]
        half_pots_of_streams = self.draw_half_pots(
            street, distinct_streams, wins_of_streams, ties_of_streams
        )
        half_pots = np.zeros_like(wins)
        half_pots[is_possible] = half_pots_of_streams[stream_of_hand]
        return half_pots

    def draw_half_pots(self, street: int, streams: Ints, wins: Ints, ties: Ints) -> Ints:
        """Return the number of half pots that each hand wins in random deals: two for a win, and one for a tie.

        No cards are dealt. The outcome of each deal is drawn with the exact probabilities of a win, a tie and a loss.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        streams : ndarray of int64, shape (n,)
            The index of each hand's random stream.
        wins, ties : ndarray of int64, shape (n,)
            The numbers of all possible showdowns that each hand wins and ties.

        Returns
        -------
        ndarray of int64, shape (n,)
            The numbers of half pots.
        """
        # A deal is decided by a random number of 32 bits, so probabilities are multiplied by 2**32.
        num_comparisons = NUM_COMPARISONS[BOARD_SIZES[street]]
        win_limits = np.round(wins / num_comparisons * 2.0**32).astype(np.uint64)
        tie_limits = np.round((wins + ties) / num_comparisons * 2.0**32).astype(np.uint64)

        half_pots = np.empty(len(streams), np.int64)
        stream_key = draw_stream_key(self.seed, "rollouts", street)
        fill_random_half_pots(
            stream_key, streams, win_limits, tie_limits, self.samples[street], half_pots
        )
        return half_pots


Expectations: TypeAlias = ExactExpectations | SampledExpectations


def build_half_pot_table(expectations: Expectations, street: int) -> HalfPots:
    """Return the number of half pots that each hand of a street wins against one random hand.

    A hand wins two half pots for each showdown that it wins, and one for a tie. The showdowns are all possible ones, or
    random deals.

    Parameters
    ----------
    expectations : ExactExpectations or SampledExpectations
        The exact or sampled win probabilities.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Returns
    -------
    ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        A row for each canonical board (one of the boards that a renaming of suits makes equal) and a column for each
        pair of hole cards. On the river there is a row for each kind of board, and a column for each pair of types of
        hole cards.
    """
    batches = []
    for rows in iterate_row_batches(street):
        half_pots = expectations.count_half_pots(street, rows)
        batches.append(half_pots.astype(np.uint32))
    return np.concatenate(batches)


def find_hand_stream_indices(street: int, rows: Ints, columns: Ints) -> Ints:
    """Return the index of the random stream of each hand; equivalent hands have the same stream.

    Hands are equivalent if a renaming of suits makes them equal. On the river, hands whose cards have the same types on
    boards of the same kind are equivalent, too.

    Parameters
    ----------
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    rows, columns : ndarray of int64, shape (n,)
        The row and the column of each of n hands in the table of the street. It has a row for each canonical board and
        a column for each pair of hole cards. On the river it has a row for each kind of board and a column for each
        pair of types of hole cards.

    Returns
    -------
    ndarray of int64, shape (n,)
        The indices of the streams.
    """
    if street == RIVER:
        return find_river_stream_indices()[rows] * NUM_TYPE_PAIRS + columns
    boards, _ = list_street_boards(street)
    cards = np.concatenate([HOLDINGS[columns], boards[rows]], axis=1)
    return np.asarray(build_hand_classes(2, BOARD_SIZES[street]).find_classes(cards))


@cache
def find_river_stream_indices() -> Ints:
    """Return the index of the random stream of each kind of board of five cards.

    The indices do not depend on the present layout of the tables of strengths, so that recordings can be repeated. An
    earlier layout numbered the boards on which no flush is possible by the sums of their ranks' `RANK_KEYS`. The lowest
    13 bits of a sum were the row of a sparse matrix, the higher bits were its column, and the rows were laid over each
    other. Here these boards get the order of their indices in that layout. The other kinds keep their number. The array
    is computed once, and all calls return it.

    Returns
    -------
    ndarray of int64, shape (42783,)
        The index of the stream of each kind.
    """
    kinds = find_river_kinds()
    has_no_flush = kinds.table_rows < NUM_PLAIN_ROWS
    num_without_flush = has_no_flush.sum()
    ranks = kinds.boards[has_no_flush] // NUM_SUITS
    key_sums = np.array(RANK_KEYS)[ranks].sum(axis=1)

    # Compute the index of each board without a flush in the earlier layout.
    rows = key_sums & (1 << FORMER_ROW_BITS) - 1
    columns = key_sums >> FORMER_ROW_BITS
    offsets, _ = overlay_sparse_rows(rows, columns, columns)
    former_indices = offsets[rows] + columns

    # Boards without a flush are the first kinds.
    stream_indices = np.arange(len(kinds.boards))
    stream_indices[np.argsort(former_indices)] = np.arange(num_without_flush)
    return stream_indices


@kernel
def fill_random_half_pots(
    stream_key: np.uint64,
    streams: Ints,
    win_limits: NDArray[np.uint64],
    tie_limits: NDArray[np.uint64],
    num_deals: int,
    out_half_pots: Ints,
) -> None:
    """Write how many half pots each hand wins in random deals: two for a win, and one for a tie.

    No cards are dealt. A random number of 64 bits decides two deals, by 32 bits each. Two comparisons count the half
    pots of a deal: a win is below both limits, and a tie only below the second.

    Parameters
    ----------
    stream_key : uint64
        The key of the random stream from which the keys of all hands' streams are drawn.
    streams : ndarray of int64, shape (n,)
        The index of each hand's stream.
    win_limits, tie_limits : ndarray of uint64, shape (n,)
        A deal is won if its 32 bits are below the first number, and won or tied if they are below the second.
    num_deals : int
        The number of deals of each hand.
    out_half_pots : ndarray of int64, shape (n,)
        Overwritten with the numbers of half pots.
    """
    low_bits = np.uint64(2**32 - 1)
    shift = np.uint64(32)
    num_pairs = num_deals // 2
    for hand in range(streams.size):
        hand_key = compute_random_bits(stream_key, streams[hand])
        win_limit, tie_limit = win_limits[hand], tie_limits[hand]
        half_pots = 0
        for pair in range(num_pairs):
            bits = compute_random_bits(hand_key, pair)
            first_deal = bits & low_bits
            second_deal = bits >> shift
            half_pots += (
                (first_deal < win_limit)
                + (first_deal < tie_limit)
                + (second_deal < win_limit)
                + (second_deal < tie_limit)
            )

        has_single_deal = num_deals % 2 == 1
        if has_single_deal:
            last_deal = compute_random_bits(hand_key, num_pairs) & low_bits
            half_pots += (last_deal < win_limit) + (last_deal < tie_limit)
        out_half_pots[hand] = half_pots
