"""What a search heuristic is: it sees what everybody plays and proposes a pure strategy for each player.

A memory converges with every heuristic that proposes a best response now and then (Oliehoek et al. 2006,
section 7).
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import SettingError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.solvers.protocol import check_part


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


def check_heuristic(heuristic: Any) -> None:
    """Check that `heuristic` is a search heuristic."""
    check_part(
        heuristic,
        "search heuristic",
        ("game", "plan", "round_"),
        "Give one such as solvers.BestResponse() or solvers.EvolutionarySearch(seed=1).",
    )


def proposal(heuristic: SearchHeuristic, game: SequenceForm, plan: Floats, round_: int) -> Floats:
    """Return what `heuristic` proposes, (S - n,), after checking that it is a pure strategy of every player.

    Raises
    ------
    ShapeError
        If the proposal does not have one number for each action of every player.
    SettingError
        If somebody's choice at an information set is not one action.
    """
    answer = np.asarray(heuristic(game, plan, round_))
    who, need = type(heuristic).__name__, game.num_probabilities
    if answer.dtype.kind not in "biuf" or answer.shape != (need,):
        raise ShapeError(
            f"{who} proposed {answer.dtype} of shape {answer.shape} in {game.name}; a search"
            f" heuristic returns ({need},) numbers, 0 or 1: a pure strategy of every player."
        )
    behavior = answer.astype(np.float64)
    choices = game.first_sequence - game.num_players
    pure = ((behavior == 0.0) | (behavior == 1.0)).all()
    if not pure or (choices.size and (np.add.reduceat(behavior, choices) != 1.0).any()):
        raise SettingError(
            f"{who} proposed something other than pure strategies in {game.name}: a search heuristic gives one action"
            " probability 1 and the others 0, at every information set."
        )
    return behavior


def pure_behavior(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the behavior, (S - n,), that takes action `choices[I]` at each information set I."""
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + choices] = 1.0
    return behavior


def own_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return what each player wins, (n,), by its part of `plan`, (S,), given the `gradient`, (S,), of the others'."""
    n = game.num_players
    won = plan[n:] * gradient[n:]
    return np.array([gradient[p] + won[mine].sum() for p, mine in enumerate(game.player_sequences)])
