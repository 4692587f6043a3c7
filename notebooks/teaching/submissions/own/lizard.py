"""Breaks: plays by the rules of another game."""


def strategy(mine, theirs, luck):
    """Return rock, paper or scissors."""
    return "lizard" if len(mine) == 20 else "rock"
