"""The boards before the flop on which one known hand wins, ties and loses against another, counted by their ranks.

There are 1,712,304 boards, but the result of a showdown depends on few of their properties. Without a flush, only the
ranks on the board matter. So all boards are first compared as if there were no flushes: once for each multiset of five
ranks, which is counted as often as there are boards with these ranks.

Then the boards that give a player a flush are corrected. They have three to five cards of one suit, so no other suit
can have a flush, and of the other cards again only the ranks matter. A player with a flush has neither a full house
nor four of a kind, because at least five of the seven cards have different ranks. So the strength of a hand is the
larger of its strength without flushes and that of its flush.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Ints, inlined, kernel
from pokerlab.holdem.cards import NUM_RANKS, NUM_SUITS, Cards
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    COLUMN_SHIFT,
    FLUSH_STRENGTHS,
    KEY_OF_RANK,
    MASK_BITS,
    OFFSETS_7,
    RANK_MASK,
    ROW_MASK,
    STRENGTHS_7,
)

BOARD_SIZE = FLUSH_SIZE = 5
NUM_RANK_MULTISETS = 6_175
"""The number of multisets of five ranks, at most four of a kind."""
WINS, TIES, LOSSES = range(3)
"""The indices of an array with the numbers of boards on which the first of two hands wins, ties and loses."""


class ShowdownWorkspace(NamedTuple):
    """The arrays that are overwritten when the boards of two hands are counted.

    Attributes
    ----------
    positions : ndarray of int64, shape (5,)
        A combination of cards or ranks, in ascending order.
    ranks : ndarray of int64, shape (13,)
        The ranks of a suit that neither hand holds.
    keys : ndarray of int64, shape (6175,)
        For each multiset of ranks, the sum of their `KEY_OF_RANK`.
    counts : ndarray of int64, shape (6175,)
        For each multiset of ranks, the number of sets of cards that have these ranks.
    """

    positions: Ints
    ranks: Ints
    keys: Ints
    counts: Ints


@kernel
def count_preflop_showdowns(first_hole: Cards, second_hole: Cards, out_counts: Ints) -> None:
    """Write the numbers of boards on which one hand wins, ties and loses against another, before the flop.

    First all boards are counted as if there were no flushes, by the multisets of their ranks. Then the boards on which
    a suit can make a flush are counted again for each suit: their results without flushes are subtracted, and their
    results with flushes are added.

    Parameters
    ----------
    first_hole, second_hole : ndarray of uint8, shape (2,)
        The two hole cards of each hand. All four cards must be different.
    out_counts : ndarray of int64, shape (3,)
        Overwritten with the numbers of boards that the first hand wins, ties and loses.
    """
    workspace = ShowdownWorkspace(
        positions=np.empty(BOARD_SIZE, np.int64),
        ranks=np.empty(NUM_RANKS, np.int64),
        keys=np.empty(NUM_RANK_MULTISETS, np.int64),
        counts=np.empty(NUM_RANK_MULTISETS, np.int64),
    )
    num_left = np.empty(NUM_RANKS, np.int64)
    count_cards_of_ranks(first_hole, second_hole, num_left)

    total, wins, losses = count_showdowns_without_flushes(
        first_hole, second_hole, num_left, workspace
    )
    for suit in range(NUM_SUITS):
        more_wins, more_losses = count_changes_by_flushes_in_suit(
            first_hole, second_hole, suit, num_left, workspace
        )
        wins += more_wins
        losses += more_losses

    out_counts[WINS] = wins
    out_counts[TIES] = total - wins - losses
    out_counts[LOSSES] = losses


@inlined
def count_cards_of_ranks(first_hole: Cards, second_hole: Cards, out_num_left: Ints) -> None:
    """Write the number of cards of each rank that neither of two hands holds, which can be on the board.

    Parameters
    ----------
    first_hole, second_hole : ndarray of uint8, shape (2,)
        The two hole cards of each hand.
    out_num_left : ndarray of int64, shape (13,)
        Overwritten with the number of cards of each rank.
    """
    for rank in range(NUM_RANKS):
        out_num_left[rank] = NUM_SUITS
    for position in range(2):
        out_num_left[first_hole[position] // NUM_SUITS] -= 1
        out_num_left[second_hole[position] // NUM_SUITS] -= 1


@inlined
def count_showdowns_without_flushes(
    first_hole: Cards, second_hole: Cards, num_left: Ints, workspace: ShowdownWorkspace
) -> tuple[np.int64, np.int64, np.int64]:
    """Return on how many boards one hand would win and lose against another if there were no flushes.

    Parameters
    ----------
    first_hole, second_hole : ndarray of uint8, shape (2,)
        The two hole cards of each hand.
    num_left : ndarray of int64, shape (13,)
        The number of cards of each rank that can be on the board.
    workspace : ShowdownWorkspace
        Overwritten, except for `ranks`.

    Returns
    -------
    total : int64
        The number of all boards.
    wins, losses : int64
        The numbers of boards on which the first hand wins and loses.
    """
    first_key, second_key = sum_rank_keys(first_hole), sum_rank_keys(second_hole)
    num_multisets = fill_rank_multisets(
        num_left, BOARD_SIZE, workspace.positions, workspace.keys, workspace.counts
    )
    total = wins = losses = np.int64(0)
    for index in range(num_multisets):
        first_strength = evaluate_seven_without_flush(first_key + workspace.keys[index])
        second_strength = evaluate_seven_without_flush(second_key + workspace.keys[index])
        total += workspace.counts[index]
        wins += workspace.counts[index] * (first_strength > second_strength)
        losses += workspace.counts[index] * (first_strength < second_strength)
    return total, wins, losses


@inlined
def count_changes_by_flushes_in_suit(
    first_hole: Cards, second_hole: Cards, suit: int, num_left: Ints, workspace: ShowdownWorkspace
) -> tuple[np.int64, np.int64]:
    """Return by how much the numbers of boards that are won and lost grow if flushes of one suit count, too.

    Each set of cards of this suit on the board is combined with each multiset of ranks of the other cards.

    Parameters
    ----------
    first_hole, second_hole : ndarray of uint8, shape (2,)
        The two hole cards of each hand.
    suit : int
        The suit, 0 to 3.
    num_left : ndarray of int64, shape (13,)
        The number of cards of each rank that can be on the board. It is changed, and is as before at the end.
    workspace : ShowdownWorkspace
        Overwritten.

    Returns
    -------
    more_wins, more_losses : int64
        The changes of the numbers of boards on which the first hand wins and loses. They may be negative.
    """
    first_key, second_key = sum_rank_keys(first_hole), sum_rank_keys(second_hole)
    first_ranks = find_ranks_in_suit(first_hole, suit)
    second_ranks = find_ranks_in_suit(second_hole, suit)
    num_ranks = list_ranks_not_held(first_ranks | second_ranks, workspace.ranks)

    # From now on `num_left` counts only the other suits.
    for index in range(num_ranks):
        num_left[workspace.ranks[index]] -= 1

    # Combine each set of ranks in the suit with each multiset of ranks of the other suits.
    more_wins = more_losses = np.int64(0)
    most_held = max(count_cards_of_suit(first_hole, suit), count_cards_of_suit(second_hole, suit))
    for num_suited in range(FLUSH_SIZE - most_held, BOARD_SIZE + 1):
        num_multisets = fill_rank_multisets(
            num_left, BOARD_SIZE - num_suited, workspace.positions, workspace.keys, workspace.counts
        )
        start_combination(workspace.positions, num_suited)
        has_next = True
        while has_next:
            suited_key, suited_ranks = sum_suited_ranks(
                workspace.ranks, workspace.positions, num_suited
            )
            # These strengths are 0 without a flush.
            first_flush = np.int64(FLUSH_STRENGTHS[first_ranks | suited_ranks])
            second_flush = np.int64(FLUSH_STRENGTHS[second_ranks | suited_ranks])
            win_change, loss_change = count_changes_by_flushes(
                first_key + suited_key,
                second_key + suited_key,
                first_flush,
                second_flush,
                workspace.keys[:num_multisets],
                workspace.counts,
            )
            more_wins += win_change
            more_losses += loss_change
            has_next = advance_combination(workspace.positions, num_suited, num_ranks)

    # Count the cards of this suit again.
    for index in range(num_ranks):
        num_left[workspace.ranks[index]] += 1
    return more_wins, more_losses


@inlined
def find_ranks_in_suit(hole: Cards, suit: int) -> np.int64:
    """Return the set of ranks that two hole cards have in a suit, as bits: bit r stands for rank r.

    Parameters
    ----------
    hole : ndarray of uint8, shape (2,)
        The two hole cards.
    suit : int
        The suit, 0 to 3.
    """
    bits = CARD_BITS[hole[0]] + CARD_BITS[hole[1]]
    return np.int64(bits >> MASK_BITS * suit & RANK_MASK)


@inlined
def list_ranks_not_held(held_ranks: np.int64, out_ranks: Ints) -> int:
    """Write the ranks of a suit that neither hand holds, in ascending order, and return their number.

    Parameters
    ----------
    held_ranks : int64
        The ranks of the suit that the two hands hold: bit r stands for rank r.
    out_ranks : ndarray of int64, shape (13,)
        The first entries are overwritten with the ranks that are not held.

    Returns
    -------
    int
        The number of ranks that were written.
    """
    num_ranks = 0
    for rank in range(NUM_RANKS):
        is_held = held_ranks >> rank & 1
        if not is_held:
            out_ranks[num_ranks] = rank
            num_ranks += 1
    return num_ranks


@inlined
def sum_suited_ranks(ranks: Ints, positions: Ints, num_suited: int) -> tuple[np.int64, np.int64]:
    """Return two sums over the board's cards of one suit, which identify the ranks of these cards.

    Parameters
    ----------
    ranks : ndarray of int64, shape (13,)
        The ranks from which the cards are chosen.
    positions : ndarray of int64, shape (5,)
        Its first `num_suited` entries are the indices in `ranks` of the chosen ranks.
    num_suited : int
        The number of cards of the suit.

    Returns
    -------
    key : int64
        The sum of the `KEY_OF_RANK` of the chosen ranks.
    rank_set : int64
        The set of the chosen ranks: bit r stands for rank r.
    """
    key, rank_set = np.int64(0), np.int64(0)
    for index in range(num_suited):
        rank = ranks[positions[index]]
        key += KEY_OF_RANK[rank]
        rank_set |= 1 << rank
    return key, rank_set


@inlined
def count_changes_by_flushes(
    first_key: np.int64,
    second_key: np.int64,
    first_flush: np.int64,
    second_flush: np.int64,
    keys: Ints,
    counts: Ints,
) -> tuple[np.int64, np.int64]:
    """Return by how much the numbers of boards that are won and lost grow if some given flushes count, too.

    The board's cards of the flush suit are fixed, and all multisets of ranks of its other cards are counted. The sum of
    the `KEY_OF_RANK` of seven cards identifies their ranks, and so their strength without a flush.

    Parameters
    ----------
    first_key, second_key : int64
        For each hand, the sum of the `KEY_OF_RANK` of its hole cards and of the board's cards of the suit.
    first_flush, second_flush : int64
        The strength of each hand's flush, or 0 if it has none.
    keys : ndarray of int64, shape (n,)
        For each multiset of ranks of the board's other cards, the sum of their `KEY_OF_RANK`.
    counts : ndarray of int64, shape (n,) or longer
        For each of these multisets, the number of sets of cards that have its ranks.

    Returns
    -------
    more_wins, more_losses : int64
        The changes of the numbers of boards on which the first hand wins and loses. They may be negative.
    """
    more_wins = more_losses = np.int64(0)
    for index in range(keys.size):
        first_strength = evaluate_seven_without_flush(first_key + keys[index])
        second_strength = evaluate_seven_without_flush(second_key + keys[index])
        more_wins -= counts[index] * (first_strength > second_strength)
        more_losses -= counts[index] * (first_strength < second_strength)

        # A hand with a flush has no full house and no four of a kind, so the stronger of the two counts.
        first_strength = max(first_strength, first_flush)
        second_strength = max(second_strength, second_flush)
        more_wins += counts[index] * (first_strength > second_strength)
        more_losses += counts[index] * (first_strength < second_strength)
    return more_wins, more_losses


@inlined
def sum_rank_keys(hole: Cards) -> np.int64:
    """Return the sum of the `KEY_OF_RANK` of two hole cards, which identifies their ranks but not their suits.

    Parameters
    ----------
    hole : ndarray of uint8, shape (2,)
        The two hole cards.
    """
    return np.int64(KEY_OF_RANK[hole[0] // NUM_SUITS] + KEY_OF_RANK[hole[1] // NUM_SUITS])


@inlined
def count_cards_of_suit(hole: Cards, suit: int) -> int:
    """Return how many of two hole cards have a given suit.

    Parameters
    ----------
    hole : ndarray of uint8, shape (2,)
        The two hole cards.
    suit : int
        The suit, 0 to 3.
    """
    return int(hole[0] % NUM_SUITS == suit) + int(hole[1] % NUM_SUITS == suit)


@inlined
def evaluate_seven_without_flush(key: np.int64) -> np.int64:
    """Return the strength of seven cards as if they had no flush, from 0 to 7461.

    Parameters
    ----------
    key : int64
        The sum of the `KEY_OF_RANK` of the seven cards. It contains the row and the column of their ranks in a sparse
        table, whose rows lie over each other in `STRENGTHS_7`.
    """
    offset = np.int64(OFFSETS_7[key & ROW_MASK])
    column = key >> COLUMN_SHIFT
    return np.int64(STRENGTHS_7[np.uint64(offset + column)])


@inlined
def fill_rank_multisets(
    num_left: Ints, size: int, positions: Ints, out_keys: Ints, out_counts: Ints
) -> int:
    """Write the multisets of ranks of all sets of cards of one size, and how many sets of cards have these ranks.

    A multiset for which too few cards of a rank are left is left out. So the number of multisets is at most the number
    of all multisets of `size` of 13 ranks.

    A multiset of `size` of 13 ranks corresponds to a combination of `size` out of `size` + 12 positions: the i-th
    smallest rank is the i-th smallest position minus i, counted from 0.

    Parameters
    ----------
    num_left : ndarray of int64, shape (13,)
        The number of cards of each rank that are left.
    size : int
        The number of cards in a set, 0 to 5.
    positions : ndarray of int64, shape (5,)
        Its first `size` entries are overwritten with combinations.
    out_keys : ndarray of int64, shape (6175,)
        The first entries are overwritten, one for each multiset, with the sum of the `KEY_OF_RANK` of its ranks. There
        is an entry for each of the `NUM_RANK_MULTISETS` multisets of five ranks, the largest size.
    out_counts : ndarray of int64, shape (6175,)
        The first entries are overwritten, one for each multiset, with the number of sets of cards that have its ranks.

    Returns
    -------
    int
        The number of multisets that were written.
    """
    num_multisets = 0
    start_combination(positions, size)
    has_next = True
    while has_next:
        # There are `num_sequences` ways to take cards of these ranks one after the other. If a rank occurs m times, m!
        # of them take the same cards.
        key, num_sequences, num_orders = np.int64(0), np.int64(1), np.int64(1)
        previous_rank, times = -1, 0
        for index in range(size):
            rank = positions[index] - index
            times = times + 1 if rank == previous_rank else 1
            previous_rank = rank
            key += KEY_OF_RANK[rank]
            num_sequences *= num_left[rank] - times + 1
            num_orders *= times

        has_enough_cards = num_sequences > 0
        if has_enough_cards:
            out_keys[num_multisets] = key
            out_counts[num_multisets] = num_sequences // num_orders
            num_multisets += 1
        has_next = advance_combination(positions, size, NUM_RANKS + size - 1)
    return num_multisets


@inlined
def start_combination(positions: Ints, size: int) -> None:
    """Write the first combination in lexicographic order: 0, 1, 2, ...

    Parameters
    ----------
    positions : ndarray of int64, shape (n,)
        Its first `size` entries are overwritten.
    size : int
        The number of positions in a combination.
    """
    for index in range(size):
        positions[index] = index


@inlined
def advance_combination(positions: Ints, size: int, num_positions: int) -> bool:
    """Replace a combination in place by the next one in lexicographic order, and return whether there is one.

    Parameters
    ----------
    positions : ndarray of int64, shape (n,)
        The first `size` entries are the combination, in ascending order. They are overwritten, unless it is the last
        combination.
    size : int
        The number of positions in a combination.
    num_positions : int
        The number of positions from which they are chosen, 0 to `num_positions` - 1.

    Returns
    -------
    bool
        Whether there was a next combination.
    """
    # Find the last entry that can grow: the entries after it have their largest values.
    last_movable = size - 1
    while last_movable >= 0 and positions[last_movable] == num_positions - size + last_movable:
        last_movable -= 1
    if last_movable < 0:
        return False

    # Increase it, and let the others follow it.
    positions[last_movable] += 1
    for index in range(last_movable + 1, size):
        positions[index] = positions[index - 1] + 1
    return True
