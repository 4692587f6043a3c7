"""Whom champions are measured against: five agents that play by rote, and three of the paper before.

The paper has Random and Folder fold "at each decision point", and does not say by how much Random, Raiser and
CallOrRaise raise. By G. Nicolai's thesis (5.1.1) Folder checks where that is free, and raises are small,
medium and large alike, as networks make them.

OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved anew, once, and are kept. All
three are matrices over hand strength and cost. OldStart is an expert's head start as it stands;
OldBest is the best evolved from it, OldScratch the best evolved from uniform weights.
"""

from collections.abc import Mapping

from pokerlab.core import UnknownNameError
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
NAME, FORMAT = "nicolai-2009-opponents", "pokerlab genomes 1"
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


def static_agents(raises: str = AMOUNTS[DRAWN]) -> dict[str, CompiledPlayer]:
    """Return the five agents that look at nothing but what is legal, by name.

    `raises` says by how much Random, Raiser and CallOrRaise raise: 'a drawn bet', as networks make them, small, medium
    and large with equal chance, as G. Nicolai's thesis has it (5.1.1); or that bet by a continuous law; 'any amount'
    from the least to all-in, each as likely; 'the least'; 'up to three times the least'; 'all-in'. The paper says "some
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


def old_agents(genomes: Mapping[str, Weights] | None = None) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, by name, from their genomes: those that are kept if not given."""
    kept = Kept.load(RUNS / f"{NAME}.npz", FORMAT).arrays if genomes is None else genomes
    players = MatrixEncoding().players([kept[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def panel(raises: str = AMOUNTS[DRAWN]) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `static_agents` and `old_agents`."""
    return static_agents(raises) | old_agents()
