"""What a memory has mixed, round after round: read from its states and laid out as a table."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats


class Mix(NamedTuple):
    """One player's mix.

    Attributes
    ----------
    keys : ndarray of shape (K,)
        What tells the strategies apart from round to round, even if a bounded memory drops some.
    weights : ndarray of shape (K,)
        Their probabilities.
    """

    keys: NDArray[np.int64]
    weights: Floats


Kept = Sequence[tuple[int, tuple[Mix, ...]]]
"""Rounds, and everybody's mixes after them: what a `Run` made with `keep=mixes_of` has kept."""


def mixes_of(state: Any) -> tuple[Mix, ...]:
    """Return everybody's mix; of a symmetric memory the one mix, of states without mixes nothing."""
    mix = getattr(state, "mix", None)
    if mix is not None:
        keys = [hash(strategy.tobytes()) for strategy in state.strategies]
        return (Mix(np.array(keys, dtype=np.int64), mix),)
    return tuple(Mix(np.arange(len(weights)), weights) for weights in getattr(state, "mixes", ()))


def kept_from(states: Iterable[Any]) -> list[tuple[int, tuple[Mix, ...]]]:
    """Return what a run would have kept of `states`, which are in the order of their rounds."""
    return [(int(state.iteration), mixes_of(state)) for state in states]


def mix_table(kept: Kept, player: int) -> Floats:
    """Return a player's mixes as a table, (rounds, K): rows are rounds, columns strategies.

    Strategies stand in the order met; NaN where they are not held. A round that was not kept looks
    like the last one before it that was.
    """
    if not kept or not 0 <= player < len(kept[-1][1]):
        raise SettingError(
            f"no mixes of player index {player}; give states of a memory, or what a run has kept with"
            " keep=pl.workbench.mixes_of."
        )
    mixes = [each[player] for _, each in kept]
    keys = np.concatenate([mix.keys for mix in mixes])
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    column = np.argsort(np.argsort(first))[which]
    row = np.repeat(np.arange(len(mixes)), [len(mix.keys) for mix in mixes])
    table = np.full((len(mixes), len(first)), np.nan)
    table[row, column] = np.concatenate([mix.weights for mix in mixes])

    rounds = np.array([iteration for iteration, _ in kept])
    last_kept = np.searchsorted(rounds, np.arange(rounds[0], rounds[-1] + 1), side="right") - 1
    return np.asarray(table[last_kept])


def come_back(table: Floats) -> int:
    """Return how many strategies had weight, lost it and got some again."""
    used = np.vstack([np.zeros((1, table.shape[1]), dtype=bool), table > 0.0])
    entered = (used[1:] & ~used[:-1]).sum(axis=0)
    return int(np.count_nonzero(entered >= 2))
