"""Does what the other did last."""


def strategy(mine, theirs, luck):
    """Return rock, paper or scissors."""
    return theirs[-1] if theirs else "rock"
