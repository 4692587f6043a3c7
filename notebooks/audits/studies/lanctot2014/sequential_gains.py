"""Lanctot (2014): whether averages approach a refinement of the equilibrium (section 5).

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014.

A Nash equilibrium may prescribe any action at an information set that is never reached. A sequential equilibrium (Kreps
& Wilson 1982) must be optimal there, too. If a profile gives every action a positive probability, the beliefs at all
information sets follow from Bayes' rule. If the `sequential_gains` of a sequence of such profiles converge to zero,
the limit of the profiles is a sequential equilibrium.
"""

import numpy as np

from pokerlab.core import Floats, GameError
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form import check_game_is_compiled


def sequential_gains(game: SequenceForm, profile: Profile) -> Floats:
    """Return for each information set what its player gains by a best response from there on.

    The gain is the expected gain on the condition that the information set is reached. So a mistake has its full weight
    even at an information set that is rarely reached.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    profile : Profile
        A profile of the game.

    Returns
    -------
    array of shape (I,)
        The gain at each of the I information sets, in the game's unit.

    Raises
    ------
    GameError
        If the profile belongs to another game, or if the other players never reach an information set, so that its
        player's beliefs there are not defined.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from studies.lanctot2014.sequential_gains import sequential_gains
    >>> kuhn = pl.games.kuhn()
    >>> gains = sequential_gains(kuhn, kuhn.uniform())
    >>> kuhn.infoset_label[gains.argmax()], round(float(gains.max()), 3)
    ('K, pass-bet', 1.5)
    """
    check_game_is_compiled(game)
    n = game.num_players
    ones = np.ones(n)  # the n empty sequences come first
    sigma = np.concatenate([ones, game.validate_probabilities(profile)])
    non_empty_plans = [profile.plan(player)[1:] for player in range(n)]
    plan = np.concatenate([ones, *non_empty_plans])
    gains = np.zeros(len(game.num_actions))
    for player in range(n):
        fill_sequential_gains(game, player, sigma, plan, gains)
    return gains


def fill_sequential_gains(
    game: SequenceForm, player: int, sigma: Floats, plan: Floats, out_gains: Floats
) -> None:
    """Write one player's gain at each of its information sets into `out_gains`, by one backward pass.

    Parameters
    ----------
    game : SequenceForm
        The game, with I information sets and S sequences.
    player : int
        The player, counted from 0.
    sigma : array of shape (S,)
        The profile: the probability of each sequence at its information set; 1 for empty sequences.
    plan : array of shape (S,)
        The realization plans of all players.
    out_gains : array of shape (I,)
        Overwritten, at the player's information sets, by what the player gains by a best response from there on.

    Raises
    ------
    GameError
        If the other players never reach one of the information sets.
    """
    # The probability that chance and the other players lead to each terminal.
    weights_of_others = np.delete(plan[game.sequence], player, axis=1)
    others_reach = game.chance * weights_of_others.prod(axis=1)
    payoff = others_reach * game.payoff[:, player]
    own_sequence = game.sequence[:, player]

    # These sums cover the terminals at which a sequence ends; the backward pass adds those of later sequences.
    reach = np.bincount(own_sequence, others_reach, len(plan))
    value = np.bincount(own_sequence, payoff, len(plan))
    best_value = np.bincount(own_sequence, payoff, len(plan))

    # The last information set comes first, because parents come before their children.
    first_infoset, end_infoset = game.infoset_start[player : player + 2]
    for infoset in reversed(range(first_infoset, end_infoset)):
        first = game.first_sequence[infoset]
        actions = slice(first, first + game.num_actions[infoset])
        infoset_reach = float(sigma[actions] @ reach[actions])
        if infoset_reach <= 0.0:
            raise GameError(
                f"the others never lead to '{game.infoset_label[infoset]}' of player {player + 1}; give each"
                " of their actions some probability."
            )

        infoset_value = float(sigma[actions] @ value[actions])
        infoset_best = float(best_value[actions].max())
        out_gains[infoset] = (infoset_best - infoset_value) / infoset_reach

        # The information set counts at the sequence that leads to it.
        parent = game.parent_sequence[infoset]
        reach[parent] += infoset_reach
        value[parent] += infoset_value
        best_value[parent] += infoset_best
