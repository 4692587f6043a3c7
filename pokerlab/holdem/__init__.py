"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.holdem.cards import (
    NUM_CARDS,
    RANKS,
    SUITS,
    Cards,
    card_symbols,
    card_text,
    check_cards,
    deal,
    parse_cards,
)
from pokerlab.holdem.strength import NUM_STRENGTHS, category, strength
from pokerlab.holdem.strength_tables import CATEGORIES

__all__ = [
    "CATEGORIES",
    "NUM_CARDS",
    "NUM_STRENGTHS",
    "RANKS",
    "SUITS",
    "Cards",
    "card_symbols",
    "card_text",
    "category",
    "check_cards",
    "deal",
    "parse_cards",
    "strength",
]
