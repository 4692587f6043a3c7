"""A hand evaluator: the strength of five, six or seven cards, a number from 0 to 7461, where larger is stronger.

A card has two constants. Its *key*, `CARD_KEYS[card]`, contains what its rank adds to a row (the lowest 16 bits) and to
a column (the highest bits), and between them what it adds to a counter for each suit. Its *bits*, `CARD_BITS[card]`,
have one bit set, which stands for its rank and suit. The key and the bits of a hand are the sums over its cards. If
five cards have one suit, a single AND with the counters shows it, and the bits give the ranks of the flush. If not, row
and column find the strength in a small table.

In kernels, call `evaluate_seven_cards(cards)`. Where hands share cards, sum their keys and bits once, and call
`evaluate_seven(key, bits)`.

The tables are made from the rules of poker. `rank_five_cards` has these rules: it returns a tuple, and of two hands the
one with the greater tuple is stronger. The strength of five cards is the number of its tuple among all 7,462 tuples in
ascending order. Six or seven cards are as strong as the best hand that is left without one of them.

The sum of `RANK_KEYS` over the cards of a hand identifies its ranks. All 49,205 sums of seven ranks, at most four of a
kind, are distinct, and so are the sums of six and of five ranks. They reach up to 7,825,759, which is too many for a
table with an entry for each. So the low bits of the rank keys add up to a row, the high bits to a column, and the rows
of this sparse table are laid over each other at offsets where no two hands collide (row displacement).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Ints, validate_numbers
from pokerlab.core.cache import load_or_make_arrays
from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.errors import CardError, SettingError, quote_value
from pokerlab.core.settings import validate_integer
from pokerlab.holdem.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, validate_cards

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

CATEGORY_BY_COUNTS = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}
"""The categories that depend on how often each rank occurs, the most frequent first."""

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""For each rank the smallest number that keeps all sums of seven distinct, rank by rank."""

LOW_BITS = 10  # the number of bits of a rank key that are added to the row; the others are added to the column
ROW_KEYS = np.array(RANK_KEYS) & (1 << LOW_BITS) - 1
"""What each rank adds to the row; the sum of seven cards is below 2**16."""
COLUMN_KEYS = np.array(RANK_KEYS) >> LOW_BITS
"""What each rank adds to the column; the sum of seven cards is below 2**13."""

WHEEL = (12, 0, 1, 2, 3)
"""The ranks of the lowest straight, in which the ace counts as one: 5 4 3 2 A."""

Uint16s: TypeAlias = NDArray[np.uint16]


def rank_five_cards(ranks: tuple[int, ...], is_suited: bool) -> tuple[int, ...]:
    """Return a tuple that ranks five cards by the rules of poker: stronger hands have greater tuples.

    The tuple has the category, followed by the ranks that break ties. Ranks that occur more often come first, and of
    those that occur equally often the higher ones come first. Of a straight only the highest rank counts.

    Parameters
    ----------
    ranks : tuple of 5 int
        The ranks of the five cards, 0 (two) to 12 (ace), in any order.
    is_suited : bool
        Whether all five cards have one suit.

    Returns
    -------
    tuple of int
        The index of the category in `CATEGORIES`, and one to five ranks.

    Examples
    --------
    >>> rank_five_cards((3, 12, 3, 12, 0), is_suited=False)  # two pair, aces and fives, with a two
    (2, 12, 3, 0)
    """
    counts = Counter(ranks)
    category_name = CATEGORY_BY_COUNTS[tuple(sorted(counts.values(), reverse=True))]
    tie_breakers = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    if set(ranks) == set(WHEEL):
        category_name = "straight"
        tie_breakers = [max(WHEEL[1:])]
    elif category_name == "high card" and max(ranks) - min(ranks) == 4:
        category_name = "straight"
        tie_breakers = [max(ranks)]
    if is_suited:
        category_name = "straight flush" if category_name == "straight" else "flush"
    return (CATEGORIES.index(category_name), *tie_breakers)


