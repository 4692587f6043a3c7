"""What pure strategies are called in pictures of memories."""

from typing import Any

import numpy as np

from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric

FEW_NUMBERS = 3
"""Numbers of a strategy that can be written out."""


def names_of(game: Any, player: int, strategies: Any) -> tuple[str, ...]:
    """Return a name for each of `strategies`, (K, d), in the order met.

    In a game of one choice, such as rock-paper-scissors, it is the action, or in a compound game the
    action in each role; strategies of few numbers are their numbers; others are numbered.
    """
    if isinstance(game, CompiledSymmetric):
        whole, roles = game.game, game.roles
    elif isinstance(game, SequenceForm):
        whole, roles = game, (player,)
    elif strategies.shape[1] <= FEW_NUMBERS:
        return tuple(f"({', '.join(map(str, strategy))})" for strategy in strategies.tolist())
    else:
        return numbered(len(strategies))
    if any(whole.num_infosets[role] != 1 for role in roles):
        return numbered(len(strategies))
    ends = np.cumsum([whole.num_sequences[role] for role in roles])[:-1]
    parts = np.split(strategies, ends, axis=1)
    chosen = [
        [
            whole.action_label[int(whole.infoset_start[role])][int(np.argmax(row[1:]))]
            for row in part
        ]
        for role, part in zip(roles, parts, strict=True)
    ]
    return tuple(" + ".join(words) for words in zip(*chosen, strict=True))


def numbered(count: int) -> tuple[str, ...]:
    """Return the names of strategies that have no shorter one."""
    return tuple(f"no. {number + 1}" for number in range(count))
