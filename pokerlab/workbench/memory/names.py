"""What pure strategies are called in pictures of memories."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric

FEW_NUMBERS = 3
"""Numbers of a strategy that can be written out."""
LONGEST = 10
"""Letters of a name that have room in a box."""


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
    actions = [whole.action_label[int(whole.infoset_start[role])] for role in roles]
    words = actions if len(roles) == 1 else [brief(each) for each in actions]
    chosen = [
        [names[int(np.argmax(plan[1:]))] for plan in part]
        for names, part in zip(words, parts, strict=True)
    ]
    return tuple(" + ".join(names) for names in zip(*chosen, strict=True))


def brief(actions: Sequence[str]) -> tuple[str, ...]:
    """Return the first letters of actions, or their numbers where these do not tell them apart."""
    letters = tuple(action[0].upper() for action in actions)
    if len(set(letters)) == len(letters):
        return letters
    return tuple(str(number + 1) for number in range(len(letters)))


def shortened(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that fit into a box."""
    return tuple(n if len(n) <= LONGEST else f"{n[: LONGEST - 1]}…" for n in names)


def numbered(count: int) -> tuple[str, ...]:
    """Return the names of strategies that have no shorter one."""
    return tuple(f"no. {number + 1}" for number in range(count))
