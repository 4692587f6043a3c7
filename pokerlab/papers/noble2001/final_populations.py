"""The paper's Figure 2: where the runs of each regime end, strategy by strategy.

Each run is judged by what its last population wins from alpha and beta. The run is the unit: regimes
are compared between runs, paired by seed, since those of one seed begin alike; groups within runs.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.papers.noble2001.assessment import GROUPS, assess
from pokerlab.papers.noble2001.experiment import PARETO, ROULETTE, Config, solver
from pokerlab.papers.noble2001.measures import num_undominated
from pokerlab.runs import History, sweep
from pokerlab.strategies.players.rule_decision import NUM_GENES

HANDS, SEQUENCES = 500, 20
"""Each strategy plays so many hands of so many sequences against each group."""


def last_population(config: Config) -> list[dict[str, float]]:
    """Run a coevolution and return a row for each strategy of its last population.

    Columns: place, whether it is kept, age, chips won and hands played in the last generation, how
    many of the population are non-dominated, mean chips per 1,000 hands against each group, and
    the genes.
    """
    coevolution = solver(config)
    state = coevolution.step(coevolution.init(), config.iterations)
    genomes = state.population[0]
    against = {
        name: assess(
            coevolution.game,
            coevolution.encoding,
            genomes,
            group,
            hands=HANDS,
            sequences=SEQUENCES,
            seed=1,
        ).mean(axis=0)
        for name, group in GROUPS.items()
    }
    undominated = num_undominated(state)
    return [
        {
            "place": place,
            "kept": bool(state.front[0, place]),
            "age": int(state.ages[0, place]),
            "profit": int(state.profit[0, place]),
            "hands": int(state.hands[0, place]),
            "undominated": undominated,
            **{name: float(won[place]) for name, won in against.items()},
            **{f"gene_{gene}": float(value) for gene, value in enumerate(genome)},
        }
        for place, genome in enumerate(genomes)
    ]


def final_populations(
    config: Config | None = None,
    *,
    regimes: Sequence[str] = (PARETO, ROULETTE),
    seeds: Iterable[int] = range(20),
    workers: int = 1,
    folder: str | Path | None = None,
) -> History:
    """Return `last_population` of each regime and seed; the other settings are those of `config`."""
    return sweep(
        last_population,
        {"regime": list(regimes)},
        config=Config(seed=0) if config is None else config,
        seeds=seeds,
        workers=workers,
        folder=folder,
    )


def genomes_of(history: History, regime: str, seed: int) -> Floats:
    """Return the last population of a run from `final_populations`, (N, 42); empty if there is none."""
    mine = (history["regime"] == regime) & (history["seed"] == seed)
    return np.column_stack([history[f"gene_{gene}"][mine] for gene in range(NUM_GENES)])
