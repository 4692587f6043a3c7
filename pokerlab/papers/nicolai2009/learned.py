"""What a champion has learned: what it saw at its tables, and its inputs held still.

A network has learned to look at its cards only if it plays otherwise once it cannot see them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints
from pokerlab.evolution.population.parts import Genomes
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.table import view as table_view
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.strategies import TableNetwork, inputs_at

SIGHTS: Mapping[str, tuple[int, ...]] = {
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
"""What a network sees, by the numbers of its inputs."""


def seen(
    network: TableNetwork,
    genome: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
) -> Floats:
    """Return what a champion, (G,), saw at all its decisions at duplicate tables, (D, 35)."""
    views: list[Ints] = []

    def watch(at: Any, asked: Ints) -> None:
        mine = asked[at.views[asked, table_view.PLAYER] == 0]
        views.append(at.views[mine].copy())

    (player,) = network.players(genome[None], ["champion"])
    tables.evaluate(player, others, watchers=[watch])
    inputs: Floats = inputs_at(network, np.concatenate(views)).astype(np.float64)
    return inputs


def held(
    network: TableNetwork, genome: Genomes, inputs: Sequence[int], values: ArrayLike
) -> Genomes:
    """Return a network, (G,), that sees some inputs as if they always had these values.

    Their weights go into the bias of each hidden unit, and are then zero.
    """
    changed = genome.astype(np.float64)
    num_inputs = len(SIGHTS["anything"])
    first = changed[: (num_inputs + 1) * network.hidden].reshape(num_inputs + 1, network.hidden)
    rows = list(inputs)
    first[num_inputs] += np.asarray(values, np.float64) @ first[rows]
    first[rows] = 0.0
    blind: Genomes = changed.astype(genome.dtype)
    return blind
