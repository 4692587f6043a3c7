"""What an evolution has come to, recording by recording: worst case, genome, evaluations spent."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.runs import Run


class Evolved(NamedTuple):
    """What pictures need of a state of a coevolution once it is gone.

    Attributes
    ----------
    evaluations : int
        Fitness values found by the outer evolution so far.
    found : float
        Exploitability of the best genome as its fitness has it: what the worst case has found.
    exact : float
        The same by exact best responses.
    genome : ndarray of shape (G,)
        The best genome.
    """

    evaluations: int
    found: float
    exact: float
    genome: Floats


Kept = Sequence[tuple[int, Evolved]]
"""Generations, and what was best after them: what a `Run` made with `keep=evolved_of` has kept."""


def evolved_of(state: Any) -> Evolved | None:
    """Return what is kept of a coevolution's state; of other states nothing."""
    if not is_evolving(state):
        return None
    return Evolved(state.evaluations, state.best_value, state.exact_value, state.best)


def is_evolving(state: Any) -> bool:
    """Return whether a state is that of a coevolution."""
    return hasattr(state, "evolution") and hasattr(state, "best_value")


def kept_of(source: Run | Iterable[Any]) -> Kept:
    """Return what was kept of a run, or of states in the order of their generations.

    Raises
    ------
    SettingError
        If nothing was.
    """
    kept: Sequence[tuple[int, Any]] = (
        source.kept if isinstance(source, Run) else [(s.iteration, evolved_of(s)) for s in source]
    )
    if not kept or not all(isinstance(each, Evolved) for _, each in kept):
        raise SettingError(
            "nothing of an evolution was kept; run it with keep=pl.workbench.evolved_of, or give a"
            " list of its states."
        )
    return kept


def encoding_of(source: Run | Iterable[Any]) -> Any:
    """Return what the genomes of a run, or of a list of states, mean."""
    state = source.state if isinstance(source, Run) else list(source)[-1]
    return state.encoding


def evaluations_of(kept: Kept) -> Floats:
    """Return the evaluations at each recording."""
    return np.array([each.evaluations for _, each in kept], dtype=np.float64)


def genomes_of(kept: Kept) -> Floats:
    """Return the best genomes as rows, (recordings, G)."""
    return np.array([each.genome for _, each in kept])
