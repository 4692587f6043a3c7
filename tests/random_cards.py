"""Cards from shuffled decks."""

import numpy as np

from pokerlab.holdem.cards import NUM_CARDS, Cards


def deal(generator: np.random.Generator, num_deals: int, num_cards: int) -> Cards:
    """Return so many cards from each of so many decks, (num_deals, num_cards)."""
    decks = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (num_deals, 1))
    return generator.permuted(decks, axis=1)[:, :num_cards]
