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
    RAISE_SIZES,
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
"""The paper's names of the agents that evolved in an earlier work of the authors."""
SCRIPTS = {
    "Random": SCRIPT_ANY,
    "Raiser": SCRIPT_RAISES,
    "Folder": SCRIPT_FOLDS,
    "Caller": SCRIPT_CALLS,
    "CallOrRaise": SCRIPT_CALLS_OR_RAISES,
}
RANDOM, RAISER, FOLDER, CALLER, CALL_OR_RAISE = SCRIPTS
PANEL = (*SCRIPTS, *OLD)  # the eight other agents of an evaluation, by name


def make_static_agents(raises: str = RAISE_SIZES[SIZED_BET]) -> dict[str, CompiledPlayer]:
    """Return the five agents of the paper that follow a fixed script and look only at which actions are legal, by name.

    Parameters
    ----------
    raises : str
        The size of the raises of Random, Raiser and CallOrRaise, one of `RAISE_SIZES`. The paper says "some random
        value". By default it is 'a drawn bet', small, medium or large with equal probability, drawn as networks draw
        theirs, as in G. Nicolai's thesis (5.1.1). 'a drawn bet, continuous' draws it by a continuous law. With 'any
        amount' all amounts from the smallest to all-in are equally likely. The others are 'the least', 'up to three
        times the least', and 'all-in'.

    Returns
    -------
    dict of str to CompiledPlayer
        The agents, by the paper's names.

    Raises
    ------
    UnknownNameError
        If `raises` is none of `RAISE_SIZES`.

    Examples
    --------
    >>> list(make_static_agents())
    ['Random', 'Raiser', 'Folder', 'Caller', 'CallOrRaise']
    """
    UnknownNameError.check("amount to raise by", raises, RAISE_SIZES)
    raise_size = RAISE_SIZES.index(raises)
    return {
        name: make_scripted_player(script, raise_size, name=name)
        for name, script in SCRIPTS.items()
    }


def make_old_agents(genomes: Mapping[str, Weights] | None = None) -> dict[str, CompiledPlayer]:
    """Return the agents OldBest, OldScratch and OldStart, which evolved in an earlier work of the paper's authors.

    Each agent is a matrix of action probabilities over hand strength and cost (Beattie et al. 2007).

    Parameters
    ----------
    genomes : mapping of str to Weights, optional
        The genome of each agent, by these names. By default the genomes are read from `data/runs`.

    Returns
    -------
    dict of str to CompiledPlayer
        The agents, by name.
    """
    genomes_by_name = genomes or SavedFile.load(RUNS / f"{OLD_AGENTS}.npz", GENOMES_FORMAT).arrays
    ordered_genomes = [genomes_by_name[name] for name in OLD]
    players = MatrixEncoding().make_players(ordered_genomes, OLD)
    return dict(zip(OLD, players, strict=True))


def make_panel(raises: str = RAISE_SIZES[SIZED_BET]) -> Mapping[str, CompiledPlayer]:
    """Return the eight agents against which the paper evaluates champions, by name.

    They are the five agents of `make_static_agents` and the three of `make_old_agents`.

    Parameters
    ----------
    raises : str
        The amount by which agents that follow a script raise, one of `RAISE_SIZES`; see `make_static_agents`.

    Returns
    -------
    mapping of str to CompiledPlayer
        A new dictionary, in which the five agents come first.
    """
    return make_static_agents(raises) | make_old_agents()
