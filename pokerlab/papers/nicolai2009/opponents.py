"""Whom champions are measured against: five agents that play by rote, and three of the paper before.

Random and Folder fold "at each decision point", so they fold even where checking is free, as far as
the structure of betting allows it. By how much Random, Raiser and CallOrRaise raise, the paper does
not say.
"""

from collections.abc import Mapping
from pathlib import Path

from pokerlab.core import UnknownNameError
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.table.players import (
    AMOUNTS,
    CALLS,
    CALLS_OR_RAISES,
    DRAWS,
    FOLDS,
    RAISES,
    rote,
)
from pokerlab.papers.nicolai2009.old_agents import OLD_BEST, OLD_SCRATCH, OLD_START, old_genomes
from pokerlab.papers.recorded import RUNS
from pokerlab.strategies import MatrixEncoding

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


def static_agents(raises: str = AMOUNTS[0]) -> dict[str, CompiledPlayer]:
    """Return the five agents that look at nothing but what is legal, by name.

    Parameters
    ----------
    raises : str
        By how much Random, Raiser and CallOrRaise raise: 'any amount' from the least to all-in, each
        as likely; 'the least'; 'up to three times the least'; or 'all-in'. Ours: the paper says "some
        random value".

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


def old_agents(folder: str | Path = RUNS) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, by name, as they were evolved and kept.

    Raises
    ------
    FileFormatError
        If they were not recorded, or the recording is damaged.
    """
    kept = old_genomes(folder)
    players = MatrixEncoding().players([kept[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def panel(raises: str = AMOUNTS[0], folder: str | Path = RUNS) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `static_agents` and `old_agents`.

    Raises
    ------
    UnknownNameError
        If there is no such amount to raise by.
    FileFormatError
        If the old agents were not recorded.
    """
    return static_agents(raises) | old_agents(folder)
