"""Tables with the numbers of comparisons that hole cards win and tie on each street, made by comparing all hands.

A *comparison* is one showdown of a player's hole cards against one hand of an opponent on a board of five cards. All
hands that share no card with the player's hand or the board are equally likely. Wins and ties are stored as *packed
counts*: two numbers in one integer, with the wins in the lower bits and the ties in the higher bits. On the river the
tables have a row for each kind of board, and before the river a row for each canonical board.

Kinds of rivers. If no suit has three cards on the board, suits do not matter, and the counts depend only on the ranks
of the board. There are 6,175 kinds of such *plain* boards, and the row of a kind is the index of its ranks in
`STRENGTHS_5`. Otherwise the counts depend on the ranks of the board in the suit with three or more cards, and on the
multiset of its other ranks. There are 26,026 + 9,295 + 1,287 kinds of such *suited* boards, with 3, 4 and 5 cards in
the suit. Their rows are sorted by this number, then by the combination of the ranks in the suit, then by the multiset,
both in colexicographic order.

Columns on the river. Hole cards are described by the *types* of their two cards: their ranks, and whether they are in
the suit that can make a flush (`pokerlab.holdem.river_comparisons`). There are 351 pairs of types.

All counts are made once, which takes some seconds, and are saved in files of 171 MB, which all processes map into
memory (`pokerlab.core.fixed_arrays`). Before the river the tables have a row for each of the boards of
`pokerlab.holdem.hand_classes.list_canonical_boards` and a column for each holding. An entry is zero if the holding
shares a card with the board. With a board of four cards and two hole cards there are 46 rivers, and 990 hands of an
opponent on each, so wins and ties on the turn are sums over the rivers. Those on the flop are half of the sums over 47
turns, because each pair of a turn and a river comes in two orders. Those of a starting hand are sums over all boards of
five cards: the counts of each canonical board are multiplied by the number of equivalent boards, and then averaged over
all holdings that are the same starting hand.
"""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.fixed_arrays import FixedArray, load_fixed_array
from pokerlab.holdem.cards import (
    HOLDINGS,
    NUM_CARDS,
    NUM_HOLDINGS,
    NUM_RANKS,
    NUM_SUITS,
    Cards,
    KernelInt,
    find_holding_index,
)
from pokerlab.holdem.hand_classes import build_hand_classes, list_canonical_boards
from pokerlab.holdem.hand_rankings import (
    STRENGTHS_5,
    find_index_of_five_ranks,
    list_rank_multisets,
    sort_by_strength,
    sum_keys_and_bits,
)
from pokerlab.holdem.river_comparisons import (
    NO_SUIT,
    NUM_CARD_TYPES,
    NUM_TYPE_PAIRS,
    STRENGTH_SHIFT,
    TIE_SHIFT,
    TYPE_SQUARE,
    WIN_MASK,
    PackedCounts,
    RiverWorkspace,
    add_type_pair_values_to_holdings,
    allocate_river_workspace,
    count_card_types,
    fill_counts_of_type_pairs,
    fill_possible_type_pairs,
    find_card_type,
    find_flush_suit,
    index_type_pair,
)

