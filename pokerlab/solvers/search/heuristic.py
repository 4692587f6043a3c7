"""What a search heuristic is: it sees what everybody plays and proposes a pure strategy for each player.

A memory keeps what it is given from getting lost; it converges whatever the heuristic, if only that
proposes a best response now and then (Oliehoek et al. 2006, section 7).
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
    """Refuse what is no search heuristic."""
    check_part(
        heuristic,
        "search heuristic",
        ("game", "plan", "round_"),
        "Give one such as solvers.BestResponse() or solvers.EvolutionarySearch(seed=1).",
    )


def proposed(heuristic: SearchHeuristic, game: SequenceForm, plan: Floats, round_: int) -> Floats:
    """Return what `heuristic` proposes, (S - n,), in numbers; refuse what is no pure strategy.

    Raises
    ------
    ShapeError
        If the proposal has not one number for each action of everybody.
    SettingError
        If somebody's choice at an information set is not one action.
    """
    proposal = np.asarray(heuristic(game, plan, round_))
    who, need = type(heuristic).__name__, game.num_probabilities
    if proposal.dtype.kind not in "biuf" or proposal.shape != (need,):
        raise ShapeError(
            f"{who} proposed {proposal.dtype} of shape {proposal.shape} in {game.name}; a search"
            f" heuristic returns ({need},) numbers, 0 or 1: a pure strategy of every player."
        )
    behaviour = proposal.astype(np.float64)
    choices = game.first_sequence - game.num_players
    pure = ((behaviour == 0.0) | (behaviour == 1.0)).all()
    if not pure or (choices.size and (np.add.reduceat(behaviour, choices) != 1.0).any()):
        raise SettingError(
            f"{who} proposed no pure strategies in {game.name}: a search heuristic gives one action"
            " probability 1 and the others 0, at every information set."
        )
    return behaviour


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
