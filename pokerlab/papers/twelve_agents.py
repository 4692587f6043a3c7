"""The twelve hold'em agents of lessons 15 and 15b, which play each other at a limit and at a no-limit table.

Three were made for limit hold'em in six buckets, as in lessons 11 and 12: nearly an equilibrium, the least exploitable
lookup table, and an evolved one. Three are lists of rules of Noble & Watson (2001): two were bred in lesson 13, and one
is printed in the paper. Three are neural networks that were bred by methods of Nicolai & Hilderman (2009). The last
three do not look at their cards.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.real_player import make_bucketed_player
from pokerlab.papers import nicolai2009, noble2001, samothrakis2011_holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.runs import History

SEED = 1  # of the settings of both encodings; no agent depends on it
BUCKETED_AGENTS: Mapping[str, str] = {
    "CFR+ in buckets": "regret minimization",
    "lookup, safest": "descent",
    "lookup, evolved": samothrakis2011_holdem.OURS,
}
"""The names of agents of `samothrakis2011_holdem.make_agent`, by their names in the lessons."""
NETWORK_METHODS = ("Control", "LargeHOF", "2Pop-1")
SIMPLE_PLAYERS: Mapping[str, CompiledPlayer] = {
    "caller": ALWAYS_CALL,
    "raiser": ALWAYS_RAISE,
    "at random": RANDOM,
}


def find_best_evolved_genome(regime: str) -> Floats:
    """Return the genome that won most of those that a selection regime had bred by the end of the recorded runs.

    Parameters
    ----------
    regime : str
        The regime in the recording of lesson 13, such as 'Pareto' or 'roulette'.

    Returns
    -------
    ndarray of shape (42,)
        The genome with the largest total winnings from both groups of opponents of that lesson.
    """
    final = History.load(RUNS / "noble-2001-final.npz")
    winnings = final["alpha"] + final["beta"]
    rows = np.flatnonzero(final["regime"] == regime)
    best_row = rows[np.argmax(winnings[rows])]
    return np.array([final[f"gene_{locus}"][best_row] for locus in range(42)])


def make_rule_players() -> list[CompiledPlayer]:
    """Return the three lists of rules: the best that Pareto and roulette selection bred, and the printed one."""
    genomes = {
        "rules, Pareto": find_best_evolved_genome("Pareto"),
        "rules, roulette": find_best_evolved_genome("roulette"),
        "rules, printed": noble2001.PRINTED.genome,
    }
    encoding = noble2001.make_encoding(noble2001.Config(seed=SEED))
    return encoding.make_players([*genomes.values()], [*genomes])


def make_network_players() -> list[CompiledPlayer]:
    """Return the recorded champions of three methods of Nicolai & Hilderman (2009)."""
    with np.load(RUNS / "nicolai-2009-champions-whole.npz") as recorded:
        genomes = np.array([recorded[f"genome/{method}"] for method in NETWORK_METHODS])
    encoding = nicolai2009.make_encoding(nicolai2009.Config(seed=SEED, **nicolai2009.EARLIER))
    return encoding.make_players(genomes, [f"network, {method}" for method in NETWORK_METHODS])


def make_twelve_agents(*, pots: float | None = None) -> list[CompiledPlayer]:
    """Return the twelve agents, in the order of the lessons' tables.

    Parameters
    ----------
    pots : float, optional
        If given, the three agents of bucketed limit hold'em can also play no-limit. A raise of theirs is then a raise
        by this multiple of the pot after the call.

    Examples
    --------
    >>> [agent.name for agent in make_twelve_agents()[:4]]
    ['CFR+ in buckets', 'lookup, safest', 'lookup, evolved', 'rules, Pareto']
    """
    bucketed_players = [
        make_bucketed_player(samothrakis2011_holdem.make_agent(agent), name, pots=pots)
        for name, agent in BUCKETED_AGENTS.items()
    ]
    simple_players = [replace(player, name=name) for name, player in SIMPLE_PLAYERS.items()]
    return [*bucketed_players, *make_rule_players(), *make_network_players(), *simple_players]