NUM_OFFSUIT_SETS = (0, 0, 0, NUM_RANKS * (NUM_RANKS + 1) // 2, NUM_RANKS, 1)
"""The number of multisets of the other ranks, by the number of the board's cards in the suit."""
FIRST_SUITED_ROW = (0, 0, 0, 0, 26_026, 35_321)
"""The first row among suited boards, by the number of the board's cards in the suit."""
NUM_SUITED_ROWS = 36_608
NUM_PLAIN_ROWS = STRENGTHS_5.size

RANK_MASKS = {
    size: np.array([mask for mask in range(1 << NUM_RANKS) if mask.bit_count() == size])
    for size in range(NUM_RANKS + 1)
}
"""All sets of each number of ranks, as bits, in colexicographic order."""
COMBINATION_OF_MASK = np.empty(1 << NUM_RANKS, np.uint16)
"""The index of each set of ranks among the `RANK_MASKS` of its size."""
for of_size in RANK_MASKS.values():
    COMBINATION_OF_MASK[of_size] = np.arange(len(of_size))


FIXED_TABLES = {
    0: FixedArray(
        "equity-starting-hands",
        (1, NUM_HOLDINGS),
        np.uint64,
        "0384fc681b2077a18c7fbf8996c936b0d87f94dd514a05832bd1f5c491dd89fa",
    ),
    3: FixedArray(
        "equity-flops",
        (1_755, NUM_HOLDINGS),
        np.uint64,
        "22b67d1d3baf3b0276f68245bbac65bf880f6d55788b415755ff38d1dda4c454",
    ),
    4: FixedArray(
        "equity-turns",
        (16_432, NUM_HOLDINGS),
        np.uint32,
        "3851bf22733cd8365f196a42fb00f80ec56538934d0f14241b54aff7e2f5f3cf",
    ),
    5: FixedArray(
        "equity-rivers",
        (NUM_PLAIN_ROWS + NUM_SUITED_ROWS, NUM_TYPE_PAIRS),
        np.uint32,
        "b45c74891aba47d684bc734636b167cc69bef9a334b60c754e1e401f472e9bbf",
    ),
}
"""The tables of counts, by the number of cards on the board. If the layout of a table changes, so must its checksum."""


@cache
def load_river_table() -> PackedCounts:
    """Return a table of how many hands of an opponent any hole cards beat and tie, on any board of five cards.

    The table is made if it is not on disk yet, which takes some seconds. All later calls return the same array.

    Returns
    -------
    ndarray of uint32, shape (rows, 351)
        Packed counts: the hands that are beaten, plus 65536 times the hands that are tied. `find_row_in_river_table`
        gives the row of a board. The column is the `index_type_pair` of the types of the hole cards: of their ranks,
        and of whether they are in the suit that can make a flush. Entries for impossible hole cards and unused rows are
        zero.
    """
    return load_fixed_array(FIXED_TABLES[5], build_river_table)


def build_river_table() -> PackedCounts:
    """Return the table that `load_river_table` loads, by comparing all hands on one board of each kind.

    Returns
    -------
    ndarray of uint32, shape (rows, 351)
        Packed counts: the hands that are beaten, plus 65536 times the hands that are tied.
    """
    table = np.zeros((NUM_PLAIN_ROWS + NUM_SUITED_ROWS, NUM_TYPE_PAIRS), np.uint32)
    workspace = allocate_river_workspace()
    fill_river_table_rows(list_rivers_without_flush_suit(), workspace, table)
    fill_river_table_rows(list_rivers_with_flush_suit(), workspace, table)
    return table


def list_rivers_without_flush_suit() -> Cards:
    """Return one board of five cards for each multiset of ranks, on which no suit has three cards.

    On such boards a flush is impossible, so suits do not matter.

    Returns
    -------
    ndarray of uint8, shape (6175, 5)
        The boards, in the order of `list_rank_multisets`.
    """
    ranks = list_rank_multisets(5)
    # Equal ranks are neighbors, and at most four are equal. So with these suits no card appears twice.
    suits = np.arange(5) % NUM_SUITS
    return (NUM_SUITS * ranks + suits).astype(np.uint8)


def list_rivers_with_flush_suit() -> Cards:
    """Return one board for each kind of board of five cards with three or more clubs.

    The hands that can beat each other on such a board depend only on the ranks of its clubs, and on the multiset of its
    other ranks. So boards that agree in both are of one kind.

    Returns
    -------
    ndarray of uint8, shape (36608, 5)
        The boards in the order of the rows of the river table: first those with three clubs, then those with four, then
        those with five.
    """
    ranks = np.arange(NUM_RANKS)
    high_ranks, low_ranks = np.tril_indices(NUM_RANKS)
    other_multisets_by_num_clubs = {
        3: np.stack([high_ranks, low_ranks], axis=1),
        4: ranks[:, None],
        5: np.empty((1, 0), np.int64),
    }
    boards = []
    for num_clubs, other_multisets in other_multisets_by_num_clubs.items():
        club_ranks = np.array([ranks[mask >> ranks & 1 == 1] for mask in RANK_MASKS[num_clubs]])
        # Different suits, so that equal ranks are different cards.
        other_suits = 1 + np.arange(5 - num_clubs)

        # Combine each set of clubs with each multiset of other ranks.
        clubs = np.repeat(NUM_SUITS * club_ranks, len(other_multisets), axis=0)
        other_cards = np.tile(NUM_SUITS * other_multisets + other_suits, (len(club_ranks), 1))
        boards.append(np.concatenate([clubs, other_cards], axis=1))
    return np.concatenate(boards).astype(np.uint8)


@inlined
def find_row_in_river_table(board: Cards, flush_suit: int) -> KernelInt:
    """Return the row of a board of five cards in the table that `load_river_table` returns.

    If no suit has three cards on the board, the row depends only on the five ranks. Otherwise it depends on the set of
    ranks in the suit with three or more cards, and on the multiset of the other ranks. These rows are sorted by the
    number of cards in the suit, then by the set, then by the multiset, both in colexicographic order.

    Parameters
    ----------
    board : ndarray of uint8, shape (5,) or longer
        The board is the first five cards.
    flush_suit : int
        The suit of three or more cards, which must be the result of `find_flush_suit(board)`.
    """
    # Without a suit of three cards, only the ranks matter.
    if flush_suit == NO_SUIT:
        board_key, _ = sum_keys_and_bits(board, 0, 5)
        return np.int64(find_index_of_five_ranks(board_key))

    # Collect the ranks in the suit as bits, and the other ranks, of which there are at most two.
    suited_ranks = np.int64(0)
    num_suited = 0
    high_rank, low_rank = np.int64(-1), np.int64(-1)  # the other ranks, or -1 if there are fewer
    for position in range(5):
        rank = np.int64(board[position]) // NUM_SUITS
        if board[position] % NUM_SUITS == flush_suit:
            suited_ranks |= 1 << rank
            num_suited += 1
        else:
            is_first_other_rank = high_rank < 0
            low_rank = rank if is_first_other_rank else min(high_rank, rank)
            high_rank = max(high_rank, rank)

    # Index the multiset of the other ranks.
    multiset = np.int64(0)
    if num_suited == 4:
        multiset = high_rank
    elif num_suited == 3:
        multiset = high_rank * (high_rank + 1) // 2 + low_rank

    first_row = NUM_PLAIN_ROWS + FIRST_SUITED_ROW[num_suited]
    combination = np.int64(COMBINATION_OF_MASK[suited_ranks])
    return first_row + combination * NUM_OFFSUIT_SETS[num_suited] + multiset


@inlined
def look_up_river_counts(
    table: PackedCounts, board: Cards, first_card: KernelInt, second_card: KernelInt
) -> np.uint32:
    """Return how many hands of an opponent two hole cards beat and tie on a board of five cards.

    Parameters
    ----------
    table : ndarray of uint32, shape (rows, 351)
        The table that `load_river_table` returns.
    board : ndarray of uint8, shape (5,)
        The cards of the board.
    first_card, second_card : int
        The two hole cards. All seven cards must be different.

    Returns
    -------
    uint32
        Packed counts: the hands that are beaten, plus 65536 times the hands that are tied.
    """
    flush_suit = find_flush_suit(board)
    row = find_row_in_river_table(board, flush_suit)
    column = index_type_pair(
        find_card_type(first_card, flush_suit), find_card_type(second_card, flush_suit)
    )
    return np.uint32(table[row, column])


@kernel
def fill_river_table_rows(
    boards: Cards, workspace: RiverWorkspace, out_table: PackedCounts
) -> None:
    """Write how many hands any hole cards beat and tie on some boards, into these boards' rows of the river table.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    workspace : RiverWorkspace
        Overwritten.
    out_table : ndarray of uint32, shape (rows, 351)
        The river table, as `load_river_table` describes it. The rows of these boards are overwritten with packed
        counts: the hands that are beaten in the lower 16 bits, and the hands that are tied in the upper 16 bits.
    """
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        flush_suit = find_flush_suit(board)
        num_type_pairs = fill_possible_type_pairs(board, flush_suit, workspace)
        sort_by_strength(
            workspace.type_pairs, num_type_pairs, STRENGTH_SHIFT, workspace.scratch, workspace.bins
        )
        row = find_row_in_river_table(board, flush_suit)
        fill_counts_of_type_pairs(num_type_pairs, workspace, out_table[row])


CountTable = NDArray[Any]  # packed counts, of 32 or of 64 bits
WidePackedCounts: TypeAlias = NDArray[np.uint64]  # of larger counts: wins + 2**32 ties
WIDE_TIE_SHIFT = 32
WIDE_WIN_MASK = np.uint64(2**WIDE_TIE_SHIFT - 1)
TIE_SHIFTS = {0: WIDE_TIE_SHIFT, 3: WIDE_TIE_SHIFT, 4: TIE_SHIFT}
"""The bit of packed counts at which the ties begin, by the number of cards on the board."""


@cache
def load_equity_table(num_cards: int) -> CountTable:
    """Return a table of how many comparisons any hole cards win and tie on a street before the river.

    A comparison is one showdown against one hand of an opponent on one board of five cards that can still come. The
    table is made if it is not on disk yet, which takes some seconds. All later calls return the same array.

    Parameters
    ----------
    num_cards : int
        The number of cards on the board: 0, 3 or 4.

    Returns
    -------
    ndarray of uint64 or uint32, shape (boards, 1326)
        A row for each board of `list_canonical_boards`, and a column for each of `HOLDINGS`. The entries are packed
        counts, with the wins in the lower bits, and the ties from the bit `TIE_SHIFTS[num_cards]` on. An entry is zero
        if the hole cards share a card with the board.
    """
    table_builders = {0: build_starting_hand_table, 3: build_flop_table, 4: build_turn_table}
    return load_fixed_array(FIXED_TABLES[num_cards], table_builders[num_cards])


def unpack_counts(packed_counts: NDArray[Any], tie_shift: int) -> tuple[Ints, Ints]:
    """Return the wins and the ties that are packed into one integer.

    Parameters
    ----------
    packed_counts : ndarray of uint32 or uint64, shape (...,)
        Integers with the wins in the lower bits and the ties in the higher bits.
    tie_shift : int
        The bit at which the ties begin.

    Returns
    -------
    wins, ties : ndarray of int64, shape (...,)
        The numbers of comparisons that are won and tied.
    """
    counts = packed_counts.astype(np.int64)
    win_mask = (1 << tie_shift) - 1
    return counts & win_mask, counts >> tie_shift


def build_starting_hand_table() -> CountTable:
    """Return how many comparisons any hole cards win and tie before the flop, by adding up all boards of five cards.

    A comparison is one showdown against one hand of an opponent on one board.

    Returns
    -------
    ndarray of uint64, shape (1, 1326)
        One row, because there is one empty board, with a column for each of `HOLDINGS`. The entries are packed counts,
        with the wins in the lower 32 bits and the ties in the upper 32 bits.
    """
    sums = np.zeros(NUM_HOLDINGS, np.uint64)
    boards, multiplicities = list_canonical_boards(5)
    add_weighted_river_counts(load_river_table(), boards, multiplicities, sums)

    # The counts of a canonical board stand for those of equivalent boards, on which a renaming of suits makes a holding
    # another one of the same starting hand. So counts are averaged over the holdings of a starting hand.
    starting_hands = build_hand_classes(2).find_classes(HOLDINGS.copy())
    num_holdings = np.bincount(starting_hands).astype(np.uint64)
    shift = np.uint64(WIDE_TIE_SHIFT)
    total_wins = np.bincount(starting_hands, sums & WIDE_WIN_MASK).astype(np.uint64)
    total_ties = np.bincount(starting_hands, sums >> shift).astype(np.uint64)
    packed_counts = total_wins // num_holdings | total_ties // num_holdings << shift
    return np.asarray(packed_counts[None, starting_hands])


def build_flop_table() -> CountTable:
    """Return how many comparisons any hole cards win and tie on each canonical flop, by adding up all turns.

    One of the flops that differ only by a renaming of suits is called canonical. A comparison is one showdown against
    one hand of an opponent on one board of five cards that can still come.

    Returns
    -------
    ndarray of uint64, shape (1755, 1326)
        A row for each canonical flop, and a column for each of `HOLDINGS`. The entries are packed counts, with the wins
        in the lower 32 bits and the ties in the upper 32 bits.
    """
    flops, _ = list_canonical_boards(3)
    num_flops = len(flops)

    # Make the boards of each flop with each of the 49 turn cards.
    cards = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (num_flops, 1))
    is_left = (cards[:, :, None] != flops[:, None]).all(axis=2)
    turn_cards = cards[is_left].reshape(num_flops, -1, 1)
    repeated_flops = np.repeat(flops[:, None], turn_cards.shape[1], axis=1)
    boards = np.concatenate([repeated_flops, turn_cards], axis=2)

    classes = build_hand_classes(4)
    canonical_boards, renamings = classes.find_classes(boards), classes.find_renamings(boards)
    table = np.empty((num_flops, NUM_HOLDINGS), np.uint64)
    fill_flop_table_rows(load_equity_table(4), canonical_boards, renamings, table)
    return table


