"""What is recorded of runs by each regime and seed: last populations, long runs, generations that meet, changes.

`last_population` is behind the paper's Figure 2: each run is judged by what its last population wins
from alpha and beta.

`long_run` is behind Figure 3 and its open question. The paper saw later
generations do worse against both groups and left two explanations open: the population chases its
tail, or it only seems to decline because it has become careful, with modest profits from many. A long
run is measured in the ways that tell these apart, and two more: specializing in one's own population,
and the drift of genes that nobody tests.

`assessed_by_split` sorts the opponents into two groups anew, again and again: the groups are ours, so a
conclusion about the paper's regimes must hold whichever way they fall.

`future_population` is what the paper names as future work, with the last population of each of `FUTURE`.

`reliability` judges populations again and again, to see what dominance and profit know (see `dominance`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem.cards import RIVER
from pokerlab.holdem.rule_genome import (
    BOARD_BIT,
    FIRST_OF_STREETS,
    GENES_A_STREET,
    NUM_GENES,
    WAITS_FOR_FLUSH,
    WAITS_FOR_STRAIGHT,
)
from pokerlab.holdem.table_play import CALL_KIND, RAISE_KIND
from pokerlab.papers.experiment import load_or_make_history
from pokerlab.papers.noble2001 import (
    BEST_HALF,
    BEST_PARENTS,
    CROWDING,
    DRAWN_HALF,
    GROUPS,
    HANDS_OF_PROFITS,
    MIXTURE,
    NSGA,
    PARETO,
    ROULETTE,
    Config,
    assess_strategies,
    average_age,
    compute_diversity,
    count_nondominated,
    make_encoding,
    make_game,
    make_solver,
    play_against_group,
    split_opponents,
)
from pokerlab.runs import History, sweep
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState
from studies.noble2001.changes import make_configs, measure_halfway_and_end
from studies.noble2001.dominance import SIZES, measure_reliability

HANDS, SEQUENCES = 500, 20
"""Each strategy of a last population plays so many hands of so many sequences against each group."""
MEASURED_HANDS, EVERY = 500, 25
"""In a long run: of each strategy with each group, at each measured generation; generations between two of these."""
THAT_MEET = (1, 50, 100, 200, 400, 600, 800, 1000)
"""Generations that sit down together with the earlier ones."""
SEATED_TABLES, SEATED_HANDS = 200, 50
"""When two of them do."""
SPLITS, OF_EACH, SPLIT_HANDS = 100, 25, 400
"""Random splits, strategies of each last population that are judged by one, and hands of each with either group."""
FUTURE_SPLITS = 36
"""The first of these splits judge what the paper names as future work."""
FUTURE: dict[str, dict[str, Any]] = {
    "stored champions": {"hall_size": 10},
    "one parent": {"sexual": False},
    "NSGA-II": {"regime": NSGA},
    "crowding": {"regime": CROWDING},
    "equilibrium mix": {"regime": MIXTURE},
}
"""What differs from the paper's Pareto selection."""


def record_last_population(config: Config) -> list[dict[str, float]]:
    """Run a coevolution and return a row for each strategy of its last population.

    Columns: place, whether it is kept, age, chips won and hands played in the last generation, how
    many of the population are non-dominated, mean chips per 1,000 hands against each group, and
    the genes.
    """
    coevolution = make_solver(config)
    state = coevolution.step(coevolution.init(), config.iterations)
    genomes = state.population[0]
    judge = partial(assess_strategies, coevolution.game, coevolution.encoding, genomes)
    played = {"hands": HANDS, "sequences": SEQUENCES, "seed": 1}
    against = {name: judge(group, **played).mean(axis=0) for name, group in GROUPS.items()}
    undominated = count_nondominated(state)
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


def record_future_population(setting: Mapping[str, Any]) -> list[dict[str, float]]:
    """Return what `last_population` says of one of `FUTURE`, by its name as 'regime' and a seed."""
    return record_last_population(Config(seed=setting["seed"], **FUTURE[setting["regime"]]))


