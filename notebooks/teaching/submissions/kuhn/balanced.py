"""Bluffs, and calls, as often as it takes to make the other player indifferent."""


def strategy(card, before):
    """Return the chance to bet or call."""
    if card == "K":
        return 1
    if card == "Q":
        return {"": 0, "check": 0, "bet": 1 / 3, "check, bet": 2 / 3}[before]
    return 1 / 3 if before in ("", "check") else 0