def build_turn_table() -> CountTable:
    """Return how many comparisons any hole cards win and tie on each canonical board of four, by adding up all rivers.

    One of the boards that a renaming of suits makes equal is called canonical. A comparison is one showdown against one
    hand of an opponent on one board of five cards that can still come.

    Returns
    -------
    ndarray of uint32, shape (16432, 1326)
        A row for each canonical board, and a column for each of `HOLDINGS`. The entries are packed counts, with the
        wins in the lower 16 bits and the ties in the upper 16 bits.
    """
    boards, _ = list_canonical_boards(4)
    table = np.empty((len(boards), NUM_HOLDINGS), np.uint32)
    fill_turn_table_rows(load_river_table(), boards, table)
    return table


@kernel
def fill_turn_table_rows(
    river_table: PackedCounts, boards: Cards, out_counts: PackedCounts
) -> None:
    """Write how many comparisons any hole cards win and tie on boards of four cards.

    First the rows of the river table are added over all 48 rivers, separately for each suit that can make a flush. Then
    the counts of the two rivers that are the hole cards themselves are subtracted. No hand wins more than 48 times 990
    comparisons, so adding packed counts never carries from the wins into the ties.

    Parameters
    ----------
    river_table : ndarray of uint32, shape (rows, 351)
        The table that `load_river_table` returns.
    boards : ndarray of uint8, shape (n, 4)
        n boards of four cards.
    out_counts : ndarray of uint32, shape (n, 1326)
        Overwritten with packed counts: the wins in the lower 16 bits and the ties in the upper 16 bits. An entry is
        zero if the hole cards share a card with the board.
    """
    # NO_SUIT is -1, so the last row has the sums of rivers on which no suit can make a flush.
    sums = np.empty((NUM_SUITS + 1, NUM_TYPE_PAIRS), np.uint32)
    was_summed = np.empty(NUM_SUITS + 1, np.bool_)  # whether any river has this flush suit
    counts_by_type, types = np.empty(NUM_CARD_TYPES, np.uint32), np.empty(NUM_CARDS, np.int64)
    river_board = np.empty(5, np.uint8)
    for board_index in range(boards.shape[0]):
        counts = out_counts[board_index]
        board_cards = np.int64(0)  # one bit for each card
        for position in range(4):
            card = boards[board_index, position]
            river_board[position] = card
            board_cards |= 1 << np.int64(card)
        counts[:] = 0
        sums[:] = 0
        was_summed[:] = False

        for river in range(NUM_CARDS):
            is_on_board = board_cards >> river & 1
            if is_on_board:
                continue
            river_board[4] = river
            flush_suit = find_flush_suit(river_board)
            was_summed[flush_suit] = True
            river_counts = river_table[find_row_in_river_table(river_board, flush_suit)]
            for type_pair in range(NUM_TYPE_PAIRS):
                sums[flush_suit, type_pair] += river_counts[type_pair]
            subtract_counts_of_holdings_with_card(
                river, flush_suit, river_counts, counts_by_type, counts
            )

        for flush_suit in range(NO_SUIT, NUM_SUITS):
            if was_summed[flush_suit]:
                add_type_pair_counts_to_holdings(
                    flush_suit, sums[flush_suit], counts_by_type, types, counts
                )
        clear_impossible_holdings(board_cards, counts)


