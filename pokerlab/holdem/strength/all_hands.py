"""All hands of five, six or seven cards, counted by their strength."""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.errors import SettingError
from pokerlab.core.kernel import kernel
from pokerlab.holdem.cards.deck import NUM_CARDS
from pokerlab.holdem.strength.evaluation import (
    CARD_BITS,
    CARD_KEYS,
    NUM_STRENGTHS,
    strength_of_five,
    strength_of_seven,
    strength_of_six,
)

Counts = NDArray[np.int64]


def count_all_hands(num_cards: int) -> Counts:
    """Return how many hands of `num_cards` cards have each strength.

    Parameters
    ----------
    num_cards : int
        5 (2,598,960 hands), 6 (20,358,520 hands) or 7 (133,784,560 hands).

    Returns
    -------
    ndarray of int64, shape (7462,)
        Hands of strength 0, 1, ...

    Raises
    ------
    SettingError
        If it is another number of cards.

    Examples
    --------
    >>> int(count_all_hands(5)[-1])  # royal flushes
    4
    """
    count = {5: add_hands_of_five, 6: add_hands_of_six, 7: add_hands_of_seven}.get(num_cards)
    if count is None:
        raise SettingError(f"hands of {num_cards} cards are not counted here; ask for 5, 6 or 7.")
    counts = np.zeros(NUM_STRENGTHS, np.int64)
    count(NUM_CARDS, counts)
    return counts


@kernel
def add_hands_of_five(num_cards: int, out_counts: Counts) -> None:
    """Add one at the strength of each hand of five of the first `num_cards` cards."""
    for a in range(num_cards):
        for b in range(a):
            for c in range(b):
                key_3 = CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                bits_3 = CARD_BITS[a] + CARD_BITS[b] + CARD_BITS[c]
                for d in range(c):
                    key_4, bits_4 = key_3 + CARD_KEYS[d], bits_3 + CARD_BITS[d]
                    for e in range(d):
                        out_counts[
                            strength_of_five(key_4 + CARD_KEYS[e], bits_4 + CARD_BITS[e])
                        ] += 1


@kernel
def add_hands_of_six(num_cards: int, out_counts: Counts) -> None:
    """Add one at the strength of each hand of six of the first `num_cards` cards."""
    for a in range(num_cards):
        for b in range(a):
            for c in range(b):
                key_3 = CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                bits_3 = CARD_BITS[a] + CARD_BITS[b] + CARD_BITS[c]
                for d in range(c):
                    for e in range(d):
                        key_5 = key_3 + CARD_KEYS[d] + CARD_KEYS[e]
                        bits_5 = bits_3 + CARD_BITS[d] + CARD_BITS[e]
                        for f in range(e):
                            key, bits = key_5 + CARD_KEYS[f], bits_5 + CARD_BITS[f]
                            out_counts[strength_of_six(key, bits)] += 1


@kernel
def add_hands_of_seven(num_cards: int, out_counts: Counts) -> None:
    """Add one at the strength of each hand of seven of the first `num_cards` cards."""
    for a in range(num_cards):
        for b in range(a):
            for c in range(b):
                key_3 = CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c]
                bits_3 = CARD_BITS[a] + CARD_BITS[b] + CARD_BITS[c]
                for d in range(c):
                    for e in range(d):
                        key_5 = key_3 + CARD_KEYS[d] + CARD_KEYS[e]
                        bits_5 = bits_3 + CARD_BITS[d] + CARD_BITS[e]
                        for f in range(e):
                            key_6, bits_6 = key_5 + CARD_KEYS[f], bits_5 + CARD_BITS[f]
                            for g in range(f):
                                key, bits = key_6 + CARD_KEYS[g], bits_6 + CARD_BITS[g]
                                out_counts[strength_of_seven(key, bits)] += 1
