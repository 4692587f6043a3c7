"""The boards before the flop on which one known hand wins, ties and loses against another, counted by their ranks.

There are 1,712,304 boards, but the result of a showdown depends on few of their properties. Without a flush, only the
ranks on the board matter. So all boards are first compared as if there were no flushes: once for each multiset of five
ranks, which is counted as often as there are boards with these ranks.

Then the boards that give a player a flush are corrected. They have three to five cards of one suit, so no other suit
can have a flush, and of the other cards again only the ranks matter. A player with a flush has neither a full house
nor four of a kind, because at least five of the seven cards have different ranks. So the strength of a hand is the
larger of its strength without flushes and that of its flush.
"""

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


@kernel
def count_preflop_showdowns(first: Cards, second: Cards, out_counts: Ints) -> None:
    """Count the boards on which the first hand wins, ties and loses against the second, before the flop.

    First all boards are counted as if there were no flushes, by the multisets of their ranks. Then the boards on which
    a suit can make a flush are counted again for each suit: their results without flushes are subtracted, and their
    results with flushes are added.

    Parameters
    ----------
    first, second : ndarray of uint8, shape (2,)
        Hole cards.
    out_counts : ndarray of int64, shape (3,)
        Overwritten with the numbers of boards that are won, tied and lost.
    """
    first_key, second_key = sum_rank_keys(first), sum_rank_keys(second)
    first_bits = CARD_BITS[first[0]] + CARD_BITS[first[1]]
    second_bits = CARD_BITS[second[0]] + CARD_BITS[second[1]]
    num_left = np.zeros(NUM_RANKS, np.int64)  # the cards of each rank that can be on the board
    for rank in range(NUM_RANKS):
        for suit in range(NUM_SUITS):
            is_held = (first_bits | second_bits) >> MASK_BITS * suit + rank & 1
            num_left[rank] += 1 - is_held

    # All boards, as if there were no flushes.
    places, ranks = np.empty(BOARD_SIZE, np.int64), np.empty(NUM_RANKS, np.int64)
    keys = np.empty(NUM_RANK_MULTISETS, np.int64)
    counts = np.empty(NUM_RANK_MULTISETS, np.int64)
    total = wins = losses = np.int64(0)
    num_multisets = fill_rank_multisets(num_left, BOARD_SIZE, places, keys, counts)
    for index in range(num_multisets):
        first_strength = evaluate_ranks(first_key + keys[index])
        second_strength = evaluate_ranks(second_key + keys[index])
        total += counts[index]
        wins += counts[index] * (first_strength > second_strength)
        losses += counts[index] * (first_strength < second_strength)

    # Boards with a flush in one suit: instead of the results without flushes, those with flushes are counted.
    for suit in range(NUM_SUITS):
        first_ranks = first_bits >> MASK_BITS * suit & RANK_MASK
        second_ranks = second_bits >> MASK_BITS * suit & RANK_MASK

        # From now on `num_left` counts only the other suits.
        num_ranks = list_ranks_left(first_ranks | second_ranks, ranks)
        for place in range(num_ranks):
            num_left[ranks[place]] -= 1

        # Combine each set of ranks in the suit with each multiset of ranks of the other suits.
        most_held = max(count_suit(first, suit), count_suit(second, suit))
        for num_suited in range(FLUSH_SIZE - most_held, BOARD_SIZE + 1):
            num_multisets = fill_rank_multisets(
                num_left, BOARD_SIZE - num_suited, places, keys, counts
            )
            start_combination(places, num_suited)
            has_next = True
            while has_next:
                suited_key, suited_ranks = sum_suited_ranks(ranks, places, num_suited)
                # These strengths are 0 without a flush.
                first_flush = np.int64(FLUSH_STRENGTHS[first_ranks | suited_ranks])
                second_flush = np.int64(FLUSH_STRENGTHS[second_ranks | suited_ranks])
                more_wins, more_losses = count_changes_by_flushes(
                    first_key + suited_key,
                    second_key + suited_key,
                    first_flush,
                    second_flush,
                    keys[:num_multisets],
                    counts,
                )
                wins += more_wins
                losses += more_losses
                has_next = advance_combination(places, num_suited, num_ranks)

        # Count the cards of this suit again.
        for place in range(num_ranks):
            num_left[ranks[place]] += 1

    out_counts[0] = wins
    out_counts[1] = total - wins - losses
    out_counts[2] = losses


@inlined
def list_ranks_left(held_ranks: np.int64, out_ranks: Ints) -> int:
    """Write the ranks of a suit that can be on the board, in ascending order, and return their number.

    Parameters
    ----------
    held_ranks : int
        The ranks of the suit that the two hands hold, one bit for each.
    out_ranks : ndarray of int64, shape (13,)
        The first entries are overwritten.
    """
    num_ranks = 0
    for rank in range(NUM_RANKS):
        is_held = held_ranks >> rank & 1
        if not is_held:
            out_ranks[num_ranks] = rank
            num_ranks += 1
    return num_ranks