@inlined
def subtract_counts_of_holdings_with_card(
    card: int,
    flush_suit: int,
    type_pair_counts: PackedCounts,
    counts_by_type: PackedCounts,
    out_counts: PackedCounts,
) -> None:
    """Subtract the wins and ties of its two types from the counts of each pair of hole cards with a given card.

    The type of a card is its rank, 0 to 12, or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    card : int
        The card that the hole cards contain.
    flush_suit : int
        The suit that can make a flush, or NO_SUIT.
    type_pair_counts : ndarray of uint32, shape (351,)
        The packed counts of each pair of types, in the order of `index_type_pair`.
    counts_by_type : ndarray of uint32, shape (26,)
        Overwritten with the packed counts of the given card with a second card of each type.
    out_counts : ndarray of uint32, shape (1326,)
        The packed counts of all hole cards, which are changed in place. Sums wrap around below zero until the same
        counts are added.
    """
    card_type = find_card_type(card, flush_suit)
    for other_type in range(count_card_types(flush_suit)):
        counts_by_type[other_type] = type_pair_counts[index_type_pair(card_type, other_type)]
    for other_card in range(NUM_CARDS):
        if other_card != card:
            holding = find_holding_index(other_card, card)
            out_counts[holding] -= counts_by_type[find_card_type(other_card, flush_suit)]


