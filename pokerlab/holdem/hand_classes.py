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
    """The order of the classes of hands, for kernels.

    A hand is dealt in R rounds. A suit can have K shapes (the numbers of its cards in each round), and four suits can
    have Q combinations of shapes.

    Attributes
    ----------
    rounds : ndarray of int64, shape (R,)
        The number of cards that each round deals.
    sizes : ndarray of int64, shape (K, R)
        The number of cards of the suit in each round, for each shape.
    patterns : ndarray of int64, shape (K,)
        The number of patterns of each shape.
    start_of : ndarray of int64, shape (K, K, K)
        The first class of the hands whose suits have three given greatest shapes, which determine the fourth shape; -1
        if no hand has them.
    shapes : ndarray of int64, shape (Q, 4)
        The four shapes of each combination, the greatest first.
    starts : ndarray of int64, shape (Q,)
        The first class of the hands with each combination of shapes.
    """

    rounds: Ints
    sizes: Ints
    patterns: Ints
    start_of: Ints
    shapes: Ints
    starts: Ints


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands up to a renaming of suits, numbered from 0; made by `build_hand_classes`.

    Two hands are in the same class exactly if a renaming of suits makes them equal.

    Attributes
    ----------
    rounds : tuple of int
        The number of cards that each round deals. Their sum k is the number of cards of a hand.
    size : int
        The number of classes.
    layout : ClassLayout
        The order of the classes, for kernels.
    """

    rounds: tuple[int, ...]
    size: int
    layout: ClassLayout

    def index_hands(self, cards: ArrayLike) -> Any:
        """Return the class of each hand.

        Parameters
        ----------
        cards : array_like of integers, shape (..., k)
            The k cards of each hand, round by round.

        Returns
        -------
        int or ndarray of int64, shape (...,)
            An int for a single hand.

        Raises
        ------
        CardError
            If the hands are not valid cards, or do not have k cards.
        """
        hands, shape = self._flatten_hands(cards)
        classes = np.empty(len(hands), np.int64)
        no_names = np.empty((0, NUM_SUITS), np.uint8)
        fill_classes(self.layout, hands, classes, no_names)
        return classes.reshape(shape) if shape else int(classes[0])

    def find_renamings(self, cards: ArrayLike) -> NDArray[np.uint8]:
        """Return, for each hand, the renaming of suits that makes it the canonical hand of its class.

        Parameters
        ----------
        cards : array_like of integers, shape (..., k)
            The k cards of each hand, round by round.

        Returns
        -------
        ndarray of uint8, shape (..., 4)
            The suit that each of the four suits becomes.
        """
        hands, shape = self._flatten_hands(cards)
        classes = np.empty(len(hands), np.int64)
        names = np.empty((len(hands), NUM_SUITS), np.uint8)
        fill_classes(self.layout, hands, classes, names)
        return names.reshape(*shape, NUM_SUITS)

    def make_canonical_hands(self, classes: ArrayLike) -> Cards:
        """Return the canonical hand of each class.

        Parameters
        ----------
        classes : array_like of integers, shape (...,)
            Numbers of classes, from 0 to `size` - 1. They are not checked.

        Returns
        -------
        ndarray of uint8, shape (..., k)
            The k cards of each hand, round by round, and in each round from the highest card to the lowest.
        """
        indices = np.asarray(classes)
        size = sum(self.rounds)
        cards = np.empty((indices.size, size), np.uint8)
        no_counts = np.empty(0, np.int64)
        fill_canonical_hands(self.layout, indices.ravel(), cards, no_counts)
        return cards.reshape(*indices.shape, size)

    def count_hands(self, classes: ArrayLike) -> Ints:
        """Return the number of hands in each class.

        There are 24 renamings of suits. If s of them leave a hand unchanged, its class has 24 / s hands.

        Parameters
        ----------
        classes : array_like of integers, shape (...,)
            Numbers of classes, from 0 to `size` - 1. They are not checked.

        Returns
        -------
        ndarray of int64, shape (...,)
        """
        indices = np.asarray(classes)
        no_hands = np.empty((0, 0), np.uint8)
        counts = np.empty(indices.size, np.int64)
        fill_canonical_hands(self.layout, indices.ravel(), no_hands, counts)
        return counts.reshape(indices.shape)

    def _flatten_hands(self, cards: ArrayLike) -> tuple[Cards, tuple[int, ...]]:
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
    """Return the classes of hands that are dealt in rounds of the given numbers of cards, at most seven in all.

    For example, rounds of (2,) give starting hands, (2, 3) give hands on the flop, and (4,) give boards on the turn, if
    it does not matter which of the four cards came last.

    >>> build_hand_classes(2).size, build_hand_classes(2, 3).size, build_hand_classes(2, 4).size
    (169, 1286792, 13960050)
    """
    # All shapes of a suit: the numbers of its cards in each round.
    sizes = list(product(*(range(cards + 1) for cards in rounds)))
    patterns = [count_patterns(of_shape) for of_shape in sizes]
    start_of = np.full((len(sizes),) * 3, -1)
    shapes: list[tuple[int, ...]] = []
    starts: list[int] = []
    size = 0
    for ascending_shapes in combinations_with_replacement(range(len(sizes)), NUM_SUITS):
        # The index of a shape is a number with one digit for each round. The four shapes of a hand add up to `rounds`,
        # which is the last index. The second test excludes sums with a carry from one digit to the next.
        if sum(ascending_shapes) != len(sizes) - 1:
            continue
        sizes_of_suits = [sizes[shape] for shape in ascending_shapes]
        cards_in_rounds = tuple(map(sum, zip(*sizes_of_suits, strict=True)))
        if cards_in_rounds != rounds:
            continue
        shapes.append(ascending_shapes[::-1])
        starts.append(size)
        start_of[shapes[-1][:3]] = size

        # Each group of suits with the same shape has a multiset of patterns.
        num_classes = 1
        for shape in set(ascending_shapes):
            num_suits = ascending_shapes.count(shape)
            num_classes *= comb(patterns[shape] + num_suits - 1, num_suits)
        size += num_classes
    layout = ClassLayout(*map(np.array, (rounds, sizes, patterns, start_of, shapes, starts)))
    freeze(*layout)
    return HandClasses(rounds, size, layout)


def count_patterns(sizes: tuple[int, ...]) -> int:
    """Return the number of patterns of a suit: of the sets of ranks that it can have in each round.

    `sizes` has the number of its cards in each round.
    """
    ranks_left = NUM_RANKS
    num_patterns = 1
    for size in sizes:
        num_patterns *= comb(ranks_left, size)
        ranks_left -= size
    return num_patterns


def list_canonical_boards(num_cards: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of three to five cards, and the number of boards that are equivalent to each.

    Two boards are equivalent if a renaming of suits makes them the same set of cards. The order in which the cards came
    does not matter.

    Parameters
    ----------
    num_cards : int
        The number of cards on the board: 3, 4 or 5.

    Returns
    -------
    boards : ndarray of uint8, shape (N, num_cards)
        The N canonical boards.
    multiplicities : ndarray of int64, shape (N,)
        The number of boards that are equivalent to each.

    Raises
    ------
    SettingError
        If `num_cards` is another number.
    """
    if num_cards not in (3, 4, 5):
        raise SettingError(f"no street has {num_cards} board cards; give 3, 4 or 5.")
    classes = build_hand_classes(num_cards)
    indices = np.arange(classes.size)
    return classes.make_canonical_hands(indices), classes.count_hands(indices)


