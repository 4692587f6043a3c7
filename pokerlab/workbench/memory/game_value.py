"""What player 1 wins in a game between perfect players, as the sequence-form program finds it."""

from functools import lru_cache
from typing import Any

from pokerlab.games import SequenceForm
from pokerlab.solvers import SequenceFormLP

MOST_SEQUENCES = 10_000
"""In larger games the program takes seconds, too long for a line in a picture."""


@lru_cache(maxsize=32)
def game_value(game: Any) -> float | None:
    """Return the value of a game in its unit; None if it has none, or is too large to know quickly.

    A symmetric game, which is no `SequenceForm`, has the value 0.
    """
    if not isinstance(game, SequenceForm):
        return 0.0
    if game.num_players != 2 or not game.zero_sum or sum(game.num_sequences) > MOST_SEQUENCES:
        return None
    return SequenceFormLP(game).solve().value
