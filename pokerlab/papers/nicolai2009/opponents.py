"""Whom champions are measured against: five agents that play by rote, and three of the paper before.

The paper has Random and Folder fold "at each decision point", and does not say by how much Random, Raiser and
CallOrRaise raise. By G. Nicolai's thesis (5.1.1) Folder checks where that is free, and raises are small,
medium and large alike, as networks make them.

OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved anew, once, and are kept. All
three are matrices over hand strength and cost. OldStart is an expert's head start as it stands;
OldBest is the best evolved from it, OldScratch the best evolved from uniform weights.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pokerlab.core import FileFormatError, UnknownNameError
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.table.players import (
    AMOUNTS,
    CALLS,
    CALLS_OR_RAISES,
    DRAWN,
    DRAWS,
    FOLDS,
    RAISES,
    rote,
)
from pokerlab.papers.recorded import RUNS
from pokerlab.runs.kept import Kept
from pokerlab.strategies import MatrixEncoding
from pokerlab.strategies.players.matrix_decision import Weights

OLD_BEST, OLD_SCRATCH, OLD_START = "OldBest", "OldScratch", "OldStart"
STARTS = {OLD_BEST: "head start", OLD_SCRATCH: "scratch"}
"""Where each of the evolved ones begins."""
NAME, FORMAT = "nicolai-2009-opponents", "pokerlab genomes 1"
FIRST = "first "
"""Before the names of the champions of the first generation."""
RANDOM, RAISER, FOLDER, CALLER, CALL_OR_RAISE = (
    "Random",
    "Raiser",
    "Folder",
    "Caller",
    "CallOrRaise",
)
SCRIPTS = {
    RANDOM: DRAWS,
    RAISER: RAISES,
    FOLDER: FOLDS,
    CALLER: CALLS,
    CALL_OR_RAISE: CALLS_OR_RAISES,
}
OLD = (OLD_BEST, OLD_SCRATCH, OLD_START)
PANEL = (*SCRIPTS, *OLD)
"""The eight other agents of an evaluation, by name."""


def recorded_old_agents(
    folder: str | Path = RUNS,
) -> tuple[Mapping[str, Any], Mapping[str, Weights]]:
    """Return the origin of the old agents that are kept, and by name their genomes and the first champions'."""
    path = Path(folder) / f"{NAME}.npz"
    if not path.exists():
        raise FileFormatError(
            f"the old agents are not recorded in {path}. Evolve them by"
            " studies.nicolai2009.old_agents.record_old_agents(), or give opponents of your own."
        )
    about, arrays = Kept.load(path, FORMAT)
    missing = {*OLD, *(FIRST + name for name in STARTS)} - arrays.keys()
    if missing:
        raise FileFormatError(
            f"{path} holds no {', '.join(sorted(missing))}. Delete it and record the old agents again."
        )
    return about, arrays


def static_agents(raises: str = AMOUNTS[DRAWN]) -> dict[str, CompiledPlayer]:
    """Return the five agents that look at nothing but what is legal, by name.

    Parameters
    ----------
    raises : str
        By how much Random, Raiser and CallOrRaise raise: 'a drawn bet', as networks make them, small,
        medium and large with equal chance, as G. Nicolai's thesis has it (5.1.1); or that bet by a
        continuous law; 'any amount' from the least to all-in, each as likely; 'the least'; 'up to three times
        the least'; 'all-in'. The paper says "some random value".

    Raises
    ------
    UnknownNameError
        If there is no such amount.

    Examples
    --------
    >>> list(static_agents())
    ['Random', 'Raiser', 'Folder', 'Caller', 'CallOrRaise']
    """
    UnknownNameError.check("amount to raise by", raises, AMOUNTS)
    amount = AMOUNTS.index(raises)
    return {name: rote(script, amount, name=name) for name, script in SCRIPTS.items()}


def old_agents(
    folder: str | Path = RUNS, *, first_generation: bool = False
) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, by name, as they were evolved and kept."""
    _, kept = recorded_old_agents(folder)
    if first_generation:
        kept = {**kept, **{name: kept[FIRST + name] for name in STARTS}}
    players = MatrixEncoding().players([kept[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def panel(
    raises: str = AMOUNTS[DRAWN], folder: str | Path = RUNS, *, first_generation: bool = False
) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `static_agents` and `old_agents`.

    Parameters
    ----------
    raises : str
        As for `static_agents`.
    folder, first_generation
        As for `old_agents`.

    Raises
    ------
    UnknownNameError
        If there is no such amount to raise by.
    FileFormatError
        If the old agents were not recorded.
    """
    return static_agents(raises) | old_agents(folder, first_generation=first_generation)