SUIT_RENAMINGS = np.array(list(permutations(range(NUM_SUITS))))
"""The 24 renamings of the four suits; each row has the new suit of each old suit."""
RENAMING_ROW = np.zeros((NUM_SUITS,) * 3, np.int64)
"""The row of `SUIT_RENAMINGS` that begins with three given suits; the array has shape (4, 4, 4)."""
RENAMING_ROW[tuple(SUIT_RENAMINGS[:, :3].T)] = np.arange(len(SUIT_RENAMINGS))
RENAMED_HOLDINGS = np.array(
    [
        find_holding_indices(HOLDINGS - HOLDINGS % NUM_SUITS + new[HOLDINGS % NUM_SUITS])
        for new in SUIT_RENAMINGS
    ],
    np.uint16,
)
"""The holding that each holding becomes under each renaming of suits; the array has shape (24, 1326)."""


def find_canonical_boards(boards: Cards) -> tuple[Ints, Ints]:
    """Return the canonical board that is equivalent to each board, and the renaming of suits that leads to it.

    Parameters
    ----------
    boards : ndarray of uint8, shape (n, k)
        Boards of k cards each. An empty board (k = 0) has the canonical board 0, and no suit is renamed.

    Returns
    -------
    canonical : ndarray of int64, shape (n,)
        The index of each canonical board in `list_canonical_boards(k)`.
    renamings : ndarray of int64, shape (n,)
        The index of each renaming in `SUIT_RENAMINGS` and in `RENAMED_HOLDINGS`.
    """
    classes = np.zeros(len(boards), np.int64)
    names = np.tile(np.arange(NUM_SUITS, dtype=np.uint8), (len(boards), 1))
    if boards.shape[1]:
        fill_classes(build_hand_classes(boards.shape[1]).layout, boards, classes, names)
    return classes, RENAMING_ROW[names[:, 0], names[:, 1], names[:, 2]]


