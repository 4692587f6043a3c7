"""What a champion has learned: what it saw at its tables, its inputs held still, and exploiters bred against it.

A network has learned to look at its cards only if it plays otherwise once it cannot see them. And
whoever ranks well among eight strangers may be easy prey for one who is bred to beat it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import whole
from pokerlab.core.streams import stream
from pokerlab.evolution.population.parts import Genomes
from pokerlab.evolution.population.selection import places
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.holdem.table import view as table_view
from pokerlab.papers.nicolai2009.champions import Champions, file_of
from pokerlab.papers.nicolai2009.config import MOST_AGENTS, Config
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.papers.nicolai2009.experiment import encoding, solver
from pokerlab.papers.nicolai2009.methods import CONFIGS
from pokerlab.papers.nicolai2009.opponents import panel, static_agents
from pokerlab.papers.nicolai2009.progress import duel
from pokerlab.runs import History, sweep
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
MEASURES = ("rank", "tables won")
"""What exploiters are bred by: ranks ahead, or the share of tables won less that of the champion."""
TABLES_OF_EACH = 20
"""At which each exploiter meets the champion in a generation, each played twice."""
NOISE = 0.3
"""The standard deviation of what is added to the weights of the first exploiters."""
FRESH = 1000
"""The seed of the cards at which the last exploiter meets it: none of those that it was bred with."""
PREY = ("Control",)
"""The champions of the paper's size that are whole."""


def seen(
    network: TableNetwork,
    genome: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
) -> Floats:
    """Return what a champion, (G,), saw at all its decisions at duplicate tables, (D, 35).

    Parameters
    ----------
    network : TableNetwork
        What genomes mean.
    genome : ndarray, shape (G,)
        The champion.
    others : mapping of CompiledPlayer, optional
        Eight opponents by name; the paper's if not given.
    tables : DuplicateTables
        How many, and how they are played.
    """
    views: list[Ints] = []

    def watch(at: Any, asked: Ints) -> None:
        mine = asked[at.views[asked, table_view.PLAYER] == 0]
        views.append(at.views[mine].copy())

    (player,) = network.players(genome[None], ["champion"])
    met = panel(tables.raises) if others is None else others
    lineups = tables.lineups(0, tables.duplicates)
    tables.play([player, *met.values()], lineups, duplicates=True, watchers=[watch])
    inputs: Floats = inputs_at(network, np.concatenate(views)).astype(np.float64)
    return inputs


def held(
    network: TableNetwork, genome: Genomes, inputs: Sequence[int], values: ArrayLike
) -> Genomes:
    """Return a network, (G,), that sees some inputs as if they always had these values.

    Their weights go into the bias of each hidden unit, and are then zero.

    Parameters
    ----------
    network : TableNetwork
        What genomes mean; with biases.
    genome : ndarray, shape (G,)
        The network.
    inputs : sequence of int
        Which inputs, 0 to 34.
    values : array_like of float64, shape (len(inputs),)
        What they are held at, such as their means.
    """
    changed = genome.astype(np.float64)
    num_inputs = len(SIGHTS["anything"])
    first = changed[: (num_inputs + 1) * network.hidden].reshape(num_inputs + 1, network.hidden)
    rows = list(inputs)
    first[num_inputs] += np.asarray(values, np.float64) @ first[rows]
    first[rows] = 0.0
    blind: Genomes = changed.astype(genome.dtype)
    return blind


def exploiter(
    network: TableNetwork,
    genome: Genomes,
    measure: str,
    *,
    tables: DuplicateTables,
    agents: int = 100,
    generations: int = 60,
) -> Genomes:
    """Return a network, (G,), bred to beat a champion at tables of ten that the two share evenly.

    It begins with copies of the champion to whose weights noise was added, and breeds as champions did: a
    tenth stays and has all children. (Random networks bred by rank found no way to last as long as it.)
    Everybody meets the champion at the same number of new tables in each generation.

    Parameters
    ----------
    network : TableNetwork
        What genomes mean.
    genome : ndarray, shape (G,)
        The champion.
    measure : str
        What exploiters are bred by, one of `MEASURES`.
    tables : DuplicateTables
        How they are played; its `duplicates` are played by each exploiter in each generation, each twice.
    agents, generations : int
        How many are bred, and for how long.

    Raises
    ------
    UnknownNameError
        If there is no such measure.
    SettingError
        If a number is out of range.
    """
    UnknownNameError.check("measure", measure, tuple(MEASURES))
    whole("agents", agents, 10, MOST_AGENTS)
    whole("generations", generations, 1)
    paper = solver(Config(seed=tables.seed))
    kept = places(paper.selection.share, agents)  # type: ignore[attr-defined]
    alike = np.full(kept, 1.0 / kept)
    (champion,) = network.players(genome[None], ["champion"])
    noise = stream(tables.seed, "exploiters").normal(0.0, NOISE, (agents, genome.size))
    population = (genome + noise).astype(genome.dtype)
    for generation in range(generations):
        ahead = leads(network.players(population), champion, tables, generation)[measure]
        best = population[np.argsort(-ahead, kind="stable")[:kept]]
        generator = stream(tables.seed, "bred", generation)
        bred = paper.variation.children(network, best, alike, agents - kept, generator)
        population = np.concatenate([best, bred.genomes])
    found: Genomes = population[0]
    return found


