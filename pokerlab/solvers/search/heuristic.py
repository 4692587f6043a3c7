"""What a search heuristic is: it sees what everybody plays and proposes a pure strategy for each player.

A memory keeps what it is given from getting lost; it converges whatever the heuristic, if only that
proposes a best response now and then (Oliehoek et al. 2006, section 7).
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.games import SequenceForm
from pokerlab.games.layout import Floats


class SearchHeuristic(Protocol):
    """Proposes strategies; the same plans in the same round bring the same proposals."""

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return a pure strategy of every player, (S - n,), probabilities 0 or 1.

        Parameters
        ----------
        game : SequenceForm
            The game that is played.
        plan : ndarray of shape (S,)
            What everybody plays at present, as realization plans.
        round_ : int
            Rounds done before; a heuristic that draws draws by it.
        """


def pure_behaviour(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the behaviour, (S - n,), that takes action `choices[I]` at each information set I."""
    behaviour = np.zeros(game.num_probabilities)
    behaviour[game.first_sequence - game.num_players + choices] = 1.0
    return behaviour


def own_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return what each player wins, (n,), by the own part of `plan`, (S,), where the others' give `gradient`, (S,)."""
    n = game.num_players
    won = plan[n:] * gradient[n:]
    return np.array([gradient[p] + won[mine].sum() for p, mine in enumerate(game.player_sequences)])
