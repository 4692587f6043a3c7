"""Classes of hands up to a renaming of suits, and the canonical hand of each class.

A hand is dealt in rounds: two hole cards, a flop, a turn and a river. The round of a card matters, but the order of
cards within a round does not. The ranks that a hand has in one suit, round by round, are the *pattern* of that suit,
and the numbers of these ranks in each round are its *shape*. Renaming suits permutes the four patterns and changes
nothing else. So a class of hands is a multiset of four patterns, and classes are numbered in three steps:

1. The patterns of one shape are numbered. The ranks of the first round are a combination out of 13 ranks, those of the
   second round are a combination out of the ranks that are left, and so on. Combinations are numbered in
   colexicographic order, and the first round is the most significant digit.
2. The four suits are sorted by shape, and suits of the same shape by pattern. All classes with the same four shapes
   have consecutive numbers, and the combinations of four shapes are in lexicographic order.
3. If m suits have a shape with n patterns, there are (n + m - 1 choose m) multisets of their patterns. These are also
   numbered in colexicographic order, and the suits with the greatest shape are the most significant digit.

The canonical hand of a class has the greatest pattern in spades, and the next ones in hearts, diamonds and clubs. This
kind of index is due to Waugh [1]_.

References
----------
.. [1] K. Waugh, "A fast and optimal hand isomorphism algorithm", AAAI Workshop on Computer Poker
   and Incomplete Information, 2013.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Ints, SettingError, freeze, inlined, kernel
from pokerlab.holdem.cards import (
    HOLDINGS,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    Cards,
    find_holding_indices,
    validate_cards,
)


class ClassLayout(NamedTuple):
    """The order in which the classes of hands are numbered, as arrays for kernels.

    A hand is dealt in R rounds. The *shape* of a suit is the number of its cards in each round, and the *pattern* of a
    suit is the set of its ranks in each round. A suit can have K shapes, which are numbered from 0 to K - 1. The shapes
    of the four suits of a hand form one of Q combinations.

    Attributes
    ----------
    round_sizes : ndarray of int64, shape (R,)
        The number of cards that each round deals.
    cards_in_rounds : ndarray of int64, shape (K, R)
        For each shape, the number of cards that the suit has in each round.
    num_patterns : ndarray of int64, shape (K,)
        The number of patterns of each shape.
    first_class_of_shapes : ndarray of int64, shape (K, K, K)
        The first class of the hands whose suits have three given shapes, from the greatest shape down. They determine
        the fourth shape. The entry is -1 if no hand has these shapes.
    shape_combinations : ndarray of int64, shape (Q, 4)
        The four shapes of each combination, from the greatest shape down.
    first_classes : ndarray of int64, shape (Q,)
        The first class of the hands with each combination of shapes.
    """

    round_sizes: Ints
    cards_in_rounds: Ints
    num_patterns: Ints
    first_class_of_shapes: Ints
    shape_combinations: Ints
    first_classes: Ints


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands up to a renaming of suits, numbered from 0; made by `build_hand_classes`.

    Two hands are in the same class exactly if a renaming of suits makes them equal. One hand of each class is its
    *canonical hand*: the one in which spades are the greatest suit, followed by hearts, diamonds and clubs. Suits are
    compared by the numbers of their cards in each round, and then by their ranks.

    Attributes
    ----------
    rounds : tuple of int
        The number of cards that each round deals. Their sum k is the number of cards of a hand.
    size : int
        The number of classes.
    layout : ClassLayout
        The order in which the classes are numbered.
    """

    rounds: tuple[int, ...]
    size: int
    layout: ClassLayout

    def find_classes(self, cards: ArrayLike) -> Any:
        """Return the number of the class of equivalent hands to which each hand belongs.

        Hands are in the same class if a renaming of suits makes them equal.

        Parameters
        ----------
        cards : array_like of integers, shape (..., k)
            The k cards of each hand, round by round.

        Returns
        -------
        int or ndarray of int64, shape (...,)
            Numbers from 0 to `size` - 1; an int for a single hand.

        Raises
        ------
        CardError
            If the hands are not valid cards, or do not have k cards.
        """
        hands, shape = self._validate_and_flatten_hands(cards)
        classes = np.empty(len(hands), np.int64)
        no_renamings = np.empty((0, NUM_SUITS), np.uint8)
        fill_hand_classes(self.layout, hands, classes, no_renamings)
        return classes.reshape(shape) if shape else int(classes[0])

    def find_renamings(self, cards: ArrayLike) -> NDArray[np.uint8]:
        """Return, for each hand, the renaming of suits that makes it the canonical hand of its class.

        In the canonical hand spades are the greatest suit, followed by hearts, diamonds and clubs. Suits are compared
        by the numbers of their cards in each round, and then by their ranks.

        Parameters
        ----------
        cards : array_like of integers, shape (..., k)
            The k cards of each hand, round by round.

        Returns
        -------
        ndarray of uint8, shape (..., 4)
            The suit that each of the four suits becomes.

        Raises
        ------
        CardError
            If the hands are not valid cards, or do not have k cards.
        """
        hands, shape = self._validate_and_flatten_hands(cards)
        classes = np.empty(len(hands), np.int64)
        renamings = np.empty((len(hands), NUM_SUITS), np.uint8)
        fill_hand_classes(self.layout, hands, classes, renamings)
        return renamings.reshape(*shape, NUM_SUITS)

    def make_canonical_hands(self, classes: ArrayLike) -> Cards:
        """Return one hand of each class of hands that a renaming of suits makes equal: its canonical hand.

        In the canonical hand spades are the greatest suit, followed by hearts, diamonds and clubs. Suits are compared
        by the numbers of their cards in each round, and then by their ranks.

        Parameters
        ----------
        classes : array_like of integers, shape (...,)
            Numbers of classes, from 0 to `size` - 1. They are not checked.

        Returns
        -------
        ndarray of uint8, shape (..., k)
            The k cards of each hand, round by round, and in each round from the highest card to the lowest.
        """
        class_numbers = np.asarray(classes)
        num_cards = sum(self.rounds)
        hands = np.empty((class_numbers.size, num_cards), np.uint8)
        no_counts = np.empty(0, np.int64)
        fill_canonical_hands(self.layout, class_numbers.ravel(), hands, no_counts)
        return hands.reshape(*class_numbers.shape, num_cards)

    def count_hands(self, classes: ArrayLike) -> Ints:
        """Return the number of hands in each class of hands that a renaming of suits makes equal.

        There are 24 renamings of suits. If s of them leave a hand unchanged, its class has 24 / s hands.

        Parameters
        ----------
        classes : array_like of integers, shape (...,)
            Numbers of classes, from 0 to `size` - 1. They are not checked.

        Returns
        -------
        ndarray of int64, shape (...,)
            The number of hands in each class, 1 to 24. The order of the cards within a round does not matter.
        """
        class_numbers = np.asarray(classes)
        no_hands = np.empty((0, 0), np.uint8)
        counts = np.empty(class_numbers.size, np.int64)
        fill_canonical_hands(self.layout, class_numbers.ravel(), no_hands, counts)
        return counts.reshape(class_numbers.shape)

    def _validate_and_flatten_hands(self, cards: ArrayLike) -> tuple[Cards, tuple[int, ...]]:
        """Return hands as the rows of a matrix, and the shape of the array in which they came.

        Parameters
        ----------
        cards : array_like of integers, shape (..., k)
            The k cards of each hand, round by round.

        Returns
        -------
        hands : ndarray of uint8, shape (n, k)
            One hand in each row.
        shape : tuple of int
            The lengths of the axes of `cards` before the last axis; n is their product.

        Raises
        ------
        CardError
            If the hands are not valid cards, or do not have k cards each.
        """
        hands = validate_cards(cards)
        num_cards = sum(self.rounds)
        if hands.shape[-1:] != (num_cards,):
            raise CardError(f"cards have shape {hands.shape}; give {num_cards} cards of each hand.")
        return hands.reshape(-1, num_cards), hands.shape[:-1]