def leads(
    players: Sequence[CompiledPlayer],
    champion: CompiledPlayer,
    tables: DuplicateTables,
    generation: int,
) -> dict[str, Floats]:
    """Return by how much each of N players is ahead of a champion, (N,), by each measure."""
    many, each = len(players), tables.duplicates
    found = np.zeros((len(MEASURES), many))
    for begins in (0, 1):
        pair = np.stack([np.repeat(np.arange(many), each), np.full(many * each, many)], axis=1)
        lineups = np.tile(pair[:, [begins, 1 - begins]], MOST_SEATS // 2)
        placed = tables.play([*players, champion], lineups, first=generation * many * each)
        ranks, side = placed.ranks[:, 0], np.where(lineups == many, -1, 1)
        ahead = (-side * ranks).sum(axis=1) / (MOST_SEATS // 2), (side * (ranks == 1)).sum(axis=1)
        found += np.reshape(ahead, (len(MEASURES), many, each)).mean(axis=2) / 2
    return dict(zip(MEASURES, found, strict=True))


def exploited(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how exploiters of a recorded champion fare against it, and how agents by rote do, a row for each.

    Parameters
    ----------
    setting : mapping
        The 'champion', one of those recorded with seed 1, the 'seed' of its exploiters, the 'generations'
        for which they are bred, and the 'duplicates' at which the last of them meets it.
    """
    name, seed = setting["champion"], setting["seed"]
    network = encoding(CONFIGS[name.split("-")[0]])
    genome = Champions.load(file_of(1)).genomes[name]
    few = DuplicateTables(duplicates=TABLES_OF_EACH, seed=seed)
    many = DuplicateTables(duplicates=setting["duplicates"], seed=FRESH)
    rivals = dict(static_agents())
    for measure in MEASURES:
        bred = exploiter(network, genome, measure, tables=few, generations=setting["generations"])
        (rivals[f"bred by {measure}"],) = network.players(bred[None], ["exploiter"])
    (champion,) = network.players(genome[None], ["champion"])
    rows = []
    for rival, player in rivals.items():
        ranks, tables_won = (sums.tests() for sums in duel((player, champion), many, workers=1))
        rows.append(
            {
                "rival": rival,
                "ranks_ahead": -float(ranks.difference[0]),
                "ranks_error": float(ranks.error[0]),
                "tables_ahead": float(tables_won.difference[0]),
                "tables_error": float(tables_won.error[0]),
            }
        )
    return rows


def exploiters(
    *,
    names: Sequence[str] = PREY,
    seeds: Iterable[int] = (1, 2),
    generations: int = 60,
    duplicates: int = 1000,
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return `exploited` for recorded champions; each takes some minutes.

    Parameters
    ----------
    names : sequence of str
        Champions that evolved with seed 1, by the settings of Nicolai's thesis.
    seeds : iterable of int
        Exploiters of each.
    generations, duplicates : int
        As in `exploited`.
    workers, folder
        As for `pokerlab.runs.sweep`.

    Raises
    ------
    UnknownNameError
        If a champion is not recorded.
    """
    recorded = tuple(Champions.load(file_of(1)).genomes)
    for name in names:
        UnknownNameError.check("champion", name, recorded)
    settings: dict[str, Sequence[Any]] = {
        "champion": list(names),
        "generations": [generations],
        "duplicates": [duplicates],
    }
    return sweep(exploited, settings, seeds=seeds, workers=workers, folder=folder)
