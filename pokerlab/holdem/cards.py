"""Cards of a 52-card deck, pairs of hole cards, and seeded dealing.

A card is an integer in a byte: card = 4 * rank + suit. The ranks 2, 3, ..., 9, T, J, Q, K, A have the numbers 0 to 12,
and the suits clubs, diamonds, hearts and spades have the numbers 0 to 3. So the two of clubs is card 0, and the ace of
spades is card 51.

A pair of hole cards is called a *holding*. There are 1,326 of them: the cards h > l are holding h (h - 1) / 2 + l, a
row of `HOLDINGS`.

Hands are dealt by counter-based random numbers (`pokerlab.core.random_numbers`), and each hand has its own key. So the
cards of a hand depend only on the seed, the purpose and the index of the hand. They do not depend on which hands were
played before it, how many are played at once, or how many workers play them.
"""

import re
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, inlined, kernel
from pokerlab.core.errors import quote_value
from pokerlab.core.random_numbers import compute_random_bits, derive_stream_key, draw_stream_key
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_bool, validate_integer

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
    check_kind("text", text, str, "cards such as 'As Td'", CardError)
    cards: list[int] = []
    position = 0
    while match := CARD_PATTERN.match(text, position):
        rank = match[1].upper().replace("10", "T")
        suit = match[2].lower()
        suit_names = SUITS if suit in SUITS else SUIT_SYMBOLS
        cards.append(NUM_SUITS * RANKS.index(rank) + suit_names.index(suit))
        position = match.end()

    unparsed = SEPARATORS.sub("", text[position:], count=1)
    if unparsed:
        raise CardError(
            f"'{unparsed.split()[0]}' in '{text}' is not a card. Write a rank of {RANKS} and a suit of {SUITS} "
            f"({SUIT_SYMBOLS}), such as 'As Td'."
        )
    return validate_cards(cards)


def format_cards(cards: ArrayLike, *, symbols: bool = False) -> str:
    """Return the text of one card or several, in a form that `parse_cards` accepts.

    Parameters
    ----------
    cards : array_like of integers, shape () or (k,)
        One card, or k cards. A card is 4 * rank + suit, from 0 (2c) to 51 (As).
    symbols : bool
        Whether suits are written as symbols (♠) instead of letters (s).

    Returns
    -------
    str
        The rank and the suit of each card, with a space between cards.

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
    card_array = np.atleast_1d(convert_to_array(cards))
    numbers = card_array.tolist()
    validate_bool("symbols", symbols)
    has_one_axis = card_array.ndim == 1
    # An empty list becomes an array of floats, but it has no number that could be wrong.
    has_integers = card_array.dtype.kind in "iu" or card_array.size == 0
    if not (has_one_axis and has_integers and all(0 <= card < NUM_CARDS for card in numbers)):
        raise CardError(
            f"{quote_value(numbers)} are not all cards; cards are whole numbers from 0 to {NUM_CARDS - 1}, in one row."
        )

    suit_names = SUIT_SYMBOLS if symbols else SUITS
    return " ".join(RANKS[card // NUM_SUITS] + suit_names[card % NUM_SUITS] for card in numbers)


def convert_to_array(cards: Any) -> Any:
    """Return cards as an array of any type, or raise a CardError if hands have different numbers of cards."""
    try:
        return np.asarray(cards)
    except ValueError:
        raise CardError(
            f"cards are {quote_value(cards)}; give equally many cards for each hand."
        ) from None


def validate_cards(cards: Any) -> Cards:
    """Return hands of cards as a contiguous array of bytes, after checking that no hand contains a card twice.

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
    card_array = convert_to_array(cards)
    if card_array.size == 0:
        return np.zeros(card_array.shape, np.uint8)

    has_texts = card_array.dtype.kind == "U"
    if has_texts:
        parsed_hands = [parse_cards(text) for text in card_array.ravel()]
        if len({len(hand) for hand in parsed_hands}) > 1:
            raise CardError(f"{card_array.tolist()} are not equally many cards each.")
        return np.reshape(parsed_hands, (*card_array.shape, len(parsed_hands[0])))

    if card_array.dtype.kind not in "iu":
        raise CardError(
            f"cards are of type {card_array.dtype}; use integers from 0 to {NUM_CARDS - 1}, or text such as 'As Td'."
        )
    if card_array.min() < 0 or card_array.max() >= NUM_CARDS:
        not_cards = card_array[(card_array < 0) | (card_array >= NUM_CARDS)]
        raise CardError(
            f"{not_cards[0]} is not a card; cards are numbered 0 (2c) to {NUM_CARDS - 1} (As): 4 * rank + suit."
        )

    hands = np.asarray(card_array, dtype=np.uint8, order="C")
    rows = hands.reshape(-1, hands.shape[-1]) if hands.ndim else hands.reshape(1, 1)
    row = find_row_with_repeated_card(rows)
    if row >= 0:
        row_in_words = f" (row {row} of {len(rows):,})" if len(rows) > 1 else ""
        distinct_cards, counts = np.unique(rows[row], return_counts=True)
        repeated_cards = format_cards(distinct_cards[counts > 1])
        raise CardError(
            f"a card appears twice in '{format_cards(rows[row])}'{row_in_words}: {repeated_cards};"
            " one deck has each card once."
        )
    return hands


