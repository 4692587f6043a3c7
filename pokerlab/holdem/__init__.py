"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.holdem.betting import CALL, FOLD, Hand, Legal, Pot, Structure, limit, no_limit
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
from pokerlab.holdem.suits import HandClasses, canonical, canonical_boards, hand_classes

__all__ = [
    "CALL",
    "CATEGORIES",
    "FOLD",
    "NUM_CARDS",
    "NUM_STRENGTHS",
    "RANKS",
    "SUITS",
    "Cards",
    "Hand",
    "HandClasses",
    "Legal",
    "Pot",
    "Structure",
    "canonical",
    "canonical_boards",
    "card_symbols",
    "card_text",
    "category",
    "check_cards",
    "deal",
    "hand_classes",
    "limit",
    "no_limit",
    "parse_cards",
    "strength",
]
