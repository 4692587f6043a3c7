"""Breaks: a jack has no number."""

STRENGTH = {"K": 1, "Q": 0.5}


def strategy(card, before):
    """Return the chance to bet or call."""
    return STRENGTH[card]