@inlined
def add_type_pair_counts_to_holdings(
    flush_suit: int,
    type_pair_counts: PackedCounts,
    counts_by_type: PackedCounts,
    types: Ints,
    out_counts: PackedCounts,
) -> None:
    """Add the wins and ties of its two types to the counts of each pair of hole cards.

    The counts of hole cards that share a card with the board are changed, too. The type of a card is its rank, 0 to 12,
    or 13 plus its rank if it is in the suit that can make a flush.

    Parameters
    ----------
    flush_suit : int
        The suit that can make a flush, or NO_SUIT.
    type_pair_counts : ndarray of uint32, shape (351,)
        The packed counts of each pair of types, in the order of `index_type_pair`.
    counts_by_type : ndarray of uint32, shape (26,)
        Overwritten with the packed counts of the last card with a second card of each type.
    types : ndarray of int64, shape (52,)
        Overwritten with the type of each card.
    out_counts : ndarray of uint32, shape (1326,)
        The packed counts of all hole cards, in the order of `HOLDINGS`, which are changed in place.
    """
    for card in range(NUM_CARDS):
        types[card] = find_card_type(card, flush_suit)
    first_holding = 0  # of the holdings with this high card
    for high_card in range(NUM_CARDS):
        for other_type in range(count_card_types(flush_suit)):
            counts_by_type[other_type] = type_pair_counts[
                index_type_pair(types[high_card], other_type)
            ]
        for low_card in range(high_card):
            out_counts[first_holding + low_card] += counts_by_type[types[low_card]]
        first_holding += high_card