def read_genomes(history: History, regime: str, seed: int) -> Floats:
    """Return the last population of a run from `last_population`, (N, 42); empty if there is none."""
    mine = (history["regime"] == regime) & (history["seed"] == seed)
    return np.column_stack([history[f"gene_{gene}"][mine] for gene in range(NUM_GENES)])


def assess_by_split(
    setting: Mapping[str, int], populations: Sequence[str] = ("final", "halves")
) -> list[dict[str, float | str]]:
    """Return a row for each run of recorded populations: what it wins from the two groups of a random split.

    Columns: regime, run (its seed), and mean chips per 1,000 hands against either group. All runs meet the same
    deals, and each split has deals of its own.
    """
    number = setting["split"]
    runs = [
        (regime, run, read_genomes(recorded, regime, run)[:OF_EACH])
        for recorded in map(load_study, populations)
        for regime in dict.fromkeys(recorded["regime"].tolist())
        for run in np.unique(recorded["seed"]).tolist()
    ]
    config, genomes = Config(seed=0), np.concatenate([few for *_, few in runs])
    won = [
        assess_strategies(
            make_game(config), make_encoding(config), genomes, group, hands=SPLIT_HANDS, seed=number
        )[0]
        for group in split_opponents(number)
    ]
    means = np.array(won).reshape(2, len(runs), OF_EACH).mean(axis=2).T
    return [
        {"regime": regime, "run": run, "first": first, "second": second}
        for (regime, run, _), (first, second) in zip(runs, means.tolist(), strict=True)
    ]


