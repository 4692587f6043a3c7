"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.holdem.cards import (
    NUM_CARDS,
    RANKS,
    SUITS,
    card_symbols,
    card_text,
    check_cards,
    deal,
    parse_cards,
)

__all__ = [
    "NUM_CARDS",
    "RANKS",
    "SUITS",
    "card_symbols",
    "card_text",
    "check_cards",
    "deal",
    "parse_cards",
]
