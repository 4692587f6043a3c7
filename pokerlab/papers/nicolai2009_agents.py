"""The eight agents against which Nicolai & Hilderman (2009) evaluate their champions.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

Five agents follow a script and look only at what is legal (section IV-A). Three agents evolved in an earlier work of
the authors. They are matrices of probabilities, and ours are recorded in `data/runs`.
"""

from collections.abc import Mapping

from pokerlab.core import UnknownNameError
from pokerlab.core.saved_files import SavedFile
from pokerlab.holdem import CompiledPlayer, MatrixEncoding
from pokerlab.holdem.matrix_genome import Weights
from pokerlab.holdem.players import (
    RAISE_AMOUNTS,
    SCRIPT_ANY,
    SCRIPT_CALLS,
    SCRIPT_CALLS_OR_RAISES,
    SCRIPT_FOLDS,
    SCRIPT_RAISES,
    SIZED_BET,
    make_scripted_player,
)
from pokerlab.papers.experiment import RUNS

__all__ = ["make_old_agents", "make_panel", "make_static_agents"]

OLD_AGENTS, GENOMES_FORMAT = "nicolai-2009-opponents", "pokerlab genomes 1"
OLD = OLD_BEST, OLD_SCRATCH, OLD_START = "OldBest", "OldScratch", "OldStart"
SCRIPTS = {
    "Random": SCRIPT_ANY,
    "Raiser": SCRIPT_RAISES,
    "Folder": SCRIPT_FOLDS,
    "Caller": SCRIPT_CALLS,
    "CallOrRaise": SCRIPT_CALLS_OR_RAISES,
}
RANDOM, RAISER, FOLDER, CALLER, CALL_OR_RAISE = SCRIPTS
PANEL = (*SCRIPTS, *OLD)  # the eight other agents of an evaluation, by name


def make_static_agents(raises: str = RAISE_AMOUNTS[SIZED_BET]) -> dict[str, CompiledPlayer]:
    """Return the five agents that follow a script and look only at what is legal, by name.

    Parameters
    ----------
    raises : str
        By how much Random, Raiser and CallOrRaise raise, one of `RAISE_AMOUNTS`. The paper says "some random value".
        By default it is 'a drawn bet', small, medium or large with equal probability, drawn as networks draw theirs, as
        in G. Nicolai's thesis (5.1.1). 'a drawn bet, continuous' draws it by a continuous law. With 'any amount' all
        amounts from the least to all-in are equally likely. The others are 'the least', 'up to three times the least',
        and 'all-in'.

    Examples
    --------
    >>> list(make_static_agents())
    ['Random', 'Raiser', 'Folder', 'Caller', 'CallOrRaise']
    """
    UnknownNameError.check("amount to raise by", raises, RAISE_AMOUNTS)
    amount = RAISE_AMOUNTS.index(raises)
    return {
        name: make_scripted_player(script, amount, name=name) for name, script in SCRIPTS.items()
    }


def make_old_agents(genomes: Mapping[str, Weights] | None = None) -> dict[str, CompiledPlayer]:
    """Return the agents OldBest, OldScratch and OldStart, by name.

    `genomes` has their genomes by these names. By default they are read from `data/runs`.
    """
    by_name = genomes or SavedFile.load(RUNS / f"{OLD_AGENTS}.npz", GENOMES_FORMAT).arrays
    players = MatrixEncoding().make_players([by_name[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def make_panel(raises: str = RAISE_AMOUNTS[SIZED_BET]) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `make_static_agents` and `make_old_agents`."""
    return make_static_agents(raises) | make_old_agents()