@cache
def build_hand_classes(*rounds: int) -> HandClasses:
    """Return the classes of hands up to a renaming of suits, for hands that are dealt in the given rounds.

    Two hands are in the same class if a renaming of suits makes them equal. The order of the cards within a round does
    not matter. For example, rounds of (2,) give starting hands, (2, 3) give hands on the flop, and (4,) give boards on
    the turn if it does not matter which of the four cards came last.

    Parameters
    ----------
    *rounds : int
        The number of cards that each round deals, at most seven in all.

    Returns
    -------
    HandClasses
        The classes, numbered from 0, with read-only arrays. They are computed once for each choice of rounds.

    Examples
    --------
    >>> build_hand_classes(2).size, build_hand_classes(2, 3).size, build_hand_classes(2, 4).size
    (169, 1286792, 13960050)
    """
    # A suit has from 0 to all of the cards of each round. This list has the numbers of cards for each of its shapes.
    cards_in_rounds = list(product(*(range(cards + 1) for cards in rounds)))
    num_patterns = [count_suit_patterns(card_counts) for card_counts in cards_in_rounds]

    first_class_of_shapes = np.full((len(cards_in_rounds),) * 3, -1)
    shape_combinations = list_shape_combinations(cards_in_rounds, rounds)
    first_classes: list[int] = []
    num_classes = 0
    for shapes in shape_combinations:
        first_classes.append(num_classes)
        first_class_of_shapes[shapes[:3]] = num_classes
        num_classes += count_classes_with_shapes(shapes, num_patterns)

    layout = ClassLayout(
        round_sizes=np.array(rounds),
        cards_in_rounds=np.array(cards_in_rounds),
        num_patterns=np.array(num_patterns),
        first_class_of_shapes=first_class_of_shapes,
        shape_combinations=np.array(shape_combinations),
        first_classes=np.array(first_classes),
    )
    freeze(*layout)
    return HandClasses(rounds, num_classes, layout)