def list_rank_multisets(size: int) -> NDArray[np.int64]:
    """Return all multisets of ranks with at most four of a kind, each in ascending order.

    Parameters
    ----------
    size : int
        The number of ranks in a multiset, at least 5.

    Returns
    -------
    ndarray of int64, shape (n, size)
        The n multisets in lexicographic order. Ranks are 0 (two) to 12 (ace).
    """
    multisets = np.array(list(combinations_with_replacement(range(NUM_RANKS), size)))
    # In ascending order, five of a kind are recognized by equal ranks four positions apart.
    is_possible = (multisets[:, 4:] != multisets[:, :-4]).all(axis=1)
    possible_multisets: NDArray[np.int64] = multisets[is_possible]
    return possible_multisets


def build_strength_tables() -> dict[str, Uint16s]:
    """Return the tables that give the strength of five, six and seven cards.

    Returns
    -------
    dict of str to ndarray of uint16
        `flush[ranks]` is the strength of the best flush among the ranks of one suit, given as bits. Without a flush the
        strength of k cards is `strengths_k[offsets_k[row] + column]`, where `row` and `column` are the sums of their
        `ROW_KEYS` and `COLUMN_KEYS`.
    """
    # Number all five-card hands from the weakest to the strongest; the number of a hand is its strength.
    offsuit_hands = [tuple(ranks) for ranks in list_rank_multisets(5).tolist()]
    suited_hands = list(combinations(range(NUM_RANKS), 5))
    offsuit_tuples = [rank_five_cards(ranks, is_suited=False) for ranks in offsuit_hands]
    suited_tuples = [rank_five_cards(ranks, is_suited=True) for ranks in suited_hands]
    ascending_tuples = sorted(set(offsuit_tuples) | set(suited_tuples))
    strength_of_tuple = {ranked: strength for strength, ranked in enumerate(ascending_tuples)}
    offsuit_strengths = [strength_of_tuple[ranked] for ranked in offsuit_tuples]
    suited_strengths = [strength_of_tuple[ranked] for ranked in suited_tuples]
    tables = {"flush": build_flush_table(suited_hands, suited_strengths)}

    # Six and seven cards are as strong as the best hand that is left without one of them. The hands of one size are
    # kept sorted by the sums of their rank keys, so that hands with one card more find them.
    rank_keys = np.array(RANK_KEYS)
    sorted_key_sums = sorted_strengths = np.empty(0, np.int64)  # of hands with one card fewer
    for size in (5, 6, 7):
        multisets = list_rank_multisets(size)
        keys_of_cards = rank_keys[multisets]
        key_sums = keys_of_cards.sum(axis=1)
        if size == 5:
            strengths = np.array(offsuit_strengths)
        else:
            key_sums_without_one = key_sums[:, None] - keys_of_cards
            hands_without_one = np.searchsorted(sorted_key_sums, key_sums_without_one)
            strengths = sorted_strengths[hands_without_one].max(axis=1)
        order_of_key_sums = np.argsort(key_sums)
        sorted_key_sums = key_sums[order_of_key_sums]
        sorted_strengths = strengths[order_of_key_sums]

        rows = ROW_KEYS[multisets].sum(axis=1)
        columns = COLUMN_KEYS[multisets].sum(axis=1)
        offsets, table = overlay_sparse_rows(rows, columns, strengths)
        tables[f"offsets_{size}"] = offsets
        tables[f"strengths_{size}"] = table
    return tables


def build_flush_table(suited_hands: Sequence[tuple[int, ...]], strengths: Sequence[int]) -> Uint16s:
    """Return a table of the strength of the best flush for each set of ranks that a hand can have in one suit.

    Parameters
    ----------
    suited_hands : sequence of tuple of int
        The five ranks of each hand of five cards of one suit.
    strengths : sequence of int
        The strength of each of these hands.

    Returns
    -------
    ndarray of uint16, shape (8192,)
        The index is a set of ranks: bit r stands for rank r. The entry of fewer than five ranks is 0.
    """
    table = np.zeros(1 << NUM_RANKS, np.uint16)
    for ranks, strength in zip(suited_hands, strengths, strict=True):
        rank_mask = sum(1 << rank for rank in ranks)
        table[rank_mask] = strength

    # More than five ranks are as strong as the best flush that is left without one of them. Sets with one rank fewer
    # are smaller numbers, so their entries are complete.
    for rank_mask in range(1 << NUM_RANKS):
        if rank_mask.bit_count() > 5:
            masks_without_one = [
                rank_mask ^ 1 << rank for rank in range(NUM_RANKS) if rank_mask >> rank & 1
            ]
            table[rank_mask] = table[masks_without_one].max()
    return table