@inlined
def clear_impossible_holdings(board_cards: np.int64, out_counts: PackedCounts) -> None:
    """Set the counts of hole cards that share a card with the board to zero.

    Parameters
    ----------
    board_cards : int64
        The cards on the board, one bit for each card.
    out_counts : ndarray of uint32, shape (1326,)
        The packed counts of all hole cards, in the order of `HOLDINGS`, which are changed in place.
    """
    for high_card in range(NUM_CARDS):
        for low_card in range(high_card):
            is_impossible = (board_cards >> high_card | board_cards >> low_card) & 1
            if is_impossible:
                out_counts[find_holding_index(high_card, low_card)] = 0


@inlined
def widen_packed_counts(packed_counts: np.uint32) -> np.uint64:
    """Return packed counts with more bits, so that larger sums fit.

    Parameters
    ----------
    packed_counts : uint32
        The wins in the lower 16 bits, and the ties in the upper 16 bits.

    Returns
    -------
    uint64
        The wins in the lower 32 bits, and the ties in the upper 32 bits.
    """
    wins, ties = np.uint64(packed_counts & WIN_MASK), np.uint64(packed_counts >> TIE_SHIFT)
    return wins | ties << np.uint64(WIDE_TIE_SHIFT)


@kernel
def fill_flop_table_rows(
    turn_table: PackedCounts,
    canonical_boards: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    out_counts: WidePackedCounts,
) -> None:
    """Write how many comparisons any hole cards win and tie on flops.

    The counts on the turn are added over all turn cards. Each pair of a turn and a river comes in two orders, so the
    sums are halved. The table of the turn has canonical boards only: one board of each class of boards that a renaming
    of suits makes equal. So the suits of hole cards are renamed like those of the board.

    Parameters
    ----------
    turn_table : ndarray of uint32, shape (16432, 1326)
        The packed counts of all hole cards on the canonical boards of four cards.
    canonical_boards : ndarray of int64, shape (n, 49)
        The canonical board of each of n flops with each turn card, as a row of `turn_table`.
    renamings : ndarray of uint8, shape (n, 49, 4)
        The suit that each suit becomes on this canonical board.
    out_counts : ndarray of uint64, shape (n, 1326)
        Overwritten with packed counts: the wins in the lower 32 bits and the ties in the upper 32 bits. An entry is
        zero if the hole cards share a card with the flop.
    """
    renamed_cards = np.empty(NUM_CARDS, np.int64)
    num_flops, num_turn_cards = canonical_boards.shape
    for flop in range(num_flops):
        counts = out_counts[flop]
        for holding in range(counts.size):
            counts[holding] = 0

        for turn in range(num_turn_cards):
            turn_counts = turn_table[canonical_boards[flop, turn]]
            for card in range(NUM_CARDS):
                new_suit = renamings[flop, turn, card % NUM_SUITS]
                renamed_cards[card] = card // NUM_SUITS * NUM_SUITS + new_suit
            add_counts_of_renamed_holdings(renamed_cards, turn_counts, counts)

        # Both counts are even, so halving the packed counts carries nothing from one into the other.
        for holding in range(counts.size):
            counts[holding] //= 2


