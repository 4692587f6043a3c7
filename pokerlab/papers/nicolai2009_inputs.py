"""The inputs of networks of Nicolai & Hilderman (2009): what a network sees at a table, and whether it uses it.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

An input is replaced by a constant (`fix_inputs`). A network that plays as before did not use it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints
from pokerlab.evolution.population.protocol import Genomes
from pokerlab.holdem import CompiledPlayer, TableNetwork, table_view
from pokerlab.holdem.network_habits import compute_view_inputs

__all__ = ["INPUT_GROUPS", "collect_inputs", "fix_inputs"]

INPUT_GROUPS: Mapping[str, tuple[int, ...]] = {
    "the pot": (0,),
    "the price of a call": (1,),
    "the number of opponents": (2,),
    "its chance to win": (3,),
    "its position": (4,),
    "its own chips": (5,),
    "the others' chips": tuple(range(6, 15)),
    "its own aggressiveness": (15, 25),
    "the others' aggressiveness": (*range(16, 25), *range(26, 35)),
    "anything": tuple(range(35)),
}
"""The network's 35 inputs, grouped by what they describe: the indices of each group."""


class EvaluationTables(Protocol):
    """Tables at which a network is evaluated, such as the duplicate tables of `pokerlab.papers.nicolai2009`."""

    def evaluate(
        self,
        champion: CompiledPlayer,
        others: Mapping[str, CompiledPlayer] | None = None,
        **options: Any,
    ) -> Any:
        """Let a champion play against eight other players at all tables, and return the results.

        Parameters
        ----------
        champion : CompiledPlayer
            The champion, who is the first player.
        others : mapping of str to CompiledPlayer, optional
            The eight other players, by name. By default they are the agents of the paper.
        **options
            Options of `Tournament.play`.

        Returns
        -------
        Any
            The results of all players, such as a `TournamentResult`. The champion is the first player.
        """


def collect_inputs(
    network: TableNetwork,
    genome: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: EvaluationTables,
) -> Floats:
    """Let a network play at duplicate tables, and return its 35 inputs at each of its decisions.

    Parameters
    ----------
    network : TableNetwork
        The encoding that makes a network from a genome.
    genome : ndarray, shape (G,)
        The genome of the network.
    others : mapping of str to CompiledPlayer, optional
        The eight opponents, by name. By default they are the agents of the paper, which `make_panel` returns.
    tables : EvaluationTables
        The tables at which they play, such as `DuplicateTables`.

    Returns
    -------
    array of shape (decisions, 35)
        The inputs, with a row for each decision of the network.
    """
    views: list[Ints] = []

    def collect_views(play: Any, deciding: Ints) -> None:
        """Store the view of each table at which the network decides now.

        Parameters
        ----------
        play : object
            The tournaments that are played at the same time, with the view of the deciding player at each table.
        deciding : array of int
            The indices of the tables at which a player decides now.
        """
        is_network = play.views[deciding, table_view.PLAYER] == 0  # it is the first player
        views.append(play.views[deciding[is_network]].copy())

    (champion,) = network.make_players(genome[None], ["champion"])
    tables.evaluate(champion, others, watchers=[collect_views])
    return compute_view_inputs(network, np.concatenate(views)).astype(np.float64)


def fix_inputs(
    network: TableNetwork, genome: Genomes, inputs: Sequence[int], input_values: ArrayLike
) -> Genomes:
    """Return a genome whose network computes as if some inputs always had given values.

    The weights of these inputs times the values are added to the bias of each hidden unit, and are then set to zero.

    Parameters
    ----------
    network : TableNetwork
        The encoding that makes a network from a genome.
    genome : ndarray, shape (G,)
        The genome of the network, which is not changed.
    inputs : sequence of int
        The indices of the inputs, from 0 to 34; see `INPUT_GROUPS`.
    input_values : array_like, shape (len(inputs),)
        The value of each of these inputs.

    Returns
    -------
    ndarray, shape (G,)
        The changed genome, of the same number type.
    """
    changed_genome = genome.astype(np.float64)
    num_inputs = len(INPUT_GROUPS["anything"])
    input_indices = list(inputs)

    # The genome begins with the hidden units' weights: a row for each input, and then a row of biases. `hidden_weights`
    # is a view, so the assignments below change the genome `changed_genome`.
    bias_row = num_inputs
    size = (num_inputs + 1) * network.hidden
    hidden_weights = changed_genome[:size].reshape(num_inputs + 1, network.hidden)
    hidden_weights[bias_row] += np.asarray(input_values, np.float64) @ hidden_weights[input_indices]
    hidden_weights[input_indices] = 0.0
    return changed_genome.astype(genome.dtype)