BINOMIALS = np.array([[comb(n, k) for k in range(NUM_RANKS + 1)] for n in range(NUM_RANKS + 1)])
"""`BINOMIALS[n, k]` is the number of ways to take k of n ranks."""


@inlined
def encode_suit(rounds: Ints, masks: Ints) -> tuple[np.int64, np.int64]:
    """Return the indices of the shape and of the pattern of a suit.

    Both are integers in a mixed radix, with one digit for each of R rounds. A digit of the shape is the number of cards
    of the suit in that round. A digit of the pattern is the index of the combination of their ranks, out of the ranks
    that earlier rounds left.

    Parameters
    ----------
    rounds : ndarray of int64, shape (R,)
        The number of cards that each round deals.
    masks : ndarray of int64, shape (R,)
        The ranks of the suit's cards in each round, as bits.
    """
    shape = pattern = used = np.int64(0)
    for r in range(rounds.size):
        # Number the ranks that earlier rounds left from 0 on: `place` is the number of the present rank.
        size = place = combination = np.int64(0)
        for rank in range(NUM_RANKS):
            if used >> rank & 1:
                continue
            if masks[r] >> rank & 1:
                size += 1
                # In the combinatorial number system, the size-th smallest member c adds (c choose size).
                combination += BINOMIALS[place, size]
            place += 1

        # Append one digit to each number. There are as many digits of the pattern as combinations.
        num_combinations = BINOMIALS[place, size]
        pattern = pattern * num_combinations + combination
        shape = shape * (rounds[r] + 1) + size
        used |= masks[r]
    return shape, pattern


@inlined
def decode_pattern(sizes: Ints, pattern: np.int64, out_masks: Ints) -> None:
    """Write the ranks of a suit's cards in each round, given its pattern: the inverse of `encode_suit`.

    Parameters
    ----------
    sizes : ndarray of int64, shape (R,)
        The number of cards of the suit in each of R rounds.
    pattern : int64
        The index of the pattern.
    out_masks : ndarray of int64, shape (R,)
        Overwritten with the ranks of each round, as bits.
    """
    num_before = np.int64(0)  # the number of cards in earlier rounds
    for r in range(sizes.size):
        num_before += sizes[r]

    # Take the digits of the pattern, from the last round to the first: the index of each round's combination.
    for r in range(sizes.size - 1, -1, -1):
        num_before -= sizes[r]
        num_combinations = BINOMIALS[NUM_RANKS - num_before, sizes[r]]
        out_masks[r] = pattern % num_combinations
        pattern //= num_combinations

    # Find the ranks of each combination, from the highest to the lowest, out of those that earlier rounds left.
    used = np.int64(0)
    for r in range(sizes.size):
        combination, num_left = out_masks[r], sizes[r]
        out_masks[r] = 0
        place = NUM_RANKS - 1 - num_before
        for rank in range(NUM_RANKS - 1, -1, -1):
            if used >> rank & 1:
                continue
            if num_left > 0 and BINOMIALS[place, num_left] <= combination:
                combination -= BINOMIALS[place, num_left]
                num_left -= 1
                out_masks[r] |= 1 << rank
            place -= 1
        used |= out_masks[r]
        num_before += sizes[r]


@inlined
def count_combinations(n: np.int64, k: int) -> np.int64:
    """Return the binomial coefficient (n choose k), computed by k multiplications and divisions."""
    ways = np.int64(1)
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@inlined
def find_highest_member(combination: np.int64, k: int, below: np.int64) -> np.int64:
    """Return the highest member of a combination of k integers from 0 to `below` - 1.

    `combination` is the colexicographic index of the combination. Its highest member is the largest n < `below` with
    (n choose k) <= `combination`, which is found by bisection.
    """
    low = np.int64(k - 1)
    high = np.int64(below)
    while high - low > 1:
        middle = (low + high) // 2
        if count_combinations(middle, k) <= combination:
            low = middle
        else:
            high = middle
    return low