@inlined
def add_counts_of_renamed_holdings(
    renamed_cards: Ints, packed_counts: PackedCounts, out_counts: WidePackedCounts
) -> None:
    """Add to the counts of each holding those of the holding with renamed suits.

    A holding is a pair of hole cards.

    Parameters
    ----------
    renamed_cards : ndarray of int64, shape (52,)
        The card that each card becomes by a renaming of suits.
    packed_counts : ndarray of uint32, shape (1326,)
        The packed counts of all holdings.
    out_counts : ndarray of uint64, shape (1326,)
        The counts are added to it, packed with more bits.
    """
    holding = 0
    for high_card in range(NUM_CARDS):
        for low_card in range(high_card):
            renamed = find_holding_index(renamed_cards[high_card], renamed_cards[low_card])
            out_counts[holding] += widen_packed_counts(packed_counts[renamed])
            holding += 1


@kernel
def add_weighted_river_counts(
    river_table: PackedCounts,
    boards: Cards,
    multiplicities: NDArray[np.int64],
    out_counts: WidePackedCounts,
) -> None:
    """Add to `out_counts` how many hands any hole cards beat and tie on boards, times the multiplicity of each board.

    Parameters
    ----------
    river_table : ndarray of uint32, shape (rows, 351)
        The table that `load_river_table` returns.
    boards : ndarray of uint8, shape (n, 5)
        n boards of five cards.
    multiplicities : ndarray of int64, shape (n,)
        The number of boards that each board stands for.
    out_counts : ndarray of uint64, shape (1326,)
        Packed counts, with the wins in the lower 32 bits and the ties in the upper 32 bits, in the order of `HOLDINGS`.
        The counts of each board are added, except to hole cards that share a card with it.
    """
    types, counts_by_types = np.empty(NUM_CARDS, np.int64), np.zeros(TYPE_SQUARE, np.uint64)
    type_pair_counts = np.zeros(NUM_TYPE_PAIRS, np.uint64)  # on one board
    for board_index in range(boards.shape[0]):
        board = boards[board_index]
        flush_suit = find_flush_suit(board)
        row = find_row_in_river_table(board, flush_suit)
        for type_pair in range(NUM_TYPE_PAIRS):
            counts = widen_packed_counts(river_table[row, type_pair])
            type_pair_counts[type_pair] = counts * np.uint64(multiplicities[board_index])
        # Holdings that share a card with the board get the last row of `counts_by_types`, which stays zero.
        add_type_pair_values_to_holdings(
            board, flush_suit, type_pair_counts, types, counts_by_types, out_counts
        )
