"""Draws lots: a third each."""


def strategy(mine, theirs, luck):
    """Return rock, paper or scissors."""
    return ("rock", "paper", "scissors")[int(3 * luck)]