@kernel
def find_row_with_repeated_card(hands: Cards) -> int:
    """Return the index of the first hand that contains a card twice, or -1 if there is none.

    Parameters
    ----------
    hands : ndarray of uint8, shape (n, k)
        The k cards of each of n hands, numbers from 0 to 51.
    """
    num_cards = hands.shape[1]
    for row in range(hands.shape[0]):
        # A num_cards known to the compiler halves the time of the most common case.
        if num_cards == 7:
            is_repeated = has_repeated_card(hands[row], 7)
        else:
            is_repeated = has_repeated_card(hands[row], num_cards)
        if is_repeated:
            return row
    return -1


@inlined
def has_repeated_card(cards: Cards, num_cards: int) -> bool:
    """Return whether a card appears twice among the first cards of an array.

    Parameters
    ----------
    cards : ndarray of uint8
        Cards, numbers from 0 to 51.
    num_cards : int
        The number of cards that are compared, from the first one on.
    """
    seen_cards = np.uint64(0)  # one bit for each card
    repeated_cards = np.uint64(0)
    for position in range(num_cards):
        card_bit = np.uint64(1) << np.uint64(cards[position])
        repeated_cards |= seen_cards & card_bit
        seen_cards |= card_bit
    return bool(repeated_cards)


KernelInt: TypeAlias = int | np.int64  # an integer in a kernel, where both are the same type

NUM_HOLDINGS = NUM_CARDS * (NUM_CARDS - 1) // 2

HOLDINGS: Cards = np.stack(np.tril_indices(NUM_CARDS, -1), axis=1).astype(np.uint8)
"""The two cards of each holding, with the higher card first; the array has shape (1326, 2)."""
HOLDINGS.flags.writeable = False
HOLDS_CARD = (HOLDINGS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).T
"""Whether each card is in each holding; the array has shape (52, 1326)."""


