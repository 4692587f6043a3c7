"""How much can be gained at each information set, once it is reached: a distance to refinements of equilibrium.

A Nash equilibrium may do anything where play never comes. Sequential equilibria (Kreps & Wilson 1982) may
not. In a profile that gives every action some probability, beliefs everywhere follow from Bayes' rule. If
the gains below go to zero along such profiles, their limit is a sequential equilibrium.
"""

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm


def sequential_gains(game: SequenceForm, profile: Profile) -> Floats:
    """Return what the player at each information set gains by its best plan from there on, (I,).

    It is an expectation given that the information set is reached, in the game's unit, so that a
    mistake counts in full even where play hardly ever comes.

    Raises
    ------
    GameError
        If the profile belongs to another game, or the others never lead to an information set: then nothing
        says what its player believes there.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> gains = sequential_gains(kuhn, kuhn.uniform())
    >>> kuhn.infoset_label[gains.argmax()], round(float(gains.max()), 3)
    ('K, pass-bet', 1.5)
    """
    sigma = np.concatenate([np.ones(game.num_players), game.owned(profile)])
    plan = np.concatenate(
        [np.ones(game.num_players), *(profile.plan(p)[1:] for p in range(game.num_players))]
    )
    gains = np.zeros(len(game.num_actions))
    for player in range(game.num_players):
        others = game.chance * np.delete(plan[game.sequence], player, axis=1).prod(axis=1)
        at_ends = np.column_stack(
            [others, others * game.payoff[:, player], others * game.payoff[:, player]]
        )
        reach, value, best = (
            np.bincount(game.sequence[:, player], weights, len(plan)) for weights in at_ends.T
        )
        for infoset in reversed(range(*game.infoset_start[player : player + 2])):
            own = slice(
                game.first_sequence[infoset],
                game.first_sequence[infoset] + game.num_actions[infoset],
            )
            led = float(sigma[own] @ reach[own])
            if led <= 0.0:
                raise GameError(
                    f"nobody leads to '{game.infoset_label[infoset]}' of player {player + 1}; give every action"
                    " of the others some probability."
                )
            here, most = float(sigma[own] @ value[own]), float(best[own].max())
            gains[infoset] = (most - here) / led
            parent = game.parent_sequence[infoset]
            reach[parent], value[parent], best[parent] = (
                reach[parent] + led,
                value[parent] + here,
                best[parent] + most,
            )
    return gains
