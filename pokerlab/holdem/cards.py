"""Cards of a 52-card deck, seeded dealing, and an index of hands up to a renaming of suits.

A card is an integer in a byte: card = 4 * rank + suit. The ranks 2, 3, ..., 9, T, J, Q, K, A have the numbers 0 to 12,
and the suits clubs, diamonds, hearts and spades have the numbers 0 to 3. So the two of clubs is card 0, and the ace of
spades is card 51.

A pair of hole cards is called a *holding*. There are 1,326 of them: the cards h > l are holding h (h - 1) / 2 + l, a
row of `HOLDINGS`.

Hands are dealt by counter-based random numbers (`pokerlab.core.random_numbers`), and each hand has its own key. So the
cards of a hand depend only on the seed, the purpose and the index of the hand. They do not depend on which hands were
played before it, how many are played at once, or how many workers play them.

Classes of hands. A hand is dealt in rounds: two hole cards, a flop, a turn and a river. The round of a card matters,
but the order of cards within a round does not. The ranks that a hand has in one suit, round by round, are the *pattern*
of that suit, and the numbers of these ranks in each round are its *shape*. Renaming suits permutes the four patterns
and changes nothing else. So a class of hands is a multiset of four patterns, and classes are numbered in three steps:

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

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Ints, SettingError, freeze, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits, derive_stream_key, draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, validate_integer

STREETS = ("preflop", "flop", "turn", "river")
STREET_PHRASES = ("before the flop", "on the flop", "on the turn", "on the river")
"""The streets as they are written in a sentence."""
BOARD_SIZES = (0, 3, 4, 5)
NUM_STREETS = len(STREETS)
PREFLOP, FLOP, TURN, RIVER = range(NUM_STREETS)
NUM_RANKS = 13
NUM_SUITS = 4
NUM_CARDS = NUM_RANKS * NUM_SUITS
MOST_DEALS = 10**8  # the most deals in one call, whose cards or winnings must fit in memory
RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

Cards: TypeAlias = NDArray[np.uint8]

CARD_PATTERN = re.compile(r"[\s,]*(10|[2-9TJQKA])([cdhs♣♦♥♠])", re.IGNORECASE)
SEPARATORS = re.compile(r"[\s,]*")


def parse_cards(text: str) -> Cards:
    """Return the cards that are written in a text such as 'As Td', 'AsTd' or 'A♠, 10♦'.

    Parameters
    ----------
    text : str
        A rank and a suit for each card, in upper or lower case. Spaces and commas between cards are optional.

    Returns
    -------
    ndarray of uint8, shape (k,)
        The k cards in the order of the text; none for an empty text.

    Raises
    ------
    CardError
        If a part of the text is not a card, or a card appears twice.

    Examples
    --------
    >>> parse_cards("2c As Td").tolist()
    [0, 51, 33]
    """
    cards: list[int] = []
    position = 0
    while found := CARD_PATTERN.match(text, position):
        rank = found[1].upper().replace("10", "T")
        suit = found[2].lower()
        suit_names = SUITS if suit in SUITS else SUIT_SYMBOLS
        cards.append(NUM_SUITS * RANKS.index(rank) + suit_names.index(suit))
        position = found.end()

    unread = SEPARATORS.sub("", text[position:], count=1)
    if unread:
        raise CardError(
            f"'{unread.split()[0]}' in '{text}' is not a card. Write a rank of {RANKS} and a suit of {SUITS} "
            f"({SUIT_SYMBOLS}), such as 'As Td'."
        )
    return validate_cards(cards)


def format_cards(cards: ArrayLike, *, symbols: bool = False) -> str:
    """Return the text of one card or several, in a form that `parse_cards` accepts.

    Parameters
    ----------
    cards : array_like of integers, shape () or (k,)
        One card, or k cards.
    symbols : bool
        Whether suits are written as symbols (♠) instead of letters (s).

    Raises
    ------
    CardError
        If a number is not a card, or the array has more than one axis.

    Examples
    --------
    >>> format_cards([51, 45])
    'As Kd'
    >>> format_cards([51, 45], symbols=True)
    'A♠ K♦'
    """
    given = np.atleast_1d(np.asarray(cards))
    numbers = given.tolist()
    are_whole = given.dtype.kind in "iu" or not given.size
    if given.ndim > 1 or not are_whole or any(not 0 <= card < NUM_CARDS for card in numbers):
        raise CardError(
            f"{numbers} are not all cards; cards are whole numbers from 0 to {NUM_CARDS - 1}, in one row."
        )

    suit_names = SUIT_SYMBOLS if symbols else SUITS
    return " ".join(RANKS[card // NUM_SUITS] + suit_names[card % NUM_SUITS] for card in numbers)


def validate_cards(cards: Any) -> Cards:
    """Return hands of cards as a contiguous array of bytes, after checking that each hand has different cards.

    Parameters
    ----------
    cards : array_like of integers, shape (..., k), or of str, shape (...,)
        Hands of k cards each, as numbers or as texts that `parse_cards` accepts.

    Returns
    -------
    ndarray of uint8, shape (..., k)
        The given array itself if it already has this type and is contiguous; otherwise a copy.

    Raises
    ------
    CardError
        If a number or a text is not a card, if hands have different numbers of cards, or if a hand has a card twice.
    """
    given = np.asarray(cards)
    if given.size == 0:
        return np.zeros(given.shape, np.uint8)

    if given.dtype.kind == "U":
        parsed = [parse_cards(text) for text in given.ravel()]
        if len({len(hand) for hand in parsed}) > 1:
            raise CardError(f"{given.tolist()} are not equally many cards each.")
        return np.reshape(parsed, (*given.shape, len(parsed[0])))

    if given.dtype.kind not in "iu":
        raise CardError(
            f"cards are of type {given.dtype}; use integers from 0 to {NUM_CARDS - 1}, or text such as 'As Td'."
        )
    if given.min() < 0 or given.max() >= NUM_CARDS:
        wrong = given[(given < 0) | (given >= NUM_CARDS)].flat[0]
        raise CardError(
            f"{wrong} is not a card; cards are numbered 0 (2c) to {NUM_CARDS - 1} (As): 4 * rank + suit."
        )

    hands = np.asarray(given, dtype=np.uint8, order="C")
    rows = hands.reshape(-1, hands.shape[-1]) if hands.ndim else hands.reshape(1, 1)
    row = find_row_with_repeated_card(rows)
    if row >= 0:
        where = f" (row {row} of {len(rows):,})" if len(rows) > 1 else ""
        different, counts = np.unique(rows[row], return_counts=True)
        repeated = format_cards(different[counts > 1])
        raise CardError(
            f"a card appears twice in '{format_cards(rows[row])}'{where}: {repeated};"
            " one deck has each card once."
        )
    return hands


@kernel
def find_row_with_repeated_card(rows: Cards) -> int:
    """Return the index of the first row of an array that contains a card twice, or -1 if there is none.

    Each of the n rows of the array, of shape (n, k), is a hand of k cards.
    """
    size = rows.shape[1]
    for row in range(rows.shape[0]):
        # A size known to the compiler halves the time of the most common case.
        if size == 7:
            is_repeated = has_repeated_card(rows[row], 7)
        else:
            is_repeated = has_repeated_card(rows[row], size)
        if is_repeated:
            return row
    return -1


@inlined
def has_repeated_card(cards: Cards, size: int) -> bool:
    """Return whether a card appears twice among the first `size` cards."""
    seen = np.uint64(0)  # one bit for each card
    repeated = np.uint64(0)
    for place in range(size):
        card_bit = np.uint64(1) << np.uint64(cards[place])
        repeated |= seen & card_bit
        seen |= card_bit
    return bool(repeated)


KernelInt: TypeAlias = int | np.int64  # an integer in a kernel, where both are the same type

NUM_HOLDINGS = NUM_CARDS * (NUM_CARDS - 1) // 2

HOLDINGS: Cards = np.stack(np.tril_indices(NUM_CARDS, -1), axis=1).astype(np.uint8)
"""The two cards of each holding, with the higher card first; the array has shape (1326, 2)."""
HOLDINGS.flags.writeable = False
HOLDS_CARD = (HOLDINGS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).T
"""Whether each card is in each holding; the array has shape (52, 1326)."""


def find_holding_indices(holes: Cards | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index among `HOLDINGS` of each pair of hole cards.

    The pairs of cards h > l are numbered like the entries of a triangle, row by row: before the row of h there are
    h (h - 1) / 2 pairs.

    Parameters
    ----------
    holes : ndarray of integers, shape (..., 2)
        Pairs of two different cards, in either order.

    Returns
    -------
    ndarray of int64, shape (...,)
    """
    high = holes.max(axis=-1).astype(np.int64)
    low = holes.min(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


@inlined
def find_holding_index(first: KernelInt, second: KernelInt) -> KernelInt:
    """Return the index among `HOLDINGS` of two different cards, numbers from 0 to 51 in either order.

    The pairs of cards h > l are numbered like the entries of a triangle, row by row: before the row of h there are
    h (h - 1) / 2 pairs. Kernels call this function, and `find_holding_indices` does the same for arrays of pairs.
    """
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


MOST_SEATS_DEALT = (NUM_CARDS - 5) // 2
CARDS_PER_RANDOM_NUMBER = 4  # the number of cards that one random number deals
FRACTION_BITS, DROPPED_BITS = np.uint64(58), np.uint64(6)
"""The lower 58 of 64 bits are a binary fraction. Six bits of a random number are dropped, which leaves the upper six
bits free for the whole part of a product: 52 is less than 2**6."""
FRACTION_MASK = np.uint64((1 << 58) - 1)


def deal_hands(seed: int, num_deals: int, num_seats: int, *, first: int = 0) -> Cards:
    """Return the cards of consecutive deals of a cash game.

    Parameters
    ----------
    seed : int
        The seed of the game.
    num_deals : int
        The number of deals, 0 to 10**8.
    num_seats : int
        The number of seats, 0 to 23.
    first : int
        The index of the first deal. Each deal depends only on the seed and on its own index.

    Returns
    -------
    ndarray of uint8, shape (num_deals, 2 * num_seats + 5)
        Each row has two cards for each seat, followed by the five cards of the board.
    """
    validate_integer("num_deals", num_deals, 0, MOST_DEALS)
    validate_integer("num_seats", num_seats, 0, MOST_SEATS_DEALT)
    validate_integer("first", first, 0, LARGEST_COUNT)
    cards = np.empty((num_deals, 2 * num_seats + 5), np.uint8)
    fill_deals(draw_stream_key(seed, "deal"), first, np.empty(NUM_CARDS, np.uint8), cards)
    return cards


def deal_tournament_hand(seed: int, tournament: int, hand: int, num_seats: int) -> Cards:
    """Return the cards of one hand of a tournament: two for each seat, then the board.

    Parameters
    ----------
    seed : int
        The seed of the tournaments.
    tournament : int
        The index of the tournament.
    hand : int
        The index of the hand among the hands of all tables of the tournament.
    num_seats : int
        The number of seats at the table.

    Returns
    -------
    ndarray of uint8, shape (2 * num_seats + 5,)
    """
    cards = np.empty((1, 2 * num_seats + 5), np.uint8)
    tournament_key = np.uint64(derive_stream_key(draw_stream_key(seed, "deal"), tournament))
    fill_deals(tournament_key, hand, np.empty(NUM_CARDS, np.uint8), cards)
    return cards.reshape(-1)


@inlined
def deal_cards(key: np.uint64, deck: Cards, out_cards: Cards, num_cards: int) -> None:
    """Deal cards from a fresh deck by the random numbers of a hand.

    A random number is a binary fraction. It is multiplied by the number of cards left in the deck. The whole part of
    the product picks a card, and its fractional part is the binary fraction that picks the next card. After four cards
    a new random number is used. No card is likelier than another by more than 52**4 / 2**58, a few parts in 10**11.

    Parameters
    ----------
    key : uint64
        The key of the hand's random numbers.
    deck : ndarray of uint8, shape (52,)
        Overwritten. It need not contain a deck before.
    out_cards : ndarray of uint8
        The first `num_cards` entries are overwritten with the cards.
    num_cards : int
        The number of cards to deal.
    """
    for card in range(NUM_CARDS):
        deck[card] = card
    fraction = np.uint64(0)  # of 58 binary digits; the six bits above it are free for a whole part
    for place in range(num_cards):
        if place % CARDS_PER_RANDOM_NUMBER == 0:
            fraction = compute_random_bits(key, place) >> DROPPED_BITS
        product_bits = fraction * np.uint64(NUM_CARDS - place)
        pick = place + np.int64(product_bits >> FRACTION_BITS)
        fraction = product_bits & FRACTION_MASK
        out_cards[place] = deck[pick]
        deck[pick] = deck[place]  # the cards still in the deck are those from `place + 1` on


@kernel
def fill_deals(key: np.uint64, first: int, deck: Cards, out_cards: Cards) -> None:
    """Deal n consecutive hands, each into one row of an array.

    Parameters
    ----------
    key : uint64
        The key of the random stream of cards.
    first : int
        The index of the first hand; a hand's cards depend on the key and on its index.
    deck : ndarray of uint8, shape (52,)
        Overwritten while dealing.
    out_cards : ndarray of uint8, shape (n, cards)
        Overwritten with the cards of each hand.
    """
    for row in range(out_cards.shape[0]):
        deal_cards(compute_random_bits(key, first + row), deck, out_cards[row], out_cards.shape[1])


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
        """Return hands as the rows of an array, and the shape in which they came; each has the cards of all rounds."""
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
