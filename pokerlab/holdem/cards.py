"""Cards of a 52-card deck, how they are dealt, and one number for all hands that differ only in the names of suits.

Cards are small integers: card = 4 * rank + suit, in a byte. Ranks are numbered 0 to 12 for 2, 3, ..., 9, T, J, Q, K,
A; suits 0 to 3 for clubs, diamonds, hearts and spades. So the numbers run from the two of clubs, 0, to the ace of
spades, 51.

Hands are dealt by random numbers that are looked up (`pokerlab.core.random_numbers`): each hand has a key of its own.
So the cards of a hand depend only on seed, purpose and the hand's number, not on which hands were played before it,
how many at once, or by how many workers.

How to read the classes of hands. A hand is dealt in rounds: two hole cards, a flop, a turn, a river. The round of a
card matters, its order within the round does not. Look at one suit alone: it received some ranks in each round, its
*pattern*; how many in each round is its *shape*. Renaming suits shuffles the four patterns and changes nothing else,
so a class of hands is a multiset of four patterns, and is counted as such:

1. Patterns of one shape are numbered: the ranks of the first round as a combination out of 13,
   those of the next out of what is left, and so on; the first round's number weighs most.
   Combinations are numbered in colexicographic order.
2. The four suits are sorted by shape, then by pattern. The classes of each four shapes follow each
   other, the four shapes in lexicographic order.
3. Suits of one shape, m of them with n patterns, make (n + m - 1 choose m) multisets, again numbered
   in colexicographic order; the suits with the greatest shape weigh most.

The canonical hand of a class gives the greatest pattern to spades, the next to hearts, diamonds
and clubs. The idea of such an index is that of Waugh [1]_.

References
----------
.. [1] K. Waugh, "A fast and optimal hand isomorphism algorithm", AAAI Workshop on Computer Poker
   and Incomplete Information, 2013.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, Ints, SettingError, freeze, inlined, kernel
from pokerlab.core.random_numbers import key_at, key_of, number_at
from pokerlab.core.settings import LARGEST_COUNT, whole

STREETS = ("preflop", "flop", "turn", "river")
WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
"""The streets inside a sentence."""
BOARD_SIZES = (0, 3, 4, 5)
NUM_STREETS = len(STREETS)
PREFLOP, FLOP, TURN, RIVER = range(NUM_STREETS)
NUM_RANKS = 13
NUM_SUITS = 4
NUM_CARDS = NUM_RANKS * NUM_SUITS
MOST_DEALS = 10**8  # most deals in one call, which keeps the cards or the winnings of each
RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

Cards: TypeAlias = NDArray[np.uint8]

WORD = re.compile(r"[\s,]*(10|[2-9TJQKA])([cdhs♣♦♥♠])", re.IGNORECASE)
BETWEEN = re.compile(r"[\s,]*")


def parse_cards(text: str) -> Cards:
    """Read cards, (k,), from text such as 'As Td', 'AsTd' or 'A♠, 10♦', in its order.

    Parameters
    ----------
    text : str
        A rank and a suit for each card, in either case, with or without spaces and commas between.

    Raises
    ------
    CardError
        If a word is not a card, or a card appears twice.

    Examples
    --------
    >>> parse_cards("2c As Td").tolist()
    [0, 51, 33]
    """
    cards, position = list[int](), 0
    while word := WORD.match(text, position):
        rank, suit = word[1].upper().replace("10", "T"), word[2].lower()
        symbols = SUITS if suit in SUITS else SUIT_SYMBOLS
        cards.append(NUM_SUITS * RANKS.index(rank) + symbols.index(suit))
        position = word.end()
    if rest := BETWEEN.sub("", text[position:], count=1):
        raise CardError(
            f"'{rest.split()[0]}' in '{text}' is not a card. Write a rank of {RANKS} and a suit of {SUITS} "
            f"({SUIT_SYMBOLS}), such as 'As Td'."
        )
    return check_cards(cards)


def card_text(cards: ArrayLike) -> str:
    """Write one card or several as text that `parse_cards` reads.

    Examples
    --------
    >>> card_text([51, 45])
    'As Kd'
    """
    return _written(cards, SUITS)


def card_symbols(cards: ArrayLike) -> str:
    """Write one card or several with the symbols of their suits.

    Examples
    --------
    >>> card_symbols([51, 45])
    'A♠ K♦'
    """
    return _written(cards, SUIT_SYMBOLS)


def check_cards(cards: Any) -> Cards:
    """Return cards from one deck along the last axis, numbers or text, as bytes, (..., k): contiguous, checked.

    They are not copied if they already were.
    """
    given = np.asarray(cards)
    if given.size == 0:
        return np.zeros(given.shape, np.uint8)
    if given.dtype.kind == "U":
        hands = [parse_cards(text) for text in given.ravel()]
        if len({len(hand) for hand in hands}) > 1:
            raise CardError(f"{given.tolist()} are not equally many cards each.")
        return np.reshape(hands, (*given.shape, len(hands[0])))
    if given.dtype.kind not in "iu":
        raise CardError(
            f"cards are of type {given.dtype}; use integers from 0 to {NUM_CARDS - 1}, or text such as 'As Td'."
        )
    if given.min() < 0 or given.max() >= NUM_CARDS:
        wrong = given[(given < 0) | (given >= NUM_CARDS)].flat[0]
        raise CardError(
            f"{wrong} is not a card; cards are numbered 0 (2c) to {NUM_CARDS - 1} (As): 4 * rank + suit."
        )
    table = np.asarray(given, dtype=np.uint8, order="C")
    rows = table.reshape(-1, table.shape[-1]) if table.ndim else table.reshape(1, 1)
    row = first_with_repetition(rows)
    if row >= 0:
        where = f" (row {row} of {len(rows):,})" if len(rows) > 1 else ""
        cards, times = np.unique(rows[row], return_counts=True)
        raise CardError(
            f"a card appears twice in '{card_text(rows[row])}'{where}: {card_text(cards[times > 1])};"
            " one deck has each card once."
        )
    return table


def _written(cards: ArrayLike, suits: str) -> str:
    """Write cards with these letters for the suits."""
    given = np.atleast_1d(np.asarray(cards))
    numbers = given.tolist()
    whole = given.dtype.kind in "iu" or not given.size
    if given.ndim > 1 or not whole or any(not 0 <= card < NUM_CARDS for card in numbers):
        raise CardError(
            f"{numbers} are not all cards; cards are whole numbers from 0 to {NUM_CARDS - 1}, in one row."
        )
    return " ".join(RANKS[card // NUM_SUITS] + suits[card % NUM_SUITS] for card in numbers)


@kernel
def first_with_repetition(rows: Cards) -> int:
    """Return the first row of `rows`, shape (n, k), that holds a card twice, or -1."""
    size = rows.shape[1]
    for row in range(rows.shape[0]):
        # A size known to the compiler halves the time of the most common case.
        if holds_repetition(rows[row], 7) if size == 7 else holds_repetition(rows[row], size):
            return row
    return -1


@inlined
def holds_repetition(cards: Cards, size: int) -> bool:
    """Return whether a card appears twice among the first `size`."""
    seen = twice = np.uint64(0)
    for place in range(size):
        card = np.uint64(1) << np.uint64(cards[place])
        twice |= seen & card
        seen |= card
    return bool(twice)


@kernel
def draw_in_turn(decks: Cards, picks: Cards) -> Cards:
    """Move the card at `picks[i, j]` of deck i to place j, j by j; return those places."""
    drawn = np.empty_like(picks)
    for deck in range(picks.shape[0]):
        for place in range(picks.shape[1]):
            pick = picks[deck, place]
            drawn[deck, place] = decks[deck, pick]
            decks[deck, pick] = decks[deck, place]
    return drawn


Whole: TypeAlias = int | np.int64  # a number in a kernel, where the two are one

NUM_HOLDINGS = NUM_CARDS * (NUM_CARDS - 1) // 2


HOLDINGS: Cards = np.stack(np.tril_indices(NUM_CARDS, -1), axis=1).astype(np.uint8)
"""The cards of each holding, the higher first: shape (1326, 2)."""
HOLDINGS.flags.writeable = False
HOLDS = (HOLDINGS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).T
"""Whether a card is in a holding: shape (52, 1326)."""


def holding_numbers(holes: Cards | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of each pair of hole cards, in either order: (..., 2) to (...,)."""
    high, low = holes.max(axis=-1).astype(np.int64), holes.min(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


@inlined
def holding(first: Whole, second: Whole) -> Whole:
    """Return the number of the holding of two different cards, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


CARDS_A_NUMBER = 4
MOST_DEALT_IN = (NUM_CARDS - 5) // 2
POINT, FIRST_BITS = np.uint64(58), np.uint64(6)
BEHIND_POINT = np.uint64((1 << 58) - 1)


def dealt(seed: int, num_deals: int, num_seats: int, *, first: int = 0) -> Cards:
    """Return the deals that a table with this seed plays from number `first` on.

    In a row of (num_deals, 2 * num_seats + 5), two cards for each seat, then five for the board.
    """
    whole("num_deals", num_deals, 0, MOST_DEALS)
    whole("num_seats", num_seats, 0, MOST_DEALT_IN)
    whole("first", first, 0, LARGEST_COUNT)
    cards = np.empty((num_deals, 2 * num_seats + 5), np.uint8)
    fill_deals(key_of(seed, "deal"), first, np.empty(NUM_CARDS, np.uint8), cards)
    return cards


def dealt_in_match(seed: int, match: int, hand: int, num_seats: int) -> Cards:
    """Return the deal of one hand of a tournament, shape (2 * num_seats + 5,)."""
    cards = np.empty((1, 2 * num_seats + 5), np.uint8)
    key = np.uint64(key_at(key_of(seed, "deal"), match))
    fill_deals(key, hand, np.empty(NUM_CARDS, np.uint8), cards)
    return cards.reshape(-1)


@inlined
def deal_hand(key: np.uint64, deck: Cards, out_cards: Cards, num_cards: int) -> None:
    """Deal `num_cards` cards of a fresh deck by the numbers of a hand's `key`.

    A number's bits are a fraction. Multiplied by the number of cards left, its whole part picks a
    card, and its fractional part picks the next. Of four cards dealt in this way, none is likelier
    than another by more than 52**4 / 2**58, one part in 10**10.
    """
    for card in range(NUM_CARDS):
        deck[card] = card
    bits = np.uint64(0)
    for place in range(num_cards):
        if place % CARDS_A_NUMBER == 0:
            bits = number_at(key, place) >> FIRST_BITS
        bits *= np.uint64(NUM_CARDS - place)
        pick = place + np.int64(bits >> POINT)
        bits &= BEHIND_POINT
        out_cards[place] = deck[pick]
        deck[pick] = deck[place]


@kernel
def fill_deals(key: np.uint64, first: int, deck: Cards, out_cards: Cards) -> None:
    """Deal the hands `first`, `first` + 1, ... into the rows."""
    for row in range(out_cards.shape[0]):
        deal_hand(number_at(key, first + row), deck, out_cards[row], out_cards.shape[1])


class Layout(NamedTuple):
    """Where classes stand, for kernels: R rounds, K shapes of a suit, Q ways to give shapes to four suits."""

    rounds: Ints  # (R,): cards in each round
    sizes: Ints  # (K, R): cards of one suit in each round
    patterns: Ints  # (K,): patterns of each shape
    start_of: Ints  # (K, K, K): first class of the suits whose three greatest shapes are these
    shapes: Ints  # (Q, 4): the greatest shape first
    starts: Ints  # (Q,): first class of each


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands dealt in given rounds, numbered from 0; from `hand_classes`."""

    rounds: tuple[int, ...]
    size: int
    layout: Layout

    def index(self, cards: ArrayLike) -> Any:
        """Return the class of hands, (..., k) to (...,): equal exactly if renaming suits makes them equal."""
        rows, shape = self._rows(cards)
        classes = np.empty(len(rows), np.int64)
        fill_classes(self.layout, rows, classes, np.empty((0, NUM_SUITS), np.uint8))
        return classes.reshape(shape) if shape else int(classes[0])

    def renaming(self, cards: ArrayLike) -> NDArray[np.uint8]:
        """Return the new suit of each old one that makes hands canonical, (..., k) to (..., 4)."""
        rows, shape = self._rows(cards)
        names = np.empty((len(rows), NUM_SUITS), np.uint8)
        fill_classes(self.layout, rows, np.empty(len(rows), np.int64), names)
        return names.reshape(*shape, NUM_SUITS)

    def hand(self, classes: ArrayLike) -> Cards:
        """Return the canonical hand of classes, (...,) to (..., k), the highest card of each round first."""
        numbers = np.asarray(classes)
        cards = np.empty((numbers.size, sum(self.rounds)), np.uint8)
        fill_hands(self.layout, numbers.ravel(), cards, np.empty(0, np.int64))
        return cards.reshape(*numbers.shape, sum(self.rounds))

    def multiplicity(self, classes: ArrayLike) -> Ints:
        """Return how many hands are in classes: 24 divided by the renamings that change nothing."""
        numbers = np.asarray(classes)
        counts = np.empty(numbers.size, np.int64)
        fill_hands(self.layout, numbers.ravel(), np.empty((0, 0), np.uint8), counts)
        return counts.reshape(numbers.shape)

    def _rows(self, cards: ArrayLike) -> tuple[Cards, tuple[int, ...]]:
        """Return the hands, one a row, and the shape of the other axes."""
        hands = check_cards(cards)
        if hands.shape[-1:] != (sum(self.rounds),):
            raise CardError(f"cards of shape {hands.shape} do not fit rounds of {self.rounds}.")
        return hands.reshape(-1, sum(self.rounds)), hands.shape[:-1]


@cache
def hand_classes(*rounds: int) -> HandClasses:
    """Return the classes of hands dealt in rounds of so many cards, at most seven in all.

    (2,) are starting hands, (2, 3) hands on the flop; (4,) are boards whose streets are forgotten.

    >>> hand_classes(2).size, hand_classes(2, 3).size, hand_classes(2, 4).size
    (169, 1286792, 13960050)
    """
    sizes = list(product(*(range(cards + 1) for cards in rounds)))
    patterns = [
        prod(comb(NUM_RANKS - sum(given[:i]), given[i]) for i in range(len(rounds)))
        for given in sizes
    ]
    start_of = np.full((len(sizes),) * 3, -1)
    shapes, starts, size = [], [], 0
    for rising in combinations_with_replacement(range(len(sizes)), NUM_SUITS):
        # Shapes are numbers with a digit for each round, and so is their sum if nothing is carried.
        if sum(rising) != len(sizes) - 1:
            continue
        if rounds != tuple(map(sum, zip(*(sizes[shape] for shape in rising), strict=True))):
            continue
        shapes.append(rising[::-1])
        starts.append(size)
        start_of[shapes[-1][:3]] = size
        size += prod(
            comb(patterns[shape] + rising.count(shape) - 1, rising.count(shape))
            for shape in set(rising)
        )
    layout = Layout(*map(np.array, (rounds, sizes, patterns, start_of, shapes, starts)))
    freeze(*layout)
    return HandClasses(rounds, size, layout)


def canonical_boards(num_cards: int) -> tuple[Cards, Ints]:
    """Return the canonical boards of 3 to 5 cards, (N, k), streets forgotten, and how many each stands for, (N,)."""
    if num_cards not in (3, 4, 5):
        raise SettingError(f"no street has {num_cards} board cards; give 3, 4 or 5.")
    classes = hand_classes(num_cards)
    numbers = np.arange(classes.size)
    return classes.hand(numbers), classes.multiplicity(numbers)


RENAMINGS = np.array(list(permutations(range(NUM_SUITS))))
"""All ways to rename suits, shape (24, 4)."""
RENAMING_OF = np.zeros((NUM_SUITS,) * 3, np.int64)
"""The row of `RENAMINGS` that begins with three suits."""
RENAMING_OF[tuple(RENAMINGS[:, :3].T)] = np.arange(len(RENAMINGS))
RENAMED = np.array(
    [
        holding_numbers(HOLDINGS - HOLDINGS % NUM_SUITS + new[HOLDINGS % NUM_SUITS])
        for new in RENAMINGS
    ],
    np.uint16,
)
"""What each holding becomes, shape (24, 1326)."""


def canonical_boards_of(boards: Cards) -> tuple[Ints, Ints]:
    """Return the canonical board of each board, (n,), and how suits are renamed: rows of `RENAMED`, (n,)."""
    classes = np.zeros(len(boards), np.int64)
    names = np.tile(np.arange(NUM_SUITS, dtype=np.uint8), (len(boards), 1))
    if boards.shape[1]:
        fill_classes(hand_classes(boards.shape[1]).layout, boards, classes, names)
    return classes, RENAMING_OF[names[:, 0], names[:, 1], names[:, 2]]


CHOOSE = np.array([[comb(n, k) for k in range(NUM_RANKS + 1)] for n in range(NUM_RANKS + 1)])
"""`CHOOSE[n, k]` is the number of ways to take k of n ranks."""


@inlined
def shape_and_pattern(rounds: Ints, masks: Ints) -> tuple[np.int64, np.int64]:
    """Return the shape and the pattern of a suit that received the ranks in `masks`.

    The shape has a digit for each round, the number of its cards here; its base is one more than
    the number of all its cards.
    """
    shape = pattern = used = np.int64(0)
    for r in range(rounds.size):
        size = place = rank = np.int64(0)
        for bit in range(NUM_RANKS):
            if used >> bit & 1:
                continue
            if masks[r] >> bit & 1:
                size += 1
                rank += CHOOSE[place, size]
            place += 1
        pattern = pattern * CHOOSE[place, size] + rank
        shape = shape * (rounds[r] + 1) + size
        used |= masks[r]
    return shape, pattern


@inlined
def deal_pattern(sizes: Ints, pattern: np.int64, out_masks: Ints) -> None:
    """Write the ranks of a pattern, round by round, whose rounds have these sizes."""
    before = np.int64(0)
    for r in range(sizes.size):
        before += sizes[r]
    for r in range(sizes.size - 1, -1, -1):
        before -= sizes[r]
        ways = CHOOSE[NUM_RANKS - before, sizes[r]]
        out_masks[r] = pattern % ways
        pattern //= ways
    used = np.int64(0)
    for r in range(sizes.size):
        rank, left = out_masks[r], sizes[r]
        out_masks[r] = 0
        place = NUM_RANKS - 1 - before
        for bit in range(NUM_RANKS - 1, -1, -1):
            if used >> bit & 1:
                continue
            if left > 0 and CHOOSE[place, left] <= rank:
                rank -= CHOOSE[place, left]
                left -= 1
                out_masks[r] |= 1 << bit
            place -= 1
        used |= out_masks[r]
        before += sizes[r]


@inlined
def choose(n: np.int64, k: int) -> np.int64:
    """Return the number of ways to take k of n things, where k is small."""
    ways = np.int64(1)
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@inlined
def highest(rank: np.int64, k: int, below: np.int64) -> np.int64:
    """Return the highest member of the combination of k things with this number."""
    low, high = np.int64(k - 1), np.int64(below)
    while high - low > 1:
        middle = (low + high) // 2
        if choose(middle, k) <= rank:
            low = middle
        else:
            high = middle
    return low


@kernel
def fill_classes(
    layout: Layout, hands: Cards, out_classes: Ints, out_names: NDArray[np.uint8]
) -> None:
    """Write the class of each hand and, unless that array is empty, the new names of suits."""
    num_rounds = layout.rounds.size
    masks = np.empty((NUM_SUITS, num_rounds), np.int64)
    shape, pattern = np.empty(NUM_SUITS, np.int64), np.empty(NUM_SUITS, np.int64)
    suit_at = np.empty(NUM_SUITS, np.int64)
    for row in range(hands.shape[0]):
        for suit in range(NUM_SUITS):
            for r in range(num_rounds):
                masks[suit, r] = 0
        place = 0
        for r in range(num_rounds):
            for _ in range(layout.rounds[r]):
                card = np.int64(hands[row, place])
                masks[card % NUM_SUITS, r] |= 1 << card // NUM_SUITS
                place += 1
        for done in range(NUM_SUITS):
            suit = NUM_SUITS - 1 - done
            shape[suit], pattern[suit] = shape_and_pattern(layout.rounds, masks[suit])
            at = done
            while at > 0:
                other = suit_at[at - 1]
                if shape[other] > shape[suit]:
                    break
                if shape[other] == shape[suit] and pattern[other] >= pattern[suit]:
                    break
                suit_at[at] = other
                at -= 1
            suit_at[at] = suit
        if out_names.size:
            for at in range(NUM_SUITS):
                out_names[row, suit_at[at]] = NUM_SUITS - 1 - at
        first = layout.start_of[shape[suit_at[0]], shape[suit_at[1]], shape[suit_at[2]]]
        within = np.int64(0)
        begin = 0
        while begin < NUM_SUITS:
            end = begin + 1
            while end < NUM_SUITS and shape[suit_at[end]] == shape[suit_at[begin]]:
                end += 1
            within *= choose(layout.patterns[shape[suit_at[begin]]] + end - begin - 1, end - begin)
            for at in range(begin, end):
                within += choose(pattern[suit_at[at]] + end - 1 - at, end - at)
            begin = end
        out_classes[row] = first + within


@kernel
def fill_hands(layout: Layout, classes: Ints, out_hands: Cards, out_counts: Ints) -> None:
    """Write the canonical hand of each class and how many it stands for, into arrays that are not empty."""
    num_rounds = layout.rounds.size
    masks = np.empty((NUM_SUITS, num_rounds), np.int64)
    pattern = np.empty(NUM_SUITS, np.int64)
    for row in range(classes.size):
        quad, beyond = 0, layout.starts.size
        while beyond - quad > 1:
            middle = (quad + beyond) // 2
            if layout.starts[middle] <= classes[row]:
                quad = middle
            else:
                beyond = middle
        shape = layout.shapes[quad]
        within = classes[row] - layout.starts[quad]
        end = NUM_SUITS
        while end > 0:
            begin = end - 1
            while begin > 0 and shape[begin - 1] == shape[end - 1]:
                begin -= 1
            top = layout.patterns[shape[begin]] + end - begin - 1
            ways = choose(top, end - begin)
            rank = within % ways
            within //= ways
            for at in range(begin, end):
                top = highest(rank, end - at, top)
                rank -= choose(top, end - at)
                pattern[at] = top - (end - 1 - at)
            end = begin
        if out_counts.size:
            out_counts[row] = renamings(shape, pattern)
        if out_hands.size:
            for at in range(NUM_SUITS):
                deal_pattern(layout.sizes[shape[at]], pattern[at], masks[NUM_SUITS - 1 - at])
            place = 0
            for r in range(num_rounds):
                for card in range(NUM_CARDS - 1, -1, -1):
                    if masks[card % NUM_SUITS, r] >> card // NUM_SUITS & 1:
                        out_hands[row, place] = card
                        place += 1


@inlined
def renamings(shape: Ints, pattern: Ints) -> int:
    """Return in how many ways these four patterns can be given to the suits."""
    ways, alike = 24, 1
    for at in range(1, NUM_SUITS):
        same = shape[at] == shape[at - 1] and pattern[at] == pattern[at - 1]
        alike = alike + 1 if same else 1
        ways //= alike
    return ways