def find_holding_indices(hole_cards: Cards | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of each pair of hole cards among the 1,326 rows of `HOLDINGS`.

    The pairs of cards h > l are numbered like the entries of a triangle, row by row: before the row of h there are
    h (h - 1) / 2 pairs.

    Parameters
    ----------
    hole_cards : ndarray of integers, shape (..., 2)
        Pairs of two different cards, in either order. Cards are numbers from 0 to 51.

    Returns
    -------
    ndarray of int64, shape (...,)
        The index of each pair, from 0 to 1325.
    """
    high_cards = hole_cards.max(axis=-1).astype(np.int64)
    low_cards = hole_cards.min(axis=-1)
    return np.asarray(high_cards * (high_cards - 1) // 2 + low_cards)


@inlined
def find_holding_index(first_card: KernelInt, second_card: KernelInt) -> KernelInt:
    """Return the index of a pair of hole cards among the 1,326 rows of `HOLDINGS`.

    The pairs of cards h > l are numbered like the entries of a triangle, row by row: before the row of h there are
    h (h - 1) / 2 pairs. This is the version of `find_holding_indices` for a single pair inside a kernel.

    Parameters
    ----------
    first_card, second_card : int
        Two different cards, numbers from 0 to 51, in either order.
    """
    high_card, low_card = max(first_card, second_card), min(first_card, second_card)
    return high_card * (high_card - 1) // 2 + low_card


MOST_SEATS_DEALT = (NUM_CARDS - 5) // 2
CARDS_PER_RANDOM_NUMBER = 4  # the number of cards that one random number deals
FRACTION_BITS, DROPPED_BITS = np.uint64(58), np.uint64(6)
"""The lower 58 of 64 bits are a binary fraction. Six bits of a random number are dropped, which leaves the upper six
bits free for the integer part of a product: 52 is less than 2**6."""
FRACTION_MASK = np.uint64((1 << 58) - 1)


def deal_hands(seed: int, num_deals: int, num_seats: int, *, first: int = 0) -> Cards:
    """Return the cards of consecutive hands of a cash game: the hole cards of all seats, and the board.

    Parameters
    ----------
    seed : int
        The seed of the game.
    num_deals : int
        The number of hands to deal, 0 to 10**8.
    num_seats : int
        The number of seats at the table, 0 to 23.
    first : int
        The index of the first hand. The cards of a hand depend only on the seed and on the hand's own index.

    Returns
    -------
    ndarray of uint8, shape (num_deals, 2 * num_seats + 5)
        Each row has two cards for each seat, followed by the five cards of the board.

    Raises
    ------
    SettingError
        If a number is out of range.
    """
    validate_integer("num_deals", num_deals, 0, MOST_DEALS)
    validate_integer("num_seats", num_seats, 0, MOST_SEATS_DEALT)
    validate_integer("first", first, 0, LARGEST_COUNT)
    cards = np.empty((num_deals, 2 * num_seats + 5), np.uint8)
    fill_dealt_cards(draw_stream_key(seed, "deal"), first, np.empty(NUM_CARDS, np.uint8), cards)
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
        The index of the hand among those of the tournament. Table t has the indices from t * 2**44 on, one for each of
        its hands.
    num_seats : int
        The number of seats at the table.

    Returns
    -------
    ndarray of uint8, shape (2 * num_seats + 5,)
        Two cards for each seat, followed by the five cards of the board.
    """
    cards = np.empty((1, 2 * num_seats + 5), np.uint8)
    tournament_key = np.uint64(derive_stream_key(draw_stream_key(seed, "deal"), tournament))
    fill_dealt_cards(tournament_key, hand, np.empty(NUM_CARDS, np.uint8), cards)
    return cards.reshape(-1)


@inlined
def deal_cards(stream_key: np.uint64, deck: Cards, out_cards: Cards, num_cards: int) -> None:
    """Deal cards from a full deck, without replacement.

    Cards are drawn by a Fisher-Yates shuffle that stops after `num_cards` cards. A random number is a binary fraction.
    It is multiplied by the number of cards left in the deck. The integer part of the product picks a card, and its
    fractional part is the binary fraction that picks the next card. After four cards a new random number is used. No
    card is likelier than another by more than 52**4 / 2**58, a few parts in 10**11.

    Parameters
    ----------
    stream_key : uint64
        The key of the random stream of this hand.
    deck : ndarray of uint8, shape (52,)
        Overwritten. It need not contain a deck before.
    out_cards : ndarray of uint8
        The first `num_cards` entries are overwritten with the cards.
    num_cards : int
        The number of cards to deal.
    """
    for card in range(NUM_CARDS):
        deck[card] = card
    # The fraction has 58 binary digits, so that a product with a number up to 52 fits into 64 bits.
    fraction = np.uint64(0)
    for position in range(num_cards):
        if position % CARDS_PER_RANDOM_NUMBER == 0:
            fraction = compute_random_bits(stream_key, position) >> DROPPED_BITS
        num_left = np.uint64(NUM_CARDS - position)
        product = fraction * num_left
        pick = position + np.int64(product >> FRACTION_BITS)
        fraction = product & FRACTION_MASK

        # The cards left in the deck are those from `position` on; afterwards those from `position + 1` on.
        out_cards[position] = deck[pick]
        deck[pick] = deck[position]


@kernel
def fill_dealt_cards(stream_key: np.uint64, first_deal: int, deck: Cards, out_cards: Cards) -> None:
    """Deal n consecutive hands, each into one row of an array.

    Parameters
    ----------
    stream_key : uint64
        The key of the random stream from which the key of each hand is drawn.
    first_deal : int
        The index of the first hand. The cards of a hand depend only on `stream_key` and on the hand's own index.
    deck : ndarray of uint8, shape (52,)
        Overwritten while dealing. It need not contain a deck before.
    out_cards : ndarray of uint8, shape (n, num_cards)
        Overwritten: each row with the cards of one hand, in the order in which they are dealt.
    """
    num_hands, num_cards = out_cards.shape
    for row in range(num_hands):
        hand_key = compute_random_bits(stream_key, first_deal + row)
        deal_cards(hand_key, deck, out_cards[row], num_cards)
