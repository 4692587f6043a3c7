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
from pokerlab.core.old_names import reject_renamed_parameters
from pokerlab.holdem import ALWAYS_CALL, ALWAYS_RAISE, RANDOM
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.real_player import make_bucketed_player
from pokerlab.holdem.rule_genome import NUM_GENES
from pokerlab.papers import nicolai2009, noble2001, samothrakis2011_holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.runs import History

SEED = 1
"""The seed of the settings of both encodings. No agent depends on it."""
BUCKETED_AGENTS: Mapping[str, str] = {
    "CFR+ in buckets": "regret minimization",
    "lookup, safest": "descent",
    "lookup, evolved": samothrakis2011_holdem.OURS,
}
"""The names of agents of `samothrakis2011_holdem.make_agent`, by their names in the lessons."""
NETWORK_METHODS = ("Control", "LargeHOF", "2Pop-1")
"""The methods of Nicolai & Hilderman (2009) whose champions are among the agents."""
SIMPLE_PLAYERS: Mapping[str, CompiledPlayer] = {
    "caller": ALWAYS_CALL,
    "raiser": ALWAYS_RAISE,
    "at random": RANDOM,
}
"""The players that do not look at their cards, by their names in the lessons."""


def find_best_evolved_genome(regime: str) -> Floats:
    """Return the genome that won most of those that a selection regime had evolved by the end of the recorded runs.

    The runs are those of lesson 13, which evolves lists of rules for limit hold'em (Noble & Watson 2001).

    Parameters
    ----------
    regime : {'Pareto', 'roulette'}
        The selection regime, which is the way to select parents.

    Returns
    -------
    array of shape (42,)
        The genome with the largest total winnings from both groups of opponents of that lesson.
    """
    last_populations = History.load(RUNS / "noble-2001-final.npz")
    winnings = last_populations["alpha"] + last_populations["beta"]
    rows = np.flatnonzero(last_populations["regime"] == regime)
    best_row = rows[np.argmax(winnings[rows])]
    return np.array([last_populations[f"gene_{gene}"][best_row] for gene in range(NUM_GENES)])


def make_rule_players() -> list[CompiledPlayer]:
    """Return the three hold'em players that follow lists of rules (Noble & Watson 2001).

    Two are the best ones that Pareto and roulette selection evolved, and one is printed in the paper.

    Returns
    -------
    list of three CompiledPlayers
        The players named 'rules, Pareto', 'rules, roulette' and 'rules, printed', in this order.
    """
    genomes = {
        "rules, Pareto": find_best_evolved_genome("Pareto"),
        "rules, roulette": find_best_evolved_genome("roulette"),
        "rules, printed": noble2001.PRINTED.genome,
    }
    encoding = noble2001.make_encoding(noble2001.Config(seed=SEED))
    return encoding.make_players([*genomes.values()], [*genomes])


def make_network_players() -> list[CompiledPlayer]:
    """Return three hold'em players that are neural networks, the recorded champions of Nicolai & Hilderman (2009).

    Each is the champion of one of `NETWORK_METHODS`, which are methods of evolution in that paper.

    Returns
    -------
    list of three CompiledPlayers
        The players, in the order of `NETWORK_METHODS`.
    """
    with np.load(RUNS / "nicolai-2009-champions-whole.npz") as recorded:
        genomes = np.array([recorded[f"genome/{method}"] for method in NETWORK_METHODS])
    encoding = nicolai2009.make_encoding(nicolai2009.Config(seed=SEED, **nicolai2009.EARLIER))
    return encoding.make_players(genomes, [f"network, {method}" for method in NETWORK_METHODS])


@reject_renamed_parameters
def make_twelve_agents(*, pot_multiple: float | None = None) -> list[CompiledPlayer]:
    """Return the twelve hold'em agents of lessons 15 and 15b, in the order of the lessons' tables.

    The order is: three agents of bucketed limit hold'em, three lists of rules, three neural networks, and three players
    that do not look at their cards.

    Parameters
    ----------
    pot_multiple : float, optional
        If given, the three agents of bucketed limit hold'em can also play no-limit. A raise of theirs is then a raise
        by this multiple of the pot after the call.

    Returns
    -------
    list of CompiledPlayer
        The agents, with their names.

    Examples
    --------
    >>> [agent.name for agent in make_twelve_agents()[:4]]
    ['CFR+ in buckets', 'lookup, safest', 'lookup, evolved', 'rules, Pareto']
    """
    bucketed_players = [
        make_bucketed_player(
            samothrakis2011_holdem.make_agent(agent), name, pot_multiple=pot_multiple
        )
        for name, agent in BUCKETED_AGENTS.items()
    ]
    simple_players = [replace(player, name=name) for name, player in SIMPLE_PLAYERS.items()]
    return [*bucketed_players, *make_rule_players(), *make_network_players(), *simple_players]