@inlined
def sum_suited_ranks(ranks: Ints, places: Ints, num_suited: int) -> tuple[np.int64, np.int64]:
    """Return the sum of the keys of the ranks of the board's cards of a suit, and their set, one bit for each rank.

    Parameters
    ----------
    ranks : ndarray of int64, shape (13,)
        The ranks from which the cards are chosen.
    places : ndarray of int64, shape (5,)
        Its first `num_suited` entries are the indices of the chosen ranks.
    num_suited : int
        The number of cards of the suit.
    """
    key, rank_set = np.int64(0), np.int64(0)
    for place in range(num_suited):
        rank = ranks[places[place]]
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
    """Return by how much the numbers of boards that are won and lost grow if flushes of a suit count, too.

    The cards of the suit are fixed, and all multisets of ranks of the other cards of the board are counted.

    Parameters
    ----------
    first_key, second_key : int
        For each hand, the sum of the keys of the ranks of its cards and of the board's cards of the suit.
    first_flush, second_flush : int
        The strength of each hand's flush, or 0 if it has none.
    keys : ndarray of int64, shape (n,)
        For each multiset of the other cards of the board, the sum of the keys of its ranks.
    counts : ndarray of int64
        For each of these multisets, the number of sets of cards that have its ranks.
    """
    wins = losses = np.int64(0)
    for index in range(keys.size):
        first_strength = evaluate_ranks(first_key + keys[index])
        second_strength = evaluate_ranks(second_key + keys[index])
        wins -= counts[index] * (first_strength > second_strength)
        losses -= counts[index] * (first_strength < second_strength)

        first_strength = max(first_strength, first_flush)
        second_strength = max(second_strength, second_flush)
        wins += counts[index] * (first_strength > second_strength)
        losses += counts[index] * (first_strength < second_strength)
    return wins, losses


@inlined
def sum_rank_keys(hole: Cards) -> np.int64:
    """Return the sum of the keys of the ranks of two hole cards, which leaves their suits out."""
    return np.int64(KEY_OF_RANK[hole[0] // NUM_SUITS] + KEY_OF_RANK[hole[1] // NUM_SUITS])


@inlined
def count_suit(hole: Cards, suit: int) -> int:
    """Return the number of hole cards of a suit."""
    return int(hole[0] % NUM_SUITS == suit) + int(hole[1] % NUM_SUITS == suit)


@inlined
def evaluate_ranks(key: np.int64) -> np.int64:
    """Return the strength of seven cards without a flush, from the sum of the keys of their ranks."""
    return np.int64(
        STRENGTHS_7[np.uint64(np.int64(OFFSETS_7[key & ROW_MASK]) + (key >> COLUMN_SHIFT))]
    )


@inlined
def fill_rank_multisets(
    num_left: Ints, size: int, places: Ints, out_keys: Ints, out_counts: Ints
) -> int:
    """Write the multisets of ranks of all sets of `size` cards that can be drawn from the cards left.

    A multiset for which too few cards of a rank are left is left out. So the number of multisets is at most the number
    of all multisets of `size` of 13 ranks.

    A multiset of `size` of 13 ranks corresponds to a combination of `size` out of `size` + 12 places: the i-th smallest
    rank is the i-th smallest place minus i, counted from 0.

    Parameters
    ----------
    num_left : ndarray of int64, shape (13,)
        The number of cards of each rank that are left.
    size : int
        The number of cards in a set, 0 to 5.
    places : ndarray of int64, shape (5,)
        Its first `size` entries are overwritten with combinations.
    out_keys : ndarray of int64, shape (6175,)
        The first entries are overwritten, one for each multiset, with the sum of the keys of its ranks. There is an
        entry for each of the `NUM_RANK_MULTISETS` multisets of five ranks, the largest size.
    out_counts : ndarray of int64, shape (6175,)
        The first entries are overwritten, one for each multiset, with the number of sets of cards that have its ranks.

    Returns
    -------
    int
        The number of multisets that were written.
    """
    num_multisets = 0
    start_combination(places, size)
    has_next = True
    while has_next:
        # There are num_ordered ways to take cards of these ranks one after the other. If a rank occurs m times, m! of
        # them take the same cards.
        key, num_ordered, num_orders = np.int64(0), np.int64(1), np.int64(1)
        previous_rank, times = -1, 0
        for place in range(size):
            rank = places[place] - place
            times = times + 1 if rank == previous_rank else 1
            previous_rank = rank
            key += KEY_OF_RANK[rank]
            num_ordered *= num_left[rank] - times + 1
            num_orders *= times
        if num_ordered:  # otherwise too few cards of a rank are left
            out_keys[num_multisets] = key
            out_counts[num_multisets] = num_ordered // num_orders
            num_multisets += 1
        has_next = advance_combination(places, size, NUM_RANKS + size - 1)
    return num_multisets


@inlined
def start_combination(places: Ints, size: int) -> None:
    """Write the first combination of `size` places in lexicographic order: 0, 1, 2, ..."""
    for place in range(size):
        places[place] = place


@inlined
def advance_combination(places: Ints, size: int, num_places: int) -> bool:
    """Replace a combination by the next one in lexicographic order, and return whether there is one.

    Parameters
    ----------
    places : ndarray of int64, shape (n,)
        The first `size` entries are the combination, in ascending order. They are overwritten.
    size : int
        The number of places in a combination.
    num_places : int
        The number of places from which they are chosen, 0 to `num_places` - 1.
    """
    # Find the last entry that can grow: the entries after it have their largest values.
    last = size - 1
    while last >= 0 and places[last] == num_places - size + last:
        last -= 1
    if last < 0:
        return False

    # Increase it, and let the others follow it.
    places[last] += 1
    for place in range(last + 1, size):
        places[place] = places[place - 1] + 1
    return True
