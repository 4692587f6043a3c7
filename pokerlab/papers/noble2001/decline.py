"""The paper's Figure 3 and its open question: what becomes of the strategies if evolution goes on.

The paper saw later generations do worse against both groups and left two explanations open: the
population chases its tail, or it only seems to decline because it has become careful, with modest
profits from many. Here a long run is measured in the ways that tell these apart, and two more:
specializing in one's own population, and the drift of genes that nobody tests.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.streams import stream
from pokerlab.evolution.population import PlayerEncoding
from pokerlab.holdem import RingGame
from pokerlab.holdem.cards.deck import RIVER
from pokerlab.holdem.table.steps import CALLED, RAISED
from pokerlab.papers.noble2001.assessment import GROUPS, PER, at_tables
from pokerlab.papers.noble2001.experiment import PARETO, ROULETTE, Config, solver
from pokerlab.papers.noble2001.measures import diversity, mean_age, num_undominated
from pokerlab.runs import History, sweep
from pokerlab.solvers import PopulationState
from pokerlab.strategies.players.rule_decision import (
    BOARD_BIT,
    FIRST_OF_STREETS,
    GENES_A_STREET,
    WAITS_FOR_FLUSH,
    WAITS_FOR_STRAIGHT,
)

HANDS = 500
"""Of each strategy with each group, at each measured generation."""
EVERY = 25
"""Generations between two measurements."""
SEATED_TABLES, SEATED_HANDS = 200, 50
"""When two generations sit down together."""


def neutral_genes() -> Ints:
    """Return the genes that have no effect: the board bit before the flop, waiting before it and on the river.

    The board bit has an effect on the river, waiting only on flop and turn.
    """
    preflop = FIRST_OF_STREETS + np.array([BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    river = (
        FIRST_OF_STREETS + RIVER * GENES_A_STREET + np.array([WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    )
    return np.concatenate([preflop, river])


def long_run(config: Config) -> list[dict[str, float]]:
    """Run a coevolution and return a row for each measured generation: 1, and every `EVERY`.

    Columns, means over the population: for each group the profit, the standard deviation of a hand,
    the share of its members from whom a strategy wins, and how often a hand it calls or raises
    before the flop; age, diversity, of neutral genes and of the others; the genes.
    """
    coevolution = solver(config)
    state, rows = coevolution.init(), []
    for generation in (1, *range(EVERY, config.iterations + 1, EVERY)):
        state = coevolution.step(state, generation - state.iteration)
        rows.append({"generation": generation, **measured(state)})
    return rows


def measured(state: PopulationState) -> dict[str, float]:
    """Return what `long_run` says of one generation."""
    genomes = state.population[0]
    many = len(genomes)
    row: dict[str, float] = {}
    for name, group in GROUPS.items():
        played = at_tables(state.game, state.encoding, genomes, group, hands=HANDS, seed=2)
        own = played.chips[:, 0, 0].reshape(many, HANDS)
        assert played.won_from is not None
        acted = played.actions[:many, 0]
        row |= {
            name: float(own.mean() * PER),
            f"{name}_kept": float(own[state.front[0]].mean() * PER) if state.front.any() else 0.0,
            f"{name}_swing": float(own.std(axis=1).mean()),
            f"{name}_beaten": float((played.won_from[:many, many:] > 0).mean()),
            f"{name}_entered": float(acted[:, [CALLED, RAISED]].sum() / (many * HANDS)),
        }
    neutral = np.isin(np.arange(genomes.shape[1]), neutral_genes())
    return {
        **row,
        "front": int(state.front.sum()),
        "undominated": num_undominated(state),
        "age": mean_age(state),
        "diversity": diversity(genomes),
        "diversity_neutral": diversity(genomes, neutral),
        "diversity_tested": diversity(genomes, ~neutral),
        **{f"gene_{gene}": float(mean) for gene, mean in enumerate(genomes.mean(axis=0))},
    }


def generations_met(
    config: Config, generations: Sequence[int] = (1, 50, 100, 200, 400, 600, 800, 1000)
) -> list[dict[str, float]]:
    """Run a coevolution, seat each two of these generations at tables together, and say who wins.

    Columns: 'older', 'newer', and 'newer_wins', the mean chips per 1,000 hands of the newer one's
    strategies, half of the seats, from the older one's.
    """
    coevolution = solver(config)
    state, kept = coevolution.init(), {}
    for generation in generations:
        state = coevolution.step(state, generation - state.iteration)
        kept[generation] = state.population[0]
    return [
        {
            "older": older,
            "newer": newer,
            "newer_wins": newer_wins(
                coevolution.game, coevolution.encoding, kept[older], kept[newer], seed=config.seed
            ),
        }
        for older, newer in combinations(generations, 2)
    ]


def newer_wins(
    game: RingGame, encoding: PlayerEncoding, older: Floats, newer: Floats, *, seed: int
) -> float:
    """Return the mean profit of one population at tables shared equally with another.

    Parameters
    ----------
    game : RingGame
        With an even number of seats.
    encoding : PlayerEncoding
        What genomes mean.
    older, newer : ndarray of float64, shape (N, 42)
        The populations.
    seed : int
        Of line-ups, deals and luck.

    Returns
    -------
    float
        Chips per 1,000 hands of a strategy of the newer one.
    """
    half = game.num_seats // 2
    generator = stream(seed, "generations met")
    seats = [
        np.concatenate(
            [
                generator.choice(len(older), half, replace=False),
                len(older) + generator.choice(len(newer), half, replace=False),
            ]
        )[generator.permutation(2 * half)]
        for _ in range(SEATED_TABLES)
    ]
    players = encoding.players(np.concatenate([older, newer]))
    played = game.play(players, SEATED_HANDS, seed=seed, lineups=np.array(seats))
    won, hands = played.won[len(older) :].sum(), played.hands_of[len(older) :].sum()
    return float(won * PER / hands)


def long_runs(
    *,
    seeds: Iterable[int] = range(5),
    iterations: int = 1000,
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return `long_run` of both regimes for each seed."""
    return sweep(
        long_run,
        {"regime": [PARETO, ROULETTE]},
        config=Config(iterations=iterations, seed=0),
        seeds=seeds,
        workers=workers,
        folder=folder,
    )


def all_met(
    *, seeds: Iterable[int] = range(5), workers: int = 1, folder: str | Path | None = None
) -> History:
    """Return `generations_met` of both regimes for each seed."""
    return sweep(
        generations_met,
        {"regime": [PARETO, ROULETTE]},
        config=Config(iterations=1000, seed=0),
        seeds=seeds,
        workers=workers,
        folder=folder,
    )