@kernel
def fill_classes(
    layout: ClassLayout, hands: Cards, out_classes: Ints, out_renamings: NDArray[np.uint8]
) -> None:
    """Write the class of each hand, as numbered by the rules of this module, and the renaming of its suits.

    Parameters
    ----------
    layout : ClassLayout
        The order of the classes.
    hands : ndarray of uint8, shape (n, k)
        The k cards of each of n hands, round by round.
    out_classes : ndarray of int64, shape (n,)
        Overwritten with the classes.
    out_renamings : ndarray of uint8, shape (n, 4) or (0, 4)
        Overwritten with the suit that each suit becomes in the canonical hand; pass an empty array if no renaming is
        needed.
    """
    masks = np.empty((NUM_SUITS, layout.rounds.size), np.int64)
    shape, pattern = np.empty(NUM_SUITS, np.int64), np.empty(NUM_SUITS, np.int64)
    suit_at = np.empty(NUM_SUITS, np.int64)  # the suits in descending order
    for row in range(hands.shape[0]):
        collect_suit_ranks(layout.rounds, hands[row], masks)
        for suit in range(NUM_SUITS):
            shape[suit], pattern[suit] = encode_suit(layout.rounds, masks[suit])
        sort_suits(shape, pattern, suit_at)
        if out_renamings.size:
            for place in range(NUM_SUITS):
                out_renamings[row, suit_at[place]] = NUM_SUITS - 1 - place
        first_class = layout.start_of[shape[suit_at[0]], shape[suit_at[1]], shape[suit_at[2]]]
        out_classes[row] = first_class + index_patterns(layout.patterns, shape, pattern, suit_at)


@inlined
def collect_suit_ranks(rounds: Ints, hand: Cards, out_masks: Ints) -> None:
    """Write the ranks that a hand has in each suit and round, as a set of bits: bit r stands for rank r.

    Parameters
    ----------
    rounds : ndarray of int64, shape (R,)
        The number of cards that each of the R rounds deals.
    hand : ndarray of uint8, shape (k,)
        The k cards, round by round.
    out_masks : ndarray of int64, shape (4, R)
        Overwritten.
    """
    for suit in range(NUM_SUITS):
        for round_index in range(rounds.size):
            out_masks[suit, round_index] = 0
    place = 0
    for round_index in range(rounds.size):
        for _ in range(rounds[round_index]):
            card = np.int64(hand[place])
            rank = card // NUM_SUITS
            out_masks[card % NUM_SUITS, round_index] |= 1 << rank
            place += 1


@inlined
def sort_suits(shape: Ints, pattern: Ints, out_suit_at: Ints) -> None:
    """Write the four suits in descending order of their shapes and then of their patterns.

    The sort is by insertion. It begins with the highest suit, and equal suits keep that order.

    Parameters
    ----------
    shape, pattern : ndarray of int64, shape (4,)
        The shape and the pattern of each suit.
    out_suit_at : ndarray of int64, shape (4,)
        Overwritten with the suits.
    """
    for num_sorted in range(NUM_SUITS):
        suit = NUM_SUITS - 1 - num_sorted
        place = num_sorted
        # Move the sorted suits that are below this one to the right.
        while place > 0:
            before = out_suit_at[place - 1]
            if shape[before] > shape[suit]:
                break
            if shape[before] == shape[suit] and pattern[before] >= pattern[suit]:
                break
            out_suit_at[place] = before
            place -= 1
        out_suit_at[place] = suit


@inlined
def index_patterns(num_patterns: Ints, shape: Ints, pattern: Ints, suit_at: Ints) -> np.int64:
    """Return the index of a hand's class among the classes whose suits have the same shapes.

    The index has one digit for each group of suits of the same shape: the colexicographic index of the multiset of
    their patterns.

    Parameters
    ----------
    num_patterns : ndarray of int64
        The number of patterns of each shape.
    shape, pattern : ndarray of int64, shape (4,)
        The shape and the pattern of each suit.
    suit_at : ndarray of int64, shape (4,)
        The suits in descending order.
    """
    index = np.int64(0)
    begin = 0
    while begin < NUM_SUITS:
        # The suits from `begin` to `end` - 1 have the same shape.
        shape_of_group = shape[suit_at[begin]]
        end = begin + 1
        while end < NUM_SUITS and shape[suit_at[end]] == shape_of_group:
            end += 1
        group_size = end - begin
        index *= count_combinations(num_patterns[shape_of_group] + group_size - 1, group_size)
        for place in range(begin, end):
            # A multiset becomes a combination if i is added to its i-th smallest member.
            member = pattern[suit_at[place]] + end - 1 - place
            index += count_combinations(member, end - place)
        begin = end
    return index


