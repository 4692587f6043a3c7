"""Cards of a 52-card deck as small integers: card = 4 * rank + suit, in a byte.

Ranks are numbered 0 to 12 for 2, 3, ..., 9, T, J, Q, K, A; suits 0 to 3 for clubs, diamonds,
hearts and spades. So the numbers run from the two of clubs, 0, to the ace of spades, 51.
"""

import re
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import CardError, inlined, kernel

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
