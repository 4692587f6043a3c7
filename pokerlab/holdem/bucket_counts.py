"""How often hands move between buckets from street to street, and how often one bucket beats another.

A *bucket* is a group of hands of similar equity, and the *label* of a hand is the number of its bucket. Given the
labels of all hands, the moves between buckets and the showdowns are counted over all deals. A hand that shares a card
with the board has the label after that of the last bucket.

Boards that a renaming of suits makes equal are computed once, on their canonical board, and counted with their number.
Any card of a board may have come last. Without this card, the board is one of the street before, on which the hand has
another bucket.

For showdowns, hole cards are described by the types of their two cards (`pokerlab.holdem.river_comparisons`). The pairs
of types on a kind of river are sorted by strength, and visited from the weakest to the strongest. For each bucket two
numbers are updated: the number of hands visited so far, and the number of those that contain a given card of each type.
With the second number, hands that share a card with the player's own hand are subtracted.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.holdem.cards import NUM_CARDS, NUM_HOLDINGS, RIVER, Cards, KernelInt
from pokerlab.holdem.equity_tables import find_row_in_river_table
from pokerlab.holdem.hand_classes import RENAMED_HOLDINGS, find_canonical_boards
from pokerlab.holdem.hand_expectations import ROWS_AT_ONCE, find_river_kinds, list_street_boards
from pokerlab.holdem.hand_rankings import Int32s, sort_by_strength
from pokerlab.holdem.river_comparisons import (
    NUM_CARD_TYPES,
    STRENGTH_SHIFT,
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

Labels: TypeAlias = NDArray[np.uint8]  # the numbers of buckets


class PreviousBoards(NamedTuple):
    """The previous boards of n boards, as canonical boards.

    A previous board is what lay on the street before. Any card of a board of four or five cards may have come last, so
    such a board has k previous boards. A flop has one, the empty board. Boards are equivalent if a renaming of suits
    makes them equal, and one board of each class is its canonical board.

    Attributes
    ----------
    boards : ndarray of int64, shape (n, k)
        The indices of the canonical boards in `list_street_boards`.
    renamings : ndarray of int64, shape (n, k)
        The renamings of suits that lead to the canonical boards, as rows of `RENAMED_HOLDINGS`.
    """

    boards: Ints
    renamings: Ints


def find_previous_boards(boards: Cards) -> PreviousBoards:
    """Return the previous boards of given boards, as canonical boards.

    A previous board is what lay on the street before. Any card of a board of four or five cards may have come last. A
    flop comes from the empty board. Boards are
    equivalent if a renaming of suits makes them equal, and one board of each class is its canonical board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, num_cards)
        n boards of 3, 4 or 5 cards.

    Returns
    -------
    PreviousBoards
        The canonical boards and the renamings of suits, one for each card that may have come last.
    """
    num_boards, num_cards = boards.shape
    if num_cards == 3:
        empty_board = np.zeros((num_boards, 1), np.int64)
        no_renaming = np.zeros((num_boards, 1), np.int64)
        return PreviousBoards(empty_board, no_renaming)

    # For each card that may have come last, the indices of the other cards.
    positions = np.arange(num_cards)
    other_positions = np.array([np.delete(positions, last_card) for last_card in positions])
    shorter_boards = boards[:, other_positions].reshape(-1, num_cards - 1)
    canonical_boards, renamings = find_canonical_boards(shorter_boards)
    return PreviousBoards(canonical_boards.reshape(-1, num_cards), renamings.reshape(-1, num_cards))


def count_transitions(labels: list[Labels], street: int, num_buckets: tuple[int, ...]) -> Ints:
    """Return how often hands move from each bucket of one street to each bucket of the next street.

    A bucket is a group of hands of similar equity. All deals are counted, with equivalent boards (which a renaming of
    suits makes equal) together.

    Parameters
    ----------
    labels : list of 4 ndarray of uint8
        The bucket of each hand, one table for each street, with a row for each canonical board and a column for each
        pair of hole cards. On the river there is a row for each kind of board and a column for each pair of types of
        hole cards. Entries for hole cards that share a card with the board are the number of buckets.
    street : int
        The street to which hands move: 1 (flop), 2 (turn) or 3 (river).
    num_buckets : tuple of 4 int
        The number of buckets on each street.

    Returns
    -------
    ndarray of int64, shape (num_buckets[street - 1], num_buckets[street])
        The numbers of moves from each bucket (rows) to each bucket (columns).
    """
    boards, multiplicities = list_street_boards(street)
    # The last row and column are for holdings that share a card with the board.
    transitions = np.zeros((num_buckets[street - 1] + 1, num_buckets[street] + 1), np.int64)
    for first_row in range(0, len(boards), ROWS_AT_ONCE):
        batch = slice(first_row, first_row + ROWS_AT_ONCE)
        previous_boards = find_previous_boards(boards[batch])
        if street == RIVER:
            # The table of the river has no column for each holding, so the buckets of holdings are looked up.
            labels_after = find_buckets_on_rivers(labels[RIVER], boards[batch], num_buckets[RIVER])
        else:
            labels_after = labels[street][batch]
        add_transitions(
            labels[street - 1],
            previous_boards.boards,
            previous_boards.renamings,
            RENAMED_HOLDINGS,
            labels_after,
            multiplicities[batch],
            transitions,
        )
    return transitions[:-1, :-1]


@kernel
def add_transitions(
    labels_of_previous_boards: Labels,
    boards: Ints,
    renamings: Ints,
    renamed_holdings: NDArray[np.uint16],
    labels_of_boards: Labels,
    multiplicities: Ints,
    out_counts: Ints,
) -> None:
    """Add to `out_counts` how often hands move from each bucket of one street to each bucket of the next street.

    Parameters
    ----------
    labels_of_previous_boards : ndarray of uint8, shape (N, 1326)
        The buckets of all hole cards on the N canonical boards of the first street. A canonical board is one of the
        boards that a renaming of suits makes equal.
    boards, renamings : ndarray of int64, shape (n, k)
        The `PreviousBoards` of n boards of the next street: the canonical boards from which they may have come, and the
        renamings of suits that lead to them.
    renamed_holdings : ndarray of uint16, shape (24, 1326)
        `RENAMED_HOLDINGS`: what hole cards become under each renaming.
    labels_of_boards : ndarray of uint8, shape (n, 1326)
        The buckets of all hole cards on the n boards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that are equivalent to each of the n boards.
    out_counts : ndarray of int64, shape (buckets before + 1, buckets after + 1)
        The moves are added to it. The last row and column are for hole cards that share a card with the board.
    """
    counts_on_board = np.empty_like(out_counts)
    num_before, num_after = out_counts.shape
    for row in range(labels_of_boards.shape[0]):
        counts_on_board[:] = 0
        labels_after = labels_of_boards[row]
        for last_card in range(boards.shape[1]):
            # On the canonical board before the last card, a holding has renamed suits.
            labels_before = labels_of_previous_boards[boards[row, last_card]]
            renamed = renamed_holdings[renamings[row, last_card]]
            for holding in range(NUM_HOLDINGS):
                bucket_before = labels_before[renamed[holding]]
                bucket_after = labels_after[holding]
                counts_on_board[bucket_before, bucket_after] += 1

        for bucket_before in range(num_before):
            for bucket_after in range(num_after):
                num_moves = counts_on_board[bucket_before, bucket_after]
                out_counts[bucket_before, bucket_after] += multiplicities[row] * num_moves


def find_buckets_on_rivers(river_labels: Labels, boards: Cards, blocked_label: int) -> Labels:
    """Return the bucket of each pair of hole cards on boards of five cards.

    On all boards of one kind any hand has the same equity. The type of a card is its rank, and whether it is in the
    suit that can make a flush.

    Parameters
    ----------
    river_labels : ndarray of uint8, shape (42783, 351)
        The buckets by the kind of the board and by the types of the two hole cards.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    blocked_label : int
        The number that hole cards get if they share a card with the board.

    Returns
    -------
    ndarray of uint8, shape (n, 1326)
        The buckets, in the order of `HOLDINGS`.
    """
    labels = np.zeros((len(boards), NUM_HOLDINGS), np.uint8)
    add_buckets_on_rivers(
        river_labels, find_river_kinds().kind_of_row, boards, blocked_label, labels
    )
    return labels


@kernel
def add_buckets_on_rivers(
    river_labels: Labels, kind_of_row: Ints, boards: Cards, blocked_label: int, out_labels: Labels
) -> None:
    """Add the bucket of each pair of hole cards on boards of five cards to an array of zeros.

    On all boards of one kind any hand has the same equity. The type of a card is its rank, and whether it is in the
    suit that can make a flush.

    Parameters
    ----------
    river_labels : ndarray of uint8, shape (42783, 351)
        The buckets by the kind of the board and by the types of the two hole cards.
    kind_of_row : ndarray of int64, shape (rows,)
        The kind of the boards in each row of the table of `load_river_table`.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    blocked_label : int
        The number that hole cards get if they share a card with the board.
    out_labels : ndarray of uint8, shape (n, 1326)
        Zeros, to which the buckets are added in the order of `HOLDINGS`.
    """
    buckets_by_types = np.full(TYPE_SQUARE, np.uint8(blocked_label))
    types = np.empty(NUM_CARDS, np.int64)
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        flush_suit = find_flush_suit(board)
        kind = kind_of_row[find_row_in_river_table(board, flush_suit)]
        add_type_pair_values_to_holdings(
            board, flush_suit, river_labels[kind], types, buckets_by_types, out_labels[board_index]
        )


def compute_showdown_shares(river_labels: Labels, num_buckets: int) -> Floats:
    """Return the share of the pot that a hand in each bucket wins at the showdown against a hand in each bucket.

    On all boards of one kind any hand has the same equity. The type of a card is its rank, and whether it is in the
    suit that can make a flush. If two buckets never occur on the same board, the higher bucket is assumed to win, and
    equal buckets to tie.

    Parameters
    ----------
    river_labels : ndarray of uint8, shape (42783, 351)
        The buckets by the kind of the board and by the types of the two hole cards.
    num_buckets : int
        The number of buckets on the river.

    Returns
    -------
    ndarray of shape (num_buckets, num_buckets)
        The rows are the player's own bucket, and the columns are the opponent's bucket.
    """
    kinds = find_river_kinds()
    wins = np.zeros((num_buckets, num_buckets), np.int64)
    pairs = np.zeros((num_buckets, num_buckets), np.int64)
    count_showdowns_by_bucket(
        kinds.boards, river_labels, kinds.multiplicities, allocate_river_workspace(), wins, pairs
    )

    # P(win) + P(tie) / 2 = (1 + P(win) - P(loss)) / 2. The losses are the wins of the other bucket.
    losses = wins.T
    shares = (pairs + wins - losses) / np.maximum(2 * pairs, 1)
    buckets = np.arange(num_buckets)
    shares_without_pairs = (1 + np.sign(buckets[:, None] - buckets)) / 2
    return np.where(pairs > 0, shares, shares_without_pairs)


@kernel
def count_showdowns_by_bucket(
    boards: Cards,
    river_labels: Labels,
    multiplicities: Ints,
    workspace: RiverWorkspace,
    out_wins: Ints,
    out_pairs: Ints,
) -> None:
    """Count the pairs of a player's and an opponent's hand by their buckets: those that the player wins, and all pairs.

    On each board the pairs of types of hole cards are visited from the weakest to the strongest. A hand beats the hands
    that were visited before it, except those that share a card with it. The type of a card is its rank, and whether it
    is in the suit that can make a flush.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        One board of each of n kinds of boards of five cards.
    river_labels : ndarray of uint8, shape (n, 351)
        The bucket by the kind of the board and by the types of the two hole cards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that each board stands for.
    workspace : RiverWorkspace
        Overwritten.
    out_wins : ndarray of int64, shape (B, B)
        The pairs that the player wins are added to it. The rows are the player's bucket, and the columns are the
        opponent's.
    out_pairs : ndarray of int64, shape (B, B)
        All pairs are added to it, in the same order.
    """
    num_buckets = out_wins.shape[0]
    num_cards_left, type_pairs = workspace.num_cards_left, workspace.type_pairs
    # The number of visited hands in each bucket, and the number of those that contain a given card of each type.
    num_visited = np.empty(num_buckets, np.int64)
    num_with_type = np.empty((NUM_CARD_TYPES, num_buckets), np.int64)
    for row in range(boards.shape[0]):
        board, labels = boards[row], river_labels[row]
        num_type_pairs = fill_possible_type_pairs(board, find_flush_suit(board), workspace)
        sort_by_strength(
            type_pairs, num_type_pairs, STRENGTH_SHIFT, workspace.scratch, workspace.bins
        )
        num_visited[:] = 0
        num_with_type[:] = 0
        begin = 0
        while begin < num_type_pairs:
            # The type pairs from `begin` to `end` - 1 are equally strong. They beat all hands visited before them.
            end = begin
            strength = type_pairs[begin] >> STRENGTH_SHIFT
            while end < num_type_pairs and type_pairs[end] >> STRENGTH_SHIFT == strength:
                first_type, second_type = decode_type_pair(type_pairs[end])
                bucket = labels[index_type_pair(first_type, second_type)]
                num_holdings = count_holdings_of_types(num_cards_left, first_type, second_type)
                own_hands = multiplicities[row] * num_holdings
                add_pairs_with_visited_hands(
                    first_type, second_type, own_hands, num_visited, num_with_type, out_wins[bucket]
                )
                end += 1

            # Then visit these type pairs.
            for index in range(begin, end):
                first_type, second_type = decode_type_pair(type_pairs[index])
                bucket = labels[index_type_pair(first_type, second_type)]
                add_visited_hands(
                    first_type, second_type, bucket, num_cards_left, num_visited, num_with_type
                )
            begin = end

        # Now that all hands have been visited, count all pairs in the same way.
        for index in range(num_type_pairs):
            first_type, second_type = decode_type_pair(type_pairs[index])
            bucket = labels[index_type_pair(first_type, second_type)]
            num_holdings = count_holdings_of_types(num_cards_left, first_type, second_type)
            own_hands = multiplicities[row] * num_holdings
            add_pairs_with_visited_hands(
                first_type, second_type, own_hands, num_visited, num_with_type, out_pairs[bucket]
            )
            # The hand itself was subtracted twice, once for each of its cards, so it is added again.
            out_pairs[bucket, bucket] += own_hands


@inlined
def add_pairs_with_visited_hands(
    first_type: KernelInt,
    second_type: KernelInt,
    own_hands: int,
    num_visited: Ints,
    num_with_type: Ints,
    out_counts: Ints,
) -> None:
    """Add to `out_counts` the pairs of one of the player's hands and a visited hand that shares no card with it.

    All of the player's hands have cards of two given types. The type of a card is its rank, and whether it is in the
    suit that can make a flush. The pairs are counted by the bucket of the visited hand.

    Parameters
    ----------
    first_type, second_type : int
        The types of the player's two cards, 0 to 25.
    own_hands : int
        The number of the player's hands.
    num_visited : ndarray of int64, shape (B,)
        The number of visited hands in each of B buckets.
    num_with_type : ndarray of int64, shape (26, B)
        The number of visited hands in each bucket that contain a given card of each type.
    out_counts : ndarray of int64, shape (B,)
        The numbers of pairs are added to it.
    """
    for bucket in range(num_visited.size):
        num_with_own_card = num_with_type[first_type, bucket] + num_with_type[second_type, bucket]
        out_counts[bucket] += own_hands * (num_visited[bucket] - num_with_own_card)


@inlined
def add_visited_hands(
    first_type: KernelInt,
    second_type: KernelInt,
    bucket: int,
    num_cards_left: Int32s,
    num_visited: Ints,
    num_with_type: Ints,
) -> None:
    """Add the hands whose cards have two given types to the counts of visited hands, in place.

    The type of a card is its rank, and whether it is in the suit that can make a flush.

    Parameters
    ----------
    first_type, second_type : int
        The types of the two cards, 0 to 25.
    bucket : int
        The bucket of these hands.
    num_cards_left : ndarray of int32, shape (26,)
        The number of cards of each type that are not on the board.
    num_visited : ndarray of int64, shape (B,)
        The number of visited hands in each of B buckets, which is changed.
    num_with_type : ndarray of int64, shape (26, B)
        The number of visited hands in each bucket that contain a given card of each type, which is changed.
    """
    num_visited[bucket] += count_holdings_of_types(num_cards_left, first_type, second_type)
    # A given card of the first type is combined with each other card of the second type.
    is_same_type = first_type == second_type
    num_with_type[first_type, bucket] += num_cards_left[second_type] - is_same_type
    if not is_same_type:
        num_with_type[second_type, bucket] += num_cards_left[first_type]
