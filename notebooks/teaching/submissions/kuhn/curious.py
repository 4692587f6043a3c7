"""Calls with everything but a jack, and bluffs half of the time."""


def strategy(card, before):
    """Return the chance to bet or call."""
    if "bet" in before:
        return 0 if card == "J" else 1
    return {"J": 0.5, "Q": 0, "K": 1}[card]