def overlay_sparse_rows(rows: Ints, columns: Ints, entries: Ints) -> tuple[Uint16s, Uint16s]:
    """Return a sparse matrix as a small table, with its rows laid over each other so that no two entries collide.

    The method is row displacement. The rows with the most entries go first, each to the first offset at which all its
    columns are free.

    Parameters
    ----------
    rows, columns, entries : ndarray of integers, shape (n,)
        The row, the column and the value of each entry of the sparse matrix.

    Returns
    -------
    offsets : ndarray of uint16, shape (num_rows,)
        For each row, the index in the table of its column 0.
    table : ndarray of uint16
        An entry of the sparse matrix is `table[offsets[row] + column]`.
    """
    columns_of_row: list[list[int]] = [[] for _ in range(rows.max() + 1)]
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        columns_of_row[row].append(column)

    # A set of indices is a Python integer with one bit for each index, so that all offsets are tried at once by shifts.
    offsets = np.zeros(len(columns_of_row), np.int64)
    used_indices = 0
    fullest_first = sorted(range(len(columns_of_row)), key=lambda row: -len(columns_of_row[row]))
    for row in fullest_first:
        blocked_offsets = 0  # the offsets at which a column of the row falls on a used index
        for column in columns_of_row[row]:
            blocked_offsets |= used_indices >> column
        lowest_free_bit = ~blocked_offsets & blocked_offsets + 1
        offset = lowest_free_bit.bit_length() - 1
        offsets[row] = offset
        used_indices |= sum(1 << column for column in columns_of_row[row]) << offset

    table = np.zeros(used_indices.bit_length(), np.uint16)
    table[offsets[rows] + columns] = entries
    return offsets.astype(np.uint16), table


NUM_STRENGTHS = 7462
"""The number of different strengths of five cards; with seven cards, 4,824 of them occur."""

LOWEST_STRENGTHS = (0, 1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452)
"""The lowest strength in each of `CATEGORIES`."""

TABLES_CHECKSUM = "c158ac872d4ffa5926d48da384c7d8ad9dac974dccad0567a7c3eb9271ea0e78"
"""The tables' `digest`. Kernels hold copies of them and are compiled again when this line changes."""

STRENGTH_TABLES = load_or_make_arrays(f"strength-{TABLES_CHECKSUM[:24]}", build_strength_tables)
FLUSH_STRENGTHS = STRENGTH_TABLES["flush"]
OFFSETS_5, STRENGTHS_5 = STRENGTH_TABLES["offsets_5"], STRENGTH_TABLES["strengths_5"]
OFFSETS_6, STRENGTHS_6 = STRENGTH_TABLES["offsets_6"], STRENGTH_TABLES["strengths_6"]
OFFSETS_7, STRENGTHS_7 = STRENGTH_TABLES["offsets_7"], STRENGTH_TABLES["strengths_7"]

COUNTER_SHIFT = 16
"""The bit of a key at which the counters of the four suits begin."""
COUNTER_BITS = 7  # bits of each counter
COUNT_OF_ANY_CARD, COUNT_OF_OWN_SUIT = 3, 10
"""What a card adds to the counter of every suit, and what it adds besides to the counter of its own suit. So the
counter of a suit is at least 64 exactly if five or more of five to seven cards have the suit."""
COLUMN_SHIFT = 44
"""The bit of a key at which the column begins."""
MASK_BITS = 16
"""The number of bits of each suit in `CARD_BITS`; the lowest 13 of them stand for ranks."""