def find_neutral_genes() -> Ints:
    """Return the genes that have no effect: the board bit before the flop, waiting before it and on the river.

    The board bit has an effect on the river, waiting only on flop and turn.
    """
    preflop = FIRST_OF_STREETS + np.array([BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    river = (
        FIRST_OF_STREETS + RIVER * GENES_A_STREET + np.array([WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH])
    )
    return np.concatenate([preflop, river])


def record_long_run(config: Config) -> list[dict[str, float]]:
    """Run a coevolution and return a row for each measured generation: 1, and every `EVERY`.

    Columns, means over the population: for each group the profit, the standard deviation of a hand,
    the share of its members from whom a strategy wins, and how often a hand it calls or raises
    before the flop; age, diversity, of neutral genes and of the others; the genes; and at the
    generations `THAT_MEET` what its strategies win from each earlier one of these ('from 1' and so
    on), at tables whose seats they share (NaN elsewhere).
    """
    coevolution = make_solver(config)
    state, rows = coevolution.init(), []
    kept: dict[int, Floats] = {}
    for generation in (1, *range(EVERY, config.iterations + 1, EVERY)):
        state = coevolution.step(state, generation - state.iteration)
        row = {"generation": generation, **measure_generation(state)}
        row |= dict.fromkeys((f"from {older}" for older in THAT_MEET[:-1]), np.nan)
        if generation in THAT_MEET:
            now = kept[generation] = state.population[0]
            for older, before in kept.items():
                if older < generation:
                    row[f"from {older}"] = compare_populations(coevolution, before, now)
        rows.append(row)
    return rows


def measure_generation(state: PopulationState) -> dict[str, float]:
    """Return what `long_run` says of one generation."""
    genomes = state.population[0]
    many = len(genomes)
    row: dict[str, float] = {}
    for name, group in GROUPS.items():
        played = play_against_group(
            state.game, state.encoding, genomes, group, hands=MEASURED_HANDS, seed=2
        )
        own = played.chips[:, 0, 0].reshape(many, MEASURED_HANDS)
        assert played.won_from is not None
        acted = played.actions[:many, 0]
        row |= {
            name: float(own.mean() * HANDS_OF_PROFITS),
            f"{name}_kept": float(own[state.front[0]].mean() * HANDS_OF_PROFITS)
            if state.front.any()
            else 0.0,
            f"{name}_swing": float(own.std(axis=1).mean()),
            f"{name}_beaten": float((played.won_from[:many, many:] > 0).mean()),
            f"{name}_entered": float(
                acted[:, [CALL_KIND, RAISE_KIND]].sum() / (many * MEASURED_HANDS)
            ),
        }
    neutral = np.isin(np.arange(genomes.shape[1]), find_neutral_genes())
    return {
        **row,
        "front": int(state.front.sum()),
        "undominated": count_nondominated(state),
        "age": average_age(state),
        "diversity": compute_diversity(genomes),
        "diversity_neutral": compute_diversity(genomes, neutral),
        "diversity_tested": compute_diversity(genomes, ~neutral),
        **{f"gene_{gene}": float(mean) for gene, mean in enumerate(genomes.mean(axis=0))},
    }


def compare_populations(coevolution: PopulationCoevolution, older: Floats, newer: Floats) -> float:
    """Return what a strategy of `newer` wins at tables shared equally with `older`, in chips per 1,000 hands."""
    half, seed = coevolution.game.num_seats // 2, coevolution.seed
    generator = random_stream(seed, "generations met")
    seats = [
        np.concatenate(
            [
                generator.choice(len(older), half, replace=False),
                len(older) + generator.choice(len(newer), half, replace=False),
            ]
        )[generator.permutation(2 * half)]
        for _ in range(SEATED_TABLES)
    ]
    players = coevolution.encoding.make_players(np.concatenate([older, newer]))
    played = coevolution.game.play(players, SEATED_HANDS, seed=seed, lineups=np.array(seats))
    won, hands = played.won[len(older) :].sum(), played.hands_played[len(older) :].sum()
    return float(won * HANDS_OF_PROFITS / hands)


class Study(NamedTuple):
    """Runs by settings and seeds, and what is measured of each."""

    measure: Callable[[Any], list[dict[str, Any]]]
    settings: Mapping[str, Sequence[Any]] | list[Config]
    seeds: Iterable[int] | None
    config: Config | None = None

    def run(self, **options: Any) -> History:
        """Return what is measured, row by row; the options are those of `sweep`, such as `workers`."""
        return sweep(self.measure, self.settings, config=self.config, seeds=self.seeds, **options)


PAPERS, SEEDS = {"regime": [PARETO, ROULETTE]}, tuple(range(20))
LONG = Config(iterations=1000, seed=0)
STUDIES = {
    "final": Study(record_last_population, PAPERS, SEEDS, Config(seed=0)),
    "halves": Study(
        record_last_population, {"regime": [BEST_HALF, DRAWN_HALF]}, SEEDS, Config(seed=0)
    ),
    "parents": Study(record_last_population, {"regime": [BEST_PARENTS]}, SEEDS, Config(seed=0)),
    "future": Study(record_future_population, {"regime": [*FUTURE]}, SEEDS),
    "long": Study(record_long_run, PAPERS, SEEDS, LONG),
    "splits": Study(assess_by_split, {"split": [*range(1, SPLITS + 1)]}, None),
    "future-splits": Study(
        partial(assess_by_split, populations=["future"]),
        {"split": [*range(1, FUTURE_SPLITS + 1)]},
        None,
    ),
    "parents-splits": Study(
        partial(assess_by_split, populations=["parents"]),
        {"split": [*range(1, SPLITS + 1)]},
        None,
    ),
    "reliability": Study(measure_reliability, {"size": SIZES}, SEEDS[:10], Config(seed=0)),
    "sensitivity": Study(measure_halfway_and_end, make_configs(), SEEDS[:4]),
}
"""By the name of the recording."""


def load_study(name: str) -> History:
    """Return one of `STUDIES` as it was recorded; if it is not there, it is run now and kept."""
    return load_or_make_history(f"noble-2001-{name}", STUDIES[name].run, {})
