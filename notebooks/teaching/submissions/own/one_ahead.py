"""Beats what the other did last."""

BEATEN_BY = {"rock": "paper", "paper": "scissors", "scissors": "rock"}


def strategy(mine, theirs, luck):
    """Return rock, paper or scissors."""
    return BEATEN_BY[theirs[-1]] if theirs else "rock"
