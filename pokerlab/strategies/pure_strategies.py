"""Lists of all pure strategies of a player, which choose one action at each information set."""

import itertools

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, SettingError
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form import check_game_is_compiled

MOST_ENTRIES = 50_000_000
"""The largest number of entries in the array of a player's pure plans, which takes 400 megabytes."""


def list_pure_strategies(game: SequenceForm, player: int) -> NDArray[np.int64]:
    """Return all pure strategies of a player.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    player : int
        The player's index.

    Returns
    -------
    array of shape (K, I)
        K pure strategies, each the index of an action at each of the player's I information sets.

    Raises
    ------
    SettingError
        If there are too many pure strategies to list.
    """
    num_actions = game.make_treeplex(player).num_actions.tolist()
    num_strategies = float(np.prod(num_actions, dtype=np.float64))  # a float does not overflow
    num_sequences = 1 + sum(num_actions)
    if num_strategies * num_sequences > MOST_ENTRIES:
        raise SettingError(
            f"player {player + 1} of {game.name} has {num_strategies:.3g} pure strategies; the normal form is"
            " for small games. Use the sequence form: a profile, or realization plans."
        )
    strategies = list(itertools.product(*map(range, num_actions)))
    # The shape is given, because without information sets the only strategy is an empty row.
    return np.array(strategies, dtype=np.int64).reshape(len(strategies), len(num_actions))


def list_pure_plans(game: SequenceForm, player: int) -> Floats:
    """Return the realization plans of all pure strategies of a player.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    player : int
        The player's index.

    Returns
    -------
    array of shape (K, S)
        The realization plan of each of K pure strategies. The weight of each of the player's S sequences is 1 if the
        strategy chooses all actions of the sequence, and 0 otherwise.

    Raises
    ------
    SettingError
        If there are too many pure strategies to list.
    """
    check_game_is_compiled(game)
    treeplex = game.make_treeplex(player)
    strategies = list_pure_strategies(game, player)
    plans = np.zeros((len(strategies), treeplex.num_sequences))
    plans[:, 0] = 1.0  # the empty sequence

    # Parents come before their children, so the plan of the parent is complete when it is copied.
    rows = np.arange(len(strategies))
    for infoset, parent in enumerate(treeplex.parent_sequence):
        chosen_sequence = treeplex.first_sequence[infoset] + strategies[:, infoset]
        plans[rows, chosen_sequence] = plans[:, parent]
    return plans
