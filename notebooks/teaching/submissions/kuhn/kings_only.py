"""Believes in kings."""


def strategy(card, before):
    """Return the chance to bet or call."""
    return 1 if card == "K" else 0
