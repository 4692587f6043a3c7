"""Strategies of the normal form: pure ones, which fix an action everywhere, and their mixtures."""

import itertools
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.worth import gradients

MOST_ENTRIES = 50_000_000
"""Most numbers in the table of a player's pure plans, so that it fits comfortably."""


def pure_choices(game: SequenceForm, player: int) -> NDArray[np.int64]:
    """Return all pure strategies of a player, (K_i, I_i): the index of the action at each information set."""
    sizes = game.treeplex(player).num_actions.tolist()
    count = float(np.prod(sizes, dtype=np.float64))
    if count * (1 + sum(sizes)) > MOST_ENTRIES:
        raise SettingError(
            f"player {player + 1} of {game.name} has {count:.3g} pure strategies; the normal form is"
            " for small games. Use the sequence form: a profile, or realization plans."
        )
    choices = list(itertools.product(*map(range, sizes)))
    return np.array(choices, dtype=np.int64).reshape(len(choices), len(sizes))


def pure_plans(game: SequenceForm, player: int) -> Floats:
    """Return the realization plans of all pure strategies of a player, (K_i, S_i), entries 0 or 1."""
    treeplex, choices = game.treeplex(player), pure_choices(game, player)
    plans = np.zeros((len(choices), treeplex.num_sequences))
    plans[:, 0] = 1.0
    rows = np.arange(len(choices))
    for infoset, parent in enumerate(treeplex.parent_sequence):
        taken = treeplex.first_sequence[infoset] + choices[:, infoset]
        plans[rows, taken] = plans[:, parent]
    return plans


def product_mixture(profile: Profile, player: int) -> Floats:
    """Return the mixed strategy that chooses independently at each information set, (K_i,).

    Pure strategy s has the product over information sets of sigma(I, s(I)). It is realization
    equivalent to the profile's behavior (Kuhn 1953); so are other mixtures, which correlate
    information sets.
    """
    game = profile.game
    first = game.treeplex(player).first_sequence - 1
    choices = pure_choices(game, player)
    return np.asarray(np.prod(profile.of(player)[first + choices], axis=1))


class NormalForm:
    """A game's normal form, kept as one table of pure plans a player.

    Mixed strategies of all players are one flat vector, player after player.

    Parameters
    ----------
    game : SequenceForm
        A small game: tables have one row for each pure strategy.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.plans = [pure_plans(game, player) for player in range(game.num_players)]

    @cached_property
    def players(self) -> list[slice]:
        """Where each player's pure strategies lie in a mixed profile."""
        ends = np.cumsum([0, *(len(plans) for plans in self.plans)]).tolist()
        return [slice(a, b) for a, b in itertools.pairwise(ends)]

    def realization(self, mixed: Floats) -> Floats:
        """Return the realization plans of a mixed profile, (S,), the empty sequences first."""
        weights = [
            mixed[mine] @ plans for mine, plans in zip(self.players, self.plans, strict=True)
        ]
        return np.concatenate([np.ones(len(weights)), *(w[1:] for w in weights)])

    def utilities(self, realization: Floats, player: int) -> Floats:
        """Return what each pure strategy of a player wins against the others' plans, (K_i,)."""
        gradient = gradients(self.game.block, realization)
        n, mine = self.game.num_players, self.game.player_sequences[player]
        own = np.concatenate(
            [gradient[player : player + 1], gradient[mine.start + n : mine.stop + n]]
        )
        return np.asarray(self.plans[player] @ own)

    def mixture(self, profile: Profile) -> Floats:
        """Return the mixed profile, player after player, that chooses independently at each information set."""
        return np.concatenate([product_mixture(profile, p) for p in range(len(self.plans))])
