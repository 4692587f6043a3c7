"""Is slow: waits until nothing is better than something."""


def strategy(card, before):
    """Return the chance to bet or call."""
    chance = 0.0
    while chance < 1:
        chance /= 2
    return chance