@kernel
def fill_canonical_hands(
    layout: ClassLayout, classes: Ints, out_hands: Cards, out_counts: Ints
) -> None:
    """Write the canonical hand of each class, and the number of hands in it: the inverse of `fill_classes`.

    Parameters
    ----------
    layout : ClassLayout
        The order of the classes.
    classes : ndarray of int64, shape (n,)
        The numbers of n classes.
    out_hands : ndarray of uint8, shape (n, k)
        Overwritten with the k cards of each hand; pass an empty array if no hands are needed.
    out_counts : ndarray of int64, shape (n,)
        Overwritten with the numbers of hands; pass an empty array if no counts are needed.
    """
    masks = np.empty((NUM_SUITS, layout.rounds.size), np.int64)
    pattern = np.empty(NUM_SUITS, np.int64)
    for row in range(classes.size):
        combination = find_shape_combination(layout.starts, classes[row])
        shape = layout.shapes[combination]
        index_within = classes[row] - layout.starts[combination]
        decode_patterns(layout.patterns, shape, index_within, pattern)
        if out_counts.size:
            out_counts[row] = count_renamings(shape, pattern)
        if out_hands.size:
            for place in range(NUM_SUITS):
                suit = NUM_SUITS - 1 - place
                decode_pattern(layout.sizes[shape[place]], pattern[place], masks[suit])
            write_hand(masks, out_hands[row])


@inlined
def find_shape_combination(starts: Ints, hand_class: int) -> int:
    """Return the index of the combination of suits' shapes that a class of hands has, found by bisection.

    Parameters
    ----------
    starts : ndarray of int64, shape (Q,)
        The first class of the hands with each of Q combinations, in ascending order.
    hand_class : int
        The number of the class.
    """
    low = 0
    high = starts.size
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= hand_class:
            low = middle
        else:
            high = middle
    return low


@inlined
def decode_patterns(num_patterns: Ints, shape: Ints, index: np.int64, out_pattern: Ints) -> None:
    """Write the patterns of the suits of a class: the inverse of `index_patterns`.

    The digits of the index are taken from the last group of suits of the same shape to the first.

    Parameters
    ----------
    num_patterns : ndarray of int64
        The number of patterns of each shape.
    shape : ndarray of int64, shape (4,)
        The shapes of the suits, in descending order.
    index : int64
        The index of the class among the classes whose suits have these shapes.
    out_pattern : ndarray of int64, shape (4,)
        Overwritten with the patterns, in the order of the shapes.
    """
    end = NUM_SUITS
    while end > 0:
        # The suits from `begin` to `end` - 1 have the same shape.
        begin = end - 1
        while begin > 0 and shape[begin - 1] == shape[end - 1]:
            begin -= 1
        group_size = end - begin
        member = num_patterns[shape[begin]] + group_size - 1
        num_multisets = count_combinations(member, group_size)
        multiset = index % num_multisets
        index //= num_multisets
        for place in range(begin, end):
            member = find_highest_member(multiset, end - place, member)
            multiset -= count_combinations(member, end - place)
            # A multiset becomes a combination if i is added to its i-th smallest member; here i is subtracted again.
            out_pattern[place] = member - (end - 1 - place)
        end = begin


@inlined
def write_hand(masks: Ints, out_hand: Cards) -> None:
    """Write the cards of a hand round by round, each round from the highest card down.

    It is the inverse of `collect_suit_ranks`.

    Parameters
    ----------
    masks : ndarray of int64, shape (4, R)
        The ranks of each suit in each of R rounds, as sets of bits.
    out_hand : ndarray of uint8, shape (k,)
        Overwritten with the k cards.
    """
    place = 0
    for round_index in range(masks.shape[1]):
        for card in range(NUM_CARDS - 1, -1, -1):
            rank, suit = card // NUM_SUITS, card % NUM_SUITS
            if masks[suit, round_index] >> rank & 1:
                out_hand[place] = card
                place += 1


@inlined
def count_renamings(shape: Ints, pattern: Ints) -> int:
    """Return the number of different ways to assign four patterns to the four suits.

    It is 4! divided by m! for each group of m equal patterns. The arrays have shape (4,), give the shape and the
    pattern of each suit, and are sorted, so that equal patterns are neighbors.
    """
    num_ways = 24
    num_equal = 1  # the suits so far in the present group; dividing by 1, 2, ..., m divides by m!
    for place in range(1, NUM_SUITS):
        is_equal = shape[place] == shape[place - 1] and pattern[place] == pattern[place - 1]
        num_equal = num_equal + 1 if is_equal else 1
        num_ways //= num_equal
    return num_ways