SUIT_OF = np.arange(NUM_CARDS) % NUM_SUITS
RANK_OF = np.arange(NUM_CARDS) // NUM_SUITS
SUIT_COUNTERS = 1 << COUNTER_SHIFT + COUNTER_BITS * np.arange(NUM_SUITS)
"""A one in the counter of each suit."""
KEY_OF_RANK = ROW_KEYS + (COLUMN_KEYS << COLUMN_SHIFT) + COUNT_OF_ANY_CARD * SUIT_COUNTERS.sum()
CARD_KEYS = KEY_OF_RANK[RANK_OF] + COUNT_OF_OWN_SUIT * SUIT_COUNTERS[SUIT_OF]
CARD_BITS = 1 << RANK_OF + MASK_BITS * SUIT_OF

FLUSH_BITS = np.int64(64 * SUIT_COUNTERS.sum())
"""The bits of a key of which one is set if there is a flush: the highest bit of each counter."""
ROW_MASK = np.int64((1 << COUNTER_SHIFT) - 1)
"""The bits of a key that are its row."""
RANK_MASK = np.int64((1 << NUM_RANKS) - 1)
"""The ranks of one suit, as bits."""


def evaluate_hand(cards: ArrayLike | str) -> Any:
    """Return the strength of the best five-card hand among five to seven cards, a number from 0 to 7461.

    A larger number is a stronger hand, and hands that tie have the same number.

    Parameters
    ----------
    cards : array_like of integers, shape (k,) or (..., k), k from 5 to 7, or text
        The k cards of one hand, or of many hands.

    Returns
    -------
    int or ndarray of int64, shape (...,)
        An int for one hand. 0 is the weakest hand, 7 5 4 3 2, and 7461 is a royal flush.

    Raises
    ------
    CardError
        If a hand does not have five to seven cards, a card is not valid, or a card appears twice.

    Examples
    --------
    >>> evaluate_hand("As Ks Qs Js Ts 2c 2d")
    7461
    >>> name_category(evaluate_hand(["7c 5d 4h 3s 2c", "7c 7d 7h 2s 2c"])).tolist()
    ['high card', 'full house']
    """
    hands = validate_cards(cards)
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


def name_category(strengths: ArrayLike) -> Any:
    """Return the name of the category of each strength, such as 'full house'.

    Parameters
    ----------
    strengths : array_like of integers, shape (...,)
        Strengths from 0 to 7461, as `evaluate_hand` returns them.

    Returns
    -------
    str or ndarray of str, shape (...,)
        Names of `CATEGORIES`; a str for one strength.

    Raises
    ------
    SettingError
        If a number is not a strength.
    """
    numbers = validate_numbers(strengths, "strengths")
    not_strengths = numbers[~np.isin(numbers, np.arange(NUM_STRENGTHS))]
    if not_strengths.size:
        raise SettingError(
            f"{not_strengths[0]:g} is not a strength; strengths are whole numbers from 0 to {NUM_STRENGTHS - 1}."
        )
    # The category is the last one whose lowest strength is not above the given strength.
    numbers = numbers.astype(np.int64)
    categories = np.searchsorted(LOWEST_STRENGTHS, numbers, side="right") - 1
    names = np.array(CATEGORIES)[categories]
    return str(names) if numbers.ndim == 0 else names


def count_all_hands(num_cards: int) -> Ints:
    """Return, for each strength, the number of hands of five, six or seven cards that have this strength.

    All hands that can be made of a deck of 52 cards are evaluated.

    Parameters
    ----------
    num_cards : int
        The number of cards of a hand: 5 (2,598,960 hands), 6 (20,358,520 hands) or 7 (133,784,560 hands).

    Returns
    -------
    ndarray of int64, shape (7462,)
        The number of hands of each strength, from the weakest to the strongest.

    Raises
    ------
    SettingError
        If `num_cards` is not 5, 6 or 7.

    Examples
    --------
    >>> int(count_all_hands(5)[-1])  # royal flushes
    4
    """
    if validate_integer("num_cards", num_cards) not in (5, 6, 7):
        raise SettingError(
            f"hands of {quote_value(num_cards)} cards are not counted here; ask for 5, 6 or 7."
        )
    counts = np.zeros(NUM_STRENGTHS, np.int64)
    count_hands_by_strength(NUM_CARDS, num_cards, counts)
    return counts