def list_shape_combinations(
    cards_in_rounds: list[tuple[int, ...]], rounds: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """Return all combinations of shapes that the four suits of a hand can have.

    The shape of a suit is the number of its cards in each round. The order of the suits does not matter.

    Parameters
    ----------
    cards_in_rounds : list of tuple of int
        For each shape, the number of cards that the suit has in each round, in lexicographic order.
    rounds : tuple of int
        The number of cards that each round deals to the hand.

    Returns
    -------
    list of tuple of 4 int
        The indices of the four shapes in `cards_in_rounds`, from the greatest index down.
    """
    num_shapes = len(cards_in_rounds)
    combinations = []
    for ascending_shapes in combinations_with_replacement(range(num_shapes), NUM_SUITS):
        # The index of a shape is a number with one digit for each round. If the cards of the four suits add up to
        # `rounds`, which is the last shape, so do the indices. This test is fast and excludes most combinations.
        if sum(ascending_shapes) != num_shapes - 1:
            continue

        # The indices also have the right sum if the sum of one digit is carried to the next.
        cards_of_suits = [cards_in_rounds[shape] for shape in ascending_shapes]
        total_in_rounds = tuple(map(sum, zip(*cards_of_suits, strict=True)))
        if total_in_rounds == rounds:
            combinations.append(ascending_shapes[::-1])
    return combinations


def count_classes_with_shapes(shapes: tuple[int, ...], num_patterns: list[int]) -> int:
    """Return the number of classes of hands whose suits have four given shapes.

    The shape of a suit is the number of its cards in each round. The suits of the same shape have a multiset of
    patterns, because a renaming of suits can exchange them. The number of classes is the product of the numbers of
    these multisets.

    Parameters
    ----------
    shapes : tuple of 4 int
        The index of each suit's shape.
    num_patterns : list of int
        For each shape, the number of patterns: of the sets of ranks that a suit of this shape can have.
    """
    num_classes = 1
    for shape in set(shapes):
        num_suits = shapes.count(shape)
        num_classes *= comb(num_patterns[shape] + num_suits - 1, num_suits)
    return num_classes


def count_suit_patterns(card_counts: tuple[int, ...]) -> int:
    """Return in how many ways a suit can have given numbers of cards in the rounds of a deal.

    The ranks of a round are a combination out of the ranks that earlier rounds have left.

    Parameters
    ----------
    card_counts : tuple of int
        The number of cards of the suit in each round.
    """
    ranks_left = NUM_RANKS
    num_patterns = 1
    for num_cards in card_counts:
        num_patterns *= comb(ranks_left, num_cards)
        ranks_left -= num_cards
    return num_patterns


def list_canonical_boards(num_cards: int) -> tuple[Cards, Ints]:
    """Return one board of each class of equivalent boards, and the number of boards in each class.

    Two boards are equivalent if a renaming of suits makes them the same set of cards. The order in which the cards came
    does not matter. The returned board of a class is its canonical board: the one in which spades are the greatest
    suit, followed by hearts, diamonds and clubs. Suits are compared by the numbers of their cards, and then by their
    ranks.

    Parameters
    ----------
    num_cards : int
        The number of cards on the board: 3, 4 or 5.

    Returns
    -------
    boards : ndarray of uint8, shape (N, num_cards)
        The N canonical boards.
    multiplicities : ndarray of int64, shape (N,)
        The number of boards that are equivalent to each canonical board, including itself.

    Raises
    ------
    SettingError
        If `num_cards` is not 3, 4 or 5.
    """
    if num_cards not in (3, 4, 5):
        raise SettingError(f"no street has {num_cards} board cards; give 3, 4 or 5.")
    classes = build_hand_classes(num_cards)
    class_numbers = np.arange(classes.size)
    return classes.make_canonical_hands(class_numbers), classes.count_hands(class_numbers)


SUIT_RENAMINGS = np.array(list(permutations(range(NUM_SUITS))))
"""The 24 renamings of the four suits; each row has the new suit of each old suit."""
RENAMING_ROW = np.zeros((NUM_SUITS,) * 3, np.int64)
"""The row of `SUIT_RENAMINGS` that begins with three given suits; the array has shape (4, 4, 4)."""
RENAMING_ROW[tuple(SUIT_RENAMINGS[:, :3].T)] = np.arange(len(SUIT_RENAMINGS))
RENAMED_HOLDINGS = np.array(
    [
        find_holding_indices(HOLDINGS - HOLDINGS % NUM_SUITS + new_suits[HOLDINGS % NUM_SUITS])
        for new_suits in SUIT_RENAMINGS
    ],
    np.uint16,
)
"""The holding that each holding becomes under each renaming of suits; the array has shape (24, 1326)."""


def find_canonical_boards(boards: Cards) -> tuple[Ints, Ints]:
    """Return the index of the canonical board that is equivalent to each board, and the renaming of suits.

    Two boards are equivalent if a renaming of suits makes them the same set of cards. `list_canonical_boards` returns
    one board of each class of equivalent boards, its canonical board.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, k)
        Boards of k cards each: 0, 3, 4 or 5. The cards are not checked.

    Returns
    -------
    canonical_boards : ndarray of int64, shape (n,)
        The index of each canonical board in `list_canonical_boards(k)`; 0 for an empty board.
    renamings : ndarray of int64, shape (n,)
        The renaming of suits that makes each board canonical, as a row of `SUIT_RENAMINGS` and of `RENAMED_HOLDINGS`.
        No suit of an empty board is renamed.
    """
    num_boards, num_cards = boards.shape
    canonical_boards = np.zeros(num_boards, np.int64)
    new_suits = np.tile(np.arange(NUM_SUITS, dtype=np.uint8), (num_boards, 1))
    if num_cards > 0:
        layout = build_hand_classes(num_cards).layout
        fill_hand_classes(layout, boards, canonical_boards, new_suits)

    # Three of the new suits determine the fourth.
    renamings = RENAMING_ROW[new_suits[:, 0], new_suits[:, 1], new_suits[:, 2]]
    return canonical_boards, renamings


BINOMIALS = np.array([[comb(n, k) for k in range(NUM_RANKS + 1)] for n in range(NUM_RANKS + 1)])
"""`BINOMIALS[n, k]` is the number of ways to take k of n ranks."""


@inlined
def find_suit_shape_and_pattern(round_sizes: Ints, rank_masks: Ints) -> tuple[np.int64, np.int64]:
    """Return two numbers that describe the cards of one suit of a hand: its shape and its pattern.

    The shape of a suit is the number of its cards in each of R rounds, and its pattern is the set of its ranks in each
    round. Both are numbered in a mixed radix, with one digit for each round and the first round as the most significant
    digit. A digit of the shape is the number of cards. A digit of the pattern is the colexicographic index of the
    combination of their ranks, out of the ranks that earlier rounds left.

    Parameters
    ----------
    round_sizes : ndarray of int64, shape (R,)
        The number of cards that each round deals.
    rank_masks : ndarray of int64, shape (R,)
        The ranks of the suit's cards in each round: bit r stands for rank r.

    Returns
    -------
    shape : int64
        The number of the shape.
    pattern : int64
        The number of the pattern among the patterns of this shape.
    """
    shape = pattern = used_ranks = np.int64(0)
    for round_index in range(round_sizes.size):
        # Number the ranks that earlier rounds left from 0 on. In the combinatorial number system, the i-th smallest
        # element c of a combination adds (c choose i) to its index.
        num_cards = num_ranks_left = combination = np.int64(0)
        for rank in range(NUM_RANKS):
            if used_ranks >> rank & 1:
                continue
            if rank_masks[round_index] >> rank & 1:
                num_cards += 1
                combination += BINOMIALS[num_ranks_left, num_cards]
            num_ranks_left += 1

        # Append one digit to each number.
        num_combinations = BINOMIALS[num_ranks_left, num_cards]
        pattern = pattern * num_combinations + combination
        shape = shape * (round_sizes[round_index] + 1) + num_cards
        used_ranks |= rank_masks[round_index]
    return shape, pattern


@inlined
def decode_suit_pattern(card_counts: Ints, pattern: np.int64, out_rank_masks: Ints) -> None:
    """Write the ranks that one suit of a hand has in each round, given the number of its pattern.

    The pattern of a suit is the set of its ranks in each round. This is the inverse of `find_suit_shape_and_pattern`.
    The number of a pattern has one digit for each round: the colexicographic index of the combination of the suit's
    ranks, out of the ranks that earlier rounds left.

    Parameters
    ----------
    card_counts : ndarray of int64, shape (R,)
        The number of cards of the suit in each of R rounds.
    pattern : int64
        The number of the pattern.
    out_rank_masks : ndarray of int64, shape (R,)
        Overwritten with the ranks of each round: bit r stands for rank r.
    """
    num_before = np.int64(0)  # the number of the suit's cards in earlier rounds
    for round_index in range(card_counts.size):
        num_before += card_counts[round_index]

    # Take the digits from the last round to the first, and keep them in `out_rank_masks` for now.
    for round_index in range(card_counts.size - 1, -1, -1):
        num_before -= card_counts[round_index]
        num_combinations = BINOMIALS[NUM_RANKS - num_before, card_counts[round_index]]
        out_rank_masks[round_index] = pattern % num_combinations
        pattern //= num_combinations

    # Replace each digit by the ranks of its combination, which are found from the highest to the lowest.
    used_ranks = np.int64(0)
    for round_index in range(card_counts.size):
        combination, num_missing = out_rank_masks[round_index], card_counts[round_index]
        out_rank_masks[round_index] = 0
        # The number of a rank among those that earlier rounds left, from the highest down.
        element = NUM_RANKS - 1 - num_before
        for rank in range(NUM_RANKS - 1, -1, -1):
            if used_ranks >> rank & 1:
                continue
            if num_missing > 0 and BINOMIALS[element, num_missing] <= combination:
                combination -= BINOMIALS[element, num_missing]
                num_missing -= 1
                out_rank_masks[round_index] |= 1 << rank
            element -= 1
        used_ranks |= out_rank_masks[round_index]
        num_before += card_counts[round_index]


@inlined
def count_combinations(n: np.int64, k: int) -> np.int64:
    """Return the binomial coefficient (n choose k).

    It is computed by k multiplications and divisions, because n is too large for a table and k is at most 4. It is 0
    if n is below k.

    Parameters
    ----------
    n : int64
        The number of elements from which to choose.
    k : int
        The number of elements to choose.
    """
    num_combinations = np.int64(1)
    for i in range(k):
        num_combinations = num_combinations * (n - i) // (i + 1)
    return num_combinations


@inlined
def find_highest_element(combination: np.int64, k: int, end: np.int64) -> np.int64:
    """Return the highest element of a combination of k different integers from 0 to `end` - 1.

    It is the largest n < `end` with (n choose k) <= `combination`, and is found by bisection.

    Parameters
    ----------
    combination : int64
        The colexicographic index of the combination.
    k : int
        The number of elements of the combination.
    end : int64
        All elements are below this number.
    """
    low = np.int64(k - 1)
    high = np.int64(end)
    while high - low > 1:
        middle = (low + high) // 2
        if count_combinations(middle, k) <= combination:
            low = middle
        else:
            high = middle
    return low


@kernel
def fill_hand_classes(
    layout: ClassLayout, hands: Cards, out_classes: Ints, out_renamings: NDArray[np.uint8]
) -> None:
    """Write the class of each hand up to a renaming of suits, and the renaming that makes the hand canonical.

    The canonical hand of a class has the greatest suit in spades, and the next ones in hearts, diamonds and clubs.
    Suits are compared by their shapes (the numbers of their cards in each round), and suits of the same shape by their
    patterns (the sets of their ranks).

    Parameters
    ----------
    layout : ClassLayout
        The order in which the classes are numbered.
    hands : ndarray of uint8, shape (n, k)
        The k cards of each of n hands, round by round. They are not checked.
    out_classes : ndarray of int64, shape (n,)
        Overwritten with the number of each hand's class.
    out_renamings : ndarray of uint8, shape (n, 4) or (0, 4)
        Overwritten with the suit that each suit becomes in the canonical hand. An array without rows stays unchanged.
    """
    rank_masks = np.empty((NUM_SUITS, layout.round_sizes.size), np.int64)
    shapes, patterns = np.empty(NUM_SUITS, np.int64), np.empty(NUM_SUITS, np.int64)
    sorted_suits = np.empty(NUM_SUITS, np.int64)
    for row in range(hands.shape[0]):
        collect_suit_ranks(layout.round_sizes, hands[row], rank_masks)
        for suit in range(NUM_SUITS):
            shapes[suit], patterns[suit] = find_suit_shape_and_pattern(
                layout.round_sizes, rank_masks[suit]
            )
        sort_suits(shapes, patterns, sorted_suits)

        # The greatest suit becomes spades, which is the last suit.
        if out_renamings.size:
            for position in range(NUM_SUITS):
                out_renamings[row, sorted_suits[position]] = NUM_SUITS - 1 - position

        first_class = layout.first_class_of_shapes[
            shapes[sorted_suits[0]], shapes[sorted_suits[1]], shapes[sorted_suits[2]]
        ]
        index_within = index_suit_patterns(layout.num_patterns, shapes, patterns, sorted_suits)
        out_classes[row] = first_class + index_within


@inlined
def collect_suit_ranks(round_sizes: Ints, hand: Cards, out_rank_masks: Ints) -> None:
    """Write the set of ranks that a hand has in each suit and round, as the bits of an integer.

    Parameters
    ----------
    round_sizes : ndarray of int64, shape (R,)
        The number of cards that each of R rounds deals.
    hand : ndarray of uint8, shape (k,)
        The k cards of the hand, round by round.
    out_rank_masks : ndarray of int64, shape (4, R)
        Overwritten with the sets of ranks: bit r stands for rank r.
    """
    for suit in range(NUM_SUITS):
        for round_index in range(round_sizes.size):
            out_rank_masks[suit, round_index] = 0

    position = 0  # of the next card in the hand
    for round_index in range(round_sizes.size):
        for _ in range(round_sizes[round_index]):
            card = np.int64(hand[position])
            rank = card // NUM_SUITS
            out_rank_masks[card % NUM_SUITS, round_index] |= 1 << rank
            position += 1


@inlined
def sort_suits(shapes: Ints, patterns: Ints, out_sorted_suits: Ints) -> None:
    """Write the four suits in descending order of their shapes, and suits of the same shape by their patterns.

    The shape of a suit is the number of its cards in each round, and its pattern is the set of its ranks in each round.
    The sort is by insertion. It begins with the highest suit (spades), and equal suits keep that order.

    Parameters
    ----------
    shapes : ndarray of int64, shape (4,)
        The number of each suit's shape.
    patterns : ndarray of int64, shape (4,)
        The number of each suit's pattern among the patterns of its shape.
    out_sorted_suits : ndarray of int64, shape (4,)
        Overwritten with the suits, 0 to 3, from the greatest down.
    """
    for num_sorted in range(NUM_SUITS):
        suit = NUM_SUITS - 1 - num_sorted
        position = num_sorted
        # Move the sorted suits that are below this one to the right.
        while position > 0:
            suit_before = out_sorted_suits[position - 1]
            if shapes[suit_before] > shapes[suit]:
                break
            if shapes[suit_before] == shapes[suit] and patterns[suit_before] >= patterns[suit]:
                break
            out_sorted_suits[position] = suit_before
            position -= 1
        out_sorted_suits[position] = suit


@inlined
def index_suit_patterns(
    num_patterns: Ints, shapes: Ints, patterns: Ints, sorted_suits: Ints
) -> np.int64:
    """Return the index of a hand's class among the classes whose suits have the same four shapes.

    The shape of a suit is the number of its cards in each round, and its pattern is the set of its ranks in each round.
    The index has one digit for each group of suits of the same shape: the colexicographic index of the multiset of
    their patterns.

    Parameters
    ----------
    num_patterns : ndarray of int64, shape (K,)
        The number of patterns of each of K shapes.
    shapes : ndarray of int64, shape (4,)
        The number of each suit's shape.
    patterns : ndarray of int64, shape (4,)
        The number of each suit's pattern among the patterns of its shape.
    sorted_suits : ndarray of int64, shape (4,)
        The suits from the greatest down, from `sort_suits`.
    """
    index = np.int64(0)
    group_begin = 0
    while group_begin < NUM_SUITS:
        # The suits at the positions from `group_begin` to `group_end` - 1 have the same shape.
        shape = shapes[sorted_suits[group_begin]]
        group_end = group_begin + 1
        while group_end < NUM_SUITS and shapes[sorted_suits[group_end]] == shape:
            group_end += 1

        group_size = group_end - group_begin
        num_multisets = count_combinations(num_patterns[shape] + group_size - 1, group_size)
        index *= num_multisets
        for position in range(group_begin, group_end):
            # A multiset becomes a combination if i is added to its i-th smallest element, counted from 0.
            num_smaller = group_end - 1 - position
            element = patterns[sorted_suits[position]] + num_smaller
            index += count_combinations(element, num_smaller + 1)
        group_begin = group_end
    return index


@kernel
def fill_canonical_hands(
    layout: ClassLayout, classes: Ints, out_hands: Cards, out_counts: Ints
) -> None:
    """Write the canonical hand of each class of hands, and the number of hands in the class.

    A class contains the hands that a renaming of suits makes equal. This is the inverse of `fill_hand_classes`.

    Parameters
    ----------
    layout : ClassLayout
        The order in which the classes are numbered.
    classes : ndarray of int64, shape (n,)
        The numbers of n classes.
    out_hands : ndarray of uint8, shape (n, k) or (0, 0)
        Overwritten with the k cards of each canonical hand. An empty array stays unchanged.
    out_counts : ndarray of int64, shape (n,) or (0,)
        Overwritten with the number of hands in each class. An empty array stays unchanged.
    """
    rank_masks = np.empty((NUM_SUITS, layout.round_sizes.size), np.int64)
    patterns = np.empty(NUM_SUITS, np.int64)
    for row in range(classes.size):
        combination = find_shape_combination(layout.first_classes, classes[row])
        shapes = layout.shape_combinations[combination]
        index_within = classes[row] - layout.first_classes[combination]
        decode_pattern_multisets(layout.num_patterns, shapes, index_within, patterns)
        if out_counts.size:
            out_counts[row] = count_suit_assignments(shapes, patterns)
        if out_hands.size:
            # The greatest suit is spades, which is the last suit.
            for position in range(NUM_SUITS):
                suit = NUM_SUITS - 1 - position
                card_counts = layout.cards_in_rounds[shapes[position]]
                decode_suit_pattern(card_counts, patterns[position], rank_masks[suit])
            fill_hand_cards(rank_masks, out_hands[row])


@inlined
def find_shape_combination(first_classes: Ints, hand_class: int) -> int:
    """Return the index of the combination of four shapes that the suits of the hands in a class have.

    The shape of a suit is the number of its cards in each round. Classes whose suits have the same shapes have
    consecutive numbers, so the combination is found by bisection.

    Parameters
    ----------
    first_classes : ndarray of int64, shape (Q,)
        The first class of the hands with each of Q combinations of shapes, in ascending order.
    hand_class : int
        The number of the class.
    """
    low = 0
    high = first_classes.size
    while high - low > 1:
        middle = (low + high) // 2
        if first_classes[middle] <= hand_class:
            low = middle
        else:
            high = middle
    return low


@inlined
def decode_pattern_multisets(
    num_patterns: Ints, shapes: Ints, index: np.int64, out_patterns: Ints
) -> None:
    """Write the patterns of the four suits of a class of hands, given its index among the classes with these shapes.

    The shape of a suit is the number of its cards in each round, and its pattern is the set of its ranks in each round.
    This is the inverse of `index_suit_patterns`. The index has one digit for each group of suits of the same shape, and
    its digits are taken from the last group to the first.

    Parameters
    ----------
    num_patterns : ndarray of int64, shape (K,)
        The number of patterns of each of K shapes.
    shapes : ndarray of int64, shape (4,)
        The numbers of the suits' shapes, in descending order.
    index : int64
        The index of the class among the classes whose suits have these shapes.
    out_patterns : ndarray of int64, shape (4,)
        Overwritten with the numbers of the patterns, in the order of the shapes.
    """
    group_end = NUM_SUITS
    while group_end > 0:
        # The suits at the positions from `group_begin` to `group_end` - 1 have the same shape.
        group_begin = group_end - 1
        while group_begin > 0 and shapes[group_begin - 1] == shapes[group_end - 1]:
            group_begin -= 1
        group_size = group_end - group_begin

        # Multisets are numbered like combinations of this many elements.
        num_elements = num_patterns[shapes[group_begin]] + group_size - 1
        num_multisets = count_combinations(num_elements, group_size)
        combination = index % num_multisets
        index //= num_multisets

        element = num_elements
        for position in range(group_begin, group_end):
            num_smaller = group_end - 1 - position
            element = find_highest_element(combination, num_smaller + 1, element)
            combination -= count_combinations(element, num_smaller + 1)
            # A multiset becomes a combination if i is added to its i-th smallest element. Here i is subtracted again.
            out_patterns[position] = element - num_smaller
        group_end = group_begin


@inlined
def fill_hand_cards(rank_masks: Ints, out_hand: Cards) -> None:
    """Write the cards of a hand round by round, each round from the highest card down.

    It is the inverse of `collect_suit_ranks`.

    Parameters
    ----------
    rank_masks : ndarray of int64, shape (4, R)
        The ranks of each suit in each of R rounds: bit r stands for rank r.
    out_hand : ndarray of uint8, shape (k,)
        Overwritten with the k cards of the hand.
    """
    position = 0  # of the next card in the hand
    for round_index in range(rank_masks.shape[1]):
        for card in range(NUM_CARDS - 1, -1, -1):
            rank, suit = card // NUM_SUITS, card % NUM_SUITS
            if rank_masks[suit, round_index] >> rank & 1:
                out_hand[position] = card
                position += 1


@inlined
def count_suit_assignments(shapes: Ints, patterns: Ints) -> int:
    """Return the number of hands that a renaming of suits can make of a hand, the hand itself included.

    It is 4! divided by m! for each group of m suits that have the same shape and pattern, because exchanging such suits
    does not change the hand. The shape of a suit is the number of its cards in each round, and its pattern is the set
    of its ranks in each round.

    Parameters
    ----------
    shapes : ndarray of int64, shape (4,)
        The numbers of the suits' shapes, in descending order.
    patterns : ndarray of int64, shape (4,)
        The number of each suit's pattern. Suits of the same shape are sorted by pattern, so equal suits are neighbors.
    """
    num_assignments = 24  # 4!
    num_equal = 1  # the suits so far in the present group; dividing by 1, 2, ..., m divides by m!
    for position in range(1, NUM_SUITS):
        has_same_shape = shapes[position] == shapes[position - 1]
        has_same_pattern = patterns[position] == patterns[position - 1]
        num_equal = num_equal + 1 if has_same_shape and has_same_pattern else 1
        num_assignments //= num_equal
    return num_assignments