@inlined
def evaluate_flush(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of five to seven cards that contain a flush, 0 to 7461.

    Parameters
    ----------
    key : int64
        The sum of the `CARD_KEYS` of the cards. It has a counter for each suit, whose highest bit is set if five cards
        have the suit.
    bits : int64
        The sum of the `CARD_BITS` of the cards, which has a set of ranks for each suit.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    # The highest bit of each counter shows whether the suit has the flush. The bits of suits 1, 2 and 3 add the number
    # of the suit. A branch is avoided because it would often be mispredicted.
    highest_bits = key >> COUNTER_SHIFT + COUNTER_BITS - 1
    suit = highest_bits >> COUNTER_BITS & 1
    suit += 2 * (highest_bits >> 2 * COUNTER_BITS & 1) + 3 * (highest_bits >> 3 * COUNTER_BITS & 1)
    ranks_in_suit = bits >> MASK_BITS * suit & RANK_MASK
    return np.int64(FLUSH_STRENGTHS[ranks_in_suit])


@inlined
def find_index_of_five_ranks(key: np.int64) -> np.uint64:
    """Return the index in `STRENGTHS_5` of five cards, as if they had no flush.

    Parameters
    ----------
    key : int64
        The sum of the `CARD_KEYS` of the cards. It contains the row and the column of their ranks in a sparse table,
        whose rows are laid over each other in `STRENGTHS_5`.
    """
    offset = np.int64(OFFSETS_5[key & ROW_MASK])
    column = key >> COLUMN_SHIFT
    return np.uint64(offset + column)


@inlined
def evaluate_five(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of five cards, 0 to 7461.

    The key identifies the ranks of the cards, and shows whether five cards have one suit. The bits are used only for a
    flush.

    Parameters
    ----------
    key : int64
        The sum of the `CARD_KEYS` of the cards.
    bits : int64
        The sum of the `CARD_BITS` of the cards, which has a set of ranks for each suit.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    if key & FLUSH_BITS:
        return evaluate_flush(key, bits)
    return np.int64(STRENGTHS_5[find_index_of_five_ranks(key)])


@inlined
def evaluate_six(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of the best five of six cards, 0 to 7461.

    The key identifies the ranks of the cards, and shows whether five cards have one suit. The bits are used only for a
    flush.

    Parameters
    ----------
    key : int64
        The sum of the `CARD_KEYS` of the cards.
    bits : int64
        The sum of the `CARD_BITS` of the cards, which has a set of ranks for each suit.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    if key & FLUSH_BITS:
        return evaluate_flush(key, bits)
    offset = np.int64(OFFSETS_6[key & ROW_MASK])
    column = key >> COLUMN_SHIFT
    return np.int64(STRENGTHS_6[np.uint64(offset + column)])


@inlined
def evaluate_seven(key: np.int64, bits: np.int64) -> np.int64:
    """Return the strength of the best five of seven cards, 0 to 7461.

    The key identifies the ranks of the cards, and shows whether five cards have one suit. The bits are used only for a
    flush.

    Parameters
    ----------
    key : int64
        The sum of the `CARD_KEYS` of the cards.
    bits : int64
        The sum of the `CARD_BITS` of the cards, which has a set of ranks for each suit.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    if key & FLUSH_BITS:
        return evaluate_flush(key, bits)
    offset = np.int64(OFFSETS_7[key & ROW_MASK])
    column = key >> COLUMN_SHIFT
    return np.int64(STRENGTHS_7[np.uint64(offset + column)])


@inlined
def sum_keys_and_bits(cards: Cards, begin: int, end: int) -> tuple[np.int64, np.int64]:
    """Return the sum of the `CARD_KEYS` and the sum of the `CARD_BITS` of some consecutive cards.

    The functions that evaluate hands take these two sums.

    Parameters
    ----------
    cards : ndarray of uint8
        Cards, numbers from 0 to 51.
    begin, end : int
        The cards from the index `begin` to `end` - 1 are summed.

    Returns
    -------
    key : int64
        The sum of the keys, which identifies the ranks and shows whether five cards have one suit.
    bits : int64
        The sum of the bits, which has a set of ranks for each suit.
    """
    key = bits = np.int64(0)
    for position in range(begin, end):
        key += CARD_KEYS[cards[position]]
        bits += CARD_BITS[cards[position]]
    return key, bits


@inlined
def evaluate_with_board(
    board_key: np.int64, board_bits: np.int64, first_card: np.uint8, second_card: np.uint8
) -> np.int64:
    """Return the strength of the best five of two hole cards and a board of five cards, 0 to 7461.

    Parameters
    ----------
    board_key, board_bits : int64
        The sums of the `CARD_KEYS` and of the `CARD_BITS` of the board, from `sum_keys_and_bits`.
    first_card, second_card : uint8
        The two hole cards.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    key_of_seven = board_key + CARD_KEYS[first_card] + CARD_KEYS[second_card]
    bits_of_seven = board_bits + CARD_BITS[first_card] + CARD_BITS[second_card]
    return evaluate_seven(key_of_seven, bits_of_seven)


@inlined
def evaluate_seven_cards(cards: Cards) -> np.int64:
    """Return the strength of the best five of seven cards, 0 to 7461.

    Parameters
    ----------
    cards : ndarray of uint8, shape (7,) or longer
        The first seven entries are the cards, numbers from 0 to 51.

    Returns
    -------
    int64
        A number from 0 for the weakest hand, 7 5 4 3 2, to 7461 for a royal flush.
    """
    key = bits = np.int64(0)
    for position in range(7):
        key += CARD_KEYS[cards[position]]
    # The bits are used only for a flush.
    if key & FLUSH_BITS:
        for position in range(7):
            bits += CARD_BITS[cards[position]]
    return evaluate_seven(key, bits)


@kernel
def fill_strengths(hands: Cards, out_strengths: NDArray[np.int64]) -> None:
    """Write the strength of each hand of five to seven cards, 0 to 7461.

    Parameters
    ----------
    hands : ndarray of uint8, shape (n, k)
        The k cards of each of n hands: 5, 6 or 7. They are not checked.
    out_strengths : ndarray of int64, shape (n,)
        Overwritten with the strength of the best five cards of each hand.
    """
    num_hands, num_cards = hands.shape
    if num_cards == 7:
        for row in range(num_hands):
            out_strengths[row] = evaluate_seven_cards(hands[row])
        return

    for row in range(num_hands):
        key, bits = sum_keys_and_bits(hands[row], 0, num_cards)
        if num_cards == 6:
            out_strengths[row] = evaluate_six(key, bits)
        else:
            out_strengths[row] = evaluate_five(key, bits)


@kernel
def count_hands_by_strength(deck_size: int, hand_size: int, out_counts: Ints) -> None:
    """Count all hands of one size that can be made of the first cards of the deck, by their strength.

    Nested loops over descending cards visit each hand once. The sums of keys and bits grow from loop to loop.

    Parameters
    ----------
    deck_size : int
        The number of cards of the deck that are used, from card 0 on.
    hand_size : int
        The number of cards of a hand: 5, 6 or 7.
    out_counts : ndarray of int64, shape (7462,)
        Each hand is added to the count of its strength.
    """
    for a in range(deck_size):
        for b in range(a):
            for c in range(b):
                key_3 = CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                bits_3 = CARD_BITS[a] + CARD_BITS[b] + CARD_BITS[c]
                for d in range(c):
                    for e in range(d):
                        key_5 = key_3 + CARD_KEYS[d] + CARD_KEYS[e]
                        bits_5 = bits_3 + CARD_BITS[d] + CARD_BITS[e]
                        if hand_size == 5:
                            out_counts[evaluate_five(key_5, bits_5)] += 1
                            continue
                        for f in range(e):
                            key_6, bits_6 = key_5 + CARD_KEYS[f], bits_5 + CARD_BITS[f]
                            if hand_size == 6:
                                out_counts[evaluate_six(key_6, bits_6)] += 1
                                continue
                            for g in range(f):
                                key_7, bits_7 = key_6 + CARD_KEYS[g], bits_6 + CARD_BITS[g]
                                out_counts[evaluate_seven(key_7, bits_7)] += 1


NUM_LOW, NUM_HIGH = 128, 64
"""The numbers of values of the two digits by which strengths are sorted. A strength has 13 bits: seven bits are the low
digit, and six bits are the high digit."""
NUM_BINS = NUM_LOW + NUM_HIGH
MOST_BY_INSERTION = 24
"""Up to this number of items are sorted by insertion."""

Int32s = NDArray[np.int32]


@inlined
def sort_by_strength(
    items: Int32s, num_items: int, num_index_bits: int, scratch: Int32s, bins: Int32s
) -> None:
    """Sort numbers that encode the strengths of hands in place, from the weakest hand to the strongest.

    A number, or *item*, is the strength of a hand, 0 to 8191, times 2**num_index_bits, plus the index of the hand.
    Items are sorted by a radix sort of two digits. The low digit of a strength is its remainder modulo 128, and the
    high digit is the quotient. The sort by the low digit comes first. The second sort, by the high digit, keeps the
    order of items with the same high digit. A few items are sorted by insertion instead.

    Parameters
    ----------
    items : ndarray of int32, shape (n,)
        Its first `num_items` entries are sorted in place.
    num_items : int
        The number of items to sort.
    num_index_bits : int
        The number of bits of an item that are below its strength: those of the index of the hand.
    scratch : ndarray of int32, shape (n,)
        Overwritten with the items sorted by the low digit.
    bins : ndarray of int32, shape (NUM_BINS,)
        Overwritten. The first 128 entries are for the low digit, and the last 64 for the high digit. For each value of
        the low and of the high digit, it contains the number of items with this value, and later the index to which the
        next of these items goes.
    """
    if num_items <= MOST_BY_INSERTION:
        sort_by_insertion(items, num_items)
        return

    # Count how many items have each value of the digits.
    for value in range(NUM_BINS):
        bins[value] = 0
    for index in range(num_items):
        strength = items[index] >> num_index_bits
        bins[strength % NUM_LOW] += 1
        bins[NUM_LOW + strength // NUM_LOW] += 1

    # Replace each count by the index of the first item with this value: the sum of the counts before.
    num_lower = np.int32(0)
    for value in range(NUM_LOW):
        num_lower, bins[value] = num_lower + bins[value], num_lower
    num_lower = np.int32(0)
    for value in range(NUM_LOW, NUM_BINS):
        num_lower, bins[value] = num_lower + bins[value], num_lower

    # Move the items to `scratch` by the low digit, then back by the high digit.
    for index in range(num_items):
        value = (items[index] >> num_index_bits) % NUM_LOW
        scratch[bins[value]] = items[index]
        bins[value] += 1
    for index in range(num_items):
        value = NUM_LOW + (scratch[index] >> num_index_bits) // NUM_LOW
        items[bins[value]] = scratch[index]
        bins[value] += 1


@inlined
def sort_by_insertion(items: Int32s, num_items: int) -> None:
    """Sort the first numbers of an array in place by insertion, which is fastest for a few numbers.

    Parameters
    ----------
    items : ndarray of int32, shape (n,)
        Its first `num_items` entries are sorted in ascending order.
    num_items : int
        The number of entries to sort.
    """
    for num_sorted in range(1, num_items):
        inserted_item = items[num_sorted]
        index = num_sorted
        # Move the sorted items that are above this one to the right.
        while index > 0 and items[index - 1] > inserted_item:
            items[index] = items[index - 1]
            index -= 1
        items[index] = inserted_item
